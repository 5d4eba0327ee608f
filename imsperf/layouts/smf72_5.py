"""SMF type 72 subtype 5: delays by locks, latches and enqueues, written by RMF once an interval.

The control section has the totals of the system; every other section is one address space and one kind of delay.
Four triplets hold sections of the CMS locks, two of latches, three of enqueues: one layout and one table each, with
a field that tells them apart.
"""

from __future__ import annotations

from imsperf.kinds import opaque, text, u1, u2, u4, u8, u16
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, triplet

_SOURCE = f"{BOOK}: record type 72 subtype 5,"

# fmt: off

HEADER = rmf_header("smf72_5_header", "One row per type 72.5 record: delays by serialization in an interval", (
    #  +dec  name        kind meaning
    F(  36, "smf72ses",  u4,  "Offset of the serialization control section", "bytes", "1src"),
    F(  40, "smf72sel",  u2,  "Length of the serialization control section", "bytes", "1src"),
    F(  42, "smf72sen",  u2,  "Serialization control sections", "", "1src"),
    F(  44, "smf72cms",  u4,  "Offset of the first CMS lock section", "bytes", "1src"),
    F(  48, "smf72cml",  u2,  "Length of a CMS lock section", "bytes", "1src"),
    F(  50, "smf72cmn",  u2,  "CMS lock sections", "", "1src"),
    F(  52, "smf72eds",  u4,  "Offset of the first CMS enqueue and dequeue lock section", "bytes", "1src"),
    F(  56, "smf72edl",  u2,  "Length of a CMS enqueue and dequeue lock section", "bytes", "1src"),
    F(  58, "smf72edn",  u2,  "CMS enqueue and dequeue lock sections", "", "1src"),
    F(  60, "smf72las",  u4,  "Offset of the first CMS latch lock section", "bytes", "1src"),
    F(  64, "smf72lal",  u2,  "Length of a CMS latch lock section", "bytes", "1src"),
    F(  66, "smf72lan",  u2,  "CMS latch lock sections", "", "1src"),
    F(  68, "smf72sms",  u4,  "Offset of the first CMS SMF lock section", "bytes", "1src"),
    F(  72, "smf72sml",  u2,  "Length of a CMS SMF lock section", "bytes", "1src"),
    F(  74, "smf72smn",  u2,  "CMS SMF lock sections", "", "1src"),
    F(  76, "smf72los",  u4,  "Offset of the first local lock section", "bytes", "1src"),
    F(  80, "smf72lol",  u2,  "Length of a local lock section", "bytes", "1src"),
    F(  82, "smf72lon",  u2,  "Local lock sections", "", "1src"),
    F(  84, "smf72cos",  u4,  "Offset of the first CML lock owner section", "bytes", "1src"),
    F(  88, "smf72col",  u2,  "Length of a CML lock owner section", "bytes", "1src"),
    F(  90, "smf72con",  u2,  "CML lock owner sections", "", "1src"),
    F(  92, "smf72crs",  u4,  "Offset of the first CML lock requestor section", "bytes", "1src"),
    F(  96, "smf72crl",  u2,  "Length of a CML lock requestor section", "bytes", "1src"),
    F(  98, "smf72crn",  u2,  "CML lock requestor sections", "", "1src"),
    F( 100, "smf72lcs",  u4,  "Offset of the first latch set creator section", "bytes", "1src"),
    F( 104, "smf72lcl",  u2,  "Length of a latch set creator section", "bytes", "1src"),
    F( 106, "smf72lcn",  u2,  "Latch set creator sections", "", "1src"),
    F( 108, "smf72lrs",  u4,  "Offset of the first latch requestor section", "bytes", "1src"),
    F( 112, "smf72lrl",  u2,  "Length of a latch requestor section", "bytes", "1src"),
    F( 114, "smf72lrn",  u2,  "Latch requestor sections", "", "1src"),
    F( 116, "smf72tds",  u4,  "Offset of the first scope STEP enqueue section", "bytes", "1src"),
    F( 120, "smf72tdl",  u2,  "Length of a scope STEP enqueue section", "bytes", "1src"),
    F( 122, "smf72tdn",  u2,  "Scope STEP enqueue sections", "", "1src"),
    F( 124, "smf72yds",  u4,  "Offset of the first scope SYSTEM enqueue section", "bytes", "1src"),
    F( 128, "smf72ydl",  u2,  "Length of a scope SYSTEM enqueue section", "bytes", "1src"),
    F( 130, "smf72ydn",  u2,  "Scope SYSTEM enqueue sections", "", "1src"),
    F( 132, "smf72sds",  u4,  "Offset of the first scope SYSTEMS enqueue section", "bytes", "1src"),
    F( 136, "smf72sdl",  u2,  "Length of a scope SYSTEMS enqueue section", "bytes", "1src"),
    F( 138, "smf72sdn",  u2,  "Scope SYSTEMS enqueue sections", "", "1src"),
    F( 140, "smf72qss",  u4,  "Offset of the first GRS query section", "bytes", "1src"),
    F( 144, "smf72qsl",  u2,  "Length of a GRS query section", "bytes", "1src"),
    F( 146, "smf72qsn",  u2,  "GRS query sections", "", "1src"),
))

