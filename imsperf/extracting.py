"""Extracting: some records of dumps to a smaller dump, untouched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.errors import DumpError
from imsperf.output_files import written_whole
from imsperf.parsers.containers.source import Source, stored_bytes
from imsperf.parsers.dump_writer import DumpForm, DumpWriter, check_name, in_order
from imsperf.parsers.evidence.verdict import Fate
from imsperf.parsers.framing.forms import DumpKind
from imsperf.parsers.framing.frames import Dump, Part, dump_of
from imsperf.parsers.options import Progress, ReadOptions
from imsperf.parsers.problems import Problem, raise_on_damage
from imsperf.parsers.read import dumps_in, reader_of
from imsperf.parsers.selection import Keep, Selection


@dataclass(frozen=True)
class Request:
    """What an extract is asked for. Of the options, `raw` and `memory` say nothing."""

    options: ReadOptions
    form: DumpForm
    force: bool
    strict: bool = False


@dataclass
class ExtractedFile:
    """What became of one file, or of one member of an archive. Bytes are those of its records.

    `context` counts the records that were not asked for but say how others are read: dictionaries
    of CICS regions, the signature of a synthetic log. `kept` counts those that were asked for and
    written, `refused` those that were not, as something speaks against them, and `suspect` those
    that were written all the same; `problems` names each of them.
    """

    name: str
    kind: DumpKind
    framing: str = ""
    records: int = 0
    bytes: int = 0
    kept: int = 0
    kept_bytes: int = 0
    context: int = 0
    refused: int = 0
    suspect: int = 0
    problems: list[Problem] = field(default_factory=list)


def extract_files(dumps: Sequence[Path], out: Path, asked: Request) -> list[ExtractedFile]:
    """Write the records that are wanted to `out`, in the order of the dumps.

    A record that something speaks against is judged as by a load: one that is not admitted is not
    written, a suspect one only unless `drop_suspect`. Raises DumpError for a file that holds no
    dump, for SMF dumps and logs together, where nothing is wanted, and with `strict` for any
    damage; then nothing is written.
    """
    _check_names(dumps, out)
    check_name(out, asked.force)
    with written_whole(out) as aside:
        with DumpWriter(aside, asked.form) as writer:
            done = _extract(dumps, out, asked, writer)
        check_name(out, asked.force)  # nobody made it meanwhile
    return done


def _extract(
    dumps: Sequence[Path], out: Path, asked: Request, writer: DumpWriter
) -> list[ExtractedFile]:
    done: list[ExtractedFile] = []
    for path in dumps:
        for dump in _dumps(path, asked):
            if done and done[0].kind != dump.kind:
                raise _mixed(done[0], dump)
            done.append(ExtractedFile(dump.source.name, dump.kind))
            _extract_one(dump, writer, asked, done[-1])
    if not any(extracted.kept for extracted in done):
        raise _nothing(done, out)
    return done


def _nothing(done: Sequence[ExtractedFile], out: Path) -> DumpError:
    records = sum(extracted.records for extracted in done)
    if refused := sum(extracted.refused for extracted in done):
        return DumpError(
            f"{out}: found {refused:,} of {records:,} records that were asked for, and something "
            "speaks against all of them; nothing is written",
            "`imsperf doctor` says what happened to the file",
            path=out,
        )
    return DumpError(
        f"{out}: found none of {records:,} records that was asked for; nothing is written",
        "`imsperf inspect` shows what is there: systems, types, times",
        path=out,
    )


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
    options = asked.options
    fate = Fate(options.drop_suspect, "it is written as it stands", "the record is not written")
    keep = Keep(options.selection)
    reader = reader_of(dump, 0, options.codepage, False, options.profile, keep, fate)

    def some() -> Iterator[Part]:
        for part in _with_progress(dump, options.progress):
            is_wanted, context = reader.chosen(part)
            chosen = np.flatnonzero(is_wanted | context)
            refused = reader.refused(part.take(chosen))
            written = np.zeros(len(is_wanted), np.bool_)
            written[chosen[~refused]] = True
            result.bytes += _size(part)
            result.kept_bytes += _size(part.take(is_wanted & written))
            result.kept += int(np.count_nonzero(is_wanted & written))
            result.context += int(np.count_nonzero(written & ~is_wanted))
            result.refused += int(np.count_nonzero(refused))
            yield part.take(written)

    for pair in in_order(some()):
        writer.write(*pair)
    reader.finish()
    result.records, result.framing = dump.records, dump.framing
    result.problems = sorted(
        [*dump.problems, *reader.problems], key=lambda problem: problem.byte_offset
    )
    result.suspect = sum(problem.severity == "suspect" for problem in result.problems)
    if asked.strict:
        raise_on_damage(result.name, result.problems, "nothing was written")


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
