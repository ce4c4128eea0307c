"""The page for auditors: a certificate or a bundle, the data and the model, and what they prove.

Everything here was made by others. The checker decides; the rest says in plain words what the claim
is about, how the list does on these rows, and what no proof can say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from surelist.audit.bundle import BundleError, UnpackedBundle, unpack_bundle
from surelist.audit.check_data import check_certificate, verification_fields
from surelist.audit.claimed_list import ClaimedRule, captured_by, claimed_rules, model_differs
from surelist.audit.compare_data import label_columns, what_differs
from surelist.audit.data_hashes import sha256_of_file
from surelist.audit.model_counts import counts_differ
from surelist.audit.zip_files import is_zip
from surelist.certificate.certificate import Certificate
from surelist.certificate.other_proof import OtherProof, open_proof
from surelist.checker import CsvFile, DataError, VerificationError
from surelist.errors import InputError
from surelist.estimators.model_json import read_model
from surelist.rule_list.rule_list import RuleList
from surelist.runs.relabel import MADE_LABELS, Relabelling, relabelled
from surelist.runs.rows import Columns, Source, choose_columns, read_corels
from surelist.tables.csv_text import delimiter_by_name
from surelist.tables.files import is_text, open_table
from surelist.web.dataset_files import check_bounds
from surelist.web.findings import findings_of
from surelist.web.limits import Limits
from surelist.web.results import confusion, groups_of
from surelist.web.wording import error_text

__all__ = ["audit_document"]

_MAGIC = re.compile(rb"surelist (\w+ )*certificate ")
_LONGEST_MAGIC = 40
_MOST_CANDIDATES = 60
_MOST_TRIED = 8  # columns that might hold the labels


@dataclass
class _Given:
    """The uploaded files, by their kind."""

    certificate: Path | None = None
    bundle: UnpackedBundle | None = None
    model: RuleList | None = None
    data: Path | None = None
    labels: Path | None = None
    data_name: str = ""
    progress: bool | Callable[[int, int], object] = False


def audit_document(
    files: Sequence[Mapping[str, str]],
    label: str | None,
    limits: Limits,
    progress: Callable[[int, int], object],
) -> dict[str, Any]:
    """Check the uploaded files, and return everything that the page says about them.

    Parameters
    ----------
    files : sequence of mappings
        "path" and the "name" that each came with.
    label : str, optional
        The column of labels. None: the one that a bundle names, or the one that holds the classes.
    limits : Limits
    progress : callable
        Told how many steps of the proof are checked, and of how many.

    Raises
    ------
    InputError
        Where there is nothing to check.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="surelist-audit-")))
        try:
            given, roles = _sort(files, folder)
            given.progress = progress
        except BundleError as error:
            return _document([], {"state": "refused", "statement": f"Refused: {error}."})
        if given.certificate is None:
            raise InputError(
                "there is no certificate among these files; a certificate of Surelist begins with "
                "the word “surelist”, and an audit bundle is a .zip"
            )
        return _audited(given, roles, label, limits)


def _sort(files: Sequence[Mapping[str, str]], folder: Path) -> tuple[_Given, list[dict[str, str]]]:
    """Find out by its content what each file is."""
    given, roles = _Given(), []
    for number, each in enumerate(files):
        path = Path(each["path"])
        with path.open("rb") as file:
            head = file.read(_LONGEST_MAGIC).lstrip()
        if _MAGIC.match(head):
            given.certificate, role = path, "certificate"
        elif is_zip(path):
            into = folder / str(number)
            into.mkdir()
            given.bundle, role = unpack_bundle(path, into), "bundle"
            given.certificate = given.bundle.certificate
            if given.bundle.model is not None and given.model is None:
                given.model = read_model(given.bundle.model).rule_list_
        elif head.startswith(b"{"):
            given.model, role = read_model(path).rule_list_, "model"
        elif given.data is not None:  # antecedents and labels in the CORELS text format
            first = "label" not in each["name"].lower()
            given.data, given.labels = (path, given.data) if first else (given.data, path)
            role = "data"
        else:
            given.data, given.data_name, role = path, each["name"], "data"
        roles.append({"name": each["name"], "role": role})
    return given, roles


