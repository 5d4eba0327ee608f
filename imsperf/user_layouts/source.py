"""Lines of an assembler listing, or of assembler source, to statements.

A listing has columns before the source: Loc, Object Code, Addr1, Addr2, Stmt; a sign before the
source says that a macro (+) or a copy member (=) made it. HLASM writes two widths, LIST(121) and
LIST(133); Assembler H and its elders write the first. Page headings, titles, messages and
cross-references are passed over. A print control character or another column at the left shifts
everything alike, so all columns are counted from the heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from imsperf import kinds
from imsperf.errors import LayoutError

_END, _CONTINUED, _FIRST = 71, 71, 15  # last column of a statement, its mark, where the next begins


@dataclass(frozen=True)
class Card:
    """One line of source; `text` begins in its column 1. `loc` and the rest only in a listing."""

    line: int
    text: str
    number: int | None = None
    loc: int | None = None
    address: int | None = None  # Addr1
    extent: int | None = None  # Addr2: length in the line of a section, new place in that of ORG
    generated: bool = False


@dataclass(frozen=True)
class Statement:
    """One statement, its lines joined. `line` is that of the file it begins in."""

    line: int
    name: str
    operation: str
    operand: str
    remark: str
    number: int | None = None
    loc: int | None = None
    address: int | None = None
    extent: int | None = None

    @property
    def where(self) -> str:
        """Its place, for a message."""
        number = "" if self.number is None else f", statement {self.number:,}"
        return f"line {self.line:,}{number}"


@dataclass(frozen=True)
class Source:
    """The statements of a file; `cut` says why it seems to end too early, if it does."""

    statements: tuple[Statement, ...]
    is_listing: bool
    cut: str = ""
    symbols: tuple[tuple[str, int, int], ...] = ()  # name, value, length, where a file says them


# --- bytes to lines ------------------------------------------------------------------------------

_BREAKS = re.compile("\r\n|\r|\n|\f|\x85")
_RECORD_LENGTHS = (133, 121, 80, 132, 120)  # of files transferred without line ends


def read_text(data: bytes, codepage: str = "cp1047") -> list[str]:
    """Lines of a file in EBCDIC, UTF-8 or Latin-1, with line ends or with records of one length."""
    if data.count(0x40) > data.count(0x20):
        letters = "".join(map(chr, kinds.codepage(codepage).tolist()))
        text = data.decode("latin-1").translate(dict(enumerate(letters)))
    else:
        text = _decoded(data)
    lines = _BREAKS.split(text)
    if len(lines) <= 2 and len(text) > 160:
        length = next((n for n in _RECORD_LENGTHS if len(text) % n == 0), 80)
        lines = [text[at : at + length] for at in range(0, len(text), length)]
    return [line.rstrip("\0 \x1a") for line in lines]


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


# --- lines to cards ------------------------------------------------------------------------------

_HEADING = re.compile(
    r"Loc {2,4}Object Code {4,6}Addr1 {1,4}Addr2 {2,4}Stmt {2,3}Source Statement", re.IGNORECASE
)
_OTHER_PART = re.compile(
    r"\bPage +[0-9]+\s*$|Cross Reference|External Symbol Dictionary|Relocation Dictionary"
    r"|Using Map|Option Summary|Assembler Summary",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Format:
    """Where the columns of a listing stand."""

    base: int
    wide: bool

    @property
    def source(self) -> int:
        """Where the source begins."""
        return self.base + (49 if self.wide else 40)

    def cut(self, line: str, first: int, last: int, wide_first: int, wide_last: int) -> str:
        """The columns of a line, blanks cut."""
        span = (wide_first, wide_last) if self.wide else (first, last)
        return line[self.base + span[0] : self.base + span[1]].strip()

    def card(self, line: str, number: int) -> Card | None:
        """The line as a card; None where it is no line of the source part."""
        statement, loc = self.cut(line, 33, 39, 41, 48), self.cut(line, 0, 6, 0, 8)
        marker = line[self.source - 1 : self.source]
        if not re.fullmatch(r"[0-9]{1,7}", statement) or marker not in ("", " ", "+", "="):
            return None
        if loc and not re.fullmatch(r"[0-9A-Fa-f]{6,8}", loc):
            return None
        first, second = self.cut(line, 22, 27, 24, 32), self.cut(line, 28, 33, 33, 41)
        return Card(
            number, line[self.source :], int(statement), _hex(loc), _hex(first), _hex(second),
            marker == "+",
        )  # fmt: skip

    def continued(self, line: str) -> str | None:
        """The source of a continuation line; None where something stands before it."""
        before = line[self.base : self.source + _FIRST].strip()
        return line[self.source :] if not before and len(line) > self.source else None


def _hex(digits: str) -> int | None:
    return int(digits, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,8}", digits) else None


def listing_format(lines: list[str]) -> Format | None:
    """The columns of a listing, from its heading, else from its lines; None for plain source."""
    for line in lines:
        match = _HEADING.search(line)
        if match:
            wide = match[0][5:7] == "  "
            return Format(max(0, match.start() - 2), wide)
    filled = [line for line in lines if line.strip()]
    for form in (Format(base, wide) for base in (0, 1) for wide in (False, True)):
        cards = [card for line in filled if (card := form.card(line, 0))]
        if len(cards) * 2 > len(filled) and any(card.loc is not None for card in cards):
            return form
    return None


def _listing_cards(lines: Iterable[str], form: Format) -> Iterator[Card]:
    reading, last = True, None
    for number, line in enumerate(lines, 1):
        if _HEADING.search(line):
            reading = True
        elif _OTHER_PART.search(line) and form.card(line, number) is None:
            reading = False
        elif reading:
            card = form.card(line, number)
            rest = form.continued(line) if last and is_continued(last.text) else None
            if card is None and rest is not None:
                card = Card(number, rest)
            if card:
                yield card
                last = card


# --- cards to statements -------------------------------------------------------------------------


def is_continued(text: str) -> bool:
    """Whether a card goes on in the next one: something stands in its column 72."""
    return text[_CONTINUED : _CONTINUED + 1].strip() != ""


def statements_of(lines: list[str], name: str) -> Source:
    """The statements of a listing or of plain source. Raises LayoutError where it is neither."""
    form = listing_format(lines)
    cards = (
        list(_listing_cards(lines, form))
        if form
        else [Card(number, line) for number, line in enumerate(lines, 1)]
    )
    if not any(card.text.strip() for card in cards):
        raise LayoutError(f"{name}: found no assembler statement", "give a listing or source")
    statements = tuple(joined(cards))
    return Source(statements, form is not None, _cut(cards, statements, form is not None))


def _cut(cards: list[Card], statements: tuple[Statement, ...], is_listing: bool) -> str:
    last = next(card for card in reversed(cards) if card.text.strip())
    if is_continued(last.text) and not last.text.startswith(("*", ".*")):
        return f"line {last.line:,}: the last statement goes on in a line that is not there"
    if is_listing and not any(statement.operation == "END" for statement in statements):
        return f"line {last.line:,}: the listing ends without the END statement"
    return ""


def joined(cards: Iterable[Card]) -> Iterator[Statement]:
    """Statements of cards; comments, and the bodies of macro definitions, are left out."""
    group: list[Card] = []
    in_macro = 0
    for card in cards:
        group.append(card)
        if is_continued(card.text):
            continue
        statement, group = _statement(group), []
        if statement is None:
            continue
        in_macro += statement.operation == "MACRO"
        if not in_macro:
            yield statement
        in_macro -= statement.operation == "MEND" and in_macro > 0
    last = _statement(group) if group else None
    if last is not None and not in_macro:
        yield last


def _statement(cards: list[Card]) -> Statement | None:
    first = cards[0]
    if first.text.startswith(("*", ".*")) or not first.text.strip():
        return None
    many = len(cards) > 1
    parts = [card.text[:_END].ljust(_END) if many else card.text[:_END] for card in cards]
    match = re.match(r"(\S*)\s+(\S+)\s*", parts[0])
    if not match:
        return Statement(first.line, parts[0].strip(), "", "", "")
    parts = [parts[0][match.end() :], *(part[_FIRST:] for part in parts[1:])]
    operand, remark = _operand(parts)
    statement = Statement(first.line, match[1].upper(), match[2].upper(), operand, remark)
    return replace(
        statement, number=first.number, loc=first.loc, address=first.address, extent=first.extent
    )


def _operand(parts: list[str]) -> tuple[str, str]:
    """Operand and remark; after a comma the operand goes on in the next line."""
    operand, remarks, more = "", [], True
    for part in parts:
        if not more:
            remarks.append(part.strip())
            continue
        end = max(0, operand_end(operand + part) - len(operand))
        operand += part[:end]
        remarks.append(part[end:].strip())
        more = end == len(part) or operand.endswith(",")
    return operand, " ".join(word for word in remarks if word)


def operand_end(text: str) -> int:
    """Where the operand ends: at the first blank outside quotes."""
    quoted = False
    for at, letter in enumerate(text):
        if letter == "'" and not (not quoted and is_attribute(text, at)):
            quoted = not quoted
        elif letter == " " and not quoted:
            return at
    return len(text)


def is_attribute(text: str, quote: int) -> bool:
    """Whether a quote belongs to an attribute reference such as L'NAME and opens no string."""
    before, after = text[max(0, quote - 2) : quote].upper(), text[quote + 1 : quote + 2]
    if not before or before[-1] not in "LTKNIS" or not re.match(r"[A-Za-z@#$_*]", after):
        return False
    return len(before) == 1 or not re.match(r"[A-Z0-9@#$_.]", before[0])
