"""The pages: one shell for all, which the script of each fills in from its JSON twin."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Template

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response

__all__ = ["STATIC", "page", "router"]

STATIC = Path(__file__).with_name("static")

router = APIRouter(include_in_schema=False)

_STYLE_ID = re.compile(rb'getElementById\("([0-9a-f]{64})"\)')


@cache
def page(title: str, script: str, status: int = 200) -> Response:
    """Return the shell with a title and a script of `static/js`."""
    shell = Template(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
    return HTMLResponse(shell.substitute(title=title, script=script), status)


@router.get("/")
async def start() -> Response:
    """Return what to begin with; its twin is /api/start."""
    return page("Start", "start.js")


@router.get("/data/{dataset}")
async def data() -> Response:
    """Return one data set; its twin is /api/datasets/ID."""
    return page("Data", "data.js")


@router.get("/data/{dataset}/setup")
async def setup() -> Response:
    """Return how to search it; its twins are /api/datasets/ID/columns and …/problem."""
    return page("Set up", "setup.js")


@router.get("/runs/{run}")
async def run() -> Response:
    """Return one run; its twins are /api/runs/ID and /api/runs/ID/progress."""
    return page("Run", "run.js")


@router.get("/audit")
async def audit() -> Response:
    """Return where a proof is checked; its twin is /api/audits."""
    return page("Check a proof", "audit.js")


@router.get("/compare")
async def compare() -> Response:
    """Return two runs side by side; its twin is /api/compare."""
    return page("Compare", "compare.js")


@router.get("/api")
async def interface() -> Response:
    """Return every request that can be made; its twin is /api/openapi.json."""
    return page("API", "apidocs.js")


@router.get("/static/plotly.min.js")
async def charts() -> Response:
    """Return the library that draws charts, out of the package that ships it."""
    return Response(
        _charts_library(),
        media_type="text/javascript; charset=utf-8",
        headers={"cache-control": "private, max-age=86400"},
    )


@cache
def _charts_library() -> bytes:
    """Read the library, and keep it from adding inline styles, which the page's CSP forbids.

    It adds none where an element with a certain id is there already: for its maps, which are not
    used, a number that differs between versions.
    """
    import plotly  # type: ignore[import-untyped]

    script = (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes()
    ids = {each.decode() for each in _STYLE_ID.findall(script)} | {"plotly.js-style-global"}
    marks = "".join(
        f'{{const e=document.createElement("meta");e.id="{each}";'
        'e.className="no-inline-styles";document.head.append(e)}'
        for each in sorted(ids)
    )
    return marks.encode() + b"\n" + script


@router.get("/favicon.ico")
async def icon() -> Response:
    """Return the sign in a browser's tab."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")
