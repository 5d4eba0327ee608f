"""The registry of declared layouts: find one by record type, by log code or by table name.

The name of a module says what it declares: `smf72_3` type and subtype, `smf30` a type with all its
subtypes, `ims_NAME` log records. Each has `RECORDS`; modules of other names are shared by these. An SMF
layout is imported when it is asked for. For a log that somebody else laid out: `mapped_profile`.
Layouts of the user stand beside ours inside of `using`; imsperf.user_layouts.registry reads them from files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from imsperf.errors import LayoutError, near
from imsperf.layout import Section, Table
from imsperf.layouts.ims import PROFILE
from imsperf.layouts.profile import (
    Columns,
    Fill,
    Profile,
    by_key,
    fill,
    same_names,
    sections_of,
)
from imsperf.record import LogRecord, Record

SmfKey = tuple[int, int | None]

_BMC = "ims_fa"

HEADER_ONLY = "header-suffix"  # a log of a real IMS: of the bodies only what IBM documents
BMC_FA = "bmc-fa"  # the same, and code FA is the transaction record of a BMC product
PROFILES = (HEADER_ONLY, PROFILE, BMC_FA)

_IS_SMF = re.compile(r"smf\d+(_\d+)?")


def _key(module: str) -> SmfKey:
    type, _, subtype = module.removeprefix("smf").partition("_")
    return int(type), int(subtype) if subtype else None


_NAMES = sorted(module.name for module in iter_modules(__path__))
_SMF: Mapping[SmfKey, str] = MappingProxyType(
    {_key(name): name for name in _NAMES if _IS_SMF.fullmatch(name)}
)
_IMS = tuple(name for name in _NAMES if name.startswith("ims_") and name != _BMC)


def _records_of(name: str) -> tuple[Record | LogRecord, ...]:
    """What a module declares; LayoutError where its name says so and it does not."""
    records = getattr(import_module(f"{__name__}.{name}"), "RECORDS", ())
    if not records:
        hint = "declare RECORDS = (record,), or rename a module that only others import"
        raise LayoutError(f"imsperf/layouts/{name}.py: found no RECORDS", hint)
    return tuple(records)


def _log_records_of(name: str) -> tuple[LogRecord, ...]:
    return tuple(record for record in _records_of(name) if isinstance(record, LogRecord))


@cache
def _declared(key: SmfKey) -> Record | None:
    if key not in _SMF:
        return None
    (record,) = _records_of(_SMF[key])
    if not isinstance(record, Record) or (record.type, record.subtype) != key:
        raise LayoutError(f"imsperf/layouts/{_SMF[key]}.py: found {record.title}, of another type")
    return record


def smf_record(type: int, subtype: int | None) -> Record | None:
    """The layout of an SMF record; None if it is not declared, the first of `smf_layouts` else."""
    return next(iter(smf_layouts(type, subtype)), None)


def smf_layouts(type: int, subtype: int | None) -> tuple[Record, ...]:
    """The layouts that an SMF record may have: the first whose `when` holds is its own.

    A record declared without a subtype stands for all its subtypes.
    """
    keys = dict.fromkeys(((type, subtype), (type, None)))
    return tuple(record for key in keys if (record := current().records.get(key) or _declared(key)))


@cache
def _log_records(profile: str) -> tuple[LogRecord, ...]:
    """The layouts that a profile of ours has: what IBM documents stands in all of them."""
    if profile == PROFILE:
        return tuple(record for name in _IMS for record in _log_records_of(name))
    modules = [import_module(f"{__name__}.{name}") for name in _IMS]
    known = tuple(record for module in modules for record in getattr(module, "DOCUMENTED", ()))
    return (*known, *_log_records_of(_BMC)) if profile == BMC_FA else known


@dataclass(frozen=True, eq=False)
class Layouts:
    """The layouts of a user, which stand beside ours; `fills` are the tables that `logs` fill.

    They come first where ours has the same type. Those of log records hold for logs of a real IMS.
    Compared by identity, so that what depends on a set may be kept by it.
    """

    records: Mapping[SmfKey, Record]
    logs: tuple[LogRecord, ...]
    fills: tuple[Fill, ...]

    @classmethod
    def of(cls, declared: Iterable[Record | LogRecord], fills: Iterable[Fill] = ()) -> Layouts:
        """The set of these records."""
        records, logs = dict[SmfKey, Record](), list[LogRecord]()
        for record in declared:
            if isinstance(record, Record):
                records[record.type, record.subtype] = record
            else:
                logs.append(record)
        return cls(MappingProxyType(records), tuple(logs), tuple(fills))

    def __reduce__(self) -> str | tuple[object, ...]:
        if self is SHIPPED:
            return "SHIPPED"
        return Layouts.of, ((*self.records.values(), *self.logs), self.fills)


SHIPPED = Layouts.of(())  # ours alone

_current: ContextVar[Layouts] = ContextVar("layouts", default=SHIPPED)


@contextmanager
def using(layouts: Layouts) -> Iterator[None]:
    """Inside of it, in this thread and those it copies its context to, `layouts` stand beside ours."""
    token = _current.set(layouts)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Layouts:
    """The set that stands beside ours here: `SHIPPED` outside of `using`."""
    return _current.get()


def user_records() -> tuple[Record | LogRecord, ...]:
    """The layouts of the user."""
    return (*current().records.values(), *current().logs)


def _tables_of(records: Iterable[Record | LogRecord]) -> Mapping[str, Table]:
    """Tables by name; records may share sections."""
    return MappingProxyType({table.name: table for record in records for table in record.tables()})


@cache
def _our_tables() -> Mapping[str, Table]:
    return _tables_of(shipped_log_records())


def log_profile(name: str) -> Profile:
    """The log profile of that name; those of a real IMS have the layouts of the user too."""
    known = shipped_profile(name)
    if name == PROFILE or not current().logs:
        return known
    records = {**known.records, **by_key(current().logs)}
    return Profile(name, records, (*known.fills, *current().fills))


@cache
def shipped_profile(name: str) -> Profile:
    """The log profile of that name without layouts of the user."""
    if name not in PROFILES:
        known = f"known profiles: {', '.join(PROFILES)}"
        raise LayoutError(f"found no log profile {name!r}", near(name, PROFILES, known))
    records = _log_records(name)
    return Profile(name, by_key(records), tuple(map(same_names, _tables_of(records).values())))


def mapped_profile(
    name: str, records: Sequence[LogRecord], columns: Mapping[str, Columns]
) -> Profile:
    """A profile of layouts that are not ours, for `load(profile=...)`; LayoutError where it is wrong.

    `records` have the names and places of their owner. `columns` gives for each of our tables, and each
    column of it, the field that it takes: `{"ims_4507": {"records_written": "lgr.recs", "wads_us":
    Scaled("lgr.wadstime", 1 / 4096)}}`. All columns of a table come from one section; a section may
    fill several tables. Values too large for our column become NULL and are counted. What IBM documents
    (67 and 99) is read as in every log, unless `records` has a layout of that code.
    """
    sections = sections_of(records)
    fills = [fill(mapped_table(table), given, sections) for table, given in columns.items()]
    codes = {record.code for record in records}
    documented = [record for record in _log_records(HEADER_ONLY) if record.code not in codes]
    fills += map(same_names, _tables_of(documented).values())
    return Profile(name, by_key((*records, *documented)), tuple(fills))


def mapped_table(name: str) -> Table:
    """A table of ours that a mapping may fill. Raises LayoutError where there is none."""
    if name not in _our_tables():
        known = near(name, _our_tables())
        raise LayoutError(f"found no table {name!r} of log records", known)
    return _our_tables()[name]


def log_record(code: int, subcode: int, profile: str = PROFILE) -> LogRecord | None:
    """The layout of an IMS log record; None if the profile has none."""
    return log_profile(profile).record(code, subcode)


@cache
def shipped_records() -> tuple[Record, ...]:
    """Every SMF record of ours."""
    keys = sorted(_SMF, key=lambda key: (key[0], key[1] or 0))
    return tuple(record for key in keys if (record := _declared(key)))


def all_records() -> tuple[Record, ...]:
    """Every SMF record declared, those of the user last; they replace ours of the same type."""
    shipped = (
        record
        for record in shipped_records()
        if (record.type, record.subtype) not in current().records
    )
    return (*shipped, *current().records.values())


def shipped_log_records() -> tuple[LogRecord, ...]:
    return (*_log_records(PROFILE), *_log_records_of(_BMC))


def all_log_records() -> tuple[LogRecord, ...]:
    """Every IMS log record declared; that of code FA holds only in profile bmc-fa."""
    return (*shipped_log_records(), *current().logs)


@cache
def shipped_tables() -> Mapping[str, Table]:
    """Every table of ours that a section becomes, by name: SMF first, then the IMS log."""
    return _tables_of((*shipped_records(), *shipped_log_records()))


def all_tables() -> tuple[Table, ...]:
    """Every table a section becomes; those of the user last."""
    return tuple({**shipped_tables(), **_tables_of(user_records())}.values())


def table(name: str) -> Table:
    """The table of that name; upper case and lower case are the same."""
    wanted = name.lower()
    for candidate in (*_tables_of(user_records()).values(), *_near_tables(wanted)):
        if candidate.name == wanted:
            return candidate
    known = [name_known.name for name_known in all_tables()]
    if wanted in known:
        return all_tables()[known.index(wanted)]
    raise LayoutError(f"found no table {name!r}", near(wanted, known))


def shipped_table(name: str) -> Table:
    """The table of ours of that name, also where a layout of the user takes its place."""
    return shipped_tables()[name] if user_records() and name in shipped_tables() else table(name)


def has_table(name: str) -> bool:
    """Whether a section becomes the table of that name."""
    wanted = name.lower()
    near_it = any(table.name == wanted for table in _near_tables(wanted))
    return near_it or (bool(user_records()) and wanted in _tables_of(user_records()))


def _near_tables(name: str) -> tuple[Table, ...]:
    """The tables of the records that a table's name begins with, those of a user first: the names
    of ours begin with their record, so that only its module is imported."""
    if name.startswith("ims_"):
        return _log_tables(current())
    match = re.match(r"smf(\d+)(?:_(\d+))?_", name)
    if match is None:
        return ()
    type, subtype = int(match[1]), int(match[2]) if match[2] else None
    keys = dict.fromkeys(((type, subtype), (type, None)))
    records = [found for key in keys for found in (current().records.get(key), _declared(key))]
    return tuple(table for record in records if record for table in record.tables())


@cache
def _log_tables(beside: Layouts) -> tuple[Table, ...]:
    """Those of all log records, and of the set beside ours."""
    return tuple(table for record in all_log_records() for table in record.tables())


def section(name: str) -> Section:
    """The section that becomes the table of that name."""
    return table(name).section
