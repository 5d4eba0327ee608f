"""Records that are missing, or there twice, break no identity: it is not tested, or still holds.

A run of two systems with shared queues keeps all identities. Whatever is taken from it, what is
left still does: records say nothing wrong because others are not there.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

import imsperf
from imsperf import api
from imsperf.reports import audit
from imsperf.reports.audit import left_out
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load

FEW = {"clients": 200, "dasd.volumes": 8}
KINDS = (
    "smf30", "smf42_5", "smf42_6", "smf70_1", "smf71_1", "smf72_3", "smf73_1", "smf74_1",
    "smf74_2", "smf74_4", "smf74_5", "smf78_2", "smf78_3", "smf88_1",
)  # fmt: skip
QUICK = (
    ("smf42_6", "log_io"), ("smf42_6", "storage_class_io"), ("smf73_1", "log_channels"),
    ("smf74_4", "lock_facility"), ("smf74_4", "queue_facility"), ("smf88_1", "queue_log"),
)  # fmt: skip
SETS = ("ims_4500", "ims_4507", "ims_a103", "ims_a105", "ims_a108")
Records = list[bytes]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("loss") / "run"
    generate(load("dsff-smq", FEW), place, seconds=3.0, every_s=1.0, form="rdw")
    return place


@pytest.fixture(scope="module")
def loaded(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    db = folder.parent / "all.duckdb"
    imsperf.load(folder, db=db, run="r", strict=True)
    with duckdb.connect(str(db)) as con:
        yield con


def without(
    con: duckdb.DuckDBPyConnection, kind: str, which: str, only: str | None = None
) -> audit.Audit:
    """The audit of a run without the records of a kind, of which `which` says some."""
    sql = "SELECT DISTINCT table_name FROM duckdb_columns() WHERE table_name SIMILAR TO ?"
    tables = [name for (name,) in con.execute(sql, [f"{kind}(_.*)?"]).fetchall()]
    first = min(tables, key=len) if kind.startswith("ims") else f"{kind}_header"
    con.execute("BEGIN")
    try:
        con.execute(f"CREATE TEMP TABLE gone AS SELECT file_id, record_no FROM {first} {which}")
        assert con.execute("SELECT count(*) FROM gone").fetchall() != [(0,)]
        for name in tables:
            con.execute(
                f"DELETE FROM {name} USING gone WHERE gone.file_id = {name}.file_id "
                f"AND gone.record_no = {name}.record_no"
            )
        return audit.loaded(con, only=only)
    finally:
        con.execute("ROLLBACK")


LATER = "QUALIFY percent_rank() OVER (PARTITION BY file_id ORDER BY record_no) {} 0.5"


@pytest.mark.parametrize(("kind", "check"), QUICK)
def test_what_the_rest_covers_is_tested(
    loaded: duckdb.DuckDBPyConnection, kind: str, check: str
) -> None:
    """Less is tested than of the whole run, and that holds."""
    all_rows = audit.loaded(loaded, only=check).tested
    done = without(loaded, kind, LATER.format(">="), check)
    assert done.violations.to_pylist() == []
    assert 0 < done.tested < all_rows


@pytest.mark.slow
def test_the_run_itself_keeps_all_identities(loaded: duckdb.DuckDBPyConnection) -> None:
    assert audit.loaded(loaded).violations.to_pylist() == []


@pytest.mark.slow
@pytest.mark.parametrize("half", ["<", ">="])
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_are_missing(loaded: duckdb.DuckDBPyConnection, kind: str, half: str) -> None:
    assert without(loaded, kind, LATER.format(half)).violations.to_pylist() == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("kind", SETS)
def test_a_statistics_record_is_missing(
    loaded: duckdb.DuckDBPyConnection, kind: str, number: int
) -> None:
    assert without(loaded, kind, f"WHERE ckpt_no = {number}").violations.to_pylist() == []


def changed(folder: Path, place: Path, end: str, keep: Callable[[Records], Records]) -> audit.Audit:
    """The audit of a run of whose dumps of a kind only some records are left."""
    place.mkdir()
    for file in folder.glob("*.rdw"):
        data, records, at = file.read_bytes(), [], 0
        while at < len(data):
            (length,) = struct.unpack_from(">H", data, at)
            records.append(data[at : at + length])
            at += length
        remaining = keep(records) if file.name.endswith(end) else records
        (place / file.name).write_bytes(b"".join(remaining))
    imsperf.load(place, db=place / "r.duckdb", run="r")
    return api.audit(place / "r.duckdb")


def few_lost(records: Records) -> Records:
    chance = random.Random(7)
    return [record for record in records if chance.random() < 0.99]


def last_set_lost(records: Records) -> Records:
    return records[: max(n for n, record in enumerate(records) if record[4:6] == b"\x45\x00")]


def first_set_lost(records: Records) -> Records:
    return records[sorted(n for n, record in enumerate(records) if record[4:6] == b"\x45\x00")[1] :]


def repeated(records: Records) -> Records:
    return records + records[len(records) // 3 : len(records) * 5 // 6]


@pytest.mark.slow
@pytest.mark.parametrize("keep", [few_lost, last_set_lost, first_set_lost, repeated])
def test_log_records_are_missing(
    folder: Path, tmp_path: Path, keep: Callable[[Records], Records]
) -> None:
    assert changed(folder, tmp_path / "r", ".imslog.rdw", keep).violations.to_pylist() == []


@pytest.mark.slow
def test_repeated_records_count_once(folder: Path, tmp_path: Path) -> None:
    """As of dumps that overlap: also of the log, whose volume is then not tested."""
    done = changed(folder, tmp_path / "r", ".rdw", repeated)
    assert done.violations.to_pylist() == []
    assert {"run.source_units", "run.log_transactions"} <= {check.id for check in done.untested}


def test_names_of_columns_are_quoted() -> None:
    """`limit` is a column of 450E and a word of SQL; the second record is the first once more."""
    con = duckdb.connect()
    con.execute("CREATE TABLE load_file AS SELECT 1 AS file_id, 'r' AS run")
    con.execute(
        'CREATE TABLE ims_450e_buffer AS SELECT 1 AS file_id, record_no, 7 AS "limit" '
        "FROM range(2) AS t (record_no)"
    )
    with left_out(con, ["SELECT * FROM ims_450e_buffer"]):
        assert con.execute("SELECT record_no FROM ims_450e_buffer").fetchall() == [(0,)]
    assert con.execute("SELECT count(*) FROM ims_450e_buffer").fetchall() == [(2,)]


@pytest.mark.parametrize(("second", "left"), [(11, [1]), (12, [1, 2])])
def test_repeats_have_the_same_bytes(second: int, left: list[int]) -> None:
    """47 of two systems at one moment: columns alike, times cut to 1 us; the bytes tell."""
    con = duckdb.connect()
    con.execute("CREATE TABLE load_file AS SELECT range AS file_id, 'r' AS run FROM range(1, 3)")
    con.execute(
        "CREATE TABLE load_record AS SELECT 1 AS file_id, 5 AS record_no, 0 AS hash_high, "
        f"11 AS hash_low UNION ALL SELECT 2, 5, 0, {second}"
    )
    con.execute("CREATE TABLE ims_47 AS SELECT file_id, record_no, 1 AS ckpt_no FROM load_record")
    with left_out(con, ["SELECT * FROM ims_47"]):
        rows = con.execute("SELECT file_id FROM ims_47 ORDER BY 1").fetchall()
    assert [number for (number,) in rows] == left
