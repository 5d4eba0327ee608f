"""Every change of the 100K benchmark moves a column of a report; the document says which."""

from __future__ import annotations

from pathlib import Path

import pytest
import roadblocks

from imsperf.synthetic.scenarios import scenario


def cells(line: str) -> list[str]:
    """Those of a line of the table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_every_change_has_a_row_whose_values_differ() -> None:
    """Of the scenario's variants with a before and an after none is left out."""
    variants = scenario.load("tps-100k").variants
    pairs = {name.removesuffix("-before") for name in variants if name.endswith("-before")}
    _, _, *lines = roadblocks.written()
    table = [cells(line) for line in lines]
    assert {change.strip("`") for change, *_ in table} == pairs
    assert [row for row in table if row[-2] == row[-1]] == []
    told = [(sign.change, sign.report, sign.words) for sign in roadblocks.SIGNS]
    assert [(row[0].strip("`"), row[2].strip("`"), row[3]) for row in table] == told


@pytest.mark.slow
def test_the_table_is_what_the_reports_say(tmp_path: Path) -> None:
    """Both variants of each generated, loaded and reported."""
    assert list(roadblocks.rows(tmp_path)) == roadblocks.written()
