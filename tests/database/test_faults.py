"""What surrounds a load fails: full disks, locked and read-only databases, files that change,
sizes that lie, bombs, and names that were chosen to do harm."""

from __future__ import annotations

import gzip
import io
import mmap
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import second_writer as writer
from dump_files import smf
from evidence_files import record_bytes
from fuzzing import look, tersed
from test_xmit import data as xmit_data
from test_xmit import transmission

from imsperf import api
from imsperf.cli import main
from imsperf.errors import DumpError
from imsperf.loading import load
from imsperf.parsers.containers import mapped, source, spool
from imsperf.parsers.framing.frames import open_dump
from imsperf.parsers.read import read_file

DEVICES = record_bytes("smf74_1 record")[4:]
CPU = record_bytes("smf70_1 record")[4:]
RECORDS = [smf(2), *(smf(30, n % 5, bytes([n]) * 40, time=1000 * n) for n in range(40)), DEVICES]
DUMP = writer.vbs(RECORDS, 4000)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "monday" / "smf.bin"
    path.parent.mkdir()
    path.write_bytes(DUMP)
    return path


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the dump, made once: its tables and views take longer than a small load."""
    folder = tmp_path_factory.mktemp("template")
    (folder / "smf.bin").write_bytes(DUMP)
    api.load([folder / "smf.bin"], folder / "x.duckdb", run="template")
    return folder / "x.duckdb"


@pytest.fixture
def db(tmp_path: Path, template: Path) -> Path:
    return Path(shutil.copy(template, tmp_path / "x.duckdb"))


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command: exit code, stdout, stderr; no trace may be printed."""

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            main([str(word) for word in words])
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return code, told.out, told.err

    return run


def content(db: Path) -> list[Any]:
    with api.connect(db) as store:
        sql = "SELECT path, records, kept FROM load_file ORDER BY file_id"
        return [store.con.execute(sql).fetchall(), store.scalar("SELECT count(*) FROM smf_raw")]


# --- names that were chosen to do harm -----------------------------------------------------------

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\x7f\nimsperf: error: <b>x</b>"


def only_plain(text: str) -> bool:
    return all(letter.isprintable() or letter == "\n" for letter in text)


