"""Requests to a coupling facility: subchannels, link, CF processors; synchronous or not.

model.md 3.12. A request holds a subchannel over the link and through the CF processors. While a
synchronous request is on its way its host CPU spins; above a threshold of expected host cost the
system sends it asynchronously: the CPU is free for a fixed cost, the answer is found later. A
synchronous request that finds no subchannel spins too (subchannel busy), an asynchronous one waits.

So a host has at most as many synchronous requests out as it has CPs: finite sources (sources.py).
Asynchronous ones leave the CP free and come as they like: Poisson.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from imsperf.synthetic.solver.queueing import erlang_b, mmm_wait
from imsperf.synthetic.solver.regions import region_pool
from imsperf.synthetic.solver.result import Result, Station, Use, require
from imsperf.synthetic.solver.sources import MOST, Host, asked

RAMP = 0.05  # above the threshold, until all requests are converted
WANDERS = 0.85  # of the threshold: three standard deviations of the moving mean below it


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
    # of the host: CPs, each with one synchronous request at most (0: no limit), and what a CP does
    # between two of its requests
    cps: int = field(default=0, compare=False)
    work: float = field(default=0.0, compare=False)


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
    rate: float,
    facility: Facility,
    *,
    convert: bool = True,
    others: float = 0.0,
    other: Facility | None = None,
) -> Requests:
    """Requests at `rate` per microsecond; `others` come from the host that sees `other`.

    Conversion: none while a synchronous request costs less host CPU than the threshold, all when it
    costs 5 % more, a share between (each request is judged by a moving mean). Where asynchronous
    requests would queue till they take longer than that, synchronous ones short of the threshold by
    as much as the mean wanders do it: once converted they stay so. Saturated: at the highest rate,
    asynchronous where that is allowed, no elapsed time. More synchronous requests than the CPs can
    make: at the rate of CPs that do nothing else. `other` None: a host like this one. Hosts with
    more CPs than subchannels, or than 64, ask like a Poisson stream. Errors: ScenarioError.
    """
    require("rate of CF requests", rate, "above 0", rate > 0)
    require("rate of other requests", others, "0 or more", others >= 0)
    hosts = [(rate, facility)] + [(others, other or facility)] * (others > 0)
    finite = all(0 < one.cps <= min(one.subchannels, MOST) for _, one in hosts)
    if not finite or (rate + others) * facility.service >= facility.processors:
        found, none_free = _through(rate, facility, others)
        return _sent(
            facility, found, found.response, none_free, convert * _over(found, 1.0, facility)
        )
    found = _held(hosts)
    share = convert * _over(found, WANDERS, facility)
    if share == 0:
        return _sent(facility, found, found.response, 0.0, 0.0)
    free, none_free = _through(rate, facility, others)
    share = min(share, _over(free, 1.0, facility))
    return _sent(facility, free if share > 0 else found, found.response, none_free, share)


def _over(found: Result, part: float, facility: Facility) -> float:
    """How far the time is above a part of the threshold: 0 to 1; 1 where there is no time."""
    if found.response is None:
        return 1.0
    return min(max((found.response / facility.threshold / part - 1) / RAMP, 0.0), 1.0)


def _sent(
    facility: Facility, found: Result, spin: float | None, none_free: float, share: float
) -> Requests:
    """A share is sent asynchronously and takes the time `found`; the others spin."""
    time, waited, mean, elapsed = found.response, None, None, None
    if time is not None and spin is not None:
        waited = share * (time + facility.async_delay)
        mean = (1 - share) * spin + share * time
        elapsed = mean + share * facility.async_delay
    elif spin is None:
        spin = sum(use.residence or 0.0 for use in found.stations[1:])
    host_cpu = share * facility.async_cpu + (1 - share) * spin
    return Requests(found.rate, share, host_cpu, elapsed, waited, mean, none_free, found)


def _held(hosts: Sequence[tuple[float, Facility]]) -> Result:
    """Synchronous requests of the first host; a CP has one at a time, so subchannels are free."""
    facility = hosts[0][1]
    service, processors = facility.service, facility.processors
    asking = [Host(rate, one.cps, one.work + one.link) for rate, one in hosts]
    found = asked(asking, service, processors)
    rate, time = found.rate, facility.link + found.time
    load = (rate + sum(one.rate for one in asking[1:])) * service / processors
    used = rate * time / facility.subchannels
    uses = (
        Use("subchannels", float(facility.subchannels), used, rate * time, time),
        Use("link", 0.0, 0.0, rate * facility.link, facility.link),
        Use("processors", float(processors), load, rate * found.time, found.time),
    )
    return Result("", rate, time, uses)


def _through(rate: float, facility: Facility, others: float) -> tuple[Result, float]:
    """Requests that come as they like; share that finds no subchannel."""
    found = _open(rate, facility, others)
    if found.saturated:
        return found, 1.0
    inner = sum(use.residence or 0.0 for use in found.stations[1:])
    held = min(found.rate * inner, float(facility.subchannels))
    b = erlang_b(facility.subchannels, held)
    return found, b / (1 - held / facility.subchannels * (1 - b))


def _open(rate: float, facility: Facility, others: float) -> Result:
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
