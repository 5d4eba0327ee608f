"""Transaction codes to applications by patterns of a user."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_database import empty, sample

from imsperf.database.read_only import lock
from imsperf.errors import ReportError
from imsperf.reports.application_map import use_map


def written(folder: Path, text: str) -> Path:
    file = folder / "map.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_first_pattern_that_matches_counts(tmp_path: Path) -> None:
    """In any case of letters; [ and ' are letters as others; what nothing matches says so."""
    rules = 'pattern,application\npay1,"cards, ""new"""\nPAY?,o\'pay\nPAY*,pay\nA[1],list\n\n'
    wanted = {
        "PAY1": 'cards, "new"',
        "PAY2": "o'pay",
        "PAYROLL": "pay",
        "A[1]": "list",
        "A1": "(unmatched)",
        "XPAY1": "(unmatched)",
    }
    with lock(empty()) as con:
        use_map(con, written(tmp_path, rules))
        names = list(wanted)
        rows = con.sql(
            "SELECT name, application(name) FROM (SELECT unnest($names) AS name)",
            params={"names": names},
        )
        assert dict(rows.fetchall()) == wanted
        assert con.sql("FROM ims_application").fetchall() == []


def test_shares_add_up_and_the_unmatched_is_one_of_them(tmp_path: Path) -> None:
    """An interval of the sample has 3 DEBIT, 2 PART and 1 SECOND."""
    with sample() as con:
        use_map(con, written(tmp_path, "pattern,application\n?ebit,cards\nP*,parts\n"))
        rows = con.sql(
            "SELECT application, codes, transactions, share_pct FROM ims_application "
            "WHERE interval_start = TIMESTAMP '2026-03-02 10:00:00'"
        ).fetchall()
    assert rows == [
        ("cards", 1, 3, 50),
        ("parts", 1, 2, pytest.approx(100 / 3)),
        ("(unmatched)", 1, 1, pytest.approx(100 / 6)),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found the columns none"),
        ("code,name\nA,b\n", "found the columns code, name"),
        ("pattern,application\nA\n", "row 2"),
        ("pattern,application\nA,\n", "row 2"),
        ('pattern,application\n"A,b\n', "no CSV"),
    ],
)
def test_a_bad_map_is_refused(text: str, words: str, tmp_path: Path) -> None:
    with empty() as con, pytest.raises(ReportError, match=words):
        use_map(con, written(tmp_path, text))
