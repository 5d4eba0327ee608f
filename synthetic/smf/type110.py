"""SMF 110.1: CICS monitoring: the dictionary of a region, then its performance records.

A region names the fields it collects; their order gives connectors and offsets. Data are written
uncompressed. A field whose number no source gives has a number of ours, from 901 on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from imsperf.errors import LayoutError, near
from imsperf.kinds import Kind, opaque, packed, text, tod, u2, u3, u4, u8
from imsperf.layout import DictionaryField, Field, Section
from imsperf.layouts import smf110_1
from imsperf.layouts.smf110_1_performance import PERFORMANCE
from imsperf.record import At, SectionPlace, triplet
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import Times
from imsperf.synthetic.smf.record_builder import LARGEST_RECORD, Sections
from imsperf.synthetic.smf.record_groups import Group, smf_group

DICTIONARY, TASKS = 1, 3  # classes of data
OWN_NUMBERS = 901
VERSION = 0x0700  # of the record layout
LETTERS = {"tran": 4, "ttype": 4, "term": 4, "rsysid": 4, "abcodeo": 4, "abcodec": 4, "rtype": 4}
WIDE_COUNTS = {"tranflag"}
CONNECTOR = Section("smf110_1_connector", "Field connector", "CICS", 2, (Field(0, "it", u2, "It"),))


@dataclass(frozen=True)
class Region:
    """A CICS region and the fields it collects, by their column names in smf110_1_performance."""

    applid: str
    job: str
    fields: tuple[str, ...]

    @property
    def entries(self) -> tuple[DictionaryField, ...]:
        """The declarations of its fields. Raises LayoutError for an unknown one."""
        known = {field.name: field for field in PERFORMANCE.by_dictionary}
        for name in self.fields:
            if name not in known:
                raise LayoutError(f"found no CICS field {name!r}", near(name, known))
        return tuple(known[name] for name in self.fields)

    @property
    def row(self) -> Section:
        """A performance record of the region: its fields one after another."""
        fields, at = list[Field](), 0
        for entry in self.entries:
            for end, kind in _kinds(entry):
                fields.append(Field(at, entry.name + end, kind, entry.doc))
                at += kind.width
        return Section(
            "smf110_1_performance", PERFORMANCE.doc, PERFORMANCE.source, at, tuple(fields)
        )


def _kinds(dictionary_field: DictionaryField) -> tuple[tuple[str, Kind], ...]:
    """A clock is a timer, a reserved byte and a count."""
    if dictionary_field.type == "S":
        return ("_us", u8), ("_reserved", opaque(1)), ("_count", u3)
    if dictionary_field.type == "A":
        return (("", u8 if dictionary_field.name in WIDE_COUNTS else u4),)
    return (
        (
            "",
            {"P": packed(4), "T": tod}.get(
                dictionary_field.type, text(LETTERS.get(dictionary_field.name, 8))
            ),
        ),
    )


def dictionary_group(region: Region, host: Host, when: np.datetime64) -> Group:
    """The dictionary record of a region, written when it starts (UTC)."""
    entries = region.entries
    length = np.array([sum(kind.width for _, kind in _kinds(entry)) for entry in entries])
    numbers = _numbers(entries)
    fixed = {
        "cmodname": np.array([entry.group for entry in entries]),
        "cmodtype": np.array([entry.type for entry in entries]),
        "cmodidnt": np.array(numbers),
        "cmodleng": length,
        "cmodconn": np.arange(1, len(entries) + 1),
        "cmodofst": np.cumsum(length) - length,
        "cmodhead": np.array([_nickname(entry) for entry in entries]),
    }
    part = Sections(smf110_1.DICTIONARY, {}, len(entries), fixed=fixed)
    return _group(region, host, np.array([when]), DICTIONARY, [part])


def _numbers(entries: Sequence[DictionaryField]) -> list[str]:
    missing = [entry.name for entry in entries if not entry.number]
    return [entry.number or str(OWN_NUMBERS + missing.index(entry.name)) for entry in entries]


def _nickname(dictionary_field: DictionaryField) -> str:
    """The column's name, without the number that tells two fields of one nickname apart."""
    return dictionary_field.name.removesuffix(f"_{dictionary_field.number}").upper()


def task_groups(region: Region, tasks: Mapping[str, Any], host: Host) -> list[Group]:
    """Performance records in the order given: as many tasks in one as fit.

    `tasks`: arrays by column name, one value for each task: text, counts, datetime64 (UTC), clocks
    as NAME_us in ticks and NAME_count. Records are written when the last task in them stops.
    """
    row = region.row
    number = len(tasks["stop"])
    connectors = Sections(
        CONNECTOR, {}, len(region.fields), fixed={"it": np.arange(1, len(region.fields) + 1)}
    )
    room = LARGEST_RECORD - smf110_1.HEADER.length - smf110_1.PRODUCT.length
    fit = (room - connectors.number * connectors.size) // row.length
    groups = []
    for begin, end, each in (
        (0, number // fit * fit, fit),
        (number // fit * fit, number, number % fit),
    ):
        if end > begin:
            some = {name: np.asarray(v)[begin:end].reshape(-1, each) for name, v in tasks.items()}
            part = Sections(row, some, each)
            groups.append(_group(region, host, some["stop"][:, -1], TASKS, [connectors, part]))
    return groups


def _group(region: Region, host: Host, time: Times, kind: int, parts: Sequence[Sections]) -> Group:
    """Monitoring records: the layout with the region's own row in it."""
    product, rows = smf110_1.PRODUCT, parts[-1].section
    places = [triplet(28, product), SectionPlace(rows, At(32, 4), At(36), At(38), inside=product)]
    if len(parts) > 1:
        places.insert(1, SectionPlace(CONNECTOR, At(24, 4), At(28), At(30), inside=product))
    record = replace(smf110_1.MONITORING, parts=tuple(places))
    fixed = {
        "smfmnrvn": VERSION,
        "smfmnprn": region.applid,
        "smfmnspn": region.applid,
        "smfmncl": kind,
        "smfmnjbn": region.job,
    }
    data = {
        "smf110trn": 2,
        "smf110ass": smf110_1.HEADER.length + product.length,
        "smf110asl": sum(part.number * part.size for part in parts),
        "smf110asn": 1,
    }
    sections = [Sections(product, {}, fixed=fixed), *parts]
    return smf_group(record, host, sections, time, subsystem="CICS", fixed=data)
