"""What a read of dumps is asked for, declared once for parsers, Python interface and commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from imsperf.errors import ReportError, check_order, near
from imsperf.kinds import DEFAULT_CODEPAGE
from imsperf.parsers.framing.names import checked

if TYPE_CHECKING:
    from imsperf.layouts.profile import Profile
    from imsperf.parsers.selection import Selection

Progress = Callable[[int], None]  # called with the bytes of the file done since the last call
PassedOver = Callable[[Path, str], None]  # told of a file or member that is no dump, and why

_PARTS, _LEAST_PART = 64, 1 << 20  # parts of a file that would fill the memory of a load; bytes


def _untold(path: Path, why: str) -> None:
    return None


@dataclass(frozen=True)
class ReadOptions:
    """Which records of dumps are read, and how.

    `types` ("smf:70,ims:4507"), `system` (SMF system id, or IMS id), `start` and `end` (SMF: local,
    of interval starts; log: UTC) choose records. `raw` keeps the bodies of records without a
    layout; `drop_suspect` decodes no record that something speaks against (evidence.py).
    `profile` says how IMS log bodies are laid out: a name, or a `Profile` of layouts of
    your own (`imsperf.layouts.mapped_profile`); without it the log's signature does, and a log
    without one is not decoded. `codepage` is that of IMS log text. `framing` ("rdw", "ims_vb":
    parsers.framing.names) overrides what the bytes say. `memory` (bytes) bounds what is taken,
    about; `part_bytes` are the bytes of records taken at a time, by itself a share of it.
    `progress` is called with the bytes done since the last call, `passed_over` with each file of a
    folder that is no dump, and why.

    Raises DumpError for a framing, ReportError for a time that is none.
    """

    types: str | Sequence[str] = ()
    system: str | None = None
    start: str | datetime | None = None
    end: str | datetime | None = None
    raw: bool = False
    drop_suspect: bool = False
    profile: str | Profile | None = None
    codepage: str = DEFAULT_CODEPAGE
    framing: str = ""
    memory: int | None = None
    part_bytes: int | None = None
    progress: Progress | None = None
    passed_over: PassedOver = _untold

    def __post_init__(self) -> None:
        checked(self.framing)

    @classmethod
    def of(cls, **options: Unpack[ReadKeywords]) -> Self:
        """Those of these names. Raises TypeError for a name that is none, with the nearest."""
        names = [field.name for field in fields(cls)]
        for name in options:
            if name not in names:
                hint = near(name, names, f"options: {', '.join(names)}")
                raise TypeError(f"found option {name!r}, which is none of reading; {hint}")
        return cls(**options)

    @cached_property
    def selection(self) -> Selection:
        """Which records are wanted. Raises DumpError for a type, ReportError for a time."""
        from imsperf.parsers.selection import Selection, wanted

        start, end = time_of(self.start), time_of(self.end)
        check_order(start, end)
        return Selection(wanted(self.types), self.system, start, end)

    @property
    def bytes_at_a_time(self) -> int | None:
        """Bytes of records taken at a time; None leaves it to the reader."""
        if self.part_bytes or not self.memory:
            return self.part_bytes
        return max(_LEAST_PART, self.memory // _PARTS)


class ReadKeywords(TypedDict, total=False):
    """The fields of `ReadOptions` as keywords of a function (a test compares the two)."""

    types: str | Sequence[str]
    system: str | None
    start: str | datetime | None
    end: str | datetime | None
    raw: bool
    drop_suspect: bool
    profile: str | Profile | None
    codepage: str
    framing: str
    memory: int | None
    part_bytes: int | None
    progress: Progress | None
    passed_over: PassedOver


def time_of(given: str | datetime | None) -> datetime | None:
    """A time without a zone, as 2026-03-01T09:15. Raises ReportError for any other text."""
    if not isinstance(given, str):
        return given
    try:
        time = datetime.fromisoformat(given)
        if time.tzinfo is None:
            return time
        raise ValueError
    except ValueError:
        raise ReportError(
            f"found time {given!r}, expected one such as 2026-03-01T09:15",
            "local time of the system: date, T, time of day, no zone",
        ) from None
