"""What the reports of one loaded run say, by the names of the published metrics."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from imsperf.errors import AbsentRecords

if TYPE_CHECKING:
    from imsperf.database.store import Store

MeasuredValue = tuple[float | None, str]  # a value and the report and column it is from
System = tuple[str, str]  # run and system

SUMMED = ("ims", "ims_connect", "region", "cics", "odbm", "zos_connect", "cqs", "ixglogr")
LISTED = "listed_cpu_us_per_tran"


@dataclass(frozen=True)
class Values:
    """Values and their sources by metric."""

    found: Mapping[str, MeasuredValue]

    def get(self, metric: str) -> MeasuredValue:
        """None where no report has it."""
        return self.found.get(metric, (None, ""))

    def against(self, metric: str, other: Values, of: str, sign: str) -> Values:
        """With one more metric: how much less (saved) or more (gained) `of` is here, per cent."""
        (mine, source), (base, _) = self.get(of), other.get(of)
        if mine is None or base is None:
            return self
        change = (1 - base / mine if sign == "saved" else mine / base - 1) * 100
        return Values({**self.found, metric: (change, f"{source}, two runs")})


def read_values(store: Store, wanted: Collection[str]) -> Values:
    """Those of the metrics that the records of the run allow; each from the first that has it."""
    values: dict[str, MeasuredValue] = {}
    for part in (_batch, _run_metrics, _classes, _devices, _pools, _awes, _callouts):
        if set(wanted) - set(values):
            more = {metric: value for metric, value in part(store) if value[0] is not None}
            values = {**more, **values}
    return Values(values)


def reports_of(metrics: Collection[str]) -> list[str]:
    """Reports that show these metrics to a reader, as far as one is known by the name alone."""
    places = (
        (r"(?:" + "|".join(_DEVICES) + ")", "rmf.device"),
        (r"pool_\w+_buffers", "ims.fixed_pools"),
        (r"awe_\w+", "ims.control_blocks"),
        (r"ical_response_ms", "ims.transit"),
        (r"\w+_appl_pct|cics_response_ms", "rmf.workload"),
        (r"bmp_\w+", "smf.address_space"),
    )
    found = [
        next((report for words, report in places if re.fullmatch(words, metric)), "run.metrics")
        for metric in metrics
    ]
    return list(dict.fromkeys(found))


def _query(
    store: Store,
    report: str,
    sql: str,
    start: str | datetime | None = None,
    end: str | datetime | None = None,
) -> list[Any]:
    """Rows of a query over the rows of a report (`rows`); none where its records are absent."""
    from imsperf.api import run_report

    total = report.startswith(("rmf.", "ims."))
    try:
        rows = run_report(store, report, total=total, start=start, end=end).table
    except AbsentRecords:
        return []
    store.con.register("rows", rows)
    return store.con.execute(sql).fetchall()


def _run_metrics(store: Store) -> Iterator[tuple[str, MeasuredValue]]:
    """Of one system plain, of several: _ims1, _ims2 for each and plain for all together."""
    rows = _query(
        store,
        "run.metrics",
        "SELECT metric || CASE WHEN system = '*ALL*' OR metric LIKE '%\\_sum' ESCAPE '\\' "
        "OR (SELECT count(DISTINCT system) FROM rows WHERE system <> '*ALL*') = 1 THEN '' "
        "ELSE '_ims' || (dense_rank() OVER (PARTITION BY system = '*ALL*' ORDER BY system)) END, "
        "value FROM rows WHERE value IS NOT NULL",
    )
    values = dict(rows)
    for metric, value in rows:
        yield metric, (value, "run.metrics")
    listed = [values.get(f"{group}_cpu_us_per_tran") for group in SUMMED]
    yield LISTED, (sum(name for name in listed if name) or None, "run.metrics, sum of the groups")


_ENDED = "FROM rows WHERE kind = 'service' AND period IS NULL AND ended > 0"
_RESPONSE = "sum(resp_ms * ended) / sum(ended)"
_CLASSES = {
    "ims_response_ms": _RESPONSE,
    "cics_response_ms": _RESPONSE,
    "etr_per_s": "sum(end_per_s)",
}
_ROLES = """
    SELECT lower(class[2:]) || '_appl_pct', appl_cp_pct
    FROM rows
    WHERE kind = 'report' AND period IS NULL AND class IN ('RTOR', 'RAOR', 'RFOR')
