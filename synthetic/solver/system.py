"""The balance of each system of declared networks: what interval mode and checks of a load need.

Networks whose processors are shared in turns are solved together by `solve`; those whose bursts run
to their end, first come first served (`Cpu.quantum_us` 0), by balance.py. Callouts and programs
without messages have balances of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.at_rate import NOBODY, Devices, devices_at
from imsperf.synthetic.solver.balance import solve_network
from imsperf.synthetic.solver.declared import model_of, suffixes
from imsperf.synthetic.solver.devices import GroupCommit, Latch
from imsperf.synthetic.solver.result import Places, Result, Results
from imsperf.synthetic.solver.solution import Solution
from imsperf.synthetic.solver.solve import solve

NOWHERE: Places = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class DeviceUse:
    """Devices at the rate of a balance: waits in microseconds, loads as shares."""

    gate_us: float  # for XCF
    cmr_us: float  # for a channel path, of an I/O
    path_load: float
    iosq_us: float
    logl: Latch
    lrec: Latch
    wads: GroupCommit
    olds_load: float


@dataclass(frozen=True)
class Offload:
    """What zIIPs do for one transaction, microseconds."""

    used_us: float
    spilled_us: float  # eligible work on general processors
    time_us: Places  # on zIIPs, with the wait for one: before, in and after the region


@dataclass(frozen=True)
class Tcb:
    """What a transaction does at the TCB of its caller: the wait, and the time it holds it."""

    wait_us: float
    held_us: float


@dataclass(frozen=True)
class FacilityUse:
    """One request to the coupling facility."""

    converted: float  # share sent asynchronously
    host_cpu_us: float
    facility_us: float  # subchannel wait, link and CF
    subchannel_busy: float  # share that finds none free


@dataclass(frozen=True)
class Balance:
    """One system. Times of a transaction in microseconds; shares without a unit."""

    rate_per_s: float
    saturated: bool  # open arrivals beyond what the system takes: `rate_per_s` is the limit
    bottleneck: str
    dispersion: float  # variance of the completions in a long time over their mean
    input_us: float  # before the queue for a region, without the XCF gate
    region_wait_us: float
    occupancy_us: float
    after_us: float  # from the end of the region to the answer
    check_write_us: float  # until a sync point is on the WADS
    parts_us: tuple[float, ...]  # of the response that vary by themselves
    cpu_us: Places  # on general processors: before, in and after the region
    search_us: float  # of it, for buffers of storage pools
    cpu_wait_us: float
    cpu_busy: float
    devices: DeviceUse
    offload: Offload | None = None
    tcb: Tcb | None = None
    facility: FacilityUse | None = None

    @property
    def response_us(self) -> float:
        """From delivery to the answer, as it is counted: from the queue for a region on."""
        return self.region_wait_us + self.occupancy_us + self.after_us


def balances(networks: Sequence[Network]) -> tuple[Balance, ...]:
    """The balance of these systems together, each. Errors: ScenarioError (model.py)."""
    if all(one.cpu.quantum_us > 0 for one in networks):
        found = solve(model_of(networks))
        names = suffixes(len(networks))
        return tuple(
            _of_result(one, found, suffix) for one, suffix in zip(networks, names, strict=True)
        )
    return tuple(_of_solution(one, solve_network(one)) for one in networks)


def device_use(network: Network, rate: float) -> DeviceUse:
    """Devices at a rate (per microsecond) that others give: of callouts, or of a program alone."""
    return _use_of(devices_at(network, rate))


# --- first come first served ----------------------------------------------------------------------


def _of_solution(network: Network, found: Solution) -> Balance:
    devices, demand = found.devices, found.demand
    held = _write_in(network, "in_region", found.check_write_us)
    notified = _write_in(network, "notified", found.check_write_us)
    wait = float(found.region_wait_us or 0.0)
    waits = found.input_us - (devices.serial_us or 0.0) - demand.input_us
    waits += found.output_us - demand.output_us + found.held_by["cpu"]
    region = demand.region_us + found.held_by["cpu"]
    return Balance(
        rate_per_s=found.rate_per_s,
        saturated=found.saturated,
        bottleneck=found.bottleneck,
        dispersion=found.dispersion,
        input_us=float(found.input_us),
        region_wait_us=wait,
        occupancy_us=found.occupancy_us,
        after_us=notified + float(found.output_us),
        check_write_us=found.check_write_us,
        parts_us=(
            region, network.unexplained_us, found.output_us, wait, (notified + held) / 2
        ),
        cpu_us=(demand.input_us, demand.region_us, demand.output_us),
        search_us=demand.search_us,
        cpu_wait_us=float(waits),
        cpu_busy=float(found.cpu_busy),
        devices=_use_of(devices),
    )  # fmt: skip


def _use_of(devices: Devices) -> DeviceUse:
    return DeviceUse(
        gate_us=float(devices.gate_us or 0.0),
        cmr_us=float(devices.cmr_us or 0.0),
        path_load=devices.path_load,
        iosq_us=float(devices.iosq_us or 0.0),
        logl=devices.logl,
        lrec=devices.lrec,
        wads=devices.wads,
        olds_load=devices.olds_load,
    )


def _write_in(network: Network, place: str, us: float) -> float:
    return us if network.logger.check_write == place else 0.0


# --- in turns -------------------------------------------------------------------------------------


def _of_result(network: Network, results: Results, suffix: str) -> Balance:
    found = results.of(f"work{suffix}")
    facts = {name: float(value or 0.0) for name, value in results.details.items()}
    cpu, gate = f"cpu{suffix}", f"xcf{suffix}"
    kinds = [f"{one.name.lower()}{suffix}" for one in network.region_pools]
    times = {name: at for name, at in found.times.items() if name not in (gate, *kinds)}
    before, after, _ = (sum(at[place] for at in times.values()) for place in range(3))
    queued = facts.get(f"regions{suffix}.wait_us", 0.0)
    queued += sum(sum(found.times.get(name, NOWHERE)) for name in kinds)
    written = facts[f"wads{suffix}.wait_us"]
    held = _write_in(network, "in_region", written)
    notified = _write_in(network, "notified", written)
    tcb = None if network.tcbs is None else _tcb(network, found, facts)
    offload = _offload(network, found, facts, cpu) if network.cpu.ziips else None
    on_cpu = times[cpu]
    running = sum(on_cpu) + (tcb.held_us if tcb else 0.0)
    moved = offload.time_us if offload else NOWHERE
    return Balance(
        rate_per_s=found.rate,
        saturated=found.saturated,
        bottleneck=found.bottleneck.removesuffix(suffix),
        dispersion=found.dispersion,
        input_us=before,
        region_wait_us=queued,
        occupancy_us=facts[f"regions{suffix}.occupancy_us"],
        after_us=after,
        check_write_us=written,
        parts_us=(
            on_cpu[2],
            network.unexplained_us,
            on_cpu[1],
            queued,
            (notified + held) / 2,
            moved[1],
            moved[2],
            tcb.wait_us + tcb.held_us if tcb else 0.0,
        ),
        cpu_us=(found.cpu[0], found.cpu[2], found.cpu[1]),
        search_us=0.0,
        cpu_wait_us=running - sum(found.cpu),
        cpu_busy=facts[f"{cpu}.busy"],
        devices=_devices(found, facts, suffix),
        offload=offload,
        tcb=tcb,
        facility=None if network.coupling is None else _facility(facts),
    )


def _devices(found: Result, facts: dict[str, float], suffix: str) -> DeviceUse:
    wads = f"wads{suffix}"
    return DeviceUse(
        gate_us=sum(found.times.get(f"xcf{suffix}", NOWHERE)),
        cmr_us=facts["dasd.cmr_us"],
        path_load=facts["dasd.path_load"],
        iosq_us=facts["dasd.iosq_us"],
        logl=_latch(facts, f"logl{suffix}"),
        lrec=_latch(facts, f"lrec{suffix}"),
        wads=GroupCommit(
            busy=facts[f"{wads}.busy"],
            writes=facts[f"{wads}.writes_per_s"] / 1e6,
            batch=facts[f"{wads}.batch"],
            wait=facts[f"{wads}.wait_us"],
        ),
        olds_load=facts[f"olds{suffix}.load"],
    )


def _latch(facts: dict[str, float], name: str) -> Latch:
    """What a caller meets there; rates are those of the network's calls and not repeated."""
    if f"{name}.load" not in facts:
        return NOBODY
    return Latch(
        load=facts[f"{name}.load"],
        shared_rate=0.0,
        shared_contention=facts[f"{name}.shared_contention"],
        exclusive_rate=0.0,
        exclusive_contention=facts[f"{name}.exclusive_contention"],
        wait=facts[f"{name}.wait_us"],
        drain=facts[f"{name}.drain_us"],
    )


def _tcb(network: Network, found: Result, facts: dict[str, float]) -> Tcb:
    assert network.tcbs is not None
    name = network.tcbs.name
    held = facts[f"{name}.busy"] * network.tcbs.count / found.rate * 1e6
    return Tcb(max(sum(found.times[name]) - held, 0.0), held)


def _offload(network: Network, found: Result, facts: dict[str, float], cpu: str) -> Offload:
    name = f"ziip_{cpu}"
    if name not in found.times:
        return Offload(0.0, 0.0, NOWHERE)
    use, time = found.station(name), found.times[name]
    speed = facts.get(f"{cpu}.ziip_speed", use.limit)
    used = use.utilisation * speed / found.rate * 1e6
    spilled = facts.get(f"{cpu}.ziip_spilled", 0.0)
    return Offload(used, used * spilled / max(1 - spilled, 1e-9), (time[0], time[2], time[1]))


def _facility(facts: dict[str, float]) -> FacilityUse:
    return FacilityUse(
        converted=facts["cf.converted"],
        host_cpu_us=facts["cf.host_cpu_us"],
        facility_us=facts["cf.facility_us"],
        subchannel_busy=facts["cf.subchannel_busy"],
    )
