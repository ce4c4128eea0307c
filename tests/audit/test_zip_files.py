"""Archives of strangers: none may unpack to more than it is, leave its folder, or be two things."""

from __future__ import annotations

import io
import os
import random
import struct
import warnings
import zipfile
from pathlib import Path

import pytest

from surelist.audit.zip_files import is_zip, unpack_zip, zip_bytes
from surelist.errors import FormatError

NAMES = ("a.txt", "b.txt")


def unpack(data: bytes, folder: Path, most: int = 1 << 20) -> set[str]:
    path, into = folder / "archive.zip", folder / "into"
    path.write_bytes(data)
    into.mkdir()
    return unpack_zip(path, into, NAMES, most)


def archive(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", method) as made:
        warnings.simplefilter("ignore")  # of two files of one name
        for name, data in files:
            made.writestr(name, data)
    return packed.getvalue()


def test_what_is_packed_is_unpacked_whatever_the_order(tmp_path: Path) -> None:
    files = {"b.txt": b"two", "a.txt": b"one" * 1000}
    data = zip_bytes(files)
    assert data == zip_bytes(dict(reversed(files.items())))
    assert unpack(data, tmp_path) == set(files)
    assert {name: (tmp_path / "into" / name).read_bytes() for name in files} == files
    assert is_zip(tmp_path / "archive.zip")
    assert not is_zip(tmp_path)
    assert not is_zip(tmp_path / "nowhere")


def test_another_program_may_have_packed_it(tmp_path: Path) -> None:
    assert unpack(archive(("a.txt", b"x" * 5000)), tmp_path) == {"a.txt"}


@pytest.mark.parametrize(
    "name", ["../a.txt", "/etc/passwd", "folder/a.txt", "c.txt", "a.txt/", "..\\a.txt", "A.TXT"]
)
def test_other_names_are_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match="no part of a bundle"):
        unpack(archive(("a.txt", b""), (name, b"x")), tmp_path)
    assert list((tmp_path / "into").iterdir()) == []
    assert sorted(each.name for each in tmp_path.iterdir()) == ["archive.zip", "into"]


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="two files"):
        unpack(archive(("a.txt", b"shown"), ("a.txt", b"meant")), tmp_path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    data = archive(("a.txt", b"\0" * 30_000_000))
    assert len(data) < 100_000
    with pytest.raises(FormatError, match="more than 1,048,576 bytes"):
        unpack(data, tmp_path)
    assert list((tmp_path / "into").iterdir()) == []


def test_a_bomb_that_lies_about_its_size_is_cut_off(tmp_path: Path) -> None:
    data = bytearray(archive(("a.txt", b"\0" * 3_000_000)))
    true, small = struct.pack("<I", 3_000_000), struct.pack("<I", 10)
    assert data.count(true) == 2
    data = bytearray(bytes(data).replace(true, small))
    with pytest.raises(FormatError, match="damaged"):
        unpack(bytes(data), tmp_path)
    assert sum(each.stat().st_size for each in (tmp_path / "into").iterdir()) <= 1 << 20


def test_encrypted_and_oddly_packed_files_are_refused(tmp_path: Path) -> None:
    data = bytearray(archive(("a.txt", b"secret")))
    flags = data.index(b"PK\x01\x02") + 8
    data[flags] |= 1
    with pytest.raises(FormatError, match="encrypted"):
        unpack(bytes(data), tmp_path)
    (tmp_path / "into").rmdir()
    with pytest.raises(FormatError, match="unusual"):
        unpack(archive(("a.txt", b"x"), method=zipfile.ZIP_BZIP2), tmp_path)


def test_damage_is_refused_wherever_it_is(tmp_path: Path) -> None:
    good = archive(("a.txt", os.urandom(300)), ("b.txt", b"text" * 50))
    chance = random.Random(0)
    for number in range(150):
        folder = tmp_path / str(number)
        folder.mkdir()
        data = bytearray(good)
        if number % 3:
            at = chance.randrange(len(data))
            data[at] ^= 1 << chance.randrange(8)
        else:
            del data[chance.randrange(len(data)) :]
        try:
            names = unpack(bytes(data), folder)
        except FormatError:
            continue
        # What was hit then was no part of names or contents, such as a date.
        assert names <= set(NAMES)
