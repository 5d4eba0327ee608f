"""SMF 70: CPU activity (70.1), which is processors, partitions and address spaces of each RMF
interval; crypto cards that run as CCA coprocessors (70.2).

Sums over all transactions become integer field units by error diffusion (`in_units`). Facts about
the machine come from hardware.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.layouts import smf70_1, smf70_2
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import in_units, shared
from imsperf.synthetic.arrays import F64, I64, Values
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import (
    Group,
    Interval,
    rmf_group,
)
from imsperf.synthetic.units import TICKS_PER_US

TYPES = ("CP", "AAP", "IFL", "ICF", "IIP")  # order of the CPU identification sections
WRITTEN_US = 20_000  # from interval end to the write
CAPACITY_CHANGED = 0x02  # the defined capacity, in this interval
PCIXCC = 5  # type of the card, numbered as in SMF82CAP of type 82
VALID = 0xC0  # all operations, RSA key generation
MS = 1000 * TICKS_PER_US
SCALE_S = 1e-6  # of the times: microseconds
WINDOW_US = 4 * 3600 * 1_000_000  # of the average that WLM compares with the defined capacity


def cpu_group(
    result: SimResult, host: Host, interval: Interval, asids: Mapping[str, Any], ios: I64
) -> Group:
    """One 70.1 record per interval. `asids`: columns of the ASID section.

    `ios`: I/Os of each interval, (n,); each ends in one interrupt.
    """
    busy = result.cpu_ticks
    cps = busy.shape[1]
    physical = host.physical_cps or cps
    dispatch, effective = dispatch_times(busy, host)
    processors = _processors(dispatch, effective, host, interval, physical)
    ziips, threads = result.ziip_core_ticks.shape[1], result.ziip_ticks.shape[1]
    cores = threaded_cores(result, host, interval, cps)
    if result.capped_samples is not None:
        capped = np.zeros((len(interval), cps + physical), dtype=np.int64)
        capped[:, :cps] = result.capped_samples[:, None]
        processors |= {"smf70nsw": capped, "smf70nca": capped}
    if result.denied_ticks is not None:  # neither dispatched nor waiting
        processors["smf70wst"][:, :cps] -= result.denied_ticks // TICKS_PER_US
    own = _with_ziips(_cpus(result, busy, host, interval, ios), result, host, interval)
    of_both = _ziip_processors(processors, result, host, interval, cps)
    defined = defined_msu(used_msu(effective, host, interval), result.capped_samples)
    logical = _partitions(host, interval, defined, cps + ziips, physical + ziips)
    parts = [
        Sections(
            smf70_1.CONTROL,
            _control(effective, defined, host, interval, physical, ziips) | cores.control,
            1,
            344,
        ),
        Sections(smf70_1.CPU_ID, _types(interval, physical, ziips), len(TYPES)),
        Sections(smf70_1.CPU, own, cps + threads),
        Sections(smf70_1.ASID, asids),
        Sections(smf70_1.PARTITION, logical, 2),
        Sections(smf70_1.PROCESSOR, of_both, cps + physical + 2 * ziips, 88),
    ]
    if cores.sections:
        parts.append(Sections(smf70_1.CORE, cores.sections, cps + ziips))
    return rmf_group(smf70_1.CPU_ACTIVITY, host, interval, parts, WRITTEN_US)


def dispatch_times(busy: I64, host: Host) -> tuple[I64, I64]:
    """PDT and EDT of the partition's CPUs, us: busy time, and that without LPAR management."""
    dispatch = in_units(busy, TICKS_PER_US)
    management = in_units(np.rint(busy * host.lpar_overhead).astype(np.int64), TICKS_PER_US)
    return dispatch, dispatch - np.minimum(management, dispatch)


