"""A second set of dump writers: clean files of each form, with the places of their parts.

Written from the public descriptions alone (descriptor words and spanned segments of DFSMS, RFC 959,
the records of TSO TRANSMIT), by somebody who had not seen our readers or the writers of the other
tests. A record is its bytes behind the RDW.
"""

from __future__ import annotations

import io
import struct
import tarfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

SEGMENT_ONLY, SEGMENT_FIRST, SEGMENT_LAST, SEGMENT_MIDDLE = 0, 1, 2, 3
SMALLEST_SEGMENT = 5  # the descriptor word and one byte
EOR, EOF = 0x80, 0x40  # descriptor codes of RFC 959, 3.4.2


@dataclass(frozen=True)
class Dump:
    """A clean file. Spans are (first byte, byte behind the last) in `data`.

    `blocks` are what the form is stored in: blocks of a VB or VBS data set, blocks of FTP mode B,
    80-byte records of XMIT; without such, the records. `words` are the places of the 4-byte
    descriptor words of blocks, records and segments.
    """

    form: str
    data: bytes
    blocks: tuple[tuple[int, int], ...]
    words: tuple[int, ...]
    records: tuple[tuple[int, int], ...]


def descriptor(length: int, code: int = 0) -> bytes:
    """A block or record descriptor word: length with the word itself, then the segment code."""
    return struct.pack(">HBB", length, code, 0)


def read_blocked(data: bytes) -> list[bytes]:
    """The records of a clean VB or VBS file, joined from their segments."""
    records: list[bytes] = []
    segments: list[bytes] = []
    at = 0
    while at < len(data):
        (block,) = struct.unpack_from(">H", data, at)
        end, at = at + block, at + 4
        while at < end:
            length, code = struct.unpack_from(">HB", data, at)
            segments.append(data[at + 4 : at + length])
            if code in (SEGMENT_ONLY, SEGMENT_LAST):
                records.append(b"".join(segments))
                segments = []
            at += length
    return records


def rdw(records: Sequence[bytes]) -> Dump:
    """Each record behind its RDW: binary FTP with `site rdw` of a data set that is not spanned."""
    out, spans = bytearray(), []
    for record in records:
        spans.append((len(out), len(out) + len(record) + 4))
        out += descriptor(len(record) + 4) + record
    places = tuple(at for at, _ in spans)
    return Dump("rdw", bytes(out), tuple(spans), places, tuple(spans))


def vb(records: Sequence[bytes], block_size: int) -> Dump:
    """RECFM=VB: as many complete records as fit into a block."""
    out, blocks, words, spans = bytearray(), [], [], []
    inside = bytearray()

    def close() -> None:
        if inside:
            blocks.append((len(out), len(out) + len(inside) + 4))
            out.extend(descriptor(len(inside) + 4) + inside)
            inside.clear()

    for record in records:
        if len(record) + 8 > 32_760:
            raise ValueError(f"found a record of {len(record)} bytes, expected one that fits")
        if len(inside) + len(record) + 8 > block_size:
            close()
        if not inside:
            words.append(len(out))
        at = len(out) + 4 + len(inside)
        words.append(at)
        spans.append((at, at + len(record) + 4))
        inside += descriptor(len(record) + 4) + record
    close()
    return Dump("vb", bytes(out), tuple(blocks), tuple(words), tuple(spans))


def vbs(records: Sequence[bytes], block_size: int, *, blocked: bool = True) -> Dump:
    """RECFM=VBS: blocks are filled up, a record goes on in the next one.

    A block is not filled where the rest cannot hold a descriptor word and a byte. Without `blocked`
    the block descriptor words are left out, as FTP with `site rdw` of such a data set does.
    """
    out, blocks, words, spans = bytearray(), [], [], []
    inside = bytearray()
    head = 4 if blocked else 0

    def close() -> None:
        blocks.append((len(out), len(out) + len(inside) + head))
        out.extend((descriptor(len(inside) + 4) if blocked else b"") + inside)
        inside.clear()

    for record in records:
        rest, begun, begins_at = record, False, -1
        while not begun or rest:
            room = block_size - 4 - len(inside)
            if room < SMALLEST_SEGMENT:
                close()
                continue
            part, rest = rest[: room - 4], rest[room - 4 :]
            if rest:
                code = SEGMENT_MIDDLE if begun else SEGMENT_FIRST
            else:
                code = SEGMENT_LAST if begun else SEGMENT_ONLY
            if blocked and not inside:
                words.append(len(out))
            at = len(out) + head + len(inside)
            words.append(at)
            begins_at = begins_at if begun else at
            inside += descriptor(len(part) + 4, code) + part
            begun = True
        spans.append((begins_at, len(out) + head + len(inside)))
    if inside:
        close()
    form = f"vbs{block_size}" if blocked else "rdw_spanned"
    return Dump(form, bytes(out), tuple(blocks), tuple(words), tuple(spans))