COMMANDS: dict[str, tuple[tuple[str, ...], int]] = {
    "inspect": (("inspect", "{file}"), 0),
    "inspect folder": (("inspect", "{folder}"), 0),
    "doctor": (("doctor", "{folder}"), 1),
    "load": (("load", "{folder}", "--db", "{db}2"), 0),
    "load again": (("load", "{file}", "--db", "{db}"), 0),
    "load strict": (("load", "{cut}", "--db", "{db}3", "--strict"), 1),
    "load cut": (("load", "{cut}", "--db", "{db}3"), 0),
    "load text": (("load", "{text}", "--db", "{db}3"), 1),
    "files": (("files", "--db", "{db}"), 0),
    "query": (("query", "--db", "{db}", "SELECT path, run FROM load_file"), 0),
    "query fails": (("query", "--db", "{db}", "SELECT '{evil}' FROM nothing"), 1),
    "report": (("report", "rmf.device", "--db", "{db}"), 0),
    "no run": (("report", "rmf.device", "--db", "{db}", "--run", "x"), 1),
    "no report": (("report", "{evil}", "--db", "{db}"), 1),
    "records": (("records", "{file}", "--type", "30"), 0),
    "coverage": (("coverage", "{file}"), 0),
    "unpack": (("unpack", "{zip}", "-o", "{out}"), 0),
    "extract": (("extract", "{file}", "-o", "{out}{evil}.bin", "--types", "74"), 0),
    "missing": (("load", "{file}x", "--db", "{db}"), 1),
    "option": (("load", "{file}", "--{evil}"), 2),
    "command": (("{evil}",), 2),
    "explain": (("explain", "rmf.device.resp_ms", "--db", "{db}"), 0),
}


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files and folders with such names, a database of them, and an archive of such members."""
    base = tmp_path_factory.mktemp("names")
    folder = base / f"run{EVIL.replace('/', '')}"
    folder.mkdir()
    name = EVIL.replace("/", "")
    file, cut, text = folder / f"a{name}.smf", folder / f"b{name}.smf", base / f"t{name}.txt"
    stranger = smf(30, 1, b"\x27" * 20, system=b"\x27\x20\x05\x0d", time=99)
    file.write_bytes(writer.vbs([*RECORDS, stranger], 4000))
    cut.write_bytes(DUMP[:-40])
    text.write_bytes(f"hello {EVIL}\n".encode() * 60)
    packed = base / f"z{name}.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"m{EVIL}", DUMP)
    db = base / "x.duckdb"
    api.load([file], db)
    out = base / "out"
    out.mkdir()
    return {
        "file": str(file), "folder": str(folder), "cut": str(cut), "text": str(text),
        "zip": str(packed), "db": str(db), "out": str(out), "evil": name,
    }  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
@pytest.mark.parametrize("case", COMMANDS)
def test_names_do_not_steer_the_terminal(
    call: Callable[..., tuple[int, str, str]], evil: dict[str, str], case: str
) -> None:
    """Whatever files, members, runs and systems are called: stdout and stderr are plain."""
    words, expected = COMMANDS[case]
    code, out, err = call(*(word.format(**evil) for word in words))
    assert code == expected, err
    assert only_plain(out), repr(out)
    assert only_plain(err), repr(err)
    assert not any(line.startswith("imsperf: error: <b>") for line in err.splitlines())


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")
def test_names_that_are_no_utf_8(tmp_path: Path, call: Callable[..., tuple[int, str, str]]) -> None:
    """Read, loaded, listed and refused like any other."""
    folder = os.fsencode(tmp_path) + b"/run\xff"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder + b"/\xfe.smf")).write_bytes(DUMP)
    Path(os.fsdecode(folder + b"/\xfe.txt")).write_bytes(b"hello\n" * 50)
    db = tmp_path / "x.duckdb"
    for words in (
        ("inspect", os.fsdecode(folder)), ("doctor", os.fsdecode(folder)),
        ("load", os.fsdecode(folder), "--db", db), ("files", "--db", db),
        ("load", os.fsdecode(folder), "--parquet", tmp_path / "lake"),
    ):  # fmt: skip
        code, out, err = call(*words)
        expected = 1 if words[0] == "doctor" else 0  # a file of it is no dump
        assert code == expected and only_plain(out + err), err
    with api.connect(db) as store:
        ((run, path),) = store.con.execute("SELECT run, path FROM load_file").fetchall()
    assert run == "run\ufffd" and path.endswith("run\ufffd/\ufffd.smf")


IN_ASCII = """
import os, sys
from pathlib import Path
from imsperf import api
from imsperf.errors import OutputError
from imsperf.reports.formats import write

dump, good, bad = map(Path, sys.argv[1:])
assert sys.getfilesystemencoding() == "ascii"
for target in (good / "x.duckdb", good / "lake"):
    api.load([dump], target, run="r", parquet=target.name == "lake")
    with api.connect(target) as store:
        assert store.con.execute("SELECT count(*) FROM load_file").fetchall() == [(1,)]
        write(store.con.sql("SELECT 7 AS n").to_arrow_table(), good / "n.parquet")
assert (good / "n.parquet").stat().st_size
os.environ["XDG_CACHE_HOME"] = str(bad)  # nothing can be kept there
api.load([dump], good / "y.duckdb", run="r")
for target in (bad / "x.duckdb", bad / "lake"):
    try:
        api.load([dump], target, run="r", parquet=target.name == "lake")
    except OutputError as error:
        assert "no UTF-8" in str(error)
    else:
        raise AssertionError(target)
