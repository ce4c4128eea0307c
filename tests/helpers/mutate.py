"""Certificates that were tampered with, and what has to become of them.

A mutant is refused for the right reason, or it is still a valid proof, which brute force confirms.
The checksum and, where the data were changed, the fingerprint are made right again, unless they are
what is tested: so the mutants get as far as the checks behind them.

``python tests/helpers/mutate.py 10000`` tries ten thousand (`make fuzz-certificates`).
"""

from __future__ import annotations

import copy
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import certify
import numpy as np
from both_checkers import verify
from certify import Case

from surelist.checker import DataError, VerificationError

INCOMPLETE = "proof is not complete|is itself a rule list|reason that is given"
OBJECTIVE = "rule list has the objective"
ABOVE = "lower bound is above"
NOT_ALLOWED = "rule list (lacks|is longer|does not begin|has a label|does not have)|forbidden"
DAMAGED = "damaged|cut short|absurd lengths|unpacks|does not begin|does not have the length|header"
DATA = "data are not those|data have"
LISTED = "which does not exist|not below|begin as all lists|a forbidden antecedent"

Random = np.random.Generator


@dataclass
class Mutant:
    """A certificate after something was done to it, and the data it is checked against."""

    case: Case
    data: bytes
    reasons: str
    certainly_refused: bool = False


def _mutant(case: Case, reasons: str, *, same_data: bool = True) -> Mutant:
    case.header["counts"] = {"closed_prefixes": len(case.closed)}
    if not same_data:
        case.header["fingerprint"] = certify.fingerprint(case)
    return Mutant(case, certify.to_bytes(case), reasons)


def drop_prefix(case: Case, rng: Random) -> Mutant | None:
    if not case.closed:
        return None
    lost = case.closed[int(rng.integers(len(case.closed)))]
    case.closed = [path for path in case.closed if path != lost]
    return _mutant(case, INCOMPLETE)


def drop_many(case: Case, rng: Random) -> Mutant | None:
    if not case.closed:
        return None
    case.closed = [path for path in case.closed if rng.random() < 0.5]
    return _mutant(case, INCOMPLETE)


