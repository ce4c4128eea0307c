(* The checker of format 1, and what that of format 2 (CheckListed.v) shares with it: each closed
   state is checked by rules (R) and (C) of src/surelist/checker.py, the beginning by (S). *)

From Coq Require Import ZArith List Bool Arith.
From Surelist Require Import Problem Sums Completions Bound Points.
Import ListNotations.
Open Scope Z_scope.

Definition member (a : nat) (l : list nat) : bool := existsb (Nat.eqb a) l.

Definition is_empty {A : Type} (l : list A) : bool := match l with [] => true | _ => false end.

(* The sum of the first n of a list. *)
Fixpoint add_first (n : nat) (l : list Z) : Z :=
  match n, l with
  | S m, x :: rest => x + add_first m rest
  | _, _ => 0
  end.

(* An antecedent, and the sums over what it captures. *)
Notation item := (ante * sums)%type.

Section Check.
Variable p : problem.
Variable target : Z.
Variable limit : option nat.   (* the greatest length of the lists that are looked at *)
Variable least_price : Z.

Definition limited : bool := match limit with Some _ => true | None => false end.

(* (B): for every number n of further rules from the least on, the floor reaches the target, or
   [enough] says so for all default labels. *)
Fixpoint all_lengths (fuel n : nat) (low : Z) (enough : nat -> bool) : bool :=
  match fuel with
  | O => true
  | S f => (target <=? low) || (enough n && all_lengths f (S n) (low + least_price) enough)
  end.

Definition item_gain (q : nat) (x : item) : Z := nth q (s_gains (snd x)) 0 - above (fst x).
Definition item_net (q : nat) (x : item) : Z :=
  nth q (s_costs (snd x)) 0 - rule_of p (snd x) - above (fst x).
Definition item_save (r : nat) (x : item) : Z := s_high (snd x) - nth r (s_costs (snd x)) 0.

(* What one more rule saves each time, for a label whose rules save no more than [w] together. *)
Fixpoint marginals (n : nat) (w got : Z) (xs : list Z) : list Z :=
  match n, xs with
  | S m, x :: rest => let now := Z.min w (got + x) in (now - Z.min w got) :: marginals m w (got + x) rest
  | _, _ => []
  end.

(* Steps: what a rule may save, and what all may save beyond that for each. Any steps will do. *)
Definition step := (Z * Z)%type.
Definition steps_for (labels : list (Z * list Z)) : list step :=
  let greatest_three := firstn 3 (sort_down (flat_map (fun x => marginals 3 (fst x) 0 (snd x)) labels)) in
  map (fun m => let mu := Z.max 0 m in
    (mu, fold_left (fun got x => got + excess (fst x) mu (snd x) 0 0) labels 0))
    (match greatest_three with [] => [0] | _ => greatest_three end).

Definition step_reaches (base : Z) (n : nat) (s : step) : bool :=
  target <=? base - (whole n * fst s + snd s).

(* What is known of one default label. *)
Record outlook := {
  o_cost : Z;         (* predicting it for all that is left *)
  o_gains : list Z;   (* of all active antecedents, the greatest first *)
  o_others : list Z;  (* of those that are not missing *)
  o_own : Z;          (* the sum of those that are *)
  o_harm : Z;
  o_net : Z;          (* the most that the first rule gains *)
  o_steps : list step
}.

Definition enough_for (paid : Z) (m n : nat) (o : outlook) : bool :=
  let base := paid + whole n * least_price + o_cost o in
  (target <=? base - (o_own o + add_first (n - m) (o_others o) - (if Nat.eqb n m then o_harm o else 0)))
  || match n with
     | O => false
     | S k => (target <=? base - (o_net o + add_first k (o_gains o)))
              || existsb (step_reaches base n) (o_steps o)
              || existsb (step_reaches (base - o_net o) k) (o_steps o)
     end.

Definition look (with_steps : bool) (tot : sums) (items : list item) (needed others : list item) (q : nat) : outlook :=
  let gains := sort_down (map (item_gain q) items) in
  let none := is_empty needed in
  {| o_cost := nth q (s_costs tot) 0;
     o_gains := gains;
     o_others := if none then gains else sort_down (map (item_gain q) others);
     o_own := total (item_gain q) needed;
     o_harm := if none then 0 else least (map (fun x => item_gain q x - item_net q x) needed);
     o_net := greatest (0 :: map (item_net q) items);
     o_steps := if with_steps
       then steps_for (map (fun r => (s_high tot - nth r (s_costs tot) 0, sort_down (map (item_save r) items)))
                           (other_labels p q))
       else [] |}.

