"""Address spaces, data set I/O and log streams as tables that fit a page: z/OS prints none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import groupby

from imsperf.reports.numbers import interval_imspa, visible
from imsperf.reports.pages import Row
from imsperf.reports.rmf_pages import Spec, columns
from imsperf.reports.run import Result

_SPACES: Spec = (
    ("JOB", -8, "job"), ("STEP", -8, "step"), ("PROGRAM", -8, "program"),
    ("GROUP", -11, "group_name"), ("SERVICE|CLASS", -8, "service_class"),
    ("CPU|SECONDS", 10, "cpu_s"), ("CPU|%", 7, "cpu_pct"), ("TCB|SECONDS", 10, "tcb_s"),
    ("SRB|SECONDS", 9, "srb_s"), ("ZIIP|SECONDS", 9, "ziip_s"), ("ZIIP|%", 7, "ziip_pct"),
    ("EXCP|/SEC", 6, "excps_per_s"), ("I/O|/SEC", 6, "ios_per_s"), ("CONN|MS", 4, "io_conn_ms"),
)  # fmt: skip
_SETS: Spec = (
    ("JOB", -8, "job"), ("DATA SET", -44, "dataset"), ("VOLUME", -6, "volume"),
    ("I/O|/SEC", 7, "ios_per_s"), ("RESP|MS", 5, "resp_ms"), ("CONN|MS", 5, "conn_ms"),
    ("PEND|MS", 5, "pend_ms"), ("DISC|MS", 5, "disc_ms"), ("QUEUE|MS", 5, "queue_ms"),
    ("MAX|MS", 5, "max_resp_ms"), ("CACHE|HIT %", 6, "cache_hit_pct"),
    ("WRITE|HIT %", 6, "write_hit_pct"),
)  # fmt: skip
_STREAMS: Spec = (
    ("LOG STREAM", -26, "log_stream"), ("STRUCTURE", -16, "structure"),
    ("WRITES|/SEC", 8, "writes_per_s"), ("BYTES|/WRITE", 7, "bytes_per_write"),
    ("WRITTEN|MB/SEC", 7, "written_mbps"), ("DASD|MB/SEC", 7, "dasd_mbps"),
    ("OFF-|LOADS", 6, "offloads"), ("DASD|SWITCH", 6, "dasd_switches"),
    ("STRUCT|FULL", 6, "structure_full"), ("STAGING|THRESH", 7, "staging_threshold"),
    ("STAGING|FULL", 7, "staging_full"),
)  # fmt: skip


def address_space_page(result: Result) -> str:
    """A table for each interval; steps, jobs and totals in tables of their own."""
    return _pages(result, _SPACES, "kind")


def dataset_io_page(result: Result) -> str:
    """A table for each interval."""
    return _pages(result, _SETS)


def logstream_page(result: Result) -> str:
    """A table for each interval."""
    return _pages(result, _STREAMS)


def _pages(result: Result, spec: Spec, *names: str) -> str:
    keys = ("run", "system", *names, result.report.time)
    pages = []
    for _, some in groupby(result.table.to_pylist(), key=lambda row: [row[key] for key in keys]):
        rows = list(some)
        about = "".join(f"{name.capitalize()} : {rows[0][name]}" for name in names)
        pages.append(_heading(result, rows[0], about) + columns(result, rows, spec))
    return "\n".join(pages)


def _heading(result: Result, row: Row, about: str) -> str:
    start: datetime | None = row["interval_start"]
    end: datetime | None = row.get("interval_end_utc")
    when = f"From : {start:%d%b%Y %H.%M.%S}" if start else "From : -"
    if end and not start:
        when = f"To : {end:%d%b%Y %H.%M.%S} UTC"
    length = "-" if row["interval_s"] is None else interval_imspa(row["interval_s"])
    return (
        f"{result.report.title:<34} System : {visible(row['system'] or '-'):<8}  {when}"
        f"  Interval : {length:>10} (HHHH.MM.SS)\n"
        f"{about:<34} Run : {visible(row['run'] or '-')}\n\n"
    )


SMF_PAGES: dict[str, Callable[[Result], str]] = {
    "smf.address_space": address_space_page,
    "smf.dataset_io": dataset_io_page,
    "smf.logstream": logstream_page,
}
