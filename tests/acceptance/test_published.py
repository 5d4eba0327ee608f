"""Every published cell: shown, marked, and met as its mark says.

Expected values are the printed ones (tables of the IMS 15 performance summary, the trace study and
the 100K session), kept in NAME.published.toml. Bars, from the issue: predicted rates and CPU within
5 %, responses and log writes within 10 %, TPIPE rows within 12 %; fitted cells within what the list
of systems allows (response 5 %, logger 10 %, TPIPE 12 %, rate and CPU 2 %).
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from functools import cache

import pytest
from places import CHECKOUT

from imsperf.reproducing.judging import free_parameters
from imsperf.synthetic.predict import predict
from imsperf.synthetic.scenarios.publications import KINDS, Figure, figures
from imsperf.synthetic.scenarios.scenario import load, names

PUBLISHED = [name for name in names() if figures(name)]
TIME = re.compile(r"(response|write)_ms(_ims\d)?$")
SLOW = {"otma-tpipe": 12.0, "logger-mm": 10.0}  # bars of their own, for all cells
OUTSIDE = {  # T31: a shared machine; one column has 8 % more transactions and 17 % more ITR
    "logger-mm": {("logger-mm@100km-zhyperwrite", "itr_per_s")},
    # 43 ms at 1,565 a second with CPU half used; 37 at 1,054, and 40 at 1,586 in the other release
    "cics-ts31": {("cics-ts31@dsw-v31", "cics_response_ms")},
}
BALANCE = ("etr_per_s", "cpu_busy_pct", "ims_response_ms")
FREE = {  # numbers chosen to meet points of each workload, without those published as such
    "fast-path": 2, "ff-haldb": 4, "cics-ff": 4, "cics-fp": 4, "tm-db2-irww": 2, "jmp": 3,
    "zos-connect": 2, "odbm": 2, "dsff-smq": 9, "bmp-banking": 2, "otma-tpipe": 7,
    "esaf-pooling": 42, "trace-tables": 41, "logger-mm": 9, "managed-acb": 6, "fp-encryption": 6,
    "credential-propagation": 2, "cics-ts31": 37,
}  # fmt: skip


def bar(figure: Figure) -> float:
    """Largest error in per cent."""
    if figure.scenario in SLOW:
        return SLOW[figure.scenario]
    timed = bool(TIME.search(figure.metric)) or figure.metric in ("db_io_ms", "db_cmr_ms")
    if figure.kind == "predicted":
        return 10.0 if timed else 5.0
    if figure.kind == "input":
        return 1.0
    return 5.0 if timed or figure.scenario == "tps-100k" else 2.0


MANY = {"cics-ts31"}  # 56 points


@pytest.mark.parametrize(
    "name", [n if n not in MANY else pytest.param(n, marks=pytest.mark.slow) for n in PUBLISHED]
)
def test_every_cell_is_shown_and_met(name: str) -> None:
    """With the settings of its column, each cell stands beside our value, within its bar."""
    rows: dict[object, dict[str, dict[str, object]]] = {}
    wrong = []
    errors = []
    for figure in figures(name):
        key = (figure.full_name, tuple(figure.at.items()))
        if key not in rows:
            predicted = predict(load(figure.full_name, dict(figure.at)))
            rows[key] = {str(row["metric"]): row for row in predicted}
        row = rows[key][figure.metric]
        assert row["published"] == figure.value, (key, figure.metric)
        assert row["kind"] == figure.kind
        error = row["error_pct"]
        if figure.kind == "predicted":
            errors.append(abs(float(str(error))))
        missed = error is None or abs(float(str(error))) > bar(figure)
        if figure.kind != "unexplained" and missed and (figure.value or row["value"]):
            wrong.append((key, figure.metric, figure.kind, row["value"], figure.value))
    assert {(key[0], metric) for key, metric, *_ in wrong} == OUTSIDE.get(name, set())
    counts = Counter(figure.kind for figure in figures(name))
    assert documented(name)[:4] == [free_parameters(name)[0], *(counts[k] for k in KINDS[:3])]
    if errors:
        told = documented(name)[4:6]
        assert told == pytest.approx([sum(errors) / len(errors), max(errors)], abs=0.15)


def documented(name: str) -> list[float]:
    """free, input, fitted, predicted, mean and worst error of a scenario, from docs/model.md."""
    text = (CHECKOUT / "docs" / "model.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith(f"| `{name}` | ")]
    return [float(cell) if cell.strip() != "-" else 0.0 for cell in line.split("|")[3:9]]


PRINTED_002 = {  # the slides, by source and quantity
    "summary": {117_000}, "DYNP": {25}, "XCF;": {25_000}, "syncpoint:": {70_000, 91_000},
    "pool": {5}, "DASD:": {0.413, 0.636, 1.183, 0.852, 218.392}, "AWE:": {60_000, 0.2},
    "introduction:": {46_000},
}  # fmt: skip
COLUMNS = {  # how columns are named in the copy of the printed tables
    "no pooling": "nonpool", "pooling": "pool", "64 bit": "ims15_64bit", "encrypted": "ims15_enc",
    "SCHED": "SCHD",
}  # fmt: skip


def printed() -> dict[tuple[str, str], list[tuple[str, str, float]]]:
    """Column, system and value of each cell of the copied tables, by document and table."""
    cells = defaultdict(list)
    path = CHECKOUT / "sql" / "published" / "figures.csv"
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["role"] != "value":
                continue
            if number := re.fullmatch(r"[-\d.,]+", row["printed"].rstrip(" %")):
                value = float(number[0].replace(",", ""))
                place = row["document"], row["table"]
                cells[place].append((row["column"], row["system"], value))
    return cells


def column_of(source: str, figure: Figure) -> tuple[str, str]:
    """Column and system of the copied table, as far as the source tells; empty: any."""
    words = source.partition(" ")[2]
    if release := re.search(r"IMS (1[345])(?: (IMS[12]))?$", words):
        return f"ims{release[1]}", (release[2] or "").lower()
    if "LIMITRTP" in words or "not parallel" in words:
        limit = figure.at["otma.limitrtp"]
        column = f"parallel_{limit}" if limit else "non_parallel"
        return column, f"tpipe_{figure.at['otma.tpipes']}"
    if "security.credential_bytes" in figure.at:
        return f"{figure.at['security.credential_bytes']}_bytes", ""
    if "not encrypted" in words:
        return "ims15_noenc", ""
    return COLUMNS.get(words, words), ""


OPENAPI = {482.0, 1065.0}  # 003, in a sentence
QUANTITIES_003 = {  # how the copied foils name a quantity, and its unit in ours
    "etr_per_s": ("etr_tps", 1), "tor_appl_pct": ("tors_pct", 1), "for_appl_pct": ("for_pct", 1),
    "cpu_us_per_tran": ("ms_per_tran", 1000), "itr_per_s": ("itr_tps", 1),
    "cics_response_ms": ("response_s", 1000),
}  # fmt: skip


@cache
def copied_003() -> dict[tuple[str, ...], str]:
    """Cells of the copied foils by foil, release, JVM mode, row and quantity."""
    path = CHECKOUT / "sql" / "published" / "figures.csv"
    with path.open(newline="", encoding="utf-8") as file:
        return {
            (row["table"], *row["section"].split(), row["column"], row["metric"]): row["printed"]
            for row in csv.DictReader(file)
            if row["document"] == "003"
        }


def printed_in_003(figure: Figure) -> bool:
    """A figure beside the foil, release, JVM mode and row that its source names.

    Three responses stand there reversed: "800.0" is .008 s.
    """
    if "OPENAPI" in figure.source:
        assert figure.value in OPENAPI, figure
        return True
    words = figure.source.split()  # 003 T11 JCICS V2.3 RESET row 4
    foil, section, number = words[1][1:], words[2:-2], words[-1]
    aor = ("aors_pct" if foil == "7" else "cpu_pct", 1)
    quantity, factor = QUANTITIES_003.get(figure.metric, aor)
    text = copied_003()[foil, *section, number, quantity]
    value = 0.008 if (quantity, text) == ("response_s", "800.0") else float(text)
    assert figure.value == pytest.approx(value * factor, rel=1e-9), figure
    return True


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_figure_is_printed_in_the_column_it_names(name: str) -> None:
    """The tables of documents 000 and 001 as data, copied apart from the scenarios; 002 by hand."""
    copied, compared = printed(), 0
    for figure in figures(name):
        if figure.source.startswith("002"):
            word = next(word for word in PRINTED_002 if word in figure.source)
            assert figure.value in PRINTED_002[word], figure
            continue
        document, _, rest = figure.source.partition(" ")
        if document == "003":
            compared += printed_in_003(figure)
            continue
        tables = re.findall(r"T(\d+)", rest.partition("repeats")[0])
        column, system = column_of(rest, figure)
        values = {
            value
            for table in tables
            for printed_column, printed_system, value in copied[document, table]
            if printed_column == column and printed_system in (system, system or printed_system)
        }
        if tables:
            assert figure.value in values, (figure, sorted(values))
            compared += 1
    assert compared or name in ("tps-100k", "managed-acb")


def test_kinds_are_the_four_and_each_workload_predicts_something() -> None:
    """Inputs and fits alone would show nothing. Trace costs, ACBs and the 100K session are fits."""
    for name in PUBLISHED:
        kinds = Counter(figure.kind for figure in figures(name))
        assert set(kinds) <= set(KINDS)
        if name not in ("trace-tables", "managed-acb", "tps-100k"):
            assert kinds["predicted"] > 0, name


def test_release_columns_predict_more_than_they_fit() -> None:
    """Java drivers: 2 fitted numbers give rate, CPU busy and response of two other columns."""
    for name in ("jmp", "tm-db2-irww", "zos-connect", "odbm", "fast-path"):
        for release in (13, 14):
            cells = {
                figure.metric: figure.kind
                for figure in figures(name)
                if figure.at == {"ims.release": release}
            }
            for metric in BALANCE:
                assert cells[metric] == "predicted"
    for name in ("ff-haldb", "cics-ff", "cics-fp", "dsff-smq"):
        for release in (13, 14):
            cells = {
                figure.metric: figure.kind
                for figure in figures(name)
                if figure.at == {"ims.release": release}
            }
            assert cells["ims_response_ms"] == "predicted"
            assert cells["etr_per_s"] == "input"  # the operator chose the think time


def test_mean_error_of_the_java_workloads() -> None:
    """27 predicted numbers: mean error below 2 %, worst below 5 % (1.5 and 3.9 are known)."""
    errors = []
    for name in ("jmp", "tm-db2-irww", "zos-connect", "odbm"):
        for figure in figures(name):
            if figure.kind == "predicted" and figure.metric in (
                "etr_per_s",
                "cpu_busy_pct",
                "ims_response_ms",
            ):
                row = next(
                    r
                    for r in predict(load(figure.full_name, dict(figure.at)))
                    if r["metric"] == figure.metric
                )
                errors.append(abs(row["error_pct"]))
    assert len(errors) == 27
    assert sum(errors) / len(errors) < 2
    assert max(errors) < 5


@pytest.mark.parametrize(
    ("name", "rows"),
    [("otma-tpipe", 18), ("logger-mm", 8), ("credential-propagation", 7), ("esaf-pooling", 6),
     ("trace-tables", 44), ("cics-ts31", 56)],
)  # fmt: skip
def test_all_columns_of_the_feature_tables_are_there(name: str, rows: int) -> None:
    assert len({(figure.variant, tuple(figure.at.items())) for figure in figures(name)}) == rows


def test_the_one_row_nothing_explains_stays_unexplained() -> None:
    """One TPIPE that is not parallel: 2,730/s printed, about half of it by the model."""
    (row,) = [
        r
        for r in predict(load("otma-tpipe", {"otma.tpipes": 1, "otma.limitrtp": 0}))
        if r["metric"] == "etr_per_s"
    ]
    assert row["kind"] == "unexplained"
    assert row["published"] == 2730.49
    assert -55 < row["error_pct"] < -40


@pytest.mark.parametrize("name", sorted(FREE))
def test_free_parameters_are_few(name: str) -> None:
    assert free_parameters(name)[0] == FREE[name]
