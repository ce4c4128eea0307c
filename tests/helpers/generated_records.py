"""Raw files in the formats of the experiments' data sets, with made-up people in them."""

from __future__ import annotations

import csv
import gzip
import random
from datetime import date, timedelta
from pathlib import Path

from experiments import stops

_COMPAS = (
    *("id", "sex", "dob", "age", "race", "juv_fel_count", "decile_score", "juv_misd_count"),
    *("juv_other_count", "priors_count", "c_jail_in", "decile_score", "priors_count"),
    "two_year_recid",
)
_RACES = ("African-American", "Caucasian", "Hispanic", "Other", "Asian")


def write_compas(path: Path, n_rows: int = 300, seed: int = 0) -> None:
    """Write people who recidivate where they have priors or are young, most of the time."""
    chance = random.Random(seed)
    rows = [list(_COMPAS)]
    for number in range(n_rows):
        years = chance.randint(18, 60)
        booked = date(2013, 6, 1) + timedelta(days=chance.randint(0, 300))
        born = booked - timedelta(days=int(365.2425 * years) + chance.randint(1, 300))
        priors = chance.choice([0, 0, 1, 2, 3, 5, 9])
        is_likely = priors > 3 or years < 21
        recidivates = int(chance.random() < (0.85 if is_likely else 0.2))
        score = chance.randint(5, 10) if is_likely else chance.randint(1, 6)
        sex = chance.choice(["Male", "Male", "Female"])
        juvenile = [chance.choice([0, 0, 0, 1]) for _ in range(3)]
        # Every tenth record lacks the dates of the jail stay.
        jail = "" if number % 10 == 9 else f"{booked} 05:00:00"
        rows.append(
            [
                *(str(number), sex, str(born), str(years + 2), chance.choice(_RACES)),
                *(str(juvenile[0]), str(score), str(juvenile[1]), str(juvenile[2]), str(priors)),
                *(jail, str(score), str(priors), str(recidivates)),
            ]
        )
    _write(path, rows)


def write_stops(path: Path, n_rows: int = 600, seed: int = 0) -> None:
    """Write stops at which a weapon is found where an object was suspicious, most of the time."""
    chance = random.Random(seed)
    rows = [list(stops._NEEDED)]
    for number in range(n_rows):
        record = dict.fromkeys(stops._NEEDED, "N")
        record |= {name: " Y1NNN"[chance.randint(0, 5)] for name in stops._MARKS.values()}
        is_object = stops._is_marked(record, "cs_objcs")
        record["knifcuti"] = "Y" if chance.random() < (0.7 if is_object else 0.05) else " "
        record |= {
            "frisked": "Y" if number % 7 else "N",
            "searched": "Y" if number % 14 == 0 else "N",
            "crimsusp": chance.choice(["CPW", "CPW", "FELONY", "cpw"]),
            "city": chance.choice(["QUEENS", "MANHATTAN", "BROOKLYN", "STATEN ISLAND", "BRONX"]),
            "trhsloc": chance.choice("HTPPP"),
            "inout": chance.choice("IO"),
            "sex": chance.choice("MMMMMMFZ"),
            "race": chance.choice("BBQQWPAIUZ"),
            "build": chance.choice("MMTHUZ"),
            "age": chance.choice([" 19", "25", "31", "44", "**", "366", "7"]),
        }
        rows.append([record[name] for name in stops._NEEDED])
    _write(path, rows)


def _write(path: Path, rows: list[list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        with gzip.open(path, "wt", encoding="utf-8", newline="") as packed:
            csv.writer(packed).writerows(rows)
    else:
        with path.open("w", encoding="utf-8", newline="") as plain:
            csv.writer(plain).writerows(rows)
