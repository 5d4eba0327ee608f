"""Finding records in files: every form, odd files, and what happens around damage."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
import second_writer as writer
from dump_files import TOD_2024, bodies, log, smf
from golden_files import golden_bytes, golden_names, golden_values

from imsperf.errors import DumpError
from imsperf.parsers.containers import spool
from imsperf.parsers.framing import join
from imsperf.parsers.framing.frames import open_dump
from imsperf.parsers.kernels import loads
from imsperf.parsers.read import expand_paths

RECORDS = [
    smf(2),
    *(smf(70 + n % 3, n % 5, bytes([n]) * (40 + 37 * n), time=8000 + n) for n in range(40)),
    smf(3),
]
LOG = [log(0x59, 1 + n % 3, 100 + n, bytes([n]) * (20 + 7 * n)) for n in range(40)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dump"


FORMS = {
    "rdw": (writer.rdw(RECORDS), RECORDS),
    "rdw_spanned": (writer.rdw_spanned(RECORDS, 500), RECORDS),
    "bdw_rdw": (writer.bdw_rdw(RECORDS, 4000), RECORDS),
    "bdw_rdw_spanned": (writer.vbs(RECORDS, 700), RECORDS),
    "ims_vb": (writer.ims_vb(LOG, 2048), [record[4:] for record in LOG]),
    "ims_rdw": (b"".join(LOG), [record[4:] for record in LOG]),
}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_recognised_and_read(file: Path, form: str, packed: bool) -> None:
    data, records = FORMS[form]
    file.write_bytes(writer.gz(data) if packed else data)
    frames = open_dump(file).index()
    assert (frames.framing, frames.kind) == (form, "ims" if "ims" in form else "smf")
    assert bodies(frames) == records
    assert frames.problems == []
    assert frames.bytes == len(data)


@pytest.mark.parametrize("name", golden_names("containers"))
def test_golden_containers(file: Path, name: str) -> None:
    file.write_bytes(golden_bytes(name))
    frames = open_dump(file).index()
    assert [body.hex() for body in bodies(frames)] == golden_values(name)
    assert frames.problems == []


@pytest.mark.parametrize("form", ["rdw", "rdw_spanned", "bdw_rdw", "bdw_rdw_spanned"])
def test_an_independent_reader_finds_the_same_records(file: Path, form: str) -> None:
    recordio = pytest.importorskip("adapya.base.recordio")
    file.write_bytes(FORMS[form][0])
    with file.open("rb") as handle:
        theirs = [bytes(r) for r in recordio.readrec(handle, recform=form[:3].upper())]
    assert bodies(open_dump(file).index()) == theirs


def test_record_longer_than_an_rdw_can_say(file: Path) -> None:
    """Only the joined length counts; the RDW of the joined record says 65,535 at most."""
    long = smf(70, 1, bytes(range(256)) * 400)
    file.write_bytes(writer.vbs([smf(2), long, smf(3)], 32760))
    frames = open_dump(file).index()
    assert frames.length.tolist() == [18, len(long) + 4, 18]
    assert frames.joined.tolist() == [False, True, False]
    assert bodies(frames)[1] == long
    assert bytes(frames.joined_buffer[:4]) == b"\xff\xff\0\0"


def test_place_is_where_the_first_segment_stands(file: Path) -> None:
    file.write_bytes(writer.vbs([smf(2), smf(70, 1, bytes(900)), smf(3)], 400))
    frames = open_dump(file).index()
    assert frames.byte_offset.tolist()[:2] == [4, 4 + 18]


def test_two_message_queue_dumps_of_2015(file: Path) -> None:
    """The shape of two real MQ statistics dumps: a dump header of 18 bytes with flag X'1E', then
    records with flag X'5E', that is X'40' on and X'80' off: 24-byte headers all the same."""
    mq = [
        smf(2, time=2_523_091, date=0x0115343F),
        smf(115, 1, bytes(992 - 24), time=7_636_876, date=0x0115327F),
        smf(115, 2, bytes(5212 - 24), time=7_636_877, date=0x0115327F),
        smf(115, 215, bytes(824 - 24), time=7_636_877, date=0x0115327F),
    ]
    file.write_bytes(writer.rdw(mq))
    frames = open_dump(file).index()
    assert (frames.framing, frames.length.tolist()) == ("rdw", [18, 992, 5212, 824])


def test_file_that_begins_inside_a_spanned_record(file: Path) -> None:
    """Middle and last segments without their first: one problem, their bytes lost."""
    data = writer.rdw_spanned([smf(70, 1, bytes(900)), smf(2), smf(3)], 400)
    file.write_bytes(data[400:])
    frames = open_dump(file).index()
    assert bodies(frames) == [smf(2), smf(3)]
    (problem,) = frames.problems
    assert (problem.reason, problem.byte_offset) == ("missing_segment", 0)
    assert problem.bytes == len(data) - 400 - 36


def blocks(data: bytes) -> list[bytes]:
    """The blocks of a file with BDWs."""
    block_bytes, at = [], 0
    while at < len(data):
        size = struct.unpack_from(">H", data, at)[0]
        block_bytes.append(data[at : at + size])
        at += size
    return block_bytes


def test_lost_blocks_lose_the_spanned_record_in_them(file: Path) -> None:
    """Without its first block, and without its last; the other records stay."""
    sound = blocks(writer.vbs([smf(2), smf(70, 1, bytes(900)), smf(3)], 400, pseudo=True))
    file.write_bytes(b"".join(sound[1:]))
    frames = open_dump(file).index()
    assert bodies(frames) == [smf(3)]
    assert [(p.reason, p.byte_offset) for p in frames.problems] == [("missing_segment", 4)]
    file.write_bytes(b"".join(sound[:2]) + writer.bdw_rdw([smf(3)], 400))
    frames = open_dump(file).index()
    assert bodies(frames) == [smf(2), smf(3)]
    (problem,) = frames.problems
    assert (problem.reason, problem.byte_offset) == ("missing_segment", 22)
    assert problem.bytes == (400 - 22) + (400 - 4)


def test_large_blocks(file: Path) -> None:
    """Bit 0 of the BDW: the length has 31 bits."""
    body = writer.rdw([smf(70, 1, bytes(n)) for n in range(2000)])
    file.write_bytes(struct.pack(">I", 0x80000000 | len(body) + 4) + body)
    frames = open_dump(file).index()
    assert (frames.framing, len(frames.start), frames.problems) == ("bdw_rdw", 2000, [])


# --- damage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_cut_file_keeps_what_is_whole(file: Path, form: str) -> None:
    data, records = FORMS[form]
    file.write_bytes(data[: len(data) - 9])
    frames = open_dump(file).index()
    intact = bodies(frames)
    assert intact == records[: len(intact)]
    assert len(intact) >= len(records) - 1
    assert [problem.severity for problem in frames.problems] == ["data_loss"]
    assert frames.problems[0].reason in ("truncated", "missing_segment")


def test_zeroed_rdw_loses_one_record(file: Path) -> None:
    starts = writer.rdw_starts(RECORDS)
    file.write_bytes(writer.zero_rdw(writer.rdw(RECORDS), starts, 7))
    frames = open_dump(file).index()
    assert bodies(frames) == RECORDS[:7] + RECORDS[8:]
    (problem,) = frames.problems
    assert (problem.reason, problem.byte_offset) == ("bad_rdw", starts[7])
    assert problem.bytes == len(RECORDS[7]) + 4
    assert "X'00000000'" in problem.detail


def test_length_too_long_gives_up_that_record(file: Path) -> None:
    """It swallowed the next ones; they are found again inside it."""
    starts = writer.rdw_starts(RECORDS)
    data = bytearray(writer.rdw(RECORDS))
    struct.pack_into(">H", data, starts[5], len(RECORDS[5]) + 4 + 300)
    file.write_bytes(data)
    frames = open_dump(file).index()
    assert bodies(frames) == RECORDS[:5] + RECORDS[6:]
    (problem,) = frames.problems
    assert (problem.byte_offset, problem.bytes) == (starts[5], len(RECORDS[5]) + 4)


def test_garbage_between_records_is_skipped(file: Path) -> None:
    """With the record before it: nothing says that its length is right."""
    rng = np.random.default_rng(2)
    junk = rng.bytes(5000)
    file.write_bytes(writer.rdw(RECORDS[:9]) + junk + writer.rdw(RECORDS[9:]))
    frames = open_dump(file).index()
    assert bodies(frames) == RECORDS[:8] + RECORDS[9:]
    assert [problem.bytes for problem in frames.problems] == [len(RECORDS[8]) + 4 + 5000]


def test_garbage_before_the_first_record_is_skipped(file: Path) -> None:
    for form in ("rdw", "bdw_rdw", "ims_vb", "ims_rdw"):
        data, records = FORMS[form]
        file.write_bytes(np.random.default_rng(3).bytes(777) + data)
        frames = open_dump(file).index()
        assert (frames.framing, bodies(frames)) == (form, records)
        assert [(p.byte_offset, p.bytes) for p in frames.problems] == [(0, 777)]


def test_odd_header_with_a_right_length_is_kept(file: Path) -> None:
    """A record whose date makes no sense is a record if the chain goes on behind it."""
    odd = smf(200, 1, bytes(30), date=0xFFFFFFFF)
    records = [*RECORDS[:8], odd, *RECORDS[8:], odd]
    file.write_bytes(writer.rdw(records))
    frames = open_dump(file).index()
    assert bodies(frames) == records
    assert frames.problems == []


@pytest.mark.parametrize("form", ["bdw_rdw", "ims_vb"])
def test_broken_block_loses_one_record(file: Path, form: str) -> None:
    """A bad RDW inside a block: the next record goes on."""
    data, records = FORMS[form]
    broken = bytearray(data)
    block = struct.unpack_from(">H", data)[0]
    broken[block + 4 : block + 8] = bytes(4)  # first RDW of the second block
    file.write_bytes(broken)
    frames = open_dump(file).index()
    (problem,) = frames.problems
    lost = struct.unpack_from(">H", data, block + 4)[0]
    assert (problem.reason, problem.byte_offset) == ("bad_rdw", block + 4)
    assert problem.bytes == lost
    assert bodies(frames)[-1] == records[-1]


@pytest.mark.parametrize("said", [3, 60, 0x7000])
def test_bdw_that_disagrees(file: Path, said: int) -> None:
    """Too short, in the middle of a record, past the end: reading goes on at a later block."""
    data, records = FORMS["bdw_rdw"]
    block = struct.unpack_from(">H", data)[0]
    broken = bytearray(data)
    struct.pack_into(">H", broken, block, said)
    file.write_bytes(broken)
    frames = open_dump(file).index()
    assert frames.problems
    assert bodies(frames)[-1] == records[-1]
    assert sum(problem.bytes for problem in frames.problems) <= 4000


@pytest.mark.parametrize("count", [1, 2, 3, 4, 1000])
def test_zeros_at_the_end_are_called_zeros(file: Path, count: int) -> None:
    file.write_bytes(writer.rdw(RECORDS) + bytes(count))
    frames = open_dump(file).index()
    assert bodies(frames) == RECORDS
    assert [(p.reason, p.bytes) for p in frames.problems] == [("zeros", count)]


def test_cut_gzip_file_keeps_what_could_be_unpacked(file: Path) -> None:
    rng = np.random.default_rng(4)
    records = [smf(70, 1, rng.bytes(1000)) for _ in range(50)]
    file.write_bytes(writer.gz(writer.rdw(records))[:-20_000])
    frames = open_dump(file).index()
    assert bodies(frames) == records[: len(frames.start)]
    assert 10 < len(frames.start) < 50
    assert "gzip" in frames.problems[-1].detail or "gzip" in frames.problems[0].detail


def test_what_stands_behind_a_gzip_file_is_told(file: Path) -> None:
    """Zeros are what a tape leaves; anything else is lost and said to be."""
    packed = writer.gz(writer.rdw(RECORDS))
    for behind, told in ((b"", []), (bytes(600), []), (b"\x1f something else", ["garbage"])):
        file.write_bytes(packed + behind)
        frames = open_dump(file).index()
        assert bodies(frames) == RECORDS
        assert [problem.reason for problem in frames.problems] == told
    file.write_bytes(packed + packed)
    assert bodies(open_dump(file).index()) == RECORDS * 2


def test_more_than_has_room_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes of gzip can say a great many."""
    monkeypatch.setattr(spool, "MEMORY", 20_000_000)
    monkeypatch.setattr(spool, "room", lambda: 20_000_000)
    file.write_bytes(writer.gz(writer.rdw(RECORDS) + bytes(50_000_000)))
    with pytest.raises(DumpError, match="room") as caught:
        open_dump(file)
    assert "unpack" in (caught.value.hint or "")


