"""CICS monitoring (SMF 110.1): performance records by dictionary and connectors, and damage."""

from __future__ import annotations

import datetime as dt
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import second_writer as writer
from dump_files import TOD_2024, load, smf
from evidence_files import as_written, record_bytes, sample

from imsperf.layouts import section, smf_record
from imsperf.parsers.problems import Problem

pytestmark = pytest.mark.skipif(smf_record(110, 1) is None, reason="110.1 is not in the registry")

PRODUCT_AT, DATA_AT = 44, 150  # offsets with the RDW
LEFT_OUT = 0xFFFF


class Entry(NamedTuple):
    """One dictionary entry; its connector is its number, from 1, unless said."""

    group: str
    type: str
    number: str
    nickname: str
    length: int


FIELDS = (
    Entry("DFHTASK", "C", "001", "TRAN", 4),
    Entry("DFHTASK", "P", "031", "TRANNUM", 4),
    Entry("DFHTASK", "S", "007", "USRDISPT", 12),
    Entry("DFHTASK", "S", "999", "QRCPUT", 12),  # known by its nickname
    Entry("DFHCICS", "T", "005", "START", 8),
    Entry("DFHCICS", "C", "112", "RTYPE", 4),
    Entry("DFHFILE", "S", "063", "FCIOWTT", 8),
    Entry("DFHSTOR", "A", "033", "SCUSRHWM", 4),
    Entry("DFHSTOR", "A", "106", "SCUSRHWM", 4),
    Entry("DFHSTOR", "A", "095", "SCUSRSTG", 8),
    Entry("USER", "A", "001", "ORDERS", 4),
)


def ebcdic(words: str, width: int) -> bytes:
    return words.encode("cp037").ljust(width, b"\x40")


def entry_bytes(entry: Entry, connector: int, offset: int = 0, length: int | None = None) -> bytes:
    size = entry.length if length is None else length
    return (
        ebcdic(entry.group, 8) + ebcdic(entry.type, 1) + ebcdic(entry.number, 3)
        + struct.pack(">HHH", size, connector, offset) + ebcdic(entry.nickname, 8)
    )  # fmt: skip


def record(
    kind: int, data: bytes, size: int, count: int, connectors: bytes = b"",
    region: tuple[str, str] = ("CICSA", "CICSA1"), **options: Any,
) -> bytes:  # fmt: skip
    """A 110.1 record without its RDW; connectors stand before the data."""
    first = DATA_AT + len(connectors)
    body = connectors + options.pop("stored", data)
    header = struct.pack(">HHIHHIHH", 2, 0, PRODUCT_AT, 106, 1, DATA_AT, len(body), 1)
    product = (
        struct.pack(">H", 0x0740) + ebcdic(region[0], 8) + ebcdic(region[1], 8) + bytes(4)
        + struct.pack(
            ">HIHHIHH", kind, DATA_AT if connectors else 0, 2, len(connectors) // 2, first,
            size, count,
        )
    )  # fmt: skip
    return smf(110, 1, header + product.ljust(106, b"\0") + body, **options)


def dictionary(fields: tuple[Entry, ...] = FIELDS, **options: Any) -> bytes:
    data = b"".join(entry_bytes(field, n) for n, field in enumerate(fields, 1))
    return record(1, data, 26, len(fields), **options)


VALUES: dict[str, bytes] = {
    "TRAN": ebcdic("PAY1", 4),
    "TRANNUM": bytes.fromhex("0012345C"),
    "USRDISPT": struct.pack(">QB", 4096 * 1_500_000 + 1024, 0xC0) + bytes.fromhex("000102"),
    "QRCPUT": struct.pack(">QB", 4096 * 7, 0) + bytes.fromhex("000003"),
    "START": struct.pack(">Q", TOD_2024),
    "RTYPE": b"\0\0\0\xe3",
    "FCIOWTT": struct.pack(">IB", 10, 0) + bytes.fromhex("000004"),
    "ORDERS": struct.pack(">I", 5),
}
STORAGE = {"033": 1000, "106": 2_000_000, "095": 1 << 40}
WANTED = {
    "tran": "PAY1", "trannum": 12345, "usrdispt_us": 1_500_000.25, "usrdispt_count": 0x102,
    "qrcput_us": 7.0, "qrcput_count": 3, "start": dt.datetime(2024, 3, 4, 15, 30), "rtype": "T",
    "fciowtt_us": 160.0, "fciowtt_count": 4,
    "scusrhwm_033": 1000, "scusrhwm_106": 2_000_000, "scusrstg_095": 1 << 40,
}  # fmt: skip


