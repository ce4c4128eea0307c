"""Checking the parameters of the estimator: each for its type and range, all before any work."""

from __future__ import annotations

import contextlib
import math
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from surelist import _core
from surelist._common.limits import WORK_SECOND
from surelist._common.memory import share_of_memory
from surelist._common.messages import shown
from surelist.errors import InputError
from surelist.problem.constraints import Demands, read_demands
from surelist.problem.costs import Prices, read_prices
from surelist.problem.fairness import Demand, read_fairness
from surelist.tables.regularization import exact

if TYPE_CHECKING:
    from surelist._common.progress import Progress
    from surelist.problem.settings import Settings

__all__ = [
    "AUTO_WORK",
    "Parameters",
    "is_cluster",
    "is_dask_frame",
    "least_support",
    "read_parameters",
    "work_units",
]

AUTO_WORK = 60  # about seconds of one core

# Limits above these are no limits; the engine's own integers end there.
_LARGEST = 2**62
_LONGEST = 2**31 - 1
_MOST_SECONDS = 1e9
_MOST_THREADS = 256

# Of a least support that is worked out here.
_FINEST = 10**18
_MOST_SUPPORT = Fraction(999, 1000)

_UNITS = ("", "k", "m", "g", "t")
_SIZE = re.compile(r"\s*(\d{1,18}(?:\.\d{1,18})?)\s*([kmgt]?)(i?)b\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Parameters:
    """The estimator's parameters, checked and in the form the engine takes."""

    regularization: Fraction
    max_clauses: int
    negations: bool
    min_support: Fraction
    max_length: int | None
    policy: str
    symmetry: str
    bounds: list[str]
    work_limit: int | None
    time_limit: float | None
    memory_limit: int | None
    max_prefixes: int | None
    n_jobs: int
    cluster: Any
    progress: str | bool | Callable[[Progress], object]
    certificate: bool | Path
    checkpoint: Path | None
    checkpoint_interval: float | None
    trace_interval: float | None
    random_state: int
    antecedents_only: bool
    prices: Prices
    demands: Demands
    fairness: Demand | None = None
    fair_bounds: tuple[str, ...] = ()
    """The bounds of the search for fair lists."""

    @property
    def by_length(self) -> bool:
        """Whether local search and a proof by length take turns with the tree.

        They do not where the user counts prefixes of the tree (``max_prefixes``) or chose their
        order (``policy``), nor on a cluster, which is lent prefixes of the tree. Nor do they where
        there is to be a checkpoint and a certificate: a checkpoint does not hold the prefixes that
        the proof by length has closed, which a certificate needs.
        """
        counted = self.max_prefixes is not None or self.cluster is not None
        kept = self.checkpoint is not None and self.certificate is not False
        return self.policy == "lower_bound" and not counted and not kept

    @property
    def spoken_of(self) -> tuple[str, ...]:
        """Every text that names an antecedent: demanded, forbidden or with a price."""
        return (*self.demands.named, *self.demands.forbidden, *(self.prices.by_text or ()))


def read_parameters(settings: Settings) -> Parameters:
    """Check every parameter that needs no data to be checked.

    ``settings`` may be an estimator, too: anything that has the parameters as attributes.

    Raises
    ------
    InputError
        Naming the parameter, the value given and what is allowed.
    """
    regularization = exact(settings.regularization)
    prices = read_prices(settings.cost_matrix, settings.antecedent_costs)
    certificate, checkpoint = _certificate(settings.certificate), _checkpoint(settings.checkpoint)
    fairness = read_fairness(settings.fairness)
    bounds, fair_bounds = _bounds(settings.bounds, with_fair=fairness is not None)
    places = [path.resolve() for path in (certificate, checkpoint) if isinstance(path, Path)]
    if len(set(places)) < len(places):
        raise InputError(f"certificate and checkpoint are both {checkpoint}: name two files")
    return Parameters(
        regularization=regularization,
        max_clauses=min(_count("max_clauses", settings.max_clauses, 1), _LONGEST),
        negations=_flag("negations", settings.negations),
        min_support=(
            least_support(regularization, prices)
            if settings.min_support is None
            else exact(settings.min_support, name="min_support")
        ),
        max_length=_optional_count("max_length", settings.max_length, 0, _LONGEST),
        policy=_choice("policy", settings.policy, _core.policy_names()),
        symmetry=_choice("symmetry", settings.symmetry, _core.symmetry_names()),
        bounds=bounds,
        work_limit=_work(settings),
        time_limit=_seconds("time_limit", settings.time_limit),
        memory_limit=_bytes(settings.memory_limit),
        max_prefixes=_optional_count("max_prefixes", settings.max_prefixes, 1, _LARGEST),
        n_jobs=1 if is_cluster(settings.n_jobs) else _jobs(settings.n_jobs),
        cluster=settings.n_jobs if is_cluster(settings.n_jobs) else None,
        progress=_progress(settings.progress),
        certificate=certificate,
        checkpoint=checkpoint,
        checkpoint_interval=_seconds("checkpoint_interval", settings.checkpoint_interval),
        trace_interval=_seconds("trace_interval", settings.trace_interval),
        random_state=_seed(settings.random_state),
        antecedents_only=_flag("antecedents_only", settings.antecedents_only),
        prices=prices,
        demands=read_demands(settings.dnf, settings.first, settings.required, settings.forbidden),
        fairness=fairness,
        fair_bounds=fair_bounds,
    )


def least_support(regularization: Fraction, prices: Prices) -> Fraction:
    """Return the share of weight below which no rule can pay for itself.

    A rule costs at least λ times the least cost, and saves at most the dearest prediction on each
    row that it captures. The share is below 1 and has few digits, as one that a user gives; where
    it has to be rounded it becomes smaller, which loses nothing either.
    """
    share = regularization * prices.least / (prices.dearest or 1)
    if share.denominator > _FINEST:
        share = Fraction(math.floor(share * _FINEST), _FINEST)
    return min(share, _MOST_SUPPORT)


def _refuse(name: str, allowed: str, value: object) -> InputError:
    return InputError(f"{name} must be {allowed}; got {shown(value)}")


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _count(name: str, value: Any, least: int) -> int:
    if not _is_whole(value) or value < least:
        raise _refuse(name, f"a whole number of at least {least}", value)
    return int(value)


def _optional_count(name: str, value: Any, least: int, most: int) -> int | None:
    if value is None:
        return None
    if not _is_whole(value) or value < least:
        raise _refuse(name, f"None or a whole number of at least {least}", value)
    return min(int(value), most)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise _refuse(name, "True or False", value)
    return bool(value)


def _choice(name: str, value: Any, allowed: list[str]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise _refuse(name, f"one of {', '.join(map(repr, allowed))}", value)
    return str(value)


def _bounds(value: Any, *, with_fair: bool) -> tuple[list[str], tuple[str, ...]]:
    """Return the bounds of the search, and those of the search for fair lists."""
    usual, fair = _core.bound_names(), _core.fair_bound_names()
    if isinstance(value, str) and value == "all":
        return usual, tuple(fair)
    names = list(dict.fromkeys([*usual, *(fair if with_fair else ())]))
    allowed = f'"all" or a collection of these names: {", ".join(names)}'
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _refuse("bounds", allowed, value)
    chosen = list(value)
    for name in chosen:
        if not isinstance(name, str) or name not in names:
            raise _refuse("bounds", allowed, name)
    return (
        [name for name in usual if name in chosen],
        tuple(name for name in fair if name in chosen),
    )


def _seconds(name: str, value: Any) -> float | None:
    if value is None:
        return None
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    # Compared before it is converted: a whole number may be too large for a float.
    if is_number and 0 < value < math.inf:
        return _MOST_SECONDS if value > _MOST_SECONDS else float(value)
    raise _refuse(name, "None or a positive number of seconds", value)


def work_units(value: Any, *, other_limit: bool = False) -> int | None:
    """Return a work limit in the engine's units; "auto" gives way to any other limit.

    Raises
    ------
    InputError

    Examples
    --------
    >>> from surelist.problem.parameters import work_units
    >>> work_units("auto"), work_units("auto", other_limit=True), work_units(0.5)
    (60000000000, None, 500000000)
    """
    if isinstance(value, str) and value == "auto":
        return None if other_limit else AUTO_WORK * WORK_SECOND
    if value is None:
        return None
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if is_number and 0 < value < math.inf:
        seconds = _MOST_SECONDS if value > _MOST_SECONDS else float(value)
        return max(1, round(seconds * WORK_SECOND))
    raise _refuse("work_limit", '"auto", None or a positive number of seconds of work', value)


def _work(settings: Settings) -> int | None:
    limited = settings.time_limit is not None or settings.max_prefixes is not None
    return work_units(settings.work_limit, other_limit=limited or is_cluster(settings.n_jobs))


def _bytes(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, str) and value == "auto":
        return share_of_memory()
    if _is_whole(value) and value > 0:
        return min(int(value), _LARGEST)
    if isinstance(value, str) and (match := _SIZE.fullmatch(value)):
        number, unit, binary = match.groups()
        size = int(Fraction(number) * (1024 if binary else 1000) ** _UNITS.index(unit.lower()))
        if size > 0:
            return min(size, _LARGEST)
    raise _refuse("memory_limit", '"auto", None, a number of bytes, or text such as "500MB"', value)


def is_cluster(n_jobs: Any) -> bool:
    """Whether this is a Dask client, or the address of a scheduler such as tcp://host:8786."""
    if isinstance(n_jobs, str):
        return "://" in n_jobs
    # What was made by a module that is not loaded does not exist.
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(n_jobs, distributed.Client)


def is_dask_frame(X: object) -> bool:
    """Whether this is a Dask DataFrame; Dask is not imported to find out."""
    if "dask.dataframe" not in sys.modules:
        return False
    import dask.dataframe

    return isinstance(X, dask.dataframe.DataFrame)


def _jobs(value: Any) -> int:
    """Count as joblib does: -1 is every processor, -2 all but one, and so on."""
    if value is None:
        return 1
    if not _is_whole(value) or value == 0:
        raise _refuse(
            "n_jobs",
            "None, a number of threads, -1 for all processors, a Dask client or the address of a "
            "Dask scheduler",
            value,
        )
    wanted = int(value) if value > 0 else _processors() + 1 + int(value)
    return min(max(wanted, 1), _MOST_THREADS)


def _processors() -> int:
    """Return how many processors this process may use, as joblib counts them."""
    from joblib import cpu_count  # slow to import

    return int(cpu_count())


def _progress(value: Any) -> str | bool | Callable[[Progress], object]:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str) and value == "auto":
        return "auto"
    if callable(value):
        return value  # type: ignore[no-any-return]
    raise _refuse("progress", '"auto", True, False or a function', value)


def _file(name: str, value: str | os.PathLike[str]) -> Path:
    path = Path(value)
    try:
        if b"\0" in bytes(path):
            raise ValueError("there is a null character in it")
        # From Python 3.14 on, is_dir is false where the system refuses a name.
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            path.stat()
        found = not path.is_dir() and path.absolute().parent.is_dir()
    except (OSError, ValueError) as error:
        raise InputError(f"the {name} cannot be written to {shown(str(path))}: {error}") from None
    if not found:
        raise InputError(f"the {name} cannot be written to {path}: no such folder")
    return path


def _certificate(value: Any) -> bool | Path:
    """Take a path only in a folder that is there: a long search must not end in an error."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if not isinstance(value, str | os.PathLike) or not os.fspath(value):
        raise _refuse("certificate", "True, False or the path of a file", value)
    return _file("certificate", value)


def _checkpoint(value: Any) -> Path | None:
    if value is None:
        return None
    if not isinstance(value, str | os.PathLike) or not os.fspath(value):
        raise _refuse("checkpoint", "None or the path of a file", value)
    return _file("checkpoint", value)


def _seed(value: Any) -> int:
    """None is 0: a search that is run twice on the same data takes the same path twice."""
    if value is None:
        return 0
    if _is_whole(value) and 0 <= value < 2**32:
        return int(value)
    if isinstance(value, np.random.RandomState):
        return int(value.randint(2**31))
    raise _refuse(
        "random_state", "None, a whole number from 0 to 2**32 - 1 or a RandomState", value
    )
