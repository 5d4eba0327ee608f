"""SMF type 115 subtype 2: calls, data, locks, Db2, coupling facility and topics of an IBM MQ queue manager.

Written once an interval; counts are of the interval. QMST of MQ 9.4.3 and later counts OpenTelemetry tracing. QPST is
there before MQ 8.0 only: later buffer pools are in 115.215. QEST always has 64 entries: every one of them is a row of
smf115_2_qest_structure, and those that are not used have an empty qeststr. QESD is there once for each structure with
shared message data sets. IBM's formatter prints qesdbfbt and the encryption flag of QESD from the wrong place.
"""

from __future__ import annotations

from imsperf.kinds import array, flags4, s4, s8, text, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, interval_of, places, qpst, qwhs
from imsperf.record import Record, nested, triplet

# fmt: off

HEADER = header(
    "smf115_2_header", "One row per type 115.2 record: work of a queue manager in an interval",
    places(28, "qws10ps", "QWHS"),
    places(36, "qws10r1", "QMST"),
    places(44, "qws10r2", "QIST"),
    places(52, "qws10r3", "QPST"),
    places(60, "qws10r4", "QLST"),
    places(68, "qws10r5", "Q5ST"),
    places(76, "qws10r6", "QEST"),
    places(84, "qws10r7", "QTST"),
    places(92, "qws10r8", "QESD"),
)

QWHS = qwhs("smf115_2_qwhs")

