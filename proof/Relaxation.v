(* Theorem 9 of docs/proofs.md, on states: what any number of rules can reach (M). Two classes, no
   conditions on labels, nothing required.

   Of all completions that are no dearer than the cheapest list one is *tidy*: each rule takes more
   than its price and no less than it costs, leaves more than its price, and is in order. If no tidy
   one is so cheap, all children are accounted for. *)

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

(* The order that begins with a. *)
Definition turn (b : nat) : nat := if (rank b <? rank a)%nat then (rank b + ranks + 1)%nat else rank b.

Definition fine_front (b l : nat) : Prop :=
  cost_of l (inside b (left x)) <= cost_of (other l) (inside b (left x))
  /\ price p b < up (other l) (inside b (left x))
  /\ ~ (l = ca /\ (rank b < rank a)%nat).

(* The completions that are looked at. *)
Definition looked_at (t : list rule) (d : nat) : Prop :=
  completion x t d /\ value x t d <= V /\ match t with [] => False | (b, l) :: _ => fine_front b l end.

Definition fine_rule (s : list group) (b l : nat) : Prop :=
  price p b < up (other l) (inside b s) /\ up l (inside b s) <= up (other l) (inside b s)
  /\ price p b < total (ceil p) (outside b s).

(* A rule may be next to the one before it, which found the set s. *)
Definition in_order (front : bool) (s : list group) (b l c m : nat) : Prop :=
  if Nat.eqb m l then (if front then rank b <= rank c else turn b <= turn c)%nat
  else up l (inside c (inside b s)) <= up m (inside c (inside b s)).

(* The rule before is b for l. *)
Fixpoint tidy (front : bool) (s : list group) (b l : nat) (t : list rule) (d : nat) : Prop :=
  match t with
  | [] => True
  | (c, m) :: t' => fine_rule (outside b s) c m /\ in_order front s b l c m /\ (t' = [] -> d = other m)
      /\ tidy false (outside b s) c m t' d
  end.

Lemma tidy_behind : forall d t s b l,
  (forall t1 c m t2, t = t1 ++ (c, m) :: t2 -> fine_rule (after (outside b s) t1) c m /\ (t2 = [] -> d = other m)) ->
  (forall t1 c m e n t2, (b, l) :: t = t1 ++ (c, m) :: (e, n) :: t2 -> in_order false (after s t1) c m e n) ->
  tidy false s b l t d.
Proof.
  induction t as [|[c m] t IH]; intros s b l H1 H2; [exact I|]. destruct (H1 [] c m t eq_refl) as [K1 K2]. split; [exact K1|].
  split; [apply (H2 [] b l c m t eq_refl)|]. split; [exact K2|]. apply IH.
  - intros t1 e n t2 ->. apply (H1 ((c, m) :: t1) e n t2). reflexivity.
  - intros t1 e n f o t2 E. apply (H2 ((b, l) :: t1) e n f o t2). rewrite E. reflexivity.
Qed.

Lemma tidy_all : forall d t,
  (forall t1 c m t2, t = t1 ++ (c, m) :: t2 -> fine_rule (after (left x) t1) c m /\ (t2 = [] -> d = other m)) ->
  (forall c m t2, t = (c, m) :: t2 -> in_order true (left z) a ca c m) ->
  (forall t1 c m e n t2, t = t1 ++ (c, m) :: (e, n) :: t2 -> in_order false (after (left x) t1) c m e n) ->
  tidy true (left z) a ca t d.
Proof.
  intros d [|[c m] t] H1 H2 H3; [exact I|]. destruct (H1 [] c m t eq_refl) as [K1 K2]. split; [exact K1|].
  split; [eapply H2; reflexivity|]. split; [exact K2|]. apply tidy_behind.
  - intros t1 e n t2 ->. apply (H1 ((c, m) :: t1) e n t2). reflexivity.
  - intros t1 e n f o t2 E. apply (H3 t1 e n f o t2). exact E.
Qed.

(* How far a completion is from the order. *)
Fixpoint disorder (t : list rule) : nat :=
  match t with [] => 0%nat | y :: t' => (turn (fst y) * length t + disorder t')%nat end.

Lemma disorder_exchange : forall t1 b l c m r, (turn c < turn b)%nat ->
  (disorder (t1 ++ (c, m) :: (b, l) :: r) < disorder (t1 ++ (b, l) :: (c, m) :: r))%nat.
Proof.
  induction t1 as [|y t1 IH]; intros b l c m r H.
  - cbn [app disorder length fst]. nia.
  - specialize (IH b l c m r H). cbn [app disorder]. cbn [length]. rewrite !app_length. cbn [length]. lia.
Qed.

