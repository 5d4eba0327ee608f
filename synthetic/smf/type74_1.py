"""SMF 74.1: device activity, of database volumes and those of the log data sets.

Database volumes come from the simulated I/Os; the volumes of the log data sets from the writes of
the simulated logger, whose response time hardware.py divides into PEND, DISC and CONN.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.layouts import smf74_1
from imsperf.synthetic.accounts.archive_jobs import ArchiveJobs
from imsperf.synthetic.accounts.database_files import DatabaseFiles
from imsperf.synthetic.accounts.further_volumes import LOGS, further_volumes, of_traces
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.accounts.library_accounts import library_ticks
from imsperf.synthetic.accounts.trace_accounts import NAMES as TRACE_DATA_SETS
from imsperf.synthetic.accounts.trace_accounts import trace_ticks
from imsperf.synthetic.arrays import I64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.measured import US_128
from imsperf.synthetic.smf.record_builder import LARGEST_RECORD, Sections
from imsperf.synthetic.smf.record_groups import Group, Interval, iodf_of, pieces, rmf_group
from imsperf.synthetic.units import TICKS_PER_US

WRITTEN_US = 60_000  # from interval end to the write


def device_groups(
    result: SimResult, host: Host, interval: Interval, network: Network
) -> list[Group]:
    """74.1 records of the DASD class: as many devices in one as fit."""
    columns, total = device_columns(result, host, interval, network)
    fixed = smf74_1.HEADER.length + smf74_1.PRODUCT.length + smf74_1.CONTROL.length
    here = pieces(total, LARGEST_RECORD - fixed, smf74_1.DEVICE.length)
    return [
        rmf_group(
            smf74_1.DEVICE_ACTIVITY,
            host,
            interval,
            [
                Sections(
                    smf74_1.CONTROL, {}, fixed=_device_control(host, total, number, len(here))
                ),
                _devices(columns, volume),
            ],
            WRITTEN_US + 10_000 * number,
        )
        for number, volume in enumerate(here)
    ]


def _devices(columns: dict[str, Any], here: slice) -> Sections:
    """Some of the devices."""
    changing = {k: v[:, here] for k, v in columns.items() if np.ndim(v) == 2}
    fixed = {k: v[here] if np.ndim(v) else v for k, v in columns.items() if np.ndim(v) < 2}
    return Sections(smf74_1.DEVICE, changing, here.stop - here.start, fixed=fixed)


def _device_control(host: Host, total: int, number: int, records: int) -> dict[str, Any]:
    more = number + 1 < records
    return {
        "smf74nxt": number + 2 if more else 0,
        "smf74tot": total,
        "smf74gen": total,
        "smf74sub": 0x20,
        "smf74dcf": 0x80,
        "smf74enf": 0xB0,  # extended measurement blocks, CMR and interrupt delay valid
        "smf74smf": 0x80 if more else 0,
        "smf74tsr": records,
        **iodf_of(host, "smf74"),
    }


def device_ticks(result: SimResult, host: Host, network: Network) -> dict[str, I64]:
    """Counts and ticks per interval and volume: databases, WADS, OLDS, then further_volumes."""
    names = ("count", "pend", "cmr", "db", "int", "disc", "conn", "iosq")
    ticks: dict[str, I64] = {name: getattr(result, f"io_{name}") for name in names}
    count = np.stack([result.wads_writes, result.olds_blocks], axis=1)
    time = np.stack([result.wads_ticks, result.olds_ticks], axis=1)
    mirror = np.array(host.log_mirror)  # a volume is disconnected while its mirror is written
    pend = np.rint(time * (1 - mirror) * host.log_pend).astype(np.int64)
    disc = np.rint(time * (mirror + (1 - mirror) * host.log_disc)).astype(np.int64)
    none = np.zeros_like(count)
    logs = {"count": count, "pend": pend, "disc": disc, "conn": time - pend - disc}
    for name, values in ArchiveJobs.of(result, network).ticks.items():
        logs[name][:, 1] += values.sum(axis=1)
    further = [library_ticks(result, network), trace_ticks(result, network, host)]
    return {
        name: np.hstack(
            [ticks[name], logs.get(name, none)]
            + [part.get(name, np.zeros_like(part["count"])) for part in further]
        )
        for name in names
    }


def device_columns(
    result: SimResult, host: Host, interval: Interval, network: Network
) -> tuple[dict[str, Any], int]:
    """Columns of all devices, of (n, devices) or (devices,) values, and the number of devices."""
    ticks = device_ticks(result, host, network)
    count, total = ticks["count"].shape
    field = {name: in_units(ticks[name], US_128) for name in ticks if name != "count"}
    columns: dict[str, Any] = _identity(host, network)
    samples = np.broadcast_to(interval.samples[:, None], (count, total))
    there = ArchiveJobs.of(result, network).there.sum(axis=1)  # one OLDS more is open
    archived = np.zeros((count, total), np.int64)
    archived[:, network.dasd.volumes + LOGS - 1] = np.rint(
        interval.samples * there / (interval.length_us * TICKS_PER_US)
    )
    files = DatabaseFiles.of(host, network)
    allocated = np.ones(total, np.int64)
    allocated[: network.dasd.volumes] = np.bincount(files.volume)
    allocated[of_traces(network)] = len(TRACE_DATA_SETS)  # both are open
    columns |= {
        "smf74cnf": 0x01,
        "smf74typ": host.device_type,
        "smf74nux": _exposures(ticks, interval),
        "smf74ssc": ticks["count"],
        "smf74mec": ticks["count"],
        "smf74cnn": field["conn"],
        "smf74pen": field["pend"],
        "smf74atv": field["conn"] + field["pend"] + field["disc"],
        "smf74dis": field["disc"],
        "smf74alc": samples,
        "smf74dvb": field["db"],
        "smf74clf": 0x80,
        "smf74nda": samples * allocated + archived,
        "smf74dev": host.device_model,
        "smf74cu": host.control_unit,
        "smf74cnx": 0x03,  # HyperPAV, FICON
        "smf74dts": 0x80,
        "smf74hpc": min(network.dasd.aliases, 255),
        "smf74psm": samples,
        "smf74cmr": field["cmr"],
        "smf74cap": host.cylinders,
        "smf74idt": field["int"],
        "smf74ios": in_units(ticks["iosq"], TICKS_PER_US).astype(np.float64),
        "smf74agc": 1,
        "smf74ags": 1,
    }
    return columns, total


def _exposures(ticks: dict[str, I64], interval: Interval) -> I64:
    """Base and aliases at work, summed over the samples.

    Requests at a volume are taken as Poisson: c at once on average hold c - 1 + e^-c aliases.
    """
    at_work = ticks["pend"] + ticks["disc"] + ticks["conn"]
    mean = at_work / (interval.length_us[:, None] * TICKS_PER_US)
    return np.rint(interval.samples[:, None] * (mean + np.exp(-mean))).astype(np.int64)


def _identity(host: Host, network: Network) -> dict[str, Any]:
    """Device number, LCU, volume, storage group and node of each device."""
    volumes, apart = network.dasd.volumes, further_volumes(host, network)
    number = np.arange(volumes + len(apart))
    log = number >= volumes
    within = np.where(log, number - volumes, number)
    device = np.where(log, host.log_device, host.device) + within
    lcu = np.where(log, host.log_device >> 8, host.device >> 8) + within // host.devices_per_lcu
    serials, groups = zip(*apart, strict=True)
    return {
        "smf74num": device,
        "smf74nm2": device,
        "smf74lcu": lcu,
        "smf74ser": np.array([*volume_names(host.volume, volumes), *serials]),
        "smf74sgn": np.array([*[host.storage_group] * volumes, *groups]),
        "smf74ndn": np.array([f"{host.node}{number:08X}" for number in device.tolist()]),
    }


def volume_names(prefix: str, count: int) -> list[str]:
    """Serials of database volumes: the prefix with 01 .. 99, A0 .. Z9, AA .. ZZ behind it."""
    digits, letters = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    ends = [a + b for first in (digits, letters) for a in first for b in digits][1:]
    ends += [a + b for a in letters for b in letters]
    if count > len(ends):
        return [f"{number:06d}" for number in range(1, count + 1)]
    return [prefix + end for end in ends[:count]]
