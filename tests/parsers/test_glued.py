"""Dumps of different records glued together: each is read, as if it stood alone."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import mangler
import pytest
import second_writer as writer
from dump_files import bodies, smf
from test_transfer_forms import records

import imsperf
from imsperf.parsers.containers.source import open_sources
from imsperf.parsers.diagnosis.doctor import examine
from imsperf.parsers.framing.frames import dump_of
from imsperf.parsers.read import dumps_in

FORMS = ("rdw", "bdw_rdw", "vbs_27998")
# Forms that few files have; behind the usual ones, and before each other.
RARE = ("length_prefix", "ftp_block", "ftp_block_rdw", "ftp_record", "ftp_record_rdw")


def nothing(path: Path, why: str) -> None:
    raise AssertionError(f"{path} was passed over: {why}")


@pytest.mark.parametrize("kinds", [("smf", "ims"), ("ims", "smf")])
@pytest.mark.parametrize("first, second", list(product(FORMS, repeat=2)))
@pytest.mark.parametrize("padding", [0, 4096])
def test_both_dumps_are_read(
    tmp_path: Path, kinds: tuple[str, str], first: str, second: str, padding: int
) -> None:
    path = tmp_path / "glued"
    front, back = (
        mangler.FORMS[form][0](records(kind, 1))
        for form, kind in zip((first, second), kinds, strict=True)
    )
    path.write_bytes(front + bytes(-len(front) % padding if padding else 0) + back)
    dumps_read, said = list[list[bytes]](), Counter[str]()
    for source in dumps_in(path, nothing):
        dump = dump_of(source)
        dumps_read.append(bodies(dump.index()))
        said.update(problem.reason for problem in dump.problems)
    assert dumps_read == [records(kind, 1) for kind in kinds]
    assert said == {"glued": 1}


def read(path: Path) -> tuple[list[bytes], Counter[str]]:
    """All records of a file, and the reasons of its problems."""
    records, said = list[bytes](), Counter[str]()
    for source in dumps_in(path, nothing):
        dump = dump_of(source)
        records += bodies(dump.index())
        said.update(problem.reason for problem in dump.problems)
    return records, said


@pytest.mark.parametrize("kinds", [("smf", "ims"), ("ims", "smf")])
@pytest.mark.parametrize("first", [*FORMS, "length_prefix", "ftp_record"])
@pytest.mark.parametrize("second", RARE)
@pytest.mark.parametrize("padding", [0, 4096])
def test_forms_that_few_files_have_are_read_behind(
    tmp_path: Path, kinds: tuple[str, str], first: str, second: str, padding: int
) -> None:
    """Whatever the first dump is; the last record of that one is not given up."""
    if first == "ftp_record" and second.startswith("ftp_record"):
        pytest.skip("the marks of both are the same: records of the second are left out")
    path, wanted = tmp_path / "glued", [records(kind, 1) for kind in kinds]
    front = mangler.FORMS[first][0](wanted[0])
    back = mangler.FORMS[second][0](wanted[1])
    path.write_bytes(front + bytes(-len(front) % padding if padding else 0) + back)
    dumps_read, said = read(path)
    assert dumps_read == wanted[0] + wanted[1]
    assert said == {"glued": 1}


@pytest.mark.parametrize("first, second", [("rdw", "length_prefix"), ("ftp_block", "vbs_27998")])
def test_dumps_of_the_same_records_are_read(tmp_path: Path, first: str, second: str) -> None:
    path, wanted = tmp_path / "glued", records("smf", 1)
    path.write_bytes(mangler.FORMS[first][0](wanted) + mangler.FORMS[second][0](wanted))
    assert read(path) == (wanted + wanted, {"glued": 1})


def test_a_load_takes_both(tmp_path: Path) -> None:
    """And the doctor names what happened."""
    path, db = tmp_path / "glued", tmp_path / "db"
    wanted = {kind: records(kind, 1) for kind in ("smf", "ims")}
    front, back = (mangler.FORMS["vbs_27998"][0](wanted[kind]) for kind in wanted)
    path.write_bytes(front + back)
    imsperf.load(path, db=db)
    with imsperf.connect(db) as store:
        rows = store.con.execute("SELECT kind, records FROM load_file").fetchall()
    assert dict(rows) == {kind: len(records) for kind, records in wanted.items()}
    said = {(row["framing"], row["cause"]) for row in examine([path]).to_pylist()}
    assert ("bdw_rdw_spanned", "glued") in said
    assert {framing for framing, _ in said} == {"bdw_rdw_spanned", "ims_vb"}


# TOD clock of 2015-11-23 20:40:12 and 1,792,884,543 us: how a record of MQ ends (QWHS), and how an
# IMS log record ends (a clock, a sequence number).
MQ_END = bytes.fromhex("CFE4A2B1D0000000") + (1_792_884_543).to_bytes(8, "big")


@pytest.mark.parametrize("second", ["rdw", "bdw_rdw"])
@pytest.mark.parametrize("first", ["rdw", "bdw_rdw", "vbs_27998"])
def test_a_log_behind_records_that_end_as_log_records_do(
    tmp_path: Path, first: str, second: str
) -> None:
    """The log has more records than the SMF dump before it, which begins the file all the same."""
    front = [smf(115, 1, bytes([n]) * 60 + MQ_END) for n in range(12)]
    back = records("ims", 1)
    path = tmp_path / "glued"
    path.write_bytes(mangler.FORMS[first][0](front) + mangler.FORMS[second][0](back))
    dumps_read = [bodies(dump_of(source).index()) for source in dumps_in(path, nothing)]
    assert dumps_read == [front, back]


@pytest.mark.parametrize("many", [1, 2, 3])
@pytest.mark.parametrize("second", ["bdw_rdw", "vbs_27998"])
def test_few_records_in_blocks_behind_a_dump_of_rdws(
    tmp_path: Path, second: str, many: int
) -> None:
    """A block that its records fill is never a part of a dump without blocks."""
    front, back = records("smf", 1), records("smf", 1)[:many]
    path = tmp_path / "glued"
    path.write_bytes(mangler.FORMS["rdw"][0](front) + mangler.FORMS[second][0](back))
    dumps_read, said = read(path)
    assert (dumps_read, said) == ([*front, *back], {"glued": 1})


def test_blocks_between_two_dumps_of_rdws(tmp_path: Path) -> None:
    """The block does not lead to the end of the file."""
    front, middle, back = (records("smf", 1)[a:b] for a, b in ((0, 9), (9, 14), (14, 20)))
    path = tmp_path / "glued"
    wrapped = mangler.FORMS["bdw_rdw"][0](middle)
    path.write_bytes(mangler.FORMS["rdw"][0](front) + wrapped + mangler.FORMS["rdw"][0](back))
    dumps_read, _ = read(path)
    assert dumps_read == [*front, *middle, *back]


# --- ends and blocks ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["smf", "ims"])
@pytest.mark.parametrize("part_bytes", [100, 3000, 1 << 20])
def test_a_block_that_comes_twice_is_told(tmp_path: Path, kind: str, part_bytes: int) -> None:
    """The second, the fifth twice, and the last block; wherever the parts of a walk end."""
    bodies_of = records(kind, 1)
    blocks = [mangler.FORMS["bdw_rdw"][0]([body]) for body in bodies_of[:8]]
    order = (0, 1, 1, 2, 3, 4, 4, 4, 5, 6, 7, 7)
    path = tmp_path / "twice"
    path.write_bytes(b"".join(blocks[n] for n in order))
    ends = [sum(len(blocks[n]) for n in order[:i]) for i in range(len(order))]
    dump = dump_of(next(open_sources(path)))
    assert sum(len(part.start) for part in dump.parts(part_bytes)) == len(order)
    told = [problem.byte_offset for problem in dump.problems if problem.reason == "repeat"]
    assert told == [ends[2], ends[6], ends[7], ends[11]]


def test_a_record_that_repeats_itself_is_no_block_twice(tmp_path: Path) -> None:
    """The blocks in the middle of a record of 5,000 zeros are equal."""
    path = tmp_path / "zeros"
    path.write_bytes(writer.vbs([smf(2), smf(200, 7, bytes(5000)), smf(3)], 500))
    assert read(path)[1] == {}


@pytest.mark.parametrize("form", ["ftp_record", "ftp_record_rdw", "ftp_record_together"])
@pytest.mark.parametrize("kind", ["smf", "ims"])
def test_structure_r_without_the_end_of_its_file(tmp_path: Path, form: str, kind: str) -> None:
    """Cut where a record ends, nothing else is missing (RFC 959, 3.1.2.2: FF02 ends a file)."""
    data = mangler.FORMS[form][0](records(kind, 1))
    assert data[-2:] in (b"\xff\x02", b"\xff\x03")
    path = tmp_path / "cut"
    path.write_bytes(data)
    assert read(path)[1] == {}
    path.write_bytes(data + bytes(100))
    assert "truncated" not in read(path)[1]
    path.write_bytes(data[: data.rindex(b"\xff\x01") + 2])
    assert read(path)[1] == {"truncated": 1}


def test_a_block_that_a_record_swallowed_is_no_other_dump(tmp_path: Path) -> None:
    """4 bytes lost in a record: the chain goes on behind the BDW of the last block to its end."""
    bodies_of = records("smf", 1)
    first, last = (mangler.FORMS["bdw_rdw"][0](bodies_of[a:b]) for a, b in ((0, 8), (8, 14)))
    path = tmp_path / "lost"
    path.write_bytes(first[:-20] + first[-16:] + last)
    dumps_read, said = read(path)
    assert "glued" not in said and said
    assert dumps_read == [*bodies_of[:7], *bodies_of[8:14]]
