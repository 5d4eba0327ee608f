"""What knobs move, over all scenarios: speed of processors, noise; each moves something."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic.generate import generate
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.noise import NOISE, factors, of_run
from imsperf.synthetic.scenarios.scenario import Knob, Scenario, load, names
from imsperf.synthetic.workloads.families import predicted, systems

GROWTH_FREE = ("otma-tpipe", "bmp-banking")  # their CPU per call or segment knows no growth
HELD = 27  # requests of a transaction of dsff-smq to the facility: 22 lock and cache, 5 list
EACH = [name for name in names() if name != "esaf-pooling"]
EACH += [f"esaf-pooling@{name}" for name in load("esaf-pooling").variants]
SPEEDS = (0.9, 1.0, 2.0)


def bare_us(name: str, speed: float) -> float:
    """CPU per transaction on processors of speed 1, growth and fixed part taken out.

    model.md 3.3: c(X, U) = base / speed x (1 + growth x U) + fixed / speed / X. A processor that
    waits for the coupling facility waits as long as the facility needs, whatever its own speed.
    """
    scenario = load(name, {"cpu.speed": speed})
    predicted_values: dict[str, Any] = dict(predicted(scenario).values)
    if name == "bmp-banking":
        return float(predicted_values["bmp_cpu_us_per_segment"] * speed)
    used = predicted_values["cpu_us_per_tran"] * speed
    if name in GROWTH_FREE:
        return float(used)
    if name == "cics-ts31":  # each region has its own part: 5.6, 16.8 and 13.1 ms/s
        return float(used - 35.509 * 1000 / predicted_values["etr_per_s"])
    used -= scenario["cpu.fixed_ms_per_s"] * 1000 / predicted_values["etr_per_s"]
    used /= 1 + scenario["cpu.growth"] * predicted_values["cpu_busy_pct"] / 100
    return float(used - HELD * (predicted_values.get("cf_host_cpu_us") or 0.0) * speed)


@pytest.mark.parametrize("name", EACH)
def test_cpu_per_transaction_times_speed_is_constant(name: str) -> None:
    """Once in the costs, the speed is in them once: within 1 % from 0.9 to double."""
    slow, unit_speed, two = (bare_us(name, speed) for speed in SPEEDS)
    assert (slow, two) == (pytest.approx(unit_speed, rel=0.01), pytest.approx(unit_speed, rel=0.01))


def test_twice_the_speed_halves_what_esaf_transactions_cost() -> None:
    """T39: 2,336.5 us. Twice as fast: half of it, less the growth from 85 to about 46 % busy."""
    predicted_values = predicted(load("esaf-pooling", {"cpu.speed": 2})).values
    assert predicted_values["cpu_us_per_tran"] == pytest.approx(
        2336.5 / 2 * (1.023 / 1.0426), rel=0.002
    )


def test_half_the_speed_doubles_what_esaf_transactions_cost() -> None:
    """Twice 2,336.5 us, and the growth from 85 to 100 % busy: 4,706 us, less or more fixed CPU."""
    predicted_values = predicted(load("esaf-pooling", {"cpu.speed": 0.5})).values
    assert predicted_values["cpu_us_per_tran"] == pytest.approx(
        2336.5 * 2 * (1.05 / 1.0426), rel=0.003
    )


# --- noise between runs --------------------------------------------------------------------------


def noisy(name: str) -> Scenario:
    return load(name, {NOISE: 10})


def test_factors_have_mean_one_and_the_standard_deviation_asked_for() -> None:
    """4,000 seeds: a mean is known to 10 % / sqrt(4,000) = 0.16 %, a deviation to 1.1 % of it."""
    drawn = [factors(noisy("jmp"), seed) for seed in range(4000)]
    for name in ("work", "pace"):
        values = np.array([getattr(factor, name) for factor in drawn])
        assert values.mean() == pytest.approx(1.0, abs=0.0065)
        assert values.std() == pytest.approx(0.10, rel=0.05)
    both = np.array([(factor.work, factor.pace) for factor in drawn])
    assert abs(np.corrcoef(both.T)[0, 1]) < 0.065


def test_without_noise_a_run_is_the_scenario_itself() -> None:
    variant = load("jmp")
    assert of_run(variant, 7) is variant
    assert of_run(noisy("jmp"), 7) == of_run(noisy("jmp"), 7) != of_run(noisy("jmp"), 8)


@pytest.mark.parametrize("name", ["jmp", "fast-path", "logger-mm", "esaf-pooling"])
def test_cost_follows_what_a_run_has_drawn(name: str) -> None:
    """CPU per transaction without growth is that of the mean run times the factor."""

    def bare(scenario: Scenario) -> float:
        predicted_values: dict[str, Any] = dict(predicted(scenario).values)
        return float(
            predicted_values["cpu_us_per_tran"]
            / (1 + 0.05 * predicted_values["cpu_busy_pct"] / 100)
        )

    for seed in (1, 2):
        factor = factors(noisy(name), seed).work
        ratio = bare(of_run(noisy(name), seed)) / bare(load(name))
        assert abs(factor - 1) > 0.01
        assert ratio == pytest.approx(factor, rel=0.004)


def test_intervals_have_the_pace_of_their_run(tmp_path: Path) -> None:
    """N / (Z / pace + R) of 4,000 clients, Z = 789.35 ms, R = 17.9 ms: 15 minutes."""

    def rate(settings: dict[str, Any], seed: int) -> float:
        run_written = generate_intervals(
            load("ff-haldb", settings), tmp_path / f"{seed}{len(settings)}", intervals=1,
            seed=seed, profile="flat",
        )  # fmt: skip
        return float(run_written.numbers["transactions"]) / 900

    for seed in (2, 3):
        pace = factors(noisy("ff-haldb"), seed).pace
        expected = 4000 / (0.78935 / pace + 0.0179)
        assert rate({NOISE: 10}, seed) == pytest.approx(expected, rel=0.01)
        assert rate({}, seed) == pytest.approx(4000 / (0.78935 + 0.0179), rel=0.01)


def test_events_have_the_noise_of_their_run(tmp_path: Path) -> None:
    """The type 70 record says so: busy time is rate x CPU; and run.toml what was drawn."""
    texts = []
    for spread in (0, 10):
        out = tmp_path / str(spread)
        generate(load("ff-haldb", {NOISE: spread}), out, seconds=0.3, seed=2)
        texts.append((out / "run.toml").read_text(encoding="utf-8"))
    drawn = factors(noisy("ff-haldb"), 2)
    assert "noise_work_factor" not in texts[0]
    (said,) = re.findall(r"^noise_work_factor = (\S+)$", texts[1], re.MULTILINE)
    assert float(said) == pytest.approx(drawn.work, rel=1e-14)  # 15 digits are written
    dumps = [(tmp_path / n / "ff-haldb.SYSA.smf.vbs").read_bytes() for n in ("0", "10")]
    assert dumps[0] != dumps[1]


# --- units ---------------------------------------------------------------------------------------

UNITS = {"KB", "MB", "MB/s", "ms", "us", "s", "min", "%", "1/s", "count", "station"}


@pytest.mark.parametrize("name", names())
def test_every_metric_has_a_unit_of_measure(name: str) -> None:
    by_name = {metric.name: metric.unit for metric in predicted(load(name)).metrics}
    assert set(by_name.values()) <= UNITS
    for metric, unit in by_name.items():
        parts = metric.split("_")
        if unit in ("KB", "MB"):
            assert unit.lower() in parts
    if name == "dsff-smq":  # T20: 260 KB of key 7 below the line
        assert by_name["csa_below_16m_key7_kb_ims1"] == "KB"


# --- each does something, or says that it does not -----------------------------------------------


def test_messages_through_sna_do_not_use_ims_connect() -> None:
    """T27: 163.02 us of which 16.088 in IMS Connect."""
    predicted_values = predicted(load("jmp", {"driver.transport": "sna"})).values
    assert predicted_values["ims_connect_cpu_us_per_tran"] == 0
    assert predicted_values["cpu_us_per_tran"] == pytest.approx(163.02 - 16.088, rel=0.004)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("ff-haldb", {"regions.ifp": 5}, "regions.ifp: found 5, expected 0"),
        ("ff-haldb", {"regions.jmp": 1}, "no transaction of ff-haldb runs in such a region"),
        ("esaf-pooling", {"ims.release": 9}, "found 9, expected 15"),
        ("logger-mm", {"ims.release": 9}, "found 9, expected 15"),
        ("credential-propagation", {"ims.release": 14}, "found 14, expected 15"),
        ("jmp", {"ims.release": 12}, "found 12, expected 13 to 15"),
    ],
)
def test_what_was_not_measured_is_refused(
    name: str, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ScenarioError, match=message):
        predicted(load(name, settings))


CONTEXTS: tuple[dict[str, Any], ...] = (  # what some knobs ask for before they do anything
    {},
    {"log.mirror": "on", "log.zhyperwrite": "on", "log.km_link": 10, "log.km_host_secondary": 10,
     "log.zhpf": "off"},
    {"log.mirror": "on", "log.km_link": 10, "log.distance": "svl_poughkeepsie_2018",
     "cpu.ziips": 2, "cpu.smt": 2, "sched.wfi": "off", "trace.ALL": "external",
     "trace.volume": "low", "trace.target": "olds", "ims.managed_acb": "off",
     "otma.security": "full"},
    {"trace.ALL": "external", "trace.volume": "high", "trace.target": "tape",
     "cpu.ziips": 1, "workload.kind": "ff", "sched.wfi": "on"},
    {"workload.kind": "ff", "sched.wfi": "off"},
    {"security.credential_bytes": 100, "esaf.pooling": "on", "jvm.bits": "64", "encryption": "on",
     "dasd.channel_paths": 1, "cf.subchannels": 2, "driver.transport": "tcpip",
     "cpu.growth": 0.1, "cpu.fixed_ms_per_s": 30},
    {"storage.calls": "local_lock", "otma.ytib": "chain", "otma.free_chain": "on",
     "otma.output_clear": "on", "awe.expansion": "task_only", "latch.posting": "all"},
    {"cics.workload": "web", "cics.mode": "http", "web.tls": "on", "web.persistent": "off",
     "web.connections": 10, "web.kb": 40.0, "web.program": "commarea", "aor.regions": 4},
)  # fmt: skip
# names, clocks, noise, what data sets there are
OF_RECORDS = (
    *("system.", "machine.", "message.", "run.", "ims.id", "ims.second_id"),
    "trace.dfstra_blocks",
)
TRIED = 4  # other values of a knob


def others(knob: Knob) -> list[Any]:
    """Other values that it takes."""
    if knob.choices:
        return [choice for choice in knob.choices if choice != knob.value]
    if isinstance(knob.value, str):
        return []
    value, low, high = knob.value, knob.minimum or 0, knob.maximum or 0
    tried = [value * 1.5, value / 2, low, value * 10, value + 1, value - 1, (low + high) / 2]
    in_one_go = [round(value) if isinstance(knob.default, int) else value for value in tried]
    return [one for one in in_one_go if low <= one <= high and one != value][:TRIED]


def simulated(scenario: Scenario) -> Any:
    """What would be simulated; the message where it is refused."""
    try:
        return [network for _, network in systems(scenario)]
    except ScenarioError as error:
        return error.message


def metrics(scenario: Scenario) -> Any:
    """What is predicted, likewise."""
    try:
        return [(metric.name, str(metric.value)) for metric in predicted(scenario).metrics]
    except ScenarioError as error:
        return error.message


def moves(scenario: Scenario, before: Any, outcome: Callable[[Scenario], Any], key: str) -> bool:
    """Whether another value of the knob changes the outcome, or is refused."""
    for value in others(scenario.knob(key)):
        try:
            changed = scenario.with_settings({key: value})
        except ScenarioError:
            return True
        if outcome(changed) != before:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_knob_moves_something_or_says_that_it_is_stated_only(name: str) -> None:
    """A metric, or what is simulated; in one of several contexts. Names and clocks: the records."""
    variant = load(name)
    left = {
        key
        for key, knob in variant.knobs.items()
        if "tated only" not in knob.doc
        and not key.startswith(OF_RECORDS)
        and not (isinstance(knob.value, str) and not knob.choices)
        and not (knob.minimum is not None and knob.minimum == knob.maximum)
    }
    for outcome in (simulated, metrics):  # the quick one first: it leaves few
        for context in CONTEXTS:
            settings = {key: value for key, value in context.items() if key in variant}
            if left and (settings or not context):
                here = variant.with_settings(settings)
                before = outcome(here)
                left = {key for key in left if not moves(here, before, outcome, key)}
    assert left == set()
