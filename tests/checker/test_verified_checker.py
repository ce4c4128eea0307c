"""The checker that is proven correct says what the others say, or clearly that it is missing."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import both_checkers
import certify
import certify_engine
import forge
import mutate
import numpy as np
import pytest
from cli_helpers import run
from repository import ROOT
from verified_program import built

from surelist import (
    Binarizer,
    Fairness,
    RuleListClassifier,
    VerificationError,
    checker,
    near_optimal,
    verified_checker,
    verify,
)
from surelist.checker import DataError
from surelist.datasets import load_breast_cancer

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="there is no Coq")


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
    assert found.n_states >= other.n_states  # those with the same state are all checked


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
    begin = value + 3  # after the proven length, and the places in the order
    assert int(text[begin]) == len(text) - begin - 2
    assert ask("\n".join([*text[:begin], "0", "end"])) == 4


@built
def test_no_mathematics_is_left_to_the_translator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the readable checker's own look at the rule list, false claims are still refused."""
    monkeypatch.setattr(checker._Problem, "check_rule_list", lambda _: None)
    rng, seen = np.random.default_rng(26), Counter[str]()
    changes: list[Any] = [mutate.raise_lower_bound, mutate.move_objective, mutate.other_label]
    changes += [mutate.worse_list, mutate.claim_too_much, mutate.other_regularization]
    for seed in range(12):
        case = certify.prove(certify.draw(seed), seed)
        for change in changes if case is not None else []:
            mutant = change(copy.deepcopy(case), rng)
            if mutant is None:
                continue
            weights = mutant.case.sample_weight
            proof = mutant.data, mutant.case.columns, mutant.case.y
            try:
                verify(*proof, sample_weight=weights, checker="verified")
            except VerificationError:
                seen["refused"] += 1
                continue
            assert mutate.is_true(mutant.case)
            seen["accepted"] += 1
    assert seen["refused"] > 20
    assert seen["accepted"] > 0


@built
def test_lengths_beyond_all_antecedents_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = [[0, 1], [1, 0], [1, 1]] * 5, [0, 1, 1] * 5
    model = RuleListClassifier(regularization=0.1, max_length=10**7, certificate=True).fit(X, y)
    text = lines(monkeypatch, model.certificate_, X, y)
    assert text[value_line(text) - 2] == f"some {text[0].split()[1]}"


@built
def test_several_problems_are_checked_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    right = "\n".join(lines_of(proven(3), monkeypatch))
    text = right.splitlines()
    value = value_line(text)
    best, bound = map(int, text[value].split())
    wrong = "\n".join([*text[:value], f"{best} {bound + 1}", *text[value + 1 :]])
    assert ask(f"{right}\n{right}\n") == 0
    assert ask(f"{right}\n{wrong}\n{right}") == 4
    assert ask(f"{right}\n{right} 0") == 2
    assert ask(f"{right}\n{text[0]}") == 2


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


@pytest.mark.parametrize("name", ["false", "true"])
def test_a_program_without_a_verdict_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    X, y = [[0], [1]] * 5, [0, 1] * 5
    model = RuleListClassifier(regularization=0.1, certificate=True).fit(X, y)
    monkeypatch.setenv("SURELIST_VERIFIED", str(shutil.which(name)))
    with pytest.raises(DataError, match="gave no verdict"):
        verify(model.certificate_, X, y, checker="verified")


