"""A logical control unit: base addresses, and aliases that any of its volumes can take.

model.md 3.6: IOSQ is the wait for the base or an alias. Of V like volumes V n / (n + V - 1) have
one of n I/Os at least, as queues that persist divide (all ways alike, Baskett et al., Journal of
the ACM 22 (1975)); each of those is on its base, the others need aliases, so min(n, busy volumes +
aliases) are served. A birth-death chain over n gives the wait; without aliases that of an M/M/1
queue for each volume. Path and device times: devices.path_delay and the arguments.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.solver.queueing import Population, birth_death_open
from imsperf.synthetic.solver.result import Result, Use, require

FEW = 64  # I/Os more than places with which the search begins
ENOUGH = 1 - 1e-5  # of all places are served
NOBODY = 1e-12


def control_unit(rate: float, service: float, volumes: int, aliases: int) -> Result:
    """I/Os at `rate` to a control unit of like volumes; `service` is PEND + DISC + CONN.

    Stations: iosq (the wait alone) and device. Response = IOSQ + service. Saturated: the limit
    (volumes + aliases) / service, no IOSQ. Errors: ScenarioError. Against simulation: IOSQ within
    some percent while aliases are short, response within 2 %.
    """
    require("rate of I/O", rate, "0 or more", rate >= 0)
    require("service", service, "above 0", service > 0)
    require("volumes", volumes, "1 or more", volumes >= 1)
    require("aliases", aliases, "0 or more", aliases >= 0)
    places = float(volumes + aliases)
    if rate * service >= places:
        device = Use("device", places, 1.0, places, service)
        iosq = Use("iosq", 0.0, 0.0, None, None)
        return Result("", places / service, None, (iosq, device), saturated=True)
    if rate == 0:
        return Result(
            "", 0.0, service, (Use("iosq", 0, 0, 0, 0), Use("device", places, 0, 0, service))
        )
    chain = _chain(rate, service, volumes, aliases)
    wait = max(chain.response - service, 0.0)
    device = Use("device", places, rate * service / places, rate * service, service)
    return Result("", rate, chain.response, (Use("iosq", 0.0, 0.0, rate * wait, wait), device))


def _chain(rate: float, service: float, volumes: int, aliases: int) -> Population:
    """Chances of 0, 1 ... I/Os, so many that more have next to no chance or hardly change speed."""
    size = volumes + aliases + FEW
    while True:
        n = np.arange(size + 1)
        busy = volumes * n / np.maximum(n + volumes - 1, 1)
        served = np.minimum(n, busy + aliases)
        if served[-1] >= (volumes + aliases) * ENOUGH:
            served[-1] = volumes + aliases
        chain = birth_death_open(rate, served / service)
        if chain is not None and (chain.chances[-1] < NOBODY or served[-1] == volumes + aliases):
            return chain
        size *= 2
