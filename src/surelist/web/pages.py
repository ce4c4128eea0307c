"""The pages themselves: each is one file, filled in by its script from its JSON twin."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response

__all__ = ["STATIC", "router"]

STATIC = Path(__file__).with_name("static")

router = APIRouter(include_in_schema=False)


@cache
def _page(name: str) -> Response:
    return HTMLResponse((STATIC / name).read_bytes())


@router.get("/")
async def start() -> Response:
    """Return what to begin with; its twin is /api/start."""
    return _page("start.html")


@router.get("/data/{dataset}")
async def data(dataset: str) -> Response:
    """Return one data set; its twin is /api/datasets/ID."""
    del dataset
    return _page("data.html")


@router.get("/data/{dataset}/setup")
async def setup(dataset: str) -> Response:
    """Return how to search it; its twins are /api/datasets/ID/columns and …/problem."""
    del dataset
    return _page("setup.html")


@router.get("/runs/{run}")
async def run(run: str) -> Response:
    """Return one run; its twins are /api/runs/ID and /api/runs/ID/progress."""
    del run
    return _page("run.html")


@router.get("/compare")
async def compare() -> Response:
    """Return two runs side by side; its twin is /api/compare."""
    return _page("compare.html")


@router.get("/api")
async def interface() -> Response:
    """Return every request that can be made; its twin is /api/openapi.json."""
    return _page("api.html")


@router.get("/static/plotly.min.js")
async def charts() -> FileResponse:
    """Return the library that draws charts, out of the package that ships it."""
    import plotly  # type: ignore[import-untyped]

    path = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return FileResponse(
        path,
        media_type="text/javascript; charset=utf-8",
        headers={"cache-control": "private, max-age=86400"},
    )


@router.get("/favicon.ico")
async def icon() -> Response:
    """Return the sign in a browser's tab."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")
