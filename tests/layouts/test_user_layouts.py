"""Layouts of a user: from a listing to reports, by file and mapping; and what is refused."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path
from typing import Any

import pytest
import test_other_layout as other
from dump_files import load as read_dump
from dump_files import log, smf
from places import TESTS
from test_cli import Done
from test_other_layout import databases, rows_of, without_provenance

import imsperf
from imsperf import api, layouts
from imsperf.cli import main
from imsperf.database import store
from imsperf.dictionary import rows as dictionary
from imsperf.errors import LayoutError, StoreError
from imsperf.kinds import flags1, u4
from imsperf.loading import copies
from imsperf.user_layouts.kind_names import by_name
from imsperf.user_layouts.layout_file import read
from imsperf.user_layouts.registry import check_files, using_files

__all__ = ["databases"]  # a fixture

LISTINGS = TESTS / "listings"


@pytest.fixture(autouse=True)
def ours_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No layouts of the person who runs the tests."""
    monkeypatch.setattr("imsperf.cli.options.layout_folder", lambda: tmp_path / "config/layouts")
    monkeypatch.setattr(
        "imsperf.cli.dumps.layout.layout_folder", lambda: tmp_path / "config/layouts"
    )


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def call(*words: object) -> Done:
        code: object = 0
        try:
            main([str(word) for word in words])
        except SystemExit as end:
            code = end.code
        printed = capsys.readouterr()
        return Done(int(code or 0), printed.out, printed.err)  # type: ignore[call-overload]

    return call


# --- acceptance: a listing, a log written with it, the reports ------------------------------------

THEIRS = {  # DSECT -> code, subcode, entries
    "STP": ("06", None, None), "STH": ("45", "00", None), "LGR": ("45", "07", None),
    "LAT": ("45", "0A", "LATE=40,6,8"), "FPL": ("45", "0E", "FPLE=72,40,38"),
    "MSGI": ("59", "01", None), "MSGO": ("59", "03", None), "MSGD": ("59", "36", None),
    "SYN": ("59", "37", None), "CHG": ("59", "50", None),
}  # fmt: skip


