"""What every step costs a transaction at given rates: CPU, delay, and load of the device behind it.

The devices that are no exponential servers (group write, XCF window, reader/writer latch, paths and
volumes, coupling facility) answer a rate with a wait. `terms` asks all of them once. Formulas:
devices.py. Times in microseconds, rates
per microsecond in here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import TypeVar

import numpy as np

from imsperf.synthetic.arrays import F64
from imsperf.synthetic.network.network import PLACES, Latch
from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.devices import (
    GroupCommit,
    Io,
    bunching,
    cores_and_threads,
    group_commit,
    latch,
    no_buffer,
    path_delay,
    requests,
    smt_speeds,
    spilled_share,
    volume_queue,
    xcf_gate,
)
from imsperf.synthetic.solver.devices import Latch as LatchDevice

Rates = Mapping[str, float]
Device = TypeVar("Device")
GROWING = 6  # rounds until growth and what zIIPs take agree
PLACE: dict[str, int] = {place: k for k, place in enumerate(PLACES)}


@dataclass(frozen=True)
class Visit:
    """One step of one transaction. Delay None: the device cannot keep up."""

    delay_us: float | None
    cpu_us: float = 0.0
    load: float | None = None  # share of what the device can do; None: it has no limit
    facts: Mapping[str, float | None] = field(default_factory=dict)
    device: object = None  # what devices.py says of it


@dataclass(frozen=True)
class User:
    """One work's step at a device, and how often it comes."""

    step: m.Step
    rate: float
    work: m.Work


@dataclass
class Terms:
    """What a transaction needs at the present rates, by place [outside, ims, region]."""

    cpu: F64 = field(default_factory=lambda: np.zeros(3))
    added: F64 = field(default_factory=lambda: np.zeros(3))  # of `cpu`, what does not grow
    ziip: F64 = field(default_factory=lambda: np.zeros(3))
    serial: dict[str, F64] = field(default_factory=dict)
    tcbs: dict[str, int] = field(default_factory=dict)  # how many do a serial part
    queues: dict[str, tuple[F64, int]] = field(default_factory=dict)
    delays: dict[str, F64] = field(default_factory=dict)
    loads: dict[str, float] = field(default_factory=dict)
    facts: dict[str, float | None] = field(default_factory=dict)
    devices: dict[str, object] = field(default_factory=dict)  # by the name of the step
    ziip_used: F64 = field(default_factory=lambda: np.zeros(3))
    spilled: float = 0.0  # share of the eligible CPU that finds no zIIP
    full: str = ""  # a device that cannot keep up
    growth: float = 1.0

    def wait(self, name: str, place: str, us: float) -> None:
        """Add a delay."""
        at = self.delays.setdefault(name, np.zeros(3))
        at[PLACE[place]] += us

    def device(self, kind: type[Device], name: str = "") -> Device | None:
        """The first device of a kind whose name begins so; None: there is none."""
        known = (device for key, device in self.devices.items() if key.startswith(name))
        return next((one for one in known if isinstance(one, kind)), None)

    @property
    def delay(self) -> F64:
        """All delays, by place."""
        return np.asarray(sum(self.delays.values(), np.zeros(3)))


def terms(works: m.Works, work: m.Work, rates: Rates) -> Terms:
    """The terms of a work while all works run at `rates` (per microsecond, by name)."""
    totals = Terms()
    for step in work.steps:
        if isinstance(step, m.Burst) and not step.grows:
            totals.added[PLACE[step.place]] += step.us
        elif isinstance(step, m.Burst):
            totals.cpu[PLACE[step.place]] += step.us * (1 - step.eligible)
            totals.ziip[PLACE[step.place]] += step.us * step.eligible
        elif isinstance(step, m.Queue):
            at = np.zeros(3)
            at[PLACE[step.place]] = step.us
            totals.queues[step.name] = (at, step.servers)
        else:
            _visited(totals, works, work, step, rates)
    _bunched(totals, work, rates[work.name])
    _grown(totals, work, rates[work.name])
    _ziips(totals, work, rates[work.name])
    return totals


def _bunched(totals: Terms, work: m.Work, rate: float) -> None:
    """More contentions of latches at the end of CPU bursts: a log write makes these bunch.

    Bursts without turns only: first come first served. The wait for a latch stays that of Poisson
    arrivals.
    """
    write = totals.device(GroupCommit)
    if write is None or write.writes <= 0 or work.cpus.quantum_us > 0:
        return
    cpus, at_end = work.cpus, PLACE["ims"]
    released = float(totals.cpu[at_end] + totals.added[at_end])  # waits and posts with the answer
    others = rate * float(totals.cpu.sum() - totals.cpu[at_end]) + cpus.fixed_us_per_s / 1e6
    factor = bunching(write.batch, 1 / write.writes, released, cpus.cps, others)
    for step in work.steps:
        seen = totals.devices.get(step.name)
        if not (isinstance(step, Latch) and step.within_cpu and isinstance(seen, LatchDevice)):
            continue
        more = min(factor, 1 / max(seen.exclusive_contention, 1e-12)) - 1
        contended = step.calls_exclusive * seen.exclusive_contention
        totals.added[at_end] += contended * more * step.contention_cpu_us
        name = f"{step.name}.contentions_per_s"
        totals.facts[name] = (totals.facts[name] or 0.0) * (1 + more)