def _control(
    effective: I64, defined: I64, host: Host, interval: Interval, physical: int, ziips: int
) -> dict[str, Any]:
    cps = effective.shape[1]
    scale = 100
    adjustment = round(16 * 3600 * scale / host.msu_per_cp)
    columns = host.msu_per_cp * min(cps, physical)
    return {
        "smf70mod": host.machine_type,
        "smf70bnp": physical + ziips,
        "smf70sup": ziips,
        "smf70inb": 0x18,  # partition PHYSICAL present, extended data
        "smf70stf": 0x88,  # STSI; capacity and physical model are two names
        "smf70mdl": f"7{min(physical, 99):02d}",
        "smf70dsa": interval.samples,
        "smf70cpa": round(adjustment / scale),
        "smf70wla": np.where(defined > 0, np.minimum(defined, columns), columns),
        "smf70lac": average_msu(used_msu(effective, host, interval), interval),
        "smf70hwm": host.physical_model,
        "smf70pom": host.plant,
        "smf70csc": host.sequence_code,
        "smf70hhf": 0xC0,  # HiperDispatch supported and active
        "smf70pmt": 5,
        "smf70pml": 20,
        "smf70mcr": host.msu_per_cp * physical,
        "smf70nrm": 256,
        "smf70ncr": host.msu_per_cp * physical,
        "smf70cai": 100,
        **dict.fromkeys(("smf70mcp", "smf70icp", "smf70ccp"), cps + ziips - 1),
        "smf70cpa_actual": adjustment,
        "smf70cpa_scaling_factor": scale,
        **{f"smf70{name}": 1024 for name in ("mcf", "mcfs", "mcfi", "cf", "cfs", "cfi")},
        **{f"smf70{name}": 1024 for name in ("atd", "atds", "atdi")},
        "smf70adj": round(adjustment / scale),
        "smf70maxpu": physical + ziips,
        "smf70_ipl_time": host.ipl,
        "smf70cpc_type": f"{host.machine_type:04X}",
    }


def _types(interval: Interval, physical: int, ziips: int) -> dict[str, Any]:
    """The machine has CPs and zIIPs; the other types are named with none."""
    number = np.array([{"CP": physical, "IIP": ziips}.get(name, 0) for name in TYPES])
    return {
        "smf70cin": np.tile(TYPES, (len(interval), 1)),
        "smf70ctn": np.tile(number, (len(interval), 1)),
        "smf70can": interval.samples[:, None] * number,
    }


def _cpus(
    result: SimResult, busy: I64, host: Host, interval: Interval, total: I64
) -> dict[str, Any]:
    """Wait = online - busy, exact to the tick, less what a cap denied."""
    count, cps = busy.shape
    ios, tpi = interrupts(total, cps, host)
    denied = 0 if result.denied_ticks is None else result.denied_ticks
    address = np.tile(np.arange(cps), (count, 1))
    return {
        "smf70wat": interval.length_us[:, None] * TICKS_PER_US - busy - denied,
        "smf70cid": address,
        "smf70cnf": 0x09,  # online the whole interval and when it ended
        "smf70ser": np.tile(host.serial + (np.arange(cps) << 20 & 0xF00000), (count, 1)),
        "smf70slh": ios - tpi,
        "smf70tpi": tpi,
        "smf70nio": ios,
    }


def _with_ziips(
    cpus: dict[str, Any], result: SimResult, host: Host, interval: Interval
) -> dict[str, Any]:
    """The logical CPUs with the zIIPs behind the CPs; they take no I/O interrupts."""
    count, threads = result.ziip_ticks.shape
    if not threads:
        return cpus
    cps = cpus["smf70cid"].shape[1]
    each = threads // result.ziip_core_ticks.shape[1]
    address = np.tile(cps * each + np.arange(threads), (count, 1))
    none = np.zeros((count, threads), dtype=np.int64)
    own = {
        "smf70wat": interval.length_us[:, None] * TICKS_PER_US - result.ziip_ticks,
        "smf70cid": address,
        "smf70ser": host.serial + (address << 20 & 0xF00000),
    }
    columns = {
        name: np.hstack([values, own.get(name, none)]) if np.ndim(values) == 2 else values
        for name, values in cpus.items()
    }
    columns["smf70cid"][:, :cps] *= each  # a CP is a core with its first thread
    kinds = np.repeat([0, 2], [cps, threads])
    return columns | {"smf70typ": np.tile(kinds, (count, 1))}


def _ziip_processors(
    processors: dict[str, Any], result: SimResult, host: Host, interval: Interval, cps: int
) -> dict[str, Any]:
    """Logical CPs and zIIPs, then physical ones; a zIIP of the machine for each logical one."""
    count, ziips = result.ziip_core_ticks.shape
    if not ziips:
        return processors
    physical = processors["smf70pdt"].shape[1] - cps
    more = _processors(*dispatch_times(result.ziip_core_ticks, host), host, interval, ziips)
    if result.ziip_ticks.shape[1] > ziips:
        alone = 2 * result.ziip_core_ticks - _of_cores(result.ziip_ticks)
        more["smf70mtit"] = np.hstack([in_units(alone, TICKS_PER_US), np.zeros_like(alone)])
        processors = {"smf70mtit": np.zeros_like(processors["smf70pdt"])} | processors
    more["smf70vpa"] = np.tile(
        np.r_[cps + np.arange(ziips), physical + np.arange(ziips)], (count, 1)
    )
    kinds = np.repeat([1, 1 + TYPES.index("IIP")], [physical, ziips])
    msu: dict[str, Any] = {}
    for name, values in processors.items():
        if np.ndim(values) == 2:
            other = more.get(name, np.zeros((count, 2 * ziips), dtype=np.int64))
            own, machine = values[:, :cps], values[:, cps:]
            msu[name] = np.hstack([own, other[:, :ziips], machine, other[:, ziips:]])
        else:
            msu[name] = values
    own_kinds = np.repeat([1, 1 + TYPES.index("IIP")], [cps, ziips])
    return msu | {"smf70cix": np.tile(np.r_[own_kinds, kinds], (count, 1))}


