"""Networks as the solver takes them: `works_of` makes its work, `balance_of` solves it.

The event simulation runs the same `Network`. What the solver has otherwise: schedules are those of
the mean message, and all requests to the coupling facility are made in the region.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from imsperf.synthetic.network.network import PLACES, Coupling, Latch, Latches, Network, Place
from imsperf.synthetic.network.traces import logged_bytes, logged_bytes_of_schedule
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.answer import knees, results
from imsperf.synthetic.solver.servers import Balance
from imsperf.synthetic.solver.solve import NOTHING, balance
from imsperf.synthetic.solver.steps import Terms, terms

CHECK_WRITE = 1.5  # log writes that a sync point waits for, mean
WAITS_AT: dict[str, Place] = {"in_region": "region", "notified": "ims"}


def works_of(systems: Sequence[Network]) -> m.Works:
    """The work on networks that share database volumes and coupling facility.

    It is called `work`, its processors `cpu`; of several systems with `_1`, `_2`.
    """
    endings = [f"_{n + 1}" for n in range(len(systems))] if len(systems) > 1 else [""]
    return tuple(_work(system, end) for system, end in zip(systems, endings, strict=True))


def schedules_of_mix(network: Network) -> tuple[float, float, float]:
    """Schedules for a mean message; their CPU and their other time, us."""
    pools = [(share, network.region_pools[place]) for place, share in _shares(network).items()]
    return (
        sum(share * pool.schedule_chance for share, pool in pools),
        sum(share * pool.schedule_chance * pool.schedule_cpu_us for share, pool in pools),
        sum(share * pool.schedule_chance * pool.schedule_us for share, pool in pools),
    )


def eligible_us(network: Network) -> tuple[float, float, float]:
    """CPU of a mean transaction that may run on zIIPs, by place [outside, ims, region], us."""
    cpu, factor = network.cpu, network.mean("cpu_factor")
    before, region, output = cpu.eligible
    return (
        cpu.input_us * factor * before,
        cpu.output_us * factor * output,
        cpu.region_us * factor * region,
    )


def _work(network: Network, end: str) -> m.Work:
    pool = m.Pool(f"regions{end}", network.regions, tuple(_kinds(network, end)))
    if network.callouts:
        pool = m.Pool("slots", network.callouts.slots)
    return m.Work(
        f"work{end}",
        tuple(_steps(network, end)),
        clients=0 if network.is_open else network.clients,
        think_us=network.think_us,
        rate_per_s=network.rate_per_s,
        cpu=f"cpu{end}",
        pool=pool,
        cpus=network.cpu,
    )


def _steps(network: Network, end: str) -> Iterator[m.Step]:
    yield from _bursts(network)
    each, cpu_us, other_us = schedules_of_mix(network)
    if network.callouts is not None:
        yield from _log(network, each, end)
        yield m.Queue("latch", network.callouts.latch_us)
        yield m.Delay("service", network.unexplained_us)
        return
    yield m.Delay("unexplained", network.unexplained_us)
    if network.tcbs is not None:
        us = network.tcbs.us * network.mean("cpu_factor")
        yield m.Serial(f"{network.tcbs.name}{end}", us, tcbs=network.tcbs.count)
    yield m.Ios("dasd", network.mean("reads"), network.mean("writes"), network.dasd)
    if network.xcf.is_gate:
        yield m.Gate(f"xcf{end}", network.xcf)
    yield from (serial for serial in network.serials if serial.calls_exclusive > 0)
    if network.has_ims:
        yield from _log(network, each, end)
        yield from latch_steps(network.latches, end)
    if each > 0:
        yield m.Burst(cpu_us)
        yield m.Delay("schedule", other_us)
    if network.coupling is not None:
        yield _requests(network, network.coupling)


def _bursts(network: Network) -> Iterator[m.Step]:
    """CPU by place, the search of pools with that before the region."""
    cpu, factor = network.cpu, network.mean("cpu_factor")
    bursts = zip(PLACES, (cpu.input_us, cpu.output_us, cpu.region_us), strict=True)
    before, region, output = cpu.eligible
    for (place, us), eligible in zip(bursts, (before, output, region), strict=True):
        yield m.Burst(us * factor, place, eligible)
    if search := search_us(network):
        yield m.Burst(search, "outside", name="pool_search", grows=False)


def search_us(network: Network) -> float:
    """CPU of a transaction for looking at the blocks of its pools, without growth."""
    blocks = sum(pool.gets * max(pool.blocks_at_start - 1, 0) for pool in network.pools)
    return blocks * network.search_share * network.block_search_us


def _log(network: Network, schedules: float, end: str) -> Iterator[m.Step]:
    """WADS and OLDS. A schedule logs 08, its end 07 and what ends a thread to Db2."""
    log = network.logger
    place = WAITS_AT.get(log.check_write, "none")
    yield m.LogWrite(f"wads{end}", log.wads_us, log.wads_cv, place)  # type: ignore[arg-type]
    ends = log.schedule_bytes + log.end_bytes + log.thread_end_bytes
    yield m.LogBlocks(
        f"olds{end}",
        bytes=network.mean("log_bytes")
        + float(np.average(logged_bytes(network), weights=network.of_classes("weight")))
        + schedules * (ends + logged_bytes_of_schedule(network)),
        block_bytes=log.block_bytes,
        write_us=log.olds_us,
        buffers=log.buffers,
        cv=log.wads_cv,
    )


def latch_steps(latches: Latches, end: str = "") -> Iterator[Latch]:
    """LOGL, and LREC where sync points have it. Wait and post of a contention is CPU."""
    shared, held = latches.hold_shared_us, latches.hold_exclusive_us
    others = (latches.other_exclusive_per_s, latches.other_hold_us)
    post = latches.contention_cpu_us
    if latches.mode == "exclusive":
        yield Latch(f"logl{end}", 0, 0.0, latches.calls_shared + 1, held, *others, post)
    elif latches.mode == "shared":
        yield Latch(f"logl{end}", latches.calls_shared, shared, 1, held, *others, post)
    else:
        yield Latch(f"logl{end}", latches.calls_shared, shared, 0, 0.0, *others, post)
        yield Latch(f"lrec{end}", 0, 0.0, 1, held, 0.0, 0.0, post)


def _requests(network: Network, coupling: Coupling) -> m.CfRequests:
    cpu = network.cpu
    asked = coupling.requests("in_region") + coupling.requests("in_output")
    used = (cpu.input_us + cpu.region_us + cpu.output_us) * network.mean("cpu_factor")
    work = used * (1 + cpu.growth) / asked if asked > 0 else 0.0
    return m.CfRequests("cf", asked, coupling, cpu.cps, work)


# --- kinds of regions -----------------------------------------------------------------------------


def _shares(network: Network) -> dict[int, float]:
    """Of the transactions, those that use each pool of regions, by its place."""
    total = sum(work_class.weight for work_class in network.classes)
    shares: dict[int, float] = {}
    for work_class in network.classes:
        shares[work_class.pool] = shares.get(work_class.pool, 0.0) + work_class.weight / total
    return shares


def _kinds(network: Network, end: str) -> Iterator[m.RegionKind]:
    """Where there are several; of open work those that run out before all regions together do."""
    shares = _shares(network)
    if len(shares) == 1:
        return
    times = {place: _time_in_region(network, place) for place in shares}
    mean = sum(share * times[place] for place, share in shares.items())
    for place, share in shares.items():
        pool, hold = network.region_pools[place], times[place] / mean
        if not network.is_open or pool.count < network.regions * share * hold:
            yield m.RegionKind(f"{pool.name.lower()}{end}", pool.count, share, hold)


def _time_in_region(network: Network, place: int) -> float:
    """Mean time in a region of this kind without waits, us."""
    pool, dasd = network.region_pools[place], network.dasd
    here = [work_class for work_class in network.classes if work_class.pool == place]
    weight = sum(one.weight for one in here)
    read = dasd.pend_us + dasd.disc_us + dasd.conn_us
    own = sum(
        one.weight * (one.cpu_factor * network.cpu.region_us + one.reads * read) for one in here
    )
    log = network.logger
    held = CHECK_WRITE * log.wads_us if log.check_write == "in_region" else 0.0
    schedule = pool.schedule_chance * (pool.schedule_cpu_us + pool.schedule_us)
    return own / weight + network.unexplained_us + held + schedule


# --- solved ---------------------------------------------------------------------------------------


def balance_of(network: Network) -> Balance:
    """One system in balance."""
    return balances_of((network,))[0]


def balances_of(networks: Sequence[Network]) -> tuple[Balance, ...]:
    """Systems that share volumes and coupling facility, in balance."""
    return tuple(balance(works_of(networks)).values())


def balances_and_knees(networks: Sequence[Network]) -> tuple[tuple[Balance, ...], tuple[str, ...]]:
    """The same, and in words what the solver does not follow (answer.py)."""
    works = works_of(networks)
    solved = balance(works)
    return tuple(solved.values()), knees(results(works, solved))


def terms_at(network: Network, rate: float) -> Terms:
    """What its devices do at a rate per microsecond, whatever its balance is."""
    works = works_of((network,))
    return terms(works, works[0], {works[0].name: max(rate, NOTHING)})


def slower(network: Network, cap: float) -> Network:
    """The network where its partition may use that share of its CPs: slower ones.

    A cap does not slow zIIPs.
    """
    cpu, tcbs, latches = network.cpu, network.tcbs, network.latches
    eligible = eligible_us(network) if cpu.ziips else (0.0, 0.0, 0.0)
    factor = network.mean("cpu_factor")
    bursts, shares = [], []
    for us, part in zip((cpu.input_us, cpu.output_us, cpu.region_us), eligible, strict=True):
        part /= factor
        bursts.append((us - part) / cap + part)
        shares.append(part / bursts[-1] if part else 0.0)
    before, after, region = shares
    return replace(
        network,
        cpu=replace(
            cpu,
            input_us=bursts[0],
            output_us=bursts[1],
            region_us=bursts[2],
            fixed_us_per_s=cpu.fixed_us_per_s / cap,
            eligible=(before, region, after) if cpu.ziips else cpu.eligible,
        ),
        latches=replace(latches, contention_cpu_us=latches.contention_cpu_us / cap),
        tcbs=None if tcbs is None else replace(tcbs, us=tcbs.us / cap),
        region_pools=tuple(
            replace(pool, schedule_cpu_us=pool.schedule_cpu_us / cap)
            for pool in network.region_pools
        ),
    )