QMST = Section("smf115_2_qmst", "Message manager: MQ calls and tracing", f"{SOURCE} qmst", 328, (
    #  +dec  name         kind      meaning
    F(   0, "qmstid",    u2,       "Block identifier"),
    F(   2, "qmstll",    u2,       "Length the block states", "bytes"),
    F(   4, "qmsteyec",  text(4),  "Eye catcher, QMST"),
    F(   8, "qmstopen",  s4,       "MQOPEN calls", "requests"),
    F(  12, "qmstclos",  s4,       "MQCLOSE calls", "requests"),
    F(  16, "qmstget",   s4,       "MQGET calls", "requests"),
    F(  20, "qmstput",   s4,       "MQPUT calls", "requests"),
    F(  24, "qmstput1",  s4,       "MQPUT1 calls", "requests"),
    F(  28, "qmstinq",   s4,       "MQINQ calls", "requests"),
    F(  32, "qmstinql",  s4,       "MQINQ calls that needed no access to the object", "requests"),
    F(  36, "qmstset",   s4,       "MQSET calls", "requests"),
    F(  40, "qmstendw",  s4,       "Waits for work to end"),
    F(  44, "qmstcalh",  s4,       "Requests to close all handles", "requests"),
    F(  48, "qmstsub",   s4,       "MQSUB calls", "requests"),
    F(  52, "qmstsubr",  s4,       "MQSUBRQ calls", "requests"),
    F(  56, "qmstcb",    s4,       "MQCB calls", "requests"),
    F(  60, "qmstctl",   s4,       "MQCTL calls", "requests"),
    F(  64, "qmststus",  s4,       "MQSTAT calls", "requests"),
    F(  68, "qmstpubs",  s4,       "Publications"),
    F(  72, "qmstspp",   s8,       "Persistent messages put"),
    F(  80, "qmstsnp",   s8,       "Messages put that are not persistent"),
    F(  88, "qmstpbp",   s8,       "Persistent messages: bytes put", "bytes"),
    F(  96, "qmstnbp",   s8,       "Messages that are not persistent: bytes put", "bytes"),
    F( 104, "qmstocpa",  u8,       "OpenTelemetry, puts: trace context passed on"),
    F( 112, "qmstocga",  u8,       "OpenTelemetry, gets: trace context passed on"),
    F( 120, "qmstoahc",  u8,       "OpenTelemetry, puts: trace context dropped"),
    F( 128, "qmstocpd",  u8,       "OpenTelemetry, puts: trace context wrong"),
    F( 136, "qmstocmp",  u8,       "OpenTelemetry, puts: no room for the trace context among the properties"),
    F( 144, "qmstocgd",  u8,       "OpenTelemetry, gets: trace context wrong"),
    F( 152, "qmstocps",  u8,       "OpenTelemetry, puts: trace state shortened"),
    F( 160, "qmstocgs",  u8,       "OpenTelemetry, gets: trace state shortened"),
    F( 168, "qmstoscs",  u8,       "OpenTelemetry: spans made as a consumer"),
    F( 176, "qmstosps",  u8,       "OpenTelemetry: spans made as a producer"),
    F( 184, "qmstosns",  u8,       "OpenTelemetry: puts left out of the sample"),
    F( 192, "qmstocda",  u8,       "OpenTelemetry, gets: trace context dropped"),
    F( 200, "qmstospl",  u8,       "OpenTelemetry: producer spans over the limit of spans"),
    F( 208, "qmstoscl",  u8,       "OpenTelemetry: consumer spans over the limit of spans"),
    F( 216, "qmstosfs",  u8,       "OpenTelemetry: spans over the limit of storage"),
    F( 224, "qmstosok",  u8,       "OpenTelemetry: spans handed over"),
    F( 232, "qmstosfr",  u8,       "OpenTelemetry: spans turned away"),
    F( 240, "qmstosfc",  u8,       "OpenTelemetry: spans lost as there was no capacity"),
    F( 248, "qmstotso",  u8,       "OpenTelemetry: SMF records of spans written"),
    F( 256, "qmstotsr",  u8,       "OpenTelemetry: SMF records of spans that were turned away"),
    F( 264, "qmstotsc",  u8,       "OpenTelemetry: SMF records of spans lost as there was no capacity"),
    F( 272, "qmstotpu",  u8,       "OpenTelemetry tasks: CPU time", "1/4096 us"),
    F( 280, "qmstotpw",  u8,       "OpenTelemetry tasks: time without work", "1/4096 us"),
    F( 288, "qmstotpd",  u8,       "OpenTelemetry tasks: time waiting for SMF", "1/4096 us"),
    F( 296, "qmstotsk",  s4,       "OpenTelemetry tasks"),
    # +300: 4 reserved bytes
    F( 304, "qmstobse",  u8,       "OpenTelemetry, IMS bridge: spans made"),
    F( 312, "qmstobcp",  u8,       "OpenTelemetry, IMS bridge: trace contexts passed on"),
    F( 320, "qmstobcd",  u8,       "OpenTelemetry, IMS bridge: trace contexts dropped"),
), levels=(("MQ 8.0", 72), ("MQ 9.0.3", 104), ("MQ 9.4.3", 300)), reserved=((300, 4),))

QIST = Section("smf115_2_qist", "Data manager: messages and objects", f"{SOURCE} qist", 80, (
    #  +dec  name         kind      meaning
    F(   0, "qistid",    u2,       "Block identifier"),
    F(   2, "qistll",    u2,       "Length the block states", "bytes"),
    F(   4, "qisteyec",  text(4),  "Eye catcher, QIST"),
    F(   8, "qistmget",  u4,       "Messages fetched", "requests"),
    F(  12, "qistmput",  u4,       "Messages stored", "requests"),
    F(  16, "qistmblr",  u4,       "Requests for a browse lock", "requests"),
    F(  20, "qistdcre",  u4,       "Objects: created"),
    F(  24, "qistdput",  u4,       "Objects: written"),
    F(  28, "qistddel",  u4,       "Objects: deleted"),
    F(  32, "qistdget",  u4,       "Objects: read"),
    F(  36, "qistdloc",  u4,       "Objects: located"),
    F(  40, "qistmcnt",  u4,       "Requests for a count of messages", "requests"),
    F(  44, "qistalst",  u4,       "Storage classes altered"),
    F(  48, "qistlomm",  u4,       "Messages locked that were marked"),
    F(  52, "qistdlmm",  u4,       "Messages deleted that were marked"),
    F(  56, "qistenum",  u4,       "Requests to enumerate", "requests"),
    F(  60, "qistraio",  u4,       "Read-ahead that needed I/O; MQ does not fill it"),
    F(  64, "qistrabp",  u4,       "Read-ahead met in the buffer pool; MQ does not fill it"),
    F(  68, "qistgetd",  u4,       "Messages fetched from disk"),
    F(  72, "qistgetb",  u4,       "Messages fetched from the buffer pool"),
    # +76: 4 reserved bytes
), reserved=((76, 4),))