"""


def _classes(store: Store) -> Iterator[tuple[str, MeasuredValue]]:
    """Of the class in which transactions end: threads of CICS and ODBM have no message. CPU of
    CICS regions by their role: terminals, applications, files."""
    parts = (f"SELECT '{metric}', {value} {_ENDED}" for metric, value in _CLASSES.items())
    for metric, value in _query(store, "rmf.workload", " UNION ALL ".join([*parts, _ROLES])):
        yield metric, (value, "rmf.workload")


def class_responses(
    store: Store, start: str | datetime | None = None, end: str | datetime | None = None
) -> dict[System, float]:
    """Response of the class in which transactions end, ms, by run and system, as type 72.3 has it:
    threads of CICS and ODBM have no messages in the log."""
    value = _CLASSES["ims_response_ms"]
    sql = f"SELECT run, system, {value} {_ENDED} GROUP BY ALL"
    rows = _query(store, "rmf.workload", sql, start, end)
    return {(run, system): ms for run, system, ms in rows if ms}


def processors(store: Store) -> dict[System, float]:
    """CPs that were online, mean, by run and system, as type 70.1 has it."""
    rows = store.con.execute(_ONLINE).fetchall()
    return {(run, system): cps for run, system, cps in rows if cps}


def configured(store: Store) -> dict[tuple[str, str], str]:
    """Settings of generated runs, by run and knob."""
    sql = "SELECT run, key, value FROM run_config WHERE section = 'settings'"
    return {(run, key): value for run, key, value in store.con.execute(sql).fetchall()}


_ONLINE = """
    SELECT run, system, avg(cps)
    FROM (
        SELECT run, system, sum(lpar_online_us) / 1e6 / any_value(interval_s) AS cps
        FROM rmf_cpu
        WHERE type = 'CP'
        GROUP BY run, system, interval_start_utc
    )
    GROUP BY run, system
"""
_MEAN = "sum({0} * rate_per_s) / sum(rate_per_s)"
_DEVICES = {  # metric: volumes, mean of their I/Os
    "wads_write_ms": ("WADS%", _MEAN.format("resp_ms")),
    "olds_write_ms": ("OLDS%", _MEAN.format("resp_ms")),
    "db_io_ms": ("S60$%", _MEAN.format("resp_ms")),
    "db_cmr_ms": ("S60$%", _MEAN.format("cmr_ms")),
    "db_pend_ms": ("S60$%", _MEAN.format("pend_ms")),
    "volume_io_per_s": ("S60$%", "avg(rate_per_s)"),
}


def _devices(store: Store) -> Iterator[tuple[str, MeasuredValue]]:
    parts = (
        f"SELECT '{metric}', {value} FROM rows WHERE volume LIKE '{volumes}'"
        for metric, (volumes, value) in _DEVICES.items()
    )
    for metric, value in _query(store, "rmf.device", " UNION ALL ".join(parts)):
        yield metric, (value, "rmf.device")


def _pools(store: Store) -> Iterator[tuple[str, MeasuredValue]]:
    rows = _query(
        store,
        "ims.fixed_pools",
        "SELECT 'pool_' || pool || '_' || buffer_size || '_buffers', avg_buffers FROM rows "
        "WHERE buffer_size IS NOT NULL",
    )
    for metric, value in rows:
        yield metric, (value, "ims.fixed_pools, avg_buffers")


def _awes(store: Store) -> Iterator[tuple[str, MeasuredValue]]:
    """Messages of intervals in which AWEs are short from beginning to end."""
    rows = _query(
        store,
        "ims.control_blocks",
        "SELECT sum(request_count) / sum(interval_s), sum(queue_count) / sum(transactions_count) "
        "FROM rows WHERE caller = 'OTMA' AND short_s >= 0.999 * interval_s",
    )
    for rate, gets in rows:
        yield "awe_bad_rate_per_s", (rate, "ims.control_blocks, requests_per_s")
        yield "awe_bad_gets_per_tran", (gets, "ims.control_blocks, from_queue_per_transaction")


_STEPS = """
    SELECT sum(tcb_us) / 1e6, sum(srb_us) / 1e6
    FROM smf_address_space
    WHERE kind = 'step' AND program = 'DFSRRC00'
"""
_ELAPSED = """
    SELECT max(epoch((h.smf30dte + h.smf30tme) - (i.smf30std + i.smf30sit)))
    FROM smf30_identification AS i
    JOIN smf30_subsystem AS s USING (file_id, record_no)
    JOIN smf30_header AS h USING (file_id, record_no)
    WHERE s.smf30typ = 4 AND i.smf30pgm = 'DFSRRC00'
"""
_BUSY = """
    SELECT 100 * sum(lpar_busy_us) / sum(lpar_online_us)
    FROM rmf_cpu
    WHERE type = 'CP'
        AND interval_start_utc + to_seconds(interval_s) <= (
            SELECT max(interval_end_utc)
            FROM smf_address_space
            WHERE kind = 'interval' AND program = 'DFSRRC00'
        )
"""


def _batch(store: Store) -> Iterator[tuple[str, MeasuredValue]]:
    """A batch program whose step ended in the run: elapsed and CPU."""
    task, srb = store.con.execute(_STEPS).fetchall()[0]
    (elapsed,) = store.con.execute(_ELAPSED).fetchall()[0]
    yield "bmp_task_cpu_s", (task, "smf.address_space, step")
    yield "bmp_srb_cpu_s", (srb, "smf.address_space, step")
    if elapsed is not None:
        yield "bmp_elapsed_s", (elapsed, "type 30 subtype 4, times of start and write")
        (busy,) = store.con.execute(_BUSY).fetchall()[0]
        yield "cpu_busy_pct", (busy, "rmf_cpu, whole intervals of the program")


def _callouts(store: Store) -> Iterator[tuple[str, MeasuredValue]]:
    """A program that does nothing but call out is processed as long as its call takes."""
    rows = _query(
        store,
        "ims.transit",
        "SELECT 'ical_response_ms', sum(process_us) / sum(process_count) / 1000 FROM rows "
        "WHERE tran LIKE 'ICAL%'",
    )
    for metric, value in rows:
        yield metric, (value, "ims.transit, process_ms")
