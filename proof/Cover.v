(* Theorems 6 and 8 of docs/proofs.md, on states: an edit that makes every list cheaper, and why rules
   may be swapped.

   [V] is what the cheapest completion of the state of [first] costs. Suppose that this is less than
   is claimed. A state is hopeless if each of its completions costs more. *)

From Coq Require Import ZArith List Bool Lia Arith Wf_nat.
From Surelist Require Import Problem Sums Completions Bound.
Import ListNotations.
Open Scope Z_scope.

(* A weight of antecedents, and of rules. *)
Definition weigh (weight : nat -> nat) (t : list rule) : nat := fold_right (fun x n => weight (fst x) + n)%nat 0%nat t.

Lemma weigh_app : forall weight t t', weigh weight (t ++ t') = (weigh weight t + weigh weight t')%nat.
Proof. induction t as [|x t IH]; intros t'; [reflexivity|]. cbn [app weigh fold_right]. fold (weigh weight (t ++ t')). fold (weigh weight t). rewrite IH. lia. Qed.

Section Cover.
Variable p : problem.
Hypothesis P : proper p.
Hypothesis NL : rule_labels p <> [].
Variable limited : bool.

Notation classes := (classes p).
Notation completion := (completion p).
Notation value := (value p).
Notation child := (child p limited).
Notation rule_cost := (rule_cost p).

Definition usable (a : nat) : Prop := (a < n_antecedents p)%nat /\ ~ In a (forbidden p).

(* One more rule may follow. *)
Definition roomy (s : state) : Prop := if limited then (1 <= room s)%nat else (n_antecedents p <= room s)%nat.

(* The same completion of another state, at no higher cost. *)
Definition covers (b a : state) : Prop := (room a <= room b)%nat /\
  forall t d, completion a t d -> completion b t d /\ value b t d <= value a t d.

Lemma covers_itself : forall s, covers s s.
Proof. intros s. split; [lia|]. intros. split; [assumption|lia]. Qed.

Lemma covers_through : forall a b c, covers a b -> covers b c -> covers a c.
Proof.
  intros a b c [R1 H1] [R2 H2]. split; [lia|]. intros t d C. destruct (H2 t d C) as [C2 V2]. destruct (H1 t d C2) as [C1 V1].
  split; [assumption|lia].
Qed.

Lemma attained : forall s, exists r, In r (rule_labels p) /\ rule_cost s = cost_of r s.
Proof.
  intros s. unfold Completions.rule_cost. set (f := fun r => cost_of r s).
  assert (H : In (least (map f (rule_labels p))) (map f (rule_labels p))).
  { apply least_in. destruct (rule_labels p); [contradiction|discriminate]. }
  apply in_map_iff in H. destruct H as (r & E & Hr). exists r. split; [assumption|]. rewrite <- E. reflexivity.
Qed.

(* An antecedent that is in the prefix already captures nothing: it may be struck out. *)
Definition strike (a : nat) (t : list rule) : list rule := filter (fun x => negb (Nat.eqb (fst x) a)) t.

Lemma in_strike : forall a t b, In b (prefix (strike a t)) <-> In b (prefix t) /\ b <> a.
Proof.
  intros. unfold prefix, strike. rewrite !in_map_iff. split.
  - intros (x & <- & H). apply filter_In in H. destruct H as [H E]. apply negb_true_iff, Nat.eqb_neq in E.
    split; [exists x; tauto|assumption].
  - intros ((x & <- & H) & D). exists x. split; [reflexivity|]. apply filter_In. split; [assumption|].
    apply negb_true_iff, Nat.eqb_neq. assumption.
Qed.

Lemma strike_nodup : forall a t, NoDup (prefix t) -> NoDup (prefix (strike a t)).
Proof. intros. apply NoDup_prefix_filter. assumption. Qed.

Lemma strike_length : forall a t, (length (strike a t) <= length t)%nat.
Proof. induction t; simpl; [lia|]. destruct (negb _); simpl; lia. Qed.

Lemma predict_strike : forall a t d u, captures u a = false -> predict (strike a t) d u = predict t d u.
Proof.
  induction t as [|[b r] t IH]; intros d u H; [reflexivity|]. simpl. destruct (Nat.eqb b a) eqn:E.
  - apply Nat.eqb_eq in E. subst. rewrite H. apply IH. assumption.
  - simpl. rewrite IH by assumption. reflexivity.
