"""Faults where a system meets its limits: a program alone, a full OLDS, a region in a loop.

Expected values follow from the definitions: 1.02 of the OLDS, 0.98 CP, an interval's own length.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import imsperf
from imsperf.errors import ScenarioError
from imsperf.synthetic.accounts.cpu_accounts import cpu_of
from imsperf.synthetic.interval_mode.batch import batch_drawn
from imsperf.synthetic.interval_mode.drawn import drawn
from imsperf.synthetic.interval_mode.faults import CATALOGUE, Place, within_goal
from imsperf.synthetic.interval_mode.mean_parts import Inputs, Means, joined
from imsperf.synthetic.interval_mode.means import means_of
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.order import systems_in
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.result import SimResult

TICK, S = 4096, 4096 * 10**6


def network_of(name: str, settings: Mapping[str, Any] | None = None) -> Network:
    return systems_in(scenario.load(name, dict(settings or {})))[0].network


def with_fault(network: Network, fault: str) -> tuple[Means[float], Means[float]]:
    """The means without and with it."""
    before = means_of(Inputs(network))
    return before, means_of(CATALOGUE[fault].change(Inputs(network), before))


def made(network: Network, interval_means: Means[float], intervals: int = 3) -> SimResult:
    means = joined([interval_means], lambda v: np.repeat(v[0][None], intervals, axis=0))
    draw = drawn if network.sequence is None else batch_drawn
    return draw(network, means, seed=5, every_s=900.0, intervals=intervals)


def test_a_batch_program_waits_for_a_slow_olds() -> None:
    """Its OLDS would be 102 % busy, so its units take 2 % longer and no buffer is free."""
    network = network_of("bmp-banking", {"dasd.volumes": 16})
    before, after = with_fault(network, "olds-wait")
    assert after.units.unit_us / before.units.unit_us == pytest.approx(1.02)
    assert before.log.no_buffer < 1e-9 and after.log.no_buffer == 1.0


def test_the_writer_of_the_olds_is_never_busier_than_the_clock() -> None:
    """One writer, 900 s: at most 900 s of writes, and at least 97 % of them."""
    network = network_of("ff-haldb", {"dasd.volumes": 16})
    result = made(network, with_fault(network, "olds-wait")[1])
    assert (result.olds_ticks <= 900 * S).all()
    assert (result.olds_ticks >= 0.97 * 900 * S).all()


def charged(name: str, settings: Mapping[str, Any]) -> tuple[Any, Any, SimResult, Any]:
    """CPU ticks by address space of a run with a loop, and without: the same counters."""
    (first, *_) = systems_in(scenario.load(name, dict(settings)))
    result = made(first.network, with_fault(first.network, "looping-region")[1])
    assert result.loop_ticks is not None
    without = replace(result, loop_ticks=np.zeros_like(result.loop_ticks))
    inventory = first.inventory
    place = {**vars(CATALOGUE["looping-region"].truth(Place(first.network, first.host, inventory)))}
    job = place["key"].removeprefix("job=")
    at = [space.job for space in inventory.spaces].index(job)
    return *(cpu_of(each, first.network, inventory)[0] for each in (result, without)), result, at


@pytest.mark.parametrize("name", ["ff-haldb", "cics-ff"])
def test_a_region_in_a_loop_does_nothing_else(name: str) -> None:
    """0.98 CP of 900 s are 882 s, no more; what it did before, the others do: sums are the same."""
    loop, plain, result, at = charged(name, {"dasd.volumes": 16})
    assert (loop[:, at] == 882 * S).all()
    assert (loop.sum(axis=1) == plain.sum(axis=1)).all()
    master = plain[:, 0] - 882 * S  # the loop is no fixed work
    assert (loop[:, 0] == master).all()
    assert (plain[:, at] > 0).all() and (result.loop_ticks == 882 * S).all()
    others = [n for n in range(1, loop.shape[1]) if n != at]
    assert (loop[:, others] >= plain[:, others]).all()


def test_a_region_in_a_loop_is_missing() -> None:
    """One region of 128 serves nobody: the solver is given 127."""
    network = network_of("ff-haldb")
    looped = CATALOGUE["looping-region"].change(Inputs(network), means_of(Inputs(network)))
    assert (network.regions, looped.network.regions, looped.loop_region) == (128, 127, 64)


def test_a_missed_goal_says_what_regions_can_do(tmp_path: Path) -> None:
    """ff-haldb: 128 regions, each held 50 ms longer: 128 / 0.05 s = 2,560 a second at most, and
    fewer for what else takes time in them. Without the fault 4,800 a second end."""
    variant = scenario.load("ff-haldb", {"dasd.volumes": 20, "run.start": "2026-03-02T18:00"})
    generate_intervals(variant, tmp_path / "out", intervals=2, inject=["goal-missed@2"])
    (told,) = tomllib.loads((tmp_path / "out" / "truth.toml").read_text())["fault"]
    assert "50 ms longer" in told["changed"]
    assert "128 regions end 2,560 a second at most" in told["changed"]
    imsperf.load(tmp_path / "out", db=tmp_path / "r.duckdb", run="r", types="ims:45,72.3")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        ended = store.con.execute("SELECT trans_total FROM ims_4500 ORDER BY sample").fetchall()
    first, second = (b[0] - a[0] for a, b in pairwise(ended))
    assert second / 900 < 2560 and second < first


def test_share_within_a_goal() -> None:
    """Exponential responses (cv2 1): 1 - exp(-goal / mean)."""
    within = within_goal(np.array([5000.0, 10_000.0]), np.ones(2), 10_000.0)
    assert within == pytest.approx([1 - math.exp(-2), 1 - math.exp(-1)])


def test_what_has_no_log_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="cics-ts31, which has no IMS log"):
        generate_intervals(scenario.load("cics-ts31"), tmp_path / "run", intervals=1)


def test_a_goal_that_is_missed_anyway_is_refused(tmp_path: Path) -> None:
    """esaf-pooling: 90 % within 15 ms is not met at its own load, so nothing could be seen."""
    variant = scenario.load("esaf-pooling", {"dasd.volumes": 16})
    with pytest.raises(ScenarioError, match="missed without it") as caught:
        generate_intervals(variant, tmp_path / "out", intervals=3, inject=["goal-missed@2"])
    assert "longer goal" in (caught.value.hint or "")
    assert not list(tmp_path.iterdir())
