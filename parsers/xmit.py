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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from imsperf.errors import DumpError
from imsperf.parsers.compiled import I64, U8, inner, kernel, read_only

FIRST, LAST, CONTROL, NUMBER = 0x80, 0x40, 0x20, 0x10  # flags of a segment
_SEGMENT = 0xFFFF  # bytes that an RDW can count
_PIECE = 1 << 20  # bytes unpacked at a time
_ROOM = 253 + 8  # bytes that a segment makes at most
_MOST_CONTROLS = 1 << 16

# Text units
_DSNAM, _TERM, _LRECL, _RECFM, _UTILN = 0x0002, 0x0028, 0x0042, 0x0049, 0x1028
Units = dict[int, list[bytes]]

# What `state` holds between calls.
AT, PUT, RECORD, SPANNED, STATUS, ROWS = range(6)
MORE, ENDED, TRUNCATED, BAD = range(4)  # STATUS
# Columns of a control record: its place and end, the end of the whole data records behind it, how
# many there are, and how many of them begin with their own length as an RDW or a BDW does.
PLACE, BEHIND, DATA_END, RECORDS, WORDS = range(5)


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


def unpack(buffer: U8) -> Iterator[DataSet]:
    """The data sets in order; after the last, DumpError if there is damage or one was refused.

    Pieces may be read at any time, or not at all.
    """
    buffer = read_only(buffer)
    if not is_xmit(buffer):
        raise _error(0, f"X'{bytes(buffer[:8]).hex().upper()}'", "an INMR01 control record")
    state = np.zeros(ROWS + 1, np.int64)
    controls = np.zeros((_MOST_CONTROLS, 5), np.int64)
    _scan(buffer, state, controls)
    steps: dict[int, list[_Step]] = {}
    file, refused = 0, None
    for row in controls[: state[ROWS]]:
        name, units, number = _control(buffer, row)
        if name == "INMR02":
            steps.setdefault(number, []).append(_step(units))
        elif name == "INMR03":
            if file == len(steps):
                raise _error(int(row[PLACE]), "data of one more file", "an INMR02 for each file")
            made_by = list(steps.values())[file]
            file += 1
            if not made_by[-1].is_message:
                try:
                    yield _data_set(buffer, row, made_by)
                except DumpError as error:
                    refused = refused or error
    _judge(buffer, state)
    if refused:
        raise refused


def _judge(buffer: U8, state: I64) -> None:
    """Complain of a stream that does not end with INMR06."""
    at = int(state[AT])
    if state[STATUS] == TRUNCATED:
        raise _error(at, "the end of the file", "the rest of it, up to an INMR06 control record")
    if state[STATUS] == BAD:
        found = bytes(buffer[at : at + 8]).hex().upper()
        raise _error(at, f"X'{found}'", "a segment: its length from 2, then its flags")
    if state[STATUS] == MORE:
        raise _error(at, f"more than {_MOST_CONTROLS:,} control records", "a few for each file")
    rest = bytes(buffer[at : at + 256])  # 80-byte records are filled up with anything
    more = rest.find(_INMR01)
    if more >= 2 and is_xmit(buffer[at + more - 2 :]):
        raise _error(at + more - 2, "one more transmission", "the end of the file")


def _error(at: int, found: str, expected: str, hint: str = "") -> DumpError:
    hint = hint or "transfer it again in binary, as it was sent; compare the sizes"
    return DumpError(f"xmit: byte {at:,}: found {found}, expected {expected}", hint, offset=at)


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
        found = f"{name} with a text unit that is cut off"
        raise _error(place, found, "key, number, then length and data of each") from None


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


def _data_set(buffer: U8, row: I64, steps: list[_Step]) -> DataSet:
    """What the utilities made, undone: one INMCOPY alone; the rest is refused."""
    name = next((step.name for step in steps if step.name), "")
    place, recfm = int(row[PLACE]), steps[-1].recfm
    utilities = [step.utility for step in steps]
    hint = f"RECEIVE {name or 'it'} on z/OS and transfer what you need as a sequential data set"
    if "IEBCOPY" in utilities:
        found = f"{name or 'a data set'}, partitioned (unloaded by IEBCOPY)"
        raise _error(place, found, "a sequential data set; members are not supported", hint)
    if utilities != ["INMCOPY"]:
        found = f"{name or 'a data set'}, sent through {' and '.join(utilities)}"
        raise _error(place, found, "INMCOPY alone", hint)
    if recfm & 0x000C:
        found = f"{name or 'a data set'}, packed or compressed (X'{recfm:04X}')"
        raise _error(place, found, "its records as they are", hint)
    if recfm & 0xC000 == 0:
        raise _error(place, f"record format X'{recfm:04X}'", "fixed, variable or undefined")
    variable = recfm & 0xC000 == 0x4000
    has_words = row[RECORDS] > 0 and row[WORDS] == row[RECORDS] and not recfm & 0x0002
    pieces = _pieces(buffer, int(row[BEHIND]), int(row[DATA_END]), variable and not has_words)
    return DataSet(name, pieces, _format(recfm))