(* The same, with no more than the greatest gain for every rule but the first. *)
Definition clearly_enough_for (paid : Z) (n : nat) (o : Z * Z * Z) : bool :=
  let '(cost, most, first) := o in
  let base := paid + whole n * least_price + cost in
  match n with
  | O => target <=? base
  | S k => target <=? base - (first + whole k * most)
  end.

Definition glance (tot : sums) (items : list item) (q : nat) : Z * Z * Z :=
  (nth q (s_costs tot) 0, greatest (map (item_gain q) items), fold_left (fun most x => Z.max most (item_net q x)) items 0).

(* (B) for a state, by its own sums. [is_needed]: required, and missing. *)
Definition bounded (paid : Z) (room : nat) (tot : sums) (items : list item) (is_needed : ante -> bool) : bool :=
  let needed := filter (fun x => is_needed (fst x)) items in
  let others := filter (fun x => negb (is_needed (fst x))) items in
  let m := length needed in
  let fuel := (S (Nat.min room (length items)) - m)%nat in
  let low := paid + s_low tot + whole m * least_price in
  let try with_steps :=
    let outlooks := map (look with_steps tot items needed others) (classes p) in
    all_lengths fuel m low (fun n => forallb (enough_for paid m n) outlooks) in
  if target <=? low then true
  else
    let glances := map (glance tot items) (classes p) in
    all_lengths fuel m low (fun n => forallb (clearly_enough_for paid n) glances)
    || try false || try true.

(* Theorems 1 and 2. *)
Definition is_worthless (x : item) : bool := s_high (snd x) - rule_of p (snd x) <=? rule_price (fst x).
Definition is_active (settled : bool) (tot : sums) (is_needed : ante -> bool) (x : item) : bool :=
  is_needed (fst x) ||
  negb (is_worthless x || (settled && (s_high tot - s_high (snd x) <=? rule_price (fst x)))).

(* A state as it is held: rows are what antecedents capture of it. Those that are worthless in it,
   and so in all that follows, may be left out. *)
Record row := {
  r_ante : ante;
  r_points : list point;
  r_sums : sums;
  r_before : sums  (* in the parent *)
}.
Record node := {
  n_points : list point;
  n_paid : Z;
  n_path : list ante;     (* the last antecedent first *)
  n_room : nat;
  n_sums : sums;
  n_salt : Z;
  n_rows : list row
}.

Definition row_item (x : row) : item := (r_ante x, r_sums x).
Definition is_needed (path : list ante) (a : ante) : bool :=
  must a && negb (existsb (fun b => key b =? key a) path).
Definition is_settled (path : list ante) : bool :=
  forallb (fun a => existsb (fun b => Nat.eqb (index b) a) path) (required p).

Definition make_row (points : list point) (a : ante) : row :=
  let captured := filter (within a) points in
  let s := sum_points p captured in
  {| r_ante := a; r_points := captured; r_sums := s; r_before := s |}.

Definition root (points : list point) (antes : list ante) : node :=
  {| n_points := points; n_paid := 0; n_path := [];
     n_room := match limit with Some n => n | None => n_antecedents p end;
     n_sums := sum_points p points; n_salt := add_salt points 0;
     n_rows := map (make_row points) antes |}.

Definition next (x : node) (a : ante) : node :=
  let captured := filter (within a) (n_points x) in
  let s := sum_points p captured in
  let rows := filter (fun r => is_needed (n_path x) (r_ante r) || negb (is_worthless (row_item r))) (n_rows x) in
  {| n_points := filter (without a) (n_points x);
     n_paid := n_paid x + rule_price a + rule_of p s;
     n_path := a :: n_path x;
     n_room := less_room limited (n_room x);
     n_sums := minus (n_sums x) s;
     n_salt := n_salt x - add_salt captured 0;
     n_rows := map (fun r => let points := filter (without a) (r_points r) in
       {| r_ante := r_ante r; r_points := points; r_sums := sum_points p points; r_before := r_sums r |}) rows |}.

