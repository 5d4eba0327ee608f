"""IMS log records to tables: profile, entries, suffix, log sequence numbers, what is kept raw."""

from __future__ import annotations

import datetime as dt
import struct
from pathlib import Path

import pytest
import second_writer as writer
from dump_files import load, log
from golden_files import as_json, golden_bytes, golden_names, golden_rows

from imsperf.errors import LayoutError
from imsperf.layouts import section
from imsperf.parsers.read import inspect

WHOLE_RECORDS = [
    name for name in golden_names("ims") if "log_stck" in next(iter(golden_rows(name).values()))[0]
]
KEYS = {"file_id", "record_no", "byte_offset", "section_no"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ims.log"


def signature(lsn: int = 1, profile: str = "imsperf-1") -> bytes:
    """The signature record."""
    fields = {"eye": "IMSPERF1", "profile": profile, "imsid": "IMSA"}
    body = section("ims_a0").encode(fields, count=1).tobytes()[6:]
    return log(0xA0, 0, lsn, body)


@pytest.mark.parametrize("form", ["ims_vb", "ims_rdw"])
@pytest.mark.parametrize("name", WHOLE_RECORDS)
def test_golden_records(file: Path, name: str, form: str) -> None:
    """Every field of a whole record and of its entries, behind a signature."""
    records = [signature(), log(0x01, 3, 2), golden_bytes(name), log(0x03, 3, 1 << 40)]
    file.write_bytes(b"".join(records) if form == "ims_rdw" else writer.ims_vb(records, 6144))
    loaded, rows = load(file)
    assert loaded.framing == form
    for table, wanted in golden_rows(name).items():
        found = [row for row in rows[table] if row["record_no"] == 3]
        assert [row["section_no"] for row in found] == list(range(1, len(wanted) + 1))
        plain = [{k: as_json(v) for k, v in row.items() if k not in KEYS} for row in found]
        assert plain == wanted
    assert not [problem for problem in loaded.problems if problem.severity != "info"]


def test_log_without_a_signature_is_not_decoded(file: Path) -> None:
    """A real log: header and suffix only, whatever its codes; never a layout of this project."""
    names = [name for name in WHOLE_RECORDS if not name.endswith("ims_a0")]
    file.write_bytes(b"".join(golden_bytes(name) for name in names))
    loaded, rows = load(file)
    assert set(rows) == {"ims_raw"}
    assert len(rows["ims_raw"]) == len(names)
    assert all(count["loaded"] == 0 and count["system"] is None for count in loaded.counts)


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
    entry = golden_bytes("ims/ims_47_region")
    wanted = golden_rows("ims/ims_47_region")["ims_47_region"][0]

    def regions(lsn: int, size: int, count: int) -> bytes:
        one = entry.ljust(size, b"\xee")[:size]
        return log(0x47, 0, lsn, struct.pack(">IHH", 1, count, size) + one * count)

    records = [signature(), regions(2, 40, 3), regions(3, 10, 1), regions(4, 36, 0)]
    file.write_bytes(b"".join(records))
    loaded, rows = load(file)
    found = [
        {k: as_json(v) for k, v in row.items() if k not in KEYS} for row in rows["ims_47_region"]
    ]
    assert found[:3] == [wanted] * 3
    assert (found[3]["pst"], found[3]["jobname"], found[3]["psb"]) == (
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
    assert [row[one.name] is None for one in fields] == [one.end > 16 for one in fields]
    assert row["log_lsn"] == 2


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
    found = findings(file, [1, 2, 3, 10, 11, 13, 14])
    assert [(reason, number) for reason, number, _ in found] == [("lsn_gap", 4), ("lsn_gap", 6)]
    assert found[0][2] == "found 6 log sequence numbers missing, 4 to 9"
    assert found[1][2] == "found 1 log sequence numbers missing, 12 to 12"


def test_overlap_is_one_finding(file: Path) -> None:
    """Two logs of the same time, one after the other: told once, and nothing is missing."""
    found = findings(file, [*range(1, 20), *range(10, 30)])
    assert [(reason, number) for reason, number, _ in found] == [("lsn_repeat", 20)]


def test_dual_logging_repeats_every_number(file: Path) -> None:
    found = findings(file, sorted([*range(1, 6), *range(1, 6)]))
    assert [reason for reason, _, _ in found] == ["lsn_repeat"] * 5


def test_a_filtered_log_does_not_flood(file: Path) -> None:
    """Every second record is gone: a thousand gaps by name, the others counted."""
    found = findings(file, list(range(1, 6001, 2)))
    assert len(found) == 1001
    assert ("lsn_order", None, "found 1,999 more gaps and repeats of log sequence numbers") in found


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
