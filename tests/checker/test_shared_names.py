"""The checkers of other proofs use of `surelist.checker` what it says they may, and all of that."""

from __future__ import annotations

import ast

import pytest
from repository import ROOT

from surelist import checker

PACKAGE = ROOT / "src" / "surelist"
# The other two check the same proofs as `surelist.checker`, and stand for it.
SAME = {"fast_checker.py", "verified_checker.py"}
OTHERS = sorted({path.name for path in PACKAGE.glob("*_checker.py")} - SAME)


def used(file: str) -> set[str]:
    """Names that a file reads off the module `checker`, or imports from it."""
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "checker":
                names.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and node.module == "surelist.checker":
            names |= {each.name for each in node.names}
    return names


def private(file: str) -> set[str]:
    return {name for name in used(file) if name.startswith("_")}


def test_there_are_checkers_that_share_something() -> None:
    assert "fairness_checker.py" in OTHERS
    assert private("fairness_checker.py")


@pytest.mark.parametrize("file", OTHERS)
def test_only_what_is_listed_is_shared(file: str) -> None:
    assert private(file) <= set(checker.FOR_OTHER_CHECKERS)


def test_what_is_listed_exists_and_is_used() -> None:
    assert all(hasattr(checker, name) for name in checker.FOR_OTHER_CHECKERS)
    everything = set[str]().union(*map(private, OTHERS))
    assert everything == set(checker.FOR_OTHER_CHECKERS)
