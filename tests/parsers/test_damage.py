"""Cut, flip and grow every golden record: a problem or a row, never another exception or a hang."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import mangler
import numpy as np
import pytest
import second_writer as writer
from dump_files import TOD_2024, bodies, load, log, smf
from evidence_files import header_names, record_bytes, record_names
from fuzzing import tersed
from test_bare import usual
from test_ims import WHOLE_RECORDS, signature

from imsperf.errors import DumpError
from imsperf.parsers.containers.source import GZIP, open_source
from imsperf.parsers.framing.frames import dump_of, open_dump
from imsperf.parsers.framing.lost_pages import with_lost_pages
from imsperf.parsers.kernels.loads import read_only
from imsperf.parsers.read import inspect

SMF = [*header_names(), *record_names("smf")]
TIMES = 4  # damaged copies of each record, one of each kind; fuzzing.py makes more


def damaged(record: bytes, seed: int) -> Iterator[bytes]:
    """Copies of a record: bytes flipped, lost or put in; its RDW is left to the caller."""
    rng = np.random.default_rng(seed)
    for turn in range(TIMES):
        out = bytearray(record)
        at = int(rng.integers(0, len(out)))
        if turn % 4 == 0:
            out[at] ^= int(rng.integers(1, 256))
        elif turn % 4 == 1:
            for place in rng.integers(0, len(out), 20).tolist():
                out[place] = int(rng.choice([0, 0xFF, 0x40, 0x80]))
        elif turn % 4 == 2:
            del out[at : at + int(rng.integers(1, 200))]
        else:
            out[at:at] = rng.bytes(int(rng.integers(1, 200)))
        yield bytes(out)


def check(path: Path, data: bytes, records: int) -> None:
    """Read it whole; every record that was found is counted and is in exactly one main table."""
    path.write_bytes(data)
    try:
        loaded, rows = load(path, raw=True)
    except DumpError as error:
        assert error.hint
        return
    main = [n for n in rows if n.endswith(("_raw", "_header"))]
    main += [n for n in rows if n.startswith("ims_") and n.count("_") == 1 and n != "ims_raw"]
    numbers = sorted(row["record_no"] for name in main for row in rows[name])
    assert numbers == list(range(1, loaded.records + 1))
    assert sum(count["records"] for count in loaded.counts) == loaded.records
    losses = [problem for problem in loaded.problems if problem.severity == "data_loss"]
    assert loaded.records >= records or losses
    if loaded.framing in ("rdw", "ims_rdw") and data[:2] != GZIP:
        size = sum(count["bytes"] for count in loaded.counts)
        assert size + sum(problem.bytes for problem in losses) == len(data)
    assert sum(row["records"] for row in inspect(path).rows) == loaded.records


@pytest.mark.parametrize("name", SMF)
def test_damage_inside_smf_records(tmp_path: Path, name: str) -> None:
    """The RDW still says how long the record is."""
    record = record_bytes(name)[4:]
    for seed, broken in enumerate(damaged(record, len(name))):
        file = [smf(2), record, broken, record, smf(3)]
        data = writer.rdw(file) if seed % 2 else writer.vbs(file, 600)
        check(tmp_path / "dump", data, 5)


@pytest.mark.parametrize("name", WHOLE_RECORDS)
def test_damage_inside_log_records(tmp_path: Path, name: str) -> None:
    record = record_bytes(name)
    for seed, broken in enumerate(damaged(record, len(name))):
        with_length = struct.pack(">H", len(broken)) + broken[2:]
        file = [signature(), record, with_length, record, log(0x59, 3, 1 << 40)]
        if len(with_length) > 21:
            blocked = (seed + len(name)) % 2
            check(tmp_path / "log", writer.ims_vb(file, 6144) if blocked else b"".join(file), 5)


FILES = {
    "rdw": lambda: writer.rdw([smf(2), *(record_bytes(name)[4:] for name in SMF), smf(3)]),
    "rdw_spanned": lambda: writer.rdw_spanned([record_bytes(name)[4:] for name in SMF], 400),
    "bdw_rdw": lambda: writer.bdw_rdw([record_bytes(name)[4:] for name in SMF * 2], 16384),
    "vbs": lambda: writer.vbs([record_bytes(name)[4:] for name in SMF * 2], 1000),
    "ims_rdw": lambda: signature() + b"".join(record_bytes(name) for name in WHOLE_RECORDS),
    "ims_vb": lambda: writer.ims_vb(
        [signature(), *(record_bytes(name) for name in WHOLE_RECORDS)], 1024
    ),
}


SOME_FILES = [
    form if form in ("vbs", "ims_vb") else pytest.param(form, marks=pytest.mark.slow)
    for form in FILES
]


@pytest.mark.parametrize("form", SOME_FILES)
def test_damage_anywhere_in_a_file(tmp_path: Path, form: str) -> None:
    """Descriptor words too: bytes lost, put in, turned over."""
    data = FILES[form]()
    for broken in damaged(data, 11):
        check(tmp_path / "file", broken, -1)


def test_records_whose_end_was_lost_in_an_ftp_block_are_not_one(tmp_path: Path) -> None:
    """A cleared end-of-record bit joins two records: neither is shown; the others are."""
    records = [smf(200, 1, bytes([n]) * 100, time=n) for n in range(6)]
    for rdw in (False, True):
        data = bytearray(mangler.FORMS["ftp_block_rdw" if rdw else "ftp_block"][0](records))
        size = len(records[0]) + 4 * rdw
        at = 2 * (size + 3)  # the header of the third block
        assert data[at] == 0x80 and int.from_bytes(data[at + 1 : at + 3]) == size
        data[at] = 0
        path = tmp_path / "dump"
        path.write_bytes(data)
        loaded, rows = load(path)
        assert loaded.records == 4
        assert [row["time"].microsecond // 10_000 for row in rows["smf_raw"]] == [0, 1, 4, 5]
        (lost,) = [problem for problem in loaded.problems if problem.severity == "data_loss"]
        assert lost.bytes == 2 * len(records[0]) + 4 + 4 * rdw


def test_log_records_in_several_ftp_blocks(tmp_path: Path) -> None:
    """RFC 959 3.4.2: a record may take any number of blocks. Its bytes may look like a clock where
    a block ends (X'D5D5...' is one of 2017); only a suffix says that a record ends there."""
    records = [log(0x59, 3, 50 + n, b"\xd5" * (250 * n))[4:] for n in range(5)]
    data, path = mangler.FORMS["ftp_block_small"][0](records), tmp_path / "log"
    path.write_bytes(data)
    loaded = inspect(path)
    assert (loaded.framing, loaded.records, loaded.problems) == ("ftp_block", 5, [])
    ends = [at for at in _blocks(data) if data[at : at + 1] == b"\x80"]
    assert len(ends) == 5
    path.write_bytes(data[: ends[1]] + b"\0" + data[ends[1] + 1 :])  # the end of record 2 is lost
    dump = dump_of(open_source(path))
    records_read = [
        p.buffer[b : b + n] for p in dump.parts() for b, n in zip(p.start, p.length, strict=True)
    ]
    assert [int.from_bytes(record[-8:].tobytes()) for record in records_read] == [50, 53, 54]


def _blocks(data: bytes) -> list[int]:
    """Where FTP blocks begin."""
    blocks = [0]
    while blocks[-1] < len(data):
        blocks.append(blocks[-1] + 3 + int.from_bytes(data[blocks[-1] + 1 : blocks[-1] + 3]))
    return blocks


def test_a_byte_put_into_an_ftp_block(tmp_path: Path) -> None:
    """Its record ends in X'00', which then stands before the next descriptor: the record's length
    is not proved, and it is left out whole, as in the other forms."""
    records = [smf(200, 1, bytes([n + 1]) * 200 + bytes(4), time=n) for n in range(6)]
    for form in ("ftp_block", "ftp_block_rdw", "length_prefix", "rdw"):
        data, path = mangler.FORMS[form][0](records), tmp_path / "dump"
        at = data.index(b"\x03" * 200) + 100
        path.write_bytes(data[:at] + b"\x33" + data[at:])
        loaded, rows = load(path)
        assert [row["time"].microsecond // 10_000 for row in rows["smf_raw"]] == [0, 1, 3, 4, 5]
        (lost,) = [problem for problem in loaded.problems if problem.severity == "data_loss"]
        width = {"ftp_block": 3, "ftp_block_rdw": 7, "length_prefix": 4, "rdw": 4}[form]
        assert lost.bytes == len(records[2]) + width + 1
        assert lost.byte_offset == 2 * (len(records[0]) + width)


def _found(
    path: Path, data: bytes, framing: str = "ftp_record"
) -> tuple[list[bytes], list[tuple[str, int]]]:
    """The records of a dump, and what was lost: reason and place."""
    path.write_bytes(data)
    dump = open_dump(path)
    read = bodies(dump.index())
    assert framing in (dump.framing, "")
    lost = [problem for problem in dump.problems if problem.severity == "data_loss"]
    return read, [(number.reason, number.byte_offset) for number in lost]


@pytest.mark.parametrize("change", [1, 2, 4, -1, -3])
def test_bytes_put_into_a_record_of_ftp_record_structure(tmp_path: Path, change: int) -> None:
    """Nothing says its length, but type 30 ends with its last section: the other records do. So it
    is not admitted, as one that was joined from wrong segments is not."""
    records = [usual(n) for n in range(6)]
    at = 300 if change > 0 else 300 - change  # in its first usage section
    other = records[2][:300] + b"\x11" * max(change, 0) + records[2][at:]
    data = [smf(2), *records[:2], other, *records[3:], smf(3)]
    path = tmp_path / "dump"
    assert _found(path, mangler.FORMS["ftp_record"][0](data)) == (data, [])
    loaded, rows = load(path)
    reason = "odd_length" if change > 0 else "section_past_end"
    (problem,) = (problem for problem in loaded.problems if problem.severity != "info")
    assert (problem.record_no, problem.severity, problem.reason) == (4, "error", reason)
    assert problem.byte_offset == sum(
        len(record.replace(b"\xff", b"\xff\xff")) + 2 for record in data[:3]
    )
    assert [row["record_no"] for row in rows["smf_raw"]] == [4]


def test_codes_that_a_packed_data_set_lost(tmp_path: Path) -> None:
    """AMATERSE has only a code behind each record, and no checksum: the head of one record and the
    tail of the next are one, which does not end with its last section, as the others do."""
    records = [usual(n) for n in range(6)]
    data = [smf(2), *records, smf(3)]
    packed = tersed(data)
    begin = sum(len(record) + 1 for record in data[:3]) + 300  # codes: one of them ends a record
    begin -= begin % 2
    end = begin + 260  # in the next record
    path = tmp_path / "dump"
    path.write_bytes(packed[: 12 + begin * 3 // 2] + packed[12 + end * 3 // 2 :])
    loaded, rows = load(path)
    assert loaded.records == 7
    (problem,) = (problem for problem in loaded.problems if problem.severity != "info")
    assert (problem.record_no, problem.severity, problem.reason) == (4, "error", "odd_length")
    assert [row["record_no"] for row in rows["smf_raw"]] == [4]


def test_records_that_end_behind_their_triplets_are_whole(tmp_path: Path) -> None:
    """What stands there is no damage where a pointer that the layout knows leads to it, or where
    the only other record of its kind is as long."""
    alone = [smf(30, 2, usual(n)[20:] + b"\x33" * 7, time=n) for n in range(2)]
    named = [record_bytes(f"smf{name} record")[4:] for name in ("42_6", "78_3")] * 3
    for records in (alone, named):
        data = mangler.FORMS["ftp_record"][0]([smf(2), *records, smf(3)])
        assert _found(tmp_path / "dump", data) == ([smf(2), *records, smf(3)], [])
        loaded, _ = load(tmp_path / "dump")
        assert not [one for one in loaded.problems if one.reason == "odd_length"]


@pytest.mark.parametrize("kind", ["smf", "ims"])
def test_a_cr_before_each_lf_in_ftp_record_structure(tmp_path: Path, kind: str) -> None:
    """The marks lead on, but data have CRs that were not theirs: told, and refused."""
    body = bytes(range(256)) * 3
    make = (lambda n: smf(200, 1, body, time=n)) if kind == "smf" else (
        lambda n: log(0x59, 3, 50 + n, body)[4:]
    )  # fmt: skip
    data, path = mangler.FORMS["ftp_record"][0]([make(n) for n in range(1, 9)]), tmp_path / "dump"
    assert len(_found(path, data)[0]) == 8
    path.write_bytes(data.replace(b"\n", b"\r\n"))
    with pytest.raises(DumpError) as refused:
        open_dump(path)
    assert refused.value.facts["cause"] == "crlf_inserted"


@pytest.mark.parametrize("kind", ["smf", "ims"])
@pytest.mark.parametrize("fill", [0x05, 0xFF])
def test_x_ff_in_the_rdw_of_ftp_record_structure(tmp_path: Path, kind: str, fill: int) -> None:
    """X'01FF' (511 bytes) stands there as X'01FFFF': RFC 959 3.4.1 doubles it in lengths too."""
    some = [bytes([fill]) * (511 - 24), bytes([fill]) * 100]
    records = [smf(200, 1, record, time=n) for n, record in enumerate(some * 3)]
    if kind == "ims":
        records = [log(0x59, 3, 50 + n, record + b"ab")[4:] for n, record in enumerate(some * 3)]
    assert len(records[0]) + 4 == 511
    data = mangler.FORMS["ftp_record_rdw"][0](records)
    assert data[:5] == b"\x01\xff\xff\0\0"
    assert _found(tmp_path / "dump", data) == (records, [])


def test_smf_records_that_end_like_those_of_a_log(tmp_path: Path) -> None:
    """The first record lost its start, and all end in a clock and one number, as in a log whose
    numbers do not rise: the headers of the other four say that they are SMF."""
    end = struct.pack(">QQ", TOD_2024, 7)
    records = [smf(200, 1, bytes([n + 1]) * (40 + 9 * n) + end, time=n) for n in range(5)]
    data = mangler.FORMS["ftp_record_rdw"][0](records)
    assert _found(tmp_path / "dump", data[30:])[0] == records[1:]
    assert open_dump(tmp_path / "dump").kind == "smf"


def test_the_bdw_before_the_rest_of_a_record_is_no_rdw(tmp_path: Path) -> None:
    """A log in VBS whose first block lost a byte, so that its RDWs lead to the next BDW: the bytes
    of that block look like one record, as they end in the suffix of the last one."""
    r0, r1, r2, r3, r4 = (log(0x67, 1, 100 + n, bytes([n + 1]) * (40 + n)) for n in range(5))
    head, tail = r3[4:-10], r3[-10:]
    begun = struct.pack(">HBB", 4 + len(head), 1, 0) + head
    ended = struct.pack(">HBB", 4 + len(tail), 2, 0) + tail
    first, second = r0 + r1 + r2 + begun, ended + r4
    blocks = [struct.pack(">HH", 4 + len(block), 0) + block for block in (first, second)]
    data, path = b"".join(blocks), tmp_path / "log"
    assert _found(path, data, "ims_vb") == ([r[4:] for r in (r0, r1, r2, r3, r4)], [])
    for lost in range(12, 4 + len(r0)):
        found, problems = _found(path, data[:lost] + data[lost + 1 :], "")
        assert set(found) <= {r[4:] for r in (r1, r2, r3, r4)}, lost
        assert r2[4:] in found and problems, lost


def test_text_with_line_ends_in_a_record_is_no_damage(tmp_path: Path) -> None:
    """Messages in ASCII, with CR and LF of their own, and no other LF in the file."""
    text = b"HTTP/1.1 200 OK\r\nHost: zos\r\nAccept: none\r\n"
    records = [log(0x01, 3, 50 + n, text)[4:] for n in range(6)]
    data = mangler.FORMS["ftp_record"][0](records)
    assert data.count(b"\n") == data.count(b"\r\n") == 18
    assert _found(tmp_path / "log", data) == (records, [])


def test_zeros_that_records_hold_are_no_lost_pages(tmp_path: Path) -> None:
    """Runs of 9,000 zero bytes in records that begin anywhere in a page: all are kept; one whose
    page is really lost is not, though it lies in such a run at one end."""
    body = [bytes([n + 1]) * 700 + bytes(9000) + bytes([n + 1]) * 700 for n in range(200)]
    records = [smf(2), *(smf(200, 1, byte, time=n) for n, byte in enumerate(body)), smf(3)]
    data, path = writer.rdw(records), tmp_path / "dump"
    path.write_bytes(data)
    assert inspect(path).records == 202
    at = next(
        n
        for n in range(4096, len(data), 4096)
        if not any(data[n : n + 3000]) and any(data[n + 3900 : n + 4100]) and data[n + 4095]
    )
    path.write_bytes(data[:at] + bytes(4096) + data[at + 4096 :])
    assert inspect(path).records == 201


def test_marks_of_an_ftp_record_structure_that_were_forged_or_lost(tmp_path: Path) -> None:
    """A log without RDWs: what a forged mark leaves of a record is not shown, nor two as one.

    Those next to the damage may be lost besides, the same whatever the size of parts.
    """
    rng = np.random.default_rng(3)
    records = [log(0x59, 3, 50 + n, rng.bytes(30 + 7 * n))[4:] for n in range(6)]
    data, path = mangler.FORMS["ftp_record"][0](records), tmp_path / "log"
    marks = [at for at in range(len(data) - 1) if data[at : at + 2] == b"\xff\x01"]
    assert len(marks) == 6
    damage = [(at, b"\xff\x01") for at in range(marks[0] + 4, marks[-1] - 1, 3)]
    damage = [(at, new) for at, new in damage if not {at, at + 1, at + 2} & set(marks)]
    damage += [(at, new) for at in marks[:-1] for new in (b"\x7f\x01", b"\xff\x00", b"\0\0")]
    for at, new in damage:
        path.write_bytes(data[:at] + new + data[at + 2 :])
        outcomes = []
        for size in (1, 1 << 20):
            parts = list(dump_of(open_source(path)).parts(size))
            rows = [
                (p.buffer, *pair) for p in parts for pair in zip(p.start, p.length, strict=True)
            ]
            outcomes.append([buffer[b + 4 : b + length].tobytes() for buffer, b, length in rows])
        assert outcomes[0] == outcomes[1], at
        assert set(outcomes[0]) <= set(records) and len(outcomes[0]) >= 3, at


def test_records_do_not_depend_on_the_size_of_parts(tmp_path: Path) -> None:
    """Records in several FTP blocks: one before a record that breaks off is given up always."""
    records = [smf(200, 1, bytes([n + 1]) * (40 + 60 * n)) for n in range(6)]
    data = mangler.FORMS["ftp_block_small"][0](records)
    path = tmp_path / "dump"
    for at in range(0, len(data), 13):
        path.write_bytes(data[:at] + b"\x99" * 4 + data[at:])  # bytes that do not belong there
        by_size = []
        for size in (1, 1 << 20):
            parts = dump_of(open_source(path)).parts(size)
            by_size.append(sorted(place for part in parts for place in part.place.tolist()))
        assert by_size[0] == by_size[1], at


def test_a_log_record_with_a_damaged_clock_is_told_by_its_number(tmp_path: Path) -> None:
    """Without blocks: numbers in a row prove its length; where the number is damaged too, not."""
    records = [bytearray(log(0x59, 3, 50 + n, bytes([n]) * 60)) for n in range(5)]
    path = tmp_path / "log"
    records[2][-16:-8] = b"\xff" * 8
    path.write_bytes(b"".join(records))
    assert inspect(path).records == 5
    records[2][-8:] = b"\xff" * 8
    path.write_bytes(b"".join(records))
    assert inspect(path).records == 4


@pytest.mark.parametrize("places", [8, pytest.param(80, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", SOME_FILES)
def test_cut_anywhere(tmp_path: Path, form: str, places: int) -> None:
    """A transfer that broke off: what is whole is read, the rest is told."""
    data = FILES[form]()
    for at in np.linspace(1, len(data) - 1, places).astype(int).tolist():
        check(tmp_path / "file", writer.cut(data, at), -1)


@pytest.mark.parametrize(
    "form",
    [name if name == "vbs" else pytest.param(name, marks=pytest.mark.slow) for name in FILES],
)
def test_packed_files_can_be_cut_too(tmp_path: Path, form: str) -> None:
    data = writer.gz(FILES[form]())
    for at in np.linspace(3, len(data) - 1, 5).astype(int).tolist():
        check(tmp_path / "file", writer.cut(data, at), -1)


def test_a_record_that_claims_a_great_many_sections(tmp_path: Path) -> None:
    """65,535 devices of 2 bytes: read as it says, in bounded memory."""
    record = bytearray(record_bytes("smf74_1 record")[4:])
    at = struct.unpack_from(">I", record, 44 - 4)[0]
    struct.pack_into(">HH", record, 48 - 4, 2, 0xFFFF)
    long = bytes(record[: at - 4]) + b"\1" * (2 * 0xFFFF)
    path = tmp_path / "dump"
    path.write_bytes(writer.vbs([smf(2), long, smf(3)], 32760))
    _, rows = load(path)
    assert len(rows["smf74_1_device"]) == 0xFFFF


def test_zeros_of_its_own_do_not_clear_a_record_that_lost_its_end() -> None:
    """Three records with the same 3,000 zeros each; of the second the last 356 bytes are lost."""
    length, first = 5000, 4096 * 3 + 356 - 10_000  # the second ends 356 bytes behind a page
    record = np.full(length, 7, np.uint8)
    record[1000:4000] = 0
    data = np.concatenate(
        [np.full(first, 9, np.uint8), record, record, np.full(8000, 9, np.uint8), record]
    )
    data[3 * 4096 : 4 * 4096] = 0
    starts = np.array([first, first + length, len(data) - length])
    lost = with_lost_pages(read_only(data), starts, np.full(3, length, np.int32))
    assert lost.tolist() == [1]
