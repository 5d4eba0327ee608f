"""What a run has already: the same file, or the same records in another one.

From the same file, an overlap, another form of it. Records are told apart by their 128-bit hashes,
without RDW and segments. After a load a run holds each record as often as the file that has it most
often; equal records inside one file stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from imsperf.parsers.read import Loaded
from imsperf.parsers.rows import hash_batch
from imsperf.parsers.selection import Selection

if TYPE_CHECKING:
    from imsperf.database.store import Store
    from imsperf.parsers.kernels.loads import U8


def loaded_before(store: Store, loaded: Loaded, run: str, selection: Selection) -> str | None:
    """Where the same bytes were loaded from in this run, with the same or no selection.

    A whole load is told by its SHA-256, made only where a file of equal size and sample is there;
    a selective one by size and sample alone.
    """
    same = (
        "SELECT path FROM load_file WHERE run = ? AND bytes = ? AND sample = ? "
        "AND (selection IS NULL OR selection = ?)"
    )
    known = [run, loaded.bytes, loaded.sample, str(selection)]
    earlier: str | None = store.scalar(same, known)
    if earlier is None or selection:
        return earlier
    earlier = store.scalar(f"{same} AND sha256 = ?", [*known, loaded.sha256])
    return earlier


_SAME_KIND = "FROM load_file WHERE run = ? AND kind = ? AND kept > 0"
_REPEATED = """
    SELECT n.record_no
    FROM (
        SELECT record_no, hash_high, hash_low,
               row_number() OVER (PARTITION BY hash_high, hash_low ORDER BY record_no) AS nth
        FROM new_record
    ) AS n
    JOIN (
        SELECT r.hash_high, r.hash_low, count(*) AS times
        FROM load_record AS r JOIN load_file AS f USING (file_id)
        WHERE f.run = ? AND f.kind = ?
        GROUP BY ALL
    ) AS there USING (hash_high, hash_low)
    WHERE n.nth <= there.times
"""


class NoHashesError(Exception):
    """An overlap is possible, and there are no hashes of the records before."""


def repeated(
    store: Store, run: str, loaded: Loaded, survey: Loaded | None = None, has_hashes: bool = True
) -> U8 | None:
    """A bit for each record of the file that the run has; None where it can have none of them.

    `survey` is the same file with its headers read: its times say whether an overlap is possible.
    Raises NoHashesError where it is, and the run `has_hashes` of no other file.
    """
    if not store.scalar(f"SELECT count(*) {_SAME_KIND}", [run, loaded.kind]):
        return None
    survey = survey or loaded.survey()
    overlaps = f"SELECT count(*) {_SAME_KIND} AND first <= ? AND last >= ?"
    span = [run, loaded.kind, survey.last, survey.first]
    if not survey.untimed and not store.scalar(overlaps, span):
        return None
    if not has_hashes:
        raise NoHashesError
    store.see_records()
    with _new_records(store, loaded):
        bits = np.zeros(survey.records // 8 + 1, np.uint8)
        rows = store.con.sql(_REPEATED, params=[run, loaded.kind])
        for batch in rows.to_arrow_reader(1 << 20) if rows else ():
            place = batch.column(0).to_numpy() - 1
            np.bitwise_or.at(bits, place >> 3, np.uint8(1) << (place & 7).astype(np.uint8))
    return bits if bits.any() else None


@contextmanager
def _new_records(store: Store, loaded: Loaded) -> Iterator[None]:
    """The hashes of all records of the file, in a table that goes again."""
    columns = "record_no, hash_high, hash_low"
    store.con.execute(f"CREATE TEMP TABLE new_record AS SELECT {columns} FROM load_record LIMIT 0")
    try:
        for part in loaded.parts():
            hashes = pa.Table.from_batches([hash_batch(0, part)[1]])
            store.insert_into("new_record", hashes.drop(["file_id"]))
        yield
    finally:
        store.con.execute("DROP TABLE IF EXISTS new_record")
