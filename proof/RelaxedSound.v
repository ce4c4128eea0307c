(* Why (M) may be trusted: if [search] goes through all steps, no tidy list costs less than the target. *)

From Coq Require Import ZArith List Bool Lia Arith.
From Surelist Require Import Problem Sums Completions Bound Points Cover Pairs Check CheckRelaxed BoundSound NodeSound Relaxation.
Import ListNotations.
Open Scope Z_scope.

Lemma of_twin : forall q f, In q [0; 1]%nat -> of_label q (twin_of f) = f q.
Proof. intros q f [<-|[<-|[]]]; reflexivity. Qed.

Section RelaxedSound.
Variable p : problem.
Variable target : Z.
Variable limit : option nat.
Variable lp : Z.
Hypothesis P : proper p.
Hypothesis LP : forall a, (a < n_antecedents p)%nat -> lp <= price p a.
Hypothesis LP0 : 0 <= lp.
Variable points : list point.
Hypothesis HP : Forall (good_point p) points.
Hypothesis HS : map source points = groups p.
Hypothesis Two : classes p = [0; 1]%nat.
Hypothesis Any : rule_labels p = [0; 1]%nat.
Hypothesis Req : required p = [].
Variable rank : nat -> Z.
Hypothesis Ranked : forall a, 0 <= rank a.
Variable z : state.
Variable all : twin.

Notation up := (up p).
Notation row_ok := (row_ok p lp z).
Notation order := (fun a => Z.to_nat (rank a)).
Notation tidy := (tidy p order).
Notation step := CheckRelaxed.step.
Notation usable := (Cover.usable p).
Let whole := left z.

Hypothesis All : forall q, In q [0; 1]%nat -> of_label q all = up q whole.

Lemma in_classes : forall q, In q [0; 1]%nat -> In q (classes p).
Proof. rewrite Two. auto. Qed.

Definition number (h : held) : nat := row_index (t_row h).

(* Of what a row loses, rules have taken what is no longer in a part of the set. *)
Definition held_ok (part : list group) (h : held) : Prop := row_ok (t_row h) /\ forall q, In q [0; 1]%nat ->
  of_label q (t_all h) = up q (inside (number h) whole)
  /\ of_label q (t_least h) <= up q (inside (number h) whole) - up q (inside (number h) part) <= of_label q (t_most h).

Definition never_fine (b : nat) : Prop := forall keep l, In l [0; 1]%nat -> ~ fine_rule p (filter keep whole) b l.

Record step_ok (s : step) (part : list group) : Prop := {
  st_part : exists keep, part = filter keep whole;
  st_label : In (k_label s) [0; 1]%nat;
  st_self : held_ok part (k_self s);
  st_held : Forall (held_ok part) (k_held s);
  st_rest : forall b, usable b -> In b (map number (k_held s)) \/ never_fine b;
  st_taken : forall q, In q [0; 1]%nat -> up q whole - up q part <= of_label q (k_taken s)
}.

(* What two share, in all of the set and in a part. *)
Lemma share : forall q b c keep, let part := filter keep whole in
  let both := up q (inside c (inside b whole)) in
  let here := up q (inside c (inside b part)) in
  up q (inside c part) = here + up q (inside c (outside b part))
  /\ 0 <= here <= both /\ here <= up q (inside b part)
  /\ up q (inside c (outside b part)) + both <= up q (inside c whole)
  /\ both + up q (inside b part) <= here + up q (inside b whole)
  /\ 0 <= up q (inside c (outside b part)).
Proof.
  intros q b c keep part both here. unfold both, here, part, Pairs.up, inside, outside. rewrite !filter_filter, !total_filter.
  rewrite <- !total_plus.
  assert (N : forall u, 0 <= gain p q u) by (intros; apply gain_nonneg).
  split; [apply total_ext; intros u _; pose proof (N u); unfold is_out, is_in; destruct (keep u), (captures u b), (captures u c); simpl; lia|].
  repeat split; try (apply total_nonneg; intros u _); try (apply total_le; intros u _); pose proof (N u); unfold is_out, is_in;
    destruct (keep u), (captures u b), (captures u c); simpl; lia.
