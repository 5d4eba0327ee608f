"""SMF 78.3: queueing of I/O at logical control units and I/O processors.

Control units fill as many records as they need; each of them has the global section, the first one
the I/O processors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.layout import Section
from imsperf.layouts import smf78_3
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.smf.measured import (
    US_128,
    Amounts,
    columns_of,
    columns_of_each,
    measured,
    stated,
)
from imsperf.synthetic.smf.record_builder import LARGEST_RECORD, Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, iodf_of, rmf_group

WRITTEN_US, APART_US = 350_000, 1000
ONLINE = 0xC0
CONTROL = {"r783ntr": 1, "r783amgc": 1, "r783amgs": 1}
HYPERPAV, FICON, INSTALLED = 0x02, 0x80, 0x80


@dataclass(frozen=True)
class ControlUnit:
    """A logical control unit: channel paths (ids) to it; `aliases`: it has HyperPAV aliases."""

    lcu: int = stated("r783id1", "r783id2", "r783hlcu")
    control_unit: int = stated("r783hcu")
    paths: tuple[int, ...] = stated()
    aliases: bool = True


@dataclass(frozen=True, kw_only=True)
class QueueUse:
    """What happened at l control units, p paths and q I/O processors in n intervals.

    Arrays (n, l); those of paths (n, p), paths of a unit together in the order of the units; those
    of processors (n, q). Times are ticks.
    """

    conn: Amounts = measured(r783dctm=US_128)
    disc: Amounts = measured(r783ddtm=US_128)
    alias_requests: Amounts = measured("r783htio")
    no_alias: Amounts = measured("r783hnai")

    path_requests: Amounts = measured("r783pt")
    path_cmr: Amounts = measured(r783cmr=US_128)

    iop_busy: I64 = stated("r783iipb")  # times found so, (n, q)
    iop_started: Amounts = measured("r783iifs")
    iop_interrupts: Amounts = measured("r783ipii")
    iop_queued: Amounts = measured("r783iqct")
    iop_queue_lengths: Amounts = measured("r783iqsm")


def queue_groups(
    units: Sequence[ControlUnit], use: QueueUse, host: Host, interval: Interval
) -> list[Group]:
    """As many records for each interval as the control units need."""
    here = _cut(units, use.iop_busy.shape[1])
    return [
        rmf_group(
            smf78_3.IO_QUEUEING,
            host,
            interval,
            _parts(units, units_here, use, host, (number, len(here))),
            WRITTEN_US + APART_US * number,
        )
        for number, units_here in enumerate(here)
    ]


def _cut(units: Sequence[ControlUnit], processors: int) -> list[slice]:
    """Control units of one record after another, whatever they need of it."""
    each = [
        smf78_3.CONTROL.length
        + smf78_3.QUEUE.length
        + smf78_3.PATH.length * len(unit.paths)
        + smf78_3.HYPERPAV.length * unit.aliases
        for unit in units
    ]
    room = LARGEST_RECORD - smf78_3.HEADER.length - smf78_3.PRODUCT.length
    room -= smf78_3.GLOBAL.length + smf78_3.IOP.length * processors
    edges, used = [0], 0
    for number, size in enumerate(each):
        if used + size > room:
            edges.append(number)
            used = 0
        used += size
    return [slice(a, b) for a, b in zip(edges, [*edges[1:], len(units)], strict=True)]


def _parts(
    units: Sequence[ControlUnit],
    here: slice,
    use: QueueUse,
    host: Host,
    place: tuple[int, int],
) -> list[Sections]:
    mine = units[here]
    number, records = place
    paths = [len(unit.paths) for unit in units]
    begin = sum(paths[: here.start])
    mine_paths = slice(begin, begin + sum(paths[here]))
    with_alias = [n for n in range(here.start, here.stop) if units[n].aliases]
    processors = use.iop_busy.shape[1] if number == 0 else 0

    def of(section: Section, which: Any) -> dict[str, Any]:
        return {field: values[:, which] for field, values in columns_of(use, section).items()}

    lcus = [units[n] for n in with_alias]
    aliases = columns_of_each(lcus, smf78_3.HYPERPAV)
    control = columns_of_each(mine, smf78_3.CONTROL) | CONTROL
    parts = [
        Sections(smf78_3.CONTROL, {}, len(mine), fixed=control),
        Sections(smf78_3.QUEUE, of(smf78_3.QUEUE, here), len(mine), fixed=_queue(mine)),
        Sections(smf78_3.GLOBAL, {}, fixed=_global(host, len(units), number, records)),
        Sections(smf78_3.HYPERPAV, of(smf78_3.HYPERPAV, with_alias), len(lcus), fixed=aliases),
        _paths(mine, of(smf78_3.PATH, mine_paths)),
    ]
    if processors:
        ids = {"r783iqid": np.arange(processors), "r783iflg": INSTALLED}
        parts.append(Sections(smf78_3.IOP, columns_of(use, smf78_3.IOP), processors, fixed=ids))
    return [part for part in parts if part.number]


def _paths(mine: Sequence[ControlUnit], columns: dict[str, Any]) -> Sections:
    each = tuple(len(lcu.paths) for lcu in mine)
    fixed = {
        "r783cpid": np.array([path for unit in mine for path in unit.paths]),
        "r783cpst": ONLINE,
        "r783cun": 1,
        "r783cu1": np.array([unit.control_unit for unit in mine for _ in unit.paths]),
    }
    return Sections(smf78_3.PATH, columns, sum(each), fixed=fixed, each=each)


def _queue(mine: Sequence[ControlUnit]) -> dict[str, Any]:
    aliases = np.array([lcu.aliases for lcu in mine])
    return columns_of_each(mine, smf78_3.QUEUE) | {
        "r783dst": aliases * HYPERPAV,
        "r783dstx": FICON,
        "r783hcnt": aliases.astype(np.int64),
        "r783hix": np.cumsum(aliases) * aliases,
    }


def _global(host: Host, units: int, number: int, records: int) -> dict[str, Any]:
    return {
        "r783gntr": 1,
        "r783tsr": records,
        "r783tot": units,
        "r783nxt": number + 2 if number + 1 < records else 0,
        **iodf_of(host, "r783"),
    }