QPST = qpst("smf115_2_qpst", "1src")

QLST = Section("smf115_2_qlst", "Lock manager", f"{SOURCE} qlst", 32, (
    #  +dec  name         kind      meaning
    F(   0, "qlstid",    u2,       "Block identifier"),
    F(   2, "qlstll",    u2,       "Length the block states", "bytes"),
    F(   4, "qlsteyec",  text(4),  "Eye catcher, QLST"),
    F(   8, "qlstgetl",  u4,       "Locks asked for", "requests"),
    F(  12, "qlsthldl",  u4,       "Locks asked for by their holder", "requests"),
    F(  16, "qlstrell",  u4,       "Locks released", "requests"),
    # +20: 12 reserved bytes
), reserved=((20, 12),))


def _times(at: int, prefix: str, what: str) -> tuple[F, ...]:
    """Times of one kind of Db2 request: in the task that asks Db2, and in SQL."""
    return (
        F(at,      f"{prefix}tcuw", u8, f"{what}: time in the task, sum", "1/4096 us"),
        F(at + 8,  f"{prefix}tmxw", u8, f"{what}: time in the task, longest", "1/4096 us"),
        F(at + 16, f"{prefix}scuw", u8, f"{what}: time in SQL, sum", "1/4096 us"),
        F(at + 24, f"{prefix}smxw", u8, f"{what}: time in SQL, longest", "1/4096 us"),
    )


Q5ST = Section("smf115_2_q5st", "Db2 manager: requests of a queue sharing group", f"{SOURCE} q5st", 672, (
    #  +dec  name         kind      meaning
    F(   0, "q5stid",    u2,       "Block identifier"),
    F(   2, "q5stll",    u2,       "Length the block states", "bytes"),
    F(   4, "q5steyec",  text(4),  "Eye catcher, Q5ST"),
    F(   8, "numtask",   u4,       "Tasks that serve Db2 requests"),
    F(  12, "acttask",   u4,       "Tasks at work for Db2"),
    F(  16, "conncnt",   u4,       "Connects to Db2", "requests"),
    F(  20, "disccnt",   u4,       "Disconnects from Db2", "requests"),
    F(  24, "dhigmax",   u4,       "Longest queue of requests"),
    F(  28, "abndcnt",   u4,       "Tasks that ended abnormally"),
    F(  32, "requcnt",   u4,       "Requests queued once more after an abend", "requests"),
    F(  36, "deadcnt",   u4,       "Requests that met a deadlock or time-out"),
    F(  40, "delecnt",   u4,       "Deletes", "requests"),
    F(  44, "listcnt",   u4,       "Lists", "requests"),
    F(  48, "readcnt",   u4,       "Reads", "requests"),
    F(  52, "updtcnt",   u4,       "Updates", "requests"),
    F(  56, "writcnt",   u4,       "Writes", "requests"),
    F(  60, "scssel",    u4,       "SCST: row selects"),
    F(  64, "scsins",    u4,       "SCST: row inserts"),
    F(  68, "scsupd",    u4,       "SCST: row updates"),
    F(  72, "scsdel",    u4,       "SCST: row deletes"),
    F(  76, "ssksel",    u4,       "SSKT: row selects"),
    F(  80, "sskins",    u4,       "SSKT: row inserts"),
    F(  84, "sskdel",    u4,       "SSKT: row deletes"),
    F(  88, "scsbfts",   u4,       "SCST: selects with too small a buffer"),
    F(  92, "scsmaxr",   u4,       "SCST: most rows of one select"),
    # +96: 8 reserved bytes
    *_times(104, "dele", "Deletes"),
    *_times(136, "list", "Lists"),
    *_times(168, "read", "Reads"),
    *_times(200, "updt", "Updates"),
    *_times(232, "writ", "Writes"),
    *_times(264, "scss", "SCST row selects"),
    *_times(296, "scsi", "SCST row inserts"),
    *_times(328, "scsu", "SCST row updates"),
    *_times(360, "scsd", "SCST row deletes"),
    *_times(392, "ssks", "SSKT row selects"),
    *_times(424, "sski", "SSKT row inserts"),
    *_times(456, "sskd", "SSKT row deletes"),
    #  +dec  name       kind  meaning
    F( 488, "lmssel",  u4,  "Message blobs: row selects"),
    F( 492, "lmsins",  u4,  "Message blobs: row inserts"),
    F( 496, "lmsupd",  u4,  "Message blobs: row updates"),
    F( 500, "lmsdel",  u4,  "Message blobs: row deletes"),
    F( 504, "lmslis",  u4,  "Message blobs: lists"),
    # +508: 4 reserved bytes
    *_times(512, "lmss", "Message blobs, row selects"),
    *_times(544, "lmsi", "Message blobs, row inserts"),
    *_times(576, "lmsu", "Message blobs, row updates"),
    *_times(608, "lmsd", "Message blobs, row deletes"),
    *_times(640, "lmsl", "Message blobs, lists"),
), reserved=((96, 8), (508, 4)))

