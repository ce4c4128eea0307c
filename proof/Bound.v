(* Theorems 1 to 3 of docs/proofs.md: antecedents that no cheapest completion needs, and what any
   number of further rules can gain.

   The bounds on gains are stated for numbers that may be too large, so that they hold for a child
   by the sums of its parent as well. *)

From Coq Require Import ZArith List Bool Lia Permutation Arith Sorted.
From Surelist Require Import Problem Sums Completions.
Import ListNotations.
Open Scope Z_scope.

Section Bound.
Variable p : problem.
Hypothesis P : proper p.

Notation classes := (classes p).
Notation floor := (floor p).
Notation ceil := (ceil p).
Notation completion := (completion p).
Notation value := (value p).
Notation rule_cost := (rule_cost p).

Definition settled (s : state) : Prop := forall a, In a (required p) -> In a (used s).
Definition worthless (set : list group) (a : nat) : Prop :=
  forall r, In r (rule_labels p) -> total ceil (inside a set) - cost_of r (inside a set) <= price p a.
Definition leaves_too_little (set : list group) (a : nat) : Prop :=
  total ceil (outside a set) <= price p a.

(* What no cheapest completion needs. *)
Definition inactive (s : state) (a : nat) : Prop :=
  (In a (required p) -> In a (used s)) /\
  (worthless (left s) a \/ (settled s /\ leaves_too_little (left s) a)).

Definition save (r : nat) (u : group) : Z := ceil u - cost u r.
Definition gain (q : nat) (u : group) : Z :=
  Z.max 0 (cost u q - least (map (cost u) (rule_labels p))).

Lemma save_nonneg : forall r u, In r classes -> 0 <= save r u.
Proof. intros. unfold save. pose proof (le_ceil p u r H). lia. Qed.

Lemma gain_nonneg : forall q u, 0 <= gain q u.
Proof. intros. unfold gain. lia. Qed.

Lemma total_save : forall r s, total (save r) s = total ceil s - cost_of r s.
Proof. intros. unfold save. rewrite total_minus. reflexivity. Qed.

Lemma predict_app : forall t1 t2 d u, predict (t1 ++ t2) d u =
  if existsb (captures u) (prefix t1) then predict t1 d u else predict t2 d u.
Proof.
  induction t1 as [|[a r] t1 IH]; intros; simpl; [reflexivity|].
  destruct (captures u a); simpl; [reflexivity|]. apply IH.
Qed.

Lemma predict_default : forall t d e u, existsb (captures u) (prefix t) = true ->
  predict t d u = predict t e u.
Proof.
  induction t as [|[a r] t IH]; intros d e u H; simpl in *; [discriminate|].
  destruct (captures u a); simpl in *; auto.
Qed.

Lemma predict_none : forall t d u, existsb (captures u) (prefix t) = false -> predict t d u = d.
Proof.
  induction t as [|[a r] t IH]; intros d u H; simpl in *; [reflexivity|].
  destruct (captures u a); simpl in *; [discriminate|auto].
Qed.

Lemma prefix_app : forall t1 t2, prefix (t1 ++ t2) = prefix t1 ++ prefix t2.
Proof. intros. apply map_app. Qed.

Lemma inside_in : forall a s u, In u (inside a s) -> captures u a = true.
Proof. intros a s u H. apply filter_In in H. apply H. Qed.

(* Theorem 1, an antecedent not worth its price. *)
Theorem not_worth_its_price : forall s t1 a r t2 d,
  (In a (required p) -> In a (used s)) -> worthless (left s) a ->
  completion s (t1 ++ (a, r) :: t2) d ->
  completion s (t1 ++ t2) d /\ value s (t1 ++ t2) d <= value s (t1 ++ (a, r) :: t2) d.
