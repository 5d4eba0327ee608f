"""A year of 15-minute intervals passes no whole number: sums against Python's, which have no end.

Amounts are the largest that a scenario can ask for: 64 processors and 101 of a machine, 100,000
clients, 60,000 volumes' worth of I/O, 134 address spaces of 25,600 frames.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from imsperf.synthetic.accounts.integer_split import in_units, part_of, running_units, shared
from imsperf.synthetic.log.statistics_sets import Sets
from imsperf.synthetic.smf.measured import CENTISECOND, US_128, US_1024, quantised
from imsperf.synthetic.smf.type71 import OF_A_SPACE, page_time
from imsperf.synthetic.smf.type73 import _scaled
from imsperf.synthetic.smf.work import Policy
from imsperf.synthetic.units import TICKS_PER_US

I64 = npt.NDArray[np.int64]

YEAR = 35_040  # intervals of 15 minutes
LENGTH = 900_000_000 * TICKS_PER_US
CLIENTS, PROCESSORS, FRAMES = 100_000, 101, 134 * 25_600
LARGEST = 2**63 - 1


def amounts(each: int) -> I64:
    """A year of amounts a little below `each`, none like the one before; (n, 1)."""
    return (each - np.arange(YEAR, dtype=np.int64) * 7_919 % 104_729)[:, None]


def in_python(values: I64, unit: int, times: int = 1) -> list[int]:
    """Running whole units of amount x times, by integers without end."""
    total, expected = 0, []
    for value in values[:, 0].tolist():
        total += value * times
        expected.append(total // unit)
    return expected


def gains(running: list[int]) -> list[int]:
    """What each interval adds."""
    return [b - a for a, b in zip([0, *running], running, strict=False)]


@pytest.mark.parametrize(
    "unit", [TICKS_PER_US, US_128, US_1024, CENTISECOND, 250_000 * TICKS_PER_US]
)
@pytest.mark.parametrize("held_by", [1, PROCESSORS, CLIENTS])
def test_times_in_ticks(held_by: int, unit: int) -> None:
    """Times of types 30, 70, 72, 73 and 74 in the units of their fields."""
    ticks = amounts(held_by * LENGTH)
    expected = in_python(ticks, unit)
    assert running_units(ticks, unit)[:, 0].tolist() == expected
    assert in_units(ticks, unit)[:, 0].tolist() == gains(expected)


def test_the_sums_would_pass_a_whole_number() -> None:
    """Else this module tests nothing."""
    assert CLIENTS * LENGTH * YEAR > LARGEST
    assert FRAMES * LENGTH > LARGEST  # one interval is enough
    assert PROCESSORS * LENGTH * YEAR * 10 > LARGEST


def test_frames() -> None:
    """SMF30PSC and, summed over the address spaces of a class, R723CPRS: frames x time."""
    resident = amounts(LENGTH)
    expected = gains(in_python(resident, US_1024, OF_A_SPACE))
    assert page_time(resident)[:, 0].tolist() == expected
    frames = amounts(FRAMES)  # of a class, as if multiplied by the time after summing
    expected = gains(in_python(frames, US_1024, LENGTH))
    assert in_units(frames, US_1024, LENGTH)[:, 0].tolist() == expected
    assert min(expected) > 0


def test_service_units() -> None:
    """Of CPU, with a coefficient of 9.9, and of I/O, a million blocks a second."""
    policy = Policy(io=9.9)
    ticks = amounts(PROCESSORS * LENGTH)
    unit = policy.adjustment * TICKS_PER_US // 16 * 10
    assert policy.units(ticks, 9.9)[:, 0].tolist() == gains(in_python(ticks, unit, 99))
    blocks = amounts(900_000_000)
    assert policy.io_units(blocks)[:, 0].tolist() == gains(in_python(blocks, 10, 99))


def test_channels() -> None:
    """73: parts of 2^32 - 1 work units a second, and 32 GB/s, of which a unit has 1,024 bytes."""
    per_s = 2**32 - 1
    ticks, size = amounts(LENGTH), amounts(900 * 32 * 10**9)
    us = in_units(ticks, TICKS_PER_US)
    expected = gains(in_python(us, 1_000_000, per_s))
    assert np.asarray(_scaled(ticks, np.array([per_s])))[:, 0].tolist() == expected
    expected = gains(in_python(size, 1024))
    assert np.asarray(quantised(size, 1024))[:, 0].tolist() == expected


def test_counters_since_ims_start() -> None:
    """45xx and A1xx: the sum of two waits of all clients, warm-up included, in microseconds."""
    ticks = amounts(CLIENTS * LENGTH)[:, 0]
    warm = {"waited": ticks[0], "served": 5}
    result: Any = SimpleNamespace(waited=ticks, served=ticks, warm=warm)
    sets = Sets(result, cast(Any, None), cast(Any, None), 0, 0)
    expected, total = [], int(ticks[0]) + 5
    for value in [0, *ticks.tolist()]:
        total += 2 * value
        expected.append(total // TICKS_PER_US)
    assert sets.total("waited", "served", unit=TICKS_PER_US).tolist() == expected
    assert sets.total("served").tolist()[:2] == [5, 5 + int(ticks[0])]


def test_processor_time_since_ims_start_fits() -> None:
    """CPU of regions (A108) and of the log is added up in ticks: 64 processors, the most, fit."""
    assert 64 * LENGTH * YEAR < LARGEST


def test_totals_are_shared() -> None:
    """An interval's ticks of all clients, cut by the largest weights that are allowed."""
    total = amounts(CLIENTS * LENGTH)[:100, 0]
    weight = np.array([2**30, 1, 2**30 - 1, 12_345])
    shares = shared(total, weight)
    for row, in_one_go in zip(shares.tolist(), total.tolist(), strict=True):
        edges = [in_one_go * sum(weight[: n + 1].tolist()) // int(weight.sum()) for n in range(4)]
        assert row == [b - a for a, b in zip([0, *edges], edges, strict=False)]


def test_part_of_the_time_of_a_device() -> None:
    """Nine million reads of ten million I/Os that keep it busy for a quarter of an hour."""
    ticks, reads, count = LENGTH - 1, 9_000_001, 10_000_019
    parts = part_of(*(np.array([number]) for number in (ticks, reads, count)))
    assert ticks * reads > LARGEST
    assert parts.tolist() == [ticks * reads // count]


def test_parts_that_broadcast() -> None:
    """Amounts that fall, units by column, and nothing at all."""
    ticks = np.array([[5, -3], [-9, 4], [0, 10]])
    assert running_units(ticks, np.array([4, 3]), 2).tolist() == [[2, -2], [-2, 0], [-2, 7]]
    assert in_units(np.zeros((0, 2), np.int64), 7).shape == (0, 2)
