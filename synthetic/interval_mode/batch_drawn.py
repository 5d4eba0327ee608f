"""Means of intervals -> what a simulation would have counted of a batch program that runs again.

Of each run the log has its schedule and its end (08, 07), as type 30 has its intervals and ends; of
its units of recovery there are counts alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.interval_mode import stations
from imsperf.synthetic.interval_mode.batch import Runs, runs_of, steps_of
from imsperf.synthetic.interval_mode.drawn import Flight, population, response_spread, result_of
from imsperf.synthetic.interval_mode.draws import Draws
from imsperf.synthetic.interval_mode.mean_parts import Means
from imsperf.synthetic.interval_mode.stations import Basis, Counted
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import NEVER, interval_ends
from imsperf.synthetic.units import TICKS_PER_US


def batch_drawn(
    network: Network, means: Means[F64], *, seed: int, every_s: float, intervals: int
) -> SimResult:
    """As `drawn`; `means` has the `load` of each interval, too."""
    edges = interval_ends(every_s * intervals, every_s)
    basis = Basis(network, means, Draws(seed, np.arange(intervals)), np.diff(edges))
    runs = runs_of(basis, edges)
    basis = replace(basis, means=_partly(basis, runs))
    done = np.stack([runs.units, runs.last], axis=1)[:, : len(network.classes)]
    flight = _in_flight(network, runs)
    started = _of_intervals(runs.start, edges)
    io = _ios(basis, done, flight)
    counted = {
        "ticks": basis.ticks,
        "completed": done,
        **population(done, flight),
        **_times(basis, done, runs, flight),
        **stations.cpu(basis, done, flight, edges, _cpu(basis, done)),
        **stations.volumes(basis, done, _over_volumes(basis, io.sum(axis=1))),
        **stations.log(basis, done, flight, started),
        **_log_writes(basis, done),
        "programs_ended": _of_intervals(runs.end[runs.end >= 0], edges),
        **stations.latches(basis, done),
        **stations.pools(basis, done),
        **stations.messages(basis, done, flight),
    }
    programs = _programs(basis, runs, done, io, counted, flight)
    return result_of(network, counted, flight, None, programs, seed=seed, every_s=every_s)


def _of_intervals(ticks: I64, edges: I64) -> I64:
    """How many of these times are in each interval."""
    place = np.searchsorted(edges, ticks, side="right") - 1
    return np.bincount(place, minlength=len(edges) - 1).astype(np.int64)


def _partly(basis: Basis, runs: Runs) -> Means[F64]:
    """Means over an interval of what depends on whether the program runs; its log writes are its
    own, nobody joins them."""
    share, means = runs.there / basis.ticks, basis.means
    assert means.units is not None
    cpu = replace(
        means.cpu,
        running=means.units.alone + (means.cpu.running - means.units.alone) * share,
        waiting=means.cpu.waiting * share,
        all_busy=means.cpu.all_busy * share,
        denied=means.cpu.denied * share,
    )
    log = replace(means.log, wads_busy=0 * share, wads_per_s=0 * share)
    return replace(means, cpu=cpu, log=log)


def _in_flight(network: Network, runs: Runs) -> Flight:
    """The unit of recovery under way at the boundaries."""
    sequence, unit = network.sequence, network.classes[0]
    assert sequence is not None
    reads = unit.reads / min(sequence.per_commit, sequence.steps)
    none = np.zeros_like(runs.going)
    opened = {
        "response": runs.age,
        "total": runs.age,
        "queue": none,
        "region": runs.age,
        "cpu": np.rint(runs.steps * network.cpu.region_us * TICKS_PER_US).astype(np.int64),
        "io": np.floor(runs.steps * reads).astype(np.int64),
        "log_records": none,
        "log_bytes": none,
        "sync": none,
        "sent": runs.going,
    }
    return Flight(runs.going, runs.going, opened)


def _times(basis: Basis, done: I64, runs: Runs, flight: Flight) -> Counted:
    """Units follow each other without a gap while the program runs."""
    count = done.sum(axis=1)
    response = runs.there - flight.grown("response")
    return {
        "response_ticks": response,
        "in_flight_ticks": runs.there,
        "total_ticks": response,
        "region_ticks": runs.there,
        "region_queue_ticks": np.zeros_like(response),
        **response_spread(basis, count, response),
    }


def _cpu(basis: Basis, done: I64) -> I64:
    """CPU of completed units, ticks: that of their steps."""
    assert basis.network.sequence is not None
    steps = steps_of(basis.network.sequence, done)
    mean = basis.means.cpu.cpu_us * TICKS_PER_US
    return basis.draws.total("transaction cpu", steps, mean, mean)


def _ios(basis: Basis, done: I64, flight: Flight) -> I64:
    """Reads and writes, (n, 2)."""
    each = np.stack([basis.network.of_classes(name) for name in ("reads", "writes")], axis=1)
    reads: I64 = np.rint(done @ each).astype(np.int64)
    reads[:, 0] += flight.grown("io")
    return reads


def _over_volumes(basis: Basis, total: I64) -> I64:
    return basis.draws.split("io", total, np.ones(basis.network.dasd.volumes))


def _log_writes(basis: Basis, done: I64) -> Counted:
    """One WADS write for each sync point."""
    logger, writes = basis.network.logger, done.sum(axis=1)
    each = -(-basis.network.of_classes("log_bytes") // logger.wads_ci_bytes)
    mean = basis.means.log.wads_us * TICKS_PER_US
    return {
        "wads_writes": writes,
        "wads_cis": done @ each,
        "wads_ticks": basis.draws.total("wads time", writes, mean, mean * logger.wads_cv),
    }


def _programs(
    basis: Basis, runs: Runs, done: I64, io: I64, counted: Counted, flight: Flight
) -> dict[str, Any]:
    """A row for each run; the last one may go on."""
    units = done.sum(axis=1)
    used = counted["transaction_cpu_ticks"] + flight.grown("cpu")

    def of_run(values: I64) -> I64:
        start = np.zeros(len(runs.start), np.int64)
        np.add.at(start, runs.run, values)
        return start

    messages = of_run(units)
    reads = of_run(io[:, 0])
    assert basis.means.units is not None
    waited = of_run(np.rint(io[:, 0] * basis.means.units.read_us * TICKS_PER_US).astype(np.int64))
    none = np.zeros(len(runs.start), np.int64)
    return {
        "region": none,
        "cls": none,
        "number": np.cumsum(messages) - messages,
        "start": runs.start,
        "scheduled": runs.start,
        "first_gu": runs.start,
        "end": np.where(runs.end < 0, NEVER, runs.end),
        "messages": messages,
        "cpu": of_run(used),
        "reads": reads,
        "writes": of_run(io[:, 1]),
        "io_wait": waited,
        "ziip": none,
    }
