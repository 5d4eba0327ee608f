"""The bytes of a file: mapped, or unpacked from what it is packed in; and its fingerprint."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from imsperf.errors import DumpError
from imsperf.parsers.containers import members as containers
from imsperf.parsers.containers.mapped import Watch, mapped, unreadable
from imsperf.parsers.containers.members import Member
from imsperf.parsers.containers.spool import Spool, spooled_stdin
from imsperf.parsers.containers.streams import GZIP, Broken
from imsperf.parsers.kernels.loads import U8, read_only
from imsperf.parsers.problems import Problem

__all__ = [
    "GZIP",
    "U8",
    "Source",
    "fingerprint",
    "open_source",
    "open_sources",
    "sha256",
    "stored_bytes",
    "with_rest",
]

STDIN = Path("-")
BEFORE = 1 << 16  # bytes in front of a log in which its signature may stand, if it is damaged
DEEPEST = 4  # containers in one another
_MUCH, _MOST_TIMES = 1 << 30, 500  # unpacked bytes that no dump has: both, and so many times

_READ_IN_ORDER = ("", *containers.STREAMS)
_AGAIN = "transfer it again in binary, whole"
_HINTS = {
    "damaged": f"{_AGAIN}; `imsperf unpack` writes what could be unpacked, with the damage in it",
    "encrypted": "unpack it with its password and name what was in it",
    "unsupported": "unpack it with the program that packed it and name what was in it",
}


@dataclass(frozen=True)
class Source:
    """The unpacked bytes of a file or of one member, and what went wrong while unpacking.

    `name` is for people: the path, or "a.zip!member". `container` says what it was packed in,
    outermost first: "gz+tar"; "" for a plain file. `member` is the name of the member, "" if it
    has none. A member of which nothing could be unpacked has an empty buffer and its problems.
    `start` is where its bytes begin in those of the file or member, and `rest` where a dump of
    other records begins behind them: known, as the only item, once they have been read. `framing`
    is what the user says it is (framings.py), "" where the bytes are to say it. `before`: the last
    bytes in front of a dump of other records. `number` counts the members of a file from 0.
    """

    path: Path
    buffer: U8
    problems: list[Problem] = field(default_factory=list)
    name: str = ""
    container: str = ""
    member: str = ""
    watch: Watch | None = None
    start: int = 0
    rest: list[int] = field(default_factory=list)
    framing: str = ""
    before: U8 = field(default_factory=lambda: np.empty(0, np.uint8))
    number: int = 0

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", storable(self.path))

    @property
    def may_join_records(self) -> bool:
        """Whether what is lost from a packed file may join two records, and nothing measures them:
        AMATERSE has codes that end records, and no checksum; others are known to be damaged."""
        is_damaged = any(problem.severity != "info" for problem in self.problems)
        return is_damaged or "terse" in self.container.split("+")

    def nothing(self) -> DumpError:
        """Why there are no bytes in it."""
        why = self.problems[0]
        return DumpError(
            f"{self.name}: {why.detail}", _HINTS.get(why.reason, _AGAIN), path=self.path
        )

    def check(self) -> None:
        """Raises DumpError where the file was changed since it was opened."""
        if self.watch is not None:
            self.watch.check()


def with_rest(source: Source) -> Iterator[Source]:
    """A dump, then those of other records glued behind it: each shows once the last was read."""
    yield source
    while source.rest:
        at = source.rest[0]
        start, end = source.start + at, f"!byte-{source.start}"
        name = (source.name.removesuffix(end) if source.start else source.name) + f"!byte-{start}"
        source = Source(
            source.path, read_only(source.buffer[at:]), [], name, source.container,
            f"byte-{start}", source.watch, start, before=source.buffer[max(0, at - BEFORE) : at],
            number=source.number,
        )  # fmt: skip
        yield source


def storable(path: Path | str) -> str:
    """A path as text that any file or database can hold: what is no UTF-8 in it becomes U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def stored_file(text: str) -> Path:
    """The file of which `storable` gave this text; the text as a path where none or several are."""
    path = Path(text)
    if "\N{REPLACEMENT CHARACTER}" not in text or path.exists():
        return path
    folder = stored_file(str(path.parent))
    some = [] if not folder.is_dir() else folder.iterdir()
    alike = [file for file in some if storable(file.name) == path.name]
    return alike[0] if len(alike) == 1 else path


def open_sources(
    path: Path,
    limit: int | None = None,
    progress: Callable[[int], None] | None = None,
    *,
    unproved: bool = False,
) -> Iterator[Source]:
    """Every member of a file in order, however deep; a plain file is mapped and is the only one.

    With `limit`, not far more than so many bytes of each are unpacked. `progress` is called with
    the bytes of the file done since the last call. `unproved`: of a member whose checksum fails,
    all that could be unpacked; else only what is proved, as any other byte may be wrong. "-" is
    standard input. Raises DumpError if the file cannot be read or nothing can be unpacked, on the
    first step.
    """
    found = _sources(_whole(path), _Walk(limit, progress, unproved))
    yield from (replace(source, number=at) if at else source for at, source in enumerate(found))


def _sources(source: Source, walk: _Walk) -> Iterator[Source]:
    failed: list[Source] = []
    any_dump = False
    for leave in walk.leaves(source, []):
        if leave.buffer.size or any_dump:
            yield from () if any_dump else failed
            any_dump = True
            yield leave
        else:
            failed.append(leave)
    if not any_dump:
        raise _nothing_in(source, failed, walk.hint or _AGAIN)


def open_source(path: Path, limit: int | None = None) -> Source:
    """The first member of a file, or the file. Raises DumpError if it cannot be read."""
    return next(open_sources(path, limit))