def change_prefix(case: Case, rng: Random) -> Mutant | None:
    m = len(case.header["antecedents"])
    if not case.closed or not m:
        return None
    at = int(rng.integers(len(case.closed)))
    path = list(case.closed[at])
    kind = int(rng.integers(3))
    if kind == 0 and path:
        path[int(rng.integers(len(path)))] = int(rng.integers(m + 1))
    elif kind == 1:
        path.append(int(rng.integers(m + 1)))
    else:
        path = path[: len(path) // 2]
    case.closed[at] = certify.Listed(path, certify.why(case.closed[at]))
    return _mutant(case, f"{INCOMPLETE}|{LISTED}|names antecedent|has more than")


def change_reason(case: Case, rng: Random) -> Mutant | None:
    if not case.closed or case.header["version"] == 1:
        return None
    at = int(rng.integers(len(case.closed)))
    reason, *witness = certify.why(case.closed[at])
    if witness and rng.random() < 0.5:
        witness = [int(rng.integers(len(case.header["antecedents"]) + 1))]
    else:
        reason = int(rng.integers(7))
        has_witness = reason in (certify.DELETION, certify.INSERTION, certify.SIBLING)
        witness = [int(rng.integers(len(case.header["antecedents"]) + 1))] * has_witness
    case.closed[at] = certify.Listed(case.closed[at], (reason, *witness))
    return _mutant(case, f"{INCOMPLETE}|{LISTED}")


def change_order(case: Case, rng: Random) -> Mutant | None:
    """Another order may do as well; one that is none does not."""
    if case.header["version"] == 1:
        return None
    case.header["order"] = rng.permutation(case.header["order"]).tolist()
    if rng.random() < 0.2:
        case.header["order"] = case.header["order"][1:]
    return _mutant(case, f"{INCOMPLETE}|order must name")


def _moved(text: str, rng: Random, sign: int) -> str:
    number = Fraction(text)
    step = Fraction(1, int(rng.choice([3, 100, 10**6, 10**15])))
    return str(max(Fraction(0), number + sign * step))


def raise_lower_bound(case: Case, rng: Random) -> Mutant:
    case.header["lower_bound"] = _moved(case.header["lower_bound"], rng, 1)
    return _mutant(case, f"{ABOVE}|{INCOMPLETE}")


def lower_lower_bound(case: Case, rng: Random) -> Mutant:
    """Less is claimed: mostly it is still proven."""
    case.header["lower_bound"] = _moved(case.header["lower_bound"], rng, -1)
    return _mutant(case, INCOMPLETE)


def move_objective(case: Case, rng: Random) -> Mutant:
    sign = int(rng.choice([-1, 1]))
    case.header["objective"] = _moved(case.header["objective"], rng, sign)
    if rng.random() < 0.5:
        case.header["lower_bound"] = case.header["objective"]
    return _mutant(case, f"{OBJECTIVE}|{ABOVE}")


def other_regularization(case: Case, rng: Random) -> Mutant:
    header = case.header
    header["regularization"] = _moved(header["regularization"], rng, int(rng.choice([-1, 1])))
    if header["prices"]:
        at = int(rng.integers(len(header["prices"])))
        header["prices"][at] = _moved(header["prices"][at], rng, int(rng.choice([-1, 1])))
    if rng.random() < 0.7:
        _put_right(case)
    return _mutant(case, f"{OBJECTIVE}|{INCOMPLETE}|{ABOVE}")


def _put_right(case: Case) -> None:
    """Make the objective that of the list, and claim that it is optimal."""
    chosen = case.header["rule_list"]
    problem = certify.Problem(case)
    objective = problem.objective(chosen["prefix"], chosen["labels"], chosen["default_label"])
    case.header["objective"] = case.header["lower_bound"] = str(objective)


def other_label(case: Case, rng: Random) -> Mutant:
    n, chosen = len(case.header["classes"]), case.header["rule_list"]
    if chosen["labels"] and rng.random() < 0.6:
        at = int(rng.integers(len(chosen["labels"])))
        chosen["labels"][at] = (chosen["labels"][at] + 1) % n
    else:
        chosen["default_label"] = (chosen["default_label"] + 1) % n
    if rng.random() < 0.5:
        _put_right(case)
    return _mutant(case, f"{OBJECTIVE}|{NOT_ALLOWED}|{INCOMPLETE}")


def worse_list(case: Case, rng: Random) -> Mutant | None:
    problem = certify.Problem(case)
    m = len(problem.captured)
    length = int(rng.integers(0, min(m, 3) + 1))
    rest = [int(a) for a in rng.permutation(m) if a not in problem.first][:length]
    prefix = problem.first + tuple(rest) if rng.random() < 0.8 else tuple(rest)
    labels, default = problem.labels(prefix)
    case.header["rule_list"] = {"prefix": list(prefix), "labels": labels, "default_label": default}
    if rng.random() < 0.8:
        _put_right(case)
    return _mutant(case, f"{OBJECTIVE}|{NOT_ALLOWED}|{INCOMPLETE}|{ABOVE}")


def claim_too_much(case: Case, rng: Random) -> Mutant | None:
    """A bound above the optimum, with the best proof there can be: only the optimum spoils it."""
    mutant = worse_list(case, rng)
    problem, found = certify.Problem(case), certify.Problem(case).optimum()
    if mutant is None or found is None or not is_allowed(case):
        return None
    objective = Fraction(case.header["objective"])
    target = found[0] + (objective - found[0]) * Fraction(int(rng.integers(1, 101)), 100)
    if not found[0] < target <= objective:
        return None
    case.header["lower_bound"] = str(target)
    make = certify.close if case.header["version"] == 1 else certify.settle
    case.closed = make(problem, target, rng)
    if rng.random() < 0.5:
        spoiling = {
            path
            for path in case.closed
            if (state := problem.state(path)).cost + problem.default_cost(state.left) < target
        }
        case.closed = [path for path in case.closed if path not in spoiling]
    made = _mutant(case, f"{INCOMPLETE}|{OBJECTIVE}")
    made.certainly_refused = True
    return made


def is_allowed(case: Case) -> bool:
    return certify.Problem(case).allows(tuple(case.header["rule_list"]["prefix"]))


def relax_constraint(case: Case, rng: Random) -> Mutant:
    """Claim the same of more lists, or of others."""
    limits = case.header["constraints"]
    key = str(rng.choice(["max_length", "rule_labels", "first", "required", "forbidden"]))
    limits[key] = None if key in ("max_length", "rule_labels") else []
    return _mutant(case, f"{INCOMPLETE}|{LISTED}|{NOT_ALLOWED}|has more than")


def other_constraint(case: Case, rng: Random) -> Mutant | None:
    limits, m = case.header["constraints"], len(case.header["antecedents"])
    if not m:
        return None
    key = str(rng.choice(["max_length", "rule_labels", "first", "required", "forbidden"]))
    if key == "max_length":
        limits[key] = int(rng.integers(0, 4))
    elif key == "rule_labels":
        limits[key] = [int(rng.integers(len(case.header["classes"])))]
    else:
        limits[key] = [int(rng.integers(m))]
    if rng.random() < 0.5:
        _put_right(case)
    reasons = f"{INCOMPLETE}|{LISTED}|{NOT_ALLOWED}|has more than|{OBJECTIVE}|{ABOVE}"
    return _mutant(case, reasons)


def other_row(case: Case, rng: Random) -> Mutant:
    """Another label, another value, another weight, in the data and in the fingerprint."""
    row, kind = int(rng.integers(len(case.y))), int(rng.integers(3))
    classes = case.header["classes"]
    if kind == 0:
        case.y[row] = classes[(classes.index(case.y[row]) + 1) % len(classes)]
    elif kind == 1:
        column = case.columns[str(rng.choice(list(case.columns)))]
        column[row] = 1 - column[row]
    elif case.sample_weight is not None:
        case.sample_weight[row] += 1
    if rng.random() < 0.7:
        _put_right(case)
    return _mutant(case, f"{OBJECTIVE}|{INCOMPLETE}|{ABOVE}", same_data=False)


def other_data(case: Case, rng: Random) -> Mutant:
    """The same, but the certificate is left as it was."""
    data = certify.to_bytes(case)
    mutant = other_row(case, rng)
    changed = case.header["fingerprint"]
    case.header = json.loads(data.split(b"\n")[1])
    refused = changed != case.header["fingerprint"]
    return Mutant(mutant.case, data, DATA, certainly_refused=refused)


def other_antecedent(case: Case, rng: Random) -> Mutant | None:
    if not case.header["antecedents"]:
        return None
    antecedent = case.header["antecedents"][int(rng.integers(len(case.header["antecedents"])))]
    clause = antecedent[int(rng.integers(len(antecedent)))]
    clause["negated"] = not clause["negated"]
    if rng.random() < 0.7:
        _put_right(case)
    return _mutant(case, f"{OBJECTIVE}|{INCOMPLETE}|{ABOVE}", same_data=False)


def other_costs(case: Case, rng: Random) -> Mutant:
    n = len(case.header["classes"])
    if case.header["costs"] is None:
        matrix = [[int(c != q) for q in range(n)] for c in range(n)]
        case.header["costs"] = {"matrix": matrix, "unit": 1}
    case.header["costs"]["matrix"][int(rng.integers(n))][int(rng.integers(n))] += 1
    if rng.random() < 0.7:
        _put_right(case)
    return _mutant(case, f"{OBJECTIVE}|{INCOMPLETE}|{ABOVE}")


def other_count(case: Case, rng: Random) -> Mutant:
    mutant = _mutant(case, "its header says")
    case.header["counts"]["closed_prefixes"] += int(rng.choice([-1, 1]))
    case.header["counts"]["closed_prefixes"] = abs(case.header["counts"]["closed_prefixes"])
    return Mutant(case, certify.to_bytes(case), mutant.reasons, certainly_refused=True)


def flip_bit(case: Case, rng: Random) -> Mutant:
    data = bytearray(certify.to_bytes(case))
    data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
    return Mutant(case, bytes(data), DAMAGED, certainly_refused=True)


def truncate(case: Case, rng: Random) -> Mutant:
    data = certify.to_bytes(case)
    return Mutant(case, data[: int(rng.integers(len(data)))], DAMAGED, certainly_refused=True)


def append(case: Case, rng: Random) -> Mutant:
    data = certify.to_bytes(case) + bytes(rng.integers(0, 256, 3, dtype=np.uint8))
    return Mutant(case, data, "something follows its end", certainly_refused=True)


def flip_bit_in_closed(case: Case, rng: Random) -> Mutant | None:
    """A bit of the closed prefixes themselves, behind compression and checksum."""
    version = case.header["version"]
    raw = bytearray(certify.encode(case.closed, version))
    if not raw:
        return None
    raw[int(rng.integers(len(raw)))] ^= 1 << int(rng.integers(8))
    line = json.dumps(case.header, sort_keys=True).encode() + b"\n"
    magic = b"surelist certificate %d\n" % version
    data = certify.seal(magic + line + certify.block(bytes(raw)))
    reasons = f"{INCOMPLETE}|{LISTED}|not complete|does not end|more than|names antecedent|says"
    return Mutant(case, data, reasons)


def flip_bit_in_header(case: Case, rng: Random) -> Mutant:
    data = certify.to_bytes(case)
    begin, end = data.index(b"\n") + 1, data.index(b"\n", data.index(b"\n") + 1)
    line = bytearray(data[begin:end])
    line[int(rng.integers(len(line)))] ^= 1 << int(rng.integers(8))
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    data = certify.seal(data[:begin] + bytes(line) + data[end : -32 - 8])
    if isinstance(header, dict):
        case.header = header
    return Mutant(case, data, "")


MUTATIONS: list[Callable[[Case, Random], Mutant | None]] = [
    drop_prefix,
    drop_many,
    change_prefix,
    change_reason,
    change_order,
    raise_lower_bound,
    lower_lower_bound,
    move_objective,
    other_regularization,
    other_label,
    worse_list,
    claim_too_much,
    claim_too_much,
    relax_constraint,
    other_constraint,
    other_row,
    other_data,
    other_antecedent,
    other_costs,
    other_count,
    flip_bit,
    truncate,
    append,
    flip_bit_in_closed,
    flip_bit_in_header,
]


def is_true(case: Case) -> bool:
    """Whether what a certificate claims of the data is so, by brute force."""
    problem = certify.Problem(case)
    header, chosen = case.header, case.header["rule_list"]
    prefix, labels = tuple(chosen["prefix"]), chosen["labels"]
    found = problem.optimum()
    objective = problem.objective(prefix, labels, chosen["default_label"])
    return (
        found is not None
        and problem.allows(prefix)
        and set(labels) <= set(problem.rule_labels)
        and objective == Fraction(header["objective"])
        and Fraction(header["lower_bound"]) <= found[0]
        and _no_short_list_is_better(problem, header)
    )


def _no_short_list_is_better(problem: certify.Problem, header: Any) -> bool:
    if (length := header.get("proven_length")) is None:
        return True
    short = copy.copy(problem)
    short.longest = min(problem.longest, length)
    found = short.optimum()
    return found is None or found[0] >= Fraction(header["objective"])


def judge(mutant: Mutant) -> str:
    """Check a mutant; return "refused", or "valid" where it still proves what it says."""
    case = mutant.case
    try:
        verify(mutant.data, case.columns, case.y, sample_weight=case.sample_weight)
    except VerificationError as error:
        if not re.search(mutant.reasons, str(error)):
            raise AssertionError(f"another reason: {error}") from error
        return "refused"
    except DataError:
        assert mutant.reasons == "", "the data of this mutant can be read"
        return "refused"
    assert not mutant.certainly_refused, "accepted, though it is certainly wrong"
    assert is_true(case), "accepted, though it is not true"
    return "valid"


def mutants(case: Case, seed: int, count: int) -> Counter[tuple[str, str]]:
    """Try some mutations of a case, and count what became of them."""
    rng = np.random.default_rng(seed)
    outcomes: Counter[tuple[str, str]] = Counter()
    for _ in range(count):
        mutation: Any = MUTATIONS[int(rng.integers(len(MUTATIONS)))]
        mutant = mutation(copy.deepcopy(case), rng)
        if mutant is None:
            continue
        try:
            outcomes[mutation.__name__, judge(mutant)] += 1
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {mutation.__name__}: {error}") from error
    return outcomes


def main(count: int) -> None:
    outcomes: Counter[tuple[str, str]] = Counter()
    seed = 0
    while outcomes.total() < count:
        case = certify.prove(certify.draw(seed), seed)
        if case is not None and (case.closed or seed % 5 == 0):
            outcomes += mutants(case, seed, 25)
        seed += 1
    for (name, outcome), number in sorted(outcomes.items()):
        print(f"{name:22} {outcome:8} {number:6,}")
    print(f"{outcomes.total():,} mutants of the proofs of {seed:,} problems: none accepted wrongly")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
