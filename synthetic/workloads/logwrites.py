"""How long a write to WADS or OLDS takes: zHPF, mirror, zHyperWrite, distance (model.md 3.5).

Without zHyperWrite the mirror is written after the primary, by the storage: its time is added and
grows with the distance between the two. With it the host writes both at once: the longer of two.
"""

from __future__ import annotations

from imsperf.synthetic.scenario import Scenario


def log_write_ms(scenario: Scenario, data_set: str) -> float:
    """Response of one write to `data_set`, wads or olds, in milliseconds."""
    local = float(scenario[f"log.{data_set}.write_ms"])
    if setting(scenario, data_set, "zhpf") == "off":
        local += float(scenario[f"log.{data_set}.zhpf_ms"])
    if scenario["log.mirror"] == "off":
        return local
    km_ms = _km_us(scenario) / 1000
    if setting(scenario, data_set, "zhyperwrite") == "on":
        secondary = local + km_ms * float(scenario["log.km_host_secondary"])
        return max(local, secondary)
    return local + float(scenario[f"log.{data_set}.mirror_ms"]) + km_ms * scenario["log.km_link"]


def setting(scenario: Scenario, data_set: str, feature: str) -> str:
    """on or off: what is said of the data set, or of the log as a whole."""
    own = str(scenario[f"log.{data_set}.{feature}"])
    return str(scenario[f"log.{feature}"]) if own == "as_log" else own


def _km_us(scenario: Scenario) -> float:
    """Microseconds for each kilometre, there and back."""
    physical = scenario["log.distance"] == "physical"
    return float(scenario["log.km_physical_us" if physical else "log.km_2018_us"])
