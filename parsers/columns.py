"""The decode kernel: one compiled loop for every kind of field.

A plan has one row per field; the kernel goes over the sections in tiles that stay in the cache and
writes each field as Arrow wants its columns: values, validity bits, offsets and UTF-8 bytes. All
output stands in one arena, seen through views of 8 to 64 bits. Encodings: imsperf.kinds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kinds import Op
from imsperf.parsers.compiled import I32, I64, U8, inner, kernel, word16, word32, word64

# Columns of a plan. Places are bytes in the arena, TEXT and TEXT_END bytes in the text arena.
OP, OFFSET, END, ITEM, COUNT, VALUES, BITS, TEXT, TEXT_END = range(9)
PLAN_WIDTH = 9
NULLS, INVALID, TEXT_BYTES = range(3)  # columns of the findings, a row per field

TILE = 256  # rows; a pass over one field of a tile then stays in the first-level cache
_BAD, _EMPTY, _SHORT = 1, 2, 4  # flags of a value: invalid, no value there, past the section's end

# The ops as plain numbers, in the order of kinds.Op; those up to _OPAQUE accept any bytes.
_UNSIGNED, _SIGNED, _FLOAT, _TEXT, _OPAQUE = (int(op) for op in list(Op)[:5])
_NUMBER, _DATE, _CLOCK, _LENGTH = (int(op) for op in list(Op)[5:9])
_CENTISEC, _TOD, _TOD_HIGH, _STCKE, _TOD_OFFSET = (int(op) for op in list(Op)[9:14])
_UNIX_US = 2_208_988_800_000_000  # 1970-01-01 in microseconds since 1900-01-01
_NO_DAY, _LAST_US = -999_999, 255_611_289_600_000_000 - 1  # the end of the year 9999 since 1900
_DAY_CS, _SECOND_US, _DAY_US = 8_640_000, 1_000_000, 86_400_000_000
_POWER_16 = np.array([16.0 ** (e - 64) for e in range(128)])

_LOW_4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_LOW_8 = np.uint64(0x00FF00FF00FF00FF)
_LOW_16 = np.uint64(0x0000FFFF0000FFFF)


# --- integers, floats, opaque ------------------------------------------------------------------


@inner
def _wide(buffer: U8, at: Any, width: Any) -> Any:
    found: Any = np.uint64(0)
    for i in range(width):
        found = (found << np.uint64(8)) | np.uint64(buffer[np.uint64(at + i)])
    return found


@inner
def _integer(
    buffer: U8, at: I64, shift: int, width: int, signed: bool,
    o8: U8, o16: Any, o32: Any, o64: I64, base: int, stride: int,
) -> None:  # fmt: skip
    """Big-endian integers; the widths of the machine are a load and a store."""
    if width == 4:
        for i in range(at.size):
            o32[np.uint64(base + i * stride)] = word32(buffer, at[i] + shift)
    elif width == 2:
        for i in range(at.size):
            o16[np.uint64(base + i * stride)] = word16(buffer, at[i] + shift)
    elif width == 8:
        for i in range(at.size):
            o64[np.uint64(base + i * stride)] = np.int64(word64(buffer, at[i] + shift))
    elif width == 1:
        for i in range(at.size):
            o8[np.uint64(base + i * stride)] = buffer[np.uint64(at[i] + shift)]
    else:
        cut = np.int64(64 - 8 * width) if signed else np.int64(0)
        for i in range(at.size):
            value = np.int64(_wide(buffer, at[i] + shift, width)) << cut >> cut
            if width == 3:
                o32[np.uint64(base + i * stride)] = value
            else:
                o64[np.uint64(base + i * stride)] = value


@inner
def _hex_float(
    buffer: U8, at: I64, shift: int, width: int, out: Any, base: int, stride: int
) -> None:
    """(-1)^s x 0.fraction x 16^(e-64)."""
    for i in range(at.size):
        place = at[i] + shift
        if width == 8:
            value = np.float64(word64(buffer, place) & np.uint64(0xFFFFFFFFFFFFFF)) * 2.0**-56
        else:
            value = np.float64(word32(buffer, place) & 0xFFFFFF) * 2.0**-24
        first = buffer[np.uint64(place)]
        value *= _POWER_16[first & 0x7F]
        out[np.uint64(base + i * stride)] = -value if first & 0x80 else value


@inner
def _opaque(buffer: U8, at: I64, shift: int, width: int, o8: U8, base: int) -> None:
    for i in range(at.size):
        for j in range(width):
            o8[np.uint64(base + i * width + j)] = buffer[np.uint64(at[i] + shift + j)]


# --- packed decimal ----------------------------------------------------------------------------


@inner
def _digits(packed: Any) -> Any:
    """The number that up to 16 packed digits say, or -1."""
    x = np.uint64(packed)
    high = (x >> np.uint64(3)) & ((x >> np.uint64(2)) | (x >> np.uint64(1)))
    if high & np.uint64(0x1111111111111111):
        return -1
    x = (x & _LOW_4) + ((x >> np.uint64(4)) & _LOW_4) * np.uint64(10)
    x = (x & _LOW_8) + ((x >> np.uint64(8)) & _LOW_8) * np.uint64(100)
    x = (x & _LOW_16) + ((x >> np.uint64(16)) & _LOW_16) * np.uint64(10_000)
    return np.int64((x & np.uint64(0xFFFFFFFF)) + (x >> np.uint64(32)) * np.uint64(100_000_000))


@inner
def _packed_word(word: Any) -> Any:
    """Seven digits and a sign nibble: the number, or -1."""
    if word & 0xF < 0xA:
        return -1
    return _digits(word >> 4)


@inner
def _packed_number(
    buffer: U8, at: I64, shift: int, width: int, out: I64, base: int, stride: int, flags: U8
) -> None:
    """Up to 15 digits, then a sign nibble; a negative number is invalid."""
    for i in range(at.size):
        word = np.int64(_wide(buffer, at[i] + shift, width))
        sign, value = word & 0xF, _digits((word >> 4) & 0xFFFFFFFFFFFFFFF)
        if sign < 0xA or value < 0 or ((sign == 0xB or sign == 0xD) and value != 0):
            flags[i] |= _BAD if word else _EMPTY
            value = 0
        out[np.uint64(base + i * stride)] = value


@inner
def _epoch_day(year: Any, day: Any) -> Any:
    """Days since 1970 of day 1 to 366 of a year, or -999999 if the year has no such day."""
    leap = (year % 4 == 0 and year % 100 != 0) or year % 400 == 0
    if year < 1 or day < 1 or day > (366 if leap else 365):
        return _NO_DAY
    b = year - 1
    return 365 * (year - 1970) + b // 4 - b // 100 + b // 400 - 478 + day


@inner
def _packed_date(
    buffer: U8, at: I64, shift: int, out: Any, base: int, stride: int, flags: U8
) -> None:
    """0cyydddF: c counts centuries from 1900. Dates repeat, so the last one is kept."""
    last, flag = 0, _EMPTY
    day: Any = 0
    for i in range(at.size):
        word = word32(buffer, at[i] + shift)
        if word != last:
            number = _packed_word(word)
            day = _epoch_day(1900 + number // 1000, number % 1000)
            last, flag = word, 0
            if number < 0 or number > 999_999 or day == _NO_DAY:
                day, flag = 0, _BAD if word else _EMPTY
        flags[i] |= flag
        out[np.uint64(base + i * stride)] = day


@inner
def _clock_us(number: Any) -> Any:
    """hhmmss as microseconds, or -1."""
    hours, minutes, seconds = number // 10_000, number // 100 % 100, number % 100
    if number < 0 or hours > 23 or minutes > 59 or seconds > 59:
        return -1
    return (hours * 3600 + minutes * 60 + seconds) * _SECOND_US


@inner
def _span_us(number: Any) -> Any:
    """mmssttt as microseconds, or -1."""
    if number < 0 or number % 100_000 >= 60_000:
        return -1
    return (number // 100_000 * 60_000 + number % 100_000) * 1000


@inner
def _packed_clock(
    buffer: U8, at: I64, shift: int, span: bool, out: I64, base: int, stride: int, flags: U8
) -> None:
    """0hhmmssF, or, for a span of time, mmsstttF. Intervals repeat, so the last one is kept."""
    last, flag = 0, _EMPTY
    value: Any = 0
    for i in range(at.size):
        word = word32(buffer, at[i] + shift)
        if word != last:
            number = _packed_word(word)
            value = _span_us(number) if span else _clock_us(number)
            last, flag = word, 0
            if value < 0:
                value, flag = 0, _BAD if word else _EMPTY
        flags[i] |= flag
        out[np.uint64(base + i * stride)] = value


@inner
def _centiseconds(
    buffer: U8, at: I64, shift: int, out: I64, base: int, stride: int, flags: U8
) -> None:
    for i in range(at.size):
        value = word32(buffer, at[i] + shift)
        if value >= _DAY_CS:
            flags[i] |= _BAD
            value = 0
        out[np.uint64(base + i * stride)] = value * 10_000


# --- clocks ------------------------------------------------------------------------------------


@inner
def _tod(
    buffer: U8, at: I64, shift: int, op: int, out: I64, base: int, stride: int, flags: U8
) -> None:
    """TOD clocks as us since 1970, cut; zero is no time, after 9999 invalid. Offsets stay."""
    for i in range(at.size):
        place = at[i] + shift
        if op == _TOD:
            us, some = np.int64(word64(buffer, place) >> np.uint64(12)), word64(buffer, place) != 0
        elif op == _TOD_HIGH:
            us, some = word32(buffer, place) << 20, word32(buffer, place) != 0
        elif op == _STCKE:
            tod, epoch = word64(buffer, place + 1), np.int64(buffer[place])
            us, some = np.int64(tod >> np.uint64(12)) + (epoch << 52), tod != 0 or epoch != 0
        else:
            us, some = (np.int64(word64(buffer, place)) >> 12) + _UNIX_US, True
        if not some or us > _LAST_US:
            flags[i] |= _BAD if some else _EMPTY
            us = np.int64(_UNIX_US)
        out[np.uint64(base + i * stride)] = us - _UNIX_US


@inner
def _utc12(buffer: U8, at: I64, shift: int, out: I64, base: int, stride: int, flags: U8) -> None:
    """yyyydddF hhmmssthmiju: UTC; the local offset that follows is not part of the time."""
    for i in range(at.size):
        place = at[i] + shift
        date, rest = word32(buffer, place), word64(buffer, place + 4) >> np.uint64(16)
        number, clock = _packed_word(date), _digits(rest)
        day = _epoch_day(number // 1000, number % 1000)
        us = _clock_us(clock // _SECOND_US if clock >= 0 else -1)
        if number < 0 or us < 0 or day == _NO_DAY:
            flags[i] |= _BAD if date or rest else _EMPTY
            day = us = clock = 0
        out[np.uint64(base + i * stride)] = day * _DAY_US + us + clock % _SECOND_US


# --- text --------------------------------------------------------------------------------------


@inner
def _length(buffer: U8, place: int, width: int) -> int:
    """Bytes of text up to the last that is neither blank nor zero."""
    while width > 0 and buffer[np.uint64(place + width - 1)] & 0xBF == 0:
        width -= 1
    return width


@inner
def _text(
    buffer: U8, at: I64, shift: int, width: int, letters: Any, ends: Any, base: int,
    out: U8, begin: int, used: int, room: int, flags: U8,
) -> int:  # fmt: skip
    """Text as UTF-8 from `begin + used` on; the new `used`, or -1 where `room` is too small."""
    for i in range(at.size):
        place, put = at[i] + shift, begin + used
        size = 0 if flags[i] & _SHORT else _length(buffer, place, width)
        if used + size > room:  # letters of two bytes before have taken it
            return -1
        plain = np.uint32(0)
        for j in range(size):
            letter = letters[buffer[np.uint64(place + j)]]
            plain |= letter
            out[np.uint64(put + j)] = letter
        if plain & np.uint32(0xFFFFFF80):  # a letter outside ASCII: again, byte by byte
            if used + 3 * width > room:
                return -1
            put = begin + used
            for j in range(size):
                letter = letters[buffer[np.uint64(place + j)]]
                while True:
                    out[put] = letter & np.uint32(0xFF)
                    put += 1
                    letter >>= np.uint32(8)
                    if letter == 0:
                        break
            size = put - begin - used
        used += size
        ends[base + i] = used
    return used


# --- all of them -------------------------------------------------------------------------------


@inner
def _where(
    starts: I64, lengths: I32, first: int, last: int, offset: int, end: int, at: I64, flags: U8
) -> None:
    """Section starts of a tile; one that ends before the field does points to byte 0 instead."""
    for i in range(last - first):
        fits = lengths[first + i] >= end
        at[i] = starts[first + i] if fits else -offset
        flags[i] = 0 if fits else _SHORT


@inner
def _mark(flags: U8, rows: int, o8: U8, bits: int, first: int, found: I64) -> None:
    """Clear the validity bits of flagged rows and count them; clear the flags."""
    for i in range(rows):
        if flags[i]:
            row = first + i
            o8[bits + (row >> 3)] &= np.uint8(~(1 << (row & 7)) & 0xFF)
            found[NULLS] += 1
            found[INVALID] += flags[i] & (_BAD | _SHORT) == _BAD
            flags[i] = 0


@inner
def _field(
    buffer: U8, at: I64, plan: I64, first: int, letters: Any,
    o8: U8, o16: Any, o32: Any, o64: Any, f64: Any, text: Any, found: I64, flags: U8,
) -> Any:  # fmt: skip
    """One field of a tile whose first row is `first`; False if the text arena was too small."""
    op, offset, width, count = plan[OP], plan[OFFSET], plan[ITEM], plan[COUNT]
    values = plan[VALUES]
    if op == _TEXT:
        found[TEXT_BYTES] = _text(
            buffer, at, offset, width, letters, o32, values // 4 + first + 1,
            text, plan[TEXT], found[TEXT_BYTES], plan[TEXT_END] - plan[TEXT], flags,
        )  # fmt: skip
        return found[TEXT_BYTES] >= 0
    if op == _OPAQUE:
        _opaque(buffer, at, offset, width, o8, values + first * width)
        return True
    for item in range(count):
        shift, here = offset + item * width, first * count + item
        base = values // 8 + here
        if op in (_UNSIGNED, _SIGNED):
            size = 1 if width == 1 else 2 if width == 2 else 4 if width <= 4 else 8
            base, signed = values // size + here, op == _SIGNED
            _integer(buffer, at, shift, width, signed, o8, o16, o32, o64, base, count)
        elif op == _FLOAT:
            _hex_float(buffer, at, shift, width, f64, base, count)
        elif op == _NUMBER:
            _packed_number(buffer, at, shift, width, o64, base, count, flags)
        elif op == _DATE:
            _packed_date(buffer, at, shift, o32, values // 4 + here, count, flags)
        elif op in (_CLOCK, _LENGTH):
            _packed_clock(buffer, at, shift, op == _LENGTH, o64, base, count, flags)
        elif op == _CENTISEC:
            _centiseconds(buffer, at, shift, o64, base, count, flags)
        elif op in (_TOD, _TOD_HIGH, _STCKE, _TOD_OFFSET):
            _tod(buffer, at, shift, op, o64, base, count, flags)
        else:
            _utc12(buffer, at, shift, o64, base, count, flags)
    return True


@kernel
def decode_columns(
    buffer: U8, starts: I64, lengths: I32, plan: I64, letters: Any,
    o8: U8, o16: Any, o32: Any, o64: Any, f64: Any, text: Any, found: I64,
) -> Any:  # fmt: skip
    """Decode every section by the plan; False if the text arena was too small.

    The buffer must be as long as the widest field; Decoder sees to that.
    """
    scratch, flags = np.empty(TILE, np.int64), np.zeros(TILE, np.uint8)
    for field in range(plan.shape[0]):
        bits = plan[field, BITS]
        o8[bits : bits + (starts.size + 7) // 8] = 0xFF
        if plan[field, OP] == _TEXT:
            o32[plan[field, VALUES] // 4] = 0
    for first in range(0, starts.size, TILE):
        last = min(first + TILE, starts.size)
        shortest = lengths[first]
        for i in range(first, last):
            shortest = min(shortest, lengths[i])
        for field in range(plan.shape[0]):
            row, end = plan[field], plan[field, END]
            at, whole = starts[first:last], shortest >= end
            if not whole:
                _where(starts, lengths, first, last, row[OFFSET], end, scratch, flags)
                at = scratch[: last - first]
            seen = found[field]
            args = (letters, o8, o16, o32, o64, f64, text, seen, flags)
            if not _field(buffer, at, row, first, *args):
                return False
            if not whole or row[OP] > _OPAQUE:
                _mark(flags, last - first, o8, row[BITS], first, seen)
    return True
