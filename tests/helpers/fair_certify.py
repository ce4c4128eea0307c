"""Certificates of random fair problems, and forged ones.

``python tests/helpers/fair_certify.py N`` proves N problems of each metric by the estimator, checks
every proof, forges claims above the optimum from it, and has all of these refused;
``make fuzz-fairness`` runs it.
"""

from __future__ import annotations

import json
import random
import sys
import zlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import fair_oracle
import numpy as np
from oracle import Data

from surelist import Fairness, InputError, RuleListClassifier, VerificationError, verify
from surelist.certificate.fairness import pack_fair
from surelist.fairness_checker import MAGIC
from surelist.problem.fairness import METRICS

COLUMNS = 4


def rows_of(rng: random.Random) -> dict[str, list[Any]]:
    """A table of 0/1 columns, a group, a label and a weight."""
    n_rows = rng.randint(8, 16)
    table: dict[str, list[Any]] = {
        f"f{i}": [rng.randint(0, 1) for _ in range(n_rows)] for i in range(rng.randint(2, COLUMNS))
    }
    table["group"] = [rng.choice("abc"[: rng.choice([2, 2, 3])]) for _ in range(n_rows)]
    table["y"] = [rng.randint(0, 1) for _ in range(n_rows)]
    table["w"] = [rng.choice([1, 1, 2, 3]) for _ in range(n_rows)]
    return table


def fitted(seed: object, metric: str) -> tuple[RuleListClassifier, dict[str, Any]] | None:
    """A certified model of random rows; None where there is no fair list, or no rate."""
    import pandas as pd

    rng = random.Random(f"certify {seed} {metric}")
    frame = pd.DataFrame(rows_of(rng))
    as_ratio = rng.random() < 0.4
    demand = Fairness(
        metric,
        "group",
        tolerance=None if as_ratio else Fraction(rng.randint(0, 12), 20),
        ratio=Fraction(rng.randint(0, 9), 10) if as_ratio else None,
        labels=rng.choice(["free", "majority"]),
        max_error=Fraction(rng.randint(4, 10), 10) if rng.random() < 0.2 else None,
    )
    model = RuleListClassifier(
        Fraction(rng.choice(["1/100", "1/20", "1/9"])),
        max_clauses=1,
        negations=len(frame.columns) == 5,  # two features: brute force bears four antecedents
        min_support=0,
        max_length=rng.choice([None, None, 2]),
        antecedent_costs=rng.choice([None, None, None, "clauses"]),
        first=["f0"] if rng.random() < 0.2 else None,
        required=["f1"] if rng.random() < 0.2 else None,
        fairness=demand,
        certificate=True,
    )
    weights = frame["w"] if rng.random() < 0.5 else None
    given = {"X": frame.drop(columns=["y", "w"]), "y": frame["y"], "sample_weight": weights}
    try:
        model.fit(**given)
    except InputError:
        return None
    return model, given


