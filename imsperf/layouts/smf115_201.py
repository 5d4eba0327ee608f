"""SMF type 115 subtype 201: page sets of an IBM MQ queue manager, written once an interval from MQ 9.0 on.

One block for each page set. Times are in TOD units, counts are of the interval.
"""

from __future__ import annotations

from imsperf.kinds import flags4, text, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, interval_of, places, qwhs
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf115_201_header", "One row per type 115.201 record: page sets of a queue manager in an interval",
    places(28, "qws90ps", "QWHS"),
    places(36, "qws90r1", "QIS1"),
)

QWHS = qwhs("smf115_201_qwhs")

QIS1 = Section("smf115_201_qis1", "One page set in one interval", f"{SOURCE} qis1", 104, (
    #  +dec  name         kind      meaning
    F(   0, "qis1id",    u2,       "Block identifier"),
    F(   2, "qis1ll",    u2,       "Length the block states", "bytes"),
    F(   4, "qis1eyec",  text(4),  "Eye catcher, QIS1"),
    F(   8, "qis1psno",  u4,       "Page set"),
    F(  12, "qis1bpno",  u4,       "Buffer pool of the page set"),
    F(  16, "qis1topg",  u4,       "Size", "pages"),
    F(  20, "qis1unpg",  u4,       "Not used", "pages"),
    F(  24, "qis1ppg",   u4,       "Used for persistent data", "pages"),
    F(  28, "qis1nppg",  u4,       "Used for data that are not persistent", "pages"),
    F(  32, "qis1full",  u4,       "Times found full"),
    F(  36, "qis1pchi",  u4,       "Put cursor, highest"),
    F(  40, "qis1dwpn",  u4,       "Deferred writes: I/Os"),
    F(  44, "qis1dwpp",  u4,       "Deferred writes: done", "pages"),
    F(  48, "qis1dwpt",  u8,       "Deferred writes: time", "1/4096 us"),
    F(  56, "qis1imwn",  u4,       "Immediate writes: I/Os"),
    F(  60, "qis1imwp",  u4,       "Immediate writes: done", "pages"),
    F(  64, "qis1imwt",  u8,       "Immediate writes: time", "1/4096 us"),
    F(  72, "qis1getn",  u4,       "Reads: I/Os"),
    F(  76, "qis1getp",  u4,       "Reads: done", "pages"),
    F(  80, "qis1gett",  u8,       "Reads: time", "1/4096 us"),
    F(  88, "qis1ckpp",  u4,       "Written by checkpoints", "pages"),
    F(  92, "qis1expn",  u2,       "Times expanded"),
    F(  94, "qis1strn",  u1,       "Stripes of the data set"),
    F(  95, "qis1expm",  u1,       "How it expands; the source has no values"),
    F(  96, "qis1stat",  u1,       "State; the source has no values"),
    # +97: 3 reserved bytes
    F( 100, "qis1flag",  flags4,   "Flags: X'80000000' being expanded, X'40000000' encrypted"),
), reserved=((97, 3),))

MQ_PAGE_SETS = Record(
    115, 201, "MQ page sets", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QIS1),
    ),
    interval=interval_of(QWHS),
    evidence=block_evidence(QWHS, QIS1),
)

RECORDS = (MQ_PAGE_SETS,)
