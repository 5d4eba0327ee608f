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
from imsperf.parsers.doctor import examine
from imsperf.parsers.framing import dump_of
from imsperf.parsers.read import dumps_in

FORMS = ("rdw", "bdw_rdw", "vbs_27998")


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
