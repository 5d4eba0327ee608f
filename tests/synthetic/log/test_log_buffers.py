"""OLDS: one write outstanding (model.md section 2), buffers that run out; solver and simulation."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.solver.answer import NO_BUFFER
from imsperf.synthetic.solver.devices import no_buffer
from imsperf.synthetic.workloads.families import network, predicted

TICK = 4096
# 26,624 bytes a block, 422 bytes a transaction, 0.280 + 0.711 ms a write (T30 OLDS, mirrored)
LIMIT = 26_624 / 422 / 0.991e-3
MIRRORED = {"log.mirror": "on", "log.wads.cv": 0.0}


@cache
def seen(cv: float = 0.0) -> SimResult:
    net = network(load("fast-path", MIRRORED | {"log.wads.cv": cv}))
    return simulate(net, seed=1, seconds=2, every_s=1, warmup_s=1)


def test_solver_stops_where_the_olds_is_full() -> None:
    """98,700 a second come where nothing is in the way, 63,664 can be logged."""
    predicted_values = predicted(load("fast-path", MIRRORED)).values
    assert predicted_values["etr_per_s"] == pytest.approx(LIMIT, rel=0.001)
    assert predicted_values["bottleneck"] == "olds"
    assert predicted_values["util_olds"] == pytest.approx(100, abs=0.1)


def test_simulation_stops_where_the_olds_is_full() -> None:
    """One second of writing in a second; who commits waits: rate 0.5 %, response 2 %."""
    result = seen()
    assert result.completed.sum() / 2 == pytest.approx(LIMIT, rel=0.005)
    busy = result.olds_ticks / result.ticks
    assert busy == pytest.approx([1.0, 1.0], abs=0.002)
    assert result.buffer_waits is not None
    assert (result.buffer_waits > 0.9 * result.check_writes).all()
    predicted_values = predicted(load("fast-path", MIRRORED)).values
    response = result.response_ticks.sum() / result.completed.sum() / TICK / 1000
    assert predicted_values["ims_response_ms"] == pytest.approx(response, rel=0.02)


def test_nobody_waits_for_a_buffer_below_the_limit() -> None:
    """5,000 clients ask for 95 % of the limit: the rate of N / (Z + R), no wait for a buffer."""
    net = network(load("fast-path", MIRRORED | {"clients": 5000}))
    result = simulate(net, seed=1, seconds=2, every_s=2, warmup_s=1)
    assert result.buffer_waits is not None and result.buffer_waits.sum() == 0
    predicted_values = predicted(load("fast-path", MIRRORED | {"clients": 5000})).values
    assert predicted_values["etr_per_s"] == pytest.approx(result.completed.sum() / 2, rel=0.005)


def test_a_second_buffer_set_changes_nothing_at_the_limit() -> None:
    """Buffers shift when the wait begins, not what is written in a second."""
    few = replace(network(load("fast-path", MIRRORED)), clients=8000)
    few = replace(few, logger=replace(few.logger, buffers=3))
    result = simulate(few, seed=1, seconds=1, every_s=1, warmup_s=1)
    assert result.completed.sum() == pytest.approx(LIMIT, rel=0.005)


def by_hand(load: float, filled: int, buffers: int, cv: float, blocks: int = 60_000) -> float:
    """Mean wait for a buffer, in writes: block after block, Poisson arrivals, gamma writes."""
    rng = np.random.default_rng(1)
    write = rng.gamma(cv**-2, cv**2, blocks)
    came = np.cumsum(rng.exponential(1 / load / filled, blocks * filled)).reshape(blocks, filled)
    ends, waited = [0.0] * buffers, 0.0
    for k in range(blocks):
        ready = np.maximum(came[k], ends[-buffers])
        waited += float((ready - came[k]).sum())
        ends.append(max(float(ready[-1]), ends[-1]) + write[k])
    return waited / blocks / filled


@pytest.mark.parametrize(
    ("load", "filled", "buffers", "cv"),
    [(0.9, 20, 3, 0.4), (0.95, 20, 5, 0.4), (0.97, 63, 5, 0.4), (0.95, 20, 10, 1.0)],
)
def test_where_buffers_run_out(load: float, filled: int, buffers: int, cv: float) -> None:
    """A mean wait of more than a hundredth of a write: above 2 %, where the simulation is asked."""
    full = no_buffer(load, 100.0, filled * 100, buffers, cv)
    assert (by_hand(load, filled, buffers, cv) > 0.01) == (full > NO_BUFFER)
