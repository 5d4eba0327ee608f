"""Any bytes: a result or an error with a hint. What is promised of each file: fuzzing.py.

`pytest -s -m slow tests/parsers/test_fuzz.py` damages small dumps byte by byte, and 200,000
files by seed, and prints the counts. test_bounds.py does a part of it with the compiler's index
checks on.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fuzzing
import numpy as np
import pytest
import second_writer as writer
from dump_files import load, log, smf
from evidence_files import record_bytes
from fuzzing import Broken, Damage, Run, look
from hypothesis import given, settings
from hypothesis import strategies as st
from places import TESTS
from test_xmit import data as xmit_data
from test_xmit import transmission

from imsperf.layouts import smf_record
from imsperf.parsers.framing import walker as pieces
from imsperf.parsers.kernels.loads import U8
from imsperf.parsers.problems import Problem
from imsperf.record import At, SectionPlace

RECORDS = [
    smf(2),
    record_bytes("smf88_1 record")[4:],
    smf(200, 7),  # of a user: no layout says what else it holds
]
RECORDS += [record_bytes("smf115_231 record")[4:], smf(3)]
LOG = [log(0x59, n, 100 + n, bytes([n]) * 40) for n in range(6)]
SMALL = {
    "rdw": writer.rdw(RECORDS),
    "bdw_rdw": writer.bdw_rdw(RECORDS, 700),
    "vbs": writer.vbs(RECORDS, 150),
    "ims_rdw": b"".join(LOG),
    "ims_vb": writer.ims_vb(LOG, 200),
    "gz": writer.gz(writer.rdw(RECORDS)),
    "zip": fuzzing.mangler.CONTAINERS["zip1"](writer.rdw(RECORDS)),
    "terse": fuzzing.tersed(RECORDS[:3]),
    "xmit": transmission("5002", xmit_data(*RECORDS)),
}
IN_PLACE = ("rdw", "bdw_rdw", "vbs", "ims_rdw", "ims_vb")  # whose records can be compared


# --- each byte, each length ----------------------------------------------------------------------


def other_values(byte: int) -> list[int]:
    """A byte with each of its bits turned over, 00 and FF."""
    return [value for value in (*(byte ^ 1 << bit for bit in range(8)), 0, 0xFF) if value != byte]


def each_byte(data: bytes) -> Iterator[Damage]:
    for at, byte in enumerate(data):
        for value in other_values(byte):
            yield Damage(data[:at] + bytes([value]) + data[at + 1 :], [(at, at + 1)])


def each_length(data: bytes) -> Iterator[Damage]:
    for at in range(1, len(data)):
        yield Damage(data[:at], [(at, at)])


def check(folder: Path, name: str, copies: Iterator[Damage], step: int = 1) -> None:
    """Every `step`-th copy keeps all promises; prints counts."""
    data, run = SMALL[name], Run(folder)
    clean = run.seen(name, data)
    assert clean and clean.outcome == "whole", run.broken
    form = "rdw" if name in IN_PLACE else name
    for number, copy in enumerate(copies):
        if number % step == 0:
            rng = np.random.default_rng(number)
            run.copy(f"{name}, copy {number}", form, clean, copy, rng)
    print(name, len(data), "bytes:", dict(run.counts))
    assert not run.broken, "\n".join(run.broken[:20])
    assert run.counts["refused"] + run.counts["problems"]


SOME_SMALL = [
    name if name == "vbs" else pytest.param(name, marks=pytest.mark.slow) for name in SMALL
]


@pytest.mark.parametrize("name", SOME_SMALL)
def test_some_bytes_of_small_dumps(tmp_path: Path, name: str) -> None:
    """Every 149th of the copies that the slow test makes."""
    check(tmp_path, name, each_byte(SMALL[name]), 149)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_each_byte_of_small_dumps(tmp_path: Path, name: str) -> None:
    check(tmp_path, name, each_byte(SMALL[name]))


@pytest.mark.parametrize("name", SOME_SMALL)
def test_small_dumps_cut_at_some_lengths(tmp_path: Path, name: str) -> None:
    check(tmp_path, name, each_length(SMALL[name]), 23)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_small_dumps_cut_at_each_length(tmp_path: Path, name: str) -> None:
    check(tmp_path, name, each_length(SMALL[name]))


@pytest.mark.parametrize("name", ["rdw", "vbs", "ims_rdw"])
def test_what_is_cut_is_a_prefix(tmp_path: Path, name: str) -> None:
    """Every record that is whole is there, up to the last one: nothing proves the one before."""
    data, path = SMALL[name], tmp_path / "dump"
    path.write_bytes(data)
    all_places = sorted(look(path).places)
    for at in range(100, len(data), 37):
        path.write_bytes(data[:at])
        places = sorted(look(path).places)
        assert places == all_places[: len(places)]
        ended = [place + length for place, length, _ in all_places]
        spare = 40 if name == "vbs" else 0  # words of blocks and segments, not in the length
        assert len(places) >= sum(end + spare <= at for end in ended) - 1


# --- many files ----------------------------------------------------------------------------------


def test_many_damaged_files(tmp_path: Path) -> None:
    """Files of every form and container, damaged in every way."""
    run = Run(tmp_path)
    for seed in range(24):
        run.seed(seed, 5)
    assert not run.broken, "\n".join(run.broken)
    assert min(run.counts[outcome] for outcome in ("whole", "problems", "refused")) > 10


# Files that once broke a promise: seed and number of the copy, by the damages these stand for.
BROKEN_ONCE = (
    (3_001_978, 10, fuzzing.DAMAGES),
    (3_001_186, 12, fuzzing.DAMAGES),
    (7_600_431, 3, fuzzing.DAMAGES),
    (40_000_457, 3, fuzzing.ALL_DAMAGES),  # in the bytes of a record something like a segment
    (80_000_478, 16, fuzzing.ALL_DAMAGES),  # a piece of a broken record, and suspect
    (84_000_033, 19, fuzzing.ALL_DAMAGES),  # suffixes that do not rise, more than SMF headers
    (84_001_030, 3, fuzzing.ALL_DAMAGES),  # a BDW before the rest of a log record
    (88_002_817, 2, fuzzing.ALL_DAMAGES),  # a header of gzip that goes on behind the file
)


@pytest.mark.parametrize("seed, turn, damages", BROKEN_ONCE)
def test_files_that_broke_a_promise(
    tmp_path: Path, seed: int, turn: int, damages: tuple[fuzzing.Damaging, ...]
) -> None:
    run = Run(tmp_path)
    run.seed(seed, turn + 1, damages=damages)
    assert not run.broken, "\n".join(run.broken)


@pytest.mark.slow
def test_200_000_damaged_files() -> None:
    """10,000 whole files, 20 damaged copies of each, in two processes."""
    command = [sys.executable, "-P", str(TESTS), "fuzzing"]
    runs = [
        subprocess.Popen([*command, str(first), "5000"], stdout=subprocess.PIPE, text=True)
        for first in (1_000_000, 2_000_000)
    ]
    total = 0
    for run in runs:
        out, _ = run.communicate()
        print(out)
        assert run.returncode == 0, out[:5000]
        total += json.loads(out.splitlines()[0])["files"]
    assert total == 200_000


# --- anything ------------------------------------------------------------------------------------

WORDS = st.sampled_from((0, 1, 3, 4, 8, 17, 18, 24, 200, 0x7FF8, 0x7FFF, 0x8000, 0xFFFF))
FILL = st.binary(max_size=200)
HEADERS = st.sampled_from(
    [smf(n, s, b"") for n in (2, 30, 70, 74, 110, 115, 126) for s in (None, 1)]
)


@st.composite
def pieces_of_dumps(draw: st.DrawFn) -> bytes:
    """RDWs and BDWs that are right or wrong, before headers that make sense or anything."""
    out = []
    for _ in range(draw(st.integers(1, 6))):
        body = draw(HEADERS) + draw(FILL) if draw(st.booleans()) else draw(FILL)
        right = draw(st.booleans())
        length = len(body) + 4 if right else draw(WORDS)
        code = draw(st.sampled_from((0, 0, 1, 2, 3, 4, 255)))
        out.append(struct.pack(">HBB", length, code, draw(st.sampled_from((0, 0, 0, 1)))) + body)
        if draw(st.booleans()):
            block = b"".join(out)
            said = len(block) + 4 if draw(st.booleans()) else draw(WORDS)
            out = [struct.pack(">I", said << 16 if draw(st.booleans()) else said | 1 << 31), block]
    return b"".join(out)


MAGIC = st.sampled_from(
    (b"", b"\x1f\x8b\x08", b"PK\3\4", b"PK\5\6", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh91AY&SY",
     b"\2\1\x7f\xf4\4\0\0\0\0\0\0\0", b"\5\0\0\x50\4\0\0\0\0\0\0\0", transmission("5002", b"")[:30])
)  # fmt: skip


@given(data=st.one_of(st.binary(min_size=1, max_size=600), pieces_of_dumps()), magic=MAGIC)
@settings(max_examples=250, deadline=None, derandomize=True, database=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes, magic: bytes) -> None:
    """A result or an error with a hint, and every byte accounted for."""
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(magic + data)
    look(path, 300)


@given(fill=st.lists(st.tuples(st.sampled_from(range(256)), FILL), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
def test_records_of_any_content(
    tmp_path_factory: pytest.TempPathFactory, fill: list[tuple[int, bytes]]
) -> None:
    """Sound RDWs and headers, bodies of anything: each record is there."""
    path = tmp_path_factory.getbasetemp() / "records"
    some = [smf(kind, 1, body) for kind, body in fill]
    path.write_bytes(writer.rdw([smf(2), *some, smf(3), smf(3)]))
    assert look(path).records == len(some) + 3


@given(bodies=st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255), FILL), max_size=4))
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
def test_log_records_of_any_content(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[tuple[int, int, bytes]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "log"
    some = [log(code, sub, 10 + n, body) for n, (code, sub, body) in enumerate(bodies)]
    path.write_bytes(b"".join([*LOG[:3], *some, *LOG[3:]]))
    seen = look(path)
    assert seen.outcome != "refused" and seen.records <= len(some) + 6


# --- lengths at their limits ---------------------------------------------------------------------

LENGTHS = [32_752, 32_755, 32_756, 32_757, 32_760, 32_764, 32_767, 32_768, 40_000, 65_531, 65_535]


@pytest.mark.parametrize("length", [*LENGTHS, 65_536, 70_000])
def test_records_of_any_length_in_segments(tmp_path: Path, length: int) -> None:
    """Segments of 32,760 bytes, of a few, in blocks and without: the record is whole again."""
    long = smf(200, 1, bytes(n % 251 for n in range(length - 24)))
    records = [smf(2), long, long[:30], smf(3)]
    forms = [writer.vbs(records, 32_760), writer.rdw_spanned(records, 32_760)]
    for data in (*forms, writer.rdw_spanned(records, 1000)):
        path = tmp_path / "dump"
        path.write_bytes(data)
        seen = look(path)
        assert (seen.outcome, seen.records) == ("whole", 4)
        assert sorted(size for _, size, _ in seen.places)[-1] == len(long) + 4 == length


@pytest.mark.parametrize("length", LENGTHS)
def test_segments_of_any_length(tmp_path: Path, length: int) -> None:
    """An RDW may say up to 65,535, though z/OS writes at most 32,760: read as it says."""
    body = smf(200, 1, b"\x40" * (length - 24))
    assert len(body) + 4 == length
    record = struct.pack(">HH", length, 0) + body
    path = tmp_path / "dump"
    path.write_bytes(writer.rdw([smf(2)]) + record + record + writer.rdw([smf(3)]))
    seen = look(path)
    assert (seen.records, seen.problems) == (4, 0)
    block = (1 << 31 | length + 4).to_bytes(4) + record
    path.write_bytes(writer.bdw_rdw([smf(2)], 100) + block + block + writer.bdw_rdw([smf(3)], 100))
    seen = look(path)
    assert (seen.records, seen.problems) == (4, 0)


@pytest.mark.parametrize("said", [*LENGTHS, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000004, 1 << 24, 5 << 24])
def test_lengths_that_nothing_stands_behind(tmp_path: Path, said: int) -> None:
    """In place of an RDW, a BDW, a 4-byte length, an FTP block header: the others are read."""
    for word in {(said & 0xFFFF) << 16, said}:
        for form in ("rdw", "bdw_rdw", "length_prefix", "ftp_block"):
            sound = fuzzing.mangler.FORMS[form][0](RECORDS)
            for at in (0, sound.index(RECORDS[3]) - 4):
                path = tmp_path / "dump"
                path.write_bytes(sound[:at] + word.to_bytes(4) + sound[at + 4 :])
                seen = look(path)
                assert seen.records >= 2 or seen.outcome == "refused", (form, at)


# --- numbers that stand for too much -------------------------------------------------------------


def grown(name: str, table: str, rows: int, fields: dict[At, int], behind: bytes) -> bytes:
    """A golden record with `rows` more sections of a table of its header, and bytes behind them."""
    record = bytearray(record_bytes(f"smf{name} record"))
    kind, subtype = map(int, name.split("_"))
    known = smf_record(kind, subtype)
    assert known is not None
    part = next(part for part in known.parts if part.section.table == table)
    section = bytearray(part.section.length)
    for place, value in fields.items():
        section[place.at : place.at + place.width] = value.to_bytes(place.width)
    struct.pack_into(">IHH", record, part.at, len(record), len(section), rows)
    return bytes(record + section * rows + behind)[4:]


def inner_part(name: str, table: str) -> SectionPlace:
    known = smf_record(*map(int, name.split("_")))
    assert known is not None
    return next(part for part in known.parts if part.section.table == table)


def loaded_rows(path: Path, record: bytes) -> tuple[Counter[str], set[str]]:
    """Rows by table, and the reasons of the problems."""
    path.write_bytes(writer.rdw_spanned([smf(2), record, smf(3)], 32760))
    assert look(path).records == 3
    loaded, rows = load(path)
    return Counter({name: len(some) for name, some in rows.items()}), {
        problem.reason for problem in loaded.problems
    }


def test_many_sections_that_share_the_same_bytes(tmp_path: Path) -> None:
    """500 sections that each point to the same 20,000 paths of one byte: not 10 million rows."""
    part = inner_part("78_3", "smf78_3_path")
    assert isinstance(part.offset, At) and isinstance(part.number, At)
    assert isinstance(part.length, At)
    at = len(record_bytes("smf78_3 record")) + 500 * 20
    fields = {part.offset: at, part.length: 1, part.number: 20_000}
    record = grown("78_3", "smf78_3_control", 500, fields, b"\1" * 20_000)
    rows, reasons = loaded_rows(tmp_path / "dump", record)
    assert not rows["smf78_3_control"] and not rows["smf78_3_path"] and rows["smf_raw"] == 1
    assert "sections_overlap" in reasons


def test_many_chains_that_share_their_links(tmp_path: Path) -> None:
    """100 jobs that each point to the same chain of 4,000 data sets of 4 bytes: not 400,000."""
    part = inner_part("42_6", "smf42_6_dataset")
    assert isinstance(part.offset, At)
    at = len(record_bytes("smf42_6 record")) + 100 * 72
    links = b"".join((at + 4 * n).to_bytes(4) for n in range(1, 4000)) + bytes(4)
    record = grown("42_6", "smf42_6_job", 100, {part.offset: at}, links)
    rows, reasons = loaded_rows(tmp_path / "dump", record)
    assert not rows["smf42_6_job"] and not rows["smf42_6_dataset"] and rows["smf_raw"] == 1
    assert "broken_chain" in reasons


def test_a_product_beyond_64_bits(tmp_path: Path) -> None:
    """Length and number of z/OS Connect sections are 4 bytes each."""
    record = bytearray(record_bytes("smf123_1 record"))
    part = inner_part("123_1", "smf123_1_data")
    assert isinstance(part.length, At) and isinstance(part.number, At)
    for place in (part.length, part.number):
        record[place.at : place.at + 4] = bytes.fromhex("80000000")
    rows, reasons = loaded_rows(tmp_path / "dump", bytes(record[4:]))
    assert not rows["smf123_1_data"] and "section_past_end" in reasons


def test_a_long_run_of_zeros_is_looked_through_once(tmp_path: Path) -> None:
    """12 MB of zeros in one record, which begin and end in the middle of a page."""
    long = smf(200, 1, b"\1" * 1300 + bytes(12 << 20) + b"\1" * 1500)
    records = [smf(2), long, smf(3)]
    path = tmp_path / "dump"
    path.write_bytes(b"".join(len(record).to_bytes(4) + record for record in records))
    began = time.process_time()
    loaded, _ = load(path)
    assert (loaded.framing, loaded.records) == ("length_prefix", 3)
    assert time.process_time() - began < 20  # looked through from each page: minutes


# --- the checks themselves -----------------------------------------------------------------------


def test_a_byte_that_is_not_accounted_for_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account is no formality: a loss that is told too small, too large or not at all."""
    path = tmp_path / "dump"
    sound = writer.rdw(RECORDS)
    path.write_bytes(sound[:60] + b"\x00\x05zz" + sound[60:])
    assert look(path).outcome == "problems"
    real = pieces._lost
    for change in (-1, 1):

        def told(data: U8, at: int, lost: int, *more: Any, by: int = change) -> Problem:
            return real(data, at, lost + by, *more)

        monkeypatch.setattr(pieces, "_lost", told)
        with pytest.raises(Broken, match="accounted for"):
            look(path)


def test_a_record_that_was_never_there_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(SMALL["rdw"])
    clean = look(path)
    path.write_bytes(writer.rdw([*RECORDS[:2], smf(9), *RECORDS[2:]]))
    view = look(path)
    with pytest.raises(Broken, match="never there"):
        fuzzing.check_against(clean, view, [(0, 2)])
