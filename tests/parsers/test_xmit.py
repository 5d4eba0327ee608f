"""TSO transmissions typed from the description of the format; made-up ones; damage."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden_files import golden_bytes, golden_names
from places import GOLDEN

from imsperf.errors import DumpError
from imsperf.parsers.containers.xmit import is_xmit, unpack
from imsperf.parsers.kernels.loads import U8

NAMES = golden_names("containers/xmit")
VB = golden_bytes("containers/xmit/vb")
DATA = VB.index(bytes.fromhex("07C0F1F2"))  # of its first data record
COPY, PS = "102800010007C9D5D4C3D6D7E8", "003C000100024000"


def array(data: bytes) -> U8:
    return np.frombuffer(data, np.uint8)


def read(data: bytes) -> list[tuple[str, str, bytes]]:
    return [
        (name, recfm, b"".join(piece.tobytes() for piece in pieces))
        for name, pieces, recfm in unpack(array(data))
    ]


def read_until_error(data: bytes) -> tuple[list[tuple[str, str, bytes]], DumpError]:
    members: list[tuple[str, str, bytes]] = []
    with pytest.raises(DumpError) as caught:
        for name, pieces, recfm in unpack(array(data)):
            members.append((name, recfm, b"".join(piece.tobytes() for piece in pieces)))
    return members, caught.value


def control(name: str, units: str, number: str = "") -> bytes:
    body = name.encode("cp037") + bytes.fromhex(number + units)
    return bytes([len(body) + 2, 0xE0]) + body


def data(*records: bytes) -> bytes:
    """Records in segments of up to 253 bytes."""
    out = bytearray()
    for record in records:
        parts = [record[at : at + 253] for at in range(0, len(record), 253)] or [b""]
        for number, part in enumerate(parts):
            flags = 0x80 * (number == 0) | 0x40 * (number == len(parts) - 1)
            out += bytes([len(part) + 2, flags]) + part
    return bytes(out)


def transmission(recfm: str, content: bytes, utility: str = COPY) -> bytes:
    units = f"{utility}{PS}004900010002{recfm}"
    start = control("INMR01", "102F0001000101") + control("INMR02", units, "00000001")
    return start + control("INMR03", PS) + content + control("INMR06", "")


# --- typed and made-up transmissions -------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_golden_transmissions(name: str) -> None:
    expected: list[Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    assert is_xmit(array(golden_bytes(name)))
    assert [[*member[:2], member[2].hex()] for member in read(golden_bytes(name))] == expected


@pytest.mark.parametrize(
    ("recfm", "name"),
    [("8000", "F"), ("9000", "FB"), ("9400", "FBA"), ("5002", "VB"), ("5802", "VBS"),
     ("4802", "VS"), ("5202", "VBM"), ("C000", "U")],
)  # fmt: skip
def test_record_formats(recfm: str, name: str) -> None:
    """Variable records get RDWs, others stand end to end."""
    body = read(transmission(recfm, data(b"\1\2", b"\3\4")))
    words = b"\0\6\0\0\1\2\0\6\0\0\3\4" if name[0] == "V" else b"\1\2\3\4"
    assert body == [("", name, words)]


def test_words_that_are_there_are_not_doubled() -> None:
    """Only where the format does not say that there are none, and all records agree."""
    records = [b"\0\6\0\0\1\2", b"\0\5\0\0\3"]
    assert read(transmission("5000", data(*records)))[0][2] == b"".join(records)
    doubled = b"\0\x0a\0\0" + records[0] + b"\0\x09\0\0" + records[1]
    assert read(transmission("5002", data(*records)))[0][2] == doubled
    mixed = read(transmission("5000", data(records[0], b"\0\7\0\0\3")))[0][2]
    assert mixed == b"\0\x0a\0\0" + records[0] + b"\0\x09\0\0\0\7\0\0\3"


def test_record_numbers_are_no_data() -> None:
    number = bytes.fromhex("04D00005")
    assert read(transmission("5002", number + data(b"\1")))[0][2] == b"\0\5\0\0\1"


def test_long_records_and_many() -> None:
    """A record longer than its RDW can say comes in segments; several pieces are made."""
    random = np.random.default_rng(5)
    records = [random.bytes(size) for size in (70_000, *random.integers(0, 3000, 1500), 200_000)]
    content = read(transmission("5002", data(*records)))[0][2]
    at, contents, codes = 0, [b""], set()
    while at < len(content):
        length, code = int.from_bytes(content[at : at + 2]), content[at + 2]
        contents[-1] += content[at + 4 : at + length]
        contents += [b""] * (code in (0, 2))
        codes.add(code)
        at += length
    assert contents == [*records, b""]
    assert codes == {0, 1, 2, 3}
    assert read(transmission("9000", data(*records)))[0][2] == b"".join(records)


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", VB[:7], VB[1:], b"\x08\xa0" + VB[3:], VB[80:]])
def test_other_files_are_not_taken(content: bytes) -> None:
    assert not is_xmit(array(content))
    with pytest.raises(DumpError, match=r"byte 0: found .*expected an INMR01"):
        read(content)


@pytest.mark.parametrize(
    ("utility", "recfm", "message"),
    [
        ("102800010007C9C5C2C3D6D7E8", "4802", "partitioned (unloaded by IEBCOPY)"),
        ("102800010008C1D4E2C3C9D7C8D9", "5002", "sent through AMSCIPHR"),
        (COPY, "5004", "packed or compressed (X'5004')"),
        (COPY, "0001", "record format X'0001'"),
    ],
)
def test_what_cannot_be_read_is_named(utility: str, recfm: str, message: str) -> None:
    sets, error = read_until_error(transmission(recfm, data(b"\1"), utility))
    assert sets == [] and message in error.message and error.hint


def test_a_refused_file_leaves_the_others() -> None:
    unload = control("INMR02", "102800010007C9C5C2C3D6D7E8" + PS, "00000001")
    sound = golden_bytes("containers/xmit/message_fb")
    first, second = sound.index(b"\x39\xe0"), sound.index(b"\x3b\xe0")
    sets, error = read_until_error(sound[:first] + unload + sound[second:])
    assert sets == [("A.B1", "FB", b"\xc1\xc2\xc3\xc4\xc5\xc6")]
    assert "IEBCOPY" in error.message


# --- damage -------------------------------------------------------------------------------------


def read_damaged(content: bytes) -> tuple[list[bytes], list[tuple[int, str, int]]]:
    """What could be read of each data set, and place, reason and bytes of each loss."""
    told: list[tuple[int, str, int]] = []
    members = unpack(
        array(content), lambda at, reason, words, lost: told.append((at, reason, lost))
    )
    return [b"".join(piece.tobytes() for piece in member.pieces) for member in members], told


@pytest.mark.parametrize("length", [DATA + 1, DATA + 7, DATA + 9, DATA + 200, DATA + 273])
def test_whole_records_before_the_cut_are_kept(length: int) -> None:
    sound = read(VB)[0][2]
    which = [1, 7, 9, 200, 273].index(length - DATA)
    intact = [0, 9, 13, 13, len(sound)][which]
    lost = [1, 0, 0, 191, 0][which]  # of the record that is cut; the third begins at DATA + 9
    assert read_damaged(VB[:length]) == ([sound[:intact]], [(intact, "truncated", lost)])


SIZES = [300 + 97 * n % 800 for n in range(60)]
RECORDS = [bytes([n]) * size for n, size in enumerate(SIZES)]
HEAD = len(transmission("5002", b"")) - 8  # INMR06 takes 8 bytes


def rdws(numbers: list[int]) -> bytes:
    return b"".join((SIZES[n] + 4).to_bytes(2) + b"\0\0" + RECORDS[n] for n in numbers)


@pytest.mark.parametrize("damage", ["zeroed", "a byte lost", "a byte more"])
def test_reading_goes_on_behind_damage(damage: str) -> None:
    """In record 20: it is left out, with at most one on each side; all others are read."""
    content = transmission("5002", data(*RECORDS))
    begin = HEAD + len(data(*RECORDS[:20]))
    at, end = begin + 50, begin + len(data(RECORDS[20]))
    if damage == "zeroed":
        content = content[:at] + bytes(400) + content[at + 400 :]
    else:
        content = content[:at] + b"\x14" * (damage == "a byte more") * 2 + content[at + 1 :]
    (member,), told = read_damaged(content)
    assert member in [
        rdws([*range(first), *range(last, 60)]) for first in (19, 20) for last in (21, 22)
    ]
    ((place, reason, lost),) = told
    assert reason == "damaged" and member[:place] == rdws([*range(19), 19])[:place]
    assert end - begin - 1 <= lost <= len(data(*RECORDS[19:22])) + 1


def test_a_damaged_end_is_counted() -> None:
    """No record follows that proves where to go on; the record in front leads to the damage."""
    content = VB[: DATA + 7] + b"\1\xc0" + bytes(len(VB) - DATA - 9)
    assert read_damaged(content) == ([b""], [(0, "truncated", len(VB) - DATA)])


def test_a_second_transmission_is_not_passed_over() -> None:
    sets, error = read_until_error(VB + VB)
    assert len(sets) == 1 and f"byte {len(VB)}: found one more transmission" in error.message


def test_text_unit_cut_off_is_named() -> None:
    broken = VB.replace(bytes.fromhex("000200030004"), bytes.fromhex("000200030044"))
    assert "INMR02 with a text unit that is cut off" in read_until_error(broken)[1].message


MUTATE = """
import sys
from pathlib import Path
import numpy as np
from numba.core import config
from imsperf.errors import DumpError
from imsperf.parsers.containers.xmit import is_xmit, unpack
assert config.BOUNDSCHECK
random = np.random.default_rng(7)
files = [np.frombuffer(path.read_bytes(), np.uint8) for path in map(Path, sys.argv[1:])]
outcomes = {"whole": 0, "DumpError": 0}
for number in range(900):
    data = files[number % len(files)].copy()
    for _ in range(random.integers(1, 6)) if number >= len(files) else ():
        data[random.integers(0 if number % 5 == 0 else 8, len(data))] = random.integers(256)
    if number % 4 == 3:
        data = data[: random.integers(len(data))]
    is_xmit(data)
    try:
        size = sum(piece.size for _, pieces, _ in unpack(data) for piece in pieces)
        assert size <= 2 * len(data)
        outcomes["whole"] += 1
    except DumpError:
        outcomes["DumpError"] += 1
print(outcomes)
assert min(outcomes.values()) > 50
"""


def test_damage_never_reads_or_writes_outside(tmp_path: Path) -> None:
    """With the compiler's own checks on: each damaged file is a result or a DumpError."""
    random = np.random.default_rng(5)
    made_up = tmp_path / "made_up"
    made_up.write_bytes(transmission("5002", data(*map(random.bytes, range(0, 900, 50)))))
    paths = [made_up]
    for name in NAMES:
        paths.append(tmp_path / Path(name).name)
        paths[-1].write_bytes(golden_bytes(name))
    place = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-P", "-c", MUTATE, *map(str, paths)]
    done = subprocess.run(
        command, env=os.environ | place, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