def length_prefix(records: Sequence[bytes], *, with_rdw: bool) -> Dump:
    """A 4-byte length before each record; with `with_rdw` the RDW counts as its first bytes."""
    out, spans, words = bytearray(), [], []
    for record in records:
        payload = (descriptor(len(record) + 4) if with_rdw else b"") + record
        spans.append((len(out), len(out) + 4 + len(payload)))
        words += [len(out)] + ([len(out) + 4] if with_rdw else [])
        out += struct.pack(">I", len(payload)) + payload
    return Dump("length_prefix", bytes(out), tuple(spans), tuple(words), tuple(spans))


def ftp_block(
    records: Sequence[bytes], *, with_rdw: bool, end: bool = True, largest: int = 32_768
) -> Dump:
    """FTP mode B, structure R (RFC 959, 3.4.2): a record is blocks, the last with EOR."""
    out, blocks, spans, words = bytearray(), [], [], []
    for record in records:
        payload = (descriptor(len(record) + 4) if with_rdw else b"") + record
        begin = len(out)
        for at in range(0, len(payload), largest):
            part = payload[at : at + largest]
            last = at + largest >= len(payload)
            blocks.append((len(out), len(out) + 3 + len(part)))
            out += struct.pack(">BH", EOR if last else 0, len(part)) + part
        spans.append((begin, len(out)))
        words.append(begin)
    if end:
        blocks.append((len(out), len(out) + 3))
        out += struct.pack(">BH", EOF, 0)
    return Dump("ftp_block", bytes(out), tuple(blocks), tuple(words), tuple(spans))


def ftp_record(records: Sequence[bytes], *, with_rdw: bool, end: bool = True) -> Dump:
    """FTP structure R in stream mode (RFC 959, 3.4.1): X'FF01' behind a record, X'FF' doubled."""
    out, spans = bytearray(), []
    for record in records:
        payload = (descriptor(len(record) + 4) if with_rdw else b"") + record
        begin = len(out)
        out += payload.replace(b"\xff", b"\xff\xff") + b"\xff\x01"
        spans.append((begin, len(out)))
    if end:
        out += b"\xff\x02"
    places = tuple(at for at, _ in spans)
    return Dump("ftp_record", bytes(out), tuple(spans), places, tuple(spans))


def ftp_compressed(records: Sequence[bytes], *, with_rdw: bool) -> Dump:
    """FTP mode C, structure R (RFC 959, 3.4.3): runs packed, X'00' and a code as escape."""
    out, spans = bytearray(), []
    for record in records:
        begin = len(out)
        payload = (descriptor(len(record) + 4) if with_rdw else b"") + record
        out += _runs(payload) + bytes([0, EOR])
        spans.append((begin, len(out)))
    out += bytes([0, EOF])
    places = tuple(at for at, _ in spans)
    return Dump("ftp_compressed", bytes(out), tuple(spans), places, tuple(spans))


def _runs(data: bytes) -> bytes:
    """Strings of up to 127 bytes behind their number; up to 63 times the same byte in two."""
    out, plain, at = bytearray(), bytearray(), 0

    def close() -> None:
        for begin in range(0, len(plain), 127):
            part = plain[begin : begin + 127]
            out.extend(bytes([len(part)]) + part)
        plain.clear()

    while at < len(data):
        number = 1
        while number < 63 and data[at + number : at + number + 1] == data[at : at + 1]:
            number += 1
        if number > 3:
            close()
            out += bytes([0x80 | number, data[at]])
        else:
            plain += data[at : at + number]
        at += number
    close()
    return bytes(out)


def _unit(key: int, *values: bytes) -> bytes:
    """A text unit: key, number of values, each with its length."""
    counted = b"".join(struct.pack(">H", len(value)) + value for value in values)
    return struct.pack(">HH", key, len(values)) + counted


