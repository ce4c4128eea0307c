"""Requests about details of a finished run: rows, groups, other models, another file."""

from __future__ import annotations

import json
import shutil
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse

from surelist.runs.commands import fit_command
from surelist.runs.python_lines import python_lines
from surelist.web.api_runs import file_names
from surelist.web.file_names import ABOUT, RIVALS, SCORED, SCORED_ROWS, SOURCE
from surelist.web.settings import NewFile, RatesAsked, Rivals, RowsAsked
from surelist.web.state import file_of, run_of, same_data, shared

__all__ = ["router"]

router = APIRouter(prefix="/api/runs/{run}", tags=["understand"])

_NEW = "scored"


async def _ask(request: Request, run: str, ask: str, **question: Any) -> Any:
    page = shared(request)
    found = run_of(request, run, finished=True)
    data = str(page.store.data_folder(found["dataset"]))
    return await page.pool.ask(ask, run=str(page.store.run_folder(run)), data=data, **question)


async def _other(request: Request, run: str, other: str | None) -> str | None:
    """Return the folder of another run, which has to be about the same data."""
    if other is None:
        return None
    runs = [run_of(request, each, finished=True) for each in (run, other)]
    if not await same_data(request, *runs):
        raise HTTPException(422, "the two runs are about different data")
    return str(shared(request).store.run_folder(other))


@router.post("/rows", summary="Rows of a cell or a group")
async def rows(request: Request, run: str, body: RowsAsked) -> Any:
    """Return rows by actual and predicted class, by group, or where two models differ."""
    other = await _other(request, run, body.other)
    return await _ask(request, run, "rows", asked=body.model_dump(), other=other)


@router.post("/rates", summary="Rates by group, with intervals")
async def rates(request: Request, run: str, body: RatesAsked) -> Any:
    """Return rates of groups, or of groups crossed, with 95 % intervals by Wilson's score."""
    other = await _other(request, run, body.other)
    return await _ask(request, run, "group_rates", asked=body.model_dump(), other=other)


@router.get("/reproduce", summary="The same in a terminal and in Python")
async def reproduce(request: Request, run: str) -> dict[str, Any]:
    """Return the command and the lines of Python that search as this run did."""
    page = shared(request)
    found = run_of(request, run)
    dataset = page.store.dataset(found["dataset"])
    files = file_names(dataset)
    summary = {} if dataset is None else dataset["summary"]
    settings = found["settings"] | {"missing": summary.get("missing_texts", [])}
    more = {"more_flags": ["--work-limit", "none"]}
    return {
        "command": fit_command(files, settings | more),
        "python": python_lines(files, settings, summary.get("columns", [])),
    }


@router.post("/rivals", summary="Compare with other models", status_code=202)
async def compare(request: Request, run: str, body: Rivals) -> Any:
    """Begin to compare; GET the same address for progress and result. DELETE …/jobs/rivals ends."""
    page = shared(request)
    run_of(request, run, finished=True)
    folder = page.store.run_folder(run)
    if page.store.jobs(run).get("rivals", {}).get("state") == "running":
        raise HTTPException(409, "a comparison is running; stop it first")
    (folder / RIVALS).write_text(json.dumps(body.model_dump()), encoding="utf-8")
    page.queue.start_job(run, "rivals", asked=True)
    return await compared(request, run)


@router.get("/rivals", summary="How it compares")
async def compared(request: Request, run: str) -> Any:
    """Return how far the comparison is, and its result once there is one."""
    page = shared(request)
    run_of(request, run, finished=True)
    job = page.store.jobs(run).get("rivals")
    return {
        "state": None if job is None else job["state"],
        "outcome": {} if job is None else job["outcome"],
        "progress": page.queue.job_progress(run, "rivals"),
    }


@router.post("/score", summary="Score a new file")
async def score(request: Request, run: str, body: NewFile) -> Any:
    """Apply the list to an upload: drift, rates where it has labels, predictions to download."""
    page = shared(request)
    found = run_of(request, run, finished=True)
    sent = page.store.upload_path(body.upload)
    if not sent.is_file():
        raise HTTPException(404, "there is no such upload; send the file again")
    name = request.app.state.upload_names.pop(body.upload, "unnamed")
    dataset = page.store.dataset(found["dataset"])
    missing = [] if dataset is None else dataset["summary"].get("missing_texts", [])
    # A folder for each upload: two may come at once.
    folder = page.store.run_folder(run) / f"{_NEW}-{body.upload}"
    folder.mkdir(mode=0o700)
    try:
        shutil.move(sent, folder / SOURCE)
        about = {"kind": "table", "name": name, "missing": missing}
        (folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")
        await page.pool.ask("workbook", data=str(folder))
        return await _ask(request, run, "score", new=str(folder), name=name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@router.get("/score", summary="The file that was scored last")
async def scored(request: Request, run: str) -> Any:
    """Return what was found in the file that was scored last; null where there is none."""
    page = shared(request)
    run_of(request, run, finished=True)
    path = page.store.run_folder(run) / SCORED
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


@router.get("/score/predictions.csv", summary="Predictions for the file that was scored last")
async def scored_rows(request: Request, run: str) -> FileResponse:
    """Return the rows of that file with what is predicted for them."""
    path = file_of(request, run, SCORED_ROWS, "no file was scored yet")
    return FileResponse(path, filename="predictions.csv", media_type="text/csv; charset=utf-8")
