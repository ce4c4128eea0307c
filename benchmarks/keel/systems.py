"""What is measured on every table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["CART_SAME", "CV", "DEFAULT", "ONE_CLAUSE", "SYSTEMS", "System", "chosen"]

DEFAULT, ONE_CLAUSE, CV = "default", "one-clause", "cv"
CART_SAME, CART = "cart-same-leaves", "cart"

# Ours are ended late, so that the report can tell how late they would have ended themselves.
_OURS, _PEERS = 3.0, 1.1


@dataclass(frozen=True)
class System:
    """Something that is measured.

    Attributes
    ----------
    name : str
        As on the command line.
    title : str
        As in the report.
    module : str
        The module of this package that fits it.
    options : dict
    learns_from : str
        "raw" columns, or "binarized" ones.
    environment : str
        The environment it runs in; empty for our own.
    patience : float
        The process is ended at this multiple of the time limit, and a few seconds.
    passing_time : bool
        Whether it keeps its limit by a timer of the system, which no clock of ours can slow down.
    """

    name: str
    title: str
    module: str
    options: dict[str, Any] = field(default_factory=dict)
    learns_from: str = "raw"
    environment: str = ""
    patience: float = _PEERS
    passing_time: bool = False

    @property
    def package(self) -> str:
        """The package that fits it."""
        return self.environment or ("surelist" if self.is_ours else "scikit-learn")

    @property
    def is_ours(self) -> bool:
        """Whether it is Surelist."""
        return self.module == "fit_surelist"


def _tree(
    name: str, title: str, package: str, *, passing_time: bool = False, **options: Any
) -> System:
    options["package"] = package
    return System(
        name, title, "fit_trees", options, "binarized", package, passing_time=passing_time
    )


SYSTEMS = (
    System(DEFAULT, "Surelist", "fit_surelist", patience=_OURS),
    System(
        ONE_CLAUSE,
        "Surelist, one clause",
        "fit_surelist",
        {"max_clauses": 1},
        patience=_OURS,
    ),
    System(
        CV,
        "Surelist, λ by cross-validation",
        "fit_surelist",
        {"cross_validation": True},
        patience=_OURS,
    ),
    System(
        CART_SAME,
        "CART, as many leaves",
        "fit_sklearn",
        {"model": "cart", "leaves": None, "exactly": True},
    ),
    System(
        CART,
        "CART, up to 32 leaves",
        "fit_sklearn",
        {"model": "cart", "leaves": 32, "exactly": False},
    ),
    _tree("streed-3", "STreeD, depth 3", "pystreed", depth=3),
    _tree("streed-4", "STreeD, depth 4", "pystreed", depth=4),
    _tree("gosdt-5", "GOSDT, depth 5", "gosdt", depth=5),
    _tree("fast-small-tree", "FastSmallTree", "imodels", passing_time=True),
    System("ripper", "RIPPER", "fit_ripper", environment="wittgenstein"),
    System("boosting", "gradient boosting", "fit_sklearn", {"model": "boosting"}),
)


def chosen(only: str) -> list[System]:
    """Return the systems of a group, or those named; all of them where nothing is.

    Raises
    ------
    ValueError
        For a name that is none.

    Examples
    --------
    >>> [system.name for system in chosen("surelist")]
    ['default', 'one-clause', 'cv']
    >>> [system.name for system in chosen("default,gosdt-5")]
    ['default', 'gosdt-5']
    >>> len(chosen("surelist")) + len(chosen("peers")) == len(chosen(""))
    True
    """
    groups = {
        "surelist": {system.name for system in SYSTEMS if system.is_ours},
        "peers": {system.name for system in SYSTEMS if not system.is_ours},
    }
    names = groups | {system.name: {system.name} for system in SYSTEMS}
    wanted: set[str] = set()
    for name in filter(None, only.split(",")):
        if name not in names:
            raise ValueError(f"there is no {name!r}; choose from {', '.join(names)}")
        wanted |= names[name]
    return [system for system in SYSTEMS if not wanted or system.name in wanted]
