"""ADATA, the associated data file of HLASM (SYSADATA), to statements.

Each record begins with 12 bytes: language (16, the assembler), type (2 bytes), architecture level
3, flags (X'02' little-endian, X'01' continued), edition, 4 reserved, length of what follows (2).
Read are: X'0020' external symbols (DSECT names and lengths), X'0030' source analysis (source with
its location counter), X'0042' symbols (value and length). Source: HLASM Programmer's Guide,
SC26-4941, associated data file output. "Offset from the beginning of this record" is taken as from
the header; where that would point into the fixed part, as from behind the header.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from imsperf import kinds
from imsperf.errors import LayoutError
from imsperf.user_layouts.source import Card, Source, Statement, joined

_HEADER = 12
_ESD, _SOURCE, _SYMBOL = 0x20, 0x30, 0x42
_DSECT = 0xFF
_FIXED = {_ESD: 52, _SOURCE: 124, _SYMBOL: 50}  # bytes before the names and the source text


@dataclass(frozen=True)
class Record:
    """One ADATA record: its type, its number in the file, and what follows the header."""

    number: int
    type: int
    data: bytes
    order: Literal["big", "little"]
    whole: bool = True

    def word(self, at: int) -> int:
        """Four bytes of the fixed part."""
        return int.from_bytes(self.data[at : at + 4], self.order)

    def text(self, at: int) -> str:
        """The text whose offset and length stand at `at`; empty where it is not in the record."""
        offset, length = self.word(at), self.word(at + 4)
        start = offset - _HEADER if offset - _HEADER >= _FIXED[self.type] else offset
        if not offset or start < _FIXED[self.type] or start + length > len(self.data):
            return ""
        return self.data[start : start + length].decode("latin-1").translate(_LETTERS)


_LETTERS = dict(enumerate("".join(map(chr, kinds.codepage().tolist()))))


def _before(data: bytes) -> int | None:
    """Bytes before a record's header: none, an RDW, or a block's and a record's; None: no ADATA."""
    for size in (0, 4, 8):
        if data[size : size + 1] == b"\x10" and data[size + 3 : size + 4] in (b"\x02", b"\x03"):
            return size
    return None


def is_adata(data: bytes) -> bool:
    """Whether a file begins with an ADATA record of the assembler."""
    return len(data) > 2 * _HEADER and _before(data) is not None


def records(data: bytes, name: str) -> Iterator[Record]:
    """The records of a file, with or without RDWs. Raises LayoutError where one is none."""
    framing, at, number = _before(data) or 0, 0, 0
    block_end = 0
    while at < len(data):
        if framing == 8 and at >= block_end:
            block_end = at + max(8, int.from_bytes(data[at : at + 2], "big"))
            at += 4
        head = at + (4 if framing else 0)
        number += 1
        if data[head : head + 1] != b"\x10" or len(data) < head + _HEADER:
            raise LayoutError(
                f"{name}: ADATA record {number:,} at byte {at:,}: found no header, expected X'10'",
                "the file may be cut or sent as text; transfer SYSADATA again, in binary",
            )
        order: Literal["big", "little"] = "little" if data[head + 4] & 2 else "big"
        at = head + _HEADER + int.from_bytes(data[head + 10 : head + 12], order)
        kind = int.from_bytes(data[head + 1 : head + 3], "big")
        yield Record(number, kind, data[head + _HEADER : at], order, at <= len(data))


def adata_statements(data: bytes, name: str) -> Source:
    """The statements of an ADATA file, with their location counters, and its symbols."""
    read_statements: list[Statement] = []
    lengths: dict[str, int] = {}
    symbols: list[tuple[str, int, int]] = []
    is_complete = True
    for record in records(data, name):
        is_complete = record.whole
        if len(record.data) < _FIXED.get(record.type, 0):
            continue
        if record.type == _SOURCE:
            read_statements += _statements(record)
        elif record.type == _ESD and record.data[0] == _DSECT:
            lengths[record.text(36).upper()] = record.word(20)
        elif record.type == _SYMBOL:
            symbols.append((record.text(42).upper(), record.word(8), record.word(26)))
    cut = "" if is_complete else "the file ends before its last record does"
    statements = tuple(_with_length(statement, lengths) for statement in read_statements)
    return Source(statements, True, cut, tuple(symbols))


def _statements(record: Record) -> Iterator[Statement]:
    text = record.text(108)
    number, loc = record.word(4), record.word(24)
    cards = [
        Card(record.number, text[at : at + 80].rstrip(), number, loc)
        for at in range(0, max(1, len(text)), 80)
    ]
    yield from joined(cards)


def _with_length(statement: Statement, lengths: dict[str, int]) -> Statement:
    if statement.operation == "DSECT" and statement.name in lengths:
        return replace(statement, extent=lengths[statement.name])
    return statement
