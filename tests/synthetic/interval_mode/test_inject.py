"""Faults change what the model is given; the truth names the cell where each shows most.

Which way a cell moves is worked out by hand here: 20 responses of DISC make a response at least 20
times as long, a lost path carries nothing, 0.98 CP for 900 s is 882 s of CPU, and so on.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from conservation import differences

from imsperf.cli.model.generate import command
from imsperf.errors import ScenarioError
from imsperf.synthetic.interval_mode import faults
from imsperf.synthetic.interval_mode import run as running
from imsperf.synthetic.interval_mode.faults import CATALOGUE, injected
from imsperf.synthetic.interval_mode.mean_parts import Inputs
from imsperf.synthetic.interval_mode.means import means_of
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.order import systems_in
from imsperf.synthetic.scenarios import scenario
from imsperf.synthetic.simulation.result import SimResult

SETTINGS = {"clients": 1500, "dasd.volumes": 60, "cpu.gcps": 3, "regions.ifp": 120}
SETTINGS |= {"run.start": "2026-03-02T18:00"}
INTERVALS, FAULTY = 6, (2, 3)  # numbered from 1; local time 11 to 12:30
ALL = [fault for fault in CATALOGUE if fault != "cf-lock-storm"]


def small() -> scenario.Scenario:
    return scenario.load("tps-100k", SETTINGS)


def made(
    folder: Path, fault: str = "", monkeypatch: pytest.MonkeyPatch | None = None
) -> list[SimResult]:
    """A run written to a folder; the counters it was written from, where they are wanted."""
    seen: list[SimResult] = []
    if monkeypatch is not None:

        def kept(*words: Any, **named: Any) -> SimResult:
            seen.append(drawn(*words, **named))
            return seen[-1]

        drawn = running.drawn
        monkeypatch.setattr(running, "drawn", kept)
    inject = [f"{fault}@{FAULTY[0]}-{FAULTY[1]}"] if fault else []
    generate_intervals(small(), folder, intervals=INTERVALS, seed=8, inject=inject)
    if monkeypatch is not None:
        monkeypatch.undo()
    return seen


def truth(folder: Path) -> Mapping[str, Any]:
    (told_fault,) = tomllib.loads((folder / "truth.toml").read_text())["fault"]
    return told_fault


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> SimResult:
    with pytest.MonkeyPatch.context() as patch:
        return made(tmp_path_factory.mktemp("plain") / "out", "", patch)[0]


def changed(name: str, sim_result: SimResult, other: SimResult) -> np.ndarray:
    """The counter that the fault is about, as a multiple of that without it, per interval."""
    pool = int(
        np.argmax(sim_result.pool_blocks_now.max(axis=0) / np.maximum(other.pool_blocks_now[0], 1))
    )
    of = {
        "olds-wait": lambda r: r.olds_ticks / r.olds_blocks,
        "slow-volume": lambda r: (r.io_disc + r.io_conn + r.io_pend)[:, 20] / r.io_count[:, 20],
        "path-lost": lambda r: r.path_count[:, r.path_count.shape[1] // 2],
        "pool-too-small": lambda r: r.pool_blocks_now[:, pool],
        "looping-region": lambda r: r.background_cpu_ticks / r.ticks,
        "capped-lpar": lambda r: r.cpu_ticks.sum(axis=1),
        "goal-missed": lambda r: r.response_ticks / r.completed.sum(axis=1),
    }[name]
    ratio: np.ndarray = of(sim_result) / of(other)
    return ratio


BY_HAND = {  # how many times as much, at least and at most
    "olds-wait": (1.5, 100.0),  # write time at which the OLDS is 97 % busy
    "slow-volume": (15.0, 22.0),  # 20 responses more
    "path-lost": (0.0, 0.0),
    "pool-too-small": (3.0, 100.0),  # 20 blocks more than one to ten
    "looping-region": (10.0, 60.0),  # 0.98 CP beside 0.024 of timers
    "capped-lpar": (0.75, 0.95),  # 85 % of what was used, less what clients then do not send
    "goal-missed": (1.5, 100.0),  # the goal of 10 ms more than about 5 ms
}


def response(result: SimResult) -> np.ndarray:
    mean: np.ndarray = result.response_ticks / result.completed.sum(axis=1)
    return mean


FOLLOWS: dict[str, Callable[[SimResult], np.ndarray]] = {  # what has to rise with it
    "olds-wait": response,  # log calls wait for buffers
    "slow-volume": lambda r: r.region_ticks / r.completed.sum(axis=1),  # regions wait for reads
    "path-lost": lambda r: r.io_cmr.sum(axis=1) / r.io_count.sum(axis=1),  # others are fuller
    "pool-too-small": lambda r: 1 + r.cpu_search_ticks / r.cpu_ticks.sum(axis=1),
    "looping-region": lambda r: r.ready_sum / r.samples,
    "capped-lpar": response,
    "goal-missed": lambda r: r.in_flight_ticks / r.ticks,
}


@pytest.mark.parametrize("name", ALL)
def test_a_fault_changes_its_own_intervals_only(
    name: str, plain: SimResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There by as much as was worked out; elsewhere not at all; and all laws hold."""
    (result,) = made(tmp_path / "out", name, monkeypatch)
    differing = changed(name, result, plain)
    here = np.array(FAULTY) - 1
    low, high = BY_HAND[name]
    assert (differing[here] >= low).all() and (differing[here] <= high).all(), differing
    assert np.delete(differing, here) == pytest.approx(
        1, rel=5e-4
    )  # what is in flight between them
    follows = FOLLOWS[name](result) / FOLLOWS[name](plain)
    assert (follows[here] > 1.005).all(), follows
    assert not any(np.any(left) for left in differences(result).values())
    told = truth(tmp_path / "out")
    if name == "slow-volume":  # the volume whose counters changed: the 21st of those from 08000 on
        assert told["key"] == "device=08014"
    assert told["name"] == name and told["intervals"] == list(FAULTY)
    assert told["interval_start_utc"] == ["2026-03-02T18:15:00Z", "2026-03-02T18:30:00Z"]


