"""Surelist: certifiably optimal rule lists.

A rule list is a model that a person can read. Surelist finds the best one there is for the data and
proves it, or says how far from the best it may be.

>>> from surelist import RuleListClassifier
>>> model = RuleListClassifier(regularization=0.05)
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from surelist.errors import FormatError, InputError, SurelistError, UncertifiedWarning
from surelist.rule_list import Antecedent, Clause, Explanation, Rule, RuleList

if TYPE_CHECKING:
    from surelist.classifier import RuleListClassifier
    from surelist.cross_validation import RuleListClassifierCV
    from surelist.loss_by_length import LossByLength
    from surelist.path import regularization_path
    from surelist.path_result import PathSegment, RegularizationPath

__all__ = [
    "Antecedent",
    "Clause",
    "Explanation",
    "FormatError",
    "InputError",
    "LossByLength",
    "PathSegment",
    "RegularizationPath",
    "Rule",
    "RuleList",
    "RuleListClassifier",
    "RuleListClassifierCV",
    "SurelistError",
    "UncertifiedWarning",
    "__version__",
    "regularization_path",
]

# These need scikit-learn, which is slow to import; reading rule lists does not.
_LAZY = {
    "LossByLength": "loss_by_length",
    "PathSegment": "path_result",
    "RegularizationPath": "path_result",
    "RuleListClassifier": "classifier",
    "RuleListClassifierCV": "cross_validation",
    "regularization_path": "path",
}

__version__ = _version("surelist")


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"surelist.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
