(* Why (B) may be trusted: what [bounded] and [bounded_by_parent] accept costs at least the target. *)

From Coq Require Import ZArith List Bool Lia Permutation Arith.
From Surelist Require Import Problem Sums Completions Bound Points Check.
Import ListNotations.
Open Scope Z_scope.

Lemma add_first_spec : forall n l, add_first n l = top n l.
Proof.
  induction n; intros; [reflexivity|]. destruct l; [reflexivity|]. simpl add_first. rewrite IHn.
  unfold top, sum. simpl firstn. autorewrite with sums. reflexivity.
Qed.

Lemma NoDup_app_right : forall A (l m : list A), NoDup (l ++ m) -> NoDup m.
Proof. induction l; simpl; intros m H; [assumption|]. inversion H; auto. Qed.

Lemma le_fold_max : forall A (f : A -> Z) l x n, In x l -> f x <= fold_left (fun most y => Z.max most (f y)) l n.
Proof.
  intros A f. assert (M : forall l n, n <= fold_left (fun most y => Z.max most (f y)) l n).
  { induction l; intros; simpl; [lia|]. etransitivity; [|apply IHl]. lia. }
  induction l; intros x n H; [destruct H|]. simpl. destruct H as [->|H]; [|apply IHl; assumption].
  etransitivity; [|apply M]. lia.
Qed.

Lemma list_case : forall (t : list rule), t = [] \/ exists a r t', t = (a, r) :: t'.
Proof. intros [|[a r] t']; [left|right; exists a, r, t']; reflexivity. Qed.

Section BoundSound.
Variable p : problem.
Variable target : Z.
Variable limit : option nat.
Variable lp : Z.
Hypothesis P : proper p.
Hypothesis LP : forall a, (a < n_antecedents p)%nat -> lp <= price p a.
Hypothesis LP0 : 0 <= lp.
Hypothesis NL : rule_labels p <> [].

Notation classes := (classes p).
Notation sums_of := (sums_of p).
Notation completion := (completion p).
Notation value := (value p).
Notation item_net := (item_net p).

Definition good_ante (a : ante) : Prop := a = make_ante p lp (index a) /\ (index a < n_antecedents p)%nat.
Definition good_item (s : list group) (x : item) : Prop :=
  good_ante (fst x) /\ snd x = sums_of (inside (index (fst x)) s).
Definition item_index (x : item) : nat := index (fst x).
Definition missing (s : state) (a : nat) : Prop := In a (required p) /\ ~ In a (used s).

Definition G (s : list group) (q a : nat) : Z := total (gain p q) (inside a s) - extra p lp a.
Definition N (s : list group) (q a : nat) : Z := net p q (inside a s) - extra p lp a.

Lemma item_gain_spec : forall s q x, good_item s x -> In q classes -> item_gain q x = G s q (item_index x).
Proof.
  intros s q x [[E _] H] Q. unfold item_gain, G, item_index, extra. rewrite H, gain_of_sums by assumption.
  rewrite E at 2. reflexivity.
Qed.

Lemma item_net_spec : forall s q x, good_item s x -> In q classes -> item_net q x = N s q (item_index x).
Proof.
  intros s q x [[E _] H] Q. unfold Check.item_net, N, item_index, extra, net.
  rewrite H, cost_of_sums, rule_of_spec by assumption. rewrite E at 3. simpl. lia.
Qed.

Lemma item_save_spec : forall s r x, good_item s x -> In r classes ->
  item_save r x = total (save p r) (inside (item_index x) s).
Proof.
  intros s r x [_ H] R. unfold item_save. rewrite H, cost_of_sums by assumption.
  rewrite total_save. reflexivity.
Qed.

Lemma all_lengths_spec : forall fuel n low enough, all_lengths target lp fuel n low enough = true ->
  forall j, (n <= j < n + fuel)%nat -> target <= low + Z.of_nat (j - n) * lp \/ enough j = true.
