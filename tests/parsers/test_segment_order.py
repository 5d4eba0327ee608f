"""Blocks of middle segments that changed places: lengths and segment codes hold."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from dump_files import load
from evidence_files import record_bytes

from imsperf.parsers.problems import Problem

DATA = 4096 - 8  # bytes of a record in a block of 4,096 that one segment fills
DEVICES = 60
_CONTROL, _DEVICES = 36 - 4, 44 - 4  # triplets of the control and the device sections of 74.1


def device(golden: bytes, number: int, size: int) -> bytes:
    """The golden device section under another number, with a counter of its own."""
    changed = struct.pack(">H", 0x1000 + number) + golden[2:24]
    return (changed + struct.pack(">I", 977 * number) + golden[28:]).ljust(size, b"\0")


def long_record(size: int = 300, idle: range = range(0), kept: int = 2) -> bytes:
    """74.1 with 60 devices of `size` bytes; those of `idle` have a number, and zeros behind it:
    their first bytes are `kept`."""
    record = record_bytes("smf74_1 record")[4:]
    at, length, _ = struct.unpack_from(">IHH", record, _DEVICES)
    head, golden = bytearray(record[: at - 4]), record[at - 4 : at - 4 + length]
    (control,) = struct.unpack_from(">I", record, _CONTROL)
    struct.pack_into(">HH", head, _DEVICES + 4, size, DEVICES)
    struct.pack_into(">H", head, control - 4 + 2, DEVICES)  # SMF74TOT, devices of the class
    devices = [device(golden, number, size) for number in range(DEVICES)]
    for number in idle:
        devices[number] = devices[number][:kept].ljust(size, b"\0")
    return bytes(head) + b"".join(devices)


def blocks_of(record: bytes) -> list[bytes]:
    """A record in VBS blocks of its own: first, middle and last segment (codes 1, 3 and 2)."""
    parts = [record[at : at + DATA] for at in range(0, len(record), DATA)]
    codes = [1, *[3] * (len(parts) - 2), 2]
    return [
        struct.pack(">HHHBB", len(part) + 8, 0, len(part) + 4, code, 0) + part
        for part, code in zip(parts, codes, strict=True)
    ]


def swapped(blocks: list[bytes], first: int) -> bytes:
    """The file with block `first` behind the next one."""
    return b"".join([*blocks[:first], blocks[first + 1], blocks[first], *blocks[first + 2 :]])


@pytest.mark.parametrize("first", [1, 2])
def test_a_record_whose_middle_blocks_changed_places_is_left_out(
    first: int, tmp_path: Path
) -> None:
    """Most bytes of a device are those of the device before it, at each of the three ends."""
    blocks = blocks_of(long_record())
    assert len(blocks) == 5  # 266 - 4 bytes in front of 60 * 300 devices, in blocks of 4,088
    told, begin = told_of(tmp_path / "dump", swapped(blocks, first)), 4 + first * DATA
    assert [(problem.record_no, problem.severity) for problem, _ in told] == [(1, "error")]
    assert f"segments at +{begin:,} and +{begin + DATA:,}" in told[0][0].detail
    assert told[0][1] == 0


def test_an_end_that_says_nothing_makes_it_suspect(tmp_path: Path) -> None:
    """From device 27 on there are only numbers and zeros: these go on over the end of any segment,
    here over that of the second of the exchanged blocks."""
    blocks = blocks_of(long_record(idle=range(27, 60)))
    told = told_of(tmp_path / "dump", swapped(blocks, 2))
    assert [(problem.record_no, problem.severity) for problem, _ in told] == [(1, "suspect")]
    assert told[0][1] == DEVICES
    told = told_of(tmp_path / "dump", swapped(blocks, 2), drop_suspect=True)
    assert told[0][1] == 0


def told_of(file: Path, data: bytes, **options: bool) -> list[tuple[Problem, int]]:
    """What is told of the order of segments, each with the devices that are loaded."""
    file.write_bytes(data)
    loaded, rows = load(file, **options)
    found = [problem for problem in loaded.problems if problem.reason == "segment_order"]
    return [(problem, len(rows["smf74_1_device"])) for problem in found]


@pytest.mark.parametrize(
    "record",
    [
        long_record(),
        long_record(511),  # eight of them fill a segment
        long_record(idle=range(13, 27)),  # the second of three middle segments has only numbers
        long_record(idle=range(27, 60)),
        long_record(idle=range(0, 60, 2)),
    ],
    ids=["all busy", "fits", "idle block", "idle end", "every other idle"],
)
def test_a_record_in_order_is_sound(record: bytes, tmp_path: Path) -> None:
    file = tmp_path / "dump"
    file.write_bytes(b"".join(blocks_of(record)))
    loaded, rows = load(file)
    assert len(rows["smf74_1_device"]) == DEVICES
    assert not [
        problem for problem in loaded.problems if problem.reason in ("segment_order", "repeat")
    ]


def test_blocks_of_zeros_in_a_record_are_no_copies(tmp_path: Path) -> None:
    """Two middle blocks that are equal because the record has nothing there."""
    blocks = blocks_of(long_record(idle=range(12, 45), kept=0))
    assert blocks[1] != blocks[2] == blocks[3] or blocks[1] == blocks[2]
    file = tmp_path / "dump"
    file.write_bytes(b"".join(blocks))
    loaded, _ = load(file)
    assert not [problem for problem in loaded.problems if problem.reason == "repeat"]
