"""Signs of records that need no chain of lengths, and what a file was before it was changed.

An SMF header tells itself by a packed date, a time of day, a system id in EBCDIC and the bits of
its first byte that z/OS sets; a log record by a TOD clock and a sequence number that rises. They
are looked for at every byte, so that they show through lost lengths, and after translating back
through a wrong translation as well.
Sources: SMF manual SA38-0667, standard record header; IMS Diagnosis, log sequence field; code
pages IBM-1047 and ISO8859-1 as z/OS UNIX maps them (X'15' is the newline).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from imsperf.parsers.kernels.loads import I64, U8, read_only

_HEADER = 14  # bytes of a header without its RDW, up to the system id
_DAY_CS = 8_640_000
_MVS = 0x1E  # bits 3 to 6 of the flag byte: MVS/SP version 4 and those before it
_SUFFIX = 16
_LSN_BITS = np.uint64(48)  # that a sequence number takes at most
_LSN_STEP, _HOUR = 16, 3_600_000_000 << 12  # between neighbours; TOD clock units
_AHEAD = 8  # hits looked at to find the next: a suffix seen one byte late is a hit as well
_BLANK = 0x40
_EOR, _MARKS = 0x80, 0xF0  # descriptor bits of FTP: the end of a record; all that have a meaning
_LINES = 6  # LFs with a CR in front of each that are no chance
_IS_TEXT = np.isin(np.arange(256), [9, 10, 13, *range(32, 127)])
_IS_NAME = np.zeros(256, np.bool_)  # EBCDIC blank $ # @, letters, digits
_IS_NAME[[_BLANK, 0x5B, 0x7B, 0x7C]] = True
for _first, _last in ((0xC1, 0xC9), (0xD1, 0xD9), (0xE2, 0xE9), (0xF0, 0xF9)):
    _IS_NAME[_first : _last + 1] = True
_PLACES = dict(zip(b"\x5f\xad\xb0\xba\xbb\xbd\x15\x25", b"^[\xac\xdd\xa8]\n\x85", strict=True))


def headers(data: U8) -> I64:
    """Where the flag byte of an SMF record stands, its system id in EBCDIC."""
    rows = data.size - _HEADER + 1
    if rows <= 0:
        return np.empty(0, np.int64)
    is_day = (data[6 : rows + 6] <= 1) & (data[9 : rows + 9] & 0xF >= 0xC)
    at = np.flatnonzero(is_day & (data[:rows] & _MVS == _MVS))
    digits = [data[at + place] >> shift & 0xF for place in (7, 8, 9) for shift in (4, 0)][:5]
    good = np.logical_and.reduce([digit <= 9 for digit in digits])
    at, (hundreds, tens, ones) = at[good], [digit[good].astype(np.int64) for digit in digits[2:]]
    day = 100 * hundreds + 10 * tens + ones
    time = sum(data[at + 2 + n].astype(np.int64) << (24 - 8 * n) for n in range(4))
    named = data[at + 10] != _BLANK
    for place in range(10, _HEADER):
        named &= _IS_NAME[data[at + place]]
    places: I64 = at[named & (time < _DAY_CS) & (day >= 1) & (day <= 366)]
    return places


def suffixes(data: U8, clocks: npt.NDArray[np.uint64]) -> I64:
    """Where suffixes of log records begin that one with a higher number and clock follows."""
    places, clock, lsn = [], [], []
    for shift in range(min(8, data.size)):
        words = data[shift : shift + (data.size - shift) // 8 * 8].view(">u8").astype(np.uint64)
        first, then = words[:-1], words[1:]
        is_small = then >> _LSN_BITS == 0
        hit = np.flatnonzero(is_small & (first >= clocks[0]) & (first <= clocks[1]))
        places.append(hit * 8 + shift)
        clock.append(first[hit])
        lsn.append(then[hit])
    if not places:
        return np.empty(0, np.int64)
    at = np.concatenate(places)
    order = np.argsort(at)
    now, number = (np.concatenate(signs)[order].astype(np.int64) for signs in (clock, lsn))
    return at[order][_leads_on(at[order], now, number)]


def _leads_on(at: I64, clock: I64, lsn: I64) -> npt.NDArray[np.bool_]:
    """Whether one of the next few hits goes on where a hit stops."""
    leads_on = np.zeros(len(at), np.bool_)
    for ahead in range(1, min(_AHEAD, len(at))):
        step, later = lsn[ahead:] - lsn[:-ahead], clock[ahead:] - clock[:-ahead]
        near = (step > 0) & (step <= _LSN_STEP) & (later >= 0) & (later < _HOUR)
        leads_on[:-ahead] |= near & (at[ahead:] - at[:-ahead] >= _SUFFIX)
    return leads_on


def _from_latin(places: dict[int, int]) -> npt.NDArray[np.uint8]:
    """EBCDIC of ISO8859-1: code page 037 but for some places."""
    table = [places.get(byte, ord(bytes([byte]).decode("cp037"))) for byte in range(256)]
    return np.argsort(np.array(table, np.uint8)).astype(np.uint8)


_BACK = {"IBM-1047": _from_latin(_PLACES), "IBM-037": _from_latin({})}
PAGES = tuple(_BACK)


def translated_back(data: U8, page: str = "IBM-1047") -> U8:
    """Bytes that were translated from an EBCDIC code page to ISO8859-1, as they were."""
    return read_only(_BACK[page][data])


def pairs_turned(data: U8) -> U8:
    """The bytes with the two of each pair in the other order."""
    return read_only(data[: data.size // 2 * 2].reshape(-1, 2)[:, ::-1].ravel())


def out_of_utf8(data: U8) -> U8 | None:
    """ISO8859-1 letters that were written as UTF-8, as single bytes; None where it is no UTF-8."""
    text = data.tobytes().decode("utf-8", "replace")
    if any(ord(letter) > 0xFF for letter in set(text[:-4])):  # its end may be cut
        return None
    return read_only(np.frombuffer(text[:-4].encode("latin-1", "replace"), np.uint8))


def without_cr(data: U8) -> U8:
    """The bytes without the CR in front of each LF."""
    return read_only(np.frombuffer(data.tobytes().replace(b"\r\n", b"\n"), np.uint8))


def has_cr_lf(data: U8) -> bool:
    """Whether a CR stands in front of each LF, most of them not between letters of ASCII text."""
    at = np.flatnonzero(data == 0x0A)
    if len(at) < _LINES or at[0] == 0 or (data[at - 1] != 0x0D).any():
        return False
    beside = data[np.maximum(at - 2, 0)], data[np.minimum(at + 1, data.size - 1)]
    letters = np.logical_and(*(_IS_TEXT[side] for side in beside))
    return 2 * int(np.count_nonzero(letters)) < len(at)


def out_of_runs(data: U8) -> list[U8]:
    """The records of a file in FTP mode C, or of its start; none where it is in no such mode.

    A byte says what follows: X'00' a descriptor; up to X'7F' so many bytes; from X'80' on the byte
    behind it so many times; from X'C0' on so many blanks (RFC 959, 3.4.3).
    """
    records, record, at, size = list[U8](), bytearray(), 0, data.size
    given = data.tobytes()
    while at + 1 < size:
        kind, number = given[at], given[at] & 0x3F
        if kind == 0:
            if not given[at + 1] or given[at + 1] & ~_MARKS:
                return []
            if given[at + 1] & _EOR:
                records.append(read_only(np.frombuffer(bytes(record), np.uint8)))
                record.clear()
            at += 2
        elif kind < 0x80:
            record += given[at + 1 : at + 1 + kind]
            at += 1 + kind
        elif kind < 0xC0:
            record += given[at + 1 : at + 2] * number
            at += 2
        else:
            record += bytes([_BLANK]) * number
            at += 1
    return records


def is_record(data: U8, clocks: npt.NDArray[np.uint64]) -> bool:
    """Whether bytes make sense as a record with or without its RDW: a header of SMF, or the clock
    and number of a log record at its end."""
    if len(at := headers(data[: _HEADER + 4])):
        return int(at[0]) in (0, 4)
    if data.size < _SUFFIX:
        return False
    clock, number = data[-_SUFFIX:].view(">u8").astype(np.uint64)
    return bool(clocks[0] <= clock <= clocks[1] and number >> _LSN_BITS == 0)
