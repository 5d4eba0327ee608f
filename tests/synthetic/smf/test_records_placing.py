"""Records put together from their sections are those that somebody else typed from the manuals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import second_writer
from dump_files import load
from evidence_files import Sample, as_written, evidence, sample

from imsperf.errors import LayoutError
from imsperf.kinds import Op
from imsperf.layout import Field, Section
from imsperf.layouts import section, smf42_6, smf72_3, smf78_2, smf_record
from imsperf.record import At, Record, SectionPlace, parent_key
from imsperf.synthetic.smf.record_builder import Sections, plan

# Golden records; in those of the second row sections stand where no writer would put them, or the
# header is shorter.
FLAT = ("30_4", "71_1", "72_3", "73_1", "74_1", "74_2", "74_4", "123_2")
LINKED = ("42_5", "42_6", "78_3", "88_1")
NOT_DESCRIBED = ("unused", "not used", "cut to us")
# The jobs stand behind their section, not in it: no record of ours has them.
LEFT_OUT = {"smf42_5_system_high", "smf42_5_system_high_job"}

Rows = dict[str, list[dict[str, Any]]]


def native(field: Field, values: list[Any]) -> Any:
    """JSON values as the encoder takes them."""
    op = field.kind.op
    if op == Op.TEXT:
        return np.array(values, dtype=np.str_)
    if op == Op.HEX_FLOAT:
        return np.array(values, dtype=np.float64)
    if op == Op.OPAQUE:
        return [bytes.fromhex(value) for value in values]
    if op == Op.PACKED_DATE:
        return np.array(values, "datetime64[D]")
    if op in (Op.TOD, Op.TOD_HIGH, Op.STCKE):
        return np.array([value or "NaT" for value in values], "datetime64[us]")
    if op in (Op.PACKED_TIME, Op.CENTISECONDS):
        return np.array([f"1970-01-01T{value}" for value in values], "datetime64[us]").astype(
            np.int64
        )
    return np.array(values, np.uint64 if op == Op.UNSIGNED else np.int64)


def fields_of(section: Section, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Columns of all fields that the rows have."""
    clocks = (Op.TOD, Op.TOD_HIGH, Op.STCKE)  # None there is eight zero bytes
    known = (
        f
        for f in section.fields
        if all(f.kind.op in clocks or r.get(f.name) is not None for r in rows)
    )
    return {f.name: native(f, [row.get(f.name) for row in rows]) for f in known}


def golden(name: str) -> Sample:
    """The evidence of the record of that type and subtype; 123 of its version."""
    files = {"30_4": "smf30", "123_2": "smf123"}
    return sample(f"{files.get(name, f'smf{name}')} record")


def layout(name: str) -> Record:
    """The declared layout of a golden record."""
    kind, subtype = map(int, name.split("_"))
    declared = smf_record(kind, None if kind == 123 else subtype)
    assert declared is not None
    return declared


def number_at(where: int | At, place: SectionPlace, rows: Rows, header: Section) -> int:
    """The number the golden bytes have there, in the first section that has one."""
    if isinstance(where, int):
        return where
    of = where.of or place.inside or header
    name = next(f.name for f in of.fields if f.offset == where.at)
    return max(int(row[name]) for row in rows[of.table])


def parts_of(record: Record, rows: Rows) -> list[Sections]:
    """The sections of a golden record; those in the header by their place there."""
    parts, order = [], []
    for place in record.parts:
        table, inside = place.section.table, place.inside
        if table not in rows:
            continue
        of = [row[parent_key(inside)] for row in rows[table]] if inside else []
        each = tuple(of.count(n + 1) for n in range(len(rows[inside.table]))) if inside else ()
        length = number_at(place.length, place, rows, record.header)
        fixed = fields_of(place.section, rows[table])
        parts.append(Sections(place.section, {}, len(rows[table]), length, fixed, each=each))
        order.append(1 << 32 if inside else number_at(place.offset, place, rows, record.header))
    return [parts[n] for n in np.argsort(order, kind="stable")]


def rebuilt(name: str) -> tuple[bytes, Rows]:
    """The record from the values of its golden file."""
    rows = golden(name).rows
    rows = {table: some for table, some in rows.items() if table not in LEFT_OUT}
    record = layout(name)
    placed = [part for part in record.parts if part.inside is None]
    triplets = {
        placement.at + n
        for placement in placed
        for n in ((0, 4, 6) if placement.next_at is None else (0, 4))
    }
    columns = fields_of(record.header, rows[record.header.table])
    own = [f.name for f in record.header.fields if f.offset not in triplets]
    head = Sections(record.header, {}, fixed={name: columns[name] for name in own})
    return plan(record, head, parts_of(record, rows)).encode(0, 1)[0].tobytes(), rows


@pytest.mark.parametrize("name", FLAT)
def test_bytes_are_the_golden_ones(name: str) -> None:
    """All but what the source does not describe, and lengths of sections that are not there."""
    encoded, _ = rebuilt(name)
    record = layout(name)
    assert len(encoded) == len(golden(name).data)
    at = 0
    for line in evidence(golden(name).name.split()[0]).lines:
        if line.sample != "record" or not line.data:
            continue
        here, at = encoded[at : at + len(line.data)], at + len(line.data)
        absent = line.table == record.header.table and line.value == "0"
        if line.field and not absent and not any(word in line.note for word in NOT_DESCRIBED):
            assert here.hex() == line.data.hex(), line.where


