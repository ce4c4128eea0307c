"""Files that a search writes while it runs: its progress, and its best rule list so far."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import Any

from surelist._common.files import put_files
from surelist._common.progress import Progress
from surelist.errors import InputError
from surelist.web.file_names import BEST
from surelist.web.processes import json_safe

__all__ = ["Reporter", "put_json"]

_SHORTEST = 0.2
_SHARE = 400


def put_json(path: Path, document: dict[str, Any]) -> None:
    """Write a JSON document atomically."""
    put_files({path: [json.dumps(json_safe(document)).encode()]})


class Reporter:
    """Writes the progress of a search to a file, less often as time goes by.

    Each better rule list is first written to a file of its own, so that a list that was shown is
    never lost, however the process ends.

    Parameters
    ----------
    folder : Path
        That of the run.
    used : float
        Seconds that earlier parts of the search have taken.

    Attributes
    ----------
    used : float
    classes : list
        What labels stand for.
    stop : bool
        Whether the search is to end at its next report.
    """

    def __init__(self, folder: Path, used: float = 0.0) -> None:
        self.used = used
        self._folder = folder
        self._file = (folder / "progress.jsonl").open("a", encoding="utf-8")
        self._next = 0.0
        self._shown: Any = None
        self.classes: list[Any] = []
        self.stop = False

    def stage(self, name: str, **more: Any) -> None:
        """Report what is being done."""
        self._write({"stage": name, "at": time.time(), **more})

    def __call__(self, progress: Progress) -> None:
        """Report a moment of the search."""
        if self.stop:
            raise KeyboardInterrupt
        if progress.stage == "mining":
            if progress.time >= self._next:
                self._next = progress.time + _SHORTEST
                self.stage("mining", antecedents=progress.antecedents)
            return
        rules = (progress.prefix, progress.labels)
        if progress.time < self._next and rules == self._shown:
            return
        self._next = progress.time + max(_SHORTEST, progress.time / _SHARE)
        point = {
            "time": self.used + progress.time,
            "objective": progress.objective,
            "lower_bound": progress.lower_bound,
            "proven_length": progress.proven_length,
            "expanded": progress.expanded,
            "queue": progress.queue,
            "memory": progress.memory,
            "remaining": progress.remaining,
            "queue_by_length": progress.queue_by_length,
            "pruned": {name: count for name, count in progress.pruned.items() if count},
        }
        if rules != self._shown:
            # A full disk does not end a search: there may be room again before it is done.
            with contextlib.suppress(InputError):
                put_json(self._folder / BEST, {"antecedents": progress.prefix})
            self._shown = rules
            labels = [str(self.classes[code]) for code in progress.labels]
            point["rules"] = [
                {"antecedent": text, "label": label}
                for text, label in zip((*progress.prefix, None), labels, strict=True)
            ]
        self._write(point)

    def _write(self, point: dict[str, Any]) -> None:
        self._file.write(json.dumps(json_safe(point)) + "\n")
        # Where the disk is full, the lines wait in the buffer until there is room.
        with contextlib.suppress(OSError):
            self._file.flush()
