"""Means of intervals -> what a simulation would have counted of a batch program that runs again.

Of each run the log has its schedule and its end (08, 07), as type 30 has its intervals and ends; of
its units of recovery there are counts alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from imsperf.synthetic.interval_mode import stations
from imsperf.synthetic.interval_mode.batch import Runs, runs_of, steps_of
from imsperf.synthetic.interval_mode.drawn import Flight, response_buckets, result_of
from imsperf.synthetic.interval_mode.draws import Draws
from imsperf.synthetic.interval_mode.stations import I64, TICK, Counted, Made
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import NEVER, interval_ends


def batch_drawn(
    network: Network, means: Mapping[str, Any], *, seed: int, every_s: float, intervals: int
) -> SimResult:
    """As `drawn`; `means` has the `load` of each interval, too."""
    edges = interval_ends(every_s * intervals, every_s)
    made = Made(network, means, Draws(seed, np.arange(intervals)), np.diff(edges))
    runs = runs_of(made, edges)
    made = replace(made, means=dict(means) | _partly(made, runs))
    done = np.stack([runs.units, runs.last], axis=1)[:, : len(network.classes)]
    flight = _in_flight(network, runs)
    started = _of_intervals(runs.start, edges)
    io = _ios(made, done, flight)
    counted = {
        "ticks": made.ticks,
        "completed": done,
        "arrivals": done.sum(axis=1) + np.diff(flight.number),
        "in_flight_end": flight.number[1:],
        "region_busy_end": flight.busy[1:],
        **_times(made, done, runs, flight),
        **stations.cpu(made, done, flight, edges, _cpu(made, done)),
        **stations.volumes(made, done, _over_volumes(made, io.sum(axis=1))),
        **stations.log(made, done, flight, started),
        **_log_writes(made, done),
        "programs_ended": _of_intervals(runs.end[runs.end >= 0], edges),
        **stations.latches(made, done),
        **stations.pools(made, done),
        **stations.messages(made, done, flight),
    }
    programs = _programs(made, runs, done, io, counted, flight)
    return result_of(network, counted, flight, None, programs, seed=seed, every_s=every_s)


def _of_intervals(ticks: I64, edges: I64) -> I64:
    """How many of these times are in each interval."""
    place = np.searchsorted(edges, ticks, side="right") - 1
    return np.bincount(place, minlength=len(edges) - 1).astype(np.int64)


def _partly(made: Made, runs: Runs) -> dict[str, Any]:
    """Means over an interval of what depends on whether the program runs; its log writes are its
    own, nobody joins them."""
    share = runs.there / made.ticks
    found = {name: made[name] * share for name in ("waiting", "all_busy", "denied")}
    running = made["alone"] + (made["running"] - made["alone"]) * share
    return found | {"running": running, "wads_busy": 0 * share, "wads_per_s": 0 * share}


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
        "cpu": np.rint(runs.steps * network.cpu.region_us * TICK).astype(np.int64),
        "io": np.floor(runs.steps * reads).astype(np.int64),
        "log_records": none,
        "log_bytes": none,
        "sync": none,
        "sent": runs.going,
    }
    return Flight(runs.going, runs.going, opened)


def _times(made: Made, done: I64, runs: Runs, flight: Flight) -> Counted:
    """Units follow each other without a gap while the program runs."""
    count = done.sum(axis=1)
    response = runs.there - flight.grown("response")
    mean_us = response / np.maximum(count, 1) / TICK
    squares = count * mean_us**2 * (1 + made["response_cv2"])
    return {
        "response_ticks": response,
        "in_flight_ticks": runs.there,
        "total_ticks": response,
        "region_ticks": runs.there,
        "region_queue_ticks": np.zeros_like(response),
        "response_squares_us2": np.ceil(squares),  # of 100,000 clients it passes 2^63
        "response_bucket": made.draws.split("response", count, response_buckets(made, mean_us)),
    }


def _cpu(made: Made, done: I64) -> I64:
    """CPU of completed units, ticks: that of their steps."""
    assert made.network.sequence is not None
    steps = steps_of(made.network.sequence, done)
    mean = made["cpu_us"] * TICK
    return made.draws.total("transaction cpu", steps, mean, mean)


def _ios(made: Made, done: I64, flight: Flight) -> I64:
    """Reads and writes, (n, 2)."""
    each = np.array([[one.reads, one.writes] for one in made.network.classes])
    found: I64 = np.rint(done @ each).astype(np.int64)
    found[:, 0] += flight.grown("io")
    return found


def _over_volumes(made: Made, total: I64) -> I64:
    return made.draws.split("io", total, np.ones(made.network.dasd.volumes))


def _log_writes(made: Made, done: I64) -> Counted:
    """One WADS write for each sync point."""
    logger, writes = made.network.logger, done.sum(axis=1)
    each = [-(-one.log_bytes // logger.wads_ci_bytes) for one in made.network.classes]
    mean = made["wads_us"] * TICK
    return {
        "wads_writes": writes,
        "wads_cis": done @ np.array(each),
        "wads_ticks": made.draws.total("wads time", writes, mean, mean * logger.wads_cv),
    }


def _programs(
    made: Made, runs: Runs, done: I64, io: I64, counted: Counted, flight: Flight
) -> dict[str, Any]:
    """A row for each run; the last one may go on."""
    units = done.sum(axis=1)
    used = counted["transaction_cpu_ticks"] + flight.grown("cpu")

    def of_run(values: I64) -> I64:
        found = np.zeros(len(runs.start), np.int64)
        np.add.at(found, runs.run, values)
        return found

    messages = of_run(units)
    reads = of_run(io[:, 0])
    waited = of_run(np.rint(io[:, 0] * made["read_us"] * TICK).astype(np.int64))
    none = np.zeros(len(runs.start), np.int64)
    return {
        "region": none,
        "cls": none,
        "number": np.cumsum(messages) - messages,
        "start": runs.start,
        "first_gu": runs.start,
        "end": np.where(runs.end < 0, NEVER, runs.end),
        "messages": messages,
        "cpu": of_run(used),
        "reads": reads,
        "writes": of_run(io[:, 1]),
        "io_wait": waited,
        "ziip": none,
    }