def sha256(path: Path) -> str:
    """SHA-256 of the file as it is stored, in hex. Raises DumpError if it cannot be read."""
    if path == STDIN:
        return hashlib.sha256(spooled_stdin().data).hexdigest()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from error


def fingerprint(source: Source) -> str:
    """SHA-256 of the file of a source as it is stored, or of the member, in hex."""
    if source.member:
        return hashlib.sha256(source.buffer.data).hexdigest()
    of_file = sha256(source.path)
    source.check()
    return of_file


def stored_bytes(path: Path) -> int:
    """Size of the file as it is stored. Raises DumpError where it is not there."""
    if path == STDIN:
        return int(spooled_stdin().size)
    try:
        return path.stat().st_size
    except OSError as error:
        raise unreadable(path, error) from error


def _whole(path: Path) -> Source:
    if path == STDIN:
        source = Source(path, spooled_stdin())
    else:
        buffer, watch = mapped(path)
        source = Source(path, buffer, watch=watch)
    if not source.buffer.size:
        raise DumpError(
            f"{path}: found an empty file, expected an SMF dump or an IMS log",
            "transfer it again and compare the sizes",
            path=path,
        )
    return source


class _Walk:
    """Goes through one file; counts its members."""

    def __init__(
        self, limit: int | None, progress: Callable[[int], None] | None, unproved: bool
    ) -> None:
        self._limit, self._progress, self._unproved = limit, progress, unproved
        self._members = 0
        self.hint = ""  # what to do about the first problem

    def leaves(self, source: Source, packed_in: list[str]) -> Iterator[Source]:
        """What is in it and no container itself. Its problems are those of its first member."""
        kind = containers.kind_of(source.buffer)
        if not kind:
            yield source
            return
        if len(packed_in) == DEEPEST:
            raise _refused(source, f"more than {DEEPEST} containers in one another")
        packed_in = [*packed_in, kind]
        notes = list(source.problems)
        done = self._progress if self._progress and len(packed_in) == 1 else _no_progress
        opened = containers.members(kind, source.buffer, notes.append, done)
        while member := self._next(opened, source, kind, notes):
            leaf = self._unpacked(member, source, packed_in, notes)
            notes.clear()
            if leaf.buffer.size:
                yield from self.leaves(leaf, packed_in)
            elif leaf.problems:
                yield leaf
        source.check()
        if notes:
            container = "+".join(packed_in)
            yield replace(source, buffer=source.buffer[:0], problems=notes, container=container)

    def _next(
        self, opened: Iterator[Member], source: Source, kind: str, notes: list[Problem]
    ) -> Member | None:
        try:
            member = next(opened, None)
            self._members += member is not None
            containers.check_count(self._members)
        except Broken as error:
            if error.reason == "limit":
                raise _refused(source, str(error)) from error
            notes.append(self._problem(f"{kind}: {error}", error, 0, error.size))
            return None
        return member

    def _unpacked(
        self, member: Member, source: Source, packed_in: list[str], notes: list[Problem]
    ) -> Source:
        shown = containers.shown(member.name)
        name = f"{source.name}!{shown}" if shown else source.name
        problems = list(notes)
        content = member.content
        if not isinstance(content, np.ndarray):
            content = self._spooled(Spool(name), member.words, content, problems, source)
        problems += member.problems
        return Source(
            source.path, read_only(content), problems, name, "+".join(packed_in),
            shown or source.member, source.watch,
        )  # fmt: skip

    def _spooled(
        self,
        spool: Spool,
        words: str,
        pieces: Iterator[Any],
        problems: list[Problem],
        packed: Source,
    ) -> U8:
        """What could be unpacked; no more than a first look takes, if it is one."""
        limit, most = self._limit, max(_MUCH, _MOST_TIMES * packed.buffer.size)
        try:
            for piece in pieces:
                spool.write(piece)
                if spool.size > most:
                    spool.close()
                    words = f"more than {_MOST_TIMES} times as much as it is packed"
                    raise _refused(packed, words)
                if limit is not None and spool.size >= limit:
                    if containers.kind_of(np.frombuffer(spool.head, np.uint8)) in _READ_IN_ORDER:
                        break
                    limit = None  # what is in it cannot be found without its end
        except Broken as error:
            problems.append(self._cut(spool, words, error))
        return spool.view()

    def _cut(self, spool: Spool, words: str, error: Broken) -> Problem:
        """Leave out what a failed checksum makes doubtful, and say so."""
        size, sound = spool.size, spool.size if error.proved is None else error.proved
        detail = f"{words}: {error}; {size:,} bytes could be unpacked"
        if sound < size:
            first = f"from byte {sound:,} on " if sound else ""
            detail += f", {first}any of them may be wrong"
            if not self._unproved:
                detail += ": they are left out"
                spool.cut(sound)
        return self._problem(detail, error, sound, max(error.size, size) - sound)

    def _problem(self, detail: str, error: Broken, at: int, lost: int = 0) -> Problem:
        self.hint = self.hint or error.hint or _HINTS.get(error.reason, _AGAIN)
        return containers.problem(at, error.reason, detail, lost=lost)


def _no_progress(count: int) -> None:
    """For what is in a container in a container."""


def _refused(source: Source, what: str) -> DumpError:
    return DumpError(
        f"{source.name}: found {what}, expected an archive of dumps",
        "unpack it and name the dumps in it",
        path=source.path,
    )


def _nothing_in(source: Source, failed: list[Source], hint: str) -> DumpError:
    """The first reason why nothing could be unpacked."""
    if not failed:
        kind = containers.kind_of(source.buffer)
        what = f"{kind}: found nothing in it, expected a dump"
        return DumpError(f"{source.name}: {what}", hint, path=source.path)
    why = failed[0].problems[0]
    return DumpError(f"{failed[0].name}: {why.detail}", hint, path=source.path, lost=why.bytes)
