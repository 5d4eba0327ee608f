"""Reports as RMF and IMSPA print them: the headings, columns and print rules their readers know.

A page is one run, system and interval (IMS: one run, IMS and interval). What is missing prints as
the column's `empty` says. The wording of headings is RMF's and IMSPA's; the numbers are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from imsperf.reports.numbers import (
    formatter,
    grouped,
    interval_imspa,
    interval_rmf,
    visible,
)
from imsperf.reports.run import Result

Row = Mapping[str, Any]
WIDTH = 120


@dataclass(frozen=True)
class Page:
    """The rows of one page and what stands above them."""

    rows: list[Row]
    facts: Row


def split(result: Result, *more: str) -> Iterator[Page]:
    """The pages of a result, in the order of its rows; `more` are key columns that start a page."""
    keys = ("run", "system", "interval_start_utc", "interval_start")
    facts = {}
    if result.facts is not None:
        facts = {tuple(one[k] for k in keys): one for one in result.facts.to_pylist()}
    pages: dict[tuple[Any, ...], list[Row]] = {}
    for row in result.table.to_pylist():
        pages.setdefault(tuple(row[k] for k in (*keys, *more)), []).append(row)
    for place, rows in pages.items():
        yield Page(rows, facts.get(place[: len(keys)], {}))


def cell(result: Result, row: Row, name: str, empty: str | None = None) -> str:
    """One value in the form of its column."""
    column = result.report.column(name)
    value = row[name]
    if value is None:
        return column.empty if empty is None else empty
    return formatter(column.format)(value) if column.format else visible(str(value))


def lines(template: str, rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns: `template` has one width each, negative = to the left."""
    widths = [int(width) for width in template.split()]
    return "".join(
        " ".join(
            t.rjust(w) if w > 0 else t.ljust(-w) for t, w in zip(row, widths, strict=True)
        ).rstrip()
        + "\n"
        for row in rows
    )


# --- RMF -----------------------------------------------------------------------------------------


def spaced(title: str) -> str:
    """RMF's title: letters apart, words two blanks apart, in the middle."""
    return "  ".join(" ".join(word) for word in title.upper().split()).center(WIDTH).rstrip() + "\n"


def zos_version(level: str | None) -> str:
    """V2R4 from zV020400; the stored level where it has another form."""
    digits = (level or "")[2:6]
    if digits.isdigit() and len(digits) == 4:
        return f"V{int(digits[:2])}R{int(digits[2:])}"
    return visible(level or "-")


def longest(page: Page) -> float | None:
    """Seconds of the page: of the row that was there all the time."""
    return max((r["interval_s"] for r in page.rows if r["interval_s"] is not None), default=None)


def rmf_heading(title: str, page: Page) -> str:
    """Title, run, system, date, time and interval."""
    row, facts = page.rows[0], page.facts
    start: datetime | None = row["interval_start"]
    day = f"{start:%m/%d/%Y}" if start else "-"
    clock = f"{start:%H.%M.%S}" if start else "-"
    level = zos_version(facts.get("zos_level"))
    seconds = longest(page)
    length = "-" if seconds is None else interval_rmf(seconds)
    cycle = f"{(facts.get('cycle_ms') or 0) / 1000:.3f}"
    system = visible(row["system"] or "-")
    return (
        spaced(title)
        + f"\n            {'z/OS ' + level:<24} SYSTEM ID {system:<16} "
        + f"DATE {day:<20} INTERVAL {length}\n"
        + f"            {'RUN ' + visible(row['run'] or '-'):<24} RPT VERSION {level + ' RMF':<14} "
        + f"TIME {clock:<20} CYCLE {cycle} SECONDS\n\n"
    )


def cpu_page(result: Result) -> str:
    """CPU Activity."""
    return "\n".join(_cpu_page(result, page) for page in split(result))


def _cpu_page(result: Result, page: Page) -> str:
    f = page.facts
    adjusted = f.get("capacity_adjustment")
    reason = "N/A" if not adjusted else str(f.get("capacity_change_reason") or "NONE")
    mode = {True: "YES", False: "NO"}.get(f.get("hiperdispatch"), "-")  # type: ignore[arg-type]
    machine = (
        f"CPU       {_fact(f, 'machine_type'):<6} CPC CAPACITY {_fact(f, 'cpc_capacity_msu'):>8}"
        f"     SEQUENCE CODE {_fact(f, 'sequence_code')}\n"
        f"MODEL     {_fact(f, 'model'):<6} CHANGE REASON={reason:<8}      HIPERDISPATCH={mode}\n"
        f"H/W MODEL {_fact(f, 'hw_model')}\n\n"
    )
    heads = (
        "--- CPU ---   -------------- TIME % ---------------  --- MT % ----   L"
        "OG PROC    --I/O INTERRUPTS--\n"
        "NUM TYPE      ONLINE LPAR BUSY  MVS BUSY    PARKED     PROD   UTIL   S"
        "HARE %         RATE % VIA TPI\n"
    )
    body = "".join(_cpu_line(result, row) for row in page.rows)
    return rmf_heading("CPU Activity", page) + machine + heads + body


