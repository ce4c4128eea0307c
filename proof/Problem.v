(* The statement: what a problem is, what a rule list is, and what it costs.

   An auditor has to read this file, and the theorems at the end of Soundness.v, and no other. It
   says in Coq what section 3 of the paper says in words. All numbers are integers: a common factor
   makes losses and prices whole. Antecedents, classes and lengths are counted from 0. *)

From Coq Require Import ZArith List.
Import ListNotations.
Open Scope Z_scope.

(* Rows that the same antecedents capture form a group. [captured] says for each antecedent whether
   it captures the group; [costs] what it costs to predict each class for all its rows. *)
Record group := { captured : list bool; costs : list Z }.

Record problem := {
  groups : list group;
  prices : list Z;         (* what a rule with this antecedent costs: λ, unless prices differ *)
  n_classes : nat;
  rule_labels : list nat;  (* the classes that rules may predict; the default may be any *)
  first : list nat;        (* the antecedents that a list begins with *)
  required : list nat;     (* the antecedents that it must have *)
  forbidden : list nat;    (* and those it must not have *)
  max_length : option nat  (* the greatest number of rules *)
}.

Definition n_antecedents (p : problem) : nat := length (prices p).
Definition captures (u : group) (a : nat) : bool := nth a (captured u) false.
Definition cost (u : group) (q : nat) : Z := nth q (costs u) 0.
Definition price (p : problem) (a : nat) : Z := nth a (prices p) 0.

(* A rule is an antecedent and a label. *)
Notation rule := (nat * nat)%type.
Record rule_list := { rules : list rule; default_label : nat }.

Definition prefix (rs : list rule) : list nat := map fst rs.

(* The label of the first rule that captures a group, or else the default. *)
Fixpoint predict (rs : list rule) (default : nat) (u : group) : nat :=
  match rs with
  | [] => default
  | (a, label) :: rest => if captures u a then label else predict rest default u
  end.

Definition total {A : Type} (f : A -> Z) (l : list A) : Z := fold_right Z.add 0 (map f l).

(* The loss of all groups, and the price of each rule. *)
Definition objective (p : problem) (l : rule_list) : Z :=
  total (fun u => cost u (predict (rules l) (default_label l) u)) (groups p)
  + total (price p) (prefix (rules l)).

(* The lists that are compared: distinct antecedents, and all constraints are met. *)
Record admissible (p : problem) (l : rule_list) : Prop := {
  distinct : NoDup (prefix (rules l));
  exist : forall a, In a (prefix (rules l)) -> (a < n_antecedents p)%nat;
  labelled : forall q, In q (map snd (rules l)) -> In q (rule_labels p);
  defaulted : (default_label l < n_classes p)%nat;
  begins : exists rest, prefix (rules l) = first p ++ rest;
  has_required : forall a, In a (required p) -> In a (prefix (rules l));
  lacks_forbidden : forall a, In a (forbidden p) -> ~ In a (prefix (rules l));
  short_enough : forall n, max_length p = Some n -> (length (rules l) <= n)%nat
}.
