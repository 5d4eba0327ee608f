"""`solve` against declared_simulation.py: regions, processors, queues, the log.

Rate and CPU within 0.5 %, response within 2 % or three standard errors, 4 % where a station is
above 95 % of its limit. Pools of less than 12 regions: 1 % and 3 % (pooled.py says why). The
settings with short runs are always tested, the others under `slow`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from declared_simulation import CPU, DELAY, GIVE, LOG, QUEUE, START, STOP, TAKE, Route, run

from imsperf.synthetic.network.network import Cpu
from imsperf.synthetic.solver.model import (
    Burst,
    Delay,
    LogWrite,
    Pool,
    Queue,
    Step,
    Work,
)
from imsperf.synthetic.solver.result import Results
from imsperf.synthetic.solver.solve import solve

KNEE = 0.95
FEW = 12  # regions


@dataclass(frozen=True)
class Demands:
    """One work: CPU outside, in the response and in the region, delay in it. Microseconds."""

    outside: float = 0.0
    ims: float = 0.0
    region: float = 0.0
    delay: float = 0.0
    clients: int = 0
    think: float = 0.0
    rate: float = 0.0  # a microsecond
    regions: int = 0
    cpu: int = 0
    queue: float = 0.0  # at one server
    log: float = 0.0  # length of a write, cv 0.4

    def work(self, name: str) -> Work:
        steps: list[Step] = [Burst(self.outside, "outside"), Burst(self.ims, "ims")]
        steps += [Burst(self.region), Delay("delay", self.delay)]
        if self.queue:
            steps.append(Queue("queue", self.queue))
        if self.log:
            steps.append(LogWrite("wads", self.log, 0.4))
        return Work(
            name,
            tuple(steps),
            clients=self.clients,
            think_us=self.think,
            rate_per_s=self.rate * 1e6,
            cpu=f"cpu{self.cpu}",
            pool=Pool(f"pool_{name}", self.regions) if self.regions else None,
        )

    def route(self) -> Route:
        """Outside CPU half before and half after, the delay between two halves of region CPU."""
        inside = [(CPU, self.cpu, self.region / 2), (DELAY, 0, self.delay)]
        inside += [(QUEUE, 0, self.queue)] * (self.queue > 0)
        inside += [(CPU, self.cpu, self.region / 2)]
        inside += [(LOG, 0, self.log)] * (self.log > 0)
        held = [(TAKE, 0, 0.0), *inside, (GIVE, 0, 0.0)] if self.regions else inside
        steps = [(START, 0, 0.0), (CPU, self.cpu, self.ims), *held, (STOP, 0, 0.0)]
        steps = [(CPU, self.cpu, self.outside / 2), *steps, (CPU, self.cpu, self.outside / 2)]
        used = tuple(step for step in steps if step[0] not in (CPU, DELAY) or step[2] > 0)
        return Route(used, self.clients, self.think, self.rate, self.regions)


def compare(
    kinds: list[Demands], cps: tuple[int, ...], each: int, response: float = 0.02
) -> Results:
    works = (kind.work(f"work{k}") for k, kind in enumerate(kinds))
    solution = solve(tuple(replace(work, cpus=Cpu(n)) for work, n in zip(works, cps, strict=True)))
    seen = run([kind.route() for kind in kinds], cpus=cps, queues=(1,), logs=(0.4,), each=each)
    few = any(0 < kind.regions < FEW for kind in kinds)
    exact = 0.01 if few else 0.005
    response = max(response, 0.03 if few else 0.0)
    full = max(station.utilisation for station in solution.stations) > KNEE
    for k, work_class in enumerate(solution.classes):
        assert work_class.rate / 1e6 == pytest.approx(
            seen["rate"][k].mean, rel=exact, abs=seen["rate"][k].room
        )
        share = max(response, 0.04 if full else 0.0)
        room = max(share * seen["response"][k].mean, seen["response"][k].room)
        assert work_class.response is not None
        assert work_class.response * 1e6 == pytest.approx(seen["response"][k].mean, abs=room)
        if kinds[k].regions:
            held = solution.details[f"pool_work{k}.busy"]
            assert held == pytest.approx(seen["held"][k].mean, rel=0.01, abs=seen["held"][k].room)
    for c, busy in enumerate(seen["busy"]):
        used = solution.details[f"cpu{c}.busy"]
        assert used is not None
        assert used * cps[c] == pytest.approx(busy.mean, rel=exact, abs=busy.room)
    return solution


ONE = {
    "regions free": (Demands(60, 40, 400, 17_000, 4000, 789_500, regions=128), (3,)),
    "regions at the knee": (Demands(60, 40, 400, 17_000, 4000, 789_500, regions=96), (3,)),
    "regions full": (Demands(60, 40, 400, 17_000, 4000, 789_500, regions=80), (3,)),
    "few regions": (Demands(60, 0, 200, 400, 40, 2_500, regions=4), (3,)),
    "few regions, many clients": (Demands(60, 0, 200, 400, 100, 2_500, regions=6), (3,)),
    "half the CPU outside": (Demands(200, 0, 200, 400, 40, 1_200, regions=8), (4,)),
    "regions and processors full": (Demands(60, 0, 200, 400, 100, 2_500, regions=12), (3,)),
    "long delay": (Demands(100, 0, 100, 2_000, 60, 6_000, regions=20), (2,)),
    "queue in the region": (Demands(20, 0, 60, 900, 200, 9_000, regions=25, queue=42), (5,)),
    "full and a queue": (Demands(20, 0, 60, 900, 300, 2_000, regions=25, queue=42), (5,)),
    "queue without regions": (Demands(20, 10, 60, 900, 200, 9_000, queue=42), (5,)),
    "group commit": (Demands(30, 0, 28, 200, 2000, 80_400, log=260), (2,)),
    "group commit, seven CPs": (Demands(30, 0, 28, 200, 8000, 80_400, log=260), (7,)),
    "open with regions": (Demands(20, 0, 200, 800, rate=0.009, regions=24), (3,)),
    "open, nearly full": (Demands(5, 0, 100, 800, rate=0.009, regions=10), (3,)),
}
QUICK = {"group commit"}


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in ONE]
)
def test_one_work(name: str) -> None:
    kind, cps = ONE[name]
    compare([kind], cps, 40_000)


@pytest.mark.slow
def test_two_lpars() -> None:
    kinds = [
        Demands(60, 0, 400, 9_000, 400, 80_000, regions=30),
        Demands(60, 0, 300, 9_000, 300, 60_000, regions=64, cpu=1),
    ]
    compare(kinds, (3, 2), 80_000)


def test_saturated_open_work_runs_at_what_many_clients_get() -> None:
    """The limit of open work with regions is the rate of clients who never let one idle."""
    kind = Demands(100, 0, 200, 400, rate=0.02, regions=5)
    solution = solve((replace(kind.work("work0"), cpus=Cpu(3)),))
    assert solution.saturated and solution.of("work0").response is None
    assert solution.bottleneck == "pool_work0"
    many = Demands(100, 0, 200, 400, 600, 20_000, regions=5)
    seen = run([many.route()], cpus=(3,), each=30_000)["rate"][0]
    assert solution.of("work0").rate / 1e6 == pytest.approx(seen.mean, rel=0.01, abs=seen.room)
