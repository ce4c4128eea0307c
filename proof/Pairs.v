(* Theorem 7 of docs/proofs.md: the last two rules (P). Two classes, one price, no conditions on
   labels; then what one rule and two rules gain is known exactly. *)

From Coq Require Import ZArith List Bool Lia Arith.
From Surelist Require Import Problem Sums Completions Bound.
Import ListNotations.
Open Scope Z_scope.

Section Pairs.
Variable p : problem.
Hypothesis P : proper p.
Variable lp : Z.
Hypothesis LP : forall a, (a < n_antecedents p)%nat -> price p a = lp.
Hypothesis LP0 : 0 <= lp.
Hypothesis Two : classes p = [0; 1]%nat.
Hypothesis Any : rule_labels p = [0; 1]%nat.

Notation completion := (completion p).
Notation value := (value p).
Notation floor := (floor p).

(* What a rule for the other class gains where q is predicted otherwise. *)
Definition other (q : nat) : nat := match q with O => 1%nat | _ => O end.
Definition gained (q : nat) (s : list group) : Z := cost_of q s - cost_of (other q) s.
(* What it gains at most, however little of a set it captures: docs/proofs.md calls it "up". *)
Definition up (q : nat) (s : list group) : Z := total (gain p q) s.

Lemma one_or_other : forall q r, In q (classes p) -> In r (classes p) -> r = q \/ r = other q.
Proof. intros q r. rewrite Two. simpl. intros [<-|[<-|[]]] [<-|[<-|[]]]; simpl; tauto. Qed.

Lemma cost_split : forall q a s, cost_of q s = cost_of q (inside a s) + cost_of q (outside a s).
Proof. intros. apply (total_inside (fun u => cost u q)). Qed.

Lemma gained_split : forall q a s, gained q s = gained q (inside a s) + gained q (outside a s).
Proof. intros. unfold gained. rewrite (cost_split q a), (cost_split (other q) a). lia. Qed.

Lemma gained_le_up : forall q s, In q (classes p) -> gained q s <= up q s.
Proof.
  intros q s Q. unfold gained, up, cost_of. rewrite <- total_minus. apply total_le. intros u _.
  apply gain_point. rewrite Any. destruct q; simpl; tauto.
Qed.

Lemma up_inside : forall q a s, up q (inside a s) <= up q s.
Proof. intros. unfold up, inside. apply total_filter_le. intros. apply gain_nonneg. Qed.

Lemma up_outside : forall q a s, up q (outside a s) <= up q s.
Proof. intros. unfold up, outside. apply total_filter_le. intros. apply gain_nonneg. Qed.

Lemma value_nil : forall s d, value s [] d = paid s + cost_of d (left s).
Proof. intros. unfold Completions.value, loss, cost_of. cbn [prefix map predict]. autorewrite with sums. lia. Qed.

Lemma loss_nil : forall s d, loss s [] d = cost_of d s.
Proof. reflexivity. Qed.

(* Rules that are worth a look, [act]; what the others may be is in Theorems 1 and 2. *)
Theorem last_two : forall s target act, incl (left s) (groups p) ->
  (forall a, (a < n_antecedents p)%nat -> ~ In a (forbidden p) -> ~ In a act -> inactive p s a) ->
  target <= paid s + 3 * lp + total floor (left s) \/ (room s <= 2)%nat ->
  (forall q, In q (classes p) -> let most := paid s + cost_of q (left s) - target in
    0 <= most
    /\ ((1 <= room s)%nat -> forall a, In a act -> gained q (inside a (left s)) <= most + lp)
    /\ ((2 <= room s)%nat -> forall a b, In a act -> In b act -> a <> b ->
         gained q (inside a (left s)) + gained q (inside b (outside a (left s))) <= most + 2 * lp
         /\ gained q (inside b (outside a (left s))) <= most + 2 * lp)) ->
  forall t d, completion s t d -> target <= value s t d.
