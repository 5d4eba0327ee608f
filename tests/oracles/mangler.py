"""Makes dump files as transfers leave them, and then damages them. For tests only.

Written from the standards alone; shares no code with the product. Sources, cited by letter:
[DS] z/OS DFSMS Using Data Sets: RDW, SDW, BDW, large block interface, FILEDATA of UNIX files
[FTP] RFC 959: 3.1.1.1 ASCII type, 3.4.1 stream mode with record structure, 3.4.2 block mode
[CS] z/OS Communications Server, FTP: RDW, SBSENDEOL, MODE B
[REST] z/OSMF data set and file REST interface, X-IBM-Data-Type (also Zowe CLI, --record)
[CP] IBM code page 1047; ICU ibm-1047, with and without the option swaplfnl
[SMF], [IMS] the project's notes on the physical form of SMF dumps and IMS logs
A record is its data without RDW: SMF from the flag byte, IMS from the code byte.
A range is (start, stop) in bytes of the undamaged file; start == stop marks an insertion there.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import re
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow

Records = Sequence[bytes]
Range = tuple[int, int]
Piece = tuple[int, bytes]  # record number, or NOBODY for bytes that serve the whole file or a block
Flow = Iterator[Piece]
Pieces = Callable[[Records], Flow]
Rng = np.random.Generator
# What is left, and which ranges of the undamaged file were changed, lost or repeated.
Damaged = tuple[bytes, list[Range]]
NOBODY = -1
LONGEST = 32756  # data bytes: [SMF] an RDW says at most 32,760
SEGMENT_DATA = 32752  # [DS] an SDW says at most 32,756
BLOCK = 32760  # [DS] the longest block with a nonextended BDW
PAGE = 4096

# IBM-1047 to ISO8859-1 [CP]: code page 037 with six places changed. ICU maps X'15' to NEL (85)
# and X'25' to LF (0A): CDRA. z/OS UNIX and swaplfnl exchange the two: newline X'15' is X'0A'.
_PLACES = dict(zip(b"\x5f\xad\xb0\xba\xbb\xbd", b"^[\xac\xdd\xa8]", strict=True))
TO_LATIN_CDRA = bytes(_PLACES.get(b, ord(bytes([b]).decode("cp037"))) for b in range(256))
TO_LATIN = TO_LATIN_CDRA.translate(bytes.maketrans(b"\n\x85", b"\x85\n"))
TO_1047 = bytes(TO_LATIN.index(byte) for byte in range(256))


def _cut(data: bytes, limit: int) -> list[bytes]:
    return [data[at : at + limit] for at in range(0, len(data), limit)] or [b""]


def _segment(data: bytes, first: bool, last: bool) -> bytes:
    """RDW or SDW [DS]: length with these 4 bytes, code 0 whole, 1 first, 2 last, 3 between, 0."""
    return struct.pack(">HBB", len(data) + 4, 2 * (not first) + (not last), 0) + data


def _with_rdw(record: bytes, limit: int = LONGEST) -> bytes:
    parts = _cut(record, limit)
    return b"".join(_segment(p, n == 0, n == len(parts) - 1) for n, p in enumerate(parts))


def plain(
    records: Records, rdw: int = 0, head: str = "", table: bytes | None = None, end: bytes = b""
) -> Flow:
    """Records one behind the other.

    rdw: with RDW, as SITE RDW and TYPE I send them [CS]; a record of more than so many bytes is
    in segments [SMF]. 0 without: TYPE I, or cp -B to a UNIX file [CS, DS].
    head: ">I" a length that does not count itself [REST record; DS FILEDATA=RECORD, where it is
    a reserved byte and 3 bytes]; "<I" the wrong byte order. end: X'15' FILEDATA=TEXT [DS];
    X'0D0A' CRLF in binary, with a table TYPE A [FTP, CS SBSENDEOL]; X'0A' text mode [REST].
    """
    for number, record in enumerate(records):
        data = _with_rdw(record, rdw) if rdw else record
        length = struct.pack(head, len(data)) if head else b""
        yield number, length + (data.translate(table) if table else data) + end


def v_blocks(records: Records, size: int = BLOCK, fill: bool = False, extend: bool = False) -> Flow:
    """[DS] V blocks of at most size bytes, each a BDW and records or segments.

    fill: VBS, a segment fills what is left of a block; else only a record that no block can hold
    is split [SMF, pseudo-VBS]. A block over 32,760 bytes has the extended BDW (bit 0 on, then a
    31-bit length), as QSAM writes it; extend: every block has, as BSAM may write it.
    """
    blocks: list[list[Piece]] = [[]]
    used = 4
    for number, record in enumerate(records):
        at, last = 0, False
        while not last:
            wanted = 1 if fill or at else len(record)
            if blocks[-1] and size - used - 4 < min(wanted, len(record)):
                blocks.append([])
                used = 4
            part = record[at : at + min(size - used - 4, SEGMENT_DATA)]
            last = at + len(part) == len(record)
            blocks[-1].append((number, _segment(part, first=at == 0, last=last)))
            used, at = used + 4 + len(part), at + len(part)
    for block in filter(None, blocks):
        length = 4 + sum(len(data) for _, data in block)
        word = 1 << 31 | length if extend or length > BLOCK else length << 16
        yield NOBODY, word.to_bytes(4, "big")
        yield from block


def ftp_blocks(records: Records, rdw: bool = False, limit: int = 65535, end: str = "alone") -> Flow:
    """[FTP 3.4.2] descriptor, 2-byte count, data; X'80' ends a record, X'40' the file.

    end: "alone" a last block X'400000' without data; "both" X'C0' on the last block of the last
    record; "instead" X'40' there without X'80', as z/OS was seen to send it with structure F.
    rdw: SITE RDW was on, the data of a record begins with its RDW [CS].
    """
    final = {"alone": 0x80, "both": 0xC0, "instead": 0x40}[end]
    for number, record in enumerate(records):
        parts = _cut(_with_rdw(record) if rdw else record, limit)
        codes = [0] * (len(parts) - 1) + [final if number == len(records) - 1 else 0x80]
        for code, part in zip(codes, parts, strict=True):
            yield number, struct.pack(">BH", code, len(part)) + part
    if end == "alone" or not records:
        yield NOBODY, b"\x40\x00\x00"


def ftp_records(records: Records, rdw: bool = False, together: bool = False) -> Flow:
    """[FTP 3.4.1] X'FF01' ends a record, X'FF02' the file, X'FF03' both; data X'FF' is doubled."""
    for number, record in enumerate(records):
        data = _with_rdw(record) if rdw else record
        end = b"\xff\x03" if together and number == len(records) - 1 else b"\xff\x01"
        yield number, data.replace(b"\xff", b"\xff\xff") + end
    if not together or not records:
        yield NOBODY, b"\xff\x02"


def text_lines(records: Records, log: bool, end: bytes, table: bytes | None = None) -> Flow:
    """No dump at all: a printed listing of the records, or a job log that speaks of them."""
    listing = [f" {n:6} {len(r):8}  {r[:16].hex()}" for n, r in enumerate(records)]
    told = [f"12.{n // 60 % 60:02}.{n % 60:02} STC42 {len(r)} BYTES" for n, r in enumerate(records)]
    return plain([row.encode() for row in (told if log else listing)], table=table, end=end)


# name: (pieces, the framing a reader should find, can it be loaded whole)
_FORMS: dict[str, tuple[Pieces, str, bool]] = {
    "rdw": (partial(plain, rdw=LONGEST), "rdw", True),
    "rdw_spanned": (partial(plain, rdw=1000), "rdw", True),
    "rdw_tiny_segments": (partial(plain, rdw=7), "rdw", True),
    "bdw_rdw": (v_blocks, "bdw_rdw", True),
    "bdw_rdw_27998": (partial(v_blocks, size=27998), "bdw_rdw", True),
    "vbs": (partial(v_blocks, fill=True), "bdw_rdw", True),
    "vbs_27998": (partial(v_blocks, size=27998, fill=True), "bdw_rdw", True),
    "vbs_small": (partial(v_blocks, size=512, fill=True), "bdw_rdw", True),
    "large_block": (partial(v_blocks, size=262144, fill=True), "bdw_rdw", True),
    "large_block_always": (partial(v_blocks, size=262144, extend=True), "bdw_rdw", True),
    "length_prefix": (partial(plain, head=">I"), "length_prefix", True),
    "length_prefix_little": (partial(plain, head="<I"), "none", False),
    "ftp_block": (ftp_blocks, "ftp_block", True),
    "ftp_block_both": (partial(ftp_blocks, end="both"), "ftp_block", True),
    "ftp_block_instead": (partial(ftp_blocks, end="instead"), "ftp_block", True),
    "ftp_block_small": (partial(ftp_blocks, limit=100), "ftp_block", True),
    "ftp_block_rdw": (partial(ftp_blocks, rdw=True), "ftp_block", True),
    "ftp_record": (ftp_records, "ftp_record", True),
    "ftp_record_together": (partial(ftp_records, together=True), "ftp_record", True),
    "ftp_record_rdw": (partial(ftp_records, rdw=True), "ftp_record", True),
    "no_rdw": (plain, "none", False),
    "no_rdw_crlf": (partial(plain, end=b"\r\n"), "none", False),
    "rdw_crlf": (partial(plain, rdw=LONGEST, end=b"\r\n"), "none", False),
    "filedata_text": (partial(plain, end=b"\x15"), "none", False),
    "ftp_ascii": (partial(plain, table=TO_LATIN, end=b"\r\n"), "ascii", False),
    "ftp_ascii_rdw": (partial(plain, rdw=LONGEST, table=TO_LATIN, end=b"\r\n"), "ascii", False),
    "rest_text": (partial(plain, table=TO_LATIN, end=b"\n"), "ascii", False),
    "text_listing": (partial(text_lines, log=False, end=b"\r\n"), "text", False),
    "text_log": (partial(text_lines, log=True, end=b"\n"), "text", False),
    "text_ebcdic": (partial(text_lines, log=False, end=b"\x15", table=TO_1047), "text", False),
    # [IMS] LL ZZ is the RDW. A real log has no segments: give no record that no block can hold.
    "ims_rdw": (partial(plain, rdw=LONGEST), "rdw", True),
    "ims_vb": (partial(v_blocks, size=22528), "bdw_rdw", True),
}


def _joined(pieces: Pieces, records: Records) -> bytes:
    return b"".join([data for _, data in pieces(records)])


FORMS: dict[str, tuple[Callable[[Records], bytes], str, bool]] = {
    name: (partial(_joined, form[0]), form[1], form[2]) for name, form in _FORMS.items()
}


def extents(form: str, records: Records) -> list[list[Range]]:
    """Where each record lies in FORMS[form]'s file, with its own headers, in one or more ranges."""
    found: list[list[Range]] = [[] for _ in [*records, NOBODY]]
    at = 0
    for number, data in _FORMS[form][0](records):
        found[number].append((at, at + len(data)))
        at += len(data)
    return found[:NOBODY]


