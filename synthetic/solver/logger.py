"""Response of one log write: local device, protocol, synchronous mirror, distance.

model.md 3.5. Additive: w = local + exchange (without zHPF) + mirror + us_per_km x km_link (mirrored
and not zHyperWrite). zHyperWrite writes both copies from the host at once: the later one counts.
What the writes then do together (one outstanding, all pending join) is devices.group_commit.
"""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.synthetic.solver.result import require

LIGHT_US_PER_KM = 10.0  # there and back in glass, with the exchange of a synchronous mirror


@dataclass(frozen=True)
class LogVolume:
    """Parts of a write, microseconds."""

    local: float
    exchange: float  # protocol exchanges that zHPF saves
    mirror: float  # synchronous mirror at no distance


@dataclass(frozen=True)
class Distance:
    """Kilometres and their price. The secondary can be nearer to the host than to the primary."""

    km_link: float = 0.0  # primary to secondary
    km_host_secondary: float = 0.0
    us_per_km: float = LIGHT_US_PER_KM
    host_us_per_km: float = LIGHT_US_PER_KM


def write_response(
    volume: LogVolume,
    distance: Distance,
    *,
    mirrored: bool,
    zhpf: bool = False,
    zhyperwrite: bool = False,
) -> float:
    """Microseconds of one write. Errors: ScenarioError for a negative part."""
    for part in (volume, distance):
        for name, value in vars(part).items():
            require(f"{name} of a log write", value, "0 or more", value >= 0)
    primary = volume.local + (0.0 if zhpf else volume.exchange)
    if not mirrored:
        return primary
    if zhyperwrite:
        return primary + distance.host_us_per_km * distance.km_host_secondary
    return primary + volume.mirror + distance.us_per_km * distance.km_link