Proof.
  induction fuel; intros n low enough H j J; [lia|]. simpl in H. apply orb_true_iff in H.
  destruct H as [H|H].
  - apply Z.leb_le in H. left. nia.
  - apply andb_true_iff in H. destruct H as [H1 H2]. destruct (Nat.eq_dec j n) as [->|D]; [tauto|].
    destruct (IHfuel _ _ _ H2 j ltac:(lia)) as [H|H]; [left|tauto].
    replace (Z.of_nat (j - n)) with (Z.of_nat (j - S n) + 1) by lia. lia.
Qed.

Lemma fold_add : forall A (f : A -> Z) l n, fold_left (fun got x => got + f x) l n = n + total f l.
Proof.
  induction l; intros; simpl; autorewrite with sums; [lia|]. rewrite IHl. lia.
Qed.

(* Steps are what [savings] asks for. *)
Lemma steps_for_spec : forall labels s, In s (steps_for labels) ->
  0 <= fst s /\ snd s = total (fun x => excess (fst x) (fst s) (snd x) 0 0) labels.
Proof.
  intros labels s H. unfold steps_for in H. apply in_map_iff in H. destruct H as (m & <- & _). simpl.
  split; [lia|]. rewrite fold_add. lia.
Qed.

Lemma map_items : forall (f : item -> Z) (g : nat -> Z) items,
  (forall x, In x items -> f x = g (item_index x)) -> map f items = map g (map item_index items).
Proof. intros. rewrite map_map. apply map_ext_in. assumption. Qed.

Lemma nodup_incl_length : forall (l m : list nat), NoDup l -> incl l m -> (length l <= length m)%nat.
Proof. intros. apply NoDup_incl_length; assumption. Qed.

(* (B) by the sums of the state itself. *)
Section Itself.
Variable s : state.
Variable items : list item.
Variable needs : ante -> bool.
Hypothesis HI : incl (left s) (groups p).
Hypothesis HG : Forall (good_item (left s)) items.
Hypothesis HD : NoDup (map item_index items).
Hypothesis HN : forall x, In x items -> needs (fst x) = true <-> missing s (item_index x).
Hypothesis HA : forall a, (a < n_antecedents p)%nat -> ~ In a (forbidden p) ->
  ~ In a (map item_index items) -> inactive p s a.

Let needed := filter (fun x => needs (fst x)) items.
Let others := filter (fun x => negb (needs (fst x))) items.
Let m := length needed.

Lemma NoDup_map_filter : forall c (l : list item), NoDup (map item_index l) -> NoDup (map item_index (filter c l)).
Proof.
  induction l; simpl; intros ND; [constructor|]. inversion ND; subst. destruct (c a); simpl; auto.
  constructor; auto. intro H. apply H1. apply in_map_iff in H. destruct H as (y & E & Hy).
  apply filter_In in Hy. apply in_map_iff. exists y. tauto.
Qed.

Lemma good_in : forall x, In x items -> good_item (left s) x.
Proof. rewrite Forall_forall in HG. exact HG. Qed.

Section Completed.
Variable t : list rule.
Variable q : nat.
Hypothesis C : completion s t q.
Hypothesis I : incl (prefix t) (map item_index items).

Let Q : In q classes := c_default p _ _ _ C.

Lemma needed_in : incl (map item_index needed) (prefix t).
Proof.
  intros a Ha. apply in_map_iff in Ha. destruct Ha as (x & <- & Hx). apply filter_In in Hx.
  destruct Hx as [Hx E]. apply (HN x Hx) in E. destruct E as [E1 E2]. apply (c_required p _ _ _ C); assumption.
Qed.

Lemma needed_few : (m <= length t)%nat.
Proof.
  pose proof (nodup_incl_length _ _ (NoDup_map_filter _ _ HD) needed_in) as H.
  unfold prefix in H. rewrite !map_length in H. exact H.
