(* Groups as the checker holds them: captures as words of 62 bits, and the numbers of each group
   that sums are made of; and sums over sets of them. *)

From Coq Require Import ZArith List Bool Lia Arith.
From Surelist Require Import Problem Sums Completions Bound.
Import ListNotations.
Open Scope Z_scope.

Definition word_size : nat := 62.

Fixpoint word (n : nat) (l : list bool) : Z :=
  match n, l with
  | S m, b :: rest => 2 * word m rest + (if b then 1 else 0)
  | _, _ => 0
  end.

Fixpoint pack (fuel : nat) (l : list bool) : list Z :=
  match fuel with
  | O => []
  | S f => word word_size l :: pack f (skipn word_size l)
  end.

Lemma word_spec : forall n l i, (i < n)%nat -> Z.testbit (word n l) (Z.of_nat i) = nth i l false.
Proof.
  induction n; intros l i H; [lia|]. destruct l as [|b l]; cbn [word].
  - rewrite Z.testbit_0_l. destruct i; reflexivity.
  - change (if b then 1 else 0) with (Z.b2z b). destruct i.
    + apply Z.testbit_0_r.
    + rewrite Nat2Z.inj_succ, Z.testbit_succ_r by lia. cbn [nth]. apply IHn. lia.
Qed.

Lemma nth_skipn : forall A n (l : list A) i d, nth i (skipn n l) d = nth (n + i) l d.
Proof. induction n; intros; [reflexivity|]. destruct l; simpl; [destruct i; reflexivity|]. apply IHn. Qed.

Lemma pack_spec : forall k fuel l i, (i < word_size)%nat -> (k < fuel)%nat ->
  Z.testbit (nth k (pack fuel l) 0) (Z.of_nat i) = nth (k * word_size + i) l false.
Proof.
  induction k; intros fuel l i H F; (destruct fuel; [lia|]).
  - cbn [pack nth]. rewrite word_spec by assumption. reflexivity.
  - cbn [pack nth]. rewrite IHk by lia. rewrite nth_skipn. rewrite Nat.add_assoc. reflexivity.
Qed.

(* A natural number as an integer. *)
Fixpoint whole (n : nat) : Z := match n with O => 0 | S m => 1 + whole m end.

Lemma whole_spec : forall n, whole n = Z.of_nat n.
Proof. induction n; [reflexivity|]. change (whole (S n)) with (1 + whole n). rewrite IHn. lia. Qed.

(* Where the bit of an antecedent is. *)
Record ante := {
  index : nat;
  key : Z;         (* the same as an integer, which is compared faster *)
  block : nat;     (* the word, and the bit in it *)
  bit : Z;
  rule_price : Z;
  above : Z;       (* the price above the least of all *)
  must : bool      (* required *)
}.

(* The first word, and the first two costs, are beside the lists of all: they are asked most. *)
Record point := {
  source : group;
  word_0 : Z;
  cost_0 : Z;
  cost_1 : Z;
  low : Z;
  high : Z;
  salt : Z;  (* any number: states are looked up by the sum of these *)
  more_words : list Z;
  point_costs : list Z;
  point_gains : list Z
}.

Definition word_of (b : nat) (x : point) : Z := match b with O => word_0 x | S k => nth k (more_words x) 0 end.
Definition within (a : ante) (x : point) : bool := Z.testbit (word_of (block a) x) (bit a).
Definition without (a : ante) (x : point) : bool := negb (within a x).

Record sums := { s_costs : list Z; s_gains : list Z; s_low : Z; s_high : Z }.

Fixpoint add_cost (q : nat) (l : list point) (got : Z) : Z :=
  match l with [] => got | x :: rest => add_cost q rest (got + nth q (point_costs x) 0) end.
Fixpoint add_gain (q : nat) (l : list point) (got : Z) : Z :=
  match l with [] => got | x :: rest => add_gain q rest (got + nth q (point_gains x) 0) end.
Fixpoint add_low (l : list point) (got : Z) : Z :=
  match l with [] => got | x :: rest => add_low rest (got + low x) end.
Fixpoint add_high (l : list point) (got : Z) : Z :=
  match l with [] => got | x :: rest => add_high rest (got + high x) end.
Fixpoint add_spread (l : list point) (got : Z) : Z :=
  match l with [] => got | x :: rest => add_spread rest (got + (high x - low x)) end.
Fixpoint add_salt (l : list point) (got : Z) : Z :=
  match l with [] => got | x :: rest => add_salt rest (got + salt x) end.

(* With two classes, all sums at once: what is above the floor with one is below the ceiling with the other. *)
Fixpoint add_two (l : list point) (c d lo : Z) : Z * Z * Z :=
  match l with
  | [] => (c, d, lo)
  | x :: rest => add_two rest (c + cost_0 x) (d + cost_1 x) (lo + low x)
  end.

