"""IMS log code 06: IMS started or stopped. Counters of a statistics set begin anew at a start."""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

START_STOP = Section("ims_06", "IMS start or stop", f"{OURS}: code 06", 22, (
    #  +dec  name          kind        meaning
    F(   6, "imsid",       text(4),    "IMS id"),
    F(  10, "event",       text(1),    "S cold start, W warm start, E emergency restart, T stop"),
    F(  11, "ims_level",   opaque(3),  "Version, release and modification"),
    F(  14, "event_time",  tod,        "When it happened, UTC"),
), PROJECT_DEFINED)

RECORDS = (LogRecord(0x06, None, "IMS start or stop", START_STOP),)
