"""A framing that the user names, and the bytes that could not be read."""

from __future__ import annotations

import csv
from pathlib import Path

import mangler
import pytest
from dump_files import bodies
from test_transfer_forms import records

import imsperf
from imsperf.errors import DumpError
from imsperf.parsers.framing.forms import RARE, USUAL
from imsperf.parsers.framing.frames import dump_of
from imsperf.parsers.framing.names import FRAMINGS
from imsperf.parsers.read import dumps_in

WAYS = {
    "rdw": ("smf", "rdw"), "bdw_rdw": ("smf", "bdw_rdw"), "length_prefix": ("smf", "length_prefix"),
    "ftp_block": ("ims", "ftp_block"), "ftp_record": ("smf", "ftp_record"),
    "ims_rdw": ("ims", "rdw"), "ims_vb": ("ims", "bdw_rdw"),
}  # fmt: skip


def told(path: Path, framing: str) -> list[bytes]:
    """The records of a file read as a framing."""
    (source,) = dumps_in(path, lambda *_: None, framing)
    return bodies(dump_of(source).index())


@pytest.mark.parametrize("framing", WAYS)
def test_the_named_framing_reads_its_own_file(tmp_path: Path, framing: str) -> None:
    kind, form = WAYS[framing]
    path = tmp_path / "dump"
    path.write_bytes(mangler.FORMS[form][0](records(kind, 1)))
    assert told(path, framing) == records(kind, 1)


def test_the_name_overrides_the_bytes(tmp_path: Path) -> None:
    """Blocks read as if they were records: what is in them is found, never made up."""
    path = tmp_path / "dump"
    path.write_bytes(mangler.FORMS["bdw_rdw"][0](records("ims", 1)))
    (source,) = dumps_in(path, lambda *_: None, "ims_rdw")
    dump = dump_of(source)
    assert {*bodies(dump.index())} <= {*records("ims", 1)}
    assert dump.framing == "ims_rdw"
    assert dump.problems


def test_a_name_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(mangler.FORMS["rdw"][0](records("smf", 1)))
    with pytest.raises(DumpError, match="no records framed as ims_vb"):
        told(path, "ims_vb")
    with pytest.raises(DumpError, match="expected one of rdw") as error:
        imsperf.load(path, tmp_path / "db", framing="bdw_rdv")
    assert "bdw_rdw" in error.value.hint
    assert not (tmp_path / "db").exists()


def test_every_framing_is_one_that_is_printed() -> None:
    assert {*WAYS, "rdw_spanned", "bdw_rdw_spanned", "no_rdw"} == {*FRAMINGS}
    printed = {form.label(spanned) for form in (*USUAL, *RARE) for spanned in (False, True)}
    assert printed == {*FRAMINGS}


def test_unread_bytes_go_to_a_side_file(tmp_path: Path) -> None:
    """Their places and bytes are those of the dump."""
    data = bytearray(mangler.FORMS["rdw"][0](records("smf", 1)))
    at = data.index(records("smf", 1)[20]) - 4
    data[at : at + 4] = b"\xff\xff\xff\xff"
    path, lost = tmp_path / "smf.dump", tmp_path / "lost"
    path.write_bytes(data)
    (loaded,) = imsperf.load(path, tmp_path / "db", unread=lost)
    assert loaded.unread is not None and loaded.unread.parent == lost
    rows = list(csv.DictReader(loaded.unread.with_suffix(".csv").open()))
    unread_bytes = loaded.unread.read_bytes()
    assert len(rows) == 1 and len(unread_bytes) == int(rows[0]["bytes"])
    place = int(rows[0]["byte_offset"])
    assert place <= at < place + len(unread_bytes)
    assert unread_bytes == data[place : place + len(unread_bytes)]
    assert rows[0]["reason"] == "bad_rdw"


@pytest.mark.slow
def test_a_whole_dump_leaves_no_side_file(tmp_path: Path) -> None:
    path = tmp_path / "smf.dump"
    path.write_bytes(mangler.FORMS["rdw"][0](records("smf", 1)))
    (loaded,) = imsperf.load(path, tmp_path / "db", unread=tmp_path / "lost")
    assert loaded.unread is None
    assert not (tmp_path / "lost").exists()