Qed.

Lemma fresh_enough : forall g h q, In q [0; 1]%nat -> held_ok g h -> up q (inside (number h) g) <= fresh h q.
Proof. intros g h q Q [_ H]. destruct (H q Q) as [E1 E2]. unfold fresh. lia. Qed.

Section Step.
Variable s : step.
Variable part : list group.
Hypothesis OK : step_ok s part.
Let self := k_self s.
Let b := number self.
Let rest := outside b part.

Lemma shared_spec : forall h q, In q [0; 1]%nat -> held_ok part h ->
  of_label q (snd (move_behind p self h)) = up q (inside (number h) (inside b whole)).
Proof.
  intros h q Q [(R1 & _) _]. destruct (st_self _ _ OK) as [(S1 & S2 & S3 & _) _]. unfold move_behind. cbn [snd].
  unfold loses. rewrite of_twin by assumption. rewrite sum_within_spec, sum_points_spec by (apply Forall_filter; exact S2).
  rewrite (within_inside p lp) by assumption. fold self in S3. rewrite S3. rewrite gain_of_sums by (apply in_classes; assumption). reflexivity.
Qed.

Lemma move_ok : forall h, held_ok part h -> held_ok rest (fst (move_behind p self h)).
Proof.
  intros h H. pose proof (fun q Q => shared_spec h q Q H) as SH. destruct H as [R H]. split; [exact R|]. intros q Q. destruct (H q Q) as [E1 E2].
  specialize (SH q Q). pose proof (st_self _ _ OK) as SO. pose proof (fresh_enough part self q Q SO) as F. destruct SO as [_ SO].
  destruct (SO q Q) as [E3 E4]. fold self in E3, E4. fold b in F, E3, E4.
  destruct (st_part _ _ OK) as [keep EK]. pose proof (share q b (number h) keep) as K. cbv zeta in K. rewrite <- EK in K.
  fold rest in K. cbn [snd move_behind] in SH. unfold move_behind.
  change (number (fst _)) with (number h). cbn [fst t_all t_most t_least]. rewrite !of_twin by assumption. rewrite SH. split; [exact E1|]. lia.
Qed.

Lemma taken_ok : forall q, In q [0; 1]%nat -> up q whole - up q rest <= of_label q (taken_behind s).
Proof.
  intros q Q. unfold taken_behind. rewrite of_twin by assumption. pose proof (st_taken _ _ OK q Q).
  pose proof (fresh_enough part self q Q (st_self _ _ OK)) as F. fold b in F. fold self.
  pose proof (up_split p q b part) as E. fold rest in E. lia.
Qed.

Lemma follows : forall h c l, In h (k_held s) -> number h = c -> In l [0; 1]%nat ->
  fine_rule p rest c l -> in_order p order part b (k_label s) c l ->
  may_follow rank s (move_behind p self h, l) = true.
