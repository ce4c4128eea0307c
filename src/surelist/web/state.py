"""Objects that all requests share, and how a request gets them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import HTTPException, Request

from surelist.web.limits import Limits
from surelist.web.pool import Pool
from surelist.web.run_queue import RunQueue
from surelist.web.store import Store, is_id

__all__ = ["Shared", "dataset_of", "file_of", "run_of", "same_data", "shared"]


@dataclass(frozen=True, eq=False)
class Shared:
    """The store, the helpers and the queue of one page."""

    store: Store
    pool: Pool
    queue: RunQueue
    limits: Limits


def shared(request: Request) -> Shared:
    """Return the objects that all requests share."""
    found: Shared = request.app.state.shared
    return found


def dataset_of(request: Request, dataset: str) -> dict[str, Any]:
    """Return a data set; otherwise answer with 404."""
    found = shared(request).store.dataset(dataset) if is_id(dataset) else None
    if found is None:
        raise HTTPException(404, "there is no such data set; it may have been deleted")
    return found


def run_of(request: Request, run: str, *, finished: bool = False) -> dict[str, Any]:
    """Return a run; otherwise answer with 404, or with 409 where it is not finished."""
    found = shared(request).store.run(run) if is_id(run) else None
    if found is None:
        raise HTTPException(404, "there is no such run; it may have been deleted")
    if finished and found["state"] != "finished":
        raise HTTPException(409, "this run has no rule list yet")
    return found


def file_of(request: Request, run: str, name: str, missing: str) -> Path:
    """Return a file of a finished run; otherwise answer with 404 and what is ``missing``."""
    run_of(request, run, finished=True)
    path = shared(request).store.run_folder(run) / name
    if not path.exists():
        raise HTTPException(404, missing)
    return path


async def same_data(request: Request, first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Whether two runs have the same rows: one data set, or one file that was sent twice."""
    page = shared(request)
    if first["dataset"] == second["dataset"]:
        return True
    known = [page.store.dataset(run["dataset"]) for run in (first, second)]
    if known[0] is None or known[1] is None or known[0]["bytes"] != known[1]["bytes"]:
        return False
    folders = [str(page.store.data_folder(run["dataset"])) for run in (first, second)]
    return bool((await page.pool.ask("same_data", data=folders))["same"])
