"""Uploads: streamed to disk within limits, and never stored under the name they came with."""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from surelist.web.limits import MB, Limits

__all__ = ["TooMuchError", "receive", "shown_name"]


class TooMuchError(Exception):
    """An upload that is too large or too slow; the message is for the user."""


async def receive(chunks: AsyncIterator[bytes], path: Path, limits: Limits) -> int:
    """Write an upload to a file; return its size.

    Raises
    ------
    TooMuchError
        The file is removed then.
    """
    size = 0
    ends = time.monotonic() + limits.upload_seconds
    iterator = aiter(chunks)
    try:
        with path.open("xb") as file:
            while True:
                try:
                    chunk = await asyncio.wait_for(anext(iterator), limits.stall_seconds)
                except StopAsyncIteration:
                    return size
                size += len(chunk)
                if size > limits.upload:
                    raise TooMuchError(f"the file is larger than {limits.upload // MB:,} MB")
                if time.monotonic() > ends:
                    raise TimeoutError
                file.write(chunk)
    except TimeoutError:
        path.unlink(missing_ok=True)
        raise TooMuchError("the upload took too long") from None
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def shown_name(name: str) -> str:
    r"""Return the name of a file for display; it is never used as a path.

    Examples
    --------
    >>> from surelist.web.uploads import shown_name
    >>> shown_name("../../etc/passwd"), shown_name("C:\\data\\people.csv"), shown_name("\x00")
    ('passwd', 'people.csv', 'unnamed')
    """
    last = PureWindowsPath(PurePosixPath(name).name).name
    printable = "".join(
        char for char in last if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    return " ".join(printable.split())[:120] or "unnamed"
