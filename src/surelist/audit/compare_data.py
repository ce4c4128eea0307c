"""Why a table does not fit a certificate: the first difference, as far as it can be found.

The checker compares one fingerprint: it says that something differs, but not what. A certificate
itself names the number of rows, the columns and the classes; a bundle has hashes of columns and of
blocks of rows, too; a model, how many rows each rule captured.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from surelist.audit.data_hashes import content_hashes, first_difference
from surelist.certificate.certificate import Certificate, conditions_of
from surelist.errors import InputError
from surelist.tables.files import plain_values

if TYPE_CHECKING:
    from surelist.rule_list.rule_list import RuleList
    from surelist.runs.rows import Source

__all__ = ["hashes_of", "label_column", "label_columns", "what_differs"]


def hashes_of(certificate: Certificate, source: Source, label: str | None) -> dict[str, Any]:
    """Return hashes of what a certificate asks of a table; columns that are not there are left out.

    The labels count as the column that they are, or as the file that they came in.
    """
    names = {condition.column for condition in conditions_of(certificate)}
    columns = {
        name: plain_values(source.table.named_column(name, "the proof"))
        for name in sorted(names & set(source.table.names))
    }
    if source.is_corels:
        columns["(labels)"] = list(map(str, source.labels))
    elif label is not None and label in source.table.names:
        columns[label] = plain_values(source.table.named_column(label, "label"))
    return content_hashes(columns)


def label_column(certificate: Certificate, source: Source) -> str | None:
    """Return the only column whose values are the classes of a certificate, if there is one."""
    fitting = label_columns(certificate, source)
    return fitting[0] if len(fitting) == 1 else None


def label_columns(certificate: Certificate, source: Source) -> list[str]:
    """Return the columns that hold the classes of a certificate, and that it does not ask about."""
    try:
        wanted = {str(_plain(each)) for each in certificate.header["classes"]}
        asked = {condition.column for condition in conditions_of(certificate)}
    except (InputError, KeyError, TypeError):
        return []
    fitting = []
    for name in source.table.names:
        if name in asked:
            continue
        column = source.table.named_column(name, "label")
        if column.codes is None and len(np.unique(column.values)) > len(wanted):
            continue
        if set(map(str, plain_values(column))) == wanted:
            fitting.append(name)
    return fitting


def what_differs(
    certificate: Certificate,
    source: Source,
    label: str | None,
    expected: Mapping[str, Any] | None = None,
    rule_list: RuleList | None = None,
) -> str | None:
    """Say in a sentence what differs first between a table and the one that a claim is about.

    Parameters
    ----------
    certificate, source, label
        The claim, the table at hand, and its column of labels.
    expected : mapping, optional
        What `hashes_of` returned for the right table, as a bundle holds it.
    rule_list : RuleList, optional
        The list of the model, with what its rules captured in training.

    Returns
    -------
    str or None
        None where nothing can be told.
    """
    try:
        asked = list(dict.fromkeys(each.column for each in conditions_of(certificate)))
        named = _columns_and_rows(certificate, source, label, asked)
        if named is not None:
            return named
        if expected is not None:
            return first_difference(expected, hashes_of(certificate, source, label))
        return None if rule_list is None else _captured(rule_list, source, label)
    except (InputError, KeyError, TypeError, ValueError):
        return None


def _columns_and_rows(
    certificate: Certificate, source: Source, label: str | None, asked: list[str]
) -> str | None:
    table, header = source.table, certificate.header
    for name in asked:
        if name not in table.names:
            return f"there is no column {name!r}, which the antecedents ask about"
    if table.n_rows != header["n_rows"]:
        return f"there are {table.n_rows:,} rows instead of {header['n_rows']:,}"
    if label is None or source.is_corels or label not in table.names:
        return None
    known = {str(_plain(each)) for each in header["classes"]}
    values = plain_values(table.named_column(label, "label"))
    for row, value in enumerate(values):
        if str(value) not in known:
            place = _place(source, row)
            what = "no label" if value is None else f"the label {str(value)[:40]!r}"
            return f"{place} has {what}, which is no class of the certificate"
    return None


def _captured(rule_list: RuleList, source: Source, label: str | None) -> str | None:
    from surelist.rule_list.rule_list import by_columns

    if rule_list.total_weight != source.table.n_rows:
        return None  # rows weigh more than 1: their number says nothing
    by = by_columns(rule_list).captures(source.table)
    labels = np.array([str(each) for each in source.label_values(label)])
    for number, rule in enumerate(rule_list.all_rules):
        what = "the default" if rule.antecedent is None else f"rule {number + 1}"
        caught = labels[by == number]
        if len(caught) != rule.captured:
            return f"{what} captures {len(caught):,} rows instead of {rule.captured:,}"
        for name, weight in zip(map(str, rule_list.classes), rule.weights, strict=True):
            found = int((caught == name).sum())
            if found != weight:
                return f"{what} captures {found:,} rows labelled {name} instead of {weight:,}"
    return None


def _place(source: Source, row: int) -> str:
    lines = source.table.lines
    return f"row {row + 1:,}" if lines is None else f"line {int(lines[row]):,}"


def _plain(value: Any) -> Any:
    return next(iter(value.values())) if isinstance(value, dict) else value
