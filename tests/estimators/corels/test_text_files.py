"""The CORELS text format: what is read, and what is forgiven."""

from __future__ import annotations

import gzip
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from corels_files import OUT, SUFFIXES, Files, assert_same, small
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from surelist.estimators.corels.text_files import minority_of, read, write


def test_reads_names_captures_labels_and_maybe_minority(files: Files) -> None:
    assert_same(files.put().read(), small())
    assert_same(read(str(files.out), files.label), small(minority=None))


FORGIVEN = {
    "trailing blanks": b"{a} 0 1 1 \t \n{b,c} 1 0 1\t\n",
    "CRLF": b"{a} 0 1 1\r\n{b,c} 1 0 1\r\n",
    "no last newline": b"{a} 0 1 1\n{b,c} 1 0 1",
    "CRLF cut to CR": b"{a} 0 1 1\r\n{b,c} 1 0 1\r",
    "blank lines": b"\n \t\r\n{a} 0 1 1\n\n{b,c} 1 0 1\n\n \n\n",
    "blanks before the name": b"  {a} 0 1 1\n\t{b,c} 1 0 1\n",
    "repeated blanks": b"{a}   0 1\t\t1\n{b,c}\t1 \t 0  1\n",
    "leading zeros": b"{a} 00 01 0001\n{b,c} 1 000 01\n",
    "byte-order mark": b"\xef\xbb\xbf{a} 0 1 1\n{b,c} 1 0 1\n",
    "byte-order mark on a blank line": b"\xef\xbb\xbf\n{a} 0 1 1\n{b,c} 1 0 1\n",
    "gzip by content, whatever the name": gzip.compress(OUT),
    "gzip in two members": gzip.compress(OUT[:7]) + gzip.compress(OUT[7:]),
}


@pytest.mark.parametrize("out", FORGIVEN.values(), ids=FORGIVEN.keys())
def test_forgives_what_cannot_be_misunderstood(files: Files, out: bytes) -> None:
    assert_same(files.put(out=out).read(), small())


def test_names_keep_their_spaces_and_letters(files: Files) -> None:
    names = ("sex = Male , age: 18–20", " λ ", "x\u2028y\tz", "#", "\ufeff")
    files.put(out="".join(f"{{{name}}} 0 1 1\n" for name in names).encode())
    assert read(files.out, files.label).antecedents == names


