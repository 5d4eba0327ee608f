"""Draw a run transaction by transaction, stage after stage, without an event list.

What every stage needs from the others is a mean: waits for a CPU and for a channel path are drawn
from the solver's balance (with the waits for each kind of regions), not found. Regions (first come
first served, with their programs) and group commit are followed one by one. Time goes in slices;
what a stage cannot settle before the end of a slice waits for the next one, so memory does not grow
with the run. Random numbers: one stream for each (seed, slice, purpose). Counters that no
transaction decides (latches, pools, samples of the dispatcher) are those of interval mode. Who sent
the transactions that are kept is settled at the end: a client has one under way.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.errors import ScenarioError
from imsperf.synthetic.feed_forward.counted import Counts, result_of
from imsperf.synthetic.feed_forward.kernels import (
    MESSAGE_COLUMNS,
    PROGRAM_COLUMNS,
    SCHEDULED,
    TAKEN,
    TAKEN_BY,
    commit,
    serve,
)
from imsperf.synthetic.interval_mode.mean_parts import Inputs, Means
from imsperf.synthetic.interval_mode.means import means_of, solved_form
from imsperf.synthetic.network.network import Network, RegionPool
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import WARMUP_S
from imsperf.synthetic.solver.own_regions import solve_by_kind
from imsperf.synthetic.solver.solution import Solution

I64 = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Rows = dict[str, npt.NDArray[Any]]

TICK = 4096
SECOND = TICK * 1_000_000
SLICE = 16_384  # transactions, about, that are in memory at once
NEVER = 1 << 62
FULL = 0.97  # share of the regions: above it a queue is as long as the clients let it be
DEVIATIONS = 4  # of the number of clients that wait for an answer, taken as Poisson
LEAST_WAITING = 0.05  # share of the bursts that wait for a CPU, where there is any wait


def sample(
    network: Network,
    *,
    seed: int,
    seconds: float,
    every_s: float,
    warmup_s: float = WARMUP_S,
    sample_k: int = 1,
    progress: Callable[[float], None] | None = None,
) -> SimResult:
    """The run that `simulate` would give, drawn. Errors: ScenarioError for what it cannot draw."""
    beside = network.coupling or network.callouts or network.tcbs or network.sequence
    if beside or network.cpu.ziips:
        raise ScenarioError(
            "--engine sampler: found a coupling facility, callouts, TCBs, zIIPs or a single "
            "program, expected transactions in regions",
            "the event simulation has them: leave --engine out",
        )
    start = -round(warmup_s * 1e6) * TICK
    end = round(seconds * 1e6) * TICK
    drawn = _Drawn(network, seed, start)
    counts = Counts(network, seconds, every_s, start, sample_k)
    step = max(round(SLICE / max(float(drawn.means["rate_per_s"]), 1e-3) * SECOND), TICK)
    edges = [*range(start, end, step), end]
    for number, (begin, until) in enumerate(zip(edges, [*edges[1:], NEVER], strict=True)):
        rows = drawn.sent(number, begin, until) if until != NEVER else drawn.nothing()
        counts.take(*drawn.settled(number, rows, until), drawn.stream(number, "volumes"))
        if progress is not None and 0 < until <= end:
            progress(until / SECOND)
    return result_of(counts, drawn.means, seed, warmup_s)


class _Drawn:
    """The stages, and what each carries from slice to slice."""

    def __init__(self, network: Network, seed: int, start: int) -> None:
        self.network, self.seed = network, seed
        self.means: Means = means_of(Inputs(network))
        found = solve_by_kind(solved_form(network))
        _check_clients(network, found.rate_per_s)
        self.demand = found.demand
        factor = network.mean("cpu_factor")
        part = network.cpu.region_us / max(solved_form(network).cpu.region_us, 1e-12)
        self.region_us = found.demand.region_us * part / factor
        self.input_us = (found.demand.input_us - found.demand.search_us) / factor
        self.output_us = found.demand.output_us / factor
        self.wait_us = (
            max(float(found.input_us) - found.demand.input_us, 0.0),
            max(float(found.held_by["cpu"]), 0.0),
            max(float(found.output_us) - found.demand.output_us, 0.0),
        )
        self.held_us = (found.devices.latch_us or 0.0) + (found.devices.buffer_us or 0.0)
        _check_regions(network.region_pools, self._busy(found))
        pools = [one.count for one in network.region_pools]
        several = np.zeros(len(pools), np.int64)
        for n, one in enumerate(network.region_pools):
            codes = sum(each.pool == n for each in network.classes)
            several[n] = codes > 1 and 0 < one.schedule_chance < 1
        place = np.cumsum([0, *pools[:-1]])
        self.pools = np.stack([place, pools, several, np.zeros_like(several)], axis=1)
        self.free = np.full(sum(pools), start, np.int64)
        self.which = np.arange(sum(pools), dtype=np.int64)
        self.programs = np.zeros((sum(pools), PROGRAM_COLUMNS), np.int64)
        self.log = np.array([start, start - 1, 0, 0], np.int64)
        self.number = 0
        self.waiting: Rows | None = None  # for a region
        self.held: Rows | None = None  # for the log

    def _busy(self, found: Solution) -> Floats:
        """Share of the regions of each kind that is busy, of what is drawn; at least what the
        balance says of all together where there is one kind."""
        network, means, logger = self.network, self.means, self.network.logger
        read = sum(float(means[name]) for name in ("cmr_us", "disc_us", "conn_us", "iosq_us"))
        held = self.wait_us[1] + self.held_us + network.unexplained_us
        if logger.check_write == "in_region":
            held += logger.wads_us * (1 + float(means["wads_busy"]) / 2)
        busy = np.zeros(len(network.region_pools))
        weight = sum(one.weight for one in network.classes)
        for one in network.classes:
            pool = network.region_pools[one.pool]
            load = pool.schedule_cpu_us * self.demand.growth + pool.schedule_us
            own = self.region_us * one.cpu_factor + one.reads * (read + network.dasd.pend_us)
            rate = float(means["rate_per_s"]) / 1e6 * one.weight / weight
            busy[one.pool] += rate * (held + own + pool.schedule_chance * load) / pool.count
        return busy if len(busy) > 1 else np.maximum(busy, found.regions_busy / network.regions)

    def stream(self, number: int, purpose: str) -> np.random.Generator:
        """The random numbers of a slice for one purpose."""
        name = f"{self.seed} {number} {purpose}"
        key = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=16).digest(), "big")
        return np.random.Generator(np.random.Philox(key=key))

    # --- sends -----------------------------------------------------------------------------------

    def sent(self, number: int, begin: int, until: int) -> Rows:
        """The transactions sent in a slice, up to their arrival at the regions."""
        network, means = self.network, self.means
        draw = self.stream(number, "sends")
        mean = float(means["rate_per_s"]) * (until - begin) / SECOND
        spread = math.sqrt(mean * float(means["dispersion"]))
        count = max(round(mean + spread * draw.standard_normal()), 0)
        send = np.sort(draw.integers(begin, until, count))
        weights = np.array([one.weight for one in network.classes])
        cls = np.searchsorted(np.cumsum(weights / weights.sum())[:-1], draw.random(count), "right")
        client = draw.integers(0, max(network.clients, 1), count)
        draw = self.stream(number, "input")
        held = draw.random(count) < float(means["gate_chance"])
        gate = float(means["gate_us"]) / max(float(means["gate_chance"]), 1e-12)
        xcf = send + np.where(held, _ticks(draw, count, gate), 0)
        search = round(self.demand.search_us * TICK)
        factor = np.array([one.cpu_factor for one in network.classes])[cls]
        burst = _ticks(draw, count, self.input_us * factor) + search
        arrival = xcf + burst + self._wait(draw, count, 0)
        rows: Rows = {
            "send": send, "xcf": xcf, "arrival": arrival, "cpu_input": burst, "cls": cls,
            "client": client, "member": client % network.xcf.members, "factor": factor,
            "number": self.number + np.arange(count), "held": held,
        }  # fmt: skip
        self.number += count
        return self._work(number, rows)

    def _work(self, number: int, rows: Rows) -> Rows:
        """What a transaction will need in its region, and its writes."""
        network, draw, count = self.network, self.stream(number, "region"), len(rows["send"])
        rows["reads"] = _whole(draw, [one.reads for one in network.classes], rows["cls"])
        rows["writes"] = _whole(draw, [one.writes for one in network.classes], rows["cls"])
        rows["area"] = draw.integers(0, network.dasd.volumes, count)
        pool = np.array([one.pool for one in network.classes])[rows["cls"]]
        chance, cpu_us, time_us = (
            np.array([getattr(one, name) for one in network.region_pools])[pool]
            for name in ("schedule_chance", "schedule_cpu_us", "schedule_us")
        )
        scheduled = draw.random(count) < chance
        load = np.where(scheduled, np.rint(cpu_us * self.demand.growth * TICK), 0).astype(np.int64)
        rows["schedule"] = load + np.where(scheduled, _ticks(draw, count, time_us), 0)
        rows["scheduled"] = scheduled.astype(np.int64)
        burst = _ticks(draw, count, self.region_us * rows["factor"])
        rows["cpu_region"], rows["cpu_schedule"] = burst + load, load
        rows["ziip_region"] = np.zeros(count, np.int64)  # networks with zIIPs are refused
        wait = self._wait(draw, count, 1) + round(self.held_us * TICK)
        rows["io_wait"] = self._reads(number, rows)
        other = _ticks(draw, count, network.unexplained_us)
        rows["program"] = burst + wait + rows["io_wait"] + other
        rows["pool"] = pool
        return rows

    def _reads(self, number: int, rows: Rows) -> I64:
        """Time of the database reads, one after the other."""
        dasd, means = self.network.dasd, self.means
        draw, total = self.stream(number, "reads"), np.zeros(len(rows["send"]), np.int64)
        for nth in range(int(rows["reads"].max(initial=0))):
            here = np.flatnonzero(rows["reads"] > nth)
            parts = [float(means[name]) for name in ("cmr_us", "disc_us", "conn_us")]
            each = sum(_ticks(draw, len(here), us) for us in parts)
            total[here] += each + round((dasd.pend_us + float(means["iosq_us"])) * TICK)
        return total

    def _wait(self, draw: np.random.Generator, count: int, burst: int) -> I64:
        """For a CPU before a burst: some wait, and those exponentially."""
        mean = self.wait_us[burst]
        share = min(max(float(self.means["all_busy"]), LEAST_WAITING), 1.0)
        waits = draw.random(count) < share
        return np.where(waits, _ticks(draw, count, mean / share), 0)

    # --- regions, log, answer --------------------------------------------------------------------

    def nothing(self) -> Rows:
        """No more are sent."""
        return self._work(-1, self.sent_none())

    def sent_none(self) -> Rows:
        """A slice without sends."""
        names = ("send", "xcf", "arrival", "cpu_input", "cls", "client", "member", "number")
        rows: Rows = {name: np.zeros(0, np.int64) for name in names}
        return rows | {"factor": np.zeros(0), "held": np.zeros(0, bool)}

    def settled(self, number: int, rows: Rows, until: int) -> tuple[Rows, I64, I64]:
        """Transactions whose answer is known, log writes and programs that are, by `until`."""
        ready, self.waiting = _until(_joined(self.waiting, rows), "arrival", until)
        ended = self._serve(number, ready)
        done, self.held = _until(_joined(self.held, ready), "sync", until)
        writes = self._commit(number, done)
        draw, count = self.stream(number, "output"), len(done["send"])
        done["cpu_output"] = _ticks(draw, count, self.output_us * done["factor"])
        done["dequeue"] = done["written"] + self._wait(draw, count, 2) + done["cpu_output"]
        in_region = self.network.logger.check_write == "in_region"
        done["freed"] = done["written"] if in_region else done["sync"]
        return done, writes, ended

    def _serve(self, number: int, rows: Rows) -> I64:
        """Regions in the order of arrivals; the programs that ended."""
        hold = rows["schedule"] + rows["program"]
        logged = np.zeros(len(hold), np.int64)
        if self.network.logger.check_write == "in_region":
            logged = self._log_wait(number, len(hold))
        names = ("schedule", "pool", "cls", "number", "cpu_region", "reads", "writes", "io_wait")
        columns = [rows["arrival"], hold + logged, *(rows[name] for name in names)]
        table = np.zeros((len(hold), MESSAGE_COLUMNS), np.int64)
        table[:, :10] = np.stack(columns, axis=1)
        ended = np.zeros((len(hold) + 1, PROGRAM_COLUMNS), np.int64)
        count = serve(table, self.pools, self.free, self.which, self.programs, ended)
        rows["taken"], rows["region"] = table[:, TAKEN].copy(), table[:, TAKEN_BY].copy()
        rows["scheduled"] = table[:, SCHEDULED].copy()
        # one that was drawn and made up for: its cost is the message's
        rows["cpu_schedule"] = rows["cpu_schedule"] * rows["scheduled"]
        rows["gu"] = rows["taken"] + rows["schedule"] * rows["scheduled"]
        rows["sync"] = rows["taken"] + hold
        rows["written"] = rows["sync"] + logged
        return ended[:count]

    def _log_wait(self, number: int, count: int) -> I64:
        """A region's wait for its log write: the rest of one under way, then its own."""
        logger, draw = self.network.logger, self.stream(number, "check write")
        own = _gamma(draw, count, logger.wads_us, logger.wads_cv, 0)
        rest = _gamma(draw, count, logger.wads_us, logger.wads_cv, 1) * draw.random(count)
        busy = draw.random(count) < float(self.means["wads_busy"])
        return np.rint(own + np.where(busy, rest, 0.0)).astype(np.int64)

    def _commit(self, number: int, rows: Rows) -> I64:
        """Log writes; who is told of them gets the end of his."""
        logger, count = self.network.logger, len(rows["sync"])
        draw = self.stream(number, "log")
        lengths = _gamma(draw, min(count, 1 << 14) + 1, logger.wads_us, logger.wads_cv, 0)
        size = np.array([one.log_bytes for one in self.network.classes], np.int64)[rows["cls"]]
        out, writes = np.zeros((count, 2), np.int64), np.zeros((2 * count + 2, 3), np.int64)
        self.log[3] = 0
        made = commit(
            rows["sync"], size, np.rint(lengths).astype(np.int64), logger.wads_ci_bytes, self.log,
            out, writes,
        )  # fmt: skip
        rows["joined"] = out[:, 1].astype(bool)
        if logger.check_write == "notified":
            rows["written"] = out[:, 0].copy()
        return writes[:made]


