"""Certificates and checkpoints with odd values in their headers, under checksums that are right.

Whatever stands anywhere, each ends in one of the errors that are documented, or is of no
consequence: nothing else is raised, and nothing hangs.

``python tests/helpers/odd_headers.py 10000`` tries so many of each (`make fuzz-certificates`).
"""

from __future__ import annotations

import copy
import hashlib
import json
import math
import signal
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import surelist
from surelist import Certificate, FormatError, RuleListClassifier, VerificationError
from surelist.certificate.certificate import conditions_of
from surelist.checker import DataError, verify
from surelist.search.checkpoint import read_checkpoint

Random = np.random.Generator

# Texts of JSON, some of which is none.
ODD = [
    "null", "true", "false", "-1", "0", "1", "2", "7", "-0.0", "0.5", "1.5", "1e308", "1e400",
    str(2**31), str(2**53), str(2**62), str(2**63), str(2**64), str(10**30), "9" * 5000,
    "NaN", "Infinity", "-Infinity", '""', '"x"', '"0"', '"1"', '"1/0"', '"-1/2"', '"1e999999999"',
    '"nan"', '"inf"', '"\\ud800"', '"\\u0000"', '"' + "x" * 500 + '"', '"' + "9" * 400 + '"',
    '"1/' + "9" * 400 + '"', '"object"', '"<U0"', '"V8"', '"M8[s]"', '"O"', "[]", "[[]]", "[null]",
    "[0, 0]", '["x", "x"]', "[-1]", "[1.5]", f"[{10**30}]", "{}", '{"x": 1}', '{"float": "nan"}',
    '{"float": "1e999"}', '{"float": 1}', '{"date": "x"}', '{"datetime": "9999-12-31T23:59-23:59"}',
    '{"fraction": "1/0"}', '{"decimal": "1E+999999999"}', '{"tuple": [1, [2]]}',
    '{"dict": [[[], 1]]}', '{"dict": [[1]]}', '{"set": [[1]]}', '{"x": 1, "x": 2}',
    "[" * 300 + "]" * 300, "[" * 5000 + "]" * 5000, '{"a":' * 900 + "0" + "}" * 900,
]  # fmt: skip


