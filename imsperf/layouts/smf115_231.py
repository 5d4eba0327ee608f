"""SMF type 115 subtype 231: tasks of the IBM MQ channel initiator, written once an interval.

Blocks of tasks have neither identifier nor eye catcher: their triplet says what they are. Without SSL tasks their
triplet has a length and the number 0. The DNS block is there also when no name was resolved. MQ 8.0 counts
five triplets (qwhsnsda) and yet has the sixth, that of DNS, in all records seen. Task times and qwhsdurn are in TOD units.
"""

from __future__ import annotations

from imsperf.kinds import text, tod, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, interval_of, places, qwhs
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf115_231_header", "One row per type 115.231 record: a channel initiator in an interval",
    places(28, "qwsx0ps", "QWHS"),
    places(36, "qwsx0r1", "QCCT"),
    places(44, "qwsx0r2", "dispatcher task"),
    places(52, "qwsx0r3", "adapter task"),
    places(60, "qwsx0r4", "SSL task"),
    places(68, "qwsx0r5", "DNS task"),
    levels=(("MQ 8.0", 68),),
)

QWHS = qwhs("smf115_231_qwhs", "1/4096 us")

QCCT = Section("smf115_231_qcct", "The channel initiator: channels and storage", f"{SOURCE} qcct", 64, (
    #  +dec  name         kind      meaning
    F(   0, "qcctid",    u2,       "Block identifier"),
    F(   2, "qcctll",    u2,       "Length the block states", "bytes"),
    F(   4, "qccteyec",  text(4),  "Eye catcher, QCCT"),
    F(   8, "qcctjobn",  text(8),  "Job of the channel initiator"),
    F(  16, "qcctqsgn",  text(4),  "Queue sharing group"),
    F(  20, "qcctnocc",  u4,       "Channels current, most"),
    F(  24, "qcctmxcc",  u4,       "Channels current, limit"),
    F(  28, "qcctnoac",  u4,       "Channels active, most"),
    F(  32, "qcctmxac",  u4,       "Channels active, limit"),
    F(  36, "qcctmxtp",  u4,       "TCP/IP channels, limit"),
    F(  40, "qcctmxlu",  u4,       "LU 6.2 channels, limit"),
    F(  44, "qcctstus",  u4,       "Storage below the bar, used; MB in the records seen", "MB"),
    F(  48, "qcctstab",  u8,       "Storage above the bar, used; MB in the records seen", "MB"),
    F(  56, "qcctslim",  u8,       "Storage above the bar, limit; MB in the records seen", "MB"),
), levels=(("MQ 8.0", 48),))

_TASK = (
    #  +dec  name        kind  meaning
    F(   0, "qcttskn",  u4,  "Task, an address"),
    F(   4, "qctreqn",  u4,  "Requests of the task", "requests"),
    F(   8, "qctcptm",  u8,  "CPU time", "1/4096 us"),
    F(  16, "qcteltm",  u8,  "Elapsed time of the requests", "1/4096 us"),
    F(  24, "qctwttm",  u8,  "Time the task waited", "1/4096 us"),
)

DISPATCHER = Section("smf115_231_qctdsp", "One dispatcher task", f"{SOURCE} qct_dsp", 36, (
    *_TASK,
    F(  32, "qctchln",  u4,  "Channels on the dispatcher"),
))

ADAPTER = Section("smf115_231_qctadp", "One adapter task", f"{SOURCE} qct_adp", 32, _TASK)

SSL = Section("smf115_231_qctssl", "One SSL task", f"{SOURCE} qct_ssl", 48, (
    *_TASK,
    #  +dec  name        kind  meaning
    F(  32, "qctlstm",  tod,  "Time of the longest request, UTC"),
    F(  40, "qctlsdu",  u8,   "Longest request", "1/4096 us"),
))

DNS = Section("smf115_231_qctdns", "The task that resolves names", f"{SOURCE} qct_dns", 48, (
    *_TASK,
    #  +dec  name        kind  meaning
    F(  32, "qctlgtm",  tod,  "Time of the longest request, UTC"),
    F(  40, "qctlgdu",  u8,   "Longest request", "1/4096 us"),
))

CHANNEL_INITIATOR = Record(
    115, 231, "MQ channel initiator", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QCCT),
        triplet(44, DISPATCHER),
        triplet(52, ADAPTER),
        triplet(60, SSL),
        triplet(68, DNS),
    ),
    interval=interval_of(QWHS),
    evidence=block_evidence(QWHS, QCCT, DISPATCHER, ADAPTER, SSL, DNS),
)

RECORDS = (CHANNEL_INITIATOR,)
