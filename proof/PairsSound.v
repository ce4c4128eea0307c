(* Why (P) may be trusted: what [pairs_settle] accepts costs at least the target. *)

From Coq Require Import ZArith List Bool Lia Arith.
From Surelist Require Import Problem Sums Completions Bound Points Cover Pairs Check BoundSound NodeSound CheckListed.
Import ListNotations.
Open Scope Z_scope.

Section PairsSound.
Variable p : problem.
Variable target : Z.
Variable limit : option nat.
Variable lp : Z.
Hypothesis P : proper p.
Hypothesis LP0 : 0 <= lp.
Hypothesis NL : rule_labels p <> [].
Variable points : list point.
Hypothesis HP : Forall (good_point p) points.
Hypothesis HS : map source points = groups p.

Notation completion := (completion p).
Notation value := (value p).
Notation sums_of := (sums_of p).
Notation up := (up p).

Lemma has_pairs_spec : has_pairs p lp = true ->
  classes p = [0; 1]%nat /\ rule_labels p = [0; 1]%nat /\ forall a, (a < n_antecedents p)%nat -> price p a = lp.
Proof.
  intros H. unfold has_pairs in H. rewrite !andb_true_iff in H. destruct H as ((H1 & _) & H3).
  destruct (is_plain_spec p H1) as [E1 E2]. split; [assumption|]. split.
  - unfold any_label in E2. destruct (list_eq_dec Nat.eq_dec (rule_labels p) (classes p)) as [E|]; [|discriminate]. congruence.
  - intros a Ha. rewrite forallb_forall in H3. apply Z.eqb_eq. apply H3. apply nth_In. exact Ha.
Qed.

(* What is found of a pair is what the two share in all groups. *)
Lemma pick_in : forall A number fuel place (l : list A) place' k x, pick (plant number fuel place l) place' k = Some x -> In x l.
Proof.
  intros A number. induction fuel; intros place l place' k x H.
  - destruct l as [|y [|z l]]; simpl in H; try discriminate. inversion H; subst. left. reflexivity.
  - destruct l as [|y [|z l]]; [discriminate|inversion H; subst; left; reflexivity|]. cbn [plant pick] in H.
    destruct (Z.testbit k place'); apply IHfuel in H; apply filter_In in H; tauto.
Qed.

Definition shared_ok (a : ante) (h : shared) : Prop := forall b, good_ante p lp b -> key b = h_key h -> forall q, In q (classes p) ->
  h_gain q h = up q (inside (index b) (inside (index a) (groups p))) /\ h_whole q h = up q (inside (index b) (groups p)).
Definition known_ok (known : store overlap) : Prop := forall place k o, pick known place k = Some o ->
  forall a, good_ante p lp a -> key a = o_key o ->
  (forall q, In q (classes p) -> nth q (o_whole o) 0 = up q (inside (index a) (groups p)))
  /\ forall place k h, pick (o_shared o) place k = Some h -> shared_ok a h.

Lemma same_key : forall a b, good_ante p lp a -> good_ante p lp b -> key a = key b -> index a = index b.
Proof. intros a b A B E. apply (key_spec p lp a b A B). apply Z.eqb_eq. assumption. Qed.

Lemma know_one_spec : forall antes x, Forall (good_ante p lp) antes -> In x (map (know_one p points) antes) ->
  good_ante p lp (fst (fst x)) /\ snd (fst x) = filter (within (fst (fst x))) points
  /\ forall q, In q (classes p) -> nth q (snd x) 0 = up q (inside (index (fst (fst x))) (groups p)).
Proof.
  intros antes x HA Hx. rewrite Forall_forall in HA. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha). specialize (HA a Ha).
  unfold know_one. cbn [fst snd]. split; [assumption|]. split; [reflexivity|]. intros q Q.
  rewrite sum_points_spec by (apply Forall_filter; assumption). rewrite (within_inside p lp) by assumption. rewrite HS.
  exact (gain_of_sums p q (inside (index a) (groups p)) Q).
Qed.

Lemma know_shared_ok : classes p = [0; 1]%nat -> forall antes x y, Forall (good_ante p lp) antes -> In x (map (know_one p points) antes) ->
  In y (map (know_one p points) antes) -> shared_ok (fst (fst x)) (know_shared p x y).
