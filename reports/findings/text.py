"""Findings as text: what stands out in one line each, its evidence and what would overrule it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from datetime import datetime
from textwrap import fill
from typing import Any

import pyarrow as pa

from imsperf.reports.findings.findings import KEYS, Findings
from imsperf.reports.numbers import visible

WIDTH = 100


def text(table: pa.Table, source: str = "", width: int = WIDTH) -> str:
    """All rows of `Findings.table` that are given; `source`: the words of a command that name the
    database or the dumps; `width`: columns of a line that is no command."""
    if not table.num_rows:
        return "Nothing stands out.\n"
    return "\n".join(_paragraph(row, source, width) for row in table.to_pylist())


def tested(found: Findings) -> str:
    """How many rules were tested, and how many could not be."""
    count = len(found.untested)
    without = f"; {count} have no records here, or too few intervals"
    return f"{len(found.tested)} rules tested{without if count else ''}"


def _paragraph(row: dict[str, Any], source: str, width: int) -> str:
    head = f"{row['rank']}. {row['title']} ({row['severity']})"
    body = [
        f"{sentence(row)}.",
        row["reason"],
        f"Overruled by: {row['overruled']}",
        f"Rule {row['finding']}: {row['source']}",
    ]
    lines = (fill(visible(s), width, initial_indent="   ", subsequent_indent="   ") for s in body)
    commands = (f"   {visible(command)}" for command in _commands(row, source))
    return "\n".join([visible(head), *lines, *commands]) + "\n"


def _commands(row: dict[str, Any], source: str) -> Iterator[str]:
    """What draws and what prints the evidence, each on one line to be copied: the chart over all
    the time, the report in the time of the finding. What has no time has no chart."""
    where = [*([source] if source else ()), "--run", shlex.quote(row["run"])]
    words = ["imsperf", "report", row["report"], *where]
    if row["first"]:
        drawing = ["imsperf", "chart", "--finding", row["finding"], *where]
        yield " ".join([*drawing, "-o", f"{row['finding']}.html"])
        words += [
            "--from",
            f"{row['first']:%Y-%m-%dT%H:%M}",
            "--to",
            f"{row['last']:%Y-%m-%dT%H:%M}",
        ]
    yield " ".join(words)


def sentence(row: Mapping[str, Any]) -> str:
    """What is affected, how far beyond its threshold, and when."""
    keys, names = row["keys"] or [], row["names"] or []
    known = [f"{key} ({name})" if name else key for key, name in zip(keys, names, strict=True)]
    systems = list(filter(None, row["systems"] or ()))  # what is of a file has none
    more = f" and {len(keys) - KEYS:,} more" if len(keys) > KEYS else ""
    what = ", ".join(known[:KEYS]) + more if keys else "all of it"
    where = f" on {', '.join(systems)}" if systems else ""
    value, threshold = _told_apart(row["value"], row["threshold"])
    when = f", from {_clock(row['first'])} to {_clock(row['last'])}" if row["first"] else ""
    of = row["of_intervals"]
    often = f", in {row['intervals']:,} of {of:,} intervals" if row["intervals"] and of else ""
    beyond = f"{value} {row['unit']}, threshold {threshold}"
    return f"{what}{where}, run {row['run']}: {beyond}{when}{often}"


def _clock(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


def _told_apart(value: float, threshold: float) -> tuple[str, str]:
    """Both to four digits, or to as many as show that they differ."""
    for digits in range(4, 18):
        words = _number(value, digits), _number(threshold, digits)
        if words[0] != words[1] or value == threshold:
            break
    return words


def _number(value: float, digits: int) -> str:
    """To so many digits, the whole part in full."""
    return f"{value:,.{max(digits, len(f'{abs(value):.0f}'))}g}"
