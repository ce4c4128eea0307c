"""Random uses of the public interface against brute force.

``python tests/helpers/fuzz_api.py 3600`` runs for an hour (`make fuzz-api`); a seed as the second
argument begins there. Tables of all kinds of columns and odd names, labels, weights, costs,
constraints and limits go in; what comes out is held against `api_reference`, which shares no code
with the package: the optimum or the bounds around it, the objective of the list, what it predicts,
its certificate, the model saved and read again, its exports, paths and losses by length. What is
refused must be refused by an error of the package. A case that fails is shrunk and printed as a
script.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
from api_cases import Case, draw
from api_reference import Problem, captures, conjunctions, whole_weights

import surelist
from surelist import (
    Binarizer,
    RuleList,
    RuleListClassifier,
    SurelistError,
    regularization_path,
    verify,
)

SQLITE = {"whole": "INTEGER", "real": "REAL", "bool": "BOOLEAN"}
DUCKDB = {"whole": "BIGINT", "real": "DOUBLE", "bool": "BOOLEAN", "text": "VARCHAR"}
DUCKDB |= {"day": "DATE", "moment": "TIMESTAMP"}


class RefusedError(Exception):
    """The package said no, in its own words."""


def table_of(case: Case) -> Any:
    """The rows in the container that the case asks for."""
    if case.container == "lists":
        return [list(row.values()) for row in case.rows]
    if case.container == "polars":
        kinds: dict[str, Any] = {
            "whole": pl.Int64,
            "real": pl.Float64,
            "bool": pl.Boolean,
            "text": pl.String,
        }
        kinds |= {"day": pl.Date, "moment": pl.Datetime("us")}
        return pl.DataFrame(
            {
                name: pl.Series(name, values, dtype=kinds[kind])
                for name, (kind, values) in case.columns.items()
            }
        )
    dtypes = {"whole": "Int64", "real": "Float64", "bool": "boolean", "moment": "datetime64[us]"}
    frame = pd.DataFrame(
        {
            name: pd.Series(values, dtype=dtypes.get(kind, "object"))
            for name, (kind, values) in case.columns.items()
        }
    )
    return frame.convert_dtypes(dtype_backend="pyarrow") if case.container == "arrow" else frame


def fit(case: Case, **changes: Any) -> RuleListClassifier:
    parameters = case.arguments() | changes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            return RuleListClassifier(**parameters).fit(table_of(case), case.y, case.weights)
        except SurelistError as error:
            raise RefusedError(str(error)) from error


# The problem as the documentation describes it.


def features_of(case: Case, model: RuleListClassifier) -> list[Any]:
    """The conditions that antecedents are made of: all that the model names, and the binarizer's.

    Mining may lose features, where it should not. Of which ones a binarizer keeps, labels and
    weights decide, so it is asked only where it keeps all.
    """
    if case.parameters.get("antecedents_only"):
        return []
    names = [c for a in model.antecedents_ for c in (a.clauses, *a.aliases)]
    found = [clause.asks for clauses in names for clause in clauses]
    how = case.binarizer
    if how and _keeps_all(case):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            binarizer = Binarizer(**how).fit(table_of(case), case.y, case.weights)
        found += binarizer.conditions_
    return list(dict.fromkeys(found))


def _keeps_all(case: Case) -> bool:
    how = case.binarizer
    return how is not None and how["max_features"] is None and "class_weight" not in case.parameters


def problem_of(
    case: Case, model: RuleListClassifier, min_support: Fraction | None = None
) -> Problem:
    """Return the problem; ``min_support`` is for claims that go without smaller antecedents."""
    given = case.parameters
    classes = model.classes_.tolist()
    weights = whole_weights(case.y, case.weights, given.get("class_weight"))
    kept = [n for n, weight in enumerate(weights) if weight > 0]
    problem = Problem(
        rows=[case.rows[n] for n in kept],
        codes=[classes.index(case.y[n]) for n in kept],
        weights=[weights[n] for n in kept],
        costs=_costs(given.get("cost_matrix"), classes),
        regularization=Fraction(str(given["regularization"])),
        rule_label=_rule_label(given.get("dnf"), classes),
        max_length=given.get("max_length"),
    )
    prices = given.get("antecedent_costs")
    forbidden = {frozenset(case.meant[text]) for text in given.get("forbidden") or ()}

    def price_of(conjunction: Any) -> Fraction:
        if isinstance(prices, dict):
            same = [t for t in prices if set(case.meant[t]) == set(conjunction)]
            return Fraction(str(prices[same[0]])) if same else Fraction(1)
        return Fraction(len(conjunction)) if prices == "clauses" else Fraction(1)

    def add(conjunction: Any) -> None:
        banned = frozenset(conjunction) in forbidden
        problem.add(conjunction, price_of(conjunction), forbidden=banned)

    if min_support is None:
        min_support = Fraction(str(given.get("min_support") or 0))
    least = min_support * problem.total
    features = features_of(case, model)
    for conjunction in conjunctions(
        features, given.get("max_clauses", 2), given.get("negations", False)
    ):
        mask = problem.captured(conjunction)
        if mask and problem.weight(mask) >= least:
            add(conjunction)
    for text in given.get("antecedents") or ():
        add(case.meant[text])
    # What is demanded goes by its own name and price, those that come first before the others.
    for text in (*(given.get("required") or ()), *(given.get("first") or ())):
        problem.antecedents.pop(problem.captured(case.meant[text]), None)
        add(case.meant[text])
    problem.first = [problem.captured(case.meant[text]) for text in given.get("first") or ()]
    problem.required = {problem.captured(case.meant[text]) for text in given.get("required") or ()}
    return problem


def _costs(given: Any, classes: list[Any]) -> list[list[Fraction]]:
    def cost(c: int, q: int) -> Fraction:
        if given is None:
            return Fraction(int(c != q))
        if isinstance(given, dict):
            implied = Fraction(int(c != q))
            return Fraction(str(given.get(classes[c], {}).get(classes[q], implied)))
        return Fraction(str(given[c][q]))

    return [[cost(c, q) for q in range(len(classes))] for c in range(len(classes))]


def _rule_label(dnf: Any, classes: list[Any]) -> int | None:
    if dnf is None or dnf is False:
        return None
    return 1 if dnf is True else classes.index(dnf)


# What has to hold.


def check(case: Case) -> str:
    """Fit, and check all that comes out; return how the search ended."""
    model = fit(case, certificate="certificate" in case.checks)
    if case.spoiled:
        return "worked"
    problem = problem_of(case, model)
    check_objective(model, problem)
    check_predictions(case, model)
    for name in case.checks:
        CHECKS[name](case, model, problem)
    return str(model.status_)


def check_objective(model: RuleListClassifier, problem: Problem) -> None:
    optimum = problem.optimum()
    assert optimum is not None, "no rule list is allowed, but one was found"
    lower, upper = model.lower_bound_exact_, model.objective_exact_
    if model.status_ == "optimal":
        assert lower == upper == optimum, f"optimal {upper}, bound {lower}, brute force {optimum}"
    else:
        assert lower <= optimum <= upper, f"{model.status_}: {lower} <= {optimum} <= {upper}"
    rules = model.rule_list_.rules
    labels, prices = model.classes_.tolist(), Fraction(0)
    left = (1 << len(problem.rows)) - 1
    total = Fraction(0)
    masks = []
    for rule in rules:
        conjunction = tuple((clause.asks, clause.negated) for clause in rule.clauses)
        masks.append(problem.captured(conjunction))
        prices += rule.cost * problem.regularization
        total += problem.loss(left & masks[-1], labels.index(rule.label))
        left &= ~masks[-1]
        names = problem.antecedents.get(masks[-1])
        assert names is not None, f"{rule.antecedent} is no antecedent"
        assert frozenset(conjunction) in names.conjunctions, f"{rule.antecedent} is not allowed"
        assert rule.cost == names.price, f"{rule.antecedent} costs {rule.cost}, not {names.price}"
        assert problem.rule_label in (None, labels.index(rule.label)), "dnf"
    total += prices + problem.loss(left, labels.index(model.rule_list_.default.label))
    assert total == upper == model.rule_list_.objective, f"the list has {total}, not {upper}"
    assert masks[: len(problem.first)] == problem.first, "first"
    assert problem.required <= set(masks), "required"
    assert problem.max_length is None or len(rules) <= problem.max_length, "max_length"


def check_predictions(case: Case, model: RuleListClassifier) -> None:
    expected = [model.rule_list_.default.label] * len(case.rows)
    for rule in reversed(model.rule_list_.rules):
        conjunction = tuple((clause.asks, clause.negated) for clause in rule.clauses)
        expected = [
            rule.label if captures(conjunction, row) else before
            for row, before in zip(case.rows, expected, strict=True)
        ]
    X = table_of(case)
    assert_same(model.predict(X).tolist(), expected, "predict")
    assert_same([one.label for one in model.explain(X)], expected, "explain")
    shares = model.predict_proba(X)
    assert shares.shape == (len(case.rows), len(model.classes_))
    assert abs(shares.sum(axis=1) - 1).max() < 1e-9, "predict_proba"
    model.rule_table()


def assert_same(found: list[Any], expected: list[Any], where: str) -> None:
    assert found == expected, f"{where}: {found} instead of {expected}"
    kinds = [list(map(type, labels)) for labels in (found, expected)]
    assert kinds[0] == kinds[1], f"{where}: labels of other types"


def check_certificate(case: Case, model: RuleListClassifier, problem: Problem) -> None:  # noqa: ARG001
    found = verify(model.certificate_, table_of(case), case.y, sample_weight=case.weights)
    assert found.optimal == (model.status_ == "optimal"), "the checker and the search disagree"
    assert found.objective == model.objective_exact_
    assert found.lower_bound == model.lower_bound_exact_


def check_saved(case: Case, model: RuleListClassifier, problem: Problem) -> None:  # noqa: ARG001
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        model.save(path)
        again = surelist.load(path)
    X = table_of(case)
    assert_same(again.predict(X).tolist(), model.predict(X).tolist(), "the loaded model")
    assert again.rule_list_ == model.rule_list_
    assert again.classes_.tolist() == model.classes_.tolist()
    assert again.objective_exact_ == model.objective_exact_


def check_exports(case: Case, model: RuleListClassifier, problem: Problem) -> None:  # noqa: ARG001
    expected = model.predict(table_of(case)).tolist()
    namespace: dict[str, Any] = {}
    exec(compile(model.export("python"), "exported.py", "exec"), namespace)
    assert_same([namespace["predict"](row) for row in case.rows], expected, "python")
    assert RuleList.from_dict(json.loads(model.export("json"))) == model.rule_list_, "json"
    for name in ("text", "latex", "dot"):
        try:
            model.export(name)
        except SurelistError as error:
            raise RefusedError(f"{name}: {error}") from error


def check_sql(case: Case, model: RuleListClassifier, problem: Problem) -> None:  # noqa: ARG001
    expected = model.predict(table_of(case)).tolist()
    try:
        expression = model.export("sql")
    except SurelistError as error:
        raise RefusedError(f"sql: {error}") from error
    database = sqlite3.connect(":memory:")
    try:
        assert _queried(database, case, SQLITE, expression, _as_text) == expected, "sqlite"
    finally:
        database.close()
    with duckdb.connect(":memory:") as connection:
        assert _queried(connection, case, DUCKDB, expression, lambda v: v) == expected, "duckdb"


def _as_text(value: Any) -> Any:
    if not isinstance(value, date):
        return value
    return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()


def _queried(
    connection: Any,
    case: Case,
    types: dict[str, str],
    expression: str,
    stored: Callable[[Any], Any],
) -> list[Any]:
    columns = ", ".join(
        '"{}" {}'.format(name.replace('"', '""'), types.get(kind, "TEXT"))
        for name, (kind, _) in zip(case.rows[0], case.columns.values(), strict=True)
    )
    connection.execute(f'CREATE TABLE t ("__row" INTEGER, {columns})')
    marks = ", ".join("?" * (len(case.columns) + 1))
    for index, row in enumerate(case.rows):
        connection.execute(f"INSERT INTO t VALUES ({marks})", [index, *map(stored, row.values())])
    found = connection.execute(f'SELECT {expression} FROM t ORDER BY "__row"').fetchall()
    return [row[0] for row in found]


def check_path(case: Case, model: RuleListClassifier, problem: Problem) -> None:
    parameters = case.arguments()
    smallest = Fraction(str(parameters.pop("regularization")))
    # The features are cut for the smallest λ, and so is what brute force has; it needs no λ else.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            path = regularization_path(
                table_of(case), case.y, smallest=smallest, sample_weight=case.weights, **parameters
            )
        except SurelistError as error:
            raise RefusedError(f"path: {error}") from error
    for at in (smallest, *path.breakpoints, (smallest + path.segments[-1].stop) / 2):
        optimum = problem.optimum(at)
        found = path.at(at)
        if path.status == "optimal":
            assert found.objective == optimum, f"path at {at}: {found.objective}, not {optimum}"
        else:
            assert found.objective >= optimum, f"path at {at}"
    if not _keeps_all(case):
        return  # for their loss alone, antecedents count that no optimal list of a fit has
    longest = max(problem.max_length or 2, len({*problem.first, *problem.required}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        table = path.best_loss_by_length(longest if problem.max_length != 0 else 0)
    problem = problem_of(case, model, table.min_support)
    for row in table:
        optimum = problem.optimum(Fraction(0), row.length)
        assert row.lower_bound <= optimum <= row.loss, f"{row.length} rules: {optimum}, {row}"


CHECKS: dict[str, Callable[[Case, RuleListClassifier, Problem], None]] = {
    "certificate": check_certificate,
    "saved": check_saved,
    "exports": check_exports,
    "sql": check_sql,
    "path": check_path,
}


# Running, and making failures small.


def outcome(case: Case) -> tuple[str, str]:
    """Return ("optimal" and so on, ""), ("refused", why), or ("failed", how)."""
    try:
        return check(case), ""
    except RefusedError as refusal:
        return "refused", str(refusal)
    except Exception as error:  # whatever it is, it is a failure
        return "failed", f"{type(error).__name__}: {error}"


def shrunk(case: Case, seconds: float = 60) -> Case:
    """Leave out rows, columns and parameters, one after the other, while it still fails."""
    end = time.monotonic() + seconds
    kind = _kind(outcome(case))
    smaller = True
    while smaller and time.monotonic() < end:
        smaller = False
        for candidate in smaller_cases(case):
            if time.monotonic() >= end:
                break
            if _kind(outcome(candidate)) == kind:
                case, smaller = candidate, True
                break
    return case


def _kind(found: tuple[str, str]) -> tuple[str, str]:
    """What tells one failure from another: its error and the first word of what it says."""
    return found[0], " ".join(found[1].split()[:2])


def smaller_cases(case: Case) -> Iterator[Case]:
    for name in case.checks:
        yield replace(case, checks=tuple(other for other in case.checks if other != name))
    for name in case.parameters:
        if name != "regularization":
            rest = {other: value for other, value in case.parameters.items() if other != name}
            yield replace(case, parameters=rest)
    if case.container != "pandas":
        yield replace(case, container="pandas")
    if case.weights is not None:
        yield replace(case, weights=None)
    for name in case.columns:
        if len(case.columns) > 1:
            yield replace(case, columns={k: v for k, v in case.columns.items() if k != name})
    for row in range(len(case.y)):
        yield case.without(row)
    for name, value in case.parameters.items():
        if isinstance(value, list) and len(value) > 1 and name != "cost_matrix":
            for index in range(len(value)):
                shorter = [*value[:index], *value[index + 1 :]]
                yield replace(case, parameters={**case.parameters, name: shorter})


def script(case: Case, how: str) -> str:
    """The case as Python that can be run from the folder of the project."""
    used = repr(case.parameters)
    case = replace(case, meant={text: m for text, m in case.meant.items() if repr(text) in used})
    return (
        f"# {how}\n"
        "import sys; sys.path.insert(0, 'tests')\n"
        "import datetime\n"
        "from decimal import Decimal\n"
        "from fractions import Fraction\n"
        "from api_cases import Case\n"
        "from fuzz_api import check\n"
        "from surelist.conditions import Equals, Interval, IsTrue, Missing, OneOf\n"
        f"check({case!r})\n".replace(repr(object), "object")
    )


@dataclass
class Tally:
    """What became of the cases."""

    outcomes: Counter[str]
    refusals: Counter[str]
    failures: list[str]


def fuzz(seconds: float, seed: int = 0, most: int | None = None) -> Tally:
    """Try cases until the time is up, or so many of them were tried."""
    tally = Tally(Counter(), Counter(), [])
    end = time.monotonic() + seconds
    while time.monotonic() < end and (most is None or tally.outcomes.total() < most):
        case = draw(seed)
        found, how = outcome(case)
        tally.outcomes[found] += 1
        if found == "refused":
            tally.refusals[how[:60]] += 1
        elif found == "failed":
            small = shrunk(case)
            tally.failures.append(script(small, f"seed {seed}: {outcome(small)[1]}"))
            print(tally.failures[-1], flush=True)
        seed += 1
    return tally


def main(seconds: float, seed: int) -> int:
    tally = fuzz(seconds, seed)
    for why, number in tally.refusals.most_common(40):
        print(f"  refused {number:6,}  {why}")
    for name, number in sorted(tally.outcomes.items()):
        print(f"{name:12} {number:8,}")
    print(f"{tally.outcomes.total():,} cases from seed {seed} on, {len(tally.failures)} failures")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(float(given[0]) if given else 60, int(given[1]) if len(given) > 1 else 0))
