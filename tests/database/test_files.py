"""The ledger as people read it: files and coverage, archives member by member, unread bytes."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import second_writer as writer
from dump_files import log, smf
from evidence_files import record_bytes

from imsperf import api
from imsperf.cli import main
from imsperf.errors import DumpError

DEVICES = record_bytes("smf74_1 record")[4:]
CPU = record_bytes("smf70_1 record")[4:]
PLAIN = [smf(30 + n % 3 * 60, n % 4, bytes([n]) * 40, time=1000 * n) for n in range(60)]


def put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    def done(*words: object) -> tuple[str, str]:
        main([str(word) for word in words])
        printed = capsys.readouterr()
        return printed.out, printed.err

    return done


def rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out)))


def test_files_and_coverage_of_two_runs(
    tmp_path: Path, call: Callable[..., tuple[str, str]]
) -> None:
    db = tmp_path / "r.duckdb"
    first = put(tmp_path / "a.smf", writer.rdw([*PLAIN, CPU, DEVICES]))
    second = put(tmp_path / "b.smf", writer.vbs(PLAIN[40:], 300))
    api.load([first], db, run="one")
    api.load([second], db, run="one", types="30")
    api.load([put(tmp_path / "c.log", b"".join(log(1, 3, n) for n in (1, 2, 5, 6)))], db, run="two")
    listed = rows(call("files", "--db", db, "--format", "csv")[0])
    assert ",".join(listed[0]) == (
        "run,file_id,file,container,kind,framing,records,kept,repeated,bytes,first,last,"
        "selection,status"
    )
    shown = [(r["run"], r["kind"], r["records"], r["kept"], r["repeated"]) for r in listed]
    assert shown == [
        ("one", "smf", "62", "62", "0"),
        ("one", "smf", "20", "0", "6"),
        ("two", "ims", "4", "4", "0"),
    ]
    assert (listed[1]["selection"], listed[1]["framing"]) == ("types=smf:30", "bdw_rdw_spanned")
    covered = rows(call("files", "--db", db, "--coverage", "--format", "csv")[0])
    by_type = {(r["run"], r["type"], r["subtype"]): r for r in covered}
    assert by_type["one", "70", "1"]["intervals_found"] == "1"
    assert by_type["one", "", ""]["repeated"] == "6"
    assert by_type["two", "", ""]["lsn_gaps"] == "1"
    text = call("files", "--db", db)[0]
    assert "a.smf" in text and "Run : one" in text and "Run : two" in text
    assert text.startswith("3 files in 2 runs, ")
    assert "Run : two" not in call("files", "--db", db, "--run", "one")[0]
    assert call("files", "--db", db, "--run", "two")[0].startswith("1 file in 1 run, 4 records; ")


def test_intervals_of_the_ledger_are_those_of_the_tables(tmp_path: Path) -> None:
    """Each record type by its own; what was there already adds none."""
    db = tmp_path / "r.duckdb"
    api.load([put(tmp_path / "a", writer.rdw([CPU, DEVICES, CPU]))], db, run="r")
    api.load([put(tmp_path / "b", writer.rdw([DEVICES, *PLAIN]))], db, run="r")
    with api.connect(db) as store:
        intervals = store.con.execute(
            "SELECT file_id, name, sysplex, type, interval_start, interval_end, records "
            "FROM load_interval ORDER BY type"
        ).fetchall()
        product = store.con.execute(
            "SELECT DISTINCT file_id, system, smf70xnm, '70', interval_start, interval_end "
            "FROM smf70_1_product"
        ).fetchall()
        devices = store.con.execute(
            "SELECT DISTINCT file_id, system, smf74xnm, '74', interval_start, interval_end "
            "FROM smf74_1_product"
        ).fetchall()
    assert [row[:-1] for row in intervals] == [*product, *devices]
    assert [row[-1] for row in intervals] == [2, 1]


def patched(record: bytes, at: int, value: bytes) -> bytes:
    """The record with other bytes in its product section, whose offset from the RDW is at +28."""
    at += int.from_bytes(record[24:28], "big") - 4
    return record[:at] + value + record[at + len(value) :]


def test_one_local_time_and_one_name_are_not_one_interval(tmp_path: Path) -> None:
    """Three records of one start by the clock: local time is UTC - 7 h, then - 8 h; the third is
    of that name in another sysplex. Offset and sysplex stand at +60 and +88 (SMF manual)."""
    summer, winter = (
        (-hours * 3_600_000_000 << 12).to_bytes(8, "big", signed=True) for hours in (7, 8)
    )
    first = patched(CPU, 60, summer)
    other = patched(first, 88, "OTHER".ljust(8).encode("cp500"))
    db = tmp_path / "r.duckdb"
    api.load([put(tmp_path / "a", writer.rdw([first, patched(CPU, 60, winter), other]))], db)
    with api.connect(db) as store:
        begin, plex = store.con.execute(
            "SELECT interval_start, smf70xnm FROM smf70_1_product WHERE record_no = 1"
        ).fetchall()[0]
        noted = store.con.execute(
            "SELECT sysplex, interval_start, interval_start_utc, records FROM load_interval"
        ).fetchall()
    assert sorted(noted) == sorted(
        [
            (plex, begin, begin + timedelta(hours=7), 1),
            (plex, begin, begin + timedelta(hours=8), 1),
            ("OTHER", begin, begin + timedelta(hours=7), 1),
        ]
    )


def test_a_lost_interval_is_found(tmp_path: Path, call: Callable[..., tuple[str, str]]) -> None:
    """Intervals of a simulated run, one record left out: told where, and for which type."""
    words = ["generate", "tps-100k", "--seconds", "10", "--every", "2s", "--sample", "1000"]
    call(*words, "--out", tmp_path / "run")
    (file,) = (tmp_path / "run").glob("*.smf.*")
    db = tmp_path / "r.duckdb"
    api.load([file], tmp_path / "all.duckdb")
    with api.connect(tmp_path / "all.duckdb") as store:
        begin = store.scalar("SELECT min(interval_start) FROM smf74_1_device")
    cut = begin + timedelta(seconds=4)
    assert isinstance(cut, datetime)
    api.extract([file], tmp_path / "70", types="70")
    api.extract([file], tmp_path / "74a", types="74", end=cut)
    api.extract([file], tmp_path / "74b", types="74", start=cut + timedelta(seconds=2))
    api.load([tmp_path / record for record in ("70", "74a", "74b")], db, run="r")
    listed = rows(call("files", "--db", db, "--coverage", "--format", "csv")[0])
    shown = {
        f"{r['type']}.{r['subtype']}": (r["intervals_found"], r["intervals_expected"], r["gaps"])
        for r in listed
    }
    assert shown["70.1"] == ("5", "5", "0")
    assert shown["74.1"] == ("4", "5", "1")
    (gap,) = (r["first_gap"] for r in listed if (r["type"], r["subtype"]) == ("74", "1"))
    assert datetime.fromisoformat(gap) == cut


def test_empty_database(tmp_path: Path, call: Callable[..., tuple[str, str]]) -> None:
    from imsperf.database.store import open_store

    open_store(tmp_path / "r.duckdb", create=True).con.close()
    _, err = call("files", "--db", tmp_path / "r.duckdb")
    assert "nothing is loaded yet" in err


def test_a_member_that_gives_nothing_is_in_the_ledger(
    tmp_path: Path, call: Callable[..., tuple[str, str]]
) -> None:
    """Its checksum fails: no row of it, all its bytes counted, once; --strict stops."""
    records = [
        record for n, record in enumerate(PLAIN) if n % 3
    ]  # types 90 and 150, without a layout
    file, bad, good = io.BytesIO(), writer.rdw(records[:20]), writer.rdw(records[20:])
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("bad", bad)
        archive.writestr("good", good)
    data = bytearray(file.getvalue())
    data[100] ^= 1
    path, db = put(tmp_path / "two.zip", bytes(data)), tmp_path / "r.duckdb"
    with pytest.raises(DumpError, match="found checksum"):
        api.load([path], db, run="r", strict=True)
    for _ in range(2):
        api.load([path], db, run="r")
    listed = rows(call("files", "--db", db, "--format", "csv")[0])
    shown = [(r["file"][-4:], r["kind"], r["records"], r["status"]) for r in listed]
    assert shown == [("good", "smf", "20", "whole"), ("!bad", "", "0", "damaged")]
    with api.connect(db) as store:
        lost = store.con.execute("SELECT file_id, reason, byte_offset, bytes FROM load_problem")
        assert lost.fetchall() == [(2, "damaged", 0, len(bad))]
    assert "unknown: 0 errors, 1 data losses" in call("files", "--db", db)[0]


def test_a_run_has_one_description(tmp_path: Path) -> None:
    """Two folders with a run.toml in one load: the same rows in a database and in a lake."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        put(tmp_path / name / f"{name}.smf", writer.rdw([*PLAIN[1:3], PLAIN[4 + (name == "b")]]))
        (tmp_path / name / "run.toml").write_text(f'name = "{name}"\n', encoding="utf-8")
    dumps = [tmp_path / "a" / "a.smf", tmp_path / "b" / "b.smf"]
    for target, is_lake in ((tmp_path / "r.duckdb", False), (tmp_path / "lake", True)):
        api.load(dumps, target, run="r", parquet=is_lake)
        with api.connect(target) as store:
            assert store.con.execute("SELECT count(*) FROM run_config").fetchall() == [(1,)]
