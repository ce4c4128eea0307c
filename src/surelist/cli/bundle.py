"""``surelist bundle``: everything about a rule list but the data, in one file for an auditor."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli import exit_codes
from surelist.cli.apply_model import ModelFile, read_model
from surelist.cli.data import open_source, relabelling, tell_notes
from surelist.cli.options import (
    DataOptions,
    OutputOptions,
    ProvenLabelFlag,
    RelabelOptions,
    with_flag_groups,
)
from surelist.cli.printing import fail, print_json
from surelist.cli.writing import claim, write_bytes
from surelist.errors import InputError
from surelist.runs.relabel import MADE_LABELS, Relabelling, relabelled

if TYPE_CHECKING:
    from surelist.certificate.certificate import Certificate
    from surelist.checker import Verification
    from surelist.runs.rows import Rows, Source

__all__ = ["bundle"]

# Parameters that the command in a report does not repeat.
_BEYOND_FLAGS = (
    *("binarizer", "antecedents", "first", "required", "forbidden", "cost_matrix", "dnf"),
    *("antecedent_costs", "laplace"),
)


@with_flag_groups
def bundle(
    *,
    model: ModelFile,
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="Its certificate.", show_default=False)
    ],
    data: DataOptions,
    label: ProvenLabelFlag = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="COLUMN",
            help="A column whose groups the report compares; may be repeated.",
            show_default=False,
        ),
    ] = None,
    relabel: RelabelOptions,
    output: OutputOptions,
) -> None:
    """Pack report, model, certificate, checker and hashes into one file for an auditor.

    The certificate is checked against the data first; one that is refused is not packed. The data
    themselves are not in the bundle. The same files give the same bundle, byte for byte.
    """
    from surelist.checker import DataError, VerificationError

    target = output.output or Path("bundle.zip")
    claim(output.force, target, inputs=[*data.files, model, certificate])
    try:
        packed, proven = _packed(model, certificate, data, label, group or [], relabelling(relabel))
    except VerificationError as error:
        raise typer.Exit(fail(str(error), exit_codes.REFUSED, output.json)) from None
    except (DataError, OSError) as error:
        raise InputError(f"{certificate}: {error}") from None
    write_bytes(target, packed, output.force)
    if output.json:
        print_json({"bundle": str(target), "bytes": len(packed), "statement": proven.statement})
    else:
        sys.stdout.write(f"{proven}\nbundle   {target}, {len(packed):,} bytes\n")


def _packed(
    model: Path,
    path: Path,
    data: DataOptions,
    label: str | None,
    groups: list[str],
    how: Relabelling,
) -> tuple[bytes, Verification]:
    from surelist.audit.claimed_list import model_differs
    from surelist.audit.compare_data import label_column
    from surelist.audit.model_counts import counts_differ
    from surelist.certificate.certificate import Certificate
    from surelist.checker import VerificationError
    from surelist.fairness_checker import is_fair_certificate

    if is_fair_certificate(path):
        raise InputError(
            f"{path} is a proof of a fair list, which bundles do not hold: hand on the model and "
            "the certificate; surelist verify checks it"
        )
    saved, certificate = read_model(model), Certificate.load(path)
    source = open_source(data)
    if not source.is_corels:
        label = label or label_column(certificate, source)
    source = relabelled(source, label, how)
    rows = _rows(source, label, saved.model)
    reason = model_differs(certificate, saved.rule_list)
    reason = reason or counts_differ(certificate, saved.rule_list, source, label)
    if reason is not None:
        raise VerificationError(f"Refused: {reason}")
    proven = _verified(certificate, data, source, label, how)
    tell_notes(source.table)
    settings = _settings(saved.model, rows, label, groups) | {"relabel": how.to_dict()}
    return _bundle(saved.model, model, certificate, data, rows, settings, proven), proven


def _rows(source: Source, label: str | None, model: Any) -> Rows:
    """Return the rows with the columns that the model was learned from."""
    from surelist.runs.rows import Columns, choose_columns

    names = [str(name) for name in getattr(model, "feature_names_in_", source.table.names)]
    out = [name for name in source.table.names if name not in {*names, label}]
    return choose_columns(source, Columns(label, left_out=out))


def _verified(
    certificate: Certificate,
    data: DataOptions,
    source: Source,
    label: str | None,
    how: Relabelling,
) -> Verification:
    from surelist.audit.check_data import check_certificate

    csv = None
    if data.data is not None and not how:
        from surelist.cli.options import EngineOptions
        from surelist.cli.verify import csv_file

        csv = csv_file(data, EngineOptions(), None)
    proven = check_certificate(certificate, source, label, csv)
    return replace(proven, reader=MADE_LABELS) if how else proven


def _settings(model: Any, rows: Rows, label: str | None, groups: list[str]) -> dict[str, Any]:
    """Return the settings of a model as the page keeps them, for report and commands."""
    given = model.parameters
    roles = {
        name: "protected" if name in groups else "leave_out"
        for name in rows.source.table.names
        if name not in rows.table.names and name != label
    }
    for name in groups:
        rows.source.table.require(name, "group")
    memory = given.get("memory_limit")
    same = ("max_clauses", "negations", "min_support", "max_length", "policy", "symmetry")
    return {
        **{name: given.get(name) for name in (*same, "class_weight", "time_limit")},
        "regularization": f"{float(model.rule_list_.regularization):.12g}",
        "label": label,
        "roles": roles,
        "groups": groups,
        "bounds": None if given.get("bounds") == "all" else given.get("bounds"),
        "memory_limit_mb": memory / 1_000_000 if isinstance(memory, int) else None,
    }


def _bundle(
    model: Any,
    path: Path,
    certificate: Certificate,
    data: DataOptions,
    rows: Rows,
    settings: dict[str, Any],
    proven: Verification,
) -> bytes:
    from surelist.audit.check_data import verification_fields
    from surelist.runs.commands import verify_command
    from surelist.web.audit_facts import RunFiles, audit_facts, bundle_of_run
    from surelist.web.report import report

    paths = [each for each in data.files if each is not None]
    names = [each.name for each in paths]
    about = {
        "name": f"{settings['label'] or rows.label}, λ = {settings['regularization']}",
        "dataset": names[0],
        "settings": settings,
        "files": names,
        "missing": list(data.missing or ()),
        "verification": verification_fields(proven),
        "held_out": None,
        "verify_command": verify_command("bundle.zip", names, settings),
        "reproducible": all(not model.parameters.get(name) for name in _BEYOND_FLAGS),
    }
    assert certificate.path is not None
    files = RunFiles(path, certificate.path, paths)
    facts = audit_facts(files, about)
    result = _result(model, rows, settings, proven)
    text = report({**about, "facts": facts}, result, _pictures(model))
    return bundle_of_run(files, about, facts, text, rows.source)


def _result(
    model: Any, rows: Rows, settings: dict[str, Any], proven: Verification
) -> dict[str, Any]:
    from surelist.estimators.result_json import result_fields
    from surelist.web.results import result_document

    # A model file does not hold the antecedents; the proof says how many there were.
    fields = result_fields(model) | {"antecedents": proven.n_antecedents}
    return result_document(model, fields, rows, settings)


def _pictures(model: Any) -> dict[str, str]:
    """Draw what the report shows; nothing where matplotlib is not installed."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError:
        return {}
    from surelist.web.downloads import picture

    names = ("rules", "search") if len(model.trace_.time) else ("rules",)
    return {name: picture(model, name, "svg").decode() for name in names}
