"""Files that a transfer changed as a whole are named by what they were: SMF dump or IMS log."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from dump_files import log, smf

from imsperf.errors import DumpError
from imsperf.parsers.framing.frames import open_dump

# Of a log record the body may look like SMF headers; nothing of theirs has the bits 3 to 6 set.
DECOY = bytes(4) + (0x0126_325F).to_bytes(4, "big") + b"\xc9\xd4\xe2\xc1"
RECORDS = {
    "SMF": [smf(30, 1 + n % 5, bytes(range(256)), time=1000 * n + 255) for n in range(60)],
    "log": [log(0x31, 1, n, b"\x00\x07" + DECOY * 3 + bytes(range(256)))[4:] for n in range(60)],
}


def with_rdws(records: list[bytes]) -> bytes:
    return b"".join((len(record) + 4).to_bytes(2, "big") + bytes(2) + record for record in records)


def to_latin(page: str, data: bytes) -> bytes:
    return data.decode(page).encode("latin-1")


def pairs(data: bytes) -> bytes:
    """As dd conv=swab turns them."""
    return bytes(data[n ^ 1] for n in range(len(data) & ~1))


CHANGES = {
    "037": (partial(to_latin, "cp037"), "ascii_translated"),
    "latin as UTF-8": (lambda data: data.decode("latin-1").encode(), "utf8_mangled"),
    "EBCDIC as UTF-8": (lambda data: data.decode("cp037").encode(), "ascii_translated"),
    "pairs": (pairs, "byte_swapped"),
}


@pytest.mark.parametrize("kind", RECORDS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_file_is_named(tmp_path: Path, kind: str, change: str) -> None:
    path, (damaged, cause) = tmp_path / "dump", CHANGES[change]
    path.write_bytes(damaged(with_rdws(RECORDS[kind])))
    words = {"SMF": "SMF headers", "log": "log record suffixes"}[kind]
    with pytest.raises(DumpError, match=rf"found \d+ {words} only when") as error:
        open_dump(path)
    assert error.value.facts["cause"] == cause


@pytest.mark.parametrize("kind", RECORDS)
def test_a_transfer_in_seven_bits_is_no_translation(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "dump"
    path.write_bytes(bytes(byte & 0x7F for byte in with_rdws(RECORDS[kind])))
    with pytest.raises(DumpError, match="the high bit of each byte was taken away"):
        open_dump(path)


@pytest.mark.parametrize("end", ["", "0A", "0D25"])
def test_a_log_without_rdws_is_no_smf_dump(tmp_path: Path, end: str) -> None:
    path = tmp_path / "dump"
    path.write_bytes(b"".join(record + bytes.fromhex(end) for record in RECORDS["log"]))
    with pytest.raises(DumpError, match=r"found \d+ log record suffixes without RDWs") as error:
        open_dump(path)
    assert error.value.facts["cause"] == "no_rdw"
    assert (f"a line end X'{end}' stands behind each record" in str(error.value)) == bool(end)


def in_runs(record: bytes) -> bytes:
    """FTP mode C (RFC 959, 3.4.3): a string, five zeros, ten blanks and the end of the record."""
    head = record[:60]
    return bytes([60]) + head + b"\x85\x00" + b"\xca" + b"\x10" + record[-16:] + b"\x00\x80"


@pytest.mark.parametrize("has_rdw", [False, True])
@pytest.mark.parametrize("number", [1, 3, 60])
@pytest.mark.parametrize("kind", RECORDS)
def test_ftp_mode_c(kind: str, number: int, has_rdw: bool, tmp_path: Path) -> None:
    rdw = (60 + 5 + 10 + 16 + 4).to_bytes(2, "big") + bytes(2) if has_rdw else b""
    path = tmp_path / "dump"
    records = [in_runs((rdw + record)[:60] + record[-16:]) for record in RECORDS[kind][:number]]
    path.write_bytes(b"".join(records) + b"\x00\x40")
    with pytest.raises(DumpError, match=rf"FTP mode C.*\({number} of them\)"):
        open_dump(path)
