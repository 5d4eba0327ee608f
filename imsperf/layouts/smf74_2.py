"""SMF type 74 subtype 2: signalling between the systems of a sysplex (XCF), written by RMF once an interval.

One row per system and direction, per signalling path and per group member. Message counts belong to a
transport class; transfer times count microseconds, X'FFFFFFFF' there means not valid. Of the usage
entries of a path only the first is known field by field; the layout of the XCF control section is not known.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone: no second source confirms them.
"""

from __future__ import annotations

from imsperf.kinds import flags1, text, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 2,"

# fmt: off

HEADER = rmf_header("smf74_2_header", "One row per type 74.2 record: cross-system signalling (XCF) in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf742co", u4,  "Offset of the XCF control section", "bytes", "1src"),
    F(  40, "smf742cl", u2,  "Length of the XCF control section", "bytes", "1src"),
    F(  42, "smf742cn", u2,  "XCF control sections", "", "1src"),
    F(  44, "smf742so", u4,  "Offset of the first system data section", "bytes", "1src"),
    F(  48, "smf742sl", u2,  "Length of each system data section", "bytes", "1src"),
    F(  50, "smf742sn", u2,  "System data sections in this record", "", "1src"),
    F(  52, "smf742po", u4,  "Offset of the first path data section", "bytes", "1src"),
    F(  56, "smf742pl", u2,  "Length of each path data section", "bytes", "1src"),
    F(  58, "smf742pn", u2,  "Path data sections in this record", "", "1src"),
    F(  60, "smf742mo", u4,  "Offset of the first member data section", "bytes", "1src"),
    F(  64, "smf742ml", u2,  "Length of each member data section", "bytes", "1src"),
    F(  66, "smf742mn", u2,  "Member data sections in this record", "", "1src"),
))

PRODUCT = product("smf74_2_product")

SYSTEM = Section("smf74_2_system", "Messages to or from one system in one transport class", f"{_SOURCE} XCF system data section (R742SYS)", 56, (
    #  +dec  name       kind       meaning
    F(   0, "r742snme", text(8),  "Name of the system at the other end"),
    F(   8, "r742sstf", flags1,   "Status: bit 0 became active, 1 became inactive, 2 counts were reset"),
    F(   9, "r742sdir", flags1,   "Which way: bit 0 inbound, 1 outbound, 2 local"),
    # +10: 2 bytes not described
    F(  12, "r742spth", u4,       "Signalling paths at work"),
    F(  16, "r742sbsy", u4,       "Times no message buffer was free"),
    F(  20, "r742snop", u4,       "Times no path could be used"),
    F(  24, "r742smxb", u4,       "Most storage for message buffers", "KB"),
    F(  28, "r742sbig", u4,       "Big messages: longer than the length of their class"),
    F(  32, "r742sfit", u4,       "Messages that fit the length of their class"),
    F(  36, "r742ssml", u4,       "Small messages: a shorter buffer would have done"),
    F(  40, "r742sovr", u4,       "Big messages beyond even the tuned buffer length, sent with overhead"),
    F(  44, "r742stcl", u4,       "Message length of the transport class", "bytes"),
    F(  48, "r742stcn", text(8),  "Transport class"),
), "1src")

