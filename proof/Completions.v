(* States and completions ("Groups and states" in docs/proofs.md), and Theorem 4, domination.

   What may follow a prefix depends on its state alone: the groups it leaves, what its rules cost,
   which antecedents it has, and how many rules may follow. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Surelist Require Import Problem Sums.
Import ListNotations.
Open Scope Z_scope.

Section Completions.
Variable p : problem.

Definition classes : list nat := seq 0 (n_classes p).
Definition floor (u : group) : Z := least (map (cost u) classes).
Definition ceil (u : group) : Z := greatest (map (cost u) classes).
Definition spread (u : group) : Z := ceil u - floor u.
Definition cost_of (q : nat) (s : list group) : Z := total (fun u => cost u q) s.

(* The least loss of a rule that captures the set, by the labels that rules may have. *)
Definition rule_cost (s : list group) : Z := least (map (fun r => cost_of r s) (rule_labels p)).

(* What the proofs ask of a problem. *)
Record proper : Prop := {
  costs_nonneg : forall u q, In u (groups p) -> In q classes -> 0 <= cost u q;
  prices_nonneg : forall a, (a < n_antecedents p)%nat -> 0 <= price p a;
  labels_are_classes : incl (rule_labels p) classes
}.

Record state := { left : list group; paid : Z; used : list nat; room : nat }.

Record completion (s : state) (t : list rule) (d : nat) : Prop := {
  c_distinct : NoDup (prefix t);
  c_exist : forall a, In a (prefix t) -> (a < n_antecedents p)%nat /\ ~ In a (forbidden p);
  c_labels : forall r, In r (map snd t) -> In r (rule_labels p);
  c_default : In d classes;
  c_required : forall a, In a (required p) -> ~ In a (used s) -> In a (prefix t);
  c_short : (length t <= room s)%nat
}.

Definition loss (s : list group) (t : list rule) (d : nat) : Z :=
  total (fun u => cost u (predict t d u)) s.
Definition value (s : state) (t : list rule) (d : nat) : Z :=
  paid s + total (price p) (prefix t) + loss (left s) t d.

Definition is_in (a : nat) (u : group) : bool := captures u a.
Definition is_out (a : nat) (u : group) : bool := negb (captures u a).
Definition inside (a : nat) (s : list group) := filter (is_in a) s.
Definition outside (a : nat) (s : list group) := filter (is_out a) s.

(* How many rules may follow: with a greatest length one less after each rule. *)
Definition less_room (limited : bool) (n : nat) : nat := if limited then pred n else n.

Definition child (limited : bool) (s : state) (a : nat) : state :=
  {| left := outside a (left s);
     paid := paid s + price p a + rule_cost (inside a (left s));
     used := a :: used s;
     room := less_room limited (room s) |}.

Lemma floor_le : forall u q, In q classes -> floor u <= cost u q.
Proof. intros. apply least_le. apply in_map. assumption. Qed.

Lemma le_ceil : forall u q, In q classes -> cost u q <= ceil u.
Proof. intros. apply le_greatest. apply in_map. assumption. Qed.

Lemma rule_cost_le : forall s r, In r (rule_labels p) -> rule_cost s <= cost_of r s.
Proof. intros. apply least_le. apply (in_map (fun r => cost_of r s)). assumption. Qed.

Lemma total_inside : forall f a s, total f s = total f (inside a s) + total f (outside a s).
Proof. intros. apply total_split. Qed.

Lemma loss_cons : forall s a r t d,
  loss s ((a, r) :: t) d = cost_of r (inside a s) + loss (outside a s) t d.
Proof.
  intros. unfold loss. rewrite (total_inside _ a). unfold cost_of, inside, outside. f_equal.
  - apply total_ext. intros u H. apply filter_In in H. destruct H as [_ H]. unfold is_in in H.
    simpl. rewrite H. reflexivity.
  - apply total_ext. intros u H. apply filter_In in H. destruct H as [_ H]. unfold is_out in H.
    simpl. destruct (captures u a); [discriminate|reflexivity].
Qed.

(* A completion that begins with an antecedent is one of the child by it, which costs no more. *)
Lemma child_step : forall limited s a r t d, completion s ((a, r) :: t) d ->
  completion (child limited s a) t d /\ value (child limited s a) t d <= value s ((a, r) :: t) d.
Proof.
  intros limited s a r t d [H1 H2 H3 H4 H5 H6]. simpl in *. split.
  - constructor; simpl.
    + inversion H1; assumption.
    + intros. apply H2. right. assumption.
    + intros. apply H3. right. assumption.
    + assumption.
    + intros b Hb Hn. destruct (H5 b Hb ltac:(tauto)) as [->|?]; tauto.
    + destruct limited; simpl; lia.
  - unfold value. simpl. rewrite loss_cons. autorewrite with sums.
    pose proof (rule_cost_le (inside a (left s)) r (H3 r (or_introl eq_refl))). lia.
Qed.

Lemma predict_class : proper -> forall t d u, (forall r, In r (map snd t) -> In r (rule_labels p)) ->
  In d classes -> In (predict t d u) classes.
Proof.
  intros P. induction t as [|[a r] t IH]; intros d u HL HD; simpl; [assumption|].
  destruct (captures u a).
  - apply (labels_are_classes P). apply HL. left. reflexivity.
  - apply IH; [intros; apply HL; right; assumption|assumption].
Qed.

(* Theorem 4, domination. Both sets are parts of one, [all]. *)
Theorem domination : proper -> forall all in_a in_b a b t d,
  left a = filter in_a all -> left b = filter in_b all ->
  paid b + total floor (left b) + total spread (filter (fun u => in_b u && negb (in_a u)) all)
    <= paid a + total floor (left a) ->
  (forall x, In x (required p) -> In x (used a) -> In x (used b)) -> (room a <= room b)%nat ->
  completion a t d -> completion b t d /\ value b t d <= value a t d.
Proof.
  intros P all in_a in_b a b t d LA LB HD HU HR [H1 H2 H3 H4 H5 H6]. split.
  - constructor; auto; lia.
  - unfold value, loss. rewrite LA, LB in *. rewrite !total_filter in *.
    assert (total (fun u => if in_b u then cost u (predict t d u) else 0) all
      + total (fun u => if in_a u then floor u else 0) all
      <= total (fun u => if in_a u then cost u (predict t d u) else 0) all
      + total (fun u => if in_b u then floor u else 0) all
      + total (fun u => if in_b u && negb (in_a u) then spread u else 0) all); [|lia].
    rewrite <- !total_plus. apply total_le. intros u _.
    assert (In (predict t d u) classes) by (apply predict_class; assumption).
    pose proof (floor_le u _ H). pose proof (le_ceil u _ H). unfold spread.
    destruct (in_a u), (in_b u); simpl; lia.
Qed.

(* The parent dominates a child by an antecedent that is not worth its price. *)
Corollary domination_by_parent : proper -> forall limited s a t d,
  total ceil (inside a (left s)) <= price p a + rule_cost (inside a (left s)) ->
  (In a (required p) -> In a (used s)) ->
  completion (child limited s a) t d -> completion s t d /\ value s t d <= value (child limited s a) t d.
Proof.
  intros P limited s a t d HC HU C.
  eapply (domination P (left s) (is_out a) (fun _ => true)); try exact C; simpl.
  - reflexivity.
  - symmetry. apply filter_true.
  - rewrite (filter_ext _ (is_in a)) by (intros; unfold is_out, is_in; apply negb_involutive).
    rewrite (total_inside floor a). fold (inside a (left s)). unfold spread. rewrite total_minus. lia.
  - intros x Hx [->|?]; auto.
  - destruct limited; simpl; lia.
Qed.

(* A child dominates its sibling. *)
Corollary domination_by_sibling : proper -> forall limited s a b t d,
  paid (child limited s b) + total floor (left (child limited s b))
    + (total spread (inside a (left s)) - total spread (inside b (inside a (left s))))
    <= paid (child limited s a) + total floor (left (child limited s a)) ->
  (In a (required p) -> In a (used s)) ->
  completion (child limited s a) t d -> completion (child limited s b) t d
    /\ value (child limited s b) t d <= value (child limited s a) t d.
Proof.
  intros P limited s a b t d HC HU C.
  eapply (domination P (left s) (is_out a) (is_out b)); try exact C; try reflexivity.
  - replace (total spread (filter (fun u => is_out b u && negb (is_out a u)) (left s)))
      with (total spread (inside a (left s)) - total spread (inside b (inside a (left s)))); [assumption|].
    rewrite (total_inside spread b (inside a (left s))).
    replace (outside b (inside a (left s)))
      with (filter (fun u => is_out b u && negb (is_out a u)) (left s)); [lia|].
    unfold outside, inside. rewrite filter_filter. apply filter_ext. intros u.
    unfold is_out, is_in. rewrite negb_involutive. apply andb_comm.
  - simpl. intros x Hx [->|?]; auto.
Qed.

End Completions.
