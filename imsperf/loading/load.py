"""Loading: files and the members of archives into a store, with their rows of the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from imsperf.database.store import open_store
from imsperf.errors import ImsperfError
from imsperf.loading.loaded_file import LoadedFile
from imsperf.loading.notes import (
    Intervals,
    WithIntervals,
    file_row,
    keep_unread,
    lost_row,
    place_of,
    problem_row,
    run_config_rows,
)
from imsperf.loading.repeats import loaded_before, repeated
from imsperf.loading.texts import SECTION, enter_text, texts_in
from imsperf.parsers.containers.source import Source, storable
from imsperf.parsers.displays import display_text
from imsperf.parsers.kernels import first_start
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.problems import raise_on_damage
from imsperf.parsers.read import dumps_in, read_source
from imsperf.parsers.rows import Columns
from imsperf.parsers.selection import EVERYTHING, Keep, Selection

if TYPE_CHECKING:
    from imsperf.database.store import Store


@dataclass(frozen=True)
class Job:
    """What a load is asked to do.

    For rows that are asked once (imsperf.direct): without `hashes` of records, NoHashesError is
    raised where a file may have some of another. Without `fingerprint` the ledger has no SHA-256,
    without `notes` run.toml is not read. `columns` are those to be decoded, by table, None for all,
    and `about` says of which records of intervals (Keep). `counts`: with these columns, load_count
    and load_interval tell of all records.
    """

    options: ReadOptions
    run: str | None = None
    strict: bool = False
    unread: Path | None = None
    hashes: bool = True
    fingerprint: bool = True
    notes: bool = True
    columns: Columns | None = None
    about: Selection = EVERYTHING
    counts: bool = False


def load_into(
    db: Path,
    dumps: Sequence[Path],
    job: Job,
    *,
    parquet: bool = False,
    threads: int | None = None,
) -> list[LoadedFile]:
    """Load files into a database or a lake, which is made if there is none, by this process.

    Raises DumpError for a file that holds no dump, StoreError or ImsperfError where `db` cannot be
    written; it is then as it was. `threads`: of DuckDB.
    """
    first_start.begin()
    memory = job.options.memory
    if parquet or db.is_dir():
        return _load_into_lake(db, dumps, job, parquet)
    with (
        _disk_errors(db),
        open_store(db, create=True, memory=memory, threads=threads) as store,
        store.transaction(),
    ):
        return load_files(store, dumps, job)


def _load_into_lake(lake: Path, dumps: Sequence[Path], job: Job, create: bool) -> list[LoadedFile]:
    """Load files into a lake; again where another load of the same run was faster."""
    from imsperf.lake.writer import make_lake, open_staging, write_errors

    with write_errors(lake), make_lake(lake, create) as place:
        while True:
            with open_staging(lake, place, job.options.memory) as staging:
                done = load_files(staging, dumps, job)
                if staging.publish({file.run for file in done}):
                    return done


class _disk_errors:
    """Turn what DuckDB says of a full disk or a lost file into an error of ours."""

    def __init__(self, db: Path) -> None:
        self.db = db

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, at: object) -> None:
        import duckdb

        broken = (duckdb.IOException, duckdb.TransactionException, duckdb.FatalException, OSError)
        if isinstance(error, broken):
            first = str(error).splitlines()[0]
            raise ImsperfError(
                f"{self.db}: cannot be written: {first}",
                "free space, or name a --db file elsewhere; the database is as it was",
            ) from error


def load_files(store: Store, dumps: Sequence[Path], job: Job) -> list[LoadedFile]:
    """Load all files into an open transaction. Raises DumpError for a file that holds no dump."""
    named = [path for path in dumps if display_text(path) is not None]
    done = [
        _load_one(store, source, job.run or storable(path.resolve().parent.name), job)
        for path in dumps
        if path not in named
        for source in dumps_in(path, job.options.passed_over, job.options.framing, lost=True)
    ]
    return [*done, *enter_beside(store, done, named, job)]


def enter_beside(
    store: Store, done: Sequence[LoadedFile], named: Sequence[Path], job: Job
) -> list[LoadedFile]:
    """Enter what stands beside dumps that were loaded: run.toml, displays; and displays that were
    `named`. What became of the displays."""
    entered = list[LoadedFile]()
    if job.notes:
        for name, folder in sorted({(file.run, file.path.resolve().parent) for file in done}):
            _load_config(store, name, folder / "run.toml")
    beside = {(file.run, file.path.parent) for file in done}
    texts = {
        (run, text.resolve()): (text, False)
        for run, folder in sorted(beside)
        for text in texts_in(folder)
    }
    texts |= {(job.run or storable(p.resolve().parent.name), p.resolve()): (p, True) for p in named}
    for (run, path), (shown, strict) in texts.items():
        rows, problems = enter_text(store, run, path, strict=strict)
        if rows or problems:
            size = path.stat().st_size
            file = LoadedFile(path, str(shown), run, 0, size, rows, rows, decoded=rows)
            file.framing, file.problems = "text", problems
            entered.append(file)
    return entered


def _load_lost(store: Store, source: Source, run: str, job: Job) -> LoadedFile:
    """Enter a member of which nothing could be unpacked: its problems are its rows, once."""
    if job.strict:
        raise_on_damage(source.name, source.problems, "nothing was loaded")
    file_id = store.next_file_id()
    result = LoadedFile(source.path, source.name, run, file_id, 0, problems=source.problems)
    there = "SELECT count(*) FROM load_file WHERE run = ? AND path = ? AND records = 0"
    if store.scalar(there, [run, place_of(source)]):
        result.skipped = "nothing could be unpacked then, as now"
        return result
    store.append_rows("load_problem", [problem_row(file_id, p) for p in source.problems])
    store.append_rows("load_file", [lost_row(source, file_id, run)])
    return result


def _load_one(store: Store, source: Source, run: str, job: Job) -> LoadedFile:
    if not source.buffer.size:
        return _load_lost(store, source, run, job)
    file_id = store.next_file_id()
    selection = job.options.selection
    columns = job.columns
    if job.counts and columns is not None:
        columns = WithIntervals(columns)
    keep = Keep(selection, None, job.hashes, columns, job.about, job.counts)
    loaded = read_source(source, file_id, job.options, keep=keep)
    result = LoadedFile(loaded.path, loaded.name, run, file_id, loaded.bytes)
    if earlier := loaded_before(store, loaded, run, selection):
        result.skipped = f"the same bytes are in run {run!r} already, from {earlier}"
        return result
    there = repeated(store, run, loaded, has_hashes=job.hashes)
    if there is not None:
        loaded = read_source(source, file_id, job.options, keep=replace(keep, there=there))
    fingerprint = job.fingerprint and not selection
    if fingerprint:
        loaded.hash_in_background()
    intervals = Intervals()
    store.append_batches(intervals.watch(loaded.batches))
    if job.strict:
        raise_on_damage(loaded.name, loaded.problems, "nothing was loaded")
    counts = [{"file_id": file_id, **row} for row in loaded.counts]
    result.records, result.framing, result.kept = loaded.records, loaded.framing, loaded.kept
    result.problems, result.repeated = list(loaded.problems), loaded.repeated
    result.decoded = sum(row["loaded"] for row in counts)
    if job.unread is not None:
        result.unread = keep_unread(job.unread, source, loaded.problems)
    store.append_rows("load_count", counts)
    store.append_rows("load_interval", intervals.rows(file_id))
    store.append_rows("load_problem", [problem_row(file_id, p) for p in loaded.problems])
    store.append_rows("load_file", [file_row(loaded, result, selection, fingerprint)])
    return result


def _load_config(store: Store, run: str, file: Path) -> None:
    """The run's own description, once."""
    there = "SELECT count(*) FROM run_config WHERE run = ? AND section <> ?"
    if file.is_file() and not store.scalar(there, [run, SECTION]):
        store.append_rows("run_config", run_config_rows(run, file))