def value(entry: Entry) -> bytes:
    return VALUES.get(entry.nickname) or STORAGE[entry.number].to_bytes(entry.length, "big")


def performance(
    connectors: list[int], fields: tuple[Entry, ...] = FIELDS, count: int = 1, **options: Any
) -> bytes:
    some = [fields[n - 1] for n in connectors]
    data = b"".join(map(value, some))
    packed = struct.pack(f">{len(connectors)}H", *connectors)
    return record(3, data * count, len(data), count, packed, **options)


ALL = list(range(1, len(FIELDS) + 1))
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cics.smf"


def read(file: Path, *records: bytes, **options: Any) -> tuple[dict[str, Problem], Rows]:
    """Problems by reason, and rows."""
    file.write_bytes(writer.rdw([*records, smf(2)]))
    loaded, rows = load(file, **options)
    assert len({problem.reason for problem in loaded.problems}) == len(loaded.problems)
    return {problem.reason: problem for problem in loaded.problems}, rows


def known(row: dict[str, Any]) -> dict[str, Any]:
    """The columns of a performance row that hold something."""
    columns = [column.name for column in section("smf110_1_performance").columns()]
    return {name: row[name] for name in columns if row[name] is not None}


# --- values --------------------------------------------------------------------------------------


def test_values_of_all_types(file: Path) -> None:
    problems, rows = read(file, dictionary(), performance(ALL, count=3))
    assert [known(row) for row in rows["smf110_1_performance"]] == [WANTED] * 3
    keys = [(r["record_no"], r["section_no"], r["system"]) for r in rows["smf110_1_performance"]]
    assert keys == [(2, 1, "SYS1"), (2, 2, "SYS1"), (2, 3, "SYS1")]
    entries = [(r["cmodname"], r["cmodtype"], r["cmodidnt"]) for r in rows["smf110_1_dictionary"]]
    assert entries == [field[:3] for field in FIELDS]
    assert [row["smfmnspn"] for row in rows["smf110_1_product"]] == ["CICSA1"] * 2
    assert list(problems) == ["unmapped_field"]
    assert "1 fields" in problems["unmapped_field"].detail
    assert "USER A001 ORDERS" in problems["unmapped_field"].detail


def test_connectors_choose_fields_and_their_order(file: Path) -> None:
    """Two records hold different fields; the offsets in the dictionary do not count."""
    _, rows = read(file, dictionary(), performance([8, 1, 5]), performance([3, 9]))
    first, second = rows["smf110_1_performance"]
    assert known(first) == {k: WANTED[k] for k in ("tran", "start", "scusrhwm_033")}
    assert known(second) == {
        k: WANTED[k] for k in ("usrdispt_us", "usrdispt_count", "scusrhwm_106")
    }


def test_the_last_dictionary_of_the_region_counts(file: Path) -> None:
    """Another region's does not, though the generic name is the same."""
    swapped = (FIELDS[1], FIELDS[0], *FIELDS[2:])
    other: dict[str, Any] = {"region": ("CICSA", "CICSB1")}
    problems, rows = read(
        file,
        dictionary(), dictionary(swapped, **other),
        performance([1, 2]), performance([2, 1], swapped, **other),
        dictionary(swapped), performance([2], swapped),
    )  # fmt: skip
    wanted = [{"tran": "PAY1", "trannum": 12345}] * 2 + [{"tran": "PAY1"}]
    by_number = sorted(rows["smf110_1_performance"], key=lambda row: row["record_no"])
    assert [known(row) for row in by_number] == wanted
    assert problems == {}


def test_spanned_dictionary_comes_before_what_follows_it(file: Path) -> None:
    """Joined records are read after the others of their part; the order of the file counts."""
    swapped = (FIELDS[1], FIELDS[0], *FIELDS[2:])
    records = [
        dictionary(),
        *[performance([1])] * 3,
        dictionary(swapped),
        performance([1], swapped),
    ]
    file.write_bytes(writer.vbs(records, 300))
    loaded, rows = load(file)
    assert loaded.framing == "bdw_rdw_spanned"
    by_number = sorted(rows["smf110_1_performance"], key=lambda row: row["record_no"])
    assert [known(row) for row in by_number] == [{"tran": "PAY1"}] * 3 + [{"trannum": 12345}]


