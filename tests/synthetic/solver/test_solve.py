"""`solve`: figures by hand, laws and bounds, errors, and cases where other solvers go wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import Coupling, Cpu, Dasd, Latch, Xcf
from imsperf.synthetic.solver.devices import group_commit, path_delay
from imsperf.synthetic.solver.model import (
    Burst,
    CfRequests,
    Delay,
    Gate,
    Ios,
    LogBlocks,
    LogWrite,
    Pool,
    Queue,
    RegionKind,
    Serial,
    Step,
    Work,
    Works,
)
from imsperf.synthetic.solver.pooled import falling_root
from imsperf.synthetic.solver.queueing import birth_death
from imsperf.synthetic.solver.result import Results
from imsperf.synthetic.solver.solve import solve, with_busy
from imsperf.synthetic.solver.tcbs import flow


def model(
    *steps: Step, cps: int = 1, cpus: dict[str, float] | None = None, **work: object
) -> Works:
    processors = Cpu(cps, **(cpus or {}))  # type: ignore[arg-type]
    return (Work("w", steps, cpus=processors, **work),)  # type: ignore[arg-type]


# --- by hand ---


def test_one_client_never_waits() -> None:
    """One client, 100 us of CPU, 300 us of delay, 600 us of think time: 1 / 1 ms, U = 0.1."""
    solution = solve(model(Burst(100.0), Delay("d", 300.0), clients=1, think_us=600.0))
    result = solution.of("w")
    assert result.rate == pytest.approx(1000.0)
    assert result.response == pytest.approx(400e-6)
    assert result.station("cpu").utilisation == pytest.approx(0.1)
    assert result.station("d").queue == pytest.approx(0.3)


def test_two_clients_at_one_processor() -> None:
    """Think 1, service 1: p0 : p1 : p2 = 1 : 2 : 2, so U = 4/5, R = 2 / 0.8 - 1 = 1.5."""
    solution = solve(model(Burst(1e6), clients=2, think_us=1e6))
    assert solution.rate == pytest.approx(0.8)
    assert solution.response == pytest.approx(1.5)
    assert solution.station("cpu").utilisation == pytest.approx(0.8)


def test_one_region_is_one_server() -> None:
    """Three clients, think 2, one region held for 1 s: p = 1 : 3/2 : 3/2 : 3/4 over 19/4.

    Busy 15/19; mean number (3/2 + 3 + 9/4) / (19/4) = 27/19, of which 12/19 wait.
    """
    solution = solve(model(Delay("d", 1e6), clients=3, think_us=2e6, pool=Pool("r", 1)))
    assert solution.rate == pytest.approx(15 / 19)
    assert solution.response == pytest.approx(27 / 15)
    assert solution.station("r").queue == pytest.approx(12 / 19)
    assert solution.station("r").utilisation == pytest.approx(15 / 19)
    assert solution.details["r.occupancy_us"] == pytest.approx(1e6)


def test_open_work_at_one_processor() -> None:
    """M/M/1 at U = 0.8: R = 5 s for 1 s of service."""
    solution = solve(model(Burst(1e6), rate_per_s=0.8))
    assert solution.of("w").response == pytest.approx(5.0)


def test_steps_outside_the_response_are_not_in_it() -> None:
    solution = solve(
        model(Burst(50.0, "outside"), Burst(30.0, "ims"), Burst(20.0), clients=1, think_us=900.0)
    )
    assert solution.response == pytest.approx(50e-6)
    assert solution.details["w.outside_us"] == pytest.approx(50.0)
    assert solution.rate == pytest.approx(1000.0)


def test_growth_and_fixed_cpu() -> None:
    """c = 100 us (1 + 0.1 U), F = 0.2 CPUs, 2 CPs at 10,000/s: 2 U = 1 + 0.1 U + 0.2."""
    solution = solve(
        model(Burst(100.0), cps=2, rate_per_s=10_000.0,
              cpus={"growth": 0.1, "fixed_us_per_s": 200_000.0})
    )  # fmt: skip
    busy = 1.2 / 1.9
    assert solution.details["cpu.busy"] == pytest.approx(busy)
    assert solution.details["w.cpu_us"] == pytest.approx(100 * (1 + 0.1 * busy))
    assert solution.details["w.cpu_us_total"] == pytest.approx(2 * busy * 1e6 / 10_000)


def test_group_commit_at_the_rate_of_the_whole() -> None:
    solution = solve(model(Burst(1.0), LogWrite("wads", 250.0, 0.5, "ims"), rate_per_s=8_000.0))
    alone = group_commit(0.008, 250.0, 0.5)
    assert solution.details["wads.wait_us"] == pytest.approx(alone.wait)
    assert solution.response == pytest.approx((alone.wait + 1 / (1 - 0.008)) / 1e6)


def test_reads_wait_and_writes_only_load_the_paths() -> None:
    dasd = Ios("dasd", 2.0, 1.0, Dasd(8, 64, 100.0, 200.0, disc_us=2.0, conn_us=500.0, aliases=8))
    solution = solve(model(dasd, rate_per_s=10_000.0))
    load, cmr = path_delay(0.03, 8, 100.0)
    assert load == pytest.approx(0.375)
    assert cmr == pytest.approx(60.0)
    service = 200 + 60 + 2 + 500
    iosq = solution.details["dasd.iosq_us"]
    assert iosq is not None
    assert solution.response == pytest.approx(2 * (service + iosq) / 1e6)
    assert 0 < iosq < service


def test_a_synchronous_request_is_host_cpu() -> None:
    facility = Coupling((), 2, 28, link_us=4.0, service_us=6.0)
    solution = solve(model(Burst(10.0), CfRequests("cf", 5.0, facility), cps=4, rate_per_s=2_000.0))
    spin = solution.details["cf.host_cpu_us"]
    assert spin == pytest.approx(10.0, rel=0.01) and spin > 10.0
    assert solution.details["w.cpu_us"] == pytest.approx(10 + 5 * spin)
    slow = replace(facility, link_us=60.0)
    other = solve(model(Burst(10.0), CfRequests("cf", 5.0, slow), cps=4, rate_per_s=2_000.0))
    assert other.details["cf.converted"] == 1.0
    assert other.details["w.cpu_us"] == pytest.approx(10 + 5 * slow.async_cpu_us)
    assert other.of("w").station("cf").residence == pytest.approx(5 * 86e-6, rel=0.01)


def test_tcbs_and_processors_as_one_server() -> None:
    """One transaction: 1 / (serial + free). TCBs alone: n of them at J n / (n + J - 1). Limits."""
    both = flow(40.0, 60.0, 4, (1.0, 2.0, 3.0), 1000)
    assert both.rates[1] == pytest.approx(1 / 100)
    assert both.rates[-1] == pytest.approx(3 / 100, rel=1e-3)  # 3 processors, 4 TCBs
    assert both.at_tcbs[1] == pytest.approx(0.4)
    alone = flow(40.0, 0.0, 4, (1.0, 2.0, 3.0, 4.0, 5.0), 12)
    assert alone.rates[[2, 5, 12]] * 40 == pytest.approx([8 / 5, 20 / 8, 48 / 15], rel=1e-6)
    narrow = flow(40.0, 60.0, 1, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0), 1000)
    assert narrow.rates[-1] == pytest.approx(1 / 40, rel=1e-3)  # the TCB


# --- kinds of regions ---


def test_a_kind_of_regions_is_a_queue_of_its_own() -> None:
    """Open, a tenth of 5,000/s for the only region of its kind, held 1 ms: M/M/1 at load 0.5."""
    pool = Pool("regions", 50, (RegionKind("mpp", 1, 0.1),))
    solution = solve(model(Delay("io", 1_000.0), pool=pool, rate_per_s=5_000.0))
    assert solution.response == pytest.approx(1e-3 + 0.1 * 1e-3)
    assert solution.of("w").station("mpp").utilisation == pytest.approx(0.5)


def test_clients_of_one_kind_are_machines_and_a_repairman() -> None:
    """4 clients think 10, 5 in the region: chances 1, 2, 3, 3, 1.5 / 10.5, X = 9.5 / 10.5 / 5."""
    pool = Pool("regions", 4, (RegionKind("mpp", 1, 1.0),))
    solution = solve(model(Delay("io", 5.0), pool=pool, clients=4, think_us=10.0))
    assert solution.rate / 1e6 == pytest.approx(9.5 / 10.5 / 5, rel=1e-5)
    assert solution.bottleneck == "mpp"


def test_open_arrivals_beyond_a_kind_are_refused_there() -> None:
    pool = Pool("regions", 50, (RegionKind("mpp", 1, 0.1, hold=2.0),))
    solution = solve(model(Delay("io", 1_000.0), pool=pool, rate_per_s=8_000.0))
    assert solution.of("w").saturated
    assert solution.rate == pytest.approx(5_000.0, rel=1e-3)  # 1 / (0.1 x 2 x 1 ms)


def test_a_latch_of_writers_alone_is_one_server() -> None:
    """M/M/1: 0.5 x 1 us held at 0.8 load, wait + hold = 1 / (1 - 0.8) each call."""
    latch = Latch("l", 0.0, 0.0, 2.0, 1.0)
    solution = solve(model(latch, rate_per_s=400_000.0))
    assert solution.response == pytest.approx(2 * 5e-6)
    assert solution.details["l.contentions_per_s"] == pytest.approx(800_000 * 0.8)


# --- saturation is said, never a negative or endless wait ---

SATURATING: dict[str, tuple[Step, ...]] = {
    "cpu": (Burst(100.0),),
    "queue": (Queue("queue", 80.0),),
    "qr": (Serial("qr", 80.0), Burst(5.0)),
    "dasd": (Ios("dasd", 1.0, 0.0, Dasd(4, 8, 300.0, 100.0, conn_us=300.0, aliases=4)),),
    "olds": (LogBlocks("olds", 4000.0, 8000, 200.0, 5), Burst(5.0)),
    "xcf": (Gate("xcf", Xcf(2, 16, 10_000.0)), Burst(5.0)),
    "l": (Latch("l", 1.0, 10.0, 1.0, 60.0),),
    "cf": (CfRequests("cf", 10.0, Coupling((), 1, 28, 1.0, 8.0)),),
}


CPS = {"cpu": 1, "qr": 2}


@pytest.mark.parametrize("name", SATURATING)
def test_too_much_open_work_is_saturated_at_the_limit(name: str) -> None:
    steps = SATURATING[name]
    solution = solve(model(*steps, rate_per_s=100_000.0, cps=CPS.get(name, 40)))
    assert solution.saturated and solution.response is None
    assert solution.bottleneck == name
    assert solution.station(name).utilisation == pytest.approx(1.0, abs=1e-6)
    assert solution.station(name).residence is None
    assert 0 < solution.rate < 100_000
    below = solve(model(*steps, rate_per_s=solution.rate * 0.97, cps=CPS.get(name, 40)))
    assert not below.saturated and below.response is not None and below.response > 0


@pytest.mark.parametrize("name", SATURATING)
def test_too_many_clients_run_at_the_same_limit(name: str) -> None:
    steps = SATURATING[name]
    cps = CPS.get(name, 40)
    limit = solve(model(*steps, rate_per_s=100_000.0, cps=cps)).rate
    solution = solve(model(*steps, clients=5_000, think_us=1_000.0, cps=cps))
    assert solution.rate == pytest.approx(limit, rel=0.005)
    assert solution.rate <= limit * (1 + 1e-6)
    assert solution.response == pytest.approx(
        5_000 / solution.rate - 0.001 - _outside(solution), rel=1e-6
    )
    assert solution.bottleneck == name


def _outside(results: Results) -> float:
    outside = results.details["w.outside_us"]
    assert outside is not None
    return outside / 1e6


@pytest.mark.parametrize(
    ("clients", "think", "cpu", "delay", "cps", "truth"),
    [
        (60, 1106.0, 344.75, 99.0, 8, 23_205),  # textbook recursion: 15,911 or 17,632
        (16_000, 80_400.0, 57.782, 591.0, 7, 121_149),  # textbook recursion: 113,168
    ],
)
def test_where_the_textbook_recursion_fails(
    clients: int, think: float, cpu: float, delay: float, cps: int, truth: float
) -> None:
    """model.md 3.2: load-dependent mean value analysis, p(0) by subtraction, is wrong here."""
    solution = solve(model(Burst(cpu), Delay("d", delay), clients=clients, think_us=think, cps=cps))
    assert solution.rate == pytest.approx(truth, rel=1e-4)
    assert solution.rate <= cps * 1e6 / cpu * (1 + 1e-9)


# --- laws (model.md 3.1) over random settings ---


def random_model(rng: np.random.Generator) -> Works:
    """A closed work with every kind of step, some of them without time."""

    def some(value: float) -> float:
        return float(value * rng.choice([0.0, 0.2, 1.0, 1.0, 3.0]))

    reads, writes = some(1.0), some(0.5)
    volumes, aliases = int(rng.integers(2, 65)), int(rng.integers(0, 129))
    dasd = Dasd(
        int(rng.choice([6, 8, 16, 32])), volumes, some(40.0), some(100.0),
        disc_us=some(2.0), conn_us=some(200.0), aliases=aliases,
    )  # fmt: skip
    cf = Coupling(
        (), int(rng.integers(1, 4)), 28, float(rng.uniform(1, 60)), float(rng.uniform(2, 9))
    )
    steps: tuple[Step, ...] = (
        Burst(some(30.0), "outside"), Burst(some(20.0), "ims"), Burst(float(rng.uniform(10, 300))),
        Delay("delay", some(900.0)), Queue("queue", some(8.0)), Ios("dasd", reads, writes, dasd),
        Latch("logl", 3.0, some(0.2), 1.0, some(1.0), 500.0, 2.0, 7.0),
        LogWrite("wads", float(rng.choice([120.0, 260.0, 2_000.0])), 0.4,
                 str(rng.choice(["ims", "region", "none"]))),  # type: ignore[arg-type]
        LogBlocks("olds", 420.0, 26_624, float(rng.choice([200.0, 900.0])), 10),
        Gate("xcf", Xcf(int(rng.choice([2, 8, 20])), int(rng.choice([16, 64])), 10_000.0)),
        CfRequests("cf", some(0.5), cf),
    )  # fmt: skip
    cpu_us, other_us = some(300.0), some(2_000.0)
    messages = float(rng.choice([1.0, 1.5, 65_535.0]))
    steps += (Burst(cpu_us / messages), Delay("schedule", other_us / messages))
    cpus = Cpu(
        int(rng.choice([1, 4, 7, 16])),
        fixed_us_per_s=float(rng.choice([0.0, 20_000.0])),
        growth=float(rng.choice([0.0, 0.05])),
    )
    pool = Pool("regions", int(rng.choice([4, 60, 375]))) if rng.random() < 0.7 else None
    clients, think = int(rng.choice([1, 38, 600, 8_000])), some(80_000.0)
    return (Work("w", steps, clients, think, pool=pool, cpus=cpus),)


def check_laws(works: Works) -> None:
    """Utilisation, Little's law, population, bounds; every number finite and not negative."""
    work, cpus = works[0], works[0].cpus
    solution = solve(works)
    w = solution.of("w")
    rate = w.rate
    assert rate > 0 and math.isfinite(rate) and w.response is not None and w.response >= 0
    total = 0.0
    for use in w.stations:
        assert 0 <= use.utilisation <= 1 + 1e-9
        assert use.queue is not None and use.residence is not None
        assert 0 <= use.queue <= work.clients * (1 + 1e-9)
        assert use.queue == pytest.approx(rate * use.residence, rel=1e-9, abs=1e-12)
        total += use.queue
    assert total + rate * work.think_us / 1e6 == pytest.approx(work.clients, rel=1e-6)
    outside = solution.details["w.outside_us"]
    assert outside is not None
    assert sum(use.residence or 0 for use in w.stations) == pytest.approx(
        w.response + outside / 1e6, rel=1e-9
    )
    used, busy = solution.details["w.cpu_us"], solution.details["cpu.busy"]
    assert used is not None and busy is not None
    assert busy * cpus.cps == pytest.approx(rate * used / 1e6 + cpus.fixed_us_per_s / 1e6, rel=1e-9)
    assert rate <= (cpus.cps - cpus.fixed_us_per_s / 1e6) * 1e6 / used * (1 + 1e-9)
    if work.pool is not None:
        least = sum(s.us for s in work.steps if isinstance(s, Burst | Delay | Queue) and
                    s.place == "region")  # fmt: skip
        assert rate * least / 1e6 <= work.pool.size * (1 + 1e-6)
        held, occupancy = solution.details["regions.busy"], solution.details["regions.occupancy_us"]
        assert held is not None and occupancy is not None
        assert held == pytest.approx(rate * occupancy / 1e6, rel=1e-6)
    gate = next(s.xcf for s in work.steps if isinstance(s, Gate))
    assert rate <= gate.members * gate.quota / gate.window_us * 1e6 * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_laws_hold_for_random_models(seed: int) -> None:
    check_laws(random_model(np.random.default_rng(seed)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 400))
