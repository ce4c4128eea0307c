(* Nodes are what they stand for: states of prefixes, with sums over what antecedents capture. *)

From Coq Require Import ZArith List Bool Lia Permutation Arith.
From Surelist Require Import Problem Sums Completions Bound Points Check BoundSound ParentSound.
Import ListNotations.
Open Scope Z_scope.

Section NodeSound.
Variable p : problem.
Variable target : Z.
Variable limit : option nat.
Variable lp : Z.
Hypothesis P : proper p.
Hypothesis LP : forall a, (a < n_antecedents p)%nat -> lp <= price p a.
Hypothesis LP0 : 0 <= lp.
Hypothesis NL : rule_labels p <> [].
Variable points : list point.
Hypothesis HP : Forall (good_point p) points.
Hypothesis HS : map source points = groups p.

Notation completion := (completion p).
Notation value := (value p).
Notation good_ante := (good_ante p lp).
Notation missing := (missing p).
Notation limited := (limited limit).
Notation sums_of := (sums_of p).

Definition longest : nat := match limit with Some n => n | None => n_antecedents p end.
Definition root_state : state := {| left := groups p; paid := 0; used := []; room := longest |}.
Definition state_from (s : state) (path : list nat) : state := fold_left (child p limited) path s.
Definition state_of (path : list nat) : state := state_from root_state path.
Definition room_after (n : nat) : nat := if limited then (longest - n)%nat else longest.

Lemma within_inside : forall a l, good_ante a -> Forall (good_point p) l ->
  map source (filter (within a) l) = inside (index a) (map source l).
Proof. intros a l [E L] H. rewrite <- (filter_within p lp (index a) l H L). rewrite <- E. reflexivity. Qed.

Lemma without_outside : forall a l, good_ante a -> Forall (good_point p) l ->
  map source (filter (without a) l) = outside (index a) (map source l).
Proof. intros a l [E L] H. rewrite <- (filter_without p lp (index a) l H L). rewrite <- E. reflexivity. Qed.

Lemma leaves_source : forall path x, Forall good_ante path -> good_point p x ->
  leaves path x = forallb (fun a => is_out a (source x)) (map index path).
Proof.
  intros path x HA HX. induction HA as [|a path A HA IH]; [reflexivity|]. unfold leaves in *. cbn [forallb map]. rewrite IH. f_equal.
  unfold without, is_out. f_equal. destruct A as [E L]. rewrite E at 1. apply within_spec; assumption.
Qed.

Lemma filter_leaves : forall path l, Forall good_ante path -> Forall (good_point p) l ->
  map source (filter (leaves path) l) = filter (fun u => forallb (fun a => is_out a u) (map index path)) (map source l).
Proof.
  intros path l HA HL. rewrite filter_map. f_equal. apply filter_ext_in. intros x Hx. rewrite Forall_forall in HL. apply leaves_source; auto.
Qed.

Definition row_ok (s : state) (r : row) : Prop :=
  good_ante (r_ante r) /\ Forall (good_point p) (r_points r) /\
  map source (r_points r) = inside (index (r_ante r)) (left s) /\
  r_sums r = sums_of (inside (index (r_ante r)) (left s)).

Definition row_index (r : row) : nat := index (r_ante r).

Record node_ok (x : node) (s : state) : Prop := {
  ok_points : n_points x = filter (leaves (n_path x)) points;
  ok_left : left s = map source (n_points x);
  ok_paid : paid s = n_paid x;
  ok_used : used s = map index (n_path x);
  ok_path : Forall good_ante (n_path x);
  ok_room : room s = n_room x;
  ok_length : room s = room_after (length (n_path x));
  ok_sums : n_sums x = sums_of (left s);
  ok_rows : Forall (row_ok s) (n_rows x);
  ok_distinct : NoDup (map row_index (n_rows x));
  ok_usable : forall r, In r (n_rows x) -> ~ In (row_index r) (forbidden p);
  ok_left_out : forall a, (a < n_antecedents p)%nat -> ~ In a (forbidden p) ->
    ~ In a (map row_index (n_rows x)) -> ~ missing s a /\ worthless p (left s) a
}.

Lemma good_filter : forall c, Forall (good_point p) (filter c points).
Proof. intros. apply Forall_filter. exact HP. Qed.

Lemma ok_good : forall x s, node_ok x s -> Forall (good_point p) (n_points x).
Proof. intros x s H. rewrite (ok_points _ _ H). apply good_filter. Qed.

