"""Interval mode: the numbers drawn, the means behind them, and records that do not depend on what
else is made."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conservation import differences
from test_generate import records

from imsperf.errors import ScenarioError
from imsperf.synthetic.generate import Generated
from imsperf.synthetic.interval_mode.drawn import drawn
from imsperf.synthetic.interval_mode.draws import Draws
from imsperf.synthetic.interval_mode.load_profile import PROFILES, LoadProfile, load_profile
from imsperf.synthetic.interval_mode.mean_parts import Inputs, Means, joined
from imsperf.synthetic.interval_mode.means import at_load, means_of, own_response_us
from imsperf.synthetic.interval_mode.run import Table, generate_intervals
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import simulate
from imsperf.synthetic.solver.queueing import birth_death, departure_dispersion
from imsperf.synthetic.workloads.network_family import declared as build

SETTINGS = {"clients": 300, "dasd.volumes": 24, "cpu.gcps": 3, "regions.ifp": 60}
MONDAY = np.datetime64("2026-03-02T00:00", "us")
LARGE = 100_000


def small(**more: Any) -> scenario.Scenario:
    return scenario.load("tps-100k", {**SETTINGS, **more})


def made_of(network: Network, load: float, intervals: int, every_s: float = 900.0) -> SimResult:
    """Intervals at one load, drawn."""
    inputs = Inputs(at_load(network, load, own_response_us(network)))
    means = joined([means_of(inputs)], lambda v: np.repeat(v[0][None], intervals, axis=0))
    return drawn(network, means, seed=5, every_s=every_s, intervals=intervals)


# --- numbers --------------------------------------------------------------------------------------


def test_a_number_depends_on_its_address_alone() -> None:
    """The same for interval 7 alone or among others, for three columns or ten; others differ."""
    many = Draws(3, np.arange(20)).uniform("volume", 10)
    alone = Draws(3, np.array([7])).uniform("volume", 3)
    assert (alone[0] == many[7, :3]).all()
    assert (Draws(3, np.array([7])).uniform("path", 3) != alone).all()
    assert (Draws(4, np.array([7])).uniform("volume", 3) != alone).all()
    assert len(np.unique(many)) == many.size


def test_uniform_numbers_are_even_and_uncorrelated() -> None:
    """Mean 1/2, variance 1/12; no correlation with the next column, interval or seed."""
    draws = Draws(1, np.arange(300)).uniform("x", 400)
    assert draws.mean() == pytest.approx(0.5, abs=4 / math.sqrt(12 * draws.size))
    assert draws.var() == pytest.approx(1 / 12, rel=0.02)
    other = Draws(2, np.arange(300)).uniform("x", 400)
    for a, b in ((draws[:, 1:], draws[:, :-1]), (draws[1:], draws[:-1]), (draws, other)):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 4 / math.sqrt(a.size)


@pytest.mark.parametrize(("messages", "mean", "variance"), [(1.0, 1.0, 0.0), (4.0, 0.25, 0.1875)])
def test_schedules_are_binomial(messages: float, mean: float, variance: float) -> None:
    """One schedule for so many messages: p = 1 / messages, variance p (1 - p); at 1 all that
    came to a sync point."""
    model_network = build(small())
    model_network = replace(
        model_network,
        region_pools=(replace(model_network.region_pools[0], messages_per_schedule=messages),),
    )
    counted_run = made_of(model_network, 0.9, 2000, every_s=2.0)
    done = counted_run.completed.sum(axis=1)
    left = counted_run.schedules - mean * (done if mean < 1 else counted_run.check_writes)
    assert (counted_run.schedules <= np.maximum(done, counted_run.check_writes)).all()
    assert left.mean() == pytest.approx(0.0, abs=4 * math.sqrt(variance * done.mean() / 2000))
    assert (left @ left) / done.sum() == pytest.approx(variance, rel=4 * math.sqrt(2 / 2000))


@pytest.mark.parametrize("mean", [0.02, 2.0, 40.0, 1e6])
def test_counts_are_nearly_poisson(mean: float) -> None:
    """Mean and variance the same, skewness 1 / sqrt(mean)."""
    draws = Draws(1, np.arange(LARGE)).count("n", np.full(LARGE, mean)).astype(float)
    assert draws.mean() == pytest.approx(mean, rel=max(0.01, 4 / math.sqrt(LARGE * mean)))
    assert draws.var() == pytest.approx(mean, rel=0.1)
    skew = ((draws - draws.mean()) ** 3).mean() / draws.std() ** 3
    assert skew == pytest.approx(mean**-0.5, abs=0.06, rel=0.15)
    assert Draws(1, np.arange(5)).count("n", np.zeros(5)).tolist() == [0] * 5


def test_parts_add_up_and_vary_as_a_multinomial() -> None:
    """n = 1000, p = 0.2: mean 200, variance n p (1 - p) = 160; a chance of 0 has nothing."""
    total = np.full(20_000, 1000)
    draws = Draws(1, np.arange(len(total))).split("parts", total, [0.2, 0.0, 0.5, 0.3])
    assert (draws.sum(axis=1) == total).all() and (draws >= 0).all() and not draws[:, 1].any()
    assert draws[:, 0].mean() == pytest.approx(200, rel=0.005)
    assert draws[:, 0].var() == pytest.approx(160, rel=0.05)
    assert np.cov(draws[:, 0], draws[:, 2])[0, 1] == pytest.approx(-1000 * 0.2 * 0.5, rel=0.08)


@pytest.mark.parametrize(("clients", "think", "service"), [(1, 3.0, 1.0), (40, 5.0, 2.0)])
def test_completions_of_clients_who_wait_for_nobody(
    clients: int, think: float, service: float
) -> None:
    """Each client is a renewal process with two exponential parts: variance over mean is the
    squared coefficient of variation of its cycle, (Z^2 + R^2) / (Z + R)^2."""
    rates = np.arange(clients + 1) / service
    chain = birth_death(clients, think, rates)
    expected = (think**2 + service**2) / (think + service) ** 2
    assert departure_dispersion(chain.chances, rates) == pytest.approx(expected, rel=1e-9)


def test_completions_of_a_server_that_is_always_busy() -> None:
    """A thousand clients before one exponential server: a Poisson process of its own."""
    rates = np.minimum(np.arange(1001), 1) * 1.0
    chain = birth_death(1000, 1.0, rates)
    assert departure_dispersion(chain.chances, rates) == pytest.approx(1.0, rel=1e-6)


# --- load -----------------------------------------------------------------------------------------


def test_weekday_and_hour() -> None:
    """Saturday 06:30 is half of Monday's; between 6 and 7 h halfway between their factors."""
    hours = [0.0] * 24
    hours[6], hours[7] = 0.4, 0.8
    profile = LoadProfile("x", (1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5), tuple(hours))
    at = MONDAY + np.array([6 * 60 + 30, 5 * 1440 + 6 * 60 + 30, 7 * 60]).astype("timedelta64[m]")
    assert profile.load(at, 1) == pytest.approx([0.6, 0.3, 0.8])


