"""`imsperf serve`: who may ask, what SQL may do, and that names from dumps stay text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import duckdb
import pytest
from evidence_files import record_bytes
from report_database import sample
from second_writer import vbs
from werkzeug.test import Client, TestResponse

from imsperf import api
from imsperf.database.store import open_store
from imsperf.reports.findings.findings import SCHEMA, Findings
from imsperf.serving.site import MOST_LETTERS, MOST_ROWS, Site

HOST = "127.0.0.1:8421"
TOKEN = "a-token"
DEVICES = record_bytes("smf74_1 record")[4:]
HOSTILE = "<b onmouseover=alert(1)>&"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one run of no records, whose name is markup."""
    file = tmp_path_factory.mktemp("serve") / "r.duckdb"
    with open_store(file, create=True) as store:
        store.con.execute(
            "INSERT INTO load_file (file_id, run, path, kind, records, status)"
            " VALUES (1, $1, 'a.smf', 'smf', 0, 'whole')",
            [HOSTILE],
        )
    return file


@pytest.fixture
def client(db: Path) -> Iterator[Client]:
    """A browser that has opened the printed address."""
    client = Client(Site(db, TOKEN, (HOST, "localhost:8421")))
    opened = get(client, f"/?token={TOKEN}")
    assert opened.status_code == 303 and opened.headers["Location"] == "/"
    cookie = opened.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    yield client


def get(client: Client, path: str, method: str = "GET", **headers: str) -> TestResponse:
    url = f"http://{headers.pop('Host', HOST)}"
    return client.open(path, method=method, base_url=url, headers=headers)


def ask(client: Client, sql: str) -> TestResponse:
    return get(client, "/sql?" + urlencode({"q": sql}))


def test_without_the_token_nothing_is_shown(db: Path) -> None:
    client = Client(Site(db, TOKEN, (HOST,)))
    for path in ("/", "/sql?q=SELECT+1", "/report/rmf.cpu", "/?token=", "/?token=a-tokem"):
        assert get(client, path).status_code == 403
    client.set_cookie("imsperf_8421", "a-tokem", domain="127.0.0.1")
    assert get(client, "/sql").status_code == 403


def test_the_token_leaves_the_address_and_goes_nowhere_else(client: Client) -> None:
    """Facets stay; a path that looks like another server stays a path of this one."""
    kept = get(client, f"/report/rmf.cpu?run=a&token={TOKEN}")
    assert kept.headers["Location"] == "/report/rmf.cpu?run=a"
    away = get(client, f"//evil.example/?token={TOKEN}")
    assert not away.headers["Location"].startswith(("//", "http://evil"))


@pytest.mark.parametrize("host", ["evil.example:8421", "127.0.0.1:8422", "127.0.0.1", "[::1]:8421"])
def test_another_host_is_refused(db: Path, host: str) -> None:
    """A name that a page of another site points here, or another port; the token does not help."""
    client = Client(Site(db, TOKEN, (HOST,)))
    assert get(client, f"/?token={TOKEN}", Host=host).status_code == 403