def places(item: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(item, dict | list):
        for key in item if isinstance(item, dict) else range(len(item)):
            yield from places(item[key], (*path, key))


def odd(header: dict[str, Any], rng: Random) -> bytes:
    """Change something in a header, now and then several things."""
    header, odd_texts = copy.deepcopy(header), []
    for _ in range(int(rng.choice([1, 1, 1, 2, 4]))):
        # Each key of the top as often as any other, whatever stands under it.
        top = str(rng.choice(list(header)))
        below = [(top, *path) for path in places(header[top])]
        path = below[int(rng.integers(len(below)))]
        place: Any = header
        for key in path[:-1]:
            place = place[key]
        kind = rng.random()
        if kind < 0.1 and isinstance(place, dict) and len(header) > 1:
            del place[path[-1]]
        elif kind < 0.15 and isinstance(place, list):
            place.insert(path[-1], copy.deepcopy(place[path[-1]]))
        elif kind < 0.25:
            other = str(rng.choice(list(header)))
            place[path[-1]] = copy.deepcopy(header[other])
        else:
            odd_texts.append(str(rng.choice(ODD)))
            place[path[-1]] = f"@{len(odd_texts) - 1}@"
    text = json.dumps(header)  # in order: checkpoints rely on it
    for index, each in enumerate(odd_texts):
        text = text.replace(f'"@{index}@"', each)
    return text.encode()


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Turn what hangs into an error."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"this took longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# Certificates.

X, Y = [[0, 0, "a"], [0, 1, "b"], [1, 0, "a"], [1, 1, "c"]] * 5, ["no", "no", "yes", "no"] * 5


def certificates() -> list[tuple[Certificate, Any]]:
    """Some, of several kinds, and their weights."""
    weights = [0.5, 1.25, 3, 0.1] * 5
    costs = {"yes": {"no": 2}}
    terms: dict[str, Any] = {"max_length": 3, "forbidden": ["x0 = 1"]}
    models = [
        (RuleListClassifier(0.05, certificate=True), None),
        (RuleListClassifier(0.05, certificate=True, cost_matrix=costs, **terms), weights),
        (RuleListClassifier(0.05, certificate=True, dnf="yes", class_weight="balanced"), None),
    ]
    return [(model.fit(X, Y, each).certificate_, each) for model, each in models]


def try_certificate(made: tuple[Certificate, Any], rng: Random) -> str:
    proof, weights = made
    magic, _, blocks = proof.to_bytes().split(b"\n", 2)
    data = magic + b"\n" + odd(proof.header, rng) + b"\n" + blocks[:-32]
    data += hashlib.sha256(data).digest()
    outcome = "read"
    try:
        found = Certificate(data)
        for text in (found.summary(), str(found), repr(found)):
            text.encode()
        assert isinstance(found.objective + found.lower_bound, Fraction)
        assert found.bytes_per_prefix > 0 or math.isnan(found.bytes_per_prefix)
        found.fingerprint.encode()
        conditions_of(found)
    except FormatError as error:
        str(error).encode()
        outcome = "refused"
    try:
        said = str(verify(data, X, Y, sample_weight=weights)) + ", verified"
    except (DataError, VerificationError) as error:
        said = str(error)
    said.encode()
    return outcome + (", verified" if said.endswith(", verified") else ", not verified")


# Checkpoints.


def checkpoints(folder: Path) -> list[bytes]:
    """Some, of several kinds."""
    rng = np.random.default_rng(0)
    plain = rng.integers(0, 2, (60, 6))
    labels = np.where(plain[:, 0] + plain[:, 1] * plain[:, 2] > 0, "yes", "no")
    raw = rng.normal(size=(60, 3)).round(1)
    terms = {"required": ["x2 > 0"], "cost_matrix": {1: {0: 2}}, "antecedent_costs": "clauses"}
    kinds: list[tuple[dict[str, Any], Any, Any, Any]] = [
        ({"certificate": True, "trace_interval": 0.0001}, plain, labels, None),
        ({"certificate": True, "bounds": ["hierarchical", "lookahead"]}, plain, labels, None),
        (terms, raw, (raw[:, 0] > 0).astype(int), rng.random(60)),
        ({"antecedents": ["x0 > 0.5"], "class_weight": {1.0: 2}}, raw, (raw[:, 1] > 0) * 1.0, None),
    ]
    found = []
    for index, (given, table, y, weights) in enumerate(kinds):
        path = folder / f"kept{index}"
        model = RuleListClassifier(0.02, checkpoint=path, max_prefixes=3, **given)
        model.fit(table, y, weights)
        found.append(path.read_bytes())
    return found


def try_checkpoint(data: bytes, path: Path, rng: Random) -> str:
    if rng.random() < 0.3:
        _write_odd_part(data, path, rng)
    else:
        magic, header, parts = data.split(b"\n", 2)
        changed = magic + b"\n" + odd(json.loads(header), rng) + b"\n" + parts[:-32]
        path.write_bytes(changed + hashlib.sha256(changed).digest())
    try:
        model = surelist.resume(path, max_prefixes=200, time_limit=5, n_jobs=1)
    except FormatError as error:
        str(error).encode()
        return "refused"
    model.predict_proba(np.zeros((2, model.n_features_in_)))
    str(model.rule_list_)
    return "resumed"


def _write_odd_part(data: bytes, path: Path, rng: Random) -> None:
    """Change some bytes of what a checkpoint holds besides its header."""
    path.write_bytes(data)
    kept = read_checkpoint(path)
    name = str(rng.choice(sorted(kept.parts)))
    part = bytearray(kept.parts[name] or b"x")
    for _ in range(int(rng.choice([1, 1, 2, 5]))):
        at, some = int(rng.integers(len(part) + 1)), int(rng.integers(0, 9))
        new = rng.integers(0, 256, int(rng.choice([0, some, some, some])), dtype=np.uint8)
        part[at : at + some] = bytes(new)
    kept.parts[name] = bytes(part)
    kept.write(path)


def report(what: str, count: int, one: Callable[[Random], str]) -> Counter[str]:
    """Try so many; say which seed failed."""
    outcomes: Counter[str] = Counter()
    for seed in range(count):
        try:
            with within(60):
                outcomes[one(np.random.default_rng(seed))] += 1
        except Exception as error:
            raise AssertionError(f"{what}, seed {seed}: {error!r}") from error
    return outcomes


def try_certificates(count: int) -> Counter[str]:
    made = certificates()

    def one(rng: Random) -> str:
        return try_certificate(made[int(rng.integers(len(made)))], rng)

    return report("certificate", count, one)


def try_checkpoints(count: int) -> Counter[str]:
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        folder = Path(name)
        kept = checkpoints(folder)

        def one(rng: Random) -> str:
            return try_checkpoint(kept[int(rng.integers(len(kept)))], folder / "odd", rng)

        return report("checkpoint", count, one)


def main(count: int) -> None:
    for what, found in (
        ("certificates", try_certificates(count)),
        ("checkpoints", try_checkpoints(count)),
    ):
        print(f"{count:,} {what} with odd headers:", dict(sorted(found.items())))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
