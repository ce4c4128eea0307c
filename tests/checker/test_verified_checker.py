"""The checker that is proven correct says what the others say, or clearly that it is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import both_checkers
import certify
import forge
import mutate
import pytest
from cli_helpers import run
from repository import ROOT

from surelist import Binarizer, RuleListClassifier, VerificationError, verified_checker, verify
from surelist.checker import DataError
from surelist.datasets import load_breast_cancer


def is_built() -> bool:
    try:
        verified_checker.find_program()
    except DataError:
        return False
    return True


built = pytest.mark.skipif(not is_built(), reason="the verified checker is not built: make proof")


def proven(seed: int) -> certify.Case:
    """Return the first proof from a seed on that has closed prefixes."""
    while (case := certify.prove(certify.draw(seed), seed)) is None or not case.closed:
        seed += 1
    return case


def lines(monkeypatch: pytest.MonkeyPatch, *proof: Any, **options: Any) -> list[str]:
    """Return what the program is given for a certificate and its data."""
    given: list[bytes] = []
    run_program = subprocess.run

    def spy(*args: Any, **options: Any) -> Any:
        given.append(options["input"])
        return run_program(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", spy)
        verify(*proof, checker="verified", **options)
    return given[0].decode().splitlines()


def lines_of(case: certify.Case, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    proof = certify.to_bytes(case), case.columns, case.y
    return lines(monkeypatch, *proof, sample_weight=case.sample_weight)


def value_line(text: list[str]) -> int:
    """Return where the objective and the bound are."""
    groups_end = 3 + int(text[2])
    return groups_end + 6  # after labels, first, required, forbidden, greatest length, rules


def ask(text: str) -> int:
    program = verified_checker.find_program()
    return subprocess.run([program], input=text.encode(), capture_output=True).returncode


@built
@pytest.mark.slow
def test_three_checkers_agree_on_proofs_mutants_and_forgeries() -> None:
    with both_checkers.also_verified() as asked:
        outcomes: Counter[Any] = Counter()
        for seed in range(3):
            outcomes += mutate.mutants(proven(seed), seed, 15)
            outcomes += forge.forgeries(seed)
    assert asked["accepted"] > 10
    assert asked["refused"] > 50  # so that both verdicts were compared


@built
def test_a_real_proof_is_accepted() -> None:
    data = load_breast_cancer()
    model = RuleListClassifier(regularization=0.02, max_clauses=1, certificate=True)
    model.fit(data.X, data.y)
    found = verify(model.certificate_, data.X, data.y, checker="verified")
    assert found.optimal
    assert found.checker == "verified"
    other = verify(model.certificate_, data.X, data.y, checker="reference")
    assert (found.statement, found.lower_bound) == (other.statement, other.lower_bound)
    assert found.n_states >= other.n_states  # format 2 gives reasons that are closed prefixes here


@built
def test_numbers_of_any_size_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    text, large = lines_of(proven(3), monkeypatch), 10**30
    n_groups, value = int(text[2]), value_line(text)

    def scaled(numbers: list[str]) -> str:
        return " ".join(str(int(number) * large) for number in numbers)

    text[1] = scaled(text[1].split())
    for group in range(3, 3 + n_groups):
        captured, *costs = text[group].split()
        text[group] = f"{captured} {scaled(costs)}"
    best, bound = map(int, text[value].split())
    text[value] = f"{best * large} {bound * large}"
    program = [verified_checker.find_program()]
    found = subprocess.run(program, input="\n".join(text), capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "accepted, with integers of any size\n")
    text[value] = f"{best * large} {bound * large + 1}"
    assert ask("\n".join(text)) == 4


@built
def test_a_higher_bound_or_a_missing_prefix_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = load_breast_cancer()
    model = RuleListClassifier(regularization=0.02, max_clauses=1, certificate=True)
    text = lines(monkeypatch, model.fit(data.X, data.y).certificate_, data.X, data.y)
    assert ask("\n".join(text)) == 0
    value = value_line(text)
    best, bound = map(int, text[value].split())
    for wrong in (f"{best + 1} {bound}", f"{best} {best + 1}", f"{best - 1} {bound}"):
        assert ask("\n".join([*text[:value], wrong, *text[value + 1 :]])) == 4
    begin = value + 2
    assert int(text[begin]) == len(text) - begin - 2
    assert ask("\n".join([*text[:begin], "0", "end"])) == 4


@built
@pytest.mark.parametrize("text", ["", "x", "surelist-problem-1", "surelist-problem-1 1 -2", "\0"])
def test_the_program_refuses_to_guess(text: str) -> None:
    assert ask(text) == 2


@built
def test_truncated_input_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    words = " ".join(lines_of(proven(2), monkeypatch)).split()
    for size in range(0, len(words), 7):
        assert ask(" ".join(words[:size])) == 2


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    X, y = [[0], [1]] * 5, [0, 1] * 5
    model = RuleListClassifier(regularization=0.1, certificate=True).fit(X, y)
    monkeypatch.setenv("SURELIST_VERIFIED", str(tmp_path / "nothing"))
    with pytest.raises(DataError, match=r"SURELIST_VERIFIED is .* no program"):
        verify(model.certificate_, X, y, checker="verified")
    monkeypatch.delenv("SURELIST_VERIFIED")
    monkeypatch.setattr(verified_checker, "PROGRAM", "surelist-no-such-program")
    with pytest.raises(DataError, match="not installed: build it by make proof"):
        verify(model.certificate_, X, y, checker="verified")


def test_a_program_without_a_verdict_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = [[0], [1]] * 5, [0, 1] * 5
    model = RuleListClassifier(regularization=0.1, certificate=True).fit(X, y)
    monkeypatch.setenv("SURELIST_VERIFIED", str(shutil.which("false")))
    with pytest.raises(DataError, match="gave no verdict"):
        verify(model.certificate_, X, y, checker="verified")


def test_a_refusal_that_the_reference_does_not_share_is_a_defect(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    X, y = [[0], [1]] * 5, [0, 1] * 5
    model = RuleListClassifier(regularization=0.1, certificate=True).fit(X, y)
    program = tmp_path / "refuses"
    program.write_text("#!/bin/sh\nexit 4\n")
    program.chmod(0o755)
    monkeypatch.setenv("SURELIST_VERIFIED", str(program))
    with pytest.raises(VerificationError, match="what the reference accepts"):
        verify(model.certificate_, X, y, checker="verified")


def test_other_kinds_of_certificates_are_not_taken_for_verified() -> None:
    X, y = [[0.5], [1.5], [2.5], [3.5]] * 5, [0, 1, 1, 0] * 5
    model = RuleListClassifier(
        regularization=0.05,
        max_clauses=1,
        max_length=2,
        binarizer=Binarizer(n_cuts="all"),
        certificate=True,
    ).fit(X, y)
    assert verify(model.certificate_, X, y).checker == "all cuts"
    with pytest.raises(DataError, match="do not choose another"):
        verify(model.certificate_, X, y, checker="verified")


@built
def test_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    table, proof = tmp_path / "table.csv", tmp_path / "proof.cert"
    table.write_text("a,b,y\n" + "0,0,no\n0,1,no\n1,0,yes\n1,1,no\n" * 5)
    fitted = run(capfd, "fit", table, "--label", "y", "-r", "0.05", "--certificate", proof)
    assert fitted.code == 0
    found = run(capfd, "verify", proof, table, "--checker", "verified")
    assert found.code == 0
    assert "Checked by the verified checker, which is proven correct." in found.out
    monkeypatch.setenv("SURELIST_VERIFIED", str(tmp_path / "nothing"))
    assert run(capfd, "verify", proof, table, "--checker", "verified").code == 2


def test_the_build_says_what_it_needs(tmp_path: Path) -> None:
    for tool in ("dirname", "bash", "env"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    where = {"PATH": str(tmp_path), "HOME": os.environ.get("HOME", "")}
    command = [ROOT / "proof" / "build", tmp_path / "out", tmp_path / "program"]
    found = subprocess.run(command, env=where, capture_output=True, text=True)
    assert found.returncode == 2
    assert "needs coqc" in found.stderr
    assert "apt-get install coq ocaml-nox ocaml-findlib" in found.stderr
