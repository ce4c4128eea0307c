(* Theorem 9 of docs/proofs.md, on states: what any number of rules can reach (M). Two classes, no
   conditions on labels, nothing required.

   Of all completions that are no dearer than the cheapest list one is *tidy*: each rule takes more
   than its price and no less than it costs, leaves more than its price, and is in order. If no tidy
   one is so cheap, each begins with a rule that may be swapped with the last one of the prefix. *)

From Coq Require Import ZArith List Bool Lia Arith Wf_nat.
From Surelist Require Import Problem Sums Completions Bound Cover Pairs.
Import ListNotations.
Open Scope Z_scope.

Section Relaxation.
Variable p : problem.
Hypothesis P : proper p.
Hypothesis Two : classes p = [0; 1]%nat.
Hypothesis Any : rule_labels p = [0; 1]%nat.
Hypothesis Req : required p = [].
Variable limited : bool.

Notation completion := (completion p).
Notation value := (value p).
Notation child := (child p limited).
Notation rule_cost := (rule_cost p).
Notation up := (up p).

Lemma other_in : forall q, In (other q) [0; 1]%nat.
Proof. intros [|q]; simpl; tauto. Qed.

Lemma other_of : forall q r, In q [0; 1]%nat -> In r [0; 1]%nat -> q <> r -> q = other r.
Proof. intros q r [<-|[<-|[]]] [<-|[<-|[]]]; simpl; tauto. Qed.

Lemma cost_up : forall q s, In q (classes p) -> cost_of q s = total (floor p) s + up q s.
Proof.
  intros q s Q. unfold cost_of, Pairs.up. rewrite <- total_plus. apply total_ext. intros u _. unfold gain. rewrite Any.
  fold (classes p). unfold floor. rewrite Two in *. simpl in *. destruct Q as [<-|[<-|[]]]; lia.
Qed.

Lemma ceil_up : forall q s, In q (classes p) -> total (ceil p) s = cost_of q s + up (other q) s.
Proof.
  intros q s Q. unfold cost_of, Pairs.up. rewrite <- total_plus. apply total_ext. intros u _. unfold gain. rewrite Any.
  unfold ceil. rewrite Two in *. simpl in *. destruct Q as [<-|[<-|[]]]; simpl; lia.
Qed.

(* What rules leave of a set. *)
Definition after (s : list group) (t : list rule) : list group := fold_left (fun s x => outside (fst x) s) t s.

