"""Work without messages: a sequential program, such as a BMP, and callouts through TPIPEs.

A program does one thing after the other, so its times add up:

elapsed = CPU + SRB + I/Os x response + check-writes x wait (model.md 1 and the issue's list; the
split of the fitted part is not published). CPU and SRB are stretched by other work on the CPUs.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.flow import Needs
from imsperf.synthetic.solver.pooled import point
from imsperf.synthetic.solver.queueing import erlang_c
from imsperf.synthetic.solver.result import HELD, NEARLY_FULL, Result, Station, Use, require


def sequential(network: Network) -> Result:
    """A run of a program without messages; seconds. Elapsed time as the response.

    Stations: cpu, srb, io, check_write, fitted; their residences add up to the elapsed time, their
    queue is the share of it. Details `cpu` and `srb`: without the waits for other work on the CPUs.
    Errors: ScenarioError, no CPU left.
    """
    sequence, cps, others = network.sequence, network.cpu.cps, network.cpu.fixed_us_per_s / 1e6
    assert sequence is not None
    require("CPUs busy with others", others, f"0 to less than {cps}", 0 <= others < cps)
    stretch = 1 + erlang_c(cps, others) / (cps - others) if others > 0 else 1.0
    reads = sequence.steps // sequence.per_commit * network.classes[0].reads
    reads += network.classes[-1].reads if sequence.left else 0.0
    cpu, dasd = sequence.steps * network.cpu.region_us / 1e6, network.dasd
    used = {"cpu": cpu * (1 - sequence.srb_share), "srb": cpu * sequence.srb_share}
    parts = {name: seconds * stretch for name, seconds in used.items()} | {
        "io": reads * (dasd.pend_us + dasd.disc_us + dasd.conn_us) / 1e6,
        "check_write": sequence.steps / sequence.per_commit * network.logger.wads_us / 1e6,
        "fitted": sequence.steps * network.unexplained_us / 1e6,
    }
    elapsed = sum(parts.values())
    require("elapsed time", elapsed, "above 0", elapsed > 0)
    uses = tuple(
        Use(name, 1.0, time / elapsed, time / elapsed, time) for name, time in parts.items()
    )
    return Result("", 1 / elapsed, elapsed, uses, details=used)


# --- callouts -------------------------------------------------------------------------------------
#
# OTMA callouts through TPIPEs: slots that hold a call until its answer, and what idle slots cost.
#
# model.md 3.8: slots = TPIPEs x LIMITRTP (a TPIPE that is not parallel has one); inside CPU, a
# latch and the delay of the service; outside the calling regions with the rest of their CPU, on the
# same processors (pooled.py), so that all CPU together is never more than they can do. No row of
# table 35 of IMS 15 PES explains one TPIPE that is not parallel.


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
    solved = point(needs)
    rate, response = solved.rate, solved.pool_wait + solved.occupancy
    outside = callers / rate - think - response  # Little: who is nowhere else
    at_latch = latch * float(solved.stretch[1, 1])
    at_cpu = outside + max(solved.occupancy - service - at_latch, 0.0)
    busy = min(solved.regions_busy / slots, 1.0)
    waits = {"cpu": at_cpu - outside - cpu[1], "latch": at_latch - latch}
    longest = max(waits, key=lambda name: waits[name])
    held = busy > NEARLY_FULL and waits[longest] > HELD * solved.occupancy
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
            "wait": solved.pool_wait,
            "occupancy": solved.occupancy,
            "outside": outside,
            "dispersion": solved.dispersion,  # variance of the number of callouts over its mean
        },
    )


def slots_of(network: Network) -> Result:
    """Callouts and what is inside their slots in balance; microseconds.

    Work that is always there takes its part of the processors.
    """
    calls, cpu = network.callouts, network.cpu
    assert calls is not None
    stretch = cpu.cps / (cpu.cps - cpu.fixed_us_per_s / 1e6)
    return slot_pool(
        calls.slots,
        network.clients,
        cpu.cps,
        (cpu.input_us * stretch, cpu.region_us * stretch),
        calls.latch_us,
        network.unexplained_us,
        network.think_us,
    )