def test_exception_record(file: Path) -> None:
    data = bytearray(444)
    data[0:4], data[28:36] = ebcdic("PAY1", 4), struct.pack(">Q", TOD_2024)
    data[36:40], data[80:82] = bytes.fromhex("0012345C"), b"\0\3"
    problems, rows = read(file, record(4, bytes(data), 444, 1))
    (row,) = rows["smf110_1_exception"]
    assert (row["excmntrn"], row["excmntno"], row["excmntyp"]) == ("PAY1", 12345, 3)
    assert row["excmnsto"] == dt.datetime(2024, 3, 4, 15, 30)
    assert problems == {}


def test_letters_for_a_transaction_number_are_null(file: Path) -> None:
    """System tasks have III or TCP there."""
    record = performance([2]).replace(VALUES["TRANNUM"], b"\0" + ebcdic("III", 3))
    problems, rows = read(file, dictionary(), record)
    assert known(rows["smf110_1_performance"][0]) == {}
    assert list(problems) == ["invalid_value"]


# --- compressed data sections --------------------------------------------------------------------


def packed(data: bytes) -> bytes:
    """As CSRCESRV writes it: X'80', then runs of up to 127 bytes."""
    out, at = bytearray(b"\x80"), 0
    while at < len(data):
        run = 1
        while at + run < len(data) and run < 127 and data[at + run] == data[at]:
            run += 1
        if run > 2:
            out += bytes([0x80 | run, data[at]])
        else:
            run = min(run, len(data) - at)
            out += bytes([run]) + data[at : at + run]
        at += run
    return bytes(out)


WIDE = (*FIELDS, Entry("DFHCBTS", "C", "200", "PRCSNAME", 36))
VALUES["PRCSNAME"] = bytes(36)