@pytest.fixture
def their_folder(run: Any, tmp_path: Path) -> Path:
    """Layout files of all their records, imported from the listing, beside their mapping."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    for dsect, (code, subcode, entries) in THEIRS.items():
        words = ["--dsect", dsect, "--code", code, "-o", folder]
        words += ["--subcode", subcode] if subcode else []
        words += ["--entries", entries] if entries else []
        words += ["--kind", "sthlevel=opaque(3)"] if dsect == "STH" else []
        done = run("layout", "import", LISTINGS / "theirs.lst", *words)
        assert done.code == 0, done.err
    (folder / "mapping.toml").write_bytes((LISTINGS / "mapping.toml").read_bytes())
    return folder


def test_import_gives_their_layout(their_folder: Path) -> None:
    """Place, width and form of every field of tests/layouts/test_other_layout.py."""
    user_layouts = read([their_folder])
    assert not user_layouts.problems
    sections = {
        section.table: section for record in user_layouts.records for section in record.sections
    }
    wanted = [s for record in other.RECORDS for s in record.sections]
    assert set(sections) == {s.table for s in wanted}
    for section in wanted:
        places = {x.name: (x.offset, x.kind.name) for x in sections[section.table].fields}
        for field in section.fields:
            assert places[section.table + field.name] == (field.offset, field.kind.name), (
                section.table
            )
        assert sections[section.table].length == section.length


def test_same_reports_through_the_mapping(
    databases: tuple[Path, Path], their_folder: Path, tmp_path: Path, run: Any
) -> None:
    """`load --layouts` of their log, and every ims.* report is that of our log of the same run."""
    file, db = tmp_path / "theirs.log", tmp_path / "same.duckdb"
    with api.connect(databases[0]) as db0:
        file.write_bytes(other.written(lambda table: rows_of(db0, f"FROM {table}")))
    done = run("load", file, "--db", db, "--run", "same", "--layouts", their_folder)
    assert done.code == 0 and "header only" not in done.err, done.err
    assert "unmapped_field" not in done.err
    names = [row["id"] for row in api.reports().to_pylist() if row["id"].startswith("ims.")]
    assert {"ims.fixed_pools", "ims.latches", "ims.logger"} <= set(names)
    for report in ("ims.fixed_pools", "ims.latches", "ims.logger"):
        pages = [page(database, report) for database in (databases[0], db)]
        assert pages[0] and pages[1] == pages[0], report
        printed = [run("report", report, "--db", x).out for x in (databases[0], db)]
        assert printed[0] and printed[1] == printed[0], report
    with api.connect(db) as opened:
        own = rows_of(opened, "SELECT lgrckp, lgrsince, log_lsn FROM lgr ORDER BY log_lsn")
        ours = rows_of(opened, "SELECT ckpt_no, interval_start FROM ims_4507 ORDER BY log_lsn")
        assert [row["lgrckp"] for row in own] == [row["ckpt_no"] for row in ours] != []
        late = opened.scalar("SELECT count(*) FROM late")
        assert late == opened.scalar("SELECT count(*) FROM ims_450a_latch") > 0
        words = opened.scalar("SELECT comment FROM duckdb_columns() WHERE column_name = 'lgrawe'")
        assert words == "AWE (1src)"


def page(database: Path, report: str) -> list[dict[str, Any]]:
    with api.connect(database) as opened:
        return without_provenance(api.run_report(opened, report).table.to_pylist())


def test_dictionary_shows_them(their_folder: Path, run: Any) -> None:
    done = run("dict", "lgr.lgrawe", "--layouts", their_folder, "--format", "csv")
    (row,) = done.rows
    assert (row["offset"], row["kind"], row["meaning"]) == ("52", "u4", "AWE")
    assert "theirs.lst: DSECT LGR" in row["source"]
    assert len(run("dict", "late", "--layouts", their_folder, "--format", "csv").rows) > 8
    assert "no table" in run("dict", "lgr.lgrawe").err


def test_our_signature_wins(databases: tuple[Path, Path], their_folder: Path) -> None:
    """Layouts of a real log say nothing of a log that says itself what it is."""
    with using_files([their_folder]):
        assert layouts.log_profile("imsperf-1").record(0x45, 0x07) is layouts.log_record(0x45, 0x07)
        record = layouts.log_profile(layouts.HEADER_ONLY).record(0x45, 0x07)
    assert record is not None and record.section.table == "lgr"


def test_layouts_hold_inside_only(work_layout: Path, tmp_path: Path) -> None:
    """What is asked for inside has them also when it is used later, or by another thread."""
    file = dump(tmp_path / "smf.bin", *(work_record(n) for n in range(5)))
    with using_files([work_layout]) as problems:
        assert problems == () and layouts.has_table("w200a")
        inside, unread = imsperf.read(file), imsperf.read(file, types="70")
        with layouts.using(layouts.SHIPPED):
            assert not layouts.has_table("w200a")
            assert imsperf.read(file).tables().keys() == {"smf_raw"}
        assert layouts.has_table("w200a")
    assert not layouts.has_table("w200a") and layouts.current() is layouts.SHIPPED
    assert inside.table("w200a").num_rows == 5 and unread.table("w200a").num_rows == 0
    with pytest.raises(LayoutError):
        imsperf.read(file).table("w200a")
    with pytest.raises(ZeroDivisionError), using_files([work_layout]):
        raise ZeroDivisionError
    assert layouts.current() is layouts.SHIPPED


# --- SMF -----------------------------------------------------------------------------------------


def work_record(number: int, sections: int = 2) -> bytes:
    """SMF 200.1 as every.lst describes it: one section A, then sections B; without its RDW."""
    first, last = 40, 40 + 164
    triplets = struct.pack(">IHHIHH", first, 164, 1, last, 16, sections)
    a = struct.pack(">8s3i4s4sBB2xQ", b"\xc1\xc2" * 4, 1, -2, number, b"\xd1" * 4, b"\xd2" * 4,
                    0xC0, 0x25, 0xDEBE7AECECE00000)  # fmt: skip
    b = b"".join(struct.pack(">8sq", b"\xc2" * 8, n) for n in range(sections))
    return smf(200, 1, triplets + a.ljust(164, b"\0") + b)


def dump(path: Path, *records: bytes) -> Path:
    path.write_bytes(b"".join(struct.pack(">HH", len(x) + 4, 0) + x for x in records))
    return path


@pytest.fixture
def work_layout(run: Any, tmp_path: Path) -> Path:
    file = tmp_path / "work.toml"
    words = ["--type", 200, "--subtype", 1, "--header", "W200", "--dsect", "w200a"]
    words += ["--triplet", 24, "--section", "W200B=32", "-o", file]
    done = run("layout", "import", LISTINGS / "every.lst", *words)
    assert done.code == 0, done.err
    return file


def test_smf_record_of_the_user(work_layout: Path, tmp_path: Path, run: Any) -> None:
    file = dump(tmp_path / "smf.bin", *(work_record(n) for n in range(5)))
    db = tmp_path / "w.duckdb"
    done = run("load", file, "--db", db, "--layouts", work_layout)
    assert "5 records: 5 decoded" in done.err, done.err
    with api.connect(db) as opened:
        rows = rows_of(opened, "SELECT * FROM w200a ORDER BY record_no")
        assert rows[3]["w200acnt"] == [1, -2, 3] and rows[3]["w200anam"] == "ABABABAB"
        assert (rows[0]["w200ax"], rows[0]["w200abit"]) == (0xC0, 0x25)
        assert str(rows[0]["w200atod"]) == "2024-03-04 15:30:00"
        assert opened.scalar("SELECT sum(w200bcnt) FROM w200b") == 5
        assert opened.scalar("SELECT count(DISTINCT w200sid) FROM smf200_1_header") == 1
    assert "5 records: 0 decoded" in run("load", file, "--db", tmp_path / "o.duckdb").err


def test_smf_record_of_the_user_by_several_processes(
    work_layout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process of a load has the layouts of the program, and so have its copies."""
    monkeypatch.setattr(copies, "_WORTH", 0)
    lake, file = tmp_path / "lake", dump(tmp_path / "smf.bin", *(work_record(n) for n in range(5)))
    with using_files([work_layout]):
        (done,) = api.load([file], lake, run="a", parquet=True, jobs=2)
        again = pickle.loads(pickle.dumps(layouts.current()))
        assert again.records == layouts.current().records
    assert done.decoded == 5
    with api.connect(lake) as opened:
        assert opened.scalar("SELECT sum(w200bcnt) FROM w200b") == 5


