"""What a load adds to a run: selections, the same bytes again, overlaps, other forms, members."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections import Counter
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
import second_writer as writer
from dump_files import log, smf
from evidence_files import record_bytes

from imsperf import api
from imsperf.database.store import open_store
from imsperf.errors import DumpError
from imsperf.parsers.kernels import hashing
from imsperf.parsers.selection import Selection, Wanted, wanted

DEVICES = record_bytes("smf74_1 record")[4:]
CPU = record_bytes("smf70_1 record")[4:]
PLAIN = [smf(30 + n % 3 * 60, n % 4, bytes([n]) * 40, time=1000 * n) for n in range(60)]
RECORDS = [smf(2, time=0), *PLAIN, DEVICES, CPU, smf(3, time=60_000)]


def rows(db: Path, sql: str) -> list[tuple[object, ...]]:
    with api.connect(db) as store:
        return store.con.execute(sql).fetchall()


def there(db: Path, run: str = "r") -> Counter[str]:
    """How often each record is in a run, by hash."""
    sql = (
        "SELECT hash_high, hash_low, count(*) FROM load_record JOIN load_file USING (file_id) "
        f"WHERE run = '{run}' GROUP BY ALL"
    )
    return Counter({f"{a}.{b}": n for a, b, n in rows(db, sql)})  # type: ignore[misc]


def put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without rows: to make its tables and views takes longer than most loads here."""
    path = tmp_path_factory.mktemp("empty") / "r.duckdb"
    with open_store(path, create=True):
        return path


@pytest.fixture
def db(tmp_path: Path, empty: Path) -> Path:
    return Path(shutil.copy(empty, tmp_path / "r.duckdb"))


# --- selections ----------------------------------------------------------------------------------


def test_types_as_people_write_them() -> None:
    assert wanted("smf:70, 74.1,ims:4507,ims:59") == (
        Wanted("smf", "70", None), Wanted("smf", "74", "1"), Wanted("ims", "45", "07"),
        Wanted("ims", "59", None),
    )  # fmt: skip
    for word in ("abc", "ims:4", "74.", "ims:450", "smf:74.1.2", "74,-1"):
        with pytest.raises(DumpError, match="expected one such as"):
            wanted(word)


def test_selected_types_and_what_comes_later(tmp_path: Path, db: Path) -> None:
    """Types one after the other give what a whole load gives."""
    file = put(tmp_path / "smf", writer.vbs(RECORDS, 4000))
    (loaded,) = api.load([file], db, run="r", types="74")
    assert (loaded.records, loaded.kept, loaded.repeated, loaded.decoded) == (64, 1, 0, 1)
    (again,) = api.load([file], db, run="r", types="74")
    assert "already" in again.skipped
    (two,) = api.load([file], db, run="r", types="smf:74.1,70")
    assert (two.kept, two.repeated) == (1, 1)
    (rest,) = api.load([file], db, run="r")
    assert (rest.kept, rest.repeated) == (62, 2)
    (none,) = api.load([file], db, run="r")
    assert "already" in none.skipped
    all_at_once = Path(shutil.copy(db, tmp_path / "w.duckdb"))
    api.load([file], all_at_once, run="r")
    assert there(db) == there(all_at_once)
    for table in ("smf74_1_device", "smf70_1_partition", "smf_raw"):
        count = f"SELECT count(*) FROM {table}"
        assert rows(db, count) == rows(all_at_once, count)
    listed = rows(db, "SELECT selection, sha256 IS NULL, kept FROM load_file ORDER BY file_id")
    assert listed == [
        ("types=smf:74", True, 1),
        ("types=smf:70,smf:74.1", True, 1),
        (None, False, 62),
    ]


def test_system_and_time(tmp_path: Path, db: Path) -> None:
    other = [smf(30, 2, b"x" * 50, time=1000 * n, system=b"\xe2\xe8\xe2\xf2") for n in range(10)]
    file = put(tmp_path / "smf", writer.rdw([*PLAIN, *other]))
    (loaded,) = api.load([file], db, run="a", system="sys2")
    assert loaded.kept == 10
    (two,) = api.load(
        [file], db, run="b", start="2024-03-04T00:00:50", end=datetime(2024, 3, 4, 0, 1, 40)
    )
    assert two.kept == 10  # records 5 to 9 (10 s apart) of both systems


def test_interval_records_are_chosen_by_when_their_interval_begins(
    tmp_path: Path, db: Path
) -> None:
    file = put(tmp_path / "smf", writer.rdw([DEVICES]))
    api.load([file], db, run="all")
    ((begin, end),) = rows(db, "SELECT DISTINCT interval_start, interval_end FROM smf74_1_device")
    assert isinstance(begin, datetime) and isinstance(end, datetime)
    (loaded,) = api.load([file], db, run="from", start=begin, end=end)
    (two,) = api.load([file], db, run="to", end=begin)
    assert (loaded.kept, two.kept) == (1, 0)