@pytest.mark.parametrize("said", [0, 1, 4, 7])
def test_short_block_of_the_31_bit_form(file: Path, said: int) -> None:
    """No block is shorter than a BDW and an RDW; its bytes are not passed over in silence."""
    first, two = writer.bdw_rdw(RECORDS[:20], 32760), writer.bdw_rdw(RECORDS[20:], 32760)
    file.write_bytes(first + struct.pack(">I", 0x80000000 | said) + two)
    frames = open_dump(file).index()
    assert bodies(frames) == RECORDS
    assert [(p.reason, p.byte_offset, p.bytes) for p in frames.problems] == [
        ("bad_bdw", len(first), 4)
    ]


def test_join_that_no_length_can_say() -> None:
    """A record of 2 GB and more is given up whole; what follows stays."""
    count = (1 << 31) // 0xFFFB + 2
    lengths = np.full(count + 1, 0xFFFF, dtype=np.int32)
    codes = np.full(count + 1, loads.MIDDLE, dtype=np.uint8)
    codes[0], codes[-2], codes[-1] = loads.FIRST, loads.LAST, loads.WHOLE
    record, orphan = (np.empty(count + 2, dtype=np.int64) for _ in range(2))
    assert join.join_plan(lengths, codes, record, orphan) == (1, 1, 0)
    assert orphan[0] == 0 and (record[:count] == -1).all() and record[count] == 0
    fits = (1 << 31) // 0xFFFB
    codes[fits - 1 : fits + 1] = loads.LAST, loads.WHOLE
    records, orphans, size = join.join_plan(lengths[:fits], codes[:fits], record, orphan)
    assert (records, orphans, size) == (1, 0, fits * 0xFFFB + 4)


