"""Rule lists: the model a person reads.

A rule list is a prefix of rules, each an antecedent and a label, and a default label. It is
immutable; the numbers it carries are whole weights of its training rows, so its loss and objective
are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from surelist._common.messages import shown
from surelist._common.strict_json import DamagedError, Place
from surelist.errors import InputError
from surelist.rule_list.json import FORMAT, read_rule_list, rule_list_to_dict
from surelist.rule_list.rules import Antecedent, Clause, Explanation, Rule, used_columns
from surelist.rule_list.table import read_laplace, rule_table, smoothed_shares
from surelist.tables.binary_matrix import read_features

if TYPE_CHECKING:
    import pandas as pd

    from surelist.conditions.conditions import Condition
    from surelist.tables.table import Table

__all__ = ["Antecedent", "Clause", "Explanation", "Rule", "RuleList", "by_columns"]


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
        One name per Boolean feature. Without ``columns`` these are the columns of the tables that
        ``predict`` takes.
    regularization : Fraction
        The price λ of one rule.
    columns : tuple of str, optional
        The columns of the raw table where the clauses carry conditions on it; ``predict`` then
        takes such tables. None for tables of 0/1 columns.
    cost_matrix : tuple of tuples of Fraction, optional
        What predictions cost, by class and prediction. None: every wrong one costs 1.

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
    cost_matrix: tuple[tuple[Fraction, ...], ...] | None = None

    def __post_init__(self) -> None:
        clauses = (clause for rule in self.rules for clause in rule.clauses)
        if self.columns is None and any(clause.condition is not None for clause in clauses):
            object.__setattr__(self, "columns", tuple(used_columns(self.rules)))

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
        """Share of the training weight that the list misclassifies, or what that costs."""
        if self.cost_matrix is not None:
            costs = (
                weight * row[code]
                for rule, code in zip(self.all_rules, self.label_codes, strict=True)
                for weight, row in zip(rule.weights, self.cost_matrix, strict=True)
            )
            return sum(costs, Fraction(0)) / self.total_weight
        return 1 - Fraction(self._correct, self.total_weight)

    @property
    def accuracy(self) -> float:
        """Share of the training weight that the list classifies correctly, whatever that costs."""
        return self._correct / self.total_weight

    @property
    def _correct(self) -> int:
        return sum(rule.correct for rule in self.all_rules)

    @property
    def objective(self) -> Fraction:
        """Loss plus λ for each rule, times what the rule costs."""
        costs = sum((rule.cost for rule in self.rules), Fraction(0))
        return self.loss + self.regularization * costs

    def captures(self, X: Any) -> NDArray[np.intp]:
        """Return for each row the position of the rule that captures it; K is the default.

        Parameters
        ----------
        X : array-like or data frame
            Of 0/1 values, the columns of the training data in their order. A list whose clauses
            carry conditions takes a raw table instead: a data frame needs no more than the columns
            that the rules ask about, in any order; an array needs all, in their order.
        """
        if self.columns is not None:
            return self._captures_raw(X, self.columns)
        return self.captures_features(self._read(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row."""
        return np.asarray(self.classes)[self.label_codes[self.captures(X)]]

    def predict_proba(self, X: Any, laplace: float = 0.0) -> NDArray[np.float64]:
        """Return for each row the share of each class in what its rule captured in training.

        Parameters
        ----------
        X : array-like or data frame
        laplace : float, default=0.0
            Weight that is added to each class beforehand: Laplace's rule of succession has 1.
        """
        shares = smoothed_shares(self, laplace) if read_laplace(laplace) else self.class_shares
        return shares[self.captures(X)]

    def explain(self, X: Any) -> list[Explanation]:
        """Return for each row the rule that captures it and how good that rule was in training."""
        explanations = self.explanations
        return [explanations[index] for index in self.captures(X)]

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """What is said of a row that a rule captured, for each rule, the default last."""
        return tuple(self._explanation(index) for index in range(len(self.all_rules)))

    def _explanation(self, index: int) -> Explanation:
        rule = self.all_rules[index]
        return Explanation(
            rule=index,
            antecedent="" if rule.antecedent is None else str(rule.antecedent),
            label=rule.label,
            captured=rule.captured,
            support=rule.captured / self.total_weight,
            accuracy=rule.accuracy,
        )

    def rule_table(self, laplace: float = 0.0) -> pd.DataFrame:
        """Return the rules as a pandas data frame, the default last.

        Parameters
        ----------
        laplace : float, default=0.0
            As for ``predict_proba``.

        Returns
        -------
        pandas.DataFrame
            ``rule`` as it prints; ``label``; ``captured`` and ``correct``, weights of training
            rows; ``probability`` of the label; ``support`` and ``cumulative``, the shares of all
            weight that this rule, and all rules up to it, captured.

        Examples
        --------
        >>> from surelist import RuleListClassifier
        >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
        >>> print(model.rule_list_.rule_table())
              rule label  captured  correct  probability  support  cumulative
        0  if (x0)   yes         5        5          1.0      0.5         0.5
        1     else    no         5        5          1.0      0.5         1.0
        """
        return rule_table(self, laplace)

    def export(self, format: str = "text", **options: Any) -> str:  # noqa: A002
        """Return the rule list as text in another language; see `surelist.export`.

        Parameters
        ----------
        format : str, default="text"
            "text", "json", "latex", "python", "sql" or "dot".
        **options
            What the function of that format takes, such as ``table`` for "sql".

        Examples
        --------
        >>> from surelist import RuleListClassifier
        >>> model = RuleListClassifier().fit([[0], [1]] * 5, ["no", "yes"] * 5)
        >>> print(model.rule_list_.export("sql"))
        CASE
          WHEN "x0" = 1 THEN 'yes'
          ELSE 'no'
        END
        """
        from surelist.rule_list.export import export

        return export(self, format, **options)

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
        codes = np.array([self.classes.index(rule.label) for rule in self.all_rules], dtype=np.intp)
        codes.setflags(write=False)
        return codes

    @cached_property
    def class_shares(self) -> NDArray[np.float64]:
        """For each rule, the default last, the share of each class in what it captured.

        A default rule that captured nothing is sure of its label.
        """
        shares = smoothed_shares(self, 0.0)
        shares.setflags(write=False)
        return shares

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """The rules in order, and then the default."""
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

    def _captures_raw(self, X: Any, columns: tuple[str, ...]) -> NDArray[np.intp]:
        # A list of 0/1 columns has no use for it, and need not wait for the import.
        from surelist.tables.table import read_table

        table = read_table(X)
        if not table.named and len(table.names) != len(columns):
            raise InputError(
                f"X has {len(table.names)} columns; the rule list knows {len(columns)}"
            )
        position = {name: i for i, name in enumerate(table.names if table.named else columns)}
        for name in used_columns(self.rules):
            if name not in position:
                raise InputError(f"X has no column {name!r}, which the rule list asks about")

        return self.captures_table(table, position)

    def captures_table(self, table: Table, position: Mapping[str, int]) -> NDArray[np.intp]:
        """Return what ``captures`` does, from a raw table and where its columns stand."""
        captured_by = np.full(table.n_rows, len(self), dtype=np.intp)
        held: dict[Condition, NDArray[np.bool_]] = {}
        for index in reversed(range(len(self))):
            captured = np.ones(table.n_rows, dtype=np.bool_)
            for clause in self.rules[index].clauses:
                asks = clause.asks
                if asks not in held:
                    held[asks] = table.column(position[asks.column]).fulfils(asks)
                captured &= held[asks] != clause.negated
            captured_by[captured] = index
        return captured_by

    def captures_features(self, matrix: NDArray[np.uint8]) -> NDArray[np.intp]:
        """Return what ``captures`` does, from the 0/1 matrix of all Boolean features."""
        captured_by = np.full(len(matrix), len(self.rules), dtype=np.intp)
        for index in reversed(range(len(self.rules))):
            antecedent = self.rules[index].antecedent
            if antecedent is not None:
                captured_by[antecedent.captures(matrix)] = index
        return captured_by

    def lines(self) -> tuple[str, ...]:
        """Return the text of each rule, the default last, as the paper prints them."""
        texts = [f"else {rule}" for rule in self.all_rules]
        texts[0] = texts[0].removeprefix("else ")
        return tuple(texts)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        from surelist.rule_list.html import rule_list_html

        return rule_list_html(self)

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
        return rule_list_to_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RuleList:
        """Read what ``to_dict`` returned.

        Raises
        ------
        InputError
            For anything else, and for a version that is newer than this package.
        """
        try:
            return cls(**read_rule_list(Place(data)))
        except DamagedError as error:
            raise InputError(f"cannot read this {FORMAT}: {error}") from error


def by_columns(rule_list: RuleList) -> RuleList:
    """Return a rule list that takes tables by the names of their columns, whatever these hold."""
    if rule_list.columns is not None:
        return rule_list
    return replace(rule_list, columns=rule_list.feature_names)