Lemma ok_incl : forall x s, node_ok x s -> incl (left s) (groups p).
Proof.
  intros x s H u Hu. rewrite (ok_left _ _ H), (ok_points _ _ H) in Hu. rewrite <- HS.
  apply in_map_iff in Hu. destruct Hu as (y & <- & Hy). apply filter_In in Hy. apply in_map. tauto.
Qed.

Lemma existsb_index : forall l a, existsb (fun b => Nat.eqb (index b) a) l = true <-> In a (map index l).
Proof.
  intros. rewrite existsb_exists, in_map_iff. split; intros (b & H1 & H2); exists b.
  - apply Nat.eqb_eq in H2. tauto.
  - split; [tauto|]. apply Nat.eqb_eq. tauto.
Qed.

Lemma key_spec : forall a b, good_ante a -> good_ante b -> (key a =? key b) = true <-> index a = index b.
Proof.
  intros a b [Ea _] [Eb _]. rewrite Z.eqb_eq. assert (Ka : key a = whole (index a)) by (rewrite Ea at 1; reflexivity).
  assert (Kb : key b = whole (index b)) by (rewrite Eb at 1; reflexivity). rewrite Ka, Kb, !whole_spec. split; [lia|]. intros ->. reflexivity.
Qed.

Lemma existsb_key : forall l a, Forall good_ante l -> good_ante a ->
  existsb (fun b => key b =? key a) l = true <-> In (index a) (map index l).
Proof.
  intros l a HL HA. rewrite existsb_exists, in_map_iff. rewrite Forall_forall in HL. split; intros (b & H1 & H2); exists b.
  - split; [apply key_spec; auto|assumption].
  - split; [assumption|]. apply key_spec; auto.
Qed.

Lemma must_spec : forall a, good_ante a -> must a = true <-> In (index a) (required p).
Proof. intros a [E _]. rewrite E at 1. cbn [must make_ante]. apply (member_spec (index a)). Qed.

Lemma is_needed_spec : forall x s a, node_ok x s -> good_ante a ->
  is_needed (n_path x) a = true <-> missing s (index a).
Proof.
  intros x s a H A. unfold is_needed, BoundSound.missing. rewrite andb_true_iff, negb_true_iff, must_spec by assumption.
  rewrite (ok_used _ _ H), <- (existsb_key (n_path x) a (ok_path _ _ H) A). destruct (existsb _ (n_path x)); intuition congruence.
Qed.

Lemma is_settled_spec : forall path, is_settled p path = true <-> (forall a, In a (required p) -> In a (map index path)).
Proof.
  intros. unfold is_settled. rewrite forallb_forall. split; intros H a Ha; apply existsb_index; auto.
Qed.

Lemma rule_attained : forall s, exists r, In r (rule_labels p) /\ rule_cost p s = cost_of r s.
Proof.
  intros s. unfold rule_cost. set (f := fun r => cost_of r s).
  assert (H : In (least (map f (rule_labels p))) (map f (rule_labels p))).
  { apply least_in. destruct (rule_labels p); [contradiction|discriminate]. }
  apply in_map_iff in H. destruct H as (r & E & Hr). exists r. split; [assumption|]. rewrite <- E. reflexivity.
Qed.

Lemma price_spec : forall a, good_ante a -> rule_price a = price p (index a).
Proof. intros a [E _]. rewrite E at 1. reflexivity. Qed.

Lemma is_worthless_spec : forall s x, good_ante (fst x) -> snd x = sums_of (inside (item_index x) (left s)) ->
  is_worthless p x = true -> worthless p (left s) (item_index x).
Proof.
  intros s x A E H r Hr. unfold is_worthless in H. apply Z.leb_le in H. rewrite E, rule_of_spec in H by assumption.
  cbn [s_high Points.sums_of] in H. rewrite price_spec in H by assumption. fold (item_index x) in H.
  pose proof (rule_cost_le p (inside (item_index x) (left s)) r Hr). lia.
Qed.

Lemma worthless_shrinks : forall s a b, worthless p s b -> worthless p (outside a s) b.
Proof.
  intros s a b H r Hr. specialize (H r Hr). rewrite <- total_save in *.
  pose proof (inside_of_outside_save p r a b s (labels_are_classes _ P r Hr)). lia.
Qed.

