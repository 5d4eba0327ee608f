"""Data sets packed on a real system, made-up streams of codes, damage."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import OrderedDict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from places import GOLDEN

from imsperf.errors import DumpError
from imsperf.parsers.containers.terse import Unpacking, is_terse, read_header, unpack
from imsperf.parsers.kernels.loads import U8

REAL = GOLDEN / "containers" / "terse"
EXPECTED = {
    name: (digest, int(length))
    for digest, length, name in map(str.split, (REAL / "expected.txt").read_text().splitlines())
}
NAMES = sorted(path.name for path in REAL.glob("*PACK"))
LOST = ("FB.A.TXT.SPACK", "VB.A.TXT.SPACK")  # README.md there
MARK = 257


def array(data: bytes) -> U8:
    return np.frombuffer(data, np.uint8)


def real(name: str) -> bytes:
    return (REAL / name).read_bytes()


def stream(codes: list[int], spack: bool = False, variable: bool = False, length: int = 4) -> bytes:
    """A header as on the real files, and codes of 12 bits."""
    header = bytes(
        [5 if spack else 2, variable, *length.to_bytes(2), 0x0C, 0, 0x6D, 0x5E, *[0] * 4]
    )
    bits = "".join(f"{code:012b}" for code in codes)
    bits += "0" * (-len(bits) % 8)
    return header + int("1" + bits, 2).to_bytes(len(bits) // 8 + 1)[1:]


# --- a second reader, as plain as can be ---------------------------------------------------------


class PlainPack:
    """Each string is another and a byte more; the one unused for longest gives its place away."""

    def __init__(self) -> None:
        self.parent = {code: code - 1 for code in range(258, 4096)} | {258: 65}
        self.letter = dict.fromkeys(range(258, 4096), 65)
        self.ring = OrderedDict.fromkeys(range(4095, 257, -1))  # from the longest ago
        self.before = 0

    def read(self, code: int) -> list[int] | None:
        fresh = next(iter(self.ring))
        path = []
        while code > 257 and len(path) < 4096:
            path.append(code)
            code = self.parent[code]
        if code > 257:
            return None
        for used in (fresh, *path):
            self.ring.move_to_end(used)
        self.letter[self.before] = code
        text = [code, *(self.letter[code] for code in reversed(path))]
        self.before, self.parent[fresh] = fresh, path[0] if path else code
        return text


class PlainSpack:
    """Pairs of strings; one that is part of no other may be forgotten."""

    def __init__(self) -> None:
        self.pair: dict[int, tuple[int, int]] = {}
        self.uses = dict.fromkeys(range(4096), 0)
        self.ring: OrderedDict[int, None] = OrderedDict()
        self.last: list[int] = []

    def read(self, code: int) -> list[int] | None:
        if len(self.last) == 2:
            self.learn(*self.last)
        self.last = [*self.last[-1:], code]
        out: list[int] = []
        todo = [code]
        while todo:
            token = todo.pop()
            if token <= 257:
                out.append(token)
            elif token not in self.pair or token in self.pair[token] or len(out) > 1 << 20:
                return None
            else:
                todo += reversed(self.pair[token])
        return out

    def learn(self, left: int, right: int) -> None:
        code = 258 + len(self.pair)
        if code == 4096:
            code, _ = self.ring.popitem(last=False)
            for part in self.pair[code]:
                self.uses[part] -= 1
                if part > 257 and self.uses[part] == 0 and part != code:
                    self.ring[part] = None
        self.pair[code] = left, right
        for part in (left, right):
            self.uses[part] += 1
            self.ring.pop(part, None)
        self.uses[code] = 0
        self.ring[code] = None


def plain(data: bytes) -> bytes:
    """What a file holds; an unfinished record of a variable one is left out unless it ends well."""
    bits = "".join(f"{byte:08b}" for byte in data[12:])
    reader = PlainSpack() if data[0] == 5 else PlainPack()
    codes: list[int] = []
    end = False
    for at in range(0, len(bits) - 11, 12):
        code = int(bits[at : at + 12], 2)
        end = code == 0
        text = reader.read(code) if code else None
        if text is None:
            break
        codes += text
    if not data[1]:
        return bytes(code - 1 for code in codes if code != MARK)
    marks = [-1, *(at for at, code in enumerate(codes) if code == MARK)]
    if end and len(codes) > marks[-1] + 1:
        marks.append(len(codes))
    records = [bytes(code - 1 for code in codes[a + 1 : b]) for a, b in pairwise(marks)]
    return b"".join(map(with_words, records))


def with_words(record: bytes) -> bytes:
    """Behind its RDW, or in segments as long as can be."""
    parts = [record[at : at + 65531] for at in range(0, len(record), 65531)] or [b""]
    codes = [1, *[3] * (len(parts) - 2), 2] if len(parts) > 1 else [0]
    return b"".join(
        (len(part) + 4).to_bytes(2) + bytes([code, 0]) + part
        for part, code in zip(parts, codes, strict=True)
    )


# --- real files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_real_files_unpack_to_what_the_system_had(name: str) -> None:
    data = array(real(name))
    assert is_terse(data)
    unpacked = unpack(data)
    assert (unpacked.problem, unpacked.stopped) == ("", False)
    assert unpacked.variable == name.startswith("VB")
    content = hashlib.sha256(unpacked.data).hexdigest(), len(unpacked.data)
    empty = hashlib.sha256(b"").hexdigest(), 0
    assert content == (empty if name in LOST else EXPECTED[name.rpartition(".")[0]])


@pytest.mark.parametrize("name", [name for name in NAMES if len(real(name)) < 7000])
def test_the_plain_reader_agrees(name: str) -> None:
    assert unpack(array(real(name))).data.tobytes() == plain(real(name))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, *range(3)])
@pytest.mark.parametrize("variable", [False, True], ids=["fixed", "variable"])
@pytest.mark.parametrize("spack", [False, True], ids=["pack", "spack"])
def test_the_plain_reader_agrees_on_anything(spack: bool, variable: bool, seed: int) -> None:
    """Long enough that strings are forgotten; few strings of strings, which grow without end."""
    random = np.random.default_rng(seed)
    codes = random.integers(1, MARK + 1, 8000)
    strings = random.random(8000) < (0.05 if spack else 0.4)
    known = np.minimum(np.arange(8000) + MARK, 4095) if spack else np.full(8000, 4095)
    codes[strings] = random.integers(MARK + 1, known[strings] + 1)
    codes[:2] = 7
    data = stream([*codes.tolist(), 0], spack, variable, 1)
    assert unpack(array(data)).data.tobytes() == plain(data)


# --- made-up streams ----------------------------------------------------------------------------


def test_a_string_that_is_not_finished_yet() -> None:
    """The first string learned is 4095; using it at once gives it the byte it begins with."""
    assert unpack(array(stream([0xC1 + 1, 4095, 4094, 0]))).data.tobytes() == b"\xc1" * 6


def test_fixed_records_do_without_marks() -> None:
    assert unpack(array(stream([2, 3, MARK, 4, 5, 0]))).data.tobytes() == b"\1\2\3\4"


def test_last_record_may_lack_its_mark() -> None:
    unpacked = unpack(array(stream([2, MARK, MARK, 3, 4, 0], variable=True)))
    assert unpacked.data.tobytes() == b"\0\5\0\0\1\0\4\0\0\0\6\0\0\2\3"


@pytest.mark.parametrize("spack", [False, True], ids=["pack", "spack"])
def test_record_longer_than_its_rdw_can_say_comes_in_segments(spack: bool) -> None:
    codes = [*([2, 3] * 70_000), MARK, 2, 0]
    data = unpack(array(stream(codes, spack, True))).data.tobytes()
    at, pieces = 0, []
    while at < len(data):
        length = int.from_bytes(data[at : at + 2])
        pieces.append((data[at + 2], data[at + 4 : at + length]))
        at += length
    assert [code for code, _ in pieces] == [1, 3, 2, 0]
    assert b"".join(body for _, body in pieces) == b"\1\2" * 70_000 + b"\1"


def test_pieces_are_the_whole() -> None:
    data = array(real("VB.RANDOM.TXT.SPACK"))
    bomb = array(stream([2, 2, *range(258, 290)], spack=True, variable=True))
    for buffer in (data, bomb):
        pieces = list(Unpacking(buffer, 3_000_000))
        assert (
            b"".join(piece.tobytes() for piece in pieces)
            == unpack(buffer, 3_000_000).data.tobytes()
        )


# --- what is not a packed data set ---------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\2\0",
        bytes.fromhex("0200 0000 5E02 0012 3456 0124 001F E2E8E2F1"),  # SMF record of 512 bytes
        bytes.fromhex("0200 0100 5E1E 0012 3456 0124 001F E2E8E2F1"),  # its first segment
        bytes.fromhex("0500 0000 04FC 0000 5E1E 0012 3456 0124 001F"),  # in a block
        stream([258, 2, 0], spack=True),  # a string before any was learned
        stream([2, 2, 0])[:12],
    ],
)
def test_other_files_are_not_taken(data: bytes) -> None:
    assert not is_terse(array(data))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: 3}, "byte 0: found X'03'"),
        ({1: 2}, "byte 1: found X'02'"),
        ({2: 0, 3: 0}, "byte 2: found a record length of 0"),
        ({11: 9}, "byte 8: found a record length of 9, expected 4"),
        ({4: 8}, "byte 4: found flags X'08'"),
        ({0: 1, 1: 0x89, 2: 0x69, 3: 0xA5}, "byte 0: found X'018969a5', packed on a PC"),
    ],
)
def test_a_wrong_header_is_named(change: dict[int, int], message: str) -> None:
    data = bytearray(stream([2, 0]))
    for at, byte in change.items():
        data[at] = byte
    with pytest.raises(DumpError, match=r"expected") as caught:
        read_header(array(bytes(data)))
    assert message in str(caught.value)


def test_short_header_is_named() -> None:
    with pytest.raises(DumpError, match="found 3 bytes"):
        unpack(array(b"\2\0\0"))


# --- damage -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["FB.FIELDS.C.PACK", "VB.FIELDS.C.SPACK"])
def test_what_came_before_the_cut_is_kept(name: str) -> None:
    unpacked = unpack(array(real(name))).data.tobytes()
    for length in (13, 14, 1000, 3001, 4002):
        cut = unpack(array(real(name)[:length]))
        assert unpacked.startswith(cut.data.tobytes()) and len(cut.data) < len(unpacked)
        assert "found the end of the file" in cut.problem
        assert ("left out" in cut.problem) == (name.startswith("VB") and length > 13)


def test_unknown_string_is_a_problem() -> None:
    unpacked = unpack(array(stream([2, 3, 4, 900, 2, 0], spack=True, length=1)))
    assert unpacked.data.tobytes() == b"\1\2\3"
    assert "byte 18: found a code" in unpacked.problem


def test_an_end_code_far_before_the_end_is_a_problem() -> None:
    """A sector of zeros is read as an end code. Real files hold up to 1,023 bytes of anything
    behind theirs, which fill the last record of the packed data set."""
    whole = real("VB.ALICE29.TXT.SPACK")
    expected = unpack(array(whole))
    unpacked = unpack(array(whole[:30_720] + bytes(512) + whole[31_232:]))
    assert "found an end code and 31," in unpacked.problem
    assert not expected.problem and len(unpacked.data) < len(expected.data)


def test_unfinished_fixed_record_is_a_problem() -> None:
    assert "1 bytes into a record" in unpack(array(stream([2, 3, 4, 5, 6, 0]))).problem


@pytest.mark.parametrize("variable", [False, True], ids=["fixed", "variable"])
@pytest.mark.parametrize("letter", [2, MARK], ids=["bytes", "marks"])
def test_a_bomb_stops_at_the_limit(letter: int, variable: bool) -> None:
    """Each string is twice the one before: 4 KB would make 2 to the power of 2,700 bytes."""
    codes = [letter, letter, *range(258, 2900)]
    unpacked = unpack(array(stream(codes, spack=True, variable=variable)), 5_000_000)
    if letter == MARK and not variable:
        assert len(unpacked.data) == 0 and "damaged" in unpacked.problem
    else:
        assert (len(unpacked.data), unpacked.stopped, unpacked.problem) == (5_000_000, True, "")


MUTATE = """
import sys
from pathlib import Path
import numpy as np
from numba.core import config
from imsperf.errors import DumpError
from imsperf.parsers.containers.terse import is_terse, unpack
assert config.BOUNDSCHECK
random = np.random.default_rng(11)
paths = sorted(Path(sys.argv[1]).glob("*PACK"))
files = [np.frombuffer(path.read_bytes(), np.uint8) for path in paths]
for number, file in enumerate(files):
    assert not unpack(file).problem, number
outcomes = {}
for number in range(300):
    data = files[number % len(files)].copy()
    for _ in range(random.integers(1, 30)):
        first, last = 0 if number % 3 == 0 else 12, min(len(data), 400 << number % 5)
        data[random.integers(first, last)] = random.integers(256)
    if number % 4 == 0:
        data = data[: random.integers(len(data))]
    if number % 7 == 0:
        data[12:] = random.integers(0, 256, len(data[12:]))
    is_terse(data)
    try:
        unpacked = unpack(data, 2_000_000)
        assert len(unpacked.data) <= 2_000_000
        outcome = unpacked.problem[-20:] or ("stopped" if unpacked.stopped else "whole")
    except DumpError:
        outcome = "refused"
    outcomes[outcome] = outcomes.get(outcome, 0) + 1
print(outcomes)
"""


@pytest.mark.slow
def test_damage_never_reads_or_writes_outside(tmp_path: Path) -> None:
    """With the compiler's own checks on, each of 300 damaged files: a result or a DumpError."""
    place = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-P", "-c", MUTATE, str(REAL)]
    done = subprocess.run(
        command, env=os.environ | place, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "refused" in done.stdout and "whole" in done.stdout and "damaged" in done.stdout