def test_the_modulation_is_slow_and_of_its_size() -> None:
    """4 %: about 3.5 in the middle between two drawn ones (2 / 2^0.5); small steps in 15 min."""
    profile = LoadProfile("x", modulation_pct=4.0, modulation_hours=6.0)
    at = MONDAY + np.arange(40_000) * np.timedelta64(15, "m")
    paces = profile.load(at, 9)
    assert paces.mean() == pytest.approx(1, abs=0.005)
    assert 0.03 < paces.std() < 0.04  # mean over a cosine: 0.04 x sqrt(3/4)
    assert np.abs(np.diff(paces)).max() < 0.04
    assert (profile.load(at[500:510], 9) == paces[500:510]).all()
    assert (profile.load(at, 10) != paces).any()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wekday = []", "found 'wekday'"),
        ("weekday = [1, 1]", "found 2 values, expected 7 numbers"),
        ("hour = 3", "expected 24 numbers"),
        ("weekday = [1, 1, 1, 1, 1, 1, -1]", "found -1, expected 0 to 3"),
        ("modulation_pct = 'x'", "found 'x', expected 0 to 50"),
        ("modulation_hours = nan", "found nan"),
        ("hour = ", "no TOML file"),
    ],
)
def test_a_broken_profile_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=message):
        load_profile(path)


