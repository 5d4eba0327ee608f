"""What CPUs, volumes, log, latches, pools and the XCF gate count in an interval, drawn.

Each function takes the means of all intervals and gives arrays named as in SimResult, first axis
interval. Times are ticks of 2^-12 us.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from imsperf.synthetic.accounts.integer_split import WHOLE
from imsperf.synthetic.accounts.integer_split import shared as parts_of
from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.interval_mode.draws import Draws, integer_split, topped_up
from imsperf.synthetic.interval_mode.mean_parts import Means
from imsperf.synthetic.log.olds import filled_at
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.network.traces import logged_bytes, logged_bytes_of_schedule
from imsperf.synthetic.simulation.columns import READY_EDGES
from imsperf.synthetic.solver.devices import carried, cores_and_threads, smt_speeds
from imsperf.synthetic.units import TICKS_PER_S, TICKS_PER_US

Counted = dict[str, Any]

UNEVEN = 0.2  # CPs are busy so much more or less than their mean, of what is left of it
WRITES_VARY = 0.2  # variance of the number of log writes over its mean: they follow each other
LATCH_RING = 64  # the longest queue that is counted
POOL_SUMS = (
    "pool_gets", "pool_bytes", "pool_in_use_ticks", "pool_blocks_ticks", "pool_expand",
    "pool_searched",
)  # fmt: skip


@dataclass(frozen=True)
class Basis:
    """What is drawn from: a network, its means, random numbers, lengths in ticks (n,)."""

    network: Network
    means: Means[F64]
    draws: Draws
    ticks: I64

    @property
    def seconds(self) -> F64:
        """Length of the intervals."""
        return self.ticks / TICKS_PER_S


class Opened(Protocol):
    """What is under way at the boundaries."""

    def grown(self, name: str) -> I64:
        """Open at the end of each interval less open at its start."""


def _ticks(values: F64) -> I64:
    return np.rint(values * TICKS_PER_US).astype(np.int64)


# --- processors -----------------------------------------------------------------------------------


def cpu(basis: Basis, done: I64, flight: Opened, edges: I64, used: I64 | None = None) -> Counted:
    """Busy time and its causes; what RMF's samples find. `used`: by transactions, if known."""
    means = basis.means.cpu
    count, cps = done.sum(axis=1), basis.network.cpu.cps
    if used is None:
        mean = means.cpu_us * _heavier(basis, done) * TICKS_PER_US
        used = basis.draws.total("transaction cpu", count, mean, means.cpu_sd_us * TICKS_PER_US)
    bursts = basis.draws.count("fixed cpu", means.fixed_us_per_s * basis.seconds / 200.0)
    fixed, loop = (
        bursts * (200 * TICKS_PER_US),
        _ticks(means.loop_us_per_s * basis.seconds),
    )
    room = basis.ticks * cps
    fixed = np.minimum(fixed, np.maximum(room - loop, 0))
    growth = flight.grown("cpu")
    used = np.maximum(np.minimum(used, room - loop - fixed - np.maximum(growth, 0)), -growth)
    used = np.maximum(used, 0)
    busy = used + fixed + loop + growth
    idle = 1 - busy / room
    uneven = 1 + UNEVEN * idle[:, None] * (basis.draws.uniform("cps", cps) - 0.5)
    per_cp = np.minimum(integer_split(busy, uneven), basis.ticks[:, None])
    per_cp = topped_up(per_cp, busy, basis.ticks)
    denied = np.minimum(
        _ticks(means.denied * basis.seconds * 1e6)[:, None], basis.ticks[:, None] - per_cp
    )
    samples = _samples(edges, basis.network)
    search = np.minimum(np.rint(count * means.search_us * TICKS_PER_US).astype(np.int64), used)
    return {
        **_ziips(basis, done, used - search),
        "cpu_ticks": per_cp,
        "transaction_cpu_ticks": used,
        "background_cpu_ticks": fixed + loop,
        "cpu_search_ticks": search,
        "loop_ticks": loop,
        "loop_region": means.loop_region.astype(np.int64),
        "denied_ticks": denied,
        "capped_samples": np.where(means.capped > 0, samples, 0),
        "samples": samples,
        **_ready(basis, samples),
    }


