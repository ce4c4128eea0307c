"""A file whose first line is a row is noticed; odd names are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from surelist.tables.files import open_table


def noticed(folder: Path, text: str) -> bool:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return any("looks like a row" in note for note in open_table(path).notes)


@pytest.mark.parametrize(
    "text",
    [
        "5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n6.2,2.2,Iris-virginica\n",
        "1,0,1\n0,0,1\n1,1,0\n",
        "0.2,0.2,x\n0.3,0.5,x\n",
        "b,30.83,u,+\na,58.67,u,+\nb,24.50,y,-\n",
    ],
)
def test_a_first_row_is_noticed(tmp_path: Path, text: str) -> None:
    assert noticed(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "age,sex,label\n25,m,yes\n31,f,no\n",
        "country,2019,2020\nFrance,1,2\nItaly,3,4\n",
        "1,2,label\n0,1,yes\n1,0,no\n",
        "yes,no\n1,0\n0,1\n",
    ],
)
def test_odd_names_are_names(tmp_path: Path, text: str) -> None:
    assert not noticed(tmp_path, text)
