"""Small runs of all kinds of configuration, compared whole: no report and no row is lost."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from report_database import add, empty, together
from test_report_values import FIRSTS, tables_of

from imsperf import api
from imsperf.cli import main
from imsperf.database.store import Store
from imsperf.errors import ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.comparison.causes import causes_of
from imsperf.reports.comparison.compare import Comparison, compare
from imsperf.reports.comparison.sides import side
from imsperf.reports.comparison.summary import sentence
from imsperf.reports.definition import Report
from imsperf.reports.lineage.columns import Step, lineages
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios import scenario

# The fewest scenarios that have rows of every report of which any scenario has.
SCENARIOS: Mapping[str, Mapping[str, Any]] = {
    "dsff-smq": {
        "clients": 200, "regions.mpp": 8, "ims.second_id": "IMSX", "system.second_name": "SYSX"
    },
    "tps-100k": {"clients": 200, "cpu.gcps": 3, "regions.ifp": 20},
    "cics-fp": {"clients": 200},
    "esaf-pooling": {"clients": 40},
    "credential-propagation": {"clients": 20},
}  # fmt: skip
SECONDS = 9  # intervals of a second; fewer than 8 are not tested
RUNS = ("a", "b")
# Of these no scenario has a row: their rows are those of the first of their cases, in both runs.
BY_HAND = (
    *("ims.batch_checkpoints", "ims.dispatcher", "ims.message_queue", "ims.traces"),
    *("mq.buffer_pools", "mq.log", "mq.manager", "mq.queues", "mq.tasks"),
    *("rmf.cache_rank", "rmf.cf_to_cf", "rmf.crypto", "rmf.eadm", "rmf.eadm_subchannels"),
    *("rmf.enqueue", "rmf.ess", "rmf.ess_rank", "rmf.ficon_director", "rmf.group_capacity"),
    *("rmf.hfs", "rmf.hfs_buffers", "rmf.lpar_cluster", "rmf.multithreading", "rmf.omvs"),
    *("rmf.page_datasets", "rmf.pcie", "rmf.serialization_delay", "rmf.sync_io"),
    *("rmf.workload_states", "rmf.xcf_path", "smf.pdse"),
)
# What is left: reports of the ledger, repeats of others, reports without a number to compare.
NOT_COMPARED = {
    *("ims.dis_tran", "load.coverage", "run.config"),
    *("rmf.exceptions", "rmf.overview"),
    *("ims.fast_path", "ims.gaps", "ims.transit_list", "rmf.cpu_header", "rmf.vstor_areas"),
}
# Counts that a rate of the report counts by another name: io_count / interval_s beside ios.
SAME_AS_A_RATE = {
    ("ims.control_blocks", "requests"), ("rmf.cf_structure", "total_count"),
    ("rmf.cf_usage", "requests"), ("rmf.xcf", "requests"), ("rmf.xcf_member", "sent"),
    ("rmf.xcf_member", "received"), ("rmf.xcf_path", "signals"), ("smf.address_space", "ios"),
    ("smf.dataset_io", "ios"), ("smf.logstream", "writes"),
}  # fmt: skip


@dataclass(frozen=True)
class Altered:
    """Fields of a table that are doubled, and a column of a report that is twice as much by it."""

    table: str
    fields: tuple[str, ...]
    report: str
    column: str


ALTERED = (
    Altered("smf74_1_device", ("smf74dis",), "rmf.device", "disc_ms"),
    Altered("smf74_4_request", ("r744sstm",), "rmf.cf_structure", "sync_us"),
    Altered("smf72_3_period", ("r723ctet", "r723ctetx"), "rmf.workload", "resp_ms"),
    Altered("ims_450a_latch", ("cont_exc", "cont_shr"), "ims.latches", "contention_pct"),
)


def numbers(report: Report) -> list[str]:
    """The columns that are compared; a count has no row of its own where it has a rate."""
    rates = {column.num for column in report.columns if column.den == ("interval_s",)}
    return [
        column.name
        for column in report.columns
        if column.kind in ("ratio", "level", "highwater")
        or (
            (column.kind == "count" and (column.name,) not in rates)
            and (report.id, column.name) not in SAME_AS_A_RATE
        )
    ]


def told_by_sql(con: duckdb.DuckDBPyConnection, report: Report) -> Counter[tuple[str, str]]:
    """Key and column of each number that the SQL of a report gives in an interval of any run, in
    each sysplex."""
    groups = [name for name in report.groups if name != "run"]
    parts = (
        f"'{name}=' || coalesce(\"{name}\"::VARCHAR, '')" for name in groups if name != "sysplex"
    )
    seen = ", ".join(f'bool_or("{name}" IS NOT NULL) AS "{name}"' for name in numbers(report))
    rows = con.execute(
        f"""
        WITH numbers AS (
            SELECT {" || ',' || ".join(parts)} AS key, {seen}
            FROM ({report.sql})
            WHERE {report.compared or "true"}
            GROUP BY {", ".join(f'"{name}"' for name in groups)}
        )
        SELECT key, number FROM (UNPIVOT numbers ON * EXCLUDE key INTO NAME number VALUE is_there)
        WHERE is_there
        """,
        {each.name: each.default for each in report.parameters} or None,
    )
    return Counter(rows.fetchall())


def told(comparison: Comparison, report: Report) -> Counter[tuple[str, str]]:
    """Key, without the sysplex, and column of each of its rows."""
    rows = comparison.table.filter(pc.equal(comparison.table["report"], report.id))
    keys = pc.replace_substring_regex(rows["key"], "^sysplex=[^,]*,", "").to_pylist()
    return Counter(zip(keys, rows["column"].to_pylist(), strict=True))


def check_rows(con: duckdb.DuckDBPyConnection, comparison: Comparison, report: Report) -> None:
    """A standard deviation may have a value over a run that no interval has."""
    expected, rows = told_by_sql(con, report), told(comparison, report)
    assert expected, report.id
    assert list(expected - rows) == [], report.id
    over_a_run = {column.name for column in report.columns if column.total_sql}
    assert {column for _, column in rows - expected} <= over_a_run, report.id


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of a sysplex of each scenario, of two seeds."""
    folder = tmp_path_factory.mktemp("runs")
    for seed, run in enumerate(RUNS, start=1):
        for place, (name, settings) in enumerate(SCENARIOS.items()):
            names = {
                "system.name": f"SYS{place}", "system.smf_id": f"SYS{place}",
                "system.sysplex": f"PLEX{place}", "ims.id": f"IMS{place}", "dasd.volumes": 12,
            }  # fmt: skip
            generate(
                scenario.load(name, {**names, **settings}), folder / run / name,
                seconds=SECONDS, every_s=1, sample_k=200, seed=seed,
            )  # fmt: skip
        api.load([folder / run / name for name in SCENARIOS], folder / "x.duckdb", run=run)
    return folder / "x.duckdb"


