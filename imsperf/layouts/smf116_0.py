"""SMF type 116 subtype 0: what one thread asked of IBM MQ, accounting class 1.

QMAC counts puts and gets by message size; its CPU time is in TOD units. QWAC has the CPU time of the thread as a whole:
what its clocks stood at when it began and when the record was made. It is the block of that name of Db2 accounting, whose
meanings the fields have; from +76 on it is zero in the records seen, and in MQ 10.0 it ends at +96.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, places, qwhs_thread
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf116_0_header", "One row per type 116.0 record: MQ calls of a thread",
    places(28, "qwa01ps", "QWHS"),
    places(36, "qwa01r1", "QWAC"),
    places(44, "qwa01r2", "QMAC"),
    *(places(28 + 8 * number, f"qwa01r{number}", "unused block") for number in range(3, 7)),
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

QWAC = Section("smf116_0_qwac", "CPU time of a thread from its begin to the record", f"{SOURCE} qwac", 176, (
    #  +dec  name         kind         meaning
    F(   0, "qwacbsc",   tod,         "Thread began, UTC"),
    F(   8, "qwacesc",   tod,         "Record was made, UTC"),
    F(  16, "qwacbjst",  u8,          "CPU time of the task when the thread began", "1/4096 us"),
    F(  24, "qwacejst",  u8,          "CPU time of the task when the record was made", "1/4096 us"),
    F(  32, "qwacbsrb",  u8,          "SRB time when the thread began", "1/4096 us"),
    F(  40, "qwacesrb",  u8,          "SRB time when the record was made", "1/4096 us"),
    F(  48, "qwacrinv",  u4,          "Why the record was made: 12 the thread ended"),
    F(  52, "qwacnid",   opaque(16),  "Network identifier"),
    F(  68, "qwaccomm",  u4,          "Commits", "requests"),
    F(  72, "qwacback",  u4,          "Backouts", "requests"),
    F(  76, "qwacasc",   u8,          "Elapsed time in the product", "1/4096 us", "1src"),
    F(  84, "qwacajst",  u8,          "CPU time in the product", "1/4096 us", "1src"),
    F(  92, "qwacasrb",  u8,          "SRB time in the product", "1/4096 us", "1src"),
    F( 100, "qwacawti",  u8,          "Time waited for I/O", "1/4096 us", "1src"),
    F( 108, "qwacawtl",  u8,          "Time waited for locks and latches", "1/4096 us", "1src"),
    F( 116, "qwacarna",  u4,          "Times the product was entered or left", "", "1src"),
    F( 120, "qwacarne",  u4,          "Waits for I/O", "", "1src"),
    F( 124, "qwacawtr",  u8,          "Time waited for reads of other threads", "1/4096 us", "1src"),
    F( 132, "qwacawtw",  u8,          "Time waited for writes of other threads", "1/4096 us", "1src"),
    F( 140, "qwacawte",  u8,          "Time waited for work given to other tasks", "1/4096 us", "1src"),
    F( 148, "qwacalog",  u8,          "Time waited for the log to be archived", "1/4096 us", "1src"),
    F( 156, "qwacarnl",  u4,          "Waits for locks and latches", "", "1src"),
    F( 160, "qwacarnr",  u4,          "Waits for reads of other threads", "", "1src"),
    F( 164, "qwacarnw",  u4,          "Waits for writes of other threads", "", "1src"),
    F( 168, "qwacarns",  u4,          "Waits for work given to other tasks", "", "1src"),
    F( 172, "qwacalct",  u4,          "Waits for the log to be archived", "", "1src"),
))

MQ_ACCOUNTING = Record(
    116, 0, "MQ accounting of a thread", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QWAC),
        triplet(44, QMAC),
    ),
    evidence=block_evidence(QWHS, QWAC, QMAC),
)

RECORDS = (MQ_ACCOUNTING,)
