"""The counts in the README are those of the product."""

from __future__ import annotations

import pytest
from readme_counts import README, counted, spans


def test_readme_counts_what_there_is() -> None:
    """`imsperf dev readme --write` writes them."""
    text = README.read_text(encoding="utf-8")
    assert counted(text) == text
    assert "74 (1 to 10), 75 (1), 77 (1), 78 (2, 3)" in text


def test_spans() -> None:
    assert spans([70, 71, 72, 2, 3, 74, 3]) == "2, 3, 70 to 72, 74"


def test_a_readme_without_the_lines_is_told() -> None:
    with pytest.raises(ValueError, match="one line `Decoded now`"):
        counted("nothing")
