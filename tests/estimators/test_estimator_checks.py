"""scikit-learn's own checks of estimators, every one of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from surelist import Binarizer, RuleListClassifier


@parametrize_with_checks([RuleListClassifier(), Binarizer()])  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


@pytest.mark.parametrize("name", ["RuleListClassifier", "Binarizer"])
def test_no_check_fails_or_is_skipped(name: str) -> None:
    """With the variable that one of them asks for, which has to be set before scipy is loaded."""
    program = (
        "from sklearn.utils.estimator_checks import check_estimator\n"
        f"from surelist import {name}\n"
        f"results = check_estimator({name}(), on_fail=None, on_skip=None)\n"
        "print(len(results) > 40, {result['status'] for result in results})"
    )
    finished = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=os.environ | {"SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
    )
    assert finished.stdout == "True {'passed'}\n", finished.stderr
