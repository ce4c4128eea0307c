"""A second producer of certificates, for tests: plain Python, sets and fractions, and slow.

It shares nothing with the engine, the writer or the checker. `draw` makes a random problem of any
kind that a certificate can be about, `optimum` solves it by brute force from the rows, `prove`
closes prefixes until nothing is open, leaving children out by whichever of the checker's rules a
random choice allows, and `assemble` writes the file."""

from __future__ import annotations

import copy
import hashlib
import json
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

Path = tuple[int, ...]
Header = dict[str, Any]

CLOSED, DELETION, INSERTION, SIBLING, RELAXED = range(5)  # reasons of format 2
WITHOUT_WITNESS = CLOSED, RELAXED


class Listed(tuple[int, ...]):
    """A prefix of format 2, with its reason and the witness of that; plain ones are closed."""

    why: tuple[int, ...]

    def __new__(cls, path: Iterable[int], why: tuple[int, ...]) -> Listed:
        listed = super().__new__(cls, path)
        listed.why = why
        return listed

    def __getnewargs__(self) -> tuple[Path, tuple[int, ...]]:  # for copies
        return tuple(self), self.why

    def __repr__(self) -> str:
        return f"certify.Listed({tuple(self)}, {self.why})"


def why(path: Path) -> tuple[int, ...]:
    """The reason for a prefix, and its witness."""
    return path.why if isinstance(path, Listed) else (CLOSED,)


@dataclass
class Case:
    """Rows and a header without a result."""

    columns: dict[str, list[int]]
    y: list[str]
    sample_weight: list[float] | None
    header: Header
    closed: list[Path] = field(default_factory=list)


