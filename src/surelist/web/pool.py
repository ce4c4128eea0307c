"""The pool of helper processes: sends questions, returns answers, and ends slow helpers."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import asdict
from typing import Any

from surelist.web.limits import Limits
from surelist.web.processes import command, environment

__all__ = ["FailedError", "Pool", "RefusedError"]

_LONGEST_LINE = 1 << 28
_PATIENCE = 1.0  # seconds that a helper has to end by itself


class RefusedError(Exception):
    """The input cannot be used; the message is for the user."""


class FailedError(Exception):
    """Something else went wrong; the message is for the user."""


class Pool:
    """Some helper processes, started when they are needed and replaced when they fail.

    Parameters
    ----------
    limits : Limits
    size : int
        How many questions are answered at once; others wait.
    """

    def __init__(self, limits: Limits, size: int = 2) -> None:
        self._limits = limits
        self._free: asyncio.Queue[_Helper] = asyncio.Queue()
        self._helpers = [_Helper(limits) for _ in range(size)]
        for helper in self._helpers:
            self._free.put_nowait(helper)

    async def ask(self, ask: str, *, seconds: float | None = None, **question: Any) -> Any:
        """Ask a helper.

        Raises
        ------
        RefusedError, FailedError
        """
        helper = await self._free.get()
        try:
            limit = self._limits.read_seconds if seconds is None else seconds
            answer = await helper.ask({"ask": ask, **question}, limit)
        finally:
            self._free.put_nowait(helper)
        if "refused" in answer:
            raise RefusedError(answer["refused"])
        if "failed" in answer:
            raise FailedError(answer["failed"])
        return answer["answer"]

    async def warm_up(self) -> None:
        """Start one helper before it is needed: its imports take a second."""
        helper = await self._free.get()
        try:
            await helper.start()
        finally:
            self._free.put_nowait(helper)

    async def close(self) -> None:
        """End the helpers: idle ones end when their standard input is closed, others are killed."""
        await asyncio.gather(*(helper.dismiss() for helper in self._helpers))


class _Helper:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *command("helper", json.dumps(asdict(self._limits))),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment(),
                cwd="/",
                limit=_LONGEST_LINE,
                # Ctrl-C in the terminal is for the page; it ends its helpers itself.
                start_new_session=True,
            )
        return self._process

    async def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        process = await self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            line = await asyncio.wait_for(process.stdout.readline(), seconds)
            if not line:
                raise ConnectionError
            answer: dict[str, Any] = json.loads(line)
        except TimeoutError:
            await self.end()
            return {"refused": f"it took longer than {seconds:.0f} seconds and was given up"}
        except (ConnectionError, ValueError):
            await self.end()
            return {"refused": "it needed more memory than is allowed and was given up"}
        except asyncio.CancelledError:
            await self.end()  # or its answer would be read as that to the next question
            raise
        return answer

    async def dismiss(self) -> None:
        if self._process is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _PATIENCE)
        await self.end()

    async def end(self) -> None:
        if self._process is None:
            return
        process, self._process = self._process, None
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()
