"""IMS log code 45: a statistics set, written at every checkpoint from 4500 to 45FF.

Counters run from `interval_start`: a rate is the difference of two sets. What a real IMS writes into these
records is not public; the fields here are those the published IMS reports show, and a few of our own. Here are
the start and the end of a set, the logger, latches and fixed pools; the others are in ims_45_*.
"""

from __future__ import annotations

from imsperf.kinds import opaque, s2, text, tod, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import LEVEL_CHANGES, OURS, SET, TABLE
from imsperf.record import Entries, LogRecord

# fmt: off

HEADER = Section("ims_4500", "Start of a statistics set: which IMS, since when", f"{OURS}: code 45 subcode 00; st4500_in_level: {LEVEL_CHANGES}", 200, (
    *SET,
    F(  30, "ims_level",        opaque(4),  "IMS level"),
    F(  34, "smfid",            text(4),    "SMF system id"),
    F(  38, "sysplex",          text(8),    "Sysplex name"),
    F(  46, "ims_start",        tod,        "When IMS was started, UTC"),
    F(  54, "trans_total",      u8,         "Transactions dequeued since IMS start", "transactions"),
    F(  62, "local_offset_q",   s2,         "Local time minus UTC", "15 min"),
    # +64: 132 bytes, so that the next field has its documented place
    F( 196, "st4500_in_level",  opaque(4),  "Installed IMS level; its place X'C4' is documented, its length is ours", "", "1src"),
), PROJECT_DEFINED)

LOGGER = Section("ims_4507", "Logger counters", f"{OURS}: code 45 subcode 07", 158, (
    *SET,
    F(  30, "records_written",  u8,         "Log records written", "records"),
    F(  38, "bytes_written",    u8,         "Log bytes written, prefix and suffix included; a field of ours", "bytes"),
    F(  46, "check_write",      u8,         "Check-write requests: the caller needs its records on disk"),
    F(  54, "wait_writes",      u8,         "Check writes that had to wait"),
    F(  62, "bufwait_ckpt",     u8,         "Waits for a log buffer, checkpoint callers"),
    F(  70, "bufwait_nonckpt",  u8,         "Waits for a log buffer, all other callers"),
    F(  78, "awe_submitted",    u8,         "Work elements (AWE) handed to the physical logger on a write"),
    F(  86, "wads_excpvr",      u8,         "Channel programs that wrote to the WADS"),
    F(  94, "wads_4k",          u8,         "Control intervals of 4 KB written to the WADS; a field of ours", "4 KB"),
    F( 102, "olds_writes",      u8,         "Blocks written to the OLDS", "blocks"),
    F( 110, "olds_partial",     u8,         "Blocks written to the OLDS before they were full", "blocks"),
    F( 118, "olds_reads",       u8,         "Blocks read from the OLDS for backout", "blocks"),
    F( 126, "olds_switches",    u8,         "Switches to another OLDS"),
    F( 134, "wads_us",          u8,         "Time of WADS writes, sum; a field of ours", "us"),
    F( 142, "olds_us",          u8,         "Time of OLDS writes, sum; a field of ours", "us"),
    F( 150, "buffers",          u4,         "Log buffers defined"),
    F( 154, "buf_size",         u4,         "Block size of the OLDS", "bytes"),
), PROJECT_DEFINED)

LATCHES = Section("ims_450a", "Latch counters: one row per record", f"{OURS}: code 45 subcode 0A", 34, TABLE, PROJECT_DEFINED)

LATCH = Section("ims_450a_latch", "Counters of one latch", f"{OURS}: code 45 subcode 0A, entry", 52, (
    #  +dec  name        kind     meaning
    F(   0, "name",      text(4), "Latch name"),
    F(   4, "level",     u2,      "Latch level"),
    # +6: 2 reserved bytes
    F(   8, "get_shr",   u8,      "Gets in shared mode"),
    F(  16, "get_exc",   u8,      "Gets in exclusive mode"),
    F(  24, "cont_shr",  u8,      "Gets in shared mode that had to wait"),
    F(  32, "cont_exc",  u8,      "Gets in exclusive mode that had to wait"),
    F(  40, "wait_us",   u8,      "Time waited, sum; a field of ours, not known from a real IMS", "us"),
    F(  48, "maxq",      u4,      "Most waiters at once"),
), PROJECT_DEFINED)

