"""The decode kernel: one compiled loop for every kind of field.

A plan has one row per field, or per item of an array, those of one encoding and width behind each
other; the kernel goes over the sections in tiles that stay in the cache, group by group, and writes
each field as Arrow wants its columns: values, validity bits, offsets and UTF-8 bytes. All output
stands in one arena, seen through views of 8 to 64 bits. Encodings: imsperf.kinds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from imsperf.kinds import Op
from imsperf.parsers.compiled import (
    I32,
    I64,
    U8,
    inner,
    kernel,
    leading_zeros,
    little64,
    put_little64,
    word16,
    word32,
    word64,
)
from imsperf.parsers.packed import BAD, EMPTY, packed_value, utc12_value, wide

# Columns of a plan. VALUES and BITS are bytes in the arena, TEXT and TEXT_END in that of text;
# FIELD is the row of the findings, STEP the items from one row's value to that of the next.
OP, WIDTH, FIELD, OFFSET, END, STEP, VALUES, BITS, TEXT, TEXT_END = range(10)
BEGIN, STOP, LEAST = range(3)  # columns of a group: rows of the plan, bytes that hold all of them
NULLS, INVALID, TEXT_BYTES = range(3)  # columns of the findings, a row per field

TILE = 256  # rows; what a pass reads and writes then stays in the cache
_SHORT = 4  # flag of a value, beside those of packed: past the section's end

# The ops as plain numbers, in the order of kinds.Op.
_UNSIGNED, _SIGNED, _FLOAT, _TEXT, _OPAQUE = (int(op) for op in list(Op)[:5])
_DATE = int(Op.PACKED_DATE)
_CENTISEC, _TOD, _TOD_HIGH, _STCKE, _TOD_OFFSET, _UTC12 = (int(op) for op in list(Op)[9:15])
_UNIX_US = 2_208_988_800_000_000  # 1970-01-01 in microseconds since 1900-01-01
_LAST_US = 255_611_289_600_000_000 - 1  # the end of the year 9999 since 1900
_DAY_CS = 8_640_000
_POWER_16 = np.array([16.0 ** (e - 64) for e in range(128)])

_NOT_BLANK = np.uint64(0xBFBFBFBFBFBFBFBF)  # bits that a blank and a zero byte do not have
_NOWHERE = -(1 << 62)
_NOT_ASCII = np.uint64(0x8080808080808080)


class Memory(NamedTuple):
    """Where the output goes: the arena by item width, and the arena of text."""

    o8: U8
    o16: Any
    o32: Any
    o64: I64
    f64: Any
    text: U8


class Tile(NamedTuple):
    """Sections of one pass: places, flags of the values of one field, first row, number of rows.

    `least` is the lowest place, below all where a field may be past the end of its section.
    """

    at: I64
    flags: U8
    first: int
    rows: int
    least: int


@inner
def _place(plan: I64, k: int, first: int, size: int) -> Any:
    """Of a row of the plan: its offset, and the index and step of its values of `size` bytes."""
    step = plan[k, STEP]
    return plan[k, OFFSET], plan[k, VALUES] // size + first * step, step


@inner
def _mark(tile: Tile, plan: I64, k: int, o8: U8, found: I64) -> None:
    """Clear the validity bits of flagged rows and count them; clear the flags."""
    some = 0
    for i in range(tile.rows):
        some |= tile.flags[i]
    if some == 0:
        return
    field, bits = plan[k, FIELD], plan[k, BITS]
    for i in range(tile.rows):
        row = tile.first + i
        place, bit = bits + (row >> 3), np.uint8(1 << (row & 7))
        if tile.flags[i] and o8[place] & bit:  # an item of an array may have cleared it
            o8[place] ^= bit
            found[field, NULLS] += 1
            found[field, INVALID] += tile.flags[i] & (BAD | _SHORT) == BAD
        tile.flags[i] = 0


# --- integers, floats, opaque ------------------------------------------------------------------


@inner
def _integers(buffer: U8, tile: Tile, plan: I64, begin: int, stop: int, o: Memory) -> None:
    """Big-endian integers of the widths of the machine: a load and a store."""
    width = plan[begin, WIDTH]
    if width == 4:
        for k in range(begin, stop):
            shift, put, step = _place(plan, k, tile.first, 4)
            for i in range(tile.rows):
                o.o32[np.uint64(put + i * step)] = word32(buffer, tile.at[i] + shift)
    elif width == 2:
        for k in range(begin, stop):
            shift, put, step = _place(plan, k, tile.first, 2)
            for i in range(tile.rows):
                o.o16[np.uint64(put + i * step)] = word16(buffer, tile.at[i] + shift)
    elif width == 8:
        for k in range(begin, stop):
            shift, put, step = _place(plan, k, tile.first, 8)
            for i in range(tile.rows):
                o.o64[np.uint64(put + i * step)] = np.int64(word64(buffer, tile.at[i] + shift))
    else:
        for k in range(begin, stop):
            shift, put, step = _place(plan, k, tile.first, 1)
            for i in range(tile.rows):
                o.o8[np.uint64(put + i * step)] = buffer[np.uint64(tile.at[i] + shift)]


@inner
def _odd_integers(buffer: U8, tile: Tile, plan: I64, begin: int, stop: int, o: Memory) -> None:
    """Big-endian integers of 3, 5, 6 and 7 bytes."""
    width = plan[begin, WIDTH]
    cut = np.int64(64 - 8 * width) if plan[begin, OP] == _SIGNED else np.int64(0)
    for k in range(begin, stop):
        shift, put, step = _place(plan, k, tile.first, 4 if width == 3 else 8)
        for i in range(tile.rows):
            value = np.int64(wide(buffer, tile.at[i] + shift, width)) << cut >> cut
            if width == 3:
                o.o32[np.uint64(put + i * step)] = value
            else:
                o.o64[np.uint64(put + i * step)] = value


@inner
def _hex_floats(buffer: U8, tile: Tile, plan: I64, begin: int, stop: int, o: Memory) -> None:
    """(-1)^s x 0.fraction x 16^(e-64)."""
    width = plan[begin, WIDTH]
    for k in range(begin, stop):
        shift, put, step = _place(plan, k, tile.first, 8)
        for i in range(tile.rows):
            place = tile.at[i] + shift
            if width == 8:
                value = np.float64(word64(buffer, place) & np.uint64(0xFFFFFFFFFFFFFF)) * 2.0**-56
            else:
                value = np.float64(word32(buffer, place) & 0xFFFFFF) * 2.0**-24
            first = buffer[np.uint64(place)]
            value *= _POWER_16[first & 0x7F]
            o.f64[np.uint64(put + i * step)] = -value if first & 0x80 else value


@inner
def _opaque(buffer: U8, tile: Tile, plan: I64, begin: int, stop: int, o: Memory) -> None:
    width = plan[begin, WIDTH]
    for k in range(begin, stop):
        shift, put = plan[k, OFFSET], plan[k, VALUES] + tile.first * width
        for i in range(tile.rows):
            place = tile.at[i] + shift
            if width == 8:
                o.o64[np.uint64(put // 8 + i)] = np.int64(little64(buffer, place))
                continue
            for j in range(width):
                o.o8[np.uint64(put + i * width + j)] = buffer[np.uint64(place + j)]


# --- packed decimals and clocks ----------------------------------------------------------------


@inner
def _packed(
    buffer: U8, tile: Tile, plan: I64, begin: int, stop: int, o: Memory, found: I64
) -> None:
    """Numbers, dates and times. They repeat, so the last one is kept."""
    op, width = plan[begin, OP], plan[begin, WIDTH]
    for k in range(begin, stop):
        shift, put, step = _place(plan, k, tile.first, 4 if op == _DATE else 8)
        last, value, flag = np.int64(0), np.int64(0), EMPTY
        for i in range(tile.rows):
            word = np.int64(wide(buffer, tile.at[i] + shift, width))
            if word != last:
                value, flag = packed_value(word, op)
                last = word
            tile.flags[i] |= flag
            if op == _DATE:
                o.o32[np.uint64(put + i * step)] = value
            else:
                o.o64[np.uint64(put + i * step)] = value
        _mark(tile, plan, k, o.o8, found)


@inner
def _centiseconds(
    buffer: U8, tile: Tile, plan: I64, begin: int, stop: int, o: Memory, found: I64
) -> None:
    for k in range(begin, stop):
        shift, put, step = _place(plan, k, tile.first, 8)
        for i in range(tile.rows):
            value = word32(buffer, tile.at[i] + shift)
            good = value < _DAY_CS
            tile.flags[i] |= 0 if good else BAD
            o.o64[np.uint64(put + i * step)] = value * 10_000 if good else 0
        _mark(tile, plan, k, o.o8, found)


@inner
def _tods(buffer: U8, tile: Tile, plan: I64, begin: int, stop: int, o: Memory, found: I64) -> None:
    """TOD clocks as us since 1970, cut; zero is no time, after 9999 invalid. Offsets stay."""
    op = plan[begin, OP]
    for k in range(begin, stop):
        shift, put, step = _place(plan, k, tile.first, 8)
        for i in range(tile.rows):
            place = tile.at[i] + shift
            if op == _TOD:
                tod = word64(buffer, place)
                us, some = np.int64(tod >> np.uint64(12)), tod != 0
            elif op == _TOD_HIGH:
                us, some = word32(buffer, place) << 20, word32(buffer, place) != 0
            elif op == _STCKE:
                tod, epoch = word64(buffer, place + 1), np.int64(buffer[place])
                us, some = np.int64(tod >> np.uint64(12)) + (epoch << 52), tod != 0 or epoch != 0
            else:
                us, some = (np.int64(word64(buffer, place)) >> 12) + _UNIX_US, True
            good = some and us <= _LAST_US
            tile.flags[i] |= 0 if good else BAD if some else EMPTY
            o.o64[np.uint64(put + i * step)] = us - _UNIX_US if good else 0
        _mark(tile, plan, k, o.o8, found)


@inner
def _utc12s(
    buffer: U8, tile: Tile, plan: I64, begin: int, stop: int, o: Memory, found: I64
) -> None:
    """yyyydddF hhmmssthmiju: UTC; the local offset that follows is not part of the time."""
    for k in range(begin, stop):
        shift, put, step = _place(plan, k, tile.first, 8)
        for i in range(tile.rows):
            place = tile.at[i] + shift
            rest = word64(buffer, place + 4) >> np.uint64(16)
            value, flag = utc12_value(word32(buffer, place), rest)
            tile.flags[i] |= flag
            o.o64[np.uint64(put + i * step)] = value
        _mark(tile, plan, k, o.o8, found)


# --- text --------------------------------------------------------------------------------------


@inner
def _ascii(buffer: U8, tile: Tile, plan: I64, k: int, pairs: Any, o: Memory, used: int) -> Any:
    """Text of ASCII letters from `used` on in its room; the new `used`, or -1 where it is not that.

    Words of 8 letters, the last one first; what is put behind the text is put over. Blanks and
    zero bytes at the end are cut.
    """
    shift, width, ends = plan[k, OFFSET], plan[k, WIDTH], plan[k, VALUES] // 4 + tile.first + 1
    begin, last, odd = plan[k, TEXT], (width - 1) // 8 * 8, np.uint64(0)
    if begin + used + width * tile.rows + 8 > plan[k, TEXT_END]:
        return -1
    for i in range(tile.rows):
        place, put, size, at = tile.at[i] + shift, begin + used, 0, last
        over = last + 8 - width  # bytes of the last word that stand before it
        while at >= 0:
            word = little64(buffer, place + at - over) >> np.uint64(8 * over)
            kept = word & _NOT_BLANK
            if size == 0 and kept != 0:
                size = at + 8 - np.int64(leading_zeros(kept) >> np.uint64(3))
            if size != 0:
                made = np.uint64(0)
                for n in range(0, 64, 16):
                    pair = pairs[word >> np.uint64(n) & np.uint64(0xFFFF)]
                    made |= np.uint64(pair) << np.uint64(n)
                put_little64(o.text, put + at, made)
                odd |= made
            at, over = at - 8, 0
        used += size
        o.o32[np.uint64(ends + i)] = used
    return -1 if odd & _NOT_ASCII else used


@inner
def _utf8(buffer: U8, tile: Tile, plan: I64, k: int, letters: Any, o: Memory, used: int) -> Any:
    """The same for letters of up to three bytes, and text that may be past its section's end."""
    shift, width, ends = plan[k, OFFSET], plan[k, WIDTH], plan[k, VALUES] // 4 + tile.first + 1
    begin, room = plan[k, TEXT], plan[k, TEXT_END] - plan[k, TEXT]
    for i in range(tile.rows):
        place, size = tile.at[i] + shift, 0 if tile.flags[i] & _SHORT else width
        while size > 0 and buffer[np.uint64(place + size - 1)] & 0xBF == 0:
            size -= 1
        if used + 3 * size > room:
            return -1
        for j in range(size):
            letter = letters[buffer[np.uint64(place + j)]]
            while True:
                o.text[begin + used] = letter & np.uint32(0xFF)
                used += 1
                letter >>= np.uint32(8)
                if letter == 0:
                    break
        o.o32[ends + i] = used
    return used