def _format(recfm: int) -> str:
    """F, V or U, then B, S, A or M as in JCL."""
    text = {0x8000: "F", 0x4000: "V", 0xC000: "U"}[recfm & 0xC000]
    for bit, letter in ((0x1000, "B"), (0x0800, "S"), (0x0400, "A"), (0x0200, "M")):
        text += letter if recfm & bit else ""
    return text


def _pieces(buffer: U8, at: int, end: int, words: bool) -> Iterator[U8]:
    """The data records from `at` to `end`, a megabyte at a time."""
    state = np.zeros(ROWS + 1, np.int64)
    state[AT], state[PUT] = at, 4 if words else 0
    out = np.empty(_PIECE, np.uint8)
    while state[AT] < end:
        _copy(buffer, words, end, out, state)
        ready = int(state[RECORD] if words else state[PUT])
        yield out[:ready].copy()
        open_bytes = int(state[PUT]) - ready
        out[:open_bytes] = out[ready : ready + open_bytes].copy()
        state[RECORD], state[PUT] = 0, open_bytes


# --- segments -----------------------------------------------------------------------------------


@inner
def _note_control(buffer: U8, state: I64, controls: I64, start: Any, end: Any) -> Any:
    """Enter a control record; says whether it is the last, INMR06."""
    row = controls[state[ROWS]]
    row[PLACE], row[BEHIND], row[DATA_END] = start, end, end
    state[ROWS] += 1
    if buffer[start] < 8:
        return False
    last = True
    for i in range(6):
        last &= buffer[start + 2 + i] == (0xC9, 0xD5, 0xD4, 0xD9, 0xF0, 0xF6)[i]
    return last


@inner
def _note_data(buffer: U8, state: I64, controls: I64, start: Any, end: Any, size: Any) -> None:
    """Count a data record behind the last control record."""
    if state[ROWS] == 0:
        return
    row = controls[state[ROWS] - 1]
    row[DATA_END] = end
    if buffer[start + 1] & NUMBER:
        return
    row[RECORDS] += 1
    if buffer[start] >= 6:
        said = np.int64(buffer[start + 2]) << 8 | np.int64(buffer[start + 3])
        row[WORDS] += said == size and buffer[start + 4] == 0 and buffer[start + 5] == 0


@kernel
def _scan(buffer: U8, state: I64, controls: I64) -> None:
    """Follow the segments to INMR06, the end or the first that cannot be one."""
    at: Any = state[AT]
    start: Any = np.int64(-1)
    size: Any = np.int64(0)
    state[STATUS] = TRUNCATED
    while at + 2 <= buffer.size:
        length, flags = np.int64(buffer[at]), buffer[at + 1]
        begins = flags & FIRST != 0
        same = start < 0 or (buffer[start + 1] ^ flags) & (CONTROL | NUMBER) == 0
        if length < 2 or begins != (start < 0) or not same:
            state[STATUS] = BAD
            break
        if at + length > buffer.size:
            break
        if begins:
            start, size = at, np.int64(0)
        at, size = at + length, size + length - 2
        if flags & LAST:
            if flags & CONTROL == 0:
                _note_data(buffer, state, controls, start, at, size)
            elif state[ROWS] == controls.shape[0]:
                state[STATUS] = MORE
                break
            elif _note_control(buffer, state, controls, start, at):
                state[STATUS] = ENDED
                break
            start = np.int64(-1)
    state[AT] = at


@inner
def _close(out: U8, state: I64, put: int, goes_on: int) -> Any:
    """End a record, or a segment of one that goes on; room for the next RDW is left."""
    at = state[RECORD]
    length = put - at
    code = (3 if goes_on else 2) if state[SPANNED] else goes_on
    out[at], out[at + 1], out[at + 2], out[at + 3] = length >> 8, length & 0xFF, code, 0
    state[SPANNED] = goes_on
    state[RECORD] = put
    return put + 4


@kernel
def _copy(buffer: U8, words: bool, end: int, out: U8, state: I64) -> None:
    """Put the records together, behind an RDW each if `words`, until `out` is full."""
    at, put = state[AT], state[PUT]
    while at < end and put + _ROOM <= out.size:
        size, flags = np.int64(buffer[at]) - 2, buffer[at + 1]
        if flags & NUMBER == 0:
            if words and put - state[RECORD] + size > _SEGMENT:
                put = _close(out, state, put, 1)
            for i in range(size):
                out[np.uint64(put + i)] = buffer[np.uint64(at + 2 + i)]
            put += size
            if words and flags & LAST:
                put = _close(out, state, put, 0)
        at += size + 2
    state[AT], state[PUT] = at, put
