"""CPU bursts that keep their processor to the end, first come first served (tps-100k).

Regions hold a transaction during its region CPU and delays: the inner level, a closed network of
all bursts, read off at 0, 1 ... busy regions (queueing.region_flow). Around it a birth-death chain
runs over the transactions that want a region (model.md 3.2). Bursts that a log write or the XCF
gate releases together wait for each other, and so do their I/Os at the channel paths (clumps.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.clumps import clumped, gamma_cycles, path_factor
from imsperf.synthetic.solver.devices import Gate
from imsperf.synthetic.solver.flow import EDGE, Needs, Point, falling_root
from imsperf.synthetic.solver.queueing import (
    Population,
    RegionFlow,
    birth_death,
    birth_death_open,
    region_flow,
)
from imsperf.synthetic.solver.steps import Terms

Floats = NDArray[np.float64]
CLOSE = 1e-8  # of the stretch of CPU time
TIE = 1 - 1e-6  # regions that let through no less than the processors do are full because of them
SEEN = 0.01  # share of the messages that XCF holds below which they make no clump


@dataclass(frozen=True)
class Released:
    """What those who go on together wait for a processor beyond strangers."""

    waits: Floats = field(default_factory=lambda: np.zeros(3))  # by place, us
    paths: float = 1.0  # factor on the wait for a channel path

    def apart(self, other: Released) -> float:
        """How far two are from each other, in microseconds."""
        return float(np.abs(self.waits - other.waits).sum()) + abs(self.paths - other.paths)

    def halfway(self, other: Released) -> Released:
        """The mean of two, so that rounds do not swing."""
        return Released((self.waits + other.waits) / 2, (self.paths + other.paths) / 2)


def fcfs_point(needs: Needs) -> Point:
    """The balance of one work with a pool; its first station are the processors."""
    cpu, share = needs.stations[0], float(needs.inside[0])
    outside = cpu.demand * (1 - share)
    flow = region_flow(needs.regions, cpu.servers, cpu.demand * share, outside, needs.region_delay)
    if needs.rate > 0:
        chain = birth_death_open(needs.rate, flow.rates)
        if chain is None or needs.rate >= flow.rates[-1] * EDGE:
            return _saturated(needs, flow)
        return _point(needs, flow, chain, _mean_stretch(chain, flow))
    fixed = needs.think + needs.other_delay

    def chain_at(stretch: float) -> Population:
        return birth_death(needs.clients, fixed + outside * stretch, flow.rates)

    def excess(stretch: float) -> float:
        return _mean_stretch(chain_at(stretch), flow) - stretch

    stretch = falling_root(excess, 1.0, CLOSE) if outside > 0 else 1.0
    return _point(needs, flow, chain_at(stretch), stretch)


def _mean_stretch(chain: Population, flow: RegionFlow) -> float:
    inside = np.minimum(np.arange(len(chain.chances)), len(flow.rates) - 1)
    weights = chain.chances * flow.rates[inside]
    return float(weights @ flow.stretch[inside] / weights.sum())


def _point(needs: Needs, flow: RegionFlow, chain: Population, stretch: float) -> Point:
    last = len(flow.rates) - 1
    busy = float(chain.chances @ np.minimum(np.arange(len(chain.chances)), last))
    return Point(
        chain.rate,
        np.full((len(needs.stations), 2), stretch),
        pool_wait=max(chain.response - busy / chain.rate, 0.0),
        occupancy=busy / chain.rate,
        regions_busy=busy,
        all_busy=float(chain.chances[last:].sum()),
        served=None if needs.rate > 0 else (chain.chances, flow.rates),
    )


def _saturated(needs: Needs, flow: RegionFlow) -> Point:
    """All regions busy for ever."""
    cpu, rate = needs.stations[0], float(flow.rates[-1]) * EDGE
    busy, full = float(needs.regions), rate < cpu.limit / max(cpu.demand, 1e-300) * TIE
    stretch = np.full((len(needs.stations), 2), float(flow.stretch[-1]))
    name = "pool" if full else cpu.name
    return Point(rate, stretch, 0.0, busy / rate, busy, 1.0, saturated=True, full=name)


def released(model: m.Model, work: m.Work, rate: float, terms: Terms, all_busy: float) -> Released:
    """Bursts after the log write start together, and so do those in regions that it sets free.

    `all_busy`: share of the transactions that wait for a region. What the XCF gate has held starts
    together too.
    """
    log = next(one for one in work.steps if isinstance(one, m.LogWrite))
    dasd = next(one for one in work.steps if isinstance(one, m.Ios))
    cpus, service = model.cpus_of(work).cps, float(terms.cpu.sum()) / 3
    behind = all_busy if log.place == "region" else 0.0
    cycles = gamma_cycles(log.write_us, log.cv)
    write = clumped(cpus, service, rate * (2 - behind), rate, cycles, behind)
    alone = write.single_wait - write.poisson_wait
    after_write = write.behind_wait - write.poisson_wait
    ios = ((1 - behind) * dasd.reads / (2 - behind), dasd.writes, dasd.reads)
    paths = path_factor(write.starts, service, ios, dasd.paths, dasd.port_us)
    held, window = _held(work, terms)
    gate_us = behind_gate_us = beside_us = 0.0
    if held > 0:
        gate = clumped(cpus, service, rate * (1 + 2 * (1 - held)), rate * held, window, 1.0)
        gate_us = gate.clump_wait - gate.poisson_wait
        ios = ((dasd.writes + (1 - held) * dasd.reads) / (3 - 2 * held), 0.0, dasd.reads)
        paths += path_factor(gate.starts, service, ios, dasd.paths, dasd.port_us) - 1
        behind_gate_us = max(gate.behind_wait - gate.clump_wait - service, 0.0)
        beside_us = gate.single_wait - gate.poisson_wait
    beside = alone + (1 - held) * beside_us
    waits = (
        beside + held * gate_us,
        write.clump_wait - write.poisson_wait + beside_us,
        (1 - behind) * (beside + held * behind_gate_us) + behind * after_write,
    )
    return Released(np.array(waits), paths)


def _held(work: m.Work, terms: Terms) -> tuple[float, Floats]:
    """Share of the messages that XCF passes at the start of a window; from one to the next."""
    gate = next((one for one in work.steps if isinstance(one, m.Gate)), None)
    seen = terms.device(Gate)
    if gate is None or seen is None:
        return 0.0, np.zeros(1)
    share = (seen.delay or 0.0) / gate.window_us
    return min(share, 1.0) if share > SEEN else 0.0, np.array([gate.window_us / gate.members])
