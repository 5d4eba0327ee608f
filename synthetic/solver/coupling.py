"""Requests to a coupling facility: subchannels, link, CF processors; synchronous or not.

model.md 3.12. A request holds a subchannel over the link and through the CF processors. While a
synchronous request is on its way its host CPU spins; above a threshold of expected host cost the
system sends it asynchronously: the CPU is free for a fixed cost, the answer is found later. A
synchronous request that finds no subchannel spins too (subchannel busy), an asynchronous one waits.
"""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.synthetic.solver.queueing import erlang_b
from imsperf.synthetic.solver.regions import region_pool
from imsperf.synthetic.solver.result import Result, Station, require


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
    converted: bool
    host_cpu: float  # of one request
    elapsed: float | None  # as the program sees it
    facility: float | None  # subchannel wait, link and CF
    subchannel_busy: float  # share of the requests that find none free
    result: Result  # stations: subchannels, link, processors

    @property
    def saturated(self) -> bool:
        """More requests than the CF or the subchannels can take."""
        return self.result.saturated


def requests(rate: float, facility: Facility, *, convert: bool = True) -> Requests:
    """Requests at `rate` per microsecond, Poisson. Errors: ScenarioError.

    Saturated: at the highest rate, asynchronous where that is allowed, no elapsed time.
    """
    require("rate of CF requests", rate, "above 0", rate > 0)
    inside = (
        Station("link", facility.link, 0),
        Station("processors", facility.service, facility.processors),
    )
    found = region_pool(facility.subchannels, inside, rate=rate, name="subchannels")
    time = found.response
    inner = sum(use.residence or 0.0 for use in found.stations[1:])
    held = found.rate * inner
    none_free = 1.0
    if not found.saturated:
        b = erlang_b(facility.subchannels, held)
        none_free = b / (1 - held / facility.subchannels * (1 - b))
    spin = time if time is not None else inner
    converted = convert and (time is None or spin > facility.threshold)
    host_cpu = facility.async_cpu if converted else spin
    elapsed = time
    if converted and time is not None:
        elapsed = time + facility.async_delay
    return Requests(found.rate, converted, host_cpu, elapsed, time, none_free, found)
