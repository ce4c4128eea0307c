(* The checker of format 2: prefixes are listed with reasons. Theorem 8 of docs/proofs.md says what is
   checked for each; ListedSound.v proves that it suffices.

   All prefixes begin with [first], so they are held as a tree below it. *)

From Coq Require Import ZArith List Bool Arith.
From Surelist Require Import Problem Sums Completions Bound Points Pairs Check CheckRelaxed.
Import ListNotations.
Open Scope Z_scope.

Inductive reason (A : Type) :=
| Closed
| Deletion (place : nat)
| Insertion (a : A)
| Sibling (a : A)
| Relaxed.
Arguments Closed {A}. Arguments Deletion {A}. Arguments Insertion {A}. Arguments Sibling {A}. Arguments Relaxed {A}.

(* The last antecedent of a prefix, its reason if it is listed, those that begin with it, and the
   prefixes beside it. *)
Inductive forest (A : Type) :=
| Nothing
| Tree (a : A) (why : option (reason A)) (below beside : forest A).
Arguments Nothing {A}. Arguments Tree {A}.

Definition map_reason {A B : Type} (f : A -> B) (r : reason A) : reason B :=
  match r with
  | Closed => Closed
  | Deletion n => Deletion n
  | Insertion a => Insertion (f a)
  | Sibling a => Sibling (f a)
  | Relaxed => Relaxed
  end.

Fixpoint map_forest {A B : Type} (f : A -> B) (t : forest A) : forest B :=
  match t with
  | Nothing => Nothing
  | Tree a why below beside => Tree (f a) (option_map (map_reason f) why) (map_forest f below) (map_forest f beside)
  end.

Definition all_of_reason {A : Type} (c : A -> bool) (r : option (reason A)) : bool :=
  match r with
  | Some (Insertion a) | Some (Sibling a) => c a
  | _ => true
  end.

Fixpoint all_of_forest {A : Type} (c named : A -> bool) (t : forest A) : bool :=
  match t with
  | Nothing => true
  | Tree a why below beside =>
    c a && all_of_reason named why && all_of_forest c named below && all_of_forest c named beside
  end.

(* No prefix is longer than so. *)
Fixpoint is_shallow {A : Type} (most : nat) (t : forest A) : bool :=
  match t with
  | Nothing => true
  | Tree _ _ below beside => match most with O => false | S m => is_shallow m below end && is_shallow most beside
  end.

Definition is_nothing {A : Type} (t : forest A) : bool := match t with Nothing => true | _ => false end.

