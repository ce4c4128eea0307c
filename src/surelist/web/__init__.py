"""The local web page: upload, watch, understand, keep the proof.

The process that answers the browser does nothing that takes long and reads no user's data itself.
Files are read, and short questions about them answered, by helper processes; each search runs in a
process of its own. All of them have limits of memory and time, so that none can take the page down.
"""

from __future__ import annotations

__all__: list[str] = []
