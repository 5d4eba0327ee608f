"""Is a file whole; if not, what happened to it, where, and how to transfer it again."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from imsperf.errors import DumpError
from imsperf.parsers.containers.source import Source, open_sources, with_rest
from imsperf.parsers.diagnosis.content import LogContent, SmfContent
from imsperf.parsers.diagnosis.refusal import Diagnosis
from imsperf.parsers.framing.forms import AGAIN, FTP
from imsperf.parsers.framing.frames import Dump, what_is
from imsperf.parsers.options import PassedOver
from imsperf.parsers.problems import Problem, Severity
from imsperf.parsers.read import files_in, reader_of

SCHEMA = pa.schema(
    [
        ("file", pa.string()),
        ("container", pa.string()),
        ("framing", pa.string()),
        ("verdict", pa.string()),
        ("severity", pa.string()),
        ("cause", pa.string()),
        ("byte_offset", pa.int64()),
        ("records", pa.int64()),
        ("bytes_lost", pa.int64()),
        ("detail", pa.string()),
        ("advice", pa.string()),
    ]
)
_MOST = 50  # findings of one file that are told one by one
_PAGE = 4096
_LOOK = 64 << 20  # bytes of a lost range that are looked through for zeros


@dataclass
class Finding:
    """One thing that happened to a file; `records` is None where nobody can know."""

    cause: str
    severity: Severity
    byte_offset: int
    records: int | None
    bytes_lost: int
    detail: str
    advice: str


def examine(
    paths: Sequence[str | Path], passed_over: PassedOver = lambda file, why: None
) -> pa.Table:
    """One row for each finding; a whole file has one that says so.

    Of a folder, every file; `passed_over` is told of those that never were dumps, and why.
    """
    rows = []
    for path in paths:
        for file in _files(Path(path), passed_over):
            findings = list(_file(file))
            if file != Path(path) and all(row["cause"] == "not_a_dump" for row in findings):
                passed_over(file, f"{file}: {findings[0]['detail']}")
            else:
                rows += findings
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _files(path: Path, passed_over: PassedOver) -> list[Path]:
    """The files in a folder, those of a pattern, or the file."""
    if not path.exists() and glob.has_magic(str(path)):
        # Path.glob takes no absolute pattern.
        hits = sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207
        if not hits:
            raise DumpError(f"{path}: found no file of that pattern", "check the name", path=path)
        return [file for hit in hits for file in _files(Path(hit), passed_over)]
    if not path.is_dir():
        return [path]
    return [file for file in files_in(path, passed_over) if file.name != "run.toml"]


def is_whole(table: pa.Table) -> bool:
    """Whether no file lost anything."""
    return all(word == "info" for word in table["severity"].to_pylist())


def _file(path: Path) -> Iterator[dict[str, Any]]:
    try:
        for file in open_sources(path):
            for source in with_rest(file):
                yield from _source(source)
    except DumpError as error:
        cause = str(error.facts.get("cause", "")) or _cause_of_words(error.message)
        lost = int(str(error.facts.get("lost", 0)))
        finding = Finding(cause, "error", 0, None, lost, error.message, error.hint or AGAIN)
        yield _row(str(path), "", "unknown", "not_loadable", finding)


def _cause_of_words(message: str) -> str:
    """Of a container that could not be opened."""
    words = {"encrypted": "high_entropy", "ends": "truncated", "end missing": "truncated"}
    return next((cause for word, cause in words.items() if word in message), "other")


def _source(source: Source) -> Iterator[dict[str, Any]]:
    """The rows of one file or member."""
    packed = [_packed(problem) for problem in source.problems]
    if not source.buffer.size:
        for finding in packed:
            yield _row(source.name, source.container, "unknown", "not_loadable", finding)
        return
    form = what_is(source)
    if isinstance(form, Diagnosis):
        is_note = form.cause == "not_a_dump" and bool(source.member)
        severity: Severity = "info" if is_note else "error"
        lost = 0 if form.cause == "not_a_dump" else int(source.buffer.size)
        why = Finding(form.cause, severity, 0, None, lost, f"found {form.found}", form.advice)
        for finding in (why, *packed):
            yield _row(source.name, source.container, form.framing, "not_loadable", finding)
        return
    dump = Dump(source, form, form.form.label(False))
    findings = [*packed, *_form(dump), *_scan(dump)]
    bad = any(finding.severity != "info" for finding in findings)
    detail = f"{dump.records:,} records"
    sound = [] if bad else [Finding("", "info", 0, dump.records, 0, detail, "")]
    for finding in [*sound, *_capped(findings)]:
        verdict = "damaged" if bad else "whole"
        yield _row(source.name, source.container, dump.framing, verdict, finding)


def _row(name: str, container: str, framing: str, verdict: str, finding: Finding) -> dict[str, Any]:
    return {
        "file": name,
        "container": container,
        "framing": framing,
        "verdict": verdict,
        **vars(finding),
    }


def _capped(findings: list[Finding]) -> list[Finding]:
    """The first ones, and the rest of each cause as one."""
    findings = sorted(findings, key=lambda finding: finding.byte_offset)
    rest = findings[_MOST:]
    for cause, count in Counter(finding.cause for finding in rest).items():
        same = [finding for finding in rest if finding.cause == cause]
        lost, records = (
            sum(finding.bytes_lost for finding in same),
            _sum([finding.records for finding in same]),
        )
        detail = f"{count:,} more places like that"
        first = same[0]
        more = Finding(
            cause, first.severity, first.byte_offset, records, lost, detail, first.advice
        )
        findings = [*findings[:_MOST], more] if len(findings) > _MOST else findings
    return findings


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


# --- containers and forms -----------------------------------------------------------------------

_OF_CONTAINER = {
    "truncated": "truncated", "not_unpacked": "other", "encrypted": "high_entropy",
}  # fmt: skip


def _packed(problem: Problem) -> Finding:
    cause = _OF_CONTAINER.get(problem.reason, "other")
    advice = "transfer the packed file again, in binary, and compare the sizes"
    if problem.reason in ("encrypted", "unsupported"):
        advice = "unpack it with the program that packed it"
    return Finding(
        cause, problem.severity, problem.byte_offset, None, problem.bytes, problem.detail, advice
    )


def _form(dump: Dump) -> list[Finding]:
    """Forms that only a damaged file has, though all its records may be there."""
    flaw = dump.evidence.form.flaw
    return [Finding(flaw.cause, "error", 0, None, 0, flaw.detail, flaw.advice)] if flaw else []


# --- what the walk and the records say ----------------------------------------------------------


def _scan(dump: Dump) -> list[Finding]:
    """One pass over the file: all that a load would find, and what only the doctor looks for."""
    content = SmfContent() if dump.kind == "smf" else LogContent()
    reader = reader_of(dump)
    inside = [
        _without_layouts(trouble) for trouble in reader.problems if trouble.severity == "info"
    ]
    inside += _inside(reader.problems, False)
    for part in dump.parts():
        content.add(part)
        seen = len(reader.problems)
        _throw_away(reader.read(part))
        joined = dump.has_segments and part.buffer is not dump.source.buffer
        inside += _inside(reader.problems[seen:], joined)
    seen = len(reader.problems)
    _throw_away(reader.rest())
    reader.finish()
    inside += _inside(reader.problems[seen:], False)
    real = [
        problem
        for problem in dump.problems
        if problem.reason != "repeat"  # content says how many records are there twice
        and (problem.bytes or problem.reason != "bad_rdw")
    ]
    findings = _merged([_walked(dump, problem) for problem in real])
    notes = [
        Finding(n.cause, n.severity, n.byte_offset, n.count, 0, n.detail, n.advice)
        for n in content.notes()
    ]
    return findings + inside + notes


def _throw_away(batches: Iterator[Any]) -> None:
    for _ in batches:
        pass


def _inside(problems: list[Problem], joined: bool) -> list[Finding]:
    """What a load would say of records that stand where they should, but are not sound inside."""
    return [
        _short(problem) if joined and problem.reason == "section_past_end" else _bad(problem)
        for problem in problems
        if problem.severity != "info"
    ]


def _without_layouts(problem: Problem) -> Finding:
    advice = "name the profile when you load it" if "--profile" in problem.detail else ""
    place, detail = problem.byte_offset, problem.detail
    return Finding("other", problem.severity, place, None, 0, detail, advice)


def _short(problem: Problem) -> Finding:
    detail = f"a spanned record lost a segment between first and last: {problem.detail}"
    advice = f"copy VBS to VB with DFSORT, then {FTP}"
    place, lost = problem.byte_offset, problem.bytes
    return Finding("missing_segment", "data_loss", place, 1, lost, detail, advice)


def _bad(problem: Problem) -> Finding:
    about = f"record {problem.record_no:,}" if problem.record_no else "a record"
    about += f" of type {problem.type}" if problem.type else ""
    about += f".{problem.subtype}" if problem.subtype else ""
    detail = f"{about} is damaged inside ({problem.reason.replace('_', ' ')}): {problem.detail}"
    return Finding(
        "other", problem.severity, problem.byte_offset, 1, problem.bytes, detail, _BOUNDARY
    )


_BOUNDARY = f"transfer it again and compare the sizes; {FTP}"
_ADVICE = {
    "truncated": "transfer it again, whole, and compare the sizes",
    "zeroed_page": "the copy lost data that its size does not show: copy it again and compare",
    "missing_segment": f"copy VBS to VB with DFSORT, then {FTP}",
    "glued": "normal if dumps were joined on purpose; all of them are read",
    "other": _BOUNDARY,
    "no_rdw": AGAIN,
}


def _walked(dump: Dump, problem: Problem) -> Finding:
    """A finding of the walk in the doctor's words."""
    cause, severity, detail = _cause(dump, problem), problem.severity, problem.detail
    if problem.reason == "zeros" and cause == "glued":
        severity, detail = "info", f"{problem.bytes:,} bytes of padding between two dumps"
    elif problem.reason == "zeros" and cause == "other":
        severity, detail = "info", f"{problem.bytes:,} bytes of padding at the end"
    elif cause == "zeroed_page" and problem.reason not in ("zeros", "zeroed_page"):
        detail = f"a page of zero bytes in {problem.bytes:,} bytes that hold no whole record"
    records = 1 if problem.reason in ("zeroed_page", "missing_segment") else None
    lost = problem.bytes if severity == "data_loss" else 0
    place = problem.byte_offset
    if cause == "truncated":
        place = min(place, dump.bytes)
    return Finding(cause, severity, place, records, lost, detail, _ADVICE[cause])


