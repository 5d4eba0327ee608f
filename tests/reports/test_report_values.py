"""Small tables, the report, the values: worked out from the rules without sight of the SQL."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from places import TESTS
from report_database import with_tables

from imsperf.reports.catalog import catalog
from imsperf.reports.run import run

CASES = sorted((TESTS / "report_values").glob("*.json"))


def same(found: Any, wanted: Any, tolerance: float) -> bool:
    """Equal as the README of the cases means it."""
    if found is None or wanted is None:
        return found is wanted
    if isinstance(wanted, str):
        return (found.isoformat() if isinstance(found, datetime) else found) == wanted
    return bool(abs(found - wanted) <= tolerance * max(1, abs(wanted)))


@pytest.mark.parametrize("file", CASES, ids=lambda one: one.stem)
def test_report_shows_the_expected_values(file: Path) -> None:
    """Every asserted column of every expected row, and the number of rows where it is given."""
    case = json.loads(file.read_text(encoding="utf-8"))
    rows = run(with_tables(case["tables"]), case["report"]).table.to_pylist()
    assert len(rows) == case.get("row_count", len(rows))
    for wanted in case["expect"]:
        found = [row for row in rows if matches(row, wanted, case)]
        assert len(found) == 1, f"{len(found)} rows for {[wanted.get(k) for k in case['key']]}"
        for name, value in wanted.items():
            shown = found[0][name]
            assert same(shown, value, case["tolerance"]), f"{name}: {shown} for {value}"


def matches(row: Mapping[str, Any], wanted: Mapping[str, Any], case: Mapping[str, Any]) -> bool:
    """The row with this key."""
    keys = [name for name in case["key"] if name in wanted]
    return all(same(row[name], wanted[name], case["tolerance"]) for name in keys)


def test_there_are_cases_for_every_report() -> None:
    """Each report has its cases."""
    with_cases = {json.loads(one.read_text(encoding="utf-8"))["report"] for one in CASES}
    assert with_cases == set(catalog().reports)
