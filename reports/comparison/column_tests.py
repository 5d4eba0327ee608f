"""The statistics of the columns of one report, of the numbers of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from imsperf.reports.comparison import significance
from imsperf.reports.comparison.codes import coded_words, worded
from imsperf.reports.comparison.pairs import families, is_by_second
from imsperf.reports.comparison.samples import (
    Excursions,
    Samples,
    all_of,
    by_run,
    excursions,
    has_intervals,
    is_by_runs,
    own_excursions,
    paired_units,
    when,
)
from imsperf.reports.comparison.significance import F8, Change
from imsperf.reports.comparison.verdicts import (
    EXCURSION,
    numbers,
    with_column,
)
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.total import SECONDS

TESTED = ("ratio", "count", "level")
_PROBABLE = 0.001  # p of rows whose time is looked for
_WORSE = {"lower": 1, "higher": -1}  # the sign of more, where it is worse
_LEAST_SHARE = 0.1  # of an excursion in what its row is largest in
_MORE_OFTEN = 0.001  # p of excursions that are as large as the base's and more
_FOUR_WEEKS = 28 * 86_400.0  # [s]
_AT_A_TIME = 1 << 15  # numbers of a column, which stay in the cache of a processor


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
        self._excess: list[tuple[str, npt.NDArray[np.int64], F8]] = []
        self._families: npt.NDArray[np.int64] | None = None
        self._largest = dict[str, F8]()  # of the means of each key, by unit
        self.clock = clock and not self.by_run
        if self.clock:
            places = paired_units(base.slot, candidate.slot)
            self.base, self.candidate = base.at(places[0]), candidate.at(places[1])
        units = max(self.base.seconds.shape[1], self.candidate.seconds.shape[1], 1)
        step = max(1, _AT_A_TIME // units)
        self._chunks = [
            (self.base.of(keys), self.candidate.of(keys))
            for keys in (slice(first, first + step) for first in range(0, max(count, 1), step))
        ]

    def judge(self, column: ReportColumn, rows: pa.Table) -> None:
        """Add the rows of a column with what statistics say; q and verdicts come later."""
        by_second = is_by_second(self.report, column)
        signs = self._signs(column, rows["better"])
        spreads, far = self._of_chunks(column, by_second, signs)
        base, candidate = numbers(rows["base"]), numbers(rows["candidate"])
        is_of_units = self.clock or max(self.base.runs, self.candidate.runs) > 1
        if is_of_units and column.kind in TESTED:
            base, candidate = (spread.value for spread in spreads)
        known = self._largest.get(column.unit, np.zeros(len(base)))
        for values in (base, candidate):
            known = np.fmax(known, np.abs(values))
        self._largest[column.unit] = known
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
        self._find_times(column, by_second, rows["key"], p)
        self._find_excursions(column, by_second, far, signs, rows)
        arrays = {
            "base": base, "candidate": candidate, "delta": delta, "delta_pct": delta_pct,
            "ci_low_pct": np.where(shown, changed.low, np.nan),
            "ci_high_pct": np.where(shown, changed.high, np.nan),
            "n_eff": np.where(shown, changed.n_eff, np.nan), "p_value": p,
            "half_log": changed.half_log, "units": n,
            "most_units": np.full(len(base), self._in_four_weeks),
        }  # fmt: skip
        flags = {
            "constant": constant, "tested": tested, "rare": is_rare, "single": is_single,
            "is_rate": np.full(len(base), rate),
            "testable": np.full(len(base), column.kind in TESTED),
        }  # fmt: skip
        for name, values in arrays.items():
            rows = with_column(rows, name, pa.array(values, pa.float64(), from_pandas=True))
        for name, flag in flags.items():
            rows = with_column(rows, name, pa.array(flag))
        samples = "run" if self.by_run else "interval" if has_intervals(self.report) else "none"
        words = worded(np.zeros(len(base), np.int32), [samples])
        self.tables.append(with_column(rows, "samples", words))

    def _of_chunks(
        self, column: ReportColumn, by_second: bool, signs: npt.NDArray[np.int64]
    ) -> tuple[list[significance.Spread], dict[int, Excursions]]:
        """How a column scatters on both sides, over runs or over intervals; and what of the
        candidate is far worse in some intervals, where a side is one run, by the sign of worse."""
        ways = np.unique(signs[signs != 0]).tolist()
        spreads = list[list[significance.Spread]]()
        found: dict[int, list[Excursions]] = {sign: [] for sign in ways}
        first = 0
        for chunk in self._chunks:
            parts, events = self._events(column, by_second, chunk)
            if self.by_run:
                parts = [
                    (by_run(num, side.run), by_run(den, side.run), scale)
                    for (num, den, scale), side in zip(parts, chunk, strict=True)
                ]
            spreads.append([significance.spread(*each) for each in parts])
            for sign in ways:
                far = excursions(*chunk, parts, sign, events[1])
                far = replace(far, key=first + far.key)
                found[sign].append(far.of(signs[far.key] == sign))
            first += len(chunk[0].row)
        of_sides = [
            significance.joined(each, with_influence=self.clock)
            for each in zip(*spreads, strict=True)
        ]
        return of_sides, {sign: all_of(of_sign) for sign, of_sign in found.items()}

    def _signs(self, column: ReportColumn, better: pa.ChunkedArray) -> npt.NDArray[np.int64]:
        """Of each row 1 where more is worse, -1 where it is better; 0 where nobody looks for
        excursions."""
        if column.kind not in TESTED or not self.base.runs == self.candidate.runs == 1:
            return np.zeros(len(better), np.int64)
        codes, words = coded_words(better)
        return np.array([_WORSE.get(word or "", 0) for word in (*words, "")], np.int64)[codes]

    @cached_property
    def _in_four_weeks(self) -> float:
        """How many intervals there are in four weeks; without end where nobody knows how long."""
        starts = [np.diff(side.start) for side in (self.base, self.candidate)]
        apart = np.concatenate(starts).astype("timedelta64[us]").astype(np.float64) / 1e6
        apart = apart[apart > 0]  # NaT is below 0
        return _FOUR_WEEKS / float(np.median(apart)) if len(apart) else np.inf

    def _of_one_interval(
        self, column: ReportColumn, by_second: bool, p: F8
    ) -> npt.NDArray[np.bool_]:
        """Where a single interval makes the change: it is an excursion, not a change of the run."""
        is_single = np.zeros(len(p), np.bool_)
        rows = np.flatnonzero(p <= significance.LEVEL)
        if not self.by_run and len(rows):
            sides = [
                side.of(rows).parts(self.report, column, by_second=by_second)[:2]
                for side in (self.base, self.candidate)
            ]
            is_single[rows] = significance.is_of_one_unit(*sides)
        return is_single

    def _find_excursions(
        self,
        column: ReportColumn,
        by_second: bool,
        found: dict[int, Excursions],
        signs: npt.NDArray[np.int64],
        rows: pa.Table,
    ) -> None:
        """Keep what is news of what is far worse in some intervals."""
        for sign, far in found.items():
            if len(far.key):
                of_sign = np.flatnonzero(signs == sign)
                news = self._news(column, by_second, sign, of_sign, far, rows)
                if len(news.key):
                    self._add_excursions(news, column.unit, rows)

    def _events(
        self, column: ReportColumn, by_second: bool, sides: Sequence[Samples]
    ) -> tuple[list[tuple[F8, F8, float]], list[F8 | None]]:
        """The parts of a column on both sides, and the events behind each value."""
        is_rate = by_second or column.den == (SECONDS,)
        parts = [side.parts(self.report, column, by_second=by_second) for side in sides]
        if column.kind == "level":
            return parts, [None, None]
        return parts, [(num if is_rate else den).min(axis=0) for num, den, _ in parts]

    def _news(
        self,
        column: ReportColumn,
        by_second: bool,
        sign: int,
        of_sign: npt.NDArray[np.int64],
        seen: Excursions,
        rows: pa.Table,
    ) -> Excursions:
        """What the base has not at other times: excursions that are larger than all of its own of
        the same family of keys, or many more. A job that runs at another time of the day is none.
        """
        if self._families is None:
            self._families = families(rows["key"].to_pylist())
        family = self._families
        members = of_sign[np.isin(family[of_sign], family[seen.key])]
        base, candidate = (side.of(members) for side in (self.base, self.candidate))
        parts, events = self._events(column, by_second, [base, candidate])
        own = own_excursions(base, candidate, parts, sign, events[0])
        _, place = np.unique(family[members], return_inverse=True)
        total = np.zeros((3, len(members)))
        np.maximum.at(total[0], place, own.largest)
        np.add.at(total[1], place, own.count)
        np.add.at(total[2], place[np.searchsorted(members, seen.key)], seen.count)
        of = np.bincount(place, own.of, len(members)).astype(np.float64)
        is_more = significance.more_often_p(total[1], total[2], of, of) <= _MORE_OFTEN
        largest = np.where(is_more, 0.0, total[0])[place]
        far = excursions(base, candidate, parts, sign, events[1], largest)
        return replace(far, key=members[far.key])

    def _add_excursions(self, far: Excursions, unit: str, rows: pa.Table) -> None:
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
        self._excess.append((unit, far.key, np.abs(far.value - far.usual)))

    def material_excursions(self) -> list[pa.Table]:
        """Those that are no small part of their row: worse by a tenth of its largest mean in that
        unit at least. To be asked when all columns are judged."""
        return [
            rows.filter(pa.array(excess >= _LEAST_SHARE * self._largest[unit][keys]))
            for rows, (unit, keys, excess) in zip(self.excursions, self._excess, strict=True)
        ]

    def _find_times(
        self, column: ReportColumn, by_second: bool, keys: pa.ChunkedArray, p: F8
    ) -> None:
        """Where in time rows changed that probably did."""
        if self.by_run or not (p <= _PROBABLE).any():
            return
        rows = np.flatnonzero(p <= _PROBABLE)
        base, candidate = (
            side.of(rows).parts(self.report, column, by_second=by_second)
            for side in (self.base, self.candidate)
        )
        times = when(base, candidate, self.candidate.start, self.candidate.seconds[rows])
        for place, time in times.items():
            self.times[self.report.id, keys[int(rows[place])].as_py(), column.name] = time

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
        sides = [side.of(rows) for side in (self.base, self.candidate)]
        counts = [np.nansum(side.column(name), axis=1) for side in sides]
        times = [np.nansum(side.seconds, axis=1) for side in sides]
        wanted = (counts[0] % 1 == 0) & (counts[1] % 1 == 0)
        wanted &= (counts[0] < significance.RARE) & (counts[1] < significance.RARE)
        wanted &= (times[0] > 0) & (times[1] > 0) & (counts[0] + counts[1] > 0)
        is_rare[rows[wanted]] = True
        p[is_rare] = significance.poisson_p(*(values[wanted] for values in (*counts, *times)))
        return is_rare
