"""Downloads of a run: the model in other languages, pictures, tables, a report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surelist._common.files import put_files
from surelist._common.text_tables import csv_table
from surelist.runs.rows import Source
from surelist.web.dataset_files import cell_texts
from surelist.web.file_names import LABELS, RESULT, SOURCE
from surelist.web.run_description import captured_by, rows_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from surelist.estimators.classifier import RuleListClassifier
    from surelist.rule_list.rule_list import RuleList
    from surelist.tables.files import FileTable

__all__ = ["predicted_table", "safe_cell", "write_download"]

_LANGUAGES = {
    "rules.txt": "text",
    "rules.tex": "latex",
    "rules.py": "python",
    "rules.sql": "sql",
    "rules.dot": "dot",
}


def write_download(
    folder: Path,
    kind: str,
    about: Mapping[str, Any],
    model: RuleListClassifier,
    source: Source | None,
) -> None:
    """Write one download into the folder of its run.

    ``about`` describes the run, as in the report; ``source`` is its data, where they are needed.
    """
    if kind in _LANGUAGES:
        data = (model.export(_LANGUAGES[kind]) + "\n").encode()
    elif kind == "predictions.csv":
        assert source is not None
        data = _predictions(model, source, about["settings"]).encode()
    elif kind in ("report.html", "bundle.zip"):
        data = _report_or_bundle(folder, kind, about, model, source)
    else:
        name, _, form = kind.partition(".")
        data = picture(model, name, form)
    put_files({folder / kind: [data]})


def _report_or_bundle(
    folder: Path,
    kind: str,
    about: Mapping[str, Any],
    model: RuleListClassifier,
    source: Source | None,
) -> bytes:
    from surelist.web.audit_facts import RunFiles, audit_facts, bundle_of_run
    from surelist.web.report import report

    result = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    result["held_out"] = about["held_out"] or result.get("held_out")
    pictures = {name: picture(model, name, "svg").decode() for name in ("rules", "search")}
    kept = [Path(about["data"], name) for name in (SOURCE, LABELS)][: len(about["files"])]
    files = RunFiles(folder / "model.json", folder / "certificate.cert", kept)
    facts = audit_facts(files, about)
    text = report({**about, "facts": facts}, result, pictures)
    if kind == "report.html":
        return text.encode()
    assert source is not None
    labelled = rows_of(source, about["settings"]).source
    return bundle_of_run(files, about, facts, text, labelled)


def picture(model: RuleListClassifier, name: str, form: str) -> bytes:
    """Draw the rule list or the course of the search."""
    import matplotlib as mpl

    from surelist import plot
    from surelist.plot.look import picture_bytes

    with mpl.rc_context({"svg.hashsalt": "surelist"}):
        axes = plot.plot_rule_list(model) if name == "rules" else plot.plot_trace(model)
        return picture_bytes(axes, form, dpi=160)


def _predictions(model: RuleListClassifier, source: Source, settings: Mapping[str, Any]) -> str:
    """Return all rows with what is predicted for them, safe to open in a spreadsheet."""
    rows = rows_of(source, settings)
    by = captured_by(model.rule_list_, rows.table)
    return predicted_table(model.rule_list_, rows.source.table, by)


def predicted_table(rule_list: RuleList, whole: FileTable, by: NDArray[np.intp]) -> str:
    """Return rows with what is predicted for them, as CSV; ``by`` is the rule that captures each.

    Cells that a spreadsheet would take for formulas are made harmless.
    """
    cells = [cell_texts(whole.column(i), range(whole.n_rows)) for i in range(len(whole.names))]
    labels = [str(rule.label) for rule in rule_list.all_rules]
    shares = rule_list.class_shares[range(len(labels)), rule_list.label_codes]

    def line(row: int, index: int) -> list[str]:
        values = ["" if column[row] is None else str(column[row]) for column in cells]
        own = [labels[index], f"{shares[index]:.6g}", str(index + 1)]
        return [safe_cell(value) for value in (*values, *own)]

    names = [safe_cell(name) for name in (*whole.names, "predicted", "probability", "rule")]
    return csv_table(names, (line(row, index) for row, index in enumerate(by.tolist())))


def safe_cell(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers.

    Examples
    --------
    >>> from surelist.web.downloads import safe_cell
    >>> safe_cell("=1+1"), safe_cell("-5"), safe_cell("plain")
    ("'=1+1", '-5', 'plain')
    """
    if not text or (text.lstrip()[:1] not in ("=", "+", "-", "@") and text[:1] not in "\t\r\n"):
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text