def test_intervals_are_named_in_three_ways() -> None:
    """From 1 outside, from 0 inside; without any the one in the middle."""
    faults = injected(["slow-volume", "path-lost@2", "olds-wait@1,3-5"], 9)
    assert [fault.intervals for fault in faults] == [(4,), (1,), (0, 2, 3, 4)]


@pytest.mark.parametrize(
    ("word", "message", "hint"),
    [
        ("slow-volum@2", "no fault 'slow-volum'", "did you mean slow-volume?"),
        ("thunder", "no fault 'thunder'", "there are cf-lock-storm, olds-wait"),
        ("path-lost@0", "found '0', expected intervals from 1 to 9", "FAULT@5-8"),
        ("path-lost@10", "found '10'", "FAULT@5-8"),
        ("path-lost@5-4", "found '5-4'", "FAULT@5-8"),
        ("path-lost@", "found ''", "FAULT@5-8"),
        ("path-lost@x", "found 'x'", "FAULT@5-8"),
    ],
)
def test_wrong_faults_are_refused(word: str, message: str, hint: str) -> None:
    with pytest.raises(ScenarioError, match=message) as caught:
        injected([word], 9)
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("name", "settings", "fault", "message"),
    [
        ("jmp", {}, "pool-too-small", "no storage pool with secondary blocks"),
        ("jmp", {"dasd.channel_paths": 1}, "path-lost", "no second channel path"),
        ("zos-connect", {}, "slow-volume", "no database I/O"),
        ("jmp", {}, "cf-lock-storm", "no lock structure"),
    ],
)
def test_what_cannot_fail_is_refused(
    name: str, settings: dict[str, Any], fault: str, message: str, tmp_path: Path
) -> None:
    variant = scenario.load(name, settings)
    with pytest.raises(ScenarioError, match=message):
        generate_intervals(variant, tmp_path / "out", intervals=3, inject=[fault])
    assert not list(tmp_path.iterdir())


