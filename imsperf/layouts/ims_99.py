"""IMS log code 99, asynchronous data capture: what a program changed, where it set and took back to a point, its end.

IBM documents the prefix, so it is read in every log. What follows it holds changed data, whose places are not
published, but for the token of SETS and ROLS calls. The IBM pages list lengths: offsets here are their sums.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u1, u2
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.record import LogRecord

# fmt: off

_PREFIX_PAGE = "IMS 15.3, data capture log record prefix"
_CALL_PAGE = "IMS 15.2, SETS and ROLS call log record format"

_PREFIX = (
    #  +dec  name, kind, meaning
    F(   5, "subcode",     u1,         "What was captured: X'04' changed data, X'28' end of job, X'30' SETS, X'34' ROLS"),
    F(   6, "pst_number",  u2,         "Region number"),
    F(   8, "recovtkn",    opaque(16), "Recovery token of the unit of recovery"),
    F(  24, "store_clock", tod,        "When the call ended or the record was written, UTC"),
)

CAPTURE = Section("ims_99", "Data capture record but for SETS and ROLS: its prefix", _PREFIX_PAGE, 32, _PREFIX)

SETS = Section("ims_9930", "Data capture record of a SETS call", _CALL_PAGE, 36, (
    *_PREFIX,
    F(  32, "token",        text(4),     "Token of the SETS call", "", "1src"),
))

ROLS = Section("ims_9934", "Data capture record of a ROLS call", _CALL_PAGE, 36, (
    *_PREFIX,
    F(  32, "token",        text(4),     "Token of the ROLS call", "", "1src"),
))

RECORDS = (
    LogRecord(0x99, None, "Data capture", CAPTURE),
    LogRecord(0x99, 0x30, "Data capture of SETS", SETS),
    LogRecord(0x99, 0x34, "Data capture of ROLS", ROLS),
)
DOCUMENTED = RECORDS
