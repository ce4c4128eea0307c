(* The checker as OCaml, twice: with Coq's own integers, which need no trust and are slow, and with
   the machine's, where each operation that leaves them raises an exception (exact.ml). *)

From Coq Require Import ZArith List Extraction ExtrOcamlBasic.
From Surelist Require Import Problem Accept Soundness.

Print Assumptions checker_sound.
Print Assumptions answer_sound.
Print Assumptions optimal_sound.
Print Assumptions by_length_sound.

Extraction Language OCaml.

Extraction "plain.ml" check.

Extract Inductive positive => "int" ["(fun p -> 2 * p + 1)" "(fun p -> 2 * p)" "1"] "Exact.no_match".
Extract Inductive Z => "int" ["0" "(fun p -> p)" "(fun p -> - p)"] "Exact.no_match".
Extract Inlined Constant Z.add => "Exact.add".
Extract Inlined Constant Z.sub => "Exact.sub".
Extract Inlined Constant Z.mul => "Exact.mul".
Extract Inlined Constant Z.leb => "Exact.leb".
Extract Inlined Constant Z.ltb => "Exact.ltb".
Extract Inlined Constant Z.eqb => "Exact.eqb".
Extract Inlined Constant Z.min => "Exact.min".
Extract Inlined Constant Z.max => "Exact.max".
Extract Inlined Constant Z.testbit => "Exact.testbit".

Extraction "fast.ml" check.
