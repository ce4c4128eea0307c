"""A problem as arrays, to be sent to another machine, and made again there."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from surelist import _core

__all__ = ["fingerprint_of", "pack_problem", "unpack_problem"]


def pack_problem(problem: _core.Problem) -> dict[str, Any]:
    """Return groups, what captures them, and costs: all that a search looks at.

    Examples
    --------
    >>> import numpy as np
    >>> from surelist import _core
    >>> from surelist.problem.arrays import fingerprint_of, pack_problem, unpack_problem
    >>> problem = _core.Problem(np.eye(2, dtype=np.uint8), np.array([0, 1], np.int32), None, 2)
    >>> again = unpack_problem(pack_problem(problem))
    >>> fingerprint_of(again) == fingerprint_of(problem)
    True
    """
    return {
        "captures": np.packbits(problem.captures, axis=1),
        "n_antecedents": problem.n_antecedents,
        "weights": problem.group_weights,
        "costs": list(problem.costs),
        "unit": problem.unit,
    }


def unpack_problem(packed: dict[str, Any]) -> _core.Problem:
    """Make a problem of what `pack_problem` returned: its groups are in the same order."""
    weights = packed["weights"]
    captures = np.unpackbits(packed["captures"], axis=1, count=packed["n_antecedents"])
    groups, classes = np.nonzero(weights)
    return _core.Problem(
        captures[groups],
        classes.astype(np.int32),
        np.ascontiguousarray(weights[groups, classes]),
        weights.shape[1],
        costs=packed["costs"],
        unit=packed["unit"],
    )


def fingerprint_of(problem: _core.Problem) -> str:
    """Return a hash of everything that a search looks at."""
    packed = pack_problem(problem)
    digest = hashlib.sha256(repr([packed[k] for k in ("n_antecedents", "costs", "unit")]).encode())
    for name in ("captures", "weights"):
        digest.update(repr(packed[name].shape).encode())
        digest.update(np.ascontiguousarray(packed[name]).tobytes())
    return digest.hexdigest()