os.chdir(bad)
api.load([dump], "x.duckdb", run="r")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")
def test_databases_where_python_takes_names_for_ascii(tmp_path: Path) -> None:
    """Databases, lakes and Parquet files below an umlaut, the kept views too; names in no UTF-8 are
    refused in plain words, and can be named from within."""
    good, bad = tmp_path / "\xe4", tmp_path / os.fsdecode(b"caf\xe9")
    for folder in (good, bad):
        folder.mkdir()
    (tmp_path / "a.smf").write_bytes(DUMP)
    environment = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C"}
    environment["XDG_CACHE_HOME"] = str(good)
    words = [sys.executable, "-c", IN_ASCII, tmp_path / "a.smf", good, bad]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [file.suffix for file in good.glob("imsperf/schema-*")] == [".duckdb"]


def test_names_are_data_in_tables(evil: dict[str, str], tmp_path: Path) -> None:
    """csv, html, xlsx, json, md: no markup, no formula; programs get the name as it is."""
    import html
    import json

    db = tmp_path / "x.duckdb"
    names = ['=HYPERLINK("http://x")', "<script>alert(1)</script>", "@SUM(1)", "a|b", EVIL]
    with api.connect(evil["db"]) as store:
        rows = store.con.sql("SELECT unnest($n) AS name", params={"n": names}).to_arrow_table()
    from imsperf.reports import formats

    text = formats.render(rows, "csv")
    assert text.splitlines()[1].startswith("\"'=HYPER") and "\n'@SUM(1)" in text
    page = formats.render(rows, "html")
    assert "<script>" not in page and html.escape(names[1]) in page and "\x1b" not in page
    assert [load["name"] for load in json.loads(formats.render(rows, "json"))] == names
    assert "\x1b" not in formats.render(rows, "md") and "a\\|b" in formats.render(rows, "md")
    assert only_plain(formats.render(rows, "text"))
    book = tmp_path / "names.xlsx"
    formats.write(rows, book)
    with zipfile.ZipFile(book) as opened:
        sheet = opened.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet and "<script>" not in sheet and "\x1b" not in sheet
    assert sheet.count('t="inlineStr"') == 1 + len(names)  # and the heading
    table = tmp_path / "names.parquet"
    formats.write(rows, table)
    assert pq.read_table(table)["name"].to_pylist() == names
    assert not db.exists()


# --- paths that are no files ---------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX file types")
def test_what_is_no_file_is_named_and_never_waited_for(
    tmp_path: Path, db: Path, call: Callable[..., tuple[int, str, str]]
) -> None:
    """A pipe that nobody writes to, a device, links in circles, a link to nothing."""
    folder = tmp_path / "many"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "gone").symlink_to(tmp_path / "nothing")
    (folder / "up").symlink_to(tmp_path, target_is_directory=True)
    for name in (folder / "pipe", folder / "loop", folder / "gone", Path("/dev/zero")):
        for command in ("inspect", "doctor"):
            code, out, err = call(command, name)
            told = (out + err).lower()
            assert "pipe or a device" in told or "cannot be read" in told
        code, _, err = call("load", name, "--db", db)
        assert code == 1 and "hint:" in err
    assert call("load", folder, "--db", db)[0] == 1  # no dump among them
    (folder / "smf").write_bytes(DUMP)
    (folder / "link").symlink_to(folder / "smf")
    code, _, err = call("load", folder, "--db", db)
    assert code == 0 and "not loaded again" in err  # by its link, then by its name
    assert not (tmp_path / "nothing").exists()


def test_a_name_with_a_zero_byte(tmp_path: Path) -> None:
    with pytest.raises(DumpError):
        open_dump(str(tmp_path / "a\0b"))


# --- sizes that lie ------------------------------------------------------------------------------


def zip_that_says(size: int, packed: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("smf", DUMP)
    data = bytearray(out.getvalue())
    at = data.index(b"PK\1\2")
    for place in (18, at + 20):
        struct.pack_into("<II", data, place, packed, size)
    return bytes(data)


def tar_that_says(size: bytes) -> bytes:
    info = tarfile.TarInfo("smf")
    info.size = len(DUMP)
    head = bytearray(info.tobuf())
    head[124:136] = size.ljust(12, b"\0")
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head) + DUMP + bytes(-len(DUMP) % 512 + 1024)


