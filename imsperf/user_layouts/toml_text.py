"""The text of a layout file: what `imsperf layout import` writes and layout_file reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
    place: Mapping[str, Any] = field(default_factory=dict)


def quoted(words: str) -> str:
    """A text as TOML; letters that do not print become blanks."""
    plain = "".join(letter if letter.isprintable() else " " for letter in words)
    return json.dumps(plain, ensure_ascii=False)


def value(one: Any) -> str:
    """A value as TOML."""
    if isinstance(one, bool):
        return "true" if one else "false"
    if isinstance(one, Mapping):
        return "{" + ", ".join(f"{key} = {value(x)}" for key, x in one.items()) + "}"
    return str(one) if isinstance(one, int) else quoted(str(one))


def _lines(name: str, fields: Iterable[Named]) -> list[str]:
    made = []
    for one in fields:
        facts = {"offset": one.offset, "name": one.name, "kind": one.kind.name, "doc": one.doc}
        if one.confidence:
            facts["confidence"] = one.confidence
        made.append(f"  {value(facts)},")
    return [f"{name} = [", *made, "]"] if made else []


def _section(key: str, one: SectionText) -> list[str]:
    facts = {"table": one.table, "doc": one.doc, "source": one.source, "length": one.length}
    return [
        "",
        key,
        *(f"{name} = {value(x)}" for name, x in {**facts, **one.place}.items()),
        *_lines("fields", one.fields),
        *(
            ["# Other names for bytes that the fields have; they are not read."]
            if one.aliases
            else []
        ),
        *_lines("alias", one.aliases),
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
    for one in sections:
        lines += _section("[[record.section]]", one)
    return "\n".join(lines) + "\n"
