"""What an encoding is: its width, its column type, and how to write it.

Reading is one compiled kernel for all kinds (parsers.kernels.decode); it knows a kind by its `op`.
Writing is here, vectorised: `Kind.encode(values)` gives one row of bytes per value.

What `encode` takes: integers for counts; raw units, or numpy datetime64 / timedelta64, for clocks;
str for text; bytes (or an n x width uint8 array) for opaque fields.
Rules of the encodings: z/OS MVS SMF manual SA38-0667 and the RMF field descriptions for dates and
times; z/Architecture Principles of Operation for TOD and hexadecimal floating point; the DBRC API
time stamp format of the IMS library for UTC12.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from imsperf.errors import LayoutError

U8 = npt.NDArray[np.uint8]


class Op(IntEnum):
    """The number the decode kernel dispatches on."""

    UNSIGNED = 0
    SIGNED = 1
    HEX_FLOAT = 2
    TEXT = 3
    OPAQUE = 4
    PACKED_NUMBER = 5  # n nibbles of digits, then a sign nibble
    PACKED_DATE = 6  # 0cyydddF
    PACKED_TIME = 7  # 0hhmmssF
    PACKED_LENGTH = 8  # mmsstttF
    CENTISECONDS = 9  # 1/100 s since midnight
    TOD = 10  # STCK, 8 bytes
    TOD_HIGH = 11  # high word of a TOD, 1.048576 s
    STCKE = 12  # 16 bytes
    TOD_OFFSET = 13  # signed TOD units
    UTC12 = 14  # yyyydddF hhmmssthmiju fqqs
    WIDE = 15  # unsigned, 16 bytes


@dataclass(frozen=True)
class Kind:
    """One encoding: `width` bytes in the record become one value of Arrow type `arrow`."""

    name: str
    op: Op
    width: int
    arrow: pa.DataType
    sql: str
    count: int = 1  # > 1: an array of that many items

    @property
    def item_width(self) -> int:
        """Bytes of one item; the width itself unless the kind is an array."""
        return self.width // self.count

    def encode(self, values: Any) -> U8:
        """Bytes of `values`, shape (n, width). Raises LayoutError where a value does not fit."""
        if self.count > 1:
            items = np.ascontiguousarray(values).reshape(-1)
            return _ENCODERS[self.op](items, self.item_width).reshape(-1, self.width)
        return _ENCODERS[self.op](values, self.width)


# --- integers ----------------------------------------------------------------------------------


def _big_endian(values: npt.NDArray[Any], width: int) -> U8:
    """The low `width` bytes of 64-bit integers, most significant first."""
    wide = np.ascontiguousarray(values.astype(values.dtype.newbyteorder(">")))
    return wide.view(np.uint8).reshape(-1, 8)[:, 8 - width :]


def _integers(values: Any, signed: bool) -> npt.NDArray[Any]:
    numbers = np.asarray(values)
    if numbers.dtype.kind == "f":
        raise LayoutError(
            f"found floating point values such as {numbers.flat[0]}, expected integers"
        )
    if not signed and numbers.dtype.kind == "i" and numbers.size and numbers.min() < 0:
        raise LayoutError(f"found {numbers.min()}, expected an unsigned value")
    return np.atleast_1d(numbers.astype(np.int64 if signed else np.uint64))


def _encode_unsigned(values: Any, width: int) -> U8:
    number = _integers(values, signed=False)
    if width < 8 and number.size and int(number.max()) >> (8 * width):
        raise LayoutError(f"found {number.max()}, expected at most {width} bytes, unsigned")
    return _big_endian(number, width)


def _encode_wide(values: Any, width: int) -> U8:
    """Sixteen bytes; Python integers, as numpy has none so wide."""
    integers = [int(number) for number in np.atleast_1d(np.asarray(values, dtype=object))]
    if any(not 0 <= number < WIDE_LIMIT for number in integers):
        raise LayoutError(f"found {max(integers)}, expected an unsigned value below 2^126")
    data = b"".join(number.to_bytes(width) for number in integers)
    return np.frombuffer(data, np.uint8).reshape(-1, width)


def _encode_signed(values: Any, width: int) -> U8:
    number = _integers(values, signed=True)
    limit = 1 << (8 * width - 1)
    if width < 8 and number.size and not (-limit <= number.min() and number.max() < limit):
        raise LayoutError(f"found {number.min()}..{number.max()}, expected {width} bytes, signed")
    return _big_endian(number, width)


# --- IBM hexadecimal floating point ------------------------------------------------------------


def _encode_hex_float(values: Any, width: int) -> U8:
    """(-1)^s x 0.fraction x 16^(e-64); the fraction is cut, as the machine cuts it."""
    number = np.atleast_1d(np.asarray(values, dtype=np.float64))
    if not np.isfinite(number).all():
        raise LayoutError("found a value that is not finite; hexadecimal floats have none")
    mantissa, exponent2 = np.frexp(np.abs(number))
    exponent16 = -(-exponent2 // 4)
    if ((exponent16 < -64) | (exponent16 > 63))[number != 0].any():
        raise LayoutError("found a value outside the range of hexadecimal floats")
    fraction_bits = 8 * (width - 1)
    fraction = np.ldexp(mantissa, exponent2 - 4 * exponent16 + min(fraction_bits, 56))
    word = (exponent16.astype(np.int64) + 64) << fraction_bits | fraction.astype(np.int64)
    word = np.where(number == 0, 0, word).astype(np.uint64)
    word |= (number < 0).astype(np.uint64) << np.uint64(8 * width - 1)
    return _big_endian(word, width)


# --- text --------------------------------------------------------------------------------------

DEFAULT_CODEPAGE = "cp1047"
# Code page 1047 is 037 with six places exchanged (IBM CDRA, CPGID 1047).
_DIFFERS_FROM_037 = {0x5F: "^", 0xAD: "[", 0xB0: "\xac", 0xBA: "\xdd", 0xBB: "\xa8", 0xBD: "]"}


def codepage(name: str = DEFAULT_CODEPAGE) -> npt.NDArray[np.uint32]:
    """256 Unicode code points, one for each byte of a single-byte EBCDIC code page."""
    try:
        letters = list(bytes(range(256)).decode("cp037" if name == DEFAULT_CODEPAGE else name))
    except (LookupError, UnicodeDecodeError) as error:
        raise LayoutError(
            f"code page {name!r}: found no single-byte code page of that name, expected cp1047 "
            "or one that Python knows",
            hint="for example cp1047, cp037, cp1140, cp1141, cp273, cp500",
        ) from error
    if name == DEFAULT_CODEPAGE:
        for place, letter in _DIFFERS_FROM_037.items():
            letters[place] = letter
    return np.array([ord(letter) for letter in letters], dtype=np.uint32)


def _to_ebcdic() -> U8:
    table = np.zeros(65536, dtype=np.uint8)
    points = codepage()
    table[points] = np.arange(256, dtype=np.uint8)
    return table


_EBCDIC_OF = _to_ebcdic()
_BLANK, _SUBSTITUTE = 0x40, 0x6F  # a letter outside the code page becomes a question mark


def _encode_text(values: Any, width: int) -> U8:
    """Code page 1047, padded with blanks; a text too long for its field is an error."""
    text = np.atleast_1d(np.asarray(values, dtype=np.str_))
    longest = text.dtype.itemsize // 4
    if longest > width and np.char.str_len(text).max() > width:
        raise LayoutError(
            f"found {max(text.tolist(), key=len)!r}, expected at most {width} letters"
        )
    points = text.astype(f"<U{width}").view(np.uint32).reshape(-1, width)
    known = np.minimum(points, 65535)
    out = _EBCDIC_OF[known]
    out[(out == 0) & (points != 0)] = _SUBSTITUTE
    out[points == 0] = _BLANK
    return out


# --- packed decimal ----------------------------------------------------------------------------


def _pack(number: npt.NDArray[np.int64], width: int, sign: int = 0xF) -> U8:
    """Decimal digits, two a byte, the sign in the last nibble."""
    digits = 2 * width - 1
    if number.size and (number.min() < 0 or number.max() >= 10**digits):
        raise LayoutError(f"found {number.max()}, expected {digits} decimal digits")
    powers = 10 ** np.arange(digits - 1, -1, -1, dtype=np.int64)
    nibbles = np.full((len(number), digits + 1), sign, dtype=np.uint8)
    nibbles[:, :-1] = number[:, None] // powers % 10
    return (nibbles[:, 0::2] << 4 | nibbles[:, 1::2]).astype(np.uint8)


def _encode_packed_number(values: Any, width: int) -> U8:
    return _pack(_integers(values, signed=False).astype(np.int64), width)


def _ordinal(days: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Year and day of the year of datetime64[D] values."""
    year = days.astype("datetime64[Y]")
    number = (days - year.astype("datetime64[D]")).astype(np.int64) + 1
    return year.astype(np.int64) + 1970, number


