(* Read a problem and a certificate as numbers from standard input, and run the extracted checker.
   Exit with 0 where it accepts, with 4 where it refuses, and with 2 where there is nothing to check.

   Words are separated by white space; docs/verified.md has the format. *)

exception Unreadable of string

let input_some channel =
  let some = Bytes.create 65536 in
  Bytes.sub_string some 0 (input channel some 0 65536)

let text =
  let all = Buffer.create 65536 in
  let rec read () =
    let some = input_some stdin in
    if some <> "" then (Buffer.add_string all some; read ())
  in
  read ();
  Buffer.contents all

let place = ref 0

let is_space c = c = ' ' || c = '\n'

let word () =
  let size = String.length text in
  while !place < size && is_space text.[!place] do incr place done;
  let start = !place in
  while !place < size && not (is_space text.[!place]) do incr place done;
  if start = !place then raise (Unreadable "the input ends early");
  String.sub text start (!place - start)

let number () =
  let found = word () in
  match int_of_string_opt found with
  | Some n when n >= 0 -> n
  | _ -> raise (Unreadable (found ^ " is no count"))

let expect wanted =
  let found = word () in
  if found <> wanted then raise (Unreadable (found ^ " where " ^ wanted ^ " is expected"))

(* [read] so many times, in order. *)
let rec repeat n read got = if n = 0 then List.rev got else repeat (n - 1) read (read () :: got)
let many n read = repeat n read []

(* An extracted checker, and its integers. *)
module type Checker = sig
  type nat = O | S of nat
  type z
  type group = { captured : bool list; costs : z list }
  type problem = {
    groups : group list; prices : z list; n_classes : nat; rule_labels : nat list;
    first : nat list; required : nat list; forbidden : nat list; max_length : nat option;
  }
  type rule_list = { rules : (nat * nat) list; default_label : nat }
  type certificate = {
    answer : rule_list; best : z; bound : z; proven_length : nat option;
    closed : nat list list; salts : z list;
  }
  val check : problem -> certificate -> bool
  val integer : string -> z (* of decimal digits; or raises Exact.Overflow *)
end

let digits found =
  if found <> "" && String.for_all (fun c -> '0' <= c && c <= '9') found then found
  else raise (Unreadable (found ^ " is no number"))

module With_machine_integers = struct
  include Fast
  type z = int
  let integer found =
    match int_of_string_opt found with Some n -> n | None -> raise Exact.Overflow
end

module With_integers_of_the_proof = struct
  include Plain
  let one = Zpos XH
  let rec small n = if n = 0 then Z0 else Z.add one (small (n - 1))
  let integer found =
    let ten = small 10 in
    String.fold_left (fun z c -> Z.add (Z.mul ten z) (small (Char.code c - 48))) Z0 found
end

module Run (C : Checker) = struct
  open C

  (* Shared, so that a number takes no space of its own. *)
  let known = ref [| O |]
  let nat n =
    while Array.length !known <= n do
      let old = !known in
      let size = Array.length old in
      known := Array.append old (Array.make size O);
      for i = size to 2 * size - 1 do !known.(i) <- S !known.(i - 1) done
    done;
    !known.(n)

  let count () =
    let n = number () in
    if n > 10_000_000 then raise (Unreadable "a count is too large") else nat n
  let counts () = many (number ()) count
  let integer () = integer (digits (word ()))
  let optional () =
    match word () with
    | "none" -> None
    | "some" -> Some (count ())
    | other -> raise (Unreadable (other ^ " is neither none nor some"))

  let captured m () =
    let bits = word () in
    if bits = "-" && m = 0 then []
    else if String.length bits <> m then raise (Unreadable "a group has not one bit an antecedent")
    else List.init m (fun a ->
      match bits.[a] with
      | '0' -> false
      | '1' -> true
      | _ -> raise (Unreadable "captures are 0 or 1"))

  let run () =
    place := 0;
    expect "surelist-problem-1";
    let m = number () in
    let n_classes = number () in
    let prices = many m integer in
    let group () = let captured = captured m () in { captured; costs = many n_classes integer } in
    let n_groups = number () in
    let groups = many n_groups group in
    let rule_labels = counts () in
    let first = counts () in
    let required = counts () in
    let forbidden = counts () in
    let max_length = optional () in
    let rule () = let a = count () in (a, count ()) in
    let rules = many (number ()) rule in
    let default_label = count () in
    let best = integer () in
    let bound = integer () in
    let proven_length = optional () in
    let closed = many (number ()) counts in
    expect "end";
    (* The numbers that states are looked up by: any will do. *)
    let state = Random.State.make [| 26 |] in
    let salts = many n_groups (fun () -> C.integer (string_of_int (Random.State.bits state * 1024))) in
    check
      { groups; prices; n_classes = nat n_classes; rule_labels; first; required; forbidden; max_length }
      { answer = { rules; default_label }; best; bound; proven_length; closed; salts }
end

module Machine = Run (With_machine_integers)
module Proof = Run (With_integers_of_the_proof)

let () =
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 20; space_overhead = 200 };
  let verdict =
    try
      Ok (try (Machine.run (), "machine integers")
          with Exact.Overflow -> (Proof.run (), "integers of any size"))
    with
    | Unreadable why -> Error why
    | Stack_overflow | Out_of_memory -> Error "the problem is too large"
  in
  match verdict with
  | Ok (true, how) -> print_endline ("accepted, with " ^ how)
  | Ok (false, how) -> print_endline ("refused, with " ^ how); exit 4
  | Error why -> prerr_endline ("surelist-verified: " ^ why); exit 2
