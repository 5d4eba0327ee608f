"""Scenario data: provenance of calibrated values, no results among inputs, mixes, knobs in use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic.predict import predict
from imsperf.synthetic.scenarios import files as scenario_files
from imsperf.synthetic.scenarios.knobs import METHODS
from imsperf.synthetic.scenarios.publications import figures
from imsperf.synthetic.scenarios.scenario import Scenario, load, names
from imsperf.synthetic.scenarios.toml_text import to_toml
from imsperf.synthetic.workloads.mix import REGIONS

FOLDER = Path(str(files("imsperf.synthetic"))) / "scenarios"
INPUTS = sorted(
    path
    for path in FOLDER.rglob("*.toml")
    if not path.name.endswith((".published.toml", ".calibration.toml"))
)
CALIBRATIONS = sorted(FOLDER.glob("*.calibration.toml"))
ALL = (
    "fast-path", "ff-haldb", "dsff-smq", "bmp-banking", "cics-ff", "cics-fp", "tm-db2-irww", "jmp",
    "zos-connect", "odbm", "tps-100k", "logger-mm", "fp-encryption", "credential-propagation",
    "otma-tpipe", "esaf-pooling", "trace-tables", "managed-acb", "cics-ts31", "cobol",
)  # fmt: skip


def data(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_all_scenarios_are_there() -> None:
    assert names() == sorted(ALL)


# --- provenance ----------------------------------------------------------------------------------


def calibrated(by_key: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Values, and columns of tables, that were calibrated."""
    yield from by_key.get("values", ())
    for table in by_key.get("table", {}).values():
        yield from table["columns"]


@pytest.mark.parametrize("path", CALIBRATIONS, ids=lambda path: path.name)
def test_each_calibrated_value_says_where_it_comes_from(path: Path) -> None:
    """Value, unit, method, points used, source; points are named for all but assumptions."""
    for value in calibrated(data(path)):
        name = value.get("key", value.get("name"))
        for part in ("unit", "method", "points", "source"):
            assert value.get(part), f"{name}: no {part}"
        assert value["method"] in METHODS, name
        if "key" in value:
            assert "value" in value
        if value["method"] == "fitted":
            assert value["points"] != "none", f"{name}: fitted to what?"
        if value["method"] == "assumed":
            assert value["points"] == "none", f"{name}: an assumption uses no point"


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_scenario_files_hold_no_fitted_value(path: Path) -> None:
    """What was fitted stands in a calibration file; a part may hold what all workloads share."""
    content = data(path)
    rows = [
        *content.get("knobs", ()),
        *(c for t in content.get("table", {}).values() for c in t["columns"]),
    ]
    for row in rows:
        if path.parent.name == "parts":
            if row.get("method"):
                assert {"points", "source"} <= row.keys(), row
        elif row.get("method"):
            assert row["method"] in ("assumed", "derived"), row
        assert row.get("confidence") != "fitted", row


