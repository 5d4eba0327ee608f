"""imsperf calibrate --db and imsperf whatif: what they read of a run, and refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

import imsperf
from imsperf.cli import main
from imsperf.database.store import Store
from imsperf.measured.metrics import class_responses, configured, processors
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import load
from imsperf.synthetic.short_runs import short_runs
from imsperf.synthetic.workloads.families import systems

SECONDS, CLIENTS, THINK_MS = 2.0, 20, 4.0


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """20 callers of ODBM for 2 s; threads have no messages in the log."""
    folder = tmp_path_factory.mktemp("odbm")
    asked = load("odbm", {"clients": CLIENTS, "driver.think_ms": THINK_MS})
    generate(asked, folder / "run", seconds=SECONDS, seed=3, sample_k=500)
    imsperf.load(folder / "run", db=folder / "r.duckdb", run="mon")
    with imsperf.connect(folder / "r.duckdb") as connected:
        yield connected


def database(store: Store) -> Path:
    path = store.con.execute("SELECT path FROM duckdb_databases() WHERE NOT internal").fetchall()
    return Path(path[0][0])


def command(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(list(words))
        raise SystemExit(0)
    return int(end.value.code or 0)


def calibrate(store: Store, *words: str) -> int:
    return command("calibrate", "odbm", "--db", str(database(store)), *words)


def whatif(store: Store, *words: str) -> int:
    return command("whatif", "--db", str(database(store)), "--method", "solver", *words)


def test_threads_have_the_response_of_their_class(store: Store) -> None:
    """R = N / X - Z, by the rate of run.metrics."""
    rows = imsperf.report("run.metrics", store).to_pylist()
    seen = {row["metric"]: row["value"] for row in rows}
    assert seen["ims_response_ms"] is None
    ((place, response),) = class_responses(store).items()
    assert place == ("mon", "SYSA")
    assert response == pytest.approx(CLIENTS / seen["etr_per_s"] * 1e3 - THINK_MS, rel=0.03)


def test_a_run_of_threads_is_fitted(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate(store, "--set", f"clients={CLIENTS}", "--format", "csv") == 0
    lines = capsys.readouterr().out.splitlines()
    (fitted_value,) = [line.split(",")[3] for line in lines if line.startswith(",driver.think_ms")]
    assert float(fitted_value) == pytest.approx(THINK_MS, rel=0.05)


def test_other_processors_are_refused(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate(store, "--set", "cpu.gcps=9") == 1
    assert "mon SYSA: found 4 CPs online (type 70.1), expected the 9" in capsys.readouterr().err


def test_other_clients_are_told(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    calibrate(store, "--set", "clients=21")
    assert "mon: clients was 20, here 21: --set clients=20 if" in capsys.readouterr().err


def test_a_what_if_of_a_run_is_what_a_simulation_says(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """24 callers for 20. Threads have the response of their class, and choose the scenario."""
    words = ["--clients", "20", "--load", "+20%", "--run", "mon", "--format", "json"]
    assert whatif(store, *words) == 0
    rows = {row["metric"]: row for row in json.loads(capsys.readouterr().out)}
    rate, response = rows["etr_per_s"], rows["ims_response_ms"]
    assert (rate["scenario"], rate["today"]) == ("odbm", "fitted")
    assert response["measured"] == pytest.approx(CLIENTS / rate["measured"] * 1e3 - THINK_MS, 0.03)
    asked = load("odbm", {"clients": 24, "driver.think_ms": THINK_MS})
    seen = short_runs([network for _, network in systems(asked)], 2200, 20_000)
    assert float(rate["value"]) == pytest.approx(seen["etr_per_s"].mean, rel=0.02)
    assert float(response["value"]) == pytest.approx(seen["ims_response_ms"].mean, rel=0.02)
    assert response["low"] < seen["ims_response_ms"].mean < response["high"]


@pytest.mark.slow
def test_a_log_alone_says_nothing_of_cpu(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Dumps are read without a database."""
    (log,) = (database(store).parent / "run").glob("*.imslog.vb")
    assert command("whatif", str(log), "--load", "+20%") == 1
    assert "hint: load " in capsys.readouterr().err


def test_processors_are_a_mean_of_the_intervals() -> None:
    """2 CPs for 10 s, then one of them for half of another 10 s: (2 + 1.5) / 2."""
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE rmf_cpu AS SELECT 'r' AS run, 'S' AS system, * FROM (VALUES "
        "('CP', 1, 10e6), ('CP', 1, 10e6), ('CP', 2, 10e6), ('CP', 2, 5e6), ('zIIP', 1, 10e6)) "
        "AS t (type, interval_start_utc, lpar_online_us), (SELECT 10.0 AS interval_s)"
    )
    con.execute(
        "CREATE TABLE run_config (run VARCHAR, section VARCHAR, key VARCHAR, value VARCHAR)"
    )
    con.execute(
        "INSERT INTO run_config VALUES ('r', 'settings', 'clients', '8'), ('r', '', 'x', '')"
    )
    store: Any = SimpleNamespace(con=con)
    assert processors(store) == {("r", "S"): 1.75}
    assert configured(store) == {("r", "clients"): "8"}
