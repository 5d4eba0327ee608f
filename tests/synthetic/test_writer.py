"""Blocks and segments: against a second writer, an independent reader, and a full disk."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest
import second_writer
from adapya.base.recordio import readrec

from imsperf.errors import ImsperfError, LayoutError
from imsperf.synthetic.writer import (
    Batch,
    DumpFile,
    Written,
    back_to_back,
    write_dump,
    write_text,
)

RNG = np.random.default_rng(7)


def record(length: int) -> np.ndarray:
    """A record of random bytes whose RDW tells its length."""
    row = RNG.integers(0, 256, length, dtype=np.uint8)
    row[:4] = [length >> 8, length & 255, 0, 0]
    return row


def chunked(records: list[np.ndarray], size: int) -> list[list[Batch]]:
    """Chunks of `size` records, each record a batch of its own, batches in any order."""
    chunks = []
    for begin in range(0, len(records), size):
        part = records[begin : begin + size]
        order = RNG.permutation(len(part))
        chunks.append([Batch(part[n][None, :], np.array([n])) for n in order])
    return chunks


def written(path: Path, records: list[np.ndarray], form: str, block: int, size: int = 7) -> bytes:
    write_dump(path, chunked(records, size), form, block)  # type: ignore[arg-type]
    return path.read_bytes()


def payloads(records: list[np.ndarray]) -> list[bytes]:
    return [record[4:].tobytes() for record in records]


@pytest.mark.parametrize("block", [9, 23, 24, 28, 64, 100, 299])
@pytest.mark.parametrize("size", [1, 5, 100])
def test_vbs_is_what_the_second_writer_writes(tmp_path: Path, block: int, size: int) -> None:
    """Pseudo-VBS, byte for byte, whatever the block size and the cut into chunks."""
    records = [record(int(n)) for n in RNG.integers(6, 700, 40)]
    want = second_writer.vbs(payloads(records), block, pseudo=True)
    assert written(tmp_path / "a", records, "vbs", block, size) == want


def test_blocks_of_whole_records(tmp_path: Path) -> None:
    """vb and rdw, byte for byte."""
    records = [record(int(n)) for n in RNG.integers(6, 700, 200)]
    in_one_go = [record.tobytes() for record in records]
    assert written(tmp_path / "a", records, "vb", 704) == second_writer.ims_vb(in_one_go, 704)
    assert written(tmp_path / "b", records, "rdw", 0) == second_writer.rdw(payloads(records))


def test_records_that_just_fit(tmp_path: Path) -> None:
    """A record that fills a block is whole; one byte more and it is cut."""
    for length in (27_993, 27_994, 27_995, 32_756, 32_760):
        records = [record(100), record(length), record(100)]
        want = second_writer.vbs(payloads(records), 27_998, pseudo=True)
        assert written(tmp_path / "a", records, "vbs", 27_998) == want


@pytest.mark.parametrize(
    ("form", "recform", "block"), [("vbs", "BDW", 350), ("vb", "BDW", 704), ("rdw", "RDW", 0)]
)
def test_an_independent_reader_finds_the_records(
    tmp_path: Path, form: str, recform: str, block: int
) -> None:
    """adapya-base gives back every record."""
    records = [record(int(n)) for n in RNG.integers(6, 700, 100)]
    written(tmp_path / "a", records, form, block)
    with (tmp_path / "a").open("rb") as file:
        assert list(readrec(file, recform)) == payloads(records)


def test_batches_are_merged_by_place() -> None:
    """Rows of several lengths come out in the order of their places."""
    short = np.array([[0, 5, 0, 0, 1], [0, 5, 0, 0, 2]], dtype=np.uint8)
    long = np.array([[0, 6, 0, 0, 9, 9]], dtype=np.uint8)
    data, length = back_to_back([Batch(short, np.array([2, 0])), Batch(long, np.array([1]))])
    assert length.tolist() == [5, 6, 5]
    assert data.tolist() == [0, 5, 0, 0, 2, 0, 6, 0, 0, 9, 9, 0, 5, 0, 0, 1]


def test_a_place_without_a_record_is_an_error() -> None:
    """Two records at one place leave another empty."""
    rows = np.array([[0, 5, 0, 0, 1]] * 2, dtype=np.uint8)
    with pytest.raises(LayoutError, match="1 of 2 places"):
        back_to_back([Batch(rows, np.array([1, 1]))])


def test_records_too_long_are_errors(tmp_path: Path) -> None:
    """Nothing longer than a block in vb, nothing longer than an RDW can say."""
    with pytest.raises(LayoutError, match="at most 700"):
        written(tmp_path / "a", [record(701)], "vb", 704)
    with pytest.raises(LayoutError, match="at most 32,760"):
        written(tmp_path / "a", [record(32_761)], "rdw", 0)
    assert not list(tmp_path.iterdir())


def test_facts_of_a_file(tmp_path: Path) -> None:
    """Records, bytes and blocks are counted."""
    records = [record(100) for _ in range(10)]
    written = write_dump(tmp_path / "a", chunked(records, 3), "vb", 404)
    assert written == Written(tmp_path / "a", 10, 1000 + 3 * 4, 3)


def test_an_interrupted_file_is_not_left_behind(tmp_path: Path) -> None:
    """The name appears only when the file is whole; the old file stays until then."""
    (tmp_path / "a").write_text("old")
    with pytest.raises(KeyboardInterrupt), DumpFile(tmp_path / "a", "vb", 404) as file:
        file.write(chunked([record(100)], 1)[0])
        raise KeyboardInterrupt
    assert (tmp_path / "a").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_full_disk_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The message names file and reason, the hint what to do, and nothing is left behind."""

    class Full:
        closed = False

        def write(self, data: object) -> int:
            raise OSError(number, "no")

        def close(self) -> None:
            self.closed = True

    with pytest.raises(ImsperfError) as caught, DumpFile(tmp_path / "a", "vb", 404) as file:
        monkeypatch.setattr(file, "_file", Full())
        for _ in range(10):
            file.write(chunked([record(100)], 1)[0])
    assert str(tmp_path / "a") in caught.value.message
    assert caught.value.hint
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    """The same for dump and text files."""
    with pytest.raises(ImsperfError, match="could not be written"):
        DumpFile(tmp_path / "no" / "a", "vb", 404)
    with pytest.raises(ImsperfError, match="could not be written"):
        write_text(tmp_path / "no" / "a", "x")


def test_block_sizes_that_no_bdw_can_say(tmp_path: Path) -> None:
    """Before anything is written."""
    with pytest.raises(LayoutError, match="block size"):
        DumpFile(tmp_path / "a", "vbs", 40_000)
