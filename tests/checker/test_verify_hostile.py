"""Damaged and hostile certificates end in words, and within bounds on memory."""

from __future__ import annotations

import copy
import gzip
import hashlib
import json
import resource
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import certify
import numpy as np
import pytest
from repository import HELPERS

from surelist import VerificationError, verify
from surelist.checker import DataError

MAGIC = b"surelist certificate 1\n"


@pytest.fixture(scope="module")
def case() -> certify.Case:
    seed = 0
    while True:
        found = certify.prove(certify.draw(seed, version=1), seed)
        if found and len(found.closed) > 5 and found.sample_weight is None:
            return found
        seed += 1


def refusal(case: certify.Case, data: bytes) -> str:
    with pytest.raises(VerificationError) as refused:
        verify(data, case.columns, case.y)
    return str(refused.value)


def with_header(case: certify.Case, change: Callable[[dict[str, Any]], object]) -> bytes:
    header = copy.deepcopy(case.header)
    change(header)
    return certify.assemble(header, [case.closed])


def line(text: bytes) -> bytes:
    return certify.seal(MAGIC + text + b"\n")


def test_every_truncation_is_refused(case: certify.Case) -> None:
    data = certify.to_bytes(case)
    for length in range(len(data)):
        assert refusal(case, data[:length]).startswith("Refused: ")


def test_every_byte_counts(case: certify.Case) -> None:
    data = certify.to_bytes(case)
    for at in range(len(data)):
        changed = data[:at] + bytes([data[at] ^ 16]) + data[at + 1 :]
        assert refusal(case, changed).startswith("Refused: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no JSON"),
        (b"[]", "no JSON object"),
        (b"{}", "'format' is missing"),
        (b'{"format": 1, "format": 1}', "occurs twice"),
        (b'{"format": NaN}', "no whole number"),
        (b'{"format": 1.5}', "no whole number"),
        (b'{"format": 1e400}', "no whole number"),
        (b'{"format": Infinity}', "no whole number"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'{"a":' * 100_000, "no JSON"),
        (b'{"format": ' + b"9" * 5000 + b"}", "no JSON"),
        (b'{"format": "surelist certificate", "version": 3}', "another format or version"),
        (b'{"format": "surelist certificate", "version": 1}', "is missing"),
        (b"[" + b"0," * 5_000_000 + b"0]", "too many values"),
    ],
)
def test_headers_that_are_none(case: certify.Case, text: bytes, reason: str) -> None:
    assert reason in refusal(case, line(text))


WRONG: list[Any] = [
    None, True, -1, 0, 10**30, 2**62, "", "x", "1/0", "-1/2", "1e9", "0" * 500, [], [[]], [None],
    [10**30], {}, {"float": "nan"}, {"kind": []}, ["1/0"], [-1], [0, 0], [[{"negated": 1}]],
]  # fmt: skip


def places(item: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    keys = item if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
    for key in keys:
        found += places(item[key], (*path, key))
    return found


def test_wrong_types_anywhere_in_the_header(case: certify.Case) -> None:
    """Whatever stands anywhere is refused in words, or does not matter to the proof."""
    unchanged = certify.assemble(case.header, [case.closed])
    accepted = set()
    for place in places(case.header):
        for wrong in WRONG:

            def change(header: Any, place: Any = place, wrong: Any = wrong) -> None:
                for key in place[:-1]:
                    header = header[key]
                header[place[-1]] = wrong

            data = with_header(case, change)
            if data == unchanged:
                continue
            try:
                verify(data, case.columns, case.y)
            except (DataError, VerificationError):
                continue
            accepted.add(place[0])
    informative = {"software", "status", "search", "columns"}
    # An empty list of constraints or prices, or a bound of 0, may be a valid claim as well.
    harmless = {"constraints", "lower_bound", "costs", "prices", "regularization"}
    assert accepted <= informative | harmless | {"rule_list", "objective", "antecedents"}


def test_missing_keys(case: certify.Case) -> None:
    for key in case.header:
        if key in ("software", "status", "search"):
            continue
        header = {name: value for name, value in case.header.items() if name != key}
        reason = refusal(case, certify.assemble(header, [case.closed]))
        assert f"'{key}' is missing" in reason


def blocks(case: certify.Case, *several: bytes) -> bytes:
    text = json.dumps(case.header, sort_keys=True).encode()
    return certify.seal(MAGIC + text + b"\n" + b"".join(several))


def lengths(packed: int, raw: int, data: bytes = b"") -> bytes:
    return struct.pack("<II", packed, raw) + data


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (lengths(2**32 - 1, 2**32 - 1), "absurd lengths"),
        (lengths(0, 5), "absurd lengths"),
        (lengths(5, 0), "absurd lengths"),
        (lengths(2**20, 2**20), "cut short"),
        (lengths(1000, 5, bytes(1000)), "absurd lengths"),
        (lengths(10, 10, bytes(10)), "damaged"),
        (certify.block(b"\x00\x00" * 100_000), "unpacks more than 64-fold"),
        (certify.block(b"\x80"), "does not end"),
        (certify.block(b"\x80\x80\x80\x80\x80\x80\x01"), "does not end"),
        (certify.block(b"\x00\x05\x00"), "not complete"),
        (certify.block(b"\x00"), "not complete"),
        (certify.block(b"\x03\x00"), "not complete"),
        (certify.block(b"\x00\x01\x63"), "names antecedent 99"),
        (certify.block(b"\x00\x01\xff\xff\xff\xff\x7f"), "names antecedent"),
        (certify.block(b"\x00\x09" + bytes(range(9))), "has more than"),
    ],
)
def test_hostile_blocks(case: certify.Case, block: bytes, reason: str) -> None:
    assert reason in refusal(case, blocks(case, block))


