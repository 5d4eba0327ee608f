"""Requests to a coupling facility: subchannels, link, CF processors; synchronous or not.

model.md 3.12. A request holds a subchannel over the link and through the CF processors. While a
synchronous request is on its way its host CPU spins; above a threshold of expected host cost the
system sends it asynchronously: the CPU is free for a fixed cost, the answer is found later. A
synchronous request that finds no subchannel spins too (subchannel busy), an asynchronous one waits.

So a host has at most as many synchronous requests out as it has CPs. Asynchronous ones leave the CP
free and come as they like: Poisson.
"""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.synthetic.network.network import Coupling
from imsperf.synthetic.solver.queueing import erlang_c, mmm_wait

RAMP = 0.05  # above the threshold, until all requests are converted
WANDERS = 0.85  # of the threshold: three standard deviations of the moving mean below it


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
    rate: float,
    coupling: Coupling,
    *,
    convert: bool = True,
    others: float = 0.0,
    cps: int = 0,
    work_us: float = 0.0,
) -> Requests:
    """Requests at `rate` per microsecond; `others` come from other hosts.

    The host has `cps`, each with one synchronous request at most (0: no limit), and a CP does
    `work_us` between two of its requests.

    Conversion: none while a synchronous request costs less host CPU than the threshold, all when it
    costs 5 % more, a share between (each request is judged by a moving mean). Where asynchronous
    requests would queue till they take longer than that, synchronous ones short of the threshold by
    as much as the mean wanders do it: once converted they stay so. Saturated: at the highest rate,
    asynchronous where that is allowed, no elapsed time. Hosts with more CPs than subchannels ask
    like a Poisson stream.
    """
    free = _free(rate, coupling, others)
    full = (rate + others) * coupling.service_us >= coupling.processors
    if full or not 0 < cps <= coupling.subchannels:
        return _sent(coupling, free, free, convert * _over(free, 1.0, coupling))
    held = _held(rate, coupling, others, cps, work_us)
    share = convert * _over(held, WANDERS, coupling)
    share = min(share, _over(free, 1.0, coupling))
    return _sent(coupling, free if share > 0 else held, held, share)


def _over(served: Served, part: float, coupling: Coupling) -> float:
    """How far the time is above a part of the threshold: 0 to 1; 1 where there is no time."""
    if served.time is None:
        return 1.0
    return min(max((served.time / coupling.threshold_us / part - 1) / RAMP, 0.0), 1.0)


def _sent(coupling: Coupling, served: Served, spun: Served, share: float) -> Requests:
    """A share is sent asynchronously and takes the time of `served`; the others spin."""
    time, waited, mean, elapsed = served.time, None, None, None
    spin = spun.spin if spun.time is None else spun.time
    if time is not None:
        waited = share * (time + coupling.async_delay_us)
        mean = (1 - share) * spin + share * time
        elapsed = mean + share * coupling.async_delay_us
    host_cpu = share * coupling.async_cpu_us + (1 - share) * spin
    return Requests(served.rate, share, host_cpu, elapsed, waited, mean, served.none_free, served)


def _held(rate: float, coupling: Coupling, others: float, cps: int, work_us: float) -> Served:
    """Synchronous requests: a CP has one at a time, so subchannels are free, and none waits behind
    its own; nor do those of another host, which meet half as much less of each other. Within 6 % of
    exact chains of one and two like hosts while the CF is up to half busy, 2 % in most cases; above
    that the simulation is asked (answer.py)."""
    service, processors = coupling.service_us, coupling.processors
    time = coupling.link_us + service + (mmm_wait(rate + others, service, processors) or 0.0)
    busy = min(rate * (work_us + time) / cps, 1.0)
    ahead = rate * (1 - busy / cps) + others * (1 - busy / cps / 2)
    time = coupling.link_us + service + (mmm_wait(ahead, service, processors) or 0.0)
    load = (rate + others) * service / processors
    return Served(rate, time, time, rate * time / coupling.subchannels, load)


def _free(rate: float, coupling: Coupling, others: float) -> Served:
    """Requests that come as they like: M/M/m at the processors, then, as each holds a subchannel so
    long, M/M/c for these. Near their limit the simulation is asked (answer.py)."""
    subchannels, least = coupling.subchannels, coupling.link_us + coupling.service_us
    wait = mmm_wait(rate + others, coupling.service_us, coupling.processors)
    if wait is None:
        most = max(coupling.processors / coupling.service_us - others, rate * 1e-9)
        return Served(most, None, least, 1.0, 1.0, 1.0)
    spin = least + wait
    load = min((rate + others) * coupling.service_us / coupling.processors, 1.0)
    queue = mmm_wait(rate, spin, subchannels)
    if queue is None:
        return Served(subchannels / spin, None, least, 1.0, load, 1.0)
    used = rate * spin
    return Served(rate, spin + queue, spin, used / subchannels, load, erlang_c(subchannels, used))
