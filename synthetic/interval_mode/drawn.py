"""Means of intervals -> what a simulation would have counted in them (SimResult), without one.

Completions have the variance of the solver's birth-death chain; CPU, response and device times are
sums of so many independent amounts; volumes, paths and classes share what there is. What is in
flight is drawn at the boundaries, so that the laws of conservation.py hold to the tick.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from scipy.special import gammainc

from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.interval_mode import shortages, stations
from imsperf.synthetic.interval_mode.draws import Draws
from imsperf.synthetic.interval_mode.gates import Gates, counters, gates_of
from imsperf.synthetic.interval_mode.mean_parts import Means, Times, joined
from imsperf.synthetic.interval_mode.stations import Basis, Counted
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.columns import GOAL_EDGES_PCT
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import PROGRAMS, SMALL, TIMES, interval_ends
from imsperf.synthetic.units import TICKS_PER_US

NO_SAMPLE = 2**32 - 1  # one transaction in so many: none is in the log
UP_S = 2.0  # IMS is started so long before the first interval


def drawn(
    network: Network, means: Means[F64], *, seed: int, every_s: float, intervals: int
) -> SimResult:
    """The counters of the first `intervals` intervals of a run; `means` (n, ...), see means.py."""
    edges = interval_ends(every_s * intervals, every_s)
    draws = Draws(seed, np.arange(intervals))
    basis = Basis(network, means, draws, np.diff(edges))
    done = _completed(basis)
    gates = gates_of(basis, done, seed) if network.gates else None
    flight = _in_flight(basis, done, seed, gates)
    counted = {
        "ticks": basis.ticks,
        "completed": done,
        **(people := population(done, flight)),
        **shortages.counters(network.awe, people["arrivals"], basis.ticks, seed),
        **(times := _times(basis, done, flight)),
        **stations.cpu(basis, done, flight, edges),
        **stations.volumes(basis, done),
        **stations.log(basis, done, flight),
        **stations.latches(basis, done, _past_cpu(basis, gates)),
        **stations.pools(basis, done),
        **stations.messages(basis, done, flight),
        **stations.coupling(basis, done),
        **({} if gates is None else counters(basis, gates, times["response_ticks"])),
    }
    counted |= stations.archives(basis, counted, edges)
    programs = no_rows(tuple(program for program in PROGRAMS if program != "known"))
    return result_of(network, counted, flight, gates, programs, seed=seed, every_s=every_s)


def result_of(
    network: Network,
    counted: Counted,
    flight: Flight,
    gates: Gates | None,
    programs: Any,
    *,
    seed: int,
    every_s: float,
) -> SimResult:
    """Counters of all intervals as a simulation gives them; no row of a transaction."""
    intervals = len(counted["ticks"])
    counted = counted | absent(counted, intervals)
    return SimResult(
        seconds=every_s * intervals,
        every_s=every_s,
        warmup_s=UP_S,
        intervals=intervals,
        sample_k=NO_SAMPLE,
        seed=seed,
        check_write_in_region=network.logger.check_write == "in_region",
        transactions=no_rows((*TIMES, *SMALL, "log_records", "log_bytes")),
        programs=programs,
        warm=nothing_before(counted, flight, gates),
        open=flight.open,
        **counted,
    )


def _completed(basis: Basis) -> I64:
    """Transactions by class, (n, classes)."""
    means = basis.means.times
    total = basis.draws.count("completed", means.rate_per_s * basis.seconds, means.dispersion)
    return basis.draws.split("classes", total, basis.network.of_classes("weight"))


class Flight:
    """What is under way at the n + 1 boundaries: numbers, and `open` as SimResult has it."""

    def __init__(self, number: I64, busy: I64, opened: Mapping[str, I64]) -> None:
        self.number = number
        self.busy = busy
        self.open = opened

    def grown(self, name: str) -> I64:
        """Open at the end of each interval less open at its start."""
        return np.diff(self.open[name])


def _past_cpu(basis: Basis, gates: Gates | None) -> I64 | None:
    """Callouts that asked for the latch of OTMA, or have had it, at the boundaries."""
    if gates is None or basis.network.callouts is None:
        return None
    assert basis.means.gates is not None
    share = at_boundaries(basis.means.gates.past_cpu)
    past_cpu: I64 = np.rint(gates.served.sum(axis=1) * share).astype(np.int64)
    return past_cpu


def at_boundaries(values: F64) -> F64:
    """Of n intervals, for their n + 1 boundaries: that of the interval before."""
    return np.concatenate([values[:1], values])


def _in_flight(basis: Basis, done: I64, seed: int, gates: Gates | None) -> Flight:
    """Poisson numbers around what Little's law says; a boundary is drawn by its own place.

    Callouts: those who are at a TPIPE.
    """
    network, n = basis.network, len(basis.ticks)
    here = Draws(seed, np.arange(n + 1))

    times: Times[F64] = joined([basis.means.times], lambda values: at_boundaries(values[0]))
    per_us, response = times.rate_per_s / 1e6, times.response_us
    most = np.iinfo(np.int64).max if network.is_open else network.clients
    number = np.minimum(here.count("in flight", per_us * response), most)
    if gates is not None and network.callouts is not None:
        number = gates.there.sum(axis=1)
    total = np.concatenate([[0], np.cumsum(done.sum(axis=1))])
    number = np.maximum.accumulate(number + total) - total  # no more leave than were there
    early = here.count("before the queue", per_us * (times.before_us + times.gate_us))
    early = np.minimum(early, most - number)
    logged = np.minimum(here.count("past the sync point", per_us * times.logged_us), number)
    busy = here.count("regions busy", per_us * times.occupancy_us)
    busy = number if network.callouts is not None else busy
    age = (1 + times.response_cv2) / 2

    def ticks(count: I64, us: F64) -> I64:
        return np.rint(count * us * TICKS_PER_US).astype(np.int64)

    waited = (times.before_us + times.gate_us) / 2
    opened = {
        "response": ticks(number, response * age),
        "total": ticks(number, response * age + 2 * waited) + ticks(early, waited),
        "queue": ticks(number, times.queue_us / 2),
        "region": ticks(number, times.occupancy_us / 2),
        "cpu": ticks(number + early, at_boundaries(basis.means.cpu.cpu_us) / 2),
        "io": np.rint(number * network.mean("reads") / 2).astype(np.int64),
        "log_records": np.rint(logged * network.mean("log_records")).astype(np.int64),
        "log_bytes": np.rint(logged * network.mean("log_bytes")).astype(np.int64),
        "sync": logged,
        "sent": number + early,
    }
    return Flight(number, np.minimum(np.minimum(busy, network.regions), number), opened)


def population(done: I64, flight: Flight) -> Counted:
    """Who came, and who is there at the end."""
    return {
        "arrivals": done.sum(axis=1) + np.diff(flight.number),
        "in_flight_end": flight.number[1:],
        "region_busy_end": flight.busy[1:],
    }


def _times(basis: Basis, done: I64, flight: Flight) -> Counted:
    """Response in its parts, their distribution as a gamma's around the goal."""
    count, means = done.sum(axis=1), basis.means.times

    def part(name: str, us: F64) -> I64:
        return basis.draws.total(name, count, us * TICKS_PER_US, us * TICKS_PER_US)

    queue, held = part("queue", means.queue_us), part("occupancy", means.occupancy_us)
    after = part("after", means.after_us)
    response = queue + held + after
    before = part("before", means.before_us)
    gate = np.rint(count * means.gate_us * TICKS_PER_US).astype(np.int64)
    return {
        "response_ticks": response,
        "in_flight_ticks": response + flight.grown("response"),
        "total_ticks": response + before + gate,
        "region_ticks": np.minimum(held, basis.ticks * basis.network.regions),
        "region_queue_ticks": queue + flight.grown("queue"),
        **response_spread(basis, count, response),
    }


