"""What regions that a log write sets free together add to the waits for processors.

Only while transactions wait for a region; full_regions.py has the chain, and the product form of
the same network without releases is what is taken from it. Times in microseconds.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.solver import model as m
from imsperf.synthetic.solver.flow import Crowding, Needs
from imsperf.synthetic.solver.pooled import when_full
from imsperf.synthetic.solver.result import Station
from imsperf.synthetic.solver.servers import Found

SEVERAL = 1.3  # regions come to a log write on the mean; fewer often leave it idle
RARELY = 1e-3  # chance to wait for a region below which nothing is sought


def pool_crowding(model: m.Model, work: m.Work, found: Found) -> Crowding | None:
    """Longer times at processors while transactions wait for a region; None where it is not known.

    `found`: the balance without. What log writes add when regions are free (releases.py) is not
    in it.
    """
    write = next((one for one in work.steps if isinstance(one, m.LogWrite)), None)
    pool, rate = work.pool, found.point.rate
    if write is None or write.place != "region" or pool is None or pool.kinds or work.is_open:
        return None
    if found.point.all_busy < RARELY or not found.terms.cpu[2] > 0:
        return None
    from imsperf.synthetic.solver import full_regions  # numba: not before it is needed
    from imsperf.synthetic.solver.releases import release_waits

    cpus = model.cpus_of(work)
    cpu = np.asarray(found.terms.cpu / (1 - cpus.fixed_us_per_s / 1e6 / cpus.cps))
    waits, logged = float(found.terms.delay[2]), float(found.terms.delays[write.name][2])
    station = Station(cpus.name, float(cpu.sum()), cpus.cps)
    needs = Needs((station,), cpu[2:] / cpu.sum(), waits, 0.0, 0, 0.0, 0.0, pool.size)
    out, times = when_full(needs, rate)
    if out * write.write_us < SEVERAL:
        return None
    busy = found.terms.facts[f"{write.name}.busy"] or 0.0
    full = full_regions.in_releases(
        rate,
        cpu,
        cpus.cps,
        (write.write_us, write.cv, busy),
        pool.size,
        waits - logged,
        out * float(times[0, 1]),
    )
    if full is None or full.rate > out:
        return None
    times = when_full(needs, min(rate, full.rate))[1]
    free = release_waits(rate, cpu, cpus.cps, write.write_us, write.cv)
    outside = float(full.times[:2].sum() - free[:2].sum()) - times[0, 0]
    inside = float(full.times[2] - free[2]) - times[0, 1] + full.logged - logged
    return Crowding(outside, inside, full.rate * write.write_us)
