"""What ``surelist alternatives`` says about a set of lists, to people and to machines."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from surelist._common.messages import counted
from surelist.cli.printing import print_lines

if TYPE_CHECKING:
    from surelist.estimators.near_optimal.answers import Answers
    from surelist.estimators.near_optimal.counted import CountedRuleLists
    from surelist.estimators.near_optimal.result import RuleLists

__all__ = [
    "Asked",
    "document_of",
    "document_of_count",
    "entries_of",
    "print_count",
    "print_lists",
]

_FEW_ORDERS = 100_000  # so many are gone through one by one, in less than a second


@dataclass(frozen=True)
class Asked:
    """What answers about a set need of the rows.

    Attributes
    ----------
    group : list or None
        The group of each row.
    positive : label or None
        The positive class, for rates by group.
    row : table or None
        One row, about which the lists may disagree.
    necessity : Answers or None
        What doing without some columns costs.
    """

    group: list[Any] | None
    positive: Any
    row: Any
    necessity: Answers | None = None


def print_lists(found: RuleLists, asked: Asked, show: int, none: str = "") -> None:
    """Print the best lists, and the answers about all of them; ``none`` says why there are none."""
    sys.stdout.write(f"{found}\n")
    for index in range(min(show, len(found))):
        rule_list = found[index]
        sys.stdout.write(f"\nobjective {float(rule_list.objective):.6g}\n")
        print_lines(rule_list.lines())
    if not len(found):
        sys.stdout.write(f"{none}\n" if none else "")
        return
    _print_columns(found.columns())
    sys.stdout.write(f"\n{found.ranges(asked.group, asked.positive)}\n")
    if asked.necessity is not None:
        sys.stdout.write(f"\n{asked.necessity}\n")
    if asked.row is not None:
        shares = [f"{share:.1%} {label}" for label, share in found.explain_row(asked.row).items()]
        sys.stdout.write(f"\nfor this row, the lists predict: {', '.join(shares)}\n")


def _print_columns(every: Answers) -> None:
    """Print what is known of the columns that occur; there may be hundreds."""
    used = every.some(use.name for use in every if use.n_lists > 0)
    sys.stdout.write(f"\n{used}\n")
    if len(used) < len(every):
        sys.stdout.write(f"{counted(len(every) - len(used), 'other column')} in none of them\n")


def document_of(found: RuleLists, asked: Asked, most: int) -> dict[str, Any]:
    """Return the same for machines, with at most so many lists."""
    ranges = found.ranges(asked.group, asked.positive)
    some = zip(found.objectives, found.lengths, found.orders, found.texts(), strict=True)
    document: dict[str, Any] = {
        "status": found.status,
        "optimum": _number(found.optimum),
        "complete_up_to": _number(found.complete_up_to),
        "complete_up_to_exact": None if found.complete_up_to is None else str(found.complete_up_to),
        "lists": len(found),
        "orders": found.n_orders,
        "predictions": found.n_predictions,
        "columns": [
            {
                "name": use.name,
                "lists": use.n_lists,
                "best_with": _number(use.best_with),
                "best_without": _number(use.best_without),
            }
            for use in found.columns()
        ],
        "ranges": {each.name: [each.least, each.greatest] for each in ranges},
        "rule_lists": [
            {"objective": float(objective), "length": int(length), "orders": int(orders), "text": t}
            for objective, length, orders, t in islice(some, most)
        ],
    }
    if asked.necessity is not None:
        document["necessity"] = [
            {
                "name": use.name,
                "difference": _number(use.difference),
                "difference_exact": None if use.difference is None else str(use.difference),
                "best_with": _number(use.best_with),
                "best_without": _number(use.best_without),
                "status": use.status,
            }
            for use in asked.necessity
        ]
    if asked.row is not None and len(found):
        shares = found.explain_row(asked.row)
        document["row"] = {str(label): share for label, share in shares.items()}
    return document


def entries_of(found: CountedRuleLists) -> tuple[int, float]:
    """Return how many lists there are where orders that predict the same are one, and the error.

    Of many orders it is estimated from a sample, which is the same every time.
    """
    exact = found.count_entries() if found.count <= _FEW_ORDERS else None
    return found.estimate_entries(random_state=0) if exact is None else (exact, 0.0)


def print_count(found: CountedRuleLists, entries: tuple[int, float]) -> None:
    """Print how many lists there are."""
    number, error = entries
    about = f"{number:,}" if error == 0 else f"about {number:,} (standard error {error:,.0f})"
    sys.stdout.write(f"{found}\n{about} where orders that predict the same are one list\n")


def document_of_count(found: CountedRuleLists, entries: tuple[int, float]) -> dict[str, Any]:
    """Return the same for machines."""
    return {
        "status": found.status,
        "optimum": _number(found.optimum),
        "complete_up_to": _number(found.complete_up_to),
        "complete_up_to_exact": None if found.complete_up_to is None else str(found.complete_up_to),
        "orders": found.count,
        "lists": entries[0],
        "lists_standard_error": entries[1],
    }


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
