"""The data dictionary: what it lists, how a name is found, the page, the comments in a database."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from imsperf import api, layouts
from imsperf.database.store import open_store
from imsperf.dictionary import rows as dictionary
from imsperf.dictionary.page import page, path
from imsperf.errors import LayoutError
from imsperf.layout import RAW_TABLES
from imsperf.layouts.also_known import NOT_KEPT, SPELLINGS
from imsperf.layouts.unlocated import UNLOCATED
from imsperf.ledger import LEDGER_TABLES


def columns(name: str) -> list[str]:
    names: list[str] = dictionary.search(name)["column"].to_pylist()
    return names


def test_every_column_of_every_table_and_view_is_there(tmp_path: Path) -> None:
    """Once each, and nothing is called a column of the database that is none."""
    rows = dictionary.fields().to_pylist()
    listed = [(row["table"], row["column"]) for row in rows if row["sql_type"]]
    tables = {(t.name, c.name) for t in layouts.all_tables() for c in t.columns}
    plain = {**RAW_TABLES, **{name: columns for name, (_, columns) in LEDGER_TABLES.items()}}
    assert sorted(listed) == sorted(
        [*tables, *((name, c.name) for name, some in plain.items() for c in some)]
    )
    with open_store(tmp_path / "x.duckdb", create=True) as store:
        sql = "SELECT view_name, column_name FROM duckdb_views() JOIN duckdb_columns() "
        sql += "ON view_name = table_name WHERE NOT duckdb_views.internal"
        views = store.con.execute(sql).fetchall()
    in_views = [(row["table"], row["column"]) for row in rows if "sql/views" in row["source"]]
    assert sorted(in_views) == sorted(views)


def test_a_field_repeats_its_declaration() -> None:
    (row,) = dictionary.search("smf70_1_cpu.SMF70WAT").to_pylist()
    assert row | {"source": ""} == {
        "table": "smf70_1_cpu", "column": "smf70wat", "record": "70.1", "section": "cpu",
        "located": True, "offset": 0, "length": 8, "kind": "u8", "sql_type": "UBIGINT",
        "unit": "1/4096 us", "meaning": "Wait time", "confidence": "2src", "source": "",
    }  # fmt: skip
    assert "SMF70CPU" in row["source"]


@pytest.mark.parametrize("name", ["smf70_1_cpu_data", "SMF70_1_CPU_section", "smf70_1_cpu"])
def test_table_is_found_by_its_manual_name(name: str) -> None:
    assert set(dictionary.search(name)["table"].to_pylist()) == {"smf70_1_cpu"}


def test_names_of_all_sorts_are_found() -> None:
    """Table, column, record, shared header, ledger, view, the manual's spelling, words."""
    assert set(dictionary.search("ims_450e")["table"].to_pylist()) == {"ims_450e"}
    assert set(columns("LOG_LSN")) == {"log_lsn"}
    assert set(dictionary.search("45 07")["record"].to_pylist()) == {"45 07"}
    assert columns("4507") == columns("45 07")
    assert set(dictionary.search("70.1")["record"].to_pylist()) == {"70.1"}
    assert "smfxlen" in columns("smf_header_24")
    assert "bytes" in columns("load_problem")
    assert "interval_us" in columns("rmf_cpu_interval")
    assert columns("SMF70R00-R15") == ["smf70r00-r15"]
    assert "smf74cmr" in columns("command response")


def test_keys_have_no_place_and_the_suffix_counts_from_the_end() -> None:
    rows = {row["column"]: row for row in dictionary.search("ims_5901").to_pylist()}
    assert (rows["log_stck"]["offset"], rows["log_lsn"]["offset"]) == (-16, -8)
    assert (rows["file_id"]["offset"], rows["file_id"]["located"]) == (None, None)


def test_fields_not_located_say_so_with_their_source() -> None:
    rows = dictionary.fields().to_pylist()
    listed = [row for row in rows if row["located"] is False]
    assert (
        len(listed)
        == len(UNLOCATED)
        == len({(unlocated.record, unlocated.field) for unlocated in UNLOCATED})
    )
    assert all(row["source"] and row["confidence"] and row["offset"] is None for row in listed)
    assert all(unlocated.field == unlocated.field.lower() for unlocated in (*UNLOCATED, *NOT_KEPT))
    (row,) = [row for row in dictionary.search("tpcpgrpn").to_pylist() if not row["located"]]
    assert row["record"] == "56 FA"


