"""The balance of declared networks: `model_of` makes the solver's model, `balance_of` solves it.

The event simulation runs the same `Network`. What the model has otherwise: schedules are those of
the mean message, HyperPAV aliases serve all volumes, and all requests to the coupling facility are
made in the region. CPU bursts that keep a processor to their end (tps-100k) have balance.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.network.network import Coupling, Latches, Network
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.answer import knees, results
from imsperf.synthetic.solver.balance import solve_network
from imsperf.synthetic.solver.coupling import Facility
from imsperf.synthetic.solver.servers import Found
from imsperf.synthetic.solver.solve import balance

Floats = npt.NDArray[np.float64]

CHECK_WRITE = 1.5  # log writes that a sync point waits for, mean
WAITS_AT: dict[str, m.Place] = {"in_region": "region", "notified": "ims"}


@dataclass(frozen=True)
class Balance:
    """A network in balance; microseconds of a mean transaction, by place [outside, ims, region]."""

    rate_per_s: float
    full: str  # what open arrivals saturate; empty: nothing
    dispersion: float  # variance of the completions over their mean, in a long time
    gate_us: float  # held by XCF, before all else
    queue_us: float  # wait for a region
    times: Floats  # all other time; that outside without the gate
    cpu_us: Floats  # CPU on general CPs
    cpu_wait_us: float  # wait for a CP, all places
    cpu_time_us: Floats  # CPU with its waits
    check_write_us: float
    search_us: float = 0.0  # of the CPU: search of pools
    spilled: float = 0.0  # share of the eligible work that runs on CPs
    ziip_used_us: Floats | None = None  # on zIIPs; None: there are none
    ziip_us: Floats | None = None  # with the wait for one
    tcb_us: float = 0.0  # at a TCB
    tcb_wait_us: float = 0.0  # of it, the wait
    requests: Mapping[str, float | None] | None = None  # to a coupling facility, see steps.py
    knees: tuple[str, ...] = ()  # states that the solver does not follow (answer.py)


def model_of(systems: Sequence[Network], capped: float = 1.0) -> m.Model:
    """The model of networks that share database volumes and coupling facility.

    `capped`: share of its CPs that a partition may use (1: all); its CPs are slower by that, its
    zIIPs are not. Works are `work`, their processors `cpu`; of several systems with `_1`, `_2`.
    Errors: ScenarioError for what no model can have.
    """
    endings = [f"_{n + 1}" for n in range(len(systems))] if len(systems) > 1 else [""]
    return m.Model(
        tuple(_work(one, end, capped) for one, end in zip(systems, endings, strict=True)),
        tuple(_processors(one, end, capped) for one, end in zip(systems, endings, strict=True)),
    )


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


def _processors(network: Network, end: str, capped: float) -> m.Cpus:
    cpu = network.cpu
    return m.Cpus(
        f"cpu{end}",
        cps=cpu.cps,
        fixed_us_per_s=cpu.fixed_us_per_s / capped,
        growth=cpu.growth,
        ziips=cpu.ziips,
        threads=cpu.ziip_threads,
        smt=cpu.ziip_smt,
        honor=cpu.ziip_honor,
        turn_us=cpu.quantum_us,
    )


def _work(network: Network, end: str, capped: float) -> m.Work:
    return m.Work(
        f"work{end}",
        tuple(_steps(network, end, capped)),
        clients=0 if network.is_open else network.clients,
        think_us=network.think_us,
        rate_per_s=network.rate_per_s,
        cpu=f"cpu{end}",
        pool=m.Pool(f"regions{end}", network.regions, tuple(_kinds(network, end))),
    )


def _steps(network: Network, end: str, capped: float) -> Iterator[m.Step]:
    yield from _bursts(network, capped)
    yield m.Delay("unexplained", network.unexplained_us)
    if network.tcbs is not None:
        us = network.tcbs.us * network.mean("cpu_factor") / capped
        yield m.Serial(f"{network.tcbs.name}{end}", us, tcbs=network.tcbs.count)
    dasd = network.dasd
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
    )
    if network.xcf.is_gate:
        xcf = network.xcf
        yield m.Gate(f"xcf{end}", xcf.members, xcf.quota, xcf.window_us)
    each, cpu_us, other_us = schedules_of_mix(network)
    yield from _log(network, each, end)
    yield from latch_steps(network.latches, end, capped)
    if each > 0:
        yield m.Scheduling("schedule", cpu_us / each / capped, other_us / each, max(1 / each, 1.0))
    if network.coupling is not None:
        yield _requests(network, network.coupling)


def _bursts(network: Network, capped: float) -> Iterator[m.Step]:
    """CPU by place; what is eligible is a burst of its own, as a cap does not slow zIIPs."""
    cpu, factor = network.cpu, network.mean("cpu_factor")
    bursts = zip(m.PLACES, (cpu.input_us, cpu.output_us, cpu.region_us), strict=True)
    for (place, us), eligible in zip(bursts, eligible_us(network), strict=True):
        yield m.Burst((us * factor - eligible) / capped, place)
        if eligible > 0:
            slower = 1.0 if cpu.ziips else capped
            yield m.Burst(eligible / slower, place, 1.0)


def _log(network: Network, schedules: float, end: str) -> Iterator[m.Step]:
    """WADS and OLDS. A schedule logs 08, its end 07 and what ends a thread to Db2."""
    log = network.logger
    place = WAITS_AT.get(log.check_write, "none")
    yield m.LogWrite(f"wads{end}", log.wads_us, log.wads_cv, place)  # type: ignore[arg-type]
    ends = log.schedule_bytes + log.end_bytes + log.thread_end_bytes
    yield m.LogBlocks(
        f"olds{end}",
        bytes=network.mean("log_bytes") + schedules * ends,
        block_bytes=log.block_bytes,
        write_us=log.olds_us,
        buffers=log.buffers,
        cv=log.wads_cv,
    )


def latch_steps(one: Latches, end: str = "", capped: float = 1.0) -> Iterator[m.Latch]:
    """LOGL, and LREC where sync points have it. Wait and post of a contention is CPU."""
    shared, held = one.hold_shared_us, one.hold_exclusive_us
    others = (one.other_exclusive_per_s, one.other_hold_us)
    post = one.contention_cpu_us / capped
    if one.mode == "exclusive":
        yield m.Latch(f"logl{end}", 0, 0.0, one.calls_shared + 1, held, *others, post)
    elif one.mode == "shared":
        yield m.Latch(f"logl{end}", one.calls_shared, shared, 1, held, *others, post)
    else:
        yield m.Latch(f"logl{end}", one.calls_shared, shared, 0, 0.0, *others, post)
        yield m.Latch(f"lrec{end}", 0, 0.0, 1, held, 0.0, 0.0, post)


def _requests(network: Network, coupling: Coupling) -> m.CfRequests:
    cpu = network.cpu
    asked = coupling.requests("in_region") + coupling.requests("in_output")
    used = (cpu.input_us + cpu.region_us + cpu.output_us) * network.mean("cpu_factor")
    work = used * (1 + cpu.growth) / asked if asked > 0 else 0.0
    return m.CfRequests("cf", asked, facility_of(coupling, cpu.cps, work))


def facility_of(coupling: Coupling, cps: int, work: float) -> Facility:
    """The coupling facility as a host sees it whose `cps` do `work` us between two requests."""
    return Facility(
        processors=coupling.processors,
        subchannels=coupling.subchannels,
        link=coupling.link_us,
        service=coupling.service_us,
        async_cpu=coupling.async_cpu_us,
        async_delay=coupling.async_delay_us,
        threshold=coupling.threshold_us,
        cps=cps,
        work=work,
    )


# --- kinds of regions -----------------------------------------------------------------------------


def _shares(network: Network) -> dict[int, float]:
    """Of the transactions, those that use each pool of regions, by its place."""
    total = sum(one.weight for one in network.classes)
    shares: dict[int, float] = {}
    for one in network.classes:
        shares[one.pool] = shares.get(one.pool, 0.0) + one.weight / total
    return shares


def _kinds(network: Network, end: str) -> Iterator[m.Kind]:
    """Where there are several; of open work those that run out before all regions together do."""
    shares = _shares(network)
    if len(shares) == 1:
        return
    times = {place: _time_in_region(network, place) for place in shares}
    mean = sum(share * times[place] for place, share in shares.items())
    for place, share in shares.items():
        pool, hold = network.region_pools[place], times[place] / mean
        if not network.is_open or pool.count < network.regions * share * hold:
            yield m.Kind(f"{pool.name.lower()}{end}", pool.count, share, hold)


def _time_in_region(network: Network, place: int) -> float:
    """Mean time in a region of this kind without waits, us."""
    pool, dasd = network.region_pools[place], network.dasd
    here = [one for one in network.classes if one.pool == place]
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


def balance_of(network: Network, systems: int = 1, cap: float = 1.0) -> Balance:
    """The network with so many like it at the same volumes and coupling facility.

    `cap`: share of its CPs that the partition may use.
    """
    if network.cpu.quantum_us == 0:
        return _without_turns(capped(network, cap))
    model = model_of((network,) * systems, cap)
    found = balance(model)
    near = knees(model, results(model, found))
    return replace(_of_work(network, model, found[model.work[0].name]), knees=near)


def capped(network: Network, cap: float) -> Network:
    """The network where its partition may use that share of its CPs: slower ones."""
    names = ("input_us", "region_us", "output_us", "fixed_us_per_s")
    slower = {name: getattr(network.cpu, name) / cap for name in names}
    return replace(network, cpu=replace(network.cpu, **slower))


def _of_work(network: Network, model: m.Model, found: Found) -> Balance:
    """From what the solver found for one work."""
    work, terms, point = found.work, found.terms, found.point
    stretch = dict(zip(found.servers, point.stretch, strict=True))
    times = {name: one.times(stretch[name]) for name, one in found.servers.items()}
    kinds = {one.name for one in work.pool.kinds} if work.pool else set()
    gates = {one.name for one in work.steps if isinstance(one, m.Gate)}
    gate_us = sum(float(terms.delays[one].sum()) for one in gates if one in terms.delays)
    queue_us = sum(float(terms.delays[one].sum()) for one in kinds if one in terms.delays)
    spent = [at for name, at in terms.delays.items() if name not in gates | kinds]
    at_cpu = times[work.cpu]
    held = sum((found.servers[name].at for name in terms.serial), np.zeros(3))
    at_tcbs = sum(float(times[name].sum()) for name in terms.serial)
    wads = next(one.name for one in work.steps if isinstance(one, m.LogWrite))
    ziip = f"ziip_{work.cpu}"
    ziip_times = times.get(ziip, terms.delays.get(ziip, np.zeros(3)))
    spilled = float(terms.facts.get(f"{work.cpu}.ziip_spilled") or 0.0)
    full = terms.full or (point.full.replace("pool", "regions") if point.saturated else "")
    full = full.removesuffix("_1")  # of several systems alike the first one's
    return Balance(
        rate_per_s=point.rate * 1e6,
        full=full,
        dispersion=1.0 if network.is_open else point.dispersion,
        gate_us=gate_us,
        queue_us=point.pool_wait + queue_us,
        times=np.asarray(sum(times.values(), np.zeros(3)) + sum(spent, np.zeros(3))),
        cpu_us=terms.cpu,
        cpu_wait_us=float((at_cpu + held - terms.cpu).sum()),
        cpu_time_us=at_cpu + held,
        check_write_us=float(terms.facts[f"{wads}.wait_us"] or 0.0),
        spilled=spilled,
        ziip_used_us=_on_ziips(network, terms.growth * (1 - spilled)),
        ziip_us=ziip_times if network.cpu.ziips else None,
        tcb_us=at_tcbs,
        tcb_wait_us=at_tcbs - float(held.sum()),
        requests=terms.facts if network.coupling is not None else None,
    )


def _on_ziips(network: Network, factor: float) -> Floats | None:
    return np.array(eligible_us(network)) * factor if network.cpu.ziips else None


def _without_turns(network: Network) -> Balance:
    """Bursts that keep a CP to their end, first come first served."""
    found = solve_network(network)
    demand, devices = found.demand, found.devices
    serial_us = devices.serial_us or 0.0
    notified = found.check_write_us if network.logger.check_write == "notified" else 0.0
    in_region = demand.region_us + found.held_by["cpu"]
    cpu_time = np.array([found.input_us - serial_us, found.output_us, in_region])
    cpu_us = np.array([demand.input_us, demand.output_us, demand.region_us])
    return Balance(
        rate_per_s=found.rate_per_s,
        full=found.bottleneck if found.saturated else "",
        dispersion=found.dispersion,
        gate_us=devices.gate_us or 0.0,
        queue_us=found.region_wait_us or 0.0,
        times=np.array([found.input_us, notified + found.output_us, found.occupancy_us]),
        cpu_us=cpu_us,
        cpu_wait_us=float((cpu_time - cpu_us).sum()),
        cpu_time_us=cpu_time,
        check_write_us=found.check_write_us,
        search_us=demand.search_us,
    )
