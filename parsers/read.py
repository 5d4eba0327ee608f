"""Read a file: what is in it, and its records as Arrow batches by table."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from imsperf.errors import DumpError
from imsperf.kinds import DEFAULT_CODEPAGE
from imsperf.layouts.profile import Profile
from imsperf.parsers.containers.source import (
    Source,
    fingerprint,
    open_source,
    open_sources,
    stored_bytes,
    with_rest,
)
from imsperf.parsers.displays import display_text
from imsperf.parsers.evidence.verdict import LOADED, Fate
from imsperf.parsers.framing.frames import (
    PART_BYTES,
    Dump,
    Part,
    dump_of,
    refused,
    why_no_dump,
)
from imsperf.parsers.ims import LogFileReader
from imsperf.parsers.kernels.hashing import sample
from imsperf.parsers.kernels.loads import read_only
from imsperf.parsers.options import PassedOver, Progress, ReadKeywords, ReadOptions
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import Batch
from imsperf.parsers.selection import EPOCH, EVERY_RECORD, Keep
from imsperf.parsers.smf import SmfReader
from imsperf.parsers.smf_headers import subsystem_names

Reader = SmfReader | LogFileReader
EVERYTHING = ReadOptions()

_ROOM, _WALKED = 1 << 30, 16  # bytes, where nothing is said; a share of it is walked at a time
_TOLD = ("run.toml", "truth.toml")  # files of a run's folder that are no dumps
_MOST_NAMES = 5  # of folders in a folder, in a message

INSPECT_SCHEMA = pa.schema(
    [
        ("file", pa.string()),
        ("kind", pa.string()),
        ("system", pa.string()),
        ("type", pa.string()),
        ("subtype", pa.string()),
        ("records", pa.int64()),
        ("bytes", pa.int64()),
        ("first", pa.timestamp("us")),
        ("last", pa.timestamp("us")),
        ("subsystem", pa.string()),  # who wrote them, by the header: a queue manager, JES2, RMF
    ]
)


class Loaded:
    """A file, or a member of one, that is being read.

    `batches` gives (table, rows) once. `records`, `kept`, `counts`, `problems`, `first` and `last`
    are complete when it has been read to its end. `bytes` is the size on disk, or of the member.
    """

    def __init__(self, dump: Dump, reader: Reader) -> None:
        source = dump.source
        self.path, self.name, self.container = source.path, source.name, source.container
        self.kind = dump.kind
        self.bytes = len(source.buffer) if source.member else stored_bytes(source.path)
        self.batches: Iterator[Batch] = iter(())
        self._dump, self._reader = dump, reader
        self._fingerprint: Future[str] | None = None
        self._sample = self._sha256 = ""

    @property
    def framing(self) -> str:
        """How records are framed; spanned ones may tell themselves late."""
        return self._dump.framing

    @property
    def records(self) -> int:
        """Logical records in the file."""
        return self._dump.records

    @property
    def kept(self) -> int:
        """Records that were wanted and are new."""
        return self._reader.kept

    @property
    def repeated(self) -> int:
        """Records that were wanted but are there already."""
        return self._reader.repeated

    @property
    def sha256(self) -> str:
        """Hash of the file as it is on disk, or of the member, in hex."""
        if not self._sha256:
            background = self._fingerprint
            self._sha256 = background.result() if background else fingerprint(self._dump.source)
        return self._sha256

    @property
    def sample(self) -> str:
        """Hash of the size and of sampled blocks of the unpacked bytes, in hex."""
        return self._sample or sample(self._dump.source.buffer)

    def parts(self) -> Iterator[Part]:
        """The records again."""
        return self._dump.parts()

    def survey(self) -> Loaded:
        """The same file with its headers read: `records`, `first`, `last` and `untimed`."""
        return _surveyed(Dump(self._dump.source, self._dump.evidence))

    def is_hashed_as(self, sha256: str) -> None:
        """Its fingerprint, which somebody else made."""
        self._sha256 = sha256

    def release(self) -> None:
        """Let go of the bytes: what is known of them stays."""
        self._sample, source = self.sample, self._dump.source
        nothing = read_only(np.empty(0, np.uint8))
        self._dump.source = replace(source, buffer=nothing, before=nothing, watch=None)

    def hash_in_background(self) -> None:
        """Begin to hash the file while it is read."""
        hasher = ThreadPoolExecutor(1, "sha256")
        self._fingerprint = hasher.submit(fingerprint, self._dump.source)
        hasher.shutdown(wait=False)

    @property
    def problems(self) -> list[Problem]:
        """What could not be read, in the order of the file."""
        all_problems = [*self._dump.problems, *self._reader.problems]
        return sorted(all_problems, key=lambda problem: problem.byte_offset)

    @property
    def untimed(self) -> int:
        """Records without a valid time."""
        return self._reader.census.untimed

    @property
    def first(self) -> datetime | None:
        """Time of the earliest record: SMF local time, IMS log UTC."""
        return _time(self._reader.census.span()[0])

    @property
    def last(self) -> datetime | None:
        """Time of the latest record."""
        return _time(self._reader.census.span()[1])

    @property
    def counts(self) -> list[dict[str, Any]]:
        """Rows of `load_count`, without file_id."""
        return [
            {
                "kind": self.kind, "system": system, "type": kind, "subtype": subtype,
                "records": tally.records, "bytes": tally.bytes, "loaded": tally.loaded,
                "first": _time(tally.first), "last": _time(tally.last),
            }
            for system, kind, subtype, tally in self._reader.counts()
        ]  # fmt: skip

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows of `imsperf inspect`, by system, type and subtype."""
        tallies = [
            {
                "file": self.name, "kind": self.kind, "system": system, "type": kind,
                "subtype": subtype, "records": tally.records, "bytes": tally.bytes,
                "first": _time(tally.first), "last": _time(tally.last),
                "subsystem": subsystem_names(tally.subsystems, self._reader.code_page),
            }
            for system, kind, subtype, tally in self._reader.counts()
        ]  # fmt: skip
        return sorted(tallies, key=_by_number)

    @property
    def schema(self) -> pa.Schema:
        """Arrow schema of `rows`."""
        return INSPECT_SCHEMA


