"""A database of 10,000 volumes, some with hostile names: what is read by people stays small."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from imsperf import api
from imsperf.reports import formats
from imsperf.reports.charts import chart
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios import scenario

pytestmark = pytest.mark.slow
COPIES = 40
_MIRROR = "\N{RIGHT-TO-LEFT OVERRIDE}"
HOSTILE = ("=1+2", "<b>X", "@SUM", "-2+3", "J\N{GRINNING FACE}", 'a&b"', f"{_MIRROR}E")


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two intervals; each device is there 40 times, under numbers and names of its own."""
    folder = tmp_path_factory.mktemp("many")
    generate_intervals(scenario.load("ff-haldb", {}), folder / "dumps", intervals=2)
    file = folder / "many.duckdb"
    api.load([folder / "dumps"], file, run="monday")
    named = " ".join(
        f"WHEN copy = {copy} AND rank = 1 THEN $name{copy}" for copy in range(1, len(HOSTILE) + 1)
    )
    with duckdb.connect(str(file)) as con:
        con.execute(
            "CREATE TEMP TABLE once AS SELECT *, "
            "dense_rank() OVER (ORDER BY smf74num) AS rank FROM smf74_1_device"
        )
        con.execute("DELETE FROM smf74_1_device")
        con.execute(
            f"INSERT INTO smf74_1_device SELECT * EXCLUDE (rank, copy) REPLACE ("
            f"rank * {COPIES} + copy AS smf74num, section_no * {COPIES} + copy AS section_no, "
            f"CASE {named} ELSE printf('V%05d', rank * {COPIES} + copy) END AS smf74ser) "
            f"FROM once, (SELECT unnest(range({COPIES})) AS copy)",
            {f"name{copy}": name for copy, name in enumerate(HOSTILE, 1)},
        )
    yield file


def test_there_are_ten_thousand(db: Path) -> None:
    with api.connect(db) as store:
        assert store.scalar("SELECT count(DISTINCT volume) FROM rmf_device") >= 10_000


def test_the_page_says_what_it_leaves_out(db: Path, tmp_path: Path) -> None:
    page = api.html_page(db, tmp_path / "x.html", reports=["rmf.device"])
    text = page.read_text(encoding="utf-8")
    assert page.stat().st_size < 5_000_000
    assert "Instead of 20,640 rows the table has totals of all intervals" in text
    assert "the 50 rows with the largest io_count" in text
    assert "<b>X" not in text


def test_a_chart_draws_the_largest(db: Path, tmp_path: Path) -> None:
    with api.connect(db) as store:
        chart.write(api.run_report(store, "rmf.device"), tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert len(text) < 3_000_000 and "<b>X" not in text


def test_rows_have_their_names_and_no_formula(db: Path, tmp_path: Path) -> None:
    """A sheet and a csv hold all rows; a program that opens them runs nothing."""
    with api.connect(db) as store:
        result = api.run_report(store, "rmf.device")
    formats.write(result, tmp_path / "x.csv")
    lines = (tmp_path / "x.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 20_641
    volumes = {line.split(",")[6] for line in lines}
    assert {"'=1+2", "'@SUM", "'-2+3", "<b>X", "J\N{GRINNING FACE}"} <= volumes
    formats.write(result, tmp_path / "x.xlsx")
    with zipfile.ZipFile(tmp_path / "x.xlsx") as book:
        sheets = [name for name in book.namelist() if "worksheets/sheet" in name]
        text = "".join(book.read(name).decode() for name in sheets)
    assert "<f>" not in text and "<b>X" not in text and "&lt;b&gt;X" in text
    assert "=1+2" in text
    formats.write(result, tmp_path / "y.html")
    text = (tmp_path / "y.html").read_text(encoding="utf-8")
    assert "<b>X" not in text and "&lt;b&gt;X" in text


def test_text_steers_no_terminal(db: Path) -> None:
    with api.connect(db) as store:
        text = formats.render(api.run_report(store, "rmf.device", total=True), "text")
    assert _MIRROR not in text
    assert "=1+2" in text and "<b>X" in text
