"""docs/reports.md: each report with its columns proved by hand, the print that each page
follows, and columns that no report has.

As a script it writes the tables; a test compares them.
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from imsperf.reports.catalog import shipped
from imsperf.reports.definition import Report

CHECKOUT = Path(__file__).parents[2]
DOCUMENT = CHECKOUT / "docs" / "reports.md"
VALUES = CHECKOUT / "tests" / "report_values"
END = "<!-- end -->\n"
SAME_EVERYWHERE = {"run", "sysplex", "system", "interval_start", "interval_start_utc", "ims"}


@dataclass(frozen=True)
class Heading:
    """A heading of a printed report: the columns that show it, `id.column`, why a part of it is
    missing, and words of it that the page does not print."""

    printed: str
    heading: str
    shown: tuple[str, ...]
    missing: str
    unsaid: frozenset[str]


def headings() -> Iterator[Heading]:
    """tests/report_values/headings.csv."""
    with (VALUES / "headings.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            shown, unsaid = tuple(row["shown"].split()), frozenset(row["unsaid"].split())
            yield Heading(row["printed"], row["heading"], shown, row["missing"], unsaid)


def proved() -> dict[str, set[str]]:
    """Columns of each report that a case gives a value for."""
    columns: dict[str, set[str]] = defaultdict(set)
    for file in VALUES.glob("*.json"):
        case = json.loads(file.read_text(encoding="utf-8"))
        columns[case["report"]].update(*case["expect"])
    return columns


def own_columns(report: Report) -> list[str]:
    """Columns that are shown, without those that every report has."""
    return [column.name for column in report.shown if column.name not in SAME_EVERYWHERE]


def reports_table() -> str:
    by_hand = proved()
    lines = ["| report | answers | columns | open |", "|---|---|---:|---|"]
    total = done = 0
    for name, report in sorted(shipped().reports.items()):
        columns = own_columns(report)
        left = [column for column in columns if column not in by_hand[name]]
        total, done = total + len(columns), done + len(columns) - len(left)
        said = ", ".join(f"`{column}`" for column in left) if left else "proved"
        share = f"{len(columns) - len(left)} of {len(columns)}"
        lines.append(f"| `{name}` | {report.answers} | {share} | {said} |")
    count = len(shipped().reports)
    first = (
        f"{count} reports; {done:,} of their {total:,} columns have a value worked out by hand.\n"
    )
    return "\n".join([first, *lines]) + "\n"


def missing_table() -> str:
    rows = list(headings())
    lines = ["| printed report | heading | what is missing, and why |", "|---|---|---|"]
    for row in rows:
        if row.missing:
            heading = row.heading.replace("|", "\\|")
            lines.append(f"| {row.printed} | {heading} | {row.missing} |")
    absent = sum(not row.shown for row in rows)
    partly = sum(bool(row.shown and row.missing) for row in rows)
    first = (
        f"Of {len(rows)} headings of printed reports {len(rows) - absent - partly} are shown,"
        f" {partly} in part, {absent} not.\n"
    )
    return "\n".join([first, *lines]) + "\n"


def layouts_table() -> str:
    """Which print each page follows."""
    following: dict[str, list[str]] = defaultdict(list)
    for name, report in sorted(shipped().reports.items()):
        if report.page:
            following[report.page.layout].append(f"`{name}`")
    lines = ["| print | pages |", "|---|---|"]
    lines += [f"| {source} | {', '.join(following[source])} |" for source in sorted(following)]
    return "\n".join(lines) + "\n"


TABLES = {
    "reports": reports_table,
    "layouts": layouts_table,
    "missing columns": missing_table,
}


def written(text: str) -> str:
    """The document with its tables as they are now."""
    for name, table in TABLES.items():
        text = with_table(text, name, table())
    return text


def with_table(text: str, name: str, table: str) -> str:
    """The document with another table of that name, which says what command wrote it."""
    begin = re.search(rf"<!-- {name}: written by .* -->\n", text)
    if not begin:
        raise ValueError(f"found no place for the table {name!r} in {DOCUMENT}")
    rest = text[begin.end() :].split(END, 1)[1]
    return f"{text[: begin.end()]}\n{table}\n{END}{rest}"


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
