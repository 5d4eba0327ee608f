"""The event simulation against a plain one, conservation laws and textbook formulas."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace

import numpy as np
import pytest
from conservation import differences
from plain_simulation import Plain
from small_networks import busy_network, idle_network, two_pools

from imsperf.synthetic.network.network import Network, PoolSize, RegionPool, TransactionClass
from imsperf.synthetic.simulation import columns as c
from imsperf.synthetic.simulation.rng import exponential, gamma, seeded_streams, uniform, whole
from imsperf.synthetic.simulation.simulate import SimResult, simulate
from imsperf.synthetic.simulation.state import grown, new_state
from imsperf.synthetic.solver.devices import group_commit, latch, xcf_gate
from imsperf.synthetic.solver.queueing import mmm_wait

TICK = 4096  # ticks of a microsecond
SECOND = TICK * 1_000_000

VARIANTS: dict[str, Network] = {
    "notified": busy_network(),
    "in region": busy_network(logger={"check_write": "in_region"}),
    "exclusive": busy_network(latches={"mode": "exclusive"}),
    "split": busy_network(latches={"mode": "split"}),
    "few regions": busy_network(regions=14),
    "one CP": busy_network(clients=40, cpu={"cps": 1}),
    "two pools": two_pools(),
    "programs stay": two_pools(messages=80.0),
    "turns": busy_network(cpu={"quantum_us": 15.0}),
    "unwaited": busy_network(logger={"check_write": "unwaited"}),
    "long thoughts": busy_network(clients=4_000, think_us=3e6),
}


def run(network: Network, seconds: float = 1.0, **options: object) -> SimResult:
    """A short run with every transaction kept."""
    given = {"seed": 1, "seconds": seconds, "every_s": seconds / 4, "warmup_s": 0.25, "sample_k": 1}
    return simulate(network, **(given | options))  # type: ignore[arg-type]


def arrays(result: SimResult) -> dict[str, np.ndarray]:
    """Everything a result holds, flat."""
    by_name = {field.name: getattr(result, field.name) for field in fields(result)}
    by_name = {name: value for name, value in by_name.items() if isinstance(value, np.ndarray)}
    for group in ("transactions", "warm", "open"):
        by_name |= {f"{group} {name}": value for name, value in getattr(result, group).items()}
    return by_name


def same(a: SimResult, b: SimResult) -> bool:
    left, right = arrays(a), arrays(b)
    return all(np.array_equal(left[name], right[name]) for name in left)


# --- the plain simulation -------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_every_transaction_as_in_the_plain_simulation(name: str) -> None:
    """All times, counts and regions are those of a simulation written with heapq."""
    network = VARIANTS[name]
    rows = run(network, 0.16, warmup_s=0.04).transactions
    plain = Plain(network, 1, -40_000 * TICK)
    expected = [
        transaction for transaction in plain.run(160_000 * TICK) if transaction["dequeue"] >= 0
    ]
    assert len(rows["send"]) == len(expected) > 200
    expected.sort(key=lambda expected_row: expected_row["sync"])
    ours = np.lexsort((rows["number"], rows["sync"]))
    theirs = sorted(
        expected, key=lambda expected_row: (expected_row["sync"], expected_row["number"])
    )
    for column in theirs[0]:
        simulated = rows[column][ours]
        assert np.array_equal(simulated, [their[column] for their in theirs]), column


# --- laws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_laws_hold_to_the_tick(name: str) -> None:
    """Population, Little, CPU, paths, sums over the table, with the open parts, per interval."""
    result = run(VARIANTS[name])
    wrong = {law: value.tolist() for law, value in differences(result).items() if value.any()}
    assert not wrong
    assert result.completed.sum() > 500


def test_laws_hold_with_open_arrivals_beyond_capacity() -> None:
    """A growing backlog makes the engine ask for room; nothing is lost when it gets it."""
    result = run(busy_network(rate_per_s=60_000.0, regions=20), 0.4)
    assert result.in_flight_end[-1] > 5_000
    assert not any(value.any() for value in differences(result).values())


def test_last_interval_may_be_shorter() -> None:
    """0.5 s in intervals of 0.2 s."""
    result = run(busy_network(), 0.5, every_s=0.2)
    assert result.ticks.tolist() == [SECOND // 5, SECOND // 5, SECOND // 10]
    assert not any(value.any() for value in differences(result).values())


def test_a_run_without_a_warm_up_has_all_its_intervals() -> None:
    """Four of them, from clients in thought on; nothing was before."""
    result = run(busy_network(), 0.2, warmup_s=0.0)
    assert result.intervals == 4 == len(result.ticks) == len(result.arrivals)
    assert int(result.ticks.sum()) == SECOND // 5
    assert not result.warm["ticks"] and not result.warm["in_flight_end"]
    assert result.arrivals[0] > 100
    assert not [law for law, values in differences(result).items() if values.any()]


def test_gets_of_latches_and_pools_follow_from_the_counts() -> None:
    """Each log call, syncpoint and delivery is one get, up to what is under way."""
    result = run(busy_network())
    commits = result.check_writes.sum()
    assert result.get_exc[:, 0].sum() == pytest.approx(commits + 900, rel=0.02)
    assert result.get_shr[:, 0].sum() == pytest.approx(4 * commits, rel=0.02)
    assert result.pool_gets[:, 0].sum() == pytest.approx(result.xcf_messages.sum(), rel=0.02)
    assert (result.samples == 1).all()


def test_no_station_is_busier_than_it_can_be() -> None:
    """CPs and regions at most all the time; the WADS has one write at a time."""
    result = run(VARIANTS["few regions"])
    assert (result.cpu_ticks <= result.ticks[:, None]).all()
    assert (result.region_ticks <= 14 * result.ticks).all()
    assert result.region_ticks.sum() > 13.9 * result.ticks.sum()
    assert result.wads_ticks.sum() <= result.ticks.sum() + 2_000 * TICK


# --- determinism ----------------------------------------------------------------------------------


def test_same_seed_same_arrays_other_seed_others() -> None:
    """Two runs of a seed are equal, in two threads at once too."""
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: run(busy_network(), 0.4), range(2))
    assert same(first, second)
    other = run(busy_network(), 0.4, seed=2)
    assert not np.array_equal(first.response_ticks, other.response_ticks)


def test_sampling_changes_the_table_only() -> None:
    """Every fifth transaction is every fifth of all; the sums are the same."""
    full, fifth = run(busy_network(), 0.4), run(busy_network(), 0.4, sample_k=5)
    sampled = full.transactions["number"] % 5 == 0
    for name, column in fifth.transactions.items():
        assert np.array_equal(column, full.transactions[name][sampled]), name
    full_arrays, fifth_arrays = arrays(full), arrays(fifth)
    counters = [name for name in full_arrays if not name.startswith("transactions")]
    assert all(np.array_equal(full_arrays[name], fifth_arrays[name]) for name in counters)


def test_intervals_cut_the_run_only() -> None:
    """Other intervals, same transactions, same totals."""
    full_run, many = run(busy_network(), 0.4, every_s=0.4), run(busy_network(), 0.4, every_s=0.05)
    assert np.array_equal(full_run.transactions["dequeue"], many.transactions["dequeue"])
    assert full_run.cpu_ticks.sum() == many.cpu_ticks.sum()
    assert full_run.pool_in_use_ticks.sum() == many.pool_in_use_ticks.sum()


def test_more_paths_leave_other_draws_alone() -> None:
    """Each purpose has its stream: the arrivals and their classes stay, whatever the paths."""
    few, many = (
        run(busy_network(rate_per_s=9_000.0, dasd={"paths": n}), 0.4).transactions for n in (3, 30)
    )
    _, a, b = np.intersect1d(few["number"], many["number"], return_indices=True)
    assert len(a) > 3_000
    for column in ("send", "cls", "member", "reads", "writes", "area"):
        assert np.array_equal(few[column][a], many[column][b]), column
    assert not np.array_equal(few["sync"][a], many["sync"][b])


# --- draws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draw", "cdf"),
    [
        (lambda s: uniform(s, 0), lambda x: x),
        (lambda s: exponential(s, 0), lambda x: 1 - np.exp(-x)),
        (lambda s: gamma(s, 0, 1.0), lambda x: 1 - np.exp(-x)),
        (lambda s: gamma(s, 0, 2.0), lambda x: 1 - np.exp(-2 * x) * (1 + 2 * x)),
        (lambda s: gamma(s, 0, 0.5) ** 0.5, lambda x: _half_gamma(x)),
    ],
    ids=["uniform", "exponential", "gamma 1", "gamma 2", "gamma 0.5"],
)
def test_draws_have_their_distribution(
    draw: Callable[[np.ndarray], float], cdf: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Kolmogorov-Smirnov distance below the 0.1 % point for 20,000 draws."""
    streams = seeded_streams(3, 1)
    values = np.sort([draw(streams) for _ in range(20_000)])
    steps = np.arange(1, 20_001) / 20_000
    assert np.abs(cdf(values) - steps).max() < 1.95 / 20_000**0.5


