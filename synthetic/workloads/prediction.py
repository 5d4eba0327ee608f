"""What a model answers: metrics in the names of run.metrics, and the stations behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.result import Use
from imsperf.synthetic.workloads.features import kept_threads

Value = float | str | None
SOLVER, SIMULATED = "solver", "simulated"


@dataclass(frozen=True)
class Metric:
    """One figure. `kind` is set where it is no prediction: input, fitted or unexplained.

    `method`: what made it, SOLVER or SIMULATED; of a simulated one, `half_width` of its 95 %
    interval.
    """

    name: str
    unit: str
    value: Value
    kind: str = ""
    method: str = SOLVER
    half_width: float = 0.0


@dataclass(frozen=True)
class StationRow:
    """A station as `--explain` shows it. Times in microseconds for each transaction."""

    system: str
    station: str
    servers: float  # 0: nobody waits
    demand_us: float | None
    residence_us: float | None
    queue: float | None
    utilisation_pct: float | None
    limit_per_s: float | None  # transactions a second that it could pass
    note: str = ""


@dataclass(frozen=True)
class Prediction:
    """All figures of one balance. `think_ms`: what the driver used, found where it was sought.

    `knees`: states the solver does not follow (solver/answer.py), in words.
    """

    metrics: tuple[Metric, ...]
    stations: tuple[StationRow, ...]
    knees: tuple[str, ...] = ()

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """The values by name."""
        return {metric.name: metric.value for metric in self.metrics}


def ms(us: float | None) -> float | None:
    """Microseconds as milliseconds."""
    return None if us is None else us / 1000


def limits(
    rate: float,
    uses: Mapping[str, Use],
    fixed: Mapping[str, float],
    dearer: Mapping[str, float] = {},
) -> dict[str, float]:
    """The rate at which each station is full: its use above `fixed` grows with the rate.

    `dearer`: factor by which a transaction uses more of it then (CPU growth, model.md 3.3).
    """
    full_at = {}
    for name, use in uses.items():
        own = use.utilisation - fixed.get(name, 0.0)
        if use.limit > 0 and own > 1e-9 and not name.startswith(NO_LIMIT):
            full_at[name] = rate * (1 - fixed.get(name, 0.0)) / own / dearer.get(name, 1.0)
    return full_at


NO_LIMIT = ("wads",)  # busy whenever anything is logged, yet takes any number with one write


FULL = 0.99  # use of the bottleneck from which on what fills next is the station after it


def next_to_fill(
    rate: float, full_at: Mapping[str, float], full: str = "", alone: Mapping[str, float] = {}
) -> tuple[str, float | None]:
    """The station that fills first when the rate rises, and the rate at which it does.

    `full`: the bottleneck where it is full now: the rate cannot rise, so there is no such rate.
    Named is the station that would fill next if that one had more, by the rate that each allows;
    `alone`: the rates of those that only wait for the bottleneck.
    """
    left = {name: limit for name, limit in full_at.items() if name != full}
    if full:
        left |= {name: limit for name, limit in alone.items() if name in left}
    if not left:
        return "", None
    name = min(left, key=lambda one: left[one])
    return name, None if full else max(left[name], rate)


def storage(scenario: Scenario) -> list[Metric]:
    """Storage as measured: inputs that the records repeat, chosen by release and settings."""
    if scenario.get("web.connections", 0) > 0:  # what they take, without anything else
        mb = scenario["web.connections"] * scenario["web.kb_of_connection"] / 1024
        return [Metric("cics_user_eprivate_mb", "MB", mb, "input")]
    if "storage" not in scenario.tables:
        return []
    release = scenario["ims.release"]
    values: dict[str, float] = {}
    for row in scenario.table("storage"):
        key = f"v{release}" if f"v{release}" in row else None
        if "value" in row:
            values[row["metric"]] = row["value"]
        elif key:
            values[row["metric"]] = row[key]
    if "acb.lsqa_mb" in scenario and scenario["ims.managed_acb"] == "off":
        for area in ("control_lsqa_eprivate_mb", "dli_lsqa_eprivate_mb"):
            values[area] -= scenario["acb.lsqa_mb"]
    if "storage_changes" in scenario.tables:
        for row in scenario.table("storage_changes"):
            if holds(scenario, row["when"]):
                values[row["metric"]] = row["value"]
    rows = [Metric(name, _unit(name), v, "input") for name, v in values.items()]
    if "esaf.thread_kb" in scenario:
        of_threads = kept_threads(scenario) * scenario["esaf.thread_kb"] / 1024
        rows.append(Metric("csa_above_16m_key7_mb", "MB", scenario["esaf.csa_mb"] + of_threads))
    return rows


def _unit(metric: str) -> str:
    """KB or MB, as the name of a storage row says; a suffix for the system may follow."""
    return next(part.upper() for part in reversed(metric.split("_")) if part in ("kb", "mb"))


def holds(scenario: Scenario, when: str) -> bool:
    """Whether all of `knob=value knob=value` are so."""
    pairs = (word.partition("=") for word in when.split())
    return all(str(scenario[key]) == value for key, _, value in pairs)
