"""DS and DC operands: duplication factor, type, length modifier, nominal value.

Types, implied lengths and alignments: HLASM Language Reference, SC26-4940, DC instruction. A type
without an entry here (for instance a macro's) is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from imsperf.errors import LayoutError
from imsperf.user_layouts.expressions import Scope
from imsperf.user_layouts.source import is_attribute

# type with its extension -> (implied length in bytes, 0 where the value says; alignment)
_TYPES = {
    "A": (4, 4), "AD": (8, 8), "B": (0, 1), "C": (0, 1), "CA": (0, 1), "CE": (0, 1), "CU": (0, 1),
    "D": (8, 8), "DB": (8, 8), "DD": (8, 8), "DH": (8, 8), "E": (4, 4), "EB": (4, 4),
    "ED": (4, 4), "EH": (4, 4), "F": (4, 4), "FD": (8, 8), "G": (0, 1), "H": (2, 2), "J": (4, 4),
    "JD": (8, 8), "L": (16, 8), "LB": (16, 8), "LD": (16, 8), "LH": (16, 8), "LQ": (16, 16),
    "P": (0, 1), "Q": (4, 4), "QD": (8, 8), "QY": (3, 2), "R": (4, 4), "RD": (8, 8), "S": (2, 2),
    "SY": (3, 2), "V": (4, 4), "VD": (8, 8), "X": (0, 1), "Y": (2, 2), "Z": (0, 1),
}  # fmt: skip
_TWO_BYTES = ("G", "CU")  # of one letter
MOST_BYTES = 1 << 20  # that a DSECT may take: an SMF record has 32 KiB, an IMS log record less


@dataclass(frozen=True)
class Operand:
    """One operand: `count` items of `length` bytes, or of `bits` bits; 0 items only align."""

    type: str
    count: int
    length: int
    bits: int | None = None
    align: int = 1
    explicit: bool = False  # the length is given, so nothing is aligned

    @property
    def width(self) -> int:
        """Bytes it takes, if it stands alone."""
        if self.bits is not None:
            return -(-self.bits * self.count // 8)
        return self.length * self.count


def split_operands(text: str) -> list[str]:
    """Operands at their commas, outside parentheses and quotes."""
    operands, depth, quoted, start = [], 0, False, 0
    for at, letter in enumerate(text):
        if letter == "'" and (quoted or not is_attribute(text, at)):
            quoted = not quoted
        elif quoted:
            continue
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == "," and depth == 0:
            operands.append(text[start:at])
            start = at + 1
    return [*operands, text[start:]]


def parse_operand(text: str, scope: Scope) -> Operand:
    """An operand such as 3CL8, 0F, FL.3 or AL1(L'NAME). Raises LayoutError."""
    duplication, rest = _number(text, scope)
    type, rest = _type(rest, text)
    length, bits, nominal = _length(rest, scope)
    implied, align = _TYPES[type]
    count = _values(type, nominal)
    if length is None and bits is None:
        length = implied or _implied(type, nominal)
    repeated = count * (1 if duplication is None else duplication)
    explicit = bits is not None or rest[:1].upper() == "L"
    operand = Operand(type, repeated, length or 0, bits, 1 if explicit else align, explicit)
    if repeated < 0 or operand.length < 0 or (bits or 0) < 0 or operand.width > MOST_BYTES:
        raise LayoutError(f"found {text!r}, expected a field of at most {MOST_BYTES:,} bytes")
    return operand


def _number(text: str, scope: Scope) -> tuple[int | None, str]:
    """A number, or an expression in parentheses, at the start of `text`, and what follows."""
    digits = re.match(r"[0-9]{1,10}", text)
    if digits:
        return int(digits[0]), text[digits.end() :]
    if not text.startswith("("):
        return None, text
    end = _closing(text)
    return scope.absolute(text[1:end]), text[end + 1 :]


def _closing(text: str) -> int:
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return at
    raise LayoutError(f"found {text!r}, expected a closing parenthesis")


def _type(text: str, is_complete: str) -> tuple[str, str]:
    for size in (2, 1):
        name, rest = text[:size].upper(), text[size:]
        if name in _TYPES and len(name) == size:
            program = re.match(r"P\(", rest, re.IGNORECASE)  # a program type: not of interest
            return name, rest[_closing(rest[1:]) + 2 :] if program else rest
    raise LayoutError(f"found operand {is_complete!r}, expected a type such as F, H, CL8 or XL4")


def _length(text: str, scope: Scope) -> tuple[int | None, int | None, str]:
    """Length in bytes, or in bits, and the nominal value behind the modifiers."""
    length = bits = None
    if text[:1].upper() == "L":
        in_bits = text[1:2] == "."
        size, text = _number(text[2:] if in_bits else text[1:], scope)
        if size is None:
            raise LayoutError(f"found a length modifier without a length before {text!r}")
        length, bits = (None, size) if in_bits else (size, None)
    text = re.sub(r"^(?:[SE](?:[+-]?[0-9]{1,3}|\([^)]*\)))+", "", text, flags=re.IGNORECASE)
    if text and text[0] not in "('":
        raise LayoutError(f"found {text!r} behind a type, expected a length or a value")
    return length, bits, text


def _values(type: str, nominal: str) -> int:
    """How many values a nominal value lists: F'1,2' has two, C'1,2' one."""
    if not nominal or type[0] in "CG":
        return 1
    return len(split_operands(nominal[1:-1])) if nominal[0] == "(" else nominal.count(",") + 1


def _implied(type: str, nominal: str) -> int:
    """Bytes of a value whose length nothing gives; the longest of a list."""
    if not nominal:
        return 2 if type in _TWO_BYTES else 1
    term = nominal[1:-1]
    if type[0] in "CG":
        letters = len(term.replace("''", "'").replace("&&", "&"))
        return max(1, letters * (2 if type in _TWO_BYTES else 1))
    digits = max(len(re.sub(r"[^0-9A-Fa-f]", "", part)) for part in term.split(","))
    per_byte = {"X": (digits + 1) // 2, "B": (digits + 7) // 8, "P": digits // 2 + 1, "Z": digits}
    return max(1, per_byte.get(type[0], 1))
