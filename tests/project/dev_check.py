"""`imsperf dev check NAME`: the checks of one record, report or scenario, and what is missing.

`python tests dev_check 92.11`, `rmf.device`, `fast-path`. Only the tests of that name run.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence

import plain_reader
from evidence_checks import CHECKS, shipped, whole_missing
from evidence_files import COLUMNS, EVIDENCE, Evidence, Line, as_written, evidence, names, pending
from places import CHECKOUT, TESTS
from readme_counts import README, counted

from imsperf.dictionary import page as dictionary_page
from imsperf.errors import ImsperfError, near
from imsperf.layout import IMS_SUFFIX, Section
from imsperf.layouts.smf import HEADER_24
from imsperf.record import LogRecord, Record

CASES = TESTS / "report_values"
SCENARIOS = CHECKOUT / "synthetic" / "scenarios"
_MOST = 20  # complaints of a check that are printed


def record_name(word: str) -> str | None:
    """`92.11`, `smf92_11`, `30` and `4507` as the name of a record; None if it is none."""
    word = word.lower()
    if re.match(r"smf\d|ims_", word):  # smf.pdse is a report
        return word
    match = re.fullmatch(r"(\d{1,3})(?:[.:](\d+))?", word)
    if match and f"ims_{word}" not in shipped():
        return f"smf{match[1]}" + (f"_{match[2]}" if match[2] else "")
    return f"ims_{word}" if re.fullmatch(r"[0-9a-f]{2}([0-9a-f]{2})?(_\w+)?", word) else None


# --- records -------------------------------------------------------------------------------------


def check_record(name: str) -> Iterator[str]:
    """What is missing and what does not agree, line by line."""
    record, known = shipped().get(name), evidence(name) if name in names() else None
    if record is None:
        yield from _new_module(name, known)
    if known is None:
        yield from _new_evidence(name, record)
    if record is None or known is None:
        return
    for check, wrong in CHECKS.items():
        said = wrong(record, known)
        yield f"{check}: {'ok' if not said else f'{len(said)} to mend'}"
        yield from (f"  {line}" for line in said[:_MOST])
    if whole_missing(record, known) and ("record", name) not in pending():
        yield f"complete record: missing in {_path(name)}; lines to paste and fill in:"
        yield from _sample_lines(record)
    yield from _out_of_date()
    single = known.status == "single reader"
    if single != record.single_reader:
        yield f"status: {known.status}, and the declaration has single_reader={not single}"


def _out_of_date() -> Iterator[str]:
    """Pages that are written by a command."""
    page = CHECKOUT / "sql" / "DICTIONARY.md"
    if page.read_text(encoding="utf-8") != dictionary_page.page():
        yield "sql/DICTIONARY.md: out of date; `imsperf dict --write` writes it"
    text = README.read_text(encoding="utf-8")
    if counted(text) != text:
        yield "README.md: out of date; `imsperf dev readme --write` writes its counts"


def _path(name: str) -> str:
    return (EVIDENCE / f"{name}.csv").relative_to(CHECKOUT).as_posix()


def _new_evidence(name: str, record: Record | LogRecord | None) -> Iterator[str]:
    title = record.title if record else "what it is"
    yield f"missing: {_path(name)}; lines to paste, to be filled in from the manual:"
    yield f"# {name}: {title}"
    yield "# status: single reader"
    yield "# source: the manual and its section"
    yield "# read by: your name, the day"
    yield ",".join(COLUMNS)
    if record is None:
        yield from _header_lines(name)
        return
    if isinstance(record, Record):
        for part in record.parts:
            inside = f"in {part.inside.table}" if part.inside else ""
            yield f",{part.section.table},,,AT,,HOW,,,{inside},"
    yield from _sample_lines(record)


def _header_lines(name: str) -> Iterator[str]:
    """The standard header filled in, one triplet, and a field of the section it leads to."""
    if not name.startswith("smf"):
        yield f"record,{name},1,FIELD,6,LENGTH,FORMAT,1src,HEX,VALUE,"
        return
    prefix, _, subtype = name.partition("_")
    type, header, data = int(prefix[3:]), f"{name}_header", f"{name}_data"
    yield f",{data},,,28,,triplet,,,,"
    known = evidence("smf_headers").samples["header 24"]
    values = {0: f"{_LENGTH:04X},{_LENGTH}", 5: f"{type:02X},{type}"}
    values[22] = f"{int(subtype or 0):04X},{int(subtype or 0)}"
    for header_field in HEADER_24.fields:
        value = as_written(
            plain_reader.read(known.data[header_field.offset : header_field.end], header_field.kind)
        )
        cells = values.get(
            header_field.offset,
            f"{known.data[header_field.offset : header_field.end].hex().upper()},{value}",
        )
        kind = _HEADER_FORMATS[header_field.name[4:]]
        field = header_field.name.replace("smfx", prefix)
        words = f"{header_field.offset},{header_field.kind.width},{kind},1src,{cells}"
        yield f"record,{header},1,{field},{words},"
    yield f"record,{header},1,,24,,,,E1E2E3E4,,not described"
    at = (36).to_bytes(4).hex().upper()
    for field, offset, length, cells in (("sof", 28, 4, f"{at},36"), ("sln", 32, 2, "0004,4")):
        yield f"record,{header},1,{prefix}{field},{offset},{length},binary,1src,{cells},"
    yield f"record,{header},1,{prefix}son,34,2,binary,1src,0001,1,"
    yield f"record,{data},1,{prefix}xyz,0,4,binary,1src,81234567,2166572391,"


_LENGTH = 40  # of the record in the lines to paste
_HEADER_FORMATS = {
    "len": "binary", "seg": "hex/binary", "flg": "bitflags", "rty": "binary", "tme": "binary",
    "dte": "packed", "sid": "EBCDIC", "ssi": "EBCDIC", "sty": "binary",
}  # fmt: skip


def _sample_lines(record: Record | LogRecord) -> Iterator[str]:
    """A line for each field of a complete record: only names, so that the source is read."""
    for section in record.sections:
        yield from _section_lines(section)
    if isinstance(record, LogRecord):
        for field in IMS_SUFFIX.fields:
            at = field.offset - IMS_SUFFIX.length
            yield f"record,{record.section.table},1,{field.name},{at},8,FORMAT,2src,HEX,VALUE,"


def _section_lines(section: Section) -> Iterator[str]:
    for field in section.fields:
        yield f"record,{section.table},1,{field.name},OFFSET,LENGTH,FORMAT,1src,HEX,VALUE,"


def _new_module(name: str, known: Evidence | None) -> Iterator[str]:
    if not name.startswith("smf"):
        yield f"missing: a LogRecord for {name} in imsperf/layouts/ims_*.py; see ims_41.py"
        return
    kind, _, subtype = name.removeprefix("smf").partition("_")
    tables = list(dict.fromkeys(table for table, _ in known.fields)) if known else []
    sections = [
        line
        for table in tables or [f"{name}_header", f"{name}_data"]
        for line in _section_code(table, known, f"smf{kind}")
    ]
    kinds = sorted({*re.findall(r", ([a-z]+\w*?)(?:\(\d+\))?, \"Meaning", "\n".join(sections))})
    parts = [line for line in known.places if line.format == "triplet"] if known else []
    places = ", ".join(f"triplet({part.offset}, {_constant(part.table)})" for part in parts)
    single = ", single_reader=True" if known and known.status == "single reader" else ""
    yield f"missing: imsperf/layouts/{name}.py; lines to paste, meanings and units to be filled in:"
    yield f"""\
