"""Rule lists: the model a person reads.

A rule list is a prefix of rules, each an antecedent and a label, and a default label. Everything
here is immutable; the numbers a list carries are whole weights of its training rows, so its loss
and objective are exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist._shown import shown
from surelist.conditions import Condition
from surelist.errors import InputError
from surelist.inputs import read_features
from surelist.regularization import exact, text

__all__ = ["Antecedent", "Clause", "Explanation", "Rule", "RuleList"]

_FORMAT = "surelist rule list"
_VERSION = 1


@dataclass(frozen=True)
class Clause:
    """One Boolean feature, or its negation.

    Parameters
    ----------
    feature : int
        Position of the feature among the columns that were searched.
    name : str
        What it is called.
    negated : bool
    condition : Condition, optional
        What the feature asks of a column of the raw table; None where that table had 0/1 columns,
        of which ``name`` is one.

    Examples
    --------
    >>> from surelist import Clause
    >>> str(Clause(feature=0, name="sex = male", negated=True))
    '(not sex = male)'
    """

    feature: int
    name: str
    negated: bool = False
    condition: Condition | None = None

    @property
    def text(self) -> str:
        """The clause without parentheses."""
        return f"not {self.name}" if self.negated else self.name

    def __str__(self) -> str:
        return f"({self.text})"


@dataclass(frozen=True)
class Antecedent:
    """A conjunction of clauses.

    Parameters
    ----------
    clauses : tuple of Clause
    aliases : tuple of tuples of Clause
        Other conjunctions that capture exactly the same training rows. On new data they may
        differ: the rule list goes by ``clauses``.

    Examples
    --------
    >>> from surelist import Antecedent, Clause
    >>> str(Antecedent((Clause(0, "age = 18-20"), Clause(1, "sex = male"))))
    '(age = 18-20) and (sex = male)'
    """

    clauses: tuple[Clause, ...]
    aliases: tuple[tuple[Clause, ...], ...] = ()

    def captures(self, matrix: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which rows of a 0/1 matrix fulfil every clause."""
        captured = np.ones(len(matrix), dtype=np.bool_)
        for clause in self.clauses:
            captured &= matrix[:, clause.feature] != clause.negated
        return captured

    def __str__(self) -> str:
        return " and ".join(map(str, self.clauses))


@dataclass(frozen=True)
class Rule:
    """An antecedent with its label, and what it captured of the training rows.

    Parameters
    ----------
    antecedent : Antecedent or None
        None for the default rule, which captures what no other rule did.
    label
        The class it predicts.
    correct : int
        Weight of the captured training rows that have this label.
    weights : tuple of int
        Weight of the captured training rows by class, in the order of ``RuleList.classes``.
    """

    antecedent: Antecedent | None
    label: Any
    correct: int
    weights: tuple[int, ...]

    @property
    def captured(self) -> int:
        """Weight of the training rows it captured."""
        return sum(self.weights)

    @property
    def accuracy(self) -> float:
        """Share of the captured weight that has the label; NaN where nothing was captured."""
        return self.correct / self.captured if self.captured else float("nan")

    def __str__(self) -> str:
        if self.antecedent is None:
            return f"predict {self.label}"
        return f"if {self.antecedent} then predict {self.label}"


@dataclass(frozen=True)
class Explanation:
    """Why a row gets its prediction: the one rule that captured it.

    Attributes
    ----------
    rule : int
        Position of the rule; the default comes after all others.
    antecedent : str
        Text of its antecedent; empty for the default.
    label
        The predicted class.
    captured : int
        Weight of the training rows that the rule captured.
    support, accuracy : float
        ``captured`` as a share of all training weight, and how much of it has the label.
    """

    rule: int
    antecedent: str
    label: Any
    captured: int
    support: float
    accuracy: float

    def __str__(self) -> str:
        why = self.antecedent or "no rule applies"
        record = f"right on {self.accuracy:.1%} of the {self.captured:,} it captured in training"
        return f"{self.label}: {why} ({record if self.captured else 'captured none in training'})"


