"""Requests to a coupling facility: subchannels, link, CF processors; synchronous or not.

model.md 3.12. A request holds a subchannel over the link and through the CF processors. While a
synchronous request is on its way its host CPU spins; above a threshold of expected host cost the
system sends it asynchronously: the CPU is free for a fixed cost, the answer is found later. A
synchronous request that finds no subchannel spins too (subchannel busy), an asynchronous one waits.

So a host has at most as many synchronous requests out as it has CPs. Asynchronous ones leave the CP
free and come as they like: Poisson.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from imsperf.synthetic.solver.queueing import erlang_c, mmm_wait

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
class Served:
    """Requests on their way, however they are sent. Microseconds; `time` None: too many come."""

    rate: float  # per microsecond, at most what subchannels and CF can do
    time: float | None  # wait for a subchannel, link and CF
    spin: float  # link and CF, without the waits where too many come
    subchannels: float  # share in use
    processors: float  # share in use, by all hosts
    none_free: float = 0.0  # share that finds no subchannel


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
    served: Served

    @property
    def saturated(self) -> bool:
        """More requests than the CF or the subchannels can take."""
        return self.served.time is None


def requests(
    rate: float, facility: Facility, *, convert: bool = True, others: float = 0.0
) -> Requests:
    """Requests at `rate` per microsecond; `others` come from other hosts.

    Conversion: none while a synchronous request costs less host CPU than the threshold, all when it
    costs 5 % more, a share between (each request is judged by a moving mean). Where asynchronous
    requests would queue till they take longer than that, synchronous ones short of the threshold by
    as much as the mean wanders do it: once converted they stay so. Saturated: at the highest rate,
    asynchronous where that is allowed, no elapsed time. Hosts with more CPs than subchannels ask
    like a Poisson stream.
    """
    free = _free(rate, facility, others)
    full = (rate + others) * facility.service >= facility.processors
    if full or not 0 < facility.cps <= facility.subchannels:
        return _sent(facility, free, free, convert * _over(free, 1.0, facility))
    held = _held(rate, facility, others)
    share = convert * _over(held, WANDERS, facility)
    share = min(share, _over(free, 1.0, facility))
    return _sent(facility, free if share > 0 else held, held, share)


def _over(served: Served, part: float, facility: Facility) -> float:
    """How far the time is above a part of the threshold: 0 to 1; 1 where there is no time."""
    if served.time is None:
        return 1.0
    return min(max((served.time / facility.threshold / part - 1) / RAMP, 0.0), 1.0)


def _sent(facility: Facility, served: Served, spun: Served, share: float) -> Requests:
    """A share is sent asynchronously and takes the time of `served`; the others spin."""
    time, waited, mean, elapsed = served.time, None, None, None
    spin = spun.spin if spun.time is None else spun.time
    if time is not None:
        waited = share * (time + facility.async_delay)
        mean = (1 - share) * spin + share * time
        elapsed = mean + share * facility.async_delay
    host_cpu = share * facility.async_cpu + (1 - share) * spin
    return Requests(served.rate, share, host_cpu, elapsed, waited, mean, served.none_free, served)


def _held(rate: float, facility: Facility, others: float) -> Served:
    """Synchronous requests: a CP has one at a time, so subchannels are free, and none waits behind
    its own; nor do those of another host, which meet half as much less of each other. Within 6 % of
    exact chains of one and two like hosts while the CF is up to half busy, 2 % in most cases; above
    that the simulation is asked (answer.py)."""
    cps, service, processors = facility.cps, facility.service, facility.processors
    time = facility.link + service + (mmm_wait(rate + others, service, processors) or 0.0)
    busy = min(rate * (facility.work + time) / cps, 1.0)
    ahead = rate * (1 - busy / cps) + others * (1 - busy / cps / 2)
    time = facility.link + service + (mmm_wait(ahead, service, processors) or 0.0)
    load = (rate + others) * service / processors
    return Served(rate, time, time, rate * time / facility.subchannels, load)


def _free(rate: float, facility: Facility, others: float) -> Served:
    """Requests that come as they like: M/M/m at the processors, then, as each holds a subchannel so
    long, M/M/c for these. Near their limit the simulation is asked (answer.py)."""
    subchannels, least = facility.subchannels, facility.link + facility.service
    wait = mmm_wait(rate + others, facility.service, facility.processors)
    if wait is None:
        most = max(facility.processors / facility.service - others, rate * 1e-9)
        return Served(most, None, least, 1.0, 1.0, 1.0)
    spin = least + wait
    load = min((rate + others) * facility.service / facility.processors, 1.0)
    queue = mmm_wait(rate, spin, subchannels)
    if queue is None:
        return Served(subchannels / spin, None, least, 1.0, load, 1.0)
    used = rate * spin
    return Served(rate, spin + queue, spin, used / subchannels, load, erlang_c(subchannels, used))
