"""The commands beside fit: what they print, write and exit with."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_helpers import PEOPLE_LIST, PROGRAM, Captured, run

from surelist.estimators.corels import text_files as corels_text


def records(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_predict(people: Path, people_model: Path, capfd: Captured) -> None:
    truth = [row["member"] for row in records(people.read_text())]
    finished = run(capfd, "predict", people_model, people)
    assert (finished.code, finished.err) == (0, "")
    found = records(finished.out)
    assert [row["prediction"] for row in found] == truth
    assert {row["rule"] for row in found} == {"0", "1", "2"}
    assert {row["probability"] for row in found} == {"1.0"}
    output = people.with_name("predictions.csv")
    command = ("predict", people_model, people, "--label", "member", "--keep", "age", "--proba")
    finished = run(capfd, *command, "-o", output)
    assert finished.out == ""
    assert finished.err == "surelist: note: 100.0% of 60 labels predicted right\n"
    first = records(output.read_text())[0]
    assert first["age"] == "18"
    assert first["probability of yes"] == "1.0"
    document = run(capfd, *command, "--json").json
    assert document["accuracy"] == 1
    assert document["predictions"][0]["prediction"] == "yes"
    assert document["rows"] == len(document["predictions"]) == 60


def test_predict_needs_no_more_than_the_rules_ask_about(
    people: Path, people_model: Path, capfd: Captured
) -> None:
    other = people.with_name("other.csv")
    other.write_text("sex;extra;age\nFemale;1;70\nMale;2;70\n")
    assert [
        row["prediction"] for row in records(run(capfd, "predict", people_model, other).out)
    ] == [
        "yes",
        "no",
    ]
    other.write_text("sex,years\nFemale,70\n")
    error = run(capfd, "predict", people_model, other).error
    assert error.startswith(f"{other}: there is no column 'age' for the model's rules")
    other.write_text("sex,age\nFemale,70\nMale,old\n")
    error = run(capfd, "predict", people_model, other).error
    assert error == f"{other}:3: column 'age': expected a number, found 'old'"


def test_texts_that_look_like_numbers_stay_what_they_were(tmp_path: Path, capfd: Captured) -> None:
    train, new = tmp_path / "train.csv", tmp_path / "new.csv"
    train.write_text("zip,y\n" + "01234,a\n" * 9 + "99999,b\n" * 5 + "88888,c\n" * 4)
    new.write_text("zip\n99999\n88888\n")
    model = tmp_path / "model.json"
    assert run(capfd, "fit", train, "-l", "y", "-o", model).code == 0
    found = records(run(capfd, "predict", model, new).out)
    assert [row["prediction"] for row in found] == ["b", "c"]


def test_explain(people: Path, people_model: Path, capfd: Captured) -> None:
    finished = run(capfd, "explain", people_model, people, "--row", "1", "--row", "60")
    assert (finished.code, finished.err) == (0, "")
    first, last = finished.out.splitlines()
    assert first == " 1  yes: (age < 30) (right on 100.0% of the 12 it captured in training)"
    assert last.startswith("60  no: no rule applies")
    document = run(capfd, "explain", people_model, people, "--json").json
    assert len(document) == 60
    assert document[0] == {
        "row": 1,
        "label": "yes",
        "rule": 1,
        "antecedent": "(age < 30)",
        "captured": 12,
        "support": 0.2,
        "accuracy": 1.0,
    }
    assert document[-1]["rule"] == 0
    error = run(capfd, "explain", people_model, people, "--row", "61").error
    assert error == "--row 61: there are 60 rows, counted from 1"


def test_export(people: Path, people_model: Path, capfd: Captured) -> None:
    assert run(capfd, "export", people_model).out.splitlines() == PEOPLE_LIST
    assert json.loads(run(capfd, "export", people_model, "--format", "json").out)["rules"]
    assert "tabular" in run(capfd, "export", people_model, "--format", "latex").out
    assert "digraph" in run(capfd, "export", people_model, "--format", "dot").out
    source = run(capfd, "export", people_model, "--format", "python", "--function", "member").out
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    assert namespace["member"]({"age": 20, "sex": "Male"}) == "yes"
    case = run(capfd, "export", people_model, "--format", "sql", "--table", "people").out
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE people (age, sex)")
    database.execute("INSERT INTO people VALUES (70, 'Female'), (70, 'Male')")
    query = f"SELECT {case} FROM people"
    assert [label for (label,) in database.execute(query)] == ["yes", "no"]
    database.close()
    output = people.with_name("list.txt")
    document = run(capfd, "export", people_model, "-o", output, "--json").json
    assert document == {"model": str(people_model), "format": "text", "output": str(output)}
    assert output.read_text(encoding="utf-8").splitlines() == PEOPLE_LIST
    error = run(capfd, "export", people_model, "--table", "people").error
    assert "has no option 'table'" in error


def test_convert_there_and_back(people: Path, capfd: Captured) -> None:
    folder = people.parent
    out, label, minor = (folder / f"train.{kind}" for kind in ("out", "label", "minor"))
    files = ("--rules", out, "--labels", label)
    finished = run(capfd, "convert", people, "-l", "member", *files, "--minor", minor, "--json")
    assert (finished.code, finished.err) == (0, "")
    written = corels_text.read(out, label, minor)
    assert finished.json["antecedents"] == len(written.antecedents)
    assert written.classes == ("no", "yes")
    table = folder / "again.csv"
    finished = run(capfd, "convert", *files, "-o", table, "--label", "member")
    assert finished.code == 0
    rows = records(table.read_text(encoding="utf-8"))
    assert [row.pop("member") for row in rows] == [
        row["member"] for row in records(people.read_text())
    ]
    bits = np.array([[int(bit) for bit in row.values()] for row in rows])
    assert (bits == written.captures).all()
    assert tuple(rows[0]) == written.antecedents
    files = ("--rules", folder / "2.out", "--labels", folder / "2.label")
    assert run(capfd, "convert", table, "-l", "member", *files).code == 0
    again = corels_text.read(folder / "2.out", folder / "2.label")
    assert again.antecedents == written.antecedents
    assert (again.captures == written.captures).all()
    assert "name --rules and --labels" in run(capfd, "convert", people, "-l", "member").error


def test_demo(capfd: Captured) -> None:
    finished = run(capfd, "demo")
    assert (finished.code, finished.err) == (0, "")
    assert "status        optimal: proven" in finished.out
    assert run(capfd, "demo", "--json").json["status"] == "optimal"


@pytest.mark.slow
def test_standard_input(people: Path, people_model: Path) -> None:
    program = [*PROGRAM, "fit", "-", "--label", "member", "--drop", "postcode", "--json"]
    fitted = subprocess.run(program, input=people.read_bytes(), capture_output=True)
    assert (fitted.returncode, fitted.stderr) == (0, b"")
    assert json.loads(fitted.stdout)["text"] == PEOPLE_LIST
    program = [*PROGRAM, "predict", str(people_model), "-"]
    predicted = subprocess.run(program, input=b"age,sex\n20,Male\n", capture_output=True)
    assert predicted.stdout == b"prediction,probability,rule\nyes,1.0,1\n"
    broken = subprocess.run(program, input=b"age,sex\n20\n", capture_output=True)
    assert broken.returncode == 2
    assert broken.stderr.startswith(b"surelist: error: standard input:2: 1 fields")
