"""What a scenario can reach at all, whatever its client time and its delay in IMS are.

A measured rate above what is left without both, or a response below that of CPU, log and I/O at the
measured rate, is met by no fit: the number of processors or the workload is another one.
"""

from __future__ import annotations

from collections.abc import Mapping

from scipy.optimize import brentq

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.workloads.families import predicted

THINK = {"": "driver.think_ms", "_ims1": "driver.think_ms", "_ims2": "driver.think_2_ms"}
DELAYS = ("region.unexplained_ms", "region.unexplained_2_ms")
SLACK = 0.02  # a measurement may lie beyond the end by so much: noise
LONGEST_MS = 1e6

Observed = Mapping[str, float]


def check_reach(name: str, scenario: Scenario, observed: Observed) -> None:
    """Raise ScenarioError for a rate or response that no client time and delay give."""
    bare = scenario.with_settings({key: 0 for key in DELAYS if key in scenario})
    for end, think in THINK.items():
        rate, response = observed.get(f"etr_per_s{end}"), observed.get(f"ims_response_ms{end}")
        if rate is not None:
            _rate(name, bare, think, end, rate)
        if response is not None:
            _response(name, bare, think, end, rate, response)
        if rate is not None and response is not None and scenario["driver.rate_per_s"] == 0:
            _clients(name, scenario, rate, response)


def _at(bare: Scenario, think: str, think_ms: float) -> Mapping[str, object]:
    return predicted(bare.with_settings({think: think_ms})).values


def _rate(name: str, bare: Scenario, think: str, end: str, rate: float) -> None:
    found = _at(bare, think, 0.0)
    most = float(str(found[f"etr_per_s{end}"]))
    if rate > most * (1 + SLACK):
        raise ScenarioError(
            f"calibrate: {name}: etr_per_s{end}: found {rate:,.5g}, expected at most {most:,.5g}: "
            f"without client time and delay {found['bottleneck']} is full",
            "more clients, processors or regions, or less CPU for each transaction, reach it; "
            "or it is another workload",
        )


def _response(
    name: str, bare: Scenario, think: str, end: str, rate: float | None, response: float
) -> None:
    """Least at the rate, where that was measured, else of an idle system."""
    metric = f"ims_response_ms{end}"

    def excess(think_ms: float) -> float:
        return float(str(_at(bare, think, think_ms)[f"etr_per_s{end}"])) - (rate or 0.0)

    think_ms = longest = bare.knob(think).maximum or LONGEST_MS
    if rate is not None and excess(longest) < 0:
        think_ms = 0.0 if excess(0.0) <= 0 else float(brentq(excess, 0.0, longest, rtol=1e-4))
    least = float(str(_at(bare, think, think_ms)[metric]))
    if response < least * (1 - SLACK):
        raise ScenarioError(
            f"calibrate: {name}: {metric}: found {response:,.4g}, expected at least {least:,.4g}: "
            "CPU, log and I/O take that without any delay",
            "less CPU for each transaction, faster devices or fewer reads (dasd.io_per_access) "
            "shorten it; or it is another workload",
        )


def _clients(name: str, scenario: Scenario, rate: float, response: float) -> None:
    """Little: no more are inside than there are clients."""
    inside, clients = rate * response / 1000, scenario["clients"]
    if inside > clients * (1 + SLACK):
        raise ScenarioError(
            f"calibrate: {name}: found {rate:,.5g} a second for {response:,.4g} ms, {inside:,.0f} "
            f"at a time, expected at most the {clients:,} clients",
            "set clients, or give the time of a transaction in ms",
        )
