"""Dumps of different records glued together: each is read, as if it stood alone."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import mangler
import pytest
from dump_files import bodies
from test_transfer_forms import records

import imsperf
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
    found, said = list[list[bytes]](), Counter[str]()
    for source in dumps_in(path, nothing):
        dump = dump_of(source)
        found.append(bodies(dump.index()))
        said.update(one.reason for one in dump.problems)
    assert found == [records(kind, 1) for kind in kinds]
    assert said == {"glued": 1}


def read(path: Path) -> tuple[list[bytes], Counter[str]]:
    """All records of a file, and the reasons of its problems."""
    found, said = list[bytes](), Counter[str]()
    for source in dumps_in(path, nothing):
        dump = dump_of(source)
        found += bodies(dump.index())
        said.update(one.reason for one in dump.problems)
    return found, said


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
    found, said = read(path)
    assert found == wanted[0] + wanted[1]
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
    assert dict(rows) == {kind: len(one) for kind, one in wanted.items()}
    said = {(row["framing"], row["cause"]) for row in examine([path]).to_pylist()}
    assert ("bdw_rdw_spanned", "glued") in said
    assert {framing for framing, _ in said} == {"bdw_rdw_spanned", "ims_vb"}
