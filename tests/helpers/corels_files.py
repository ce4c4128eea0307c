"""Small files in the CORELS text format, and the data in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from surelist.estimators.corels.text_files import CorelsData, minority_of, read

__all__ = ["LABEL", "MINOR", "OUT", "SUFFIXES", "Files", "assert_same", "data_sets", "small"]

OUT = b"{a} 0 1 1\n{b,c} 1 0 1\n"
LABEL = b"{no} 1 0 0\n{yes} 0 1 1\n"
MINOR = b"{group_minority} 0 0 0\n"
SUFFIXES = ("out", "label", "minor")


class Files:
    """Three files in a folder, replaced by every `put`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out, self.label, self.minor = (folder / f"t.{kind}" for kind in SUFFIXES)
        self.paths = (self.out, self.label, self.minor)

    def put(self, out: bytes = OUT, label: bytes = LABEL, minor: bytes = MINOR) -> Files:
        for path, content in zip(self.paths, (out, label, minor), strict=True):
            path.write_bytes(content)
        return self

    def read(self) -> CorelsData:
        return read(*self.paths)


def assert_same(found: CorelsData, expected: CorelsData) -> None:
    assert found.antecedents == expected.antecedents
    assert found.classes == expected.classes
    assert (found.minority is None) == (expected.minority is None)
    for name in ("captures", "labels", "minority"):  # strict: the same shape and dtype too
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), strict=True)


def small(**changes: Any) -> CorelsData:
    fields: dict[str, Any] = {
        "antecedents": ("a", "b,c"),
        "captures": np.array([[0, 1], [1, 0], [1, 1]], np.uint8),
        "classes": ("no", "yes"),
        "labels": np.array([0, 1, 1], np.int32),
        "minority": np.zeros(3, np.bool_),
    }
    return CorelsData(**(fields | changes))


NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="{}\r\n\0"), min_size=1, max_size=8
).filter(str.strip)


@st.composite
def data_sets(draw: st.DrawFn) -> CorelsData:
    rows = draw(st.integers(1, 12))
    antecedents = draw(st.lists(NAMES, max_size=5, unique=True))
    classes = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    captures = draw(arrays(np.uint8, (rows, len(antecedents)), elements=st.integers(0, 1)))
    labels = draw(arrays(np.int32, rows, elements=st.integers(0, len(classes) - 1)))
    minority = draw(st.sampled_from([None, minority_of(captures, labels, len(classes))]))
    return CorelsData(tuple(antecedents), captures, tuple(classes), labels, minority)
