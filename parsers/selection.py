"""Which records of a file are wanted: by type, system and time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from imsperf.errors import DumpError

if TYPE_CHECKING:  # a report of a database has a Selection, and no kernels
    from imsperf.parsers.census import Groups
    from imsperf.parsers.kernels.loads import I64, U8
    from imsperf.parsers.rows import Columns

EPOCH = datetime(1970, 1, 1)
_TYPE = re.compile(
    r"(?:smf:)?(\d{1,4})(?:\.(\d{1,5}))?|ims:([0-9a-f]{2})([0-9a-f]{2})?", re.IGNORECASE
)

Label = tuple[str | None, str | None]  # type and subtype as the ledger shows them


@dataclass(frozen=True)
class Wanted:
    """Records of one type, or of one type and subtype, as the ledger shows them."""

    kind: str
    type: str
    subtype: str | None

    def __str__(self) -> str:
        if self.kind == "ims":
            return f"ims:{self.type}{self.subtype or ''}"
        return f"smf:{self.type}" + (f".{self.subtype}" if self.subtype else "")

    def takes(self, kind: str, label: Label) -> bool:
        """Whether records of that label are wanted."""
        same = (self.kind, self.type) == (kind, label[0])
        return same and self.subtype in (None, label[1])


@dataclass(frozen=True)
class Selection:
    """What to take of a file; empty: everything.

    `system` is the SMF system id of the record header, or the IMS id of a log. `start` and `end`
    are local times of the system for SMF (of the interval's start where the record has one, else
    of its header) and UTC for a log; `end` itself is out.
    """

    types: tuple[Wanted, ...] = ()
    system: str | None = None
    start: datetime | None = None
    end: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.types or self.system or self.start or self.end)

    def __str__(self) -> str:
        """As the ledger shows it; empty for everything."""
        words = {
            "types": ",".join(sorted(map(str, self.types))),
            "system": self.system,
            "from": self.start and self.start.isoformat(),
            "to": self.end and self.end.isoformat(),
        }
        return " ".join(f"{name}={value}" for name, value in words.items() if value)

    @property
    def is_timed(self) -> bool:
        """Whether times matter."""
        return bool(self.start or self.end)

    def groups(
        self, kind: str, groups: Groups, name: Callable[[int], tuple[str | None, Label]]
    ) -> Any:
        """Mask of records whose key is wanted; `name` gives system and label of a key."""
        wanted = [self._takes(kind, *name(group)) for group in groups.keys]
        return np.array(wanted, np.bool_)[groups.ids]

    def times(self, us: I64, unknown: int) -> Any:
        """Mask of times in microseconds since 1970 that are wanted; `unknown` ones are not."""
        is_inside = np.ones(len(us), np.bool_)
        if self.start:
            is_inside &= us >= _us(self.start)
        if self.end:
            is_inside &= us < _us(self.end)
        return is_inside & (us != unknown) if self.is_timed else is_inside

    def _takes(self, kind: str, system: str | None, label: Label) -> bool:
        if self.system and (system or "").strip().upper() != self.system.upper():
            return False
        return not self.types or any(type_.takes(kind, label) for type_ in self.types)


def _us(time: datetime) -> int:
    return round((time - EPOCH).total_seconds() * 1_000_000)


def wanted(words: str | Iterable[str]) -> tuple[Wanted, ...]:
    """Types as people write them: "smf:70,smf:74.1,ims:4507"; a bare number is SMF.

    Raises DumpError for a word that is none.
    """
    listed: Sequence[str] = words.split(",") if isinstance(words, str) else list(words)
    selectors = []
    for word in filter(None, (text.strip() for text in listed)):
        match = _TYPE.fullmatch(word)
        if match is None:
            raise DumpError(
                f"found type {word!r}, expected one such as 70, smf:74.1 or ims:4507",
                "SMF types and subtypes are decimal, codes and subcodes of a log are hex",
            )
        if match[3]:
            selectors.append(Wanted("ims", match[3].upper(), match[4] and match[4].upper()))
        else:
            subtype = None if match[2] is None else str(int(match[2]))
            selectors.append(Wanted("smf", str(int(match[1])), subtype))
    return tuple(dict.fromkeys(selectors))


EVERYTHING = Selection()


@dataclass(frozen=True)
class Keep:
    """Which records of a file become rows: those selected but those that are there already.

    `there` has a bit for each record of the file, by number from 1. `hashes`: a row of
    load_record for each record that is kept. `columns`, by table, are those of which there will be
    rows; None: all. Records that fill none of these tables are counted, not decoded; with `counts`
    those that could be are counted, too. `about`: of SMF records of intervals only those are
    decoded whose rows have that system and a start in that time; all are counted.
    """

    selection: Selection = EVERYTHING
    there: U8 | None = None
    hashes: bool = False
    columns: Columns | None = None
    about: Selection = EVERYTHING
    counts: bool = False

    def __bool__(self) -> bool:
        return bool(self.selection) or self.there is not None

    def __contains__(self, table: str) -> bool:
        return self.columns is None or table in self.columns

    def mask(
        self,
        kind: str,
        number: I64,
        groups: Groups,
        time: I64,
        named: Callable[[int], tuple[str | None, Label]],
    ) -> tuple[Any, int]:
        """Mask of the records to be kept, and how many more are wanted but there already.

        `named` gives system and label of a key.
        """
        from imsperf.parsers.census import NO_TIME

        is_chosen = self.selection.times(time, NO_TIME)
        if self.selection.types or self.selection.system:
            is_chosen &= self.selection.groups(kind, groups, named)
        if self.there is None:
            return is_chosen, 0
        place = number - 1
        new = (self.there[place >> 3] >> (place & 7).astype(np.uint8) & 1) == 0
        return is_chosen & new, int((is_chosen & ~new).sum())


EVERY_RECORD = Keep()
