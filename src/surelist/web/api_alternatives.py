"""Requests about all good lists of a run: find them, read them, adopt one."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from surelist._common.files import put_files
from surelist.web.file_names import ALTERNATIVES, ALTERNATIVES_ASKED, PICKED
from surelist.web.state import file_of, run_of, shared

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["runs"])


class Wanted(BaseModel):
    """How far from the optimum lists may be, and how long."""

    model_config = ConfigDict(extra="forbid")

    tolerance: Annotated[float, Field(ge=0, le=1)] = 0.05
    max_length: Annotated[int, Field(ge=1, le=10)] = 3


Column = Annotated[str | None, Field(max_length=1000)]


class Pick(BaseModel):
    """The place of a list among those found, from 0 up, and how it is to be written."""

    model_config = ConfigDict(extra="forbid")

    index: Annotated[int, Field(ge=0, le=10**9)]
    without: Column = None
    using: Column = None


@router.post("/runs/{run}/alternatives", summary="Find all good lists", status_code=202)
async def find(request: Request, run: str, body: Wanted) -> dict[str, Any]:
    """Find every list within the tolerance as a job; GET the run to see when it is done."""
    page = shared(request)
    run_of(request, run, finished=True)
    folder = page.store.run_folder(run)
    for kind in ("alternatives", "adopt"):
        await page.queue.stop_job(run, kind)
    for name in (ALTERNATIVES, *PICKED):
        (folder / name).unlink(missing_ok=True)
    _ask(folder, body.model_dump())
    page.queue.start_job(run, "alternatives", asked=True)
    return {"state": "running"}


@router.get("/runs/{run}/alternatives", summary="All good lists")
async def read(request: Request, run: str) -> FileResponse:
    """Return all lists that were found, by rising objective."""
    path = file_of(request, run, ALTERNATIVES, "the lists are not found yet")
    return FileResponse(path, media_type="application/json")


@router.post("/runs/{run}/alternatives/adopt", summary="Adopt a list", status_code=202)
async def adopt(request: Request, run: str, body: Pick) -> dict[str, Any]:
    """Make a model with a certificate of one of the lists, as a job."""
    page = shared(request)
    run_of(request, run, finished=True)
    folder = page.store.run_folder(run)
    if not (folder / ALTERNATIVES).exists():
        raise HTTPException(409, "find the lists first")
    await page.queue.stop_job(run, "adopt")
    asked = json.loads((folder / ALTERNATIVES_ASKED).read_text(encoding="utf-8"))
    _ask(folder, asked | {"pick": body.index, "without": body.without, "using": body.using})
    page.queue.start_job(run, "adopt", asked=True)
    return {"state": "running"}


@router.get("/runs/{run}/alternatives/{name}", summary="Download an adopted list")
async def download(
    request: Request, run: str, name: Literal["alternative.json", "alternative.cert"]
) -> FileResponse:
    """Return the model, or its certificate."""
    path = file_of(request, run, name, "no list was adopted yet")
    return FileResponse(path, filename=name, media_type="application/octet-stream")


def _ask(folder: Any, asked: dict[str, Any]) -> None:
    put_files({folder / ALTERNATIVES_ASKED: [json.dumps(asked).encode()]})