Proof.
  intros s t1 a r t2 d HU HW [H1 H2 H3 H4 H5 H6].
  assert (HR : In r (rule_labels p)) by (apply H3; rewrite map_app; apply in_app_iff; right; left; reflexivity).
  assert (HL : forall x, In x (map snd (t1 ++ t2)) -> In x (rule_labels p)).
  { intros x Hx. apply H3. rewrite map_app in *. rewrite in_app_iff in *. simpl. tauto. }
  rewrite prefix_app in *. simpl in *. split.
  - constructor; try rewrite prefix_app; auto.
    + apply NoDup_remove_1 in H1. assumption.
    + intros x Hx. apply H2. rewrite in_app_iff in *. simpl. tauto.
    + intros x Hx Hn. specialize (H5 x Hx Hn). rewrite in_app_iff in *. simpl in H5.
      destruct H5 as [?|[->|?]]; tauto.
    + rewrite app_length in *. simpl in H6. lia.
  - unfold Completions.value. rewrite !prefix_app, !total_app. simpl. rewrite total_cons.
    specialize (HW r HR). rewrite <- total_save in HW. unfold inside in HW. rewrite total_filter in HW.
    assert (loss (left s) (t1 ++ t2) d <= loss (left s) (t1 ++ (a, r) :: t2) d
      + total (fun u => if is_in a u then save r u else 0) (left s)); [|lia].
    unfold loss. rewrite <- total_plus. apply total_le. intros u _.
    rewrite !predict_app. simpl. unfold is_in.
    assert (0 <= save r u) by (apply save_nonneg, (labels_are_classes _ P), HR).
    destruct (existsb (captures u) (prefix t1)); destruct (captures u a); simpl; try lia.
    assert (In (predict t2 d u) classes).
    { apply (predict_class p P); auto. intros x Hx. apply HL. rewrite map_app. apply in_app_iff. tauto. }
    pose proof (le_ceil p u _ H0). unfold save. lia.
Qed.

(* Theorem 2, an antecedent that leaves too little. *)
Theorem leaves_too_little_to_gain : forall s t1 a r t2 d, incl (left s) (groups p) ->
  settled s -> leaves_too_little (left s) a ->
  completion s (t1 ++ (a, r) :: t2) d ->
  completion s t1 r /\ value s t1 r <= value s (t1 ++ (a, r) :: t2) d.
Proof.
  intros s t1 a r t2 d HI HU HW [H1 H2 H3 H4 H5 H6].
  assert (HR : In r classes).
  { apply (labels_are_classes _ P), H3; rewrite map_app; apply in_app_iff; right; left; reflexivity. }
  rewrite prefix_app in *. simpl in *. split.
  - constructor; auto.
    + clear - H1. induction (prefix t1); [constructor|]. simpl in H1. inversion H1; subst.
      constructor; auto. intro. apply H2. apply in_app_iff. tauto.
    + intros x Hx. apply H2. rewrite in_app_iff. tauto.
    + intros x Hx. apply H3. rewrite map_app, in_app_iff. tauto.
    + intros x Hx Hn. destruct (Hn (HU x Hx)).
    + rewrite app_length in H6. lia.
  - unfold Completions.value. rewrite !prefix_app, !total_app. simpl. rewrite total_cons.
    unfold leaves_too_little, outside in HW. rewrite total_filter in HW.
    assert (0 <= total (price p) (prefix t2)).
    { apply total_nonneg. intros x Hx. apply (prices_nonneg _ P). apply H2. rewrite in_app_iff. simpl. tauto. }
    assert (loss (left s) t1 r <= loss (left s) (t1 ++ (a, r) :: t2) d
      + total (fun u => if is_out a u then ceil u else 0) (left s)); [|lia].
    unfold loss. rewrite <- total_plus. apply total_le. intros u Hu.
    assert (HC : forall q, In q classes -> 0 <= cost u q <= ceil u).
    { intros. split; [apply (costs_nonneg _ P); auto|apply le_ceil; assumption]. }
    pose proof (HC r HR).
    rewrite predict_app. simpl. unfold is_out.
    destruct (existsb (captures u) (prefix t1)) eqn:E.
    + rewrite (predict_default t1 r d u E). destruct (captures u a); simpl; lia.
    + rewrite (predict_none t1 r u E). destruct (captures u a); simpl; [lia|].
      assert (In (predict t2 d u) classes).
      { apply (predict_class p P); auto. intros x Hx. apply H3. rewrite map_app, in_app_iff. simpl. tauto. }
      specialize (HC _ H7). lia.
Qed.

