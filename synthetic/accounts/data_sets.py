"""Data sets on the simulated volumes, what each had of their I/O, and its records: 42.5, 42.6, 30.

Database volumes hold what database_files says, the first log volume the WADS, the second one all
OLDS: the writes before a switch are those of the data set that was full then, as the 42 of the log
have it. An OLDS is open while it is in use; IMS has all of them allocated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from imsperf.synthetic.accounts.database_files import DatabaseFiles
from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import shared
from imsperf.synthetic.accounts.inventory import Inventory
from imsperf.synthetic.accounts.io_accounts import BLOCK, Devices
from imsperf.synthetic.accounts.program_run import ProgramRun
from imsperf.synthetic.arrays import I64, Bools, Texts, Values
from imsperf.synthetic.log.olds import OLDS_NAMES, OldsUse, olds_use
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.address_space import DdUsage
from imsperf.synthetic.smf.io_means import IoUse
from imsperf.synthetic.smf.record_groups import Group, Interval
from imsperf.synthetic.smf.type42 import (
    LINEAR,
    SEQUENTIAL,
    DataSet,
    DataSetUse,
    Job,
    data_set_groups,
    storage_class_group,
)

CLASSES = ("SCIMSDB", "SCIMSLOG")  # storage classes


@dataclass(frozen=True)
class DataSets:
    """Those of the database volumes, the WADS, the OLDS: ticks and counts (n, sets), names."""

    ticks: dict[str, I64]
    reads: I64  # (n, sets)
    volume: Texts
    device: I64
    names: tuple[str, ...]
    dd: tuple[str, ...]
    block: I64
    kind: I64
    is_log: Bools
    zhpf: Bools
    zhyperwrite: Bools
    encrypted: Bools
    olds: OldsUse

    @classmethod
    def of(cls, result: SimResult, devices: Devices, host: Host, network: Network) -> DataSets:
        """The data sets of a run."""
        volumes, logger = network.dasd.volumes, network.logger
        files = DatabaseFiles.of(host, network)
        logs = ("DFSWADS0", *OLDS_NAMES)
        device = np.append(files.volume, volumes + np.minimum(np.arange(len(logs)), 1))
        of_kind = np.maximum(device - volumes + 1, 0)  # databases, WADS, OLDS
        olds = olds_use(result.olds_blocks, logger.olds_capacity)
        counts, reads = files.split(result, network, devices.ticks["count"][:, :volumes])

        def of(values: I64, own: I64, log: I64) -> I64:
            wads = values[:, volumes : volumes + 1]
            return np.hstack([files.share(values[:, :volumes], own), wads, log])

        ticks = {
            name: of(values, counts, shared(values[:, -1], olds.blocks))
            for name, values in devices.ticks.items()
        }
        wads = devices.ticks["count"][:, volumes : volumes + 1]
        return cls(
            ticks | {"count": np.hstack([counts, wads, olds.blocks])},
            np.hstack([reads, np.zeros((len(reads), len(logs)), np.int64)]),
            np.array(devices.volume)[device],
            devices.device[device],
            (*files.name, *(f"{host.ims_id}.{log}" for log in logs)),
            (*files.dd, *logs),
            np.array([BLOCK, logger.wads_ci_bytes, logger.block_bytes])[of_kind],
            np.append(files.kind, [LINEAR, *[SEQUENTIAL] * len(OLDS_NAMES)]),
            device >= volumes,
            np.array([True, *host.log_zhpf])[of_kind],
            np.array([False, *host.log_zhyperwrite])[of_kind],
            np.array(host.encrypted)[of_kind],
            olds,
        )


def dd_usage(sets: DataSets, inventory: Inventory) -> DdUsage:
    """DD statements of those who have the data sets."""
    owner = np.where(sets.is_log, inventory.owner, inventory.keeper).astype(np.int64)
    return DdUsage(
        owner,
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
    rest, rest_read = sets.ticks, read
    if program is not None:
        rest = {name: values - program.ticks[name] for name, values in sets.ticks.items()}
        rest_read = read - program.ticks["count"]
    owner, keeper = ((job, rest, rest_read, always) for job in (inventory.owner, inventory.keeper))
    records = _Records(sets, inventory, host, interval)
    olds = np.arange(len(sets.names)) >= len(sets.names) - len(OLDS_NAMES)
    if program is not None or inventory.keeper == inventory.owner:
        groups = records.of(owner, ~olds)
    else:
        groups = records.of(owner, sets.is_log & ~olds) + records.of(keeper, ~sets.is_log)
    groups += [
        group for volume in np.flatnonzero(olds) for group in records.of_olds(owner, int(volume))
    ]
    if program is not None:
        mine = program.place, program.ticks, program.ticks["count"], program.which
        groups += records.of(mine, ~sets.is_log)
    zhpf = sets.ticks["count"] * sets.zhpf
    of_class = {
        name: np.stack(
            [values[:, ~sets.is_log].sum(axis=1), values[:, sets.is_log].sum(axis=1)], axis=1
        )
        for name, values in (*sets.ticks.items(), ("reads", read), ("zhpf", zhpf))
    }
    classes = _io_use(of_class, of_class["reads"], of_class["zhpf"])
    return [*groups, storage_class_group(CLASSES, classes, host, interval)]


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
        both = here["count"] * self.sets.zhyperwrite[which]  # logs are only written
        use = DataSetUse(use=_io_use(here, read[at][:, which], zhpf), zhyperwrites=both, **more)
        some = [self._data_set(n) for n in which.tolist()]
        groups = data_set_groups(job, some, use, self.host, self.interval.taken(at))
        # all intervals in which any of them had I/O have the record
        return [replace(group, at=at[group.at] if group.at is not None else at) for group in groups]

    def of_olds(self, part: _Part, which: int) -> list[Group]:
        """One OLDS in a record of its own: it is closed alone."""
        slot, olds = which - len(self.sets.names), self.sets.olds
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
            storage_class=CLASSES[int(sets.is_log[n])],
            is_encrypted=bool(sets.encrypted[n]),
        )


def _io_use(ticks: dict[str, I64], reads: I64, zhpf: I64) -> IoUse:
    """`zhpf`: I/Os by zHPF, all reads among them."""
    return IoUse(
        io=ticks["count"],
        conn=ticks["conn"],
        pend=ticks["pend"],
        disc=ticks["disc"],
        device_busy=ticks["db"],
        cmr=ticks["cmr"],
        reads=reads,
        zhpf_reads=reads,
        zhpf_writes=zhpf - reads,
    )