(* The same over what an antecedent captures. *)
Fixpoint add_two_within (a : ante) (l : list point) (c d lo : Z) : Z * Z * Z :=
  match l with
  | [] => (c, d, lo)
  | x :: rest =>
    if within a x then add_two_within a rest (c + cost_0 x) (d + cost_1 x) (lo + low x)
    else add_two_within a rest c d lo
  end.

Lemma add_two_filter : forall a l c d lo, add_two_within a l c d lo = add_two (filter (within a) l) c d lo.
Proof. induction l as [|x l IH]; intros; simpl; [reflexivity|]. destruct (within a x); simpl; apply IH. Qed.

Fixpoint zip_minus (l m : list Z) : list Z :=
  match l, m with
  | x :: l', y :: m' => (x - y) :: zip_minus l' m'
  | _, _ => []
  end.

Lemma zip_minus_map : forall A (f g : A -> Z) l, zip_minus (map f l) (map g l) = map (fun x => f x - g x) l.
Proof. induction l; simpl; [reflexivity|]. rewrite IHl. reflexivity. Qed.

Section Points.
Variable p : problem.

(* Where rules may have every label, in order, a gain is what a cost is above the floor. *)
Definition any_label : bool :=
  if list_eq_dec Nat.eq_dec (rule_labels p) (classes p) then true else false.

Definition sums_from_two (found : Z * Z * Z) : sums :=
  let '(c, d, lo) := found in
  let gain := c - lo in
  {| s_costs := [c; d]; s_gains := [gain; d - lo]; s_low := lo; s_high := gain + d |}.

Definition sum_many (l : list point) : sums :=
  let costs := map (fun q => add_cost q l 0) (classes p) in
  let low := add_low l 0 in
  {| s_costs := costs;
     s_gains := if any_label then map (fun c => c - low) costs
                else map (fun q => add_gain q l 0) (classes p);
     s_low := low;
     s_high := add_high l 0 |}.

(* Whether there are two classes, and rules may have both labels. *)
Definition is_plain : bool :=
  match n_classes p, rule_labels p with S (S O), [O; S O] => true | _, _ => false end.

Definition sum_points (l : list point) : sums :=
  if is_plain then sums_from_two (add_two l 0 0 0) else sum_many l.

Definition sum_within (a : ante) (l : list point) : sums :=
  if is_plain then sums_from_two (add_two_within a l 0 0 0) else sum_many (filter (within a) l).

Definition minus (one other : sums) : sums :=
  {| s_costs := zip_minus (s_costs one) (s_costs other);
     s_gains := zip_minus (s_gains one) (s_gains other);
     s_low := s_low one - s_low other;
     s_high := s_high one - s_high other |}.

(* What sums have to be. *)
Definition sums_of (s : list group) : sums :=
  {| s_costs := map (fun q => cost_of q s) (classes p);
     s_gains := map (fun q => total (gain p q) s) (classes p);
     s_low := total (floor p) s;
     s_high := total (ceil p) s |}.

Definition rule_of (s : sums) : Z :=
  match s_costs s with
  | [c; d] => if is_plain then Z.min c d else least (map (fun r => nth r (s_costs s) 0) (rule_labels p))
  | _ => least (map (fun r => nth r (s_costs s) 0) (rule_labels p))
  end.

Definition n_words : nat := S (n_antecedents p / word_size).

Definition make_point (u : group) (number : Z) : point :=
  let words := pack n_words (captured u) in
  {| source := u; word_0 := hd 0 words; cost_0 := cost u 0; cost_1 := cost u 1;
     low := floor p u; high := ceil p u; salt := number;
     more_words := tl words; point_costs := map (cost u) (classes p);
     point_gains := map (fun q => gain p q u) (classes p) |}.

Definition make_ante (least_price : Z) (a : nat) : ante :=
  {| index := a; key := whole a; block := a / word_size; bit := whole (a mod word_size); rule_price := price p a;
     above := price p a - least_price; must := existsb (Nat.eqb a) (required p) |}.

Definition good_point (x : point) : Prop := exists number, x = make_point (source x) number.

Lemma nth_classes : forall A (f : nat -> A) q d, In q (classes p) -> nth q (map f (classes p)) d = f q.
Proof.
  intros A f q d H. unfold classes in *. apply in_seq in H.
  rewrite (nth_indep _ d (f 0%nat)) by (rewrite map_length, seq_length; lia).
  rewrite map_nth, seq_nth by lia. reflexivity.
Qed.

Lemma word_of_spec : forall u number b, word_of b (make_point u number) = nth b (pack n_words (captured u)) 0.
Proof. intros. destruct b; unfold word_of, make_point, n_words; reflexivity. Qed.

