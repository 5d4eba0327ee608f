"""Extracting: some records of dumps to a smaller dump, untouched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.errors import DumpError
from imsperf.parsers.containers.source import Source, stored_bytes
from imsperf.parsers.dump_writer import DumpForm, DumpWriter, in_order
from imsperf.parsers.framing.forms import DumpKind
from imsperf.parsers.framing.frames import Dump, Part, dump_of
from imsperf.parsers.ims import LogFileReader
from imsperf.parsers.options import Progress, ReadOptions
from imsperf.parsers.problems import Problem
from imsperf.parsers.read import dumps_in
from imsperf.parsers.selection import Keep, Selection
from imsperf.parsers.smf import SmfReader


@dataclass(frozen=True)
class Request:
    """What an extract is asked for. Of the options, `raw`, `profile` and `memory` say nothing."""

    options: ReadOptions
    form: DumpForm
    force: bool


@dataclass
class ExtractedFile:
    """What became of one file, or of one member of an archive. Bytes are those of its records.

    `context` counts the records that were not asked for but say how others are read: dictionaries
    of CICS regions, the signature of a synthetic log.
    """

    name: str
    kind: DumpKind
    framing: str = ""
    records: int = 0
    bytes: int = 0
    kept: int = 0
    kept_bytes: int = 0
    context: int = 0
    problems: list[Problem] = field(default_factory=list)


def extract_files(dumps: Sequence[Path], out: Path, asked: Request) -> list[ExtractedFile]:
    """Write the records that are wanted to `out`, in the order of the dumps.

    Raises DumpError for a file that holds no dump, for SMF dumps and logs together, and where
    nothing is wanted; then nothing is written.
    """
    _check_names(dumps, out)
    done: list[ExtractedFile] = []
    with DumpWriter(out, asked.form, replace=asked.force) as writer:
        for path in dumps:
            for dump in _dumps(path, asked):
                if done and done[0].kind != dump.kind:
                    raise _mixed(done[0], dump)
                done.append(ExtractedFile(dump.source.name, dump.kind))
                _extract_one(dump, writer, asked, done[-1])
        if not any(extracted.kept for extracted in done):
            records = sum(extracted.records for extracted in done)
            raise DumpError(
                f"{out}: found none of {records:,} records that was asked for; nothing is written",
                "`imsperf inspect` shows what is there: systems, types, times",
                path=out,
            )
    return done


def _check_names(dumps: Sequence[Path], out: Path) -> None:
    for path in dumps:
        if path.resolve() == out.resolve():
            raise DumpError(
                f"{out}: found it among the files to read, expected another name",
                "name another file with -o",
                path=out,
            )


def _mixed(first: ExtractedFile, other: Dump) -> DumpError:
    words = {"smf": "an SMF dump", "ims": "an IMS log"}
    return DumpError(
        f"{other.source.name}: found {words[other.kind]} after {words[first.kind]} ({first.name}), "
        "expected dumps of one kind",
        "extract each kind into a file of its own, or choose one with --types",
        path=other.path,
    )


def _dumps(path: Path, asked: Request) -> Iterator[Dump]:
    """The dumps in a file; members that are none, or of a kind not asked for, are passed over."""
    for source in dumps_in(path, asked.options.passed_over, asked.options.framing):
        dump = dump_of(source)
        if _may_hold(dump, asked.options.selection):
            yield dump
        else:
            words = f"{source.name}: holds {dump.kind} records, which were not asked for"
            asked.options.passed_over(Path(source.name), words)


def _may_hold(dump: Dump, selection: Selection) -> bool:
    return not selection.types or any(type_.kind == dump.kind for type_ in selection.types)


def _extract_one(dump: Dump, writer: DumpWriter, asked: Request, result: ExtractedFile) -> None:
    reader: SmfReader | LogFileReader
    keep = Keep(asked.options.selection)
    if dump.kind == "smf":
        reader = SmfReader(0, asked.options.codepage, False, dump.parts, keep)
    else:
        reader = LogFileReader(dump, 0, asked.options.codepage, False, None, keep)

    def some() -> Iterator[Part]:
        for part in _with_progress(dump, asked.options.progress):
            is_wanted, context = reader.chosen(part)
            result.bytes += _size(part)
            result.kept_bytes += _size(part.take(is_wanted))
            result.kept += int(np.count_nonzero(is_wanted))
            result.context += int(np.count_nonzero(context & ~is_wanted))
            yield part.take(is_wanted | context)

    for pair in in_order(some()):
        writer.write(*pair)
    result.records, result.framing, result.problems = dump.records, dump.framing, dump.problems


def _size(part: Part) -> int:
    return int(part.length.sum(dtype=np.int64))


def _with_progress(dump: Dump, progress: Progress | None) -> Iterator[Part]:
    """The records; progress is in bytes on disk, also where the file is packed."""
    stored, done = _stored(dump.source), 0
    share: Any = stored / max(1, dump.bytes)
    for part in dump.parts():
        yield part
        now = min(stored, done + int(_size(part) * share))
        if progress:
            progress(now - done)
        done = now
    if progress:
        progress(stored - done)


def _stored(source: Source) -> int:
    return len(source.buffer) if source.member else stored_bytes(source.path)
