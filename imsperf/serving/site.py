"""A database, lake or dumps as pages for a browser of the same machine: nothing is ever written.

Who may ask: a request needs the token, which the first address carries and a cookie keeps, and must
be meant for this server: its Host, and its Origin if it has one, are compared as they stand, so
that a page of another site can neither ask nor, by a name that it points here, read. Pages hold no
script of their own, and their content security policy allows none; `/page` is that of
`imsperf html`. Every value passes through a template that escapes it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from importlib.resources import files
from itertools import chain
from pathlib import Path
from threading import Event, Lock, Timer
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import urlencode

import duckdb
import pyarrow as pa
from jinja2 import Environment, StrictUndefined
from werkzeug.wrappers import Request, Response

from imsperf import api
from imsperf.errors import DumpError, ImsperfError, ReportError, near
from imsperf.lake.manifest import HOME
from imsperf.reports.catalog import catalog
from imsperf.reports.comparison.sides import run_names
from imsperf.reports.findings.text import sentence, tested
from imsperf.reports.html_page.cells import other_time, printed
from imsperf.reports.numbers import counted, plain, visible
from imsperf.reports.run import systems
from imsperf.reports.text import is_number
from imsperf.sources import Dumps, Source, is_there, resolved

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

    from imsperf.database.store import Store
    from imsperf.direct import DumpStore
    from imsperf.reports.findings.findings import Findings

MOST_ROWS = 1_000  # of a table
MOST_LETTERS = 1_000  # of a cell
MOST_SECONDS = 60.0  # of a request
_KEPT = 16  # answers of the rules, by what was asked
_INTERVALS = {
    "15m": timedelta(minutes=15),
    "30m": timedelta(minutes=30),
    "1h": timedelta(hours=1),
    "1d": timedelta(days=1),
}
_FACETS = ("run", "system", "from", "to", "interval")
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Site:
    """A WSGI application.

    A request opens a database anew, so that loads between them are seen. Dumps stay open: what one
    request had decoded the next finds, until a file changes. `hosts` are what the Host of a request
    may be: address and port. `token` is asked for.
    """

    def __init__(self, db: Source, token: str, hosts: tuple[str, ...]) -> None:
        self._db, self._token, self._hosts = resolved(db), token, hosts
        self._dumps: DumpStore | None = None
        self._found: tuple[object, dict[str, Findings]] = None, {}
        self._cookie = "imsperf_" + hosts[0].rpartition(":")[2]  # cookies know no port
        self._turn = Lock()  # one request at a time: each may take the memory of a query
        own = files("imsperf.serving").joinpath("site.html").read_text(encoding="utf-8")
        shared = files("imsperf.reports.html_page").joinpath("page.css")
        style = shared.read_text(encoding="utf-8")
        escaping = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        # The style is ours and stands in the template itself: escaping would change its hash.
        self._template = escaping.from_string(own.replace("{{ style }}", style))
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
        self._policy = (
            f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self';"
            " base-uri 'none'; frame-ancestors 'none'"
        )

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request, as WSGI says."""
        request = Request(environ)
        response = self._answer(request)
        response.headers.extend(_HEADERS)
        return response(environ, start)

    def _answer(self, request: Request) -> Response:
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if host not in self._hosts or origin not in (None, f"http://{host}"):
            return Response("This server answers its own pages only.\n", 403)
        if request.method not in ("GET", "HEAD"):
            return Response("This server only reads.\n", 405, {"Allow": "GET, HEAD"})
        given = request.args.get("token")
        if given is not None and self._is_token(given):
            kept = [(key, value) for key, value in request.args.items(True) if key != "token"]
            there = request.path + (f"?{urlencode(kept)}" if kept else "")
            away = Response("", 303, {"Location": "/" + there.lstrip("/")})
            away.set_cookie(self._cookie, self._token, httponly=True, samesite="Strict")
            return away
        if not self._is_token(request.cookies.get(self._cookie, "")):
            return Response("Open the address that `imsperf serve` prints.\n", 403)
        return self._page(request.path, request.args)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _page(self, path: str, asked: Mapping[str, str]) -> Response:
        paths: dict[str, Callable[[Store, Mapping[str, str]], Response]] = {
            "/": self._overview,
            "/page": self._document,
            "/sql": self._sql,
        }
        report_id, late = path.removeprefix("/report/"), Event()
        try:
            if path in paths:
                make = paths[path]
            elif report_id in catalog().reports:
                make = self._report(report_id)
            else:
                lines = [f"There is no page {path}.", catalog().near(report_id)]
                return self._shown("Not found", asked, 404, lines=[w for w in lines if w])
            with self._turn, self._opened() as store:
                limit = Timer(MOST_SECONDS, _stop, (late, store))
                limit.daemon = True
                limit.start()
                try:
                    return make(store, asked)
                finally:
                    limit.cancel()
        except ImsperfError as error:
            words = [error.message, error.hint]
        except (duckdb.Error, RuntimeError) as error:
            words = [str(error)]
        if late.is_set():
            words = [f"Stopped after {MOST_SECONDS:g} seconds.", "Ask for one run or less time."]
        more = {"sql": asked.get("q", ""), "most": MOST_ROWS} if path == "/sql" else {}
        return self._shown("Not shown", asked, 400, lines=[w for w in words if w], **more)

    @contextmanager
    def _opened(self) -> Iterator[Store]:
        if isinstance(self._db, Path):
            with api.connect(self._db, bounded=True) as store:
                yield store
            return
        self._dumps = self._dumps or cast("DumpStore", api.connect(self._db))
        try:
            with self._dumps.again() as store:
                yield store
        except DumpError:  # a file changed: the next request opens them anew
            self.close()
            raise

    def close(self) -> None:
        """Forget the rows of dumps."""
        if self._dumps is not None:
            self._dumps.close()
        self._dumps = None

    def _findings(self, store: Store, keep: Mapping[str, Any]) -> Findings:
        """All rules, again only after a change of the files."""
        before = self._dumps or _state(self._db)
        if self._found[0] != before:
            self._found = before, {}
        known, key = self._found[1], str(keep)
        if key not in known:
            if len(known) == _KEPT:
                known.clear()
            known[key] = api.findings(store, **keep)
        return known[key]

    # --- pages -----------------------------------------------------------------------------------

    def _overview(self, store: Store, asked: Mapping[str, str]) -> Response:
        """What was loaded and whether it is well, findings, reports."""
        keep = _keep(asked)
        names = ("run", "system", "start", "end")
        found = self._findings(store, {name: keep[name] for name in names})
        loaded = api.files(store, run=keep["run"])
        damaged = [row for row in loaded.to_pylist() if row["status"] != "whole"]
        lines = [
            f"{counted(loaded.num_rows, 'file')}, "
            f"{counted(sum(loaded['records'].to_pylist()), 'record')}.",
            *(f"{row['file']} of run {row['run']}: {row['status']}" for row in damaged[:10]),
        ]
        if not damaged:
            lines.append("No file is damaged.")
        rows = [
            {**row, "text": sentence(row), "query": urlencode(_evidence(row))}
            for row in found.table.slice(0, 10).to_pylist()
        ]
        listed = api.reports(store).to_pylist()
        return self._shown(
            "Overview",
            asked,
            lines=lines,
            facets=[facet for facet in _facets(store, asked) if facet.name in _OF_ALL],
            path="/",
            findings=rows,
            tested=tested(found),
            reports=[
                {"report": row["id"], "title": row["title"], "answers": row["answers"]}
                for row in listed
                if row["lacks"] is None
            ],
        )

    def _report(self, report_id: str) -> Callable[[Store, Mapping[str, str]], Response]:
        def make(store: Store, asked: Mapping[str, str]) -> Response:
            interval = asked.get("interval")
            over: dict[str, Any] = {"total": interval == "total"}
            if interval in _INTERVALS:
                over = {"every": _INTERVALS[interval]}
            where, sort = asked.get("where", ""), asked.get("sort", "")
            parts = api.report_parts(store, report_id, where=where, **_keep(asked), **over)
            first = next(parts)
            names = [column.name for column in first.report.shown]
            if sort.removeprefix("-") not in ("", *names):
                hint = near(sort.removeprefix("-"), names)
                raise ReportError(f"{report_id}: no column {sort!r} to sort by", hint)
            tables = chain([first.shown], (part.shown for part in parts))
            table, more = _sorted_rows(tables, sort) if sort else _first_rows(tables)
            lines = [f"{first.report.title}: {first.report.answers}", first.note, *first.remarks]
            if more:
                lines.append(f"The first {MOST_ROWS:,} rows; `imsperf report {report_id}` has all.")
            kept = {name: asked[name] for name in (*_FACETS, "where") if asked.get(name)}
            columns = {column.name: column for column in first.report.shown}
            hidden = other_time(table) | ({"run"} if asked.get("run") else set())
            table = table.drop_columns([name for name in hidden if name in table.column_names])
            return self._shown(
                report_id,
                {**asked, "report": report_id},
                lines=[line for line in lines if line],
                facets=_facets(store, asked),
                path=f"/report/{report_id}",
                sort=sort,
                sorting=urlencode(kept),
                **_cells(
                    table, {name: (c.unit, c.doc) for name, c in columns.items()}, sort, printed
                ),
            )

        return make

    def _sql(self, store: Store, asked: Mapping[str, str]) -> Response:
        """Rows of one SELECT on the connection that is locked; nothing else is taken."""
        sql = asked.get("q", "").strip()
        own: dict[str, Any] = {"sql": sql, "most": MOST_ROWS}
        if not sql:
            return self._shown("SQL", asked, lines=[], **own)
        statements = duckdb.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            lines = ["Expected one SELECT."]
            return self._shown("SQL", asked, 400, lines=lines, **own)
        table, more = _first_rows(api.query_parts(store, sql))
        lines = [f"The first {MOST_ROWS:,} rows." if more else f"{table.num_rows:,} rows."]
        return self._shown("SQL", asked, lines=lines, **own, **_cells(table, {}))

    def _document(self, store: Store, asked: Mapping[str, str]) -> Response:
        """The page of `imsperf html`, of all reports or of one."""
        reports = [asked["report"]] if asked.get("report") else ()
        _, text = api.html_text(store, **_keep(asked), reports=reports)
        return Response(text, 200, mimetype="text/html")  # its policy stands in it

    def _shown(
        self, title: str, asked: Mapping[str, str], status: int = 200, **given: Any
    ) -> Response:
        kept = {name: asked[name] for name in (*_FACETS, "report") if asked.get(name)}
        given["lines"] = [[visible(part) for part in line.split("\n")] for line in given["lines"]]
        text = self._template.render(
            title=title, database=visible(_name(self._db)), query=urlencode(kept), **given
        )
        policy = {"Content-Security-Policy": self._policy}
        return Response(text, status, policy, mimetype="text/html")