_CPU_WIDTHS = "3 -8 8 9 9 9 8 6 8 -4 9 9"
_CPU_VALUES = (
    "online_pct",
    "lpar_busy_pct",
    "mvs_busy_pct",
    "parked_pct",
    "mt_prod_pct",
    "mt_util_pct",
)


_CORE_VALUES = {"online_pct", "lpar_busy_pct", "mt_prod_pct", "mt_util_pct"}


def _cpu_line(result: Result, row: Row) -> str:
    """A processor; a second thread shows only what is its own; a total row has no processor."""
    total = row["cpu"] is None
    second = (row["thread"] or 1) > 1
    hidden = _CORE_VALUES if second else {"online_pct", "parked_pct"} if total else set()
    values = [
        "" if second or total else cell(result, row, "cpu"),
        "" if second or total else row["type"] or "-",
        *("" if name in hidden else cell(result, row, name) for name in _CPU_VALUES),
        "" if second else cell(result, row, "share_pct"),
        row["share_kind"] or "",
        cell(result, row, "io_rate_per_s"),
        cell(result, row, "tpi_pct"),
    ]
    line = lines(_CPU_WIDTHS, [values])
    return _TOTAL + line[len(_TOTAL) :] if total else line


_TOTAL = "TOTAL/AVERAGE"


def _fact(facts: Row, name: str, empty: str = "-") -> str:
    value = facts.get(name)
    return empty if value is None else visible(str(value))


def partition_page(result: Result) -> str:
    """Partition Data Report."""
    return "\n".join(_partition_page(result, page) for page in split(result))


def _partition_page(result: Result, page: Page) -> str:
    f = page.facts
    wait = {True: "YES", False: "NO"}.get(f.get("wait_completion"), "-")  # type: ignore[arg-type]
    dispatch = "DYNAMIC" if f.get("dispatch_interval_ms") == 0 else _fact(f, "dispatch_interval_ms")
    header = (
        f"MVS PARTITION NAME               {_fact(f, 'partition'):>10}"
        f"      GROUP NAME     {_fact(f, 'group_name', 'N/A'):>10}\n"
        f"IMAGE CAPACITY                   {_fact(f, 'image_capacity_msu'):>10}"
        f"      LIMIT          {f.get('group_msu') or 'N/A':>10}\n"
        f"NUMBER OF CONFIGURED PARTITIONS  {_fact(f, 'partitions_count'):>10}\n"
        f"WAIT COMPLETION                  {wait:>10}\n"
        f"DISPATCH INTERVAL                {dispatch:>10}\n\n"
    )
    heads = (
        "------------- PARTITION DATA ----------------  -- LOGICAL PARTITION PROCESSOR DATA --"
        "  AVERAGE PROCESSOR UTILIZATION PERCENTAGES\n"
        "                       ---MSU---  -CAPPING---  PROCESSOR- --DISPATCH TIME DATA--     "
        "    LOGICAL PROC      -- PHYSICAL PROC -----\n"
        "NAME       S BT  WGT   DEF   ACT  DEF    WLM%   NUM TYPE     EFFECTIVE        TOTAL  "
        "  EFFECTIVE   TOTAL   MGMT EFFECTIVE   TOTAL\n"
    )
    body = [_partition_line(result, row) for row in page.rows]
    title = rmf_heading("Partition Data Report", page)
    return title + header + heads + lines(_PARTITION_WIDTHS, body)


_PARTITION_WIDTHS = "-10 -1 -1 5 5 5 -5 6 5 -4 13 12 11 7 6 9 7"


def _partition_line(result: Result, row: Row) -> list[str]:
    weight = "DED" if row["dedicated"] else cell(result, row, "weight", "")
    first = [
        visible(row["partition"] or ""),
        (row["status"] or "")[:1],
        row["boost_type"] or "",
        weight,
        *(cell(result, row, name, "") for name in ("msu_def", "msu_act")),
        row["cap_def"] or "",
    ]
    rest = ("wlm_cap_pct", "processors", "type", "effective_s", "total_s", "lp_effective_pct")
    last = ("lp_total_pct", "mgmt_pct", "phys_effective_pct", "phys_total_pct")
    return [*first, *(cell(result, row, name, "") for name in rest + last)]


def device_page(result: Result) -> str:
    """Direct Access Device Activity."""
    return "\n".join(_device_page(result, page) for page in split(result))


