"""SMF type 116 subtype 0: what one thread asked of IBM MQ, accounting class 1.

QMAC counts puts and gets by message size; its CPU time is in TOD units. The second block, QWAC, is not read: IBM's
formatter does not use it either, and the declaration of it does not fit the 96 bytes it has in MQ 10.0.
"""

from __future__ import annotations

from imsperf.kinds import text, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, header, places, qwhs_thread
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf116_0_header", "One row per type 116.0 record: MQ calls of a thread",
    places(28, "qwa01ps", "QWHS"),
    places(36, "qwa01r1", "QWAC"),
    places(44, "qwa01r2", "QMAC"),
    *(places(28 + 8 * one, f"qwa01r{one}", "unused block") for one in range(3, 7)),
)

QWHS = qwhs_thread("smf116_0_qwhs")

QMAC = Section("smf116_0_qmac", "Puts and gets of a thread by message size", f"{SOURCE} qmac", 48, (
    #  +dec  name         kind      meaning
    F(   0, "qmacid",    u2,       "Block identifier"),
    F(   2, "qmacll",    u2,       "Length the block states", "bytes"),
    F(   4, "qmaceyec",  text(4),  "Eye catcher, QMAC"),
    F(   8, "qmaccput",  u8,       "CPU time of the MQ calls", "1/4096 us"),
    F(  16, "qmacputa",  u4,       "Puts of less than 100 bytes", "requests"),
    F(  20, "qmacputb",  u4,       "Puts of 100 to 999 bytes", "requests"),
    F(  24, "qmacputc",  u4,       "Puts of 1000 to 9999 bytes", "requests"),
    F(  28, "qmacputd",  u4,       "Puts of 10000 bytes or more", "requests"),
    F(  32, "qmacgeta",  u4,       "Gets of less than 100 bytes", "requests"),
    F(  36, "qmacgetb",  u4,       "Gets of 100 to 999 bytes", "requests"),
    F(  40, "qmacgetc",  u4,       "Gets of 1000 to 9999 bytes", "requests"),
    F(  44, "qmacgetd",  u4,       "Gets of 10000 bytes or more", "requests"),
))

MQ_ACCOUNTING = Record(
    116, 0, "MQ accounting of a thread", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(44, QMAC),
    ),
)

RECORDS = (MQ_ACCOUNTING,)
