"""``surelist verify``: hold a certificate against the data, without the search."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.cli import exits
from surelist.cli.data import Rows, label_values, open_rows, plain_values
from surelist.cli.live import watching
from surelist.cli.options import DataOptions, EngineOptions, JsonOptions, LabelOptions, grouped
from surelist.cli.printing import fail, print_json
from surelist.cli.queries import choose_columns, is_for_duckdb, open_query_rows
from surelist.errors import FormatError, InputError

if TYPE_CHECKING:
    from surelist.cli.live import Watcher

__all__ = ["verify"]


@grouped
def verify(
    *,
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE",
            help="A certificate that surelist fit wrote.",
            show_default=False,
        ),
    ],
    data: DataOptions,
    engine: EngineOptions,
    label: Annotated[
        str | None,
        typer.Option(
            "--label",
            "-l",
            metavar="COLUMN",
            help="The column of labels. [default: the one that holds the certificate's classes]",
            show_default=False,
        ),
    ] = None,
    weight: Annotated[
        str | None, typer.Option("--weight", metavar="COLUMN", help="The column of row weights.")
    ] = None,
    output: JsonOptions,
) -> None:
    """Check a certificate against the original data.

    The checker shares no code with the search. It exits with 0 where the proof holds, and with 4
    where it refuses, saying why.
    """
    from surelist.verify import DataError, VerificationError
    from surelist.verify import verify as check

    try:
        if is_for_duckdb(data, engine):
            with watching(None if not output.json else False) as watcher:
                rows = _opened_elsewhere(certificate, data, engine, label, weight, watcher)
                proven = check(certificate, rows.table)
        else:
            rows, columns = _opened(certificate, data, label, weight)
            proven = check(
                certificate,
                columns,
                rows.labels,
                sample_weight=rows.weights,
                progress=not output.json,
            )
    except VerificationError as error:
        if output.json:
            print_json({"verified": False, "reason": str(error)})
        else:
            fail(str(error), exits.REFUSED, as_json=False)
        raise typer.Exit(exits.REFUSED) from None
    except (DataError, OSError) as error:
        raise InputError(f"{certificate}: {error}") from None
    rows.tell()
    if output.json:
        print_json({"verified": True, **json.loads(json.dumps(asdict(proven), default=str))})
        return
    sys.stdout.write(
        f"{proven}\nExactly: objective {proven.objective}, lower bound {proven.lower_bound}; "
        f"checked {proven.n_children:,} ways to go on from {proven.n_states:,} closed states.\n"
    )


def _opened(
    path: Path, data: DataOptions, label: str | None, weight: str | None
) -> tuple[Rows, dict[str, Any]]:
    """Read the data that a certificate is about: rows, and the columns that it asks about."""
    asked = _Asked(path, label)
    rows = open_rows(data, asked.kinds)
    table = rows.table
    if rows.labels is None:
        name = label or _find_label(rows, asked.classes, set(asked.kinds))
        labels = label_values(table, table.named_column(name, "--label"))
        rows = replace(rows, label=name, labels=labels)
    if weight is not None:
        rows = replace(rows, weights=table.named_column(weight, "--weight").values)
    return rows, {n: plain_values(table.named_column(n, "the proof")) for n in asked.columns}


def _opened_elsewhere(
    path: Path,
    data: DataOptions,
    engine: EngineOptions,
    label: str | None,
    weight: str | None,
    watcher: Watcher,
) -> Rows:
    """Open rows for DuckDB, with none but the columns that a certificate is about."""
    asked = _Asked(path, label)
    rows = open_query_rows(data, engine, watcher, asked.kinds)
    needed = {*asked.columns, label, weight}
    columns = LabelOptions(label, weight)
    if label is not None:
        columns = replace(columns, drop=[n for n in rows.table.names if n not in needed])
    return choose_columns(rows, columns)


class _Asked:
    """What a certificate asks of a table.

    Attributes
    ----------
    columns : list of str
        The columns that its antecedents are about.
    kinds : dict
        What kind of values columns have to hold, where that matters.
    classes : list
    """

    def __init__(self, path: Path, label: str | None) -> None:
        from surelist.certificate import Certificate, conditions_of
        from surelist.cli.saved import kind_of

        certificate = Certificate.load(path)
        conditions = conditions_of(certificate)
        self.columns = list(dict.fromkeys(condition.column for condition in conditions))
        if not isinstance(certificate.header.get("classes"), list):
            raise FormatError("its header names no classes", path)
        self.classes = [_plain(each) for each in certificate.header["classes"]]
        self.kinds: dict[str, str] = {}
        for condition in conditions:
            if (kind := kind_of(condition)) is not None:
                self.kinds[condition.column] = kind
        if label is not None and all(isinstance(each, str) for each in self.classes):
            self.kinds[label] = "text"


def _plain(value: Any) -> Any:
    """Return a class as it is; the header may name its type."""
    return next(iter(value.values())) if isinstance(value, dict) else value


def _find_label(rows: Rows, classes: list[Any], used: set[str]) -> str:
    """Take the one column that holds just the classes."""
    wanted = set(map(str, classes))
    fitting: list[str] = []
    for name in rows.table.names:
        if name in used:
            continue
        column = rows.table.named_column(name, "--label")
        if set(map(str, plain_values(column))) == wanted:
            fitting.append(name)
    if len(fitting) == 1:
        return fitting[0]
    found = "no column holds" if not fitting else f"{', '.join(map(repr, fitting))} hold"
    raise FormatError(
        f"which column has the labels? {found} the classes of the certificate; name it by --label",
        rows.table.path,
    )
