"""What files come packed in: every member is found, damage is told, hostile archives do no harm."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from imsperf.cli import main
from imsperf.cli.dumps.unpack import safe_name, unique
from imsperf.errors import DumpError
from imsperf.parsers.containers import members as containers
from imsperf.parsers.containers import spool, streams
from imsperf.parsers.containers.source import (
    Source,
    open_source,
    open_sources,
    sha256,
    stored_bytes,
)

RNG = np.random.default_rng(11)
ONE = RNG.bytes(3000) + bytes(200_000) + RNG.bytes(500)
TWO = b"\0\x0e\0\0record two" * 900


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return file.getvalue()


def tarred(*members: tuple[str, bytes], kind: bytes = tarfile.REGTYPE) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            info.size = len(data) if kind == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def zstd(data: bytes) -> bytes:
    pa = pytest.importorskip("pyarrow")
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue().to_pybytes())


PACK = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": zstd}
MEMBERS = (("first", ONE), ("deep/second", TWO))


@pytest.fixture
def read(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Sources of a file with this content."""

    def read_(data: bytes, limit: int | None = None, name: str = "file") -> list[Source]:
        path = tmp_path / name
        path.write_bytes(data)
        return list(open_sources(path, limit))

    return read_


def contents(sources: list[Source]) -> list[tuple[str, str, bytes]]:
    """(name behind the path, container, bytes); fails where there is a problem."""
    assert not [problem for source in sources for problem in source.problems]
    return [
        (source.name.removeprefix(str(source.path)), source.container, source.buffer.tobytes())
        for source in sources
    ]


def reasons(source: Source) -> list[str]:
    return [problem.reason for problem in source.problems]


# --- what is in them ------------------------------------------------------------------------------


def test_plain_file_is_its_own_source(read) -> None:  # type: ignore[no-untyped-def]
    assert contents(read(TWO)) == [("", "", TWO)]


@pytest.mark.parametrize("kind", PACK)
def test_streams_in_one_another_and_zeros_behind(read, kind: str) -> None:  # type: ignore[no-untyped-def]
    """Several streams are one; a tape leaves zeros at the end."""
    pack = PACK[kind]
    assert contents(read(pack(ONE))) == [("", kind, ONE)]
    assert contents(read(pack(ONE) + pack(b"") + pack(TWO) + bytes(512))) == [("", kind, ONE + TWO)]
    (member,) = read(pack(ONE) + b"\x07 else")
    assert member.buffer.tobytes() == ONE and reasons(member) == ["garbage"]


@pytest.mark.parametrize("method", [0, 8, 12, 14])
def test_zip_by_every_method(read, method: int) -> None:  # type: ignore[no-untyped-def]
    members = contents(read(zipped(*MEMBERS, method=method)))
    assert members == [("!first", "zip", ONE), ("!deep/second", "zip", TWO)]


