"""A CSV file means the same to `surelist fit`, to `surelist verify` and to the checker alone."""

from __future__ import annotations

import gzip
import io
import os
import threading
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from cli_helpers import run

from surelist.checker import CsvFile, DataError, main, verify
from surelist.tables import csv_columns

CELLS = {
    "numbers": ["1", "2", "-3", "+4"],
    "fractions": ["0.5", " 2.25", "-1e3", ".5", "7."],
    "gaps": ["1", "NA", "", "3", "n/a", "#N/A", "NaN", "NULL"],
    "infinite": ["1", "inf", "-Inf", "2.5", "Infinity"],
    "large": ["9999999999999999998", "9999999999999999999", "10000000000000000000", "7"],
    "larger": ["99999999999999999999", "99999999999999999998", "3", "5"],
    "beside": ["9007199254740992", "9007199254740991", "0.5", "1e300"],
    "not digits": ["1\u0663", "13", "\uff11\uff13", "4"],
    "flags": ["true", "False", "TRUE", "false"],
    "postcodes": ["0012", "12", "00012", "1200"],
    "texts": ["None", "none", " na ", "NAN", "a b", "ä"],
    "quoted": ['"a,b;c"', '"d ""e"""', '"two\nlines"', "plain"],
    "dates": ["2020-02-29", "2021-01-01", "1999-12-31", ""],
    "moments": ["2020-02-29 12:30", "2020-02-29T12:31:05", "2020-01-01 00:00", "NaT"],
    "zones": ["2020-02-29 12:30Z", "2020-02-29T13:00+01:00", "2020-02-29 07:00 +00:00"],
}


def write(path: Path, cells: list[str], delimiter: str, encoding: str = "utf-8") -> Path:
    """Rows of a column, a flag and a label that both tell."""
    rng = np.random.default_rng(len(cells))
    lines = [delimiter.join((" column", "flag", "label "))]
    for row in range(120):
        cell, flag = row % len(cells), int(rng.integers(2))
        label = "yes" if (cell % 2 == flag) != (rng.random() < 0.1) else "no"
        lines.append(delimiter.join((cells[cell], str(flag), label)))
        if row % 50 == 7:
            lines.append("")
    path.write_bytes("\r\n".join([*lines, ""]).encode(encoding))
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", CELLS)
def test_files_mean_the_same(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, delimiter: str
) -> None:
    encoding = "utf-8-sig" if delimiter == ";" else "utf-8"
    data = write(tmp_path / "data.csv", CELLS[name], delimiter, encoding)
    proof = tmp_path / "proof.cert"
    fit = run(capfd, "fit", data, "-l", "label", "-r", "0.02", "--certificate", proof)
    assert fit.code == 0, fit.err
    assert run(capfd, "verify", proof, data).code == 0
    assert main([str(proof), str(data), "--label", "label"]) == 0
    # The proof is about the column, so it matters what is in it.
    changed = data.read_text(encoding=encoding).replace("yes", "no", 1)
    data.write_text(changed, encoding=encoding)
    assert main([str(proof), str(data), "--label", "label"]) == 4


def test_missing_texts_are_the_same() -> None:
    assert set(import_module("surelist.checker").MISSING) == csv_columns.MISSING