Proof.
  intros Two antes x y HA Hx Hy. destruct (know_one_spec antes x HA Hx) as (A & EX & _). destruct (know_one_spec antes y HA Hy) as (B & _ & G).
  intros b B' E q Q. unfold know_shared in E |- *. cbn [h_key] in E. rewrite (same_key b (fst (fst y)) B' B E).
  assert (K : forall f : nat -> Z, match q with O => f 0%nat | _ => f 1%nat end = f q).
  { intros f. rewrite Two in Q. destruct Q as [<-|[<-|[]]]; reflexivity. }
  unfold h_gain, h_whole. cbn [h_gain_0 h_gain_1 h_whole_0 h_whole_1].
  rewrite (K (fun q => nth q (snd y) 0)), (K (fun q => nth q (s_gains (sum_within p (fst (fst y)) (snd (fst x)))) 0)).
  split; [|apply G; assumption]. rewrite EX.
  rewrite sum_within_spec, sum_points_spec by (apply Forall_filter, Forall_filter; assumption).
  rewrite (within_inside p lp) by (try apply Forall_filter; assumption). rewrite (within_inside p lp) by assumption. rewrite HS.
  exact (gain_of_sums p q _ Q).
Qed.

Lemma know_pairs_ok : classes p = [0; 1]%nat -> forall fuel antes, Forall (good_ante p lp) antes -> known_ok (know_pairs p fuel points antes).
Proof.
  intros Two fuel antes HA place k o H a A EA. unfold know_pairs in H. cbn zeta in H. apply pick_in in H.
  apply in_map_iff in H. destruct H as (x & <- & Hx). destruct (know_one_spec antes x HA Hx) as (B & _ & G).
  unfold know_overlap in *. cbn [o_key o_whole o_shared] in *. pose proof (same_key a (fst (fst x)) A B EA) as EI.
  split; [rewrite EI; exact G|]. intros place' k' h H. apply pick_in in H. apply in_map_iff in H. destruct H as (y & <- & Hy).
  pose proof (know_shared_ok Two antes x y HA Hx Hy) as K. unfold shared_ok in *. rewrite EI. exact K.
Qed.

Lemma nothing_known_ok : known_ok Empty.
Proof. intros place k o H. discriminate. Qed.

Section Part.
Variable s : state.
Variable rows : list row.
Variable known : store overlap.
Variable stays : point -> bool.
Variable gone : list point.
Variable tot : sums.
Variable keep : group -> bool.
Hypothesis Known : known_ok known.
Hypothesis Keep : left s = filter keep (groups p).
Hypothesis Rows : forall r, In r rows -> good_ante p lp (r_ante r) /\ Forall (good_point p) (r_points r).
Hypothesis Own : forall r, In r rows -> minus (r_sums r) (sum_within p (r_ante r) gone) = sums_of (inside (row_index r) (left s)).
Hypothesis Shared : forall r, In r rows -> map source (filter stays (r_points r)) = inside (row_index r) (left s).
Hypothesis Shrunk : forall r q, In r rows -> In q (classes p) -> up q (inside (row_index r) (left s)) <= gain_of q r.
Hypothesis Tot : tot = sums_of (left s).
Hypothesis Rest : forall a, (a < n_antecedents p)%nat -> ~ In a (forbidden p) -> ~ In a (map row_index rows) -> inactive p s a.
Hypothesis Two : classes p = [0; 1]%nat.
Hypothesis Any : rule_labels p = [0; 1]%nat.

Section Class.
Variable q : nat.
Hypothesis Q : In q (classes p).
Variable two : Z.

Notation gained := (gained q).
Let S := left s.
Let part (r : row) : list group := inside (row_index r) S.

Lemma other_class : In (other q) (classes p).
Proof. rewrite Two. destruct q; simpl; tauto. Qed.

Definition candidate_for (r : row) : candidate := {| c_row := r; c_up := up q (part r); c_net := gained (part r) |}.

Lemma is_plain_here : is_plain p = true.
Proof.
  unfold is_plain. unfold classes in Two. destruct (n_classes p) as [|[|[|]]]; try discriminate. rewrite Any. reflexivity.
Qed.

Lemma look_at_spec : forall r, In r rows -> candidate_of q (look_at gone r) = candidate_for r.
Proof.
  intros r Hr. pose proof (Own r Hr) as O. unfold candidate_of, net_of, look_at, gain_of. unfold sum_within in O. rewrite is_plain_here in O.
  destruct (add_two_within (r_ante r) gone 0 0 0) as [[c d] lo]. apply (f_equal s_gains) in O. unfold sums_of in O.
  cbn [minus s_gains sums_from_two] in O. rewrite Two in O. cbn [map] in O.
  destruct (s_gains (r_sums r)) as [|x [|y l]]; try discriminate. cbn [zip_minus] in O. inversion O as [[O1 O2]].
  unfold candidate_for. pose proof (gained_up p Two Any q (part r) Q) as G. unfold part, Pairs.up in *. unfold S in *. cbn [nth l_row].
  rewrite Two in Q. destruct Q as [<-|[<-|[]]]; cbn [l_up l_up_0 l_up_1 other] in *; rewrite G; f_equal; lia.
Qed.

(* What is asked of two rules, in either order. *)
Definition settled_pair (a b : nat) : Prop :=
  gained (inside a S) + gained (inside b (outside a S)) <= two
  /\ gained (inside b (outside a S)) <= two /\ gained (inside a (outside b S)) <= two.

