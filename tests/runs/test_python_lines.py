"""Lines of Python that are handed out do what the run did."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from surelist.runs.commands import fit_command
from surelist.runs.fit import fit_rows
from surelist.runs.python_lines import python_lines
from surelist.runs.rows import Source, read_corels
from surelist.tables.csv_columns import MISSING
from surelist.tables.files import open_table
from surelist.web.run_description import parameters_of, rows_of
from surelist.web.summary import summarize

MORE = {"more_flags": ["--work-limit", "none"]}


def a_table(path: Path) -> None:
    """Numbers, texts that look like numbers or like nothing, dates, and a label to be cut."""
    lines = ["age,city,zip,since,points,label"]
    for row in range(240):
        age = "" if row % 40 == 3 else str(18 + row * 7 % 50)
        city = ("Rome", "None", "Oslo", "null")[row % 4]
        since = f"20{10 + row % 9}-0{1 + row % 9}-11"
        high = (row * 7 % 50 > 20) != (row % 17 == 0)
        points = "" if row % 60 == 7 else f"{(14 if high else 3) + row % 3}"
        lines.append(f'{age},{city},"x{row % 5}",{since},{points},{1 if high else 0}')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


CASES: dict[str, dict[str, Any]] = {
    "plain": {"label": "label", "roles": {"points": "leave_out"}},
    "cut": {
        "label": "points",
        "relabel": {"cut": 10.0, "merge": {"≥ 10": "high"}, "skip_missing": True},
        "roles": {"label": "protected", "city": "use"},
    },
    "all cuts": {
        "label": "label",
        "roles": {"points": "leave_out"},
        "max_clauses": 1,
        "n_cuts": "all",
        "max_features": 28,
        "max_length": 2,
    },
    "settings": {
        "label": "label",
        "roles": {"points": "leave_out", "city": "protected"},
        "max_clauses": 1,
        "negations": True,
        "n_cuts": 4,
        "max_features": 20,
        "columns": {"age": [25, 37.5], "city": "category"},
        "class_weight": {"1": 2.0},
        "max_length": 2,
        "min_frequency": "0.05",
        "policy": "objective",
        "time_limit": 60.0,
        "memory_limit_mb": 900.0,
    },
}


def learned_by(script: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr + script
    return done.stdout.strip()


@pytest.mark.parametrize("case", CASES)
def test_the_lines_and_the_command_find_the_list_of_the_run(case: str, tmp_path: Path) -> None:
    path = tmp_path / "some people.csv"
    a_table(path)
    settings = {"regularization": "0.01"} | CASES[case]
    source = Source(open_table(path))
    rows = rows_of(source, settings)
    expected = "\n".join(fit_rows(rows, parameters_of(settings, rows)).rule_list_.lines())
    assert "if " in expected

    columns = summarize(source)["columns"]
    assert learned_by(python_lines([path.name], settings, columns), tmp_path) == expected

    command = fit_command([path.name], settings | MORE)
    script = f"import shlex, sys; sys.argv = shlex.split({command!r}) + ['--json']\n"
    script += "from surelist.cli import main; sys.exit(main())"
    found = json.loads(learned_by(script, tmp_path))
    assert "\n".join(found["text"]) == expected
    assert ("--drop city" in command) == (settings["roles"].get("city") == "protected")


def test_lines_for_the_corels_text_format(tmp_path: Path) -> None:
    (tmp_path / "rules.out").write_text("{a:1} 1 0 1 1 0 0\n{b:1} 0 1 1 0 0 1\n")
    (tmp_path / "labels.label").write_text("{y:0} 0 1 0 0 1 1\n{y:1} 1 0 1 1 0 0\n")
    files = ["rules.out", "labels.label"]
    settings = {"regularization": "0.05", "max_clauses": 1}
    rows = rows_of(read_corels(*(tmp_path / name for name in files)), settings)
    expected = "\n".join(fit_rows(rows, parameters_of(settings, rows)).rule_list_.lines())
    assert learned_by(python_lines(files, settings), tmp_path) == expected


def test_the_texts_for_no_value_are_those_of_the_package() -> None:
    # Named twice, because the page's server, which hands the lines out, imports no numpy.
    text = python_lines(["a.csv"], {"label": "y"})
    named = ast.literal_eval(text.partition("na_values=")[2].partition(",\n")[0])
    assert set(named) == MISSING