def test_layout_that_changed_needs_another_database(work_layout: Path, tmp_path: Path) -> None:
    db, file = tmp_path / "w.duckdb", dump(tmp_path / "smf.bin", *[work_record(1)] * 3)
    with using_files([work_layout]):
        api.load([file], db, run="a")
    text = work_layout.read_text(encoding="utf-8")
    work_layout.write_text(text.replace('"w200ag2", kind = "u4"', '"w200ag2", kind = "text(4)"'))
    with (
        using_files([work_layout]),
        pytest.raises(StoreError, match=r"w200a.w200ag2: found a column of type UINTEGER"),
    ):
        api.load([file], db, run="b")
    work_layout.write_text(text.replace('name = "w200ag2"', 'name = "another"'))
    with using_files([work_layout]):
        api.load([file], db, run="c")
    with api.connect(db) as opened:
        assert opened.scalar("SELECT count(another) FROM w200a") == 3


def test_table_of_a_name_that_sql_refuses(work_layout: Path, tmp_path: Path) -> None:
    text = work_layout.read_text(encoding="utf-8")
    work_layout.write_text(text.replace('table = "w200b"', 'table = "select"'))
    file = dump(tmp_path / "smf.bin", *[work_record(1)] * 3)
    with using_files([work_layout]), pytest.raises(StoreError, match="table select"):
        api.load([file], tmp_path / "w.duckdb")


def test_folder_of_the_user_is_found(work_layout: Path, tmp_path: Path, run: Any) -> None:
    folder = tmp_path / "config" / "layouts"
    folder.mkdir(parents=True)
    work_layout.rename(folder / "work.toml")
    assert "SMF 200 subtype 1" in run("layout", "show").out
    assert run("layout", "check").code == 0
    assert len(run("dict", "w200b", "--format", "csv").rows) == 8
    file = dump(tmp_path / "smf.bin", *[work_record(1)] * 3)
    assert "3 decoded" in run("load", file, "--db", tmp_path / "d.duckdb").err


# --- check, show, diff ---------------------------------------------------------------------------


def test_show_and_diff(work_layout: Path, tmp_path: Path, run: Any) -> None:
    later = tmp_path / "later.toml"
    text = work_layout.read_text(encoding="utf-8")
    for old, new in (
        ('name = "w200atwo_1", kind = "text(4)"', 'name = "n", kind = "u4"'),
        ('name = "w200ahfp", kind = "hfp4"', 'name = "w200ahfp", kind = "u4"'),
        ('name = "w200ahlf", kind = "s2"', 'name = "w200ahlf", kind = "u4"'),
        ('offset = 152, name = "w200agen"', 'offset = 160, name = "w200agen"'),
    ):
        assert old in text
        text = text.replace(old, new)
    later.write_text(text, encoding="utf-8")
    rows = run("layout", "diff", work_layout, later, "--format", "csv").rows
    assert [tuple(row.values()) for row in rows] == [
        ("w200a", "n", "added", "", "20 u4"),
        ("w200a", "w200atwo_1", "removed", "20 text(4)", ""),
        ("w200a", "w200ahfp", "retyped", "hfp4", "u4"),
        ("w200a", "w200ahlf", "resized", "s2", "u4"),
        ("w200a", "w200agen", "moved", "152", "160"),
    ]
    assert run("layout", "diff", work_layout, work_layout).err == "no change\n"
    shown = run("layout", "show", "smf74_1", "--format", "csv").rows
    assert shown[0]["table"] == "smf74_1_header" and shown[0]["offset"] == "0"
    assert "did you mean" in run("layout", "show", "smf74_1_devise").err