def _audited(
    given: _Given, roles: list[dict[str, str]], label: str | None, limits: Limits
) -> dict[str, Any]:
    assert given.certificate is not None
    certificate = open_proof(given.certificate)
    rules = claimed_rules(certificate)
    about: dict[str, Any] = {
        "claim": certificate.summary().splitlines(),
        "fingerprint": certificate.fingerprint,
        "bundle": _bundle_facts(given),
        "model": _model_facts(certificate, given),
        "list": _listed(rules),
    }
    if given.data is None:
        text = "Nothing is checked yet: the data are missing."
        return _document(roles, {"state": "unchecked", "statement": text}) | about
    source, csv = _read(given, limits)
    how = Relabelling() if given.bundle is None else given.bundle.relabelling
    if how:
        named_label = label or (None if given.bundle is None else given.bundle.label)
        source, csv = relabelled(source, named_label, how), None
    named = label or (given.bundle.label if given.bundle is not None else None)
    if named is not None and named in source.table.names:
        fitting = [named]
    else:
        fitting = [] if source.is_corels else label_columns(certificate, source)
    chosen, verdict = _first_verified(certificate, given, source, fitting, csv)
    about["data"] = {
        "name": given.data_name,
        "rows": source.table.n_rows,
        "label": chosen,
        "candidates": list(dict.fromkeys([*fitting, *source.table.names]))[:_MOST_CANDIDATES],
    }
    if how and "reader" in verdict:
        verdict["reader"] = MADE_LABELS
    about["not_proven"] = _not_proven(certificate)
    if verdict["state"] == "verified" and rules is not None:
        about |= _on_these_rows(rules, source, chosen)
        if given.model is not None and about["model"]["same"]:
            reason = counts_differ(certificate, given.model, source, chosen)
            about["model"] = {"same": reason is None, "reason": reason}
    return _document(roles, verdict) | about


def _read(given: _Given, limits: Limits) -> tuple[Source, CsvFile | None]:
    """Read the data, and return them for the checker's own reader, too, if they are CSV text."""
    assert given.data is not None
    if given.labels is not None:
        for path in (given.data, given.labels):
            check_bounds(path, limits, lines=limits.columns)
        return read_corels(given.data, given.labels), None
    check_bounds(given.data, limits)
    missing = given.bundle.missing if given.bundle is not None else ()
    delimiter = delimiter_by_name(given.data_name)
    source = Source(open_table(given.data, delimiter=delimiter, missing=missing))
    if not is_text(given.data):
        return source, None
    return source, CsvFile(given.data.read_bytes(), delimiter, missing=missing)


def _first_verified(
    certificate: Certificate, given: _Given, source: Source, labels: list[str], csv: CsvFile | None
) -> tuple[str | None, dict[str, Any]]:
    """Return the column of labels and the verdict; of several that may be it, the one that fits.

    The fingerprint covers the labels, so that no other column can be taken for them.
    """
    if len(labels) == 1:
        return labels[0], _verdict(certificate, given, source, labels[0], csv)
    for label in labels[:_MOST_TRIED]:
        verdict = _verdict(certificate, given, source, label, csv)
        if verdict["state"] == "verified":
            return label, verdict
    return None, _verdict(certificate, given, source, None, csv) | {"tried": labels[:_MOST_TRIED]}


def _verdict(
    certificate: Certificate,
    given: _Given,
    source: Source,
    label: str | None,
    csv: CsvFile | None,
) -> dict[str, Any]:
    """Return what the checker says, and what differs first where it refuses."""
    if label is None and not source.is_corels:
        missing = what_differs(certificate, source, None)
        if missing is None:
            text = "Which column holds the labels?"
            return {"state": "unchecked", "statement": text, "choose_label": True}
        return {"state": "refused", "statement": f"Refused: {missing}.", "differs": None}
    try:
        proven = check_certificate(certificate, source, label, csv, given.progress)
    except VerificationError as error:
        expected = None if given.bundle is None else given.bundle.data.get("content")
        differs = what_differs(certificate, source, label, expected, given.model)
        return {"state": "refused", "statement": str(error), "differs": differs}
    except DataError as error:
        return {"state": "unchecked", "statement": f"The data cannot be used: {error}"}
    except InputError as error:
        differs = what_differs(certificate, source, label)
        return {"state": "refused", "statement": error_text(error), "differs": differs}
    return {"state": "verified", **verification_fields(proven)}