def test_rows_come_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows are read at a time, the groups are the same."""
    module = import_module("surelist.checker")
    data = write(tmp_path / "data.csv", CELLS["gaps"], ",")
    assert run_fit(data, tmp_path / "proof.cert") == 0
    whole = verify(tmp_path / "proof.cert", data, label="label")
    original, sizes = module._batches, []

    def few(X: object, names: object, needed: object, _: int, n_rows: int) -> object:
        for n, table in original(X, names, needed, 7, n_rows):
            sizes.append(n)
            yield n, table

    monkeypatch.setattr(module, "_batches", few)
    assert verify(tmp_path / "proof.cert", data, label="label") == whole
    assert sizes == [7] * 17 + [1]
    labels = ["yes"] * 121
    with pytest.raises(DataError, match="labels"):
        verify(tmp_path / "proof.cert", data, labels)
    with pytest.raises(DataError, match="labels"):
        verify(tmp_path / "proof.cert", data, labels[:100])


def run_fit(data: Path, proof: Path) -> int:
    from surelist.cli import main as surelist

    return surelist(["fit", str(data), "-l", "label", "-r", "0.02", "--certificate", str(proof)])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"column,flag,label\n1,2\n", "line 2: 2 cells, not 3"),
        (b"column,flag,,label\n1,1,1,yes\n", "column 3 has no name"),
        (b"flag,label\n1,yes\n", "no column 'column'"),
        (b"column,flag,label\n\x81,1,yes\n", "no CSV file that can be read"),
        (b"column,flag,label\n007,1,yes\n", "column 'column' is no column of numbers: '007'"),
        (b"column,flag,label\n1,1,yes\n\xd9\xa3,1,no\n", "no column of numbers"),
        (b"column,flag,label\n0.5,1,yes\n9007199254740993,1,no\n", "no column of numbers"),
        (b"column,flag,label\n1,1,yes\0\n", "a NUL"),
        (b"column,flag,label\n1,1," + b"x" * 140_000 + b"\n", "field larger than"),
        (b"\x1f\x8b\x08", "no CSV file that can be read"),
        (b'column,flag,label\n"1"x,1,yes\n', "no CSV file"),
        (b"", "no column"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, text: bytes, reason: str) -> None:
    proof, data = tmp_path / "proof.cert", tmp_path / "data.csv"
    assert run_fit(write(data, CELLS["numbers"], ","), proof) == 0
    data.write_bytes(text)
    with pytest.raises(DataError, match=reason):
        verify(proof, data, label="label")


OWN = "the checker's own CSV reader"


def written_table(path: Path, text: str, **how: str) -> Path:
    """Rows whose label the number x tells."""
    data = text.encode(how.get("encoding", "utf-8"))
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def rows(line: str, comma: str = ".") -> str:
    """Return 60 lines with a number x and the label y that it tells, by and large."""
    lines = []
    for row in range(60):
        x = f"{row % 12}{comma}5" if row % 5 else "?"
        lines.append(line.format(x=x, y="jä" if (row % 12 < 6) != (row % 11 == 0) else "nein"))
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "text", "flags", "encoding"),
    [
        ("data.csv", "x,y\n" + rows("{x},{y}"), [], "utf-8"),
        ("data.csv.gz", "x,y\n" + rows("{x},{y}"), [], "utf-8-sig"),
        ("data.tsv.gz", "x\ty\n" + rows("{x}\t{y}"), [], "utf-16"),
        ("data.csv", "x;y\n" + rows("{x};{y}", ","), [], "latin-1"),
        ("data.txt", "x|y\n" + rows("{x}|{y}"), ["--delimiter", "|"], "utf-32"),
        (
            "data.csv",
            "x:y\n" + rows("{x}:{y}"),
            ["--delimiter", ":", "--encoding", "cp850"],
            "cp850",
        ),
    ],
)
def test_the_checker_reads_what_fit_reads(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    name: str,
    text: str,
    flags: list[str],
    encoding: str,
) -> None:
    data = written_table(tmp_path / name, text, encoding=encoding)
    proof = tmp_path / "proof.cert"
    how = [*flags, "--missing", "?"]
    assert run(capfd, "fit", data, "-l", "y", "-r", "0.02", "--certificate", proof, *how).code == 0
    found = run(capfd, "verify", proof, data, *how)
    assert found.code == 0, found.err
    assert f"The data were read by {OWN}." in found.out
    assert run(capfd, "verify", proof, data, *how, "--json").json["reader"] == OWN
    assert main([str(proof), str(data), "--label", "y", *how]) == 0
    # What stands for no value is part of the question.
    assert run(capfd, "verify", proof, data, *flags).code == 2


def test_who_reads_other_data_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = written_table(tmp_path / "data.csv", "x,y\n" + rows("{x},{y}").replace("?", ""))
    proof = tmp_path / "proof.cert"
    assert run(capfd, "fit", data, "-l", "y", "-r", "0.02", "--certificate", proof).code == 0
    table = import_module("pyarrow.csv").read_csv(data)
    import_module("pyarrow.parquet").write_table(table, tmp_path / "data.parquet")

    def reader(*arguments: object) -> object:
        return run(capfd, "verify", proof, *arguments, "--label", "y", "--json").json["reader"]

    assert reader(tmp_path / "data.parquet") == "pyarrow"
    assert reader(data, "--engine", "duckdb") == "DuckDB"
    # Several files with the same columns are no reason to leave them to somebody else.
    lines = data.read_text().splitlines(keepends=True)
    (tmp_path / "part-1.csv").write_text("".join(lines[:20]))
    (tmp_path / "part-2.csv").write_text("".join([lines[0], *lines[20:]]))
    assert reader(tmp_path / "part-*.csv") == OWN
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data.read_bytes())))
    assert reader("-") == OWN


def test_a_misread_cell_is_not_certified(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the reader of the search errs, the checker's does not err with it."""
    data = write(tmp_path / "data.csv", CELLS["numbers"], ",")
    proof = tmp_path / "proof.cert"
    right = csv_columns._whole

    def wrong(values: list[str]) -> object:
        found = right(values)
        return found if found is None else np.where(found == -3, 33, found)

    monkeypatch.setattr(csv_columns, "_whole", wrong)
    fit = run(capfd, "fit", data, "-l", "label", "-r", "0.02", "--certificate", proof)
    assert fit.code == 0, fit.err
    found = run(capfd, "verify", proof, data)
    assert (found.code, "fingerprint" in found.err) == (4, True), found


def test_pipes_are_read_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Looking at a pipe takes something from it: nobody looks, all read."""
    data = write(tmp_path / "data.csv", CELLS["numbers"], ",")
    proof, pipe = tmp_path / "proof.cert", tmp_path / "pipe"
    os.mkfifo(pipe)

    def piped(*arguments: object) -> int:
        writer = threading.Thread(target=lambda: pipe.write_bytes(data.read_bytes()))
        writer.start()
        code = run(capfd, *arguments).code
        writer.join()
        return code

    how = ("-l", "label", "-r", "0.02", "--certificate", proof)
    assert piped("fit", pipe, *how) == 0
    assert piped("verify", proof, pipe) == 0
    assert run(capfd, "verify", proof, data).code == 0


def test_rows_without_needed_columns_are_counted(tmp_path: Path) -> None:
    data = write(tmp_path / "data.csv", CELLS["numbers"], ",")
    assert [n for n, _ in CsvFile(data).tables({}, 50)] == [50, 50, 20]
    # A column without a value is of any kind.
    data.write_text("a,b\n,1\nNA,2\n")
    ((_, found),) = CsvFile(data).tables({"a": {"number", "moment"}}, 50)
    assert found["a"][0] == [(), ()]
    with pytest.raises(DataError, match="delimiter"):
        CsvFile(data, "::").names()
