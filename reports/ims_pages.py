"""Pages of an IMS log, after IMSPA: transit, use of resources, scheduling, OLDS, CQS, IRLM."""

from __future__ import annotations

from itertools import groupby

from imsperf.reports.numbers import formatter, visible
from imsperf.reports.pages import Page, Row, cell, ims_heading, lines, split
from imsperf.reports.run import Result

_KINDS = {"full_function": "FF", "switch": "SW", "fast_path": "FP"}
_LEGEND = "\nFF full function   SW program switch   FP Fast Path\n"

_TRANSIT = (
    *("input_queue_ms", "schedule_ms", "process_ms", "output_queue_ms", "total_ms"),
    *("response_ms", "cpu_us", "std_ms", "p50_ms", "p90_ms", "p99_ms", "max_ms"),
)
_TRANSIT_WIDTHS = "-8 -2 9 " + " ".join(["8"] * len(_TRANSIT))


def transit_page(result: Result) -> str:
    """Transaction Transit: a line for each transaction code, means and percentiles."""
    groups = " Mean ms ".center(53, "-"), "Mean", " Total, ms ".center(44, "-")
    above = lines("-21 53 8 44", [("", *groups)])
    return _pages(result, _TRANSIT, _TRANSIT_WIDTHS, above)


_USAGE = {
    "per_s": "/Second",
    "per_schedule": "/Sched",
    "cpu_us": "CPU us",
    "ziip_us": "zIIP us",
    "db_calls": "DB",
    "fp_calls": "FP",
    "esaf_calls": "ESAF",
    "db_ios": "I/Os",
    "db_io_ms": "I/O ms",
    "lock_ms": "Lock ms",
    "ci_reads": "CIs rd",
    "ci_updates": "CIs chg",
    "in_flight": "In IMS",
}
_USAGE_WIDTHS = "-8 -2 9 9 7 9 8 7 6 6 7 9 8 7 7 8"


def transactions_page(result: Result) -> str:
    """Transaction Resource Usage: what a transaction of each code uses."""
    groups = "", " Calls ".center(21, "-"), " Database ".center(17, "-")
    above = lines("-57 21 17", [groups])
    return _pages(result, tuple(_USAGE), _USAGE_WIDTHS, above, tuple(_USAGE.values()))


def _pages(
    result: Result,
    names: tuple[str, ...],
    widths: str,
    above: str,
    short: tuple[str, ...] = (),
) -> str:
    named = short or tuple(result.report.column(n).heading for n in names)
    heads = ["Trancode", "", "Count", *named]
    out = []
    for page in split(result, "ims"):
        title = ims_heading(result.report.title, page)
        out.append(title + above + lines(widths, [heads, *_body(result, page, names)]))
    return "\n".join(out) + _LEGEND


def _body(result: Result, page: Page, names: tuple[str, ...]) -> list[list[str]]:
    return [
        [
            visible(row["tran"] or "-"),
            _KINDS.get(row["kind"], "-"),
            *(cell(result, row, name) for name in ("count", *names)),
        ]
        for row in page.rows
    ]


_SCHEDULING = (
    *("schedules", "quick_resched", "intent_fail", "psb_pool_fail", "dmb_pool_fail"),
    *("work_pool_fail", "prty_cutoff", "psb_loads", "deadlocks", "pseudo_abend"),
)


def scheduling_page(result: Result) -> str:
    """Scheduling Statistics: a line for each counter, then what was put off."""
    return "\n".join(_scheduling_page(result, page) for page in split(result, "ims"))


def _scheduling_page(result: Result, page: Page) -> str:
    title = ims_heading(result.report.title, page)
    return title + _counters(result, page, _SCHEDULING, ("transactions_per_schedule", "failed_pct"))


def _counters(result: Result, page: Page, counts: tuple[str, ...], below: tuple[str, ...]) -> str:
    """A line for each counter: its value, for each transaction, a second; then other values."""
    heads, row = ["", "Count", "/Transact", "/Second"], page.rows[0]
    body = [[result.report.column(n).heading, *_each(result, row, n)] for n in counts]
    rest = [[result.report.column(n).heading, cell(result, row, n), "", ""] for n in below]
    return lines("-32 17 11 13", [heads, *body, *rest])