def zst_that_says(size: int) -> bytes:
    """A frame with an 8-byte content size, one raw block (RFC 8878, 3.1.1)."""
    block = (len(DUMP) << 3 | 1).to_bytes(3, "little") + DUMP
    return b"\x28\xb5\x2f\xfd\xe0" + size.to_bytes(8, "little") + block


def gz_that_says(size: int) -> bytes:
    return gzip.compress(DUMP, mtime=0)[:-4] + size.to_bytes(4, "little")


GB4 = 0xFFFFFFFF
LIARS: dict[str, Callable[[], bytes]] = {
    "zip": lambda: zip_that_says(GB4 - 1, len(DUMP)),
    "zip packed": lambda: zip_that_says(len(DUMP), GB4 - 1),
    "zip64": lambda: zip_that_says(GB4, GB4),
    "gz": lambda: gz_that_says(GB4),
    "tar": lambda: tar_that_says(b"37777777777"),
    "tar base 256": lambda: tar_that_says(b"\x80" + bytes(6) + b"\x7f" + bytes(4)),
    "tar below zero": lambda: tar_that_says(b"\xff" * 12),
    "zst": lambda: zst_that_says(1 << 62),
    "terse": lambda: b"\2\1\0\0\4\0\0\0\x7f\xff\xff\xff" + tersed(RECORDS[:5])[12:],
    "xmit": lambda: transmission("5002", xmit_data(*RECORDS[:3]))[:-8] + b"\xff\x80" * 3,
    "length prefix": lambda: b"\xff\xff\xff\xff" + b"".join(
        len(record).to_bytes(4) + record for record in RECORDS
    ),
    "block": lambda: b"\xff\xff\xff\xff" + DUMP[4:],
}  # fmt: skip


def resident() -> int:
    """Bytes of memory that this process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE


@contextmanager
def bounded(most: int) -> Iterator[None]:
    """Memory must not grow by more than so many bytes meanwhile, looked at every few ms."""
    before, seen, done = resident(), [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.003):
            seen[0] = max(seen[0], resident() - before)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    assert seen[0] < most


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc")
@pytest.mark.parametrize("name", LIARS)
def test_sizes_that_claim_gigabytes(tmp_path: Path, name: str) -> None:
    """What is there is read or refused; no memory is taken for what is not."""
    path = tmp_path / "file"
    path.write_bytes(LIARS[name]())
    began = time.process_time()
    with bounded(200 << 20):
        seen = look(path)
    assert seen.outcome in ("problems", "refused") or name == "terse"
    assert time.process_time() - began < 20


@pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc")
def test_memory_that_is_taken_is_noticed() -> None:
    with pytest.raises(AssertionError), bounded(50 << 20):
        taken = np.ones(100 << 17)
        time.sleep(0.1)
    assert taken.nbytes > 50 << 20


# --- bombs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("nested", [False, True])
def test_what_unpacks_to_far_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nested: bool
) -> None:
    """Before the disk is full: a dump is not a thousand times smaller when it is packed."""
    monkeypatch.setattr(spool, "MEMORY", 1 << 20)
    monkeypatch.setattr(source, "_MUCH", 4 << 20)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    bomb = gzip.compress(bytes(64 << 20), mtime=0)
    if nested:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("smf.gz", bomb)
        bomb = out.getvalue()
    path = tmp_path / "bomb"
    path.write_bytes(bomb)
    with pytest.raises(DumpError, match="times as much as it is packed") as caught:
        list(source.open_sources(path))
    assert caught.value.hint and "unpack" in caught.value.hint
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bomb"]


# --- a disk that is full -------------------------------------------------------------------------

LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write past the limit fails instead
from imsperf.cli import main
import imsperf.loading.load, imsperf.database.store, imsperf.lake.writer
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
main(sys.argv[2:])
"""