def _half_gamma(root: np.ndarray) -> np.ndarray:
    """Gamma of shape 1/2 and mean 1 is the square of a standard normal."""
    from scipy.special import erf

    return np.asarray(erf(root / 2**0.5))


def test_whole_numbers_keep_their_mean() -> None:
    """2.25 is 2 or 3; 2 is always 2."""
    streams = seeded_streams(5, 1)
    values = np.array([whole(streams, 0, 2.25) for _ in range(20_000)])
    assert set(values.tolist()) == {2, 3}
    assert values.mean() == pytest.approx(2.25, abs=0.015)
    assert {whole(streams, 0, 2.0) for _ in range(10)} == {2}


def test_xoshiro_gives_its_published_stream() -> None:
    """First three outputs of xoshiro256++ for state 1, 2, 3, 4, by the reference C program."""
    from imsperf.synthetic.simulation.rng import bits

    streams = np.array([[1, 2, 3, 4]], np.uint64)
    expected = [41943041, 58720359, 3588806011781223]
    assert [int(bits(streams, 0)) for _ in range(3)] == expected


# --- textbook formulas ----------------------------------------------------------------------------


def close(values: np.ndarray, expected: float, least: float = 0.0) -> bool:
    """Batch means: the expected value within 3.5 standard errors, or within `least` of it."""
    error = values.std(ddof=1) / len(values) ** 0.5
    return bool(abs(values.mean() - expected) < max(3.5 * error, least * expected))


