"""The sampler draws what the event simulation finds: same interface, same laws, near means."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_networks import busy_network, changed, two_pools

from imsperf.errors import ScenarioError
from imsperf.synthetic.feed_forward.kernels import commit, senders, serve
from imsperf.synthetic.feed_forward.sample import sample
from imsperf.synthetic.generate import generate
from imsperf.synthetic.network.build import build
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.conservation import differences
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import simulate


def enough(mpps: int = 24) -> Any:
    """Two pools, each with regions and CPs enough."""
    return changed(two_pools(mpps=mpps), {"cpu": {"cps": 6}})


def drawn(network: Any, **more: Any) -> SimResult:
    asked: dict[str, Any] = {"seed": 3, "seconds": 0.6, "every_s": 0.2, "warmup_s": 0.1} | more
    return sample(network, **asked)


@pytest.mark.parametrize("network", [busy_network(), enough()], ids=["one pool", "two pools"])
def test_all_laws_hold(network: Any) -> None:
    """Counters, and sums over the transactions, to the tick; I/Os by volume too."""
    result = drawn(network)
    assert not any(np.any(left) for left in differences(result).values())
    assert result.completed.sum() == len(result.transactions["sync"]) > 5000
    times = ("send", "xcf", "arrival", "taken", "gu", "sync", "written", "dequeue")
    for before, after in pairwise(times):
        assert (result.transactions[before] <= result.transactions[after]).all()


def test_a_region_has_one_message_at_a_time() -> None:
    """From the time it is taken until it is free again; programs end where the next begins."""
    result = drawn(enough())
    rows = result.transactions
    freed = rows["written"] if result.check_write_in_region else rows["sync"]
    order = np.lexsort((rows["taken"], rows["region"]))
    same = np.diff(rows["region"][order]) == 0
    assert (rows["taken"][order][1:] >= freed[order][:-1])[same].all()
    ended = result.programs
    assert len(ended["end"]) > 100 and (ended["messages"] > 0).all()
    assert (ended["start"] <= ended["first_gu"]).all()  # one not drawn takes no time
    assert (ended["first_gu"] < ended["end"]).all()
    # CPU of a schedule lies between taken and the first message, the rest behind that
    before, of_schedule = rows["gu"] - rows["taken"], rows["cpu_schedule"]
    assert of_schedule.any() and (of_schedule <= before).all()
    assert (of_schedule[rows["scheduled"] == 0] == 0).all()
    assert (rows["cpu_region"] - of_schedule <= rows["sync"] - rows["gu"]).all()


def test_a_client_has_one_transaction_at_a_time() -> None:
    """Its next one is sent when it has the answer; all 300 clients send."""
    network = busy_network()
    rows = drawn(network).transactions
    order = np.lexsort((rows["send"], rows["client"]))
    same = np.diff(rows["client"][order]) == 0
    assert (rows["send"][order][1:] >= rows["dequeue"][order][:-1])[same].all()
    assert set(rows["client"].tolist()) == set(range(300))
    assert (rows["member"] == rows["client"] % network.xcf.members).all()


def test_clients_by_hand() -> None:
    """Three clients, each transaction tried from the first: 0 to 10 is of 0, so 5 to 8 of 1; both
    are away at 7, so 7 to 30 is of 2; at 9 it is 1 again, to 20. At 9 nobody is free: 0 is next."""
    client, until = np.empty(5, np.int64), np.zeros(3, np.int64)
    send, answer = np.array([0, 5, 7, 9, 9]), np.array([10, 8, 30, 20, 25])
    senders(send, answer, np.zeros(5, np.int64), until, client)
    assert client.tolist() == [0, 1, 2, 1, 0] and until.tolist() == [25, 20, 30]


def served(arrivals: Any, holds: Any, schedules: Any, classes: Any, several: int) -> Any:
    """Messages at two regions of one pool, and how many programs ended."""
    rows = np.zeros((len(arrivals), 13), np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 4] = arrivals, holds, schedules, classes
    programs, ended = np.zeros((2, 12), np.int64), np.zeros((9, 12), np.int64)
    pools = np.array([[0, 2, several, 0]])
    count = serve(rows, pools, np.zeros(2, np.int64), np.arange(2), programs, ended)
    return rows, count


def test_regions_by_hand() -> None:
    """Two regions, holds 10, 10, 3, arrivals 0, 1, 2: the third has the first region at 10."""
    rows, count = served((0, 1, 2), (10, 10, 3), (0, 0, 1), 0, 0)
    assert count == 0 and rows[:, 10].tolist() == [0, 1, 10]
    assert rows[2, 11] == rows[0, 11] != rows[1, 11]


def test_programs_by_hand() -> None:
    """Codes 0 and 1 get a region each and keep it; at 30 and 31 both are 1: the second one takes
    the region of 0 from it, for which no schedule was drawn. So the one drawn at 50 is not."""
    at, codes, drawn = (0, 10, 20, 30, 31, 50, 60), (0, 1, 0, 1, 1, 1, 1), (1, 1, 0, 0, 0, 1, 1)
    rows, count = served(at, (5,) * 7, drawn, codes, 1)
    assert rows[:, 10].tolist() == list(at)
    assert rows[:5, 11].tolist() == [0, 1, 0, 1, 0]
    assert rows[:, 12].tolist() == [1, 1, 0, 0, 1, 0, 1] and count == 2


def test_group_commit_by_hand() -> None:
    """Writes last 10. Sync points at 0, 3, 4 and 25: 0 to 10, both others 10 to 20, then 25 to 35.
    Three writes; 5,000 bytes of the second are two control intervals of 4,096."""
    log = np.array([0, -1, 0, 0])
    out, writes = np.zeros((4, 2), np.int64), np.zeros((10, 3), np.int64)
    sync, size = np.array([0, 3, 4, 25]), np.array([100, 2500, 2500, 100])
    count = commit(sync, size, np.array([10]), 4096, log, out, writes)
    assert out.tolist() == [[10, 0], [20, 1], [20, 1], [35, 0]]
    assert writes[:count].tolist() == [[0, 10, 1], [10, 10, 2], [25, 10, 1]]


def test_seed_sample_and_length() -> None:
    """Same seed, same rows; thinning leaves counters; a longer run begins with the shorter one."""
    one, thin, longer = (
        drawn(busy_network()),
        drawn(busy_network(), sample_k=7),
        drawn(busy_network(), seconds=0.8),
    )
    assert (drawn(busy_network()).transactions["dequeue"] == one.transactions["dequeue"]).all()
    assert (drawn(busy_network(), seed=4).completed != one.completed).any()
    for name in ("completed", "response_ticks", "io_count", "wads_writes"):
        assert (getattr(thin, name) == getattr(one, name)).all()
    assert set(thin.transactions["number"]) == {
        n for n in one.transactions["number"].tolist() if n % 7 == 0
    }
    assert len(longer.completed) == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tps-100k", "tps-100k@rb9-before"])
def test_it_agrees_with_the_event_simulation(name: str) -> None:
    """Rate and CPU 0.5 %, response 3 %, WADS writes 2 %, CPU and I/O of a transaction 1 %."""
    network = build(scenario.load(name))
    asked: dict[str, Any] = {"seconds": 6, "every_s": 2, "warmup_s": 3, "sample_k": 10**6}
    ours, seen = sample(network, seed=1, **asked), simulate(network, seed=2, **asked)

    def total(result: SimResult, name: str) -> float:
        return float(getattr(result, name).sum())

    done = [total(one, "completed") for one in (ours, seen)]
    assert done[0] == pytest.approx(done[1], rel=0.005)
    for counter, near in (
        ("cpu_ticks", 0.005), ("response_ticks", 0.03), ("region_ticks", 0.02),
        ("io_count", 0.01), ("wads_writes", 0.02), ("records", 0.01), ("pool_gets", 0.01),
    ):  # fmt: skip
        assert total(ours, counter) == pytest.approx(total(seen, counter), rel=near), counter


def test_what_it_cannot_draw_is_refused() -> None:
    """Regions that are all busy: 375 at 70,000 a second (document 002, before roadblock 6)."""
    with pytest.raises(ScenarioError, match="regions busy"):
        drawn(build(scenario.load("tps-100k@rb6-before")))


def test_one_pool_that_is_full_is_refused() -> None:
    """18 MPPs for 28,000 transactions a second: half of them hold one for 1.4 ms, 19.6 together.
    All 48 regions are 61 % busy."""
    with pytest.raises(ScenarioError, match="of the MPP regions busy"):
        drawn(enough(mpps=18))


def test_clients_that_are_all_waiting_are_refused() -> None:
    """300 clients that think 0.1 ms between answers of some milliseconds: nearly all wait."""
    with pytest.raises(ScenarioError, match="of 300 clients waiting"):
        drawn(busy_network(think_us=100.0, regions=1000))


def test_generate_takes_it(tmp_path: Path) -> None:
    settings = {"clients": 60, "dasd.volumes": 4, "regions.ifp": 20, "cpu.gcps": 2}
    small = scenario.load("tps-100k", settings)
    made = generate(small, tmp_path / "a", seconds=1, engine="sampler")
    again = generate(small, tmp_path / "b", seconds=1, engine="sampler")
    assert [p.read_bytes() for p in made.paths] == [p.read_bytes() for p in again.paths]
    assert made.numbers["transactions"] == made.numbers["logged_transactions"] > 500
    with pytest.raises(ScenarioError, match="expected events or sampler"):
        generate(small, tmp_path / "c", seconds=1, engine="sampling")
    with pytest.raises(ScenarioError, match="expected one system"):
        generate(small, tmp_path / "c", seconds=1, engine="sampler", save=tmp_path / "s")
    assert not (tmp_path / "c").exists()
