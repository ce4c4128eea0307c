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
from surelist.cli.options import DataOptions, EngineOptions, JsonOptions, LabelOptions, takes
from surelist.cli.printing import fail, print_json
from surelist.cli.queries import choose_columns, is_for_duckdb, open_query_rows
from surelist.errors import FormatError, InputError

if TYPE_CHECKING:
    from surelist.certificate import Certificate
    from surelist.cli.live import Watcher

__all__ = ["register"]


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("verify")(verify)


@takes(data=DataOptions, engine=EngineOptions, output=JsonOptions)
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
            rows, names, weights = _opened(certificate, data, label, weight)
            columns = {n: plain_values(rows.table.named_column(n, "the proof")) for n in names}
            progress = not output.json
            proven = check(
                certificate, columns, rows.labels, sample_weight=weights, progress=progress
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
) -> tuple[Rows, list[str], Any]:
    """Read the data that a certificate is about: rows, the columns it asks about, weights."""
    from surelist.certificate import Certificate

    certificate = Certificate.load(path)
    kinds, classes = _asked(certificate)
    if label is not None and all(isinstance(each, str) for each in classes):
        kinds[label] = "text"
    rows = open_rows(data, kinds)
    if rows.labels is None:
        name = label or _find_label(rows, classes, set(kinds))
        labels = label_values(rows.table, rows.table.named_column(name, "--label"))
        rows = replace(rows, label=name, labels=labels)
    weights = None
    if weight is not None:
        weights = rows.table.named_column(weight, "--weight").values
    return rows, list(_columns_of(certificate)), weights


def _opened_elsewhere(
    path: Path,
    data: DataOptions,
    engine: EngineOptions,
    label: str | None,
    weight: str | None,
    watcher: Watcher,
) -> Rows:
    """Open rows for DuckDB, with none but the columns that a certificate is about."""
    from surelist.certificate import Certificate

    certificate = Certificate.load(path)
    kinds, classes = _asked(certificate)
    if label is not None and all(isinstance(each, str) for each in classes):
        kinds[label] = "text"
    rows = open_query_rows(data, engine, watcher, kinds)
    needed = {*_columns_of(certificate), label, weight}
    columns = LabelOptions(label, weight)
    if label is not None:
        columns = replace(columns, drop=[n for n in rows.table.names if n not in needed])
    return choose_columns(rows, columns)


def _asked(certificate: Certificate) -> tuple[dict[str, str], list[Any]]:
    """Return the kinds that columns have to be of, and the classes."""
    from surelist.cli.saved import kind_of
    from surelist.conditions import condition_from_dict

    kinds = {}
    for antecedent in certificate.header["antecedents"]:
        for clause in antecedent["clauses"] if isinstance(antecedent, dict) else antecedent:
            condition = condition_from_dict(clause["condition"])
            if (kind := kind_of(condition)) is not None:
                kinds[condition.column] = kind
    return kinds, [_plain(each) for each in certificate.header["classes"]]


def _plain(value: Any) -> Any:
    """Return a class as it is; the header may name its type."""
    return next(iter(value.values())) if isinstance(value, dict) else value


def _columns_of(certificate: Certificate) -> dict[str, None]:
    return {
        clause["condition"]["column"]: None
        for antecedent in certificate.header["antecedents"]
        for clause in (antecedent["clauses"] if isinstance(antecedent, dict) else antecedent)
    }


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
