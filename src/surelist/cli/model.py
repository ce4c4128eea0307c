"""From flags to a classifier."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist.cli.data import Rows
from surelist.cli.options import FeatureOptions, LimitOptions, SearchOptions
from surelist.cli.printing import note
from surelist.cli.writing import Unwritten
from surelist.errors import InputError, UncertifiedWarning, UnwrittenWarning

if TYPE_CHECKING:
    from surelist.features.binarization import Binarization

__all__ = [
    "initial_rule_list",
    "memory_size",
    "parameters_of",
    "read_number",
    "warnings_as_notes",
    "work_amount",
]


def parameters_of(
    rows: Rows,
    features: FeatureOptions,
    search: SearchOptions,
    limits: LimitOptions,
    smallest: float | Decimal | Fraction,
) -> dict[str, Any]:
    """Return the parameters of `RuleListClassifier` that the flags stand for.

    ``smallest`` is λ, or the smallest of a path: what --min-support is by default.
    """
    default_clauses = 1 if rows.from_corels else 2
    cost_matrix = _cost_matrix(search.costs, rows)
    antecedent_costs = _antecedent_costs(search.antecedent_costs)
    return {
        "max_clauses": default_clauses if features.max_clauses is None else features.max_clauses,
        "negations": features.negations,
        "min_support": _optional_number("--min-support", features.min_support),
        "antecedents": features.antecedents or None,
        "antecedents_only": features.antecedents_only,
        "binarizer": _binarizer(features, smallest, cost_matrix, antecedent_costs),
        "max_length": search.max_length,
        "class_weight": _class_weight(search.class_weight, rows),
        "cost_matrix": cost_matrix,
        "dnf": _dnf(search.dnf, rows),
        "first": search.first,
        "required": search.required,
        "forbidden": search.forbidden,
        "antecedent_costs": antecedent_costs,
        "policy": search.policy.value,
        "symmetry": search.symmetry.value,
        "bounds": search.bounds or "all",
        "random_state": search.random_state,
        "n_jobs": search.n_jobs,
        "work_limit": work_amount(limits.work_limit or "auto"),
        "time_limit": limits.time_limit,
        "memory_limit": memory_size(limits.memory_limit or "auto"),
        "max_prefixes": limits.max_prefixes,
    }


def read_number(flag: str, text: str) -> float | Decimal | Fraction:
    """Read a number exactly as it was written: 0.005, 5e-3 or 1/200.

    Raises
    ------
    InputError
    """
    from surelist.tables.regularization import short

    try:
        if "/" in text:
            return Fraction(text)
        return short(Decimal(text))
    except (InvalidOperation, ValueError, ZeroDivisionError):
        raise InputError(f"{flag} must be a number such as 0.01; got {text!r}") from None


def _optional_number(flag: str, text: str | None) -> float | Decimal | Fraction | None:
    return None if text is None else read_number(flag, text)


def memory_size(text: str) -> int | str | None:
    """Return a number of bytes, or the text of one with a unit; none is no limit."""
    if text == "none":
        return None
    return int(text) if text.isdecimal() else text


def work_amount(text: str) -> float | str | None:
    """Return an amount of work as the parameter has it; none is no limit.

    Raises
    ------
    InputError
    """
    if text in ("auto", "none"):
        return "auto" if text == "auto" else None
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"--work-limit must be auto, none or a number of seconds; got {text!r}"
        ) from None


def _class_weight(given: list[str] | None, rows: Rows) -> Any:
    """Read LABEL=WEIGHT pairs; labels are told by how they print."""
    if not given:
        return None
    if given == ["balanced"]:
        return "balanced"
    known = {str(label): label for label in rows.known_labels}
    weights = {}
    for pair in given:
        label, equals, weight = pair.rpartition("=")
        if not equals or label not in known:
            raise InputError(
                f"--class-weight {pair}: write LABEL=WEIGHT, with a label among "
                f"{', '.join(map(repr, known))}; or balanced"
            )
        weights[known[label]] = float(read_number("--class-weight", weight))
    for text, label in known.items():
        if label not in weights:
            weights[label] = 1.0
            rows.table.notes.append(f"--class-weight says nothing of {text!r}: it weighs 1")
    return weights


def _label(flag: str, text: str, rows: Rows) -> Any:
    """Return the label that prints so."""
    known = {str(label): label for label in rows.known_labels}
    if text not in known:
        raise InputError(f"{flag}: {text!r} is no label; there are {', '.join(map(repr, known))}")
    return known[text]


def _dnf(text: str | None, rows: Rows) -> Any:
    """Return the class that rules may predict; False itself would not say whether it is one."""
    label = None if text is None else _label("--dnf", text, rows)
    return int(label) if isinstance(label, bool) else label


def _cost_matrix(given: list[str] | None, rows: Rows) -> Any:
    """Read LABEL:PREDICTED=COST."""
    matrix: dict[Any, dict[Any, Any]] = {}
    for text in given or ():
        pair, equals, cost = text.rpartition("=")
        actual, colon, predicted = pair.partition(":")
        if not equals or not colon:
            raise InputError(f"--cost {text}: write LABEL:PREDICTED=COST, such as yes:no=5")
        row = matrix.setdefault(_label("--cost", actual, rows), {})
        row[_label("--cost", predicted, rows)] = read_number("--cost", cost)
    return matrix or None


def _antecedent_costs(given: list[str] | None) -> Any:
    """Read TEXT=COST; texts may have equals signs of their own."""
    if given == ["clauses"]:
        return "clauses"
    costs = {}
    for pair in given or ():
        text, equals, cost = pair.rpartition("=")
        if not equals:
            raise InputError(f"--antecedent-cost {pair}: write TEXT=COST, or clauses")
        costs[text.strip()] = read_number("--antecedent-cost", cost)
    return costs or None


def _binarizer(
    features: FeatureOptions,
    smallest: float | Decimal | Fraction,
    cost_matrix: Any,
    antecedent_costs: Any,
) -> Binarization | None:
    given = (features.strategy, features.n_cuts, features.min_frequency, features.max_features)
    if all(value is None for value in given) and not (features.intervals or features.columns):
        return None
    from surelist.features.binarization import Binarization
    from surelist.problem.costs import read_prices
    from surelist.problem.parameters import least_support
    from surelist.problem.training_data import MAX_FEATURES, N_CUTS
    from surelist.tables.regularization import exact

    frequency = features.min_frequency or features.min_support
    least = least_support(exact(smallest), read_prices(cost_matrix, antecedent_costs))
    return Binarization(
        strategy="auto" if features.strategy is None else features.strategy.value,
        n_cuts=N_CUTS if features.n_cuts is None else features.n_cuts,
        intervals=features.intervals,
        min_frequency=least if frequency is None else read_number("--min-frequency", frequency),
        max_features=MAX_FEATURES if features.max_features is None else features.max_features,
        columns=dict(map(_column, features.columns or ())),
    )


def _column(text: str) -> tuple[str, Any]:
    """Read NAME=HOW; a list of cuts has a comma, a single cut one at its end."""
    name, equals, how = text.rpartition("=")
    if not equals or not how:
        raise InputError(f"--column {text}: write NAME=HOW, such as age=18,25,60 or zip=category")
    if "," in how:
        return name, [_cut(part.strip()) for part in how.split(",") if part.strip()]
    return name, int(how) if how.isdecimal() else how


def _cut(text: str) -> Any:
    try:
        return int(text) if text.lstrip("+-").isdecimal() else float(text)
    except ValueError:
        return text


def initial_rule_list(path: Path | None) -> Any:
    """Read the rule list to start from."""
    if path is None:
        return None
    from surelist.estimators.model_json import read_model

    return read_model(path).rule_list_


@contextmanager
def warnings_as_notes(unwritten: Unwritten | None = None) -> Iterator[None]:
    """Turn warnings into notes; that a result is not certified every command says itself.

    ``unwritten`` remembers whether a file could not be written.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        if unwritten is not None and issubclass(warning.category, UnwrittenWarning):
            unwritten.any = True
        if not issubclass(warning.category, UncertifiedWarning):
            note(str(warning.message))
