"""The mangler against bytes worked out by hand from the standards it cites.

DS, FTP, CS, REST, CP, SMF and IMS are the sources listed at the top of mangler.py.
Tiny records throughout; spaces in the hex separate what a standard counts separately.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from functools import partial

import mangler
import numpy as np
import pyarrow
import pytest

ONE, TWO = b"\xc1\xff\xc3", b"\x15\x0a"
FOUR = b"\xd1\xd2\xd3\xd4"
LONG = [bytes([n % 251]) * n for n in (0, 1, 7, 8, 999, 1001, 32752, 32753, 32756, 32757, 70000)]


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def text(hexadecimal: str) -> bytes:
    return bytes.fromhex(hexadecimal)


# Each value by hand. ONE has 3 bytes C1 FF C3, TWO has 2 bytes 15 0A.
BY_HAND = {
    # DS, RDW: LL counts its own 4 bytes: 3 + 4 = 7, 2 + 4 = 6; then two zero bytes
    "rdw": "00070000 C1FFC3  00060000 150A",
    "rdw_spanned": "00070000 C1FFC3  00060000 150A",
    "rdw_tiny_segments": "00070000 C1FFC3  00060000 150A",
    # DS, BDW: 4 + 7 + 6 = 17 = X'11', then two zero bytes; all fits one block of any size
    "bdw_rdw": "00110000 00070000 C1FFC3  00060000 150A",
    "bdw_rdw_27998": "00110000 00070000 C1FFC3  00060000 150A",
    "vbs": "00110000 00070000 C1FFC3  00060000 150A",
    "vbs_27998": "00110000 00070000 C1FFC3  00060000 150A",
    "vbs_small": "00110000 00070000 C1FFC3  00060000 150A",
    # DS, BDW: QSAM writes the extended one only for a block of more than 32,760 bytes
    "large_block": "00110000 00070000 C1FFC3  00060000 150A",
    # DS, extended BDW: bit 0 on and bits 1-31 the length, 17
    "large_block_always": "80000011 00070000 C1FFC3  00060000 150A",
    # REST: 4-byte big-endian length of the record that follows, without the prefix itself
    "length_prefix": "00000003 C1FFC3  00000002 150A",
    "length_prefix_little": "03000000 C1FFC3  02000000 150A",
    # FTP 3.4.2: 8 bits descriptor (80 end of record, 40 end of file), 16 bits count, data
    "ftp_block": "80 0003 C1FFC3  80 0002 150A  40 0000",
    "ftp_block_both": "80 0003 C1FFC3  C0 0002 150A",
    "ftp_block_instead": "80 0003 C1FFC3  40 0002 150A",
    "ftp_block_small": "80 0003 C1FFC3  80 0002 150A  40 0000",
    # CS, RDW TRUE: the RDW is transferred as data, so the counts are 7 and 6
    "ftp_block_rdw": "80 0007 00070000C1FFC3  80 0006 00060000150A  40 0000",
    # FTP 3.4.1: FF is the escape, doubled in data; FF01 record, FF02 file, FF03 both
    "ftp_record": "C1 FFFF C3 FF01  150A FF01  FF02",
    "ftp_record_together": "C1 FFFF C3 FF01  150A FF03",
    "ftp_record_rdw": "00070000 C1 FFFF C3 FF01  00060000 150A FF01  FF02",
    # CS, RDW FALSE; DS, FILEDATA=BINARY: no lengths and no delimiters
    "no_rdw": "C1FFC3 150A",
    "no_rdw_crlf": "C1FFC3 0D0A  150A 0D0A",
    "rdw_crlf": "00070000 C1FFC3 0D0A  00060000 150A 0D0A",
    # DS, FILEDATA=TEXT: the delimiter X'15' after each record
    "filedata_text": "C1FFC3 15  150A 15",
    # CP: C1 is A = 41, FF is EO = 9F, C3 is C = 43, 15 is newline = 0A, 0A is RPT = 8E
    # CS, SBSENDEOL CRLF: X'0D0A' after each record
    "ftp_ascii": "419F43 0D0A  0A8E 0D0A",
    # CP: 00 stays 00, 07 is DEL = 7F, 06 is RNL = 86: the RDW is translated too
    "ftp_ascii_rdw": "007F0000 419F43 0D0A  00860000 0A8E 0D0A",
    # REST, text: IBM-1047 to ISO8859-1, a newline between records
    "rest_text": "419F43 0A  0A8E 0A",
    # IMS: LL ZZ is the RDW, and the block has a BDW
    "ims_rdw": "00070000 C1FFC3  00060000 150A",
    "ims_vb": "00110000 00070000 C1FFC3  00060000 150A",
}


@pytest.mark.parametrize("name", BY_HAND)
def test_form(name: str) -> None:
    assert mangler.FORMS[name][0]([ONE, TWO]) == text(BY_HAND[name])


def test_every_form_has_hand_made_bytes() -> None:
    texts = {"text_listing", "text_log", "text_ebcdic"}
    assert set(mangler.FORMS) == set(BY_HAND) | texts
    assert {name for name, form in mangler.FORMS.items() if form[1] == "text"} == texts


def vbs(size: int) -> mangler.Pieces:
    return partial(mangler.v_blocks, size=size, fill=True)


# DS, SDW: 1 first, 3 neither, 2 last, 0 whole; a segment's LL counts its 4 bytes.
SPLIT = [
    (partial(mangler.plain, rdw=2), "00060100 C1FF  00050200 C3  00060000 150A"),
    (
        partial(mangler.plain, rdw=1),
        "00050100 C1  00050300 FF  00050200 C3  00050100 15  00050200 0A",
    ),
    # VBS, blocks of 12: BDW 4 and RDW 4 leave 4, so ONE takes 11 and the byte left holds no SDW
    (vbs(12), "000B0000 00070000 C1FFC3  000A0000 00060000 150A"),
    # Blocks of 16: ONE takes 11, the 5 left hold an SDW and one byte of TWO
    (vbs(16), "00100000 00070000 C1FFC3 00050100 15  00090000 00050200 0A"),
    # Blocks of 9: 9 - 4 - 4 leaves one data byte for each block
    (
        vbs(9),
        "00090000 00050100 C1  00090000 00050300 FF  00090000 00050200 C3"
        "00090000 00050100 15  00090000 00050200 0A",
    ),
    # VB: TWO does not fit the 5 bytes left and goes whole into the next block
    (partial(mangler.v_blocks, size=16), "000B0000 00070000 C1FFC3  000A0000 00060000 150A"),
    # SMF, pseudo-VBS: split only what no block holds: ONE in blocks of 10, 2 data bytes each
    (
        partial(mangler.v_blocks, size=10),
        "000A0000 00060100 C1FF  00090000 00050200 C3  000A0000 00060000 150A",
    ),
    # FTP 3.4.2: a block that ends no record has descriptor 0
    (partial(mangler.ftp_blocks, limit=2, end="both"), "00 0002 C1FF 80 0001 C3 C0 0002 150A"),
]


@pytest.mark.parametrize(("pieces", "expected"), SPLIT)
def test_split_records(pieces: mangler.Pieces, expected: str) -> None:
    assert b"".join(data for _, data in pieces([ONE, TWO])) == text(expected)


def test_empty_records_and_files() -> None:
    # DS: an RDW may say 4. REST: a zero-length record is four zero bytes. FTP: EOF alone.
    empty = {"rdw": "00040000", "bdw_rdw": "00080000 00040000", "vbs": "00080000 00040000"}
    empty |= {
        "length_prefix": "00000000",
        "ftp_block": "80 0000 40 0000",
        "ftp_record": "FF01 FF02",
    }
    for name, expected in empty.items():
        assert mangler.FORMS[name][0]([b""]) == text(expected)
    for name in ("ftp_block", "ftp_block_both", "ftp_block_instead"):
        assert mangler.FORMS[name][0]([]) == text("40 0000")
    assert mangler.FORMS["rdw"][0]([]) == mangler.FORMS["bdw_rdw"][0]([]) == b""


def test_lengths_at_the_limits() -> None:
    # SMF: 32,756 data bytes and 4 are 32,760 = 7FF8; one byte more needs a segment of 5
    rdw = mangler.FORMS["rdw"][0]
    assert rdw([bytes(32756)])[:4] == text("7FF80000")
    assert rdw([bytes(32757)])[:4] == text("7FF80100")
    assert rdw([bytes(32757)])[32760:] == text("00050200 00")
    # DS: a segment has at most 32,756 = 7FF4, which with the BDW fills a block of 32,760
    assert mangler.FORMS["bdw_rdw"][0]([bytes(32753)])[:8] == text("7FF80000 7FF40100")
    # DS: 2 * (4 + 20,000) + 4 = 40,012 = 9C4C, more than 32,760: extended, on one block only
    large = mangler.FORMS["large_block"][0]([bytes(20000)] * 2)
    assert large[:8] == text("80009C4C 4E240000") and len(large) == 40012
    # FTP 3.4.2: the count has 16 bits; 70,000 = 65,535 + 4,465 = FFFF + 1171
    block = mangler.FORMS["ftp_block"][0]([bytes(70000)])
    assert block[:3] == text("00 FFFF") and block[65538:65541] == text("80 1171")
    assert block[-3:] == text("40 0000") and len(block) == 70009


@pytest.mark.parametrize("name", mangler.FORMS)
def test_extents_cover_the_records(name: str) -> None:
    data, places = mangler.FORMS[name][0](LONG), mangler.extents(name, LONG)
    flat = [part for parts in places for part in parts]
    assert len(places) == len(LONG) and all(places)
    assert flat == sorted(flat) and flat[-1][1] <= len(data)
    if mangler.FORMS[name][1] == "bdw_rdw":  # each part is a segment
        for record, parts in zip(LONG, places, strict=True):
            assert record == b"".join(data[start + 4 : stop] for start, stop in parts)
            codes = [data[start + 2] for start, _ in parts]
            assert codes == ([0] if len(parts) == 1 else [1, *[3] * (len(parts) - 2), 2])


def test_touched() -> None:
    places = [[(4, 8)], [(8, 12), (16, 20)], [(20, 24)]]
    assert mangler.touched(places, []) == []
    assert mangler.touched(places, [(0, 4), (12, 16)]) == []
    assert mangler.touched(places, [(7, 9)]) == [0, 1]
    assert mangler.touched(places, [(19, 20), (23, 30)]) == [1, 2]
    assert mangler.touched(places, [(8, 8)]) == []  # inserted between two records
    assert mangler.touched(places, [(17, 17)]) == [1]


def test_text_forms() -> None:
    assert mangler.FORMS["text_listing"][0]([ONE]) == b"      0        3  c1ffc3\r\n"
    assert mangler.FORMS["text_log"][0]([ONE, TWO]).endswith(b"12.00.01 STC42 2 BYTES\n")
    # CP: blank 40, digits F0-F9, a-f 81-86
    assert mangler.FORMS["text_ebcdic"][0]([ONE]).endswith(text("F3 4040 83F1 8686 83F3 15"))


def test_code_page() -> None:
    # CP, 1047: [ AD, ] BD, ^ 5F, not sign B0, Y acute BA, diaeresis BB, newline 15, line feed 25
    assert text("ADBD5FB0BABB1525").translate(mangler.TO_LATIN) == text("5B5D5EACDDA80A85")
    assert text("1525").translate(mangler.TO_LATIN_CDRA) == text("850A")
    assert b"IMS 0-9".translate(mangler.TO_1047) == text("C9D4E2 40 F060F9")
    assert sorted(mangler.TO_LATIN) == sorted(mangler.TO_LATIN_CDRA) == list(range(256))


@pytest.mark.parametrize(
    ("name", "before", "after", "ranges"),
    [
        ("ascii_translated", "C11525", "410A85", [(0, 3)]),
        ("ascii_translated_cdra", "C11525", "41850A", [(0, 3)]),
        ("ascii_translated_crlf", "C11525", "410D0A85", [(0, 3)]),
        # UTF-8 of U+0085 is C285
        ("ebcdic_to_utf8", "C11525", "410AC285", [(0, 3)]),
        ("crlf_inserted", "0A010D0A", "0D0A010D0D0A", [(0, 1), (3, 4)]),
        ("crlf_to_lf", "0A010D0A", "0A010A", [(2, 4)]),
        # C3A9 is good UTF-8; C1 and FF never are; E28288 lacks nothing, E282 the third byte
        ("utf8_mangled", "C3A9C141FF", "C3A9EFBFBD41EFBFBD", [(2, 3), (4, 5)]),
        ("utf8_mangled", "E28288E28241", "E28288EFBFBD41", [(3, 5)]),
        ("lengths_swapped", "00070000C1FFC300060000150A", "07000000C1FFC306000000150A", None),
        ("segment_lost", "00050100C100050300FF00050200C3", "00050100C100050200C3", [(5, 10)]),
        ("block_lost", "8000000900050000C1", "", [(0, 9)]),
        ("block_repeated", "0009000000050000C1", "0009000000050000C1" * 2, [(0, 9)]),
        ("byte_lost", "41", "", [(0, 1)]),
        ("truncated", "4142", "41", [(1, 2)]),
        ("zeroed", "4142", "0000", [(0, 2)]),
        ("glued", "4142", "41424142", []),
        ("glued_padded", "4142", "4142" + "00" * 4094 + "4142", []),
    ],
)
def test_damage(name: str, before: str, after: str, ranges: list[mangler.Range] | None) -> None:
    data, found = mangler.DAMAGES[name](text(before), rng())
    assert data == text(after)
    assert found == ([(0, 2), (7, 9)] if ranges is None else ranges)


@pytest.mark.parametrize("name", mangler.DAMAGES)
def test_damage_is_repeatable_and_says_where(name: str) -> None:
    form = {"rdw": "rdw_tiny_segments", "bdw_rdw": "vbs_small"}[mangler.NEEDS.get(name, "rdw")]
    data = mangler.FORMS[form][0]([bytes(range(256)) * 20, b"\r\n" * 50])
    left, ranges = mangler.DAMAGES[name](data, rng())
    assert mangler.DAMAGES[name](data, rng()) == (left, ranges)
    assert left != data
    first, *_, last = [*(ranges or [(len(data), 0)])] * 2
    assert left.startswith(data[: first[0]]) and left.endswith(data[last[1] :])


def test_random_damages_have_their_size() -> None:
    data = bytes(range(256)) * 64
    flipped, ranges = mangler.DAMAGES["bit_flips"](data, rng())
    changed = [at for at in range(len(data)) if flipped[at] != data[at]]
    assert [(at, at + 1) for at in changed] == ranges and len(changed) == 3
    assert all((flipped[at] ^ data[at]).bit_count() == 1 for at in changed)
    grown, [(start, stop)] = mangler.DAMAGES["garbage_inserted"](data, rng())
    assert start == stop and 1 <= len(grown) - len(data) <= 64
    half, ranges = mangler.zeroed(data, rng(), 0.5)
    assert len(ranges) == 2 and half.count(bytes(4096)) >= 1 and len(half) == len(data)


def test_glued_forms() -> None:
    blocked, plain = mangler.FORMS["bdw_rdw"][0]([ONE]), mangler.FORMS["rdw"][0]([TWO])
    assert mangler.GLUED["different"]([ONE], [TWO]) == blocked + plain
    padded = mangler.GLUED["different_padded"]([ONE], [TWO])
    assert padded == blocked + bytes(4096 - 11) + plain


def test_normal() -> None:
    records, other = [b"\x1e" + bytes([n]) for n in (2, 70, 72, 3)], [FOUR, TWO]
    for name in ("signature", "two_systems"):
        both = mangler.NORMAL[name](records, other, rng())
        assert [r for r in both if r in records] == records
        assert [r for r in both if r in other] == other
    assert mangler.NORMAL["no_trailer"](records, other, rng()) == records[:3]
    shuffled = mangler.NORMAL["unsorted"](records, other, rng())
    assert sorted(shuffled) == sorted(records) and shuffled != records


def test_containers() -> None:
    pack, data = mangler.CONTAINERS, b"SMF" * 1000
    assert (
        gzip.decompress(pack["gz"](data)) == gzip.decompress(pack["gz_two_members"](data)) == data
    )
    assert bz2.decompress(pack["bz2"](data)) == lzma.decompress(pack["xz"](data)) == data
    assert pack["zst"](data)[:4] == text("28B52FFD")  # RFC 8878: magic number, little-endian
    stream = pyarrow.CompressedInputStream(pyarrow.py_buffer(pack["zst"](data)), "zstd")
    assert stream.read() == data
    for name, count in (("zip1", 1), ("zip3", 3)):
        with zipfile.ZipFile(io.BytesIO(pack[name](data))) as archive:
            assert len(archive.namelist()) == count and archive.read(mangler.NAME) == data

    def member(packed: bytes) -> bytes:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            content = archive.extractfile(archive.getnames()[0])
            assert content is not None
            return content.read()

    assert member(pack["tar"](data)) == member(pack["tar_gz"](data)) == data
    assert member(member(pack["tar_gz_nested"](data))) == data
