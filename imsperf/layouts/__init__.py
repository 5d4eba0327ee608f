"""The registry of declared layouts: find one by record type, by log code or by table name.

To add a record: write its module beside the others, name it in `_SMF` or `_IMS` below, add golden bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
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

LogKey = tuple[int, int | None]

_SMF = (smf2_3, smf70, smf74)
_IMS = (ims_a0, ims_06, ims_40_47, ims_42_48, ims_45, ims_59)

SMF_RECORDS: Mapping[tuple[int, int | None], Record] = MappingProxyType(
    {(one.type, one.subtype): one for module in _SMF for one in module.RECORDS}
)

HEADER_ONLY = "header-suffix"
PROFILES: Mapping[str, Mapping[LogKey, LogRecord]] = MappingProxyType(
    {
        # A log of a real IMS: header and suffix are known, no body is.
        HEADER_ONLY: MappingProxyType({}),
        PROFILE: MappingProxyType(
            {(one.code, one.subcode): one for module in _IMS for one in module.RECORDS}
        ),
    }
)


def smf_record(type: int, subtype: int | None) -> Record | None:
    """The layout of an SMF record; None if it is not declared.

    A record declared without a subtype stands for all its subtypes.
    """
    return SMF_RECORDS.get((type, subtype)) or SMF_RECORDS.get((type, None))


def log_profile(name: str) -> Mapping[LogKey, LogRecord]:
    """The log record layouts of a profile, by code and subcode (None: the code has no subcode)."""
    if name not in PROFILES:
        known = f"known profiles: {', '.join(PROFILES)}"
        raise LayoutError(f"found no log profile {name!r}", near(name, PROFILES, known))
    return PROFILES[name]


def log_record(code: int, subcode: int, profile: str = PROFILE) -> LogRecord | None:
    """The layout of an IMS log record; None if the profile has none."""
    records = log_profile(profile)
    return records.get((code, subcode)) or records.get((code, None))


def all_records() -> tuple[Record, ...]:
    """Every SMF record declared."""
    return tuple(SMF_RECORDS.values())


def all_log_records() -> tuple[LogRecord, ...]:
    """Every IMS log record declared, in the order of the profiles."""
    return tuple(chain.from_iterable(records.values() for records in PROFILES.values()))


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
