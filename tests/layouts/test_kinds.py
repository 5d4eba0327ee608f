"""Every kind: byte strings with a published value or one worked out by hand, limits, round trips.

Three things read or write a value: `Kind.encode`, the kernel of parsers.kernels.decode, and the
plain reader of these tests. Known values go through all three.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import numpy as np
import plain_reader
import pytest
from random_values import random_values

from imsperf import kinds
from imsperf.errors import LayoutError
from imsperf.kinds import Kind, Op
from imsperf.layout import Field, Section


def us(**parts: float) -> dt.timedelta:
    return dt.timedelta(**parts)


# kind, bytes, value; what is NULL stands in BROKEN below.
KNOWN = [
    (kinds.u1, "80", 128),
    (kinds.u2, "8102", 33026),
    (kinds.u3, "0B7A1C", 752156),
    (kinds.u4, "FFFFFFFF", 4294967295),
    (kinds.u8, "FFFFFFFFFFFFFFFF", 18446744073709551615),
    (kinds.u5, "0100000002", 4294967298),
    (kinds.flags1, "DE", 0xDE),
    (kinds.flags2, "0102", 0x0102),
    (kinds.s1, "FF", -1),
    (kinds.s2, "FFEC", -20),
    (kinds.s3, "FFFFFE", -2),
    (kinds.s4, "FFFFFE0C", -500),
    (kinds.s8, "8000000000000000", -(2**63)),
    # Hexadecimal floats: z/Architecture Principles of Operation; -118.625 is the textbook number.
    (kinds.hfp4, "42640000", 100.0),
    (kinds.hfp4, "C276A000", -118.625),
    (kinds.hfp4, "41100000", 1.0),
    (kinds.hfp4, "40800000", 0.5),
    (kinds.hfp4, "3F100000", 2.0**-8),
    (kinds.hfp4, "00000000", 0.0),
    (kinds.hfp8, "4264000000000000", 100.0),
    (kinds.hfp8, "C276A00000000000", -118.625),
    (kinds.hfp8, "401999999999999A", 0.1),
    (kinds.hfp8, "4E1FFFFFFFFFFFFF", 2.0**53 - 1),
    (kinds.hfp8, "0000000000000000", 0.0),
    # Text, IBM code page 1047. The six places that differ from 037 are among them.
    (kinds.text(8), "D9D4C64040404040", "RMF"),
    (kinds.text(8), "7B7C5B6D60614B4E", "#@$_-/.+"),
    (kinds.text(6), "ADBD5FB0BABB", "[]^¬Ý¨"),
    (kinds.text(4), "81A2F0F9", "as09"),
    (kinds.text(4), "4040C140", "  A"),
    (kinds.text(4), "40404040", ""),
    (kinds.opaque(3), "0F0100", b"\x0f\x01\x00"),
    (kinds.opaque(4), "00000000", b"\0\0\0\0"),
    # Packed forms: SMF manual and RMF field descriptions.
    (kinds.packed(2), "796F", 796),
    (kinds.packed(4), "0001000F", 1000),
    (kinds.packed(4), "9999999F", 9999999),
    (kinds.date, "0099365F", dt.date(1999, 12, 31)),
    (kinds.date, "0124060F", dt.date(2024, 2, 29)),
    (kinds.date, "0100366F", dt.date(2000, 12, 31)),
    (kinds.date, "0000001F", dt.date(1900, 1, 1)),
    (kinds.clock, "0235945F", dt.time(23, 59, 45)),
    (kinds.clock, "0000000F", dt.time(0, 0)),
    (kinds.length, "1500000F", us(minutes=15)),
    (kinds.length, "1459987F", us(minutes=14, seconds=59, milliseconds=987)),
    (kinds.length, "9959999F", us(minutes=99, seconds=59, milliseconds=999)),
    (kinds.centisec, "0083D5FF", dt.time(23, 59, 59, 990_000)),
    (kinds.centisec, "00000001", dt.time(0, 0, 0, 10_000)),
    (kinds.centisec, "00000000", dt.time(0, 0)),
    # 1970-01-01 is the textbook TOD value; 2^63 is the middle of the clock's range.
    (kinds.tod, "7D91048BCA000000", dt.datetime(1970, 1, 1)),
    (kinds.tod, "8000000000000000", dt.datetime(1971, 5, 11, 11, 56, 53, 685248)),
    (kinds.tod_high, "7D91048B", dt.datetime(1970, 1, 1) - us(microseconds=0xCA000)),
    (kinds.stcke, "00" + "7D91048BCA000000" + "00" * 7, dt.datetime(1970, 1, 1)),
    (kinds.tod_offset, "FFFFBCF1DCC00000", us(hours=-5)),
    (kinds.tod_offset, "0000D693A4000000", us(hours=16)),
    (kinds.tod_offset, "0000000000000000", us(seconds=0)),
    (kinds.utc12, "2010175F083501411184000C", dt.datetime(2010, 6, 24, 8, 35, 1, 411184)),
    (kinds.array(kinds.u4, 3), "000000010000000280000000", [1, 2, 2**31]),
]

# What `encode` writes in another way: bits below what the value keeps, other signs, offsets.
READ_ONLY = [
    (kinds.tod, "C62D2D082BD70621", dt.datetime(2010, 6, 24, 8, 35, 1, 411184)),  # IBM, .383 us cut
    (kinds.tod, "FFFFFFFFFFFFFFFF", dt.datetime(2042, 9, 17, 23, 53, 47, 370495)),
    (kinds.tod, "0000000000000FFF", dt.datetime(1900, 1, 1)),
    (kinds.stcke, "01" + "00" * 15, dt.datetime(2042, 9, 17, 23, 53, 47, 370496)),
    (kinds.stcke, "38C1D1D152FFFFFFFF" + "FF" * 7, dt.datetime.max),
    (kinds.hfp4, "80000000", 0.0),  # minus zero
    (kinds.hfp4, "43001000", 1.0),  # not normalised
    (kinds.text(4), "C1000000", "A"),
    (kinds.text(4), "C1400040", "A"),
    (kinds.text(4), "C1C200C3", "AB\0C"),
    (kinds.packed(2), "796C", 796),
    (kinds.date, "0124366C", dt.date(2024, 12, 31)),
    (kinds.utc12, "2010175F083501411184020D", dt.datetime(2010, 6, 24, 8, 35, 1, 411184)),
]

# Bytes that are no value of their kind: NULL.
BROKEN = [
    (kinds.packed(2), "7A6F"),  # not a digit
    (kinds.packed(2), "7965"),  # not a sign
    (kinds.packed(4), "00000000"),
    (kinds.date, "0123366F"),  # 2023 has 365 days
    (kinds.date, "0124000F"),
    (kinds.date, "0124367F"),
    (kinds.date, "00000000"),
    (kinds.date, "01240A1F"),
    pytest.param(kinds.date, "9999001F"),  # the first digit is 0; no year 11899
    (kinds.clock, "0240000F"),
    (kinds.clock, "0236000F"),
    (kinds.clock, "0235960F"),
    (kinds.clock, "1000000F"),
    (kinds.length, "1560000F"),
    (kinds.length, "00000000"),
    (kinds.centisec, "0083D600"),  # 24:00:00
    (kinds.centisec, "FFFFFFFF"),
    (kinds.tod, "0000000000000000"),
    (kinds.tod_high, "00000000"),
    (kinds.stcke, "00" * 16),
    (kinds.stcke, "FF" + "00" * 15),  # after the year 9999
    (kinds.utc12, "00" * 12),
    pytest.param(kinds.utc12, "0000001F083501411184000C"),  # no year 0
    (kinds.utc12, "2010366F083501411184000C"),
    (kinds.utc12, "2010175F243501411184000C"),
    (kinds.utc12, "2010175F08350141118A000C"),
]

ALL_KINDS = [
    *(getattr(kinds, f"u{width}") for width in range(1, 9)),
    *(getattr(kinds, f"s{width}") for width in range(1, 9)),
    kinds.flags1, kinds.flags2, kinds.flags4, kinds.hfp4, kinds.hfp8,
    kinds.text(1), kinds.text(8), kinds.text(44), kinds.opaque(1), kinds.opaque(24),
    kinds.packed(1), kinds.packed(2), kinds.packed(4), kinds.packed(8),
    kinds.date, kinds.clock, kinds.length, kinds.centisec,
    kinds.tod, kinds.tod_high, kinds.stcke, kinds.tod_offset, kinds.utc12,
    kinds.array(kinds.u4, 16), kinds.array(kinds.u2, 3), kinds.array(kinds.hfp8, 2),
]  # fmt: skip


def by_name(value: Any) -> str:
    return value.name if isinstance(value, Kind) else str(value)


def one_field(kind: Kind) -> Section:
    return Section(
        "one_field", "A section of one field", "this test", kind.width, (Field(0, "x", kind, "x"),)
    )


def kernel_read(rows: np.ndarray[Any, np.dtype[np.uint8]], kind: Kind) -> list[Any]:
    """The kernel's values of `rows`, one row of bytes each."""
    from imsperf.parsers.kernels.decode import decode_section

    starts = np.arange(len(rows), dtype=np.int64) * kind.width
    lengths = np.full(len(rows), kind.width, dtype=np.int32)
    batch = decode_section(np.ascontiguousarray(rows).reshape(-1), starts, lengths, one_field(kind))
    assert batch.schema.field("x").type == kind.arrow
    values: list[Any] = batch.column("x").to_pylist()
    return values