def _ziips(basis: Basis, done: I64, used: I64) -> Counted:
    """Busy time of zIIPs, and eligible work within the CPU `used` by transactions."""
    number, ziips = basis.network.cpu.ziips, basis.means.ziips
    if ziips is None:
        return {}
    count, heavier = done.sum(axis=1), _heavier(basis, done) * TICKS_PER_US
    total, spilled = (
        basis.draws.total(name, count, us * heavier, us * heavier)
        for name, us in (("ziip", ziips.used_us), ("ziip_spilled", ziips.spilled_us))
    )
    cpu = basis.network.cpu
    most = basis.ticks * smt_speeds(number, cpu.ziip_threads, cpu.ziip_smt)[-1]
    total = np.minimum(total, most.astype(np.int64))
    cores, threads = _cores_and_threads(basis, ziips, total)
    each: F64 = np.maximum(carried(ziips.offered, number), 1e-12)
    core = np.minimum(integer_split(cores, each), basis.ticks[:, None])
    core = topped_up(core, cores, basis.ticks)
    by_core = core.astype(np.float64) + 1e-12
    both = np.minimum(integer_split(threads - cores, by_core), core)
    busy = core if cpu.ziip_threads == 1 else np.stack([core, both], axis=2).reshape(len(core), -1)
    by_thread = busy.astype(np.float64) + 1e-12
    return {
        "ziip_ticks": busy,
        "ziip_core_ticks": core,
        "ziip_work_ticks": busy if cpu.ziip_threads == 1 else integer_split(total, by_thread),
        "ziip_spilled_ticks": np.minimum(spilled, used),
    }


