"""Requests about data: examples, uploads, data sets, previews."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import FileResponse

from surelist.web.examples import EXAMPLES
from surelist.web.file_names import ABOUT, LABELS, SOURCE
from surelist.web.settings import Inspecting, NewDataset, Reading, RunSettings
from surelist.web.state import Shared, dataset_of, shared
from surelist.web.uploads import TooMuchError, receive, shown_name

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["data"])

_PREVIEW_SECONDS = 30.0
_MOST_UPLOADS = 8


@router.get("/start", summary="What to begin with")
async def start(request: Request) -> dict[str, Any]:
    """Return the examples, the data sets, the runs and the limits: the twin of the first page."""
    from surelist.web.api_runs import brief_run

    page = shared(request)
    return {
        "examples": [{"id": key, **about} for key, about in EXAMPLES.items()],
        "datasets": [_brief(each) for each in page.store.datasets()],
        "runs": [brief_run(page, run) for run in page.store.runs()],
        "limits": {
            "upload": page.limits.upload,
            "rows": page.limits.rows,
            "columns": page.limits.columns,
        },
    }


@router.post("/uploads", summary="Send a file", status_code=201)
async def upload(
    request: Request, name: Annotated[str, Query(max_length=1000)] = "unnamed"
) -> dict[str, Any]:
    """Take the body of the request as a file; a data set is made of it by POST /api/datasets."""
    page = shared(request)
    pending = list((page.store.folder / "uploads").iterdir())
    if len(pending) >= _MOST_UPLOADS:
        oldest = min(pending, key=lambda path: path.stat().st_mtime)
        oldest.unlink(missing_ok=True)
        request.app.state.upload_names.pop(oldest.name, None)
    identifier = page.store.new_id()
    path = page.store.upload_path(identifier)
    try:
        size = await receive(request.stream(), path, page.limits)
    except TooMuchError as error:
        raise HTTPException(413, str(error)) from None
    if size == 0:
        path.unlink(missing_ok=True)
        raise HTTPException(422, "the file is empty; a header line and rows are needed")
    request.app.state.upload_names[identifier] = shown_name(name)
    return {"id": identifier, "name": shown_name(name), "bytes": size}


@router.get("/datasets", summary="All data sets")
async def datasets(request: Request) -> list[dict[str, Any]]:
    """Return all data sets, the newest first."""
    return [_brief(each) for each in shared(request).store.datasets()]


@router.post("/datasets", summary="Make a data set", status_code=201)
async def new_dataset(request: Request, body: NewDataset) -> dict[str, Any]:
    """Make a data set of one table, of two CORELS text files, or of an example."""
    page = shared(request)
    identifier = page.store.new_id()
    folder = page.store.data_folder(identifier)
    folder.mkdir(mode=0o700)
    try:
        name, labels = await _fill(page, folder, body, request.app.state.upload_names)
        kind = "table" if labels is None else "corels"
        sheet = None
        if body.example is None and labels is None:
            sheet = (await page.pool.ask("workbook", data=str(folder)))["sheet"]
            name = name if sheet is None else f"{Path(name).stem}.csv"
        about = {"kind": kind, "name": name, "missing": []}
        (folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")
        summary = await page.pool.ask("summarize", data=str(folder))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    summary["labels_name"] = labels
    if sheet is not None:
        summary["notes"].insert(0, f"the sheet {sheet!r} is kept as {name}; others are left out")
    if body.example is not None:
        summary["suggested_label"] = EXAMPLES[body.example]["label"]
    files = [folder / part for part in (SOURCE, LABELS)]
    size = sum(path.stat().st_size for path in files if path.exists())
    return page.store.add_dataset(identifier, name, kind, size, summary)


async def _fill(
    page: Shared, folder: Path, body: NewDataset, names: dict[str, str]
) -> tuple[str, str | None]:
    """Put the files of a new data set into its folder; return its name and that of its labels."""
    if body.example is not None:
        if body.example not in EXAMPLES:
            raise HTTPException(404, "there is no such example")
        await page.pool.ask("example", name=body.example, path=str(folder / SOURCE))
        return f"{body.example}.csv", None
    if not body.uploads:
        raise HTTPException(422, "no file: send one first, or name an example")
    paths = [page.store.upload_path(each) for each in body.uploads]
    if not all(path.is_file() for path in paths) or len(set(paths)) < len(paths):
        raise HTTPException(404, "there is no such upload; send the file again")
    shown = [names.pop(each, "unnamed") for each in body.uploads]
    if len(paths) == 1:
        paths[0].replace(folder / SOURCE)
        return shown[0], None
    # The labels are in the file whose name says so, or else in the one with fewer lines.
    first, second = sorted(
        range(2), key=lambda i: ("label" in shown[i].lower(), -paths[i].stat().st_size)
    )
    paths[first].replace(folder / SOURCE)
    paths[second].replace(folder / LABELS)
    return shown[first], shown[second]


@router.get("/datasets/{dataset}", summary="A data set")
async def one_dataset(request: Request, dataset: str) -> dict[str, Any]:
    """Return the summary of a data set: columns, types, missing values, the first rows."""
    from surelist.web.api_runs import brief_run

    page = shared(request)
    found = dataset_of(request, dataset)
    return found | {"runs": [brief_run(page, run) for run in page.store.runs(dataset)]}


@router.delete(
    "/datasets/{dataset}", summary="Delete a data set", status_code=204, response_model=None
)
async def delete_dataset(request: Request, dataset: str) -> None:
    """Delete a data set and all its runs."""
    page = shared(request)
    dataset_of(request, dataset)
    for run in page.store.runs(dataset):
        await page.queue.drop(run["id"])
    page.store.delete_dataset(dataset)


@router.post("/datasets/{dataset}/reading", summary="Read a data set anew")
async def read_again(request: Request, dataset: str, body: Reading) -> dict[str, Any]:
    """Read a table with more texts that stand for missing values."""
    page = shared(request)
    found = dataset_of(request, dataset)
    if page.store.runs(dataset):
        raise HTTPException(
            409, "runs depend on how this data set is read; to read it differently, upload it again"
        )
    path = page.store.data_folder(dataset) / ABOUT
    before = path.read_text(encoding="utf-8")
    about = json.loads(before) | {"missing": body.missing}
    path.write_text(json.dumps(about), encoding="utf-8")
    try:
        summary = await page.pool.ask("summarize", data=str(path.parent))
    except BaseException:
        path.write_text(before, encoding="utf-8")
        raise
    page.store.update_summary(dataset, summary | {"missing_texts": body.missing})
    return dataset_of(request, found["id"])


@router.get("/datasets/{dataset}/file", summary="The file of a data set")
async def file(request: Request, dataset: str) -> FileResponse:
    """Return the file as it was uploaded, or as the example was made."""
    found = dataset_of(request, dataset)
    path = shared(request).store.data_folder(dataset) / SOURCE
    return FileResponse(path, filename=found["name"], media_type="application/octet-stream")


@router.post("/datasets/{dataset}/inspection", summary="What to know before a search")
async def inspection(request: Request, dataset: str, body: Inspecting) -> Any:
    """Return columns that may give the label away, identifiers, small groups and the like."""
    page = shared(request)
    dataset_of(request, dataset)
    return await page.pool.ask(
        "inspect",
        data=str(page.store.data_folder(dataset)),
        label=body.label,
        relabel=body.relabel.model_dump(),
        seconds=_PREVIEW_SECONDS,
    )


@router.post("/datasets/{dataset}/columns", summary="How columns become conditions")
async def columns(request: Request, dataset: str, body: RunSettings) -> Any:
    """Return for each column its histogram by class and where it is cut."""
    return await _preview("columns", request, dataset, body)


@router.post("/datasets/{dataset}/problem", summary="How large a search would be")
async def problem(request: Request, dataset: str, body: RunSettings) -> Any:
    """Mine antecedents, and return how many there are, and how many groups."""
    return await _preview("problem", request, dataset, body)


@router.post("/datasets/{dataset}/trial", summary="How hard a search would be")
async def trial(request: Request, dataset: str, body: RunSettings) -> Any:
    """Search for a second; return how far it came, and what measured searches did from there."""
    return await _preview("trial", request, dataset, body)


async def _preview(question: str, request: Request, dataset: str, body: RunSettings) -> Any:
    page = shared(request)
    dataset_of(request, dataset)
    return await page.pool.ask(
        question,
        data=str(page.store.data_folder(dataset)),
        settings=body.model_dump(),
        seconds=_PREVIEW_SECONDS,
    )


def _brief(dataset: dict[str, Any]) -> dict[str, Any]:
    summary = dataset.pop("summary")
    return dataset | {"rows": summary["rows"], "columns": len(summary["columns"])}
