"""Noise between runs: measurements of the same system with the same settings are not the same.

`run.noise_pct` is a relative standard deviation. A run, by its seed, draws two factors of mean 1,
independent and log-normal. `work` is on what a transaction takes: all CPU times, and the delays
that no equation explains. `pace` is on what the driver sends: client time is divided by it, open
arrivals are multiplied. What is measured follows from the network: CPU per transaction and ITR
spread by `run.noise_pct`, the rate by about as much where client time, arrivals, delays or full
processors set it. A prediction is the run with both factors 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.simulation.rng import splitmix64

NOISE = "run.noise_pct"
SPEED = "cpu.speed"
ARRIVALS = "driver.rate_per_s"
CLIENT_TIME = "driver.think_"  # how the knobs of all systems begin
DELAYS = ("region.unexplained_", "bmp.unexplained_", "tpipe.service_")  # likewise
STREAM = 0x6E6F697365  # apart from all streams of the simulation


@dataclass(frozen=True)
class Factors:
    """What a run has of its own: on what a transaction takes, and on what the driver sends."""

    work: float = 1.0
    pace: float = 1.0


def factors(scenario: Scenario, seed: int) -> Factors:
    """The factors of the run with this seed; 1 without noise."""
    spread = float(scenario[NOISE]) / 100
    if spread == 0:
        return Factors()
    sigma = math.sqrt(math.log1p(spread * spread))
    state, drawn = splitmix64(seed ^ STREAM)[1], []
    for _ in range(2):
        state, word = splitmix64(state)
        normal = NormalDist().inv_cdf(((word >> 11) + 0.5) / 2.0**53)
        drawn.append(math.exp(sigma * normal - sigma * sigma / 2))
    return Factors(*drawn)


def of_run(scenario: Scenario, seed: int) -> Scenario:
    """The scenario as the run with this seed has it; itself without noise."""
    own = factors(scenario, seed)
    if own == Factors():
        return scenario
    knobs = dict(scenario.knobs)
    for key, knob in scenario.knobs.items():
        factor = _factor(key, own)
        if factor != 1.0:
            knobs[key] = replace(knob, value=knob.value * factor, per={})  # type: ignore[operator]
    return replace(scenario, knobs=knobs)


def _factor(key: str, own: Factors) -> float:
    """What the value of a knob is multiplied by."""
    if key == SPEED:
        return 1 / own.work
    if key.startswith(DELAYS):
        return own.work
    if key == ARRIVALS:
        return own.pace
    return 1 / own.pace if key.startswith(CLIENT_TIME) else 1.0
