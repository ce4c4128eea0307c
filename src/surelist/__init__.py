"""Surelist: certifiably optimal rule lists.

A rule list is a model that a person can read. Surelist finds the best one there is for the data and
proves it, or says how far from the best it may be.

>>> from surelist import RuleListClassifier
>>> model = RuleListClassifier(regularization=0.05)
"""

from __future__ import annotations

from importlib import import_module as _import_module
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
    from surelist.certificate.certificate import Certificate
    from surelist.certificate.fairness import FairCertificate
    from surelist.checker import Verification, VerificationError
    from surelist.estimators.classifier import RuleListClassifier
    from surelist.estimators.cross_validation import RuleListClassifierCV
    from surelist.estimators.fairness_path import (
        FairnessPath,
        FairnessPoint,
        fairness_path,
    )
    from surelist.estimators.model_file import load
    from surelist.estimators.near_optimal.counted import CountedRuleLists
    from surelist.estimators.near_optimal.counting import count_near_optimal
    from surelist.estimators.near_optimal.result import RuleLists
    from surelist.estimators.near_optimal.search import near_optimal
    from surelist.estimators.path.by_cuts import ByCuts, objective_by_cuts
    from surelist.estimators.path.loss_by_length import LossByLength
    from surelist.estimators.path.result import PathSegment, RegularizationPath
    from surelist.estimators.path.search import regularization_path
    from surelist.estimators.resume import resume
    from surelist.fast_checker import verify
    from surelist.features.binarizer import Binarizer
    from surelist.inspection.finding import Finding
    from surelist.inspection.inspect_table import inspect
    from surelist.inspection.inspection import Inspection
    from surelist.problem.fairness import Fairness
    from surelist.problem.fairness_report import FairnessReport, GroupRates
    from surelist.rule_list.rule_list import (
        Antecedent,
        Clause,
        Explanation,
        Rule,
        RuleList,
    )
    from surelist.sources.duckdb import from_query

    __version__: str

__all__ = [
    "Antecedent",
    "Binarizer",
    "ByCuts",
    "Certificate",
    "Clause",
    "ClusterWarning",
    "CountedRuleLists",
    "Explanation",
    "FairCertificate",
    "Fairness",
    "FairnessPath",
    "FairnessPoint",
    "FairnessReport",
    "Finding",
    "FormatError",
    "GroupRates",
    "InputError",
    "Inspection",
    "LossByLength",
    "PathSegment",
    "RegularizationPath",
    "Rule",
    "RuleList",
    "RuleListClassifier",
    "RuleListClassifierCV",
    "RuleLists",
    "SurelistError",
    "UncertifiedWarning",
    "UnwrittenWarning",
    "Verification",
    "VerificationError",
    "__version__",
    "count_near_optimal",
    "fairness_path",
    "from_query",
    "inspect",
    "load",
    "near_optimal",
    "objective_by_cuts",
    "regularization_path",
    "resume",
    "verify",
]

# Loaded when first used: numpy and scikit-learn are slow to import, and help needs neither.
_LAZY = {
    "Antecedent": "rule_list.rule_list",
    "Binarizer": "features.binarizer",
    "ByCuts": "estimators.path.by_cuts",
    "Certificate": "certificate.certificate",
    "Clause": "rule_list.rule_list",
    "Explanation": "rule_list.rule_list",
    "FairCertificate": "certificate.fairness",
    "Fairness": "problem.fairness",
    "FairnessPath": "estimators.fairness_path",
    "FairnessPoint": "estimators.fairness_path",
    "FairnessReport": "problem.fairness_report",
    "Finding": "inspection.finding",
    "GroupRates": "problem.fairness_report",
    "Inspection": "inspection.inspection",
    "LossByLength": "estimators.path.loss_by_length",
    "PathSegment": "estimators.path.result",
    "RegularizationPath": "estimators.path.result",
    "Rule": "rule_list.rule_list",
    "RuleList": "rule_list.rule_list",
    "RuleListClassifier": "estimators.classifier",
    "RuleListClassifierCV": "estimators.cross_validation",
    "CountedRuleLists": "estimators.near_optimal.counted",
    "RuleLists": "estimators.near_optimal.result",
    "Verification": "checker",
    "VerificationError": "checker",
    "fairness_path": "estimators.fairness_path",
    "from_query": "sources.duckdb",
    "inspect": "inspection.inspect_table",
    "load": "estimators.model_file",
    "count_near_optimal": "estimators.near_optimal.counting",
    "near_optimal": "estimators.near_optimal.search",
    "objective_by_cuts": "estimators.path.by_cuts",
    "regularization_path": "estimators.path.search",
    "resume": "estimators.resume",
    "verify": "fast_checker",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from surelist._common.version import version

        return version()
    if name in _LAZY:
        return getattr(_import_module(f"surelist.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
