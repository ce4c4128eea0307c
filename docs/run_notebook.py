"""The notebook of the examples, run when the documentation is built.

In the repository it has no outputs; a copy that has them goes to where the gallery is written.
``-D plot_gallery=0`` shows notebook and scripts without running them.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["executed"]

_NAME = "first_steps.ipynb"


def executed(path: Path) -> Any:
    """Return a notebook with the outputs of running it in a kernel of this environment."""
    # Over local sockets, where there are any: kernels warn of connections that others might hear.
    config = Config({"KernelManager": {"transport": "ipc" if os.name == "posix" else "tcp"}})
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    # A notebook shows its pictures, whatever this process does with its own.
    env = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, kernel_name="python3", timeout=300, config=config).execute(env=env)
    return notebook


def _write(app: Sphinx) -> None:
    source = Path(app.srcdir).parent / "examples" / _NAME
    target = Path(app.srcdir) / "examples" / _NAME
    target.parent.mkdir(exist_ok=True)
    run = str(app.config.plot_gallery) not in {"0", "False"}
    nbformat.write(executed(source) if run else nbformat.read(source, as_version=4), target)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}