def _cause(dump: Dump, problem: Problem) -> str:
    at, end = problem.byte_offset, problem.byte_offset + problem.bytes
    if problem.reason == "not_proved" or dump.evidence.form.proves_ends:
        return "no_rdw"
    if problem.reason in ("truncated", "missing_segment", "glued", "zeroed_page"):
        return problem.reason
    if problem.reason == "zeros" and problem.bytes < _PAGE:
        if end >= dump.bytes:
            return "other"
        if end % _PAGE == 0:
            return "glued"
    return "zeroed_page" if problem.reason == "zeros" or _has_lost_page(dump, at, end) else "other"


def _has_lost_page(dump: Dump, begin: int, end: int) -> bool:
    """Whether a page that reaches into the range is all zero."""
    begin = begin // _PAGE * _PAGE
    end = min(-(-end // _PAGE) * _PAGE, dump.bytes, begin + _LOOK)
    data = dump.source.buffer[begin:end]
    pages = data[: data.size // _PAGE * _PAGE].reshape(-1, _PAGE)
    return bool((~pages.any(axis=1)).any()) if len(pages) else False


def _merged(findings: list[Finding]) -> list[Finding]:
    """Neighbours of one cause as one finding."""
    out: list[Finding] = []
    for finding in sorted(findings, key=lambda finding: finding.byte_offset):
        last = out[-1] if out else None
        touches = last and finding.byte_offset <= last.byte_offset + last.bytes_lost
        if last and touches and {last.cause, finding.cause} <= {"zeroed_page", "other"}:
            word = next((x for x in (last, finding) if x.cause == "zeroed_page"), last)
            last.cause, last.detail, last.advice = word.cause, word.detail, word.advice
            finding.cause = word.cause
        if last and touches and last.cause == finding.cause and last.severity == finding.severity:
            last.bytes_lost = max(
                last.bytes_lost, finding.byte_offset + finding.bytes_lost - last.byte_offset
            )
            last.records = _sum([last.records, finding.records])
        else:
            out.append(finding)
    return out
