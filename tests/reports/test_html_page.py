"""The page of a run: it asks for nothing, names stay text, its numbers are the reports'."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from places import TESTS
from report_database import sample, with_tables

from imsperf.database.read_only import ReadOnly
from imsperf.errors import ReportError
from imsperf.reports.catalog import catalog
from imsperf.reports.filter import Filter
from imsperf.reports.html_page import page as page_of
from imsperf.reports.html_page import shown as shown_of
from imsperf.reports.html_page.cells import numbers, printed
from imsperf.reports.html_page.page import page
from imsperf.reports.html_page.timeline import FIGURES, drawn, figures_of
from imsperf.reports.run import run
from imsperf.reports.taken import Taken

HOSTILE = "</script><b onmouseover=alert(1)>&"


@pytest.fixture(scope="module")
def text() -> str:
    """The page of a sample in which a volume has a hostile name."""
    with sample() as con:
        con.execute("UPDATE smf74_1_device SET smf74ser = $1 WHERE smf74ser = 'OLDS01'", [HOSTILE])
        return page(con, Filter("t"), reports=("rmf.device", "rmf.workload"))


_DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', flags=re.DOTALL)


def data_of(text: str) -> dict[str, Any]:
    found = _DATA.search(text)
    assert found
    data: dict[str, Any] = json.loads(found[2])
    return data


def report_of(text: str, report_id: str) -> dict[str, Any]:
    (report,) = [each for each in data_of(text)["reports"] if each["id"] == report_id]
    return report


def column(report: dict[str, Any], name: str) -> list[Any]:
    (given,) = [each for each in report["columns"] if each["name"] == name]
    return values_of(given)


def values_of(given: dict[str, Any]) -> list[Any]:
    """The values of a column, in whichever form they stand in the page."""
    if "rows" in given:
        return [given["same"]] * given["rows"]
    if "words" not in given:
        return list(given["values"])
    return [None if code is None else given["words"][code] for code in given["codes"]]


def test_the_page_asks_for_nothing(text: str) -> None:
    """No address but the name of SVG; only the script and the style that stand in it may run."""
    assert set(re.findall(r"https?://[^\"'<\s]*", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"(src|href)=[\"']?(http|//)", text)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy and policy[1].startswith("default-src 'none';")
    for tag in ("script", "style"):
        (inner,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]


def test_a_hostile_name_stays_text(text: str) -> None:
    """It can end no element; the page has three scripts' ends and its own only."""
    assert HOSTILE not in text and "<b onmouseover" not in text
    assert text.count("</script") == 2
    assert HOSTILE in column(report_of(text, "rmf.device"), "volume")


def test_numbers_are_those_of_the_reports(text: str) -> None:
    """To six digits; each report has its rows, its chart and what its columns are made of."""
    with sample() as con:
        rows = run(con, "rmf.device").table.to_pylist()
    report = report_of(text, "rmf.device")
    for name in ("resp_ms", "rate_per_s"):
        wanted = [row[name] for row in rows]
        assert column(report, name) == [
            None if value is None else pytest.approx(value, rel=1e-5) for value in wanted
        ]
    (resp,) = [each for each in report["columns"] if each["name"] == "pend_ms"]
    assert "sum(" in resp["formula"] and resp["unit"] == "ms" and resp["better"] == "lower"
    assert report["chart"]["mark"] == "bar" and report["needs"] == "74.1"


def test_key_figures_over_time(text: str) -> None:
    """CPU busy is that of the summary; the slowest volume is the largest of an interval, 1.2 ms."""
    figures = {figure["label"]: figure for figure in data_of(text)["figures"]}
    with sample() as con:
        busy = [row["cpu_busy_pct"] for row in run(con, "rmf.summary").table.to_pylist()]
    assert values_of(figures["CPU busy"]["value"]) == [
        pytest.approx(value, rel=1e-5) for value in busy
    ]
    case = json.loads((TESTS / "report_values" / "device_means_per_event.json").read_text())
    with with_tables(case["tables"]) as con, Taken(con, Filter("t")) as taken:
        rows = {
            figure.label: rows for figure, rows in figures_of(taken, catalog().get("rmf.device"))
        }
    slowest = rows["Slowest volume with an I/O a second"]
    assert slowest["value"].to_pylist() == [pytest.approx(1.2)]


