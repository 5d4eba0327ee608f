"""RMF pages of a form of their own: processors, partitions, devices, virtual storage, structures.

What is a table below a heading is declared in the [page] of its report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from imsperf.reports.definition import PageColumn
from imsperf.reports.numbers import grouped, visible
from imsperf.reports.page_parts import (
    Page,
    Row,
    cell,
    columns,
    lines,
    rmf_heading,
    split,
    sysplex_heading,
    sysplex_pages,
)
from imsperf.reports.run import Result


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


# --- virtual storage -----------------------------------------------------------------------------

_VALUES = ("min_kb", "max_kb", "avg_kb")
_SIDES = (("below", "BELOW 16M"), ("above", "EXTENDED (ABOVE 16M)"))


def vstor_page(result: Result) -> str:
    """Common storage: a line for each area, subpool and key, below and above 16 MB side by side."""
    return "\n".join(_vstor_page(result, page) for page in split(result))


def _vstor_page(result: Result, page: Page) -> str:
    body = _sides(result, page.rows, ("area", "subpool", "key", "measure"), "size_kb")
    heads = ("AREA", "SUBPOOL", "KEY", "MEASURE")
    title = rmf_heading("Virtual Storage Activity", page) + "COMMON STORAGE\n" + _samples(page.rows)
    return title + _side_table("-5 -7 -3 -13", heads, "SIZE", body)


def vstor_private_page(result: Result) -> str:
    """Private area: a block for each monitored job."""
    return "\n".join(_private_page(result, page) for page in split(result))


def _private_page(result: Result, page: Page) -> str:
    blocks = []
    for job, some in groupby(page.rows, key=lambda row: (row["job"], row["step"])):
        rows = list(some)
        names = (*job, rows[0]["program"])
        parts = zip(("JOB NAME", "STEP", "PROGRAM"), names, strict=True)
        about = "   ".join(f"{what} - {visible(name or '')}" for what, name in parts)
        body = _sides(result, rows, ("area", "measure"), "limit_kb")
        table = _side_table("-5 -15", ("AREA", "MEASURE"), "LIMIT", body)
        blocks.append(f"{about}\n{_samples(rows)}{table}{_high(result, rows)}")
    return rmf_heading("Virtual Storage Activity", page) + "PRIVATE AREA\n" + "\n".join(blocks)


def _samples(rows: Sequence[Row]) -> str:
    most = max((row["samples_count"] or 0 for row in rows), default=0)
    return f"NUMBER OF SAMPLES {grouped(most)}\n\n"


def _sides(
    result: Result, rows: Sequence[Row], names: tuple[str, ...], last: str
) -> list[list[str]]:
    """A line for each area: its values below 16 MB, then those above."""
    found: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in rows:
        if row["location"] != "high":
            found.setdefault(tuple(row[name] for name in names), {})[row["location"]] = row
    return [
        [
            *(cell(result, next(iter(sides.values())), name) for name in names),
            *(
                cell(result, sides[side], name) if side in sides else ""
                for side, _ in _SIDES
                for name in (*_VALUES, last)
            ),
        ]
        for sides in found.values()
    ]


def _side_table(
    widths: str, heads: tuple[str, ...], last: str, body: Sequence[Sequence[str]]
) -> str:
    titles = [*heads, *("MIN", "MAX", "AVG", last) * 2]
    above = ["" for _ in heads] + [f" {words} ".center(31, "-") for _, words in _SIDES]
    values = " ".join(["7"] * 8)
    return lines(f"{widths} 31 31", [above]) + lines(f"{widths} {values}", [titles, *body])


def _high(result: Result, rows: Sequence[Row]) -> str:
    high = [row for row in rows if row["location"] == "high"]
    names = ("measure", *_VALUES, "limit_kb")
    body = [["HIGH", *(cell(result, row, name) for name in names)] for row in high]
    heads = ["ABOVE", "2G", "MIN", "MAX", "AVG", "LIMIT"]
    return "\n" + lines("-5 -15 7 7 7 7", [heads, *body]) if high else ""


# --- coupling facility ---------------------------------------------------------------------------

_REQUESTS = (("SYNC", "sync"), ("ASYNC", "async"), ("CHNGD", "changed"), ("SUPPR", "suppressed"))
_REASONS = (
    ("NO SCH", "nosch"), ("PR WT", "prwt"), ("PR CMP", "prcmp"), ("DUMP", "dump"),
    ("MONOP", "monop"),
)  # fmt: skip
_LOCK = (
    ("REQ TOTAL", "lock_requests_count"), ("REQ DEFERRED", "deferred_count"),
    ("-CONT", "contention_count"), ("-FALSE CONT", "false_contention_count"),
)  # fmt: skip
_CACHE = (
    ("READS", "cache_reads_count"), ("WRITES", "cache_writes_count"),
    ("CASTOUTS", "castouts_count"), ("XI'S", "cross_invalidations_count"),
)  # fmt: skip
_CF_WIDTHS = "-8 8 -7 8 6 8 8 -9 8 6 7 7 7 -13 8"  # 132 in all
_CF_GROUPS = (
    f"{'':<9}{'# REQ':<9}{' REQUESTS '.center(41, '-')}   {' DELAYED REQUESTS '.center(45, '-')}\n"
) + lines("-8 8 -7 8 6 17 -9 8 6 23", [[
    "SYSTEM", "TOTAL", "", "#", "% OF", "-SERV TIME(MIC)-", "  REASON", "#", "% OF",
    "--- AVG TIME(MIC) ---",
]])  # fmt: skip
_CF_HEADS = (
    ("NAME", "AVG/SEC", "", "REQ", "ALL", "AVG", "STD_DEV", "", "REQ", "REQ", "/DEL", "STD_DEV",
     "/ALL", "", ""),
)  # fmt: skip


def cf_structure_page(result: Result) -> str:
    """Structure Activity: a block for each structure, in it one for each system."""
    pages = []
    for page in sysplex_pages(result, "cf"):
        body = [
            _structure(result, list(rows))
            for _, rows in groupby(page.rows, key=lambda row: row["structure"])
        ]
        title = sysplex_heading("Coupling Facility Activity", page)
        name = f"COUPLING FACILITY NAME = {visible(page.rows[0]['cf'] or '-')}\n\n"
        pages.append(title + name + "\n".join(body))
    return "\n".join(pages)


def _structure(result: Result, rows: Sequence[Row]) -> str:
    name, kind = visible(rows[0]["structure"] or "-"), rows[0]["type"] or "-"
    about = f"STRUCTURE NAME = {name:<16}  TYPE = {kind}\n"
    body = [*_CF_HEADS, *(one for row in rows for one in _system(result, row))]
    return about + _CF_GROUPS + lines(_CF_WIDTHS, body)


def _system(result: Result, row: Row) -> Iterator[list[str]]:
    """The lines of a system: requests, delays and contention, side by side."""
    more = {"LOCK": _LOCK, "CACHE": _CACHE}.get(row["type"] or "", ())
    for place, (reason, delay) in enumerate(_REASONS):
        first = [
            [visible(row["system"] or "-"), cell(result, row, "total_count")],
            ["", cell(result, row, "requests_per_s")],
        ]
        left = first[place] if place < len(first) else ["", ""]
        yield [*left, *_request(result, row, place), *_delay(result, row, reason, delay),
               *_entry(result, row, more, place)]  # fmt: skip


def _request(result: Result, row: Row, place: int) -> list[str]:
    if place >= len(_REQUESTS):
        return [""] * 5
    title, name = _REQUESTS[place]
    number = cell(result, row, f"{name}_count")
    if name == "changed":
        return [title, number, cell(result, row, "changed_pct"), "INCLUDED", "IN ASYNC"]
    if name == "suppressed":
        return [title, number, "", "", ""]
    return [
        title,
        number,
        *(cell(result, row, f"{name}_{what}") for what in ("pct", "us", "std_us")),
    ]


def _delay(result: Result, row: Row, reason: str, name: str) -> list[str]:
    known = {one.name for one in result.report.columns}
    values = (f"{name}_{what}" for what in ("count", "pct", "del_us", "std_us", "all_us"))
    return ["  " + reason, *(cell(result, row, one) if one in known else "" for one in values)]


def _entry(result: Result, row: Row, entries: tuple[tuple[str, str], ...], place: int) -> list[str]:
    if place >= len(entries):
        return ["", ""]
    title, name = entries[place]
    return [" " + title, cell(result, row, name)]


def cf_usage_page(result: Result) -> str:
    """Usage Summary: the structures, then the facility."""
    pages = []
    for page in sysplex_pages(result, "cf"):
        structures = [row for row in page.rows if row["structure"] is not None]
        whole = next(row for row in page.rows if row["structure"] is None)
        body = [
            [result.report.column(name).heading, cell(result, whole, name)] for name in _FACILITY
        ]
        title = sysplex_heading("Coupling Facility Activity", page)
        name = f"COUPLING FACILITY NAME = {cell(result, whole, 'cf')}\nUSAGE SUMMARY\n\n"
        table = columns(result, structures, _STRUCTURES)
        pages.append(title + name + table + "\n" + lines("-28 12", body))
    return "\n".join(pages)


_FACILITY = (
    "busy_pct", "processors_effective", "processors_dedicated", "processors_shared", "storage_mb",
    "storage_free_mb", "requests", "requests_per_s",
)  # fmt: skip
_STRUCTURES = tuple(PageColumn(name, width, heading) for heading, width, name in (
    ("||TYPE", -5, "type"), ("STRUCTURE||NAME", -16, "structure"),
    ("ALLOC|SIZE|MB", 9, "allocated_mb"),
    ("% OF|CF|STOR", 5, "storage_pct"), ("||# REQ", 9, "requests"),
    ("% OF|ALL|REQ", 5, "requests_pct"), ("% OF|CF|UTIL", 5, "cf_util_pct"),
    ("AVG|REQ/|SEC", 9, "requests_per_s"), ("LST/DIR|ENTRIES|TOT", 8, "entries_total"),
    ("||CUR", 8, "entries_used"), ("DATA|ELEMENTS|TOT", 8, "elements_total"),
    ("||CUR", 8, "elements_used"), ("LOCK|ENTRIES|TOT", 8, "locks_total"),
    ("||CUR", 8, "locks_used"),
))  # fmt: skip


RMF_PAGES: dict[str, Callable[[Result], str]] = {
    "rmf.cpu": cpu_page,
    "rmf.partition": partition_page,
    "rmf.device": device_page,
    "rmf.vstor": vstor_page,
    "rmf.vstor_private": vstor_private_page,
    "rmf.cf_structure": cf_structure_page,
    "rmf.cf_usage": cf_usage_page,
}