def limited(most: int, *words: object) -> subprocess.CompletedProcess[str]:
    """A command in a process that may not make a file larger than so many bytes."""
    return subprocess.run(
        [sys.executable, "-P", "-c", LIMITED, str(most), *map(str, words)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dump of 12 MB that nothing makes smaller."""
    rng = np.random.default_rng(1)
    records = [smf(200, 1, rng.bytes(8000), time=n) for n in range(1500)]
    path = tmp_path_factory.mktemp("large") / "smf.bin"
    path.write_bytes(writer.vbs(records, 32760))
    return path


def one_message(done: subprocess.CompletedProcess[str], words: str) -> None:
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr and words in done.stderr, done.stderr
    errors = [line for line in done.stderr.splitlines() if line.startswith("imsperf: error")]
    assert len(errors) == 1 and "hint: " in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of file sizes")
@pytest.mark.parametrize("most", [4096, pytest.param(1_500_000, marks=pytest.mark.slow)])
def test_a_database_that_cannot_grow(tmp_path: Path, db: Path, large: Path, most: int) -> None:
    """One message, exit code 1; a new database is removed, an old one is as it was."""
    new = tmp_path / "new.duckdb"
    one_message(limited(most, "load", large, "--raw", "--db", new), "cannot be ")
    assert not list(tmp_path.glob("new.duckdb*"))
    known = content(db)
    room = max(most, db.stat().st_size + 4096)
    one_message(limited(room, "load", large, "--raw", "--db", db), "cannot be written")
    assert content(db) == known
    api.load([large], db, raw=True)
    assert content(db)[0][0] == known[0][0] and len(content(db)[0]) == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of file sizes")
def test_no_room_to_move_what_was_committed(tmp_path: Path, large: Path) -> None:
    """The load is done, and says that the database is two files now; the next one moves them."""
    db, small = tmp_path / "runs.duckdb", tmp_path / "small.bin"
    api.load([large], db, raw=True)
    rng = np.random.default_rng(2)
    records = [smf(200, 1, rng.bytes(8000), time=n) for n in range(100)]
    small.write_bytes(writer.vbs(records, 32760))
    done = limited(db.stat().st_size, "load", small, "--raw", "--db", db)
    log = tmp_path / "runs.duckdb.wal"
    assert done.returncode == 0, done.stderr
    assert log.stat().st_size > 800_000
    assert f"{log.stat().st_size:,} bytes of {db} stand in {log}" in done.stderr
    assert len(content(db)[0]) == 2
    again = tmp_path / "again.bin"
    again.write_bytes(writer.vbs(records[:1], 32760))
    done = limited(1 << 30, "load", again, "--raw", "--db", db, "--run", "other")
    assert done.returncode == 0 and "warning" not in done.stderr
    assert not log.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of file sizes")
@pytest.mark.slow
@pytest.mark.parametrize("most", [1000, 1_500_000])
def test_a_lake_that_cannot_grow(tmp_path: Path, dump: Path, large: Path, most: int) -> None:
    lake = tmp_path / "lake"
    one_message(limited(most, "load", large, "--raw", "--parquet", lake), "cannot be written")
    assert not lake.exists()
    api.load([dump], lake, parquet=True)
    known = content(lake)
    files = {path for path in lake.rglob("*") if path.is_file()}
    one_message(limited(most, "load", large, "--raw", "--parquet", lake), "cannot be written")
    assert content(lake) == known
    assert {path for path in lake.rglob("*") if path.is_file()} == files
    api.load([large], lake, raw=True)
    assert len(content(lake)[0]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of file sizes")
@pytest.mark.slow
def test_other_files_that_cannot_grow(tmp_path: Path, large: Path) -> None:
    """What extract and unpack were writing is removed; no room to unpack is said."""
    out = tmp_path / "out.bin"
    done = limited(100_000, "extract", large, "-o", out, "--types", "200")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
    packed = tmp_path / "smf.gz"
    packed.write_bytes(gzip.compress(large.read_bytes() * 20, 1))
    done = limited(100_000, "unpack", packed, "-o", tmp_path / "out")
    one_message(done, "smf.gz")
    assert not any(path.is_file() for path in (tmp_path / "out").rglob("*"))
    one_message(limited(100_000, "inspect", packed), "room")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 100 MB, where it may be made."""
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=100m", "tmpfs", str(place)]
    if sys.platform != "linux" or os.geteuid() or subprocess.run(words, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk(
    small_disk: Path, db: Path, dump: Path, large: Path, call: Callable[..., tuple[int, str, str]]
) -> None:
    """One message; the database and the lake on it are as they were."""
    db, lake = Path(shutil.move(db, small_disk / "x.duckdb")), small_disk / "lake"
    api.load([dump], lake, parquet=True)
    (small_disk / "fill").write_bytes(bytes(shutil.disk_usage(small_disk).free - (2 << 20)))
    known = content(db), content(lake)
    for place in (("--db", db), ("--parquet", lake)):
        code, _, err = call("load", large, "--raw", "--run", "x", *place)
        assert code == 1 and "cannot be written" in err, err
        assert err.count("imsperf: error") == 1 and "hint: " in err
    assert (content(db), content(lake)) == known


# --- who may not write, and who else does --------------------------------------------------------


@pytest.fixture
def read_only(tmp_path: Path, db: Path, dump: Path) -> Iterator[Path]:
    """A folder with a database in which nothing can be written."""
    place = tmp_path / "locked"
    place.mkdir()
    shutil.move(db, place / "x.duckdb")
    api.load([dump], place / "lake", parquet=True)
    if os.geteuid():
        for path in (*place.rglob("*"), place):
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield place
        for path in (place, *place.rglob("*")):
            path.chmod(0o755)
        return
    words = ["mount", "--bind", str(place), str(place)]
    again = ["mount", "-o", "remount,ro,bind", str(place)]
    if sys.platform != "linux" or subprocess.run(words, check=False).returncode:
        pytest.skip("the folder cannot be made read-only")
    subprocess.run(again, check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights")
def test_what_may_only_be_read(
    read_only: Path, dump: Path, call: Callable[..., tuple[int, str, str]]
) -> None:
    """Loads are told so; reports and queries work."""
    db, lake = read_only / "x.duckdb", read_only / "lake"
    for place in (("--db", db), ("--db", read_only / "new.duckdb"), ("--parquet", lake)):
        code, _, err = call("load", dump, "--run", "other", *place)
        assert code == 1 and "hint: " in err, err
        assert "cannot be" in err
    for place in (db, lake):
        assert call("report", "rmf.device", "--db", place)[0] == 0
        assert call("files", "--db", place)[0] == 0
    assert sorted(path.name for path in read_only.iterdir()) == ["lake", "x.duckdb"]


HOLD = """
import sys, time
import duckdb
con = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "read")
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["read", "write"])
def test_a_database_that_another_process_has_open(
    db: Path, dump: Path, call: Callable[..., tuple[int, str, str]], how: str
) -> None:
    """A load waits for nobody: one message, and it works when the other has gone."""
    words = [sys.executable, "-P", "-c", HOLD, str(db), how]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout and other.stdout.readline()
        code, _, err = call("load", dump, "--db", db, "--run", "y")
        assert code == 1 and "another process has it open" in err
        reports = call("report", "rmf.device", "--db", db)[0]
        assert reports == (0 if how == "read" else 1)
        assert other.stdin
        other.stdin.close()
    assert call("load", dump, "--db", db, "--run", "y")[0] == 0
    assert len(content(db)[0]) == 2


@pytest.mark.parametrize("place", ["--db", pytest.param("--parquet", marks=pytest.mark.slow)])
def test_two_loads_at_once(tmp_path: Path, dump: Path, place: str) -> None:
    """Each adds its run or says that the other is at it; what is there is whole."""
    target = tmp_path / "x"
    command = [sys.executable, "-P", "-m", "imsperf", "load", str(dump), place, str(target)]
    api.load([dump], target, run="first", parquet=place == "--parquet")
    both = [
        subprocess.Popen([*command, "--run", run], stderr=subprocess.PIPE, text=True)
        for run in ("a", "b")
    ]
    told = [process.communicate()[1] for process in both]
    codes = [process.returncode for process in both]
    assert set(codes) <= {0, 1} and 0 in codes
    for code, words in zip(codes, told, strict=True):
        assert "Traceback" not in words
        assert code == 0 or "another" in words
    with api.connect(target) as store:
        runs = {run for (run,) in store.con.execute("SELECT run FROM load_file").fetchall()}
        rows = store.scalar("SELECT count(*) FROM load_record")
    assert runs == {"first", *(run for run, code in zip("ab", codes, strict=True) if code == 0)}
    assert rows == len(RECORDS) * len(runs)


@pytest.mark.slow
def test_two_first_loads_at_once(tmp_path: Path, dump: Path) -> None:
    """Nobody removes the database that the other one is making."""
    target = tmp_path / "x.duckdb"
    command = [sys.executable, "-P", "-m", "imsperf", "load", str(dump), "--db", str(target)]
    both = [subprocess.Popen([*command, "--run", run], stderr=subprocess.PIPE) for run in "ab"]
    codes = [process.wait() for process in both]
    for process in both:
        assert process.stderr is not None
        process.stderr.close()
    assert codes.count(0) >= 1
    with api.connect(target) as store:
        assert store.scalar("SELECT count(*) FROM load_file") == codes.count(0)


# --- files that change while they are read -------------------------------------------------------


def appended(path: Path) -> None:
    with path.open("ab") as file:
        file.write(DUMP)


def replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(writer.rdw(RECORDS[:5]))
    other.replace(path)


def overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(DUMP[:100])
    os.utime(path, ns=(1, 1))


CHANGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "grown": (appended, "changed from"),
    "replaced": (replaced, "replaced"),
    "overwritten": (overwritten, "written to"),
    "removed": (Path.unlink, "removed"),
    "cut": (lambda path: os.truncate(path, 5000), "cut short|changed from"),
    "emptied": (lambda path: os.truncate(path, 0), "cut short|changed from"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="files may be removed under a reader")
def test_a_dump_that_is_gone_is_not_the_database(
    tmp_path: Path, dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Removed between its first look and its reading, it was told as a full disk."""

    def gone(*given: Any, **options: Any) -> Any:
        dump.unlink()
        return read_source(*given, **options)

    read_source = load.read_source
    monkeypatch.setattr(load, "read_source", gone)
    with pytest.raises(DumpError, match=f"{dump.name}: no such file"):
        api.load(dump, tmp_path / "x.duckdb")
    with pytest.raises(DumpError, match=f"{dump.name}: no such file"):
        source.sha256(dump)


@pytest.mark.skipif(sys.platform != "linux", reason="files may be changed under a reader")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("when", ["after the start", "after the first rows"])
def test_a_file_that_changes_while_it_is_read(
    tmp_path: Path, dump: Path, change: str, when: str
) -> None:
    """An error that says so; nothing of the file is taken."""
    act, words = CHANGES[change]
    dump.write_bytes(DUMP * 30)
    loaded = read_file(dump, 1, part_bytes=4000)
    if when == "after the first rows":
        next(loaded.batches)
    act(dump)
    with pytest.raises(DumpError, match=f"was ({words}).*while it was read") as caught:
        list(loaded.batches)
    assert caught.value.hint
    assert not mapped._slots[:, 0].any() or loaded is not None


@pytest.mark.skipif(sys.platform != "linux", reason="files may be changed under a reader")
def test_a_packed_file_that_is_cut_while_it_is_unpacked(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    path = tmp_path / "smf.gz"
    path.write_bytes(gzip.compress(writer.rdw([smf(200, 1, rng.bytes(9000))] * 200), 0))
    sources = source.open_sources(path, progress=lambda done: os.truncate(path, 50_000))
    with pytest.raises(DumpError, match="while it was read"):
        list(sources)


CUT_MEANWHILE = """
import os, sys, threading, time
import imsperf.loading.load, imsperf.database.store
from imsperf.parsers.framing import frames as framing
path, delay = sys.argv[1], float(sys.argv[2])
def cut():
    time.sleep(delay)
    os.truncate(path, 100)
real = framing.Dump._frames
def begun(self, limit):
    threading.Thread(target=cut).start()
    framing.Dump._frames = real
    yield from real(self, limit)
framing.Dump._frames = begun
from imsperf.cli import main
main(["load", path, "--db", sys.argv[3], "--raw"])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="files may be changed under a reader")
@pytest.mark.parametrize(
    "delay", [0.0, *(pytest.param(share, marks=pytest.mark.slow) for share in (0.01, 0.1))]
)
def test_a_file_that_is_cut_while_it_is_loaded(tmp_path: Path, delay: float) -> None:
    """No process dies of a bus error: one message, and the database is as it was."""
    dump, db = tmp_path / "smf.bin", tmp_path / "x.duckdb"
    dump.write_bytes(writer.vbs([smf(200, 1, bytes(range(256)) * 30)] * 9000, 32760))
    words = [sys.executable, "-P", "-c", CUT_MEANWHILE, str(dump), str(delay), str(db)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "while it was read" in done.stderr and "Traceback" not in done.stderr
    assert not db.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the handler is for Linux")
def test_other_bus_errors_are_left_alone(tmp_path: Path) -> None:
    """A file that somebody else maps is theirs: the signal does what it did before."""
    script = (
        "import mmap, os, sys\n"
        "from pathlib import Path\n"
        "from imsperf.parsers.containers.mapped import mapped\n"
        "ours, theirs = Path(sys.argv[1]), Path(sys.argv[2])\n"
        "buffer, watch = mapped(ours)\n"
        "file = theirs.open('rb')\n"
        "data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)\n"
        "os.truncate(ours, 0)\n"
        "assert not buffer.any() and watch.slot is not None\n"
        "os.truncate(theirs, 0)\n"
        "print('before', flush=True)\n"
        "data[5000]\n"
    )
    for name in ("ours", "theirs"):
        (tmp_path / name).write_bytes(b"x" * 9000)
    words = [sys.executable, "-P", "-c", script, str(tmp_path / "ours"), str(tmp_path / "theirs")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-7, "before\n"), done.stderr


def test_slots_are_given_back(dump: Path) -> None:
    """Any number of files at a time: those past the slots are not watched."""
    held = [mapped.mapped(dump) for _ in range(300)]
    slots = [watch.slot for _, watch in held]
    assert len({slot for slot in slots if slot is not None}) == len(slots) - slots.count(None)
    del held
    again = mapped.mapped(dump)[1]
    assert again.slot is not None or sys.platform != "linux"


# --- stopped by hand -----------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_load_that_is_interrupted(db: Path, large: Path) -> None:
    """Ctrl-C: one word, exit code 130 as shells say it, the database as it was."""
    known = content(db)
    script = (
        "import sys, time, signal, os\n"
        "from imsperf.database import store\n"
        "real = store.Store.append\n"
        "def append(self, table, rows):\n"
        "    if table == 'load_file':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        while True: time.sleep(0.01)  # until the signal is seen, by whichever thread\n"
        "    real(self, table, rows)\n"
        "store.Store.append = append\n"
        "from imsperf.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    words = [sys.executable, "-P", "-c", script, "load", str(large), "--db", str(db)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (130, False), done.stderr
    assert "stopped" in done.stderr
    assert content(db) == known


def test_every_member_is_inspected(
    tmp_path: Path, call: Callable[..., tuple[int, str, str]]
) -> None:
    """Of an archive: what is no dump is passed over."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("readme.txt", "what this is\n" * 100)
        archive.writestr("one", DUMP)
        archive.writestr("two", writer.rdw(RECORDS[:9]))
    code, out, err = call("inspect", tmp_path / "a.zip", "--format", "csv")
    assert code == 0 and "passed over" in err
    assert sum(int(line.split(",")[5]) for line in out.splitlines()[1:]) == len(RECORDS) + 9