def test_a_long_report_is_its_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    """More rows than the page takes: the totals, and it says so."""
    monkeypatch.setattr(shown_of, "MOST_ROWS", 3)
    with sample() as con:
        report = report_of(page(con, Filter("t"), reports=("rmf.device",)), "rmf.device")
        keys = {row["device"] for row in run(con, "rmf.device").table.to_pylist()}
    assert report["note"].startswith("Instead of ")
    assert len(column(report, "device")) == len(keys)


def test_what_is_not_well_comes_first(text: str) -> None:
    """The first line of a damaged run says what is lost; a good one that nothing is."""
    assert data_of(text)["health"][0].startswith("1 file, ")
    with sample() as con:
        con.execute(
            "INSERT INTO load_problem (file_id, severity, reason, byte_offset, bytes)"
            " VALUES (1, 'data_loss', 'bad_rdw', 100, 50)"
        )
        data = data_of(page(con, Filter("t"), reports=("rmf.device",)))
    assert not data["healthy"]
    assert data["health"][1:] == [
        "Data lost in the files once, 50 bytes; SELECT * FROM load_problem"
    ]


@pytest.mark.parametrize(("dumps", "names"), [("", "files"), ("a.dump", "doctor")])
def test_what_names_suspect_records_takes_what_was_asked(dumps: str, names: str) -> None:
    """`imsperf files` reads a database, `imsperf doctor` a dump."""
    with sample() as con:
        con.execute(
            "INSERT INTO load_problem (file_id, record_no, severity) VALUES (1, 1, 'suspect')"
        )
        asked: Any = ReadOnly(con)
        asked.in_place = dumps
        (said,) = data_of(page(asked, Filter("t"), reports=("rmf.device",)))["health"][1:]
    assert said == f"1 suspect record is in the tables; `imsperf {names}` names it"


def test_text_of_many_rows_stands_once(text: str) -> None:
    """The system of every row is one word of the column."""
    columns = {each["name"]: each for each in report_of(text, "rmf.device")["columns"]}
    rows = len(columns["resp_ms"]["values"])
    assert columns["system"]["same"] == "PRODSYSA" and columns["system"]["rows"] == rows


def test_a_report_that_fails_fails_the_page() -> None:
    """Only records that are not there leave a report out: a system that nobody has is an error."""
    with sample() as con, pytest.raises(ReportError, match="no system 'NOWHERE'"):
        page(con, Filter("t", "NOWHERE"), reports=("rmf.device",))


def test_a_run_without_rows_is_refused() -> None:
    with with_tables({}) as con, pytest.raises(ReportError, match="no report has rows of run 'x'"):
        page(con, Filter("x"))


