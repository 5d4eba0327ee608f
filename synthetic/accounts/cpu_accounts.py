"""What was simulated, charged to address spaces and classes.

CPU busy time of an interval, to the tick: what is used at any rate goes to the master address
space, pool searches and latch contentions to IMS, the rest to the groups by the cost table and
within a group to its address spaces. What no address space has is uncaptured: type 70 is type 72
and that. Regions have what their messages used (`RegionUsage`); one whose program is in a loop
has no other work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from imsperf.synthetic.accounts.archive_jobs import ArchiveJobs
from imsperf.synthetic.accounts.further_volumes import is_library, of_traces
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import WHOLE, as_weights, in_units, shared
from imsperf.synthetic.accounts.inventory import IMS, Inventory
from imsperf.synthetic.accounts.program_run import ProgramRun, place_of
from imsperf.synthetic.accounts.regions import job_names
from imsperf.synthetic.arrays import I64, Values
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.address_space import Usage
from imsperf.synthetic.smf.measured import Amounts, summed
from imsperf.synthetic.smf.record_groups import Interval
from imsperf.synthetic.smf.type71 import page_time
from imsperf.synthetic.smf.type74_1 import device_ticks
from imsperf.synthetic.smf.work import PeriodUse, Policy, Samples
from imsperf.synthetic.units import TICKS_PER_US

SRB_PER_CENT = {"EZBTCPIP": 70, "IXCINJST": 90, "HWSHWS00": 5, "DFSMVRC0": 10}  # assumed


@dataclass(frozen=True)
class Accounts:
    """Usage of the address spaces (n, m) and classes (n, classes); CPU of none (n,), ticks."""

    usage: Usage
    use: PeriodUse
    uncaptured: I64


def policy_of(host: Host) -> Policy:
    """The service policy; a service unit as the capacity rating of type 70 has it."""
    capacity = round(1024 * host.smt_factor) if host.smt > 1 else 1024
    return Policy(adjustment=round(16 * 3600 / host.msu_per_cp), ziip_capacity=capacity)


def accounts_of(
    result: SimResult,
    network: Network,
    inventory: Inventory,
    host: Host,
    interval: Interval,
    program: ProgramRun | None = None,
    jobs: ArchiveJobs | None = None,
) -> Accounts:
    """Charge everything that was simulated. `program`: the one batch program there is."""
    cpu, uncaptured = cpu_of(result, network, inventory, jobs)
    usage = replace(
        _usage(cpu, result, network, inventory, host, interval),
        **_on_ziips(result, network, inventory),
    )
    if jobs is not None and len(jobs.begin):
        usage = jobs.charged(usage, inventory)
    if program is not None:
        assert network.sequence is not None
        usage = program.charged(_with_srbs(usage, program.place, network.sequence.srb_share))
    usage = replace(usage, page_time=page_time(np.asarray(usage.resident)))
    use = _use(usage, result, inventory, policy_of(host), interval)
    if program is not None:
        use = program.in_classes(use, inventory)
    return Accounts(usage, use, uncaptured)


def cpu_of(
    result: SimResult, network: Network, inventory: Inventory, jobs: ArchiveJobs | None = None
) -> tuple[I64, I64]:
    """CPU ticks of each address space, (n, m), and of none, (n,): together all that was used."""
    busy = result.cpu_ticks.sum(axis=1)
    fixed = np.minimum(result.background_cpu_ticks, busy)
    if network.sequence is not None:
        share = network.sequence.uncaptured
        parts = np.append(np.array(inventory.shares) * (1 - share), share)
        ticks = shared(fixed, as_weights(parts))
        ticks[:, place_of(network, inventory)] += busy - fixed
        return ticks[:, :-1], ticks[:, -1]
    post = (result.cont_shr + result.cont_exc) @ network.contention_ticks
    ims = np.minimum(result.cpu_search_ticks + post, busy - fixed)
    asked = _requests(result, network, inventory, busy - fixed - ims)
    spilled = np.minimum(result.ziip_spilled_ticks, busy - fixed - ims - asked.sum(axis=1))
    own = busy - fixed - ims - asked.sum(axis=1) - spilled
    used = regions_used(result, network, inventory)
    ticks = shared(own, _weights(network, inventory))
    eligible = shared(spilled, _eligible(network, inventory))
    cpu = used.cut(ticks[:, :-1] + asked) + used.cut_eligible(eligible[:, :-1])
    cpu += shared(ims, _of_row(inventory, IMS))
    loop = _in_a_loop(result, inventory, fixed)
    cpu = _of_others(cpu, loop, inventory)
    archived = _of_archives(jobs, cpu.shape, fixed - loop.sum(axis=1))
    cpu += _at_any_rate(fixed - loop.sum(axis=1) - archived.sum(axis=1), network, inventory)
    return cpu + loop + archived, ticks[:, -1] + eligible[:, -1]


def _at_any_rate(fixed: I64, network: Network, inventory: Inventory) -> I64:
    """The fixed work by address space (n, m): the master's, unless groups have it."""
    weight = np.zeros(len(inventory.spaces), np.int64)
    if any(us for _, us in network.cpu.fixed_by_space):
        weight = _parts(dict(network.cpu.fixed_by_space), inventory)[:-1]
    weight[inventory.master] += not weight.any()
    return shared(fixed, weight)


