"""Every report, by its id: find the report files, list what there is to choose from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from imsperf.errors import ReportError, close
from imsperf.reports.definition import Report
from imsperf.reports.report_file import parse


@dataclass(frozen=True)
class Catalog:
    """Every report, by id."""

    reports: Mapping[str, Report] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Report]:
        return iter(self.reports.values())

    def get(self, report_id: str) -> Report:
        """The report of that id. Raises ReportError with the closest names."""
        if report_id in self.reports:
            return self.reports[report_id]
        raise ReportError(f"no report {report_id!r}", self.near(report_id))

    def near(self, wanted: str) -> str:
        """The hint for an unknown id: reports that somebody calls so, that have the word in their
        id or their words, or an id like it."""
        family, _, name = wanted.lower().rpartition(".")
        of_family = [report for report in self if family in ("", report.id.partition(".")[0])]
        meant = (
            [report.id for report in self if name in report.called]
            or [r.id for r in of_family if name and f".{name}" in f".{r.id}"]
            or [r.id for r in of_family if name and f"_{name}" in r.id]
            or close(wanted, self.reports)
            or [r.id for r in self if name in _WORD.findall(f"{r.title} {r.answers}".lower())]
        )
        known = "`imsperf report` shows all"
        return f"did you mean {' or '.join(meant[:_NEAR])}? {known}" if meant else known


def catalog() -> Catalog:
    """The reports there are: those that come with imsperf, and within `using` the user's."""
    return _IN_USE.get() or shipped()


@contextmanager
def using(reports: Catalog) -> Iterator[None]:
    """Inside, these are the reports there are."""
    token = _IN_USE.set(reports)
    try:
        yield
    finally:
        _IN_USE.reset(token)


_IN_USE: ContextVar[Catalog | None] = ContextVar("reports", default=None)


def with_own(folder: Path) -> tuple[Catalog, list[ReportError]]:
    """The shipped reports and those of a user's folder, and what is wrong with files of it.

    Raises ReportError where the folder has no report file at all.
    """
    reports, problems = dict(shipped().reports), []
    files_there = sorted(folder.rglob("*.sql"))
    if not files_there:
        raise ReportError(f"{folder}: found no .sql file, expected reports", _HELP)
    for file in files_there:
        try:
            report = parse(file.read_text(encoding="utf-8-sig"), str(file))
            if report.id in reports:
                raise ReportError(
                    f"{file}: id {report.id!r}: {reports[report.id].source} has it already",
                    "give it another id",
                )
            if not _ID.fullmatch(report.id):
                raise ReportError(f"{file}: id {report.id!r}, expected FAMILY.NAME", _HELP)
            reports[report.id] = report
        except UnicodeDecodeError:
            problems.append(ReportError(f"{file}: is no UTF-8 text", _HELP))
        except ReportError as error:
            problems.append(error)
    return Catalog(dict(sorted(reports.items()))), problems


_NEAR = 3  # names in a hint
_WORD = re.compile(r"\w+")
_ID = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
_HELP = "reports/README.md says how to write one"


class _Files(Mapping[str, Report]):
    """Reports by id, each read when it is asked for: FAMILY.NAME stands in FAMILY/NAME.sql."""

    def __init__(self, there: Mapping[str, Traversable]) -> None:
        self._there = there
        self._read: dict[str, Report] = {}

    def __getitem__(self, report_id: str) -> Report:
        if report_id not in self._read:
            family, _, name = report_id.partition(".")
            text = self._there[report_id].read_text(encoding="utf-8")
            self._read[report_id] = parse(text, f"sql/reports/{family}/{name}.sql")
        return self._read[report_id]

    def __contains__(self, report_id: object) -> bool:
        return report_id in self._there

    def __iter__(self) -> Iterator[str]:
        return iter(self._there)

    def __len__(self) -> int:
        return len(self._there)


@cache
def shipped() -> Catalog:
    """The reports that come with imsperf."""
    there = {
        f"{family.name}.{file.name.removesuffix('.sql')}": file
        for family in (files("imsperf.sql") / "reports").iterdir()
        if family.is_dir()
        for file in family.iterdir()
        if file.name.endswith(".sql")
    }
    return Catalog(_Files(dict(sorted(there.items()))))


def record_of(table: str) -> str:
    """The record of a table as a person calls it: 74.1, 30, 450A."""
    family, _, rest = table.partition("_")
    first = rest.partition("_")[0].upper()
    if family == "ims":
        return first
    return f"{family[3:]}.{first}" if first.isdigit() else family[3:]


def records_needed(report: Report) -> str:
    """The records a report is made from: "70.1", "450A, and 06, 4500 where there are any"."""
    if report.is_of_the_ledger:
        return "any"
    if report.is_of_any_record:
        return "any of an IMS log"
    tables = [table for table in report.needs if table.startswith(("smf", "ims"))]
    must = sorted({record_of(table) for table in report.required})
    one_of = sorted({record_of(table) for table in report.any_of})
    may = sorted({record_of(table) for table in tables} - {*must, *one_of})
    words = [*must, " or ".join(one_of)] if one_of else must
    more = f", and {', '.join(may)} where there are any" if may else ""
    return ", ".join(words) + more


def listing(reports: Iterable[Report]) -> list[dict[str, str]]:
    """What there is to choose from: id, title, what each report answers, the records it needs."""
    return [
        {
            "id": report.id,
            "title": report.title,
            "answers": report.answers,
            "needs": records_needed(report),
        }
        for report in reports
    ]
