"""A logical control unit: base addresses, and aliases that any of its volumes can take.

model.md 3.6: IOSQ is the wait for the base or an alias. With n I/Os spread over V like volumes,
V (1 - (1 - 1/V)^n) of them have one at least, each on its base; the others need aliases, so
min(n, busy volumes + aliases) are served. A birth-death chain over n gives the wait. Path and
device times: devices.path_delay and the arguments.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.solver.queueing import birth_death_open
from imsperf.synthetic.solver.result import Result, Use, require

SERVED = 1e-9  # relative gain of one more I/O below which no more are followed


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
    n = np.arange(_enough(volumes, aliases) + 1)
    busy = volumes * -np.expm1(n * np.log1p(-1 / volumes)) if volumes > 1 else np.minimum(n, 1)
    served = np.minimum(n, busy + aliases)
    if rate == 0:
        return Result(
            "", 0.0, service, (Use("iosq", 0, 0, 0, 0), Use("device", places, 0, 0, service))
        )
    chain = birth_death_open(rate, served / service)
    if chain is None:
        raise AssertionError("the limit was checked above")
    wait = max(chain.response - service, 0.0)
    device = Use("device", places, rate * service / places, rate * service, service)
    return Result("", rate, chain.response, (Use("iosq", 0.0, 0.0, rate * wait, wait), device))


def _enough(volumes: int, aliases: int) -> int:
    """I/Os with which practically every volume has one."""
    if volumes == 1:
        return 1 + aliases
    return int(np.log(SERVED) / np.log1p(-1 / volumes)) + volumes + aliases
