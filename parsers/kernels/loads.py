"""Loads, stores and header checks that the kernels of the parsers share.

Loads are unaligned and turn big-endian bytes round in one instruction; the caller has made sure
that the bytes are there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic

from imsperf.kernels import inner

U8 = npt.NDArray[np.uint8]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]

WHOLE, FIRST, LAST, MIDDLE = range(4)  # segment codes
AFTER_GAP = 0x80  # set in the code of the first piece after lost bytes

SMF_HEADER, _IMS_LEAST = 18, 21  # bytes: the shortest SMF header; LL ZZ, code, suffix
SUFFIX = 16  # bytes of clock and sequence number that end a log record
LSN_STEP = np.uint64(1 << 24)  # a sequence number may jump by less than this in an extract
_SPARED = 16  # zeros that no record has more of in front
_DAY_CS = 8_640_000
_DAY, _SECOND = np.uint64(86_400_000_000 << 12), np.uint64(1_000_000 << 12)  # TOD clock units


def bytes_of_arrow(size: int) -> U8:
    """Bytes of Arrow's own memory: it gives again what was freed, which the system would zero."""
    return np.frombuffer(pa.allocate_buffer(max(size, 1)), np.uint8)[:size]


def read_only(array: U8) -> U8:
    """The same bytes, not to be written to: kernels are compiled for this type only."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def _loader(stored: Any, big_endian: bool, result: Any) -> Callable[[U8, Any], Any]:
    """An intrinsic `load(buffer, at)` of one unsigned integer at any byte."""
    if config.BOUNDSCHECK:
        return _checked_loader(stored.bitwidth // 8, big_endian, result.signed)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        kind, wide = (context.get_value_type(typed) for typed in (stored, result))
        value = builder.load(builder.bitcast(place, kind.as_pointer()), align=1)
        value = builder.bswap(value) if big_endian else value
        return value if kind == wide else builder.zext(value, wide)

    def typed(_context: Any, buffer: Any, _at: Any) -> Any:
        return result(buffer, types.int64), generate

    return cast(Callable[[U8, Any], Any], intrinsic(typed))


def _checked_loader(width: int, big_endian: bool, signed: bool) -> Callable[[U8, Any], Any]:
    """The same load byte by byte, where a test has the compiler look at each index."""

    @inner
    def load(buffer: U8, at: Any) -> Any:
        if at < 0 or at + width > buffer.size:
            raise IndexError("load is out of bounds")
        value: Any = np.uint64(0)
        for i in range(width):
            byte = np.uint64(buffer[at + (i if big_endian else width - 1 - i)])
            value = value << np.uint64(8) | byte
        return np.int64(value) if signed else value

    return load


word8 = _loader(types.uint8, False, types.int64)  # 1 byte
word16 = _loader(types.uint16, True, types.int64)  # 2 bytes, big-endian, unsigned
word32 = _loader(types.uint32, True, types.int64)
word64 = _loader(types.uint64, True, types.uint64)
little64 = _loader(types.uint64, False, types.uint64)


def _putter(stored: Any) -> Callable[[U8, Any, Any], None]:
    """An intrinsic `put(out, at, value)` of the low bytes of an integer, the lowest first."""
    if config.BOUNDSCHECK:
        return _checked_putter(stored.bitwidth // 8)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        kind = context.get_value_type(stored)
        place = builder.bitcast(builder.gep(array.data, [args[1]]), kind.as_pointer())
        value = args[2] if stored.bitwidth == 64 else builder.trunc(args[2], kind)
        builder.store(value, place, align=1)
        return context.get_dummy_value()

    def typed(_context: Any, out: Any, _at: Any, value: Any) -> Any:
        kind = types.uint64 if value == types.uint64 else types.int64
        return types.void(out, types.int64, kind), generate

    return cast(Callable[[U8, Any, Any], None], intrinsic(typed))


def _checked_putter(width: int) -> Callable[[U8, Any, Any], None]:
    @inner
    def put(out: U8, at: Any, value: Any) -> None:
        if at < 0 or at + width > out.size:
            raise IndexError("store is out of bounds")
        for i in range(width):
            out[at + i] = np.uint8(np.uint64(value) >> np.uint64(8 * i) & np.uint64(0xFF))

    return put


put8, put16 = _putter(types.uint8), _putter(types.uint16)
put32, put64 = _putter(types.uint32), _putter(types.uint64)


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(_context: Any, buffer: Any, _at: Any) -> Any:
    """Have a byte brought to the second cache soon; it may be anywhere."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        place = builder.gep(array.data, [args[1]])
        builder.call(call, [place, *(ir.Constant(number, constant) for constant in (0, 2, 1))])
        return context.get_dummy_value()

    return types.void(buffer, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def float_bits(_context: Any, value: Any) -> Any:
    """The 8 bytes of a float as an integer."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(types.int64))

    return types.int64(types.float64), generate


@intrinsic  # type: ignore[untyped-decorator]
def leading_zeros(_context: Any, word: Any) -> Any:
    """Zero bits above the highest one of a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], context.get_constant(types.boolean, True))
        return zeros

    return types.uint64(types.uint64), generate


@inner
def _four_words(buffer: U8, at: Any) -> Any:
    """The bits that are set in any of 32 bytes."""
    bits = word64(buffer, at) | word64(buffer, at + 8)
    return bits | word64(buffer, at + 16) | word64(buffer, at + 24)


