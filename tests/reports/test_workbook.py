"""The workbook of a run: typed cells, an index that leads to sheets, charts, colours."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa
import pytest
from report_database import sample, with_tables

from imsperf.errors import ReportError
from imsperf.reports.comparison.compare import SCHEMA, Comparison
from imsperf.reports.comparison.verdicts import EXCURSION
from imsperf.reports.filter import Filter
from imsperf.reports.run import run
from imsperf.reports.workbook import write_workbook

HOSTILE = "=HYPERLINK(1)"
NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def compared() -> Comparison:
    """Two rows of which one is worse."""
    words = dict.fromkeys(SCHEMA.names)
    rows: list[dict[str, Any]] = [
        {**words, "report": "rmf.device", "key": "0101", "column": "resp_ms", "unit": "ms",
         "better": "lower", "base": 1.0, "candidate": 2.0, "delta_pct": 100.0, "rank": 1,
         "verdict": "worse", "note": "", "samples": "intervals"},
        {**words, "report": "rmf.device", "key": "0102", "column": "resp_ms", "unit": "ms",
         "better": "lower", "base": 1.0, "candidate": 1.0, "delta_pct": 0.0, "rank": 2,
         "verdict": "same", "note": "", "samples": "intervals"},
    ]  # fmt: skip
    nothing = pa.table({name: pa.array([], pa.string()) for name in
                        ("topic", "item", "base", "candidate")})  # fmt: skip
    noon = datetime(2026, 3, 3, 12)
    far = {**dict.fromkeys(EXCURSION.names), "report": "rmf.device", "key": "0102",
           "column": "disc_ms", "unit": "ms", "verdict": "worse", "base": 0.001, "candidate": 5.79,
           "delta_pct": 578_900.0, "intervals": 1, "first": noon, "last": noon}  # fmt: skip
    return Comparison(
        pa.Table.from_pylist(rows, schema=SCHEMA),
        nothing,
        excursions=pa.Table.from_pylist([far], schema=EXCURSION),
    )


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbook of a sample in which a volume has a name that looks like a formula."""
    path = tmp_path_factory.mktemp("workbook") / "w.xlsx"
    with sample() as con:
        con.execute("UPDATE smf74_1_device SET smf74ser = $1 WHERE smf74ser = 'OLDS01'", [HOSTILE])
        write_workbook(con, Filter("t"), path, reports=("rmf.device",), comparison=compared())
    return path


def cells(path: Path, sheet: str) -> dict[str, tuple[str, Any]]:
    """Kind and value of each cell, read from the file's own XML."""
    with zipfile.ZipFile(path) as file:
        names = re.findall(r'<sheet name="([^"]+)"', file.read("xl/workbook.xml").decode())
        at = f"xl/worksheets/sheet{names.index(sheet) + 1}.xml"
        rows = ElementTree.fromstring(file.read(at)).iter(f"{NAMESPACE}c")
        return {each.attrib["r"]: (each.get("t", "n"), "".join(each.itertext())) for each in rows}


def number_form(path: Path, sheet: str, cell: str) -> str:
    """The number format of a cell."""
    with zipfile.ZipFile(path) as file:
        names = re.findall(r'<sheet name="([^"]+)"', file.read("xl/workbook.xml").decode())
        at = f"xl/worksheets/sheet{names.index(sheet) + 1}.xml"
        found = ElementTree.fromstring(file.read(at)).find(f".//{NAMESPACE}c[@r='{cell}']")
        styles = ElementTree.fromstring(file.read("xl/styles.xml"))
    assert found is not None
    used = styles.findall(f"{NAMESPACE}cellXfs/{NAMESPACE}xf")[int(found.attrib["s"])]
    forms = {
        form.attrib["numFmtId"]: form.attrib["formatCode"]
        for form in styles.findall(f"{NAMESPACE}numFmts/{NAMESPACE}numFmt")
    }
    return forms[used.attrib["numFmtId"]]


def test_index_leads_to_every_sheet(book: Path) -> None:
    with zipfile.ZipFile(book) as file:
        names = re.findall(r'<sheet name="([^"]+)"', file.read("xl/workbook.xml").decode())
        links = re.findall(r'location="\'([^"]+)\'!A1"', file.read(
            "xl/worksheets/sheet1.xml").decode())  # fmt: skip
    assert names == ["Index", "What changed", "Charts", "Key figures", "rmf.device", "Columns"]
    assert links == ["What changed", "Charts", "rmf.device", "Columns"]


