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
from imsperf.reports.example import Example, Number, Place, Rows
from imsperf.reports.formats import STYLE
from imsperf.reports.lineage import FIELD, Step, Subject, is_ours, ratio_text, record_name
from imsperf.reports.numbers import visible
from imsperf.reports.operands import VALUE

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


def render(one: Explanation, form: str = "text") -> str:
    """The explanation as text. Raises ReportError for a form there is not."""
    if form == "text":
        return "".join(f"{line}\n" for line in _lines(one)).rstrip() + "\n"
    if form == "json":
        return json.dumps(as_dict(one), indent=1, ensure_ascii=False) + "\n"
    if form == "md":
        return _markdown(one)
    if form == "html":
        return _html(one)
    expected = f"expected one of {', '.join(FORMATS)}"
    raise ReportError(f"cannot print {form!r}, {expected}", near(form, FORMATS))


# --- text ----------------------------------------------------------------------------------------


def _lines(one: Explanation) -> Iterator[str]:
    yield _title(one.subject)
    for title, body in _sections(one):
        yield from ("", title, *body)


def _title(what: Subject) -> str:
    meaning, unit = what.meaning
    return visible(f"{what.name}{f' [{unit}]' if unit else ''}{f': {meaning}' if meaning else ''}")


def _sections(one: Explanation) -> Iterator[tuple[str, list[str]]]:
    yield "Formula", [*_tree(one.step, 0, set()), *_ratio(one.subject)]
    fields = list(_fields(one.step))
    if fields:
        yield "Fields", fields
    if one.example:
        key = ", ".join(f"{k} {visible(v or '-')}" for k, v in one.example.row.items())
        head = _folded(key, f"{one.subject.name} where ", "    ")
        yield "Example", [*head, "", *_worked(one)]
        if one.bytes:
            yield "Bytes", list(_bytes(one.bytes))


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
        decides = [one.name for role, one in formula.inputs if role != VALUE]
        if decides:
            yield from _folded(", ".join(decides), f"{pad}  decided by: ", f"{pad}    ")
        for role, one in formula.inputs:
            if role == VALUE:
                yield from _tree(one, depth + 1, seen)


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
    makes = {id(one) for one in step.leaves(VALUE)}
    found = [(one, one.entry) for one in step.leaves() if one.kind == FIELD and one.entry]
    order = sorted(found, key=lambda pair: (pair[1].table or "", pair[1].offset or 0))
    for (table, source), some in groupby(order, key=lambda pair: (pair[1].table, pair[1].source)):
        rows = list(some)
        entry = rows[0][1]
        sure = OURS if is_ours(rows[0][0]) else entry.confidence
        head = f"{table}: {record_name(entry)}, section {entry.section}; {source} ({sure})"
        yield from _folded(head, "", "    ")
        for one, _ in rows:
            yield from _field(one, id(one) in makes)


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


def _worked(one: Explanation) -> Iterator[str]:
    assert one.example is not None
    marks = {(b.place, b.value): n for n, b in enumerate(one.bytes, 1)}
    yield from _number(one.example.number, 0, marks, set())
    top = one.example.number
    yield ""
    yield f"{one.subject.name} = {visible(top.value or 'NULL')}, printed {one.example.printed}"


Marks = dict[tuple[Place, str | None], int]  # number of each place in the list of bytes
Seen = set[tuple[str, str | None]]


def _number(one: Number, depth: int, marks: Marks, seen: Seen) -> Iterator[str]:
    """A number, the formula with its numbers, and below it those that were put in."""
    pad, value = "  " * depth, _shown(one.value)
    if one.place is not None:
        yield f"{pad}{one.name} = {value}{_where(one.place, marks.get((one.place, one.value)))}"
        return
    if (one.name, one.value) in seen and one.inputs:
        yield f"{pad}{one.name} = {value}, as above"
        return
    seen.add((one.name, one.value))
    only = one.inputs[0] if len(one.inputs) == 1 else None
    if isinstance(only, Rows) and only.call == one.formula:  # the call is the whole formula
        yield f"{pad}{one.name} = {visible(only.call)} {_count(only)} = {value}"
        yield from _first_rows(only, depth, marks, seen)
        return
    text = f"{visible(one.numbers)} = {value}" if _says_more(one) else value
    yield from _folded(text, f"{pad}{one.name} = ", pad + "    ")
    if not one.agrees:
        yield f"{pad}    computed again: {_shown(one.result)}"
    for inner in one.inputs:
        yield from _input(inner, depth + 1, marks, seen)


def _input(one: Number | Rows, depth: int, marks: Marks, seen: Seen) -> Iterator[str]:
    if isinstance(one, Number):
        yield from _number(one, depth, marks, seen)
        return
    yield f"{'  ' * depth}{visible(one.call)} {_count(one)} = {_shown(one.value)}"
    yield from _first_rows(one, depth, marks, seen)


