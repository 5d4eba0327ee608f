"""SMF type 115 subtype 1: storage and log manager of an IBM MQ queue manager, written once an interval.

Counts are of the interval. QJST has figures of log writes for each copy of the log (1, 2) and each kind of write (1, 2;
the source does not say what the kinds are): qjstio..._<copy>_<kind>. Triplets qws00r1 to qws00r8 and qws00ra are of
blocks that MQ does not document; two of them are used.
"""

from __future__ import annotations

from imsperf.kinds import array, s4, s8, text, tod, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE, block_evidence, header, interval_of, places, qwhs
from imsperf.record import Record, once, triplet

# fmt: off

HEADER = header(
    "smf115_1_header", "One row per type 115.1 record: storage and log of a queue manager in an interval",
    places(28, "qws00ps", "QWHS"),
    *(places(28 + 8 * number, f"qws00r{number}", "internal block") for number in range(1, 9)),
    places(100, "qws00r9", "QSST"),
    places(108, "qws00ra", "internal block"),
    places(116, "qws00rb", "QJST"),
)

QWHS = qwhs("smf115_1_qwhs")

QSST = Section("smf115_1_qsst", "Storage manager: pools, GETMAINs, short storage", f"{SOURCE} qsst", 80, (
    #  +dec  name         kind      meaning
    F(   0, "qsstid",    u2,       "Block identifier"),
    F(   2, "qsstlen",   u2,       "Length the block states", "bytes"),
    F(   4, "qsstdesc",  text(4),  "Eye catcher, QSST"),
    F(   8, "qsstgplf",  u4,       "Fixed pools: created"),
    F(  12, "qsstfplf",  u4,       "Fixed pools: freed"),
    F(  16, "qsstfref",  u4,       "Fixed pools: segments freed"),
    F(  20, "qsstexpf",  u4,       "Fixed pools: segments added as they grew"),
    F(  24, "qsstconf",  u4,       "Fixed pools: segments returned as they shrank"),
    F(  28, "qsstgplv",  u4,       "Variable pools: created"),
    F(  32, "qsstfplv",  u4,       "Variable pools: freed"),
    F(  36, "qsstfrev",  u4,       "Variable pools: segments freed"),
    F(  40, "qsstexpv",  u4,       "Variable pools: segments added as they grew"),
    F(  44, "qsstconv",  u4,       "Variable pools: segments returned as they shrank"),
    F(  48, "qsstgetm",  u4,       "GETMAINs issued", "requests"),
    F(  52, "qsstfrem",  u4,       "FREEMAINs issued", "requests"),
    F(  56, "qsstrcnz",  u4,       "GETMAINs and FREEMAINs that ended with a return code", "requests"),
    F(  60, "qsstcont",  u4,       "Times the pools were shrunk because storage was short"),
    F(  64, "qsstcrit",  u4,       "Times storage was called critically short"),
    F(  68, "qsstabnd",  u4,       "Abends for want of storage"),
    # +72: 8 bytes not described
))


def _writes(at: int, copy: int, kind: int) -> tuple[F, ...]:
    """Log writes of one copy of the log and one kind."""
    p, who = f"{copy}_{kind}", f"Log copy {copy}, writes of kind {kind}:"
    return (
        F(at,      f"qjstiocount_{p}",   u4,      f"{who} I/Os"),
        F(at + 4,  f"qjstioci_{p}",      u4,      f"{who} control intervals"),
        F(at + 8,  f"qjstiototio_{p}",   u8,      f"{who} I/O time, sum", "1/4096 us"),
        F(at + 16, f"qjstiototsus_{p}",  u8,      f"{who} time suspended, sum", "1/4096 us"),
        F(at + 24, f"qjstiomaxio_{p}",   u8,      f"{who} longest I/O", "1/4096 us"),
        F(at + 32, f"qjstiomaxiot_{p}",  tod,     f"{who} when the longest I/O was, UTC"),
        F(at + 40, f"qjstiomaxiol_{p}",  text(8), f"{who} log of the longest I/O"),
        F(at + 48, f"qjstiomaxsus_{p}",  u8,      f"{who} longest time suspended", "1/4096 us"),
        F(at + 56, f"qjstiomaxsust_{p}", tod,     f"{who} when the longest time suspended was, UTC"),
        F(at + 64, f"qjstiomaxsusl_{p}", text(8), f"{who} log of the longest time suspended"),
    )


