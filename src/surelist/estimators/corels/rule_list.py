"""The rule list of `surelist.corels`: lists of signed feature numbers, as pycorels has them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from surelist._common.files import PathLike, put_files, target_of
from surelist._common.messages import shown
from surelist.errors import FormatError, InputError
from surelist.rule_list.rule_list import RuleList as FittedRuleList

__all__ = ["RuleList", "of_fitted", "read_json", "write_json"]

_FORMAT = "surelist CORELS rule list"


class RuleList:
    """A rule list in the form of pycorels.

    Parameters
    ----------
    rules : list of dict
        Each has "antecedents", a list of feature numbers counted from 1 and negative where the
        feature is negated, and "prediction", a bool. The last is the default, with [0].
    features : list of str
        The names of the features.
    prediction_name : str
        What is predicted.

    Examples
    --------
    >>> from surelist.corels import RuleList
    >>> rules = [
    ...     {"antecedents": [1, -2], "prediction": True},
    ...     {"antecedents": [0], "prediction": False},
    ... ]
    >>> rule_list = RuleList(rules, ["young", "employed"], "recidivism")
    >>> print(rule_list)  # doctest: +NORMALIZE_WHITESPACE
    RULELIST:
    if [young && not employed]:
      recidivism = True
    else
      recidivism = False
    """

    def __init__(
        self,
        rules: Sequence[Mapping[str, Any]] = (),
        features: Sequence[str] = (),
        prediction_name: str = "prediction",
    ) -> None:
        self.rules: Any = list(rules)
        self.features: Any = list(features)
        self.prediction_name: Any = prediction_name

    def check(self) -> None:
        """Refuse what is not a rule: the attributes are public, and may have been changed.

        Raises
        ------
        InputError
            Naming the rule.
        """
        if not isinstance(self.prediction_name, str):
            raise InputError(f"prediction_name must be text; got {shown(self.prediction_name)}")
        if not isinstance(self.features, list) or not all(
            isinstance(name, str) for name in self.features
        ):
            raise InputError(f"features must be a list of names; got {shown(self.features)}")
        if not isinstance(self.rules, list) or not self.rules:
            raise InputError("rules must be a list with at least the default rule")
        for index, rule in enumerate(self.rules):
            last = index == len(self.rules) - 1
            if not _is_rule(rule, len(self.features), last):
                raise InputError(
                    f"rule {index} is {shown(rule)}; it must have 'prediction', a bool, and "
                    "'antecedents', "
                    + ("which is [0] for the default" if last else "a list of feature numbers")
                )

    def predict(self, matrix: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return the prediction for each row of a 0/1 matrix."""
        self.check()
        predictions = np.full(len(matrix), bool(self.rules[-1]["prediction"]))
        for rule in reversed(self.rules[:-1]):
            captured = np.ones(len(matrix), dtype=np.bool_)
            for number in rule["antecedents"]:
                captured &= matrix[:, abs(number) - 1] == (number > 0)
            predictions[captured] = bool(rule["prediction"])
        return predictions

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds of the rule list."""
        self.check()
        return {
            "rules": self.rules,
            "features": self.features,
            "prediction_name": self.prediction_name,
        }

    @classmethod
    def from_dict(cls, data: Any) -> RuleList:
        """Read what ``to_dict`` returned; refuse anything else with an `InputError`."""
        if not isinstance(data, Mapping):
            raise InputError("the rule list is missing")
        rule_list = cls()
        rule_list.rules = data.get("rules")
        rule_list.features = data.get("features")
        rule_list.prediction_name = data.get("prediction_name")
        rule_list.check()
        return rule_list

    def save(self, fname: PathLike) -> Self:
        """Write the rule list to a JSON file."""
        write_json(fname, _FORMAT, {"rule_list": self.to_dict()})
        return self

    def load(self, fname: PathLike) -> Self:
        """Become the rule list of a file that ``save`` wrote.

        Raises
        ------
        FormatError
            For any other file; a pickle is not opened.
        """
        data = read_json(fname, _FORMAT)
        try:
            vars(self).update(vars(RuleList.from_dict(data.get("rule_list"))))
        except InputError as error:
            raise FormatError(f"the file is damaged: {error}", fname) from None
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleList) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        self.check()
        *rules, default = self.rules
        if not rules:
            return f"RULELIST:\n{self.prediction_name} = {default['prediction']}"
        lines = [
            f"if [{' && '.join(map(self._feature, rule['antecedents']))}]:\n"
            f"  {self.prediction_name} = {bool(rule['prediction'])}\nelse "
            for rule in rules
        ]
        return (
            f"RULELIST:\n{''.join(lines)}\n  {self.prediction_name} = {bool(default['prediction'])}"
        )

    def __repr__(self) -> str:
        return f"{self}\nAll features: ({self.features})"

    def _feature(self, number: int) -> str:
        name = self.features[abs(number) - 1]
        return f"not {name}" if number < 0 else str(name)


def _is_rule(rule: Any, n_features: int, last: bool) -> bool:
    if not isinstance(rule, Mapping) or not isinstance(rule.get("antecedents"), list):
        return False
    numbers = rule["antecedents"]
    if not isinstance(rule.get("prediction"), int) or rule["prediction"] not in (0, 1):
        return False
    if last:
        return bool(numbers == [0])
    return bool(numbers) and all(
        type(number) is int and 1 <= abs(number) <= n_features for number in numbers
    )


def of_fitted(fitted: FittedRuleList, features: Sequence[str], prediction_name: str) -> RuleList:
    """Write a fitted rule list as pycorels does: positive features first."""
    rules: list[dict[str, Any]] = [
        {
            "antecedents": [
                -clause.feature - 1 if clause.negated else clause.feature + 1
                for clause in sorted(rule.antecedent.clauses, key=lambda c: (c.negated, c.feature))
            ],
            "prediction": bool(rule.label),
        }
        for rule in fitted.rules
        if rule.antecedent is not None
    ]
    rules.append({"antecedents": [0], "prediction": bool(fitted.default.label)})
    return RuleList(rules, features, prediction_name)


def write_json(fname: PathLike, form: str, content: Mapping[str, Any]) -> None:
    """Write a JSON file that says what it is."""
    text = json.dumps({"format": form, "version": 1, **content}, indent=1, ensure_ascii=False)
    put_files({target_of(fname): [text.encode("utf-8", "surrogatepass"), b"\n"]})


def read_json(fname: PathLike, form: str) -> dict[str, Any]:
    """Read such a file; a pickle, which could run code, is refused unopened."""
    path = Path(os.fsdecode(fname))
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot be read ({error})", path) from None
    if content[:1] == b"\x80":
        raise FormatError(
            "this is a pickle, as pycorels writes; unpickling a file can run any code that is in "
            "it, so it is not loaded. Fit the model again, or print it with pycorels and pass its "
            "rules to RuleList",
            path,
        )
    try:
        data = json.loads(content.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is not JSON, and no {form}: {error}", path) from None
    if not isinstance(data, dict) or data.get("format") != form:
        raise FormatError(f"this is no {form}: its key 'format' does not say so", path)
    if data.get("version") != 1:
        raise FormatError(
            f"this {form} has version {shown(data.get('version'))}; this package reads version 1",
            path,
        )
    return data