\"\"\"SMF type {kind} subtype {subtype or "all"}: what it is about, who writes it and when.\"\"\"

from __future__ import annotations

from imsperf.kinds import {", ".join(kinds) or "u2"}
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.record import Record, triplet

_SOURCE = f"{{BOOK}}: record type {kind} subtype {subtype or "all"},"

# fmt: off"""
    yield from sections
    yield ""
    title = f'RECORD = Record({kind}, {subtype or None}, "Title", HEADER'
    yield f"{title}, parts=({places}{',' if places else ''}){single})"
    yield ""
    yield "RECORDS = (RECORD,)"


def _constant(table: str) -> str:
    return re.sub(r"^smf\d+(_\d+)?_", "", table).upper()


def _section_code(table: str, known: Evidence | None, prefix: str) -> Iterator[str]:
    """A section with the fields of the evidence; meaning and unit are to be written."""
    fields = [line for (name, _), line in known.fields.items() if name == table] if known else []
    end = max(((field.offset or 0) + field.length for field in fields), default=0)
    yield ""
    yield f'{_constant(table)} = Section("{table}", "One row per ...", f"{{_SOURCE}} ...", {end}, ('
    header = table.endswith("_header")
    if header:
        yield f'    *standard_header("{prefix}"),'
    for field in fields:
        if not header or (field.offset or 0) >= _STANDARD_HEADER:
            yield f'    F({field.offset:>4}, "{field.field}", {_kind(field)}, "Meaning"),'
    yield '), "1src")'


_STANDARD_HEADER = 24


def _kind(line: Line) -> str:
    """The kind that a format and a value suggest; `imsperf.kinds` has more."""
    n, value = line.length, line.value
    if line.format == "packed":
        return "date" if re.match(r"\d{4}-", value) else "clock" if ":" in value else f"packed({n})"
    if line.format == "binary" and ":" in value:
        return "centisec"
    if line.format in ("binary", "hex/binary") and not value.startswith("X"):
        return f"u{n}"
    if line.format == "array of binary":
        return f"array(u{n // value.count(',')}, {value.count(',') + 1})"
    words = {
        "binary signed": f"signed({n})", "bitflags": f"flags{n}", "EBCDIC": f"text({n})",
        "IBM hex float": f"hfp{n}", "TOD": {4: "tod_high", 16: "stcke"}.get(n, "tod"),
    }  # fmt: skip
    return words.get(line.format, f"opaque({n})")


