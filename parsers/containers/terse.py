"""Unpack data sets packed on z/OS by AMATERSE or TRSMAIN, in the PACK and the SPACK form.

A packed data set is a header of 12 bytes and a string of 12-bit codes: 0 ends it, 1 to 256 is a
byte plus one, 257 ends a record, a higher one stands for a string that both sides have learned.
PACK learns each string it has just read with the next byte behind it; SPACK learns each pair of
neighbouring strings. Both forget the string whose last use is longest ago.

Source: the Open Mainframe Project's tersedecompress (the format as facts) and data sets packed on
a real system, FB and VB. No sample of VBS or undefined records was at hand: the header says only
fixed or variable, and a variable one is read as VB. A record that its RDW cannot describe (more
than 65,531 bytes) comes out in segments. Data packed on a PC (header 01 or 07) is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from imsperf.errors import DumpError
from imsperf.parsers.containers.terse_codes import (
    BAD,
    CODE,
    ENDED,
    HEADER,
    MARK,
    MARKS,
    MORE,
    PUT,
    RECORD,
    SPANNED,
    STATUS,
    TRUNCATED,
    new_state,
    pack,
    pack_table,
    spack,
    spack_tables,
)
from imsperf.parsers.kernels.loads import I64, U8, read_only

_BLOCK = 1_024  # bytes of a record of the packed data set: the last one is filled up with anything
_PIECE = 1 << 20  # bytes unpacked at a time
_DEFAULT_LIMIT = 1 << 30  # bytes
_NATIVE = (b"\x01\x89\x69\xa5", b"\x07\x89\x69\xa5")  # packed on a PC
_MVS = 0x04  # flag: packed on MVS


class Header(NamedTuple):
    """What the first 12 bytes say."""

    spack: bool
    variable: bool
    record_length: int
    block_size: int


@dataclass(frozen=True)
class Unpacked:
    """The bytes of the data set: variable records with their RDWs, fixed ones end to end.

    `problem` says what was found amiss, after which nothing more was read; "" if the end was
    reached. `stopped` says that there was more than the limit, which is no problem of the file.
    """

    data: U8
    variable: bool
    record_length: int
    problem: str
    stopped: bool


def is_terse(buffer: U8) -> bool:
    """Whether the header is one of a packed data set, and could not be an RDW or a BDW."""
    start = bytes(buffer[: HEADER + 5])
    if start[:4] in _NATIVE:
        return True
    try:
        header = read_header(buffer)
    except DumpError:
        return False
    if start[2:4] == b"\0\0" or len(start) < HEADER + 2:  # as in an RDW
        return False
    codes = [int.from_bytes(start[at : at + 2]) for at in (HEADER, HEADER + 1)]
    learned = header.spack and (codes[0] >> 4 > MARK or codes[1] & 0xFFF > MARK)
    return not learned


def read_header(buffer: U8) -> Header:
    """Take the header apart; DumpError if it contradicts itself."""
    start = bytes(buffer[:HEADER])
    if start[:4] in _NATIVE:
        raise _refused(0, f"X'{start[:4].hex()}', packed on a PC", "02 or 05, packed on a host")
    if len(start) < HEADER:
        raise _refused(0, f"{len(start)} bytes", f"a header of {HEADER}")
    if start[0] not in (2, 5):
        raise _refused(0, f"X'{start[0]:02X}'", "02 (PACK) or 05 (SPACK)")
    if start[1] > 1:
        raise _refused(1, f"X'{start[1]:02X}'", "00 (fixed records) or 01 (variable)")
    short, flags, ratio = int.from_bytes(start[2:4]), start[4], start[5]
    block, long = int.from_bytes(start[6:8]), int.from_bytes(start[8:12])
    if short and long and short != long:
        raise _refused(8, f"a record length of {long}", f"{short}, as at byte 2, or 0")
    if not 0 < (short or long) < 1 << 31:
        raise _refused(2, f"a record length of {short or long}", "1 to 2,147,483,647")
    if not flags & _MVS and (flags or ratio or block):
        raise _refused(4, f"flags X'{flags:02X}'", "the MVS flag X'04', or no flags at all")
    return Header(start[0] == 5, start[1] == 1, short or long, block)


def _refused(at: int, what: str, expected: str) -> DumpError:
    message = f"terse: byte {at}: found {what}, expected {expected}"
    hint = "pack it with AMATERSE (PACK or SPACK) and transfer it in binary, in full"
    return DumpError(message, hint, offset=at)


def unpack(buffer: U8, limit: int = _DEFAULT_LIMIT) -> Unpacked:
    """Unpack into memory, at most `limit` bytes; DumpError if the header is not one."""
    stream = Unpacking(buffer, limit)
    pieces = list(stream)
    data = np.concatenate(pieces) if pieces else np.zeros(0, np.uint8)
    header = stream.header
    return Unpacked(data, header.variable, header.record_length, stream.problem, stream.stopped)


class Unpacking:
    """Unpack a piece at a time: iterate once, then ask for `problem` and `stopped`."""

    def __init__(self, buffer: U8, limit: int = _DEFAULT_LIMIT) -> None:
        self.header = read_header(buffer)
        self.problem = ""
        self.stopped = False
        self._buffer = read_only(buffer)
        self._limit = limit

    def __iter__(self) -> Iterator[U8]:
        header = self.header
        step = spack if header.spack else pack
        table = spack_tables() if header.spack else pack_table()
        state = new_state(header.variable)
        out, total = np.empty(_PIECE, np.uint8), 0
        while state[STATUS] == MORE and not self.stopped:
            state[MARKS] = 0
            step(self._buffer, header.variable, out, state, table)
            if state[STATUS] == ENDED and header.variable:
                _finish(out, state)
            ready = int(state[RECORD] if header.variable else state[PUT])
            self.stopped = total + ready > self._limit
            piece = out[:ready].copy()
            total += ready
            yield piece[: len(piece) - max(total - self._limit, 0)]
            open_bytes = int(state[PUT]) - ready
            out[:open_bytes] = out[ready : ready + open_bytes].copy()
            state[RECORD], state[PUT] = 0, open_bytes
        if not self.stopped:
            self.problem = self._judge(state, total)

    def _judge(self, state: I64, total: int) -> str:
        """What is amiss at the end, in words."""
        code, header = int(state[CODE]), self.header
        open_bytes = int(state[PUT]) - 4 if header.variable else total % header.record_length
        at = f"byte {HEADER + code * 3 // 2:,}"
        rest = f", {open_bytes:,} bytes into a record" if open_bytes > 0 else ""
        left_out = ", which is left out" if rest and header.variable else ""
        if state[STATUS] == TRUNCATED:
            return f"terse: {at}: found the end of the file{rest}{left_out}, expected an end code"
        if state[STATUS] == BAD:
            return (
                f"terse: {at}: found a code for no known string{rest}{left_out}, "
                "expected a known one: the file is damaged"
            )
        if open_bytes > 0 and not header.variable:
            return (
                f"terse: {at}: found an end code{rest}, "
                f"expected records of {header.record_length:,} bytes"
            )
        behind = self._buffer[HEADER + code * 3 // 2 + 2 :]
        if behind.size >= _BLOCK and behind.any():
            return (
                f"terse: {at}: found an end code and {behind.size:,} bytes behind it, "
                f"expected fewer than {_BLOCK:,}: the file is damaged"
            )
        return ""


def _finish(out: U8, state: I64) -> None:
    """Close the last record: an end code stands for its mark."""
    if state[PUT] - state[RECORD] > 4:
        code = 2 if state[SPANNED] else 0
        at, length = int(state[RECORD]), int(state[PUT] - state[RECORD])
        out[at : at + 4] = length >> 8, length & 0xFF, code, 0
        state[RECORD] = state[PUT]
        state[PUT] += 4
