"""What-ifs in words become settings of the knobs they are about."""

from __future__ import annotations

import pytest

from imsperf.errors import ScenarioError
from imsperf.synthetic.scenarios.scenario import load, what_if


@pytest.mark.parametrize(
    ("name", "asked", "settings"),
    [
        ("ff-haldb", {"--load": "+20%"}, {"clients": "4800"}),
        ("tps-100k", {"--load": "x2"}, {"clients": "15680", "otma.clients": "3136"}),
        ("ff-haldb", {"--cpus": "-1", "--load": None}, {"cpu.gcps": "2"}),
        ("ff-haldb", {"--disk-latency": "x2"}, {"dasd.db_read_ms": "0.56"}),
        (
            "tps-100k",
            {"--disk-latency": "-50%"},
            {
                "dasd.pend_ms": "0.1115",
                "dasd.device_busy_ms": "0.001",
                "dasd.disc_ms": "0.001",
                "dasd.conn_ms": "0.2725",
            },
        ),
    ],
)
def test_words_become_settings(
    name: str, asked: dict[str, str | None], settings: dict[str, str]
) -> None:
    scenario = load(name)
    assert what_if(scenario, asked) == settings
    scenario.with_settings(settings)


def test_an_open_load_is_its_rate() -> None:
    scenario = load("ff-haldb", {"driver.rate_per_s": 1000})
    assert what_if(scenario, {"--load": "+20%"}) == {"driver.rate_per_s": "1200"}


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        ("ff-haldb", {"--load": "20"}, "expected .20%"),
        ("ff-haldb", {"--cpus": "-3"}, "leaves 0"),
        ("otma-tpipe", {"--disk-latency": "x2"}, "has no dasd.db_read_ms"),
    ],
)
def test_what_cannot_be_is_refused(name: str, asked: dict[str, str | None], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        what_if(load(name), asked)
