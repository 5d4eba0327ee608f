"""A model of a measured system: a scenario of such work, with what the records show in its place.

Load is open at the measured rate, or that of so many clients. Processors, regions, log writes and
database I/O are set to what was measured; CPU and log bytes of a transaction are scaled to it. The
delay that no equation explains (closed: and client time) is then fitted to the response.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scipy.optimize import brentq

from imsperf.errors import ScenarioError
from imsperf.synthetic.calibrating import (
    CLIENT_TIME,
    DELAY,
    FAR,
    QUANTITIES,
    WEAK,
    Case,
    fit,
    with_cost,
)
from imsperf.synthetic.predict import Row, Told, predict_change, silent
from imsperf.synthetic.scenarios.scenario import TARGET, Scenario
from imsperf.synthetic.uncertainty import Doubt, model_error, published_errors
from imsperf.synthetic.workloads.families import predicted
from imsperf.synthetic.workloads.prediction import FULL

RATE, RESPONSE = QUANTITIES
OCCUPANCY = "region_occupancy_ms"
OPEN = "driver.rate_per_s"
ROUNDS = 4  # of scales that depend on one another
COUNTS = {  # reading: knob
    "cps": "cpu.gcps",
    "db_volumes": "dasd.volumes",
    "db_paths": "dasd.channel_paths",
    "olds_bytes": "log.olds.block_bytes",
    "olds_buffers": "log.olds.buffers",
    "cics_regions": "cics.regions",
}
WRITES = {"wads_ms": "log.wads.write_ms", "olds_ms": "log.olds.write_ms"}
LOCAL = {"log.mirror": "off", "log.zhpf": "on", "log.zhyperwrite": "off"}  # a write as measured
REGIONS = ("regions.mpp", "regions.ifp", "regions.jmp", "regions.threads")
TOGETHER = {  # reading, and what is not told apart where it is more than one
    "ims_systems": "which IMS of the system has what",
    "systems": "the other systems and the coupling facility",
}
ABSENT = {  # what the model has of the scenario where a reading is missing, and who would show it
    "wads_ms": "WADS writes (type 42.6 or 74.1)",
    "olds_ms": "OLDS writes (type 42.6 or 74.1)",
    "db_io_per_s": "database I/O (type 42.6 or 74.1)",
    "db_paths": "channel paths (type 78.3)",
    "log_mb_per_s": "log bytes of a transaction (log record 4507)",
    "regions": "dependent regions (IMS log or type 30)",
    "work": "kind of work (regions in the IMS log)",
}
GIVEN = (
    "cpu_us_per_tran",
    "cpu_busy_pct",
    "itr_per_s",
    "db_io_per_tran",
    "db_io_ms",
    "log_mb_per_s",
    "wads_write_ms",
    "olds_write_ms",
)
MEASURED = (
    "etr_per_s",
    "ims_response_ms",
    "cpu_us_per_tran",
    "cpu_busy_pct",
    "ziip_us_per_tran",
    "db_io_ms",
    "log_mb_per_s",
    "wads_writes_per_s",
)

Readings = Mapping[str, float]


LIKE = {  # the region that most transactions run in: the scenario of such work
    "regions.mpp": "ff-haldb",
    "regions.ifp": "fast-path",
    "regions.jmp": "jmp",
    "regions.threads": "odbm",
}


@dataclass(frozen=True)
class Today:
    """A measured system as the model has it.

    `readings`: what was measured; `unseen`: what the records do not show and the model therefore
    has of the scenario it is like; `errors`: relative, of the fit, by metric.
    """

    scenario: Scenario
    like: str
    readings: Readings
    unseen: tuple[str, ...]
    errors: Mapping[str, float]


def like(readings: Readings) -> str:
    """The scenario whose work is most like that of the regions; full function where none are told
    apart. Errors: ScenarioError where no record is of IMS."""
    if not any(readings.get(key) for key in (*REGIONS, "ims_systems", "region_spaces")):
        raise ScenarioError(
            "whatif: found no IMS: no log record 4507, no region in the log or in type 30",
            "load the IMS log or type 30 with the run, or say what work it is: --like ff-haldb",
        )
    if readings.get("cics_regions") and not any(readings.get(key) for key in REGIONS[:3]):
        return "cics-ff"
    most = max(REGIONS, key=lambda key: readings.get(key, 0.0))
    return LIKE[most]


def todays(label: str, base: Scenario, readings: Readings, clients: int | None = None) -> Today:
    """The model of a measured system. `clients`: a closed load of so many, else arrivals are open.

    Errors: ScenarioError for work the scenario does not have, a saturated system, and for what no
    delay fits.
    """
    if base.family != "tm":
        raise ScenarioError(
            f"whatif: found scenario {base.name}, expected one IMS system with transactions",
            "ff-haldb, fast-path, jmp, cics-ff, odbm or a file that extends one of them",
        )
    regions = _regions(base, readings)
    seen = [*readings, *(("regions",) if regions else ())]
    seen += ["work"] if any(key in readings for key in REGIONS) else []
    scenario = base.with_settings(_settings(base, readings) | regions | _driver(readings, clients))
    scenario = _scaled(label, scenario, readings)
    scenario = _with_delay(label, scenario, readings, clients)
    unseen = tuple(words for name, words in ABSENT.items() if name not in seen)
    for name, words in TOGETHER.items():
        unseen += (words,) if readings.get(name, 1) > 1 else ()
    today = Today(scenario, base.full_name, readings, unseen, {})
    return replace(today, errors=_errors(today))


def _driver(readings: Readings, clients: int | None) -> dict[str, float | int]:
    if clients is None:
        return {OPEN: readings[RATE], TARGET: 0.0}
    return {OPEN: 0.0, TARGET: 0.0, "clients": clients}


def _settings(like: Scenario, readings: Readings) -> dict[str, float | int | str]:
    """What is a knob and was measured."""
    settings: dict[str, float | int | str] = {
        knob: max(round(readings[name]), 1)
        for name, knob in COUNTS.items()
        if name in readings and knob in like
    }
    for name, knob in WRITES.items():
        if name in readings:
            settings |= LOCAL | {knob: readings[name]}
    if "cps" in readings:  # type 70.1 was there: no zIIPs are none
        settings["cpu.ziips"] = round(readings.get("ziips", 0))
    return settings


def _regions(like: Scenario, readings: Readings) -> dict[str, int]:
    """Regions of the kinds that the scenario's work uses: those in the log, or all of type 30."""
    kinds = [key for key in REGIONS if like.get(key, 0) > 0]
    in_log = {key: round(readings[key]) for key in kinds if key in readings}
    if len(kinds) == 1 and "region_spaces" in readings and kinds[0] != REGIONS[3]:
        others = sum(
            v for key, v in readings.items() if key.startswith("regions.") and key != kinds[0]
        )
        others += readings.get("regions_other", 0)
        spaces = round(readings["region_spaces"] - others)
        in_log[kinds[0]] = max(in_log.get(kinds[0], 0), spaces)
    return {key: count for key, count in in_log.items() if count > 0}