@pytest.mark.parametrize(("servers", "rate"), [(1, 7_000.0), (4, 34_000.0), (7, 66_000.0)])
def test_cpu_is_an_mmm_queue(servers: int, rate: float) -> None:
    """Wait for the input burst by Erlang C (Kleinrock, section 3.5)."""
    network = idle_network(rate_per_s=rate, cpu={"cps": servers, "input_us": 100.0})
    result = run(network, 8.0, every_s=0.25)
    count = result.arrivals
    time = (result.total_ticks - result.response_ticks - result.xcf_delay_ticks) / count / TICK
    wait = mmm_wait(rate / 1e6, 100.0, servers)
    assert wait is not None
    assert close(time, 100.0 + wait)
    busy = result.cpu_ticks.sum(axis=1) / result.ticks
    assert close(busy, rate * 100e-6)


def test_fixed_work_waits_as_in_an_md1_queue() -> None:
    """Number in an M/D/1 queue: rho + rho^2 / 2(1 - rho) (Pollaczek-Khinchine)."""
    load = 0.7
    network = idle_network(rate_per_s=0.001, cpu={"fixed_us_per_s": load * 1e6}, cycle_us=1_000.0)
    result = run(network, 40.0, every_s=1.0)
    ready = result.ready_sum / result.samples
    assert close(ready, load + load**2 / (2 * (1 - load)))


def test_cost_grows_with_utilisation() -> None:
    """c = base x (1 + growth x U), model.md 3.3: U = 0.2 / (1 - 0.06) = 0.2128, c = 106.38 us.

    Not 130 us, though each burst runs while its CP, the only one, is busy.
    """
    network = idle_network(rate_per_s=2_000.0, cpu={"input_us": 100.0, "growth": 0.3})
    result = run(network, 20.0, every_s=0.5)
    assert close(result.cpu_ticks.sum(axis=1) / result.arrivals / TICK, 106.38)


