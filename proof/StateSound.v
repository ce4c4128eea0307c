(* Why a child that is judged by itself may be left out, in either format: its completions cost at
   least the target, or another state covers it. And Theorem 5 of docs/proofs.md, format 1. *)

From Coq Require Import ZArith List Bool Lia Permutation Arith.
From Surelist Require Import Problem Sums Completions Bound Points Cover Check BoundSound ParentSound NodeSound.
Import ListNotations.
Open Scope Z_scope.

Section StateSound.
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
Variable paths : list (list ante).
Hypothesis HPaths : forall path, In path paths -> Forall (good_ante p lp) path.
Variable table : tree.
Hypothesis HT : forall place number e, In e (find table place number) ->
  entry_ok p limit lp e /\ In (e_path e) paths.

Notation completion := (completion p).
Notation value := (value p).
Notation good_ante := (good_ante p lp).
Notation missing := (missing p).
Notation limited := (limited limit).
Notation node_ok := (node_ok p limit lp points).
Notation state_of := (state_of p limit).
Notation child := (child p limited).
Notation covers := (covers p).
Notation sums_of := (sums_of p).

(* Every completion by at most n rules costs at least the target. *)
Definition reaches (s : state) (n : nat) : Prop :=
  forall t d, completion s t d -> (length t <= n)%nat -> target <= value s t d.
Definition closed_reach (n : nat) : Prop := forall path, In path paths -> reaches (state_of (map index path)) n.

(* (D) by a closed state with the same groups. *)
Lemma dominates_covers : forall path number e s,
  Forall good_ante path -> In e (find table 0 number) ->
  left s = map source (filter (leaves path) points) -> (forall a, In a (used s) -> In a (map index path)) ->
  room s = room_after p limit (length path) ->
  dominates limit points path (paid s) number e = true ->
  In (e_path e) paths /\ covers (state_of (map index (e_path e))) s.
Proof.
  intros path number e s HA He HL HU HR H.
  destruct (HT _ _ _ He) as ((E1 & E2 & E3) & E4). split; [assumption|].
  unfold dominates in H. rewrite !andb_true_iff in H. destruct H as ((((_ & H2) & H3) & H4) & H5).
  apply Z.leb_le in H2.
  set (b := state_of (map index (e_path e))).
  assert (SL : left s = left b).
  { unfold b. rewrite HL, (left_state_of p limit lp P points HP HS) by assumption. f_equal. apply filter_ext_in.
    intros x Hx. unfold same_set in H5. rewrite forallb_forall in H5. specialize (H5 x Hx). apply eqb_prop in H5. congruence. }
  assert (RB : (room s <= room b)%nat).
  { rewrite HR. unfold b, state_of. rewrite (room_state_from p limit _ (root_state p limit) 0%nat).
    + rewrite map_length, Nat.add_0_l, <- E2. unfold room_after. destruct limited eqn:EL; [|lia].
      cbn [negb orb] in H3. apply Nat.leb_le in H3. lia.
    + unfold room_after. cbn [room root_state]. destruct limited; lia. }
  split; [exact RB|]. intros t d C.
  apply (domination p P (left s) (fun _ => true) (fun _ => true)); auto.
  - symmetry. apply filter_true.
  - fold b. rewrite <- SL. symmetry. apply filter_true.
  - fold b. rewrite <- SL. rewrite total_filter. cbn [negb andb]. rewrite total_const. unfold b. rewrite <- E3. lia.
  - intros a Hr Ha. apply used_state_from. left. apply HU in Ha. apply in_map_iff in Ha.
    destruct Ha as (x & <- & Hx). unfold uses_all_of in H4. rewrite forallb_forall in H4. specialize (H4 x Hx).
    apply orb_true_iff in H4. rewrite Forall_forall in HA. destruct H4 as [H4|H4]; [|apply (existsb_key p lp) in H4; auto].
    apply negb_true_iff in H4. apply (must_spec p lp x (HA x Hx)) in Hr. congruence.
Qed.

