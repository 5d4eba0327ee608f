"""Pages of IMS statistics that are no table of rows, after IMSPA: a line for each counter."""

from __future__ import annotations

from imsperf.reports.numbers import formatter, visible
from imsperf.reports.page_parts import Page, Row, cell, ims_heading, lines, split
from imsperf.reports.run import Result

_POOL_LINES = ("pool_size_end", "pool_size_max", "oversize_bytes", "pool_size_max_since_restart")
_BUFFER_LINES = (
    *("buffer_size", "primary_count", "secondary_count", "max_buffers_since_init"),
    *("max_blocks_since_init", "initial_alloc", "avg_size_requested", "gets", "gets_per_s"),
    *("upper_limit_reached", "larger_size_used", "avg_blocks", "high_blocks", "low_blocks"),
    *("blocks_allocated", "blocks_released", "avg_buffers", "high_buffers", "low_buffers"),
    *("pageload_no_iwait", "pageload_iwait"),
)


def fixed_pools_page(result: Result) -> str:
    """Fixed Pool Usage Statistics: a line for each statistic, a column for each buffer size."""
    return "\n".join(_pool_page(result, page) for page in split(result, "ims", "pool"))


def _pool_page(result: Result, page: Page) -> str:
    first = page.rows[0]
    body = [["Pool Name", visible(first["pool"] or "-")]]
    body += [[result.report.column(n).heading, cell(result, first, n)] for n in _POOL_LINES]
    for name in _BUFFER_LINES:
        body.append(
            [result.report.column(name).heading, *(cell(result, r, name) for r in page.rows)]
        )
    width = 1 + len(page.rows)
    padded = [line + [""] * (width - len(line)) for line in body]
    title = ims_heading("Fixed Pool Usage Statistics", page)
    return title + lines(" ".join(["-36", *["11"] * (width - 1)]), padded)


def logger_page(result: Result) -> str:
    """Logger Statistics."""
    return "\n".join(_logger_page(result, page) for page in split(result, "ims"))


def _logger_page(result: Result, page: Page) -> str:
    body, part = [], ""
    for row in page.rows:
        name = "" if row["part"] == part else f"{row['part'].capitalize()} Logger:"
        part = row["part"]
        values = (cell(result, row, n, "") for n in ("count", "per_transaction", "per_s"))
        body.append(["", name, visible(row["label"]), *values])
    heads = ["", "", "", "Count", "/Transact", "/Second"]
    return ims_heading("Logger Statistics", page) + lines("-1 -17 -32 17 11 13", [heads, *body])


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


IMS_PAGES = {
    "ims.fixed_pools": fixed_pools_page,
    "ims.irlm": irlm_page,
    "ims.logger": logger_page,
    "ims.scheduling": scheduling_page,
}
