"""imsperf files."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imsperf.cli.options import source_option
from imsperf.cli.output import output_options
from imsperf.cli.screen import note, show, show_pieces

if TYPE_CHECKING:
    import pyarrow as pa

    from imsperf.sources import Source


@click.command()
@source_option()
@click.option("--run", help="Only this run.")
@click.option("--coverage", is_flag=True, help="The second table alone.")
@output_options
def command(
    db: Source, run: str | None, coverage: bool, fmt: str | None, output: Path | None
) -> None:
    """Say which files there are, and what they cover: intervals, gaps, repeats, problems.

    Text has both tables; the other formats have the files, or the coverage with --coverage, which
    is also the report load.coverage.

    \b
    Examples:
      imsperf files --db runs.duckdb
      imsperf files --db runs.duckdb --format csv
      imsperf files monday/
      imsperf files --db runs.duckdb --coverage --run monday -o coverage.xlsx
    """
    from imsperf import api
    from imsperf.reports.formats import pieces

    if coverage or output is not None or fmt not in (None, "text"):
        with api.connect(db) as store:
            if not coverage:
                show(api.files(store, run=run), fmt, output)
                return
            covered = api.run_report(store, "load.coverage", run=run)
        if covered.note:
            note(covered.note)
        show(covered, fmt, output)
        return
    with api.connect(db) as store:
        files = api.files(store, run=run)
        covered = api.run_report(store, "load.coverage", run=run)
    if covered.note:
        note(covered.note)
    show_pieces(chain([_text(files).encode()], pieces(covered, "text")), None, paged=True)


def _text(files: pa.Table) -> str:
    """The files for people: how many are damaged, then a line for each, its name last."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from imsperf.reports.numbers import counted
    from imsperf.reports.text import table

    damaged = pc.sum(pc.not_equal(files["status"], "whole")).as_py() or 0
    records = pc.sum(files["records"]).as_py() or 0
    first, last = (files[name].cast(pa.timestamp("s"), safe=False) for name in ("first", "last"))
    columns = {
        **{name: files[name] for name in ("run", "kind", "framing", "records")},
        **{"loaded": files["kept"], "repeated": files["repeated"], "first": first, "last": last},
        **{name: files[name] for name in ("selection", "container", "status", "file")},
    }
    usual = {"loaded": files["records"], "repeated": 0, "selection": None, "container": ""}
    usual["status"] = "whole"
    shown = [name for name in columns if name not in usual or _differs(columns[name], usual[name])]
    state = f"{damaged:,} of them damaged" if damaged else "none of them damaged"
    runs = len(files["run"].unique())
    return (
        f"{counted(files.num_rows, 'file')} in {counted(runs, 'run')}, "
        f"{counted(records, 'record')}; "
        f"{state}. SMF times are local to the system, those of logs are UTC.\n\n"
        f"{table(pa.table({name: columns[name] for name in shown}))}\n"
    )


def _differs(column: pa.ChunkedArray, usual: Any) -> bool:
    """Whether any value is not the usual one: such a column is worth its room."""
    import pyarrow.compute as pc

    if usual is None:
        return bool(column.null_count < len(column))
    return bool(pc.any(pc.not_equal(column, usual)).as_py())