def _stop(late: Event, store: Store) -> None:
    """Let it be known that a request was too slow, and end it."""
    late.set()
    store.con.interrupt()


def _name(db: Path | Dumps) -> str:
    if isinstance(db, Path):
        return str(db)
    paths = [db.paths] if isinstance(db.paths, str | Path) else db.paths
    return ", ".join(str(path) for path in paths)


def _state(db: Path | Dumps) -> object:
    """What changes when a database or lake is written to: sizes and times of its files."""
    if not isinstance(db, Path):
        return None
    there = sorted((db / HOME).iterdir()) if db.is_dir() else [db, db.with_name(db.name + ".wal")]
    states = [file.stat() for file in there if is_there(file)]
    return [(state.st_ino, state.st_size, state.st_mtime_ns) for state in states]


def _evidence(row: Mapping[str, Any]) -> dict[str, str]:
    """The run and the time of a finding, as they are asked for."""
    times = {"from": row["first"], "to": row["last"]}
    return {"run": row["run"], **{name: at.isoformat() for name, at in times.items() if at}}


def _keep(asked: Mapping[str, str]) -> dict[str, Any]:
    """Which rows are wanted; an empty field of the form asks for nothing."""
    names = {"run": "run", "system": "system", "start": "from", "end": "to"}
    return {name: asked.get(field) or None for name, field in names.items()}


