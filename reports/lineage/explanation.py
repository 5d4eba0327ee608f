"""What `imsperf explain` says, as text, JSON, Markdown or HTML."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from textwrap import wrap
from typing import Any

from imsperf.errors import ReportError, near
from imsperf.reports.catalog import records_needed
from imsperf.reports.definition import Report
from imsperf.reports.formats import STYLE
from imsperf.reports.lineage.columns import (
    FIELD,
    Step,
    Subject,
    is_ours,
    lineage,
    ratio_text,
    record_name,
    report_columns,
    subject,
)
from imsperf.reports.lineage.example import Example, Number, Place, Rows
from imsperf.reports.lineage.operands import VALUE
from imsperf.reports.numbers import visible

FORMATS = ("text", "json", "md", "html")
OURS = "layout of this project, imsperf-1"
_WIDTH = 110


@dataclass(frozen=True)
class FieldBytes:
    """The bytes of a field in a file. Places are in bytes; None where they are not known.

    `record_at` and `at` count in the unpacked file, `section_at` in the record, `offset` in the
    section. `decoded` is what the bytes say, as DuckDB writes it; `value` what the table has.
    """

    place: Place
    value: str | None
    path: str = ""
    record_no: int | None = None
    record_at: int | None = None
    section_at: int | None = None
    offset: int | None = None
    at: int | None = None
    hex: str = ""
    kind: str = ""
    decoded: str | None = None
    note: str = ""

    @property
    def agrees(self) -> bool:
        """The bytes say what the table has."""
        return bool(self.hex) and self.decoded == self.value


@dataclass(frozen=True)
class Explanation:
    """Where a column comes from; with a database, one number of it from its bytes."""

    subject: Subject
    step: Step
    example: Example | None = None
    bytes: tuple[FieldBytes, ...] = ()


def render(explanation: Explanation, form: str = "text") -> str:
    """The explanation as text. Raises ReportError for a form there is not."""
    if form == "text":
        return "".join(f"{line}\n" for line in _lines(explanation)).rstrip() + "\n"
    if form == "json":
        return json.dumps(as_dict(explanation), indent=1, ensure_ascii=False) + "\n"
    if form == "md":
        return _markdown(explanation)
    if form == "html":
        return _html(explanation)
    expected = f"expected one of {', '.join(FORMATS)}"
    raise ReportError(f"cannot print {form!r}, {expected}", near(form, FORMATS))


# --- text ----------------------------------------------------------------------------------------


_GUIDE_WIDTH = 100
_LEAD = ("run", "sysplex", "system", "interval_start", "interval_start_utc")  # of every report


def guide(report: Report) -> str:
    """How to read a report: its question, records, parameters, columns with the fields behind
    them, and the formula of its first ratio."""
    lines = [f"{report.id}: {report.title}", *_wrapped(report.answers, 2), ""]
    lines += _wrapped(f"Needs{_named_by(report)}: {records_needed(report)}", 0)
    key = (*report.groups, report.time) if report.time else report.groups
    lines += _wrapped(f"A row for each: {', '.join(key)}", 0)
    for parameter in report.parameters:
        words = f"{parameter.doc} ({parameter.type}, {parameter.default!r} if not given)"
        lines += _wrapped(f"--param {parameter.name}: {words}", 0)
    lines += ["", "Columns, with their unit and the fields they are made of"]
    for row in report_columns(report).to_pylist():
        if row["column"] in _LEAD:
            continue
        unit = f" [{row['unit']}]" if row["unit"] else ""
        better = f"; {row['better']} is better" if row["better"] else ""
        head = f"{row['column']}{unit}" + (
            f", printed as {row['heading']}" if row["heading"] != row["column"] else ""
        )
        lines += [f"  {head}", *_wrapped(f"{row['meaning']}{better}", 6)]
        lines += _wrapped(f"from {row['from']}" if row["from"] else "", 6)
    first = next((c for c in report.shown if c.kind == "ratio" and c.num), None)
    if first is not None:
        what = subject(f"{report.id}.{first.name}")
        lines += ["", f"How {first.name} is worked out", *_tree(lineage(what), 0, set())]
        lines += ["", "With the numbers of a run, down to the bytes of its records:"]
        lines += [f"  imsperf explain {report.id}.{first.name} --db FILE"]
    return "\n".join(lines) + "\n"


def _named_by(report: Report) -> str:
    """What the names of its records are, where it is not only SMF types."""
    kinds = {table[:3] for table in report.needs} & {"smf", "ims"}
    if "ims" not in kinds or report.is_of_any_record:
        return ""
    return " (SMF types, IMS log codes)" if "smf" in kinds else " (IMS log codes)"


def _wrapped(words: str, indent: int) -> list[str]:
    room = " " * indent
    return wrap(words, _GUIDE_WIDTH, initial_indent=room, subsequent_indent=room + "  ")


def _lines(explanation: Explanation) -> Iterator[str]:
    yield _title(explanation.subject)
    for title, body in _sections(explanation):
        yield from ("", title, *body)


def _title(what: Subject) -> str:
    meaning, unit = what.meaning
    return visible(f"{what.name}{f' [{unit}]' if unit else ''}{f': {meaning}' if meaning else ''}")


def _sections(explanation: Explanation) -> Iterator[tuple[str, list[str]]]:
    yield "Formula", [*_tree(explanation.step, 0, set()), *_ratio(explanation.subject)]
    fields = list(_fields(explanation.step))
    if fields:
        yield "Fields", fields
    if explanation.example:
        key = ", ".join(f"{k} {visible(v or '-')}" for k, v in explanation.example.row.items())
        head = _folded(key, f"{explanation.subject.name} where ", "    ")
        yield "Example", [*head, "", *_worked(explanation)]
        if explanation.bytes:
            yield "Bytes", list(_bytes(explanation.bytes))


def _ratio(what: Subject) -> Iterator[str]:
    definition = what.definition
    if definition is not None and definition.num:
        yield f"  of several rows: {ratio_text(definition)}"


def _folded(text: str, first: str, rest: str) -> list[str]:
    """Text in lines, broken at WHEN and ELSE where it is long."""
    if len(first) + len(text) <= _WIDTH:
        return [first + text]
    pieces = text.replace(" WHEN ", "\nWHEN ").replace(" ELSE ", "\nELSE ").split("\n")
    width = max(_WIDTH - len(rest), 40)
    lines = [line for piece in pieces for line in wrap(piece, width, break_long_words=False)]
    return [f"{first if n == 0 else rest}{line}" for n, line in enumerate(lines)]


def _tree(step: Step, depth: int, seen: set[int]) -> Iterator[str]:
    """A step, its formula, and below it what makes its value; what only decides is named."""
    pad = "  " * depth
    if not step.formulas:
        yield f"{pad}{step.name}{_leaf_words(step)}"
        return
    if id(step) in seen:
        yield f"{pad}{step.name}: see above"
        return
    seen.add(id(step))
    for number, formula in enumerate(step.formulas):
        name = f"{step.name} = " if number == 0 else "or = "
        yield from _folded(visible(formula.text), pad + name, pad + "    ")
        decides = [branch.name for role, branch in formula.inputs if role != VALUE]
        if decides:
            yield from _folded(", ".join(decides), f"{pad}  decided by: ", f"{pad}    ")
        for role, branch in formula.inputs:
            if role == VALUE:
                yield from _tree(branch, depth + 1, seen)


def _leaf_words(step: Step) -> str:
    entry = step.entry
    if step.kind == FIELD and entry is not None:
        if entry.offset is None:
            return f": {record_name(entry)}, where a dictionary record of the dump says"
        ours = f" ({OURS})" if is_ours(step) else ""
        return f": {record_name(entry)} {entry.section} {_offset(entry.offset)}{ours}"
    return f": {entry.meaning}" if entry is not None else f": {step.kind}"


def _offset(offset: int) -> str:
    return f"+{offset} (0x{offset:X})" if offset >= 0 else f"{offset} from its end"


def _fields(step: Step) -> Iterator[str]:
    """Every field below, by table: place, length, unit; the manual once for each table."""
    makes = {id(leave) for leave in step.leaves(VALUE)}
    leaves = [
        (leave, leave.entry) for leave in step.leaves() if leave.kind == FIELD and leave.entry
    ]
    order = sorted(leaves, key=lambda pair: (pair[1].table or "", pair[1].offset or 0))
    for (table, source), some in groupby(order, key=lambda pair: (pair[1].table, pair[1].source)):
        rows = list(some)
        entry = rows[0][1]
        sure = OURS if is_ours(rows[0][0]) else entry.confidence
        head = f"{table}: {record_name(entry)}, section {entry.section}; {source} ({sure})"
        yield from _folded(head, "", "    ")
        for leaf, _ in rows:
            yield from _field(leaf, id(leaf) in makes)


def _field(step: Step, makes_value: bool) -> list[str]:
    entry = step.entry
    assert entry is not None
    place = "-" if entry.offset is None else _offset(entry.offset)
    unit = f" [{entry.unit}]" if entry.unit else ""
    size = f"{entry.length} byte{'' if entry.length == 1 else 's'}" if entry.length else ""
    role = "" if makes_value else "; decides only"
    first = f"  {entry.column:<16} {place:<14} {size:<9} {entry.kind or '':<10} "
    return _folded(f"{entry.meaning}{unit}{role}", first, " " * 8)


# --- the example ---------------------------------------------------------------------------------


def _worked(explanation: Explanation) -> Iterator[str]:
    assert explanation.example is not None
    marks = {(b.place, b.value): n for n, b in enumerate(explanation.bytes, 1)}
    yield from _number(explanation.example.number, 0, marks, set())
    top = explanation.example.number
    yield ""
    value, printed = visible(top.value or "NULL"), explanation.example.printed
    yield f"{explanation.subject.name} = {value}, printed {printed}"


Marks = dict[tuple[Place, str | None], int]  # number of each place in the list of bytes
Seen = set[tuple[str, str | None]]


def _number(number: Number, depth: int, marks: Marks, seen: Seen) -> Iterator[str]:
    """A number, the formula with its numbers, and below it those that were put in."""
    pad, value = "  " * depth, _shown(number.value)
    if number.place is not None:
        where = _where(number.place, marks.get((number.place, number.value)))
        yield f"{pad}{number.name} = {value}{where}"
        return
    if (number.name, number.value) in seen and number.inputs:
        yield f"{pad}{number.name} = {value}, as above"
        return
    seen.add((number.name, number.value))
    only = number.inputs[0] if len(number.inputs) == 1 else None
    if isinstance(only, Rows) and only.call == number.formula:  # the call is the whole formula
        yield f"{pad}{number.name} = {visible(only.call)} {_count(only)} = {value}"
        yield from _first_rows(only, depth, marks, seen)
        return
    text = f"{visible(number.numbers)} = {value}" if _says_more(number) else value
    yield from _folded(text, f"{pad}{number.name} = ", pad + "    ")
    if not number.agrees:
        yield f"{pad}    computed again: {_shown(number.result)}"
    for inner in number.inputs:
        yield from _input(inner, depth + 1, marks, seen)


def _input(number: Number | Rows, depth: int, marks: Marks, seen: Seen) -> Iterator[str]:
    if isinstance(number, Number):
        yield from _number(number, depth, marks, seen)
        return
    yield f"{'  ' * depth}{visible(number.call)} {_count(number)} = {_shown(number.value)}"
    yield from _first_rows(number, depth, marks, seen)


def _first_rows(rows: Rows, depth: int, marks: Marks, seen: Seen) -> Iterator[str]:
    for row in rows.first:
        for inner in row.inputs:
            yield from _input(inner, depth + 1, marks, seen)
    if rows.count > len(rows.first) > 0:
        more = rows.count - len(rows.first)
        said = f"... and {more:,} more rows; all {rows.count:,} give {_shown(rows.value)}"
        yield f"{'  ' * (depth + 1)}{said}"


def _shown(value: str | None) -> str:
    return "NULL" if value is None else visible(value)


def _says_more(number: Number) -> bool:
    """The formula with its numbers is not the value alone, quoted or not."""
    alone = number.numbers.rpartition(" ")[2] if number.numbers.endswith("'") else number.numbers
    return bool(number.formula) and number.value != number.numbers and alone != f"'{number.value}'"


def _where(place: Place, mark: int | None) -> str:
    if mark is not None:
        return f"  [{mark}]"
    return "  (no such record)" if place.file_id is None and place.record_no is None else ""


def _count(rows: Rows) -> str:
    return f"over {rows.count:,} {'row' if rows.count == 1 else 'rows'}"


def _bytes(fields: tuple[FieldBytes, ...]) -> Iterator[str]:
    """By record, one line for each field."""
    numbered = sorted(
        enumerate(fields, 1), key=lambda pair: (pair[1].path, pair[1].record_no or 0, pair[0])
    )
    for (path, record), some in groupby(numbered, key=lambda p: (p[1].path, p[1].record_no)):
        group = list(some)
        at = group[0][1].record_at
        place = "" if at is None else f" at byte {at:,}"
        yield f"{visible(path) or 'no file'}, record {record or 0:,}{place}"
        for number, row in group:
            yield from _field_bytes(number, row)


def _field_bytes(number: int, field_bytes: FieldBytes) -> Iterator[str]:
    first = f"  [{number}] {field_bytes.place.table}.{field_bytes.place.column}"
    if not field_bytes.hex:
        yield from _folded(
            f"= {visible(field_bytes.value or 'NULL')}; {field_bytes.note}", f"{first} ", "      "
        )
        return
    section = f"section {field_bytes.place.section_no} at +{field_bytes.section_at}, "
    section += f"field at +{field_bytes.offset}"
    place_text = (
        "" if field_bytes.at is None else f": byte {field_bytes.at:,} (0x{field_bytes.at:X})"
    )
    yield f"{first}, {section}{place_text}"
    spaced = " ".join(field_bytes.hex[i : i + 2] for i in range(0, len(field_bytes.hex), 2))
    more = "" if field_bytes.agrees else f"; the table has {field_bytes.value}"
    said = f"{spaced} ({field_bytes.kind}) = {visible(field_bytes.decoded or 'NULL')}{more}"
    yield from _folded(said, "      ", "      ")
    if field_bytes.note:
        yield f"      {field_bytes.note}"


# --- other forms ---------------------------------------------------------------------------------


def as_dict(explanation: Explanation) -> dict[str, Any]:
    """Plain values: every step once by name, every field, the example."""
    definition, (meaning, unit) = explanation.subject.definition, explanation.subject.meaning
    leaves = list(explanation.step.leaves())
    makes = {id(each) for each in explanation.step.leaves(VALUE)}
    entry: dict[str, Any] = {
        "name": explanation.subject.name,
        "meaning": meaning,
        "unit": unit,
        "ratio": ratio_text(definition) if definition and definition.num else "",
        "formula": _step_dict(explanation.step, set()),
        "leaves": [_leaf_dict(each, id(each) in makes) for each in leaves],
    }
    if explanation.example:
        entry["example"] = {
            "row": dict(explanation.example.row),
            "value": explanation.example.number.value,
            "printed": explanation.example.printed,
            "worked": _number_dict(explanation.example.number),
            "bytes": [{**asdict(each), "agrees": each.agrees} for each in explanation.bytes],
        }
    return entry


def _leaf_dict(step: Step, makes_value: bool) -> dict[str, Any]:
    entry = asdict(step.entry) if step.entry else {}
    role = "value" if makes_value else "condition"
    return {"name": step.name, "what": step.kind, "role": role, "ours": is_ours(step), **entry}


def _step_dict(step: Step, seen: set[int]) -> dict[str, Any]:
    """A step that stands above already has its name only."""
    if id(step) in seen or not step.formulas:
        return {"name": step.name}
    seen.add(id(step))
    formulas = [
        {
            "sql": formula.text,
            "inputs": [{"role": role, **_step_dict(each, seen)} for role, each in formula.inputs],
        }
        for formula in step.formulas
    ]
    return {"name": step.name, "formulas": formulas}


def _number_dict(number: Number | Rows) -> dict[str, Any]:
    if isinstance(number, Rows):
        rows = [
            {"value": row.value, "inputs": [_number_dict(each) for each in row.inputs]}
            for row in number.first
        ]
        return {"call": number.call, "value": number.value, "rows": number.count, "first": rows}
    entry: dict[str, Any] = {"name": number.name, "value": number.value, "type": number.type}
    if number.place:
        return entry | {"place": asdict(number.place)}
    if number.formula:
        entry |= {"sql": number.formula, "numbers": number.numbers, "result": number.result}
    return entry | {"inputs": [_number_dict(each) for each in number.inputs]}


def _markdown(explanation: Explanation) -> str:
    title = _title(explanation.subject).replace("&", "&amp;").replace("<", "&lt;")
    parts = [f"# {title}\n"]
    for title, body in _sections(explanation):
        text = "\n".join(body).replace("```", "'''")
        parts.append(f"## {title}\n\n```\n{text}\n```\n")
    return "\n".join(parts)


def _html(explanation: Explanation) -> str:
    title = html.escape(_title(explanation.subject))
    body = "".join(
        f"<h2>{name}</h2>\n<pre>{html.escape(chr(10).join(lines))}</pre>\n"
        for name, lines in _sections(explanation)
    )
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
    return f"{head}<style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}</body></html>\n"
