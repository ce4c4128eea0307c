"""The example rule lists, for each λ and feature set, and how many folds found them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from experiments import paper
from experiments.command import run_command
from experiments.compas import RACE
from experiments.context import Context, Family
from experiments.lists import NamedList, frequencies
from experiments.numbers import span
from experiments.report import Listing, Section, Table
from experiments.searches import Outcome

__all__ = ["run"]

_TITLES = {
    "A": "ProPublica, feature set A",
    "B": "ProPublica, feature set B (with race)",
    "two": "ProPublica, age and priors alone",
    "E": "NYCLU, feature set E",
    "C": "NYPD, feature set C",
    "D": "NYPD, feature set D (without city and location)",
}
# With λ = .0025 the lists of NYCLU come from the experiment on λ, which needs them, too.
_BALANCE = {"E": "resampled", "C": "weights", "D": "weights"}


def family(letter: str, regularization: str) -> Family:
    """Return the searches that the paper's lists of a feature set come from."""
    return Family(letter, regularization, _BALANCE.get(letter, ""))


def run(context: Context) -> Section:
    """List what the folds found beside what the paper's found."""
    section = context.section("Example rule lists and how many folds found them")
    section.add(
        "Every list here is certified optimal unless a line says otherwise. As in the paper, "
        "lists that contain the same rules in another order, or say the same with a negation, "
        "count as one; the order shown is that of the first fold that found it. The folds are "
        "not the paper’s, which are not public, so numbers of folds may differ by a few."
    )
    for (letter, regularization), printed in paper.LISTS.items():
        outcomes = context.outcomes(family(letter, regularization))
        where = f"{_TITLES[letter]}, λ = {regularization}"
        if letter in "CD":
            where += f" (records of {context.nypd[1]})"
        section.add(f"### {where}", _table(outcomes, printed))
        for found, number in frequencies(outcome.rule_list for outcome in outcomes):
            section.add(f"{_folds(number)}:", Listing(str(found)))
    _claims(context, section)
    return section


def _folds(number: int) -> str:
    return "1 fold" if number == 1 else f"{number} folds"


def _table(outcomes: Sequence[Outcome], printed: Sequence[tuple[NamedList, int]]) -> Table:
    """How many folds found each of the paper's lists, or another one."""
    ours = Counter(outcome.rule_list.meaning() for outcome in outcomes)
    rows = []
    for each, number in printed:
        words = str(each).replace("\n", "; ")
        folds = f"{number} of 10" if number else "not said"
        rows.append([words, folds, f"{ours.pop(each.meaning(), 0)} of {len(outcomes)}"])
    if others := sum(ours.values()):
        rows.append([f"other lists ({len(ours)} different)", "", f"{others} of {len(outcomes)}"])
    if open_folds := sum(not outcome.is_optimal for outcome in outcomes):
        rows.append(["of these, not certified within the limit", "", str(open_folds)])
    return Table(["the paper’s list", "folds, paper", "folds, here"], rows)


# --- Verdicts -----------------------------------------------------------------------------------


def _lists(context: Context, letter: str, regularization: str) -> list[NamedList]:
    return [each.rule_list for each in context.outcomes(family(letter, regularization))]


def _claims(context: Context, section: Section) -> None:
    _claim_form(context, section)
    _claim_race(context, section)
    two = _lists(context, "two", "0.005")
    (expected, _), *_ = paper.LISTS["two", "0.005"]
    section.claim(
        "From age and priors alone every fold gives the same list (λ = .005), priors > 3 or "
        "young with 2–3 priors",
        f"{len({each.meaning() for each in two})} different list(s) in {len(two)} folds",
        {each.meaning() for each in two} == {expected.meaning()},
    )
    one = _lists(context, "A", "0.02")
    section.claim(
        "With λ = .02 every fold finds the list “priors > 3”",
        f"{sum(each.meaning() == paper.LISTS['A', '0.02'][0][0].meaning() for each in one)} of "
        f"{len(one)} folds",
        {each.meaning() for each in one} == {paper.LISTS["A", "0.02"][0][0].meaning()},
    )
    for regularization in ("0.04", "0.01"):
        lists = _lists(context, "E", regularization)
        expected = paper.LISTS["E", regularization][0][0]
        same = sum(each.meaning() == expected.meaning() for each in lists)
        section.claim(
            f"NYCLU, λ = {regularization}: all folds find the same rules, up to a permutation",
            f"the paper’s rules in {same} of {len(lists)} folds",
            same == len(lists),
        )


def _claim_form(context: Context, section: Section) -> None:
    lists = _lists(context, "A", "0.005")
    lengths = [len(each) for each in lists]
    used = sorted(set().union(*(each.attributes for each in lists)))
    section.claim(
        "Optimal lists of ProPublica (λ = .005) have 3 or 4 rules, on age, priors and sex",
        f"{span(lengths)} rules, on {', '.join(used)}",
        set(lengths) <= {3, 4} and set(used) == {"age", "priors", "sex"},
    )
    every = [each for value in ("0.02", "0.01", "0.005") for each in _lists(context, "A", value)]
    positive = sum(
        all(rule.label == 1 for rule in each.rules) and each.default == 0 for each in every
    )
    section.claim(
        "ProPublica: prefix rules always predict yes and the default no, for all λ and folds",
        f"{positive} of {len(every)} lists",
        positive == len(every),
    )


def _claim_race(context: Context, section: Section) -> None:
    outcomes = context.outcomes(family("B", "0.005"))
    certified = [each for each in outcomes if each.is_optimal]
    with_race = sum(RACE in each.rule_list.attributes for each in outcomes)
    section.claim(
        "No optimal list of feature set B has an antecedent with race",
        f"{with_race} of {len(outcomes)} lists have one; {len(certified)} are certified optimal",
        with_race == 0 if len(certified) == len(outcomes) else None if with_race == 0 else False,
    )


if __name__ == "__main__":
    sys.exit(run_command("rule_lists", [run]))
