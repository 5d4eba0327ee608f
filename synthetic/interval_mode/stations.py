"""What CPUs, volumes, log, latches, pools and the XCF gate count in an interval, drawn.

Each function takes the means of all intervals and gives arrays named as in SimResult, first axis
interval. Times are ticks of 2^-12 us.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.interval_mode.draws import Draws, topped_up, whole_parts
from imsperf.synthetic.interval_mode.ziips import busy_ziips
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.columns import READY_EDGES

I64 = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Counted = dict[str, Any]

TICK = 4096
UNEVEN = 0.2  # CPs are busy so much more or less than their mean, of what is left of it
WRITES_VARY = 0.2  # variance of the number of log writes over its mean: they follow each other
LATCH_RING = 64  # the longest queue that is counted
POOL_SUMS = (
    "pool_gets", "pool_bytes", "pool_in_use_ticks", "pool_blocks_ticks", "pool_expand",
    "pool_searched",
)  # fmt: skip


@dataclass(frozen=True)
class Made:
    """What is drawn from: the network, the means (n, ...), the numbers, lengths in ticks (n,)."""

    network: Network
    means: Mapping[str, Any]
    draws: Draws
    ticks: I64

    def __getitem__(self, name: str) -> Floats:
        found: Floats = self.means[name]
        return found

    @property
    def seconds(self) -> Floats:
        """Length of the intervals."""
        return self.ticks / (TICK * 1e6)


class Opened(Protocol):
    """What is under way at the boundaries."""

    def grown(self, name: str) -> I64:
        """Open at the end of each interval less open at its start."""


def _ticks(values: Floats) -> I64:
    return np.rint(values * TICK).astype(np.int64)


# --- processors -----------------------------------------------------------------------------------


def cpu(made: Made, done: I64, flight: Opened, edges: I64, used: I64 | None = None) -> Counted:
    """Busy time and its causes; what RMF's samples find. `used`: by transactions, if known."""
    count, cps = done.sum(axis=1), made.network.cpu.cps
    if used is None:
        mean = made["cpu_us"] * _heavier(made, done) * TICK
        used = made.draws.total("transaction cpu", count, mean, made["cpu_sd_us"] * TICK)
    bursts = made.draws.count("fixed cpu", made["fixed_us_per_s"] * made.seconds / 200.0)
    fixed, loop = bursts * (200 * TICK), _ticks(made["loop_us_per_s"] * made.seconds)
    room = made.ticks * cps
    fixed = np.minimum(fixed, np.maximum(room - loop, 0))
    growth = flight.grown("cpu")
    used = np.maximum(np.minimum(used, room - loop - fixed - np.maximum(growth, 0)), -growth)
    used = np.maximum(used, 0)
    busy = used + fixed + loop + growth
    idle = 1 - busy / room
    uneven = 1 + UNEVEN * idle[:, None] * (made.draws.uniform("cps", cps) - 0.5)
    per_cp = np.minimum(whole_parts(busy, uneven), made.ticks[:, None])
    per_cp = topped_up(per_cp, busy, made.ticks)
    denied = np.minimum(
        _ticks(made["denied"] * made.seconds * 1e6)[:, None], made.ticks[:, None] - per_cp
    )
    samples = _samples(edges, made.network)
    search = np.minimum(np.rint(count * made["search_us"] * TICK).astype(np.int64), used)
    return {
        **_ziips(made, done, used - search),
        "cpu_ticks": per_cp,
        "transaction_cpu_ticks": used,
        "background_cpu_ticks": fixed + loop,
        "cpu_search_ticks": search,
        "loop_ticks": loop,
        "loop_region": made["loop_region"].astype(np.int64),
        "denied_ticks": denied,
        "capped_samples": np.where(made["capped"] > 0, samples, 0),
        "samples": samples,
        **_ready(made, samples),
    }