def touched(places: list[list[Range]], ranges: list[Range]) -> list[int]:
    """Numbers of the records that ranges hit. A hit BDW counts for none: it may cost its block."""
    starts, stops = np.array(sorted(ranges), dtype=np.int64).reshape(-1, 2).T

    def hit(part: Range) -> bool:
        first = np.searchsorted(stops, part[0], side="right")
        return bool(np.any(starts[first : first + 1] < part[1]))

    return [number for number, parts in enumerate(places) if any(map(hit, parts))]


def _splice(data: bytes, start: int, stop: int, new: bytes = b"") -> Damaged:
    return data[:start] + new + data[stop:], [(start, stop)]


def translated(
    data: bytes, rng: Rng, table: bytes = TO_LATIN, newline: str = "\n", code: str = "latin-1"
) -> Damaged:
    """TYPE A or an iconv: every byte from IBM-1047 to ISO8859-1 [CP], or on to UTF-8.

    newline: what X'15' ends as; X'0D0A' is TYPE A of a UNIX file, where it ends a line [CS].
    """
    text = data.translate(table).decode("latin-1").replace("\n", newline)
    return _splice(data, 0, len(data), text.encode(code))


def replaced(data: bytes, rng: Rng, old: bytes, new: bytes) -> Damaged:
    """Every old becomes new: end of line conversion on the receiving side [FTP 3.1.1.1]."""
    return data.replace(old, new), [m.span() for m in re.finditer(re.escape(old), data)]


