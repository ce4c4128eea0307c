"""The log of the prefixes that a search closes: kept while it runs, then made a certificate."""

from __future__ import annotations

import os
from typing import Any

from surelist import _core
from surelist._scratch import Scratch
from surelist.certificate import Certificate
from surelist.certificate_header import describe
from surelist.parameters import Parameters
from surelist.training import Prepared

__all__ = ["ClosedLog"]


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
    >>> from surelist.closed_log import ClosedLog
    >>> print(ClosedLog(False).path)
    None
    """

    def __init__(self, wanted: bool | str | os.PathLike[str]) -> None:
        self._target = None if isinstance(wanted, bool) else wanted
        self.path: str | None = None
        if wanted is not False:
            self._scratch = Scratch()
            self.path = str(self._scratch.path / "closed")

    def certificate(
        self,
        search: _core.Search,
        prepared: Prepared,
        parameters: Parameters,
        sample_weight: Any = None,
        class_weight: Any = None,
    ) -> Certificate | None:
        """Return what the finished search proves, if that is wanted, and remove the log.

        The parameters are those of `describe`.
        """
        if self.path is None:
            return None
        header = describe(search, prepared, parameters, sample_weight, class_weight)
        made = Certificate.write(header, self.path, self._target)
        self._scratch.close()
        return made
