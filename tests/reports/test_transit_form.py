"""ims.transit with fields and groups of the user, over transactions written here."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest
from places import TESTS
from report_database import with_tables

from imsperf.errors import ReportError
from imsperf.reports.run import Top, run
from imsperf.reports.transit_form import COUNTS, FUNCTIONS, GROUPS, MEASURES, form

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


def test_abends_by_transaction() -> None:
    """Two of the four of PART; of NOPE no record says how it ended."""
    case = json.loads((TESTS / "report_values" / "transit_abends.json").read_text())
    rows = {name: [row | {"file_id": 1} for row in of] for name, of in case["tables"].items()}
    with with_tables(rows) as con:
        table = run(con, form("tran,count,abends", "", "SELECT * FROM ims_message")).table
    assert [list(row.values())[1:] for row in table.to_pylist()] == [
        ["NOPE", 1, None],
        ["PART", 4, 2],
    ]


def test_forms_of_a_log_over_the_end_of_summer_time() -> None:
    """Totals 15, 6, 9 and 11 ms; the first arrives at 01:59 by the clock, the others between two
    and three, which the clock shows twice. 95 % of 6, 9, 11 lie 1.9 places up: 10.8; their squares
    less those of the mean 26 / 3 leave 38 / 3, over two 19 / 3."""
    case = json.loads((TESTS / "report_values" / "transit_over_a_clock_change.json").read_text())
    fields = "tran,hour,count,total:p95,total:std,input_queue:max,process:sum,output_queue:min"
    rows = {name: [row | {"file_id": 1} for row in of] for name, of in case["tables"].items()}
    with with_tables(rows) as con:
        hours = run(con, form(fields, "tran,hour", "SELECT * FROM ims_message"))
        days = run(con, form("day,region,count,total:max", "", "SELECT * FROM ims_message"))
        (top,) = run(con, "ims.transit", top=Top(1, "max_ms"), over=True).table.to_pylist()[:1]
    one, two = hours.table.to_pylist()
    assert (one["tran"], str(one["hour"]), one["count"]) == ("PART", "2026-10-25 01:00:00", 1)
    assert [one[name] for name in one if "_" in name] == [15, None, 3, 7, 5]
    assert (str(two["hour"]), two["count"]) == ("2026-10-25 02:00:00", 3)
    assert [two[name] for name in two if "_" in name] == [
        *(pytest.approx(10.8), pytest.approx((19 / 3) ** 0.5), 4, 10, 1),
    ]
    assert [list(row.values())[1:] for row in days.table.to_pylist()] == [
        [datetime(2026, 10, 25), 1, 4, 15]
    ]
    assert top["max_ms"] == 15


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
    report = form(",".join([*COUNTS, *measures]), ",".join(GROUPS), "SELECT * FROM ims_message")
    with with_tables(RECORDS) as con:
        assert run(con, report).table.num_rows == 0