Qed.

Lemma items_enough : (length t <= length items)%nat.
Proof.
  pose proof (nodup_incl_length _ _ (c_distinct p _ _ _ C) I) as H. unfold prefix in H. rewrite !map_length in H. exact H.
Qed.

Let rest := filter (fun a => negb (member a (map item_index needed))) (prefix t).

Lemma member_spec : forall a l, member a l = true <-> In a l.
Proof.
  intros. unfold member. rewrite existsb_exists. split.
  - intros (x & Hx & E). apply Nat.eqb_eq in E. subst. assumption.
  - intros. exists a. split; [assumption|apply Nat.eqb_refl].
Qed.

Lemma split_needed : Permutation (map item_index needed ++ rest) (prefix t).
Proof.
  destruct (nodup_incl_permutation _ _ (NoDup_map_filter (fun x => needs (fst x)) _ HD) needed_in) as (r & E).
  fold needed in E. etransitivity; [|exact E]. apply Permutation_app_head.
  apply NoDup_Permutation.
  - apply NoDup_filter. apply C.
  - apply Permutation_sym in E. eapply NoDup_app_right. eapply Permutation_NoDup; [exact E|apply C].
  - assert (ND : NoDup (map item_index needed ++ r)).
    { eapply Permutation_NoDup; [apply Permutation_sym; exact E|apply C]. }
    intros a. unfold rest. rewrite filter_In, negb_true_iff. split.
    + intros [H1 H2]. apply (Permutation_in a (Permutation_sym E)) in H1. apply in_app_iff in H1.
      destruct H1 as [H1|H1]; [|assumption]. apply member_spec in H1. change (member a (map item_index needed) = true) in H1. congruence.
    + intros H. split.
      * apply (Permutation_in a E). apply in_app_iff. tauto.
      * destruct (member a (map item_index needed)) eqn:M; [|reflexivity]. apply member_spec in M. exfalso.
        clear - ND M H. induction (map item_index needed); [destruct M|]. inversion ND; subst.
        destruct M as [->|M]; [apply H2; apply in_app_iff; tauto|auto].
Qed.

Lemma rest_others : incl rest (map item_index others).
Proof.
  intros a Ha. unfold rest in Ha. apply filter_In in Ha. destruct Ha as [Ha M]. apply negb_true_iff in M.
  specialize (I a Ha). apply in_map_iff in I. destruct I as (x & <- & Hx). apply in_map_iff. exists x. split; [reflexivity|].
  apply filter_In. split; [assumption|]. apply negb_true_iff. destruct (needs (fst x)) eqn:E; [|reflexivity].
  assert (member (item_index x) (map item_index needed) = true); [|congruence].
  apply member_spec, in_map. apply filter_In. tauto.
Qed.

Lemma rest_length : length rest = (length t - m)%nat.
Proof.
  pose proof (Permutation_length split_needed) as H. rewrite app_length, map_length in H. unfold prefix in H.
  rewrite map_length in H. change (m + length rest = length t)%nat in H. lia.
Qed.

Lemma gains_of_needed_and_others : total (G (left s) q) (prefix t)
  <= total (item_gain q) needed + top (length t - m) (sort_down (map (item_gain q) others)).
Proof.
  rewrite <- (total_permutation _ _ _ _ split_needed), total_app, total_map.
  assert (E : total (fun x => G (left s) q (item_index x)) needed = total (item_gain q) needed).
  { apply total_ext. intros x Hx. symmetry. apply item_gain_spec; [|assumption]. apply filter_In in Hx. apply good_in; tauto. }
  rewrite E, <- rest_length.
  rewrite (map_items (item_gain q) (G (left s) q) others).
  - assert (total (G (left s) q) rest <= top (length rest) (sort_down (map (G (left s) q) (map item_index others)))); [|lia].
    apply total_le_top; [apply NoDup_filter; apply C|apply rest_others].
  - intros x Hx. apply item_gain_spec; [|assumption]. apply filter_In in Hx. apply good_in; tauto.
