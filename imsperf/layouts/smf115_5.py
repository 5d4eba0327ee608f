"""SMF type 115 subtype 5: storage pools of an IBM MQ queue manager, one block for each pool; internal data.

The record has no interval: its time is that of the header. Names of the triplets are those of another record of two
triplets, as the source names none. In the records seen sizes of fixed pools are in 4 KB and sizes of variable and
64-bit pools in bytes: summed like that they are the sums that 115.7 has.
"""

from __future__ import annotations

from imsperf.kinds import flags1, s4, text, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, places, qwhs_short
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf115_5_header", "One row per type 115.5 record: storage pools of a queue manager",
    places(28, "qws50ps", "stand-in of QWHS"),
    places(36, "qws50r1", "QSPH"),
)

QWHS = qwhs_short("smf115_5_qwhs")

QSPH = Section("smf115_5_qsph", "One storage pool", f"{SOURCE} qsph", 88, (
    #  +dec  name          kind       meaning
    F(   0, "qsphid",     u2,        "Block identifier"),
    F(   2, "qsphll",     u2,        "Length the block states", "bytes"),
    F(   4, "qspheyec",   text(4),   "Eye catcher, QSPH"),
    F(   8, "qsphstor",   s4,        "Pool size; in the records seen 4 KB in fixed pools of 31 bits, bytes in variable and in 64-bit pools"),
    F(  12, "qsphostor",  s4,        "Pool size when the record before was written, unit as in qsphstor"),
    F(  16, "qsphxstor",  s4,        "Size the pool grows by; unit not in the source"),
    F(  20, "qsphbsize",  u2,        "Length of an item; bytes are assumed", "bytes"),
    F(  22, "qsphbcnt",   u2,        "Items of a segment"),
    F(  24, "qsphcount",  u4,        "Pools this entry stands for"),
    F(  28, "qsphdspnm",  text(8),   "Data space, where the flags say one"),
    F(  36, "qsphname",   text(48),  "Pool"),
    F(  84, "qsphflags",  flags1,    "Flags: X'80' fixed, X'40' global, X'20' data space, X'10' IVSA, X'08' 64-bit"),
    # +85: 3 reserved bytes
), reserved=((85, 3),))

MQ_POOLS = Record(
    115, 5, "MQ storage pools", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QSPH),
    ),
    evidence=block_evidence(QWHS, QSPH),
)

RECORDS = (MQ_POOLS,)
