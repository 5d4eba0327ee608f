"""What kind each record of a file is, and which ones a type such as 70.1 or 4507 stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from imsperf.errors import DumpError, near
from imsperf.layouts.profile import Profile
from imsperf.parsers import ims, smf_headers
from imsperf.parsers.entries import SUFFIX
from imsperf.parsers.framing.frames import Frames, Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.loads import I64

LEAST_LOG = 4 + 1 + SUFFIX  # bytes of the shortest log record: LL ZZ, code, suffix

_ASKED = re.compile(r"(?:(smf|ims):)?([0-9a-f]+)(?:[.\- ]([0-9a-f]+))?", re.IGNORECASE)
_NAMED = 20  # types that an error names


def kinds_of(frames: Frames) -> Iterator[tuple[Part, I64]]:
    """The records of a file in parts, with type and subtype, or code and subcode, as a number."""
    for part in frames.parts():
        if frames.kind == "smf":
            key = smf_headers.read_headers(part).key
            yield part, np.where(key == locate.NO_HEADER, key, key & 0xFFFFFFFF)
        else:
            key = np.empty(len(part.start), np.int64)
            locate.log_keys(part.buffer, part.start, part.length, LEAST_LOG, key)
            yield part, key


def kind_of(key: int, profile: Profile | None) -> tuple[int | None, int | None]:
    """Type and subtype in such a number; the subtype is None where the type has none.

    `profile`: the layouts of a log, which may know subcodes; None for SMF.
    """
    if profile is None or key == locate.NO_HEADER:
        return smf_headers.kind_of(key)
    code, second = ims.labels(key, profile)
    return int(code or "", 16), None if second is None else int(second, 16)


def label(kind: str, type: int | None, subtype: int | None) -> str:
    """As people write it: 70.1, or 45 07."""
    if type is None:
        return "no header"
    if kind == "smf":
        return f"{type}" if subtype is None else f"{type}.{subtype}"
    return f"{type:02X}" if subtype is None else f"{type:02X} {subtype:02X}"


class RecordKinds:
    """The kinds of all records of a file; `keys` has a number for each."""

    def __init__(self, frames: Frames, profile: Profile | None) -> None:
        self._frames, self.kind, self._profile = frames, frames.kind, profile
        self.keys = np.empty(len(frames.start), np.int64)
        for part, key in kinds_of(frames):
            self.keys[part.number - 1] = key

    def parts(self) -> Iterator[tuple[Part, I64]]:
        """The records in parts, with the numbers of their kinds."""
        for part in self._frames.parts():
            yield part, self.keys[part.number - 1]

    def types(self) -> dict[str, int]:
        """The types that are there and how many records each has."""
        keys, counts = np.unique(self.keys, return_counts=True)
        tables: dict[str, int] = {}
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            name = label(self.kind, *kind_of(key, self._profile))
            tables[name] = tables.get(name, 0) + count
        return tables

    def rows(self, type_: str) -> I64:
        """The records of a type, from 0; DumpError where the file has none."""
        words = _ASKED.fullmatch(type_.strip())
        keys = [key for key in np.unique(self.keys).tolist() if words and self._is(key, words)]
        if keys:
            return np.flatnonzero(np.isin(self.keys, keys))
        there = list(self.types())
        more = f" and {len(there) - _NAMED:,} more" if len(there) > _NAMED else ""
        raise DumpError(
            f"{self._frames.path}: found no record of type {type_!r} in this {self.kind} file",
            near(type_, there, f"types there: {', '.join(there[:_NAMED])}{more}"),
        )

    def _is(self, key: int, words: re.Match[str]) -> bool:
        family, first, second = words[1], words[2], words[3]
        type, subtype = kind_of(key, self._profile)
        if type is None or (family or self.kind).lower() != self.kind:
            return False
        if self.kind == "smf":
            digits = (first + (second or "")).isdecimal()
            return digits and type == int(first) and second in (None, str(subtype))
        code, both = f"{type:02X}", label("ims", type, subtype).replace(" ", "")
        return (first + (second or "")).upper() in (code, both)
