"""Files that are written whole or not at all: what every format of ours relies on."""

from __future__ import annotations

import gzip
import os
import stat
from pathlib import Path

import pytest
from full_disk import fill_disk_at_third_file

from surelist._common.files import put_files, target_of
from surelist.errors import InputError


def test_all_are_replaced_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / name for name in "abc"]
    for path in paths:
        path.write_bytes(b"old")
    fill_disk_at_third_file(monkeypatch)
    with pytest.raises(InputError, match=r"/c: cannot be written \(No space left.*has room"):
        put_files({path: [b"new"] for path in paths})
    assert sorted(tmp_path.iterdir()) == paths
    assert {path.read_bytes() for path in paths} == {b"old"}
    monkeypatch.undo()
    put_files({path: [b"n", b"ew"] for path in paths})
    assert sorted(tmp_path.iterdir()) == paths
    assert {path.read_bytes() for path in paths} == {b"new"}


def test_what_fails_while_it_is_made_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        put_files({tmp_path / "a": (bytes([1 // each]) for each in (1, 0))})
    assert not list(tmp_path.iterdir())


def test_links_and_permissions_outlive_a_rewrite(tmp_path: Path) -> None:
    old, new, link = (tmp_path / name for name in ("old", "new", "link"))
    old.write_bytes(b"old")
    old.chmod(0o604)
    link.symlink_to(old)
    previous = os.umask(0o027)
    try:
        put_files({target_of(link): [b"changed"], target_of(new): [b"made"]})
    finally:
        os.umask(previous)
    assert link.is_symlink()
    assert (old.read_bytes(), new.read_bytes()) == (b"changed", b"made")
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (old, new)]
    assert modes == [0o604, 0o640]  # the old file's own, the new file's by the umask


def test_gzip_files_hold_no_name_and_no_time(tmp_path: Path) -> None:
    path = tmp_path / "t.out.GZ"
    put_files({path: [b"te", b"xt"]})
    packed = path.read_bytes()
    assert gzip.decompress(packed) == b"text"
    assert packed[3:8] == bytes(5)  # flags and time: equal data give equal files
    put_files({path: [b"text"]}, compress=False)
    assert path.read_bytes() == b"text"


@pytest.mark.parametrize(
    ("path", "problem"),
    [("{}", "not a regular file"), (os.devnull, "not a regular file"), ("nul\0byte", "not a path")],
)
def test_what_is_no_file_is_refused(tmp_path: Path, path: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        target_of(path.format(tmp_path))


def test_a_reused_temporary_file_replaces_what_a_killed_process_left(tmp_path: Path) -> None:
    path, left = tmp_path / "search.ckpt", tmp_path / ".search.ckpt.part"
    left.write_bytes(b"half of an earlier one")
    put_files({path: [b"new"]}, content="the checkpoint", reuse=True)
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError, match="/c: the checkpoint cannot be written"):
        put_files({tmp_path / "absent" / "c": [b"new"]}, content="the checkpoint", reuse=True)
