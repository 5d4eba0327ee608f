"""SMF records of a system that need more than its own counters: 74.4, 74.5, 88.

Volumes are shared by all systems of a run, so the cache of a storage subsystem (74.5) sees the I/Os
of all of them to the databases, in the records of each.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from imsperf.synthetic.accounts.integer_split import in_units
from imsperf.synthetic.accounts.io_accounts import Devices, reads_of
from imsperf.synthetic.accounts.program_run import program_reads
from imsperf.synthetic.accounts.sysplex_accounts import Sysplex, sysplex_groups
from imsperf.synthetic.smf.record_groups import TICK, Group, Interval
from imsperf.synthetic.smf.type74_5 import CacheUse, Subsystem, cache_groups

I64 = npt.NDArray[np.int64]

MISS_TICKS = 500 * TICK  # a read from a flash rank; assumed
SSID = 0x2100  # assumed


def further_groups(plex: Sysplex, which: int, interval: Interval) -> list[Group]:
    """74.4, 74.5 and 88 of one system of a run, as far as it has such things."""
    return sysplex_groups(plex, which, interval) + cache_records(plex, which, interval)


def cache_records(plex: Sysplex, which: int, interval: Interval) -> list[Group]:
    """74.5: databases as all systems use them, the log volumes of this one.

    Reads miss as often as the time their I/Os were disconnected allows; writes always hit.
    """
    host, network = plex.hosts[which], plex.networks[which]
    mine = Devices.of(plex.results[which], host, network)
    volumes, each = network.dasd.volumes, host.devices_per_lcu
    count, disc = mine.ticks["count"].copy(), mine.ticks["disc"].copy()
    reads = np.zeros_like(count)
    for result, other in zip(plex.results, plex.networks, strict=True):
        read = reads_of if other.sequence is None else program_reads
        reads[:, :volumes] += read(result, other, result.io_count)
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
    """As many volumes as a control unit has in each; those of the log in one of their own."""
    logs = tuple(np.flatnonzero(devices.is_log).tolist())
    units = [tuple(range(n, min(n + each, volumes))) for n in range(0, volumes, each)]
    return [Subsystem(SSID + n, places) for n, places in enumerate((*units, logs))]
