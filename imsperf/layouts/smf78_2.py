"""SMF type 78 subtype 2: virtual storage, common and of monitored jobs, written by RMF once an interval.

Most numbers are sample blocks: smallest, largest and sum over the samples, below and above 16 MB. The column
`area` names the block as the manual does: r782sqau SQA in use, csau CSA in use, csak_0 to csak_8_f CSA in use
by key, csaf and sqaf free, cslf and sqlf largest free block, csal and sqal allocated area, sqex SQA overflow
into CSA, 227k_0 ... 241k_all subpools of CSA by key, 226 239 245 subpools of SQA (both below 16 MB only); of a
job: ls.. LSQA with SWA, 229 and 230, us.. user region, fp free pages, fb largest free block, al allocated area,
pa pages allocated; above 2 GB toby all, shby shared, coby high common; memory objects tomo all, shmo shared,
como high common, lgmo fixed 1 MB, tofr 1 MB frames fixed, fifr usable by fixed objects, pafr used by pageable
ones, lsmo shared 1 MB, gfmo fixed 2 GB, gffr 2 GB frames fixed.

IBM's SMF Data REST description (z/OS 3.1) gives the blocks and their sizes; their places are worked out from
the order of the columns in smf2db and close at the next offset that IBM gives (the last five of a job have
none to close at). Not declared: the sample block of a subpool, whose place is not public.
"""

from __future__ import annotations

from imsperf.kinds import centisec, date, flags1, flags2, hfp4, hfp8, s4, text, tod_high, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Index, Interval, Record, in_use, nested, never_zero, triplet

_SOURCE = f"{BOOK}: record type 78 subtype 2,"

# fmt: off

HEADER = rmf_header("smf78_2_header", "One row per type 78.2 record: virtual storage in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf78dcs", u4,  "Offset of the common storage section", "bytes", "1src"),
    F(  40, "smf78dcl", u2,  "Length of the common storage section", "bytes", "1src"),
    F(  42, "smf78dcn", u2,  "Common storage sections", "", "1src"),
    F(  44, "smf78ass", u4,  "Offset of the first private area section", "bytes", "1src"),
    F(  48, "smf78asl", u2,  "Length of each private area section", "bytes", "1src"),
    F(  50, "smf78asn", u2,  "Private area sections in this record", "", "1src"),
    F(  52, "smf78qds", u4,  "Offset of the first private area subpool section", "bytes", "1src"),
    F(  56, "smf78qdl", u2,  "Length of each private area subpool section", "bytes", "1src"),
    F(  58, "smf78qdn", u2,  "Private area subpool sections in this record", "", "1src"),
))

PRODUCT = product("smf78_2_product")

COMMON = Section("smf78_2_common", "Where common storage lies, one row per record", f"{_SOURCE} common storage section (R782COMN)", 1740, (
    #  +dec  name        kind      meaning
    F(   0, "r782pa",    u4,      "Private area: address"),
    F(   4, "r782ps",    u4,      "Private area: size", "bytes"),
    F(   8, "r782epa",   u4,      "Extended private area: address"),
    F(  12, "r782eps",   u4,      "Extended private area: size", "bytes"),
    F(  16, "r782ca",    u4,      "CSA: address"),
    F(  20, "r782cs",    u4,      "CSA: size", "bytes"),
    F(  24, "r782eca",   u4,      "ECSA: address"),
    F(  28, "r782ecs",   u4,      "ECSA: size", "bytes"),
    F(  32, "r782flg",   flags1,  "Flags; bits not verified"),
    # +33: 7 bytes not described
    F(  40, "r782mla",   u4,      "MLPA: address"),
    F(  44, "r782mls",   u4,      "MLPA: size", "bytes"),
    F(  48, "r782emla",  u4,      "Extended MLPA: address"),
    F(  52, "r782emls",  u4,      "Extended MLPA: size", "bytes"),
    F(  56, "r782fla",   u4,      "FLPA: address"),
    F(  60, "r782fls",   u4,      "FLPA: size", "bytes"),
    F(  64, "r782efla",  u4,      "Extended FLPA: address"),
    F(  68, "r782efls",  u4,      "Extended FLPA: size", "bytes"),
    F(  72, "r782pla",   u4,      "PLPA: address"),
    F(  76, "r782pls",   u4,      "PLPA: size", "bytes"),
    F(  80, "r782elpa",  u4,      "Extended PLPA: address"),
    F(  84, "r782elps",  u4,      "Extended PLPA: size", "bytes"),
    F(  88, "r782sa",    u4,      "SQA: address"),
    F(  92, "r782ss",    u4,      "SQA: size", "bytes"),
    F(  96, "r782esa",   u4,      "ESQA: address"),
    F( 100, "r782ess",   u4,      "ESQA: size", "bytes"),
    F( 104, "r782na",    u4,      "Nucleus: address", "", "1src"),
    F( 108, "r782ns",    u4,      "Nucleus: size", "bytes", "1src"),
    F( 112, "r782ena",   u4,      "Extended nucleus: address", "", "1src"),
    F( 116, "r782ens",   u4,      "Extended nucleus: size", "bytes", "1src"),
    F( 120, "r782nl",    u4,      "Nucleus: a length; meaning not verified", "", "1src"),
    F( 124, "r782enl",   u4,      "Extended nucleus: a length; meaning not verified", "", "1src"),
    F( 128, "r782lpai",  u4,      "Space between modules in the LPA", "bytes", "1src"),
    F( 132, "r782elpi",  u4,      "Space between modules in the extended LPA", "bytes", "1src"),
    F( 136, "r782mr",    u4,      "Largest user region below 16 MB", "bytes", "1src"),
    F( 140, "r782emr",   u4,      "Largest user region above 16 MB", "bytes", "1src"),
    # +144: 1580 bytes of sample blocks, at +144 those of smf78_2_common_area
    F(1724, "r782ruca",  u4,      "RUCSA: address", "", "1src"),
    F(1728, "r782rucs",  u4,      "RUCSA: size", "bytes", "1src"),
    F(1732, "r782eruca", u4,      "Extended RUCSA: address", "", "1src"),
    F(1736, "r782erucs", u4,      "Extended RUCSA: size", "bytes", "1src"),
), "2src")

