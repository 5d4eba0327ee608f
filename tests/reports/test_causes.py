"""Outcomes and the times that they are declared to contain: what heads a cause in `compare`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from places import CHECKOUT
from test_comparison_summary import row

from imsperf.errors import ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.comparison.causes import contained
from imsperf.reports.report_file import parse

OUTCOMES = [
    (report, column) for report in catalog() for column in report.columns if column.contains
]
CASES = sorted((CHECKOUT / "tests" / "report_values").glob("*.json"))


def worked_out() -> list[tuple[str, dict[str, Any]]]:
    """The rows of reports that were worked out by hand, but those of fields drawn at random."""
    rows = []
    for path in CASES:
        if "all_fields" in path.stem:
            continue
        case = json.loads(path.read_text(encoding="utf-8"))
        rows += [(case["report"], each) for each in case["expect"]]
    return rows


@pytest.mark.parametrize(
    ("report", "column"),
    OUTCOMES,
    ids=[f"{report.id}.{column.name}" for report, column in OUTCOMES],
)
def test_what_an_outcome_contains_is_no_more_than_it(report: Any, column: Any) -> None:
    """By the rows that were worked out by hand: the response of a device is what it contains; other
    outcomes are as much, or more. Phases of transactions that are means over another number (of
    executions, of those that are known) are declared, not added."""
    for part in column.contains:
        assert (report.column(part).unit, report.column(part).better) in (
            (column.unit, column.better), (column.unit, "")
        )  # fmt: skip
    for name, values in worked_out():
        if name != report.id or report.id.startswith(("cics.", "rmf.workload")):
            continue
        whole, parts = values.get(column.name), [values.get(part) for part in column.contains]
        if whole is not None and None not in parts:
            assert sum(parts) <= whole + 1e-6, (name, column.name, values)
            if report.id.startswith("rmf.") and column.name == "resp_ms":
                assert sum(parts) == pytest.approx(whole), values


def test_what_is_contained_in_a_part_is_contained() -> None:
    resp = row("rmf.device", "system=SYSA,device=09001", "resp_ms")
    assert contained(resp) == {"iosq_ms", "pend_ms", "disc_ms", "conn_ms", "cmr_ms", "db_ms"}
    assert contained(resp | {"column": "pend_ms"}) == {"cmr_ms", "db_ms"}
    assert contained(resp | {"column": "conn_ms"}) == set()


def test_what_is_contained_is_a_column() -> None:
    text = catalog().get("rmf.device").sql
    header = '/* imsperf report\nid = "own.device"\ntitle = "t"\nanswers = "a?"\nkey = ["device"]\n'
    said = '[columns]\nresp_ms = { label = "r", contains = ["pend"] }\n*/\n'
    with pytest.raises(ReportError, match="contains of resp_ms: no column 'pend'") as error:
        parse(header + said + text, "own.sql")
    assert "pend_ms" in str(error.value.hint)