Qed.

Lemma loss_strike : forall a s t d, loss (outside a s) (strike a t) d = loss (outside a s) t d.
Proof.
  intros. apply total_ext. intros u H. apply filter_In in H. destruct H as [_ H]. rewrite predict_strike; [reflexivity|].
  unfold is_out in H. apply negb_true_iff in H. exact H.
Qed.

Definition struck_price (a : nat) (t : list rule) : Z := total (price p) (prefix t) - total (price p) (prefix (strike a t)).

Lemma struck_price_nonneg : forall a t, (forall b, In b (prefix t) -> (b < n_antecedents p)%nat) -> 0 <= struck_price a t.
Proof.
  intros a t. unfold struck_price. induction t as [|[b r] t IH]; intros H; [simpl; lia|].
  assert (0 <= price p b) by (apply (prices_nonneg _ P); apply H; left; reflexivity).
  assert (forall b, In b (prefix t) -> (b < n_antecedents p)%nat) by (intros; apply H; right; assumption).
  specialize (IH H1). unfold strike in *. simpl. destruct (Nat.eqb b a); simpl; autorewrite with sums in *; lia.
Qed.

Lemma value_strike : forall s a t d, value (child s a) t d = value (child s a) (strike a t) d + struck_price a t.
Proof.
  intros. unfold Completions.value, struck_price. cbn [left paid Completions.child]. rewrite loss_strike. lia.
Qed.

Lemma value_attained : forall s a r t d, rule_cost (inside a (left s)) = cost_of r (inside a (left s)) ->
  value s ((a, r) :: t) d = value (child s a) t d.
Proof.
  intros. unfold Completions.value. rewrite loss_cons. cbn [left paid Completions.child prefix map fst]. autorewrite with sums. unfold prefix. lia.
Qed.

