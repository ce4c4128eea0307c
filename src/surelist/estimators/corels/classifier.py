"""The interface of pycorels on this engine, so that its users change one import.

``from corels import CorelsClassifier`` becomes ``from surelist.corels import CorelsClassifier``.
"""

from __future__ import annotations

import csv
import os
import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from surelist import _core
from surelist._common.files import PathLike
from surelist._common.messages import first_masked, shown
from surelist._common.rounding import rounded_up
from surelist.errors import FormatError, InputError, UncertifiedWarning
from surelist.estimators.classifier import RuleListClassifier
from surelist.estimators.corels.rule_list import RuleList, of_fitted, read_json, write_json
from surelist.rule_list.rule_list import RuleList as FittedRuleList
from surelist.tables.binary_matrix import read_features

__all__ = ["CorelsClassifier", "RuleList", "load_from_csv"]

_FORMAT = "surelist CORELS model"

_SYMMETRIES = {"none": "none", "prefix": "permutation", "captured": "captured"}
_POLICIES = {
    "bfs": "breadth_first",
    "curious": "curiosity",
    "lower_bound": "lower_bound",
    "objective": "objective",
    "dfs": "depth_first",
}
_VERBOSITIES = ("rulelist", "rule", "label", "minor", "samples", "progress", "mine", "loud")
_ABLATED: tuple[frozenset[str], ...] = (
    frozenset(),
    frozenset({"support", "accurate_support"}),
    frozenset({"lookahead"}),
)


class CorelsClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Certifiably optimal rule lists for two classes, called as in pycorels.

    New code is better off with `surelist.RuleListClassifier`, which says more about its result.

    Parameters
    ----------
    c : float, default=0.01
        λ, the loss that one more rule has to save; 0 ≤ c < 1.
    n_iter : int, default=10000
        Once so many prefixes have entered the queue, no other one is expanded. A search that this
        ends is not certified, and a warning says so.
    map_type : {"prefix", "captured", "none"}
        The symmetry map: prefixes with the same antecedents, with the same captures, or none.
    policy : {"lower_bound", "bfs", "curious", "objective", "dfs"}
        The order of the queue.
    verbosity : list of str, default=["rulelist"]
        "rulelist" prints the rule list when it is found; "progress" and "loud" show a line in a
        terminal while the search runs. "rule", "label", "minor", "samples" and "mine" are accepted
        and do nothing.
    ablation : {0, 1, 2}
        0 uses all bounds, 1 leaves out those on the support of antecedents, 2 the lookahead bound.
        The optimum does not depend on it.
    max_card : int, default=2
        Clauses per antecedent, at most.
    min_support : float, default=0.01
        Least share of rows that an antecedent captures, from 0 to 0.5.

    Attributes
    ----------
    rl_ : RuleList
        The rule list in the form of pycorels; `rl` returns it.
    rule_list_ : surelist.RuleList
        The same with what its rules captured.
    status_ : str
        "optimal" exactly when the rule list is certified.
    objective_, lower_bound_, gap_ : float
        Of the rule list; of any rule list; their difference.

    Examples
    --------
    >>> from surelist.corels import CorelsClassifier
    >>> X = [[1, 0, 1], [0, 1, 1], [1, 1, 1]]
    >>> model = CorelsClassifier(verbosity=[]).fit(X, [1, 0, 1])
    >>> print(model.rl())  # doctest: +NORMALIZE_WHITESPACE
    RULELIST:
    if [feature1]:
      prediction = True
    else
      prediction = False
    >>> model.predict(X).tolist(), model.status_
    ([True, False, True], 'optimal')
    """

    def __init__(
        self,
        c: float = 0.01,
        n_iter: int = 10000,
        map_type: str = "prefix",
        policy: str = "lower_bound",
        verbosity: list[str] = ["rulelist"],  # noqa: B006 - as in pycorels; it is only read
        ablation: int = 0,
        max_card: int = 2,
        min_support: float = 0.01,
    ) -> None:
        self.c = c
        self.n_iter = n_iter
        self.map_type = map_type
        self.policy = policy
        self.verbosity = verbosity
        self.ablation = ablation
        self.max_card = max_card
        self.min_support = min_support

    def fit(
        self, X: Any, y: Any, features: Sequence[str] = (), prediction_name: str = "prediction"
    ) -> Self:
        """Find an optimal rule list.

        Parameters
        ----------
        X : array-like of 0 and 1, shape (rows, features)
        y : array-like of 0 and 1
        features : list of str
            Names of the features. Without them, they are those of a data frame's columns, or
            feature1, feature2 and so on.
        prediction_name : str
            What is predicted.

        Raises
        ------
        InputError
            For parameters or data that cannot be used.

        Warns
        -----
        UncertifiedWarning
            Where ``n_iter`` or Ctrl-C ended the search before it could prove that its rule list is
            optimal.
        """
        verbosity = self._check()
        columns = read_features(X)
        names = _feature_names(features, columns.names if columns.named else None, columns.matrix)
        if not isinstance(prediction_name, str):
            raise InputError(f"prediction_name must be text; got {shown(prediction_name)}")
        if self.max_card > len(names):
            raise InputError(f"max_card is {self.max_card}; there are {len(names)} features")
        model = self._model(progress=bool({"progress", "loud"} & verbosity))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UncertifiedWarning)  # worded for pycorels below
            model.fit(columns.matrix, _labels(y))
        self.classes_ = model.classes_
        self.n_features_in_ = len(names)
        self.rl_ = of_fitted(model.rule_list_, names, prediction_name)
        self.rule_list_ = model.rule_list_.rename(names) if _distinct(names) else model.rule_list_
        self.status_ = model.status_
        self.objective_, self.lower_bound_ = model.objective_, model.lower_bound_
        self.gap_ = model.gap_
        if "rulelist" in verbosity:
            print(self.rl_)
        self._warn_unless_optimal()
        return self

    def predict(self, X: Any) -> NDArray[np.bool_]:
        """Return the prediction for each row, True or False."""
        return self.rl().predict(self._read(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of False and of True in what each row's rule captured in training.

        Raises
        ------
        InputError
            Where the rule list was given to ``rl``: what it captured is not known.
        """
        matrix = self._read(X)
        if not hasattr(self, "rule_list_"):
            raise InputError("the rule list was given, not fitted; its probabilities are not known")
        shares: NDArray[np.float64] = self.rule_list_.predict_proba(matrix)
        return shares

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy of the predictions for X, or of predictions X themselves.

        Parameters
        ----------
        X : array-like of shape (rows, features) or (rows,)
        y : array-like of 0 and 1
        sample_weight : array-like of one number per row, optional
        """
        labels = _labels(y)
        predicted = _labels(X) if np.ndim(X) == 1 else self.predict(X)
        if len(predicted) != len(labels):
            raise InputError(f"X has {len(predicted)} rows but y has {len(labels)} labels")
        return float(np.average(predicted == labels, weights=sample_weight))

    def rl(self, set_val: RuleList | None = None) -> RuleList:
        """Return the rule list, or set it."""
        if set_val is not None:
            if not isinstance(set_val, RuleList):
                raise InputError(f"rl takes a surelist.corels.RuleList; got {shown(set_val)}")
            set_val.check()
            self._forget()
            self.rl_ = set_val
            self.n_features_in_ = len(set_val.features)
            self.classes_ = np.array([False, True])
        check_is_fitted(self, "rl_")
        return self.rl_

    def save(self, fname: PathLike) -> Self:
        """Write parameters and rule list to a JSON file.

        Raises
        ------
        InputError
            For a model without a rule list, and where the file cannot be written.
        """
        content: dict[str, Any] = {
            "parameters": self.get_params(),
            "rule_list": self.rl().to_dict(),
        }
        if hasattr(self, "rule_list_"):
            content["fitted"] = self.rule_list_.to_dict()
            content["result"] = {name: getattr(self, name) for name in _RESULT}
        write_json(fname, _FORMAT, content)
        return self

    def load(self, fname: PathLike) -> Self:
        """Take parameters and rule list from a file that ``save`` wrote.

        Raises
        ------
        FormatError
            For any other file. One that pycorels wrote is a pickle, which is not opened: to load a
            pickle is to run whatever code is in it.
        """
        data = read_json(fname, _FORMAT)
        try:
            rule_list = RuleList.from_dict(data.get("rule_list"))
            fitted = FittedRuleList.from_dict(data["fitted"]) if "fitted" in data else None
            parameters = dict(data["parameters"])
            result = {name: data["result"][name] for name in _RESULT} if fitted else {}
            known = type(self)(**parameters)
        except (LookupError, TypeError, ValueError) as error:
            raise FormatError(f"this {_FORMAT} is damaged: {error}", fname) from None
        self.set_params(**known.get_params())
        self.rl(rule_list)
        if fitted is not None:
            self.rule_list_ = fitted
            for name, value in result.items():
                setattr(self, name, value)
        return self

    def __str__(self) -> str:
        text = f"CorelsClassifier ({self.get_params()})"
        return f"{text}\n{self.rl_}" if hasattr(self, "rl_") else text

    def _check(self) -> set[str]:
        """Refuse parameters that `RuleListClassifier` would describe under other names."""
        _choice("map_type", self.map_type, list(_SYMMETRIES))
        _choice("policy", self.policy, list(_POLICIES))
        if type(self.ablation) is not int or not 0 <= self.ablation <= 2:
            raise InputError(f"ablation must be 0, 1 or 2; got {shown(self.ablation)}")
        for name, least in (("n_iter", 0), ("max_card", 1)):
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise InputError(
                    f"{name} must be a whole number of at least {least}; got {shown(value)}"
                )
        for name, most in (("c", 1.0), ("min_support", 0.5)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InputError(f"{name} must be a number; got {shown(value)}")
            if not 0 <= value <= most or value == 1:
                bound = "below 1" if most == 1 else "at most 0.5"
                raise InputError(f"{name} must be at least 0 and {bound}; got {shown(value)}")
        if not isinstance(self.verbosity, list | tuple):
            raise InputError(f"verbosity must be a list of words; got {shown(self.verbosity)}")
        for word in self.verbosity:
            _choice("verbosity", word, list(_VERBOSITIES))
        return set(self.verbosity)

    def _model(self, progress: bool) -> RuleListClassifier:
        left_out = _ABLATED[self.ablation]
        return RuleListClassifier(
            self.c,
            max_clauses=self.max_card,
            negations=True,
            min_support=self.min_support,
            policy=_POLICIES[self.policy],
            symmetry=_SYMMETRIES[self.map_type],
            bounds=[name for name in _core.bound_names() if name not in left_out],
            max_prefixes=max(1, self.n_iter),
            progress=progress,
        )

    def _read(self, X: Any) -> NDArray[np.uint8]:
        check_is_fitted(self, "rl_")
        matrix = read_features(X).matrix
        if matrix.shape[1] != self.n_features_in_:
            raise InputError(
                f"X has {matrix.shape[1]} features; the rule list knows {self.n_features_in_}"
            )
        return matrix

    def _forget(self) -> None:
        for name in ("rule_list_", *_RESULT):
            if hasattr(self, name):
                delattr(self, name)

    def _warn_unless_optimal(self) -> None:
        if self.status_ == "optimal":
            return
        interrupted = self.status_ == "interrupted"
        reason = "was interrupted" if interrupted else f"reached n_iter={self.n_iter}"
        warnings.warn(
            f"the rule list is not certified optimal: the search {reason}. "
            f"Its objective is {self.objective_:.6g}; no rule list is better by more than the gap "
            f"of {rounded_up(self.gap_)}",
            UncertifiedWarning,
            stacklevel=3,
        )


_RESULT = ("status_", "objective_", "lower_bound_", "gap_")


def _choice(name: str, value: Any, allowed: list[str]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}; got {shown(value)}")


def _distinct(names: list[str]) -> bool:
    return len(set(names)) == len(names)


def _feature_names(
    features: Any, columns: tuple[str, ...] | None, matrix: NDArray[np.uint8]
) -> list[str]:
    n_features = matrix.shape[1]
    if isinstance(features, str) or not isinstance(features, Sequence | np.ndarray):
        raise InputError(f"features must be a list of names; got {shown(features)}")
    names = list(features)
    if not names:
        numbered = [f"feature{number}" for number in range(1, n_features + 1)]
        return numbered if columns is None else list(columns)
    if len(names) != n_features:
        raise InputError(f"X has {n_features} features; features has {len(names)} names")
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"features must be a list of names; {shown(name)} is not text")
    return [str(name) for name in names]


def _labels(y: Any) -> NDArray[np.bool_]:
    masked = first_masked(y)
    if masked is not None:
        raise InputError(f"the label of row {masked} is masked; fill it in or leave the row out")
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise InputError(f"y must have one dimension, a label per row; it has {labels.ndim}")
    if labels.dtype.kind not in "biuf" or not np.isin(labels, (0, 1)).all():
        raise InputError(
            "y must hold 0 and 1, or True and False; surelist.RuleListClassifier takes any labels"
        )
    return np.asarray(labels == 1, dtype=np.bool_)


def load_from_csv(fname: PathLike) -> tuple[NDArray[np.uint8], NDArray[np.uint8], list[str], str]:
    """Read a table of 0 and 1 whose last column is the label.

    Returns
    -------
    X, y, features, prediction_name

    Raises
    ------
    FormatError
        Naming the line, where it is something else.
    """
    rows: list[list[int]] = []
    header: list[str] = []
    try:
        with open(os.fsdecode(fname), newline="", encoding="utf-8-sig") as file:  # noqa: PTH123
            for number, cells in enumerate(csv.reader(file), start=1):
                if number == 1:
                    header = [cell.strip() for cell in cells]
                elif cells:
                    rows.append(_bits(cells, len(header), fname, number))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"cannot be read ({error})", fname) from None
    if len(header) < 2 or not rows:
        raise FormatError("expected a line of names, two or more, and lines of 0 and 1", fname)
    table = np.array(rows, dtype=np.uint8)
    return table[:, :-1], table[:, -1], header[:-1], header[-1]


def _bits(cells: list[str], width: int, fname: PathLike, number: int) -> list[int]:
    if len(cells) != width:
        raise FormatError(f"{len(cells)} values under {width} names", fname, number)
    for cell in cells:
        if cell.strip() not in ("0", "1"):
            raise FormatError(f"expected 0 or 1, found {shown(cell)}", fname, number)
    return [int(cell) for cell in cells]
