"""``surelist verify``: check a certificate against the data, without the search."""

from __future__ import annotations

import json
import re
import sys
from contextlib import ExitStack
from dataclasses import asdict, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from surelist.cli import exit_codes
from surelist.cli.check_bundle import BundleCheck, explained, opened_bundle
from surelist.cli.data import open_source, relabelling, tell_notes, training_rows
from surelist.cli.duckdb_rows import is_for_duckdb, open_query_source
from surelist.cli.options import (
    DataOptions,
    Engine,
    EngineOptions,
    JsonOptions,
    LabelOptions,
    ProvenLabelFlag,
    RelabelOptions,
    with_flag_groups,
)
from surelist.cli.printing import fail, print_json
from surelist.cli.progress_display import watching
from surelist.errors import FormatError, InputError
from surelist.runs.relabel import MADE_LABELS, Relabelling, relabelled

if TYPE_CHECKING:
    from surelist.checker import CsvFile, Verification
    from surelist.cli.progress_display import Watcher
    from surelist.runs.rows import Source
    from surelist.sources.duckdb import Query

__all__ = ["csv_file", "verify"]


class Checker(StrEnum):
    """Who goes through the proof."""

    FAST = "fast"
    REFERENCE = "reference"
    BOTH = "both"
    VERIFIED = "verified"


@with_flag_groups
def verify(
    *,
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE",
            help="A certificate that surelist fit wrote, or an audit bundle (.zip).",
            show_default=False,
        ),
    ],
    data: DataOptions,
    engine: EngineOptions,
    label: ProvenLabelFlag = None,
    weight: Annotated[
        str | None, typer.Option("--weight", metavar="COLUMN", help="The column of row weights.")
    ] = None,
    relabel: RelabelOptions,
    checker: Annotated[
        Checker | None,
        typer.Option(
            "--checker",
            help="The compiled checker, the readable one, both, which have to agree, or the one "
            "that is proven correct, where it is installed. "
            "[default: fast; reference where its numbers are too large for that]",
            show_default=False,
        ),
    ] = None,
    n_jobs: Annotated[
        int,
        typer.Option(
            "--n-jobs", "-j", metavar="N", help="Threads of the fast checker; -1 is all processors."
        ),
    ] = 1,
    output: JsonOptions,
) -> None:
    """Check a certificate, or an audit bundle, against the original data.

    The checker shares no code with the search, and reads CSV files itself. It exits with 0 where
    the proof holds, and with 4 where it refuses, saying why. Of a bundle, it also checks that its
    files are those of its manifest, and that its model has the list that was proven.
    """
    from surelist.audit.zip_files import is_zip
    from surelist.checker import DataError, VerificationError

    how = _How(checker and checker.value, n_jobs, relabelling(relabel))
    found: BundleCheck | None = None
    try:
        with ExitStack() as stack:
            if is_zip(certificate):
                found = stack.enter_context(opened_bundle(certificate))
                label, data = label or found.bundle.label, found.reading(data)
                how = how._replace(relabel=how.relabel or found.bundle.relabelling)
            checked = certificate if found is None else found.bundle.certificate
            with explained(found, data, label, how.relabel):
                proven = _check(checked, data, engine, label, weight, how, show=not output.json)
            if found is not None:
                found.compare(data, label, how.relabel)
    except VerificationError as error:
        if output.json:
            print_json({"verified": False, "reason": str(error)})
        else:
            fail(str(error), exit_codes.REFUSED, as_json=False)
        raise typer.Exit(exit_codes.REFUSED) from None
    except (DataError, OSError) as error:
        raise InputError(f"{certificate}: {error}") from None
    if output.json:
        more = {} if found is None else {"bundle": found.facts}
        document = json.loads(json.dumps(asdict(proven), default=str))
        print_json({"verified": True, **document, **more})
        return
    from surelist.audit.check_data import work_done

    sys.stdout.write(
        f"{proven}\nExactly: objective {proven.objective}, lower bound {proven.lower_bound}; "
        f"{work_done(proven)}.\n"
        f"The data were read by {proven.reader}.\n"
        f"{_CHECKED_BY[proven.checker]}\n"
    )
    if found is not None:
        sys.stdout.write("".join(f"{line}\n" for line in found.lines))


_CHECKED_BY = {
    "fast": "Checked by the fast checker.",
    "reference": "Checked by the reference checker.",
    "both": "Checked by both checkers, which agree.",
    "verified": "Checked by the verified checker, which is proven correct.",
    "completeness": "All lists were counted again, by a checker that knows nothing of the search.",
    "necessity": "Each of its proofs was checked, and that they prove this together.",
    "all cuts": "Checked by the checker for all cuts.",
    "all cuts, fast": "Checked by the fast checker for all cuts.",
    "all cuts, both": "Checked by both checkers for all cuts, which agree.",
    "pairs of cuts": "Checked by the checker for pairs of cuts.",
    "fairness": "Checked by the checker for fair lists.",
}


class _How(NamedTuple):
    checker: str | None
    n_jobs: int
    relabel: Relabelling