def utf8_mangled(data: bytes, rng: Rng) -> Damaged:
    """Read as UTF-8 and written again: what is no UTF-8 becomes U+FFFD, EF BF BD."""
    ranges: list[Range] = []

    def mark(error: Any) -> tuple[str, int]:
        ranges.append((error.start, error.end))
        return "\ufffd", error.end

    codecs.register_error("mangler-mark", mark)
    return data.decode("utf-8", "mangler-mark").encode(), ranges


def _chain(data: bytes, *, blocks: bool) -> list[Range]:
    """Where the units of an undamaged file lie, by BDW or RDW [DS]."""
    chain, at = [], 0
    while at < len(data):
        word = int.from_bytes(data[at : at + 4], "big")
        length = word & 0x7FFFFFFF if blocks and word >> 31 else word >> 16
        assert 4 <= length <= len(data) - at, f"this damage needs a BDW or RDW at {at}"
        chain.append((at, at + length))
        at += length
    return chain


def lengths_swapped(data: bytes, rng: Rng) -> Damaged:
    """The length of every RDW little-endian, the rest as it was. Needs the rdw framing."""
    changed, ranges = bytearray(data), [(at, at + 2) for at, _ in _chain(data, blocks=False)]
    for start, stop in ranges:
        changed[start:stop] = data[start:stop][::-1]
    return bytes(changed), ranges


