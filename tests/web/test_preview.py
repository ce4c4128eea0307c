"""The preview of a search: which conditions it shows of a column."""

from __future__ import annotations

import random
from typing import Any

from surelist.runs.rows import Source
from surelist.tables.files import open_table
from surelist.web.preview import columns_preview, problem_preview
from surelist.web.settings import RunSettings


def settings(**some: object) -> dict[str, object]:
    return RunSettings.model_validate({"label": "label", **some}).model_dump()


def table(head: list[str], rows: list[list[Any]]) -> Source:
    lines = [",".join(map(str, each)) for each in [head, *rows]]
    return Source(open_table("table.csv", content="\n".join(lines).encode()))


def test_of_many_values_those_are_shown_that_are_kept() -> None:
    chance = random.Random(2)
    rows: list[list[Any]] = []
    for n in range(400):
        value = f"v{chance.randrange(30):02d}"
        likely = value in ("v07", "v29")
        rows.append([value, n % 7, "yes" if likely != (chance.random() < 0.05) else "no"])
    found = columns_preview(
        table(["kind", "n", "label"], rows), settings(max_features=2, regularization="0.01")
    )
    kind = next(each for each in found["columns"] if each["name"] == "kind")
    assert kind["conditions"] == ["kind = v07", "kind = v29"]
    assert kind["n_kept"] == 2
    assert kind["n_conditions"] > 8


def numbers() -> Source:
    rows = [[n, n % 5, "red" if n % 3 else "blue", "yes" if n > 20 else "no"] for n in range(60)]
    return table(["n", "small", "kind", "label"], rows)


def test_columns_that_are_cut_everywhere_say_how_many_cuts_there_are() -> None:
    found = columns_preview(numbers(), settings(n_cuts="all"))
    columns = {each["name"]: each for each in found["columns"]}
    assert [columns[name]["n_conditions"] for name in ("n", "small", "kind")] == [118, 8, 2]
    assert [columns[name]["everywhere"] for name in ("n", "small", "kind")] == [True, True, False]
    assert found["conditions_kept"] == found["conditions"] == 128
    single = columns_preview(numbers(), settings(n_cuts=1, columns={"small": "all"}))
    columns = {each["name"]: each for each in single["columns"]}
    assert [columns[name]["n_conditions"] for name in ("n", "small")] == [2, 8]


def test_the_size_of_a_search_over_all_cuts() -> None:
    one = problem_preview(numbers(), settings(n_cuts="all", max_clauses=1))
    assert one == {"rows": 60, "features": 128, "antecedents": 128, "groups": 60}
    two = problem_preview(numbers(), settings(n_cuts="all", max_clauses=2, max_length=2))
    pairs = (128**2 - 2 * 59**2 - 2 * 4**2 - 2) // 2
    assert two["antecedents"] == 128 + pairs
