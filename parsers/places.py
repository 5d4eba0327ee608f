"""Where the sections of SMF records stand, as the loader reads them: to show or to count bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from imsperf.layout import Section
from imsperf.layouts.smf import HEADER_18, HEADER_24, HEADER_56, REASSEMBLY, REASSEMBLY_BLOCK
from imsperf.parsers import smf_headers, smf_records
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels.loads import I32, I64
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import Runs
from imsperf.parsers.sections import place_sections
from imsperf.record import At, Record, SectionPlace

HEADERS = {header.length: header for header in (HEADER_18, HEADER_24, HEADER_56)}
_AREA = ("rao", "ral", "ran")  # of the product section: offset, length, number of the area

Places = list[tuple[Section, Runs]]


@dataclass(frozen=True)
class Sections:
    """Records that are read alike: `rows` of a part, standing in `part`, with their sections.

    `part` has a buffer of its own where the loader expands compressed records. `extent`: bytes of
    each header. Where sections do not fit in their records only headers are placed.
    """

    rows: I64
    part: Part
    places: Places
    problems: list[Problem]
    fits: bool = True
    extent: I32 | None = None


def sections(reader: smf_records.RecordReader, part: Part) -> Iterator[Sections]:
    """The sections of the records of a part, headers first, inner sections after outer ones."""
    every = np.arange(len(part.start))
    for which, piece in reader.pieces(part):
        misplaced, extent, problems = reader.check(piece)
        bad = reader.unreadable(piece, misplaced)
        rows = every[which]
        if bad.any():
            some = piece.take(bad)
            yield Sections(rows[bad], some, headers(some), problems, fits=False)
        if not bad.all():
            yield _placed(reader, rows[~bad], piece.take(~bad), extent[~bad])


def headers(part: Part) -> Places:
    """The standard headers of records that are not taken further apart."""
    form = smf_headers.read_headers(part).form
    return [
        (section, _ones(np.flatnonzero(form == size), part.start, form))
        for size, section in HEADERS.items()
    ]


def _placed(reader: smf_records.RecordReader, rows: I64, part: Part, extent: I32) -> Sections:
    record = with_reassembly(reader.record)
    placed = place_sections(record, part, extent)
    places: Places = [(record.header, _ones(np.arange(len(rows)), part.start, extent))]
    places += reader.sections_of(placed)
    for section in record.sections[len(reader.record.sections) :]:
        places.append((section, placed.runs[section.table]))
    return Sections(rows, part, places, placed.problems, extent=extent)


def _ones(rows: I64, start: I64, length: I32) -> Runs:
    """One section at the start of each record in `rows`."""
    number = np.zeros(len(start), np.int64)
    number[rows] = 1
    first = np.ones(len(rows), np.int32)
    return Runs(number, rows, start[rows], length[rows], first)


def with_reassembly(record: Record) -> Record:
    """The record with the area of a broken one that says which piece it is, where RMF has one."""
    product = record.parts[0].section if record.parts else record.header
    names = {field.name[-3:]: field for field in product.fields}
    if not set(_AREA) <= names.keys():
        return record
    offset, length, number = (At(names[area].offset, names[area].kind.width) for area in _AREA)
    parts = (
        SectionPlace(REASSEMBLY, offset, length, number, product, True),
        SectionPlace(REASSEMBLY_BLOCK, At(4, 4), At(8), At(10), REASSEMBLY, True),
    )
    return replace(record, parts=(*record.parts, *parts))
