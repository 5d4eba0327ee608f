"""Finding a layout: by type, by log code, by table name, and in the data dictionary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from imsperf import dictionary, layouts
from imsperf.errors import LayoutError
from imsperf.kinds import text, u2, u4
from imsperf.layout import RAW_TABLES, Field, Section


def test_record_is_found_by_type_and_subtype() -> None:
    found = layouts.smf_record(70, 1)
    assert found is not None and found.header.table == "smf70_1_header"
    assert layouts.smf_record(70, 2) is None
    assert layouts.smf_record(99, None) is None


def test_record_without_subtype_stands_for_all() -> None:
    assert layouts.smf_record(2, 2) is layouts.smf_record(2, None)


def test_log_record_is_found_by_code_and_subcode() -> None:
    found = layouts.log_record(0x45, 0x0A)
    assert found is not None and found.section.table == "ims_450a"
    assert layouts.log_record(0xA0, 0x17) is layouts.log_record(0xA0, 0x00)
    assert layouts.log_record(0x45, 0x02) is None


def test_log_of_a_real_ims_has_no_bodies() -> None:
    assert not layouts.log_profile(layouts.HEADER_ONLY).records
    assert layouts.log_record(0x45, 0x0A, layouts.HEADER_ONLY) is None


@pytest.mark.parametrize(
    ("find", "wrong", "hint"),
    [
        (layouts.section, "smf70_1_cpuu", "smf70_1_cpu"),
        (layouts.log_profile, "imsperf1", "imsperf-1"),
        (layouts.section("smf70_1_cpu").named, "smf70watt", "smf70wat"),
        (dictionary.search, "smf70_1_contrl", "smf70_1_control"),
    ],
)
def test_wrong_name_gets_the_near_one(find: Callable[[str], Any], wrong: str, hint: str) -> None:
    with pytest.raises(LayoutError) as raised:
        find(wrong)
    assert hint in (raised.value.hint or "")


def test_contradicting_declaration_is_refused() -> None:
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


# --- dictionary ---------------------------------------------------------------------------------


def test_dictionary_has_every_column_of_every_table() -> None:
    rows = dictionary.fields()
    found = set(zip(rows["table"].to_pylist(), rows["column"].to_pylist(), strict=True))
    tables = {(t.name, c.name) for t in layouts.all_tables() for c in t.columns}
    raw = {(name, c.name) for name, columns in RAW_TABLES.items() for c in columns}
    assert found == tables | raw
    assert len(found) == rows.num_rows


def test_dictionary_repeats_the_declaration() -> None:
    (row,) = dictionary.search("smf70_1_cpu.SMF70WAT").to_pylist()
    assert row | {"source": ""} == {
        "table": "smf70_1_cpu", "column": "smf70wat", "offset": 0, "length": 8, "kind": "u8",
        "sql_type": "UBIGINT", "unit": "1/4096 us", "meaning": "Wait time",
        "confidence": "2src", "source": "",
    }  # fmt: skip
    assert "SMF70CPU" in row["source"]


def test_dictionary_finds_tables_columns_and_words() -> None:
    assert set(dictionary.search("ims_450e")["table"].to_pylist()) == {"ims_450e"}
    assert set(dictionary.search("LOG_LSN")["column"].to_pylist()) == {"log_lsn"}
    assert "smf74cmr" in dictionary.search("command response")["column"].to_pylist()


def test_suffix_counts_back_from_the_end_of_the_record() -> None:
    rows = {row["column"]: row["offset"] for row in dictionary.search("ims_5901").to_pylist()}
    assert (rows["log_stck"], rows["log_lsn"], rows["file_id"]) == (-16, -8, None)