def response_spread(basis: Basis, count: I64, response: I64) -> Counted:
    """Squares of `count` responses, `response` ticks together; within 50 % of the goal, 60 % ..."""
    mean_us = response / np.maximum(count, 1) / TICKS_PER_US
    squares = count * mean_us**2 * (1 + basis.means.times.response_cv2)
    shape = 1 / basis.means.times.response_cv2
    edges = np.array(GOAL_EDGES_PCT) / 100 * basis.network.response_goal_us
    below = gammainc(shape[:, None], shape[:, None] * edges / np.maximum(mean_us, 1e-9)[:, None])
    chances = np.diff(below, axis=1, prepend=0.0, append=1.0)
    return {
        "response_squares_us2": np.ceil(squares),  # of 100,000 clients it passes 2^63
        "response_bucket": basis.draws.split("response", count, chances),
    }


def no_rows(names: tuple[str, ...]) -> dict[str, Any]:
    """A table without rows."""
    return {name: np.zeros(0, np.int32 if name in SMALL else np.int64) for name in names}


def nothing_before(counted: Counted, flight: Flight, gates: Gates | None) -> dict[str, Any]:
    """Counters are 0 when the run begins; levels are those of the first interval."""
    warm = {name: np.zeros_like(values[0]) for name, values in counted.items()}
    levels = [
        name for name in counted if name.startswith("pool_") and name not in stations.POOL_SUMS
    ]
    warm |= {name: counted[name][0].copy() for name in levels}
    up = int(UP_S * 1e6) * TICKS_PER_US
    warm["pool_blocks_ticks"] = warm["pool_blocks_now"] * up
    warm["pool_in_use_ticks"] = warm["pool_now"] * up
    here = flight.number[0]
    warm |= {"arrivals": here, "in_flight_end": here, "region_busy_end": flight.busy[0]}
    if gates is not None:
        first = gates.there[0]
        warm |= {"gate_calls": first, "gate_open_end": first, "gate_open_high": first}
        warm |= {"gate_free_end": counted["gate_free_end"][0] + gates.served[1] - gates.served[0]}
        warm |= {"gate_waiting_high": np.maximum(first - gates.served[0], 0)}
        warm |= {"calls_open_high": first.sum()}
    return warm | {"ticks": np.array(up)}


OWN = ("seconds", "every_s", "warmup_s", "intervals", "sample_k", "seed", "check_write_in_region")
TABLES = ("transactions", "programs", "warm", "open", "flying")
SINGLE = (
    "calls_open_high",
    "ziip_spilled_ticks",
    "archive_blocks",
    "archive_cpu_ticks",
)  # what has one value for an interval; all else has one for each device


def absent(counted: Counted, n: int) -> Counted:
    """Nothing for what this mode does not draw: no gates, no coupling facility."""
    known = counted.keys() | {*OWN, *TABLES}
    names = [field.name for field in fields(SimResult) if field.name not in known]
    return {name: np.zeros((n,) if name in SINGLE else (n, 0), np.int64) for name in names}
