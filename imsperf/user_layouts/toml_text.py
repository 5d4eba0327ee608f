"""The text of a layout file: what `imsperf layout import` writes and layout_file reads."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from imsperf.kinds import Kind


class Named(Protocol):
    """A field that can be written."""

    @property
    def offset(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def doc(self) -> str: ...
    @property
    def confidence(self) -> str: ...


@dataclass(frozen=True)
class SectionText:
    """A section as it will be written; `place` holds triplet or entries."""

    table: str
    doc: str
    source: str
    length: int
    fields: Sequence[Named]
    aliases: Sequence[Named]
    place: Mapping[str, Any] = dataclasses.field(default_factory=dict)


def quoted(words: str) -> str:
    """A text as TOML; letters that do not print become blanks."""
    plain = "".join(letter if letter.isprintable() else " " for letter in words)
    return json.dumps(plain, ensure_ascii=False)


def value(item: Any) -> str:
    """A value as TOML."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, Mapping):
        return "{" + ", ".join(f"{key} = {value(x)}" for key, x in item.items()) + "}"
    return str(item) if isinstance(item, int) else quoted(str(item))


def _lines(name: str, fields: Iterable[Named]) -> list[str]:
    lines = []
    for field in fields:
        facts = {
            "offset": field.offset,
            "name": field.name,
            "kind": field.kind.name,
            "doc": field.doc,
        }
        if field.confidence:
            facts["confidence"] = field.confidence
        lines.append(f"  {value(facts)},")
    return [f"{name} = [", *lines, "]"] if lines else []


def _section(key: str, section_text: SectionText) -> list[str]:
    facts = {
        "table": section_text.table,
        "doc": section_text.doc,
        "source": section_text.source,
        "length": section_text.length,
    }
    return [
        "",
        key,
        *(f"{name} = {value(x)}" for name, x in {**facts, **section_text.place}.items()),
        *_lines("fields", section_text.fields),
        *(
            ["# Other names for bytes that the fields have; they are not read."]
            if section_text.aliases
            else []
        ),
        *_lines("alias", section_text.aliases),
    ]


def layout_text(
    comment: Iterable[str],
    record: Mapping[str, Any],
    sections: Iterable[SectionText],
    header: SectionText | None = None,
) -> str:
    """A layout file with one record."""
    lines = [f"# {''.join(x if x.isprintable() else ' ' for x in words)}" for words in comment]
    lines += ["", "[[record]]", *(f"{key} = {value(x)}" for key, x in record.items())]
    lines += _section("[record.header]", header) if header else []
    for section in sections:
        lines += _section("[[record.section]]", section)
    return "\n".join(lines) + "\n"