Lemma less_room_after : forall n, less_room limited (room_after n) = room_after (S n).
Proof. intros. unfold room_after, less_room. destruct limited; lia. Qed.

Lemma NoDup_rows_filter : forall c (l : list row), NoDup (map row_index l) -> NoDup (map row_index (filter c l)).
Proof.
  induction l; simpl; intros ND; [constructor|]. inversion ND; subst. destruct (c a); simpl; auto.
  constructor; auto. intro H. apply H1. apply in_map_iff in H. destruct H as (y & E & Hy).
  apply filter_In in Hy. apply in_map_iff. exists y. tauto.
Qed.

Theorem next_ok : forall x s a, node_ok x s -> good_ante a ->
  node_ok (next p limit x a) (child p limited s (index a)).
Proof.
  intros x s a H A. pose proof (ok_good x s H) as GP.
  assert (W : map source (filter (within a) (n_points x)) = inside (index a) (left s)).
  { rewrite within_inside by assumption. rewrite (ok_left _ _ H). reflexivity. }
  assert (SW : sum_points p (filter (within a) (n_points x)) = sums_of (inside (index a) (left s))).
  { rewrite sum_points_spec by (apply Forall_filter; assumption). rewrite W. reflexivity. }
  constructor; unfold next; cbn [n_points n_paid n_path n_room n_sums n_rows child left paid used room].
  - rewrite (ok_points _ _ H), filter_filter. apply filter_ext. intros y. cbn [leaves forallb]. apply andb_comm.
  - rewrite (ok_left _ _ H). rewrite without_outside by assumption. reflexivity.
  - rewrite SW, rule_of_spec, price_spec, (ok_paid _ _ H) by assumption. reflexivity.
  - cbn [map]. rewrite (ok_used _ _ H). reflexivity.
  - constructor; [assumption|apply (ok_path _ _ H)].
  - rewrite (ok_room _ _ H). reflexivity.
  - rewrite (ok_length _ _ H). cbn [length]. apply less_room_after.
  - rewrite SW, (ok_sums _ _ H). apply minus_spec.
  - rewrite Forall_forall. intros r Hr. apply in_map_iff in Hr. destruct Hr as (o & <- & Ho).
    apply filter_In in Ho. destruct Ho as [Ho _]. pose proof (ok_rows _ _ H) as R. rewrite Forall_forall in R.
    destruct (R o Ho) as (R1 & R2 & R3 & R4). unfold row_ok. cbn [r_ante r_points r_sums left child].
    assert (E : map source (filter (without a) (r_points o)) = inside (index (r_ante o)) (outside (index a) (left s))).
    { rewrite without_outside by assumption. rewrite R3. symmetry. apply inside_outside_comm. }
    split; [assumption|]. split; [apply Forall_filter; assumption|]. split; [exact E|].
    rewrite sum_points_spec by (apply Forall_filter; assumption). rewrite E. reflexivity.
  - rewrite map_map. unfold row_index at 1. cbn [r_ante]. apply (NoDup_rows_filter _ _ (ok_distinct _ _ H)).
  - intros r Hr. apply in_map_iff in Hr. destruct Hr as (o & <- & Ho). apply filter_In in Ho.
    apply (ok_usable _ _ H o). tauto.
  - intros b Hb Hf Hn. rewrite map_map in Hn. unfold row_index at 1 in Hn. cbn [r_ante] in Hn.
    assert (K : ~ missing s b /\ worthless p (left s) b).
    { destruct (in_dec Nat.eq_dec b (map row_index (n_rows x))) as [Hi|Hi].
      - apply in_map_iff in Hi. destruct Hi as (o & Eo & Ho).
        pose proof (ok_rows _ _ H) as R. rewrite Forall_forall in R. destruct (R o Ho) as (R1 & R2 & R3 & R4).
        destruct (is_needed (n_path x) (r_ante o) || negb (is_worthless p (row_item o))) eqn:E.
        + exfalso. apply Hn. apply in_map_iff. exists o. split; [exact Eo|]. apply filter_In. tauto.
        + apply orb_false_iff in E. destruct E as [E1 E2]. apply negb_false_iff in E2. split.
          * rewrite <- Eo. intro M. apply (is_needed_spec x s (r_ante o) H R1) in M. congruence.
          * rewrite <- Eo. apply (is_worthless_spec s (row_item o)); assumption.
      - apply (ok_left_out _ _ H); assumption. }
    destruct K as [K1 K2]. split.
    + intros [M1 M2]. apply K1. split; [assumption|]. intro. apply M2. right. assumption.
    + apply worthless_shrinks. assumption.
