"""Bytes to values: imsperf against plain Python, adapya-base and IBM's MQ formatter, in one run.

The peers are not installed with the tests. IMSPERF_ADAPYA names a folder that holds the package
adapya (adapya-base, as published), IMSPERF_MQSMF the program mqsmfcsv built from IBM's mq-smf-csv,
IMSPERF_REAL_DUMPS the folder with TEST116.dat. What is not named is skipped. Plain Python and
adapya read a few megabytes, imsperf a gigabyte of the same records; both are given in MB/s.
Goal: at least ten times each.
"""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bench_clock import medians, told
from bench_inputs import dump, folder

from imsperf.layouts import section
from imsperf.parsers.framing.frames import open_dump
from imsperf.parsers.read import read_file

FEW = 16  # megabytes for those that go record by record
TABLE = "smf74_1_device"
_CODES = {"u1": "B", "u2": "H", "u4": "I", "u8": "Q", "flags1": "B"}

pytestmark = pytest.mark.bench


def ours(path: Path) -> int:
    """Every section to Arrow, given away at once."""
    return sum(batch.num_rows for _, batch in read_file(path, 1).batches)


def plain_format() -> tuple[struct.Struct, list[str], list[int]]:
    """A struct for one section, the names of its fields, and which of them are text."""
    code, names, text, at = ">", [], [], 0
    for field in section(TABLE).fields:
        width = field.kind.width
        if field.kind.name.startswith("text"):
            text.append(len(names))
        code += f"{field.offset - at}x" if field.offset > at else ""
        code += _CODES.get(field.kind.name, f"{width}s")
        names.append(field.name)
        at = field.offset + width
    return struct.Struct(code), names, text


def sections_of(data: bytes) -> Iterator[int]:
    """Places of the device sections, record by record."""
    at = 0
    while at < len(data):
        first, length, count = struct.unpack_from(">IHH", data, at + 44)
        yield from range(at + first, at + first + length * count, length)
        at += struct.unpack_from(">H", data, at)[0]


def plain(data: bytes) -> int:
    """What a script would do: struct to a dict for each section, text decoded."""
    form, names, text = plain_format()
    count = 0
    for at in sections_of(data):
        values = list(form.unpack_from(data, at))
        for place in text:
            values[place] = values[place].decode("cp037").rstrip()
        count += len(dict(zip(names, values, strict=True))) > 0
    return count


def with_adapya(data: bytes) -> Callable[[], int]:
    """adapya's Datamap over each section, all its values taken."""
    sys.path.insert(0, os.environ["IMSPERF_ADAPYA"])
    from adapya.base import datamap  # type: ignore[import-not-found,unused-ignore]

    kinds = {"u1": datamap.Uint1, "u2": datamap.Uint2, "u4": datamap.Uint4, "u8": datamap.Uint8}
    kinds["flags1"] = datamap.Uint1
    parts, at = [], 0
    for number, field in enumerate(section(TABLE).fields):
        width, maker = field.kind.width, kinds.get(field.kind.name)
        if field.offset > at:
            parts.append(datamap.Filler(f"gap{number}", field.offset - at))
        if field.kind.name.startswith("text"):
            parts.append(datamap.String(field.name, width))
        else:
            parts.append(maker(field.name) if maker else datamap.Bytes(field.name, width))
        at = field.offset + width
    reader: Any = datamap.Datamap(TABLE, *parts, ebcdic=1, byteOrder=datamap.NETWORKBO)

    def run() -> int:
        count = 0
        reader.buffer = data
        for place in sections_of(data):
            reader.offset = place
            count += len(dict(reader.items())) > 0
        return count

    return run


def test_device_sections() -> None:
    """74.1, 60 fields a section."""
    large, small = dump("dense"), dump("dense", FEW)
    data = small.read_bytes()
    works: dict[str, Callable[[], object]] = {"imsperf": lambda: ours(large)}
    works["plain Python"] = lambda: plain(data)
    if "IMSPERF_ADAPYA" in os.environ:
        works["adapya-base"] = with_adapya(data)
    assert {works[name]() for name in works if name != "imsperf"} == {len([*sections_of(data)])}
    rates(works, {"imsperf": large.stat().st_size}, len(data), "74.1 devices")


@pytest.mark.skipif(
    not {"IMSPERF_MQSMF", "IMSPERF_REAL_DUMPS"} <= {*os.environ}, reason="not named"
)
def test_mq_accounting(tmp_path: Path) -> None:
    """A real dump of MQ accounting records, many times over: Arrow against the CSV of IBM."""
    real = (Path(os.environ["IMSPERF_REAL_DUMPS"]) / "TEST116.dat").read_bytes()
    path = folder() / "mq.smf"
    path.write_bytes(real * max(1, 64_000_000 // len(real)))

    def theirs() -> None:
        command = [os.environ["IMSPERF_MQSMF"], "-i", str(path), "-o", str(tmp_path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    size = path.stat().st_size
    rates({"imsperf": lambda: ours(path), "mqsmfcsv": theirs}, {}, size, "MQ accounting")


def rates(
    works: dict[str, Callable[[], object]], sizes: dict[str, int], size: int, title: str
) -> None:
    """Tell MB/s of each, and how many times as fast ours is."""
    took = medians(works, 3)
    speed = {name: sizes.get(name, size) / took[name] for name in works}
    told(
        title,
        [
            (name, f"{rate / 1e6:10,.1f} MB/s   imsperf is {speed['imsperf'] / rate:,.0f} times")
            for name, rate in speed.items()
        ],
    )


@pytest.mark.skipif(
    not {"IMSPERF_MQSMF", "IMSPERF_REAL_DUMPS"} <= {*os.environ}, reason="not named"
)
def test_forms_that_peers_read(tmp_path: Path) -> None:
    """The real dump in every form of transfer: records read by each, of those that are there."""
    import mangler
    from dump_files import bodies

    real = Path(os.environ["IMSPERF_REAL_DUMPS"]) / "TEST116.dat"
    records = bodies(open_dump(real).index())
    wanted = sum(batch.num_rows for _, batch in read_file(real, 1).batches)
    forms, path = list[tuple[str, str]](), tmp_path / "dump"
    lines = _lines(real, tmp_path / "clean")
    for form, (make, _, is_loadable) in mangler.FORMS.items():
        if not is_loadable or form.startswith("ims"):
            continue
        path.write_bytes(make(records))
        rows = sum(batch.num_rows for _, batch in read_file(path, 1).batches)
        assert rows == wanted, form
        theirs = _lines(path, tmp_path / form)
        forms.append((form, "both right" if theirs == lines else f"mqsmfcsv {theirs} of {lines}"))
    told(f"rows of {len(records)} records in each form", forms)


def _lines(path: Path, out: Path) -> int:
    """Lines of CSV that IBM's formatter makes; it may stop or be stopped."""
    out.mkdir()
    command = [os.environ["IMSPERF_MQSMF"], "-i", str(path), "-o", str(out), "-h", "no"]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, check=False, capture_output=True, timeout=10)
    return sum(path.read_bytes().count(b"\n") for path in out.iterdir())