@dataclass(frozen=True)
class RuleList:
    """A rule list as fitted: ``if … then predict … else if … else predict …``.

    Parameters
    ----------
    rules : tuple of Rule
        The prefix, in order. Its length is the length K of the rule list.
    default : Rule
        What is predicted where no rule captures; its antecedent is None.
    classes : tuple
        The class labels, in order.
    feature_names : tuple of str
        One name per column of the matrices that ``predict`` takes.
    regularization : Fraction
        The price λ of one rule.
    columns : tuple of str, optional
        The columns of the raw table that the clauses' conditions ask about; None where the table
        had 0/1 columns, which are the features.

    Examples
    --------
    >>> from surelist import RuleListClassifier
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5
    >>> y = ["no", "no", "yes", "no"] * 5
    >>> rule_list = RuleListClassifier(regularization=0.05, negations=True).fit(X, y).rule_list_
    >>> print(rule_list)
    if (x0) and (not x1) then predict yes
    else predict no
    >>> rule_list.predict([[1, 0], [1, 1]]).tolist()
    ['yes', 'no']
    >>> rule_list.objective
    Fraction(1, 20)
    """

    rules: tuple[Rule, ...]
    default: Rule
    classes: tuple[Any, ...]
    feature_names: tuple[str, ...]
    regularization: Fraction
    columns: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.rules)

    def __bool__(self) -> bool:
        # A list of length 0 still predicts its default label.
        return True

    @property
    def total_weight(self) -> int:
        """Weight of all training rows."""
        return self.default.captured + sum(rule.captured for rule in self.rules)

    @property
    def loss(self) -> Fraction:
        """Share of the training weight that the list misclassifies."""
        correct = self.default.correct + sum(rule.correct for rule in self.rules)
        return 1 - Fraction(correct, self.total_weight)

    @property
    def objective(self) -> Fraction:
        """Loss plus λ for each rule."""
        return self.loss + self.regularization * len(self.rules)

    def captures(self, X: Any) -> NDArray[np.intp]:
        """Return for each row the position of the rule that captures it; K is the default.

        Parameters
        ----------
        X : array-like or data frame of 0/1 values
            The columns of the training data in their order.
        """
        return self._captures(self._read(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row."""
        return np.asarray(self.classes)[self.label_codes[self.captures(X)]]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return for each row the share of each class in what its rule captured in training."""
        return self.class_shares[self.captures(X)]

    def explain(self, X: Any) -> list[Explanation]:
        """Return for each row the rule that captures it and how good that rule was in training."""
        explanations = self.explanations
        return [explanations[index] for index in self.captures(X)]

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """What is said of a row that a rule captured, for each rule, the default last."""
        return tuple(self._explanation(index) for index in range(len(self._all)))

    def _explanation(self, index: int) -> Explanation:
        rule = self._all[index]
        return Explanation(
            rule=index,
            antecedent="" if rule.antecedent is None else str(rule.antecedent),
            label=rule.label,
            captured=rule.captured,
            support=rule.captured / self.total_weight,
            accuracy=rule.accuracy,
        )

    def rename(self, feature_names: Sequence[str]) -> RuleList:
        """Return the same rule list with other names for its features.

        Examples
        --------
        >>> from surelist import RuleListClassifier
        >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
        >>> print(model.rule_list_.rename(["age = 18-20"]))
        if (age = 18-20) then predict yes
        else predict no
        """
        names = tuple(feature_names)
        texts = {name for name in names if isinstance(name, str)}
        if not len(texts) == len(names) == len(self.feature_names):
            raise InputError(
                f"{len(self.feature_names)} different names are needed; got {shown(names)}"
            )

        def renamed(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
            return tuple(replace(clause, name=names[clause.feature]) for clause in clauses)

        rules = tuple(
            replace(rule, antecedent=Antecedent(renamed(a.clauses), tuple(map(renamed, a.aliases))))
            for rule in self.rules
            if (a := rule.antecedent) is not None
        )
        return replace(self, rules=rules, feature_names=names)

    @cached_property
    def label_codes(self) -> NDArray[np.intp]:
        """For each rule, the default last, the position of its label in ``classes``."""
        codes = np.array([self.classes.index(rule.label) for rule in self._all], dtype=np.intp)
        codes.setflags(write=False)
        return codes

    @cached_property
    def class_shares(self) -> NDArray[np.float64]:
        """For each rule, the default last, the share of each class in what it captured.

        A default rule that captured nothing is sure of its label.
        """
        shares = np.zeros((len(self._all), len(self.classes)))
        for row, rule, code in zip(shares, self._all, self.label_codes, strict=True):
            if rule.captured:
                row[:] = [weight / rule.captured for weight in rule.weights]
            else:
                row[code] = 1.0
        shares.setflags(write=False)
        return shares

    @property
    def _all(self) -> tuple[Rule, ...]:
        return (*self.rules, self.default)

    def _read(self, X: Any) -> NDArray[np.uint8]:
        features = read_features(X)
        expected = len(self.feature_names)
        if len(features.names) != expected:
            raise InputError(f"X has {len(features.names)} columns; the rule list knows {expected}")
        if features.named and features.names != self.feature_names:
            pairs = zip(features.names, self.feature_names, strict=True)
            column, (given, wanted) = next((i, p) for i, p in enumerate(pairs) if p[0] != p[1])
            raise InputError(
                f"column {column} of X is called {given!r} where the rule list has {wanted!r}; "
                "pass the columns of the training data in their order"
            )
        return features.matrix

    def _captures(self, matrix: NDArray[np.uint8]) -> NDArray[np.intp]:
        captured_by = np.full(len(matrix), len(self.rules), dtype=np.intp)
        for index in reversed(range(len(self.rules))):
            antecedent = self.rules[index].antecedent
            if antecedent is not None:
                captured_by[antecedent.captures(matrix)] = index
        return captured_by

    def lines(self) -> tuple[str, ...]:
        """Return the text of each rule, the default last, as the paper prints them."""
        texts = [f"else {rule}" for rule in self._all]
        texts[0] = texts[0].removeprefix("else ")
        return tuple(texts)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{title}</th>" for title in ("rule", "captured", "correct"))
        body = "".join(
            f'<tr><td style="text-align: left"><code>{escape(line)}</code></td>'
            f"<td>{rule.captured:,}</td><td>{_percent(rule)}</td></tr>"
            for line, rule in zip(self.lines(), self._all, strict=True)
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __getstate__(self) -> dict[str, Any]:
        # The cached arrays are quick to make again.
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def to_dict(self) -> dict[str, Any]:
        """Return the rule list as a versioned dictionary that JSON can hold.

        Raises
        ------
        InputError
            Where a class is neither text nor a number nor a bool.
        """
        for label in self.classes:
            if not isinstance(label, str | int | float):
                raise InputError(f"JSON cannot hold the class {shown(label)}; use text or numbers")
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "classes": list(self.classes),
            "feature_names": list(self.feature_names),
            "regularization": text(self.regularization),
            "rules": [_rule_to_dict(rule, self.classes) for rule in self.rules],
            "default": _rule_to_dict(self.default, self.classes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RuleList:
        """Read what ``to_dict`` returned.

        Raises
        ------
        InputError
            For anything else, and for a version that is newer than this package.
        """
        if not isinstance(data, Mapping) or data.get("format") != _FORMAT:
            raise InputError(f"this is not a {_FORMAT}: its key 'format' does not say so")
        if data.get("version") != _VERSION:
            raise InputError(
                f"this {_FORMAT} has version {shown(data.get('version'))}; "
                f"this package reads version {_VERSION}"
            )
        try:
            return _read(data)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise InputError(f"this {_FORMAT} is damaged: {error!r}") from error


def _rule_to_dict(rule: Rule, classes: tuple[Any, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {"label": classes.index(rule.label), "weights": list(rule.weights)}
    if rule.antecedent is not None:
        data["clauses"] = _clauses_to_list(rule.antecedent.clauses)
        data["aliases"] = [_clauses_to_list(clauses) for clauses in rule.antecedent.aliases]
    return data


def _clauses_to_list(clauses: tuple[Clause, ...]) -> list[dict[str, Any]]:
    return [{"feature": clause.name, "negated": clause.negated} for clause in clauses]


def _read(data: Mapping[str, Any]) -> RuleList:
    classes = tuple(data["classes"])
    names = {_expect(name, str): index for index, name in enumerate(data["feature_names"])}

    def clauses(items: list[dict[str, Any]]) -> tuple[Clause, ...]:
        return tuple(
            Clause(names[item["feature"]], item["feature"], _expect(item["negated"], bool))
            for item in items
        )

    def rule(item: Mapping[str, Any], antecedent: Antecedent | None) -> Rule:
        weights = tuple(_expect(weight, int) for weight in item["weights"])
        if len(weights) != len(classes) or min(weights) < 0:
            raise ValueError(f"weights {list(weights)} are not one weight per class")
        label = _expect(item["label"], int)
        if not 0 <= label < len(classes):
            raise ValueError(f"label {label} is not the position of a class")
        return Rule(antecedent, classes[label], weights[label], weights)

    def antecedent(item: Mapping[str, Any]) -> Antecedent:
        return Antecedent(clauses(item["clauses"]), tuple(map(clauses, item["aliases"])))

    rule_list = RuleList(
        rules=tuple(rule(item, antecedent(item)) for item in data["rules"]),
        default=rule(data["default"], None),
        classes=classes,
        feature_names=tuple(names),
        regularization=exact(_short_fraction(data["regularization"])),
    )
    if len(names) != len(data["feature_names"]) or rule_list.total_weight == 0:
        raise ValueError("a feature name occurs twice, or no rule has any weight")
    return rule_list


def _short_fraction(value: Any) -> Fraction:
    # The file may come from anyone; a large exponent would keep Fraction busy for ever.
    if not re.fullmatch(r"[0-9.]{1,99}(/[0-9]{1,99})?", _expect(value, str)):
        raise ValueError(f"regularization {shown(value)} is neither a decimal nor a fraction")
    return Fraction(value)


def _expect(value: Any, kind: type) -> Any:
    # bool is an int in Python, but not in this file.
    if type(value) is not kind:
        raise TypeError(f"{shown(value)} is not of type {kind.__name__}")
    return value


def _percent(rule: Rule) -> str:
    return f"{rule.accuracy:.1%}" if rule.captured else "—"
