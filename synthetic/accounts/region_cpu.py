"""CPU of the dependent region alone, as IMS counts it for a transaction (56FA, 07, A108).

While a transaction has its region, CPU is used in other address spaces too: IMS, Db2, and what no
address space has. The simulation keeps the CPU of a transaction by its place on the way; the part
of the region is that of the cost table, as type 30 charges it (accounts.py), and what its requests
to a coupling facility held the processor for. A thread of CICS or ODBM is a part of its address
space. The program of a sequence has the time of its task, not that of SRBs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.arrays import F64, I64, Values
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult


@dataclass(frozen=True)
class Parts:
    """Of the CPU of a mean transaction, without requests to a coupling facility.

    `region`: of all CPU that is not eligible for zIIPs, what regions have; `eligible`: the same of
    what is. `place`, `eligible_place`: of each, what is used while a region is held, by whomever.
    """

    region: float
    eligible: float
    place: float
    eligible_place: float


def parts_of_cpu(network: Network) -> Parts:
    """From the costs of a transaction. A network without such costs: regions have their place."""
    cpu = network.cpu
    able = cpu.eligible if cpu.ziips else (0.0, 0.0, 0.0)
    held = cpu.region_us * (1 - able[1]) + (network.tcbs.us if network.tcbs else 0.0)
    held += _schedules(network)
    cpu_us = held + cpu.input_us * (1 - able[0]) + cpu.output_us * (1 - able[2])
    moved = [
        us * e for us, e in zip((cpu.input_us, cpu.region_us, cpu.output_us), able, strict=True)
    ]
    place, eligible_place = _share(held, cpu_us), _share(moved[1], sum(moved))
    if cpu.of_regions is None:
        return Parts(place, eligible_place, place, eligible_place)
    own, own_eligible = cpu.of_regions
    total = sum(us for _, us in cpu.share_by_space)
    total_eligible = sum(us for _, us in cpu.eligible_by_space)
    if not cpu.ziips:
        return Parts(_share(own, total), 0.0, place, 0.0)
    return Parts(
        _share(own - own_eligible, total - total_eligible),
        _share(own_eligible, total_eligible),
        place,
        eligible_place,
    )


def region_share(network: Network, result: SimResult) -> float:
    """CPU of regions against the CPU used while they are held, as it was in the warm-up.

    One share for all transactions: the simulation does not tell whose requests to a coupling
    facility, or whose eligible work on a CP, a transaction's CPU holds.
    """
    if network.sequence is not None:
        return 1 - network.sequence.srb_share
    parts = parts_of_cpu(network)
    bare, spilled, asked = (float(chance) for chance in _warm(network, result))
    if bare <= 0:
        return _share(parts.region, parts.place)
    mine = bare * parts.region + spilled * parts.eligible + asked
    return _share(mine, bare * parts.place + spilled * parts.eligible_place + asked)


def ziip_share(network: Network) -> float:
    """zIIP time of regions against what is used on zIIPs while they are held."""
    parts = parts_of_cpu(network)
    return _share(parts.eligible, parts.eligible_place) if network.cpu.ziips else 0.0


def region_ziip_ticks(network: Network, total: Callable[[str], I64]) -> I64:
    """zIIP time of regions, ticks since IMS start, one for each set; as 72.3 shares it."""
    if not network.cpu.ziips:
        return np.zeros(len(total("transaction_cpu_ticks")), np.int64)
    return _whole(total("ziip_work_ticks").sum(axis=-1) * parts_of_cpu(network).eligible)


def region_ticks(network: Network, total: Callable[[str], I64]) -> I64:
    """CPU of regions for transactions that ended, ticks since IMS start, one for each set.

    `total`: a counter of the simulation since IMS start.
    """
    if network.sequence is not None:
        return _whole(total("transaction_cpu_ticks") * (1 - network.sequence.srb_share))
    parts = parts_of_cpu(network)
    bare, spilled, asked = _told_apart(network, total)
    return np.maximum.accumulate(_whole(bare * parts.region + spilled * parts.eligible + asked))


def _told_apart(network: Network, total: Callable[[str], I64]) -> tuple[F64, F64, F64]:
    """CPU of transactions: that of the cost table, eligible work on CPs, requests of regions.

    Searches in pools and contentions are IMS's, in neither of them.
    """
    waits = total("cont_shr") + total("cont_exc")
    ims = total("cpu_search_ticks") + waits @ network.contention_ticks
    used, spilled = total("transaction_cpu_ticks"), total("ziip_spilled_ticks")
    asked = all_asked = np.zeros_like(used)
    if network.coupling is not None:
        host = total("cf_host_ticks")
        mine = np.array([structure.in_region > 0 for structure in network.coupling.structures])
        asked, all_asked = (host * mine).sum(axis=-1), host.sum(axis=-1)
    bare = np.maximum(used - spilled - all_asked - ims, 0)
    return bare.astype(float), spilled.astype(float), asked.astype(float)


def _warm(network: Network, result: SimResult) -> tuple[F64, F64, F64]:
    return _told_apart(network, lambda name: np.asarray(result.warm[name], np.int64))


def _schedules(network: Network) -> float:
    """CPU of the schedules of a mean transaction."""
    cpu_us = np.array([pool.schedule_cpu_us for pool in network.region_pools])
    each = network.schedule_chances * cpu_us[network.of_classes("pool")]
    return float(np.average(each, weights=network.of_classes("weight")))


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _whole(values: Values) -> I64:
    floors: I64 = np.floor(values).astype(np.int64)
    return floors