def test_codes_of_a_log(tmp_path: Path, db: Path) -> None:
    data = b"".join(log(0x01 + n % 2 * 2, 0x81, 100 + n, bytes(20)) for n in range(40))
    (loaded,) = api.load([put(tmp_path / "log", data)], db, run="r", types="ims:03")
    assert (loaded.records, loaded.kept) == (40, 20)


def test_empty_selection_is_everything() -> None:
    assert not Selection() and str(Selection()) == ""
    assert str(Selection(wanted("74,70"), "S", datetime(2026, 3, 1))) == (
        "types=smf:70,smf:74 system=S from=2026-03-01T00:00:00"
    )


# --- the same records again ----------------------------------------------------------------------

FORMS = {
    "re-blocked": lambda: writer.vbs(RECORDS, 700),
    "without blocks": lambda: writer.rdw(RECORDS),
    "spanned": lambda: writer.rdw_spanned(RECORDS, 100),
    "packed": lambda: writer.gz(writer.rdw(RECORDS)),
}


@pytest.mark.parametrize(
    "form", ["spanned", *(pytest.param(f, marks=pytest.mark.slow) for f in FORMS if f != "spanned")]
)
def test_another_form_of_a_file_adds_nothing(tmp_path: Path, db: Path, form: str) -> None:
    api.load([put(tmp_path / "a", writer.bdw_rdw(RECORDS, 4000))], db, run="r")
    before = there(db)
    (loaded,) = api.load([put(tmp_path / "b", FORMS[form]())], db, run="r")
    assert (loaded.kept, loaded.repeated) == (0, len(RECORDS))
    assert there(db) == before
    (other,) = api.load([tmp_path / "b"], db, run="another")
    assert other.kept == len(RECORDS)


def test_count_is_the_largest_of_any_one_file(tmp_path: Path, db: Path) -> None:
    """Equal records inside one file stay; two files are not added up."""
    twice, thrice = [*PLAIN, PLAIN[7]], [PLAIN[7], *PLAIN, PLAIN[7], PLAIN[9]]
    for name, records in (("a", PLAIN), ("b", twice), ("c", thrice), ("d", PLAIN[:30])):
        api.load([put(tmp_path / name, writer.rdw(records))], db, run="r")
    assert there(db).total() == len(PLAIN) + 3
    assert sorted(there(db).values())[-2:] == [2, 3]


@pytest.mark.parametrize(
    ("order", "lake"),
    [("parts first", False), ("whole first", False), ("together", False), ("parts first", True)],
)
def test_split_and_concatenated_files_are_one(
    tmp_path: Path, db: Path, order: str, lake: bool
) -> None:
    """Three parts, cut between records, and the file they make together."""
    place = tmp_path / "lake" if lake else db
    parts = [
        put(tmp_path / f"p{n}", writer.rdw(some))
        for n, some in enumerate((RECORDS[:20], RECORDS[20:21], RECORDS[21:]))
    ]
    joined = put(tmp_path / "all", b"".join(part.read_bytes() for part in parts))
    steps = {"parts first": [parts, [joined]], "whole first": [[joined], parts]}
    for paths in steps.get(order, [[*parts, joined]]):
        api.load(paths, place, run="r", parquet=lake)
    sql = (
        "SELECT (SELECT list(n) FROM (SELECT DISTINCT count(*) AS n FROM load_record "
        "GROUP BY hash_high, hash_low)), (SELECT sum(kept) FROM load_file), "
        "(SELECT sum(repeated) FROM load_file), (SELECT count(*) FROM load_record), "
        "(SELECT count(DISTINCT file_id) FROM smf74_1_device)"
    )
    count = len(RECORDS)
    assert rows(place, sql) == [([1], count, count, count, 1)]


def test_a_file_behind_itself_holds_each_record_twice(tmp_path: Path, db: Path) -> None:
    """Identical records inside one file stay: once more than the single file brought."""
    once = put(tmp_path / "once", writer.rdw(RECORDS))
    twice = put(tmp_path / "twice", once.read_bytes() * 2)
    (first,), (two,) = (api.load([path], db, run="r") for path in (once, twice))
    assert (first.kept, two.kept, two.repeated) == (len(RECORDS), len(RECORDS), len(RECORDS))
    assert set(there(db).values()) == {2}
    (again,) = api.load([put(tmp_path / "vbs", writer.vbs(RECORDS * 2, 4000))], db, run="r")
    assert (again.kept, again.repeated) == (0, 2 * len(RECORDS))


