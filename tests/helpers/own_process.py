"""A program in a process of its own, where no other test changes its memory or gets its signals."""

from __future__ import annotations

import subprocess
import sys

from repository import HELPERS

__all__ = ["words_printed_by"]


def words_printed_by(program: str) -> list[str]:
    """Run Python that can import these helpers; return the words that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=HELPERS
    )
    return done.stdout.split()
