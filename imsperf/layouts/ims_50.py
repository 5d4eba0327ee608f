"""IMS log code 5050: one change of a full-function database, in the unit of recovery that made it.

What was changed follows the fields: undo and redo data, as long as the record is.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, u1, u2, u4
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

CHANGE = Section("ims_5050", "Change of a full-function database", f"{OURS}: code 50 subcode 50", 62, (
    #  +dec  name, kind, meaning
    F(   6, "pst",      u2,         "Region number"),
    F(   8, "rtoken",   opaque(16), "Recovery token of the unit of recovery"),
    F(  24, "psb",      text(8),    "PSB of the program"),
    F(  32, "database", text(8),    "Database"),
    F(  40, "dsid",     u1,         "Data set of the database, from 1"),
    F(  41, "call",     text(1),    "I insert, R replace, D delete"),
    F(  42, "flags",    u2,         "X'8000' undo data follows, X'4000' redo data follows, X'2000' VSAM"),
    F(  44, "block",    u4,         "Relative block number of OSAM, control interval of VSAM"),
    F(  48, "offset",   u2,         "Offset of the change in the block", "bytes"),
    F(  50, "len",      u2,         "Length of the changed data", "bytes"),
    F(  52, "key_len",  u2,         "Length of the root key; 0 if it is not logged", "bytes"),
    F(  54, "data",     opaque(8),  "Start of the changed data, a sample"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x50, 0x50, "Database change", CHANGE),
)