PATH = Section("smf74_2_path", "One signalling path", f"{_SOURCE} XCF path data section (R742PTH)", 260, (
    #  +dec  name               kind        meaning
    F(   0, "r742pnme",         text(8),   "System at the other end"),
    F(   8, "r742pdev",         text(4),   "Device number here, as text"),
    F(  12, "r742pstf",         flags1,    "Status: bit 0 became active, 1 became inactive, 2 counts were reset"),
    F(  13, "r742pdir",         flags1,    "Which way: bit 0 inbound, 1 outbound"),
    F(  14, "r742ptyp",         u1,        "Path type: 1 channel-to-channel, 3 list structure"),
    # +15: 1 byte not described
    F(  16, "r742pona",         text(8),   "Name at the other end of the path; meaning taken from the field name"),
    F(  24, "r742podv",         text(4),   "Device number at the other end, as text; meaning taken from the field name"),
    F(  28, "r742psta",         flags1,    "State: bit 0 starting, 1 restarting, 2 working, 3 stopping"),
    F(  29, "r742pstm",         flags1,    "State, continued: bit 0 quiescing, 1 quiesced"),
    # +30: 2 bytes not described
    F(  32, "r742pret",         u4,        "Retries allowed before the path is stopped"),
    F(  36, "r742prst",         u4,        "Restarts of the path"),
    F(  40, "r742pmxm",         u4,        "Most storage for message buffers", "KB"),
    F(  44, "r742psig",         u4,        "Signals that went over the path"),
    F(  48, "r742pqln",         u4,        "Outbound signals waiting on the path"),
    F(  52, "r742pibr",         u4,        "Inbound signals turned away because the buffer limit was reached"),
    F(  56, "r742psus",         u4,        "Selections that found the path idle"),
    F(  60, "r742papp",         u4,        "Selections that found the path busy"),
    F(  64, "r742ptcn",         text(8),   "Transport class"),
    F(  72, "r742pstr",         text(16),  "List structure the path runs through"),
    F(  88, "r742piot",         u4,        "Average transfer time of a signal; FFFFFFFF means overflow", "us"),
    F(  92, "r742prct",         u4,        "Retries counted against the limit"),
    F(  96, "r742ppnd",         u4,        "Outbound signals still waiting at the interval's end"),
    F( 100, "r742puse",         u4,        "Message buffer storage in use", "KB"),
    F( 104, "r742plin",         u4,        "Number of the list in the structure"),
    # +108: 4 bytes not described
    F( 112, "r742pusg_timesum", u8,        "First usage entry: time in use, sum", "us"),
    F( 120, "r742pusg_timessq", u8,        "First usage entry: squares of the times in use, sum in us squared"),
    F( 128, "r742pusg_time",    u4,        "First usage entry: times the path came into use"),
    F( 132, "r742pusg_sigcnt",  u4,        "First usage entry: signals sent"),
    F( 136, "r742pusg_percent", u4,        "First usage entry: utilisation the entry stands for", "%"),
    # +140: 100 bytes not described: room for three more usage entries of 32 bytes
    F( 240, "r742pnib_timesum", u8,        "Time lost for want of an inbound buffer", "us"),
    F( 248, "r742pnib_timessq", u8,        "Time lost for want of an inbound buffer, sum of squares in us squared"),
    F( 256, "r742pnib_time",    u4,        "Times a missing inbound buffer held up the path"),
), "1src")

MEMBER = Section("smf74_2_member", "One member of an XCF group", f"{_SOURCE} XCF member data section (R742MBR)", 56, (
    #  +dec  name       kind        meaning
    F(   0, "r742msys", text(8),   "System the member runs on"),
    F(   8, "r742mgrp", text(8),   "XCF group"),
    F(  16, "r742mmem", text(16),  "Member of the group"),
    F(  32, "r742mstf", flags1,    "Status: bit 0 became active, 1 became inactive, 2 counts were reset"),
    F(  33, "r742mst1", u1,        "Member state: 2 created, 3 active, 4 quiesced, 5 failed"),
    F(  34, "r742mst2", flags1,    "Member state, second byte; bits not verified"),
    # +35: 1 byte not described
    F(  36, "r742msnt", u4,        "Signals the member sent"),
    F(  40, "r742mrcv", u4,        "Signals the member received"),
    F(  44, "r742mint", u4,        "Interval at which its status is checked; the unit is not verified"),
    F(  48, "r742mjob", text(8),   "Job of the member"),
), "1src")

XCF_ACTIVITY = Record(
    74, 2, "XCF activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(44, SYSTEM),
        triplet(52, PATH),
        triplet(60, MEMBER),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    evidence=(*rmf_evidence(PRODUCT), *in_use(SYSTEM, PATH, MEMBER)),
)

RECORDS = (XCF_ACTIVITY,)
