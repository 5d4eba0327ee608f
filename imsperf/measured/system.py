"""The system that a run was measured on, as its records show it: what a model of it is given.

One run, one system, perhaps a part of the time. A value is missing where its records are absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from imsperf.errors import ReportError
from imsperf.measured.metrics import class_responses

if TYPE_CHECKING:
    from imsperf.database.store import Store

Time = str | datetime  # local time of the system

ALL_SYSTEMS = "*ALL*"
METRICS = ("etr_per_s", "ims_response_ms", "cpu_us_per_tran", "cpu_busy_pct", "ziip_us_per_tran")
NEEDED = {  # metric: what to load when it is missing
    "etr_per_s": "the IMS log, or type 72.3 with the class of the transactions",
    "ims_response_ms": "the IMS log, or type 72.3 with the class of the transactions",
    "cpu_us_per_tran": "type 70.1 (RMF, CPU activity)",
}


@dataclass(frozen=True)
class Reading:
    """A measured value and the records it is from."""

    value: float
    source: str


@dataclass(frozen=True)
class MeasuredSystem:
    """Readings of one system by name.

    Names are those of run.metrics, of knobs (`regions.mpp`), and: `cps`, `ziips` (online, mean);
    `wads_ms`, `olds_ms` (a write); `olds_bytes` (a block), `olds_buffers`; `db_io_per_s`,
    `db_io_ms`, `db_volumes`, `db_paths`; `log_mb_per_s`, `wads_writes_per_s`; how many there are:
    `systems` of the run, `ims_systems` and `cics_regions` of this one, `region_spaces` (type 30).
    `first_start` and `last_end` are local times of the system.
    """

    run: str
    system: str
    first_start: datetime | None
    last_end: datetime | None
    readings: Mapping[str, Reading]

    @property
    def values(self) -> dict[str, float]:
        """The values by name."""
        return {name: reading.value for name, reading in self.readings.items()}


def read_system(
    store: Store,
    run: str | None = None,
    system: str | None = None,
    start: Time | None = None,
    end: Time | None = None,
) -> MeasuredSystem:
    """The only system of the only run, or those asked for; of intervals that begin in [start, end).

    Errors: ReportError for several runs or systems, and where rate, response or CPU is not there.
    """
    from imsperf import api

    rows = api.run_report(store, "run.metrics", start=start, end=end).table.to_pylist()
    rows = [row for row in rows if row["system"] != ALL_SYSTEMS]
    run = _only("run", "--run", {str(row["run"]) for row in rows}, run)
    rows = [row for row in rows if row["run"] == run]
    systems = {str(row["system"]) for row in rows}
    system = _only(f"{run}: system", "--system", systems, system)
    rows = [row for row in rows if row["system"] == system]
    readings = {
        row["metric"]: Reading(row["value"], row["note"] or "run.metrics")
        for row in rows
        if row["metric"] in METRICS and row["value"] is not None
    }
    if "ims_response_ms" not in readings:
        response = class_responses(store, start, end).get((run, system))
        if response:
            readings["ims_response_ms"] = Reading(response, "type 72.3")
    for metric, records in NEEDED.items():
        if metric not in readings:
            raise ReportError(f"{run} {system}: found no {metric}", f"load {records} with the run")
    given = {"run": run, "system": system, "start": start, "end": end}
    readings |= {
        name: Reading(value, source)
        for name, value, source in store.con.execute(_READINGS, given).fetchall()
        if value is not None
    }
    readings["systems"] = Reading(len(systems), "run.metrics")
    starts, ends = ([row[key] for row in rows if row[key]] for key in ("first_start", "last_end"))
    return MeasuredSystem(run, system, min(starts, default=None), max(ends, default=None), readings)


def _only(what: str, option: str, known: set[str], asked: str | None) -> str:
    """The one that was asked for, or the only one. Errors: ReportError."""
    names = ", ".join(sorted(known))
    if not known:
        raise ReportError(
            f"found no {what} with a rate or CPU", "load type 70, 72 and 30 and the IMS log"
        )
    if asked is not None and asked not in known:
        raise ReportError(f"found no {what} {asked}", f"there are: {names}")
    if asked is None and len(known) > 1:
        raise ReportError(
            f"{what}: found {len(known)} ({names}), expected one", f"choose one with {option}"
        )
    return asked or next(iter(known))


_AT = """($start IS NULL OR interval_start >= CAST($start AS TIMESTAMP))
    AND ($end IS NULL OR interval_start < CAST($end AS TIMESTAMP))"""
_IN = f"run = $run AND system = $system AND {_AT}"
_LOG = f"""run = $run AND {_AT} AND (system IS NULL OR system = $system OR system IN (
        SELECT sid FROM smf_systems() WHERE run = $run AND name = $system))"""
_READINGS = f"""
WITH cpu AS (
    SELECT type, lpar_online_us, interval_start_utc, interval_s FROM rmf_cpu WHERE {_IN}
),
cpu_seconds AS (
    SELECT sum(interval_s) AS s FROM (SELECT DISTINCT interval_start_utc, interval_s FROM cpu)
),
space AS (
    SELECT DISTINCT job, group_name FROM smf_address_space WHERE {_IN} AND kind = 'interval'
),
-- 42.6: what is log, what is database; queues and control data sets are neither
dataset AS (
    SELECT
        d.*,
        CASE
            WHEN d.dataset LIKE '%WADS%' THEN 'wads'
            WHEN regexp_matches(d.dataset, 'OL(DS|P|S)[A-Z]*[0-9]+$') THEN 'olds'
            WHEN regexp_matches(d.dataset, 'RECON|MODSTAT|(LG|SH)MSG|QBLKS') THEN 'other'
            ELSE 'db' END AS use
    FROM smf_dataset_io AS d
    WHERE {_IN} AND io_count > 0 AND resp_us IS NOT NULL AND (
        job IN (SELECT job FROM space WHERE group_name IN ('ims', 'region'))
        OR NOT EXISTS (FROM space WHERE group_name IN ('ims', 'region')))
),
dataset_seconds AS (
    SELECT sum(interval_s) AS s
    FROM (
        SELECT DISTINCT interval_start_utc, interval_s FROM smf_dataset_io WHERE {_IN}
    )
),
-- 74.1: the volumes of these data sets; without 42.6 every volume, those of the log by name
device AS (
    SELECT
        v.*,
        CASE
            WHEN volume LIKE '%WADS%' THEN 'wads' WHEN volume LIKE '%OLDS%' THEN 'olds'
            ELSE 'db' END AS use
    FROM rmf_device AS v
    WHERE {_IN} AND measured_count > 0 AND (device_class = 'DASD' OR device_class IS NULL)
),
db_volume AS (
    SELECT DISTINCT volume FROM dataset WHERE use = 'db'
    UNION
    SELECT DISTINCT volume FROM device
    WHERE use = 'db' AND NOT EXISTS (FROM dataset)
),
device_seconds AS (
    SELECT sum(interval_s) AS s FROM (SELECT DISTINCT interval_start_utc, interval_s FROM device)
),
logger AS (
    SELECT * FROM ims_logger WHERE {_LOG} AND interval_s > 0
),
region AS (
    SELECT region_type, count(DISTINCT ims || pst) AS regions FROM ims_region WHERE {_LOG}
    GROUP BY region_type
)
SELECT 'cps', sum(lpar_online_us) / 1e6 / any_value(s), 'type 70.1'
FROM cpu, cpu_seconds WHERE type = 'CP'
UNION ALL
SELECT 'ziips', sum(lpar_online_us) / 1e6 / any_value(s), 'type 70.1'
FROM cpu, cpu_seconds WHERE type = 'zIIP' HAVING count(*) > 0
UNION ALL
SELECT use || '_ms', sum(resp_us) / sum(io_count) / 1000, 'type 42.6'
FROM dataset WHERE use IN ('wads', 'olds') GROUP BY use
UNION ALL
SELECT use || '_ms', sum(device_us + coalesce(iosq_us, 0)) / sum(measured_count) / 1000, 'type 74.1'
FROM device WHERE use IN ('wads', 'olds') AND NOT EXISTS (FROM dataset) GROUP BY use
UNION ALL
SELECT 'db_io_ms', sum(resp_us) / sum(io_count) / 1000, 'type 42.6'
FROM dataset WHERE use = 'db' HAVING sum(io_count) > 0
UNION ALL
SELECT 'db_io_per_s', coalesce(sum(io_count) FILTER (WHERE use = 'db'), 0) / any_value(s),
    'type 42.6'