_SAMPLES = (
    #  +dec  name    kind        meaning
    F(   0, "bmin",  s4,        "Below 16 MB: smallest sample; the unit is inferred", "bytes"),
    F(   4, "bntme", tod_high,  "Below 16 MB: time of the smallest sample"),
    F(   8, "bmax",  s4,        "Below 16 MB: largest sample; the unit is inferred", "bytes"),
    F(  12, "bxtme", tod_high,  "Below 16 MB: time of the largest sample"),
    F(  16, "btotl", hfp4,      "Below 16 MB: sum over the samples, divide by their number", "bytes"),
    F(  20, "amin",  s4,        "Above 16 MB: smallest sample; the unit is inferred", "bytes"),
    F(  24, "antme", tod_high,  "Above 16 MB: time of the smallest sample"),
    F(  28, "amax",  s4,        "Above 16 MB: largest sample; the unit is inferred", "bytes"),
    F(  32, "axtme", tod_high,  "Above 16 MB: time of the largest sample"),
    F(  36, "atotl", hfp4,      "Above 16 MB: sum over the samples, divide by their number", "bytes"),
)

COMMON_AREA = Section("smf78_2_common_area", "Samples of one area of common storage; section_no says which", f"{_SOURCE} common storage section, sample blocks (VSDAT)", 40, _SAMPLES, "1src")

PRIVATE = Section("smf78_2_private", "One monitored job", f"{_SOURCE} private area section (R782PVT)", 944, (
    #  +dec  name       kind        meaning
    F(   0, "r782jobn", text(8),   "Job"),
    F(   8, "r782rdtm", centisec,  "Time the reader met the job"),
    F(  12, "r782rddt", date,      "Date the reader met the job"),
    F(  16, "r782subi", u2,        "First subpool section of this job, from 1; the base is assumed"),
    F(  18, "r782subn", u2,        "Last subpool section of this job, not a count"),
    F(  20, "r782step", text(8),   "Step"),
    F(  28, "r782pgmn", text(8),   "Program"),
    F(  36, "r782flgs", flags2,    "Flags; bits not verified"),
    # +38: 2 bytes not described
    F(  40, "r782samp", u4,        "Samples taken of this job", "samples"),
    F(  44, "r782regr", u4,        "Region asked for", "bytes"),
    F(  48, "r782rgab", u4,        "Region limit below 16 MB", "bytes"),
    F(  52, "r782rgaa", u4,        "Region limit above 16 MB", "bytes"),
    F(  56, "r782gmlb", u4,        "Most that GETMAIN gives below 16 MB", "bytes"),
    F(  60, "r782gmla", u4,        "Most that GETMAIN gives above 16 MB", "bytes"),
    F(  64, "r782urab", u4,        "User region below 16 MB: address"),
    F(  68, "r782uraa", u4,        "User region above 16 MB: address"),
    # +72: 664 bytes of sample blocks: smf78_2_private_area, from +392 _private_high, from +536 _private_object
    F( 736, "r782meml", u8,        "Limit of storage above the bar (MEMLIMIT)", "MB", "1src"),
    # +744: 200 bytes: five more blocks like those of smf78_2_private_object
), "2src")

