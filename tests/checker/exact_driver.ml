(* An operation of proof/exact.ml a line, with its two numbers: print what it gives. *)

let arithmetic = [ "add", Exact.add; "sub", Exact.sub; "mul", Exact.mul; "min", Exact.min; "max", Exact.max ]
let relations = [ "leb", Exact.leb; "ltb", Exact.ltb; "eqb", Exact.eqb; "testbit", Exact.testbit ]

let answer name x y =
  match List.assoc_opt name arithmetic with
  | Some f -> (try string_of_int (f x y) with Exact.Overflow -> "overflow")
  | None -> string_of_bool ((List.assoc name relations) x y)

let () =
  try
    while true do
      print_endline (Scanf.scanf " %s %d %d" answer)
    done
  with End_of_file -> ()
