"""What `surelist.inspect` finds, and what it leaves alone."""

from __future__ import annotations

import json
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import surelist
from surelist.datasets import load_breast_cancer, load_tic_tac_toe

N = 400
ODD = np.random.default_rng(0)


def people(**columns: Any) -> pd.DataFrame:
    """Rows of which nothing is to be said, and further columns."""
    chance = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "priors": chance.integers(0, 9, N),
            "charge": chance.choice(["felony", "misdemeanour"], N),
            **columns,
        }
    )


def outcome() -> pd.Series:
    chance = np.random.default_rng(2)
    return pd.Series(chance.integers(0, 2, N), name="reoffended")


def kinds(found: surelist.Inspection, column: str | None) -> list[str]:
    return [each.kind for each in found.about(column)]


def test_nothing_is_found_where_there_is_nothing() -> None:
    found = surelist.inspect(people(), outcome())
    assert len(found) == 0
    assert str(found).startswith("Nothing was found")
    assert repr(found) == "<Inspection of 400 rows: 0 warnings, 0 notes, 0 suggestions>"


@pytest.mark.parametrize("load", [load_breast_cancer, load_tic_tac_toe])
def test_good_measurements_are_no_leaks(load: Any) -> None:
    data = load()
    assert surelist.inspect(data.X, data.y).warnings == ()


def test_a_column_that_is_nearly_the_label() -> None:
    y = outcome()
    nearly = y.where(np.arange(N) % 25 > 0, 1 - y)  # wrong in one row of 25
    found = surelist.inspect(people(is_recid=nearly, text=y.map({0: "no", 1: "yes"})), y)
    assert kinds(found, "is_recid") == ["leak"]
    assert kinds(found, "text") == ["leak"]
    right = (nearly == y).mean()
    assert found.about("is_recid")[0].facts["right"] == pytest.approx(right)
    assert f"{100 * right:.0f} %" in found.about("is_recid")[0].text


def test_a_number_from_which_the_label_was_cut() -> None:
    points = pd.Series(ODD.normal(size=N))
    found = surelist.inspect(people(points=points), (points > 0.4).astype(int))
    assert kinds(found, "points") == ["leak"]


def test_a_column_that_is_a_function_of_one_of_three_classes() -> None:
    y = pd.Series(np.arange(N) % 3)
    found = surelist.inspect(people(is_two=(y == 2).astype(int)), y)
    assert kinds(found, "is_two") == ["follows_label"]


def test_a_column_that_is_filled_in_for_one_class_alone() -> None:
    y = outcome()
    some = (y == 1) & (np.arange(N) % 3 > 0)
    days = pd.Series(ODD.integers(1, 700, N).astype(float)).where(some)
    found = surelist.inspect(people(days=days), y)
    assert kinds(found, "days") == ["presence"]
    assert f"{int(some.sum())} rows, 100 % of them labelled 1" in found.about("days")[0].text


def test_missing_at_random_says_nothing() -> None:
    some = pd.Series(ODD.normal(size=N)).where(ODD.random(N) < 0.5)
    assert kinds(surelist.inspect(people(some=some), outcome()), "some") == []


def test_a_column_named_like_the_label_needs_to_tell_something_of_it() -> None:
    y = outcome()
    part = (y == 1) & (np.arange(N) % 3 == 0)
    chance = ODD.integers(0, 2, N)
    found = surelist.inspect(people(reoffended_badly=part, reoffended_luck=chance), y)
    assert kinds(found, "reoffended_badly") == ["named_like_label"]
    assert kinds(found, "reoffended_luck") == []
    unnamed = surelist.inspect(people(reoffended_badly=part), y.to_numpy())
    assert kinds(unnamed, "reoffended_badly") == []
    named = surelist.inspect(people(reoffended_badly=part), y.to_numpy(), label="reoffended")
    assert kinds(named, "reoffended_badly") == ["named_like_label"]


