"""Tables kept once they were read: the same columns, and never those of another reading."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from web_server import Page, compas_csv, serving

from surelist.tables.files import FileTable
from surelist.web.dataset_files import keep_source, open_source
from surelist.web.kept_table import kept_table
from surelist.web.limits import Limits
from surelist.web.summary import summarize

TABLE = """n,share,text,day,moment,flag,empty,some
1,.5,a,2024-01-31,2024-01-31T10:00:00,1,,
-3,1e300,"b, c",1969-12-31,2024-02-01T00:00:00.5,0,,x
9007199254740993,,ü,,2024-02-01T00:00:00,1,,
"""


def folder_with(folder: Path, text: str, **about: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "source").write_text(text, encoding="utf-8")
    known = {"kind": "table", "name": "people.csv", "missing": [], **about}
    (folder / "about.json").write_text(json.dumps(known), encoding="utf-8")
    return folder


def about_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    return found


def assert_same(one: FileTable, other: FileTable) -> None:
    assert one.names == other.names
    assert one.n_rows == other.n_rows
    assert one.lines is not None
    assert other.lines is not None
    assert one.lines.tolist() == other.lines.tolist()
    for index in range(len(one.names)):
        a, b = one.column(index), other.column(index)
        assert (a.name, a.kind, a.aware) == (b.name, b.kind, b.aware)
        assert a.values.dtype == b.values.dtype
        np.testing.assert_array_equal(a.values, b.values)
        np.testing.assert_array_equal(a.missing, b.missing)
        assert (a.codes is None) == (b.codes is None)
        if a.codes is not None:
            np.testing.assert_array_equal(a.codes, b.codes)
        assert a.kind != "number" or (a.whole, a.binary) == (b.whole, b.binary)


@pytest.mark.parametrize("text", [TABLE, "a\n1\n", "a,b\n,\n,x\n", compas_csv(300).decode()])
def test_kept_columns_are_those_of_the_file(tmp_path: Path, text: str) -> None:
    folder = folder_with(tmp_path / "data", text)
    read = open_source(folder, Limits())
    keep_source(folder, read)
    kept = kept_table(folder, about_of(folder))
    assert kept is not None
    assert_same(read.table, kept)
    again = open_source(folder, Limits())
    assert summarize(again) == summarize(read)
    rows = np.array([0])
    assert_same(read.table.take(rows), again.table.take(rows))


def test_what_was_read_another_way_is_not_taken(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "data", TABLE)
    keep_source(folder, open_source(folder, Limits()))
    assert kept_table(folder, about_of(folder) | {"missing": ["a"]}) is None
    assert kept_table(folder, about_of(folder) | {"name": "people.tsv"}) is None
    before = (folder / "source").stat()
    folder_with(folder, TABLE.replace("b, c", "d, e"))
    os.utime(folder / "source", ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert kept_table(folder, about_of(folder)) is None
    assert open_source(folder, Limits()).table.column(2).values.tolist()[1] == "d, e"


def test_a_damaged_file_is_read_from_the_source(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "data", TABLE)
    keep_source(folder, open_source(folder, Limits()))
    kept = folder / "columns.npz"
    whole = kept.read_bytes()
    for damaged in (b"", whole[:50], whole[:-200], b"x" * 100):
        kept.write_bytes(damaged)
        assert kept_table(folder, about_of(folder)) is None
        assert open_source(folder, Limits()).table.n_rows == 3


@pytest.mark.slow
def test_a_search_does_not_read_the_file_again(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        data = page.dataset(compas_csv(200))
        first = finished(page, data)
        # Another text of the same size and time: whoever reads it again finds other rows.
        source = tmp_path / "data" / data / "source"
        before = source.stat()
        source.write_bytes(source.read_bytes().replace(b"yes", b"no!"))
        os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
        again = finished(page, data)
        assert again["result"]["text"] == first["result"]["text"]
        # The checker does: it trusts nobody, and refuses what it reads.
        assert page.wait_for_job(again["id"], "verify")["outcome"]["verified"] is False


def finished(page: Page, data: str) -> Any:
    return page.wait(page.run(data, label="recidivated", regularization="0.05"))