def test_profiles_are_found(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text("modulation_pct = 2\nweekday = [1, 1, 1, 1, 1, 0.5, 0]")
    assert load_profile(path).weekday[5:] == (0.5, 0.0)
    assert max(PROFILES["office"].hour) == 1.0
    with pytest.raises(ScenarioError, match="no profile 'offise'") as caught:
        load_profile("offise")
    assert "did you mean office" in (caught.value.hint or "")
    with pytest.raises(ScenarioError, match="could not be read"):
        load_profile(tmp_path / "none.toml")


def test_load_scales_what_clients_send() -> None:
    """Z 60 ms, R 40 ms: twice the load needs a cycle of 50 ms; open arrivals: twice the rate."""
    network = build(small(**{"driver.think_ms": 60}))
    assert at_load(network, 2.0, 40_000.0).think_us == pytest.approx(10_000)
    opened = build(small(**{"driver.rate_per_s": 900}))
    assert at_load(opened, 2.0, 0.0).rate_per_s == 1800


# --- means and what is drawn around them ----------------------------------------------------------


def test_steps_of_load_come_near_the_solution_itself() -> None:
    """Between steps: rate and CPU within 0.1 %, waits within 2 %."""
    network = build(small(**{"driver.think_ms": 5.0}))
    own = own_response_us(network)

    def solve(load: float) -> Means[float]:
        return means_of(Inputs(at_load(network, load, own)))

    loads = np.array([0.07, 0.33, 0.92])
    interpolated = Table(solve).at(loads)
    for place, load in enumerate(loads.tolist()):
        exact = solve(load)
        times, usual = interpolated.times, exact.times
        assert times.rate_per_s[place] == pytest.approx(usual.rate_per_s, rel=1e-3)
        assert times.response_us[place] == pytest.approx(usual.response_us, rel=2e-3)
        assert interpolated.cpu.cpu_us[place] == pytest.approx(exact.cpu.cpu_us, rel=1e-3)
        assert interpolated.volumes.cmr_us[place] == pytest.approx(exact.volumes.cmr_us, rel=0.02)


def test_the_laws_hold_to_the_tick() -> None:
    """Population, Little's law, CPU, paths, samples and responses, as in a simulation."""
    result = made_of(build(small()), 0.7, 12, every_s=60.0)
    assert not any(np.any(left) for left in differences(result).values())
    assert (result.cpu_ticks <= result.ticks[:, None]).all() and (result.cpu_ticks >= 0).all()
    assert (result.ready_min * result.samples <= result.ready_sum).all()
    others = result.samples - 1
    assert (result.ready_max + others * result.ready_min <= result.ready_sum).all()
    assert (result.ready_min + others * result.ready_max >= result.ready_sum).all()
    assert (result.ready_sum <= result.ready_max * result.samples).all()
    assert (result.pool_low <= result.pool_now).all()
    assert (result.pool_now <= result.pool_high).all()


def test_completions_vary_as_the_solver_says() -> None:
    """2,000 intervals: variance over mean within 4 standard errors (2 / n)^0.5 of `dispersion`."""
    network = build(small())
    done = made_of(network, 0.9, 2000).completed.sum(axis=1).astype(float)
    means = means_of(Inputs(at_load(network, 0.9, own_response_us(network))))
    assert done.mean() == pytest.approx(means.times.rate_per_s * 900, rel=2e-4)
    expected = means.times.dispersion
    assert done.var() / done.mean() == pytest.approx(expected, rel=4 * math.sqrt(2 / 2000))


def test_it_counts_what_a_simulation_counts() -> None:
    """The same network simulated for 4 s: each count and time of a transaction within 4 %."""
    network = build(small())
    seen = simulate(network, seed=2, seconds=4, every_s=4, warmup_s=0.5, sample_k=10**6)
    ours = made_of(network, 1.0, 4, every_s=60.0)

    def each(result: SimResult, name: str) -> float:
        return float(getattr(result, name).sum() / result.completed.sum())

    for name in (
        "ticks", "cpu_ticks", "transaction_cpu_ticks", "response_ticks", "region_ticks",
        "io_count", "io_pend", "io_conn", "path_busy", "wads_writes", "wads_ticks", "wads_cis",
        "olds_blocks", "olds_ticks", "records", "bytes", "check_writes", "get_shr", "get_exc",
        "pool_gets", "pool_bytes", "xcf_messages", "response_squares_us2",
    ):  # fmt: skip
        near = 0.1 if name == "response_squares_us2" else 0.04
        assert each(ours, name) == pytest.approx(each(seen, name), rel=near), name
    share = ours.response_bucket.sum(axis=0) / ours.completed.sum()
    assert np.abs(share - seen.response_bucket.sum(axis=0) / seen.completed.sum()).max() < 0.06


def test_squares_of_long_responses() -> None:
    """Responses of 100 s at 10,000 a second: their squares pass 2^63, and are never below those of
    the mean."""
    network = build(small())
    inputs = Inputs(at_load(network, 1.0, own_response_us(network)))
    means = joined([means_of(inputs)], lambda v: np.repeat(v[0][None], 2, axis=0))
    means = replace(means, times=replace(means.times, after_us=np.full(2, 1e8)))
    drawn_means = drawn(network, means, seed=5, every_s=900.0, intervals=2)
    count = drawn_means.completed.sum(axis=1)
    mean_us = drawn_means.response_ticks / count / 4096
    assert (count * mean_us**2 > 2.0**63).all()
    assert (drawn_means.response_squares_us2 >= count * mean_us**2).all()


# --- files ----------------------------------------------------------------------------------------


def run(folder: Path, intervals: int = 6, **more: Any) -> Generated:
    asked: dict[str, Any] = {"every_s": 900.0, "seed": 4, "inject": ["slow-volume@3"]} | more
    return generate_intervals(small(), folder, intervals=intervals, **asked)


def of_interval(run_written: Generated, number: int, of: int) -> list[bytes]:
    """The SMF records of one interval: all have as many, between header and trailer."""
    records_read = records(run_written.paths[0])[1:-1]
    each, rest = divmod(len(records_read), of)
    assert rest == 0
    return records_read[number * each : (number + 1) * each]


@pytest.fixture(scope="module")
def run_written(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return run(tmp_path_factory.mktemp("whole"))


def switches_before(every: list[bytes], place: int) -> int:
    """The place behind the last record in front of this one that is no switch of an OLDS."""
    while every[place - 1][4] == 0x42:
        place -= 1
    return place


def test_an_interval_made_alone_has_the_same_bytes(run_written: Generated, tmp_path: Path) -> None:
    """Intervals 4 and 5 of 6, alone: their SMF records, and the log around them: the sets at their
    three boundaries, and switches of the OLDS between these."""
    part = run(tmp_path, first=4, count=2)
    for number in (0, 1):
        assert of_interval(part, number, 2) == of_interval(run_written, 3 + number, 6)
    every, mine = records(run_written.paths[1]), records(part.paths[1])[3:]
    begin = every.index(mine[0])
    assert mine == every[begin : begin + len(mine)]
    checkpoints = [number for number, interval in enumerate(every) if interval[4:6] == b"\x40\x01"]
    assert (begin, begin + len(mine)) == (checkpoints[3], switches_before(every, checkpoints[6]))
    assert records(part.paths[1])[:2] == records(run_written.paths[1])[:2]


def test_a_longer_run_begins_with_the_shorter_one(run_written: Generated, tmp_path: Path) -> None:
    """Four intervals are the first four of six."""
    shorter = run(tmp_path, intervals=4)
    for number in range(4):
        assert of_interval(shorter, number, 4) == of_interval(run_written, number, 6)


def test_same_seed_same_bytes(run_written: Generated, tmp_path: Path) -> None:
    again, other = run(tmp_path / "again"), run(tmp_path / "other", seed=5)
    assert [p.read_bytes() for p in again.paths] == [p.read_bytes() for p in run_written.paths]
    assert other.paths[0].read_bytes() != run_written.paths[0].read_bytes()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"intervals": 0}, "found 0, expected 1 or more"),
        ({"first": 7}, "expected 1 to 6"),
        ({"first": 6, "count": 2}, "intervals 6 to 7"),
        ({"every_s": 0.5}, "expected whole seconds"),
        ({"every_s": 5400.0}, "expected at most 3600 s"),
        ({"inject": ["slow-volum"]}, "no fault 'slow-volum'"),
        ({"profile": "offise"}, "no profile 'offise'"),
        ({"form": "vb"}, "expected vbs or rdw"),
    ],
    ids=str,
)
def test_impossible_orders_write_nothing(
    tmp_path: Path, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(ScenarioError, match=message):
        run(tmp_path / "out", **wrong)
    assert not list(tmp_path.iterdir())


def test_open_arrivals_without_a_balance_write_nothing(tmp_path: Path) -> None:
    """300,000 a second on 3 CPs, which 70 us of CPU each let through at most 43,000 of."""
    with pytest.raises(ScenarioError, match="open arrivals: found"):
        generate_intervals(small(**{"driver.rate_per_s": 300_000}), tmp_path / "o", intervals=2)
    assert not list(tmp_path.iterdir())


def test_run_toml_says_what_it_is(run_written: Generated) -> None:
    text = (run_written.paths[0].parent / "run.toml").read_text()
    assert 'engine = { value = "interval"' in text and 'load_profile = "office"' in text


@pytest.mark.slow
def test_a_day_loads_and_passes_every_check(tmp_path: Path) -> None:
    """96 intervals: the reports of RMF have them all, no identity is violated."""
    from imsperf.api import audit, load, report

    run_written = generate_intervals(small(), tmp_path / "day", intervals=96)
    load(run_written.paths[0].parent, db=tmp_path / "day.duckdb")
    audited = audit(tmp_path / "day.duckdb")
    assert audited.violations.num_rows == 0 and audited.tested > 5000
    for name in ("rmf.cpu", "rmf.device", "rmf.workload", "ims.logger", "smf.address_space"):
        rows = report(name, tmp_path / "day.duckdb").to_pylist()
        rows = [row for row in rows if row.get("program") != "DFSUARC0"]  # begins and ends anywhere
        assert len({row["interval_start_utc"] for row in rows}) == 96, name