QJST = Section("smf115_1_qjst", "Log manager: reads, writes, archive, compression, zHyperLink", f"{SOURCE} qjst", 720, (
    #  +dec  name             kind      meaning
    F(   0, "qjstid",        u2,       "Block identifier"),
    F(   2, "qjstll",        u2,       "Length the block states", "bytes"),
    F(   4, "qjsteid",       text(4),  "Eye catcher, QJST"),
    F(   8, "qjstwrw",       s4,       "Log writes the caller waited for", "requests"),
    F(  12, "qjstwrnw",      s4,       "Log writes the caller did not wait for", "requests"),
    F(  16, "qjstwrf",       s4,       "Log writes forced out", "requests"),
    F(  20, "qjstwtb",       s4,       "Waits for a free log buffer"),
    F(  24, "qjstrbuf",      s4,       "Log reads served by the output buffers"),
    F(  28, "qjstract",      s4,       "Log reads served by an active log"),
    F(  32, "qjstrarh",      s4,       "Log reads served by an archive log"),
    F(  36, "qjsttvc",       s4,       "Log reads held up as another task had the archive volume"),
    F(  40, "qjstbsds",      s4,       "Accesses to the bootstrap data set"),
    F(  44, "qjstbffl",      s4,       "Control intervals made for the active log"),
    F(  48, "qjstbfwr",      s4,       "Log buffers given to the writer"),
    F(  52, "qjstalr",       s4,       "Archive log data sets allocated for reading"),
    F(  56, "qjstalw",       s4,       "Archive log data sets allocated for writing"),
    F(  60, "qjstciof",      s4,       "Control intervals copied to the archive"),
    F(  64, "qjstllcp",      s4,       "Checkpoints"),
    F(  68, "qjstwur",       s4,       "Log reads held up as no tape unit was free"),
    F(  72, "qjstlama",      s4,       "Tape mounts in advance: tried"),
    F(  76, "qjstlams",      s4,       "Tape mounts in advance: succeeded"),
    F(  80, "qjstlsus",      s4,       "Times a task was suspended until a log write ended"),
    F(  84, "qjstlogw",      s4,       "Log write I/Os"),
    F(  88, "qjstciwr",      s4,       "Control intervals written to the log"),
    F(  92, "qjstserw",      s4,       "Log writes made one copy after the other"),
    F(  96, "qjstthrw",      s4,       "Log writes begun as the buffers reached their threshold"),
    F( 100, "qjstbpag",      s4,       "Times a log buffer was paged in before it could be used"),
    # +104: 16 reserved bytes
    F( 120, "qjstcmpreq",    s4,       "Compression: requests", "requests"),
    F( 124, "qjstcmpfail",   s4,       "Compression: requests that did not succeed"),
    F( 128, "qjstcmpuncmp",  s8,       "Compression: bytes in", "bytes"),
    F( 136, "qjstcmpcomp",   s8,       "Compression: bytes out", "bytes"),
    F( 144, "qjstdecreq",    s4,       "Decompression: requests", "requests"),
    F( 148, "qjstdecfail",   s4,       "Decompression: requests that did not succeed"),
    F( 152, "qjstdecuncmp",  s8,       "Decompression: bytes out", "bytes"),
    F( 160, "qjstdeccomp",   s8,       "Decompression: bytes in", "bytes"),
    # +168: 96 reserved bytes
    *_writes(264, 1, 1),
    *_writes(336, 1, 2),
    *_writes(408, 2, 1),
    *_writes(480, 2, 2),
    #  +dec  name               kind           meaning
    F( 552, "qjstslptu",       u8,            "Time the log writer had nothing to do", "us"),
    F( 560, "qjstiosqu",       array(u8, 2),  "I/O times squared and summed, us squared; in the records seen that of log copy 1, in the second item, the first is 0: the two may be one number"),
    F( 576, "qjstcp1n",        s4,            "Logs of copy 1 taken into use"),
    F( 580, "qjstcp2n",        s4,            "Logs of copy 2 taken into use"),
    F( 584, "qjsthwc",         s4,            "Logs taken into use on volumes able to do zHyperWrite"),
    F( 588, "qjsthwe",         s4,            "Logs taken into use with zHyperWrite"),
    F( 592, "qjstencr",        s4,            "Logs taken into use that are encrypted"),
    # +596: 4 reserved bytes
    F( 600, "qjsthlsciw",      u4,            "zHyperLink writes of one control interval: tried", "requests"),
    F( 604, "qjsthlmciw",      u4,            "zHyperLink writes of several control intervals: tried", "requests"),
    F( 608, "qjsthlcicntw",    u4,            "zHyperLink writes: control intervals tried"),
    F( 612, "qjsthlscis",      u4,            "zHyperLink writes of one control interval: succeeded"),
    F( 616, "qjsthlmcis",      u4,            "zHyperLink writes of several control intervals: succeeded"),
    F( 620, "qjsthlcicnts",    u4,            "zHyperLink writes: control intervals that succeeded"),
    F( 624, "qjsthlscif",      u4,            "zHyperLink writes of one control interval: done asynchronously instead"),
    F( 628, "qjsthlmcif",      u4,            "zHyperLink writes of several control intervals: done asynchronously instead"),
    F( 632, "qjsthlcicntf",    u4,            "zHyperLink writes: control intervals done asynchronously instead"),
    F( 636, "qjsthlscicon",    u4,            "Writes of one control interval before zHyperLink was connected"),
    F( 640, "qjsthlmcicon",    u4,            "Writes of several control intervals before zHyperLink was connected"),
    F( 644, "qjsthlconcicnt",  u4,            "Control intervals written before zHyperLink was connected"),
    F( 648, "qjsthlsciwtmax",  u8,            "zHyperLink writes of one control interval: longest; unit not in the source"),
    F( 656, "qjsthlsciwtmin",  u8,            "zHyperLink writes of one control interval: shortest; unit not in the source"),
    F( 664, "qjsthlsciwttot",  u8,            "zHyperLink writes of one control interval: time, sum; unit not in the source"),
    F( 672, "qjsthlmciwtmax",  u8,            "zHyperLink writes of several control intervals: longest; unit not in the source"),
    F( 680, "qjsthlmciwtmin",  u8,            "zHyperLink writes of several control intervals: shortest; unit not in the source"),
    F( 688, "qjsthlmciwttot",  u8,            "zHyperLink writes of several control intervals: time, sum; unit not in the source"),
    F( 696, "qjsthliosqu",     array(u8, 2),  "zHyperLink times squared and summed; unit and items not in the source, see qjstiosqu"),
    F( 712, "qjsthlc",         u4,            "Logs taken into use on volumes able to do zHyperLink"),
    F( 716, "qjsthle",         u4,            "Logs taken into use with zHyperLink"),
), levels=(("MQ 8.0", 576), ("MQ 9.1.2", 592), ("MQ 9.1.4", 596)), reserved=((104, 16), (168, 96), (596, 4)))

MQ_SYSTEM = Record(
    115, 1, "MQ storage and log", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(100, QSST),
        triplet(116, QJST),
    ),
    interval=interval_of(QWHS),
    evidence=(*block_evidence(QWHS, QSST, QJST), once(QSST), once(QJST)),
)

RECORDS = (MQ_SYSTEM,)
