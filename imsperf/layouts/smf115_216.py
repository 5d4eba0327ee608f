"""SMF type 115 subtype 216: queues of an IBM MQ queue manager, written once an interval from MQ 9.3.0 on.

One block for each queue that is monitored. A queue's block grew with almost every level. No record of this kind was
seen: places are those of the C declarations alone, and the names of the triplets are those of another record.
"""

from __future__ import annotations

from imsperf.kinds import flags4, s2, s4, text, tod, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, interval_of, places, qwhs
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf115_216_header", "One row per type 115.216 record: queues of a queue manager in an interval",
    places(28, "qws30ps", "QWHS"),
    places(36, "qws30r1", "QQST"),
)

QWHS = qwhs("smf115_216_qwhs", confidence="1src")

QQST = Section("smf115_216_qqst", "One queue in one interval", f"{SOURCE} qqst", 672, (
    #  +dec  name         kind       meaning
    F(   0, "qqstid",    u2,        "Block identifier"),
    F(   2, "qqstll",    u2,        "Length the block states", "bytes"),
    F(   4, "qqsteyec",  text(4),   "Eye catcher, QQST"),
    F(   8, "qqstqnam",  text(48),  "Queue"),
    F(  56, "qqstflag",  flags4,    "Flags: X'80000000' shared, X'40000000' record not whole, X'20000000' changes not yet committed"),
    F(  60, "qqstpsid",  s2,        "Page set, -1 has none"),
    F(  62, "qqstbpid",  s2,        "Buffer pool, -1 has none"),
    F(  64, "qqstqsgn",  text(4),   "Queue sharing group of a shared queue"),
    F(  68, "qqstcfst",  text(12),  "Coupling facility structure of a shared queue"),
    F(  80, "qqstdpth",  s4,        "Depth as the record was made"),
    F(  84, "qqstopct",  u4,        "Handles open for output"),
    F(  88, "qqstipct",  u4,        "Handles open for input"),
    F(  92, "qqstmage",  u4,        "Oldest message: age", "s"),
    F(  96, "qqstqtst",  u4,        "Time of messages on the queue, short-term mean", "us"),
    F( 100, "qqstqtlt",  u4,        "Time of messages on the queue, long-term mean", "us"),
    F( 104, "qqstlput",  tod,       "Last put, UTC"),
    F( 112, "qqstlget",  tod,       "Last get, UTC"),
    F( 120, "qqstdphi",  u4,        "Depth, most"),
    F( 124, "qqstdplo",  u4,        "Depth, least"),
    F( 128, "qqstputs",  u8,        "MQPUT calls", "requests"),
    F( 136, "qqstput1",  u8,        "MQPUT1 calls", "requests"),
    F( 144, "qqstnppt",  u8,        "MQPUT: messages that are not persistent", "requests"),
    F( 152, "qqstppt",   u8,        "MQPUT: persistent messages", "requests"),
    F( 160, "qqstnpp1",  u8,        "MQPUT1: messages that are not persistent", "requests"),
    F( 168, "qqstpp1",   u8,        "MQPUT1: persistent messages", "requests"),
    F( 176, "qqstputb",  u8,        "MQPUT: size", "bytes"),
    F( 184, "qqstpt1b",  u8,        "MQPUT1: size", "bytes"),
    F( 192, "qqstnppb",  u8,        "MQPUT: size of messages that are not persistent", "bytes"),
    F( 200, "qqstppb",   u8,        "MQPUT: size of persistent messages", "bytes"),
    F( 208, "qqstnp1b",  u8,        "MQPUT1: size of messages that are not persistent", "bytes"),
    F( 216, "qqstp1b",   u8,        "MQPUT1: size of persistent messages", "bytes"),
    F( 224, "qqstflpt",  u8,        "MQPUT calls that did not succeed", "requests"),
    F( 232, "qqstflp1",  u8,        "MQPUT1 calls that did not succeed", "requests"),
    F( 240, "qqstfptc",  u8,        "Messages given straight to a waiting get"),
    F( 248, "qqstfptb",  u8,        "Messages given straight to a waiting get: size", "bytes"),
    F( 256, "qqststrm",  u8,        "Messages copied to a stream queue"),
    F( 264, "qqstmsmi",  u8,        "Message length, least", "bytes"),
    F( 272, "qqstmsma",  u8,        "Message length, most", "bytes"),
    F( 280, "qqstmsav",  u8,        "Message length, mean", "bytes"),
    F( 288, "qqstgets",  u8,        "Destructive gets", "requests"),
    F( 296, "qqstnpdg",  u8,        "Destructive gets: messages that are not persistent; IBM's formatter says the opposite", "requests"),
    F( 304, "qqstpdg",   u8,        "Destructive gets: persistent messages; IBM's formatter says the opposite", "requests"),
    F( 312, "qqstgetb",  u8,        "Destructive gets: size", "bytes"),
    F( 320, "qqstnpdb",  u8,        "Destructive gets: size of messages that are not persistent", "bytes"),
    F( 328, "qqstpdb",   u8,        "Destructive gets: size of persistent messages", "bytes"),
    F( 336, "qqstbrws",  u8,        "Browses", "requests"),
    F( 344, "qqstnpbr",  u8,        "Browses: messages that are not persistent; IBM's formatter says the opposite", "requests"),
    F( 352, "qqstpbr",   u8,        "Browses: persistent messages; IBM's formatter says the opposite", "requests"),
    F( 360, "qqstbrwb",  u8,        "Browses: size", "bytes"),
    F( 368, "qqstnpbb",  u8,        "Browses: size of messages that are not persistent", "bytes"),
    F( 376, "qqstpbb",   u8,        "Browses: size of persistent messages", "bytes"),
    F( 384, "qqstflgt",  u8,        "Destructive gets that did not succeed", "requests"),
    F( 392, "qqstnmag",  u8,        "Destructive gets that found no message", "requests"),
    F( 400, "qqsttmfg",  u8,        "Destructive gets that did not succeed as the message was too long", "requests"),
    F( 408, "qqstflbr",  u8,        "Browses that did not succeed", "requests"),
    F( 416, "qqstnmab",  u8,        "Browses that found no message", "requests"),
    F( 424, "qqsttmfb",  u8,        "Browses that did not succeed as the message was too long", "requests"),
    F( 432, "qqstflgw",  u8,        "Destructive gets that waited and did not succeed", "requests"),
    F( 440, "qqstrdgw",  u8,        "Destructive gets that waited and were resumed", "requests"),
    F( 448, "qqstflbw",  u8,        "Browses that waited and did not succeed", "requests"),
    F( 456, "qqstrdbw",  u8,        "Browses that waited and were resumed", "requests"),
    F( 464, "qqstsagt",  u8,        "Signals of destructive gets taken", "requests"),
    F( 472, "qqstsabr",  u8,        "Signals of browses taken", "requests"),
    F( 480, "qqstiphi",  u4,        "Handles open for input, most"),
    F( 484, "qqstiplo",  u4,        "Handles open for input, least"),
    F( 488, "qqstophi",  u4,        "Handles open for output, most"),
    F( 492, "qqstoplo",  u4,        "Handles open for output, least"),
    F( 496, "qqstopen",  u8,        "MQOPEN calls", "requests"),
    F( 504, "qqstclos",  u8,        "MQCLOSE calls", "requests"),
    F( 512, "qqstinqr",  u8,        "MQINQ calls", "requests"),
    F( 520, "qqstset",   u8,        "MQSET calls", "requests"),
    F( 528, "qqstexpr",  u8,        "Messages expired"),
    F( 536, "qqstrbpt",  u8,        "Puts backed out"),
    F( 544, "qqstrbgt",  u8,        "Gets backed out"),
    F( 552, "qqstocpa",  u8,        "OpenTelemetry, puts: trace context passed on"),
    F( 560, "qqstocga",  u8,        "OpenTelemetry, gets: trace context passed on"),
    F( 568, "qqstoahc",  u8,        "OpenTelemetry, puts: trace context dropped"),
    F( 576, "qqstocpd",  u8,        "OpenTelemetry, puts: trace context wrong"),
    F( 584, "qqstocmp",  u8,        "OpenTelemetry, puts: no room for the trace context among the properties"),
    F( 592, "qqstocgd",  u8,        "OpenTelemetry, gets: trace context wrong"),
    F( 600, "qqstocps",  u8,        "OpenTelemetry, puts: trace state shortened"),
    F( 608, "qqstocgs",  u8,        "OpenTelemetry, gets: trace state shortened"),
    F( 616, "qqstoscs",  u8,        "OpenTelemetry: spans made as a consumer"),
    F( 624, "qqstosps",  u8,        "OpenTelemetry: spans made as a producer"),
    F( 632, "qqstosns",  u8,        "OpenTelemetry: puts left out of the sample"),
    F( 640, "qqstocda",  u8,        "OpenTelemetry, gets: trace context dropped"),
    F( 648, "qqstospl",  u8,        "OpenTelemetry: producer spans over the limit of spans"),
    F( 656, "qqstoscl",  u8,        "OpenTelemetry: consumer spans over the limit of spans"),
    F( 664, "qqstosfs",  u8,        "OpenTelemetry: spans over the limit of storage"),
), "1src", levels=(("MQ 9.3.0", 84), ("MQ 9.3.1", 120), ("MQ 9.3.3", 552)))

MQ_QUEUES = Record(
    115, 216, "MQ queues", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QQST),
    ),
    interval=interval_of(QWHS),
    evidence=block_evidence(QWHS, QQST),
)

RECORDS = (MQ_QUEUES,)