Qed.

Definition usable : list ante :=
  filter (fun a => negb (member (index a) (forbidden p))) (map (make_ante p lp) (seq 0 (n_antecedents p))).

Lemma make_good : forall a, (a < n_antecedents p)%nat -> good_ante (make_ante p lp a).
Proof. intros a H. split; [reflexivity|assumption]. Qed.

Lemma usable_index : map index usable = filter (fun a => negb (member a (forbidden p))) (seq 0 (n_antecedents p)).
Proof.
  unfold usable. rewrite filter_map, map_map. cbn [index make_ante]. rewrite map_id. reflexivity.
Qed.

Theorem root_ok : node_ok (root p limit points usable) root_state.
Proof.
  assert (U : map row_index (map (make_row p points) usable) = map index usable) by (rewrite map_map; reflexivity).
  assert (UG : forall a, In a usable -> good_ante a).
  { intros a Ha. apply filter_In in Ha. destruct Ha as [Ha _]. apply in_map_iff in Ha. destruct Ha as (b & <- & Hb).
    apply in_seq in Hb. apply make_good. lia. }
  constructor; unfold root; cbn [n_points n_paid n_path n_room n_sums n_rows root_state left paid used room].
  - symmetry. apply filter_true.
  - symmetry. exact HS.
  - reflexivity.
  - reflexivity.
  - constructor.
  - reflexivity.
  - unfold room_after. cbn [length]. destruct limited; lia.
  - rewrite sum_points_spec by assumption. rewrite HS. reflexivity.
  - rewrite Forall_forall. intros r Hr. apply in_map_iff in Hr. destruct Hr as (a & <- & Ha). specialize (UG a Ha).
    assert (E : map source (filter (within a) points) = inside (index a) (groups p)).
    { rewrite within_inside by assumption. rewrite HS. reflexivity. }
    unfold row_ok, make_row. cbn [r_ante r_points r_sums]. split; [assumption|]. split; [apply good_filter|].
    split; [exact E|]. rewrite sum_points_spec by apply good_filter. rewrite E. reflexivity.
  - rewrite U, usable_index. apply NoDup_filter, seq_NoDup.
  - intros r Hr Hf. apply (in_map row_index) in Hr. rewrite U, usable_index in Hr. apply filter_In in Hr.
    destruct Hr as [_ Hr]. apply negb_true_iff in Hr. apply member_spec in Hf. congruence.
  - intros a Ha Hf Hn. exfalso. apply Hn. rewrite U, usable_index. apply filter_In. split; [apply in_seq; lia|].
    apply negb_true_iff. destruct (member a (forbidden p)) eqn:E; [|reflexivity]. apply member_spec in E. contradiction.
Qed.

(* The nodes that are kept on the way. *)
Fixpoint kept_ok (s : state) (kept : list (ante * node)) : Prop :=
  match kept with
  | [] => True
  | (b, x) :: rest => good_ante b /\ node_ok x (child p limited s (index b)) /\ kept_ok (child p limited s (index b)) rest
  end.

