"""The description of a run, read from flags."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from surelist.cli.options import FeatureOptions, LimitOptions, SearchOptions
from surelist.errors import InputError
from surelist.runs.description import Number, RunDescription, read_number

__all__ = ["describe_run", "initial_rule_list", "memory_size", "work_amount"]


def describe_run(
    regularization: Number, features: FeatureOptions, search: SearchOptions, limits: LimitOptions
) -> RunDescription:
    """Return the run that the flags describe; ``regularization`` is λ, or the smallest of a path.

    Raises
    ------
    InputError
        For a flag whose value cannot be read.
    """
    return RunDescription(
        regularization=regularization,
        max_clauses=features.max_clauses,
        negations=features.negations,
        min_support=_optional_number("--min-support", features.min_support),
        antecedents=features.antecedents,
        antecedents_only=features.antecedents_only,
        strategy=features.strategy,
        n_cuts=_cuts(features.n_cuts),
        intervals=features.intervals,
        min_frequency=_optional_number("--min-frequency", features.min_frequency),
        max_features=features.max_features,
        columns=dict(map(_column, features.columns or ())),
        max_length=search.max_length,
        class_weight=_class_weight(search.class_weight),
        cost_matrix=_cost_matrix(search.costs),
        dnf=search.dnf,
        first=search.first,
        required=search.required,
        forbidden=search.forbidden,
        antecedent_costs=_antecedent_costs(search.antecedent_costs),
        policy=search.policy,
        symmetry=search.symmetry,
        bounds=search.bounds,
        random_state=search.random_state,
        n_jobs=search.n_jobs,
        work_limit=work_amount(limits.work_limit or "auto"),
        time_limit=limits.time_limit,
        memory_limit=memory_size(limits.memory_limit or "auto"),
        max_prefixes=limits.max_prefixes,
    )


def _optional_number(flag: str, text: str | None) -> Number | None:
    return None if text is None else read_number(flag, text)


def _cuts(text: str | None) -> int | str | None:
    if text is None or text == "all":
        return text
    if text.isdecimal():
        return int(text)
    raise InputError(f"--n-cuts must be a whole number of at least 0, or all; got {text!r}")


def memory_size(text: str) -> int | str | None:
    """Return a number of bytes, or the text of one with a unit; "none" is no limit."""
    if text == "none":
        return None
    return int(text) if text.isdecimal() else text


def work_amount(text: str) -> float | str | None:
    """Return an amount of work as the parameter has it; "none" is no limit.

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


def _class_weight(given: list[str] | None) -> str | Mapping[str, float] | None:
    """Read LABEL=WEIGHT."""
    if not given:
        return None
    if given == ["balanced"]:
        return "balanced"
    weights = {}
    for pair in given:
        label, equals, weight = pair.rpartition("=")
        if not equals:
            raise InputError(f"--class-weight {pair}: write LABEL=WEIGHT, or balanced")
        weights[label] = float(read_number("--class-weight", weight))
    return weights


def _cost_matrix(given: list[str] | None) -> Mapping[str, Mapping[str, Number]]:
    """Read LABEL:PREDICTED=COST."""
    matrix: dict[str, dict[str, Number]] = {}
    for text in given or ():
        pair, equals, cost = text.rpartition("=")
        actual, colon, predicted = pair.partition(":")
        if not equals or not colon:
            raise InputError(f"--cost {text}: write LABEL:PREDICTED=COST, such as yes:no=5")
        matrix.setdefault(actual, {})[predicted] = read_number("--cost", cost)
    return matrix


def _antecedent_costs(given: list[str] | None) -> str | Mapping[str, Number]:
    """Read TEXT=COST; the text may hold equals signs, too."""
    if given == ["clauses"]:
        return "clauses"
    costs = {}
    for pair in given or ():
        text, equals, cost = pair.rpartition("=")
        if not equals:
            raise InputError(f"--antecedent-cost {pair}: write TEXT=COST, or clauses")
        costs[text.strip()] = read_number("--antecedent-cost", cost)
    return costs


def _column(text: str) -> tuple[str, Any]:
    """Read NAME=HOW; a list of cuts has a comma, a single cut has one at its end."""
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