def _first_rows(one: Rows, depth: int, marks: Marks, seen: Seen) -> Iterator[str]:
    for row in one.first:
        for inner in row.inputs:
            yield from _input(inner, depth + 1, marks, seen)
    if one.count > len(one.first) > 0:
        more = one.count - len(one.first)
        said = f"... and {more:,} more rows; all {one.count:,} give {_shown(one.value)}"
        yield f"{'  ' * (depth + 1)}{said}"


def _shown(value: str | None) -> str:
    return "NULL" if value is None else visible(value)


def _says_more(one: Number) -> bool:
    """The formula with its numbers is not the value alone, quoted or not."""
    alone = one.numbers.rpartition(" ")[2] if one.numbers.endswith("'") else one.numbers
    return bool(one.formula) and one.value != one.numbers and alone != f"'{one.value}'"


def _where(place: Place, mark: int | None) -> str:
    if mark is not None:
        return f"  [{mark}]"
    return "  (no such record)" if place.file_id is None and place.record_no is None else ""


def _count(one: Rows) -> str:
    return f"over {one.count:,} {'row' if one.count == 1 else 'rows'}"


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
        for number, one in group:
            yield from _field_bytes(number, one)


def _field_bytes(number: int, one: FieldBytes) -> Iterator[str]:
    first = f"  [{number}] {one.place.table}.{one.place.column}"
    if not one.hex:
        yield from _folded(f"= {visible(one.value or 'NULL')}; {one.note}", f"{first} ", "      ")
        return
    section = f"section {one.place.section_no} at +{one.section_at}, field at +{one.offset}"
    whole = "" if one.at is None else f": byte {one.at:,} (0x{one.at:X})"
    yield f"{first}, {section}{whole}"
    spaced = " ".join(one.hex[i : i + 2] for i in range(0, len(one.hex), 2))
    more = "" if one.agrees else f"; the table has {one.value}"
    said = f"{spaced} ({one.kind}) = {visible(one.decoded or 'NULL')}{more}"
    yield from _folded(said, "      ", "      ")
    if one.note:
        yield f"      {one.note}"


# --- other forms ---------------------------------------------------------------------------------


def as_dict(one: Explanation) -> dict[str, Any]:
    """Plain values: every step once by name, every field, the example."""
    definition, (meaning, unit) = one.subject.definition, one.subject.meaning
    leaves = list(one.step.leaves())
    makes = {id(each) for each in one.step.leaves(VALUE)}
    made: dict[str, Any] = {
        "name": one.subject.name,
        "meaning": meaning,
        "unit": unit,
        "ratio": ratio_text(definition) if definition and definition.num else "",
        "formula": _step_dict(one.step, set()),
        "leaves": [_leaf_dict(each, id(each) in makes) for each in leaves],
    }
    if one.example:
        made["example"] = {
            "row": dict(one.example.row),
            "value": one.example.number.value,
            "printed": one.example.printed,
            "worked": _number_dict(one.example.number),
            "bytes": [{**asdict(each), "agrees": each.agrees} for each in one.bytes],
        }
    return made


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
            "sql": one.text,
            "inputs": [{"role": role, **_step_dict(each, seen)} for role, each in one.inputs],
        }
        for one in step.formulas
    ]
    return {"name": step.name, "formulas": formulas}


def _number_dict(one: Number | Rows) -> dict[str, Any]:
    if isinstance(one, Rows):
        rows = [
            {"value": row.value, "inputs": [_number_dict(each) for each in row.inputs]}
            for row in one.first
        ]
        return {"call": one.call, "value": one.value, "rows": one.count, "first": rows}
    made: dict[str, Any] = {"name": one.name, "value": one.value, "type": one.type}
    if one.place:
        return made | {"place": asdict(one.place)}
    if one.formula:
        made |= {"sql": one.formula, "numbers": one.numbers, "result": one.result}
    return made | {"inputs": [_number_dict(each) for each in one.inputs]}


def _markdown(one: Explanation) -> str:
    title = _title(one.subject).replace("&", "&amp;").replace("<", "&lt;")
    parts = [f"# {title}\n"]
    for title, body in _sections(one):
        text = "\n".join(body).replace("```", "'''")
        parts.append(f"## {title}\n\n```\n{text}\n```\n")
    return "\n".join(parts)


def _html(one: Explanation) -> str:
    title = html.escape(_title(one.subject))
    body = "".join(
        f"<h2>{name}</h2>\n<pre>{html.escape(chr(10).join(lines))}</pre>\n"
        for name, lines in _sections(one)
    )
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
    return f"{head}<style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}</body></html>\n"
