"""Data sets on the simulated volumes, what each had of their I/O, and its records: 42, 30.

Database volumes hold what database_files says, the first log volume the WADS, the second one all
OLDS: the writes before a switch are those of the data set that was full then, as the 42 of the log
have it. An OLDS is open while it is in use; IMS has all of them allocated. Program libraries share
the last volume; their 42.6 comes with 42.1, when the buffer manager of PDSEs (BMFTIME) says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from imsperf.synthetic.accounts.archive_jobs import ArchiveJobs
from imsperf.synthetic.accounts.database_files import DatabaseFiles
from imsperf.synthetic.accounts.further_volumes import LOGS, is_library, of_traces
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import shared
from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.accounts.io_accounts import BLOCK, Devices
from imsperf.synthetic.accounts.library_accounts import (
    bmf_intervals,
    buffer_use,
    library_ios,
    reads_of_libraries,
    resampled,
)
from imsperf.synthetic.accounts.program_run import ProgramRun
from imsperf.synthetic.accounts.trace_accounts import BLOCK as TRACE_BLOCK
from imsperf.synthetic.accounts.trace_accounts import NAMES as TRACE_NAMES
from imsperf.synthetic.accounts.trace_accounts import trace_writes
from imsperf.synthetic.arrays import I64, Bools, Texts, Values
from imsperf.synthetic.log.olds import OLDS_NAMES, OldsUse, olds_use
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.address_space import DdUsage
from imsperf.synthetic.smf.io_means import IoUse
from imsperf.synthetic.smf.record_groups import Group, Interval
from imsperf.synthetic.smf.type42 import (
    LINEAR,
    PDS,
    PDSE,
    SEQUENTIAL,
    DataSet,
    DataSetUse,
    Job,
    buffer_group,
    data_set_groups,
    storage_class_group,
)

DATABASE, WADS, OLDS, LIBRARY, TRACE = range(5)
CLASSES = ("SCIMSDB", "SCIMSLOG")  # storage classes of databases and logs


@dataclass(frozen=True)
class DataSets:
    """Those of the database volumes, the WADS, the OLDS, program libraries: ticks and counts
    (n, sets), names. `on`: DATABASE, WADS, OLDS, LIBRARY or TRACE."""

    ticks: dict[str, I64]
    reads: I64  # (n, sets)
    volume: Texts
    device: I64
    names: tuple[str, ...]
    dd: tuple[str, ...]
    block: I64
    kind: I64
    storage_class: tuple[str, ...]
    on: I64
    zhpf: Bools
    zhyperwrite: Bools
    encrypted: Bools
    olds: OldsUse
    archives: ArchiveJobs
    archived: dict[str, I64]  # of `ticks`, what they had

    @classmethod
    def of(cls, result: SimResult, devices: Devices, host: Host, network: Network) -> DataSets:
        """The data sets of a run."""
        volumes, logger = network.dasd.volumes, network.logger
        files = DatabaseFiles.of(host, network)
        logs, libraries = ("DFSWADS0", *OLDS_NAMES), reads_of_libraries(network)
        traced = trace_writes(result, network, host)
        traces, on_trace = TRACE_NAMES[: traced.shape[1]], of_traces(network)
        many = len(files.name), 1, len(OLDS_NAMES), len(libraries), len(traces)
        on = np.repeat((DATABASE, WADS, OLDS, LIBRARY, TRACE), many)
        place = np.array([volumes, volumes + 1, volumes + LOGS, on_trace.start])
        device = np.append(files.volume, place[on[on > DATABASE] - 1])
        olds = olds_use(result.olds_blocks, logger.olds_capacity)
        counts, reads = files.split(result, network, devices.ticks["count"][:, :volumes])
        fetched = library_ios(result, network)
        jobs = ArchiveJobs.of(result, network)
        read_again = jobs.of_olds

        def of(values: I64, archive: I64 | int) -> I64:
            """What the data sets have of what the volumes have."""
            values = values.copy()
            values[:, volumes + 1] -= np.sum(archive, axis=1) if np.ndim(archive) else 0
            library = values[:, is_library(network)].sum(axis=1)
            parts = [
                files.share(values[:, :volumes], counts),
                values[:, volumes : volumes + 1],
                shared(values[:, volumes + 1], olds.blocks) + archive,
                shared(library, fetched) if libraries else fetched,
                shared(values[:, on_trace].sum(axis=1), traced) if traces else traced,
            ]
            return np.hstack(parts)

        wads = devices.ticks["count"][:, volumes : volumes + 1]
        none = np.zeros((len(reads), len(logs)), np.int64)
        none[:, 1:] = read_again["count"]
        archived = {name: np.zeros((len(reads), len(on)), np.int64) for name in devices.ticks}
        for name, values in read_again.items():
            archived[name][:, on == OLDS] = values
        return cls(
            {name: of(values, read_again.get(name, 0)) for name, values in devices.ticks.items()}
            | {
                "count": np.hstack(
                    [counts, wads, olds.blocks + read_again["count"], fetched, traced]
                )
            },
            np.hstack([reads, none, fetched, np.zeros_like(traced)]),
            np.array(devices.volume)[device],
            devices.device[device],
            (
                *files.name,
                *(f"{host.ims_id}.{log}" for log in logs),
                *(read.data_set for read in libraries),
                *(f"{host.ims_id}.{trace}" for trace in traces),
            ),
            (*files.dd, *logs, *(f"SYS{n + 1:05d}" for n in range(len(libraries))), *traces),
            np.array([BLOCK, logger.wads_ci_bytes, logger.block_bytes, BLOCK, TRACE_BLOCK])[on],
            np.array(
                [*files.kind, LINEAR, *[SEQUENTIAL] * len(OLDS_NAMES)]
                + [PDSE if read.is_pdse else PDS for read in libraries]
                + [SEQUENTIAL] * len(traces)
            ),
            (
                *(CLASSES[int(place > DATABASE)] for place in on[on < LIBRARY].tolist()),
                *(read.storage_class for read in libraries),
                *(CLASSES[1] for _ in traces),
            ),
            on,
            np.array([True, *host.log_zhpf, True, True])[on],
            np.array([False, *host.log_zhyperwrite, False, False])[on],
            np.array([*host.encrypted, False, False])[on],
            olds,
            jobs,
            archived,
        )

    @property
    def is_database(self) -> Bools:
        """On the database volumes."""
        on: Bools = self.on == DATABASE
        return on


def dd_usage(sets: DataSets, inventory: Inventory) -> DdUsage:
    """DD statements of those who have the data sets."""
    owner, keeper, librarian = inventory.owner, inventory.keeper, inventory.librarian
    spaces = np.array([keeper, owner, owner, librarian, owner], np.int64)
    return DdUsage(
        spaces[sets.on],
        np.array(sets.dd),
        sets.device,
        sets.block,
        sets.ticks["count"],
        sets.ticks["conn"],
    )


def data_set_records(
    sets: DataSets,
    inventory: Inventory,
    host: Host,
    interval: Interval,
    program: ProgramRun | None = None,
) -> list[Group]:
    """42.6 of whose data sets they are, and of those a batch program read; 42.5 of classes."""
    read = sets.reads
    always = np.arange(len(interval))
    rest = {name: values - sets.archived[name] for name, values in sets.ticks.items()}
    rest_read = read - sets.archived["count"]
    if program is not None:
        rest = {name: values - program.ticks[name] for name, values in sets.ticks.items()}
        rest_read = read - program.ticks["count"]
    owner, keeper = ((job, rest, rest_read, always) for job in (inventory.owner, inventory.keeper))
    records = _Records(sets, inventory, host, interval)
    if program is not None or inventory.keeper == inventory.owner:
        groups = records.of(owner, sets.on < OLDS)
    else:
        groups = records.of(owner, sets.on == WADS) + records.of(keeper, sets.is_database)
    groups += [
        group
        for volume in np.flatnonzero(sets.on == OLDS)
        for group in records.of_olds(owner, int(volume))
    ]
    if len(inventory.archives):
        part = int(inventory.archives[0]), sets.archived, sets.archived["count"], always
        opened, closed = sets.archives.opened(), sets.archives.closed()
        for n, which in enumerate(np.flatnonzero(sets.on == OLDS)):
            mine = np.arange(len(sets.on)) == which
            groups += records.of(part, mine, opened=opened[:, [n]], closed=closed[:, n])
    if (sets.on == TRACE).any():
        groups += records.of(owner, sets.on == TRACE)
    if program is not None:
        mine = program.place, program.ticks, program.ticks["count"], program.which
        groups += records.of(mine, sets.is_database)
    zhpf = sets.ticks["count"] * sets.zhpf
    names = tuple(name for name in dict.fromkeys(sets.storage_class) if name)
    of_names = [np.array(sets.storage_class) == name for name in names]
    of_class = {
        name: np.stack([values[:, mine].sum(axis=1) for mine in of_names], axis=1)
        for name, values in (
            *sets.ticks.items(),
            ("reads", read),
            ("zhpf", zhpf),
            ("zhpf_reads", read * sets.zhpf),
        )
    }
    classes = _io_use(of_class, of_class["reads"], of_class["zhpf"], of_class["zhpf_reads"])
    return [*groups, storage_class_group(names, classes, host, interval)]


def library_records(
    sets: DataSets,
    result: SimResult,
    network: Network,
    inventory: Inventory,
    host: Host,
    interval: Interval,
) -> list[Group]:
    """42.1 at each BMFTIME, and 42.6 of libraries that had I/O; that at the end of the run too."""
    libraries = network.libraries
    if libraries is None:
        return []
    ours, full, at = bmf_intervals(interval, libraries.bmf_s)
    ticks = {name: resampled(values, interval, ours) for name, values in sets.ticks.items()}
    part = inventory.librarian, ticks, ticks["count"], np.arange(len(ours))
    groups = _Records(sets, inventory, host, ours).of(part, sets.on == LIBRARY)
    groups = [replace(group, at=at if group.at is None else at[group.at]) for group in groups]
    if full.any() and libraries.hsp_mb + sum(read.pages for read in libraries.reads) > 0:
        schedules = resampled(result.schedules, interval, ours)[full]
        classes, use = buffer_use(schedules, libraries)
        groups.append(buffer_group(classes, use, host, ours.taken(full), at[full]))
    return groups


_Part = tuple[int, dict[str, I64], I64, I64]  # a space's I/O: place, ticks, reads, intervals


@dataclass(frozen=True)
class _Records:
    """42.6 of some data sets in some intervals."""

    sets: DataSets
    inventory: Inventory
    host: Host
    interval: Interval

    def of(self, part: _Part, mine: Values, **more: I64) -> list[Group]:
        """Those of a space. `more`: whether they were opened, closed, in each of the intervals."""
        place, ticks, read, at = part
        space, which = self.inventory.spaces[place], np.flatnonzero(mine)
        job = Job(space.job, space.service_class, space.workload)
        here = {name: values[at][:, which] for name, values in ticks.items()}
        zhpf = here["count"] * self.sets.zhpf[which]
        both = (here["count"] - read[at][:, which]) * self.sets.zhyperwrite[which]
        reads = read[at][:, which]
        use = DataSetUse(
            use=_io_use(here, reads, zhpf, reads * self.sets.zhpf[which]), zhyperwrites=both, **more
        )
        some = [self._data_set(n) for n in which.tolist()]
        groups = data_set_groups(job, some, use, self.host, self.interval.taken(at))
        # all intervals in which any of them had I/O have the record
        return [replace(group, at=at[group.at] if group.at is not None else at) for group in groups]

    def of_olds(self, part: _Part, which: int) -> list[Group]:
        """One OLDS in a record of its own: it is closed alone."""
        slot, olds = which - int(np.argmax(self.sets.on == OLDS)), self.sets.olds
        mine = np.arange(len(self.sets.names)) == which
        return self.of(part, mine, opened=olds.opened[:, [slot]], closed=olds.closed[:, slot])

    def _data_set(self, n: int) -> DataSet:
        sets = self.sets
        return DataSet(
            sets.names[n],
            str(sets.volume[n]),
            int(sets.device[n]),
            kind=int(sets.kind[n]),
            block_bytes=int(sets.block[n]),
            storage_class=sets.storage_class[n],
            is_encrypted=bool(sets.encrypted[n]),
        )


def _io_use(ticks: dict[str, I64], reads: I64, zhpf: I64, zhpf_reads: I64) -> IoUse:
    """`zhpf`: I/Os by zHPF, reads by it among them."""
    return IoUse(
        io=ticks["count"],
        conn=ticks["conn"],
        pend=ticks["pend"],
        disc=ticks["disc"],
        device_busy=ticks["db"],
        cmr=ticks["cmr"],
        reads=reads,
        zhpf_reads=zhpf_reads,
        zhpf_writes=zhpf - zhpf_reads,
    )