def read_file(
    path: str | Path, file_id: int, *, keep: Keep | None = None, **options: Unpack[ReadKeywords]
) -> Loaded:
    """Open a dump for loading: the file, or its first member; `options` as in ReadOptions."""
    return read_source(open_source(Path(path)), file_id, ReadOptions.of(**options), keep=keep)


def read_source(
    source: Source,
    file_id: int,
    options: ReadOptions = EVERYTHING,
    *,
    keep: Keep | None = None,
) -> Loaded:
    """Open a dump for loading. Raises DumpError if it is none, LayoutError for an unknown profile.

    `keep` says more of which records are wanted than the options do: by itself those they choose.
    """
    dump = dump_of(source)
    if keep is None:
        keep = Keep(options.selection)
    most, part_bytes = None, options.bytes_at_a_time
    if part_bytes and keep.columns is not None and dump.kind == "smf":
        # of a part of the file, few records are decoded: each part has its price
        most = part_bytes
        part_bytes = max(most, min(PART_BYTES["smf"], (options.memory or _ROOM) // _WALKED))
    loaded = Loaded(
        dump,
        reader_of(
            dump,
            file_id,
            options.codepage,
            options.raw,
            options.profile,
            keep,
            Fate(options.drop_suspect),
            most,
        ),
    )
    loaded.batches = _batches(loaded, options.progress, part_bytes)
    return loaded


def inspect(path: str | Path, *, codepage: str = DEFAULT_CODEPAGE) -> Loaded:
    """What is in a file, or in its first member. See `inspect_source`."""
    return inspect_source(open_source(Path(path)), codepage=codepage)


def inspect_source(source: Source, *, codepage: str = DEFAULT_CODEPAGE) -> Loaded:
    """What is in a dump: `rows`, `framing`, `records` and `problems`. Decodes headers only."""
    return _surveyed(dump_of(source), codepage)


def _surveyed(dump: Dump, codepage: str = DEFAULT_CODEPAGE) -> Loaded:
    reader = reader_of(dump, codepage=codepage)
    for part in dump.parts():
        reader.survey(part)
    reader.finish()
    return Loaded(dump, reader)


def dumps_in(
    path: Path, passed_over: PassedOver, framing: str = "", *, lost: bool = False
) -> Iterator[Source]:
    """A file, or the dumps among its members; `passed_over` is told of members that are none.

    `framing` overrides what the bytes say (framings.py). `lost`: members of which nothing could be
    unpacked are given too, with their problems and without bytes.

    Raises DumpError for a file that is no dump and holds none.
    """
    any_dump, failed, gone = False, list[DumpError](), list[Source]()
    for source in (replace(packed, framing=framing) for packed in open_sources(path)):
        why = refused(source)
        if why is None:
            any_dump = True
            yield from with_rest(source)
        elif not source.member and not (any_dump and not source.buffer.size):
            raise why
        else:
            failed.append(why)
            passed_over(Path(source.name), why.message)
            if lost and any(problem.severity != "info" for problem in source.problems):
                gone.append(source)
        if any_dump:
            yield from gone
            gone.clear()
    if failed and not any_dump:
        raise failed[0]


def expand_paths(paths: Sequence[str | Path], passed_over: PassedOver | None = None) -> list[Path]:
    """The dump files that files, directories and globs stand for, each once.

    Of a directory, the files in it that are dumps; `passed_over` is told of each other file and
    why it is none, but for those that tell of a run. Raises DumpError where there is no dump.
    """
    files: dict[Path, None] = {}
    for path in paths:
        files.update(
            dict.fromkeys(_expanded(Path(path), passed_over or (lambda problem_file, why: None)))
        )
    return list(files)


def files_in(folder: Path, passed_over: PassedOver) -> list[Path]:
    """The files in a folder but hidden ones, by name; `passed_over` is told of what else is there.

    Raises DumpError, which names the folders in it, where it has no files.
    """
    entries = sorted(entry for entry in folder.iterdir() if entry.name[0] != ".")
    files = [entry for entry in entries if entry.is_file()]
    folders = [entry.name for entry in entries if entry.is_dir()]
    named = ", ".join(folders[:_MOST_NAMES]) + (" ..." if len(folders) > _MOST_NAMES else "")
    count = f"{len(folders):,} folder{'s' if len(folders) > 1 else ''}"
    inside = f"{count} in it: {named}; name each, or all of them: '{folder}/*/'" if folders else ""
    if not files:
        raise DumpError(f"{folder}: found a folder without files", inside or "name a dump")
    for entry in entries:
        if not entry.is_file() and not entry.is_dir():
            found = "a link to nothing" if entry.is_symlink() else "a pipe or a device"
            passed_over(entry, f"{entry}: found {found}, expected a file")
    if inside:
        passed_over(folder, f"{folder}: {inside}")
    return files


def _expanded(path: Path, passed_over: PassedOver) -> Iterable[Path]:
    if path.is_dir():
        files = files_in(path, passed_over)
        reasons = {file: why_no_dump(file) for file in files if not _told(file)}
        for candidate, why in reasons.items():
            if why:
                passed_over(candidate, why)
        dumps = [hit for hit, why in reasons.items() if not why]
        if not dumps:
            raise DumpError(
                f"{path}: found no dump among {len(files):,} files, expected SMF dumps or IMS logs",
                "name a file to see why it is not read",
                path=path,
            )
        return dumps
    if not path.exists() and glob.has_magic(str(path)):
        # Path.glob takes no absolute pattern.
        hits = sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207
        if not hits:
            raise DumpError(f"{path}: found no file of that pattern", "check the name", path=path)
        return [path_inside for hit in hits for path_inside in _expanded(Path(hit), passed_over)]
    return [path]


def _told(file: Path) -> bool:
    """Whether a file of a run's folder is no dump, but tells of the run."""
    return file.name in _TOLD or display_text(file) is not None


def reader_of(
    dump: Dump,
    file_id: int = 0,
    codepage: str = DEFAULT_CODEPAGE,
    raw: bool = False,
    profile: str | Profile | None = None,
    keep: Keep = EVERY_RECORD,
    fate: Fate = LOADED,
    most: int | None = None,
) -> Reader:
    """What makes batches of the parts of a dump; `most`: see SmfReader."""
    if dump.kind == "smf":
        return SmfReader(file_id, codepage, raw, dump.parts, keep, fate, most=most)
    return LogFileReader(dump, file_id, codepage, raw, profile, keep, fate)


def _batches(loaded: Loaded, progress: Progress | None, part_bytes: int | None) -> Iterator[Batch]:
    """Batches part by part. Progress is in bytes on disk, also where the file is packed."""
    dump, reader = loaded._dump, loaded._reader
    done, share = 0, loaded.bytes / max(1, dump.bytes)
    for part in dump.parts(part_bytes):
        yield from reader.read(part)
        now = min(loaded.bytes, done + int(int(part.length.sum()) * share))
        if progress:
            progress(now - done)
        done = now
    if progress:
        progress(loaded.bytes - done)
    yield from reader.rest()
    reader.finish()


def _time(us: int | None) -> datetime | None:
    return None if us is None else EPOCH + timedelta(microseconds=us)


def _by_number(row: dict[str, Any]) -> tuple[Any, ...]:
    """Order of inspect rows: system, then type and subtype as numbers."""
    numbers = (int(row[key], 16) if row[key] else -1 for key in ("type", "subtype"))
    return (row["system"] or "", *numbers)
