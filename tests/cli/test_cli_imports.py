"""What commands import: numpy, the engine, the library that parses flags, and nothing that is slow.

The list is watched rather than the time, which depends on the machine.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from surelist.cli.app import COMMANDS

HEAVY = {
    *("dask", "distributed", "duckdb", "importlib_metadata", "joblib", "matplotlib", "narwhals"),
    *("pandas", "plotly", "polars", "psycopg", "pyarrow", "pydantic", "scipy", "sklearn"),
    *("fastapi", "uvicorn", "asyncio", "http", "multiprocessing", "ssl"),
    *("concurrent", "importlib_resources", "pydoc", "pygments", "sqlite3", "unittest", "xml"),
}
# Parts of packages that are loaded in part: rich says its version, and draws only on terminals.
HEAVY_MODULES = {"rich.console", "rich.live", "rich.table", "importlib.metadata", "email.message"}
PROGRAM = (
    "import json, sys; from surelist.cli import main; code = main(sys.argv[1:]);"
    "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
)


def loaded_by(*arguments: object) -> set[str]:
    """The modules that a command has loaded at its end."""
    finished = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)], capture_output=True, text=True
    )
    code, modules = json.loads(finished.stderr.splitlines()[-1])
    assert code == 0, finished.stderr
    return set(modules)


def loaded_by_program(program: str) -> set[str]:
    """The modules that a program has loaded at its end."""
    shown = f"{program}; import json, sys; print(json.dumps(sorted(sys.modules)))"
    finished = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True
    )
    return set(json.loads(finished.stdout))


def heavy(modules: set[str]) -> set[str]:
    packages = {name.partition(".")[0] for name in modules}
    return (packages & HEAVY) | (modules & HEAVY_MODULES)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with data, and a model and a certificate of them."""
    folder = tmp_path_factory.mktemp("imports")
    rows = [
        "age,sex,member",
        *(f"{20 + i % 40},{'mf'[i % 2]},{int(i % 40 > 19)}" for i in range(80)),
    ]
    (folder / "data.csv").write_text("\n".join(rows) + "\n")
    fit = ["fit", folder / "data.csv", "-l", "member", "-o", folder / "model.json"]
    certificate = ["--certificate", folder / "proof.cert", "--n-cuts", "2"]
    assert heavy(loaded_by(*fit, *certificate)) == set()
    return folder


def test_fit_imports_nothing_heavy(work: Path) -> None:
    modules = loaded_by("fit", work / "data.csv", "-l", "member", "--require", "age < 30")
    assert "numpy" in modules
    assert heavy(modules) == set()


# What only other commands need, or other settings: fair lists, sets of lists, all cuts, paths,
# proofs, clusters, DuckDB, pictures and the page.
OF_OTHERS = re.compile(
    r"surelist\.(audit|plot|web|datasets|\w*checker|demo)(\.|$)|surelist\.search\.cluster"
    r"|surelist\.sources\.(dask|duckdb)|surelist\.estimators\.(near_optimal|path|corels|class|cross)"
    r"|surelist\.search\.(fair|cut_search)|surelist\.certificate\.(cert|cut|fair|compl|nec|summ)"
)


def test_fit_imports_only_what_a_fit_needs(work: Path) -> None:
    modules = loaded_by("fit", work / "data.csv", "-l", "member")
    assert {name for name in modules if OF_OTHERS.match(name)} == set()
    # 81 modules beside numpy and ours take part of its time today: Python's own, and typer's.
    numpys = loaded_by_program("import numpy")
    others = {name for name in modules - numpys if not name.startswith("surelist")}
    assert len(others) <= 95, sorted(others)


@pytest.mark.parametrize(
    "command",
    [
        ["predict", "model.json", "data.csv"],
        ["explain", "model.json", "data.csv", "--row", "3"],
        ["export", "model.json", "--format", "sql"],
        ["export", "model.json", "--format", "latex"],
        ["verify", "proof.cert", "data.csv", "-l", "member"],
        ["path", "data.csv", "-l", "member", "--smallest", "0.05"],
        ["alternatives", "data.csv", "-l", "member", "-r", "0.05"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_commands_import_nothing_heavy(work: Path, command: list[str]) -> None:
    arguments = [work / each if (work / each).exists() else each for each in command]
    assert heavy(loaded_by(*arguments)) == set()


def test_a_command_does_not_import_the_others(work: Path) -> None:
    modules = loaded_by("export", work / "model.json", "--format", "sql")
    own = {name for name in COMMANDS if f"surelist.cli.{name}" in modules}
    assert own == {"export"}
    # Nor what only learning and checking need.
    needless = {"checker", "fast_checker", "inspection", "problem.mining", "search.run"}
    assert modules.isdisjoint(f"surelist.{name}" for name in needless)


def test_resume_imports_nothing_heavy(work: Path) -> None:
    kept = work / "kept"
    loaded_by("fit", work / "data.csv", "-l", "member", "--checkpoint", kept)
    assert heavy(loaded_by("resume", kept)) == set()
