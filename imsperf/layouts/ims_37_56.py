"""IMS log codes of a unit of recovery: 5607 it begins; 5610, 5611, 3730, 5612 its commit in two phases; 3801, 4C01
its abort; 5613, 5614 while it is in doubt; 56FA what it used, where transaction statistics are on.

5611 - 5610 is phase 1, 5612 - 3730 phase 2. The names of 56FA are those IBM documents; their places are ours.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u1, u2, u4, u8, utc12
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

_EVENT = (
    #  +dec  name, kind, meaning
    F(   6, "pst",    u2,         "Region number"),
    F(   8, "rtoken", opaque(16), "Recovery token of the unit of recovery"),
    F(  24, "psb",    text(8),    "PSB of the program"),
    F(  32, "tran",   text(8),    "Transaction code; blank where there is none"),
    F(  40, "event",  tod,        "When it happened, UTC"),
)

PHASE_2 = Section("ims_3730", "Start of phase 2 of a commit", f"{OURS}: code 37 subcode 30", 48, _EVENT, PROJECT_DEFINED)
ABORT = Section("ims_3801", "Start of an abort", f"{OURS}: code 38 subcode 01", 48, _EVENT, PROJECT_DEFINED)
ABORT_END = Section("ims_4c01", "End of an abort, backout done", f"{OURS}: code 4C subcode 01", 48, _EVENT, PROJECT_DEFINED)
BEGIN = Section("ims_5607", "Unit of recovery begun", f"{OURS}: code 56 subcode 07", 48, _EVENT, PROJECT_DEFINED)
PHASE_1 = Section("ims_5610", "Start of phase 1 of a commit", f"{OURS}: code 56 subcode 10", 48, _EVENT, PROJECT_DEFINED)
PHASE_1_END = Section("ims_5611", "End of phase 1 of a commit", f"{OURS}: code 56 subcode 11", 48, _EVENT, PROJECT_DEFINED)
PHASE_2_END = Section("ims_5612", "End of phase 2 of a commit", f"{OURS}: code 56 subcode 12", 48, _EVENT, PROJECT_DEFINED)
IN_DOUBT = Section("ims_5613", "In-doubt structure created", f"{OURS}: code 56 subcode 13", 48, _EVENT, PROJECT_DEFINED)
IN_DOUBT_END = Section("ims_5614", "In-doubt structure deleted", f"{OURS}: code 56 subcode 14", 48, _EVENT, PROJECT_DEFINED)

STATISTICS = Section("ims_56fa", "What one transaction or unit of recovery used", f"{OURS}: code 56 subcode FA", 276, (
    F(   6, "tpcpsbcd",      u2,         "What the record was written for"),
    F(   8, "tpcpossn",      text(8),    "Name of the IMS subsystem"),
    F(  16, "tpcpstn",       u2,         "Region number"),
    F(  18, "tpcprtkn",      opaque(16), "Recovery token of the unit of recovery"),
    F(  34, "tpcpusid",      text(8),    "User id"),
    F(  42, "tpcppsb",       text(8),    "PSB of the program"),
    F(  50, "tpjobn",        text(8),    "Job name of the region"),
    F(  58, "tpstepn",       text(8),    "Step name of the region"),
    F(  66, "tplterm",       text(8),    "Logical terminal the input came from"),
    F(  74, "tpnwid",        text(8),    "Network id if the message came by APPC"),
    F(  82, "tpluname",      text(8),    "LU name if the message came by APPC"),
    F(  90, "tppgmnm",       text(8),    "Program name"),
    F(  98, "tptran",        text(8),    "Transaction code"),
    F( 106, "tpclass",       u2,         "Transaction class"),
    F( 108, "tpprty",        u1,         "Transaction priority"),
    F( 109, "tptype",        u1,         "X'80' MODE=MULT, X'40' wait for input, X'20' Java, X'10' CPI-C, X'08' IFP, X'04' DBCTL thread, X'02' BMP, X'01' MPP"),
    F( 110, "tpcmpcd",       u4,         "Completion or abend code"),
    F( 114, "tpimsver",      u1,         "IMS version"),
    F( 115, "tpimsrel",      u1,         "IMS release"),
    F( 116, "tpextime",      u8,         "CPU time on general processors", "us"),
    F( 124, "tpezaap",       u8,         "CPU time on zIIP or zAAP", "us"),
    F( 132, "tpstartu",      utc12,      "Start of the unit of recovery or message, UTC"),
    F( 144, "tpendu",        utc12,      "End of the unit of recovery or message, UTC"),
    F( 156, "tpinutc",       utc12,      "When the input message arrived, UTC"),
    F( 168, "tptdbio",       u8,         "Time spent waiting for database I/O", "us"),
    F( 176, "tptdbpl",       u8,         "Time spent waiting for database locks", "us"),
    F( 184, "tpdgu",         u4,         "GU calls to databases", "calls"),
    F( 188, "tpdgn",         u4,         "GN calls to databases", "calls"),
    F( 192, "tpdgnp",        u4,         "GNP calls to databases", "calls"),
    F( 196, "tpdghu",        u4,         "GHU calls to databases", "calls"),
    F( 200, "tpdghn",        u4,         "GHN calls to databases", "calls"),
    F( 204, "tpdghnp",       u4,         "GHNP calls to databases", "calls"),
    F( 208, "dl_isrt",       u4,         "ISRT calls to databases", "calls"),
    F( 212, "dl_dlet",       u4,         "DLET calls to databases", "calls"),
    F( 216, "dl_repl",       u4,         "REPL calls to databases", "calls"),
    F( 220, "msg_gu",        u4,         "GU calls to the message queue", "calls"),
    F( 224, "msg_isrt",      u4,         "ISRT calls of output messages", "calls"),
    F( 228, "db_ios",        u4,         "Database I/Os"),
    F( 232, "fp_calls",      u4,         "Calls to DEDBs and MSDBs", "calls"),
    F( 236, "fp_ci_reads",   u4,         "DEDB control intervals read"),
    F( 240, "fp_ci_updates", u4,         "DEDB control intervals changed"),
    F( 244, "fp_ci_waits",   u4,         "Waits for the lock of a control interval"),
    F( 248, "esaf_calls",    u4,         "Calls to external subsystems", "calls"),
    F( 252, "uow",           opaque(24), "Unit of work id of the input message; joins with 01 and 35"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x37, 0x30, "Phase 2 start", PHASE_2),
    LogRecord(0x38, 0x01, "Abort start", ABORT),
    LogRecord(0x4C, 0x01, "Abort end", ABORT_END),
    LogRecord(0x56, 0x07, "Unit of recovery start", BEGIN),
    LogRecord(0x56, 0x10, "Phase 1 start", PHASE_1),
    LogRecord(0x56, 0x11, "Phase 1 end", PHASE_1_END),
    LogRecord(0x56, 0x12, "Phase 2 end", PHASE_2_END),
    LogRecord(0x56, 0x13, "In-doubt structure created", IN_DOUBT),
    LogRecord(0x56, 0x14, "In-doubt structure deleted", IN_DOUBT_END),
    LogRecord(0x56, 0xFA, "Transaction statistics", STATISTICS),
)
