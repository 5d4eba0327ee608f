"""What integers of odd widths and packed decimals say: arithmetic for the decode kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner
from imsperf.kinds import Op
from imsperf.parsers.kernels.loads import U8, word64

BAD, EMPTY = 1, 2  # flags of a value: invalid, no value there

_NUMBER, _DATE, _CLOCK = int(Op.PACKED_NUMBER), int(Op.PACKED_DATE), int(Op.PACKED_TIME)
_SECOND_US, _DAY_US = 1_000_000, 86_400_000_000
_NO_DAY = -999_999

_LOW_4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_LOW_8 = np.uint64(0x00FF00FF00FF00FF)
_LOW_16 = np.uint64(0x0000FFFF0000FFFF)


@inner
def wide(buffer: U8, at: Any, width: Any) -> Any:
    """An unsigned integer of 1 to 8 bytes."""
    if at + width >= 8:
        return word64(buffer, at + width - 8) & (~np.uint64(0) >> np.uint64(64 - 8 * width))
    value: Any = np.uint64(0)
    for i in range(width):
        value = (value << np.uint64(8)) | np.uint64(buffer[np.uint64(at + i)])
    return value


@inner
def _digits(packed: Any) -> Any:
    """The number that up to 16 packed digits say, or -1."""
    x = np.uint64(packed)
    high = (x >> np.uint64(3)) & ((x >> np.uint64(2)) | (x >> np.uint64(1)))
    if high & np.uint64(0x1111111111111111):
        return -1
    x -= (x >> np.uint64(4) & _LOW_4) * np.uint64(0x10 - 10)
    x -= (x >> np.uint64(8) & _LOW_8) * np.uint64(0x100 - 100)
    x -= (x >> np.uint64(16) & _LOW_16) * np.uint64(0x10000 - 10_000)
    return np.int64(x - (x >> np.uint64(32)) * np.uint64(0x100000000 - 100_000_000))


@inner
def _packed_word(word: Any) -> Any:
    """Seven digits and a sign nibble: the number, or -1."""
    if word & 0xF < 0xA:
        return -1
    return _digits(word >> 4)


@inner
def _epoch_day(year: Any, day: Any) -> Any:
    """Days since 1970 of day 1 to 366 of a year, or -999999 if the year has no such day."""
    leap = (year % 4 == 0 and year % 100 != 0) or year % 400 == 0
    if year < 1 or day < 1 or day > (366 if leap else 365):
        return _NO_DAY
    b = year - 1
    return 365 * (year - 1970) + b // 4 - b // 100 + b // 400 - 478 + day


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
def packed_value(word: Any, op: int) -> Any:
    """What digits and a sign nibble say, and a flag: a number of at most 15 digits that is not
    negative; a day since 1970, 0cyydddF, where c counts centuries from 1900; microseconds, 0hhmmssF
    or, for a span of time, mmsstttF."""
    value: Any = np.int64(-1)
    if op == _NUMBER:
        sign, number = word & 0xF, _digits((word >> 4) & 0xFFFFFFFFFFFFFFF)
        if sign >= 0xA and ((sign != 0xB and sign != 0xD) or number == 0):
            value = number
    elif op == _DATE:
        number = _packed_word(word)
        day = _epoch_day(1900 + number // 1000, number % 1000)
        if 0 <= number <= 999_999 and day != _NO_DAY:
            return day, 0
    elif op == _CLOCK:
        value = _clock_us(_packed_word(word))
    else:
        value = _span_us(_packed_word(word))
    if value >= 0:
        return value, 0
    return np.int64(0), BAD if word else EMPTY


@inner
def utc12_value(date: Any, rest: Any) -> Any:
    """Microseconds since 1970 that yyyydddF hhmmssthmiju say, and a flag."""
    number, clock = _packed_word(date), _digits(rest)
    day = _epoch_day(number // 1000, number % 1000)
    us = _clock_us(clock // _SECOND_US if clock >= 0 else -1)
    if number < 0 or us < 0 or day == _NO_DAY:
        return np.int64(0), BAD if date or rest else EMPTY
    return day * _DAY_US + us + clock % _SECOND_US, 0
