"""Requests to a coupling facility: subchannels, link, CF processors; synchronous or not.

model.md 3.12. A request holds a subchannel over the link and through the CF processors. While a
synchronous request is on its way its host CPU spins; above a threshold of expected host cost the
system sends it asynchronously: the CPU is free for a fixed cost, the answer is found later. A
synchronous request that finds no subchannel spins too (subchannel busy), an asynchronous one waits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from imsperf.synthetic.solver.queueing import erlang_b, mmm_wait
from imsperf.synthetic.solver.regions import region_pool
from imsperf.synthetic.solver.result import Result, Station, Use, require

RAMP = 0.05  # above the threshold, until all requests are converted


@dataclass(frozen=True)
class Facility:
    """One CF as one host sees it. Times in microseconds."""

    processors: int
    subchannels: int  # links x subchannels of a link
    link: float  # both ways
    service: float  # CF CPU of a request
    async_cpu: float = 15.0  # host CPU of an asynchronous request (model.md: 10 to 20, assumed)
    async_delay: float = 20.0  # until the host looks for the answer (assumed)
    threshold: float = 26.0  # host CPU time above which requests are converted (assumed)


@dataclass(frozen=True)
class Requests:
    """What a stream of requests costs. Microseconds; None: more than the CF can do."""

    rate: float  # per microsecond, at most what it can do
    converted: float  # share sent asynchronously
    host_cpu: float  # of one request, mean
    elapsed: float | None  # as the program sees it, mean
    waited: float | None  # part of it that is no host CPU
    facility: float | None  # subchannel wait, link and CF
    subchannel_busy: float  # share of the requests that find none free
    result: Result  # stations: subchannels, link, processors

    @property
    def saturated(self) -> bool:
        """More requests than the CF or the subchannels can take."""
        return self.result.saturated


def requests(
    rate: float, facility: Facility, *, convert: bool = True, others: float = 0.0
) -> Requests:
    """Requests at `rate` per microsecond, Poisson; `others` come from other hosts.

    Conversion: none while a synchronous request costs less host CPU than the threshold, all when it
    costs 5 % more, a share between (each request is judged by a moving mean). Saturated: at the
    highest rate, asynchronous where that is allowed, no elapsed time. Errors: ScenarioError.
    """
    require("rate of CF requests", rate, "above 0", rate > 0)
    require("rate of other requests", others, "0 or more", others >= 0)
    found = _through(rate, facility, others)
    time = found.response
    inner = sum(use.residence or 0.0 for use in found.stations[1:])
    held = min(found.rate * inner, float(facility.subchannels))
    none_free = 1.0
    if not found.saturated:
        b = erlang_b(facility.subchannels, held)
        none_free = b / (1 - held / facility.subchannels * (1 - b))
    spin = time if time is not None else inner
    share = float(convert) * min(max((spin / facility.threshold - 1) / RAMP, 0.0), 1.0)
    if time is None:
        share = float(convert)
    waited = None if time is None else share * (time + facility.async_delay)
    elapsed = None if time is None or waited is None else (1 - share) * time + waited
    host_cpu = share * facility.async_cpu + (1 - share) * spin
    return Requests(found.rate, share, host_cpu, elapsed, waited, time, none_free, found)


def _through(rate: float, facility: Facility, others: float) -> Result:
    """Subchannels, link and processors; other hosts' requests only lengthen the last."""
    inside = [
        Station("link", facility.link, 0),
        Station("processors", facility.service, facility.processors),
    ]
    if others == 0:
        return region_pool(facility.subchannels, inside, rate=rate, name="subchannels")
    load = (rate + others) * facility.service
    wait = mmm_wait(rate + others, facility.service, facility.processors)
    used = min(load / facility.processors, 1.0)
    if wait is None:
        top = max(facility.processors / facility.service - others, rate * 1e-9)
        uses = (
            Use("subchannels", float(facility.subchannels), 1.0, None, None),
            Use("link", 0.0, 0.0, top * facility.link, facility.link),
            Use("processors", float(facility.processors), 1.0, None, None),
        )
        return Result("", top, None, uses, saturated=True)
    inside[1] = Station("processors", facility.service + wait, 0)
    found = region_pool(facility.subchannels, inside, rate=rate, name="subchannels")
    pool, link, inner = found.stations
    inner = replace(inner, limit=float(facility.processors), utilisation=used)
    return replace(found, stations=(pool, link, inner))
