"""The application: its parts, and how errors are answered."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from surelist.web import (
    api_alternatives,
    api_audits,
    api_data,
    api_fairness,
    api_runs,
    api_understand,
    pages,
)
from surelist.web.limits import Limits
from surelist.web.pool import FailedError, Pool, RefusedError
from surelist.web.run_queue import RunQueue
from surelist.web.security import Guard
from surelist.web.state import Shared
from surelist.web.store import Store
from surelist.web.wording import DEFECT

__all__ = ["guarded_app", "page_app"]


def guarded_app(folder: Path, limits: Limits, *guard: Any) -> Guard:
    """Return the application behind its guard; further arguments are those of `Guard`."""
    return Guard(page_app(folder, limits), *guard)


def page_app(folder: Path, limits: Limits) -> FastAPI:
    """Return the application, to be served only behind a `Guard`."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        store = Store(folder)
        queue, pool = RunQueue(store, limits), Pool(limits)
        app.state.shared = Shared(store, pool, queue, limits)
        app.state.upload_names = {}
        app.state.audits = api_audits.Audits(Pool(limits, 1))
        queue.recover()
        warming = asyncio.create_task(pool.warm_up())
        try:
            yield
        finally:
            await warming
            await queue.close()
            await asyncio.gather(pool.close(), app.state.audits.close())
            store.close()

    app = FastAPI(
        title="Surelist",
        version=version("surelist"),
        description="Everything that the page does can be done by these requests.",
        lifespan=life,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(pages.router)
    app.include_router(api_data.router)
    app.include_router(api_runs.router)
    app.include_router(api_understand.router)
    app.include_router(api_audits.router)
    app.include_router(api_alternatives.router)
    app.include_router(api_fairness.router)
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    app.exception_handler(HTTPException)(_http_error)
    app.exception_handler(RequestValidationError)(_invalid)
    app.exception_handler(RefusedError)(_refused)
    app.exception_handler(FailedError)(_failed)
    app.exception_handler(Exception)(_defect)
    return app


def _error(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    wants_page = not request.url.path.startswith(("/api/", "/static/"))
    if error.status_code == 404 and wants_page:
        return pages.page("Not found", "lost.js", 404)
    return _error(error.status_code, str(error.detail))


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    texts = []
    for each in error.errors()[:5]:
        place = ".".join(str(part) for part in each["loc"] if part not in ("body", "settings"))
        texts.append(f"{place}: {each['msg']}" if place else str(each["msg"]))
    return _error(422, "; ".join(texts))


async def _refused(_: Request, error: Exception) -> Response:
    return _error(422, str(error))


async def _failed(_: Request, error: Exception) -> Response:
    return _error(500, str(error))


async def _defect(request: Request, error: Exception) -> Response:
    # The terminal gets everything; the browser gets no paths and no traceback.
    logging.getLogger("uvicorn.error").debug("%s failed: %r", request.url.path, error)
    return _error(500, DEFECT)