_LOCKS = (
    *("lock_count", "unlock_count", "change_count", "verify_count", "query_count", "purge_count"),
    *("wait_count", "global_count", "contention_count", "settled_count"),
    *("false_count", "deadlock_count", "timeout_count", "cf_request_count"),
)
_LOCK_MEANS = (
    *("wait_pct", "avg_wait_ms", "global_pct", "contention_pct", "false_pct"),
    *("cf_per_request_us", "cf_sync_pct", "locks_held", "max_locks_held", "lock_entries"),
)


def irlm_page(result: Result) -> str:
    """IRLM Locks: a line for each counter of a lock structure, then what share and how long."""
    out = []
    for page in split(result, "ims", "structure"):
        row = page.rows[0]
        title = f"{result.report.title}, {visible(row['structure'] or '-')}"
        out.append(ims_heading(title, page) + _counters(result, page, _LOCKS, _LOCK_MEANS))
    rows = result.table.to_pylist()
    unknown = any(row["wait_count"] and row["avg_wait_ms"] is None for row in rows)
    note = "\nmean wait -: how long they waited was not kept\n" if unknown else ""
    return "\n".join(out) + note


def _each(result: Result, row: Row, name: str) -> list[str]:
    """A count, and for a transaction and a second: from the same sums as the ratios."""
    parts = (("transactions_count", "per_transaction"), ("interval_s", "per_second"))
    shown = [
        formatter(form)(row[name] / row[part]) if row[name] is not None and row[part] else "-"
        for part, form in parts
    ]
    return [cell(result, row, name), *shown]


_OLDS = ("reason", "in_use_s", "blocks", "blocks_per_s", "records", "records_per_s", "mbps")


def olds_page(result: Result) -> str:
    """OLDS Usage: a line for each use of a data set."""
    heads = ["OLDS", "Opened UTC", "Closed UTC", "Reason", "In Use s", "Blocks", "/Second"]
    heads += ["Records", "/Second", "MB/s"]
    out = []
    for (run, ims), rows in groupby(result.table.to_pylist(), key=lambda r: (r["run"], r["ims"])):
        title = f"{result.report.title:<34} IMS : {visible(ims or '-'):<6} Run : {visible(run)}\n\n"
        body = [_olds_line(result, row) for row in rows]
        out.append(title + lines("-8 -19 -19 -7 10 11 9 13 11 9", [heads, *body]))
    return "\n".join(out)


def _olds_line(result: Result, row: Row) -> list[str]:
    opened, closed = row["interval_start_utc"], row["closed_utc"]
    times = [f"{at:%Y-%m-%d %H:%M:%S}" if at else "-" for at in (opened, closed)]
    return [visible(row["olds"] or "-"), *times, *(cell(result, row, n) for n in _OLDS)]


_CQS = {
    "structure": "Structure",
    "client": "Client",
    "request": "Request",
    "request_count": "Requests",
    "requests_per_s": "/Second",
    "requests_per_transaction": "/Transact",
    "avg_bytes": "Bytes*",
    "elapsed_per_request_us": "Elapsed us",
    "queue_per_request_us": "Queued us",
    "cf_per_request_us": "CF us",
    "failed_pct": "Failed %",
}
_CQS_WIDTHS = "-16 -8 -8 12 11 9 9 10 10 9 8"


def cqs_page(result: Result) -> str:
    """CQS Requests: a line for each structure, client and kind of request."""
    out = []
    for page in split(result, "ims", "cqs"):
        title = f"{result.report.title}, {visible(page.rows[0]['cqs'] or '-')}"
        body = [[cell(result, row, name) for name in _CQS] for row in page.rows]
        table = lines(_CQS_WIDTHS, [list(_CQS.values()), *body])
        out.append(ims_heading(title, page) + table)
    return "\n".join(out) + "\n* of a data object\n"


IMS_PAGES = {
    "ims.cqs": cqs_page,
    "ims.irlm": irlm_page,
    "ims.olds": olds_page,
    "ims.scheduling": scheduling_page,
    "ims.transactions": transactions_page,
    "ims.transit": transit_page,
}