(* Closed states, by their salts. Whatever is found is compared. *)
Record entry := { e_path : list ante; e_length : nat; e_paid : Z; e_salt : Z }.
Inductive tree := Leaf (entries : list entry) | Branch (zero one : tree).

Fixpoint grow (fuel : nat) (place : Z) (entries : list entry) : tree :=
  match fuel, entries with
  | S f, _ :: _ :: _ =>
    Branch (grow f (place + 1) (filter (fun e => negb (Z.testbit (e_salt e) place)) entries))
           (grow f (place + 1) (filter (fun e => Z.testbit (e_salt e) place) entries))
  | _, _ => Leaf entries
  end.

Fixpoint find (t : tree) (place number : Z) : list entry :=
  match t with
  | Leaf entries => entries
  | Branch zero one => find (if Z.testbit number place then one else zero) (place + 1) number
  end.

Definition leaves (path : list ante) (x : point) : bool := forallb (fun a => without a x) path.
Definition same_set (points : list point) (one other : list ante) : bool :=
  forallb (fun x => eqb (leaves one x) (leaves other x)) points.
Definition uses_all_of (one other : list ante) : bool :=
  forallb (fun a => negb (must a) || existsb (fun b => key b =? key a) one) other.

(* (D) by a closed state with the same groups. *)
Definition dominates (points : list point) (path : list ante) (paid number : Z) (e : entry) : bool :=
  (e_salt e =? number) && (e_paid e <=? paid)
  && (negb limited || (e_length e <=? length path)%nat)
  && uses_all_of (e_path e) path && same_set points (e_path e) path.

(* What the parent knows for all its children: gains, the greatest first, and for each active
   antecedent its key, its gain, and by label r how far cost_q is above cost_r. *)
Record forecast := {
  f_class : nat;
  f_gains : list Z;
  f_leads : list (Z * Z * list Z)
}.

Definition make_forecast (items : list item) (q : nat) : forecast :=
  {| f_class := q;
     f_gains := sort_down (map (item_gain q) items);
     f_leads := map (fun x => (key (fst x), item_gain q x,
       map (fun r => nth q (s_costs (snd x)) 0 - nth r (s_costs (snd x)) 0 - above (fst x)) (rule_labels p))) items |}.

(* The greatest sum of two of the same place. *)
Fixpoint greatest_sum (one other : list Z) : Z :=
  match one, other with
  | [x], [y] => x + y
  | x :: one', y :: other' => Z.max (x + y) (greatest_sum one' other')
  | _, _ => 0
  end.

