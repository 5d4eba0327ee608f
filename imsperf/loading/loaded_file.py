"""What became of a file of a load."""

from __future__ import annotations

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
