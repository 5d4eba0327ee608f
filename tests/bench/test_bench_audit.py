"""What an audit costs: two weeks of 15-minute intervals of ff-haldb, each a run of its own.

Goal: below 20 s of processor time, all threads together, with all identities and none violated.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from bench_clock import told

from imsperf import api
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

WEEK = 672


@pytest.mark.bench
def test_an_audit_of_two_weeks(tmp_path: Path) -> None:
    for seed in (1, 2):
        week = tmp_path / f"week{seed}"
        generate_intervals(scenario.load("ff-haldb"), week, intervals=WEEK, seed=seed)
        api.load([week], tmp_path / "r.duckdb")
    began, used = time.perf_counter(), time.process_time()
    done = api.audit(tmp_path / "r.duckdb")
    took, cpu = time.perf_counter() - began, time.process_time() - used
    told(
        "an audit of two weeks of ff-haldb",
        [
            ("values", f"{done.tested:,}"),
            ("s on the clock", f"{took:.1f}"),
            ("s of processor time", f"{cpu:.1f}"),
        ],
    )
    assert done.violations.num_rows == 0