def test_compressed_data_section(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expanded where it is compressed; records that are not stand between them."""
    monkeypatch.setattr("imsperf.parsers.cics_records._AT_ONCE", 2000)
    records = [dictionary(WIDE), *[compressed_wide([*ALL, 12]), performance(ALL)] * 10]
    problems, rows = read(file, *records)
    assert list(problems) == ["unmapped_field"]
    shown = [known(row) for row in rows["smf110_1_performance"]]
    assert [row for row in shown if "prcsname" in row] == [{**WANTED, "prcsname": ""}] * 90
    assert [row for row in shown if "prcsname" not in row] == [WANTED] * 10


def compressed_wide(connectors: list[int], cut: int = 0) -> bytes:
    """Nine performance records in a compressed data section, `cut` bytes missing at its end."""
    body = performance(connectors, WIDE, 9)
    stored = packed(body[DATA_AT - 4 :])
    stored = stored[: len(stored) - cut]
    return body[:36] + struct.pack(">H", len(stored)) + body[38 : DATA_AT - 4] + stored


def test_compressed_data_that_does_not_expand_is_kept_raw(file: Path) -> None:
    record = compressed_wide([*ALL, 12])
    broken = compressed_wide([*ALL, 12], cut=30)
    problems, rows = read(file, dictionary(WIDE), record, broken, raw=True)
    assert len(rows["smf110_1_performance"]) == 9
    (row,) = rows["smf_raw"]
    assert (row["record_no"], row["body"]) == (3, broken)
    problem = problems["compressed_records"]
    assert (problem.record_no, problem.bytes) == (3, len(broken) + 4)


# --- dictionaries that are missing, late or bad --------------------------------------------------


def test_no_dictionary_keeps_the_record_raw(file: Path) -> None:
    record = performance(ALL)
    problems, rows = read(file, record, record, raw=True)
    assert "smf110_1_performance" not in rows
    assert [row["body"] for row in rows["smf_raw"]] == [record, record]
    problem = problems["no_dictionary"]
    assert "CICSA/CICSA1 of system SYS1: found 2 records" in problem.detail
    assert "DFHMNDUP" in problem.detail
    assert (problem.severity, problem.bytes) == ("error", 2 * (len(record) + 4))


def test_later_dictionary_serves_what_it_fits(file: Path) -> None:
    problems, rows = read(file, performance([1, 2]), dictionary(), performance([1]))
    assert len(rows["smf110_1_performance"]) == 2
    assert set(problems) == {"later_dictionary"}
    longer = (FIELDS[0]._replace(length=8), *FIELDS[1:])
    problems, rows = read(file, performance([1, 2]), dictionary(longer), performance([2], longer))
    assert [row["record_no"] for row in rows["smf110_1_performance"]] == [3]
    assert set(problems) == {"no_dictionary"}


def test_unknown_connector(file: Path) -> None:
    """The fields before it are read; those after it could stand anywhere."""
    record = performance([1, 2, 3]).replace(
        struct.pack(">3H", 1, 2, 3), struct.pack(">3H", 1, 77, 3)
    )
    problems, rows = read(file, dictionary(), record, record)
    assert [known(row) for row in rows["smf110_1_performance"]] == [{"tran": "PAY1"}] * 2
    detail = problems["unknown_connector"].detail
    assert "connector 2 of 3: found 77" in detail and "so in 1 more records" in detail


def test_records_shorter_than_their_fields(file: Path) -> None:
    record = performance([1, 2, 3])
    size = struct.pack(">IHH", DATA_AT + 6, 20, 1)
    problems, rows = read(
        file, dictionary(), record.replace(size, struct.pack(">IHH", DATA_AT + 6, 10, 1))
    )
    wanted = {"tran": "PAY1", "trannum": 12345}
    assert [known(row) for row in rows["smf110_1_performance"]] == [wanted]
    assert "fields of 20 bytes" in problems["dictionary_mismatch"].detail
    assert "records of 10 bytes" in problems["dictionary_mismatch"].detail


def test_entries_of_length_zero_and_twice(file: Path) -> None:
    entries = [entry_bytes(FIELDS[0], 1), entry_bytes(FIELDS[2], 2, length=0)]
    entries += [entry_bytes(FIELDS[1], 3), entry_bytes(FIELDS[4], 3)]
    problems, rows = read(
        file, record(1, b"".join(entries), 26, 4),
        record(3, VALUES["TRAN"] + VALUES["TRANNUM"], 8, 1, struct.pack(">3H", 1, 2, 3)),
    )  # fmt: skip
    assert known(rows["smf110_1_performance"][0]) == {"tran": "PAY1", "trannum": 12345}
    detail = problems["bad_dictionary"].detail
    assert f"entry 2 at +{DATA_AT + 26}, DFHTASK S007 USRDISPT: length 0" in detail
    assert len(rows["smf110_1_dictionary"]) == 4


def test_dictionary_past_the_end(file: Path) -> None:
    """It is not used, nor is the one before it; another region goes on."""
    other: dict[str, Any] = {"region": ("CICSB", "CICSB1")}
    bad = record(1, entry_bytes(FIELDS[0], 1), 26, 2)
    problems, rows = read(
        file, dictionary(), dictionary(**other), performance([1]), bad, performance([1]),
        performance([1], **other),
    )  # fmt: skip
    assert sorted(row["record_no"] for row in rows["smf110_1_performance"]) == [3, 6]
    assert set(problems) == {"bad_dictionary", "no_dictionary", "section_past_end"}
    assert problems["bad_dictionary"].record_no == 4


def test_length_that_a_type_does_not_have(file: Path) -> None:
    odd = (FIELDS[0], FIELDS[2]._replace(length=10), FIELDS[1])
    data = VALUES["TRAN"] + bytes(10) + VALUES["TRANNUM"]
    problems, rows = read(
        file, dictionary(odd), record(3, data, len(data), 1, struct.pack(">3H", 1, 2, 3))
    )
    assert known(rows["smf110_1_performance"][0]) == {"tran": "PAY1", "trannum": 12345}
    assert "DFHTASK S007 USRDISPT: found length 10" in problems["field_length"].detail


@pytest.mark.parametrize(
    ("offset", "form", "number", "reason"),
    [
        (PRODUCT_AT + 28, ">H", 3, "bad_connectors"),
        (PRODUCT_AT + 30, ">H", 0, "bad_connectors"),
        (PRODUCT_AT + 24, ">I", 0xFFFFFF00, "bad_connectors"),
        (PRODUCT_AT + 24, ">I", DATA_AT + 2, "bad_connectors"),
        (PRODUCT_AT + 36, ">H", 500, "section_past_end"),
        (PRODUCT_AT + 32, ">I", 10, "section_past_end"),
    ],
)
def test_bad_places(file: Path, offset: int, form: str, number: int, reason: str) -> None:
    record = bytearray(performance([1, 2]))
    struct.pack_into(form, record, offset - 4, number)
    problems, rows = read(file, dictionary(), bytes(record), performance([1]))
    assert [row["record_no"] for row in rows["smf_raw"]] == [2]
    assert len(rows["smf110_1_performance"]) == 1
    assert list(problems) == [reason]
    assert problems[reason].record_no == 2


def test_other_classes_are_counted(file: Path) -> None:
    problems, rows = read(file, record(5, bytes(100), 100, 1))
    assert len(rows["smf110_1_product"]) == 1 and len(rows) == 3
    assert problems["other_class"].severity == "info"


# --- anything ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_random_bytes_behind_a_header_never_raise(file: Path, seed: int) -> None:
    """Every record is in the header table or kept raw, whatever stands in it."""
    rng = np.random.default_rng(seed)
    records = []
    for _ in range(60):
        turn = int(rng.integers(0, 4))
        if turn == 0:
            records.append(smf(110, 1, rng.bytes(int(rng.integers(0, 400)))))
            continue
        sound = bytearray(
            [dictionary(), performance(ALL, count=2), compressed_wide([*ALL, 12])][turn - 1]
        )
        for place in rng.integers(20, len(sound), int(rng.integers(0, 12))).tolist():
            sound[place] = int(rng.choice([0, 1, 0x7F, 0x80, 0xFF, int(rng.integers(0, 256))]))
        if rng.random() < 0.2:
            del sound[int(rng.integers(20, len(sound))) :]
        records.append(bytes(sound))
    file.write_bytes(writer.rdw([smf(2), *records]))
    loaded, rows = load(file)
    numbers = [row["record_no"] for name in ("smf110_1_header", "smf_raw") for row in rows[name]]
    assert sorted(numbers) == list(range(2, loaded.records + 1))
    assert sum(count["loaded"] for count in loaded.counts) == loaded.records - len(rows["smf_raw"])


# --- records written down from the manual -------------------------------------------------------


def test_records_of_the_evidence(tmp_path: Path) -> None:
    """A dictionary, its performance records, and those of a region without one: not decoded."""
    names = [f"smf110_1 record {name}" for name in ("dictionary", "performance", "other")]
    file = tmp_path / "dump"
    file.write_bytes(writer.rdw([smf(2), *(record_bytes(name)[4:] for name in names), smf(3)]))
    loaded, rows = load(file)
    assert [problem.reason for problem in loaded.problems] == ["unmapped_field", "no_dictionary"]
    assert "OWNCOUNT" in loaded.problems[0].detail and "CICSTST2" in loaded.problems[1].detail
    names.pop()
    for number, name in enumerate(names, 2):
        for table, wanted in sample(name).rows.items():
            if table == "smf110_1_connector":
                continue  # read with the performance records, no table
            shown = [row for row in rows[table] if row["record_no"] == number]
            assert len(shown) == len(wanted)
            for row, values in zip(shown, wanted, strict=True):
                expected = columns_of(values)
                known = {key: as_written(row[key]) for key in expected if key in row}
                # the source gives times in whole microseconds
                assert known == pytest.approx({key: expected[key] for key in known}, abs=1)
                assert set(expected) - set(row) in (USER_FIELDS, set())


def columns_of(values: dict[str, Any]) -> dict[str, Any]:
    """Clocks are two columns."""
    columns: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            columns |= {f"{name}_us": float(value["us"]), f"{name}_count": value["count"]}
        else:
            columns[NAMES.get(name, name)] = value
    if "rtype" in columns:
        columns["rtype"] = columns["rtype"].lstrip("\0")  # three binary zeros and a letter
    return columns


NAMES = {"scusrhwm": "scusrhwm_033", "scusrhwm_2": "scusrhwm_106", "scusrstg": "scusrstg_095"}
USER_FIELDS = {"ownclock_us", "ownclock_count", "owncount"}  # of the user: a dictionary names them
