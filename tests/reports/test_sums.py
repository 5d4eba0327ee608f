"""What adds up between reports: control units and their devices, scopes of a service policy,
systems of a sysplex; and what must not be added: two sysplexes with a system of one name."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import date, timedelta
from typing import Any

import pytest
from places import TESTS
from report_database import with_tables
from test_report_values import tables_of

from imsperf.reports.run import run
from imsperf.reports.total import aggregate


def rows_of(case: str, *reports: str) -> list[list[dict[str, Any]]]:
    """Rows of several reports over the tables of a case."""
    said = json.loads((TESTS / "report_values" / f"{case}.json").read_text(encoding="utf-8"))
    with with_tables(tables_of(said)) as con:
        return [run(con, report).table.to_pylist() for report in reports]


Sums = dict[tuple[Any, ...], list[float]]


def sums(rows: list[dict[str, Any]], key: tuple[str, ...], columns: tuple[str, ...]) -> Sums:
    """Of each key the sums of columns; of nothing 0."""
    total: Sums = defaultdict(lambda: [0.0] * len(columns))
    for row in rows:
        of = tuple(row[name] for name in key)
        total[of] = [have + (row[n] or 0) for have, n in zip(total[of], columns, strict=True)]
    return total


def assert_same(left: Sums, right: Sums) -> None:
    assert dict(left) == {name: pytest.approx(values) for name, values in right.items()}


PAGE = ("sysplex", "system", "interval_start_utc")  # what sums are of


@pytest.mark.parametrize(
    ("report", "key"), [("rmf.device_lcu", "lcu"), ("rmf.device_storage_group", "storage_group")]
)
@pytest.mark.parametrize("case", ["device_lcu_sums", "device_all_fields"])
def test_a_control_unit_is_its_devices(case: str, report: str, key: str) -> None:
    """Of each system of each sysplex in each interval: of all disks, and of nothing else.

    Of one whose times are void in a part the other parts are left out too.
    """
    groups, devices = rows_of(case, report, "rmf.device")
    disks = [row for row in devices if row["device_class"] == "DASD" and row[key]]
    timed = [row for row in disks if row["device_us"] is not None]
    assert groups
    for parts, some in (
        (("io_count", "iosq_us", "rate_per_s"), disks),
        (("measured_count", "conn_us", "disc_us", "pend_us"), timed),
    ):
        assert_same(sums(groups, (*PAGE, key), parts), sums(some, (*PAGE, key), parts))


COUNTED = ("ended", "swaps", "cpu_s", "srb_s", "iip_s", "aap_s", "total_su", "cp_us", "io_us")


@pytest.mark.parametrize("case", ["workload_scopes_and_goals", "workload_all_fields"])
def test_a_policy_is_its_workloads_and_these_their_classes(case: str) -> None:
    """Report classes, which repeat the work of service classes, are in none of the sums."""
    (rows,) = rows_of(case, "rmf.workload")
    whole = sums([row for row in rows if row["kind"] == "policy"], PAGE, COUNTED)
    workloads = [row for row in rows if row["kind"] == "workload"]
    classes = [row for row in rows if row["kind"] == "service" and row["period"] is None]
    periods = [row for row in rows if row["kind"] == "service" and row["period"] is not None]
    assert len(classes) > 1 and workloads and periods
    assert any(row["kind"] == "report" for row in rows)
    for some in (workloads, classes, periods):
        assert_same(sums(some, PAGE, COUNTED), whole)


def test_all_systems_of_a_structure_are_its_systems() -> None:
    """Of each facility and structure of a sysplex; a total of one system is not made."""
    (rows,) = rows_of("cf_structure_all_fields", "rmf.cf_structure")
    key = ("sysplex", "interval_start_utc", "cf", "structure")
    parts = ("total_count", "sync_count", "sync_total_us", "nosch_us", "dump_us", "monop_count")
    whole = sums([row for row in rows if row["system"] == "*ALL"], key, parts)
    systems = sums([row for row in rows if row["system"] != "*ALL"], key, parts)
    assert whole
    assert_same(whole, {name: systems[name] for name in whole})


def test_a_total_of_a_partition_is_its_members() -> None:
    """Of a type: the time of all partitions and of *PHYSICAL*, their weights without it."""
    (rows,) = rows_of("partition_all_fields", "rmf.partition")
    members = [row for row in rows if row["partition"] != "TOTAL" and row["status"] != "D"]
    active = [row for row in members if row["status"] != "Deactivated"]
    parts = ("total_s", "management_us", "effective_s", "weight")
    totals = [row for row in rows if row["partition"] == "TOTAL"]
    assert_same(sums(totals, (*PAGE, "type"), parts), sums(active, (*PAGE, "type"), parts))


def test_a_total_over_days_counts_an_interval_over_midnight_once() -> None:
    """It is of the day on which it begins, local time: 23:58 to 24:00 is not of the next day."""
    said = json.loads((TESTS / "report_values" / "device_lcu_sums.json").read_text("utf-8"))
    tables = tables_of(said)
    for rows in tables.values():
        for row in rows:
            row |= {"interval_start": "2026-03-02T23:58:00", "interval_end": "2026-03-03T00:00:00"}
    with with_tables(tables) as con:
        single = run(con, "rmf.device")
        days = aggregate(single, timedelta(days=1)).table.to_pylist()
    whole = sums(single.table.to_pylist(), ("device",), ("io_count",))
    assert_same(sums(days, ("device",), ("io_count",)), whole)
    assert {row["interval_start"].date() for row in days} == {date(2026, 3, 2)}


def test_what_was_not_recorded_is_not_0_in_a_sum() -> None:
    """The sum of nothing is NULL: an invalid connect time of all devices of a control unit."""
    said = json.loads((TESTS / "report_values" / "device_lcu_sums.json").read_text("utf-8"))
    tables = tables_of(said)
    for row in tables["smf74_1_device"]:
        row["smf74cnx"] = 4
    with with_tables(tables) as con:
        rows = run(con, "rmf.device_lcu").table.to_pylist()
    assert rows
    assert {row["conn_ms"] for row in rows} == {None}


def test_a_sysplex_is_its_systems() -> None:
    parts = ("ended", "cpu_s", "total_su")
    (rows,) = rows_of("workload_sysplex_two_systems", "rmf.workload_sysplex")
    whole = {_work(row): row for row in rows if row["all_systems"]}
    parts_of = defaultdict(list)
    for row in rows:
        if not row["all_systems"]:
            parts_of[_work(row)].append(row)
    assert max(map(len, parts_of.values())) > 1
    for work, some in parts_of.items():
        for name in parts:
            assert whole[work][name] == pytest.approx(sum(row[name] for row in some)), name


def _work(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["kind"], row["class"], row["period"]


def test_systems_of_one_name_in_two_sysplexes_stay_apart() -> None:
    """SYSA of PLEX1 and SYSA of PLEX2 have a device 1000 each, in the same interval."""
    said = json.loads((TESTS / "report_values" / "device_lcu_sums.json").read_text("utf-8"))
    tables = tables_of(said)
    tables["smf74_1_product"][1]["smf74xnm"] = "PLEX2"
    tables["smf74_1_device"][3]["smf74num"] = 4096
    with with_tables(tables) as con:
        rows = run(con, "rmf.device").table.to_pylist()
    found = [(row["sysplex"], row["volume"]) for row in rows if row["device"] == "01000"]
    assert sorted(found) == [("PLEX1", "VOL001"), ("PLEX2", "VOL004")]
