"""A dump that is read in ranges gives what one reading of the whole gives.

Ranges are as small as one record, so that every case at their ends occurs: each form of the
mangler, whole and damaged; RMF pieces in different ranges; a dictionary of CICS behind its records.
"""

from __future__ import annotations

import pickle
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import second_writer as writer
from dump_files import smf
from evidence_files import record_bytes
from test_cics import ALL, FIELDS, dictionary, performance
from test_transfer_forms import Case, damages, forms, made

from imsperf.errors import DumpError
from imsperf.parsers.containers.source import Source, open_source, with_rest
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.ranges import Passed, RangeReading, in_shares, pass_along
from imsperf.parsers.read import Loaded, read_source
from imsperf.parsers.rows import Batch
from imsperf.parsers.selection import Keep

PIECES = [record_bytes(f"smf70_1 piece {letter}")[4:] for letter in "ab"]
Rows = dict[str, list[Any]]


def rows_of(batches: Any) -> Rows:
    """Rows by table, in the order of their text."""
    rows = defaultdict[str, list[Any]](list)
    for table, batch in batches:
        columns = [column.to_pylist() for column in batch.columns]
        rows[table] += [repr(row) for row in zip(*columns, strict=True)]
    return {table: sorted(some) for table, some in rows.items()}


def facts(loaded: Loaded) -> dict[str, Any]:
    """What the ledger says of a file."""
    return {
        "framing": loaded.framing, "records": loaded.records, "kept": loaded.kept,
        "first": loaded.first, "last": loaded.last,
        "counts": sorted(map(repr, loaded.counts)), "problems": sorted(map(repr, loaded.problems)),
    }  # fmt: skip


def read_in_ranges(
    source: Source, options: ReadOptions, range_bytes: int, is_cut: bool = True
) -> tuple[Passed, Rows]:
    """The batches of all ranges, each read by itself from what was pickled."""
    passed = pass_along(source, options, range_bytes, is_cut)
    keep, states, batches = Keep(options.selection, None, True), [], list[Batch]()
    for one in passed.ranges:
        reading = RangeReading(source, pickle.loads(pickle.dumps(one)), 1, options, keep)
        batches += reading
        states.append(pickle.loads(pickle.dumps(reading.state)))
    passed.reader.file_id = 1
    batches += passed.merge(states)
    return passed, rows_of(batches)


def assert_equal(path: Path, part_bytes: int, range_bytes: int, **asked: Any) -> tuple[int, bool]:
    """How many ranges there were, and whether they had to be read again as one."""
    options = ReadOptions(raw=True, part_bytes=part_bytes, **asked)
    ranges, is_equal = 0, True
    for source in with_rest(open_source(path)):
        loaded = read_source(source, 1, options, keep=Keep(options.selection, None, True))
        wanted = rows_of(loaded.batches)
        passed, rows = read_in_ranges(source, options, range_bytes)
        ranges += len(passed.ranges)
        if not passed.is_equal:
            is_equal = False
            passed, rows = read_in_ranges(source, options, range_bytes, is_cut=False)
        assert facts(passed.loaded) == facts(loaded)
        assert rows == wanted
    return ranges, is_equal


def cases(size: int, seed: int) -> Iterator[Case]:
    """Every form and every damage."""
    yield from forms(size)
    yield from damages(size, seed)


def checked(case: Case, path: Path, part_bytes: int) -> None:
    path.write_bytes(case.data)
    try:
        read_source(open_source(path), 1)
    except DumpError:
        return  # no dump: nothing to be read in whatever way
    assert_equal(path, part_bytes, 2 * part_bytes)


