"""The SMF dump of a run: which records there are, in the order in which they were written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from imsperf.synthetic.accounts.archive_jobs import ArchiveJobs
from imsperf.synthetic.accounts.compile_job import compile_groups
from imsperf.synthetic.accounts.cpu_accounts import accounts_of, policy_of
from imsperf.synthetic.accounts.data_sets import (
    OLDS,
    DataSets,
    data_set_records,
    dd_usage,
    library_records,
)
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.accounts.io_accounts import (
    Devices,
    channel_record,
    paths_of,
    queue_records,
)
from imsperf.synthetic.accounts.program_run import lives, program_run
from imsperf.synthetic.accounts.space_queues import space_queues
from imsperf.synthetic.accounts.storage_accounts import storage_of
from imsperf.synthetic.accounts.sysplex_accounts import Sysplex, sysplex_groups
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.simulation.simulate import interval_ends
from imsperf.synthetic.smf.record_groups import (
    Group,
    Interval,
    batches,
    chunk_edges,
    dump_mark,
)
from imsperf.synthetic.smf.type30 import interval_groups
from imsperf.synthetic.smf.type70 import cpu_group, crypto_groups
from imsperf.synthetic.smf.type71 import paging_record
from imsperf.synthetic.smf.type72 import class_groups
from imsperf.synthetic.smf.type74_1 import device_groups
from imsperf.synthetic.smf.type74_2 import xcf_records
from imsperf.synthetic.smf.type74_5 import cache_records
from imsperf.synthetic.smf.type78_2 import storage_group
from imsperf.synthetic.units import TICKS_PER_US
from imsperf.synthetic.writer import Batch

DUMP_S = 60  # the dump ran that long after the last interval ended
ALL = slice(None)  # intervals


def intervals_of(result: SimResult, host: Host, network: Network) -> Interval:
    """Start, end, length and samples of the RMF intervals of a simulation."""
    us = interval_ends(result.seconds, result.every_s) // TICKS_PER_US
    edges = host.start_utc + us.astype("timedelta64[us]")
    return Interval(
        start=edges[:-1],
        end=edges[1:],
        length_us=np.diff(us),
        samples=result.samples,
        cycle_ms=int(network.cycle_us // 1000),
    )


def no_more(interval: Interval) -> list[Group]:
    """Nothing beside the records of every system."""
    return []


def dump(
    result: SimResult,
    host: Host,
    network: Network,
    inventory: Inventory,
    storage: Mapping[str, float],
    only: slice = ALL,
    more: Callable[[Interval], list[Group]] = no_more,
) -> Iterator[list[Batch]]:
    """The SMF dump in chunks: 2, the records of the intervals by the time of their write, 3.

    `storage`: what the scenario says of virtual storage, by metric. `only`: of these intervals.
    `more`: further groups of records.
    """
    interval = intervals_of(result, host, network)
    policy = policy_of(host)
    devices = Devices.of(result, host, network)
    sets = DataSets.of(result, devices, host, network)
    jobs = ArchiveJobs.of(result, network)
    ours, inventory = inventory, jobs.known(inventory, host)
    program = program_run(result, network, inventory, host, sets.ticks, sets.reads)
    accounts = accounts_of(result, network, inventory, host, interval, program, jobs)
    paths = paths_of(result, devices, host, network)
    dds = dd_usage(sets, inventory)
    dds = dds if program is None else program.dds(dds)
    life = lives(result, host, ours, program)
    if len(jobs.begin):
        dds = jobs.dds(dds, inventory, int(sets.device[np.argmax(sets.on == OLDS)]))
        life = jobs.life(life, host)
    groups = interval_groups(inventory.spaces, accounts.usage, host, interval, policy, dds, life)
    groups += data_set_records(sets, inventory, host, interval, program)
    groups += compile_groups(host, policy)
    groups += library_records(sets, result, network, inventory, host, interval)
    if program is not None:
        groups += program.step_end(inventory.spaces, accounts.usage, dds, host, policy)
    groups += jobs.step_end(inventory.spaces, accounts.usage, dds, host, policy)
    resident = np.asarray(accounts.usage.resident)
    groups.append(paging_record(resident, storage, host, interval))
    batch = inventory.archives if program is None else np.array([program.place])
    asids = space_queues(result, resident, batch, interval)
    total = devices.ticks["count"].sum(axis=1)
    groups.append(cpu_group(result, host, interval, asids, total))
    groups += class_groups(inventory.classes, accounts.use, host, interval, policy)
    groups.append(channel_record(paths, devices, result, network, host, interval))
    groups += device_groups(result, host, interval, network)
    groups += xcf_records(result, ours, host, interval)
    groups += crypto_groups(result.completed, network, host, interval)
    virtual = storage_of(storage, ours, interval)
    groups += [] if virtual is None else [storage_group(virtual, host, interval)]
    groups += queue_records(paths, devices, result, host, interval) + more(interval)
    return dump_of(groups, host, interval, only)


def dump_of(
    groups: Sequence[Group], host: Host, interval: Interval, only: slice = ALL
) -> Iterator[list[Batch]]:
    """A dump header, the records of the groups in the order they were written, a trailer."""
    if only != ALL:
        groups = [group.only(only, len(interval)) for group in groups]
    last = interval.end[only][-1] + np.timedelta64(DUMP_S, "s")
    first = np.array([0])
    yield [Batch(dump_mark(2, host, last), first)]
    size = sum(len(group) * group.plan.length for group in groups)
    for begin, end in pairwise(chunk_edges(interval, only, size)):
        yield batches(groups, begin, end)
    yield [Batch(dump_mark(3, host, last + np.timedelta64(1, "s")), first)]


def further_groups(plex: Sysplex, which: int, interval: Interval) -> list[Group]:
    """74.4, 74.5 and 88 of one system of a run, as far as it has such things."""
    return sysplex_groups(plex, which, interval) + cache_records(plex, which, interval)