@inner
def is_zero(buffer: U8, at: Any, end: Any) -> Any:
    """Whether all bytes between two places are zero."""
    while at + 32 <= end:
        if _four_words(buffer, at) != 0:
            return False
        at += 32
    while at + 8 <= end:
        if word64(buffer, at) != 0:
            return False
        at += 8
    while at < end:
        if buffer[at] != 0:
            return False
        at += 1
    return True


@inner
def zeros_begin(buffer: U8, at: Any, least: Any) -> Any:
    """Where the zeros begin that end at `at`, not before `least`."""
    while at - 32 >= least and _four_words(buffer, at - 32) == 0:
        at -= 32
    while at - 8 >= least and word64(buffer, at - 8) == 0:
        at -= 8
    while at > least and buffer[at - 1] == 0:
        at -= 1
    return at


@inner
def zeros_end(buffer: U8, at: Any, most: Any) -> Any:
    """Where the zeros end that begin at `at`, not behind `most`."""
    while at + 32 <= most and _four_words(buffer, at) == 0:
        at += 32
    while at + 8 <= most and word64(buffer, at) == 0:
        at += 8
    while at < most and buffer[at] == 0:
        at += 1
    return at


@inner
def behind_zeros(buffer: U8, at: Any, until: Any) -> Any:
    """Where to go on looking for a record: `at`, or shortly before the zeros there end. No record
    begins with as many as are left."""
    first = at
    while at + 64 <= until and _four_words(buffer, at) | _four_words(buffer, at + 32) == 0:
        at += 64
    return max(first, at - _SPARED)


# --- does it make sense -------------------------------------------------------------------------


@inner
def sane_smf(buffer: U8, at: int) -> Any:
    """Time of day and packed date 0cyydddF at their places; 18 bytes are there."""
    date = word32(buffer, at + 10)
    day = (date >> 12 & 0xF) * 100 + (date >> 8 & 0xF) * 10 + (date >> 4 & 0xF)
    digits = (date >> 3) & ((date >> 2) | (date >> 1)) & 0x11111110
    return (
        word32(buffer, at + 6) < _DAY_CS
        and date < 0x02000000
        and date & 0xF >= 0xC
        and digits == 0
        and 1 <= day <= 366
    )


@inner
def sane(buffer: U8, at: int, length: int, clocks: Any) -> Any:
    """A record's header (SMF) or suffix (IMS); `clocks` holds the two TOD limits, none for SMF."""
    if clocks.size == 0:
        return length >= SMF_HEADER and sane_smf(buffer, at)
    if length < _IMS_LEAST:
        return False
    clock = word64(buffer, at + length - 16)
    return clocks[0] <= clock <= clocks[1]


@inner
def segment(buffer: U8, at: int, end: int) -> Any:
    """Length of the segment at `at`, or 0 where no RDW that ends by `end` stands."""
    if at + 4 > end:
        return 0
    length = word16(buffer, at)
    if length < 4 or at + length > end or buffer[at + 2] > MIDDLE or buffer[at + 3] != 0:
        return 0
    return length


@inner
def block(buffer: U8, at: int) -> Any:
    """Length that a BDW says, or 0 where none stands; bit 0 marks the 31-bit form."""
    if at + 8 > buffer.size:
        return 0
    if buffer[at] & 0x80:
        long = word32(buffer, at) & 0x7FFFFFFF
        return long if long >= 8 else 0
    length = word16(buffer, at)
    return length if length >= 8 and word16(buffer, at + 2) == 0 else 0


@inner
def is_name(buffer: U8, at: int) -> Any:
    """Whether a system id stands at `at`, in EBCDIC: letters, digits, $ # @, blanks behind them."""
    for i in range(at, at + 4):
        byte = buffer[i]
        low = byte & 0xF
        is_letter = byte >= 0xC1 and low <= 9 and (low or byte == 0xF0) and byte != 0xE1
        is_sign = byte == 0x5B or byte == 0x7B or byte == 0x7C
        if not (is_letter or is_sign or (byte == 0x40 and i > at)):
            return False
    return True


@inner
def is_named(buffer: U8, at: int) -> Any:
    """Whether an SMF header makes sense, has a year from 1970 on and a system id: data may look
    like a header otherwise."""
    if at + SMF_HEADER > buffer.size or not sane_smf(buffer, at):
        return False
    if buffer[at + 10] == 0 and buffer[at + 11] < 0x70:
        return False
    return is_name(buffer, at + 14)


@inner
def near(buffer: U8, end: int, then: int, clocks: Any) -> Any:
    """Whether log records may end at `end` and `then`: clocks that make sense, near each other."""
    if min(end, then) < SUFFIX or max(end, then) > buffer.size:
        return False
    clock, later = word64(buffer, end - 16), word64(buffer, then - 16)
    if not clocks[0] <= clock <= clocks[1] or not clocks[0] <= later <= clocks[1]:
        return False
    return later - clock < _DAY if clock <= later else clock - later < _SECOND


@inner
def follows(buffer: U8, end: int, then: int, clocks: Any) -> Any:
    """Whether the log record that ends at `then` may follow the one that ends at `end`: near it,
    and with a sequence number that rises."""
    if not near(buffer, end, then, clocks):
        return False
    lsn, number = word64(buffer, end - 8), word64(buffer, then - 8)
    return lsn < number and number - lsn < LSN_STEP
