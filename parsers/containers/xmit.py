"""Read what TSO TRANSMIT (XMIT) made of sequential data sets: the NETDATA format.

A transmission is a stream of segments, cut into 80-byte records that mean nothing: a byte of
length, a byte of flags, up to 253 bytes. Control records INMR01 to INMR06 among them say, in text
units, what the data set is. Each data record is one record of it (some programs send blocks).

Sources: z/OS TSO/E Customization, Format of transmitted data, control records and text units;
J. D. Palmer, R. P. O'Hara: Netdata, 7 May 1981 (bits of INMRECFM). Tried on transmissions by z/OS
and by the XMIT370 program; none of a data set of RECFM=V was at hand. A partitioned data set (an
IEBCOPY unload), an encrypted and a packed one are refused; the message of a transmission is left
out. A record that its RDW cannot describe (more than 65,531 bytes) comes out in segments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from imsperf.errors import DumpError
from imsperf.parsers.containers.xmit_segments import (
    AT,
    BAD,
    BEHIND,
    CONTROL,
    DATA_END,
    FIRST,
    GAPS,
    MORE,
    PLACE,
    PUT,
    RECORD,
    RECORDS,
    ROWS,
    STATUS,
    TRUNCATED,
    WORDS,
    copy,
    scan,
)  # fmt: skip
from imsperf.parsers.kernels.loads import I64, U8, read_only

_PIECE = 1 << 20  # bytes unpacked at a time
_MOST_CONTROLS = _MOST_GAPS = 1 << 16

# Text units
_DSNAM, _TERM, _LRECL, _RECFM, _UTILN = 0x0002, 0x0028, 0x0042, 0x0049, 0x1028
Units = dict[int, list[bytes]]

Lost = Callable[[int, str, str, int], None]  # told of bytes that hold no whole records:
# the place in what was unpacked, the reason, what was found, and how many bytes are lost


def _untold(at: int, reason: str, what: str, lost: int) -> None:
    """For who reads no damaged ones."""


class DataSet(NamedTuple):
    """A data set: its name ("" if none was sent), bytes in pieces, and record format.

    Variable records have their RDWs; fixed and undefined ones stand end to end.
    """

    name: str
    pieces: Iterator[U8]
    recfm: str


@dataclass(frozen=True)
class _Step:
    """What an INMR02 says of one utility that made the data."""

    utility: str
    name: str
    recfm: int
    is_message: bool


def is_xmit(buffer: U8) -> bool:
    """Whether it begins with an INMR01 control record, or the first segment of one."""
    start = bytes(buffer[:8])
    return start[2:] == _INMR01 and start[0] >= 8 and start[1] & 0xB0 == FIRST | CONTROL


_INMR01 = "INMR01".encode("cp037")


def unpack(buffer: U8, lost: Lost = _untold) -> Iterator[DataSet]:
    """The data sets in order; after the last, DumpError if one was refused or none is left.

    Pieces may be read at any time, or not at all. Where segments do not lead on, they go on at the
    next place where segments prove themselves; `lost` is told of the bytes between, while the
    pieces are read.
    """
    buffer = read_only(buffer)
    if not is_xmit(buffer):
        raise _error(0, f"X'{bytes(buffer[:8]).hex().upper()}'", "an INMR01 control record")
    state = np.zeros(GAPS + 1, np.int64)
    controls = np.zeros((_MOST_CONTROLS, 5), np.int64)
    gaps = np.zeros((_MOST_GAPS, 2), np.int64)
    scan(buffer, state, controls, gaps, np.full(3, -1, np.int64))
    gaps, given = gaps[: state[GAPS]], False
    steps: dict[int, list[_Step]] = {}
    file, refused = 0, None
    for number_of_row, row in enumerate(controls[: state[ROWS]]):
        name, units, number = _control(buffer, row)
        if name == "INMR02":
            steps.setdefault(number, []).append(_step(units))
        elif name == "INMR03":
            if file == len(steps):
                raise _error(int(row[PLACE]), "data of one more file", "an INMR02 for each file")
            made_by = list(steps.values())[file]
            file += 1
            if not made_by[-1].is_message:
                until = (
                    controls[number_of_row + 1, PLACE] if number_of_row + 1 < state[ROWS] else -1
                )
                mine = gaps[(gaps[:, 0] >= row[BEHIND]) & ((gaps[:, 0] < until) | (until < 0))]
                try:
                    yield _data_set(buffer, row, made_by, mine, lost)
                    given = True
                except DumpError as error:
                    refused = refused or error
    _judge(buffer, state, given)
    if refused:
        raise refused


def _judge(buffer: U8, state: I64, given: bool) -> None:
    """Complain of what follows INMR06, and of a stream without one where no data set tells it."""
    at = int(state[AT])
    if given and state[STATUS] in (TRUNCATED, BAD):
        return
    if state[STATUS] == TRUNCATED:
        raise _error(at, "the end of the file", "the rest of it, up to an INMR06 control record")
    if state[STATUS] == BAD:
        signature = bytes(buffer[at : at + 8]).hex().upper()
        raise _error(at, f"X'{signature}'", "a segment: its length from 2, then its flags")
    if state[STATUS] == MORE:
        raise _error(at, f"more than {_MOST_CONTROLS:,} control records", "a few for each file")
    rest = bytes(buffer[at : at + 256])  # 80-byte records are filled up with anything
    more = rest.find(_INMR01)
    if more >= 2 and is_xmit(buffer[at + more - 2 :]):
        raise _error(at + more - 2, "one more transmission", "the end of the file")


def _error(at: int, what: str, expected: str, hint: str = "") -> DumpError:
    hint = hint or "transfer it again in binary, as it was sent; compare the sizes"
    return DumpError(f"xmit: byte {at:,}: found {what}, expected {expected}", hint, offset=at)


# --- control records ----------------------------------------------------------------------------


def _control(buffer: U8, row: I64) -> tuple[str, Units, int]:
    """Name, text units and, of an INMR02, the number of the file."""
    place, behind = int(row[PLACE]), int(row[BEHIND])
    body, at = bytearray(), place
    while at < behind:
        length = int(buffer[at])
        body += bytes(buffer[at + 2 : at + length])
        at += length
    name = body[:6].decode("cp037")
    start = 10 if name == "INMR02" else 6
    try:
        return name, _text_units(bytes(body), start), int.from_bytes(body[6:start])
    except IndexError:
        what = f"{name} with a text unit that is cut off"
        raise _error(place, what, "key, number, then length and data of each") from None


def _text_units(body: bytes, at: int) -> Units:
    """Key, number of values, then the length of each and the value itself."""
    units: Units = {}
    while at < len(body):
        key, number, at = _word(body, at), _word(body, at + 2), at + 4
        values = units.setdefault(key, [])
        for _ in range(number):
            length, at = _word(body, at), at + 2
            if at + length > len(body):
                raise IndexError
            values.append(body[at : at + length])
            at += length
    return units


def _word(body: bytes, at: int) -> int:
    return body[at] << 8 | body[at + 1]


def _step(units: Units) -> _Step:
    utility = b"".join(units.get(_UTILN, [])).decode("cp037").strip()
    name = ".".join(part.decode("cp037").strip() for part in units.get(_DSNAM, []))
    recfm = int.from_bytes(b"".join(units.get(_RECFM, []))[:2].ljust(2, b"\0"))
    return _Step(utility, name, recfm, _TERM in units)


def _data_set(buffer: U8, row: I64, steps: list[_Step], gaps: I64, lost: Lost) -> DataSet:
    """What the utilities made, undone: one INMCOPY alone; the rest is refused."""
    name = next((step.name for step in steps if step.name), "")
    place, recfm = int(row[PLACE]), steps[-1].recfm
    utilities = [step.utility for step in steps]
    hint = f"RECEIVE {name or 'it'} on z/OS and transfer what you need as a sequential data set"
    if "IEBCOPY" in utilities:
        what = f"{name or 'a data set'}, partitioned (unloaded by IEBCOPY)"
        raise _error(place, what, "a sequential data set; members are not supported", hint)
    if utilities != ["INMCOPY"]:
        what = f"{name or 'a data set'}, sent through {' and '.join(utilities)}"
        raise _error(place, what, "INMCOPY alone", hint)
    if recfm & 0x000C:
        what = f"{name or 'a data set'}, packed or compressed (X'{recfm:04X}')"
        raise _error(place, what, "its records as they are", hint)
    if recfm & 0xC000 == 0:
        raise _error(place, f"record format X'{recfm:04X}'", "fixed, variable or undefined")
    variable = recfm & 0xC000 == 0x4000
    has_words = row[RECORDS] > 0 and row[WORDS] == row[RECORDS] and not recfm & 0x0002
    pieces = _pieces(buffer, row, gaps, variable and not has_words, lost)
    return DataSet(name, pieces, _format(recfm))


def _format(recfm: int) -> str:
    """F, V or U, then B, S, A or M as in JCL."""
    text = {0x8000: "F", 0x4000: "V", 0xC000: "U"}[recfm & 0xC000]
    for bit, letter in ((0x1000, "B"), (0x0800, "S"), (0x0400, "A"), (0x0200, "M")):
        text += letter if recfm & bit else ""
    return text


def _pieces(buffer: U8, row: I64, gaps: I64, words: bool, lost: Lost) -> Iterator[U8]:
    """The data records of a data set, a megabyte at a time, without those in the gaps."""
    state = np.zeros(GAPS + 1, np.int64)
    state[PUT] = 4 if words else 0
    out, given = np.empty(_PIECE, np.uint8), 0
    begins = [int(row[BEHIND]), *gaps[:, 1].tolist()]
    ends = [*gaps[:, 0].tolist(), int(row[DATA_END])]
    for number, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        state[AT] = begin
        while state[AT] < end:
            copy(buffer, words, end, out, state)
            ready = int(state[RECORD] if words else state[PUT])
            given += ready
            yield out[:ready].copy()
            open_bytes = int(state[PUT]) - ready
            out[:open_bytes] = out[ready : ready + open_bytes].copy()
            state[RECORD], state[PUT] = 0, open_bytes
        if number < len(gaps):
            _tell(buffer, lost, given, *gaps[number].tolist())


def _tell(buffer: U8, lost: Lost, given: int, begin: int, end: int) -> None:
    """Of a gap, in the words of a problem."""
    words = f"xmit: bytes {begin:,} to {end:,} of the transmission: found "
    if end < buffer.size:
        words += "no segments that lead from one to the next; their records are left out"
        lost(given, "damaged", words, end - begin)
    else:
        words += "no INMR06 control record behind them, expected the rest of the transmission"
        lost(given, "truncated", words, end - begin)