def _visited(totals: Terms, works: m.Works, work: m.Work, step: m.Step, rates: Rates) -> None:
    """Add a step at a device that answers a rate with a wait."""
    place = "ims" if step.place == "none" else step.place
    if isinstance(step, m.Serial):
        totals.serial.setdefault(step.name, np.zeros(3))[PLACE[place]] += step.us
        totals.tcbs[step.name] = step.tcbs
        totals.cpu[PLACE[place]] += step.us
        return
    seen = visit(step, work, _users(works, step, rates))
    if seen.load is not None:
        totals.loads[step.name] = seen.load
    totals.facts |= {f"{step.name}.{key}": value for key, value in seen.facts.items()}
    if seen.device is not None:
        totals.devices[step.name] = seen.device
    if isinstance(step, Latch):  # wait and post of a contention: after the log write
        totals.added[PLACE["ims"]] += seen.cpu_us
    else:
        totals.cpu[PLACE[place]] += seen.cpu_us
    if seen.delay_us is None:
        totals.full = totals.full or step.name
    elif seen.delay_us > 0:
        totals.wait(step.name, place, seen.delay_us)


def _users(works: m.Works, step: m.Step, rates: Rates) -> list[User]:
    return [
        User(other, rates[work.name], work)
        for work in works
        for other in work.steps
        if type(other) is type(step) and other.name == step.name
    ]


def _grown(totals: Terms, work: m.Work, rate: float) -> None:
    """c x (1 + growth x U), model.md 3.3; U of the general CPs.

    What zIIPs do is no part of U, and grows with it: in turn, as growth is small.
    """
    cpus = work.cpus
    grows = rate * max(float(totals.cpu.sum() + totals.ziip.sum()), _bare(work))
    added = rate * float(totals.added.sum())
    growth = 1.0
    for _ in range(GROWING if cpus.ziips and totals.ziip.any() else 1):
        load, spilled, _inside = _ziip_load(work, rate, growth)
        on_cps = grows - load / growth * (1 - spilled)
        left = cpus.cps - on_cps * cpus.growth
        busy = min((on_cps + added + cpus.fixed_us_per_s / 1e6) / left, 1.0) if left > 0 else 1.0
        growth = 1 + cpus.growth * busy
    totals.growth = growth
    totals.cpu = totals.cpu * growth + totals.added
    totals.ziip *= growth
    for part in totals.serial.values():
        part *= growth


def _bare(work: m.Work) -> float:
    bursts = (step.us for step in work.steps if isinstance(step, m.Burst) and step.grows)
    serial = sum(step.us for step in work.steps if isinstance(step, m.Serial))
    return sum(bursts) + serial


def _ziip_load(work: m.Work, rate: float, growth: float) -> tuple[float, float, float]:
    """zIIPs that eligible work would keep busy, the share of it that spills, and how many bursts
    are on zIIPs; all as of Poisson arrivals."""
    cpus = work.cpus
    if cpus.ziips == 0:
        return 0.0, 0.0, 0.0
    bursts = (step for step in work.steps if isinstance(step, m.Burst))
    offered = rate * sum(step.us * step.eligible for step in bursts)
    load = offered * growth
    if not cpus.ziip_honor:
        return load, 0.0, load
    return load, *spilled_share(load, smt_speeds(cpus.ziips, cpus.ziip_threads, cpus.ziip_smt))


def _ziips(totals: Terms, work: m.Work, rate: float) -> None:
    """Eligible work: to the zIIPs, but for what spills back; all of it where there are none."""
    cpus = work.cpus
    if not totals.ziip.any():
        return
    if cpus.ziips == 0:
        totals.cpu += totals.ziip
        totals.ziip = np.zeros(3)
        return
    load, spilled, inside = _ziip_load(work, rate, totals.growth)
    used = totals.ziip * (1 - spilled)
    totals.ziip_used, totals.spilled = used, spilled
    (cores,), _threads = cores_and_threads(
        np.array([load]), cpus.ziips, cpus.ziip_threads, cpus.ziip_smt, honor=cpus.ziip_honor
    )
    totals.facts[f"{work.cpu}.ziip_busy"] = float(cores) / cpus.ziips
    if not cpus.ziip_honor:
        return
    totals.cpu += totals.ziip * spilled
    stretch = inside / (load * (1 - spilled)) if load > 0 else 1.0
    for k, place in enumerate(PLACES):
        if used[k] > 0:
            totals.wait(f"ziip_{work.cpu}", place, float(used[k] * stretch))
    speed = max(smt_speeds(cpus.ziips, cpus.ziip_threads, cpus.ziip_smt))
    totals.loads[f"ziip_{work.cpu}"] = load * (1 - spilled) / speed
    totals.facts[f"{work.cpu}.ziip_spilled"] = spilled
    totals.facts[f"{work.cpu}.ziip_speed"] = speed
    totals.ziip = np.zeros(3)


