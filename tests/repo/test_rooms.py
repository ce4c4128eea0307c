"""The folders are the architecture: a room uses only rooms that stand below it."""

from __future__ import annotations

import ast
import functools
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

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


@functools.cache
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


def test_files_of_the_package_begin_by_saying_what_they_are() -> None:
    silent = [
        name
        for name, file in MODULES.items()
        if not file.read_text(encoding="utf-8").lstrip().startswith(('"""', 'r"""'))
    ]
    assert not silent


TESTS = ROOT / "tests"
# Rooms that are tested through their front: by commands, requests, pictures and findings.
AS_A_WHOLE = {"audit", "cli", "inspection", "plot", "web"}
# What tests a module that has no test file of its own name.
TESTED_BY = {
    "certificate/fairness": "checker/test_fairness_checker",
    "estimators/cut_fit": "estimators/test_all_cuts",
    "estimators/fair_fit": "estimators/test_fairness",
    "problem/fair_prepare": "estimators/test_fairness",
    "problem/fairness_report": "estimators/test_fairness",
    "problem/sensitive": "estimators/test_fairness",
    "certificate/cut_certificate": "checker/test_cuts_checker",
    "plot/by_cuts": "estimators/path/test_by_cuts",
    **dict.fromkeys(
        ("features/every_cut", "problem/cut_problem", "search/cut_search"),
        "estimators/test_all_cuts",
    ),
    **dict.fromkeys(
        (
            f"estimators/near_optimal/{name}"
            for name in (
                *("answers", "found", "goal", "groups", "one_row", "points", "result", "source"),
            )
        ),
        "estimators/near_optimal/test_search",
    ),
    "estimators/near_optimal/counted": "estimators/near_optimal/test_counting",
    "_common/limits": "search/test_work_limit",
    "_common/memory": "search/test_work_limit",
    "_common/messages": "estimators/test_classifier_bad_input",
    "_common/moments": "conditions/test_conditions",
    "_common/progress": "search/test_run",
    "_common/sql": "sources/duckdb/test_sources",
    "_common/strict_json": "estimators/test_model_file",
    "_common/text_tables": "rule_list/test_table",
    "_common/version": "repo/test_package",
    "certificate/closed_log": "certificate/test_certificate",
    "certificate/completeness": "checker/test_completeness_checker",
    "certificate/necessity": "checker/test_necessity_checker",
    "certificate/file": "certificate/test_certificate",
    "certificate/header": "certificate/test_certificate",
    "certificate/proof_file": "certificate/test_certificate",
    "certificate/summary": "certificate/test_certificate",
    "conditions/compare": "conditions/test_conditions",
    "conditions/values": "conditions/test_conditions",
    "estimators/corels/rule_list": "estimators/corels/test_classifier",
    "estimators/cross_validation_folds": "estimators/test_cross_validation",
    "estimators/fitted_model": "estimators/test_fit",
    "estimators/model_json": "estimators/test_model_format",
    "estimators/path/loss_by_length": "estimators/path/test_search",
    "estimators/path/result": "estimators/path/test_search",
    "estimators/path/solver": "estimators/path/test_search",
    "estimators/result_json": "cli/test_fit",
    "estimators/resume": "search/test_checkpoint",
    "estimators/rule_list_methods": "estimators/test_classifier",
    "estimators/uncertified": "estimators/test_classifier",
    "features/binarization": "features/test_binarizer",
    "features/column_conditions": "features/test_binarizer",
    "features/cuts": "features/test_binarizer",
    "problem/antecedents": "rule_list/test_names",
    "problem/arrays": "search/test_checkpoint",
    "problem/costs": "problem/test_demands",
    "problem/mining": "problem/test_prepare",
    "problem/parameters": "estimators/test_classifier_bad_input",
    "problem/parameters_json": "estimators/test_model_file",
    "problem/settings": "estimators/test_fit",
    "problem/training_data": "problem/test_prepare",
    "problem/user_antecedents": "estimators/test_classifier_raw",
    "rule_list/export/python": "rule_list/export/test_predictions",
    "rule_list/export/sql": "rule_list/export/test_predictions",
    "rule_list/export/values": "rule_list/export/test_dot",
    "rule_list/html": "rule_list/test_rule_list",
    "rule_list/json": "rule_list/test_rule_list",
    "rule_list/rules": "rule_list/test_rule_list",
    "runs/choices": "runs/test_description",
    "runs/commands": "audit/test_bundle",
    "runs/fit": "cli/test_fit",
    "runs/inspect_rows": "cli/test_cli_inspect",
    "runs/rows": "runs/test_description",
    "search/checkpoint_contents": "search/test_checkpoint",
    "search/cluster/loans": "search/cluster/test_coordinator",
    "search/cluster/shard": "search/cluster/test_coordinator",
    "search/engine": "search/test_run",
    "search/single_clauses": "search/test_work_limit",
    "search/trace_json": "estimators/test_model_file",
    "sources/duckdb/columns": "sources/duckdb/test_conditions",
    "sources/duckdb/copying": "sources/duckdb/test_sources",
    "sources/duckdb/csv_files": "sources/duckdb/test_sources",
    "sources/duckdb/database": "sources/duckdb/test_sources",
    "sources/duckdb/progress": "sources/duckdb/test_sources",
    "tables/arrow": "tables/test_files",
    "tables/arrow_sizes": "_common/test_decompression",
    "tables/column_names": "estimators/test_classifier_bad_input",
    "tables/csv_columns": "tables/test_readers_agree",
    "tables/frames": "features/test_binarizer",
    "tables/labels": "estimators/test_classifier_bad_input",
    "tables/table": "tables/test_files",
}


def is_tested_by_name(name: str) -> bool:
    """Whether there is tests/ROOM/test_MODULE.py, or one that adds a subject to that name."""
    folder, stem = (TESTS / name).parent, (TESTS / name).name
    return bool([*folder.glob(f"test_{stem}.py"), *folder.glob(f"test_{stem}_*.py")])


def test_everybody_knows_where_the_test_of_a_module_is() -> None:
    files = [file for folder in PACKAGE.glob("*/") for file in folder.rglob("*.py")]
    names = {file.relative_to(PACKAGE).with_suffix("").as_posix() for file in files}
    for name in sorted(names):
        room = name.partition("/")[0]
        if name.endswith("/__init__") or room in AS_A_WHOLE or is_tested_by_name(name):
            continue
        assert name in TESTED_BY, f"no test_{Path(name).name}.py: write one, or add to TESTED_BY"
    for name, test in TESTED_BY.items():
        assert name in names, f"there is no module {name}"
        assert not is_tested_by_name(name), f"{name} has a test of its own name"
        assert (TESTS / f"{test}.py").is_file(), f"{name} is tested by {test}, which is not there"


def test_tests_stand_in_the_rooms_of_what_they_test() -> None:
    known = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    known |= {"checker", "core", "core_cpp", "helpers", "repo"}
    found = {path.name for path in TESTS.iterdir() if path.is_dir()}
    assert found - {"__pycache__"} <= known
    assert not list(TESTS.glob("test_*.py"))


def test_make_quick_has_tests_of_every_room() -> None:
    slow = runpy.run_path(str(TESTS / "conftest.py"))["SLOW_FILES"]
    for room in sorted({file.relative_to(TESTS).parts[0] for file in TESTS.rglob("test_*.py")}):
        names = {f"{file.relative_to(TESTS).with_suffix('')}" for file in TESTS.rglob("test_*.py")}
        assert {name for name in names if name.startswith(f"{room}/")} - slow, room
