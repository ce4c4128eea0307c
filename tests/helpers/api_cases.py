"""Random uses of the public interface, as plain data that can be printed, changed and run again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from surelist import Binarizer, RuleListClassifier, SurelistError, _core
from surelist.conditions.conditions import Condition, IsTrue

Literal = tuple[Condition, bool]

PLAIN_NAMES = ("a", "b", "c", "age", "income (k)", "worst radius", "x0", "é", "日本")
ODD_NAMES = (
    *("a and b", "a) and (b", "not a", "(a)", '"a"', "a < 3", "a = b", "a is missing", "and"),
    *(" a", "a ", "", " ", "a\nb", "'", "\\", '"', "(", ")", "not", "in", "λ ≤ 1", "a in {b}"),
    *("(a) and (b)", "a  and  b", "A", "B", "true", "1", "1.5", "nan", "2020-01-01", "{a}", ","),
)
TEXTS = ("red", "green", "blue", "", " ", "a and b", "x, y", "(z)", '"q"', "nan", "None", "1", "é")


@dataclass(frozen=True)
class Case:
    """One use: columns with their kinds, labels, weights, parameters, and what to look at."""

    columns: dict[str, tuple[str, list[Any]]]
    y: list[Any]
    weights: list[float] | None
    parameters: dict[str, Any]
    meant: dict[str, tuple[Literal, ...]]  # what the texts among the parameters mean
    binarizer: dict[str, Any] | None
    container: str = "pandas"
    checks: tuple[str, ...] = ()
    spoiled: bool = (
        False  # something is wrong with it: it is to be refused, or to work all the same
    )

    @property
    def rows(self) -> list[dict[str, Any]]:
        names = list(self.columns)
        if self.container == "lists":
            names = [f"x{index}" for index in range(len(names))]
        cells = [values for _, values in self.columns.values()]
        return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]

    def arguments(self) -> dict[str, Any]:
        binarizer = None if self.binarizer is None else Binarizer(**self.binarizer)
        return {**self.parameters, "binarizer": binarizer}

    def without(self, row: int) -> Case:
        """The case without a row."""

        def rest(values: Sequence[Any]) -> list[Any]:
            return [*values[:row], *values[row + 1 :]]

        return replace(
            self,
            columns={name: (kind, rest(cells)) for name, (kind, cells) in self.columns.items()},
            y=rest(self.y),
            weights=None if self.weights is None else rest(self.weights),
        )


def draw(seed: int) -> Case:
    """Draw a case; the same one for the same seed."""
    random = Random(seed)
    n_rows = random.choice([4, 6, 8, 9, 10])
    columns = _columns(random, n_rows)
    y = _labels(random, columns, n_rows)
    case = Case(
        columns=columns,
        y=y,
        weights=_weights(random, n_rows),
        parameters=_parameters(random, y),
        meant={},
        binarizer=_binarizer(random),
        container=random.choice(["pandas", "pandas", "polars", "lists", "arrow"]),
        checks=tuple(
            name
            for name, share in (
                ("certificate", 0.4),
                ("saved", 0.2),
                ("exports", 0.2),
                ("sql", 0.15),
                ("path", 0.12),
            )
            if random.random() < share
        ),
    )
    # Databases have no columns without a name, and take two that differ in case alone for one.
    if "" in columns or len({name.lower() for name in columns}) < len(columns):
        case = replace(case, checks=tuple(name for name in case.checks if name != "sql"))
    case = _with_demands(random, case)
    return _spoiled(random, case) if random.random() < 0.08 else case


def _columns(random: Random, n_rows: int) -> dict[str, tuple[str, list[Any]]]:
    names = random.sample(PLAIN_NAMES, random.randint(1, 3))
    if random.random() < 0.4:
        names = list(
            dict.fromkeys(["a", "b", *random.sample(ODD_NAMES, random.randint(1, 2)), *names])
        )
        names = names[: random.randint(2, 4)]
    random.shuffle(names)
    columns: dict[str, tuple[str, list[Any]]] = {}
    for name in names:
        if columns and random.random() < 0.08:  # the same column again
            columns[name] = random.choice(list(columns.values()))
            continue
        kind = random.choice(
            ["bits", "bits", "bits", "whole", "real", "bool", "text", "day", "moment"]
        )
        values = [_value(random, kind) for _ in range(n_rows)]
        if random.random() < 0.1:
            values = values[:1] * n_rows
        if random.random() < 0.2:
            values = [None if random.random() < 0.25 else value for value in values]
        columns[name] = ("whole" if kind == "bits" else kind, values)
    return columns


def _value(random: Random, kind: str) -> Any:
    day = date(2020, 1, 1) + timedelta(random.choice([0, 1, 31, 366, 4000]))
    draws: dict[str, Callable[[], Any]] = {
        "bits": lambda: random.randint(0, 1),
        "whole": lambda: random.choice([0, 1, 2, 3, 5, -4, 100, 2**53, 10**15]),
        "real": lambda: random.choice([0.0, 0.1, 0.25, 1 / 3, -2.5, 1e-300, 1e15, 7.0]),
        "bool": lambda: random.random() < 0.5,
        "text": lambda: random.choice(TEXTS),
        "day": lambda: day,
        "moment": lambda: datetime(day.year, day.month, day.day, random.choice([0, 12]), 30),
    }
    return draws[kind]()


def _labels(random: Random, columns: dict[str, tuple[str, list[Any]]], n_rows: int) -> list[Any]:
    n_classes = random.choice([2, 2, 2, 3, 4])
    pools: list[list[Any]] = [
        ["no", "yes", "maybe", "?"],
        [0, 1, 2, 3],
        [-1, 1, 10**12, 7],
        ["", " ", "a and b", 'it\'s "x"'],
        [0.0, 1.0, 2.0, 3.0],
        ["é", "日本", "λ", "\n"],
    ]
    pool = random.choice(pools)[:n_classes]
    if n_classes == 2 and random.random() < 0.2:
        pool = [False, True]
    driver = random.choice(list(columns.values()))[1]
    ranks = {value: index for index, value in enumerate(dict.fromkeys(map(str, driver)))}
    labels = [pool[ranks[str(value)] % n_classes] for value in driver]
    noise = random.choice([0.0, 0.1, 0.3])
    labels = [random.choice(pool) if random.random() < noise else label for label in labels]
    labels[:n_classes] = pool
    return labels[:n_rows]


def _weights(random: Random, n_rows: int) -> list[float] | None:
    kinds: list[Sequence[float]] = [(1, 2, 3), (0, 1, 5), (0.5, 1.5), (0.1, 0.7, 1 / 3)]
    kinds += [(1e12, 3e12), (1e-9, 2e-9), (1e-6, 1e6), (1e290, 3e290), (2.0**52, 1)]
    if random.random() < 0.5:
        return None
    kind = random.choice(kinds)
    return [float(random.choice(kind)) for _ in range(n_rows)]


def _binarizer(random: Random) -> dict[str, Any] | None:
    if random.random() < 0.2:
        return None
    return {
        "strategy": random.choice(["auto", "quantile", "uniform"]),
        "n_cuts": random.choice([1, 1, 2]),
        "intervals": random.random() < 0.2,
        "min_frequency": random.choice([0.0, 0.1, 0.3]),
        "max_features": random.choice([None, 4]),
    }


def _parameters(random: Random, y: list[Any]) -> dict[str, Any]:
    labels = sorted(set(y), key=str)
    chosen: dict[str, Any] = {
        "regularization": random.choice(
            [0.01, 0.05, 0.1, 0.2, 0, Fraction(1, 3), Decimal("0.0125"), 0.001]
        )
    }

    def some(share: float, name: str, make: Callable[[], Any]) -> None:
        if random.random() < share:
            chosen[name] = make()

    some(0.6, "max_clauses", lambda: random.choice([1, 1, 2, 3]))
    some(0.3, "negations", lambda: True)
    some(0.2, "min_support", lambda: random.choice([0, 0.1, 0.3, Fraction(1, 7)]))
    some(0.2, "max_length", lambda: random.choice([0, 1, 2, 3]))
    some(0.2, "policy", lambda: random.choice(_core.policy_names()))
    some(0.2, "symmetry", lambda: random.choice(_core.symmetry_names()))
    some(0.2, "bounds", lambda: [b for b in _core.bound_names() if random.random() < 0.6])
    some(0.2, "class_weight", lambda: _class_weight(random, labels))
    some(0.3, "cost_matrix", lambda: _cost_matrix(random, labels))
    some(0.2, "dnf", lambda: _rule_label(random, labels))
    some(0.15, "antecedent_costs", lambda: "clauses")
    some(0.1, "time_limit", lambda: random.choice([1e-9, 0.01, 5]))
    some(0.1, "memory_limit", lambda: random.choice([1000, "100kB", "5MB"]))
    some(0.15, "max_prefixes", lambda: random.choice([1, 2, 5, 20]))
    some(0.15, "n_jobs", lambda: 2)
    some(0.1, "random_state", lambda: random.randrange(100))
    some(0.1, "laplace", lambda: 1.0)
    return chosen


def _rule_label(random: Random, labels: list[Any]) -> Any:
    label = random.choice(labels)
    return int(label) if isinstance(label, bool) else label


def _class_weight(random: Random, labels: list[Any]) -> Any:
    if random.random() < 0.4:
        return "balanced"
    return {label: random.choice([0, 0.5, 1, 3, 7.5]) for label in labels if random.random() < 0.7}


def _cost_matrix(random: Random, labels: list[Any]) -> Any:
    costs = [0, 1, 2, 0.1, 0.5, Fraction(1, 3), Decimal("2.75"), 5]
    if random.random() < 0.4:
        return [[0 if c == q else random.choice(costs) for q in labels] for c in labels]
    return {
        c: {q: random.choice(costs) for q in labels if c != q and random.random() < 0.5}
        for c in labels
        if random.random() < 0.7
    }


# Demands: texts with what they mean.


def _with_demands(random: Random, case: Case) -> Case:
    conditions = _conditions(random, case)
    if not conditions or random.random() < 0.4:
        return case
    parameters, meant = dict(case.parameters), dict(case.meant)

    def texts(most: int) -> list[str]:
        found = []
        for _ in range(random.randint(1, most)):
            chosen = random.sample(conditions, min(len(conditions), random.choice([1, 1, 2])))
            conjunction = tuple((one, random.random() < 0.15) for one in chosen)
            text = spelled(random, conjunction, case.columns)
            if meant.setdefault(text, conjunction) != conjunction:
                continue  # a text of two meanings, of which only one can be told by its text
            found.append(text)
        return found

    for name, share, most in (
        ("first", 0.25, 2),
        ("required", 0.25, 2),
        ("forbidden", 0.3, 3),
        ("antecedents", 0.3, 3),
    ):
        if random.random() < share:
            parameters[name] = texts(most)
    if "antecedents" in parameters and random.random() < 0.4:
        parameters["antecedents_only"] = True
    if random.random() < 0.25:
        prices = [0, 0.5, 2, Fraction(1, 3), 1, 3]
        parameters["antecedent_costs"] = {text: random.choice(prices) for text in texts(3)}
    return replace(case, parameters=parameters, meant=meant)


def _conditions(random: Random, case: Case) -> list[Condition]:
    """Conditions on the columns of a case, most of them those that a binarizer chooses."""
    from fuzz_api import table_of

    how: dict[str, Any] = {"strategy": "quantile", "n_cuts": 1, "min_frequency": 0.0}
    try:
        found = list(Binarizer(**how).fit(table_of(case)).conditions_)
    except SurelistError:
        return []
    random.shuffle(found)
    return found[:5]


def spelled(random: Random, conjunction: tuple[Literal, ...], names: Collection[str]) -> str:
    """An antecedent in one of the ways in which it may be written; ``names`` are all columns."""
    quoted = random.random() < 0.3
    parts = []
    for condition, negated in conjunction:
        # What a 0/1 column is called means that column first, and quotes are those around a name.
        taken = str(condition) in names and not isinstance(condition, IsTrue)
        name = condition.text(quoted=quoted or taken or '"' in condition.column)
        bare = f"not {name}" if negated else name
        parts.append(bare if random.random() < 0.3 else f"({bare})")
    random.shuffle(parts)
    return " and ".join(parts)


# What cannot be used.

_TOKENS = (
    *'ab()<≤=3"{},é\\',
    "and",
    "not",
    "in",
    "or",
    "is",
    "missing",
    '"a"',
    "1e999",
    "!=",
    "nan",
)
_NONSENSE: tuple[Any, ...] = (
    -1,
    1.5,
    "x",
    None,
    [],
    {},
    True,
    float("nan"),
    float("inf"),
    10**400,
    b"x",
    object,
)


def _spoiled(random: Random, case: Case) -> Case:
    """The case with something odd in its labels, weights, parameters or texts."""
    kind = random.choice(["label", "weight", "parameter", "text"])
    row = random.randrange(len(case.y))
    case = replace(case, spoiled=True)
    odd: list[Any]
    if kind == "label":
        odd = [1, "1", True, 1.0, None, float("nan"), 2**70, Decimal(1), b"a", (), date(2020, 1, 1)]
        return replace(case, y=[*case.y[:row], random.choice(odd), *case.y[row + 1 :]])
    if kind == "weight":
        odd = [-1, float("nan"), float("inf"), None, "1", 10**400, 1e308, True, Fraction(1, 3), 1j]
        weights = list(case.weights or [1.0] * len(case.y))
        return replace(case, weights=[*weights[:row], random.choice(odd), *weights[row + 1 :]])
    if kind == "text":
        texts = [" ".join(random.choices(_TOKENS, k=random.randint(0, 7))) for _ in range(2)]
        name = random.choice(
            [
                "first",
                "required",
                "forbidden",
                "antecedents",
                "antecedent_costs",
                "initial_rule_list",
            ]
        )
        value: Any = dict.fromkeys(texts, 2) if name == "antecedent_costs" else texts
        return replace(case, parameters={**case.parameters, name: value})
    names = sorted(RuleListClassifier().get_params(deep=False))
    name = random.choice(
        [name for name in names if name not in ("checkpoint", "certificate", "binarizer")]
    )
    # Whatever can be called may be told of progress, and what it raises comes out as it is.
    values = [value for value in _NONSENSE if name != "progress" or not callable(value)]
    return replace(case, parameters={**case.parameters, name: random.choice(values)})
