"""``surelist alternatives``: every rule list that is nearly as good as the best one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surelist._common.messages import counted
from surelist.cli.alternatives_report import (
    Asked,
    document_of,
    document_of_count,
    entries_of,
    print_count,
    print_lists,
)
from surelist.cli.options import (
    DataOptions,
    EngineOptions,
    FeatureOptions,
    LabelOptions,
    LimitOptions,
    OutputOptions,
    ProgressFlag,
    RegularizationFlag,
    SearchOptions,
    with_flag_groups,
)
from surelist.cli.printing import note
from surelist.cli.report import claim_outputs, report
from surelist.cli.run_flags import describe_run
from surelist.cli.searching import exit_by, labelled_rows, searching, warnings_as_notes
from surelist.errors import InputError
from surelist.runs.description import parameters_of, read_number

if TYPE_CHECKING:
    from surelist.estimators.classifier import RuleListClassifier
    from surelist.estimators.near_optimal.answers import Answers
    from surelist.estimators.near_optimal.counted import CountedRuleLists
    from surelist.estimators.near_optimal.result import RuleLists
    from surelist.runs.rows import Rows

__all__ = ["alternatives"]


@dataclass(frozen=True)
class GoalOptions:
    """Which lists are good enough."""

    tolerance: Annotated[
        str | None,
        typer.Option(
            "--tolerance",
            metavar="SHARE",
            help="All lists with at most the optimum times 1 + SHARE. [default: 0.01]",
            show_default=False,
        ),
    ] = None
    objective: Annotated[
        str | None,
        typer.Option("--objective", metavar="R", help="All lists with at most this objective."),
    ] = None
    best: Annotated[
        int | None,
        typer.Option("--best", metavar="N", help="The N best lists, and all that equal the last."),
    ] = None
    distinct: Annotated[
        str,
        typer.Option(
            "--distinct",
            metavar="WHAT",
            help="What counts as one list: text, or predictions of the training rows.",
        ),
    ] = "text"

    def parameters(self) -> dict[str, Any]:
        """Return them by the names of the parameters of `near_optimal`, but for the number."""
        tolerance, objective = self.tolerance, self.objective
        return {
            "tolerance": None if tolerance is None else read_number("--tolerance", tolerance),
            "objective": None if objective is None else read_number("--objective", objective),
        }


@dataclass(frozen=True)
class ChoiceOptions:
    """Which of the lists are wanted."""

    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="COLUMN",
            help="Show no lists with this column or antecedent; may be repeated.",
        ),
    ] = None
    using: Annotated[
        list[str] | None,
        typer.Option(
            "--using",
            metavar="COLUMN",
            help="Show only lists with this column or antecedent; may be repeated.",
        ),
    ] = None
    group: Annotated[
        str | None,
        typer.Option(
            "--group", metavar="COLUMN", help="Also give ranges of error rates by this column."
        ),
    ] = None
    max_gap: Annotated[
        str | None,
        typer.Option(
            "--max-gap",
            metavar="SHARE",
            help="Show only lists whose --rate differs by at most SHARE between the groups.",
        ),
    ] = None
    rate: Annotated[
        str,
        typer.Option("--rate", metavar="RATE", help="The rate of --max-gap: FPR, FNR or error."),
    ] = "FPR"
    positive: Annotated[
        str | None,
        typer.Option(
            "--positive",
            metavar="LABEL",
            help="The positive class of these rates. [default: the second of two]",
            show_default=False,
        ),
    ] = None
    row: Annotated[
        int | None,
        typer.Option(
            "--row",
            metavar="K",
            help="Also say what the lists predict for the Kth row of DATA, by share of the lists.",
        ),
    ] = None

    necessity: Annotated[
        list[str] | None,
        typer.Option(
            "--necessity",
            metavar="COLUMN",
            help="Also say exactly what doing without this column or antecedent costs, however "
            "much; may be repeated. --necessity all is every column.",
        ),
    ] = None
    necessity_certificate: Annotated[
        Path | None,
        typer.Option(
            "--necessity-certificate",
            metavar="FILE",
            help="Write the proof of that, of one column, which surelist verify checks.",
        ),
    ] = None

    def asked(self, rows: Rows) -> Asked:
        """Return what the answers need of the rows.

        Raises
        ------
        InputError
            Where the rows have no such column, row or label, or are not in memory.
        """
        if (self.group is None) > (self.max_gap is None):
            raise InputError("--max-gap needs --group, a column")
        if self.group is None and self.row is None:
            return Asked(None, None, None)
        if not rows.source.in_memory:
            raise InputError(
                "--group and --row need rows in memory; leave them out, or use --engine memory"
            )
        positive = None
        if self.positive is not None:
            by_text = {str(each): each for each in rows.classes}
            if self.positive not in by_text:
                raise InputError(f"--positive must be one of {', '.join(by_text)}")
            positive = by_text[self.positive]
        return Asked(
            None if self.group is None else _column(rows, self.group),
            positive,
            None if self.row is None else _row(rows, self.row),
        )

    def is_any(self) -> bool:
        """Whether something is asked of the lists, so that there have to be some."""
        return any(getattr(self, each.name) != each.default for each in fields(self))

    def worth(self, found: RuleLists) -> Answers | None:
        """Return what doing without columns costs, where that is asked."""
        if self.necessity is None:
            return None
        names = found.column_names if self.necessity == ["all"] else self.necessity
        with warnings_as_notes():
            answers = found.necessity(names, certificate=self.necessity_certificate is not None)
        if len(answers) < len(dict.fromkeys(names)):
            note(f"interrupted: {len(answers)} of {counted(len(names), 'name')} are answered")
        return answers

    def status(self, found: RuleLists, answers: Answers | None) -> str:
        """Return what says whether all of it is proven: "optimal", or what ended a search."""
        if not found.complete:
            return found.status
        if self.necessity is None or answers is None:
            return "optimal"
        names = found.column_names if self.necessity == ["all"] else self.necessity
        if len(answers) < len(dict.fromkeys(names)):
            return "interrupted"
        return next((each.status for each in answers if each.status != "optimal"), "optimal")

    def of(self, found: RuleLists, asked: Asked) -> RuleLists:
        """Return the lists that are wanted."""
        gap = None if self.max_gap is None else read_number("--max-gap", self.max_gap)
        by_gap = (
            {}
            if gap is None
            else {
                "group": asked.group,
                "max_gap": gap,
                "rate": self.rate,
                "positive": asked.positive,
            }
        )
        return found.filter(without=self.without, using=self.using, **by_gap)

    def none_of(self, found: RuleLists, kept: RuleLists, asked: Asked) -> str:
        """Say how near the lists come to what is wanted, where none of them is left."""
        if len(kept) > 0 or len(found) == 0:
            return ""
        said = f"none of the {counted(len(found), 'list')} is like that"
        if self.max_gap is None:
            return said
        least = found.rates(asked.group, asked.positive).gap(self.rate).min()
        return f"{said}; of all of them, the smallest gap in {self.rate} is {least:.6g}"


@with_flag_groups
def alternatives(
    *,
    data: DataOptions,
    engine: EngineOptions,
    columns: LabelOptions,
    regularization: RegularizationFlag = "0.01",
    goal: GoalOptions,
    choice: ChoiceOptions,
    show: Annotated[
        int, typer.Option("--show", metavar="N", help="How many lists to print, the best first.")
    ] = 10,
    pick: Annotated[
        int | None,
        typer.Option(
            "--pick",
            metavar="K",
            help="Write the Kth of these lists as a model to --output, and its proof to "
            "--certificate.",
        ),
    ] = None,
    count: Annotated[
        bool,
        typer.Option("--count", help="Only count the lists, every order of rules by itself."),
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", metavar="N", help="With --count, also draw N of the lists at random."
        ),
    ] = None,
    most: Annotated[
        int,
        typer.Option("--most", metavar="N", help="Lists in --output and --json, the best first."),
    ] = 100_000,
    features: FeatureOptions,
    search: SearchOptions,
    limits: LimitOptions,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Write a proof that none is missing, which surelist verify checks.",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw objective against accuracy, or group gap."
        ),
    ] = None,
    progress: ProgressFlag = None,
    output: OutputOptions,
) -> None:
    """Find every rule list that is nearly as good as the best one.

    None is missing up to the objective that is printed. --output writes the lists as JSON; with
    --pick, one of them as a model.
    """
    files = _Files(pick, certificate, choice.necessity_certificate)
    if most < 0 or show < 0:
        raise InputError("--show and --most must be at least 0")
    if sample is not None and not count:
        raise InputError("--sample goes with --count")
    if count:
        _check_count(goal, choice, files, picture, sample)
    files.check(choice, output)
    claim_outputs(output, picture, certificate, files.necessity, inputs=data.files)
    rows, seconds = labelled_rows(data, engine, columns, progress)
    asked = choice.asked(rows)
    run = describe_run(read_number("--regularization", regularization), features, search, limits)
    parameters = parameters_of(run, rows, rows.table.notes) | goal.parameters()
    parameters["regularization"] = run.regularization
    with searching(rows, seconds, progress) as watcher:
        parameters["progress"] = watcher.progress
        if count:
            every = _count(rows, parameters)
            drawn = None if sample is None else every.sample(sample, random_state=run.random_state)
        else:
            parameters |= {"n": goal.best, "distinct": goal.distinct}
            found = _solve(rows, parameters | {"certificate": files.whole})
    if count:
        _report_count(every, drawn, choice, asked, output, show)
        return
    kept = choice.of(found, asked)
    asked = replace(asked, necessity=choice.worth(found))
    written = output if pick is None else replace(output, output=None)
    for_machines = written.json or written.output is not None
    unwritten = report(
        document_of(kept, asked, most) if for_machines else {},
        written,
        lambda: print_lists(kept, asked, show, choice.none_of(found, kept, asked)),
        picture=picture,
        draw=lambda: kept.plot(group=asked.group, rate=choice.rate, positive=asked.positive),
        files=files.of(found, kept, asked, output.output),
    )
    exit_by(choice.status(found, asked.necessity), unwritten)


def _check_count(
    goal: GoalOptions,
    choice: ChoiceOptions,
    files: _Files,
    picture: Path | None,
    sample: int | None,
) -> None:
    """Refuse what counting cannot answer."""
    if (files.pick, goal.best, files.certificate, picture) != (None, None, None, None):
        raise InputError("--count goes without --pick, --best, --certificate and --plot")
    if choice.necessity or (sample is None and choice.is_any()):
        raise InputError(
            "--count says nothing of columns, groups and rows; leave these out, or draw some lists "
            "by --sample (--necessity needs the whole set)"
        )


@dataclass(frozen=True)
class _Files:
    """What is written beside the document and the picture: a picked model, and proofs."""

    pick: int | None
    certificate: Path | None
    necessity: Path | None

    @property
    def whole(self) -> bool:
        """Whether the certificate is that of the whole set, not of the picked list."""
        return self.certificate is not None and self.pick is None

    def check(self, choice: ChoiceOptions, output: OutputOptions) -> None:
        """Refuse proofs of what is not asked, and a picked list without a place."""
        if self.necessity is not None and (
            choice.necessity is None or len(choice.necessity) != 1 or choice.necessity == ["all"]
        ):
            raise InputError("--necessity-certificate needs --necessity with one column")
        if self.pick is not None and (self.pick < 1 or output.output is None):
            raise InputError("--pick needs a number from 1 up, and --output for the model")

    def of(
        self, found: RuleLists, kept: RuleLists, asked: Asked, model_path: Path | None
    ) -> dict[Path, Callable[[], object]]:
        """Return each file, and what writes it."""
        files: dict[Path, Callable[[], object]] = {}
        proof: Any = found.certificate
        if self.pick is not None and model_path is not None:
            model = _picked(kept, self.pick, self.certificate is not None)
            proof = getattr(model, "certificate_", None)
            files[model_path] = partial(model.save, model_path)
        if proof is not None and self.certificate is not None:
            files[self.certificate] = partial(proof.save, self.certificate)
        if self.necessity is not None and asked.necessity is not None:
            (worth,) = asked.necessity
            files[self.necessity] = partial(worth.certificate.save, self.necessity)
        return files


def _solve(rows: Rows, parameters: dict[str, Any]) -> RuleLists:
    from surelist.estimators.near_optimal.search import near_optimal

    return near_optimal(**rows.training(), **parameters)


def _picked(found: RuleLists, pick: int, certificate: bool) -> RuleListClassifier:
    if pick > len(found):
        raise InputError(f"--pick {pick} is beyond the {counted(len(found), 'list')}")
    return found.model(pick - 1, certificate=certificate)


def _count(rows: Rows, parameters: dict[str, Any]) -> CountedRuleLists:
    from surelist.estimators.near_optimal.counting import count_near_optimal

    return count_near_optimal(**rows.training(), **parameters)


def _report_count(
    found: CountedRuleLists,
    drawn: RuleLists | None,
    choice: ChoiceOptions,
    asked: Asked,
    output: OutputOptions,
    show: int,
) -> None:
    entries = entries_of(found)
    document = document_of_count(found, entries)
    some = None if drawn is None else choice.of(drawn, asked)
    if some is not None:
        document["sample"] = document_of(some, asked, len(some))

    def shown() -> None:
        print_count(found, entries)
        if some is not None:
            print_lists(some, asked, show)

    unwritten = report(document, output, shown, draw=lambda: None)
    exit_by("optimal" if found.complete else found.status, unwritten)


def _column(rows: Rows, name: str) -> list[Any]:
    from surelist.tables.files import plain_values

    return plain_values(rows.source.table.named_column(name, "group"))


def _row(rows: Rows, place: int) -> Any:
    import numpy as np

    if not 1 <= place <= rows.table.n_rows:
        raise InputError(f"--row must be from 1 to {rows.table.n_rows:,}; got {place}")
    return rows.table.take(np.array([place - 1]))