def test_a_block_that_is_longer_than_it_says(case: certify.Case) -> None:
    packed = zlib.compress(bytes(range(100)) * 100)
    for claimed in (9_000, 10_001):
        data = blocks(case, lengths(len(packed), claimed, packed))
        assert "does not have the length" in refusal(case, data)


def test_more_behind_the_stream_of_a_block(case: certify.Case) -> None:
    packed = zlib.compress(bytes(range(200))) + b"more"
    data = blocks(case, lengths(len(packed), 200, packed))
    assert "does not have the length" in refusal(case, data)


PROGRAM = """
import resource, sys
sys.path.insert(0, sys.argv[3])
from surelist.checker import VerificationError, verify
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 30), size + (1 << 30)))
columns = {f"f{k}": [0, 1] * 5 for k in range(6)}
try:
    verify(sys.argv[1], columns, ["no", "yes"] * 5)
except VerificationError as error:
    print(error)
"""


def within_a_gigabyte(path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), "", str(HELPERS)],
        capture_output=True,
        text=True,
        env={"OPENBLAS_NUM_THREADS": "1"},
        check=True,
    )
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"a": [' + b"[]," * 4_000_000 + b"0]}", "too many values"),
        (b'{"a": "' + b"x" * (63 << 20) + b'"}', "'format' is missing"),
        (b"x" * (65 << 20), "longer than 64 MiB"),
        (b'{"a": [' + b"[]," * 1_300_000 + b"0]}", "'format' is missing"),
    ],
    ids=["values", "text", "length", "lists"],
)
def test_large_headers_take_bounded_memory(tmp_path: Path, text: bytes, reason: str) -> None:
    path = tmp_path / "proof.cert"
    path.write_bytes(line(text))
    assert reason in within_a_gigabyte(path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm")
def test_prefixes_that_unpack_far_take_bounded_memory(tmp_path: Path) -> None:
    """Prefixes that share nearly all with the one before: few bytes, long paths."""
    m = 2000
    header = copy.deepcopy(certify.prove(certify.draw(1, version=1), 1).header)  # type: ignore[union-attr]
    clause = {"condition": {"kind": "is_true", "column": "f0"}, "negated": False}
    header |= {"antecedents": [[clause]] * m, "prices": None, "n_rows": 10}
    header |= {"classes": ["no", "yes"], "costs": None}
    header["constraints"] |= {"first": [], "required": [], "forbidden": [], "rule_labels": None}
    header["constraints"]["max_length"] = None
    header["weights"] = {"kind": "unit", "sample_weight": False, "class_weight": None}
    header["rule_list"] = {"prefix": [], "labels": [], "default_label": 0}
    header |= {"objective": "1/2", "lower_bound": "1/2", "regularization": "1/100"}
    rows = [bytes([255 * bit] * (m // 8)) for bit in (0, 1)]
    data = b"surelist data 1\n" + struct.pack("<QQ", m, 2)
    data += rows[0] + struct.pack("<IQ", 0, 5) + rows[1] + struct.pack("<IQ", 1, 5)
    header["fingerprint"] = hashlib.sha256(data).hexdigest()
    raw = certify.varint(0) + certify.varint(m) + b"".join(map(certify.varint, range(m)))
    raw += b"".join(
        certify.varint(1900 + k % 100) + certify.varint(1) + certify.varint(k * 7919 % m)
        for k in range(4000)
    )
    header["counts"] = {"closed_prefixes": 4001}
    text = json.dumps(header).encode()
    path = tmp_path / "proof.cert"
    path.write_bytes(certify.seal(MAGIC + text + b"\n" + certify.block(raw)))
    assert within_a_gigabyte(path).startswith("Refused: the proof is not complete")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/statm")
@pytest.mark.parametrize("many", ["antecedents", "required", "classes"])
def test_absurd_sizes_take_bounded_memory(tmp_path: Path, many: str) -> None:
    """Small files that ask for large tables: they are refused before these are made."""
    header = copy.deepcopy(certify.prove(certify.draw(1, version=1), 1).header)  # type: ignore[union-attr]
    m = 20_000 if many != "classes" else 200
    clause = {"condition": {"kind": "is_true", "column": "f0"}, "negated": False}
    names = ["no", "yes", *map(str, range(4000 if many == "classes" else 0))]
    header |= {"antecedents": [[clause]] * m, "prices": None, "n_rows": 10, "classes": names}
    limits: dict[str, Any] = {
        "first": [],
        "required": [],
        "forbidden": [],
        "rule_labels": None,
        "max_length": None,
    }
    if many == "required":
        limits["required"] = list(range(m))
    header["weights"] = {"kind": "unit", "sample_weight": False, "class_weight": None}
    header |= {"constraints": limits, "costs": None, "regularization": "1/100"}
    header["rule_list"] = {"prefix": [], "labels": [], "default_label": 0}
    header |= {"objective": "1/2", "lower_bound": "1/2", "counts": {"closed_prefixes": 0}}
    data = b"surelist data 1\n" + struct.pack("<QQ", m, len(names))
    for code, byte in enumerate((0, 255)):
        data += bytes([byte] * (m // 8)) + struct.pack("<IQ", code, 5)
    header["fingerprint"] = hashlib.sha256(data).hexdigest()
    path = tmp_path / "proof.cert"
    path.write_bytes(certify.seal(MAGIC + json.dumps(header).encode() + b"\n"))
    found = within_a_gigabyte(path)
    assert found.startswith(("Refused: the rule list lacks", "Refused: the proof is not complete"))


def test_a_file_that_changes_while_it_is_read(
    case: certify.Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every state that others lean on has to be seen a second time."""
    module = import_module("surelist.checker")
    path = tmp_path / "proof.cert"
    path.write_bytes(certify.to_bytes(case))
    original = module._Proof.read

    def read_and_replace(proof: Any) -> None:
        original(proof)
        fewer = copy.deepcopy(case)
        fewer.closed = fewer.closed[:1]
        path.write_bytes(certify.to_bytes(fewer))

    monkeypatch.setattr(module._Proof, "read", read_and_replace)
    with pytest.raises(VerificationError, match="changed while it was read"):
        verify(path, case.columns, case.y, checker="reference")  # the fast one reads it once


def test_the_limit_on_memory_is_felt() -> None:
    """The bound in these tests would stop a checker that reads without looking."""
    program = PROGRAM.split("columns =")[0] + "bytearray(2 << 30)"
    done = subprocess.run(
        [sys.executable, "-c", program, "", "", "."], capture_output=True, text=True
    )
    assert "MemoryError" in done.stderr
    assert resource.RLIMIT_AS is not None


# What a stranger tried.

COLUMNS = {"x0": [1] * 50 + [0] * 50, "x1": [1] * 40 + [0] * 60}


def only_some_labels(classes: list[Any], y: list[Any], rule_label: int) -> bytes:
    """A certificate that lists whose rules predict one class alone have objective 1/2 at least.

    It has the empty list, and the empty prefix is all that is closed.
    """
    meant = ["a", "nobody", "b"]
    header: dict[str, Any] = {
        "format": "surelist certificate",
        "version": 1,
        "columns": list(COLUMNS),
        "classes": meant,
        "n_rows": len(y),
        "weights": {"kind": "unit", "sample_weight": False, "class_weight": None},
        "costs": None,
        "antecedents": [
            [{"condition": {"kind": "is_true", "column": name}, "negated": False}]
            for name in COLUMNS
        ],
        "regularization": "1/100",
        "prices": None,
        "constraints": {
            "max_length": None,
            "rule_labels": [rule_label],
            "first": [],
            "required": [],
            "forbidden": [],
        },
        "rule_list": {"prefix": [], "labels": [], "default_label": 0},
        "objective": "1/2",
        "lower_bound": "1/2",
        "counts": {"closed_prefixes": 1},
        "status": "optimal",
    }
    made = certify.Case(COLUMNS, ["a"] * 50 + ["b"] * 50, None, header, [()])
    header["fingerprint"] = certify.fingerprint(made)
    header["classes"] = classes
    return certify.assemble(header, [[()]])


@pytest.mark.parametrize(
    "classes",
    [[True, 1, 0], [{"float": "1.0"}, 1, 0], [1, "1", 0]],
    ids=["bool", "float", "text"],
)
def test_classes_that_are_equal_or_look_alike_are_refused(classes: list[Any]) -> None:
    y = [1] * 50 + [0] * 50
    with pytest.raises(VerificationError, match=r"not different|two classes of the certificate"):
        verify(only_some_labels(classes, y, 1), COLUMNS, y)


def test_classes_of_csv_cells_are_refused_where_one_cell_is_two(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    rows = zip(*COLUMNS.values(), ["1.0"] * 50 + ["0.0"] * 50, strict=True)
    path.write_text("x0,x1,y\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    certificate = only_some_labels(["1.0", 1, "0.0"], ["1.0"] * 50 + ["0.0"] * 50, 1)
    with pytest.raises(VerificationError, match="two classes of the certificate"):
        verify(certificate, path, label="y")


@pytest.mark.parametrize("name", ["a or b", "a ", "b has objective below 0.5"])
def test_names_of_classes_are_quoted_in_what_is_said(name: str) -> None:
    y = ["a"] * 50 + ["b"] * 50
    said = str(verify(only_some_labels(["a", name, "b"], y, 1), COLUMNS, y))
    assert f"whose rules predict {name!r} has" in said


def test_what_is_masked_or_of_another_shape_is_refused(case: certify.Case) -> None:
    data, n = certify.to_bytes(case), len(case.y)
    masking: Any = np.ma
    masked = masking.array(case.y, mask=[1] + [0] * (n - 1))
    table = np.array(list(case.columns.values())).T
    hidden = masking.array(table, mask=np.ones(table.shape))
    number: Any = 2
    tried: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        ((data, case.columns, masked), {}, "masked"),
        ((data, hidden, case.y), {}, "masked"),
        ((data, case.columns, [case.y, case.y]), {}, "one value for each row"),
        ((data, case.columns, np.array([case.y, case.y]).T), {}, "one value for each row"),
        ((data, [[1], [1, 2]], case.y), {}, "X is no table"),
        ((data, case.columns), {"label": number}, "label must be the name of a column"),
        (("a\0b", case.columns), {"label": "y"}, "is no path"),
        ((data, "a\0b"), {"label": "y"}, "is no path"),
    ]
    for arguments, named, reason in tried:
        with pytest.raises(DataError, match=reason):
            verify(*arguments, **named)


def test_many_columns_of_one_name_take_no_time(case: certify.Case, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("x," * 100_000 + "y\n" + "1," * 100_000 + "a\n")
    with pytest.raises(DataError, match="no column"):
        verify(certify.to_bytes(case), path, label="label")


def test_packed_text_that_unpacks_absurdly_far_is_not_read(
    case: certify.Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"x,y\n" + b"1,a\n0,b\n" * (1 << 20)))
    monkeypatch.setattr(import_module("surelist.checker"), "MOST_UNPACKED", 1 << 20)
    with pytest.raises(DataError, match="unpacks from"):
        verify(certify.to_bytes(case), path, label="y")
    monkeypatch.setenv("SURELIST_MOST_UNPACKED", str(1 << 30))
    with pytest.raises(DataError, match="no column"):
        verify(certify.to_bytes(case), path, label="y")


def test_rows_far_beyond_those_of_the_certificate_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("x0,x1,y\n" + "1,1,a\n" * 400_000)
    certificate = only_some_labels(["a", "nobody", "b"], ["a"] * 100, 1)
    with pytest.raises(
        VerificationError, match=r"more than 1\d+ rows; the certificate is about 100"
    ):
        verify(certificate, path, label="y")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("json_too", [False, True])
def test_alone_it_speaks_in_any_encoding(tmp_path: Path, encoding: str, json_too: bool) -> None:
    data, certificate = tmp_path / "data.csv", tmp_path / "proof.cert"
    labels = ["a"] * 50 + ["b"] * 50
    rows = zip(*COLUMNS.values(), labels, strict=True)
    data.write_text("x0,x1,y\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    certificate.write_bytes(only_some_labels(["a", "nobody", "b"], labels, 1))
    program = [sys.executable, str(import_module("surelist.checker").__file__)]
    command = [*program, str(certificate), str(data), "--label", "y"] + ["--json"] * json_too
    environment = {"PYTHONIOENCODING": encoding}
    done = subprocess.run(command, env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"has objective below 0.5" in done.stdout
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 2
        assert done.stderr.startswith(b"verify: standard output: ")
