"""SMF 74.2: signalling between the systems of a sysplex (XCF)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from imsperf.layouts import smf74_2
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.smf.policy import Amounts
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.units import TICKS_PER_US

I64 = npt.NDArray[np.int64]
Way = Literal["inbound", "outbound", "local"]

WRITTEN_US = 75_000
WAYS = {"inbound": 0x80, "outbound": 0x40, "local": 0x20}
CTC, LIST = 1, 3
WORKING, ACTIVE = 0x20, 3
RETRY_LIMIT = 100
OVERFLOW = 0xFFFFFFFF


@dataclass(frozen=True)
class Traffic:
    """Messages to or from a system in a transport class. `buffer_bytes`: message length of it."""

    system: str
    way: Way
    transport_class: str = "DEFAULT"
    buffer_bytes: int = 956
    paths: int = 2
    most_kb: int = 2000


@dataclass(frozen=True)
class SignalPath:
    """A channel-to-channel path by device number, or one through a list of a structure."""

    system: str
    way: Way
    device: str = ""
    structure: str = ""
    list_number: int = 0
    transport_class: str = "DEFAULT"


@dataclass(frozen=True)
class Member:
    """A member of an XCF group on this system."""

    group: str
    name: str
    job: str


@dataclass(frozen=True, kw_only=True)
class Xcf:
    """What XCF did in n intervals: counts (n, messages), (n, paths), (n, members); ticks.

    `transfer`: time of all signals of a path together.
    """

    traffic: Sequence[Traffic]
    small: Amounts = 0
    fit: Amounts = 0
    big: Amounts = 0
    over: Amounts = 0  # of the big ones
    no_buffer: Amounts = 0
    no_path: Amounts = 0

    paths: Sequence[SignalPath]
    signals: Amounts = 0
    transfer: Amounts = 0
    idle: Amounts = 0  # selections that found the path so
    busy: Amounts = 0
    waiting: Amounts = 0
    refused: Amounts = 0  # inbound, no buffer

    members: Sequence[Member]
    sent: Amounts = 0
    received: Amounts = 0


def xcf_group(xcf: Xcf, host: Host, interval: Interval) -> Group:
    """One record per interval."""
    parts = [
        Sections(
            smf74_2.SYSTEM,
            {
                "r742sbsy": xcf.no_buffer,
                "r742snop": xcf.no_path,
                "r742sbig": xcf.big,
                "r742sfit": xcf.fit,
                "r742ssml": xcf.small,
                "r742sovr": xcf.over,
            },
            len(xcf.traffic),
            fixed={
                "r742snme": np.array([one.system for one in xcf.traffic]),
                "r742sdir": np.array([WAYS[one.way] for one in xcf.traffic]),
                "r742spth": np.array([one.paths for one in xcf.traffic]),
                "r742smxb": np.array([one.most_kb for one in xcf.traffic]),
                "r742stcl": np.array([one.buffer_bytes for one in xcf.traffic]),
                "r742stcn": np.array([one.transport_class for one in xcf.traffic]),
            },
        ),
        _paths(xcf),
        Sections(
            smf74_2.MEMBER,
            {"r742msnt": xcf.sent, "r742mrcv": xcf.received},
            len(xcf.members),
            fixed={
                "r742msys": host.system,
                "r742mgrp": np.array([one.group for one in xcf.members]),
                "r742mmem": np.array([one.name for one in xcf.members]),
                "r742mst1": ACTIVE,
                "r742mjob": np.array([one.job for one in xcf.members]),
            },
        ),
    ]
    return rmf_group(smf74_2.XCF_ACTIVITY, host, interval, parts, WRITTEN_US)


def _paths(xcf: Xcf) -> Sections:
    return Sections(
        smf74_2.PATH,
        {
            "r742psig": xcf.signals,
            "r742pqln": xcf.waiting,
            "r742pibr": xcf.refused,
            "r742psus": xcf.idle,
            "r742papp": xcf.busy,
            "r742piot": _mean_us(xcf.transfer, xcf.signals),
        },
        len(xcf.paths),
        fixed={
            "r742pnme": np.array([one.system for one in xcf.paths]),
            "r742pdev": np.array([one.device for one in xcf.paths]),
            "r742pdir": np.array([WAYS[one.way] for one in xcf.paths]),
            "r742ptyp": np.array([LIST if one.structure else CTC for one in xcf.paths]),
            "r742pona": np.array([one.system for one in xcf.paths]),
            "r742psta": WORKING,
            "r742pret": RETRY_LIMIT,
            "r742ptcn": np.array([one.transport_class for one in xcf.paths]),
            "r742pstr": np.array([one.structure for one in xcf.paths]),
            "r742plin": np.array([one.list_number for one in xcf.paths]),
        },
    )


def _mean_us(ticks: Amounts, count: Amounts) -> Amounts:
    """Of one signal; none: 0."""
    if isinstance(ticks, int):
        return ticks
    mean = ticks // TICKS_PER_US // np.maximum(count, 1)
    return np.minimum(mean, OVERFLOW)
