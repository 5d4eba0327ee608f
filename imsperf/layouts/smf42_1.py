"""SMF type 42 subtype 1: how well the buffer manager (BMF) holds pages of PDSE members and directories.

DFSMS writes it once an interval: one section for all, one for each storage class. A hit rate is found divided by
read pages; both are counts of the interval.
"""

from __future__ import annotations

from imsperf.kinds import text, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf42_common import header, product, product_evidence
from imsperf.record import Record, triplet

_SOURCE = "colinpaicemq/SMFFormatter, code/SMF421,"

# fmt: off

HEADER = header("smf42_1_header", "One row per type 42.1 record: buffering of PDSE members in an interval", (
    #  +dec  name        kind  meaning
    F(  36, "smf42bmo",  u4,   "Offset of the buffer manager section", "bytes"),
    F(  40, "smf42bml",  u2,   "Length of the buffer manager section", "bytes"),
    F(  42, "smf42bmn",  u2,   "Buffer manager sections"),
    F(  44, "smf42sco",  u4,   "Offset of the first storage class section", "bytes"),
    F(  48, "smf42scl",  u2,   "Length of a storage class section", "bytes"),
    F(  50, "smf42scn",  u2,   "Storage class sections"),
))

PRODUCT = product("smf42_1_product")

BUFFER_MANAGER = Section("smf42_1_buffer_manager", "The buffer manager (BMF) as a whole", f"{_SOURCE} buffer manager totals", 36, (
    #  +dec  name        kind  meaning
    F(   0, "smf42tna",  u4,   "Storage classes"),
    F(   4, "smf42tmt",  u4,   "Interval length", "s"),
    F(   8, "smf42trt",  u4,   "Pages of member data read", "pages"),
    F(  12, "smf42trh",  u4,   "Pages of member data found in the buffers", "pages"),
    F(  16, "smf42tdt",  u4,   "Directory pages read", "pages"),
    F(  20, "smf42tdh",  u4,   "Directory pages found in the buffers", "pages"),
    F(  24, "smf42buf",  u4,   "Buffers of the buffer manager", "4 KB"),
    F(  28, "smf42bmx",  u4,   "Buffers in use at most", "4 KB"),
    F(  32, "smf42lru",  u2,   "Time value of the buffer manager's least-recently-used routine"),
    F(  34, "smf42uic",  u2,   "Cycles of that routine before it takes an unused buffer away"),
), "1src")

STORAGE_CLASS = Section("smf42_1_storage_class", "The buffer manager by storage class", f"{_SOURCE} storage class summary", 48, (
    #  +dec  name        kind      meaning
    F(   0, "smf42pnl",  u2,       "Length of the storage class name", "bytes"),
    F(   2, "smf42pnn",  text(30), "Storage class"),
    F(  32, "smf42srt",  u4,       "Pages of member data read", "pages"),
    F(  36, "smf42srh",  u4,       "Pages of member data found in the buffers", "pages"),
    F(  40, "smf42sdt",  u4,       "Directory pages read", "pages"),
    F(  44, "smf42sdh",  u4,       "Directory pages found in the buffers", "pages"),
), "1src")

BUFFERING = Record(
    42, 1, "Buffering of PDSE members", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, BUFFER_MANAGER),
        triplet(44, STORAGE_CLASS),
    ),
    evidence=product_evidence(PRODUCT),
)

RECORDS = (BUFFERING,)
