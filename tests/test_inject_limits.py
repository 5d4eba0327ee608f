"""Faults where a system meets its limits: a program alone, a full OLDS, a region in a loop.

Expected values follow from the definitions: 1.02 of the OLDS, 0.98 CP, an interval's own length.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from imsperf.synthetic import scenario
from imsperf.synthetic.generate import systems_in
from imsperf.synthetic.interval_mode.batch_drawn import batch_drawn
from imsperf.synthetic.interval_mode.drawn import drawn
from imsperf.synthetic.interval_mode.faults import CATALOGUE
from imsperf.synthetic.interval_mode.mean_parts import Inputs, Means
from imsperf.synthetic.interval_mode.means import means_of
from imsperf.synthetic.network import Network
from imsperf.synthetic.simulation.result import SimResult

TICK, S = 4096, 4096 * 10**6


def network_of(name: str, settings: Mapping[str, Any] | None = None) -> Network:
    return systems_in(scenario.load(name, dict(settings or {})))[0].network


def with_fault(network: Network, fault: str) -> tuple[Means, Means]:
    """The means without and with it."""
    before = means_of(Inputs(network))
    return before, means_of(CATALOGUE[fault].change(Inputs(network), before))


def made(network: Network, found: Means, intervals: int = 3) -> SimResult:
    means = {name: np.repeat(np.asarray(v)[None], intervals, axis=0) for name, v in found.items()}
    means["load"] = np.ones(intervals)
    draw = drawn if network.sequence is None else batch_drawn
    return draw(network, means, seed=5, every_s=900.0, intervals=intervals)


def test_a_batch_program_waits_for_a_slow_olds() -> None:
    """Its OLDS would be 102 % busy, so its units take 2 % longer and no buffer is free."""
    network = network_of("bmp-banking", {"dasd.volumes": 16})
    before, after = with_fault(network, "olds-wait")
    assert after["unit_us"] / before["unit_us"] == pytest.approx(1.02)
    assert before["no_buffer"] < 1e-9 and after["no_buffer"] == 1.0


def test_the_writer_of_the_olds_is_never_busier_than_the_clock() -> None:
    """One writer, 900 s: at most 900 s of writes, and at least 97 % of them."""
    network = network_of("ff-haldb", {"dasd.volumes": 16})
    result = made(network, with_fault(network, "olds-wait")[1])
    assert (result.olds_ticks <= 900 * S).all()
    assert (result.olds_ticks >= 0.97 * 900 * S).all()
