"""OTMA callouts through TPIPEs: slots that hold a call until its answer, and what idle slots cost.

model.md 3.8: slots = TPIPEs x LIMITRTP (a TPIPE that is not parallel has one); inside CPU, a latch
and the delay of the service; outside the calling regions with the rest of their CPU, on the same
processors (pooled.py), so that all CPU together is never more than they can do.
No row of table 35 of IMS 15 PES explains one TPIPE that is not parallel.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.solver.flow import Needs
from imsperf.synthetic.solver.pooled import point
from imsperf.synthetic.solver.result import HELD, NEARLY_FULL, Result, Station, Use


def slot_pool(
    slots: int,
    callers: int,
    cpus: int,
    cpu: tuple[float, float],
    latch: float,
    service: float,
    think: float = 0.0,
) -> Result:
    """The balance of `callers` with `cpu` time outside and inside a slot, in one unit of time.

    Its response is that of a call: the wait for a slot and the time in it; callers = rate x (think
    + details `outside` + response). Stations: slots (with those who wait), cpu (in and outside
    slots), latch, service. Details, of one call: `wait` and `occupancy` of a slot, `outside`; the
    rate of the slots `alone`, if nobody waited in them.
    """
    total = sum(cpu)
    stations = (Station("cpu", total, cpus), Station("latch", latch))
    share = cpu[1] / total if total > 0 else 0.0
    needs = Needs(stations, np.array([share, 1.0]), service, 0.0, callers, think, 0.0, slots)
    found = point(needs)
    rate, response = found.rate, found.pool_wait + found.occupancy
    outside = callers / rate - think - response  # Little: who is nowhere else
    at_latch = latch * float(found.stretch[1, 1])
    at_cpu = outside + max(found.occupancy - service - at_latch, 0.0)
    busy = min(found.regions_busy / slots, 1.0)
    waits = {"cpu": at_cpu - outside - cpu[1], "latch": at_latch - latch}
    longest = max(waits, key=lambda name: waits[name])
    held = busy > NEARLY_FULL and waits[longest] > HELD * found.occupancy
    return Result(
        "",
        rate,
        response,
        (
            Use("slots", float(slots), busy, rate * response, response),
            Use("cpu", float(cpus), min(rate * total / cpus, 1.0), rate * at_cpu, at_cpu),
            Use("latch", 1.0, min(rate * latch, 1.0), rate * at_latch, at_latch),
            Use("service", 0.0, 0.0, rate * service, service),
        ),
        held_by=longest if held else "",
        details={
            "alone": slots / (cpu[1] + latch + service),
            "wait": found.pool_wait,
            "occupancy": found.occupancy,
            "outside": outside,
        },
    )