@pytest.mark.parametrize("as_text", [False, True])
def test_a_date_after_the_event(as_text: bool) -> None:
    y = outcome()
    start = [date(2013, 1, 1) + timedelta(days=int(day)) for day in ODD.integers(0, 300, N)]
    later = [day + timedelta(days=int(more)) for day, more in zip(start, range(N), strict=True)]
    again = [day if label else None for day, label in zip(later, y, strict=True)]
    earlier = [day - timedelta(days=30) for day in start]
    born = [date(1980, 1, 1)] * (N - 1) + [date(1981, 1, 1)]
    columns: dict[str, list[Any]] = {
        "screened": start,
        "arrested": earlier,
        "again": again,
        "birthdate": born,
    }
    if as_text:
        columns = {name: list(map(_text, days)) for name, days in columns.items()}
    found = surelist.inspect(people(**columns), y)
    assert kinds(found, "again") == ["late_date"]
    assert found.about("again")[0].facts["after"] == "screened"
    assert kinds(found, "screened") == kinds(found, "arrested") == []


@pytest.mark.parametrize("as_text", [False, True])
def test_a_date_that_lies_after_another_mostly_in_one_class(as_text: bool) -> None:
    y = outcome()
    start = [date(2013, 1, 1) + timedelta(days=int(day)) for day in ODD.integers(0, 300, N)]
    # Held again after the outcome, most of the time; everybody else was held before.
    again = (y == 1) != (np.arange(N) % 6 == 0)
    held = [
        day + timedelta(days=int(more) if late else -3)
        for day, late, more in zip(start, again, ODD.integers(1, 90, N), strict=True)
    ]
    chance = [
        day + timedelta(days=int(more))
        for day, more in zip(start, ODD.integers(-20, 30, N), strict=True)
    ]
    columns: dict[str, list[Any]] = {"screened": start, "held": held, "seen": chance}
    if as_text:
        columns = {name: list(map(_text, days)) for name, days in columns.items()}
    found = surelist.inspect(people(**columns), y)
    assert kinds(found, "held") == ["late_date"]
    facts = found.about("held")[0].facts
    assert facts["after"] == "screened"
    late = pd.Series(again)
    assert facts["share"] == pytest.approx((y.to_numpy() == 1)[late].mean())
    assert facts["elsewhere"] == pytest.approx((y.to_numpy() == 1)[~late].mean())
    # The other way round it would say the same; and chance says nothing.
    assert kinds(found, "screened") == kinds(found, "seen") == []


def test_a_day_from_which_on_all_are_of_one_class() -> None:
    y = outcome().to_numpy()
    day = np.arange(N) * 300 // N
    kept = (day < 180) | (y == 1)  # who had no outcome yet is not in the file
    days = [date(2013, 1, 1) + timedelta(days=int(each)) for each in day]
    born = [date(1950, 1, 1) + timedelta(days=int(each)) for each in day]
    table = people(screened=days, birthdate=born)
    found = surelist.inspect(table[kept], y[kept])
    assert kinds(found, "screened") == ["one_class_since"]
    facts = found.about("screened")[0].facts
    first = date.fromisoformat(found.about("screened")[0].text.split(" from ")[1][:10])
    since = np.array([each >= first for each in days])[kept]
    assert facts["rows"] == since.sum()
    assert facts["share"] == pytest.approx((y[kept][since] == 1).mean())
    assert date(2013, 6, 1) < first <= days[int(np.argmax(day >= 180))]
    assert kinds(found, "birthdate") == ["protected"]  # by its name, and no more
    assert kinds(surelist.inspect(table, y), "screened") == []


def _text(day: date | None) -> str | None:
    return None if day is None else str(day)


def test_identifiers() -> None:
    found = surelist.inspect(
        people(
            case_id=1000 + 7 * np.arange(N),
            row=np.arange(N),
            name=[f"person {row}" for row in range(N)],
            income=20_000 + 13 * ODD.permutation(N),
            town=[f"town {row % 40}" for row in range(N)],
        )
    )
    assert {each.column for each in found if each.kind == "identifier"} == {
        "case_id",
        "row",
        "name",
    }


def test_constant_and_duplicate_columns() -> None:
    table = people(same="x", empty=None)
    table["charge_code"] = table["charge"].map({"felony": 1, "misdemeanour": 2})
    table["priors_again"] = table["priors"]
    found = surelist.inspect(table)
    assert kinds(found, "same") == kinds(found, "empty") == ["constant"]
    assert "other values as charge" in found.about("charge_code")[0].text
    assert "same values as priors" in found.about("priors_again")[0].text
    assert kinds(found, "priors") == kinds(found, "charge") == []