class Facet(NamedTuple):
    """A field of the form; `choices`: what may be chosen, if that is known."""

    name: str
    label: str
    value: str
    choices: list[str]
    example: str


_OF_ALL = ("run", "system", "from", "to")  # what the overview is narrowed by
_LABELS = {
    "run": ("Run", ""),
    "system": ("System", ""),
    "from": ("From", "2026-03-02T09:00"),
    "to": ("To", "2026-03-02T09:00"),
    "interval": ("Interval", ""),
    "where": ("Only rows where", "resp_ms > 2"),
}


def _facets(store: Store, asked: Mapping[str, str]) -> list[Facet]:
    choices: dict[str, list[str]] = {
        "run": [visible(run) for run in run_names(store.con)],
        "system": [visible(system) for system in systems(store.con)],
        "interval": [*_INTERVALS, "total"],
    }
    return [
        Facet(name, label, asked.get(name, ""), choices.get(name, []), example)
        for name, (label, example) in _LABELS.items()
    ]


def _sorted_rows(parts: Iterable[pa.Table], sort: str) -> tuple[pa.Table, bool]:
    """The MOST_ROWS rows of all that come first by a column, largest first where `sort` begins
    with a minus; those without a value last."""
    name, order = sort.removeprefix("-"), "descending" if sort.startswith("-") else "ascending"
    count, held = 0, list[pa.Table]()
    for part in parts:
        count += part.num_rows
        held = [pa.concat_tables([*held, part]).sort_by([(name, order)]).slice(0, MOST_ROWS)]
    return held[0], count > MOST_ROWS


