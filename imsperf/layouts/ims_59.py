"""IMS log code 59, Fast Path. One message in the order of its records: 5901 input, 5950 for each database
update, 5937 sync point (5938 if it failed), 5903 output, 5936 output sent and dequeued.

`rtoken` joins records of one unit of recovery, `uow` those of one message. 5945 tells what one unit of recovery used
of the 64-bit buffers.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS
from imsperf.record import Entries, LogRecord

# fmt: off

INPUT = Section("ims_5901", "Fast Path input message", f"{OURS}: code 59 subcode 01", 106, (
    #  +dec  name          kind         meaning
    F(   6, "rtoken",      opaque(16),  "Recovery token of the unit of recovery"),
    F(  22, "routing",     text(8),     "Routing code"),
    F(  30, "tran",        text(8),     "Transaction code"),
    F(  38, "lterm",       text(8),     "Logical terminal it came from"),
    F(  46, "userid",      text(8),     "User id"),
    F(  54, "psb",         text(8),     "PSB of the program that took it"),
    F(  62, "pst",         u2,          "Region number"),
    F(  64, "arrival",     tod,         "When the input exit passed it on and it was queued, UTC"),
    F(  72, "gu",          tod,         "When the program got it (Get Unique), UTC"),
    F(  80, "uow",         opaque(24),  "Unit of work id of the message"),
    F( 104, "len",         u2,          "Length of the input", "bytes"),
), PROJECT_DEFINED)

OUTPUT = Section("ims_5903", "Fast Path output message", f"{OURS}: code 59 subcode 03", 58, (
    F(   6, "rtoken",      opaque(16),  "Recovery token of the unit of recovery"),
    F(  22, "lterm",       text(8),     "Logical terminal it goes to"),
    F(  30, "pst",         u2,          "Region number"),
    F(  32, "uow",         opaque(24),  "Unit of work id of the message"),
    F(  56, "len",         u2,          "Length of the output", "bytes"),
), PROJECT_DEFINED)

DEQUEUE = Section("ims_5936", "Fast Path output sent and dequeued", f"{OURS}: code 59 subcode 36", 46, (
    F(   6, "uow",         opaque(24),  "Unit of work id of the message"),
    F(  30, "lterm",       text(8),     "Logical terminal it went to"),
    F(  38, "dequeue",     tod,         "When it was dequeued, UTC"),
), PROJECT_DEFINED)

_SYNC = (
    #  +dec  name            kind         meaning
    F(   6, "rtoken",        opaque(16),  "Recovery token of the unit of recovery"),
    F(  22, "pst",           u2,          "Region number"),
    F(  24, "psb",           text(8),     "PSB of the program"),
    F(  32, "tran",          text(8),     "Transaction code"),
    F(  40, "routing",       text(8),     "Routing code"),
    F(  48, "sync",          tod,         "When sync point began, UTC"),
    F(  56, "router",        tod,         "When the output was released, after the log write, UTC"),
    F(  64, "uow",           opaque(24),  "Unit of work id of the message"),
    F(  88, "dedb_calls",    u4,          "Calls to data entry databases (DEDB)", "calls"),
    F(  92, "msdb_calls",    u4,          "Calls to main storage databases (MSDB)", "calls"),
    F(  96, "ci_reads",      u4,          "Control intervals read"),
    F( 100, "ci_updates",    u4,          "Control intervals changed"),
    F( 104, "nba",           u4,          "Buffers used of the normal allocation", "buffers"),
    F( 108, "oba",           u4,          "Buffers used of the overflow allocation", "buffers"),
    F( 112, "ci_conflicts",  u4,          "Waits for a control interval"),
    F( 116, "buf_waits",     u4,          "Waits for a buffer"),
    F( 120, "vso_hits",      u4,          "Reads served from virtual storage (VSO), no I/O"),
    F( 124, "fail_code",     text(1),     "Why sync point failed; empty in 5937"),
    # +125: 1 reserved byte
)

COMMIT = Section("ims_5937", "Fast Path sync point, committed", f"{OURS}: code 59 subcode 37", 126, _SYNC, PROJECT_DEFINED)
ABORT = Section("ims_5938", "Fast Path sync point, failed", f"{OURS}: code 59 subcode 38", 126, _SYNC, PROJECT_DEFINED)

UPDATE = Section("ims_5950", "Fast Path database update", f"{OURS}: code 59 subcode 50", 50, (
    F(   6, "rtoken",      opaque(16),  "Recovery token of the unit of recovery"),
    F(  22, "area",        text(8),     "DEDB area"),
    F(  30, "rba",         u8,          "Relative byte address of the control interval", "bytes"),
    F(  38, "ci_size",     u2,          "Size of the control interval", "bytes"),
    F(  40, "len",         u2,          "Length of the logged change", "bytes"),
    F(  42, "data",        opaque(8),   "Stands in for the change"),
), PROJECT_DEFINED)

BUFFERS_64 = Section("ims_5945", "64-bit buffers of one unit of recovery", f"{OURS}: code 59 subcode 45", 118, (
    F(   6, "rtoken",        opaque(16), "Recovery token of the unit of recovery"),
    F(  22, "uow",           opaque(24), "Unit of work id of the message"),
    F(  46, "pst",           u2,         "Region number"),
    F(  48, "count",         u2,         "Entries in this record"),
    F(  50, "entry_len",     u2,         "Length of an entry", "bytes"),
    F(  52, "flags",         u2,         "X'8000' unit of recovery failed, X'4000' waited for a buffer, X'2000' caused an expansion"),
    F(  54, "psb",           text(8),    "PSB of the program"),
    F(  62, "tran",          text(8),    "Transaction code; blank where there is none"),
    F(  70, "routing",       text(8),    "Routing code"),
    F(  78, "sync",          tod,        "When sync point began, UTC"),
    F(  86, "bufs_used",     u4,         "64-bit buffers used in all", "buffers"),
    F(  90, "bufs_used_max", u4,         "Most buffers held at one time", "buffers"),
    F(  94, "waits",         u4,         "Waits for a buffer"),
    F(  98, "nba",           u4,         "Normal buffer allocation of the region", "buffers"),
    F( 102, "oba",           u4,         "Overflow buffers used", "buffers"),
    # +106: 4 reserved bytes
    F( 110, "wait_us",       u8,         "Time waited for a buffer, sum", "us"),
), PROJECT_DEFINED)

SUBPOOL_64 = Section("ims_5945_subpool", "What one unit of recovery used of one subpool", f"{OURS}: code 59 subcode 45, entry", 20, (
    F(   0, "subpool",      u2, "Number of the subpool"),
    # +2: 2 reserved bytes
    F(   4, "buf_size",     u4, "Size of a buffer", "bytes"),
    F(   8, "bufs_used",    u4, "Buffers used", "buffers"),
    F(  12, "bufs_updated", u4, "Buffers used and changed", "buffers"),
    F(  16, "waits",        u4, "Waits for a buffer"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x59, 0x01, "Fast Path input", INPUT),
    LogRecord(0x59, 0x03, "Fast Path output", OUTPUT),
    LogRecord(0x59, 0x36, "Fast Path output dequeued", DEQUEUE),
    LogRecord(0x59, 0x37, "Fast Path sync point", COMMIT),
    LogRecord(0x59, 0x38, "Fast Path sync failure", ABORT),
    LogRecord(0x59, 0x45, "Fast Path 64-bit buffers", BUFFERS_64, Entries(SUBPOOL_64, start=118, count_at=48, length_at=50)),
    LogRecord(0x59, 0x50, "DEDB update", UPDATE),
)
