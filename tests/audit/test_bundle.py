"""Bundles: accepted with the right data, refused if a part was exchanged."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import Captured, run

from surelist.audit.bundle import BundleError, unpack_bundle
from surelist.audit.zip_files import zip_bytes
from surelist.errors import FormatError


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, a model, its certificate and its bundle."""
    folder = tmp_path_factory.mktemp("kept")
    rows = ["age,sex,race,member"]
    for number in range(240):
        age, sex = 18 + number % 60, "Male" if number % 3 else "Female"
        race = ("Black", "White", "Asian")[number % 7 % 3]
        member = "yes" if age < 30 or (sex == "Female" and age >= 60) else "no"
        rows.append(f"{age},{sex},{race},{member}")
    (folder / "people.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for command in (
        "fit people.csv --label member --drop race -o model.json --certificate proof.cert",
        "bundle model.json proof.cert people.csv --group race -o audit.zip",
    ):
        program = [sys.executable, "-m", "surelist.cli", *command.split()]
        subprocess.run(program, cwd=folder, check=True, capture_output=True)
    return folder


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def exchanged(kept: Path, folder: Path, **files: bytes) -> Path:
    """The bundle with other files; the manifest names the old ones."""
    path = folder / "other.zip"
    renamed = {name.replace("_", "."): data for name, data in files.items()}
    path.write_bytes(zip_bytes(contents(kept / "audit.zip") | renamed))
    return path


def rehashed(path: Path) -> Path:
    """The bundle with a manifest and a list of hashes of the files that it has."""
    files = contents(path)
    manifest = json.loads(files["manifest.json"])
    for name, about in manifest["files"].items():
        about |= {"sha256": hashlib.sha256(files[name]).hexdigest(), "bytes": len(files[name])}
    files["manifest.json"] = json.dumps(manifest).encode()
    path.write_bytes(zip_bytes(files | {"SHA256SUMS": sums(files)}))
    return path


def sums(files: dict[str, bytes]) -> bytes:
    """What sha256sum writes of the files but its own."""
    lines = [
        f"{hashlib.sha256(data).hexdigest()}  {name}\n"
        for name, data in sorted(files.items())
        if name != "SHA256SUMS"
    ]
    return "".join(lines).encode()


def test_the_same_files_give_the_same_bundle(kept: Path, tmp_path: Path, capfd: Captured) -> None:
    again = tmp_path / "again.zip"
    files = (kept / "model.json", kept / "proof.cert", kept / "people.csv")
    found = run(capfd, "bundle", *files, "--group", "race", "-o", again)
    assert found.code == 0
    assert again.read_bytes() == (kept / "audit.zip").read_bytes()


def test_one_command_checks_all_of_it(kept: Path, capfd: Captured) -> None:
    found = run(capfd, "verify", kept / "audit.zip", kept / "people.csv")
    assert found.code == 0
    assert found.out.startswith("Verified: no rule list over these")
    assert "The model in the bundle has the rule list that was proven." in found.out
    assert "The data file is the one that the bundle names, to the bit." in found.out
    machine = run(capfd, "verify", kept / "audit.zip", kept / "people.csv", "--json").json
    assert machine["bundle"]["data_file"] is True
    assert machine["bundle"]["model"] is True


