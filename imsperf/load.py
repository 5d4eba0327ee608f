"""Loading: files and the members of archives into a store, with their rows of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imsperf.errors import DumpError
from imsperf.intervals import Intervals
from imsperf.parsers.framing import refused
from imsperf.parsers.problems import Problem
from imsperf.parsers.read import Loaded, Progress, read_source
from imsperf.parsers.selection import Keep, Selection
from imsperf.parsers.source import Source, open_sources
from imsperf.repeats import repeated
from imsperf.store import run_config_rows

if TYPE_CHECKING:
    from imsperf.layouts.profile import Profile
    from imsperf.store import Store


@dataclass(frozen=True)
class Job:
    """What a load is asked to do."""

    run: str | None
    selection: Selection
    strict: bool
    raw: bool
    profile: str | Profile | None
    codepage: str
    progress: Progress | None
    passed_over: Callable[[Path, str], None]
    part_bytes: int | None = None


@dataclass
class LoadedFile:
    """What became of one file, or of one member of an archive."""

    path: Path
    name: str
    run: str
    file_id: int
    bytes: int
    records: int = 0  # in the file
    kept: int = 0  # added to the run
    repeated: int = 0  # that the run had
    decoded: int = 0
    framing: str = ""
    problems: list[Problem] = field(default_factory=list)
    skipped: str = ""  # why nothing was loaded from it; empty when it was


def load_files(store: Store, dumps: Sequence[Path], job: Job) -> list[LoadedFile]:
    """Load all files into an open transaction. Raises DumpError for a file that holds no dump."""
    done = [one for path in dumps for one in _members(store, path, job)]
    for name, folder in sorted({(one.run, one.path.resolve().parent) for one in done}):
        _load_config(store, name, folder / "run.toml")
    return done


def _members(store: Store, path: Path, job: Job) -> Iterator[LoadedFile]:
    """The dumps in a file; members that are none are passed over if another one is."""
    run = job.run or path.resolve().parent.name
    found, failed = 0, list[DumpError]()
    for source in open_sources(path):
        why = refused(source)
        if why is not None and not source.member:
            raise why
        if why is not None:
            failed.append(why)
            job.passed_over(Path(source.name), why.message)
            continue
        found += 1
        yield _load_one(store, source, run, job)
    if not found and failed:
        raise failed[0]


def _load_one(store: Store, source: Source, run: str, job: Job) -> LoadedFile:
    file_id = store.next_file_id()
    options: dict[str, Any] = {"raw": job.raw, "profile": job.profile, "codepage": job.codepage}
    options |= {"progress": job.progress, "part_bytes": job.part_bytes}
    keep = Keep(job.selection, hashes=True)
    loaded = read_source(source, file_id, keep=keep, **options)
    result = LoadedFile(loaded.path, loaded.name, run, file_id, loaded.bytes)
    if earlier := _loaded_before(store, loaded, run, job.selection):
        result.skipped = f"the same bytes are in run {run!r} already, from {earlier}"
        return result
    there = repeated(store, run, loaded)
    if there is not None:
        keep = Keep(job.selection, there, hashes=True)
        loaded = read_source(source, file_id, keep=keep, **options)
    if not job.selection:
        loaded.hash_in_background()
    intervals = Intervals()
    store.append_batches(intervals.watch(loaded.batches))
    if job.strict:
        _raise_on_damage(loaded)
    counts = [{"file_id": file_id, **row} for row in loaded.counts]
    result.records, result.framing, result.kept = loaded.records, loaded.framing, loaded.kept
    result.problems, result.repeated = list(loaded.problems), loaded.repeated
    result.decoded = sum(row["loaded"] for row in counts)
    store.append_rows("load_count", counts)
    store.append_rows("load_interval", intervals.rows(file_id))
    store.append_rows("load_problem", [_problem_row(file_id, p) for p in loaded.problems])
    store.append_rows("load_file", [_file_row(loaded, result, job.selection)])
    store.file_done()
    return result


def _loaded_before(store: Store, loaded: Loaded, run: str, selection: Selection) -> str | None:
    """Where the same bytes were loaded from in this run, with the same or no selection.

    A whole load is told by its SHA-256, made only where a file of equal size and sample is there;
    a selective one by size and sample alone.
    """
    same = (
        "SELECT path FROM load_file WHERE run = ? AND bytes = ? AND sample = ? "
        "AND (selection IS NULL OR selection = ?)"
    )
    known = [run, loaded.bytes, loaded.sample, str(selection)]
    earlier: str | None = store.scalar(same, known)
    if earlier is None or selection:
        return earlier
    earlier = store.scalar(f"{same} AND sha256 = ?", [*known, loaded.sha256])
    return earlier


def _raise_on_damage(loaded: Loaded) -> None:
    for problem in loaded.problems:
        if problem.severity != "info":
            raise DumpError(
                f"{loaded.name}: byte {problem.byte_offset:,}: {problem.reason}: {problem.detail}",
                "nothing was loaded; without --strict the rest of the file loads",
                problem=problem,
            )


def _problem_row(file_id: int, problem: Problem) -> dict[str, Any]:
    return {
        "file_id": file_id,
        "record_no": problem.record_no,
        "byte_offset": problem.byte_offset,
        "bytes": problem.bytes,
        "type": problem.type,
        "subtype": problem.subtype,
        "severity": problem.severity,
        "reason": problem.reason,
        "detail": problem.detail,
    }


def _file_row(loaded: Loaded, result: LoadedFile, selection: Selection) -> dict[str, Any]:
    damaged = any(p.severity != "info" for p in loaded.problems)
    return {
        "file_id": result.file_id,
        "run": result.run,
        "path": loaded.name,
        "sha256": None if selection else loaded.sha256,
        "sample": loaded.sample,
        "selection": str(selection) or None,
        "bytes": loaded.bytes,
        "container": loaded.container,
        "framing": loaded.framing,
        "kind": loaded.kind,
        "records": loaded.records,
        "kept": result.kept,
        "repeated": result.repeated,
        "first": loaded.first,
        "last": loaded.last,
        "loaded_at": datetime.now(UTC).replace(tzinfo=None),
        "status": "damaged" if damaged else "whole",
    }


def _load_config(store: Store, run: str, file: Path) -> None:
    """The run's own description, once."""
    if file.is_file() and not store.scalar("SELECT count(*) FROM run_config WHERE run = ?", [run]):
        store.append_rows("run_config", run_config_rows(run, file))
