"""SMF 74.5: cache of storage subsystems, one record for each (SSID).

Written are control, device and status sections; device extensions (counter words without use) and
disk activity (RAID ranks, extent pools) are not. All systems of a run share the volumes, so the
cache has the I/Os of all of them to the databases, in the records of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from imsperf.layouts import smf74_5
from imsperf.synthetic.accounts.archive_jobs import ArchiveJobs
from imsperf.synthetic.accounts.database_files import volume_reads
from imsperf.synthetic.accounts.further_volumes import LOGS, is_library
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.accounts.io_accounts import Devices
from imsperf.synthetic.accounts.sysplex_accounts import Sysplex
from imsperf.synthetic.arrays import I64, Texts
from imsperf.synthetic.smf.measured import Amounts, columns_of, measured
from imsperf.synthetic.smf.record_builder import Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, rmf_group
from imsperf.synthetic.units import TICKS_PER_US

WRITTEN_US, APART_US = 400_000, 500
MISS_TICKS = 500 * TICKS_PER_US  # a read from a flash rank; assumed
SSID = 0x2100  # assumed
IN_KB = 1
CACHE_KB, STORE_KB = 268_435_456, 8_388_608  # cache and non-volatile store; assumed


@dataclass(frozen=True)
class Subsystem:
    """A storage subsystem: its devices as places in the arrays of CacheUse."""

    ssid: int
    devices: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class CacheUse:
    """Requests to d devices in n intervals, counts (n, d).

    Reads and writes that are not sequential, and writes that are, with those that hit; tracks from
    disk to cache (`staged`), from cache to disk (`destaged`).
    """

    volume: Texts  # (d,)
    device: I64  # device numbers, (d,)
    reads: Amounts = measured("r745drcr")
    read_hits: Amounts = measured("r745dcrh")
    writes: Amounts = measured("r745dwrc")
    write_hits: Amounts = measured("r745dwch")
    sequential_writes: Amounts = measured("r745dwsr")
    sequential_write_hits: Amounts = measured("r745dwsh")
    staged: Amounts = measured("r745dntd")
    destaged: Amounts = measured("r745dctd")


def cache_groups(
    subsystems: Sequence[Subsystem], use: CacheUse, host: Host, interval: Interval
) -> list[Group]:
    """One record for each subsystem and interval; those with as many devices are made together."""
    numbers = dict.fromkeys(len(subsystem.devices) for subsystem in subsystems)
    return [
        _group(
            [
                (n, subsystem)
                for n, subsystem in enumerate(subsystems)
                if len(subsystem.devices) == number
            ],
            use,
            host,
            interval,
        )
        for number in numbers
    ]


def _group(
    some: Sequence[tuple[int, Subsystem]], use: CacheUse, host: Host, interval: Interval
) -> Group:
    order, mine = [n for n, _ in some], [controller for _, controller in some]
    which = np.tile(np.arange(len(mine)), len(interval))
    places = np.array([controller.devices for controller in mine])
    ssid = np.array([controller.ssid for controller in mine])
    devices = Sections(
        smf74_5.DEVICE,
        {
            field: values[:, places].reshape(-1, places.shape[1])
            for field, values in columns_of(use, smf74_5.DEVICE).items()
        },
        places.shape[1],
        fixed={
            "r745dvol": use.volume[places],
            "r745devn": use.device[places],
            "r745dunt": use.device[places] & 0xFF,
            "r745dsid": np.repeat(ssid[:, None], places.shape[1], axis=1),
        },
        which=which,
    )
    parts = [_control(places.shape[1], host, interval, len(mine)), devices]
    parts.append(_status(mine, use, places, which))
    written = WRITTEN_US + APART_US * np.array(order)
    return rmf_group(smf74_5.CACHE_ACTIVITY, host, interval, parts, written, len(mine))


def _control(devices: int, host: Host, interval: Interval, each: int) -> Sections:
    seconds = np.rint(interval.length_us / 1e6).astype(np.int64)
    fixed = {
        "r745ccnt": min(devices, 255),
        "r745c_type": host.node[:6],
        "r745c_model": host.node[6:9],
        "r745c_mfr": host.node[9:12],
        "r745c_plant": host.node[12:14],
        "r745c_seq": f"{host.node[14:]:0<12.12}",
    }
    return Sections(smf74_5.CONTROL, {"r745cint": np.repeat(seconds, each)}, fixed=fixed)


def _status(mine: Sequence[Subsystem], use: CacheUse, places: I64, which: I64) -> Sections:
    fixed = {
        "r745svol": use.volume[places[:, 0]],
        "r745sdev": use.device[places[:, 0]],
        "r745sunt": use.device[places[:, 0]] & 0xFF,
        "r745sft": IN_KB,
        "r745snad": np.full(len(mine), min(places.shape[1], 255)),
        "r745scnf": CACHE_KB,
        "r745savl": CACHE_KB,
        "r745scnv": STORE_KB,
        "r745ssid": np.array([controller.ssid for controller in mine]),
    }
    return Sections(smf74_5.STATUS, {}, fixed=fixed, which=which)


# --- of a run -------------------------------------------------------------------------------------


def cache_records(plex: Sysplex, which: int, interval: Interval) -> list[Group]:
    """74.5: databases as all systems use them, the log volumes of this one.

    Reads miss as often as the time their I/Os were disconnected allows; writes always hit.
    """
    host, network = plex.hosts[which], plex.networks[which]
    mine = Devices.of(plex.results[which], host, network)
    volumes, each = network.dasd.volumes, host.devices_per_lcu
    count, disc = mine.ticks["count"].copy(), mine.ticks["disc"].copy()
    reads = np.zeros_like(count)
    reads[:, is_library(network)] = count[:, is_library(network)]
    archived, olds = ArchiveJobs.of(plex.results[which], network), volumes + LOGS - 1
    reads[:, olds] = archived.reads.sum(axis=1)
    disc[:, olds] = 0  # what archive jobs read is in the cache
    for result, other in zip(plex.results, plex.networks, strict=True):
        reads[:, :volumes] += volume_reads(result, other, host)
        if result is not plex.results[which]:
            count[:, :volumes] += result.io_count
            disc[:, :volumes] += result.io_disc
    missed = np.minimum(in_units(disc, MISS_TICKS), reads)
    written = count - reads
    logged = np.where(mine.is_log, written, 0)
    use = CacheUse(
        volume=np.array(mine.volume),
        device=mine.device,
        reads=reads,
        read_hits=reads - missed,
        writes=written - logged,
        write_hits=written - logged,
        sequential_writes=logged,
        sequential_write_hits=logged,
        staged=missed,
        destaged=written,
    )
    return cache_groups(_subsystems(mine, volumes, each), use, host, interval)


def _subsystems(devices: Devices, volumes: int, each: int) -> list[Subsystem]:
    """As many volumes as a control unit has in each; one of the others."""
    logs = tuple(np.flatnonzero(devices.is_log).tolist())
    units = [tuple(range(n, min(n + each, volumes))) for n in range(0, volumes, each)]
    return [Subsystem(SSID + n, places) for n, places in enumerate((*units, logs))]
