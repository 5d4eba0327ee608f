"""Runs of a database: listed, renamed, removed; what other runs brought stays as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
import second_writer as writer
from evidence_files import record_bytes

from imsperf import api
from imsperf.cli import main

DEVICES = record_bytes("smf74_1 record")[4:]
CPU = record_bytes("smf70_1 record")[4:]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `alone.duckdb`, which has run two, and `r.duckdb`, which has run one beside it:
    a processor and a device record; run two has the device record alone."""
    folder = tmp_path_factory.mktemp("runs")
    for run, records in (("two", [DEVICES]), ("one", [CPU, DEVICES])):
        dump = folder / f"{run}.smf"
        dump.write_bytes(writer.rdw(records))
        api.load([dump], folder / "r.duckdb", run=run)
        if run == "two":
            shutil.copy(folder / "r.duckdb", folder / "alone.duckdb")
    return folder


@pytest.fixture
def db(loaded: Path, tmp_path: Path) -> Path:
    return shutil.copy(loaded / "r.duckdb", tmp_path / "r.duckdb")


def rows_of(db: Path) -> dict[str, int]:
    """Rows of every table that has some."""
    with duckdb.connect(str(db), read_only=True) as con:
        names = [
            name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        ]
        counts = {
            name: con.execute(f'SELECT count(*) FROM "{name}"').fetchall()[0][0] for name in names
        }
    return {name: count for name, count in counts.items() if count}


def test_runs_are_listed(db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["runs", "--db", str(db), "--format", "csv"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("run,files,records,bytes,smf_first,smf_last,log_first_utc")
    assert [line.split(",")[:3] for line in lines[1:]] == [["two", "1", "1"], ["one", "1", "2"]]


def test_a_renamed_run_has_its_rows(db: Path) -> None:
    before = rows_of(db)
    main(["runs", "--db", str(db), "--rename", "one", "monday"])
    assert rows_of(db) == before
    with api.connect(db) as store:
        devices = api.run_report(store, "rmf.device", run="monday").table
        assert devices.num_rows and set(devices["run"].to_pylist()) == {"monday"}


def test_a_removed_run_leaves_what_the_other_brought(db: Path, loaded: Path) -> None:
    """The same tables as those of a database in which the run never was."""
    main(["runs", "--db", str(db), "--remove", "one"])
    assert rows_of(db) == rows_of(loaded / "alone.duckdb")
    with api.connect(db) as store:
        assert api.run_report(store, "rmf.device").table["run"].to_pylist()[0] == "two"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--remove", "on"], "no run 'on'"),
        (["--rename", "one", "two"], "'two' is there already"),
        (["--rename", "one", " "], "no new name"),
        (["--remove", "one", "--rename", "one", "x"], "expected one of them"),
    ],
)
def test_wrong_names_change_nothing(
    db: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows_of(db)
    with pytest.raises(SystemExit):
        main(["runs", "--db", str(db), *words])
    assert said in capsys.readouterr().err and rows_of(db) == before
