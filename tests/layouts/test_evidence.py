"""Every record the product registers, against its file of evidence; nothing waits unsaid.

What each check compares: evidence_checks.py. How evidence is written: tests/evidence/README.md.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from evidence_checks import (
    CHECKS,
    fields_wrong,
    kernel,
    name_of,
    places_wrong,
    shipped,
    whole,
    whole_missing,
    whole_wrong,
)
from evidence_files import (
    PLACES,
    Evidence,
    as_written,
    evidence,
    names,
    pending,
    record_names,
    sample,
)
from plain_reader import read_section

from imsperf.layouts import smf, smf_record
from imsperf.record import Record

HEADERS = {18: smf.HEADER_18, 24: smf.HEADER_24, 56: smf.HEADER_56}
NOT_RECORDS = {"smf_headers"}  # what stands in front of every SMF record


@pytest.mark.parametrize("name", sorted(shipped()))
def test_record_is_what_its_source_says(name: str) -> None:
    """Fields, bytes and their values, places of sections, complete records."""
    assert name in names(), f"write tests/evidence/{name}.csv; `imsperf dev check` prints its lines"
    known, record = evidence(name), shipped()[name]
    said = {check: wrong(record, known) for check, wrong in CHECKS.items()}
    assert {check: some[:20] for check, some in said.items() if some} == {}
    assert (known.status == "single reader") == record.single_reader, "declare `single_reader`"


@pytest.mark.parametrize("name", sorted(shipped()))
def test_record_has_complete_bytes(name: str) -> None:
    """A section's bytes say nothing of where it stands: a complete record does."""
    waits = ("record", name) in pending()
    assert whole_missing(shipped()[name], evidence(name)) == waits


def test_evidence_without_a_declaration_waits_in_the_list() -> None:
    """Evidence is written first; what waits is listed with its reason, and nothing else is."""
    undeclared = {
        ("declaration", name) for name in names() if name not in {*shipped(), *NOT_RECORDS}
    }
    tables = {table.name for record in shipped().values() for table in record.tables()}
    for name in {*names()} - NOT_RECORDS:
        some = {line.table for line in evidence(name).lines} - tables - {""}
        undeclared |= {("declaration", table) for table in some} if name in shipped() else set()
    assert undeclared == {key for key in pending() if key[0] == "declaration"}
    lines = {f"{x.table} {x.format}" for name in names() for x in evidence(name).places}
    assert {name for what, name in pending() if what == "place"} <= lines
    assert all(pending().values())


def test_places_are_written_in_known_words() -> None:
    """A line that describes neither a field nor a place nor bytes says nothing."""
    for name in names():
        for line in evidence(name).lines:
            told = line.length or line.data or line.value or line.format in PLACES
            told = told or line.field == "*"
            assert told, f"{line.where}: found no length, bytes, value or place"


@pytest.mark.parametrize("length", HEADERS)
def test_header_form(length: int) -> None:
    fields = {
        "length": "smfxlen", "segment": "smfxseg", "flags": "smfxflg", "time": "smfxtme",
        "date": "smfxdte", "sid": "smfxsid", "subsystem": "smfxssi", "subtype": "smfxsty",
    }  # fmt: skip
    header = sample(f"smf_headers header {length}")
    for reading in (
        kernel(header.data, HEADERS[length]),
        read_section(header.data, HEADERS[length]),
    ):
        row = {name: as_written(value) for name, value in reading.items()}
        (expected,) = header.rows["smf_header"]
        assert expected["form"] == length
        assert expected["type"] == row.get("smfxtyp", row["smfxrty"])
        assert {key: expected[key] for key in fields} == {k: row.get(f) for k, f in fields.items()}


# --- does the net hold? -------------------------------------------------------------------------


def record_110() -> tuple[Record, Evidence]:
    record = smf_record(110, 1)
    assert record is not None and name_of(record) == "smf110_1"
    return record, evidence("smf110_1")


def test_swapped_triplets_are_noticed_twice() -> None:
    """Two parts of the CICS product section change their places: by the source, and by bytes."""
    record, known = record_110()
    first, second = (part for part in record.parts if part.section.table in _SWAPPED)
    wrong = {
        first.section.table: replace(first, section=second.section),
        second.section.table: replace(second, section=first.section),
    }
    parts = tuple(wrong.get(part.section.table, part) for part in record.parts)
    mutant = replace(record, parts=parts)
    assert places_wrong(mutant, known) and whole_wrong(mutant, known)
    assert not places_wrong(record, known) and not whole_wrong(record, known)


_SWAPPED = ("smf110_1_dictionary", "smf110_1_performance")


def test_a_record_without_lines_for_its_places_is_noticed() -> None:
    record, known = record_110()
    bare = replace(known, lines=tuple(x for x in known.lines if x.format not in PLACES))
    assert len(places_wrong(record, bare)) == len(record.parts)
    none = replace(known, lines=tuple(x for x in known.lines if not x.sample.startswith("record")))
    assert whole_missing(record, none) and not whole_missing(record, known)


def test_a_field_that_is_moved_is_named_with_both_values() -> None:
    record, known = record_110()
    header = record.header
    last = replace(header.fields[-1], offset=header.fields[-1].offset + 1)
    wide = replace(header, length=header.length + 1, fields=(*header.fields[:-1], last))
    (said,) = fields_wrong(replace(record, header=wide), known)
    assert said.startswith(f"smf110_1_header.{last.name}: offset: source 42, declared 43 (smf110_1")


def test_every_complete_record_is_of_a_registered_type() -> None:
    for name in (*record_names("smf"), *record_names("ims")):
        assert name.split(" ")[0] in shipped() and whole(evidence(name.split(" ")[0]))