def zeroed(data: bytes, rng: Rng, fraction: float = 0.1) -> Damaged:
    """A fraction of the 4 KB pages, one at least, holds zeros: a sparse or broken copy."""
    pages = -(-len(data) // PAGE)
    lost = sorted(rng.choice(pages, size=max(1, round(fraction * pages)), replace=False).tolist())
    changed, ranges = bytearray(data), [(n * PAGE, min(len(data), (n + 1) * PAGE)) for n in lost]
    for start, stop in ranges:
        changed[start:stop] = bytes(stop - start)
    return bytes(changed), ranges


def bit_flips(data: bytes, rng: Rng, count: int = 3) -> Damaged:
    """count bits, each in another byte, are inverted."""
    changed = bytearray(data)
    places = sorted(rng.choice(len(data), size=min(count, len(data)), replace=False).tolist())
    for at in places:
        changed[at] ^= 1 << int(rng.integers(8))
    return bytes(changed), [(at, at + 1) for at in places]


def unit_changed(data: bytes, rng: Rng, copies: int, blocks: bool = True) -> Damaged:
    """A block stands there copies times: 0 lost, 2 repeated. Needs the bdw_rdw framing.

    blocks False: a segment with code 3, between first and last. Needs the rdw framing.
    """
    units = [u for u in _chain(data, blocks=blocks) if blocks or data[u[0] + 2] == 3]
    assert units, "no middle segment: use longer records or a form with smaller segments"
    start, stop = units[int(rng.integers(len(units)))]
    return _splice(data, start, stop, data[start:stop] * copies)


DAMAGES: dict[str, Callable[[bytes, Rng], Damaged]] = {
    "ascii_translated": translated,
    "ascii_translated_cdra": partial(translated, table=TO_LATIN_CDRA),
    "ascii_translated_crlf": partial(translated, newline="\r\n"),
    "ebcdic_to_utf8": partial(translated, code="utf-8"),
    "crlf_inserted": partial(replaced, old=b"\n", new=b"\r\n"),
    "crlf_to_lf": partial(replaced, old=b"\r\n", new=b"\n"),
    "utf8_mangled": utf8_mangled,
    "lengths_swapped": lengths_swapped,
    "truncated": lambda data, rng: _splice(data, int(rng.integers(1, len(data))), len(data)),
    "zeroed": zeroed,
    "bit_flips": bit_flips,
    "garbage_inserted": lambda data, rng: _splice(
        data, at := int(rng.integers(len(data) + 1)), at, rng.bytes(int(rng.integers(1, 65)))
    ),
    "byte_lost": lambda data, rng: _splice(data, at := int(rng.integers(len(data))), at + 1),
    "segment_lost": partial(unit_changed, copies=0, blocks=False),
    "block_lost": partial(unit_changed, copies=0),
    "block_repeated": partial(unit_changed, copies=2),
    "glued": lambda data, rng: (data + data, []),
    "glued_padded": lambda data, rng: (data + bytes(-len(data) % PAGE) + data, []),
}
# The framing a damage needs, where it needs one. segment_lost also needs a middle segment.
NEEDS = {"lengths_swapped": "rdw", "segment_lost": "rdw"}
NEEDS |= dict.fromkeys(["block_lost", "block_repeated"], "bdw_rdw")


def glued(first: Records, second: Records, forms: tuple[str, str], padded: bool) -> bytes:
    """Two dumps, each in its form, one behind the other; padded: with zeros to 4 KB between."""
    start = FORMS[forms[0]][0](first)
    return start + bytes(-len(start) % PAGE if padded else 0) + FORMS[forms[1]][0](second)


GLUED: dict[str, Callable[[Records, Records], bytes]] = {
    "same": partial(glued, forms=("rdw", "rdw"), padded=False),
    "same_blocked": partial(glued, forms=("bdw_rdw", "bdw_rdw"), padded=False),
    "different": partial(glued, forms=("bdw_rdw", "rdw"), padded=False),
    "different_padded": partial(glued, forms=("bdw_rdw", "rdw"), padded=True),
}


def mixed(records: Records, other: Records, rng: Rng) -> list[bytes]:
    """Both, each in its own order: the records of other stand anywhere."""
    turns = rng.permutation([0] * len(records) + [1] * len(other))
    sources = iter(records), iter(other)
    return [next(sources[turn]) for turn in turns]


# Normal, not damage [SMF]: signature records (type 2, subtype 2, given as other) anywhere; no
# trailer (type 3; the type stands behind the flag); a log stream of two systems, and unsorted.
NORMAL: dict[str, Callable[[Records, Records, Rng], list[bytes]]] = {
    "signature": mixed,
    "no_trailer": lambda records, other, rng: [r for r in records if r[1:2] != b"\x03"],
    "two_systems": mixed,
    "unsorted": lambda records, other, rng: [records[n] for n in rng.permutation(len(records))],
}

NAME = "SMF.DUMP.BIN"
EXTRA = (("README.TXT", b"Please see the dump.\r\n"), ("DUMP.JCL", b"//DUMP JOB\n"))


def zip_of(members: Sequence[tuple[str, bytes]]) -> bytes:
    """A zip with these members, deflated."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def tar_of(members: Sequence[tuple[str, bytes]]) -> bytes:
    """A tar with these members, in a folder."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members:
            entry = tarfile.TarInfo("dumps/" + name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zst(data: bytes) -> bytes:
    """One zstd frame, written as a stream."""
    out: Any = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(out, "zstd") as stream:
        stream.write(data)
    return bytes(out.getvalue())


gz = partial(gzip.compress, mtime=0)
CONTAINERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gz,
    "gz_two_members": lambda data: gz(data[: len(data) // 2]) + gz(data[len(data) // 2 :]),
    "zip1": lambda data: zip_of([(NAME, data)]),
    "zip3": lambda data: zip_of([EXTRA[0], (NAME, data), EXTRA[1]]),
    "zst": zst,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "tar": lambda data: tar_of([(NAME, data)]),
    "tar_gz": lambda data: gz(tar_of([(NAME, data)])),
    "tar_gz_nested": lambda data: gz(tar_of([("inner.tar.gz", gz(tar_of([(NAME, data)])))])),
}