Lemma settled_pair_sym : forall a b, settled_pair a b -> settled_pair b a.
Proof.
  intros a b (H1 & H2 & H3). split; [|tauto]. rewrite pair_by_shared in *.
  rewrite (inside_comm a b S) in *. lia.
Qed.

Lemma by_ups : forall a b, up q (inside a S) + up q (inside b S) <= two -> settled_pair a b.
Proof.
  intros a b H.
  destruct (pair_by_sums p Any q a b S Q) as (A1 & A2 & A3).
  destruct (pair_by_sums p Any q b a S Q) as (B1 & B2 & B3).
  pose proof (gained_le_up p Any q (inside a S) Q).
  pose proof (up_nonneg p q (inside a S)). pose proof (up_nonneg p q (inside b S)).
  unfold settled_pair. lia.
Qed.

Definition is_candidate (c : candidate) : Prop := exists r, In r rows /\ c = candidate_for r.
Definition pair_of (c d : candidate) : Prop := settled_pair (row_index (c_row c)) (row_index (c_row d)).

Lemma pair_is_fine : forall c d, is_candidate c -> is_candidate d -> 0 <= two - c_up c ->
  (c_up d <=? Z.min two (two - c_net c)) || ((c_net d <=? two - c_up c) && (c_up d <=? two)) = true -> pair_of c d.
Proof.
  intros c d (r & Hr & ->) (u & Hu & ->) H0 H. rewrite orb_true_iff, andb_true_iff, !Z.leb_le in H.
  unfold pair_of, settled_pair. cbn [candidate_for c_row c_up c_net] in *. unfold part in *.
  destruct (pair_by_sums p Any q (row_index r) (row_index u) S Q) as (A1 & A2 & A3).
  destruct (pair_by_sums p Any q (row_index u) (row_index r) S Q) as (B1 & B2 & B3). lia.
Qed.

Lemma pair_is_fine_anywhere_spec : forall c d place k, is_candidate c -> is_candidate d ->
  pair_is_fine_anywhere q two (pick known place k) c d = true -> pair_of c d.
Proof.
  intros c d place k (r & Hr & ->) (u & Hu & ->) H. unfold pair_is_fine_anywhere in H.
  destruct (pick known place k) as [o|] eqn:EO; [|discriminate]. destruct (pick (o_shared o) 0 _) as [h|] eqn:EH; [|discriminate].
  cbn zeta in H. cbn [candidate_for c_row c_up c_net] in H, EH. rewrite !andb_true_iff, !Z.leb_le, !Z.eqb_eq in H. destruct H as ((((H1 & H2) & H3) & H4) & H5).
  destruct (Rows r Hr) as [R1 _]. destruct (Rows u Hu) as [U1 _].
  destruct (Known _ _ _ EO _ R1 (eq_sym H1)) as [KW KS]. pose proof (KS _ _ _ EH _ U1 (eq_sym H2)) as SH. clear KS.
  rewrite (proj1 (SH q Q)), (proj2 (SH q Q)), (proj1 (SH (other q) other_class)), (KW q Q) in *.
  pose proof (pair_by_all p Two Any q (row_index r) (row_index u) keep (groups p) Q) as PA. cbn zeta in PA.
  rewrite <- Keep in PA. fold S in PA. fold (part r) (part u) in PA.
  pose proof (gained_up p Two Any q (part r) Q) as E1. pose proof (gained_up p Two Any q (part u) Q) as E2.
  assert (D1 : up q (part r) - gained (part r) = up (other q) (part r)) by (clear - E1; lia).
  assert (D2 : up q (part u) - gained (part u) = up (other q) (part u)) by (clear - E2; lia).
  rewrite D1, D2 in H3, H4, H5.
  destruct PA as (P1 & P2 & P3). unfold pair_of, settled_pair. cbn [candidate_for c_row].
  split; [exact (Z.le_trans _ _ _ P1 H3)|]. split; [exact (Z.le_trans _ _ _ P2 H4)|exact (Z.le_trans _ _ _ P3 H5)].
Qed.

Lemma pair_holds_spec : forall c d, is_candidate c -> is_candidate d ->
  pair_holds q two (filter stays (r_points (c_row c))) c d = true -> pair_of c d.
