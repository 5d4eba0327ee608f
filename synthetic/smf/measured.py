"""What was measured, and the SMF fields that hold it: named once, where the attribute is declared.

The dataclasses of a type say for each attribute which fields it fills; times are ticks, and cut to
the unit of a field from the running total, so that any intervals add up to within a unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

import numpy as np

from imsperf.layout import Section
from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.arrays import I64, Values
from imsperf.synthetic.units import TICKS_PER_US

Amounts = I64 | int  # one number stands for all: most often 0, nothing of that kind was used

US_128, US_1024, CENTISECOND = 128 * TICKS_PER_US, 1024 * TICKS_PER_US, 10_000 * TICKS_PER_US
HELD_IN = "held in"


def stated(*names: str, default: Any = MISSING, **units: int) -> Any:
    """An attribute and its fields: `names` hold it as it is, `units` a time, ticks in one unit."""
    held_in = dict.fromkeys(names, 1) | units
    return field(default=default, metadata={HELD_IN: held_in})


def measured(*names: str, **units: int) -> Any:
    """The same of an amount that is 0 where nobody gives it."""
    return stated(*names, default=0, **units)


def columns_of(use: Any, section: Section) -> dict[str, Any]:
    """Fields of a section from the arrays of a dataclass, without those of nothing."""
    return {
        name: quantised(getattr(use, attribute), unit)
        for attribute, name, unit in _held(use, section)
        if np.ndim(getattr(use, attribute))
    }


def columns_of_each(things: Sequence[Any], section: Section) -> dict[str, Values]:
    """Fields of a section from the attributes of things alike, a value for each."""
    return {
        name: np.array([getattr(thing, attribute) for thing in things])
        for attribute, name, _ in (_held(things[0], section) if things else ())
    }


def _held(use: Any, section: Section) -> list[tuple[str, str, int]]:
    """Attribute, field and unit."""
    known = {field.name for field in section.fields}
    none: Mapping[str, int] = {}
    return [
        (attribute.name, name, unit)
        for attribute in fields(use)
        for name, unit in attribute.metadata.get(HELD_IN, none).items()
        if name in known
    ]


def unit_of(measures: type, attribute: str) -> int:
    """Ticks in the unit of the first field that holds an attribute; 1 where none does."""
    (held_in,) = (
        field.metadata.get(HELD_IN) for field in fields(measures) if field.name == attribute
    )
    return next(iter(held_in.values()), 1) if held_in else 1


def summed(values: Amounts, of: I64, number: int) -> Amounts:
    """Columns (n, m) added up to (n, number): column j to column of[j], -1: to none."""
    if isinstance(values, int):
        return values
    total = np.zeros((len(values), number), dtype=values.dtype)
    for group in np.unique(of[of >= 0]).tolist():
        total[:, group] = values[:, of == group].sum(axis=1)
    return total


def quantised(values: Amounts, unit: int) -> Amounts:
    """Ticks as whole field units; 0 stays 0, and so does what has the unit 1."""
    return values if isinstance(values, int) or unit == 1 else in_units(values, unit)


# --- sampled levels -------------------------------------------------------------------------------
#
# Something sampled through an interval: least, most and mean.


@dataclass(frozen=True)
class Level:
    """Least, most and mean of the samples in each interval, arrays (n,) or (n, m)."""

    least: Values
    most: Values
    mean: Values

    @classmethod
    def steady(cls, value: Any, shape: int | tuple[int, ...]) -> Level:
        """The same at every sample."""
        same = np.broadcast_to(np.asarray(value), shape)
        return cls(same, same, same)

    def rest_of(self, total: int) -> Level:
        """What is left of a total."""
        return Level(total - self.most, total - self.least, total - self.mean)

    def columns(self, least: str, most: str, mean: str, *, is_whole: bool = True) -> dict[str, Any]:
        """As three fields, whole numbers or floating point; a mean is cut, as RMF divides."""
        kind = np.int64 if is_whole else np.float64
        values = (self.least, self.most, self.mean)
        return {
            name: value.astype(kind)
            for name, value in zip((least, most, mean), values, strict=True)
        }