def draw(seed: int, most_antecedents: int = 6, version: int | None = None) -> Case:
    """Make the problem of a seed; of an even one in format 1, if none is given."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(4, 60))
    n_columns = int(rng.choice([1, 3, 4, 4, 5, 6]))
    classes = ["no", "perhaps", "yes"][: int(rng.choice([2, 2, 3]))]
    table = rng.random((n_rows, n_columns)) < rng.choice([0.3, 0.5, 0.7], size=n_columns)
    y = rng.integers(0, len(classes), n_rows)
    if rng.random() < 0.8:  # something to learn that one rule does not tell
        several = table[:, : int(rng.integers(1, n_columns + 1))].sum(axis=1)
        y = np.where(rng.random(n_rows) < 0.9, several % len(classes), y)
    columns = {f"f{k}": table[:, k].astype(int).tolist() for k in range(n_columns)}
    m = int(rng.integers(0, most_antecedents + 1)) if rng.random() < 0.3 else most_antecedents
    antecedents = [_antecedent(rng, list(columns)) for _ in range(m)]
    weights = [float(w) for w in rng.integers(0, 4, n_rows)] if rng.random() < 0.3 else None
    if weights is not None and not any(weights):
        weights[0] = 1.0
    text = str(rng.choice(["0", "1/1000", "1/200", "1/90", "1/50", "1/20", "1/7"]))
    header = {
        "format": "surelist certificate",
        "version": version or 1 + seed % 2,
        "software": "tests",
        "columns": list(columns),
        "classes": classes,
        "n_rows": n_rows,
        "weights": {
            "kind": "unit" if weights is None else "whole",
            "sample_weight": weights is not None,
            "class_weight": None,
        },
        "costs": _costs(rng, len(classes)),
        "antecedents": antecedents,
        "regularization": text,
        "prices": _prices(rng, m, text),
        "constraints": _constraints(rng, m, len(classes)),
        "status": "optimal",
        "search": {},
    }
    if header["version"] == 2:
        header["order"] = np.random.default_rng(seed).permutation(m).tolist()
    return Case(columns, [classes[c] for c in y], weights, header)


def _antecedent(rng: np.random.Generator, names: list[str]) -> list[dict[str, Any]]:
    chosen = rng.choice(len(names), size=min(len(names), int(rng.integers(1, 3))), replace=False)
    return [
        {
            "condition": {"kind": "is_true", "column": names[k]},
            "negated": bool(rng.random() < 0.3),
        }
        for k in chosen
    ]


def _costs(rng: np.random.Generator, n: int) -> Any:
    if rng.random() < 0.7:
        return None
    matrix = rng.integers(0, 6, (n, n))
    if rng.random() < 0.7:
        np.fill_diagonal(matrix, 0)
    return {"matrix": matrix.tolist(), "unit": int(rng.choice([1, 3]))}


def _prices(rng: np.random.Generator, m: int, text: str) -> Any:
    if rng.random() < 0.75:
        return None
    return [str(Fraction(text) * int(rng.integers(1, 4)) / 2) for _ in range(m)]


def _constraints(rng: np.random.Generator, m: int, n_classes: int) -> dict[str, Any]:
    few = [int(a) for a in rng.permutation(m)[: int(rng.choice([0, 0, 0, 1, 2]))]]
    begin = [int(a) for a in rng.permutation(m)[: int(rng.choice([0, 0, 0, 1]))]]
    longest = None
    if rng.random() < 0.3:
        longest = max(int(rng.integers(0, 4)), len(set(few) | set(begin)))
    labels = None
    if rng.random() < 0.25:
        labels = sorted(rng.permutation(n_classes)[: int(rng.integers(1, n_classes))].tolist())
    others = sorted(set(range(m)) - set(few) - set(begin))
    avoided = [int(a) for a in others[: int(rng.choice([0, 0, 0, 1]))]]
    return {
        "max_length": longest,
        "rule_labels": labels,
        "first": begin,
        "required": few,
        "forbidden": avoided,
    }


def _weights(case: Case, labels: list[int]) -> list[int]:
    """The whole weight of each row, from its definition in docs/certificate_format.md."""
    how = case.header["weights"]
    given = case.sample_weight or [1.0] * len(case.y)
    if how["class_weight"] is not None:
        factors = [float(factor["float"]) for factor in how["class_weight"]]
        given = [weight * factors[label] for weight, label in zip(given, labels, strict=True)]
    exact = [Fraction(weight) for weight in given]
    if how["kind"] == "rounded":
        scaled = [round(weight * Fraction(2) ** how["exponent"]) for weight in exact]
        exact = [Fraction(weight, how["divisor"]) for weight in scaled]
    if any(weight.denominator > 1 for weight in exact):
        raise ValueError("weights are whole, or rounded")
    return [int(weight) for weight in exact]


class Problem:
    """What a header and rows mean, straight from the definition, row by row."""

    def __init__(self, case: Case) -> None:
        header = case.header
        n = len(header["classes"])
        self.label = [header["classes"].index(value) for value in case.y]
        self.weight = _weights(case, self.label)
        self.n_classes = n
        costs = header["costs"] or {
            "matrix": [[int(c != q) for q in range(n)] for c in range(n)],
            "unit": 1,
        }
        self.unit = sum(self.weight) * costs["unit"]
        self.matrix = costs["matrix"]
        self.rows = frozenset(i for i, w in enumerate(self.weight) if w)
        self.captured = [
            frozenset(
                i
                for i in self.rows
                if all(
                    (case.columns[c["condition"]["column"]][i] == 1) != c["negated"]
                    for c in clauses
                )
            )
            for clauses in header["antecedents"]
        ]
        m = len(self.captured)
        prices = header["prices"]
        self.price = [Fraction(p) for p in (prices or [header["regularization"]] * m)]
        limits = header["constraints"]
        self.longest = m if limits["max_length"] is None else min(m, limits["max_length"])
        self.limited = limits["max_length"] is not None
        given = limits["rule_labels"]
        self.rule_labels = list(range(n)) if given is None else given
        self.first: Path = tuple(limits["first"])
        self.required = frozenset(limits["required"])
        self.usable = [a for a in range(m) if a not in limits["forbidden"]]
        order = header.get("order", range(m))
        self.rank = {a: rank for rank, a in enumerate(order)}

    def cost(self, rows: Iterable[int], q: int) -> Fraction:
        return Fraction(
            sum(self.weight[i] * self.matrix[self.label[i]][q] for i in rows), self.unit
        )

    def rule_cost(self, rows: frozenset[int]) -> Fraction:
        return min(self.cost(rows, r) for r in self.rule_labels)

    def default_cost(self, rows: frozenset[int]) -> Fraction:
        return min(self.cost(rows, q) for q in range(self.n_classes))

    def state(self, path: Path) -> State:
        state = State(self, self.rows, Fraction(0), frozenset(), 0)
        for a in path:
            state = state.child(a)
        return state

    def objective(self, prefix: Sequence[int], labels: Sequence[int], default: int) -> Fraction:
        left, total = self.rows, Fraction(0)
        for a, label in zip(prefix, labels, strict=True):
            total += self.price[a] + self.cost(left & self.captured[a], label)
            left -= self.captured[a]
        return total + self.cost(left, default)

    def allows(self, prefix: Path) -> bool:
        return (
            len(set(prefix)) == len(prefix) <= self.longest
            and prefix[: len(self.first)] == self.first
            and self.required <= set(prefix) <= set(self.usable)
        )

    def optimum(self) -> tuple[Fraction, Path] | None:
        """The least objective of an allowed list, and a list that has it; None if there is none."""
        solved: dict[tuple[frozenset[int], frozenset[int]], tuple[Fraction, Path] | None] = {}

        def least(left: frozenset[int], used: frozenset[int]) -> tuple[Fraction, Path] | None:
            key = left, used
            if key not in solved:
                best: tuple[Fraction, Path] | None = None
                if self.required <= used:
                    best = self.default_cost(left), ()
                if len(used) < self.longest:
                    for a in self.usable:
                        if a in used:
                            continue
                        rest = least(left - self.captured[a], used | {a})
                        if rest is None:
                            continue
                        cost = self.price[a] + self.rule_cost(left & self.captured[a]) + rest[0]
                        if best is None or cost < best[0]:
                            best = cost, (a, *rest[1])
                solved[key] = best
            return solved[key]

        if len(self.first) > self.longest or not set(self.first) <= set(self.usable):
            return None
        state = self.state(self.first)
        rest = least(state.left, frozenset(self.first))
        return None if rest is None else (state.cost + rest[0], self.first + rest[1])

    def labels(self, prefix: Path) -> tuple[list[int], int]:
        """Cheapest labels of a prefix, and of what it leaves."""
        left, labels = self.rows, []
        for a in prefix:
            captured = left & self.captured[a]
            labels.append(min(self.rule_labels, key=lambda r: self.cost(captured, r)))
            left -= captured
        return labels, min(range(self.n_classes), key=lambda q: self.cost(left, q))


@dataclass(frozen=True)
class State:
    problem: Problem
    left: frozenset[int]
    cost: Fraction
    used: frozenset[int]
    length: int

    def child(self, a: int) -> State:
        p = self.problem
        cost = self.cost + p.price[a] + p.rule_cost(self.left & p.captured[a])
        used = self.used | ({a} & p.required)
        return State(p, self.left - p.captured[a], cost, used, self.length + 1)

    def group_costs(self, rows: frozenset[int]) -> list[list[Fraction]]:
        """Costs by label of each group of equivalent rows."""
        p = self.problem
        groups: dict[Path, list[int]] = {}
        for i in rows:
            key = tuple(int(i in captured) for captured in p.captured)
            groups.setdefault(key, []).append(i)
        return [[p.cost(g, q) for q in range(p.n_classes)] for g in groups.values()]

    def floor(self, rows: frozenset[int]) -> Fraction:
        return sum((min(c) for c in self.group_costs(rows)), Fraction(0))

    def ceil(self, rows: frozenset[int]) -> Fraction:
        return sum((max(c) for c in self.group_costs(rows)), Fraction(0))

    @cached_property
    def x(self) -> Fraction:
        return self.cost + self.floor(self.left)

    def dominates(self, other: State, *, strictly: bool = False) -> bool:
        extra = self.left - other.left
        lead = other.x - self.x - self.ceil(extra) + self.floor(extra)
        return (
            (lead > 0 or (lead == 0 and not strictly))
            and self.used >= other.used
            and (not self.problem.limited or self.length <= other.length)
        )

    def reaches(self, target: Fraction, *, potential: bool) -> bool:
        """Rule (B); without potential, only by the floor."""
        p = self.problem
        missing = len(p.required - self.used)
        if missing == 0 and self.cost + p.default_cost(self.left) < target:
            return False
        least_price = min(p.price, default=Fraction(0))
        floor = self.floor(self.left)
        active = self._active() if potential else p.usable
        room = min(p.longest - self.length, len(active))
        for q in range(p.n_classes):
            cost = p.cost(self.left, q)
            gains = sorted(self._gain(s, q) - p.price[s] + least_price for s in active)[::-1]
            nets = [self._net(s, q) - p.price[s] + least_price for s in active]
            for j in range(max(1, missing), room + 1):
                by_gains = cost - sum(gains[:j])
                by_net = cost - max([Fraction(0), *nets]) - sum(gains[: j - 1])
                loss = max(floor, by_gains, by_net) if potential else floor
                if self.cost + j * least_price + loss < target:
                    return False
        return True

    def _active(self) -> list[int]:
        p = self.problem
        active = []
        for s in p.usable:
            captured = self.left & p.captured[s]
            if s in p.required - self.used:
                active.append(s)
                continue
            worthless = self.ceil(captured) - p.rule_cost(captured) <= p.price[s]
            little = p.required <= self.used and self.ceil(self.left - captured) <= p.price[s]
            if not worthless and not little:
                active.append(s)
        return active

    def _gain(self, s: int, q: int) -> Fraction:
        p = self.problem
        groups = self.group_costs(self.left & p.captured[s])
        return sum(
            (max(Fraction(0), c[q] - min(c[r] for r in p.rule_labels)) for c in groups), Fraction(0)
        )

    def _net(self, s: int, q: int) -> Fraction:
        captured = self.left & self.problem.captured[s]
        return self.problem.cost(captured, q) - self.problem.rule_cost(captured)


def prove(case: Case, seed: int) -> Case | None:
    """Fill in the result, and close prefixes; None where no list is allowed.

    Some certificates prove optimality, some a gap.
    """
    rng = np.random.default_rng(seed + 10**6)
    problem = Problem(case)
    found = problem.optimum()
    if found is None:
        return None
    objective, prefix = found
    header = copy.deepcopy(case.header)
    target = objective
    if rng.random() < 0.3:
        target = objective * Fraction(int(rng.integers(70, 101)), 100)
        header["status"] = "time_limit"
        if rng.random() < 0.5 and problem.allows(other := problem.first + _padding(problem)):
            prefix = other
    labels, default = problem.labels(prefix)
    header["rule_list"] = {"prefix": list(prefix), "labels": labels, "default_label": default}
    header["objective"] = str(problem.objective(prefix, labels, default))
    header["lower_bound"] = str(target)
    closed = (close if header["version"] == 1 else settle)(problem, target, rng)
    header["counts"] = {"closed_prefixes": len(closed)}
    proven = Case(case.columns, case.y, case.sample_weight, header, closed)
    header["fingerprint"] = fingerprint(proven)
    return proven


def _padding(problem: Problem) -> Path:
    return tuple(sorted(problem.required - set(problem.first)))


def close(problem: Problem, target: Fraction, rng: np.random.Generator) -> list[Path]:
    potential, worth, siblings, same = (bool(rng.random() < 0.6) for _ in range(4))
    closed: list[Path] = []
    states: list[State] = []

    def is_known(state: State) -> bool:
        alike = (s for s in states if s.left == state.left)
        return any(s.dominates(state) for s in alike)

    start = problem.state(problem.first)
    todo = [] if start.reaches(target, potential=potential) else [(problem.first, start)]
    while todo:
        path, state = todo.pop(int(rng.integers(len(todo))))
        if same and is_known(state):
            continue
        closed.append(path)
        states.append(state)
        if state.length == problem.longest:
            continue
        children = [(a, state.child(a)) for a in problem.usable if a not in path]
        justified: list[tuple[int, State]] = []
        rest: list[tuple[int, State]] = []
        for a, child in children:
            done = child.reaches(target, potential=potential)
            done = done or (worth and state.dominates(child)) or (same and is_known(child))
            (justified if done else rest).append((a, child))
        for a, child in rest:
            if not siblings or not any(other.dominates(child) for _, other in justified):
                todo.append(((*path, a), child))
    if rng.random() < 0.3 and closed:  # to have one twice does no harm
        closed.append(closed[0])
    return sorted(closed) if rng.random() < 0.8 else closed


def settle(problem: Problem, target: Fraction, rng: np.random.Generator) -> list[Path]:
    """The same for format 2: what is left out by a sibling or an edit is listed with the reason."""
    potential, worth, siblings, same, swaps, edits = (bool(rng.random() < 0.6) for _ in range(6))
    listed: list[Path] = []
    states: list[State] = []

    def is_known(state: State) -> bool:
        return any(s.left == state.left and s.dominates(state) for s in states)

    start = problem.state(problem.first)
    todo = [] if start.reaches(target, potential=potential) else [(problem.first, start)]
    while todo:
        path, state = todo.pop(int(rng.integers(len(todo))))
        if same and is_known(state):
            continue
        listed.append(path)
        states.append(state)
        if state.length == problem.longest:
            continue
        rest: list[tuple[Path, State]] = []
        direct: list[tuple[int, State]] = []
        for a in problem.usable:
            if a in path:
                continue
            child = state.child(a)
            done = child.reaches(target, potential=potential)
            done = done or (worth and state.dominates(child)) or (same and is_known(child))
            if done:
                direct.append((a, child))
            elif not (swaps and _is_dearer_swapped(problem, path, a, child)):
                rest.append(((*path, a), child))
        for longer, child in rest:
            by = [a for a, other in direct if other.dominates(child)] if siblings else []
            edit = _edit(problem, longer, child) if edits and rng.random() < 0.8 else None
            if by:
                listed.append(Listed(longer, (SIBLING, by[int(rng.integers(len(by)))])))
            elif edit is not None:
                listed.append(Listed(longer, edit))
            else:
                todo.append((longer, child))
    if rng.random() < 0.3 and listed:  # to have one twice does no harm
        listed.append(listed[0])
    return sorted(listed) if rng.random() < 0.8 else listed


def _is_dearer_swapped(problem: Problem, path: Path, a: int, child: State) -> bool:
    """Whether the last two rules in the other order are cheaper, or as cheap and in order."""
    if len(path) <= len(problem.first):
        return False
    swapped = problem.state((*path[:-1], a, path[-1]))
    in_order = problem.rank[a] < problem.rank[path[-1]]
    return swapped.cost < child.cost or (swapped.cost == child.cost and in_order)


def _edit(problem: Problem, path: Path, state: State) -> tuple[int, int] | None:
    """A deletion or insertion that makes every list cheaper that begins with a prefix."""
    for i in range(len(problem.first), len(path)):
        if problem.state(path[:i] + path[i + 1 :]).dominates(state, strictly=True):
            return DELETION, i
    for a in [] if problem.first else problem.usable:
        other = (a, *(b for b in path if b != a))
        if problem.state(other).dominates(state, strictly=True):
            return INSERTION, a
    return None


def fingerprint(case: Case) -> str:
    """The fingerprint of rows, from its definition in docs/certificate_format.md."""
    problem = Problem(case)
    m = len(problem.captured)
    totals: dict[tuple[bytes, int], int] = {}
    for i in problem.rows:
        bits = "".join(str(int(i in captured)) for captured in problem.captured)
        bits = bits.ljust(max(8, -(-m // 8) * 8), "0")
        key = int(bits, 2).to_bytes(len(bits) // 8, "big"), problem.label[i]
        totals[key] = totals.get(key, 0) + problem.weight[i]
    data = b"surelist data 1\n" + struct.pack("<QQ", m, problem.n_classes)
    for (row, label), weight in sorted(totals.items()):
        data += row + struct.pack("<IQ", label, weight)
    return hashlib.sha256(data).hexdigest()


def varint(number: int) -> bytes:
    data = b""
    while number > 127:
        data += bytes([number & 127 | 128])
        number >>= 7
    return data + bytes([number])


def encode(paths: Sequence[Path], version: int = 1) -> bytes:
    """Closed prefixes as they are in a block."""
    data = bytearray()
    before: Path = ()
    for path in paths:
        shared = 0
        while shared < min(len(path), len(before)) and path[shared] == before[shared]:
            shared += 1
        data += varint(shared) + varint(len(path) - shared)
        data += b"".join(map(varint, path[shared:]))
        data += b"".join(map(varint, why(path) if version == 2 else ()))
        before = path
    return bytes(data)


def block(raw: bytes) -> bytes:
    packed = zlib.compress(raw, 9)
    return struct.pack("<II", len(packed), len(raw)) + packed


def seal(begin: bytes) -> bytes:
    """Add the end and the checksum."""
    data = begin + bytes(8)
    return data + hashlib.sha256(data).digest()


def assemble(header: Header, chunks: Sequence[Sequence[Path]]) -> bytes:
    """Write a certificate."""
    line = json.dumps(header, sort_keys=True, ensure_ascii=False).encode() + b"\n"
    version = 2 if header.get("version") == 2 else 1  # whatever else it says
    blocks = b"".join(block(encode(chunk, version)) for chunk in chunks if chunk)
    return seal(b"surelist certificate %d\n" % version + line + blocks)


def to_bytes(case: Case) -> bytes:
    """The certificate of a case that was proven, in one chunk or two."""
    half = len(case.closed) // 2
    chunks = [case.closed] if half < 3 else [case.closed[:half], case.closed[half:]]
    return assemble(case.header, chunks)
