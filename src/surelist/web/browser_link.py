"""The file that opens the page in a browser.

All users of a machine can read the arguments of its processes, so the address with the secret must
not be one of them. The browser gets the path of a file instead, which only its owner can read and
which redirects to the address.
"""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

__all__ = ["LINK_FILE", "BrowserLink"]

LINK_FILE = "open.html"

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Surelist</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<p><a href="{url}">Go on to Surelist</a></p></html>
"""


class BrowserLink:
    """A file that redirects to an address, until it is closed.

    Parameters
    ----------
    folder : Path
        Where the file is written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surelist.web.browser_link import BrowserLink
    >>> with TemporaryDirectory() as folder:
    ...     link = BrowserLink(Path(folder))
    ...     print(link.open("http://127.0.0.1:8321/?token=secret").endswith("/open.html"))
    ...     link.close()
    ...     print(list(Path(folder).iterdir()))
    True
    []
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LINK_FILE
        self._open = False

    def open(self, url: str) -> str:
        """Write the file; return its address, which holds no secret."""
        self._path.unlink(missing_ok=True)  # left by a page that was killed
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_PAGE.format(url=escape(url)))
        self._open = True
        return self._path.absolute().as_uri()

    def close(self) -> None:
        """Remove the file, if this object wrote it."""
        if self._open:
            self._open = False
            self._path.unlink(missing_ok=True)
