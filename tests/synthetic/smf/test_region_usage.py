"""CPU of single regions: kept by the simulation to the tick, and what type 30 makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from small_networks import changed, two_pools

from imsperf.synthetic.accounts.cpu_accounts import RegionUsage
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import simulate


def table(*rows: list[int]) -> Any:
    return np.array(rows, np.int64)


def test_a_group_is_cut_by_what_its_regions_used() -> None:
    """Space 0 is no region; 1 to 3 have 90 ticks, and 4 and 5 10: by 1:2:6 and by 1:1."""
    groups = (np.array([1, 2, 3]), np.array([4, 5]))
    used = RegionUsage(table([0, 1, 2, 6, 7, 7]), table([0, 0, 5, 0, 0, 0]), groups)
    even = table([5, 30, 30, 30, 8, 2])
    assert used.cut(even).tolist() == [[5, 10, 20, 60, 5, 5]]
    # the first group by zIIP time; nobody of the second ran there
    assert used.cut_eligible(even).tolist() == [[5, 0, 90, 0, 5, 5]]
    assert even.tolist() == [[5, 30, 30, 30, 8, 2]]


def test_a_group_without_messages_stays_as_it_is() -> None:
    """Intervals are cut one by one: in the first one nobody had a message."""
    used = RegionUsage(table([0, 0], [1, 3]), table([0, 0], [0, 0]), (np.array([0, 1]),))
    assert used.cut(table([7, 9], [7, 9])).tolist() == [[7, 9], [4, 12]]


def test_weights_are_as_large_as_a_week_of_ticks() -> None:
    week = 604_800 * 4096 * 1_000_000
    used = RegionUsage(table([week, 3 * week]), table([0, 0]), (np.array([0, 1]),))
    assert used.cut(table([week, week])).tolist() == [[week // 2, 3 * week // 2]]


def run(**more: Any) -> SimResult:
    able = {"ziips": 2, "eligible": (0.0, 0.4, 0.0)}
    asked: dict[str, Any] = {"seed": 4, "seconds": 0.3, "every_s": 0.1, "warmup_s": 0.0} | more
    return simulate(changed(two_pools(), {"cpu": able}), **asked)


def by_region(result: SimResult, rows: Any, name: str) -> Any:
    return np.bincount(rows["region"], rows[name], result.region_cpu_ticks.shape[1])


@pytest.mark.parametrize(
    "counter, name", [("region_cpu_ticks", "cpu_region"), ("region_ziip_ticks", "ziip_region")]
)
def test_regions_have_what_their_transactions_used(counter: str, name: str) -> None:
    """Since the start, to the tick, in each region that has no message at the end; one that has
    is ahead of its transaction by the burst under way."""
    result = run()
    assert result.flying is not None
    counted = getattr(result, counter).sum(axis=0)
    rows = by_region(result, result.transactions, name) + by_region(result, result.flying, name)
    ahead, busy = counted - rows, result.region_active[-1] == 1
    assert busy.any() and not busy.all() and rows[~busy].sum() > 0
    assert (ahead[~busy] == 0).all() and (ahead >= 0).all() and ahead.sum() < counted.sum() / 100


def test_intervals_cut_nothing_off() -> None:
    """Three intervals are one; CPU of regions is less than that of all CPs in each."""
    three, full_run = run(), run(every_s=0.3)
    for name in ("region_cpu_ticks", "region_ziip_ticks"):
        assert (getattr(three, name).sum(axis=0) == getattr(full_run, name)[0]).all()
        assert getattr(three, name).min() >= 0
    assert (three.region_cpu_ticks.sum(axis=1) < three.cpu_ticks.sum(axis=1)).all()
    assert (three.region_ziip_ticks.sum(axis=1) <= three.ziip_ticks.sum(axis=1)).all()
