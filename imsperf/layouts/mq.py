"""What the records of IBM MQ share: header, QWHS (the block every record has), buffer pools.

A queue manager writes type 115 (statistics of itself and of its channel initiator) and 116 (accounting of threads,
queues and channels) once an interval, 116 also when a thread ends. The header is 28 bytes; from +28 on stand
triplets, the first of them for QWHS, which is the last block of most records. Byte qwhsnsda says how many triplets
there are; a record with fewer has its first block where the next triplet would be. A block may be longer than its
fields: the rest is zero.

Times: points in time are UTC, but for qwhstime, which is local time in the form of a TOD clock. Durations in TOD
units stay as they are, 1/4096 us. qwhsdurn has two units: us in types 115 but 115.231, 1/4096 us there and in 116.10.

MQ 10.0 puts QWHX behind QWHS (and behind QWHC in 116.0, 116.1 and 116.2). Whether it is there shows in the length of
the block and not in qwhsflag1, which 116.1 of MQ 8.0 leaves to chance. sm115rel and sm116rel stop at 946: qwhxrel has
the version. Blocks are told apart by their triplet or their eye catcher: the identifiers in IBM's C declarations are
not those in the records of several blocks (QPST D70F, QIS1 C927, QSPH E20E, QSGM E20D, QSRS E20C).
"""

from __future__ import annotations

from imsperf.kinds import (
    centisec,
    date,
    flags1,
    flags4,
    opaque,
    s4,
    text,
    tod,
    u1,
    u2,
    u4,
    u8,
)
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.record import Evidence, Interval, never_zero, once, reads, states_length

SOURCE = "ibm-messaging/mq-smf-csv, src/mqsmfstrucW.h:"

# fmt: off


def header(table: str, doc: str, *triplets: tuple[F, ...], levels: tuple[tuple[str, int], ...] = ()) -> Section:
    """Header of an MQ record: 24 bytes as everywhere, the MQ version, the triplets of `places`."""
    p = table.split("_")[0].replace("smf", "sm")
    after = tuple(field for some in triplets for field in some)
    return Section(table, doc, f"{SOURCE} {p}, triplets {after[0].name[:4]}", after[-1].end, (
        #  +dec  name        kind       meaning
        F(   0, f"{p}len",  u2,        "Record length, with the 4-byte RDW it begins with", "bytes"),
        F(   2, f"{p}sgd",  u2,        "Segment descriptor: spanning code and a zero byte"),
        F(   4, f"{p}flg",  flags1,    "System indicator: X'40' subsystem and subtype are there"),
        F(   5, f"{p}rty",  u1,        "Record type"),
        F(   6, f"{p}tme",  centisec,  "Local time the record reached the SMF buffer"),
        F(  10, f"{p}dte",  date,      "Local date the record reached the SMF buffer"),
        F(  14, f"{p}sid",  text(4),   "SMF system id"),
        F(  18, f"{p}ssi",  text(4),   "Queue manager, its subsystem name"),
        F(  22, f"{p}stf",  u2,        "Record subtype"),
        F(  24, f"{p}rel",  text(3),   "MQ version, three digits; 946 from MQ 10.0 on"),
        # +27: 1 reserved byte
        *after,
    ), levels=levels, reserved=((27, 1),))


def places(at: int, name: str, what: str) -> tuple[F, ...]:
    """The three fields of a triplet: qws00ps for qws00pso, qws00psl and qws00psn."""
    return (
        F(at,     f"{name}o", u4, f"Offset of the first {what}, from the RDW", "bytes"),
        F(at + 4, f"{name}l", u2, f"Length of one {what}", "bytes"),
        F(at + 6, f"{name}n", u2, f"Number of {what}: 0 where there is none"),
    )


_QWHS = (
    #  +dec  name          kind      meaning
    F(   0, "qwhslen",    u2,       "Length of QWHS without what follows it: 52 or 36", "bytes"),
    F(   2, "qwhstyp",    u1,       "Kind of the header"),
    F(   3, "qwhsrmid",   u1,       "Resource manager that wrote the record"),
    F(   4, "qwhsiid",    u2,       "Identifier of the kind of record"),
    F(   6, "qwhsnsda",   u1,       "Triplets in the record, that of QWHS included"),
    F(   7, "qwhsrn",     u1,       "Release indicator"),
    F(   8, "qwhsace",    u4,       "Agent control element, an address"),
    F(  12, "qwhsssid",   text(4),  "Queue manager, its subsystem name"),
    F(  16, "qwhsstck",   tod,      "End of the interval, UTC"),
    F(  24, "qwhsiseq",   u4,       "Sequence number for the identifier"),
    F(  28, "qwhswseq",   u4,       "Sequence number for the destination"),
    F(  32, "qwhsflag1",  flags1,   "Flags: X'80' more records of the interval follow, X'40' QWHX is there (not to be trusted in 116.1 of MQ 8.0)"),
    F(  33, "qwhsflag2",  flags1,   "Flags"),
    F(  34, "qwhsflag3",  flags1,   "Flags"),
    F(  35, "qwhsflag4",  flags1,   "Flags"),
)


def _qwhx(at: int) -> tuple[F, ...]:
    """The extension of MQ 10.0."""
    return (
        F(at,     "qwhxlen", u2,      "Length of the extension", "bytes"),
        F(at + 2, "qwhxtyp", u1,      "Kind of the extension"),
        # +3: 1 reserved byte
        F(at + 4, "qwhxqsg", text(4), "Queue sharing group"),
        F(at + 8, "qwhxrel", text(6), "MQ version: two digits each of version, release and modification"),
    )