(* The most that the first rule gains in a child: [rises] is by label how far the cost of what the
   child's own antecedent captures is above the floor. *)
Fixpoint most_net (own : Z) (rises : list Z) (leads : list (Z * Z * list Z)) (most : Z) : Z :=
  match leads with
  | [] => most
  | (k, gain, lead) :: rest =>
    if gain <=? most then most_net own rises rest most
    else if k =? own then most_net own rises rest most
    else most_net own rises rest (Z.max most (Z.min gain (greatest_sum lead rises)))
  end.

(* The most that n active antecedents other than the child's own gain. *)
Definition gain_without (own : option Z) (gains : list Z) (n : nat) : Z :=
  let all := add_first n gains in
  match own with
  | None => all
  | Some g => Z.min all (add_first (S n) gains - g)
  end.

Definition rises_of (a : item) : list Z := map (fun r => nth r (s_costs (snd a)) 0 - s_low (snd a)) (rule_labels p).

Definition enough_for_child (paid : Z) (n : nat) (tot : sums) (x : item) (is_act : bool)
  (net : forecast -> Z) (f : forecast) : bool :=
  let q := f_class f in
  let base := paid + whole n * least_price + (nth q (s_costs tot) 0 - nth q (s_costs (snd x)) 0) in
  let own := if is_act then Some (item_gain q x) else None in
  (target <=? base - gain_without own (f_gains f) n)
  || match n with
     | O => false
     | S k => target <=? base - (net f + gain_without own (f_gains f) k)
     end.

(* (B) for a child, by the sums of its parent. No more than [most] rules may follow. *)
Definition bounded_by_parent (x : node) (m most : nat) (forecasts : list forecast)
  (a : item) (is_act needed : bool) : bool :=
  let tot := n_sums x in
  let paid := n_paid x + rule_price (fst a) + rule_of p (snd a) in
  let m' := if needed then pred m else m in
  let low := paid + (s_low tot - s_low (snd a)) + whole m' * least_price in
  if target <=? low then true else
  let rises := rises_of a in
  let net f := most_net (key (fst a)) rises (f_leads f) 0 in
  all_lengths (S most - m') m' low (fun n => forallb (enough_for_child paid n tot a is_act net) forecasts).

(* How much the first rule may gain, if the others gain what they do in the parent. *)
Fixpoint allowance (fuel n : nat) (low base : Z) (own : option Z) (gains : list Z) (most : Z) : Z :=
  match fuel with
  | O => most
  | S f =>
    if target <=? low then most
    else if (Nat.eqb n 0) || (target <=? base - gain_without own gains n)
    then allowance f (S n) (low + least_price) (base + least_price) own gains most
    else allowance f (S n) (low + least_price) (base + least_price) own gains
           (Z.min most (base - target - gain_without own gains (pred n)))
  end.

(* No rule gains more than [most] as the first one in the child by [a]: by the sums of the parent, or
   else by those of the child. *)
Definition nets_below (active : list row) (a : row) (rises : list Z) (q : nat) (most : Z) : bool :=
  forallb (fun b => let i := row_item b in
    (item_gain q i <=? most)
    || (key (r_ante b) =? key (r_ante a))
    || (greatest_sum (map (fun r => nth q (s_costs (r_sums b)) 0 - nth r (s_costs (r_sums b)) 0 - above (r_ante b))
                          (rule_labels p)) rises <=? most)
    || (item_net q (r_ante b, minus (r_sums b) (sum_within p (r_ante b) (r_points a))) <=? most)) active.

(* (B) for a child, by the gains in its parent and what the first rule gains in it. That it may have to
   lose is true, too, but Theorem 3 does not use it, and no checker accepts more than that says. *)
Definition bounded_by_nets (x : node) (active : list row) (m most : nat) (forecasts : list forecast)
  (a : row) (is_act needed : bool) : bool :=
  let i := row_item a in
  let tot := n_sums x in
  let paid := n_paid x + rule_price (fst i) + rule_of p (snd i) in
  let m' := if needed then pred m else m in
  let fuel := (S most - m')%nat in
  let low := paid + (s_low tot - s_low (snd i)) + whole m' * least_price in
  let rises := rises_of i in
  let net f :=
    let q := f_class f in
    let base := paid + whole m' * least_price + (nth q (s_costs tot) 0 - nth q (s_costs (snd i)) 0) in
    let own := if is_act then Some (item_gain q i) else None in
    allowance fuel m' low base own (f_gains f) (match f_gains f with [] => 0 | g :: _ => Z.max 0 g end) in
  forallb (fun f => (0 <=? net f) && nets_below active a rises (f_class f) (net f)) forecasts
  && all_lengths fuel m' low (fun n => forallb (enough_for_child paid n tot i is_act net) forecasts).

(* (B) for a child, by its own sums. *)
Definition bounded_by_itself (x : node) (active : list row) (a : row) : bool :=
  let path := r_ante a :: n_path x in
  let tot := minus (n_sums x) (r_sums a) in
  let items := map (fun b => (r_ante b, minus (r_sums b) (sum_within p (r_ante b) (r_points a))))
    (filter (fun b => negb (key (r_ante b) =? key (r_ante a))) active) in
  let settled' := is_settled path in
  bounded (n_paid x + rule_price (r_ante a) + rule_of p (r_sums a)) (less_room limited (n_room x)) tot
    (filter (is_active settled' tot (is_needed path)) items) (is_needed path).

Definition child_paid (x : node) (a : row) : Z := n_paid x + rule_price (r_ante a) + rule_of p (r_sums a).
Definition child_low (x : node) (a : row) : Z := child_paid x a + (s_low (n_sums x) - s_low (r_sums a)).

(* (D) by the parent. *)
Definition dominated_by_parent (x : node) (a : row) : bool :=
  negb (is_needed (n_path x) (r_ante a)) && (s_high (r_sums a) <=? rule_price (r_ante a) + rule_of p (r_sums a)).

(* (D) by a sibling, one of those that are proven. *)
Definition dominated_by_sibling (x : node) (proven : list row) (a : row) : bool :=
  negb (is_needed (n_path x) (r_ante a)) &&
  (let spread := add_spread (r_points a) 0 in
   let own := child_low x a in
   existsb (fun b => let lead := own - child_low x b in
     (0 <=? lead) && (spread - add_spread (filter (within (r_ante b)) (r_points a)) 0 <=? lead)) proven).

Definition is_closed (points : list point) (closed : tree) (x : node) (a : row) : bool :=
  let path := r_ante a :: n_path x in
  let number := n_salt x - add_salt (r_points a) 0 in
  existsb (dominates points path (child_paid x a) number) (find closed 0 number).

(* No list that ends here costs less than the target (R). *)
Definition ends_reach (x : node) : bool :=
  negb (is_settled (n_path x)) || forallb (fun q => target <=? n_paid x + nth q (s_costs (n_sums x)) 0) (classes p).

(* What is worked out once for all children of a state. *)
Record view := {
  v_active : list row;
  v_needed : nat;         (* how many of these are required, and missing *)
  v_forecasts : list forecast;
  v_most_active : nat;    (* rules that may follow an active antecedent, and any other *)
  v_most_others : nat
}.

Definition acts (x : node) (r : row) : bool :=
  is_active (is_settled (n_path x)) (n_sums x) (is_needed (n_path x)) (row_item r).

Definition view_of (x : node) : view :=
  let settled := is_settled (n_path x) in
  let active := filter (fun r => is_active settled (n_sums x) (is_needed (n_path x)) (row_item r)) (n_rows x) in
  let items := map row_item active in
  let room := less_room limited (n_room x) in
  {| v_active := active;
     v_needed := length (filter (fun i => is_needed (n_path x) (fst i)) items);
     v_forecasts := map (make_forecast items) (classes p);
     v_most_active := Nat.min room (pred (length active));
     v_most_others := Nat.min room (length active) |}.

Definition most_after (v : view) (is_act : bool) : nat := if is_act then v_most_active v else v_most_others v.

(* Whether a child is justified by itself: what costs little first. *)
Definition judge_quickly (x : node) (v : view) (a : row) : bool :=
  dominated_by_parent x a ||
  (let is_act := acts x a in
   bounded_by_parent x (v_needed v) (most_after v is_act) (v_forecasts v) (row_item a) is_act (is_needed (n_path x) (r_ante a))).

Definition judge_slowly (points : list point) (closed : tree) (x : node) (v : view) (a : row) : bool :=
  is_closed points closed x a
  || (let is_act := acts x a in
      bounded_by_nets x (v_active v) (v_needed v) (most_after v is_act) (v_forecasts v) a is_act
        (is_needed (n_path x) (r_ante a)))
  || bounded_by_itself x (v_active v) a.

(* (R) and (C) for one closed state of format 1. *)
Definition check_node (points : list point) (closed : tree) (x : node) : bool :=
  ends_reach x
  && match n_room x with
     | O => true
     | S _ =>
       let v := view_of x in
       let judged := map (fun a => (a, judge_quickly x v a || judge_slowly points closed x v a)) (n_rows x) in
       match filter (fun j => negb (snd j)) judged with
       | [] => true
       | open => let proven := map fst (filter (fun j => snd j) judged) in
                 forallb (fun j => dominated_by_sibling x proven (fst j)) open
       end
     end.

(* The closed prefixes, one after the other. Nodes on the way to the last one are kept: neighbours
   share most of their prefix. *)
Fixpoint go_to (start : node) (kept : list (ante * node)) (antes : list ante) : list (ante * node) * node :=
  match antes with
  | [] => ([], start)
  | a :: rest =>
    match kept with
    | (b, x) :: kept' =>
      if key a =? key b then let (k, y) := go_to x kept' rest in ((b, x) :: k, y)
      else let x' := next start a in let (k, y) := go_to x' [] rest in ((a, x') :: k, y)
    | [] => let x' := next start a in let (k, y) := go_to x' [] rest in ((a, x') :: k, y)
    end
  end.

Fixpoint check_all (points : list point) (closed : tree) (start : node) (kept : list (ante * node))
  (paths : list (list ante)) : bool :=
  match paths with
  | [] => true
  | path :: rest =>
    let (kept', x) := go_to start kept path in
    check_node points closed x && check_all points closed start kept' rest
  end.

(* A step on the way to a state, without rows. *)
Definition walk_step (s : list point * Z * Z) (a : ante) : list point * Z * Z :=
  let '(points, paid, number) := s in
  let captured := filter (within a) points in
  (filter (without a) points, paid + rule_price a + rule_of p (sum_points p captured), number - add_salt captured 0).

Definition make_entry (points : list point) (number : Z) (path : list ante) : entry :=
  let '(_, paid, number) := fold_left walk_step path (points, 0, number) in
  {| e_path := path; e_length := length path; e_paid := paid; e_salt := number |}.

(* (S): the state that all lists begin with. *)
Definition begins_well (points : list point) (closed : tree) (begin : node) : bool :=
  existsb (dominates points (n_path begin) (n_paid begin) (n_salt begin)) (find closed 0 (n_salt begin))
  || bounded (n_paid begin) (n_room begin) (n_sums begin)
       (filter (is_active (is_settled (n_path begin)) (n_sums begin) (is_needed (n_path begin))) (map row_item (n_rows begin)))
       (is_needed (n_path begin)).

End Check.

(* The groups, with numbers to look states up by. *)
Definition make_points (p : problem) (salts : list Z) : list point :=
  map (fun x => make_point p (fst x) (snd x)) (combine (groups p) (salts ++ repeat 0 (length (groups p)))).
Definition make_antes (p : problem) : list ante := map (make_ante p (least (prices p))) (seq 0 (n_antecedents p)).
Definition ante_in (p : problem) (all : list ante) (a : nat) : ante := nth a all (make_ante p (least (prices p)) a).
Definition not_forbidden (p : problem) (all : list ante) : list ante :=
  filter (fun a => negb (member (index a) (forbidden p))) all.
Definition exists_in (p : problem) (a : nat) : bool := (a <? n_antecedents p)%nat.

(* All of it, for lists of up to [limit] rules. *)
Definition check_prefixes (p : problem) (target : Z) (limit : option nat) (closed : list (list nat)) (salts : list Z) : bool :=
  let lp := least (prices p) in
  let all := make_antes p in
  let paths := map (map (ante_in p all)) closed in
  let points := make_points p salts in
  let start := root p limit points (not_forbidden p all) in
  let table := grow 62 0 (map (make_entry p points (n_salt start)) paths) in
  forallb (forallb (exists_in p)) closed
  && forallb (exists_in p) (first p)
  && forallb (fun path => match limit with Some n => (length path <=? n)%nat | None => true end) closed
  && begins_well p target limit lp points table (fold_left (next p limit) (map (ante_in p all) (first p)) start)
  && check_all p target limit lp points table start [] paths.

(* All of it, for lists of up to [limit] rules. *)
Definition check_target (p : problem) (target : Z) (limit : option nat) (closed : list (list nat)) (salts : list Z) : bool :=
  let lp := least (prices p) in
  let all := map (make_ante p lp) (seq 0 (n_antecedents p)) in
  let ante_of a := nth a all (make_ante p lp a) in
  let paths := map (map ante_of) closed in
  let points := map (fun x => make_point p (fst x) (snd x)) (combine (groups p) (salts ++ repeat 0 (length (groups p)))) in
  let usable := filter (fun a => negb (member (index a) (forbidden p))) all in
  let start := root p limit points usable in
  let entries := map (make_entry p points (n_salt start)) paths in
  let table := grow 62 0 entries in
  let begin := fold_left (next p limit) (map ante_of (first p)) start in
  let settled := is_settled p (n_path begin) in
  forallb (fun path => forallb (fun a => (a <? n_antecedents p)%nat) path) closed
  && forallb (fun a => (a <? n_antecedents p)%nat) (first p)
  && forallb (fun path => match limit with Some n => (length path <=? n)%nat | None => true end) closed
  && (existsb (dominates limit points (n_path begin) (n_paid begin) (n_salt begin)) (find table 0 (n_salt begin))
      || bounded p target lp (n_paid begin) (n_room begin) (n_sums begin)
           (filter (is_active p settled (n_sums begin) (is_needed (n_path begin))) (map row_item (n_rows begin)))
           (is_needed (n_path begin)))
  && check_all p target limit lp points table start [] paths.

