"""Requests about proofs that others have made."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request

from surelist.web.pool import Pool
from surelist.web.settings import Audit
from surelist.web.state import shared

__all__ = ["Audits", "router"]

router = APIRouter(prefix="/api", tags=["audits"])

_CHECK_SECONDS = 3600.0


@dataclass
class Audits:
    """The running checks, by their first upload: the request, and the task that answers it.

    They have a helper process of their own, so that a long check does not delay previews.
    """

    pool: Pool
    going: dict[str, tuple[Audit, asyncio.Task[Any]]] = field(default_factory=dict)

    async def close(self) -> None:
        """End all checks."""
        for _, task in list(self.going.values()):
            task.cancel()
        await self.pool.close()


@router.post("/audits", summary="Check a certificate or an audit bundle")
async def audit(request: Request, body: Audit) -> Any:
    """Check uploads against each other: what is proven about which data, and what is not.

    A repeated request, for example after a reload, waits for the same answer.
    """
    page, going = shared(request), _audits(request).going
    paths = [page.store.upload_path(each) for each in body.uploads]
    if not all(path.is_file() for path in paths) or len(set(paths)) < len(paths):
        raise HTTPException(404, "there is no such upload; send the file again")
    key = body.uploads[0]
    asked, task = going.get(key, (None, None))
    if task is None or asked != body:
        if task is not None:
            task.cancel()
        names = request.app.state.upload_names
        given = [
            {"path": str(path), "name": names.get(each, "unnamed")}
            for path, each in zip(paths, body.uploads, strict=True)
        ]
        task = asyncio.create_task(_check(request, key, given, body.label))
        going[key] = body, task
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if not task.cancelled():  # the page ends
            raise
        raise HTTPException(409, "the check was cancelled") from None


async def _check(request: Request, key: str, files: list[dict[str, str]], label: str | None) -> Any:
    audits, told = _audits(request), _told(shared(request).store.upload_path(key))
    question = {"files": files, "label": label, "told": str(told)}
    try:
        return await audits.pool.ask("audit", seconds=_CHECK_SECONDS, **question)
    finally:
        _, task = audits.going.get(key, (None, None))
        if task is asyncio.current_task():
            del audits.going[key]
            told.unlink(missing_ok=True)


@router.get("/audits/{upload}", summary="How far a check is")
async def progress(request: Request, upload: str) -> dict[str, Any]:
    """Return how far the check of files is, the first of which is this upload."""
    if upload not in _audits(request).going:  # no error: it may just have ended
        return {"running": False, "progress": None}
    found = None
    with suppress(OSError, ValueError):
        found = json.loads(_told(shared(request).store.upload_path(upload)).read_text("utf-8"))
    return {"running": True, "progress": found}


@router.delete("/audits/{upload}", summary="Cancel a check", status_code=204, response_model=None)
async def cancel(request: Request, upload: str) -> None:
    """End the check of files, the first of which is this upload; the files stay."""
    _, task = _audits(request).going.get(upload, (None, None))
    if task is not None:
        task.cancel()


def _audits(request: Request) -> Audits:
    found: Audits = request.app.state.audits
    return found


def _told(upload: Path) -> Path:
    return upload.with_name(f"{upload.name}.progress")
