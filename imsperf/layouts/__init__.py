"""The registry of declared layouts: find one by record type, by log code or by table name.

To add a record: write its module beside the others, name it in `_SMF` or `_IMS` below, add golden bytes.
For a log that somebody else laid out: `mapped_profile`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from types import MappingProxyType

from imsperf.errors import LayoutError, near
from imsperf.layout import LogRecord, Record, Section, Table
from imsperf.layouts import (
    ims_06,
    ims_40_47,
    ims_42_48,
    ims_45,
    ims_59,
    ims_a0,
    smf2_3,
    smf70,
    smf74,
)
from imsperf.layouts.ims import PROFILE
from imsperf.layouts.profile import (
    Columns,
    Profile,
    by_key,
    fill,
    same_names,
    sections_of,
)

_SMF = (smf2_3, smf70, smf74)
_IMS = (ims_a0, ims_06, ims_40_47, ims_42_48, ims_45, ims_59)

SMF_RECORDS: Mapping[tuple[int, int | None], Record] = MappingProxyType(
    {(one.type, one.subtype): one for module in _SMF for one in module.RECORDS}
)

_OURS = tuple(one for module in _IMS for one in module.RECORDS)
_OUR_TABLES: Mapping[str, Table] = MappingProxyType(
    {table.name: table for one in _OURS for table in one.tables()}
)

HEADER_ONLY = "header-suffix"
PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        # A log of a real IMS: header and suffix are known, no body is.
        HEADER_ONLY: Profile(HEADER_ONLY, {}, ()),
        PROFILE: Profile(PROFILE, by_key(_OURS), tuple(map(same_names, _OUR_TABLES.values()))),
    }
)


def smf_record(type: int, subtype: int | None) -> Record | None:
    """The layout of an SMF record; None if it is not declared.

    A record declared without a subtype stands for all its subtypes.
    """
    return SMF_RECORDS.get((type, subtype)) or SMF_RECORDS.get((type, None))


def log_profile(name: str) -> Profile:
    """The log profile of that name."""
    if name not in PROFILES:
        known = f"known profiles: {', '.join(PROFILES)}"
        raise LayoutError(f"found no log profile {name!r}", near(name, PROFILES, known))
    return PROFILES[name]


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
    if name not in _OUR_TABLES:
        raise LayoutError(f"found no table {name!r} of log records", near(name, _OUR_TABLES))
    return _OUR_TABLES[name]


def log_record(code: int, subcode: int, profile: str = PROFILE) -> LogRecord | None:
    """The layout of an IMS log record; None if the profile has none."""
    return log_profile(profile).record(code, subcode)


def all_records() -> tuple[Record, ...]:
    """Every SMF record declared."""
    return tuple(SMF_RECORDS.values())


def all_log_records() -> tuple[LogRecord, ...]:
    """Every IMS log record declared."""
    return _OURS


@cache
def all_tables() -> tuple[Table, ...]:
    """Every table a section becomes: SMF first, then the IMS log."""
    declared: tuple[Record | LogRecord, ...] = (*all_records(), *all_log_records())
    return tuple(chain.from_iterable(one.tables() for one in declared))


def table(name: str) -> Table:
    """The table of that name; upper case and lower case are the same."""
    known = {one.name: one for one in all_tables()}
    if name.lower() not in known:
        raise LayoutError(f"found no table {name!r}", near(name, known))
    return known[name.lower()]


def section(name: str) -> Section:
    """The section that becomes the table of that name."""
    return table(name).section