Proof.
  intros c d (r & Hr & ->) (u & Hu & ->) H. unfold pair_holds in H. cbn [candidate_for c_row c_net] in H.
  destruct (Rows r Hr) as [R1 R2]. destruct (Rows u Hu) as [U1 U2].
  rewrite add_two_filter, (add_two_spec p) in H by (apply Forall_filter, Forall_filter; assumption).
  rewrite (within_inside p lp) in H by (try apply Forall_filter; assumption). rewrite Shared in H by assumption.
  fold (row_index u) in H. fold S in H. fold (part r) in H.
  assert (E : match q with O => 0 + cost_of 0 (inside (row_index u) (part r)) - (0 + cost_of 1 (inside (row_index u) (part r)))
    | _ => 0 + cost_of 1 (inside (row_index u) (part r)) - (0 + cost_of 0 (inside (row_index u) (part r))) end
    = gained (inside (row_index u) (part r))).
  { unfold Pairs.gained. rewrite Two in Q. destruct Q as [<-|[<-|[]]]; cbn [other]; lia. }
  rewrite E in H. rewrite !andb_true_iff, !Z.leb_le in H. destruct H as ((H1 & H2) & H3).
  unfold pair_of, settled_pair. cbn [candidate_for c_row]. rewrite !pair_by_shared. unfold part in *.
  rewrite (inside_comm (row_index r) (row_index u) S). lia.
Qed.

Lemma left_over_spec : forall side t a b l got d, In d got \/ In d l ->
  In d (left_over q two side t a b l got)
  \/ (c_up d <=? a) || ((c_net d <=? b) && (c_up d <=? two)) = true \/ pair_is_fine_anywhere q two side t d = true.
Proof.
  induction l as [|u l IH]; intros got d H; simpl; [destruct H; [tauto|contradiction]|].
  destruct ((c_up u <=? a) || ((c_net u <=? b) && (c_up u <=? two))) eqn:E1; [|destruct (pair_is_fine_anywhere q two side t u) eqn:E2].
  - destruct H as [H|[<-|H]]; [apply IH; tauto|rewrite E1; tauto|apply IH; tauto].
  - destruct H as [H|[<-|H]]; [apply IH; tauto|tauto|apply IH; tauto].
  - apply IH. simpl in *. tauto.
Qed.

Lemma pairs_with_spec : forall c rest others, is_candidate c -> (forall d, In d (rest ++ others) -> is_candidate d) ->
  pairs_with known stays q two c rest others = true -> forall d, In d (rest ++ others) -> pair_of c d.
Proof.
  intros c rest others HC HR H d Hd. unfold pairs_with in H. set (side := pick known 0 _) in *.
  set (open := if 0 <=? two - c_up c then _ else _) in H.
  assert (FA : pair_is_fine_anywhere q two side c d = true -> pair_of c d) by (apply pair_is_fine_anywhere_spec; auto).
  assert (K : In d open \/ pair_of c d).
  { unfold open. destruct (0 <=? two - c_up c) eqn:E.
    - apply Z.leb_le in E. cbn zeta. set (a := Z.min two (two - c_net c)). set (b := two - c_up c).
      assert (HD : In d (left_over q two side c a b others []) \/ In d rest \/ pair_of c d).
      { apply in_app_iff in Hd. destruct Hd as [Hd|Hd]; [tauto|].
        destruct (left_over_spec side c a b others [] d (or_intror Hd)) as [K|[K|K]]; [tauto|right; right|right; right; auto].
        apply pair_is_fine; auto. apply HR. apply in_app_iff. tauto. }
      destruct HD as [HD|[HD|HD]]; [| |tauto].
      1, 2: destruct (left_over_spec side c a b rest (left_over q two side c a b others []) d ltac:(tauto)) as [K|[K|K]];
        [tauto|right; apply pair_is_fine; auto|right; auto].
    - destruct (pair_is_fine_anywhere q two side c d) eqn:E2; [right; auto|left]. apply filter_In. rewrite E2. tauto. }
  destruct K as [K|K]; [|exact K]. destruct open as [|x l] eqn:F; [destruct K|]. rewrite <- F in *. rewrite forallb_forall in H.
  apply pair_holds_spec; auto.
Qed.

Lemma all_pairs_spec : forall cs others, (forall c, In c cs -> is_candidate c) -> (forall c, In c others -> is_candidate c) ->
  all_pairs known stays q two cs others = true ->
  forall c d, In c cs -> In d (cs ++ others) -> c = d \/ pair_of c d \/ pair_of d c.
Proof.
  induction cs as [|x cs IH]; intros others HC HO H c d Hc Hd; [destruct Hc|]. simpl in H. apply andb_true_iff in H. destruct H as [H1 H2].
  assert (W : forall y, In y (cs ++ others) -> pair_of x y).
  { apply pairs_with_spec; [apply HC; left; reflexivity| |assumption].
    intros y Hy. apply in_app_iff in Hy. destruct Hy; [apply HC; right|apply HO]; assumption. }
  destruct Hc as [->|Hc], Hd as [->|Hd]; auto.
  - right. right. apply W. apply in_app_iff. tauto.
  - apply (IH others); auto. intros y Hy. apply HC. right. assumption.
Qed.

