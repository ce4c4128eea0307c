"""The command ``surelist``: the main job from a terminal, without writing Python.

Nothing here imports more than it needs at once: ``surelist --help`` has to answer immediately, and
scikit-learn takes longer to import than most people wait.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the program's name; None takes it from ``sys.argv``.

    Returns
    -------
    int
        0: success; 2: bad usage or input; 3: not certified within the limits; 4: verification
        refuses; 5: a result could not be written; 1: a defect of this program; 130: interrupted
        before there was a result.

    Examples
    --------
    >>> from surelist.cli import main
    >>> main(["--version"])
    surelist 0.1.0
    0
    """
    try:
        from surelist.cli.app import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        sys.stderr.write(
            f"surelist: the command line needs {error.name}, which is missing: "
            "pip install rich typer\n"
        )
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("surelist: error: interrupted before there was a result\n")
        return 130
    if arguments is None:
        # The process ends with this command. Python would still search all that was imported for
        # garbage, twice, which takes a third of the time of importing numpy.
        atexit.register(gc.freeze)
    return run(arguments)
