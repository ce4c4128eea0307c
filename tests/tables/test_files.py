"""Tables in files: what columns mean, and that formats agree."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surelist import RuleListClassifier
from surelist.errors import FormatError
from surelist.tables.column import Column
from surelist.tables.csv_columns import MISSING, NotOfKindError, read_column
from surelist.tables.csv_text import TextColumn
from surelist.tables.files import open_table, table_of_bits


def read(*texts: str, **options: Any) -> Column:
    column = TextColumn("x", list(texts), np.arange(len(texts)))
    return read_column(column, **options)


@pytest.mark.parametrize(
    ("texts", "kind", "values"),
    [
        (["1", "2", "-3"], "number", [1, 2, -3]),
        (["1", "2.5", "1e3"], "number", [1.0, 2.5, 1000.0]),
        ([".5", "+1.", "inf"], "number", [0.5, 1.0, np.inf]),
        (["true", "False", "TRUE"], "number", [True, False, True]),
        (["2024-02-29", "2023-01-01"], "date", [datetime(2024, 2, 29), datetime(2023, 1, 1)]),
        (["2024-02-29 12:30"], "datetime", [datetime(2024, 2, 29, 12, 30)]),
        (["2024-02-29T12:30:15Z"], "datetime", [datetime(2024, 2, 29, 12, 30, 15)]),
        (["2024-02-29T12:30:15+02:00"], "datetime", [datetime(2024, 2, 29, 10, 30, 15)]),
        (["2024-02-30"], "text", ["2024-02-30"]),
        (["2024-01-01T10:00Z", "2024-01-01T10:00"], "text", None),
        (["007", "12"], "text", ["007", "12"]),
        (["1,5", "2"], "text", ["1,5", "2"]),
        (["inf"], "text", ["inf"]),
        (["yes", "no"], "text", ["yes", "no"]),
        (["1", "one"], "text", ["1", "one"]),
        (["1_000", "2"], "text", ["1_000", "2"]),
        (["٣"], "text", ["٣"]),
        (["9999999999999999999", "1"], "number", [9999999999999999999, 1]),
        (["18446744073709551615", "0"], "number", [2**64 - 1, 0]),
        (["-9223372036854775808", "9223372036854775807"], "number", [-(2**63), 2**63 - 1]),
        (["99999999999999999999", "1"], "text", None),
        (["18446744073709551615", "-1"], "text", None),
        (["9007199254740992", "0.5"], "number", [2.0**53, 0.5]),
        (["9007199254740993", "0.5"], "text", None),
        (["1e999", "1"], "text", None),
        (["1e20", "1"], "number", [1e20, 1.0]),
        (["1\u0663", "2"], "text", None),
        (["\u0131nf", "2"], "text", None),
        (["0001-01-01T00:00+01:00"], "text", None),
        (["2020-01-01 24:00"], "text", None),
        (["2020-01-01 12:00 -05:00"], "datetime", [datetime(2020, 1, 1, 17)]),
    ],
)
def test_kinds_are_found(texts: list[str], kind: str, values: list[Any] | None) -> None:
    column = read(*texts)
    assert column.kind == kind
    assert not column.missing.any()
    found = column.values if column.codes is None else column.values[column.codes]
    if values is not None:
        assert found.tolist() == values


def test_decimal_commas_count_where_they_are_asked_for() -> None:
    assert read("1,5", "2", decimal_comma=True).values.tolist() == [1.5, 2.0]
    assert read("1.5", "2", decimal_comma=True).values.tolist() == [1.5, 2.0]
    assert read("1.5", "2,5", decimal_comma=True).kind == "text"


def test_missing_values_and_blanks() -> None:
    numbers = read(" 1 ", "", "NA", "2", "?", missing=MISSING | {"?"})
    assert numbers.missing.tolist() == [False, True, True, False, True]
    assert numbers.values[~numbers.missing].tolist() == [1, 2]
    text = read("a", " a", "NULL", "b")
    assert text.codes is not None
    assert text.codes.tolist() == [0, 0, -1, 1]
    dates = read("2024-01-01", "", kind="date")
    assert np.isnat(dates.values).tolist() == [False, True]
    assert read("", "NA").missing.all()


def test_a_kind_that_is_asked_for_is_required() -> None:
    assert read("007", "12", kind="text").kind == "text"
    assert read("1", "0", kind="text").values.tolist() == ["1", "0"]
    with pytest.raises(NotOfKindError, match="expected a number, found 'x'") as caught:
        read("1", "", "x", kind="number")
    assert caught.value.code == 2


@given(st.lists(st.one_of(st.integers(-(10**17), 10**17), st.floats(allow_nan=False)), min_size=1))
def test_numbers_come_back_exactly(numbers: list[float]) -> None:
    column = read(*map(str, numbers))
    if column.kind == "number":
        assert column.values.tolist() == [
            float(n) if column.values.dtype.kind == "f" else n for n in numbers
        ]
    else:  # nothing but infinity, or a whole number beside others that it would lose digits for
        large = any(isinstance(n, int) and abs(n) > 2**53 for n in numbers)
        assert large or all(np.isinf(n) for n in numbers)


@given(st.lists(st.dates(), min_size=1))
def test_dates_come_back_exactly(dates: list[date]) -> None:
    column = read(*(day.isoformat() for day in dates))
    assert column.kind == "date"
    assert [moment.date() for moment in column.values.tolist()] == dates


def people(folder: Path) -> dict[str, Path]:
    """One table in every format."""
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyarrow import feather, ipc, parquet

    table = pa.table(
        {
            "age": pa.array([25, 31, None, 40, 52, 61]),
            "city": pa.array(["Köln", "Bonn", "Köln", None, "Bonn", "Köln"]),
            "seen": pa.array([date(2024, 1, day) for day in range(1, 7)]),
            "member": pa.array([True, False, True, True, False, False]),
        }
    )
    paths = {name: folder / f"people.{name}" for name in ("parquet", "feather", "arrow", "stream")}
    parquet.write_table(table, paths["parquet"])
    feather.write_feather(table, str(paths["feather"]))
    with ipc.new_file(paths["arrow"], table.schema) as writer:
        writer.write_table(table)
    with ipc.new_stream(paths["stream"], table.schema) as writer:
        writer.write_table(table)
    rows = [",".join(table.column_names)]
    for row in table.to_pylist():
        cells = ("" if value is None else str(value) for value in row.values())
        rows.append(",".join(cells))
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        paths[name] = folder / f"people.{name}"
        text = "\n".join(rows).replace(",", delimiter) + "\n"
        paths[name].write_text(text, encoding="utf-8")
    return paths


def test_every_format_holds_the_same(tmp_path: Path) -> None:
    fitted = set()
    for path in people(tmp_path).values():
        table = open_table(path)
        assert table.names == ("age", "city", "seen", "member"), path
        assert table.shape == (6, 4)
        columns = [table.column(index) for index in range(4)]
        assert [column.kind for column in columns] == ["number", "text", "date", "number"]
        assert [column.missing.sum() for column in columns] == [1, 1, 0, 0]
        assert columns[0].values[~columns[0].missing].tolist() == [25, 31, 40, 52, 61]
        codes = columns[1].codes
        assert codes is not None
        assert [columns[1].values[code] for code in codes if code >= 0][:2] == ["Köln", "Bonn"]
        assert columns[3].values.tolist() == [True, False, True, True, False, False]
        X, y = table.without({"member"}), columns[3].values
        model = RuleListClassifier(0.1, max_clauses=1).fit(X, y)
        fitted.add(str(model.rule_list_))
    assert len(fitted) == 1


def test_a_table_in_a_file_is_fitted_like_a_data_frame(tmp_path: Path) -> None:
    import pandas as pd

    path = people(tmp_path)["csv"]
    frame = pd.read_csv(path, parse_dates=["seen"])
    table = open_table(path)
    y = frame.pop("member").to_numpy()
    one = RuleListClassifier(0.05).fit(frame[["age", "city"]], y)
    other = RuleListClassifier(0.05).fit(table.select(["age", "city"]), y)
    assert one.rule_list_ == other.rule_list_
    assert other.feature_names_in_.tolist() == ["age", "city"]
    assert (other.rule_list_.predict(table) == one.rule_list_.predict(frame)).all()


@pytest.mark.parametrize("name", ["parquet", "feather", "arrow", "stream"])
def test_damaged_arrow_files_are_refused(tmp_path: Path, name: str) -> None:
    path = people(tmp_path)[name]
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FormatError, match="the file is damaged"):
        open_table(path)


def test_columns_that_are_nearly_numbers_are_pointed_out(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("age,sex\n" + "\n".join(f"{n},m" for n in range(30)) + "\nunknown,f\n")
    table = open_table(path)
    assert table.column(0).kind == "text"
    assert len(table.notes) == 1
    assert "data.csv:32: column 'age' is read as text because of 'unknown'" in table.notes[0]
    assert open_table(path, missing=["unknown"]).column(0).kind == "number"


def test_faults_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text('a,b\n1,"x\ny"\n\noops,z\n')
    table = open_table(path, kinds={"a": "number"})
    with pytest.raises(
        FormatError, match=r"data.csv:5: column 'a': expected a number, found 'oops'"
    ):
        table.column(0)
    with pytest.raises(FormatError, match="there is no column 'c' for label; there are 'a', 'b'"):
        table.named_column("c", "label")


def test_tables_without_rows_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("a,b\n")
    with pytest.raises(FormatError, match="no rows after the header"):
        open_table(path)


def test_bits() -> None:
    table = table_of_bits(np.array([[0, 1], [1, 1]], np.uint8), ("p", "q"), "train.out")
    assert [table.column(index).binary for index in range(2)] == [True, True]
    assert str(table.fault(1, "wrong")) == "train.out: row 2: wrong"
