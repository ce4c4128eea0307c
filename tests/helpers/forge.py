"""Forged certificates: claims that are not true, with proofs made up at random. All are refused.

`mutate` damages proofs that are right. A forger does not begin with one: she wants more than the
truth, and closes whatever may pass. So random problems, with constraints, prices, costs and weights
of every kind and size, are solved by brute force (`certify`, which shares nothing with the
package), and a claim above the optimum goes with closed prefixes of every origin: none, the empty
one, random ones, all that do not give the claim away, parts of real proofs, proofs of relaxed
problems. And what the engine proves, mostly through the public interface, is accepted each time.

``python tests/helpers/forge.py 100000`` forges so many (`make fuzz-certificates`); ``python
tests/helpers/forge.py 1 SEED`` tries again what failed. A forgery that is accepted is shrunk and
printed as a program.
"""

from __future__ import annotations

import copy
import math
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import certify
import certify_engine
import mutate
import numpy as np
from both_checkers import verify
from certify import Case, Path
from forge_shrink import program, shrink

from surelist import InputError, RuleListClassifier, UncertifiedWarning
from surelist.checker import VerificationError

Random = np.random.Generator
Closed = list[Path]

EACH = 40  # forgeries of one problem
MOST_CLOSED = 60
FORMATS = [1, 2]  # to forge in
PLAIN = 10**6  # from this seed on, problems are plain, and forgers relax


class ForgeryError(AssertionError):
    """The checker accepted what is not true, or refused what is proven."""


# Problems.


def draw(rng: Random) -> Case:
    """Make a tiny problem: up to six antecedents, eight groups and three classes."""
    m, n = int(rng.choice([0, 1, 2, 2, 3, 3, 4, 4, 5, 6])), int(rng.choice([2, 2, 3]))
    names = [f"x{k}" for k in range(max(m, 1))]
    rows = []
    for _ in range(int(rng.integers(1, 9))):
        bits = rng.integers(0, 2, len(names)).tolist()
        for code in range(n):
            if weight := int(rng.choice([0, 0, 1, 1, 2, 5, 10, 40])):
                rows.append((bits, code, weight))
    rows = rows or [([1] * len(names), 0, 1)]
    factor = int(rng.choice([1, 1, 1, 1, 1, 10**3, 2**20 + 1, 10**9 + 7, 10**12 + 39]))
    negated = rng.random(m) < rng.choice([0, 0, 0.3])
    classes = ["no", "perhaps", "yes"][:n]
    regularization = str(rng.choice(["0", "1/1000", "1/100", "1/50", "1/20", "1/7", "1/3", LONG]))
    header = {
        "format": "surelist certificate",
        "version": 1,
        "columns": names,
        "classes": classes,
        "n_rows": len(rows),
        "weights": {"kind": "whole", "sample_weight": True, "class_weight": None},
        "costs": _costs(rng, n),
        "antecedents": [
            [{"condition": {"kind": "is_true", "column": f"x{k}"}, "negated": bool(negated[k])}]
            for k in range(m)
        ],
        "regularization": regularization,
        "prices": _prices(rng, m, Fraction(regularization)),
        "constraints": _constraints(rng, m, n),
    }
    columns = {name: [bits[k] for bits, _, _ in rows] for k, name in enumerate(names)}
    y = [classes[code] for _, code, _ in rows]
    case = Case(columns, y, [float(weight * factor) for _, _, weight in rows], header)
    if rng.random() < 0.2:
        _round_weights(case, rng)
    return case


def draw_plain(rng: Random) -> Case:
    """Make a problem of two classes without conditions, whose best list has several rules."""
    case = draw(rng)
    m = int(rng.choice([3, 4, 5]))
    names = [f"x{k}" for k in range(m)]
    rows = rng.integers(0, 2, (int(rng.integers(8, 25)), m))
    y = (rows[:, : int(rng.integers(2, m + 1))].sum(axis=1) + (rng.random(len(rows)) < 0.1)) % 2
    clauses = [[{"condition": {"kind": "is_true", "column": x}, "negated": False}] for x in names]
    regularization = str(rng.choice(["1/1000", "1/200", "1/100", "1/50", "1/30"]))
    case.header |= {
        "columns": names,
        "classes": ["no", "yes"],
        "n_rows": len(rows),
        "weights": {"kind": "whole", "sample_weight": True, "class_weight": None},
        "costs": _costs(rng, 2) if rng.random() < 0.2 else None,
        "antecedents": clauses,
        "regularization": regularization,
        "prices": _prices(rng, m, Fraction(regularization)) if rng.random() < 0.5 else None,
        "constraints": {
            "max_length": int(rng.integers(2, 5)) if rng.random() < 0.2 else None,
            "rule_labels": [int(rng.integers(2))] if rng.random() < 0.1 else None,
            "first": rng.permutation(m)[: int(rng.choice([0, 0, 0, 1]))].tolist(),
            "required": rng.permutation(m)[: int(rng.choice([0] * 9 + [1]))].tolist(),
            "forbidden": [],
        },
    }
    case.columns = {name: rows[:, k].tolist() for k, name in enumerate(names)}
    case.y = [["no", "yes"][code] for code in y]
    case.sample_weight = [float(weight) for weight in rng.integers(1, 6, len(rows))]
    return case


