"""Findings on generated runs: silent without a fault; with one, its cause is in the first three."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from imsperf import api
from imsperf.reports.findings.findings import findings
from imsperf.reports.findings.rule import shipped
from imsperf.synthetic.interval_mode.faults import CATALOGUE
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

SMALL = {"clients": 300, "dasd.volumes": 12, "cpu.gcps": 3, "regions.ifp": 30}
POOLS = "tps-100k"  # the one with pools that have secondary blocks


def generate(folder: Path, system: scenario.Scenario, seed: int, fault: str, n: int) -> None:
    """A loaded run of n intervals with a fault in two of them."""
    inject = [f"{fault}@{n // 2}-{n // 2 + 1}"] if fault else []
    generate_intervals(system, folder / "run", intervals=n, seed=seed, inject=inject)
    api.load([folder / "run"], folder / "x.duckdb", run="r")


def truth_of(folder: Path) -> Any:
    return tomllib.loads((folder / "run" / "truth.toml").read_text())["fault"]


def names_cause(row: Any, truth: Any) -> bool:
    """Of the report of the cause; what is affected most is the cause."""
    parts = set(truth["key"].split(","))
    return row["report"] == truth["report"] and set(row["keys"][0].split(",")) <= parts


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["dsff-smq", "tps-100k", "ff-haldb"])
def test_a_healthy_run_is_silent(tmp_path: Path, name: str, seed: int) -> None:
    generate(tmp_path, scenario.load(name), seed, "", 24)
    rows = api.findings(tmp_path / "x.duckdb").table.to_pylist()
    assert [(row["finding"], row["keys"]) for row in rows] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("fault", CATALOGUE)
def test_the_first_three_name_the_cause(tmp_path: Path, fault: str, seed: int) -> None:
    name = POOLS if fault == "pool-too-small" else "dsff-smq"
    generate(tmp_path, scenario.load(name), seed, fault, 24)
    rows, (truth,) = api.findings(tmp_path / "x.duckdb").table.to_pylist(), truth_of(tmp_path)
    assert any(names_cause(row, truth) for row in rows[:3]), rows


def test_a_lost_path_is_found_in_a_short_run(tmp_path: Path) -> None:
    """By the rules of paths and volumes alone: all rules are in the long test."""
    generate(tmp_path, scenario.load(POOLS, SMALL), 8, "path-lost", 5)
    rules = [rule for rule in shipped() if rule.report in ("rmf.channel", "rmf.device")]
    with api.connect(tmp_path / "x.duckdb") as store:
        rows = findings(store.con, rules=rules).table.to_pylist()
    assert names_cause(rows[0], truth_of(tmp_path)[0]) and rows[0]["intervals"] == 2