def _of_archives(jobs: ArchiveJobs | None, shape: tuple[int, ...], most: I64) -> I64:
    """CPU of archive jobs by address space (n, m), of `most` (n,)."""
    own = np.zeros(shape, np.int64)
    if jobs is not None and len(jobs.begin):
        upto = np.minimum(np.cumsum(jobs.cpu, axis=1), np.maximum(most, 0)[:, None])
        own[:, -len(jobs.begin) :] = np.diff(upto, axis=1, prepend=0)
    return own


def _requests(result: SimResult, network: Network, inventory: Inventory, most: I64) -> I64:
    """CPU of requests to a coupling facility by address space (n, m), at most what was used."""
    requests = np.zeros((len(most), len(inventory.spaces)), dtype=np.int64)
    if network.coupling is not None:
        edges = np.minimum(np.cumsum(result.cf_host_ticks, axis=1), most[:, None])
        each = np.diff(edges, axis=1, prepend=0)
        for number, structure in enumerate(network.coupling.structures):
            requests += shared(each[:, number], _of_row(inventory, structure.space))
    return requests


def _in_a_loop(result: SimResult, inventory: Inventory, fixed: I64) -> I64:
    """CPU of a program in a loop, of the fixed work, by address space (n, m)."""
    loop = np.zeros((len(fixed), len(inventory.spaces)), dtype=np.int64)
    if result.loop_ticks is not None and result.loop_region is not None and len(inventory.servers):
        place = inventory.servers[result.loop_region % len(inventory.servers)]
        loop[np.arange(len(fixed)), place] = np.minimum(result.loop_ticks, fixed)
    return loop


def _of_others(values: I64, loop: I64, inventory: Inventory) -> I64:
    """A region whose program is in a loop does nothing else: its like have its share, (n, m)."""
    at, place = np.nonzero(loop)
    if not len(at):
        return values
    rows, servers = np.array(inventory.rows), np.zeros(values.shape[1], bool)
    servers[inventory.servers] = True
    others = servers & (np.arange(len(rows)) != place[:, None])
    like = others & (rows == rows[place][:, None])
    like = np.where(like.any(axis=1)[:, None], like, others)
    moved = values[at, place] * like.any(axis=1)
    share_left = values.copy()
    share_left[at, place] -= moved
    share_left[at] += shared(moved, like.astype(np.int64))
    return share_left


def _with_srbs(usage: Usage, place: int, share: float) -> Usage:
    """Part of the CPU of an address space was used under SRBs."""
    tcb, srb = usage.tcb.copy(), np.asarray(usage.srb).copy()
    moved = np.rint(tcb[:, place] * share).astype(np.int64)
    tcb[:, place] -= moved
    srb[:, place] += moved
    return replace(usage, tcb=tcb, srb=srb)


def _weights(network: Network, inventory: Inventory) -> I64:
    """Parts of a transaction's CPU on CPs: of each address space, then what no space has."""
    cost = dict(network.cpu.share_by_space)
    if network.cpu.ziips:
        moved = dict(network.cpu.eligible_by_space)
        cost = {row: us - moved.get(row, 0.0) for row, us in cost.items()}
    return _parts(cost, inventory)


def _eligible(network: Network, inventory: Inventory) -> I64:
    """The same of what may run on zIIPs; nothing is eligible: nothing is shared."""
    cost = dict(network.cpu.eligible_by_space)
    if not sum(cost.values()):
        return np.append(np.zeros(len(inventory.spaces), np.int64), 1)
    return _parts(cost, inventory)


def _on_ziips(result: SimResult, network: Network, inventory: Inventory) -> dict[str, I64]:
    """Ticks on zIIPs, and of eligible work on CPs, by address space (n, m)."""
    if not network.cpu.ziips:
        return {}
    weight = _eligible(network, inventory)
    both = {"ziip": result.ziip_work_ticks.sum(axis=1), "ziip_on_cp": result.ziip_spilled_ticks}
    loop = _in_a_loop(result, inventory, result.background_cpu_ticks)
    used = regions_used(result, network, inventory)
    return {
        name: _of_others(used.cut_eligible(shared(ticks, weight)[:, :-1]), loop, inventory)
        for name, ticks in both.items()
    }


