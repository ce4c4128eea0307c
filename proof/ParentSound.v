(* Why (B) for a child by the sums of its parent may be trusted. *)

From Coq Require Import ZArith List Bool Lia Permutation Arith.
From Surelist Require Import Problem Sums Completions Bound Points Check BoundSound.
Import ListNotations.
Open Scope Z_scope.

Lemma most_net_le : forall own rises leads most, most <= most_net own rises leads most.
Proof.
  induction leads as [|[[k g] lead] leads IH]; intros most; simpl; [lia|].
  destruct (g <=? most); [apply IH|]. destruct (k =? own); [apply IH|]. etransitivity; [|apply IH]. lia.
Qed.

Lemma most_net_spec : forall own rises leads most k g lead, In (k, g, lead) leads -> k <> own ->
  Z.min g (greatest_sum lead rises) <= most_net own rises leads most.
Proof.
  induction leads as [|[[k' g'] lead'] leads IH]; intros most k g lead H D; [destruct H|]. simpl. destruct H as [H|H].
  - inversion H; subst. destruct (g <=? most) eqn:E.
    + apply Z.leb_le in E. pose proof (most_net_le own rises leads most). lia.
    + destruct (k =? own) eqn:E2; [apply Z.eqb_eq in E2; contradiction|].
      etransitivity; [|apply most_net_le]. lia.
  - destruct (g' <=? most); [eapply IH; eassumption|]. destruct (k' =? own); eapply IH; eassumption.
Qed.

Lemma greatest_sum_spec : forall A (f g : A -> Z) l x, In x l -> f x + g x <= greatest_sum (map f l) (map g l).
Proof.
  induction l as [|y l IH]; intros x H; [destruct H|]. destruct l as [|z l].
  - destruct H as [->|[]]. simpl. lia.
  - change (greatest_sum (map f (y :: z :: l)) (map g (y :: z :: l)))
      with (Z.max (f y + g y) (greatest_sum (map f (z :: l)) (map g (z :: l)))).
    destruct H as [->|H]; [lia|]. specialize (IH x H). lia.
Qed.

Section ByParent.
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
Notation good_item := (good_item p lp).
Notation missing := (missing p).
Notation G := (G p lp).
Notation N := (N p lp).

Variable s : state.
Variable x : node.
Variable items : list item.
Variable a : item.
Variable needs : ante -> bool.
Variables is_act needed : bool.
Hypothesis HI : incl (left s) (groups p).
Hypothesis HG : Forall (good_item (left s)) items.
Hypothesis HD : NoDup (map item_index items).
Hypothesis HN : forall y, In y items -> needs (fst y) = true <-> missing s (item_index y).
Hypothesis HA : forall b, (b < n_antecedents p)%nat -> ~ In b (forbidden p) ->
  ~ In b (map item_index items) -> inactive p s b.
Hypothesis HX : n_sums x = sums_of (left s) /\ n_paid x = paid s /\ n_room x = room s.
Hypothesis Ha : good_item (left s) a.
Hypothesis Hact : is_act = true -> In a items.
Hypothesis Hneed : needed = false -> ~ missing s (item_index a).

Let limited := limited limit.
Let c := child p limited s (item_index a).
Let m := length (filter (fun i => needs (fst i)) items).
Let forecasts := map (make_forecast p items) classes.

Lemma good_in' : forall y, In y items -> good_item (left s) y.
Proof. rewrite Forall_forall in HG. exact HG. Qed.

Lemma left_c : left c = outside (item_index a) (left s).
Proof. reflexivity. Qed.

Lemma incl_c : incl (left c) (groups p).
Proof. rewrite left_c. intros u Hu. apply filter_In in Hu. apply HI. tauto. Qed.

Lemma paid_c : paid c = n_paid x + rule_price (fst a) + rule_of p (snd a).
Proof.
  destruct HX as (_ & E & _). destruct Ha as [[Ea _] Es]. rewrite E, Es, rule_of_spec by assumption.
  rewrite Ea at 1. reflexivity.
Qed.

Lemma gain_in_child : forall q b, total (gain p q) (inside b (left c)) - extra p lp b <= G (left s) q b.
Proof.
  intros q b. unfold BoundSound.G. rewrite left_c.
  pose proof (inside_of_outside (gain p q) (item_index a) b (left s) (gain_nonneg p q)). lia.
Qed.

Let rises := rises_of p a.
Definition net_bound (f : forecast) : Z := most_net (key (fst a)) rises (f_leads f) 0.

Lemma net_in_child : forall q b, In q classes -> In b (map item_index items) -> b <> item_index a ->
  net p q (inside b (left c)) - extra p lp b <= net_bound (make_forecast p items q).
Proof.
  intros q b Q Hb Db. apply in_map_iff in Hb. destruct Hb as (y & <- & Hy).
  pose proof (good_in' y Hy) as GY. destruct GY as [[Ey Ly] Es]. pose proof (good_in' y Hy) as GY. destruct Ha as [[Ea La] Eas].
  assert (XA : above (fst y) = extra p lp (item_index y)) by (rewrite Ey; reflexivity).
  set (leads := fun r => nth q (s_costs (snd y)) 0 - nth r (s_costs (snd y)) 0 - above (fst y)).
  assert (M : Z.min (item_gain q y) (greatest_sum (map leads (rule_labels p)) rises) <= net_bound (make_forecast p items q)).
  { unfold net_bound. apply most_net_spec with (k := key (fst y)).
    - unfold make_forecast. cbn [f_leads].
      apply (in_map (fun x => (key (fst x), item_gain q x,
        map (fun r => nth q (s_costs (snd x)) 0 - nth r (s_costs (snd x)) 0 - above (fst x)) (rule_labels p)))). assumption.
    - intro K. apply Db. assert (Ka : key (fst a) = whole (item_index a)) by (rewrite Ea at 1; reflexivity).
      assert (Ky : key (fst y) = whole (item_index y)) by (rewrite Ey at 1; reflexivity).
      rewrite Ka, Ky, !whole_spec in K. lia. }
  assert (N1 : net p q (inside (item_index y) (left c)) <= greatest_sum (map leads (rule_labels p)) rises + extra p lp (item_index y)).
  { rewrite left_c. apply net_of_child; auto. intros r Hr.
    assert (Rc : In r classes) by (apply (labels_are_classes _ P); assumption).
    pose proof (greatest_sum_spec nat leads (fun r => nth r (s_costs (snd a)) 0 - s_low (snd a)) (rule_labels p) r Hr) as GS.
    change (map (fun r => nth r (s_costs (snd a)) 0 - s_low (snd a)) (rule_labels p)) with rises in GS.
    unfold leads in GS at 1. rewrite Es, Eas, !cost_of_sums in GS by assumption. cbn [s_low Points.sums_of] in GS.
    rewrite XA in GS. unfold item_index in *. lia. }
  assert (N2 : net p q (inside (item_index y) (left c)) - extra p lp (item_index y) <= item_gain q y).
  { rewrite (item_gain_spec p lp (left s)) by assumption. etransitivity; [|apply gain_in_child].
    pose proof (net_le_gain p q (inside (item_index y) (left c)) NL). lia. }
  lia.
Qed.

Section Completed.
Variable t : list rule.
Variable q : nat.
Hypothesis C : completion c t q.
Hypothesis I : incl (prefix t) (map item_index items).
Hypothesis Own : ~ In (item_index a) (prefix t).
Let Q : In q classes := c_default p _ _ _ C.

Lemma length_prefix : length (prefix t) = length t.
Proof. apply map_length. Qed.

Lemma m_few : ((if needed then pred m else m) <= length t)%nat.
Proof.
  assert (ND : NoDup (map item_index (filter (fun i => needs (fst i)) items))) by (apply NoDup_map_filter; assumption).
  assert (K : forall y, In y (filter (fun i => needs (fst i)) items) -> item_index y <> item_index a -> In (item_index y) (prefix t)).
  { intros y Hy D. apply filter_In in Hy. destruct Hy as [Hy E]. apply (HN y Hy) in E. destruct E as [E1 E2].
    apply (c_required p _ _ _ C); [assumption|]. intros [E|?]; [apply D; symmetry; exact E|tauto]. }
  destruct needed.
  - assert (m <= S (length t))%nat; [|lia]. unfold m. rewrite <- (map_length item_index), <- length_prefix.
    change (S (length (prefix t))) with (length (item_index a :: prefix t)). apply NoDup_incl_length; [assumption|].
    intros b Hb. apply in_map_iff in Hb. destruct Hb as (y & <- & Hy).
    destruct (Nat.eq_dec (item_index y) (item_index a)) as [->|D]; [left; reflexivity|right; auto].
  - unfold m. rewrite <- (map_length item_index), <- length_prefix. apply NoDup_incl_length; [assumption|].
    intros b Hb. apply in_map_iff in Hb. destruct Hb as (y & <- & Hy). apply K; [assumption|]. intro E.
    apply filter_In in Hy. destruct Hy as [Hy Hn]. apply (HN y Hy) in Hn. rewrite E in Hn. apply Hneed; auto.
Qed.

Lemma few : (length t <= if is_act then pred (length items) else length items)%nat.
Proof.
  destruct is_act.
  - assert (S (length t) <= length items)%nat; [|lia]. rewrite <- (map_length item_index items), <- length_prefix.
    change (S (length (prefix t))) with (length (item_index a :: prefix t)). apply NoDup_incl_length.
    + constructor; [assumption|apply C].
    + intros b [<-|Hb]; [apply in_map; auto|auto].
  - rewrite <- (map_length item_index items), <- length_prefix. apply NoDup_incl_length; [apply C|assumption].
Qed.

Lemma gain_without_sound : forall t', NoDup (prefix t') -> incl (prefix t') (map item_index items) ->
  ~ In (item_index a) (prefix t') ->
  total (G (left s) q) (prefix t') <= gain_without (if is_act then Some (item_gain q a) else None)
    (f_gains (make_forecast p items q)) (length t').
Proof.
  intros t' D' I' O'. unfold gain_without, make_forecast. cbn [f_gains]. rewrite add_first_spec.
  rewrite (map_items (item_gain q) (G (left s) q)) by (intros; apply item_gain_spec; auto using good_in').
  pose proof (total_le_top (G (left s) q) (prefix t') _ D' I') as T1. unfold prefix in T1 at 2. rewrite map_length in T1.
  destruct is_act; [|assumption]. rewrite add_first_spec.
  assert (T2 : total (G (left s) q) (item_index a :: prefix t')
    <= top (length (item_index a :: prefix t')) (sort_down (map (G (left s) q) (map item_index items)))).
  { apply total_le_top; [constructor; assumption|]. intros b [<-|Hb]; [apply in_map; auto|auto]. }
  rewrite total_cons in T2. cbn [length] in T2. unfold prefix in T2 at 2. rewrite map_length in T2.
  rewrite (item_gain_spec p lp (left s)) by assumption. lia.
Qed.

Lemma enough_child_sound : forall bound,
  (forall b, In b (map item_index items) -> b <> item_index a ->
    net p q (inside b (left c)) - extra p lp b <= bound (make_forecast p items q)) ->
  enough_for_child target lp (paid c) (length t) (n_sums x) a is_act bound (make_forecast p items q) = true ->
  target <= value c t q.
Proof.
  intros bound HB H. unfold enough_for_child in H. rewrite whole_spec in H. cbn [f_class make_forecast] in H.
  assert (B : paid c + Z.of_nat (length t) * lp + (nth q (s_costs (n_sums x)) 0 - nth q (s_costs (snd a)) 0) = base lp c q (length t)).
  { destruct HX as (E & _ & _). destruct Ha as [_ Es]. rewrite E, Es, !cost_of_sums by assumption.
    unfold base. rewrite left_c. unfold cost_of. rewrite (total_inside _ (item_index a) (left s)). unfold item_index. lia. }
  rewrite B in H. apply orb_true_iff in H. destruct H as [H|H].
  - apply Z.leb_le in H. pose proof (gain_without_sound t (c_distinct p _ _ _ C) I Own).
    pose proof (gain_potential p lp LP c t q (G (left s) q) C ltac:(intros; apply gain_in_child)). lia.
  - destruct (list_case t) as [Et|(b & r & t' & Et)]; [rewrite Et in H; discriminate|].
    pose proof C as C'. rewrite Et in C'. assert (Lt : length t = S (length t')) by (rewrite Et; reflexivity).
    rewrite Lt in H.
    assert (I' : incl (prefix t') (map item_index items)) by (intros z Hz; apply I; rewrite Et; right; assumption).
    assert (D' : NoDup (prefix t')) by (pose proof (c_distinct p _ _ _ C') as D; inversion D; assumption).
    assert (O' : ~ In (item_index a) (prefix t')) by (intro Z0; apply Own; rewrite Et; right; assumption).
    apply Z.leb_le in H. pose proof (gain_without_sound t' D' I' O').
    pose proof (first_net_then_gains p lp LP c b r t' q (G (left s) q) (bound (make_forecast p items q)) C'
      ltac:(apply HB; [apply I; rewrite Et; left; reflexivity|intro; subst b; apply Own; rewrite Et; left; reflexivity])
      ltac:(intros; apply gain_in_child)).
    rewrite Et. lia.
Qed.
End Completed.

Lemma child_completions : forall t0 d0, completion c t0 d0 -> exists t q, completion c t q /\
  incl (prefix t) (map item_index items) /\ ~ In (item_index a) (prefix t) /\ value c t q <= value c t0 d0.
Proof.
  intros t0 d0 C0.
  assert (HA' : forall b, (b < n_antecedents p)%nat -> ~ In b (forbidden p) ->
    ~ In b (filter (fun b => negb (Nat.eqb b (item_index a))) (map item_index items)) -> inactive p c b).
  { intros b Hb Hf Hn. apply (inactive_child p P); [assumption|].
    destruct (Nat.eq_dec b (item_index a)) as [->|D]; [right; split; [reflexivity|assumption]|left].
    apply HA; auto. intro Hin. apply Hn. apply filter_In. split; [assumption|]. apply negb_true_iff, Nat.eqb_neq. assumption. }
  destruct (active_alone p P c _ incl_c HA' (length t0) t0 d0 (le_n _) C0) as (t & q & C & I0 & V & _).
  exists t, q. split; [exact C|]. split; [intros b Hb; apply I0 in Hb; apply filter_In in Hb; tauto|]. split; [|exact V].
  intro Hin. apply I0 in Hin. apply filter_In in Hin. destruct Hin as [_ E]. rewrite Nat.eqb_refl in E. discriminate.
Qed.

Let m' := if needed then pred m else m.
Let low := paid c + total (floor p) (left c) + whole m' * lp.
Let most := if is_act then Nat.min (less_room limited (n_room x)) (pred (length items))
  else Nat.min (less_room limited (n_room x)) (length items).
Let fuel := (S most - m')%nat.

Lemma low_c : s_low (n_sums x) - s_low (snd a) = total (floor p) (left c).
Proof.
  destruct HX as (E & _ & _). destruct Ha as [_ Es]. rewrite E, Es. cbn [s_low Points.sums_of]. rewrite left_c.
  rewrite (total_inside _ (item_index a) (left s)). unfold item_index. lia.
Qed.

(* Whatever steps and bounds on the first rule are right will do. *)
Lemma lengths_sound : forall bound,
  (forall q b, In q classes -> In b (map item_index items) -> b <> item_index a ->
    net p q (inside b (left c)) - extra p lp b <= bound (make_forecast p items q)) ->
  (target <=? low) = true \/ all_lengths target lp fuel m' low
    (fun n => forallb (enough_for_child target lp (paid c) n (n_sums x) a is_act bound) forecasts) = true ->
  forall t d, completion c t d -> target <= value c t d.
Proof.
  intros bound HB H t0 d0 C0. destruct (child_completions t0 d0 C0) as (t & q & C & I & Own & V).
  etransitivity; [|exact V]. clear t0 d0 C0 V.
  pose proof (m_few t q C) as M. pose proof (few t q C I Own) as L. pose proof (c_short p _ _ _ C) as R.
  pose proof (equivalent_points p P lp LP c t q C) as F.
  assert (R' : (length t <= less_room limited (n_room x))%nat).
  { destruct HX as (_ & _ & ->). exact R. }
  assert (Lo : low + Z.of_nat (length t - m') * lp <= value c t q).
  { unfold low. rewrite whole_spec. fold m' in M. nia. }
  destruct H as [H|H].
  - apply Z.leb_le in H. nia.
  - fold m' in M. destruct (all_lengths_spec target lp LP0 _ _ _ _ H (length t) ltac:(unfold fuel, most; destruct is_act; lia)) as [B|B]; [lia|].
    rewrite forallb_forall in B. apply (enough_child_sound t q C I Own bound).
    + intros b. apply HB. apply C.
    + apply B. apply in_map. apply C.
Qed.

Theorem bounded_by_parent_sound :
  bounded_by_parent p target lp x m most forecasts a is_act needed = true ->
  forall t d, completion c t d -> target <= value c t d.
Proof.
  intros H. unfold bounded_by_parent in H. rewrite <- paid_c, low_c in H. fold m' in H. fold fuel low in H.
  apply (lengths_sound net_bound); [exact net_in_child|]. destruct (target <=? low) eqn:E0; [left; reflexivity|right; exact H].
Qed.

(* [nets_below] says what [lengths_sound] asks. *)
Theorem bounded_by_nets_sound : forall active r, map row_item active = items -> row_item r = a ->
  Forall (good_point p) (r_points r) -> map source (r_points r) = inside (item_index a) (left s) ->
  bounded_by_nets p target lp x active m most forecasts r is_act needed = true ->
  forall t d, completion c t d -> target <= value c t d.
Proof.
  intros active r EA ER GR HR H. unfold bounded_by_nets in H. rewrite ER in H. rewrite <- paid_c, low_c in H.
  fold m' in H. fold fuel low in H. cbn zeta in H. apply andb_true_iff in H. destruct H as [HN' H].
  eapply lengths_sound; [|right; exact H].
  rewrite forallb_forall in HN'. intros q b Q Hb Db. specialize (HN' (make_forecast p items q) (in_map _ _ _ Q)).
  apply andb_true_iff in HN'. destruct HN' as [_ HN'].
  cbn [f_class make_forecast] in HN'. match type of HN' with nets_below _ _ _ _ _ ?n = true => set (top_net := n) in * end.
  change (net p q (inside b (left c)) - extra p lp b <= top_net).
  apply in_map_iff in Hb. destruct Hb as (y & <- & Hy). unfold nets_below in HN'. rewrite forallb_forall in HN'.
  rewrite <- EA in Hy. apply in_map_iff in Hy. destruct Hy as (rb & Ey & Hrb). specialize (HN' rb Hrb).
  assert (Hy : In y items) by (rewrite <- EA, <- Ey; apply in_map; assumption).
  destruct (good_in' y Hy) as [[Eya Lya] Esy].
  assert (XA : above (fst y) = extra p lp (item_index y)) by (rewrite Eya; reflexivity).
  rewrite Ey in HN'. change (r_ante rb) with (fst (row_item rb)) in HN'. change (r_sums rb) with (snd (row_item rb)) in HN'. rewrite Ey in HN'.
  change (r_ante r) with (fst (row_item r)) in HN'. rewrite ER in HN'.
  rewrite !orb_true_iff in HN'. destruct HN' as [[[K|K]|K]|K].
  - apply Z.leb_le in K. rewrite (item_gain_spec p lp (left s)) in K by (auto using good_in').
    etransitivity; [|exact K]. etransitivity; [|apply gain_in_child].
    pose proof (net_le_gain p q (inside (item_index y) (left c)) NL). lia.
  - exfalso. apply Db. apply Z.eqb_eq in K. destruct Ha as [[Ea La] _].
    assert (Ka : key (fst a) = whole (item_index a)) by (rewrite Ea at 1; reflexivity).
    assert (Ky : key (fst y) = whole (item_index y)) by (rewrite Eya at 1; reflexivity).
    rewrite Ka, Ky, !whole_spec in K. lia.
  - apply Z.leb_le in K.
    assert (N1 : net p q (inside (item_index y) (left c)) <= top_net + extra p lp (item_index y)); [|lia].
    rewrite left_c. apply net_of_child; auto. intros r0 Hr0.
    assert (Rc : In r0 classes) by (apply (labels_are_classes _ P); assumption).
    destruct Ha as [_ Eas]. rewrite XA in *.
    pose proof (cost_of_sums p q (inside (index (fst y)) (left s)) Q) as X1.
    pose proof (cost_of_sums p r0 (inside (index (fst y)) (left s)) Rc) as X2.
    pose proof (cost_of_sums p r0 (inside (index (fst a)) (left s)) Rc) as X3.
    rewrite <- Esy in X1, X2. rewrite <- Eas in X3.
    assert (X4 : s_low (snd a) = total (floor p) (inside (index (fst a)) (left s))) by (rewrite Eas; reflexivity).
    pose proof (greatest_sum_spec nat (fun r => nth q (s_costs (snd y)) 0 - nth r (s_costs (snd y)) 0 - above (fst y))
      (fun r => nth r (s_costs (snd a)) 0 - s_low (snd a)) (rule_labels p) r0 Hr0) as GS'.
    cbv beta in GS'. fold (rises_of p a) in GS'. rewrite XA in GS'. unfold item_index in *. lia.
  - apply Z.leb_le in K. rewrite (item_net_spec p lp P (left c)) in K; [exact K| |exact Q].
    split; [split; assumption|]. cbn [fst snd]. rewrite Esy, sum_within_spec.
    rewrite sum_points_spec by (apply Forall_filter; assumption).
    replace (map source (filter (within (fst y)) (r_points r))) with (inside (item_index a) (inside (index (fst y)) (left s))).
    + rewrite minus_spec, left_c, inside_outside_comm. reflexivity.
    + pose proof (filter_within p lp (index (fst y)) (r_points r) GR Lya) as FW. rewrite <- Eya in FW.
      rewrite FW, HR. apply inside_comm.
Qed.
End ByParent.