def test_laws_hold_for_many_random_models(seed: int) -> None:
    check_laws(random_model(np.random.default_rng(seed)))


# --- bounds, each worked out here from the settings ---


@dataclass(frozen=True)
class Setting:
    """A Fast Path system; all knobs that the bounds know. Microseconds."""

    clients: int = 8000
    think: float = 80_400.0
    cps: int = 7
    ziips: int = 0
    eligible: float = 0.0
    outside: float = 25.0
    region_cpu: float = 33.0
    delay: float = 200.0
    regions: int = 375
    reads: float = 0.67
    paths: int = 16
    port: float = 80.0
    io: float = 245.0
    write: float = 254.0
    in_region: bool = False
    members: int = 20
    quota: int = 64
    schedule: float = 0.0
    messages: float = 1.0

    def model(self) -> Works:
        place = "region" if self.in_region else "ims"
        dasd = Dasd(self.paths, 64, self.port, conn_us=self.io, aliases=128)
        steps = (
            Burst(self.outside, "outside"), Burst(self.region_cpu, eligible=self.eligible),
            Delay("delay", self.delay),
            Ios("dasd", self.reads, 0.33, dasd),
            LogWrite("wads", self.write, 0.4, place),  # type: ignore[arg-type]
            Gate("xcf", Xcf(self.members, self.quota, 10_000.0)),
            Burst(self.schedule / self.messages),
            Delay("schedule", self.schedule * 8 / self.messages),
        )  # fmt: skip
        cpus, pool = Cpu(self.cps, ziips=self.ziips), Pool("regions", self.regions)
        return (Work("w", steps, self.clients, self.think, pool=pool, cpus=cpus),)

    def bounds(self) -> tuple[float, float]:
        """Highest rate a microsecond, lowest response: model.md 3.1."""
        on_cps = 1 - self.eligible if self.ziips else 1.0
        scheduled = self.schedule / self.messages
        general = self.outside + self.region_cpu * on_cps + scheduled
        held = self.region_cpu + self.delay + self.reads * self.io + 9 * scheduled
        held += self.write * self.in_region
        inside = held + self.write * (not self.in_region)
        alone = self.think + self.outside + inside
        caps = [
            self.clients / alone,
            (self.cps + self.ziips) / (general + self.region_cpu * (1 - on_cps)),
            self.regions / held,
            self.paths / ((self.reads + 0.33) * self.port),
            self.members * self.quota / 10_000,
        ]
        return min(caps), inside


