"""Random tables in Parquet files, for hypothesis: what data frames and databases both can hold."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from hypothesis import strategies as st
from raw_tables import ODD_TEXTS, TEXTS

NAMES = st.lists(
    TEXTS.filter(lambda name: bool(name) and "\0" not in name and name.lower() not in ("y", "w")),
    min_size=1,
    max_size=4,
    unique_by=str.casefold,
)

KINDS: dict[str, tuple[Any, Any]] = {
    "bits": (pa.int8(), st.integers(0, 1)),
    "bools": (pa.bool_(), st.booleans()),
    "whole": (pa.int64(), st.integers(-3, 30) | st.integers(-(2**63), 2**63 - 1)),
    "unsigned": (pa.uint64(), st.integers(0, 9) | st.integers(0, 2**64 - 1)),
    "real": (
        pa.float64(),
        st.sampled_from([0.0, -0.0, 0.1, 1 / 3, 2.5, 1e300, float("inf"), float("nan")])
        | st.floats(-5, 5),
    ),
    "single": (pa.float32(), st.floats(-4, 4, width=32)),
    "counts": (pa.float64(), st.integers(0, 40).map(float)),
    "decimal": (pa.decimal128(9, 2), st.integers(-99, 99).map(lambda n: Decimal(n) / 4)),
    "text": (pa.string(), st.sampled_from((*ODD_TEXTS[:12], "it's", 'say "x"', "日本", "\0"))),
    "day": (pa.date32(), st.dates(date(1900, 1, 1), date(2100, 1, 1))),
    "moment": (pa.timestamp("us"), st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1))),
    "aware": (
        pa.timestamp("us", tz="UTC"),
        st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
    ),
}

LABELS = (
    (pa.string(), ("no", "yes", "it's")),
    (pa.int64(), (0, 1, 7)),
    (pa.bool_(), (False, True)),
    (pa.float64(), (0.0, 1.0, 2.0)),
)


@st.composite
def query_tables(draw: st.DrawFn) -> pa.Table:
    """A table with labels y and weights w."""
    n_rows = draw(st.integers(4, 40))
    columns: dict[str, pa.Array] = {}
    for name in draw(NAMES):
        kind, values = KINDS[draw(st.sampled_from(sorted(KINDS)))]
        few = draw(st.lists(values, min_size=1, max_size=12))
        missing = draw(st.booleans())
        one = st.sampled_from([*few, None] if missing else few)
        drawn = draw(st.lists(one, min_size=n_rows, max_size=n_rows))
        columns[name] = pa.array(drawn, kind, from_pandas=False)
    kind, labels = draw(st.sampled_from(LABELS))
    drawn = draw(st.lists(st.sampled_from(labels), min_size=n_rows, max_size=n_rows))
    drawn[:2] = labels[:2]
    columns["y"] = pa.array(drawn, kind)
    weights = draw(st.sampled_from([(1, 2, 5), (0, 1, 3), (0.5, 1.25, 0.1), (1e-9, 3.3, 0.0)]))
    drawn = draw(st.lists(st.sampled_from(weights), min_size=n_rows, max_size=n_rows))
    drawn[:2] = [weights[1]] * 2
    columns["w"] = pa.array(drawn)
    return pa.table(columns)