def _parts(cost: Mapping[str, float], inventory: Inventory) -> I64:
    """Costs by row of the table as parts of address spaces and of none."""
    pairs = zip(inventory.rows, inventory.shares, strict=True)
    mine = np.array([cost.get(row, 0.0) * share for row, share in pairs])
    rest = max(sum(cost.values()) - mine.sum(), 0.0)
    return as_weights(np.append(mine, rest))


def _of_row(inventory: Inventory, row: str) -> I64:
    """Parts of a row of the cost table; all to the master where no space uses that row."""
    pairs = zip(inventory.rows, inventory.shares, strict=True)
    mine = np.array([share if space_row == row else 0.0 for space_row, share in pairs])
    mine[inventory.master] += not mine.any()
    return as_weights(mine)


def _usage(
    cpu: I64,
    result: SimResult,
    network: Network,
    inventory: Inventory,
    host: Host,
    interval: Interval,
) -> Usage:
    """I/O is charged to whose data sets they are; every space is in storage all the time."""
    of_program = [SRB_PER_CENT.get(space.program, 0) for space in inventory.spaces]
    srb = cpu * np.array(of_program) // 100
    there = np.repeat((interval.length_us * TICKS_PER_US)[:, None], cpu.shape[1], axis=1)
    ios = device_ticks(result, host, network)
    first, library, traces = network.dasd.volumes, is_library(network), of_traces(network)

    def owned(name: str) -> I64:
        values = np.zeros_like(cpu)
        values[:, inventory.owner] = ios[name][:, first : library.start].sum(axis=1)
        values[:, inventory.owner] += ios[name][:, traces].sum(axis=1)
        values[:, inventory.keeper] += ios[name][:, :first].sum(axis=1)
        values[:, inventory.librarian] += ios[name][:, library].sum(axis=1)
        return values

    return Usage(
        tcb=cpu - srb,
        srb=srb,
        io=owned("count"),
        blocks=owned("count"),
        io_conn=owned("conn"),
        io_disc=owned("disc"),
        io_pend=owned("pend"),
        io_iosq=owned("iosq"),
        active=there,
        resident=there,
    )


def _use(
    usage: Usage, result: SimResult, inventory: Inventory, policy: Policy, interval: Interval
) -> PeriodUse:
    """Classes have the sums of their address spaces in ticks; these become service units once."""
    number = len(inventory.classes)

    def of_classes(values: Amounts) -> I64:
        service = summed(values, inventory.service, number)
        return np.asarray(service + summed(values, inventory.report, number))

    def of_transactions(values: Values) -> Values:
        ticks = np.zeros((len(interval), number), dtype=values.dtype)
        for transaction in inventory.transactions:
            ticks[:, transaction] = values
        return ticks

    used = Usage(
        tcb=of_classes(usage.tcb),
        srb=of_classes(usage.srb),
        blocks=of_classes(usage.blocks),
        ziip=of_classes(usage.ziip) if np.ndim(usage.ziip) else 0,
        ziip_on_cp=of_classes(usage.ziip_on_cp) if np.ndim(usage.ziip_on_cp) else 0,
    )
    queued = result.region_queue_ticks - np.diff(result.open["queue"])
    buckets = np.zeros((len(interval), number, result.response_bucket.shape[1]), dtype=np.int64)
    for transaction in inventory.transactions:
        buckets[:, transaction] = result.response_bucket
    ended = result.completed.sum(axis=1)
    return PeriodUse(
        service=used.service(policy),
        samples=_samples(usage, result, inventory, policy, interval, of_classes),
        ended=of_transactions(ended),
        executed=of_transactions(ended),
        elapsed=of_transactions(result.response_ticks),
        execution=of_transactions(result.response_ticks - queued),
        queued=of_transactions(queued),
        squares_us2=of_transactions(result.response_squares_us2),
        active=of_classes(usage.active) + of_transactions(result.in_flight_ticks),
        resident=of_classes(usage.resident),
        page_time=of_classes(usage.page_time),
        io=of_classes(usage.io),
        io_conn=of_classes(usage.io_conn),
        io_disc=of_classes(usage.io_disc),
        io_pend=of_classes(usage.io_pend),
        io_iosq=of_classes(usage.io_iosq),
        buckets=buckets,
        served=_served(result, inventory, policy),
    )