@pytest.mark.parametrize(("members", "quota", "cap"), [(15, 16, 24_000), (15, 64, 96_000)])
def test_gate_caps_the_rate(members: int, quota: int, cap: int) -> None:
    """15 members x 16 messages in 10 ms are 24,000/s, 64 are 96,000/s."""
    network = idle_network(
        rate_per_s=0.0, clients=9_000, think_us=20_000.0, xcf={"members": members, "quota": quota}
    )
    result = run(network, 1.0, warmup_s=1.0, sample_k=100)
    assert result.completed.sum() == pytest.approx(cap, rel=0.001)


def test_gate_delay_below_its_cap() -> None:
    """16 messages a window, load 0.9: 0.6 ms (model.md 3.9), as the discrete-time queue says."""
    rate = 15 * 1_440.0
    network = idle_network(rate_per_s=rate, xcf={"members": 15, "quota": 16})
    result = run(network, 20.0, every_s=1.0, sample_k=1000)
    delay = result.xcf_delay_ticks / result.xcf_messages / TICK
    expected = xcf_gate(rate / 15e6, 16, 10_000.0).delay
    assert expected is not None
    assert close(delay, expected)


def test_regions_cap_the_rate() -> None:
    """n regions held for a time O pass n / O, and their numbers are all used."""
    network = idle_network(
        rate_per_s=0.0, clients=2_000, think_us=10_000.0, regions=50, unexplained_us=2_000.0
    )
    result = run(network, 4.0, every_s=0.5)
    assert close(result.completed.sum(axis=1) / result.ticks * SECOND, 25_000.0)
    assert set(result.transactions["region"].tolist()) == set(range(50))


def test_schedules_cost_time_and_cpu_once_in_so_many_messages() -> None:
    """Saturated regions: occupancy = 2 ms + (1.5 ms + 0.1 ms CPU) / 4; a quarter is scheduled."""
    pool = RegionPool("MPP", 50, 4.0, 100.0, 1_500.0)
    network = idle_network(
        rate_per_s=0.0,
        clients=2_000,
        think_us=10_000.0,
        region_pools=(pool,),
        unexplained_us=2_000.0,
        cpu={"cps": 50},
    )
    result = run(network, 4.0, every_s=0.5)
    done = result.completed.sum(axis=1)
    assert close(done / result.ticks * SECOND, 50 / 2_400e-6)
    assert close(result.schedules / done, 0.25)
    assert close(result.cpu_ticks.sum(axis=1) / done / TICK, 25.0)
    scheduled = result.transactions["scheduled"]
    assert set(scheduled.tolist()) == {0, 1}
    assert scheduled.mean() == pytest.approx(0.25, abs=0.01)
    gu, taken = result.transactions["gu"], result.transactions["taken"]
    assert ((gu > taken) == (scheduled == 1)).all()
    rows = result.transactions
    assert ((rows["cpu_schedule"] > 0) == (scheduled == 1)).all()
    assert rows["cpu_schedule"][scheduled == 1].mean() / TICK == pytest.approx(100.0, rel=0.03)
    own = rows["cpu_region"] - rows["cpu_schedule"]  # used by the message, while it was there
    assert (own <= rows["sync"] - gu).all()


def test_ended_programs_add_up_their_messages() -> None:
    """Each message of a scheduled program is in one program; ends are the next schedules."""
    pool = RegionPool("MPP", 20, 3.0, 50.0, 100.0)
    dasd = {"paths": 8, "volumes": 4, "conn_us": 50.0}
    transaction_class = TransactionClass("ONE", 1.0, 1.0, 1.5, 0.5, 1, 1, 100)
    network = idle_network(
        rate_per_s=3_000.0,
        region_pools=(pool,),
        classes=(transaction_class,),
        unexplained_us=500.0,
        cpu={"cps": 8, "region_us": 80.0},
        dasd=dasd,
    )
    result = run(network, 2.0)
    rows, programs = result.transactions, result.programs
    assert len(programs["end"]) > 1_000
    for number in range(0, len(programs["end"]), 97):
        this = {name: int(values[number]) for name, values in programs.items()}
        here = (rows["region"] == this["region"]) & (rows["taken"] >= this["start"])
        mine = {name: values[here & (rows["taken"] < this["end"])] for name, values in rows.items()}
        if this["start"] < 0:
            continue
        order = np.argsort(mine["taken"])
        assert len(order) == this["messages"]
        assert mine["scheduled"][order].tolist() == [1] + [0] * (len(order) - 1)
        assert int(mine["cpu_region"].sum()) == this["cpu"]
        assert int(mine["reads"].sum()) == this["reads"]
        assert int(mine["writes"].sum()) == this["writes"]
        assert int(mine["gu"].min()) == this["first_gu"]
        assert int(mine["number"][order[0]]) == this["number"]
        after = (rows["region"] == this["region"]) & (rows["taken"] == this["end"])
        assert rows["scheduled"][after].tolist() == [1]
    # the last of each region goes on; of 1,000 schedules a second, 0.15 are under way
    goes_on = programs["end"] > 10**18
    used, last = (
        set(counts.tolist()) for counts in (programs["region"], programs["region"][goes_on])
    )
    assert len(used) - 2 <= len(last) == goes_on.sum() > 5
    assert 0 <= result.schedules.sum() - (programs["start"] >= 0).sum() <= 3