Qed.

Lemma first_needed : length t = m -> incl (prefix t) (map item_index needed).
Proof.
  intros E a Ha. assert (R0 : length rest = 0%nat) by (rewrite rest_length; lia).
  pose proof split_needed as SP. destruct rest; [|discriminate]. rewrite app_nil_r in SP.
  eapply Permutation_in; [apply Permutation_sym; exact SP|assumption].
Qed.

Variable with_steps : bool.
Let o := look p with_steps (sums_of (left s)) items needed others q.

Lemma net_le : forall a, In a (prefix t) -> N (left s) q a <= o_net o.
Proof.
  intros a Ha. specialize (I a Ha). apply in_map_iff in I. destruct I as (x & <- & Hx).
  rewrite <- item_net_spec by (auto using good_in). unfold o, look. cbn [o_net]. apply le_greatest. right.
  apply in_map. assumption.
Qed.

Lemma gains_spec : o_gains o = sort_down (map (G (left s) q) (map item_index items)).
Proof.
  unfold o, look. cbn [o_gains]. f_equal. apply map_items.
  intros; apply item_gain_spec; [apply good_in|]; assumption.
Qed.

Lemma others_spec : o_others o = sort_down (map (item_gain q) others).
Proof.
  unfold o, look, is_empty. cbn [o_others]. unfold needed, others. destruct (filter (fun x => needs (fst x)) items) eqn:E; [|reflexivity].
  f_equal. f_equal. rewrite <- (filter_true _ items) at 1. apply filter_ext_in. intros x Hx.
  destruct (needs (fst x)) eqn:F; [|reflexivity]. exfalso.
  assert (In x (filter (fun x => needs (fst x)) items)) by (apply filter_In; tauto). rewrite E in H. destruct H.
Qed.

Lemma steps_spec : forall st, In st (o_steps o) -> 0 <= fst st /\
  snd st = total (fun r => excess (total (save p r) (left s)) (fst st)
    (sort_down (map (fun a => total (save p r) (inside a (left s))) (map item_index items))) 0 0) (other_labels p q).
Proof.
  intros st H. unfold o, look in H. cbn [o_steps] in H. destruct with_steps; [|destruct H].
  destruct (steps_for_spec _ _ H) as [H1 H2]. split; [assumption|]. rewrite H2, total_map. apply total_ext.
  intros r Hr. apply other_labels_spec in Hr. destruct Hr as (Hr & _ & _). cbn [fst snd].
  rewrite total_save, cost_of_sums by assumption. cbn [s_high Points.sums_of].
  rewrite (map_items (item_save r) (fun a => total (save p r) (inside a (left s)))); [reflexivity|].
  intros x Hx. apply item_save_spec; [apply good_in; assumption|assumption].
Qed.

