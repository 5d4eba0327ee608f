"""IMS log code A1, further statistics: A10C gets of control blocks by path, A10D transactions as they are defined.

Written at a checkpoint as A101 to A10B are (ims_a1). An AWE is the work element in which IMS hands a request from one
task to another; its blocks come from a pool that only code in task mode can expand.
"""

from __future__ import annotations

from imsperf.kinds import text, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS, TABLE
from imsperf.record import Entries, LogRecord

# fmt: off

BLOCKS = Section("ims_a10c", "Pool of one kind of control block", f"{OURS}: code A1 subcode 0C", 74, (
    *TABLE,
    F(  34, "block",      text(8), "Kind of control block, AWE for example"),
    F(  42, "blocks",     u4,      "Blocks of the pool before it expands", "blocks"),
    F(  46, "state",      text(1), "N blocks are free, S the queue of free blocks is empty"),
    # +47: 3 reserved bytes
    F(  50, "shortages",  u8,      "Times the queue of free blocks became empty"),
    F(  58, "short_us",   u8,      "Time it was empty, sum", "us"),
    F(  66, "expansions", u8,      "Times the pool was expanded"),
), PROJECT_DEFINED)

CALLER = Section("ims_a10c_caller", "Gets of one caller by the path that gave it the block", f"{OURS}: code A1 subcode 0C, entry", 60, (
    F(   0, "caller",         text(8), "OTMA its XCF input exit, LOGGER, FREE the code that frees a block got from z/OS storage, or other"),
    F(   8, "mode",           text(1), "S SRB mode, in which the pool cannot be expanded; T task mode"),
    # +9: 3 reserved bytes
    F(  12, "requests",       u8,      "Requests for a block", "requests"),
    F(  20, "from_queue",     u8,      "Requests satisfied from the queue of free blocks", "requests"),
    F(  28, "from_expansion", u8,      "Requests satisfied by expanding the pool", "requests"),
    F(  36, "from_storage",   u8,      "Requests satisfied with z/OS storage, under the local lock", "requests"),
    F(  44, "from_own",       u8,      "Requests satisfied from blocks that the caller keeps", "requests"),
    F(  52, "lock_us",        u8,      "Time the local lock was held for it, to obtain and to release, sum", "us"),
), PROJECT_DEFINED)

DEFINITIONS = Section("ims_a10d", "Transactions as defined: one row per record", f"{OURS}: code A1 subcode 0D", 34, TABLE, PROJECT_DEFINED)

DEFINITION = Section("ims_a10d_transaction", "What one transaction is defined as; the names in capitals are those of /DISPLAY TRAN", f"{OURS}: code A1 subcode 0D, entry", 56, (
    F(   0, "tran",             text(8), "Transaction code"),
    F(   8, "psb",              text(8), "PSB of its program"),
    F(  16, "region_type",      text(1), "Kind of region: M MPP, I IFP, J JMP, B BMP"),
    F(  17, "fast_path",        text(1), "Y processed by Fast Path, N not"),
    F(  18, "conversational",   text(1), "Y conversational, N not"),
    F(  19, "wait_for_input",   text(1), "Y its program waits for the next message, N it ends"),
    F(  20, "commit_mode",      text(1), "S each message is a unit of recovery (MODE=SNGL), M not (MODE=MULT)"),
    # +21: 3 reserved bytes
    F(  24, "class",            u2,      "Message class (CLS)"),
    F(  26, "current_priority", u2,      "Scheduling priority now (CP)"),
    F(  28, "normal_priority",  u2,      "Normal scheduling priority (NP)"),
    F(  30, "limit_priority",   u2,      "Priority once limit_count messages wait (LP)"),
    F(  32, "limit_count",      u2,      "Messages waiting at which the priority is raised (LCT)"),
    F(  34, "processing_limit", u2,      "Messages one schedule may process (PLCT); 65535: no limit"),
    F(  36, "segment_size",     u2,      "Largest output segment (SEGSZ); 0: no limit", "bytes"),
    F(  38, "segment_number",   u2,      "Output segments of a message at most (SEGNO); 0: no limit"),
    F(  40, "parallel_limit",   u2,      "Messages waiting for each region before another is scheduled (PARLM)"),
    F(  42, "regions",          u2,      "Regions in which it is scheduled now (RC)"),
    F(  44, "spa_bytes",        u4,      "Size of the scratch pad area (SPA); 0 if not conversational", "bytes"),
    F(  48, "processed",        u8,      "Messages of it processed", "transactions"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0xA1, 0x0C, "Control block statistics", BLOCKS, Entries(CALLER, start=74, count_at=30, length_at=32)),
    LogRecord(0xA1, 0x0D, "Transaction definitions", DEFINITIONS, Entries(DEFINITION, start=34, count_at=30, length_at=32)),
)
