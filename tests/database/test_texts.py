"""Displays and members beside dumps: loaded with them, once; a bad one does not stop the dumps."""

from __future__ import annotations

from pathlib import Path

import pytest

import imsperf
from imsperf.errors import DumpError
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load as scenario

HSP = {"sched.preload": "on", "sched.preinit": "on", "pdse.hsp_mb": 256}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with all texts that `cobol` has."""
    path = tmp_path_factory.mktemp("texts") / "run"
    made = generate(scenario("cobol", HSP | {"clients": 40}), path, seconds=1)
    assert {file.name for file in made.paths} == {file.name for file in path.iterdir()}
    return path


def test_a_generated_run_is_read_back(folder: Path, tmp_path: Path) -> None:
    """What is written is what the scenario has: 26 options, nine modules, and so on."""
    imsperf.load(folder, db=tmp_path / "r.duckdb", run="r")
    with imsperf.connect(tmp_path / "r.duckdb") as store:

        def rows(sql: str) -> list[tuple[object, ...]]:
            return store.con.execute(sql).fetchall()

        given = scenario("cobol")
        modules = [(row["module"],) for row in given.table("preload")]
        assert rows("SELECT module FROM preload_module ORDER BY module_no") == modules
        parameters = {row["parameter"]: row["value"] for row in given.table("region_parameters")}
        parameters |= {"PREINIT": "M1", "PWFI": "N", "PRLD": "00"}
        assert dict(rows("SELECT parameter, value FROM region_parameter")) == parameters
        options = {row["option"]: row["value"] for row in given.table("sms_options")}
        assert dict(rows("SELECT option, value FROM sms_option")) == options
        held = "SELECT data_set FROM pdse_library WHERE is_eligible AND is_always"
        assert rows(held) == [("IMSPERF.COBOL.PGMLIB",)]
        size = "SELECT count(*), max(hiperspace_bytes) FROM pdse_library"
        assert rows(size) == [(9, 256 * 1048576.0)]
        knob = "SELECT value FROM run_config WHERE section = 'displays' AND key = 'pdse.hsp_mb'"
        assert rows(knob) == [("256",)]
        assert rows("SELECT module FROM preinit_module") == [("CEELRRIN",)]


def test_a_text_is_entered_once_and_a_bad_one_is_told(folder: Path, tmp_path: Path) -> None:
    bad = folder / "zz_hspstats.txt"
    bad.write_text("PDSE HSPSTATS Start of Report\n---Cache--\nSYS1.A  Y  N\n", encoding="utf-8")
    db = tmp_path / "r.duckdb"
    first = {file.path.name: file for file in imsperf.load(folder, db=db, run="r")}
    again = [file.path.name for file in imsperf.load(folder, db=db, run="r") if not file.skipped]
    bad.unlink()
    assert first["sms_options.txt"].records == 26
    (problem,) = first[bad.name].problems
    assert "line 3, column 13: found 3 values, expected 4" in problem.detail
    assert again == [bad.name]


def test_a_text_can_be_named_and_is_then_refused(folder: Path, tmp_path: Path) -> None:
    db, text = tmp_path / "r.duckdb", tmp_path / "dis.txt"
    (file,) = imsperf.load(folder / "DFSMPR.jcl", db=db, run="r")
    assert (file.run, file.records) == ("r", 27)
    text.write_text("TRAN CLS ENQCT\nA 1 0\n", encoding="utf-8")
    with pytest.raises(DumpError, match="line 1, column 15: found no QCT"):
        imsperf.load(text, db=db, run="r")


def test_a_lake_takes_texts_too(folder: Path, tmp_path: Path) -> None:
    imsperf.load(folder, db=tmp_path / "lake", run="r", parquet=True)
    with imsperf.connect(tmp_path / "lake") as store:
        assert store.con.execute("SELECT count(*) FROM region_parameter").fetchall() == [(27,)]