CHANGES: dict[str, dict[str, float]] = {
    "as it is": {},
    "half the regions": {"regions": 187},
    "few regions": {"regions": 40},
    "twice the clients": {"clients": 16_000},
    "4 CPs": {"cps": 4},
    "16 CPs": {"cps": 16},
    "no delays": {"delay": 0.0, "io": 0.0, "write": 0.0},
    "no think time": {"think": 0.0, "clients": 600},
    "slow WADS": {"write": 4_000.0},
    "slow WADS, regions wait": {"write": 4_000.0, "in_region": True},
    "6 paths": {"paths": 6},
    "32 paths": {"paths": 32},
    "8 XCF members": {"members": 8},
    "16 messages a window": {"quota": 16},
    "PLCT 0": {"schedule": 300.0, "messages": 1.0},
    "PLCT 65535": {"schedule": 300.0, "messages": 65_535.0},
    "CPU moved to zIIP": {"ziips": 2, "eligible": 0.6},
}


def within_bounds(setting: Setting) -> None:
    top, least = setting.bounds()
    solution = solve(setting.model())
    rate, response = solution.rate / 1e6, solution.response
    assert response is not None
    assert 0 < rate <= top * (1 + 1e-7)
    assert response * 1e6 >= least * (1 - 1e-9)
    outside = solution.details["w.outside_us"]
    assert outside is not None
    cycle = setting.think + outside + response * 1e6
    assert rate * cycle == pytest.approx(setting.clients, rel=1e-6)
    assert response * 1e6 >= setting.clients / top - setting.think - outside - 1e-6 * cycle
    assert all(0 <= use.utilisation <= 1 for use in solution.stations)


