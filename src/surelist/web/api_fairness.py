"""Requests about the front of fair lists of a run: find it, read it, download a point."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from surelist._common.files import put_files
from surelist.web.file_names import FAIR_ASKED, FAIR_FRONT
from surelist.web.state import file_of, run_of, shared

__all__ = ["router"]

router = APIRouter(prefix="/api/runs/{run}/fairness", tags=["runs"])

Metric = Literal[
    "statistical_parity",
    "equal_opportunity",
    "predictive_equality",
    "equalized_odds",
    "predictive_parity",
    "conditional_use_accuracy_equality",
]


class Demanded(BaseModel):
    """Which rates may not differ between which groups, and by how much."""

    model_config = ConfigDict(extra="forbid")

    metric: Metric = "statistical_parity"
    sensitive: Annotated[str, Field(min_length=1, max_length=1000)]
    positive: Annotated[str, Field(max_length=1000)]
    step: Annotated[float, Field(ge=0.001, le=1)] = 0.02
    tolerance: Annotated[float | None, Field(ge=0, le=1)] = None
    """The only tolerance to search; None is the whole front."""


@router.post("", summary="Find the front of fair lists", status_code=202)
async def find(request: Request, run: str, body: Demanded) -> dict[str, Any]:
    """Find the best list for every tolerance as a job; GET the run to see when it is done."""
    page = shared(request)
    run_of(request, run, finished=True)
    folder = page.store.run_folder(run)
    await page.queue.stop_job(run, "fairness")
    for path in (folder / FAIR_FRONT, *folder.glob("fair-*.*")):
        path.unlink(missing_ok=True)
    put_files({folder / FAIR_ASKED: [json.dumps(body.model_dump()).encode()]})
    page.queue.start_job(run, "fairness", asked=True)
    return {"state": "running"}


@router.get("", summary="The front of fair lists")
async def read(request: Request, run: str) -> FileResponse:
    """Return the front: for each point the list, what is proven of it, and rates by group."""
    path = file_of(request, run, FAIR_FRONT, "the front is not found yet")
    return FileResponse(path, media_type="application/json")


@router.get("/{name}", summary="Download a point of the front")
async def download(
    request: Request, run: str, name: Annotated[str, Path(pattern=r"^fair-\d{1,3}\.(json|cert)$")]
) -> FileResponse:
    """Return the model of a point, or its certificate."""
    path = file_of(request, run, name, "there is no such point of the front")
    return FileResponse(path, filename=name, media_type="application/octet-stream")