QEST = Section("smf115_2_qest", "Coupling facility manager: the block its 64 entries stand in", f"{SOURCE} qest", 4104, (
    #  +dec  name         kind      meaning
    F(   0, "qestid",    u2,       "Block identifier"),
    F(   2, "qestll",    u2,       "Length the block states", "bytes"),
    F(   4, "qesteyec",  text(4),  "Eye catcher, QEST"),
    # +8: 64 entries, smf115_2_qest_structure
))

STRUCTURE = Section("smf115_2_qest_structure", "One coupling facility structure; rows without a name are entries not used", f"{SOURCE} qest, entries", 64, (
    #  +dec  name         kind       meaning
    F(   0, "qeststr",   text(12),  "Coupling facility structure; no name: the entry is not used"),
    F(  12, "qeststrn",  u4,        "Structure number"),
    F(  16, "qestcsec",  u4,        "Calls for one entry (IXLLSTE)", "requests"),
    F(  20, "qestcmec",  u4,        "Calls for several entries (IXLLSTM)", "requests"),
    F(  24, "qestsstc",  u8,        "Calls for one entry: time", "1/4096 us"),
    F(  32, "qestmstc",  u8,        "Calls for several entries: time", "1/4096 us"),
    F(  40, "qestrsec",  u4,        "Calls for one entry: tried again", "requests"),
    F(  44, "qestrmec",  u4,        "Calls for several entries: tried again", "requests"),
    F(  48, "qestsful",  u4,        "Times the structure was found full"),
    F(  52, "qestmnus",  u4,        "Entries used, most"),
    F(  56, "qestmlus",  u4,        "Elements used, most"),
    # +60: 4 reserved bytes
), reserved=((60, 4),))

QTST = Section("smf115_2_qtst", "Topic manager: subscriptions and publications", f"{SOURCE} qtst", 100, (
    #  +dec  name         kind           meaning
    F(   0, "qtstid",    u2,            "Block identifier"),
    F(   2, "qtstll",    u2,            "Length the block states", "bytes"),
    F(   4, "qtstdesc",  text(4),       "Eye catcher, QTST"),
    F(   8, "qtststot",  u4,            "Subscriptions"),
    F(  12, "qtstsdur",  u4,            "Durable subscriptions"),
    F(  16, "qtstshig",  array(u4, 3),  "Subscriptions, most: made by API, by administration, by proxy"),
    F(  28, "qtstslow",  array(u4, 3),  "Subscriptions, least: made by API, by administration, by proxy"),
    F(  40, "qtstsexp",  u4,            "Subscriptions that expired"),
    F(  44, "qtsttmsg",  u4,            "Messages put for subscribers"),
    F(  48, "qtstsphw",  u4,            "Messages put for one publication, most"),
    F(  52, "qtstptot",  array(u4, 3),  "Publications: made by API, by administration, by proxy"),
    F(  64, "qtstphig",  u4,            "Publications, most"),
    F(  68, "qtstplow",  u4,            "Publications, least"),
    F(  72, "qtstpnos",  u4,            "Publications nobody subscribed to"),
    # +76: 4 reserved bytes
    F(  80, "qtstethw",  u8,            "Publications: longest time", "1/4096 us"),
    F(  88, "qtstetto",  u8,            "Publications: time, sum", "1/4096 us"),
    # +96: 4 bytes not described
), reserved=((76, 4),))

