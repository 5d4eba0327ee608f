"""What could not be read: where, how much was lost, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from imsperf.errors import DumpError

Severity = Literal["error", "data_loss", "suspect", "info"]


@dataclass(frozen=True)
class Problem:
    """One finding of a load; becomes a row of `load_problem`.

    `byte_offset` is the place in the unpacked file and `bytes` what was lost there (0: nothing), in
    an "info" what holds no record, in a "suspect" a record that is loaded though something speaks
    against it. A finding of a packed file has its place in what was unpacked.
    `reason` is one word to count by, `detail` says what was found against what was expected.
    """

    record_no: int | None
    byte_offset: int
    bytes: int
    type: str | None
    subtype: str | None
    severity: Severity
    reason: str
    detail: str

    def __str__(self) -> str:
        number = "" if self.record_no is None else f"record {self.record_no:,} "
        what = "" if self.type is None else f", type {self.type}"
        what += "" if self.subtype is None else f"-{self.subtype}"
        at = f"at byte {self.byte_offset:,} (0x{self.byte_offset:X})"
        return f"{number}{at}{what}: {self.detail}"


def raise_on_damage(name: str, problems: Iterable[Problem], outcome: str) -> None:
    """Raises DumpError for the first problem that is more than information, as `--strict` asks.

    `outcome` says what was not done.
    """
    for problem in problems:
        if problem.severity != "info":
            raise DumpError(
                f"{name}: byte {problem.byte_offset:,}: {problem.reason}: {problem.detail}",
                f"{outcome}; without --strict the rest of the file is taken",
                problem=problem,
            )