# --- all of them -------------------------------------------------------------------------------


@inner
def _where(starts: I64, lengths: I32, plan: I64, k: int, tile: Tile) -> None:
    """Section starts of a tile; one that ends before the field does points to byte 0 instead."""
    for i in range(tile.rows):
        fits = lengths[tile.first + i] >= plan[k, END]
        tile.at[i] = starts[tile.first + i] if fits else -plan[k, OFFSET]
        tile.flags[i] = 0 if fits else _SHORT


@inner
def _group(
    buffer: U8, tile: Tile, plan: I64, begin: int, stop: int,
    letters: Any, pairs: Any, o: Memory, found: I64,
) -> Any:  # fmt: skip
    """The fields of a group in a tile; False if the text arena was too small."""
    op, width = plan[begin, OP], plan[begin, WIDTH]
    if op in (_UNSIGNED, _SIGNED) and width in (1, 2, 4, 8):
        _integers(buffer, tile, plan, begin, stop, o)
    elif op == _FLOAT:
        _hex_floats(buffer, tile, plan, begin, stop, o)
    elif op == _TEXT:
        for k in range(begin, stop):
            before, used = found[plan[k, FIELD], TEXT_BYTES], np.int64(-1)
            if tile.least + plan[k, OFFSET] + width >= 8:
                used = _ascii(buffer, tile, plan, k, pairs, o, before)
            if used < 0:
                used = _utf8(buffer, tile, plan, k, letters, o, before)
            found[plan[k, FIELD], TEXT_BYTES] = used
            if used < 0:
                return False
    elif op == _OPAQUE:
        _opaque(buffer, tile, plan, begin, stop, o)
    elif op in (_UNSIGNED, _SIGNED):
        _odd_integers(buffer, tile, plan, begin, stop, o)
    elif op == _CENTISEC:
        _centiseconds(buffer, tile, plan, begin, stop, o, found)
    elif op in (_TOD, _TOD_HIGH, _STCKE, _TOD_OFFSET):
        _tods(buffer, tile, plan, begin, stop, o, found)
    elif op == _UTC12:
        _utc12s(buffer, tile, plan, begin, stop, o, found)
    else:
        _packed(buffer, tile, plan, begin, stop, o, found)
    return True


