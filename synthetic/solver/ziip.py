"""zIIPs: eligible work moves there from the general CPs, SMT makes cores faster, some spills back.

model.md 3.3. A core with two threads runs at `smt` times the speed of one when both are busy. Work
that finds all threads busy goes to a general CP where the system says so (IIPHONORPRIORITY=YES)
and waits otherwise. Sources: Kleinrock volume 1 section 3.7 (loss) with state-dependent speeds.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.solver.result import require


def smt_speeds(cores: int, threads: int, smt: float) -> tuple[float, ...]:
    """Speed of the pool with 1, 2 ... bursts there; cores are filled before second threads."""
    require("zIIP cores", cores, "1 or more", cores >= 1)
    require("threads of a core", threads, "1 or 2", threads in (1, 2))
    require("SMT capacity factor", smt, "1 to 2", 1 <= smt <= 2)
    first = [float(n) for n in range(1, cores + 1)]
    second = [cores + (smt - 1) * n for n in range(1, cores + 1)]
    return tuple(first + (second if threads == 2 and smt > 1 else []))


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
