"""SMF type 116 subtype 10: channels of IBM MQ, written by the channel initiator once an interval.

One block for each channel. Times of exits and of the network are in us; qwhsdurn is in TOD units.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, tod, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, interval_of, places, qwhs
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf116_10_header", "One row per type 116.10 record: channels of a queue manager in an interval",
    places(28, "qws50ps", "QWHS"),
    places(36, "qws50r1", "QCST"),
)

QWHS = qwhs("smf116_10_qwhs", "1/4096 us")

QCST = Section("smf116_10_qcst", "One channel in one interval", f"{SOURCE} qcst", 340, (
    #  +dec  name         kind        meaning
    F(   0, "qcstid",    u2,         "Block identifier"),
    F(   2, "qcstll",    u2,         "Length the block states", "bytes"),
    F(   4, "qcsteyec",  text(4),    "Eye catcher, QCST"),
    F(   8, "qcstcltm",  tod,        "Collected, UTC"),
    F(  16, "qcstchnm",  text(20),   "Channel"),
    F(  36, "qcstchdp",  u1,         "Disposition of the channel: 1 default, 2 shared, 4 private, 5 fixed shared"),
    F(  37, "qcstchty",  u1,         "Channel type, from 1 sender to 9 cluster sender"),
    F(  38, "qcstchst",  u1,         "Channel state, from 0 inactive to 14 switching"),
    F(  39, "qcststcl",  u1,         "Level of statistics in force (STATCHL): 0 none, 17 low, 33 medium, 65 high"),
    F(  40, "qcstcnnm",  text(48),   "Connection name"),
    F(  88, "qcststrt",  tod,        "Started, UTC"),
    F(  96, "qcstludt",  tod,        "Stopped, UTC"),
    F( 104, "qcstlmst",  tod,        "Last message, or last MQ call of a client, UTC"),
    F( 112, "qcstcbsz",  u4,         "Batch size"),
    F( 116, "qcstnmsg",  u4,         "Messages, or MQ calls of a client"),
    F( 120, "qcstnpmg",  u4,         "Persistent messages"),
    F( 124, "qcstbatc",  u4,         "Batches"),
    F( 128, "qcstfuba",  u4,         "Batches that were full"),
    F( 132, "qcstbfst",  u4,         "Buffers sent"),
    F( 136, "qcstbfrc",  u4,         "Buffers received"),
    F( 140, "qcstcscv",  u4,         "Conversations that share the channel now"),
    F( 144, "qcstnbyt",  u8,         "Messages: size", "bytes"),
    F( 152, "qcstnpby",  u8,         "Persistent messages: size", "bytes"),
    F( 160, "qcstbyst",  u8,         "Sent, control data included", "bytes"),
    F( 168, "qcstbyrc",  u8,         "Received, control data included", "bytes"),
    F( 176, "qcstcpra",  u4,         "Compression rate; unit not in the source"),
    F( 180, "qcstetav",  u4,         "Exit time, mean", "us"),
    F( 184, "qcstetmn",  u4,         "Exit time, shortest; X'8FFFFFFF' there was none", "us"),
    F( 188, "qcstetmx",  u4,         "Exit time, longest", "us"),
    F( 192, "qcstetdt",  tod,        "When the longest exit ran, UTC"),
    F( 200, "qcstdnrt",  u4,         "Time to resolve the name; unit not in the source"),
    F( 204, "qcstntav",  u4,         "Network time, mean", "us"),
    F( 208, "qcstntmn",  u4,         "Network time, shortest; X'8FFFFFFF' there was none", "us"),
    F( 212, "qcstntmx",  u4,         "Network time, longest", "us"),
    F( 216, "qcstntdt",  tod,        "When the longest network time was met, UTC"),
    F( 224, "qcstrqmn",  text(48),   "Partner: queue manager or application"),
    F( 272, "qcstslsn",  opaque(8),  "Partner's certificate: serial number"),
    F( 280, "qcstslcn",  text(16),   "Partner's certificate: common name"),
    F( 296, "qcstslcs",  u4,         "Cipher suite"),
    F( 300, "qcstptrc",  u4,         "Puts tried again"),
    F( 304, "qcstqetc",  u4,         "Times the transmission queue was emptied"),
    F( 308, "qcstcbit",  u4,         "Batch interval", "ms"),
    F( 312, "qcstcbdl",  u4,         "Batch data limit, as the channel is defined"),
    F( 316, "qcstdspn",  u2,         "Dispatcher the channel runs on"),
    # +318: 6 reserved bytes
    F( 324, "qcstrpid",  text(4),    "Partner: product"),
    F( 328, "qcstrver",  text(8),    "Partner: product version"),
    # +336: 4 reserved bytes
), levels=(("MQ 8.0", 324),), reserved=((318, 6), (336, 4)))

MQ_CHANNELS = Record(
    116, 10, "MQ channels", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QCST),
    ),
    interval=interval_of(QWHS),
    evidence=block_evidence(QWHS, QCST),
)

RECORDS = (MQ_CHANNELS,)
