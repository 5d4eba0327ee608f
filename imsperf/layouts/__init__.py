"""The registry of declared layouts: find one by record type, by log code or by table name.

A layout is imported when it is asked for. To add an SMF record: write its module beside the others,
named by type and subtype (`smf72_3`; `smf30` holds all subtypes), name it in `_SMF` below, add golden
bytes. For a log that somebody else laid out: `mapped_profile`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from types import MappingProxyType

from imsperf.errors import LayoutError, near
from imsperf.layout import Section, Table
from imsperf.layouts.ims import PROFILE
from imsperf.layouts.profile import (
    Columns,
    Profile,
    by_key,
    fill,
    same_names,
    sections_of,
)
from imsperf.record import LogRecord, Record

SmfKey = tuple[int, int | None]

_SMF = ("smf2", "smf3", "smf70_1", "smf74_1")
_IMS = ("ims_a0", "ims_06", "ims_40_47", "ims_42_48", "ims_45", "ims_59")

HEADER_ONLY = "header-suffix"  # a log of a real IMS: header and suffix are known, no body is
PROFILES = (HEADER_ONLY, PROFILE)


def _key(module: str) -> SmfKey:
    type, _, subtype = module.removeprefix("smf").partition("_")
    return int(type), int(subtype) if subtype else None


_MODULES: Mapping[SmfKey, str] = MappingProxyType({_key(one): one for one in _SMF})


@cache
def _declared(key: SmfKey) -> Record | None:
    if key not in _MODULES:
        return None
    module = import_module(f"{__name__}.{_MODULES[key]}")
    (record,) = module.RECORDS
    return record if isinstance(record, Record) else None


def smf_record(type: int, subtype: int | None) -> Record | None:
    """The layout of an SMF record; None if it is not declared.

    A record declared without a subtype stands for all its subtypes.
    """
    return _declared((type, subtype)) or _declared((type, None))


@cache
def _ours() -> tuple[LogRecord, ...]:
    modules = [import_module(f"{__name__}.{one}") for one in _IMS]
    return tuple(one for module in modules for one in module.RECORDS)


@cache
def _our_tables() -> Mapping[str, Table]:
    return MappingProxyType({table.name: table for one in _ours() for table in one.tables()})


@cache
def log_profile(name: str) -> Profile:
    """The log profile of that name."""
    if name == PROFILE:
        return Profile(PROFILE, by_key(_ours()), tuple(map(same_names, _our_tables().values())))
    if name == HEADER_ONLY:
        return Profile(HEADER_ONLY, {}, ())
    known = f"known profiles: {', '.join(PROFILES)}"
    raise LayoutError(f"found no log profile {name!r}", near(name, PROFILES, known))


def mapped_profile(
    name: str, records: Sequence[LogRecord], columns: Mapping[str, Columns]
) -> Profile:
    """A profile of layouts that are not ours, for `load(profile=...)`; LayoutError where it is wrong.

    `records` have the names and places of their owner. `columns` gives for each of our tables, and each
    column of it, the field that it takes: `{"ims_4507": {"records_written": "lgr.recs", "wads_us":
    Scaled("lgr.wadstime", 1 / 4096)}}`. All columns of a table come from one section; a section may
    fill several tables. Values too large for our column become NULL and are counted.
    """
    sections = sections_of(records)
    fills = [fill(_our_table(table), given, sections) for table, given in columns.items()]
    return Profile(name, by_key(records), tuple(fills))


def _our_table(name: str) -> Table:
    if name not in _our_tables():
        known = near(name, _our_tables())
        raise LayoutError(f"found no table {name!r} of log records", known)
    return _our_tables()[name]


def log_record(code: int, subcode: int, profile: str = PROFILE) -> LogRecord | None:
    """The layout of an IMS log record; None if the profile has none."""
    return log_profile(profile).record(code, subcode)


@cache
def all_records() -> tuple[Record, ...]:
    """Every SMF record declared."""
    return tuple(one for key in _MODULES if (one := _declared(key)))


def all_log_records() -> tuple[LogRecord, ...]:
    """Every IMS log record declared."""
    return _ours()


@cache
def all_tables() -> tuple[Table, ...]:
    """Every table a section becomes: SMF first, then the IMS log."""
    declared: tuple[Record | LogRecord, ...] = (*all_records(), *all_log_records())
    return tuple(chain.from_iterable(one.tables() for one in declared))


def table(name: str) -> Table:
    """The table of that name; upper case and lower case are the same."""
    wanted = name.lower()
    for one in _near_tables(wanted):
        if one.name == wanted:
            return one
    known = [one.name for one in all_tables()]
    if wanted in known:
        return all_tables()[known.index(wanted)]
    raise LayoutError(f"found no table {name!r}", near(wanted, known))


def _near_tables(name: str) -> tuple[Table, ...]:
    """The tables of the record that a table's name begins with: only its module is imported."""
    found = re.match(r"smf(\d+)(?:_(\d+))?_", name)
    record = smf_record(int(found[1]), int(found[2]) if found[2] else None) if found else None
    return record.tables() if record else ()


def section(name: str) -> Section:
    """The section that becomes the table of that name."""
    return table(name).section
