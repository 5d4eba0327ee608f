"""SMF type 74 subtype 6: file systems of z/OS UNIX (HFS), written by RMF once an interval.

One row for all, one per buffer pool, one per file system. A page is 4096 bytes; mount and gathering times are UTC.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp8, text, tod, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 6,"

# fmt: off

HEADER = rmf_header("smf74_6_header", "One row per type 74.6 record: HFS file systems in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf746do", u4,  "Offset of the global data section", "bytes", "1src"),
    F(  40, "smf746dl", u2,  "Length of the global data section", "bytes", "1src"),
    F(  42, "smf746dn", u2,  "Global data sections", "", "1src"),
    F(  44, "smf746bo", u4,  "Offset of the first global buffer section", "bytes", "1src"),
    F(  48, "smf746bl", u2,  "Length of each global buffer section", "bytes", "1src"),
    F(  50, "smf746bn", u2,  "Global buffer sections in this record", "", "1src"),
    F(  52, "smf746fo", u4,  "Offset of the first file system section", "bytes", "1src"),
    F(  56, "smf746fl", u2,  "Length of each file system section", "bytes", "1src"),
    F(  58, "smf746fn", u2,  "File system sections in this record", "", "1src"),
))

PRODUCT = product("smf74_6_product")

GLOBAL = Section("smf74_6_global", "Storage and lookups of all file systems, one row per record", f"{_SOURCE} HFS global data section", 65, (
    #  +dec  name       kind      meaning
    F(   0, "r746gmxv", u4,      "Limit of virtual storage for buffers", "MB"),
    F(   4, "r746gusv", u4,      "Virtual storage in use", "pages"),
    F(   8, "r746gmnf", u4,      "Fixed storage kept at least", "MB"),
    F(  12, "r746gusf", u4,      "Fixed storage in use", "pages"),
    F(  16, "r746gmc",  hfp8,    "Lookups of metadata that the cache served"),
    F(  24, "r746gmnc", hfp8,    "Lookups of metadata that the cache missed"),
    F(  32, "r746g1c",  hfp8,    "Lookups of a first page that the cache served"),
    F(  40, "r746g1nc", hfp8,    "Lookups of a first page that the cache missed"),
    F(  48, "r746glrc", u4,      "Return code of the call for the buffer limits"),
    F(  52, "r746glrs", u4,      "Reason code of the call for the buffer limits"),
    F(  56, "r746gsrc", u4,      "Return code of the call for the global statistics"),
    F(  60, "r746gsrs", u4,      "Reason code of the call for the global statistics"),
    F(  64, "r746gsfl", flags1,  "Flags: bit 0 kernel not ready, 1 no limits, 2 no global data, 3 data incomplete"),
), "1src")

BUFFER = Section("smf74_6_buffer", "One buffer pool", f"{_SOURCE} HFS global buffer section", 32, (
    #  +dec  name       kind    meaning
    F(   0, "r746gsb",  u2,    "Size of a buffer", "pages"),
    F(   2, "r746gnds", u2,    "Data spaces of the pool"),
    F(   4, "r746gsbp", u4,    "Size of the pool", "pages"),
    F(   8, "r746gsbf", u4,    "Part of the pool that is always fixed", "pages"),
    # +12: 4 bytes not described
    F(  16, "r746gbf",  hfp8,  "I/Os that found their buffer fixed"),
    F(  24, "r746gbnf", hfp8,  "I/Os that had to fix their buffer"),
), "1src")

FILESYSTEM = Section("smf74_6_filesystem", "One file system", f"{_SOURCE} HFS file system section", 192, (
    #  +dec  name       kind        meaning
    F(   0, "r746fsnm", text(44),  "File system, name of its data set"),
    F(  44, "r746fsnl", u1,        "Letters in the name"),
    F(  45, "r746fsfl", flags1,    "Flags: bit 0 no statistics, 1 mounted again meanwhile, 2 mounted now"),
    # +46: 2 bytes not described
    F(  48, "r746fctm", tod,       "When the data were taken"),
    F(  56, "r746fmtm", tod,       "When it was mounted"),
    F(  64, "r746fsf",  u4,        "Size", "pages"),
    F(  68, "r746fpf",  u4,        "Used by the file system itself", "pages"),
    F(  72, "r746fpd",  u4,        "Used by the attribute directory", "pages"),
    F(  76, "r746fpc",  u4,        "Data in the cache", "pages"),
    F(  80, "r746fsfi", hfp8,      "Sequential I/O", "requests"),
    F(  88, "r746frfi", hfp8,      "Random I/O", "requests"),
    F(  96, "r746fmc",  hfp8,      "Lookups of metadata that the cache served"),
    F( 104, "r746fmnc", hfp8,      "Lookups of metadata that the cache missed"),
    F( 112, "r746f1c",  hfp8,      "Lookups of a first page that the cache served"),
    F( 120, "r746f1nc", hfp8,      "Lookups of a first page that the cache missed"),
    F( 128, "r746fint", hfp8,      "Index: new tops"),
    F( 136, "r746fis",  hfp8,      "Index: splits"),
    F( 144, "r746fij",  hfp8,      "Index: joins"),
    F( 152, "r746firh", hfp8,      "Index reads: hits"),
    F( 160, "r746firm", hfp8,      "Index reads: misses"),
    F( 168, "r746fiwh", hfp8,      "Index writes: hits"),
    F( 176, "r746fiwm", hfp8,      "Index writes: misses"),
    F( 184, "r746fsrc", u4,        "Return code of the call for the statistics"),
    F( 188, "r746fsrs", u4,        "Reason code of the call for the statistics"),
), "1src")

FILE_SYSTEMS = Record(
    74, 6, "HFS file system statistics", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, GLOBAL),
        triplet(44, BUFFER),
        triplet(52, FILESYSTEM),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    evidence=(*rmf_evidence(PRODUCT), *in_use(FILESYSTEM)),
)

RECORDS = (FILE_SYSTEMS,)