def _scaled(label: str, scenario: Scenario, readings: Readings) -> Scenario:
    """CPU, log bytes and I/Os of a transaction, and the time of an I/O, as measured."""
    bare = scenario.with_settings({DELAY: 0.0, CLIENT_TIME: _think_ms(scenario, readings)})
    case = Case(label, bare, {key: readings[key] for key in (RATE, "cpu_us_per_tran")})
    for _ in range(ROUNDS):
        case = with_cost(case)
        values = predicted(case.scenario).values
        settings = {}
        ios, now = readings.get("db_io_per_s"), float(str(values["db_io_per_tran"]))
        if ios is not None and now > 0:
            factor = ios / readings[RATE] / now
            settings["dasd.io_per_access"] = case.scenario["dasd.io_per_access"] * factor
        if readings.get("db_io_ms") and now > 0 and values["db_io_ms"]:
            factor = readings["db_io_ms"] / float(str(values["db_io_ms"]))
            settings["dasd.db_read_ms"] = _db_read_ms(case.scenario) * factor
        case = replace(case, scenario=case.scenario.with_settings(settings))
        if "log_mb_per_s" in readings and "log_records" in scenario.tables:
            own = float(str(values["log_mb_per_s"])) / float(str(values[RATE]))
            factor = readings["log_mb_per_s"] / readings[RATE] / own
            case = replace(case, scenario=_with_log_bytes(case.scenario, factor))
    _check_balance(label, case.scenario, readings)
    return case.scenario


def _think_ms(scenario: Scenario, readings: Readings) -> float:
    """Little: what is left of a client's cycle without the response."""
    if scenario[OPEN] > 0:
        return float(scenario[CLIENT_TIME])
    return max(float(scenario["clients"]) / readings[RATE] * 1000 - readings[RESPONSE], 0.0)


def _db_read_ms(scenario: Scenario) -> float:
    parts = sum(scenario.get(f"dasd.{part}_ms", 0.0) for part in ("pend", "disc", "conn"))
    return float(scenario["dasd.db_read_ms"]) or float(parts)


def _with_log_bytes(scenario: Scenario, factor: float) -> Scenario:
    table = scenario.tables["log_records"]
    place = [column.name for column in table.columns].index("bytes")
    rows = tuple(
        (*row[:place], float(row[place]) * factor, *row[place + 1 :]) for row in table.rows
    )
    return replace(scenario, tables={**scenario.tables, "log_records": replace(table, rows=rows)})


