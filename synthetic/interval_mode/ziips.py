"""Eligible work in interval mode: the share of a network's CPU that zIIPs take, and their counters.

As in the event simulation the eligible part of a burst follows the rest, on one zIIP to its end.
What finds none free goes to a CP, or waits where it may not (IIPHONORPRIORITY=NO).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.interval_mode.draws import topped_up, whole_parts
from imsperf.synthetic.network.network import Cpu, Network
from imsperf.synthetic.solver.queueing import birth_death, mmm_wait
from imsperf.synthetic.solver.solution import Solution
from imsperf.synthetic.solver.ziip import smt_speeds, spilled_share

Floats = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]

FULLEST = 0.98  # zIIPs that open arrivals wait for are taken for no busier than that


@dataclass(frozen=True)
class Offload:
    """What zIIPs do for one transaction at one rate; times in us: input, region, output."""

    spilled: float  # share of the eligible work that runs on CPs
    moved: Floats  # bare CPU that CPs no longer have
    used: Floats  # on zIIPs, grown with utilisation
    time: Floats  # there, with the wait for one


def more_cpu(cpu: Cpu, region_us: float, output_us: float = 0.0) -> Cpu:
    """Further CPU of which none is eligible."""
    before, region, output = cpu.eligible
    region *= cpu.region_us / max(cpu.region_us + region_us, 1e-9)
    output *= cpu.output_us / max(cpu.output_us + output_us, 1e-9)
    return replace(
        cpu,
        region_us=cpu.region_us + region_us,
        output_us=cpu.output_us + output_us,
        eligible=(before, region, output),
    )


def offload(
    network: Network, rate_per_s: float, growth: float, cap: float, elsewhere_us: float
) -> Offload:
    """At a rate, of which clients in a closed network spend `elsewhere_us` a cycle elsewhere.

    `growth` of CPU cost with utilisation; `cap`: share of the CPs that the partition may use,
    which makes their time longer but not that of zIIPs.
    """
    cpu, factor = network.cpu, network.mean("cpu_factor")
    bare = np.array([cpu.input_us, cpu.region_us, cpu.output_us]) * cpu.eligible
    used, spilled, waits = bare * factor * growth * cap, 0.0, 0.0
    rate, each = rate_per_s / 1e6, float(used.sum())
    if cpu.ziip_honor:
        spilled, _ = spilled_share(rate * each, smt_speeds(cpu.ziips, 1, 1.0))
    elif each > 0 and rate > 0:
        waits = _wait(network, rate, each, elsewhere_us) / each
    kept = 1 - spilled
    return Offload(spilled, bare * kept, used * kept, used * kept * (1 + waits))


def _wait(network: Network, rate: float, each: float, elsewhere: float) -> float:
    """For a zIIP, in us; clients that wait there do not come meanwhile. `rate` is per us."""
    ziips = network.cpu.ziips
    if network.is_open:
        return mmm_wait(min(rate, FULLEST * ziips / each), each, ziips) or 0.0
    chain = birth_death(network.clients, elsewhere, np.arange(ziips + 1) / each)
    return max(chain.response - each, 0.0)


def overrun(network: Network, rate_per_s: float, one: Offload) -> bool:
    """Whether open arrivals have more work for zIIPs than these can do, and none may go to CPs."""
    busy = rate_per_s / 1e6 * float(one.used.sum())
    return network.is_open and not network.cpu.ziip_honor and busy >= network.cpu.ziips


def saturated(network: Network, found: Solution, one: Offload) -> Solution:
    """The balance marked as none, with the rate at which zIIPs are full."""
    most = network.cpu.ziips / float(one.used.sum()) * 1e6
    loads = found.loads | {"ziips": found.rate_per_s / most}
    return replace(found, saturated=True, rate_per_s=most, loads=loads)


def without(network: Network, moved: Offload) -> Network:
    """The network as its CPs see it: time on zIIPs is a delay, all of it in the region."""
    cpu, (before, inside, after) = network.cpu, moved.moved
    left = replace(
        cpu,
        input_us=cpu.input_us - before,
        region_us=cpu.region_us - inside,
        output_us=cpu.output_us - after,
        ziips=0,
    )
    longer = network.unexplained_us + float(moved.time.sum())
    return replace(network, cpu=left, unexplained_us=longer)


def means(rate_per_s: float, one: Offload | None) -> dict[str, float]:
    """Of one transaction, where there are zIIPs: its time on them and what spills."""
    if one is None:
        return {}
    used = float(one.used.sum())
    spilled = used * one.spilled / max(1 - one.spilled, 1e-9)
    return {
        "ziip_us": used,
        "ziip_before_us": float(one.time[0]),
        "ziip_inside_us": float(one.time[1]),
        "ziip_after_us": float(one.time[2]),
        "ziip_spilled_us": spilled,
        "ziip_offered": rate_per_s / 1e6 * (used + spilled),
    }


def busy_ziips(total: I64, ticks: I64, offered: Floats, ziips: int) -> I64:
    """Busy time of each zIIP, (n, zIIPs), of `total` (n,): the lowest number that is free is taken.

    Of Poisson arrivals the k-th of them carries what the first k - 1 lose and k do not (Erlang).
    """
    lost = [np.ones(len(total))]
    for k in range(1, ziips + 1):
        lost.append(offered * lost[-1] / (k + offered * lost[-1]))
    shares = np.maximum(-np.diff(np.array(lost), axis=0).T, 1e-12)
    total = np.minimum(total, ticks * ziips)
    found = np.minimum(whole_parts(total, shares), ticks[:, None])
    return topped_up(found, total, ticks)