Lemma have_less_spec : forall c d, is_candidate c -> is_candidate d -> has_more two c = false -> has_more two d = false -> pair_of c d.
Proof.
  intros c d (r & Hr & ->) (u & Hu & ->) H1 H2. unfold has_more in *. apply Z.ltb_ge in H1, H2. unfold pair_of, settled_pair. cbn [candidate_for c_row].
  unfold part in *. fold S.
  destruct (pair_by_halves p Any q (row_index r) (row_index u) S two Q H1 H2) as [A1 A2].
  destruct (pair_by_halves p Any q (row_index u) (row_index r) S two Q H2 H1) as [B1 B2]. tauto.
Qed.

(* One that gains so little needs no look. *)
Lemma unmatched : forall c r net, is_candidate c -> In r rows -> 0 <= net -> c_net c <= net -> gain_of q r + net <= two ->
  c_up c <= two \/ gain_of (other q) r + net <= two -> settled_pair (row_index (c_row c)) (row_index r).
Proof.
  intros c r net (t & Ht & ->) Hr N0 N1 N2 N3. cbn [candidate_for c_row c_net c_up] in *.
  pose proof (Shrunk r q Hr Q) as G1. pose proof (Shrunk r (other q) Hr other_class) as G2.
  destruct (pair_by_sums p Any q (row_index t) (row_index r) S Q) as (A1 & A2 & A3).
  destruct (pair_by_sums p Any q (row_index r) (row_index t) S Q) as (B1 & B2 & B3).
  assert (K : gained (inside (row_index t) (outside (row_index r) S)) <= gained (part t) + up (other q) (part r)).
  { rewrite pair_by_shared. fold (part t). pose proof (gained_up p Two Any q (inside (row_index t) (part r)) Q) as E.
    pose proof (up_nonneg p q (inside (row_index t) (part r))). pose proof (up_inside p (other q) (row_index t) (part r)).
    unfold part in *. lia. }
  unfold settled_pair. unfold part in *. unfold S in *. lia.
Qed.
End Class.

Section Plan.
Variable q : nat.
Hypothesis Q : In q (classes p).
Variable most : Z.
Let two := most + 2 * lp.
Let part (r : row) : list group := inside (row_index r) (left s).

Lemma look_spec : forall r, In r rows -> candidate_of q (look_at gone r) = candidate_for q r.
Proof. exact (look_at_spec q Q). Qed.

Lemma gain_shrinks : forall r, In r rows -> gained q (part r) <= up q (part r) /\ up q (part r) <= gain_of q r.
Proof. intros r Hr. split; [apply (gained_le_up p Any); assumption|apply Shrunk; assumption]. Qed.

Lemma one_holds_spec : forall follow near, (forall r, In r rows -> is_near lp follow (q, most) r = true -> In r near) ->
  one_holds lp (map (look_at gone) near) (q, most) = true ->
  forall a, In a (map row_index rows) -> gained q (inside a (left s)) <= most + lp.
Proof.
  intros follow near SN H a Ha. apply in_map_iff in Ha. destruct Ha as (r & <- & Hr). fold (part r). destruct (gain_shrinks r Hr).
  destruct (is_near lp follow (q, most) r) eqn:E.
  - unfold one_holds in H. rewrite forallb_forall in H. specialize (H _ (in_map (look_at gone) _ _ (SN r Hr E))).
    apply Z.leb_le in H. pose proof (f_equal c_net (look_spec r Hr)) as L. cbn [c_net candidate_of candidate_for] in L.
    rewrite L in H. exact H.
  - apply orb_false_iff in E. destruct E as [E _]. apply Z.ltb_ge in E. lia.
Qed.

Lemma two_hold_spec : forall near late, incl near rows -> incl late rows ->
  (forall r, In r rows -> is_near lp true (q, most) r = true -> In r near) ->
  (forall r, In r rows -> is_matched r (lead_of lp (map (look_at gone) near) (q, most)) = true -> In r near \/ In r late) ->
  two_hold known stays (map (look_at gone) late) (lead_of lp (map (look_at gone) near) (q, most)) = true ->
  forall a b, In a (map row_index rows) -> In b (map row_index rows) -> a <> b -> settled_pair q two a b.
