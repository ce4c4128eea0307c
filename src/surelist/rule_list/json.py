"""Rule lists as versioned dictionaries that JSON can hold; docs/model_format.md describes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from surelist._common.messages import shown
from surelist._common.strict_json import DamagedError, Place
from surelist.conditions.conditions import condition_from_dict
from surelist.errors import InputError
from surelist.rule_list.rules import Antecedent, Clause, Rule
from surelist.tables.regularization import exact, text

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList

__all__ = ["FORMAT", "VERSION", "check_version", "read_rule_list", "rule_list_to_dict"]

FORMAT = "surelist rule list"
VERSION = 1

_KEYS = {"format", "version", "classes", "feature_names", "regularization", "rules", "default"}


def rule_list_to_dict(rule_list: RuleList) -> dict[str, Any]:
    """Return a rule list as a dictionary; see `RuleList.to_dict`."""
    classes = rule_list.classes
    for label in classes:
        if type(label) not in (str, int, float, bool):
            raise InputError(f"JSON cannot hold the class {shown(label)}; use text or numbers")
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "classes": list(classes),
        "feature_names": list(rule_list.feature_names),
        "regularization": text(rule_list.regularization),
        "rules": [_rule_to_dict(rule, classes) for rule in rule_list.rules],
        "default": _rule_to_dict(rule_list.default, classes),
    }
    if rule_list.columns is not None:
        data["columns"] = list(rule_list.columns)
    if rule_list.cost_matrix is not None:
        data["cost_matrix"] = [[str(cost) for cost in row] for row in rule_list.cost_matrix]
    return data


def _rule_to_dict(rule: Rule, classes: tuple[Any, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {"label": classes.index(rule.label), "weights": list(rule.weights)}
    if rule.antecedent is not None:
        data["clauses"] = _clauses_to_list(rule.antecedent.clauses)
        data["aliases"] = [_clauses_to_list(clauses) for clauses in rule.antecedent.aliases]
    if rule.cost != 1:
        data["cost"] = str(rule.cost)
    return data


def _clauses_to_list(clauses: tuple[Clause, ...]) -> list[dict[str, Any]]:
    return [_clause_to_dict(clause) for clause in clauses]


def _clause_to_dict(clause: Clause) -> dict[str, Any]:
    data: dict[str, Any] = {"feature": clause.name, "negated": clause.negated}
    if clause.condition is not None:
        data["condition"] = clause.condition.to_dict()
    return data


def check_version(top: Place, name: str, version: int) -> None:
    """Refuse what is of another format, or of a version that this package cannot know.

    Raises
    ------
    DamagedError
    """
    if not isinstance(top.value, Mapping) or top.value.get("format") != name:
        raise top.fault(f"this is not a {name}: its key 'format' does not say so")
    found = top["version"].value
    if type(found) is not int or found < 1:
        raise top["version"].fault(f"expected a version number, found {shown(found)}")
    if found > version:
        raise top["version"].fault(
            f"this {name} has version {shown(found)}, and this package reads up to {version}: "
            "install a newer Surelist"
        )


def read_rule_list(top: Place) -> dict[str, Any]:
    """Read what `rule_list_to_dict` returned into the fields of a `RuleList`.

    Raises
    ------
    DamagedError
        Saying where the first thing wrong is, and what.
    """
    check_version(top, FORMAT, VERSION)
    top.keys(_KEYS, frozenset({"columns", "cost_matrix"}))
    classes = _read_classes(top["classes"])
    names = _read_names(top["feature_names"])
    rules = tuple(_Reader(classes, names).rule(item) for item in top["rules"].items())
    default = top["default"].keys({"label", "weights"})
    fields = {
        "rules": rules,
        "default": _Reader(classes, names).counted(default, None),
        "classes": classes,
        "feature_names": tuple(names),
        "regularization": _read_regularization(top["regularization"]),
    }
    if not any(rule.captured for rule in (*rules, fields["default"])):
        raise top.fault("no rule has captured any weight")
    if (columns := top.get("columns")) is not None:
        fields["columns"] = tuple(_read_names(columns))
    if (matrix := top.get("cost_matrix")) is not None:
        fields["cost_matrix"] = _read_costs(matrix, len(classes))
    _check_columns(top, rules, fields.get("columns"))
    return fields


def _read_regularization(place: Place) -> Any:
    try:
        return exact(place.fraction())
    except InputError as error:
        raise place.fault(str(error)) from None


def _read_classes(place: Place) -> tuple[Any, ...]:
    labels = [item.value for item in place.items()]
    kinds = {type(label) for label in labels}
    if len(labels) < 2 or len(kinds) > 1 or not kinds <= {str, int, float, bool}:
        raise place.fault("expected two or more texts, or numbers, or bools")
    if any(isinstance(label, float) and not math.isfinite(label) for label in labels):
        raise place.fault("a class is not a finite number")
    if len(set(labels)) < len(labels):
        raise place.fault("a class occurs twice")
    return tuple(labels)


def _read_costs(place: Place, n_classes: int) -> Any:
    rows = tuple(tuple(_read_cost(cost) for cost in row.items()) for row in place.items())
    if len(rows) != n_classes or any(len(row) != n_classes for row in rows):
        raise place.fault(f"expected {n_classes} rows and columns, one for each class")
    return rows


def _read_cost(place: Place) -> Fraction:
    cost = place.fraction()
    if cost < 0:
        raise place.fault("a cost is negative")
    return cost


def _read_names(place: Place) -> dict[str, int]:
    names: dict[str, int] = {}
    for index, item in enumerate(place.items()):
        if names.setdefault(item.text(), index) != index:
            raise item.fault(f"the name {shown(item.value)} occurs twice")
    return names


def _check_columns(top: Place, rules: tuple[Rule, ...], columns: tuple[str, ...] | None) -> None:
    """Conditions are about columns of the raw table; without one there can be none."""
    known = set(columns or ())
    for index, rule in enumerate(rules):
        antecedent = rule.antecedent
        for clauses in () if antecedent is None else (antecedent.clauses, *antecedent.aliases):
            for clause in clauses:
                if (clause.condition is None) != (columns is None):
                    raise top.fault(f"rules[{index}] and 'columns' disagree on conditions")
                if columns is not None and clause.asks.column not in known:
                    name = shown(clause.asks.column)
                    raise top.fault(f"rules[{index}] asks about {name}, which is not a column")


class _Reader:
    """Reads rules over given classes and features."""

    def __init__(self, classes: tuple[Any, ...], names: dict[str, int]) -> None:
        self.classes = classes
        self.names = names

    def rule(self, place: Place) -> Rule:
        place.keys({"label", "weights", "clauses", "aliases"}, frozenset({"cost"}))
        aliases = tuple(map(self.conjunction, place["aliases"].items()))
        return self.counted(place, Antecedent(self.conjunction(place["clauses"]), aliases))

    def counted(self, place: Place, antecedent: Antecedent | None) -> Rule:
        weights = tuple(item.whole(0) for item in place["weights"].items())
        if len(weights) != len(self.classes):
            raise place["weights"].fault(
                f"expected a weight for each of {len(self.classes)} classes, found {len(weights)}"
            )
        label = place["label"].whole(0, len(self.classes))
        cost = place.get("cost") if antecedent is not None else None
        read = Fraction(1) if cost is None else _read_cost(cost)
        return Rule(antecedent, self.classes[label], weights[label], weights, read)

    def conjunction(self, place: Place) -> tuple[Clause, ...]:
        clauses = tuple(map(self.clause, place.items()))
        if not clauses:
            raise place.fault("an antecedent needs at least one clause")
        return clauses

    def clause(self, place: Place) -> Clause:
        place.keys({"feature", "negated"}, frozenset({"condition"}))
        name = place["feature"].text()
        if name not in self.names:
            raise place["feature"].fault(f"{shown(name)} is not among the feature names")
        condition = place.get("condition")
        try:
            read = None if condition is None else condition_from_dict(condition.value)
        except InputError as error:
            raise DamagedError(place["condition"].path, str(error)) from None
        return Clause(self.names[name], name, place["negated"].flag(), read)
