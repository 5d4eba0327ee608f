"""Text of a code page to UTF-8: loops for the decode kernel.

What the loops take: section i of `rows` is at `at[i]`, its field of `width` letters `shift` bytes
behind that; text goes to `text` from `begin` on, where `used` bytes are used already, at most to
`end`; where that of each section ends goes to `out` from `put` on. All give the new `used`, or -1
where there is no room, or the letters are not ASCII.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import merged
from imsperf.parsers.kernels.loads import (
    I64,
    U8,
    leading_zeros,
    little64,
    put8,
    put32,
    put64,
    word8,
)

_NOT_BLANK = np.uint64(0xBFBFBFBFBFBFBFBF)  # bits that a blank and a zero byte do not have
_NOT_ASCII = np.uint64(0x8080808080808080)
_PAIR, _ZERO = np.uint64(0xFFFF), np.uint64(0)
_TWO, _HALF = np.uint64(16), np.uint64(32)  # bits of two letters and of four


@merged
def _letters(word: Any, pairs: Any) -> Any:
    """ASCII of 8 letters, two at a time."""
    return _half(word, pairs) | _half(word >> _HALF, pairs) << _HALF


@merged
def _half(word: Any, pairs: Any) -> Any:
    """ASCII of the lower 4 of 8 letters."""
    second = np.uint64(pairs[word >> _TWO & _PAIR])
    return np.uint64(pairs[word & _PAIR]) | second << _TWO


@merged
def short_text(
    buffer: U8, at: I64, rows: int, shift: int, width: int, pairs: Any,
    text: U8, begin: int, end: int, used: Any, out: U8, put: int,
) -> Any:  # fmt: skip
    """Text of up to 8 ASCII letters; that of the row before is not looked up again.

    Blanks and zero bytes at the end are cut.
    """
    if begin + used + width * rows + 8 > end:
        return -1
    over = np.uint64(64 - 8 * width)
    seen, known, odd = _ZERO, _ZERO, _ZERO
    size: Any = np.int64(0)
    for i in range(rows):
        word = little64(buffer, at[i] + shift + width - 8) >> over
        if word != seen:
            seen, letters = word, word & _NOT_BLANK
            known = _letters(word, pairs) if width > 4 else _half(word, pairs)
            size = 8 - np.int64(leading_zeros(letters) >> np.uint64(3)) if letters != _ZERO else 0
            odd |= known
        put64(text, begin + used, known)
        used += size
        put32(out, put + 4 * i, used)
    return -1 if odd & _NOT_ASCII != _ZERO else used


@merged
def long_text(
    buffer: U8, at: I64, rows: int, shift: int, width: int, pairs: Any,
    text: U8, begin: int, end: int, used: Any, out: U8, put: int,
) -> Any:  # fmt: skip
    """The same for any width: words of 8 letters, the last one first; what is put behind the text
    is put over."""
    if begin + used + width * rows + 8 > end:
        return -1
    last, odd, seen, known = (width - 1) // 8 * 8, _ZERO, _ZERO, _ZERO
    over = np.uint64(8 * (last + 8 - width))  # bits of the last word that stand before it
    for i in range(rows):
        place, to, letter = at[i] + shift, begin + used, last
        word = little64(buffer, place + width - 8) >> over
        while word & _NOT_BLANK == _ZERO and letter > 0:
            letter -= 8
            word = little64(buffer, place + letter)
        if word != seen:
            seen, known = word, _letters(word, pairs)
            odd |= known
        put64(text, to + letter, known)
        letters = word & _NOT_BLANK
        if letters != _ZERO:
            used += letter + 8 - np.int64(leading_zeros(letters) >> np.uint64(3))
        while letter > 0:
            letter -= 8
            turned = _letters(little64(buffer, place + letter), pairs)
            put64(text, to + letter, turned)
            odd |= turned
        put32(out, put + 4 * i, used)
    return -1 if odd & _NOT_ASCII != _ZERO else used


@merged
def any_text(
    buffer: U8, at: I64, flags: U8, rows: int, shift: int, width: int, letters: Any,
    text: U8, begin: int, end: int, used: Any, out: U8, put: int,
) -> Any:  # fmt: skip
    """Letters of up to three bytes, and text that may be past its section's end: flags say so."""
    for i in range(rows):
        place, size = at[i] + shift, 0 if flags[i] else width
        while size > 0 and word8(buffer, place + size - 1) & 0xBF == 0:
            size -= 1
        if begin + used + 3 * size > end:
            return -1
        for j in range(size):
            letter = np.int64(letters[word8(buffer, place + j)])
            while True:
                put8(text, begin + used, letter)
                used += 1
                letter >>= 8
                if letter == 0:
                    break
        put32(out, put + 4 * i, used)
    return used
