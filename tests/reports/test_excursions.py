"""Intervals that are far worse than the rest of a run: found beside the load of the day, told once.

Sides are made by hand: the response of a key is `total / events` of each interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from excursion_table import DOCUMENT, document
from test_comparison_summary import comparison, row

from imsperf.reports.catalog import catalog
from imsperf.reports.comparison.column_tests import ReportTests
from imsperf.reports.comparison.samples import Excursions, Samples, excursions
from imsperf.reports.comparison.summary import summary
from imsperf.reports.comparison.verdicts import EXCURSION, concluded

MONDAY = np.datetime64("2026-03-02T09:00", "us")
QUARTER = 15  # minutes
DAY = 24 * 60
OFFICE = np.array([1, 1.2, 1.6, 2.4, 3.1, 4, 4, 3.2, 2.4, 1.5, 1.1, 1])  # a load of the day


def side(response: Any, day: int = 0, events: float = 1000.0) -> tuple[Samples, Any]:
    """A side of one key, and the parts of its response."""
    values = np.asarray(response, float)[None, :]
    places = np.arange(values.shape[1])
    start = MONDAY + np.timedelta64(day * DAY, "m") + places * np.timedelta64(QUARTER, "m")
    slot = DAY + day * DAY + 9 * 60 + QUARTER * places
    seconds = np.full(values.shape, 900.0)
    run = np.zeros(len(places), np.int64)
    row = np.zeros(values.shape, np.int32)
    samples = Samples({}, row, seconds, run, slot, start)
    den = np.full((1, *values.shape), events)
    return samples, (values[None] * den, den, 1.0)


def with_columns(samples: Samples, columns: Mapping[str, Any]) -> Samples:
    """The same with these columns by key and unit."""
    shape = samples.seconds.shape
    row = np.arange(samples.seconds.size, dtype=np.int32).reshape(shape)
    numbers = {name: np.broadcast_to(each, shape).ravel() for name, each in columns.items()}
    return replace(samples, numbers=numbers, row=row)


def found(base: Any, candidate: Any, sign: int = 1) -> Excursions:
    events = candidate[1][1].min(axis=0)
    return excursions(base[0], candidate[0], (base[1], candidate[1]), sign, events)


def test_one_interval_beside_the_load_of_the_day() -> None:
    """For two intervals from 10:30 three times what Monday had then, on a day 5 % higher."""
    tuesday = OFFICE * 1.05
    tuesday[6], tuesday[7] = 12.0, 3 * 3.2 * 1.05
    far = found(side(OFFICE), side(tuesday, day=1))
    assert far.key.tolist() == [0] and far.count.tolist() == [2]
    assert far.value[0] == pytest.approx(3 * 3.2 * 1.05)  # 12 is 2.86 times the usual 4.2
    assert far.usual[0] == pytest.approx(3.2 * 1.05)
    assert far.first[0] == np.datetime64("2026-03-03T10:30")
    assert far.last[0] == np.datetime64("2026-03-03T11:00")


def test_at_other_times_the_load_of_the_day_is_noise() -> None:
    """An hour later nothing matches, and 12 is within ten deviations of what the base does."""
    base, other = side(OFFICE), list(OFFICE)
    other[6] = 12.0
    samples, parts = side(other)
    later = replace(samples, slot=samples.slot + 7)
    assert not len(found(base, (later, parts)).key)
    flat, high = [1, 1.01, 0.99, 1, 1.02, 0.98, 1, 1.01, 1, 0.99], [1.0] * 9 + [1.6]
    samples, parts = side(high)
    later = replace(samples, slot=samples.slot + 7)
    assert found(side(flat), (later, parts)).value.tolist() == pytest.approx([1.6])


@pytest.mark.parametrize(
    ("values", "sign", "events"),
    [
        ([1.0] * 9 + [1.4], 1, 1000),  # less than half as much again
        ([1.0] * 9 + [3.0], -1, 1000),  # better, not worse
        ([1.0] * 9 + [3.0], 1, 40),  # of few events
        ([1.0] * 9 + [3.0], 1, 1),  # of one
        ([1.0] * 4 + [3.0] * 6, 1, 1000),  # most of the run: the whole run is another one
        ([1.0] * 5 + [3.0], 1, 1000),  # too few intervals
        ([1.0] * 9 + [float("nan")], 1, 1000),
    ],
)
def test_what_is_no_excursion(values: list[float], sign: int, events: float) -> None:
    base = side([1.0] * len(values))
    assert not len(found(base, side(values, day=1, events=events), sign).key)


def test_a_level_is_of_no_events() -> None:
    base, (samples, parts) = side([1.0] * 10), side([1.0] * 9 + [3.0], day=1, events=1.0)
    assert excursions(base[0], samples, (base[1], parts), 1, None).value.tolist() == [
        pytest.approx(3)
    ]


def test_it_is_said_once_for_each_time() -> None:
    """The largest of a time leads the others; another time has a line of its own."""
    known = {"unit": "ms", "verdict": "worse", "base": 0.29, "candidate": 6.083,
             "delta_pct": 1998.0, "intervals": 1, "first": datetime(2026, 3, 3, 12),
             "last": datetime(2026, 3, 3, 12, 15)}  # fmt: skip
    rows = [
        known | {"report": "rmf.device", "key": "system=SYSA,device=09001", "column": "resp_ms"},
        known | {"report": "smf.dataset_io", "column": "resp_ms",
                 "key": "system=SYSA,job=IMSACTL,dataset=A.OLP01,volume=OLDS01"},
        known | {"report": "ims.latches", "key": "system=SYSA,ims=IMS1,latch=LOGL",
                 "column": "contention_pct", "unit": "%", "intervals": 2,
                 "first": datetime(2026, 3, 3, 13), "last": datetime(2026, 3, 3, 14)},
    ]  # fmt: skip
    same = row("rmf.cpu", "system=SYSA", "mvs_busy_pct")
    far = pa.Table.from_pylist(rows, EXCURSION)
    assert summary(comparison(same, excursions=far)).splitlines() == [
        "No change of the whole run beyond noise: 1 rows same.",
        "Worse in 1 interval: resp_ms of volume OLDS01, device 09001 (rmf.device), 0.290 -> "
        "6.08 ms, from 2026-03-03 12:00 to 12:15; so is 1 more row in that time.",
        "Worse in 2 intervals: contention_pct of latch LOGL (ims.latches), 0.29 -> 6.08 %, from "
        "2026-03-03 13:00 to 14:00.",
    ]


def test_a_change_of_one_interval_is_no_change_of_the_run() -> None:
    """A volume that is 6,401 times as slow in the last of 24 intervals is told by its excursion
    (usual 1, then 6,401 ms); with two such intervals the whole run is worse, too."""
    report = catalog().get("rmf.device")
    column = report.column("disc_ms")
    noise = 1 + 0.01 * np.cos(np.arange(24))
    said = {}
    for slow in (1, 2):
        candidate = np.where(np.arange(24) < 24 - slow, noise[::-1], 6401.0)
        sides = []
        for values, day in ((noise, 0), (candidate, 1)):
            samples, (num, den, _) = side(values, day)
            parts = {column.num[0]: 1e3 * num[0], column.den[0]: den[0]}
            sides.append((with_columns(samples, parts), values.mean()))
        rows = {
            "report": ["rmf.device"], "key": ["device=09001"], "column": ["disc_ms"],
            "unit": ["ms"], "better": ["lower"], "base": [sides[0][1]], "candidate": [sides[1][1]],
            "margin_pct": [1.0], "in_base": [True], "in_candidate": [True],
        }  # fmt: skip
        tests = ReportTests(report, sides[0][0], sides[1][0], 2, clock=False)
        tests.judge(column, pa.table(rows))
        (row,) = concluded(tests.tables[0]).to_pylist()
        said[slow] = (row["verdict"], row["note"])
        (far,) = tests.excursions[0].to_pylist()
        assert (far["intervals"], far["candidate"]) == (slow, pytest.approx(6401))
    assert said == {1: ("unclear", "one interval makes the change"), 2: ("worse", "")}


def day(*slow: int, times: float = 3.0, of: int = 96) -> np.ndarray[Any, Any]:
    """A response of 1 ms with 1 % of noise, in some intervals so many times as much."""
    noise = np.exp(0.01 * np.random.default_rng([*slow, of]).normal(size=of))
    noise[list(slow)] *= times
    return noise


MANY = range(1, 28, 2)  # 14 intervals


@pytest.mark.parametrize(
    ("base", "candidate", "told"),
    [
        (day(20, 50), day(33, 77), None),  # as many, as large, at other times
        (day(20), day(33, 77, 80), None),
        (day(20, times=2.2), day(33), None),  # 3 is less than half as much again as 2.2
        (day(20, times=1.4), day(33, times=1.6), None),
        (day(20, times=1.9), day(33), 1),
        (day(20), day(33) * day(77, times=7.0), 1),  # 7 is larger than the base's 3
        (day(20), day(*MANY), 14),  # 14 instead of one is no chance: p < .001
        (day(20), day(*MANY[:-2]), None),  # 12 are, p is .0017
        (day(20, 50), day(20, 50, 77), 1),  # jobs of the same time are none
        (day(), day(33), 1),
    ],
)
def test_the_base_has_the_like_at_other_times(base: Any, candidate: Any, told: int | None) -> None:
    """An archive job reads a log volume for an interval, now at 8:15, on the other day at 12:30."""
    far = judged({"volume=A": (base, candidate), "volume=B": (day(), day())})
    assert [(row["key"], row["intervals"]) for row in far] == (
        [("system=SYSA,volume=A", told)] if told else []
    )


def test_data_sets_of_a_volume_have_the_like_together() -> None:
    """The next data set of the log is in use when the archive job runs on the other day; what is
    of another job, or of a volume alone, is no like."""
    slow, still = day(40), day()
    of_job = [f"job=IMSA,dataset=OLP{n},volume=LOG001" for n in range(3)]
    alike = {of_job[0]: (slow, still), of_job[1]: (still, day(50)), of_job[2]: (still, still)}
    assert judged(alike) == []
    other = "job=BATCH,dataset=OLP1,volume=LOG001"
    told = judged(alike | {other: (still, day(50))})
    assert [row["key"] for row in told] == [f"system=SYSA,{other}"]
    volumes = {"device=1": (slow, still), "device=2": (still, day(50))}
    assert [row["key"] for row in judged(volumes)] == ["system=SYSA,device=2"]


def test_each_row_says_which_way_is_worse() -> None:
    """Counters of one column: waits that rise and hits that fall are told, not what is the other
    way about, nor what is neither good nor bad."""
    still, up, down = ([1.0] * 94 + [end] * 2 for end in (1.0, 3.0, 0.3))
    sides = {
        f"counter={name}": (still, value)
        for name, value in {"w": up, "x": down, "y": up, "z": down, "n": up}.items()
    }
    told = judged(sides, better=["lower", "lower", "higher", "higher", ""])
    changes = {row["key"].rpartition("=")[2]: round(row["delta_pct"]) for row in told}
    assert changes == {"w": 200, "z": -70} and len(told) == 2


def judged(sides: Mapping[str, tuple[Any, Any]], better: Sequence[str] = ()) -> list[Any]:
    """The excursions of responses by key, base and candidate."""
    report = catalog().get("rmf.device")
    column = report.column("disc_ms")
    both = []
    for place in (0, 1):
        samples, (_, den, _) = side(day(), place)
        values = np.stack([each[place] for each in sides.values()])
        dens = np.broadcast_to(den[0], values.shape)
        parts = {column.num[0]: 1e3 * values * dens, column.den[0]: dens}
        seconds = np.full(values.shape, 900.0)
        both.append(with_columns(replace(samples, seconds=seconds), parts))
    count = len(sides)
    rows = {
        "report": ["rmf.device"] * count, "key": [f"system=SYSA,{key}" for key in sides],
        "column": ["disc_ms"] * count, "unit": ["ms"] * count,
        "better": better or ["lower"] * count,
        "base": [1.0] * count, "candidate": [1.0] * count, "margin_pct": [1.0] * count,
        "in_base": [True] * count, "in_candidate": [True] * count,
    }  # fmt: skip
    tests = ReportTests(report, both[0], both[1], count, clock=False)
    tests.judge(column, pa.table(rows))
    return [row for table in tests.excursions for row in table.to_pylist()]


def test_what_is_a_small_part_of_its_row_is_no_excursion() -> None:
    """Of a volume that answers in .3 ms one interval has .002 ms of CMR delay instead of .0001, 20
    times as much: nobody waits for it. With .05 ms, a sixth of the response, it is told."""
    report = catalog().get("rmf.device")
    said = {}
    for delay in (0.002, 0.05):
        sides = []
        for day, last in enumerate((1e-4, delay)):
            samples, (num, den, _) = side([1e-4] * 23 + [last], day)
            parts = {
                "cmr_us": 1e3 * num[0], "device_us": 300 * den[0], "iosq_us": 0 * den[0],
                "measured_count": den[0], "io_count": den[0],
            }  # fmt: skip
            sides.append(with_columns(samples, parts))
        tests = ReportTests(report, *sides, 2, clock=False)
        for name, value in (("resp_ms", 0.3), ("cmr_ms", 1e-4)):
            rows = {
                "report": ["rmf.device"], "key": ["device=09001"], "column": [name],
                "unit": ["ms"], "better": ["lower"], "base": [value], "candidate": [value],
                "margin_pct": [1.0], "in_base": [True], "in_candidate": [True],
            }  # fmt: skip
            tests.judge(report.column(name), pa.table(rows))
        assert len(tests.excursions) == 1
        said[delay] = sum(far.num_rows for far in tests.material_excursions())
    assert said == {0.002: 0, 0.05: 1}


@pytest.mark.slow
def test_how_often_intervals_stand_out() -> None:
    """The table of docs/compare.md is that of the program as it is."""
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_paired_values_are_of_the_hours_that_both_sides_have() -> None:
    """Monday has 24 intervals: 12 of 1 ms, 12 of 5. Tuesday has the first 12 hours alone, of 1.1
    ms: 10 % more, not 63 % less than Monday's 3."""
    column = (report := catalog().get("rmf.device")).column("disc_ms")
    scatter = np.where(np.arange(24) % 2, 1.001, 0.999)
    responses = np.repeat([1.0, 5.0], 12) * scatter, 1.1 * scatter[:12] ** 2
    sides = []
    for day, response in enumerate(responses):
        samples, (num, den, _) = side(response, day)
        parts = {column.num[0]: 1e3 * num[0], column.den[0]: den[0]}
        sides.append(with_columns(samples, parts))
    tests = ReportTests(report, *sides, 2, clock=True)
    rows = {
        "report": ["rmf.device"], "key": ["device=09001"], "column": ["disc_ms"], "unit": ["ms"],
        "better": ["lower"], "base": [3.0], "candidate": [1.1], "margin_pct": [1.0],
        "in_base": [True], "in_candidate": [True],
    }  # fmt: skip
    tests.judge(column, pa.table(rows))
    (told,) = tests.tables[0].to_pylist()
    assert (told["base"], told["candidate"]) == (pytest.approx(1.0), pytest.approx(1.1))
    assert told["delta_pct"] == pytest.approx(10, rel=1e-4)
    assert told["ci_low_pct"] < told["delta_pct"] < told["ci_high_pct"]
