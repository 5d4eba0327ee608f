"""Arrivals that come in clumps: what they add to the waits of Poisson arrivals.

A log write ends for many transactions at once, and XCF releases a member's messages at once. Both
send a clump to the CPUs, and the database writes of a clump meet at the channel paths. The queue is
followed over some cycles of the clump's source (a birth-death chain in time, clumps at the starts).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from imsperf.synthetic.solver.clump_kernels import follow, members
from imsperf.synthetic.solver.queueing import Floats, erlang_c, poisson

LARGEST = 300.0  # members of a clump that are followed one by one; more wait in proportion
FULL = 0.97  # the chain is followed at no higher load; beyond it the population bounds the waits
CYCLES = 7
PARTS = 64  # of a cycle, in which the starts of bursts are counted


@dataclass(frozen=True)
class Starts:
    """How many bursts begin to be served in each part of the cycles, by how they came."""

    widths: Floats  # of the parts
    single: Floats
    clump: Floats
    behind: Floats


@dataclass(frozen=True)
class Clumped:
    """Waits at m servers."""

    single_wait: float  # Poisson arrivals
    clump_wait: float  # the members of a clump
    behind_wait: float  # those who come with the clump but queue behind it
    poisson_wait: float  # of anybody, if all arrivals were Poisson
    starts: Starts


def gamma_cycles(mean: float, cv: float) -> Floats:
    """Cycle lengths that stand for a gamma distribution, long and short ones in turn."""
    if cv <= 0:
        return np.full(CYCLES, mean)
    places = (np.arange(CYCLES) * 3 % CYCLES + 0.5) / CYCLES
    lengths = gammaincinv(cv**-2.0, places)
    return np.asarray(mean * lengths / lengths.mean())


def clumped(
    servers: int,
    service: float,
    single_rate: float,
    clump_rate: float,
    cycles: Floats,
    behind: float = 0.0,
) -> Clumped:
    """Single arrivals, and clumps of what gathered at `clump_rate` during the cycle before.

    `behind` further arrivals for each member of a clump queue behind all of it.
    """
    rate = single_rate + clump_rate * (1 + behind)
    scale = max(float(cycles.max()) * clump_rate * (1 + behind) / LARGEST, 1.0)
    cycles = cycles / scale
    service = min(service, FULL * servers / rate)
    largest = float(cycles.max()) * clump_rate * (1 + behind)
    states = np.arange(int(servers + 1.5 * largest + 8 * largest**0.5 + 120), dtype=np.float64)
    widths = np.repeat(cycles / PARTS, PARTS)
    ends = np.cumsum(widths)
    before, during, begun = _follow(
        states, servers, service, single_rate, clump_rate, cycles, behind, ends
    )
    during /= during.sum()
    queue = np.maximum(states - servers + 1, 0)
    waits, together = _by_place(before, servers, service, clump_rate, cycles, behind, ends)
    load = rate * service
    alone = erlang_c(servers, load) * service / (servers - load)
    found = (float((during * queue).sum()) * service / servers, waits[0], waits[1])
    single, clump, last = (alone + (wait - alone) * scale for wait in found)
    return Clumped(
        single_wait=single,
        clump_wait=clump,
        behind_wait=last,
        poisson_wait=alone,
        starts=Starts(widths * scale, begun * scale, together[0] * scale, together[1] * scale),
    )


def _follow(
    states: Floats,
    servers: int,
    service: float,
    single_rate: float,
    clump_rate: float,
    cycles: Floats,
    behind: float,
    ends: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Chances of the number present before each clump, time with each number, starts by part."""
    leave = np.minimum(states, servers) / service
    step = 0.9 / (single_rate + servers / service)
    now = poisson(len(states), min(single_rate * service, servers))
    gathered = clump_rate * np.roll(cycles, 1) * (1 + behind)
    sizes = np.array([poisson(len(states), float(one)) for one in gathered])
    waits = np.maximum(states - servers + 1, 0) * service / servers
    return follow(now, sizes, leave, waits, single_rate, step, cycles, ends)


def _by_place(
    before: Floats,
    servers: int,
    service: float,
    clump_rate: float,
    cycles: Floats,
    behind: float,
    ends: Floats,
) -> tuple[Floats, Floats]:
    """Mean wait and starts by part, of the members of a clump and those behind it."""
    begins = np.cumsum(cycles) - cycles
    gathered = clump_rate * np.roll(cycles, 1)
    sums, starts = members(before, gathered, begins, behind, servers, service, ends)
    weights = np.where(sums[:, 1] > 0, sums[:, 1], 1.0)
    return sums[:, 0] / weights, starts
