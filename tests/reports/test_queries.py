"""The queries of docs/queries.md run, and those of records that the sample has give rows."""

from __future__ import annotations

import re

import duckdb
import pytest
from places import CHECKOUT
from report_database import sample

from imsperf.reports.views import with_reports

PAGE = (CHECKOUT / "docs" / "queries.md").read_text(encoding="utf-8")
QUERIES = dict(re.findall(r"^\*\*(.+?)\*\*.*?^```sql\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
WITHOUT_ROWS = {"What could not be read, and where?"}  # the sample is whole


def test_each_question_has_its_query() -> None:
    assert len(QUERIES) == PAGE.count("```sql") == len(re.findall(r"^\*\*", PAGE, re.MULTILINE))


@pytest.mark.parametrize("question", QUERIES)
def test_a_query_gives_rows(question: str, con: duckdb.DuckDBPyConnection) -> None:
    rows = con.sql(with_reports(con, QUERIES[question])).fetchall()
    assert bool(rows) == (question not in WITHOUT_ROWS)


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    return sample()


def test_all_work_is_the_sum_of_its_classes(con: duckdb.DuckDBPyConnection) -> None:
    """Each scope holds the same time once."""
    policy = con.sql(QUERIES["How much CPU time did all work take?"]).fetchall()
    classes = con.sql(QUERIES["Which service class took it?"]).fetchall()
    assert policy[0][1] > 0
    assert sum(row[3] for row in classes) == pytest.approx(sum(row[1] for row in policy))
    assert sum(row[4] for row in classes) == pytest.approx(100)


def test_a_plain_sum_over_each_scope_is_all_work(con: duckdb.DuckDBPyConnection) -> None:
    """Against the periods that were recorded; all scopes together hold it several times."""
    recorded = "SELECT sum(cp_us) FROM rmf_class_period WHERE {}report_class"
    for scopes, where in (
        (("policy", "group", "service_class", "period"), "NOT "),
        (("report_class", "report_period"), ""),
    ):
        wanted = con.sql(recorded.format(where)).fetchall()[0][0]
        assert wanted > 0
        for scope in scopes:
            rows = con.sql(f"SELECT sum(cp_us) FROM rmf_workload_{scope}").fetchall()
            assert rows[0][0] == pytest.approx(wanted), scope