Proof.
  intros near late IN IL SN SL H. unfold two_hold, lead_of in H. cbn [e_class e_two e_more e_others] in H. fold two in H.
  set (cs := map (candidate_of q) (map (look_at gone) near)) in *.
  set (more := filter (has_more two) cs) in *. set (less := filter (fun c => negb (has_more two c)) cs) in *.
  set (others := less ++ map (candidate_of q) (map (look_at gone) late)) in *.
  assert (CA : forall l c, incl l rows -> In c (map (candidate_of q) (map (look_at gone) l)) -> is_candidate q c).
  { intros l c I Hc. rewrite map_map in Hc. apply in_map_iff in Hc. destruct Hc as (r & <- & Hr). exists r. split; [auto|]. apply look_spec. auto. }
  assert (CI : forall l r, incl l rows -> In r l -> In (candidate_for q r) (map (candidate_of q) (map (look_at gone) l))).
  { intros l r I Hr. rewrite map_map. apply in_map_iff. exists r. split; [apply look_spec; auto|assumption]. }
  assert (CM : forall c, In c more -> is_candidate q c) by (intros c Hc; apply filter_In in Hc; apply (CA near); tauto).
  assert (CO : forall c, In c others -> is_candidate q c).
  { intros c Hc. apply in_app_iff in Hc. destruct Hc as [Hc|Hc]; [apply filter_In in Hc; apply (CA near); tauto|apply (CA late); assumption]. }
  assert (IM : forall r, In r rows -> has_more two (candidate_for q r) = true -> In (candidate_for q r) more).
  { intros r Hr E. apply filter_In. split; [|exact E]. apply CI; [assumption|]. apply SN; [assumption|]. destruct (gain_shrinks r Hr).
    apply orb_true_iff. right. unfold has_more in E. cbn [candidate_for c_up c_net andb] in *. apply Z.ltb_lt in E. apply Z.ltb_lt.
    pose proof (up_nonneg p q (part r)). unfold part, two in *. lia. }
  (* One that has more, and any other. *)
  assert (MORE : forall r u, In r rows -> In u rows -> row_index r <> row_index u -> has_more two (candidate_for q r) = true ->
    settled_pair q two (row_index r) (row_index u)).
  { intros r u Hr Hu D E. pose proof (IM r Hr E) as I.
    assert (K : In (candidate_for q u) (more ++ others) -> settled_pair q two (row_index r) (row_index u)).
    { intros J. destruct (all_pairs_spec q Q two more others CM CO H _ _ I J) as [K|[K|K]].
      - inversion K. subst. contradiction.
      - exact K.
      - apply settled_pair_sym. exact K. }
    assert (KN : In u near -> In (candidate_for q u) (more ++ others)).
    { intros J. pose proof (CI near u IN J) as JC. fold cs in JC. unfold others, more, less. rewrite !in_app_iff, !filter_In.
      destruct (has_more two (candidate_for q u)); simpl; tauto. }
    assert (KL : In u late -> In (candidate_for q u) (more ++ others)).
    { intros J. unfold others. rewrite !in_app_iff. right. right. apply CI; assumption. }
    destruct (is_matched u (lead_of lp (map (look_at gone) near) (q, most))) eqn:EM.
    - destruct (SL u Hu EM); auto.
    - unfold is_matched, lead_of in EM. cbn [e_class e_two e_net e_beyond] in EM. fold two cs more in EM.
      apply orb_false_iff in EM. destruct EM as [E1 E2]. apply Z.ltb_ge in E1.
      set (net := fold_left (fun most c => Z.max most (c_net c)) more 0) in *.
      apply (unmatched q Q two (candidate_for q r) u net); auto.
      + unfold net. clear. generalize 0. induction more; intros z; simpl; [lia|]. specialize (IHmore (Z.max z (c_net a))). lia.
      + apply (le_fold_max _ c_net more _ 0 I).
      + destruct (existsb (fun c => two <? c_up c) more) eqn:EB; [right; apply Z.ltb_ge; exact E2|left].
        apply Z.ltb_ge. destruct (two <? c_up (candidate_for q r)) eqn:EU; [|reflexivity].
        rewrite <- EB. symmetry. apply existsb_exists. exists (candidate_for q r). split; assumption. }
  intros a b Ha Hb D. apply in_map_iff in Ha. destruct Ha as (r & <- & Hr). apply in_map_iff in Hb. destruct Hb as (u & <- & Hu).
  destruct (has_more two (candidate_for q r)) eqn:E1; [apply MORE; assumption|].
  destruct (has_more two (candidate_for q u)) eqn:E2; [apply settled_pair_sym; apply MORE; auto|].
  apply (have_less_spec q Q two (candidate_for q r) (candidate_for q u)); auto; eexists; split; try reflexivity; assumption.
Qed.
End Plan.

Hypothesis Prices : forall a, (a < n_antecedents p)%nat -> price p a = lp.

Theorem pairs_settle_holds : pairs_settle p target lp known stays gone rows (paid s) (room s) tot = true ->
  forall t d, completion s t d -> target <= value s t d.