def test_a_full_pool_of_regions_holds_up_its_own_classes_only() -> None:
    """Two classes, evenly chosen: one has regions enough, the other 10 for 2 ms each."""
    pools = (RegionPool("IFP", 100_000), RegionPool("MPP", 10))
    classes = tuple(
        TransactionClass(name, 1.0, 1.0, 0.0, 0.0, 1, 1, 100, place)
        for place, name in enumerate(("FREE", "FULL"))
    )
    network = idle_network(
        rate_per_s=20_000.0, region_pools=pools, classes=classes, unexplained_us=2_000.0
    )
    result = run(network, 2.0, every_s=0.5)
    free, full = (result.completed / result.ticks[:, None] * SECOND).T
    assert close(free, 10_000.0)
    assert close(full, 5_000.0)
    rows = result.transactions
    assert set(rows["region"][rows["cls"] == 1].tolist()) == set(range(100_000, 100_010))
    assert (rows["gu"] == rows["arrival"])[rows["cls"] == 0].all()


@pytest.mark.parametrize(
    ("mode", "calls", "hold_shared", "hold_exclusive", "others"),
    [
        ("shared", 3, 0.2, 0.2, 100.0),
        ("shared", 3, 2.0, 3.0, 1_000.0),
        ("split", 3, 0.5, 2.0, 5_000.0),
        ("exclusive", 2, 0.0, 2.5, 100.0),
    ],
)
def test_latch_contention_as_the_formula_says(
    mode: str, calls: int, hold_shared: float, hold_exclusive: float, others: float
) -> None:
    """Contentions within 10 % of the reader/writer formula; callers at random times."""
    rate = 50_000.0
    network = idle_network(
        rate_per_s=rate,
        cpu={"cps": 64, "input_us": 150.0, "region_us": 150.0, "output_us": 150.0},
        unexplained_us=300.0,
        latches={
            "mode": mode,
            "calls_shared": calls,
            "hold_shared_us": hold_shared,
            "hold_exclusive_us": hold_exclusive,
            "other_exclusive_per_s": others,
            "other_hold_us": 2.0,
        },
    )
    result = run(network, 6.0, sample_k=1000)
    per_us = rate / 1e6
    sync, other = (per_us, hold_exclusive), (others / 1e6, 2.0)
    if mode == "exclusive":
        expected = [latch(0.0, 0.0, ((per_us * calls, hold_exclusive), sync, other))]
    elif mode == "shared":
        expected = [latch(per_us * calls, hold_shared, (sync, other))]
    else:
        expected = [latch(per_us * calls, hold_shared, (other,)), latch(0.0, 0.0, (sync,))]
    contention = (result.cont_shr + result.cont_exc).sum(axis=0) / 6e6
    for place, latch_row in enumerate(expected):
        assert contention[place] == pytest.approx(latch_row.contentions, rel=0.1)
    assert (result.latch_maxq[:, 0] > 0).all()


