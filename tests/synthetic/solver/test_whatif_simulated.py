"""What-ifs of simulated runs against simulations of the changed system.

The run is written, read and modelled by its records alone. The truth is the scenario itself with
more load, simulated with other seeds; the model never sees it. The errors are in docs/whatif.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from places import CHECKOUT

import imsperf
from imsperf.measured.system import read_system
from imsperf.synthetic import whatif
from imsperf.synthetic.generate import generate
from imsperf.synthetic.scenarios.scenario import Scenario, load, what_if
from imsperf.synthetic.short_runs import short_runs
from imsperf.synthetic.workloads.families import systems

pytestmark = pytest.mark.slow

SECONDS, SAMPLE_K = 10.0, 20
# Scenario, open rate (0: its clients), change; bounds of the errors of rate and response, per cent:
# wide where the changed system is nearly full, and where it is modelled like another workload.
CASES = [
    ("ff-haldb", 0, "--load +10%", 1, 3),
    ("ff-haldb", 0, "--load +20%", 1, 8),
    ("jmp", 0, "--load +20%", 1, 3),
    ("odbm", 0, "--load +20%", 1, 3),
    ("cics-ff", 0, "--load +10%", 1, 3),
    ("cics-ff", 0, "--load +20%", 1, 12),
    ("tm-db2-irww", 0, "--load +20%", 2, 8),
    ("ff-haldb", 4000, "--load +20%", 1, 5),
    ("jmp", 24000, "--load +20%", 1, 3),
    ("odbm", 3700, "--load +20%", 1, 3),
    ("cics-ff", 7500, "--load +20%", 1, 3),
    ("ff-haldb", 4000, "--disk-latency x2", 1, 4),
    ("ff-haldb", 3200, "--cpus -1", 1, 4),
    ("odbm", 0, "--disk-latency x2", 1, 2),
    ("cics-ff", 0, "--cpus +1", 1, 2),
]
_runs: dict[tuple[str, float], dict[str, float]] = {}


def measured(scenario: Scenario, folder: Path) -> dict[str, float]:
    """Readings of a simulated run, by its records."""
    key = scenario.name, float(scenario["driver.rate_per_s"])
    if key not in _runs:
        generate(scenario, folder / "run", seconds=SECONDS, seed=3, sample_k=SAMPLE_K)
        with imsperf.connect(folder / "run") as store:
            _runs[key] = read_system(store).values
    return _runs[key]


def simulated(scenario: Scenario, rate: float) -> Mapping[str, float]:
    runs = short_runs([network for _, network in systems(scenario)], rate)
    return {name: estimate.mean for name, estimate in runs.items()}


@pytest.mark.parametrize(("name", "rate", "change", "rate_pct", "response_pct"), CASES)
def test_a_what_if_comes_near_what_is_simulated(
    name: str, rate: int, change: str, rate_pct: float, response_pct: float, tmp_path: Path
) -> None:
    """Beside the trivial answer: as much more of the rate, at the same response."""
    own = load(name, {"driver.rate_per_s": rate} if rate else {})
    seen = measured(own, tmp_path)
    option, words = change.split()
    asked = {option: words}
    truth = simulated(own.with_settings(what_if(own, asked)), seen["etr_per_s"])
    clients = None if rate else own["clients"]
    today = whatif.todays(name, load(whatif.like(seen)), seen, clients)
    after = today.scenario.with_settings(what_if(today.scenario, asked))
    rows = {row["metric"]: row for row in whatif.answer(today, after)}
    more = 1 + float(words[1:-1]) / 100 if option == "--load" else 1.0
    cells = [name, f"{rate:,} a second" if rate else f"{clients:,} clients", change]
    errors = []
    for metric, trivial in (
        ("etr_per_s", seen["etr_per_s"] * more),
        ("ims_response_ms", seen["ims_response_ms"]),
    ):
        row, true = rows[metric], truth[metric]
        errors.append((row["value"] / true - 1) * 100)
        cells += [f"{true:,.0f}" if true > 1000 else f"{true:.3g}"]
        cells += [f"{errors[-1]:+.1f} %", f"{(trivial / true - 1) * 100:+.1f} %"]
    response = rows["ims_response_ms"]
    high = response["high"] or float("inf")
    cells.append("yes" if response["low"] <= truth["ims_response_ms"] <= high else "no")
    line = "| " + " | ".join(cells) + " |"
    print(line)
    assert abs(errors[0]) < rate_pct and abs(errors[1]) < response_pct, line
    document = (CHECKOUT / "docs" / "whatif.md").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(line)}$", document, re.MULTILINE), line
