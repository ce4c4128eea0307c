"""Flags that demand fairness, and what is said of rates by group in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist.errors import InputError
from surelist.runs.description import Number, read_number
from surelist.runs.rows import Rows

if TYPE_CHECKING:
    from surelist.problem.fairness import Fairness
    from surelist.problem.fairness_report import FairnessReport

__all__ = ["FairnessOptions", "fairness_lines", "label_named", "read_demand"]


def _flag(*names: str, **more: Any) -> Any:
    return typer.Option(*names, show_default=False, **more)


@dataclass(frozen=True)
class FairnessOptions:
    """What predictions must be like, by sensitive group."""

    fairness: Annotated[
        list[str] | None,
        _flag(
            "--fairness",
            metavar="METRIC",
            help="Find the best list whose rates differ little between groups: "
            "statistical_parity, equal_opportunity, predictive_equality, equalized_odds, "
            "predictive_parity or conditional_use_accuracy_equality; may be repeated.",
        ),
    ] = None
    sensitive: Annotated[
        list[str] | None,
        _flag(
            "--sensitive",
            metavar="COLUMN",
            help="The column whose values are the groups; if repeated, each combination of values "
            "is a group. Rules do not ask about it.",
        ),
    ] = None
    tolerance: Annotated[
        str | None,
        _flag(
            "--tolerance",
            metavar="T",
            help="By how much rates of two groups may differ. [default: 0.05, unless there is "
            "--ratio]",
        ),
    ] = None
    ratio: Annotated[
        str | None,
        _flag(
            "--ratio",
            metavar="R",
            help="The least rate must be at least R times the greatest; R = 0.8, for example.",
        ),
    ] = None
    max_error: Annotated[
        list[str] | None,
        _flag(
            "--max-error",
            metavar="GROUP=RATE",
            help="The greatest error rate of a group; RATE alone: of every group; may be repeated.",
        ),
    ] = None
    min_selection: Annotated[
        list[str] | None,
        _flag(
            "--min-selection",
            metavar="GROUP=RATE",
            help="The least share of a group that is predicted positive; RATE alone: of every "
            "group; may be repeated.",
        ),
    ] = None
    max_selection: Annotated[
        list[str] | None,
        _flag(
            "--max-selection",
            metavar="GROUP=RATE",
            help="The greatest share of a group that is predicted positive; RATE alone: of every "
            "group; may be repeated.",
        ),
    ] = None
    positive: Annotated[
        str | None,
        _flag(
            "--positive",
            metavar="LABEL",
            help="The label that counts as selected. [default: the second]",
        ),
    ] = None
    majority: Annotated[
        bool,
        _flag(
            "--majority",
            help="With --fairness: rules predict the majority of what they capture.",
        ),
    ] = False
    allow_sensitive: Annotated[
        bool, _flag("--allow-sensitive", help="Rules may ask about the sensitive columns.")
    ] = False


def read_demand(flags: FairnessOptions, rows: Rows) -> Fairness | None:
    """Return what the flags demand; None where they demand nothing.

    Raises
    ------
    InputError
    """
    demanded = flags.fairness or flags.max_error or flags.min_selection or flags.max_selection
    if not demanded:
        for name, given in vars(flags).items():
            if given:
                raise InputError(
                    f"--{name.replace('_', '-')} has no effect alone: add --fairness METRIC, which "
                    "says which rates may not differ"
                )
        return None
    if not flags.sensitive:
        raise InputError("--sensitive COLUMN has to name the column whose values are the groups")
    from surelist.problem.fairness import Fairness

    return Fairness(
        metric=flags.fairness or None,
        sensitive=flags.sensitive,
        tolerance=_number("--tolerance", flags.tolerance),
        ratio=_number("--ratio", flags.ratio),
        labels="majority" if flags.majority else "free",
        positive=label_named(flags.positive, rows),
        max_error=_by_group("--max-error", flags.max_error),
        min_selection=_by_group("--min-selection", flags.min_selection),
        max_selection=_by_group("--max-selection", flags.max_selection),
        allow_sensitive=flags.allow_sensitive,
    )


def _number(flag: str, text: str | None) -> Number | None:
    return None if text is None else read_number(flag, text)


def _by_group(flag: str, given: Sequence[str] | None) -> Number | dict[str, Number] | None:
    """Read GROUP=RATE, or one RATE for all groups; the name of a group may hold equals signs."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return read_number(flag, given[0])
    shares = {}
    for pair in given:
        group, equals, share = pair.rpartition("=")
        if not equals or group in shares:
            raise InputError(
                f"{flag} {pair}: write GROUP=RATE, once for each group, or one RATE for all"
            )
        shares[group] = read_number(flag, share)
    return shares


def label_named(text: str | None, rows: Rows) -> Any:
    """Return the label that prints as this text; None for no text.

    Raises
    ------
    InputError
    """
    if text is None:
        return None
    labels = set(rows.training()["y"].tolist())
    found = [label for label in labels if str(label) == text]
    if not found:
        known = ", ".join(sorted(map(str, labels)))
        raise InputError(f"--positive: there is no label {text!r}; there are {known}")
    return found[0]


def fairness_lines(
    report: FairnessReport, metrics: Sequence[str], columns: Sequence[str]
) -> list[str]:
    """Return rates by group, what they mean, and what they do not say."""
    from surelist.problem.fairness_words import caveats, meaning

    said = [line for metric in metrics for line in meaning(metric, report)]
    return [*str(report).splitlines(), *dict.fromkeys(said), *caveats(report, columns)]
