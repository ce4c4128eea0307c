"""The process that answers short questions about data and models, one JSON line each.

The page asks it to read files, count antecedents, walk one row down a rule list or write an export.
It keeps the tables it read last, and is ended and replaced where it takes too long.
"""

from __future__ import annotations

import json
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from surelist.errors import InputError
from surelist.runs.rows import Source
from surelist.web.dataset_files import keep_source, open_source
from surelist.web.file_names import ABOUT, SPEC
from surelist.web.limits import Limits
from surelist.web.processes import json_safe, limit_memory, log
from surelist.web.progress_file import put_json
from surelist.web.wording import error_text

__all__ = ["main"]

_MOST_TABLES = 2


class Questions:
    """The questions that a helper answers, and the tables it read last.

    Parameters
    ----------
    limits : Limits
        For what is read.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tables: OrderedDict[tuple[str, int], Source] = OrderedDict()

    def table(self, folder: str) -> Source:
        """Return the data set in a folder; it is read unless it was one of the last."""
        key = (folder, (Path(folder) / ABOUT).stat().st_mtime_ns)
        if key not in self._tables:
            while len(self._tables) >= _MOST_TABLES:
                self._tables.popitem(last=False)
            self._tables[key] = open_source(Path(folder), self._limits)
        self._tables.move_to_end(key)
        return self._tables[key]

    def forget(self) -> None:
        """Forget every table, to free memory."""
        self._tables.clear()

    # Questions. Each takes what the page sent, and returns something that JSON can hold.

    def options(self) -> Any:
        """Name what a search can be told."""
        from joblib import cpu_count

        from surelist import _core

        return {
            "bounds": _core.bound_names(),
            "policies": _core.policy_names(),
            "symmetries": _core.symmetry_names(),
            "processors": cpu_count(),
        }

    def example(self, *, name: str, path: str) -> Any:
        """Write an example data set to a file."""
        from surelist.web.examples import example_csv

        Path(path).write_text(example_csv(name), encoding="utf-8")
        return {}

    def summarize(self, *, data: str) -> Any:
        """Describe a data set."""
        from surelist.web.summary import summarize

        source = self.table(data)
        summary = summarize(source)
        keep_source(Path(data), source)
        return summary

    def inspect(self, *, data: str, label: str | None, relabel: Mapping[str, Any]) -> Any:
        """Look for columns that make a result worth less than it seems, and count the classes."""
        from surelist.web.findings import findings_of
        from surelist.web.summary import class_counts

        source = self.table(data)
        return {
            "findings": findings_of(source, label, relabel),
            "labels": class_counts(source, label, relabel),
        }

    def workbook(self, *, data: str) -> Any:
        """Turn a workbook into the CSV file of its first sheet; say which; None for other files."""
        from surelist.web.dataset_files import workbook_as_csv

        return {"sheet": workbook_as_csv(Path(data), self._limits)}

    def audit(self, *, files: list[dict[str, str]], label: str | None, told: str) -> Any:
        """Check a certificate or a bundle that somebody else has made; say how far it is."""
        from surelist.web.audit import audit_document

        def tell(done: int, of: int) -> None:
            put_json(Path(told), {"done": done, "of": of})

        return audit_document(files, label, self._limits, tell)

    def same_data(self, *, data: list[str]) -> Any:
        """Say whether two data sets are the same file."""
        from surelist.web.dataset_files import same_data

        return {"same": same_data(*map(Path, data))}

    def columns(self, *, data: str, settings: Mapping[str, Any]) -> Any:
        """Show how columns become conditions."""
        from surelist.web.preview import columns_preview

        return columns_preview(self.table(data), settings)

    def problem(self, *, data: str, settings: Mapping[str, Any]) -> Any:
        """Count antecedents and groups."""
        from surelist.web.preview import problem_preview

        return problem_preview(self.table(data), settings)

    def trial(self, *, data: str, settings: Mapping[str, Any]) -> Any:
        """Search for a second."""
        from surelist.web.outlook import trial

        return trial(self.table(data), settings)

    def check(self, *, data: str, settings: Mapping[str, Any]) -> Any:
        """Refuse settings that a search would refuse."""
        from surelist.problem.parameters import read_parameters
        from surelist.problem.settings import Settings
        from surelist.web.run_description import parameters_of, rows_of

        rows = rows_of(self.table(data), settings)
        read_parameters(Settings(**parameters_of(settings, rows)))
        return {}

    def explain(self, *, run: str, values: Mapping[str, Any]) -> Any:
        """Walk one row down a rule list."""
        from surelist.rule_list.table import smoothed_shares
        from surelist.web.explain_row import explain_one

        result = json.loads((Path(run) / "result.json").read_text(encoding="utf-8"))
        kinds = {field["name"]: field["kind"] for field in result["form"]}
        rule_list = _model(run).rule_list_
        return explain_one(rule_list, kinds, values, smoothed_shares(rule_list, 0.0))

    def download(self, *, run: str, data: str, kind: str, about: Mapping[str, Any]) -> Any:
        """Write an export of a model to a file in its folder."""
        from surelist.web.downloads import write_download

        with_rows = ("predictions.csv", "bundle.zip")
        table = self.table(data) if kind in with_rows else None
        write_download(Path(run), kind, {**about, "data": data}, _model(run), table)
        return {}

    def rows(
        self, *, run: str, data: str, asked: Mapping[str, Any], other: str | None = None
    ) -> Any:
        """Return the rows of a cell, of a group, or on which two models differ."""
        from surelist.web.run_rows import rows_page

        roles = _settings(run).get("roles") or {}
        protected = [name for name, role in roles.items() if role == "protected"]
        return rows_page(self._predicted(run, data, other), asked, protected)

    def group_rates(
        self, *, run: str, data: str, asked: Mapping[str, Any], other: str | None = None
    ) -> Any:
        """Return rates by group, with intervals."""
        from surelist.web.run_rows import group_rates

        return group_rates(self._predicted(run, data, other), asked)

    def _predicted(self, run: str, data: str, other: str | None) -> Any:
        from surelist.web.run_rows import Predicted

        beside = None if other is None else _model(other).rule_list_
        return Predicted(Path(run), self._rows(run, data), _model(run).rule_list_, beside)

    def score(self, *, run: str, data: str, new: str, name: str) -> Any:
        """Apply the list of a run to another file."""
        from surelist.web.score_file import column_kinds, score_file

        trained, rule_list = self._rows(run, data), _model(run).rule_list_
        source = open_source(Path(new), self._limits, column_kinds(trained, rule_list))
        return score_file(Path(run), name, trained, source, rule_list, _settings(run))

    def _rows(self, run: str, data: str) -> Any:
        from surelist.web.run_description import rows_of

        return rows_of(self.table(data), _settings(run))

    def agreement(self, *, data: str, runs: list[str]) -> Any:
        """Count the rows of a data set on which two models agree."""
        from surelist.web.run_description import captured_by

        table = self.table(data).table
        lists = [_model(run).rule_list_ for run in runs]
        first, second = (
            [str(each.all_rules[index].label) for index in captured_by(each, table)]
            for each in lists
        )
        same = sum(a == b for a, b in zip(first, second, strict=True))
        return {"rows": len(first), "same": same}


def _settings(run: str) -> Any:
    return json.loads((Path(run) / SPEC).read_text(encoding="utf-8"))["settings"]


def _model(run: str) -> Any:
    from surelist.estimators.model_file import load

    return load(Path(run) / "model.json")


def main(arguments: list[str]) -> int:
    """Answer until there are no more questions."""
    limits = Limits(**json.loads(arguments[0]))
    limit_memory(limits.helper_memory)
    # Answers go to the standard output; what libraries print there goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    questions = Questions(limits)
    for line in sys.stdin:
        question = json.loads(line)
        answers.write(json.dumps(_answer(questions, question)) + "\n")
        answers.flush()
    return 0


def _answer(questions: Questions, question: dict[str, Any]) -> dict[str, Any]:
    ask: Callable[..., Any] = getattr(questions, question.pop("ask"))
    try:
        return {"answer": json_safe(ask(**question))}
    except InputError as error:
        return {"refused": error_text(error)}
    except MemoryError as error:
        questions.forget()
        return {"refused": error_text(error)}
    except Exception as error:
        log(error)
        return {"failed": error_text(error)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