def _first_rows(parts: Iterable[pa.Table]) -> tuple[pa.Table, bool]:
    """The first MOST_ROWS rows, and whether there are more; no more parts are asked for."""
    held = list[pa.Table]()
    for part in parts:
        held.append(part)
        if sum(table.num_rows for table in held) > MOST_ROWS:
            break
    table = pa.concat_tables(held)
    return table.slice(0, MOST_ROWS), table.num_rows > MOST_ROWS


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} ..."


def _exact(column: pa.ChunkedArray) -> list[str]:
    """Values as SQL gave them, as text."""
    return ["-" if value is None else visible(plain(value)) for value in column.to_pylist()]


def _cells(
    table: pa.Table,
    known: Mapping[str, tuple[str, str]],
    sort: str = "",
    texts: Callable[[pa.ChunkedArray], list[str]] = _exact,
) -> dict[str, Any]:
    """Headings and rows as text, for the template; `known`: unit and meaning of columns. A heading
    knows what sorting by it asks for next: numbers from the largest, words from the first."""
    columns = [[_short(text) for text in texts(column)] for column in table.columns]
    heads = []
    for field in table.schema:
        unit, doc = known.get(field.name, ("", ""))
        number = is_number(field.type)
        down = f"-{field.name}"
        later = field.name if sort == down or (sort != field.name and not number) else down
        mark, order = {
            field.name: (" \u25b2", "ascending"),
            down: (" \u25bc", "descending"),
        }.get(sort, ("", ""))
        heads.append(
            {"name": visible(field.name), "unit": unit, "doc": doc, "number": number}
            | {"later": later, "mark": mark, "order": order}
        )
    return {"heads": heads, "rows": list(zip(*columns, strict=True))}
