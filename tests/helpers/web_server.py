"""The page in a process of its own, as users start it, and how tests talk to it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil

__all__ = ["Page", "compas_csv", "serving", "slow_csv", "until"]

_STILL = Path(__file__).with_name("still")
_WAIT = 300  # seconds; generous, because the machine may be busy


class Page:
    """A running page and a client that knows its secret."""

    def __init__(self, process: subprocess.Popen[str], url: str, folder: Path, still: Path) -> None:
        self._still = still
        self.process = process
        self.url = url
        self.folder = folder
        self.base, _, self.token = url.partition("/?token=")
        self.client = httpx.Client(
            base_url=self.base, headers={"authorization": f"Bearer {self.token}"}, timeout=_WAIT
        )

    def get(self, path: str) -> Any:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 201) -> Any:
        answer = self.client.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def send(self, data: bytes, name: str = "table.csv") -> httpx.Response:
        """Upload a file and make a data set of it; return the last answer."""
        answer = self.client.post("/api/uploads", params={"name": name}, content=data)
        if answer.status_code != 201:
            return answer
        return self.client.post("/api/datasets", json={"uploads": [answer.json()["id"]]})

    def dataset(self, data: bytes, name: str = "table.csv") -> str:
        answer = self.send(data, name)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def run(self, dataset: str, **settings: Any) -> str:
        body = {"dataset": dataset, "settings": {"held_out": 0, **settings}}
        return str(self.post("/api/runs", body)["id"])

    def wait(self, run: str, states: tuple[str, ...] = ("finished", "failed")) -> Any:
        """Wait until a run is in one of some states; return it."""
        until(lambda: self.get(f"/api/runs/{run}")["state"] in states)
        return self.get(f"/api/runs/{run}")

    def wait_for_points(self, run: str, least: int = 1) -> Any:
        """Wait until a search has reported some points."""

        def enough() -> Any:
            found = self.get(f"/api/runs/{run}/progress")
            if sum("objective" in point for point in found["points"]) >= least:
                return found
            assert found["state"] in ("queued", "running"), found
            return None

        return until(enough)

    def wait_for_job(self, run: str, kind: str, *, begun: bool = False) -> Any:
        """Do a job, unless it has begun by itself, and return what became of it."""
        if not begun:
            self.post(f"/api/runs/{run}/jobs/{kind}", status=202)

        def ended() -> Any:
            found = self.get(f"/api/runs/{run}")["jobs"].get(kind)
            return found if found and found["state"] != "running" else None

        return until(ended)

    def hold(self, kind: str) -> None:
        """Have the next job of a kind stand still as soon as its process is there."""
        # Moved there, so that no process reads half of it.
        written = self._still.with_suffix(".part")
        written.write_text(kind, encoding="utf-8")
        written.rename(self._still)

    def held(self, kind: str) -> psutil.Process:
        """Return the process that stands still; SIGCONT lets it go on."""

        def found() -> psutil.Process | None:
            for each in psutil.Process(self.process.pid).children():
                with suppress(psutil.NoSuchProcess):
                    if kind in each.cmdline() and each.status() == psutil.STATUS_STOPPED:
                        return each
            return None

        process: psutil.Process = until(found)
        return process


def until(holds: Callable[[], Any]) -> Any:
    """Wait until something holds; return it."""
    ends = time.monotonic() + _WAIT
    while time.monotonic() < ends:
        if found := holds():
            return found
        time.sleep(0.03)
    raise AssertionError("it takes too long")


@contextmanager
def serving(folder: Path, *flags: str, **more: Any) -> Iterator[Page]:
    """Start the page and end it as Ctrl-C does; nothing may be printed but what is expected.

    ``more`` goes to `subprocess.Popen`.
    """
    with tempfile.TemporaryDirectory() as beside:
        still = Path(beside) / "still"
        environment = more.pop("env", os.environ) | {
            "SURELIST_STILL": str(still),
            "PYTHONPATH": os.pathsep.join(
                filter(None, [str(_STILL), os.environ.get("PYTHONPATH")])
            ),
        }
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "surelist.cli", "serve", "--no-browser", "--json"),
                *("--port", "0", "--folder", str(folder), *flags),
            ],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            **more,
        )
        assert process.stdout is not None
        text = ""
        while line := process.stdout.readline():
            text += line
            if line == "}\n":
                break
        page = Page(process, json.loads(text)["url"], folder, still)
        try:
            yield page
        finally:
            page.client.close()
            process.terminate()
            process.wait(timeout=_WAIT)
            process.stdout.close()


def compas_csv(n_rows: int = 600) -> bytes:
    """People who recidivate where they have priors or are young, most of the time."""
    state = 7
    lines = ["id,name,sex,race,age,priors_count,charge,recidivated"]

    def chance() -> float:
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return state / 2**31

    for number in range(n_rows):
        age, priors = 18 + int(chance() * 45), int(chance() ** 3 * 15)
        sex = "Male" if chance() < 0.75 else "Female"
        race = ("African-American", "Caucasian", "Hispanic")[int(chance() * 3)]
        charge = "F" if chance() < 0.6 else "M"
        likely = priors > 3 or age < 23
        label = "yes" if chance() < (0.85 if likely else 0.2) else "no"
        shown = "" if number % 50 == 9 else str(priors)
        lines.append(f"{number},person {number},{sex},{race},{age},{shown},{charge},{label}")
    return ("\n".join(lines) + "\n").encode()


def slow_csv(n_rows: int = 2000, n_columns: int = 30) -> bytes:
    """Random bits with random labels: a search that nobody waits for."""
    chance = random.Random(1)
    lines = [",".join([f"x{i}" for i in range(n_columns)] + ["label"])]
    for _ in range(n_rows):
        lines.append(",".join(f"{chance.getrandbits(n_columns + 1):0{n_columns + 1}b}"))
    return ("\n".join(lines) + "\n").encode()
