"""Surelist: certifiably optimal rule lists.

A rule list is a model that a person can read. Surelist finds the best one there is for the data and
proves it, or says how far from the best it may be.

>>> from surelist import RuleListClassifier
>>> model = RuleListClassifier(regularization=0.05)
"""

from __future__ import annotations

import sys as _sys
from importlib import import_module as _import_module
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING, Any

from surelist.errors import (
    ClusterWarning,
    FormatError,
    InputError,
    SurelistError,
    UncertifiedWarning,
    UnwrittenWarning,
)

if TYPE_CHECKING:
    from surelist.binarize import Binarizer
    from surelist.certificate import Certificate
    from surelist.classifier import RuleListClassifier
    from surelist.cross_validation import RuleListClassifierCV
    from surelist.loss_by_length import LossByLength
    from surelist.model_file import load
    from surelist.path import regularization_path
    from surelist.path_result import PathSegment, RegularizationPath
    from surelist.query import from_query
    from surelist.resume import resume
    from surelist.rule_list import Antecedent, Clause, Explanation, Rule, RuleList
    from surelist.verify import Verification, VerificationError, verify

    __version__: str

__all__ = [
    "Antecedent",
    "Binarizer",
    "Certificate",
    "Clause",
    "ClusterWarning",
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
    "UnwrittenWarning",
    "Verification",
    "VerificationError",
    "__version__",
    "from_query",
    "load",
    "regularization_path",
    "resume",
    "verify",
]

# Loaded when first used: numpy and scikit-learn are slow to import, and help needs neither.
_LAZY = {
    "Antecedent": "rule_list",
    "Binarizer": "binarize",
    "Certificate": "certificate",
    "Clause": "rule_list",
    "Explanation": "rule_list",
    "LossByLength": "loss_by_length",
    "PathSegment": "path_result",
    "RegularizationPath": "path_result",
    "Rule": "rule_list",
    "RuleList": "rule_list",
    "RuleListClassifier": "classifier",
    "RuleListClassifierCV": "cross_validation",
    "Verification": "verify",
    "VerificationError": "verify",
    "from_query": "query",
    "load": "model_file",
    "regularization_path": "path",
    "resume": "resume",
    "verify": "verify",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("surelist")
    if name in _LAZY:
        return getattr(_import_module(f"surelist.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Package(_ModuleType):
    """The package, in which `verify` and `resume` are functions, whatever modules are imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("resume", "verify") or not isinstance(value, _ModuleType):
            super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
