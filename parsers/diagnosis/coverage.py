"""How many bytes of a file the layouts explain: decoded, reserved or unknown, by type and section.

A byte belongs to the innermost section that holds it and counts once. It is decoded in a field
that the section is long enough to have; reserved where the source sets bytes aside; unknown in any
other place: between fields, past the known ones, between sections, in records without a
layout. Headers are sections too, as are the header and the suffix of a log record.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from imsperf.kernels import kernel
from imsperf.kinds import DEFAULT_CODEPAGE
from imsperf.layout import IMS_SUFFIX, Field, Section
from imsperf.layouts.common import LOG_HEADER
from imsperf.layouts.profile import Profile
from imsperf.parsers import census, smf_headers, smf_records
from imsperf.parsers.diagnosis.browse import log_header_bytes, log_profile, log_reader
from imsperf.parsers.entries import SUFFIX
from imsperf.parsers.framing.frames import Frames, Part, open_dump
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.loads import I32, I64
from imsperf.parsers.places import Places, Sections, headers, sections
from imsperf.parsers.record_kinds import kind_of, kinds_of
from imsperf.parsers.versions import by_layout
from imsperf.record import Record

CLASSES = 4  # of a byte: in no section, decoded, reserved, unknown
OUTSIDE, DECODED, RESERVED, UNKNOWN = range(CLASSES)
NO_LAYOUT, BETWEEN, UNREADABLE = "(no layout)", "(between sections)", "(not decoded)"
COMPRESSED = "(compressed data)"  # of CICS; all of it is decoded
_CICS_DATA = 36  # where a CICS record says where its data begins

_RESERVED = re.compile(r"reserved( for .*|[;,:(].*)?$|.*\ball reserved$", re.IGNORECASE)

SCHEMA = pa.schema(
    [
        ("kind", pa.string()),
        ("type", pa.string()),
        ("subtype", pa.string()),
        ("section", pa.string()),
        *((name, pa.int64()) for name in ("records", "sections", "bytes")),
        *((name, pa.int64()) for name in ("decoded", "reserved", "unknown")),
        ("decoded_pct", pa.float64()),
    ]
)

U16 = npt.NDArray[np.uint16]
Key = tuple[int | None, int | None, str]  # type, subtype, section


@kernel
def paint(codes: U16, first: int, starts: I64, lengths: I32, code: U16, ends: I32) -> None:
    """Give the bytes of each section their codes; `codes` begins at byte `first` of the buffer.

    code[k] is that of byte k if the section reaches to ends[k], where its field ends; the last one
    is for all other bytes.
    """
    known = code.size - 1
    for i in range(starts.size):
        at, length = starts[i] - first, lengths[i]
        for k in range(length):
            codes[at + k] = code[k] if k < known and ends[k] <= length else code[known]


@kernel
def tally(codes: U16, first: int, starts: I64, lengths: I32, counts: I64) -> None:
    """How many bytes of the records have each code."""
    for i in range(starts.size):
        at = starts[i] - first
        for k in range(lengths[i]):
            counts[codes[at + k]] += 1


def is_reserved(field: Field) -> bool:
    """Whether a field is described as reserved."""
    return _RESERVED.match(field.doc) is not None


@dataclass
class Share:
    """What a section has in all records of a type; `counts` are bytes by class."""

    records: int = 0
    sections: int | None = None
    counts: I64 = dataclasses.field(default_factory=lambda: np.zeros(CLASSES, np.int64))


@dataclass(frozen=True)
class Coverage:
    """Bytes of a file by type and section; `bytes` are those of the unpacked file.

    The bytes of all rows together are those of all records, `record_bytes`. The others of the file
    are block descriptors, descriptors of further segments, and damage.
    """

    path: Path
    kind: str
    framing: str
    bytes: int
    records: int
    record_bytes: int
    rows: pa.Table


@dataclass(frozen=True)
class _Run:
    """The sections of one layout in some records."""

    section: Section
    record: I64
    start: I64
    length: I32


def coverage(
    path: str | Path, profile: str | Profile | None = None, code_page: str = DEFAULT_CODEPAGE
) -> Coverage:
    """Read the file and count. Raises DumpError where it is no dump."""
    frames = open_dump(path).index()
    counter = _Counter(frames, profile, code_page)
    for part, key in kinds_of(frames):
        counter.add(part, key)
    size = int(frames.length.sum(dtype=np.int64))
    return Coverage(
        frames.path, frames.kind, frames.framing, frames.bytes, len(frames.start), size,
        counter.table(),
    )  # fmt: skip


class _Counter:
    def __init__(self, frames: Frames, profile: str | Profile | None, code_page: str) -> None:
        self._frames, self._kind, self._code_page = frames, frames.kind, code_page
        self._shares: dict[Key, Share] = {}
        self._readers: dict[Any, Any] = {}
        self._profile = log_profile(frames, profile)

    def add(self, part: Part, key: I64) -> None:
        """Count the records of a part."""
        if not len(key):
            return
        first = int(part.start.min())
        codes = np.zeros(int((part.start + part.length).max()) - first, np.uint16)
        groups = census.group(key)
        for number, group in enumerate(groups.keys):
            rows = part.take(np.sort(groups.rows(number)))
            for some, outside, runs in self._placed(group, rows):
                self._count(group, codes, first, some, outside, runs)

    def table(self) -> pa.Table:
        """The rows, by type, subtype and the order of the sections."""
        order = {key: n for n, key in enumerate(self._shares)}
        keys = sorted(order, key=lambda key: (_number(key[0]), _number(key[1]), order[key]))
        return pa.Table.from_pylist([self._row(key, self._shares[key]) for key in keys], SCHEMA)

    def _row(self, key: Key, share: Share) -> dict[str, Any]:
        total = int(share.counts.sum())
        decoded = int(share.counts[DECODED])
        names = smf_headers.labels(key[:2]) if self._kind == "smf" else _hex(key[:2])
        return {
            "kind": self._kind, "type": names[0], "subtype": names[1], "section": key[2],
            "records": share.records, "sections": share.sections, "bytes": total,
            "decoded": decoded, "reserved": int(share.counts[RESERVED]),
            "unknown": int(share.counts[UNKNOWN]),
            "decoded_pct": 100 * decoded / total if total else None,
        }  # fmt: skip

    def _count(
        self, key: int, codes: U16, first: int, part: Part, outside: str, runs: list[_Run]
    ) -> None:
        """Paint the sections, outer ones first, and count the bytes of the records."""
        for number, run in enumerate(runs, 1):
            code, ends = _codes(run.section, number)
            paint(codes, first, run.start, run.length, code, ends)
        counts = np.zeros((len(runs) + 1) * CLASSES, np.int64)
        tally(codes, first, part.start, part.length, counts)
        by_run = counts.reshape(-1, CLASSES)
        kind = kind_of(key, self._profile)
        for run, run_counts in zip(runs, by_run[1:], strict=True):
            if len(run.record):
                share = self._shares.setdefault((*kind, run.section.table), Share(sections=0))
                share.records += len(np.unique(run.record))
                share.sections = (share.sections or 0) + len(run.record)
                share.counts += run_counts
        if by_run[0].any():
            share = self._shares.setdefault((*kind, outside), Share())
            share.records += len(part.start)
            share.counts[DECODED if outside == COMPRESSED else UNKNOWN] += by_run[0].sum()

    # --- where sections stand -------------------------------------------------------------------

    def _placed(self, key: int, part: Part) -> Iterator[tuple[Part, str, list[_Run]]]:
        """Records that are read alike, the word for their bytes in no section, their sections."""
        if key == locate.NO_HEADER:
            yield part, NO_LAYOUT, []
        elif self._profile is None:
            yield from self._smf(key, part)
        else:
            yield from self._log(key, part, self._profile)

    def _smf(self, key: int, part: Part) -> Iterator[tuple[Part, str, list[_Run]]]:
        for record, rows in by_layout(*smf_headers.kind_of(key), part):
            some = part.take(rows)
            if record is None:
                yield some, NO_LAYOUT, _runs(headers(some))
            else:
                yield from self._by_record(key, record, some)

    def _by_record(
        self, key: int, record: Record, part: Part
    ) -> Iterator[tuple[Part, str, list[_Run]]]:
        name = key, record.header.table
        if name not in self._readers:
            self._readers[name] = smf_records.RecordReader(
                record, 0, self._code_page, self._frames.parts
            )
        for section in sections(self._readers[name], part):
            some = part.take(section.rows)
            if not section.fits:
                yield some, UNREADABLE, _runs(headers(some))
                continue
            packed = section.part.length != some.length
            for mask, words in ((~packed, BETWEEN), (packed, COMPRESSED)):
                if mask.any():
                    yield some.take(mask), words, _back(section, some, mask)

    def _log(
        self, key: int, part: Part, profile: Profile
    ) -> Iterator[tuple[Part, str, list[_Run]]]:
        if key not in self._readers:
            self._readers[key] = log_reader(profile, key, self._code_page)
        reader = self._readers[key]
        if reader is None:
            yield part, NO_LAYOUT, _ends(key, part, profile)
            return
        bad, _ = reader.faults(part)
        if bad.any():
            yield part.take(bad), UNREADABLE, _ends(key, part.take(bad), profile)
        some = part.take(~bad)
        if len(some.start):
            runs = [_Run(section, r.record, r.start, r.length) for section, r in reader.place(some)]
            yield some, BETWEEN, [*runs, *_ends(key, some, profile)]


def _runs(places: Places) -> list[_Run]:
    return [
        _Run(section, run_place.record, run_place.start, run_place.length)
        for section, run_place in places
    ]


def _back(sections: Sections, part: Part, mask: Any) -> list[_Run]:
    """The sections of some records at their places in the file, where they may be compressed."""
    limit = part.length.astype(np.int64)
    packed = np.flatnonzero(sections.part.length != part.length)
    data = np.zeros(len(packed), np.int64)
    start, length = part.start[packed], part.length[packed]
    locate.read_numbers(part.buffer, start, length, _CICS_DATA, 4, data)
    limit[packed] = data
    row = np.cumsum(mask) - 1
    back = []
    for section, runs in sections.places:
        place = runs.start - sections.part.start[runs.record]
        keep = mask[runs.record] & (place + runs.length <= limit[runs.record])
        record = runs.record[keep]
        back.append(_Run(section, row[record], part.start[record] + place[keep], runs.length[keep]))
    return back


def _ends(key: int, part: Part, profile: Profile) -> list[_Run]:
    """Header and suffix of log records."""
    rows = np.arange(len(part.start))
    header = log_header_bytes(key, profile)
    suffix = part.start + part.length - SUFFIX
    return [
        _Run(LOG_HEADER, rows, part.start, np.full(len(rows), header, np.int32)),
        _Run(IMS_SUFFIX, rows, suffix, np.full(len(rows), SUFFIX, np.int32)),
    ]


def _codes(section: Section, number: int) -> tuple[U16, I32]:
    """The code of each byte of section `number`, and where its field ends; unknown ones last."""
    code = np.full(section.length + 1, number * CLASSES + UNKNOWN, np.uint16)
    ends = np.zeros(section.length, np.int32)
    for field in section.described:
        what = RESERVED if is_reserved(field) else DECODED
        code[field.offset : field.end] = number * CLASSES + what
        ends[field.offset : field.end] = field.end
    return code, ends


def _number(value: int | None) -> int:
    return -1 if value is None else value


def _hex(kind: tuple[int | None, int | None]) -> list[str | None]:
    return [None if byte is None else f"{byte:02X}" for byte in kind]
