"""What a search has found stays: whatever ends its process, or the page, at whatever moment.

``SURELIST_KILLS=100`` has `test_kills_at_any_moment` kill that often.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from web_server import Page, compas_csv, serving, slow_csv, until

from surelist.web.limits import Limits
from surelist.web.run_queue import RunQueue
from surelist.web.store import Store
from surelist.web.worker_lock import worker_of

KILLS = int(os.environ.get("SURELIST_KILLS", "2"))
SLOW: dict[str, Any] = {"label": "label", "regularization": "0.001", "max_clauses": 2}
QUICK: dict[str, Any] = {"label": "recidivated", "regularization": "0.05"}


@pytest.fixture(scope="module")
def slow(page: Page) -> str:
    return page.dataset(slow_csv(), "slow.csv")


def worker(page: Page, run: str) -> int:
    return int(until(lambda: worker_of(page.folder / "runs" / run)))


def shown(page: Page, run: str) -> float | None:
    """The objective of the best list that anybody has seen."""
    points = page.get(f"/api/runs/{run}/progress")["points"]
    objectives = [point["objective"] for point in points if "rules" in point]
    return min(objectives, default=None)


# The process of a search.


def test_a_list_once_shown_outlives_the_process_of_its_search(page: Page, slow: str) -> None:
    run = page.run(slow, **SLOW, held_out=0.2)
    page.wait_for_points(run, 3)
    best = shown(page, run)
    os.kill(worker(page, run), signal.SIGKILL)
    found = page.wait(run)
    assert found["state"] == "finished", found["outcome"]
    result = found["result"]
    assert result["status"] == "interrupted"
    assert best is not None
    assert result["objective"] <= best
    assert result["length"] > 0
    assert "ended unexpectedly" in result["kept"]["reason"]
    assert 0 < result["lower_bound"] < result["objective"]
    # Everything that can be done with a run can be done with this one; the weaker bound is proven.
    for kind in ("model.json", "certificate.cert", "rules.txt", "search.svg"):
        assert page.client.get(f"/api/runs/{run}/downloads/{kind}").status_code == 200, kind
    verified = page.wait_for_job(run, "verify")["outcome"]
    assert verified["verified"], verified
    assert verified["optimal"] is False
    # What was cut short is tested only where somebody asks for it.
    assert "test" not in found["jobs"]


def test_what_was_written_before_it_was_described_keeps_its_proof(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        run = page.wait(page.run(page.dataset(compas_csv(200)), **QUICK))
    folder = tmp_path / "runs" / run["id"]
    proof = (folder / "certificate.cert").read_bytes()
    # As if the process had been killed while it counted how the list does on the rows.
    for name in ("outcome.json", "result.json"):
        (folder / name).unlink()
    (folder / ".surelist-0.tmp").write_bytes(b"half of it")
    forget_that_it_ended(tmp_path)
    with serving(tmp_path) as page:
        again = page.wait(run["id"])
    assert again["result"] == run["result"]
    assert again["outcome"]["status"] == "optimal"
    assert (folder / "certificate.cert").read_bytes() == proof
    assert not list(folder.glob(".surelist*"))


def forget_that_it_ended(folder: Path) -> None:
    with sqlite3.connect(folder / "surelist.db") as database:
        database.execute("UPDATE runs SET state = 'running', outcome = '{}'")
    database.close()


def test_a_result_that_cannot_be_made_is_shown_at_least(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        slow = page.dataset(slow_csv())
        run = page.run(slow, **SLOW)
        page.wait_for_points(run)
        table = (tmp_path / "data" / slow / "source").rename(tmp_path / "data" / slow / "away")
        os.kill(worker(page, run), signal.SIGKILL)
        found = page.wait(run)
        assert found["state"] == "failed"
        assert "ended unexpectedly" in found["outcome"]["error"]
        assert "no result: " in found["outcome"]["error"]
        assert shown(page, run) is not None
    # Nor is it given up: the next page tries again.
    table.rename(table.with_name("source"))
    with serving(tmp_path) as page:
        found = page.wait(run, ("finished",))
        assert found["result"]["objective"] <= shown(page, run)


def test_what_was_discarded_does_not_come_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    data, run = store.new_id(), store.new_id()
    store.add_dataset(data, "people.csv", "table", 1, {"rows": 1, "columns": []})
    store.add_run(run, data, "run", {})
    queue = RunQueue(store, Limits())
    queue._waiting.append(run)
    queue.discard(run)
    # The page was killed before it could remove the list.
    store.run_folder(run).mkdir()
    (store.run_folder(run) / "best.json").write_text('{"antecedents": []}')
    RunQueue(store, Limits()).recover()
    assert not store.run_folder(run).exists()
    found = store.run(run)
    assert found is not None
    assert found["state"] == "failed"
    store.close()


def test_part_of_a_line_is_not_taken_for_a_point(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = store.new_id()
    store.run_folder(run).mkdir()
    lines = b'{"time": 1}\n{"time": 2, "ru\n{"time": 3}\n{"tim'
    (store.run_folder(run) / "progress.jsonl").write_bytes(lines)
    course = RunQueue(store, Limits()).progress_log(run)
    assert [json.loads(line)["time"] for line in course.lines] == [1, 3]
    store.close()


# The test, which is a step of its own.


def test_a_process_that_dies_while_it_tests_takes_nothing_with_it(page: Page) -> None:
    page.hold("test")
    run = page.run(page.dataset(compas_csv(500)), **QUICK, held_out=0.2)
    found = page.wait(run)
    assert found["state"] == "finished"
    assert found["result"]["status"] == "optimal"
    page.held("test").kill()
    after = page.wait_for_job(run, "test", begun=True)
    assert after["state"] == "failed"
    assert "ended unexpectedly" in after["outcome"]["error"]
    again = page.get(f"/api/runs/{run}")
    assert again["result"] == found["result"]
    assert again["result"]["held_out"] is None
    # It can be had all the same, and a report tells of it.
    tested = page.wait_for_job(run, "test")
    assert tested["state"] == "finished", tested
    held = page.get(f"/api/runs/{run}")["result"]["held_out"]
    assert held == tested["outcome"]
    assert (held["rows"], held["train_rows"]) == (100, 400)
    report = page.client.get(f"/api/runs/{run}/downloads/report.html").text
    assert "Accuracy on 100 rows not learned from" in report


def test_a_test_can_be_stopped_and_begun_again_by_the_next_page(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        data = page.dataset(compas_csv(500))
        page.hold("test")
        run = page.wait(page.run(data, **QUICK, held_out=0.2))["id"]
        page.held("test")
        assert page.client.delete(f"/api/runs/{run}/jobs/test").status_code == 204
        assert page.get(f"/api/runs/{run}")["jobs"] == {}
        page.hold("test")
        page.post(f"/api/runs/{run}/jobs/test", status=202)
        page.held("test")
    with serving(tmp_path) as page:
        assert page.wait_for_job(run, "test", begun=True)["state"] == "finished"


def test_a_run_without_a_test_gets_none(page: Page) -> None:
    run = page.wait(page.run(page.dataset(compas_csv(100)), **QUICK))
    assert run["jobs"] == {}
    answer = page.client.post(f"/api/runs/{run['id']}/jobs/test")
    assert answer.status_code == 409
    assert "without a test" in answer.json()["error"]


@pytest.mark.parametrize(
    ("limit", "used", "asked", "left"),
    [(600, 450, False, 150), (600, 590, True, 150), (600, 100, True, 500), (None, 9, False, None)],
)
def test_search_and_test_share_one_budget(
    tmp_path: Path, limit: int | None, used: int, asked: bool, left: float | None
) -> None:
    store = Store(tmp_path)
    data, run = store.new_id(), store.new_id()
    store.add_dataset(data, "people.csv", "table", 1, {"rows": 1, "columns": []})
    store.add_run(run, data, "run", {"time_limit": limit})
    store.update_run(run, outcome={"seconds": used})
    assert RunQueue(store, Limits())._test_seconds(run, asked=asked) == left
    # Where nothing is left, it says so, and nothing is begun.
    store.update_run(run, settings={"time_limit": 1}, outcome={"seconds": 1.5})
    RunQueue(store, Limits()).start_job(run, "test")
    test = store.jobs(run)["test"]
    assert test["state"] == "failed"
    assert test["outcome"] == {"error": "the search left no time for it"}
    store.close()


# The page.


def test_ctrl_c_leaves_a_search_the_time_to_write_down_what_it_found(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        run = page.run(page.dataset(slow_csv()), **SLOW)
        page.wait_for_points(run, 3)
        best = shown(page, run)
        process = worker(page, run)
        # As slow as can be: it does nothing at all until it is let.
        os.kill(process, signal.SIGSTOP)
        page.process.send_signal(signal.SIGINT)
        assert page.process.wait() == 0
    assert psutil.pid_exists(process)
    with serving(tmp_path) as page:
        assert page.get(f"/api/runs/{run}")["state"] == "running"
        assert worker(page, run) == process
        os.kill(process, signal.SIGCONT)
        # Then another process goes on with the search, from the checkpoint that it has written.
        until(lambda: worker_of(page.folder / "runs" / run) not in (process, None))
        stages = until(lambda: resumed(page, run))
        assert stages == ["reading", "mining", "reading", "resuming"]
        page.post(f"/api/runs/{run}/stop", status=200)
        found = page.wait(run)
        assert found["state"] == "finished"
        assert found["result"]["status"] == "interrupted"
        assert found["result"]["objective"] <= best
        assert "kept" not in found["result"]  # with its bound and its proof
        assert found["result"]["lower_bound"] > 0


def resumed(page: Page, run: str) -> list[str] | None:
    """The stages of a search, once it goes on from a checkpoint."""
    points = page.get(f"/api/runs/{run}/progress")["points"]
    stages = [point["stage"] for point in points if "stage" in point]
    return [each for each in stages if each != "describing"] if "resuming" in stages else None


def test_a_killed_page_costs_a_search_its_last_seconds_only(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        run = page.run(page.dataset(slow_csv()), **SLOW)
        before = point_before(page, run, tmp_path / "runs" / run / "checkpoint")
        # It must not notice that the page has gone, and write down what it has.
        process = worker(page, run)
        os.kill(process, signal.SIGSTOP)
        page.process.kill()
        page.process.wait()
        os.kill(process, signal.SIGKILL)
    with serving(tmp_path) as page:
        until(lambda: resumed(page, run))
        after = until(lambda: last_point_after(page, run, before["time"]))
        # Neither what was found nor what was proven or done begins anew; nor does the clock.
        assert after["objective"] <= before["objective"]
        assert after["lower_bound"] >= before["lower_bound"] - 1e-9
        assert after["proven_length"] >= before["proven_length"]
        assert after["expanded"] >= before["expanded"]
        used = page.get(f"/api/runs/{run}/progress")["used"]
        assert used >= before["time"]
        page.post(f"/api/runs/{run}/stop", status=200)
        found = page.wait(run)
        assert found["result"]["status"] == "interrupted"
        assert page.wait_for_job(run, "verify")["outcome"]["verified"]


def point_before(page: Page, run: str, checkpoint: Path) -> Any:
    """The last point that was seen while there was no checkpoint: the first one has all of it."""
    page.wait_for_points(run)
    seen: list[Any] = []

    def saved() -> bool:
        points = page.get(f"/api/runs/{run}/progress")["points"]
        if checkpoint.exists():
            return True
        seen.append(points[-1])
        return False

    until(saved)
    return seen[-1]


def last_point_after(page: Page, run: str, time_: float) -> Any:
    points = page.get(f"/api/runs/{run}/progress")["points"]
    found = [point for point in points if point.get("time", 0) > time_]
    return found[-1] if found else None


def stopped_half_way(page: Page) -> Any:
    """A run that takes seconds of work, which was stopped after its first list was found."""
    settings = {**SLOW, "regularization": "0.006", "max_clauses": 1}
    data = page.dataset(slow_csv(2000, 100), "slow.csv")

    def stopped() -> Any:
        run = page.run(data, **settings)
        page.wait_for_points(run)
        page.post(f"/api/runs/{run}/stop", status=200)
        found = page.wait(run)
        # On a busy machine it may have been over before: then another one.
        return found if found["result"]["status"] == "interrupted" else None

    return until(stopped)


def test_a_stopped_search_continues_until_it_is_proven(page: Page) -> None:
    found = stopped_half_way(page)
    run = found["id"]
    assert found["can_continue"]
    used = found["outcome"]["seconds"]
    page.wait_for_job(run, "verify")
    page.post(f"/api/runs/{run}/continue", status=200)
    again = page.wait(run)
    assert again["result"]["status"] == "optimal"
    assert again["result"]["objective"] <= found["result"]["objective"]
    assert again["outcome"]["seconds"] > used
    # What was done with the list before is forgotten, and there is nothing left to continue.
    assert again["jobs"] == {}
    assert not again["can_continue"]
    assert page.wait_for_job(run, "verify")["outcome"]["optimal"]
    assert page.client.post(f"/api/runs/{run}/continue").status_code == 409
    model = page.client.get(f"/api/runs/{run}/downloads/model.json").json()
    assert model["parameters"]["checkpoint"] is None


def test_a_damaged_checkpoint_begins_the_search_anew(page: Page, slow: str) -> None:
    run = page.run(slow, **SLOW)
    page.wait_for_points(run)
    page.post(f"/api/runs/{run}/stop", status=200)
    before = page.wait(run)["result"]
    kept = page.folder / "runs" / run / "checkpoint"
    kept.write_bytes(kept.read_bytes()[:-9])
    page.post(f"/api/runs/{run}/continue", status=200)
    until(lambda: resumed(page, run))
    until(kept.exists)
    page.post(f"/api/runs/{run}/stop", status=200)
    after = page.wait(run)
    assert after["result"]["status"] == "interrupted"
    assert after["result"]["objective"] <= before["objective"]
    assert after["outcome"]["seconds"] > 0


def test_a_search_of_an_earlier_page_can_be_deleted(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        run = page.run(page.dataset(slow_csv()), **SLOW)
        page.wait_for_points(run)
        process = worker(page, run)
        os.kill(process, signal.SIGSTOP)
        page.process.kill()
        page.process.wait()
    with serving(tmp_path) as page:
        assert page.client.delete(f"/api/runs/{run}").status_code == 204
        assert not (tmp_path / "runs" / run).exists()
    until(lambda: not psutil.pid_exists(process) or gone(process))


def gone(process: int) -> bool:
    """Whether a process has ended, though nobody may have taken notice."""
    try:
        return bool(psutil.Process(process).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def test_kills_at_any_moment_lose_nothing_that_was_shown(tmp_path: Path) -> None:
    """Workers and pages are killed; each list that anybody saw is there in the end, or a better."""
    chance = random.Random(os.environ.get("SURELIST_SEED", "1"))
    best: dict[str, float] = {}
    with serving(tmp_path) as page:
        data = page.dataset(slow_csv(400, 16))
    for _ in range(KILLS):
        with serving(tmp_path, "--searches", "2") as page:
            held = chance.choice((0, 0.2))
            run = page.run(data, **SLOW, held_out=held, time_limit=chance.choice((0.5, 2, 60)))
            page.wait_for_points(run)
            ends = time.monotonic() + 3 * chance.random()
            while time.monotonic() < ends:
                for each in page.get("/api/runs"):
                    see(page, each["id"], best)
                time.sleep(0.05)
            victim = chance.choice(("worker", "worker", "INT", "TERM", "KILL"))
            process = worker_of(tmp_path / "runs" / run)
            if victim == "worker" and process is not None:
                with contextlib.suppress(ProcessLookupError):  # it may be over
                    os.kill(process, signal.SIGKILL)
                see(page, run, best)
            elif victim != "worker":
                page.process.send_signal(signal.Signals[f"SIG{victim}"])
                page.process.wait()
    with serving(tmp_path, "--searches", "2") as page:
        assert len(best) == KILLS
        for run, objective in best.items():
            # It may go on by itself, for as long as it was given.
            page.post(f"/api/runs/{run}/stop", status=200)
            found = page.wait(run)
            assert found["state"] == "finished", found["outcome"]
            assert found["result"]["objective"] <= objective + 1e-12


def see(page: Page, run: str, best: dict[str, float]) -> None:
    found = shown(page, run)
    if found is not None:
        best[run] = min(found, best.get(run, 1.0))
