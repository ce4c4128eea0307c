(* The theorems: what the checker accepts is true.

   An auditor reads Problem.v and the statements below. *)

From Coq Require Import ZArith List Bool Lia Permutation Arith.
From Surelist Require Import Problem Sums Completions Bound Points Cover Check CheckListed BoundSound ParentSound NodeSound StateSound
  PairsSound ListedSound Accept.
Import ListNotations.
Open Scope Z_scope.

Lemma check_problem_sound : forall p, check_problem p = true -> proper p /\ rule_labels p <> [] /\
  (forall a, (a < n_antecedents p)%nat -> least (prices p) <= price p a) /\ 0 <= least (prices p).
Proof.
  intros p H. unfold check_problem in H. rewrite !andb_true_iff, !forallb_forall in H. destruct H as (((H1 & H2) & H3) & H4).
  assert (PN : forall x, In x (prices p) -> 0 <= x) by (intros x Hx; apply Z.leb_le; auto).
  split; [|split; [|split]].
  - constructor.
    + intros u q Hu Hq. specialize (H1 u Hu). rewrite forallb_forall in H1. apply Z.leb_le. auto.
    + intros a Ha. apply PN. apply nth_In. exact Ha.
    + intros r Hr. apply in_seq. specialize (H3 r Hr). apply Nat.ltb_lt in H3. lia.
  - intro E. rewrite E in H4. discriminate.
  - intros a Ha. apply least_le. apply nth_In. exact Ha.
  - destruct (prices p) eqn:E; [simpl; lia|]. rewrite <- E. apply PN. rewrite <- E. apply least_in. rewrite E. discriminate.
Qed.

Lemma all_distinct_sound : forall l, all_distinct l = true -> NoDup l.
Proof.
  induction l; simpl; intros H; constructor; apply andb_true_iff in H; destruct H as [H1 H2]; auto.
  intro Hi. apply negb_true_iff in H1. apply member_spec in Hi. congruence.
Qed.

Lemma begins_with_sound : forall start l, begins_with start l = true -> exists rest, l = start ++ rest.
Proof.
  induction start; intros l H; [exists l; reflexivity|]. destruct l; simpl in H; [discriminate|].
  apply andb_true_iff in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1. destruct (IHstart _ H2) as (rest & ->).
  exists rest. subst. reflexivity.
Qed.

Lemma check_answer_sound : forall p l v, check_answer p l v = true -> admissible p l /\ objective p l = v.
Proof.
  intros p l v H. unfold check_answer in H. rewrite !andb_true_iff in H.
  destruct H as ((((((((H1 & H2) & H3) & H4) & H5) & H6) & H7) & H8) & H9).
  rewrite forallb_forall in H2, H3, H6, H7. split; [|apply Z.eqb_eq; assumption]. constructor.
  - apply all_distinct_sound. assumption.
  - intros a Ha. apply Nat.ltb_lt. auto.
  - intros q Hq. apply member_spec. auto.
  - apply Nat.ltb_lt. assumption.
  - apply begins_with_sound. assumption.
  - intros a Ha. apply member_spec. auto.
  - intros a Ha Hi. specialize (H7 a Ha). apply negb_true_iff in H7. apply member_spec in Hi. congruence.
  - intros n E. rewrite E in H8. apply Nat.leb_le. assumption.
Qed.

Lemma first_steps : forall p limited t1 s t2 d, completion p s (t1 ++ t2) d ->
  completion p (fold_left (child p limited) (prefix t1) s) t2 d
  /\ value p (fold_left (child p limited) (prefix t1) s) t2 d <= value p s (t1 ++ t2) d.