PRODUCT = product("smf72_5_product")

CONTROL = Section("smf72_5_control", "Delays by locks, latches and enqueues in the whole system, one row per record", f"{_SOURCE} serialization control section (R725SCTL)", 384, (
    #  +dec  name        kind        meaning
    F(   0, "r725sgmo",  u1,         "Mode of GRS: 0 none, 1 ring, 2 star"),
    # +1: 15 bytes not described
    F(  16, "r725scms",  u8,         "Times work was suspended for the CMS lock"),
    F(  24, "r725scma",  u8,         "Times work was suspended for the CMS lock while other work waited already"),
    F(  32, "r725scmt",  u8,         "Time work was suspended for the CMS lock", "ms"),
    # +40: 8 bytes not described
    F(  48, "r725seds",  u8,         "Times work was suspended for the CMS enqueue and dequeue lock"),
    F(  56, "r725seda",  u8,         "Times work was suspended for the CMS enqueue and dequeue lock while other work waited already"),
    F(  64, "r725sedt",  u8,         "Time work was suspended for the CMS enqueue and dequeue lock", "ms"),
    # +72: 8 bytes not described
    F(  80, "r725slas",  u8,         "Times work was suspended for the CMS latch lock"),
    F(  88, "r725slaa",  u8,         "Times work was suspended for the CMS latch lock while other work waited already"),
    F(  96, "r725slat",  u8,         "Time work was suspended for the CMS latch lock", "ms"),
    # +104: 8 bytes not described
    F( 112, "r725ssms",  u8,         "Times work was suspended for the CMS SMF lock"),
    F( 120, "r725ssma",  u8,         "Times work was suspended for the CMS SMF lock while other work waited already"),
    F( 128, "r725ssmt",  u8,         "Time work was suspended for the CMS SMF lock", "ms"),
    # +136: 8 bytes not described
    F( 144, "r725slos",  u8,         "Times work was suspended for a local lock"),
    F( 152, "r725sloa",  u8,         "Times work was suspended for a local lock while other work waited already"),
    F( 160, "r725slot",  u8,         "Time work was suspended for a local lock", "ms"),
    # +168: 8 bytes not described
    F( 176, "r725scls",  u8,         "Times work was suspended for a local lock of another address space"),
    F( 184, "r725scla",  u8,         "Times work was suspended for a local lock of another address space while other work waited already"),
    F( 192, "r725sclt",  u8,         "Time work was suspended for a local lock of another address space", "ms"),
    # +200: 8 bytes not described
    F( 208, "r725slrs",  u8,         "Latch obtains that were suspended"),
    F( 216, "r725slrt",  u8,         "Time latch obtains were suspended", "ms"),
    F( 224, "r725slrq",  u16,        "Sum of the squares of those times, in squares of 1 ms"),
    F( 240, "r725sstr",  u8,         "ENQ requests of scope STEP", "requests"),
    F( 248, "r725ssts",  u8,         "ENQ requests of scope STEP that were suspended", "requests"),
    F( 256, "r725sstt",  u8,         "Time ENQ requests of scope STEP were suspended", "ms"),
    # +264: 8 bytes not described
    F( 272, "r725sstq",  u16,        "Sum of the squares of those times, in squares of 1 ms"),
    F( 288, "r725ssyr",  u8,         "ENQ requests of scope SYSTEM", "requests"),
    F( 296, "r725ssys",  u8,         "ENQ requests of scope SYSTEM that were suspended", "requests"),
    F( 304, "r725ssyt",  u8,         "Time ENQ requests of scope SYSTEM were suspended", "ms"),
    # +312: 8 bytes not described
    F( 320, "r725ssyq",  u16,        "Sum of the squares of those times, in squares of 1 ms"),
    F( 336, "r725sssr",  u8,         "ENQ requests of scope SYSTEMS", "requests"),
    F( 344, "r725ssss",  u8,         "ENQ requests of scope SYSTEMS that were suspended", "requests"),
    F( 352, "r725ssst",  u8,         "Time ENQ requests of scope SYSTEMS were suspended", "ms"),
    # +360: 8 bytes not described
    F( 368, "r725sssq",  u16,        "Sum of the squares of those times, in squares of 1 ms"),
), "1src")


