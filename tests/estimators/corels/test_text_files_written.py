"""The CORELS text format: what is written reads back, and what would not is not written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corels_files import LABEL, MINOR, OUT, Files, assert_same, data_sets, small
from full_disk import fill_disk_at_third_file
from hypothesis import given, settings
from hypothesis import strategies as st

from surelist.errors import InputError
from surelist.estimators.corels.text_files import CorelsData, read, write


@pytest.mark.slow
@settings(deadline=None)
@given(data=data_sets(), packed=st.booleans())
def test_what_is_written_reads_back(scratch: Files, data: CorelsData, packed: bool) -> None:
    paths = [path.with_name(f"{path.name}.gz") if packed else path for path in scratch.paths]
    if data.minority is None:
        paths.pop()
    write(data, *paths)
    assert_same(read(*paths), data)
    assert all((path.read_bytes()[:2] == b"\x1f\x8b") == packed for path in paths[1:])


def test_write_lays_files_out_as_the_original(files: Files) -> None:
    write(small(minority=None), *files.paths)
    assert [path.read_bytes() for path in files.paths] == [OUT, LABEL, MINOR]
    write(small(antecedents=(), captures=np.zeros((3, 0), np.uint8), minority=None), *files.paths)
    assert [path.read_bytes() for path in files.paths[:2]] == [b"", LABEL]
    assert files.minor.read_bytes() == b"{group_minority} 1 0 0\n"


UNWRITABLE: dict[str, tuple[dict[str, Any], str]] = {
    "opening brace": ({"antecedents": ("a", "b{")}, r"antecedent 'b\{': a name must not"),
    "closing brace": ({"antecedents": ("a", "}")}, "antecedent '}': a name must not"),
    "newline": ({"classes": ("no\n", "yes")}, r"class 'no\\n': a name must not"),
    "carriage return": ({"classes": ("no", "\ryes")}, r"class '\\ryes': a name must not"),
    "NUL": ({"antecedents": ("a", "\0")}, r"antecedent '\\x00': a name must not"),
    "surrogate": ({"antecedents": ("a", "\udcff")}, r"antecedent '\\udcff': a name must not"),
    "empty name": ({"antecedents": ("", "b")}, "antecedent '': a name must not be blank"),
    "blank name": ({"classes": ("no", " \t")}, "a name must not be blank"),
    "same antecedent": ({"antecedents": ("a", "a")}, "antecedent 'a': the name occurs twice"),
    "same class": ({"classes": ("no", "no")}, "class 'no': the name occurs twice"),
    "too few names": ({"antecedents": ("a",)}, "2 columns for 1 antecedents"),
    "one dimension": ({"captures": np.zeros(3, np.uint8)}, "captures must be a matrix"),
    "not a bit": ({"captures": np.full((3, 2), 2, np.uint8)}, "captures must be a matrix of 0"),
    "not a number": ({"captures": np.full((3, 2), np.nan)}, "captures must be a matrix of 0"),
    "too few labels": ({"labels": np.zeros(2, np.int32)}, r"labels must be 3 .* shape \(2,\)"),
    "real labels": ({"labels": np.zeros(3)}, "labels must be 3 class codes.*float64"),
    "label too high": ({"labels": np.array([0, 1, 2])}, r"labels: 2 in row 3 is not in 0\.\.1"),
    "label too low": ({"labels": np.array([0, -1, 1])}, r"labels: -1 in row 2 is not in 0\.\.1"),
    "one class": ({"classes": ("no",), "labels": np.zeros(3, np.int32)}, "3 rows and 1 classes"),
    "no rows": ({"captures": np.zeros((0, 2)), "labels": np.zeros(0, int)}, "0 rows and 2 classes"),
    "short minority": ({"minority": np.ones(2, bool)}, r"must be a Boolean array of shape \(3,\)"),
    "counted minority": ({"minority": np.zeros(3, int)}, "minority must be a Boolean array"),
    "wrong minority": ({"minority": np.ones(3, bool)}, "minority: row 1 .* 1 marked .* 0 are"),
}


@pytest.mark.parametrize(("changes", "problem"), UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_what_would_not_read_back_is_not_written(
    files: Files, changes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        write(small(**changes), *files.paths)
    assert list(files.folder.iterdir()) == []


def test_all_files_are_replaced_or_none(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    files.put(b"old", b"old", b"old")
    fill_disk_at_third_file(monkeypatch)
    with pytest.raises(InputError, match=r"t\.minor: cannot be written \(No space left"):
        write(small(), *files.paths)
    assert sorted(files.folder.iterdir()) == sorted(files.paths)
    assert {path.read_bytes() for path in files.paths} == {b"old"}


def test_places_that_cannot_be_written_to_are_refused(files: Files) -> None:
    refused: dict[str | Path, str] = {
        files.folder / "absent" / "t.label": r"t\.label: cannot be written \(No such file",
        files.folder / ".." / files.folder.name / "t.out": "given for two files",
        files.folder: "not a regular file",
        os.devnull: "not a regular file",
        "nul\0byte": "not a path",
    }
    for path, problem in refused.items():
        with pytest.raises(InputError, match=problem):
            write(small(), files.out, path)
    assert list(files.folder.iterdir()) == []
