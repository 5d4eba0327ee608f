"""How long a write to WADS or OLDS takes, from what a scenario says of the log (model.md 3.5)."""

from __future__ import annotations

from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.logger import Distance, LogVolume, write_response


def log_write_ms(scenario: Scenario, data_set: str) -> float:
    """Response of one write to `data_set`, wads or olds, in milliseconds."""
    parts = (scenario[f"log.{data_set}.{part}_ms"] for part in ("write", "zhpf", "mirror"))
    km_us = _km_us(scenario)
    there = Distance(scenario["log.km_link"], scenario["log.km_host_secondary"], km_us, km_us)
    us = write_response(
        LogVolume(*(1000 * ms for ms in parts)),
        there,
        mirrored=scenario["log.mirror"] == "on",
        zhpf=setting(scenario, data_set, "zhpf") == "on",
        zhyperwrite=setting(scenario, data_set, "zhyperwrite") == "on",
    )
    return us / 1000


def mirror_share(scenario: Scenario, data_set: str) -> float:
    """Part of such a write in which the volume waits for its synchronous mirror, 0 to 1."""
    if scenario["log.mirror"] != "on" or setting(scenario, data_set, "zhyperwrite") == "on":
        return 0.0
    whole = log_write_ms(scenario, data_set)
    far = scenario["log.km_link"] * _km_us(scenario) / 1000
    return (scenario[f"log.{data_set}.mirror_ms"] + far) / whole if whole > 0 else 0.0


def setting(scenario: Scenario, data_set: str, feature: str) -> str:
    """on or off: what is said of the data set, or of the log as a whole."""
    own = str(scenario[f"log.{data_set}.{feature}"])
    return str(scenario[f"log.{feature}"]) if own == "as_log" else own


def _km_us(scenario: Scenario) -> float:
    """Microseconds for each kilometre, there and back."""
    physical = scenario["log.distance"] == "physical"
    return float(scenario["log.km_physical_us" if physical else "log.km_2018_us"])
