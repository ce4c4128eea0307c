"""The program that is proven correct: what is not proven of it, its integers and its reading."""

from __future__ import annotations

import itertools
import math
import operator
import random
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from repository import ROOT
from verified_program import built

from surelist import verified_checker

LEAST, GREATEST = -(2**62), 2**62 - 1  # of OCaml's integers
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "min": min,
    "max": max,
}
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "leb": operator.le,
    "ltb": operator.lt,
    "eqb": operator.eq,
}
DRIVER = "exact_driver.ml"

# A true claim: three rules are best, and the empty prefix has to be listed, as closed.
TRUE = {
    "size": "surelist-problem-2 3 2",
    "prices": "2 2 2",
    "groups": "5",
    "group 0": "100 0 3",
    "group 1": "010 0 3",
    "group 2": "001 0 3",
    "group 3": "111 0 20",
    "group 4": "000 50 0",
    "labels": "2 0 1",
    "first": "0",
    "required": "0",
    "forbidden": "0",
    "longest": "none",
    "rules": "3 0 0 1 0 2 0 1",
    "value": "6 6",
    "proven": "none",
    "ranks": "0 1 2",
    "prefixes": "1\n0 0",
    "end": "end",
}
ACCEPTED, REFUSED, UNREADABLE = 0, 4, 2


def ask(text: str) -> subprocess.CompletedProcess[str]:
    """Run the program, with no more memory than a table needs that is no larger than it looks."""
    most = 2 << 30
    return subprocess.run(
        [verified_checker.find_program()],
        input=text,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    )


def changed(**lines: str) -> str:
    return "\n".join(
        (TRUE | {name.replace("_", " "): line for name, line in lines.items()}).values()
    )


@built
def test_the_claim_that_the_others_are_made_from() -> None:
    found = ask(changed())
    assert (found.returncode, found.stdout) == (0, "accepted, with machine integers\n")
    assert ask(changed(value="6 5")).returncode == ACCEPTED
    assert ask(changed(proven="some 3")).returncode == ACCEPTED


@built
@pytest.mark.parametrize(
    "lines",
    [
        {"value": "5 5"},
        {"value": "7 6"},
        {"value": "6 7"},
        {"value": "6 6", "group_4": "000 50 1"},
        {"rules": "3 0 0 1 0 1 0 1"},  # an antecedent twice
        {"rules": "3 0 0 1 0 9 0 1"},
        {"rules": "3 0 0 1 0 2 7 1"},
        {"rules": "3 0 0 1 0 2 0 9"},
        {"rules": "3 0 0 1 0 2 1 1"},
        {"rules": "1 0 0 1", "value": "8 7"},  # the bound is right, the list costs 8
        {"labels": "1 1"},
        {"labels": "0"},
        {"labels": "3 0 1 2"},
        {"first": "1 1"},
        {"first": "2 0 0"},
        {"first": "1 7"},
        {"required": "1 7"},
        {"forbidden": "1 0"},
        {"longest": "some 2"},
        {"longest": "some 0"},
        {"prices": "4611686018427387904 2 2"},  # one more than machine integers hold
        {"prices": f"2 2 {'9' * 400}"},
        {"prices": "2 2 1"},
        {"prefixes": "0"},
        {"prefixes": "1\n0 1 0"},  # the empty prefix, without its first antecedent
        {"prefixes": "1\n0 2 9"},
        {"prefixes": "1\n0 3 1"},
        {"prefixes": "1\n0 4"},
        {"prefixes": "1\n1 0 0"},
        {"prefixes": "2\n0 0\n1 9 0"},
        {"prefixes": "2\n0 0\n1 99999 0"},
    ],
    ids=lambda lines: str(lines)[:60],
)
def test_false_claims_are_refused(lines: dict[str, str]) -> None:
    assert ask(changed(**lines)).returncode == REFUSED


