"""Surelist: certifiably optimal rule lists.

A rule list is a model that a person can read. Surelist finds the best one there is for the data and
proves it, or says how far from the best it may be.

>>> from surelist import RuleListClassifier
>>> model = RuleListClassifier(regularization=0.05)
"""

from __future__ import annotations

from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from surelist.errors import FormatError, InputError, SurelistError, UncertifiedWarning
from surelist.rule_list import Antecedent, Clause, Explanation, Rule, RuleList

if TYPE_CHECKING:
    from surelist.binarize import Binarizer
    from surelist.classifier import RuleListClassifier
    from surelist.model_file import load

__all__ = [
    "Antecedent",
    "Binarizer",
    "Clause",
    "Explanation",
    "FormatError",
    "InputError",
    "Rule",
    "RuleList",
    "RuleListClassifier",
    "SurelistError",
    "UncertifiedWarning",
    "__version__",
    "load",
]

__version__ = _version("surelist")


def __getattr__(name: str) -> Any:
    # The estimators need scikit-learn, which is slow to import; reading rule lists does not.
    if name == "Binarizer":
        from surelist.binarize import Binarizer

        return Binarizer
    if name == "RuleListClassifier":
        from surelist.classifier import RuleListClassifier

        return RuleListClassifier
    if name == "load":
        from surelist.model_file import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
