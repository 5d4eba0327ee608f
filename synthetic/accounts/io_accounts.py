"""Simulated I/O as volumes, channel paths, control units and messages saw it.

Reads and writes are told apart by the mix of the transactions that ended, as the simulation counts
them together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from imsperf.synthetic.accounts.further_volumes import further_volumes
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import shared
from imsperf.synthetic.accounts.library_accounts import read_bytes
from imsperf.synthetic.accounts.trace_accounts import trace_bytes
from imsperf.synthetic.arrays import I64, Bools
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.record_groups import Group, Interval
from imsperf.synthetic.smf.type73 import Channel, ChannelUse, channel_group
from imsperf.synthetic.smf.type74_1 import device_ticks, volume_names
from imsperf.synthetic.smf.type78_3 import ControlUnit, QueueUse, queue_groups
from imsperf.synthetic.units import TICKS_PER_US

DATABASE_PATHS, LOG_PATHS = 0x50, (0x70, 0x71)  # channel path ids
BLOCK = 4096  # bytes of a database I/O
# FICON Express8: 52,000 zHPF operations a second keep a port busy, as IBM says of the card
OPERATION_TICKS = 1_000_000 * TICKS_PER_US // 52_000


@dataclass(frozen=True)
class Devices:
    """The database volumes, then those of `further_volumes`.

    Ticks and counts (n, devices), serials, numbers. `is_log`: on the control unit of the log.
    """

    ticks: dict[str, I64]
    volume: tuple[str, ...]
    device: I64
    is_log: Bools

    @classmethod
    def of(cls, result: SimResult, host: Host, network: Network) -> Devices:
        """The devices of a run."""
        volumes = network.dasd.volumes
        ticks = device_ticks(result, host, network)
        number = np.arange(ticks["count"].shape[1])
        is_log = number >= volumes
        apart = (serial for serial, _ in further_volumes(host, network))
        return cls(
            ticks,
            (*volume_names(host.volume, volumes), *apart),
            np.where(is_log, host.log_device + number - volumes, host.device + number),
            is_log,
        )


def reads_of(result: SimResult, network: Network, count: I64) -> I64:
    """Database reads among I/Os (n, volumes)."""
    per_class = [network.of_classes(name) for name in ("reads", "writes")]
    mix = result.completed @ np.stack(per_class, axis=1)
    share = mix[:, 0] / np.maximum(mix.sum(axis=1), 1e-9)
    reads: I64 = np.rint(count * share[:, None]).astype(np.int64)
    return reads


@dataclass(frozen=True)
class Paths:
    """I/Os of each control unit on each of its paths, (n, l, p): databases, then the log's."""

    units: tuple[ControlUnit, ...]
    of_unit: I64  # control unit of each device
    requests: tuple[I64, ...]  # of each unit, (n, its paths)
    cmr: tuple[I64, ...]  # ticks


