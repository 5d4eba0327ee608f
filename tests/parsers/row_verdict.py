"""What became of a damaged file, row by row, beside the rows of the file it was made from."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

import imsperf
from imsperf.errors import ImsperfError

PLACES = ("file_id", "record_no", "section_no", "byte_offset")
RAW_TABLES = ("smf_raw", "ims_raw")
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Rows:
    """Rows by what they say, and the problems of their file.

    `keys` has a hash for each row, of its table, its values without the places they stand at, and
    the values of its record's header; `kinds` its table in `names`; `records` its record: the file
    times 2**32 with record_no. `suspect` are the records that a problem names.
    """

    keys: NDArray[np.uint64]
    kinds: NDArray[np.int64]
    records: NDArray[np.int64]
    names: tuple[str, ...] = ()
    suspect: frozenset[int] = frozenset()
    problems: Counter[str] = field(default_factory=Counter)
    words: tuple[str, ...] = ()
    refused: str = ""


@dataclass(frozen=True)
class Verdict:
    """What a damaged file says beside the clean one, in rows.

    `wrong` rows say what no row of the clean file says; `unnamed` are those of them whose record no
    problem names; `wrong_raw` those of records that were not decoded. `again` are copies of a row
    more than the clean file has, `missing` its rows that did not come.
    """

    refused: str
    problems: Counter[str]
    words: tuple[str, ...]
    wrong: int
    unnamed: int
    wrong_raw: int
    again: int
    missing: int
    where: Counter[tuple[str, int]]  # wrong rows by table and record_no

    @property
    def told(self) -> bool:
        return bool(self.refused or self.problems)

    @property
    def untold(self) -> bool:
        """Rows that nobody wrote, and no word of it."""
        return not self.told and self.wrong + self.wrong_raw > 0

    @property
    def lost_untold(self) -> bool:
        return not self.told and self.missing > 0


def rows_of(path: Path, *, drop_suspect: bool = False) -> Rows:
    """Read a file through the public interface; where it is refused there are no rows."""
    reading = imsperf.read(path, drop_suspect=drop_suspect)
    try:
        tables = reading.tables()
    except ImsperfError as error:
        empty = np.zeros(0, np.int64)
        return Rows(empty.astype(np.uint64), empty, empty, refused=str(error))
    keys, kinds, records = _keys(tables)
    named = (
        file.file_id << 32 | problem.record_no
        for file in reading.files
        for problem in file.problems
        if problem.record_no is not None
    )
    return Rows(
        keys,
        kinds,
        records,
        names=tuple(tables),
        suspect=frozenset(named),
        problems=Counter(problem.reason for problem in reading.problems),
        words=tuple(str(problem) for problem in reading.problems),
    )


def _keys(
    tables: dict[str, pa.Table],
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """`keys`, `kinds` and `records` of `Rows`. The tables with byte_offset are the headers."""
    records, values, heads = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)], [False]
    for name, table in tables.items():
        frame = pl.DataFrame(table)
        said = frame.select(pl.exclude(*PLACES))
        texts = [column for column, kind in said.schema.items() if kind == pl.Categorical]
        said = said.with_columns(pl.col(column).cast(pl.String) for column in texts)
        file_id, record_no = (frame[column].cast(pl.Int64).to_numpy() for column in PLACES[:2])
        records.append(file_id << 32 | record_no)
        values.append(said.hash_rows(seed=zlib.crc32(name.encode())).to_numpy())
        heads.append("byte_offset" in frame.columns)
    kinds = np.repeat(np.arange(len(records)), [len(record) for record in records])
    of_row, said_there = np.concatenate(records), np.concatenate(values)
    is_head = np.array(heads)[kinds]
    different, which = np.unique(of_row, return_inverse=True)
    header = np.zeros(len(different), np.uint64)
    np.add.at(header, which[is_head], said_there[is_head])
    return said_there * _SPREAD + header[which], kinds - 1, of_row


def verdict(clean: Rows, damaged: Rows) -> Verdict:
    """The difference of the two as multisets of rows."""
    new = ~np.isin(damaged.keys, clean.keys)
    raw_kinds = [index for index, name in enumerate(damaged.names) if name in RAW_TABLES]
    raw = np.isin(damaged.kinds, raw_kinds)
    named = np.isin(damaged.records, list(damaged.suspect))
    had, how_often = np.unique(clean.keys, return_counts=True)
    has, times = np.unique(damaged.keys[~new], return_counts=True)
    allowed = how_often[np.searchsorted(had, has)]
    wrong = new & ~raw
    where = zip(damaged.kinds[wrong], damaged.records[wrong] & 0xFFFFFFFF, strict=True)
    return Verdict(
        refused=damaged.refused,
        problems=damaged.problems - clean.problems,
        words=damaged.words,
        wrong=int(wrong.sum()),
        unnamed=int((wrong & ~named).sum()),
        wrong_raw=int((new & raw).sum()),
        again=int((times - allowed).clip(min=0).sum()),
        missing=len(clean.keys) - int(np.minimum(times, allowed).sum()),
        where=Counter((damaged.names[kind], int(number)) for kind, number in where),
    )