@pytest.mark.parametrize("name", CHANGES)
def test_bounds_hold(name: str) -> None:
    within_bounds(replace(Setting(), **CHANGES[name]))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(15))
def test_bounds_hold_for_changes_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = Setting()
    for name in rng.permutation(list(CHANGES))[:4]:
        setting = replace(setting, **CHANGES[name])  # type: ignore[arg-type]
    within_bounds(setting)


# --- scaling laws ---


def scaled(works: Works, factor: float) -> Works:
    """The same system on a clock that runs `factor` times slower."""

    def slower(step: Any) -> Any:
        changed: dict[str, object] = {}
        for name, value in vars(step).items():
            if is_dataclass(value):
                changed[name] = slower(value)
            elif name.endswith("us"):
                changed[name] = value * factor
            elif name.endswith("per_s"):
                changed[name] = value / factor
        return replace(step, **changed)

    (work,) = works
    steps = tuple(slower(step) for step in work.steps)
    cpus = replace(work.cpus, quantum_us=work.cpus.quantum_us * factor)
    return (replace(work, steps=steps, think_us=work.think_us * factor, cpus=cpus),)


@pytest.mark.parametrize("seed", [1, 4, 7])
def test_another_unit_of_time_changes_nothing_else(seed: int) -> None:
    small_model = random_model(np.random.default_rng(seed))
    fast, slow = solve(small_model), solve(scaled(small_model, 1000.0))
    assert slow.rate * 1000 == pytest.approx(fast.rate, rel=1e-6)
    assert slow.response == pytest.approx((fast.response or 0) * 1000, rel=1e-5)
    for a, b in zip(fast.stations, slow.stations, strict=True):
        assert b.utilisation == pytest.approx(a.utilisation, rel=1e-6, abs=1e-9)


