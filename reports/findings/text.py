"""Findings as text: what stands out in one line each, its evidence and what would overrule it."""

from __future__ import annotations

import shlex
from datetime import datetime
from textwrap import fill
from typing import Any

import pyarrow as pa

from imsperf.reports.findings.findings import KEYS
from imsperf.reports.numbers import visible

WIDTH = 100


def text(table: pa.Table, source: str = "") -> str:
    """All rows of `Findings.table` that are given; `source`: the words of a command that name the
    database or the dumps."""
    if not table.num_rows:
        return "Nothing stands out.\n"
    return "\n".join(_paragraph(row, source) for row in table.to_pylist())


def _paragraph(row: dict[str, Any], source: str) -> str:
    head = f"{row['rank']}. {row['title']} ({row['severity']})"
    body = [
        f"{sentence(row)}.",
        row["reason"],
        f"Overruled by: {row['overruled']}",
        f"Rule {row['finding']}: {row['source']}",
    ]
    lines = (fill(visible(s), WIDTH, initial_indent="   ", subsequent_indent="   ") for s in body)
    return "\n".join([visible(head), *lines, f"   {visible(_command(row, source))}"]) + "\n"


def _command(row: dict[str, Any], source: str) -> str:
    """What prints the evidence: the report in the time of the finding, on one line to be copied."""
    words = ["imsperf", "report", row["report"], *([source] if source else ())]
    words += ["--run", shlex.quote(row["run"])]
    if row["first"]:
        words += [
            "--from",
            f"{row['first']:%Y-%m-%dT%H:%M}",
            "--to",
            f"{row['last']:%Y-%m-%dT%H:%M}",
        ]
    return " ".join(words)


def sentence(row: dict[str, Any]) -> str:
    """What is affected, how far beyond its threshold, and when."""
    keys, systems = row["keys"] or [], row["systems"] or []
    more = f" and {len(keys) - KEYS:,} more" if len(keys) > KEYS else ""
    what = ", ".join(keys[:KEYS]) + more if keys else "all of it"
    where = f" on {', '.join(systems)}" if any(systems) else ""
    when = f", from {_clock(row['first'])} to {_clock(row['last'])}" if row["first"] else ""
    return (
        f"{what}{where}, run {row['run']}: {row['value']:.4g} {row['unit']}, threshold "
        f"{row['threshold']:.4g}{when}, in {row['intervals']:,} of {row['of_intervals']:,} "
        "intervals"
    )


def _clock(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"
