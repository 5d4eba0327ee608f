"""Findings on generated runs: silent without a fault; with one, its cause is in the first three."""

from __future__ import annotations

from pathlib import Path

import pytest
from findings_matrix import (
    DOCUMENT,
    POOLS,
    SEEDS,
    first_three,
    generate,
    line,
    names_cause,
    truth_of,
)

from imsperf import api
from imsperf.reports.findings.findings import findings
from imsperf.reports.findings.rule import shipped
from imsperf.synthetic.interval_mode.faults import CATALOGUE
from imsperf.synthetic.scenarios import scenario

SMALL = {"clients": 300, "dasd.volumes": 12, "cpu.gcps": 3, "regions.ifp": 30}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["dsff-smq", "tps-100k", "ff-haldb"])
def test_a_healthy_run_is_silent(tmp_path: Path, name: str, seed: int) -> None:
    generate(tmp_path, scenario.load(name), seed, "", 24)
    rows = api.findings(tmp_path / "x.duckdb").table.to_pylist()
    assert [(row["finding"], row["keys"]) for row in rows] == []


@pytest.mark.slow
def test_a_system_at_the_limit_of_a_latch_has_that_finding_alone(tmp_path: Path) -> None:
    """The OTMA latch of otma-tpipe is taken most of the time; responses of the busiest hour are
    eight times as long, which goes with the load."""
    generate(tmp_path, scenario.load("otma-tpipe"), 1, "", 24)
    rows = api.findings(tmp_path / "x.duckdb").table.to_pylist()
    assert [(row["finding"], row["keys"]) for row in rows] == [
        ("latch_contention", ["ims=IMSA,latch=OTMA"])
    ]


@pytest.mark.slow
@pytest.mark.parametrize("fault", CATALOGUE)
def test_the_first_three_name_the_cause_as_the_document_says(fault: str) -> None:
    """Three of the seeds of the table; what is found first is that of the first seed."""
    runs = [first_three(fault, seed) for seed in SEEDS[:3]]
    assert all(any(named for _, named in rows) for rows in runs), runs
    said = line(fault, runs).split(" | ")[:4]
    assert " | ".join(said) in DOCUMENT.read_text(encoding="utf-8")


def test_a_lost_path_is_found_in_a_short_run(tmp_path: Path) -> None:
    """By the rules of paths and volumes alone: all rules are in the long test."""
    generate(tmp_path, scenario.load(POOLS, SMALL), 8, "path-lost", 5)
    rules = [rule for rule in shipped() if rule.report in ("rmf.channel", "rmf.device")]
    with api.connect(tmp_path / "x.duckdb") as store:
        rows = findings(store.con, rules=rules).table.to_pylist()
    assert names_cause(rows[0], truth_of(tmp_path)[0]) and rows[0]["intervals"] == 2