@pytest.mark.parametrize("part", ["value", "unit", "method", "points", "source"])
def test_a_calibrated_value_without_one_of_the_five_is_refused(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader refuses it too, not only this test."""
    value = {
        "key": "a.b",
        "value": 1.0,
        "unit": "ms",
        "method": "fitted",
        "points": "x",
        "source": "y",
    }
    del value[part]
    words = ", ".join(f"{key} = {value[key]!r}".replace("'", '"') for key in value)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "x.calibration.toml").write_text(f"values = [ {{ {words} }} ]")
    monkeypatch.setattr(scenario_files, "_folder", lambda: tmp_path / "scenarios")
    with pytest.raises(ScenarioError, match=f"no {part}"):
        scenario_files.calibration("x")


# --- results are not inputs ----------------------------------------------------------------------


def numbers(found: Any) -> Iterator[float]:
    if isinstance(found, dict):
        for value in found.values():
            yield from numbers(value)
    elif isinstance(found, list):
        for value in found:
            yield from numbers(value)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield float(found)


def significant(value: float) -> int:
    """Digits that say something: 98733.87 has seven, 8000 has one."""
    return len(f"{value:.10g}".replace(".", "").replace("-", "").strip("0"))


@pytest.mark.parametrize("name", ALL)
def test_scenarios_hold_no_published_result(name: str) -> None:
    """No number of four digits or more that a paper printed as a result is in NAME.toml."""
    given = set(numbers(data(FOLDER / f"{name}.toml")))
    results = {figure.value for figure in figures(name) if significant(figure.value) >= 4}
    assert not given & results


def test_the_model_reads_no_published_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of a prediction are the same where no result can be read."""
    variant = load("ff-haldb", {"ims.release": 13})
    shown = {row["metric"]: row["value"] for row in predict(variant)}

    def nothing(name: str) -> tuple[()]:
        return ()

    monkeypatch.setattr("imsperf.synthetic.scenarios.publications.figures", nothing)
    assert {row["metric"]: row["value"] for row in predict(variant)} == shown


def test_code_reads_published_files_in_one_place_only() -> None:
    root = Path(str(files("imsperf.synthetic")))
    users = {
        path.name
        for path in root.rglob("*.py")
        if re.search(r"publications|\.published", path.read_text(encoding="utf-8"))
    }
    # predict.py prints them beside ours; uncertainty.py takes the errors for the range it prints
    assert users <= {"predict.py", "uncertainty.py", "publications.py", "files.py"}


# --- the tables of the papers --------------------------------------------------------------------

MIXES = {  # T3, T6, T7, T8, T11, T14
    "ff-haldb": {"HR1": 8.89, "IT2": 8.89, "IT8": 8.89, "OE1": 8.88, "PS2": 24.44, "PS3": 22.23,
                 "SC6": 8.89, "TS1": 8.89},
    "fast-path": {"CCKK": 33.33, "CLCK": 33.33, "DEBIT": 16.66, "CREDIT": 16.66},
    "cics-ff": {"HR1": 10, "HR2": 10, "IT2": 10, "IT8": 10, "PS2": 25, "PS3": 25, "SC2": 5,
                "SC6": 5},
    "cics-fp": {"CCKK": 25, "CLCK": 25, "DEBIT": 25, "CREDIT": 25},
    "tm-db2-irww": {"DELIVERY": 2, "NEWORDER": 22, "ORDSTAT": 24, "PAYMENT": 22, "PRICECHG": 1,
                    "PRICEQTE": 25, "STOCKINQ": 4},
    "jmp": {"FBTRAN": 33.33, "FBLOGIN": 16.67, "FBLOGOUT": 16.67, "FBACSUM": 16.66,
            "FBGCUDAT": 16.67},
}  # fmt: skip


@pytest.mark.parametrize("name", MIXES)
def test_mix_is_the_printed_one(name: str) -> None:
    rows = {row["tran"]: row["weight"] for row in load(name).table("transactions") if row["weight"]}
    assert rows == MIXES[name]


def mean(name: str, column: str) -> float:
    """Of a transaction with all programs that it switches to."""
    rows = load(name).table("transactions")
    each = {r["tran"]: r[column] for r in rows}
    in_one_go = {
        r["tran"]: r[column] + sum(each[code] for code in r.get("then", "").split()) for r in rows
    }
    return sum(r["weight"] * in_one_go[r["tran"]] for r in rows) / sum(r["weight"] for r in rows)


def test_calls_of_the_mean_transaction() -> None:
    """25.5 database and 6 other calls (004) for full function, about 17 from CICS (000 4.5)."""
    assert mean("ff-haldb", "db_calls") == pytest.approx(25.5, abs=0.1)
    assert {row["dc_calls"] for row in load("ff-haldb").table("transactions")} == {6}
    assert mean("cics-ff", "db_calls") == pytest.approx(17, abs=1)
    assert mean("fast-path", "reads") == pytest.approx(0.667, abs=0.001)
    assert mean("fast-path", "writes") == pytest.approx(0.333, abs=0.001)


@pytest.mark.parametrize("name", MIXES)
def test_weights_of_the_codes_leave_the_mean_cost_alone(name: str) -> None:
    assert mean(name, "cpu_factor") == pytest.approx(1, abs=1e-3)


def test_databases_and_attributes_are_those_of_the_tables() -> None:
    ff = load("ff-haldb")
    assert len(ff.table("databases")) == 10 and len(ff.table("segments")) == 48
    assert {row["replicates"] for row in ff.table("databases")} == {32}
    areas = {row["database"]: row["areas"] for row in load("fast-path").table("databases")}
    assert areas == {"ACCTA": 480, "EXCEPTA": 1, "STOREDBA": 16}
    assert len(load("tm-db2-irww").table("db2_tables")) == 9
    tran = load("zos-connect").table("dis_tran")
    assert len(tran) == 25
    assert {(r["lct"], r["plct"], r["cp"], r["np"], r["lp"]) for r in tran} == {
        (65535, 65535, 1, 1, 1)
    }


SYSTEMS = {  # clients, processors, regions of each kind: 000 section 6, 7, 8
    "fast-path": {"clients": 8000, "cpu.gcps": 7, "regions.ifp": 375, "ims_connect.count": 5},
    "ff-haldb": {"clients": 4000, "cpu.gcps": 3, "regions.mpp": 128},
    "dsff-smq": {"clients": 4000, "cpu.gcps": 3, "regions.mpp": 128},
    "bmp-banking": {"cpu.gcps": 3, "regions.bmp": 1, "bmp.segments": 85142},
    "cics-ff": {"clients": 2000, "cpu.gcps": 4},
    "cics-fp": {"clients": 2000, "cpu.gcps": 3},
    "tm-db2-irww": {"clients": 38, "cpu.gcps": 7, "regions.ifp": 66, "regions.mpp": 2},
    "jmp": {"clients": 38, "cpu.gcps": 6, "regions.jmp": 200},
    "zos-connect": {"clients": 30, "cpu.gcps": 8, "regions.mpp": 350},
    "odbm": {"clients": 38, "cpu.gcps": 4},
    "logger-mm": {"cpu.gcps": 4, "regions.mpp": 130},
    "credential-propagation": {"clients": 50, "cpu.gcps": 8, "regions.mpp": 350},
    "otma-tpipe": {"clients": 1000, "cpu.gcps": 5},
    "esaf-pooling": {"cpu.gcps": 10, "regions.mpp": 68},
    "trace-tables": {"cpu.gcps": 2},
    "cics-ts31": {"cpu.gcps": 3, "aor.regions": 2, "machine.type": "2084", "system.zos": "1.6"},
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_configuration_is_the_printed_one(name: str) -> None:
    variant = load(name)
    assert {key: variant[key] for key in SYSTEMS[name]} == SYSTEMS[name]


# --- knobs ---------------------------------------------------------------------------------------


PROBES: tuple[dict[str, Any], ...] = (
    {},
    {"workload.kind": "ff", "sched.wfi": "off"},
    {"log.mirror": "on", "log.zhyperwrite": "on", "trace.ALL": "external", "sched.wfi": "off",
     "trace.volume": "low", "trace.target": "olds", "ims.managed_acb": "off", "jvm.bits": "64",
     "otma.security": "full", "esaf.pooling": "on", "cpu.ziips": 2, "cqs.ziip": "off"},
    {"log.mirror": "on", "log.distance": "svl_poughkeepsie_2018", "driver.transport": "tcpip",
     "workload.kind": "ff", "sched.wfi": "on",
     "trace.DISP": "external", "trace.volume": "high", "trace.target": "tape"},
    {"storage.calls": "local_lock", "otma.ytib": "chain", "otma.free_chain": "on",
     "otma.output_clear": "on", "awe.expansion": "task_only", "latch.posting": "all"},
    {"cics.workload": "web", "cics.mode": "http", "web.tls": "on", "web.persistent": "off",
     "web.connections": 10, "web.kb": 40.0, "web.program": "commarea", "aor.regions": 4},
)  # fmt: skip
ELSEWHERE = {  # read where records are made; checked in test_workloads.py
    "run.noise_pct", "driver.target_busy", "system.second_name", "ims.second_id",
}  # fmt: skip


def asked(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Knobs whose value a prediction reads, with one of several settings."""
    seen: set[str] = set()
    before: set[str] = set()

    def value(self: Scenario, key: str) -> Any:
        return knob(self, key).value

    def knob(self: Scenario, key: str) -> Any:
        seen.add(key)
        return self.knobs[key]

    def get(self: Scenario, key: str, otherwise: Any) -> Any:
        return value(self, key) if key in self.knobs else otherwise

    with monkeypatch.context() as patch:
        patch.setattr(Scenario, "__getitem__", value)
        patch.setattr(Scenario, "get", get)
        patch.setattr(Scenario, "knob", knob)
        for probe in PROBES:
            settings = {key: given for key, given in probe.items() if key in scenario}
            if settings or not probe:
                changed = scenario.with_settings(settings)
                seen -= settings.keys() - before
                predict(changed)
                before = set(seen)
    return seen


@pytest.mark.parametrize("name", ALL)
def test_every_knob_is_read_or_says_that_it_is_not(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prediction reads it, or the record writers do, or its description says `stated only`."""
    variant = load(name)
    folder = Path(str(files("imsperf.synthetic")))
    rooms = ("smf", "log", "accounts", "network")
    writers = [path for room in rooms for path in (folder / room).glob("*.py")]
    writers += [folder / f"{module}.py" for module in ("generate", "run_note")]
    writers.append(folder / "workloads" / "sysplex.py")
    code = "".join(path.read_text(encoding="utf-8") for path in writers)
    read = asked(variant, monkeypatch) | ELSEWHERE
    kinds = (
        {row.get("region") for row in variant.table("transactions")}
        if "transactions" in variant.tables
        else set()
    )
    read |= {key for kind, key in REGIONS.items() if kind not in kinds}  # no such region is used
    left = {
        key
        for key, knob in variant.knobs.items()
        if key not in read
        and not re.search(f"""["']{key}["']""", code)
        and "tated only" not in knob.doc
    }
    assert left == set()


@pytest.mark.parametrize("name", ALL)
def test_every_value_has_a_range_a_unit_and_a_text(name: str) -> None:
    for knob in load(name).knobs.values():
        assert knob.doc and knob.source and knob.unit, knob.key
        free = knob.choices or isinstance(knob.default, str)
        assert free or (knob.minimum is not None and knob.maximum is not None), knob.key


@pytest.mark.parametrize("name", ALL)
def test_what_is_printed_reads_back_equal(name: str, tmp_path: Path) -> None:
    """Scenario, parts and calibration become one file that says the same."""
    variant = load(name)
    path = tmp_path / "mine.toml"
    path.write_text(to_toml(variant), encoding="utf-8")
    again = load(path)
    assert again == variant
    for release in ("13", "14"):
        if "ims.release" in variant and any(knob.per for knob in variant.knobs.values()):
            here, there = (
                scenario_read.with_settings({"ims.release": release})
                for scenario_read in (variant, again)
            )
            assert (
                here["driver.think_ms" if "driver.think_ms" in here else "bmp.task_cpu_s"]
                == (there["driver.think_ms" if "driver.think_ms" in there else "bmp.task_cpu_s"])
            )