def _round_weights(case: Case, rng: Random) -> None:
    """Make weights fractions, with a factor for each class, as a certificate describes them."""
    case.sample_weight = [weight * 0.1 for weight in case.sample_weight or ()]
    factors = rng.choice([0.3, 1.0, 2.5], len(case.header["classes"])).tolist()
    most = 51 - math.frexp(2.5 * sum(case.sample_weight))[1]  # all together stay below 2**53
    case.header["weights"] = {
        "kind": "rounded",
        "sample_weight": True,
        "class_weight": None if rng.random() < 0.5 else [{"float": repr(f)} for f in factors],
        "exponent": min(most, int(rng.integers(-1, 9))),
        "divisor": 1,
    }


LONG = "1234567890123/98765432109876543"


def _costs(rng: Random, n: int) -> Any:
    if rng.random() < 0.5:
        return None
    matrix = rng.integers(0, 6, (n, n)).astype(object)
    if rng.random() < 0.6:
        np.fill_diagonal(matrix, 0)
    matrix *= int(rng.choice([1, 1, 1, 1000, 2**21, 2**35, 2**59]))
    return {"matrix": matrix.tolist(), "unit": int(rng.choice([1, 1, 3, 1000]))}


def _prices(rng: Random, m: int, regularization: Fraction) -> list[str] | None:
    if rng.random() < 0.6:
        return None
    return [str(regularization * int(rng.integers(0, 7)) / 2) for _ in range(m)]


def _constraints(rng: Random, m: int, n: int) -> dict[str, Any]:
    order = rng.permutation(m).tolist()
    n_first, n_forbidden = int(rng.choice([0, 0, 0, 1, 2])), int(rng.choice([0, 0, 1, 1, 2, 3]))
    first, order = order[:n_first], order[n_first:]
    forbidden, order = order[:n_forbidden], order[n_forbidden:]
    rest = rng.permutation(first + order).tolist()
    required = rest[: int(rng.choice([0, 0, 0, 1, 2]))]
    longest = None
    if rng.random() < 0.3:
        longest = max(int(rng.integers(0, 4)), len({*first, *required}))
    labels = None
    if rng.random() < 0.3:
        labels = sorted(rng.permutation(n)[: int(rng.integers(1, n))].tolist())
    return {
        "max_length": longest,
        "rule_labels": labels,
        "first": first,
        "required": required,
        "forbidden": forbidden,
    }


# Proofs that are right.


def fit(case: Case, rng: Random) -> Case | None:
    """Let `RuleListClassifier` prove a problem; None where its parameters cannot express it."""
    header, limits = case.header, case.header["constraints"]
    labels, costs = limits["rule_labels"], header["costs"]
    base = Fraction(header["regularization"])
    if any(clause["negated"] for (clause,) in header["antecedents"]) or (
        labels is not None and len(labels) > 1
    ):
        return None
    given: dict[str, Any] = {
        key: [f"x{a}" for a in limits[key]] for key in ("first", "required", "forbidden")
    }
    if header["prices"] is not None and base:
        multiples = [Fraction(price) / base for price in header["prices"]]
        given["antecedent_costs"] = {f"x{a}": each for a, each in enumerate(multiples)}
    if costs is not None:
        unit = costs["unit"]
        given["cost_matrix"] = [[Fraction(cost, unit) for cost in row] for row in costs["matrix"]]
    if header["weights"]["class_weight"] is not None:
        factors = [float(factor["float"]) for factor in header["weights"]["class_weight"]]
        given["class_weight"] = dict(zip(header["classes"], factors, strict=True))
    if labels is not None:
        given["dnf"] = header["classes"][labels[0]]
    if rng.random() < 0.2:
        given["max_prefixes"] = int(rng.integers(1, 10))
    model = RuleListClassifier(
        base,
        max_clauses=1,
        min_support=0,
        max_length=limits["max_length"],
        certificate=True,
        **given,
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UncertifiedWarning)
            warnings.filterwarnings("ignore", "the antecedent .* captures no training row")
            model.fit(np.array(list(case.columns.values())).T, case.y, case.sample_weight)
    except InputError:
        return None
    proof = model.certificate_
    proven = Case(case.columns, case.y, case.sample_weight, proof.header)
    proven.closed = list(closed_prefixes(proof.to_bytes()))
    return proven