(* By both, some cheapest completion has active antecedents alone. *)
Theorem active_alone : forall s act, incl (left s) (groups p) ->
  (forall a, (a < n_antecedents p)%nat -> ~ In a (forbidden p) -> ~ In a act -> inactive s a) ->
  forall n t d, (length t <= n)%nat -> completion s t d ->
  exists t' d', completion s t' d' /\ incl (prefix t') act /\ value s t' d' <= value s t d
    /\ (length t' <= length t)%nat.
Proof.
  intros s act HI HA. induction n; intros t d HN C.
  - exists t, d. destruct t; [|simpl in HN; lia]. split; [assumption|]. split; [intros x []|lia].
  - destruct (forallb (fun x => if in_dec Nat.eq_dec (fst x) act then true else false) t) eqn:E.
    + exists t, d. split; [assumption|]. split; [|lia]. rewrite forallb_forall in E.
      intros x Hx. unfold prefix in Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy).
      specialize (E y Hy). destruct (in_dec Nat.eq_dec (fst y) act); [assumption|discriminate].
    + assert (exists a r t1 t2, t = t1 ++ (a, r) :: t2 /\ ~ In a act) as (a & r & t1 & t2 & -> & Ha).
      { clear - E. induction t as [|[a r] t IH]; simpl in E; [discriminate|].
        destruct (in_dec Nat.eq_dec a act).
        - destruct (IH E) as (b & q & t1 & t2 & -> & Hb). exists b, q, ((a, r) :: t1), t2. auto.
        - exists a, r, [], t. auto. }
      assert (Hx : In a (prefix (t1 ++ (a, r) :: t2))).
      { rewrite prefix_app, in_app_iff. right. left. reflexivity. }
      destruct (c_exist p _ _ _ C a Hx) as [Hl Hf].
      destruct (HA a Hl Hf Ha) as [HU [HW|[HS HW]]]; rewrite app_length in *; simpl in *.
      * destruct (not_worth_its_price s t1 a r t2 d HU HW C) as [C' V'].
        destruct (IHn (t1 ++ t2) d) as (t' & d' & ? & ? & ? & ?); auto; rewrite app_length in *; [lia|].
        exists t', d'. split; [assumption|]. split; [assumption|]. simpl in *. lia.
      * destruct (leaves_too_little_to_gain s t1 a r t2 d HI HS HW C) as [C' V'].
        destruct (IHn t1 r) as (t' & d' & ? & ? & ? & ?); auto; [lia|].
        exists t', d'. split; [assumption|]. split; [assumption|]. simpl in *. lia.
Qed.

(* What an antecedent is worth only falls as a set shrinks. *)
Lemma inside_of_outside : forall f a b s, (forall u, 0 <= f u) ->
  total f (inside b (outside a s)) <= total f (inside b s).
Proof.
  intros. unfold inside, outside. rewrite filter_filter, !total_filter. apply total_le.
  intros u _. specialize (H u). destruct (is_out a u), (is_in b u); simpl; lia.
Qed.

Lemma inside_of_outside_save : forall r a b s, In r classes ->
  total (save r) (inside b (outside a s)) <= total (save r) (inside b s).
Proof. intros. apply inside_of_outside. intros. apply save_nonneg. assumption. Qed.

Lemma inside_outside_nil : forall a s, inside a (outside a s) = [].
Proof.
  intros. unfold inside, outside. rewrite filter_filter. induction s; simpl; [reflexivity|].
  unfold is_in, is_out in *. destruct (captures a0 a); simpl; assumption.
Qed.

(* Antecedents that are not active stay so in every child, and the child's own is not. *)
Lemma inactive_child : forall limited s a b, incl (left s) (groups p) ->
  inactive s b \/ (b = a /\ (a < n_antecedents p)%nat) -> inactive (child p limited s a) b.
Proof.
  intros limited s a b HI [[HU HW]|[-> Hl]]; split; simpl; auto.
  - destruct HW as [HW|[HS HW]]; [left|right; split].
    + intros r Hr. specialize (HW r Hr). rewrite <- total_save in *. simpl.
      pose proof (inside_of_outside_save r a b (left s) (labels_are_classes _ P r Hr)). lia.
    + intros x Hx. right. apply HS. assumption.
    + unfold leaves_too_little in *. simpl. unfold outside at 1 2. rewrite filter_filter.
      unfold outside in HW. rewrite total_filter in *. etransitivity; [|exact HW].
      apply total_le. intros u Hu. destruct (is_out a u), (is_out b u); simpl; try lia.
      destruct classes as [|q l] eqn:E.
      * unfold Completions.ceil. rewrite E. simpl. lia.
      * assert (Hq : In q classes) by (rewrite E; left; reflexivity).
        pose proof (le_ceil p u q Hq). pose proof (costs_nonneg _ P u q (HI u Hu) Hq). lia.
  - left. intros r Hr. simpl. rewrite inside_outside_nil. unfold cost_of. autorewrite with sums.
    pose proof (prices_nonneg _ P a Hl). lia.
Qed.

(* Theorem 3. Compared with predicting q on all of the set, rules gain no more than their sums. *)
Lemma gain_point : forall q r u, In r (rule_labels p) -> cost u q - cost u r <= gain q u.
Proof.
  intros. unfold gain. assert (least (map (cost u) (rule_labels p)) <= cost u r); [|lia].
  apply least_le, in_map. assumption.
Qed.

Lemma gain_inside : forall q r s, In r (rule_labels p) ->
  cost_of q s - cost_of r s <= total (gain q) s.
Proof.
  intros. unfold cost_of. rewrite <- total_minus. apply total_le. intros. apply gain_point. assumption.
Qed.

Definition labelled_by_rules (t : list rule) : Prop := forall r, In r (map snd t) -> In r (rule_labels p).

Lemma gains : forall q t s, labelled_by_rules t ->
  cost_of q s - loss s t q <= total (fun a => total (gain q) (inside a s)) (prefix t).
Proof.
  induction t as [|[a r] t IH]; intros s L.
  - unfold loss, cost_of. simpl. autorewrite with sums. lia.
  - rewrite loss_cons. simpl prefix. rewrite total_cons. unfold cost_of at 1. rewrite (total_inside _ a).
    fold (cost_of q (inside a s)) (cost_of q (outside a s)).
    assert (labelled_by_rules t) by (intros x Hx; apply L; right; assumption).
    specialize (IH (outside a s) H). pose proof (gain_inside q r (inside a s) (L r (or_introl eq_refl))).
    assert (total (fun b => total (gain q) (inside b (outside a s))) (prefix t)
      <= total (fun b => total (gain q) (inside b s)) (prefix t)); [|lia].
    apply total_le. intros b _. apply inside_of_outside. apply gain_nonneg.
Qed.

(* A rule has one label, and so rules save no more than their label does. *)
Fixpoint caught (r : nat) (t : list rule) (u : group) : bool :=
  match t with
  | [] => false
  | (a, l) :: rest => if captures u a then Nat.eqb l r else caught r rest u
  end.

Definition is_label (r : nat) : bool := existsb (Nat.eqb r) (rule_labels p).
Definition other_labels (q : nat) : list nat :=
  filter (fun r => negb (Nat.eqb r q) && is_label r) classes.

Lemma is_label_spec : forall r, is_label r = true <-> In r (rule_labels p).
Proof.
  intros. unfold is_label. rewrite existsb_exists. split.
  - intros (x & Hx & E). apply Nat.eqb_eq in E. subst. assumption.
  - intros. exists r. split; [assumption|apply Nat.eqb_refl].
Qed.

Lemma other_labels_spec : forall q r, In r (other_labels q) <-> In r classes /\ r <> q /\ In r (rule_labels p).
Proof.
  intros. unfold other_labels. rewrite filter_In, andb_true_iff, is_label_spec, negb_true_iff, Nat.eqb_neq. tauto.
Qed.

Lemma save_point : forall q t u, labelled_by_rules t -> In q classes ->
  cost u q - cost u (predict t q u)
  <= total (fun r => if caught r t u then save r u else 0) (other_labels q).
Proof.
  intros q t u L Q. induction t as [|[a l] t IH]; simpl.
  - transitivity 0; [lia|]. apply total_nonneg. intros. lia.
  - assert (HL : In l (rule_labels p)) by (apply L; left; reflexivity).
    assert (NN : forall r, In r (other_labels q) -> 0 <= save r u).
    { intros r Hr. apply save_nonneg. apply other_labels_spec in Hr. tauto. }
    destruct (captures u a).
    + destruct (Nat.eq_dec l q) as [->|D].
      * transitivity 0; [lia|]. apply total_nonneg. intros r Hr. specialize (NN r Hr).
        destruct (Nat.eqb q r); lia.
      * assert (In l (other_labels q)).
        { apply other_labels_spec. repeat split; auto. apply (labels_are_classes _ P). assumption. }
        pose proof (total_term _ (fun r => if Nat.eqb l r then save r u else 0) (other_labels q) l) as T.
        simpl in T. rewrite Nat.eqb_refl in T. pose proof (le_ceil p u q Q). unfold save in T at 1 2.
        assert (ceil u - cost u l <= total (fun r => if Nat.eqb l r then save r u else 0) (other_labels q)); [|lia].
        apply T; [|assumption]. intros r Hr. specialize (NN r Hr). unfold save in NN. destruct (Nat.eqb l r); lia.
    + apply IH. intros x Hx. apply L. right. assumption.
Qed.

Definition by_label (r : nat) (t : list rule) : list nat := prefix (filter (fun x => Nat.eqb (snd x) r) t).
Definition saved (r : nat) (t : list rule) (s : list group) : Z :=
  total (fun u => if caught r t u then save r u else 0) s.

Lemma saved_all : forall r t s, In r classes -> saved r t s <= total (save r) s.
Proof.
  intros. apply total_le. intros u _. pose proof (save_nonneg r u H). destruct (caught r t u); lia.
Qed.

Lemma by_label_cons : forall r a l t,
  by_label r ((a, l) :: t) = if Nat.eqb l r then a :: by_label r t else by_label r t.
Proof. intros. unfold by_label. simpl. destruct (Nat.eqb l r); reflexivity. Qed.

Lemma saved_each : forall r t s, In r classes ->
  saved r t s <= total (fun a => total (save r) (inside a s)) (by_label r t).
Proof.
  intros r t s Hr. unfold saved, inside.
  transitivity (total (fun u => total (fun a => if is_in a u then save r u else 0) (by_label r t)) s).
  - apply total_le. intros u _. pose proof (save_nonneg r u Hr). induction t as [|[a l] t IH]; simpl.
    + unfold by_label. simpl. autorewrite with sums. lia.
    + assert (0 <= total (fun b => if is_in b u then save r u else 0) (by_label r t)).
      { apply total_nonneg. intros. destruct (is_in x u); lia. }
      rewrite by_label_cons. destruct (Nat.eqb l r) eqn:E; autorewrite with sums; unfold is_in in *;
        destruct (captures u a); lia.
  - rewrite total_swap. apply total_le. intros a _. rewrite total_filter. lia.
Qed.

Lemma count_labels : forall rs t, NoDup rs ->
  total (fun r => Z.of_nat (length (by_label r t))) rs <= Z.of_nat (length t).
Proof.
  intros rs t N. induction t as [|[a l] t IH].
  - unfold by_label. simpl. rewrite total_const. lia.
  - assert (total (fun r => if Nat.eqb l r then 1 else 0) rs <= 1).
    { clear - N. induction N; autorewrite with sums; [lia|].
      cbv beta in *. destruct (Nat.eqb l x) eqn:E; [|lia]. apply Nat.eqb_eq in E. subst.
      assert (total (fun r => if Nat.eqb x r then 1 else 0) l0 <= 0); [|lia].
      transitivity (total (fun _ : nat => 0) l0); [|rewrite total_const; lia]. apply total_le. intros y Hy.
      destruct (Nat.eqb x y) eqn:E; [|lia]. apply Nat.eqb_eq in E. subst. contradiction. }
    transitivity (total (fun r => (if Nat.eqb l r then 1 else 0) + Z.of_nat (length (by_label r t))) rs).
    + apply total_le. intros r _. rewrite by_label_cons. destruct (Nat.eqb l r); simpl length; lia.
    + rewrite total_plus. simpl length. lia.
Qed.

(* The most that some rules for one label save beyond mu for each: they save no more than [w]
   together, and no more than the greatest of [xs] one by one. *)
Fixpoint excess (w mu : Z) (xs : list Z) (got due : Z) : Z :=
  let here := Z.min w got - due in
  match xs with
  | [] => here
  | x :: rest => if (x <=? mu) || (w <=? got) then here else Z.max here (excess w mu rest (got + x) (due + mu))
  end.

Lemma top_le_times : forall mu xs k, (forall x, In x xs -> x <= mu) -> 0 <= mu -> top k xs <= Z.of_nat k * mu.
Proof.
  induction xs; intros k H M; unfold top, sum in *.
  - rewrite firstn_nil. autorewrite with sums. nia.
  - destruct k; simpl firstn; autorewrite with sums; [lia|].
    assert (a <= mu) by (apply H; left; reflexivity).
    specialize (IHxs k ltac:(intros; apply H; right; assumption) M). nia.
Qed.

Lemma excess_spec : forall w mu, 0 <= mu -> forall xs got due k, descending xs ->
  Z.min w (got + top k xs) - (due + Z.of_nat k * mu) <= excess w mu xs got due.
Proof.
  intros w mu M. induction xs; intros got due k D.
  - unfold top, sum. rewrite firstn_nil. autorewrite with sums. simpl excess. nia.
  - simpl excess. inversion D as [|? ? D' F]; subst. rewrite Forall_forall in F.
    destruct ((a <=? mu) || (w <=? got)) eqn:E.
    + apply orb_true_iff in E. rewrite !Z.leb_le in E. destruct E as [E|E].
      * assert (top k (a :: xs) <= Z.of_nat k * mu); [|nia].
        apply top_le_times; [|assumption]. intros x [->|Hx]; [lia|]. specialize (F x Hx). lia.
      * nia.
    + destruct k.
      * unfold top, sum. simpl firstn. autorewrite with sums. lia.
      * specialize (IHxs (got + a) (due + mu) k D'). unfold top, sum in *. simpl firstn. autorewrite with sums.
        replace (due + Z.of_nat (S k) * mu) with (due + mu + Z.of_nat k * mu) by nia.
        replace (got + (a + total (fun x => x) (firstn k xs))) with (got + a + total (fun x => x) (firstn k xs)) by lia.
        lia.
Qed.

Lemma NoDup_prefix_filter : forall c (t : list rule), NoDup (prefix t) -> NoDup (prefix (filter c t)).
Proof.
  induction t as [|x t IH]; simpl; intros N; [constructor|]. inversion N; subst.
  destruct (c x); simpl; auto. constructor; auto. intro H. apply H1. unfold prefix in *.
  apply in_map_iff in H. destruct H as (y & E & Hy). apply filter_In in Hy. apply in_map_iff. exists y. tauto.
Qed.

Theorem one_label_a_rule : forall q t s act mu (whole : nat -> Z) (each : nat -> nat -> Z),
  labelled_by_rules t -> In q classes -> NoDup (prefix t) -> incl (prefix t) act -> 0 <= mu ->
  (forall r, In r (other_labels q) -> total (save r) s <= whole r) ->
  (forall r a, In r (other_labels q) -> In a act -> total (save r) (inside a s) <= each r a) ->
  cost_of q s - loss s t q <= Z.of_nat (length t) * mu
    + total (fun r => excess (whole r) mu (sort_down (map (each r) act)) 0 0) (other_labels q).
Proof.
  intros q t s act mu whole each L Q N I M HW HE.
  transitivity (total (fun r => saved r t s) (other_labels q)).
  { unfold cost_of, loss. rewrite <- total_minus.
    etransitivity; [apply total_le; intros u _; apply save_point; assumption|].
    rewrite total_swap. apply total_le. intros r _. unfold saved. lia. }
  assert (C : total (fun r => Z.of_nat (length (by_label r t))) (other_labels q) <= Z.of_nat (length t)).
  { apply count_labels. apply NoDup_filter. apply seq_NoDup. }
  transitivity (total (fun r => Z.of_nat (length (by_label r t)) * mu
    + excess (whole r) mu (sort_down (map (each r) act)) 0 0) (other_labels q)).
  - apply total_le. intros r Hr. destruct (proj1 (other_labels_spec q r) Hr) as (Hc & _ & _).
    pose proof (saved_all r t s Hc). pose proof (saved_each r t s Hc). specialize (HW r Hr).
    assert (NB : NoDup (by_label r t)) by (apply NoDup_prefix_filter; assumption).
    assert (IB : incl (by_label r t) act).
    { intros x Hx. apply I. unfold by_label, prefix in *. apply in_map_iff in Hx.
      destruct Hx as (y & <- & Hy). apply filter_In in Hy. apply in_map. tauto. }
    assert (total (fun a => total (save r) (inside a s)) (by_label r t) <= total (each r) (by_label r t)).
    { apply total_le. intros a Ha. apply HE; auto. }
    pose proof (total_le_top (each r) (by_label r t) act NB IB).
    pose proof (excess_spec (whole r) mu M (sort_down (map (each r) act)) 0 0 (length (by_label r t)) (sort_down_sorted _)).
    lia.
  - rewrite total_plus.
    assert (total (fun r => Z.of_nat (length (by_label r t)) * mu) (other_labels q)
      = total (fun r => Z.of_nat (length (by_label r t))) (other_labels q) * mu); [|nia].
    clear. induction (other_labels q); autorewrite with sums; [lia|]. rewrite IHl. lia.
Qed.

(* What a completion costs at least. [least_price] is no more than any price. *)
Variable least_price : Z.
Hypothesis LP : forall a, (a < n_antecedents p)%nat -> least_price <= price p a.
Definition extra (a : nat) : Z := price p a - least_price.

Definition base (s : state) (q : nat) (n : nat) : Z :=
  paid s + Z.of_nat n * least_price + cost_of q (left s).

Lemma price_split : forall s t d, completion s t d ->
  total (price p) (prefix t) = Z.of_nat (length t) * least_price + total extra (prefix t)
  /\ 0 <= total extra (prefix t).
Proof.
  intros s t d C. split.
  - unfold extra. rewrite total_minus, total_const. unfold prefix. rewrite map_length. lia.
  - apply total_nonneg. intros a Ha. unfold extra. destruct (c_exist p _ _ _ C a Ha) as [H _].
    specialize (LP a H). lia.
Qed.

(* The equivalent points bound, with the price of each further rule. *)
Theorem equivalent_points : forall s t d, completion s t d ->
  paid s + Z.of_nat (length t) * least_price + total floor (left s) <= value s t d.
Proof.
  intros s t d C. destruct (price_split s t d C) as [E H]. unfold Completions.value. rewrite E.
  assert (total floor (left s) <= loss (left s) t d); [|lia]. apply total_le. intros u _.
  apply floor_le. apply (predict_class p P); apply C.
Qed.

Theorem gain_potential : forall s t q (G : nat -> Z), completion s t q ->
  (forall a, In a (prefix t) -> total (gain q) (inside a (left s)) - extra a <= G a) ->
  base s q (length t) - total G (prefix t) <= value s t q.
Proof.
  intros s t q G C H. destruct (price_split s t q C) as [E _]. unfold Completions.value, base. rewrite E.
  pose proof (gains q t (left s) (c_labels p _ _ _ C)).
  assert (total (fun a => total (gain q) (inside a (left s)) - extra a) (prefix t) <= total G (prefix t))
    by (apply total_le; assumption).
  rewrite total_minus in H1. lia.
Qed.

Definition net (q : nat) (s : list group) : Z := cost_of q s - rule_cost s.

(* The first rule captures all that its antecedent does, and gains its net. *)
Lemma first_rule : forall s a r t q, completion s ((a, r) :: t) q ->
  base s q (S (length t)) - (net q (inside a (left s)) - extra a)
    - (cost_of q (outside a (left s)) - loss (outside a (left s)) t q - total extra (prefix t))
  <= value s ((a, r) :: t) q.
Proof.
  intros s a r t q C. destruct (price_split _ _ _ C) as [E _]. unfold Completions.value, base. rewrite E.
  rewrite loss_cons. simpl prefix. rewrite total_cons. simpl length.
  unfold cost_of at 1. rewrite (total_inside _ a). fold (cost_of q (inside a (left s))) (cost_of q (outside a (left s))).
  unfold net. pose proof (rule_cost_le p (inside a (left s)) r (c_labels p _ _ _ C r (or_introl eq_refl))). lia.
Qed.

Theorem first_net_then_gains : forall s a r t q (G : nat -> Z) N, completion s ((a, r) :: t) q ->
  net q (inside a (left s)) - extra a <= N ->
  (forall b, In b (prefix t) -> total (gain q) (inside b (left s)) - extra b <= G b) ->
  base s q (S (length t)) - N - total G (prefix t) <= value s ((a, r) :: t) q.
Proof.
  intros s a r t q G N C HN H. pose proof (first_rule s a r t q C).
  assert (L : labelled_by_rules t) by (intros x Hx; apply (c_labels p _ _ _ C); right; assumption).
  pose proof (gains q t (outside a (left s)) L).
  assert (total (fun b => total (gain q) (inside b (outside a (left s))) - extra b) (prefix t) <= total G (prefix t)).
  { apply total_le. intros b Hb. specialize (H b Hb).
    pose proof (inside_of_outside (gain q) a b (left s) (gain_nonneg q)). lia. }
  rewrite total_minus in H2. lia.
Qed.

Theorem savings : forall s t q act mu whole each, completion s t q -> incl (prefix t) act -> 0 <= mu ->
  (forall r, In r (other_labels q) -> total (save r) (left s) <= whole r) ->
  (forall r a, In r (other_labels q) -> In a act -> total (save r) (inside a (left s)) <= each r a) ->
  base s q (length t) - (Z.of_nat (length t) * mu
    + total (fun r => excess (whole r) mu (sort_down (map (each r) act)) 0 0) (other_labels q)) <= value s t q.
Proof.
  intros s t q act mu whole each C I M HW HE. destruct (price_split s t q C) as [E X].
  pose proof (one_label_a_rule q t (left s) act mu whole each (c_labels p _ _ _ C) (c_default p _ _ _ C)
    (c_distinct p _ _ _ C) I M HW HE). unfold Completions.value, base. rewrite E. lia.
Qed.

Theorem first_net_then_savings : forall s a r t q act mu whole each N, completion s ((a, r) :: t) q ->
  incl (prefix t) act -> 0 <= mu -> net q (inside a (left s)) - extra a <= N ->
  (forall r, In r (other_labels q) -> total (save r) (left s) <= whole r) ->
  (forall r a, In r (other_labels q) -> In a act -> total (save r) (inside a (left s)) <= each r a) ->
  base s q (S (length t)) - N - (Z.of_nat (length t) * mu
    + total (fun r => excess (whole r) mu (sort_down (map (each r) act)) 0 0) (other_labels q))
  <= value s ((a, r) :: t) q.
Proof.
  intros s a r t q act mu whole each N C I M HN HW HE. pose proof (first_rule s a r t q C).
  assert (L : labelled_by_rules t) by (intros x Hx; apply (c_labels p _ _ _ C); right; assumption).
  assert (ND : NoDup (prefix t)) by (pose proof (c_distinct p _ _ _ C) as D; inversion D; assumption).
  assert (X : 0 <= total extra (prefix t)).
  { apply total_nonneg. intros b Hb. unfold extra.
    destruct (c_exist p _ _ _ C b (or_intror Hb)) as [Hl _]. specialize (LP b Hl). lia. }
  assert (HO : forall x, In x (other_labels q) -> In x classes) by (intros x Hx; apply other_labels_spec in Hx; tauto).
  pose proof (one_label_a_rule q t (outside a (left s)) act mu whole each L (c_default p _ _ _ C) ND I M).
  assert (cost_of q (outside a (left s)) - loss (outside a (left s)) t q <= Z.of_nat (length t) * mu
    + total (fun r => excess (whole r) mu (sort_down (map (each r) act)) 0 0) (other_labels q)); [|lia].
  apply H0.
  - intros x Hx. etransitivity; [|apply HW; assumption]. apply total_filter_le.
    intros. apply save_nonneg. auto.
  - intros x b Hx Hb. etransitivity; [|apply HE; eassumption]. apply inside_of_outside_save. auto.
Qed.

(* What the first rule gains in a child, by the sums of its parent. *)
Theorem net_of_child : forall q a b s most, In q classes ->
  (forall r, In r (rule_labels p) ->
    cost_of q (inside b s) - cost_of r (inside b s) + (cost_of r (inside a s) - total floor (inside a s)) <= most) ->
  rule_labels p <> [] -> net q (inside b (outside a s)) <= most.
Proof.
  intros q a b s most Q H NE. unfold net.
  assert (exists r, In r (rule_labels p) /\ rule_cost (inside b (outside a s)) = cost_of r (inside b (outside a s))) as (r & Hr & E).
  { unfold Completions.rule_cost. set (f := fun r => cost_of r (inside b (outside a s))).
    assert (In (least (map f (rule_labels p))) (map f (rule_labels p))).
    { apply least_in. destruct (rule_labels p); [contradiction|discriminate]. }
    apply in_map_iff in H0. destruct H0 as (r & E & Hr). exists r. split; [assumption|]. rewrite <- E. reflexivity. }
  rewrite E. specialize (H r Hr). etransitivity; [|exact H]. unfold cost_of, inside, outside. rewrite filter_filter, !total_filter.
  assert (total (fun x => if is_out a x && is_in b x then cost x q else 0) s
    + total (fun x => if is_in b x then cost x r else 0) s + total (fun x => if is_in a x then floor x else 0) s
    <= total (fun x => if is_out a x && is_in b x then cost x r else 0) s
    + total (fun x => if is_in b x then cost x q else 0) s + total (fun x => if is_in a x then cost x r else 0) s); [|lia].
  rewrite <- !total_plus. apply total_le. intros u _. unfold is_out, is_in.
  pose proof (floor_le p u q Q). pose proof (floor_le p u r (labels_are_classes _ P r Hr)).
  destruct (captures u a), (captures u b); simpl; lia.
Qed.

Theorem net_le_gain : forall q s, rule_labels p <> [] -> net q s <= total (gain q) s.
Proof.
  intros q s NE. unfold net.
  assert (exists r, In r (rule_labels p) /\ rule_cost s = cost_of r s) as (r & Hr & E).
  { unfold Completions.rule_cost. set (f := fun r => cost_of r s).
    assert (In (least (map f (rule_labels p))) (map f (rule_labels p))).
    { apply least_in. destruct (rule_labels p); [contradiction|discriminate]. }
    apply in_map_iff in H. destruct H as (r & E & Hr). exists r. split; [assumption|]. rewrite <- E. reflexivity. }
  rewrite E. apply gain_inside. assumption.
Qed.

End Bound.