def test_another_origin_is_refused(client: Client) -> None:
    for origin in ("http://evil.example", "null", "http://localhost:8421", f"https://{HOST}"):
        assert get(client, "/sql", Origin=origin).status_code == 403
    assert get(client, "/sql", Origin=f"http://{HOST}").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_methods_that_could_write_are_refused(client: Client, method: str) -> None:
    assert get(client, "/sql?q=SELECT+1", method).status_code == 405


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("CREATE TABLE x AS SELECT 1", marks=pytest.mark.slow),
        pytest.param("CREATE TEMP TABLE x AS SELECT 1", marks=pytest.mark.slow),
        pytest.param("INSERT INTO load_file (run) VALUES ('x')", marks=pytest.mark.slow),
        "COPY (SELECT 1) TO '{folder}/x'",
        "WITH x AS (COPY load_file TO '{folder}/x') FROM x",
        "ATTACH '{folder}/x'",
        "INSTALL httpfs",
        pytest.param("LOAD httpfs", marks=pytest.mark.slow),
        "PRAGMA database_list",
        "SET enable_external_access = true",
        pytest.param("EXPORT DATABASE '{folder}/x'", marks=pytest.mark.slow),
        pytest.param("SELECT 1; SELECT 2", marks=pytest.mark.slow),
        "FROM read_csv('{secret}')",
        pytest.param("FROM read_text('{secret}')", marks=pytest.mark.slow),
        "FROM '{secret}'",
        pytest.param("FROM glob('{folder}/*')", marks=pytest.mark.slow),
        "FROM query('SELECT 1')",
    ],
)
def test_sql_that_is_more_than_a_select_is_refused(client: Client, db: Path, sql: str) -> None:
    """The database keeps its bytes, no file is made, what another file holds is not shown."""
    secret = db.parent / "secret.csv"
    secret.write_text("hidden-words\n1\n")
    before = db.read_bytes()
    answer = ask(client, sql.format(folder=db.parent, secret=secret))
    assert answer.status_code == 400
    assert "hidden-words" not in answer.text
    assert db.read_bytes() == before and set(db.parent.iterdir()) == {db, secret}


def test_reports_stand_by_their_titles(client: Client) -> None:
    """In the list and above the rows; the page of SQL says that reports are views."""
    assert "<td>Run Configuration</td>" in get(client, "/").text
    shown = get(client, "/report/load.coverage").text
    assert "Coverage: What is loaded, from when to when" in shown
    assert "each report is a view of its name" in get(client, "/sql").text


def test_rows_are_capped_and_it_is_said(client: Client) -> None:
    """A result without an end is not made: the first rows are enough."""
    answer = ask(client, "SELECT range AS n FROM range(1000000000000)")
    assert answer.status_code == 200
    assert answer.text.count('<tr><td class="n">') == MOST_ROWS == 1_000
    assert "The first 1,000 rows." in answer.text
    few = ask(client, f"SELECT range AS n FROM range({MOST_ROWS})")
    assert "1,000 rows." in few.text and "The first" not in few.text.split("</form>")[1]