STATIONS = ("cps", "regions", "servers", "paths", "aliases", "members")


@pytest.mark.parametrize("more", STATIONS)
@pytest.mark.parametrize("seed", [2, 3, 5])
def test_more_of_anything_is_never_worse(more: str, seed: int) -> None:
    small_model = random_model(np.random.default_rng(seed))
    small_model = (replace(small_model[0], pool=Pool("regions", 20)),)
    before, after = solve(small_model), solve(_more(small_model, more))
    assert after.rate >= before.rate * (1 - 1e-7)
    if more != "members":  # a gate outside the response lets more in
        assert (after.response or 0) <= (before.response or 0) * (1 + 1e-6)


def _more(works: Works, more: str) -> Works:
    (work,) = works
    if more == "cps":
        return (replace(work, cpus=replace(work.cpus, cps=work.cpus.cps + 1)),)
    if more == "regions":
        return (replace(work, pool=Pool("regions", 21)),)

    def with_more(step: Any) -> Any:
        parts = {k: with_more(part) for k, part in vars(step).items() if is_dataclass(part)}
        return replace(step, **parts | {k: v + 1 for k, v in vars(step).items() if k == more})

    changed = (replace(work, steps=tuple(with_more(step) for step in work.steps)),)
    assert changed != works
    return changed


