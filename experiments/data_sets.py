"""Tables 1 and 2: data sets, feature sets, mined antecedents."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np

from experiments import compas, paper, stops
from experiments.command import run_command
from experiments.context import Context, rows_of
from experiments.dataset import Codes, Dataset, Features
from experiments.folds import resampled
from experiments.numbers import mean, span
from experiments.report import Section, Table
from experiments.searches import antecedents

__all__ = ["run"]


def run(context: Context) -> Section:
    """Make both tables, and compare the preparation with the authors' files if they are there."""
    section = context.section("Data sets and feature sets (Tables 1 and 2)")
    section.add(*_data_table(context), *_feature_table(context, section))
    section.add(*_compas_details(context, section), *_nyclu_details(context, section))
    return section


def _data_table(context: Context) -> list[str | Table]:
    rows = []
    years = context.nypd[1]
    for name, letter in (("ProPublica", "A"), ("NYPD", "C"), ("NYCLU", "E")):
        data, folds = context.data(letter), context.folds(letter)
        is_resampled = name != "ProPublica"
        train = [
            len(resampled(data.labels, fold) if is_resampled else fold.train) for fold in folds
        ]
        rows.append([f"{name}, paper", *paper.DATASETS[name]])
        ours = f"{name}, here" + (f" ({years})" if name == "NYPD" else "")
        resamples = "Yes" if is_resampled else "No"
        share = f"{data.labels.mean():.2f}"
        test = span(len(fold.test) for fold in folds)
        rows.append([ours, f"{len(data):,}", share, resamples, span(train), test])
    head = ["data set", "N", "positive", "resampled", "training set", "test set"]
    return [
        Table(head, rows),
        "The paper’s 6,217 and 692 add up to more than its 6,907; ten folds of 6,907 have 6,216 "
        "or 6,217 rows to train and 690 or 691 to test. Its 50,743 and 2,959 for NYCLU are 1 "
        "more than in the authors’ own files, which leave out what ten does not divide.",
        _nypd_note(years),
    ]


def _nypd_note(years: str) -> str:
    if years == "2008–2012":
        return "The NYPD problem was made from the yearly files of 2008 to 2012."
    return (
        "The NYPD’s files of 2008 to 2012 (2,941,390 records) are not on this machine. Where the "
        "paper uses them, the same preparation runs here on the file of 2014 as a stand-in, so N, "
        "and with it everything that rests on it, cannot agree."
    )


def _feature_table(context: Context, section: Section) -> list[str | Table]:
    rows = []
    for letter, printed in paper.FEATURE_SETS.items():
        data = context.data(letter)
        clauses = int(printed[4])
        sizes = [
            len(antecedents(rows_of(data.features, fold.train), clauses=clauses)[0])
            for fold in context.folds(letter)
        ]
        mined = f"{mean(sizes):.1f} ({span(sizes)})" if clauses == 2 else span(sizes)
        binary = data.n_binary if clauses == 2 else sum("≠" not in name for name in data.features)
        rows.append([f"{letter}, paper", *printed])
        ours = [str(len(data.attributes)), str(binary), mined, printed[4], printed[5]]
        rows.append([f"{letter}, here", data.name, *ours])
        if letter in "AB":
            _claim_antecedents(section, letter, sizes, int(printed[3]))
    head = [
        "feature set",
        "data set",
        "attributes",
        "binary",
        "antecedents",
        "clauses",
        "negations",
    ]
    return [
        Table(head, rows, 2),
        "Attributes of two values count as one binary feature, as in the paper; stop reasons and "
        "circumstances do not exclude each other. For feature set B the paper’s 17 adds the four "
        "races to the 13 of A.",
    ]


def _claim_antecedents(section: Section, letter: str, sizes: list[int], printed: int) -> None:
    section.claim(
        f"Feature set {letter} gives about {printed} antecedents a fold",
        f"{mean(sizes):.1f} on average, {span(sizes)} in {len(sizes)} folds",
        abs(mean(sizes) - printed) <= 1,
    )


# --- Comparison with the authors' files ----------------------------------------------------------


