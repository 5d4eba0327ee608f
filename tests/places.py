"""Where the tests find files of the checkout."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
CHECKOUT = TESTS.parent
GOLDEN = TESTS / "golden"
