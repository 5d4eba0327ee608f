"""Set two runs side by side: every number of every report, joined on system and key.

Values of a whole run are made again from the summed parts of ratios; counts are taken for each
second of their intervals, so that runs of different length can be compared. Whether a difference is
beyond what intervals differ by themselves is tested: see `significance`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import AbsentRecords
from imsperf.reports.catalog import catalog
from imsperf.reports.comparison import significance
from imsperf.reports.comparison.pairs import (
    PER_ROW,
    column_rows,
    is_by_second,
    pair_sql,
    values_sql,
)
from imsperf.reports.comparison.samples import (
    Excursions,
    Samples,
    excursions,
    has_intervals,
    is_by_runs,
    paired_slots,
    read_samples,
    when,
)
from imsperf.reports.comparison.sides import Side, differences, load_differs, same_records
from imsperf.reports.comparison.significance import F8, Change
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.in_memory import in_memory
from imsperf.reports.run import PAGE_KEYS, Result, lacking_of, suspect_records
from imsperf.reports.taken import Together, each_alone
from imsperf.reports.total import SECONDS, aggregate

PER_SECOND = "rate"  # the form of counts, which are compared by the second
COMPARED = ("ratio", "count", "level", "highwater")
TESTED = ("ratio", "count", "level")
_PROBABLE = 0.001  # p of rows whose time is looked for
_AT_A_TIME = 1 << 15  # numbers of a column, which stay in the cache of a processor

SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("report", "key", "column", "unit", "better")),
        *((name, pa.float64()) for name in ("base", "candidate", "delta", "delta_pct")),
        *((name, pa.float64()) for name in ("ci_low_pct", "ci_high_pct", "margin_pct")),
        ("samples", pa.string()),
        *((name, pa.int64()) for name in ("n_base", "n_candidate")),
        *((name, pa.float64()) for name in ("n_eff", "p_value", "q_value")),
        ("verdict", pa.string()),
        ("rank", pa.int64()),
        ("note", pa.string()),
    ]
)


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


@dataclass(frozen=True)
class Comparison:
    """`table` has the columns of SCHEMA; `differences` topic, item, base, candidate of all else.

    `names` has what a key is known by, where that is no part of it: the volume of a device.
    `suspect` is how many loaded records of base and candidate something speaks against. `same_run`:
    both sides are the same records. `runs`: how many each side has.
    `times`: from when to when a row (report, key, column) of the candidate is another one.
    `excursions` has the columns of EXCURSION: what is far worse in some intervals of the candidate.
    """

    table: pa.Table
    differences: pa.Table
    names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    suspect: tuple[int, int] = (0, 0)
    same_run: bool = False
    runs: tuple[int, int] = (1, 1)
    times: Mapping[tuple[str, str, str], tuple[Any, Any]] = field(default_factory=dict)
    excursions: pa.Table = field(default_factory=EXCURSION.empty_table)

    @property
    def caution(self) -> str:
        """What the numbers cannot tell."""
        if min(self.runs) >= significance.FEWEST_RUNS:
            return ""
        most = max(self.runs)
        sides = "one run a side" if most == 1 else f"{self.runs[0]} and {self.runs[1]} runs a side"
        return f"With {sides}, noise between runs is not seen: only that between intervals is."


def compare(
    base: Side,
    candidate: Side,
    reports: Sequence[str] | None = None,
    *,
    keep: Filter = EVERYTHING,
    clock: bool = False,
    together: Together | None = None,
) -> Comparison:
    """Compare two sides in the named reports, or in all that either has records for.

    `keep`: only this system and these times. `clock`: intervals of the same time of the week belong
    together. `together`: what asks the candidate's rows, and the base's if they are of the same
    database. Raises ReportError for an unknown report, or a named one that neither side has records
    for.
    """
    every = [
        report
        for report in catalog()
        if not report.is_of_the_ledger
        and any(_is_compared(report, each) for each in report.columns)
        and not any(parameter.name == "conditions" for parameter in report.parameters)  # repeats
    ]
    chosen = [catalog().get(name) for name in reports] if reports else every
    of_sides = (len(base.runs), len(candidate.runs))
    facts, is_same = differences(base, candidate), same_records(base, candidate)
    if is_same and not reports:
        return Comparison(SCHEMA.empty_table(), facts, same_run=True, runs=of_sides)
    tables = list[pa.Table]()
    names, times = dict[tuple[str, str], str](), dict[tuple[str, str, str], tuple[Any, Any]]()
    far: list[pa.Table] = []
    neither = set() if reports else _lacking(chosen, base) & _lacking(chosen, candidate)
    wanted = [
        report if together and together.keeps else _narrowed(report)
        for report in chosen
        if report.id not in neither and (reports or _can_keep(report, keep))
    ]

    together = together or together_of(keep, candidate, base)
    with ExitStack() as stack:
        own = before = stack.enter_context(together.prepared(wanted))
        if base.con is not candidate.con:
            before = stack.enter_context(together_of(keep, base).prepared(wanted))

        def judged(report: Report) -> tuple[ReportTests, dict[tuple[str, str], str]] | None:
            sides = _results(report, ((base, before), (candidate, own)), must=bool(reports))
            for side in (before, own):
                side.forget(report)
            return _compare_report(report, *sides, clock) if sides else None

        judgements = each_alone(judged, wanted, base.con, candidate.con)
    for each in judgements:
        if each is not None:
            tests, named = each
            tables.append(pa.concat_tables(tests.tables))
            far += tests.excursions
            names |= named
            times |= tests.times
    table = SCHEMA.empty_table()
    if tables:
        table = _ranked(concluded(_with_a_value(pa.concat_tables(tables))), load_differs(facts))
    suspect = (_suspect(base), _suspect(candidate))
    return Comparison(
        table.select(SCHEMA.names).cast(SCHEMA), facts, names, suspect, is_same, of_sides, times,
        _worst_first(far),
    )  # fmt: skip


def _narrowed(report: Report) -> Report:
    """With those columns alone that a comparison is made of; a total by SQL may need any."""
    compared = [column for column in report.columns if _is_compared(report, column)]
    if any(column.total_sql for column in compared):
        return report
    wanted = {*report.groups, *PAGE_KEYS, SECONDS, *PER_ROW, *(c.name for c in compared)}
    wanted |= {name for column in compared for name in (*column.num, *column.den)}
    return replace(
        report,
        columns=tuple(
            column
            for column in report.columns
            if column.name in wanted or column.kind in ("time", "attribute")
        ),
    )


def _lacking(reports: Sequence[Report], side: Side) -> set[str]:
    """The reports whose records a run of the side has not."""
    of_runs = [lacking_of(reports, side.con, name) for name in side.runs]
    return {report for lacks in of_runs for report, records in lacks.items() if records}


def _can_keep(report: Report, keep: Filter) -> bool:
    """Whether its rows tell the system and the times that are wanted."""
    if keep.has_time and not (report.time or report.range):
        return False
    return keep.system is None or "system" in report.names


def _suspect(side: Side) -> int:
    return sum(suspect_records(side.con, name) for name in side.runs)


def together_of(keep: Filter, own: Side, *others: Side, keeps: bool = False) -> Together:
    """What asks the rows of all runs of a side, and of others of the same database."""
    sides = [own, *(side for side in others if side.con is own.con)]
    runs = dict.fromkeys(name for side in sides for name in side.runs)
    return Together(own.con, keep, tuple(runs), keeps)


def _results(
    report: Report, asked: Sequence[tuple[Side, Together]], must: bool
) -> tuple[Result, Result] | None:
    """The report of both sides; no rows where a side lacks the records, None where both do."""
    results: list[Result | None] = []
    missing: list[AbsentRecords] = []
    for side, together in asked:
        try:
            of_runs = [together.result(report, name) for name in side.runs]
            results.append(_joined(of_runs))
        except AbsentRecords as error:
            results.append(None)
            missing.append(error)
    left, right = results
    if left is None and right is None:
        if must:
            raise missing[0]
        return None
    left, right = left or _no_rows(right), right or _no_rows(left)
    return left, right


def _joined(of_runs: Sequence[Result]) -> Result:
    """The rows of all runs of a side."""
    all_spans = [result.spans for result in of_runs if result.spans is not None]
    return replace(
        of_runs[0],
        table=pa.concat_tables([result.table for result in of_runs]),
        spans=pa.concat_tables(all_spans) if all_spans else None,
    )


def _no_rows(like: Result | None) -> Result:
    assert like is not None  # one side has rows
    return Result(like.report, like.table.slice(0, 0), like.parameters)


# --- one report ----------------------------------------------------------------------------------


def _compare_report(
    report: Report, base: Result, candidate: Result, clock: bool
) -> tuple[ReportTests, dict[tuple[str, str], str]]:
    keys = tuple(group for group in report.groups if group not in ("run", "sysplex"))
    with in_memory() as con:
        totals = _totals(base, candidate)
        for name, result, total in zip(
            ("base", "candidate"), (base, candidate), totals, strict=True
        ):
            con.register(f"{name}_total", total)
            con.register(f"{name}_row", result.table)
        con.execute(f"CREATE TEMP TABLE pair AS {pair_sql(report, keys)}")
        compared = [column for column in report.columns if _is_compared(report, column)]
        values = con.sql(values_sql(report, compared)).to_arrow_table()
        left, right = (
            read_samples(con, f"{name}_row", report, keys, values.num_rows)
            for name in ("base", "candidate")
        )
        tests = ReportTests(report, left, right, values.num_rows, clock)
        for place, column in enumerate(compared):
            tests.judge(column, column_rows(report, column, place, values))
        return tests, _names(con, report, keys)


def _totals(*sides: Result) -> list[pa.Table]:
    """The totals of each side: of all at once where their runs have names of their own, as a
    statement costs more than the rows of most reports."""
    first, *others = sides
    if "run" in first.table.column_names:
        runs = [pc.unique(side.table["run"]) for side in sides]
        names = pa.concat_arrays(runs)
        is_alike = all(side.table.schema == first.table.schema for side in others)
        if is_alike and len(pc.unique(names)) == len(names):
            total = aggregate(_joined(sides)).table
            return [total.filter(pc.is_in(total["run"], of_side)) for of_side in runs]
    return [aggregate(side).table for side in sides]


def _names(
    con: duckdb.DuckDBPyConnection, report: Report, keys: Sequence[str]
) -> dict[tuple[str, str], str]:
    """What people know a key by: the first text beside it that tells most of them apart."""
    texts = [
        column.name
        for column in report.columns
        if column.kind == "attribute" and column.name not in (*keys, "run", "sysplex", "system")
    ]
    for name in texts:
        rows = con.execute(
            f"""SELECT key, CAST(coalesce(c."{name}", b."{name}") AS VARCHAR) FROM pair
            WHERE typeof(coalesce(c."{name}", b."{name}")) = 'VARCHAR'"""
        ).fetchall()
        if len({value for _, value in rows if value}) > len(rows) / 2:
            return {(report.id, key): value for key, value in rows if value}
    return {}


class ReportTests:
    """The statistics of the columns of a report: rows in `tables`, for `concluded`."""

    def __init__(
        self, report: Report, base: Samples, candidate: Samples, count: int, clock: bool
    ) -> None:
        self.report, self.base, self.candidate = report, base, candidate
        self.by_run = is_by_runs(base, candidate)
        self.least = (
            significance.FEWEST_RUNS
            if self.by_run
            else significance.FEWEST_INTERVALS
            if count > 1
            else significance.FEWEST_FOR_A_KEY
        )
        self.tables: list[pa.Table] = []
        self.times = dict[tuple[str, str, str], tuple[Any, Any]]()
        self.excursions: list[pa.Table] = []
        self.clock = clock and not self.by_run
        if self.clock:
            self.base, self.candidate = paired_slots(base, candidate)
        units = max(self.base.seconds.shape[1], self.candidate.seconds.shape[1], 1)
        step = max(1, _AT_A_TIME // units)
        self._chunks = [
            (self.base.of(keys), self.candidate.of(keys))
            for keys in (slice(first, first + step) for first in range(0, max(count, 1), step))
        ]

    def judge(self, column: ReportColumn, rows: pa.Table) -> None:
        """Add the rows of a column with what statistics say; q and verdicts come later."""
        by_second = is_by_second(self.report, column)
        spreads = [
            significance.joined(
                (
                    side.spread(self.report, column, by_second=by_second, by_run=self.by_run)
                    for side in chunks
                ),
                with_influence=self.clock,
            )
            for chunks in zip(*self._chunks, strict=True)
        ]
        base, candidate = _numbers(rows["base"]), _numbers(rows["candidate"])
        if max(self.base.runs, self.candidate.runs) > 1 and column.kind in TESTED:
            base, candidate = (spread.value for spread in spreads)
        with np.errstate(invalid="ignore", divide="ignore"):
            delta = candidate - base
            delta_pct = np.where(base == 0, np.nan, 100 * delta / np.abs(base))
        n = np.minimum(*(spread.n for spread in spreads))
        tested = np.full(len(base), column.kind in TESTED) & (n >= self.least)
        changed = self._change(spreads, delta_pct)
        constant = tested & (spreads[0].variance == 0) & (spreads[1].variance == 0)
        p = np.where(tested & ~constant, changed.p, np.nan)
        is_rare = self._rare(column, by_second, tested, p)
        is_single = self._of_one_interval(column, by_second, p)
        p[is_single] = np.nan
        shown = tested & ~constant & ~is_rare & ~is_single
        rate = by_second or (column.kind == "ratio" and set(column.den) == {SECONDS})
        self._find_times(column, by_second, rows["key"].to_pylist(), p)
        self._find_excursions(column, by_second, rows)
        arrays = {
            "base": base, "candidate": candidate, "delta": delta, "delta_pct": delta_pct,
            "ci_low_pct": np.where(shown, changed.low, np.nan),
            "ci_high_pct": np.where(shown, changed.high, np.nan),
            "n_eff": np.where(shown, changed.n_eff, np.nan), "p_value": p,
            "half_log": changed.half_log, "units": n,
        }  # fmt: skip
        flags = {
            "constant": constant, "tested": tested, "rare": is_rare, "single": is_single,
            "is_rate": np.full(len(base), rate),
            "testable": np.full(len(base), column.kind in TESTED),
        }  # fmt: skip
        for name, values in arrays.items():
            rows = _with(rows, name, pa.array(values, pa.float64(), from_pandas=True))
        for name, flag in flags.items():
            rows = _with(rows, name, pa.array(flag))
        samples = "run" if self.by_run else "interval" if has_intervals(self.report) else "none"
        self.tables.append(_with(rows, "samples", pa.array([samples] * len(base), pa.string())))

    def _of_one_interval(
        self, column: ReportColumn, by_second: bool, p: F8
    ) -> npt.NDArray[np.bool_]:
        """Where a single interval makes the change: it is an excursion, not a change of the run."""
        is_single = np.zeros(len(p), np.bool_)
        rows = np.flatnonzero(p <= significance.LEVEL)
        if not self.by_run and len(rows):
            sides = [
                self._some(side, column, rows).parts(self.report, column, by_second=by_second)[:2]
                for side in (self.base, self.candidate)
            ]
            is_single[rows] = significance.is_of_one_unit(*sides)
        return is_single

    def _find_excursions(self, column: ReportColumn, by_second: bool, rows: pa.Table) -> None:
        """What is far worse in some intervals of the candidate, where a side is one run."""
        sign = {"lower": 1, "higher": -1}.get(column.better)
        is_one_run = self.base.runs == self.candidate.runs == 1
        if sign is None or column.kind not in TESTED or not is_one_run:
            return
        is_rate = by_second or column.den == (SECONDS,)
        first = 0
        for sides in self._chunks:
            parts = [side.parts(self.report, column, by_second=by_second) for side in sides]
            num, den, _ = parts[1]
            events = None if column.kind == "level" else (num if is_rate else den).min(axis=0)
            far = excursions(*sides, parts, sign, events)
            if len(far.key):
                self._add_excursions(replace(far, key=first + far.key), rows)
            first += len(num[0])

    def _add_excursions(self, far: Excursions, rows: pa.Table) -> None:
        named = rows.select(["report", "key", "column", "unit"]).take(pa.array(far.key))
        values = {
            "verdict": pa.array(["worse"] * len(far.key)),
            "base": pa.array(far.usual), "candidate": pa.array(far.value),
            "delta_pct": pa.array(100 * (far.value / far.usual - 1)),
            "ci_low_pct": pa.nulls(len(far.key)), "ci_high_pct": pa.nulls(len(far.key)),
            "intervals": pa.array(far.count),
            "first": pa.array(far.first.astype("datetime64[us]")),
            "last": pa.array(far.last.astype("datetime64[us]")),
        }  # fmt: skip
        for name, array in values.items():
            named = named.append_column(name, array)
        self.excursions.append(named.cast(EXCURSION))

    def _find_times(
        self, column: ReportColumn, by_second: bool, keys: Sequence[str], p: F8
    ) -> None:
        """Where in time rows changed that probably did."""
        if self.by_run or not (p <= _PROBABLE).any():
            return
        rows = np.flatnonzero(p <= _PROBABLE)
        parts = [
            self._some(side, column, rows).parts(self.report, column, by_second=by_second)
            for side in (self.base, self.candidate)
        ]
        for place, row in enumerate(rows.tolist()):
            mine = [(num[:, [place]], den[:, [place]], scale) for num, den, scale in parts]
            seconds = self.candidate.seconds[[row]]
            if times := when(mine[0], mine[1], self.candidate.start, seconds):
                self.times[self.report.id, keys[row], column.name] = times

    def _change(self, spreads: Sequence[significance.Spread], delta_pct: F8) -> Change:
        if self.clock:
            return significance.paired(*spreads)
        alike = 0.0 if self.by_run else significance.typical_autocorrelation(*spreads)
        left, right = (significance.estimate(spread, alike) for spread in spreads)
        return significance.change(left, right, delta_pct)

    def _rare(
        self, column: ReportColumn, by_second: bool, tested: npt.NDArray[np.bool_], p: F8
    ) -> npt.NDArray[np.bool_]:
        """Tests counts of few events in few intervals, in place; says which were."""
        is_rare = np.zeros(len(p), np.bool_)
        is_time = column.kind == "ratio" and column.den == (SECONDS,)
        if not (by_second or is_time) or self.by_run or self.report.column(SECONDS) is None:
            return is_rare
        name = column.num[0] if is_time else column.name
        rows = np.flatnonzero(~tested)
        sides = [side.of(rows, [name]) for side in (self.base, self.candidate)]
        counts = [np.nansum(side.columns[name], axis=1) for side in sides]
        times = [np.nansum(side.seconds, axis=1) for side in sides]
        wanted = (counts[0] % 1 == 0) & (counts[1] % 1 == 0)
        wanted &= (counts[0] < significance.RARE) & (counts[1] < significance.RARE)
        wanted &= (times[0] > 0) & (times[1] > 0) & (counts[0] + counts[1] > 0)
        is_rare[rows[wanted]] = True
        p[is_rare] = significance.poisson_p(*(values[wanted] for values in (*counts, *times)))
        return is_rare

    def _some(self, side: Samples, column: ReportColumn, rows: npt.NDArray[np.int64]) -> Samples:
        """Some keys of a side, with what the column is made of."""
        return side.of(rows, {column.name, *column.num, *column.den} & side.columns.keys())


def _worst_first(tables: Sequence[pa.Table]) -> pa.Table:
    """The largest factor first."""
    rows = pa.concat_tables(tables) if tables else EXCURSION.empty_table()
    size = np.abs(np.log1p(_numbers(rows["delta_pct"]) / 100))
    return rows.take(pa.array(np.argsort(-size, kind="stable")))


def concluded(rows: pa.Table) -> pa.Table:
    """All rows with q, verdict and note. The p values of all reports are taken together: what one
    screen tells as changed holds for the screen."""
    p, margin = _numbers(rows["p_value"]), _numbers(rows["margin_pct"])
    low, high = _numbers(rows["ci_low_pct"]), _numbers(rows["ci_high_pct"])
    delta_pct, delta = _numbers(rows["delta_pct"]), _numbers(rows["delta"])
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
        delta_pct, margin, _numbers(rows["half_log"]), _numbers(rows["units"])
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
    rows = _with(rows, "q_value", pa.array(q, from_pandas=True))
    rows = _with(rows, "verdict", pa.array(verdict, pa.string()))
    return _with(rows, "note", pa.array(note, pa.string()))


def _words(*parts: Any) -> npt.NDArray[np.str_]:
    words: Any = ""
    for part in parts:
        words = np.char.add(words, part if isinstance(part, str) else np.asarray(part, np.str_))
    return words  # type: ignore[no-any-return]


def _with_a_value(rows: pa.Table) -> pa.Table:
    """Without rows that have a value on neither side."""
    has_value = pc.or_(pc.is_valid(rows["base"]), pc.is_valid(rows["candidate"]))
    return rows.filter(has_value).combine_chunks()


def _with(rows: pa.Table, name: str, values: pa.Array) -> pa.Table:
    if name in rows.column_names:
        return rows.set_column(rows.column_names.index(name), name, values)
    return rows.append_column(name, values)


def _numbers(column: pa.ChunkedArray) -> F8:
    """NULL is NaN."""
    return np.asarray(column.cast(pa.float64()).to_numpy(), np.float64)


_ORDER = {"worse": 0, "better": 0, "differs": 0, "new": 1, "gone": 1, "unclear": 2, "same": 3}
SURE = 3.0  # logarithm of a change beyond which a larger one is no more important


def _weights(rows: pa.Table) -> F8:
    """How large a change is beside the largest value of its report and unit (of its column, where
    that has none): 1 ms of 2 comes before 1 us of 2."""
    kinds = pc.if_else(pc.equal(rows["unit"], ""), rows["column"], rows["unit"])
    _, of = np.unique(_words(rows["report"], " ", kinds), return_inverse=True)
    values = [np.nan_to_num(np.abs(_numbers(rows[name]))) for name in ("base", "candidate")]
    largest = np.zeros(int(of.max()) + 1)
    np.maximum.at(largest, of, np.maximum(values[0], values[1]))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nan_to_num(np.abs(_numbers(rows["delta"])) / largest[of]))


def _ranked(rows: pa.Table, load_differs: bool) -> pa.Table:
    """What changed most beyond noise comes first, over all reports. Where the load is another one,
    rates follow it: what is by transaction comes before them."""
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = (np.log1p(_numbers(rows[f"ci_{end}_pct"]) / 100) for end in ("low", "high"))
        sure = np.where(low * high > 0, np.minimum(np.abs(low), np.abs(high)), 0.0)
        shift = np.abs(np.log1p(_numbers(rows["delta_pct"]) / 100))
    order = np.array([_ORDER[verdict] for verdict in rows["verdict"].to_pylist()])
    is_constant = np.asarray(rows["constant"])  # without noise: all of the change is sure
    sure = np.where(is_constant, shift, sure)
    one_is_0 = (_numbers(rows["base"]) == 0) != (_numbers(rows["candidate"]) == 0)
    is_tested = is_constant | np.isfinite(_numbers(rows["p_value"]))
    is_endless = one_is_0 & is_tested  # it begins or ends
    is_untested = ~is_endless & ~is_constant & np.isnan(_numbers(rows["ci_low_pct"]))
    sure = np.where(is_endless, SURE, np.minimum(np.nan_to_num(sure), SURE))
    weight = _weights(rows)
    score = np.where(is_untested, weight, sure * np.sqrt(weight))
    late = np.asarray(rows["is_rate"]) & load_differs
    places = np.lexsort((-np.nan_to_num(shift, posinf=SURE), -score, is_untested, late, order))
    rank = np.empty(len(places), np.int64)
    rank[places] = np.arange(1, len(places) + 1)
    return _with(rows, "rank", pa.array(rank)).take(pa.array(places))


def _is_compared(report: Report, report_column: ReportColumn) -> bool:
    """Numbers; a count only where no column of the report is its rate already."""
    rates = {c.num for c in report.columns if c.den == ("interval_s",)}
    return report_column.kind in COMPARED and not (
        report_column.kind == "count" and (report_column.name,) in rates
    )
