"""Many clients poll while searches run: nobody gets an error.

``make load`` runs the whole of it and prints the figures; `make test` a small version. Times are
reported and not asserted: they depend on the machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from pathlib import Path

import httpx
import psutil
import pytest
from web_server import Page, compas_csv, serving, slow_csv

FULL = bool(os.environ.get("SURELIST_LOAD"))
CLIENTS, SECONDS = (50, 20.0) if FULL else (10, 2.0)


async def poll(
    client: httpx.AsyncClient, own: str, others: list[str], ends: float
) -> list[tuple[int, float]]:
    """Ask as an open page does, twice a second; return status and time of each answer."""
    answers = []
    after = turn = 0
    while time.monotonic() < ends:
        # The course of one run every time, and one of the other pages by turns.
        turn += 1
        for path in (f"{own}?after={after}", others[turn % len(others)]):
            began = time.perf_counter()
            answer = await client.get(path)
            answers.append((answer.status_code, time.perf_counter() - began))
            if "progress" in path and answer.status_code == 200:
                after = answer.json()["next"]
        await asyncio.sleep(0.5)
    return answers


async def crowd(page: Page, own: list[str], others: list[str]) -> list[tuple[int, float]]:
    headers = {"authorization": f"Bearer {page.token}"}
    limits = httpx.Limits(max_connections=CLIENTS)
    async with httpx.AsyncClient(
        base_url=page.base, headers=headers, limits=limits, timeout=300
    ) as client:
        ends = time.monotonic() + SECONDS
        found = await asyncio.gather(
            *(poll(client, own[n % len(own)], others, ends) for n in range(CLIENTS))
        )
    return [answer for answers in found for answer in answers]


def test_many_clients_poll_while_two_searches_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path, "--searches", "2") as page:
        data = page.dataset(slow_csv(), "slow.csv")
        other = page.dataset(compas_csv(), "compas.csv")
        done = page.wait(page.run(other, label="recidivated", regularization="0.05"))["id"]
        settings = {"label": "label", "regularization": "0.001", "max_clauses": 2}
        runs = [page.run(data, **settings) for _ in range(2)]
        for run in runs:
            page.wait_for_points(run)
        paths = [f"/api/runs/{run}/progress" for run in runs]
        before = psutil.Process(page.process.pid).cpu_times()
        answers = asyncio.run(crowd(page, paths, ["/api/start", f"/api/runs/{done}", "/"]))
        after = psutil.Process(page.process.pid).cpu_times()
        states = [page.get(f"/api/runs/{run}")["state"] for run in runs]
    assert states == ["running", "running"]
    assert len(answers) >= 2 * CLIENTS
    assert {status for status, _ in answers} == {200}
    times = sorted(seconds for _, seconds in answers)
    figures = {
        "clients": CLIENTS,
        "requests": len(times),
        "median_ms": round(1000 * statistics.median(times), 1),
        "p95_ms": round(1000 * times[int(0.95 * len(times))], 1),
        "cpu_ms_each": round(
            1000 * (after.user + after.system - before.user - before.system) / len(times), 2
        ),
        "most_ms": round(1000 * times[-1], 1),
    }
    with capsys.disabled():
        if FULL:
            print(f"\n{json.dumps(figures)}")