def test_zip64_and_streamed_zip(read) -> None:  # type: ignore[no-untyped-def]
    """Sizes behind the data, or in 64 bits."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = b""

        def writable(self) -> bool:
            return True

        def write(self, piece) -> int:  # type: ignore[no-untyped-def, override]
            self.data += bytes(piece)
            return len(piece)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        with archive.open("big", "w", force_zip64=True) as file:
            file.write(ONE)
        archive.writestr("two", TWO)
    assert contents(read(pipe.data)) == [("!big", "zip", ONE), ("!two", "zip", TWO)]


def test_tar_plain_and_packed(read) -> None:  # type: ignore[no-untyped-def]
    data = tarred(*MEMBERS)
    for kind, packed in (("", data), *((f"{pack}+", PACK[pack](data)) for pack in PACK)):
        wanted = [("!first", f"{kind}tar", ONE), ("!deep/second", f"{kind}tar", TWO)]
        assert contents(read(packed)) == wanted


def test_members_in_members(read) -> None:  # type: ignore[no-untyped-def]
    inner = zipped(("dump.gz", gzip.compress(ONE)), ("log", TWO))
    members = contents(read(tarred(("a", TWO), ("b.zip", inner))))
    assert members == [
        ("!a", "tar", TWO),
        ("!b.zip!dump.gz", "tar+zip+gz", ONE),
        ("!b.zip!log", "tar+zip", TWO),
    ]


def test_folders_empty_members_and_what_a_mac_adds_are_passed_over(read) -> None:  # type: ignore[no-untyped-def]
    more = (("d/", b""), ("none", b""), ("__MACOSX/._x", b"junk"), ("d/._x", b"junk"), ("d/x", ONE))
    assert contents(read(zipped(*more))) == [("!d/x", "zip", ONE)]


def test_terse_in_a_zip(read) -> None:  # type: ignore[no-untyped-def]
    """A data set of two fixed records, packed by hand: codes of 12 bits, a byte is one more."""
    codes = [*(byte + 1 for byte in b"AB"), 0]
    bits = "".join(f"{code:012b}" for code in codes) + "0000"
    packed = struct.pack(">BBHBBHI", 2, 0, 1, 4, 0, 1, 1) + int(bits, 2).to_bytes(5)
    assert contents(read(zipped(("a.trs", packed)))) == [("!a.trs", "zip+terse", b"AB")]


def test_every_data_set_of_an_xmit_file(read, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    def unpack(buffer: containers.U8, lost: object) -> Iterator[SimpleNamespace]:
        for name, data in MEMBERS:
            pieces = iter(np.array_split(np.frombuffer(data, np.uint8), 7))
            yield SimpleNamespace(name=name, pieces=pieces, recfm="VB")
        raise DumpError("xmit: byte 9: found damage, expected none", "look there")

    stand_in = SimpleNamespace(is_xmit=lambda b: bytes(b[:5]) == b"XMIT:", unpack=unpack)
    monkeypatch.setitem(sys.modules, "imsperf.parsers.containers.xmit", stand_in)
    monkeypatch.setattr("imsperf.parsers.containers.xmit", stand_in, raising=False)
    *others, last = read(gzip.compress(b"XMIT: and so on" * 50))
    assert contents(others) == [("!first", "gz+xmit", ONE), ("!deep/second", "gz+xmit", TWO)]
    assert not last.buffer.size and reasons(last) == ["not_unpacked"]


TOOLS = {
    "gzip": ["gzip", "-c"],
    "xz": ["xz", "-c", "--block-size=65536"],
    "bzip2": ["bzip2", "-c"],
    "zstd": ["zstd", "-q", "-c", "--long=20", "--check"],
    "lzma2": ["xz", "-c", "-9e", "--check=sha256"],
}


@pytest.mark.parametrize("tool", TOOLS)
def test_what_other_programs_pack(read, tool: str) -> None:  # type: ignore[no-untyped-def]
    if not shutil.which(TOOLS[tool][0]):
        pytest.skip(f"no {tool}")
    packed = subprocess.run(TOOLS[tool], input=ONE, capture_output=True, check=True).stdout
    assert contents(read(packed))[0][2] == ONE
    assert contents(read(packed + packed))[0][2] == ONE + ONE


@pytest.mark.parametrize(
    "words",
    [
        ["zip", "-q", "-r", "-", "first", "deep"],
        ["zip", "-q", "-0", "-r", "-", "first", "deep"],
        ["tar", "-cf", "-", "first", "deep"],
        ["tar", "--format=v7", "-cf", "-", "first", "deep"],
        ["tar", "--format=posix", "-czf", "-", "first", "deep"],
    ],
)
def test_what_other_programs_collect(read, tmp_path: Path, words: list[str]) -> None:  # type: ignore[no-untyped-def]
    if not shutil.which(words[0]):
        pytest.skip(f"no {words[0]}")
    for name, data in MEMBERS:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    packed = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True).stdout
    members = contents(read(packed))
    assert [(name, data) for name, _, data in members] == [("!first", ONE), ("!deep/second", TWO)]


def test_a_first_look_unpacks_little(read) -> None:  # type: ignore[no-untyped-def]
    """But all of what must be seen whole to find what is in it."""
    long = RNG.bytes(1000) * 3000
    (member,) = read(gzip.compress(long), 1000)
    assert 1000 <= member.buffer.size < len(long) and not member.problems
    assert [len(data) for _, _, data in contents(read(tarred(("a", ONE), ("b", TWO)), 10))] == [
        len(ONE),
        len(TWO),
    ]
    looked = read(gzip.compress(zipped(("a", long), ("b", long))), 1000)
    assert [member.name[-2:] for member in looked] == ["!a", "!b"]
    assert all(1000 <= member.buffer.size < len(long) for member in looked)


def test_much_goes_to_a_file(read, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(spool, "MEMORY", 10_000)
    assert contents(read(gzip.compress(ONE))) == [("", "gz", ONE)]


def test_progress_counts_the_bytes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(tarred(*MEMBERS)))
    steps: list[int] = []
    list(open_sources(path, progress=steps.append))
    assert sum(steps) == path.stat().st_size


# --- damage ---------------------------------------------------------------------------------------


def test_bad_checksum_leaves_the_member_out(read) -> None:  # type: ignore[no-untyped-def]
    """Any byte of it may be wrong: none is given, all are counted; the other members are whole."""
    for method in (0, 8, 12, 14):
        broken = bytearray(zipped(*MEMBERS, method=method))
        at = broken.index(b"PK\1\2")
        broken[at + 16] ^= 1  # the CRC-32 that the list of members says
        first, second = read(bytes(broken))
        assert first.buffer.size == 0
        assert [(p.reason, p.byte_offset, p.bytes) for p in first.problems] == [
            ("damaged", 0, len(ONE))
        ]
        assert second.buffer.tobytes() == TWO and not second.problems
    packed = bytearray(gzip.compress(TWO))
    packed[-6] ^= 1
    with pytest.raises(DumpError, match=f"found checksum {zlib.crc32(TWO):08X}, expected") as why:
        read(bytes(packed))
    assert "transfer it again" in str(why.value.hint) and why.value.facts["lost"] == len(TWO)


@pytest.mark.parametrize("length", [b"\xff\xff", b"\x20\x00"])
def test_a_header_of_gzip_that_goes_on_behind_the_file(read, length: bytes) -> None:  # type: ignore[no-untyped-def]
    """RFC 1952, 2.3.1.1: FEXTRA has a length, here one of more bytes than there are."""
    second = bytearray(gzip.compress(TWO[:20]))
    second[3] |= 4
    second[10:12] = length
    (member,) = read(gzip.compress(ONE) + bytes(second[:40]))
    assert member.buffer.tobytes() == ONE
    assert ["found no whole header of gzip" in p.detail for p in member.problems] == [True]


def test_unproved_bytes_are_given_to_who_asks(tmp_path: Path) -> None:
    """`imsperf unpack` writes what could be unpacked, and says from where on it may be wrong."""
    packed = bytearray(gzip.compress(ONE) + gzip.compress(TWO))
    packed[-6] ^= 1
    (tmp_path / "a.gz").write_bytes(packed)
    (member,) = open_sources(tmp_path / "a.gz", unproved=True)
    assert member.buffer.tobytes() == ONE + TWO
    assert [(p.reason, p.byte_offset, p.bytes) for p in member.problems] == [
        ("damaged", len(ONE), len(TWO))
    ]


def flipped(packed: bytes, at: int) -> bytes:
    """One bit of one byte changed."""
    return packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1 :]


NOISE = RNG.bytes(2_000_000)


@pytest.mark.parametrize(
    ("kind", "packed", "proved"),
    [
        ("gz", gzip.compress(ONE) + flipped(gzip.compress(NOISE), 1_000_000), len(ONE)),
        ("zst", zstd(ONE) + flipped(zstd(b"more" * 9999), 20), len(ONE)),
        ("bz2", bz2.compress(ONE) + flipped(bz2.compress(NOISE[:9000]), 4000), len(ONE)),
        # one stream: bzip2 takes 900,000 bytes less 19 to a block of level 9 (blocksort.c)
        ("bz2", flipped(bz2.compress(NOISE), 1_400_000), 899_000),
        ("xz", flipped(lzma.compress(NOISE[:300_000]), 100_000), 0),
    ],
)
def test_what_comes_before_the_damage_is_kept_where_it_is_proved(  # type: ignore[no-untyped-def]
    read, kind: str, packed: bytes, proved: int
) -> None:
    sound = {"bz2": NOISE}.get(kind, b"") if proved == 899_000 else ONE
    try:
        (member,) = read(packed)
    except DumpError:
        assert not proved
        return
    size = member.buffer.size
    assert member.buffer.tobytes() == sound[:size] and proved <= size <= max(proved, 900_000)
    assert [(p.reason, p.byte_offset) for p in member.problems] == [("damaged", size)]
    assert proved == 899_000 or size == proved


def test_blocks_of_xz_prove_themselves(read) -> None:  # type: ignore[no-untyped-def]
    if not shutil.which("xz"):
        pytest.skip("no xz")
    words = ["xz", "-c", "-0", "--block-size=100000"]
    packed = subprocess.run(words, input=NOISE[:500_000], capture_output=True, check=True).stdout
    (member,) = read(flipped(packed, 250_000))  # in the third block: noise does not get smaller
    assert member.buffer.tobytes() == NOISE[:200_000]
    assert [(p.reason, p.byte_offset) for p in member.problems] == [("damaged", 200_000)]


def test_a_last_block_that_does_not_end_is_damage_not_a_cut() -> None:
    """A changed bit can hide the end of a deflated stream: its trailer is there all the same."""
    data = TWO * 20
    packed = gzip.compress(data)
    outcomes = set()
    for at in range(len(packed) - 40, len(packed) - 8):
        for bit in range(8):
            broken = bytearray(packed)
            broken[at] ^= 1 << bit
            pieces = streams.gunzip(np.frombuffer(broken, np.uint8), lambda size: None)
            try:
                assert b"".join(pieces) == data  # bits behind the last block mean nothing
            except streams.Broken as error:
                outcomes.add((error.reason, error.proved))
    assert outcomes == {("damaged", 0)}


@pytest.mark.parametrize("kind", ["gz", "zip"])
def test_damage_in_the_middle_is_told_from_a_cut(read, kind: str) -> None:  # type: ignore[no-untyped-def]
    """Of a file that is cut, all that is there is kept; of a damaged one nothing is proved."""
    data = bytes(RNG.integers(0, 16, 300_000, dtype=np.uint8))
    packed = bytearray(gzip.compress(data) if kind == "gz" else zipped(("a", data)))
    at = len(packed) // 2
    if kind == "gz":
        (member,) = read(bytes(packed[:at]))
        good = int(0.49 * len(data))
        assert member.problems[0].reason == "truncated"
        assert member.buffer[:good].tobytes() == data[:good]
    packed[at : at + 40] = b"\xff" * 40
    with pytest.raises(DumpError, match="any of them may be wrong"):
        read(bytes(packed))


def test_member_that_cannot_be_unpacked_is_told_beside_the_others(read) -> None:  # type: ignore[no-untyped-def]
    data = bytearray(zipped(("secret", ONE), ("open", TWO)))
    central = data.index(b"PK\1\2")
    data[6] |= 1
    data[central + 8] |= 1
    first, second = read(bytes(data))
    assert second.buffer.tobytes() == TWO and not second.problems
    assert (first.name[-7:], first.buffer.size, reasons(first)) == ("!secret", 0, ["encrypted"])


@pytest.mark.parametrize(("place", "value", "word"), [(8, 1, "encrypted"), (10, 9, "method 9")])
def test_nothing_but_what_cannot_be_unpacked(read, place: int, value: int, word: str) -> None:  # type: ignore[no-untyped-def]
    data = bytearray(zipped(("a", ONE)))
    data[data.index(b"PK\1\2") + place] = value
    with pytest.raises(DumpError, match=word) as caught:
        read(bytes(data))
    assert "!a" in caught.value.message and caught.value.hint


def test_links_and_devices_are_left_out(read) -> None:  # type: ignore[no-untyped-def]
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        link = tarred(("link", b""), kind=kind)[:512]
        (member,) = read(link + tarred(("a", ONE)))
        assert member.buffer.tobytes() == ONE
        assert [(p.reason, p.severity) for p in member.problems] == [("not_a_file", "info")]
        with pytest.raises(DumpError, match="link"):
            read(link + bytes(1024))


def test_sparse_file_is_left_out(read, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    if not shutil.which("tar"):
        pytest.skip("no tar")
    with (tmp_path / "holes").open("wb") as file:
        file.write(ONE[:4096])
        file.seek(1 << 22)
        file.write(TWO)
    (tmp_path / "solid").write_bytes(TWO)
    words = ["tar", "-S", "-cf", "-", "holes", "solid"]
    packed = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True).stdout
    if len(packed) > 1 << 22:
        pytest.skip("the file system of the test keeps no holes")
    (member,) = read(packed)
    assert member.buffer.tobytes() == TWO and reasons(member) == ["unsupported"]


ARCHIVES = {
    **{kind: pack(ONE[:2000] + TWO) for kind, pack in PACK.items()},
    "zip": zipped(("a", ONE[:3000]), ("b", TWO)),
    "stored": zipped(("a", ONE[:3000]), ("b", TWO), method=0),
    "zip-bz2": zipped(("a", ONE[:3000]), ("b", TWO), method=12),
    "zip-lzma": zipped(("a", ONE[:3000]), ("b", TWO), method=14),
    "tar": tarred(("a", ONE[:3000]), ("b", TWO[:3000])),
    "tgz": gzip.compress(tarred(("a", ONE[:3000]), ("b", TWO))),
    "zip-zip": zipped(("z", zipped(("a", ONE[:3000])))),
    "pax": tarred(("n" * 300, ONE[:3000]), ("é" * 90, TWO[:900])),
}


def outcome(read, data: bytes) -> str:  # type: ignore[no-untyped-def]
    """DumpError, problems or whole; anything else fails the test."""
    try:
        sources = read(data)
    except DumpError as error:
        assert error.hint and error.message
        return "refused"
    return "problem" if any(source.problems for source in sources) else "whole"


@pytest.mark.parametrize("name", ARCHIVES)
def test_cut_at_every_97th_byte(read, name: str) -> None:  # type: ignore[no-untyped-def]
    data = ARCHIVES[name]
    seen = {outcome(read, data[:end]) for end in range(1, len(data), 97)}
    assert seen & {"problem", "refused"}


@pytest.mark.parametrize("name", ARCHIVES)
def test_flipped_bytes(read, name: str) -> None:  # type: ignore[no-untyped-def]
    """Headers and lists of members most of all."""
    data = ARCHIVES[name]
    edge = min(len(data), 700)
    places = [*range(edge), *range(len(data) - edge, len(data))]
    for at in RNG.choice(places, 120).tolist():
        broken = bytearray(data)
        broken[at] = int(RNG.integers(256))
        outcome(read, bytes(broken))


# --- hostile archives -----------------------------------------------------------------------------


def test_bomb_is_refused(read, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(spool, "MEMORY", 1_000_000)
    monkeypatch.setattr(spool, "room", lambda: 2_000_000)
    zeros = bytes(10_000_000)
    bombs = [zipped(("a", zeros), method=method) for method in (8, 12, 14)]
    for bomb in (*bombs, *(pack(zeros) for pack in PACK.values()), zipped(("b", bombs[0]))):
        with pytest.raises(DumpError, match="room") as caught:
            read(bomb)
        assert "TMPDIR" in str(caught.value.hint)


def test_full_disk(read, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    class Full(io.BytesIO):
        def write(self, piece: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool, "MEMORY", 1000)
    monkeypatch.setattr(spool.tempfile, "TemporaryFile", lambda **words: Full())
    with pytest.raises(DumpError, match="No space left"):
        read(gzip.compress(ONE))


def test_nested_too_deep(read) -> None:  # type: ignore[no-untyped-def]
    data = ONE
    for _ in range(4):
        data = zipped(("a", data))
    assert contents(read(data)) == [("!a!a!a!a", "zip+zip+zip+zip", ONE)]
    with pytest.raises(DumpError, match="4 containers"):
        read(gzip.compress(data))


def test_too_many_members(read, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """In one archive, or in all that are in one file."""
    monkeypatch.setattr(containers, "MOST_MEMBERS", 20)
    many = [(f"m{n}", b"x") for n in range(21)]
    nested = [(f"z{n}", zipped(*many[:4])) for n in range(5)]
    for data in (zipped(*many), tarred(*many), zipped(*nested)):
        with pytest.raises(DumpError, match="20 members"):
            read(data)


def test_members_that_overlap_are_refused(read) -> None:  # type: ignore[no-untyped-def]
    """One packed member, listed three times, is three times as much."""
    data = zipped(("a", ONE))
    start, end = data.index(b"PK\1\2"), data.index(b"PK\5\6")
    entry = data[start:end]
    tail = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 3, 3, 3 * len(entry), start, 0)
    with pytest.raises(DumpError, match="another member"):
        read(data[:start] + entry * 3 + tail)


def test_chain_of_long_names_in_a_tar(read) -> None:  # type: ignore[no-untyped-def]
    """A header that says "the next one", two thousand times."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 0
    with pytest.raises(DumpError):
        read(info.tobuf(tarfile.GNU_FORMAT) * 2000 + tarred(("a", ONE)))


