"""A run that goes on from a saved boundary is the run without a break."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_networks import busy_network, two_pools

from imsperf.errors import ScenarioError
from imsperf.synthetic.generate import generate
from imsperf.synthetic.network.network import Coupling, Network, Structure
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.simulate import SimResult, simulate, simulate_all

EVERY, WARM = 0.1, 0.1


def run(network: Network, seconds: float, **more: Any) -> SimResult:
    asked: dict[str, Any] = {"seed": 3, "every_s": EVERY, "warmup_s": WARM} | more
    return simulate(network, seconds=seconds, **asked)


def same(sim_result: SimResult, other: SimResult) -> bool:
    """Every array and every number."""
    for field in fields(SimResult):
        a, b = getattr(sim_result, field.name), getattr(other, field.name)
        pairs = [(a[k], b[k]) for k in a] if isinstance(a, dict) else [(a, b)]
        if not all(np.array_equal(x, y) for x, y in pairs):
            return False
    return True


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The busy network after two whole intervals and a half."""
    path = tmp_path_factory.mktemp("state") / "boundary"
    run(busy_network(), 0.25, save=path)
    return path


def test_it_goes_on_as_without_a_break(state: Path) -> None:
    """Counters, transactions, programs, what is open; saved at 0.2 s, the last whole interval."""
    full_run = run(busy_network(), 0.4)
    assert same(run(busy_network(), 0.4, resume=state), full_run)
    assert not same(run(busy_network(), 0.4, seed=4), full_run)


def test_schedules_and_open_arrivals_go_on_too(tmp_path: Path) -> None:
    for number, network in enumerate((two_pools(), busy_network(rate_per_s=20_000.0))):
        path = tmp_path / str(number)
        run(network, 0.2, save=path)
        assert same(run(network, 0.3, resume=path), run(network, 0.3))


def test_a_state_can_be_kept_while_going_on(state: Path, tmp_path: Path) -> None:
    """From 0.2 s to 0.3 s, from there to 0.4 s."""
    run(busy_network(), 0.3, resume=state, save=tmp_path / "later")
    assert same(run(busy_network(), 0.4, resume=tmp_path / "later"), run(busy_network(), 0.4))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"seed": 4}, "found a run of seed 3, expected 4"),
        ({"sample_k": 2}, "sample_k 1, expected 2"),
        ({"every_s": 0.2}, "every_s 0.1, expected 0.2"),
        ({"network": busy_network(clients=299)}, "another scenario or setting"),
        ({"seconds": 0.1}, "has reached 0.2 s"),
        ({"seconds": 0.15}, "has reached 0.2 s"),
    ],
    ids=str,
)
def test_a_state_of_another_run_is_refused(
    state: Path, wrong: dict[str, Any], message: str
) -> None:
    network = wrong.pop("network", busy_network())
    with pytest.raises(ScenarioError, match=message):
        run(network, wrong.pop("seconds", 0.4), resume=state, **wrong)


def test_what_is_no_state_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("seed = 3")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    (tmp_path / "empty").touch()
    for name in ("text", "other.npz", "empty"):
        with pytest.raises(ScenarioError, match="is no saved state"):
            run(busy_network(), 0.4, resume=tmp_path / name)
    with pytest.raises(ScenarioError, match="could not be read"):
        run(busy_network(), 0.4, resume=tmp_path / "none")
    with pytest.raises(ScenarioError, match="could not be written"):
        run(busy_network(), 0.1, save=tmp_path / "none" / "state")


def test_generate_writes_the_same_bytes(tmp_path: Path) -> None:
    """Intervals are those of the state where none are asked for."""
    settings = {"clients": 60, "dasd.volumes": 4, "regions.ifp": 20, "cpu.gcps": 2}
    small = scenario.load("tps-100k", settings)
    full_run = generate(small, tmp_path / "whole", seconds=3, every_s=1, sample_k=1000)
    generate(small, tmp_path / "a", seconds=2, every_s=1, sample_k=1000, save=tmp_path / "state")
    again = generate(small, tmp_path / "b", seconds=3, sample_k=1000, resume=tmp_path / "state")
    assert [p.read_bytes() for p in again.paths] == [p.read_bytes() for p in full_run.paths]


def test_open_arrivals_that_never_pass_write_nothing(tmp_path: Path) -> None:
    """90,000 a second need 6 CPs at 70 us each; there are 2."""
    small = scenario.load("tps-100k", {"driver.rate_per_s": 90_000, "cpu.gcps": 2})
    with pytest.raises(ScenarioError, match="found 90,000 a second, expected at most"):
        generate(small, tmp_path / "out", seconds=1)
    assert not list(tmp_path.iterdir())


def test_cpu_of_requests_to_the_facility_counts_too(tmp_path: Path) -> None:
    """T21: 862.6 us a transaction, a quarter of it for requests: 3 CPs pass 3,478 a second at most;
    without that it would be 4,660."""
    settings = {"driver.rate_per_s": 3_600, "regions.mpp": 1_000}
    with pytest.raises(
        ScenarioError, match=r"found 3,600 a second, expected at most 3,4.*: cpu_1 can take"
    ):
        generate(scenario.load("dsff-smq", settings), tmp_path / "out", seconds=1)
    assert not list(tmp_path.iterdir())


# --- two systems ----------------------------------------------------------------------------------


def pair() -> list[Network]:
    """Two systems of different load that share paths and a facility; both need more slots later."""
    lock = Structure("LOCK", "lock", "IMS", in_region=3.0, contention=0.1)
    queue = Structure("QUEUE", "list", "CQS", in_output=2.0)
    facility = Coupling((lock, queue), 1, 6, 2.0, 8.0, 15.0, 20.0, 30.0)
    network = replace(busy_network(), coupling=facility)
    return [network, replace(network, think_us=5_000.0)]


def both(seconds: float, **more: Any) -> list[SimResult]:
    asked: dict[str, Any] = {"seed": 3, "every_s": EVERY, "warmup_s": WARM} | more
    return simulate_all(pair(), seconds=seconds, **asked)


def test_two_systems_go_on_together(tmp_path: Path) -> None:
    """What they share is where it was: paths, processors of the facility, who is served next."""
    both(0.25, save=tmp_path / "state")
    again, full_run = both(0.4, resume=tmp_path / "state"), both(0.4)
    assert all(same(system, other) for system, other in zip(again, full_run, strict=True))
    assert not same(full_run[0], full_run[1]) and full_run[0].cf_queued.sum() > 0
    with pytest.raises(ScenarioError, match="another scenario or setting"):
        run(pair()[0], 0.4, resume=tmp_path / "state")
    with pytest.raises(ScenarioError, match="another scenario or setting"):
        simulate_all(pair()[::-1], seed=3, seconds=0.4, every_s=EVERY, warmup_s=WARM,
                     resume=tmp_path / "state")  # fmt: skip


@pytest.mark.slow
def test_files_of_two_systems_are_the_same_bytes(tmp_path: Path) -> None:
    """dsff-smq: two dumps, two logs, what is written of the shared log stream among them."""
    small = scenario.load("dsff-smq", {"dasd.volumes": 16, "cqs.offload_mb": 1})
    full_run = generate(small, tmp_path / "whole", seconds=3, every_s=1, sample_k=50)
    generate(small, tmp_path / "a", seconds=2, every_s=1, sample_k=50, save=tmp_path / "state")
    again = generate(small, tmp_path / "b", seconds=3, sample_k=50, resume=tmp_path / "state")
    assert len(full_run.paths) == 5
    assert [p.read_bytes() for p in again.paths] == [p.read_bytes() for p in full_run.paths]