def opened(text: str, folder: Path, view: str) -> str:
    """The elements of the page in headless Chromium, opened at `#view`; nothing on its console."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("no Chromium on this machine")
    (folder / "page.html").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            f"--user-data-dir={folder / 'profile'}",
            "--virtual-time-budget=3000",
            "--enable-logging=stderr",
            "--dump-dom",
            f"{(folder / 'page.html').as_uri()}#{view}",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "CONSOLE" not in done.stderr
    return done.stdout


def test_a_browser_shows_it(text: str, tmp_path: Path) -> None:
    """Headless Chromium: no error, the open report has its rows, the hostile name is text."""
    shown = opened(text, tmp_path, "rmf.device")
    assert '<details class="report card" id="rmf.device" open="">' in shown
    assert "&lt;/script&gt;&lt;b onmouseover=alert(1)&gt;&amp;" in shown
    assert shown.count("<b onmouseover") == 0


def test_a_browser_heads_what_differs_between_the_sides(text: str, tmp_path: Path) -> None:
    """A reader sees which of two values is of the base."""
    data = data_of(text)
    differs = {"topic": "load", "item": "IMS transactions/s", "base": "4617", "candidate": "4704"}
    data["comparison"] = {"sentence": "-", "caution": "", "rows": [], "differences": [differs]}
    words = json.dumps(data).replace("<", "\\u003c")
    shown = opened(_DATA.sub(lambda found: found[1] + words + found[3], text), tmp_path, "")
    row = "".join(f"<th>{name}</th>" for name in differs)
    assert f"<thead><tr>{row}</tr></thead>" in shown


def test_numbers_are_printed_as_the_script_prints_them() -> None:
    """From 1,000 on whole, half up; else six digits; a T is a space in times alone."""
    numbers = [None, 0.0, 5.0, 0.123456789, 999.9999, 1000.5, 12345678.9, -1000.5, 1e-7, 2e-6]
    words = ["-", "0", "5", "0.123457", "1,000", "1,001", "12,345,700", "-1,001", "1e-7"]
    assert printed(pa.chunked_array([numbers])) == [*words, "0.000002"]
    assert printed(pa.chunked_array([[1234567, 0]])) == ["1,234,567", "0"]
    assert printed(pa.chunked_array([["IMSTRAN", None]])) == ["IMSTRAN", "-"]
    assert printed(pa.chunked_array([[datetime(2026, 3, 2, 9)]])) == ["2026-03-02 09:00:00"]


def test_a_browser_prints_what_python_prints(text: str, tmp_path: Path) -> None:
    """Each cell: `imsperf serve` and the page show the same."""
    (rows,) = [report for report in data_of(text)["reports"] if report["id"] == "rmf.workload"]
    shown = opened(text, tmp_path, "rmf.workload")
    body = shown.partition('id="rmf.workload"')[2].partition("<tbody>")[2].partition("</tbody>")[0]
    cells = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in body.split("</tr>")[:-1]]
    with sample() as con:
        table = run(con, "rmf.workload", keep=Filter("t")).shown
    for place, column in enumerate(rows["columns"]):
        expected = [html.escape(word, quote=False) for word in printed(table[column["name"]])]
        assert [row[place] for row in cells] == expected[: len(cells)], column["name"]


@pytest.mark.slow
def test_a_browser_sorts_filters_and_zooms(text: str, tmp_path: Path) -> None:
    """The address says how: largest response first, of one volume; all charts of two minutes."""
    device = report_of(text, "rmf.device")
    volumes, responses = column(device, "volume"), column(device, "resp_ms")
    (other, *_) = [name for name in volumes if name not in (None, HOSTILE)]
    wanted = sorted(
        (r for v, r in zip(volumes, responses, strict=True) if v == other), reverse=True
    )
    shown = opened(text, tmp_path, f"rmf.device&sort=-resp_ms&filter={other}")
    table = shown.partition('id="rmf.device"')[2].partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in table.split("</tr>")[:-1]]
    place = [each["name"] for each in device["columns"]].index("resp_ms")
    assert [float(row[place]) for row in rows] == [pytest.approx(r, rel=1e-5) for r in wanted]
    assert f"{len(wanted)} of {len(volumes)} rows" in shown and 'aria-sort="descending"' in shown
    times = sorted({at for f in data_of(text)["figures"] for at in values_of(f["at"])})
    zoomed = opened(text, tmp_path, f"&from={times[0]}&to={times[-1]}")
    assert "Show all of the time" in zoomed and f"{times[0][11:16]} to " in zoomed


PRESSED = {  # from and to in minutes, of 12 intervals of 2 minutes
    "+": (5.5, 16.5),  # half of 22 minutes around the middle
    "++": (8.25, 13.75),
    "++++": (9.625, 12.375),  # as +++: half of that has no interval, a window two at least
    "++-": (5.5, 16.5),
    "+-": None,
    "++0": None,
    "RRR+": (0, 11),  # the third interval is read, 4 minutes
    "LL+": (11, 22),  # the last but one, 20
    "+RRRRRRR": (7, 18),  # from the first that is seen, 6, on to 18, which the window follows
}


@pytest.mark.slow
def test_a_chart_is_zoomed_by_the_keyboard(text: str, tmp_path: Path) -> None:
    """Keys for the first chart over time, which a script of the test presses; all charts follow.
    What is read stands beside it. The second chart has an hour without records: its line is cut."""
    data = data_of(text)
    begins = [f"2026-03-02T10:{minute:02}:00" for minute in range(0, 24, 2)]
    columns = {"system": ["A"] * 12, "at": begins, "value": [*range(12)]}
    data["figures"][0] |= {name: {"values": values} for name, values in columns.items()}
    later = [*begins[:6], *(at.replace("T10", "T11") for at in begins[6:])]
    data["figures"][1] |= {n: {"values": v} for n, v in (columns | {"at": later}).items()}
    script = """
        const svg = document.querySelector(".charts svg");
        const press = key => svg.dispatchEvent(new KeyboardEvent("keydown", {key}));
        const names = {R: "ArrowRight", L: "ArrowLeft"};
        setTimeout(() => {
          svg.focus();
          const told = KEYS.map(keys => {
            press("0");
            for (const key of keys) press(names[key] || key);
            return window_.from === null ? null : [window_.from, window_.to].map(
              time => (time - at("2026-03-02T10:00:00")) / 60000);
          });
          const lines = [...document.querySelectorAll(".charts svg")].map(
            svg => svg.querySelectorAll("polyline").length);
          const all = JSON.stringify([told, tip.textContent, lines.slice(0, 2)]);
          document.body.append(el("pre", {id: "told"}, all));
        }, 1000);
    """.replace("KEYS", json.dumps([*PRESSED]))
    whole = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    given = json.dumps(data).replace("<", "\\u003c")
    whole = re.sub(r'(id="data">).*?(</script>)', lambda m: m[1] + given + m[2], whole, flags=re.S)
    shown = opened(f"{whole}<script>{script}</script>", tmp_path, "")
    told = re.search(r'<pre id="told">(.*?)</pre>', shown)
    assert told
    windows, read, lines = json.loads(told[1])
    assert windows == [window and list(window) for window in PRESSED.values()]
    assert lines == [1, 2]
    assert read == "2 Mar 10:18\nA  9 " + data["figures"][0]["unit"]


def test_reports_that_a_filter_leaves_out_are_listed() -> None:
    """The latches of the sample are of the IMS system PRDA, its volumes of PRODSYSA."""
    wanted = ("rmf.device", "ims.latches")
    with sample() as con:
        every = data_of(page(con, Filter("t"), reports=wanted))
        narrowed = data_of(page(con, Filter("t", system="PRODSYSA"), reports=wanted))
    assert every["leftOut"] == ""
    assert [report["id"] for report in narrowed["reports"]] == ["rmf.device"]
    assert narrowed["leftOut"] == "Without rows of this system and time: ims.latches."


def test_nothing_is_wider_than_a_phone(text: str) -> None:
    """Columns of a grid that are wider than 342 px, 390 less the margins, would scroll."""
    least = re.findall(r"minmax\((\d+)px", text)
    assert "minmax(min(420px, 100%), 1fr)" in text
    assert least and all(int(width) <= 342 for width in least)


@pytest.mark.parametrize("less", [500, 4_000])
def test_the_page_has_a_largest_size(less: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit is shown in a smaller form, and the report says so."""
    wanted = ("rmf.device", "rmf.workload", "rmf.channel", "ims.latches", "rmf.cpu")
    with sample() as con:
        whole = page(con, Filter("t"), reports=wanted)
        most = len(whole.encode()) - less
        monkeypatch.setattr(page_of, "MOST_BYTES", most)
        small = page(con, Filter("t"), reports=wanted)
    assert len(small.encode()) <= most
    assert {r["id"] for r in data_of(small)["reports"]} == {*wanted}
    cut = [r for r in data_of(small)["reports"] if r["note"]]
    assert cut and all("`imsperf " in r["note"] for r in cut)
    assert not [r for r in data_of(whole)["reports"] if r["note"]]