def test_a_refusal_that_the_reference_does_not_share_is_a_defect(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    X, y = [[0], [1]] * 5, [0, 1] * 5
    model = RuleListClassifier(regularization=0.1, certificate=True).fit(X, y)
    program = tmp_path / "refuses"
    program.write_text("#!/bin/sh\necho refused, with nothing\nexit 4\n")
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
    assert verify(model.certificate_, X, y).checker.startswith("all cuts")
    with pytest.raises(DataError, match="no proof for certificates of all cuts"):
        verify(model.certificate_, X, y, checker="verified")
    found = near_optimal(X, y, tolerance=0.01, regularization=0.05, max_clauses=1, certificate=True)
    with pytest.raises(DataError, match="no proof for certificates of complete sets"):
        verify(found.certificate, X, y, checker="verified")
    fair = RuleListClassifier(
        regularization=0.05,
        fairness=Fairness("statistical_parity", tolerance=0.5),
        certificate=True,
    ).fit(X, y, sensitive_features=[0, 1] * 10)
    with pytest.raises(DataError, match="no proof for certificates of fair lists"):
        verify(fair.certificate_, X, y, sensitive_features=[0, 1] * 10, checker="verified")


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


@pytest.fixture
def empty_proof(tmp_path: Path) -> Path:
    """Return a copy of the build whose files prove nothing."""
    folder = tmp_path / "proof"
    folder.mkdir()
    shutil.copy(ROOT / "proof" / "build", folder)
    for path in (ROOT / "proof").glob("*.v"):
        (folder / path.name).touch()
    (folder / "main.ml").touch()
    return folder


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [folder / "build", folder / "out", folder / "program"]
    return subprocess.run(command, capture_output=True, text=True)


@needs_coq
@pytest.mark.parametrize("words", ["Axiom a : False.", "Lemma a : False. Admitted."])
def test_the_build_refuses_what_is_not_proven(empty_proof: Path, words: str) -> None:
    (empty_proof / "Sums.v").write_text(f"{words}\n")
    found = build(empty_proof)
    assert found.returncode == 1
    assert "the proof is not complete" in found.stderr


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("lemma", "said"),
    [
        ("Lemma b : False. Proof. exact a. Qed.", "the theorems rest on assumptions"),
        ("Lemma b : True. Proof. exact I. Qed.", "the proofs rest on assumptions"),
    ],
)
def test_the_build_refuses_an_axiom(empty_proof: Path, lemma: str, said: str) -> None:
    """Outside a section, a variable is an axiom; coqchk also finds one that no theorem uses."""
    (empty_proof / "Extract.v").write_text(
        f"Variable a : False. {lemma} {4 * 'Print Assumptions b. '}"
    )
    found = build(empty_proof)
    assert found.returncode == 1
    assert said in found.stderr
    assert not (empty_proof / "program").exists()


@built
def test_relaxations_are_checked_as_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is given them, accepts them where they hold, and refuses them elsewhere."""
    for seed in range(21, 60):
        case = certify_engine.one_label_at_most(certify.draw(seed, 12))
        proof = certify_engine.prove(case)
        if any(certify.why(path)[0] == certify.RELAXED for path in proof.closed):
            break
    else:
        pytest.fail("no proof has a relaxation")
    with both_checkers.also_verified() as asked:
        certify_engine.check(proof)
    assert asked == {"accepted": 1}
    text = lines_of(proof, monkeypatch)
    begin = value_line(text) + 3  # after the proven length, and the places in the order
    count = int(text[begin])
    assert count == len(proof.closed)
    reasons = [line.split() for line in text[begin + 1 : begin + 1 + count]]
    assert any(words[-1] == "4" and len(words) == int(words[0]) + 2 for words in reasons)
    value = value_line(text)  # with a higher bound, or a lower one of what is listed, it fails
    best, bound = map(int, text[value].split())
    assert ask("\n".join([*text[:value], f"{best + 1} {bound + 1}", *text[value + 1 :]])) == 4
    everything = [" ".join([*words[: int(words[0]) + 1], "4"]) for words in reasons]
    assert ask("\n".join([*text[: begin + 1], *everything, *text[begin + 1 + count :]])) == 4


@built
@pytest.mark.slow
def test_three_checkers_agree_on_forged_relaxations() -> None:
    with both_checkers.also_verified() as asked:
        for seed in range(forge.PLAIN, forge.PLAIN + 20):
            forge.forgeries(seed)
    assert asked["refused"] > 100