def test_a_statement_is_stopped_after_its_time(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("imsperf.serving.site.MOST_SECONDS", 0.2)
    answer = ask(client, "SELECT sum(a.range * b.range) FROM range(10000000) a, range(100000) b")
    assert answer.status_code == 400 and "Stopped after 0.2 seconds." in answer.text


def test_a_long_cell_is_cut_and_lines_of_an_error_stay_lines(client: Client) -> None:
    """One value of 50 MB would be a page of 50 MB."""
    answer = ask(client, "SELECT repeat('x', 50000000) AS x")
    assert f"<td>{'x' * MOST_LETTERS} ...</td>" in answer.text and len(answer.text) < 10_000
    assert "<br>LINE 1: SELEC<br>" in ask(client, "SELEC").text


def test_a_report_of_a_near_name_is_named(client: Client) -> None:
    answer = get(client, "/report/rmf.devise")
    assert answer.status_code == 404 and "did you mean rmf.device" in answer.text
    assert "did you mean rmf.page_datasets?" in get(client, "/report/rmf.pagesp").text


def test_markup_stays_text(client: Client) -> None:
    """In cells, headings, the SQL that is shown again, facets, paths and messages."""
    words = HOSTILE.replace("'", "''")
    pages = [
        ask(client, f"SELECT '{words}' AS \"{HOSTILE}\""),
        ask(client, f"SELECT {HOSTILE}</textarea><script>"),
        get(client, "/?" + urlencode({"run": HOSTILE + "x", "system": '"><script>'})),
        get(client, "/report/rmf.cpu?" + urlencode({"from": '"><script>alert(1)</script>'})),
        get(client, "/<script>alert(1)</script>"),
    ]
    assert [page.status_code for page in pages] == [200, 400, 400, 400, 404]
    for page in pages:
        assert "<b " not in page.text and "<script" not in page.text
        assert "default-src 'none'; style-src 'sha256-" in page.headers["Content-Security-Policy"]
        assert page.headers["Cache-Control"] == "no-store"
        assert page.headers["Referrer-Policy"] == "no-referrer"
    assert "&lt;b onmouseover=alert(1)&gt;&amp;" in pages[0].text


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    """A database with the volumes of the sample, two intervals; one has a hostile name."""
    with sample() as con:
        con.execute("UPDATE smf74_1_device SET smf74ser = $1 WHERE smf74ser = 'OLDS01'", [HOSTILE])
        rows = con.execute("SELECT path FROM duckdb_databases() WHERE path IS NOT NULL").fetchall()
    ((source,),) = rows
    file = tmp_path / "devices.duckdb"
    with open_store(file, create=True) as store:
        store.con.execute(f"ATTACH '{source}' AS sample (READ_ONLY)")
        store.con.execute("INSERT INTO load_file BY NAME FROM sample.load_file")
        for table in ("product", "control", "device"):
            name = f"smf74_1_{table}"
            store.con.execute(f"CREATE TABLE IF NOT EXISTS {name} AS FROM sample.{name} LIMIT 0")
            store.con.execute(f"INSERT INTO {name} BY NAME FROM sample.{name}")
    return file


@pytest.mark.slow
def test_a_report_is_narrowed_by_its_address(devices: Path) -> None:
    """Rows of the interval that is asked for, half of all; the page with charts is there."""
    client = Client(Site(devices, TOKEN, (HOST,)))
    get(client, f"/?token={TOKEN}")
    path = "/report/rmf.device?run=t&"
    every = get(client, path)
    later = get(client, path + "from=2026-03-02T10:02")
    none = get(client, path + "system=X")
    count = every.text.count("<tr><td")
    assert count == 2 * later.text.count("<tr><td") > 0
    assert none.text.count("<tr><td") == 0
    assert "&lt;b onmouseover" in every.text and "<b " not in every.text
    slowest = get(client, path + "sort=-resp_ms&where=" + quote("resp_ms > 0.1"))
    assert (
        'href="/report/rmf.device?run=t&amp;where=resp_ms+%3E+0.1&amp;sort=resp_ms"' in slowest.text
    )
    cells = re.findall(r"<tr><td>.*?</tr>", slowest.text, re.DOTALL)
    heads = re.findall(r"sort=-?(\w+)\">", slowest.text)
    place = heads.index("resp_ms")
    values = [float(re.findall(r"<td[^>]*>([^<]*)", row)[place]) for row in cells]
    assert values and values == sorted(values, reverse=True) and values[-1] > 0.1
    assert get(client, path + "sort=resp").status_code == 400
    charts = get(client, "/page?run=t&report=rmf.device")
    assert charts.status_code == 200 and "<script>" in charts.text
    assert charts.headers["X-Frame-Options"] == "DENY"


def test_another_program_can_write_between_two_requests(client: Client, db: Path) -> None:
    """No request leaves the database open."""
    assert ask(client, "SELECT 1").status_code == 200
    with duckdb.connect(str(db)) as con:
        con.execute("SELECT 1")


def test_dumps_stay_decoded_until_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that grew is named once; the next request reads it again. Rules run once a state."""
    dump, ran = tmp_path / "a.smf", []
    dump.write_bytes(vbs([DEVICES], 4096))
    none = Findings(SCHEMA.empty_table(), ("a rule",), ())
    monkeypatch.setattr(api, "findings", lambda *asked, **keep: ran.append(keep) or none)
    site = Site(dump, TOKEN, (HOST,))
    client = Client(site)
    get(client, f"/?token={TOKEN}")
    for _ in range(2):
        assert "1 file, 1 record." in get(client, "/").text
    assert len(ran) == 1
    count = "SELECT count(DISTINCT record_no) AS n FROM smf74_1_device"
    assert '<td class="n">1</td>' in ask(client, count).text
    dump.write_bytes(vbs([DEVICES, DEVICES], 4096))
    changed = ask(client, count)
    assert changed.status_code == 400 and f"{dump}: was changed from" in changed.text
    assert '<td class="n">2</td>' in ask(client, count).text
    assert "1 file, 2 records." in get(client, "/").text and len(ran) == 2
    site.close()
