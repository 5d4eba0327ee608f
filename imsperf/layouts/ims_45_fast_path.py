"""IMS log code 45, statistics of Fast Path: 4521 buffers and sync points, 4522 64-bit buffers.

What one unit of recovery used of the 64-bit buffers is 5945 (ims_59).
"""

from __future__ import annotations

from imsperf.kinds import text, u2, u4, u8
from imsperf.layout import PROJECT_DEFINED, Section
from imsperf.layout import Field as F
from imsperf.layouts.ims import OURS, SET, TABLE
from imsperf.record import Entries, LogRecord

# fmt: off

FAST_PATH = Section("ims_4521", "Fast Path buffers and sync points", f"{OURS}: code 45 subcode 21", 190, (
    *SET,
    F(  30, "sync_points",      u8, "Fast Path sync points that committed"),
    F(  38, "sync_failures",    u8, "Fast Path sync points that failed"),
    F(  46, "buffer_gets",      u8, "Requests for a DEDB buffer", "requests"),
    F(  54, "buffer_waits",     u8, "Requests that waited for a buffer"),
    F(  62, "buffer_wait_us",   u8, "Time waited for a DEDB buffer, sum", "us"),
    F(  70, "overflow_uses",    u8, "Units of recovery that went into the overflow buffer allocation"),
    F(  78, "overflow_waits",   u8, "Waits for the overflow buffer latch"),
    F(  86, "ci_reads",         u8, "DEDB control intervals read"),
    F(  94, "ci_writes",        u8, "DEDB control intervals written"),
    F( 102, "ci_conflicts",     u8, "Waits for the lock of a control interval"),
    F( 110, "vso_hits",         u8, "Control intervals found in virtual storage"),
    F( 118, "vso_reads",        u8, "Control intervals of VSO areas that had to be read"),
    F( 126, "cf_reads",         u8, "Control intervals of shared VSO read from the coupling facility"),
    F( 134, "cf_writes",        u8, "Control intervals of shared VSO written to the coupling facility"),
    F( 142, "sdep_inserts",     u8, "Sequential dependent segments inserted"),
    F( 150, "othreads_starts",  u8, "Output thread services"),
    F( 158, "emh_messages",     u8, "Expedited messages processed"),
    F( 166, "buffers",          u4, "DEDB buffers (DBBF)", "buffers"),
    F( 170, "buf_size",         u4, "Size of a buffer", "bytes"),
    F( 174, "max_buffers_used", u4, "Most buffers in use so far", "buffers"),
    F( 178, "buffers_fixed",    u4, "Buffers page-fixed now", "buffers"),
    F( 182, "othreads",         u4, "Output threads"),
    F( 186, "max_othreads",     u4, "Most output threads busy so far"),
), PROJECT_DEFINED)

BUFFERS_64 = Section("ims_4522", "Fast Path 64-bit buffers", f"{OURS}: code 45 subcode 22", 66, (
    *TABLE,
    F(  34, "pool_size",     u8, "Storage of the 64-bit buffer pool now", "bytes"),
    F(  42, "max_pool_size", u8, "Largest storage of the pool so far", "bytes"),
    F(  50, "pool_limit",    u8, "Most the pool may take", "bytes"),
    F(  58, "ecsa_size",     u8, "ECSA used for its control blocks", "bytes"),
), PROJECT_DEFINED)

SUBPOOL_64 = Section("ims_4522_subpool", "One subpool of 64-bit buffers", f"{OURS}: code 45 subcode 22, entry", 80, (
    F(   0, "subpool",       u2,      "Number of the subpool"),
    F(   2, "purpose",       text(1), "B base subpool, X extension, S shared VSO, D sequential dependents"),
    # +3: 1 reserved byte
    F(   4, "buf_size",      u4,      "Size of a buffer", "bytes"),
    F(   8, "buffers",       u4,      "Buffers now", "buffers"),
    F(  12, "bufs_used",     u4,      "Buffers in use now", "buffers"),
    F(  16, "bufs_used_max", u4,      "Most buffers in use so far", "buffers"),
    F(  20, "extents",       u4,      "Extents now"),
    F(  24, "gets",          u8,      "Requests for a buffer", "requests"),
    F(  32, "waits",         u8,      "Requests that waited for a buffer"),
    F(  40, "wait_us",       u8,      "Time waited for a buffer, sum", "us"),
    F(  48, "expansions",    u8,      "Extents added"),
    F(  56, "compressions",  u8,      "Extents given back"),
    F(  64, "no_space",      u8,      "Requests that found no room"),
    F(  72, "steals",        u8,      "Buffers taken from another owner", "buffers"),
), PROJECT_DEFINED)

RECORDS = (
    LogRecord(0x45, 0x21, "Fast Path statistics", FAST_PATH),
    LogRecord(0x45, 0x22, "Fast Path 64-bit buffer statistics", BUFFERS_64, Entries(SUBPOOL_64, start=66, count_at=30, length_at=32)),
)
