"""OTMA callouts through TPIPEs: slots that hold a call until its answer, and what idle slots cost.

model.md 3.8: slots = TPIPEs x LIMITRTP (a TPIPE that is not parallel has one); inside CPU, a latch
and the delay of the service; outside the calling regions with the rest of their CPU as think time.
Requests that wait idle lengthen the chain that each call searches, so more slots than needed lower
the rate. The six costs are fitted on six rows of table 35 of IMS 15 PES; no row explains one TPIPE
that is not parallel.
"""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.synthetic.solver.regions import region_pool
from imsperf.synthetic.solver.result import Result, Station, require


@dataclass(frozen=True)
class TpipeCosts:
    """Microseconds; `per_slot` for each slot, `per_tpipe` for each TPIPE beyond the first."""

    cpu: float
    cpu_per_slot: float
    latch: float
    latch_per_slot: float
    latch_per_tpipe: float
    delay: float
    inside: float = 0.85  # share of the CPU that is used while a slot is held


def tpipes(
    callers: int, tpipes: int, limit: int, cpus: int, costs: TpipeCosts, *, parallel: bool = True
) -> Result:
    """Calls per microsecond and their times with so many TPIPEs of `limit` resume requests each.

    `callers` regions call in a closed loop. Stations: slots, cpu, latch, service. Errors:
    ScenarioError.
    """
    require("number of TPIPEs", tpipes, "1 or more", tpipes >= 1)
    require("LIMITRTP", limit, "1 or more", limit >= 1)
    slots = tpipes * (limit if parallel else 1)
    cpu = costs.cpu + costs.cpu_per_slot * slots
    latch = costs.latch + costs.latch_per_slot * slots + costs.latch_per_tpipe * (tpipes - 1)
    inside = (
        Station("cpu", cpu * costs.inside, cpus),
        Station("latch", latch),
        Station("service", costs.delay, 0),
    )
    think = cpu * (1 - costs.inside)
    return region_pool(slots, inside, population=callers, think=think, name="slots")
