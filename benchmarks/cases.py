"""The problems: real data beside the project, tic-tac-toe, and generated ones that grow.

A case is a problem and a λ. Data sets are too large for the repository; they are looked for in the
folder that ``SURELIST_DATA`` names, or beside the repository, and a case without its data raises
`MissingData`, so that the report can say so.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import os
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.generate import Labels, Matrix, planted, repeated

__all__ = ["Anchor", "Case", "Data", "MissingData", "all_cases", "data_folder", "save"]

ROOT = Path(__file__).resolve().parents[1]

# The authors' folds keep antecedents of this support, at least and at most.
_LEAST, _MOST = Fraction("0.005"), Fraction("0.995")


class MissingData(Exception):  # noqa: N818 - a state of the machine, not an error
    """A data set is not on this machine."""


@dataclass(frozen=True, eq=False)
class Data:
    """A problem as arrays.

    Attributes
    ----------
    captures : ndarray of uint8, shape (rows, antecedents)
    labels : ndarray of int32, shape (rows,)
    antecedents : tuple of str
    features : ndarray of uint8, shape (rows, columns), optional
        What the antecedents were made of, where the estimator is to mine them itself.
    """

    captures: Matrix
    labels: Labels
    antecedents: tuple[str, ...]
    features: Matrix | None = None


@dataclass(frozen=True)
class Anchor:
    """What the original C++ program took, measured on one core of a machine of this class.

    `seconds` are of CPU; where it `died`, they and the bytes are what it had taken by then. Where
    only the mean of several cases is known, it stands for all of them together and for none alone.
    """

    seconds: float
    memory: int | None = None
    died: bool = False
    mean_of: int = 1


@dataclass(frozen=True)
class Case:
    """A problem and a λ.

    Attributes
    ----------
    name : str
        Family and what is special about this one, as in ``compas/0.005``.
    title : str
        For the reader.
    regularization : str
        λ as decimal text.
    load : callable
        Returns the `Data`, or raises `MissingData`.
    quick, long : bool
        Part of a quick run; only part of a long one.
    peers : bool
        Whether the peers are measured on it, too.
    original : bool
        Whether the original program is, where there is one.
    ablation : str
        Whether policies, and each bound off, are measured on it: in a "quick" run, in a "full" one.
    anchor : Anchor, optional
    series : (str, int or float), optional
        For generated problems: what grows, and how far.
    """

    name: str
    title: str
    regularization: str
    load: Callable[[], Data]
    quick: bool = False
    long: bool = False
    peers: bool = False
    original: bool = True
    ablation: str = ""
    anchor: Anchor | None = None
    series: tuple[str, float] | None = None


def data_folder() -> Path:
    """Return where the data sets are expected."""
    given = os.environ.get("SURELIST_DATA")
    return Path(given) if given else ROOT.parent / "shared" / "data"


def all_cases() -> list[Case]:
    """Return every case, in the order of the report."""
    return [*_compas_a(), *_compas(), *_nyclu(), *_others(), *_growing()]


def save(data: Data, path: Path) -> None:
    """Write the arrays for the measuring processes: packed bits, readable without this package."""
    matrices = {"captures": data.captures, "features": data.features}
    arrays: dict[str, NDArray[np.generic]] = {"labels": data.labels}
    for name, matrix in matrices.items():
        if matrix is not None:
            arrays[name] = np.packbits(matrix, axis=1)
            arrays[f"{name}_width"] = np.array(matrix.shape[1])
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


# --- Reading ----------------------------------------------------------------------------------


def _file(name: str) -> Path:
    path = data_folder() / name
    if not path.is_file():
        raise MissingData(f"there is no {name} in the folder of data sets")
    return path


def _table(text: io.TextIOBase) -> dict[str, list[str]]:
    """Read a CSV file as columns."""
    names, *rows = csv.reader(text)
    return dict(zip(names, (list(column) for column in zip(*rows, strict=True)), strict=True))


def _gzip_table(name: str) -> dict[str, list[str]]:
    with gzip.open(_file(name), "rt", encoding="utf-8", newline="") as file:
        return _table(file)


def _bits(column: Sequence[str], one: str = "1") -> NDArray[np.bool_]:
    return np.asarray(np.array(column) == one, np.bool_)


def _one_hot(table: dict[str, list[str]]) -> dict[str, NDArray[np.bool_]]:
    """Return a column for each value of each column; an empty value is none."""
    return {
        f"{name}:{value}": np.array(column) == value
        for name, column in table.items()
        for value in sorted(set(column) - {""})
    }


def _data(
    columns: dict[str, NDArray[np.bool_]],
    labels: NDArray[np.bool_],
    features: dict[str, NDArray[np.bool_]] | None = None,
) -> Data:
    return Data(
        _matrix(columns),
        labels.astype(np.int32),
        tuple(columns),
        None if features is None else _matrix(features),
    )


def _matrix(columns: dict[str, NDArray[np.bool_]]) -> Matrix:
    return np.column_stack(list(columns.values())).astype(np.uint8)


def conjunctions(
    features: dict[str, NDArray[np.bool_]], least: Fraction, most: Fraction
) -> dict[str, NDArray[np.bool_]]:
    """Return features and pairs of features whose support is within bounds.

    Examples
    --------
    >>> a, b = np.array([True, True, False]), np.array([True, False, False])
    >>> list(conjunctions({"a": a, "b": b, "none": ~a & b}, Fraction(1, 3), Fraction(2, 3)))
    ['a', 'b', 'a,b']
    """
    pairs = itertools.combinations(features.items(), 2)
    both = ((f"{a},{b}", first & second) for (a, first), (b, second) in pairs)
    return {
        name: column
        for name, column in itertools.chain(features.items(), both)
        if least <= Fraction(int(column.sum()), column.size) <= most
    }


# --- COMPAS -----------------------------------------------------------------------------------

_RECIDIVATES = "recidivate-within-two-years"


def _compas_fold(fold: int) -> Data:
    """Feature set A of the paper: everything but the degree of the current charge."""
    member = f"compas/compas_{fold}_train.csv"
    with tarfile.open(_file("compas/compas_10folds.tar.gz")) as archive:
        file = archive.extractfile(member)
        if file is None:
            raise MissingData(f"there is no {member} in the archive of folds")
        table = _table(io.TextIOWrapper(file, encoding="utf-8", newline=""))
    labels = _bits(table.pop(_RECIDIVATES))
    table.pop("current-charge-degree")
    features = _one_hot(table)
    return _data(conjunctions(features, _LEAST, _MOST), labels, features)


def _compas_a() -> list[Case]:
    return [
        Case(
            name=f"compas-a/{fold}",
            title=f"COMPAS A, fold {fold}",
            regularization="0.005",
            load=partial(_compas_fold, fold),
            quick=fold < 2,
            peers=fold == 0,
            anchor=Anchor(24, mean_of=10),
        )
        for fold in range(10)
    ]


def _compas_train() -> Data:
    from surelist.estimators.corels import text_files as corels_text

    files = [_file(f"compas/compas_train.{kind}.gz") for kind in ("out", "label")]
    data = corels_text.read(*files)
    return Data(data.captures, data.labels, data.antecedents)


def _compas() -> list[Case]:
    anchors = {
        "0.01": Anchor(14),
        "0.005": Anchor(167, 592_000_000),
        "0.0025": Anchor(240, 11_000_000_000, died=True),
    }
    return [
        Case(
            name=f"compas/{penalty}",
            title="COMPAS, M = 155",
            regularization=penalty,
            load=_compas_train,
            quick=penalty in ("0.02", "0.01", "0.005"),
            long=penalty == "0.001",
            peers=penalty in ("0.02", "0.01", "0.005"),
            # Below this λ it runs out of memory, so it is not measured.
            original=penalty in ("0.02", "0.01", "0.005"),
            ablation={"0.01": "quick", "0.005": "full"}.get(penalty, ""),
            anchor=anchors.get(penalty),
        )
        for penalty in ("0.02", "0.01", "0.005", "0.0025", "0.001")
    ]


# --- NYCLU ------------------------------------------------------------------------------------


def _nyclu_fold(fold: int) -> Data:
    """Features, and the negations of what an officer notes where it applies."""
    table = _gzip_table(f"nyclu/weapon_{fold}_train.csv.gz")
    labels = _bits(table.pop("weapon"))
    columns = {name: _bits(column) for name, column in table.items()}
    noted = [name for name in columns if name.startswith(("stop-reason=", "circumstances="))]
    for name in noted:
        columns[name.replace("=", "=not-", 1)] = ~columns[name]
    return _data(columns, labels)


def _nyclu() -> list[Case]:
    anchors = {
        (0, "0.01"): Anchor(28, 78_000_000),
        (0, "0.0025"): Anchor(741, 2_300_000_000),
    }
    return [
        Case(
            name=f"nyclu-{fold}/{penalty}",
            title=f"NYCLU, fold {fold}",
            regularization=penalty,
            load=partial(_nyclu_fold, fold),
            quick=fold == 0 and penalty in ("0.04", "0.01"),
            peers=fold == 0 and penalty in ("0.04", "0.01"),
            original=fold == 0,
            ablation="full" if (fold, penalty) == (0, "0.01") else "",
            anchor=anchors.get((fold, penalty)),
        )
        for fold in range(3)
        for penalty in ("0.04", "0.01", "0.0025")
    ]


# --- Adult, Minneapolis, tic-tac-toe --------------------------------------------------------------


def _adult() -> Data:
    table = _gzip_table("bench/adult_income_fullRules.csv.gz")
    labels = _bits(table.pop("income"))
    return _data({name: _bits(column) for name, column in table.items()}, labels)


def _stops(clauses: int, penalty: str) -> Data:
    """Minneapolis police stops: whether a person was searched, where that was noted."""
    table = _gzip_table("bench/carData_MplsStops.csv.gz")
    noted = [index for index, value in enumerate(table["personSearch"]) if value]
    table = {name: [column[index] for index in noted] for name, column in table.items()}
    dates = table["date"]
    chosen = {name: table[name] for name in ("problem", "race", "gender", "policePrecinct")}
    # Dates are in UTC; they become months and blocks of four hours.
    chosen["hours"] = [f"{int(date[11:13]) // 4 * 4:02d}+4h" for date in dates]
    chosen["month"] = [date[5:7] for date in dates]
    features = _one_hot(chosen)
    least = Fraction(penalty)
    columns = conjunctions(features, least, 1 - least) if clauses == 2 else features
    return _data(columns, _bits(table["personSearch"], "YES"))


def _boards(clauses: int) -> Data:
    from surelist.datasets import load_tic_tac_toe

    boards = load_tic_tac_toe()
    features = dict(zip(boards.feature_names, boards.X.T == 1, strict=True))
    columns = conjunctions(features, _LEAST, _MOST) if clauses == 2 else features
    return _data(columns, boards.y == "yes")


def _clauses(number: int) -> str:
    return "1 clause" if number == 1 else f"{number} clauses"


def _others() -> list[Case]:
    adult = [
        Case(f"adult/{penalty}", "adult", penalty, _adult, quick=True, peers=penalty != "0.001")
        for penalty in ("0.01", "0.005", "0.001")
    ]
    stops = [
        Case(
            name=f"mpls-{clauses}/{penalty}",
            title=f"Minneapolis stops, {_clauses(clauses)}",
            regularization=penalty,
            load=partial(_stops, clauses, penalty),
            quick=penalty == "0.005",
        )
        for clauses, penalty in (
            *((1, "0.01"), (1, "0.005"), (1, "0.001")),
            *((2, "0.01"), (2, "0.005")),
        )
    ]
    boards = [
        Case(
            name=f"boards-{clauses}/{penalty}",
            title=f"tic-tac-toe, {_clauses(clauses)}",
            regularization=penalty,
            load=partial(_boards, clauses),
            quick=clauses == 1,
            peers=clauses == 1,
        )
        for clauses, penalty in ((1, "0.01"), (1, "0.005"), (2, "0.05"))
    ]
    return [*adult, *stops, *boards]


# --- Generated ----------------------------------------------------------------------------------


def _planted(rows: int, groups: int, antecedents: int, times: int = 1) -> Data:
    captures, labels = planted(rows, groups, antecedents)
    if times > 1:
        captures, labels = repeated(captures, labels, times)
    return Data(captures, labels, tuple(f"x{index}" for index in range(antecedents)))


def _series(name: str, value: float, penalty: str, quick: bool, load: Callable[[], Data]) -> Case:
    return Case(
        name=f"{name}/{value}",
        title=f"generated, {name} {value:,}",
        regularization=penalty,
        load=load,
        quick=quick,
        original=False,
        series=(name, value),
    )


def _growing() -> list[Case]:
    # The last step of each series takes seconds.
    rows = [10**power for power in range(3, 8)]
    groups = [100, 1_000, 10_000, 100_000]
    antecedents = [50, 100, 200, 500, 1_000, 2_000]
    penalties = ["0.08", "0.04", "0.02", "0.01", "0.005"]
    return [
        *(
            _series("rows", n, "0.02", n <= 10**6, partial(_planted, 1_000, 200, 100, n // 1_000))
            for n in rows
        ),
        *(
            _series("groups", n, "0.02", n <= 10_000, partial(_planted, 100_000, n, 100))
            for n in groups
        ),
        *(
            _series("antecedents", n, "0.05", n <= 500, partial(_planted, 10_000, 1_000, n))
            for n in antecedents
        ),
        *(
            _series(
                "regularization",
                float(penalty),
                penalty,
                float(penalty) >= 0.02,
                partial(_planted, 10_000, 1_000, 100),
            )
            for penalty in penalties
        ),
    ]