Lemma reaches_covered : forall b a n, covers b a -> reaches b n -> reaches a n.
Proof. intros b a n [_ H] R t d C L. destruct (H t d C) as [C' V']. etransitivity; [|exact V']. apply R; assumption. Qed.

Section Node.
Variable x : node.
Variable s : state.
Hypothesis OK : node_ok x s.

Let GP := ok_good p limit lp points HP x s OK.
Let INC := ok_incl p limit lp points HS x s OK.

Lemma row_in : forall r, In r (n_rows x) -> row_ok p lp s r.
Proof. pose proof (ok_rows _ _ _ _ _ _ OK) as R. rewrite Forall_forall in R. exact R. Qed.

Lemma row_item_good : forall r, In r (n_rows x) -> good_item p lp (left s) (row_item r).
Proof. intros r Hr. destruct (row_in r Hr) as (R1 & R2 & R3 & R4). split; assumption. Qed.

Lemma settled_spec : is_settled p (n_path x) = true -> settled p s.
Proof. intros H a Ha. rewrite (ok_used _ _ _ _ _ _ OK). apply (is_settled_spec p (n_path x)); assumption. Qed.

Let settled_now := is_settled p (n_path x).
Let v := view_of p limit x.
Let active := v_active v.

Lemma active_in : forall r, In r active -> In r (n_rows x).
Proof. intros r Hr. apply filter_In in Hr. tauto. Qed.

Lemma not_missing_spec : forall a, ~ missing s a -> (In a (required p) -> In a (used s)).
Proof.
  intros a H Ha. destruct (in_dec Nat.eq_dec a (used s)) as [|D]; [assumption|]. exfalso. apply H. split; assumption.
Qed.

(* What is not active according to its sums is not. *)
Lemma is_active_sound : forall st (i : item) c, good_item p lp (left st) i -> settled p st \/ c = false ->
  forall needs, (needs (fst i) = false -> ~ missing st (item_index i)) ->
  is_active p c (sums_of (left st)) needs i = false -> inactive p st (item_index i).
Proof.
  intros st i c [A E] HC needs HN H. unfold is_active in H. apply orb_false_iff in H. destruct H as [H1 H2].
  apply negb_false_iff, orb_true_iff in H2. specialize (HN H1). split.
  { intros Ha. destruct (in_dec Nat.eq_dec (item_index i) (used st)) as [|D]; [assumption|]. exfalso. apply HN. split; assumption. }
  destruct H2 as [H2|H2].
  - left. apply (is_worthless_spec p lp P st i); assumption.
  - right. apply andb_true_iff in H2. destruct H2 as [H2 H3]. destruct HC as [HC| ->]; [|discriminate].
    split; [assumption|]. apply Z.leb_le in H3. rewrite E, (price_spec p lp) in H3 by assumption.
    cbn [s_high Points.sums_of] in H3. unfold leaves_too_little, item_index.
    rewrite (total_inside (ceil p) (index (fst i)) (left st)) in H3. lia.
Qed.

Lemma active_rest : forall a, (a < n_antecedents p)%nat -> ~ In a (forbidden p) ->
  ~ In a (map item_index (map row_item active)) -> inactive p s a.
Proof.
  intros a Ha Hf Hn. destruct (in_dec Nat.eq_dec a (map row_index (n_rows x))) as [Hi|Hi].
  - apply in_map_iff in Hi. destruct Hi as (r & Er & Hr).
    destruct (is_active p settled_now (n_sums x) (is_needed (n_path x)) (row_item r)) eqn:E.
    + exfalso. apply Hn. rewrite map_map. apply in_map_iff. exists r. split; [exact Er|]. apply filter_In. tauto.
    + rewrite <- Er. rewrite (ok_sums _ _ _ _ _ _ OK) in E.
      apply (is_active_sound s (row_item r) settled_now (row_item_good r Hr)) with (needs := is_needed (n_path x)); [| |exact E].
      * unfold settled_now. destruct (is_settled p (n_path x)) eqn:ES; [left; apply settled_spec; assumption|tauto].
      * intros F M. destruct (row_in r Hr) as (R1 & _).
        apply (is_needed_spec p limit lp points x s (r_ante r) OK R1) in M. simpl in F. congruence.
  - destruct (ok_left_out _ _ _ _ _ _ OK a Ha Hf Hi) as [K1 K2]. split; [apply not_missing_spec; assumption|tauto].
Qed.

Lemma active_distinct : NoDup (map item_index (map row_item active)).
Proof. rewrite map_map. apply (NoDup_rows_filter _ _ (ok_distinct _ _ _ _ _ _ OK)). Qed.

Lemma room_of_child : forall a, (room (child s a) <= room s)%nat.
Proof. intros. cbn [room Completions.child]. unfold less_room. destruct limited; lia. Qed.

Lemma child_paid_spec : forall a, row_ok p lp s a -> child_paid p x a = paid (child s (row_index a)).
Proof.
  intros a (R1 & R2 & R3 & R4). unfold child_paid. cbn [paid Completions.child].
  rewrite R4, rule_of_spec, (price_spec p lp), (ok_paid _ _ _ _ _ _ OK) by assumption. reflexivity.
Qed.

Lemma child_low_spec : forall a, row_ok p lp s a -> child_low p x a =
  paid (child s (row_index a)) + total (floor p) (left (child s (row_index a))).
Proof.
  intros a Ha. unfold child_low. rewrite child_paid_spec by assumption. destruct Ha as (R1 & R2 & R3 & R4).
  rewrite R4, (ok_sums _ _ _ _ _ _ OK). cbn [s_low Points.sums_of left Completions.child].
  rewrite (total_inside (floor p) (row_index a) (left s)). unfold row_index. lia.
Qed.

Lemma dominated_by_parent_covers : forall a, row_ok p lp s a ->
  dominated_by_parent p x a = true -> covers s (child s (row_index a)).
Proof.
  intros a (R1 & R2 & R3 & R4) H. split; [apply room_of_child|]. intros t d C. unfold dominated_by_parent in H.
  apply andb_true_iff in H. destruct H as [H1 H2]. apply negb_true_iff in H1. apply Z.leb_le in H2.
  rewrite R4, rule_of_spec, (price_spec p lp) in H2 by assumption. cbn [s_high Points.sums_of] in H2.
  apply (domination_by_parent p P limited s (row_index a) t d); auto.
  intros Hr. apply not_missing_spec; [|assumption]. intro M.
  apply (is_needed_spec p limit lp points x s (r_ante a) OK R1) in M. congruence.
Qed.

(* Antecedents without a row are worthless: the parent covers their children. *)
Lemma left_out_covers : forall a, (a < n_antecedents p)%nat -> ~ In a (forbidden p) -> ~ In a (map row_index (n_rows x)) ->
  covers s (child s a).
Proof.
  intros a Ha Hf Hi. split; [apply room_of_child|]. intros t d C.
  destruct (ok_left_out _ _ _ _ _ _ OK a Ha Hf Hi) as [K1 K2].
  destruct (rule_attained p NL (inside a (left s))) as (r0 & Hr0 & E0). specialize (K2 r0 Hr0).
  apply (domination_by_parent p P limited s a t d); auto.
  - rewrite E0. lia.
  - apply not_missing_spec. assumption.
Qed.

Lemma child_set : forall a, In a (n_rows x) ->
  left (child s (row_index a)) = map source (filter (leaves (r_ante a :: n_path x)) points).
Proof.
  intros a Ha. destruct (row_in a Ha) as (R1 & R2 & R3 & R4). cbn [left Completions.child].
  rewrite (ok_left _ _ _ _ _ _ OK). unfold row_index. rewrite <- (without_outside p lp (r_ante a) _ R1 GP).
  rewrite (ok_points _ _ _ _ _ _ OK), filter_filter. f_equal. apply filter_ext. intros y. cbn [leaves forallb]. apply andb_comm.
Qed.

Lemma is_closed_covers : forall a, In a (n_rows x) -> is_closed p limit points table x a = true ->
  exists path, In path paths /\ covers (state_of (map index path)) (child s (row_index a)).
Proof.
  intros a Ha H. unfold is_closed in H. apply existsb_exists in H. destruct H as (e & He & H).
  destruct (row_in a Ha) as (R1 & R2 & R3 & R4). exists (e_path e).
  eapply (dominates_covers (r_ante a :: n_path x) _ e (child s (row_index a))); [ | exact He | | | | ].
  - constructor; [assumption|apply (ok_path _ _ _ _ _ _ OK)].
  - apply child_set. assumption.
  - intros b Hb. cbn [used Completions.child] in Hb. rewrite (ok_used _ _ _ _ _ _ OK) in Hb. exact Hb.
  - cbn [room Completions.child length]. rewrite (ok_length _ _ _ _ _ _ OK). apply less_room_after.
  - rewrite child_paid_spec in H by (apply row_in; assumption). exact H.
Qed.

Lemma bounded_by_parent_ok : forall a n, In a (n_rows x) ->
  bounded_by_parent p target lp x (v_needed v) (most_after v (acts p x a)) (v_forecasts v) (row_item a) (acts p x a)
    (is_needed (n_path x) (r_ante a)) = true ->
  reaches (child s (row_index a)) n.
Proof.
  intros a n Ha H t d C _. unfold most_after, v, view_of in H. cbn [v_needed v_most_active v_most_others v_forecasts] in H.
  fold settled_now in H. change (filter _ (n_rows x)) with active in H. unfold acts in *. fold settled_now in H. rewrite <- !(map_length row_item active) in H.
  apply (bounded_by_parent_sound p target limit lp P LP LP0 NL s x (map row_item active) (row_item a) (is_needed (n_path x))
    (is_active p settled_now (n_sums x) (is_needed (n_path x)) (row_item a)) (is_needed (n_path x) (r_ante a))); auto.
  - rewrite Forall_forall. intros i Hi. apply in_map_iff in Hi. destruct Hi as (r & <- & Hr). apply row_item_good, active_in. assumption.
  - apply active_distinct.
  - intros i Hi. apply in_map_iff in Hi. destruct Hi as (r & <- & Hr).
    apply (is_needed_spec p limit lp points x s (r_ante r) OK). apply row_in, active_in. assumption.
  - apply active_rest.
  - split; [apply (ok_sums _ _ _ _ _ _ OK)|]. split; symmetry; [apply (ok_paid _ _ _ _ _ _ OK)|apply (ok_room _ _ _ _ _ _ OK)].
  - apply row_item_good. assumption.
  - intros E. apply in_map. apply filter_In. tauto.
  - intros E M. destruct (row_in a Ha) as (R1 & _).
    apply (is_needed_spec p limit lp points x s (r_ante a) OK R1) in M. congruence.
Qed.

Lemma bounded_by_nets_ok : forall a n, In a (n_rows x) ->
  bounded_by_nets p target lp x (v_active v) (v_needed v) (most_after v (acts p x a)) (v_forecasts v) a (acts p x a)
    (is_needed (n_path x) (r_ante a)) = true ->
  reaches (child s (row_index a)) n.
Proof.
  intros a n Ha H t d C _. unfold most_after, v, view_of in H. cbn [v_needed v_most_active v_most_others v_forecasts v_active] in H.
  fold settled_now in H. change (filter _ (n_rows x)) with active in H. unfold acts in *. fold settled_now in H. rewrite <- !(map_length row_item active) in H. destruct (row_in a Ha) as (R1 & R2 & R3 & R4).
  eapply (bounded_by_nets_sound p target limit lp P LP LP0 NL s x (map row_item active) (row_item a) (is_needed (n_path x))
    (is_active p settled_now (n_sums x) (is_needed (n_path x)) (row_item a)) (is_needed (n_path x) (r_ante a))); auto.
  - rewrite Forall_forall. intros i Hi. apply in_map_iff in Hi. destruct Hi as (r & <- & Hr). apply row_item_good, active_in. assumption.
  - apply active_distinct.
  - intros i Hi. apply in_map_iff in Hi. destruct Hi as (r & <- & Hr).
    apply (is_needed_spec p limit lp points x s (r_ante r) OK). apply row_in, active_in. assumption.
  - apply active_rest.
  - split; [apply (ok_sums _ _ _ _ _ _ OK)|]. split; symmetry; [apply (ok_paid _ _ _ _ _ _ OK)|apply (ok_room _ _ _ _ _ _ OK)].
  - apply row_item_good. assumption.
  - intros E. apply in_map. apply filter_In. tauto.
  - intros E M. apply (is_needed_spec p limit lp points x s (r_ante a) OK R1) in M. congruence.
Qed.

Lemma bounded_by_itself_ok : forall a n, In a (n_rows x) ->
  bounded_by_itself p target limit lp x active a = true -> reaches (child s (row_index a)) n.
Proof.
  intros a n Ha H t d C _. destruct (row_in a Ha) as (R1 & R2 & R3 & R4).
  pose proof (next_ok p limit lp P points HP x s (r_ante a) OK R1) as OKc.
  set (c := child s (row_index a)) in *. fold (row_index a) in OKc. fold c in OKc.
  assert (TOT : minus (n_sums x) (r_sums a) = sums_of (left c)).
  { rewrite R4, (ok_sums _ _ _ _ _ _ OK). apply minus_spec. }
  unfold bounded_by_itself in H. rewrite TOT in H. fold (child_paid p x a) in H. rewrite child_paid_spec in H by (apply row_in; assumption). fold c in H.
  set (items0 := map (fun b => (r_ante b, minus (r_sums b) (sum_within p (r_ante b) (r_points a))))
    (filter (fun b => negb (key (r_ante b) =? key (r_ante a))) active)) in *.
  set (path := r_ante a :: n_path x) in *.
  set (items := filter (is_active p (is_settled p path) (sums_of (left c)) (is_needed path)) items0) in *.
  assert (G0 : forall i, In i items0 -> good_item p lp (left c) i /\ exists b, In b active /\ item_index i = row_index b).
  { intros i Hi. apply in_map_iff in Hi. destruct Hi as (b & <- & Hb). apply filter_In in Hb. destruct Hb as [Hb _].
    destruct (row_in b (active_in b Hb)) as (B1 & B2 & B3 & B4). split; [|exists b; split; [assumption|reflexivity]]. split; [exact B1|].
    cbn [fst snd]. rewrite B4, sum_within_spec. rewrite sum_points_spec by (apply Forall_filter; assumption).
    rewrite (within_inside p lp) by assumption. rewrite R3.
    rewrite inside_comm. rewrite minus_spec. cbn [left Completions.child c].
    unfold c. cbn [left Completions.child]. rewrite inside_outside_comm. reflexivity. }
  apply (bounded_sound p target lp P LP LP0 c items (is_needed path)); auto.
  - apply (ok_incl p limit lp points HS _ c OKc).
  - rewrite Forall_forall. intros i Hi. apply filter_In in Hi. apply G0. tauto.
  - apply NoDup_map_filter. unfold items0. rewrite map_map. change (fun x0 => item_index (r_ante x0, _)) with row_index.
    apply (NoDup_rows_filter _ _). apply NoDup_rows_filter. apply (ok_distinct _ _ _ _ _ _ OK).
  - intros i Hi. apply filter_In in Hi. destruct (G0 i (proj1 Hi)) as [[A _] _].
    apply (is_needed_spec p limit lp points _ c (fst i) OKc A).
  - intros b Hb Hf Hn. destruct (in_dec Nat.eq_dec b (map item_index items0)) as [Hi|Hi].
    + apply in_map_iff in Hi. destruct Hi as (i & Ei & Hi). destruct (G0 i Hi) as [Gi _].
      destruct (is_active p (is_settled p path) (sums_of (left c)) (is_needed path) i) eqn:E.
      * exfalso. apply Hn. apply in_map_iff. exists i. split; [exact Ei|]. apply filter_In. tauto.
      * rewrite <- Ei. apply (is_active_sound c i (is_settled p path) Gi) with (needs := is_needed path); [| |exact E].
        { destruct (is_settled p path) eqn:ES; [left|tauto]. intros z Hz. rewrite (ok_used _ _ _ _ _ _ OKc).
          apply (is_settled_spec p path); assumption. }
        { intros F M. destruct Gi as [A _]. apply (is_needed_spec p limit lp points _ c (fst i) OKc A) in M.
          change (n_path (next p limit x (r_ante a))) with path in M. congruence. }
    + apply (inactive_child p P); [exact INC|]. destruct (Nat.eq_dec b (row_index a)) as [->|D]; [right; split; [reflexivity|apply R1]|left].
      apply active_rest; auto. intro Hin. apply Hi. rewrite map_map in Hin. apply in_map_iff in Hin. destruct Hin as (r & Er & Hr).
      unfold items0. rewrite map_map. apply in_map_iff. exists r. split; [exact Er|]. apply filter_In. split; [assumption|].
      apply negb_true_iff. destruct (key (r_ante r) =? key (r_ante a)) eqn:E; [|reflexivity]. exfalso. apply D.
      rewrite <- Er. apply (key_spec p lp) in E; [exact E|apply row_in, active_in; assumption|assumption].
  - rewrite <- (ok_room _ _ _ _ _ _ OK) in H. exact H.
Qed.

Lemma dominated_by_sibling_covers : forall proven a, row_ok p lp s a -> (forall b, In b proven -> row_ok p lp s b) ->
  dominated_by_sibling p x proven a = true ->
  exists b, In b proven /\ covers (child s (row_index b)) (child s (row_index a)).
Proof.
  intros proven a Ha HB H. unfold dominated_by_sibling in H. apply andb_true_iff in H. destruct H as [H1 H2].
  apply negb_true_iff in H1. apply existsb_exists in H2. destruct H2 as (b & Hb & H2). exists b. split; [assumption|].
  pose proof (HB b Hb) as Hbo. apply andb_true_iff in H2. destruct H2 as [_ H2]. apply Z.leb_le in H2.
  rewrite !child_low_spec in H2 by assumption. destruct Ha as (R1 & R2 & R3 & R4). destruct Hbo as (B1 & _).
  rewrite !(add_spread_spec p) in H2 by (try apply Forall_filter; assumption).
  rewrite (within_inside p lp) in H2 by assumption. rewrite R3 in H2.
  split; [cbn [room Completions.child]; lia|]. intros t d C.
  apply (domination_by_sibling p P limited s (row_index a) (row_index b) t d); auto.
  - unfold row_index in *. lia.
  - intros Hr. apply not_missing_spec; [|assumption]. intro M.
    apply (is_needed_spec p limit lp points x s (r_ante a) OK R1) in M. congruence.
Qed.

(* (S) *)
Theorem begins_well_sound : begins_well p target limit lp points table x = true ->
  (forall n, reaches s n) \/ exists path, In path paths /\ covers (state_of (map index path)) s.
Proof.
  intros H. unfold begins_well in H. apply orb_true_iff in H. destruct H as [H|H].
  - right. apply existsb_exists in H. destruct H as (e & He & H). rewrite <- (ok_paid _ _ _ _ _ _ OK) in H.
    exists (e_path e). eapply (dominates_covers (n_path x) (n_salt x) e s); [apply (ok_path _ _ _ _ _ _ OK)|exact He| | | |exact H].
    + rewrite (ok_left _ _ _ _ _ _ OK), (ok_points _ _ _ _ _ _ OK). reflexivity.
    + intros a Ha. rewrite (ok_used _ _ _ _ _ _ OK) in Ha. exact Ha.
    + apply (ok_length _ _ _ _ _ _ OK).
  - left. intros n t d C _. rewrite <- (ok_paid _ _ _ _ _ _ OK), <- (ok_room _ _ _ _ _ _ OK), (ok_sums _ _ _ _ _ _ OK) in H.
    eapply (bounded_sound p target lp P LP LP0 s) in H; [exact H| | | | | |exact C].
    + exact INC.
    + rewrite Forall_forall. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_map_iff in Hi.
      destruct Hi as (r & <- & Hr). apply row_item_good. assumption.
    + apply NoDup_map_filter. rewrite map_map. apply (ok_distinct _ _ _ _ _ _ OK).
    + intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_map_iff in Hi. destruct Hi as (r & <- & Hr).
      apply (is_needed_spec p limit lp points x s (r_ante r) OK). apply row_in. assumption.
    + intros a Ha Hf Hn. apply (active_rest a Ha Hf).
      intro Hin. apply Hn. rewrite map_map in Hin. apply in_map_iff in Hin. destruct Hin as (r & Er & Hr).
      apply filter_In in Hr. destruct Hr as [Hr Hact]. apply in_map_iff. exists (row_item r). split; [exact Er|].
      apply filter_In. split; [apply in_map; assumption|]. rewrite <- (ok_sums _ _ _ _ _ _ OK). exact Hact.
Qed.

(* What justifies a child by itself. *)
Definition backed (c : state) : Prop :=
  (forall n, reaches c n) \/ covers s c \/ exists path, In path paths /\ covers (state_of (map index path)) c.

Theorem judge_quickly_sound : forall a, In a (n_rows x) -> judge_quickly p target lp x v a = true ->
  backed (child s (row_index a)).
Proof.
  intros a Ha H. unfold judge_quickly in H. apply orb_true_iff in H. destruct H as [H|H].
  - right. left. apply dominated_by_parent_covers; [apply row_in|]; assumption.
  - left. intro n. apply bounded_by_parent_ok; assumption.
Qed.

Theorem judge_slowly_sound : forall a, In a (n_rows x) -> judge_slowly p target limit lp points table x v a = true ->
  backed (child s (row_index a)).
Proof.
  intros a Ha H. unfold judge_slowly in H. rewrite !orb_true_iff in H. destruct H as [[H|H]|H].
  - right. right. apply is_closed_covers; assumption.
  - left. intro n. apply bounded_by_nets_ok; assumption.
  - left. intro n. apply bounded_by_itself_ok; assumption.
Qed.

Lemma backed_reaches : forall c n, closed_reach n -> reaches s n -> backed c -> reaches c n.
Proof.
  intros c n HC HR [H|[H|(path & Hp & H)]]; [apply H| |]; (eapply reaches_covered; [exact H|]); [assumption|].
  apply HC. assumption.
Qed.

(* (R): no rules. *)
Theorem ends_reach_sound : ends_reach p target x = true -> reaches s 0.
Proof.
  intros HR t d C L. destruct t; [|simpl in L; lia]. unfold ends_reach in HR. fold settled_now in HR.
  assert (ES : settled_now = true).
  { apply is_settled_spec. intros a Ha. rewrite <- (ok_used _ _ _ _ _ _ OK).
    destruct (in_dec Nat.eq_dec a (used s)) as [|D]; [assumption|]. destruct (c_required p _ _ _ C a Ha D). }
  rewrite ES in HR. cbn [negb orb] in HR. rewrite forallb_forall in HR. specialize (HR d (c_default p _ _ _ C)).
  apply Z.leb_le in HR. rewrite (ok_sums _ _ _ _ _ _ OK), cost_of_sums in HR by apply C.
  unfold Completions.value, loss. cbn [prefix map predict]. autorewrite with sums. rewrite (ok_paid _ _ _ _ _ _ OK).
  unfold cost_of in HR. lia.
Qed.

(* (R) and (C): one more rule. *)
Theorem check_node_sound : check_node p target limit lp points table x = true ->
  reaches s 0 /\ (forall n, closed_reach n -> reaches s n -> reaches s (S n)).
Proof.
  intros H. unfold check_node in H. apply andb_true_iff in H. destruct H as [HR HC].
  pose proof (ends_reach_sound HR) as R0. split; [exact R0|]. intros n PC PS t d C L.
  destruct (list_case t) as [->|(a & r & t' & ->)]; [apply R0; [assumption|simpl; lia]|].
  pose proof (c_short p _ _ _ C) as CS. rewrite (ok_room _ _ _ _ _ _ OK) in CS. destruct (n_room x) as [|k] eqn:ERoom; [simpl in CS; lia|].
  destruct (c_exist p _ _ _ C a (or_introl eq_refl)) as [Ha Hf].
  destruct (child_step p limited s a r t' d C) as [C' V']. etransitivity; [|exact V'].
  assert (L' : (length t' <= n)%nat) by (simpl in L; lia).
  destruct (in_dec Nat.eq_dec a (map row_index (n_rows x))) as [Hi|Hi].
  - apply in_map_iff in Hi. destruct Hi as (row & Er & Hrow). rewrite <- Er in *.
    cbn zeta in HC. fold v in HC.
    set (judge := fun a => judge_quickly p target lp x v a || judge_slowly p target limit lp points table x v a).
    assert (J : forall b, In b (n_rows x) -> judge b = true -> reaches (child s (row_index b)) n).
    { intros b Hb Hj. apply (backed_reaches _ n PC PS). unfold judge in Hj. apply orb_true_iff in Hj.
      destruct Hj; [apply judge_quickly_sound|apply judge_slowly_sound]; assumption. }
    destruct (judge row) eqn:EJ; [apply (J row Hrow EJ); assumption|].
    change (fun a0 => (a0, _)) with (fun a0 => (a0, judge a0)) in HC.
    set (judged := map (fun a0 => (a0, judge a0)) (n_rows x)) in *.
    set (open := filter (fun j => negb (snd j)) judged) in *.
    assert (HO : In (row, false) open).
    { apply filter_In. split; [|reflexivity]. apply in_map_iff. exists row. rewrite EJ. tauto. }
    assert (HC' : forallb (fun j => dominated_by_sibling p x (map fst (filter (fun j => snd j) judged)) (fst j)) open = true).
    { destruct open; [destruct HO|exact HC]. }
    rewrite forallb_forall in HC'. specialize (HC' _ HO). cbn [fst] in HC'.
    assert (PR : forall b, In b (map fst (filter (fun j => snd j) judged)) -> In b (n_rows x) /\ judge b = true).
    { intros b Hb. apply in_map_iff in Hb. destruct Hb as ([b' j] & <- & Hb). apply filter_In in Hb. destruct Hb as [Hb Ej].
      apply in_map_iff in Hb. destruct Hb as (z & Ez & Hz). inversion Ez; subst. cbn [fst snd] in *. split; assumption. }
    apply dominated_by_sibling_covers in HC'; [|apply row_in; assumption|intros b Hb; apply row_in, PR; assumption].
    destruct HC' as (b & Hb & CV). destruct (PR b Hb) as [B1 B2]. apply (reaches_covered _ _ n CV); auto.
  - apply (reaches_covered _ _ n (left_out_covers a Ha Hf Hi)); assumption.
Qed.
End Node.

Theorem check_all_sound : forall ps start kept, node_ok start (root_state p limit) ->
  kept_ok p limit lp points (root_state p limit) kept -> (forall path, In path ps -> Forall good_ante path) ->
  check_all p target limit lp points table start kept ps = true ->
  forall path, In path ps -> exists x, node_ok x (state_of (map index path)) /\ check_node p target limit lp points table x = true.
Proof.
  induction ps as [|path0 ps IH]; intros start kept HN HK HG H path Hp; [destruct Hp|].
  cbn [check_all] in H. destruct (go_to p limit start kept path0) as [kept' x] eqn:E.
  apply andb_true_iff in H. destruct H as [H1 H2].
  destruct (go_to_ok p limit lp P points HP path0 start (root_state p limit) kept kept' x HN HK) as [G1 G2]; auto.
  { apply HG. left. reflexivity. }
  destruct Hp as [<-|Hp].
  - exists x. split; assumption.
  - apply (IH start kept'); auto. intros q Hq. apply HG. right. assumption.
Qed.

Theorem closed_states_reach : forall start, node_ok start (root_state p limit) ->
  check_all p target limit lp points table start [] paths = true -> forall n, closed_reach n.
Proof.
  intros start HN H. pose proof (check_all_sound paths start [] HN I HPaths H) as K.
  induction n; intros path Hp; destruct (K path Hp) as (x & Ox & Cx);
    destruct (check_node_sound x _ Ox Cx) as [R0 RS]; [exact R0|]. apply RS; [exact IHn|]. apply IHn. assumption.
Qed.

End StateSound.