@pytest.mark.parametrize("case", list(cases(1, 1)), ids=lambda case: case.name)
def test_every_form_whole_and_damaged(case: Case, tmp_path: Path) -> None:
    checked(case, tmp_path / "file", 2000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize(("size", "part_bytes"), [(1, 1), (4, 20_000)])
def test_every_form_in_more_ranges(size: int, part_bytes: int, seed: int, tmp_path: Path) -> None:
    """A range for each record; several blocks in a range, of longer files."""
    for case in cases(size, seed):
        checked(case, tmp_path / "file", part_bytes)


@pytest.mark.parametrize(
    ("sizes", "most", "numbers"),
    [
        ([34, 34, 34, 34, 28], 82, [2, 3]),  # the middle of the third lies behind 82
        ([4] * 41, 82, [20, 21]),
        ([4] * 41, 200, [41]),
        ([10], 4, [1]),
        ([0, 0], 4, [2]),
        ([], 4, []),
    ],
)
def test_shares(sizes: list[int], most: int, numbers: list[int]) -> None:
    """As few as hold so much each, and about equal; nothing is cut."""
    shares = in_shares(range(len(sizes)), sizes, most)
    assert [len(share) for share in shares] == numbers
    assert [item for share in shares for item in share] == list(range(len(sizes)))


def test_pieces_in_different_ranges(tmp_path: Path) -> None:
    """RMF pieces wait for each other over any number of ranges; one that is lost is told."""
    path = tmp_path / "pieces.smf"
    between = [smf(200, 1, bytes(range(250))) for _ in range(30)]
    records = [*between, PIECES[1], *between, PIECES[0], *between, PIECES[0], smf(3)]
    path.write_bytes(writer.rdw(records))
    ranges, is_equal = assert_equal(path, 1, 3000)
    assert (ranges > 5, is_equal) == (True, True)


@pytest.mark.parametrize("form", [writer.rdw, lambda records: writer.vbs(records, 700)])
def test_dictionary_behind_its_records(form: Any, tmp_path: Path) -> None:
    """Each range knows all dictionaries of the file, also those in segments."""
    path = tmp_path / "cics.smf"
    records = [performance(ALL, time=n) for n in range(40)]
    other = dictionary(FIELDS[:3], region=("CICSB", "CICSB1"))
    path.write_bytes(form([*records[:20], dictionary(), *records[20:], other]))
    ranges, is_equal = assert_equal(path, 1, 1500)
    assert (ranges > 3, is_equal) == (True, True)


@pytest.mark.parametrize(
    "asked",
    [
        {"types": "70,74,110"},
        {"types": "ims:59"},
        {"start": "2024-03-04T15:30:00.00015", "end": "2026-03-17T10:30:00.1"},
        {"system": "SYSA"},
        {"drop_suspect": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("form", ["rdw", "vbs_27998", "ims_vb", "ftp_block"])
def test_records_that_are_wanted(form: str, asked: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(made(form, 1))
    assert_equal(path, 2000, 5000, **asked)


def test_a_file_that_was_cut_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file"
    data = made("rdw", 1)
    path.write_bytes(data)
    passed = pass_along(open_source(path), ReadOptions(part_bytes=2000), 4000)
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(DumpError, match=re.escape(str(path))):
        for one in passed.ranges:
            list(RangeReading(open_source(path), one, 1, ReadOptions(), Keep()))


DEVICES = record_bytes("smf74_1 record")[4:]
PRODUCT = bytes.fromhex("D9D4C64040404040")  # RMF, which smf74prd says of all records
BROKEN = DEVICES.replace(PRODUCT, PRODUCT[::-1])


@pytest.mark.parametrize(
    ("broken", "in_part", "grades", "is_equal"),
    [
        # the tally of a range alone gives the grade that the whole file gives: 1 against 4 or more
        ({35, 55}, 1, ["error", "error"], True),
        # 1, 2, 3 against 0 in their range are suspect; 1 against 30 before it is not admitted
        ({31, 32, 33}, 1, ["error", "suspect", "suspect"], False),
        # one of ten in each part: too many to be refused, too few to be another level
        ({10, 20, 30, 40, 50, 60}, 10, ["error", *["suspect"] * 5], False),
        (set(range(5, 61, 5)), 10, ["suspect"] * 12, True),
        # most of them: this level of the record is another one, and the rule says nothing of it
        (set(range(1, 61)), 10, ["info"], True),
    ],
)
def test_records_that_break_a_rule(
    broken: set[int], in_part: int, grades: list[str], is_equal: bool, tmp_path: Path
) -> None:
    """A range is read again only where the ranges before it change a grade. 60 records, of which
    `broken` are, in ranges of ten or twenty; worked out by `grade_of`: error from 16 others for
    each that is at odds, or 2 for the only one; else suspect, unless there are more of them than
    others and than 4."""
    path = tmp_path / "file"
    path.write_bytes(writer.rdw([BROKEN if n in broken else DEVICES for n in range(1, 61)]))
    size = len(DEVICES) + 4
    part_bytes = 1 if in_part == 1 else in_part * size
    ranges, was_equal = assert_equal(path, part_bytes, (10 if in_part == 1 else 20) * size)
    assert (ranges, was_equal) == (6 if in_part == 1 else 3, is_equal)
    loaded = read_source(open_source(path), 1, ReadOptions(part_bytes=part_bytes))
    list(loaded.batches)
    told = [p for p in loaded.problems if p.reason in ("contradiction", "other_level")]
    assert [problem.severity for problem in told] == grades
