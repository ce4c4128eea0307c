"""The log of the prefixes that a search closes: kept while it runs, then made a certificate.

Every search has one, but few are to be certified. So what writes certificates is imported where one
is wanted: it brings the checkers, which take as long to import as a small search takes.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist import _core
from surelist.errors import InputError, UnwrittenWarning
from surelist.problem.parameters import Parameters
from surelist.problem.prepare import Prepared

if TYPE_CHECKING:
    from surelist.certificate.certificate import Certificate

__all__ = ["ClosedLog"]

_BYTES_A_SECOND = 5e6  # packed: compressed, and its prefixes counted
_SETTLED = ".length"  # of the engine's proof by length, behind the name of the file
_WRITING = 0.5  # of the time it took to describe the antecedents, to write them


class ClosedLog:
    """The file for the prefixes that a search closes, while it is needed.

    Parameters
    ----------
    wanted : bool or path
        Whether there is to be a certificate: False; True, to hold it in memory; or its path.

    Attributes
    ----------
    path : str or None
        Where the engine may write; None where no certificate is wanted.

    Examples
    --------
    >>> from surelist.certificate.closed_log import ClosedLog
    >>> print(ClosedLog(False).path)
    None
    """

    def __init__(self, wanted: bool | str | os.PathLike[str]) -> None:
        self._target = None if isinstance(wanted, bool) else wanted
        self.path: str | None = None
        if wanted is not False:
            from surelist._common.scratch import Scratch

            self._scratch = Scratch()
            self.path = str(self._scratch.path / "closed")
        self._antecedents: Mapping[str, Any] | None = None
        self._seconds_to_write = 0.0

    def begin(self, prepared: Prepared) -> None:
        """Write down before the search what does not depend on it."""
        if self.path is not None:
            from surelist.certificate.header import describe_antecedents

            began = time.monotonic()
            self._antecedents = describe_antecedents(prepared)
            self._seconds_to_write = _WRITING * (time.monotonic() - began)

    def seconds_to_pack(self) -> float:
        """Return how long it takes to make a certificate of what is in the log, about."""
        if self.path is None:
            return 0.0
        log = Path(self.path)
        size = log.stat().st_size if log.exists() else 0
        return self._seconds_to_write + size / _BYTES_A_SECOND

    def certificate(
        self,
        search: _core.Search,
        prepared: Prepared,
        parameters: Parameters,
    ) -> Certificate | None:
        """Return what the finished search proves, if that is wanted, and remove the log.

        A certificate that cannot be written to its path is held in memory instead, from where it
        can be saved to another, and a warning says so.
        """
        if self.path is None:
            return None
        from surelist.certificate.certificate import Certificate
        from surelist.certificate.header import describe, describe_antecedents, every_cut

        antecedents = self._antecedents or describe_antecedents(prepared)
        header = describe(search, prepared, parameters, antecedents)
        header |= every_cut(prepared, parameters)
        closed = self.path if search.length_proof is None else self.path + _SETTLED
        try:
            made = Certificate.write(header, closed, self._target)
        except (InputError, OSError) as error:
            if self._target is None:
                raise
            warnings.warn(
                f"{error}. The certificate is in memory: certificate_.save writes it elsewhere",
                UnwrittenWarning,
                stacklevel=6,
            )
            made = Certificate.write(header, closed)
        self._scratch.close()
        return made