@pytest.mark.parametrize("lake", [False, True])
def test_types_one_after_the_other(tmp_path: Path, db: Path, lake: bool) -> None:
    """Types 70, then 74 of a re-blocked copy, then everything: as if all were loaded at once."""
    place = tmp_path / "lake" if lake else db
    file = put(tmp_path / "a", writer.rdw(RECORDS))
    copy = put(tmp_path / "b", writer.vbs(RECORDS, 700))
    steps = ((file, "70", 1, 0), (copy, "74", 1, 0), (copy, "70", 0, 1), (file, "70,74", 0, 2))
    for path, types, added, repeated in steps:
        (loaded,) = api.load([path], place, run="r", types=types, parquet=lake)
        assert (loaded.kept, loaded.repeated, loaded.skipped) == (added, repeated, "")
    (rest,) = api.load([copy], place, run="r")
    assert (rest.kept, rest.repeated) == (len(RECORDS) - 2, 2)
    counts = there(place)
    assert (counts.total(), set(counts.values())) == (len(RECORDS), {1})
    (again,) = api.load([file], place, run="r", types="74")
    assert (again.kept, again.repeated) == (0, 1)


@pytest.mark.slow
def test_damaged_copies_add_only_what_is_whole_in_them(tmp_path: Path, db: Path) -> None:
    """Two copies, damaged at different places: together they are whole, whatever the parts."""
    records = [smf(200, n % 7, bytes([n % 251]) * 900, time=n) for n in range(3000)]
    starts, sound = writer.rdw_starts(records), writer.rdw(records)
    for name, lost, memory in (("a", (0, 1130, 2270), 256 << 20), ("b", (860, 1620), None)):
        data = sound
        for number in lost:
            data = writer.zero_rdw(data, starts, number)
        (loaded,) = api.load([put(tmp_path / name, data)], db, run="r", memory=memory)
        assert loaded.records == len(records) - len(lost) == loaded.kept + loaded.repeated
    records_there = there(db)
    assert (records_there.total(), set(records_there.values())) == (len(records), {1})
    api.load([put(tmp_path / "whole", sound)], db, run="r")
    assert there(db) == records_there


def test_overlapping_files_make_one(tmp_path: Path, db: Path) -> None:
    rng = np.random.default_rng(5)
    all_at_once = Path(shutil.copy(db, tmp_path / "w.duckdb"))
    api.load([put(tmp_path / "all", writer.rdw(RECORDS))], all_at_once, run="r")
    for turn in range(6):
        first, last = sorted(rng.integers(0, len(RECORDS), 2).tolist())
        api.load([put(tmp_path / f"f{turn}", writer.rdw(RECORDS[first : last + 1]))], db, run="r")
    api.load([tmp_path / "all"], db, run="r")
    assert there(db) == there(all_at_once)


def test_logs_that_overlap(tmp_path: Path, db: Path) -> None:
    """The end of one archived log is the start of the next."""
    records = [log(0x59, 3, 100 + n, bytes([n]) * 30) for n in range(90)]
    (loaded,) = api.load([put(tmp_path / "a", b"".join(records[:60]))], db, run="r")
    (two,) = api.load([put(tmp_path / "b", writer.ims_vb(records[40:], 2048))], db, run="r")
    assert (loaded.kept, two.kept, two.repeated) == (60, 30, 20)


def test_files_that_cannot_overlap_are_not_looked_at_twice(
    tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.load([put(tmp_path / "a", writer.rdw(PLAIN[:30]))], db, run="r")
    monkeypatch.setattr("imsperf.loading.repeats._new_records", lambda *_: pytest.fail("hashed"))
    (loaded,) = api.load([put(tmp_path / "b", writer.rdw(PLAIN[30:]))], db, run="r")
    assert loaded.kept == 30


# --- members of archives -------------------------------------------------------------------------


def test_members_of_an_archive_are_files_of_their_own(tmp_path: Path, db: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("monday/smf.bin", writer.rdw(PLAIN[:30]))
        archive.writestr("readme.txt", "what this is\n" * 100)
        archive.writestr("monday/more.bin", writer.vbs(PLAIN[20:], 100))
    told: list[str] = []
    file = put(tmp_path / "all.zip", packed.getvalue())
    done = api.load([file], db, run="r", passed_over=lambda path, why: told.append(str(path)))
    assert [(file.name.rpartition("!")[2], file.kept, file.repeated) for file in done] == [
        ("monday/smf.bin", 30, 0), ("monday/more.bin", 30, 10),
    ]  # fmt: skip
    assert told == [f"{file}!readme.txt"]
    listed = rows(db, "SELECT container, framing FROM load_file ORDER BY file_id")
    assert listed == [("zip", "rdw"), ("zip", "bdw_rdw_spanned")]
    assert all("already" in loaded.skipped for loaded in api.load([file], db, run="r"))


def test_archive_without_a_dump_is_refused(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.txt", "what this is\n" * 100)
    with pytest.raises(DumpError, match="text"):
        api.load([put(tmp_path / "a.zip", packed.getvalue())], tmp_path / "new.duckdb")
    assert not (tmp_path / "new.duckdb").exists()


def test_sample_sees_size_and_ends() -> None:
    """Two files that differ in size, first or last byte have different samples."""
    base = np.zeros(300_000, np.uint8)
    seen = {hashing.sample(base), hashing.sample(base[:-1])}
    for place in (0, -1):
        changed = base.copy()
        changed[place] = 1
        seen.add(hashing.sample(changed))
    assert len(seen) == 4
