"""The package as Python users meet it: names, reading without a database, the document."""

from __future__ import annotations

import inspect
import re
import struct
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import second_writer as writer
from dump_files import log, smf
from evidence_files import record_bytes
from places import CHECKOUT

import imsperf
from imsperf import api
from imsperf.cli.options import _READ_OPTIONS
from imsperf.errors import DumpError, LayoutError
from imsperf.parsers.options import ReadKeywords, ReadOptions
from imsperf.parsers.read import read_file

DEVICES = record_bytes("smf74_1 record")[4:]
CPU = record_bytes("smf70_1 record")[4:]
PLAIN = [smf(240, None, bytes([n]) * 40) for n in range(5)]


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "smf.dump"
    path.write_bytes(writer.rdw([*PLAIN, CPU, DEVICES, CPU]))
    return path


def plain(value: Any) -> Any:
    """INTERVAL comes from DuckDB as months, days, nanoseconds."""
    if isinstance(value, pa.MonthDayNano):
        assert not value.months
        return timedelta(days=value.days, microseconds=value.nanoseconds / 1000)
    return value


def test_names_of_the_package() -> None:
    for name in imsperf.__all__:
        assert getattr(imsperf, name) is getattr(api, name)
        assert name in dir(imsperf)
    with pytest.raises(AttributeError, match="no attribute 'laod'"):
        _ = imsperf.laod


def test_options_are_declared_once() -> None:
    """An editor completes the keywords, so they and their types are those of the dataclass."""

    def keywords(options: Any) -> dict[str, str]:
        return {name: hint.__forward_arg__ for name, hint in options.__annotations__.items()}

    assert keywords(ReadKeywords) == ReadOptions.__annotations__
    for function in (api.read, api.load, api.extract, read_file):
        options = inspect.signature(function).parameters["options"]
        assert (options.kind.name, options.annotation) == ("VAR_KEYWORD", "Unpack[ReadKeywords]")
    for function in (api.report, api.run_report, api.report_parts):
        options = inspect.signature(function).parameters["options"]
        assert (options.kind.name, options.annotation) == ("VAR_KEYWORD", "Unpack[ReportOptions]")
    assert set(_READ_OPTIONS) < set(ReadOptions.__annotations__)


def test_a_misspelt_option_is_told(dump: Path, tmp_path: Path) -> None:
    wrong: Any = {"sytem": "SYSA"}
    calls: list[Callable[[], Any]] = [
        lambda: api.read(dump, **wrong),
        lambda: api.load(dump, tmp_path / "r.duckdb", **wrong),
        lambda: api.extract(dump, tmp_path / "out", **wrong),
        lambda: read_file(dump, 1, **wrong),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"option 'sytem'.*did you mean system\?"):
            call()
    assert list(tmp_path.iterdir()) == [dump]
    api.load(dump, tmp_path / "r.duckdb", run="t")
    with api.connect(tmp_path / "r.duckdb") as store:
        for function in (api.run_report, lambda *a, **o: list(api.report_parts(*a, **o))):
            with pytest.raises(TypeError, match=r"option 'sytem'.*did you mean system\?"):
                function(store, "rmf.cpu", **wrong)


def test_tables_hold_what_the_bytes_say(dump: Path) -> None:
    """Devices as the triplet of the 74.1 record counts them: at +36 behind the RDW and header."""
    _, _, number = struct.unpack_from(">IHH", DEVICES, 36 - 4 + 8)
    reading = imsperf.read(dump)
    tables = reading.tables()
    assert tables["smf74_1_header"]["record_no"].to_pylist() == [7]
    assert tables["smf74_1_device"].num_rows == number > 0
    assert tables["smf70_1_header"]["record_no"].to_pylist() == [6, 8]
    assert tables["smf_raw"]["record_no"].to_pylist() == [1, 2, 3, 4, 5]
    (file,) = reading.files
    assert (file.name, file.kind, file.framing) == (str(dump), "smf", "rdw")
    assert (file.records, file.kept, file.file_id) == (8, 8, 1)
    assert reading.problems == []