(* A completion of a child, with the child's antecedent in front of it. *)
Lemma back_completion : forall s a r t d, usable a -> roomy s -> In r (rule_labels p) ->
  completion (child s a) t d -> completion s ((a, r) :: strike a t) d.
Proof.
  intros s a r t d [U1 U2] R Hr [H1 H2 H3 H4 H5 H6].
  assert (N : NoDup (prefix ((a, r) :: strike a t))).
  { change (prefix ((a, r) :: strike a t)) with (a :: prefix (strike a t)). constructor; [|apply strike_nodup; assumption].
    intro H. apply in_strike in H. tauto. }
  assert (E : forall b, In b (prefix ((a, r) :: strike a t)) -> (b < n_antecedents p)%nat /\ ~ In b (forbidden p)).
  { intros b [<-|H]; [split; assumption|]. apply in_strike in H. apply H2. tauto. }
  constructor; auto.
  - intros q [<-|H]; [assumption|]. apply in_map_iff in H. destruct H as (x & <- & Hx). apply filter_In in Hx.
    apply H3. apply in_map. tauto.
  - intros b Hb Hu. destruct (Nat.eq_dec a b) as [->|D]; [left; reflexivity|]. right. apply in_strike. split; [|auto].
    apply H5; [assumption|]. simpl. tauto.
  - unfold roomy in R. destruct limited.
    + pose proof (strike_length a t). cbn [room Completions.child less_room] in H6. cbn [length]. lia.
    + transitivity (n_antecedents p); [|assumption]. rewrite <- (map_length fst). change (map fst) with prefix.
      rewrite <- (seq_length (n_antecedents p) 0). apply NoDup_incl_length; [assumption|].
      intros b Hb. apply in_seq. pose proof (proj1 (E b Hb)). lia.
Qed.

Lemma back_one : forall s a t d, usable a -> roomy s -> completion (child s a) t d ->
  exists t', completion s t' d /\ value s t' d <= value (child s a) t d.
Proof.
  intros s a t d U R C. destruct (attained (inside a (left s))) as (r & Hr & E).
  exists ((a, r) :: strike a t). split; [apply back_completion; assumption|].
  rewrite value_attained by assumption. rewrite (value_strike s a t d).
  assert (0 <= struck_price a t); [|lia]. apply struck_price_nonneg. intros b Hb. apply (c_exist p _ _ _ C b Hb).
Qed.

Section Cheapest.
Variable V : Z.

Definition hopeless (s : state) : Prop := forall t d, completion s t d -> V < value s t d.

Lemma hopeless_child : forall s a, usable a -> roomy s -> hopeless s -> hopeless (child s a).
Proof. intros s a U R H t d C. destruct (back_one s a t d U R C) as (t' & C' & V'). specialize (H t' d C'). lia. Qed.

Lemma hopeless_covered : forall b a, covers b a -> hopeless b -> hopeless a.
Proof. intros b a [_ H] HB t d C. destruct (H t d C) as [C' V']. specialize (HB t d C'). lia. Qed.

(* All lists begin with [first]: their states descend from one, [start]. *)
Variable start : state.
Hypothesis Cheapest : forall t d, completion start t d -> V <= value start t d.
Hypothesis Room : limited = false -> (n_antecedents p <= room start)%nat.

Definition at_path (path : list nat) : state := fold_left child path start.
Definition fits (path : list nat) : Prop := Forall usable path /\ (limited = true -> (length path <= room start)%nat).

Lemma at_app : forall path a, at_path (path ++ [a]) = child (at_path path) a.
Proof. intros. unfold at_path. rewrite fold_left_app. reflexivity. Qed.

Lemma room_at_path : forall path, room (at_path path) = if limited then (room start - length path)%nat else room start.
Proof.
  clear Cheapest Room. induction path as [|a path IH] using rev_ind; [change (at_path []) with start; cbn [length]; destruct limited; lia|].
  rewrite at_app, app_length. cbn [room Completions.child length]. rewrite IH. unfold less_room. destruct limited; lia.
Qed.

Lemma roomy_at : forall path, (limited = true -> (length path < room start)%nat) -> roomy (at_path path).
Proof. intros path H. unfold roomy. rewrite room_at_path. destruct limited; [specialize (H eq_refl); lia|apply Room; reflexivity]. Qed.

Lemma path_costs : forall path, fits path -> forall t d, completion (at_path path) t d -> V <= value (at_path path) t d.
Proof.
  induction path as [|a path IH] using rev_ind; intros [F L] t d C; [apply Cheapest; assumption|].
  rewrite at_app in *. rewrite app_length in L. apply Forall_app in F. destruct F as [F1 F2]. inversion F2; subst.
  destruct (back_one (at_path path) a t d) as (t' & C' & V'); auto.
  - apply roomy_at. intro E. specialize (L E). simpl in L. lia.
  - etransitivity; [|exact V']. apply IH; [|assumption]. split; [assumption|]. intro E. specialize (L E). simpl in L. lia.
Qed.

(* Theorem 6, an edit that makes every list cheaper. *)
Theorem cheaper_edit : forall path a, fits path ->
  covers {| left := left (at_path path); paid := paid (at_path path) + 1; used := used (at_path path); room := room (at_path path) |} a ->
  hopeless a.
Proof.
  intros path a F [_ H] t d C. destruct (H t d C) as [[D1 D2 D3 D4 D5 D6] V'].
  assert (C' : completion (at_path path) t d) by (constructor; assumption).
  pose proof (path_costs path F t d C'). unfold Completions.value in *. cbn [left paid] in V'. lia.
Qed.

(* Prefixes that are listed for another reason than a sibling, and those of them whose children are
   accounted for one by one: all but those of a relaxation. *)
Variable stands : list nat -> Prop.
Variable solid : list nat -> Prop.
Hypothesis Solid : forall path, solid path -> stands path.
Hypothesis Fits : forall path, stands path -> fits path.
Variable rank : nat -> nat.  (* of an antecedent in the order *)
Variable ranks : nat.
Hypothesis Ranked : forall a, (rank a <= ranks)%nat.
Variable deep : nat.
Hypothesis Deep : forall path, stands path -> (length path <= deep)%nat.

(* An antecedent weighs more than as many as a prefix has that come later in the order. *)
Definition weight (a : nat) : nat := (S deep ^ S (ranks - rank a))%nat.
Notation weigh := (weigh weight).

Lemma weight_is : forall a, weight a = (S deep * S deep ^ (ranks - rank a))%nat.
Proof. reflexivity. Qed.

Lemma weight_positive : forall a, (0 < weight a)%nat.
Proof. clear. intros a. unfold weight. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia. Qed.

Lemma weight_later : forall a b, (rank b < rank a)%nat -> (weight a <= S deep ^ (ranks - rank b))%nat.
Proof. intros a b H. unfold weight. apply Nat.pow_le_mono_r; [lia|]. pose proof (Ranked a). lia. Qed.

Definition covered (s : state) : Prop := hopeless s \/ exists path, stands path /\ covers (at_path path) s.

Lemma covered_by : forall b a, covers b a -> covered b -> covered a.
Proof.
  intros b a H [HB|(path & S & C)]; [left; eapply hopeless_covered; eassumption|].
  right. exists path. split; [assumption|]. eapply covers_through; eassumption.
Qed.

(* The last two rules of the child of [path ++ [a]] by [b] in the other order. *)
Definition swapped (path : list nat) (b : nat) : Prop := exists front a, path = front ++ [a] /\ solid front /\
  (paid (child (child (at_path front) b) a) < paid (child (at_path path) b)
   \/ (paid (child (child (at_path front) b) a) = paid (child (at_path path) b) /\ (rank b < rank a)%nat)).

Definition accounted (path : list nat) (b : nat) : Prop :=
  hopeless (at_path path) \/ covered (child (at_path path) b) \/ swapped path b.

Hypothesis Accounted : forall path b, solid path -> usable b -> roomy (at_path path) -> accounted path b.
Hypothesis NoRules : forall path, solid path -> forall d, completion (at_path path) [] d -> V < value (at_path path) [] d.

(* A completion with rules that are not dear that none of the others is: rules of one label may be
   exchanged, or left out, until it begins with one that may be swapped with the last rule. *)
Definition relaxed (path : list nat) : Prop := exists front a, path = front ++ [a] /\ solid front /\
  forall w,
    (forall b l t d, completion (at_path path) ((b, l) :: t) d -> value (at_path path) ((b, l) :: t) d <= V ->
       (weigh ((b, l) :: t) <= w)%nat -> (rank b < rank a)%nat ->
       paid (child (child (at_path front) b) a) <= paid (child (at_path path) b) -> False) ->
    forall t d, completion (at_path path) t d -> value (at_path path) t d <= V -> (weigh t <= w)%nat -> False.

Hypothesis Settled : forall path, stands path -> solid path \/ relaxed path.

Lemma swap_covers : forall s a b, paid (child (child s b) a) <= paid (child (child s a) b) ->
  covers (child (child s b) a) (child (child s a) b).
Proof.
  intros s a b H. split; [cbn [room Completions.child]; lia|].
  intros t d [H1 H2 H3 H4 H5 H6]. split.
  - constructor; auto. intros x Hx Hu. apply H5; [assumption|]. cbn [used Completions.child] in *. simpl in *. tauto.
  - unfold Completions.value. assert (E : left (child (child s b) a) = left (child (child s a) b)).
    { cbn [left Completions.child]. unfold outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
    rewrite E. lia.
Qed.

Lemma weigh_strike : forall a t, (weigh (strike a t) <= weigh t)%nat.
Proof.
  intros a. induction t as [|x t IH]; [apply le_n|]. cbn [strike filter]. fold (strike a t).
  destruct (negb _); cbn [Cover.weigh fold_right]; fold (weigh t); [fold (weigh (strike a t)); lia|].
  etransitivity; [exact IH|lia].
Qed.

Lemma back_weigh : forall s a t d, usable a -> roomy s -> completion (child s a) t d -> exists t',
  completion s t' d /\ value s t' d <= value (child s a) t d /\ (weigh t' <= weight a + weigh t)%nat.
Proof.
  intros s a t d U R C. destruct (attained (inside a (left s))) as (r & Hr & E).
  exists ((a, r) :: strike a t). split; [apply back_completion; assumption|]. split.
  - rewrite value_attained by assumption. rewrite (value_strike s a t d).
    assert (0 <= struck_price a t); [|lia]. apply struck_price_nonneg. intros b Hb. apply (c_exist p _ _ _ C b Hb).
  - cbn [Cover.weigh fold_right fst]. fold (weigh (strike a t)). pose proof (weigh_strike a t). lia.
Qed.

(* A completion of a child is one of some listed prefix: with what was swapped on the way in front,
   which comes later in the order than the child's antecedent. *)
Lemma chain : forall n path b, (length path <= n)%nat -> solid path -> usable b -> roomy (at_path path) ->
  forall t d, completion (child (at_path path) b) t d -> value (child (at_path path) b) t d <= V ->
  exists w t', stands w /\ completion (at_path w) t' d /\ value (at_path w) t' d <= V
    /\ (weigh t' <= weigh t + length path * S deep ^ (ranks - rank b))%nat.
Proof.
  induction n as [n IHn] using lt_wf_ind. intros path b N S U R t d C CV.
  destruct (Accounted path b S U R) as [H|[[H|(w & SW & [_ CW])]|(front & a & E & SF & H)]].
  - pose proof (hopeless_child _ b U R H t d C). lia.
  - pose proof (H t d C). lia.
  - destruct (CW t d C) as [C' V']. exists w, t. split; [assumption|]. split; [assumption|]. split; lia.
  - pose proof (Fits path (Solid path S)) as [F L]. rewrite E in F. apply Forall_app in F. destruct F as [F1 F2].
    assert (UA : usable a) by (inversion F2; assumption).
    assert (RF : roomy (at_path front) /\ roomy (child (at_path front) b)).
    { unfold roomy in *. rewrite E, at_app in R. cbn [room Completions.child] in *. unfold less_room in *. destruct limited; lia. }
    destruct RF as [RF RB].
    assert (EP : child (at_path path) b = child (child (at_path front) a) b) by (rewrite E, at_app; reflexivity).
    rewrite EP in *.
    assert (HP : paid (child (child (at_path front) b) a) <= paid (child (child (at_path front) a) b)) by lia.
    destruct (swap_covers (at_path front) a b HP) as [_ HC]. destruct (HC t d C) as [C2 V2].
    destruct (back_weigh (child (at_path front) b) a t d UA RB C2) as (t1 & C1 & V1 & W1).
    destruct H as [H|[H O]].
    + exfalso. destruct (back_weigh (at_path front) b t1 d U RF C1) as (t0 & C0 & V0 & _).
      assert (FF : fits front). { apply Fits, Solid. assumption. }
      pose proof (path_costs front FF t0 d C0).
      assert (value (child (child (at_path front) b) a) t d < value (child (child (at_path front) a) b) t d); [|lia].
      unfold Completions.value.
      assert (EL : left (child (child (at_path front) b) a) = left (child (child (at_path front) a) b)).
      { cbn [left Completions.child]. unfold outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
      rewrite EL. lia.
    + assert (LP : length path = Datatypes.S (length front)) by (rewrite E, app_length; simpl; lia).
      destruct (IHn (length front) ltac:(lia) front b ltac:(lia) SF U RF t1 d C1 ltac:(lia)) as (w & t2 & SW & C3 & V3 & W3).
      exists w, t2. split; [assumption|]. split; [assumption|]. split; [assumption|].
      pose proof (weight_later a b O). rewrite LP. cbn [Nat.mul]. lia.
Qed.

(* Completions of listed prefixes cost more, by induction on what they weigh. *)
Theorem standing_hopeless : forall n path t d, stands path -> (weigh t <= n)%nat -> completion (at_path path) t d ->
  V < value (at_path path) t d.
Proof.
  induction n as [n IH] using lt_wf_ind. intros path t d S L C.
  destruct (Z_lt_le_dec V (value (at_path path) t d)) as [|CV]; [assumption|exfalso].
  assert (Room' : forall b r t d, completion (at_path path) ((b, r) :: t) d -> roomy (at_path path)).
  { intros b r t' d' C'. pose proof (c_short p _ _ _ C') as CS. apply roomy_at. intro EL. rewrite room_at_path, EL in CS. simpl in CS. lia. }
  destruct (Settled path S) as [SP|(front & a & E & SF & K)].
  - destruct t as [|[b r] t]; [pose proof (NoRules path SP d C); lia|].
    destruct (child_step p limited (at_path path) b r t d C) as [C' V'].
    assert (U : usable b) by (apply (c_exist p _ _ _ C b); left; reflexivity).
    destruct (chain (length path) path b ltac:(lia) SP U (Room' _ _ _ _ C) t d C' ltac:(lia)) as (w & t' & SW & C2 & V2 & W2).
    assert (W3 : (weigh t' < weigh ((b, r) :: t))%nat).
    { cbn [Cover.weigh fold_right fst]. fold (weigh t). pose proof (Deep path S). rewrite weight_is.
      set (X := (Datatypes.S deep ^ (ranks - rank b))%nat) in *.
      assert (0 < X)%nat by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
      assert ((1 + length path) * X <= Datatypes.S deep * X)%nat by (apply Nat.mul_le_mono_r; lia). lia. }
    pose proof (IH (weigh t') ltac:(lia) w t' d SW ltac:(lia) C2). lia.
  - apply (K (weigh t)) with (t := t) (d := d); auto. intros b l r d' CB VB WB RB PB.
    destruct (child_step p limited (at_path path) b l r d' CB) as [C' V'].
    assert (U : usable b) by (apply (c_exist p _ _ _ CB b); left; reflexivity).
    pose proof (Room' _ _ _ _ CB) as R. pose proof (Fits path S) as [F _]. rewrite E in F. apply Forall_app in F. destruct F as [_ F2].
    assert (UA : usable a) by (inversion F2; assumption).
    assert (RF : roomy (at_path front) /\ roomy (child (at_path front) b)).
    { unfold roomy in *. rewrite E, at_app in R. cbn [room Completions.child] in *. unfold less_room in *. destruct limited; lia. }
    destruct RF as [RF RC].
    assert (EP : child (at_path path) b = child (child (at_path front) a) b) by (rewrite E, at_app; reflexivity).
    rewrite EP in *. destruct (swap_covers (at_path front) a b PB) as [_ HC]. destruct (HC r d' C') as [C2 V2].
    destruct (back_weigh (child (at_path front) b) a r d' UA RC C2) as (t1 & C1 & V1 & W1).
    destruct (chain (length front) front b ltac:(lia) SF U RF t1 d' C1 ltac:(lia)) as (w & t2 & SW & C3 & V3 & W3).
    assert (W4 : (weigh t2 < weigh ((b, l) :: r))%nat).
    { cbn [Cover.weigh fold_right fst]. fold (weigh r). pose proof (Deep path S) as D.
      assert (LP : length path = Datatypes.S (length front)) by (rewrite E, app_length; simpl; lia).
      pose proof (weight_later a b RB) as WA. rewrite weight_is.
      set (X := (Datatypes.S deep ^ (ranks - rank b))%nat) in *.
      assert (0 < X)%nat by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
      assert ((2 + length front) * X <= Datatypes.S deep * X)%nat by (apply Nat.mul_le_mono_r; lia). lia. }
    pose proof (IH (weigh t2) ltac:(lia) w t2 d' SW ltac:(lia) C3). lia.
Qed.

Theorem start_hopeless : covered start -> hopeless start.
Proof.
  intros [H|(w & S & C)]; [assumption|]. apply (hopeless_covered (at_path w)); [assumption|].
  intros t d Ct. apply (standing_hopeless (weigh t)); auto.
Qed.

End Cheapest.

(* What is hopeless for every V below the target that could be the least costs at least the target. *)
Theorem no_least_below : forall start target low,
  (forall V, V < target -> (forall t d, completion start t d -> V <= value start t d) -> hopeless V start) ->
  (forall t d, completion start t d -> low <= value start t d) ->
  forall t d, completion start t d -> target <= value start t d.
Proof.
  intros start target low H H0.
  assert (K : forall n t d, completion start t d -> (Z.to_nat (value start t d - low) < n)%nat -> target <= value start t d).
  { induction n; intros t d C L; [lia|]. destruct (Z_lt_le_dec (value start t d) target) as [B|B]; [|assumption]. exfalso.
    assert (M : forall t' d', completion start t' d' -> value start t d <= value start t' d').
    { intros t' d' C'. destruct (Z_lt_le_dec (value start t' d') (value start t d)) as [B'|B']; [|assumption].
      pose proof (H0 t' d' C'). pose proof (H0 t d C). specialize (IHn t' d' C' ltac:(lia)). lia. }
    specialize (H _ B M t d C). lia. }
  intros t d C. apply (K (S (Z.to_nat (value start t d - low)))); [assumption|lia].
Qed.

End Cover.
