"""IMS log records to tables: profile, entries, suffix, log sequence numbers, what is kept raw."""

from __future__ import annotations

import datetime as dt
import struct
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
import second_writer as writer
from dump_files import load, log
from evidence_files import as_written, record_bytes, record_names, sample

from imsperf.errors import LayoutError
from imsperf.layouts import all_log_records, section
from imsperf.parsers.diagnosis.doctor import examine
from imsperf.parsers.read import inspect

WHOLE_RECORDS = record_names("ims")
KEYS = {"file_id", "record_no", "byte_offset", "section_no"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ims.log"


def signature(lsn: int = 1, profile: str = "imsperf-1") -> bytes:
    """The signature record."""
    fields = {"eye": "IMSPERF1", "profile": profile, "imsid": "IMSA"}
    body = section("ims_a0").encode(fields, count=1).tobytes()[6:]
    return log(0xA0, 0, lsn, body)


# Entries may be rows of a table of their own kind too: then they have the entry's number.
KINDS = {
    variant.section.table: record.entries.section.table
    for record in all_log_records()
    if record.entries
    for variant in record.entries.variants
}


@pytest.mark.parametrize("form", ["ims_vb", "ims_rdw"])
@pytest.mark.parametrize("name", WHOLE_RECORDS)
def test_golden_records(file: Path, name: str, form: str) -> None:
    """Every field of a whole record and of its entries, behind a signature."""
    records = [signature(), log(0x01, 3, 2), record_bytes(name), log(0x03, 3, 1 << 40)]
    file.write_bytes(b"".join(records) if form == "ims_rdw" else writer.ims_vb(records, 6144))
    vendor = "ims_fa_bmc" in sample(name).rows
    loaded, rows = load(file, profile="bmc-fa" if vendor else None)
    assert loaded.framing == form
    for table, wanted in sample(name).rows.items():
        shown = [row for row in rows[table] if row["record_no"] == 3]
        numbers = [row["section_no"] for row in shown]
        if table in KINDS:
            entries = {row["section_no"]: row for row in rows[KINDS[table]]}
            assert numbers == sorted({*numbers} & {*entries})
            assert all(entries[row["section_no"]].get("seq") == row.get("seq") for row in shown)
        else:
            assert numbers == list(range(1, len(wanted) + 1))
        plain = [{k: as_written(v) for k, v in row.items() if k not in KEYS} for row in shown]
        assert plain == wanted
    assert not [problem for problem in loaded.problems if problem.severity != "info"]


def test_log_without_a_signature_is_decoded_where_ibm_documents_it(file: Path) -> None:
    """A real log: header, suffix, 67 and 99, whatever its codes; never a layout of this project."""
    names = [name for name in WHOLE_RECORDS if not name.startswith("ims_a0 ")]
    records = [record_bytes(name) for name in names]
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    known = [record for record in records if record[4] in (0x67, 0x99)]
    assert len(rows["ims_raw"]) == len(records) - len(known)
    assert all(name == "ims_raw" or name.startswith(("ims_67", "ims_99")) for name in rows)
    assert not {"ims_67fa_schd41", "ims_67fa_schd42", "ims_67fa_schd43", "ims_67fa_lumi"} & {*rows}
    decoded = {count["type"] for count in loaded.counts if count["loaded"]}
    assert decoded == {"67", "99"}
    assert all(count["system"] is None for count in loaded.counts)


def test_profile_by_option(file: Path) -> None:
    """The caller may name a profile, also the one without layouts."""
    records = [log(0x59, 3, n + 1, bytes(36)) for n in range(5)]
    file.write_bytes(b"".join(records))
    assert set(load(file, profile="imsperf-1")[1]) == {"ims_5903"}
    file.write_bytes(signature() + b"".join(records))
    assert set(load(file, profile="header-suffix")[1]) == {"ims_raw"}
    with pytest.raises(LayoutError, match="imsperf-9"):
        load(file, profile="imsperf-9")


def test_signature_of_an_unknown_profile(file: Path) -> None:
    """A newer layout is not read with an older one."""
    file.write_bytes(signature(1, "imsperf-9") + log(0x59, 3, 2, bytes(36)))
    loaded, rows = load(file)
    assert set(rows) == {"ims_raw"}
    assert [(p.reason, p.severity) for p in loaded.problems] == [("unknown_profile", "error")]


REST = [log(0x59, 3, n + 2, bytes(36)) for n in range(30)]


def test_a_signature_in_damaged_bytes_names_the_profile(file: Path) -> None:
    """Junk in front of a log: the record is given up, what it says holds."""
    file.write_bytes(bytes(range(7, 107)) + signature() + b"".join(REST))
    loaded, rows = load(file)
    assert len(rows["ims_5903"]) == 30 and set(rows) == {"ims_5903"}
    told = [(p.reason, p.severity, p.detail) for p in loaded.problems if p.type == "A0"]
    assert [problem[:2] for problem in told] == [
        ("unknown_profile", "info")
    ] and "imsperf-1" in told[0][2]
    assert set(load(file, profile="header-suffix")[1]) == {"ims_raw"}


def test_a_lost_signature_is_told_with_the_option(file: Path) -> None:
    """Its eye-catcher is damaged too: the load and the doctor name `--profile`."""
    first = bytearray(signature())
    first[6] ^= 1
    file.write_bytes(bytes(range(7, 107)) + bytes(first) + b"".join(REST))
    loaded, rows = load(file)
    assert set(rows) == {"ims_raw"}
    (told,) = [p.detail for p in loaded.problems if p.reason == "unknown_profile"]
    assert "--profile imsperf-1" in told
    assert told in examine([file])["detail"].to_pylist()
    file.write_bytes(b"".join(REST))  # a log that begins as it should: nothing is amiss
    assert load(file)[0].problems == []


def test_raw_rows(file: Path) -> None:
    """Code, the byte after it, suffix and hash; the body on request."""
    records = [log(0x01, 0xC3, 9, b"abc"), log(0xFE, 0x0A, 10), log(0x45, 0x0A, 11, bytes(50))]
    file.write_bytes(b"".join(records))
    _, rows = load(file)
    raw = rows["ims_raw"]
    assert [(r["code"], r["subcode"]) for r in raw] == [("01", "C3"), ("FE", "0A"), ("45", "0A")]
    assert [r["log_lsn"] for r in raw] == [9, 10, 11]
    assert raw[0]["log_stck"] == dt.datetime(2024, 3, 4, 15, 30, 0, 9)
    assert [r["byte_offset"] for r in raw] == [0, 25, 47]
    assert len({r["hash"] for r in raw}) == 3
    _, rows = load(file, raw=True)
    assert [r["body"] for r in rows["ims_raw"]] == [record[4:] for record in records]


def test_entries_are_stepped_by_their_length(file: Path) -> None:
    """Record 47 with entries of 40 bytes where 36 are known, then of 10."""
    entry = record_bytes("ims_47 ims_47_region")
    wanted = sample("ims_47 ims_47_region").rows["ims_47_region"][0]

    def regions(lsn: int, size: int, count: int) -> bytes:
        padded = entry.ljust(size, b"\xee")[:size]
        return log(0x47, 0, lsn, struct.pack(">IHH", 1, count, size) + padded * count)

    records = [signature(), regions(2, 40, 3), regions(3, 10, 1), regions(4, 36, 0)]
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    shown = [
        {k: as_written(v) for k, v in row.items() if k not in KEYS} for row in rows["ims_47_region"]
    ]
    assert shown[:3] == [wanted] * 3
    assert (shown[3]["pst"], shown[3]["jobname"], shown[3]["psb"]) == (
        wanted["pst"], wanted["jobname"], None,
    )  # fmt: skip
    assert [row["record_no"] for row in rows["ims_47_region"]] == [2, 2, 2, 3]
    assert [row["count"] for row in rows["ims_47"]] == [3, 1, 0]
    assert loaded.problems == []


@pytest.mark.parametrize(("count", "size"), [(4, 36), (1, 200), (0xFFFF, 0xFFFF), (3, 1)])
def test_entries_past_the_end_keep_the_record_raw(file: Path, count: int, size: int) -> None:
    bad = log(0x47, 0, 2, struct.pack(">IHH", 1, count, size) + bytes(3 * 36))
    file.write_bytes(signature() + bad + log(0x59, 3, 3, bytes(36)))
    loaded, rows = load(file)
    (problem,) = loaded.problems
    assert (problem.reason, problem.record_no, problem.type) == ("section_past_end", 2, "47")
    assert "ims_47" not in rows
    assert [row["code"] for row in rows["ims_raw"]] == ["47"]


def test_record_too_short_for_its_counts(file: Path) -> None:
    file.write_bytes(signature() + log(0x47, 0, 2, b"ab") + log(0x59, 3, 3, bytes(36)))
    loaded, _ = load(file)
    assert [p.reason for p in loaded.problems] == ["section_past_end"]


def test_suffix_is_not_part_of_the_body(file: Path) -> None:
    """A record that is shorter than its layout: NULL, not bytes of the suffix."""
    file.write_bytes(signature() + log(0x59, 3, 2, bytes.fromhex("E3D9D5F1") + bytes(6)))
    _, rows = load(file)
    (row,) = rows["ims_5903"]
    fields = section("ims_5903").fields
    assert [row[field.name] is None for field in fields] == [field.end > 16 for field in fields]
    assert row["log_lsn"] == 2


# --- entries of other forms ----------------------------------------------------------------------


def trace(lsn: int, table: str, *entries: bytes) -> bytes:
    """A 67FA: date and time, two letters, flags, entries filled up to 32 bytes."""
    prefix = struct.pack(">2xIIs1sH12x", 0x0124064F, 0x0153000F, *_letters(table), 0)
    return log(0x67, 0xFA, lsn, prefix + b"".join(entry.ljust(32, b"\0") for entry in entries))


def _letters(name: str) -> tuple[bytes, ...]:
    data = name.encode("cp037")
    return data[:1], data[1:]


def subrecord(name: str, data: bytes) -> bytes:
    return struct.pack(">8s2xHI", name.ljust(8).encode("cp037"), len(data), 0x00ABCDEF) + data


def dump(code: int, lsn: int, requestor: str, *areas: bytes) -> bytes:
    """A 67 or 6701."""
    prefix = struct.pack(
        ">2x4sH2xII4x4s", requestor.encode("cp037"), 1, 0x0153000F, 0x0124064F, b""
    )
    return log(0x67, code, lsn, prefix + b"".join(areas))


def numbers_in(rows: dict[str, list[dict[str, Any]]], table: str) -> list[tuple[int, int]]:
    return [(row["record_no"], row["section_no"]) for row in rows[table]]


def test_trace_entries_are_known_by_their_table(file: Path) -> None:
    """The same function code in another table is something else; every entry has its raw row."""
    call, notify, other = b"\xaa\x05\0\1", b"\xd0\x06\0\2", b"\x60\x07\0\3"
    records = [
        trace(1, "DL", call, other, notify, call), trace(2, "LA", call), trace(3, "QM", call),
        trace(4, "DL"), log(0x99, 4, 5, bytes(26)),
    ]  # fmt: skip
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    assert numbers_in(rows, "ims_67fa_entry") == [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (3, 1)]
    assert numbers_in(rows, "ims_67fa_dli_aa") == [(1, 1), (1, 4)]
    assert numbers_in(rows, "ims_67fa_dli_d0") == [(1, 3)]
    assert numbers_in(rows, "ims_67fa_latc") == [(2, 1)]
    assert [row["pst_no"] for row in rows["ims_67fa_dli_aa"]] == [5, 5]
    assert len(rows["ims_67fa"]) == 4 and "ims_67fa_qmgr" not in rows
    assert loaded.problems == []


def test_unknown_trace_tables_are_counted(file: Path) -> None:
    """One note for the file; letters that only this project has are no evidence in a real log."""
    schedule, manager = b"\x41\x05\0\1", b"\x7b\x02\0\1"
    records = [
        trace(1, "SC", schedule, schedule), trace(2, "LU", manager), trace(3, "SC", b"\x43"),
        trace(4, "\x01Z", b"\1"), trace(5, "ZZ"),
    ]  # fmt: skip
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    assert set(rows) == {"ims_67fa", "ims_67fa_entry"} and len(rows["ims_67fa_entry"]) == 5
    (problem,) = loaded.problems
    assert (problem.reason, problem.severity, problem.subtype) == ("unknown_entries", "info", "FA")
    assert "found 5 entries" in problem.detail
    assert problem.detail.endswith("by table_id: SC 3, X'01E9' 1, LU 1")
    loaded, rows = load(file, profile="imsperf-1")
    assert numbers_in(rows, "ims_67fa_schd41") == [(1, 1), (1, 2)]
    assert numbers_in(rows, "ims_67fa_schd43") == [(3, 1)]
    assert [row["id"] for row in rows["ims_67fa_lumi"]] == [0x7B02]
    assert "found 1 entries" in loaded.problems[0].detail


def test_trace_block_of_another_length_is_kept_raw(file: Path) -> None:
    """Entries have 32 bytes and end at the suffix; a prefix may stand alone."""
    record = trace(1, "LA", b"\1", b"\2")
    cut = [log(0x67, 0xFA, n, record[6 : 6 + size]) for n, size in ((2, 89), (3, 27), (4, 25))]
    file.write_bytes(b"".join([record, *cut, trace(5, "LA")]))
    loaded, rows = load(file)
    assert [row["record_no"] for row in rows["ims_67fa"]] == [1, 5]
    assert len(rows["ims_67fa_latc"]) == 2
    problems = [(p.record_no, p.reason, p.type, p.subtype) for p in loaded.problems]
    assert problems == [(n, "section_past_end", "67", "FA") for n in (2, 3, 4)]


def test_subrecords_have_lengths_of_their_own(file: Path) -> None:
    first, two, none = subrecord("PST", b"x" * 37), subrecord("SMB", b"y"), subrecord("PCB", b"")
    buffer = struct.pack(">H5xB68x8s", 84, 8, "LTERM1".ljust(8).encode("cp037"))
    records = [
        dump(0xFF, 1, "DD6M", first, none, two), dump(0x01, 2, "LA3A", two),
        dump(0x01, 3, "CRTU", subrecord("BUF", buffer), first), dump(0x01, 4, "CRTU"),
        dump(0x01, 5, "CRTU", subrecord("BUF", buffer[:20])),
    ]  # fmt: skip
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    shown = [(r["record_no"], r["element_id"], r["element_len"]) for r in rows["ims_67_subrecord"]]
    assert sorted(shown) == [
        (1, "PCB", 0), (1, "PST", 37), (1, "SMB", 1), (2, "SMB", 1), (3, "BUF", 84), (3, "PST", 37),
        (5, "BUF", 20),
    ]  # fmt: skip
    crtu = [
        (row["record_no"], row["section_no"], row["rc"], row["lterm"])
        for row in rows["ims_6701_crtu"]
    ]
    assert crtu == [(3, 1, 8, "LTERM1"), (5, 1, 8, None)]
    assert len(rows["ims_67"]) == 1 and len(rows["ims_6701"]) == 4
    assert rows["ims_67"][0]["time"] == dt.time(15, 30) and rows["ims_67"][0]["subtype"] == 0xFF
    assert loaded.problems == []


@pytest.mark.parametrize("tail", [b"\1", bytes(15), subrecord("PST", b"abc")[:-1]])
def test_subrecord_past_the_end_keeps_the_record_raw(file: Path, tail: bytes) -> None:
    records = [
        dump(0xFD, n, "DD6M", subrecord("SMB", b"y"), *end) for n, end in ((1, []), (2, [tail]))
    ]
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    assert len(rows["ims_67"]) == len(rows["ims_67_subrecord"]) == len(rows["ims_raw"]) == 1
    assert [(p.record_no, p.reason) for p in loaded.problems] == [(2, "section_past_end")]


def test_many_bad_records_are_named_up_to_a_limit(file: Path) -> None:
    bad = [log(0x67, 0xFA, n, bytes(27)) for n in range(1, 1103)]
    file.write_bytes(b"".join(bad))
    loaded, rows = load(file)
    assert len(rows["ims_raw"]) == 1102 and len(loaded.problems) == 1001
    assert "found 102 more records" in "".join(p.detail for p in loaded.problems)


def test_section_at_an_offset(file: Path) -> None:
    """4511: the second part stands where the first says, or is not there."""
    control, dli = section("ims_4511"), section("ims_4511_dlisas")

    def storage(lsn: int, at: int, gap: int, data: bytes) -> bytes:
        main = control.encode({"st4511_dsoff": at, "jobname": "IMSCTL"}, count=1).tobytes()
        return log(0x45, 0x11, lsn, main[6:] + bytes(gap) + data)

    second = dli.encode({"jobname": "IMSDLI", "alloc_64bit_priv": 7}, count=1).tobytes()
    records = [
        signature(), storage(2, 226, 0, second), storage(3, 0, 0, b""), storage(4, 230, 4, second),
        storage(5, 240, 4, second), storage(6, 8, 0, second), storage(7, 0xFFFFFFFF, 0, second),
    ]  # fmt: skip
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    assert [row["record_no"] for row in rows["ims_4511"]] == [2, 3, 4]
    shown = [(r["record_no"], r["jobname"], r["alloc_64bit_priv"]) for r in rows["ims_4511_dlisas"]]
    assert shown == [(2, "IMSDLI", 7), (4, "IMSDLI", 7)]
    assert [(p.record_no, p.reason) for p in loaded.problems] == [
        (n, "section_past_end") for n in (5, 6, 7)
    ]


def test_user_code_has_subcodes_only_where_the_profile_says(file: Path) -> None:
    records = [log(0xA1, second, n + 2, bytes(160)) for n, second in enumerate((5, 9, 0xC3))]
    file.write_bytes(b"".join([signature(), *records]))
    ours = {(c["type"], c["subtype"]) for c in load(file)[0].counts}
    assert ours == {("A0", None), ("A1", "05"), ("A1", "09"), ("A1", None)}
    file.write_bytes(b"".join(records))
    assert {(c["type"], c["subtype"]) for c in load(file)[0].counts} == {("A1", None)}


# --- log sequence numbers ------------------------------------------------------------------------


def findings(file: Path, numbers: list[int]) -> list[tuple[str, int | None, str]]:
    """What is said of records with these log sequence numbers."""
    file.write_bytes(b"".join(log(0x59, 3, n, bytes(36), clock=None) for n in numbers))
    loaded, _ = load(file)
    assert all(problem.severity == "info" for problem in loaded.problems)
    return [(p.reason, p.record_no, p.detail) for p in loaded.problems]


def test_numbers_in_order_say_nothing(file: Path) -> None:
    assert findings(file, list(range(5, 50))) == []


def test_gaps_are_named_once_each(file: Path) -> None:
    findings_told = findings(file, [1, 2, 3, 10, 11, 13, 14])
    assert [(reason, number) for reason, number, _ in findings_told] == [
        ("lsn_gap", 4),
        ("lsn_gap", 6),
    ]
    assert findings_told[0][2] == "found 6 log sequence numbers missing, 4 to 9"
    assert findings_told[1][2] == "found 1 log sequence numbers missing, 12 to 12"


def test_overlap_is_one_finding(file: Path) -> None:
    """Two logs of the same time, one after the other: told once, and nothing is missing."""
    findings_told = findings(file, [*range(1, 20), *range(10, 30)])
    assert [(reason, number) for reason, number, _ in findings_told] == [("lsn_repeat", 20)]


def test_dual_logging_repeats_every_number(file: Path) -> None:
    findings_told = findings(file, sorted([*range(1, 6), *range(1, 6)]))
    assert [reason for reason, _, _ in findings_told] == ["lsn_repeat"] * 5


def test_a_filtered_log_does_not_flood(file: Path) -> None:
    """Every second record is gone: a thousand gaps by name, the others counted."""
    findings_told = findings(file, list(range(1, 6001, 2)))
    assert len(findings_told) == 1001
    assert (
        "lsn_order",
        None,
        "found 1,999 more gaps and repeats of log sequence numbers",
    ) in findings_told


def test_records_in_segments_are_followed_in_the_order_of_the_file(file: Path) -> None:
    """A VBS copy of a log: records that run over blocks are put together apart from the others."""
    records = [log(0x59, 3, n, bytes(60 + n * 37 % 400))[4:] for n in range(1, 600)]
    file.write_bytes(writer.vbs(records, 1000))
    loaded, _ = load(file)
    assert (loaded.records, loaded.problems) == (599, [])
    del records[300]
    file.write_bytes(writer.vbs(records, 1000))
    loaded, _ = load(file)
    assert [(p.reason, p.record_no) for p in loaded.problems] == [("lsn_gap", 301)]
    told = examine([file]).filter(pc.field("severity") == "data_loss")
    assert told.column("cause").to_pylist() == ["gap"]


# --- counts --------------------------------------------------------------------------------------


def test_counts_show_subcodes_where_the_code_has_them(file: Path) -> None:
    """Hex, upper case; the second byte of 01 is data; the IMS id is the signature's."""
    records = [
        signature(), log(0x01, 0xC3, 2), log(0x01, 0x81, 3), log(0x45, 0x0E, 4, bytes(64)),
        log(0x59, 0x36, 5, bytes(24)), log(0x59, 0x36, 6, bytes(24)),
    ]  # fmt: skip
    file.write_bytes(b"".join(records))
    loaded, _ = load(file)
    counts = {(c["system"], c["type"], c["subtype"]): c for c in loaded.counts}
    assert {key: count["records"] for key, count in counts.items()} == {
        ("IMSA", "A0", None): 1, ("IMSA", "01", None): 2, ("IMSA", "45", "0E"): 1,
        ("IMSA", "59", "36"): 2,
    }  # fmt: skip
    assert counts["IMSA", "59", "36"]["loaded"] == 2
    assert sum(count["bytes"] for count in loaded.counts) == file.stat().st_size
    assert loaded.first == dt.datetime(2024, 3, 4, 15, 30, 0, 1)
    assert loaded.last == dt.datetime(2024, 3, 4, 15, 30, 0, 6)
    rows = inspect(file).rows
    assert [(row["type"], row["subtype"]) for row in rows] == [
        ("01", None), ("45", "0E"), ("59", "36"), ("A0", None),
    ]  # fmt: skip
