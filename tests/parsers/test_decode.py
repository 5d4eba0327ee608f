"""The decode kernel against a plain reader of fields, and the record hash against its vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from plain_reader import read_section

import imsperf.kinds as k
from imsperf.errors import LayoutError
from imsperf.layout import Field, Section
from imsperf.layouts import all_tables
from imsperf.parsers.kernels.columns import TILE
from imsperf.parsers.kernels.decode import Decoder, decode_section
from imsperf.parsers.kernels.hashing import hash_records

KINDS = (
    k.u1, k.u2, k.u3, k.u4, k.u5, k.u8, k.s1, k.s2, k.s3, k.s4, k.s6, k.s8, k.hfp4, k.hfp8,
    k.text(1), k.text(8), k.text(44), k.opaque(3), k.packed(2), k.packed(4), k.date, k.clock,
    k.length, k.centisec, k.tod, k.tod_high, k.tod_offset, k.utc12, k.array(k.u4, 3),
    k.array(k.u2, 16),
)  # fmt: skip


def section_of(*fields: k.Kind) -> Section:
    """A section of fields of these kinds, one byte apart."""
    declared, at = [], 1
    for number, kind in enumerate(fields):
        declared.append(Field(at, f"f{number}", kind, "a field"))
        at += kind.width + 1
    return Section("test_section", "for a test", "none", at, tuple(declared))


EVERYTHING = section_of(*KINDS)


def digits_here_and_there(rng: np.random.Generator, rows: int) -> Any:
    """Random bytes, in half of the rows made of decimal digits, so that packed fields are valid."""
    data = rng.integers(0, 256, (rows, EVERYTHING.length), dtype=np.uint8)
    tens, ones = rng.integers(0, 3, data.shape), rng.integers(0, 10, data.shape)
    packed = (tens << 4 | ones).astype(np.uint8)
    for field in EVERYTHING.fields:
        packed[:, field.end - 1] |= 0x0F
        packed[:, field.offset] &= 0x0F
    return np.where(rng.random((rows, 1)) < 0.5, data, packed)


def expected(data: bytes, starts: Any, lengths: Any, section: Section) -> list[dict[str, Any]]:
    rows = zip(starts.tolist(), lengths.tolist(), strict=True)
    return [read_section(data[at : at + size], section) for at, size in rows]


def test_kernel_agrees_with_the_plain_reader_on_random_bytes() -> None:
    """Every kind, more rows than a tile, sections in any order and of any length."""
    rng = np.random.default_rng(70)
    rows = 3 * TILE + 5
    data = digits_here_and_there(rng, rows)
    starts = rng.permutation(rows) * EVERYTHING.length
    lengths = np.where(rng.random(rows) < 0.7, EVERYTHING.length, rng.integers(0, 300, rows))
    lengths = np.minimum(lengths, EVERYTHING.length)
    lengths[TILE : 2 * TILE] = EVERYTHING.length  # a tile without a short section
    batch = decode_section(data.reshape(-1), starts, lengths, EVERYTHING)
    batch.validate(full=True)
    assert batch.to_pylist() == expected(data.tobytes(), starts, lengths, EVERYTHING)


def test_invalid_values_are_counted_and_missing_ones_are_not() -> None:
    """A NULL counts as invalid only if something is there that is no date."""
    section = section_of(k.date, k.clock)
    day, clock = "0124060F", "0101500F"
    rows = [day, "0124366F", "01240600", "FFFFFFFF", "00000000", "0125366F"]
    data = b"".join(bytes.fromhex(f"00{row}00{clock}00") for row in rows)
    starts = np.arange(len(rows)) * section.length
    lengths = np.array([11, 11, 11, 11, 11, 3])
    decoded = Decoder(section.fields).decode(np.frombuffer(data, np.uint8), starts, lengths)
    assert decoded.invalid == {"f0": 2}
    assert decoded.batch.column("f0").null_count == 4
    assert decoded.batch.column("f1").null_count == 1


def test_text_outside_ascii_takes_more_room() -> None:
    """Letters of two and three UTF-8 bytes: the text arena is made larger and the run repeated."""
    section = section_of(k.text(8))
    data = bytes.fromhex("00" + "4A" * 8 + "00" + "00" + "9F" * 8 + "00") * 300
    starts, lengths = np.arange(600) * 10, np.full(600, 10)
    buffer = np.frombuffer(data, np.uint8)
    column = decode_section(buffer, starts, lengths, section, "cp1140").column("f0")
    assert column.to_pylist() == ["¢" * 8, "€" * 8] * 300
    column = decode_section(buffer, starts, lengths, section).column("f0")
    assert column.to_pylist() == ["¢" * 8, "¤" * 8] * 300


def test_text_is_cut_behind_its_last_letter() -> None:
    """Trailing blanks and zeros go; blanks before a letter stay."""
    section = section_of(k.text(4))
    rows = ["C1C24040", "C100C200", "40C14000", "40404040", "00000000"]
    data = b"".join(bytes.fromhex(f"00{row}00") for row in rows)
    batch = decode_section(np.frombuffer(data, np.uint8), np.arange(5) * 6, np.full(5, 6), section)
    assert batch.column("f0").to_pylist() == ["AB", "A\0B", " A", "", ""]


@pytest.mark.parametrize("accented", [1, 30, 50, 51, 99, 100])
def test_accented_text_leaves_room_for_what_follows(accented: int) -> None:
    """Letters of two UTF-8 bytes use up the room of a byte each, plain ones come after them."""
    section, rows = section_of(k.text(8), k.text(8)), 100
    data = np.full((rows, section.length), 0xC1, np.uint8)
    data[:accented] = 0x51
    batch = decode_section(
        data.reshape(-1), np.arange(rows) * section.length, np.full(rows, section.length), section
    )
    batch.validate(full=True)
    for column in batch.columns:
        assert column.to_pylist() == ["é" * 8] * accented + ["A" * 8] * (rows - accented)


@pytest.mark.parametrize("size", [0, 1, 7])
def test_buffer_shorter_than_a_field(size: int) -> None:
    """Nothing from the third field on fits, nothing past the end is read."""
    buffer = np.zeros(size, np.uint8)
    batch = decode_section(buffer, [0, 0], [size, 0], EVERYTHING)
    assert all(column.null_count == 2 for column in batch.columns[2:])


def test_no_sections_give_empty_columns() -> None:
    batch = decode_section(np.zeros(0, np.uint8), [], [], EVERYTHING)
    assert batch.num_rows == 0
    batch.validate(full=True)


@pytest.mark.parametrize(
    "table", [t for t in all_tables() if not t.section.by_dictionary], ids=lambda table: table.name
)
def test_every_table_decodes_to_its_schema(table: Any) -> None:
    """Random bytes: columns as declared, every batch sound."""
    section = table.section
    rng = np.random.default_rng(len(table.name))
    data = rng.integers(0, 256, 300 * section.length, dtype=np.uint8)
    starts, lengths = np.arange(300) * section.length, rng.integers(0, section.length + 1, 300)
    batch = decode_section(data, starts, lengths, section)
    assert batch.schema.names == [column.name for column in section.columns()]
    assert batch.schema.types == [column.arrow for column in section.columns()]
    if section.fields:
        batch.validate(full=True)
        rows = batch.to_pylist()
        assert rows == expected(data.tobytes(), starts, lengths, section)


def test_packed_numbers_past_15_digits_are_refused() -> None:
    with pytest.raises(LayoutError, match="15 digits"):
        Decoder([Field(0, "huge", k.packed(9), "too long")])


# MurmurHash3_x64_128, seed 0: the two halves as published with the reference implementation
# and in the tests of Guava ("the quick brown fox ..."), as numbers.
VECTORS = {
    b"": (0, 0),
    b"hello": (0xCBD8A7B341BD9B02, 0x5B1E906A48AE1D19),
    b"hello, world": (0x342FAC623A5EBC8E, 0x4CDCBC079642414D),
    b"19 Jan 2038 at 3:14:07 AM": (0xB89E5988B737AFFC, 0x664FC2950231B2CB),
    b"The quick brown fox jumps over the lazy dog.": (0xCD99481F9EE902C9, 0x695DA1A38987B6E7),
}


def test_record_hash_of_the_published_vectors() -> None:
    """The RDW is left out of the hash."""
    data = b"".join(b"RDW_" + text for text in VECTORS)
    sizes = np.array([len(text) + 4 for text in VECTORS])
    starts = np.cumsum(sizes) - sizes
    hashes = hash_records(np.frombuffer(data, np.uint8), starts, sizes.astype(np.int32))
    assert hashes.shape == (len(VECTORS), 16)
    assert [tuple(row) for row in hashes.view("<u8").tolist()] == list(VECTORS.values())


def test_columns_share_no_memory_with_the_buffer() -> None:
    """A batch stays as it is when the file it came from is gone."""
    section = section_of(k.u4, k.text(4))
    data = np.zeros(11, np.uint8)
    batch: pa.RecordBatch = decode_section(data, [0], [11], section)
    before = batch.to_pylist()
    data[:] = 0xC1
    assert batch.to_pylist() == before
