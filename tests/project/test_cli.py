"""Every command: what it prints, where, and its exit code; and what bad input says."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from second_writer import cut, rdw, rdw_starts, zero_rdw

from imsperf.cli import COMMANDS, main

GENERATE = ["generate", "tps-100k", "--seconds", "4", "--every", "2s", "--sample", "1000"]


class Done:
    """Result of one command run in this process."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.out)))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def call(*words: object) -> Done:
        code: object = 0
        try:
            main([str(word) for word in words])
        except SystemExit as end:
            code = end.code
        printed = capsys.readouterr()
        return Done(int(code or 0), printed.out, printed.err)  # type: ignore[call-overload]

    return call


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dumps of four simulated seconds."""
    folder = tmp_path_factory.mktemp("dumps") / "monday"
    with pytest.MonkeyPatch.context():
        main([*GENERATE, "--out", str(folder)])
    return folder


@pytest.fixture(scope="module")
def db(dumps: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A database with that run."""
    file = tmp_path_factory.mktemp("db") / "runs.duckdb"
    main(["load", str(dumps), "--db", str(file)])
    yield file


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run, command: str) -> None:  # type: ignore[no-untyped-def]
    """Help begins with an imperative sentence and shows how it is called."""
    done = run(command, "--help")
    assert done.code == 0
    assert "Examples:" in done.out
    assert f"imsperf {command}" in done.out


def test_near_names_are_suggested(run) -> None:  # type: ignore[no-untyped-def]
    done = run("lod")
    assert (done.code, done.out) == (2, "")
    assert "did you mean load?" in done.err


def test_inspect_has_the_columns_scripts_rely_on(run, dumps: Path) -> None:  # type: ignore[no-untyped-def]
    done = run("inspect", dumps, "--format", "csv")
    assert ",".join(done.rows[0]) == (
        "file,kind,system,type,subtype,records,bytes,first,last,subsystem"
    )
    seen = {(row["kind"], row["type"], row["subtype"]) for row in done.rows}
    assert {("smf", "2", ""), ("smf", "70", "1"), ("smf", "74", "1"), ("ims", "45", "0E")} <= seen
    assert "bdw_rdw" in done.err


def test_load_keeps_a_ledger_of_all_records(run, db: Path, dumps: Path) -> None:  # type: ignore[no-untyped-def]
    """Counts by type are those of inspect; the run is the folder's name."""
    done = run("query", "--db", db, "--format", "csv", "SELECT sum(records) AS n FROM load_count")
    total = sum(int(row["records"]) for row in run("inspect", dumps, "--format", "csv").rows)
    assert int(done.rows[0]["n"]) == total
    assert run(
        "query", "--db", db, "--format", "csv", "SELECT DISTINCT run FROM load_file"
    ).rows == [{"run": "monday"}]


@pytest.mark.parametrize("words", [("--system", "SYSX"), ("--types", "99.6")])
def test_a_load_of_nothing_says_so(
    run, dumps: Path, tmp_path: Path, words: tuple[str, str]
) -> None:  # type: ignore[no-untyped-def]
    done = run("load", dumps, "--db", tmp_path / "none.duckdb", *words)
    assert done.code == 0 and "nothing was loaded: no record is of the system" in done.err
    again = run("load", dumps, "--db", tmp_path / "all.duckdb")
    assert "nothing was loaded" not in again.err


