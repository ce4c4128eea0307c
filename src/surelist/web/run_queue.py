"""Runs as the page sees them: which wait, which search, how they get on, how they ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import OrderedDict, deque
from dataclasses import asdict
from pathlib import Path
from typing import Any

from surelist.web.child import command, environment
from surelist.web.limits import Limits
from surelist.web.store import Store

__all__ = ["Course", "RunQueue"]

_GRACE = 5.0
_MOST_COURSES = 64
_JOB_SECONDS = 3600.0
_CRASHED = "its process ended unexpectedly; it may have needed more memory than it was granted"
_KILLED = "it was stopped at once, so nothing of it is kept"
_CUT_OFF = "the page was closed while it ran"


class Course:
    """The points of one search's progress, read from its file as they appear there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._rest = b""
        self.lines: list[bytes] = []

    def refresh(self) -> None:
        """Read what was added since."""
        try:
            if self._path.stat().st_size == self._offset:
                return
            with self._path.open("rb") as file:
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return
        self._offset += len(data)
        # A line that is still being written is kept for later.
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.lines += lines


class RunQueue:
    """Starts runs in their order, so many at once, and keeps what becomes of them.

    Parameters
    ----------
    store : Store
    limits : Limits
    """

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._waiting: deque[str] = deque()
        self._processes: dict[tuple[str, str], asyncio.subprocess.Process] = {}
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._courses: OrderedDict[str, Course] = OrderedDict()
        self._closing = False

    def recover(self) -> None:
        """Take up what an earlier page left: queued runs go on, others ended with it."""
        self._store.forget_interrupted_jobs()
        for run in reversed(self._store.runs()):
            if run["state"] == "queued":
                self._waiting.append(run["id"])
            elif run["state"] in ("running", "stopping"):
                self._finish(run["id"], _CUT_OFF)
        self._start_next()

    def submit(self, run: str) -> None:
        """Queue a run that the store has."""
        self._waiting.append(run)
        self._start_next()

    @property
    def n_waiting(self) -> int:
        """How many runs wait."""
        return len(self._waiting)

    def position(self, run: str) -> int | None:
        """Return how many runs go before one that waits; None where it does not."""
        return self._waiting.index(run) if run in self._waiting else None

    def stop(self, run: str) -> None:
        """Have a run end: one that searches keeps its best rule list; asked twice, it is killed."""
        if run in self._waiting:
            self._waiting.remove(run)
            self._store.update_run(
                run,
                state="failed",
                finished=time.time(),
                outcome={"error": "it was stopped before it began"},
            )
            return
        process = self._processes.get((run, "search"))
        if process is None or process.stdin is None:
            return
        found = self._store.run(run)
        if found is not None and found["state"] == "stopping":
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            return
        self._store.update_run(run, state="stopping")
        with contextlib.suppress(ConnectionError):
            process.stdin.write(b"stop\n")

    async def drop(self, run: str) -> None:
        """End everything that a run does, at once: it is to be deleted."""
        if run in self._waiting:
            self._waiting.remove(run)
        for key in [key for key in self._tasks if key[0] == run]:
            process = self._processes.get(key)
            if process is not None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
            with contextlib.suppress(Exception):
                await self._tasks[key]
        self._courses.pop(run, None)

    def start_job(self, run: str, kind: str) -> None:
        """Begin a job for a finished run, unless it is being done."""
        if (run, kind) not in self._tasks:
            self._store.put_job(run, kind)
            self._begin(run, kind, self._job(run, kind))

    def course(self, run: str) -> Course:
        """Return how a run got on so far."""
        if run not in self._courses:
            while len(self._courses) >= _MOST_COURSES:
                self._courses.popitem(last=False)
            self._courses[run] = Course(self._store.run_folder(run) / "progress.jsonl")
        self._courses.move_to_end(run)
        course = self._courses[run]
        course.refresh()
        return course

    async def close(self) -> None:
        """Stop everything: searches get some seconds to keep what they have."""
        self._closing = True
        for (run, kind), process in list(self._processes.items()):
            if kind == "search":
                self.stop(run)
            else:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=_GRACE)
        for process in self._processes.values():
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=_GRACE)

    # One run.

    def _start_next(self) -> None:
        searching = sum(kind == "search" for _, kind in self._tasks)
        while self._waiting and searching < self._limits.searches and not self._closing:
            run = self._waiting.popleft()
            self._begin(run, "search", self._search(run))
            searching += 1

    def _begin(self, run: str, kind: str, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks[run, kind] = task

        def ended(_: object) -> None:
            self._tasks.pop((run, kind), None)
            self._start_next()

        task.add_done_callback(ended)

    async def _search(self, run: str) -> None:
        found = self._store.run(run)
        if found is None:
            return
        folder = self._store.run_folder(run)
        folder.mkdir(mode=0o700, exist_ok=True)
        spec = {
            "settings": found["settings"],
            "data": str(self._store.data_folder(found["dataset"])),
            "limits": asdict(self._limits),
        }
        (folder / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
        self._store.update_run(run, state="running", started=time.time())
        process = await self._spawn(run, "search", command("search_worker", str(folder)))
        await process.wait()
        self._processes.pop((run, "search"), None)
        found = self._store.run(run)
        killed = found is not None and found["state"] == "stopping"
        self._finish(run, _KILLED if killed else _CRASHED)

    def _finish(self, run: str, reason: str) -> None:
        """Keep how a run ended: as its process says, or for this reason where it does not say."""
        folder = self._store.run_folder(run)
        try:
            outcome = json.loads((folder / "outcome.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            outcome = {"error": reason}
        state = "failed" if "error" in outcome else "finished"
        self._store.update_run(run, state=state, finished=time.time(), outcome=outcome)

    async def _job(self, run: str, kind: str) -> None:
        folder = self._store.run_folder(run)
        process = await self._spawn(run, kind, command("job_worker", kind, str(folder)))
        assert process.stdout is not None
        try:
            data = await asyncio.wait_for(process.stdout.read(), _JOB_SECONDS)
            outcome = json.loads(data)
        except TimeoutError:
            process.kill()
            outcome = {"error": "it took longer than an hour and was given up"}
        except ValueError:
            outcome = {"error": _CRASHED}
        await process.wait()
        self._processes.pop((run, kind), None)
        state = "failed" if "error" in outcome else "finished"
        self._store.update_job(run, kind, state=state, outcome=outcome)

    async def _spawn(self, run: str, kind: str, arguments: list[str]) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE if kind != "search" else None,
            env=environment(),
            cwd="/",
            # Ctrl-C in the terminal is for the page, which stops its searches in order.
            start_new_session=True,
        )
        self._processes[run, kind] = process
        return process
