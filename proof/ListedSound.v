(* Theorem 8 of docs/proofs.md: what is accepted of listed prefixes costs at least the target. *)

From Coq Require Import ZArith List Bool Lia Arith.
From Surelist Require Import Problem Sums Completions Bound Points Cover Pairs Check CheckListed BoundSound ParentSound
  NodeSound StateSound PairsSound CheckRelaxed RelaxedSound.
Import ListNotations.
Open Scope Z_scope.

(* Prefixes in a tree, and those that others may rest on. *)
Fixpoint standing {A : Type} (t : forest A) : list (list A) :=
  match t with
  | Nothing => []
  | Tree a why below beside => (if stands why then [[a]] else []) ++ map (cons a) (standing below) ++ standing beside
  end.

Definition all_standing {A : Type} (own : option (reason A)) (t : forest A) : list (list A) :=
  (if stands own then [[]] else []) ++ standing t.

Lemma standing_tree : forall A (a : A) why below beside,
  standing (Tree a why below beside) = map (cons a) (all_standing why below) ++ standing beside.
Proof. intros. unfold all_standing. rewrite map_app, <- app_assoc. simpl. destruct (stands why); reflexivity. Qed.

(* All prefixes in a tree, with their reasons. *)
Fixpoint reasons {A : Type} (t : forest A) : list (list A * option (reason A)) :=
  match t with
  | Nothing => []
  | Tree a why below beside => map (fun e => (a :: fst e, snd e)) (([], why) :: reasons below) ++ reasons beside
  end.

Definition all_reasons {A : Type} (own : option (reason A)) (t : forest A) : list (list A * option (reason A)) :=
  ([], own) :: reasons t.

