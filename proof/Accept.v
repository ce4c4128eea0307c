(* What is run. Soundness.v proves that what it accepts is true.

   A certificate is a rule list, its objective, a lower bound, and prefixes: closed ones in format 1,
   listed ones with reasons in format 2. *)

From Coq Require Import ZArith List Bool Arith.
From Surelist Require Import Problem Sums Completions Points Check CheckListed.
Import ListNotations.
Open Scope Z_scope.

Inductive prefixes :=
| Of_format_1 (closed : list (list nat))
| Of_format_2 (own : option (reason nat)) (listed : forest nat) (ranks : list Z).  (* [own]: of [first] itself *)

Record certificate := {
  answer : rule_list;
  best : Z;                   (* its objective *)
  bound : Z;                  (* what every list costs at least *)
  proven_length : option nat; (* a proof by length: no list up to it costs less than [best] *)
  proof : prefixes;
  salts : list Z              (* any numbers, one for each group, to look up states by *)
}.

Definition check_target (p : problem) (target : Z) (limit : option nat) (given : prefixes) (salts : list Z) : bool :=
  match given with
  | Of_format_1 closed => check_prefixes p target limit closed salts
  | Of_format_2 own listed ranks => check_listed p target limit own listed ranks salts
  end.

(* What the proofs ask of a problem. *)
Definition check_problem (p : problem) : bool :=
  forallb (fun u => forallb (fun q => 0 <=? cost u q) (classes p)) (groups p)
  && forallb (fun x => 0 <=? x) (prices p)
  && forallb (fun r => (r <? n_classes p)%nat) (rule_labels p)
  && negb (is_empty (rule_labels p)).

Fixpoint all_distinct (l : list nat) : bool :=
  match l with [] => true | a :: rest => negb (member a rest) && all_distinct rest end.

Fixpoint begins_with (start l : list nat) : bool :=
  match start, l with
  | [], _ => true
  | a :: start', b :: l' => Nat.eqb a b && begins_with start' l'
  | _, [] => false
  end.

(* The rule list is admissible, and has the objective that is claimed. *)
Definition check_answer (p : problem) (l : rule_list) (value : Z) : bool :=
  let antecedents := prefix (rules l) in
  all_distinct antecedents
  && forallb (fun a => (a <? n_antecedents p)%nat) antecedents
  && forallb (fun q => member q (rule_labels p)) (map snd (rules l))
  && (default_label l <? n_classes p)%nat
  && begins_with (first p) antecedents
  && forallb (fun a => member a antecedents) (required p)
  && forallb (fun a => negb (member a antecedents)) (forbidden p)
  && match max_length p with None => true | Some n => (length (rules l) <=? n)%nat end
  && (objective p l =? value).

Definition shorter (limit : option nat) (n : nat) : nat :=
  match limit with None => n | Some m => Nat.min m n end.

(* What lists cost at least that are longer than n. *)
Definition check_beyond (p : problem) (n : nat) (bound : Z) : bool :=
  (shorter (max_length p) (n_antecedents p) <=? n)%nat
  || (bound <=? total (floor p) (groups p) + whole (S n) * least (prices p)).

Definition check (p : problem) (c : certificate) : bool :=
  check_problem p && check_answer p (answer c) (best c) && (bound c <=? best c)
  && match proven_length c with
     | None => check_target p (bound c) (max_length p) (proof c) (salts c)
     | Some n => check_beyond p n (bound c)
                 && check_target p (best c) (Some (shorter (max_length p) n)) (proof c) (salts c)
     end.
