"""How and when the address spaces of a run were started: type 30 agrees with the log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from imsperf import api
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

KINDS = """
    SELECT DISTINCT i.smf30jbn, h.smf30ssi FROM smf30_header h JOIN smf30_identification i
    USING (file_id, record_no)
"""
STARTS = """
    SELECT DISTINCT smf30jbn, smf30std, smf30sit FROM smf30_identification
"""


def rows_of(db: Path, sql: str) -> list[dict[str, Any]]:
    with api.connect(db) as store:
        rows: list[dict[str, Any]] = api.query(store, sql).to_pylist()
        return rows


def test_address_spaces_start_in_the_order_of_the_procedure(tmp_path: Path) -> None:
    """000 5.1: SCI, OM and IRLM, the cold start, regions, other address spaces.

    The cold start is 2 s before 16:00 UTC, 08:59:58 in the local time of type 30 (-07:00). The
    three before it start 60 s earlier, regions after a quarter of the 2 s, IMS Connect after half
    of them; the system is up since the IPL, 8 days before.
    """
    variant = scenario.load("ff-haldb", {"dasd.volumes": 8, "regions.mpp": 20})
    generate(variant, tmp_path / "run", seconds=0.5, sample_k=200)
    db = tmp_path / "x.duckdb"
    api.load(tmp_path / "run", db=db)
    rows = rows_of(db, "SELECT event_time FROM ims_06")
    assert [f"{row['event_time']:%m-%d %H:%M:%S}" for row in rows] == ["05-15 15:59:58"]
    rows = rows_of(db, STARTS)
    when = {row["smf30jbn"]: (str(row["smf30std"]), str(row["smf30sit"])[:11]) for row in rows}
    assert len(rows) == len(when)
    times = {
        "08:58:58": ("IMSASCI", "IMSAOM", "IMSAIRLM"),
        "08:59:58": ("IMSACTL", "IMSADLI", "IMSADBRC"),
        "08:59:58.50": ("MPP00001", "MPP00020"),
        "08:59:59": ("IMSACON",),
    }
    for time, jobs in times.items():
        for job in jobs:
            assert when[job] == ("2018-05-15", time), job
    assert when["*MASTER*"] == when["TCPIP"] == ("2018-05-07", "09:00:00")


def test_jobs_and_started_tasks(tmp_path: Path) -> None:
    """A batch program comes by JES2; IMS is a started task."""
    variant = scenario.load("bmp-banking", {"dasd.volumes": 8})
    generate_intervals(variant, tmp_path / "run", intervals=2, every_s=400.0, profile="flat")
    api.load(tmp_path / "run", db=tmp_path / "x.duckdb")
    rows = rows_of(tmp_path / "x.duckdb", KINDS)
    by_name = {row["smf30jbn"]: row["smf30ssi"] for row in rows}
    assert len(rows) == len(by_name)
    assert by_name.pop("BANKBMP") == "JES2"
    assert set(by_name.values()) == {"STC"}


LISTED = """
    SELECT c.ckpt_no, r.jobname, r.sched FROM ims_47 c LEFT JOIN ims_47_region r
    USING (file_id, record_no) ORDER BY c.ckpt_no
"""
PROGRAMS = """
    SELECT 'begin' AS what, log_stck AS t FROM ims_08 UNION ALL SELECT 'end', log_stck FROM ims_07
"""


def test_a_batch_program_is_listed_while_it_runs(tmp_path: Path) -> None:
    """Runs of about 308 s begin with an interval of 200 s (T23): at 0 none is there, at 200 s the
    first, at 400 s none, then again; each listed since its 08."""
    variant = scenario.load("bmp-banking", {"dasd.volumes": 8})
    generate_intervals(variant, tmp_path / "run", intervals=4, every_s=200.0, profile="flat")
    api.load(tmp_path / "run", db=tmp_path / "x.duckdb")
    rows = rows_of(tmp_path / "x.duckdb", LISTED)
    times = rows_of(tmp_path / "x.duckdb", PROGRAMS)
    begun = sorted(row["t"] for row in times if row["what"] == "begin")
    assert [row["jobname"] for row in rows] == [None, "BANKBMP", None, "BANKBMP", None]
    for row, start in zip((rows[1], rows[3]), begun, strict=True):
        assert abs((row["sched"] - start).total_seconds()) < 1
