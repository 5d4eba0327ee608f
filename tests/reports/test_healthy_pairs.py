"""The table of docs/compare.md about pairs of healthy runs, and one pair of it again."""

from __future__ import annotations

import pytest
from healthy_pairs import DOCUMENT, KINDS, Told, document, line, pair


def test_a_line_counts_pairs_and_rows() -> None:
    every = [Told(0, 0, 1000), Told(2, 0, 1000), Told(0, 9, 500)]
    assert line(KINDS[0], every) == (
        "| `ff-haldb` | 96 of 15 minutes, office | 3 | 2,500 | 1 | 1 | 2 | 9 |\n"
    )
    assert document([]).split("<!-- end of pairs -->")[1]


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def test_two_days_of_a_healthy_system_are_no_change(number: int) -> None:
    """Log volumes are read by archive jobs at other times of the second day."""
    kind = KINDS[0]
    assert f"| `{kind.name}` |" in DOCUMENT.read_text(encoding="utf-8")
    told = pair(kind, number)
    assert (told.causes, told.excursions) == (0, 0) and told.rows > 10_000