def _check_regions(pools: Sequence[RegionPool], busy: Floats) -> None:
    """Regions of each kind must be free at times: a queue then has the length that is drawn."""
    kind = int(np.argmax(busy))
    if busy[kind] > FULL:
        name = f"{pools[kind].name} " if len(pools) > 1 else ""
        raise ScenarioError(
            f"--engine sampler: found {busy[kind]:.1%} of the {name}regions busy, expected at most "
            f"{FULL:.0%}: clients set how long a queue is",
            "the event simulation follows that: leave --engine out",
        )


def _check_clients(network: Network, rate_per_s: float) -> None:
    """Sends are drawn as if a client were always free to send: most of them must be."""
    away = network.clients - rate_per_s * network.think_us / 1e6
    if network.rate_per_s <= 0 and away + DEVIATIONS * math.sqrt(max(away, 0.0)) > network.clients:
        raise ScenarioError(
            f"--engine sampler: found {away:.0f} of {network.clients} clients waiting for their "
            "answers on average, and at times all of them: these set how fast others can send",
            "the event simulation follows that: leave --engine out",
        )


def _ticks(draw: np.random.Generator, count: int, mean_us: Any) -> I64:
    """Exponential times."""
    found: I64 = np.rint(draw.standard_exponential(count) * mean_us * TICK).astype(np.int64)
    return found


def _gamma(draw: np.random.Generator, count: int, us: float, cv: float, biased: int) -> Floats:
    """Gamma times in ticks; `biased` 1: of the write that a point in time falls in."""
    if cv <= 0:
        return np.full(count, us * TICK)
    shape = cv**-2.0
    found: Floats = draw.standard_gamma(shape + biased, count) * (us * TICK / shape)
    return found


def _whole(draw: np.random.Generator, means: list[float], cls: I64) -> I64:
    """A whole number with the mean of the class: its floor, or one more."""
    mean = np.array(means)[cls]
    low = np.floor(mean)
    found: I64 = (low + (draw.random(len(cls)) < mean - low)).astype(np.int64)
    return found


def _joined(before: Rows | None, rows: Rows) -> Rows:
    if before is None:
        return rows
    return {name: np.concatenate([before[name], rows[name]]) for name in rows}


def _until(rows: Rows, name: str, until: int) -> tuple[Rows, Rows]:
    """Those before a time in its order, and the others."""
    order = np.argsort(rows[name], kind="stable")
    cut = int(np.searchsorted(rows[name][order], until))
    parts = (order[:cut], order[cut:])
    first, second = ({key: values[one] for key, values in rows.items()} for one in parts)
    return first, second
