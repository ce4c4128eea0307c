"""A fitted model as plain data: what a fit returns, and what a model file holds.

`surelist.RuleListClassifier` is the scikit-learn estimator of it, and has the same attributes under
the same names. Nothing here needs scikit-learn, so that the command line starts at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import NDArray

from surelist._common.files import PathLike
from surelist.rule_list.rule_list import Antecedent, RuleList
from surelist.search.trace import Trace

if TYPE_CHECKING:
    from surelist.certificate.certificate import Certificate
    from surelist.certificate.fairness import FairCertificate
    from surelist.problem.fairness_report import FairnessReport
    from surelist.problem.prepare import Prepared
    from surelist.problem.settings import Settings
    from surelist.problem.training_data import TrainingData
    from surelist.search.run import Outcome

__all__ = ["OPTIONAL", "FittedModel", "fitted_model", "model_of"]

OPTIONAL = ("feature_names_in_", "antecedents_", "n_antecedents_", "certificate_", "fairness_")


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A rule list, what is proven of it, and how it was found.

    Attributes
    ----------
    parameters : dict
        Those of `surelist.RuleListClassifier`, as given.
    others
        As `surelist.RuleListClassifier` describes them. None stands for what it would not have:
        ``feature_names_in_`` where columns had no names, ``antecedents_`` and ``n_antecedents_`` of
        a model that was read from a file, ``certificate_`` where none was wanted, ``fairness_``
        without ``fairness``.
    """

    parameters: dict[str, Any]
    rule_list_: RuleList
    classes_: NDArray[Any]
    status_: str
    objective_exact_: Fraction
    lower_bound_exact_: Fraction
    proven_length_: int | None
    n_features_in_: int
    n_groups_: int
    weight_unit_: float
    trace_: Trace
    feature_names_in_: NDArray[Any] | None = None
    antecedents_: tuple[Antecedent, ...] | None = None
    n_antecedents_: int | None = None
    certificate_: Certificate | FairCertificate | None = None
    fairness_: FairnessReport | None = None

    @property
    def objective_(self) -> float:
        """The objective of the rule list."""
        return float(self.objective_exact_)

    @property
    def lower_bound_(self) -> float:
        """No rule list has a lower objective."""
        return float(self.lower_bound_exact_)

    @property
    def gap_(self) -> float:
        """By how much another rule list may be better."""
        return float(self.objective_exact_ - self.lower_bound_exact_)

    def with_parameters(self, **changes: Any) -> Self:
        """Return the same model with other parameters on record."""
        return replace(self, parameters=self.parameters | changes)

    def attributes(self) -> dict[str, Any]:
        """Return the fitted attributes of the estimator, by name."""
        named = {name: value for name, value in vars(self).items() if name.endswith("_")}
        named |= {name: getattr(self, name) for name in ("objective_", "lower_bound_", "gap_")}
        return {
            name: value
            for name, value in named.items()
            if value is not None or name not in OPTIONAL
        }

    @classmethod
    def of(cls, estimator: Any) -> Self:
        """Return a fitted `RuleListClassifier` as plain data."""
        known = {name for name in cls.__dataclass_fields__ if name.endswith("_")}
        found = {name: value for name, value in vars(estimator).items() if name in known}
        return cls(estimator.get_params(deep=False), **found)

    def save(self, path: PathLike) -> None:
        """Write the model to a JSON file, as `RuleListClassifier.save` does.

        Raises
        ------
        InputError
            Where a parameter cannot be written, or the file cannot.
        """
        from surelist.estimators.model_json import save_model

        save_model(self, path)


def fitted_model(
    settings: Settings, prepared: Prepared, outcome: Outcome, columns: Mapping[str, Any]
) -> FittedModel:
    """Put together what the two steps found."""
    n_groups, antecedents = prepared.problem.n_groups, prepared.antecedents
    return model_of(settings, outcome, prepared.data, n_groups, columns, antecedents)


def model_of(
    settings: Settings,
    outcome: Outcome,
    data: TrainingData,
    n_groups: int,
    columns: Mapping[str, Any],
    antecedents: tuple[Antecedent, ...] | int,
) -> FittedModel:
    """Put together what any search found; of antecedents that are too many to list, the number."""
    listed = antecedents if isinstance(antecedents, tuple) else None
    return FittedModel(
        settings.as_dict(),
        rule_list_=outcome.rule_list,
        classes_=data.classes,
        status_=outcome.status,
        objective_exact_=outcome.objective,
        lower_bound_exact_=outcome.lower_bound,
        proven_length_=outcome.proven_length,
        n_groups_=n_groups,
        weight_unit_=data.weight_unit,
        trace_=outcome.trace,
        antecedents_=listed,
        n_antecedents_=antecedents if isinstance(antecedents, int) else len(antecedents),
        certificate_=outcome.certificate,
        **columns,
    )
