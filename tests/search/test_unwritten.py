"""Writes that fail in a search, or at its end: the file is lost, the result is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import PEOPLE_LIST, Captured, run
from full_disk import fill_disk
from problems import HARD, hard_problem, random_problem

import surelist
from surelist import RuleListClassifier, UncertifiedWarning, UnwrittenWarning
from surelist.certificate.closed_log import ClosedLog
from surelist.search import run as fitting

# The library.


def test_a_certificate_that_cannot_be_written_is_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = random_problem(0, rows=200, features=9)
    whole = RuleListClassifier(certificate=True).fit(X, y)
    model = RuleListClassifier(certificate=tmp_path / "proof")
    with monkeypatch.context() as patched:
        fill_disk(patched)
        with pytest.warns(
            UnwrittenWarning, match=r"proof: cannot be written \(No space left.*save"
        ):
            model.fit(X, y)
    assert not list(tmp_path.iterdir())
    assert (model.status_, model.rule_list_) == (whole.status_, whole.rule_list_)
    assert model.certificate_.path is None
    model.certificate_.save(tmp_path / "proof")
    assert surelist.verify(tmp_path / "proof", X, y).objective == whole.objective_exact_


def test_a_checkpoint_that_cannot_be_written_does_not_end_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = hard_problem()
    model = RuleListClassifier(
        checkpoint=tmp_path / "kept", checkpoint_interval=0.01, time_limit=1, **HARD
    )
    with monkeypatch.context() as patched:
        fill_disk(patched)
        with pytest.warns(UnwrittenWarning) as caught, pytest.warns(UncertifiedWarning):
            model.fit(X, y)
    told = [str(each.message) for each in caught if each.category is UnwrittenWarning]
    assert len(told) == 2, "the first time, and in the end"
    assert all(
        "the checkpoint cannot be written (No space left on device)" in text for text in told
    )
    assert "goes on without it" in told[0]
    assert not list(tmp_path.iterdir())
    assert model.status_ == "time_limit"
    assert len(model.rule_list_) > 0


def test_no_room_for_the_log_of_a_proof_costs_the_proof_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FullLog(ClosedLog):
        def __init__(self, wanted: Any) -> None:
            super().__init__(wanted)
            if self.path is not None:
                self.path = "/dev/full"

    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    X, y = random_problem(0, rows=200, features=9)
    whole = RuleListClassifier().fit(X, y)
    monkeypatch.setattr(fitting, "ClosedLog", FullLog)
    model = RuleListClassifier(certificate=True, checkpoint=tmp_path / "kept")
    with pytest.warns(UnwrittenWarning, match=r"no certificate: .*disk may be full.*TMPDIR"):
        model.fit(X, y)
    assert (model.status_, model.objective_exact_) == ("optimal", whole.objective_exact_)
    assert not hasattr(model, "certificate_")
    monkeypatch.undo()
    assert surelist.resume(tmp_path / "kept").objective_exact_ == whole.objective_exact_


def test_an_old_checkpoint_outlives_a_failed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = random_problem(0, rows=200, features=9)
    kept = tmp_path / "kept"
    with pytest.warns(UncertifiedWarning):
        RuleListClassifier(0.002, checkpoint=kept, max_prefixes=3).fit(X, y)
    before = kept.read_bytes()
    with monkeypatch.context() as patched:
        fill_disk(patched)
        with pytest.warns(UnwrittenWarning):
            model = surelist.resume(kept, max_prefixes=None)
    assert model.status_ == "optimal"
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert kept.read_bytes() == before


def test_a_checkpoint_without_features(tmp_path: Path) -> None:
    X, y = [[7], [7], [7], [7]], [0, 1, 1, 1]
    model = RuleListClassifier(checkpoint=tmp_path / "kept", certificate=True).fit(X, y)
    assert (model.status_, len(model.rule_list_)) == ("optimal", 0)
    again = surelist.resume(tmp_path / "kept")
    assert again.objective_exact_ == model.objective_exact_
    assert (again.predict(X) == model.predict(X)).all()


def test_certificate_and_checkpoint_are_two_files(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "one")
    model = RuleListClassifier(certificate=tmp_path / "one", checkpoint=tmp_path / "link")
    with pytest.raises(surelist.InputError, match="certificate and checkpoint are both"):
        model.fit([[0], [1]], [0, 1])


# The command line.


def test_a_result_is_printed_where_its_files_cannot_be_written(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, proof, kept = (people.with_name(name) for name in ("model.json", "proof", "kept"))
    fill_disk(monkeypatch)
    given = ("fit", people, "-l", "member", "--drop", "postcode")
    files = ("-o", model, "--certificate", proof, "--checkpoint", kept)
    finished = run(capfd, *given, *files)
    assert finished.code == 5
    assert finished.out.splitlines()[:3] == PEOPLE_LIST
    for path in (model, proof, kept):
        assert f"{path}: " in finished.err
        assert f"   {path}" not in finished.out
    assert finished.err.count("No space left on device") == 3
    assert sorted(people.parent.iterdir()) == [people]
    document = run(capfd, *given, *files, "--json")
    assert (document.code, document.json["text"]) == (5, PEOPLE_LIST)
    assert (document.json["model"], document.json["certificate"]) == (None, None)


def test_a_path_is_printed_where_its_file_cannot_be_written(
    people: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_disk(monkeypatch)
    output = people.with_name("path.json")
    finished = run(
        capfd, "path", people, "-l", "member", "--drop", "postcode", "--smallest", 0.1, "-o", output
    )
    assert finished.code == 5
    assert "optimal" in finished.out
    assert f"{output}: cannot be written" in finished.err
    assert sorted(people.parent.iterdir()) == [people]


def test_what_a_command_reads_it_does_not_write_over(
    people: Path, people_model: Path, capfd: Captured
) -> None:
    soft, hard = people.with_name("soft.csv"), people.with_name("hard.csv")
    soft.symlink_to(people)
    os.link(people, hard)
    before = people.read_bytes(), people_model.read_bytes()
    fit = ("fit", people, "-l", "member", "--force")
    several = ("fit", people.with_name("peop*.csv"), "-l", "member", "--force")
    commands: list[tuple[object, ...]] = [
        *((*fit, "-o", path) for path in (people, soft, hard)),
        *((*fit, "--certificate", path) for path in (people, soft, hard)),
        *((*fit, "--checkpoint", path) for path in (people, soft, hard)),
        (*fit, "--initial-rule-list", people_model, "-o", people_model),
        (*several, "-o", people),
        ("path", people, "-l", "member", "--force", "-o", hard),
        ("predict", people_model, people, "--force", "-o", people_model),
        ("predict", people_model, people, "--force", "-o", soft),
        ("export", people_model, "--force", "-o", people_model),
        ("convert", people, "-l", "member", "--force", "--rules", soft, "--labels", "-"),
        ("resume", people, "--force", "-o", people),
    ]
    for command in commands:
        error = run(capfd, *command).error
        assert "is read here, and would be lost" in error, command
    assert (people.read_bytes(), people_model.read_bytes()) == before


@pytest.mark.parametrize("command", ["fit", "predict", "path", "convert"])
def test_standard_input_is_not_written_over(people: Path, people_model: Path, command: str) -> None:
    label, output = ["-l", "member"], ["--force", "-o", str(people)]
    arguments = {
        "fit": ["-", *label, *output],
        "predict": [str(people_model), "-", *output],
        "path": ["-", *label, *output],
        "convert": ["-", *label, "--force", "--rules", str(people), "--labels", "x.label"],
    }[command]
    before = people.read_bytes()
    with people.open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-m", "surelist.cli", command, *arguments],
            stdin=stdin,
            capture_output=True,
            text=True,
            cwd=people.parent,
        )
    assert done.returncode == 2
    assert "is read here, and would be lost" in done.stderr
    assert people.read_bytes() == before


def test_one_file_is_not_given_for_two_outputs(people: Path, capfd: Captured) -> None:
    one, same = people.with_name("one"), people.with_name("same")
    same.symlink_to(one)
    outputs = ("--output", "--certificate", "--checkpoint")
    for first in outputs:
        for second in outputs:
            if first != second:
                finished = run(capfd, "fit", people, "-l", "member", first, one, second, same)
                assert "given for two files" in finished.error