# --- two threads of a zIIP ------------------------------------------------------------------------


@dataclass(frozen=True)
class ThreadedCores:
    """What a record says of multithreading: columns of the control section and of the cores."""

    control: dict[str, Any]
    sections: dict[str, Any]


def threaded_cores(result: SimResult, host: Host, interval: Interval, cps: int) -> ThreadedCores:
    """All cores where zIIPs have two threads (PROCVIEW CORE); nothing where none has.

    Thread density is busy threads of a busy core; capacity the work of a busy core, one thread
    alone = 1; productivity capacity against that of a core with both threads busy.
    """
    count, ziips = result.ziip_core_ticks.shape
    if result.ziip_ticks.shape[1] == ziips:
        return ThreadedCores({}, {})
    core, threads = result.ziip_core_ticks, _of_cores(result.ziip_ticks)
    capacity = _of_cores(result.ziip_work_ticks) / np.maximum(core, 1)
    busy = np.maximum(core.sum(axis=1), 1)
    all_threads, work = threads.sum(axis=1), result.ziip_work_ticks.sum(axis=1)
    most, idle = round(1024 * host.smt_factor), core.sum(axis=1) == 0
    control = {
        **dict.fromkeys(("smf70mcp", "smf70icp", "smf70ccp"), 2 * (cps + ziips) - 1),
        "smf70mcfs": most,
        "smf70cfs": np.where(idle, 1024, np.rint(1024 * work / busy).astype(np.int64)),
        "smf70atds": np.where(idle, 1024, np.rint(1024 * all_threads / busy).astype(np.int64)),
    }
    both = np.hstack([in_units(result.cpu_ticks, MS), in_units(core, MS)])
    full = np.full((count, cps), 1024)
    sections = {
        "smf70_core_id": np.tile(np.arange(cps + ziips), (count, 1)),
        "smf70_core_flg": 0x80,
        "smf70_cpu_skip": np.tile(np.r_[np.arange(cps), cps + 2 * np.arange(ziips)], (count, 1)),
        "smf70_cpu_num": np.tile(np.repeat([1, 2], [cps, ziips]), (count, 1)),
        "smf70_prod": np.hstack(
            [full, np.rint(1024 * capacity / host.smt_factor).astype(np.int64)]
        ),
        "smf70_lpar_busy": both,
    }
    return ThreadedCores(control, sections)


def _of_cores(values: I64) -> I64:
    """Sums of both threads of each core, (n, cores)."""
    sums: I64 = values.reshape(len(values), -1, 2).sum(axis=2)
    return sums


def interrupts(total: I64, cps: int, host: Host) -> tuple[I64, I64]:
    """I/O interrupts of each CP, (n, cps), and those of them found by TPI.

    Any CP takes one, and finds it by TPI, with the same chance (assumed). What is drawn for an
    interval does not depend on those before it.
    """
    shape = (len(total), cps)
    even, odd = (
        np.random.default_rng((host.system_number, option)).standard_normal(shape)
        for option in (0, 1)
    )
    each = np.maximum(total / cps, 1.0)[:, None]
    weight = np.rint((1 << 20) * np.clip(1 + even / np.sqrt(each), 0.1, 4)).astype(np.int64)
    taken = shared(total, weight)
    mean = host.tpi_share * taken
    counts = np.rint(mean + odd * np.sqrt(mean * (1 - host.tpi_share))).astype(np.int64)
    return taken, np.clip(counts, 0, taken)


