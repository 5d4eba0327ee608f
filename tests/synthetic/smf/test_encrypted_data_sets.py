"""42.6 of encrypted data sets: not 0 is an encrypted one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import imsperf
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios.scenario import load

SMALL = {"dasd.volumes": 16}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, {"WADS": 256, "OLDS": 256, "database": 256}),
        ({"encryption": "off"}, {"WADS": 0, "OLDS": 0, "database": 0}),
        ({"encryption.olds": "off"}, {"WADS": 256, "OLDS": 0, "database": 256}),
        ({"encryption": "off", "encryption.wads": "on"}, {"WADS": 256, "OLDS": 0, "database": 0}),
    ],
)
def test_what_the_scenario_encrypts(
    more: dict[str, Any], expected: dict[str, int], tmp_path: Path
) -> None:
    """fp-encryption: all are, but where a switch of its own says no; X'0100' is 256."""
    generate_intervals(load("fp-encryption", SMALL | more), tmp_path / "run", intervals=1, seed=5)
    imsperf.load(tmp_path / "run", db=tmp_path / "r.duckdb", run="r", types="42.6")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        rows_read = store.con.execute(
            """SELECT DISTINCT CASE WHEN s42dsn LIKE '%.DFSWADS%' THEN 'WADS'
                WHEN s42dsn LIKE '%.DFSOL%' THEN 'OLDS' ELSE 'database' END, s42dsent
            FROM smf42_6_dataset"""
        ).fetchall()
    assert len(rows_read) == 3 and dict(rows_read) == expected
