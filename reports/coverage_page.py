"""Coverage as a page: a block for each run, a line for each system and record type."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from typing import Any

from imsperf.reports.numbers import grouped, visible
from imsperf.reports.page_parts import Row, lines
from imsperf.reports.run import Result

_HEADS = (
    *("SYSTEM", "TYPE", "CLOCK", "FROM", "TO", "FILES", "RECORDS", "BYTES", "DECODED"),
    *("INTERVALS", "GAPS", "FIRST GAP"),
)
_WIDTHS = "-8 -8 -5 -19 -14 5 11 13 10 10 4 14"
_LOST = (("errors", "errors"), ("data_losses", "data losses"), ("infos", "remarks"))


def coverage_page(result: Result) -> str:
    """What is loaded of each run, and below it what is twice, damaged or missing."""
    blocks = []
    for run, rows in groupby(result.table.to_pylist(), key=lambda row: row["run"]):
        some = list(rows)
        body = [_line(row) for row in some]
        notes = "".join(_notes(row) for row in some if row["type"] is None)
        table = lines(_WIDTHS, [_HEADS, *body])
        blocks.append(f"{result.report.title}\nRun : {visible(run)}\n\n{table}\n{notes}")
    return "\n".join(blocks)


def _line(row: Row) -> list[str]:
    found, expected = row["intervals_found"], row["intervals_expected"]
    return [
        visible(row["system"] or "-"),
        _type(row),
        row["clock"] or "-",
        _time(row["interval_start"] or row["interval_start_utc"]),
        _time(row["last"])[5:] or "-",
        *(grouped(row[name] or 0) for name in ("files", "records", "bytes", "decoded")),
        f"{found:,} of {expected:,}" if found else "",
        str(row["gaps"]) if row["gaps"] else "",
        _time(row["first_gap"])[5:] if row["first_gap"] else "",
    ]


def _type(row: Row) -> str:
    if row["type"] is None:
        return f"{row['kind']}, all"
    dot = "." if row["kind"] == "smf" and row["subtype"] else ""
    return f"{row['type']}{dot}{row['subtype'] or ''}"


def _time(value: Any) -> str:
    if not isinstance(value, datetime):
        return "-"
    return value.isoformat(" ", "seconds")


def _notes(row: Row) -> str:
    words = [f"{row[name] or 0:,} {what}" for name, what in _LOST]
    words.append(f"{row['bytes_lost'] or 0:,} bytes lost")
    words.append(f"{row['repeated'] or 0:,} records in another file too")
    if row["kind"] == "ims":
        words.append(f"{row['lsn_gaps'] or 0:,} gaps and {row['lsn_repeats'] or 0:,} repeats")
        words[-1] += " of log sequence numbers"
    return f"{row['kind']}: {', '.join(words)}\n"
