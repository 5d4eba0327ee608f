"""The Python interface: read and load dumps, connect, run reports.

    import imsperf

    device = imsperf.read("smf.dump", types="74.1").table("smf74_1_device")
    imsperf.load("smf.dump", db="runs.duckdb", run="monday")
    with imsperf.connect("runs.duckdb") as store:
        store.con.sql("SELECT * FROM rmf_device").pl()
    cpu = imsperf.report("rmf.cpu", "runs.duckdb", run="monday", total=True)

The package itself has the names of `imsperf.__all__`; the rest is here. Nothing heavy is imported
until a function is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from imsperf.asking import ReportOptions, Time, asked, check_run, check_system, time_of, time_of_day
from imsperf.comparing import DocumentOptions, both_sides, check_begun, of_a_run
from imsperf.errors import LayoutError
from imsperf.output_files import written_whole
from imsperf.querying import query_parts as query_parts
from imsperf.querying import with_room
from imsperf.sources import Dumps as Dumps
from imsperf.sources import Paths, Source, connected, database_and_run, heard, is_there
from imsperf.sources import connect as connect

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from imsperf.database.store import Store
    from imsperf.extracting import ExtractedFile
    from imsperf.layouts.profile import Profile
    from imsperf.loading.loaded_file import LoadedFile
    from imsperf.loading.tasks import Merged, Plan, ReadState, Task, TaskReading
    from imsperf.parsers.dump_writer import DumpForm
    from imsperf.parsers.options import ReadKeywords
    from imsperf.reading import Reading
    from imsperf.reports.audit import Audit
    from imsperf.reports.comparison.compare import Comparison
    from imsperf.reports.comparison.release_table import Column
    from imsperf.reports.findings.findings import Findings
    from imsperf.reports.lineage.explanation import Explanation
    from imsperf.reports.run import Result


def read(paths: Paths, **options: Unpack[ReadKeywords]) -> Reading:
    """Decode dumps to Arrow without a database: what `load` puts into tables, batch by batch.

    Iterate over it for pairs of table name and RecordBatch, bounded in memory by `memory` (bytes);
    or take `tables()`, a pyarrow.Table for each, or `table(name)`. `files` and `problems` tell what
    was read and what could not be. For `options` see `imsperf.parsers.options.ReadOptions`.
    Raises DumpError for a file that is no dump, when its turn comes; TypeError for an option that
    is none.
    """
    from imsperf.parsers.options import ReadOptions
    from imsperf.parsers.read import expand_paths
    from imsperf.reading import Reading

    asked = ReadOptions.of(**options)
    return Reading(expand_paths(_listed(paths), asked.passed_over), asked)


def scan(paths: Paths, table: str, **options: Unpack[ReadKeywords]) -> pl.LazyFrame:
    """A table of dumps as a polars LazyFrame, which decodes when it is collected.

    Only the columns that the query uses are decoded, part by part: `collect(engine="streaming")`
    takes more than fits in memory. `options` are those of `read`. Raises LayoutError for a table
    that no layout declares; DumpError, when it is collected, as polars' ComputeError.
    """
    return read(paths, **options).scan(table)


def load(
    paths: Paths,
    db: str | Path,
    *,
    run: str | None = None,
    strict: bool = False,
    unread: str | Path | None = None,
    parquet: bool = False,
    jobs: int | None = None,
    **options: Unpack[ReadKeywords],
) -> list[LoadedFile]:
    """Load dumps into `db` as one transaction: all of them, or the database stays as it was.

    `run` names the measurement (default: the folder a file is in). `strict` makes damage an error.
    Records that the run has already are not added again.
    With `parquet`, or where there is a lake, `db` is the folder of a lake (imsperf.lake.manifest).
    `unread` is a folder for the bytes that could not be read (imsperf.loading.notes).
    `jobs` is the number of DuckDB's threads, of a lake that of processes (imsperf.loading.copies)
    for 300 MB and more.
    `options` are those of `read`.
    Raises DumpError for a file that is no dump, StoreError for a database that cannot be written.
    """
    from imsperf.loading.copies import are_worth_it, is_copied, load_by_copies

    listed, place = _listed(paths), Path(db)
    is_lake, is_stdin = parquet or place.is_dir(), "-" in map(str, listed)
    processes = jobs if jobs is not None and is_lake and not is_stdin else 1
    if processes > 1 and not is_copied() and are_worth_it(listed):
        asks: dict[str, Any] = {"run": run, "strict": strict, "unread": unread, **options}
        return load_by_copies(listed, place, processes, parquet=parquet, **asks)

    from imsperf.loading.load import Job, load_into
    from imsperf.parsers.options import ReadOptions
    from imsperf.parsers.read import expand_paths

    asked = ReadOptions.of(**options)
    job = Job(asked, run, strict, None if unread is None else Path(unread))
    dumps = expand_paths(listed, asked.passed_over)
    if processes > 1 and is_copied():
        from imsperf.loading.jobs import load_by_tasks

        return load_by_tasks(place, dumps, job, processes, create=parquet)
    return load_into(place, dumps, job, parquet=parquet, threads=jobs)


def plan(
    paths: Paths,
    lake: str | Path | None = None,
    *,
    range_bytes: int = 64 << 20,
    run: str | None = None,
    strict: bool = False,
    **options: Unpack[ReadKeywords],
) -> Plan:
    """The tasks of a load of dumps, for `read_task` in any process that sees the same files.

    A task is a range of about `range_bytes` of a dump, or several small dumps, or a packed file.
    What `lake`, if there is one, has of the run already is not read again. `run`, `strict` and
    `options` are those of `load`. Raises DumpError for a file that is no dump.
    """
    from imsperf.lake.commits import ledger_of
    from imsperf.lake.manifest import is_lake, read_manifests
    from imsperf.loading.load import Job
    from imsperf.loading.planning import plan_dumps
    from imsperf.parsers.options import ReadOptions
    from imsperf.parsers.read import expand_paths

    asked = ReadOptions.of(**options)
    dumps = expand_paths(_listed(paths), asked.passed_over)
    place = Path("." if lake is None else lake).resolve()
    parts = read_manifests(place)[1] if lake is not None and is_lake(place) else []
    with ledger_of(place, parts) as ledger:
        made = plan_dumps(ledger, dumps, Job(asked, run, strict), range_bytes)
        return made.number(ledger.next_file_id())


def read_task(task: Task) -> TaskReading:
    """Read a task of a plan: iterate what is returned for (table, rows); then its `state` is what
    `merge` wants. Raises DumpError where a file was changed since the plan was made."""
    from imsperf.loading.tasks import read_task

    return read_task(task)


def merge(plan: Plan, states: Iterable[ReadState]) -> Merged:
    """The rows of the ledger for all that the tasks of a plan read, and rows of records of which
    the pieces stand in several ranges. `states` are the lists that the tasks left, added up.
    `again` are tasks to be read, and then merged, in place of those of the dumps in `dropped`.
    Raises ImsperfError where a state lacks."""
    from imsperf.loading.tasks import merge

    return merge(plan, states)


def extract(
    paths: Paths,
    out: str | Path,
    *,
    form: DumpForm = "rdw",
    force: bool = False,
    strict: bool = False,
    **options: Unpack[ReadKeywords],
) -> list[ExtractedFile]:
    """Write the records of dumps that are wanted, chosen as by `load`, to the dump `out`.

    Records stay as they are, in their order. Those that `load` would not decode because something
    speaks against them are not written; suspect ones are, unless `drop_suspect` leaves them out
    too. What is returned counts and names them; `strict` makes them and all other damage an error.
    `form` is "rdw" (back to back) or "vbs" (blocks; a log: VB). The suffix .gz, .zst or .xz of
    `out` packs it. `force` writes over `out`. `options` are those of `read`, of which raw and
    memory say nothing here.
    Raises DumpError where nothing is wanted, for SMF dumps and logs together, for a file that is
    no dump; then nothing is written.
    """
    from imsperf.extracting import Request, extract_files
    from imsperf.parsers.options import ReadOptions
    from imsperf.parsers.read import expand_paths

    asked = Request(ReadOptions.of(**options), form, force, strict)
    dumps = expand_paths(_listed(paths), asked.options.passed_over)
    return extract_files(dumps, Path(out), asked)


def _listed(paths: Paths) -> Sequence[str | Path]:
    return [paths] if isinstance(paths, str | Path) else paths


def query(store: Store, sql: str, parameters: Mapping[str, Any] | None = None) -> pa.Table:
    """The Arrow table of the last of one or more SQL statements; `parameters` are its $names.

    Raises ReportError with DuckDB's own words where the SQL is wrong.
    """
    import pyarrow as pa

    return pa.concat_tables(query_parts(store, sql, parameters))


def reports(store: Store | None = None) -> pa.Table:
    """The reports there are: id, title, what each answers, the records it needs.

    With a database also `lacks`: the records that it has none of; NULL for a report that it gives.
    """
    import pyarrow as pa

    from imsperf.reports.catalog import catalog, listing

    table = pa.Table.from_pylist(listing(catalog()))
    if store is None:
        return table
    from imsperf.reports.run import lacking_of

    con = store.ready([sql for report in catalog() for sql in report.presence]).con
    lacks = [" and ".join(names) or None for names in lacking_of(catalog(), con).values()]
    return table.append_column("lacks", pa.array(lacks, pa.string()))


def check_reports(
    store: Store, report_id: str | None = None, *, run: str | None = None
) -> pa.Table:
    """What is wrong with a report, or with all of the user's, or with all: report, check, found.

    Files that could not be read are not among them: `with_own` of imsperf.reports.catalog tells.
    """
    from imsperf.reports import checking
    from imsperf.reports.catalog import catalog, shipped

    store.ready()
    check_run(store, run)
    own = [report for report in catalog() if report.id not in shipped().reports]
    chosen = [catalog().get(report_id)] if report_id else own or list(catalog())
    return checking.check_reports(store.con, chosen, run)


def files(store: Store, *, run: str | None = None) -> pa.Table:
    """The ledger: a row for each file loaded. Raises ReportError for a run that is not there."""
    check_run(store, run)
    columns = (
        "run", "file_id", "path AS file", "container", "kind", "framing", "records", "kept",
        "repeated", "bytes", "first", "last", "selection", "status",
    )  # fmt: skip
    sql = f"SELECT {', '.join(columns)} FROM load_file WHERE run = coalesce(?, run) ORDER BY ALL"
    return store.con.sql(sql, params=[run]).to_arrow_table()


def report(
    report_id: str,
    db: Source | Store,
    parameters: Mapping[str, Any] | None = None,
    **options: Unpack[ReportOptions],
) -> pa.Table:
    """The rows of a report as an Arrow table; columns as in its csv.

    `db` is a database, a lake, dumps, or a store that is open. `options` are those of `run_report`.
    """
    with connected(db) as store:
        return run_report(store, report_id, parameters, **options).table


def run_report(
    store: Store,
    report_id: str,
    parameters: Mapping[str, Any] | None = None,
    **options: Unpack[ReportOptions],
) -> Result:
    """Run a report, with its page.

    `start` and `end` are local times of the system, `tod` a time of day such as "09:00-17:00";
    `every` or `total` re-make it over longer intervals from sums; `top` keeps so many rows of each
    interval, or of the total, those with the largest `by`. `where` is a condition of SQL on the
    columns, of the rows as they are printed, `sort` the columns they are ordered by, "resp_ms" or
    "volume:asc,resp_ms". Raises ReportError for unknown names.
    """
    from imsperf.reports.run import run_query
    from imsperf.reports.total import summed

    query = asked(store, report_id, parameters, options)
    return summed(query) if query.over else run_query(query)


def report_parts(
    store: Store,
    report_id: str,
    parameters: Mapping[str, Any] | None = None,
    **options: Unpack[ReportOptions],
) -> Iterator[Result]:
    """`run_report` in parts of whole pages, at least one: any number of rows in little memory."""
    from imsperf.reports.run import parts
    from imsperf.reports.total import summed

    query = asked(store, report_id, parameters, options)
    yield from with_room(store, lambda: map(summed, [query]) if query.over else parts(query))


def printed_pages(store: Store, report_id: str, **options: Unpack[ReportOptions]) -> Iterator[str]:
    """The pages that RMF prints together with a report, numbered in each interval, in pieces.

    Raises ReportError for a report without a printed page, and as a report does.
    """
    from imsperf.reports.catalog import catalog
    from imsperf.reports.printed import printed, reports_together

    sheets = reports_together(catalog().get(report_id))
    queries = [[asked(store, each, None, options) for each in of_page] for of_page in sheets]
    yield from with_room(store, lambda: printed(queries))


def rmf_xml(store: Store, report_id: str, **options: Unpack[ReportOptions]) -> Iterator[bytes]:
    """What RMF prints with a report, in the XML of its Postprocessor, in pieces.

    Raises ReportError for a report that RMF XML does not have, and as a report does.
    """
    from imsperf.reports.rmf_xml.writing import listings, segments_of, xml

    segments = segments_of(report_id)
    return xml(listings(store.con, segments, asked(store, report_id, None, options).keep))


def audit(
    db: Source | Store, *, run: str | None = None, check: str | None = None, every: bool = False
) -> Audit:
    """Test the identities that must hold on a loaded run; `check` is one of them.

    The table has the rows that do not hold; with `every` those that do, too.

    Raises ReportError for a run or a check that is not there.
    """
    from imsperf.reports.audit import loaded

    with connected(db) as store:
        store.ready()
        check_run(store, run)
        return loaded(store.con, run, check, every=every)


def findings(
    db: Source | Store,
    *,
    run: str | None = None,
    system: str | None = None,
    start: Time | None = None,
    end: Time | None = None,
    tod: str | None = None,
    site: str | Path | None = None,
) -> Findings:
    """What stands out in loaded runs, most severe first; `site`: a TOML file that changes limits.

    Raises ReportError for a run that is not there, a time in which nothing begins, or a bad file.
    """
    from imsperf.reports.filter import Filter
    from imsperf.reports.findings.findings import findings as find

    with connected(db) as store:
        store.ready()
        check_run(store, run)
        check_system(store, system)
        keep = Filter(run, system, time_of(start), time_of(end), time_of_day(tod))
        check_begun(store, keep)
        return find(store.con, keep, site=site)


def dictionary(name: str | None = None) -> pa.Table:
    """Columns and fields of all tables, or those that a name of a table, field or report finds.

    A name of MXG, of RMF's overview or of IBM SMF Explorer finds the column that has the same
    (`imsperf.dictionary.other_names`). Raises LayoutError where it finds nothing.
    """
    from imsperf.dictionary import other_names
    from imsperf.dictionary import rows as known

    if name is None:
        return known.fields()
    entries = known.of_table(name)  # first, since it reads one layout and no report
    if entries is not None:
        return entries
    from imsperf.reports.catalog import catalog
    from imsperf.reports.lineage.columns import report_columns, under_heading

    reports = {report_of.id: report_of for report_of in catalog()}
    report, _, column = name.rpartition(".")
    if name in reports:
        return report_columns(reports[name])
    if report in reports and column in {column.name for column in reports[report].shown}:
        rows = report_columns(reports[report])
        return rows.filter([name == column for name in rows["column"].to_pylist()])
    if (elsewhere := other_names.find(name)) is not None:
        return elsewhere
    import pyarrow as pa

    called = [report_columns(one) for one in reports.values() if name.lower() in one.called]
    if called:
        return pa.concat_tables(called)
    try:
        return known.search(name, [*reports, *other_names.all_names()])
    except LayoutError:
        headed = list(under_heading(name, reports.values()))
        if not headed:
            raise
        return pa.concat_tables(headed)


def explain(
    name: str,
    store: Store | None = None,
    *,
    where: str = "",
    run: str | None = None,
    system: str | None = None,
    start: Time | None = None,
    end: Time | None = None,
    rows: int = 3,
    profile: str | Profile | None = None,
) -> Explanation:
    """Where a column of a report, view or table comes from; with `store`, one number of it."""
    from imsperf.explain import explain as explain_column
    from imsperf.reports.filter import Filter

    if store is not None:
        check_run(store, run)
    keep = Filter(run, system, time_of(start), time_of(end))
    return explain_column(name, store, keep=keep, where=where, rows=rows, profile=profile)


def html_page(
    db: Source | Store, output: str | Path | None = None, **options: Unpack[DocumentOptions]
) -> Path:
    """Write one self-contained page of a run and return where: `output`, or RUN.html.

    Raises StoreError or ReportError.
    """
    run, text = html_text(db, **options)
    path = Path(output) if output else _named_after(run, ".html")
    with written_whole(path) as aside:
        aside.write_text(text, encoding="utf-8")
    return path


def html_text(db: Source | Store, **options: Unpack[DocumentOptions]) -> tuple[str, str]:
    """The run that a page is of, and the page. Raises StoreError or ReportError."""
    from imsperf.reports.html_page.page import page

    with connected(db) as store:
        keep, compared = of_a_run(store, options)
        text = page(store.con, keep, reports=options.get("reports", ()), **compared)
    return keep.run or "", text


def workbook(
    db: Source | Store, output: str | Path | None = None, **options: Unpack[DocumentOptions]
) -> Path:
    """Write one Excel workbook of a run and return where: `output`, or RUN.xlsx.

    Raises StoreError or ReportError.
    """
    from imsperf.reports.workbook import write_workbook

    with connected(db) as store:
        keep, compared = of_a_run(store, options)
        path = Path(output) if output else _named_after(keep.run, ".xlsx")
        reports = options.get("reports", ())
        write_workbook(store.con, keep, path, reports=reports, **compared)
    return path


def _named_after(run: str | None, suffix: str) -> Path:
    return Path(re.sub(r"[^A-Za-z0-9._-]", "_", run or "") + suffix)


def release_table(
    runs: Sequence[str] = (),
    *,
    db: Source | None = None,
    base: str = "",
    scenario: str | None = None,
    system: str | None = None,
    margin_pct: float = 1.0,
    told: Callable[[str], None] | None = None,
    memory: int | None = None,
    chart: str | Path | None = None,
    over: str = "rate",
) -> pa.Table:
    """Metrics of runs as columns, with delta and delta_pct against `base`: see
    `reports.comparison.release_table`.

    `runs`: RUN of `db`, DATABASE, DATABASE::RUN, each as NAME=PATTERN too; none are all of `db`.
    `scenario` adds the model's prediction. `chart` is a file to draw the runs to, `over` their
    rate, with the model's curve, "run", or "delta": bars. Raises StoreError or ReportError for what
    is not there.
    """
    from imsperf.reports.comparison.release_table import Column, predicted_column
    from imsperf.reports.comparison.release_table import release_table as table_of
    from imsperf.reports.comparison.sides import runs_as_loaded, side

    columns = []
    wanted, own = list(runs), list[str]()
    if db is not None:
        with connect(db) as store:
            own = runs_as_loaded(store.con)
    for given in wanted or own:
        name, named, rest = ("", "", given) if is_there(Path(given)) else given.rpartition("=")
        path, pattern = database_and_run(rest)
        of: Source = path
        if db is not None and given in own:
            of, name, named, pattern = db, "", "", given
        elif db is not None and not pattern and not is_there(Path(path)):
            of, pattern = db, path
        with connect(heard(of, told, memory)) as store:
            store.ready()
            chosen = side(store.con, pattern or None, given)
            tables = [report("run.metrics", store, run=r, system=system) for r in chosen.runs]
        if named or len(tables) == 1:
            columns.append(Column(name or chosen.run, tables))
        else:
            each = zip(chosen.runs, tables, strict=True)
            columns += [Column(run, [table]) for run, table in each]
    if scenario:
        from imsperf.synthetic.predict import predict
        from imsperf.synthetic.scenarios.scenario import load as load_scenario

        rows = predict(load_scenario(scenario))
        metrics = {row["metric"]: row["value"] for row in rows}
        measured, model = list(columns), f"model {scenario}"
        columns.append(predicted_column(model, metrics, columns))
    table = table_of(columns, base, margin_pct)
    if chart and over == "delta":
        from imsperf.reports.charts.chart import write_deltas

        write_deltas(table, Path(chart), f"Delta against {base or columns[0].name}")
    elif chart:
        _draw_runs(columns if not scenario else measured, scenario, over, Path(chart))
    return table


def _draw_runs(columns: Sequence[Column], scenario: str | None, over: str, path: Path) -> None:
    from imsperf.reports.charts.chart import write_runs
    from imsperf.reports.comparison.release_chart import load_rows
    from imsperf.synthetic.predict import load_curve
    from imsperf.synthetic.scenarios.scenario import load as load_scenario

    rows = load_rows(columns)
    if scenario:
        most = 1.25 * max(rows["rate"].to_pylist())
        rows = load_rows(columns, load_curve(load_scenario(scenario), most), f"model {scenario}")
    title = "Runs against their rate" if over == "rate" else "Runs"
    write_runs(rows, over, path, title)


def compare(
    base: str,
    candidate: str,
    reports: Sequence[str] | None = None,
    *,
    system: str | None = None,
    start: Time | None = None,
    end: Time | None = None,
    tod: str | None = None,
    clock: bool = False,
    told: Callable[[str], None] | None = None,
    memory: int | None = None,
) -> Comparison:
    """Compare two sides, each named DATABASE, DATABASE::RUN or DATABASE::PATTERN (`runs::mon*`).

    Dumps stand where a database may; `told` hears what is lost in them, `memory` (bytes) bounds
    what the rows of each side take. `tod`: only intervals that
    begin at a time of day, such as 09:00-17:00, of both sides. `clock`: intervals of the
    same time of the week belong together. Raises StoreError for a database, DumpError for a dump,
    ReportError for a run or report that is not there.
    """
    from imsperf.reports.comparison.compare import compare as compare_sides
    from imsperf.reports.filter import Filter

    with ExitStack() as opened:
        before, after = both_sides(opened, base, candidate, told, system, memory)
        keep = Filter(None, system, time_of(start), time_of(end), time_of_day(tod))
        return compare_sides(before, after, reports, keep=keep, clock=clock)