Proof.
  intros H. unfold pairs_settle in H. apply andb_true_iff in H. destruct H as [H3 H]. cbn zeta in H.
  rewrite Tot in *. set (plans := map _ (classes p)) in H. apply andb_true_iff in H. destruct H as [HM H].
  rewrite forallb_forall in HM.
  assert (HI : incl (left s) (groups p)) by (intros u Hu; rewrite Keep in Hu; apply filter_In in Hu; tauto).
  assert (PL : forall q, In q (classes p) -> In (q, paid s + cost_of q (left s) - target) plans).
  { intros q Q. unfold plans. apply in_map_iff. exists q. split; [|assumption]. rewrite cost_of_sums by assumption. reflexivity. }
  apply (last_two p P lp Prices LP0 Two Any s target (map row_index rows) HI Rest).
  - apply orb_true_iff in H3. destruct H3 as [H3|H3]; [left; apply Z.leb_le in H3; exact H3|right; apply Nat.leb_le; assumption].
  - intros q Q most. pose proof (PL q Q) as Hl. fold most in Hl. pose proof (HM _ Hl) as H0. apply Z.leb_le in H0. split; [exact H0|].
    destruct (room s) as [|more]; [split; intros; lia|].
    set (follow := match more with O => false | Datatypes.S _ => true end) in *.
    set (near := fun r => existsb (fun l => is_near lp follow l r) plans) in *.
    set (some := filter near rows) in *. apply andb_true_iff in H. destruct H as [HO H].
    assert (SN : forall r, In r rows -> is_near lp follow (q, most) r = true -> In r some).
    { intros r Hr E. apply filter_In. split; [assumption|]. apply existsb_exists. eexists. split; [exact Hl|exact E]. }
    split.
    + intros _ a Ha. rewrite forallb_forall in HO. apply (one_holds_spec q Q most follow some SN (HO _ Hl) a Ha).
    + intros M a b Ha Hb D. assert (F : follow = true) by (unfold follow; destruct more; [lia|reflexivity]).
      apply orb_true_iff in H. destruct H as [H|H]; [rewrite F in H; discriminate|]. rewrite F in SN. rewrite forallb_forall in H.
      set (leads := map (lead_of lp (map (look_at gone) some)) plans) in *.
      assert (HL : In (lead_of lp (map (look_at gone) some) (q, most)) leads) by (apply in_map; assumption).
      assert (SP : settled_pair q (most + 2 * lp) a b); [|destruct SP as (L1 & L2 & _); tauto].
      apply (two_hold_spec q Q most some (filter (fun r => existsb (is_matched r) leads && negb (near r)) rows)); auto.
      * intros r Hr. apply filter_In in Hr. tauto.
      * intros r Hr. apply filter_In in Hr. tauto.
      * intros r Hr E. destruct (near r) eqn:EN; [left; apply filter_In; tauto|right]. apply filter_In. rewrite EN, andb_true_r.
        split; [assumption|]. apply existsb_exists. eexists. split; [exact HL|exact E].
Qed.
End Part.

Section Node.
Variable known : store overlap.
Hypothesis Known : known_ok known.
Variable z : node.
Variable s : state.
Hypothesis OK : node_ok p limit lp points z s.

Lemma part_of_groups : exists keep, left s = filter keep (groups p).
Proof.
  exists (fun u => forallb (fun a => is_out a u) (map index (n_path z))).
  rewrite (ok_left _ _ _ _ _ _ OK), (ok_points _ _ _ _ _ _ OK), <- HS.
  apply (filter_leaves p lp); [apply (ok_path _ _ _ _ _ _ OK)|assumption].
Qed.

Lemma rows_left_out : forall a, (a < n_antecedents p)%nat -> ~ In a (forbidden p) -> ~ In a (map row_index (n_rows z)) -> inactive p s a.
Proof.
  intros a Ha Hf Hn. destruct (ok_left_out _ _ _ _ _ _ OK a Ha Hf Hn) as [K1 K2]. split; [|tauto].
  intros Hr. destruct (in_dec Nat.eq_dec a (used s)) as [|D]; [assumption|]. exfalso. apply K1. split; assumption.
Qed.

Lemma row_good : forall r, In r (n_rows z) -> row_ok p lp s r.
Proof. pose proof (ok_rows _ _ _ _ _ _ OK) as R. rewrite Forall_forall in R. exact R. Qed.

Theorem pairs_settle_state_sound : pairs_settle_state p target lp (has_pairs p lp) known z = true ->
  forall t d, completion s t d -> target <= value s t d.
Proof.
  intros H. unfold pairs_settle_state in H. apply andb_true_iff in H. destruct H as [HH H].
  destruct (has_pairs_spec HH) as (Two & Any & Prices).
  rewrite <- (ok_paid _ _ _ _ _ _ OK), <- (ok_room _ _ _ _ _ _ OK) in H. destruct part_of_groups as [keep Keep].
  eapply pairs_settle_holds; [exact Known|exact Keep| | | | | | |exact Two|exact Any|exact Prices|exact H].
  - intros r Hr. destruct (row_good r Hr) as (R1 & R2 & _). split; assumption.
  - intros r Hr. destruct (row_good r Hr) as (R1 & R2 & R3 & R4). rewrite R4, sum_within_spec.
    cbn [filter]. rewrite sum_points_spec by constructor. cbn [map].
    assert (E : sums_of [] = sums_of (inside (n_antecedents p) [])) by reflexivity.
    unfold row_index. set (g := inside (index (r_ante r)) (left s)).
    unfold minus, Points.sums_of. cbn [s_costs s_gains s_low s_high]. rewrite !zip_minus_map. f_equal.
    + apply map_ext. intros. unfold cost_of. autorewrite with sums. lia.
    + apply map_ext. intros. autorewrite with sums. lia.
    + autorewrite with sums. lia.
    + autorewrite with sums. lia.
  - intros r Hr. destruct (row_good r Hr) as (R1 & R2 & R3 & R4). rewrite filter_true. exact R3.
  - intros r q Hr Q. destruct (row_good r Hr) as (R1 & R2 & R3 & R4). unfold gain_of. rewrite R4, gain_of_sums by assumption.
    unfold Pairs.up, row_index. lia.
  - apply (ok_sums _ _ _ _ _ _ OK).
  - apply rows_left_out.