def test_cells_are_typed(book: Path) -> None:
    """Numbers at full precision, times as days since 1899-12-30, a formula in a name is text."""
    with sample() as con:
        rows = run(con, "rmf.device").table.to_pylist()
    found = cells(book, "rmf.device")
    heads = {value.split("\n")[0]: re.sub(r"\d", "", at) for at, (_, value) in found.items()
             if at.endswith("4") and re.fullmatch(r"[A-Z]+4", at)}  # fmt: skip
    by_name = {column.name: heads[column.heading] for column in run_columns()
               if column.heading in heads}  # fmt: skip
    kind, value = found[f"{by_name['resp_ms']}5"]
    assert kind == "n" and float(value) == pytest.approx(rows[0]["resp_ms"], rel=1e-14)
    kind, value = found[f"{by_name['interval_start']}5"]
    told = datetime(1899, 12, 30) + timedelta(days=float(value))
    assert kind == "n" and abs(told - rows[0]["interval_start"]) < timedelta(milliseconds=1)
    assert ("inlineStr", HOSTILE) in found.values()
    assert "str" not in {kind for kind, _ in found.values()}  # no formula


def run_columns() -> Any:
    with sample() as con:
        return run(con, "rmf.device").report.shown


def test_key_figures_have_native_charts(book: Path) -> None:
    """Each chart reads the numbers of the sheet beside it, which are those of the report."""
    with sample() as con:
        busy = [row["cpu_busy_pct"] for row in run(con, "rmf.summary").table.to_pylist()]
    found = cells(book, "Key figures")
    (column,) = [re.sub(r"\d", "", at) for at, (_, value) in found.items()
                 if value.startswith("CPU busy")]  # fmt: skip
    shown = [float(found[f"{column}{5 + n}"][1]) for n in range(len(busy))]
    assert shown == pytest.approx(busy)
    with zipfile.ZipFile(book) as file:
        charts = [file.read(name).decode() for name in file.namelist()
                  if name.startswith("xl/charts/chart")]  # fmt: skip
    assert any(f"'Key figures'!${column}$5:${column}${4 + len(busy)}" in chart for chart in charts)


def test_a_sheet_prints_so_that_it_can_be_read(book: Path) -> None:
    """Each page has the headings and the keys of its rows; a page has 260 characters at most, and
    pages of all 32 columns of a volume side by side are two."""
    with zipfile.ZipFile(book) as file:
        overall = file.read("xl/workbook.xml").decode()
        place = re.findall(r'<sheet name="([^"]+)"', overall).index("rmf.device")
        sheet = file.read(f"xl/worksheets/sheet{place + 1}.xml").decode()
    titles = re.findall(r'<definedName name="_xlnm.Print_Titles"[^>]*>([^<]*)<', overall)
    assert "rmf.device!$A:$G,rmf.device!$4:$4" in [title.replace("'", "") for title in titles]
    widths = re.findall(r'<col min="(\d+)" max="(\d+)" width="([\d.]+)"', sheet)
    letters = sum((int(b) - int(a) + 1) * float(w) for a, b, w in widths)
    (pages,) = re.findall(r'<pageSetup [^>]*orientation="landscape"[^>]*>', sheet)
    assert 260 < letters < 520 and 'fitToWidth="2"' in pages and 'fitToHeight="0"' in pages


def test_a_verdict_has_its_colour(book: Path) -> None:
    found = cells(book, "What changed")
    assert (found["A5"][1], found["A6"][1]) == ("worse", "same")
    assert "Worse in 1 interval: disc_ms of " in found["A2"][1]
    assert number_form(book, "What changed", "H5") == "+0.0;-0.0;0.0"
    with zipfile.ZipFile(book) as file:
        text = file.read("xl/worksheets/sheet2.xml").decode()
    assert '<conditionalFormatting sqref="A5:K6">' in text
    assert '$A5="worse"' in text.replace("&quot;", '"')


def test_a_run_without_rows_is_refused(tmp_path: Path) -> None:
    with with_tables({}) as con, pytest.raises(ReportError, match="no report has rows of run 'x'"):
        write_workbook(con, Filter("x"), tmp_path / "x.xlsx")
    assert not (tmp_path / "x.xlsx").exists()


@pytest.mark.slow
def test_libreoffice_opens_it(book: Path, tmp_path: Path) -> None:
    """It converts to a PDF."""
    office = shutil.which("soffice")
    if not office:
        pytest.skip("no LibreOffice on this machine")
    subprocess.run(
        [office, f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless",
         "--convert-to", "pdf", "--outdir", str(tmp_path), str(book)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    assert (tmp_path / "w.pdf").read_bytes().startswith(b"%PDF")