Lemma loss_after : forall t1 s t t' d d',
  loss s (t1 ++ t) d - loss (after s t1) t d = loss s (t1 ++ t') d' - loss (after s t1) t' d'.
Proof.
  induction t1 as [|[b r] t1 IH]; intros s t t' d d'; [simpl; lia|].
  simpl app. rewrite !loss_cons. change (after s ((b, r) :: t1)) with (after (outside b s) t1).
  specialize (IH (outside b s) t t' d d'). lia.
Qed.

Lemma value_after : forall x t1 t t' d d',
  value x (t1 ++ t) d - (total (price p) (prefix t) + loss (after (left x) t1) t d)
  = value x (t1 ++ t') d' - (total (price p) (prefix t') + loss (after (left x) t1) t' d').
Proof.
  intros. unfold Completions.value, prefix. rewrite !map_app, !total_app. pose proof (loss_after t1 (left x) t t' d d'). lia.
Qed.

Lemma after_part : forall t s, incl (after s t) s.
Proof.
  induction t as [|x t IH]; intros s u H; [exact H|]. apply IH in H. apply filter_In in H. tauto.
Qed.

Lemma loss_nonneg : forall s t d, incl s (groups p) -> (forall r, In r (map snd t) -> In r (rule_labels p)) -> In d (classes p) ->
  0 <= loss s t d.
Proof.
  intros s t d I L D. apply total_nonneg. intros u Hu. apply (costs_nonneg p P); [auto|]. apply predict_class; assumption.
Qed.

Lemma loss_ceil : forall s t d, (forall r, In r (map snd t) -> In r (rule_labels p)) -> In d (classes p) ->
  loss s t d <= total (ceil p) s.
Proof. intros. apply total_le. intros u _. apply le_ceil. apply predict_class; assumption. Qed.

(* Two neighbours in the other order: what both capture is predicted otherwise. *)
Lemma loss_exchange : forall s a c b l r d,
  loss s ((b, l) :: (a, c) :: r) d = loss s ((a, c) :: (b, l) :: r) d
    + cost_of l (inside b (inside a s)) - cost_of c (inside b (inside a s)).
Proof.
  intros. rewrite !loss_cons.
  assert (E : outside a (outside b s) = outside b (outside a s)).
  { unfold outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  assert (E2 : forall x y, inside x (outside y s) = outside y (inside x s)).
  { intros. unfold inside, outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  assert (E3 : inside a (inside b s) = inside b (inside a s)).
  { unfold inside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  rewrite E, !E2. rewrite (cost_split l a (inside b s)), (cost_split c b (inside a s)), E3. lia.
Qed.

(* A list of antecedents of a completion, with any labels. *)
Lemma completion_part : forall x t d t' d', completion x t d -> NoDup (prefix t') -> incl (prefix t') (prefix t) ->
  (forall r, In r (map snd t') -> In r (rule_labels p)) -> In d' (classes p) -> (length t' <= length t)%nat -> completion x t' d'.
Proof.
  intros x t d t' d' [H1 H2 H3 H4 H5 H6] N I L D S. constructor; auto; [|lia].
  intros b Hb. rewrite Req in Hb. destruct Hb.
Qed.

Lemma prefix_app : forall t t', prefix (t ++ t') = prefix t ++ prefix t'.
Proof. intros. apply map_app. Qed.

Section State.
Variable x : state.
Variable V : Z.
Hypothesis Part : incl (left x) (groups p).
Hypothesis Low : forall t d, completion x t d -> V <= value x t d.

Section One.
Variable t : list rule.
Variable d : nat.
Hypothesis C : completion x t d.
Hypothesis Cheap : value x t d <= V.

Lemma label_in : forall t1 b l r, t = t1 ++ (b, l) :: r -> In l (rule_labels p) /\ In l (classes p)
  /\ (forall q, In q (map snd t1) -> In q (rule_labels p)) /\ (forall q, In q (map snd r) -> In q (rule_labels p))
  /\ (b < n_antecedents p)%nat.
Proof.
  intros t1 b l r E. pose proof (c_labels p _ _ _ C) as L. rewrite E, map_app in L.
  assert (In l (rule_labels p)) by (apply L; apply in_app_iff; right; left; reflexivity).
  split; [assumption|]. split; [rewrite Two; rewrite Any in *; assumption|].
  split; [intros; apply L; apply in_app_iff; tauto|]. split; [intros; apply L; apply in_app_iff; right; right; assumption|].
  apply (c_exist p _ _ _ C). rewrite E, prefix_app. apply in_app_iff. right. left. reflexivity.
Qed.

(* Each rule takes no less than it costs. *)
Lemma takes_its_cost : forall t1 b l r, t = t1 ++ (b, l) :: r -> let s := after (left x) t1 in
  cost_of l (inside b s) <= cost_of (other l) (inside b s).
Proof.
  intros t1 b l r E s. destruct (Z_le_gt_dec (cost_of l (inside b s)) (cost_of (other l) (inside b s))) as [|G]; [assumption|exfalso].
  destruct (label_in t1 b l r E) as (L1 & L2 & L3 & L4 & L5).
  assert (C' : completion x (t1 ++ (b, other l) :: r) d).
  { apply (completion_part x t d); auto.
    - pose proof (c_distinct p _ _ _ C) as N. rewrite E, prefix_app in N. rewrite prefix_app. exact N.
    - rewrite E, !prefix_app. apply incl_refl.
    - intros q. rewrite map_app, in_app_iff. simpl. intros [H|[<-|H]]; auto. rewrite Any. apply other_in.
    - apply C.
    - rewrite E, !app_length. simpl. lia. }
  pose proof (Low _ _ C') as LO. pose proof (value_after x t1 ((b, l) :: r) ((b, other l) :: r) d d) as EV.
  rewrite <- E in EV. fold s in EV. rewrite !loss_cons in EV. cbn [prefix map fst] in EV. lia.
Qed.

(* Neighbours with different labels are in order. *)
Lemma neighbours : forall t1 a c b l r, t = t1 ++ (a, c) :: (b, l) :: r ->
  let both := inside b (inside a (after (left x) t1)) in cost_of c both <= cost_of l both.
Proof.
  intros t1 a c b l r E both. destruct (Z_le_gt_dec (cost_of c both) (cost_of l both)) as [|G]; [assumption|exfalso].
  assert (C' : completion x (t1 ++ (b, l) :: (a, c) :: r) d).
  { apply (completion_part x t d); auto.
    - pose proof (c_distinct p _ _ _ C) as N. rewrite E, prefix_app in N. rewrite prefix_app.
      cbn [prefix map fst] in *. eapply Permutation.Permutation_NoDup; [|exact N]. apply Permutation.Permutation_app_head. constructor.
    - intros y. rewrite E, !prefix_app, !in_app_iff. simpl. tauto.
    - pose proof (c_labels p _ _ _ C) as L. intros q Hq. apply L. rewrite E. rewrite map_app, in_app_iff in *. simpl in *. tauto.
    - apply C.
    - rewrite E, !app_length. simpl. lia. }
  pose proof (Low _ _ C') as LO. pose proof (value_after x t1 ((b, l) :: (a, c) :: r) ((a, c) :: (b, l) :: r) d d) as EV.
  rewrite <- E in EV. rewrite loss_exchange in EV. fold both in EV. cbn [prefix map fst] in EV. autorewrite with sums in EV. lia.
Qed.

(* What an exchange of neighbours with one label costs. *)
Lemma same_label : forall t1 a b l r, t = t1 ++ (a, l) :: (b, l) :: r -> let t' := t1 ++ (b, l) :: (a, l) :: r in
  completion x t' d /\ value x t' d <= V.
Proof.
  intros t1 a b l r E t'. split.
  - apply (completion_part x t d); auto.
    + pose proof (c_distinct p _ _ _ C) as N. rewrite E, prefix_app in N. unfold t'. rewrite prefix_app.
      cbn [prefix map fst] in *. eapply Permutation.Permutation_NoDup; [|exact N]. apply Permutation.Permutation_app_head. constructor.
    + intros y. unfold t'. rewrite E, !prefix_app, !in_app_iff. simpl. tauto.
    + pose proof (c_labels p _ _ _ C) as L. intros q Hq. apply L. rewrite E. unfold t' in Hq. rewrite map_app, in_app_iff in *. simpl in *. tauto.
    + apply C.
    + unfold t'. rewrite E, !app_length. simpl. lia.
  - pose proof (value_after x t1 ((b, l) :: (a, l) :: r) ((a, l) :: (b, l) :: r) d d) as EV.
    rewrite <- E in EV. rewrite loss_exchange in EV. fold t' in EV. cbn [prefix map fst] in EV. autorewrite with sums in EV. lia.
Qed.

(* A rule that takes no more than its price may be left out. *)
Lemma left_out : forall t1 b l r, t = t1 ++ (b, l) :: r ->
  up (other l) (inside b (after (left x) t1)) <= price p b -> completion x (t1 ++ r) d /\ value x (t1 ++ r) d <= V.
Proof.
  intros t1 b l r E H. destruct (label_in t1 b l r E) as (L1 & L2 & L3 & L4 & L5). split.
  - apply (completion_part x t d); auto.
    + pose proof (c_distinct p _ _ _ C) as N. rewrite E, prefix_app in N. rewrite prefix_app. eapply NoDup_remove_1. exact N.
    + intros y. rewrite E, !prefix_app, !in_app_iff. simpl. tauto.
    + intros q. rewrite map_app, in_app_iff. intros [K|K]; auto.
    + apply C.
    + rewrite E, !app_length. simpl. lia.
  - set (s := after (left x) t1) in *. pose proof (value_after x t1 ((b, l) :: r) r d d) as EV. rewrite <- E in EV. fold s in EV.
    rewrite loss_cons in EV. cbn [prefix map fst] in EV. autorewrite with sums in EV.
    assert (loss s r d = loss (inside b s) r d + loss (outside b s) r d) by apply total_inside.
    pose proof (loss_ceil (inside b s) r d L4 (c_default p _ _ _ C)) as LC. rewrite (ceil_up l) in LC by assumption. unfold prefix in *. lia.
Qed.

(* The list that ends before a rule, with its label for the rest. *)
Lemma ends_before : forall t1 b l r, t = t1 ++ (b, l) :: r -> let s := after (left x) t1 in
  total (ceil p) (outside b s) <= price p b \/ (r = [] /\ l = d) -> completion x t1 l /\ value x t1 l <= V.
Proof.
  intros t1 b l r E s H. destruct (label_in t1 b l r E) as (L1 & L2 & L3 & L4 & L5). split.
  - apply (completion_part x t d); auto.
    + pose proof (c_distinct p _ _ _ C) as N. rewrite E, prefix_app in N. clear - N. induction (prefix t1); [constructor|].
      simpl in N. inversion N; subst. constructor; [|auto]. intro. apply H1. apply in_app_iff. tauto.
    + intros y. rewrite E, !prefix_app, !in_app_iff. tauto.
    + rewrite E, !app_length. simpl. lia.
  - pose proof (value_after x t1 ((b, l) :: r) [] d l) as EV. rewrite <- E, app_nil_r in EV. fold s in EV.
    rewrite loss_cons in EV. cbn [prefix map fst] in EV. autorewrite with sums in EV.
    rewrite loss_nil, (cost_split l b s) in EV.
    assert (IS : incl (outside b s) (groups p)).
    { intros u Hu. apply filter_In in Hu. apply Part. apply (after_part t1). tauto. }
    pose proof (loss_nonneg (outside b s) r d IS L4 (c_default p _ _ _ C)) as LN.
    assert (0 <= price p b) by (apply (prices_nonneg p P); assumption).
    assert (0 <= total (price p) (map fst r)).
    { apply total_nonneg. intros y Hy. apply (prices_nonneg p P). apply (c_exist p _ _ _ C). rewrite E, prefix_app, in_app_iff. right. right. exact Hy. }
    destruct H as [H|[-> ->]].
    + pose proof (loss_ceil (outside b s) [] l) as LC. rewrite loss_nil in LC. specialize (LC ltac:(intros q []) L2). lia.
    + rewrite loss_nil in EV. cbn [map] in *. autorewrite with sums in *. lia.
Qed.
End One.
End State.

(* A prefix (Z, a): the states of Z and of both. *)
Variable z : state.
Variable a : nat.
Hypothesis PartZ : incl (left z) (groups p).
Hypothesis UA : usable p a.
Hypothesis Roomy : roomy p limited z.
Variable ca : nat.
Hypothesis CA : In ca (classes p).
Hypothesis Cheapest : rule_cost (inside a (left z)) = cost_of ca (inside a (left z)).
Variable V : Z.
Hypothesis Low : forall t d, completion z t d -> V <= value z t d.
Let x := child z a.
Hypothesis NoRules : forall d, completion x [] d -> V < value x [] d.
Variable rank : nat -> nat.
Variable ranks : nat.
Hypothesis Ranked : forall b, (rank b <= ranks)%nat.

Let NL : rule_labels p <> [].
Proof. rewrite Any. discriminate. Qed.

Let LowX : forall t d, completion x t d -> V <= value x t d.
Proof.
  intros t d C. destruct (back_one p P NL limited z a t d UA Roomy C) as (t' & C' & V'). specialize (Low _ _ C'). fold x in V'. lia.
Qed.

Let PartX : incl (left x) (groups p).
Proof. intros u Hu. apply filter_In in Hu. apply PartZ. tauto. Qed.

(* Completions with fewer rules, or with others that weigh less, come first. *)
Variable weight : nat -> nat.
Hypothesis Weighs : forall b, (0 < weight b)%nat.
Notation weigh := (weigh weight).

(* The completions that are looked at. *)
Definition looked_at (t : list rule) (d : nat) : Prop := completion x t d /\ value x t d <= V.

Definition fine_rule (s : list group) (b l : nat) : Prop :=
  price p b < up (other l) (inside b s) /\ up l (inside b s) <= up (other l) (inside b s)
  /\ price p b < total (ceil p) (outside b s).

(* A rule may be next to the one before it, which found the set s. *)
Definition in_order (s : list group) (b l c m : nat) : Prop :=
  if Nat.eqb m l then (rank b <= rank c)%nat
  else up l (inside c (inside b s)) <= up m (inside c (inside b s)).

(* The rule before is b for l. *)
Fixpoint tidy (s : list group) (b l : nat) (t : list rule) (d : nat) : Prop :=
  match t with
  | [] => True
  | (c, m) :: t' => fine_rule (outside b s) c m /\ in_order s b l c m /\ (t' = [] -> d = other m)
      /\ tidy (outside b s) c m t' d
  end.

Lemma tidy_behind : forall d t s b l,
  (forall t1 c m t2, t = t1 ++ (c, m) :: t2 -> fine_rule (after (outside b s) t1) c m /\ (t2 = [] -> d = other m)) ->
  (forall t1 c m e n t2, (b, l) :: t = t1 ++ (c, m) :: (e, n) :: t2 -> in_order (after s t1) c m e n) ->
  tidy s b l t d.
Proof.
  induction t as [|[c m] t IH]; intros s b l H1 H2; [exact I|]. destruct (H1 [] c m t eq_refl) as [K1 K2]. split; [exact K1|].
  split; [apply (H2 [] b l c m t eq_refl)|]. split; [exact K2|]. apply IH.
  - intros t1 e n t2 ->. apply (H1 ((c, m) :: t1) e n t2). reflexivity.
  - intros t1 e n f o t2 E. apply (H2 ((b, l) :: t1) e n f o t2). rewrite E. reflexivity.
Qed.

(* How far a completion is from the order. *)
Fixpoint disorder (t : list rule) : nat :=
  match t with [] => 0%nat | y :: t' => (rank (fst y) * length t + disorder t')%nat end.

Lemma disorder_exchange : forall t1 b l c m r, (rank c < rank b)%nat ->
  (disorder (t1 ++ (c, m) :: (b, l) :: r) < disorder (t1 ++ (b, l) :: (c, m) :: r))%nat.
Proof.
  induction t1 as [|y t1 IH]; intros b l c m r H.
  - cbn [app disorder length fst]. nia.
  - specialize (IH b l c m r H). cbn [app disorder]. cbn [length]. rewrite !app_length. cbn [length]. lia.
Qed.

Lemma weigh_cons : forall b l t, weigh ((b, l) :: t) = (weight b + weigh t)%nat.
Proof. reflexivity. Qed.

Section Least.
Variable t : list rule.
Variable d : nat.
Hypothesis L : looked_at t d.
Hypothesis Lighter : forall t' d', looked_at t' d' -> (weigh t' < weigh t)%nat -> False.
Hypothesis Ordered : forall t', looked_at t' d -> weigh t' = weigh t -> (disorder t' < disorder t)%nat -> False.

Let C : completion x t d. Proof. apply L. Qed.
Let Cheap : value x t d <= V. Proof. apply L. Qed.

Lemma takes_its_price : forall t1 b l r, t = t1 ++ (b, l) :: r -> price p b < up (other l) (inside b (after (left x) t1)).
Proof.
  intros t1 b l r E. apply Z.lt_nge. intro G. apply (Lighter (t1 ++ r) d).
  - apply (left_out x V t d C Cheap t1 b l r E G).
  - rewrite E, !weigh_app, weigh_cons. pose proof (Weighs b). lia.
Qed.

Lemma goes_on_well : forall t1 b l r, t = t1 ++ (b, l) :: r -> let s := after (left x) t1 in
  total (ceil p) (outside b s) <= price p b \/ (r = [] /\ l = d) -> False.
Proof.
  intros t1 b l r E s G. apply (Lighter t1 l).
  - apply (ends_before x V PartX t d C Cheap t1 b l r E G).
  - rewrite E, weigh_app, weigh_cons. pose proof (Weighs b). lia.
Qed.

Lemma rules_are_fine : forall t1 b l r, t = t1 ++ (b, l) :: r -> fine_rule (after (left x) t1) b l /\ (r = [] -> d = other l).
Proof.
  intros t1 b l r E. destruct (label_in x t d C t1 b l r E) as (_ & LC & _ & _ & _).
  assert (OC : In (other l) (classes p)) by (rewrite Two; apply other_in).
  split; [split; [eapply takes_its_price; eassumption|]; split|].
  - pose proof (takes_its_cost x V LowX t d C Cheap t1 b l r E) as H. cbv zeta in H. rewrite !cost_up in H by assumption. lia.
  - apply Z.lt_nge. intro G. apply (goes_on_well t1 b l r E). left. exact G.
  - intros ->. pose proof (c_default p _ _ _ C) as D. rewrite Two in *.
    destruct (Nat.eq_dec d l) as [EL|N]; [|apply other_of; assumption].
    exfalso. apply (goes_on_well t1 b l [] E). right. split; congruence.
Qed.

Lemma behind_in_order : forall t1 b l c m r, t = t1 ++ (b, l) :: (c, m) :: r -> in_order (after (left x) t1) b l c m.
Proof.
  intros t1 b l c m r E. unfold in_order. destruct (label_in x t d C t1 b l _ E) as (_ & LC & _ & _ & _).
  assert (E' : t = (t1 ++ [(b, l)]) ++ (c, m) :: r) by (rewrite <- app_assoc; exact E).
  destruct (label_in x t d C _ c m r E') as (_ & MC & _ & _ & _).
  destruct (Nat.eqb m l) eqn:ML.
  - apply Nat.eqb_eq in ML. subst m. apply Nat.nlt_ge. intro G.
    apply (Ordered (t1 ++ (c, l) :: (b, l) :: r)); [exact (same_label x V t d C Cheap t1 b c l r E)| |].
    + rewrite E, !weigh_app, !weigh_cons. lia.
    + rewrite E. apply disorder_exchange. exact G.
  - pose proof (neighbours x V LowX t d C Cheap t1 b l c m r E) as H. cbv zeta in H. rewrite !cost_up in H by assumption. lia.
Qed.

Lemma without_a : strike a t = t.
Proof.
  assert (K : forall t1 r, t = t1 ++ r -> strike a r = r).
  { intros t1 r. revert t1. induction r as [|[b l] r IH]; intros t1 E; [reflexivity|].
    assert (E' : t = (t1 ++ [(b, l)]) ++ r) by (rewrite <- app_assoc; exact E).
    cbn [strike filter fst]. change (filter (fun y => negb (Nat.eqb (fst y) a)) r) with (strike a r). rewrite (IH _ E').
    destruct (Nat.eqb b a) eqn:EB; [exfalso|reflexivity]. apply Nat.eqb_eq in EB. subst b.
    pose proof (takes_its_price t1 a l r E) as T. destruct (label_in x t d C t1 a l r E) as (_ & _ & _ & _ & A).
    pose proof (prices_nonneg p P a A). assert (N : inside a (after (left x) t1) = []).
    { unfold inside. rewrite (filter_ext_in _ (fun _ => false)).
      - clear. induction (after (left x) t1) as [|u g IH]; [reflexivity|exact IH].
      - intros u Hu. apply (after_part t1) in Hu. apply filter_In in Hu. destruct Hu as [_ Hu]. unfold is_out in Hu. apply negb_true_iff in Hu. exact Hu. }
    rewrite N in T. unfold Pairs.up in T. autorewrite with sums in T. lia. }
  apply (K [] t). reflexivity.
Qed.

(* It does not begin with a rule that may be swapped with a. *)
Hypothesis Front : forall c r, t = (c, ca) :: r -> (rank a <= rank c)%nat.

Lemma first_in_order : forall c m r, t = (c, m) :: r -> in_order (left z) a ca c m.
Proof.
  intros c m r E. unfold in_order. destruct (label_in x t d C [] c m r E) as (_ & MC & _ & _ & _).
  destruct (Nat.eqb m ca) eqn:ML.
  - apply Nat.eqb_eq in ML. subst m. eapply Front. exact E.
  - assert (R : In ca (rule_labels p)) by (rewrite Any, <- Two; exact CA).
    pose proof (back_completion p limited z a ca t d UA Roomy R C) as CZ. rewrite without_a in CZ.
    pose proof (value_attained p limited z a ca t d Cheapest) as VZ. fold x in VZ.
    pose proof (neighbours z V Low ((a, ca) :: t) d CZ ltac:(lia) [] a ca c m r ltac:(rewrite E; reflexivity)) as H.
    cbv zeta in H. cbn [after fold_left] in H. rewrite !cost_up in H by assumption. lia.
Qed.

Theorem least_is_tidy : tidy (left z) a ca t d.
Proof.
  apply tidy_behind; [apply rules_are_fine|]. intros [|y t1] c m e n t2 E.
  - inversion E. subst c m. eapply first_in_order. reflexivity || eassumption.
  - inversion E as [[E1 E2]]. cbn [after fold_left fst]. apply (behind_in_order t1 c m e n t2 E2).
Qed.
End Least.

Hypothesis NoneTidy : forall t d, completion x t d -> t <> [] -> tidy (left z) a ca t d -> V < value x t d.

(* Unless some completion begins with a rule that may be swapped with a, there is none. *)
Theorem relaxed_front : forall w,
  (forall b l t d, completion x ((b, l) :: t) d -> value x ((b, l) :: t) d <= V -> (weigh ((b, l) :: t) <= w)%nat ->
     (rank b < rank a)%nat -> paid (child (child z b) a) <= paid (child x b) -> False) ->
  forall t d, completion x t d -> value x t d <= V -> (weigh t <= w)%nat -> False.
Proof.
  intros w Swapped.
  assert (K : forall n m t d, (weigh t <= n)%nat -> (disorder t <= m)%nat -> (weigh t <= w)%nat -> looked_at t d -> False).
  { induction n as [n IHn] using lt_wf_ind. induction m as [m IHm] using lt_wf_ind. intros t d N M W L.
    assert (LI : forall t' d', looked_at t' d' -> (weigh t' < weigh t)%nat -> False).
    { intros t' d' L' S. apply (IHn (weigh t') ltac:(lia) (disorder t') t' d'); auto. lia. }
    assert (OR : forall t', looked_at t' d -> weigh t' = weigh t -> (disorder t' < disorder t)%nat -> False).
    { intros t' L' S O. apply (IHm (disorder t') ltac:(lia) t' d); auto; lia. }
    pose proof L as [C CV]. destruct t as [|[b l] r]; [pose proof (NoRules d C); lia|].
    destruct (label_in x _ d C [] b l r eq_refl) as (_ & LC & _ & _ & _).
    destruct (Nat.eq_dec l ca) as [EL|NE]; [destruct (lt_dec (rank b) (rank a)) as [RK|RK]|].
    - subst l. apply (Swapped b ca r d C CV W RK).
      pose proof (takes_its_cost x V LowX _ d C CV [] b ca r eq_refl) as TC. cbv zeta in TC. cbn [after fold_left] in TC.
      assert (E : rule_cost (inside b (left x)) = cost_of ca (inside b (left x))).
      { unfold Completions.rule_cost. rewrite Any. cbn [map least fold_left]. rewrite Two in CA. destruct CA as [<-|[<-|[]]]; cbn [other] in TC; lia. }
      unfold x in *. cbn [paid Completions.child left] in *. rewrite E, Cheapest.
      assert (R1 : In ca (rule_labels p)) by (rewrite Any, <- Two; exact CA).
      pose proof (rule_cost_le p (inside b (left z)) ca R1). pose proof (rule_cost_le p (inside a (outside b (left z))) ca R1).
      pose proof (loss_exchange (left z) a ca b ca [] ca) as EX. rewrite !loss_cons in EX.
      assert (EO : outside a (outside b (left z)) = outside b (outside a (left z))).
      { unfold outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
      rewrite EO in EX. lia.
    - assert (T : tidy (left z) a ca ((b, l) :: r) d).
      { apply (least_is_tidy _ d L LI OR). intros c r' E. inversion E. subst. lia. }
      pose proof (NoneTidy _ d C ltac:(discriminate) T). lia.
    - assert (T : tidy (left z) a ca ((b, l) :: r) d).
      { apply (least_is_tidy _ d L LI OR). intros c r' E. inversion E. subst. contradiction. }
      pose proof (NoneTidy _ d C ltac:(discriminate) T). lia. }
  intros t d C CV W. apply (K (weigh t) (disorder t) t d); auto. split; assumption.
Qed.
End Relaxation.