# --- reports and scenarios -----------------------------------------------------------------------


_REPORT = """\
/* imsperf report
id       = "{name}"
title    = "Title"
answers  = "Which question does it answer?"
key      = ["device"]
*/
SELECT
    run, sysplex, system, interval_start, interval_start_utc, device,
    io_count / nullif(interval_s, 0)  AS rate_per_s, -- I/Os a second
    io_count, interval_s
FROM rmf_device"""


def check_report(name: str) -> Iterator[str]:
    """The files of a report: its SQL and its cases."""
    from imsperf.reports.catalog import catalog

    family, _, short = name.partition(".")
    if name not in catalog().reports:
        yield f"missing: sql/reports/{family}/{short}.sql; lines to paste:"
        yield _REPORT.format(name=name)
    else:
        yield f"sql: {name} is found"
    if not report_cases(name):
        known = catalog().reports.get(name)
        columns = [column.name for column in known.columns] if known else ["system"]
        case = {
            "report": name, "key": ["system"], "tolerance": 1e-9, "tables": {"TABLE": [{}]},
            "expect": [dict.fromkeys(columns)],
        }  # fmt: skip
        yield f"missing: tests/report_values/{short}.json; lines to paste, worked out by hand:"
        yield json.dumps(case, indent=1)
    else:
        yield f"cases: {', '.join(report_cases(name))}"


def report_cases(name: str) -> list[str]:
    """The names of the files of cases of a report."""
    return [
        path.stem
        for path in sorted(CASES.glob("*.json"))
        if json.loads(path.read_text(encoding="utf-8"))["report"] == name
    ]


def check_scenario(name: str) -> Iterator[str]:
    """The files of a scenario: inputs, what was published of it, what was fitted to it."""
    if not (SCENARIOS / f"{name}.toml").exists():
        yield f"missing: synthetic/scenarios/{name}.toml; lines to paste:"
        yield f'name = "{name}"\ntitle = "Title"\ndoc = "Where its numbers come from"'
        yield 'extends = "tps-100k"\n\n[settings]'
    for part in ("published", "calibration"):
        if not (SCENARIOS / f"{name}.{part}.toml").exists():
            yield f"none: synthetic/scenarios/{name}.{part}.toml; it may be left out"


# --- all -----------------------------------------------------------------------------------------


def tests_of(word: str) -> tuple[list[str], list[str]]:
    """What is said of a name, and the arguments of pytest that run its tests."""
    from imsperf.reports.catalog import catalog
    from imsperf.synthetic.scenarios.files import names as scenario_names

    record = record_name(word)
    if record is not None:
        said = list(check_record(record))
        if _missing(said):
            return said, []
        reader = "test_smf.py" if record.startswith("smf") else "test_ims.py"
        files = (
            "layouts/test_evidence.py",
            "layouts/test_layouts.py",
            "layouts/test_dictionary.py",
        )
        paths = [*files, "project/test_readme.py", f"parsers/{reader}"]
        chosen = f"[{record}] or [{record} or stale or readme"
        return said, [*(str(TESTS / path) for path in paths), "-k", chosen]
    families = {report.partition(".")[0] for report in catalog().reports}
    if word.partition(".")[0] in families and "." in word:
        cases = " or ".join([word, *report_cases(word)])
        said = list(check_report(word))
        modules = ("reports", "report_values", "report_output", "lineage")
        files = [str(TESTS / "reports" / f"test_{module}.py") for module in modules]
        return said, [*files, "-k", cases] if not _missing(said) else []
    if "." in word or " " in word:
        known = [*catalog().reports, *scenario_names()]
        return [f"no record, report or scenario {word!r}; {near(word, known, '')}"], []
    folders = [str(TESTS / "synthetic" / "scenarios"), str(TESTS / "acceptance")]
    return list(check_scenario(word)), [*folders, "-k", word]


def _missing(said: list[str]) -> bool:
    return any(line.startswith("missing: ") for line in said)


def main(words: Sequence[str]) -> int:
    """Print what is missing, run the tests; 0 where nothing is amiss."""
    code = 0
    for word in words:
        try:
            said, arguments = tests_of(word)
        except ImsperfError as error:
            print(error.message, error.hint, sep="\n")
            code = 1
            continue
        print(*said, sep="\n")
        if not arguments:
            code = 1
            continue
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--tb=line", "-p", "no:xdist", *arguments],
            cwd=CHECKOUT,
            check=False,
        )
        code = code or done.returncode or int(_missing(said))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
