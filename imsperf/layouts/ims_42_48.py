"""IMS log codes about log data sets: 42, another OLDS is in use; 43, log data set header, with the layout of 42;
48, padding at the end of a block.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import BODY, LEVEL_CHANGES, OURS
from imsperf.record import LogRecord

# fmt: off

_IMSID = (
    #  +dec  name               kind        meaning
    F(   6, "imsid",            text(4),    "IMS id"),
    # +10: 6 reserved bytes
)
_DATA_SETS = (
    F(  20, "olds_ddname",      text(8),    "DD name of the OLDS now in use"),
    F(  28, "prev_ddname",      text(8),    "DD name of the OLDS that was closed"),
    F(  36, "open",             tod,        "When the new OLDS was opened, UTC"),
    F(  44, "close_prev",       tod,        "When the other OLDS was closed, UTC"),
    F(  52, "first_lsn",        u8,         "Log sequence number of the first record of the new OLDS"),
    F(  60, "blocks_prev",      u4,         "Blocks written to the OLDS that was closed", "blocks"),
    F(  64, "reason",           text(1),    "Why: F full, C command, E error"),
    # +65: 3 reserved bytes
)

SWITCH = Section("ims_42", "Switch to another online log data set (OLDS)", f"{OURS}: code 42; installed_level: {LEVEL_CHANGES}", 68, (
    *_IMSID,
    F(  16, "installed_level",  opaque(4),  "Installed IMS level; its place X'10' is documented, its length is ours", "", "1src"),
    *_DATA_SETS,
), PROJECT_DEFINED)

HEADER = Section("ims_43", "Header of a log data set", f"{OURS}: code 43", 68, (
    *_IMSID,
    F(  16, "installed_level",  opaque(4),  "Installed IMS level, where 42 has it"),
    *_DATA_SETS,
), PROJECT_DEFINED)

PADDING = Section("ims_48", "Zeros that fill a block which had to go out early; overhead, no event", f"{OURS}: code 48", BODY, (), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x42, None, "OLDS switch", SWITCH),
    LogRecord(0x43, None, "Log data set header", HEADER),
    LogRecord(0x48, None, "Padding", PADDING),
)
