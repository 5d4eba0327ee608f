"""Log records in the order of their times, written straight into blocks: compiled kernels.

What a record of a kind is made of is a list of steps over a copy of its template; a step takes a
number or bytes from the row of its transaction, from a table, or from bytes given for each record.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from imsperf.kernels import allocating_kernel, inner, kernel, merged
from imsperf.synthetic.arrays import I16, I32, I64, U64

# columns of a step
WHAT, OFFSET, WIDTH, COLUMN, SHIFT, ADD, BASE, MODULO, STEP_COLUMNS = range(9)
# what it does: a number from a column, the sum or the larger of two, bytes of a table by a column,
# bytes given for this record, a number drawn from that of the transaction, a table by such a number
NUMBER, SUM, MOST, TABLE, GIVEN, DRAWN, DRAWN_TABLE = range(7)
# columns of a kind; ROWS and STRIDE: address of the rows it is made from, bytes of a row
LENGTH, TEMPLATE, FIRST_STEP, LAST_STEP, BEGIN, ROWS, STRIDE, KIND_COLUMNS = range(8)
GOLDEN, MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
BDW, SUFFIX = 4, 16
RADIX = 11  # bits of a digit
FITS = -1


def _memory(bits: int, swapped: bool, store: bool) -> Any:
    """An intrinsic: load or store at an address, wherever it is; big-endian where `swapped`."""

    def found(typing_context: Any, address: Any, *value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(bits)
            place = builder.inttoptr(args[0], word.as_pointer())
            if not store:
                loaded = builder.load(place, align=1)
                return builder.bswap(loaded) if swapped else loaded
            given = builder.trunc(args[1], word) if bits < 64 else args[1]
            builder.store(builder.bswap(given) if swapped else given, place, align=1)
            return context.get_dummy_value()

        if store:
            return types.none(types.int64, types.int64), generate
        return (types.int64 if bits == 64 else types.uint8)(types.int64), generate

    def storing(typing_context: Any, address: Any, value: Any) -> Any:
        return found(typing_context, address, value)

    def loading(typing_context: Any, address: Any) -> Any:
        return found(typing_context, address)

    return intrinsic(storing if store else loading)


put8, put4, put2 = (_memory(bits, swapped=True, store=True) for bits in (64, 32, 16))
put1 = _memory(8, swapped=False, store=True)
get1 = _memory(8, swapped=False, store=False)
same8, copy8 = (_memory(64, swapped=False, store=is_swapped) for is_swapped in (True, False))


@inner
def put_number(to: int, width: int, value: Any) -> bool:
    """A big-endian number of 1 to 8 bytes; whether it fits."""
    if width == 8:
        put8(to, value)
        return True
    if width == 4:
        put4(to, value)
    elif width == 2:
        put2(to, value)
    else:
        for place in range(width):
            put1(to + place, value >> (8 * (width - 1 - place)))
    return value >> (8 * width) == 0  # type: ignore[no-any-return]


@inner
def put_bytes(to: int, source: int, width: int) -> None:
    """Copy."""
    words_end = width & ~7
    for place in range(0, words_end, 8):
        same8(to + place, copy8(source + place))
    for place in range(words_end, width):
        put1(to + place, get1(source + place))


@merged
def one_step(
    to: int, steps: I64, which: int, row: int, nth: int, j: int, tables: int, given: int
) -> bool:
    """One step of a record that begins at address `to`; whether its number fits.

    `row`, `tables`, `given`: addresses.
    """
    what, width = steps[which, WHAT], steps[which, WIDTH]
    to += steps[which, OFFSET]
    if what == GIVEN:  # has no row
        put_bytes(to, given + steps[which, BASE] + j * width, width)
        return True
    first = copy8(row + 8 * steps[which, COLUMN])
    if what == NUMBER:
        return put_number(to, width, (first >> steps[which, SHIFT]) + steps[which, ADD])
    if what == TABLE:
        put_bytes(to, tables + steps[which, BASE] + first * width, width)
    elif what == SUM:
        return put_number(to, width, first + copy8(row + 8 * steps[which, BASE]))
    elif what == MOST:
        return put_number(to, width, max(first, copy8(row + 8 * steps[which, BASE])))
    else:
        drawn = (np.uint64(first) * GOLDEN + np.uint64(nth)) * MIX
        drawn >>= np.uint64(steps[which, SHIFT])
        if steps[which, MODULO] > 0:
            drawn %= np.uint64(steps[which, MODULO])
        if what == DRAWN:
            return put_number(to, width, np.int64(drawn * np.uint64(steps[which, ADD])))
        put_bytes(to, tables + steps[which, BASE] + np.int64(drawn) * width, width)
    return True


@kernel
def encode(
    used: int,
    size: int,
    order: I32,
    tick: I64,
    kind: I16,
    row: I32,
    nth: I32,
    kinds: I64,
    steps: I64,
    places: tuple[int, int, int, int],
    start: int,
    number: int,
) -> tuple[int, int, int, int]:
    """Records in `order` into blocks of at most `size` bytes (0: no blocks), behind an open one.

    `used`: bytes of the open block, which begins where the memory does; `places`: addresses of that
    memory, of templates, of tables, of what is given. `start`: TOD of tick 0; `number`: the first
    log sequence number. Returns where the open block begins, where it ends, how many were begun,
    and FITS or the step whose number did not fit its field.
    """
    out, templates, tables, given = places
    block, at, begun = 0, used, 0
    for i in range(order.shape[0]):
        record = order[i]
        mine = np.int64(kind[record])
        length = kinds[mine, LENGTH]
        if size > 0 and (at == block or length > block + size - at):
            if at > block:
                put4(out + block, (at - block) << 16)
            block, at, begun = at, at + BDW, begun + 1
        put_bytes(out + at, templates + kinds[mine, TEMPLATE], length - SUFFIX)
        data = kinds[mine, ROWS] + row[record] * kinds[mine, STRIDE]
        for which in range(kinds[mine, FIRST_STEP], kinds[mine, LAST_STEP]):
            j = record - kinds[mine, BEGIN]
            if not one_step(out + at, steps, which, data, nth[record], j, tables, given):
                return block, at, begun, which
        at += length
        put8(out + at - SUFFIX, tick[record] + start)
        put8(out + at - 8, number + i)
    if size > 0 and at > block:
        put4(out + block, (at - block) << 16)
    return block, at, begun, FITS


@kernel
def find(
    rows: I64,
    first: int,
    last: int,
    clock: int,
    cls: int,
    number: I64,
    between: tuple[int, int],
    which: int,
    tick: I64,
    kind: I16,
    row: I32,
    nth: I32,
    at: int,
) -> int:
    """The records of one kind of rows first to last between two times, from place `at` on.

    `clock`, `cls`: columns; `number`: of records, by class. Answers the place behind the last one.
    """
    begin, end = between
    for place in range(first, last):
        time = rows[place, clock]
        if begin <= time < end:
            for which_one in range(number[rows[place, cls]]):
                tick[at], kind[at], row[at], nth[at] = time, which, place, which_one
                at += 1
    return at


@allocating_kernel
def in_order(tick: I64, order: I32, other: I32, keys: U64, spare: U64) -> None:
    """Fill `order` with the places of the times in ascending order, equal ones as they stand."""
    count = tick.shape[0]
    if count == 0:
        return
    least, most = tick[0], tick[0]
    for i in range(count):
        least, most = min(least, tick[i]), max(most, tick[i])
    for i in range(count):
        order[i], keys[i] = i, np.uint64(tick[i] - least)
    span, shift = np.uint64(most - least), np.uint64(0)
    places = np.zeros(1 << RADIX, np.int64)
    mask, bit = np.uint64((1 << RADIX) - 1), np.uint64(RADIX)
    swapped = False
    while span >> shift > 0:
        a, b, c, d = (other, order, spare, keys) if swapped else (order, other, keys, spare)
        places[:] = 0
        for i in range(count):
            places[np.int64((c[i] >> shift) & mask)] += 1
        total = 0
        for digit in range(1 << RADIX):
            here = places[digit]
            places[digit] = total
            total += here
        for i in range(count):
            key = np.int64((c[i] >> shift) & mask)
            to = places[key]
            places[key] = to + 1
            b[to], d[to] = a[i], c[i]
        swapped = not swapped
        shift += bit
        if shift >= np.uint64(64):
            break
    if swapped:
        for i in range(count):
            order[i] = other[i]


@kernel
def put_together(out: I64, kept: I64, times: I64, small: I32, order: I32) -> None:
    """Rows of transactions: those kept, then new ones as times and small numbers, in `order`."""
    before, wide, narrow = kept.shape[0], times.shape[1], small.shape[1]
    for i in range(order.shape[0]):
        place = order[i]
        if place < before:
            for column in range(wide + narrow):
                out[i, column] = kept[place, column]
        else:
            for column in range(wide):
                out[i, column] = times[place - before, column]
            for column in range(narrow):
                out[i, wide + column] = small[place - before, column]