Lemma within_spec : forall lp a x, good_point x -> (a < n_antecedents p)%nat ->
  within (make_ante lp a) x = captures (source x) a.
Proof.
  intros lp a x [n E] H. rewrite E. unfold within, captures. rewrite word_of_spec. cbn [block bit source make_point make_ante].
  rewrite whole_spec, pack_spec.
  - f_equal. rewrite Nat.mul_comm. symmetry. apply Nat.div_mod. discriminate.
  - apply Nat.mod_upper_bound. discriminate.
  - unfold n_words. assert (a / word_size <= n_antecedents p / word_size)%nat; [|lia].
    apply Nat.div_le_mono; [discriminate|lia].
Qed.

Lemma filter_within : forall lp a l, Forall good_point l -> (a < n_antecedents p)%nat ->
  map source (filter (within (make_ante lp a)) l) = inside a (map source l).
Proof.
  intros lp a l G H. unfold inside. rewrite filter_map. f_equal. apply filter_ext_in. intros x Hx.
  rewrite Forall_forall in G. apply within_spec; auto.
Qed.

Lemma filter_without : forall lp a l, Forall good_point l -> (a < n_antecedents p)%nat ->
  map source (filter (without (make_ante lp a)) l) = outside a (map source l).
Proof.
  intros lp a l G H. unfold outside. rewrite filter_map. f_equal. apply filter_ext_in. intros x Hx.
  rewrite Forall_forall in G. unfold without, is_out. f_equal. apply within_spec; auto.
Qed.

Lemma Forall_filter : forall A (Q : A -> Prop) c l, Forall Q l -> Forall Q (filter c l).
Proof.
  intros. rewrite Forall_forall in *. intros x Hx. apply filter_In in Hx. apply H. tauto.
Qed.

Lemma add_cost_spec : forall q l n, Forall good_point l -> In q (classes p) ->
  add_cost q l n = n + cost_of q (map source l).
Proof.
  intros q l n G Q. revert n. induction G; intros n; simpl; [unfold cost_of; autorewrite with sums; lia|].
  rewrite IHG. unfold cost_of. autorewrite with sums. destruct H as [k ->]. simpl. rewrite nth_classes by assumption. lia.
Qed.

Lemma add_gain_spec : forall q l n, Forall good_point l -> In q (classes p) ->
  add_gain q l n = n + total (gain p q) (map source l).
Proof.
  intros q l n G Q. revert n. induction G; intros n; simpl; [autorewrite with sums; lia|].
  rewrite IHG. autorewrite with sums. destruct H as [k ->]. simpl.
  rewrite (nth_classes _ (fun q => gain p q (source x))) by assumption. lia.
Qed.

Lemma add_low_spec : forall l n, Forall good_point l -> add_low l n = n + total (floor p) (map source l).
Proof.
  intros l n G. revert n. induction G; intros n; simpl; [autorewrite with sums; lia|].
  rewrite IHG. autorewrite with sums. destruct H as [k ->]. simpl. lia.
Qed.

Lemma add_high_spec : forall l n, Forall good_point l -> add_high l n = n + total (ceil p) (map source l).
Proof.
  intros l n G. revert n. induction G; intros n; simpl; [autorewrite with sums; lia|].
  rewrite IHG. autorewrite with sums. destruct H as [k ->]. simpl. lia.
Qed.

Lemma add_spread_spec : forall l n, Forall good_point l -> add_spread l n = n + total (spread p) (map source l).
Proof.
  intros l n G. revert n. induction G; intros n; simpl; [autorewrite with sums; lia|].
  rewrite IHG. autorewrite with sums. destruct H as [k ->]. unfold spread. simpl. lia.
Qed.

Lemma any_label_gain : any_label = true -> forall q u, In q (classes p) -> gain p q u = cost u q - floor p u.
Proof.
  unfold any_label. destruct (list_eq_dec Nat.eq_dec (rule_labels p) (classes p)) as [E|]; [|discriminate].
  intros _ q u Q. unfold gain. rewrite E. fold (floor p u). pose proof (floor_le p u q Q). lia.
Qed.

Lemma sum_many_spec : forall l, Forall good_point l -> sum_many l = sums_of (map source l).
Proof.
  intros l G. unfold sum_many, sums_of. rewrite add_low_spec, add_high_spec by assumption. f_equal.
  - apply map_ext_in. intros q Q. rewrite add_cost_spec by assumption. lia.
  - destruct any_label eqn:E.
    + rewrite map_map. apply map_ext_in. intros q Q. rewrite add_cost_spec by assumption.
      rewrite (total_ext _ (gain p q) (fun u => cost u q - floor p u)) by (intros; apply any_label_gain; assumption).
      rewrite total_minus. unfold cost_of. lia.
    + apply map_ext_in. intros q Q. rewrite add_gain_spec by assumption. lia.