def _bundle_facts(given: _Given) -> dict[str, Any] | None:
    if given.bundle is None:
        return None
    manifest = given.bundle.manifest
    listed = given.bundle.data.get("files")
    named = [each.get("sha256") for each in listed or () if isinstance(each, dict)]
    same = None if given.data is None else sha256_of_file(given.data) in named
    versions = manifest.get("versions")
    return {
        "title": str(manifest.get("title", ""))[:200],
        "versions": versions if isinstance(versions, dict) else {},
        "same_file": same,
        "files": sorted(given.bundle.names),
    }


def _model_facts(certificate: Certificate, given: _Given) -> dict[str, Any] | None:
    if given.model is None:
        return None
    reason = model_differs(certificate, given.model)
    if reason is not None and isinstance(certificate, OtherProof) and certificate.kind != "fair":
        reason = f"{reason}; this proof names only the best list"
    return {"same": reason is None, "reason": reason}


def _listed(rules: list[ClaimedRule] | None) -> dict[str, Any] | None:
    """Return the rule list as the page shows one."""
    if rules is None:
        return None
    heads = ["if", *["else if"] * len(rules)][: len(rules) - 1]
    heads.append("else" if len(rules) > 1 else "always")
    return {
        "rules": [
            {"head": head, "clauses": list(texts), "label": label}
            for head, (_, texts, label) in zip(heads, rules, strict=True)
        ],
        "classes": sorted({label for _, _, label in rules}),
    }


def _on_these_rows(rules: list[ClaimedRule], source: Source, label: str | None) -> dict[str, Any]:
    """Return how the list does on these rows: counts, rates by group, and what to keep in mind."""
    rows = choose_columns(source, Columns(label))
    classes = [str(each) for each in rows.classes]
    by = captured_by(rules, source.table)
    codes = np.array([classes.index(str(each)) for each in rows.labels.tolist()], dtype=np.intp)
    own = np.array([classes.index(rule[2]) for rule in rules], dtype=np.intp)
    predicted = own[by]
    listed: Any = _listed(rules)
    for index, rule in enumerate(listed["rules"]):
        caught = by == index
        rule["captured"] = int(caught.sum())
        rule["correct"] = int((codes[caught] == own[index]).sum())
        rule["probability"] = rule["correct"] / max(1, rule["captured"])
    used = {condition.column for clauses, _, _ in rules for condition, _ in clauses}
    findings = [
        each | {"used": each["column"] in used}
        for each in findings_of(source, label)
        if (each["level"] == "warning" and each["column"] in used) or each["kind"] == "small_group"
    ]
    return {
        "list": listed | {"classes": classes},
        "accuracy": float((predicted == codes).mean()),
        "baseline": float(np.bincount(codes).max() / len(codes)),
        "confusion": confusion(codes, predicted, len(classes)),
        "groups": groups_of(rows, codes, predicted, {"label": label, "roles": {}}),
        "findings": findings,
    }


def _document(roles: list[dict[str, str]], verdict: dict[str, Any]) -> dict[str, Any]:
    return {
        "files": roles,
        "verdict": verdict,
        "claim": [],
        "list": None,
        "data": None,
        "bundle": None,
        "model": None,
        "groups": [],
        "findings": [],
        "not_proven": list(_NOT_PROVEN),
    }


_NOT_PROVEN = (
    "That the data are right, or that these are the rows that matter.",
    "That every column was known before the outcome.",
    "That other conditions, cuts or longer antecedents would not give a better list.",
    "That the list does as well on rows that it has not learned from.",
    "That the list is fair. Rates by group are counts, and no claim of the certificate.",
)


def _not_proven(certificate: Certificate) -> list[str]:
    """Return what not to take for proven; of a fair list, something is proven about groups."""
    if isinstance(certificate, OtherProof) and certificate.kind == "fair":
        other = "That the list is fair in another sense than that of the proof, or on other rows."
        return [*_NOT_PROVEN[:-1], other]
    return list(_NOT_PROVEN)
