"""Program libraries on their volume: I/O of intervals, and what the buffer manager of PDSEs counts.

A schedule reads what the network says; so many schedules there were. 42.1 and the 42.6 of libraries
come at intervals of their own (BMFTIME): counts between two ends of RMF intervals are spread evenly
where the two kinds of intervals do not end together.
"""

from __future__ import annotations

import numpy as np

from imsperf.synthetic.accounts.integer_split import shared
from imsperf.synthetic.arrays import I64, Bools, Values
from imsperf.synthetic.network.network import Libraries, LibraryReads, Network
from imsperf.synthetic.simulation.result import SimResult
from imsperf.synthetic.smf.record_groups import Interval
from imsperf.synthetic.smf.type42 import BufferUse
from imsperf.synthetic.units import TICKS_PER_US

FRAME_KB = 4


def counted(schedules: I64, each: Values) -> I64:
    """What `schedules` (n,) have at so many `each` (k,): whole, of running totals; (n, k)."""
    total = np.floor(np.cumsum(schedules)[:, None] * each).astype(np.int64)
    return np.diff(total, axis=0, prepend=0)


def reads_of_libraries(network: Network) -> tuple[LibraryReads, ...]:
    """The libraries that schedules read from."""
    return network.libraries.reads if network.libraries else ()


def library_ios(result: SimResult, network: Network) -> I64:
    """I/Os to each library, (n, libraries)."""
    each = np.array([read.ios for read in reads_of_libraries(network)])
    return counted(result.schedules, each)


def library_ticks(result: SimResult, network: Network) -> dict[str, I64]:
    """The library volume, (n, 1) or (n, 0) without one: PEND, DISC, CONN as databases have them."""
    if network.libraries is None:
        return dict.fromkeys(("count",), np.zeros((result.intervals, 0), np.int64))
    count = library_ios(result, network).sum(axis=1)
    dasd = network.dasd
    parts = np.rint(np.array([dasd.pend_us, dasd.disc_us, dasd.conn_us]) * 1000).astype(np.int64)
    time = count * round(network.libraries.io_us * TICKS_PER_US)
    pend, disc, conn = shared(time, parts).T
    columns = {"count": count, "pend": pend, "disc": disc, "conn": conn}
    return {name: values[:, None] for name, values in columns.items()}


def read_bytes(result: SimResult, network: Network) -> I64:
    """Bytes read from libraries, (n,)."""
    each = np.array([read.read_kb * 1024 for read in reads_of_libraries(network)])
    read: I64 = counted(result.schedules, each).sum(axis=1)
    return read


# --- the buffer manager ---------------------------------------------------------------------------


def bmf_intervals(interval: Interval, every_s: int) -> tuple[Interval, Bools, I64]:
    """From the start of the run on, which are whole, and the RMF interval in which each ends."""
    start, length = interval.start[0], int(interval.length_us.sum())
    step = every_s * 1_000_000
    edges = np.unique(np.append(np.arange(0, length + 1, step), length))
    ends = np.cumsum(interval.length_us)
    at = np.minimum(np.searchsorted(ends, edges[1:]), len(ends) - 1)
    utc = start + edges.astype("timedelta64[us]")
    us = np.diff(edges)
    return Interval(utc[:-1], utc[1:], us, np.zeros_like(us), interval.cycle_ms), us == step, at


def resampled(values: I64, interval: Interval, into: Interval) -> I64:
    """Counts (n, ...) of the intervals as those of others over the same time, whole."""
    edges = np.append(0, np.cumsum(into.length_us))
    known = np.append(0, np.cumsum(interval.length_us))
    flat = values.reshape(len(values), -1)
    total = np.cumsum(flat, axis=0, dtype=np.int64)
    columns = [np.rint(np.interp(edges, known, np.append(0, one))) for one in total.T]
    parts = np.diff(np.array(columns, np.int64).reshape(flat.shape[1], len(edges)), axis=1).T
    return np.ascontiguousarray(parts).reshape(len(into), *values.shape[1:])


def buffer_use(schedules: I64, libraries: Libraries) -> tuple[tuple[str, ...], BufferUse]:
    """Storage classes, and their pages in the intervals of these schedules; what SMS does not
    manage comes last. The hiperspace holds all it has room for from the start.
    """
    pdse = [read for read in libraries.reads if read.is_pdse]
    classes = tuple(dict.fromkeys(read.storage_class for read in pdse if read.storage_class))
    where = [classes.index(r.storage_class) if r.storage_class else len(classes) for r in pdse]

    def pages(name: str) -> I64:
        values = np.zeros((len(schedules), len(classes) + 1), np.int64)
        mine = counted(schedules, np.array([getattr(read, name) for read in pdse]))
        for column, place in enumerate(where):
            values[:, place] += mine[:, column]
        return values

    directory = pages("directory_pages")
    buffers = libraries.hsp_mb * 1024 // FRAME_KB
    used = min(libraries.held_kb // FRAME_KB, buffers) if any(r.found for r in pdse) else 0
    use = BufferUse(
        pages=pages("pages"),
        found=pages("found"),
        directory=directory,
        directory_found=directory,
        buffers=buffers,
        in_use=np.full(len(schedules), used, np.int64),
        lru_s=libraries.lru_s,
        lru_cycles=libraries.lru_cycles,
    )
    return classes, use
