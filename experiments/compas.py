"""The ProPublica data set: from the raw file to the paper's feature sets.

Two things are not in the paper and were found by holding the raw file against a public binary file
with the paper's 6,907 rows, which this preparation reproduces in every cell:

- "without missing data" means that the dates of the jail stay are known: they are missing in 307 of
  7,214 records, and in nothing else that is used;
- age is not the file's ``age`` (as of 2016) but the age at the time of booking into jail, in mean
  Gregorian years of 365.2425 days, and a category is closed above: ``21-22`` is 20 < age ≤ 22. The
  range "18-96" in the paper's appendix is that of the file's column, which gives M = 120 where the
  paper has 122.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from experiments.dataset import Bits, Dataset, Features
from experiments.sources import opened
from surelist.errors import InputError

__all__ = ["RACE", "load", "read_binary", "two_features"]

RACE = "race"

_YEAR = timedelta(days=365.2425)
_NEEDED = (
    *("sex", "dob", "race", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count"),
    *("decile_score", "c_jail_in", "two_year_recid"),
)

Record = Mapping[str, str]


def load(path: Path) -> Dataset:
    """Read the raw file into all features of feature set B; A is without `RACE`."""
    with opened(path) as text:
        records, total = _complete(csv.reader(text), path)
    labels = np.array([int(record["two_year_recid"]) for record in records], np.int32)
    about = {
        "race": np.array([record["race"] for record in records]),
        "score": np.array([int(record["decile_score"]) for record in records]),
        "priors": np.array([int(record["priors_count"]) for record in records]),
        "age": np.array([_age(record) for record in records]),
    }
    counts = {"records": total, "with all dates of the jail stay": len(records)}
    return Dataset("ProPublica", _features(records), labels, about, counts, str(path))


def _complete(rows: Iterator[list[str]], path: Path) -> tuple[list[Record], int]:
    """Return the records with all dates, and how many there are in all.

    The file has two columns twice, with the same values; the first of them counts.
    """
    head = next(rows, [])
    lacking = [name for name in _NEEDED if name not in head]
    if lacking:
        raise InputError(f"{path}: there is no column {', '.join(lacking)}; is it the raw file?")
    place = {name: head.index(name) for name in _NEEDED}
    records: list[Record] = []
    total = 0
    for row in rows:
        total += 1
        record = {name: row[index].strip() for name, index in place.items()}
        if record["c_jail_in"]:
            records.append(record)
    return records, total


def _age(record: Record) -> float:
    booked = datetime.fromisoformat(record["c_jail_in"])
    return (booked - datetime.fromisoformat(record["dob"])) / _YEAR


def _features(records: list[Record]) -> Features:
    ages = np.array([_age(record) for record in records])
    felonies = _counts(records, "juv_fel_count")
    misdemeanors = _counts(records, "juv_misd_count")
    crimes = felonies + misdemeanors + _counts(records, "juv_other_count")
    features: Features = {}
    for value in ("male", "female"):
        features[f"sex = {value}"] = np.array([r["sex"].lower() == value for r in records])
    for name, low, high in _AGES:
        features[name] = (low < ages) & (ages <= high)
    for name, number in (
        ("felonies", felonies),
        ("misdemeanors", misdemeanors),
        ("crimes", crimes),
    ):
        features[f"juvenile {name} = 0"] = number == 0
        features[f"juvenile {name} > 0"] = number > 0
    priors = _counts(records, "priors_count")
    features |= {name: test(priors) for name, test in _PRIORS.items()}
    races = np.array([record["race"] for record in records])
    other = ~np.isin(races, _RACES)
    features |= {f"{RACE} = {name}": races == name for name in _RACES}
    features[f"{RACE} = Other"] = other
    return features


def _counts(records: list[Record], name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([int(record[name]) for record in records])


_AGES = (
    ("age = 18-20", 0, 20),
    ("age = 21-22", 20, 22),
    ("age = 23-25", 22, 25),
    ("age = 26-45", 25, 45),
    ("age > 45", 45, 200),
)
_PRIORS: dict[str, Callable[[np.ndarray[tuple[int], np.dtype[np.int64]]], Bits]] = {
    "priors = 0": lambda n: n == 0,
    "priors = 1": lambda n: n == 1,
    "priors = 2-3": lambda n: (n >= 2) & (n <= 3),
    "priors > 3": lambda n: n > 3,
}
# The paper grouped Native American, Asian and Other.
_RACES = ("African-American", "Caucasian", "Hispanic")


def two_features(data: Dataset) -> Dataset:
    """Return age and priors alone, with ProPublica's three categories of age, as in the paper."""
    age = data.about["age"]
    ages: Features = {
        "age < 25": age < 25,
        "age = 25-45": (age >= 25) & (age <= 45),
        "age > 45": age > 45,
    }
    features = ages | {name: bits for name, bits in data.features.items() if name in _PRIORS}
    return Dataset(data.name, features, data.labels, data.about, data.counts, data.source)


# --- The public binary file, to compare with -----------------------------------------------------

_SHORT = {
    "sex:Female": "sex = female",
    "age:18-20": "age = 18-20",
    "age:21-22": "age = 21-22",
    "age:23-25": "age = 23-25",
    "age:26-45": "age = 26-45",
    "age:>45": "age > 45",
    "juvenile-felonies:=0": "juvenile felonies = 0",
    "juvenile-misdemeanors:=0": "juvenile misdemeanors = 0",
    "juvenile-crimes:=0": "juvenile crimes = 0",
    "priors:2-3": "priors = 2-3",
    "priors:=0": "priors = 0",
    "priors:=1": "priors = 1",
    "priors:>3": "priors > 3",
}


def read_binary(path: Path) -> tuple[Features, Bits]:
    """Read the 13 binary features of feature set A and the label, under our names."""
    with opened(path) as text:
        rows = list(csv.reader(text))
    matrix = np.array(rows[1:]) == "1"
    columns = dict(zip(rows[0], matrix.T, strict=True))
    return {ours: columns[theirs] for theirs, ours in _SHORT.items()}, matrix[:, -1]
