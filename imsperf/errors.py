"""Every error imsperf raises on purpose.

ImsperfError
├── LayoutError      a record layout declared wrongly, or a value that does not fit its field
├── ScenarioError    a scenario, variant or knob that is unknown or out of range
├── DumpError        a file that cannot be read as a dump
├── StoreError       a database that cannot be opened, is not ours, or is newer than we are
├── OutputError      a file or folder that cannot be written
├── ConfigError      a file of defaults that says what no command knows
├── ReportError      a report, parameter or column that does not exist
│   └── AbsentRecords    no record that the report is about is in the database
└── CheckFailed      a check the user asked for did not hold (exit code 3)
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class ImsperfError(Exception):
    """Says where, what was found against what was expected; the hint says what to do next."""

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.facts = facts


class LayoutError(ImsperfError):
    """A declaration that contradicts itself, or a value that does not fit its field."""


class ScenarioError(ImsperfError):
    """A scenario, variant or knob that is unknown or out of range."""


class OutOfReach(ScenarioError):
    """A target that the system does not come to."""


class DumpError(ImsperfError):
    """A file that cannot be read as a dump."""


class StoreError(ImsperfError):
    """A database that cannot be used."""


class OutputError(ImsperfError):
    """A file or folder that cannot be written."""


class ConfigError(ImsperfError):
    """A file of defaults that cannot be used."""


class ReportError(ImsperfError):
    """A report that cannot be run as asked."""


class AbsentRecords(ReportError):
    """A report whose records the database does not have."""


class CheckFailed(ImsperfError):
    """A check that did not hold."""

    exit_code = 3


def near(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The hint for an unknown name: the closest known ones, or `otherwise`."""
    words = close(name, known)
    return f"did you mean {' or '.join(words)}? {otherwise}".strip() if words else otherwise


def close(name: str, known: Iterable[str]) -> list[str]:
    """The known names that are spelled like it, the closest first, at most three."""
    plain = {word.lower(): word for word in known}
    return [plain[word] for word in get_close_matches(name.lower(), list(plain), n=3, cutoff=0.6)]


def check_order(start: datetime | None, end: datetime | None) -> None:
    """Raises ReportError for times that end before they begin."""
    if start and end and end <= start:
        raise ReportError(
            f"found times from {start:%Y-%m-%dT%H:%M} to {end:%Y-%m-%dT%H:%M}, expected an end "
            "after the begin",
            "--from is the first moment, --to the first one that is no longer wanted",
        )
