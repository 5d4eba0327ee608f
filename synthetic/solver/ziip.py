"""zIIPs: eligible work moves there from the general CPs, SMT makes cores faster, some spills back.

model.md 3.3. A core with two threads runs at `smt` times the speed of one when both are busy. Work
that finds all threads busy goes to a general CP where the system says so (IIPHONORPRIORITY=YES)
and waits otherwise. Sources: Kleinrock volume 1 section 3.7 (loss) with state-dependent speeds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.solver.open import open_network
from imsperf.synthetic.solver.result import Result, Station, Use, require


def smt_speeds(cores: int, threads: int, smt: float) -> tuple[float, ...]:
    """Speed of the pool with 1, 2 ... bursts there; cores are filled before second threads."""
    require("zIIP cores", cores, "1 or more", cores >= 1)
    require("threads of a core", threads, "1 or 2", threads in (1, 2))
    require("SMT capacity factor", smt, "1 to 2", 1 <= smt <= 2)
    first = [float(n) for n in range(1, cores + 1)]
    second = [cores + (smt - 1) * n for n in range(1, cores + 1)]
    return tuple(first + (second if threads == 2 and smt > 1 else []))


@dataclass(frozen=True)
class Offload:
    """What eligible work does to both pools."""

    spilled: float  # share of the eligible work that runs on general CPs
    result: Result  # stations: cp and ziip, residences of one transaction

    @property
    def saturated(self) -> bool:
        """A pool has more work than it can do."""
        return self.result.saturated


def offload(
    rate: float, cpu: float, eligible: float, cps: int, speeds: tuple[float, ...], *, honor: bool
) -> Offload:
    """Transactions at `rate` with `cpu` time, of which the share `eligible` may run on zIIPs.

    `speeds` as from `smt_speeds`, of CPs of the same speed. `honor`: what finds no thread free goes
    to the CPs. Poisson arrivals, exponential bursts, cp and ziip bursts apart: the share that
    spills is some percent high, as spilled work comes back smoother. Errors: ScenarioError.
    """
    require("eligible share", eligible, "0 to 1", 0 <= eligible <= 1)
    require("rate", rate, "0 or more", rate >= 0)
    on_ziip = cpu * eligible
    if not honor or on_ziip == 0 or rate == 0:
        stations = (Station("cp", cpu - on_ziip, cps), Station("ziip", on_ziip, 1, speeds))
        return Offload(0.0, open_network(rate, stations))
    spilled, inside = spilled_share(rate * on_ziip, speeds)
    kept = on_ziip * (1 - spilled)
    general = open_network(rate, [Station("cp", cpu - kept, cps)])
    rate = general.rate
    used = rate * kept / max(speeds)
    ziip = Use("ziip", max(speeds), used, inside, inside / rate)
    response = None if general.response is None else general.response + inside / rate
    uses = (*general.stations, ziip)
    return Offload(spilled, Result("", rate, response, uses, saturated=general.saturated))


def spilled_share(load: float, speeds: tuple[float, ...]) -> tuple[float, float]:
    """Share of a load that finds all threads busy, and the mean number on them."""
    if load <= 0:
        return 0.0, 0.0
    chances = _loss(load, speeds)
    return float(chances[-1]), float(chances @ np.arange(len(chances)))


def _loss(load: float, speeds: tuple[float, ...]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Chances of 0, 1 ... threads busy where nobody waits."""
    logs = np.concatenate(([0.0], np.cumsum(np.log(load) - np.log(speeds))))
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())
