"""One run in plain values, and the parameters of `RuleListClassifier` that it stands for.

The command line reads a description from flags, the page from a form; from there on both take the
same way. Labels are named by their text, because neither a flag nor a form has any other value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from surelist.errors import InputError, Message
from surelist.runs.choices import Policy, Symmetry

if TYPE_CHECKING:
    from surelist.features.binarization import Binarization
    from surelist.runs.rows import Rows

__all__ = ["Number", "RunDescription", "parameters_of", "read_number"]

Number = float | Decimal | Fraction


@dataclass(frozen=True)
class RunDescription:
    """How columns become antecedents, what is searched for, and when the search stops.

    Fields are called as the parameters of `RuleListClassifier` and `Binarizer`, and None is their
    default, but for:

    Attributes
    ----------
    regularization : float, Decimal or Fraction
        λ, or the smallest of a path.
    class_weight : "balanced" or mapping of str to float, optional
        By the text of labels; classes that are not named weigh 1.
    cost_matrix : mapping of str to mapping of str to number, optional
        By the text of labels: the actual one, then the predicted one.
    dnf : str, optional
        The text of the only class that rules may predict.
    columns : mapping, optional
        How single columns become features.
    """

    regularization: Number
    # Features and antecedents.
    max_clauses: int | None = None
    negations: bool = False
    min_support: Number | None = None
    antecedents: Sequence[str] | None = None
    antecedents_only: bool = False
    strategy: str | None = None
    n_cuts: int | str | None = None
    intervals: bool = False
    min_frequency: Number | None = None
    max_features: int | None = None
    columns: Mapping[str, Any] | None = None
    # The rule list.
    max_length: int | None = None
    class_weight: str | Mapping[str, float] | None = None
    cost_matrix: Mapping[str, Mapping[str, Number]] | None = None
    dnf: str | None = None
    first: Sequence[str] | None = None
    required: Sequence[str] | None = None
    forbidden: Sequence[str] | None = None
    antecedent_costs: str | Mapping[str, Number] | None = None
    # The search.
    policy: str = Policy.LOWER_BOUND
    symmetry: str = Symmetry.CAPTURED
    bounds: Sequence[str] | None = None
    random_state: int | None = None
    n_jobs: int | str = 1
    # Limits.
    work_limit: float | str | None = "auto"
    time_limit: float | None = None
    memory_limit: int | str | None = "auto"
    max_prefixes: int | None = None


def parameters_of(
    run: RunDescription, rows: Rows, notes: list[str] | None = None
) -> dict[str, Any]:
    """Return the parameters of `RuleListClassifier`, without λ, of which a path has several.

    Parameters
    ----------
    run : RunDescription
    rows : Rows
        The rows to learn from: they tell which labels there are.
    notes : list of str, optional
        Where to put what was decided that a user may want to know.

    Raises
    ------
    InputError
        For a text that is no label.
    """
    cost_matrix = _cost_matrix(run, rows)
    default_clauses = 1 if rows.source.is_corels else 2
    return {
        "max_clauses": default_clauses if run.max_clauses is None else run.max_clauses,
        "negations": run.negations,
        "min_support": run.min_support,
        "antecedents": run.antecedents or None,
        "antecedents_only": run.antecedents_only,
        "binarizer": _binarizer(run, cost_matrix),
        "max_length": run.max_length,
        "class_weight": _class_weight(run.class_weight, rows, [] if notes is None else notes),
        "cost_matrix": cost_matrix,
        "dnf": _only_class(run.dnf, rows),
        "first": run.first,
        "required": run.required,
        "forbidden": run.forbidden,
        "antecedent_costs": run.antecedent_costs or None,
        "policy": str(run.policy),
        "symmetry": str(run.symmetry),
        "bounds": run.bounds or "all",
        "random_state": run.random_state,
        "n_jobs": run.n_jobs,
        "work_limit": run.work_limit,
        "time_limit": run.time_limit,
        "memory_limit": run.memory_limit,
        "max_prefixes": run.max_prefixes,
    }


def read_number(name: str, text: str) -> Number:
    """Read a number exactly as it was written: 0.005, 5e-3 or 1/200.

    Parameters
    ----------
    name : str
        What the number is called where the user wrote it.
    text : str

    Raises
    ------
    InputError

    Examples
    --------
    >>> from surelist.runs.description import read_number
    >>> read_number("--regularization", "0.005"), read_number("--regularization", "1/200")
    (0.005, Fraction(1, 200))
    """
    from surelist.tables.regularization import short

    try:
        if "/" in text:
            return Fraction(text)
        return short(Decimal(text))
    except (InvalidOperation, ValueError, ZeroDivisionError):
        raise InputError(f"{name} must be a number such as 0.01; got {text[:40]!r}") from None


def _by_text(rows: Rows) -> dict[str, Any]:
    return {str(label): label for label in rows.classes}


def _class(setting: str, text: str, rows: Rows, value: object = "") -> Any:
    """Return the label that prints so."""
    known = _by_text(rows)
    if text not in known:
        facts = {"setting": setting, "label": text, "value": value}
        raise InputError(Message("class_unknown", known=", ".join(map(repr, known)), **facts))
    return known[text]


def _class_weight(given: str | Mapping[str, float] | None, rows: Rows, notes: list[str]) -> Any:
    if given is None or isinstance(given, str):
        return given
    weights = {
        _class("class_weight", text, rows, f"{weight:g}"): weight for text, weight in given.items()
    }
    for text, label in _by_text(rows).items():
        if label not in weights:
            weights[label] = 1.0
            notes.append(Message("class_weight_assumed", label=text))
    return weights


def _only_class(text: str | None, rows: Rows) -> Any:
    label = None if text is None else _class("dnf", text, rows)
    # False would not say whether it is a class, or that there is no such restriction.
    return int(label) if isinstance(label, bool) else label


def _cost_matrix(run: RunDescription, rows: Rows) -> Any:
    matrix: dict[Any, dict[Any, Any]] = {}
    for actual, costs in (run.cost_matrix or {}).items():
        row = matrix.setdefault(_class("cost_matrix", actual, rows), {})
        for predicted, cost in costs.items():
            row[_class("cost_matrix", predicted, rows)] = cost
    return matrix or None


def _binarizer(run: RunDescription, cost_matrix: Any) -> Binarization | None:
    """Return the binarizer that is described; None where nothing is said about it."""
    given = (run.strategy, run.n_cuts, run.min_frequency, run.max_features)
    if all(value is None for value in given) and not (run.intervals or run.columns):
        return None
    from surelist.features.binarization import ALL, Binarization
    from surelist.problem.costs import read_prices
    from surelist.problem.parameters import least_support
    from surelist.problem.training_data import MAX_FEATURES, N_CUTS
    from surelist.tables.regularization import exact

    least = run.min_support if run.min_frequency is None else run.min_frequency
    if least is None:
        prices = read_prices(cost_matrix, run.antecedent_costs or None)
        least = least_support(exact(run.regularization), prices)
    every = run.n_cuts == ALL or ALL in (run.columns or {}).values()
    most = None if every else MAX_FEATURES
    return Binarization(
        strategy="auto" if run.strategy is None else str(run.strategy),
        n_cuts=N_CUTS if run.n_cuts is None else run.n_cuts,
        intervals=run.intervals,
        min_frequency=least,
        max_features=most if run.max_features is None else run.max_features,
        columns=run.columns,
    )
