(* The theorems: what the checker accepts is true.

   An auditor reads Problem.v and the statements below. *)

From Coq Require Import ZArith List Bool Lia Permutation Arith.
From Surelist Require Import Problem Sums Completions Bound Points Check BoundSound ParentSound NodeSound StateSound.
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

(* Theorem 5, acceptance implies the claim: for all lists that are no longer than [limit]. *)
Theorem check_target_sound : forall p target limit closed salts,
  check_problem p = true -> check_target p target limit closed salts = true ->
  forall l, admissible p l -> (forall n, limit = Some n -> (length (rules l) <= n)%nat) -> target <= objective p l.
Proof.
  intros p target limit closed salts HPr H l AD LEN.
  destruct (check_problem_sound p HPr) as (P & NL & LP & LP0).
  set (lp := least (prices p)) in *.
  unfold check_target in H. fold lp in H. cbn zeta in H.
  set (all := map (make_ante p lp) (seq 0 (n_antecedents p))) in *.
  set (ante_of := fun a => nth a all (make_ante p lp a)) in *.
  set (points := map (fun x => make_point p (fst x) (snd x)) (combine (groups p) (salts ++ repeat 0 (length (groups p))))) in *.
  rewrite !andb_true_iff in H. destruct H as ((((H1 & H2) & _) & HB) & HC).
  rewrite forallb_forall in H1, H2.
  assert (AO : forall a, (a < n_antecedents p)%nat -> ante_of a = make_ante p lp a).
  { intros a Ha. unfold ante_of, all. rewrite (nth_indep _ _ (make_ante p lp 0)) by (rewrite map_length, seq_length; lia).
    rewrite map_nth, seq_nth by lia. reflexivity. }
  assert (MA : forall path, forallb (fun a => (a <? n_antecedents p)%nat) path = true ->
    Forall (good_ante p lp) (map ante_of path) /\ map index (map ante_of path) = path).
  { intros path Hp. rewrite forallb_forall in Hp. split.
    - rewrite Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha).
      specialize (Hp a Ha). apply Nat.ltb_lt in Hp. rewrite AO by assumption. apply make_good. assumption.
    - rewrite map_map. rewrite <- (map_id path) at 2. apply map_ext_in. intros a Ha. specialize (Hp a Ha).
      apply Nat.ltb_lt in Hp. rewrite AO by assumption. reflexivity. }
  assert (HP : Forall (good_point p) points).
  { rewrite Forall_forall. intros x Hx. apply in_map_iff in Hx. destruct Hx as ([u n] & <- & _). exists n. reflexivity. }
  assert (HS : map source points = groups p).
  { apply map_source. rewrite app_length, repeat_length. lia. }
  set (start := root p limit points (filter (fun a => negb (member (index a) (forbidden p))) all)) in *.
  assert (OKS : node_ok p limit lp points start (root_state p limit)) by (apply root_ok; assumption).
  set (entries := map (make_entry p points (n_salt start)) (map (map ante_of) closed)) in *.
  set (table := grow 62 0 entries) in *.
  assert (HPaths : forall path, In path (map (map ante_of) closed) -> Forall (good_ante p lp) path).
  { intros path Hp. apply in_map_iff in Hp. destruct Hp as (c & <- & Hc). apply MA. auto. }
  assert (HT : forall place number e, In e (find table place number) ->
    entry_ok p limit lp e /\ In (e_path e) (map (map ante_of) closed)).
  { intros place number e He. apply find_in in He. apply in_map_iff in He. destruct He as (path & <- & Hp).
    destruct (make_entry_ok p limit lp P points HP HS (n_salt start) path (HPaths path Hp)) as [E1 E2].
    split; [exact E1|]. rewrite E2. exact Hp. }
  pose proof (closed_states_reach p target limit lp P LP LP0 NL points HP HS _ HPaths table HT start OKS HC) as CR.
  assert (FF : forallb (fun a => (a <? n_antecedents p)%nat) (first p) = true) by (apply forallb_forall; exact H2).
  destruct (MA (first p) FF) as [GF EF].
  set (begin := fold_left (next p limit) (map ante_of (first p)) start) in *.
  pose proof (fold_next_ok p limit lp P points HP (map ante_of (first p)) start _ OKS GF) as OKB. fold begin in OKB.
  rewrite EF in OKB. set (sb := state_from p limit (root_state p limit) (first p)) in *.
  (* every admissible list is a completion of the state of [first] *)
  assert (CRoot : completion p (root_state p limit) (rules l) (default_label l)).
  { destruct AD as [A1 A2 A3 A4 A5 A6 A7 A8]. constructor; auto.
    - intros a Ha. split; [auto|]. intro Hf. apply (A7 a Hf Ha).
    - apply in_seq. lia.
    - cbn [room root_state]. unfold longest. destruct limit as [n|]; [auto|].
      replace (length (rules l)) with (length (prefix (rules l))) by apply map_length.
      rewrite <- (seq_length (n_antecedents p) 0). apply NoDup_incl_length; [assumption|].
      intros a Ha. apply in_seq. specialize (A2 a Ha). lia. }
  destruct (begins p l AD) as (rest & EP). destruct (split_prefix _ _ _ EP) as (t1 & t2 & ET & EF1).
  rewrite ET in CRoot. destruct (first_steps p (limited limit) t1 _ t2 _ CRoot) as [CB VB]. rewrite EF1 in CB, VB.
  fold (state_from p limit (root_state p limit) (first p)) in CB, VB. fold sb in CB, VB.
  assert (OBJ : value p (root_state p limit) (t1 ++ t2) (default_label l) = objective p l).
  { unfold value, objective, loss. cbn [paid left root_state]. rewrite <- ET. lia. }
  rewrite <- OBJ. etransitivity; [|exact VB].
  apply orb_true_iff in HB. destruct HB as [HB|HB].
  - apply existsb_exists in HB. destruct HB as (e & He & HB).
    rewrite <- (ok_paid _ _ _ _ _ _ OKB) in HB.
    apply (dominates_sound p target limit lp P points HP HS _ table HT (n_path begin) (n_salt begin) e sb (length t2) (CR (length t2)));
      auto.
    + apply (ok_path _ _ _ _ _ _ OKB).
    + rewrite (ok_left _ _ _ _ _ _ OKB), (ok_points _ _ _ _ _ _ OKB). reflexivity.
    + intros a Ha. rewrite (ok_used _ _ _ _ _ _ OKB) in Ha. exact Ha.
    + apply (ok_length _ _ _ _ _ _ OKB).
  - rewrite <- (ok_paid _ _ _ _ _ _ OKB), <- (ok_room _ _ _ _ _ _ OKB), (ok_sums _ _ _ _ _ _ OKB) in HB.
    eapply (bounded_sound p target lp P LP LP0 sb) in HB; [exact HB| | | | | |exact CB].
    + apply (ok_incl _ _ _ _ HS _ _ OKB).
    + rewrite Forall_forall. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_map_iff in Hi.
      destruct Hi as (r & <- & Hr). apply (row_item_good p limit lp points begin sb OKB). assumption.
    + apply NoDup_map_filter. rewrite map_map. apply (ok_distinct _ _ _ _ _ _ OKB).
    + intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_map_iff in Hi. destruct Hi as (r & <- & Hr).
      apply (is_needed_spec p limit lp points begin sb (r_ante r) OKB).
      pose proof (ok_rows _ _ _ _ _ _ OKB) as R. rewrite Forall_forall in R. apply R. assumption.
    + intros a Ha Hf Hn. apply (active_rest p limit lp P points begin sb OKB a Ha Hf).
      intro Hin. apply Hn. rewrite map_map in Hin. apply in_map_iff in Hin. destruct Hin as (r & Er & Hr).
      apply filter_In in Hr. destruct Hr as [Hr Hact]. apply in_map_iff. exists (row_item r). split; [exact Er|].
      apply filter_In. split; [apply in_map; assumption|]. rewrite <- (ok_sums _ _ _ _ _ _ OKB). exact Hact.
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