def test_twice_the_clients_on_twice_the_system_run_at_twice_the_rate_at_least() -> None:
    small = solve(model(Burst(100.0), Delay("d", 900.0), clients=40, think_us=2_000.0, cps=2))
    large = solve(model(Burst(100.0), Delay("d", 900.0), clients=80, think_us=2_000.0, cps=4))
    assert 2 * small.rate <= large.rate <= 2 * small.rate * 1.05


@pytest.mark.parametrize("busy", [0.3, 0.8, 0.95])
def test_think_time_for_a_target(busy: float) -> None:
    small_model = model(Burst(500.0), Delay("d", 17_000.0), clients=4000, think_us=1.0, cps=3,
                cpus={"growth": 0.05, "fixed_us_per_s": 20_000.0})  # fmt: skip
    reached = with_busy(small_model, busy)
    assert reached.details["cpu.busy"] == pytest.approx(busy, rel=1e-6)


def test_a_target_with_log_releases_is_met() -> None:
    steps = (Burst(100.0), LogWrite("wads", 400.0), Burst(60.0, "ims"))
    reached = with_busy(model(*steps, clients=200, think_us=1.0, cps=4), 0.8)
    assert reached.details["cpu.busy"] == pytest.approx(0.8, rel=3e-6)
    assert reached.rate == pytest.approx(0.8 * 4 / 160e-6, rel=3e-6)


