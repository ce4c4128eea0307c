"""The file by which a browser is opened.

Everybody on a machine can read the arguments of its processes, so the address with the secret must
not be one of them. The browser gets the path of a file instead, which only its owner can read, and
which sends it on.
"""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

__all__ = ["DOOR", "Doorway"]

DOOR = "open.html"

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Surelist</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<p><a href="{url}">Go on to Surelist</a></p></html>
"""


class Doorway:
    """A file that leads to an address, while it is open.

    Parameters
    ----------
    folder : Path
        Where it is to be.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surelist.web.doorway import Doorway
    >>> with TemporaryDirectory() as folder:
    ...     door = Doorway(Path(folder))
    ...     print(door.open("http://127.0.0.1:8321/?token=secret").endswith("/open.html"))
    ...     door.close()
    ...     print(list(Path(folder).iterdir()))
    True
    []
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / DOOR
        self._open = False

    def open(self, url: str) -> str:
        """Write the file; return the address of it, which has no secret."""
        self._path.unlink(missing_ok=True)  # of a page that was killed
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(url=escape(url)))
        self._open = True
        return self._path.absolute().as_uri()

    def close(self) -> None:
        """Remove the file; one that somebody else has put there stays."""
        if self._open:
            self._open = False
            self._path.unlink(missing_ok=True)
