"""Dependent regions in the log: job names, letters of their kind, and whose program they have.

Where regions wait for messages and schedule nothing (Fast Path), all codes that they take are
those of one program: a load balancing group. Its PSB has the name of the first code (assumption).
Elsewhere each code has a program, whose PSB has its name.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.arrays import I64, Bools
from imsperf.synthetic.network.network import Network

REGION_TYPES = {"IFP": "I", "MPP": "M", "JMP": "J", "BMP": "B", "JBP": "B", "THREAD": "D"}


def job_names(network: Network) -> list[str]:
    """Job names of the regions, numbered in each pool; of threads the callers, in turn."""
    pools, callers = network.region_pools, network.callers
    if network.sequence:
        return [network.classes[0].name]
    if network.source and callers:
        return [callers[n % len(callers)] for pool in pools for n in range(pool.count)]
    return [f"{pool.name[:3]}{n:05d}" for pool in pools for n in range(1, pool.count + 1)]


def has_codes(network: Network) -> bool:
    """Work has transaction codes: of messages, or those of CICS; ODBM and batch have none."""
    return not network.sequence and network.source in ("", "CICS")


def region_types(network: Network) -> list[str]:
    """The letters of 07, 08 and 47: what kind each region is."""
    return [
        REGION_TYPES.get(pool.name, "M") for pool in network.region_pools for _ in range(pool.count)
    ]


def program_classes(network: Network) -> list[int]:
    """The class that gives the program of each class its name."""
    if network.source:
        return list(range(len(network.classes)))
    pools = [work_class.pool for work_class in network.classes]
    return [
        n if network.region_pools[pool].schedule_chance else pools.index(pool)
        for n, pool in enumerate(pools)
    ]


def region_classes(network: Network) -> I64:
    """The class whose program each region has, where that is not kept: of its pool, in turn."""
    classes, programs = [], program_classes(network)
    for place, pool in enumerate(network.region_pools):
        mine = [n for n in dict.fromkeys(programs) if network.classes[n].pool == place]
        classes += [mine[n % len(mine)] if mine else 0 for n in range(pool.count)]
    return np.array(classes, np.int64)


def programs_kept(network: Network) -> Bools:
    """Regions of which the event simulation knows the program as soon as they have one."""
    pools, several = network.region_pools, [work_class.pool for work_class in network.classes]
    is_kept = [
        0 < pool.schedule_chance < 1 and several.count(n) > 1 for n, pool in enumerate(pools)
    ]
    return np.repeat(is_kept, [pool.count for pool in pools])


def program_names(network: Network) -> tuple[list[str], list[str]]:
    """PSB and transaction code of each class; a program without messages has no code."""
    names = [work_class.name for work_class in network.classes]
    psbs = [psb_name(names[work_class]) for work_class in program_classes(network)]
    return psbs, [name if has_codes(network) else "" for name in names]


def psb_of_codes(network: Network) -> list[str]:
    """The PSB of each of `Network.codes`."""
    own = program_names(network)[0]
    return own + [psb_name(code) for code, _ in network.codes[len(own) :]]


def psb_name(tran: str) -> str:
    """The PSB of a Fast Path transaction has the program's name; here that of the code.

    A number at the end stays where the name would be too long: it tells programs apart.
    """
    stem = tran.rstrip("0123456789")
    number = tran[len(stem) :]
    return f"P{stem}"[: 8 - len(number)] + number