def _cores_and_threads(basis: Basis, ziips: Any, work: I64) -> tuple[I64, I64]:
    """Ticks that cores and threads were busy with so much work, (n,); one thread is its core."""
    cpu = basis.network.cpu
    if cpu.ziip_threads == 1:
        return work, work
    means = cores_and_threads(
        ziips.offered, cpu.ziips, cpu.ziip_threads, cpu.ziip_smt, honor=cpu.ziip_honor
    )
    share = ziips.used_us / np.maximum(ziips.used_us + ziips.spilled_us, 1e-12)
    carried_on = np.maximum(ziips.offered * share, 1e-12)
    cores, threads = (np.rint(work * mean / carried_on).astype(np.int64) for mean in means)
    cores = np.clip(cores, work // 2, basis.ticks * cpu.ziips)
    return cores, np.clip(threads, cores, 2 * cores)


def _heavier(basis: Basis, done: I64) -> F64:
    """CPU of this interval's mix of classes, as a multiple of that of the mean mix."""
    factor: F64 = (done @ basis.network.of_classes("cpu_factor")) / np.maximum(done.sum(axis=1), 1)
    return np.where(factor > 0, factor, 1.0) / basis.network.mean("cpu_factor")


def _samples(edges: I64, network: Network) -> I64:
    """RMF's samples at whole multiples of the cycle."""
    cycle = round(network.cycle_us) * TICKS_PER_US
    samples: I64 = np.diff(-(-edges // cycle))
    return samples


def _ready(basis: Basis, samples: I64) -> Counted:
    """Work units running or waiting: geometric beyond the CPs, as a multi-server queue has them."""
    means = basis.means.cpu
    edges = np.array(READY_EDGES)  # above the CPs
    cps, chance, ratio = (
        basis.network.cpu.cps,
        means.all_busy[:, None],
        means.ratio[:, None],
    )
    above = chance * ratio ** (edges + 1)
    chances = np.diff(1 - above, axis=1, prepend=0.0, append=1.0)
    mean = means.running + means.waiting
    spread = np.sqrt(mean + chance[:, 0] * ratio[:, 0] / (1 - ratio[:, 0]) ** 2)
    total = np.maximum(basis.draws.total("ready", samples, mean, spread), 0)
    rare = -np.log(np.maximum(samples * np.maximum(chance[:, 0], 1e-12), 1.0 + 1e-9))
    tail = rare / np.log(np.maximum(ratio[:, 0], 1e-12))
    plain = means.running + 3 * np.sqrt(means.running)
    highest = np.where(samples * chance[:, 0] > 1, cps + tail, np.minimum(plain, cps))
    average = total / np.maximum(samples, 1)
    low = np.maximum(means.running - 4 * np.sqrt(np.maximum(means.running, 0.01)), 0)
    most = np.minimum(np.ceil(np.maximum(highest, average)).astype(np.int64), total)
    return {
        "ready_bucket": basis.draws.split("ready bucket", samples, chances),
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


def volumes(basis: Basis, done: I64, count: I64 | None = None) -> Counted:
    """I/Os of every volume (`count`, if known) and their times, and the paths they took."""
    network, draws = basis.network, basis.draws
    ios = done @ (network.of_classes("reads") + network.of_classes("writes"))
    shape = (len(ios), network.dasd.volumes)
    if count is None:
        count = draws.count("io", np.broadcast_to(ios[:, None] / shape[1], shape))
    means = basis.means.volumes

    def column(usual: F64, slow: F64) -> F64:
        """The same for all volumes; the slow one has its own."""
        values = np.repeat(usual[:, None], shape[1], axis=1)
        rows = np.flatnonzero(means.slow_volume >= 0)
        values[rows, means.slow_volume[rows].astype(np.int64)] = slow[rows]
        return values

    iosq = column(means.iosq_us, means.slow_iosq_us)
    waits = column(means.iosq_chance, means.slow_iosq_chance)
    disc = column(means.disc_us, means.slow_disc_us) * TICKS_PER_US
    pend, conn, cmr_us, cmr_sd = (
        one[:, None] * TICKS_PER_US
        for one in (means.pend_us, means.conn_us, means.cmr_us, means.cmr_sd_us)
    )
    cmr = draws.total("cmr", count, cmr_us, cmr_sd)
    taken = {
        "io_count": count,
        "io_pend": np.rint(count * pend).astype(np.int64) + cmr,
        "io_cmr": cmr,
        "io_db": count * round(network.dasd.device_busy_us * TICKS_PER_US),
        "io_int": count * round(network.dasd.interrupt_us * TICKS_PER_US),
        "io_disc": draws.total("disc", count, disc, disc),
        "io_conn": draws.total("conn", count, conn, conn),
        "io_iosq": np.rint(count * iosq * TICKS_PER_US).astype(np.int64),
        "io_iosq_count": np.rint(count * waits).astype(np.int64),
    }
    return taken | _read_wait(basis, done, ios, taken) | _paths(basis, count.sum(axis=1))


def _read_wait(basis: Basis, done: I64, ios: F64, taken: Counted) -> Counted:
    """Time of the reads, for which regions wait: their share of the I/Os, which are alike."""
    reads = done @ basis.network.of_classes("reads")
    ticks = sum(taken[f"io_{part}"].sum(axis=1) for part in ("iosq", "pend", "disc", "conn"))
    return {"read_wait_ticks": np.rint(ticks * reads / np.maximum(ios, 1e-9)).astype(np.int64)}


def _paths(basis: Basis, total: I64) -> Counted:
    """Paths are chosen at random; one that is lost has none."""
    paths, hold = basis.network.dasd.paths, basis.network.dasd.port_us * TICKS_PER_US
    there = np.ones((len(total), paths))
    lost = basis.means.volumes.lost_path.astype(np.int64)
    rows = np.flatnonzero(lost >= 0)
    there[rows, lost[rows]] = 0.0
    count = basis.draws.split("paths", total, there)
    busy = basis.draws.total("path busy", count, hold, hold)
    return {"path_count": count, "path_busy": np.minimum(busy, basis.ticks[:, None])}


# --- log ------------------------------------------------------------------------------------------


def log(basis: Basis, done: I64, flight: Opened, schedules: I64 | None = None) -> Counted:
    """Records, sync points, WADS and OLDS writes, `schedules` (if known)."""
    means = basis.means.log
    network, draws, logger = basis.network, basis.draws, basis.network.logger
    commits = done.sum(axis=1) + flight.grown("sync")
    records = done @ network.of_classes("log_records")
    size = done @ network.of_classes("log_bytes")
    bytes_ = size + flight.grown("log_bytes")
    schedules = _schedules(basis, done, flight) if schedules is None else schedules
    ends = logger.schedule_bytes + logger.end_bytes + logger.thread_end_bytes
    traced = np.rint(done @ logged_bytes(network) + schedules * logged_bytes_of_schedule(network))
    upto = np.cumsum(bytes_ + schedules * ends + traced.astype(np.int64))
    blocks = np.diff(upto // logger.block_bytes, prepend=0)
    mean = means.wads_per_s * basis.seconds
    writes = np.minimum(draws.count("wads", mean, WRITES_VARY), np.maximum(commits, 0))
    wads, olds = means.wads_us * TICKS_PER_US, means.olds_us * TICKS_PER_US
    joined = draws.count("joined", commits * means.wads_busy, 1 - means.wads_busy)
    cis = np.maximum(np.rint(writes * means.wads_cis).astype(np.int64), writes)
    busy = draws.total("wads time", writes, wads, wads * logger.wads_cv)
    return {
        "records": records + flight.grown("log_records"),
        "bytes": bytes_,
        "check_writes": commits,
        "buffer_waits": draws.count("no buffer", np.maximum(commits, 0) * means.no_buffer),
        "wait_writes": commits if logger.check_write == "in_region" else np.zeros_like(commits),
        "joined_writes": np.minimum(joined, np.maximum(commits, 0)),
        "awe": commits,
        "wads_writes": writes,
        "wads_ticks": np.minimum(busy, basis.ticks),
        "wads_cis": cis,
        "olds_blocks": blocks,
        "olds_ticks": np.minimum(
            draws.total("olds time", blocks, olds, olds * logger.wads_cv), basis.ticks
        ),
        "schedules": schedules,
        "programs_ended": schedules,
    }


def archives(basis: Basis, counted: Counted, edges: I64) -> Counted:
    """What archive jobs read and use, one after the other without waits, and CPUs with that."""
    logger = basis.network.logger
    if not logger.archive_blocks:
        none = np.zeros(len(basis.ticks), np.int64)
        return {"archive_blocks": none, "archive_cpu_ticks": none}
    size, each = logger.olds_capacity, logger.archive_blocks
    release = filled_at(counted["olds_blocks"], edges, size)
    block = (logger.archive_read_us / each + logger.archive_cpu_us) * TICKS_PER_US
    after = size * block * np.arange(1, len(release) + 1)
    begin = np.maximum.accumulate(release - after + size * block) + after - size * block
    done = np.clip((edges[:, None] - begin) / block, 0, size).sum(axis=1)
    blocks = np.diff(np.floor(done).astype(np.int64))
    idle = basis.ticks[:, None] - counted["cpu_ticks"]
    used = np.rint(blocks * (logger.archive_cpu_us * TICKS_PER_US)).astype(np.int64)
    used = np.minimum(used, idle.sum(axis=1))
    return {
        "archive_blocks": blocks,
        "archive_cpu_ticks": used,
        "background_cpu_ticks": counted["background_cpu_ticks"] + used,
        "cpu_ticks": counted["cpu_ticks"]
        + parts_of(used, idle // (idle.sum(axis=1, keepdims=True) // WHOLE + 1)),
    }


def _schedules(basis: Basis, done: I64, flight: Opened) -> I64:
    """Messages that find no program, each by the chance of its pool: binomial; where none finds
    one, all, also those at their sync point."""
    chance = basis.network.schedule_chances
    if (chance >= 1).all():
        return np.asarray(done.sum(axis=1) + flight.grown("sync"))
    certain, open_ = done[:, chance >= 1].sum(axis=1), np.where(chance < 1, chance, 0.0)
    mean = done @ open_
    apart = 1 - (done @ open_**2) / np.maximum(mean, 1e-300)  # of the mean, the variance
    drawn = basis.draws.count("schedules", mean, apart)
    return np.asarray(certain + np.minimum(drawn, done[:, open_ > 0].sum(axis=1)))


# --- latches, pools, messages ---------------------------------------------------------------------


def latches(basis: Basis, done: I64, past_cpu: I64 | None = None) -> Counted:
    """All latches: gets are exact calls of the transactions, contentions drawn.

    `past_cpu`: callouts that have asked for the latch of OTMA and go on, at the n + 1 boundaries.
    """
    means = basis.means.latches
    declared, draws = basis.network.latches, basis.draws
    count = done.sum(axis=1)
    calls = count * declared.calls_shared
    others = draws.count(
        "other gets", np.full(len(count), declared.other_exclusive_per_s) * basis.seconds
    )
    none = np.zeros_like(count)
    shared = np.stack([none if declared.mode == "exclusive" else calls, none], axis=1)
    sync = (none, count) if declared.mode == "split" else (count, none)
    alone = sync[0] + others + (calls if declared.mode == "exclusive" else none)
    exclusive = np.stack([alone, sync[1]], axis=1)
    if past_cpu is not None:
        asked = np.maximum(count + np.diff(past_cpu), 0)
        shared = np.hstack([shared, np.zeros((len(count), 1), np.int64)])
        exclusive = np.hstack([exclusive, asked[:, None]])
    for serial in basis.network.serials:
        asked = np.rint(count * serial.calls_exclusive).astype(np.int64)
        shared = np.hstack([shared, np.zeros_like(asked)[:, None]])
        exclusive = np.hstack([exclusive, asked[:, None]])
    cont_shr = np.minimum(draws.count("shared waits", shared * means.shared), shared)
    cont_exc = draws.count("exclusive waits", exclusive * means.exclusive)
    cont_exc = np.minimum(cont_exc, exclusive)
    gets, waits = shared + exclusive, cont_shr + cont_exc
    wait = gets * means.wait_us * TICKS_PER_US
    load = np.clip(means.load, 1e-9, 0.999)
    queue = np.ceil(np.log(np.maximum(waits, 1) + 1) / -np.log(load))
    return {
        "get_shr": shared,
        "get_exc": exclusive,
        "cont_shr": cont_shr,
        "cont_exc": cont_exc,
        "wait_ticks": np.where(waits > 0, np.rint(wait), 0).astype(np.int64),
        "latch_maxq": np.where(waits > 0, np.clip(queue, 1, LATCH_RING), 0).astype(np.int64),
    }


def pools(basis: Basis, done: I64) -> Counted:
    """Gets, buffers in use, blocks. At the end of an interval a pool gives back what it had beyond
    its usual blocks."""
    means = basis.means.pools
    sizes, draws = basis.network.pools, basis.draws
    n, count = len(basis.ticks), done.sum(axis=1)[:, None]
    gets_of, asked = (np.array([getattr(p, k) for p in sizes]) for k in ("gets", "request_bytes"))
    gets = np.rint(count * gets_of).astype(np.int64).reshape(n, len(sizes))
    standing = np.array([p.standing for p in sizes], np.int64)
    moving = means.moving
    now = standing + np.minimum(draws.count("buffers now", moving), gets)
    spread = np.sqrt(moving) / 4
    high = np.rint(means.high + spread * draws.normal("buffers high", len(sizes)))
    high = np.maximum(np.maximum(high.astype(np.int64), now), np.ceil(means.used).astype(np.int64))
    low = np.floor(np.maximum(moving - 4.5 * np.sqrt(moving), 0)).astype(np.int64) + standing
    low = np.minimum(low, now)
    blocks = np.rint(means.blocks).astype(np.int64)
    used = np.rint(means.used * basis.ticks[:, None]).astype(np.int64)
    return {
        "pool_gets": gets,
        "pool_bytes": np.rint(gets * asked).astype(np.int64),
        "pool_in_use_ticks": used,
        "pool_high": high,
        "pool_low": low,
        "pool_now": now,
        "pool_blocks_ticks": blocks * basis.ticks[:, None],
        "pool_blocks_high": blocks,
        "pool_blocks_low": blocks,
        "pool_blocks_now": blocks,
        "pool_expand": np.maximum(np.diff(blocks, axis=0, prepend=blocks[:1]), 0),
        "pool_searched": np.rint(gets * means.searched).astype(np.int64),
        "pool_max_since_init": np.maximum.accumulate(high, axis=0),
        "pool_blocks_max_since_init": np.maximum.accumulate(blocks, axis=0),
    }


def messages(basis: Basis, done: I64, flight: Opened) -> Counted:
    """XCF: messages sent, and those that wait for a window; members are alike."""
    sent = np.maximum(done.sum(axis=1) + flight.grown("sent"), 0)
    held = np.minimum(basis.draws.count("held", sent * basis.means.times.gate_chance), sent)
    wait = np.rint(sent * basis.means.times.gate_us * TICKS_PER_US).astype(np.int64)
    members = basis.network.xcf.members
    return {
        "xcf_messages": sent,
        "member_messages": parts_of(sent, np.ones(members, np.int64)),
        "member_answers": parts_of(done.sum(axis=1), np.ones(members, np.int64)),
        "xcf_delayed": held,
        "xcf_delay_ticks": np.where(held > 0, wait, 0),
    }


def coupling(basis: Basis, done: I64) -> Counted:
    """Requests to each structure of the coupling facility, as they were sent; times exponential."""
    facility, means = basis.network.coupling, basis.means.requests
    if facility is None or means is None:
        return {}
    draws, count = basis.draws, done.sum(axis=1)
    total = draws.count("cf", count[:, None] * means.count)
    later = draws.count("cf later", total * means.converted[:, None])
    later = np.minimum(later, total)
    now = total - later
    busy = np.minimum(draws.count("cf busy", total * means.busy_chance[:, None]), total)
    met = np.minimum(draws.count("cf contention", total * means.contention), total)
    false = met * means.false_contention / np.maximum(means.contention, 1e-12)
    us, wait = means.elapsed_us[:, None], means.wait_us[:, None]
    served = draws.total(
        "cf service", total.sum(axis=1), *([facility.service_us * TICKS_PER_US] * 2)
    )
    even = np.ones((len(count), facility.processors))

    def times(name: str, number: I64, each: F64) -> Counted:
        ticks = draws.total(f"cf {name}", number, each * TICKS_PER_US, each * TICKS_PER_US / 2)
        squares = np.rint(number * each * each * TICKS_PER_US * 1.25).astype(np.int64)
        return {f"cf_{name}": number, f"cf_{name}_ticks": ticks, f"cf_{name}_squares": squares}

    return {
        **times("sync", now, us),
        **times("async", later, us + facility.async_delay_us),
        **times("queued", busy, wait),
        "cf_contention": met,
        "cf_held_ticks": np.rint(met * means.held_us * TICKS_PER_US).astype(np.int64),
        "cf_false_contention": np.minimum(np.rint(false).astype(np.int64), met),
        "cf_host_ticks": np.rint(total * means.host_us[:, None] * TICKS_PER_US).astype(np.int64),
        "cf_busy_ticks": integer_split(served, even),
    }