def qwhs(table: str, duration: str = "us", confidence: str = "2src") -> Section:
    """QWHS of statistics: which queue manager, which interval; `duration` is the unit of qwhsdurn."""
    return Section(table, "Queue manager and interval of the record", f"{SOURCE} qwhs, qwhx", 68, (
        *_QWHS,
        F(  36, "qwhstime",  tod,  "Start of the interval, LOCAL time in the form of a TOD clock"),
        F(  44, "qwhsdurn",  u8,   "Length of the interval", duration),
        *_qwhx(52),
        # +66: 2 reserved bytes
    ), confidence, levels=(("MQ 8.0", 52),), reserved=((55, 1), (66, 2)))


def interval_of(qwhs: Section) -> Interval:
    """The interval that QWHS of statistics tells."""
    return Interval(qwhs, start="qwhstime", length="qwhsdurn")


def qwhs_thread(table: str, confidence: str = "2src") -> Section:
    """QWHS of threads: no times of the interval, but QWHC: who the thread works for."""
    return Section(table, "Queue manager, and who the thread works for", f"{SOURCE} qwhs, qwhc, qwhx", 144, (
        *_QWHS,
        #  +dec  name         kind         meaning
        F(  36, "qwhclen",   u2,          "Length of QWHC", "bytes"),
        F(  38, "qwhctyp",   u1,          "Kind of the header"),
        # +39: 1 reserved byte
        F(  40, "qwhcaid",   text(8),     "Authorization identifier"),
        F(  48, "qwhccv",    opaque(12),  "Correlation: what tells the thread apart where it comes from"),
        F(  60, "qwhccn",    text(8),     "Connection name: the job"),
        # +68: 8 reserved bytes
        F(  76, "qwhcopid",  text(8),     "User the work runs for"),
        F(  84, "qwhcatyp",  u4,          "Who is connected: 1 CICS, 2 batch or TSO, 3 IMS control region, 4 IMS dependent region, 5 command server, 6 channel initiator, 7 RRS, 8 intra-group queuing"),
        F(  88, "qwhctokn",  opaque(22),  "Accounting token"),
        F( 110, "qwhcnid",   opaque(16),  "Network identifier"),
        # +126: 2 reserved bytes
        *_qwhx(128),
        # +142: 2 reserved bytes
    ), confidence, levels=(("MQ 8.0", 128),), reserved=((39, 1), (68, 8), (126, 2), (131, 1), (142, 2)))


def qwhs_short(table: str) -> Section:
    """What stands in place of QWHS in 115.5, 115.6 and 115.7: a halfword, then the extension."""
    return Section(table, "Stands in place of QWHS", f"{SOURCE} qwhx", 20, (
        F(   0, "qwhslen",  u2,  "Always 1: there is no QWHS and no interval"),
        # +2: 2 bytes not described
        *_qwhx(4),
        # +18: 2 reserved bytes
    ), levels=(("MQ 8.0", 4),), reserved=((7, 1), (18, 2)))


def qpst(table: str, confidence: str = "2src") -> Section:
    """A buffer pool."""
    return Section(table, "One buffer pool in one interval", f"{SOURCE} qpst", 104, (
        #  +dec  name         kind      meaning
        F(   0, "qpstid",    u2,       "Block identifier"),
        F(   2, "qpstll",    u2,       "Length the block states", "bytes"),
        F(   4, "qpsteyec",  text(4),  "Eye catcher, QPST"),
        F(   8, "qpstpool",  s4,       "Buffer pool number"),
        F(  12, "qpstnbuf",  s4,       "Buffers"),
        F(  16, "qpstcbsl",  s4,       "Buffers that could be stolen, least"),
        F(  20, "qpstcbs",   s4,       "Buffers that can be stolen now"),
        F(  24, "qpstgetp",  s4,       "Requests for a page that may have to be read", "requests"),
        F(  28, "qpstgetn",  s4,       "Requests for an empty page, never read", "requests"),
        F(  32, "qpstrio",   s4,       "Page reads from disk"),
        F(  36, "qpststw",   s4,       "Times a page was changed"),
        F(  40, "qpsttpw",   s4,       "Pages written to disk", "pages"),
        F(  44, "qpstwio",   s4,       "Write I/Os"),
        F(  48, "qpstimw",   s4,       "Pages written while the requester waited", "pages"),
        F(  52, "qpstdwt",   s4,       "Times the threshold of asynchronous writes was reached"),
        F(  56, "qpstdmc",   s4,       "Times the threshold of synchronous writes was reached"),
        F(  60, "qpststl",   s4,       "Times a buffer was stolen for a page not in the pool"),
        F(  64, "qpststla",  s4,       "Times a steal changed the hash chain"),
        F(  68, "qpstsos",   s4,       "Times no buffer was to be had"),
        F(  72, "qpstflag",  flags4,   "Flags: X'80000000' pool above the bar, X'40000000' pages fixed in storage"),
        # +76: 28 reserved bytes
    ), confidence, reserved=((76, 28),))


def block_evidence(qwhs: Section, *blocks: Section) -> tuple[Evidence, ...]:
    """What every MQ record has: one QWHS, of a queue manager and a time; blocks that begin with their own length
    and an eye catcher, as their fields say."""
    names = {field.name for field in qwhs.fields} & {"qwhsssid", "qwhsstck"}
    said = [once(qwhs), *never_zero(qwhs, *sorted(names))]
    for block in blocks:
        for field in block.fields:
            if field.doc == "Length the block states":
                said.append(states_length(block, field.name))
            if field.doc.startswith("Eye catcher, "):
                said.append(reads(block, field.name, field.doc.removeprefix("Eye catcher, ")))
    return tuple(said)