def xmit(records: Sequence[bytes], block_size: int, *, spanned: bool) -> Dump:
    """TSO TRANSMIT of a sequential data set: control records, then each record in segments.

    A segment is its length, a flag (X'80' first, X'40' last, X'20' control) and up to 253 bytes;
    the segments fill records of 80 bytes.
    """

    def text(words: str) -> bytes:
        return words.encode("cp037")

    def number(value: int, width: int = 4) -> bytes:
        return value.to_bytes(width, "big")

    recfm = b"\x58\x00" if spanned else b"\x50\x00"
    size = number(sum(map(len, records)))
    data_set = _unit(0x003C, b"\x40\x00") + _unit(0x0030, number(block_size))
    data_set += _unit(0x0042, number(32_760 if spanned else block_size - 4)) + _unit(0x0049, recfm)
    names = (text("USER1"), text("SMF"), text("DUMP"))
    controls = [
        text("INMR01")
        + _unit(0x0042, number(80))
        + _unit(0x1011, text("NODEA"))
        + _unit(0x1012, text("USER1"))
        + _unit(0x1001, text("NODEB"))
        + _unit(0x1002, text("USER2"))
        + _unit(0x1024, text("20240304153000"))
        + _unit(0x102F, number(1)),
        text("INMR02")
        + number(1)
        + _unit(0x1028, text("INMCOPY"))
        + _unit(0x102C, size)
        + data_set
        + _unit(0x0002, *names),
        text("INMR03")
        + _unit(0x102C, size)
        + _unit(0x003C, b"\x40\x00")
        + _unit(0x0042, number(80))
        + _unit(0x0049, b"\x00\x01"),
    ]
    out, spans = bytearray(), []

    def put(payload: bytes, flag: int) -> None:
        for at in range(0, max(len(payload), 1), 253):
            part = payload[at : at + 253]
            first, last = 0x80 * (at == 0), 0x40 * (at + 253 >= len(payload))
            out.extend(bytes([len(part) + 2, flag | first | last]) + part)

    for control in controls:
        put(control, 0x20)
    for record in records:
        begin = len(out)
        put(record, 0)
        spans.append((begin, len(out)))
    put(text("INMR06"), 0x20)
    out += bytes(-len(out) % 80)
    cards = tuple((at, at + 80) for at in range(0, len(out), 80))
    return Dump("xmit", bytes(out), cards, tuple(at for at, _ in spans), tuple(spans))


TERSE_CODES = 4_096  # of 12 bits each: 0 ends, 1 to 256 a byte, 257 a record, others a string
TERSE_RECORD_END, TERSE_STRINGS = 257, 258
TERSE_BLANK = 0x40 + 1  # the code of the byte; at first every string is some of them


class _Strings:
    """The strings that both sides of AMATERSE PACK know: each is another one and a byte more."""

    def __init__(self) -> None:
        self.parent = {code: code - 1 for code in range(TERSE_STRINGS, TERSE_CODES)}
        self.parent[TERSE_STRINGS] = TERSE_BLANK
        self.last = dict.fromkeys(self.parent, TERSE_BLANK)
        self.longer = {(self.parent[code], TERSE_BLANK): code for code in self.parent}
        self.oldest = dict.fromkeys(reversed(self.parent))  # first the one not used for longest
        self.open = 0  # the string whose last byte is the first of what comes next

    def longest(self, data: bytes, at: int) -> tuple[int, int]:
        """The code of the longest string that stands there, and its bytes."""
        code, size = data[at] + 1, 1
        while at + size < len(data) and (code, data[at + size] + 1) in self.longer:
            code, size = self.longer[code, data[at + size] + 1], size + 1
        return code, size

    def learn(self, code: int) -> None:
        """Take note of a code that was written."""
        fresh = next(iter(self.oldest))
        path, first = [], code
        while first >= TERSE_STRINGS:
            path.append(first)
            first = self.parent[first]
        for used in (fresh, *path):
            del self.oldest[used]
            self.oldest[used] = None
        if self.open:
            self.last[self.open] = first
            self.longer.setdefault((self.parent[self.open], first), self.open)
        key = self.parent[fresh], self.last[fresh]
        if self.longer.get(key) == fresh:
            del self.longer[key]
        self.parent[fresh], self.open = code, fresh
        self.last[fresh] = 0


