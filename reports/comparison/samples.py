"""The parts of a report's columns by key and interval: what statistics are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.reports.comparison.codes import I8
from imsperf.reports.comparison.significance import F8, FEWEST_INTERVALS, FEWEST_RUNS
from imsperf.reports.definition import Report, ReportColumn
from imsperf.reports.total import SECONDS, is_of_whole

_START = "interval_start_utc"
_OF = ("run", "system", "ims")  # whose rows have the same intervals
_DAY = 24 * 60
_WEEK = 7 * _DAY
_NEARLY = 0.1  # an interval that is longer or shorter than the median by more is not complete


@dataclass(frozen=True)
class Samples:
    """The numbers of one side by key and unit; units are in order of time.

    `numbers` of each column have shape (rows,), NaN where there is no value. `row` (keys, units)
    has the row of each key in each unit, -1 where there is none. `seconds` has the length of each
    interval where the system of the key wrote one, else NaN. `slot` says when in the week a unit
    begins, in minutes; `start` is its local time.
    """

    numbers: Mapping[str, F8]
    row: npt.NDArray[np.int32]
    seconds: F8
    run: npt.NDArray[np.int64]
    slot: npt.NDArray[np.int64]
    start: npt.NDArray[np.datetime64]

    @cached_property
    def runs(self) -> int:
        """How many runs there are."""
        return len(np.unique(self.run))

    @cached_property
    def _is_idle(self) -> npt.NDArray[np.bool_]:
        """Where a key has no row in an interval of its system. Of a key without any complete
        interval, such as a job of two minutes, nobody knows."""
        is_known = (~self._lacks).any(axis=1, keepdims=True)
        return np.asarray(is_known & self._lacks & ~np.isnan(self.seconds))

    @cached_property
    def _lacks(self) -> npt.NDArray[np.bool_]:
        """Where a key has no row."""
        return self.row < 0

    @cached_property
    def _has_gaps(self) -> bool:
        return bool(self._lacks.any())

    def column(self, name: str) -> F8:
        """The numbers of a column by key and unit, NaN where there is no value. Made when they are
        asked for: those of few keys stay in the cache of a processor, those of all would not."""
        numbers = self.numbers[name].take(self.row, mode="clip")
        if self._has_gaps:
            numbers[self._lacks] = np.nan
        return numbers

    def of(self, keys: slice | npt.NDArray[np.int64]) -> Samples:
        """Some of the keys."""
        return replace(self, row=self.row[keys], seconds=self.seconds[keys])

    def at(self, places: I8) -> Samples:
        """The units at these places."""
        return Samples(
            self.numbers, self.row[:, places], self.seconds[:, places],
            self.run[places], self.slot[places], self.start[places],
        )  # fmt: skip

    def parts(
        self, report: Report, column: ReportColumn, *, by_second: bool
    ) -> tuple[F8, F8, float]:
        """Numerators and denominators of a column, shape (terms, keys, units), and their scale."""
        if column.kind == "ratio":
            pairs = [
                self._pair(report, *parts) for parts in zip(column.num, column.den, strict=True)
            ]
            scale = column.scale
        else:
            value = self.column(column.name)
            den = self.seconds if by_second else np.where(np.isnan(value), np.nan, 1.0)
            pairs, scale = [(value, den)], 1.0
        if len(pairs) == 1:  # nothing to copy
            return pairs[0][0][None], pairs[0][1][None], scale
        num, den = (np.stack(parts) for parts in zip(*pairs, strict=True))
        return num, den, scale

    def _pair(self, report: Report, num_name: str, den_name: str) -> tuple[F8, F8]:
        """Where a key has no row in an interval of its system, it was idle in it."""
        num, den = self.column(num_name), self.column(den_name)
        if den_name == SECONDS and is_of_whole(report, den_name):
            num = np.where(self._is_idle, 0.0, num)
            den = np.where(self._is_idle, self.seconds, den)
        return num, den


def by_run(parts: F8, run: npt.NDArray[np.int64]) -> F8:
    """Sums over the units of each run; NaN where a run has none."""
    sums = []
    for number in np.unique(run):
        some = parts[:, :, run == number]
        sums.append(np.where(np.isnan(some).all(axis=2), np.nan, np.nansum(some, axis=2)))
    return np.stack(sums, axis=2)


def is_by_runs(base: Samples, candidate: Samples) -> bool:
    """Whether both sides have runs enough to see the noise between them."""
    return min(base.runs, candidate.runs) >= FEWEST_RUNS


def paired_units(base: I8, candidate: I8) -> tuple[I8, I8]:
    """Places of units of equal times of the week, else of equal times of the day, of slots of both
    sides; of several units of one time the first."""
    for minutes in (_WEEK, _DAY):
        common, *places = np.intersect1d(base % minutes, candidate % minutes, return_indices=True)
        if len(common) >= FEWEST_INTERVALS or minutes == _DAY:
            break
    return places[0], places[1]


def has_intervals(report: Report) -> bool:
    """Whether its rows are of intervals."""
    return _START in report.names


def read_samples(rows: pa.Table, report: Report, key: I8, pairs: int) -> Samples:
    """Rows of a side, of the keys with these numbers; there are `pairs` of them.

    Intervals that are longer or shorter than the median by more than a tenth are left out.
    """
    names = set(rows.column_names)
    nothing = pa.nulls(rows.num_rows, pa.timestamp("us"))
    start = rows[_START] if _START in names else pa.chunked_array([nothing])
    local = rows["interval_start"] if "interval_start" in names else start
    local = local.cast(pa.timestamp("us"), safe=False).to_numpy()
    length = _numbers(rows[SECONDS]) if SECONDS in names else np.full(rows.num_rows, np.nan)
    of = [rows[name] for name in _OF if name in names]
    runs = [rows["run"]] if "run" in names else []
    run, unit, place = _places(rows, runs), _places(rows, [*runs, start]), _places(rows, of)
    lengths = _lengths(place, unit, length)
    usual = _medians(lengths)[place] if len(place) else length
    is_whole = ~(np.abs(length - usual) > _NEARLY * usual)
    count = int(unit[is_whole].max(initial=-1)) + 1
    parts = {name for c in report.columns if c.kind == "ratio" for name in (*c.num, *c.den)}
    parts |= {c.name for c in report.columns if c.kind in ("count", "level", "highwater")}
    numbers = {name: _numbers(rows[name]) for name in sorted(parts)}
    places = (key * count + unit)[is_whole]
    of_place = np.full(pairs * count, -1, np.int32)
    of_place[places] = np.flatnonzero(is_whole)
    if np.count_nonzero(of_place >= 0) < len(places):  # several rows count together
        there, of_row = np.unique(places, return_inverse=True)
        numbers = {name: _sums(values[is_whole], of_row) for name, values in numbers.items()}
        of_place[there] = np.arange(len(there))
    run_of, starts = np.zeros(count, np.int64), np.full(count, np.datetime64("NaT", "us"))
    unit, place = unit[is_whole], place[is_whole]
    run_of[unit], starts[unit] = run[is_whole], local[is_whole]
    place_of = np.zeros(pairs, np.int64)
    place_of[key[is_whole]] = place
    seconds_of = _lengths(place, unit, length[is_whole])[place_of]
    row = of_place.reshape(pairs, count)
    return Samples(numbers, row, seconds_of, run_of, slots_of(starts), starts)


def _numbers(column: pa.ChunkedArray) -> F8:
    """NULL is NaN; nothing is copied of a column in one part that has numbers throughout."""
    parts = [part.to_numpy(zero_copy_only=False) for part in column.cast(pa.float64()).chunks]
    return np.asarray(parts[0] if len(parts) == 1 else np.concatenate([[], *parts]), np.float64)


def _sums(values: F8, place: I8) -> F8:
    """The sum of each place; NaN where it has no value."""
    is_value = ~np.isnan(values)
    there, count = place[is_value], int(place.max(initial=-1)) + 1
    sums: F8 = np.bincount(there, values[is_value], count).astype(np.float64)
    sums[np.bincount(there, minlength=count) == 0] = np.nan
    return sums


def _lengths(place: npt.NDArray[np.int64], unit: npt.NDArray[np.int64], length: F8) -> F8:
    """The length of each unit at each place; NaN where it has no row."""
    lengths = np.full((int(place.max(initial=0)) + 1, int(unit.max(initial=-1)) + 1), np.nan)
    np.fmax.at(lengths.ravel(), place * lengths.shape[1] + unit, length)
    return lengths


def _places(rows: pa.Table, columns: Sequence[pa.ChunkedArray]) -> npt.NDArray[np.int64]:
    """Where each row stands among all different values of these columns, in their order."""
    place = np.zeros(rows.num_rows, np.int64)
    for column in columns:
        words = column.combine_chunks().dictionary_encode("encode")
        order = np.empty(len(words.dictionary), np.int64)
        order[pc.sort_indices(words.dictionary).to_numpy()] = np.arange(len(order))
        place = place * len(order) + order[words.indices.to_numpy()]
    is_there = np.bincount(place) > 0
    return (np.cumsum(is_there) - 1)[place]


def slots_of(starts: npt.NDArray[np.datetime64]) -> npt.NDArray[np.int64]:
    """Minutes since the week began, on Sunday; 0 where there is no time."""
    minutes = starts.astype("datetime64[m]").astype(np.int64)
    thursday = 4 * _DAY  # 1970-01-01
    return np.where(np.isnat(starts), 0, (minutes + thursday) % _WEEK)


@dataclass(frozen=True)
class Excursions:
    """Keys of which some intervals of the candidate are far worse than the rest of it.

    Row i is of key `key[i]`: `count[i]` intervals, the worst has the value `value[i]` where
    `usual[i]` was to be expected; the first begins at `first[i]`, the last ends at `last[i]`, local
    times.
    """

    key: npt.NDArray[np.int64]
    count: npt.NDArray[np.int64]
    value: F8
    usual: F8
    first: npt.NDArray[np.datetime64]
    last: npt.NDArray[np.datetime64]

    def of(self, chosen: npt.NDArray[np.bool_]) -> Excursions:
        """Some of the keys."""
        return Excursions(*(getattr(self, each.name)[chosen] for each in fields(self)))


def all_of(found: Sequence[Excursions]) -> Excursions:
    """Excursions of all keys, of parts of them."""
    return Excursions(
        *(np.concatenate([getattr(far, each.name) for far in found]) for each in fields(Excursions))
    )


_BEYOND = 10.0  # robust standard deviations of the intervals
_LEAST_FACTOR = 1.5
_NEARLY_FACTOR = _LEAST_FACTOR * (1 - 1e-9)  # for what rounding does to a logarithm
_LEAST_EVENTS = 100.0  # behind a value, in its interval


def excursions(
    base: Samples,
    candidate: Samples,
    parts: Sequence[tuple[F8, F8, float]],
    sign: int,
    events: F8 | None,
    beyond: F8 | float = 0.0,
) -> Excursions:
    """Where single intervals are worse by more than _BEYOND and _LEAST_FACTOR; `sign` is 1 where
    more is worse, else -1. `events` (keys, units) are those behind each value of the candidate;
    one of fewer than _LEAST_EVENTS is not told. None: values are not made of events. `beyond`
    (keys,): logarithms of what is no news, so that only intervals _LEAST_FACTOR beyond are told.

    Intervals of the same time of the day are held against each other where both sides have them,
    so that the load of the day is no noise; else each against the median of the base. What the run
    as a whole changed by is taken off. Spread is the median absolute deviation, of both sides.
    """
    same = _same_times(base, candidate)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = [scale * (num / den).sum(axis=0) for num, den, scale in parts]
        rows = _may_stand_out(values, same, sign, events)
        known, new = (_logs(value[rows]) for value in values)
    apart, spread = _apart(known, new, same)
    limit = np.maximum(_BEYOND * _NORMAL * spread, np.log(_LEAST_FACTOR))
    no_news = np.broadcast_to(beyond, len(values[1]))[rows]
    limit = np.maximum(limit, np.where(no_news > 0, no_news + np.log(_LEAST_FACTOR), 0.0))
    far = sign * apart > limit[:, None]
    if events is not None:
        far &= events[rows] >= _LEAST_EVENTS
    count, seen = far.sum(axis=1), np.isfinite(apart).sum(axis=1)
    keys = np.flatnonzero((count > 0) & (2 * count < seen) & (seen >= FEWEST_INTERVALS))
    size = np.where(far, sign * apart, -np.inf)[keys]
    worst = size.argmax(axis=1) if len(keys) else np.zeros(0, np.int64)
    first = far[keys].argmax(axis=1) if len(keys) else worst
    last = far.shape[1] - 1 - far[keys][:, ::-1].argmax(axis=1) if len(keys) else worst
    lengths = np.nan_to_num(candidate.seconds[rows[keys], last]).round().astype("timedelta64[s]")
    return Excursions(
        rows[keys], count[keys], np.exp(new[keys, worst]),
        np.exp((new - apart)[keys, worst]), candidate.start[first],
        candidate.start[last] + lengths,
    )  # fmt: skip


@dataclass(frozen=True)
class Own:
    """What the base has of its own, as seen from the candidate: the logarithm of the largest that
    stands out of the noise of each key (0: none does), how many intervals are so, and of how many.
    """

    largest: F8
    count: npt.NDArray[np.int64]
    of: npt.NDArray[np.int64]


def own_excursions(
    base: Samples,
    candidate: Samples,
    parts: Sequence[tuple[F8, F8, float]],
    sign: int,
    events: F8 | None,
) -> Own:
    """Excursions of the base at times when the candidate has none: jobs run at other times of
    another day. Parameters as in `excursions`; `events` are those of the base."""
    of_base, of_candidate = _same_times(base, candidate)
    with np.errstate(invalid="ignore", divide="ignore"):
        known, new = (_logs(scale * (num / den).sum(axis=0)) for num, den, scale in parts)
    apart, spread = _apart(new, known, (of_candidate, of_base))
    far = sign * apart > _BEYOND * _NORMAL * spread[:, None]
    if events is not None:
        far &= events >= _LEAST_EVENTS
    largest = np.where(far, sign * apart, 0.0).max(axis=1, initial=0.0)
    return Own(largest, far.sum(axis=1), np.isfinite(apart).sum(axis=1))


def _logs(values: F8) -> F8:
    """NaN where there is no value or no logarithm."""
    logs = np.log(values)
    return np.where(np.isfinite(logs), logs, np.nan)


def _apart(known: F8, new: F8, same: tuple[Any, Any]) -> tuple[F8, F8]:
    """How far the candidate's intervals are from what was to be expected, beside the change of the
    whole run, and the spread of that; all logarithms, shape (keys, units) and (keys,)."""
    of_base, of_candidate = same
    if len(of_base):
        expected = np.full(new.shape, np.nan)
        expected[:, of_candidate] = known[:, of_base]
        spread = np.zeros(len(new))
    else:
        middle = _medians(known)
        expected = np.broadcast_to(middle[:, None], new.shape)
        spread = _medians(np.abs(known - middle[:, None]))
    apart = new - expected
    apart = apart - _medians(apart)[:, None]
    return apart, np.maximum(spread, _medians(np.abs(apart)))


def _may_stand_out(
    values: Sequence[F8], same: tuple[Any, Any], sign: int, events: F8 | None
) -> npt.NDArray[np.int64]:
    """The keys in which the worst value with events enough is _LEAST_FACTOR times the best, by what
    was to be expected: no other can be so far from its median."""
    base, candidate = values
    of_base, of_candidate = same
    apart = candidate
    if len(of_base):
        apart = np.full(candidate.shape, np.nan)
        apart[:, of_candidate] = candidate[:, of_candidate] / base[:, of_base]
    apart = np.where((apart > 0) & np.isfinite(apart), apart, np.nan) ** sign
    worst = apart if events is None else np.where(events >= _LEAST_EVENTS, apart, np.nan)
    best = np.fmin.reduce(apart, axis=1)
    return np.flatnonzero(np.fmax.reduce(worst, axis=1) > _NEARLY_FACTOR * best)


def _medians(values: F8) -> F8:
    """The median of each row that has a value, else NaN."""
    if not values.shape[1]:
        return np.full(len(values), np.nan)
    in_order, rows = np.sort(values, axis=1), np.arange(len(values))  # NaN is last
    count = values.shape[1] - np.isnan(values).sum(axis=1)
    # of no value the first one, which is NaN
    middle = (np.maximum(count - 1, 0) // 2, np.minimum(count // 2, values.shape[1] - 1))
    return np.asarray((in_order[rows, middle[0]] + in_order[rows, middle[1]]) / 2)


_NORMAL = 1.4826  # standard deviation of a normal distribution by its median absolute deviation
_MOST_APART = 0.8  # share of the candidate's intervals that must have their like in the base


def _same_times(base: Samples, candidate: Samples) -> tuple[Any, Any]:
    """Places of intervals of the same time of the week, else of the day; none where few match."""
    for minutes in (_WEEK, _DAY):
        sides = [np.unique(side.slot % minutes, return_index=True) for side in (base, candidate)]
        _, left, right = np.intersect1d(sides[0][0], sides[1][0], return_indices=True)
        if len(left) >= FEWEST_INTERVALS and len(left) >= _MOST_APART * len(candidate.slot):
            return sides[0][1][left], sides[1][1][right]
    return np.zeros(0, np.int64), np.zeros(0, np.int64)


_FAR = 4.0  # standard deviations of the base's intervals
_MOSTLY = 0.8  # share of the intervals between the first and the last that must be far off
_LEAST_SPREAD = 0.01


def when(
    base: tuple[F8, F8, float], candidate: tuple[F8, F8, float], starts: Any, seconds: F8
) -> dict[int, tuple[Any, Any]]:
    """From when to when a key of the candidate is another one than the base, local times; without
    those that are so throughout, or here and there. Parts as in `Samples.parts`."""
    with np.errstate(invalid="ignore", divide="ignore"):
        known, new = (
            _logs(scale * (num / den).sum(axis=0)) for num, den, scale in (base, candidate)
        )
    counts = [np.isfinite(side).sum(axis=1) for side in (known, new)]
    keys = np.flatnonzero(np.minimum(*counts) >= FEWEST_INTERVALS)
    known, new, there = known[keys], new[keys], np.isfinite(new[keys])
    limit = _FAR * np.maximum(np.nanstd(known, axis=1), _LEAST_SPREAD)
    with np.errstate(invalid="ignore"):
        is_far = np.abs(new - _medians(known)[:, None]) > limit[:, None]
    count, last_unit = is_far.sum(axis=1), is_far.shape[1] - 1
    first, last = is_far.argmax(axis=1), last_unit - is_far[:, ::-1].argmax(axis=1)
    so_far = np.cumsum(there, axis=1)
    rows = np.arange(len(keys))
    inside = so_far[rows, last] - so_far[rows, first] + 1  # the first one is there
    is_part = (count >= 2) & (count >= _MOSTLY * inside) & (count <= _MOSTLY * counts[1][keys])
    lengths = np.nan_to_num(seconds[keys, last]).round().astype("timedelta64[s]")
    return {
        int(keys[row]): (starts[first[row]], starts[last[row]] + lengths[row])
        for row in np.flatnonzero(is_part).tolist()
    }