@pytest.mark.parametrize("out", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\n"])
def test_no_antecedents_take_their_rows_from_the_labels(files: Files, out: bytes) -> None:
    expected = small(antecedents=(), captures=np.zeros((3, 0), np.uint8), minority=None)
    assert_same(read(files.put(out=out).out, files.label), expected)


def test_more_than_two_classes(files: Files) -> None:
    data = files.put(label=b"{x} 0 0 1\n{y} 0 0 0\n{z} 1 1 0\n").read()
    assert [data.classes[code] for code in data.labels] == ["z", "z", "x"]


@pytest.mark.parametrize("minor", [b"{m} 1 0 0 0 1 1", b"{m} 0 1 0 0 1 1", b"{m} 0 1 0 1 1 0"])
def test_a_tie_has_its_minority_on_any_side(files: Files, minor: bytes) -> None:
    # Rows 1 and 2 tie between two classes, rows 4 to 6 between three.
    out = b"{a} 1 1 0 0 0 0\n{b} 0 0 1 0 0 0\n"
    label = b"{x} 1 0 0 1 0 0\n{y} 0 1 0 0 1 0\n{z} 0 0 1 0 0 1\n"
    minority = files.put(out, label, minor).read().minority
    assert minority is not None
    assert minority.tolist() == [bit == "1" for bit in minor.decode().split()[1:]]


@pytest.mark.slow
def test_ten_million_bits_need_no_loop_in_python(files: Files) -> None:
    half = 5_000_000
    files.put(b"{a}" + b"\t0  1" * half, b"{n}" + b" 0 1" * half + b"\n{y}" + b" 1 0" * half)
    start = time.process_time()
    data = read(files.out, files.label)
    took = time.process_time() - start
    # All three lines of bits, one by one, without reading anything: a thirtieth of that is timed.
    start = time.process_time()
    assert sum(int(text) for text in ["0", "1"] * (half // 10)) == half // 10
    assert took < 30 * (time.process_time() - start)
    assert data.captures.shape == (2 * half, 1)
    assert data.captures.sum() == data.labels[::2].sum() == half
    assert data.labels[1::2].sum() == 0


REAL: dict[str, tuple[int, tuple[int, int], list[int]]] = {  # files, shape, rows per class
    "compas/compas_train": (3, (6489, 155), [3583, 2906]),
    "compas/compas_test": (2, (721, 155), [377, 344]),
    "nyclu/weapon_0_train": (2, (50742, 46), [25371, 25371]),
}


@pytest.mark.parametrize("stem", REAL)
def test_real_files_come_back_byte_for_byte(data_dir: Path, files: Files, stem: str) -> None:
    count, shape, rows_per_class = REAL[stem]
    originals = [data_dir / f"{stem}.{suffix}.gz" for suffix in SUFFIXES[:count]]
    data = read(*originals)
    assert data.captures.shape == shape
    assert np.bincount(data.labels).tolist() == rows_per_class
    write(data, *files.paths[:count])
    for original, copy in zip(originals, files.paths[:count], strict=True):
        assert copy.read_bytes() == gzip.decompress(original.read_bytes())


# The minority of each group of equivalent points.


def brute_force_minority(rows: list[tuple[int, ...]], labels: list[int]) -> list[bool]:
    majority = {}
    for row in set(rows):
        counts = Counter(label for other, label in zip(rows, labels, strict=True) if other == row)
        majority[row] = min(counts, key=lambda label: (-counts[label], label))
    return [majority[row] != label for row, label in zip(rows, labels, strict=True)]


@pytest.mark.slow
@settings(deadline=None)
@given(width=st.sampled_from([0, 1, 7, 8, 31, 32, 33, 64, 65, 100]), draw=st.data())
def test_minority_of_agrees_with_brute_force(width: int, draw: st.DataObject) -> None:
    # Few distinct rows that differ in few places, so that groups are large and hard to tell apart.
    flips = st.frozensets(st.integers(0, max(0, width - 1)), max_size=2)
    kinds = draw.draw(st.lists(flips, min_size=1, max_size=4))
    picked = draw.draw(st.lists(st.sampled_from(kinds), max_size=20))
    rows = [tuple(int(column in kind) for column in range(width)) for kind in picked]
    labels = draw.draw(arrays(np.int32, len(rows), elements=st.integers(0, 2)))
    found = minority_of(np.array(rows, np.uint8).reshape(len(rows), width), labels, 3)
    assert found.dtype == np.bool_
    assert found.tolist() == brute_force_minority(rows, labels.tolist())


def test_rows_that_differ_in_any_antecedent_are_told_apart() -> None:
    assert not minority_of(np.eye(100, dtype=np.uint8), np.arange(100, dtype=np.int32), 100).any()


def test_the_authors_minor_file_agrees_with_ours(data_dir: Path) -> None:
    stem = str(data_dir / "compas" / "compas_train")
    data = read(*(f"{stem}.{suffix}.gz" for suffix in SUFFIXES))
    assert data.minority is not None
    ours = minority_of(data.captures, data.labels, 2)
    assert data.minority.sum() == ours.sum() == 2063
    assert len(np.unique(data.captures, axis=0)) == 194


def test_minority_does_not_depend_on_how_the_matrix_is_stored() -> None:
    captures = np.array([[0, 1], [0, 1], [0, 1], [1, 1]], np.uint8)
    labels = np.array([0, 1, 1, 0], np.int32)
    by_columns = minority_of(np.asfortranarray(captures), labels, 2)
    assert by_columns.tolist() == minority_of(captures, labels, 2).tolist()