FROM dataset, dataset_seconds HAVING count(*) > 0
UNION ALL
SELECT 'db_io_ms', sum(device_us + coalesce(iosq_us, 0)) / sum(measured_count) / 1000,
    'type 74.1, every volume but the log''s'
FROM device WHERE use = 'db' AND NOT EXISTS (FROM dataset) HAVING sum(measured_count) > 0
UNION ALL
SELECT 'db_io_per_s', sum(io_count) / any_value(s), 'type 74.1, every volume but the log''s'
FROM device, device_seconds WHERE use = 'db' AND NOT EXISTS (FROM dataset) HAVING count(*) > 0
UNION ALL
SELECT 'db_volumes', nullif(count(*), 0),
    CASE WHEN EXISTS (FROM dataset) THEN 'type 42.6' ELSE 'type 74.1' END
FROM db_volume
UNION ALL
SELECT 'db_paths', nullif(count(DISTINCT path), 0), 'type 78.3'
FROM rmf_io_queue WHERE {_IN} AND path IS NOT NULL AND lcu IN (
    SELECT lcu FROM device WHERE volume IN (FROM db_volume))
UNION ALL
SELECT 'log_mb_per_s', sum(bytes_written) / 1048576.0 / sum(interval_s), 'log record 4507'
FROM logger
UNION ALL
SELECT 'wads_writes_per_s', sum(wads_excpvr) / sum(interval_s), 'log record 4507' FROM logger
UNION ALL
SELECT 'olds_bytes', max(block_size_bytes), 'log record 4507' FROM logger
UNION ALL
SELECT 'olds_buffers', max(buffers), 'log record 4507' FROM logger
UNION ALL
SELECT 'ims_systems', nullif(count(DISTINCT ims), 0), 'IMS log' FROM logger
UNION ALL
SELECT 'cics_regions', nullif(count(DISTINCT job), 0), 'type 30'
FROM space WHERE group_name = 'cics'
UNION ALL
SELECT 'region_spaces', nullif(count(DISTINCT job), 0), 'type 30'
FROM space WHERE group_name = 'region'
UNION ALL
SELECT
    CASE region_type
        WHEN 'M' THEN 'regions.mpp' WHEN 'I' THEN 'regions.ifp' WHEN 'J' THEN 'regions.jmp'
        WHEN 'D' THEN 'regions.threads' ELSE 'regions_other' END,
    sum(regions), 'IMS log'
FROM region GROUP BY 1
"""
