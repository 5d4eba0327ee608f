"""Finding a layout: by type, by log code, by table name, and in the data dictionary."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from imsperf import layouts
from imsperf.errors import LayoutError
from imsperf.kinds import text, u2, u4
from imsperf.layout import PROJECT_DEFINED, Field, Section


def test_record_is_found_by_type_and_subtype() -> None:
    record = layouts.smf_record(70, 1)
    assert record is not None and record.header.table == "smf70_1_header"
    assert layouts.smf_record(70, 3) is None
    assert layouts.smf_record(98, None) is None


def test_record_without_subtype_stands_for_all() -> None:
    assert layouts.smf_record(2, 2) is layouts.smf_record(2, None)


def test_log_record_is_found_by_code_and_subcode() -> None:
    record = layouts.log_record(0x45, 0x0A)
    assert record is not None and record.section.table == "ims_450a"
    assert layouts.log_record(0xA0, 0x17) is layouts.log_record(0xA0, 0x00)
    assert layouts.log_record(0x45, 0x10) is None


def test_code_may_have_a_layout_for_some_of_its_second_bytes() -> None:
    """38 is data in its second byte, but 3801 is another record; so are 9930 and 67FA."""
    records = {(code, second): layouts.log_record(code, second) for code in (0x38, 0x67, 0x99)
             for second in (0x00, 0x01, 0x30, 0xFA)}  # fmt: skip
    names = {key: record.section.table for key, record in records.items() if record}
    assert names[0x38, 0x00] == names[0x38, 0x30] == "ims_38" and names[0x38, 0x01] == "ims_3801"
    assert names[0x67, 0x30] == "ims_67" and names[0x67, 0x01] == "ims_6701"
    assert names[0x67, 0xFA] == "ims_67fa" and names[0x99, 0x30] == "ims_9930"
    assert names[0x99, 0x01] == "ims_99"


def test_log_of_a_real_ims_has_only_documented_bodies() -> None:
    """Never a layout of this project: not one field of it, not even where its place is IBM's."""
    profile = layouts.log_profile(layouts.HEADER_ONLY)
    assert {code for code, _ in profile.records} == {0x67, 0x99}
    for record in profile.records.values():
        for section in record.sections:
            sure = {section.confidence_of(field) for field in section.fields}
            assert PROJECT_DEFINED not in sure, section.table
    assert layouts.log_record(0x45, 0x0A, layouts.HEADER_ONLY) is None
    assert layouts.log_record(0x42, 0x00, layouts.HEADER_ONLY) is None
    assert {fill.table.name for fill in profile.fills}.isdisjoint(
        {"ims_67fa_schd41", "ims_67fa_lumi"}
    )


def test_vendor_record_stands_in_a_profile_of_its_own() -> None:
    assert layouts.log_record(0xFA, 0x40) is None
    assert layouts.log_record(0xFA, 0x40, layouts.HEADER_ONLY) is None
    record = layouts.log_record(0xFA, 0x40, layouts.BMC_FA)
    assert record is not None and record.section.table == "ims_fa_bmc"
    assert layouts.log_record(0x67, 0xFA, layouts.BMC_FA) is not None
    assert layouts.section("ims_fa_bmc") is record.section


def test_tables_are_named_once() -> None:
    """Records that share a section share its table."""
    names = [table.name for table in layouts.all_tables()]
    assert len(names) == len(set(names))
    assert names.count("ims_67_subrecord") == 1


@pytest.mark.parametrize(
    ("find", "wrong", "hint"),
    [
        (layouts.section, "smf70_1_cpuu", "smf70_1_cpu"),
        (layouts.log_profile, "imsperf1", "imsperf-1"),
        (layouts.section("smf70_1_cpu").named, "smf70watt", "smf70wat"),
    ],
)
def test_wrong_name_gets_the_near_one(find: Callable[[str], Any], wrong: str, hint: str) -> None:
    with pytest.raises(LayoutError) as raised:
        find(wrong)
    assert hint in (raised.value.hint or "")


def test_contradicting_declaration_is_refused() -> None:
    with pytest.raises(LayoutError, match=r"b at .* overlaps reserved_2, which ends at"):
        Section("t", "d", "s", 8, (Field(4, "b", u4, "B"),), reserved=((2, 4),))
    with pytest.raises(LayoutError, match="order"):
        Section("t", "d", "s", 8, (Field(4, "b", u4, "B"), Field(0, "a", u4, "A")))
    with pytest.raises(LayoutError, match="overlaps"):
        Section("t", "d", "s", 8, (Field(0, "a", u4, "A"), Field(2, "b", u2, "B")))
    with pytest.raises(LayoutError, match="section ends at"):
        Section("t", "d", "s", 4, (Field(0, "a", text(8), "A"),))
    with pytest.raises(LayoutError, match="twice"):
        Section("t", "d", "s", 8, (Field(0, "a", u4, "A"), Field(4, "a", u4, "A")))
    with pytest.raises(LayoutError, match="no meaning"):
        Section("t", "d", "s", 8, (Field(0, "a", u4, ""),))
    with pytest.raises(LayoutError, match="confidence"):
        Section("t", "d", "s", 8, (Field(0, "a", u4, "A", "", "sure"),))


def test_value_error_says_which_field() -> None:
    with pytest.raises(LayoutError, match=r"smf70_1_cpu.smf70cid at \+8: found 70000"):
        layouts.section("smf70_1_cpu").encode({"smf70cid": 70000})


def test_every_module_named_as_a_record_declares_it() -> None:
    """A module is found by its name; one that nobody else knows is registered all the same."""
    folder = Path(layouts.__file__).parent
    named = {path.stem for path in folder.glob("smf*.py") if re.fullmatch(r"smf[\d_]+", path.stem)}
    records = {(record.type, record.subtype) for record in layouts.shipped_records()}
    words = {f"smf{type}" + ("" if sub is None else f"_{sub}") for type, sub in records}
    assert words == named
    with pytest.raises(LayoutError, match=r"smf42_common\.py: found no RECORDS"):
        layouts._records_of("smf42_common")