Proof.
  induction t1 as [|[a r] t1 IH]; intros s t2 d C; [split; [exact C|simpl; lia]|].
  destruct (child_step p limited s a r (t1 ++ t2) d C) as [C' V']. destruct (IH _ _ _ C') as [D1 D2].
  split; [exact D1|]. simpl app. etransitivity; [exact D2|exact V'].
Qed.

Lemma split_prefix : forall (t : list rule) l m, prefix t = l ++ m -> exists t1 t2, t = t1 ++ t2 /\ prefix t1 = l.
Proof.
  induction t as [|x t IH]; intros l m E.
  - simpl in E. symmetry in E. apply app_eq_nil in E. destruct E; subst. exists [], []. split; reflexivity.
  - destruct l as [|a l]; [exists [], (x :: t); split; reflexivity|]. simpl in E. inversion E.
    destruct (IH l m H1) as (t1 & t2 & -> & <-). exists (x :: t1), t2. split; reflexivity.
Qed.

Lemma map_source : forall p (l : list group) (n : list Z), (length l <= length n)%nat ->
  map source (map (fun x => make_point p (fst x) (snd x)) (combine l n)) = l.
Proof.
  induction l; intros n H; [reflexivity|]. destruct n; simpl in H; [lia|]. simpl. f_equal. apply IHl. lia.
Qed.

(* What both formats begin with. *)
Section Given.
Variable p : problem.
Variable target : Z.
Variable limit : option nat.
Variable salts : list Z.
Hypothesis HPr : check_problem p = true.

Let lp := least (prices p).
Let all := make_antes p.
Let points := make_points p salts.
Let root_node := root p limit points (not_forbidden p all).
Notation ante_of := (ante_in p all).
Notation good_ante := (good_ante p lp).
Notation state_of := (state_of p limit).
Notation completion := (completion p).
Notation value := (value p).

Lemma ante_of_spec : forall a, exists_in p a = true -> good_ante (ante_of a) /\ index (ante_of a) = a.
Proof.
  intros a Ha. apply Nat.ltb_lt in Ha. assert (E : ante_of a = make_ante p lp a).
  { unfold ante_in, all, make_antes. fold lp. rewrite (nth_indep _ _ (make_ante p lp 0)) by (rewrite map_length, seq_length; lia).
    rewrite map_nth, seq_nth by lia. reflexivity. }
  rewrite E. split; [apply make_good; assumption|reflexivity].
Qed.

Lemma antes_of_spec : forall path, forallb (exists_in p) path = true ->
  Forall good_ante (map ante_of path) /\ map index (map ante_of path) = path.
Proof.
  induction path as [|a path IH]; simpl; intros H; [split; [constructor|reflexivity]|]. apply andb_true_iff in H. destruct H as [H1 H2].
  destruct (ante_of_spec a H1) as [A E]. destruct (IH H2) as [F I]. split; [constructor; assumption|]. rewrite E, I. reflexivity.
Qed.

Lemma points_good : Forall (good_point p) points.
Proof.
  rewrite Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as ([u n] & <- & _). exists n. reflexivity.
Qed.

Lemma points_source : map source points = groups p.
Proof. apply map_source. rewrite app_length, repeat_length. lia. Qed.

Lemma root_node_ok : node_ok p limit lp points root_node (root_state p limit).
Proof. apply root_ok; [apply points_good|apply points_source]. Qed.

(* Every admissible list is a completion of the state of [first], and costs no less. *)
Lemma from_first : forall l, admissible p l -> (forall n, limit = Some n -> (length (rules l) <= n)%nat) ->
  exists t d, completion (state_of (first p)) t d /\ value (state_of (first p)) t d <= objective p l.
Proof.
  intros l AD LEN.
  assert (C : completion (root_state p limit) (rules l) (default_label l)).
  { destruct AD as [A1 A2 A3 A4 A5 A6 A7 A8]. constructor; auto.
    - intros a Ha. split; [auto|]. intro Hf. apply (A7 a Hf Ha).
    - apply in_seq. lia.
    - cbn [room root_state]. unfold longest. destruct limit as [n|]; [auto|].
      replace (length (rules l)) with (length (prefix (rules l))) by apply map_length.
      rewrite <- (seq_length (n_antecedents p) 0). apply NoDup_incl_length; [assumption|].
      intros a Ha. apply in_seq. specialize (A2 a Ha). lia. }
  destruct (begins p l AD) as (rest & EP). destruct (split_prefix _ _ _ EP) as (t1 & t2 & ET & EF).
  rewrite ET in C. destruct (first_steps p (limited limit) t1 _ t2 _ C) as [CB VB]. rewrite EF in CB, VB.
  exists t2, (default_label l). split; [exact CB|].
  assert (OBJ : value (root_state p limit) (t1 ++ t2) (default_label l) = objective p l).
  { unfold Completions.value, objective, loss. cbn [paid left root_state]. rewrite <- ET. lia. }
  rewrite <- OBJ. exact VB.
Qed.

Lemma begin_ok : forallb (exists_in p) (first p) = true ->
  node_ok p limit lp points (fold_left (next p limit) (map ante_of (first p)) root_node) (state_of (first p))
  /\ n_path (fold_left (next p limit) (map ante_of (first p)) root_node) = rev (map ante_of (first p)).
Proof.
  intros H. destruct (check_problem_sound p HPr) as (P & _). destruct (antes_of_spec _ H) as [GF EF]. split.
  - pose proof (fold_next_ok p limit lp P points points_good _ root_node _ root_node_ok GF) as K. rewrite EF in K. exact K.
  - assert (G : forall l x, n_path (fold_left (next p limit) l x) = rev l ++ n_path x).
    { induction l; intros x; [reflexivity|]. simpl. rewrite IHl. simpl. rewrite <- app_assoc. reflexivity. }
    rewrite G, app_nil_r. reflexivity.
Qed.

(* Theorem 5, acceptance implies the claim in format 1. *)
Theorem check_prefixes_sound : forall closed, check_prefixes p target limit closed salts = true ->
  forall t d, completion (state_of (first p)) t d -> target <= value (state_of (first p)) t d.
Proof.
  intros closed H t d C. destruct (check_problem_sound p HPr) as (P & NL & LP & LP0).
  unfold check_prefixes in H. fold lp all points in H. fold root_node in H. cbn zeta in H.
  rewrite !andb_true_iff in H. destruct H as ((((H1 & H2) & _) & HB) & HC). rewrite forallb_forall in H1.
  set (paths := map (map ante_of) closed) in *.
  set (table := grow 62 0 (map (make_entry p points (n_salt root_node)) paths)) in *.
  assert (HPaths : forall path, In path paths -> Forall good_ante path).
  { intros path Hp. apply in_map_iff in Hp. destruct Hp as (c & <- & Hc). apply antes_of_spec. apply H1. assumption. }
  assert (HT : forall place number e, In e (find table place number) -> entry_ok p limit lp e /\ In (e_path e) paths).
  { intros place number e He. apply find_in in He. apply in_map_iff in He. destruct He as (path & <- & Hp).
    destruct (make_entry_ok p limit lp P points points_good points_source (n_salt root_node) path (HPaths path Hp)) as [E1 E2].
    split; [exact E1|]. rewrite E2. exact Hp. }
  pose proof (closed_states_reach p target limit lp P LP LP0 NL points points_good points_source paths HPaths table HT root_node root_node_ok HC) as CR.
  destruct (begin_ok H2) as [OKB _].
  destruct (begins_well_sound p target limit lp P LP LP0 points points_good points_source paths table HT _ _ OKB HB)
    as [R|(path & Hp & CV)]; [apply (R (length t)); auto|].
  apply (reaches_covered p target _ _ (length t) CV); auto. apply (CR (length t) path Hp).
Qed.

(* The table of format 2 holds the states of prefixes that stand. *)
Lemma list_entries_spec : forall number t path n s got e, s = fold_left (walk_step p) (rev path) (points, 0, number) ->
  n = length path -> In e (list_entries p path n s t got) ->
  In e got \/ exists l, In l (standing t) /\ e = make_entry p points number (rev path ++ l).
Proof.
  intros number. induction t as [|a why below IHb beside IHs]; intros path n s got e ES EN H; [left; exact H|].
  rewrite standing_tree. cbn [list_entries] in H. destruct (negb (stands why) && is_nothing below) eqn:E.
  - destruct (IHs _ _ _ _ _ ES EN H) as [K|(l & Hl & K)]; [tauto|]. right. exists l. split; [apply in_app_iff; tauto|assumption].
  - destruct (IHs _ _ _ _ _ ES EN H) as [K|(l & Hl & K)]; [|right; exists l; split; [apply in_app_iff; tauto|assumption]].
    assert (ES' : walk_step p s a = fold_left (walk_step p) (rev (a :: path)) (points, 0, number)).
    { simpl rev. rewrite fold_left_app, <- ES. reflexivity. }
    assert (ER : forall l, rev (a :: path) ++ l = rev path ++ a :: l) by (intros; simpl; rewrite <- app_assoc; reflexivity).
    apply (IHb (a :: path) (S n)) in K; [|exact ES'|simpl; lia]. destruct K as [K|(l & Hl & K)].
    + destruct (stands why) eqn:S; [|tauto].
      destruct (walk_step p s a) as [[pts paid] num] eqn:EW. destruct K as [K|K]; [|tauto]. right. exists [a].
      split; [apply in_app_iff; left; apply in_map; unfold all_standing; rewrite S; left; reflexivity|].
      rewrite <- K. unfold make_entry. rewrite <- ER, app_nil_r, <- ES'. f_equal. rewrite rev_length. simpl. lia.
    + right. exists (a :: l). split; [apply in_app_iff; left; apply in_map; unfold all_standing; apply in_app_iff; tauto|].
      rewrite K, ER. reflexivity.
Qed.

Lemma is_shallow_spec : forall A (t : forest A) most, is_shallow most t = true -> forall l, In l (standing t) -> (1 <= length l <= most)%nat.
Proof.
  induction t as [|a why below IHb beside IHs]; intros most H l Hl; [destruct Hl|]. simpl in H. apply andb_true_iff in H.
  destruct H as [H1 H2]. rewrite standing_tree in Hl. apply in_app_iff in Hl. destruct Hl as [Hl|Hl]; [|apply IHs; assumption].
  destruct most as [|m]; [discriminate|]. apply in_map_iff in Hl. destruct Hl as (k & <- & Hk). unfold all_standing in Hk.
  apply in_app_iff in Hk. destruct Hk as [Hk|Hk]; [|specialize (IHb m H1 k Hk); simpl; lia].
  destruct (stands why); [|destruct Hk]. destruct Hk as [<-|[]]. simpl. lia.
Qed.

Lemma stands_map : forall A B (f : A -> B) why, stands (option_map (map_reason f) why) = stands why.
Proof. intros A B f [[| | | |]|]; reflexivity. Qed.

Lemma standing_map : forall A B (f : A -> B) t, standing (map_forest f t) = map (map f) (standing t).
Proof.
  intros A B f. induction t as [|a why below IHb beside IHs]; [reflexivity|]. simpl. rewrite stands_map, IHb, IHs, !map_app, !map_map.
  destruct (stands why); reflexivity.
Qed.

Lemma good_reason : forall why, all_of_reason (exists_in p) why = true ->
  match option_map (map_reason ante_of) why with Some (Sibling c) | Some (Insertion c) => good_ante c | _ => True end.
Proof. intros [[| | | |]|] H; simpl in *; try exact I; apply ante_of_spec; assumption. Qed.

Lemma good_map_forest : forall t,
  all_of_forest (fun a => exists_in p a && negb (member a (forbidden p))) (exists_in p) t = true -> good_forest p lp (map_forest ante_of t).
Proof.
  induction t as [|a why below IHb beside IHs]; intros H; [exact I|]. simpl in H. rewrite !andb_true_iff in H.
  destruct H as ((((H1 & H2) & H3) & H4) & H5). destruct (ante_of_spec a H1) as [A E]. split; [|split; [|split; auto]].
  - split; [assumption|]. split; [apply A|]. rewrite E. intro F. apply member_spec in F. rewrite F in H2. discriminate.
  - apply (good_reason why H3).
Qed.

Definition rank_of (ranks : list Z) (a : nat) : Z := nth a ranks 0.

Lemma rank_bounded : forall ranks, forallb (fun x => 0 <=? x) ranks = true ->
  forall a, 0 <= rank_of ranks a /\ (Z.to_nat (rank_of ranks a) <= Z.to_nat (greatest (0%Z :: ranks)))%nat.
Proof.
  intros ranks H a. rewrite forallb_forall in H. assert (G : rank_of ranks a <= greatest (0 :: ranks)).
  { apply le_greatest. unfold rank_of. destruct (nth_in_or_default a ranks 0) as [K|K]; [right; exact K|left; congruence]. }
  split; [|lia]. unfold rank_of. destruct (nth_in_or_default a ranks 0) as [K|K]; [apply Z.leb_le; auto|rewrite K; lia].
Qed.

(* Theorem 8, acceptance implies the claim in format 2. *)
Theorem check_listed_sound : forall own listed ranks, check_listed p target limit own listed ranks salts = true ->
  forall t d, completion (state_of (first p)) t d -> target <= value (state_of (first p)) t d.
Proof.
  intros own listed ranks H. destruct (check_problem_sound p HPr) as (P & NL & LP & LP0).
  unfold check_listed in H. fold lp all points in H. fold root_node in H. cbn zeta in H.
  rewrite !andb_true_iff in H. destruct H as (((((((H1 & H2) & H3) & HR) & H4) & HB) & HO) & HC).
  destruct (begin_ok H1) as [OKB EPB]. destruct (antes_of_spec _ H1) as [GF EF].
  set (start := map ante_of (first p)) in *. set (why := option_map (map_reason ante_of) own) in *.
  set (tree := map_forest ante_of listed) in *.
  set (itself := if stands why then [make_entry p points (n_salt root_node) start] else []) in *.
  set (entries := list_entries p (rev start) (length start) (fold_left (walk_step p) start (points, 0, n_salt root_node)) tree itself) in *.
  assert (SW : stands why = stands own) by apply stands_map.
  assert (GW : good_forest p lp tree) by (apply good_map_forest; assumption).
  assert (GO := good_reason own H2). fold why in GO.
  assert (Short : stands why = true -> limit <> None -> (length start <= longest p limit)%nat).
  { intros S N. unfold longest. destruct limit as [n|]; [|contradiction]. apply andb_true_iff in H4. destruct H4 as [H4 _].
    rewrite <- SW, S in H4. apply Nat.leb_le. exact H4. }
  assert (Fit : forall path, In path (all_standing why tree) -> limit <> None -> (length start + length path <= longest p limit)%nat).
  { intros path Hp N. unfold all_standing in Hp. apply in_app_iff in Hp. destruct Hp as [Hp|Hp].
    - destruct (stands why) eqn:S; [|destruct Hp]. destruct Hp as [<-|[]]. specialize (Short eq_refl N). simpl. lia.
    - unfold longest. destruct limit as [n|]; [|contradiction]. apply andb_true_iff in H4. destruct H4 as [_ H4].
      unfold tree in Hp. rewrite standing_map in Hp. apply in_map_iff in Hp. destruct Hp as (l & <- & Hl).
      pose proof (is_shallow_spec _ _ _ H4 l Hl). rewrite map_length. lia. }
  assert (HPaths : forall path, In path (map (app start) (all_standing why tree)) -> Forall good_ante path).
  { intros path Hp. apply in_map_iff in Hp. destruct Hp as (l & <- & Hl). apply Forall_app. split; [assumption|].
    eapply Forall_impl; [|eapply good_all_standing; [exact GW|exact Hl]]. intros a [A _]. exact A. }
  assert (HT : forall place number e, In e (find (grow 62 0 entries) place number) ->
    entry_ok p limit lp e /\ In (e_path e) (map (app start) (all_standing why tree))).
  { intros place number e He. apply find_in in He. unfold entries in He.
    assert (K : exists l, In l (all_standing why tree) /\ e = make_entry p points (n_salt root_node) (start ++ l)).
    { apply (list_entries_spec (n_salt root_node)) in He; [|rewrite rev_involutive; reflexivity|rewrite rev_length; reflexivity].
      rewrite rev_involutive in He. destruct He as [He|(l & Hl & ->)].
      - unfold itself in He. destruct (stands why) eqn:S; [|destruct He]. destruct He as [<-|[]]. exists [].
        split; [unfold all_standing; rewrite S; left; reflexivity|]. rewrite app_nil_r. reflexivity.
      - exists l. split; [unfold all_standing; apply in_app_iff; tauto|reflexivity]. }
    destruct K as (l & Hl & ->). assert (IL : In (start ++ l) (map (app start) (all_standing why tree))) by (apply in_map; assumption).
    destruct (make_entry_ok p limit lp P points points_good points_source (n_salt root_node) _ (HPaths _ IL)) as [E1 E2].
    split; [exact E1|]. rewrite E2. exact IL. }
  assert (Known : known_ok p lp (if has_pairs p lp && (whole (n_antecedents p) <=? 500) then know_pairs p 62 points all else Empty)).
  { destruct (has_pairs p lp && (whole (n_antecedents p) <=? 500)) eqn:EK; [|apply nothing_known_ok].
    apply andb_true_iff in EK. destruct (has_pairs_spec p lp (proj1 EK)) as (Two & _).
    apply know_pairs_ok; [apply points_good|apply points_source|exact Two|]. rewrite Forall_forall. intros x Hx. unfold all, make_antes in Hx.
    apply in_map_iff in Hx. destruct Hx as (a & <- & Ha). apply in_seq in Ha. apply make_good. lia. }
  rewrite <- EF in OKB |- *. fold start in OKB |- *.
  apply (listed_reach p target limit lp P LP LP0 NL points points_good points_source start GF why tree GW GO Short Fit
    (grow 62 0 entries) HT _ Known (rank_of ranks) (Z.to_nat (greatest (0%Z :: ranks))) (rank_bounded ranks HR) _ OKB EPB HO HC HB).
Qed.
End Given.

Theorem check_target_sound : forall p target limit given salts,
  check_problem p = true -> check_target p target limit given salts = true ->
  forall l, admissible p l -> (forall n, limit = Some n -> (length (rules l) <= n)%nat) -> target <= objective p l.
Proof.
  intros p target limit given salts HPr H l AD LEN.
  destruct (from_first p limit salts l AD LEN) as (t & d & C & V'). etransitivity; [|exact V'].
  destruct given as [closed|own listed ranks].
  - eapply check_prefixes_sound; eassumption.
  - eapply check_listed_sound; eassumption.
Qed.

Lemma check_beyond_sound : forall p n b l, check_problem p = true -> check_beyond p n b = true -> admissible p l ->
  (n < length (rules l))%nat -> b <= objective p l.
Proof.
  intros p n b l HPr H AD L. destruct (check_problem_sound p HPr) as (P & NL & LP & LP0).
  assert (LM : (length (rules l) <= n_antecedents p)%nat).
  { replace (length (rules l)) with (length (prefix (rules l))) by apply map_length.
    rewrite <- (seq_length (n_antecedents p) 0). apply NoDup_incl_length; [apply AD|].
    intros a Ha. apply in_seq. pose proof (exist p l AD a Ha). lia. }
  unfold check_beyond in H. apply orb_true_iff in H. destruct H as [H|H].
  - apply Nat.leb_le in H. exfalso. unfold shorter in H. destruct (max_length p) as [k|] eqn:E; [|lia].
    pose proof (short_enough p l AD k E). lia.
  - apply Z.leb_le in H. rewrite whole_spec in H.
    set (s := {| left := groups p; paid := 0; used := []; room := n_antecedents p |}).
    assert (C : completion p s (rules l) (default_label l)).
    { destruct AD as [A1 A2 A3 A4 A5 A6 A7 A8]. constructor; auto.
      - intros a Ha. split; [auto|]. intro Hf. apply (A7 a Hf Ha).
      - apply in_seq. lia. }
    pose proof (equivalent_points p P (least (prices p)) LP s _ _ C) as F.
    unfold value, loss in F. cbn [paid left s] in F. unfold s in F. cbn [paid left] in F. unfold objective.
    assert (Z.of_nat (S n) * least (prices p) <= Z.of_nat (length (rules l)) * least (prices p)) by nia. lia.
Qed.

(* What the checker accepts: no admissible list costs less than the bound. *)
Theorem checker_sound : forall p c, check p c = true ->
  forall l, admissible p l -> bound c <= objective p l.
Proof.
  intros p c H l AD. unfold check in H. rewrite !andb_true_iff in H. destruct H as (((H1 & H2) & H3) & H4). apply Z.leb_le in H3.
  destruct (proven_length c) as [n|].
  - apply andb_true_iff in H4. destruct H4 as [H4 H5]. destruct (le_lt_dec (length (rules l)) n) as [L|L].
    + etransitivity; [exact H3|]. eapply check_target_sound; [exact H1|exact H5|exact AD|].
      intros k E. inversion E. unfold shorter. destruct (max_length p) as [k'|] eqn:EM; [|assumption].
      pose proof (short_enough p l AD k' EM). lia.
    + eapply check_beyond_sound; eassumption.
  - eapply check_target_sound; [exact H1|exact H4|exact AD|]. apply (short_enough p l AD).
Qed.

(* The given list is admissible, and its objective is the one that is claimed. *)
Theorem answer_sound : forall p c, check p c = true -> admissible p (answer c) /\ objective p (answer c) = best c.
Proof.
  intros p c H. unfold check in H. rewrite !andb_true_iff in H. destruct H as (((_ & H) & _) & _).
  apply check_answer_sound. assumption.
Qed.

(* If the bound is its objective, the list is optimal. *)
Theorem optimal_sound : forall p c, check p c = true -> bound c = best c ->
  admissible p (answer c) /\ forall l, admissible p l -> objective p (answer c) <= objective p l.
Proof.
  intros p c H E. destruct (answer_sound p c H) as [A O]. split; [exact A|]. intros l AD. rewrite O, <- E.
  apply checker_sound; assumption.
Qed.

(* A proof by length: no list of up to so many rules is better. *)
Theorem by_length_sound : forall p c n, check p c = true -> proven_length c = Some n ->
  forall l, admissible p l -> (length (rules l) <= n)%nat -> objective p (answer c) <= objective p l.
Proof.
  intros p c n H E l AD L. destruct (answer_sound p c H) as [A ->]. unfold check in H. rewrite E, !andb_true_iff in H.
  destruct H as (((H1 & H2) & H3) & (H4 & H5)). eapply check_target_sound; [exact H1|exact H5|exact AD|].
  intros k Ek. inversion Ek. unfold shorter. destruct (max_length p) as [k'|] eqn:EM; [|assumption].
  pose proof (short_enough p l AD k' EM). lia.
Qed.
