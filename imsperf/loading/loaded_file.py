"""What became of a file of a load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from imsperf.parsers.problems import Problem


@dataclass
class LoadedFile:
    """What became of one file, or of one member of an archive."""

    path: Path
    name: str
    run: str
    file_id: int
    bytes: int
    records: int = 0  # in the file
    kept: int = 0  # added to the run
    repeated: int = 0  # that the run had
    decoded: int = 0
    framing: str = ""
    problems: list[Problem] = field(default_factory=list)
    unread: Path | None = None  # what could not be read, where that was asked for
    skipped: str = ""  # why nothing was loaded from it; empty when it was


def warnings(files: Iterable[LoadedFile]) -> Iterator[str]:
    """What is lost in each file that was read, a line each."""
    for file in files:
        lost = [p for p in file.problems if p.severity not in ("info", "suspect")]
        suspect = sum(p.severity == "suspect" for p in file.problems)
        if lost:
            amount = sum(problem.bytes for problem in lost)
            yield (
                f"DATA LOST: {file.name}: {f'{amount:,}' if amount else 'some'} bytes at "
                f"{len(lost):,} place{'s' * (len(lost) > 1)} are not in the tables; "
                "`imsperf doctor` says what happened and what to do"
            )
        if suspect:
            those = "1 record; it is" if suspect == 1 else f"{suspect:,} records; they are"
            yield f"{file.name}: something speaks against {those} taken"
        if file.skipped:
            yield f"{file.name}: not read again: {file.skipped}"
        elif file.repeated:
            yield f"{file.name}: {file.repeated:,} records are in another file too"