def test_ten_thousand_systems_are_sixteen_lines() -> None:
    """Those with the largest value; median, least and largest are of all."""
    systems = [f"S{n:05}" for n in range(10_000)]
    table = pa.table(
        {
            "system": systems,
            "began": ["2026-03-02T09:00:00"] * len(systems),
            "value": [float(n) for n in range(len(systems))],
        }
    )
    data = drawn(FIGURES[0], table)
    assert values_of(data["system"]) == systems[-16:]
    assert (data["least"], data["middle"], data["most"]) == (0, 4999.5, 9999)
    assert data["note"] == "16 of 10,000 systems, those with the largest value."


def test_a_year_of_intervals_is_the_largest_of_each_day() -> None:
    """35,040 quarters of an hour of one system; each day its last is the largest."""
    begin = datetime(2026, 1, 1)
    times = [begin + timedelta(minutes=15 * n) for n in range(35_040)]
    table = pa.table(
        {
            "system": ["SYSA"] * len(times),
            "began": [f"{time:%Y-%m-%dT%H:%M:%S}" for time in times],
            "value": [float(n) for n in range(len(times))],
        }
    )
    data = drawn(FIGURES[0], table)
    assert values_of(data["value"]) == [float(96 * day + 95) for day in range(365)]
    assert values_of(data["at"])[:2] == ["2026-01-01T00:00:00", "2026-01-02T00:00:00"]
    assert data["note"] == "Each point is the largest value of a day."


def test_numbers_have_six_digits() -> None:
    """As Python rounds them; 0, NULL, infinite, tiny and huge ones, too."""
    given = [0.0, 1234567.8, -0.000123456789, 99.99996, 1e-20, 2.5e21, None, float("inf"), 3.0]
    wanted = [0.0, 1234570.0, -0.000123457, 100.0, 1e-20, 2.5e21, None, None, 3.0]
    assert numbers(pa.chunked_array([pa.array(given, pa.float64())])).to_pylist() == wanted