@pytest.mark.parametrize("load", [0.1, 1.1, 8.0])
@pytest.mark.parametrize("cv", [0.0, 0.5])
def test_log_writes_as_group_commit_says(load: float, cv: float) -> None:
    """Writes per second within 2.5 %, wait within 1 % of the formula, by recursion too."""
    write = 280.0
    network = idle_network(
        rate_per_s=load / write * 1e6, cpu={"cps": 8}, logger={"wads_us": write, "wads_cv": cv}
    )
    result = run(network, 60_000 / network.rate_per_s)
    rows = result.transactions
    wait = (rows["written"] - rows["sync"]).mean() / TICK
    expected = group_commit(load / write, write, cv)
    assert wait == pytest.approx(expected.wait, rel=0.02)
    writes = result.wads_writes.sum() / result.seconds
    assert writes == pytest.approx(expected.writes * 1e6, rel=0.03)
    assert result.bytes.sum() // 26_624 == pytest.approx(result.olds_blocks.sum(), abs=2)


@pytest.mark.parametrize(("paths", "load"), [(8, 0.753), (2, 0.5)])
def test_path_delay_is_that_of_an_mm1_queue(paths: int, load: float) -> None:
    """CMR delay = rho s / (1 - rho), with the read of each transaction and its write."""
    port = 135.0
    network = idle_network(
        rate_per_s=paths * load / port / 2 * 1e6,
        classes=(TransactionClass("ONE", 1.0, 1.0, 1.0, 1.0, 1, 1, 100),),
        dasd={"paths": paths, "volumes": 20, "port_us": port, "pend_us": 200.0, "aliases": 500},
        unexplained_us=50_000.0,
    )
    result = run(network, 10.0, every_s=0.5, sample_k=1000)
    ios = result.io_count.sum(axis=1)
    assert close(result.io_cmr.sum(axis=1) / ios / TICK, load * port / (1 - load))
    assert close(result.path_busy.sum(axis=1) / result.ticks / paths, load)
    assert result.io_pend.sum() == result.io_cmr.sum() + ios.sum() * 200 * TICK


def test_busy_volume_makes_requests_wait() -> None:
    """IOSQ of M/M/3: a base and two aliases."""
    rate = 2_400.0
    network = idle_network(
        rate_per_s=rate,
        classes=(TransactionClass("ONE", 1.0, 1.0, 1.0, 0.0, 1, 1, 100),),
        dasd={"conn_us": 1_000.0, "aliases": 2},
    )
    result = run(network, 30.0, every_s=1.0, sample_k=1000)
    wait = mmm_wait(rate / 1e6, 1_000.0, 3)
    assert wait is not None
    assert close(result.io_iosq.sum(axis=1) / result.io_count.sum(axis=1) / TICK, wait)


# --- pools ----------------------------------------------------------------------------------------


def test_buffers_in_use_follow_littles_law() -> None:
    """Standing + rate x gets x hold; bytes are gets x request; half of the blocks searched."""
    pool = PoolSize("DYNP", 4292, 1_000, 20, True, 1.5, 4_215.5, 2_000.0, 30, 41)
    network = idle_network(rate_per_s=5_000.0, pools=(pool,), block_search_us=0.8)
    result = run(network, 8.0)
    mean = result.pool_in_use_ticks[:, 0] / result.ticks
    assert close(mean, 30 + 5_000 * 1.5 * 0.002)
    gets = result.pool_gets.sum()
    assert abs(result.pool_bytes.sum() - gets * 4_215.5) <= 1
    assert abs(result.pool_searched.sum() - gets * 20) <= 1
    assert result.cpu_search_ticks.sum() / gets / TICK == pytest.approx(0.8 * 20, rel=1e-3)
    assert (result.pool_expand == 0).all()
    assert (result.pool_low >= 30).all()
    assert (result.pool_high <= result.pool_max_since_init).all()


