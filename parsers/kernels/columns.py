"""The decode kernel: one compiled loop for every kind of field.

A plan has one row per field, or per item of an array, those of one encoding and width behind each
other; the kernel goes over the sections in tiles that stay in the cache, group by group, and writes
each field as Arrow wants its columns: values, validity bits, offsets and UTF-8 bytes. All output
stands in two arenas: that of text, and that of all else. Encodings: imsperf.kinds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel, merged
from imsperf.kinds import Op
from imsperf.parsers.kernels.loads import (
    I32,
    I64,
    U8,
    float_bits,
    little64,
    prefetch,
    put8,
    put16,
    put32,
    put64,
    word8,
    word16,
    word32,
    word64,
)
from imsperf.parsers.kernels.packed import BAD, EMPTY, packed_value, utc12_value, wide
from imsperf.parsers.kernels.text import any_text, long_text, short_text

# Columns of a plan. VALUES and BITS are bytes in the arena, TEXT and TEXT_END in that of text;
# FIELD is the row of the findings, STEP the bytes from one row's value to that of the next.
OP, WIDTH, FIELD, OFFSET, END, STEP, VALUES, BITS, TEXT, TEXT_END = range(10)
PLACES = TEXT_END - VALUES + 1  # columns from VALUES on: where the values and bits of a field stand
NULLS, INVALID, TEXT_BYTES = range(3)  # columns of the findings, a row per field

TILE = 256  # rows; what a pass reads and writes then stays in the cache
_LINE = 64  # bytes that a cache takes at once
_ALIGN = 64  # Arrow's recommended alignment, in bytes
_SHORT = 4  # flag of a value, beside those of packed: past the section's end

# The ops as plain numbers, in the order of kinds.Op.
_SIGNED, _FLOAT, _TEXT, _OPAQUE = (int(op) for op in list(Op)[1:5])
_NUMBER, _DATE = int(Op.PACKED_NUMBER), int(Op.PACKED_DATE)
_CENTISEC, _TOD, _TOD_HIGH, _STCKE, _TOD_OFFSET, _UTC12 = (int(op) for op in list(Op)[9:15])
_UNIX_US = 2_208_988_800_000_000  # 1970-01-01 in microseconds since 1900-01-01
_LAST_US = 255_611_289_600_000_000 - 1  # the end of the year 9999 since 1900
_DAY_US = 86_400_000_000
_POWER_16 = np.array([16.0 ** (e - 64) for e in range(128)])

# What the loops below take: section i of `rows` is at `at[i]`, its field `shift` bytes behind that;
# its value goes to `put` of the arena, that of the next section `step` bytes behind it. Those that
# find values without sense note it in `flags` and return all flags.

# --- integers, floats, opaque ------------------------------------------------------------------


@merged
def _integers(
    buffer: U8, at: I64, rows: int, shift: int, op: int, width: int, out: U8, put: int, step: int
) -> None:
    """Big-endian integers: a load and a store where they have a width of the machine."""
    if width == 4:
        for i in range(rows):
            put32(out, put + i * step, word32(buffer, at[i] + shift))
    elif width == 2:
        for i in range(rows):
            put16(out, put + i * step, word16(buffer, at[i] + shift))
    elif width == 8:
        for i in range(rows):
            put64(out, put + i * step, word64(buffer, at[i] + shift))
    elif width == 1:
        for i in range(rows):
            put8(out, put + i * step, word8(buffer, at[i] + shift))
    else:
        cut = 64 - 8 * width if op == _SIGNED else 0
        for i in range(rows):
            value = np.int64(wide(buffer, at[i] + shift, width)) << cut >> cut
            if width == 3:
                put32(out, put + i * step, value)
            else:
                put64(out, put + i * step, value)


@merged
def _hex_floats(
    buffer: U8, at: I64, rows: int, shift: int, width: int, out: U8, put: int, step: int
) -> None:
    """(-1)^s x 0.fraction x 16^(e-64)."""
    for i in range(rows):
        place = at[i] + shift
        if width == 8:
            value = np.float64(word64(buffer, place) & np.uint64(0xFFFFFFFFFFFFFF)) * 2.0**-56
        else:
            value = np.float64(word32(buffer, place) & 0xFFFFFF) * 2.0**-24
        first = word8(buffer, place)
        value *= _POWER_16[first & 0x7F]
        put64(out, put + i * step, float_bits(-value if first & 0x80 else value))


@merged
def _opaque(
    buffer: U8, at: I64, rows: int, shift: int, width: int, out: U8, put: int, step: int
) -> None:
    for i in range(rows):
        place, to = at[i] + shift, put + i * step
        if width == 8:
            put64(out, to, little64(buffer, place))
        elif width == 2:
            two = word16(buffer, place)
            put16(out, to, two >> 8 | two << 8)
        else:
            for j in range(width):
                put8(out, to + j, word8(buffer, place + j))


# --- packed decimals and clocks ----------------------------------------------------------------


@merged
def _numbers(
    buffer: U8, at: I64, flags: U8, rows: int, shift: int, width: int, out: U8, put: int, step: int
) -> Any:
    some = 0
    for i in range(rows):
        place = at[i] + shift
        if width == 4:
            word = word32(buffer, place)
        elif width == 2:
            word = word16(buffer, place)
        else:
            word = np.int64(wide(buffer, place, width))
        value, flag = packed_value(word, _NUMBER)
        if flag:
            flags[i] |= flag
            some = flag
        put64(out, put + i * step, value)
    return some


@merged
def _dates(
    buffer: U8, at: I64, flags: U8, rows: int, shift: int, op: int, out: U8, put: int, step: int
) -> Any:
    """Dates, times of day, lengths. They repeat, so the last one is kept."""
    last, value, flag, some = np.int64(0), np.int64(0), EMPTY, 0
    for i in range(rows):
        word = word32(buffer, at[i] + shift)
        if word != last:
            value, flag = packed_value(word, op)
            last = word
        if flag:
            flags[i] |= flag
            some = flag
        if op == _DATE:
            put32(out, put + i * step, value)
        else:
            put64(out, put + i * step, value)
    return some


@merged
def _tods(
    buffer: U8, at: I64, flags: U8, rows: int, shift: int, op: int, out: U8, put: int, step: int
) -> Any:
    """TOD clocks as us since 1970, cut; zero is no time, after 9999 invalid. Offsets stay."""
    some = 0
    us: Any
    for i in range(rows):
        place = at[i] + shift
        if op == _TOD:
            us, none = np.int64(word64(buffer, place) >> np.uint64(12)), word64(buffer, place) == 0
        elif op == _TOD_HIGH:
            us, none = word32(buffer, place) << 20, word32(buffer, place) == 0
        elif op == _STCKE:
            tod, epoch = word64(buffer, place + 1), word8(buffer, place)
            us, none = np.int64(tod >> np.uint64(12)) + (epoch << 52), tod == 0 and epoch == 0
        elif op == _TOD_OFFSET:
            us, none = (np.int64(word64(buffer, place)) >> 12) + _UNIX_US, False
        else:  # hundredths of a second of a day
            us, none = word32(buffer, place) * 10_000 + _UNIX_US, False
            us = us if us < _UNIX_US + _DAY_US else _LAST_US + 1
        if none or us > _LAST_US:
            flags[i] |= EMPTY if none else BAD
            us, some = _UNIX_US, 1
        put64(out, put + i * step, us - _UNIX_US)
    return some


@merged
def _utc12s(
    buffer: U8, at: I64, flags: U8, rows: int, shift: int, out: U8, put: int, step: int
) -> Any:
    """yyyydddF hhmmssthmiju: UTC; the local offset that follows is not part of the time."""
    some = 0
    for i in range(rows):
        place = at[i] + shift
        rest = word64(buffer, place + 4) >> np.uint64(16)
        value, flag = utc12_value(word32(buffer, place), rest)
        flags[i] |= flag
        some |= flag
        put64(out, put + i * step, value)
    return some


# --- all of them -------------------------------------------------------------------------------


@merged
def _tile(starts: I64, lengths: I32, first: int, rows: int, at: I64) -> Any:
    """Where the sections of a tile start; the first place of them, and the shortest length."""
    least: Any = starts[first]
    shortest: Any = np.int64(lengths[first])
    for i in range(rows):
        at[i] = starts[first + i]
        least = at[i] if at[i] < least else least
        shortest = lengths[first + i] if lengths[first + i] < shortest else shortest
    return least, shortest


@merged
def _where(starts: I64, lengths: I32, first: int, rows: int, field: I64, at: I64, flags: U8) -> Any:
    """The same; a section that ends before the field does points to byte 0 instead."""
    some = 0
    for i in range(rows):
        fits = lengths[first + i] >= field[END]
        at[i] = starts[first + i] if fits else -field[OFFSET]
        flags[i] = 0 if fits else _SHORT
        some |= flags[i]
    return some


@merged
def _mark(flags: U8, first: int, rows: int, bits: int, out: U8, counts: I64) -> None:
    """Clear the validity bits of flagged rows and count them; clear the flags."""
    for i in range(rows):
        flag = flags[i]
        if flag:
            place, bit = bits + ((first + i) >> 3), 1 << ((first + i) & 7)
            valid = word8(out, place)
            if valid & bit:  # an item of an array may have cleared it
                put8(out, place, valid ^ bit)
                counts[NULLS] += 1
                counts[INVALID] += flag & (BAD | _SHORT) == BAD
            flags[i] = 0


@merged
def _fetch(
    buffer: U8, starts: I64, lengths: I32, begin: int, end: int, least: Any, most: Any
) -> None:
    """Have what some sections hold from `least` to `most` brought to the cache.

    Here a part of the next tile while a field of this one is read: the fields of a tile stand too
    far apart for the processor to see what comes next.
    """
    for i in range(begin, end if end < starts.size else starts.size):
        for j in range(least, lengths[i] if lengths[i] < most else most, _LINE):
            prefetch(buffer, starts[i] + j)


@merged
def _text(
    buffer: U8, at: I64, flags: U8, rows: int, field: I64, is_plain: Any, letters: Any, pairs: Any,
    text: U8, out: U8, put: int, bad: I64,
) -> Any:  # fmt: skip
    """Text of a field; False if its room was too small."""
    shift, width, begin, end = field[OFFSET], field[WIDTH], field[TEXT], field[TEXT_END]
    used: Any = np.int64(-1)
    before = bad[TEXT_BYTES]
    if is_plain and width <= 8:
        used = short_text(buffer, at, rows, shift, width, pairs, text, begin, end, before, out, put)
    elif is_plain:
        used = long_text(buffer, at, rows, shift, width, pairs, text, begin, end, before, out, put)
    if used < 0:
        used = any_text(
            buffer, at, flags, rows, shift, width, letters, text, begin, end, before, out, put
        )
    bad[TEXT_BYTES] = used
    return used >= 0


@merged
def _values(buffer: U8, at: I64, flags: U8, rows: int, field: I64, out: U8, put: int) -> Any:
    """Values of a field that is no text, and what flags they have."""
    op, width, shift, step = field[OP], field[WIDTH], field[OFFSET], field[STEP]
    some = np.int64(0)
    if op <= _SIGNED:
        _integers(buffer, at, rows, shift, op, width, out, put, step)
    elif op == _FLOAT:
        _hex_floats(buffer, at, rows, shift, width, out, put, step)
    elif op == _OPAQUE:
        _opaque(buffer, at, rows, shift, width, out, put, step)
    elif op == _UTC12:
        some = _utc12s(buffer, at, flags, rows, shift, out, put, step)
    elif op == _NUMBER:
        some = _numbers(buffer, at, flags, rows, shift, width, out, put, step)
    elif op < _CENTISEC:
        some = _dates(buffer, at, flags, rows, shift, op, out, put, step)
    else:
        some = _tods(buffer, at, flags, rows, shift, op, out, put, step)
    return some


@kernel
def decode_columns(
    buffer: U8, starts: I64, lengths: I32, plan: I64, letters: Any, pairs: Any,
    out: U8, text: U8, counts: I64, flags: U8, at: I64, spare: I64,
) -> bool:  # fmt: skip
    """Decode every section by the plan; False if the text arena was too small.

    The buffer must be as long as the widest field; Decoder sees to that. `flags`, all zero, `at`
    and `spare` have room for a tile.
    """
    fields = plan.shape[0]
    low, high = plan[0, OFFSET] if fields else 0, np.int64(0)
    for k in range(fields):
        low = plan[k, OFFSET] if plan[k, OFFSET] < low else low
        high = plan[k, END] if plan[k, END] > high else high
        for i in range((starts.size + 7) // 8):
            put8(out, plan[k, BITS] + i, 0xFF)
        if plan[k, OP] == _TEXT:
            put32(out, plan[k, VALUES], 0)
    for first in range(0, starts.size, TILE):
        rows = starts.size - first if starts.size - first < TILE else TILE
        least, shortest = _tile(starts, lengths, first, rows, at)
        for k in range(fields):
            ahead, further = first + TILE + TILE * k // fields, TILE * (k + 1) // fields
            _fetch(buffer, starts, lengths, ahead, first + TILE + further, low, high)
            field, findings, places, some = plan[k], counts[plan[k, FIELD]], at, np.int64(0)
            put = field[VALUES] + first * field[STEP]
            if shortest < field[END]:
                places = spare
                some = _where(starts, lengths, first, rows, field, spare, flags)
            if field[OP] != _TEXT:
                some |= _values(buffer, places, flags, rows, field, out, put)
            else:
                is_plain = some == 0 and least + field[OFFSET] + field[WIDTH] >= 8
                if not _text(
                    buffer, places, flags, rows, field, is_plain, letters, pairs,
                    text, out, put + 4, findings,
                ):  # fmt: skip
                    return False
            if some != 0:
                _mark(flags, first, rows, field[BITS], out, findings)
    return True


@inner
def _rounded(size: Any) -> Any:
    return (size + _ALIGN - 1) // _ALIGN * _ALIGN


@kernel
def arrange(
    plan: I64, value_bytes: I64, text_width: I64, rows: int, utf8_bytes: int,
    places: I64, placed: I64,
) -> tuple[int, int]:  # fmt: skip
    """Where values, validity bits and text of each field begin, and where its text ends; `placed`
    gets the plan with those. Gives the bytes of the two arenas.

    `plan` has its columns up to VALUES, which are the bytes from the field's first value to that of
    an item: those of an array stand among each other. `text_width` is that of text, else -1.
    """
    size, text_size = 0, 0
    for field in range(places.shape[0]):
        is_text, width = text_width[field] >= 0, text_width[field]
        values = _rounded(value_bytes[field] * (rows + is_text))
        places[field, 0], places[field, 1], places[field, 2] = size, size + values, text_size
        size += values + _rounded((rows + 7) // 8)
        text_size += _rounded(width * (rows * utf8_bytes + 3) + 8) if is_text else 0
        places[field, 3] = text_size
    for k in range(plan.shape[0]):
        field = plan[k, FIELD]
        for n in range(VALUES):
            placed[k, n] = plan[k, n]
        for n in range(PLACES):
            placed[k, VALUES + n] = places[field, n]
        placed[k, VALUES] += plan[k, VALUES]
    return size, text_size