QESD = Section("smf115_2_qesd", "Shared message data sets of one coupling facility structure", f"{SOURCE} qesd", 336, (
    #  +dec  name         kind       meaning
    F(   0, "qesdid",    u2,        "Block identifier"),
    F(   2, "qesdll",    u2,        "Length the block states", "bytes"),
    F(   4, "qesdeyec",  text(4),   "Eye catcher, QESD"),
    F(   8, "qesdstr",   text(12),  "Coupling facility structure"),
    F(  20, "qesdstrn",  u4,        "Structure number"),
    F(  24, "qesdsmbt",  u4,        "Blocks of the data set"),
    F(  28, "qesdsmbs",  u4,        "Blocks that hold the space map"),
    F(  32, "qesdsmbd",  u4,        "Blocks for messages"),
    F(  36, "qesdsmbu",  u4,        "Blocks used"),
    F(  40, "qesdsmbf",  u4,        "Blocks not used"),
    F(  44, "qesdsmmc",  u4,        "Messages held"),
    F(  48, "qesdsmar",  u4,        "Space: requests to allocate", "requests"),
    F(  52, "qesdsmfr",  u4,        "Space: requests to free", "requests"),
    F(  56, "qesdsmrr",  u4,        "Space: requests to allocate anew", "requests"),
    F(  60, "qesdsmcr",  u4,        "Space: requests to clean up", "requests"),
    F(  64, "qesdsmap",  u4,        "Space: allocated", "pages"),
    F(  68, "qesdsmfp",  u4,        "Space: freed", "pages"),
    F(  72, "qesdsmrp",  u4,        "Space: allocated anew", "pages"),
    F(  76, "qesdsmcp",  u4,        "Space: cleaned up", "pages"),
    F(  80, "qesdsmfl",  u4,        "Space: requests to allocate that found none"),
    F(  84, "qesdsmmm",  u4,        "Messages held, most"),
    F(  88, "qesdsmmu",  u4,        "Blocks used, most"),
    F(  92, "qesdsmmf",  u4,        "Blocks not used, least"),
    F(  96, "qesdbfsz",  u4,        "Buffer size", "bytes"),
    F( 100, "qesdbfto",  u4,        "Buffers, all"),
    F( 104, "qesdbfus",  u4,        "Buffers in use, shared"),
    F( 108, "qesdbfup",  u4,        "Buffers in use, private"),
    F( 112, "qesdbffs",  u4,        "Buffers free, with data kept"),
    F( 116, "qesdbffe",  u4,        "Buffers free, empty"),
    F( 120, "qesdbfpw",  u4,        "Tasks that wait for the buffer pool"),
    F( 124, "qesdbfbw",  u4,        "Tasks that wait for a buffer"),
    F( 128, "qesdbfgb",  u4,        "Requests for a buffer", "requests"),
    F( 132, "qesdbfgv",  u4,        "Requests for a buffer: found with valid data"),
    F( 136, "qesdbfgm",  u4,        "Requests for a buffer: found, but empty"),
    F( 140, "qesdbfgf",  u4,        "Requests for a buffer: got a free one"),
    F( 144, "qesdbfgl",  u4,        "Requests for a buffer: took one with data of others"),
    F( 148, "qesdbfgn",  u4,        "Requests for a buffer: got none"),
    F( 152, "qesdbfrr",  u4,        "Reads asked of the buffers", "requests"),
    F( 156, "qesdbfrs",  u4,        "Reads spared, all data in a buffer"),
    F( 160, "qesdbfrp",  u4,        "Reads spared in part"),
    F( 164, "qesdbfwr",  u4,        "Writes asked of the buffers", "requests"),
    F( 168, "qesdbffb",  u4,        "Buffers freed with valid data"),
    F( 172, "qesdbfdb",  u4,        "Buffers discarded as empty"),
    F( 176, "qesdbfwp",  u4,        "Waits for the buffer pool"),
    F( 180, "qesdbfwb",  u4,        "Waits for a buffer"),
    F( 184, "qesdbfpt",  u8,        "Waits for the buffer pool: time", "1/4096 us"),
    F( 192, "qesdbfbt",  u8,        "Waits for a buffer: time", "1/4096 us"),
    F( 200, "qesdbfmu",  u4,        "Buffers in use, most"),
    F( 204, "qesdbfmf",  u4,        "Buffers free, least"),
    F( 208, "qesdbfmp",  u4,        "Tasks waiting for the buffer pool, most"),
    F( 212, "qesdbfmb",  u4,        "Tasks waiting for a buffer, most"),
    F( 216, "qesdioha",  u4,        "Last control interval allocated"),
    F( 220, "qesdiohu",  u4,        "Last control interval used"),
    F( 224, "qesdioci",  u4,        "Control interval size", "bytes"),
    F( 228, "qesdioca",  u4,        "Control area size; unit not in the source"),
    F( 232, "qesdiofr",  u4,        "Formatting: requests", "requests"),
    F( 236, "qesdiofp",  u4,        "Formatting: done", "pages"),
    F( 240, "qesdioft",  u8,        "Formatting: I/O time", "1/4096 us"),
    F( 248, "qesdiofw",  u8,        "Formatting: time waited", "1/4096 us"),
    F( 256, "qesdiowr",  u4,        "Writes: requests", "requests"),
    F( 260, "qesdiowp",  u4,        "Writes: done", "pages"),
    F( 264, "qesdiowt",  u8,        "Writes: I/O time", "1/4096 us"),
    F( 272, "qesdioww",  u8,        "Writes: time waited", "1/4096 us"),
    F( 280, "qesdiorr",  u4,        "Reads: requests", "requests"),
    F( 284, "qesdiorp",  u4,        "Reads: done", "pages"),
    F( 288, "qesdiort",  u8,        "Reads: I/O time", "1/4096 us"),
    F( 296, "qesdiorw",  u8,        "Reads: time waited", "1/4096 us"),
    F( 304, "qesdioor",  u4,        "Reads of other queue managers' data sets: requests", "requests"),
    F( 308, "qesdioop",  u4,        "Reads of other queue managers' data sets: done", "pages"),
    F( 312, "qesdioot",  u8,        "Reads of other queue managers' data sets: I/O time", "1/4096 us"),
    F( 320, "qesdioow",  u8,        "Reads of other queue managers' data sets: time waited", "1/4096 us"),
    F( 328, "qesdflag",  flags4,    "Flags: X'80000000' data set encrypted"),
    # +332: 4 reserved bytes
), levels=(("MQ 8.0", 328),), reserved=((332, 4),))

MQ_WORK = Record(
    115, 2, "MQ calls, data, locks, Db2 and topics", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QMST),
        triplet(44, QIST),
        triplet(52, QPST),
        triplet(60, QLST),
        triplet(68, Q5ST),
        triplet(76, QEST),
        nested(8, STRUCTURE, inside=QEST, number=64),
        triplet(84, QTST),
        triplet(92, QESD),
    ),
    interval=interval_of(QWHS),
    evidence=block_evidence(QWHS, QMST, QIST, QPST, QLST, Q5ST, QEST, QTST, QESD),
)

RECORDS = (MQ_WORK,)
