"""What SMF record headers say: type, subtype, system, time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from imsperf.kinds import centisec, date, flags1, text
from imsperf.layout import Field
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.loads import I32, I64

# Standard SMF record header; offsets count the RDW.
SYSTEM = Field(14, "system", text(4), "SMF system id")
SUBSYSTEM = Field(18, "subsystem", text(4), "Subsystem id")
HEADER = (
    Field(4, "flags", flags1, "System indicator flags"),
    Field(6, "time", centisec, "of the record"),
    Field(10, "date", date, "of the record"),
    SYSTEM,
    SUBSYSTEM,
)

Kind = tuple[int | None, int | None]  # type and subtype; None where the record has none


def kind_of(key: int) -> Kind:
    """Type and subtype in a key of locate.smf_headers."""
    if key == locate.NO_HEADER:
        return None, None
    subtype = key & 0xFFFF if key & locate.HAS_SUBTYPE else None
    return key >> locate.TYPE_BITS & 0x7FFF, subtype


def system_of(key: int, code_page: str) -> str | None:
    """The SMF system id in a key."""
    if key == locate.NO_HEADER:
        return None
    return _name(key >> locate.SYSTEM_BITS & 0xFFFFFFFF, code_page)


def subsystems(part: Part, rows: I64) -> set[int]:
    """The subsystem ids of records with a header of 24 bytes or more, each as a number."""
    places = part.start[rows][:, None] + np.arange(SUBSYSTEM.offset, SUBSYSTEM.offset + 4)
    words = np.ascontiguousarray(np.asarray(part.buffer)[places]).view(">u4")
    return set(np.unique(words).tolist())


def subsystem_names(words: Iterable[int], code_page: str) -> str | None:
    """Those that are neither zeros nor blanks, in order of the alphabet; of many the first."""
    names = sorted(name for word in words if (name := _name(word, code_page)))
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return " ".join(names[:_NAMED]) + more if names else None


_NAMED = 6  # subsystems of a line


def _name(word: int, code_page: str) -> str:
    four = np.frombuffer(word.to_bytes(4, "big"), np.uint8)
    name = Decoder([Field(0, "name", text(4), "id")], code_page).decode(four, [0], [4])
    return str(name.batch.column(0)[0].as_py() or "").strip()


def labels(kind: Kind) -> tuple[str | None, str | None]:
    """Type and subtype as the ledger shows them: decimal text."""
    return tuple(None if number is None else str(number) for number in kind)  # type: ignore[return-value]


@dataclass(frozen=True)
class Headers:
    """What the headers of a part say; `time` is local, in microseconds since 1970,
    or NO_TIME."""

    key: I64
    form: I32
    time: I64


def read_headers(part: Part) -> Headers:
    """Keys, header lengths and times of all records of a part."""
    rows = len(part.start)
    key, form, time = np.empty(rows, np.int64), np.empty(rows, np.int32), np.empty(rows, np.int64)
    locate.smf_headers(part.buffer, part.start, part.length, key, form, time)
    return Headers(key, form, time)
