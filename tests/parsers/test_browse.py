"""One record taken apart: sections, places, bytes, values, unknown bytes, and the command."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
import second_writer as writer
from dump_files import load, log, smf
from evidence_files import as_written, record_bytes, record_names, sample

from imsperf.cli import main
from imsperf.errors import DumpError
from imsperf.layouts import section
from imsperf.parsers.diagnosis.browse import Browser
from imsperf.parsers.diagnosis.browsed_fields import UNKNOWN, blocks, table
from imsperf.parsers.kernels.decode import decode_section

# 115.2: of the 64 structures of a QEST the golden file lists those that have a name.
GOLDEN = [name for name in record_names("smf") if name != "smf115_2 record"]
PIECES = [record_bytes(f"smf70_1 piece {letter}")[4:] for letter in "ab"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dump"


@pytest.mark.parametrize("form", ["rdw", "vbs"])
@pytest.mark.parametrize("name", GOLDEN)
def test_pieces_are_what_the_loader_reads(file: Path, name: str, form: str) -> None:
    """The bytes of each section decode to the golden row of its number, and stand in the file."""
    record = record_bytes(name)[4:]
    records = [smf(2), record, smf(3)]
    file.write_bytes(writer.rdw(records) if form == "rdw" else writer.vbs(records, 500))
    shown = Browser(file).read(2)
    assert shown.data[4:] == record
    for piece in shown.pieces:
        assert shown.data[piece.place : piece.place + len(piece.data)] == piece.data
        if piece.byte_offset is not None:
            assert file.read_bytes()[piece.byte_offset :].startswith(piece.data)
        assert (piece.byte_offset is None) == (form == "vbs" and len(record) > 480)
    for name_of, wanted in sample(name).rows.items():
        mine = [piece for piece in shown.pieces if piece.table == name_of]
        assert [piece.section_no for piece in mine] == list(range(1, len(wanted) + 1))
        for piece, row in zip(mine, wanted, strict=True):
            buffer = np.frombuffer(piece.data, np.uint8)
            (values,) = decode_section(buffer, [0], [len(piece.data)], section(name_of)).to_pylist()
            known = {key: as_written(value) for key, value in values.items() if key in row}
            assert known == {key: row[key] for key in known}


def test_pieces_of_a_broken_record_know_their_own_record(file: Path) -> None:
    """The first piece has the sections of all, as its rows do; each says where it stands."""
    file.write_bytes(writer.rdw([smf(2), PIECES[0], smf(3), PIECES[1]]))
    data = file.read_bytes()
    first, second = Browser(file).read(2), Browser(file).read(4)
    _, rows = load(file)
    for name, loaded in rows.items():
        if name.startswith("smf70"):
            mine = [piece for piece in first.pieces if piece.table == name]
            assert [piece.section_no for piece in mine] == [row["section_no"] for row in loaded]
    for piece in (*first.pieces, *second.pieces):
        assert piece.byte_offset is not None
        assert data[piece.byte_offset :].startswith(piece.data)
    assert {piece.record_no for piece in first.pieces} == {2, 4}
    assert {piece.record_no for piece in second.pieces} == {4}
    assert {"rmf_reassembly", "rmf_reassembly_block"} <= {piece.table for piece in second.pieces}


def test_every_byte_is_in_a_field_or_unknown(file: Path) -> None:
    records = [smf(2), *(record_bytes(name)[4:] for name in GOLDEN), smf(99, 1, b"xyz")]
    file.write_bytes(writer.rdw(records))
    browser = Browser(file)
    for number in range(1, len(records) + 1):
        record = browser.read(number)
        shown = sorted(
            (piece.place, piece.place + len(piece.data))
            for _, some in blocks(record)
            for piece in some
        )
        end = 0
        for begin, last in shown:
            assert begin <= end
            end = max(end, last)
        assert (shown[0][0], end) == (0, len(record.data))


def test_record_without_layout_is_header_and_unknown(file: Path) -> None:
    file.write_bytes(writer.rdw([smf(2), smf(99, 1, b"\xc1\xc2\x00")]))
    record = Browser(file).read(2)
    assert (record.label, record.type, record.subtype) == ("99.1", 99, 1)
    assert [piece.table for piece in record.pieces] == ["smf_header_24"]
    row = table([record]).to_pylist()[-1]
    assert (row["table"], row["field"], row["meaning"]) == (None, None, UNKNOWN)
    assert (row["offset_in_record"], row["length"], row["hex"]) == (24, 3, "c1c200")


def test_log_records_have_header_body_entries_and_suffix(file: Path) -> None:
    records = [log(0x59, 3, 1, bytes(52)), log(0x07, 0, 2, b"1234"), log(0x59, 3, 3, bytes(60))]
    file.write_bytes(writer.ims_vb(records, 2000))
    record = Browser(file, "imsperf-1").read(3)
    tables = [(piece.table, piece.place, len(piece.data)) for piece in record.pieces]
    assert tables == [("ims_header", 0, 6), ("ims_5903", 0, 66), ("ims_suffix", 66, 16)]
    assert record.label == "59 03"
    rows = {row["field"]: row for row in table([record]).to_pylist()}
    assert rows["subcode"]["value"] == "3"
    assert rows["log_lsn"]["value"] == "3"
    assert (rows[None]["offset_in_record"], rows[None]["length"]) == (58, 8)
    assert Browser(file).find("59") == Browser(file).find("ims:5903") == [1, 3]
    assert Browser(file).find("59 03", 2) == [3]


def test_types_are_found_as_people_write_them(file: Path) -> None:
    records = [smf(2), smf(70, 2, bytes(9)), smf(99, 1), smf(14), smf(99, 2), smf(99, 1)]
    file.write_bytes(writer.rdw(records))
    assert Browser(file).find("99") == [3, 5, 6]
    assert Browser(file).find("99.1") == Browser(file).find("smf:99-1") == [3, 6]
    assert Browser(file).find("99.1", 2) == [6]
    assert Browser(file).find("14") == [4]
    for wrong in ("99.3", "ims:99", "nonsense", "", "9", "²"):
        with pytest.raises(DumpError) as raised:
            Browser(file).find(wrong)
        assert "types there: 2, 14, 70.2, 99.1, 99.2" in str(raised.value.hint)
    with pytest.raises(DumpError, match="found 2 records"):
        Browser(file).find("99.1", 3)
    with pytest.raises(DumpError, match="expected 1 to 6"):
        Browser(file).read(7)


# --- the commands -------------------------------------------------------------------------------


def called(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code: object = 0
    try:
        main([str(word) for word in words])
    except SystemExit as end:
        code = end.code
    out = capsys.readouterr()
    return int(code or 0), out.out, out.err  # type: ignore[call-overload]


def test_text_shows_bytes_values_and_unknown(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = record_bytes("smf70_1 record")[4:]
    file.write_bytes(writer.rdw([smf(2), golden, smf(99, 1, b"\x00\x27\x0c")]))
    code, out, err = called(capsys, "records", file, "--type", "70.1")
    assert code == 0
    assert "record 2, type 70.1" in out and "1 of 1 records of type 70.1" in err
    first = record_bytes("smf70_1 record")[:2].hex(" ").upper().split()
    assert ["+0000", "0000", "2", *first, "smf70len"] in [x.split()[:6] for x in out.splitlines()]
    assert ".. unknown" in out
    _, out, _ = called(capsys, "records", file, "--number", "3", "--hex")
    assert "in no section, 3 bytes at +24" in out
    assert "|" in out and "\x1b" not in out and "\x0c" not in out


def test_csv_and_json_have_a_row_for_each_field(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(writer.rdw([smf(2), smf(99, 1, b"x"), smf(99, 1, b"y")]))
    words = ("records", file, "--type", "99.1", "--count", "2", "--format")
    rows = list(csv.DictReader(io.StringIO(called(capsys, *words, "csv")[1])))
    assert list(rows[0]) == [
        "record_no", "table", "section_no", "field", "offset_in_record", "length", "hex", "value",
        "unit", "meaning", "confidence", "source",
    ]  # fmt: skip
    assert {row["record_no"] for row in rows} == {"2", "3"}
    assert len(json.loads(called(capsys, *words, "json")[1])) == len(rows)


def test_text_of_a_dump_is_neither_markup_nor_control(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A system id of `<b>` and one with an escape character."""
    hostile = [b"\x4c\x82\x6e\x40", b"\x27\xc1\xc1\xc1"]
    file.write_bytes(writer.rdw([smf(2, system=word) for word in hostile]))
    _, out, _ = called(capsys, "records", file, "--count", "2", "--format", "html")
    assert "<b>" not in out and "&lt;b&gt;" in out
    _, out, _ = called(capsys, "records", file, "--number", "2")
    assert "\x1b" not in out and ".AAA" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("records", "--type", "71.1"), "types there"),
        (("records", "--number", "9"), "expected 1 to 2"),
        (("records", "--type", "2", "--number", "9"), "numbers of that type"),
    ],
)
def test_what_is_not_there_is_one_message(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    file.write_bytes(writer.rdw([smf(2), smf(3)]))
    code, out, err = called(capsys, words[0], file, *words[1:])
    assert (code, out) == (1, "")
    assert said in err and "Traceback" not in err


def test_coverage_command(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(writer.rdw([smf(2), smf(99, 1, b"x")]))
    code, out, err = called(capsys, "coverage", file, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert sum(int(row["bytes"]) for row in rows) == file.stat().st_size
    assert "2 records, 43 bytes: 42 decoded, 0 reserved, 1 unknown" in err
