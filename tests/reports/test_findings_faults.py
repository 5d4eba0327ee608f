"""Findings on generated runs: silent without a fault; with one, its cause is in the first three."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from imsperf import api
from imsperf.synthetic.interval_mode.faults import CATALOGUE
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

SMALL = {"clients": 1500, "dasd.volumes": 60, "cpu.gcps": 3, "regions.ifp": 120}
POOLS = "tps-100k"  # the one with pools that have secondary blocks


def findings_of(folder: Path, system: scenario.Scenario, seed: int, fault: str, n: int) -> Any:
    """What stands out in a run with a fault in two intervals of n; with what truth.toml says."""
    inject = [f"{fault}@{n // 2}-{n // 2 + 1}"] if fault else []
    generate_intervals(system, folder / "run", intervals=n, seed=seed, inject=inject)
    api.load([folder / "run"], folder / "x.duckdb", run="r")
    done = api.findings(folder / "x.duckdb")
    said = tomllib.loads((folder / "run" / "truth.toml").read_text()) if fault else {}
    return done.table.to_pylist(), said.get("fault")


def names_cause(row: Any, truth: Any) -> bool:
    """Of the report of the cause; what is affected most is the cause."""
    parts = set(truth["key"].split(","))
    return row["report"] == truth["report"] and set(row["keys"][0].split(",")) <= parts


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["dsff-smq", "tps-100k", "ff-haldb"])
def test_a_healthy_run_is_silent(tmp_path: Path, name: str, seed: int) -> None:
    rows, _ = findings_of(tmp_path, scenario.load(name), seed, "", 24)
    assert [(row["finding"], row["keys"]) for row in rows] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("fault", CATALOGUE)
def test_the_first_three_name_the_cause(tmp_path: Path, fault: str, seed: int) -> None:
    name = POOLS if fault == "pool-too-small" else "dsff-smq"
    rows, (truth,) = findings_of(tmp_path, scenario.load(name), seed, fault, 24)
    assert any(names_cause(row, truth) for row in rows[:3]), rows


def test_a_lost_path_is_the_first_of_a_short_run(tmp_path: Path) -> None:
    rows, (truth,) = findings_of(tmp_path, scenario.load(POOLS, SMALL), 8, "path-lost", 6)
    assert names_cause(rows[0], truth) and rows[0]["intervals"] == 2
