"""Time limits in processor time, for systems that read only the wall clock."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["processor_clock"]

_SOURCE = Path(__file__).with_name("processor_clock.c")


def processor_clock(folder: Path) -> dict[str, str]:
    """Compile the clock; return the environment of processes that are to use it.

    Nothing where there is no Linux or no C compiler: limits are then of time that passes.
    """
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not sys.platform.startswith("linux") or compiler is None:
        return {}
    library = folder / "processor_clock.so"
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True)
    return {"LD_PRELOAD": str(library)} if done.returncode == 0 else {}
