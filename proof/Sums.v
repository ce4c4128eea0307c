(* Sums, least and greatest numbers, and the sum of the greatest few. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted Orders Mergesort.
From Surelist Require Import Problem.
Import ListNotations.
Open Scope Z_scope.

Lemma total_nil : forall A (f : A -> Z), total f [] = 0.
Proof. reflexivity. Qed.

Lemma total_cons : forall A (f : A -> Z) x l, total f (x :: l) = f x + total f l.
Proof. reflexivity. Qed.

Global Hint Rewrite total_nil total_cons : sums.

Lemma total_app : forall A (f : A -> Z) l m, total f (l ++ m) = total f l + total f m.
Proof. induction l; intros; simpl app; autorewrite with sums; [lia|]. rewrite IHl. lia. Qed.

Lemma total_plus : forall A (f g : A -> Z) l, total (fun x => f x + g x) l = total f l + total g l.
Proof. induction l; autorewrite with sums; lia. Qed.

Lemma total_minus : forall A (f g : A -> Z) l, total (fun x => f x - g x) l = total f l - total g l.
Proof. induction l; autorewrite with sums; lia. Qed.

Lemma total_const : forall A c (l : list A), total (fun _ => c) l = Z.of_nat (length l) * c.
Proof. induction l; autorewrite with sums; [reflexivity|]. rewrite IHl. simpl length. nia. Qed.

Lemma total_le : forall A (f g : A -> Z) l,
  (forall x, In x l -> f x <= g x) -> total f l <= total g l.
Proof.
  induction l; intros; autorewrite with sums; [lia|].
  assert (f a <= g a) by (apply H; left; reflexivity).
  assert (total f l <= total g l) by (apply IHl; intros; apply H; right; assumption). lia.
Qed.

Lemma total_ext : forall A (f g : A -> Z) l,
  (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof. intros. apply Z.le_antisymm; apply total_le; intros; rewrite H; auto; lia. Qed.

Lemma total_nonneg : forall A (f : A -> Z) l, (forall x, In x l -> 0 <= f x) -> 0 <= total f l.
Proof.
  intros. transitivity (total (fun _ => 0) l); [rewrite total_const; lia|]. apply total_le. assumption.
Qed.

Lemma total_map : forall A B (f : B -> Z) (g : A -> B) l, total f (map g l) = total (fun x => f (g x)) l.
Proof. induction l; simpl map; autorewrite with sums; [reflexivity|]. rewrite IHl. reflexivity. Qed.

Lemma total_filter : forall A (f : A -> Z) c l,
  total f (filter c l) = total (fun x => if c x then f x else 0) l.
Proof.
  induction l; simpl filter; autorewrite with sums; [reflexivity|].
  cbv beta. destruct (c a); autorewrite with sums; rewrite IHl; lia.
Qed.

Lemma total_split : forall A (f : A -> Z) c l,
  total f l = total f (filter c l) + total f (filter (fun x => negb (c x)) l).
Proof.
  induction l; simpl filter; autorewrite with sums; [lia|].
  destruct (c a); cbn [negb]; autorewrite with sums; lia.
Qed.

Lemma total_swap : forall A B (f : A -> B -> Z) l m,
  total (fun x => total (f x) m) l = total (fun y => total (fun x => f x y) l) m.
Proof.
  induction l; intros; autorewrite with sums.
  - symmetry. transitivity (total (fun _ : B => 0) m); [reflexivity|]. rewrite total_const. lia.
  - rewrite IHl. rewrite <- total_plus. apply total_ext. intros. autorewrite with sums. reflexivity.
Qed.

Lemma total_filter_le : forall A (f : A -> Z) c l,
  (forall x, In x l -> 0 <= f x) -> total f (filter c l) <= total f l.
Proof.
  intros. rewrite total_filter. apply total_le. intros. specialize (H x H0). destruct (c x); lia.
Qed.

Lemma total_permutation : forall A (f : A -> Z) l m, Permutation l m -> total f l = total f m.
Proof. induction 1; autorewrite with sums; lia. Qed.

(* One term of a sum of terms that are not negative. *)
Lemma total_term : forall A (f : A -> Z) l x,
  (forall y, In y l -> 0 <= f y) -> In x l -> f x <= total f l.
Proof.
  induction l; intros; [destruct H0|]. autorewrite with sums.
  assert (0 <= f a) by (apply H; left; reflexivity).
  assert (forall y, In y l -> 0 <= f y) by (intros; apply H; right; assumption).
  destruct H0 as [->|H0].
  - pose proof (total_nonneg _ f l H2). lia.
  - specialize (IHl x H2 H0). lia.
Qed.

Lemma filter_map : forall A B (c : B -> bool) (g : A -> B) l,
  filter c (map g l) = map g (filter (fun x => c (g x)) l).
Proof. induction l; simpl; [reflexivity|]. destruct (c (g a)); simpl; rewrite IHl; reflexivity. Qed.

Lemma filter_filter : forall A (c d : A -> bool) l,
  filter c (filter d l) = filter (fun x => d x && c x) l.
Proof. induction l; simpl; [reflexivity|]. destruct (d a); simpl; rewrite IHl; reflexivity. Qed.

Lemma filter_true : forall A (l : list A), filter (fun _ => true) l = l.
Proof. induction l; simpl; [reflexivity|]. rewrite IHl. reflexivity. Qed.

(* The least of some numbers, and the greatest; 0 where there are none. *)
Definition least (l : list Z) : Z := match l with [] => 0 | x :: r => fold_left Z.min r x end.
Definition greatest (l : list Z) : Z := match l with [] => 0 | x :: r => fold_left Z.max r x end.

Lemma fold_min : forall l x, fold_left Z.min l x <= x /\ (forall y, In y l -> fold_left Z.min l x <= y)
  /\ (fold_left Z.min l x = x \/ In (fold_left Z.min l x) l).
Proof.
  induction l; intros; simpl; [repeat split; auto; [lia|tauto]|].
  destruct (IHl (Z.min x a)) as (H1 & H2 & H3). repeat split.
  - lia.
  - intros y [->|H]; [lia|auto].
  - destruct H3 as [H3|H3]; [|tauto]. rewrite H3. destruct (Z.min_spec x a) as [[_ ->]|[_ ->]]; tauto.
Qed.

Lemma fold_max : forall l x, x <= fold_left Z.max l x /\ (forall y, In y l -> y <= fold_left Z.max l x)
  /\ (fold_left Z.max l x = x \/ In (fold_left Z.max l x) l).
Proof.
  induction l; intros; simpl; [repeat split; auto; [lia|tauto]|].
  destruct (IHl (Z.max x a)) as (H1 & H2 & H3). repeat split.
  - lia.
  - intros y [->|H]; [lia|auto].
  - destruct H3 as [H3|H3]; [|tauto]. rewrite H3. destruct (Z.max_spec x a) as [[_ ->]|[_ ->]]; tauto.
Qed.

Lemma least_le : forall l x, In x l -> least l <= x.
Proof.
  intros [|z l] x; simpl; [tauto|]. destruct (fold_min l z) as (? & ? & ?). intros [<-|H']; auto.
Qed.

Lemma least_in : forall l, l <> [] -> In (least l) l.
Proof.
  intros [|z l]; [tauto|]. intros _. simpl. destruct (fold_min l z) as (_ & _ & [H|H]); auto.
Qed.

Lemma le_greatest : forall l x, In x l -> x <= greatest l.
Proof.
  intros [|z l] x; simpl; [tauto|]. destruct (fold_max l z) as (? & ? & ?). intros [<-|H']; auto.
Qed.

Lemma greatest_in : forall l, l <> [] -> In (greatest l) l.
Proof.
  intros [|z l]; [tauto|]. intros _. simpl. destruct (fold_max l z) as (_ & _ & [H|H]); auto.
Qed.

(* From the greatest to the least. *)
Module Descending <: TotalLeBool.
  Definition t := Z.
  Definition leb (x y : Z) := y <=? x.
  Lemma leb_total : forall x y, leb x y = true \/ leb y x = true.
  Proof. intros. unfold leb. rewrite !Z.leb_le. lia. Qed.
End Descending.
Module DescendingSort := Sort Descending.
Definition sort_down : list Z -> list Z := DescendingSort.sort.

Definition descending (l : list Z) := StronglySorted (fun x y => y <= x) l.

Lemma sort_down_permutation : forall l, Permutation l (sort_down l).
Proof. apply DescendingSort.Permuted_sort. Qed.

Lemma sort_down_sorted : forall l, descending (sort_down l).
Proof.
  intro l. assert (H : StronglySorted (fun x y => is_true (Descending.leb x y)) (sort_down l)).
  { apply DescendingSort.StronglySorted_sort. intros x y z. unfold Descending.leb, is_true.
    rewrite !Z.leb_le. lia. }
  unfold descending. induction H; constructor; auto.
  eapply Forall_impl; [|exact H0]. intros x. unfold is_true, Descending.leb. rewrite Z.leb_le. lia.
Qed.

Definition sum (l : list Z) : Z := total (fun x => x) l.
Definition top (n : nat) (l : list Z) : Z := sum (firstn n l).

(* No n of the numbers of a list add up to more than its n greatest. *)
Lemma top_remove : forall l m x n, descending (l ++ x :: m) -> (n <= length (l ++ m))%nat ->
  x + top n (l ++ m) <= top (S n) (l ++ x :: m).
Proof.
  induction l; intros m x n D L; simpl app in *.
  - unfold top. simpl firstn. unfold sum. autorewrite with sums. lia.
  - inversion D; subst. destruct n.
    + unfold top, sum. simpl firstn. autorewrite with sums.
      rewrite Forall_forall in H2. assert (x <= a); [|lia]. apply H2. apply in_app_iff. right. left. reflexivity.
    + simpl in L. specialize (IHl m x n H1 ltac:(lia)).
      unfold top, sum in *. simpl firstn in *. autorewrite with sums in *. simpl firstn in IHl. lia.
Qed.

Lemma descending_remove : forall l x m, descending (l ++ x :: m) -> descending (l ++ m).
Proof.
  induction l; simpl; intros; inversion H; subst; [assumption|].
  constructor; [eapply IHl; eassumption|]. rewrite Forall_forall in *. intros y Hy. apply H3.
  rewrite in_app_iff in *. simpl. tauto.
Qed.

Lemma sum_le_top : forall k rest l, descending l -> Permutation (k ++ rest) l -> sum k <= top (length k) l.
Proof.
  induction k; intros rest l D P.
  - unfold top, sum. simpl. lia.
  - simpl app in P. assert (In a l) by (eapply Permutation_in; [exact P|left; reflexivity]).
    apply in_split in H. destruct H as (l1 & l2 & ->).
    assert (P' : Permutation (k ++ rest) (l1 ++ l2)) by (eapply Permutation_cons_app_inv; exact P).
    specialize (IHk rest _ (descending_remove _ _ _ D) P').
    assert (length k <= length (l1 ++ l2))%nat.
    { apply Permutation_length in P'. rewrite app_length in P'. lia. }
    pose proof (top_remove _ _ _ _ D H). unfold sum in *. autorewrite with sums. simpl length. lia.
Qed.

Lemma nodup_incl_permutation : forall (t act : list nat), NoDup t -> incl t act ->
  exists rest, Permutation (t ++ rest) act.
Proof.
  induction t; intros act N I; [exists act; reflexivity|].
  inversion N; subst. assert (In a act) by (apply I; left; reflexivity).
  apply in_split in H. destruct H as (l1 & l2 & ->).
  destruct (IHt (l1 ++ l2)) as (rest & P); auto.
  - intros x Hx. assert (In x (l1 ++ a :: l2)) by (apply I; right; assumption).
    rewrite in_app_iff in *. simpl in H. destruct H as [?|[->|?]]; tauto.
  - exists rest. simpl. apply Permutation_cons_app. assumption.
Qed.

(* Distinct antecedents among some have no more than the greatest numbers of these. *)
Lemma total_le_top : forall (f : nat -> Z) t act, NoDup t -> incl t act ->
  total f t <= top (length t) (sort_down (map f act)).
Proof.
  intros f t act N I. destruct (nodup_incl_permutation t act N I) as (rest & P).
  replace (total f t) with (sum (map f t)) by (unfold sum; rewrite total_map; reflexivity).
  rewrite <- (map_length f t). apply sum_le_top with (rest := map f rest); [apply sort_down_sorted|].
  rewrite <- map_app. transitivity (map f act); [apply Permutation_map; assumption|apply sort_down_permutation].
Qed.

Lemma top_mono_le : forall l n, descending l -> (forall x, In x l -> 0 <= x) -> top n l <= top (S n) l.
Proof.
  induction l; intros; [destruct n; unfold top; simpl; lia|].
  inversion H; subst. destruct n.
  - unfold top, sum. simpl firstn. autorewrite with sums. specialize (H0 a (or_introl eq_refl)). lia.
  - assert (top n l <= top (S n) l) by (apply IHl; [assumption|intros; apply H0; right; assumption]).
    unfold top, sum in *. simpl firstn in *. autorewrite with sums in *. lia.
Qed.
