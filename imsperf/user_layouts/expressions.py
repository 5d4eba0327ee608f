"""What an assembler expression is worth: terms, + - * /, the location counter, L'SYMBOL.

A value is absolute or relocatable: the place of a symbol in its section is relocatable, the
difference of two such places is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from imsperf.errors import LayoutError

_DEPTH = 60  # of parentheses
_WIDEST = 1 << 31

_TOKEN = re.compile(
    r"L'(?P<length>[A-Z@#$_][A-Z0-9@#$_]*|\*)"
    r"|(?P<kind>[XBCG][AEU]?)'(?P<term>(?:[^']|'')*)'"
    r"|(?P<number>[0-9]{1,10})"
    r"|(?P<symbol>[A-Z@#$_][A-Z0-9@#$_]*)"
    r"|(?P<sign>[-+*/()])"
)


@dataclass(frozen=True)
class Value:
    """A number; `places` is 1 where it is the place of something in a section, else 0."""

    number: int
    places: int = 0


@dataclass(frozen=True)
class Symbol:
    """What the assembler knows of a name: value, length attribute."""

    value: Value
    length: int = 1


class Unknown(LayoutError):
    """A name that is not defined, or not yet."""


@dataclass
class Scope:
    """What names mean where an expression stands; `here` is the location counter."""

    symbols: dict[str, Symbol] = field(default_factory=dict)
    here: Value | None = None

    def named(self, name: str) -> Symbol:
        """The symbol of that name. Raises Unknown."""
        if name not in self.symbols:
            raise Unknown(f"found no symbol {name}")
        return self.symbols[name]

    def value(self, text: str) -> Value:
        """What an expression is worth. Raises LayoutError where it cannot be told."""
        return _Reader(text.upper(), self).whole()

    def absolute(self, text: str) -> int:
        """The same where a count or a length is meant."""
        value = self.value(text)
        if value.places:
            raise LayoutError(f"found the place {text!r}, expected a number")
        return value.number


def self_defining(kind: str, term: str) -> int:
    """The value of a term such as X'80', B'10000000' or C'A' (EBCDIC)."""
    try:
        if kind == "X":
            return int(term.replace("_", "?"), 16) if len(term) <= 16 else _too_wide(term)
        if kind == "B":
            return int(term.replace("_", "?"), 2) if len(term) <= 64 else _too_wide(term)
    except ValueError:
        raise LayoutError(f"found {kind}'{term}', expected digits of that base") from None
    letters = term.replace("''", "'").encode("cp037", "replace")
    return int.from_bytes(letters[:8], "big")


def _too_wide(term: str) -> int:
    raise LayoutError(f"found {len(term)} digits in one term, expected at most 8 bytes")


class _Reader:
    """Reads one expression from left to right."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.text, self.scope, self.at, self.depth = text, scope, 0, 0
        self.token: re.Match[str] | None = None
        self._next()

    def whole(self) -> Value:
        total = self._sum()
        if self.token or self.at < len(self.text):
            raise LayoutError(f"found {self.text!r}, expected an expression")
        return total

    def _next(self) -> None:
        self.token = _TOKEN.match(self.text, self.at)
        if self.token:
            self.at = self.token.end()

    def _sign(self, some: str) -> str:
        """The sign that stands here, if it is one of `some`, and step over it."""
        sign = self.token["sign"] if self.token else None
        if not sign or sign not in some:
            return ""
        self._next()
        return sign

    def _sum(self) -> Value:
        total = self._product()
        while sign := self._sign("+-"):
            other = self._product()
            factor = 1 if sign == "+" else -1
            total = _checked(
                total.number + factor * other.number, total.places + factor * other.places
            )
        return total

    def _product(self) -> Value:
        product = self._factor()
        while sign := self._sign("*/"):
            other = self._factor()
            if product.places or other.places:
                raise LayoutError(f"found a place times a number in {self.text!r}")
            if sign == "*":
                product = _checked(product.number * other.number, 0)
            else:  # the assembler divides towards zero, and by zero gives zero
                quotient = abs(product.number) // abs(other.number) if other.number else 0
                product = Value(
                    quotient if (product.number < 0) == (other.number < 0) else -quotient
                )
        return product

    def _factor(self) -> Value:
        if sign := self._sign("+-"):
            other = self._nested()
            return other if sign == "+" else Value(-other.number, -other.places)
        if self._sign("("):
            factor = self._nested_sum()
            if not self._sign(")"):
                raise LayoutError(f"found {self.text!r}, expected a closing parenthesis")
            return factor
        return self._term()

    def _nested(self) -> Value:
        self._deeper()
        value = self._factor()
        self.depth -= 1
        return value

    def _nested_sum(self) -> Value:
        self._deeper()
        nested_sum = self._sum()
        self.depth -= 1
        return nested_sum

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEPTH:
            raise LayoutError(f"found more than {_DEPTH} parentheses in one expression")

    def _term(self) -> Value:
        token = self.token
        if token is None:
            raise LayoutError(f"found {self.text!r}, expected an expression")
        self._next()
        if token["sign"] == "*":
            if self.scope.here is None:
                raise LayoutError("found * outside a section")
            return self.scope.here
        if token["length"]:
            return Value(self.scope.named(token["length"]).length)
        if token["kind"]:
            return Value(self_defining(token["kind"][0], token["term"]))
        if token["number"]:
            return _checked(int(token["number"]), 0)
        if token["symbol"]:
            return self.scope.named(token["symbol"]).value
        raise LayoutError(f"found {token[0]!r} in {self.text!r}, expected a term")


def _checked(number: int, places: int) -> Value:
    if abs(number) >= _WIDEST:
        raise LayoutError("found a value past 31 bits")
    return Value(number, places)
