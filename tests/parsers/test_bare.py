"""SMF records without RDWs: those that their own triplets prove are read, no other and none wrong.

Offsets count the RDW that is missing: a section at offset 80 begins 76 bytes behind the header's
first byte (SMF manual SA38-0667, self-defining section of type 30: triplets from +24 on, that of
the accounting sections at +64).
"""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from dump_files import bodies, smf

from imsperf.errors import DumpError
from imsperf.parsers.framing.frames import open_dump

HEADER = 228  # bytes of a type 30 header, all its triplets, with the RDW


LEADS = {24: (228, 30, 1)}


def type30(number: int, places: dict[int, tuple[int, int, int]], end: int) -> bytes:
    """A type 30 record that ends at `end`; places of triplets: offset, length, number."""
    record = bytearray(4) + smf(30, 2, b"\xee" * (end - 24), time=1000 + number)
    record[24:HEADER] = bytes(HEADER - 24)
    for at, triplet in places.items():
        struct.pack_into(">IHH", record, at, *triplet)
    return bytes(record[4:])


def usual(number: int) -> bytes:
    """A subsystem section of 30 bytes, two usage sections of 52 (+140) behind it."""
    return type30(number, {**LEADS, 140: (258, 52, 2)}, 362)


def read(tmp_path: Path, records: list[bytes]) -> tuple[list[bytes], int]:
    """The records that are read, and the bytes counted as lost."""
    path = tmp_path / "dump"
    path.write_bytes(b"".join(records))
    dump = open_dump(path)
    records_read = bodies(dump.index())
    assert dump.framing == "no_rdw"
    assert {problem.reason for problem in dump.problems} <= {"not_proved"}
    return records_read, sum(problem.bytes for problem in dump.problems)


def test_type_30_proves_where_it_ends(tmp_path: Path) -> None:
    """Whatever subtype it has: one layout is for all of them."""
    records = [usual(n) for n in range(4)]
    assert read(tmp_path, records) == (records, 0)


def test_a_section_that_is_not_decoded_counts(tmp_path: Path) -> None:
    """The accounting sections stand last here."""
    records = [type30(n, {24: (228, 30, 1), 64: (258, 21, 1)}, 279) for n in range(3)]
    assert read(tmp_path, records) == (records, 0)


def test_a_triplet_past_the_first_section_is_none(tmp_path: Path) -> None:
    """A record of an older level has fewer triplets; data stand where later ones would."""
    old = [type30(n, {24: (180, 30, 1), 32: (210, 90, 1)}, 300) for n in range(3)]
    old = [record[:176] + b"\xee" * (len(record) - 176) for record in old]
    assert read(tmp_path, old) == (old, 0)


def test_only_what_is_proved_is_read_from_a_mixed_dump(tmp_path: Path) -> None:
    """Never two proved records behind each other; the others are counted."""
    short = type30(7, {24: (228, 30, 1)}, 300)  # its sections end 42 bytes before it does
    unknown = [smf(200, n, b"\xdd" * 100, time=2000 + n) for n in range(4)]
    proved = [smf(2), usual(1), usual(2), smf(3, time=9000)]
    mixed = [
        proved[0], unknown[0], short, proved[1], unknown[1], unknown[2], proved[2], unknown[3],
        proved[3],
    ]  # fmt: skip
    lost = sum(map(len, [*unknown, short]))
    assert read(tmp_path, mixed) == (proved, lost)


@pytest.mark.parametrize(
    ("last", "is_proved"),
    [((258, 52, 2), True), ((258, 52, 3), False), ((100, 262, 1), False), ((258, 51, 2), False)],
    ids=["right", "past the next header", "in the header", "before the next header"],
)
def test_the_sections_must_end_where_another_record_begins(
    tmp_path: Path, last: tuple[int, int, int], is_proved: bool
) -> None:
    path = tmp_path / "dump"
    path.write_bytes(b"".join(type30(n, {**LEADS, 140: last}, 362) for n in range(6)))
    if is_proved:
        assert open_dump(path).framing == "no_rdw"
    else:
        with pytest.raises(DumpError, match="headers of 6 SMF records without RDWs"):
            open_dump(path)