(* Whether others may rest on a prefix: it is listed, and not a sibling's. *)
Definition stands {A : Type} (why : option (reason A)) : bool :=
  match why with None | Some (Sibling _) => false | _ => true end.

(* And whether by itself, so that its children are accounted for one by one, or all are hopeless. *)
Definition solid {A : Type} (why : option (reason A)) : bool :=
  match why with Some Relaxed => false | _ => stands why end.

Fixpoint why_child (k : Z) (t : forest ante) : option (reason ante) :=
  match t with
  | Nothing => None
  | Tree a why _ beside => if key a =? k then why else why_child k beside
  end.

(* What is known of antecedents and of pairs of them in all groups, to be found by their numbers.
   Whatever is found is compared. *)
Inductive store (A : Type) := Empty | Held (a : A) | Fork (zero one : store A).
Arguments Empty {A}. Arguments Held {A}. Arguments Fork {A}.

Fixpoint plant {A : Type} (number : A -> Z) (fuel : nat) (place : Z) (l : list A) : store A :=
  match l, fuel with
  | [], _ => Empty
  | [x], _ => Held x
  | _, O => Empty
  | _, S f => Fork (plant number f (place + 1) (filter (fun x => negb (Z.testbit (number x) place)) l))
                   (plant number f (place + 1) (filter (fun x => Z.testbit (number x) place) l))
  end.

Fixpoint pick {A : Type} (s : store A) (place number : Z) : option A :=
  match s with
  | Empty => None
  | Held x => Some x
  | Fork zero one => pick (if Z.testbit number place then one else zero) (place + 1) number
  end.

Record shared := {
  h_key : Z;                     (* of the other antecedent *)
  h_gain_0 : Z; h_gain_1 : Z;    (* by class, of the groups that both capture *)
  h_whole_0 : Z; h_whole_1 : Z   (* of those that the other one captures *)
}.
Definition h_gain (q : nat) (h : shared) : Z := match q with O => h_gain_0 h | _ => h_gain_1 h end.
Definition h_whole (q : nat) (h : shared) : Z := match q with O => h_whole_0 h | _ => h_whole_1 h end.
Record overlap := { o_key : Z; o_whole : list Z; o_shared : store shared }.

Section Listed.
Variable p : problem.
Variable target : Z.
Variable limit : option nat.
Variable least_price : Z.

(* (P), the last two rules. *)
Definition has_pairs : bool :=
  is_plain p && is_empty (required p) && forallb (fun x => x =? least_price) (prices p).

Definition know_one (points : list point) (a : ante) : ante * list point * list Z :=
  let captured := filter (within a) points in (a, captured, s_gains (sum_points p captured)).
Definition know_shared (x y : ante * list point * list Z) : shared :=
  let both := s_gains (sum_within p (fst (fst y)) (snd (fst x))) in
  {| h_key := key (fst (fst y)); h_gain_0 := nth 0 both 0; h_gain_1 := nth 1 both 0;
     h_whole_0 := nth 0 (snd y) 0; h_whole_1 := nth 1 (snd y) 0 |}.
Definition know_overlap (fuel : nat) (known : list (ante * list point * list Z)) (x : ante * list point * list Z) : overlap :=
  {| o_key := key (fst (fst x)); o_whole := snd x; o_shared := plant h_key fuel 0 (map (know_shared x) known) |}.
Definition know_pairs (fuel : nat) (points : list point) (antes : list ante) : store overlap :=
  let known := map (know_one points) antes in
  plant o_key fuel 0 (map (know_overlap fuel known) known).

(* A row of a state that is part of another one, and what it gains there at most, by class. *)
Record looked := { l_row : row; l_up_0 : Z; l_up_1 : Z }.
Definition l_up (q : nat) (x : looked) : Z := match q with O => l_up_0 x | _ => l_up_1 x end.

(* The same for one class, and what it gains as a rule. *)
Record candidate := { c_row : row; c_up : Z; c_net : Z }.

Section Pairs.
Variable known : store overlap.
Variable stays : point -> bool.  (* whether a group is in the part *)
Variable gone : list point.      (* those that are not *)

Section Class.
Variable q : nat.
Variable two : Z.                (* what two rules may gain *)

Definition net_of (x : looked) : Z := l_up q x - l_up (other q) x.
Definition candidate_of (x : looked) : candidate := {| c_row := l_row x; c_up := l_up q x; c_net := net_of x |}.

(* By what both share in all groups. *)
Definition pair_is_fine_anywhere (side : option overlap) (t u : candidate) : bool :=
  match side with
  | None => false
  | Some o =>
    match pick (o_shared o) 0 (key (r_ante (c_row u))) with
    | None => false
    | Some h =>
      let both_up := h_gain q h in
      let both_down := h_gain (other q) h in
      let out_t := Z.min (c_up t) (nth q (o_whole o) 0 - both_up) in
      let out_u := Z.min (c_up u) (h_whole q h - both_up) in
      let down_t := c_up t - c_net t in
      let down_u := c_up u - c_net u in
      (o_key o =? key (r_ante (c_row t))) && (h_key h =? key (r_ante (c_row u)))
      && (Z.min (c_up t + out_u) (c_up u + out_t) - Z.max (Z.max down_t down_u) (down_t + down_u - both_down) <=? two)
      && (out_u - Z.max 0 (down_u - Z.min both_down down_t) <=? two)
      && (out_t - Z.max 0 (down_t - Z.min both_down down_u) <=? two)
    end
  end.

Definition pair_holds (both : list point) (t u : candidate) : bool :=
  let '(c, d, _) := add_two_within (r_ante (c_row u)) both 0 0 0 in
  let shared := match q with O => c - d | _ => d - c end in
  (c_net t + c_net u - shared <=? two) && (c_net u - shared <=? two) && (c_net t - shared <=? two).

(* Those that do not clearly gain too little with [t]: neither gains more than [most], nor, as the second rule,
   more than the first one leaves. Here [a] is what may be gained after [t], and [b] before it. *)
Fixpoint left_over (side : option overlap) (t : candidate) (a b : Z) (l got : list candidate) : list candidate :=
  match l with
  | [] => got
  | u :: rest =>
    if (c_up u <=? a) || ((c_net u <=? b) && (c_up u <=? two)) then left_over side t a b rest got
    else if pair_is_fine_anywhere side t u then left_over side t a b rest got
    else left_over side t a b rest (u :: got)
  end.

Definition pairs_with (t : candidate) (rest others : list candidate) : bool :=
  let side := pick known 0 (key (r_ante (c_row t))) in
  let b := two - c_up t in
  let open := if 0 <=? b then let a := Z.min two (two - c_net t) in left_over side t a b rest (left_over side t a b others [])
              else filter (fun u => negb (pair_is_fine_anywhere side t u)) (rest ++ others) in
  match open with
  | [] => true
  | _ => let captured := filter stays (r_points (c_row t)) in forallb (pair_holds captured t) open
  end.

Fixpoint all_pairs (cs others : list candidate) : bool :=
  match cs with
  | [] => true
  | c :: rest => pairs_with c rest others && all_pairs rest others
  end.

(* Half of what a pair may gain: two that have less are fine. *)
Definition has_more (c : candidate) : bool := two <? c_up c + Z.max 0 (c_net c).
End Class.

Definition gain_of (q : nat) (r : row) : Z := nth q (s_gains (r_sums r)) 0.
Definition look_at (r : row) : looked :=
  let '(c, d, lo) := add_two_within (r_ante r) gone 0 0 0 in
  {| l_row := r; l_up_0 := gain_of 0 r - (c - lo); l_up_1 := gain_of 1 r - (d - lo) |}.

(* A class, and what no further rule may gain. *)
Definition plan := (nat * Z)%type.

(* Rows that gain little in the whole state gain little in its part. *)
Definition is_near (follow : bool) (l : plan) (r : row) : bool :=
  let '(q, most) := l in
  let g := gain_of q r in
  (most + least_price <? g) || (follow && (most + 2 * least_price <? 2 * g)).

(* For one class: those that have more than half of what a pair may gain, and those near them that do not. *)
Record lead := {
  e_class : nat;
  e_two : Z;
  e_more : list candidate;
  e_others : list candidate;
  e_net : Z;       (* the most that one of [e_more] gains as a rule *)
  e_beyond : bool  (* whether one of them may gain more than the pair *)
}.

Definition lead_of (some : list looked) (l : plan) : lead :=
  let '(q, most) := l in
  let two := most + 2 * least_price in
  let cs := map (candidate_of q) some in
  let more := filter (has_more two) cs in
  {| e_class := q; e_two := two; e_more := more; e_others := filter (fun c => negb (has_more two c)) cs;
     e_net := fold_left (fun most c => Z.max most (c_net c)) more 0;
     e_beyond := existsb (fun c => two <? c_up c) more |}.

(* Whether a row, with one of [e_more], may gain more than a pair may. *)
Definition is_matched (r : row) (e : lead) : bool :=
  (e_two e <? gain_of (e_class e) r + e_net e) || (e_beyond e && (e_two e <? gain_of (other (e_class e)) r + e_net e)).

Definition one_holds (some : list looked) (l : plan) : bool :=
  let '(q, most) := l in let one := most + least_price in forallb (fun x => net_of q x <=? one) some.
Definition two_hold (late : list looked) (e : lead) : bool :=
  all_pairs (e_class e) (e_two e) (e_more e) (e_others e ++ map (candidate_of (e_class e)) late).

(* (P) for a part of a state: for its child by an antecedent, or for itself. *)
Definition pairs_settle (rows : list row) (paid : Z) (room : nat) (tot : sums) : bool :=
  ((target <=? paid + 3 * least_price + s_low tot) || (room <=? 2)%nat)
  && (let plans := map (fun q => (q, paid + nth q (s_costs tot) 0 - target)) (classes p) in
      forallb (fun l : plan => 0 <=? snd l) plans
      && match room with
         | O => true
         | S more =>
           let follow := match more with O => false | S _ => true end in
           let near r := existsb (fun l => is_near follow l r) plans in
           let some := map look_at (filter near rows) in
           forallb (one_holds some) plans
           && (negb follow ||
               (let leads := map (lead_of some) plans in
                let late := filter (fun r => existsb (is_matched r) leads && negb (near r)) rows in
                forallb (two_hold (map look_at late)) leads))
         end).
End Pairs.

Definition pairs_settle_state (pairs : bool) (known : store overlap) (x : node) : bool :=
  pairs && pairs_settle known (fun _ => true) [] (n_rows x) (n_paid x) (n_room x) (n_sums x).

Definition pairs_settle_child (pairs : bool) (known : store overlap) (z : node) (a : ante) : bool :=
  if pairs then
    let captured := filter (within a) (n_points z) in
    let s := sum_points p captured in
    let rows := filter (fun r => negb (key (r_ante r) =? key a)) (n_rows z) in
    pairs_settle known (without a) captured rows (n_paid z + rule_price a + rule_of p s)
      (less_room (limited limit) (n_room z)) (minus (n_sums z) s)
  else false.

(* (I): the edited prefix. *)
Definition edited (path : list ante) (why : option (reason ante)) : option (list ante) :=
  match why with
  | Some (Deletion n) => Some (firstn n path ++ skipn (S n) path)
  | Some (Insertion b) => Some (b :: filter (fun a => negb (key a =? key b)) path)
  | _ => None
  end.

Fixpoint without_beginning (start path : list ante) : option (list ante) :=
  match start, path with
  | [], _ => Some path
  | a :: start', b :: path' => if key a =? key b then without_beginning start' path' else None
  | _, [] => None
  end.

Definition is_cheaper (points : list point) (first path better : list ante) : bool :=
  match without_beginning first better with
  | None => false
  | Some rest =>
    forallb (fun a => negb (member (index a) (forbidden p))) rest
    && (negb (limited limit) || (length better <=? length path)%nat)
    && uses_all_of better path
    && (let '(left_a, paid_a, _) := fold_left (walk_step p) path (points, 0, 0) in
        let '(left_b, paid_b, _) := fold_left (walk_step p) better (points, 0, 0) in
        add_spread (filter (fun x => negb (leaves path x)) left_b) 0
          <? paid_a + add_low left_a 0 - (paid_b + add_low left_b 0))
  end.

Definition edit_holds (points : list point) (first path : list ante) (why : option (reason ante)) : bool :=
  match edited path why with
  | None => false
  | Some better => is_cheaper points first path better
  end.

(* (O): the last two rules in the other order cost less, or as much and are in order. [z] is the
   parent of [x] by [a]. *)
Definition swap_holds (rank : nat -> Z) (z : node) (a : ante) (x : node) (b : row) : bool :=
  let of_a := minus (n_sums z) (n_sums x) in
  let of_both := minus (r_before b) (r_sums b) in
  let given := rule_of p of_a + rule_of p (r_sums b) in
  let swapped := rule_of p (r_before b) + rule_of p (minus of_a of_both) in
  (swapped <? given) || ((swapped =? given) && (rank (index (r_ante b)) <? rank (index a))).

Definition is_swapped (rank : nat -> Z) (before : option node) (x : node) (b : row) : bool :=
  match before, n_path x with
  | Some z, a :: _ => swap_holds rank z a x b
  | _, _ => false
  end.

Definition row_of (x : node) (a : ante) : option row := List.find (fun r => key (r_ante r) =? key a) (n_rows x).
Definition row_at (x : node) (a : ante) : row :=
  match row_of x a with Some r => r | None => make_row p (n_points x) a end.

(* Whether a child is listed for another reason than a sibling, or justified by itself. *)
Definition is_direct (points : list point) (table : tree) (x : node) (v : view) (all : forest ante) (a : ante) : bool :=
  match why_child (key a) all with
  | Some why => stands (Some why)
  | None =>
    negb (member (index a) (forbidden p))
    && match row_of x a with
       | None => true  (* it is worthless: the parent dominates its child *)
       | Some r => judge_quickly p target least_price x v r || judge_slowly p target limit least_price points table x v r
       end
  end.

Fixpoint siblings_hold (points : list point) (table : tree) (x : node) (v : view) (all some : forest ante) : bool :=
  match some with
  | Nothing => true
  | Tree a why _ beside =>
    match why with
    | Some (Sibling c) =>
      dominated_by_sibling p x [row_at x c] (row_at x a) && is_direct points table x v all c
    | _ => true
    end && siblings_hold points table x v all beside
  end.

(* (R) and each child. *)
Definition check_closed (points : list point) (table : tree) (rank : nat -> Z) (before : option node) (x : node)
  (below : forest ante) : bool :=
  ends_reach p target x
  && match n_room x with
     | O => true
     | S _ =>
       let v := view_of p limit x in
       forallb (fun a =>
         match why_child (key (r_ante a)) below with
         | Some _ => true
         | None => judge_quickly p target least_price x v a || is_swapped rank before x a
                   || judge_slowly p target limit least_price points table x v a
         end) (n_rows x)
       && siblings_hold points table x v below below
     end.

Definition is_closed_reason (why : option (reason ante)) : bool := match why with Some Closed => true | _ => false end.

(* What is listed below the state of a node. *)
Fixpoint check_forest (points : list point) (table : tree) (rank : nat -> Z) (pairs : bool) (known : store overlap)
  (first : list ante)
  (z : node) (z_solid : bool) (t : forest ante) : bool :=
  match t with
  | Nothing => true
  | Tree a why below beside =>
    (let done := match why with
                 | None | Some (Sibling _) => true
                 | Some Closed => pairs_settle_child pairs known z a
                 | Some Relaxed => z_solid && relaxed_holds p target limit least_price rank z a
                 | _ => edit_holds points first (rev (a :: n_path z)) why
                 end in
     if done && is_nothing below then true
     else
       let x := next p limit z a in
       (done || (is_closed_reason why && check_closed points table rank (if z_solid then Some z else None) x below))
       && check_forest points table rank pairs known first x (solid why) below)
    && check_forest points table rank pairs known first z z_solid beside
  end.

(* States that others may rest on. [path] is the one before, the last antecedent first. *)
Fixpoint list_entries (path : list ante) (n : nat) (s : list point * Z * Z) (t : forest ante) (got : list entry) : list entry :=
  match t with
  | Nothing => got
  | Tree a why below beside =>
    if negb (stands why) && is_nothing below then list_entries path n s beside got
    else
      let s' := walk_step p s a in
      let path' := a :: path in
      let own := if stands why then
                   (let '(_, paid, number) := s' in
                    {| e_path := rev path'; e_length := S n; e_paid := paid; e_salt := number |} :: got)
                 else got in
      list_entries path n s beside (list_entries path' (S n) s' below own)
  end.

End Listed.

(* All of it, for lists of up to [limit] rules. [own] is the reason of [first] itself. *)
Definition check_listed (p : problem) (target : Z) (limit : option nat) (own : option (reason nat)) (listed : forest nat)
  (ranks : list Z) (salts : list Z) : bool :=
  let lp := least (prices p) in
  let all := make_antes p in
  let points := make_points p salts in
  let start := root p limit points (not_forbidden p all) in
  let first := map (ante_in p all) (first p) in
  let why := option_map (map_reason (ante_in p all)) own in
  let below := map_forest (ante_in p all) listed in
  let rank a := nth a ranks 0 in
  let begin := fold_left (next p limit) first start in
  let itself := if stands why then [make_entry p points (n_salt start) first] else [] in
  let entries := list_entries p (rev first) (length first) (fold_left (walk_step p) first (points, 0, n_salt start)) below itself in
  let table := grow 62 0 entries in
  let pairs := has_pairs p lp in
  let known := if pairs && (whole (n_antecedents p) <=? 500) then know_pairs p 62 points all else Empty in
  forallb (exists_in p) (Problem.first p)
  && all_of_reason (exists_in p) own
  && all_of_forest (fun a => exists_in p a && negb (member a (forbidden p))) (exists_in p) listed
  && forallb (fun x => 0 <=? x) ranks
  && match limit with
     | None => true
     | Some n => (negb (stands own) || (length first <=? n)%nat) && is_shallow (n - length first) listed
     end
  && begins_well p target limit lp points table begin
  && match why with
     | None | Some (Sibling _) => true
     | Some Closed => pairs_settle_state p target lp pairs known begin
                      || check_closed p target limit lp points table rank None begin below
     | _ => edit_holds p limit points first first why
     end
  && check_forest p target limit lp points table rank pairs known first begin (solid why) below.