Qed.

Lemma is_plain_spec : is_plain = true -> classes p = [0; 1]%nat /\ any_label = true.
Proof.
  unfold is_plain, any_label, classes. destruct (n_classes p) as [|[|[|]]]; try discriminate.
  destruct (rule_labels p) as [|[|] [|[|[|]] [|]]]; try discriminate. intros _. split; reflexivity.
Qed.

Lemma add_two_spec : forall l c d lo, Forall good_point l ->
  add_two l c d lo = (c + cost_of 0 (map source l), d + cost_of 1 (map source l), lo + total (floor p) (map source l)).
Proof.
  intros l c d lo G. revert c d lo. unfold cost_of. induction G; intros; cbn [add_two map]; autorewrite with sums.
  - f_equal; [f_equal|]; lia.
  - rewrite IHG. destruct H as [n E]. rewrite E. cbn [cost_0 cost_1 low source make_point]. f_equal; [f_equal|]; lia.
Qed.

Lemma two_costs : classes p = [0; 1]%nat -> forall s, total (ceil p) s = cost_of 0 s + cost_of 1 s - total (floor p) s.
Proof.
  intros E s. unfold cost_of. rewrite <- total_plus, <- total_minus. apply total_ext. intros u _.
  unfold ceil, floor. rewrite E. simpl. lia.
Qed.

Lemma sum_points_spec : forall l, Forall good_point l -> sum_points l = sums_of (map source l).
Proof.
  intros l G. unfold sum_points. destruct is_plain eqn:E; [|apply sum_many_spec; assumption].
  destruct (is_plain_spec E) as [E1 E2]. rewrite add_two_spec by assumption. unfold sums_from_two, sums_of.
  assert (K : forall q s, In q (classes p) -> total (gain p q) s = cost_of q s - total (floor p) s).
  { intros q s Q. unfold cost_of. rewrite <- total_minus. apply total_ext. intros u _. apply any_label_gain; assumption. }
  rewrite (two_costs E1), E1. cbn [map]. rewrite !K by (rewrite E1; simpl; tauto). f_equal; [repeat f_equal; lia..|lia].
Qed.

Lemma sum_within_spec : forall a l, sum_within a l = sum_points (filter (within a) l).
Proof. intros. unfold sum_within, sum_points. rewrite add_two_filter. reflexivity. Qed.

Lemma minus_spec : forall a s, minus (sums_of s) (sums_of (inside a s)) = sums_of (outside a s).
Proof.
  intros a s. unfold minus, sums_of. cbn [s_costs s_gains s_low s_high]. rewrite !zip_minus_map. f_equal.
  - apply map_ext. intros q. unfold cost_of. rewrite (total_inside _ a s). lia.
  - apply map_ext. intros q. rewrite (total_inside _ a s). lia.
  - rewrite (total_inside _ a s). lia.
  - rewrite (total_inside _ a s). lia.
Qed.

Lemma inside_comm : forall a b s, inside a (inside b s) = inside b (inside a s).
Proof. intros. unfold inside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. Qed.

Lemma inside_outside_comm : forall a b s, inside a (outside b s) = outside b (inside a s).
Proof. intros. unfold inside, outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. Qed.

Lemma rule_of_spec : forall s, proper p -> rule_of (sums_of s) = rule_cost p s.
Proof.
  intros s P.
  assert (K : least (map (fun r => nth r (s_costs (sums_of s)) 0) (rule_labels p)) = rule_cost p s).
  { unfold rule_cost. f_equal. apply map_ext_in. intros r R. simpl.
    apply (nth_classes _ (fun q => cost_of q s)). apply (labels_are_classes _ P). assumption. }
  unfold rule_of. destruct (s_costs (sums_of s)) as [|c [|d [|]]] eqn:EC; try exact K.
  destruct is_plain eqn:E; [|exact K]. rewrite <- K. destruct (is_plain_spec E) as [E1 E2]. unfold any_label in E2.
  destruct (list_eq_dec Nat.eq_dec (rule_labels p) (classes p)) as [EL|]; [|discriminate]. rewrite EL, E1. reflexivity.
Qed.

Lemma cost_of_sums : forall q s, In q (classes p) -> nth q (s_costs (sums_of s)) 0 = cost_of q s.
Proof. intros. simpl. apply (nth_classes _ (fun q => cost_of q s)). assumption. Qed.

Lemma gain_of_sums : forall q s, In q (classes p) -> nth q (s_gains (sums_of s)) 0 = total (gain p q) s.
Proof. intros. simpl. apply (nth_classes _ (fun q => total (gain p q) s)). assumption. Qed.

End Points.