@pytest.mark.slow
@built
@pytest.mark.parametrize(
    "lines",
    [
        {"size": "surelist-problem-3 3 2"},
        {"size": "surelist-problem-2 -2 2"},
        {"size": "surelist-problem-2 0x3 2"},
        {"size": "surelist-problem-2 3 0b10"},
        {"size": "surelist-problem-2 99999999999999999999 2"},
        {"size": "surelist-problem-2 3 4000000000"},
        {"size": "surelist-problem-2 3 10000001"},
        {"prices": "-2 2 2"},
        {"prices": "+2 2 2"},
        {"prices": "2 2 0x2"},
        {"prices": "2 2 1_0"},
        {"prices": "2 2 2.0"},
        {"prices": f"2 2 {'9' * 20_000}"},
        {"groups": "4"},
        {"groups": "6"},
        {"groups": "9999999999"},
        {"group_0": "10 0 3"},
        {"group_0": "102 0 3"},
        {"group_0": "- 0 3"},
        {"group_0": "100 0 3 0"},
        {"group_0": "100 0"},
        {"required": "1 -1"},
        {"longest": "some"},
        {"longest": "some -1"},
        {"longest": "some 99999999999"},
        {"rules": "99999999 0"},
        {"ranks": "0 1 -2"},
        {"prefixes": "1"},
        {"prefixes": "99999999999"},
        {"prefixes": "1\n99999999999 0"},
        {"prefixes": "1\n9999999 0"},
        {"prefixes": "1\n1 99999999999 0"},
        {"prefixes": "1\n0 5"},
        {"prefixes": "1\n0 1"},
        {"prefixes": "2\n0 0\n0 0"},  # listed twice
        {"prefixes": "2\n1 1 0\n1 1 0"},
        {"end": "end 0"},
        {"end": "end end"},
        {"end": "End"},
        {"end": ""},
    ],
    ids=lambda lines: str(lines)[:60],
)
def test_what_is_no_problem_is_not_read(lines: dict[str, str]) -> None:
    found = ask(changed(**lines))
    assert (found.returncode, found.stdout) == (UNREADABLE, "")
    assert found.stderr.startswith("surelist-verified: ")  # and not an exception of OCaml's


@built
def test_what_follows_the_end() -> None:
    assert ask(changed() + "\n \n\n").returncode == ACCEPTED
    for more in ("x", "end", "surelist-problem-2", "\0"):
        assert ask(f"{changed()}\n{more}").returncode == UNREADABLE
    assert ask(changed().replace("\n", "\r\n")).returncode == UNREADABLE


@built
def test_sums_beyond_the_machine_s_integers_are_not_wrapped() -> None:
    """Costs that would be small, or negative, modulo 2**63: the objective is what it is."""
    for large in (2**61, 2**62 - 1, 2**62, 2**63, 2**63 + 1):
        groups = {f"group_{n}": f"{bits} 0 {large}" for n, bits in enumerate(("100", "010", "001"))}
        text = changed(**groups, rules="0 1", value=f"{3 * large + 20} 0")
        assert ask(text).stdout == "accepted, with integers of any size\n"
        for wrong in {(3 * large + 20) % 2**bits for bits in (62, 63, 64)} - {3 * large + 20}:
            assert ask(changed(**groups, rules="0 1", value=f"{wrong} 0")).returncode == REFUSED


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("ocamlfind") is None:
        pytest.skip("there is no ocamlfind")
    folder = tmp_path_factory.mktemp("exact")
    for source in (ROOT / "proof" / "exact.ml", Path(__file__).with_name(DRIVER)):
        shutil.copy(source, folder)
    command = ["ocamlfind", "ocamlopt", "-w", "-a", "exact.ml", DRIVER, "-o", "driver"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "driver"


def expected(name: str, x: int, y: int) -> set[str]:
    """Return what may be printed: a product that is just the least integer may be left alone."""
    if name == "testbit":
        return {str(y >= 0 and bool(x >> y & 1)).lower()}
    if name in RELATIONS:
        return {str(RELATIONS[name](x, y)).lower()}
    exact = ARITHMETIC[name](x, y)
    if not LEAST <= exact <= GREATEST:
        return {"overflow"}
    cautious = name == "mul" and exact != 0 and LEAST in (x, y, exact)
    return {str(exact), "overflow"} if cautious else {str(exact)}


def test_machine_integers_are_exact_or_overflow(driver: Path) -> None:
    root = math.isqrt(GREATEST)
    middle = 0, 2**31, 2**32, root, GREATEST // 3, GREATEST // 2, GREATEST, LEAST
    near = {
        sign * (number + by) for number in middle for by in (-2, -1, 0, 1, 2) for sign in (1, -1)
    }
    numbers = sorted(number for number in near if LEAST <= number <= GREATEST)
    names = [*ARITHMETIC, *RELATIONS]
    asked = [(name, x, y) for name in names for x, y in itertools.product(numbers, repeat=2)]
    rng = random.Random(26)
    for _ in range(20_000):  # of every size, so that about half of the products fit
        x, y = (rng.getrandbits(rng.randrange(63)) * rng.choice((1, -1)) for _ in range(2))
        asked.append((rng.choice(names), x, y))
    asked += [("testbit", x, place) for x in numbers for place in range(-2, 70)]
    text = "".join(f"{name} {x} {y}\n" for name, x, y in asked)
    ran = subprocess.run([driver], input=text, capture_output=True, text=True, check=True)
    answers = ran.stdout.split()
    assert len(answers) == len(asked)
    wrong = [
        (question, answer)
        for question, answer in zip(asked, answers, strict=True)
        if answer not in expected(*question)
    ]
    assert not wrong
    assert {"overflow", "true", "false", str(LEAST)} <= set(answers)