def test_import_writes_nothing_over(work_layout: Path, run: Any) -> None:
    words = ["--type", 200, "--header", "W200"]
    done = run("layout", "import", LISTINGS / "every.lst", *words, "-o", work_layout)
    assert done.code == 1 and "--force" in done.err
    done = run("layout", "import", LISTINGS / "every.lst", *words, "-o", "-")
    assert done.code == 0 and done.out.startswith("# Written by")


RECORD = """
[[record]]
kind = "smf"
type = 201
[[record.section]]
table = "{table}"
triplet = 24
length = 12
fields = [
  {{offset = 0, name = "a", kind = "u4"}},
  {{offset = {at}, name = "b", kind = "{kind}"{more}}},
]
"""


def record(table: str = "t", at: object = 4, kind: str = "u4", more: str = "") -> str:
    return RECORD.format(table=table, at=at, kind=kind, more=more)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (record(at=2), r"record\[1\].section\[1\].fields: t: b at \+2 .* overlaps a", "offset"),
        (record(kind="u44"), r"fields\[2\].kind: b: found no kind 'u44'", "u4"),
        (record(kind="text"), "found no kind 'text'", "text(8)"),
        (record(kind="tod[2]"), "found an array of tod", "one by one"),
        (record(kind="text(0)"), r"found text\(0\), expected 1", ""),
        (record(at=-4), r"fields\[2\].offset: found -4, expected 0 to", ""),
        (record(at='"4"'), r"fields\[2\].offset: found '4', expected a whole number", ""),
        (record(at=10), r"ends at \+14, section ends at \+12", "length"),
        (record(at="true"), "expected a whole number", ""),
        (record(more=', knd = "u4"'), r"fields\[2\].knd: found a key that is not known", "kind"),
        (record(more=', confidence = "sure"'), "confidence: found 'sure'", ""),
        (record(more=', unit = "furlongs"'), "found unit 'furlongs'", ""),
        (record(table="T 1"), "section.1..table: found 'T 1'", "small letters"),
        (record(table="smf70_1_cpu"), "table smf70_1_cpu, which is one of ours", "another name"),
        (record(table="smf_raw"), "table smf_raw, which is one of ours", "another name"),
        *(
            (record(table=name), f"table {name}, which is one of ours", "another name")
            for name in ("load_file", "load_problem", "run_config", "imsperf_meta", "rmf_device")
        ),
        (record().replace("201", "70\nsubtype = 1"), "SMF 70 subtype 1, which has one", "replaces"),
        (record().replace("smf", "vsam"), "kind: found 'vsam', expected smf or ims", ""),
        (record().replace('"b"', '"file_id"'), "name of a key column", "underscore"),
        (record().replace("triplet = 24", ""), "triplet: found no such key", ""),
        (record().replace("triplet", "fields = 3\ntriplets"), "overwrite|key that is not", ""),
        ('[[record]]\nkind = "ims"\ncode = "4"\n', "code: found '4', expected two hex digits", ""),
        ('[[record]]\nkind = "ims"\ncode = "45"\n', "found 0 sections", ""),
        ("[[record]\n", "layout file is TOML|Expected", "TOML"),
        ("record = 3\n", "record: found 3, expected a list", ""),
        ("record = [3]\n", r"record\[1\]: found 3, expected a table", ""),
        ('[mapping.ims_45007]\nbuffers = "t.a"\n', "mapping.ims_45007: found no table", "ims_4507"),
        ('[mapping.ims_4507]\nbuffers = "t.a"\n', "mapping.ims_4507: .*no section 't'", ""),
        ('[mapping.ims_4507]\nbuffers = {field = "t.a", factor = "1/0"}\n', "factor: found", ""),
        ("[mappings]\n", "mappings: found a key that is not known", "mapping"),
    ],
)  # fmt: skip
def test_wrong_file_is_named_with_its_key(
    tmp_path: Path, text: str, message: str, hint: str
) -> None:
    """And the rest is used: here a layout in another file."""
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    (tmp_path / "right.toml").write_text(record("other").replace("201", "202"), encoding="utf-8")
    with using_files([tmp_path]) as problems:
        assert layouts.smf_record(202, 7) is not None
        assert layouts.smf_record(201, None) is None
    assert len(problems) == 1, problems
    with pytest.raises(LayoutError, match=message):
        raise problems[0]
    assert "wrong.toml" in problems[0].message
    assert hint in (problems[0].hint or "")


