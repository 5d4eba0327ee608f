"""One record of a file taken apart: its sections with their bytes, where the loader finds them.

`Browser("smf.dump").read(17).pieces` are those of record 17.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from imsperf.errors import DumpError
from imsperf.kinds import DEFAULT_CODEPAGE
from imsperf.layout import IMS_SUFFIX, Section
from imsperf.layouts.common import LOG_HEADER
from imsperf.layouts.profile import Profile
from imsperf.layouts.smf import REASSEMBLY, REASSEMBLY_BLOCK
from imsperf.parsers import ims, smf_headers, smf_records
from imsperf.parsers.entries import SUFFIX
from imsperf.parsers.framing.frames import Frames, Part, open_dump
from imsperf.parsers.kernels import locate
from imsperf.parsers.places import Places, Sections, headers, sections
from imsperf.parsers.problems import Problem
from imsperf.parsers.reassembly import Reassembly, Whole
from imsperf.parsers.record_kinds import RecordKinds, kind_of, label
from imsperf.parsers.rows import Runs
from imsperf.parsers.versions import by_layout


@dataclass(frozen=True)
class BrowsedSection:
    """A section and its bytes. `place` counts from the start of the record `record_no`.

    `byte_offset` is where the section stands in the unpacked file, None where its record was joined
    from segments or expanded. A section of a broken RMF record stands in the record of its piece.
    """

    table: str
    section: Section
    section_no: int
    place: int
    data: bytes
    record_no: int
    byte_offset: int | None


@dataclass(frozen=True)
class BrowsedRecord:
    """A record. `data` begins with its RDW; `place` is its byte offset in the unpacked file.

    The segments of a spanned record are joined in `data`, and compressed data is expanded.

    `type` and `subtype` are those of SMF, or code and subcode of the IMS log; None where the record
    has none. `problems` says which sections could not be placed.
    """

    number: int
    place: int
    data: bytes
    kind: str
    type: int | None
    subtype: int | None
    pieces: tuple[BrowsedSection, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def label(self) -> str:
        """The type as people write it: 70.1, or 45 07."""
        return label(self.kind, self.type, self.subtype)


class Browser:
    """An open file whose records can be taken apart one by one."""

    def __init__(
        self,
        path: str | Path,
        profile: str | Profile | None = None,
        code_page: str = DEFAULT_CODEPAGE,
    ) -> None:
        self.frames, self._code_page = open_dump(path).index(), code_page
        self.kind = self.frames.kind
        self.profile = log_profile(self.frames, profile)
        self.kinds = RecordKinds(self.frames, self.profile)

    def read(self, record_no: int) -> BrowsedRecord:
        """Record `record_no` of the file, from 1, with its sections.

        The first piece of a broken RMF record has the sections of all pieces, as its rows do;
        another piece has those that stand in it. Raises DumpError where there is no such record.
        """
        last = len(self.frames.start)
        if not 1 <= record_no <= last:
            raise DumpError(
                f"{self.frames.path}: found no record {record_no:,}, expected 1 to {last:,}",
                "`imsperf inspect` counts the records of a file by type",
            )
        part, key = self._one(record_no - 1), int(self.kinds.keys[record_no - 1])
        type, subtype = kind_of(key, self.profile)
        if self.profile is None:
            part, pieces, problems = self._smf(part, key)
        else:
            pieces, problems = self._log(part, key, self.profile)
        at, length, place = int(part.start[0]), int(part.length[0]), int(part.place[0])
        data = part.buffer[at : at + length].tobytes()
        return BrowsedRecord(
            record_no, place, data, self.kind, type, subtype, tuple(pieces), tuple(problems)
        )

    def find(self, type_: str, number: int | None = None) -> list[int]:
        """Numbers of the records of a type: "70.1", "70", "smf:70.1"; of a log "4507" or "45".

        `number` picks one of them, from 1. Raises DumpError where the file has none.
        """
        rows = self.kinds.rows(type_) + 1
        if number is None:
            return list(rows.tolist())
        if not 1 <= number <= len(rows):
            raise DumpError(
                f"{self.frames.path}: found {len(rows):,} records of type {type_}, "
                f"expected one of number {number:,}",
                f"numbers of that type go from 1 to {len(rows):,}",
            )
        return [int(rows[number - 1])]

    def _one(self, row: int) -> Part:
        """A record alone in a part."""
        frames, rows = self.frames, slice(row, row + 1)
        buffer = frames.joined_buffer if frames.joined[row] else frames.buffer
        number = np.array([row + 1], np.int64)
        return Part(
            buffer, frames.start[rows], frames.length[rows], number, frames.byte_offset[rows]
        )

    # --- SMF ------------------------------------------------------------------------------------

    def _smf(self, part: Part, key: int) -> tuple[Part, list[BrowsedSection], list[Problem]]:
        """The record as it is read, its sections and what is wrong with them."""
        ((record, _),) = by_layout(*smf_headers.kind_of(key), part)
        if record is None:
            return part, self._all(part, headers(part)), []
        reader = smf_records.RecordReader(record, 0, self._code_page, self.frames.parts)
        (places,) = sections(reader, part)
        if places.extent is not None and reader.reassembly.broken(part, places.extent).any():
            return part, *self._piece(reader, places, key)
        return places.part, self._all(places.part, places.places), places.problems

    def _all(self, part: Part, places: Places) -> list[BrowsedSection]:
        return [run for section, runs in places for run in self._runs(part, section, runs)]

    def _runs(self, part: Part, section: Section, runs: Runs) -> list[BrowsedSection]:
        where = zip(runs.start.tolist(), runs.length.tolist(), runs.section.tolist(), strict=True)
        first = int(part.start[0])
        return [self._section(part, section, no, at - first, size) for at, size, no in where]

    def _section(
        self, part: Part, section: Section, number: int, place: int, length: int
    ) -> BrowsedSection:
        """A section of the record that is alone in `part`."""
        at, in_file = int(part.start[0]) + place, part.buffer is self.frames.buffer
        return BrowsedSection(
            section.table, section, number, place, part.buffer[at : at + length].tobytes(),
            int(part.number[0]), int(part.place[0]) + place if in_file else None,
        )  # fmt: skip

    # --- broken RMF records ---------------------------------------------------------------------

    def _piece(
        self, reader: smf_records.RecordReader, own: Sections, key: int
    ) -> tuple[list[BrowsedSection], list[Problem]]:
        """The sections of a piece, numbered as in the whole record; the first piece has all."""
        part, number = own.part, int(own.part.number[0])
        record = self._whole(reader, number, key)
        if record is None:
            return self._all(part, own.places), reader.reassembly.problems
        (joined,) = sections(reader, record.record)
        shared = (reader.record.header, REASSEMBLY, REASSEMBLY_BLOCK)
        browsed_records = self._all(part, [place for place in own.places if place[0] in shared])
        for section, runs in joined.places[1:] if joined.fits else []:
            if section not in shared:
                some = self._runs(record.record, section, runs)
                browsed_records += [
                    browsed
                    for run in some
                    if (browsed := self._from_piece(run, record)) is not None
                ]
        is_first = int(record.first.number[0]) == number
        return [
            run for run in browsed_records if is_first or run.record_no == number
        ], joined.problems

    def _whole(self, reader: smf_records.RecordReader, number: int, key: int) -> Whole | None:
        """The record that a piece belongs to, put together from all pieces of the file."""
        reassembly = Reassembly(reader.record)
        for part, keys in self.kinds.parts():
            some = part.take(keys == key)
            bad, extent, _ = reader.check(some)
            broken = ~bad & reassembly.broken(some, extent)
            for joined in reassembly.add(some.take(broken)):
                if _has(joined, number):
                    return joined
        return next((joined for joined in reassembly.finish() if _has(joined, number)), None)

    def _from_piece(self, browsed_section: BrowsedSection, record: Whole) -> BrowsedSection | None:
        """A section of a whole record at its place in the record it was read from."""
        for origin in record.origins:
            if origin.start <= browsed_section.place < origin.start + origin.length:
                place = origin.place + browsed_section.place - origin.start
                joined = bool(self.frames.joined[origin.piece.number - 1])
                offset = None if joined else origin.piece.place + place
                return replace(
                    browsed_section, place=place, record_no=origin.piece.number, byte_offset=offset
                )
        return None

    # --- IMS log --------------------------------------------------------------------------------

    def _log(
        self, part: Part, key: int, profile: Profile
    ) -> tuple[list[BrowsedSection], list[Problem]]:
        if key == locate.NO_HEADER:
            return [], []
        length, header = int(part.length[0]), log_header_bytes(key, profile)
        blocks = [self._section(part, LOG_HEADER, 1, 0, header)]
        problems: list[Problem] = []
        reader = log_reader(profile, key, self._code_page)
        if reader:
            bad, problems = reader.faults(part)
            if not bad.any():
                for section, runs in reader.place(part):
                    blocks += self._runs(part, section, runs)
        blocks.append(self._section(part, IMS_SUFFIX, 1, length - SUFFIX, SUFFIX))
        return blocks, problems


def log_profile(frames: Frames, asked: str | Profile | None) -> Profile | None:
    """The layouts of a log: those asked for, else those of its signature; None for SMF."""
    if frames.kind == "smf":
        return None
    return ims.LogFileReader(frames, 0, DEFAULT_CODEPAGE, False, asked).profile


def log_reader(profile: Profile, key: int, code_page: str) -> ims.LogReader | None:
    """The reader of log records of one code and subcode; None where the profile has no layout."""
    records = profile.records
    record = records.get((key >> 8, key & 0xFF)) or records.get((key >> 8, None))
    return ims.LogReader(record, profile, 0, code_page) if record else None


def log_header_bytes(key: int, profile: Profile) -> int:
    """Bytes before the body: where a code has no subcode, the byte after it is data."""
    return LOG_HEADER.length - (ims.labels(key, profile)[1] is None)


def _has(joined: Whole, number: int) -> bool:
    return any(origin.piece.number == number for origin in joined.origins)
