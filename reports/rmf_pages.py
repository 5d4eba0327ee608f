"""Virtual storage, channel paths and coupling facility structures as RMF prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from imsperf.reports.numbers import grouped, interval_rmf, visible
from imsperf.reports.pages import (
    Page,
    Row,
    cell,
    lines,
    longest,
    rmf_heading,
    spaced,
    split,
    zos_version,
)
from imsperf.reports.run import Result

Spec = tuple[tuple[str, int, str], ...]  # heading of a column, its lines parted by |; width; name


def columns(result: Result, rows: Sequence[Row], spec: Spec) -> str:
    """Headings and rows of a table; a negative width is to the left."""
    height = max(head.count("|") for head, *_ in spec)
    heads = [(height - head.count("|")) * "|" + head for head, *_ in spec]
    above = [list(line) for line in zip(*(head.split("|") for head in heads), strict=True)]
    body = [[cell(result, row, name) for *_, name in spec] for row in rows]
    return lines(" ".join(str(width) for _, width, _ in spec), [*above, *body])


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


# --- channel paths -------------------------------------------------------------------------------

_PATHS: Spec = (
    ("ID", 4, "channel"), ("TYPE", -5, "type"), ("G", 2, "generation"), ("SPEED", 5, "speed_gbps"),
    ("SHR", -3, "shared"), ("PART", 8, "part_util_pct"), ("TOTAL", 6, "total_util_pct"),
    ("BUS", 6, "bus_util_pct"), ("PART", 9, "read_part_mbps"), ("TOTAL", 7, "read_total_mbps"),
    ("PART", 9, "write_part_mbps"), ("TOTAL", 7, "write_total_mbps"), ("RATE", 8, "ficon_per_s"),
    ("ACTIVE", 6, "ficon_active"), ("DEFER", 6, "ficon_defer_per_s"), ("RATE", 8, "zhpf_per_s"),
    ("ACTIVE", 6, "zhpf_active"), ("DEFER", 6, "zhpf_defer_per_s"),
)  # fmt: skip
_PATH_GROUPS = (
    f"{'CHANNEL PATH':<23} {'UTILIZATION(%)':^22} {'   READ(MB/SEC)':<17} {'  WRITE(MB/SEC)':<17}"
    f"   --FICON OPERATIONS-- ---ZHPF OPERATIONS---"
)
_MESSAGES: Spec = (
    ("CHANNEL|ID", 7, "channel"), ("|TYPE", -5, "type"),
    ("MESSAGE RATE|PART", 12, "message_part_per_s"), ("|TOTAL", 8, "message_total_per_s"),
    ("SEND FAIL|PART", 10, "send_fail_part_per_s"),
    ("RECEIVE FAIL|PART", 13, "receive_fail_part_per_s"),
    ("|TOTAL", 8, "receive_fail_total_per_s"),
)  # fmt: skip


def channel_page(result: Result) -> str:
    """Channel Path Activity; HiperSockets in a block of their own."""
    return "\n".join(_channel_page(result, page) for page in split(result))


def _channel_page(result: Result, page: Page) -> str:
    sent = [row for row in page.rows if row["measurement_group"] == 3]
    messages = "\n" + columns(result, sent, _MESSAGES) if sent else ""
    title = rmf_heading("Channel Path Activity", page) + _PATH_GROUPS.rstrip() + "\n"
    return title + columns(result, page.rows, _PATHS) + messages


# --- coupling facility ---------------------------------------------------------------------------


def sysplex_pages(result: Result, *names: str) -> Iterator[Page]:
    """Pages of all systems together: rows of one run, interval and `names`."""

    def place(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in ("run", "sysplex", "interval_start_utc", *names))

    facts = result.facts.to_pylist()[:1] if result.facts is not None else []
    for _, rows in groupby(result.table.to_pylist(), key=place):
        yield Page(list(rows), facts[0] if facts else {})


def sysplex_heading(title: str, page: Page) -> str:
    """As rmf_heading, with the sysplex for the system and without a cycle."""
    row = page.rows[0]
    level, start, seconds = (
        zos_version(page.facts.get("zos_level")),
        row["interval_start"],
        longest(page),
    )
    length = "-" if seconds is None else interval_rmf(seconds)
    return (
        spaced(title)
        + f"\n            {'z/OS ' + level:<24} SYSPLEX {visible(row['sysplex'] or '-'):<18} "
        + f"DATE {f'{start:%m/%d/%Y}' if start else '-':<20} INTERVAL {length}\n"
        + f"            {'RUN ' + visible(row['run'] or '-'):<24} RPT VERSION {level + ' RMF':<14} "
        + f"TIME {f'{start:%H.%M.%S}' if start else '-'}\n\n"
    )


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


RMF_PAGES: dict[str, Callable[[Result], str]] = {
    "rmf.vstor": vstor_page,
    "rmf.vstor_private": vstor_private_page,
    "rmf.channel": channel_page,
    "rmf.cf_structure": cf_structure_page,
}
