"""Whether the program that is proven correct is there."""

from __future__ import annotations

import pytest

from surelist.checker import DataError
from surelist.verified_checker import find_program

__all__ = ["built"]


def is_built() -> bool:
    try:
        find_program()
    except DataError:
        return False
    return True


built = pytest.mark.skipif(not is_built(), reason="the verified checker is not built: make proof")
