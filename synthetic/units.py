"""Units of time that the generator counts in.

Simulated time is whole ticks of 2**-12 microseconds, the unit of the TOD clock.
"""

from __future__ import annotations

TICKS_PER_US = 4096
TICKS_PER_S = TICKS_PER_US * 1_000_000
US_PER_MS, US_PER_MIN = 1000.0, 6e7
FAR_AWAY = 1 << 62  # tick of what never comes
S_PER_HOUR, S_PER_DAY = 3_600, 86_400
