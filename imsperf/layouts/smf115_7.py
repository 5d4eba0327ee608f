"""SMF type 115 subtype 7: storage of the address space of an IBM MQ queue manager, below and above the bar.

The record has no interval: its time is that of the header. Sizes called limit or region are those of the address
space: below 16 MB, and from there to 2 GB. Names of the triplets are those of another record of two triplets, as the
source names none.
"""

from __future__ import annotations

from imsperf.kinds import s4, text, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, places, qwhs_short
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf115_7_header", "One row per type 115.7 record: storage of a queue manager",
    places(28, "qws50ps", "stand-in of QWHS"),
    places(36, "qws50r1", "QSRS"),
)

QWHS = qwhs_short("smf115_7_qwhs")

QSRS = Section("smf115_7_qsrs", "Storage of the address space", f"{SOURCE} qsrs", 232, (
    #  +dec  name            kind      meaning
    F(   0, "qsrsid",       u2,       "Block identifier"),
    F(   2, "qsrsll",       u2,       "Length the block states", "bytes"),
    F(   4, "qsrseyec",     text(4),  "Eye catcher, QSRS"),
    F(   8, "qsrsphbgf",    s4,       "Storage of pools, global and fixed; bytes in the records seen", "bytes"),
    F(  12, "qsrsphbgv",    s4,       "Storage of pools, global and variable; bytes in the records seen", "bytes"),
    F(  16, "qsrsphblf",    s4,       "Storage of pools, local and fixed, 64-bit pools not included; bytes in the records seen", "bytes"),
    F(  20, "qsrsphblv",    s4,       "Storage of pools, local and variable; bytes in the records seen", "bytes"),
    F(  24, "qsrsgmbt",     s4,       "Storage of GETMAIN blocks; bytes are assumed", "bytes"),
    F(  28, "qsrsstkt",     s4,       "Storage of stacks; bytes are assumed", "bytes"),
    F(  32, "qsrsstrta",    s4,       "Below 16 MB: where the region starts"),
    F(  36, "qsrssiza",     s4,       "Below 16 MB: region size", "bytes"),
    F(  40, "qsrscrgtp",    s4,       "Below 16 MB: how far the region is used, an address"),
    F(  44, "qsrslimit",    s4,       "Below 16 MB: region limit", "bytes"),
    F(  48, "qsrsloal",     s4,       "Below 16 MB: user storage", "bytes"),
    F(  52, "qsrsoloal",    s4,       "Below 16 MB: user storage in the record before", "bytes"),
    F(  56, "qsrshial",     s4,       "Below 16 MB: system storage", "bytes"),
    F(  60, "qsrsohial",    s4,       "Below 16 MB: system storage in the record before", "bytes"),
    F(  64, "qsrssmfl",     s4,       "Below 16 MB: limit as SMF has it", "bytes"),
    F(  68, "qsrssmfr",     s4,       "Below 16 MB: region as SMF has it", "bytes"),
    F(  72, "qsrsestra",    s4,       "16 MB to 2 GB: where the region starts"),
    F(  76, "qsrsesiza",    s4,       "16 MB to 2 GB: region size", "bytes"),
    F(  80, "qsrsergtp",    s4,       "16 MB to 2 GB: how far the region is used, an address"),
    F(  84, "qsrselim",     s4,       "16 MB to 2 GB: region limit", "bytes"),
    F(  88, "qsrseloal",    s4,       "16 MB to 2 GB: user storage", "bytes"),
    F(  92, "qsrsoeloal",   s4,       "16 MB to 2 GB: user storage in the record before", "bytes"),
    F(  96, "qsrsehial",    s4,       "16 MB to 2 GB: system storage", "bytes"),
    F( 100, "qsrsoehial",   s4,       "16 MB to 2 GB: system storage in the record before", "bytes"),
    F( 104, "qsrssmfel",    s4,       "16 MB to 2 GB: limit as SMF has it", "bytes"),
    F( 108, "qsrssmfer",    s4,       "16 MB to 2 GB: region as SMF has it", "bytes"),
    F( 112, "qsrsmemlim",   u8,       "MEMLIMIT; MB in the records seen", "MB"),
    F( 120, "qsrsabytes",   u8,       "Memory objects: size", "bytes"),
    F( 128, "qsrsgbytes",   u8,       "Memory objects: usable, most", "bytes"),
    F( 136, "qsrsnmomb",    u4,       "Memory objects"),
    F( 140, "qsrsmemlims",  u1,       "Where MEMLIMIT comes from"),
    # +141: 3 reserved bytes
    F( 144, "qsrsfmct",     s4,       "Real storage of the address space", "frames"),
    # +148: 4 reserved bytes
    F( 152, "qsrsaval",     s4,       "31-bit storage: free", "bytes"),
    F( 156, "qsrsmvs",      s4,       "31-bit storage: kept back for z/OS", "bytes"),
    F( 160, "qsrscrit",     s4,       "31-bit storage: kept back for critical work", "bytes"),
    F( 164, "qsrssos",      s4,       "31-bit storage: cushion against a shortage", "bytes"),
    F( 168, "qsrsaval64",   u8,       "64-bit storage: free; bytes in the records seen", "bytes"),
    F( 176, "qsrscush64",   u8,       "64-bit storage: cushion against a shortage; bytes in the records seen", "bytes"),
    F( 184, "qsrssmds64",   u8,       "64-bit storage: shared message data sets; bytes are assumed", "bytes"),
    F( 192, "qsrsphblgf",   u8,       "Latches of pools, global and fixed"),
    F( 200, "qsrsphblgv",   u8,       "Latches of pools, global and variable"),
    F( 208, "qsrsphbllf",   u8,       "Latches of pools, local and fixed"),
    F( 216, "qsrsphbllv",   u8,       "Latches of pools, local and variable"),
    F( 224, "qsrsgmbl",     u8,       "Latches of GETMAIN blocks"),
), reserved=((141, 3), (148, 4)))

MQ_STORAGE = Record(
    115, 7, "MQ storage of the address space", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QSRS),
    ),
    evidence=block_evidence(QWHS, QSRS),
)

RECORDS = (MQ_STORAGE,)
