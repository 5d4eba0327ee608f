"""Findings: each rule by a row that fires and a near miss; overrides, ranks and the usual value.

`findings_cases.json` has, for each rule, columns of a usual row of its report (others are NULL),
and what is changed in one interval of six so that the rule fires, or just does not. `beside` is
another row in every interval; `second` a row of the second report of the rule, `second_changed`
what differs in the changed interval. With `days` the six are the same hour of six days.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from report_database import empty

from imsperf.errors import ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.findings.findings import Findings, affected, found
from imsperf.reports.findings.rule import overridden, parsed, shipped
from imsperf.reports.findings.text import sentence, text
from imsperf.reports.run import ask

CASES: dict[str, dict[str, dict[str, Any]]] = json.loads(
    Path(__file__).with_name("findings_cases.json").read_text(encoding="utf-8")
)
RULES = {rule.id: rule for rule in shipped()}
OF_FILES = {"data_missing"}  # rules of whole files, not of intervals
START = datetime(2026, 3, 2, 9)
STEP = timedelta(minutes=15)
CHANGED = 3  # interval of six


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as memory:
        yield memory


@cache
def tables() -> duckdb.DuckDBPyConnection:
    """All tables and views, without rows."""
    return empty()


@cache
def schema_of(report: str) -> pa.Schema:
    """Columns of a report and their types."""
    with ask(tables(), report).rows() as rows:
        return rows.limit(0).to_arrow_table().schema


def rows_of(
    con: duckdb.DuckDBPyConnection, rule: str, change: str, starts: list[datetime], changed: int
) -> None:
    """`found_rows`: the report of a rule with one row for each start, one of them changed."""
    report, case = RULES[rule].report, CASES[rule]
    rows = []
    for number, start in enumerate(starts):
        common = {"run": "t", "system": "SYSA", "interval_start": start}
        usual_row = common | {catalog().get(report).time: start} | case["row"]
        rows.append(usual_row | (case[change] if number == changed else {}))
        rows += [usual_row | case["beside"]] if "beside" in case else []
    assert {name for row in rows for name in row} <= {*schema_of(report).names, "interval_start"}
    con.register("found_rows", pa.Table.from_pylist(rows, schema_of(report)))
    if "second" in case:
        second = [
            {"run": "t", "system": "SYSA", "interval_start": start}
            | case["second"]
            | (case["second_changed"] if number == changed else {})
            for number, start in enumerate(starts)
        ]
        schema = schema_of(RULES[rule].beside)
        con.register("beside_rows", pa.Table.from_pylist(second, schema))


def six(step: timedelta = STEP) -> list[datetime]:
    return [START + step * number for number in range(6)]


def step_of(rule: str) -> timedelta:
    return timedelta(days=1) if "days" in CASES[rule] else STEP


def test_every_rule_has_a_case() -> None:
    assert set(CASES) == set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_fires_in_the_changed_interval_alone(
    con: duckdb.DuckDBPyConnection, rule: str
) -> None:
    rows_of(con, rule, "fires", six(step_of(rule)), CHANGED)
    (row,) = found(con, RULES[rule]).to_pylist()
    if rule in OF_FILES:
        assert row["first"] is row["last"] is row["intervals"] is row["of_intervals"] is None
    else:
        assert (row["intervals"], row["of_intervals"]) == (1, 6)
        assert row["first"] == START + CHANGED * step_of(rule)
    assert row["excess"] > 1
    assert row["systems"] == ["SYSA"]


@pytest.mark.parametrize("rule", sorted(RULES.keys() - OF_FILES))
def test_a_finding_is_seen_in_what_its_chart_draws(
    con: duckdb.DuckDBPyConnection, rule: str
) -> None:
    """Of what is affected all six intervals are drawn; a column differs in the changed one."""
    rows_of(con, rule, "fires", six(step_of(rule)), CHANGED)
    (row,) = found(con, RULES[rule]).to_pylist()
    rows = affected(con, RULES[rule], row).sort_by("interval_start")
    columns = RULES[rule].drawn
    assert len(set(rows["interval_start"].to_pylist())) == 6
    usual, changed = (
        rows.filter(pc.equal(rows["interval_start"], start)).select(columns).to_pylist()
        for start in (START, START + CHANGED * step_of(rule))
    )
    assert usual != changed


@pytest.mark.parametrize("rule", RULES)
def test_a_near_miss_is_silent(con: duckdb.DuckDBPyConnection, rule: str) -> None:
    rows_of(con, rule, "near", six(step_of(rule)), CHANGED)
    assert found(con, RULES[rule]).num_rows == 0


AGAINST_USUAL = [*(rule.id for rule in shipped() if rule.usual), "regions_all_busy"]


@pytest.mark.parametrize("rule", AGAINST_USUAL)
def test_in_three_intervals_nothing_is_usual(con: duckdb.DuckDBPyConnection, rule: str) -> None:
    """So what is far beyond the least that counts is no finding; of four intervals three say it."""
    for count, fires in ((3, 0), (4, 1)):
        rows_of(con, rule, "fires", six()[:count], 1)
        assert found(con, RULES[rule]).num_rows == fires


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.3151, "1.3151 ms, threshold 1.315"),
        (2.0, "2 ms, threshold 1.315"),
        (12345.6, "12,346 ms, threshold 1.315"),
    ],
)
def test_printed_digits_show_why_a_finding_is_one(value: float, words: str) -> None:
    row = {
        "keys": [],
        "names": [],
        "systems": [],
        "run": "t",
        "first": None,
        "intervals": 1,
        "of_intervals": 6,
    }
    assert words in sentence(row | {"value": value, "threshold": 1.315, "unit": "ms"})


LIMIT = (  # transactions a second and response of a morning in which a latch comes to its limit
    (20400, 1.03), (20800, 1.06), (21400, 1.1), (22040, 3.6), (22390, 7.2), (22500, 8.5),
    (22280, 6.1), (22180, 4.9), (21750, 1.3), (21080, 1.06), (20400, 1.03), (19700, 0.97),
    *[(20900, 1.05)] * 8,
)  # fmt: skip


@pytest.mark.parametrize(
    ("day", "fires"),
    [
        (LIMIT, 0),  # who runs more than at other times waits for it
        (tuple((20400, response) for _, response in LIMIT), 5),  # not for this load
        ((*LIMIT[:9], (21080, 4.0), *LIMIT[10:]), 1),  # most of those with as much had 1.05
        ((*LIMIT[:5], (22500, 80.0), *LIMIT[6:]), 1),  # three others with as much had 7.2 at most
        ((*LIMIT[:5], (23500, 80.0), *LIMIT[6:]), 0),  # no other had as much, so nothing is usual
    ],
)
def test_a_response_that_goes_with_the_load_is_silent(
    con: duckdb.DuckDBPyConnection, day: tuple[tuple[float, float], ...], fires: int
) -> None:
    """The usual response is that of intervals with at least as much load, of which 2 % less is no
    less."""
    common = {"run": "t", "system": "SYSA", "kind": "service", "class": "IMSTRAN", "period": 1}
    rows = [
        common
        | {"interval_start": START + STEP * place, "interval_start_utc": START + STEP * place}
        | {"end_per_s": float(rate), "resp_ms": response}
        for place, (rate, response) in enumerate(day)
    ]
    con.register("found_rows", pa.Table.from_pylist(rows, schema_of("rmf.workload")))
    told = found(con, RULES["response_up"]).to_pylist()
    assert sum(row["intervals"] for row in told) == fires


def test_regions_all_busy_with_the_usual_queue_is_silent(con: duckdb.DuckDBPyConnection) -> None:
    """Regions that wait for input are occupied all the time; here no message waits longer."""
    rows_of(con, "regions_all_busy", "fires", six(), CHANGED)
    usual = "SELECT * REPLACE (900000000 AS input_queue_us) FROM beside_rows"
    con.register("beside_rows", con.sql(usual).to_arrow_table())
    assert found(con, RULES["regions_all_busy"]).num_rows == 0


@pytest.mark.parametrize(
    ("usual_kb", "max_kb", "fires"),
    [(3700, 3700, 0), (3500, 3674, 0), (3200, 3361, 1), (3801, 3801, 6)],
)
def test_common_storage_fills_up_or_is_nearly_full(
    con: duckdb.DuckDBPyConnection, usual_kb: int, max_kb: int, fires: int
) -> None:
    """Of 4,000 KB: steady at 92.5 % or 4.97 % more is silent, 5.03 % more is not, nor 95.03 %."""
    rows_of(con, "common_storage_short", "fires", six(), CHANGED)
    value = f"CASE WHEN max_kb = 1000 THEN {usual_kb} ELSE {max_kb} END"
    steady = con.sql(f"SELECT * REPLACE ({value} AS max_kb) FROM found_rows").to_arrow_table()
    con.register("found_rows", steady.cast(schema_of("rmf.vstor")))
    rows = found(con, RULES["common_storage_short"]).to_pylist()
    assert sum(row["intervals"] for row in rows) == fires


@pytest.mark.parametrize(("days", "changed", "count"), [(6, 579, 1), (6, 577, 0), (5, 900, 0)])
def test_a_change_is_beyond_what_days_differ_by(
    con: duckdb.DuckDBPyConnection, days: int, changed: int, count: int
) -> None:
    """The last day beside 370, 400, 370, 400, 420 us: median 400, deviations 30, 0, 30, 0, 20.

    So the MAD is 20 and the threshold 400 + 6 * 1.483 * 20 = 578 us. Four other days: silent.
    """
    rule = RULES["changed_cpu_per_transaction"]
    cpu_us = [370, 400, 370, 400, 420, 0][-days:]
    rows_of(con, rule.id, "fires", six(timedelta(days=1))[:days], days - 1)
    values = con.sql("FROM found_rows").to_arrow_table().to_pylist()
    for row, value in zip(values, [*cpu_us[:-1], changed], strict=True):
        row["cpu_us"] = float(value)
    con.register("found_rows", pa.Table.from_pylist(values, schema_of(rule.report)))
    assert found(con, rule).num_rows == count


def test_every_limit_is_used_and_every_rule_says_why() -> None:
    for rule in RULES.values():
        unused = {name for name in rule.limits if f"${name}" not in rule.sql}
        declared = {rule.threshold, *(["times"] if rule.usual else [])} if rule.value else set()
        assert unused == declared, rule.id
        assert all((rule.reason, rule.source, rule.overruled, rule.title, rule.unit)), rule.id


def test_usual_is_of_the_same_hour_of_other_days(con: duckdb.DuckDBPyConnection) -> None:
    """On four days 0.5 ms at 9 and 1.6 ms at 3, as every night: only 1.6 ms at 9 stands out."""
    days = [START + timedelta(days=n) for n in range(4)]
    nights = [day - timedelta(hours=6) for day in days]
    rows_of(con, "device_slow", "fires", days + nights, 1)
    raised = """SELECT * REPLACE (CASE WHEN hour(interval_start) = 3 THEN 1.6 ELSE resp_ms END
        AS resp_ms) FROM found_rows"""
    con.register("found_rows", con.sql(raised).to_arrow_table())
    (row,) = found(con, RULES["device_slow"]).to_pylist()
    assert (row["first"], row["intervals"]) == (days[1], 1)
    assert row["threshold"] == pytest.approx(3 * 0.5)


def test_a_site_changes_limits_and_says_what_it_knows(con: duckdb.DuckDBPyConnection) -> None:
    """At 1.6 ms of usually 0.5 ms: within 4 times, a volume that is known, a rule that is off."""
    rows_of(con, "device_slow", "fires", six(), CHANGED)
    for words, count in (
        ("times = 4", 0),
        ('ignore = ["device=08055"]', 0),
        ('ignore = ["device=08056"]\nseverity = "low"', 1),
    ):
        (rule,) = overridden((RULES["device_slow"],), f"[device_slow]\n{words}")
        assert found(con, rule).num_rows == count
    assert not overridden((RULES["device_slow"],), "[device_slow]\noff = true")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("[device_slw]", "no rule 'device_slw'"),
        ("[device_slow]\ntime = 4", "no limit 'time'"),
        ("[device_slow]\ntimes = 'x'", "is no number"),
        ("[device_slow]\nseverity = 'bad'", "severity 'bad'"),
        ("[device_slow]\noff = 1", "expected off = true"),
        ("[device_slow", "rules of the site"),
        ("device_slow = 3", "expected a table"),
    ],
)
def test_a_wrong_site_file_is_refused(words: str, said: str) -> None:
    with pytest.raises(ReportError, match=said.replace("'", ".")):
        overridden(tuple(RULES.values()), words)


def test_a_wrong_rule_is_refused() -> None:
    with pytest.raises(ReportError, match="found no header"):
        parsed("x", "SELECT 1")
    with pytest.raises(ReportError, match="severitty"):
        parsed("x", '/* imsperf finding\nseveritty = "high"\n*/\nSELECT 1')
    pending = (files("imsperf.sql") / "findings" / "device_pending.sql").read_text(encoding="utf-8")
    for wrong in ('threshold = "pend"', ""):
        with pytest.raises(ReportError, match="expected columns and a limit"):
            parsed("x", pending.replace('threshold = "pend_ms"', wrong))


def test_a_device_is_told_by_its_volume(con: duckdb.DuckDBPyConnection) -> None:
    """As far as its record has one; the key that a site may ignore stays as it is."""
    rows_of(con, "device_slow", "fires", six(), CHANGED)
    (row,) = found(con, RULES["device_slow"]).to_pylist()
    assert row["keys"] == ["device=08055"] and row["names"] == [None]
    con.execute("CREATE OR REPLACE TEMP TABLE named AS SELECT * FROM found_rows")
    con.execute("UPDATE named SET volume = 'S60$86'")
    con.register("found_rows", con.table("named").to_arrow_table())
    (row,) = found(con, RULES["device_slow"]).to_pylist()
    assert sentence(row).startswith("device=08055 (S60$86) on SYSA, run t: ")


def test_text_names_what_when_and_how_far(con: duckdb.DuckDBPyConnection) -> None:
    rows_of(con, "device_slow", "fires", six(), CHANGED)
    words = " ".join(text(found(con, RULES["device_slow"]), "--db 'a b'").split())
    assert "device=08055 on SYSA, run t: 1.6 ms, threshold 1.5" in words
    assert "from 2026-03-02 09:45" in words
    assert "in 1 of 6 intervals" in words
    command = (
        "imsperf report rmf.device --db 'a b' --run t --from 2026-03-02T09:45 --to 2026-03-02T"
    )
    assert command in words


def test_a_row_of_no_system_is_told_beside_others(con: duckdb.DuckDBPyConnection) -> None:
    """What is damaged is of a file, what is missing of a system: one rule, one sentence."""
    rows_of(con, "device_slow", "fires", six(), CHANGED)
    row = found(con, RULES["device_slow"]).slice(0, 1).to_pylist()[0]
    for systems, words in (
        (["SYSA", None], "device=08055 on SYSA, run t: "),
        (["SYSA", "SYSB"], "device=08055 on SYSA, SYSB, run t: "),
        ([None], "device=08055, run t: "),
    ):
        assert sentence({**row, "systems": systems}).startswith(words)


def test_what_is_of_whole_files_names_no_time(con: duckdb.DuckDBPyConnection) -> None:
    """Nor a command that refuses one."""
    rows_of(con, "data_missing", "fires", six(), CHANGED)
    words = text(found(con, RULES["data_missing"]), "--db x")
    assert "on SYSA, run t: 1 missing or damaged, threshold 0." in " ".join(words.split())
    assert words.endswith("   imsperf report load.coverage --db x --run t\n")
    assert "imsperf chart" not in words


def test_a_notebook_shows_how_many_findings_there_are(con: duckdb.DuckDBPyConnection) -> None:
    rows_of(con, "device_slow", "fires", six(), CHANGED)
    shown = repr(Findings(found(con, RULES["device_slow"]), ("device_slow", "path_lost"), ()))
    assert shown == "<Findings: 1, 2 rules tested; .table has them, most severe first>"