def test_spellings_lead_to_columns() -> None:
    known = {table.name: table for table in layouts.all_tables()}
    for _, table, column in SPELLINGS:
        if table in known:
            assert known[table].section.named(column)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [("smf70_1_contrl", "smf70_1_control"), ("smf70pdx", "smf70pdt"), ("rmf.devise", "rmf.device")],
)
def test_wrong_name_gets_the_near_one(wrong: str, hint: str) -> None:
    with pytest.raises(LayoutError) as raised:
        api.dictionary(wrong)
    assert hint in (raised.value.hint or "")


def test_report_and_its_columns() -> None:
    assert "resp_ms" in api.dictionary("rmf.device")["column"].to_pylist()
    assert api.dictionary("rmf.device.resp_ms")["column"].to_pylist() == ["resp_ms"]


def test_table_of_one_record_imports_no_other() -> None:
    """A look-up by table name reads one layout, and no database."""
    script = (
        "import sys; from imsperf import api\n"
        "assert api.dictionary('smf70_1_cpu_data').num_rows > 10\n"
        "found = [m for m in sys.modules if m.startswith('imsperf.layouts.smf')]\n"
        "print(sorted(found), 'duckdb' in sys.modules, 'numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['imsperf.layouts.smf', 'imsperf.layouts.smf70_1'] False False"


def test_a_report_of_a_database_imports_what_it_reads(tmp_path: Path) -> None:
    """Neither what reads dumps nor layouts of other records: they take longer than the report."""
    empty = tmp_path / "empty.duckdb"
    open_store(empty, create=True).close()
    script = (
        "import sys; from imsperf import api\n"
        "from imsperf.errors import AbsentRecords\n"
        "try: api.report('rmf.cpu', sys.argv[1])\n"
        "except AbsentRecords: import imsperf.reports.formats\n"
        "found = [m for m in sys.modules if m.startswith('imsperf.layouts.smf')]\n"
        "heavy = {'numba', 'scipy', 'polars', 'sqlglot', 'pyarrow.parquet'} & set(sys.modules)\n"
        "print(sorted(found), sorted(heavy), 'imsperf.reports.formats' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, empty], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['imsperf.layouts.smf', 'imsperf.layouts.smf70_1'] [] True"


def test_names_of_tables_begin_with_their_record() -> None:
    """So that a table is found without the layouts of all others; other names are of none."""
    for name in layouts.shipped_tables():
        assert layouts.has_table(name) and layouts.has_table(name.upper()), name
        assert name in {table.name for table in layouts._near_tables(name)}, name
    for name in ("smf70_1_none", "smf9999_1_cpu_data", "ims_", "rmf_cpu", "by_type", ""):
        assert not layouts.has_table(name), name


def test_the_page_is_not_stale() -> None:
    """Write it again with `imsperf dict --write`."""
    assert path().read_text(encoding="utf-8") == page()


def test_everything_in_a_database_has_a_comment(tmp_path: Path) -> None:
    with open_store(tmp_path / "x.duckdb", create=True):
        pass
    with duckdb.connect(str(tmp_path / "x.duckdb"), read_only=True) as con:
        for kind in ("table", "view"):
            sql = f"SELECT {kind}_name FROM duckdb_{kind}s() WHERE comment IS NULL AND NOT internal"
            assert con.execute(sql).fetchall() == []
        sql = "SELECT table_name, column_name FROM duckdb_columns() WHERE comment IS NULL"
        assert con.execute(f"{sql} AND NOT internal").fetchall() == []


def test_a_record_that_one_person_read_says_so() -> None:
    """In the comment of its tables and beside the source of each field."""
    record = layouts.smf_record(75, 1)
    assert record is not None
    for declared, sure in ((record, False), (replace(record, single_reader=True), True)):
        words = [group.doc for group in dictionary._tables_of(declared)]
        sources = [
            entry.source for group in dictionary._tables_of(declared) for entry in group.entries
        ]
        assert all(("single reader" in word) == sure for word in (*words, *sources))
        comments = [sql for table in declared.tables() for sql in table.create_sql()]
        assert any("single reader" in sql for sql in comments) == sure
