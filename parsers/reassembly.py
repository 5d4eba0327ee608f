"""RMF "broken" records: one record too long for SMF, written in several that each stand alone.

A piece says in its product section that it has a reassembly area (SMFxRAN): which piece of how many
it is, and for each kind of section how many the whole record has and which of them come first here.
The pieces become the whole record again, so that sections which point to each other by number find
each other. Source: z/OS MVS SMF, SA38-0667, RMF reassembly header and information block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from imsperf.layouts.smf import REASSEMBLY, REASSEMBLY_BLOCK
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.loads import I32, read_only
from imsperf.parsers.problems import Problem
from imsperf.record import Record

_PRODUCT = 28  # where the triplet of the product section stands
_RAO, _RAN = 68, 74  # in the product section: offset of the reassembly area, number of them
_IDENTITY = slice(10, 22)  # of the product section: start, date and length of the interval
_SYSTEM = slice(14, 18)  # of the header: system id


@dataclass(frozen=True)
class Piece:
    """One broken record: `sections` has offset, length and number for each triplet."""

    data: bytes
    number: int
    place: int
    sequence: int
    sections: tuple[tuple[int, int, int], ...]
    blocks: tuple[tuple[int, int], ...]  # total, first here, for each triplet after the product's


@dataclass(frozen=True)
class Origin:
    """A stretch of a whole record: `length` bytes at `start` stand at `place` in a piece."""

    start: int
    length: int
    piece: Piece
    place: int


@dataclass(frozen=True)
class Whole:
    """A record made of its pieces, with triplets of its own; `first` is the first piece."""

    record: Part
    first: Part
    origins: tuple[Origin, ...]

    @property
    def pieces(self) -> tuple[Part, ...]:
        """What it was made of, each in a buffer of its own."""
        pieces = {origin.piece.number: origin.piece for origin in self.origins}
        return tuple(_slice(piece.data, piece) for piece in pieces.values())


Key = tuple[bytes, bytes, int]  # system, interval and number of pieces: whose piece one is


@dataclass(frozen=True)
class Waiting:
    """Pieces that wait for others of their records, and the records that are complete."""

    pieces: dict[Key, list[Piece]]
    complete: set[Key]


@dataclass
class Reassembly:
    """Collects the pieces of the broken records of one type and subtype."""

    record: Record
    problems: list[Problem] = field(default_factory=list)
    rejected: list[int] = field(default_factory=list)  # rows of the last slice that are no pieces
    _waiting: dict[Key, list[Piece]] = field(default_factory=dict)
    _complete: set[Key] = field(default_factory=set)

    def __post_init__(self) -> None:
        first = self.record.parts[0].section if self.record.parts else None
        names = [field.name for field in first.fields] if first else []
        self._possible = any(re.fullmatch(r"smf\d+ran", name) for name in names)
        self._places = [part.at for part in self.record.parts if part.in_header]

    def broken(self, part: Part, extent: I32) -> Any:
        """Mask of the records that are pieces of a longer one."""
        rows = len(part.start)
        if not self._possible or not rows:
            return np.zeros(rows, np.bool_)
        offset, size, number = (np.zeros(rows, np.int64) for _ in range(3))
        locate.read_triplets(part.buffer, part.start, extent, _PRODUCT, offset, size, number)
        size[number == 0] = 0
        rest = np.zeros(rows, np.int64)
        start = part.start + np.where(number > 0, offset, 0)
        locate.read_numbers(part.buffer, start, size.astype(np.int32), _RAN, 2, rest)
        return rest > 0

    def add(self, part: Part) -> Iterator[Whole]:
        """Take the pieces; gives each record that they complete. One step for each piece."""
        self.rejected = []
        for row in range(len(part.start)):
            at, length = int(part.start[row]), int(part.length[row])
            data = part.buffer[at : at + length].tobytes()
            number, place = int(part.number[row]), int(part.place[row])
            record = self._piece(data, number, place)
            if record is None:
                self._bad(number, place, 0, "found no whole reassembly area; read as it stands")
                self.rejected.append(row)
                continue
            yield from self._add(*record)

    def _add(self, key: Key, piece: Piece) -> Iterator[Whole]:
        pieces = self._waiting.setdefault(key, [])
        pieces.append(piece)
        if len({segment.sequence for segment in pieces}) == key[2]:
            self._complete.add(key)
            yield self._whole(self._waiting.pop(key))

    def waiting(self) -> Waiting:
        """The pieces whose records are not complete, and the records that were."""
        return Waiting(self._waiting, self._complete)

    def absorb(self, more: Waiting) -> tuple[list[Whole], bool]:
        """Take what waits at the end of a later range: the records that it completes, and whether
        they are those that one who reads all of the file puts together."""
        is_sure = self._waiting.keys().isdisjoint(more.complete)
        pieces = [(key, piece) for key, some in more.pieces.items() for piece in some]
        pieces.sort(key=lambda item: item[1].number)
        return [joined for item in pieces for joined in self._add(*item)], is_sure

    def finish(self) -> Iterator[Whole]:
        """The pieces whose records stayed incomplete, joined as far as they go."""
        for (_, _, total), pieces in self._waiting.items():
            first = pieces[0]
            have = sorted({piece.sequence for piece in pieces})
            detail = f"found pieces {have} of {total} of a broken record, expected all of them"
            self._bad(first.number, first.place, 0, detail, "missing_piece")
            yield self._whole(pieces)
        self._waiting.clear()

    def _piece(self, data: bytes, number: int, place: int) -> Any:
        """Whose piece it is, and the piece; None where the reassembly area is not inside it."""
        sections = tuple(_triplet(data, at) for at in self._places)
        product = sections[0][0]
        area = product + int.from_bytes(data[product + _RAO : product + _RAO + 4])
        total, sequence, start, step, count = (
            int.from_bytes(data[area + field.offset : area + field.end])
            for field in REASSEMBLY.fields
        )
        blocks = [area + start + step * n for n in range(count)]
        if area + REASSEMBLY.length > len(data) or step < REASSEMBLY_BLOCK.length or not total:
            return None
        if blocks and blocks[-1] + REASSEMBLY_BLOCK.length > len(data):
            return None
        pairs = tuple(
            (int.from_bytes(data[at : at + 2]), int.from_bytes(data[at + 2 : at + 4]))
            for at in blocks
        )
        interval = data[product + _IDENTITY.start : product + _IDENTITY.stop]
        key = (data[_SYSTEM], interval, total)
        return key, Piece(data, number, place, sequence, sections, pairs)

    def _whole(self, pieces: list[Piece]) -> Whole:
        """One record: the first piece's header and product, then the sections of all pieces."""
        ordered = sorted(
            {piece.sequence: piece for piece in reversed(pieces)}.values(), key=_sequence
        )
        first = ordered[0]
        head = bytearray(first.data[: min(o for o, _, number in first.sections if number)])
        body, origins = bytearray(), [Origin(0, len(head), first, 0)]
        for kind, at in enumerate(self._places):
            here = [segment for segment in ordered if segment.sections[kind][2]]
            some = here[:1] if kind == 0 else here
            size = some[0].sections[kind][1] if some else 0
            count = sum(segment.sections[kind][2] for segment in some)
            self._check(ordered, kind, count)
            offset = len(head) + len(body) if count else 0
            head[at : at + 8] = b"".join(
                (offset.to_bytes(4), size.to_bytes(2), min(count, 65535).to_bytes(2))
            )
            for segment in some:
                start, _, number = segment.sections[kind]
                origins.append(Origin(len(head) + len(body), number * size, segment, start))
                body += segment.data[start : start + number * size]
        joined = _slice(bytes(head + body), first)
        return Whole(joined, _slice(first.data, first), tuple(origins))

    def _check(self, pieces: list[Piece], kind: int, count: int) -> None:
        """Whether the sections are as many as the pieces say."""
        totals = {piece.blocks[kind - 1][0] for piece in pieces if 0 < kind <= len(piece.blocks)}
        if totals and totals != {count}:
            table = [part for part in self.record.parts if part.in_header][kind].section.table
            detail = f"{table}: found {count} sections in the pieces, expected {max(totals)}"
            self._bad(pieces[0].number, pieces[0].place, 0, detail, "missing_piece")

    def _bad(
        self, number: int, place: int, lost: int, detail: str, reason: str = "bad_reassembly"
    ) -> None:
        subtype = None if self.record.subtype is None else str(self.record.subtype)
        self.problems.append(
            Problem(
                number, place, lost, str(self.record.type), subtype, "data_loss", reason, detail
            )
        )


def _slice(data: bytes, piece: Piece) -> Part:
    """One record in a buffer of its own, under the number and place of a piece."""
    buffer = read_only(np.frombuffer(data, np.uint8))
    number, place = np.array([piece.number], np.int64), np.array([piece.place], np.int64)
    return Part(buffer, np.zeros(1, np.int64), np.array([len(data)], np.int32), number, place)


def _sequence(piece: Piece) -> int:
    return piece.sequence


def _triplet(data: bytes, at: int) -> tuple[int, int, int]:
    if at + 8 > len(data):
        return 0, 0, 0
    offset, size, number = (
        int.from_bytes(data[at + a : at + b]) for a, b in ((0, 4), (4, 6), (6, 8))
    )
    return (offset, size, number) if offset and size and number else (0, 0, 0)