def opened(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the proof of a certificate."""
    line, rest = data[len(MAGIC) :].split(b"\n", 1)
    packed = rest[16 : 16 + int.from_bytes(rest[:8], "little")]
    return json.loads(line), json.loads(zlib.decompress(packed))


def packed(header: dict[str, Any], proof: dict[str, Any]) -> bytes:
    claims = [(path, rules, int(least)) for path, rules, least in proof["values"]]
    return pack_fair(header, proof["closed"], claims)


def forgeries(data: bytes, rng: random.Random, worse: Fraction | None) -> Iterator[bytes]:
    """Files that claim something false, each with the best proof that is at hand.

    ``worse`` is the objective of a fair list that is not the best one, with which to claim that
    nothing is better.
    """
    header, proof = opened(data)
    low = Fraction(header["lower_bound"])
    if worse is not None:
        for kept in (proof, {"closed": [[]], "values": proof["values"]}):
            yield packed(header | {"lower_bound": str(worse), "objective": str(worse)}, kept)
    # No list is better than something above the optimum: every value raised as well.
    raised = [[path, rules, str(int(least) * 2 + 10)] for path, rules, least in proof["values"]]
    step = low + Fraction(1, 997)
    yield packed(header | {"lower_bound": str(step)}, proof | {"values": raised})
    # A better objective than the list has.
    if low > 0:
        lower = str(low / 2)
        yield packed(header | {"objective": lower, "lower_bound": lower}, proof)
    # Another label, and another tolerance, with the same proof.
    swapped = dict(header["rule_list"], default_label=1 - header["rule_list"]["default_label"])
    yield packed(header | {"rule_list": swapped}, proof)
    if proof["closed"]:
        fewer = [codes for codes in proof["closed"] if codes]
        yield packed(header, proof | {"closed": fewer})
    yield from other_claims(header, proof)
    if header["multipliers"]:
        yield packed(header | {"multipliers": header["multipliers"][:-1]}, proof)
    yield data[: rng.randrange(len(data))]
    at = rng.randrange(len(data))
    yield data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def other_claims(header: dict[str, Any], proof: dict[str, Any]) -> Iterator[bytes]:
    """The same proof for another claim: about more lists, other rates, or in other units."""
    limits, demand = header["constraints"], header["fairness"]
    changes: list[dict[str, Any]] = [
        {"constraints": limits | {name: []}} for name in ("first", "required") if limits[name]
    ]
    if limits["max_length"] is not None:
        changes.append({"constraints": limits | {"max_length": limits["max_length"] + 1}})
        changes.append({"constraints": limits | {"max_length": None}})
    for name in ("tolerance", "ratio"):
        if demand[name] is not None:
            looser = min(Fraction(1), Fraction(demand[name]) + Fraction(1, 7))
            if name == "ratio":
                looser = max(Fraction(0), Fraction(demand[name]) - Fraction(1, 7))
            changes.append({"fairness": demand | {name: str(looser)}})
    changes.append({"fairness": demand | {"majority": not demand["majority"]}})
    changes.append({"fairness": demand | {"max_error": [None] * len(demand["groups"])}})
    other = "predictive_equality" if "predictive_parity" in demand["metrics"] else "equalized_odds"
    changes.append({"fairness": demand | {"metrics": [other]}})
    changes.append({"fairness": demand | {"metrics": []}})
    changes.append({"value_unit": str(max(1, int(header["value_unit"]) // 2))})
    changes.append({"unit": 2 * header["unit"]})
    changes.append({"multipliers": [2 * m + 1 for m in header["multipliers"]]})
    changes.append({"multipliers": [0 for _ in header["multipliers"]]})
    for change in changes:
        yield packed(header | change, proof)


def truth(
    model: RuleListClassifier, given: dict[str, Any], header: dict[str, Any]
) -> list[Fraction]:
    """Objectives of all fair lists that a header is about, by brute force, rising."""
    X, y, w = given["X"], given["y"].tolist(), given["sample_weight"]
    weights = tuple([1] * len(y) if w is None else w.tolist())
    captures = np.zeros((len(X), len(model.antecedents_)), int)
    for index, antecedent in enumerate(model.antecedents_):
        held = np.ones(len(X), bool)
        for clause in antecedent.clauses:
            held &= (X[clause.asks.column].to_numpy() == 1) != clause.negated
        captures[:, index] = held
    data = Data(tuple(map(tuple, captures.tolist())), tuple(y), weights, 2, captures.shape[1])
    demand, limits = header["fairness"], header["constraints"]
    groups = tuple(demand["groups"].index(g) for g in X["group"])
    errors = {a: Fraction(most) for a, most in enumerate(demand["max_error"]) if most is not None}
    tolerance, ratio = (
        None if demand[name] is None else Fraction(demand[name]) for name in ("tolerance", "ratio")
    )
    fair = fair_oracle.Fair(tuple(demand["metrics"]), tolerance, ratio, max_error=errors)
    share = Fraction(model.regularization)
    return fair_oracle.objectives(
        data,
        groups,
        fair,
        (share,) * data.n_antecedents,
        majority=demand["majority"],
        max_length=limits["max_length"],
        first=tuple(limits["first"]),
        required=frozenset(limits["required"]),
    )


def check(seed: int, metric: str) -> int | None:
    """Check one problem and its forgeries; return how many of these were refused."""
    found = fitted(seed, metric)
    if found is None:
        return None
    model, given = found
    header, _ = opened(model.certificate_.to_bytes())
    best, *others = truth(model, given, header)
    assert model.status_ == "optimal"
    assert model.objective_exact_ == best, (seed, metric)
    proven = verify(model.certificate_, **given)
    assert proven.optimal
    worse = next((each for each in others if each > best), None)
    rng, refused = random.Random(seed), 0
    for forged in forgeries(model.certificate_.to_bytes(), rng, worse):
        try:
            accepted = verify(forged, **given)
        except VerificationError:
            refused += 1
        else:
            claim, _ = opened(forged)
            lists = [best, *others]
            if any(claim[name] != header[name] for name in ("constraints", "fairness")):
                lists = truth(model, given, claim)
            assert accepted.lower_bound <= lists[0], (seed, metric, claim)
            assert accepted.objective in lists, (seed, metric)
    return refused


def main(n_problems: int) -> None:
    """Check so many problems for each metric."""
    for metric in METRICS:
        checked = refused = seed = 0
        while checked < n_problems:
            seed += 1
            if (count := check(seed, metric)) is not None:
                checked, refused = checked + 1, refused + count
        print(f"{metric}: {checked} proofs accepted, {refused} forgeries refused")


if __name__ == "__main__":
    main(int(sys.argv[1]))
