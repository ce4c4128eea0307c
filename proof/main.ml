(* Read a problem and a certificate as numbers from standard input, run the extracted checker, and say
   whether it accepts; then the next one, if there are several. Exit with 0 where it accepts all, with 4
   where it refuses one, and with 2 where there is nothing to check.

   Words are separated by white space; docs/verified.md has the format. *)

exception Unreadable of string

(* The lines to the next that says [end]; none where there are no more. *)
let next_text () =
  let all = Buffer.create 65536 in
  let rec read () =
    match input_line stdin with
    | line ->
      Buffer.add_string all line;
      Buffer.add_char all '\n';
      if line <> "end" then read ()
    | exception End_of_file -> ()
  in
  read ();
  Buffer.contents all

let text = ref ""
let place = ref 0

let is_space c = c = ' ' || c = '\n'

let skip_spaces () =
  while !place < String.length !text && is_space !text.[!place] do incr place done

let word () =
  skip_spaces ();
  let start = !place in
  while !place < String.length !text && not (is_space !text.[!place]) do incr place done;
  if start = !place then raise (Unreadable "the input ends early");
  String.sub !text start (!place - start)

(* Decimal digits alone: OCaml would read 0x10 and 1_000, too. *)
let digits most =
  let found = word () in
  if not (String.for_all (fun c -> '0' <= c && c <= '9') found) then
    raise (Unreadable (found ^ " is no number"));
  if String.length found > most then raise (Unreadable "a number has too many digits");
  found

let most_count = 10_000_000
let most_digits = 10_000

(* How many there are of something, or which one. *)
let number () =
  match int_of_string_opt (digits most_digits) with
  | Some n when n <= most_count -> n
  | _ -> raise (Unreadable "a count is too large")

let expect wanted =
  let found = word () in
  if found <> wanted then raise (Unreadable (found ^ " where " ^ wanted ^ " is expected"))

let expect_no_more () =
  skip_spaces ();
  if !place < String.length !text then raise (Unreadable "there is more behind the end")

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
  type 'a reason = Closed | Deletion of nat | Insertion of 'a | Sibling of 'a | Relaxed
  type 'a forest = Nothing | Tree of 'a * 'a reason option * 'a forest * 'a forest
  type prefixes =
    | Of_format_1 of nat list list
    | Of_format_2 of nat reason option * nat forest * z list
  type certificate = {
    answer : rule_list; best : z; bound : z; proven_length : nat option;
    proof : prefixes; salts : z list;
  }
  val check : problem -> certificate -> bool
  val integer : string -> z (* of decimal digits; or raises Exact.Overflow *)
end

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

  let count () = nat (number ())
  let counts () = many (number ()) count
  let integer () = integer (digits most_digits)
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

  let reason () =
    match number () with
    | 0 -> Closed
    | 1 -> Deletion (count ())
    | 2 -> Insertion (count ())
    | 3 -> Sibling (count ())
    | 4 -> Relaxed
    | other -> raise (Unreadable (string_of_int other ^ " is no reason"))

  (* A prefix behind those of [first], and its reason. *)
  let listed () =
    let path = Array.init (number ()) (fun _ -> number ()) in
    (path, reason ())

  (* Prefixes in order, from [low] to below [high], which share so many antecedents, as a tree. *)
  let rec tree all low high shared rest =
    if low = high then rest
    else begin
      let last = (fst all.(high - 1)).(shared) in
      let start = ref (high - 1) in
      while !start > low && (fst all.(!start - 1)).(shared) = last do decr start done;
      let path, why = all.(!start) in
      let ends_here = Array.length path = shared + 1 in
      let below = tree all (if ends_here then !start + 1 else !start) high (shared + 1) Nothing in
      tree all low !start shared (Tree (nat last, (if ends_here then Some why else None), below, rest))
    end

  (* In order: a prefix comes before those that begin with it. *)
  let compare_paths (one, _) (other, _) =
    let m = Array.length one and n = Array.length other in
    let rec from i =
      if i = m || i = n then compare m n
      else match Int.compare one.(i) other.(i) with 0 -> from (i + 1) | c -> c
    in
    from 0

  let listed_prefixes m =
    let ranks = many m integer in
    let all = Array.of_list (many (number ()) listed) in
    Array.stable_sort compare_paths all;
    let n = Array.length all in
    for i = 1 to n - 1 do
      if fst all.(i - 1) = fst all.(i) then raise (Unreadable "a prefix is listed twice")
    done;
    let own = if n > 0 && fst all.(0) = [||] then Some (snd all.(0)) else None in
    Of_format_2 (own, tree all (if own = None then 0 else 1) n 0 Nothing, ranks)

  let run () =
    place := 0;
    let format = word () in
    if format <> "surelist-problem-1" && format <> "surelist-problem-2" then
      raise (Unreadable (format ^ " is no format of a problem"));
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
    let proof =
      if format = "surelist-problem-1" then Of_format_1 (many (number ()) counts) else listed_prefixes m in
    expect "end";
    expect_no_more ();
    (* The numbers that states are looked up by: any will do. *)
    let state = Random.State.make [| 26 |] in
    let salts = many n_groups (fun () -> C.integer (string_of_int (Random.State.bits state * 1024))) in
    check
      { groups; prices; n_classes = nat n_classes; rule_labels; first; required; forbidden; max_length }
      { answer = { rules; default_label }; best; bound; proven_length; proof; salts }
end

module Machine = Run (With_machine_integers)
module Proof = Run (With_integers_of_the_proof)

(* Check what was read, and say whether it is accepted. *)
let check () =
  match
    try (Machine.run (), "machine integers")
    with Exact.Overflow -> (Proof.run (), "integers of any size")
  with
  | accepts, how ->
    Printf.printf "%s, with %s\n%!" (if accepts then "accepted" else "refused") how;
    accepts
  | exception (Stack_overflow | Out_of_memory) -> raise (Unreadable "the problem needs more memory, or more stack: ulimit -s unlimited")

let () =
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 22; space_overhead = 1000 };
  let rec check_all all_accepted =
    text := next_text ();
    if String.for_all is_space !text then all_accepted
    else
      let accepts = check () in
      check_all (accepts && all_accepted)
  in
  try
    text := next_text ();
    let accepts = check () in
    if not (check_all accepts) then exit 4
  with Unreadable why -> prerr_endline ("surelist-verified: " ^ why); exit 2