Proof.
  intros h c l Hh <- L (F1 & F2 & _) O. pose proof (st_held _ _ OK) as HH. rewrite Forall_forall in HH. specialize (HH h Hh).
  pose proof (move_ok h HH) as MO. pose proof (fun q Q => shared_spec h q Q HH) as SH.
  destruct (move_behind p self h) as [h' both] eqn:EM. cbn [fst snd] in *.
  assert (ER : t_row h' = t_row h) by (unfold move_behind in EM; inversion EM; reflexivity).
  assert (EN : number h' = number h) by (unfold number; rewrite ER; reflexivity).
  pose proof (fresh_enough rest h' (other l) (other_in l) MO) as FR. rewrite EN in FR.
  destruct MO as [(R1 & _) MO]. unfold may_follow. rewrite !andb_true_iff.
  assert (PR : rule_price (r_ante (t_row h')) = price p (number h)) by (rewrite (price_spec p lp) by exact R1; rewrite <- EN; reflexivity).
  split; [split|].
  - apply Z.ltb_lt. lia.
  - apply Z.leb_le. destruct (MO l L) as [E1 E2]. unfold rule_costs. rewrite EN in *. lia.
  - unfold in_order in O. change (index (r_ante (t_row (k_self s)))) with b. change (index (r_ante (t_row h'))) with (number h'). rewrite EN.
    destruct (Nat.eqb l (k_label s)) eqn:EL.
    + pose proof (Ranked b). pose proof (Ranked (number h)). apply Z.leb_le. lia.
    + pose proof (st_label _ _ OK) as KL. destruct (st_self _ _ OK) as [_ SO]. fold self b in SO.
      pose proof (fresh_enough part self l L (st_self _ _ OK)) as F. fold b in F. fold self.
      destruct (SO (k_label s) KL) as [E1 E2]. rewrite (SH l L), (SH (k_label s) KL).
      destruct (st_part _ _ OK) as [keep EK].
      pose proof (share l b (number h) keep) as K1. pose proof (share (k_label s) b (number h) keep) as K2. cbv zeta in K1, K2. rewrite <- EK in K1, K2.
      apply Z.leb_le. lia.
Qed.
End Step.

(* What a list costs above the floor. *)
Definition extra (g : list group) (t : list rule) (d : nat) : Z := loss g t d - total (floor p) g.

Lemma extra_cons : forall g c l t d, In l [0; 1]%nat -> extra g ((c, l) :: t) d = up l (inside c g) + extra (outside c g) t d.
Proof.
  intros g c l t d L. unfold extra. rewrite loss_cons, (cost_up p Two Any) by (apply in_classes; assumption).
  rewrite (total_inside (floor p) c g). lia.
Qed.

Lemma extra_nil : forall g d, In d [0; 1]%nat -> extra g [] d = up d g.
Proof. intros g d D. unfold extra. rewrite loss_nil, (cost_up p Two Any) by (apply in_classes; assumption). lia. Qed.

Lemma extra_nonneg : forall g t d, (forall l, In l (map snd t) -> In l [0; 1]%nat) -> In d [0; 1]%nat -> 0 <= extra g t d.
Proof.
  intros g t d L D. unfold extra, loss. rewrite <- total_minus. apply total_nonneg. intros u _.
  assert (In (predict t d u) (classes p)).
  { apply (predict_class p P); [intros r Hr; rewrite Any; auto|apply in_classes; assumption]. }
  pose proof (floor_le p u _ H). lia.
Qed.

(* No list that goes on from a step costs less than the target. *)
Definition dead (s : step) : Prop := forall part t d, step_ok s part -> t <> [] ->
  tidy part (number (k_self s)) (k_label s) t d ->
  (forall c, In c (prefix t) -> usable c) -> (forall l, In l (map snd t) -> In l [0; 1]%nat) -> In d [0; 1]%nat ->
  (length t <= k_room s)%nat ->
  target <= k_spent s + total (price p) (prefix t) + extra (outside (number (k_self s)) part) t d.

Lemma expand_dead : forall s more, expand p target lp rank all s = Some more -> (forall s', In s' more -> dead s') -> dead s.
Proof.
  intros s more E H part t d OK NE T U L D LE. destruct t as [|[c l] t]; [contradiction|]. clear NE.
  cbn [Relaxation.tidy] in T. destruct T as (T1 & T2 & T3 & T4).
  assert (LL : In l [0; 1]%nat) by (apply L; left; reflexivity).
  assert (UC : usable c) by (apply U; left; reflexivity).
  set (self := k_self s) in *. set (rest := outside (number self) part) in *.
  destruct (st_part _ _ OK) as [keep EK].
  assert (ER : rest = filter (fun u => keep u && is_out (number self) u) whole).
  { unfold rest. rewrite EK. apply filter_filter. }
  destruct (st_rest _ _ OK c UC) as [I|N]; [|exfalso; apply (N (fun u => keep u && is_out (number self) u) l LL); rewrite <- ER; exact T1].
  apply in_map_iff in I. destruct I as (h & Eh & Hh).
  pose proof (follows s part OK h c l Hh Eh LL T1 T2) as F. fold self in F.
  pose proof (st_held _ _ OK) as HH. rewrite Forall_forall in HH. pose proof (HH h Hh) as HO.
  pose proof (move_ok s part OK h HO) as MO. fold self rest in MO.
  set (x := (move_behind p self h, l)) in *.
  unfold expand in E. cbv zeta in E. fold self in E. destruct (k_room s) as [|room] eqn:EM; [simpl in LE; lia|].
  set (moves := map (move_behind p self) (k_held s)) in *.
  assert (IX : In x (filter (may_follow rank s) (flat_map (fun m => [(m, 0%nat); (m, 1%nat)]) moves))).
  { apply filter_In. split; [|exact F]. apply in_flat_map. exists (move_behind p self h). split; [apply in_map; exact Hh|].
    unfold x. destruct LL as [<-|[<-|[]]]; simpl; tauto. }
  set (some := filter (may_follow rank s) _) in *.
  destruct (existsb (may_end target lp all s) some) eqn:EE; [discriminate|].
  assert (NE : may_end target lp all s x = false).
  { destruct (may_end target lp all s x) eqn:M; [|reflexivity]. exfalso.
    assert (existsb (may_end target lp all s) some = true) by (apply existsb_exists; exists x; tauto). congruence. }
  apply Z.ltb_ge in NE. cbn [x fst snd] in NE.
  assert (NH : number (fst (move_behind p self h)) = c) by exact Eh.
  assert (PC : spent_behind lp s x + 0 <= k_spent s + price p c + up l (inside c rest)).
  { unfold spent_behind, x. cbn [fst snd]. destruct MO as [_ MO]. pose proof (LP c (proj1 UC)).
    destruct (MO l LL) as [E1 E2]. unfold rule_costs. rewrite NH in *. lia. }
  rewrite extra_cons by assumption. cbn [prefix map fst]. autorewrite with sums. fold (prefix t).
  destruct t as [|y t].
  - rewrite (T3 eq_refl), extra_nil by apply other_in. cbn [prefix map]. autorewrite with sums.
    pose proof (taken_ok s part OK (other l) (other_in l)) as TK. fold self rest in TK.
    pose proof (fresh_enough rest _ (other l) (other_in l) MO) as FR. rewrite NH in FR.
    rewrite All in NE by apply other_in. pose proof (up_split p (other l) c rest) as SP. pose proof (up_nonneg p (other l) (outside c rest)).
    fold x in NE. lia.
  - assert (LT : forall q, In q (map snd (y :: t)) -> In q [0; 1]%nat) by (intros q Hq; apply L; right; exact Hq).
    assert (UT : forall q, In q (prefix (y :: t)) -> usable q) by (intros q Hq; apply U; right; exact Hq).
    destruct (may_go_on target lp s x) eqn:EG.
    + destruct room as [|room]; [simpl in LE; lia|]. inversion E as [E']. clear E.
      set (s' := {| k_self := fst (fst x); k_label := snd x; k_spent := spent_behind lp s x; k_room := Datatypes.S room;
                    k_held := map fst moves; k_taken := taken_behind s |}).
      assert (I' : In s' more).
      { rewrite <- E'. apply in_map_iff. exists x. split; [reflexivity|]. apply filter_In. split; assumption. }
      assert (OK' : step_ok s' rest).
      { constructor; cbn [s' k_label k_self k_held k_taken].
        - eexists. exact ER.
        - exact LL.
        - exact MO.
        - apply Forall_forall. intros g Hg. unfold moves in Hg. rewrite map_map in Hg. apply in_map_iff in Hg. destruct Hg as (g' & <- & Hg').
          apply (move_ok s part OK g'). auto.
        - intros e Ue. destruct (st_rest _ _ OK e Ue) as [K|K]; [left|right; exact K]. unfold moves. rewrite !map_map. exact K.
        - intros q Q. apply (taken_ok s part OK q Q). }
      pose proof (H s' I' rest (y :: t) d OK' ltac:(discriminate)) as K. cbn [s' k_self k_label k_room k_spent x fst snd] in K.
      fold x in K. rewrite NH in K. specialize (K T4 UT LT D ltac:(simpl in *; lia)). lia.
    + apply Z.ltb_ge in EG. pose proof (extra_nonneg (outside c rest) (y :: t) d LT D).
      assert (lp <= total (price p) (prefix (y :: t))); [|lia]. cbn [prefix map]. autorewrite with sums.
      assert (lp <= price p (fst y)) by (apply LP, UT; left; reflexivity).
      assert (0 <= total (price p) (map fst t)); [|lia].
      apply total_nonneg. intros e He. apply (prices_nonneg p P). apply UT. right. exact He.
Qed.

Lemma search_dead : forall fuel steps, search p target lp rank all fuel steps = true -> forall s, In s steps -> dead s.
Proof.
  induction fuel as [|f IH]; intros steps H s Hs; [destruct steps; [destruct Hs|discriminate]|].
  destruct steps as [|s0 steps]; [destruct Hs|]. cbn [search] in H.
  destruct (expand p target lp rank all s0) as [more|] eqn:E; [|discriminate].
  destruct Hs as [<-|Hs].
  - apply (expand_dead s0 more E). intros s' Hs'. apply (IH _ H). apply in_app_iff. tauto.
  - apply (IH _ H). apply in_app_iff. tauto.
Qed.
End RelaxedSound.

Section Node.
Variable p : problem.
Variable target : Z.
Variable limit : option nat.
Variable lp : Z.
Hypothesis P : proper p.
Hypothesis LP : forall a, (a < n_antecedents p)%nat -> lp <= price p a.
Hypothesis LP0 : 0 <= lp.
Variable points : list point.
Hypothesis HP : Forall (good_point p) points.
Hypothesis HS : map source points = groups p.
Variable rank : nat -> Z.
Hypothesis Ranked : forall a, 0 <= rank a.
Variable zn : node.
Variable z : state.
Hypothesis OK : node_ok p limit lp points zn z.
Variable a : ante.
Hypothesis A : good_ante p lp a.
Hypothesis UA : Cover.usable p (index a).
Hypothesis Roomy : roomy p (limited limit) z.
Variable V : Z.
Hypothesis Below : V < target.
Hypothesis Low : forall t d, completion p z t d -> V <= value p z t d.
Variable weight : nat -> nat.
Hypothesis Weighs : forall b, (0 < weight b)%nat.

Let x := child p (limited limit) z (index a).
Let row := make_row p (n_points zn) a.

Lemma row_ok_of : row_ok p lp z row.
Proof.
  pose proof (ok_good p limit lp points HP zn z OK) as G. unfold row, make_row, row_ok. cbn [r_ante r_points r_sums].
  assert (E : map source (filter (within a) (n_points zn)) = inside (index a) (left z)).
  { rewrite (within_inside p lp) by assumption. rewrite (ok_left _ _ _ _ _ _ OK). reflexivity. }
  split; [exact A|]. split; [apply Forall_filter; exact G|]. split; [exact E|].
  rewrite sum_points_spec by (apply Forall_filter; exact G). rewrite E. reflexivity.
Qed.

Theorem relaxed_sound : relaxed_holds p target limit lp rank zn a = true -> forall w,
  (forall b l t d, completion p x ((b, l) :: t) d -> value p x ((b, l) :: t) d <= V -> (weigh weight ((b, l) :: t) <= w)%nat ->
     (Z.to_nat (rank b) < Z.to_nat (rank (index a)))%nat ->
     paid (child p (limited limit) (child p (limited limit) z b) (index a)) <= paid (child p (limited limit) x b) -> False) ->
  forall t d, completion p x t d -> value p x t d <= V -> (weigh weight t <= w)%nat -> False.
Proof.
  intros H. unfold relaxed_holds in H. fold row in H. cbv zeta in H. rewrite !andb_true_iff in H. destruct H as (((H1 & H2) & H3) & H4).
  destruct (is_plain_spec p H1) as [Two E2].
  assert (Any : rule_labels p = [0; 1]%nat).
  { unfold any_label in E2. destruct (list_eq_dec Nat.eq_dec (rule_labels p) (classes p)) as [E|]; [congruence|discriminate]. }
  assert (Req : required p = []) by (destruct (required p); [reflexivity|discriminate]).
  assert (IC : forall q, In q [0; 1]%nat -> In q (classes p)) by (rewrite Two; auto).
  destruct row_ok_of as (R1 & R2 & R3 & R4). change (index (r_ante row)) with (index a) in R3, R4.
  assert (LO : forall q g, In q [0; 1]%nat -> of_label q (loses (sums_of p g)) = up p q g).
  { intros q g Q. unfold loses. rewrite of_twin by assumption. rewrite gain_of_sums by auto. reflexivity. }
  assert (ES : n_paid zn + rule_price a + rule_of p (r_sums row) + (s_low (n_sums zn) - s_low (r_sums row))
    = paid x + total (floor p) (left x)).
  { rewrite R4, (ok_sums _ _ _ _ _ _ OK), rule_of_spec, (price_spec p lp), <- (ok_paid _ _ _ _ _ _ OK) by assumption.
    unfold x. cbn [paid left Completions.child s_low Points.sums_of]. rewrite (total_inside (floor p) (index a) (left z)). lia. }
  rewrite ES in H3, H4. rewrite (ok_sums _ _ _ _ _ _ OK) in H3, H4. rewrite R4 in H3.
  assert (NR : forall d, completion p x [] d -> V < value p x [] d).
  { intros d C. rewrite forallb_forall in H3. pose proof (c_default p _ _ _ C) as D. rewrite Two in D. specialize (H3 d D).
    apply Z.leb_le in H3. rewrite !LO in H3 by assumption. rewrite (value_nil p), (cost_up p Two Any) by auto.
    pose proof (up_split p d (index a) (left z)). unfold x in *. cbn [left Completions.child] in *. lia. }
  set (ca := if nth 0 (s_costs (r_sums row)) 0 <=? nth 1 (s_costs (r_sums row)) 0 then 0%nat else 1%nat) in *.
  assert (CA : In ca [0; 1]%nat) by (unfold ca; destruct (_ <=? _); simpl; tauto).
  assert (Cheapest : rule_cost p (inside (index a) (left z)) = cost_of ca (inside (index a) (left z))).
  { unfold ca. rewrite R4, !cost_of_sums by (apply IC; simpl; tauto). unfold rule_cost. rewrite Any. cbn [map least fold_left].
    destruct (Z.leb_spec (cost_of 0 (inside (index a) (left z))) (cost_of 1 (inside (index a) (left z)))); lia. }
  set (rows := filter _ (n_rows zn)) in *.
  pose proof (ok_rows _ _ _ _ _ _ OK) as RO. rewrite Forall_forall in RO.
  assert (NT : forall g r, incl g (left z) -> row_ok p lp z r -> held_ok p lp z (left z) (nothing_taken r)).
  { intros g r _ (K1 & K2 & K3 & K4). split; [exact (conj K1 (conj K2 (conj K3 K4)))|]. intros q Q.
    unfold nothing_taken, number. cbn [t_row t_all t_most t_least]. rewrite K4, LO by assumption.
    unfold row_index. destruct Q as [<-|[<-|[]]]; cbn [of_label fst snd]; lia. }
  assert (PartZ : incl (left z) (groups p)) by (apply (ok_incl p limit lp points HS zn z OK)).
  apply (relaxed_front p P Two Any Req (limited limit) z (index a) PartZ UA Roomy ca (IC ca CA) Cheapest V Low NR
    (fun b => Z.to_nat (rank b)) weight Weighs).
  intros t d C NE T.
  assert (D : In d [0; 1]%nat) by (rewrite <- Two; apply (c_default p _ _ _ C)).
  pose proof (search_dead p target lp P LP LP0 Two Any rank Ranked z (loses (sums_of p (left z)))
    (fun q Q => LO q (left z) Q) most_steps _ H4 _ (or_introl eq_refl)) as K.
  specialize (K (left z) t d). cbn [k_self k_label k_spent k_room] in K.
  change (number (nothing_taken row)) with (index a) in K. unfold extra in K.
  change (V < value p x t d). unfold value. change (outside (index a) (left z)) with (left x) in K.
  enough (target <= paid x + total (floor p) (left x) + total (price p) (prefix t) + (loss (left x) t d - total (floor p) (left x))) by lia.
  apply K; auto.
  - constructor; cbn [k_self k_label k_held k_taken].
    + exists (fun _ => true). symmetry. apply filter_true.
    + exact CA.
    + apply (NT []); [intros u []|apply row_ok_of].
    + apply Forall_forall. intros h Hh. apply in_map_iff in Hh. destruct Hh as (r & <- & Hr). apply filter_In in Hr.
      apply (NT []); [intros u []|apply RO; tauto].
    + intros b UB. rewrite map_map. destruct (in_dec Nat.eq_dec b (map row_index (n_rows zn))) as [I|N].
      * apply in_map_iff in I. destruct I as (r & <- & Hr).
        destruct (rule_price (r_ante r) <? s_high (sums_of p (left z)) - s_high (r_sums r)) eqn:E.
        { left. apply in_map_iff. exists r. split; [reflexivity|]. apply filter_In. split; assumption. }
        right. intros keep l L (_ & _ & F). apply Z.ltb_ge in E. destruct (RO r Hr) as (K1 & K2 & K3 & K4).
        rewrite K4, (price_spec p lp) in E by exact K1. cbn [s_high Points.sums_of] in E.
        rewrite (total_inside (ceil p) (index (r_ante r)) (left z)) in E. unfold row_index in F.
        assert (total (ceil p) (outside (index (r_ante r)) (filter keep (left z))) <= total (ceil p) (outside (index (r_ante r)) (left z))); [|lia].
        unfold outside. rewrite !filter_filter, !total_filter. apply total_le. intros u Hu. apply PartZ in Hu.
        assert (0 <= ceil p u).
        { pose proof (costs_nonneg p P u 0%nat Hu (IC 0%nat (or_introl eq_refl))). pose proof (le_ceil p u 0%nat (IC 0%nat (or_introl eq_refl))). lia. }
        destruct (keep u), (is_out (index (r_ante r)) u); simpl; lia.
      * right. intros keep l L (F & _). destruct (ok_left_out _ _ _ _ _ _ OK b (proj1 UB) (proj2 UB) N) as [_ W].
        specialize (W l ltac:(rewrite Any; exact L)). rewrite (ceil_up p Two Any l) in W by auto.
        assert (up p (other l) (inside b (filter keep (left z))) <= up p (other l) (inside b (left z))); [|lia].
        unfold up, inside. rewrite !filter_filter, !total_filter. apply total_le. intros u _. pose proof (gain_nonneg p (other l) u).
        destruct (keep u), (is_in b u); simpl; lia.
    + intros q Q. destruct Q as [<-|[<-|[]]]; cbn [of_label fst snd]; lia.
  - intros c Hc. split; apply (c_exist p _ _ _ C c Hc).
  - intros l Hl. rewrite <- Any. apply (c_labels p _ _ _ C l Hl).
  - pose proof (c_short p _ _ _ C) as S. unfold x in S. cbn [room Completions.child] in S. rewrite (ok_room _ _ _ _ _ _ OK) in S. exact S.
Qed.
End Node.