def _served(result: SimResult, inventory: Inventory, policy: Policy) -> I64 | None:
    """Samples that found a server at work on a transaction, for each class of servers."""
    if not any(work_class.served for work_class in inventory.classes):
        return None
    regions = inventory.service[inventory.servers]
    serving = [n for n, work_class in enumerate(inventory.classes) if work_class.served]
    weight = np.array([(regions == n).sum() for n in serving])
    return shared(in_units(result.region_ticks, policy.sample_ms * 1000 * TICKS_PER_US), weight)


def _samples(
    usage: Usage,
    result: SimResult,
    inventory: Inventory,
    policy: Policy,
    interval: Interval,
    of_classes: Callable[[Amounts], I64],
) -> Samples:
    """What WLM would find on average: time in a state over the time from one sample to the next.

    Waits for a CP are those the simulated dispatcher had, in proportion to the CPU used. A region
    with a transaction that neither runs nor waits for a CP or I/O is in a state WLM does not know;
    all else is idle.
    """
    period = policy.sample_ms * 1000 * TICKS_PER_US
    cpu = np.asarray(usage.tcb + usage.srb)
    ready = result.ready_sum * interval.cycle_ms * 1000 * TICKS_PER_US
    waiting = np.maximum(ready - result.cpu_ticks.sum(axis=1), 0)
    delayed = shared(waiting, cpu // (int(cpu.sum(axis=1).max()) // WHOLE + 1))

    def found(ticks: Amounts) -> I64:
        return in_units(of_classes(ticks), period)

    using, delay_cpu = found(cpu), found(delayed)
    io, io_wait = found(usage.io_conn + usage.io_disc), found(usage.io_pend + usage.io_iosq)
    held = np.zeros_like(cpu)
    regions = inventory.servers
    if len(regions):
        held[:, regions] = shared(result.region_ticks, np.ones(len(regions), dtype=np.int64))
    on_ziip = found(usage.ziip) if np.ndim(usage.ziip) else 0
    known = using + delay_cpu + io + io_wait + on_ziip
    unknown = np.maximum(found(held) - known, 0)
    return Samples(
        using_ziip=on_ziip,
        using_cpu=using,
        using_io=io,
        delay_cpu=delay_cpu,
        delay_io=io_wait,
        unknown=unknown,
        idle=np.maximum(found(usage.active) - known - unknown, 0),
    )


# --- CPU of each dependent region: what its group has, cut by what its messages used --------------


@dataclass(frozen=True)
class RegionUsage:
    """Ticks that messages used in each address space (n, m), 0 in those that are no regions; the
    groups: places of address spaces."""

    cpu: I64
    ziip: I64
    groups: tuple[I64, ...]

    def cut(self, values: I64) -> I64:
        """CPU of address spaces (n, m), that of each group by what its regions used."""
        return self._cut(values, self.cpu)

    def cut_eligible(self, values: I64) -> I64:
        """The same of eligible work: by zIIP time, or CPU where none of the group ran on a zIIP."""
        return self._cut(values, self.ziip)

    def _cut(self, values: I64, used: I64) -> I64:
        ticks = values.copy()
        for group in self.groups:
            weight: I64 = used[:, group]
            weight = np.where(weight.any(axis=1, keepdims=True), weight, self.cpu[:, group])
            weight = np.where(weight.any(axis=1, keepdims=True), weight, values[:, group])
            weight = weight // (weight.sum(axis=1, keepdims=True) // WHOLE + 1)
            ticks[:, group] = shared(values[:, group].sum(axis=1), weight)
        return ticks


def regions_used(result: SimResult, network: Network, inventory: Inventory) -> RegionUsage:
    """What regions used; no groups where that is not kept, or threads run in no region."""
    n, m = len(result.ticks), len(inventory.spaces)
    cpu, ziip = np.zeros((n, m), np.int64), np.zeros((n, m), np.int64)
    if not result.region_cpu_ticks.shape[1] or network.source or network.sequence is not None:
        return RegionUsage(cpu, ziip, ())
    jobs = np.array([space.job for space in inventory.spaces])
    order = np.argsort(jobs)
    place = order[np.searchsorted(jobs, job_names(network), sorter=order)]
    cpu[:, place], ziip[:, place] = result.region_cpu_ticks, result.region_ziip_ticks
    whose = [
        (inventory.rows[n], int(inventory.service[n]), int(inventory.report[n])) for n in place
    ]
    groups = (
        place[[other == row for other in whose]] for row in dict.fromkeys(whose)
    )  # fmt: skip
    return RegionUsage(cpu, ziip, tuple(groups))
