"""Requests about proofs that others have made."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request

from surelist.web.settings import Audit
from surelist.web.state import shared

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["audits"])

_CHECK_SECONDS = 600.0


@router.post("/audits", summary="Check a certificate or an audit bundle")
async def audit(request: Request, body: Audit) -> Any:
    """Check uploads against each other: what is proven about which data, and what is not."""
    page = shared(request)
    paths = [page.store.upload_path(each) for each in body.uploads]
    if not all(path.is_file() for path in paths) or len(set(paths)) < len(paths):
        raise HTTPException(404, "there is no such upload; send the file again")
    names = request.app.state.upload_names
    return await page.pool.ask(
        "audit",
        files=[
            {"path": str(path), "name": names.get(each, "unnamed")}
            for path, each in zip(paths, body.uploads, strict=True)
        ],
        label=body.label,
        seconds=_CHECK_SECONDS,
    )