def _compas_details(context: Context, section: Section) -> list[str | Table]:
    data = context.data("A")
    section.claim(
        "6,907 of 7,214 ProPublica records are without missing data",
        f"{len(data):,} of {data.counts['records']:,} have all dates of the jail stay",
        (len(data), data.counts["records"]) == (6907, 7214),
    )
    parts: list[str | Table] = ["### ProPublica: from 7,214 records to 6,907", _COMPAS_TEXT]
    path = context.store.folder / "compas" / "compas-binary.csv.gz"
    if path.is_file():
        features, labels = compas.read_binary(path)
        parts.append(_compare_cells(data, features, labels.astype(np.int32)))
    return parts


_COMPAS_TEXT = (
    "The paper says that 6,907 records are without missing data, and not missing what. It is the "
    "dates of the jail stay: 307 records lack them, and 7,214 − 307 = 6,907. It prints 18–96 as "
    "the range of ages, which is that of the file’s `age`, the age in 2016. But its lists rest "
    "on the age when somebody was booked, (`c_jail_in` − `dob`) / 365.2425 days, with categories "
    "closed above (“21-22” is 20 < age ≤ 22): only that gives the cells of the public file "
    "below, and M = 122; `age` gives 120. The CORELS repository’s own files are another version: "
    "7,210 records, the file’s `age`, and the current charge as a seventh attribute, which the "
    "paper leaves out."
)


def _compare_cells(data: Dataset, features: Features, labels: Codes) -> str:
    if len(labels) != len(data):
        return f"The public binary file has {len(labels):,} rows, not {len(data):,}."
    cells = {name: int((data.features[name] != bits).sum()) for name, bits in features.items()}
    cells["label"] = int((data.labels != labels).sum())
    wrong = {name: number for name, number in cells.items() if number}
    total = len(cells) * len(labels)
    outcome = f"they differ in {wrong}" if wrong else "all are equal"
    return (
        f"Held against the public 6,907-row binary file, cell by cell ({len(cells)} columns, "
        f"{total:,} cells): {outcome}."
    )


def _nyclu_details(context: Context, section: Section) -> list[str | Table]:
    counts = context.nyclu.counts
    printed = {
        "records": 45787,
        "frisked": 30345,
        "searched": 7283,
        "frisked or searched": 30961,
        "frisked or searched, with a weapon": 1445,
        "without missing data, aged 12-89": 29595,
    }
    rows = [[step, f"{number:,}", f"{counts[step]:,}"] for step, number in printed.items()]
    section.claim(
        "29,595 of 45,787 NYCLU records are left, 30,961 before the last step",
        f"{counts['without missing data, aged 12-89']:,} of {counts['records']:,}, "
        f"{counts['frisked or searched']:,} before the last step",
        all(counts[step] == number for step, number in printed.items()),
    )
    parts: list[str | Table] = [
        "### NYCLU: from 45,787 records to 29,595",
        Table(["step", "paper", "here"], rows),
        _NYCLU_TEXT,
    ]
    if message := _compare_rows(
        context.nyclu, context.store.folder / "nyclu" / "nyclu2014_weapon_29595.csv.gz"
    ):
        parts.append(message)
    return parts


_NYCLU_TEXT = (
    "The paper removes 1,929 records with missing data without saying which, and a few by age. "
    "What reproduces its 29,595 rows: sex `Z`, race `U` or `Z`, build `Z` (unknown), and ages "
    "outside 12–89. A mark is `Y` in most records and `1` in others; reading only `Y` would lose "
    "a quarter of them."
)


def _compare_rows(data: Dataset, path: Path) -> str:
    """Compare our rows with those of a public file, which are in another order."""
    if not path.is_file():
        return ""
    theirs = stops.read_authors(path)
    ours = _multiset(data)
    difference = ours - _multiset(theirs)
    outcome = (
        "the rows are the same" if not difference and len(data) == len(theirs) else "they differ"
    )
    return (
        f"Held against the public file of {len(theirs):,} rows, 28 features and a label: {outcome}."
    )


def _multiset(data: Dataset) -> Counter[bytes]:
    names = sorted(data.features)
    matrix = np.stack([*(data.features[name] for name in names), data.labels == 1], axis=1)
    return Counter(row.tobytes() for row in matrix)


if __name__ == "__main__":
    sys.exit(run_command("data_sets", [run]))