def test_a_run_may_have_any_name(run, dumps: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """`=`, markup, brackets: in the table of all runs and of one, in the order of their loads."""
    db, names = tmp_path / "n.duckdb", ["z=1 <b>[x]::y", "=cmd|calc"]
    for name in names:
        assert run("load", dumps, "--db", db, "--run", name).code == 0
    for wanted in ([], names):
        done = run("table", *wanted, "--db", db, "--format", "csv")
        assert done.code == 0, done.err
        # csv puts an apostrophe before what a spreadsheet would take for a formula
        assert list(dict.fromkeys(row["column"] for row in done.rows)) == [names[0], f"'{names[1]}"]


@pytest.mark.parametrize(("command", "suffix"), [("html", ".html"), ("workbook", ".xlsx")])
def test_a_document_has_its_suffix(
    run, db: Path, tmp_path: Path, command: str, suffix: str
) -> None:  # type: ignore[no-untyped-def]
    done = run(command, "--db", db, "-o", tmp_path / "x.foo")
    assert done.code == 2 and f"expected a name ending in {suffix}" in done.err
    assert not (tmp_path / "x.foo").exists()


def test_loading_again_adds_nothing(run, db: Path, dumps: Path) -> None:  # type: ignore[no-untyped-def]
    count = "SELECT count(*) AS n FROM ims_5937"
    before = run("query", "--db", db, "--format", "csv", count).out
    done = run("load", dumps, "--db", db)
    assert done.code == 0
    assert "not loaded again" in done.err
    assert run("query", "--db", db, "--format", "csv", count).out == before


def test_report_list_and_forms(run, db: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert "rmf.device" in run("report", "--db", db).out
    rows = run("report", "rmf.device", "--db", db, "--format", "csv").rows
    listed = json.loads(run("report", "rmf.device", "--db", db, "--format", "json").out)
    assert len(rows) == len(listed) > 400
    assert float(rows[0]["resp_ms"]) == listed[0]["resp_ms"]
    for name in ("a.csv", "a.json", "a.md", "a.html", "a.xlsx", "a.parquet", "a.txt"):
        assert run("report", "rmf.cpu", "--db", db, "-o", tmp_path / name).code == 0
        assert (tmp_path / name).stat().st_size > 500


def test_report_selection(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    """--from and --to are local times of the interval start; --total makes one row."""
    every = run("report", "rmf.partition", "--db", db, "--format", "csv").rows
    starts = sorted({row["interval_start"] for row in every})
    assert len(starts) == 2
    later = run("report", "rmf.partition", "--db", db, "--from", starts[1], "--format", "csv").rows
    assert {row["interval_start"] for row in later} == {starts[1]}
    total = run("report", "rmf.partition", "--db", db, "--total", "--format", "csv").rows
    assert len(total) == len(every) / 2
    day = run("report", "rmf.partition", "--db", db, "--interval", "1d", "--format", "csv").rows
    assert {row["interval_start"] for row in day} == {starts[0]}
    assert not run("report", "rmf.cpu", "--db", db, "--tod", "23:58-23:59", "--format", "csv").rows
    top = ("--total", "--top", "3", "--by", "rate_per_s", "--format", "csv")
    rates = [float(row["rate_per_s"]) for row in run("report", "rmf.device", "--db", db, *top).rows]
    assert len(rates) == 3 and rates == sorted(rates, reverse=True)


def test_what_is_not_there_is_named(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    """Exit code 1 and the near one, in each command that takes a run or a system."""
    for words, near in (
        (("report", "rmf.cpu", "--db", db, "--system", "SYSAB"), "SYSA"),
        (("report", "rmf.cpu", "--db", db, "--run", "munday"), "monday"),
        (("chart", "rmf.cpu", "--db", db, "-o", "x.svg", "--system", "SYSAB"), "SYSA"),
        (("chart", "rmf.cpu", "--db", db, "-o", "x.svg", "--run", "munday"), "monday"),
        (("compare", f"{db}::monday", f"{db}::munday"), "monday"),
        (("html", "--db", db, "-o", "x.html", "--base", "munday"), "monday"),
    ):
        done = run(*words)
        assert done.code == 1 and done.out == "" and f"did you mean {near}?" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--interval", "1h", "--total"), "expected one of them"),
        (("--interval", "3s"), "the intervals of SYSA are 2s long"),
        (("--interval", "1s"), "the intervals of SYSA are 2s long"),
        (("--tod", "9-17"), "expected two times of day"),
        (("--tod", "09:00-09:00"), "expected two times of day"),
        (("--by", "mvs_busy_pct"), "--sort mvs_busy_pct sorts all rows"),
        (("--top", "3", "--by", "busy"), "no column 'busy'"),
        (("--where", "busy > 1"), "no column 'busy'"),
        (("--sort", "busy"), "no column 'busy'"),
        (("--interval", "0"), "expected more than 0"),
        (("--from", "2026-03-02T12:00", "--to", "2026-03-02T11:00"), "an end after the begin"),
        (("--where", 'type = "CP"'), "texts in single quotes"),
        (("--where", "type = 5"), "texts in single quotes"),
        (("--where", "type = CP"), "if it is a text: 'CP'"),
        (("--fields", "total:p95", "--by", "tran"), "only ims.transit has"),
    ],
)
def test_what_a_report_refuses(run, db: Path, words: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    done = run("report", "rmf.cpu", "--db", db, *words)
    assert done.code in (1, 2) and done.out == "" and said in done.err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("query", "SELECT * FROM smf70_1"), "did you mean smf70_1_"),
        (("query", "SELEC 1"), "as DuckDB writes it"),
        (("query", "FROM rmf.devices"), "did you mean rmf.device or"),
        (("query", "FROM rmf_devices"), "did you mean rmf_device or"),
        (("query", "FROM ims_messages"), "did you mean ims_message or"),
        (("query", "FROM load_fil"), "did you mean load_file or"),
        (("query", "FROM rmf.pagesp"), "did you mean rmf.page_datasets?"),
        (("query", "DELETE FROM load_file"), "SQL only reads"),
        (("query", "FROM read_csv('x.csv')"), "no other file"),
        (("findings", "--site", "{tmp}/site.toml"), "[device_slow]"),
    ],
)
def test_a_refusal_says_what_to_do(
    run, db: Path, tmp_path: Path, words: tuple[str, ...], hint: str
) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "site.toml").write_text("hello")
    done = run(*(word.format(tmp=tmp_path) for word in words), "--db", db)
    assert done.code == 1 and hint in done.err.split("hint: ")[1]
    if words[0] == "findings":
        assert str(tmp_path / "site.toml") in done.err