@pytest.fixture(scope="module")
def store(database: Path) -> Iterator[Store]:
    with api.connect(database) as store:
        store.ready()
        yield store


@pytest.fixture(scope="module")
def comparison(database: Path) -> Comparison:
    return api.compare(f"{database}::a", f"{database}::b")


@pytest.fixture(scope="module")
def by_hand() -> Iterator[duckdb.DuckDBPyConnection]:
    """Two runs with the first case of each report of BY_HAND, each case a file, of systems of its
    own."""
    with empty() as con:
        with together(con):
            for number, (report, run) in enumerate(product(BY_HAND, RUNS)):
                add(con, "load_file", [{"file_id": number, "run": run, "kind": "smf"}])
                said = json.loads(FIRSTS[report].read_text(encoding="utf-8"))
                for table, rows in tables_of(said).items():
                    add(con, table, [_of_file(number, row) for row in rows])
        yield con


def _of_file(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    own = {"system": f"{row['system']}{number // 2}"} if "system" in row else {}
    return {**row, "file_id": number, **own}


def test_every_report_is_in_one_of_the_lists() -> None:
    """Of those that are compared each has rows here, of a scenario or by hand."""
    without = {report.id for report in catalog() if not numbers(report)}
    assert without <= NOT_COMPARED <= set(catalog().reports)
    assert not NOT_COMPARED & set(BY_HAND)


def test_no_row_of_a_report_is_lost(store: Store, comparison: Comparison) -> None:
    """What the SQL of a report tells of either run stands in the comparison, once."""
    every = set(catalog().reports) - NOT_COMPARED - set(BY_HAND)
    assert set(comparison.table["report"].to_pylist()) == every
    for name in sorted(every):
        check_rows(store.con, comparison, catalog().get(name))


def test_no_row_of_a_report_by_hand_is_lost(by_hand: duckdb.DuckDBPyConnection) -> None:
    comparison = compare(side(by_hand, "a"), side(by_hand, "b"), BY_HAND)
    assert set(comparison.table["report"].to_pylist()) == set(BY_HAND)
    assert set(comparison.table["delta"].to_pylist()) <= {0.0, None}
    for name in BY_HAND:
        check_rows(by_hand, comparison, catalog().get(name))


def test_screen_and_files_have_the_comparison(
    database: Path,
    comparison: Comparison,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A screen begins with the sentence, a file has every row; the same comparison serves both."""
    monkeypatch.setattr(api, "compare", lambda *_, **__: comparison)
    sides = [f"{database}::{run}" for run in RUNS]
    main(["compare", *sides])
    screen = capsys.readouterr().out.splitlines()
    assert screen[0] == sentence(comparison, causes_of(comparison.table))
    main(["compare", *sides, "-o", str(tmp_path / "all.parquet")])
    assert pq.read_table(tmp_path / "all.parquet").num_rows == comparison.table.num_rows
    main(["compare", *sides, "-o", str(tmp_path / "all.csv")])
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        assert sum(1 for _ in csv.DictReader(file)) == comparison.table.num_rows


def test_a_run_against_itself_says_so(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", f"{database}::a", f"{database}::a"])
    assert capsys.readouterr().out == (
        "Both sides are the same records: there is no difference to tell.\n"
    )


@pytest.fixture(scope="module")
def altered(database: Path) -> Iterator[Store]:
    """The same runs with the fields of ALTERED doubled, their records with other hashes."""
    file = database.with_name("altered.duckdb")
    shutil.copy(database, file)
    with duckdb.connect(str(file)) as con:
        con.execute("UPDATE load_file SET sha256 = sha256 || 'x', sample = sample || 'x'")
        con.execute("UPDATE load_record SET hash_low = hash_low + 1")
        for each in ALTERED:
            doubled = ", ".join(f"{field} = 2 * {field}" for field in each.fields)
            con.execute(f"UPDATE {each.table} SET {doubled}")
    with api.connect(file) as store:
        yield store


@cache
def lineages_of(report: str) -> Mapping[str, Step]:
    return lineages(report)


def leaves_of(report: str, column: str) -> set[str]:
    """The fields behind a column."""
    return {leaf.name for leaf in lineages_of(report)[column].leaves()}


def test_what_is_altered_is_told_and_nothing_else(store: Store, altered: Store) -> None:
    """Twice as much is worse, half as much better, and known beyond noise; what does not come from
    the altered fields is the same."""
    fields = {f"{each.table}.{field}" for each in ALTERED for field in each.fields}
    reports = [*(each.report for each in ALTERED), "rmf.cpu", "ims.logger"]
    sides = [side(store.con, "a"), side(altered.con, "a")]
    for factor, verdict in ((2.0, "worse"), (0.5, "better")):
        rows = compare(*sides, reports).table.to_pylist()
        sides.reverse()
        assert {row["report"] for row in rows} == set(reports)
        for each in ALTERED:
            moved = [
                row
                for row in rows
                if (row["report"], row["column"]) == (each.report, each.column) and row["base"]
            ]
            assert moved, each
            for row in moved:
                assert row["candidate"] == pytest.approx(factor * row["base"]), row
                assert row["delta_pct"] == pytest.approx(100 * factor - 100), row
            verdicts = {row["verdict"] for row in moved}
            assert verdict in verdicts <= {verdict, "unclear"}, each
        moved_columns = {(row["report"], row["column"]) for row in rows if row["delta"]}
        assert [each for each in sorted(moved_columns) if not fields & leaves_of(*each)] == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"system": "SYS9"}, r"x\.duckdb: no system 'SYS9'"),
        ({"start": "2030-01-01"}, r"x\.duckdb::a: nothing begins in that time"),
        ({"end": "2001-01-01"}, r"x\.duckdb::a: nothing begins in that time"),
    ],
)
def test_what_neither_side_has_is_an_error(
    database: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ReportError, match=message):
        api.compare(f"{database}::a", f"{database}::b", **options)


def test_times_choose_intervals(database: Path) -> None:
    """Three of the nine that begin from 09:00:00 to 09:00:08."""
    times = {"start": "2018-05-15T09:00:03", "end": "2018-05-15T09:00:06"}
    table = api.compare(f"{database}::a", f"{database}::b", ["rmf.cpu"], **times).table
    systems = pc.extract_regex(table["key"], "system=(?P<name>[^,]*)").to_pylist()
    assert {each["name"] for each in systems} == {"SYS0", "SYSX", "SYS2", "SYS3", "SYS4"}
    assert {*table["n_base"].to_pylist(), *table["n_candidate"].to_pylist()} == {3}