def _ziips(made: Made, done: I64, used: I64) -> Counted:
    """Busy time of zIIPs, and eligible work within the CPU `used` by transactions."""
    number = made.network.cpu.ziips
    if not number:
        return {}
    count, heavier = done.sum(axis=1), _heavier(made, done) * TICK
    total, spilled = (
        made.draws.total(name, count, made[f"{name}_us"] * heavier, made[f"{name}_us"] * heavier)
        for name in ("ziip", "ziip_spilled")
    )
    return {
        "ziip_ticks": busy_ziips(total, made.ticks, made["ziip_offered"], number),
        "ziip_spilled_ticks": np.minimum(spilled, used),
    }


def _heavier(made: Made, done: I64) -> Floats:
    """CPU of this interval's mix of classes, as a multiple of that of the mean mix."""
    factors = np.array([one.cpu_factor for one in made.network.classes])
    found: Floats = (done @ factors) / np.maximum(done.sum(axis=1), 1)
    return np.where(found > 0, found, 1.0) / made.network.mean("cpu_factor")


def _samples(edges: I64, network: Network) -> I64:
    """RMF's samples at whole multiples of the cycle."""
    cycle = round(network.cycle_us) * TICK
    found: I64 = np.diff(-(-edges // cycle))
    return found


def _ready(made: Made, samples: I64) -> Counted:
    """Work units running or waiting: geometric beyond the CPs, as a multi-server queue has them."""
    edges = np.array(READY_EDGES)  # above the CPs
    cps, chance, ratio = made.network.cpu.cps, made["all_busy"][:, None], made["ratio"][:, None]
    above = chance * ratio ** (edges + 1)
    chances = np.diff(1 - above, axis=1, prepend=0.0, append=1.0)
    mean = made["running"] + made["waiting"]
    spread = np.sqrt(mean + chance[:, 0] * ratio[:, 0] / (1 - ratio[:, 0]) ** 2)
    total = np.maximum(made.draws.total("ready", samples, mean, spread), 0)
    rare = -np.log(np.maximum(samples * np.maximum(chance[:, 0], 1e-12), 1.0 + 1e-9))
    tail = rare / np.log(np.maximum(ratio[:, 0], 1e-12))
    plain = made["running"] + 3 * np.sqrt(made["running"])
    highest = np.where(samples * chance[:, 0] > 1, cps + tail, np.minimum(plain, cps))
    average = total / np.maximum(samples, 1)
    low = np.maximum(made["running"] - 4 * np.sqrt(np.maximum(made["running"], 0.01)), 0)
    most = np.minimum(np.ceil(np.maximum(highest, average)).astype(np.int64), total)
    return {
        "ready_bucket": made.draws.split("ready bucket", samples, chances),
        "ready_sum": total,
        "ready_min": _least(np.floor(low).astype(np.int64), most, total, samples),
        "ready_max": most,
    }


def _least(wanted: I64, most: I64, total: I64, samples: I64) -> I64:
    """The least of samples with this total and most, near the wanted one."""
    others = samples - 1
    highest = np.where(others > 0, (total - most) // np.maximum(others, 1), total)
    return np.maximum(np.minimum(wanted, highest), total - others * most)


# --- volumes and paths ----------------------------------------------------------------------------


def volumes(made: Made, done: I64, count: I64 | None = None) -> Counted:
    """I/Os of every volume (`count`, if known) and their times, and the paths they took."""
    network, draws = made.network, made.draws
    ios = done @ np.array([one.reads + one.writes for one in network.classes])
    shape = (len(ios), network.dasd.volumes)
    if count is None:
        count = draws.count("io", np.broadcast_to(ios[:, None] / shape[1], shape))

    def column(name: str) -> Floats:
        """The same for all volumes; the slow one has its own."""
        values = np.broadcast_to(made[name][:, None], shape)
        slow = made["slow_volume"]
        if f"slow_{name}" not in made.means or not (slow >= 0).any():
            return values
        rows = np.flatnonzero(slow >= 0)
        values = values.copy()
        values[rows, slow[rows].astype(np.int64)] = made[f"slow_{name}"][rows]
        return values

    cmr = draws.total(
        "cmr", count, made["cmr_us"][:, None] * TICK, made["cmr_sd_us"][:, None] * TICK
    )
    disc, conn = column("disc_us") * TICK, made["conn_us"][:, None] * TICK
    taken = {
        "io_count": count,
        "io_pend": np.rint(count * (made["pend_us"][:, None] * TICK)).astype(np.int64) + cmr,
        "io_cmr": cmr,
        "io_db": count * round(network.dasd.device_busy_us * TICK),
        "io_int": count * round(network.dasd.interrupt_us * TICK),
        "io_disc": draws.total("disc", count, disc, disc),
        "io_conn": draws.total("conn", count, conn, conn),
        "io_iosq": np.rint(count * column("iosq_us") * TICK).astype(np.int64),
        "io_iosq_count": np.rint(count * column("iosq_chance")).astype(np.int64),
    }
    return taken | _read_wait(made, done, ios, taken) | _paths(made, count.sum(axis=1))


def _read_wait(made: Made, done: I64, ios: Floats, taken: Counted) -> Counted:
    """Time of the reads, for which regions wait: their share of the I/Os, which are alike."""
    reads = done @ np.array([one.reads for one in made.network.classes])
    ticks = sum(taken[f"io_{one}"].sum(axis=1) for one in ("iosq", "pend", "disc", "conn"))
    return {"read_wait_ticks": np.rint(ticks * reads / np.maximum(ios, 1e-9)).astype(np.int64)}


def _paths(made: Made, total: I64) -> Counted:
    """Paths are chosen at random; one that is lost has none."""
    paths, hold = made.network.dasd.paths, made.network.dasd.port_us * TICK
    there = np.ones((len(total), paths))
    lost = made["lost_path"].astype(np.int64)
    rows = np.flatnonzero(lost >= 0)
    there[rows, lost[rows]] = 0.0
    count = made.draws.split("paths", total, there)
    busy = made.draws.total("path busy", count, hold, hold)
    return {"path_count": count, "path_busy": np.minimum(busy, made.ticks[:, None])}


# --- log ------------------------------------------------------------------------------------------


def log(made: Made, done: I64, flight: Opened, schedules: I64 | None = None) -> Counted:
    """Records, sync points, WADS and OLDS writes, `schedules` (if known)."""
    network, draws, logger = made.network, made.draws, made.network.logger
    commits = done.sum(axis=1) + flight.grown("sync")
    records = done @ np.array([one.log_records for one in network.classes])
    size = done @ np.array([one.log_bytes for one in network.classes])
    bytes_ = size + flight.grown("log_bytes")
    schedules = _schedules(made, done, flight) if schedules is None else schedules
    extra = schedules * (logger.schedule_bytes + logger.end_bytes + logger.thread_end_bytes)
    blocks = np.diff(np.cumsum(bytes_ + extra) // logger.block_bytes, prepend=0)
    mean = made["wads_per_s"] * made.seconds
    writes = np.minimum(draws.count("wads", mean, WRITES_VARY), np.maximum(commits, 0))
    wads, olds = made["wads_us"] * TICK, made["olds_us"] * TICK
    joined = draws.count("joined", commits * made["wads_busy"], 1 - made["wads_busy"])
    cis = np.maximum(np.rint(writes * made["wads_cis"]).astype(np.int64), writes)
    busy = draws.total("wads time", writes, wads, wads * logger.wads_cv)
    return {
        "records": records + flight.grown("log_records"),
        "bytes": bytes_,
        "check_writes": commits,
        "buffer_waits": draws.count("no buffer", np.maximum(commits, 0) * made["no_buffer"]),
        "wait_writes": commits if logger.check_write == "in_region" else np.zeros_like(commits),
        "joined_writes": np.minimum(joined, np.maximum(commits, 0)),
        "awe": commits,
        "wads_writes": writes,
        "wads_ticks": np.minimum(busy, made.ticks),
        "wads_cis": cis,
        "olds_blocks": blocks,
        "olds_ticks": np.minimum(
            draws.total("olds time", blocks, olds, olds * logger.wads_cv), made.ticks
        ),
        "schedules": schedules,
        "programs_ended": schedules,
    }


def _schedules(made: Made, done: I64, flight: Opened) -> I64:
    """Messages that find no program, each by the chance of its pool: binomial; where none finds
    one, all, also those at their sync point."""
    chance = np.array(
        [made.network.region_pools[one.pool].schedule_chance for one in made.network.classes]
    )
    if (chance >= 1).all():
        return np.asarray(done.sum(axis=1) + flight.grown("sync"))
    certain, open_ = done[:, chance >= 1].sum(axis=1), np.where(chance < 1, chance, 0.0)
    mean = done @ open_
    apart = 1 - (done @ open_**2) / np.maximum(mean, 1e-300)  # of the mean, the variance
    drawn = made.draws.count("schedules", mean, apart)
    return np.asarray(certain + np.minimum(drawn, done[:, open_ > 0].sum(axis=1)))


# --- latches, pools, messages ---------------------------------------------------------------------


def latches(made: Made, done: I64, past_cpu: I64 | None = None) -> Counted:
    """LOGL and LREC: gets are exact calls of the transactions, contentions drawn.

    `past_cpu`: callouts that have asked for the latch of OTMA and go on, at the n + 1 boundaries.
    """
    one, draws = made.network.latches, made.draws
    count = done.sum(axis=1)
    calls = count * one.calls_shared
    others = draws.count(
        "other gets", np.full(len(count), one.other_exclusive_per_s) * made.seconds
    )
    none = np.zeros_like(count)
    shared = np.stack([none if one.mode == "exclusive" else calls, none], axis=1)
    sync = (none, count) if one.mode == "split" else (count, none)
    alone = sync[0] + others + (calls if one.mode == "exclusive" else none)
    exclusive = np.stack([alone, sync[1]], axis=1)
    if past_cpu is not None:
        asked = np.maximum(count + np.diff(past_cpu), 0)
        shared = np.hstack([shared, np.zeros((len(count), 1), np.int64)])
        exclusive = np.hstack([exclusive, asked[:, None]])
    cont_shr = np.minimum(draws.count("shared waits", shared * made["latch_shared"]), shared)
    cont_exc = draws.count("exclusive waits", exclusive * made["latch_exclusive"])
    cont_exc = np.minimum(cont_exc, exclusive)
    gets, waits = shared + exclusive, cont_shr + cont_exc
    wait = gets * made["latch_wait_us"] * TICK
    load = np.clip(made["latch_load"], 1e-9, 0.999)
    queue = np.ceil(np.log(np.maximum(waits, 1) + 1) / -np.log(load))
    return {
        "get_shr": shared,
        "get_exc": exclusive,
        "cont_shr": cont_shr,
        "cont_exc": cont_exc,
        "wait_ticks": np.where(waits > 0, np.rint(wait), 0).astype(np.int64),
        "latch_maxq": np.where(waits > 0, np.clip(queue, 1, LATCH_RING), 0).astype(np.int64),
    }


def pools(made: Made, done: I64) -> Counted:
    """Gets, buffers in use, blocks. At the end of an interval a pool gives back what it had beyond
    its usual blocks."""
    sizes, draws = made.network.pools, made.draws
    n, count = len(made.ticks), done.sum(axis=1)[:, None]
    gets_of, asked = (np.array([getattr(p, k) for p in sizes]) for k in ("gets", "request_bytes"))
    gets = np.rint(count * gets_of).astype(np.int64).reshape(n, len(sizes))
    standing = np.array([p.standing for p in sizes], np.int64)
    moving = made["pool_moving"]
    now = standing + np.minimum(draws.count("buffers now", moving), gets)
    spread = np.sqrt(moving) / 4
    high = np.rint(made["pool_high"] + spread * draws.normal("buffers high", len(sizes)))
    high = np.maximum(
        np.maximum(high.astype(np.int64), now), np.ceil(made["pool_used"]).astype(np.int64)
    )
    low = np.floor(np.maximum(moving - 4.5 * np.sqrt(moving), 0)).astype(np.int64) + standing
    low = np.minimum(low, now)
    blocks = np.rint(made["pool_blocks"]).astype(np.int64)
    used = np.rint(made["pool_used"] * made.ticks[:, None]).astype(np.int64)
    return {
        "pool_gets": gets,
        "pool_bytes": np.rint(gets * asked).astype(np.int64),
        "pool_in_use_ticks": used,
        "pool_high": high,
        "pool_low": low,
        "pool_now": now,
        "pool_blocks_ticks": blocks * made.ticks[:, None],
        "pool_blocks_high": blocks,
        "pool_blocks_low": blocks,
        "pool_blocks_now": blocks,
        "pool_expand": np.maximum(np.diff(blocks, axis=0, prepend=blocks[:1]), 0),
        "pool_searched": np.rint(gets * made["pool_searched"]).astype(np.int64),
        "pool_max_since_init": np.maximum.accumulate(high, axis=0),
        "pool_blocks_max_since_init": np.maximum.accumulate(blocks, axis=0),
    }


def messages(made: Made, done: I64, flight: Opened) -> Counted:
    """XCF: messages sent, and those that wait for a window."""
    sent = np.maximum(done.sum(axis=1) + flight.grown("sent"), 0)
    held = np.minimum(made.draws.count("held", sent * made["gate_chance"]), sent)
    wait = np.rint(sent * made["gate_us"] * TICK).astype(np.int64)
    return {
        "xcf_messages": sent,
        "xcf_delayed": held,
        "xcf_delay_ticks": np.where(held > 0, wait, 0),
    }


def coupling(made: Made, done: I64) -> Counted:
    """Requests to each structure of the coupling facility, as they were sent; times exponential."""
    facility = made.network.coupling
    if facility is None:
        return {}
    draws, count = made.draws, done.sum(axis=1)
    total = draws.count("cf", count[:, None] * made["cf_requests"])
    later = draws.count("cf later", total * made["cf_converted"][:, None])
    later = np.minimum(later, total)
    now = total - later
    busy = np.minimum(draws.count("cf busy", total * made["cf_busy_chance"][:, None]), total)
    met = np.minimum(draws.count("cf contention", total * made["cf_contention"]), total)
    false = met * made["cf_false"] / np.maximum(made["cf_contention"], 1e-12)
    us, wait = made["cf_us"][:, None], made["cf_wait_us"][:, None]
    served = draws.total("cf service", total.sum(axis=1), *([facility.service_us * TICK] * 2))
    even = np.ones((len(count), facility.processors))

    def times(name: str, number: I64, each: Floats) -> Counted:
        ticks = draws.total(f"cf {name}", number, each * TICK, each * TICK / 2)
        squares = np.rint(number * each * each * TICK * 1.25).astype(np.int64)
        return {f"cf_{name}": number, f"cf_{name}_ticks": ticks, f"cf_{name}_squares": squares}

    return {
        **times("sync", now, us),
        **times("async", later, us + facility.async_delay_us),
        **times("queued", busy, wait),
        "cf_contention": met,
        "cf_held_ticks": np.rint(met * made["cf_held_us"] * TICK).astype(np.int64),
        "cf_false_contention": np.minimum(np.rint(false).astype(np.int64), met),
        "cf_host_ticks": np.rint(total * made["cf_host_us"][:, None] * TICK).astype(np.int64),
        "cf_busy_ticks": whole_parts(served, even),
    }
