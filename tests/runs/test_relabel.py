"""Labels that are cut, merged, or missing in some rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from surelist.errors import FormatError, InputError
from surelist.runs.relabel import Relabelling, relabelled
from surelist.runs.rows import Columns, Source, choose_columns
from surelist.tables.files import open_table, plain_values

TEXT = "x,points,grade\n1,10,a\n2,,b\n3,50,c\n4,49.5,\n5,70,a\n"


@pytest.fixture
def source(tmp_path: Path) -> Source:
    path = tmp_path / "marks.csv"
    path.write_text(TEXT, encoding="utf-8")
    return Source(open_table(path))


def labels(source: Source, name: str) -> list[str]:
    return [str(each) for each in source.label_values(name)]


def test_a_cut_makes_two_classes(source: Source) -> None:
    how = Relabelling(cut=50, skip_missing=True)
    found = relabelled(source, "points", how)
    assert labels(found, "points") == ["< 50", "≥ 50", "< 50", "≥ 50"]
    assert plain_values(found.table.named_column("x", "x")) == [1, 3, 4, 5]
    assert found.table.lines.tolist() == [2, 4, 5, 6]
    assert "1 row without a label in 'points' left out" in found.table.notes
    rows = choose_columns(found, Columns("points"))
    assert rows.classes == ["< 50", "≥ 50"]
    assert rows.table.names == ("x", "grade")


def test_classes_are_merged_by_their_texts(source: Source) -> None:
    how = Relabelling(merge={"b": "bad", "c": "bad"}, skip_missing=True)
    assert labels(relabelled(source, "grade", how), "grade") == ["a", "bad", "bad", "a"]
    numbers = Relabelling(merge={"1": "low", "2": "low"})
    assert labels(relabelled(source, "x", numbers), "x") == ["low", "low", "3", "4", "5"]


def test_nothing_changes_unless_asked(source: Source) -> None:
    assert relabelled(source, "grade", Relabelling()) is source
    with pytest.raises(FormatError, match="is missing"):
        source.label_values("grade")


@pytest.mark.parametrize(
    ("label", "how", "reason"),
    [
        ("grade", Relabelling(cut=1), "only if it holds numbers"),
        ("grade", Relabelling(merge={"z": "y"}), "no label 'z' to be merged; there are 'a', 'b'"),
        ("nowhere", Relabelling(cut=1), "no column 'nowhere'"),
    ],
)
def test_what_cannot_be(source: Source, label: str, how: Relabelling, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        relabelled(source, label, how)


def test_it_survives_json_and_strangers() -> None:
    how = Relabelling(2.5, {"a": "b"}, True)
    assert Relabelling.from_dict(how.to_dict()) == how
    strange: list[Any] = [None, 3, [], {"cut": "x", "merge": [1], "skip_missing": 1}]
    for odd in (*strange, {"merge": {"a": 2}}):
        assert not Relabelling.from_dict(odd)
