"""Requests about runs: start, watch, stop, understand, keep, compare, delete."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import FileResponse, Response

from surelist.runs.commands import verify_command
from surelist.web.file_names import CERTIFICATE, DOWNLOADS, READY, RESULT, RIVALS, download_name
from surelist.web.limits import MB, SEARCH_SHARE
from surelist.web.settings import Comparison, NewRun, Person, Renaming
from surelist.web.state import Shared, dataset_of, run_of, same_data, shared

__all__ = ["brief_run", "file_names", "router"]

router = APIRouter(prefix="/api", tags=["runs"])


@router.get("/options", summary="What a search can be told")
async def options(request: Request) -> Any:
    """Return the names of bounds, policies and symmetry maps, and how many processors there are."""
    page = shared(request)
    return await page.pool.ask("options") | {"memory_mb": page.limits.search_memory // MB}


@router.get("/outlooks", summary="How measured searches went on")
async def outlooks() -> dict[str, Any]:
    """Return what became of measured searches that were still going after so many seconds."""
    from surelist.web.outlook import outlooks, single_clauses

    return {"outlooks": outlooks(), "single": single_clauses()}


@router.get("/runs", summary="All runs")
async def runs(request: Request) -> list[dict[str, Any]]:
    """Return all runs, the newest first."""
    page = shared(request)
    return [brief_run(page, run) for run in page.store.runs()]


@router.post("/runs", summary="Start a run", status_code=201)
async def new_run(request: Request, body: NewRun) -> dict[str, Any]:
    """Queue a search; it starts as soon as others leave room."""
    page = shared(request)
    dataset = dataset_of(request, body.dataset)
    if page.queue.n_waiting >= page.limits.queued:
        raise HTTPException(429, f"{page.limits.queued} runs wait already; stop some of them")
    settings = body.settings.model_dump()
    most = page.limits.search_memory / MB
    settings["memory_limit_mb"] = min(settings["memory_limit_mb"] or most, most)
    await page.pool.ask("check", data=str(page.store.data_folder(dataset["id"])), settings=settings)
    identifier = page.store.new_id()
    name = body.name or _default_name(page, dataset, settings)
    page.store.add_run(identifier, dataset["id"], name, settings)
    page.queue.submit(identifier)
    return _full(page, run_of(request, identifier))


def _default_name(page: Shared, dataset: dict[str, Any], settings: dict[str, Any]) -> str:
    label = settings["label"] or dataset["name"]
    name = f"{label}, λ = {settings['regularization']}"
    taken = {run["name"] for run in page.store.runs(dataset["id"])}
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name} ({number})", number + 1
    return unique


@router.get("/runs/{run}", summary="A run")
async def one_run(request: Request, run: str) -> dict[str, Any]:
    """Return a run: its settings, its state, and its result once there is one."""
    return _full(shared(request), run_of(request, run))


@router.get("/runs/{run}/progress", summary="How a run gets on")
async def progress(request: Request, run: str, after: Annotated[int, Query(ge=0)] = 0) -> Response:
    """Return the points of its progress from a given one on; poll it to watch a run."""
    page = shared(request)
    found = run_of(request, run)
    lines = page.queue.progress_log(run).lines
    rest = {
        "next": len(lines),
        "state": found["state"],
        "waiting": page.queue.position(run),
        "started": found["started"],
        "now": time.time(),
        "used": found["outcome"].get("used", 0.0),
        "limit": search_limit(found),
    }
    # The points are JSON already; parsing and writing them again would cost time with many viewers.
    body = b'{"points":[' + b",".join(lines[after:]) + b"]," + json.dumps(rest).encode()[1:]
    return Response(body, media_type="application/json")


@router.post("/runs/{run}/stop", summary="Stop a run")
async def stop(request: Request, run: str) -> dict[str, Any]:
    """End a search; it keeps the best rule list found, with its gap."""
    page = shared(request)
    run_of(request, run)
    page.queue.stop(run)
    return _full(page, run_of(request, run))


@router.post("/runs/{run}/continue", summary="Continue a run")
async def go_on(request: Request, run: str) -> dict[str, Any]:
    """Continue an unfinished search, with as much time as it had at first."""
    page = shared(request)
    found = run_of(request, run, finished=True)
    if found["outcome"].get("status") == "optimal":
        raise HTTPException(409, "the list is proven optimal: there is nothing left to search")
    if not page.queue.can_go_on(run):
        raise HTTPException(
            409, "this run has no checkpoint to continue from; run it again, with more time"
        )
    for kind in page.store.jobs(run):  # they are about the list so far
        await page.queue.stop_job(run, kind)
    page.queue.go_on(run)
    return _full(page, run_of(request, run))


@router.post("/runs/{run}/discard", summary="End a run and keep nothing")
async def discard(request: Request, run: str) -> dict[str, Any]:
    """End a run that waits or searches at once; its rule list is gone. A finished run stays."""
    page = shared(request)
    run_of(request, run)
    page.queue.discard(run)
    return _full(page, run_of(request, run))


@router.patch("/runs/{run}", summary="Rename a run")
async def rename(request: Request, run: str, body: Renaming) -> dict[str, Any]:
    """Give a run another name."""
    page = shared(request)
    run_of(request, run)
    page.store.rename_run(run, body.name)
    return _full(page, run_of(request, run))


@router.delete("/runs/{run}", summary="Delete a run", status_code=204, response_model=None)
async def delete_run(request: Request, run: str) -> None:
    """Delete a run and everything that belongs to it; one that searches is ended."""
    page = shared(request)
    run_of(request, run)
    await page.queue.drop(run)
    page.store.delete_run(run)


@router.post("/runs/{run}/explain", summary="Try one row")
async def explain(request: Request, run: str, body: Person) -> Any:
    """Return what is predicted for one row, and which rule says so."""
    page = shared(request)
    run_of(request, run, finished=True)
    return await page.pool.ask("explain", run=str(page.store.run_folder(run)), values=body.values)


Job = Literal["verify", "path", "test", "rivals", "alternatives", "adopt", "fairness"]


@router.post("/runs/{run}/jobs/{kind}", summary="Verify, find the path of λ, test", status_code=202)
async def start_job(request: Request, run: str, kind: Job) -> dict[str, Any]:
    """Run the checker, find the optimum for every λ, or test; GET the run for the result."""
    page = shared(request)
    found = run_of(request, run, finished=True)
    if kind == "test" and not found["settings"].get("held_out"):
        raise HTTPException(409, "this run was set up without a test; set up another with one")
    if kind == "rivals" and not (page.store.run_folder(run) / RIVALS).exists():
        raise HTTPException(409, "no comparison was asked for: POST /api/runs/ID/rivals")
    page.queue.start_job(run, kind, asked=True)
    return _full(page, run_of(request, run))


@router.delete(
    "/runs/{run}/jobs/{kind}", summary="Stop a job", status_code=204, response_model=None
)
async def stop_job(request: Request, run: str, kind: Job) -> None:
    """End what is being done with a finished run, and forget what came of it."""
    page = shared(request)
    run_of(request, run, finished=True)
    await page.queue.stop_job(run, kind)


@router.get("/runs/{run}/downloads/{kind}", summary="Download")
async def download(request: Request, run: str, kind: str) -> FileResponse:
    """Return the model, its certificate, an export, a picture, a table or the report."""
    page = shared(request)
    found = run_of(request, run, finished=True)
    if kind not in DOWNLOADS:
        raise HTTPException(404, f"there is no such download; there are {', '.join(DOWNLOADS)}")
    folder = page.store.run_folder(run)
    if kind in READY and not (folder / kind).exists():
        raise HTTPException(404, "the search could not write this file")
    if kind not in READY:
        about = _about(page, found)
        await page.pool.ask(
            "download",
            run=str(folder),
            data=str(page.store.data_folder(found["dataset"])),
            kind=kind,
            about=about,
        )
    name = download_name(found["name"], kind)
    return FileResponse(folder / kind, filename=name, media_type=DOWNLOADS[kind])


@router.get("/compare", summary="Two runs side by side")
async def compare(
    request: Request, a: Annotated[str, Query()], b: Annotated[str, Query()]
) -> Comparison:
    """Return two finished runs and, where they share their data, on how many rows they agree."""
    page = shared(request)
    found = [run_of(request, run, finished=True) for run in (a, b)]
    agreement = None
    if await same_data(request, *found):
        agreement = await page.pool.ask(
            "agreement",
            data=str(page.store.data_folder(found[0]["dataset"])),
            runs=[str(page.store.run_folder(run["id"])) for run in found],
        )
    return Comparison(runs=[_full(page, run) for run in found], agreement=agreement)


def brief_run(page: Shared, run: dict[str, Any]) -> dict[str, Any]:
    """Return a run as lists of runs show it."""
    dataset = page.store.dataset(run["dataset"])
    return {
        **{name: run[name] for name in ("id", "name", "dataset", "created", "state", "outcome")},
        "started": run["started"],
        "finished": run["finished"],
        "dataset_name": None if dataset is None else dataset["name"],
        "waiting": page.queue.position(run["id"]),
        "label": run["settings"].get("label"),
        "regularization": run["settings"].get("regularization"),
    }


def search_limit(run: dict[str, Any]) -> float | None:
    """Return the seconds that the search of a run may take; a test has the rest of its time.

    Examples
    --------
    >>> from surelist.web.api_runs import search_limit
    >>> search_limit({"settings": {"time_limit": 60, "held_out": 0.2}, "outcome": {}})
    45.0
    """
    settings = run["settings"]
    limit = run["outcome"].get("granted") or settings.get("time_limit")
    if limit is None:
        return None
    return float(limit * (SEARCH_SHARE if settings.get("held_out", 0) > 0 else 1))


def _full(page: Shared, run: dict[str, Any]) -> dict[str, Any]:
    """Return everything about a run but its progress."""
    result = None
    jobs = page.store.jobs(run["id"])
    if run["state"] == "finished":
        path = page.store.run_folder(run["id"]) / RESULT
        result = json.loads(path.read_text(encoding="utf-8"))
        result["held_out"] = _held_out(jobs, result)
    return {
        **brief_run(page, run),
        "settings": run["settings"],
        "result": result,
        "jobs": {
            kind: {
                **{name: job[name] for name in ("state", "outcome")},
                "seconds": time.time() - job["created"],
                "progress": page.queue.job_progress(run["id"], kind),
            }
            for kind, job in jobs.items()
        },
        "downloads": list(DOWNLOADS) if result is not None else [],
        "can_continue": result is not None
        and result["status"] != "optimal"
        and page.queue.can_go_on(run["id"]),
        "verify_command": _verify_command(page, run, download_name(run["name"], CERTIFICATE)),
    }


def _about(page: Shared, run: dict[str, Any]) -> dict[str, Any]:
    """Return what a report says of a run."""
    dataset = page.store.dataset(run["dataset"])
    jobs = page.store.jobs(run["id"])
    return {
        "name": run["name"],
        "dataset": "" if dataset is None else dataset["name"],
        "settings": run["settings"],
        "verification": jobs.get("verify", {}).get("outcome"),
        "held_out": _held_out(jobs, {}),
        "verify_command": _verify_command(page, run, CERTIFICATE),
        "files": file_names(dataset),
        "missing": [] if dataset is None else dataset["summary"].get("missing_texts", []),
        "created": run["created"],
        "more_flags": ["--work-limit", "none"],  # as searches of the page have it
    }


def file_names(dataset: dict[str, Any] | None) -> list[str]:
    """Return what the files of a data set are called where they came from."""
    if dataset is None:
        return []
    if dataset["kind"] != "corels":
        return [dataset["name"]]
    return [dataset["name"], dataset["summary"].get("labels_name") or "LABELS"]


def _held_out(jobs: dict[str, dict[str, Any]], result: dict[str, Any]) -> Any:
    """Return how the test of a run came out; None where there is none, or none yet."""
    test = jobs.get("test")
    if test is None:
        return result.get("held_out")  # where runs of earlier versions have it
    return test["outcome"] if test["state"] == "finished" else None


def _verify_command(page: Shared, run: dict[str, Any], certificate: str) -> str:
    """Return the command that checks a certificate in a terminal."""
    dataset = page.store.dataset(run["dataset"])
    if dataset is None:
        return ""
    settings = run["settings"] | {"missing": dataset["summary"].get("missing_texts", [])}
    return verify_command(certificate, file_names(dataset), settings)
