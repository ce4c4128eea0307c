"""Rows of a Dask DataFrame: counted and grouped on the cluster, partition by partition.

The values of each column by class are loaded first, to choose conditions from; then the groups of
equal rows of Boolean features. Both must fit in memory; the rows need not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from surelist.conditions.conditions import Condition
from surelist.errors import InputError, SurelistError
from surelist.features.binarization import feature_matrix
from surelist.features.column_conditions import Choice, Counted, Labelled, column_conditions
from surelist.sources.row_source import GroupedTable, LabelCounts, RowSource, Weighing
from surelist.tables.column import Column
from surelist.tables.labels import read_labels, require_one_kind
from surelist.tables.table import read_table

__all__ = ["DaskRows"]

_LABEL, _WEIGHT = "__label__", "__weight__"

# Seconds without any worker after which a computation fails.
_PATIENCE = 60.0


class DaskRows(RowSource):
    """A Dask DataFrame with its labels, which `RuleListClassifier.fit` accepts as X.

    Parameters
    ----------
    X : dask.dataframe.DataFrame
        The columns to learn from.
    y : dask.dataframe.Series
        A label for each row, with the same divisions or partitions.
    sample_weight : dask.dataframe.Series, optional

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> from surelist import RuleListClassifier
    >>> rows = pd.DataFrame({"age": [20, 30, 40, 50] * 10, "again": ["yes", "no", "no", "no"] * 10})
    >>> table = dd.from_pandas(rows, npartitions=3)
    >>> print(RuleListClassifier().fit(table[["age"]], table["again"]).rule_list_)
    if (age < 30) then predict yes
    else predict no
    """

    def __init__(self, X: Any, y: Any, sample_weight: Any = None) -> None:
        columns = {_LABEL: y} | ({} if sample_weight is None else {_WEIGHT: sample_weight})
        for name, column in columns.items():
            if not hasattr(column, "to_delayed"):
                what = "y" if name == _LABEL else "sample_weight"
                raise InputError(f"X is a Dask DataFrame, so {what} must be a Dask Series")
        self.names = tuple(map(str, X.columns))
        self._weighted = sample_weight is not None
        self._rows = X.rename(columns=dict(zip(X.columns, self.names, strict=True))).assign(
            **columns
        )

    @cached_property
    def _counts(self) -> pd.DataFrame:
        """Rows of each label and weight."""
        keys = [_LABEL, _WEIGHT] if self._weighted else [_LABEL]
        parts = self._of_partitions(_count_labels, keys)
        require_one_kind(pd.concat(parts)[_LABEL].to_numpy())
        counts: pd.DataFrame = pd.concat(parts).groupby(keys, as_index=False, dropna=False).sum()
        return counts

    @property
    def n_rows(self) -> int:
        """Number of rows, including rows of weight zero."""
        return int(self._counts["n"].sum())

    def label_counts(self) -> LabelCounts:
        """Count the rows of each label and weight."""
        counts = self._counts
        weights = counts[_WEIGHT].to_numpy(np.float64, na_value=np.nan) if self._weighted else None
        return LabelCounts(counts[_LABEL].to_numpy(), weights, counts["n"].to_numpy(np.int64))

    @cached_property
    def _codes(self) -> dict[Any, int]:
        """The code of each label."""
        labels = pd.unique(self._counts[_LABEL])
        codes = read_labels(np.tile(np.asarray(labels), 3), 3 * len(labels)).codes
        return dict(zip(labels, codes[: len(labels)].tolist(), strict=True))

    def column(self, index: int) -> Column:
        """Return a column with each distinct value once."""
        name = self.names[index]
        found = pd.concat(self._of_partitions(_distinct, name)).drop_duplicates()
        return read_table(found.to_frame()).column(0)

    def conditions(self, index: int, choice: Choice, weighing: Weighing) -> list[Counted]:
        """Choose the conditions on a column from its values by class."""
        name = self.names[index]
        counted = self._values(weighing)[name]
        column = read_table(counted[[name]]).column(0)
        codes = counted["code"].to_numpy(np.int32)
        weights = counted["weight"].to_numpy(np.int64)
        return column_conditions(column, Labelled(codes, weights, len(weighing.classes)), choice)

    def _values(self, weighing: Weighing) -> dict[str, pd.DataFrame]:
        """Weight of every value of every column by class, in one pass over the rows."""
        if not hasattr(self, "_held"):
            parts = self._of_partitions(_count_values, self.names, self._codes, weighing)
            self._held = {
                name: pd.concat([part[name] for part in parts])
                .groupby([name, "code"], as_index=False, dropna=False, observed=True)
                .sum()
                for name in self.names
            }
        return self._held

    def groups(self, conditions: Sequence[Condition], weighing: Weighing) -> GroupedTable:
        """Evaluate the conditions on every row, and group equal rows."""
        return GroupedTable.gather(
            self._of_partitions(_group, self.names, tuple(conditions), self._codes, weighing)
        )

    def _of_partitions(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        import dask

        tasks = [dask.delayed(function)(part, *arguments) for part in self._rows.to_delayed()]
        client = _client()
        return list(dask.compute(*tasks)) if client is None else _computed(client, tasks)


def _client() -> Any:
    """Return the client of the cluster that would compute; None if this process would."""
    from dask.base import get_scheduler

    distributed = sys.modules.get("distributed")
    owner = getattr(get_scheduler(), "__self__", None)
    return owner if distributed and isinstance(owner, distributed.Client) else None


def _computed(client: Any, tasks: list[Any]) -> list[Any]:
    """Compute on a cluster, with a limit on the time without workers.

    Raises
    ------
    SurelistError
        If there is no worker for too long, or the cluster is lost.
    """
    import distributed
    from distributed.comm import CommClosedError

    futures = client.compute(tasks)
    seen = time.monotonic()
    try:
        while True:
            with suppress(TimeoutError):
                distributed.wait(futures, timeout=min(1.0, _PATIENCE))
                return list(client.gather(futures))
            if client.nthreads():
                seen = time.monotonic()
            elif time.monotonic() - seen >= _PATIENCE:
                raise SurelistError(
                    f"X is a Dask DataFrame, and its cluster has had no workers for "
                    f"{_PATIENCE:.0f} seconds: start some with 'dask worker "
                    f"{client.scheduler.address}', or close the client to compute in this process"
                )
    except (distributed.KilledWorker, CancelledError, CommClosedError) as error:
        raise SurelistError(
            f"the Dask cluster that holds X was lost ({type(error).__name__}: {error}); "
            "check its logs, and fit again"
        ) from error
    finally:
        with suppress(Exception):  # the cluster may be gone
            client.cancel(futures)


# These run on the cluster, on one partition.


def _count_labels(part: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    require_one_kind(part[_LABEL].to_numpy())  # groupby would merge 1 and True
    return part.groupby(keys, as_index=False, dropna=False).size().rename(columns={"size": "n"})


def _distinct(part: pd.DataFrame, name: str) -> Any:
    return part[name].drop_duplicates()


def _weighed(part: pd.DataFrame, codes: dict[Any, int], weighing: Weighing) -> tuple[Any, Any]:
    """Return the class and the integer weight of each row."""
    found = part[_LABEL].map(codes).to_numpy(np.int32)
    given = part[_WEIGHT].to_numpy(np.float64) if _WEIGHT in part else None
    return found, weighing.whole(found, given)


def _count_values(
    part: pd.DataFrame, names: tuple[str, ...], codes: dict[Any, int], weighing: Weighing
) -> dict[str, pd.DataFrame]:
    found, weights = _weighed(part, codes, weighing)
    return {
        name: pd.DataFrame({name: part[name].to_numpy(), "code": found, "weight": weights})
        .astype({name: part[name].dtype})
        .groupby([name, "code"], as_index=False, dropna=False, observed=True)
        .sum()
        for name in names
    }


def _group(
    part: pd.DataFrame,
    names: tuple[str, ...],
    conditions: tuple[Condition, ...],
    codes: dict[Any, int],
    weighing: Weighing,
) -> GroupedTable:
    found, weights = _weighed(part, codes, weighing)
    if len(part) == 0:
        features = np.zeros((0, len(conditions)), np.uint8)
    else:
        features = feature_matrix(read_table(part[list(names)]), conditions, names)
    return GroupedTable.gather([GroupedTable(features, found, weights)])
