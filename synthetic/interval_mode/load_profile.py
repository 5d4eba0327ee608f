"""How the load changes over days: weekday, hour of the day, a slow modulation.

A load of 1 is that of the scenario. The hour's factors hold at the full hour and are joined by
straight lines; the weekday's factor holds from midnight to midnight, local time. The modulation
is a smooth random curve through one normal number for each `modulation_hours`, drawn by its place
in time: any interval can be made alone. Built-in profiles are assumptions.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.errors import ScenarioError, near
from imsperf.synthetic.arrays import F64
from imsperf.synthetic.interval_mode.draws import Draws
from imsperf.synthetic.units import S_PER_DAY, S_PER_HOUR

LEAST, MOST = 0.02, 3.0  # a load outside is cut
NUMBERS = {"weekday": 7, "hour": 24}
SCALARS = {"modulation_pct": (0.0, 50.0), "modulation_hours": (0.25, 168.0)}
EPOCH = np.datetime64("2000-01-03", "us")  # a Monday; the modulation counts from here


@dataclass(frozen=True)
class LoadProfile:
    """Factors on the load of the scenario: Monday to Sunday, 0 to 23 h, and a slow modulation."""

    name: str
    weekday: tuple[float, ...] = (1.0,) * 7
    hour: tuple[float, ...] = (1.0,) * 24
    modulation_pct: float = 0.0  # standard deviation
    modulation_hours: float = 6.0  # from one number drawn to the next

    def load(self, local: npt.NDArray[np.datetime64], seed: int) -> F64:
        """The load at these local times, (n,)."""
        second = (local.astype("datetime64[us]") - EPOCH) / np.timedelta64(1, "s")
        day = np.floor(second / S_PER_DAY)
        clock = (second - day * S_PER_DAY) / S_PER_HOUR
        hour = np.interp(clock, np.arange(25), [*self.hour, self.hour[0]])
        weekday = np.array(self.weekday)[day.astype(np.int64) % 7]
        loads: F64 = weekday * hour * (1 + self.modulation_pct / 100 * self._wave(second, seed))
        return np.clip(loads, LEAST, MOST)

    def _wave(self, second: F64, seed: int) -> F64:
        """About normal numbers that change slowly: between two drawn ones along a cosine."""
        place = second / (self.modulation_hours * S_PER_HOUR)
        knot = np.floor(place).astype(np.int64)
        ends = [Draws(seed, knot + n).normal("load profile") for n in (0, 1)]
        share = (1 - np.cos(np.pi * (place - knot))) / 2
        wave: F64 = ends[0] * (1 - share) + ends[1] * share
        return wave


_OFFICE = (
    0.14, 0.11, 0.10, 0.10, 0.12, 0.18, 0.32, 0.55, 0.80, 0.95, 1.00, 0.98,
    0.86, 0.90, 0.97, 0.96, 0.88, 0.74, 0.56, 0.42, 0.33, 0.27, 0.22, 0.17,
)  # fmt: skip
PROFILES = {
    one.name: one
    for one in (
        LoadProfile("flat"),
        LoadProfile("office", (1.0, 0.97, 0.96, 0.98, 1.0, 0.6, 0.5), _OFFICE, 4.0, 6.0),
    )
}


def load_profile(name: str | Path) -> LoadProfile:
    """A built-in profile, or a TOML file with weekday, hour, modulation_pct, modulation_hours.

    Errors: ScenarioError for an unknown name or key, a wrong number of values, a value out of
    range.
    """
    text = str(name)
    if not text.endswith(".toml"):
        if text not in PROFILES:
            hint = near(text, PROFILES, f"there are {', '.join(PROFILES)}, or a .toml file")
            raise ScenarioError(f"load profile: no profile {text!r}", hint)
        return PROFILES[text]
    try:
        data = tomllib.loads(Path(text).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ScenarioError(f"{text}: could not be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{text}: no TOML file: {error}") from error
    return _checked(text, data)


def _checked(where: str, data: dict[str, Any]) -> LoadProfile:
    known = (*NUMBERS, *SCALARS)
    for key in data:
        if key not in known:
            raise ScenarioError(
                f"{where}: found {key!r}, expected one of {', '.join(known)}", near(key, known)
            )
    given: dict[str, Any] = {}
    for key in data.keys() & NUMBERS.keys():
        given[key] = tuple(_factors(where, key, data[key]))
    for key in data.keys() & SCALARS.keys():
        low, high = SCALARS[key]
        given[key] = _number(where, key, data[key], low, high)
    return LoadProfile(Path(where).name, **given)


def _factors(where: str, key: str, values: Any) -> list[float]:
    if not isinstance(values, list) or len(values) != NUMBERS[key]:
        what = f"{len(values)} values" if isinstance(values, list) else repr(values)
        raise ScenarioError(f"{where}: {key}: found {what}, expected {NUMBERS[key]} numbers")
    return [_number(where, key, value, 0.0, MOST) for value in values]


def _number(where: str, key: str, value: Any, low: float, high: float) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    if not good or not math.isfinite(value) or not low <= value <= high:
        raise ScenarioError(f"{where}: {key}: found {value!r}, expected {low:g} to {high:g}")
    return float(value)
