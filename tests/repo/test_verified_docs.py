"""The table of docs/verified.md: every name in it is real, and no theorem is left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from repository import ROOT

PROVEN = re.compile(r"^(?:Theorem|Lemma|Corollary) (\w+)", re.MULTILINE)
NAME = re.compile(r"`([^`]+)`")


def rows() -> list[list[str]]:
    """Return the cells: theorem, lemmas, rules of the readable checker, of the fast one."""
    text = (ROOT / "docs" / "verified.md").read_text()
    table = text.partition("## Which theorem is which lemma?")[2].partition("\n\n|")[2]
    lines = table.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def proven() -> set[str]:
    return {
        name for path in (ROOT / "proof").glob("*.v") for name in PROVEN.findall(path.read_text())
    }


def in_readable_checker() -> set[str]:
    """Return the classes of checker.py, their methods as `class.method`, functions, and files."""
    folder = ROOT / "src" / "surelist"
    tree = ast.parse((folder / "checker.py").read_text())
    return {*_definitions(tree, ""), *(path.name for path in folder.glob("*.py"))}


def _definitions(tree: ast.AST, within: str) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield f"{within}{node.name}"
            yield from _definitions(node, f"{node.name}.")


def is_in_fast_checker(name: str, texts: list[str]) -> bool:
    """Whether the folder ``checker/`` has a class, or a function in the file of its class."""
    owner, _, member = name.rpartition("::")
    pattern = rf"^(?:class|struct) {owner or member}\b"
    names_it = any(re.search(pattern, text, re.MULTILINE) for text in texts)
    if not owner:
        return names_it or any(
            re.search(rf"^[\w:<>&* ]+ {member}\(", text, re.MULTILINE) for text in texts
        )
    return names_it and any(re.search(rf"\b{member}\(", text) for text in texts if owner in text)


def names(column: int) -> list[str]:
    return sorted({name for row in rows() for name in NAME.findall(row[column])})


def test_every_lemma_is_proven() -> None:
    assert set(names(1)) <= proven()


def test_every_rule_of_the_readable_checker_is_there() -> None:
    assert set(names(2)) <= in_readable_checker()


def test_every_rule_of_the_fast_checker_is_there() -> None:
    sources = [path.read_text() for path in (ROOT / "checker").glob("*.?pp")]
    missing = [rule for rule in names(3) if not is_in_fast_checker(rule, sources)]
    # These work out what is the same for all.
    assert missing == ["checker.py", "every_cut_checker.py"]


def test_no_cell_is_empty() -> None:
    assert len(rows()) > 30
    assert all(len(row) == 4 and all(row) for row in rows())
    assert [row[0] for row in rows() if not NAME.search(row[1])] == [
        "Every cut in a certificate that lists antecedents (Theorem 10)",
        "Theorem 10, all cuts",
    ]


def test_every_theorem_has_a_row() -> None:
    theorems = set(
        re.findall(r"^## (Theorem \d+)", (ROOT / "docs" / "proofs.md").read_text(), re.MULTILINE)
    )
    assert len(theorems) >= 9
    listed = {found for row in rows() for found in re.findall(r"Theorem \d+", row[0])}
    assert listed == theorems