@singledispatch
def visit(step: m.Step, work: m.Work, users: Sequence[User]) -> Visit:
    """What the step costs one transaction of `work` while all `users` come."""
    raise TypeError(f"no rule for {type(step).__name__}")


@visit.register
def _(step: m.Delay, work: m.Work, users: Sequence[User]) -> Visit:
    return Visit(step.us)


@visit.register
def _(step: m.LogWrite, work: m.Work, users: Sequence[User]) -> Visit:
    device = group_commit(sum(user.rate for user in users), step.write_us, step.cv)
    facts = {"batch": device.batch, "wait_us": device.wait, "busy": device.busy}
    facts["writes_per_s"] = device.writes * 1e6
    delay = 0.0 if step.place == "none" else device.wait
    return Visit(delay, facts=facts, device=device)


@visit.register
def _(step: m.LogBlocks, work: m.Work, users: Sequence[User]) -> Visit:
    written = sum(
        user.rate * user.step.bytes for user in users if isinstance(user.step, m.LogBlocks)
    )
    load = written / step.block_bytes * step.write_us
    full = no_buffer(load, step.bytes, step.block_bytes, step.buffers, step.cv)
    facts = {"load": load, "no_buffer": full}
    return Visit(0.0 if load < 1 else None, load=load, facts=facts)


@visit.register
def _(step: m.Gate, work: m.Work, users: Sequence[User]) -> Visit:
    rate = sum(user.rate for user in users)
    closed = all(not user.work.is_open for user in users)
    xcf = step.xcf
    clients = sum(user.work.clients for user in users) / xcf.members if closed else np.inf
    device = xcf_gate(rate / xcf.members, xcf.quota, xcf.window_us, clients)
    facts = {"load": device.load, "delay_us": device.delay}
    return Visit(device.delay, load=device.load, facts=facts, device=device)


@visit.register
def _(step: Latch, work: m.Work, users: Sequence[User]) -> Visit:
    mine = [(user.step, user.rate) for user in users if isinstance(user.step, Latch)]
    shared = sum(rate * one.calls_shared for one, rate in mine)
    exclusive = [(rate * one.calls_exclusive, one.hold_exclusive_us) for one, rate in mine]
    exclusive.append((step.other_exclusive_per_s / 1e6, step.other_hold_us))
    device = latch(shared, step.hold_shared_us, exclusive)
    contended = step.calls_shared * device.shared_contention
    contended += step.calls_exclusive * device.exclusive_contention
    facts = {"load": device.load, "contentions_per_s": device.contentions * 1e6}
    delay = None
    if device.wait is not None:
        calls = step.calls_shared + step.calls_exclusive
        delay = calls * device.wait + step.calls_exclusive * device.drain
        if not step.within_cpu:
            delay += step.calls_shared * step.hold_shared_us
            delay += step.calls_exclusive * step.hold_exclusive_us
    return Visit(delay, contended * step.contention_cpu_us, device.load, facts, device)


@visit.register
def _(step: m.Ios, work: m.Work, users: Sequence[User]) -> Visit:
    rate = sum(
        user.rate * (user.step.reads + user.step.writes)
        for user in users
        if isinstance(user.step, m.Ios)
    )
    dasd = step.dasd
    path_load, cmr = path_delay(rate, dasd.paths, dasd.port_us)
    if cmr is None:
        return Visit(None, load=path_load, facts={"load": path_load}, device=Io(path_load, None))
    service = dasd.pend_us + cmr + dasd.disc_us + dasd.conn_us
    load, iosq = volume_queue(rate / dasd.volumes, service, dasd.exposures)
    response = None if iosq is None else service + iosq
    facts = {"cmr_us": cmr, "pend_us": dasd.pend_us + cmr, "iosq_us": iosq}
    facts |= {"response_us": response, "load": max(load, path_load)}
    delay = None if response is None else step.reads * response
    io = Io(path_load, cmr, iosq, response)
    return Visit(delay, load=max(load, path_load), facts=facts, device=io)


@visit.register
def _(step: m.CfRequests, work: m.Work, users: Sequence[User]) -> Visit:
    own = 0.0
    others = 0.0
    for user in users:
        if isinstance(user.step, m.CfRequests):
            here = user.work.cpu == work.cpu
            own += user.rate * user.step.count * here
            others += user.rate * user.step.count * (not here)
    device = requests(
        max(own, 1e-12),
        step.coupling,
        convert=step.convert,
        others=others,
        cps=step.cps,
        work_us=step.work_us,
    )
    load = device.served.processors
    facts = {
        "load": load,
        "converted": device.converted,
        "none_free": device.subchannel_busy,
        "host_cpu_us": device.host_cpu,
        "elapsed_us": device.elapsed,
        "requests_per_s": (own + others) * 1e6,
    }
    if device.saturated or device.waited is None:
        return Visit(None, load=1.0, facts=facts, device=device)
    load = max(load, device.served.subchannels)
    return Visit(step.count * device.waited, step.count * device.host_cpu, load, facts, device)
