"""What cannot be generated is refused with one clear message, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from imsperf.cli.model.generate import command
from imsperf.errors import ScenarioError
from imsperf.synthetic.interval_mode.run import generate_intervals
from imsperf.synthetic.scenarios.scenario import load

TABLE = """
name = "mine"
title = "t"
doc = "d"
extends = "tps-100k"
[table.log_volumes]
doc = "x"
columns = [
  { name = "volume", unit = "name", confidence = "assumed", source = "x", doc = "c" },
  { name = "%s", unit = "%s", confidence = "assumed", source = "x", doc = "c" },
]
rows = [ ["A", %s] ]
"""
WORDS = {
    "unknown knob": (["--set", "clientz=3"], "no knob 'clientz'", "did you mean clients"),
    "out of range": (["--set", "cpu.gcps=65"], "found 65, expected 1 to 64", "default"),
    "wrong unit": (["--set", "driver.think_ms=3 MB"], "found '3 MB', expected a number in ms", ""),
    "nobody": (["--set", "clients=0"], "clients: found 0, expected 1 to", ""),
    "negative": (["--set", "driver.think_ms=-1"], "found -1, expected 0 to", ""),
    "no number": (["--set", "clients=many"], "found 'many', expected a number", ""),
    "too much": (
        ["--set", "driver.rate_per_s=190000", "--seconds", "1"],
        "driver.rate_per_s: found 190,000 a second, expected at most",
        "lower driver.rate_per_s",
    ),
    "too much for days": (
        ["--set", "driver.rate_per_s=190000", "--intervals", "1", "--load-profile", "flat"],
        "can take no more",
        "lower driver.rate_per_s",
    ),
    "no date": (["--start", "monday"], "run.start: found 'monday'", "2014-03-10T14:00:00"),
    "long interval": (["--every", "90m", "--seconds", "3h"], "found 5400 s, expected at", "hour"),
    "fault": (["--intervals", "2", "--inject", "slow-vol"], "no fault", "slow-volume"),
}


@pytest.mark.parametrize("case", WORDS)
def test_it_is_said_and_nothing_is_written(case: str, tmp_path: Path) -> None:
    words, message, hint = WORDS[case]
    done = CliRunner().invoke(command, ["tps-100k", "--out", str(tmp_path / "out"), *words])
    assert isinstance(done.exception, ScenarioError), done.output
    assert message in done.exception.message
    assert hint in (done.exception.hint or "")
    assert not list(tmp_path.iterdir()) and not done.stdout


def test_intervals_of_no_length_are_refused(tmp_path: Path) -> None:
    """By the command's own words, and by the function."""
    words = ["tps-100k", "--out", str(tmp_path / "out"), "--intervals", "2", "--every", "0s"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 2 and "found '0s', expected more than 0" in done.output
    with pytest.raises(ScenarioError, match="intervals of 0"):
        generate_intervals(load("tps-100k"), tmp_path / "out", intervals=2, every_s=0)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "unit", "value", "message"),
    [
        ("us", "us", "-1.0", "table log_volumes: A: us: found -1.0, expected 0 us or more"),
        ("reads", "count", "nan", "found nan, expected 0 count or more"),
        ("share", "share", '"x"', "found 'x', expected 0 share or more"),
        ("weight", "%", "0.0", "found no weight above 0"),
        ("use", "text", '"WADS"], ["B"', "found 1 values, expected 2"),
    ],
)
def test_demands_that_cannot_be_are_refused(
    name: str, unit: str, value: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TABLE % (name, unit, value))
    done = CliRunner().invoke(command, [str(path), "--out", str(tmp_path / "out")])
    assert isinstance(done.exception, ScenarioError)
    assert message in done.exception.message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--intervals", "2", "--seconds", "3"],
        ["--intervals", "2", "--sample", "3"],
        ["--intervals", "2", "--resume", "x"],
        ["--inject", "slow-volume"],
        ["--load-profile", "flat"],
        ["--first", "2"],
        ["--intervals", "0"],
        ["--every", "soon"],
    ],
    ids=str,
)
def test_options_of_the_other_mode_are_wrong_usage(words: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["tps-100k", "--out", str(tmp_path / "out"), *words])
    assert done.exit_code == 2 and words[0][2:] in done.output
    assert not list(tmp_path.iterdir())
