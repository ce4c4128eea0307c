"""Commands around a model: proofs, pictures and paths."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import Captured, run

import surelist


def certified(capfd: Captured, people: Path, *flags: object) -> Path:
    path = people.with_name("proof.cert")
    flags = flags if "-l" in flags else ("-l", "member", *flags)
    finished = run(capfd, "fit", people, "--certificate", path, *flags)
    assert finished.code == 0, finished.err
    return path


def test_a_certificate_is_verified(people: Path, capfd: Captured) -> None:
    proof = certified(capfd, people)
    finished = run(capfd, "verify", proof, people)
    assert (finished.code, finished.err) == (0, "")
    assert finished.out.startswith("Verified: no rule list over these ")
    document = run(capfd, "verify", proof, people, "--label", "member", "--json").json
    assert document["verified"] is True
    assert document["objective"] == document["lower_bound"] == "1/50"


def test_a_workbook_is_verified(tmp_path: Path, capfd: Captured) -> None:
    from openpyxl import Workbook

    book, path, proof = Workbook(), tmp_path / "people.xlsx", tmp_path / "proof.cert"
    sheet = book.create_sheet(index=0)
    for cells in (("age", "sex", "y"), *[(20 + i, "fm"[i % 2], int(i > 20)) for i in range(40)]):
        sheet.append(cells)
    book.save(path)
    assert run(capfd, "fit", path, "-l", "y", "--certificate", proof).code == 0
    finished = run(capfd, "verify", proof, path)
    assert finished.code == 0, finished.err
    assert "The data were read by openpyxl." in finished.out


@pytest.mark.parametrize(
    ("flags", "name", "words"),
    [
        ((), "fast", "Checked by the fast checker."),
        (("--checker", "fast", "-j", "2"), "fast", "Checked by the fast checker."),
        (("--checker", "reference"), "reference", "Checked by the reference checker."),
        (("--checker", "both"), "both", "Checked by both checkers, which agree."),
    ],
)
def test_the_verdict_says_who_checked(
    people: Path, capfd: Captured, flags: tuple[str, ...], name: str, words: str
) -> None:
    proof = certified(capfd, people)
    finished = run(capfd, "verify", proof, people, *flags)
    assert (finished.code, finished.err) == (0, "")
    assert finished.out.splitlines()[-1] == words
    assert run(capfd, "verify", proof, people, *flags, "--json").json["checker"] == name


def test_threads_that_make_no_sense_are_bad_input(people: Path, capfd: Captured) -> None:
    finished = run(capfd, "verify", certified(capfd, people), people, "-j", "0")
    assert finished.code == 2
    assert "n_jobs is 0" in finished.error


def test_weights_belong_to_what_is_verified(people: Path, capfd: Captured) -> None:
    rows = people.read_text().splitlines()
    weighted = [f"{row},{1 + number % 3}" for number, row in enumerate(rows)]
    people.write_text("\n".join([rows[0] + ",w", *weighted[1:]]) + "\n")
    proof = certified(capfd, people, "--weight", "w")
    assert run(capfd, "verify", proof, people, "--weight", "w").code == 0
    assert run(capfd, "verify", proof, people).code == 4


@pytest.mark.parametrize("text", ["18,Male", "18,Female"])
def test_other_data_are_refused_with_four(people: Path, capfd: Captured, text: str) -> None:
    proof = certified(capfd, people)
    other = people.with_name("other.csv")
    first = "18,Female,0012,yes"
    assert first in people.read_text()
    other.write_text(people.read_text().replace(first, f"{text},0012,no"))
    finished = run(capfd, "verify", proof, other)
    assert finished.code == 4
    assert finished.error.startswith("Refused: the data are not those of the certificate")
    document = run(capfd, "verify", proof, other, "--json")
    assert document.code == 4
    assert document.json["verified"] is False


def test_damaged_certificates_are_refused(people: Path, capfd: Captured) -> None:
    proof = certified(capfd, people)
    data = bytearray(proof.read_bytes())
    data[-40] ^= 1
    proof.write_bytes(bytes(data))
    finished = run(capfd, "verify", proof, people)
    assert finished.code in (2, 4)
    assert str(proof) in finished.error or finished.error.startswith("Refused")
    missing = run(capfd, "verify", people.with_name("none.cert"), people)
    assert missing.code == 2


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"antecedents": 5}, "5 is no list"),
        ({"antecedents": [{"condition": {}}]}, "no list"),
        ({"antecedents": [[{}]]}, "'condition' is missing"),
        ({"classes": 5}, "5 is no list"),
        ({"counts": {}}, "'closed_prefixes' is missing"),
        ({"objective": "1e999999999"}, "is no fraction"),
        ({"version": 3}, "another format or version"),
    ],
)
def test_headers_that_cannot_be_read_are_bad_input(
    people: Path, capfd: Captured, wrong: dict[str, Any], problem: str
) -> None:
    path = certified(capfd, people)
    magic, line, blocks = path.read_bytes().split(b"\n", 2)
    header = json.dumps(json.loads(line) | wrong).encode()
    path.write_bytes(b"\n".join([magic, header, blocks]))
    finished = run(capfd, "verify", path, people)
    assert finished.code == 2
    assert finished.error.startswith(f"{path}: its header cannot be read: ")
    assert problem in finished.error


def test_a_certificate_without_antecedents(tmp_path: Path, capfd: Captured) -> None:
    data = tmp_path / "data.csv"
    data.write_text("x,y\n" + "1,a\n1,b\n1,a\n" * 5)
    proof = certified(capfd, data, "-l", "y")
    finished = run(capfd, "verify", proof, data, "-l", "y")
    assert (finished.code, finished.err) == (0, "")
    assert finished.out.startswith("Verified: no rule list over these 0 antecedents")


def test_the_label_of_a_certificate_is_found_or_named(people: Path, capfd: Captured) -> None:
    proof = certified(capfd, people)
    text = people.read_text().splitlines()
    two = [text[0] + ",copy", *(f"{row},{row.rpartition(',')[2]}" for row in text[1:])]
    people.write_text("\n".join(two) + "\n")
    assert "'member', 'copy' hold the classes" in run(capfd, "verify", proof, people).error
    assert run(capfd, "verify", proof, people, "-l", "copy").code == 0


def test_certificates_are_not_overwritten(people: Path, capfd: Captured) -> None:
    proof = certified(capfd, people)
    before = proof.read_bytes()
    command = ("fit", people, "-l", "member", "-r", "0.05", "--certificate", proof)
    assert "exists already" in run(capfd, *command).error
    assert proof.read_bytes() == before
    assert run(capfd, *command, "--force").code == 0
    assert proof.read_bytes() != before
    model = people.with_name("model.json")
    same = run(capfd, *command, "--force", "-o", proof)
    assert "given for two files" in same.error
    assert not model.exists()


@pytest.mark.parametrize("kind", ["trace", "queue", "prunes", "rules"])
@pytest.mark.parametrize(("suffix", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_pictures(people: Path, capfd: Captured, kind: str, suffix: str, magic: bytes) -> None:
    model, picture = people.with_name("model.json"), people.with_name(f"{kind}.{suffix}")
    assert run(capfd, "fit", people, "-l", "member", "-r", "0.001", "-o", model).code == 0
    finished = run(capfd, "plot", model, "--kind", kind, "-o", picture, "--json")
    assert (finished.code, finished.err) == (0, "")
    assert finished.json == {"model": str(model), "kind": kind, "output": str(picture)}
    data = picture.read_bytes()
    assert data.startswith(magic)
    assert "exists already" in run(capfd, "plot", model, "--kind", kind, "-o", picture).error
    again = run(capfd, "plot", model, "--kind", kind, "-o", picture, "--force")
    assert again.code == 0
    if suffix == "png":
        assert picture.read_bytes() == data


def test_pictures_need_a_name_and_samples(people: Path, capfd: Captured) -> None:
    model = people.with_name("model.json")
    assert run(capfd, "fit", people, "-l", "member", "-o", model).code == 0
    assert "Name a file by --output" in run(capfd, "plot", model).error
    assert "must end in .png" in run(capfd, "plot", model, "-o", "trace.doc").error
    loaded = surelist.load(model)
    fitted = loaded.set_params(trace_interval=None).fit([[0], [1]] * 5, [0, 1] * 5)
    fitted.save(model)
    error = run(capfd, "plot", model, "-o", people.with_name("t.png")).error
    assert error.startswith("the trace has no samples")


def fitted_models(people: Path, capfd: Captured) -> list[Path]:
    models = []
    for number, regularization in enumerate(("0.01", "0.01", "0.2")):
        models.append(people.with_name(f"model{number}.json"))
        command = ("fit", people, "-l", "member", "-r", regularization, "-o", models[-1])
        assert run(capfd, *command).code == 0
    return models


def test_pictures_of_models_on_rows(people: Path, capfd: Captured) -> None:
    models, picture = fitted_models(people, capfd), people.with_name("picture.png")
    rows = ("--data", people, "-l", "member", "-o", picture, "--force", "--json")
    finished = run(capfd, "plot", *models, "--kind", "sparsity", *rows)
    assert (finished.code, finished.err) == (0, "")
    assert finished.json["models"] == list(map(str, models))
    assert picture.read_bytes().startswith(b"\x89PNG")
    for several in (models, models[:1]):
        command = ("plot", *several, "--kind", "rates", "--group", "sex", "--positive", "yes")
        picture.unlink()
        finished = run(capfd, *command, *rows)
        assert (finished.code, finished.err) == (0, "")
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_pictures_of_models_on_rows_say_what_is_missing(people: Path, capfd: Captured) -> None:
    models = fitted_models(people, capfd)
    end = ("-o", people.with_name("picture.png"))
    rows = ("--data", people, "-l", "member", *end)
    assert "--data and --label" in run(capfd, "plot", *models, "--kind", "sparsity", *end).error
    assert "by --group" in run(capfd, "plot", *models, "--kind", "rates", *rows).error
    assert "is about one model" in run(capfd, "plot", *models, *end).error
    command = ("plot", models[0], "--kind", "rates", *rows, "--group")
    assert "no column 'none'" in run(capfd, *command, "none").error
    assert "--positive 3: the classes of the model are no, yes" in (
        run(capfd, *command, "sex", "--positive", "3").error
    )


def test_path(people: Path, capfd: Captured) -> None:
    picture, written = people.with_name("path.png"), people.with_name("path.json")
    command = ("path", people, "-l", "member", "--drop", "postcode", "--smallest", "0.02")
    finished = run(capfd, *command, "--plot", picture, "-o", written)
    assert (finished.code, finished.err) == (0, "")
    assert "regularization from" in finished.out
    assert "if (age < 30) then predict yes\n" in finished.out
    document = run(capfd, *command, "--json").json
    assert document["status"] == "optimal"
    assert [segment["length"] for segment in document["segments"]][-1] == 0
    assert all(segment["certified"] for segment in document["segments"])
    assert document["segments"][0]["from"] == 0.02
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert written.read_text(encoding="utf-8").startswith("{")
    grid = run(capfd, *command, "--at", "0.05", "--at", "0.3", "--json").json
    assert grid["segments"][0]["from_exact"] == "1/20"
    assert "below smallest" in run(capfd, *command, "--largest", "0.001").error


def test_alternatives(people: Path, capfd: Captured) -> None:
    picture, written = people.with_name("lists.png"), people.with_name("lists.json")
    proof = people.with_name("lists.cert")
    common = ("alternatives", people, "-l", "member", "--drop", "postcode", "-r", "0.02")
    command = (*common, "--tolerance", "0.5", "--max-length", "2")
    finished = run(capfd, *command, "--plot", picture, "-o", written, "--certificate", proof)
    assert (finished.code, finished.err) == (0, "")
    assert "rule lists" in finished.out
    assert "best without" in finished.out
    document = run(capfd, *command, "--json", "--group", "age").json
    assert document["status"] == "complete"
    assert document["lists"] == len(document["rule_lists"]) > 1
    assert any(name.startswith("FPR") for name in document["ranges"])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert written.read_text(encoding="utf-8").startswith("{")
    lacking = run(capfd, *command, "--without", "age", "--json").json
    assert 0 <= lacking["lists"] < document["lists"]
    checked = run(capfd, "verify", proof, people, "--label", "member")
    assert (checked.code, checked.err) == (0, "")
    assert f"{document['lists']:,} rule lists" in checked.out
    unlabelled = run(capfd, "verify", proof, people)
    assert unlabelled.code in (0, 2)
    proof.write_bytes(proof.read_bytes().replace(b'"n_lists": ', b'"n_lists": 1'))
    assert run(capfd, "verify", proof, people, "--label", "member").code == 4
    assert run(capfd, *common, "--best", "3", "--json").json["lists"] >= 3
    assert "one of tolerance" in run(capfd, *command, "--best", "3").error


def test_one_of_the_alternatives_is_kept_with_its_proof(people: Path, capfd: Captured) -> None:
    model, proof = people.with_name("second.json"), people.with_name("second.cert")
    common = ("alternatives", people, "-l", "member", "--drop", "postcode", "-r", "0.02")
    command = (*common, "--tolerance", "5", "--max-length", "2")
    every = run(capfd, *command, "--json").json
    last = str(every["lists"])
    picked = run(capfd, *command, "--pick", last, "-o", model, "--certificate", proof, "--json")
    assert (picked.code, picked.err) == (0, "")
    kept = surelist.load(model)
    assert kept.objective_ == pytest.approx(every["rule_lists"][-1]["objective"])
    assert kept.status_ == "near_optimal"
    checked = run(capfd, "verify", proof, people, "--label", "member")
    assert (checked.code, checked.err) == (0, "")
    assert "lies between" in checked.out
    assert "beyond" in run(capfd, *command, "--pick", "9999", "-o", model, "-f").error
    assert "--output" in run(capfd, *command, "--pick", "1").error
    assert "without --pick" in run(capfd, *command, "--count", "--best", "3").error
    counted = run(capfd, *command, "--count", "--json").json
    assert (counted["orders"], counted["lists"]) == (every["orders"], every["lists"])
    assert counted["lists_standard_error"] == 0
    assert f"{every['orders']:,} rule lists" in run(capfd, *command, "--count").out


def test_many_alternatives_are_counted_from_a_sample(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("surelist.cli.alternatives_report._FEW_ORDERS", 10)
    common = ("alternatives", people, "-l", "member", "--drop", "postcode", "-r", "0.02")
    every = run(capfd, *common, "--tolerance", "5", "--max-length", "3", "--json").json
    command = (*common, "--tolerance", "5", "--max-length", "3", "--count")
    counted = run(capfd, *command, "--json").json
    assert every["orders"] == counted["orders"] > 10
    assert counted["lists_standard_error"] > 0
    assert abs(counted["lists"] - every["lists"]) < 5 * counted["lists_standard_error"]
    assert "(standard error " in run(capfd, *command).out


def test_what_doing_without_a_column_costs_is_proven(people: Path, capfd: Captured) -> None:
    common = ("alternatives", people, "-l", "member", "--drop", "postcode", "-r", "0.02")
    proof = people.with_name("age.cert")
    asked = ("--necessity", "age", "--necessity-certificate", proof)
    assert "difference" in run(capfd, *common, *asked).out
    found = run(capfd, *common, "--necessity", "all", "--json").json["necessity"]
    (age,) = (use for use in found if use["name"] == "age")
    assert age["difference"] == pytest.approx(age["best_without"] - age["best_with"])
    checked = run(capfd, "verify", proof, people, "--label", "member")
    assert (checked.code, checked.err) == (0, "")
    assert "as to the column 'age'" in checked.out
    assert "they prove this together" in checked.out
    proof.write_bytes(proof.read_bytes().replace(b'"without": "', b'"without": "1'))
    assert run(capfd, "verify", proof, people, "--label", "member").code == 4
    for wrong in (
        ("--necessity", "shoe size"),
        ("--necessity-certificate", people.with_name("x")),
        ("--necessity", "all", "--necessity-certificate", people.with_name("x")),
        ("--count", "--necessity", "age"),
        ("--count", "--without", "age"),
    ):
        assert run(capfd, *common, *wrong).code == 2


def test_alternatives_that_are_cut_short_exit_with_three(people: Path, capfd: Captured) -> None:
    command = ("alternatives", people, "-l", "member", "-r", "0.001", "--tolerance", "9")
    finished = run(capfd, *command, "--work-limit", "0.01", "--json")
    assert finished.code == 3
    assert finished.json["status"] == "work_limit"


def test_a_path_that_is_cut_short_exits_with_three(people: Path, capfd: Captured) -> None:
    command = ("path", people, "-l", "member", "--smallest", "0.001", "--max-prefixes", "1")
    finished = run(capfd, *command, "--json")
    assert finished.code == 3
    assert finished.json["status"] == "prefix_limit"


def test_alternatives_are_chosen_and_asked_about_one_row(people: Path, capfd: Captured) -> None:
    common = ("alternatives", people, "-l", "member", "--drop", "postcode", "-r", "0.02")
    command = (*common, "--tolerance", "9", "--max-length", "2")
    every = run(capfd, *command, "--json", "--row", "1").json
    assert sum(every["row"].values()) == pytest.approx(1)
    using = run(capfd, *command, "--using", "age", "--json").json
    without = run(capfd, *command, "--without", "age", "--json").json
    assert using["lists"] + without["lists"] == every["lists"]
    assert 0 < using["lists"] < every["lists"]
    assert len(run(capfd, *command, "--most", "2", "--json").json["rule_lists"]) == 2
    groups = (*command, "--group", "age", "--rate", "error")
    widest = run(capfd, *groups, "--json").json["ranges"]["error, gap"]
    fair = run(capfd, *groups, "--max-gap", repr(widest[0]), "--json").json
    assert 0 < fair["lists"] < every["lists"]
    assert fair["ranges"]["error, gap"][1] <= widest[0] + 1e-12
    neither = (*groups, "--max-gap", "1", "--without", "age", "--using", "age")
    none = run(capfd, *neither).out
    assert f"none of the {every['lists']:,} lists is like that; of all of them" in none
    assert f"gap in error is {widest[0]:.6g}" in none
    assert "is like that\n" in run(capfd, *command, "--without", "age", "--using", "age").out
    shown = run(capfd, *command, "--row", "1", "--show", "1").out
    assert "for this row, the lists predict: " in shown
    drawn = run(capfd, *command, "--count", "--sample", "3", "--json").json
    assert drawn["sample"]["status"] == "sample"
    assert drawn["sample"]["lists"] == 3
    assert "drawn at random" in run(capfd, *command, "--count", "--sample", "3").out
    for wrong, message in (
        (("--sample", "3"), "--count"),
        (("--max-gap", "0.1"), "--group"),
        (("--row", "0"), "--row must be"),
        (("--group", "age", "--positive", "perhaps"), "--positive must be"),
        (("--most", "-1"), "at least 0"),
    ):
        failed = run(capfd, *command, *wrong)
        assert failed.code == 2
        assert message in failed.error
