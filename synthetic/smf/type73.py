"""SMF 73.1: channel paths, FICON in measurement group 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from imsperf.layouts import smf73_1
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.smf.measured import (
    US_1024,
    Amounts,
    columns_of,
    columns_of_each,
    measured,
    quantised,
    stated,
)
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, iodf_of, rmf_group
from imsperf.synthetic.units import TICKS_PER_US

WRITTEN_US = 45_000
GROUP = 2
GIGABITS, BYTES_PER_S, UNIT_BYTES = 8, 800e6, 4000  # FICON; each way; of a data unit
BUS_CYCLES_PER_S = 1000
CPMF, EXTENDED_MEASUREMENT = 0x04, 0x10
ONLINE, VALID, SHARED, HAS_EXTENDED, ALL_WORDS = 0x01, 0x02, 0x01, 0x02, 0xF8


@dataclass(frozen=True)
class Channel:
    """One path and what it can do in a second; work units are a scale of its own."""

    id: int = stated("smf73pid", "smf73ecp")
    work_units_per_s: int = stated("smf73mcu", default=1600)
    shared: bool = True  # by partitions


@dataclass(frozen=True, kw_only=True)
class ChannelUse:
    """What m paths did in n intervals, arrays (n, m): ticks, bytes, counts.

    `busy`, `read`, `written`: all partitions; those with `own`: this one. Operations are of
    this system: `active` sums how many were active when each began.
    """

    busy: I64
    own_busy: I64 = stated(smf73pby=US_1024)
    read: Amounts = 0
    own_read: Amounts = 0
    written: Amounts = 0
    own_written: Amounts = 0
    operations: Amounts = measured("smf73eoc")
    active: Amounts = measured("smf73eos")
    zhpf_operations: Amounts = measured("smf73etc")
    zhpf_active: Amounts = measured("smf73ets")


def channel_group(
    channels: Sequence[Channel], use: ChannelUse, host: Host, interval: Interval
) -> Group:
    """One record per interval."""
    control = {"smf73smp": interval.samples, "smf73csc": interval.samples}
    fixed = {
        "smf73cfl": CPMF,
        "smf73sfl": EXTENDED_MEASUREMENT,
        **iodf_of(host, "smf73"),
        "smf73cmi": 2,
    }
    parts = [
        Sections(smf73_1.CONTROL, control, fixed=fixed),
        _paths(channels, use, interval),
        _group_2(channels, use),
        Sections(
            smf73_1.EXTENDED,
            columns_of(use, smf73_1.EXTENDED),
            len(channels),
            fixed=columns_of_each(channels, smf73_1.EXTENDED),
        ),
    ]
    return rmf_group(smf73_1.CHANNEL_PATH_ACTIVITY, host, interval, parts, WRITTEN_US)


def _paths(channels: Sequence[Channel], use: ChannelUse, interval: Interval) -> Sections:
    """Busy samples are busy time over the sampling cycle: what RMF would count on average."""
    measured = in_units(interval.length_us * TICKS_PER_US, US_1024)
    columns = columns_of(use, smf73_1.CHANNEL) | {
        "smf73bsy": in_units(use.busy, interval.cycle_ms * 1000 * TICKS_PER_US),
        "smf73pti": np.repeat(measured[:, None], len(channels), axis=1),
    }
    fixed = columns_of_each(channels, smf73_1.CHANNEL) | {
        "smf73fg2": ONLINE,
        "smf73fg3": np.array([VALID | SHARED * channel.shared for channel in channels]),
        "smf73fg4": HAS_EXTENDED,
        "smf73acr": "FC_S",
        "smf73cmg": GROUP,
        "smf73fg5": ALL_WORDS,
        "smf73eix": np.arange(1, len(channels) + 1),
        "smf73spd": 10 * GIGABITS,
    }
    return Sections(smf73_1.CHANNEL, columns, len(channels), fixed=fixed)


def _group_2(channels: Sequence[Channel], use: ChannelUse) -> Sections:
    """Times become work units, bytes data units; both as parts of what is possible in a second."""
    work = np.array([channel.work_units_per_s for channel in channels])
    columns = {
        "smf73tuc": _scaled(use.busy, work),
        "smf73puc": _scaled(use.own_busy, work),
        "smf73twu": quantised(use.written, UNIT_BYTES),
        "smf73pwu": quantised(use.own_written, UNIT_BYTES),
        "smf73tru": quantised(use.read, UNIT_BYTES),
        "smf73pru": quantised(use.own_read, UNIT_BYTES),
    }
    fixed = columns_of_each(channels, smf73_1.CMG2) | {
        "smf73mbc": BUS_CYCLES_PER_S,
        "smf73mwu": BYTES_PER_S // UNIT_BYTES,
        "smf73mru": BYTES_PER_S // UNIT_BYTES,
        "smf73us": UNIT_BYTES,
    }
    return Sections(smf73_1.CMG2, columns, len(channels), fixed=fixed)


def _scaled(ticks: I64, per_s: I64) -> I64:
    """Time busy in units of which there are so many in a second."""
    return in_units(in_units(ticks, TICKS_PER_US), 1_000_000, per_s)
