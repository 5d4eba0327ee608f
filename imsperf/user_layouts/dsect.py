"""Statements to DSECTs: DS, DC, EQU and ORG, with a location counter for each section.

The location counter of a listing is a second witness: where ours differs, the difference is noted
and the listing's is kept, as the assembler saw what we did not, such as the lines of PRINT NOGEN.
All statements are read twice, so that names may be used before they are defined.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from imsperf.errors import LayoutError
from imsperf.user_layouts.expressions import Scope, Symbol, Unknown, Value
from imsperf.user_layouts.operands import MOST_BYTES, Operand, parse_operand, split_operands
from imsperf.user_layouts.source import Source, Statement

_OTHER_SECTIONS = ("CSECT", "RSECT", "START", "COM")
_MOST_NOTES = 50
_BIT_TERM = re.compile(r"(?:[XBC]'(?:[^']|'')*'|[0-9]{1,3})", re.IGNORECASE)


@dataclass(frozen=True)
class Named:
    """A value of a field that has a name: a bit, or one of a list."""

    value: int
    name: str
    remark: str
    text: str  # as written


@dataclass
class Item:
    """Something that lies at an offset: a field, or another name for a stretch of bytes."""

    name: str
    offset: int
    operand: Operand
    width: int
    statement: Statement
    values: list[Named] = field(default_factory=list)
    parts: tuple[Operand, ...] = ()  # of a field of bits
    label: bool = False  # takes no room: DS 0CL80, EQU


@dataclass
class Dsect:
    """One DSECT: its items in the order of the source, and where it ends."""

    name: str
    line: int
    last_line: int
    items: list[Item] = field(default_factory=list)
    length: int = 0
    declared: int | None = None  # its length as the listing says
    here: int = 0


@dataclass
class Listing:
    """What a file says: its DSECTs, and what is worth knowing of how they were read."""

    name: str
    dsects: list[Dsect] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def assemble(source: Source, name: str) -> Listing:
    """The DSECTs of some statements.

    A statement that cannot be read is left out of a listing, with a note, as the next one has its
    place; in plain source it raises LayoutError, as all that follows would be out of place.
    """
    given = {symbol: Symbol(Value(value), length) for symbol, value, length in source.symbols}
    first = _Pass(source, name, given, final=False)
    first.run()
    last = _Pass(source, name, first.scope.symbols, final=True)
    last.run()
    notes = last.notes[:_MOST_NOTES]
    if len(last.notes) > _MOST_NOTES:
        notes.append(f"{name}: {len(last.notes) - _MOST_NOTES:,} more places that differ")
    if source.cut:
        notes.append(f"{name}: {source.cut}; what stands before is kept")
    dsects = [
        section for section in last.sections.values() if any(item.name for item in section.items)
    ]
    return Listing(name, dsects, notes + [n for dsect in dsects for n in _short(name, dsect)])


def _short(name: str, dsect: Dsect) -> list[str]:
    if dsect.declared is None or dsect.declared <= dsect.length:
        return []
    return [
        f"{name}: DSECT {dsect.name}: found fields up to +{dsect.length}, the listing says it is "
        f"{dsect.declared} bytes long; the listing may be cut, or a macro not shown (PRINT NOGEN)"
    ]


class _Pass:
    """One reading of all statements."""

    def __init__(self, source: Source, name: str, known: dict[str, Symbol], final: bool) -> None:
        self.source, self.name, self.final = source, name, final
        self.scope = Scope(dict(known))
        self.sections: dict[str, Dsect] = {}
        self.current: Dsect | None = None
        self.notes: list[str] = []

    def run(self) -> None:
        """Read the statements up to END."""
        for number, statement in enumerate(self.source.statements):
            if statement.operation == "END":
                return
            try:
                self._statement(statement, number)
            except LayoutError as error:
                if not self.final:
                    continue
                placed = self._placed(statement, error)
                if not self.source.is_listing:
                    raise placed from error
                self.notes.append(f"{placed.message}; left out")  # the next place is known

    def _placed(self, statement: Statement, error: LayoutError) -> LayoutError:
        hint = error.hint
        if "&" in statement.operand or "&" in statement.name:
            hint = "this is the source of a macro: assemble it and give the listing (PRINT GEN)"
        shown = f"{statement.name or ' '} {statement.operation} {statement.operand}"[:60]
        return LayoutError(f"{self.name}: {statement.where}: {shown}: {error.message}", hint)

    def _statement(self, statement: Statement, number: int) -> None:
        if statement.operation == "DSECT":
            self._switch(statement)
        elif statement.operation in _OTHER_SECTIONS:
            self.current, self.scope.here = None, None
        elif statement.operation == "EQU" and statement.name:
            self._equate(statement)
        elif self.current is None:
            return
        elif statement.operation in ("DS", "DC"):
            self._storage(statement, self.current, number)
        elif statement.operation == "ORG":
            self._origin(statement, self.current)

    def _switch(self, statement: Statement) -> None:
        """A DSECT begins, or goes on where another one interrupted it."""
        dsect = self.sections.get(statement.name)
        if dsect is None:
            dsect = self.sections[statement.name] = Dsect(
                statement.name or "UNNAMED", statement.line, statement.line
            )
            self._define(statement.name, Value(0, 1), 1)
        dsect.declared = statement.extent if statement.extent is not None else dsect.declared
        self.current = dsect
        self._move(dsect, dsect.length)

    def _move(self, section: Dsect, to: int) -> None:
        if not 0 <= to <= MOST_BYTES:
            raise LayoutError(f"found the place {to:,}, expected 0 to {MOST_BYTES:,}")
        section.here, section.length = to, max(section.length, to)
        self.scope.here = Value(to, 1)

    def _define(self, name: str, value: Value, length: int) -> None:
        if name:
            self.scope.symbols[name] = Symbol(value, length)

    # --- storage ---------------------------------------------------------------------------------

    def _storage(self, statement: Statement, section: Dsect, number: int) -> None:
        texts = split_operands(statement.operand) if statement.operand else []
        if not texts:
            raise LayoutError(f"found no operand, expected one such as {statement.operation} F")
        section.last_line = statement.line
        operands = self._operands(statement, section, texts, number)
        if operands is None:
            return
        start = self._aligned(statement, section, operands[0])
        self._item(statement, section, operands, start)
        at, bits = start, 0
        for operand in operands:
            if operand.bits is not None:
                bits += operand.bits * operand.count
                continue
            at, bits = at + -(-bits // 8), 0
            at = -(-at // operand.align) * operand.align + operand.width
        self._move(section, at + -(-bits // 8))

    def _operands(
        self, statement: Statement, section: Dsect, texts: list[str], number: int
    ) -> list[Operand] | None:
        """The operands; where a length is not to be had, the listing's next place gives it."""
        try:
            return [parse_operand(text.strip(), self.scope) for text in texts]
        except Unknown as error:
            after = self._next_place(number)
            if statement.loc is None or after is None or after < statement.loc:
                raise
            self._note(statement, f"{error.message}; its length is taken from the next location")
            self._move(section, statement.loc)
            return [Operand("X", 1, after - statement.loc)]

    def _next_place(self, number: int) -> int | None:
        for statement in self.source.statements[number + 1 :]:
            if statement.operation in ("DSECT", "ORG", "END", *_OTHER_SECTIONS):
                return statement.address if statement.operation == "ORG" else None
            if statement.loc is not None and statement.operation in ("DS", "DC"):
                return statement.loc
        return None

    def _aligned(self, statement: Statement, section: Dsect, operand: Operand) -> int:
        start = -(-section.here // operand.align) * operand.align
        if statement.loc is not None and statement.loc != start:
            self._note(
                statement, f"computed +{start}, the listing says +{statement.loc}, which is kept"
            )
            start = statement.loc
        self._move(section, start)
        return start

    def _item(
        self, statement: Statement, section: Dsect, operands: list[Operand], start: int
    ) -> None:
        first = operands[0]
        byte_count = -(-sum((x.bits or 0) * x.count for x in operands) // 8)
        width = first.width if first.bits is None else byte_count
        length = first.length or max(1, -(-(first.bits or 0) // 8))
        label = first.count == 0
        self._define(statement.name, Value(start, 1), length)
        item = Item(
            statement.name, start, first, length if label else width, statement, label=label
        )
        if first.bits is not None:
            item.parts = tuple(operands)
        section.items.append(item)

    # --- ORG and EQU -----------------------------------------------------------------------------

    def _origin(self, statement: Statement, section: Dsect) -> None:
        """Go to a place; without an operand, behind all that is there."""
        texts = split_operands(statement.operand) if statement.operand else [""]
        if not texts[0]:
            self._move(section, section.length)
            return
        try:
            to = self.scope.value(texts[0])
        except Unknown:
            if statement.extent is None:
                raise
            to = Value(statement.extent, 1)
        boundary = self.scope.absolute(texts[1]) if texts[1:] and texts[1] else 1
        offset = self.scope.absolute(texts[2]) if texts[2:] and texts[2] else 0
        if to.places != 1 or boundary < 1:
            raise LayoutError(f"found ORG {statement.operand}, expected a place in this DSECT")
        self._move(section, -(-to.number // boundary) * boundary + offset)

    def _equate(self, statement: Statement) -> None:
        texts = split_operands(statement.operand)
        value = self._equal_to(statement, texts[0])
        if value is None:
            return
        length = self._equate_length(texts)
        self._define(statement.name, value, length)
        if self.current is None:
            return
        if value.places == 1:
            self._other_name(statement, self.current, value.number, texts, length)
        elif _BIT_TERM.fullmatch(texts[0]):
            self._bit(statement, self.current, value.number, texts[0])

    def _equal_to(self, statement: Statement, text: str) -> Value | None:
        """What a name is worth; None for what is no expression, such as EQU of a machine code."""
        try:
            return self.scope.value(text)
        except LayoutError:
            return None if statement.address is None else Value(statement.address)

    def _equate_length(self, texts: list[str]) -> int:
        if texts[1:] and texts[1]:
            return max(1, self.scope.absolute(texts[1]))
        first = re.match(r"[A-Z@#$_][A-Z0-9@#$_]*", texts[0].upper())
        known = self.scope.symbols.get(first[0]) if first else None
        return known.length if known else 1

    def _other_name(
        self, statement: Statement, section: Dsect, at: int, texts: list[str], length: int
    ) -> None:
        """EQU of a place: another name for bytes; `EQU *` without a length is only a mark."""
        if texts[0].startswith("*") and not (texts[1:] and texts[1]):
            return
        same = next((x for x in section.items if x.offset == at and x.width == length), None)
        operand = same.operand if same else Operand("X", 1, length, explicit=True)
        section.items.append(Item(statement.name, at, operand, length, statement, label=True))

    def _bit(self, statement: Statement, section: Dsect, value: int, text: str) -> None:
        """An EQU of a term right behind a field names one of its bits or values."""
        fields = [item for item in section.items if not item.label]
        if not fields or fields[-1].operand.type[0] not in "XBCFHA" or not fields[-1].name:
            return
        last = fields[-1]
        small = 1 <= last.width <= 4 and 0 <= value < 1 << (8 * last.width)
        if small and (last.width == 1 or not text.isdigit()):
            last.values.append(Named(value, statement.name, statement.remark, text))

    def _note(self, statement: Statement, words: str) -> None:
        self.notes.append(
            f"{self.name}: {statement.where}: {statement.name or '(no name)'}: {words}"
        )