@kernel
def decode_columns(
    buffer: U8, starts: I64, lengths: I32, plan: I64, groups: I64,
    letters: Any, pairs: Any, o: Memory, found: I64, flags: U8, at: I64, spare: I64,
) -> Any:  # fmt: skip
    """Decode every section by the plan; False if the text arena was too small.

    The buffer must be as long as the widest field; Decoder sees to that. `flags`, all zero, `at`
    and `spare` have room for a tile.
    """
    for k in range(plan.shape[0]):
        for i in range((starts.size + 7) // 8):
            o.o8[np.uint64(plan[k, BITS] + i)] = 0xFF
        if plan[k, OP] == _TEXT:
            o.o32[plan[k, VALUES] // 4] = 0
    for first in range(0, starts.size, TILE):
        rows = starts.size - first if starts.size - first < TILE else TILE
        shortest: Any = np.int64(lengths[first])
        least: Any = starts[first]
        for i in range(rows):
            at[i] = starts[first + i]
            least = at[i] if at[i] < least else least
            shortest = lengths[first + i] if lengths[first + i] < shortest else shortest
        for n in range(groups.shape[0]):
            begin, stop = groups[n, BEGIN], groups[n, STOP]
            whole = shortest >= groups[n, LEAST]
            tile = Tile(at if whole else spare, flags, first, rows, least if whole else _NOWHERE)
            several = stop - begin if whole else 1
            for k in range(begin, stop, several):
                if not whole:
                    _where(starts, lengths, plan, k, tile)
                if not _group(buffer, tile, plan, k, k + several, letters, pairs, o, found):
                    return False
                if not whole:
                    _mark(tile, plan, k, o.o8, found)
    return True
