"""The folders are the architecture: a room uses only rooms that stand below it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from repository import DOCS, ROOT

PACKAGE = ROOT / "src" / "surelist"
CORE = ROOT / "core"
# Open the public doors of the rooms below: they hold no code of their own.
DOORS = {
    *("__init__", "corels", "corels_text", "export", "loss_by_length", "predicates"),
    *("progress", "query", "trace", "verify", "weights"),
}


def rooms(heading: str) -> list[str]:
    """The rooms that the architecture page describes under a heading, from the top down."""
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert section is not None, f"no section {heading}"
    return re.findall(r"^\*\*`([\w.]+)/?`\*\*", section[1], re.M)


def module(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__") or "__init__"


MODULES = {module(file): file for file in PACKAGE.rglob("*.py")}


class Imports(ast.NodeVisitor):
    """What a module imports of this package; not what only type checkers need."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.at_once: set[str] = set()
        self._depth = 0

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module is None or node.module.partition(".")[0] != "surelist":
            return
        package = node.module.removeprefix("surelist").removeprefix(".")
        inside = {f"{package}.{alias.name}".removeprefix(".") for alias in node.names}
        used = (inside & {*MODULES, "_core", "_checker"}) or {package or "__init__"}
        self.found |= used
        if self._depth == 0:
            self.at_once |= used


def imports(file: Path) -> Imports:
    visitor = Imports()
    visitor.visit(ast.parse(file.read_text(encoding="utf-8")))
    return visitor


def room_of(name: str) -> str:
    first, _, rest = name.partition(".")
    return first if rest or (PACKAGE / first).is_dir() else f"{first}.py"


def test_the_page_names_every_room_of_the_package() -> None:
    named = rooms("`src/surelist/`")
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    files = {f"{file.stem}.py" for file in PACKAGE.glob("*.py") if file.stem not in DOORS}
    assert sorted(named) == sorted(folders | files)


def test_rooms_of_the_package_use_only_rooms_below_them() -> None:
    row = {room: index for index, room in enumerate(rooms("`src/surelist/`"))}
    row["_core.py"] = row["_checker.py"] = len(row)
    for name, file in MODULES.items():
        if name in DOORS:
            continue
        own = room_of(name)
        for used in imports(file).found:
            # ``from surelist import load``: the front door, which only front rooms may use.
            target = "cli" if used == "__init__" else room_of(used)
            assert used not in DOORS - {"__init__"}, f"{name} imports {used}: name its own place"
            assert row[own] <= row[target], f"{name} imports {used}, which stands above it"


def test_modules_import_each_other_in_no_circle() -> None:
    uses = {name: imports(file).at_once & set(MODULES) for name, file in MODULES.items()}
    assert_no_circle(uses)


def test_the_page_names_every_room_of_the_core() -> None:
    named = rooms("`core/`")
    folders = {path.name for path in CORE.iterdir() if path.is_dir()}
    assert sorted(named) == sorted(folders)


def test_the_fast_checker_shares_no_header_with_the_engine() -> None:
    own = ROOT / "checker"
    for file in own.glob("*.[ch]pp"):
        for used in includes(file):
            assert (own / used).is_file(), f"{file.name} includes {used}, which is not its own"


def includes(file: Path) -> Iterator[str]:
    yield from re.findall(r'^#include "(.+)"$', file.read_text(encoding="utf-8"), re.M)


def test_rooms_of_the_core_use_only_rooms_below_them() -> None:
    row = {room: index for index, room in enumerate(rooms("`core/`"))}
    for file in CORE.rglob("*.[ch]pp"):
        own = file.parent.name
        for used in includes(file):
            assert (CORE / used).is_file(), f"{file.name} includes {used} without its room"
            assert row[own] <= row[used.partition("/")[0]], f"{file} includes {used} above it"


def test_headers_of_the_core_include_each_other_in_no_circle() -> None:
    headers = {str(file.relative_to(CORE)): file for file in CORE.rglob("*.hpp")}
    assert_no_circle({name: set(includes(file)) for name, file in headers.items()})


def assert_no_circle(uses: dict[str, set[str]]) -> None:
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " → ".join((*path, name))
        if name not in done:
            for used in uses.get(name, ()):
                visit(used, (*path, name))
            done.add(name)

    for name in uses:
        visit(name, ())


@pytest.mark.parametrize("source", sorted(MODULES.values()), ids=lambda file: module(file))
def test_a_file_of_the_package_begins_by_saying_what_it_is(source: Path) -> None:
    assert ast.get_docstring(ast.parse(source.read_text(encoding="utf-8")))


def test_tests_stand_in_the_rooms_of_what_they_test() -> None:
    known = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    known |= {"checker", "core", "core_cpp", "helpers", "repo"}
    found = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
    assert found - {"__pycache__"} <= known
    assert not list((ROOT / "tests").glob("test_*.py"))