def _who(p: str) -> tuple[F, ...]:
    """What every section of an address space starts with; `p` is what the field names start with."""
    return (
        #  +dec  name        kind        meaning
        F(   0, f"{p}jn",    text(8),    "Job"),
        # +8: 3 bytes not used
        F(  11, f"{p}sp",    u1,         "Service class period"),
        F(  12, f"{p}as",    u2,         "Address space id"),
        # +14: 2 bytes not used
        F(  16, f"{p}st",    opaque(8),  "Address space token"),
        F(  24, f"{p}sn",    text(8),    "Service class"),
    )


CMS = Section("smf72_5_cms", "One address space that waited for a CMS lock; r725cmty says which", f"{_SOURCE} CMS lock data section (R725CMSD)", 64, (
    *_who("r725cm"),
    F(  32, "r725cmty",  u1,         "Lock: 1 CMS, 2 enqueue and dequeue, 3 latch, 4 SMF"),
    # +33: 7 bytes not used
    F(  40, "r725cmsu",  u8,         "Times work of it was suspended for the lock"),
    F(  48, "r725cmal",  u8,         "Times work of it was suspended while other work waited already"),
    F(  56, "r725cmti",  u8,         "Time work of it was suspended for the lock", "ms"),
), "1src")


LATCH = Section("smf72_5_latch", "One address space that created latch sets or asked for latches; r725laty says which", f"{_SOURCE} GRS latch data section (R725LATD)", 72, (
    *_who("r725la"),
    F(  32, "r725laty",  u1,         "Kind: 1 latch set creator, 2 latch requestor"),
    # +33: 7 bytes not used
    F(  40, "r725lasu",  u8,         "Latch obtains that were suspended"),
    F(  48, "r725lati",  u8,         "Time latch obtains were suspended", "ms"),
    F(  56, "r725lasq",  u16,        "Sum of the squares of those times, in squares of 1 ms"),
), "1src")


ENQUEUE = Section("smf72_5_enqueue", "One address space with ENQ requests of the scope r725ensc", f"{_SOURCE} GRS ENQ data section (R725ENTD)", 80, (
    *_who("r725en"),
    F(  32, "r725ensc",  u1,         "Scope: 1 STEP, 2 SYSTEM, 3 SYSTEMS"),
    # +33: 7 bytes not used
    F(  40, "r725enrc",  u8,         "ENQ requests", "requests"),
    F(  48, "r725ensu",  u8,         "ENQ requests that were suspended", "requests"),
    F(  56, "r725enti",  u8,         "Time ENQ requests were suspended", "ms"),
    F(  64, "r725ensq",  u16,        "Sum of the squares of those times, in squares of 1 ms"),
), "1src")


