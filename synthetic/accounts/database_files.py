"""Data sets of databases: which lie on the simulated volumes, and what each had of their I/O.

The simulation chooses a volume evenly for each I/O. So the data sets lie on the volumes as long as
they have I/O in the mix: a busy database is on many volumes, one that no transaction uses on none.
I/O to a database is that of the transactions that use it, evenly where they use several.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from imsperf.synthetic.accounts.hardware import Host
from imsperf.synthetic.accounts.integer_split import WHOLE, part_of
from imsperf.synthetic.accounts.program_run import program_reads
from imsperf.synthetic.arrays import F64, I64
from imsperf.synthetic.network.network import Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.type42 import ESDS, LINEAR, SEQUENTIAL

KINDS = {"OSAM": SEQUENTIAL, "VSAM": ESDS, "Db2": LINEAR}  # OSAM data sets are DSORG=PS


@dataclass(frozen=True)
class DatabaseFiles:
    """c data sets, in the order of their volumes; every volume has one at least.

    `database`: place in the columns of `uses`; `part`: share of that database's I/O.
    """

    name: tuple[str, ...]
    dd: tuple[str, ...]
    kind: I64
    volume: I64
    database: I64
    part: F64
    uses: tuple[F64, F64]  # reads and writes of a transaction of each class, (classes, databases)

    @classmethod
    def of(cls, host: Host, network: Network) -> DatabaseFiles:
        """Those of full-function databases or Db2 tables, else an area on each volume."""
        volumes, prefix = network.dasd.volumes, host.database_prefix or host.ims_id
        full = any(each.db_calls or each.esaf_calls for each in network.classes)
        if not full or not host.database_files:
            areas = host.areas or tuple(f"AREA{n:04d}" for n in range(volumes))
            areas = tuple(areas[n % len(areas)] for n in range(volumes))
            none, number = np.zeros(volumes, np.int64), np.arange(volumes)
            reads, writes = (network.of_classes(name)[:, None] for name in ("reads", "writes"))
            names = tuple(f"{prefix}.{area}" for area in areas)
            even, uses = np.full(volumes, 1 / volumes), (reads, writes)
            return cls(names, areas, none + ESDS, number, none, even, uses)
        places = {database: n for n, database in enumerate(host.databases)}
        of = np.array([places[file.database] for file in host.database_files])
        reads, writes = (_uses(host, network, name) for name in ("reads", "writes"))
        rate = network.of_classes("weight") @ (reads + writes)
        rate = rate / rate.sum() if rate.sum() else np.full(len(rate), 1 / len(rate))
        share = rate[of] / np.bincount(of)[of]
        file, volume, part = _laid(share, volumes)
        piece = _numbered(file)
        some = [host.database_files[n] for n in file.tolist()]
        return cls(
            tuple(one.named(prefix, int(n)) for one, n in zip(some, piece, strict=True)),
            tuple(f"{one.database[:3]}{n:05d}" for n, one in enumerate(some, 1)),
            np.array([KINDS[one.access] for one in some]),
            volume,
            of[file],
            part / rate[of[file]],
            (reads, writes),
        )

    def split(self, result: SimResult, network: Network, count: I64) -> tuple[I64, I64]:
        """I/Os of the volumes (n, v) by data set, and the reads among them: (n, c) each."""
        if network.sequence is not None:
            return count, program_reads(result, network, count)
        read, write = (result.completed @ use for use in self.uses)
        every = (read + write)[:, self.database] * self.part
        whole = np.maximum(every.sum(axis=1, keepdims=True), 1e-12)
        counts = self.share(count, np.rint(every * (WHOLE / whole)).astype(np.int64))
        share = read / np.maximum(read + write, 1e-9)
        return counts, np.rint(counts * share[:, self.database]).astype(np.int64)

    def share(self, values: I64, weight: I64) -> I64:
        """Whole parts (n, c) of what volumes have (n, v), by weights (n, c); all 0: the last."""
        first = np.searchsorted(self.volume, np.arange(values.shape[1]))
        last = np.append(first[1:], len(self.volume)) - 1
        edges = np.cumsum(weight, axis=1)
        edges = edges - (edges - weight)[:, first][:, self.volume]
        total = np.maximum(edges[:, last], 1)[:, self.volume]
        upto = part_of(values[:, self.volume], edges, total)
        upto[:, last] = values
        before = np.roll(upto, 1, axis=1)
        before[:, first] = 0
        parts: I64 = upto - before
        return parts


def volume_reads(result: SimResult, network: Network, host: Host) -> I64:
    """Database reads among the I/Os of each volume, (n, v)."""
    files = DatabaseFiles.of(host, network)
    _, reads = files.split(result, network, result.io_count)
    first = np.searchsorted(files.volume, np.arange(network.dasd.volumes))
    sums: I64 = np.add.reduceat(reads, first, axis=1)
    return sums


def _uses(host: Host, network: Network, name: str) -> F64:
    """Reads or writes of a transaction of each class by database."""
    known, uses = dict(host.databases_of), np.zeros((len(network.classes), len(host.databases)))
    places = {database: n for n, database in enumerate(host.databases)}
    for row, work_class in zip(uses, network.classes, strict=True):
        codes = (work_class.name, *(code for code, _ in work_class.chain))
        amounts: list[Any] = [getattr(program, name) for program in work_class.programs]
        for code, amount in zip(codes, amounts or [getattr(work_class, name)], strict=True):
            mine = known.get(code, host.databases)
            row[[places[database] for database in mine]] += amount / len(mine)
    return uses


def _laid(share: F64, volumes: int) -> tuple[I64, I64, F64]:
    """File, volume and share of all I/O of each data set: files of these shares along the volumes.

    Files alike that are as many as volumes or more lie whole on one each.
    """
    if len(share) >= volumes and np.ptp(share) < 1e-9:
        file = np.arange(len(share))
        volume = file * volumes // len(share)
        return file, volume, 1 / volumes / np.bincount(volume)[volume]
    ends = np.cumsum(share)
    cuts = np.unique(np.round([0.0, *ends, *np.arange(1, volumes + 1) / volumes], 12))
    middle, part = (cuts[:-1] + cuts[1:]) / 2, np.diff(cuts)
    file = np.minimum(np.searchsorted(ends, middle), len(share) - 1)
    volume = np.minimum((middle * volumes).astype(np.int64), volumes - 1)
    return file, volume, part


def _numbered(of: I64) -> I64:
    """1, 2, ... within each kind."""
    number = np.zeros(len(of), np.int64)
    for kind in np.unique(of):
        mine = of == kind
        number[mine] = np.arange(1, mine.sum() + 1)
    return number
