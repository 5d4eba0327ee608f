"""Items of a DSECT to fields of a layout: name, kind, meaning; overlaps become aliases.

Where stretches overlap (ORG back, DS 0CL80, EQU), one name reads them and the others are kept as
aliases: a part wins over the one stretch it is part of, else the first; `prefer` names others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from imsperf.errors import LayoutError
from imsperf.kinds import Kind
from imsperf.user_layouts.dsect import Dsect, Item, Named
from imsperf.user_layouts.kind_names import by_name

_MOST_SINGLE = 64  # repeated texts become that many fields at most, else one of bytes
_MOST_WORDS = 600  # letters of a meaning


@dataclass(frozen=True)
class Choices:
    """What the user says and a listing does not."""

    kinds: Mapping[str, str] | None = None  # field, in lower case -> kind
    prefer: Collection[str] = ()
    unsigned: bool = False  # F and H are counts


@dataclass(frozen=True)
class Made:
    """A field as it will stand in the layout file."""

    offset: int
    name: str
    kind: Kind
    doc: str
    confidence: str = ""

    @property
    def end(self) -> int:
        """Offset behind it."""
        return self.offset + self.kind.width


@dataclass(frozen=True)
class Mapped:
    """A DSECT as fields; `notes` say what was guessed or left aside."""

    fields: tuple[Made, ...]
    aliases: tuple[Made, ...]
    length: int
    notes: tuple[str, ...]


def fields_of(dsect: Dsect, choices: Choices | None = None) -> Mapped:
    """The fields of a DSECT. Raises LayoutError where a chosen kind does not fit."""
    chosen = choices or Choices()
    fields = [field for item in dsect.items if item.name for field in _placed(item, chosen)]
    named = _chosen_kinds(_unique(fields), chosen)
    notes = [
        f"{field.name}: read as {field.kind.name} because its remark says so; --kind changes that"
        for field in named
        if field.confidence
    ]
    labels = {item.name.lower() for item in dsect.items if item.label}
    settled, aliases = _settled(named, labels, {name.lower() for name in chosen.prefer})
    notes += _uncovered(settled, aliases, labels)
    return Mapped(tuple(settled), tuple(aliases), max(dsect.length, 1), tuple(notes))


# --- one item ------------------------------------------------------------------------------------


def _placed(item: Item, chosen: Choices) -> list[Made]:
    try:
        return list(_made(item, chosen))
    except LayoutError as error:
        where = f"{item.statement.where}: {item.name}"
        raise LayoutError(f"{where}: {error.message}", error.hint) from error


def _made(item: Item, chosen: Choices) -> Iterator[Made]:
    name, doc = item.name.lower(), _doc(item)
    count, length = item.operand.count, item.operand.length
    single = item.operand.type in ("C", "CE", "Z", "CA", "CU", "G")
    if single and length > 1 and 1 < count <= _MOST_SINGLE:
        kind = by_name(_kind_name(item.operand.type, length, chosen))
        for number in range(count):
            yield Made(item.offset + number * length, f"{name}_{number + 1}", kind, doc)
        return
    if item.width < 1:
        return
    guess = _clock(item)
    if guess:
        yield Made(item.offset, name, by_name(guess), doc, "inferred")
        return
    yield Made(item.offset, name, _kind(item, chosen), doc)


def _clock(item: Item) -> str:
    """STCK and STCKE values are declared as D or XL8, XL16; only a remark tells them."""
    if item.operand.type not in ("D", "X", "FD", "C", "F", "AD") or item.values:
        return ""
    words = item.statement.remark.upper()
    if item.width == 16 and re.search(r"\bSTCKE\b|\bETOD\b", words):
        return "stcke"
    if item.width == 8 and re.search(r"\bSTCK\b|\bTOD\b", words):
        return "" if re.search(r"INTERVAL|ELAPSED|DELTA|DURATION|\bUNITS?\b", words) else "tod"
    return ""


def _kind(item: Item, chosen: Choices) -> Kind:
    operand = item.operand
    count, length = (1, item.width) if item.label or item.parts else (operand.count, operand.length)
    bits = any(value.text[:1].upper() in "XB" for value in item.values)
    if item.parts or (bits and item.width <= 4 and operand.type[0] in "XB"):
        return by_name({1: "flags1", 2: "flags2", 4: "flags4"}.get(item.width, _bytes(item.width)))
    if length == 1 and operand.type[0] in "CXB":  # DS 8X: one field of 8 bytes, as XL8
        count, length = 1, item.width
    name = _kind_name(operand.type, length, chosen)
    if count == 1:
        return by_name(name)
    try:
        return by_name(f"{name}[{count}]")
    except LayoutError:
        return by_name(f"opaque({item.width})")


def _bytes(width: int) -> str:
    return f"u{width}" if width <= 8 else f"opaque({width})"


def _kind_name(type: str, length: int, chosen: Choices) -> str:
    """The kind of one item. Types without a kind of ours are carried as bytes."""
    if type in ("C", "CE", "Z"):
        return f"text({length})"
    if type in ("F", "FD", "H"):
        return (f"u{length}" if chosen.unsigned else f"s{length}") if length <= 8 else _bytes(9)
    if type in ("D", "DH", "E", "EH") and length in (4, 8):
        return f"hfp{length}"
    if type == "P" and length <= 9:
        return f"packed({length})"
    if type[0] in "ABXYVSQRJ":
        return _bytes(length)
    return f"opaque({length})"


def _doc(item: Item) -> str:
    """The remark, else how it is declared; behind it the bits and values with names."""
    statement = item.statement
    words = statement.remark or f"{item.name}, {statement.operation} {statement.operand}"
    if item.parts:
        words += f" (bits: {', '.join(str(part.bits) for part in item.parts)})"
    if item.values:
        words += ": " + "; ".join(_value(value_of, item.width) for value_of in item.values)
    return "".join(letter if letter.isprintable() else " " for letter in words)[:_MOST_WORDS]


def _value(named: Named, width: int) -> str:
    shown = named.text if named.text[:1].upper() == "C" else f"{named.value:0{2 * width}X}"
    return f"{shown} {named.name} {named.remark}".strip()


# --- all items -----------------------------------------------------------------------------------


def _unique(fields: list[Made]) -> list[Made]:
    """Names that occur twice get a number."""
    seen: dict[str, int] = {}
    out = []
    for field in fields:
        seen[field.name] = seen.get(field.name, 0) + 1
        times = seen[field.name]
        out.append(field if times == 1 else replace(field, name=f"{field.name}__{times}"))
    return out


def _chosen_kinds(fields: list[Made], chosen: Choices) -> list[Made]:
    """The fields with the kinds the user chose; widths must agree."""
    out = []
    for field in fields:
        name = (chosen.kinds or {}).get(field.name)
        if name is None:
            out.append(field)
            continue
        kind = by_name(name)
        if kind.width != field.kind.width:
            raise LayoutError(
                f"{field.name}: found kind {name} of {kind.width} bytes, "
                f"the listing says {field.kind.width}"
            )
        out.append(replace(field, kind=kind, confidence=""))
    return out


def _settled(
    fields: list[Made], labels: set[str], prefer: set[str]
) -> tuple[list[Made], list[Made]]:
    """Fields without overlaps, by offset, and what lost its place to them."""
    settled: list[Made] = []
    aliases: list[Made] = []
    for field in fields:
        if field.name in labels and field.name not in prefer:
            aliases.append(field)
            continue
        over = [other for other in settled if other.offset < field.end and field.offset < other.end]
        if not over or _wins(field, over, prefer):
            settled = [other for other in settled if not any(other is x for x in over)]
            aliases += over
            settled.append(field)
        else:
            aliases.append(field)
    return sorted(settled, key=lambda x: x.offset), sorted(aliases, key=lambda x: x.offset)


def _wins(field: Made, over: list[Made], prefer: set[str]) -> bool:
    if any(other.name in prefer for other in over):
        return False
    part = len(over) == 1 and field.kind.width < over[0].kind.width
    inside = part and over[0].offset <= field.offset and field.end <= over[0].end
    return field.name in prefer or inside


def _uncovered(fields: list[Made], aliases: list[Made], labels: set[str]) -> list[str]:
    """Bytes that only an alias has: they are not read."""
    taken = {at for field in fields for at in range(field.offset, field.end)}
    notes = []
    for alias in aliases:
        lost = sum(at not in taken for at in range(alias.offset, alias.end))
        if lost and alias.name not in labels:
            notes.append(
                f"{alias.name} at +{alias.offset}: {lost} of its bytes are in no field; "
                f"they are kept "
                f"as an alias only (--prefer {alias.name} to read them)"
            )
    return notes