def plain_read(rows: np.ndarray[Any, np.dtype[np.uint8]], kind: Kind) -> list[Any]:
    return [plain_reader.read(bytes(row), kind) for row in rows]


def row(text: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(bytes.fromhex(text), dtype=np.uint8).reshape(1, -1)


@pytest.mark.parametrize("read", [plain_read, kernel_read])
@pytest.mark.parametrize(("kind", "text", "value"), KNOWN + READ_ONLY, ids=by_name)
def test_known_bytes_give_the_published_value(kind: Kind, text: str, value: Any, read: Any) -> None:
    assert read(row(text), kind) == [value]


@pytest.mark.parametrize(("kind", "text"), BROKEN, ids=by_name)
def test_bytes_that_are_no_value_give_null(kind: Kind, text: str) -> None:
    assert plain_read(row(text), kind) == [None]
    assert kernel_read(row(text), kind) == [None]


@pytest.mark.parametrize(("kind", "text", "value"), KNOWN, ids=by_name)
def test_known_value_is_written_as_published(kind: Kind, text: str, value: Any) -> None:
    assert bytes(kind.encode(for_encode(kind, [value]))[0]).hex().upper() == text


def for_encode(kind: Kind, values: Sequence[Any]) -> Any:
    """Python values in the form `encode` takes."""
    if kind.op in (Op.PACKED_TIME, Op.CENTISECONDS):
        midnight = dt.datetime.combine(dt.date.min, dt.time())
        at = [dt.datetime.combine(dt.date.min, value) - midnight for value in values]
        return np.array(at, dtype="m8[us]")
    if kind.op in (Op.PACKED_LENGTH, Op.TOD_OFFSET):
        return np.array(values, dtype="m8[us]")
    if kind.op in (Op.TOD, Op.TOD_HIGH, Op.STCKE, Op.UTC12):
        return np.array(values, dtype="M8[us]")
    return list(values) if kind.op is Op.OPAQUE else np.array(values)


def from_numpy(kind: Kind, values: Any) -> list[Any]:
    """Random values in the form the readers give."""
    if isinstance(values, list):
        return values
    plain: list[Any] = values.tolist()
    if kind.op in (Op.PACKED_TIME, Op.CENTISECONDS):
        return [(dt.datetime.min + value).time() for value in plain]
    return plain


@pytest.mark.parametrize("read", [plain_read, kernel_read])
@pytest.mark.parametrize("kind", ALL_KINDS, ids=by_name)
def test_random_values_survive_a_round_trip(kind: Kind, read: Any) -> None:
    values = random_values(kind, 500, np.random.default_rng(1))
    assert read(kind.encode(values), kind) == from_numpy(kind, values)


@pytest.mark.parametrize("kind", ALL_KINDS, ids=by_name)
def test_kernel_reads_any_bytes_as_the_plain_reader_does(kind: Kind) -> None:
    rng = np.random.default_rng(2)
    noise = rng.integers(0, 256, (1000, kind.width), np.uint8)
    nearly = kind.encode(random_values(kind, 1000, rng)).copy()  # one byte of each is changed
    nearly[np.arange(1000), rng.integers(0, kind.width, 1000)] = rng.integers(
        0, 256, 1000, np.uint8
    )
    for rows in (noise, nearly):
        if kind.op is Op.PACKED_DATE:
            rows[:, 0] &= 0x0F  # the calendar ends in the year 9999; BROKEN has the first digit
        assert kernel_read(rows, kind) == plain_read(rows, kind)


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        (kinds.u1, 256, "at most 1 bytes"),
        (kinds.u3, 2**24, "at most 3 bytes"),
        (kinds.u4, 2**32, "at most 4 bytes"),
        (kinds.u4, -1, "expected an unsigned value"),
        (kinds.u4, 1.5, "expected integers"),
        (kinds.s2, 32768, "2 bytes, signed"),
        (kinds.s2, -32769, "2 bytes, signed"),
        (kinds.hfp8, np.inf, "not finite"),
        (kinds.hfp8, np.nan, "not finite"),
        (kinds.hfp8, 1e300, "range of hexadecimal floats"),
        (kinds.hfp8, 1e-300, "range of hexadecimal floats"),
        (kinds.text(4), "RMFGAT", "at most 4 letters"),
        (kinds.packed(2), 1000, "3 decimal digits"),
        (kinds.packed(2), -1, "unsigned"),
        (kinds.length, np.timedelta64(100, "m"), "decimal digits"),
        (kinds.opaque(2), b"abc", "expected 2"),
    ],
    ids=by_name,
)
def test_value_that_does_not_fit_is_refused(kind: Kind, value: Any, words: str) -> None:
    with pytest.raises(LayoutError, match=words):
        kind.encode([value])