PRIVATE_AREA = Section("smf78_2_private_area", "Samples of one private area of a job; section_no modulo 8 says which", f"{_SOURCE} private area section, sample blocks (VSDAT)", 40, _SAMPLES, "1src")

PRIVATE_HIGH = Section("smf78_2_private_high", "Storage of a job above 2 GB; section_no modulo 3 says which", f"{_SOURCE} private area section, sample blocks (VSDGDAT)", 48, (
    #  +dec  name    kind        meaning
    F(   0, "gmin",  hfp8,      "Smallest sample", "bytes"),
    F(   8, "gntme", tod_high,  "Time of the smallest sample"),
    # +12: 4 bytes not described
    F(  16, "gmax",  hfp8,      "Largest sample", "bytes"),
    F(  24, "gxtme", tod_high,  "Time of the largest sample"),
    # +28: 4 bytes not described
    F(  32, "gtotl", hfp8,      "Sum over the samples, divide by r782samp", "bytes"),
    F(  40, "ghwm",  hfp8,      "High-water mark", "bytes"),
), "1src")

PRIVATE_OBJECT = Section("smf78_2_private_object", "Memory objects and frames of a job; section_no modulo 5 says which", f"{_SOURCE} private area section, sample blocks (VSDCDAT)", 40, (
    #  +dec  name    kind        meaning
    F(   0, "cmin",  hfp8,      "Smallest sample"),
    F(   8, "cntme", tod_high,  "Time of the smallest sample"),
    # +12: 4 bytes not described
    F(  16, "cmax",  hfp8,      "Largest sample"),
    F(  24, "cxtme", tod_high,  "Time of the largest sample"),
    # +28: 4 bytes not described
    F(  32, "ctotl", hfp8,      "Sum over the samples, divide by r782samp"),
), "1src")

SUBPOOL = Section("smf78_2_subpool", "One subpool of a job; the sample block after the number is not described", f"{_SOURCE} private area subpool section", 2, (
    #  +dec  name      kind  meaning
    F(   0, "r782spn", u2,  "Subpool"),
), "1src")

_BY_KEY = (*map(str, range(8)), "8_f")
_COMMON_AREAS = (
    "r782sqau", "r782csau", *(f"r782csak_{key}" for key in _BY_KEY), "r782csaf", "r782cslf", "r782csal",
    "r782sqaf", "r782sqlf", "r782sqal", "r782sqex",
)
_SUBPOOL_AREAS = (
    *(f"r782{subpool}k_{key}" for subpool in (227, 228, 231, 241) for key in (*_BY_KEY, "all")),
    "r782226", "r782239", "r782245",
)
_PRIVATE_AREAS = ("r782lsfp", "r782lsfb", "r782lsal", "r782lspa", "r782usfp", "r782usfb", "r782usal", "r782uspa")
_OBJECTS = ("r782tomo", "r782shmo", "r782como", "r782lgmo", "r782tofr")
_LATE_OBJECTS = ("r782fifr", "r782pafr", "r782lsmo", "r782gfmo", "r782gffr")

VIRTUAL_STORAGE = Record(
    78, 2, "Virtual storage activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, COMMON),
        nested(144, COMMON_AREA, COMMON, areas=_COMMON_AREAS),
        nested(864, COMMON_AREA, COMMON, areas=_SUBPOOL_AREAS, length=20),
        triplet(44, PRIVATE),
        nested(72, PRIVATE_AREA, PRIVATE, areas=_PRIVATE_AREAS),
        nested(392, PRIVATE_HIGH, PRIVATE, areas=("r782toby", "r782shby", "r782coby")),
        nested(536, PRIVATE_OBJECT, PRIVATE, areas=_OBJECTS),
        nested(744, PRIVATE_OBJECT, PRIVATE, areas=_LATE_OBJECTS),
        triplet(52, SUBPOOL),
    ),
    interval=Interval(PRODUCT, system="smf78snm", date="smf78dat", start="smf78ist", length="smf78int"),
    indexes=(Index(PRIVATE, SUBPOOL, first="r782subi", last="r782subn"),),
    evidence=(*rmf_evidence(PRODUCT), *in_use(PRIVATE), *never_zero(COMMON, "r782ps")),
)

RECORDS = (VIRTUAL_STORAGE,)
