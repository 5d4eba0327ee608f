"""No row that was not written: files damaged by `independent_mangler`, compared row by row.

A file is refused, or every row that the clean file lacks belongs to a record that a problem names.
`pytest -s` prints what became of each class.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from evidence_files import record_bytes
from independent_forms import read_blocked
from independent_mangler import NAMES, Damaged, Pools, damaged, later
from row_verdict import Rows, Verdict, rows_of, verdict

import imsperf
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

QUICK_SEEDS = range(1)
SLOW_SEEDS = range(1_000, 1_080)
ADDRESS_SPACE = 30  # the SMF type with the most records; some of them will do


# A flipped bit in the data is data, and in a packed data set another string of the same bytes or
# more: nothing in the bytes can tell. Counted, not judged.
UNTELLABLE = ("data", "terse bit")
# Blocks of complete records: what is lost or out of order leaves no trace in SMF.
WHOLE_RECORDS = ("vb blocks swapped", "vb block lost")
MUST_BE_TOLD = ("ftp block, no EOF", "ftp record, no EOF", "vb block twice")
HEALTHY = ("healthy", "healthy, glued", "healthy, log behind")


@dataclass
class Tally:
    """What became of the files of a class."""

    name: str
    verdicts: list[tuple[Damaged, Verdict]] = field(default_factory=list)

    def count(self, what: str) -> int:
        return sum(bool(getattr(verdict, what)) for _, verdict in self.verdicts)

    def line(self) -> str:
        rows = sum(verdict.wrong for _, verdict in self.verdicts)
        counts = [self.count(what) for what in COLUMNS]
        return f"{self.name:<20}" + "".join(
            f"{number:>9,}" for number in (len(self.verdicts), *counts, rows)
        )


COLUMNS = (
    *("refused", "problems", "wrong", "unnamed", "wrong_raw", "untold"),
    *("again", "missing", "lost_untold"),
)
HEADING = f"{'class':<20}" + "".join(f"{name:>9}" for name in ("files", *COLUMNS[:4]))
HEADING += "".join(f"{name:>9}" for name in ("raw", "untold", "again", "lost", "unsaid", "rows"))


@pytest.fixture(scope="module")
def pools(tmp_path_factory: pytest.TempPathFactory) -> Pools:
    """One interval of full function traffic, its log, and records of IBM MQ from the evidence."""
    folder = tmp_path_factory.mktemp("clean")
    generate(scenario.load("ff-haldb"), folder, seconds=1, every_s=1, seed=1, sample_k=60)
    (smf,) = folder.glob("*.smf.vbs")
    (log,) = folder.glob("*.imslog.vb")
    records = read_blocked(smf.read_bytes())
    spaces = [record for record in records if record[1] == ADDRESS_SPACE]
    others = [record for record in records if record[1] not in (ADDRESS_SPACE, 2, 3)]
    queues = [record_bytes(f"{name} record")[4:] for name in ("smf115_1", "smf115_2", "smf116_1")]
    return {
        "smf": spaces[::9] + others,
        "mq": [later(record, 3 * turn) for turn in range(3) for record in queues],
        "log": read_blocked(log.read_bytes()),
    }


class Judge:
    """Damages files and compares them; the rows of a clean file are read once."""

    def __init__(self, pools: Pools, path: Path) -> None:
        self.pools = pools
        self.path = path
        self.clean: dict[bytes, Rows] = {}

    def rows(self, data: bytes) -> Rows:
        self.path.write_bytes(data)
        return rows_of(self.path)

    def tally(self, name: str, seeds: Sequence[int]) -> Tally:
        tally = Tally(name)
        for seed in seeds:
            file = damaged(name, seed, self.pools)
            key = hashlib.sha1(file.clean, usedforsecurity=False).digest()
            if key not in self.clean:
                self.clean[key] = self.rows(file.clean)
            tally.verdicts.append((file, verdict(self.clean[key], self.rows(file.data))))
        return tally


@pytest.fixture(scope="module")
def judge(pools: Pools, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    path = tmp_path_factory.mktemp("damaged") / "dump"
    yield Judge(pools, path)
    with suppress(FileNotFoundError):
        path.unlink()


def breaks_promise(name: str, verdict: Verdict) -> str:
    """How it does; nothing if it is refused or what it says holds.

    unnamed: a wrong row of a record that no problem names. untold: rows that are wrong, of records
    that were not decoded, or that are missing, and no problem. lost: a healthy file without rows.
    """
    if name in UNTELLABLE:
        return ""
    if verdict.unnamed:
        return "unnamed"
    if verdict.untold:
        return "untold"
    if name in HEALTHY and (verdict.missing or verdict.again or verdict.refused):
        return "lost"
    if name == "healthy" and verdict.told:
        return "lost"
    if name in MUST_BE_TOLD and not verdict.told:
        return "untold"
    if verdict.lost_untold and name not in WHOLE_RECORDS:
        return "untold"
    return ""


def said(file: Damaged, verdict: Verdict, broken: str) -> str:
    rows = ", ".join(f"{table} of record {number}" for table, number in list(verdict.where)[:3])
    return (
        f"{file.name} {file.seed}: {broken}; {file.source} {file.form}, {file.what}: "
        f"{verdict.unnamed} unnamed of {verdict.wrong} wrong rows ({rows}), "
        f"{verdict.missing} lost, "
        f"problems {dict(verdict.problems)}"
    )


def broken_in(tally: Tally) -> list[str]:
    """What is said of each file that breaks the promise."""
    return [
        said(file, verdict, kind)
        for file, verdict in tally.verdicts
        if (kind := breaks_promise(tally.name, verdict))
    ]


def test_no_row_that_was_not_written(judge: Judge) -> None:
    """A file of every second class. Seeds: those of the slow run, of which this is the first."""
    broken = []
    print(f"\n{HEADING}")
    for name in NAMES[::2]:
        tally = judge.tally(name, QUICK_SEEDS)
        print(tally.line())
        broken += broken_in(tally)
    assert not broken


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_row_that_was_not_written_in_thousands(judge: Judge, name: str) -> None:
    tally = judge.tally(name, SLOW_SEEDS)
    print(f"\n{HEADING}\n{tally.line()}")
    broken = broken_in(tally)
    assert not broken, "\n".join(broken)


SUSPICIOUS = ("vbs blocks swapped", "vbs block twice", "vbs block lost")


@pytest.mark.slow
@pytest.mark.parametrize("name", SUSPICIOUS)
def test_suspect_records_can_be_left_out(judge: Judge, name: str) -> None:
    """With `drop_suspect` no wrong row is left of a record that a problem names."""
    for seed in SLOW_SEEDS[:40]:
        file = damaged(name, seed, judge.pools)
        clean, all_rows = judge.rows(file.clean), judge.rows(file.data)
        dropped = verdict(clean, rows_of(judge.path, drop_suspect=True))
        assert dropped.wrong == verdict(clean, all_rows).unnamed, said(file, dropped, "kept")


@pytest.mark.parametrize("name", ["zero page", "vbs blocks swapped", "healthy"])
def test_a_load_tells_what_a_read_tells(judge: Judge, name: str, tmp_path: Path) -> None:
    file = damaged(name, 3, judge.pools)
    read = judge.rows(file.data)
    imsperf.load(judge.path, tmp_path / "loaded.duckdb")
    with imsperf.connect(tmp_path / "loaded.duckdb") as store:
        rows = store.con.sql("SELECT reason, count(*) FROM load_problem GROUP BY reason").fetchall()
        assert dict(rows) == read.problems
        for index, table in enumerate(read.names):
            counted = store.con.sql(f"SELECT count(*) FROM {table}").fetchall()
            assert counted == [((read.kinds == index).sum(),)]


def test_a_bit_of_data_is_a_wrong_row(judge: Judge) -> None:
    """The comparison sees one bit: without this, nothing above could fail."""
    tally = judge.tally(UNTELLABLE[0], range(6))
    assert tally.count("wrong") + tally.count("wrong_raw") >= 3
