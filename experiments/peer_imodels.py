"""Bayesian rule lists of imodels."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

from numpy.typing import NDArray

from experiments.peer_common import Labels, Matrix, serve

# As many iterations as SBRL makes by default, in one chain: a fit takes ten seconds or more.
_ITERATIONS, _CHAINS = 1000, 1


def fit(
    kind: str,  # noqa: ARG001 - there is only one
    options: dict[str, Any],
    X: Matrix,
    y: Labels,
    patterns: Matrix,
) -> tuple[NDArray[Any], float]:
    """Fit one list; its size is rules and default."""
    imodels = importlib.import_module("imodels")
    pandas = importlib.import_module("pandas")
    names = [f"x{column}" for column in range(X.shape[1])]
    model = imodels.BayesianRuleListClassifier(
        max_iter=_ITERATIONS, n_chains=_CHAINS, random_state=0, **options
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(pandas.DataFrame(X, columns=names), y)
        labels = model.predict(pandas.DataFrame(patterns, columns=names))
    return labels, float(len(model.rules_) + 1)


if __name__ == "__main__":
    serve(fit)
