"""Graphviz: the picture has the rules' own texts in it, whatever they hold."""

from __future__ import annotations

import re
import shutil
import subprocess
import warnings
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pydot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from raw_lists import ODD
from rule_lists import named

from surelist.rule_list.export.values import visible


def parsed(dot: str) -> Any:
    with warnings.catch_warnings():
        # pydot uses names that newer versions of its own parser library call old.
        warnings.simplefilter("ignore", DeprecationWarning)
        graphs = pydot.graph_from_dot_data(dot)
    assert graphs is not None
    assert len(graphs) == 1
    return graphs[0]


def texts(dot: str) -> dict[str, str]:
    """The labels of a graph, as Graphviz would show them."""
    graph = parsed(dot)
    found = {}
    for box in graph.get_nodes():
        if re.fullmatch(r"(rule|label)\d+", box.get_name()):
            quoted = box.get_label()
            assert quoted[0] == quoted[-1] == '"'
            plain = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], quoted[1:-1])
            found[box.get_name()] = unescape(plain)
    return found


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=10), ODD))
def test_any_name_stays_text(name: str) -> None:
    label = name if name not in ("yes", "no") else "other"
    found = texts(named(name, label).export("dot"))
    assert found["rule0"] == f"({visible(name)})\nand (not b)"
    assert found["label0"] == f"{visible(label)}\n4 captured, 75.0% correct"
    assert found["label1"] == "no\n10 captured, 80.0% correct"


def test_edges_lead_from_rule_to_rule() -> None:
    graph = parsed(named("a").export("dot"))
    edges = [(e.get_source(), e.get_destination(), e.get_label()) for e in graph.get_edges()]
    assert edges == [("rule0", "label0", '"then"'), ("rule0", "label1", '"else"')]


def test_graphviz_draws_it() -> None:
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed here; pydot has read the same text")
    odd = 'it\'s "q" \\n \\N &lt; <b> {x|y} é日'
    finished = subprocess.run(
        ["dot", "-Tsvg"], input=named(odd).export("dot").encode(), capture_output=True, check=True
    )
    picture = ElementTree.fromstring(finished.stdout)
    drawn = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert f"({odd})" in [str(text).replace("\xa0", " ") for text in drawn]
