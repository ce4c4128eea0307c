"""The pictures of a page, drawn by the page's own Python blocks when the documentation is built.

A ``{picture}`` block shows the Axes that the blocks above it have put into a variable, which is its
argument; its text says what is to be seen, for those who cannot see it. Blocks run once for light
pages and once for dark ones.
"""

from __future__ import annotations

import contextlib
import html
import io
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from surelist.plot import style

mpl.use("agg")

_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
_FOLDER = "_pictures"


class Picture(SphinxDirective):
    """Draw the page's blocks up to here, and show one of their variables."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        source = Path(self.env.doc2path(self.env.docname)).read_text(encoding="utf-8")
        above = "\n".join(source.splitlines()[: self.lineno])
        alternative = html.escape(" ".join(self.content))
        images = "".join(
            f'<img class="only-{theme}" src="{self._draw(theme, above)}" alt="{alternative}">'
            for theme in ("light", "dark")
        )
        return [nodes.raw("", f"<p>{images}</p>", format="html")]

    def _draw(self, theme: str, above: str) -> str:
        """Run the blocks that have not run yet, and return where the picture is."""
        import matplotlib.pyplot as plt

        namespace, done = self._state(theme)
        with style(theme, "page"), contextlib.redirect_stdout(io.StringIO()):
            for block in _BLOCK.findall(above)[len(done) :]:
                exec(block, namespace)
                done.append(block)
        axes = np.ravel(namespace[self.arguments[0]])[0]
        name = f"{self.env.docname}-{self.lineno}-{theme}.svg"
        folder = Path(self.env.app.outdir) / _FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        # Without a date and with fixed names, so that equal pictures give equal files.
        with mpl.rc_context({"svg.hashsalt": "surelist"}):
            axes.figure.savefig(folder / name, format="svg", metadata={"Date": None})
        plt.close("all")
        return f"{_FOLDER}/{name}"

    def _state(self, theme: str) -> tuple[dict[str, Any], list[str]]:
        """The variables of this page's blocks, and the blocks that made them."""
        state = self.env.temp_data.setdefault("pictures", {})
        found: tuple[dict[str, Any], list[str]] = state.setdefault(theme, ({}, []))
        return found


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True}