def _check(
    certificate: Path,
    data: DataOptions,
    engine: EngineOptions,
    label: str | None,
    weight: str | None,
    how: _How,
    *,
    show: bool,
) -> Verification:
    """Check, with the data read by the checker itself wherever it can."""
    from surelist.fast_checker import verify as verify_by

    check = partial(verify_by, checker=how.checker, n_jobs=how.n_jobs)
    by_duckdb = is_for_duckdb(data, engine)
    content = _streamed(data)
    csv = csv_file(data, engine, content)
    if how.relabel:
        return _check_relabelled(certificate, data, content, label, weight, how, check)
    if csv is not None:
        name = label or _label_in(csv, _Asked(certificate, label))
        return check(certificate, csv, label=name, sample_weight=weight, progress=show)
    if by_duckdb:
        with watching(None if show else False) as watcher:
            query = _open_query(certificate, data, engine, label, weight, watcher)
            proven = check(certificate, query)
        tell_notes(query)
        return proven
    asked = _Asked(certificate, label)
    source = open_source(data, asked.kinds, content)
    columns = {name: _values(source, name, "the proof") for name in asked.columns}
    labels = _labels(source, label, asked)
    weights = None if weight is None else source.table.named_column(weight, "weight").values
    proven = check(certificate, columns, labels, sample_weight=weights, progress=show)
    tell_notes(source.table)
    return replace(proven, reader=_reader(source, data, content))


def _reader(source: Source, data: DataOptions, content: bytes | None) -> str:
    """Say which program read rows that are not CSV text."""
    from surelist._common.file_kinds import kind_of_content, kind_of_file

    if source.is_corels:
        return "the package's reader of CORELS text"
    assert data.data is not None
    kind = kind_of_file(data.data) if content is None else kind_of_content(content)
    return "openpyxl" if kind == "text" else "pyarrow"


def _check_relabelled(
    certificate: Path,
    data: DataOptions,
    content: bytes | None,
    label: str | None,
    weight: str | None,
    how: _How,
    check: Any,
) -> Verification:
    """Check against labels that were cut or merged, which only the package can make."""
    if label is None:
        raise InputError("labels that are cut, merged or left out have to be named by --label")
    asked = _Asked(certificate, None)
    source = relabelled(open_source(data, asked.kinds, content), label, how.relabel)
    columns = {name: _values(source, name, "the proof") for name in asked.columns}
    weights = None if weight is None else source.table.named_column(weight, "weight").values
    labels = source.label_values(label)
    proven: Verification = check(certificate, columns, labels, sample_weight=weights)
    tell_notes(source.table)
    return replace(proven, reader=MADE_LABELS)


def _streamed(data: DataOptions) -> bytes | None:
    """Return what standard input or a pipe holds, which can be read only once."""
    from surelist.tables.csv_text import read_bytes

    path = data.data
    if path is None or (str(path) != "-" and (not path.exists() or path.is_file())):
        return None
    return read_bytes(path)


def csv_file(data: DataOptions, engine: EngineOptions, content: bytes | None) -> CsvFile | None:
    """Return DATA for the checker's own reader, if it is CSV text and no flag asks for DuckDB."""
    from surelist.checker import CsvFile
    from surelist.tables.csv_text import named_delimiter
    from surelist.tables.files import is_text, is_text_content

    if data.data is None or data.rules is not None or data.labels is not None:
        return None
    if engine.query is not None or engine.engine is Engine.DUCKDB:
        return None
    paths: Any = content
    if content is None:
        pattern = engine.engine is not Engine.MEMORY and re.search(r"[*?\[]", str(data.data))
        paths = [str(data.data)]
        if pattern and not data.data.exists():
            from surelist.sources.duckdb.sources import find_files

            paths = find_files(data.data)
        if not all(map(is_text, paths)):
            return None
    elif not is_text_content(content):
        return None
    delimiter = None if data.delimiter is None else named_delimiter(data.delimiter)
    return CsvFile(paths, delimiter, data.encoding, data.missing or ())


def _label_in(csv: CsvFile, asked: _Asked) -> str:
    """Return the only column whose values are the classes."""
    wanted = set(map(str, asked.classes))
    names = [name for name in csv.names() if name and name not in asked.kinds]
    found = {name: set[str]() for name in names}
    for _, some in csv.tables({name: set() for name in names}, 1 << 16):
        for name, (meanings, _) in some.items():
            for each in meanings:
                # A cell that is no class is kept as it is, so that the sets differ.
                found[name].add(next((t for t in map(str, each) if t in wanted), repr(each)))
    return _only([name for name in names if found[name] == wanted], "the data")


def _values(source: Source, name: str, role: str) -> list[Any]:
    from surelist.tables.files import plain_values

    return plain_values(source.table.named_column(name, role))


def _labels(source: Source, label: str | None, asked: _Asked) -> Any:
    """Return one label per row; without a name, of the only column whose values are the classes."""
    if label is None and not source.is_corels:
        wanted = set(map(str, asked.classes))
        names = [name for name in source.table.names if name not in asked.kinds]
        label = _only(
            [name for name in names if set(map(str, _values(source, name, "label"))) == wanted],
            source.table.path,
        )
    return source.label_values(label)


def _open_query(
    path: Path,
    data: DataOptions,
    engine: EngineOptions,
    label: str | None,
    weight: str | None,
    watcher: Watcher,
) -> Query:
    """Open rows for DuckDB, with none but the columns that a certificate is about."""
    asked = _Asked(path, label)
    source = open_query_source(data, engine, watcher, asked.kinds)
    needed = {*asked.columns, label, weight}
    columns = LabelOptions(label, weight)
    if label is not None:
        columns = replace(columns, drop=[n for n in source.table.names if n not in needed])
    query: Query = training_rows(source, columns).table
    return query


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
        from surelist.certificate.certificate import conditions_of
        from surelist.certificate.other_proof import open_proof
        from surelist.cli.apply_model import kind_of

        certificate = open_proof(path)
        conditions = conditions_of(certificate)
        self.columns = list(dict.fromkeys(condition.column for condition in conditions))
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


def _only(fitting: list[str], path: str) -> str:
    if len(fitting) == 1:
        return fitting[0]
    found = "no column holds" if not fitting else f"{', '.join(map(repr, fitting))} hold"
    raise FormatError(
        f"which column has the labels? {found} the classes of the certificate; name it by --label",
        path,
    )