def test_two_layouts_for_one_record(tmp_path: Path, run: Any) -> None:
    """Both files are named, and none is used."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(record(name), encoding="utf-8")
    with using_files([tmp_path]) as (problem,):
        assert layouts.smf_record(201, None) is None
    assert "one.toml" in problem.message and "two.toml" in problem.message
    assert "SMF 201" in problem.message
    done = run("layout", "check", tmp_path)
    assert done.code == 3 and "found 2 layouts for SMF 201" in done.err
    assert run("dict", "smf70_1_cpu", "--layouts", tmp_path).err.startswith("layout left out")


def test_layout_in_place_of_ours(tmp_path: Path) -> None:
    """With `replaces`; the tables of the record may keep their names."""
    text = record("smf74_1_device").replace("201", "74\nsubtype = 1\nreplaces = true")
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with using_files([tmp_path]) as problems:
        assert problems == ()
        mine = layouts.smf_record(74, 1)
        assert mine is not None and mine.sections[1].length == 12
        assert len(layouts.table("smf74_1_device").section.fields) == 2
        store.table_statements.cache_clear()
        with store.open_store(tmp_path / "x.duckdb", create=True) as opened:
            assert opened.scalar("SELECT count(*) FROM rmf_device") == 0  # views find our columns
        assert "smf74num" not in dictionary.fields()["column"].to_pylist()
    assert "smf74num" in dictionary.fields()["column"].to_pylist()
    assert layouts.smf_record(74, 1) is not mine


def test_two_mappings_of_one_table(tmp_path: Path) -> None:
    text = (
        '[[record]]\nkind = "ims"\ncode = "45"\nsubcode = "07"\n[[record.section]]\ntable = "t"\n'
    )
    text += 'fields = [{offset = 6, name = "n", kind = "u4"}]\n'
    (tmp_path / "a.toml").write_text(text + '[mapping.ims_4507]\nbuffers = "t.n"\n')
    (tmp_path / "b.toml").write_text('[mapping.ims_4507]\nbuffers = "t.n"\n')
    user_layouts, problems = check_files([tmp_path])
    assert len(user_layouts.mappings) == 2 and len(problems) == 1
    assert "two mappings of ims_4507" in problems[0].message


def test_log_record_without_mapping_keeps_all_fields(tmp_path: Path) -> None:
    text = (
        '[[record]]\nkind = "ims"\ncode = "45"\nsubcode = "77"\n[[record.section]]\ntable = "t77"\n'
    )
    text += 'fields = [{offset = 6, name = "n", kind = "u4"}, '
    text += '{offset = 10, name = "x", kind = "text(4)"}]\n'
    (tmp_path / "a.toml").write_text(text)
    file = tmp_path / "their.log"
    body = struct.pack(">I4s", 7, b"\xc1\xc2\xc3\x40")
    file.write_bytes(b"".join(log(0x45, 0x77, n, body) for n in (1, 2, 3)))
    with using_files([tmp_path / "a.toml"]) as problems:
        assert problems == ()
        loaded, rows = read_dump(file)
    assert [(row["n"], row["x"], row["log_lsn"]) for row in rows["t77"]] == [
        (7, "ABC", n) for n in (1, 2, 3)
    ]
    assert not loaded.problems


# --- kinds by name -------------------------------------------------------------------------------


def test_kinds_by_name() -> None:
    assert by_name("u4") is u4 and by_name(" flags1 ") is flags1
    assert (by_name("text(8)").width, by_name("u4[16]").width) == (8, 64)
    assert by_name("packed(4)").sql == "UBIGINT" and by_name("hfp4[2]").sql == "DOUBLE[2]"


def test_every_kind_has_its_own_name() -> None:
    """What the shipped layouts use can be written into a file."""
    for table in layouts.all_tables():
        for field in table.section.fields:
            assert by_name(field.kind.name).width == field.kind.width
