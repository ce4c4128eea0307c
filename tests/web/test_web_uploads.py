"""Files that come in: good ones of every kind, and hostile ones, which the page survives."""

from __future__ import annotations

import asyncio
import gzip
import io
import pickle
import socket
import zipfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from openpyxl.worksheet.worksheet import Worksheet
from pyarrow import csv, parquet
from web_server import Page, compas_csv, until

from surelist.web.limits import Limits
from surelist.web.uploads import TooMuchError, receive

MOST_ROWS, MOST_COLUMNS = 20_000, 300


@pytest.fixture(scope="module")
def server_flags() -> Sequence[str]:
    rows, columns = str(MOST_ROWS), str(MOST_COLUMNS)
    return ("--max-upload", "4", "--max-rows", rows, "--max-columns", columns)


# What is welcome.


def test_a_raw_table_is_described(page: Page) -> None:
    found = page.send(compas_csv(), "compas.csv").json()
    summary = found["summary"]
    kinds = {column["name"]: column["kind"] for column in summary["columns"]}
    assert found["name"] == "compas.csv"
    assert summary["rows"] == 600
    assert kinds["age"] == "whole number"
    assert kinds["race"] == "text"
    missing = {column["name"]: column["missing"] for column in summary["columns"]}
    assert missing["priors_count"] == 12
    assert missing["age"] == 0
    assert summary["suggested_label"] == "recidivated"
    assert [c["name"] for c in summary["columns"] if c["looks_protected"]] == ["sex", "race"]
    assert len(summary["preview"]) == 12


def test_other_formats_are_read(page: Page) -> None:
    table = pa.table({"age": [20, 30, 40, 50] * 5, "member": ["yes", "no", "yes", "no"] * 5})
    packed = io.BytesIO()
    parquet.write_table(table, packed)
    stream = io.BytesIO()
    with pa.ipc.new_file(stream, table.schema) as writer:
        writer.write_table(table)
    text = b"age\tmember\n" + b"20\tyes\n30\tno\n" * 5
    for data, name, rows in (
        (packed.getvalue(), "people.parquet", 20),
        (stream.getvalue(), "people.arrow", 20),
        (gzip.compress(compas_csv(30)), "people.csv.gz", 30),
        (text, "people.tsv", 10),
        (b"\xef\xbb\xbfage;member\r\n1,5;yes\r\n2,5;no\r\n", "people.csv", 2),
        ("näme,y\nä,1\nö,2\n".encode("utf-16"), "people.csv", 2),
        ("näme,y\nä,1\nö,2\n".encode("latin-1"), "people.csv", 2),
    ):
        answer = page.send(data, name)
        assert answer.status_code == 201, (name, answer.text)
        assert answer.json()["summary"]["rows"] == rows


def test_the_checker_reads_csv_text_itself(page: Page) -> None:
    text = compas_csv(40)
    packed = io.BytesIO()
    parquet.write_table(csv.read_csv(io.BytesIO(text)), packed)
    for data, name, reader in (
        (gzip.compress(text.replace(b",", b"\t")), "people.tsv.gz", "the checker's own CSV reader"),
        (packed.getvalue(), "people.parquet", "pyarrow"),
    ):
        settings = {"label": "recidivated", "regularization": "0.05", "max_clauses": 1}
        run = page.wait(page.run(page.dataset(data, name), **settings))
        checked = page.wait_for_job(run["id"], "verify")["outcome"]
        assert (checked["verified"], checked["reader"]) == (True, reader), name


def test_a_file_that_the_checker_cannot_read_says_nothing_of_the_proof(page: Page) -> None:
    settings = {"label": "recidivated", "regularization": "0.05", "max_clauses": 1}
    dataset = page.dataset(compas_csv(40))
    run = page.wait(page.run(dataset, **settings))
    source = page.folder / "data" / dataset / "source"
    source.write_bytes(source.read_bytes() + b"one cell\n")
    checked = page.wait_for_job(run["id"], "verify")["outcome"]
    assert "verified" not in checked
    assert checked["error"].startswith("the CSV text, line 42: 1 cells")


