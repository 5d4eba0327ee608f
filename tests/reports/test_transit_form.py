"""ims.transit with fields and groups of the user, over transactions written here."""

from __future__ import annotations

import re

import pytest
from report_database import with_tables

from imsperf.errors import ReportError
from imsperf.reports.run import run
from imsperf.reports.transit_form import FUNCTIONS, GROUPS, MEASURES, form

# run, transaction, arrival UTC, local less UTC in hours, total us, CPU us
ROWS = """
    SELECT
        run, tran, arrival AS arrival_utc, TIMESTAMP '2026-03-02 00:00' AS interval_start_utc,
        TIMESTAMP '2026-03-02 00:00' + to_hours(ahead) AS interval_start, total_us, cpu_us
    FROM (VALUES
        ('t', 'PAY', TIMESTAMP '2026-03-02 08:59:59', 1, 1000, 100),
        ('t', 'PAY', TIMESTAMP '2026-03-02 08:10:00', 1, 5000, 300),
        ('t', 'PAY', TIMESTAMP '2026-03-02 08:20:00', 1, 3000, NULL),
        ('t', 'PAY', TIMESTAMP '2026-03-02 08:30:00', 1, 2000, 200),
        ('t', 'PAY', TIMESTAMP '2026-03-02 08:40:00', 1, 4000, 600),
        ('t', 'PAY', TIMESTAMP '2026-03-02 09:00:00', 1, 7000, 50),
        ('t', 'INQ', TIMESTAMP '2026-03-02 08:30:00', NULL, NULL, 40)
    ) AS t (run, tran, arrival, ahead, total_us, cpu_us)"""
RECORDS = {"ims_01": [{"file_id": 1, "record_no": 1, "section_no": 1}]}


def rows(fields: str, by: str) -> list[tuple[object, ...]]:
    report = form(fields, by, ROWS)
    with with_tables(RECORDS) as con:
        table = run(con, report).table
    assert tuple(table.column_names) == report.names
    return [tuple(row.values()) for row in table.to_pylist()]


def test_fields_by_transaction_and_hour() -> None:
    """95 % of 1 .. 5 ms lie 0.95 x 4 = 3.8 places up: 4.8 ms. 08.. UTC is 09.. local; CPU time
    1200 us of the four that have it. INQ: no offset is known, and no total."""
    given = rows("tran,hour,total:p95,cpu:avg,cpu:count,count", "hour,tran")
    assert [(tran, str(hour)[11:13], *rest) for _, tran, hour, *rest in given] == [
        ("INQ", "08", None, 40, 1, 1),
        ("PAY", "09", pytest.approx(4.8), 300, 4, 5),
        ("PAY", "10", 7, 50, 1, 1),
    ]


def test_the_mean_is_the_default_and_groups_are_those_among_the_fields() -> None:
    """22 ms of six; the sample's standard deviation: 104 - 22 x 22 / 6 = 70 / 3, over five."""
    inq, pay = rows("tran,total,total:std,total:max,cpu:sum", "")
    assert inq[:3] == ("t", "INQ", None)
    assert pay[1:] == ("PAY", pytest.approx(22 / 6), pytest.approx((70 / 3 / 5) ** 0.5), 7, 1250)
    assert [row[1] for row in rows("count", "")] == [7]


@pytest.mark.parametrize(
    ("fields", "by", "said", "near"),
    [
        ("tran,totl:p95", "tran", "no field 'totl'", "did you mean total?"),
        ("tran,total:avgg", "tran", "no function 'avgg'", "did you mean avg?"),
        ("total:p0", "", "no function 'p0'", "any percentile"),
        ("total:p100", "", "no function 'p100'", "any percentile"),
        ("total", "trann", "no group 'trann'", "did you mean tran?"),
        ("psb,total", "tran", "psb is a group, and --by does not name it", "--by tran,psb"),
        ("total FROM x; DROP TABLE t --", "", "no field", "fields: "),
        (",", "tran", "found no field", "such as"),
    ],
)
def test_what_is_unknown_is_named(fields: str, by: str, said: str, near: str) -> None:
    with pytest.raises(ReportError, match=re.escape(said)) as raised:
        form(fields, by, ROWS)
    assert near in str(raised.value.hint)


def test_every_field_group_and_function_is_of_the_view() -> None:
    """All of them at once, on a database without transactions."""
    measures = [f"{name}:{function}" for name in MEASURES for function in (*FUNCTIONS, "p99.9")]
    report = form(",".join(measures), ",".join(GROUPS), "SELECT * FROM ims_message")
    with with_tables(RECORDS) as con:
        assert run(con, report).table.num_rows == 0