def test_letter_outside_the_code_page_becomes_a_question_mark() -> None:
    assert bytes(kinds.text(3).encode(["A中B"])[0]) == bytes.fromhex("C16FC2")


def test_no_time_is_eight_zero_bytes() -> None:
    nothing = np.array(["NaT"], dtype="M8[us]")
    assert bytes(kinds.tod.encode(nothing)[0]) == bytes(8)
    assert bytes(kinds.utc12.encode(nothing)[0]) == bytes(12)


def test_tod_keeps_units_given_as_integers() -> None:
    value = 0xC62D2D082BD70621
    assert bytes(kinds.tod.encode(np.array([value], np.uint64))[0]) == value.to_bytes(8, "big")


def test_short_opaque_value_is_padded_with_zeros() -> None:
    assert bytes(kinds.opaque(4).encode([b"\x01"])[0]) == b"\x01\0\0\0"


def test_code_page_1047_is_037_with_six_places_exchanged() -> None:
    table = "".join(map(chr, kinds.codepage()))
    assert sorted(table) == sorted(map(chr, range(256)))
    differs = [place for place in range(256) if table[place] != bytes([place]).decode("cp037")]
    assert differs == [0x5F, 0xAD, 0xB0, 0xBA, 0xBB, 0xBD]


def test_other_code_pages_are_those_of_python() -> None:
    assert "".join(map(chr, kinds.codepage("cp037"))) == bytes(range(256)).decode("cp037")
    with pytest.raises(LayoutError, match="no single-byte code page") as raised:
        kinds.codepage("utf-8")
    assert raised.value.hint


@pytest.mark.parametrize(
    ("width", "sql"),
    [(1, "UTINYINT"), (2, "USMALLINT"), (3, "UINTEGER"), (4, "UINTEGER"), (5, "UBIGINT")],
)
def test_unsigned_column_type_is_the_narrowest_that_fits(width: int, sql: str) -> None:
    assert kinds.unsigned(width).sql == sql
    assert kinds.signed(width).sql == sql.removeprefix("U")
