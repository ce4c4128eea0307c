"""Stop-and-frisk records: the NYCLU problem of 2014 and the NYPD problem of 2008-2012.

Both predict whether a weapon is found on somebody who was frisked or searched, from 28 values of
five attributes. The yearly files share one format; a mark is ``Y`` in most records and ``1`` in
others, and a blank means no.

What the paper calls missing data was found by holding the raw file of 2014 against a public file
with the paper's 29,595 rows, which this preparation reproduces: sex ``Z``, race ``U`` or ``Z`` and
build ``Z`` are the codes for unknown, and ages outside 12-89 go, too.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from experiments.dataset import Dataset, Features
from experiments.sources import opened
from surelist.errors import InputError

__all__ = ["LOCATION_ATTRIBUTES", "NEGATED", "load_nyclu", "load_nypd", "negated", "read_authors"]

# Feature set D is C without these.
LOCATION_ATTRIBUTES = ("city", "location")
# Feature set E adds the negations of these.
NEGATED = ("stop reason", "additional circumstances")

_MARKS = {
    "stop reason = suspicious object": "cs_objcs",
    "stop reason = fits description": "cs_descr",
    "stop reason = casing": "cs_casng",
    "stop reason = acting as lookout": "cs_lkout",
    "stop reason = suspicious clothing": "cs_cloth",
    "stop reason = drug transaction": "cs_drgtr",
    "stop reason = furtive movements": "cs_furtv",
    "stop reason = actions of violent crime": "cs_vcrim",
    "stop reason = suspicious bulge": "cs_bulge",
    "additional circumstances = proximity to crime scene": "ac_proxm",
    "additional circumstances = evasive response": "ac_evasv",
    "additional circumstances = associating with criminals": "ac_assoc",
    "additional circumstances = changed direction": "ac_cgdir",
    "additional circumstances = high crime area": "ac_incid",
    "additional circumstances = time of day": "ac_time",
    "additional circumstances = sights and sounds of criminal activity": "ac_stsnd",
    "additional circumstances = witness report": "ac_rept",
    "additional circumstances = ongoing investigation": "ac_inves",
}
_VALUES = {
    "city = Queens": ("city", "QUEENS"),
    "city = Manhattan": ("city", "MANHATTAN"),
    "city = Brooklyn": ("city", "BROOKLYN"),
    "city = Staten Island": ("city", "STATEN ISLAND"),
    "city = Bronx": ("city", "BRONX"),
    "location = housing authority": ("trhsloc", "H"),
    "location = transit authority": ("trhsloc", "T"),
    "location = neither": ("trhsloc", "P"),
    "inside or outside = inside": ("inout", "I"),
    "inside or outside = outside": ("inout", "O"),
}
_WEAPONS = ("pistol", "riflshot", "asltweap", "knifcuti", "machgun", "othrweap")
_PERSON = ("sex", "race", "build", "age")
_NEEDED = (
    *("frisked", "searched", "crimsusp", "city", "trhsloc", "inout"),
    *_PERSON,
    *_WEAPONS,
    *_MARKS.values(),
)

Record = Mapping[str, str]


def _records(path: Path) -> Iterator[Record]:
    """Read the columns that are used, record by record: a year has up to 700,000 of them."""
    with opened(path) as text:
        rows = csv.reader(text)
        head = [name.strip().lower() for name in next(rows, [])]
        lacking = [name for name in _NEEDED if name not in head]
        if lacking:
            raise InputError(
                f"{path}: there is no column {', '.join(lacking[:5])}; is it a yearly file of "
                "stop, question and frisk records, 2003 to 2014?"
            )
        place = {name: head.index(name) for name in _NEEDED}
        last = max(place.values())
        for row in rows:
            if len(row) > last:  # a year's last line may be blank
                yield {name: row[index].strip() for name, index in place.items()}


def _is_marked(record: Record, name: str) -> bool:
    return record[name] in ("Y", "1")


def _is_searched(record: Record) -> bool:
    return _is_marked(record, "frisked") or _is_marked(record, "searched")


def _has_weapon(record: Record) -> bool:
    return any(_is_marked(record, name) for name in _WEAPONS)


def _is_known(record: Record) -> bool:
    """Whether sex, race and build are known, and the age is plausible."""
    age = record["age"]
    return (
        record["sex"] != "Z"
        and record["race"] not in ("U", "Z")
        and record["build"] != "Z"
        and age.isdigit()
        and 12 <= int(age) <= 89
    )


def load_nyclu(path: Path) -> Dataset:
    """Read the file of 2014: records of people frisked or searched, without missing data."""
    steps: tuple[tuple[str, Callable[[Record], bool]], ...] = (
        ("frisked or searched", _is_searched),
        ("without missing data, aged 12-89", _is_known),
    )
    return _load("NYCLU", [path], steps)


def load_nypd(paths: Iterable[Path]) -> Dataset:
    """Read yearly files: people suspected of criminal possession of a weapon, and searched for it.

    As in the paper the suspicion must match ``CPW`` as it is written.
    """
    steps: tuple[tuple[str, Callable[[Record], bool]], ...] = (
        ("suspected of CPW", lambda record: record["crimsusp"] == "CPW"),
        ("frisked or searched", _is_searched),
    )
    return _load("NYPD", list(paths), steps)


def _load(
    name: str, paths: list[Path], steps: tuple[tuple[str, Callable[[Record], bool]], ...]
) -> Dataset:
    counts: Counter[str] = Counter({"records": 0} | {step: 0 for step, _ in steps})
    columns: dict[str, list[bool]] = {clause: [] for clause in (*_MARKS, *_VALUES)}
    labels: list[bool] = []
    for record in (record for path in paths for record in _records(path)):
        counts["records"] += 1
        counts["frisked"] += _is_marked(record, "frisked")
        counts["searched"] += _is_marked(record, "searched")
        if not _passes(record, steps, counts):
            continue
        labels.append(_has_weapon(record))
        for clause, mark in _MARKS.items():
            columns[clause].append(_is_marked(record, mark))
        for clause, (column, value) in _VALUES.items():
            columns[clause].append(record[column] == value)
    if not labels:
        raise InputError(f"{paths[0]}: no record is left after {steps[-1][0]!r}")
    counts["with a weapon"] = sum(labels)
    features: Features = {clause: np.array(bits) for clause, bits in columns.items()}
    source = ", ".join(str(path) for path in paths)
    return Dataset(name, features, np.array(labels, np.int32), {}, dict(counts), source)


def _passes(
    record: Record,
    steps: tuple[tuple[str, Callable[[Record], bool]], ...],
    counts: Counter[str],
) -> bool:
    for step, test in steps:
        if not test(record):
            return False
        counts[step] += 1
        counts[f"{step}, with a weapon"] += _has_weapon(record)
    return True


def negated(features: Features) -> Features:
    """Add the negations of feature set E.

    Examples
    --------
    >>> import numpy as np
    >>> list(negated({"stop reason = casing": np.array([True]), "city = Bronx": np.array([True])}))
    ['stop reason = casing', 'city = Bronx', 'stop reason ≠ casing']
    """
    more = {
        clause.replace(" = ", " ≠ "): ~bits
        for clause, bits in features.items()
        if clause.startswith(NEGATED)
    }
    return features | more


# --- The files of the authors' code, to compare with ---------------------------------------------


def read_authors(path: Path) -> Dataset:
    """Read a table of the authors' 28 binary features and the label, under our names."""
    with opened(path) as text:
        rows = list(csv.reader(text))
    columns = dict(zip(map(_our_name, rows[0]), (np.array(rows[1:]) == "1").T, strict=True))
    labels = columns.pop("weapon").astype(np.int32)
    return Dataset("NYCLU", columns, labels, {}, {}, str(path))


def _our_name(name: str) -> str:
    """Turn ``circumstances=time-of-day`` into ``additional circumstances = time of day``.

    Examples
    --------
    >>> _our_name("circumstances=time-of-day"), _our_name("inout=inside"), _our_name("weapon")
    ('additional circumstances = time of day', 'inside or outside = inside', 'weapon')
    """
    what, _, value = name.partition("=")
    long = {
        "circumstances": "additional circumstances",
        "stop-reason": "stop reason",
        "inout": "inside or outside",
    }
    return f"{long.get(what, what)} = {value.replace('-', ' ')}" if value else name
