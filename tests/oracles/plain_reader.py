"""A second reader of fields: one value at a time, plain Python, nothing shared with the kernel.

The kernel of parsers.kernels.decode is checked against it. Rules: imsperf.kinds; a packed number
has decimal digits and a sign nibble of A to F; what is no date or time is None.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from imsperf.kinds import Kind, Op, codepage
from imsperf.layout import Section

_LETTERS = "".join(map(chr, codepage()))
_EPOCH = dt.datetime(1900, 1, 1)
_TOD_PER_US = 4096


def read_section(data: bytes, section: Section) -> dict[str, Any]:
    """The fields of one section; None for those past the end of `data`."""
    return {
        field.name: read(data[field.offset : field.end], field.kind)
        if field.end <= len(data)
        else None
        for field in section.fields
    }


def read(data: bytes, kind: Kind) -> Any:
    """One value, a list for an array."""
    if kind.count > 1:
        step = kind.item_width
        return [_READERS[kind.op](data[at : at + step]) for at in range(0, kind.width, step)]
    return _READERS[kind.op](data)


def _unsigned(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _signed(data: bytes) -> int:
    return int.from_bytes(data, "big", signed=True)


def _hex_float(data: bytes) -> float:
    fraction = int.from_bytes(data[1:], "big") * 16.0 ** (-2 * (len(data) - 1))
    sign = -1.0 if data[0] & 0x80 else 1.0
    return sign * fraction * 16.0 ** ((data[0] & 0x7F) - 64)


def _text(data: bytes) -> str:
    return "".join(_LETTERS[byte] for byte in data.rstrip(b"\x40\x00"))


def _packed(data: bytes) -> str | None:
    """The digits, if they are digits and a sign follows."""
    digits, sign = data.hex()[:-1], data.hex()[-1]
    return digits if digits.isdecimal() and sign in "abcdef" else None


def _packed_number(data: bytes) -> int | None:
    """No field of ours may be negative: signs B and D are for zero only."""
    digits = _packed(data)
    if digits is None or (data[-1] & 0xF in (0xB, 0xD) and int(digits)):
        return None
    return int(digits)


def _date(data: bytes) -> dt.date | None:
    digits = _packed(data)
    if digits is None or digits[0] != "0":
        return None
    return _julian(1900 + int(digits[:4]), int(digits[4:]))


def _julian(year: int, day: int) -> dt.date | None:
    if not 1 <= year <= 9999 or not 1 <= day <= 366:
        return None
    day_of_year = dt.date(year, 1, 1) + dt.timedelta(days=day - 1)
    return day_of_year if day_of_year.year == year else None


def _time(data: bytes) -> dt.time | None:
    digits = _packed(data)
    if digits is None:
        return None
    hour, minute, second = int(digits[:3]), int(digits[3:5]), int(digits[5:])
    fits = hour < 24 and minute < 60 and second < 60
    return dt.time(hour, minute, second) if fits else None


def _length(data: bytes) -> dt.timedelta | None:
    digits = _packed(data)
    if digits is None or int(digits[2:4]) > 59:
        return None
    return dt.timedelta(
        minutes=int(digits[:2]), seconds=int(digits[2:4]), milliseconds=int(digits[4:])
    )


def _centiseconds(data: bytes) -> dt.time | None:
    number = _unsigned(data)
    if number >= 8_640_000:
        return None
    return (_EPOCH + dt.timedelta(milliseconds=10 * number)).time()


def _tod(data: bytes) -> dt.datetime | None:
    units = _unsigned(data)
    return _EPOCH + dt.timedelta(microseconds=units // _TOD_PER_US) if units else None


def _tod_high(data: bytes) -> dt.datetime | None:
    return _tod(data + bytes(4))


def _stcke(data: bytes) -> dt.datetime | None:
    """The byte before the TOD is the epoch: 2^64 TOD units each."""
    us = _unsigned(data[:9]) // _TOD_PER_US
    is_time = any(data[:9]) and us < 255_611_289_600_000_000  # the year 10000, since 1900
    return _EPOCH + dt.timedelta(microseconds=us) if is_time else None


def _tod_offset(data: bytes) -> dt.timedelta:
    """Cut toward minus infinity, as an arithmetic shift cuts."""
    return dt.timedelta(microseconds=_signed(data) // _TOD_PER_US)


def _utc12(data: bytes) -> dt.datetime | None:
    digits = data.hex()
    if _packed(data[:4]) is None or not digits[8:20].isdecimal():
        return None
    day = _julian(int(digits[:4]), int(digits[4:7]))
    hour, minute, second = (int(digits[at : at + 2]) for at in (8, 10, 12))
    if day is None or hour > 23 or minute > 59 or second > 59:
        return None
    return dt.datetime.combine(day, dt.time(hour, minute, second, int(digits[14:20])))


def _wide(data: bytes) -> Decimal | None:
    number = _unsigned(data)
    return Decimal(number) if number < 2**126 else None


_READERS: dict[Op, Callable[[bytes], Any]] = {
    Op.UNSIGNED: _unsigned,
    Op.SIGNED: _signed,
    Op.HEX_FLOAT: _hex_float,
    Op.TEXT: _text,
    Op.OPAQUE: bytes,
    Op.PACKED_NUMBER: _packed_number,
    Op.PACKED_DATE: _date,
    Op.PACKED_TIME: _time,
    Op.PACKED_LENGTH: _length,
    Op.CENTISECONDS: _centiseconds,
    Op.TOD: _tod,
    Op.TOD_HIGH: _tod_high,
    Op.STCKE: _stcke,
    Op.TOD_OFFSET: _tod_offset,
    Op.UTC12: _utc12,
    Op.WIDE: _wide,
}