def test_help_lists_all_faults() -> None:
    shown = CliRunner().invoke(command, ["--help"]).output
    for fault in CATALOGUE.values():
        assert f"{fault.name} " in shown and fault.title in shown


def cells(db: Path, name: str, told: Mapping[str, Any]) -> dict[str, float]:
    """The column of the truth at its key in one run, by the start of the interval."""
    from imsperf.api import report

    rows = report(told["report"], db, run=name).to_pylist()
    key = dict(part.split("=", 1) for part in told["key"].split(","))
    mine = [row for row in rows if all(str(row[k]) == v for k, v in key.items())]
    mine = [row for row in mine if row["system"] == told["system"]]
    return {f"{row['interval_start_utc']:%H:%M}": float(row[told["column"]] or 0) for row in mine}


@pytest.mark.slow
def test_the_truth_is_where_the_run_deviates_most(tmp_path: Path) -> None:
    """Loaded: at the key, the column departs most from the run without the fault in the intervals
    of the fault and in the direction told; no identity is violated in any run."""
    from imsperf.api import audit, load

    made(tmp_path / "plain")
    for name in ALL:
        made(tmp_path / name, name)
    db = tmp_path / "runs.duckdb"
    for name in ("plain", *ALL):
        load(tmp_path / name, db=db)
    assert audit(db).violations.num_rows == 0
    for name in ALL:
        told = truth(tmp_path / name)
        base, found = cells(db, "plain", told), cells(db, name, told)
        assert len(base) == len(found) == INTERVALS, name
        apart = {at: found[at] - base[at] for at in base}
        sign = 1 if told["direction"] == "higher" else -1
        faulty = [sign * apart[at] for at in ("18:15", "18:30")]
        rest = [abs(deviation) for at, deviation in apart.items() if at not in ("18:15", "18:30")]
        assert min(faulty) > 0 and min(faulty) > 10 * max(rest), (name, apart)


def storm() -> tuple[Inputs, Inputs]:
    """Inputs of the first of two systems, without and with a storm."""
    plex = systems_in(scenario.load("dsff-smq"))
    inputs = Inputs(plex[0].network, tuple(system.network for system in plex[1:]))
    return inputs, faults.changed(CATALOGUE["cf-lock-storm"], inputs, means_of(inputs))


def test_a_storm_changes_what_the_solver_is_given() -> None:
    """Contention 40 %, half of it false, of the lock structure alone; a program waits 1 ms for each
    request that met none before."""
    before, after = storm()
    assert before.network.coupling is not None and after.network.coupling is not None
    pairs = zip(before.network.coupling.structures, after.network.coupling.structures, strict=True)
    waits = 0.0
    for one, other in pairs:
        if one.kind != "lock":
            assert one == other
            continue
        assert (other.contention, other.false_contention) == (0.4, 0.2)
        waits += (0.4 - one.contention) * (one.in_region + one.in_output) * 1000
    assert waits > 0
    assert after.network.unexplained_us - before.network.unexplained_us == pytest.approx(waits)


@pytest.mark.slow
def test_a_storm_shows_in_the_coupling_facility(tmp_path: Path) -> None:
    """Two systems: both see it, the truth names the first; no identity is violated."""
    from imsperf.api import audit, load

    db, plex = tmp_path / "runs.duckdb", scenario.load("dsff-smq", {"dasd.volumes": 20})
    for name, inject in (("plain", []), ("storm", ["cf-lock-storm@2"])):
        generate_intervals(plex, tmp_path / name, intervals=4, seed=8, inject=inject)
        load(tmp_path / name, db=db)
    assert audit(db).violations.num_rows == 0
    told = truth(tmp_path / "storm")
    base, seen = cells(db, "plain", told), cells(db, "storm", told)
    apart = [seen[at] - base[at] for at in sorted(base)]
    assert len(apart) == 4 and apart[1] == pytest.approx(39, abs=0.5)  # from 1 to 40 per cent
    assert max(abs(deviation) for deviation in (apart[0], *apart[2:])) < 0.5
