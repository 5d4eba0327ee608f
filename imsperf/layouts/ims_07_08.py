"""IMS log codes 07 and 08: a program was scheduled (08) and ended (07).

The counters of 07 cover the whole schedule: all the messages that the program took, `msgs` of them. `pst` and `rtoken` join
with 56FA and the records of the unit of recovery.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u1, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import LogRecord

# fmt: off

_PROGRAM = (
    #  +dec  name, kind, meaning
    F(   6, "pst",         u2,         "Region number"),
    F(   8, "rtoken",      opaque(16), "Recovery token of the unit of recovery"),
    F(  24, "jobname",     text(8),    "Job name of the dependent region"),
    F(  32, "psb",         text(8),    "PSB of the program"),
    F(  40, "program",     text(8),    "Application program name"),
    F(  48, "tran",        text(8),    "Transaction code; blank where there is none"),
    F(  56, "region_type", text(1),    "M MPP, B BMP, I IFP, J JMP, D DBCTL thread, U utility"),
    F(  57, "flags",       u1,         "X'80' abend, X'40' wait for input, X'20' pseudo wait for input, X'10' quick reschedule"),
    F(  58, "class",       u2,         "Scheduling class"),
    F(  60, "prty",        u2,         "Scheduling priority"),
)

END = Section("ims_07", "Program ended: what it used in one schedule", f"{OURS}: code 07", 226, (
    *_PROGRAM,
    F(  62, "comp_code",     u4,  "Completion code of the program"),
    F(  66, "sched",         tod, "When scheduling began, UTC"),
    F(  74, "first_gu",      tod, "When the program got its first message (Get Unique), UTC; zeros if none"),
    F(  82, "end",           tod, "When the program ended, UTC"),
    F(  90, "cpu_us",        u8,  "CPU time on general processors", "us"),
    F(  98, "ziip_us",       u8,  "CPU time on zIIPs", "us"),
    F( 106, "msgs",          u4,  "Messages the program took off the queue in this schedule"),
    F( 110, "sched_wait_us", u8,  "Time scheduling waited for room in a pool or for conflicting intent", "us"),
    F( 118, "db_io_us",      u8,  "Time spent waiting for database I/O", "us"),
    F( 126, "lock_us",       u8,  "Time spent waiting for locks", "us"),
    F( 134, "db_ios",        u4,  "Database I/Os"),
    F( 138, "gu",            u4,  "GU calls to databases", "calls"),
    F( 142, "gn",            u4,  "GN calls to databases", "calls"),
    F( 146, "gnp",           u4,  "GNP calls to databases", "calls"),
    F( 150, "ghu",           u4,  "GHU calls to databases", "calls"),
    F( 154, "ghn",           u4,  "GHN calls to databases", "calls"),
    F( 158, "ghnp",          u4,  "GHNP calls to databases", "calls"),
    F( 162, "isrt",          u4,  "ISRT calls to databases", "calls"),
    F( 166, "dlet",          u4,  "DLET calls to databases", "calls"),
    F( 170, "repl",          u4,  "REPL calls to databases", "calls"),
    F( 174, "msg_gu",        u4,  "GU calls to the message queue", "calls"),
    F( 178, "msg_gn",        u4,  "GN calls to the message queue", "calls"),
    F( 182, "msg_isrt",      u4,  "ISRT calls of output messages", "calls"),
    F( 186, "msg_purg",      u4,  "PURG calls", "calls"),
    F( 190, "esaf_calls",    u4,  "Calls to external subsystems (Db2, MQ)", "calls"),
    F( 194, "esaf_us",       u8,  "Elapsed time inside external subsystems", "us"),
    F( 202, "enq",           u4,  "Lock requests", "requests"),
    F( 206, "enq_wait",      u4,  "Lock requests that had to wait", "requests"),
    F( 210, "fp_calls",      u4,  "Calls to DEDBs and MSDBs", "calls"),
    F( 214, "fp_reads",      u4,  "DEDB control intervals read"),
    F( 218, "fp_writes",     u4,  "DEDB control intervals changed"),
    F( 222, "log_recs",      u4,  "Log records the program caused", "records"),
), PROJECT_DEFINED)

SCHEDULE = Section("ims_08", "Program scheduled", f"{OURS}: code 08", 82, (
    *_PROGRAM,
    F(  62, "sched",       tod, "When scheduling was complete, UTC"),
    F(  70, "sched_start", tod, "When scheduling began, UTC"),
    F(  78, "qcount",      u4,  "Messages then on the queue of the transaction"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x07, None, "Program end", END),
    LogRecord(0x08, None, "Program schedule", SCHEDULE),
)
