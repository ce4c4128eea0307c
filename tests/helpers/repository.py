"""Where the repository and its parts are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HELPERS = ROOT / "tests" / "helpers"
