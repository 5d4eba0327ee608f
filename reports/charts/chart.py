"""Charts of a report: its own, from the [chart] of its header, or one that is asked for.

html needs no network: the Vega scripts stand in the page. Text from a dump reaches the page as JSON
without a single angle bracket, so nothing in it can end the script.
"""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import vl_convert

from imsperf.errors import ReportError
from imsperf.output_files import written_whole
from imsperf.reports.charts import drawing
from imsperf.reports.charts.limits import limits
from imsperf.reports.charts.rows import Choice, any_rows, drawable, marks
from imsperf.reports.filter import EVERYTHING, Filter
from imsperf.reports.formats import STYLE
from imsperf.reports.run import Result

if TYPE_CHECKING:
    import duckdb

SUFFIXES = ("html", "svg", "png", "json")


def spec(result: Result, choice: Choice | None = None) -> dict[str, Any]:
    """The Vega-Lite specification with its data. Raises ReportError as `marks`."""
    choice = choice or Choice()
    forms = {"heatmap": drawing.heatmap, "ecdf": drawing.ecdf, "scatter": drawing.scatter}
    if choice.form in forms:
        return forms[choice.form](*drawable(result, choice))
    axes, rows = marks(result, choice)
    return drawing.draw(axes, rows, limits(result, rows, choice))


def spec_of_rows(table: pa.Table, title: str) -> dict[str, Any]:
    """The chart of any rows: see `any_rows`."""
    return drawing.draw(*any_rows(table, title))


def write(result: Result, path: Path, choice: Choice | None = None) -> None:
    """Write the chart of a report; the suffix of the file names the form."""
    _check_suffix(path)
    _write(spec(result, choice), path, result.report.title)


def write_rows(table: pa.Table, path: Path, title: str) -> None:
    """Write the chart of any rows."""
    _check_suffix(path)
    _write(spec_of_rows(table, title), path, title)


def write_finding(
    con: duckdb.DuckDBPyConnection, rule: str, path: Path, keep: Filter = EVERYTHING
) -> None:
    """Write the chart of what a rule finds: see `charts.finding`."""
    from imsperf.reports.charts import finding

    _check_suffix(path)
    drawn, title = finding.spec(con, rule, keep)
    _write(drawn, path, title)


def write_runs(rows: pa.Table, over: str, path: Path, title: str) -> None:
    """Write a chart of runs beside one another: see `drawing.of_runs`."""
    _check_suffix(path)
    _write(drawing.of_runs(rows, over, title), path, title)


def write_deltas(table: pa.Table, path: Path, title: str) -> None:
    """Write the deltas of a release table as bars: see `drawing.of_deltas`."""
    _check_suffix(path)
    _write(drawing.of_deltas(table, title), path, title)


def _check_suffix(path: Path) -> None:
    if _form(path) not in SUFFIXES:
        raise ReportError(f"{path}: expected a name ending in {', '.join(SUFFIXES)}")


def _form(path: Path) -> str:
    return path.suffix.removeprefix(".").lower()


def _write(drawn: dict[str, Any], path: Path, title: str) -> None:
    form = _form(path)
    with written_whole(path) as aside:
        if form == "png":
            aside.write_bytes(vl_convert.vegalite_to_png(drawn, scale=2))
        else:
            aside.write_text(_text(drawn, form, title), encoding="utf-8")


def _text(drawn: dict[str, Any], form: str, title: str) -> str:
    if form == "json":
        return json.dumps(drawn, indent=1, ensure_ascii=False) + "\n"
    return str(vl_convert.vegalite_to_svg(drawn)) if form == "svg" else page(drawn, title)


# a panel is as wide as the window lets it be; in a narrow one panels stand one below the other, and
# the legend below them
_FIT = """
const drawing = DRAWING;
const most = Math.min(drawing.columns || 1, drawing.usermeta.panels);
function fit() {
  const room = document.documentElement.clientWidth - 60;
  const narrow = room < 900;
  const columns = narrow ? 1 : most;
  const panel = drawing.spec || drawing;
  if (drawing.columns) drawing.columns = columns;
  const {legend, names} = drawing.usermeta;
  drawing.config.legend.orient = narrow ? "bottom" : "right";
  drawing.config.legend.columns = narrow ? Math.max(1, Math.floor(room / (legend + 1))) : 1;
  const free = room - (narrow ? 0 : legend);
  panel.width = Math.max(260, Math.floor(free / columns) - 90 - names);
  window.draw("#chart", drawing, {"actions": false, "renderer": "svg"});
}
let later;
window.addEventListener("resize", () => { clearTimeout(later); later = setTimeout(fit, 150); });
fit();
"""


def page(drawn: dict[str, Any], title: str) -> str:
    """One self-contained HTML page."""
    script = vl_convert.javascript_bundle("window.draw = vegaEmbed;").replace(
        "</script", "<\\/script"
    )
    data = json.dumps(drawn).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    name = html.escape(title)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{name}</title>\n<style>{STYLE}</style></head>\n"
        f'<body><h1>{name}</h1><div id="chart"></div>\n<script type="module">{script}</script>\n'
        f'<script type="module">{_FIT.replace("DRAWING", data, 1)}</script>\n</body></html>\n'
    )
