"""What `solve` takes, from declared networks: one work with its processors for each system.

Every station of a `Network` becomes the step of a `Model` that stands for it; nothing is read from
a scenario here. A transaction is the mean of the mix. Systems share database volumes and the
coupling facility; all else of theirs has the suffix of the system in its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imsperf.synthetic.network.network import Network, RegionPool, TransactionClass
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.coupling import Facility

CHECK_WRITE = 1.5  # log writes that a sync point waits for
LOG_PLACES: dict[str, m.Place] = {"in_region": "region", "notified": "ims"}


def model_of(networks: Sequence[Network]) -> m.Model:
    """The model of these systems together, in their order. Errors: ScenarioError (model.py)."""
    systems = list(zip(networks, suffixes(len(networks)), strict=True))
    return m.Model(
        tuple(work_of(network, suffix) for network, suffix in systems),
        tuple(processors_of(network, suffix) for network, suffix in systems),
    )


def suffixes(systems: int) -> tuple[str, ...]:
    """What tells the stations of one system of several apart; nothing where there is one."""
    return ("",) if systems == 1 else tuple(f"_{place + 1}" for place in range(systems))


def processors_of(network: Network, suffix: str = "") -> m.Cpus:
    """The processors of one LPAR."""
    cpu = network.cpu
    return m.Cpus(
        f"cpu{suffix}",
        cps=cpu.cps,
        fixed_us_per_s=cpu.fixed_us_per_s,
        growth=cpu.growth,
        ziips=cpu.ziips,
        threads=cpu.ziip_threads,
        smt=cpu.ziip_smt,
        honor=cpu.ziip_honor,
        turn_us=cpu.quantum_us,
    )


def work_of(network: Network, suffix: str = "") -> m.Work:
    """Clients or arrivals of one system, and the steps of a transaction."""
    size = network.regions
    return m.Work(
        f"work{suffix}",
        tuple(_steps(network, suffix)),
        clients=0 if network.is_open else network.clients,
        think_us=network.think_us,
        rate_per_s=network.rate_per_s,
        cpu=f"cpu{suffix}",
        pool=m.Pool(f"regions{suffix}", size, tuple(_kinds(network, suffix))),
    )


def _steps(network: Network, suffix: str) -> Iterator[m.Step]:
    yield from _bursts(network)
    dasd, xcf = network.dasd, network.xcf
    yield m.Ios(
        "dasd",
        reads=network.mean("reads"),
        writes=network.mean("writes"),
        volumes=dasd.volumes,
        aliases=dasd.aliases,
        paths=dasd.paths,
        port_us=dasd.port_us,
        pend_us=dasd.pend_us,
        disc_us=dasd.disc_us,
        conn_us=dasd.conn_us,
        shared_aliases=dasd.shared_aliases,
    )
    yield m.Delay("unexplained", network.unexplained_us)
    if xcf.is_gate:
        yield m.Gate(f"xcf{suffix}", xcf.members, xcf.quota, xcf.window_us)
    yield from _log(network, suffix)
    yield from _latches(network, suffix)
    yield from _requests(network)
    yield from _schedules(network)


def _bursts(network: Network) -> Iterator[m.Step]:
    cpu, factor = network.cpu, network.mean("cpu_factor")
    before, inside, after = cpu.eligible
    yield m.Burst(cpu.input_us * factor, "outside", before)
    yield m.Burst(cpu.output_us * factor, "ims", after)
    yield m.Burst(cpu.region_us * factor, "region", inside)
    if network.tcbs is not None:
        yield m.Serial(network.tcbs.name, network.tcbs.us * factor, tcbs=network.tcbs.count)


def _log(network: Network, suffix: str) -> Iterator[m.Step]:
    """WADS and OLDS; each schedule logs 08, and 07 at the end of its program."""
    log = network.logger
    schedules = sum(share * pool.schedule_chance for share, pool in _shares(network))
    each = log.schedule_bytes + log.end_bytes + log.thread_end_bytes
    place = LOG_PLACES.get(log.check_write, "none")
    yield m.LogWrite(f"wads{suffix}", log.wads_us, log.wads_cv, place)
    yield m.LogBlocks(
        f"olds{suffix}",
        bytes=network.mean("log_bytes") + schedules * each,
        block_bytes=log.block_bytes,
        write_us=log.olds_us,
        buffers=log.buffers,
        cv=log.wads_cv,
    )


def _latches(network: Network, suffix: str) -> Iterator[m.Step]:
    """LOGL, and LREC where it is split off."""
    one, post = network.latches, network.latches.contention_cpu_us
    calls, shared, alone = one.calls_shared, one.hold_shared_us, one.hold_exclusive_us
    others = (one.other_exclusive_per_s, one.other_hold_us)
    if one.mode == "exclusive":
        yield m.Latch(f"logl{suffix}", 0, 0.0, calls + 1, alone, *others, post)
    elif one.mode == "shared":
        yield m.Latch(f"logl{suffix}", calls, shared, 1, alone, *others, post)
    else:
        yield m.Latch(f"logl{suffix}", calls, shared, 0, 0.0, *others, post)
        yield m.Latch(f"lrec{suffix}", 0, 0.0, 1, alone, 0.0, 0.0, post)


def _requests(network: Network) -> Iterator[m.Step]:
    """Requests to the coupling facility, all of them while a region is held."""
    coupling, cpu = network.coupling, network.cpu
    if coupling is None:
        return
    count = coupling.requests("in_region") + coupling.requests("in_output")
    us = (cpu.input_us + cpu.region_us + cpu.output_us) * network.mean("cpu_factor")
    facility = Facility(
        coupling.processors,
        coupling.subchannels,
        coupling.link_us,
        coupling.service_us,
        coupling.async_cpu_us,
        coupling.async_delay_us,
        coupling.threshold_us,
        cpu.cps,
        us * (1 + cpu.growth) / count if count > 0 else 0.0,  # work between two; CPs are full
    )
    yield m.CfRequests("cf", count, facility)


def _schedules(network: Network) -> Iterator[m.Step]:
    """Schedules of programs, where some regions have them; their cost is the mean over the mix."""
    shares = [(share * pool.schedule_chance, pool) for share, pool in _shares(network)]
    each = sum(share for share, _ in shares)
    if each > 0:
        cpu_us = sum(share * pool.schedule_cpu_us for share, pool in shares) / each
        other_us = sum(share * pool.schedule_us for share, pool in shares) / each
        yield m.Scheduling("schedule", cpu_us, other_us, 1 / each)


def _shares(network: Network) -> Iterator[tuple[float, RegionPool]]:
    """Each kind of regions with its share of the transactions."""
    total = sum(one.weight for one in network.classes)
    for place, pool in enumerate(network.region_pools):
        yield sum(one.weight for one in _of_pool(network, place)) / total, pool


def _of_pool(network: Network, place: int) -> list[TransactionClass]:
    return [one for one in network.classes if one.pool == place]


def _kinds(network: Network, suffix: str) -> Iterator[m.Kind]:
    """The kinds of regions, where there are several; of open work those that run out first.

    These have fewer than all regions together have, for their share of the time held.
    """
    if len(network.region_pools) == 1:
        return
    mean = sum(
        share * _hold(network, place, pool)
        for place, (share, pool) in enumerate(_shares(network))
    )
    for place, (share, pool) in enumerate(_shares(network)):
        hold = _hold(network, place, pool) / mean
        if share > 0 and (not network.is_open or pool.count < network.regions * share * hold):
            yield m.Kind(f"{pool.name.lower()}{suffix}", pool.count, share, hold)


def _hold(network: Network, place: int, pool: RegionPool) -> float:
    """Mean time in a region of one kind without waits, us."""
    mine, dasd = _of_pool(network, place), network.dasd
    weight = sum(one.weight for one in mine)
    log = network.logger.wads_us if network.logger.check_write == "in_region" else 0.0
    cpu = sum(one.weight * one.cpu_factor for one in mine) / weight * network.cpu.region_us
    reads = sum(one.weight * one.reads for one in mine) / weight
    schedules = pool.schedule_chance * (pool.schedule_cpu_us + pool.schedule_us)
    others = network.unexplained_us + CHECK_WRITE * log + schedules
    return cpu + reads * (dasd.pend_us + dasd.disc_us + dasd.conn_us) + others