Lemma enough_sound : enough_for target lp (paid s) m (length t) o = true -> target <= value s t q.
Proof.
  unfold enough_for. rewrite whole_spec.
  assert (B : paid s + Z.of_nat (length t) * lp + o_cost o = base lp s q (length t)).
  { unfold base, o, look. cbn [o_cost]. rewrite cost_of_sums by assumption. reflexivity. }
  rewrite B. intros H. apply orb_true_iff in H. destruct H as [H|H].
  - apply Z.leb_le in H. rewrite add_first_spec, others_spec in H.
    pose proof gains_of_needed_and_others as GN.
    destruct (Nat.eqb (length t) m) eqn:E.
    + apply Nat.eqb_eq in E. unfold o, look in H. cbn [o_own o_harm] in H.
      destruct (is_empty needed) eqn:EN.
      * pose proof (gain_potential p lp LP s t q (G (left s) q) C ltac:(intros; unfold G; lia)). lia.
      * destruct (list_case t) as [Et|(a & r & t' & Et)].
        { exfalso. rewrite Et in E. unfold m in E. clear - E EN. unfold is_empty in EN. destruct needed; discriminate. }
        assert (Ha : In a (map item_index needed)) by (apply first_needed; [assumption|rewrite Et; left; reflexivity]).
        pose proof C as C'. rewrite Et in C'.
        apply in_map_iff in Ha. destruct Ha as (x & Ex & Hx).
        assert (Hi : In x items) by (apply filter_In in Hx; tauto).
        assert (L : least (map (fun x => item_gain q x - item_net q x) needed) <= item_gain q x - item_net q x).
        { apply least_le. apply (in_map (fun x => item_gain q x - item_net q x)). assumption. }
        rewrite (item_gain_spec (left s)), (item_net_spec (left s)) in L by (auto using good_in). rewrite Ex in L.
        pose proof (first_net_then_gains p lp LP s a r t' q (G (left s) q) (N (left s) q a) C'
          ltac:(unfold N; lia) ltac:(intros; unfold G; lia)) as F.
        rewrite Et in *. simpl prefix in GN. rewrite total_cons in GN. cbn [length] in *. lia.
    + pose proof (gain_potential p lp LP s t q (G (left s) q) C ltac:(intros; unfold G; lia)).
      unfold o, look in H. cbn [o_own] in H. lia.
  - destruct (list_case t) as [Et|(a & r & t' & Et)]; [rewrite Et in H; discriminate|].
    assert (I' : incl (prefix t') (map item_index items)) by (intros b Hb; apply I; rewrite Et; right; assumption).
    pose proof C as C'. rewrite Et in C'.
    assert (NA : N (left s) q a <= o_net o) by (apply net_le; rewrite Et; left; reflexivity).
    assert (D' : NoDup (prefix t')) by (pose proof (c_distinct p _ _ _ C') as D; inversion D; assumption).
    assert (Lt : length t = S (length t')) by (rewrite Et; reflexivity). rewrite Et. rewrite Lt in H.
    apply orb_true_iff in H. destruct H as [H|H]; [apply orb_true_iff in H; destruct H as [H|H]|].
    + apply Z.leb_le in H. rewrite add_first_spec in H.
      pose proof (first_net_then_gains p lp LP s a r t' q (G (left s) q) (N (left s) q a) C'
        ltac:(unfold N; lia) ltac:(intros; unfold G; lia)) as F.
      pose proof (total_le_top (G (left s) q) (prefix t') _ D' I') as T.
      rewrite gains_spec in H. unfold prefix in T at 2. rewrite map_length in T. lia.
    + apply existsb_exists in H. destruct H as (st & Hst & R). unfold step_reaches in R. apply Z.leb_le in R.
      rewrite whole_spec in R. destruct (steps_spec st Hst) as [M E].
      pose proof (savings p P lp LP s t q (map item_index items) (fst st) _ _ C I M
        (fun _ _ => Z.le_refl _) (fun _ _ _ _ => Z.le_refl _)) as F.
      rewrite E in R. rewrite Et in F at 3. rewrite Lt in F. lia.
    + apply existsb_exists in H. destruct H as (st & Hst & R). unfold step_reaches in R. apply Z.leb_le in R.
      rewrite whole_spec in R. destruct (steps_spec st Hst) as [M E].
      pose proof (first_net_then_savings p P lp LP s a r t' q (map item_index items) (fst st) _ _ (o_net o) C' I' M NA
        (fun _ _ => Z.le_refl _) (fun _ _ _ _ => Z.le_refl _)) as F.
      rewrite E in R. lia.
Qed.
Lemma clearly_enough_sound : clearly_enough_for target lp (paid s) (length t) (glance p (sums_of (left s)) items q) = true ->
  target <= value s t q.
Proof.
  unfold clearly_enough_for, glance. rewrite whole_spec, cost_of_sums by assumption.
  destruct (list_case t) as [Et|(a & r & t' & Et)].
  - rewrite Et. cbn [length]. intros H. apply Z.leb_le in H. pose proof (gain_potential p lp LP s t q (G (left s) q) C ltac:(intros; unfold G; lia)) as F.
    rewrite Et in F. cbn [prefix map length] in F. autorewrite with sums in F. unfold base in F. cbn [length] in F. lia.
  - pose proof C as C'. rewrite Et in C'. assert (Lt : length t = S (length t')) by (rewrite Et; reflexivity). rewrite Et, Lt in *.
    intros H. apply Z.leb_le in H. rewrite whole_spec in H.
    set (most := greatest (map (item_gain q) items)) in *. set (one := fold_left (fun most x => Z.max most (item_net q x)) items 0) in *.
    assert (NA : N (left s) q a <= one).
    { assert (Ia : In a (map item_index items)) by (apply I; left; reflexivity). apply in_map_iff in Ia. destruct Ia as (x & <- & Hx).
      rewrite <- item_net_spec by (auto using good_in). apply le_fold_max. assumption. }
    assert (GA : total (G (left s) q) (prefix t') <= Z.of_nat (length t') * most).
    { rewrite <- (map_length fst t'). fold (prefix t'). rewrite <- (total_const _ most (prefix t')). apply total_le. intros b Hb.
      assert (Ib : In b (map item_index items)) by (apply I; right; assumption). apply in_map_iff in Ib. destruct Ib as (x & <- & Hx).
      rewrite <- item_gain_spec by (auto using good_in). apply le_greatest. apply in_map. assumption. }
    pose proof (first_net_then_gains p lp LP s a r t' q (G (left s) q) (N (left s) q a) C'
      ltac:(unfold N; lia) ltac:(intros; unfold G; lia)) as F. unfold base in F. lia.
Qed.
End Completed.

Theorem bounded_sound : bounded p target lp (paid s) (room s) (sums_of (left s)) items needs = true ->
  forall t d, completion s t d -> target <= value s t d.
Proof.
  intros H t0 d0 C0.
  destruct (active_alone p P s (map item_index items) HI HA (length t0) t0 d0 (le_n _) C0)
    as (t & q & C & I & V & _).
  etransitivity; [|exact V]. clear t0 d0 C0 V.
  pose proof (needed_few t q C) as M. pose proof (items_enough t q C I) as L. pose proof (c_short p _ _ _ C) as R.
  pose proof (equivalent_points p P lp LP s t q C) as F.
  assert (K : forall w, all_lengths target lp (S (Nat.min (room s) (length items)) - m) m
    (paid s + total (floor p) (left s) + whole m * lp)
    (fun n => forallb (enough_for target lp (paid s) m n) (map (look p w (sums_of (left s)) items needed others) classes)) = true ->
    target <= value s t q).
  { intros w A. destruct (all_lengths_spec _ _ _ _ A (length t) ltac:(lia)) as [B|B].
    - rewrite whole_spec in B. nia.
    - rewrite forallb_forall in B. apply (enough_sound t q C I w). apply B. apply in_map. apply C. }
  unfold bounded in H. fold needed others m in H. cbn [s_low Points.sums_of] in H.
  destruct (target <=? paid s + total (floor p) (left s) + whole m * lp) eqn:E0.
  { apply Z.leb_le in E0. rewrite whole_spec in E0. nia. }
  cbn zeta in H. apply orb_true_iff in H. destruct H as [H|H]; [apply orb_true_iff in H; destruct H as [H|H]|].
  - destruct (all_lengths_spec _ _ _ _ H (length t) ltac:(lia)) as [B|B].
    + rewrite whole_spec in B. nia.
    + rewrite forallb_forall in B. apply (clearly_enough_sound t q C I). apply B. apply in_map. apply C.
  - eapply K; exact H.
  - eapply K; exact H.
Qed.
End Itself.
End BoundSound.
