"""SMF type 116 subtype 1: what one thread did in IBM MQ, accounting class 3, with the queues it used.

Written when the thread ends, and once an interval for a thread that lives longer. A record without queues has three
triplets, and its first block stands where the fourth would be. More queues than fit are in 116.2. correl of a queue
is bytes 8 to 23 of WTAS: wtasstrt, wtasmthr, wtaswtas. Times are sums in TOD units, 1/4096 us, but for those in the
coupling facility arrays, which are in us: see mq_thread for their order.
"""

from __future__ import annotations

from imsperf.kinds import array, flags4, opaque, s4, text, tod, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, places, qwhs_thread
from imsperf.layouts.mq_thread import wq, wtid
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf116_1_header", "One row per type 116.1 record: work of a thread",
    places(28, "qwa01ps", "QWHS"),
    places(36, "qwa01r1", "WTID"),
    places(44, "qwa01r2", "WTAS"),
    places(52, "qwa01r3", "WQ"),
    levels=(("a thread without queues", 52),),
)

QWHS = qwhs_thread("smf116_1_qwhs")
WTID = wtid("smf116_1_wtid")

WTAS = Section("smf116_1_wtas", "What a thread did besides its queues: commits, logging, latches, Db2, coupling facility", f"{SOURCE} wtas", 2344, (
    #  +dec  name         kind             meaning
    F(   0, "wtasshex",  u2,              "Block identifier"),
    F(   2, "wtaslen",   u2,              "Length the block states", "bytes"),
    F(   4, "wtaseyec",  text(4),         "Eye catcher, WTAS"),
    F(   8, "wtasstrt",  tod,             "Start of the thread, UTC; with the next two fields the link to its queues"),
    F(  16, "wtasmthr",  u4,              "Second part of the link"),
    F(  20, "wtaswtas",  u4,              "Third part of the link"),
    F(  24, "wtaslatc",  opaque(8),       "Work area of a latch"),
    F(  32, "wtashshi",  u4,              "Work area of a hash"),
    F(  36, "wtasnext",  u4,              "Address of the next block"),
    F(  40, "wtasflag",  flags4,          "Flags: X'20000000' the task has ended"),
    F(  44, "wtaswqct",  u4,              "Queues the thread used"),
    F(  48, "wtaslwet",  array(u8, 32),   "Latch waits of classes 1 to 32: time", "1/4096 us"),
    F( 304, "wtaslwn",   array(s4, 32),   "Latch waits of classes 1 to 32"),
    F( 432, "wtasotet",  u8,              "Other MQ calls: elapsed time", "1/4096 us"),
    F( 440, "wtasotct",  u8,              "Other MQ calls: CPU time", "1/4096 us"),
    F( 448, "wtasotn",   s4,              "Other MQ calls", "requests"),
    F( 452, "wtasmlw",   u8,              "Longest latch wait", "1/4096 us"),
    F( 460, "wtasmlwn",  s4,              "Longest latch wait: number of the latch"),
    F( 464, "wtaslown",  opaque(8),       "Longest latch wait: latch"),
    F( 472, "wtascmet",  u8,              "Commits: elapsed time", "1/4096 us"),
    F( 480, "wtascmct",  u8,              "Commits: CPU time", "1/4096 us"),
    F( 488, "wtascmn",   s4,              "Commits", "requests"),
    F( 492, "wtasbaet",  u8,              "Backouts: elapsed time", "1/4096 us"),
    F( 500, "wtasbact",  u8,              "Backouts: CPU time", "1/4096 us"),
    F( 508, "wtasban",   s4,              "Backouts", "requests"),
    # +512: 4 reserved bytes
    F( 516, "wtasjwet",  u8,              "Log writes: elapsed time", "1/4096 us"),
    F( 524, "wtasjwn",   u4,              "Log writes", "requests"),
    F( 528, "wtasjwb",   u4,              "Log writes: amount", "bytes"),
    F( 532, "wtasjcet",  u8,              "Log forces: elapsed time", "1/4096 us"),
    F( 540, "wtasjcn",   u4,              "Log forces", "requests"),
    F( 544, "wtassusn",  u4,              "Suspends"),
    F( 548, "wtassuse",  u8,              "Suspends: time", "1/4096 us"),
    F( 556, "wtaspse0",  u8,              "Log writes of page set 0: elapsed time", "1/4096 us"),
    F( 564, "wtaspsn0",  u4,              "Log writes of page set 0", "requests"),
    F( 568, "wtasdbet",  u8,              "Db2: elapsed time of the thread", "1/4096 us"),
    F( 576, "wtasdbes",  u8,              "Db2: elapsed time of the server", "1/4096 us"),
    F( 584, "wtasdbmt",  u8,              "Db2: longest time of the thread", "1/4096 us"),
    F( 592, "wtasdbms",  u8,              "Db2: longest time of the server", "1/4096 us"),
    F( 600, "wtasdbct",  u4,              "Db2: requests", "requests"),
    F( 604, "wtascsec",  u4,              "Coupling facility: calls for one entry", "requests"),
    F( 608, "wtascmec",  u4,              "Coupling facility: calls for several entries", "requests"),
    F( 612, "wtasrsec",  u4,              "Coupling facility: calls for one entry tried again", "requests"),
    F( 616, "wtasrmec",  u4,              "Coupling facility: calls for several entries tried again", "requests"),
    F( 620, "wtassstc",  u8,              "Coupling facility: time of calls for one entry", "1/4096 us"),
    F( 628, "wtasmstc",  u8,              "Coupling facility: time of calls for several entries", "1/4096 us"),
    F( 636, "wtassmrs",  u4,              "Shared message data sets: reads spared"),
    F( 640, "wtassmrb",  u4,              "Shared message data sets: read", "bytes"),
    F( 644, "wtassmwb",  u4,              "Shared message data sets: written", "bytes"),
    F( 648, "wtassmrp",  u4,              "Shared message data sets: read", "pages"),
    F( 652, "wtassmwp",  u4,              "Shared message data sets: written", "pages"),
    F( 656, "wtassmwt",  u8,              "Shared message data sets: time waited for I/O", "1/4096 us"),
    F( 664, "wtasints",  tod,             "Start of the interval, UTC"),
    F( 672, "wtasinte",  tod,             "End of the interval, UTC"),
    F( 680, "wtasgpo",   s4,              "Buffer pool: pages asked for that exist", "requests"),
    F( 684, "wtasgpn",   s4,              "Buffer pool: new pages asked for", "requests"),
    F( 688, "wtascqf",   u4,              "Queue chain: first pointer, or a count"),
    F( 692, "wtascqb",   u4,              "Queue chain: last pointer, or a count"),
    F( 696, "wtasver",   u4,              "Version of the block"),
    # +700: 4 reserved bytes
    F( 704, "wtasdbpt",  u8,              "Db2: written", "bytes"),
    F( 712, "wtasdbgt",  u8,              "Db2: read", "bytes"),
    F( 720, "wtaspbhw",  u8,              "Waits for the buffer pool latch: time; the name is left from another use", "1/4096 us"),
    F( 728, "wtaspbtt",  u8,              "Buffer pool latch held: time; the name is left from another use", "1/4096 us"),
    F( 736, "wtastpet",  u8,              "Topics: elapsed time", "1/4096 us"),
    F( 744, "wtastpct",  u8,              "Topics: CPU time", "1/4096 us"),
    F( 752, "wtastpn",   u4,              "Topics: requests; not filled", "requests"),
    F( 756, "wtassuet",  u8,              "MQSUB: elapsed time", "1/4096 us"),
    F( 764, "wtassuct",  u8,              "MQSUB: CPU time", "1/4096 us"),
    F( 772, "wtassun",   u4,              "MQSUB calls", "requests"),
    F( 776, "wtassusc",  u4,              "MQSUB calls with a selector", "requests"),
    F( 780, "wtassusl",  u4,              "Longest selector of an MQSUB", "bytes"),
    F( 784, "wtassqet",  u8,              "MQSUBRQ: elapsed time", "1/4096 us"),
    F( 792, "wtassqct",  u8,              "MQSUBRQ: CPU time", "1/4096 us"),
    F( 800, "wtassqn",   u4,              "MQSUBRQ calls", "requests"),
    F( 804, "wtasctet",  u8,              "MQCTL: elapsed time", "1/4096 us"),
    F( 812, "wtasctct",  u8,              "MQCTL: CPU time", "1/4096 us"),
    F( 820, "wtasctn",   u4,              "MQCTL calls", "requests"),
    F( 824, "wtasstet",  u8,              "MQSTAT: elapsed time", "1/4096 us"),
    F( 832, "wtasstct",  u8,              "MQSTAT: CPU time", "1/4096 us"),
    F( 840, "wtasstn",   u4,              "MQSTAT calls", "requests"),
    # +844: 4 reserved bytes
    F( 848, "wtasctsr",  u8,              "MQCTL: CPU time under an SRB", "1/4096 us"),
    # +856: 8 reserved bytes
    F( 864, "commitcf",  array(u4, 100),  "Coupling facility work of commits: 20 kinds by five figures"),
    F(1264, "prepcf",    array(u4, 100),  "Coupling facility work of prepares: 20 kinds by five figures"),
    # +1664: 400 reserved bytes
    F(2064, "wtaspret",  u8,              "Prepares: elapsed time", "1/4096 us"),
    F(2072, "wtasprct",  u8,              "Prepares: CPU time", "1/4096 us"),
    F(2080, "wtasprn",   u4,              "Prepares", "requests"),
    # +2084: 4 reserved bytes
    F(2088, "wtaslmax",  array(u8, 32),   "Latch waits of classes 1 to 32: longest", "1/4096 us"),
), reserved=((512, 4), (700, 4), (844, 4), (856, 8), (1664, 400), (2084, 4)))

WQ = wq("smf116_1_wq")

MQ_THREAD = Record(
    116, 1, "MQ thread and its queues", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, WTID),
        triplet(44, WTAS),
        triplet(52, WQ),
    ),
    evidence=block_evidence(QWHS, WTID, WTAS, WQ),
)

RECORDS = (MQ_THREAD,)