def test_hashes_are_true_and_the_checker_runs_alone(kept: Path, tmp_path: Path) -> None:
    files = contents(kept / "audit.zip")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    lines = files["SHA256SUMS"].decode().splitlines()
    assert {line[66:]: line[:64] for line in lines} == {
        name: hashlib.sha256(data).hexdigest()
        for name, data in files.items()
        if name != "SHA256SUMS"
    }
    manifest = json.loads(files["manifest.json"])
    data = (kept / "people.csv").read_bytes()
    assert manifest["data"]["files"] == [
        {"name": "people.csv", "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    ]
    assert manifest["check"][0] in files["README.txt"].decode()
    alone = manifest["check"][1].split()
    (tmp_path / "people.csv").write_bytes(data)
    finished = subprocess.run(
        [sys.executable, "-I", *alone[1:]], cwd=tmp_path, capture_output=True, text=True
    )
    assert finished.stdout.startswith("Verified: no rule list"), finished.stderr


# A finder that knows no installed package of this name: the files of the bundle have to do.
ALONE = """\
import runpy, sys
class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "surelist":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Nowhere())
sys.path.insert(0, ".")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ("--max-clauses 1", "no rule list of up to 2 rules"),
        ("--max-clauses 2", "no rule list of up to 2 rules"),
        ("--max-clauses 1 --dnf 1", "no rule list, at any cut of 2 columns or by these"),
    ],
)
def test_the_checkers_of_all_cuts_run_alone(
    kept: Path, tmp_path: Path, flags: str, says: str
) -> None:
    rows = ["age,height,member"]
    rows += [f"{n % 23},{n % 17},{int((n % 23 > 9) ^ (n % 17 < 4))}" for n in range(150)]
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for command in (
        f"fit people.csv --label member --n-cuts all {flags} --max-length 2"
        " --regularization 0.02 -o model.json --certificate proof.cert",
        "bundle model.json proof.cert people.csv -o audit.zip",
        "verify audit.zip people.csv",
    ):
        program = [sys.executable, "-m", "surelist.cli", *command.split()]
        done = subprocess.run(program, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    files = contents(tmp_path / "audit.zip")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    alone = json.loads(files["manifest.json"])["check"][1]
    assert alone in files["README.txt"].decode()
    program = [sys.executable, "-c", ALONE, *alone.split()[1:]]
    finished = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.stdout.startswith(f"Verified: {says}"), finished.stderr
    assert "cuts_checker.py" not in contents(kept / "audit.zip")


def test_the_report_says_how_it_was_made(kept: Path) -> None:
    files = contents(kept / "audit.zip")
    report = files["report.html"].decode()
    manifest = json.loads(files["manifest.json"])
    for wanted in (
        "The independent checker says",
        "What rules could ask",
        "age &lt; 30",
        manifest["files"]["certificate.cert"]["sha256"],
        manifest["files"]["model.json"]["sha256"],
        manifest["data"]["files"][0]["sha256"],
        manifest["data"]["fingerprint"],
        "By race",
        "surelist fit people.csv --label member --drop race --regularization 0.01",
    ):
        assert wanted in report, wanted


def test_the_command_to_do_it_again_does_it_again(
    kept: Path, tmp_path: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = json.loads(contents(kept / "audit.zip")["manifest.json"])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_bytes((kept / "people.csv").read_bytes())
    assert run(capfd, *manifest["reproduce"].split()[1:]).code == 0
    assert (tmp_path / "certificate.cert").read_bytes() == (kept / "proof.cert").read_bytes()


def test_other_data_are_refused_and_the_place_is_named(
    kept: Path, tmp_path: Path, capfd: Captured
) -> None:
    lines = (kept / "people.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    other = tmp_path / "other.csv"
    lines[151] = "99,Female,White,yes\n"
    other.write_text("".join(lines), encoding="utf-8")
    found = run(capfd, "verify", kept / "audit.zip", other)
    assert found.code == 4
    assert "the columns 'age', 'member' differ, first in rows 101 to 200" in found.error
    other.write_text("".join(lines).replace("age,", "years,", 1), encoding="utf-8")
    assert "age" in run(capfd, "verify", kept / "audit.zip", other).err


def test_a_column_that_the_claim_does_not_use_may_differ(
    kept: Path, tmp_path: Path, capfd: Captured
) -> None:
    text = (kept / "people.csv").read_text(encoding="utf-8")
    other = tmp_path / "other.csv"
    other.write_text(text.replace("Asian", "Other"), encoding="utf-8")
    found = run(capfd, "verify", kept / "audit.zip", other)
    assert found.code == 0
    assert "The data file is not the one that the bundle names" in found.out


def test_an_exchanged_part_is_refused(kept: Path, tmp_path: Path, capfd: Captured) -> None:
    files = contents(kept / "audit.zip")
    model = files["model.json"].replace(b'"yes"', b'"no"')
    forged = exchanged(kept, tmp_path, model_json=model)
    found = run(capfd, "verify", forged, kept / "people.csv")
    assert found.code == 4
    assert "model.json is not the file that the manifest names" in found.error


def test_a_model_with_another_list_is_refused_though_its_hash_is_right(
    kept: Path, tmp_path: Path, capfd: Captured
) -> None:
    table, other = kept / "people.csv", tmp_path / "other.json"
    flags = ("--label", "member", "--drop", "race", "--max-length", "1")
    assert run(capfd, "fit", table, *flags, "-o", other).code == 0
    forged = rehashed(exchanged(kept, tmp_path, model_json=other.read_bytes()))
    found = run(capfd, "verify", forged, table)
    assert found.code == 4
    assert "the model has 1 rules, the certificate" in found.error
    refused = run(capfd, "bundle", other, kept / "proof.cert", table, "-o", tmp_path / "x.zip")
    assert refused.code == 4
    assert not (tmp_path / "x.zip").exists()


@pytest.mark.parametrize("change", ["exchange", "one more line", "line endings", "leave out"])
def test_a_list_of_hashes_that_is_not_that_of_the_files_is_refused(
    kept: Path, tmp_path: Path, capfd: Captured, change: str
) -> None:
    files, forged = contents(kept / "audit.zip"), tmp_path / "other.zip"
    good = files["SHA256SUMS"]
    if change == "leave out":
        del files["SHA256SUMS"]
    elif change == "exchange":
        files["SHA256SUMS"] = sums(files | {"model.json": b"another"})
    elif change == "one more line":
        files["SHA256SUMS"] = good + b"0" * 64 + b"  people.csv\n"
    else:
        files["SHA256SUMS"] = good.replace(b"\n", b"\r\n")
    forged.write_bytes(zip_bytes(files))
    found = run(capfd, "verify", forged, kept / "people.csv")
    assert found.code == 4
    assert "SHA256SUMS" in found.error


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("age < 30", "age < 40"), "says 'age < 40', but asks 'age < 30'"),
        (("age < 30", "young"), "says 'young', but asks 'age < 30'"),
        (("age", "years"), "other columns"),
    ],
)
def test_a_model_whose_words_are_not_what_it_asks_is_refused(
    kept: Path, tmp_path: Path, capfd: Captured, change: tuple[str, str], reason: str
) -> None:
    model = json.loads((kept / "model.json").read_bytes())
    listed, (old, new) = model["rule_list"], change
    if old in listed["columns"]:
        listed["columns"] = [*listed["columns"], new]
        model["feature_names_in"] = [*model["feature_names_in"], new]
        model["n_features_in"] += 1
    else:
        text = json.dumps(listed).replace(f'"{old}"', f'"{new}"')
        model["rule_list"] = json.loads(text)
        assert new in text
    forged = rehashed(exchanged(kept, tmp_path, model_json=json.dumps(model).encode()))
    found = run(capfd, "verify", forged, kept / "people.csv")
    assert found.code == 4, found.error
    assert reason in found.error
    other = tmp_path / "other.json"
    other.write_text(json.dumps(model), encoding="utf-8")
    table = kept / "people.csv"
    refused = run(capfd, "bundle", other, kept / "proof.cert", table, "-o", tmp_path / "x.zip")
    assert refused.code == 4
    assert reason in refused.error


def moved_counts(model: Any) -> None:
    """As many rows and mistakes as before, but other rules make them."""
    one, other = model["rule_list"]["rules"][-1], model["rule_list"]["default"]
    for rule, change in ((one, -1), (other, 1)):
        rule["weights"][rule["label"]] += change


def more_features(model: Any) -> None:
    model["rule_list"]["feature_names"].append("race = Black or so")


def fewer_features(model: Any) -> None:
    used = json.dumps(model["rule_list"]["rules"])
    names = model["rule_list"]["feature_names"]
    model["rule_list"]["feature_names"] = [name for name in names if json.dumps(name) in used]


def false_alias(model: Any) -> None:
    first, second = model["rule_list"]["rules"][:2]
    first["aliases"] = [second["clauses"]]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (moved_counts, "captured other rows of each class"),
        (more_features, "'race = Black or so', which is about no column"),
        (fewer_features, "was considered"),
        (false_alias, "is not the same as"),
    ],
)
def test_a_model_that_shows_other_numbers_or_names_is_refused(
    kept: Path,
    tmp_path: Path,
    capfd: Captured,
    change: Callable[[Any], None],
    reason: str,
) -> None:
    model = json.loads((kept / "model.json").read_bytes())
    change(model)
    data = json.dumps(model).encode()
    forged = rehashed(exchanged(kept, tmp_path, model_json=data))
    found = run(capfd, "verify", forged, kept / "people.csv")
    assert found.code == 4, found.out
    assert reason in found.error
    other = tmp_path / "other.json"
    other.write_bytes(data)
    files = (other, kept / "proof.cert", kept / "people.csv")
    refused = run(capfd, "bundle", *files, "-o", tmp_path / "x.zip")
    assert refused.code == 4
    assert reason in refused.error


def test_what_a_model_claims_beyond_its_proof_is_said(
    kept: Path, tmp_path: Path, capfd: Captured
) -> None:
    # A proof of another, worse list, with a gap; the model says that there is none.
    table, cert, out = kept / "people.csv", tmp_path / "gap.cert", tmp_path / "gap.json"
    flags = ("--label", "member", "--drop", "race", "--regularization", "0.0001")
    limits = ("--max-prefixes", "1", "--max-clauses", "1")
    assert run(capfd, "fit", table, *flags, *limits, "-o", out, "--certificate", cert).code == 3
    packed = tmp_path / "gap.zip"
    assert run(capfd, "bundle", out, cert, table, "-o", packed).code == 0
    assert "also claims" not in run(capfd, "verify", packed, table).out
    model = json.loads(out.read_bytes())
    model |= {"status": "optimal", "lower_bound": model["objective"], "proven_length": None}
    out.write_text(json.dumps(model), encoding="utf-8")
    packed.unlink()
    assert run(capfd, "bundle", out, cert, table, "-o", packed).code == 0
    found = run(capfd, "verify", packed, table)
    assert "The model also claims that it is optimal. The proof does not say so." in found.out


def test_a_certificate_of_another_claim_is_refused(
    kept: Path, tmp_path: Path, capfd: Captured
) -> None:
    proof = contents(kept / "audit.zip")["certificate.cert"].replace(b'"1/100"', b'"1/101"', 1)
    forged = rehashed(exchanged(kept, tmp_path, certificate_cert=proof))
    assert run(capfd, "verify", forged, kept / "people.csv").code == 4


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2}, "newer Surelist"),
        ({"format": "something"}, "not that of an audit bundle"),
        ({"files": []}, "names no files"),
        ({"files": {}}, "not in both"),
    ],
)
def test_odd_manifests(kept: Path, tmp_path: Path, change: dict[str, object], reason: str) -> None:
    files = contents(kept / "audit.zip")
    manifest = json.loads(files["manifest.json"]) | change
    path, into = tmp_path / "odd.zip", tmp_path / "into"
    path.write_bytes(zip_bytes(files | {"manifest.json": json.dumps(manifest).encode()}))
    into.mkdir()
    with pytest.raises((BundleError, FormatError), match=reason):
        unpack_bundle(path, into)


def test_what_is_no_bundle_says_so(tmp_path: Path, capfd: Captured, kept: Path) -> None:
    path = tmp_path / "photos.zip"
    path.write_bytes(zip_bytes({"photo.jpg": b"x"}))
    found = run(capfd, "verify", path, kept / "people.csv")
    assert found.code == 2
    assert "no part of a bundle" in found.error
    path.write_bytes(zip_bytes({"manifest.json": b"{}"}))
    assert "no certificate.cert" in run(capfd, "verify", path, kept / "people.csv").error
    for manifest in (b"{", b"[1, 2]", b"\xff\xfe", b'{"a": 1, "a": 2}'):
        path.write_bytes(zip_bytes({"manifest.json": manifest, "certificate.cert": b""}))
        assert run(capfd, "verify", path, kept / "people.csv").code == 2