@lru_cache(16)  # packing takes a second
def terse(records: tuple[bytes, ...]) -> Dump:
    """AMATERSE PACK of a VB data set: codes of 12 bits, a code of its own behind each record.

    The header: 2 for PACK, 1 for variable, the record length, X'0C' for MVS, 0, a ratio, 0.
    """
    strings, codes, spans = _Strings(), list[int](), []
    for record in records:
        begin, at = len(codes), 0
        while at < len(record):
            code, size = strings.longest(record, at)
            codes.append(code)
            strings.learn(code)
            at += size
        codes.append(TERSE_RECORD_END)
        strings.learn(TERSE_RECORD_END)
        spans.append((12 + begin * 3 // 2, 12 + (len(codes) * 3 + 1) // 2))
    codes += [0] * (1 + (len(codes) + 1) % 2)
    pairs = zip(codes[::2], codes[1::2], strict=True)
    packed = b"".join((high << 12 | low).to_bytes(3, "big") for high, low in pairs)
    header = bytes([2, 1, *(32_756).to_bytes(2, "big"), 0x0C, 0, 0, 0, 0, 0, 0, 0])
    data = header + packed
    blocks = tuple((at, min(at + 1_024, len(data))) for at in range(0, len(data), 1_024))
    return Dump("terse", data, blocks, tuple(at for at, _ in spans), tuple(spans))


def bare(records: Sequence[bytes]) -> Dump:
    """Records alone: binary FTP without `site rdw`."""
    out, spans = bytearray(), []
    for record in records:
        spans.append((len(out), len(out) + len(record)))
        out += record
    places = tuple(at for at, _ in spans)
    return Dump("bare", bytes(out), tuple(spans), places, tuple(spans))


def archive(members: Sequence[bytes]) -> bytes:
    """An uncompressed tar."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as out:
        for number, member in enumerate(members):
            entry = tarfile.TarInfo(f"dump{number}")
            entry.size = len(member)
            out.addfile(entry, io.BytesIO(member))
    return stream.getvalue()


def tar(dump: Dump) -> Dump:
    """A tar of it; the spans are those of the dump, moved."""
    data = archive([dump.data])
    by = data.index(dump.data)
    return replace(
        dump,
        form=f"tar of {dump.form}",
        data=data,
        blocks=_moved(dump.blocks, by),
        words=tuple(at + by for at in dump.words),
        records=_moved(dump.records, by),
    )


def _moved(spans: Iterable[tuple[int, int]], by: int) -> tuple[tuple[int, int], ...]:
    return tuple((begin + by, end + by) for begin, end in spans)


# Each form by its name, from records. LOG_FORMS are those of them in which IMS logs travel.
FORMS: dict[str, Callable[[Sequence[bytes]], Dump]] = {
    "rdw": rdw,
    "rdw_spanned": lambda records: vbs(records, 4_096, blocked=False),
    "vb": lambda records: vb(records, 32_760),
    "vbs4096": lambda records: vbs(records, 4_096),
    "vbs8192": lambda records: vbs(records, 8_192),
    "vbs27998": lambda records: vbs(records, 27_998),
    "vbs32760": lambda records: vbs(records, 32_760),
    "length_prefix": lambda records: length_prefix(records, with_rdw=False),
    "length_prefix_rdw": lambda records: length_prefix(records, with_rdw=True),
    "ftp_block": lambda records: ftp_block(records, with_rdw=False),
    "ftp_block_rdw": lambda records: ftp_block(records, with_rdw=True),
    "ftp_record": lambda records: ftp_record(records, with_rdw=False),
    "ftp_record_rdw": lambda records: ftp_record(records, with_rdw=True),
    "ftp_compressed": lambda records: ftp_compressed(records, with_rdw=False),
    "ftp_compressed_rdw": lambda records: ftp_compressed(records, with_rdw=True),
    "xmit": lambda records: xmit(records, 27_998, spanned=True),
    "xmit_vb": lambda records: xmit(records, 32_760, spanned=False),
    "terse": lambda records: terse(tuple(records)),
    "bare": bare,
    "tar": lambda records: tar(rdw(records)),
    "tar_vbs": lambda records: tar(vbs(records, 4_096)),
}
LOG_FORMS = (
    "rdw", "vb", "ftp_block", "ftp_block_rdw", "ftp_record", "ftp_record_rdw",
    "xmit_vb", "terse", "length_prefix", "length_prefix_rdw", "tar",
)  # fmt: skip
