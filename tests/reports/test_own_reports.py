"""Reports of a user, from a folder: peers of ours, left out where they are wrong, and checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import TESTS
from report_database import with_tables

from imsperf.cli import main
from imsperf.database.store import open_store
from imsperf.errors import ReportError
from imsperf.reports.catalog import catalog, using, with_own
from imsperf.reports.checking import NOT_TESTED, check_reports
from imsperf.reports.run import run
from imsperf.reports.text import render

VOLUMES = """/* imsperf report
id       = "{id}"
title    = "Volumes"
answers  = "Which volumes have most I/O?"
key      = ["device"]
{more}
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, device, volume,
    io_count / nullif(interval_s, 0)    AS rate_per_s, -- I/O a second
    {pick}
    io_count, interval_s
FROM {source}
ORDER BY run, system, interval_start_utc, device
"""
CASE = json.loads((TESTS / "report_values" / "device_means_per_event.json").read_text())


def text_of(report_id: str, source: str = "rmf_device", more: str = "", pick: str = "") -> str:
    return VOLUMES.format(id=report_id, source=source, more=more, pick=pick)


def test_an_own_report_is_a_peer(tmp_path: Path) -> None:
    """It is listed, runs and prints; outside it is unknown again."""
    (tmp_path / "volumes.sql").write_text(text_of("my.volumes"))
    reports, problems = with_own(tmp_path)
    assert problems == []
    with using(reports), with_tables(CASE["tables"]) as con:
        assert {"my.volumes", "rmf.device"} <= catalog().reports.keys()
        result = run(con, "my.volumes")
        assert result.table["rate_per_s"].to_pylist() == pytest.approx([100, 12800 / 60, 10])
        assert "Which volumes have most I/O?" in render(result)
        assert check_reports(con, [result.report]).num_rows == 0
    with pytest.raises(ReportError, match=r"no report 'my\.volumes'"):
        catalog().get("my.volumes")


def test_a_wrong_file_is_left_out_and_named(tmp_path: Path) -> None:
    """No header, an id of ours, an id that is none, no text at all; the others stay."""
    (tmp_path / "volumes.sql").write_text(text_of("my.volumes"))
    (tmp_path / "none.sql").write_text("SELECT 1")
    (tmp_path / "taken.sql").write_text(text_of("rmf.device"))
    (tmp_path / "odd.sql").write_text(text_of("../odd"))
    (tmp_path / "bytes.sql").write_bytes(b"\xff\xfe")
    reports, problems = with_own(tmp_path)
    assert "my.volumes" in reports.reports and "../odd" not in reports.reports
    said = {Path(problem.message.partition(":")[0]).stem for problem in problems}
    assert said == {"none", "taken", "odd", "bytes"}
    with pytest.raises(ReportError, match=r"found no \.sql file"):
        with_own(tmp_path / "nothing")


def test_a_check_finds_what_is_wrong(tmp_path: Path) -> None:
    """Rows twice, a ratio that is not its parts, SQL that does not run, records that are absent."""
    told = '[columns]\nwrong_per_s = { num = ["io_count"], den = ["interval_s"] }'
    half = "io_count / 2 AS wrong_per_s, -- half of it"
    texts = {
        "twice": text_of("my.twice", "(FROM rmf_device UNION ALL FROM rmf_device)"),
        "ratio": text_of("my.ratio", more=told, pick=half),
        "broken": text_of("my.broken", "rmf_device WHERE CAST(volume AS INTEGER) > 1"),
    }
    for name, words in texts.items():
        (tmp_path / f"{name}.sql").write_text(words)
    reports, problems = with_own(tmp_path)
    assert problems == []
    with with_tables(CASE["tables"]) as con:
        chosen = [report for report in reports if report.id.startswith("my.")]
        found = check_reports(con, [*chosen, reports.get("rmf.cf_usage")]).to_pylist()
    assert {(row["report"], row["check"]) for row in found} == {
        ("my.twice", "rows"),
        ("my.ratio", "ratio"),
        ("my.broken", "runs"),
        ("rmf.cf_usage", NOT_TESTED),
    }


def test_a_check_of_a_folder_without_a_report_tests_none_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its one file cannot be read: that is said, and the exit code tells it."""
    (tmp_path / "none.sql").write_text("SELECT 1")
    with open_store(tmp_path / "x.duckdb", create=True):
        pass
    words = ["report", "--db", str(tmp_path / "x.duckdb"), "--reports", str(tmp_path), "--check"]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 3
    said = capsys.readouterr()
    assert "reports that cannot be read: 1" in said.err and "rmf." not in said.out
