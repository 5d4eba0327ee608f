"""SMF type 115 subtype 6: GETMAINs of an IBM MQ queue manager by who asked for them; internal data.

The record has no interval: its time is that of the header. Names of the triplets are those of another record of two
triplets, as the source names none.
"""

from __future__ import annotations

from imsperf.kinds import s4, text, u1, u2
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, places, qwhs_short
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf115_6_header", "One row per type 115.6 record: GETMAINs of a queue manager",
    places(28, "qws50ps", "stand-in of QWHS"),
    places(36, "qws50r1", "QSGM"),
)

QWHS = qwhs_short("smf115_6_qwhs")

QSGM = Section("smf115_6_qsgm", "GETMAINs of one place in the code", f"{SOURCE} qsgm", 48, (
    #  +dec  name           kind      meaning
    F(   0, "qsgmid",      u2,       "Block identifier"),
    F(   2, "qsgmll",      u2,       "Length the block states", "bytes"),
    F(   4, "qsgmeyec",    text(4),  "Eye catcher, QSGM"),
    F(   8, "qsgmlvtot",   s4,       "Storage obtained", "bytes"),
    F(  12, "qsgmlvnew",   s4,       "Storage obtained anew; unit not in the source"),
    F(  16, "qsgmlvmax",   s4,       "Largest request", "bytes"),
    F(  20, "qsgmlvmin",   s4,       "Smallest request", "bytes"),
    F(  24, "qsgmcount",   s4,       "Requests", "requests"),
    F(  28, "qsgmscls",    u1,       "Storage class"),
    # +29: 3 reserved bytes
    F(  32, "qsgmcsect",   text(8),  "Module section that asked"),
    F(  40, "qsgmoffset",  s4,       "Place of the call in that section"),
    # +44: 4 reserved bytes
), reserved=((29, 3), (44, 4)))

MQ_GETMAINS = Record(
    115, 6, "MQ GETMAINs", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QSGM),
    ),
    evidence=block_evidence(QWHS, QSGM),
)

RECORDS = (MQ_GETMAINS,)