def test_two_corels_files_make_one_data_set(page: Page) -> None:
    ids = []
    for name, data in (
        ("train.label", b"{no} 1 0 0 1\n{yes} 0 1 1 0\n"),
        ("train.out", b"{sex:Male} 0 1 1 0\n{age:18-20} 0 0 1 0\n"),
    ):
        sent = page.client.post("/api/uploads", params={"name": name}, content=data)
        ids.append(sent.json()["id"])
    found = page.post("/api/datasets", {"uploads": ids})
    assert found["kind"] == "corels"
    assert found["name"] == "train.out"
    assert [column["name"] for column in found["summary"]["columns"]] == ["sex:Male", "age:18-20"]
    assert found["summary"]["own_labels"] == [
        {"value": "no", "count": 2},
        {"value": "yes", "count": 2},
    ]
    done = page.wait(page.run(found["id"], max_clauses=1, regularization="0.1"))
    proof = "'train.out-λ-0.1-certificate.cert'"
    command = f"surelist verify {proof} --rules train.out --labels train.label"
    assert done["verify_command"] == command
    checked = page.wait_for_job(done["id"], "verify")["outcome"]
    assert checked["verified"]
    assert checked["reader"] == "the package's reader of CORELS text"
    assert done["result"]["text"][0] == "if (sex:Male) then predict yes"


@pytest.mark.parametrize("name", ["breast-cancer", "tic-tac-toe", "wine", "iris"])
def test_examples_need_no_file(page: Page, name: str) -> None:
    found = page.post("/api/datasets", {"example": name})
    about = next(each for each in page.get("/api/start")["examples"] if each["id"] == name)
    assert found["summary"]["rows"] == about["rows"]
    assert len(found["summary"]["columns"]) == about["columns"]
    assert found["summary"]["suggested_label"] == about["label"]
    file = page.client.get(f"/api/datasets/{found['id']}/file")
    assert file.headers["content-disposition"].startswith("attachment")
    assert file.text.count("\n") == about["rows"] + 1


def test_missing_texts_can_be_named(page: Page) -> None:
    rows = "".join(f"{n},{'yes' if n > 9 else 'no'}\n" for n in range(20))
    found = page.send(b"age,y\n" + rows.encode() + b"?,no\n").json()
    column = found["summary"]["columns"][0]
    assert (column["kind"], column["missing"]) == ("text", 0)
    assert any("taking '?' for “missing”" in note for note in found["summary"]["notes"])
    again = page.post(f"/api/datasets/{found['id']}/reading", {"missing": ["?"]}, status=200)
    column = again["summary"]["columns"][0]
    assert (column["kind"], column["missing"]) == ("whole number", 1)


# What is not.


def zip_bytes() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.csv", b"0" * 10_000_000)
    return data.getvalue()


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    for row in (["age", "label"], [25, "yes"], [31, "no"]):
        sheet.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def deep_parquet() -> bytes:
    data = io.BytesIO()
    column = pa.array([[["x"]]] * 10)
    parquet.write_table(pa.table({"nested": column}), data)
    return data.getvalue()


def tall_parquet() -> bytes:
    data = io.BytesIO()
    parquet.write_table(pa.table({"same": pa.array([1] * (MOST_ROWS + 1))}), data)
    return data.getvalue()


class Harmful:
    def __reduce__(self) -> Any:
        return Path.touch, (Path("/tmp/surelist-was-here"),)


HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "blank": (b"\n\n\n", "empty"),
    "header only": (b"a,b,c\n", "no rows"),
    "ragged": (b"a,b\n1,2\n1,2,3\n", "line 3: 3 fields where the header has 2"),
    "open quote": (b'a,b\n1,"2\n3,4\n', "never closed"),
    "binary": (bytes(range(256)) * 100, "NUL byte|not utf-8|binary"),
    "program": (b"\x7fELF" + bytes(5000), "a program"),
    "pickle": (pickle.dumps(Harmful(), 4), "a pickle"),
    "zip bomb": (zip_bytes(), "ZIP archive"),
    "cut workbook": (workbook()[:-400], r"\(.xlsx\) that is cut off or damaged"),
    "old workbook": (b"\xd0\xcf\x11\xe0" + bytes(5000), "save it as .xlsx"),
    "long name": (b"a," + b"n" * 1001 + b"\n1,2\n", "name of column 2 has 1,001 characters"),
    "gzip bomb": (gzip.compress(b"a,b\n" + b"1,2\n" * 8_000_000), "larger than|more than"),
    "cut gzip": (gzip.compress(compas_csv())[:500], "cut short or damaged"),
    "huge line": (b"a,b\n" + b"x" * 3_900_000, "field|quote|fields"),
    "huge quoted cell": (b'a,b\n"' + b"x" * 3_000_000 + b'",1\n', "closed|field"),
    "100k columns": (b",".join(b"c%d" % i for i in range(100_000)) + b"\n1\n", "300 columns"),
    "many rows": (b"a\n" + b"1\n" * (MOST_ROWS + 5), "20,000 rows"),
    "not the encoding it claims": (b"\xff\xfea\x00b", "not utf-16|utf-16"),
    "no encoding at all": (b"a,b\n\x81\x8d,1\n", "save the file as UTF-8"),
    "cut parquet": (b"PAR1" + bytes(100), "damaged"),
    "nested parquet": (deep_parquet(), "nested"),
    "tall parquet": (tall_parquet(), "20,000 rows"),
    "too large": (b"a,b\n" + b"1,2\n" * 1_100_000, "larger than 4 MB"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_with_the_reason(page: Page, kind: str) -> None:
    import re

    data, reason = HOSTILE[kind]
    answer = page.send(data, f"{kind}.csv")
    assert answer.status_code in (413, 422), (kind, answer.status_code, answer.text)
    assert re.search(reason, answer.json()["error"]), answer.json()
    assert "surelist" not in answer.json()["error"]
    # Nothing is left behind, and the page goes on.
    assert not list((page.folder / "uploads").iterdir())
    assert page.client.get("/api/start").status_code == 200
    assert len(list((page.folder / "data").iterdir())) == len(page.get("/api/datasets"))
    assert not Path("/tmp/surelist-was-here").exists()


def test_an_upload_that_is_cut_off_leaves_nothing(page: Page) -> None:
    host, _, port = page.base.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as connection:
        head = (
            f"POST /api/uploads?name=x HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Authorization: Bearer {page.token}\r\nContent-Length: 1000000\r\n\r\n"
        )
        connection.sendall(head.encode() + b"a,b\n1,2\n")
    until(lambda: not list((page.folder / "uploads").iterdir()))


def test_uploads_that_nobody_takes_do_not_pile_up(page: Page) -> None:
    for _ in range(12):
        page.client.post("/api/uploads", params={"name": "x"}, content=b"a\n1\n")
    assert len(list((page.folder / "uploads").iterdir())) <= 8


def test_slow_uploads_end(tmp_path: Path) -> None:
    async def trickle(pause: float) -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(pause)
            yield b"x"

    for limits in (Limits(stall_seconds=0.05), Limits(upload_seconds=0.05)):
        pause = 60 if limits.stall_seconds < 1 else 0.001
        with pytest.raises(TooMuchError, match="too long"):
            asyncio.run(receive(trickle(pause), tmp_path / "file", limits))
        assert not (tmp_path / "file").exists()


def test_reading_has_a_limit_of_time() -> None:
    """A helper that does not answer is replaced, and the next question is answered."""
    from surelist.web.pool import Pool, RefusedError

    async def ask() -> None:
        pool = Pool(Limits(), size=1)
        try:
            with pytest.raises(RefusedError, match="longer than 0 seconds"):
                await pool.ask("options", seconds=0.01)
            assert "bounds" in await pool.ask("options")
        finally:
            await pool.close()

    asyncio.run(ask())


def test_reading_has_a_limit_of_memory(tmp_path: Path) -> None:
    """A table of names that all differ needs more than is allowed; the helper lives on."""
    from surelist.web.pool import Pool, RefusedError

    (tmp_path / "about.json").write_text('{"kind": "table", "name": "x.csv"}')
    (tmp_path / "source").write_bytes(b"a,b\n" + b"".join(b"t%d,1\n" % i for i in range(1_500_000)))

    async def ask() -> None:
        pool = Pool(Limits(helper_memory=350_000_000), size=1)
        try:
            with pytest.raises(RefusedError, match="memory"):
                await pool.ask("summarize", data=str(tmp_path))
            assert "bounds" in await pool.ask("options")
        finally:
            await pool.close()

    asyncio.run(ask())


def test_cells_with_markup_stay_text(page: Page) -> None:
    script = "<script>alert(1)</script>"
    rows = "".join(f'"{script}",{n},{"yes" if n > 4 else "no"}\n' for n in range(10))
    found = page.send(f'"<b>name</b>",n,y\n{rows}'.encode(), "<img src=x>.csv").json()
    assert found["name"] == "<img src=x>.csv"
    assert found["summary"]["preview"][0][0] == script
    answer = page.client.get(f"/api/datasets/{found['id']}")
    assert answer.headers["content-type"] == "application/json"