def _partitions(
    host: Host, interval: Interval, defined: I64, cps: int, physical: int
) -> dict[str, Any]:
    """This partition, then PHYSICAL."""
    changed = np.diff(defined, prepend=defined[:1]) != 0
    count = len(interval)

    def both(ours: Any, theirs: Any) -> Values:
        return np.tile(np.array([ours, theirs]), (count, 1))

    return {
        "smf70lpm": both(host.partition, "PHYSICAL"),
        "smf70lpn": both(host.partition_number, 0),
        "smf70bdn": both(cps, physical),
        "smf70bds": both(0, cps),
        "smf70bda": interval.samples[:, None] * np.array([cps, physical]),
        "smf70stn": both(host.system, ""),
        "smf70msu": np.stack([defined, np.zeros_like(defined)], axis=1),
        "smf70pfg": np.stack([changed * CAPACITY_CHANGED, np.zeros_like(defined)], axis=1),
        "smf70csf": both(host.storage_mb, 0),
        "smf70pfl": both(0xA000, 0),  # user partition id valid, vertical polarisation
        "smf70upi": both(host.partition_number, 0),
        "smf70mtid": both(host.smt - 1 if host.ziips else 0, 0),
    }


def _processors(
    dispatch: I64, effective: I64, host: Host, interval: Interval, physical: int
) -> dict[str, Any]:
    """Logical CPs of the partition, then the physical CPs of PHYSICAL, whose EDT is 0."""
    count, cps = dispatch.shape
    online = np.broadcast_to(interval.length_us[:, None], (count, cps))
    free = np.broadcast_to(interval.length_us[:, None], (count, physical)).copy()
    free[:, : min(cps, physical)] -= dispatch[:, : min(cps, physical)]
    share = np.rint(interval.length_us * host.hypervisor).astype(np.int64)
    hypervisor = np.minimum(share[:, None], free)
    none = np.zeros((count, physical), dtype=np.int64)
    mark = np.hstack([np.ones((count, cps), np.int64), none])
    entitled = host.weight / max(cps, physical)  # of each logical CP: all it could use
    weight = np.rint(4096 * entitled * interval.samples).astype(np.int64)
    return {
        "smf70pdt": np.hstack([dispatch, hypervisor]),
        "smf70vpa": np.tile(np.r_[np.arange(cps), np.arange(physical)], (count, 1)),
        "smf70bps": mark * host.weight,
        "smf70pof": mark * 0xC0,  # vertical high
        "smf70cix": 1,
        "smf70edt": np.hstack([effective, none]),
        "smf70acs": mark * (host.weight * interval.samples)[:, None],
        "smf70ont": np.hstack([online, np.broadcast_to(interval.length_us[:, None], none.shape)]),
        "smf70wst": np.hstack([online - dispatch, none]),
        "smf70pow": mark * weight[:, None],
    }


# --- capacity: what the partition used in four hours, and what it may use -------------------------


def used_msu(effective: I64, host: Host, interval: Interval) -> F64:
    """MSU an hour in each interval, (n,). `effective`: us of each CP, (n, cps)."""
    used: F64 = effective.sum(axis=1) * host.msu_per_cp / interval.length_us
    return used


def average_msu(used: F64, interval: Interval) -> I64:
    """The same of the four hours that end with each interval.

    Before the run the partition was as busy as in the first interval (assumed).
    """
    edges = np.concatenate([[0], np.cumsum(interval.length_us)]).astype(np.float64)
    total = np.concatenate([[0.0], np.cumsum(used * interval.length_us)])
    begin = edges[1:] - WINDOW_US
    before = np.where(begin < 0, begin * used[0], np.interp(begin, edges, total))
    average: I64 = np.rint((total[1:] - before) / WINDOW_US).astype(np.int64)
    return average


def defined_msu(used: F64, capped: I64 | None) -> I64:
    """Defined capacity, (n,), 0: none. `capped`: samples in which WLM capped the partition.

    It is set for the intervals in which it caps, to what the partition then uses.
    """
    if capped is None:
        return np.zeros(len(used), dtype=np.int64)
    limit: I64 = np.where(capped > 0, np.maximum(np.rint(used), 1), 0).astype(np.int64)
    return limit


# --- 70.2 ---------------------------------------------------------------------------------------


def crypto_groups(completed: I64, network: Network, host: Host, interval: Interval) -> list[Group]:
    """One record for each interval, a section for each card; none where there are no cards.

    `completed`: tasks by class, (n, classes). The first card has all operations.
    """
    cards = network.crypto
    if cards is None:
        return []
    codes = [one.name for one in network.classes]
    operations = np.zeros((len(interval), cards.cards))
    if cards.code in codes:
        operations[:, 0] = completed[:, codes.index(cards.code)]
    part = Sections(
        smf70_2.CCA,
        {"r7023c0": operations, "r7023t0": operations * cards.operation_us},
        cards.cards,
        fixed={
            "r7023ax": np.arange(cards.cards),
            "r7023ct": PCIXCC,
            "r7023msk": VALID,
            "r7023sf": SCALE_S,
        },
    )
    return [rmf_group(smf70_2.CRYPTO_ACTIVITY, host, interval, [part], WRITTEN_US)]