# --- not a dump ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\xff\xd8\xff\xe0" + bytes(500), "JPEG"),
        (b"PK\x03\x04" + bytes(500), "zip"),
        (b"a,b,c\n1,2,3\n" * 50, "text"),
        (bytes(4096), "no records"),
        (np.random.default_rng(5).bytes(100_000), "no records"),
        (writer.gz(b"just text\n" * 30), "text"),
        (b"\x1f\x8b\x08\x00broken", "gzip"),
    ],
)
def test_not_a_dump(file: Path, data: bytes, words: str) -> None:
    """The message says where, what was found and what was expected; the hint what to do."""
    file.write_bytes(data)
    with pytest.raises(DumpError, match=words) as caught:
        open_dump(file)
    assert str(file) in caught.value.message
    assert caught.value.hint


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(DumpError, match="no such file"):
        open_dump(tmp_path / "none")
    with pytest.raises(DumpError, match="directory"):
        open_dump(tmp_path)


def test_log_of_another_century_is_no_log(file: Path) -> None:
    """A TOD clock before 1985 or after next year is no evidence."""
    file.write_bytes(b"".join(log(0x59, 1, n + 1, b"x" * 30, TOD_2024 // 4) for n in range(9)))
    with pytest.raises(DumpError):
        open_dump(file)


def test_paths_expand_to_the_dumps_in_them(tmp_path: Path) -> None:
    (tmp_path / "b.smf").write_bytes(FORMS["rdw"][0])
    (tmp_path / "a.log.gz").write_bytes(writer.gz(FORMS["ims_vb"][0]))
    (tmp_path / "run.toml").write_text("name = 'x'\n")
    both = [tmp_path / "a.log.gz", tmp_path / "b.smf"]
    assert expand_paths([tmp_path]) == both
    assert expand_paths([tmp_path / "*.smf", tmp_path]) == [both[1], both[0]]
    assert expand_paths([tmp_path / "run.toml"]) == [tmp_path / "run.toml"]
    with pytest.raises(DumpError, match="pattern"):
        expand_paths([tmp_path / "*.xyz"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(DumpError, match="without files"):
        expand_paths([tmp_path / "empty"])