Theorem go_to_ok : forall antes start s kept kept' y, node_ok start s -> kept_ok s kept -> Forall good_ante antes ->
  go_to p limit start kept antes = (kept', y) ->
  node_ok y (state_from s (map index antes)) /\ kept_ok s kept'.
Proof.
  induction antes as [|a antes IH]; intros start s kept kept' y HN HK HA E.
  - simpl in E. inversion E; subst. split; [assumption|exact I].
  - inversion HA; subst.
    assert (Fresh : forall k z, go_to p limit (next p limit start a) [] antes = (k, z) ->
      node_ok z (state_from s (map index (a :: antes))) /\ kept_ok s ((a, next p limit start a) :: k)).
    { intros k z Ez. pose proof (next_ok start s a HN H1) as N'.
      destruct (IH _ (child p limited s (index a)) [] _ _ N' I H2 Ez) as [R1 R2]. split; [exact R1|]. split; [assumption|]. split; assumption. }
    cbn [go_to] in E. destruct kept as [|[b x] kept].
    + destruct (go_to p limit (next p limit start a) [] antes) as [k z] eqn:Ez. inversion E; subst. apply Fresh. reflexivity.
    + destruct (key a =? key b) eqn:D.
      * destruct HK as (K0 & K1 & K2). apply (key_spec a b H1 K0) in D. rewrite <- D in K1, K2.
        destruct (go_to p limit x kept antes) as [k z] eqn:Ez. inversion E; subst.
        destruct (IH _ _ _ _ _ K1 K2 H2 Ez) as [R1 R2]. split; [exact R1|]. split; [assumption|]. rewrite <- D. split; assumption.
      * destruct (go_to p limit (next p limit start a) [] antes) as [k z] eqn:Ez. inversion E; subst. apply Fresh. reflexivity.
Qed.

Theorem fold_next_ok : forall antes x s, node_ok x s -> Forall good_ante antes ->
  node_ok (fold_left (next p limit) antes x) (state_from s (map index antes)).
Proof.
  induction antes as [|a antes IH]; intros x s HN HA; [exact HN|]. inversion HA; subst. simpl.
  apply IH; [apply next_ok; assumption|assumption].
Qed.

(* Entries of the table are closed states. *)
Definition entry_ok (e : entry) : Prop :=
  Forall good_ante (e_path e) /\ e_length e = length (e_path e) /\
  e_paid e = paid (state_of (map index (e_path e))).

Lemma walk_ok : forall path pts s n, Forall good_ante path -> Forall (good_point p) pts -> left s = map source pts ->
  exists n', fold_left (walk_step p) path (pts, paid s, n) =
    (filter (leaves path) pts, paid (state_from s (map index path)), n')
  /\ left (state_from s (map index path)) = map source (filter (leaves path) pts).
Proof.
  induction path as [|a path IH]; intros pts s n HA HG HL.
  - exists n. simpl. unfold leaves. cbn [forallb]. rewrite filter_true. split; [reflexivity|assumption].
  - inversion HA; subst. cbn [fold_left map state_from]. unfold walk_step at 2.
    assert (W : map source (filter (within a) pts) = inside (index a) (left s)).
    { rewrite within_inside by assumption. rewrite HL. reflexivity. }
    rewrite sum_points_spec by (apply Forall_filter; assumption). rewrite W, rule_of_spec, price_spec by assumption.
    destruct (IH (filter (without a) pts) (child p limited s (index a)) (n - add_salt (filter (within a) pts) 0)) as (n' & E1 & E2); auto.
    + apply Forall_filter. assumption.
    + cbn [left child]. rewrite without_outside by assumption. rewrite HL. reflexivity.
    + exists n'. cbn [paid child] in E1. unfold state_from in *. rewrite E1, E2, filter_filter.
      unfold leaves. cbn [forallb]. split; reflexivity.
Qed.

Lemma make_entry_ok : forall n path, Forall good_ante path ->
  entry_ok (make_entry p points n path) /\ e_path (make_entry p points n path) = path.
Proof.
  intros n path HA. unfold make_entry.
  destruct (walk_ok path points root_state n HA HP (eq_sym HS)) as (n' & E1 & _). cbn [paid root_state] in E1.
  rewrite E1. split; [|reflexivity]. repeat split; assumption.
Qed.

Lemma left_state_of : forall path, Forall good_ante path -> left (state_of (map index path)) = map source (filter (leaves path) points).
Proof.
  intros path HA. destruct (walk_ok path points root_state 0 HA HP (eq_sym HS)) as (n' & _ & E2). exact E2.
Qed.

Lemma used_state_from : forall path s a, In a (used (state_from s path)) <-> In a path \/ In a (used s).
Proof.
  induction path; intros s b; simpl; [tauto|]. unfold state_from in *. rewrite IHpath. simpl. tauto.
Qed.

Lemma room_state_from : forall path s n, room s = room_after n -> room (state_from s path) = room_after (n + length path).
Proof.
  induction path; intros s n H; simpl; [rewrite Nat.add_0_r; assumption|]. unfold state_from in *.
  rewrite (IHpath _ (S n)); [f_equal; lia|]. cbn [room child]. rewrite H. apply less_room_after.
Qed.

Lemma find_in : forall entries fuel place number place' e,
  In e (find (grow fuel place entries) place' number) -> In e entries.
Proof.
  intros entries fuel. revert entries. induction fuel; intros entries place number place' e H; [exact H|].
  destruct entries as [|e1 [|e2 rest]]; try exact H. cbn [grow find] in H.
  destruct (Z.testbit number place'); apply IHfuel in H; apply filter_In in H; tauto.
Qed.

End NodeSound.