def test_names_are_shown_without_control_characters(read) -> None:  # type: ignore[no-untyped-def]
    (member,) = read(zipped(("\x1b[2Jx\u202e\n", ONE)))
    assert member.name.endswith("!?[2Jx??")
    (member,) = read(tarred(("y" * 5000, ONE)))
    assert len(member.name) < 1000


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def unpack(tmp_path: Path, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """imsperf unpack FILE of that content -o out: exit code, lines of stdout, stderr."""

    def unpack_(data: bytes, name: str = "file") -> tuple[int, list[str], str]:
        (tmp_path / name).write_bytes(data)
        try:
            main(["unpack", str(tmp_path / name), "-o", str(tmp_path / "out")])
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        told = capsys.readouterr()
        return code, told.out.splitlines(), told.err

    return unpack_


HOSTILE = [
    "../../up", "/etc/passwd", "C:\\windows\\x", "..\\..\\y", "a/../../z", "\x1b[31mred\x07",
    "same", "d/same", "D/SAME", "..", "con.txt", "-rf", ".hidden", "x" * 400, "e\u0301" * 100,
]  # fmt: skip


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_nothing_is_written_outside_the_folder(unpack, tmp_path: Path, pack) -> None:  # type: ignore[no-untyped-def]
    before = {*tmp_path.rglob("*")}
    code, lines, _ = unpack(pack(*((name, TWO + name.encode()) for name in HOSTILE)))
    assert code == 0 and len(lines) == len(HOSTILE)
    written = {*(tmp_path / "out").iterdir()}
    assert {*tmp_path.rglob("*")} - before == {*written, tmp_path / "out", tmp_path / "file"}
    assert {file.read_bytes() for file in written} == {TWO + name.encode() for name in HOSTILE}
    assert all(line.isprintable() for line in lines)
    assert {"up", "passwd", "x", "y", "z", "same", "same.2", "SAME.3", "_con.txt", "rf"} <= {
        file.name for file in written
    }


def test_unpack_says_what_it_wrote_and_takes_suffixes_off(unpack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, lines, _ = unpack(gzip.compress(ONE), "smf.bin.gz")
    assert (code, lines) == (0, [f"{tmp_path / 'out' / 'smf.bin'}  {len(ONE):,} bytes  gz"])
    assert (tmp_path / "out" / "smf.bin").read_bytes() == ONE


def test_unpack_overwrites_nothing_and_follows_no_link(unpack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    data = zipped(("a", ONE))
    assert unpack(data)[0] == unpack(data)[0] == 0
    (tmp_path / "out" / "a").write_bytes(TWO)
    code, lines, told = unpack(data)
    assert (code, lines) == (1, []) and "another file" in told and "hint" in told
    (tmp_path / "out" / "a").unlink()
    (tmp_path / "out" / "a").symlink_to(tmp_path / "elsewhere")
    assert unpack(data)[0] == 1
    assert not (tmp_path / "elsewhere").exists()


def test_unpack_of_what_is_not_packed_or_broken(unpack) -> None:  # type: ignore[no-untyped-def]
    for data in (TWO, zipped(("a", ONE))[:-40], zipped(), b""):
        code, lines, told = unpack(data)
        assert (code, lines) == (1, []) and "error:" in told and "hint:" in told
    code, lines, told = unpack(gzip.compress(TWO)[:-8])
    assert (code, len(lines)) == (0, 1) and "its end missing" in told


@pytest.mark.parametrize(
    ("name", "safe"),
    [("", "member"), ("../", "member"), ("a/b/", "b"), ("nul", "_nul"), ("a:b", "a_b")],
)
def test_safe_names(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_unique_names_look_at_no_case() -> None:
    taken: set[str] = set()
    assert [unique(name, taken) for name in ("a", "A", "a", "a.2")] == ["a", "A.2", "a.3", "a.2.2"]


def test_standard_input(tmp_path: Path) -> None:
    """Read once, whoever asks; a terminal is refused."""
    script = (
        "from pathlib import Path; from imsperf.parsers.containers.source import *\n"
        "names = [one.name for one in open_sources(Path('-'))]\n"
        "print(names, open_source(Path('-')).buffer.size, sha256(Path('-')), "
        "stored_bytes(Path('-')))"
    )
    data = zipped(("a", ONE))
    (tmp_path / "a").write_bytes(data)
    words = [sys.executable, "-P", "-c", script]
    done = subprocess.run(words, input=data, capture_output=True, check=True)
    wanted = f"['-!a'] {len(ONE)} {sha256(tmp_path / 'a')} {stored_bytes(tmp_path / 'a')}"
    assert done.stdout.decode().strip() == wanted


def test_terminal_or_nothing_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(write)
    with os.fdopen(read, "r") as empty:
        monkeypatch.setattr(sys, "stdin", empty)
        with pytest.raises(DumpError, match="empty"):
            open_source(Path("-"))
    terminal = SimpleNamespace(buffer=io.BytesIO(), isatty=lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    with pytest.raises(DumpError, match="terminal"):
        open_source(Path("-"))
