"""Cuts of dates that are given as text, as flags and forms have them."""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

from surelist import Binarizer
from surelist.errors import InputError

DAYS = ["2024-01-01", "2024-02-10", "2024-03-20", "2024-04-30"] * 3


@pytest.mark.parametrize(
    "cuts", [["2024-02-01", "2024-04-01"], [date(2024, 2, 1), date(2024, 4, 1)]]
)
@pytest.mark.parametrize("kind", ["datetime64[s]", "object"])
def test_texts_and_dates_cut_alike(cuts: list[object], kind: str) -> None:
    frame = pd.DataFrame({"day": pd.to_datetime(pd.Series(DAYS))})
    if kind == "object":
        frame["day"] = frame["day"].dt.date
    found = Binarizer(columns={"day": cuts}, min_frequency=0).fit(frame).transform(frame)
    below = [day < "2024-02-01" for day in DAYS]
    assert any((found[:, i].astype(bool) == below).all() for i in range(found.shape[1]))


def test_a_text_that_is_no_day_is_refused() -> None:
    frame = pd.DataFrame({"day": pd.to_datetime(pd.Series(DAYS))})
    with pytest.raises(InputError, match="'soon' is no place to cut"):
        Binarizer(columns={"day": ["soon"]}).fit(frame)
