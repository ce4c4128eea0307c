"""The local web page: upload, watch, understand, keep the proof.

The process that answers the browser does nothing that takes long, and does not read the user's
data. Helper processes read files and answer short questions; each search runs in a process of its
own. All have limits of memory and time, so that none can make the page unusable.
"""

from __future__ import annotations

__all__: list[str] = []