def _check_balance(label: str, scenario: Scenario, readings: Readings) -> None:
    """Raise ScenarioError where the measured load fills a station of the model."""
    values = predicted(scenario).values
    use = values.get(f"util_{values['bottleneck']}")
    is_full = isinstance(use, float) and use >= 100 * FULL
    if values[RESPONSE] is None or (is_full and scenario[OPEN] > 0):
        raise ScenarioError(
            f"whatif: {label}: found {readings[RATE]:,.0f} transactions a second, and "
            f"{values['bottleneck']} is full at {float(str(values[RATE])):,.0f}",
            "a saturated run says nothing of what is behind its bottleneck: take intervals with "
            "less load (--from, --to), or say how many clients there are (--clients)",
        )


def _with_delay(
    label: str, scenario: Scenario, readings: Readings, clients: int | None
) -> Scenario:
    """The response as measured, where a delay makes it so; else none."""
    observed = {key: readings[key] for key in (RATE, RESPONSE)}
    bare = float(str(predicted(scenario).values[RESPONSE]))
    if bare > observed[RESPONSE] * (1 + FAR):
        raise ScenarioError(
            f"whatif: {label}: found a response of {observed[RESPONSE]:,.3g} ms, expected at least "
            f"{bare:,.3g}: CPU, log and I/O of {scenario.name} take that without any delay",
            "it is other work: --like fast-path, zos-connect or another one of `imsperf scenarios`",
        )
    if clients is None and bare > observed[RESPONSE] * (1 - WEAK):
        return scenario
    start = {DELAY: max(observed[RESPONSE] - bare, 0.0)}
    unknowns = (DELAY,) if clients is None else (CLIENT_TIME, DELAY)
    if clients is None:  # a search that begins where regions overflow would find no way back
        most = observed[RESPONSE]
        start = {DELAY: brentq(_excess, 0.0, most, (scenario, most))}
    fitted = fit([Case(label, scenario.with_settings(start), observed)], unknowns)
    return scenario.with_settings(fitted.values)


def _excess(delay_ms: float, scenario: Scenario, response_ms: float) -> float:
    """By how much the response is too long with this delay; without a balance, by as much again."""
    value = predicted(scenario.with_settings({DELAY: delay_ms})).values[RESPONSE]
    return response_ms if value is None else float(value) - response_ms


def _errors(today: Today) -> dict[str, float]:
    """Relative error of each figure that was measured; what was given has next to none."""
    values = predicted(today.scenario).values
    return {
        metric: abs(float(value) / today.readings[metric] - 1)
        for metric in MEASURED
        if today.readings.get(metric) and isinstance(value := values.get(metric), int | float)
    }


def answer(today: Today, after: Scenario, method: str = "", told: Told = silent) -> list[Row]:
    """The rows of `after` as `imsperf model` has them, with what was measured and today's model.

    `measured`: None where no record shows it. `before`: the model of today; `today`: how that came
    about: input, fitted, or predicted. Of a load that cannot pass: the figures at the limit.
    """
    errors = _model_errors(today) | ({RATE: 0.0} if after[OPEN] > 0 else {})
    known = dict.fromkeys(GIVEN, "input") | dict.fromkeys(QUANTITIES, "fitted")
    if today.scenario[OPEN] > 0:
        known[RATE] = "input"
    if today.scenario[DELAY] == 0:  # shorter than the model has it without
        known[RESPONSE] = "predicted"
    doubt = Doubt(errors, *_delay_range(today.scenario, after))
    rows = predict_change(today.scenario, after, method, told, doubt)
    return [
        row
        | {
            "measured": today.readings.get(row["metric"]),
            "today": known.get(row["metric"], "predicted"),
        }
        for row in rows
    ]


def _model_errors(today: Today) -> dict[str, float]:
    """Of published cells of the scenario it is like, and of the fit, the larger."""
    published = published_errors(today.scenario.name)
    fitted = {
        metric.name: max(today.errors[metric.name], model_error(published, metric))
        for metric in predicted(today.scenario).metrics
        if metric.name in today.errors
    }
    return {**published, **fitted}


def _delay_range(before: Scenario, after: Scenario) -> tuple[float, float]:
    """Factors between which the unexplained delay may be: today it is known. It may be less or more
    by as much as the rate moves. With what is explained of the time in a region it goes the same
    way, by as much: slower disks make no wait shorter."""
    old, new = (predicted(scenario).values for scenario in (before, after))
    if old[RESPONSE] is None or new[RESPONSE] is None:
        return 1.0, 1.0
    explained = [
        max(float(str(values[OCCUPANCY])) - scenario[DELAY], 1e-9)
        for values, scenario in ((old, before), (new, after))
    ]
    longer = explained[1] / explained[0] - 1
    other_rate = abs(float(str(new[RATE])) / float(str(old[RATE])) - 1)
    return 1.0 - min(max(other_rate, -longer), 1.0), 1.0 + min(max(other_rate, longer), 1.0)
