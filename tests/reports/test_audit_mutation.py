"""Audit of runs in which one counter is wrong by 1 %: nearly all are noticed, the rest is listed.

Eleven runs, every transaction logged: Fast Path with clients, the 100K system with its pools, two
systems with shared queues, a batch program to its end, callouts through many TPIPEs and through
one, CICS, z/OS Connect with zIIPs, threads to Db2, a schedule for each message, credentials.
`audit_mutants.py` says what a counter is. A counter is noticed if it is in one of the runs.
"""

from __future__ import annotations

import re
from pathlib import Path

import audit_mutants
import duckdb
import pytest
from places import CHECKOUT

import imsperf
from imsperf import api
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load

PAGE = CHECKOUT / "docs" / "acceptance.md"
COMMON = {
    "run.cycle_ms": 50, "regions.ifp": 60, "dasd.volumes": 6, "dasd.channel_paths": 1,
}  # fmt: skip
RUNS = {  # scenario and what is special: settings, seconds, seconds of an interval
    "dsff-smq": (
        {
            "clients": 1200,
            "cf.processors": 1,
            "cf.service_us": 8,
            "cf.contention_pct": 8,
            "cf.false_contention_pct": 4,
            "dasd.disc_share": 0.01,
        },
        10,
        5,
    ),
    "bmp-banking": ({"bmp.segments": 7000}, 40, 20),
    "cics-ff": ({}, 6, 3),
    "fast-path": ({**COMMON, "clients": 160}, 40, 20),
    "otma-tpipe": ({}, 2, 1),
    "otma-tpipe one at a time": ({"otma.tpipes": 1, "otma.limitrtp": 1}, 2, 1),
    "zos-connect": ({"cpu.ziips": 2, "run.cycle_ms": 5}, 4, 2),
    "tm-db2-irww": ({}, 2, 1),
    "esaf-pooling@plct0": ({}, 30, 15),
    "credential-propagation@bytes-100": ({}, 2, 1),
    "tps-100k": (
        {
            **COMMON,
            "run.cycle_ms": 25,
            "dasd.volumes": 24,
            "driver.rate_per_s": 10_000,
            "pools.EMHB": "(1000,8375,1000,Y)",
        },
        10,
        5,
    ),
}
LEAST = 0.95  # of shifts


def survivors() -> set[str]:
    """Counters, and up or down, that docs/acceptance.md says no identity notices."""
    text = PAGE.read_text(encoding="utf-8").partition("## Audit of shifted counters")[2]
    rows = re.findall(r"^\| `(\w+\.\w+)` \| ([+, -]+) \|", text, re.MULTILINE)
    return {f"{name} {sign}" for name, signs in rows for sign in signs if sign in "+-"}


@pytest.mark.slow
def test_shifted_counters_are_noticed(tmp_path: Path) -> None:
    """Up and down; those that are not are the ones documented."""
    noticed: dict[str, str] = {}
    for name, (settings, seconds, every_s) in RUNS.items():
        generate(load(name.split()[0], settings), tmp_path / name, seconds=seconds, every_s=every_s)
        db = tmp_path / f"{name}.duckdb"
        imsperf.load(tmp_path / name, db=db, run=name, strict=True)
        assert api.audit(db).violations.to_pylist() == []
        with duckdb.connect(str(db)) as con:
            known = {name for name, broken in noticed.items() if broken}
            for mutant in audit_mutants.mutants(con, known):
                noticed[mutant.name] = mutant.broken or noticed.get(mutant.name, "")
    lived = {name for name, broken in noticed.items() if not broken}
    assert len(noticed) > 640
    assert len(lived) <= (1 - LEAST) * len(noticed), sorted(lived)
    assert lived == survivors()


def test_every_field_is_a_counter_or_says_why_not() -> None:
    """Patterns of what is no counter compile, and each survivor is a counter."""
    assert all(re.compile(name) and why for name, why in audit_mutants.NO_COUNTER.items())
    assert survivors()
    for name in survivors():
        table, _, column = name.partition(" ")[0].partition(".")
        assert audit_mutants.is_counter(table, column), name
