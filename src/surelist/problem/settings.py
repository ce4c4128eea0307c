"""The settings of a fit as the user gave them: plain data, unchecked.

`surelist.RuleListClassifier` has the same parameters and explains them; the command line makes a
`Settings` without it. `surelist.problem.parameters.read_parameters` checks either.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from surelist._common.progress import Progress
    from surelist.features.binarization import Binarization

__all__ = ["Settings"]


@dataclass(eq=False)
class Settings:
    """The parameters of `surelist.RuleListClassifier`, which says what they mean."""

    regularization: Any = 0.01
    max_clauses: int = 2
    negations: bool = False
    min_support: Any = None
    max_length: int | None = None
    policy: str = "lower_bound"
    symmetry: str = "captured"
    bounds: str | Iterable[str] = "all"
    initial_rule_list: Any = None
    binarizer: Binarization | None = None
    antecedents: Iterable[str] | None = None
    antecedents_only: bool = False
    class_weight: Mapping[Any, float] | str | None = None
    cost_matrix: Any = None
    dnf: Any = None
    first: Iterable[str] | None = None
    required: Iterable[str] | None = None
    forbidden: Iterable[str] | None = None
    antecedent_costs: Mapping[str, Any] | str | None = None
    laplace: float = 0.0
    work_limit: float | str | None = "auto"
    time_limit: float | None = None
    memory_limit: int | str | None = "auto"
    max_prefixes: int | None = None
    n_jobs: Any = 1
    progress: str | bool | Callable[[Progress], object] = "auto"
    certificate: bool | str | os.PathLike[str] = False
    checkpoint: str | os.PathLike[str] | None = None
    checkpoint_interval: float = 60.0
    trace_interval: float | None = None
    random_state: Any = None
    fairness: Any = None

    @classmethod
    def of(cls, estimator: Any) -> Self:
        """Return the settings of an estimator that has them as attributes."""
        return cls(**{field.name: getattr(estimator, field.name) for field in fields(cls)})

    def as_dict(self) -> dict[str, Any]:
        """Return the settings by name, in the order of the alphabet, as ``get_params`` does."""
        return {name: getattr(self, name) for name in sorted(field.name for field in fields(self))}
