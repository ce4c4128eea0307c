(* The machine's integers, of 63 bits. What does not fit raises Overflow, so every number that is
   computed is the right one: the integers of the proof. *)

exception Overflow

let no_match _ = assert false (* no extracted function looks into an integer *)

let add (x : int) (y : int) =
  let sum = x + y in
  if (x lxor sum) land (y lxor sum) < 0 then raise Overflow else sum

let sub (x : int) (y : int) =
  let difference = x - y in
  if (x lxor y) land (x lxor difference) < 0 then raise Overflow else difference

let mul (x : int) (y : int) =
  if x = 0 || y = 0 then 0
  else if x = min_int || y = min_int then raise Overflow
  else
    let product = x * y in
    if product = min_int || product / y <> x then raise Overflow else product

let leb (x : int) (y : int) = x <= y
let ltb (x : int) (y : int) = x < y
let eqb (x : int) (y : int) = x = y
let min (x : int) (y : int) = if x <= y then x else y
let max (x : int) (y : int) = if x <= y then y else x

(* The bit at a place: of a negative number as of infinitely many digits. *)
let testbit (x : int) (place : int) =
  place >= 0 && (x asr (if place > 62 then 62 else place)) land 1 = 1
