"""What tests say of rows in words: verdict, note, and the order in which they are told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.reports.comparison import significance
from imsperf.reports.comparison.codes import I8, coded_words, worded
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


_VERDICTS = ("new", "gone", "unclear", "same", "better", "worse", "differs")
_NEW, _GONE, _UNCLEAR, _SAME, _BETTER, _WORSE, _DIFFERS = range(len(_VERDICTS))
_WAYS = {"higher": 1, "lower": -1}
MOST_RUNS = 28  # that "would decide", a day each; of intervals those of four weeks
_MOST_SCATTER = 1000.0  # times either way: a wider 95 % interval tells nothing


def concluded(rows: pa.Table) -> pa.Table:
    """All rows with q, verdict and note. The p values of all reports are taken together: what one
    screen tells as changed holds for the screen."""
    low, high = numbers(rows["ci_low_pct"]), numbers(rows["ci_high_pct"])
    delta_pct, delta = numbers(rows["delta_pct"]), numbers(rows["delta"])
    margin = numbers(rows["margin_pct"])
    in_base, in_candidate, constant, testable = (
        np.asarray(rows[name]) for name in ("in_base", "in_candidate", "constant", "testable")
    )
    q = significance.many(numbers(rows["p_value"]))
    better, words = coded_words(rows["better"])
    sign = np.array([_WAYS.get(word or "", 0) for word in (*words, "")])[better]
    with np.errstate(invalid="ignore"):
        way = np.where(sign == 0, _DIFFERS, np.where(sign * delta > 0, _BETTER, _WORSE))
        is_equal = (np.abs(delta_pct) <= margin) | (delta == 0)
        is_within = (low > -margin) & (high < margin)
        is_beyond = q <= significance.LEVEL
    one_sided = np.isnan(delta)
    verdict = np.select(
        [
            ~in_base, ~in_candidate, one_sided | ~testable, constant & is_equal, constant,
            is_within, is_beyond,
        ],
        [_NEW, _GONE, _UNCLEAR, _SAME, way, _SAME, way],
        _UNCLEAR,
    )  # fmt: skip
    rows = with_column(rows, "q_value", pa.array(q, from_pandas=True))
    rows = with_column(rows, "verdict", worded(verdict, _VERDICTS))
    return with_column(rows, "note", _notes(rows, verdict == _UNCLEAR))


def _notes(rows: pa.Table, is_open: npt.NDArray[np.bool_]) -> pa.Array:
    """Why each row has its verdict; how many intervals or runs would decide, if it has none."""
    in_base, in_candidate, constant, tested, rare, single, testable = (
        np.asarray(rows[name])
        for name in (
            *("in_base", "in_candidate", "constant", "tested", "rare", "single", "testable"),
        )
    )
    samples, kinds = coded_words(rows["samples"])
    by_run, is_none = (
        np.array([*(kind == name for kind in kinds), False])[samples] for name in ("run", "none")
    )
    units = numbers(rows["units"])
    delta_pct, margin, half = (
        numbers(rows[name]) for name in ("delta_pct", "margin_pct", "half_log")
    )
    more = significance.deciding(delta_pct, margin, half, units)
    is_known = np.isfinite(more)
    cases = [
        (~in_base | ~in_candidate, ""),
        (np.isnan(numbers(rows["delta"])), "a value on one side only"),
        (~testable, "a highest value: compared, not tested"),
        (constant, "the same in all intervals of a side"),
        (single, "one interval makes the change"),
        (rare, "assumes Poisson"),
        (~is_open, ""),
        (~tested & is_none, "one value a run: nothing to test it by"),
        (~tested & ~by_run, "too few intervals"),
        (~tested, "too few runs"),
        (is_boundless(rows), f"scatters over {_MOST_SCATTER:,.0f} times: no bounds to tell"),
        (more <= units, "beyond noise by itself, not among all rows (q > 0.05)"),
        (is_known & ~by_run & (more > numbers(rows["most_units"])),
         "four weeks of intervals would not decide"),
        (is_known & by_run & (more > MOST_RUNS), f"{MOST_RUNS} runs would not decide"),
        (~is_known, ""),
    ]  # fmt: skip
    note = np.select([case for case, _ in cases], list(range(len(cases))), len(cases))
    words = [said for _, said in cases]
    is_told = note == len(cases)
    different, which = np.unique(
        2 * more[is_told].astype(np.int64) + by_run[is_told], return_inverse=True
    )
    note[is_told] = len(cases) + which
    words += [f"{n // 2} {'runs' if n % 2 else 'intervals'} would decide" for n in different]
    return worded(note, words)


def is_boundless(rows: pa.Table) -> npt.NDArray[np.bool_]:
    """Where nothing is decided and the 95 % interval is too wide to tell anything by it."""
    verdict, words = coded_words(rows["verdict"])
    with np.errstate(invalid="ignore"):
        is_wide = numbers(rows["half_log"]) > np.log(_MOST_SCATTER)
    return np.asarray(is_wide & (np.array([w == "unclear" for w in words] + [False])[verdict]))


def bounded(rows: pa.Table) -> pa.Table:
    """Without 95 % intervals that tell nothing."""
    mask = pa.array(is_boundless(rows))
    for name in ("ci_low_pct", "ci_high_pct"):
        rows = with_column(rows, name, pc.if_else(mask, None, rows[name]))
    return rows


def with_a_value(rows: pa.Table) -> pa.Table:
    """Without rows that have a value on neither side."""
    has_value = pc.or_(pc.is_valid(rows["base"]), pc.is_valid(rows["candidate"]))
    return rows if pc.all(has_value).as_py() else rows.filter(has_value)


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
    (report, ids), (unit, units), (column, names) = (
        coded_words(rows[name]) for name in ("report", "unit", "column")
    )
    is_named = np.array([bool(word) for word in units] + [False])[unit]
    kind = np.where(is_named, unit, len(units) + column)
    of = report * (len(units) + len(names)) + kind
    values = [np.nan_to_num(np.abs(numbers(rows[name]))) for name in ("base", "candidate")]
    largest = np.zeros(len(ids) * (len(units) + len(names)))
    np.maximum.at(largest, of, np.maximum(values[0], values[1]))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nan_to_num(np.abs(numbers(rows["delta"])) / largest[of]))


def ranked(rows: pa.Table, load_differs: bool) -> I8:
    """The places of rows in their order: what changed most beyond noise comes first, over all
    reports. Where the load is another one, rates follow it: what is by transaction comes before
    them."""
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = (np.log1p(numbers(rows[f"ci_{end}_pct"]) / 100) for end in ("low", "high"))
        sure = np.where(low * high > 0, np.minimum(np.abs(low), np.abs(high)), 0.0)
        shift = np.abs(np.log1p(numbers(rows["delta_pct"]) / 100))
    verdict, words = coded_words(rows["verdict"])
    order = np.array([_ORDER[word or ""] for word in words], np.int64)[verdict]
    is_constant = np.asarray(rows["constant"])  # without noise: all of the change is sure
    sure = np.where(is_constant, shift, sure)
    base, candidate = numbers(rows["base"]), numbers(rows["candidate"])
    is_tested = is_constant | np.isfinite(numbers(rows["p_value"]))
    is_endless = ((base == 0) != (candidate == 0)) & is_tested  # it begins or ends
    is_untested = ~is_endless & ~is_constant & np.isnan(numbers(rows["ci_low_pct"]))
    sure = np.where(is_endless, SURE, np.minimum(np.nan_to_num(sure), SURE))
    weight = _weights(rows)
    score = np.where(is_untested, weight, sure * np.sqrt(weight))
    late = np.asarray(rows["is_rate"]) & load_differs
    rough = 4 * order + 2 * late + is_untested
    return np.lexsort((-np.nan_to_num(shift, posinf=SURE), -score, rough))