def test_pool_expands_when_no_buffer_is_free() -> None:
    """Blocks as many as the highest use needs, and each was an expansion."""
    pool = PoolSize("LUMP", 512, 4, 3, True, 1.0, 500.0, 3_000.0, 0)
    result = run(idle_network(rate_per_s=5_000.0, pools=(pool,)))
    most, blocks = int(result.pool_max_since_init[-1, 0]), int(result.pool_blocks_now[-1, 0])
    assert most > 20
    assert blocks == 1 + -(-(most - 4) // 3)
    assert result.pool_expand.sum() + result.warm["pool_expand"].sum() == blocks - 1


def test_pool_without_secondary_blocks_stays_one_block() -> None:
    """More buffers in use than there are is taken as got elsewhere."""
    pool = PoolSize("CIOP", 512, 4, 0, True, 1.0, 500.0, 3_000.0)
    result = run(idle_network(rate_per_s=5_000.0, pools=(pool,)))
    assert result.pool_high.max() > 4
    assert (result.pool_blocks_now == 1).all()


# --- the dispatcher samples, small things ---------------------------------------------------------


def test_ready_buckets_are_those_of_type_70() -> None:
    """First bucket: no more than the CPs; last: more than 150 above them."""
    idle = run(idle_network())
    assert (idle.ready_bucket[:, 0] == idle.samples).all()
    crowd = busy_network(clients=5_000, think_us=100.0, cpu={"input_us": 5_000.0})
    assert (run(crowd).ready_bucket[:, 15] == 1).all()


def test_responses_around_the_goal() -> None:
    """Each transaction in the bucket of its response: 50 % of the goal, 60, .. 150, 200, 400, more.

    A goal of 1.5 ms has responses on both sides.
    """
    result = run(replace(busy_network(), response_goal_us=1500.0))
    rows = result.transactions
    ended = np.cumsum(result.ticks)
    interval = np.searchsorted(ended, rows["dequeue"], side="right")
    share = (rows["dequeue"] - rows["arrival"]) / (1500 * TICK)
    edges = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 2.0, 4.0])
    for n in range(4):
        place = np.searchsorted(edges, share[interval == n], side="left")
        assert (result.response_bucket[n] == np.bincount(place, minlength=14)).all()
    assert (result.response_bucket.sum(axis=0) > 0).sum() > 5


def test_network_without_pools_reads_or_latches_runs() -> None:
    """Empty parts are no special case."""
    result = run(replace(idle_network(), pools=()))
    assert result.pool_gets.shape == (4, 0)
    assert result.completed.sum() > 900


@pytest.mark.slow
def test_ten_seconds_at_full_rate_keep_all_laws() -> None:
    """About a million transactions, all kept."""
    network = busy_network(
        clients=8_000,
        think_us=73_000.0,
        cpu={"cps": 7, "input_us": 22.0, "region_us": 19.0, "output_us": 21.0},
        xcf={"members": 20, "quota": 64},
        regions=530,
        dasd={"paths": 16, "volumes": 64},
        latches={"hold_shared_us": 0.2, "hold_exclusive_us": 0.2},
    )
    result = run(network, 10.0, every_s=1.0)
    assert result.completed.sum() > 900_000
    assert not any(value.any() for value in differences(result).values())


def test_many_held_buffers_take_no_room_for_transactions() -> None:
    """Where only buffers lack room, slots stay as they are, beyond those that a seed stands for."""
    state = new_state(busy_network(), seed=1, start=0)
    while len(state.slots) < 1 << 16:
        state.scalars[c.RING_HIGH] = state.ring.shape[1]
        state = grown(state)
    slots, room = len(state.slots), state.ring.shape[1]
    state.scalars[c.RING_HIGH] = room
    state = grown(state)
    assert (len(state.slots), state.ring.shape[1]) == (slots, 2 * room)
    state.chains[c.FREE_SLOTS, c.COUNT] = 1
    state = grown(state)
    assert (len(state.slots), state.ring.shape[1]) == (2 * slots, 2 * room)


def test_growth_is_that_of_all_processors_not_of_the_burst_itself() -> None:
    """40 bursts of 6 ms a second on 3 CPs, growth .225: c = 6,000 (1 + .225 x 40 c / 3e6) = 6,110
    us. With a moving mean over 33 ms a burst would find itself there: 6,155 us."""
    network = idle_network(
        rate_per_s=40.0,
        cpu={"cps": 3, "region_us": 6_000.0, "growth": 0.225, "window_us": 384_000.0},
    )
    result = simulate(network, seed=5, seconds=9_000, every_s=9_000, warmup_s=5, sample_k=10**6)
    each = result.transaction_cpu_ticks.sum() / result.completed.sum() / 4096
    assert each == pytest.approx(6_110, rel=0.004)
