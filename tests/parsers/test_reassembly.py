"""RMF records too long for SMF: pieces become the record again, and a lost piece is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import second_writer as writer
from dump_files import load, smf
from evidence_files import as_written, record_bytes, sample

from imsperf.layouts import section

PIECES = [record_bytes(f"smf70_1 piece {letter}")[4:] for letter in "ab"]


def plain(rows: dict[str, list[dict[str, Any]]], table: str) -> list[dict[str, Any]]:
    names = ["section_no", *(field.name for field in section(table).fields)]
    return [{name: as_written(row[name]) for name in names} for row in rows[table]]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_pieces_become_the_original_record(tmp_path: Path, order: tuple[int, ...]) -> None:
    """In any order, with other records between them."""
    file = tmp_path / "dump.smf"
    file.write_bytes(writer.rdw([smf(2), PIECES[order[0]], smf(3), PIECES[order[1]]]))
    loaded, rows = load(file)
    assert loaded.problems == []
    for table, wanted in sample("smf70_1 piece joined").rows.items():
        assert plain(rows, table) == wanted, table
    numbers = {
        row["record_no"] for table in rows if table.startswith("smf70") for row in rows[table]
    }
    assert numbers == {2 if order[0] == 0 else 4}
    partitions = [
        (row["section_no"], row["smf70bds"], row["smf70bdn"]) for row in rows["smf70_1_partition"]
    ]
    expected = [no for no, first, count in partitions for _ in range(count)]
    assert [row["partition_no"] for row in rows["smf70_1_processor"]] == expected


def test_lost_piece_is_a_problem_and_the_rest_loads(tmp_path: Path) -> None:
    file = tmp_path / "dump.smf"
    file.write_bytes(writer.rdw([smf(2), PIECES[0], smf(3)]))
    loaded, rows = load(file)
    reasons = {(p.reason, p.record_no) for p in loaded.problems}
    assert ("missing_piece", 2) in reasons
    assert "pieces [1] of 2" in " ".join(p.detail for p in loaded.problems)
    assert len(rows["smf70_1_control"]) == 1


def test_a_suspect_record_of_pieces_is_loaded_as_it_stands(tmp_path: Path) -> None:
    """Something speaks against it: it is told, and not lost for that."""
    at = next(f.offset for f in section("smf70_1_product").fields if f.name == "smf70prd")
    other = []
    for piece in PIECES:
        place = int.from_bytes(piece[24:28]) - 4 + at  # offsets count the RDW
        other.append(piece[:place] + "XYZ".encode("cp037") + piece[place + 3 :])
    file = tmp_path / "dump.smf"
    file.write_bytes(writer.rdw([smf(2), *other, smf(3)]))
    loaded, rows = load(file)
    assert {(p.severity, p.record_no) for p in loaded.problems} == {("suspect", 2), ("suspect", 3)}
    assert len(rows["smf70_1_control"]) == 1
