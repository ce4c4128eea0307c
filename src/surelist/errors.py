"""Every exception and warning that Surelist raises on purpose.

::

    Exception
    └── SurelistError              anything this package refuses or cannot do
        └── InputError             a bad argument or bad data (also a ValueError)
            └── FormatError        a file that cannot be read: path, line, column

    UserWarning
    ├── UncertifiedWarning         a result that is not certified optimal
    ├── UnwrittenWarning           a file that could not be written; the result is there
    └── ClusterWarning             a cluster that does not do its part of a search

A message says what was wrong, where, and what to do about it.
"""

from __future__ import annotations

import os

__all__ = [
    "ClusterWarning",
    "FormatError",
    "InputError",
    "SurelistError",
    "UncertifiedWarning",
    "UnwrittenWarning",
]


class SurelistError(Exception):
    """Base of every error in this package: catch it to catch them all."""


class InputError(SurelistError, ValueError):
    """An argument or data set that cannot be used as it is."""


class FormatError(InputError):
    """A file that cannot be read.

    Parameters
    ----------
    problem : str
        What was wrong and what to do.
    path : str or os.PathLike
        The file.
    line, column : int, optional
        Where in the file, counted from 1; columns count characters.

    Examples
    --------
    >>> print(FormatError("expected 0 or 1, found '2'", "train.out", 3, 14))
    train.out:3:14: expected 0 or 1, found '2'
    """

    def __init__(
        self,
        problem: str,
        path: str | os.PathLike[str],
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        # All four go to `args`, so that the error survives pickling between processes.
        super().__init__(problem, path, line, column)
        self.problem = problem
        self.path = os.fspath(path)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = [self.path, *(str(part) for part in (self.line, self.column) if part is not None)]
        return f"{':'.join(place)}: {self.problem}"


class UncertifiedWarning(UserWarning):
    """The search stopped before it could certify its result as optimal."""


class UnwrittenWarning(UserWarning):
    """A certificate or a checkpoint could not be written; what the search found is there."""


class ClusterWarning(UserWarning):
    """A cluster has no workers, or none that answers: the search goes on without them."""
