"""The independent checker of the cost of doing without a column or an antecedent.

A certificate of necessity claims: of all lists over these antecedents, the best one that uses a
column (or an antecedent) costs so much, and the best one that does not so much. It holds proofs of
optima, each of which `surelist.checker`, or whatever `verify` is passed, goes through by itself.
This module checks that they are about the same problem, and that together they prove the claim. It
is accepted if

(1) each proof is accepted, is one of the optimum over lists of any length that is allowed, and has
    the same rows, weights, classes, costs, λ, antecedents (by what they capture of the rows) and
    constraints as the first, but for what follows;
(2) the first proof demands nothing more. Its list is the best of all lists. So it is the best of
    those that use the thing, or of those that do not, whichever it is itself;
(3) of those that do not: there is a proof that forbids more, namely antecedents that use the thing
    in the first proof, and in which nothing that is allowed uses it;
(4) of those that do: for each antecedent that uses it and is allowed, there is a proof that also
    demands this one. A list that uses it has one of them. The cheapest of these proofs counts.

An antecedent may have other names in some proofs, as conditions on other columns may say the same
of all rows. What it costs may then differ, too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from surelist import checker
from surelist.checker import Verification, _refuse

__all__ = ["MAGIC", "is_necessity", "packed", "read_claim", "verify_necessity"]

MAGIC = b"surelist necessity certificate 1\n"
MOST_PARTS = 100_000
_PROOFS = tuple(checker.MAGIC % version for version in checker.VERSIONS)
_SAME = ("n_rows", "columns", "classes", "weights", "regularization", "costs", "fingerprint")
_SAME_LIMITS = ("max_length", "rule_labels", "first")


def is_necessity(certificate: Any) -> bool:
    """Whether this is a certificate of necessity: a path, bytes, or what has either."""
    return checker._begins_with(certificate, MAGIC)


def packed(claim: dict[str, Any], proofs: list[bytes]) -> bytes:
    """Return the file: the claim, the proofs, and a checksum of both."""
    header = json.dumps({**claim, "sizes": list(map(len, proofs))}, ensure_ascii=False)
    whole = b"".join([MAGIC, header.encode(), b"\n", *proofs])
    return whole + hashlib.sha256(whole).hexdigest().encode()


def read_claim(certificate: Any) -> tuple[dict[str, Any], list[bytes]]:
    """Return what a certificate says, and its proofs.

    Raises
    ------
    VerificationError
    """
    with checker._open(checker._source(certificate)) as stream:
        whole = stream.read()
    body, checksum = whole[:-64], whole[-64:]
    if not body.startswith(MAGIC) or checksum != hashlib.sha256(body).hexdigest().encode():
        _refuse("the file is damaged: its checksum does not match, or it is cut short")
    line, _, rest = body[len(MAGIC) :].partition(b"\n")
    claim = checker._parse_header(line)
    sizes = claim.pop("sizes", None)
    if set(claim) not in ({"column", "with", "without"}, {"antecedent", "with", "without"}):
        _refuse("the header is not as it should be: something is missing, or too much")
    if type(sizes) is not list or not 0 < len(sizes) <= MOST_PARTS:
        _refuse("the header does not say how long the proofs are")
    if any(type(size) is not int or size < 0 for size in sizes) or sum(sizes) != len(rest):
        _refuse("the proofs are not as long as the header says")
    kind = str if "column" in claim else int
    if type(claim.get("column", claim.get("antecedent"))) is not kind:
        _refuse("the header does not name a column or an antecedent")
    for name in ("with", "without"):
        claim[name] = None if claim[name] is None else _fraction(claim[name])
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    return claim, [rest[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _fraction(text: Any) -> Fraction:
    try:
        return checker._fraction(text)
    except (ArithmeticError, TypeError, ValueError) as error:
        _refuse(f"an objective is not written as it should be: {error}")


def verify_necessity(certificate: Any, verify: Callable[[bytes], Verification]) -> Verification:
    """Check that the proofs hold, and that the claim follows from them.

    Parameters
    ----------
    certificate : path, bytes, or an object with ``to_bytes()`` or ``path``
    verify : function
        Of the bytes of one proof; it raises an error where that does not hold.

    Raises
    ------
    VerificationError
        If the claim does not follow. The message says why.
    """
    claim, proofs = read_claim(certificate)
    if not all(proof.startswith(_PROOFS) for proof in proofs):
        _refuse("one of the proofs is none of the optimum of rule lists")
    found = [verify(proof) for proof in proofs]
    parts = [_Part(proof) for proof in proofs]
    if not all(each.optimal for each in found):
        _refuse("one of the proofs leaves a gap between the objective and what no list is below")
    _Together(claim, parts).check()
    first = found[0]
    totals = [sum(getattr(each, name) for each in found) for name in _COUNTS]
    n_closed, n_states, n_children = totals
    return replace(
        first,
        statement=_statement(claim, parts, first),
        n_closed=n_closed,
        n_states=n_states,
        n_children=n_children,
        checker="necessity",
    )


_COUNTS = ("n_closed", "n_states", "n_children")  # of all proofs together


class _Part:
    """One of the proofs, by its header, which `verify` has accepted."""

    def __init__(self, proof: bytes) -> None:
        self.header = checker.read_header(proof.split(b"\n", 2)[1])
        if self.header.get("proven_length") is not None:
            _refuse("one of the proofs is about short lists only")
        limits = self.header["constraints"]
        self.limits = {name: limits[name] for name in _SAME_LIMITS}
        self.required, self.forbidden = list(limits["required"]), set(limits["forbidden"])
        self.names = self.header["antecedents"]
        self.objective = _fraction(self.header["objective"])
        self.prefix = self.header["rule_list"]["prefix"]

    def price(self, antecedent: int) -> Fraction:
        """Return what an antecedent costs: λ, unless the header has prices."""
        prices = self.header["prices"]
        return _fraction(self.header["regularization"] if prices is None else prices[antecedent])

    def expect_same(self, other: _Part, renamed: set[int]) -> None:
        """Refuse what is about another problem; some antecedents may go by another name."""
        for name in _SAME:
            if self.header[name] != other.header[name]:
                _refuse(f"the proofs are about different problems: {name} differs")
        if self.limits != other.limits or len(self.names) != len(other.names):
            _refuse("the proofs are about different problems: constraints or antecedents differ")
        for a, name in enumerate(self.names):
            same = name == other.names[a] and self.price(a) == other.price(a)
            if not same and (a not in renamed or name == other.names[a]):
                _refuse(f"the proofs are about different problems: antecedent {a} differs")


class _Together:
    """All proofs, and which antecedents use the thing."""

    def __init__(self, claim: dict[str, Any], parts: list[_Part]) -> None:
        self.claim, (self.first, *self.others) = claim, parts
        self.places = range(len(self.first.names))

    def uses(self, part: _Part, antecedent: int) -> bool:
        """Whether an antecedent, by its name in a proof, uses the thing."""
        if "antecedent" in self.claim:
            return bool(antecedent == self.claim["antecedent"])
        clauses = part.names[antecedent]
        return any(clause["condition"]["column"] == self.claim["column"] for clause in clauses)

    def check(self) -> None:
        """Refuse what does not follow."""
        first, known = self.first, set(self.first.header["columns"])
        if self.claim.get("column", next(iter(known), None)) not in known:
            _refuse(f"the table has no column {checker._shown(self.claim['column'])}")
        if self.claim.get("antecedent", 0) not in self.places and "antecedent" in self.claim:
            _refuse("there is no such antecedent")
        kinds: dict[bool, list[_Part]] = {True: [], False: []}
        for other in self.others:
            kinds[other.required != first.required].append(other)
        found: dict[str, Fraction | None] = {
            "with": self._with(kinds[True]),
            "without": self._without(kinds[False]),
        }
        for name, value in found.items():
            if self.claim[name] != value:
                said = "none" if self.claim[name] is None else self.claim[name]
                _refuse(f"the best list {name}: the certificate says {said}, the proofs {value}")

    def _best_uses(self) -> bool:
        return any(self.uses(self.first, a) for a in self.first.prefix)

    def _without(self, proofs: list[_Part]) -> Fraction | None:
        """Return (2) or (3); None where something is demanded that uses the thing."""
        first = self.first
        demanded = {*first.required, *first.limits["first"]}
        if any(self.uses(first, a) for a in demanded):
            if proofs:
                _refuse("a proof forbids what is demanded")
            return None
        if not self._best_uses():
            return self._only_first(proofs)
        if len(proofs) != 1:
            _refuse("there is no proof about lists without it, or more than one")
        proof = proofs[0]
        proof.expect_same(first, {a for a in self.places if self.uses(first, a)})
        if not first.forbidden <= proof.forbidden:
            _refuse("the proof about lists without it allows what is forbidden")
        for a in proof.forbidden - first.forbidden:
            if not self.uses(first, a):
                _refuse(
                    f"the proof about lists without it forbids antecedent {a}, which is without"
                )
        for a in set(self.places) - proof.forbidden:
            if self.uses(proof, a):
                _refuse(f"the proof about lists without it allows antecedent {a}, which uses it")
        return proof.objective

    def _only_first(self, proofs: list[_Part]) -> Fraction:
        if proofs:
            _refuse("a proof forbids what the best list has no need of")
        return self.first.objective

    def _with(self, proofs: list[_Part]) -> Fraction | None:
        """Return (2) or (4); None where nothing that is allowed uses the thing."""
        first = self.first
        if self._best_uses():
            if proofs:
                _refuse("a proof demands what the best list has")
            return first.objective
        shown = {a for a in self.places if self.uses(first, a)} - first.forbidden
        demanded = set()
        for proof in proofs:
            added = set(proof.required) - set(first.required)
            if proof.required[: len(first.required)] != first.required or len(added) != 1:
                _refuse("a proof demands another number of antecedents than one more")
            proof.expect_same(first, added)
            if proof.forbidden != first.forbidden or not self.uses(proof, *added):
                _refuse("a proof about lists with it is about other lists")
            demanded |= added
        if not shown <= demanded:
            _refuse(f"no proof is about lists with antecedent {min(shown - demanded)}")
        return min((proof.objective for proof in proofs), default=None)


def _statement(claim: dict[str, Any], parts: list[_Part], proven: Verification) -> str:
    """Say in words what is proven."""
    first = parts[0]
    column = "column" in claim
    thing = repr(claim["column"]) if column else f"antecedent {claim['antecedent']}"
    longest = first.limits["max_length"]
    limits = "" if longest is None else f" with at most {longest} rules"
    given = [name for name, holds in _given(parts).items() if holds]
    limits += f" and the {' and '.join(given)} given" if given else ""
    values = [
        f"none {how} it" if value is None else f"the best one {how} it has objective {value}"
        for how, value in (("with", claim["with"]), ("without", claim["without"]))
    ]
    worth = ""
    if claim["with"] is not None and claim["without"] is not None:
        difference = claim["without"] - claim["with"]
        costs = "doing without costs" if difference >= 0 else "using it costs"
        worth = f": {costs} {abs(difference)}"
    return (
        f"Verified: of all rule lists over these {proven.n_antecedents} antecedents{limits}, as to "
        f"{'the column ' if column else ''}{thing}, {' and '.join(values)} at λ = "
        f"{checker._exactly(proven.regularization)}{worth}"
    )


def _given(parts: list[_Part]) -> dict[str, bool]:
    """Say what else the lists depend on; whoever made the certificate may have chosen it.

    Prices may be in a later proof alone: an antecedent with another name may cost something else.
    """
    first = parts[0]
    header, limits = first.header, first.limits
    demands = first.required, first.forbidden, limits["first"], limits["rule_labels"]
    return {
        "constraints": any(demands),
        "prices": any(part.header["prices"] is not None for part in parts),
        "costs": header["costs"] is not None,
        "class weights": header["weights"].get("class_weight") is not None,
        "rounded weights": header["weights"].get("kind") == "rounded",
    }
