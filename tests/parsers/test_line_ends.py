"""Line ends behind records that keep their RDWs: nothing is lost, whatever the line end is."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from dump_files import bodies
from test_transfer_forms import records

from imsperf.parsers.diagnosis.doctor import examine
from imsperf.parsers.framing.frames import open_dump

ENDS = ("0D0A", "0D25", "0D15", "0A", "15", "25", "0D")  # CR, LF and NL in ASCII and EBCDIC


def with_ends(wanted: list[bytes], end: str) -> bytes:
    """Each record behind its RDW, a line end behind each."""
    mark = bytes.fromhex(end)
    return b"".join(struct.pack(">HH", len(record) + 4, 0) + record + mark for record in wanted)


@pytest.mark.parametrize("kind", ["smf", "ims"])
@pytest.mark.parametrize("end", ENDS)
def test_all_records_are_read(tmp_path: Path, kind: str, end: str) -> None:
    path, wanted = tmp_path / "dump", records(kind, 1)
    path.write_bytes(with_ends(wanted, end))
    dump = open_dump(path)
    assert bodies(dump.index()) == wanted
    assert dump.problems == []
    assert dump.framing == {"smf": "rdw", "ims": "ims_rdw"}[kind]


@pytest.mark.parametrize("end", ["0D25", "0A"])
def test_the_doctor_names_the_line_end(tmp_path: Path, end: str) -> None:
    path = tmp_path / "dump"
    path.write_bytes(with_ends(records("smf", 1), end))
    row = examine([path]).to_pylist()[0]
    assert (row["cause"], row["bytes_lost"]) == ("crlf_inserted", 0)
    assert f"a line end X'{end}' stands behind each record" in row["detail"]


@pytest.mark.parametrize("kind", ["smf", "ims"])
@pytest.mark.parametrize("end", ["0D0A", "15"])
def test_a_damaged_length_shows_no_wrong_record(tmp_path: Path, kind: str, end: str) -> None:
    """Not even one that leads to bytes like a line end inside a record."""
    wanted, path, mark = records(kind, 1), tmp_path / "dump", bytes.fromhex(end)
    inside = wanted[21][:40] + mark + wanted[21][40 + len(mark) :]
    wanted = [*wanted[:21], inside, *wanted[22:]]
    sound = with_ends(wanted, end)
    at = sound.index(wanted[20]) - 4
    misled = sound.index(mark, sound.index(inside) + 30) - at
    for length in (0, 60, misled, 0xFFFF):
        data = bytearray(sound)
        struct.pack_into(">H", data, at, length)
        path.write_bytes(data)
        assert bodies(open_dump(path).index()) == wanted[:20] + wanted[21:]