@pytest.mark.parametrize("name", [*FLAT, *LINKED])
def test_sections_are_found_where_they_were_put(name: str, tmp_path: Path) -> None:
    """Every row, with the section it belongs to; offsets may be others."""
    sections, rows = rebuilt(name)
    file = tmp_path / "dump"
    file.write_bytes(second_writer.rdw([sections[4:]]))
    loaded, decoded = load(file)
    assert loaded.problems == []
    for table, wanted in rows.items():
        for got, want in zip(decoded[table], wanted, strict=True):
            known = [k for k in want if not is_place(table, k)]
            assert {k: as_written(got[k]) for k in known} == {k: want[k] for k in known}, table


def is_place(table: str, name: str) -> bool:
    """An offset, a length of sections, the length of the record."""
    if name not in (field.name for field in section(table).fields):
        return False
    words = section(table).named(name).doc
    return words.startswith(("Offset", "Link", "Length of", "Record length"))


def test_areas_stand_in_the_sections_that_have_them() -> None:
    """Blocks at +72 of a private area section and, of the same layout, at +744 behind +536."""
    private = Sections(smf78_2.PRIVATE, {}, 2, fixed={"r782jobn": np.array(["IMS1CTL", "IMS1DLI"])})
    small = {"bmin": np.arange(16).reshape(1, 16), "amin": 7}
    late = {"cmin": np.array([[1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]])}
    parts = [
        private,
        Sections(smf78_2.PRIVATE_AREA, small, 16),
        Sections(smf78_2.PRIVATE_OBJECT, late, 10, at=744),
    ]
    (record,) = (
        plan(smf78_2.VIRTUAL_STORAGE, Sections(smf78_2.HEADER, {}), parts).encode(0, 1).tolist()
    )
    second = record[60 + 944 :]
    assert len(second) == 944 and record[44:52] == [0, 0, 0, 60, 3, 176, 0, 2]
    assert [second[72 + 40 * n : 76 + 40 * n] for n in (0, 7)] == [[0, 0, 0, 8], [0, 0, 0, 15]]
    assert second[92:96] == [0, 0, 0, 7]
    assert second[744:746] == [0x41, 0x60] and second[536:744] == [0] * 208
    assert second[744 + 160 : 744 + 162] == [0x41, 0xA0]


def test_a_chain_ends_where_its_parent_says() -> None:
    """Three data sets, each with its I/O section but the second."""
    parts = [
        Sections(smf42_6.JOB, {}),
        Sections(smf42_6.DATASET, {}, 3),
        Sections(smf42_6.IO, {}, 2, each=(1, 0, 1)),
    ]
    (record,) = plan(smf42_6.DATASET_IO, Sections(smf42_6.HEADER, {}), parts).encode(0, 1).tolist()

    def at(where: int, width: int = 4) -> int:
        return int.from_bytes(bytes(record[where : where + width]), "big")

    job, first = 44, 44 + 72
    assert (at(job + 24), at(job + 28, 2), at(job + 34, 2)) == (first, 120, 152)
    assert [at(first + 120 * n) for n in range(3)] == [first + 120, first + 240, 0]
    assert [at(first + 120 * n + 52) for n in range(3)] == [first + 360, 0, first + 512]
    assert len(record) == first + 360 + 304 == at(0, 2)


def test_some_records_of_a_group_are_those_of_all() -> None:
    """What a record is about does not change with where a reader begins."""
    names = np.array(["ONE", "TWO", "THREE"])
    which = np.arange(7) % 3
    part = Sections(
        smf72_3.SERVED, {"r723scs": np.arange(7)}, fixed={"r723scsn": names}, which=which
    )
    planned = plan(smf72_3.WORKLOAD_ACTIVITY, Sections(smf72_3.HEADER, {}), [part])
    in_one_go = planned.encode(0, 7)
    assert (planned.encode(2, 6) == in_one_go[2:6]).all()
    assert bytes(in_one_go[4, 92:95]).hex().upper() == "E3E6D6" and in_one_go[4, 103] == 4


def test_sections_of_one_record_about_several_things() -> None:
    """With a thing for each section: TWO ONE, THREE THREE."""
    names = np.array(["ONE", "TWO", "THREE"])
    which = np.array([[1, 0], [2, 2]])
    part = Sections(smf72_3.SERVED, {}, 2, fixed={"r723scsn": names}, which=which)
    rows = plan(smf72_3.WORKLOAD_ACTIVITY, Sections(smf72_3.HEADER, {}), [part]).encode(0, 2)
    text = [bytes(row[92:]).decode("cp037").replace("\0", "").split() for row in rows]
    assert text == [["TWO", "ONE"], ["THREE", "THREE"]]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([Sections(smf42_6.JOB, {}), Sections(smf72_3.SERVED, {})], "no place for smf72_3_served"),
        ([Sections(smf42_6.DATASET, {})], "no smf42_6_job"),
        (
            [Sections(smf42_6.JOB, {}, 2), Sections(smf42_6.DATASET, {}, 3, each=(1, 1))],
            r"3 sections as",
        ),
        (
            [Sections(smf42_6.JOB, {}, 500)],
            "found a record of 36,044 bytes, expected at most 32,756",
        ),
    ],
)
def test_impossible_records(parts: list[Sections], words: str) -> None:
    with pytest.raises(LayoutError, match=words):
        plan(smf42_6.DATASET_IO, Sections(smf42_6.HEADER, {}), parts)
