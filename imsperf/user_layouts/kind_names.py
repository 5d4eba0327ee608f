"""Kinds by name, as layout files and the dictionary write them: `u4`, `text(8)`, `u4[16]`."""

from __future__ import annotations

import re
from collections.abc import Callable

from imsperf import kinds
from imsperf.errors import LayoutError, near
from imsperf.kinds import Kind, Op

_FIXED = {var.name: var for var in vars(kinds).values() if isinstance(var, Kind)}
_SIZED: dict[str, tuple[Callable[[int], Kind], int]] = {  # by bytes, up to so many
    "text": (kinds.text, 32_760),
    "opaque": (kinds.opaque, 32_760),
    "packed": (kinds.packed, 9),
}
_REPEATED = (Op.UNSIGNED, Op.SIGNED, Op.HEX_FLOAT, Op.PACKED_NUMBER)  # what an array may hold
_MOST_ITEMS = 8192
_KNOWN = ", ".join([*_FIXED, *(f"{name}(n)" for name in _SIZED)])


def by_name(name: str) -> Kind:
    """The kind of that name. Raises LayoutError, with the near ones, where there is none."""
    match = re.fullmatch(r"([a-z]\w*)(?:\(([0-9]{1,6})\))?(?:\[([0-9]{1,6})\])?", name.strip())
    item = _item(match[1], match[2]) if match else None
    if match is None or item is None:
        hint = near(name, [*_FIXED, *(f"{kind}(8)" for kind in _SIZED)], f"kinds: {_KNOWN}")
        raise LayoutError(f"found no kind {name!r}", hint)
    if match[3] is None:
        return item
    return _array(item, int(match[3]))


def _item(name: str, size: str | None) -> Kind | None:
    if name in _FIXED:
        return _FIXED[name] if size is None else None
    if name not in _SIZED or size is None:
        return None
    make, most = _SIZED[name]
    if not 1 <= int(size) <= most:
        raise LayoutError(f"found {name}({size}), expected 1 to {most} bytes")
    return make(int(size))


def _array(item: Kind, count: int) -> Kind:
    if item.op not in _REPEATED:
        known = "declare the items one by one, or the whole as opaque(n)"
        raise LayoutError(f"found an array of {item.name}, expected one of numbers", known)
    if not 1 <= count <= _MOST_ITEMS:
        raise LayoutError(f"found {count} items of {item.name}, expected 1 to {_MOST_ITEMS}")
    return kinds.array(item, count)