POOL = Section("ims_450e", "Fixed storage pool: one row per pool", f"{OURS}: code 45 subcode 0E", 70, (
    *TABLE,
    F(  34, "pool",              text(4), "Pool name"),
    F(  38, "pool_size",         u8,      "Size now", "bytes"),
    F(  46, "pool_max",          u8,      "Largest size since the last set", "bytes"),
    F(  54, "oversize",          u8,      "In oversize blocks now", "bytes"),
    F(  62, "pool_max_restart",  u8,      "Largest size since IMS start", "bytes"),
), PROJECT_DEFINED)

POOL_BUFFER = Section("ims_450e_buffer", "One buffer size of a fixed storage pool", f"{OURS}: code 45 subcode 0E, entry", 120, (
    #  +dec  name           kind     meaning
    F(   0, "buf_size",     u4,      "Buffer size; 0 for the oversize blocks", "bytes"),
    F(   4, "prim",         u4,      "Buffers of a primary block", "buffers"),
    F(   8, "sec",          u4,      "Buffers of a secondary block", "buffers"),
    F(  12, "init",         text(1), "Y: a primary block is there from IMS start; N: got when needed"),
    # +13: 3 reserved bytes
    F(  16, "max_bufs",     u4,      "Most buffers in use since IMS start", "buffers"),
    F(  20, "max_blocks",   u4,      "Most blocks since IMS start", "blocks"),
    F(  24, "bytes_req",    u8,      "Bytes asked for, sum", "bytes"),
    F(  32, "gets",         u8,      "Requests for a buffer"),
    F(  40, "limit",        u8,      "Requests that met the upper limit of the pool"),
    F(  48, "larger",       u8,      "Requests given a buffer of a larger size"),
    F(  56, "blocks",       u4,      "Blocks now", "blocks"),
    F(  60, "bufs",         u4,      "Buffers in use now", "buffers"),
    F(  64, "expand",       u8,      "Blocks got", "blocks"),
    F(  72, "compress",     u8,      "Blocks given back", "blocks"),
    F(  80, "pl_noiw",      u8,      "Page loads without an IMS wait"),
    F(  88, "pl_iw",        u8,      "Page loads with an IMS wait"),
    F(  96, "avg_blocks_c", u4,      "Blocks, mean since the last set", "1/100 blocks"),
    F( 100, "high_blocks",  u4,      "Blocks, most since the last set", "blocks"),
    F( 104, "low_blocks",   u4,      "Blocks, fewest since the last set", "blocks"),
    F( 108, "avg_bufs_c",   u4,      "Buffers in use, mean since the last set", "1/100 buffers"),
    F( 112, "high_bufs",    u4,      "Buffers in use, most since the last set", "buffers"),
    F( 116, "low_bufs",     u4,      "Buffers in use, fewest since the last set", "buffers"),
), PROJECT_DEFINED)

END = Section("ims_45ff", "End of a statistics set", f"{OURS}: code 45 subcode FF", 34, (
    *SET,
    F(  30, "records",          u4,         "Records of code 45 in this set", "records"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x45, 0x00, "Statistics set start", HEADER),
    LogRecord(0x45, 0x07, "Logger statistics", LOGGER),
    LogRecord(0x45, 0x0A, "Latch statistics", LATCHES, Entries(LATCH, start=34, count_at=30, length_at=32)),
    LogRecord(0x45, 0x0E, "Fixed pool statistics", POOL, Entries(POOL_BUFFER, start=70, count_at=30, length_at=32)),
    LogRecord(0x45, 0xFF, "Statistics set end", END),
)