def closed_prefixes(data: bytes) -> Closed:
    """Read the closed prefixes of a certificate in the plainest way."""
    at, found = data.index(b"\n", data.index(b"\n") + 1) + 1, []
    while length := int.from_bytes(data[at : at + 4], "little"):
        found += certify_engine.paths(zlib.decompress(data[at + 8 : at + 8 + length]))
        at += 8 + length
    return found


def prove(case: Case, rng: Random) -> Case | None:
    """Prove a problem by the public interface, by the engine, or by plain Python; see that it is
    accepted. None where no list is allowed."""
    problem = certify.Problem(case)
    if not problem.rows or problem.optimum() is None:
        return None
    proven = fit(case, rng) if rng.random() < 0.7 else None
    labels = case.header["constraints"]["rule_labels"]
    if proven is None and (labels is None or len(labels) == 1):
        try:
            proven = certify_engine.prove(case, **certify_engine.options(rng))
        except ValueError:  # costs beyond what the engine can count
            proven = None
    proven = certify.prove(case, int(rng.integers(2**31))) if proven is None else proven
    if proven is None or not mutate.is_true(proven):
        raise ForgeryError(f"what was proven is not true:\n{program(proven or case)}")
    try:
        check(proven)
    except VerificationError as error:
        raise ForgeryError(f"a proof was refused: {error}\n{program(proven)}") from error
    return proven


def check(case: Case) -> None:
    case.header["counts"] = {"closed_prefixes": len(case.closed)}
    data = certify.assemble(case.header, [case.closed])
    verify(data, case.columns, case.y, sample_weight=case.sample_weight)


# Claims that are not true.


@dataclass
class Victim:
    """A problem that forgeries are about, and what can be known of it."""

    case: Case
    problem: certify.Problem
    best: Fraction
    proofs: list[Closed]  # of this problem, and of relaxed ones
    cheapest: list[tuple[Path, Fraction | None]]
    """Of each set of antecedents the cheapest order, and its objective if nothing is missing."""
    is_plain: bool = False

    @classmethod
    def of(cls, proven: Case, rng: Random) -> Victim:
        problem = certify.Problem(proven)
        found = problem.optimum()
        assert found is not None
        others = (relaxed(proven, rng) for _ in range(3))
        proofs = [proven.closed, *(other.closed for other in others if other is not None)]
        return cls(proven, problem, found[0], proofs, _cheapest(problem))

    def silent(self, target: Fraction) -> Closed:
        """All prefixes, one for each set, that are themselves no list below the target."""
        return [path for path, found in self.cheapest if found is None or found >= target]


def _cheapest(problem: certify.Problem) -> list[tuple[Path, Fraction | None]]:
    best: dict[frozenset[int], tuple[Path, Fraction, frozenset[int]]]
    best = {frozenset(): ((), Fraction(0), problem.rows)}
    for antecedents in list(_subsets(len(problem.captured)))[1:]:
        found = []
        for a in sorted(antecedents):
            path, cost, left = best[antecedents - {a}]
            captured = left & problem.captured[a]
            cost += problem.price[a] + problem.rule_cost(captured)
            found.append((cost, (*path, a), left - captured))
        cost, path, left = min(found, key=lambda each: each[:2])
        best[antecedents] = path, cost, left
    return [
        (path, cost + problem.default_cost(left) if problem.required <= set(path) else None)
        for path, cost, left in best.values()
    ]


def _subsets(m: int) -> Iterator[frozenset[int]]:
    """Smaller ones first."""
    masks = sorted(range(1 << m), key=int.bit_count)
    return (frozenset(a for a in range(m) if mask >> a & 1) for mask in masks)