def test_columns_that_differ_in_every_row_are_no_duplicates() -> None:
    found = surelist.inspect(people(a=ODD.permutation(N), b=ODD.permutation(N) + 0.5))
    assert [each for each in found if each.kind == "duplicate"] == []


def test_missing_values_make_a_difference() -> None:
    one = pd.Series(["a", "b"] * (N // 2))
    other = one.where(np.arange(N) % 2 == 0)  # b is missing here
    assert kinds(surelist.inspect(people(one=one, other=other)), "other") == []


def test_small_classes_and_groups() -> None:
    race = ["Asian"] * 7 + ["Black", "White", "Other"] * 131
    y = [2] * 5 + [0, 1, 0, 1, 0] * 79
    found = surelist.inspect(people(race=race), y)
    assert "Asian (7)" in next(each.text for each in found if each.kind == "small_group")
    assert kinds(found, None) == ["small_class"]
    assert "Only 5 rows of 400" in found.about(None)[0].text
    town = surelist.inspect(people(town=race), y)
    assert kinds(town, "town") == []
    assert kinds(surelist.inspect(people(town=race), y, protected=["town"]), "town") == [
        "small_group"
    ]


def test_protected_columns_are_suggested_by_name_only() -> None:
    table = people(sex=["m", "f"] * (N // 2), mortgage=np.arange(N) % 7)
    found = surelist.inspect(table)
    assert found.protected == ("sex",)
    assert [each.level for each in found.about("sex")] == ["suggestion"]
    assert surelist.inspect(table.to_numpy()).protected == ()


def test_it_reads_in_every_form() -> None:
    y = outcome()
    found = surelist.inspect(people(leak=y, same=1, sex=["m", "f"] * (N // 2)), y)
    lines = str(found).splitlines()
    assert [line.split()[0] for line in lines] == ["warning", "note", "suggestion"]
    assert repr(found) == "<Inspection of 400 rows: 1 warning, 1 note, 1 suggestion>"
    frame = found.to_frame()
    assert frame["column"].tolist() == ["leak", "same", "sex"]
    assert json.loads(json.dumps(found.to_dict()))["findings"][0]["kind"] == "leak"
    written = StringIO()
    Console(file=written, width=80).print(found)
    assert "leak alone tells the label" in " ".join(written.getvalue().split())
    hostile = surelist.inspect(people(**{"<b>leak</b>": y}), y)
    assert "&lt;b&gt;leak" in hostile._repr_html_()
    assert "<b>leak" not in hostile._repr_html_()


def test_a_long_table_is_looked_at_in_part_and_says_so() -> None:
    rows = 450_000
    y = np.arange(rows) % 2
    found = surelist.inspect(np.column_stack([y, np.arange(rows) % 5]), y)
    assert [each.kind for each in found] == ["leak"]
    assert str(found).splitlines()[-1] == "Looked at 200,000 of 450,000 rows."


def test_bad_labels_are_refused_as_by_fit() -> None:
    with pytest.raises(surelist.InputError, match="one class"):
        surelist.inspect(people(), [1] * N)
    with pytest.raises(surelist.InputError, match="400 rows but y has 3"):
        surelist.inspect(people(), [1, 0, 1])


def test_propublicas_file_warns_of_what_was_known_only_afterwards(data_dir: Path) -> None:
    path = data_dir / "compas" / "compas-scores-two-years.csv.gz"
    table = pd.read_csv(path, low_memory=False)
    found = surelist.inspect(table.drop(columns="two_year_recid"), table["two_year_recid"])
    warned = {str(each.column) for each in found.warnings}
    afterwards = {name for name in table.columns if name.startswith(("r_", "vr_"))}
    assert afterwards | {"is_recid", "is_violent_recid", "event", "end"} <= warned
    assert {"id", "name", "c_case_number"} <= warned
    assert warned.isdisjoint({"age", "priors_count", "decile_score", "c_charge_degree", "race"})