def _encode_packed_date(values: Any, width: int) -> U8:
    year, day = _ordinal(np.atleast_1d(np.asarray(values, dtype="datetime64[D]")))
    return _pack((year - 1900) * 1000 + day, width)


def _microseconds(values: Any) -> npt.NDArray[np.int64]:
    """Integer microseconds from timedelta64 or integers that are microseconds already."""
    numbers = np.atleast_1d(np.asarray(values))
    if numbers.dtype.kind == "m":
        numbers = numbers.astype("timedelta64[us]")
    return numbers.astype(np.int64)


def _encode_packed_time(values: Any, width: int) -> U8:
    seconds = _microseconds(values) // 1_000_000
    return _pack(seconds // 3600 * 10_000 + seconds // 60 % 60 * 100 + seconds % 60, width)


def _encode_packed_length(values: Any, width: int) -> U8:
    ms = _microseconds(values) // 1000
    return _pack(ms // 60_000 * 100_000 + ms % 60_000, width)


def _encode_centiseconds(values: Any, width: int) -> U8:
    return _encode_unsigned(_microseconds(values) // 10_000, width)


# --- clocks ------------------------------------------------------------------------------------

TOD_EPOCH = np.datetime64("1900-01-01T00:00:00", "us")
TOD_PER_US = 4096


def to_tod(values: Any) -> npt.NDArray[np.uint64]:
    """TOD units (2^-12 us since 1900) of datetime64 values; integers are TOD units already.

    NaT, and the integer 0, mean "no time": eight zero bytes.
    """
    values_given = np.atleast_1d(np.asarray(values))
    if values_given.dtype.kind != "M":
        return values_given.astype(np.uint64)
    us = (values_given.astype("datetime64[us]") - TOD_EPOCH).astype(np.int64)
    return np.where(np.isnat(values_given), 0, us).astype(np.uint64) * np.uint64(TOD_PER_US)


def _encode_tod(values: Any, width: int) -> U8:
    return _big_endian(to_tod(values), width)


def _encode_tod_high(values: Any, width: int) -> U8:
    return _big_endian(to_tod(values) >> np.uint64(32), width)


def _encode_stcke(values: Any, width: int) -> U8:
    """One epoch byte, the eight TOD bytes, seven more that are left zero."""
    out = np.zeros((len(np.atleast_1d(np.asarray(values))), width), dtype=np.uint8)
    out[:, 1:9] = _big_endian(to_tod(values), 8)
    return out


def _encode_tod_offset(values: Any, width: int) -> U8:
    return _encode_signed(_microseconds(values) * TOD_PER_US, width)


def _encode_utc12(values: Any, width: int) -> U8:
    """UTC with local offset zero: yyyydddF, hhmmssthmiju, then flag 0, quarter hours 00, sign C."""
    tod = to_tod(values)
    us = (tod // np.uint64(TOD_PER_US)).astype(np.int64)
    stamp = TOD_EPOCH + us.astype("timedelta64[us]")
    day = stamp.astype("datetime64[D]")
    year, number = _ordinal(day)
    rest = (stamp - day.astype("datetime64[us]")).astype(np.int64)
    seconds = rest // 1_000_000
    clock = seconds // 3600 * 10_000 + seconds // 60 % 60 * 100 + seconds % 60
    digits = _pack(clock * 1_000_000 + rest % 1_000_000, 7)  # 13 digits: 0hhmmssthmiju and a sign
    out = np.zeros((len(tod), width), dtype=np.uint8)
    out[:, 0:4] = _pack(year * 1000 + number, 4)
    shifted = digits[:, :-1] << 4 | digits[:, 1:] >> 4  # drop the leading zero nibble
    out[:, 4:10] = shifted
    out[:, 11] = 0x0C
    out[tod == 0] = 0
    return out


# --- opaque ------------------------------------------------------------------------------------


def _encode_opaque(values: Any, width: int) -> U8:
    if isinstance(values, np.ndarray) and values.dtype == np.uint8 and values.ndim == 2:
        data = values
    else:
        items = values if isinstance(values, (list, tuple, np.ndarray)) else [values]
        joined = b"".join(bytes(value).ljust(width, b"\0") for value in items)
        data = np.frombuffer(joined, dtype=np.uint8).reshape(len(items), -1)
    if data.shape[1] != width:
        raise LayoutError(f"found {data.shape[1]} opaque bytes, expected {width}")
    return data


_ENCODERS = {
    Op.UNSIGNED: _encode_unsigned,
    Op.SIGNED: _encode_signed,
    Op.HEX_FLOAT: _encode_hex_float,
    Op.TEXT: _encode_text,
    Op.OPAQUE: _encode_opaque,
    Op.PACKED_NUMBER: _encode_packed_number,
    Op.PACKED_DATE: _encode_packed_date,
    Op.PACKED_TIME: _encode_packed_time,
    Op.PACKED_LENGTH: _encode_packed_length,
    Op.CENTISECONDS: _encode_centiseconds,
    Op.TOD: _encode_tod,
    Op.TOD_HIGH: _encode_tod_high,
    Op.STCKE: _encode_stcke,
    Op.TOD_OFFSET: _encode_tod_offset,
    Op.UTC12: _encode_utc12,
    Op.WIDE: _encode_wide,
}

# --- the kinds a layout is written with --------------------------------------------------------

_UNSIGNED = {1: ("uint8", "UTINYINT"), 2: ("uint16", "USMALLINT"), 4: ("uint32", "UINTEGER")}
_SIGNED = {1: ("int8", "TINYINT"), 2: ("int16", "SMALLINT"), 4: ("int32", "INTEGER")}


def _storage(width: int, signed: bool) -> tuple[pa.DataType, str]:
    fits = next((w for w in (1, 2, 4) if width <= w), 8)
    wide = ("int64", "BIGINT") if signed else ("uint64", "UBIGINT")
    name, sql = (_SIGNED if signed else _UNSIGNED).get(fits, wide)
    return getattr(pa, name)(), sql


def unsigned(width: int) -> Kind:
    """Big-endian unsigned integer of 1 to 8 bytes; flag bytes and identifiers too."""
    arrow, sql = _storage(width, signed=False)
    return Kind(f"u{width}", Op.UNSIGNED, width, arrow, sql)


def signed(width: int) -> Kind:
    """Big-endian two's complement integer of 1 to 8 bytes."""
    arrow, sql = _storage(width, signed=True)
    return Kind(f"s{width}", Op.SIGNED, width, arrow, sql)


u1, u2, u3, u4, u5, u6, u7, u8 = (unsigned(width) for width in range(1, 9))
s1, s2, s3, s4, s5, s6, s7, s8 = (signed(width) for width in range(1, 9))
flags1, flags2, flags4 = (
    Kind(f"flags{k.width}", k.op, k.width, k.arrow, k.sql) for k in (u1, u2, u4)
)

WIDE_LIMIT = 1 << 126  # 38 digits hold every number below
u16 = Kind("u16", Op.WIDE, 16, pa.decimal128(38, 0), "DECIMAL(38,0)")
hfp4 = Kind("hfp4", Op.HEX_FLOAT, 4, pa.float64(), "DOUBLE")
hfp8 = Kind("hfp8", Op.HEX_FLOAT, 8, pa.float64(), "DOUBLE")

date = Kind("date", Op.PACKED_DATE, 4, pa.date32(), "DATE")
clock = Kind("clock", Op.PACKED_TIME, 4, pa.time64("us"), "TIME")
length = Kind("length", Op.PACKED_LENGTH, 4, pa.duration("us"), "INTERVAL")
centisec = Kind("centisec", Op.CENTISECONDS, 4, pa.time64("us"), "TIME")
tod = Kind("tod", Op.TOD, 8, pa.timestamp("us"), "TIMESTAMP")
tod_high = Kind("tod_high", Op.TOD_HIGH, 4, pa.timestamp("us"), "TIMESTAMP")
stcke = Kind("stcke", Op.STCKE, 16, pa.timestamp("us"), "TIMESTAMP")
tod_offset = Kind("tod_offset", Op.TOD_OFFSET, 8, pa.duration("us"), "INTERVAL")
utc12 = Kind("utc12", Op.UTC12, 12, pa.timestamp("us"), "TIMESTAMP")


def text(width: int) -> Kind:
    """EBCDIC text; trailing blanks and zero bytes are cut."""
    return Kind(f"text({width})", Op.TEXT, width, pa.string(), "VARCHAR")


def opaque(width: int) -> Kind:
    """Bytes that are carried and not interpreted."""
    return Kind(f"opaque({width})", Op.OPAQUE, width, pa.binary(width), "BLOB")


def packed(width: int) -> Kind:
    """Packed decimal number with a sign nibble, for example nnnF in two bytes."""
    return Kind(f"packed({width})", Op.PACKED_NUMBER, width, pa.uint64(), "UBIGINT")


def array(item: Kind, count: int) -> Kind:
    """`count` numbers of one kind, back to back."""
    return Kind(
        f"{item.name}[{count}]",
        item.op,
        item.width * count,
        pa.list_(item.arrow, count),
        f"{item.sql}[{count}]",
        count,
    )