def test_files_that_are_not_there(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """A name without a file, and a folder without one."""
    done = run("report", "rmf.cpu", tmp_path / "none.bin")
    assert done.code == 1 and "no such file" in done.err and "check the name" in done.err
    (tmp_path / "empty").mkdir()
    done = run("doctor", tmp_path / "empty")
    assert done.code == 1 and "a folder without files" in done.err


def test_top_goes_by_what_is_sorted(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    """`--top 1 --sort COLUMN` has the rows of `--top 1 --by COLUMN`."""
    words = ("report", "rmf.cpu", "--db", db, "--total", "--format", "csv", "--top", "1")
    by = run(*words, "--by", "mvs_busy_pct")
    assert len(by.out.splitlines()) == 2
    assert run(*words, "--sort", "mvs_busy_pct").out == by.out


def test_list_says_what_a_database_gives(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    """In 100 columns; tps-100k writes no 74.5, and no Fast Path."""
    listed = run("report", "--db", db).out
    assert max(map(len, listed.splitlines())) <= 100
    given, lacking = listed.split("These lack the records beside them:")
    assert "rmf.device" in given and "Which volume is slow" in given
    rows = run("report", "--db", db, "--format", "csv").rows
    for row in rows:
        assert row["id"] in (lacking if row["lacks"] else given)
    for row in [row for row in rows if row["lacks"]][::8]:
        assert run("report", row["id"], "--db", db).code == 1


def test_help_of_a_report(run) -> None:  # type: ignore[no-untyped-def]
    """Question, records, parameters, columns with their fields, one formula; in 100 columns."""
    done = run("report", "rmf.device", "--help")
    assert done.code == 0 and max(map(len, done.out.splitlines())) <= 100
    assert "Which volume is slow" in done.out and "Needs: 74.1" in done.out
    assert "resp_ms [ms], printed as AVG RESP TIME" in done.out and "smf74_1_device" in done.out
    assert "imsperf explain rmf.device.rate_per_s --db FILE" in done.out
    assert "--param conditions" in run("report", "rmf.overview", "--help").out
    assert "Usage:" in run("report", "--help").out
    unknown = run("report", "rmf.devise", "--help")
    assert unknown.code == 1 and "did you mean rmf.device" in unknown.err


def test_reports_of_a_user(run, db: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """--reports makes them peers, --check tests them: exit code 3 where one is wrong."""
    select = "SELECT run, system, interval_start, interval_start_utc, device, volume,\n"
    select += "interval_s -- Seconds\nFROM rmf_device\n"
    head = '/* imsperf report\nid = "my.{0}"\ntitle = "Mine"\n'
    head += 'answers = "Which?"\nkey = ["{1}"]\n*/\n'
    (tmp_path / "good.sql").write_text(head.format("good", "device") + select)
    asked = ("--db", db, "--reports", tmp_path)
    assert "my.good" in run("report", *asked).out
    assert len(run("report", "my.good", *asked, "--format", "csv").rows) > 200
    assert run("report", "--check", *asked).code == 0
    assert run("report", "my.good", "--db", db).code == 1
    (tmp_path / "none.sql").write_text("SELECT 1")
    assert run("report", "--check", *asked).code == 3
    (tmp_path / "bad.sql").write_text(head.format("bad", "system") + select)
    done = run("report", "--check", *asked)
    assert done.code == 3 and "keys have several rows" in done.out
    assert "my.bad" in done.err and "report left out" in done.err


def test_query_binds_parameters(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    """As text, which DuckDB compares with numbers and times; an unknown name is an error."""
    sql = "SELECT count(*) AS n FROM load_file WHERE run = $run AND records > $n"
    given = ("--param", "run=monday", "--param", "n=0")
    done = run("query", "--db", db, sql, *given, "--format", "csv")
    assert int(done.rows[0]["n"]) > 0 and not done.err
    evil = run("query", "--db", db, sql, "--param", "run=' OR true --", "--param", "n=0")
    assert evil.out.split()[-1] == "0"
    unknown = run("query", "--db", db, sql, *given, "--param", "rum=x")
    assert unknown.code == 1 and "did you mean run?" in unknown.err


@pytest.mark.parametrize(
    "words",
    [("report", "rmf.device"), ("report", "rmf.device", "--total"), ("query", "FROM rmf_device")],
)
def test_more_memory_is_taken_where_the_bound_is_too_little(
    run, db: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:  # type: ignore[no-untyped-def]
    """A bound in which DuckDB can do nothing gives the same rows."""
    asked = (*words, "--db", db, "--format", "csv")
    enough = run(*asked)
    monkeypatch.setattr("imsperf.sources._BOUND", "6MB")
    little = run(*asked)
    of_query = sorted if words[0] == "query" else list  # SQL without ORDER BY has none
    lines = [of_query(done.out.splitlines()) for done in (little, enough)]
    assert little.code == 0 and lines[0] == lines[1] and len(enough.rows) > 200


def test_a_terminal_shows_the_first_rows(run, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """500 rows and how many more; a file gets all."""
    assert len(run("query", "--db", db, "FROM range(1700)").out.splitlines()) == 2 + 1700
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    done = run("query", "--db", db, "FROM range(1700)")
    assert done.out.split()[-1] == "499"
    assert "1,200 more rows" in done.err and "1,700 rows in" in done.err


@pytest.mark.parametrize(("columns", "widest"), [("72", 72), ("80", 80), ("200", 100)])
def test_running_text_fits_a_terminal(  # type: ignore[no-untyped-def]
    run, db: Path, monkeypatch: pytest.MonkeyPatch, columns: str, widest: int
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", columns)
    listed = [len(line) for line in run("report", "--db", db).out.splitlines()]
    assert widest - 20 < max(listed) <= widest


def test_a_long_query_is_no_path(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    """More letters than a file name may have."""
    sql = "SELECT " + " + ".join(["1"] * 200) + " AS n"
    assert run("query", "--db", db, "--format", "csv", sql).rows == [{"n": "200"}]


def test_sql_in_a_file_of_another_code_page_is_named(run, db: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Windows writes such files, and a byte order mark before UTF-8."""
    file = tmp_path / "busy.sql"
    file.write_bytes("SELECT 'M\u00fcller' AS name".encode("cp1252"))
    done = run("query", "--db", db, "-f", file)
    assert done.code == 1 and "busy.sql: found byte 0xfc at 9, expected text in UTF-8" in done.err
    file.write_bytes("SELECT 'M\u00fcller' AS name".encode("utf-8-sig"))
    done = run("query", "--db", db, "-f", file, "--format", "csv")
    assert done.rows == [{"name": "M\u00fcller"}]


def test_query_is_read_only(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    done = run("query", "--db", db, "DELETE FROM load_file")
    assert done.code == 1
    assert "read-only" in done.err
    assert run("query", "--db", db, "SELECT 1; SELECT 2 AS two", "--format", "csv").rows == [
        {"two": "2"}
    ]


def test_query_touches_no_file(run, db: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """SQL of a user neither writes nor reads files, least of all the database."""
    before = db.read_bytes()
    for sql in (
        f"COPY (SELECT 1 AS a) TO '{db}'",
        f"COPY (SELECT 1 AS a) TO '{tmp_path / 'new.csv'}'",
        "SELECT * FROM read_csv('/etc/hostname')",
    ):
        assert run("query", "--db", db, sql).code == 1
    assert db.read_bytes() == before
    assert not list(tmp_path.iterdir())


def test_a_folder_says_what_it_passes_over(run, dumps: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """A file of a folder that is no dump is named, not skipped in silence."""
    db, folder = tmp_path / "x.duckdb", tmp_path / "in"
    shutil.copytree(dumps, folder)
    (folder / "empty.bin").write_bytes(b"")
    for words in (["inspect"], ["load", "--db", db], ["report", "rmf.cpu"]):
        done = run(*words, folder)
        assert done.code == 0
        assert done.err.count("passed over") == 1 and "empty.bin" in done.err
        assert "run.toml" not in done.err


def test_a_folder_says_what_it_holds_that_is_no_file(run, dumps: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Folders in a folder and links to nothing are not read, and that is said."""
    db, folder = tmp_path / "x.duckdb", tmp_path / "in"
    shutil.copytree(dumps, folder / "older")
    (folder / ".hidden").mkdir()
    for words in (["inspect"], ["doctor"], ["load", "--db", db]):
        done = run(*words, folder)
        assert done.code == 1
        inside = f"1 folder in it: older; name each, or all of them: '{folder}/*/'"
        assert inside in done.err, words
    assert run("inspect", f"{folder}/*/").code == 0
    (folder / "notes.txt").write_text("of no use")
    for words in (["load", "--db", db], ["extract", "-o", tmp_path / "some.bin", "--types", "70"]):
        assert "passed over: " in (done := run(*words, folder)).err and "notes.txt" in done.err
    (folder / "notes.txt").unlink()
    (folder / "lost.bin").symlink_to(folder / "nothing")
    (folder / "smf.bin").write_bytes(next(dumps.glob("*.smf.vbs")).read_bytes())
    for words in (
        ["inspect"],
        ["doctor"],
        ["load", "--db", db],
        ["report", "rmf.cpu"],
    ):
        done = run(*words, folder)
        assert done.code == 0
        told = [line for line in done.err.splitlines() if line.startswith("passed over: ")]
        assert len(told) == 2, words
        assert "lost.bin: found a link to nothing" in told[0]
        assert "1 folder in it: older" in told[1]


@pytest.mark.parametrize(
    "form", ["html", pytest.param("svg", marks=pytest.mark.slow), "png", "json"]
)
def test_chart(run, db: Path, tmp_path: Path, form: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / f"chart.{form}"
    assert run("chart", "rmf.device", "--db", db, "-o", file).code == 0
    assert file.stat().st_size > 2000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rmf.device", "--where", "resp_ms > 1"), "resp_ms is a value"),
        (("rmf.device", "--where", "vol = 'X'"), "did you mean volume?"),
        (("rmf.device", "--where", "volume = 'X'"), "no row has volume = 'X'"),
        (("rmf.workload", "--where", "kind = 'report'"), "its chart is of rows with"),
        (("--finding", "device_slow", "--from", "2026-03-02"), "found --from with --finding"),
        (("--sql", "FROM load_count", "--run", "monday"), "found --run with --sql"),
        (("rmf.device", "-o", "-"), "expected a name"),
    ],
)
def test_what_a_chart_refuses(run, db: Path, words: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    output = () if "-o" in words else ("-o", "x.png")
    done = run("chart", *words, "--db", db, *output)
    assert done.code in (1, 2) and done.out == "" and said in done.err


def test_a_chart_of_chosen_names(run, db: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    every, some = tmp_path / "every.json", tmp_path / "some.json"
    assert run("chart", "rmf.device", "--db", db, "-o", every).code == 0
    where = "volume LIKE 'OLDS%'"
    assert run("chart", "rmf.device", "--db", db, "-o", some, "--where", where).code == 0
    assert "S60$" in every.read_text()
    assert "OLDS" in some.read_text() and "S60$" not in some.read_text()


def test_a_minus_is_standard_output(
    run, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    """Where a command prints; no command writes a file of that name."""
    monkeypatch.chdir(tmp_path)
    printed = run("report", "rmf.cpu", "--db", db, "--format", "csv")
    named = run("report", "rmf.cpu", "--db", db, "--format", "csv", "-o", "-")
    assert printed.out == named.out != ""
    assert run("html", "--db", db, "-o", "-").code == 2
    assert run("load", db, "--db", "-").code == 2
    assert not [*tmp_path.iterdir()]


def test_compare_a_run_with_itself(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    """The same records are known before a report is asked; a named report shows its rows, too."""
    said = "Both sides are the same records"
    done = run("compare", "monday", "monday", "--db", db)
    assert done.code == 0 and done.out.startswith(said)
    done = run("compare", f"{db}::monday", f"{db}::monday", "--format", "csv")
    assert done.rows == [] and said in done.err
    rows = run("compare", "monday", "monday", "--db", db, "--report=rmf.cpu", "--format=csv").rows
    assert rows and all(float(row["delta"] or 0) == 0 for row in rows)


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "monday", "monday", "--report=rmf.cpu"),
        ("findings",),
        ("html", "-o", "{tmp}/x.html", "--report=rmf.cpu"),
        ("workbook", "-o", "{tmp}/x.xlsx", "--report=rmf.cpu"),
    ],
)
def test_a_time_of_day_of_whole_runs(run, db: Path, tmp_path: Path, words: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    words = tuple(word.format(tmp=tmp_path) for word in words)
    done = run(*words, "--db", db, "--tod", "9-17")
    assert done.code == 1 and "expected two times of day" in done.err


def test_names_alone_are_runs_of_a_database(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    """A name that is neither a run nor a file is told with the runs that there are, and without
    --db with what to type."""
    done = run("compare", "monday", "munday", "--db", db)
    assert done.code == 1 and "'munday'" in done.err and "monday" in done.err
    done = run("compare", "monday", "tuesday")
    assert done.code == 1 and "monday" in done.err and "--db" in done.err


def test_with_a_database_its_run_is_meant(
    run, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    """A folder often has the name of the run that was loaded from it."""
    (tmp_path / "monday").mkdir()
    monkeypatch.chdir(tmp_path)
    done = run("compare", "monday", "mon*", "--db", db)
    assert done.code == 0, done.err


@pytest.mark.parametrize("words", [("compare", "a.duckdb", "b.duckdb"), ("findings", "a.dump")])
def test_a_long_command_says_first_that_it_cannot_write(run, tmp_path: Path, words) -> None:  # type: ignore[no-untyped-def]
    """Before it looks at its databases, which are not there."""
    for output, said in (
        (tmp_path / "x.foo", "no format for suffix"),
        (tmp_path / "no" / "x.csv", "no folder"),
    ):
        done = run(*words, "-o", output)
        assert done.code == 1 and said in done.err


def test_dict_knows_what_people_call_a_report(run) -> None:  # type: ignore[no-untyped-def]
    done = run("dict", "PAGESP", "--format", "csv")
    assert {row["report"] for row in done.rows} == {"rmf.page_datasets"}


def test_dict_knows_what_reports_print_above_a_column(run) -> None:  # type: ignore[no-untyped-def]
    """A heading or words of it; beside fields whose meaning has the word, the columns are named."""
    rows = run("dict", "resp time", "--format", "csv").rows
    assert ("rmf.device", "resp_ms", "AVG RESP TIME") in {
        (row["report"], row["column"], row["heading"]) for row in rows
    }
    done = run("dict", "IOSQ", "--format", "csv")
    assert "rmf_device" in {row["table"] for row in done.rows}
    assert "printed under that heading: rmf.device.iosq_ms, " in done.err


def test_dict_and_scenarios_and_model(run) -> None:  # type: ignore[no-untyped-def]
    rows = run("dict", "smf70pdt", "--format", "csv").rows
    assert [row["table"] for row in rows] == ["smf70_1_processor"]
    assert "project-defined" in run("dict", "ims_4507").out
    for words in (("scenarios",), ("scenarios", "--variants")):
        lines = run(*words).out.splitlines()
        assert any(line.startswith("tps-100k ") for line in lines)
        assert max(map(len, lines)) <= 100
    assert "cics.release=2.3" in run("scenarios", "--variants").out
    assert {"scenario", "title", "settings"} == set(run("scenarios", "--format", "csv").rows[0])
    assert "xcf.messages_per_schedule" in run("scenarios", "tps-100k").out
    metrics = {r["metric"] for r in run("model", "tps-100k", "--format", "csv").rows}
    assert {"etr_per_s", "cpu_busy_pct", "bottleneck", "region.unexplained_ms"} <= metrics
    swept = run("model", "tps-100k", "--sweep", "dasd.channel_paths=8:16:3", "--format", "csv").rows
    assert {float(r["sweep_value"]) for r in swept} == {8, 12, 16}


# --- bad input: one clear message, exit 1, database unchanged ---------------------------------


BAD = {
    "missing": (["load", "{tmp}/none.bin", "--db", "{tmp}/x.duckdb"], "none.bin"),
    "empty": (["load", "{tmp}/empty.bin", "--db", "{tmp}/x.duckdb"], "empty"),
    "jpeg": (["load", "{tmp}/photo.jpg", "--db", "{tmp}/x.duckdb"], "photo.jpg"),
    "folder of nothing": (["load", "{tmp}/nothing", "--db", "{tmp}/x.duckdb"], "nothing"),
    "scenario": (["generate", "tps-100", "--out", "{tmp}/o"], "tps-100k"),
    "variant": (["model", "tps-100k@rb1-befor"], "rb1-before"),
    "knob": (["model", "tps-100k", "--set", "dasd.chanel_paths=8"], "dasd.channel_paths"),
    "knob value": (["model", "tps-100k", "--set", "dasd.channel_paths=many"], "dasd.channel_paths"),
    "report": (["report", "rmf.cpuu", "--db", "{db}"], "rmf.cpu"),
    "report column": (["query", "--db", "{db}", "SELECT resp_m FROM rmf_device"], "resp_m"),
    "not a database": (["report", "--db", "{tmp}/photo.jpg"], "photo.jpg"),
    "an empty file as a dump": (
        ["report", "rmf.cpu", "{tmp}/empty.bin"],
        "empty.bin: found an empty file",
    ),
    "an empty file as a database": (
        ["report", "rmf.cpu", "--db", "{tmp}/empty.bin"],
        "empty.bin: found an empty file, expected an SMF dump or an IMS log, or a database",
    ),
    "an empty file as a side": (
        ["compare", "{tmp}/empty.bin", "{db}::monday"],
        "empty.bin: found an empty file",
    ),
    "an empty file to load into": (
        ["load", "{dumps}", "--db", "{tmp}/empty.bin"],
        "empty.bin: found an empty file, expected a database",
    ),
    "a dump to load into": (
        ["load", "{dumps}", "--db", "{tmp}/photo.jpg"],
        "photo.jpg: found a file that is no database",
    ),
    "a database to load": (["load", "{db}", "--db", "{tmp}/x.duckdb"], "found a DuckDB database"),
    "a database to inspect": (["inspect", "{db}"], "found a DuckDB database"),
    "neither": (["report", "--db", "{tmp}/photo.jpg"], "found a JPEG image, expected an SMF dump"),
    "not ours": (["load", "{dumps}", "--db", "{tmp}/other.duckdb"], "other.duckdb"),
    "newer": (["report", "--db", "{tmp}/newer.duckdb"], "upgrade"),
    "no database": (["report", "--db", "{tmp}/none.duckdb"], "none.duckdb"),
    "format": (["report", "rmf.cpu", "--db", "{db}", "-o", "{tmp}/a.docx"], ".docx"),
    "run": (["compare", "{db}::monday", "{db}::mondy"], "monday"),
    "lookup": (["dict", "smf70pdx"], "smf70pdt"),
    "codepage": (["load", "{dumps}", "--db", "{tmp}/x.duckdb", "--codepage", "cp9"], "cp9"),
    "profile": (
        ["load", "{dumps}", "--db", "{tmp}/x.duckdb", "--profile", "imsperf-9"],
        "imsperf-1",
    ),
}


@pytest.mark.parametrize("command", ["html", "workbook", "findings"])
def test_a_system_that_is_not_there_is_named_first(
    run, db: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    """Before any report is made, and not as the fault of one."""
    monkeypatch.setattr("imsperf.reports.run.ask", lambda *query, **given: pytest.fail("a report"))
    done = run(command, "--db", db, "--system", "SYSB")
    assert done.code == 1 and f"{db}: no system 'SYSB'" in done.err and "SYSA" in done.err


@pytest.fixture(scope="module")
def bad_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp = tmp_path_factory.mktemp("bad")
    (tmp / "empty.bin").write_bytes(b"")
    (tmp / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)) * 40)
    (tmp / "nothing").mkdir()
    with duckdb.connect(str(tmp / "other.duckdb")) as con:
        con.execute("CREATE TABLE mine (a INTEGER)")
    with duckdb.connect(str(tmp / "newer.duckdb")) as con:
        con.execute("CREATE TABLE imsperf_meta (key VARCHAR, value VARCHAR)")
        con.execute("INSERT INTO imsperf_meta VALUES ('schema_version', '999')")
    return tmp


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_message(  # type: ignore[no-untyped-def]
    run, case: str, bad_files: Path, db: Path, dumps: Path
) -> None:
    words, expected = BAD[case]
    before = db.read_bytes()
    done = run(*(word.format(tmp=bad_files, db=db, dumps=dumps) for word in words))
    assert done.code == 1, done.err
    assert done.err.startswith("imsperf: error: ")
    assert "Traceback" not in done.err
    assert expected in done.err
    assert "hint: " in done.err
    assert db.read_bytes() == before
    assert not (bad_files / "x.duckdb").exists()


def test_damage_is_counted_and_the_rest_loads(run, dumps: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """A cut record, a record length of 0: the rest loads, exit 0; with --strict nothing, exit 1."""
    records = [
        bytes([0x1E, 200]) + bytes(4) + b"\x01\x14\x06\x9f" + b"\xe2" * 30 for _ in range(50)
    ]
    sound = rdw(records)
    broken = {
        "cut.bin": cut(sound, len(sound) - 9),
        "zero.bin": zero_rdw(sound, rdw_starts(records), 20),
    }
    for name, data in broken.items():
        file, target = tmp_path / name, tmp_path / f"{name}.duckdb"
        file.write_bytes(data)
        done = run("load", file, "--db", target, "--strict")
        assert done.code == 1
        assert "byte" in done.err
        assert not target.exists()
        done = run("load", file, "--db", target)
        assert done.code == 0
        assert "bytes lost" in done.err and done.err.splitlines()[-1].startswith("DATA LOST: ")
        again = run("load", file, "--db", tmp_path / "again.duckdb", "--json", "--run", name)
        (told,) = json.loads(again.out)["files"]
        assert (told["bytes"], told["bytes_lost"] > 0) == (len(data), True)
        assert told["problems"][0]["bytes_lost"] <= told["bytes_lost"] < told["bytes"]
        assert run("doctor", file).code == 1 and run("doctor", file, "--strict").code == 3
        sql = "SELECT sum(bytes) AS lost, count(*) AS n FROM load_problem WHERE severity <> 'info'"
        problem = run("query", "--db", target, "--format", "csv", sql).rows[0]
        size = run(
            "query", "--db", target, "--format", "csv", "SELECT sum(bytes) b FROM load_count"
        )
        assert int(problem["n"]) >= 1
        assert int(problem["lost"]) + int(size.rows[0]["b"]) == len(data)


def test_doctor_has_an_exit_code(run, dumps: Path) -> None:  # type: ignore[no-untyped-def]
    assert run("doctor", dumps).code == run("doctor", dumps, "--strict").code == 0
    done = run("doctor", dumps / "nothing")
    assert done.code == 1 and "nothing: cannot be loaded. No such file. Check the name." in done.out
    assert "1 of 1 files damaged or not readable" in done.err


def test_no_command_prints_the_help_in_lines(run) -> None:  # type: ignore[no-untyped-def]
    done = run()
    assert done.code == 2 and "\n  demo " in done.out and "?" not in done.out


def test_the_ledger_names_files_from_the_root(
    run, dumps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    """So `explain` finds them from any folder."""
    monkeypatch.chdir(dumps.parent)
    assert run("load", dumps.name, "--db", tmp_path / "x.duckdb").code == 0
    monkeypatch.chdir(tmp_path)
    where = ("--db", "x.duckdb", "--format", "csv")
    paths = run("query", *where, "SELECT path FROM load_file").rows
    assert paths and all(row["path"].startswith(f"{dumps}{os.sep}") for row in paths)
    done = run("explain", "rmf.device.resp_ms", "--db", "x.duckdb")
    assert "cannot be shown" not in done.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder(run, dumps: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    tmp_path.chmod(0o500)
    done = run("load", dumps, "--db", tmp_path / "x.duckdb")
    assert (done.code, "Traceback" in done.err) == (1, False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk(run, db: Path) -> None:  # type: ignore[no-untyped-def]
    done = run("report", "rmf.cpu", "--db", db, "--format", "csv", "-o", "/dev/full")
    assert done.code == 1
    assert "/dev/full" in done.err or "space" in done.err
    assert "Traceback" not in done.err


def test_killed_load_leaves_the_database_as_it_was(db: Path, dumps: Path, tmp_path: Path) -> None:
    """SIGKILL in the middle of a load: the database opens, with the content it had."""
    file = tmp_path / "runs.duckdb"
    file.write_bytes(db.read_bytes())
    script = (
        "import os, signal, imsperf.database.store as s\n"
        "real = s.Store.append_rows\n"
        "def die(self, table, rows):\n"
        "    if table == 'load_file': os.kill(os.getpid(), signal.SIGKILL)\n"
        "    real(self, table, rows)\n"
        "s.Store.append_rows = die\n"
        "from imsperf.api import load\n"
        f"load([{str(dumps)!r}], {str(file)!r}, run='again')\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, check=False)
    assert done.returncode == -9, done.stderr
    content = "SELECT run, count(*) FROM load_file GROUP BY run"
    with duckdb.connect(str(file), read_only=True) as after:
        assert after.execute(content).fetchall() == [("monday", 2)]
        rows = after.execute("SELECT count(*) FROM ims_5937").fetchall()
    with duckdb.connect(str(db), read_only=True) as before:
        assert before.execute("SELECT count(*) FROM ims_5937").fetchall() == rows


def on_a_terminal(words: list[str], environment: dict[str, str]) -> str:
    """What a program that ends well shows there, of both its streams."""
    import pty

    whole, ours = pty.openpty()
    with subprocess.Popen(words, stdin=ours, stdout=ours, stderr=ours, env=environment) as child:
        os.close(ours)
        printed = b""
        with suppress(OSError):  # Linux ends a terminal that nobody writes to any more so
            while piece := os.read(whole, 1 << 16):
                printed += piece
    os.close(whole)
    assert child.returncode == 0, printed
    return printed.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo terminal")
def test_what_takes_long_says_so_on_a_terminal() -> None:
    """What goes on, once a second has passed; a remark stands on a line of its own."""
    script = (
        "import time\n"
        "from imsperf.cli.screen import note, waiting\n"
        "with waiting('quick'): pass\n"
        "with waiting('compare'):\n"
        "    time.sleep(2.5)\n"
        "    note('a remark')\n"
    )
    words = [sys.executable, "-P", "-c", script]
    shown = on_a_terminal(words, {**os.environ, "TERM": "xterm"})
    assert "compare" in shown and "quick" not in shown
    assert "a remark\r\n" in shown
    piped = subprocess.run(words, capture_output=True, check=True, text=True)
    assert (piped.stdout, piped.stderr) == ("", "a remark\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo terminal")
@pytest.mark.parametrize(("pager", "shown"), [("tr a-z A-Z", "TITLE"), ("", "title")])
def test_text_on_a_terminal_goes_through_the_pager(pager: str, shown: str) -> None:
    """The one that PAGER names, none where it is empty; elsewhere than on a terminal never."""
    words = [sys.executable, "-P", "-m", "imsperf", "scenarios"]
    environment = {**os.environ, "PAGER": pager, "TERM": "xterm"}
    assert shown in on_a_terminal(words, environment).splitlines()[0]
    piped = subprocess.run(words, env=environment, capture_output=True, check=True).stdout
    assert b"title" in piped.splitlines()[0]


def test_a_short_demo(tmp_path: Path, run) -> None:  # type: ignore[no-untyped-def]
    """The first command of the README goes to its end; the slow test holds what it prints."""
    done = run("demo", "--out", tmp_path / "demo", "--seconds", 10)
    assert done.code == 0 and "Go on with:" in done.out
    assert "paths-8 against paths-16, rmf.device, volume S60$01:" in done.out