Proof.
  intros s target act HI HA H3 H t d C.
  destruct (active_alone p P s act HI HA (length t) t d (le_n _) C) as (t' & q & C' & I & V & _).
  etransitivity; [|exact V]. clear C V t d.
  pose proof (c_default p _ _ _ C') as Q. destruct (H q Q) as (H0 & H1 & H2). clear H. cbn zeta in *.
  set (S := left s) in *. pose proof (c_short p _ _ _ C') as L.
  assert (PR : forall a, In a (prefix t') -> price p a = lp) by (intros a Ha; apply LP; apply (c_exist p _ _ _ C' a Ha)).
  destruct t' as [|[a r] [|[b r'] [|x t']]].
  - rewrite value_nil. fold S. lia.
  - unfold Completions.value. cbn [prefix map fst]. autorewrite with sums. rewrite (PR a) by (left; reflexivity).
    fold S. rewrite loss_cons, loss_nil. specialize (H1 ltac:(simpl in L; lia) a (I a (or_introl eq_refl))).
    assert (R : In r (classes p)) by (rewrite Two, <- Any; apply (c_labels p _ _ _ C'); left; reflexivity).
    unfold gained in H1. rewrite (cost_split q a S) in *. destruct (one_or_other q r Q R) as [->| ->]; lia.
  - unfold Completions.value. cbn [prefix map fst]. autorewrite with sums.
    rewrite (PR a) by (left; reflexivity). rewrite (PR b) by (right; left; reflexivity).
    fold S. rewrite !loss_cons, loss_nil. 
    assert (D : a <> b) by (pose proof (c_distinct p _ _ _ C') as N; inversion N; subst; simpl in *; intros ->; tauto).
    specialize (H1 ltac:(simpl in L; lia) a (I a (or_introl eq_refl))).
    destruct (H2 ltac:(simpl in L; lia) a b (I a (or_introl eq_refl)) (I b (or_intror (or_introl eq_refl))) D) as [H4 H5].
    assert (R : In r (classes p)) by (rewrite Two, <- Any; apply (c_labels p _ _ _ C'); left; reflexivity).
    assert (R' : In r' (classes p)) by (rewrite Two, <- Any; apply (c_labels p _ _ _ C'); right; left; reflexivity).
    unfold gained in *. rewrite (cost_split q a S), (cost_split q b (outside a S)) in *.
    destruct (one_or_other q r Q R) as [->| ->]; destruct (one_or_other q r' Q R') as [->| ->]; lia.
  - destruct H3 as [H3|H3]; [|simpl in L; lia].
    assert (LE : forall a, (a < n_antecedents p)%nat -> lp <= price p a) by (intros a' Ha; rewrite LP by assumption; lia).
    pose proof (equivalent_points p P lp LE s _ _ C') as E. cbn [length] in E. fold S in E, H3. nia.
Qed.

(* Pairs that need no look: the second rule gains no more than what it may where it captures least. *)
Lemma pair_by_sums : forall q a b s, In q (classes p) ->
  gained q (inside a s) + gained q (inside b (outside a s)) <= gained q (inside a s) + up q (inside b s)
  /\ gained q (inside a s) + gained q (inside b (outside a s)) <= up q (inside a s) + gained q (inside b s)
  /\ gained q (inside b (outside a s)) <= up q (inside b s).
Proof.
  intros q a b s Q.
  assert (K : gained q (inside b (outside a s)) <= up q (inside b s)).
  { etransitivity; [apply gained_le_up; assumption|]. unfold up, inside, outside. rewrite filter_filter, !total_filter.
    apply total_le. intros u _. pose proof (gain_nonneg p q u). destruct (is_out a u), (is_in b u); simpl; lia. }
  split; [lia|]. split; [|exact K].
  assert (E : inside b (outside a s) = outside a (inside b s)).
  { unfold inside, outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  rewrite E. rewrite (gained_split q a (inside b s)).
  assert (E2 : gained q (inside a s) = gained q (inside a (inside b s)) + gained q (outside b (inside a s))).
  { rewrite (gained_split q b (inside a s)). f_equal. f_equal. unfold inside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  rewrite E2. pose proof (gained_le_up q (outside b (inside a s)) Q). pose proof (up_outside q b (inside a s)). lia.
Qed.

(* What both capture is all there is to know of a pair. *)
Lemma pair_by_shared : forall q a b s,
  gained q (inside b (outside a s)) = gained q (inside b s) - gained q (inside b (inside a s)).
Proof.
  intros. rewrite (gained_split q a (inside b s)).
  assert (E : inside b (outside a s) = outside a (inside b s)).
  { unfold inside, outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  assert (E2 : inside b (inside a s) = inside a (inside b s)).
  { unfold inside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  rewrite E, E2. lia.
Qed.

(* Two classes: what a rule gains, and what it harms. *)
Lemma gained_up : forall q s, In q (classes p) -> gained q s = up q s - up (other q) s.
Proof.
  intros q s Q. unfold gained, up, cost_of. rewrite <- !total_minus. apply total_ext. intros u _. unfold gain. rewrite Any.
  rewrite Two in Q. simpl. destruct Q as [<-|[<-|[]]]; cbn [other]; lia.
Qed.

Lemma up_split : forall q a s, up q s = up q (inside a s) + up q (outside a s).
Proof. intros. apply total_inside. Qed.

Lemma up_nonneg : forall q s, 0 <= up q s.
Proof. intros. apply total_nonneg. intros. apply gain_nonneg. Qed.

(* What pairs share in all groups bounds what they share in a part of them. *)
Lemma pair_by_all : forall q a b keep all, In q (classes p) -> let s := filter keep all in
  let both_up := up q (inside b (inside a all)) in
  let both_down := up (other q) (inside b (inside a all)) in
  let out_a := Z.min (up q (inside a s)) (up q (inside a all) - both_up) in
  let out_b := Z.min (up q (inside b s)) (up q (inside b all) - both_up) in
  let down_a := up (other q) (inside a s) in
  let down_b := up (other q) (inside b s) in
  gained q (inside a s) + gained q (inside b (outside a s))
    <= Z.min (up q (inside a s) + out_b) (up q (inside b s) + out_a) - Z.max (Z.max down_a down_b) (down_a + down_b - both_down)
  /\ gained q (inside b (outside a s)) <= out_b - Z.max 0 (down_b - Z.min both_down down_a)
  /\ gained q (inside a (outside b s)) <= out_a - Z.max 0 (down_a - Z.min both_down down_b).
Proof.
  intros q a b keep all Q s.
  assert (SW : forall x y g, inside x (inside y g) = inside y (inside x g)).
  { intros. unfold inside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  assert (SO : forall x y g, inside x (outside y g) = outside y (inside x g)).
  { intros. unfold inside, outside. rewrite !filter_filter. apply filter_ext. intros. apply andb_comm. }
  assert (M : forall r f g, up r (filter f (filter g s)) <= up r (filter f (filter g all))).
  { intros. unfold up, s. rewrite !filter_filter, !total_filter. apply total_le. intros u _. pose proof (gain_nonneg p r u).
    destruct (keep u), (g u), (f u); simpl; lia. }
  assert (K : forall r x y, up r (inside x (outside y s)) = up r (inside x s) - up r (inside y (inside x s))
    /\ up r (inside x (outside y s)) <= up r (inside x all) - up r (inside y (inside x all))
    /\ up r (inside y (inside x s)) <= up r (inside y (inside x all))
    /\ up r (inside y (inside x s)) <= up r (inside x s)
    /\ 0 <= up r (inside x (outside y s))).
  { intros r x y. pose proof (M r (is_in x) (is_out y)) as M1. pose proof (M r (is_in y) (is_in x)) as M2.
    fold (outside y s) (outside y all) (inside x (outside y s)) (inside x (outside y all)) in M1.
    fold (inside x s) (inside x all) (inside y (inside x s)) (inside y (inside x all)) in M2.
    pose proof (up_nonneg r (inside x (outside y s))). rewrite !SO in *.
    pose proof (up_split r y (inside x s)). pose proof (up_split r y (inside x all)). lia. }
  cbn zeta. rewrite !(gained_up q) by assumption.
  destruct (K q b a) as (A1 & A2 & A3 & A4 & A5). destruct (K q a b) as (B1 & B2 & B3 & B4 & B5).
  destruct (K (other q) b a) as (C1 & C2 & C3 & C4 & C5). destruct (K (other q) a b) as (D1 & D2 & D3 & D4 & D5).
  pose proof (up_nonneg q (inside b (inside a s))) as N1. pose proof (up_nonneg (other q) (inside b (inside a s))) as N2.
  rewrite (SW a b s) in *. rewrite (SW a b all) in *. 
  generalize dependent (up q (inside b (inside a all))). generalize dependent (up (other q) (inside b (inside a all))).
  generalize dependent (up q (inside b (inside a s))). generalize dependent (up (other q) (inside b (inside a s))).
  intros. lia.
Qed.

(* The test that the readable checker begins with: half of what the pair may gain, for each. *)
Corollary pair_by_halves : forall q a b s most, In q (classes p) ->
  up q (inside a s) + Z.max 0 (gained q (inside a s)) <= most -> up q (inside b s) + Z.max 0 (gained q (inside b s)) <= most ->
  gained q (inside a s) + gained q (inside b (outside a s)) <= most /\ gained q (inside b (outside a s)) <= most.
Proof. intros q a b s most Q HA HB. destruct (pair_by_sums q a b s Q) as (H1 & H2 & H3). lia. Qed.

End Pairs.
