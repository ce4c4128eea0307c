"""Which cases of a test ``make quick`` runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["few_quick"]


def few_quick(cases: Iterable[Any], n: int = 1) -> list[Any]:
    """Return the cases of a test, all but the first ``n`` marked as slow."""
    return [
        case if index < n else pytest.param(case, marks=pytest.mark.slow)
        for index, case in enumerate(cases)
    ]
