"""What adds up between reports: control units and their devices, scopes of a service policy,
systems of a sysplex; and what must not be added: two sysplexes with a system of one name."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest
from places import TESTS
from report_database import with_tables
from test_report_values import tables_of

from imsperf.reports.run import run


def rows_of(case: str, *reports: str) -> list[list[dict[str, Any]]]:
    """Rows of several reports over the tables of a case."""
    said = json.loads((TESTS / "report_values" / f"{case}.json").read_text(encoding="utf-8"))
    with with_tables(tables_of(said)) as con:
        return [run(con, report).table.to_pylist() for report in reports]


def sums(rows: list[dict[str, Any]], key: str, columns: tuple[str, ...]) -> dict[Any, list[float]]:
    total: dict[Any, list[float]] = defaultdict(lambda: [0.0] * len(columns))
    for row in rows:
        total[row[key]] = [
            have + (row[name] or 0) for have, name in zip(total[row[key]], columns, strict=True)
        ]
    return total


@pytest.mark.parametrize(
    ("report", "key"), [("rmf.device_lcu", "lcu"), ("rmf.device_storage_group", "storage_group")]
)
def test_a_control_unit_is_its_devices(report: str, key: str) -> None:
    parts = ("io_count", "iosq_us", "rate_per_s")
    groups, devices = rows_of("device_lcu_sums", report, "rmf.device")
    disks = [row for row in devices if row["device_class"] == "DASD"]
    of_devices = sums(disks, key, parts)
    assert groups
    for name, values in sums(groups, key, parts).items():
        assert values == pytest.approx(of_devices[name])


def test_a_policy_is_its_workloads_and_these_their_classes() -> None:
    parts = ("ended", "cpu_s", "srb_s", "total_su", "swaps", "cp_us")
    (rows,) = rows_of("workload_scopes_and_goals", "rmf.workload")
    whole = sums([row for row in rows if row["kind"] == "policy"], "system", parts)
    workloads = [row for row in rows if row["kind"] == "workload"]
    classes = [row for row in rows if row["kind"] == "service" and row["period"] is None]
    periods = [row for row in rows if row["kind"] == "service" and row["period"] is not None]
    assert len(classes) > 1 and workloads and periods
    for some in (workloads, classes, periods):
        assert dict(sums(some, "system", parts)) == {k: pytest.approx(v) for k, v in whole.items()}


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
