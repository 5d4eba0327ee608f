"""run.toml tells how a run was made and what its system is made of."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from places import CHECKOUT

from imsperf import api
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.load_profile import load_profile
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

GENERATE = CHECKOUT / "docs" / "generate.md"


def note(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "run.toml").read_text(encoding="utf-8"))


def test_a_part_of_an_interval_run(tmp_path: Path) -> None:
    """Interval 3 of 9, of 120 s: the files begin 240 s after the start and hold 120 s."""
    variant = scenario.load("jmp", {"run.start": "2026-03-02T18:00", "dasd.volumes": 8})
    generate_intervals(
        variant, tmp_path / "run", intervals=9, every_s=120.0, seed=4, profile="flat",
        inject=["path-lost@2-3,5"], first=3, count=1,
    )  # fmt: skip
    note_read = note(tmp_path / "run")
    generator = note_read["generator"]
    assert generator["engine"]["value"] == "interval" and generator["seed"] == 4
    assert [generator[name] for name in ("intervals", "first", "count")] == [9, 3, 1]
    assert (generator["load_profile"], generator["faults"]) == ("flat", "path-lost@2,3,5")
    assert note_read["interval"]["start_utc"] == "2026-03-02T18:04:00Z"
    assert note_read["interval"]["seconds"] == 120
    # jmp.calibration.toml: a think time of 0.524705 ms
    assert "think_us = 524.705\n" in (tmp_path / "run" / "run.toml").read_text(encoding="utf-8")


def test_what_the_system_is_made_of(tmp_path: Path) -> None:
    """000 6.3 and its tables 1 to 3: 128 MPP regions, HR1 8.89 % of the mix, HALDB CUSTDA."""
    variant = scenario.load("ff-haldb", {"dasd.volumes": 8})
    generate(variant, tmp_path / "run", seconds=0.2, sample_k=50)
    note_read = note(tmp_path / "run")
    assert note_read["generator"]["engine"]["value"] == "events"
    assert note_read["generator"]["sample_k"] == 50
    assert note_read["regions"]["MPP"]["value"] == 128
    assert note_read["regions"]["MPP"]["source"] == "jobs MPP00001 to MPP00128"
    assert note_read["transactions"]["HR1"]["value"].startswith("8.89 % of the mix, region MPP")
    assert "then OE2 OE4 OE5" in note_read["transactions"]["OE1"]["value"]
    assert "databases INVENTRA CUSTOMRA" in note_read["transactions"]["OE5"]["value"]  # 000 T2
    assert note_read["databases"]["CUSTDA"]["value"].startswith("HALDB, 32 copies")
    assert note_read["access_path"]["way"] == "TCP/IP, IMS Connect, OTMA over XCF"
    assert note_read["driver"]["program"] == "tpns"


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("cics-ff", "CICS, database calls through DBCTL threads"),
        ("odbm", "ODBM threads (JDBC)"),
        ("bmp-banking", "one batch program, no messages"),
        ("trace-tables", "VTAM (SNA) terminals"),
    ],
)
def test_ways_in(name: str, way: str, tmp_path: Path) -> None:
    variant = scenario.load(name, {"dasd.volumes": 8})
    generate_intervals(variant, tmp_path / "run", intervals=1, every_s=60.0)
    assert note(tmp_path / "run")["access_path"]["way"] == way


@pytest.mark.parametrize(("name", "written"), [("otma-tpipe", False), ("jmp", True)])
def test_records_that_are_not_written(name: str, written: bool, tmp_path: Path) -> None:
    """Storage is published for JMP (T27 and others), not for callouts (T35): no 78.2 then."""
    variant = scenario.load(name)
    generate_intervals(variant, tmp_path / "run", intervals=1, every_s=60.0)
    not_written = note(tmp_path / "run").get("not_written", {})
    assert ("smf_78_2" not in not_written) == written
    api.load(tmp_path / "run", db=tmp_path / "x.duckdb")
    with api.connect(tmp_path / "x.duckdb") as store:
        sql = "SELECT table_name FROM duckdb_tables() WHERE table_name = 'smf78_2_header'"
        rows = api.query(store, sql).to_pylist()
        said = api.query(
            store,
            "SELECT value FROM run_config WHERE section = 'generator' AND key = 'engine'",
        ).to_pylist()
    assert len(rows) == written and said == [{"value": "interval"}]


def test_the_page_prints_the_built_in_profile() -> None:
    """The TOML of docs/generate.md is the profile `office`."""
    text = GENERATE.read_text(encoding="utf-8").partition("### Load profile")[2]
    lines = re.findall(r"^    (\w+ = .*)$", text, re.MULTILINE)[:4]
    office, told_fault = load_profile("office"), tomllib.loads("\n".join(lines))
    assert tuple(told_fault.pop("weekday")) == office.weekday
    assert tuple(told_fault.pop("hour")) == office.hour
    assert told_fault == {"modulation_pct": office.modulation_pct, "modulation_hours": 6}
