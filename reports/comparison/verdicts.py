"""What tests say of rows in words: verdict, note, and the order in which they are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.reports.comparison import significance
from imsperf.reports.comparison.significance import F8

EXCURSION = pa.schema(
    [
        *((name, pa.string()) for name in ("report", "key", "column", "unit", "verdict")),
        *((name, pa.float64()) for name in ("base", "candidate", "delta_pct")),
        *((name, pa.float64()) for name in ("ci_low_pct", "ci_high_pct")),
        ("intervals", pa.int64()),
        ("first", pa.timestamp("us")),
        ("last", pa.timestamp("us")),
    ]
)


def worst_first(tables: Sequence[pa.Table]) -> pa.Table:
    """The largest factor first."""
    rows = pa.concat_tables(tables) if tables else EXCURSION.empty_table()
    size = np.abs(np.log1p(numbers(rows["delta_pct"]) / 100))
    return rows.take(pa.array(np.argsort(-size, kind="stable")))


def concluded(rows: pa.Table) -> pa.Table:
    """All rows with q, verdict and note. The p values of all reports are taken together: what one
    screen tells as changed holds for the screen."""
    p, margin = numbers(rows["p_value"]), numbers(rows["margin_pct"])
    low, high = numbers(rows["ci_low_pct"]), numbers(rows["ci_high_pct"])
    delta_pct, delta = numbers(rows["delta_pct"]), numbers(rows["delta"])
    in_base, in_candidate, constant, tested, rare, single, testable = (
        np.asarray(rows[name])
        for name in ("in_base", "in_candidate", "constant", "tested", "rare", "single", "testable")
    )
    q = significance.many(p)
    better, samples = np.asarray(rows["better"]), np.asarray(rows["samples"])
    with np.errstate(invalid="ignore"):
        is_better = np.where(better == "higher", delta > 0, delta < 0)
        way = np.where(is_better, "better", "worse")
        way = np.where(np.isin(better, ("higher", "lower")), way, "differs")
        is_equal = (np.abs(delta_pct) <= margin) | (delta == 0)
        is_within = (low > -margin) & (high < margin)
        is_beyond = q <= significance.LEVEL
    one_sided = np.isnan(delta)
    verdict = np.select(
        [
            ~in_base, ~in_candidate, one_sided | ~testable, constant & is_equal, constant,
            is_within, is_beyond,
        ],
        ["new", "gone", "unclear", "same", way, "same", way],
        "unclear",
    )  # fmt: skip
    more = significance.deciding(
        delta_pct, margin, numbers(rows["half_log"]), numbers(rows["units"])
    )
    is_open = verdict == "unclear"
    units = np.where(samples == "run", "runs", "intervals")
    note = np.select(
        [
            ~in_base | ~in_candidate, one_sided, ~testable, constant, single, rare, ~is_open,
            ~tested & (samples == "none"), ~tested, np.isfinite(more),
        ],
        [
            "", "a value on one side only", "a highest value: compared, not tested",
            "the same in all intervals of a side", "one interval makes the change",
            "assumes Poisson", "",
            "one value a run: nothing to test it by", _words("too few ", units),
            _words(np.char.mod("%d", np.nan_to_num(more, posinf=0)), " ", units, " would decide"),
        ],
        "",
    )  # fmt: skip
    rows = with_column(rows, "q_value", pa.array(q, from_pandas=True))
    rows = with_column(rows, "verdict", pa.array(verdict, pa.string()))
    return with_column(rows, "note", pa.array(note, pa.string()))


def _words(*parts: Any) -> npt.NDArray[np.str_]:
    words: Any = ""
    for part in parts:
        words = np.char.add(words, part if isinstance(part, str) else np.asarray(part, np.str_))
    return words  # type: ignore[no-any-return]


def with_a_value(rows: pa.Table) -> pa.Table:
    """Without rows that have a value on neither side."""
    has_value = pc.or_(pc.is_valid(rows["base"]), pc.is_valid(rows["candidate"]))
    return rows.filter(has_value).combine_chunks()


def with_column(rows: pa.Table, name: str, values: pa.Array) -> pa.Table:
    if name in rows.column_names:
        return rows.set_column(rows.column_names.index(name), name, values)
    return rows.append_column(name, values)


def numbers(column: pa.ChunkedArray) -> F8:
    """NULL is NaN."""
    return np.asarray(column.cast(pa.float64()).to_numpy(), np.float64)


_ORDER = {"worse": 0, "better": 0, "differs": 0, "new": 1, "gone": 1, "unclear": 2, "same": 3}
SURE = 3.0  # logarithm of a change beyond which a larger one is no more important


def _weights(rows: pa.Table) -> F8:
    """How large a change is beside the largest value of its report and unit (of its column, where
    that has none): 1 ms of 2 comes before 1 us of 2."""
    kinds = pc.if_else(pc.equal(rows["unit"], ""), rows["column"], rows["unit"])
    _, of = np.unique(_words(rows["report"], " ", kinds), return_inverse=True)
    values = [np.nan_to_num(np.abs(numbers(rows[name]))) for name in ("base", "candidate")]
    largest = np.zeros(int(of.max()) + 1)
    np.maximum.at(largest, of, np.maximum(values[0], values[1]))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nan_to_num(np.abs(numbers(rows["delta"])) / largest[of]))


def ranked(rows: pa.Table, load_differs: bool) -> pa.Table:
    """What changed most beyond noise comes first, over all reports. Where the load is another one,
    rates follow it: what is by transaction comes before them."""
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = (np.log1p(numbers(rows[f"ci_{end}_pct"]) / 100) for end in ("low", "high"))
        sure = np.where(low * high > 0, np.minimum(np.abs(low), np.abs(high)), 0.0)
        shift = np.abs(np.log1p(numbers(rows["delta_pct"]) / 100))
    order = np.array([_ORDER[verdict] for verdict in rows["verdict"].to_pylist()])
    is_constant = np.asarray(rows["constant"])  # without noise: all of the change is sure
    sure = np.where(is_constant, shift, sure)
    one_is_0 = (numbers(rows["base"]) == 0) != (numbers(rows["candidate"]) == 0)
    is_tested = is_constant | np.isfinite(numbers(rows["p_value"]))
    is_endless = one_is_0 & is_tested  # it begins or ends
    is_untested = ~is_endless & ~is_constant & np.isnan(numbers(rows["ci_low_pct"]))
    sure = np.where(is_endless, SURE, np.minimum(np.nan_to_num(sure), SURE))
    weight = _weights(rows)
    score = np.where(is_untested, weight, sure * np.sqrt(weight))
    late = np.asarray(rows["is_rate"]) & load_differs
    places = np.lexsort((-np.nan_to_num(shift, posinf=SURE), -score, is_untested, late, order))
    return rows.take(pa.array(places))
