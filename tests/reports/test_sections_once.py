"""Sections that are there twice: which of them count, by hand."""

from __future__ import annotations

from collections.abc import Callable

import duckdb
import pytest

from imsperf.database.store import open_empty

TEN = "'2026-03-02 10:00'"
QUARTER = "'2026-03-02 10:15'"
# run, system, interval, key; place: file, record, section; whether it counts
SECTIONS = (
    (f"'a', 'SYSA', {TEN}, ('P', 1)", (2, 1, 1), False),  # the next comes first, in file 1
    (f"'a', 'SYSA', {TEN}, ('P', 1)", (1, 9, 1), True),
    (f"'a', 'SYSA', {TEN}, ('P', 1)", (1, 9, 2), False),
    (f"'a', 'SYSA', {TEN}, ('P', 2)", (1, 9, 3), True),
    (f"'a', 'SYSA', {TEN}, ('Q', 1)", (2, 2, 1), True),  # the same name in another sysplex
    (f"'a', 'SYSB', {TEN}, ('P', 1)", (2, 3, 1), True),
    (f"'a', 'SYSA', {QUARTER}, ('P', 1)", (2, 4, 1), True),
    (f"'b', 'SYSA', {TEN}, ('P', 1)", (3, 1, 1), True),
    (f"'a', 'SYSA', {TEN}, (NULL, 1)", (1, 8, 1), True),  # what is absent in both is equal
    (f"'a', 'SYSA', {TEN}, (NULL, 1)", (2, 8, 1), False),
    ("'a', 'SYSA', NULL, ('P', 1)", (1, 7, 1), True),  # so it is of an interval that is absent
    ("'a', 'SYSA', NULL, ('P', 1)", (2, 7, 1), False),
    ("'a', 'SYSA', NULL, ('P', 2)", (2, 7, 2), True),
    (f"'a', NULL, {TEN}, ('P', 1)", (3, 6, 1), False),  # and of a system
    (f"'a', NULL, {TEN}, ('P', 1)", (1, 6, 1), True),
    ("'a', NULL, NULL, ('P', 1)", (1, 5, 1), True),
    ("'a', NULL, NULL, ('P', 1)", (4, 5, 1), False),
    ("'b', NULL, NULL, ('P', 1)", (5, 5, 1), True),
    # a copy of a record is seen by its first section, and each of its sections is one
    (f"'a', 'SYSB', {QUARTER}, ('P', 1)", (1, 10, 1), True),
    (f"'a', 'SYSB', {QUARTER}, ('P', 2)", (1, 10, 2), True),
    (f"'a', 'SYSB', {QUARTER}, ('P', 1)", (2, 10, 1), False),
    (f"'a', 'SYSB', {QUARTER}, ('P', 2)", (2, 10, 2), False),
    # of a damaged copy by its 65th
    (f"'b', 'SYSB', {TEN}, ('P', 1)", (1, 11, 1), True),
    (f"'b', 'SYSB', {TEN}, ('P', 65)", (1, 11, 65), True),
    (f"'b', 'SYSB', {TEN}, ('', 0)", (2, 11, 1), True),
    (f"'b', 'SYSB', {TEN}, ('P', 65)", (2, 11, 65), False),
    # what a single record says twice is no copy
    (f"'b', 'SYSB', {QUARTER}, ('P', 1)", (1, 12, 2), True),
    (f"'b', 'SYSB', {QUARTER}, ('P', 1)", (1, 12, 3), True),
)


@pytest.fixture(scope="module")
def sections() -> duckdb.DuckDBPyConnection:
    con = open_empty({})
    con.execute(
        "CREATE TABLE section (run VARCHAR, system VARCHAR, interval_start TIMESTAMP,"
        " key STRUCT(p VARCHAR, n INTEGER), file_id INTEGER, record_no BIGINT, section_no INTEGER)"
    )
    for values, place, _ in SECTIONS:
        con.execute(f"INSERT INTO section SELECT {values}, {', '.join(map(str, place))}")
    return con


@pytest.mark.parametrize(
    ("condition", "is_asked"),
    [
        ("true", lambda values: True),
        (f"interval_start = {TEN}", lambda values: TEN in values),
        ("run = 'a' AND system = 'SYSA'", lambda values: values.startswith("'a', 'SYSA'")),
    ],
)
def test_the_first_of_a_key_counts(
    sections: duckdb.DuckDBPyConnection, condition: str, is_asked: Callable[[str], bool]
) -> None:
    """Also behind a filter on run, system and interval."""
    found = sections.execute(
        "SELECT file_id, record_no, section_no FROM sections_once('section', 'section')"
        f" WHERE {condition}"
    ).fetchall()
    assert sorted(found) == sorted(
        place for values, place, counts in SECTIONS if counts and is_asked(values)
    )


def test_a_filter_reaches_every_reading(sections: duckdb.DuckDBPyConnection) -> None:
    """None of the readings of the table is of all intervals: one is of those not known."""
    ((_, plan),) = sections.execute(
        f"EXPLAIN SELECT * FROM sections_once('section', 'section') WHERE interval_start = {TEN}"
    ).fetchall()
    assert plan.count("Table: memory.main.section") == 4
    assert plan.count("interval_start = '2026-03-02 10:00:00'::TIMESTAMP") == 3
    assert plan.count("interval_start IS NULL") == 1
