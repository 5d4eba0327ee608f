"""IMS log code 45, statistics of buffer pools: 4502 message queue, 4503 message formats, 4504 OSAM, 4508 VSAM,
450D receive-any buffers.
"""

from __future__ import annotations

from imsperf.kinds import text, u1, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS, SET, TABLE
from imsperf.record import Entries, LogRecord

# fmt: off

MESSAGE_QUEUE = Section("ims_4502", "Message queue pool", f"{OURS}: code 45 subcode 02", 118, (
    *SET,
    F(  30, "locate",        u8, "Calls that locate a queue record", "calls"),
    F(  38, "release",       u8, "Calls that release a queue record", "calls"),
    F(  46, "locate_alter",  u8, "Calls that locate a record in order to change it", "calls"),
    F(  54, "purge",         u8, "Requests to write out changed buffers", "requests"),
    F(  62, "drrn_xlate",    u8, "Translations between address and DRRN", "requests"),
    F(  70, "buf_waits",     u8, "Times nobody could get a buffer at once"),
    F(  78, "reads",         u8, "Blocks read from the queue data sets"),
    F(  86, "writes",        u8, "Blocks written to the queue data sets"),
    F(  94, "enqueues",      u8, "Messages enqueued"),
    F( 102, "dequeues",      u8, "Messages dequeued"),
    F( 110, "buffers",       u4, "Buffers in the pool", "buffers"),
    F( 114, "bufs_used_max", u4, "Most buffers in use so far", "buffers"),
), PROJECT_DEFINED)

FORMATS = Section("ims_4503", "Pool of message format (MFS) blocks", f"{OURS}: code 45 subcode 03", 150, (
    *SET,
    F(  30, "prefetch_requests",   u8, "Requests to fetch a format block before it is needed", "requests"),
    F(  38, "prefetch_ignored",    u8, "Requests to fetch a block early, passed over for lack of room", "requests"),
    F(  46, "immediate_requests",  u8, "Requests for a format block needed now", "requests"),
    F(  54, "found_in_pool",       u8, "Requests satisfied without I/O", "requests"),
    F(  62, "fetch_reads",         u8, "Reads of format blocks"),
    F(  70, "directory_reads",     u8, "Reads of the format directory"),
    F(  78, "blocks_freed",        u8, "Format blocks thrown out to make room", "blocks"),
    F(  86, "compress_ok",         u8, "Pool compressions that made enough room"),
    F(  94, "compress_failed",     u8, "Pool compressions that did not make enough room"),
    F( 102, "waits_space",         u8, "Waits for room in the pool"),
    F( 110, "waits_fre",           u8, "Waits for a free fetch request element"),
    F( 118, "bytes_read",          u8, "Bytes of format blocks read", "bytes"),
    F( 126, "pool_size",           u8, "Size of the pool", "bytes"),
    F( 134, "max_bytes_allocated", u8, "Most bytes in use so far", "bytes"),
    F( 142, "fres",                u4, "Fetch request elements"),
    F( 146, "fres_used_max",       u4, "Most fetch request elements in use so far"),
), PROJECT_DEFINED)

OSAM = Section("ims_4504", "OSAM subpools: one row per record", f"{OURS}: code 45 subcode 04", 34, TABLE, PROJECT_DEFINED)

