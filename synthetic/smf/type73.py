"""SMF 73.1: channel paths, FICON in measurement group 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imsperf.layouts import smf73_1
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.smf.policy import US_1024, Amounts
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.units import TICKS_PER_US

I64 = npt.NDArray[np.int64]

WRITTEN_US = 45_000
GROUP = 2
CPMF, EXTENDED_MEASUREMENT = 0x04, 0x10
ONLINE, VALID, SHARED, HAS_EXTENDED, ALL_WORDS = 0x01, 0x02, 0x01, 0x02, 0xF8


@dataclass(frozen=True)
class Channel:
    """One path and what it can do in a second; work units and bus cycles are a scale of its own."""

    id: int
    type: str = "FC_S"
    megabytes_per_s: int = 800  # each way, 10^6 bytes
    gigabits: int = 8
    unit_bytes: int = 4000  # of a data unit
    work_units_per_s: int = 1600
    bus_cycles_per_s: int = 1000
    shared: bool = True  # by partitions


@dataclass(frozen=True, kw_only=True)
class ChannelUse:
    """What m paths did in n intervals, arrays (n, m): ticks, bytes, counts.

    `busy`, `bus`, `read`, `written`: all partitions; those with `own`: this one. Operations are of
    this system: `active` sums how many were active when each began.
    """

    busy: I64
    own_busy: I64
    bus: Amounts = 0
    read: Amounts = 0
    own_read: Amounts = 0
    written: Amounts = 0
    own_written: Amounts = 0
    operations: Amounts = 0
    active: Amounts = 0
    deferred: Amounts = 0
    zhpf_operations: Amounts = 0
    zhpf_active: Amounts = 0
    zhpf_deferred: Amounts = 0


def channel_group(
    channels: Sequence[Channel], use: ChannelUse, host: Host, interval: Interval
) -> Group:
    """One record per interval."""
    number = len(channels)
    control = {"smf73smp": interval.samples, "smf73csc": interval.samples}
    fixed = {
        "smf73cfl": CPMF,
        "smf73sfl": EXTENDED_MEASUREMENT,
        "smf73tnm": host.iodf,
        "smf73tsf": host.iodf[-2:],
        "smf73tdt": host.iodf_date[2:],
        "smf73ttm": host.iodf_time,
        "smf73tdy": host.iodf_date,
        "smf73cmi": 2,
    }
    parts = [
        Sections(smf73_1.CONTROL, control, fixed=fixed),
        _paths(channels, use, interval),
        _group_2(channels, use),
        _extended(channels, use, number),
    ]
    return rmf_group(smf73_1.CHANNEL_PATH_ACTIVITY, host, interval, parts, WRITTEN_US)


def _paths(channels: Sequence[Channel], use: ChannelUse, interval: Interval) -> Sections:
    """Busy samples are busy time over the sampling cycle: what RMF would count on average."""
    measured = in_units(interval.length_us * TICKS_PER_US, US_1024)
    columns = {
        "smf73bsy": in_units(use.busy, interval.cycle_ms * 1000 * TICKS_PER_US),
        "smf73pby": in_units(use.own_busy, US_1024),
        "smf73pti": np.repeat(measured[:, None], len(channels), axis=1),
    }
    fixed = {
        "smf73pid": np.array([one.id for one in channels]),
        "smf73fg2": ONLINE,
        "smf73fg3": np.array([VALID | SHARED * one.shared for one in channels]),
        "smf73fg4": HAS_EXTENDED,
        "smf73acr": np.array([one.type for one in channels]),
        "smf73cmg": GROUP,
        "smf73fg5": ALL_WORDS,
        "smf73eix": np.arange(1, len(channels) + 1),
        "smf73spd": np.array([10 * one.gigabits for one in channels]),
    }
    return Sections(smf73_1.CHANNEL, columns, len(channels), fixed=fixed)


def _group_2(channels: Sequence[Channel], use: ChannelUse) -> Sections:
    """Times become work units, bytes data units; both as parts of what is possible in a second."""
    work = np.array([one.work_units_per_s for one in channels])
    bus = np.array([one.bus_cycles_per_s for one in channels])
    size = np.array([one.unit_bytes for one in channels])
    most = np.array([one.megabytes_per_s for one in channels]) * 1e6 // size
    columns = {
        "smf73tbc": _scaled(use.bus, bus),
        "smf73tuc": _scaled(use.busy, work),
        "smf73puc": _scaled(use.own_busy, work),
        "smf73twu": _data(use.written, size),
        "smf73pwu": _data(use.own_written, size),
        "smf73tru": _data(use.read, size),
        "smf73pru": _data(use.own_read, size),
    }
    fixed = {
        "smf73mbc": bus,
        "smf73mcu": work,
        "smf73mwu": most,
        "smf73mru": most,
        "smf73us": size,
    }
    return Sections(smf73_1.CMG2, columns, len(channels), fixed=fixed)


def _scaled(ticks: Amounts, per_s: I64) -> Amounts:
    """Time busy in units of which there are so many in a second."""
    if isinstance(ticks, int):
        return ticks
    return in_units(in_units(ticks, TICKS_PER_US), 1_000_000, per_s)


def _data(size: Amounts, unit: I64) -> Amounts:
    return size if isinstance(size, int) else in_units(size, unit)


def _extended(channels: Sequence[Channel], use: ChannelUse, number: int) -> Sections:
    columns = {
        "smf73eoc": use.operations,
        "smf73eod": use.deferred,
        "smf73eos": use.active,
        "smf73etc": use.zhpf_operations,
        "smf73etd": use.zhpf_deferred,
        "smf73ets": use.zhpf_active,
    }
    fixed = {"smf73ecp": np.array([one.id for one in channels])}
    return Sections(smf73_1.EXTENDED, columns, number, fixed=fixed)