def paths_of(result: SimResult, devices: Devices, host: Host, network: Network) -> Paths:
    """Database control units share the channel paths as the simulation took them."""
    volumes, each = network.dasd.volumes, host.devices_per_lcu
    databases = -(-volumes // each)
    base, log = host.device >> 8, host.log_device >> 8
    ids = tuple(range(DATABASE_PATHS, DATABASE_PATHS + network.dasd.paths))
    units = [
        ControlUnit(base + n, host.device + n * each, ids, network.dasd.aliases > 0)
        for n in range(databases)
    ]
    units.append(ControlUnit(log, host.log_device, LOG_PATHS, aliases=False))
    number = np.arange(len(devices.volume))
    of_unit = np.where(devices.is_log, databases, number // each)
    requests, cmr = list[I64](), list[I64]()
    for n, unit in enumerate(units):
        mine = of_unit == n
        weight = result.path_count if n < databases else np.ones((1, len(unit.paths)), np.int64)
        for totals, name in ((requests, "count"), (cmr, "cmr")):
            totals.append(shared(devices.ticks[name][:, mine].sum(axis=1), weight))
    return Paths(tuple(units), of_unit, tuple(requests), tuple(cmr))


def queue_records(
    paths: Paths, devices: Devices, result: SimResult, host: Host, interval: Interval
) -> list[Group]:
    """78.3. How busy I/O processors are is not simulated: those counts are 0.

    A request finds the queue of its I/O processor empty and counts itself: the length is 1.
    """

    def of_units(values: I64) -> I64:
        per_unit = [values[:, paths.of_unit == n].sum(axis=1) for n in range(len(paths.units))]
        return np.stack(per_unit, axis=1)

    waited = np.zeros_like(devices.ticks["count"])
    waited[:, : result.io_iosq_count.shape[1]] = result.io_iosq_count
    count = of_units(devices.ticks["count"])
    started = shared(count.sum(axis=1), np.ones(host.io_processors, dtype=np.int64))
    use = QueueUse(
        conn=of_units(devices.ticks["conn"]),
        disc=of_units(devices.ticks["disc"]),
        alias_requests=count,
        no_alias=of_units(waited),
        path_requests=np.hstack(paths.requests),
        path_cmr=np.hstack(paths.cmr),
        iop_busy=np.zeros_like(started),
        iop_started=started,
        iop_interrupts=started,
        iop_queued=started,
        iop_queue_lengths=started,
    )
    return queue_groups(paths.units, use, host, interval)


def channel_record(
    paths: Paths,
    devices: Devices,
    result: SimResult,
    network: Network,
    host: Host,
    interval: Interval,
) -> Group:
    """73: operations of the paths, zHPF or not, and the bytes they moved. Nobody else uses them."""
    databases = sum(paths.requests[:-1], start=np.zeros_like(paths.requests[0]))
    operations = np.hstack([databases, paths.requests[-1]])
    read = reads_of(result, network, databases)
    apart = devices.ticks["count"][:, devices.is_log]
    further = [True] * (apart.shape[1] - len(host.log_zhpf))
    zhpf_logs = apart @ np.array([*host.log_zhpf, *further], np.int64)
    equal = np.ones(len(LOG_PATHS), dtype=np.int64)
    zhpf = np.hstack([databases, shared(zhpf_logs, equal)])
    data = network.logger.block_bytes * result.olds_blocks
    data = data + network.logger.wads_ci_bytes * result.wads_cis
    data = data + trace_bytes(result, network, host)
    written = np.hstack([(databases - read) * BLOCK, shared(data, equal)])
    from_logs = read_bytes(result, network) + network.logger.block_bytes * result.archive_blocks
    moved = np.hstack([read * BLOCK, shared(from_logs, equal)])
    ids = [*paths.units[0].paths, *LOG_PATHS]
    busy = operations * OPERATION_TICKS
    use = ChannelUse(
        busy=busy,
        own_busy=busy,
        read=moved,
        own_read=moved,
        written=written,
        own_written=written,
        operations=operations - zhpf,
        active=_active(operations - zhpf, devices, interval),
        zhpf_operations=zhpf,
        zhpf_active=_active(zhpf, devices, interval),
    )
    return channel_group([_channel(id_) for id_ in ids], use, host, interval)


def _channel(id: int) -> Channel:
    """Work units fine enough for the shortest interval; no other partition has the path."""
    return Channel(id, work_units_per_s=100_000, shared=False)


def _active(operations: I64, devices: Devices, interval: Interval) -> I64:
    """Operations active when each began, summed: those under way on average, and itself."""
    total = np.maximum(operations.sum(axis=1, keepdims=True), 1)
    conn = devices.ticks["conn"].sum(axis=1, keepdims=True)
    ticks = (interval.length_us * TICKS_PER_US)[:, None]
    others = np.rint(operations * (operations / total) * (conn / ticks)).astype(np.int64)
    active: I64 = operations + others
    return active
