"""The queue of runs: which wait, which search, their progress, and how they ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import OrderedDict, deque
from dataclasses import asdict
from pathlib import Path
from typing import Any

from surelist._common.files import TEMPORARY
from surelist.web.file_names import BEST, CHECKPOINT, OUTCOME, SPEC, progress_path
from surelist.web.limits import Limits
from surelist.web.processes import command, environment
from surelist.web.store import Store
from surelist.web.wording import DEFECT
from surelist.web.worker_lock import worker_of

__all__ = ["ProgressLog", "RunQueue"]

_GRACE = 5.0
_LOOK = 0.1  # seconds between two looks at whether a process has ended
_NO_ROOM = 2.0  # seconds until the next try where the disk is full
_MOST_LOGS = 64
_JOB_SECONDS = 3600.0
_TEST_GRACE = 30.0  # for what a test does beside its search
_CRASHED = "its process ended unexpectedly; it may have needed more memory than it was granted"
_DISCARDED = "it was discarded, so nothing of it is kept"
_CUT_OFF = "the page was closed while it ran"
# How often a run is continued after the page ended: the run may be what ends the page.
_MOST_RETURNS = 5
# Processes that the limit of searches at once counts.
_SEARCHES = ("search", "test")
# Jobs that the next page begins again where they were cut off.
_RESUMED = ("test", "rivals")


class ProgressLog:
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
        # The last line may be incomplete: it is kept until the rest is there.
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.lines += filter(_is_json, lines)


def last_time(lines: list[bytes]) -> float:
    """Return how long a search had taken at the last point of its progress.

    Examples
    --------
    >>> from surelist.web.run_queue import last_time
    >>> last_time([b'{"time": 2.5}', b'{"stage": "describing"}']), last_time([])
    (2.5, 0.0)
    """
    times = (json.loads(line).get("time") for line in reversed(lines))
    return next((float(each) for each in times if each is not None), 0.0)


def _is_json(line: bytes) -> bool:
    """Whether a line is complete: a process that was killed may have left part of one."""
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


class RunQueue:
    """Starts runs in order, a limited number at once, and keeps their results.

    What the process of a search has written is its result, also where it or the page is killed.

    Parameters
    ----------
    store : Store
    limits : Limits
    """

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._waiting: deque[str] = deque()
        self._searches: dict[str, subprocess.Popen[bytes]] = {}
        self._jobs: dict[tuple[str, str], asyncio.subprocess.Process] = {}
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._logs: OrderedDict[str, ProgressLog] = OrderedDict()
        self._dropped: set[str] = set()
        self._closing = False

    def recover(self) -> None:
        """Continue runs that waited or searched when an earlier page ended; conclude others."""
        for run, kind in self._store.take_interrupted_jobs():
            if kind in _RESUMED:
                self.start_job(run, kind)
        for found in reversed(self._store.runs()):
            if found["state"] == "queued":
                self._waiting.append(found["id"])
            elif found["outcome"].get("error") == _DISCARDED:
                shutil.rmtree(self._store.run_folder(found["id"]), ignore_errors=True)
            elif found["state"] != "finished" and (
                # A run that failed because the disk was full may have a result now.
                found["state"] != "failed" or self._has_best(found["id"])
            ):
                goes_on = found["state"] == "running"
                if not goes_on:
                    self._store.update_run(found["id"], state="stopping")
                work = self._take_over(found["id"], goes_on=goes_on)
                self._begin(found["id"], "search", work)
        self._start_next()

    def submit(self, run: str) -> None:
        """Queue a run that the store has."""
        self._waiting.append(run)
        self._start_next()

    def go_on(self, run: str) -> None:
        """Continue the search of a finished run from its checkpoint, with as much time again."""
        found = self._store.run(run)
        assert found is not None
        outcome = found["outcome"]
        limit = found["settings"].get("time_limit")
        used = outcome.get("seconds", 0.0)
        granted = None if limit is None else used + limit
        self._queue_again(run, {"used": used, "granted": granted})

    def can_go_on(self, run: str) -> bool:
        """Whether there is a checkpoint from which the search of a run can continue."""
        return (self._store.run_folder(run) / CHECKPOINT).exists()

    def _queue_again(self, run: str, so_far: dict[str, Any], *, first: bool = False) -> None:
        (self._store.run_folder(run) / OUTCOME).unlink(missing_ok=True)
        self._store.update_run(run, state="queued", finished=None, outcome=so_far)
        (self._waiting.appendleft if first else self._waiting.append)(run)
        self._start_next()

    @property
    def n_waiting(self) -> int:
        """How many runs wait."""
        return len(self._waiting)

    def position(self, run: str) -> int | None:
        """Return how many runs go before one that waits; None where it does not."""
        return self._waiting.index(run) if run in self._waiting else None

    def stop(self, run: str) -> None:
        """Stop a run; one that searches keeps its best rule list. May be called repeatedly."""
        if run in self._waiting:
            self._waiting.remove(run)
            self._end(run, {"error": "it was stopped before it began"})
            return
        if self._ask_to_stop(run):
            with contextlib.suppress(sqlite3.OperationalError):  # where the disk is full
                self._store.update_run(run, state="stopping")

    def _ask_to_stop(self, run: str) -> bool:
        process = self._searches.get(run)
        if process is None or process.stdin is None:
            return False
        process.stdin.close()
        return True

    def discard(self, run: str) -> None:
        """Kill a run that has not ended, and keep nothing of it."""
        if run not in self._waiting and (run, "search") not in self._tasks:
            return
        if run in self._waiting:
            self._waiting.remove(run)
        self._end(run, {"error": _DISCARDED})
        self._kill(run)

    async def drop(self, run: str) -> None:
        """Kill all processes of a run, which is to be deleted."""
        self._dropped.add(run)
        if run in self._waiting:
            self._waiting.remove(run)
        self._kill(run)
        for key in [key for key in self._tasks if key[0] == run]:
            await self._end_task(key)
        self._logs.pop(run, None)

    async def _end_task(self, key: tuple[str, str]) -> None:
        task = self._tasks[key]
        while not task.done():
            if key in self._jobs:  # its process may not have started yet
                _kill(self._jobs[key])
            await asyncio.wait([task], timeout=_LOOK)

    def start_job(self, run: str, kind: str, *, asked: bool = False) -> None:
        """Begin a job for a finished run, unless it is being done.

        A test has the time that the search left; one that a user asks for, a quarter at least.
        """
        if (run, kind) in self._tasks:
            return
        seconds = self._test_seconds(run, asked=asked) if kind == "test" else None
        progress_path(self._store.run_folder(run), kind).unlink(missing_ok=True)
        self._store.put_job(run, kind)
        if seconds is not None and seconds <= 0:
            outcome = {"error": "the search left no time for it"}
            self._store.update_job(run, kind, state="failed", outcome=outcome)
            return
        self._begin(run, kind, self._job(run, kind, seconds))

    async def stop_job(self, run: str, kind: str) -> None:
        """Kill a job and forget it."""
        if (run, kind) in self._tasks:
            await self._end_task((run, kind))
        self._store.delete_job(run, kind)

    def job_progress(self, run: str, kind: str) -> dict[str, Any] | None:
        """Return how far a job says that it is; None before its first report."""
        return _read(progress_path(self._store.run_folder(run), kind))

    def progress_log(self, run: str) -> ProgressLog:
        """Return the progress of a run so far."""
        if run not in self._logs:
            while len(self._logs) >= _MOST_LOGS:
                self._logs.popitem(last=False)
            self._logs[run] = ProgressLog(self._store.run_folder(run) / "progress.jsonl")
        self._logs.move_to_end(run)
        log = self._logs[run]
        log.refresh()
        return log

    async def close(self) -> None:
        """Stop everything. A search that is still writing its result finishes after the page.

        In the store it stays a run that searches, so that the next page goes on with it.
        """
        self._closing = True
        for run in self._searches:
            self._ask_to_stop(run)
        for job in self._jobs.values():
            _kill(job)
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=_GRACE)
        left = list(self._tasks.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        alone = [run for run in self._searches if self._has_best(run)]
        for run in self._searches.keys() - alone:
            self._kill(run)
        if alone:
            logging.getLogger("uvicorn.error").warning(
                "%d of the searches still write down what they have found, and then end; "
                "the next surelist serve shows it",
                len(alone),
            )

    # One run.

    def _start_next(self) -> None:
        searching = sum(kind in _SEARCHES for _, kind in self._tasks)
        while self._waiting and searching < self._limits.searches and not self._closing:
            run = self._waiting.popleft()
            self._begin(run, "search", self._search(run))
            searching += 1

    def _begin(self, run: str, kind: str, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks[run, kind] = task

        def ended(_: object) -> None:
            self._tasks.pop((run, kind), None)
            if not task.cancelled() and (error := task.exception()) is not None:
                logging.getLogger("uvicorn.error").error("a run failed", exc_info=error)
                if kind == "search":
                    self._end(run, {"error": DEFECT})
                else:
                    self._store.update_job(run, kind, state="failed", outcome={"error": DEFECT})
            self._start_next()

        task.add_done_callback(ended)

    async def _search(self, run: str) -> None:
        found = self._store.run(run)
        if found is None or self._given_up(run):
            return
        folder = self._store.run_folder(run)
        folder.mkdir(mode=0o700, exist_ok=True)
        spec = {
            "settings": found["settings"],
            "data": str(self._store.data_folder(found["dataset"])),
            "limits": asdict(self._limits),
            "so_far": found["outcome"],
        }
        (folder / SPEC).write_text(json.dumps(spec), encoding="utf-8")
        self._store.update_run(run, state="running", started=time.time())
        await self._work(run)
        await self._conclude(run, _CRASHED)

    async def _take_over(self, run: str, *, goes_on: bool) -> None:
        """Wait for the process that an earlier page started: it stops without that page.

        Then the search goes on, unless it had ended or somebody had stopped it.
        """
        folder = self._store.run_folder(run)
        while worker_of(folder) is not None:
            await asyncio.sleep(_LOOK)
        found = self._store.run(run)
        outcome = _read(folder / OUTCOME)
        if outcome is None:  # the search may have ended all the same
            outcome = (_read(folder / BEST) or {}).get("fields") or {"status": "interrupted"}
        if goes_on and found is not None and outcome.get("status") == "interrupted":
            so_far = found["outcome"]
            returns = so_far.get("returns", 0) + 1
            if found["state"] == "running" and returns <= _MOST_RETURNS:
                used = outcome.get("seconds") or last_time(self.progress_log(run).lines)
                so_far |= {"used": max(used, so_far.get("used", 0.0)), "returns": returns}
                self._queue_again(run, so_far, first=True)
                return
        await self._conclude(run, _CUT_OFF)

    async def _work(self, run: str, *reason: str) -> None:
        """Run the process of a search to its end."""
        process = subprocess.Popen(  # asyncio's would kill it when the page ends
            command("search_worker", str(self._store.run_folder(run)), *reason),
            stdin=subprocess.PIPE,
            bufsize=0,
            env=environment(),
            cwd="/",
            # Ctrl-C in the terminal is for the page, which stops its searches in order.
            start_new_session=True,
        )
        self._searches[run] = process
        while process.poll() is None:
            await asyncio.sleep(_LOOK)
        del self._searches[run]
        if process.stdin is not None:
            process.stdin.close()

    async def _conclude(self, run: str, reason: str) -> None:
        """Store how a run ended: as its process says, or with the best list that it has left."""
        folder = self._store.run_folder(run)
        outcome = _read(folder / OUTCOME) or {"error": reason}
        if self._given_up(run):
            shutil.rmtree(folder, ignore_errors=True)
            return
        if self._closing and outcome.get("status", "interrupted") == "interrupted":
            return  # the next page goes on from here
        if "error" in outcome and self._has_best(run):
            await self._work(run, outcome["error"])
            after = _read(folder / OUTCOME) or outcome
            if "error" in after and after != outcome:
                after["error"] = f"{outcome['error']}; what it left is no result: {after['error']}"
            outcome = after
        for leftover in folder.glob(TEMPORARY):
            leftover.unlink(missing_ok=True)
        found = self._store.run(run)
        if found is None or self._given_up(run):
            shutil.rmtree(folder, ignore_errors=True)
            return
        while not self._ended(run, outcome):
            await asyncio.sleep(_NO_ROOM)
        stopped = outcome.get("status") == "interrupted"
        if "error" not in outcome and not stopped and found["settings"].get("held_out", 0) > 0:
            self.start_job(run, "test")

    def _given_up(self, run: str) -> bool:
        """Whether a run was discarded or deleted, so that its result is not needed."""
        found = self._store.run(run)
        return found is None or run in self._dropped or found["state"] == "failed"

    def _has_best(self, run: str) -> bool:
        """Whether there is a best list of a run to make a result of."""
        return (self._store.run_folder(run) / BEST).exists()

    def _ended(self, run: str, outcome: dict[str, Any]) -> bool:
        """Store how a run ended; return False where the disk is full."""
        try:
            self._end(run, outcome)
        except sqlite3.OperationalError:
            return False
        return True

    def _end(self, run: str, outcome: dict[str, Any]) -> None:
        state = "failed" if "error" in outcome else "finished"
        self._store.update_run(run, state=state, finished=time.time(), outcome=outcome)

    def _kill(self, run: str) -> None:
        """Kill the process of a search, also one that an earlier page has started."""
        if run in self._searches:
            self._searches[run].kill()
        elif (process := worker_of(self._store.run_folder(run))) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    # Jobs for a finished run.

    def _test_seconds(self, run: str, *, asked: bool) -> float | None:
        """Return what is left for a test of the time that the run was given."""
        found = self._store.run(run)
        limit = None if found is None else found["settings"].get("time_limit")
        if found is None or limit is None:
            return None
        granted = found["outcome"].get("granted") or limit
        left = float(granted - found["outcome"].get("seconds", 0))
        return max(left, limit / 4) if asked else left

    async def _job(self, run: str, kind: str, seconds: float | None) -> None:
        folder = self._store.run_folder(run)
        given = [] if seconds is None else [str(seconds)]
        patience = None if seconds is None else seconds + _TEST_GRACE
        if kind != "test":
            patience = _JOB_SECONDS
        process = await asyncio.create_subprocess_exec(
            *command("job_worker", kind, str(folder), *given),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment(),
            cwd="/",
            start_new_session=True,
        )
        self._jobs[run, kind] = process
        assert process.stdout is not None
        try:
            data = await asyncio.wait_for(process.stdout.read(), patience)
            outcome = json.loads(data)
        except TimeoutError:
            _kill(process)
            outcome = {"error": f"it took longer than {patience:.0f} seconds and was given up"}
        except ValueError:
            outcome = {"error": _CRASHED}
        await process.wait()
        del self._jobs[run, kind]
        if not self._closing:
            state = "failed" if "error" in outcome else "finished"
            self._store.update_job(run, kind, state=state, outcome=outcome)


def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()


def _read(path: Path) -> dict[str, Any] | None:
    """Return a JSON document that a process has written; None where there is none."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found
