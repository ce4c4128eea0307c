"""A forged certificate that was accepted, made small and written as a program: for `forge`."""

from __future__ import annotations

import copy
import pprint
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import certify
from certify import Case

__all__ = ["program", "shrink"]


def shrink(case: Case, fails: Callable[[Case], bool]) -> Case:
    """Leave out what a failure does not need."""
    found = True
    while found:
        found = False
        for smaller in _smaller(case):
            try:
                if fails(_settled(smaller)):
                    case, found = smaller, True
                    break
            except (ArithmeticError, ValueError):  # a problem no more
                continue
    return case


def _settled(case: Case) -> Case:
    """Make the objective that of the list, and the fingerprint that of the data."""
    chosen, header = case.header["rule_list"], case.header
    problem = certify.Problem(case)
    objective = problem.objective(chosen["prefix"], chosen["labels"], chosen["default_label"])
    target = min(objective, Fraction(header["lower_bound"]))
    header |= {"objective": str(objective), "lower_bound": str(target), "n_rows": len(case.y)}
    header["fingerprint"] = certify.fingerprint(case)
    return case


def _smaller(case: Case) -> Iterator[Case]:
    def changed(**header: Any) -> Case:
        other = copy.deepcopy(case)
        other.header |= header
        return other

    limits, weights = case.header["constraints"], case.sample_weight
    for at in range(len(case.closed)):
        other = changed()
        del other.closed[at]
        yield other
    for key in ("prices", "costs"):
        if case.header[key] is not None:
            yield changed(**{key: None})
    for key in ("max_length", "rule_labels"):
        if limits[key] is not None:
            yield changed(constraints={**limits, key: None})
    for key in ("first", "required", "forbidden"):
        for a in limits[key]:
            yield changed(constraints={**limits, key: [b for b in limits[key] if b != a]})
    for a in range(len(case.header["antecedents"])):
        yield from _without_antecedent(changed(), a)
    for row in range(len(case.y)):
        other = changed()
        del other.y[row]
        for column in other.columns.values():
            del column[row]
        if other.sample_weight is not None:
            del other.sample_weight[row]
        yield other
    if weights is not None and any(weight > 1 for weight in weights):
        yield Case(case.columns, case.y, [1.0] * len(weights), changed().header, case.closed)
        for row, weight in enumerate(weights):
            other = changed()
            other.sample_weight = [*weights[:row], float(weight // 2) or 1.0, *weights[row + 1 :]]
            if weight > 1:
                yield other


def _without_antecedent(case: Case, a: int) -> Iterator[Case]:
    header, limits = case.header, case.header["constraints"]
    if a in {*header["rule_list"]["prefix"], *limits["first"], *limits["required"]}:
        return
    place = {b: b - (b > a) for b in range(len(header["antecedents"])) if b != a}
    for key in ("first", "required", "forbidden"):
        limits[key] = [place[b] for b in limits[key] if b != a]
    header["rule_list"]["prefix"] = [place[b] for b in header["rule_list"]["prefix"]]
    if "order" in header:
        header["order"] = [place[b] for b in header["order"] if b != a]
    case.closed = [_moved(path, place) for path in case.closed if a not in path]
    del header["antecedents"][a]
    if header["prices"] is not None:
        del header["prices"][a]
    yield case


def _moved(path: certify.Path, place: dict[int, int]) -> certify.Path:
    moved = tuple(place[b] for b in path)
    reason, *witness = certify.why(path)
    if reason in (certify.INSERTION, certify.SIBLING):
        witness = [place.get(b, 0) for b in witness]
    return certify.Listed(moved, (reason, *witness)) if reason else moved


def program(case: Case) -> str:
    """A program that checks a case again."""
    lines = [
        "import sys; sys.path.insert(0, 'tests/helpers')",
        "import certify",
        "from surelist import verify",
        f"columns = {case.columns}",
        f"y = {case.y}",
        f"weights = {case.sample_weight}",
        f"closed = {case.closed}",
        f"header = {pprint.pformat(case.header, width=96)}",
        "data = certify.assemble(header, [closed])",
        "print(verify(data, columns, y, sample_weight=weights))",
    ]
    return "\n".join(lines)