Section Least.
Variable t : list rule.
Variable d : nat.
Hypothesis L : looked_at t d.
Hypothesis Shorter : forall t' d', looked_at t' d' -> (length t' < length t)%nat -> False.
Hypothesis Ordered : forall t', looked_at t' d -> length t' = length t -> (disorder t' < disorder t)%nat -> False.

Let C : completion x t d. Proof. apply L. Qed.
Let Cheap : value x t d <= V. Proof. apply L. Qed.

(* Other completions with the same first rule are looked at. *)
Lemma same_front : forall t1 r r' d', t1 <> [] -> t = t1 ++ r -> completion x (t1 ++ r') d' -> value x (t1 ++ r') d' <= V ->
  looked_at (t1 ++ r') d'.
Proof.
  intros [|[b l] t1] r r' d' N E C' V'; [contradiction|]. split; [assumption|]. split; [assumption|].
  destruct L as (_ & _ & F). rewrite E in F. exact F.
Qed.

Lemma takes_its_price : forall t1 b l r, t = t1 ++ (b, l) :: r -> price p b < up (other l) (inside b (after (left x) t1)).
Proof.
  intros t1 b l r E. destruct t1 as [|y t1].
  - destruct L as (_ & _ & F). rewrite E in F. apply F.
  - apply Z.lt_nge. intro G. destruct (left_out x V t d C Cheap (y :: t1) b l r E G) as [C' V'].
    apply (Shorter ((y :: t1) ++ r) d).
    + apply (same_front (y :: t1) ((b, l) :: r)); auto. discriminate.
    + rewrite E, !app_length. simpl. lia.
Qed.

Lemma goes_on_well : forall t1 b l r, t = t1 ++ (b, l) :: r -> let s := after (left x) t1 in
  total (ceil p) (outside b s) <= price p b \/ (r = [] /\ l = d) -> False.
Proof.
  intros t1 b l r E s G. destruct (ends_before x V PartX t d C Cheap t1 b l r E G) as [C' V'].
  destruct t1 as [|y t1]; [specialize (NoRules l C'); lia|].
  apply (Shorter (y :: t1) l); [|rewrite E, app_length; simpl; lia].
  pose proof (same_front (y :: t1) ((b, l) :: r) [] l) as K. rewrite app_nil_r in K. apply K; auto. discriminate.
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

Lemma behind_in_order : forall t1 b l c m r, t = t1 ++ (b, l) :: (c, m) :: r -> in_order false (after (left x) t1) b l c m.
Proof.
  intros t1 b l c m r E. unfold in_order. destruct (label_in x t d C t1 b l _ E) as (_ & LC & _ & _ & _).
  assert (E' : t = (t1 ++ [(b, l)]) ++ (c, m) :: r) by (rewrite <- app_assoc; exact E).
  destruct (label_in x t d C _ c m r E') as (_ & MC & _ & _ & _).
  destruct (Nat.eqb m l) eqn:ML.
  - apply Nat.eqb_eq in ML. subst m. apply Nat.nlt_ge. intro G.
    pose proof (same_label x V t d C Cheap t1 b c l r E) as SL. cbv zeta in SL. destruct SL as [C' V'].
    assert (LK : looked_at (t1 ++ (c, l) :: (b, l) :: r) d).
    { destruct t1 as [|y t1]; [|apply (same_front (y :: t1) ((b, l) :: (c, l) :: r)); auto; discriminate].
      split; [exact C'|]. split; [exact V'|]. split; [|split].
      - apply (takes_its_cost x V LowX _ d C' V' [] c l ((b, l) :: r) eq_refl).
      - pose proof (takes_its_price _ c l r E') as T. eapply Z.lt_le_trans; [exact T|].
        cbn [app after fold_left fst]. unfold Pairs.up, inside, outside. rewrite filter_filter, !total_filter.
        apply total_le. intros u _. pose proof (gain_nonneg p (other l) u). destruct (is_in c u), (is_out b u); simpl; lia.
      - intros [EL R]. pose proof L as (_ & _ & F). rewrite E in F. destruct F as (_ & _ & F).
        assert (~ (rank b < rank a)%nat) by tauto. unfold turn in G.
        destruct (Nat.ltb_spec (rank c) (rank a)); [|lia]. destruct (Nat.ltb_spec (rank b) (rank a)); [lia|]. pose proof (Ranked b). lia. }
    apply (Ordered _ LK); [rewrite E, !app_length; reflexivity|]. rewrite E. apply disorder_exchange. exact G.
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

Lemma first_in_order : forall c m r, t = (c, m) :: r -> in_order true (left z) a ca c m.
Proof.
  intros c m r E. unfold in_order. destruct (label_in x t d C [] c m r E) as (_ & MC & _ & _ & _).
  destruct (Nat.eqb m ca) eqn:ML.
  - apply Nat.eqb_eq in ML. destruct L as (_ & _ & F). rewrite E in F. destruct F as (_ & _ & F). apply Nat.nlt_ge. tauto.
  - assert (R : In ca (rule_labels p)) by (rewrite Any, <- Two; exact CA).
    pose proof (back_completion p limited z a ca t d UA Roomy R C) as CZ. rewrite without_a in CZ.
    pose proof (value_attained p limited z a ca t d Cheapest) as VZ. fold x in VZ.
    pose proof (neighbours z V Low ((a, ca) :: t) d CZ ltac:(lia) [] a ca c m r ltac:(rewrite E; reflexivity)) as H.
    cbv zeta in H. cbn [after fold_left] in H. rewrite !cost_up in H by assumption. lia.
Qed.

Theorem least_is_tidy : tidy true (left z) a ca t d.
Proof. apply tidy_all; [apply rules_are_fine|apply first_in_order|apply behind_in_order]. Qed.
End Least.

Hypothesis NoneTidy : forall t d, completion x t d -> t <> [] -> tidy true (left z) a ca t d -> V < value x t d.

Theorem none_looked_at : forall t d, looked_at t d -> False.
Proof.
  assert (K : forall n m t d, (length t <= n)%nat -> (disorder t <= m)%nat -> looked_at t d -> False).
  { induction n as [n IHn] using lt_wf_ind. induction m as [m IHm] using lt_wf_ind. intros t d N M L.
    assert (T : tidy true (left z) a ca t d).
    { apply (least_is_tidy t d L).
      - intros t' d' L' S. apply (IHn (length t') ltac:(lia) (disorder t') t' d'); auto.
      - intros t' L' S O. apply (IHm (disorder t') ltac:(lia) t' d); auto. lia. }
    destruct L as (C & CV & F). assert (t <> []) by (intros ->; exact F).
    specialize (NoneTidy t d C H T). lia. }
  intros t d L. apply (K (length t) (disorder t) t d); auto.
Qed.

(* What becomes of a child of (Z, a): it is hopeless, (Z, a) covers it, or its last two rules swapped
   cost no more and are in order. *)
Theorem relaxed_child : forall b, usable p b -> roomy p limited x ->
  hopeless p V (child x b) \/ covers p x (child x b)
  \/ (paid (child (child z b) a) <= paid (child x b) /\ (rank b < rank a)%nat).
Proof.
  intros b UB R. destruct (attained p NL (inside b (left x))) as (l & Hl & E).
  assert (HC : In l (classes p)) by (rewrite Two, <- Any; exact Hl).
  assert (OC : In (other l) (rule_labels p)) by (rewrite Any; apply other_in).
  destruct (Z_le_gt_dec (up (other l) (inside b (left x))) (price p b)) as [G|G].
  { right. left. split; [cbn [room Completions.child]; unfold less_room; destruct limited; lia|]. intros t d C.
    apply (domination_by_parent p P limited x b t d); [|rewrite Req; intros []|exact C].
    rewrite (ceil_up l) by assumption. lia. }
  destruct (Nat.eq_dec l ca) as [EL|NE]; [destruct (lt_dec (rank b) (rank a)) as [RK|RK]|].
  { right. right. split; [|exact RK]. subst l. unfold x. cbn [paid Completions.child left].
    unfold x in E. cbn [left Completions.child] in E. rewrite E, Cheapest.
    assert (R1 : In ca (rule_labels p)) by exact Hl.
    pose proof (rule_cost_le p (inside b (left z)) ca R1). pose proof (rule_cost_le p (inside a (outside b (left z))) ca R1).
    pose proof (loss_exchange (left z) a ca b ca [] ca) as EX. rewrite !loss_cons in EX.
    assert (EO : outside a (outside b (left z)) = outside b (outside a (left z))).
    { unfold outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
    rewrite EO in EX. lia. }
  all: left; intros t d C; destruct (Z_lt_le_dec V (value (child x b) t d)) as [|G']; [assumption|exfalso].
  all: pose proof (back_completion p limited x b l t d UB R Hl C) as C'.
  all: pose proof (value_attained p limited x b l (strike b t) d E) as EV; rewrite (value_strike p limited x b t d) in G'.
  all: pose proof (struck_price_nonneg p P b t (fun y Hy => proj1 (c_exist p _ _ _ C y Hy))) as SP.
  all: apply (none_looked_at ((b, l) :: strike b t) d); split; [exact C'|split; [rewrite EV; lia|]].
  all: (split; [rewrite <- E; apply rule_cost_le; exact OC|split; [lia|tauto]]).
Qed.
End Relaxation.
