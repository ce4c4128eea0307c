"""The process of one search, by its functions: what it makes of what another process has left."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from surelist.runs.rows import Columns, Source, choose_columns
from surelist.tables.files import open_table
from surelist.web import search_worker
from surelist.web.file_names import BEST, RESULT

SETTINGS: dict[str, Any] = {"label": "label", "regularization": "0.01"}


@pytest.mark.parametrize("mining_reports", [False, True])
def test_a_list_that_was_left_behind_becomes_a_result(
    mining_reports: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where mining takes so long that it reports: it is not taken for the search."""
    every = -1.0 if mining_reports else 1e9
    monkeypatch.setattr("surelist._common.progress._MINING_EVERY", every)
    path = tmp_path / "rows.csv"
    path.write_text("a,b,label\n" + "0,1,no\n1,0,yes\n1,1,yes\n0,0,no\n" * 10)
    rows = choose_columns(Source(open_table(path)), Columns("label"))
    (tmp_path / BEST).write_text(json.dumps({"antecedents": ["(a)"]}))
    (tmp_path / "progress.jsonl").write_text('{"lower_bound": 0.005}\n{"lower_b')
    found = search_worker._left_behind(tmp_path, rows, SETTINGS, "it crashed")
    assert (found["length"], found["accuracy"]) == (1, 1.0)
    result = json.loads((tmp_path / RESULT).read_text())
    assert result["kept"] == {"reason": "it crashed", "lower_bound": 0.005}
    model = json.loads((tmp_path / "model.json").read_text())
    assert model["parameters"]["initial_rule_list"] is None


@pytest.mark.parametrize(
    ("settings", "so_far", "seconds"),
    [
        ({"time_limit": None}, {}, None),
        ({"time_limit": 100}, {}, 100),
        ({"time_limit": 100, "held_out": 0.2}, {}, 75),
        ({"time_limit": 100}, {"used": 40}, 60),
        ({"time_limit": 100}, {"used": 90, "granted": 190}, 100),
        ({"time_limit": 100}, {"used": 100}, 1),  # the last moment was the one it was cut off
    ],
)
def test_parts_of_a_search_share_its_time(
    settings: dict[str, Any],
    so_far: dict[str, Any],
    seconds: float | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 7.0)
    assert search_worker._seconds(settings, so_far, 7.0) == seconds


def test_checkpoints_are_kept_where_they_can_be_and_pay() -> None:
    worth = search_worker._is_worth_saving
    assert worth({"time_limit": None})
    assert worth({"time_limit": 60, "n_cuts": 3, "columns": {"age": [20.0], "zip": "category"}})
    assert not worth({"time_limit": 59})
    assert not worth({"n_cuts": "all"})
    assert not worth({"columns": {"age": "all"}})