def relaxed(case: Case, rng: Random) -> Case | None:
    """Prove something else of the same antecedents."""
    other = copy.deepcopy(case)
    header, limits = other.header, other.header["constraints"]
    m, n = len(header["antecedents"]), len(header["classes"])
    kind = str(rng.choice(["price", "prices", "forbidden", "labels", "length", "weights", "costs"]))
    if kind == "price":
        header["regularization"], header["prices"] = str(rng.choice(["1/10", "1/4", "1/2"])), None
    elif kind == "prices":
        header["prices"] = _prices(rng, m, Fraction(1, 10))
    elif kind == "forbidden":
        limits |= {"first": [], "required": [], "forbidden": []}
        limits["forbidden"] = [a for a in range(m) if rng.random() < 0.5]
    elif kind == "labels":
        limits["rule_labels"] = [int(rng.integers(n))]
    elif kind == "length":
        limits["max_length"] = len({*limits["first"], *limits["required"]}) + 1
    elif kind == "weights":
        weights = case.sample_weight or [1.0] * len(case.y)
        other.sample_weight = [float(rng.integers(1, 9)) for _ in weights]
        header["weights"] = {"kind": "whole", "sample_weight": True, "class_weight": None}
    else:
        header["costs"] = _costs(rng, n)
    if certify.Problem(other).optimum() is None:
        return None
    return certify.prove(other, int(rng.integers(2**31)))


def forge(victim: Victim, rng: Random) -> Case | None:
    """Claim what is not true; None where the draw happens to be true."""
    case = copy.copy(victim.case)
    case.header = dict(case.header)
    _other_version(case, rng)
    kind = rng.random()
    if not (_other_list(victim, case, rng) if kind < 0.1 else _worse_list(victim, case, rng)):
        return None
    if 0.1 <= kind < 0.2:
        _other_objective(case, rng)
    target = Fraction(case.header["lower_bound"])
    if kind > 0.7 and not _by_length(victim, case, rng):
        return None
    if case.header.get("proven_length") is not None:
        target = Fraction(case.header["objective"])
    case.closed = _closed(victim, target, rng)
    if case.header["version"] == 2:
        case.closed = _reasoned(victim, case.closed, target, rng)
    return case


def _other_version(case: Case, rng: Random) -> None:
    """Forge in either format, whatever the proof was in."""
    version = FORMATS[0] if len(FORMATS) == 1 else int(rng.choice(FORMATS))
    case.header["version"] = version
    case.header.pop("order", None)
    if version == 2:
        case.header["order"] = rng.permutation(len(case.header["antecedents"])).tolist()


def _reasoned(victim: Victim, closed: Closed, target: Fraction, rng: Random) -> Closed:
    """Give some prefixes other reasons, and add some children that have none but a reason."""
    problem = victim.problem
    m, kind = len(problem.captured), rng.random()
    if kind < 0.2 or not m:
        return closed
    if kind > 0.7:  # all that do not give the claim away: only an excuse for the others is missing
        closed = [path for path in victim.silent(target) if _is_beginning(problem, path)]

    def other(path: Path) -> Path:
        reason = int(rng.integers(0, 5 if victim.is_plain else 4))
        end = max(1, len(path)) if reason == certify.DELETION else m
        witness = (int(rng.integers(end)),) if reason not in certify.WITHOUT_WITNESS else ()
        return certify.Listed(path, (reason, *witness))

    if kind < 0.4:
        return _dominated(problem, closed, rng)
    if victim.is_plain and kind > 0.85:
        return _relaxed(victim, target)
    if kind < 0.6:
        return [other(path) if rng.random() < 0.3 else path for path in closed]
    closed = [path for path in closed if len(path) <= problem.longest][:MOST_CLOSED]
    shorter = (path for path in closed if len(path) < problem.longest)
    children = {(*path, a) for path in shorter for a in problem.usable if a not in path}
    silent = {frozenset(path) for path in victim.silent(target)}
    return [*closed, *(other(path) for path in sorted(children) if frozenset(path) not in silent)]


def _is_beginning(problem: certify.Problem, path: Path) -> bool:
    return path[: len(problem.first)] == problem.first and set(path) <= set(problem.usable)


