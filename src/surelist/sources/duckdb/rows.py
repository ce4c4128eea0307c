"""Rows of a database as a source of groups, by SQL.

Conditions are chosen from the counts of values by class, which a GROUP BY gives exactly. Only a
column with too many distinct numbers is cut by a sample of the rows; what its conditions capture is
then counted exactly, too. The rows themselves are never loaded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surelist.conditions.conditions import Condition, Missing
from surelist.errors import FormatError, InputError, Message
from surelist.features.column_conditions import (
    Choice,
    Counted,
    Labelled,
    column_conditions,
    frequent_categories,
)
from surelist.features.cuts import weigh
from surelist.sources.duckdb.columns import column_of, label_column, label_values, weight_sql
from surelist.sources.duckdb.conditions import SqlColumn, condition_sql, literal
from surelist.sources.duckdb.database import Database
from surelist.sources.duckdb.progress import Meter, Reading
from surelist.sources.row_source import GroupedTable, LabelCounts, RowSource, Weighing
from surelist.tables.column import Column
from surelist.tables.column_names import column_missing
from surelist.tables.table import ColumnTypeError

__all__ = ["Query"]

# Sample size for cutting a column: quantiles are then accurate to about a thousandth.
_SAMPLE = 1 << 18
_MOST_WEIGHTS = 1_000_000
_MOST_LABELS = 4096
_MOST_ROWS = 1 << 16
_WORD = 62


class Query(RowSource):
    """Rows in files or in a database, which stay there; made by `surelist.from_query`.

    Attributes
    ----------
    names : tuple of str
        The columns to learn from.
    label, weight : str or None
        The columns of labels and weights.
    path : str
        Where the rows are, for messages.
    notes : list of str
        Decisions that a user may want to know.
    cut_points : dict of str to str
        For each column of numbers or dates how its cuts were chosen in the last fit: "exact", from
        the counts of all its values, or "sketched", from a sample of the rows.
    """

    def __init__(
        self,
        database: Database,
        scan: str,
        columns: Mapping[str, SqlColumn | str],
        *,
        path: str,
        max_distinct: int,
        max_groups: int,
        notes: Sequence[str],
        meter: Meter,
    ) -> None:
        self.database = database
        self.path = path
        self.notes = list(notes)
        self.label: str | None = None
        self.weight: str | None = None
        self.max_distinct = max_distinct
        self.max_groups = max_groups
        self.cut_points: dict[str, str] = {}
        self._scan = scan
        self._all = dict(columns)
        self._meter = meter
        self._known: dict[Any, Any] = {}
        self.names = tuple(columns)

    def choose(self, label: str, weight: str | None = None, drop: Collection[str] = ()) -> Query:
        """Choose the columns of labels and weights, and those to leave out.

        Raises
        ------
        InputError
            If there is no such column, or a remaining one has a type that no condition can test.
        """
        for name, role in (
            (label, "label"),
            (weight, "weight"),
            *((name, "drop") for name in drop),
        ):
            if name is not None and name not in self._all:
                raise FormatError(column_missing(name, role, tuple(self._all)), self.path)
        self.label, self.weight = label, weight
        self._known.clear()
        self.names = tuple(n for n in self._all if n not in {label, weight, *drop})
        if not self.names:
            raise FormatError(Message("no_column_left"), self.path)
        self._label = label_column(self._usable(label))
        self._weight = None if weight is None else weight_sql(self._usable(weight))
        self._features = [self._usable(name) for name in self.names]
        return self

    def watch(self, progress: bool | Callable[[Reading], object]) -> None:
        """Show progress in another way from now on; see `surelist.from_query`."""
        self._meter.watch(progress)

    def _usable(self, name: str) -> SqlColumn:
        column = self._all[name]
        if isinstance(column, str):
            raise ColumnTypeError(f"{self.path}: column {name!r} {column}")
        return column

    def __repr__(self) -> str:
        return f"<Query: {self.path}, {len(self.names)} columns, label {self.label!r}>"

    def __array__(self, *_: Any, **__: Any) -> NDArray[Any]:
        """Refuse, because an array would load all rows."""
        raise InputError(
            "the rows of a query stay in the database; predict there with the SQL of "
            "model.export('sql'), or predict rows in memory"
        )

    # The interface of RowSource.

    @property
    def n_rows(self) -> int:
        """Number of rows, including rows of weight zero."""
        if "n_rows" not in self._known:
            ((count,),) = self.database.rows(f"SELECT count(*) FROM {self._scan}")
            self._known["n_rows"] = self._meter.n_rows = int(count)
        count_: int = self._known["n_rows"]
        return count_

    def label_counts(self) -> LabelCounts:
        """Count the rows of each label and weight."""
        if "labels" not in self._known:
            if self.n_rows == 0:
                raise InputError(f"{self.path}: there are no rows")
            self._meter.done, self._meter.total = 0, len(self.names) + 3
            with self._meter.step(f"counting the labels {self.label!r}"):
                self._known["labels"] = self._count_labels()
        found: LabelCounts = self._known["labels"]
        return found

    def column(self, index: int) -> Column:
        """Return a column with each distinct value once, or with some of very many."""
        own = self._features[index]
        where = f"SELECT DISTINCT {own.sql} AS v FROM {self._scan}"
        values = self.database.fetch(
            f"SELECT v FROM ({where}) ORDER BY v LIMIT {self.max_distinct}"
        )
        return column_of(own, values["v"])

    def conditions(self, index: int, choice: Choice, weighing: Weighing) -> list[Counted]:
        """Choose the conditions on a column, as `column_conditions` does for rows in memory."""
        key = (index, choice, repr(weighing.description))
        if key not in self._known:
            own = self._features[index]
            wide = self._distinct()[index] > self.max_distinct
            with self._meter.step(f"counting the values of {own.name!r}"):
                if not wide:
                    found = column_conditions(*self._counted(own, weighing), choice)
                elif own.dtype.kind == "O" or choice.category:
                    found = self._frequent(own, choice, weighing)
                else:
                    found = self._sketched(index, choice, weighing)
            if own.dtype.kind != "O" and not choice.category:
                self.cut_points[own.name] = "sketched" if wide else "exact"
            self._known[key] = found
        conditions: list[Counted] = self._known[key]
        return conditions

    def groups(self, conditions: Sequence[Condition], weighing: Weighing) -> GroupedTable:
        """Evaluate the conditions on every row, and load the groups.

        Raises
        ------
        InputError
            If there are more groups than ``max_groups``.
        """
        with self._meter.step("grouping"):
            return self._grouped(conditions, weighing, keep=True)

    def batches(self, names: Sequence[str], most: int) -> Iterator[dict[str, list[Any]]]:
        """Yield some columns as plain values in batches of rows, with None for missing values.

        `surelist.verify` uses them: it does not rely on conditions as SQL.
        """
        chosen = ", ".join(f"{self._plain(name)} AS c{at}" for at, name in enumerate(names))
        total, done = self.n_rows, 0
        with self._meter.step("checking the rows"):
            sql = f"SELECT {chosen} FROM {self._scan}"
            for rows in self.database.stream(sql, min(most, _MOST_ROWS)):
                columns = map(list, zip(*rows, strict=True))
                yield dict(zip(names, columns, strict=True))
                done += len(rows)
                self._meter.tell(done / total)

    def _plain(self, name: str) -> str:
        column = self._usable(name)
        if name == self.label:
            return self._label.sql
        if column.kind in ("date", "datetime"):
            return f"make_timestamp({column.sql})"
        return column.sql

    # The queries.

    def _count_labels(self) -> LabelCounts:
        columns = f"{self._label.sql} AS y"
        if self._weight is not None:
            columns += f", {self._weight} AS weight"
        most = _MOST_WEIGHTS if self._weight is not None else _MOST_LABELS
        found = self.database.fetch(
            f"SELECT *, count(*) AS n FROM (SELECT {columns} FROM {self._scan}) "
            f"GROUP BY ALL ORDER BY ALL LIMIT {most + 1}"
        )
        if len(found["n"]) > most:
            what, remedy = "labels", "choose a label column with few classes"
            if self._weight is not None:
                what, remedy = "pairs of label and weight", "round the weights"
            raise InputError(f"{self.path}: more than {most:,} distinct {what}; {remedy}")
        counts = np.ma.getdata(found["n"]).astype(np.int64)
        wrong = np.ma.getmaskarray(found["y"]).copy()
        if self._label.dtype.kind == "f":
            wrong |= ~np.isfinite(np.ma.getdata(found["y"]))
        self._require(counts[wrong].sum() == 0, counts[wrong].sum(), self.label, "no label")
        weights = None
        if self._weight is not None:
            weights = np.ma.getdata(found["weight"]).astype(np.float64)
            wrong = np.ma.getmaskarray(found["weight"]) | ~np.isfinite(weights) | (weights < 0)
            number = counts[wrong].sum()
            self._require(number == 0, number, self.weight, "no weight that is at least 0")
        return LabelCounts(label_values(self._label, found["y"]), weights, counts)

    def _require(self, good: bool, number: Any, column: str | None, problem: str) -> None:
        if not good:
            raise InputError(
                f"{self.path}: {int(number):,} rows have {problem} in column {column!r}; leave "
                "them out with WHERE, or fill them in"
            )

    def _distinct(self) -> list[int]:
        """Return the approximate number of distinct values of each column."""
        if "distinct" not in self._known:
            counts = ", ".join(f"approx_count_distinct({own.sql})" for own in self._features)
            with self._meter.step("counting different values"):
                (self._known["distinct"],) = self.database.rows(
                    f"SELECT {counts} FROM {self._scan}"
                )
        return list(self._known["distinct"])

    def _rows(self, columns: Sequence[str], weighing: Weighing) -> str:
        """Return the query for expressions, the class y and the integer weight w of each row."""
        cases = " ".join(
            f"WHEN {literal(label)} THEN {code}"
            for code, label in enumerate(weighing.classes.tolist())
        )
        own = [f"CASE {self._label.sql} {cases} END::INTEGER AS y", *columns]
        if weighing.description["kind"] == "unit":
            return f"(SELECT {', '.join(own)} FROM {self._scan})"
        given = self._weight or "1::DOUBLE"
        inner = f"SELECT {', '.join([*own, f'{given} AS given'])} FROM {self._scan}"
        return f"(SELECT *, {_whole_sql(weighing.description)} AS w FROM ({inner}))"

    def _counted(self, own: SqlColumn, weighing: Weighing) -> tuple[Column, Labelled]:
        """Return the distinct values of a column, once for each class they occur with."""
        found = self.database.fetch(
            f"SELECT v, y, {_sum(weighing)} AS total "
            f"FROM {self._rows([f'{own.sql} AS v'], weighing)} GROUP BY v, y ORDER BY v, y"
        )
        return column_of(own, found["v"]), _labelled(found, weighing)

    def _frequent(self, own: SqlColumn, choice: Choice, weighing: Weighing) -> list[Counted]:
        """Return the conditions on a column with very many categories."""
        total = int(weighing.totals.sum())
        least = max(1, math.ceil(choice.min_frequency * total))
        # At most half of max_distinct categories can be frequent; the others are not merged.
        if choice.given is not None or least * (self.max_distinct // 2) < total:
            raise InputError(
                f"{self.path}: column {own.name!r} has more than {self.max_distinct:,} distinct "
                "values; leave it out, or raise min_frequency or max_distinct"
            )
        rows = self._rows([f"{own.sql} AS v"], weighing)
        found = self.database.fetch(
            f"WITH often AS (SELECT v FROM {rows} WHERE v IS NOT NULL "
            f"GROUP BY v HAVING {_sum(weighing)} >= {least}) "
            f"SELECT v, y, {_sum(weighing)} AS total FROM {rows} "
            "WHERE v IS NULL OR v IN (SELECT v FROM often) GROUP BY v, y ORDER BY v, y"
        )
        column, labelled = column_of(own, found["v"]), _labelled(found, weighing)
        present = np.flatnonzero(~column.missing)
        values = column.values if column.codes is None else column.codes
        weighted = weigh(
            values[present], labelled.codes[present], labelled.weights[present], labelled.n_classes
        )
        conditions = frequent_categories(column, weighted, weighing.labelled, choice)
        if (gone := labelled.inside(column.missing)).any():
            conditions.append(Counted(Missing(own.name), gone))
        return conditions

    def _sketched(self, index: int, choice: Choice, weighing: Weighing) -> list[Counted]:
        """Choose conditions from a sample, and count exactly what they capture."""
        own = self._features[index]
        sample = self._sample(weighing)
        ends = self._ends(own, weighing)
        given = np.ma.asanyarray(sample[f"c{index}"])
        values = np.ma.masked_array(
            np.concatenate([np.ma.getdata(given), ends]),
            np.append(np.ma.getmaskarray(given), np.zeros(len(ends), dtype=np.bool_)),
        )
        codes = np.append(sample["y"], np.zeros(len(ends))).astype(np.int32)
        weights = np.ones(len(codes), dtype=np.int64)
        if "w" in sample:
            weights[: len(sample["w"])] = sample["w"]
        labelled = Labelled(codes, weights, len(weighing.classes))
        chosen = column_conditions(column_of(own, values), labelled, choice)
        asked = [each.condition for each in chosen if not isinstance(each.condition, Missing)]
        asked.append(Missing(own.name))
        counted = self._grouped(asked, weighing)
        return [
            Counted(condition, _inside(counted, feature, len(weighing.classes)))
            for feature, condition in enumerate(asked)
        ]

    def _sample(self, weighing: Weighing) -> dict[str, Any]:
        """Return a fixed sample of rows, of all columns with very many values."""
        key = ("sample", repr(weighing.description))
        if key not in self._known:
            wide = [
                f"{own.sql} AS c{index}"
                for index, own in enumerate(self._features)
                if own.dtype.kind != "O" and self._distinct()[index] > self.max_distinct
            ]
            sql = f"SELECT * FROM {self._rows(wide, weighing)}"
            if self.n_rows > _SAMPLE:
                sql += f" USING SAMPLE {100 * _SAMPLE / self.n_rows!r} PERCENT (bernoulli, 1)"
            self._known[key] = self.database.one_thread(sql)
        found: dict[str, Any] = self._known[key]
        return found

    def _ends(self, own: SqlColumn, weighing: Weighing) -> NDArray[Any]:
        """Return values that a sample may miss: the ends, and a non-integer if there is one.

        Equal widths depend on the ends; whether cuts are integers depends on the non-integer.
        """
        if self.n_rows <= _SAMPLE:
            return np.array([], dtype=own.dtype)
        odd = f"min(v) FILTER (v <> floor(v) OR abs(v) >= {2**53})"
        (values,) = self.database.rows(
            f"SELECT min(v), max(v), {odd if own.dtype.kind == 'f' else 'min(v)'} "
            f"FROM {self._rows([f'{own.sql} AS v'], weighing)} {_positive(weighing)}"
        )
        return np.array([value for value in values if value is not None], dtype=own.dtype)

    def _grouped(
        self, conditions: Sequence[Condition], weighing: Weighing, *, keep: bool = False
    ) -> GroupedTable:
        position = {name: index for index, name in enumerate(self.names)}
        used = sorted({position[condition.column] for condition in conditions})
        columns = [f"{self._features[index].sql} AS c{index}" for index in used]
        tests = []
        for condition in conditions:
            index = position[condition.column]
            tests.append(condition_sql(condition, self._features[index].with_sql(f"c{index}")))
        words = [
            " + ".join(
                f"({test}::BIGINT << {bit})" for bit, test in enumerate(tests[first:][:_WORD])
            )
            + f" AS word{first // _WORD}"
            for first in range(0, len(tests), _WORD)
        ]
        sql = (
            f"SELECT {', '.join([*words, 'y', f'{_sum(weighing)} AS total'])} "
            f"FROM {self._rows(columns, weighing)} {_positive(weighing)} GROUP BY ALL"
        )
        found = self._fetch_groups(sql) if keep else self.database.fetch(sql)
        features = np.zeros((len(found["y"]), len(tests)), dtype=np.uint8, order="F")
        for feature in range(len(tests)):
            word = np.ma.getdata(found[f"word{feature // _WORD}"])
            features[:, feature] = word >> (feature % _WORD) & 1
        return GroupedTable(
            features,
            np.ma.getdata(found["y"]).astype(np.int32),
            np.ma.getdata(found["total"]).astype(np.int64),
        )

    def _fetch_groups(self, sql: str) -> dict[str, Any]:
        """Group, on disk if necessary, and count the groups before loading them."""
        table = self.database.create(f"AS {sql}")
        try:
            ((number,),) = self.database.rows(f"SELECT count(*) FROM {table}")
            if number > self.max_groups:
                raise InputError(
                    f"{self.path}: the features distinguish {number:,} groups of rows, more than "
                    f"max_groups = {self.max_groups:,}; use fewer features (max_features, "
                    "n_cuts, drop columns), or raise max_groups if memory allows"
                )
            return self.database.fetch(f"SELECT * FROM {table} ORDER BY ALL")
        finally:
            self.database.run(f"DROP TABLE {table}")


def _sum(weighing: Weighing) -> str:
    unit = weighing.description["kind"] == "unit"
    return "count(*)" if unit else "sum(w)::BIGINT"


def _positive(weighing: Weighing) -> str:
    return "" if weighing.description["kind"] == "unit" else "WHERE w > 0"


def _whole_sql(description: Mapping[str, Any]) -> str:
    """Return the integer weight of a row of class y and given weight ``given``."""
    sql = "given"
    if (factors := description["class_weight"]) is not None:
        cases = " ".join(f"WHEN {code} THEN {literal(f)}" for code, f in enumerate(factors))
        sql = f"({sql} * CASE y {cases} END)"
    if description["kind"] != "rounded":
        return f"{sql}::BIGINT"
    # In two steps, because the power of two may overflow a float where the product does not.
    half = description["exponent"] // 2
    steps = (half, description["exponent"] - half)
    scaled = " * ".join([sql, *(literal(math.ldexp(1.0, step)) for step in steps)])
    return f"(round_even({scaled}, 0)::BIGINT // {description['divisor']})"


def _labelled(found: Mapping[str, Any], weighing: Weighing) -> Labelled:
    return Labelled(
        np.ma.getdata(found["y"]).astype(np.int32),
        np.ma.getdata(found["total"]).astype(np.int64),
        len(weighing.classes),
    )


def _inside(groups: GroupedTable, feature: int, n_classes: int) -> NDArray[np.int64]:
    inside = np.zeros(n_classes, dtype=np.int64)
    held = groups.features[:, feature] == 1
    np.add.at(inside, groups.codes[held], groups.weights[held])
    return inside
