"""What the IMS log record layouts share.

Every record begins LL ZZ code subcode and ends in the 16-byte suffix of `imsperf.layout.IMS_SUFFIX`; both are
documented by IBM, and so are the bodies of 67 and 99, which hold for every log. What stands between is IBM material
for the other codes and not public: their bodies, declared in ims_*.py, are this project's own, profile imsperf-1, and
never used on a log of a real IMS. A changed byte in one of them is a new profile, imsperf-2. Offsets count from LL; a
section ends where the suffix begins or, in a record with entries, where the first entry begins.
"""

from __future__ import annotations

from imsperf.kinds import text, tod, u2, u4
from imsperf.layout import Field as F

PROFILE = "imsperf-1"
OURS = f"{PROFILE}, layouts of this project"
LEVEL_CHANGES = "IMS 15.2 Release planning, log record changes"
BODY = 6  # bytes before the body: LL, ZZ, code, subcode

# fmt: off

# What every record of a statistics set begins with, and every one of them that has entries.

SET = (
    #  +dec  name               kind        meaning
    F(   6, "ckpt_no",          u4,         "Checkpoint this set belongs to"),
    F(  10, "interval_start",   tod,        "Since when the counters run: IMS start or the last reset, UTC"),
    F(  18, "sample",           tod,        "When the counters were taken, UTC"),
    F(  26, "imsid",            text(4),    "IMS id"),
)
TABLE = (
    *SET,
    F(  30, "count",            u2,         "Entries in this record"),
    F(  32, "entry_len",        u2,         "Length of an entry", "bytes"),
)
