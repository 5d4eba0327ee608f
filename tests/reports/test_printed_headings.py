"""Headings of RMF, IMSPA and the IMS Monitor stand on the pages of the reports that show them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from places import CHECKOUT
from report_table import DOCUMENT, Heading, headings, written

from imsperf.reports.catalog import shipped

HEADINGS = list(headings())


def words(text: str) -> set[str]:
    """The words of a heading, without the signs between them."""
    found = re.findall(r"[A-Z0-9#%+'&]+", re.sub(r"[/(),{}.|:-]", " ", text.upper()))
    return {word.strip("'") for word in found} - {""}


def texts(page: Any) -> Iterator[str]:
    """All that a [page] says."""
    if isinstance(page, str):
        yield page
    elif isinstance(page, list):
        for part in page:
            yield from texts(part)
    elif isinstance(page, dict):
        for part in page.values():
            yield from texts(part)


def printed_by(report_id: str) -> set[str]:
    """Words of its title, of its page and of the headings of its columns."""
    report = shipped().reports[report_id]
    file = CHECKOUT / "sql" / "reports" / f"{report_id.replace('.', '/')}.sql"
    header = file.read_text(encoding="utf-8").split("*/")[0].partition("\n")[2]
    said = [report.title, *texts(tomllib.loads(header).get("page", {}))]
    return words(" ".join([*said, *(column.heading for column in report.columns)]))


@pytest.mark.parametrize("row", HEADINGS, ids=lambda row: f"{row.printed}: {row.heading[:40]}")
def test_a_heading_is_shown_or_says_why_not(row: Heading) -> None:
    """Its columns exist; the page has its words, but for those that are listed."""
    assert row.shown or row.missing
    names = {name.rpartition(".")[0] for name in row.shown}
    for name in row.shown:
        report, _, column = name.rpartition(".")
        assert column in {c.name for c in shipped().reports[report].columns}, name
    if names:
        said = set().union(*map(printed_by, names))
        assert words(row.heading) - said == row.unsaid


def test_a_page_says_which_print_it_follows() -> None:
    """`ours`, or where a print of it was seen."""
    reports = shipped().reports.items()
    assert [name for name, report in reports if report.page and not report.page.layout] == []


def test_the_document_has_the_tables_as_they_are() -> None:
    """`python tests report_table` writes them."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert written(text) == text