Qed.

Theorem pairs_settle_child_sound : forall a, good_ante p lp a -> pairs_settle_child p target limit lp (has_pairs p lp) known z a = true ->
  forall t d, completion (child p (limited limit) s (index a)) t d -> target <= value (child p (limited limit) s (index a)) t d.
Proof.
  intros a A H. unfold pairs_settle_child in H. destruct (has_pairs p lp) eqn:HH; [|discriminate].
  destruct (has_pairs_spec HH) as (Two & Any & Prices).
  pose proof (ok_good p limit lp points HP z s OK) as GP.
  assert (W : map source (filter (within a) (n_points z)) = inside (index a) (left s)).
  { rewrite (within_inside p lp) by assumption. rewrite (ok_left _ _ _ _ _ _ OK). reflexivity. }
  assert (SW : sum_points p (filter (within a) (n_points z)) = sums_of (inside (index a) (left s))).
  { rewrite sum_points_spec by (apply Forall_filter; assumption). rewrite W. reflexivity. }
  set (c := child p (limited limit) s (index a)) in *.
  set (rows := filter (fun r => negb (key (r_ante r) =? key a)) (n_rows z)) in *.
  assert (RI : forall r, In r rows -> row_ok p lp s r) by (intros r Hr; apply filter_In in Hr; apply row_good; tauto).
  rewrite SW in H. rewrite rule_of_spec, (price_spec p lp) in H by assumption.
  rewrite <- (ok_paid _ _ _ _ _ _ OK), <- (ok_room _ _ _ _ _ _ OK) in H.
  change (less_room (limited limit) (room s)) with (room c) in H. change (paid s + price p (index a) + _) with (paid c) in H.
  destruct part_of_groups as [keep Keep].
  assert (Keep' : left c = filter (fun u => keep u && is_out (index a) u) (groups p)).
  { unfold c. cbn [left Completions.child]. rewrite Keep. unfold outside. apply filter_filter. }
  eapply pairs_settle_holds; [exact Known|exact Keep'| | | | | | |exact Two|exact Any|exact Prices|exact H].
  - intros r Hr. destruct (RI r Hr) as (R1 & R2 & _). split; assumption.
  - intros r Hr. destruct (RI r Hr) as (R1 & R2 & R3 & R4). rewrite R4, sum_within_spec.
    rewrite sum_points_spec by (apply Forall_filter, Forall_filter; assumption).
    rewrite (within_inside p lp) by (try apply Forall_filter; assumption). rewrite W. rewrite inside_comm, minus_spec.
    unfold c. cbn [left Completions.child]. rewrite inside_outside_comm. reflexivity.
  - intros r Hr. destruct (RI r Hr) as (R1 & R2 & R3 & R4). rewrite (without_outside p lp) by assumption. rewrite R3.
    unfold c. cbn [left Completions.child]. rewrite inside_outside_comm. reflexivity.
  - intros r q Hr Q. destruct (RI r Hr) as (R1 & R2 & R3 & R4). unfold gain_of. rewrite R4, gain_of_sums by assumption.
    unfold Pairs.up, row_index, c. cbn [left Completions.child]. apply inside_of_outside. intros. apply gain_nonneg.
  - unfold c. cbn [left Completions.child]. rewrite (ok_sums _ _ _ _ _ _ OK). apply minus_spec.
  - intros b Hb Hf Hn. apply (inactive_child p P); [apply (ok_incl p limit lp points HS z s OK)|].
    destruct (Nat.eq_dec b (index a)) as [->|D]; [right; split; [reflexivity|apply A]|left].
    apply rows_left_out; auto. intro Hin. apply Hn. apply in_map_iff in Hin. destruct Hin as (r & Er & Hr).
    apply in_map_iff. exists r. split; [assumption|]. apply filter_In. split; [assumption|]. apply negb_true_iff.
    destruct (key (r_ante r) =? key a) eqn:E; [|reflexivity]. exfalso. apply D. rewrite <- Er.
    apply (key_spec p lp) in E; [exact E|apply row_good; assumption|assumption].
Qed.
End Node.
End PairsSound.
