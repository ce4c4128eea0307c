"""The auditor's door through the page's requests: what is proven, and what is refused."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import openpyxl
import psutil
import pytest
from web_server import Page, compas_csv, until

from surelist.audit.zip_files import zip_bytes

SETTINGS: dict[str, Any] = {
    "label": "recidivated",
    "roles": {"race": "protected", "sex": "protected", "id": "leave_out", "name": "leave_out"},
    "regularization": "0.02",
}
TABLE = compas_csv(400)


@pytest.fixture(scope="module")
def files(page: Page) -> dict[str, bytes]:
    """What an auditor may be handed."""
    run = page.wait(page.run(page.dataset(TABLE, "people.csv"), **SETTINGS))["id"]
    return {
        name: page.client.get(f"/api/runs/{run}/downloads/{name}").content
        for name in ("certificate.cert", "model.json", "bundle.zip")
    }


def audit(page: Page, *files: tuple[str, bytes], label: str | None = None) -> Any:
    """Hand files in; return the answer."""
    ids = []
    for name, data in files:
        answer = page.client.post("/api/uploads", params={"name": name}, content=data)
        ids.append(answer.json()["id"])
    return page.client.post("/api/audits", json={"uploads": ids, "label": label})


def found(page: Page, *files: tuple[str, bytes], label: str | None = None) -> Any:
    answer = audit(page, *files, label=label)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_certificate_with_its_data(page: Page, files: dict[str, bytes]) -> None:
    said = found(page, ("c", files["certificate.cert"]), ("people.csv", TABLE))
    assert said["verdict"]["state"] == "verified"
    assert said["verdict"]["statement"].startswith("Verified: no rule list over these")
    assert said["verdict"]["reader"] == "the checker's own CSV reader"
    assert said["data"]["label"] == "recidivated"
    assert [each["role"] for each in said["files"]] == ["certificate", "data"]
    assert sum(rule["captured"] for rule in said["list"]["rules"]) == 400
    assert {each["column"] for each in said["groups"]} >= {"race", "sex"}
    assert said["not_proven"]
    right = sum(said["confusion"][i][i] for i in range(2))
    assert said["accuracy"] == right / 400


def test_a_bundle_with_its_data(page: Page, files: dict[str, bytes]) -> None:
    said = found(page, ("bundle.zip", files["bundle.zip"]), ("people.csv", TABLE))
    assert said["verdict"]["state"] == "verified"
    assert said["bundle"]["same_file"] is True
    assert said["model"] == {"same": True, "reason": None}


def test_without_data_nothing_is_checked_but_the_claim_is_shown(
    page: Page, files: dict[str, bytes]
) -> None:
    said = found(page, ("c", files["certificate.cert"]))
    assert said["verdict"]["state"] == "unchecked"
    assert any(line.startswith("Claim: ") for line in said["claim"])
    assert said["list"]["rules"][0]["head"] == "if"
    assert "captured" not in said["list"]["rules"][0]


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ((b"\n5,", b"\n5,5,"), None),
        ((b",age,", b",years,"), "the data have no column 'age'"),
        ((b",no\n", b",perhaps\n"), "has the label 'perhaps', which is no class"),
    ],
)
def test_data_that_cannot_be_right(
    page: Page, files: dict[str, bytes], change: tuple[bytes, bytes], differs: str | None
) -> None:
    other = TABLE.replace(*change, 1)
    given = (("c", files["certificate.cert"]), ("people.csv", other))
    answer = audit(page, *given, label="recidivated")
    if differs is None:  # a line with one field more than the header
        assert answer.status_code == 422
        assert "line 7" in answer.json()["error"]
        return
    verdict = answer.json()["verdict"]
    assert verdict["state"] == ("unchecked" if "column" in differs else "refused")
    assert differs in f"{verdict['statement']} {verdict.get('differs')}"


def test_a_changed_cell_is_placed_as_far_as_the_files_allow(
    page: Page, files: dict[str, bytes]
) -> None:
    lines = TABLE.splitlines(keepends=True)
    # Somebody old without priors, whom no rule captures; made young.
    at = next(n for n in range(201, 300) if re.search(rb",[45]\d,0,", lines[n]))
    other = b"".join([*lines[:at], re.sub(rb",\d\d,0,", b",19,0,", lines[at]), *lines[at + 1 :]])
    data = ("people.csv", other)
    bundled = found(page, ("b.zip", files["bundle.zip"]), data)["verdict"]
    assert bundled["state"] == "refused"
    assert "fingerprint" in bundled["statement"]
    assert bundled["differs"] == "the column 'age' differs, first in rows 201 to 300"
    alone = found(page, ("c", files["certificate.cert"]), data)["verdict"]
    assert alone["state"] == "refused"
    assert alone["differs"] is None
    modelled = found(page, ("c", files["certificate.cert"]), ("m", files["model.json"]), data)
    assert re.search(r"rule \d captures \d+ rows instead of", modelled["verdict"]["differs"])


def test_a_model_of_another_list(page: Page, files: dict[str, bytes]) -> None:
    run = page.run(page.dataset(TABLE, "people.csv"), **SETTINGS | {"regularization": "0.2"})
    page.wait(run)
    other = page.client.get(f"/api/runs/{run}/downloads/model.json").content
    said = found(page, ("c", files["certificate.cert"]), ("m", other), ("people.csv", TABLE))
    assert said["verdict"]["state"] == "verified"
    assert said["model"]["same"] is False
    assert "the certificate" in said["model"]["reason"]


def test_a_wrong_label_is_refused_and_another_can_be_chosen(
    page: Page, files: dict[str, bytes]
) -> None:
    said = found(page, ("c", files["certificate.cert"]), ("people.csv", TABLE), label="sex")
    assert said["verdict"]["state"] == "refused"
    assert "recidivated" in said["data"]["candidates"]


def test_of_several_columns_with_the_classes_the_one_that_fits_is_taken(
    page: Page, files: dict[str, bytes]
) -> None:
    certificate = ("c", files["certificate.cert"])
    head, *lines = TABLE.splitlines()
    turned = {b"yes": b"no", b"no": b"yes"}
    # Another column of the same classes stands before the labels.
    rows = [line.replace(b",", b"," + turned[line.rpartition(b",")[2]] + b",", 1) for line in lines]
    both = b"\n".join([head.replace(b",", b",opposite,", 1), *rows]) + b"\n"
    said = found(page, certificate, ("both.csv", both))
    assert said["verdict"]["state"] == "verified"
    assert said["data"]["label"] == "recidivated"
    # Of other data it cannot be told; the columns that were tried are named.
    other = both.replace(b",yes\n", b",no\n", 1)
    said = found(page, certificate, ("other.csv", other))
    assert said["verdict"]["state"] == "unchecked"
    assert said["verdict"]["tried"] == ["opposite", "recidivated"]
    assert said["data"]["candidates"][:2] == ["opposite", "recidivated"]


def test_a_damaged_proof_is_refused(page: Page, files: dict[str, bytes]) -> None:
    proof = bytearray(files["certificate.cert"])
    proof[-40] ^= 1
    said = found(page, ("c", bytes(proof)), ("people.csv", TABLE))
    assert said["verdict"]["state"] == "refused"
    assert said["verdict"]["statement"].startswith("Refused: ")


def test_hostile_and_foreign_files_are_refused_without_a_path(
    page: Page, files: dict[str, bytes]
) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b"\0" * 80_000_000)
        archive.writestr("certificate.cert", b"")
    bad = {
        "bomb": (bomb.getvalue(), "too large"),
        "path": (zip_bytes({"../../etc/passwd": b""}), "no part of a bundle"),
        "photos": (zip_bytes({"photo.jpg": b""}), "no part of a bundle"),
        "table": (TABLE, "no certificate among these files"),
        "cut": (files["bundle.zip"][:-500], "damaged"),
        "header": (b"surelist certificate 1\n{not json\n", "header"),
    }
    for name, (data, reason) in bad.items():
        answer = audit(page, (name, data))
        assert answer.status_code == 422, (name, answer.text)
        assert reason in answer.json()["error"], (name, answer.text)
        assert str(page.folder) not in answer.text
    forged = dict(read_zip(files["bundle.zip"]), **{"report.html": b"<h1>Fair!</h1>"})
    verdict = found(page, ("b.zip", zip_bytes(forged)), ("people.csv", TABLE))["verdict"]
    assert verdict["state"] == "refused"
    assert "report.html is not the file that the manifest names" in verdict["statement"]


def read_zip(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_labels_that_were_cut_are_cut_again(page: Page) -> None:
    """A number as the label, with rows that have none: from the search to the auditor."""
    rows = [f"{n % 13},{'' if n % 20 == 3 else 2 * (n % 13) + n % 3}" for n in range(200)]
    table = ("hours,points\n" + "\n".join(rows) + "\n").encode()
    relabel = {"cut": 12.0, "merge": {}, "skip_missing": True}
    data = page.dataset(table, "marks.csv")
    seen = page.post(
        f"/api/datasets/{data}/inspection", {"label": "points", "relabel": relabel}, status=200
    )
    assert seen["labels"]["left_out"] == 10
    assert {each["value"] for each in seen["labels"]["classes"]} == {"< 12", "≥ 12"}
    run = page.wait(page.run(data, label="points", relabel=relabel, regularization="0.05"))
    assert run["result"]["rows"] == 190
    assert run["result"]["classes"] == ["< 12", "≥ 12"]
    job = page.wait_for_job(run["id"], "verify")
    assert job["outcome"]["verified"], job
    assert "which made the labels" in job["outcome"]["reader"]
    assert "--label-cut 12 --skip-unlabelled" in run["verify_command"]
    bundle = page.client.get(f"/api/runs/{run['id']}/downloads/bundle.zip").content
    said = found(page, ("bundle.zip", bundle), ("marks.csv", table))
    assert said["verdict"]["state"] == "verified", said["verdict"]
    assert sum(rule["captured"] for rule in said["list"]["rules"]) == 190


def test_a_workbook_is_kept_as_the_text_of_its_sheet(page: Page) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for line in TABLE.decode().splitlines():
        book.active.append(line.split(","))
    made = io.BytesIO()
    book.save(made)
    answer = page.send(made.getvalue(), "people.xlsx")
    assert answer.status_code == 201, answer.text
    assert answer.json()["name"] == "people.csv"
    assert "the sheet 'Sheet' is kept as people.csv" in answer.json()["summary"]["notes"][0]
    assert page.client.get(f"/api/datasets/{answer.json()['id']}/file").content == TABLE
    assert page.send(zip_bytes({"photo.jpg": b"x"}), "photos.xlsx").status_code == 422


def test_a_check_says_how_far_it_is_and_can_be_cancelled(
    page: Page, files: dict[str, bytes]
) -> None:
    ids = []
    for name, data in (("c", files["certificate.cert"]), ("people.csv", TABLE)):
        answer = page.client.post("/api/uploads", params={"name": name}, content=data)
        ids.append(answer.json()["id"])
    at, body = f"/api/audits/{ids[0]}", {"uploads": ids, "label": None}
    nothing = {"running": False, "progress": None}
    assert page.get(at) == nothing
    found(page, ("c", files["certificate.cert"]))
    helpers = psutil.Process(page.process.pid).children()
    for helper in helpers:
        helper.suspend()  # as slow as can be
    with ThreadPoolExecutor(2) as pool:
        # Two ask, as after a reload; both wait for one answer.
        asked = [pool.submit(page.client.post, "/api/audits", json=body) for _ in range(2)]
        until(lambda: page.get(at) == {"running": True, "progress": None})
        assert page.client.delete(at).status_code == 204
        for reply in asked:
            assert reply.result().status_code == 409
            assert "cancelled" in reply.result().json()["error"]
    assert page.get(at) == nothing
    for helper in helpers:
        if helper.is_running():
            helper.resume()
    # The files are there as before, and so is a helper.
    again = page.client.post("/api/audits", json=body)
    assert again.json()["verdict"]["state"] == "verified"
    assert not list((page.folder / "uploads").glob("*.progress"))


def test_uploads_that_are_not_there(page: Page) -> None:
    answer = page.client.post("/api/audits", json={"uploads": ["0" * 16]})
    assert answer.status_code == 404
    assert page.client.post("/api/audits", json={"uploads": []}).status_code == 422


@pytest.mark.parametrize("kind", ["fair", "set", "needed"])
def test_proofs_of_other_claims_come_through_the_same_door(
    page: Page, tmp_path: Path, kind: str
) -> None:
    (tmp_path / "people.csv").write_bytes(TABLE)
    flags = {
        "fair": ["fit", "--fairness", "statistical_parity", "--sensitive", "sex", "-o", "m.json"],
        "set": ["alternatives", "--max-length", "2"],
        "needed": ["alternatives", "--max-length", "2", "--necessity", "age"],
    }[kind]
    command, *rest = flags
    proof = "--necessity-certificate" if kind == "needed" else "--certificate"
    some = ["--label", "recidivated", "--regularization", "0.02", "--max-clauses", "1"]
    program = [sys.executable, "-m", "surelist.cli", command, "people.csv", *rest, *some]
    subprocess.run([*program, proof, "x.cert"], cwd=tmp_path, check=True, capture_output=True)
    certificate = (tmp_path / "x.cert").read_bytes()
    said = found(page, ("x.cert", certificate), ("people.csv", TABLE))
    assert said["verdict"]["state"] == "verified", said["verdict"]
    assert said["data"]["label"] == "recidivated"
    assert said["list"]["rules"][-1]["head"] in ("else", "always")
    assert any(line.startswith("Claim: ") for line in said["claim"])
    fair_words = [line for line in said["not_proven"] if "in another sense" in line]
    assert bool(fair_words) == (kind == "fair")
    refused = found(
        page, ("x.cert", certificate), ("people.csv", TABLE.replace(b",yes\n", b",no\n", 5))
    )
    assert refused["verdict"]["state"] == "refused"
