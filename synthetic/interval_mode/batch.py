"""A batch program in interval mode: how long a unit of recovery takes, and which run goes on when.

A run begins with the first interval after the end of the one before, so no interval has two. The
load of the interval in which it begins says how much it does: at load 1 as many units of recovery
as the scenario's run, at 0.5 half as many (at least one, and what is left at the end of the
scenario's). What slows an interval down slows the units that are done in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.interval_mode import shortages, stations
from imsperf.synthetic.interval_mode.drawn import Flight, population, response_spread, result_of
from imsperf.synthetic.interval_mode.draws import Draws
from imsperf.synthetic.interval_mode.mean_parts import (
    Inputs,
    Means,
    Times,
    Units,
    latches,
    log_writes,
    pools,
    processors,
    volumes,
)
from imsperf.synthetic.interval_mode.stations import Basis, Counted
from imsperf.synthetic.network.network import Network, Sequence, TransactionClass
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import NEVER, interval_ends
from imsperf.synthetic.solver.declared import terms_at
from imsperf.synthetic.solver.devices import GroupCommit, Io
from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.steps import Terms
from imsperf.synthetic.units import TICKS_PER_US

ROUNDS = 4  # until the rate and the waits for devices agree
LEAST_CPS = 0.01  # left to the program


@dataclass(frozen=True)
class Runs:
    """What was done in n intervals. Units of recovery: whole ones of `per_commit` steps, and the
    last one of a run where it is shorter.

    `run`: the number of the run in each interval, from 0; `there`: its ticks, `units` and `last`
    units of both kinds that ended. At the n + 1 boundaries: `going` (0 or 1), `steps` of the unit
    under way, its `age` in ticks. `start`, `end`: of each run, ticks; -1: it goes on.
    """

    run: I64
    there: I64
    units: I64
    last: I64
    going: I64
    steps: I64
    age: I64
    start: I64
    end: I64


def batch_means(inputs: Inputs) -> Means[float]:
    """As `means_of`, of a program alone, while it runs."""
    network, sequence = inputs.network, inputs.network.sequence
    assert sequence is not None
    uncapped = replace(inputs, cap=1.0)
    (solved,) = replace(uncapped, slow=None).for_solver
    unit, cpu = network.classes[0], solved.cpu
    steps = min(sequence.per_commit, sequence.steps)
    terms, free = terms_at(solved, 0.0), 0.0
    for _ in range(ROUNDS):
        free = _unit_us(inputs, solved, terms, unit, steps)
        terms = terms_at(solved, 1 / free)
    fixed = cpu.fixed_us_per_s / 1e6
    share = max(inputs.cap * cpu.cps - fixed, LEAST_CPS)  # of the CPs, for the program
    slower = max(steps * cpu.region_us / share / free, 1.0) if inputs.cap < 1 else 1.0
    last = _unit_us(inputs, solved, terms, network.classes[-1], sequence.left)
    rate, io = 1 / (free * slower), terms.device(Io) or Io(0.0, 0.0)
    used = processors(uncapped, np.array([cpu.region_us]), rate * steps * cpu.region_us + fixed)
    units = Units(
        unit_us=free * slower,
        unit_cv2=_variance(solved, unit, steps) / free**2,
        last_us=last * slower if sequence.left else 0.0,
        read_us=float(io.response or 0.0),
        alone=fixed,
    )
    return Means(
        load=1.0,
        times=_unit_times(units),
        cpu=replace(used, denied=(1 - 1 / slower) / cpu.cps, capped=float(inputs.cap < 1)),
        volumes=volumes(uncapped, terms, rate * (unit.reads + unit.writes)),
        log=log_writes(network, terms),
        latches=latches(terms),
        pools=pools(network, rate),
        units=units,
    )


def _unit_times(units: Units[float]) -> Times[float]:
    """A unit of recovery holds its region from end to end."""
    return Times(
        rate_per_s=1e6 / units.unit_us,
        dispersion=1.0,
        before_us=0.0,
        gate_us=0.0,
        gate_chance=0.0,
        queue_us=0.0,
        occupancy_us=units.unit_us,
        after_us=0.0,
        response_us=units.unit_us,
        response_cv2=max(units.unit_cv2, 0.01),
        logged_us=0.0,
    )


def _unit_us(
    inputs: Inputs, network: Network, terms: Terms, unit: TransactionClass, steps: int
) -> float:
    """Time of a unit of recovery: its steps one after the other, then its log write; not less than
    the OLDS needs for what it logs."""
    cps, fixed = network.cpu.cps, network.cpu.fixed_us_per_s / 1e6
    stretch = 1 + erlang_c(cps, fixed) / (cps - fixed) if fixed > 0 else 1.0
    extra = inputs.slow[1] / network.dasd.volumes if inputs.slow is not None else 0.0
    each = network.cpu.region_us * stretch + network.unexplained_us
    io, write = terms.device(Io), terms.device(GroupCommit)
    waits = write is not None and network.logger.check_write == "in_region"
    wait = write.wait if write is not None and waits else 0.0
    read = (io.response or 0.0) if io is not None else 0.0
    logged = unit.log_bytes / network.logger.block_bytes * network.logger.olds_us
    return max(float(steps * each + unit.reads * (read + extra) + wait), logged)


def _variance(network: Network, unit: TransactionClass, steps: int) -> float:
    """Of the time of a unit; CPU, delays, DISC and CONN are exponential, log writes gamma."""
    dasd, logger = network.dasd, network.logger
    squares = steps * (network.cpu.region_us**2 + network.unexplained_us**2)
    squares += unit.reads * (dasd.disc_us**2 + dasd.conn_us**2)
    return float(squares + (logger.wads_us * logger.wads_cv) ** 2)


def runs_of(basis: Basis, edges: I64) -> Runs:
    """Runs one after the other through the intervals; a loop over intervals, not over records."""
    sequence, means = basis.network.sequence, basis.means.units
    assert sequence is not None and means is not None
    ticks, unit = basis.ticks.astype(np.float64), means.unit_us * TICKS_PER_US
    could = ticks / unit  # units of recovery that an interval has time for
    could = np.maximum(could + np.sqrt(could * means.unit_cv2) * basis.draws.normal("speed"), 1e-6)
    units_of_run = max(sequence.steps // sequence.per_commit, 1)
    size = np.maximum(np.rint(basis.means.load * units_of_run), 1)
    tail = means.last_us / means.unit_us
    n = len(ticks)
    run, before, after, units = (np.zeros(n, np.int64), *(np.zeros(n) for _ in range(3)))
    start, end = list[int](), list[int]()
    for i in range(n):
        if len(start) == len(end):  # the last one has ended
            start.append(int(edges[i]))
            done, of, goal = 0.0, float(size[i]), float(size[i] + tail[i])
        run[i], before[i], units[i] = len(start) - 1, done, of
        done = min(done + could[i], goal)
        after[i] = done
        if done >= goal:
            part = (goal - before[i]) / could[i]
            end.append(int(edges[i] + np.clip(round(part * ticks[i]), 1, ticks[i] - 1)))
    if len(end) < len(start):
        end.append(-1)
    return _counted(basis, edges, Ways(run, before, after, units), np.array(start), np.array(end))


@dataclass(frozen=True)
class Ways:
    """Of the run of each interval: units done at its start and end, and units of all of it."""

    run: I64
    before: F64
    after: F64
    units: F64


def _counted(basis: Basis, edges: I64, ways: Ways, start: I64, end: I64) -> Runs:
    sequence, means = basis.network.sequence, basis.means.units
    assert sequence is not None and means is not None
    until = end[ways.run]
    ends = (until >= 0) & (until <= edges[1:])
    there = np.where(ends, until, edges[1:]) - edges[:-1]
    committed = np.floor(np.minimum(ways.after, ways.units))
    begun = np.floor(np.minimum(ways.before, ways.units))
    tail = np.maximum(means.last_us / means.unit_us, 1e-9)
    in_last = ways.after >= ways.units
    share = np.where(in_last, (ways.after - ways.units) / tail, ways.after - committed)
    length = np.where(in_last, means.last_us, means.unit_us) * TICKS_PER_US
    of = np.where(in_last, sequence.left, min(sequence.per_commit, sequence.steps))
    share = np.where(ends, 0.0, np.clip(share, 0.0, 1.0))

    def from_start(values: F64) -> I64:
        return np.concatenate([[0], np.floor(values).astype(np.int64)])

    return Runs(
        run=ways.run,
        there=there,
        units=(committed - begun).astype(np.int64),
        last=(ends & (sequence.left > 0)).astype(np.int64),
        going=np.concatenate([[0], (~ends).astype(np.int64)]),
        steps=from_start(share * of),
        age=from_start(np.minimum(share * length, there)),
        start=start,
        end=end,
    )


def steps_of(sequence: Sequence, done: I64) -> I64:
    """Steps of completed units (n, classes)."""
    each = [min(sequence.per_commit, sequence.steps), sequence.left][: done.shape[1]]
    counts: I64 = done @ np.array(each)
    return counts


# --- what a simulation would have counted ---------------------------------------------------------
#
# Means of intervals -> what a simulation would have counted of a batch program that runs again.
#
# Of each run the log has its schedule and its end (08, 07), as type 30 has its intervals and
# ends; of its units of recovery there are counts alone.


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
        **(people := population(done, flight)),
        **shortages.counters(network.awe, people["arrivals"], basis.ticks, seed),
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