def apart(*steps: Step, clients: int = 400) -> Works:
    """Two equal works on processors of their own, who meet at devices."""
    names = ("a", "b")
    return tuple(
        Work(n, steps, clients=clients, think_us=1_000.0, cpu=f"cpu_{n}", cpus=Cpu(2))
        for n in names
    )


def test_two_works_reach_a_target_on_their_own_processors() -> None:
    """Each 0.7 x 2 processors / 100 us."""
    reached = with_busy(
        apart(Burst(100.0), Ios("dasd", 1, 0, Dasd(4, 8, 10, 5, conn_us=10, aliases=4))), 0.7
    )
    assert [work_class.rate for work_class in reached.classes] == pytest.approx(
        [14_000, 14_000], rel=1e-6
    )


@pytest.mark.parametrize("name", ["dasd", "cf"])
def test_two_works_share_a_full_device_evenly(name: str) -> None:
    solution = solve(apart(Burst(5.0), *SATURATING[name], clients=2_000))
    limit = solve(model(Burst(5.0), *SATURATING[name], rate_per_s=100_000.0, cps=40)).rate
    rates = [work_class.rate for work_class in solution.classes]
    assert rates == pytest.approx([limit / 2, limit / 2], rel=0.03)
    assert rates[0] == pytest.approx(rates[1], rel=1e-3)


def test_a_pool_that_full_processors_keep_full() -> None:
    """Both end at 4 / 100 us: the processors are named, and nobody's wait for a region is known."""
    solution = solve(model(Burst(100.0), Delay("d", 50.0), rate_per_s=90_000.0, cps=4,
                        pool=Pool("regions", 300)))  # fmt: skip
    assert solution.saturated and solution.bottleneck == "cpu"
    assert solution.rate == pytest.approx(40_000, rel=1e-6)
    assert (
        solution.station("cpu").residence is None and solution.station("regions").residence is None
    )


# --- what the search stands on ---


@pytest.mark.parametrize("guess", [0.1, 1.0, 2.0, 50.0])
@pytest.mark.parametrize("slope", [-3.0, 0.0, 0.9])
def test_a_root_is_found_from_either_side(slope: float, guess: float) -> None:
    """x = 2 + slope (x - 2): also where it rises and both first points are on one side."""
    solved = falling_root(lambda x: 2 + slope * (x - 2) - x, guess, 1e-9)
    assert solved == pytest.approx(2, rel=1e-7)


def test_many_clients_at_one_server() -> None:
    """5,000 clients, server 20 x too slow for all: 250 are away, a Poisson number, 4,750 there."""
    solved = birth_death(5_000, 250.0, np.array([0.0, 1.0]))
    assert solved.rate == pytest.approx(1, rel=1e-12)
    assert solved.number == pytest.approx(4_750, rel=1e-12)
    poisson = math.exp(250 * math.log(250) - 250 - math.lgamma(251))
    assert solved.chances[4_750] == pytest.approx(poisson)
    assert solved.chances.sum() == pytest.approx(1)


# --- out of reach ---


def test_a_target_out_of_reach_is_refused() -> None:
    small_model = model(Burst(10.0), Delay("d", 1_000.0), clients=10, cps=4)
    with pytest.raises(ScenarioError, match="without think time"):
        with_busy(small_model, 0.9)


def test_a_latch_that_others_hold_all_the_time_is_said() -> None:
    """A million times a second for 1.5 us: no time is left for a transaction."""
    taken = Latch("logl", 1, 1.0, 1, 1.0, other_exclusive_per_s=1e6, other_hold_us=1.5)
    with pytest.raises(ScenarioError, match="logl: found full without a transaction"):
        solve(model(Burst(10.0), taken, clients=10))