OSAM_SUBPOOL = Section("ims_4504_subpool", "One OSAM subpool", f"{OURS}: code 45 subcode 04, entry", 108, (
    F(   0, "subpool",      text(4), "Subpool id"),
    F(   4, "buf_size",     u4,      "Size of a buffer", "bytes"),
    F(   8, "buffers",      u4,      "Buffers in the subpool", "buffers"),
    F(  12, "locate",       u8,      "Calls that locate a block", "calls"),
    F(  20, "new_block",    u8,      "Requests for a new block", "requests"),
    F(  28, "alter",        u8,      "Calls that change a buffer", "calls"),
    F(  36, "purge",        u8,      "Calls to write out changed buffers", "calls"),
    F(  44, "hit",          u8,      "Blocks found in the subpool", "calls"),
    F(  52, "searched",     u8,      "Buffers looked at in searches", "buffers"),
    F(  60, "reads",        u8,      "Reads"),
    F(  68, "writes",       u8,      "Writes of one block"),
    F(  76, "chain_writes", u8,      "Writes of several blocks chained"),
    F(  84, "steal_writes", u8,      "Writes made only to free a buffer"),
    F(  92, "waits_buf",    u8,      "Waits because the buffer was busy"),
    F( 100, "waits_lock",   u8,      "Waits for the lock of a buffer"),
), PROJECT_DEFINED)

VSAM = Section("ims_4508", "VSAM subpools: one row per record", f"{OURS}: code 45 subcode 08", 34, TABLE, PROJECT_DEFINED)

VSAM_SUBPOOL = Section("ims_4508_subpool", "One VSAM subpool", f"{OURS}: code 45 subcode 08, entry", 108, (
    F(   0, "pool_id",       text(4), "Shared resource pool id"),
    F(   4, "type",          text(1), "D data, I index"),
    F(   5, "subpool",       u1,      "Number of the subpool in its pool"),
    # +6: 2 reserved bytes
    F(   8, "buf_size",      u4,      "Size of a buffer", "bytes"),
    F(  12, "buffers",       u4,      "Buffers in the subpool", "buffers"),
    F(  16, "hs_buffers",    u4,      "Hiperspace buffers", "buffers"),
    F(  20, "rba_retr",      u8,      "Retrievals by RBA", "calls"),
    F(  28, "key_retr",      u8,      "Retrievals by key", "calls"),
    F(  36, "esds_ins",      u8,      "Records inserted into an ESDS", "records"),
    F(  44, "ksds_ins",      u8,      "Records inserted into a KSDS", "records"),
    F(  52, "alter",         u8,      "Records changed", "records"),
    F(  60, "bg_write",      u8,      "Calls of background write", "calls"),
    F(  68, "sync",          u8,      "Sync point calls", "calls"),
    F(  76, "get_hit",       u8,      "Requests satisfied from the subpool", "requests"),
    F(  84, "get_io",        u8,      "Reads from disk"),
    F(  92, "user_write",    u8,      "Writes that VSAM itself began"),
    F( 100, "nonuser_write", u8,      "Writes that IMS began"),
), PROJECT_DEFINED)

RECEIVE_ANY = Section("ims_450d", "Receive-any buffers", f"{OURS}: code 45 subcode 0D", 86, (
    *SET,
    F(  30, "receives",       u8, "Receive-any requests completed", "requests"),
    F(  38, "bytes_received", u8, "Bytes received", "bytes"),
    F(  46, "waits_buffer",   u8, "Times input waited because no buffer was free"),
    F(  54, "wait_us",        u8, "Time input waited for a buffer, sum", "us"),
    F(  62, "overlength",     u8, "Inputs larger than a buffer"),
    F(  70, "buffers",        u4, "Receive-any buffers", "buffers"),
    F(  74, "buf_size",       u4, "Size of a buffer", "bytes"),
    F(  78, "max_in_use",     u4, "Most buffers in use so far", "buffers"),
    F(  82, "max_queued",     u4, "Most inputs waiting so far"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x45, 0x02, "Message queue pool statistics", MESSAGE_QUEUE),
    LogRecord(0x45, 0x03, "Format pool statistics", FORMATS),
    LogRecord(0x45, 0x04, "OSAM statistics", OSAM, Entries(OSAM_SUBPOOL, start=34, count_at=30, length_at=32)),
    LogRecord(0x45, 0x08, "VSAM statistics", VSAM, Entries(VSAM_SUBPOOL, start=34, count_at=30, length_at=32)),
    LogRecord(0x45, 0x0D, "Receive-any statistics", RECEIVE_ANY),
)
