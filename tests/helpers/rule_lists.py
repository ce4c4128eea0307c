"""Rule lists that several tests look at."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from surelist import Antecedent, Clause, Rule, RuleList
from surelist.conditions.conditions import Equals

AGE = Clause(0, "age = 18-20")
MALE = Clause(1, "sex = male")
PRIORS = Clause(2, "priors > 3")
FEATURES = ("age = 18-20", "sex = male", "priors > 3")

# The rule list of the paper's first figure, shortened, on twenty invented rows.
PAPER = RuleList(
    rules=(
        Rule(Antecedent((AGE, MALE)), "yes", 3, (1, 3)),
        Rule(Antecedent((PRIORS,), aliases=((AGE, PRIORS),)), "yes", 4, (2, 4)),
    ),
    default=Rule(None, "no", 8, (8, 2)),
    classes=("no", "yes"),
    feature_names=FEATURES,
    regularization=Fraction(1, 100),
)


# Every combination of the three features, and what the list says about each by hand.
ALL_ROWS = np.array([[a, s, p] for a in (0, 1) for s in (0, 1) for p in (0, 1)], dtype=np.uint8)
CAPTURED_BY = [2, 1, 2, 1, 2, 1, 0, 0]


def raw_list(*antecedents: list[Clause]) -> RuleList:
    rules = tuple(Rule(Antecedent(tuple(clauses)), "yes", 3, (1, 3)) for clauses in antecedents)
    names = tuple(f"f{index}" for index in range(9))
    return RuleList(rules, Rule(None, "no", 8, (8, 2)), ("no", "yes"), names, Fraction(1, 100))


def named(name: str, label: str = "yes") -> RuleList:
    base = raw_list([Clause(0, name, False, Equals("x", name)), Clause(1, "b", True)])
    rename = {"yes": label, "no": "no"}
    rules = tuple(
        type(rule)(rule.antecedent, rename[rule.label], rule.correct, rule.weights)
        for rule in base.rules
    )
    return RuleList(rules, base.default, ("no", label), base.feature_names, base.regularization)