def _dominated(problem: certify.Problem, closed: Closed, rng: Random) -> Closed:
    """List children that a sibling or an edit does dominate, though nothing may be proven of it."""
    found: Closed = []
    for path in closed:
        state = problem.state(path)
        children = {a: state.child(a) for a in problem.usable if a not in path}
        for a, child in children.items():
            if len(path) >= problem.longest or rng.random() < 0.2:
                continue
            by = [b for b, other in children.items() if b != a and other.dominates(child)]
            edits = [
                (certify.DELETION, i)
                for i in range(len(path) + 1)
                if problem.state((*path[:i], *(*path, a)[i + 1 :])).dominates(child)
            ]
            whys = [(certify.SIBLING, b) for b in by] + edits
            if whys:
                found.append(certify.Listed((*path, a), whys[int(rng.integers(len(whys)))]))
    listed = {tuple(path) for path in found}
    return [*(path for path in closed if path not in listed), *found][:MOST_CLOSED]


def _relaxed(victim: Victim, target: Fraction) -> Closed:
    """List what gives the claim away by further rules as if nothing were reached below it."""
    problem, silent = victim.problem, victim.silent(target)
    sets = {frozenset(path) for path in silent}
    telling = [set(path) for path, _ in victim.cheapest if frozenset(path) not in sets]
    found: Closed = []
    for path in silent:
        if not _is_beginning(problem, path) or len(path) > problem.longest:
            continue
        gives_away = len(path) > len(problem.first) and any(each > set(path) for each in telling)
        found.append(certify.Listed(path, (certify.RELAXED,)) if gives_away else path)
    return found


def _by_length(victim: Victim, case: Case, rng: Random) -> bool:
    """Claim that no shorter list is better, and a bound for all that follows from it or not."""
    problem, header = victim.problem, case.header
    length = int(rng.integers(0, len(problem.captured) + 1))
    header["proven_length"] = length
    beyond = (length + 1) * min(problem.price, default=Fraction(0))
    choices = [victim.best, Fraction(header["lower_bound"]), Fraction(0), beyond]
    bound = choices[int(rng.integers(len(choices)))]
    header["lower_bound"] = str(min(bound, Fraction(header["objective"])))
    return not mutate.is_true(case)


def _worse_list(victim: Victim, case: Case, rng: Random) -> bool:
    """Take an allowed list that is not optimal, and claim a bound above the optimum."""
    problem = victim.problem
    must = [a for a in rng.permutation(sorted(problem.required)) if a not in problem.first]
    free = [a for a in rng.permutation(problem.usable) if a not in {*problem.first, *must}]
    room = problem.longest - len(problem.first) - len(must)
    rest = must + free[: int(rng.integers(0, max(0, min(room, len(free))) + 1))]
    prefix = problem.first + tuple(map(int, rng.permutation(rest)))
    labels, default = problem.labels(prefix)
    if rng.random() < 0.5:
        labels = [int(rng.choice(problem.rule_labels)) for _ in prefix]
        default = int(rng.integers(problem.n_classes))
    objective = _put_list(victim, case, prefix, labels, default)
    return victim.best < objective and _put_bound(victim, case, objective, rng)


def _put_list(
    victim: Victim, case: Case, prefix: Path, labels: list[int], default: int
) -> Fraction:
    objective = victim.problem.objective(prefix, labels, default)
    chosen = {"prefix": list(prefix), "labels": labels, "default_label": default}
    case.header |= {"rule_list": chosen, "objective": str(objective)}
    return objective


def _put_bound(victim: Victim, case: Case, objective: Fraction, rng: Random) -> bool:
    """Above the optimum by as much as possible, a little, or as little as possible."""
    problem, best = victim.problem, victim.best
    step = Fraction(1, problem.unit * math.lcm(1, *(p.denominator for p in problem.price)))
    share = Fraction(int(rng.integers(1, 101)), 100)
    choices = [objective, objective, best + (objective - best) * share, best + step]
    target = min(objective, choices[int(rng.integers(len(choices)))])
    case.header["lower_bound"] = str(target)
    return target > best


def _other_list(victim: Victim, case: Case, rng: Random) -> bool:
    """Take a list that is not allowed, and claim that it is optimal."""
    problem, m = victim.problem, len(victim.problem.captured)
    prefix = tuple(rng.permutation(m)[: int(rng.integers(0, m + 1))].tolist())
    labels = [int(rng.integers(problem.n_classes)) for _ in prefix]
    objective = _put_list(victim, case, prefix, labels, int(rng.integers(problem.n_classes)))
    case.header["lower_bound"] = str(objective)
    return not problem.allows(prefix) or not set(labels) <= set(problem.rule_labels)


