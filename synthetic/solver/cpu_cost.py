"""CPU per transaction as a function of rate and utilisation, and of features that add to it.

model.md 3.3: c(X, U) = base x (1 + growth x U) + fixed / X. The fixed part (timers, monitors,
polling) makes low rates dear, the growth of cache misses high ones. Source of form and values: the
ten points of two workloads of the CICS TS V3.1 performance report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imsperf.synthetic.solver.result import require


@dataclass(frozen=True)
class CpuCost:
    """Costs on `cps` processors. `base` and the results in one unit, `fixed` per unit of time."""

    base: float  # CPU time of a transaction at no load
    cps: int
    fixed: float = 0.0  # CPUs busy whatever the rate
    growth: float = 0.0  # share by which full utilisation makes a transaction dearer

    def __post_init__(self) -> None:
        require("CPU time", self.base, "above 0", self.base > 0)
        require("processors", self.cps, "1 or more", self.cps >= 1)
        require("growth", self.growth, "0 or more", self.growth >= 0)
        require("fixed CPU", self.fixed, f"0 to {self.cps} CPUs", 0 <= self.fixed < self.cps)

    def busy(self, rate: float) -> float:
        """Utilisation at a rate; 1 where the rate is more than the processors can do.

        cps x U = rate x base x (1 + growth x U) + fixed is linear in U.
        """
        require("rate", rate, "0 or more", rate >= 0)
        bare = rate * self.base
        left = self.cps - bare * self.growth
        return min((bare + self.fixed) / left, 1.0) if left > 0 else 1.0

    def rate(self, busy: float) -> float:
        """Rate at a utilisation, 0 below what the fixed part uses."""
        require("utilisation", busy, "0 to 1", 0 <= busy <= 1)
        return max(busy * self.cps - self.fixed, 0.0) / (self.base * (1 + self.growth * busy))

    def per_transaction(self, rate: float) -> float:
        """c(X, U): all CPU used, divided by the transactions."""
        require("rate", rate, f"above 0, at most {self.limit}", 0 < rate <= self.limit)
        return self.cps * self.busy(rate) / rate

    def itr(self, rate: float) -> float:
        """Internal throughput: rate / utilisation = cps / c."""
        return self.cps / self.per_transaction(rate)

    @property
    def limit(self) -> float:
        """The rate at which the processors are full."""
        return self.rate(1.0)


def combined_overhead(shares: Sequence[float], power: float = 1.5) -> float:
    """Overhead of several traces together, from the overhead of each; same unit as they.

    (sum of o^p)^(1/p): less than their sum, as they record in part the same (DL/I holds locks),
    at least the largest. p = 1.5 is fitted to the four totals of the trace study (model.md 3.13).
    """
    require("power", power, "1 or more", power >= 1)
    for one in shares:
        require("overhead", one, "0 or more", one >= 0)
    return float(sum(one**power for one in shares) ** (1 / power))


def serial_limit(serial: float, cpu: float, cps: int) -> tuple[float, str]:
    """The highest rate, and what sets it: `serial` CPU on one TCB, or all `cpu` on the processors.

    CICS TS V3.1 report: 482/s at 97 % of the QR TCB is 2.012 ms of serial CPU each.
    """
    require("CPU time", cpu, "above 0, not less than the serial part", cpu > 0 and cpu >= serial)
    one = 1 / serial if serial > 0 else float("inf")
    return min((one, "tcb"), (cps / cpu, "cpu"))