def _device_page(result: Result, page: Page) -> str:
    f = page.facts
    samples = max((r["samples_count"] for r in page.rows if r["samples_count"]), default=None)
    totals = (
        f"TOTAL SAMPLES = {'-' if samples is None else grouped(samples)}"
        f"    IODF = {_fact(f, 'iodf_suffix')}    CR-DATE: {_fact(f, 'iodf_date')}"
        f"    CR-TIME: {_fact(f, 'iodf_time')}\n\n"
    )
    heads = [list(line) for line in zip(*(one.split("|") for one in _DEVICE_HEADS), strict=True)]
    body = [_device_line(result, row) for row in page.rows]
    title = rmf_heading("Direct Access Device Activity", page)
    return title + totals + lines(_DEVICE_WIDTHS, [*heads, *body])


_DEVICE_HEADS = (
    *("STORAGE|GROUP|", "DEV|NUM|", "DEVICE|TYPE|", "NUMBER|OF CYL|", "VOLUME|SERIAL|", "PAV||"),
    *("LCU||", "DEVICE|ACTIVITY|RATE", "AVG|RESP|TIME", "AVG|IOSQ|TIME", "AVG|CMR|DLY"),
    *("AVG|DB|DLY", "AVG|INT|DLY", "AVG|PEND|TIME", "AVG|DISC|TIME", "AVG|CONN|TIME"),
    *("%|DEV|CONN", "%|DEV|UTIL", "%|DEV|RESV", "AVG|NUMBER|ALLOC", "%|ANY|ALLOC"),
)
_DEVICE_WIDTHS = "-8 5 -8 6 -6 5 4 9 5 4 4 4 4 4 4 4 6 6 5 6 5"  # 132 in all
_DEVICE_VALUES = (
    *(
        "rate_per_s",
        "resp_ms",
        "iosq_ms",
        "cmr_ms",
        "db_ms",
        "int_ms",
        "pend_ms",
        "disc_ms",
        "conn_ms",
    ),
    *("conn_pct", "util_pct", "resv_pct", "alloc_avg", "any_alloc_pct"),
)


def _device_line(result: Result, row: Row) -> list[str]:
    pav = cell(result, row, "pav", "") + ("H" if row["hyperpav"] and row["pav"] else "")
    names = [visible(row[name] or "") for name in ("storage_group", "device", "device_type")]
    return [
        *names,
        cell(result, row, "cylinders", ""),
        visible(row["volume"] or ""),
        pav,
        visible(row["lcu"] or ""),
        *(cell(result, row, name) for name in _DEVICE_VALUES),
    ]


# --- IMSPA ---------------------------------------------------------------------------------------


def ims_heading(title: str, page: Page) -> str:
    """Title, IMS, start and interval; then the run."""
    row = page.rows[0]
    start: datetime | None = row["interval_start"] or row["interval_start_utc"]
    zone = "" if row["interval_start"] else " UTC"
    when = f"{start:%d%b%Y %H.%M.%S}{zone}" if start else "-"
    seconds = longest(page)
    length = "-" if seconds is None else interval_imspa(seconds)
    restart = "   IMS restarted: counts since the restart" if row.get("restarted") else ""
    return (
        f"{title:<34} IMS : {visible(row['ims'] or '-'):<6} From : {when}"
        f"  Interval : {length:>10} (HHHH.MM.SS)\n"
        f"{'':<34} Run : {visible(row['run'] or '-')}{restart}\n\n"
    )


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


def latches_page(result: Result) -> str:
    """Latch Statistics."""
    names = (
        *("latch", "shared_gets", "shared_contentions", "exclusive_gets", "exclusive_contentions"),
        *("contentions_per_s", "contention_pct", "wait_per_contention_us", "max_queue_since_init"),
    )
    groups = (" Shared ".center(24, "-"), " Exclusive ".center(24, "-"))
    above = ["", *groups, " Contention ".center(27, "-"), "Max Queue"]
    counts = ("Gets", "Contentions")
    columns = ["Latch", *counts, *counts, "/Second", "%", "us*", "since Init"]
    heads = lines("-6 24 24 27 10", [above]) + lines(_LATCH_WIDTHS, [columns])
    out = []
    for page in split(result, "ims"):
        body = [[cell(result, row, name) for name in names] for row in page.rows]
        out.append(ims_heading("Latch Statistics", page) + heads + lines(_LATCH_WIDTHS, body))
    return "\n".join(out) + "\n* mean wait of a contention\n"


_LATCH_WIDTHS = "-6 12 11 12 11 11 6 8 10"


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


PAGES: dict[str, Callable[[Result], str]] = {
    "rmf.cpu": cpu_page,
    "rmf.partition": partition_page,
    "rmf.device": device_page,
    "ims.fixed_pools": fixed_pools_page,
    "ims.latches": latches_page,
    "ims.logger": logger_page,
}
