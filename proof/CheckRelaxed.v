(* (M): whether any number of rules behind a prefix (Z, a) can reach less than the target. Theorem 9 of
   docs/proofs.md; Relaxation.v proves what is of states alone, RelaxedSound.v the rest.

   Of what a label loses in what an antecedent captures of the set of Z, rules have taken some: it is
   known only to be from least to most. *)

From Coq Require Import ZArith List Bool Arith.
From Surelist Require Import Problem Sums Completions Points Pairs Check.
Import ListNotations.
Open Scope Z_scope.

(* A number for each of the two labels. *)
Definition twin := (Z * Z)%type.
Definition of_label (q : nat) (x : twin) : Z := match q with O => fst x | _ => snd x end.
Definition twin_of (f : nat -> Z) : twin := (f 0%nat, f 1%nat).
Definition loses (s : sums) : twin := twin_of (fun q => nth q (s_gains s) 0).

(* A row of Z, and what rules have taken of what it loses. *)
Record held := { t_row : row; t_all : twin; t_most : twin; t_least : twin }.

(* A list that has come to a rule, with what was taken before that rule. *)
Record step := {
  k_self : held;        (* the rule's antecedent *)
  k_label : nat;
  k_spent : Z;          (* what the list costs with it, and all that it leaves at least *)
  k_room : nat;         (* how many rules may follow *)
  k_held : list held;   (* the antecedents that may follow *)
  k_taken : twin        (* the most that rules before it have taken of all that is lost *)
}.

(* An antecedent behind a rule, and what it shares with the rule's. *)
Definition move := (held * twin)%type.

Section Relaxed.
Variable p : problem.
Variable target : Z.
Variable least_price : Z.
Variable rank : nat -> Z.
Variable all : twin.   (* what is lost in all of the set of Z *)

(* What a rule takes at most. *)
Definition fresh (self : held) (q : nat) : Z := of_label q (t_all self) - of_label q (t_least self).

Definition move_behind (self h : held) : move :=
  let both := loses (sum_within p (r_ante (t_row h)) (r_points (t_row self))) in
  ({| t_row := t_row h; t_all := t_all h;
      t_most := twin_of (fun q =>
        Z.min (of_label q (t_most h) + Z.min (of_label q both) (fresh self q)) (of_label q (t_all h)));
      t_least := twin_of (fun q =>
        Z.max (Z.max (of_label q (t_least h)) (of_label q both))
              (of_label q (t_least h) + of_label q both - of_label q (t_most self))) |}, both).

Definition rule_costs (h : held) (l : nat) : Z := of_label l (t_all h) - of_label l (t_most h).

Definition may_follow (s : step) (x : move * nat) : bool :=
  let '((h, both), l) := x in
  let takes := fresh h (other l) in
  (rule_price (r_ante (t_row h)) <? takes) && (rule_costs h l <=? takes)
  && (if Nat.eqb l (k_label s) then
        rank (index (r_ante (t_row (k_self s)))) <=? rank (index (r_ante (t_row h)))
      else Z.max 0 (of_label (k_label s) both - of_label (k_label s) (t_most (k_self s)))
             <=? Z.min (of_label l both) (fresh (k_self s) l)).

(* Of each rule behind the first one, the least price counts, as in Theorem 9. *)
Definition spent_behind (s : step) (x : move * nat) : Z :=
  k_spent s + least_price + rule_costs (fst (fst x)) (snd x).

Definition taken_behind (s : step) : twin := twin_of (fun q => of_label q (k_taken s) + fresh (k_self s) q).

(* The list ends with this rule, and the other label as its default. *)
Definition may_end (s : step) (x : move * nat) : bool :=
  let o := other (snd x) in
  spent_behind s x
    + Z.max 0 (of_label o all - of_label o (taken_behind s) - fresh (fst (fst x)) o) <? target.

Definition may_go_on (s : step) (x : move * nat) : bool := spent_behind s x + least_price <? target.

(* The steps that follow, or none if a list may end below the target. *)
Definition expand (s : step) : option (list step) :=
  match k_room s with
  | O => Some []
  | S more =>
    let moves := map (move_behind (k_self s)) (k_held s) in
    let some := filter (may_follow s) (flat_map (fun m => [(m, 0%nat); (m, 1%nat)]) moves) in
    if existsb (may_end s) some then None
    else match more with
         | O => Some []
         | S _ =>
           let taken := taken_behind s in
           let behind := map fst moves in
           Some (map (fun x => {| k_self := fst (fst x); k_label := snd x;
                                  k_spent := spent_behind s x; k_room := more; k_held := behind; k_taken := taken |})
                     (filter (may_go_on s) some))
         end
  end.

(* Depth first; each step costs one of the fuel. *)
Fixpoint search (fuel : nat) (steps : list step) : bool :=
  match steps, fuel with
  | [], _ => true
  | _, O => false
  | s :: rest, S f => match expand s with None => false | Some more => search f (more ++ rest) end
  end.

Definition nothing_taken (r : row) : held :=
  {| t_row := r; t_all := loses (r_sums r); t_most := (0, 0); t_least := (0, 0) |}.
End Relaxed.

Definition most_steps : nat := 128.

(* The child by [a] of a node that is listed, and not by its relaxation: (R), and (M). *)
Definition relaxed_holds (p : problem) (target : Z) (limit : option nat) (least_price : Z) (rank : nat -> Z)
  (z : node) (a : ante) : bool :=
  let r := make_row p (n_points z) a in
  let tot := n_sums z in
  let all := loses tot in
  let spent := n_paid z + rule_price a + rule_of p (r_sums r) + (s_low tot - s_low (r_sums r)) in
  let label := if nth 0 (s_costs (r_sums r)) 0 <=? nth 1 (s_costs (r_sums r)) 0 then 0%nat else 1%nat in
  let rows := filter (fun b => rule_price (r_ante b) <? s_high tot - s_high (r_sums b)) (n_rows z) in
  is_plain p && is_empty (required p)
  && forallb (fun q => target <=? spent + (of_label q all - of_label q (loses (r_sums r)))) [0%nat; 1%nat]
  && search p target least_price rank all most_steps
       [{| k_self := nothing_taken r; k_label := label; k_spent := spent;
           k_room := less_room (limited limit) (n_room z); k_held := map nothing_taken rows; k_taken := (0, 0) |}].
