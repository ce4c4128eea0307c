"""Facts in a report and a bundle beside the result: hashes, conditions, how to reproduce it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surelist._common.version import version
from surelist.audit.bundle import bundle_bytes, checkers_of, data_file
from surelist.audit.compare_data import hashes_of
from surelist.audit.data_hashes import sha256_of_file
from surelist.certificate.certificate import Certificate, conditions_of
from surelist.errors import FormatError
from surelist.runs.commands import WRITTEN_FLAGS, checker_command, fit_command, verify_command
from surelist.runs.relabel import Relabelling
from surelist.runs.rows import Source

__all__ = ["RunFiles", "audit_facts", "bundle_of_run"]

_BUNDLE = "bundle.zip"


@dataclass(frozen=True)
class RunFiles:
    """Where the files of a run are.

    Attributes
    ----------
    model, certificate : Path
    data : sequence of Path
        The table; or antecedents and labels in the CORELS text format.
    """

    model: Path
    certificate: Path
    data: Sequence[Path]


def audit_facts(files: RunFiles, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return hashes, conditions and commands of a run, for its report."""
    facts: dict[str, Any] = {
        "version": version(),
        "data_files": [
            data_file(kept, shown) for kept, shown in zip(files.data, about["files"], strict=True)
        ],
        "reproduce": _reproduce(about),
        "hashes": {"model.json": sha256_of_file(files.model)},
        "conditions": {},
        "fingerprint": None,
    }
    if files.certificate.exists():
        certificate = Certificate.load(files.certificate)
        facts["hashes"]["certificate.cert"] = sha256_of_file(files.certificate)
        facts["fingerprint"] = certificate.fingerprint
        facts["claim"] = certificate.summary()
        facts["conditions"] = _conditions(certificate)
    return facts


def _reproduce(about: Mapping[str, Any]) -> str | None:
    """Return the command that searches again; None where flags do not say it all."""
    if not about.get("reproducible", True):
        return None
    more = {"more_flags": [*about.get("more_flags", ()), *WRITTEN_FLAGS]}
    return fit_command(about["files"], _settings(about) | more)


def _settings(about: Mapping[str, Any]) -> dict[str, Any]:
    return dict(about["settings"]) | {"missing": about.get("missing") or []}


def _conditions(certificate: Certificate) -> dict[str, list[str]]:
    """Return what the antecedents ask, by column."""
    found: dict[str, list[str]] = {}
    try:
        for condition in conditions_of(certificate):
            texts = found.setdefault(condition.column, [])
            if str(condition) not in texts:
                texts.append(str(condition))
    except FormatError:  # another kind of certificate
        return {}
    return found


def bundle_of_run(
    files: RunFiles,
    about: Mapping[str, Any],
    facts: Mapping[str, Any],
    report: str,
    source: Source,
) -> bytes:
    """Return the audit bundle of a run, whose report and facts are known.

    ``source`` has the labels that the run had.
    """
    if not files.certificate.exists():
        raise FormatError("the search could not write a certificate", _BUNDLE)
    settings = _settings(about)
    label = settings.get("label")
    how = Relabelling.from_dict(settings.get("relabel"))
    manifest = {
        "title": about["name"],
        "claim": facts["claim"].splitlines(),
        "data": {
            "files": facts["data_files"],
            "label": label,
            "missing": settings["missing"],
            "fingerprint": facts["fingerprint"],
            "relabel": how.to_dict() if how else None,
            "content": hashes_of(Certificate.load(files.certificate), source, label),
        },
        "settings": settings,
        "reproduce": facts["reproduce"],
    }
    certificate, model = files.certificate.read_bytes(), files.model.read_bytes()
    commands = (
        verify_command(_BUNDLE, about["files"], settings),
        checker_command(about["files"], settings, checkers_of(certificate)[0]),
    )
    return bundle_bytes(certificate, model, report, manifest, commands)