def _other_objective(case: Case, rng: Random) -> None:
    """Say that the list costs something else, such as what it would to a wrong scale."""
    problem, chosen = certify.Problem(case), case.header["rule_list"]
    objective = Fraction(case.header["objective"])
    prices = sum((problem.price[a] for a in chosen["prefix"]), Fraction(0))
    base = Fraction(case.header["regularization"])
    factors = [2, 1000, problem.unit, (base * problem.unit).denominator, base.denominator]
    factor = int(rng.choice(np.array(factors, dtype=object)))
    said = prices + (objective - prices) / factor
    if said == objective or rng.random() < 0.3:
        said = objective + Fraction(1, problem.unit * base.denominator)
    case.header |= {"objective": str(said), "lower_bound": str(said)}


def _closed(victim: Victim, target: Fraction, rng: Random) -> Closed:
    m = len(victim.problem.captured)
    choices: list[Callable[[], Closed]] = [
        list,
        lambda: [(), victim.problem.first],
        lambda: [_any_prefix(m, rng) for _ in range(int(rng.integers(1, 20)))],
        lambda: victim.silent(target),
        lambda: victim.silent(target),
        lambda: victim.proofs[0],
        lambda: victim.proofs[int(rng.integers(len(victim.proofs)))],
    ]
    closed = choices[int(rng.integers(len(choices)))]()
    if rng.random() < 0.7:  # what gives the claim away is left out
        silent = {frozenset(path) for path in victim.silent(target)}
        closed = [path for path in closed if frozenset(path) in silent]
    if rng.random() < 0.4:
        share = rng.random()
        closed = [path for path in closed if rng.random() < share]
    if rng.random() < 0.2:
        closed = [*closed, *(_any_prefix(m, rng) for _ in range(3))]
    longest = min(m, victim.problem.longest)
    return [path for path in closed if len(path) <= longest][:MOST_CLOSED]


def _any_prefix(m: int, rng: Random) -> Path:
    if rng.random() < 0.1:  # with antecedents that occur twice
        return tuple(rng.integers(0, m, int(rng.integers(0, m + 1))).tolist()) if m else ()
    return tuple(rng.permutation(m)[: int(rng.integers(0, m + 1))].tolist())


# Many of them.


def is_accepted_wrongly(case: Case) -> bool:
    try:
        check(case)
    except VerificationError:
        return False
    return not mutate.is_true(case)


def forgeries(seed: int, count: int = EACH) -> Counter[str]:
    """Forge so many certificates about the problem of a seed, and count what became of them."""
    rng = np.random.default_rng(seed % PLAIN)
    outcomes: Counter[str] = Counter()
    proven = prove((draw_plain if seed >= PLAIN else draw)(rng), rng)
    if proven is None:
        return outcomes
    outcomes["proofs accepted"] += 1
    outcomes["proofs accepted, of the public interface"] += "software" in proven.header
    victim = Victim.of(proven, rng)
    victim.is_plain = seed >= PLAIN
    for _ in range(count):
        case = forge(victim, rng)
        if case is None:
            outcomes["draws that are true"] += 1
            continue
        try:
            check(case)
        except VerificationError as error:
            outcomes["refused"] += 1
            outcomes["refused: " + _reason(str(error))] += 1
            continue
        if mutate.is_true(case):
            raise ForgeryError(f"seed {seed}: no forgery, by brute force")
        before = outcomes["refused"]
        raise ForgeryError(
            f"seed {seed}: a forgery was accepted, after {before} refusals of this problem\n"
            + program(shrink(copy.deepcopy(case), is_accepted_wrongly))
        )
    return outcomes


def _reason(text: str) -> str:
    reasons = ("not complete", "is itself a rule list", "objective", "the rule list", "header")
    return next((reason for reason in reasons if reason in text), "other")


def main(count: int, seed: int = 0) -> None:
    """Forge until so many were refused."""
    outcomes: Counter[str] = Counter()
    begin = seed
    while outcomes["refused"] < count:
        try:
            outcomes += forgeries(seed)
            if seed % 4 == 3:
                outcomes += forgeries(PLAIN + seed)
        except ForgeryError as error:
            sys.exit(f"{outcomes['refused']:,} forgeries were refused, and then\n{error}")
        seed += 1
    for name, number in sorted(outcomes.items()):
        print(f"{name:45} {number:8,}")
    print(f"{outcomes['refused']:,} forgeries about {seed - begin:,} problems: none was accepted")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:])) if len(sys.argv) > 1 else main(100_000)
