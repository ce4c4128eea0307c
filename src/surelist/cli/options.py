"""Flags that several commands share, in groups.

A group is a dataclass; its fields say what the flags are called, take and mean. A command with the
decorator `with_flag_groups` names groups as its parameters: it has the flags of all of them, and is
called with one object for each group.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from surelist.runs.choices import Policy, Strategy, Symmetry

__all__ = [
    "DataOptions",
    "Engine",
    "EngineOptions",
    "FeatureOptions",
    "JsonOptions",
    "LabelOptions",
    "LimitOptions",
    "OutputOptions",
    "ProgressFlag",
    "ProvenLabelFlag",
    "RegularizationFlag",
    "RelabelOptions",
    "SearchOptions",
    "with_flag_groups",
]


class Engine(StrEnum):
    """What reads the rows."""

    AUTO = "auto"
    MEMORY = "memory"
    DUCKDB = "duckdb"


def _flag(*names: str, **more: Any) -> Any:
    # Defaults stand in the help texts, which can say more than a value.
    return typer.Option(*names, show_default=False, **more)


def _listed(choices: type[StrEnum]) -> str:
    *most, last = choices
    return f"{', '.join(most)} or {last}"


ProgressFlag = Annotated[
    bool | None,
    _flag(
        "--progress/--no-progress", help="Show the progress of the search. [default: on a terminal]"
    ),
]

RegularizationFlag = Annotated[
    str,
    _flag(
        "--regularization",
        "-r",
        metavar="λ",
        help="How much one more rule has to lower the loss. [default: 0.01]",
    ),
]

ProvenLabelFlag = Annotated[
    str | None,
    _flag(
        "--label",
        "-l",
        metavar="COLUMN",
        help="The column of labels. [default: the one that holds the certificate's classes]",
    ),
]


@dataclass(frozen=True)
class DataOptions:
    """Where rows come from."""

    data: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATA",
            help="A table: CSV, TSV (also gzipped), Parquet, Arrow, Feather or .xlsx; - is "
            "standard input.",
            show_default=False,
        ),
    ] = None
    rules: Annotated[
        Path | None,
        _flag(
            "--rules",
            metavar="FILE",
            help="Instead of DATA: antecedents in the CORELS text format.",
        ),
    ] = None
    labels: Annotated[
        Path | None,
        _flag("--labels", metavar="FILE", help="The labels that belong to --rules."),
    ] = None
    delimiter: Annotated[
        str | None,
        _flag(
            "--delimiter",
            metavar="CHAR",
            help="What separates the fields of a CSV file. [default: detected]",
        ),
    ] = None
    encoding: Annotated[
        str | None,
        _flag(
            "--encoding",
            metavar="NAME",
            help="Encoding of a CSV file, such as latin-1. [default: detected]",
        ),
    ] = None
    missing: Annotated[
        list[str] | None,
        _flag(
            "--missing",
            metavar="TEXT",
            help="A text that means a missing value in a CSV file, in addition to NA, NaN, null "
            "and the like; may be repeated.",
        ),
    ] = None

    @property
    def files(self) -> tuple[Path | None, ...]:
        """The files that are read: nothing may be written over them."""
        return (self.data, self.rules, self.labels)


@dataclass(frozen=True)
class EngineOptions:
    """What reads the rows, and how."""

    engine: Annotated[
        Engine,
        _flag(
            "--engine",
            metavar="WHO",
            help="What reads DATA: memory loads all rows; duckdb reads them in place, so that they "
            "need not fit in memory. [default: auto, duckdb for patterns such as 'data/*.parquet', "
            "files above 1 GiB and databases]",
        ),
    ] = Engine.AUTO
    query: Annotated[
        str | None,
        _flag(
            "--query",
            metavar="SQL",
            help="SQL, or the name of a table: which rows to read of DATA, a database of DuckDB or "
            "SQLite or a postgresql:// URL.",
        ),
    ] = None
    duckdb_memory: Annotated[
        str,
        _flag(
            "--duckdb-memory",
            metavar="SIZE",
            help="Memory that DuckDB may use before it writes to the disk. [default: 2GB]",
        ),
    ] = "2GB"


@dataclass(frozen=True)
class LabelOptions:
    """Which columns are labels, weights, or left out."""

    label: Annotated[
        str | None,
        _flag("--label", "-l", metavar="COLUMN", help="The column to predict."),
    ] = None
    weight: Annotated[
        str | None,
        _flag(
            "--weight",
            metavar="COLUMN",
            help="The column of row weights. [default: every row counts 1]",
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        _flag(
            "--drop",
            metavar="COLUMN",
            help="A column to leave out, such as an identifier; may be repeated.",
        ),
    ] = None


@dataclass(frozen=True)
class RelabelOptions:
    """How a column becomes the labels."""

    label_cut: Annotated[
        float | None,
        _flag(
            "--label-cut",
            metavar="NUMBER",
            help="Cut a label of numbers here: two classes, below it and from it on.",
        ),
    ] = None
    merge_labels: Annotated[
        list[str] | None,
        _flag(
            "--merge-labels",
            metavar="NEW=OLD,OLD",
            help="Predict some classes as one, such as bad=late,lost; may be repeated.",
        ),
    ] = None
    skip_unlabelled: Annotated[
        bool, _flag("--skip-unlabelled", help="Leave out rows without a label, and count them.")
    ] = False


@dataclass(frozen=True)
class FeatureOptions:
    """How columns become features, and features antecedents."""

    max_clauses: Annotated[
        int | None,
        _flag(
            "--max-clauses",
            metavar="N",
            help="Clauses per antecedent, at most. [default: 2; 1 for --rules, which are "
            "antecedents]",
        ),
    ] = None
    negations: Annotated[bool, _flag("--negations", help="Mine negated features, too.")] = False
    min_support: Annotated[
        str | None,
        _flag(
            "--min-support",
            metavar="SHARE",
            help="Least share of the weight that an antecedent captures. [default: λ, or less "
            "where there are costs, which loses nothing]",
        ),
    ] = None
    antecedents: Annotated[
        list[str] | None,
        _flag(
            "--antecedent",
            metavar="TEXT",
            help="An antecedent of your own, such as 'age < 25 and priors > 3'; may be repeated.",
        ),
    ] = None
    antecedents_only: Annotated[
        bool, _flag("--antecedents-only", help="Use your own antecedents alone; mine none.")
    ] = False
    strategy: Annotated[
        Strategy | None,
        _flag(
            "--strategy",
            metavar="HOW",
            help=f"How to cut numbers and dates: {_listed(Strategy)}. [default: auto, by the "
            "labels]",
        ),
    ] = None
    n_cuts: Annotated[
        str | None,
        _flag(
            "--n-cuts",
            metavar="N",
            help="Cuts per column, at most; or all, to cut wherever two values differ: proven by a "
            "search of its own with --max-clauses 1 or 2, or with 1 and --intervals; else by the "
            "general search. [default: 3]",
        ),
    ] = None
    intervals: Annotated[
        bool, _flag("--intervals", help="Add the intervals between neighbouring cuts.")
    ] = False
    min_frequency: Annotated[
        str | None,
        _flag(
            "--min-frequency",
            metavar="SHARE",
            help="Categories rarer than this are merged. [default: as --min-support]",
        ),
    ] = None
    max_features: Annotated[
        int | None,
        _flag(
            "--max-features",
            metavar="N",
            help="Keep at most N features, the most informative ones. [default: 28]",
        ),
    ] = None
    columns: Annotated[
        list[str] | None,
        _flag(
            "--column",
            metavar="NAME=HOW",
            help="How one column becomes features: a strategy, a number of cuts, cuts such as "
            "18,25,60, 'all', 'category' or 'drop'; may be repeated.",
        ),
    ] = None


@dataclass(frozen=True)
class SearchOptions:
    """How to search."""

    max_length: Annotated[
        int | None, _flag("--max-length", metavar="N", help="Longest rule list allowed.")
    ] = None
    class_weight: Annotated[
        list[str] | None,
        _flag(
            "--class-weight",
            metavar="LABEL=WEIGHT",
            help="Weight of a class; may be repeated. 'balanced' weighs all classes alike.",
        ),
    ] = None
    costs: Annotated[
        list[str] | None,
        _flag(
            "--cost",
            metavar="LABEL:PREDICTED=COST",
            help="The cost of predicting one class for a row of another, instead of 1; may be "
            "repeated.",
        ),
    ] = None
    dnf: Annotated[
        str | None,
        _flag("--dnf", metavar="LABEL", help="The only class that rules may predict."),
    ] = None
    first: Annotated[
        list[str] | None,
        _flag(
            "--first",
            metavar="TEXT",
            help="An antecedent that every list begins with; may be repeated, in order.",
        ),
    ] = None
    required: Annotated[
        list[str] | None,
        _flag(
            "--require", metavar="TEXT", help="An antecedent that every list has; may be repeated."
        ),
    ] = None
    forbidden: Annotated[
        list[str] | None,
        _flag("--forbid", metavar="TEXT", help="An antecedent that no list has; may be repeated."),
    ] = None
    antecedent_costs: Annotated[
        list[str] | None,
        _flag(
            "--antecedent-cost",
            metavar="TEXT=COST",
            help="The cost of a rule with this antecedent, in multiples of λ; may be repeated. "
            "'clauses': as many as it has clauses.",
        ),
    ] = None
    policy: Annotated[
        Policy,
        _flag(
            "--policy",
            metavar="ORDER",
            help=f"Order of the queue: {_listed(Policy)}. [default: lower_bound]",
        ),
    ] = Policy.LOWER_BOUND
    symmetry: Annotated[
        Symmetry,
        _flag(
            "--symmetry",
            metavar="MAP",
            help=f"Symmetry map: {_listed(Symmetry)}. [default: captured]",
        ),
    ] = Symmetry.CAPTURED
    bounds: Annotated[
        list[str] | None,
        _flag(
            "--bound",
            metavar="NAME",
            help="Use this bound, and others only where they are named, too: for ablation; may be "
            "repeated. [default: all]",
        ),
    ] = None
    random_state: Annotated[
        int | None,
        _flag("--random-state", metavar="N", help="Seed of --policy random. [default: 0]"),
    ] = None
    n_jobs: Annotated[
        int,
        _flag("--n-jobs", "-j", metavar="N", help="Threads; -1 is all processors. [default: 1]"),
    ] = 1


@dataclass(frozen=True)
class LimitOptions:
    """Limits, at which a search stops without a certificate."""

    work_limit: Annotated[
        str | None,
        _flag(
            "--work-limit",
            metavar="SECONDS",
            help="Limit of counted work, in units of about a second of one core: the same data "
            "gives the same result on every machine; or none. [default: 60, unless there is "
            "another limit]",
        ),
    ] = None
    time_limit: Annotated[
        float | None,
        _flag(
            "--time-limit",
            metavar="SECONDS",
            help="Time for everything, from reading to the result.",
        ),
    ] = None
    memory_limit: Annotated[
        str | None,
        _flag(
            "--memory-limit",
            metavar="SIZE",
            help="Memory, such as 500MB or 2GiB; or none. [default: a quarter of the machine's]",
        ),
    ] = None
    max_prefixes: Annotated[
        int | None,
        _flag(
            "--max-prefixes",
            metavar="N",
            help="Stop once N prefixes have entered the queue.",
        ),
    ] = None


@dataclass(frozen=True)
class JsonOptions:
    """How to print."""

    json: Annotated[bool, _flag("--json", help="Print JSON, for machines; errors, too.")] = False
    debug: Annotated[
        bool, _flag("--debug", help="Show where in the program an error happened.")
    ] = False


@dataclass(frozen=True)
class OutputOptions(JsonOptions):
    """Where to write."""

    output: Annotated[
        Path | None, _flag("--output", "-o", metavar="FILE", help="Where to write the result.")
    ] = None
    force: Annotated[bool, _flag("--force", "-f", help="Replace files that exist already.")] = False


def with_flag_groups(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags of the groups among its parameters, in their order."""
    own = inspect.signature(command, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: each.annotation for name, each in own.items() if is_dataclass(each.annotation)
    }
    flags: list[inspect.Parameter] = []
    for name, parameter in own.items():
        flags += _parameters(groups[name]) if name in groups else [parameter]

    @functools.wraps(command)
    def parsed(**given: Any) -> Any:
        objects = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return command(**given, **objects)

    # Typer reads the flags from the signature and their types from the annotations.
    parsed.__signature__ = inspect.Signature(flags)  # type: ignore[attr-defined]
    parsed.__annotations__ = {flag.name: flag.annotation for flag in flags}
    del parsed.__wrapped__
    return parsed


def _parameters(group: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