def test_equal_to_a_database(dump: Path, tmp_path: Path) -> None:
    imsperf.load(dump, db=tmp_path / "r.duckdb", run="one")
    with imsperf.connect(tmp_path / "r.duckdb") as store:
        for name, rows in imsperf.read([dump]).tables().items():
            keys = [
                (name, "ascending")
                for name in ("record_no", "section_no")
                if name in rows.column_names
            ]
            there, rows = imsperf.query(store, f"FROM {name}").sort_by(keys), rows.sort_by(keys)
            assert there.column_names == rows.column_names
            assert [list(map(plain, row.values())) for row in there.to_pylist()] == [
                list(row.values()) for row in rows.to_pylist()
            ], name


def test_batches_come_once_and_in_bounded_parts(dump: Path) -> None:
    reading = imsperf.read(dump, types="70.1")
    pairs = list(reading)
    assert {name for name, _ in pairs} >= {"smf70_1_header", "smf70_1_cpu"}
    assert all(isinstance(batch, pa.RecordBatch) for _, batch in pairs)
    assert not any(name.startswith(("smf74", "load_")) for name, _ in pairs)
    assert list(reading) == [] and reading.tables() == {}
    assert reading.files[0].kept == 2


def test_selection_is_that_of_load(dump: Path) -> None:
    assert imsperf.read(dump, types=["smf:74.1"]).table("smf70_1_cpu").num_rows == 0
    assert imsperf.read(dump, system="NONE").tables() == {}


def test_tables_without_rows_and_unknown_ones(dump: Path) -> None:
    reading = imsperf.read(dump, types="240")
    empty = reading.table("smf74_1_device")
    assert empty.num_rows == 0 and "smf74cnn" in empty.column_names
    assert reading.table("ims_raw").num_rows == 0
    with pytest.raises(LayoutError, match="smf74_1_devise"):
        reading.table("smf74_1_devise")


def test_a_notebook_shows_what_was_read(dump: Path, tmp_path: Path) -> None:
    """A row for each file once it is read, none before; a name with markup is text."""
    hostile = tmp_path / "a<b>&.smf"
    hostile.write_bytes(dump.read_bytes())
    reading = imsperf.read(hostile)
    before = reading._repr_html_()
    assert "Nothing is read yet" in before and "a&lt;b&gt;&amp;.smf" in before
    assert reading.tables()  # showing it decoded nothing
    after = reading._repr_html_()
    assert after.count("<tr>") == 2 + 1 + len(reading.tables())
    assert f"<td>{reading.files[0].records}</td>" in after
    assert "<b>" not in after


def test_several_files_and_what_is_none(dump: Path, tmp_path: Path) -> None:
    second = tmp_path / "ims.log"
    second.write_bytes(b"".join(log(1, 3, n) for n in (1, 2, 5)))
    other = tmp_path / "notes.txt"
    other.write_text("nothing here")
    passed = []
    reading = imsperf.read(tmp_path, passed_over=lambda path, why: passed.append(path.name))
    assert sorted(reading.tables()["ims_raw"]["file_id"].to_pylist()) == [1, 1, 1]
    assert [Path(file.name).name for file in reading.files] == ["ims.log", "smf.dump"]
    assert passed == ["notes.txt"]
    assert [problem.reason for problem in reading.problems] == ["lsn_gap"]
    with pytest.raises(DumpError):
        imsperf.read(other).tables()


def test_report_from_a_path_or_an_open_store(dump: Path, tmp_path: Path) -> None:
    db = tmp_path / "r.duckdb"
    imsperf.load(dump, db=db, run="one")
    by_path = imsperf.report("rmf.cpu", db, run="one")
    with imsperf.connect(db) as store:
        assert imsperf.report("rmf.cpu", store).equals(by_path)
        page = imsperf.run_report(store, "rmf.cpu")
    assert page.table.equals(by_path) and by_path.num_rows > 0


def test_the_document_runs(
    dump: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its examples, one after the other, where its file is."""
    words = (CHECKOUT / "docs" / "python.md").read_text(encoding="utf-8")
    monkeypatch.chdir(dump.parent)
    names: dict[str, object] = {}
    for code in re.findall(r"^```python\n(.*?)^```", words, re.MULTILINE | re.DOTALL):
        exec(code, names)
    printed = capsys.readouterr().out
    assert "8 rdw" in printed and "resp_ms" in printed
    assert set(imsperf.__all__) <= set(re.findall(r"^\| `(\w+)\(", words, re.MULTILINE))