LOCAL = Section("smf72_5_local", "One address space whose work waited for its local lock, or whose local lock others waited for", f"{_SOURCE} local lock data section (R725LOTD)", 88, (
    *_who("r725lo"),
    # +32: 8 bytes not used
    F(  40, "r725losu",  u8,         "Times work of it was suspended for a local lock"),
    F(  48, "r725loal",  u8,         "Times work of it was suspended while other work waited already"),
    F(  56, "r725loti",  u8,         "Time work of it was suspended for a local lock", "ms"),
    F(  64, "r725lcsu",  u8,         "Times work of others was suspended for its local lock"),
    F(  72, "r725lcal",  u8,         "Times work of others was suspended while other work waited already"),
    F(  80, "r725lcti",  u8,         "Time work of others was suspended for its local lock", "ms"),
), "1src")

CML_OWNER = Section("smf72_5_cml_owner", "One address space whose local lock other address spaces waited for", f"{_SOURCE} CML lock owner data section (R725CLOD)", 88, (
    *_who("r725co"),
    # +32: 8 bytes not used
    F(  40, "r725cosu",  u8,         "Times work of others was suspended for its local lock"),
    F(  48, "r725coal",  u8,         "Times work of others was suspended while other work waited already"),
    F(  56, "r725coti",  u8,         "Time work of others was suspended for its local lock", "ms"),
    F(  64, "r725clsu",  u8,         "Times work of it was suspended for a local lock"),
    F(  72, "r725clal",  u8,         "Times work of it was suspended while other work waited already"),
    F(  80, "r725clti",  u8,         "Time work of it was suspended for a local lock", "ms"),
), "1src")

CML_REQUESTOR = Section("smf72_5_cml_requestor", "One address space whose work waited for the local lock of another", f"{_SOURCE} CML lock requestor data section (R725CLRD)", 64, (
    *_who("r725cr"),
    # +32: 8 bytes not used
    F(  40, "r725crsu",  u8,         "Times work of it was suspended for the local lock of another address space"),
    F(  48, "r725cral",  u8,         "Times work of it was suspended while other work waited already"),
    F(  56, "r725crti",  u8,         "Time work of it was suspended for the local lock of another address space", "ms"),
), "1src")


QUERY = Section("smf72_5_qscan", "One address space that asked GRS who holds and awaits resources", f"{_SOURCE} GRS query data section (R725QSAD)", 104, (
    *_who("r725qs"),
    # +32: 8 bytes not used
    F(  40, "r725qsrc",  u8,         "Queries; the request to quit does not count", "requests"),
    F(  48, "r725qssc",  u8,         "Queries for one resource", "requests"),
    F(  56, "r725qsrr",  u8,         "Resources the answers held"),
    F(  64, "r725qsrq",  u16,        "Sum of the squares of the resources an answer held"),
    F(  80, "r725qsti",  u8,         "Time of the queries in GRS", "us"),
    F(  88, "r725qstq",  u16,        "Sum of the squares of those times, in squares of 1 us"),
), "1src")

SERIALIZATION_DELAY = Record(
    72, 5, "Serialization delay", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(44, CMS),
        triplet(52, CMS),
        triplet(60, CMS),
        triplet(68, CMS),
        triplet(76, LOCAL),
        triplet(84, CML_OWNER),
        triplet(92, CML_REQUESTOR),
        triplet(100, LATCH),
        triplet(108, LATCH),
        triplet(116, ENQUEUE),
        triplet(124, ENQUEUE),
        triplet(132, ENQUEUE),
        triplet(140, QUERY),
    ),
    interval=Interval(PRODUCT, system="smf72snm", date="smf72dat", start="smf72ist", length="smf72int"),
    evidence=rmf_evidence(PRODUCT),
)

RECORDS = (SERIALIZATION_DELAY,)
