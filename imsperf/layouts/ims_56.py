"""IMS log code 56, events at external subsystems (Db2, MQ) through the external subsystem attach facility (ESAF).

All have one layout. Which subcode is which event is this project's choice; 5607 is the start of a unit of recovery
(ims_37_56). `thread_token` joins what one thread did.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

_EVENT = (
    #  +dec  name, kind, meaning
    F(   6, "pst",            u2,         "Region number; 0 for the control region"),
    F(   8, "rtoken",         opaque(16), "Recovery token of the unit of recovery; zeros without one"),
    F(  24, "subsystem",      text(4),    "External subsystem, its name in the SSM member"),
    F(  28, "subsystem_type", text(4),    "DB2, MQ, WAS or other"),
    F(  32, "command_char",   text(4),    "Command recognition characters of the subsystem"),
    F(  36, "psb",            text(8),    "PSB of the program"),
    F(  44, "tran",           text(8),    "Transaction code; blank where there is none"),
    F(  52, "userid",         text(8),    "User the work runs for"),
    F(  60, "plan",           text(8),    "Plan, package or queue manager object; blank if none"),
    F(  68, "jobname",        text(8),    "Job that holds the connection"),
    F(  76, "flags",          u2,         "X'8000' failed, X'4000' thread used again, X'2000' pooled, X'1000' first in the region, X'0800' connection of the control region"),
    F(  78, "return_code",    u4,         "Return code of the subsystem"),
    F(  82, "reason_code",    u4,         "Reason code of the subsystem"),
    F(  86, "thread_token",   opaque(8),  "Token of the thread, the same from its creation to its end"),
    F(  94, "calls",          u4,         "Calls to the subsystem in the thread so far; in 5604 560A 560B 560C", "calls"),
    F(  98, "storage",        u4,         "Common storage the thread holds; in 5603 5604", "bytes"),
    F( 102, "start_time",     tod,        "When the request was passed to the subsystem, UTC"),
    F( 110, "end_time",       tod,        "When the request came back, UTC"),
    F( 118, "elapsed_us",     u8,         "Time inside the subsystem for this request; in 5604 for the whole thread", "us"),
)

CONNECT = Section("ims_5600", "Connection to an external subsystem made (ESAF)", f"{OURS}: code 56 subcode 00", 126, _EVENT, PROJECT_DEFINED)
IDENTIFY = Section("ims_5601", "Identify done (ESAF)", f"{OURS}: code 56 subcode 01", 126, _EVENT, PROJECT_DEFINED)
SIGN_ON = Section("ims_5602", "Sign-on done (ESAF)", f"{OURS}: code 56 subcode 02", 126, _EVENT, PROJECT_DEFINED)
CREATE = Section("ims_5603", "Thread created (ESAF)", f"{OURS}: code 56 subcode 03", 126, _EVENT, PROJECT_DEFINED)
TERMINATE = Section("ims_5604", "Thread terminated (ESAF)", f"{OURS}: code 56 subcode 04", 126, _EVENT, PROJECT_DEFINED)
COMMAND = Section("ims_5605", "Command passed to an external subsystem (ESAF)", f"{OURS}: code 56 subcode 05", 126, _EVENT, PROJECT_DEFINED)
DISCONNECT = Section("ims_5606", "Connection to an external subsystem ended (ESAF)", f"{OURS}: code 56 subcode 06", 126, _EVENT, PROJECT_DEFINED)
SIGN_OFF = Section("ims_5608", "Sign-off done (ESAF)", f"{OURS}: code 56 subcode 08", 126, _EVENT, PROJECT_DEFINED)
RESOLVE = Section("ims_5609", "In-doubt unit resolved (ESAF)", f"{OURS}: code 56 subcode 09", 126, _EVENT, PROJECT_DEFINED)
PREPARE = Section("ims_560a", "Prepare (commit phase 1) done (ESAF)", f"{OURS}: code 56 subcode 0A", 126, _EVENT, PROJECT_DEFINED)
COMMIT = Section("ims_560b", "Commit (phase 2) done (ESAF)", f"{OURS}: code 56 subcode 0B", 126, _EVENT, PROJECT_DEFINED)
ABORT = Section("ims_560c", "Abort done (ESAF)", f"{OURS}: code 56 subcode 0C", 126, _EVENT, PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x56, 0x00, "ESAF connection to an external subsystem made", CONNECT),
    LogRecord(0x56, 0x01, "ESAF identify done", IDENTIFY),
    LogRecord(0x56, 0x02, "ESAF sign-on done", SIGN_ON),
    LogRecord(0x56, 0x03, "ESAF thread created", CREATE),
    LogRecord(0x56, 0x04, "ESAF thread terminated", TERMINATE),
    LogRecord(0x56, 0x05, "ESAF command passed to an external subsystem", COMMAND),
    LogRecord(0x56, 0x06, "ESAF connection to an external subsystem ended", DISCONNECT),
    LogRecord(0x56, 0x08, "ESAF sign-off done", SIGN_OFF),
    LogRecord(0x56, 0x09, "ESAF in-doubt unit resolved", RESOLVE),
    LogRecord(0x56, 0x0A, "ESAF prepare (commit phase 1) done", PREPARE),
    LogRecord(0x56, 0x0B, "ESAF commit (phase 2) done", COMMIT),
    LogRecord(0x56, 0x0C, "ESAF abort done", ABORT),
)