Lemma standing_reasons : forall A (t : forest A) l, In l (standing t) <-> exists w, In (l, w) (reasons t) /\ stands w = true.
Proof.
  induction t as [|a why below IHb beside IHs]; intros l; [split; [intros []|intros (w & [] & _)]|].
  cbn [standing reasons]. rewrite !in_app_iff, in_map_iff, (IHs l). split.
  - intros [H|[(m & <- & Hm)|(w & H & S)]].
    + destruct (stands why) eqn:E; [|destruct H]. destruct H as [<-|[]]. exists why. split; [|assumption]. apply in_app_iff. left. left. reflexivity.
    + apply IHb in Hm. destruct Hm as (w & H & S). exists w. split; [|assumption]. apply in_app_iff. left.
      apply in_map_iff. exists (m, w). split; [reflexivity|right; assumption].
    + exists w. split; [|assumption]. apply in_app_iff. right. assumption.
  - intros (w & H & S). apply in_app_iff in H. destruct H as [H|H]; [|right; right; exists w; tauto].
    apply in_map_iff in H. destruct H as ((m & w') & E & H). inversion E. subst. destruct H as [H|H].
    + inversion H. subst. left. rewrite S. left. reflexivity.
    + right. left. exists m. split; [reflexivity|]. apply IHb. exists w. tauto.
Qed.

Lemma all_standing_reasons : forall A (own : option (reason A)) t l,
  In l (all_standing own t) <-> exists w, In (l, w) (all_reasons own t) /\ stands w = true.
Proof.
  intros. unfold all_standing, all_reasons. rewrite in_app_iff, standing_reasons. split.
  - intros [H|(w & H & S)]; [|exists w; split; [right|]; assumption].
    destruct (stands own) eqn:E; [|destruct H]. destruct H as [<-|[]]. exists own. split; [left; reflexivity|assumption].
  - intros (w & [H|H] & S); [inversion H; subst; left; rewrite S; left; reflexivity|right; exists w; tauto].
Qed.

Lemma solid_stands : forall A (w : option (reason A)), solid w = true -> stands w = true.
Proof. intros A [[]|]; simpl; congruence. Qed.

Section ListedSound.
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
Variable start : list ante.    (* [first] *)
Hypothesis HStart : Forall (good_ante p lp) start.

Notation completion := (completion p).
Notation value := (value p).
Notation good_ante := (good_ante p lp).
Notation limited := (limited limit).
Notation node_ok := (node_ok p limit lp points).
Notation state_of := (state_of p limit).
Notation child := (child p limited).
Notation sums_of := (sums_of p).
Notation covers := (covers p).
Notation usable := (Cover.usable p).
Notation reaches := (reaches p target).

Let begin := state_of (map index start).
Definition along (path : list nat) : state := at_path p limited begin path.

Lemma along_state : forall path, along path = state_of (map index start ++ path).
Proof.
  intros. unfold along, at_path, begin, NodeSound.state_of, state_from. rewrite fold_left_app. reflexivity.
Qed.

(* The tree, its antecedents, and the states that the table holds. *)
Variable own : option (reason ante).
Variable whole : forest ante.
Definition good_usable (a : ante) : Prop := good_ante a /\ usable (index a).
Fixpoint good_forest (t : forest ante) : Prop :=
  match t with
  | Nothing => True
  | Tree a why below beside => good_usable a
      /\ match why with Some (Sibling c) | Some (Insertion c) => good_ante c | _ => True end
      /\ good_forest below /\ good_forest beside
  end.
Hypothesis Good : good_forest whole.
Hypothesis GoodOwn : match own with Some (Sibling c) | Some (Insertion c) => good_ante c | _ => True end.
Hypothesis Short : stands own = true -> limit <> None -> (length start <= longest p limit)%nat.
Hypothesis Fit : forall path, In path (all_standing own whole) -> limit <> None -> (length start + length path <= longest p limit)%nat.

Let paths := map (app start) (all_standing own whole).
Definition stands_at (path : list nat) : Prop := exists l, In l (all_standing own whole) /\ path = map index l.

Definition solid_at (path : list nat) : Prop :=
  exists l w, In (l, w) (all_reasons own whole) /\ solid w = true /\ path = map index l.

Lemma solid_stands_at : forall path, solid_at path -> stands_at path.
Proof.
  intros path (l & w & H & S & E). exists l. split; [|assumption]. apply all_standing_reasons. exists w. split; [assumption|].
  apply solid_stands. assumption.
Qed.

(* No prefix that stands is longer than so. *)
Definition deep : nat := list_max (map (@length ante) (all_standing own whole)).

Lemma stands_deep : forall path, stands_at path -> (length path <= deep)%nat.
Proof.
  intros path (l & H & ->). rewrite map_length. unfold deep.
  pose proof (proj1 (list_max_le (map (@length ante) (all_standing own whole)) _) (le_n _)) as F. rewrite Forall_forall in F.
  apply F. apply in_map. assumption.
Qed.

Lemma good_standing : forall t, good_forest t -> forall l, In l (standing t) -> Forall good_usable l.
Proof.
  induction t as [|a why below IHb beside IHs]; intros G l H; [destruct H|]. destruct G as (G1 & _ & G2 & G3).
  simpl in H. rewrite !in_app_iff in H. destruct H as [H|[H|H]]; [|apply in_map_iff in H; destruct H as (m & <- & Hm); constructor; auto|auto].
  destruct (stands why); [|destruct H]. destruct H as [<-|[]]. constructor; [assumption|constructor].
Qed.

Lemma good_all_standing : forall l, In l (all_standing own whole) -> Forall good_usable l.
Proof.
  clear Short Fit. intros l H. unfold all_standing in H. apply in_app_iff in H. destruct H as [H|H]; [|eapply good_standing; eassumption].
  destruct (stands own); [|destruct H]. destruct H as [<-|[]]. constructor.
Qed.

Lemma HPaths : forall path, In path paths -> Forall good_ante path.
Proof.
  intros path H. apply in_map_iff in H. destruct H as (l & <- & Hl). apply Forall_app. split; [assumption|].
  eapply Forall_impl; [|apply good_all_standing; exact Hl]. intros a [A _]. exact A.
Qed.

Variable table : tree.
Hypothesis HT : forall place number e, In e (find table place number) -> entry_ok p limit lp e /\ In (e_path e) paths.
Variable known : store overlap.
Hypothesis Known : known_ok p lp known.
Variable rank : nat -> Z.
Variable ranks : nat.
Hypothesis Ranked : forall a, 0 <= rank a /\ (Z.to_nat (rank a) <= ranks)%nat.

(* Suppose that the cheapest list costs V, which is less than claimed. *)
Section Cheapest.
Variable V : Z.
Hypothesis Below : V < target.
Hypothesis Cheapest : forall t d, completion begin t d -> V <= value begin t d.

Notation hopeless := (hopeless p V).
Notation covered := (covered p limited V begin stands_at).
Notation swapped := (swapped p limited begin solid_at (fun a => Z.to_nat (rank a))).
Notation accounted := (accounted p limited V begin stands_at solid_at (fun a => Z.to_nat (rank a))).
Notation relaxed := (Cover.relaxed p limited V begin solid_at (fun a => Z.to_nat (rank a)) ranks deep).
Notation roomy := (roomy p limited).

Lemma reaches_hopeless : forall s, (forall t d, completion s t d -> target <= value s t d) -> hopeless s.
Proof. intros s H t d C. specialize (H t d C). lia. Qed.

Lemma all_reach : forall s, (forall n, reaches s n) -> forall t d, completion s t d -> target <= value s t d.
Proof. intros s H t d C. apply (H (length t)); [assumption|lia]. Qed.

Lemma room_begin : room begin = room_after p limit (length start).
Proof.
  unfold begin, NodeSound.state_of. rewrite (room_state_from p limit _ (root_state p limit) 0%nat).
  - rewrite map_length. reflexivity.
  - unfold room_after. cbn [room root_state]. destruct limited; lia.
Qed.

Lemma unlimited_room : limited = false -> (n_antecedents p <= room begin)%nat.
Proof.
  intros E. rewrite room_begin. unfold room_after. rewrite E. unfold longest, Check.limited in *. destruct limit; [discriminate|lia].
Qed.

Lemma limited_some : limited = true -> limit <> None.
Proof. unfold Check.limited. destruct limit; congruence. Qed.

Lemma fits_length : forall l, Forall usable l -> (limit <> None -> (length start + length l <= longest p limit)%nat) ->
  fits p limited begin l.
Proof.
  intros l U H. split; [assumption|]. intros E. specialize (H (limited_some E)). rewrite room_begin. unfold room_after. rewrite E. lia.
Qed.

Lemma stands_fit : forall path, stands_at path -> fits p limited begin path.
Proof.
  intros path (l & Hl & ->). apply fits_length.
  - pose proof (good_all_standing l Hl) as G. rewrite Forall_forall in *. intros a Ha. apply in_map_iff in Ha.
    destruct Ha as (b & <- & Hb). apply G. assumption.
  - intros E. rewrite map_length. apply Fit; assumption.
Qed.

(* A path of the table is one that stands. *)
Lemma in_paths : forall path, In path paths -> exists l, stands_at l /\ state_of (map index path) = along l.
Proof.
  intros path H. apply in_map_iff in H. destruct H as (l & <- & Hl). exists (map index l). split; [exists l; tauto|].
  rewrite along_state, map_app. reflexivity.
Qed.

Lemma backed_covered : forall l c, stands_at l -> roomy (along l) -> forall b, usable b -> c = child (along l) b ->
  backed p target limit paths (along l) c -> covered c.
Proof.
  intros l c S R b U E [H|[H|(path & Hp & H)]].
  - left. apply reaches_hopeless, all_reach. assumption.
  - right. exists l. split; assumption.
  - right. destruct (in_paths path Hp) as (m & Sm & Em). exists m. split; [assumption|]. fold (along m). rewrite <- Em. assumption.
Qed.

(* (I) *)
Lemma without_beginning_spec : forall s l rest, Forall good_ante s -> Forall good_ante l ->
  without_beginning s l = Some rest -> map index l = map index s ++ map index rest /\ (forall a, In a rest -> In a l).
Proof.
  induction s as [|a s IH]; intros l rest HA HL H; simpl in H; [inversion H; subst; split; [reflexivity|auto]|].
  destruct l as [|b l]; [discriminate|]. destruct (key a =? key b) eqn:E; [|discriminate]. inversion HA; inversion HL; subst.
  apply (key_spec p lp) in E; [|assumption|assumption]. destruct (IH l rest) as [J1 J2]; auto. split; [simpl; congruence|].
  intros y Hy. right. auto.
Qed.

Lemma filter_leaves_not : forall path l, Forall good_ante path -> Forall (good_point p) l ->
  map source (filter (fun x => negb (leaves path x)) l) = filter (fun u => negb (forallb (fun a => is_out a u) (map index path))) (map source l).
Proof.
  intros path l HA HL. rewrite filter_map. f_equal. apply filter_ext_in. intros x Hx. rewrite Forall_forall in HL. f_equal. apply (leaves_source p lp); auto.
Qed.

Lemma is_cheaper_sound : forall path better, Forall good_ante path -> Forall good_ante better ->
  (limit <> None -> (length path <= longest p limit)%nat) ->
  is_cheaper p limit points start path better = true -> hopeless (state_of (map index path)).
Proof.
  intros path better HA HB HL H. unfold is_cheaper in H. destruct (without_beginning start better) as [rest|] eqn:EW; [|discriminate].
  destruct (without_beginning_spec start better rest HStart HB EW) as [EB IB].
  rewrite !andb_true_iff in H. destruct H as (((H1 & H2) & H3) & H4). rewrite forallb_forall in H1.
  destruct (walk_ok p limit lp P path points (root_state p limit) 0 HA HP (eq_sym HS)) as (n1 & W1 & L1).
  destruct (walk_ok p limit lp P better points (root_state p limit) 0 HB HP (eq_sym HS)) as (n2 & W2 & L2).
  cbn [paid root_state] in W1, W2. rewrite W1, W2 in H4. apply Z.ltb_lt in H4.
  fold (state_of (map index path)) in L1, W1, H4. fold (state_of (map index better)) in L2, W2, H4.
  assert (GA : Forall (good_point p) (filter (leaves path) points)) by (apply Forall_filter; assumption).
  assert (GB : Forall (good_point p) (filter (leaves better) points)) by (apply Forall_filter; assumption).
  rewrite !(add_low_spec p), (add_spread_spec p) in H4 by (try apply Forall_filter; assumption).
  rewrite filter_leaves_not in H4 by assumption. rewrite <- L1, <- L2 in H4.
  assert (EBe : state_of (map index better) = at_path p limited begin (map index rest)).
  { fold (along (map index rest)). rewrite along_state, EB. reflexivity. }
  assert (ROOM : forall path, room (state_of path) = room_after p limit (length path)).
  { intros l. unfold NodeSound.state_of. rewrite (room_state_from p limit _ (root_state p limit) 0%nat); [reflexivity|].
    unfold room_after. cbn [room root_state]. destruct limited; lia. }
  assert (LEN : limited = true -> (length better <= length path)%nat).
  { intros E. rewrite E in H2. apply Nat.leb_le. exact H2. }
  apply (cheaper_edit p P NL limited V begin Cheapest unlimited_room (map index rest)).
  - apply fits_length.
    + rewrite Forall_forall. intros a Ha. apply in_map_iff in Ha. destruct Ha as (b & <- & Hb). split.
      * rewrite Forall_forall in HB. apply HB. auto.
      * intro F. specialize (H1 b Hb). apply negb_true_iff in H1. apply member_spec in F. congruence.
    + intros E. specialize (HL E). assert (limited = true) by (unfold Check.limited; destruct limit; congruence).
      specialize (LEN H). assert (length better = length start + length (map index rest))%nat; [|lia].
      rewrite <- (map_length index better), EB, app_length, (map_length index start). reflexivity.
  - rewrite <- EBe. set (b := state_of (map index better)) in *. set (a := state_of (map index path)) in *.
    assert (RB : (room a <= room b)%nat).
    { unfold a, b. rewrite !ROOM, !map_length. unfold room_after. destruct limited; [specialize (LEN eq_refl)|]; lia. }
    split; [exact RB|]. intros t d C.
    apply (domination p P (groups p) (fun u => forallb (fun a => is_out a u) (map index path))
      (fun u => forallb (fun a => is_out a u) (map index better)) a
      {| left := left b; paid := paid b + 1; used := used b; room := room b |} t d); auto; cbn [left paid used room].
    + rewrite L1, (filter_leaves p lp), HS by assumption. reflexivity.
    + rewrite L2, (filter_leaves p lp), HS by assumption. reflexivity.
    + rewrite L2 in H4 at 1. rewrite (filter_leaves p lp), HS, filter_filter in H4 by assumption. lia.
    + intros r Hr Hu. unfold a, b, NodeSound.state_of in *. apply used_state_from in Hu. apply used_state_from. left.
      destruct Hu as [Hu|[]]. apply in_map_iff in Hu. destruct Hu as (x & <- & Hx).
      unfold uses_all_of in H3. rewrite forallb_forall in H3. specialize (H3 x Hx). rewrite Forall_forall in HA.
      apply orb_true_iff in H3. destruct H3 as [H3|H3]; [|apply (existsb_key p lp) in H3; auto].
      apply negb_true_iff in H3. apply (must_spec p lp x (HA x Hx)) in Hr. congruence.
Qed.

Lemma edit_holds_sound : forall path why, Forall good_ante path ->
  match why with Some (Sibling c) | Some (Insertion c) => good_ante c | _ => True end ->
  (limit <> None -> (length path <= longest p limit)%nat) ->
  edit_holds p limit points start path why = true -> hopeless (state_of (map index path)).
Proof.
  intros path why HA HW HL H. unfold edit_holds in H. destruct (edited path why) as [better|] eqn:E; [|discriminate].
  apply (is_cheaper_sound path better); auto. rewrite Forall_forall in *. unfold edited in E.
  destruct why as [[| n | b | b |]|]; inversion E; subst; intros a Ha.
  - apply HA. apply in_app_iff in Ha. destruct Ha as [Ha|Ha].
    + rewrite <- (firstn_skipn n path). apply in_app_iff. tauto.
    + rewrite <- (firstn_skipn (S n) path). apply in_app_iff. tauto.
  - destruct Ha as [<-|Ha]; [assumption|]. apply filter_In in Ha. apply HA. tauto.
Qed.

(* (O) *)
Lemma minus_rest : forall a s, minus (sums_of s) (sums_of (outside a s)) = sums_of (inside a s).
Proof.
  intros a s. unfold minus, Points.sums_of. cbn [s_costs s_gains s_low s_high]. rewrite !zip_minus_map. f_equal.
  - apply map_ext. intros q. unfold cost_of. rewrite (total_inside _ a s). lia.
  - apply map_ext. intros q. rewrite (total_inside _ a s). lia.
  - rewrite (total_inside _ a s). lia.
  - rewrite (total_inside _ a s). lia.
Qed.

Lemma swap_holds_sound : forall z s a b, node_ok z s -> good_ante a -> let x := next p limit z a in
  In b (n_rows x) -> swap_holds p rank z a x b = true ->
  paid (child (child s (row_index b)) (index a)) < paid (child (child s (index a)) (row_index b))
  \/ (paid (child (child s (row_index b)) (index a)) = paid (child (child s (index a)) (row_index b)) /\ rank (row_index b) < rank (index a)).
Proof.
  intros z s a b OK A x Hb H. pose proof (next_ok p limit lp P points HP z s a OK A) as OKx. fold x in OKx.
  pose proof (ok_rows _ _ _ _ _ _ OKx) as RX. rewrite Forall_forall in RX. destruct (RX b Hb) as (B1 & B2 & B3 & B4).
  assert (EB : r_before b = sums_of (inside (row_index b) (left s))).
  { unfold x, next in Hb. cbn [n_rows] in Hb. apply in_map_iff in Hb. destruct Hb as (r & <- & Hr). apply filter_In in Hr.
    destruct Hr as [Hr _]. pose proof (ok_rows _ _ _ _ _ _ OK) as R. rewrite Forall_forall in R.
    destruct (R r Hr) as (R1 & R2 & R3 & R4). cbn [r_before row_index]. exact R4. }
  unfold swap_holds in H. rewrite (ok_sums _ _ _ _ _ _ OK), (ok_sums _ _ _ _ _ _ OKx), EB, B4 in H.
  cbn [left Completions.child] in H. fold (row_index b) in H.
  rewrite (inside_outside_comm (row_index b) (index a)) in H. rewrite !minus_rest in H.
  rewrite (inside_comm (index a) (row_index b)), minus_spec in H. rewrite !rule_of_spec in H by assumption.
  cbn [paid left Completions.child]. rewrite (inside_outside_comm (row_index b) (index a)), (inside_outside_comm (index a) (row_index b)).
  apply orb_true_iff in H. destruct H as [H|H]; [left; apply Z.ltb_lt in H; lia|right].
  apply andb_true_iff in H. destruct H as [H1 H2]. apply Z.eqb_eq in H1. apply Z.ltb_lt in H2. split; [lia|exact H2].
Qed.

(* What is in the tree below a prefix stands. *)
Lemma why_child_in : forall k t why, good_forest t -> why_child k t = Some why -> exists a, key a = k /\ good_usable a
  /\ (stands (Some why) = true -> In [a] (standing t)).
Proof.
  intros k. induction t as [|a w below IHb beside IHs]; intros why G H; [discriminate|]. simpl in H. destruct G as (G1 & _ & _ & G3).
  destruct (key a =? k) eqn:E.
  - subst w. apply Z.eqb_eq in E. exists a. split; [assumption|]. split; [assumption|]. intros S. simpl. simpl in S. rewrite S. left. reflexivity.
  - destruct (IHs why G3 H) as (b & E' & Gb & Hb). exists b. split; [assumption|]. split; [assumption|]. intros S. simpl.
    apply in_app_iff. right. apply in_app_iff. right. auto.
Qed.

Section Closed.
Variable front : list ante.     (* a prefix behind [first] *)
Hypothesis FrontGood : Forall good_usable front.
Let here := map index front.
Variable x : node.
Hypothesis OK : node_ok x (along here).
Variable below : forest ante.
Hypothesis GoodBelow : good_forest below.
Hypothesis Stands : stands_at here.
Hypothesis InTree : forall l, In l (standing below) -> stands_at (here ++ map index l).
Variable before : option node.
Hypothesis Before : forall z, before = Some z -> exists front' a, front = front' ++ [a] /\ solid_at (map index front')
  /\ node_ok z (along (map index front')) /\ x = next p limit z a /\ n_path x = a :: n_path z.

Let v := view_of p limit x.
Notation down := (child (along here)).

Lemma stands_below : forall k why a, good_ante a -> key a = k -> why_child k below = Some why -> stands (Some why) = true ->
  covered (down (index a)).
Proof.
  intros k why a A E H S. destruct (why_child_in k below why GoodBelow H) as (b & Eb & [Gb _] & Hb).
  assert (EI : index a = index b) by (apply (key_spec p lp); auto; apply Z.eqb_eq; congruence).
  right. exists (here ++ [index a]). split; [rewrite EI; apply (InTree [b]); auto|]. rewrite at_app. apply covers_itself.
Qed.

Lemma row_of_spec : forall a r, good_ante a -> row_of x a = Some r -> In r (n_rows x) /\ row_index r = index a.
Proof.
  intros a r A H. unfold row_of in H. apply find_some in H. destruct H as [H1 H2]. split; [assumption|].
  pose proof (ok_rows _ _ _ _ _ _ OK) as R. rewrite Forall_forall in R. apply (key_spec p lp); auto. apply (R r H1).
Qed.

Lemma row_at_spec : forall a, good_ante a -> row_ok p lp (along here) (row_at p x a) /\ row_index (row_at p x a) = index a.
Proof.
  intros a A. unfold row_at. destruct (row_of x a) as [r|] eqn:E.
  - destruct (row_of_spec a r A E) as [H1 H2]. split; [|assumption].
    pose proof (ok_rows _ _ _ _ _ _ OK) as R. rewrite Forall_forall in R. auto.
  - split; [|reflexivity]. pose proof (ok_good p limit lp points HP x _ OK) as GP.
    assert (EI : map source (filter (within a) (n_points x)) = inside (index a) (left (along here))).
    { rewrite (within_inside p lp) by assumption. rewrite (ok_left _ _ _ _ _ _ OK). reflexivity. }
    unfold row_ok, make_row. cbn [r_ante r_points r_sums]. split; [assumption|]. split; [apply Forall_filter; assumption|].
    split; [exact EI|]. rewrite sum_points_spec by (apply Forall_filter; assumption). rewrite EI. reflexivity.
Qed.

Lemma is_direct_sound : forall a, good_ante a -> roomy (along here) ->
  is_direct p target limit lp points table x v below a = true -> covered (down (index a)).
Proof.
  intros a A R H. unfold is_direct in H. destruct (why_child (key a) below) as [why|] eqn:E; [eapply stands_below; eauto|].
  apply andb_true_iff in H. destruct H as [H1 H2]. apply negb_true_iff in H1.
  assert (U : usable (index a)). { split; [apply A|]. intro F. apply member_spec in F. congruence. }
  apply (backed_covered here _ Stands R (index a) U eq_refl).
  destruct (row_of x a) as [r|] eqn:Er.
  - destruct (row_of_spec a r A Er) as [I <-]. apply orb_true_iff in H2. destruct H2 as [H2|H2].
    + eapply judge_quickly_sound; eauto.
    + eapply judge_slowly_sound; eauto.
  - right. left. apply (left_out_covers p limit lp P NL points x _ OK); try apply U.
    intro Hin. apply in_map_iff in Hin. destruct Hin as (r & E2 & Hr). unfold row_of in Er.
    pose proof (find_none _ _ Er r Hr) as N. cbv beta in N.
    pose proof (ok_rows _ _ _ _ _ _ OK) as RO. rewrite Forall_forall in RO. destruct (RO r Hr) as (R1 & _).
    assert (T : (key (r_ante r) =? key a) = true) by (apply (key_spec p lp); assumption). congruence.
Qed.

Lemma siblings_hold_sound : forall some, good_forest some -> roomy (along here) ->
  siblings_hold p target limit lp points table x v below some = true ->
  forall k why, why_child k some = Some why -> stands (Some why) = false ->
  exists a, good_ante a /\ key a = k /\ covered (down (index a)).
Proof.
  induction some as [|a w below' _ beside IH]; intros G R H k why E S; [discriminate|]. simpl in H, E. destruct G as ([G1 _] & G2 & _ & G3).
  apply andb_true_iff in H. destruct H as [H1 H2]. destruct (key a =? k) eqn:EK; [|eapply IH; eauto].
  subst w. destruct why as [| | |c|]; try discriminate. exists a. split; [assumption|]. split; [apply Z.eqb_eq; assumption|].
  apply andb_true_iff in H1. destruct H1 as [D1 D2].
  destruct (row_at_spec a G1) as [RA EA]. destruct (row_at_spec c G2) as [RC EC].
  apply (dominated_by_sibling_covers p limit lp P points x _ OK) in D1; [|assumption|intros b [<-|[]]; assumption].
  destruct D1 as (b & [<-|[]] & CV). rewrite EA, EC in CV. eapply covered_by; [exact CV|]. apply is_direct_sound; assumption.
Qed.

Theorem check_closed_sound : check_closed p target limit lp points table rank before x below = true ->
  (forall d, completion (along here) [] d -> V < value (along here) [] d)
  /\ (forall b, usable b -> roomy (along here) -> accounted here b).
Proof.
  intros H. unfold check_closed in H. apply andb_true_iff in H. destruct H as [HR HC]. split.
  { intros d C. pose proof (ends_reach_sound p target limit lp points x _ OK HR [] d C ltac:(simpl; lia)). lia. }
  intros b U R. right.
  destruct (n_room x) as [|k] eqn:ER.
  { exfalso. rewrite <- (ok_room _ _ _ _ _ _ OK) in ER. unfold Cover.roomy in R. rewrite ER in R. destruct U as [U _]. destruct limited; lia. }
  cbn zeta in HC. fold v in HC. apply andb_true_iff in HC. destruct HC as [H1 H2]. rewrite forallb_forall in H1.
  destruct (in_dec Nat.eq_dec b (map row_index (n_rows x))) as [Hi|Hi].
  2:{ left. apply (backed_covered here _ Stands R b U eq_refl). right. left.
      apply (left_out_covers p limit lp P NL points x _ OK); try apply U. assumption. }
  apply in_map_iff in Hi. destruct Hi as (r & <- & Hr). specialize (H1 r Hr).
  pose proof (ok_rows _ _ _ _ _ _ OK) as RO. rewrite Forall_forall in RO. destruct (RO r Hr) as (R1 & _).
  destruct (why_child (key (r_ante r)) below) as [why|] eqn:E.
  - left. destruct (stands (Some why)) eqn:S; [eapply stands_below; eauto|].
    destruct (siblings_hold_sound below GoodBelow R H2 _ _ E S) as (a & A & EK & CV).
    assert (EI : index a = row_index r) by (apply (key_spec p lp); auto; apply Z.eqb_eq; assumption). rewrite <- EI. exact CV.
  - rewrite !orb_true_iff in H1. destruct H1 as [[H1|H1]|H1].
    + left. apply (backed_covered here _ Stands R _ U eq_refl). eapply judge_quickly_sound; eauto.
    + right. unfold is_swapped in H1. destruct before as [z|] eqn:EZ; [|discriminate].
      destruct (Before z eq_refl) as (front' & a & EF & SF & OKz & EX & EP). rewrite EP in H1.
      exists (map index front'), (index a).
      assert (EH : here = map index front' ++ [index a]) by (unfold here; rewrite EF, map_app; reflexivity).
      split; [exact EH|]. split; [exact SF|].
      assert (A : good_ante a). { rewrite EF in FrontGood. apply Forall_app in FrontGood. destruct FrontGood as [_ F]. assert (K : good_usable a) by (inversion F; assumption). apply K. }
      rewrite EX in H1, Hr. pose proof (swap_holds_sound z _ a r OKz A Hr H1) as SW.
      rewrite EH, at_app. fold (along (map index front')).
      destruct SW as [SW|[SW1 SW2]]; [left; exact SW|right; split; [exact SW1|]].
      pose proof (Ranked (row_index r)). pose proof (Ranked (index a)). lia.
    + left. apply (backed_covered here _ Stands R _ U eq_refl). eapply judge_slowly_sound; eauto.
Qed.
End Closed.

(* What every prefix that stands by itself has to be. *)
Definition fine (path : list nat) : Prop := hopeless (along path) \/
  ((forall d, completion (along path) [] d -> V < value (along path) [] d)
   /\ forall b, usable b -> roomy (along path) -> accounted path b).
Definition settled (why : option (reason ante)) (path : list nat) : Prop :=
  if solid why then fine path else relaxed path.

(* (M) *)
Lemma relaxed_holds_sound : forall front z a, good_usable a -> node_ok z (along (map index front)) -> solid_at (map index front) ->
  stands_at (map index (front ++ [a])) -> relaxed_holds p target limit lp rank z a = true ->
  relaxed (map index (front ++ [a])).
Proof.
  intros front z a [GA UA] OK SZ SX H. set (here := map index front) in *.
  assert (E : map index (front ++ [a]) = here ++ [index a]) by (apply map_app).
  rewrite E in *. pose proof (stands_fit _ SX) as [_ LX]. rewrite app_length in LX.
  assert (RZ : roomy (along here)).
  { apply (roomy_at p limited begin unlimited_room). intros EL. specialize (LX EL). simpl in LX. lia. }
  assert (LowZ : forall t d, completion (along here) t d -> V <= value (along here) t d).
  { apply (path_costs p P NL limited V begin Cheapest unlimited_room here (stands_fit _ (solid_stands_at _ SZ))). }
  assert (EA : along (here ++ [index a]) = child (along here) (index a)) by (apply at_app).
  exists here, (index a). split; [reflexivity|]. split; [exact SZ|]. fold (along (here ++ [index a])). fold (along here). rewrite EA.
  apply (relaxed_sound p target limit lp P LP LP0 points HP HS rank (fun b => proj1 (Ranked b)) z (along here) OK a GA UA RZ V Below LowZ
    (Cover.weight (fun b => Z.to_nat (rank b)) ranks deep) (weight_positive _ ranks deep) H).
Qed.

Theorem check_forest_sound : forall t front z z_solid, good_forest t -> Forall good_usable front ->
  node_ok z (along (map index front)) -> rev (n_path z) = start ++ front ->
  (z_solid = true -> solid_at (map index front)) ->
  (forall l, In l (standing t) -> stands_at (map index front ++ map index l)) ->
  (forall l w, In (l, w) (reasons t) -> solid w = true -> solid_at (map index front ++ map index l)) ->
  check_forest p target limit lp points table rank (has_pairs p lp) known start z z_solid t = true ->
  forall l w, In (l, w) (reasons t) -> stands w = true -> settled w (map index front ++ map index l).
Proof.
  induction t as [|a why below IHb beside IHs]; intros front z z_solid G HF OK EP HZ HI HJ H l w Hl Sw; [destruct Hl|].
  destruct G as ([GA GU] & GW & GB & GS). cbn [check_forest] in H. apply andb_true_iff in H. destruct H as [H1 H2].
  rewrite standing_tree in HI. change (reasons (Tree a why below beside))
    with (map (fun e => (a :: fst e, snd e)) (all_reasons why below) ++ reasons beside) in *. apply in_app_iff in Hl.
  destruct Hl as [Hl|Hl]; [|apply (IHs front z z_solid); auto; [intros m Hm; apply HI; apply in_app_iff; tauto|
    intros m u Hm; apply HJ; apply in_app_iff; tauto]].
  clear IHs H2. apply in_map_iff in Hl. destruct Hl as ((m & w') & El & Hm). cbn [fst snd] in El. inversion El. subst l w'. clear El.
  set (x := next p limit z a) in *. set (front' := front ++ [a]).
  assert (EF : forall m, map index front ++ map index (a :: m) = map index front' ++ map index m).
  { intros m'. unfold front'. rewrite map_app, <- app_assoc. reflexivity. }
  assert (HF' : Forall good_usable front') by (apply Forall_app; split; [assumption|constructor; [split; assumption|constructor]]).
  assert (EA : along (map index front') = child (along (map index front)) (index a)).
  { unfold front'. rewrite map_app. unfold along. cbn [map]. apply at_app. }
  pose proof (next_ok p limit lp P points HP z _ a OK GA) as OKx. fold x in OKx. rewrite <- EA in OKx.
  assert (HI' : forall l, In l (all_standing why below) -> stands_at (map index front' ++ map index l)).
  { intros k Hk. rewrite <- EF. apply HI. apply in_app_iff. left. apply in_map. assumption. }
  assert (HJ' : forall l u, In (l, u) (all_reasons why below) -> solid u = true -> solid_at (map index front' ++ map index l)).
  { intros k u Hk. rewrite <- EF. apply HJ. apply in_app_iff. left. apply in_map_iff. exists (k, u). split; [reflexivity|assumption]. }
  assert (HZ' : solid why = true -> solid_at (map index front')).
  { intros S. specialize (HJ' [] why). rewrite app_nil_r in HJ'. apply HJ'; [left; reflexivity|assumption]. }
  assert (HI2 : forall l, In l (standing below) -> stands_at (map index front' ++ map index l)).
  { intros k Hk. apply HI'. apply in_app_iff. tauto. }
  assert (HS' : stands why = true -> stands_at (map index front')).
  { intros S. specialize (HI' []). rewrite app_nil_r in HI'. apply HI'. unfold all_standing. rewrite S. left. reflexivity. }
  assert (EP' : rev (a :: n_path z) = start ++ front') by (unfold front'; simpl; rewrite EP, app_assoc; reflexivity).
  assert (ST : along (map index front') = state_of (map index (start ++ front'))) by (rewrite along_state, map_app; reflexivity).
  rewrite EP' in H1.
  set (done := match why with
                 | None | Some (Sibling _) => true
                 | Some CheckListed.Closed => pairs_settle_child p target limit lp (has_pairs p lp) known z a
                 | Some Relaxed => z_solid && relaxed_holds p target limit lp rank z a
                 | _ => edit_holds p limit points start (start ++ front') why
                 end) in *.
  assert (DONE : done = true -> stands why = true -> settled why (map index front')).
  { intros D S. unfold done in D.
    assert (EH : edit_holds p limit points start (start ++ front') why = true -> hopeless (along (map index front'))).
    { intros K. rewrite ST. apply (edit_holds_sound (start ++ front') why); auto.
      - apply Forall_app. split; [assumption|]. eapply Forall_impl; [|exact HF']. intros b [B _]. exact B.
      - intros NE. destruct (HS' S) as (l0 & Hl0 & El0). pose proof (Fit l0 Hl0 NE) as F. rewrite app_length.
        rewrite <- (map_length index front'), El0, map_length. exact F. }
    destruct why as [[| n | b | b |]|]; try discriminate; unfold settled; cbn [solid stands]; try (left; apply EH; exact D).
    2:{ apply andb_true_iff in D. destruct D as [D1 D2]. apply (relaxed_holds_sound front z a); auto. split; assumption. }
    left. rewrite EA. apply reaches_hopeless.
    apply (pairs_settle_child_sound p target limit lp P LP0 points HP HS known Known z _ OK a GA D). }
  assert (FINE : ((done || (is_closed_reason why && check_closed p target limit lp points table rank (if z_solid then Some z else None) x below)) = true
     -> stands why = true -> settled why (map index front'))).
  { intros D S. apply orb_true_iff in D. destruct D as [D|D]; [apply DONE; assumption|].
    apply andb_true_iff in D. destruct D as [DC D]. unfold settled. destruct why as [[]|]; try discriminate DC. right.
    apply (check_closed_sound front' HF' x OKx below GB (HS' S) HI2 (if z_solid then Some z else None)); [|exact D].
    intros z' Ez. destruct z_solid; [|discriminate]. inversion Ez; subst z'. exists front, a. split; [reflexivity|].
    split; [apply HZ; reflexivity|]. split; [assumption|]. split; reflexivity. }
  rewrite EF. destruct Hm as [Hm|Hm].
  - inversion Hm. subst m w. rewrite app_nil_r. destruct (done && is_nothing below) eqn:E.
    + apply andb_true_iff in E. apply DONE; [apply E|assumption].
    + apply andb_true_iff in H1. destruct H1 as [H1 _]. apply FINE; assumption.
  - destruct (done && is_nothing below) eqn:E.
    + apply andb_true_iff in E. destruct E as [_ E]. destruct below; [destruct Hm|discriminate].
    + apply andb_true_iff in H1. destruct H1 as [_ H3]. apply (IHb front' x (solid why)); auto.
      intros k u Hk. apply HJ'. right. assumption.
Qed.

(* The state of [first]. *)
Theorem own_sound : forall x, node_ok x begin -> n_path x = rev start ->
  match own with
  | None | Some (Sibling _) => true
  | Some CheckListed.Closed => pairs_settle_state p target lp (has_pairs p lp) known x
                   || check_closed p target limit lp points table rank None x whole
  | _ => edit_holds p limit points start start own
  end = true -> stands own = true -> solid own = true /\ fine [].
Proof.
  intros x OK EP H S. change (along []) with begin in *.
  assert (SE : stands_at []) by (exists []; split; [unfold all_standing; rewrite S; left; reflexivity|reflexivity]).
  assert (EH : edit_holds p limit points start start own = true -> hopeless begin).
  { intros K. apply (edit_holds_sound start own); auto. }
  assert (SO : solid own = true).
  { destruct own as [[]|]; try reflexivity; try discriminate S. discriminate H. }
  split; [exact SO|]. unfold fine. change (along []) with begin.
  remember own as w eqn:EO in H.
  destruct w as [[| n | b | b |]|]; try (rewrite <- EO in S; discriminate); try (left; apply EH; rewrite <- EO; exact H).
  apply orb_true_iff in H. destruct H as [H|H].
  - left. apply reaches_hopeless. apply (pairs_settle_state_sound p target limit lp P LP0 points HP HS known Known x begin OK H).
  - right. apply (check_closed_sound [] (Forall_nil _) x OK whole Good SE) with (before := None); [|discriminate|exact H].
    intros l Hl. exists l. split; [|reflexivity]. unfold all_standing. rewrite S. right. exact Hl.
Qed.

Theorem begin_hopeless : forall x, node_ok x begin -> n_path x = rev start ->
  match own with
  | None | Some (Sibling _) => true
  | Some CheckListed.Closed => pairs_settle_state p target lp (has_pairs p lp) known x
                   || check_closed p target limit lp points table rank None x whole
  | _ => edit_holds p limit points start start own
  end = true ->
  check_forest p target limit lp points table rank (has_pairs p lp) known start x (solid own) whole = true ->
  begins_well p target limit lp points table x = true -> hopeless begin.
Proof.
  intros x OK EP H1 H2 H3.
  assert (F : forall l w, In (l, w) (all_reasons own whole) -> stands w = true -> settled w (map index l)).
  { intros l w [H|H] S.
    - inversion H. subst l w. destruct (own_sound x OK EP H1 S) as [SO FO]. unfold settled. rewrite SO. exact FO.
    - apply (check_forest_sound whole [] x (solid own)); auto.
      + rewrite EP, rev_involutive, app_nil_r. reflexivity.
      + intros SO. exists [], own. split; [left; reflexivity|]. split; [assumption|reflexivity].
      + intros m Hm. exists m. split; [unfold all_standing; apply in_app_iff; tauto|reflexivity].
      + intros m u Hm Su. exists m, u. split; [right; assumption|]. split; [assumption|reflexivity]. }
  assert (FS : forall path, solid_at path -> fine path).
  { intros path (l & w & H & S & ->). pose proof (F l w H (solid_stands _ w S)) as K. unfold settled in K. rewrite S in K. exact K. }
  apply (start_hopeless p P NL limited V begin Cheapest unlimited_room stands_at solid_at solid_stands_at stands_fit
    (fun a => Z.to_nat (rank a)) ranks (fun a => proj2 (Ranked a)) deep stands_deep).
  - intros path b S U R. destruct (FS path S) as [K|[_ K]]; [left; exact K|apply K; assumption].
  - intros path S d C. destruct (FS path S) as [K|[K _]]; [apply K; exact C|apply K; exact C].
  - intros path (l & Hl & ->). apply all_standing_reasons in Hl. destruct Hl as (w & H & S). pose proof (F l w H S) as K.
    unfold settled in K. destruct (solid w) eqn:SW; [left; exists l, w; tauto|right; exact K].
  - apply (begins_well_sound p target limit lp P LP LP0 points HP HS paths table HT x begin OK) in H3.
    destruct H3 as [H3|(path & I & CV)]; [left; apply reaches_hopeless, all_reach; exact H3|right].
    destruct (in_paths _ I) as (l & Sl & El). exists l. split; [assumption|]. fold (along l). rewrite <- El. assumption.
Qed.
End Cheapest.

Theorem listed_reach : forall x, node_ok x begin -> n_path x = rev start ->
  match own with
  | None | Some (Sibling _) => true
  | Some CheckListed.Closed => pairs_settle_state p target lp (has_pairs p lp) known x
                   || check_closed p target limit lp points table rank None x whole
  | _ => edit_holds p limit points start start own
  end = true ->
  check_forest p target limit lp points table rank (has_pairs p lp) known start x (solid own) whole = true ->
  begins_well p target limit lp points table x = true ->
  forall t d, completion begin t d -> target <= value begin t d.
Proof.
  intros x OK EP H1 H2 H3. apply (no_least_below p begin target (paid begin)).
  - intros V B M. eapply begin_hopeless; eauto.
  - intros t d C. unfold Completions.value.
    assert (0 <= total (price p) (prefix t)).
    { apply total_nonneg. intros a Ha. apply (prices_nonneg _ P). apply (c_exist p _ _ _ C a Ha). }
    assert (0 <= loss (left begin) t d); [|lia]. apply total_nonneg. intros u Hu. apply (costs_nonneg _ P).
    + apply (ok_incl p limit lp points HS x begin OK). assumption.
    + apply (predict_class p P); apply C.
Qed.
End ListedSound.
