"""SMF type 74 subtype 9: PCIE functions (RoCE, ISM, zEDC, synchronous I/O), written by RMF once an interval.

A function names the sections that belong to it by how many to skip and how many to take. What the first fields of a
function type section mean depends on the type of its function (r749pft); the columns bear the names of type 4.
Sums of squares of 16 bytes are kept as bytes.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone.
"""

from __future__ import annotations

from imsperf.kinds import flags1, flags2, opaque, text, tod, u1, u2, u4, u8, u16
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Index, Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 9,"

# fmt: off

HEADER = rmf_header("smf74_9_header", "One row per type 74.9 record: PCIE functions in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf749po", u4,  "Offset of the first function section", "bytes", "1src"),
    F(  40, "smf749pl", u2,  "Length of each function section", "bytes", "1src"),
    F(  42, "smf749pn", u2,  "Function sections in this record", "", "1src"),
    F(  44, "smf749do", u4,  "Offset of the first function type section", "bytes", "1src"),
    F(  48, "smf749dl", u2,  "Length of each function type section", "bytes", "1src"),
    F(  50, "smf749dn", u2,  "Function type sections in this record", "", "1src"),
    F(  52, "smf749fo", u4,  "Offset of the first accelerator section", "bytes", "1src"),
    F(  56, "smf749fl", u2,  "Length of each accelerator section", "bytes", "1src"),
    F(  58, "smf749fn", u2,  "Accelerator sections in this record", "", "1src"),
    F(  60, "smf7491o", u4,  "Offset of the first compression section", "bytes", "1src"),
    F(  64, "smf7491l", u2,  "Length of each compression section", "bytes", "1src"),
    F(  66, "smf7491n", u2,  "Compression sections in this record", "", "1src"),
    F(  68, "smf749so", u4,  "Offset of the first synchronous I/O link section", "bytes", "1src"),
    F(  72, "smf749sl", u2,  "Length of each synchronous I/O link section", "bytes", "1src"),
    F(  74, "smf749sn", u2,  "Synchronous I/O link sections in this record", "", "1src"),
    F(  76, "smf749ro", u4,  "Offset of the first response time distribution section", "bytes", "1src"),
    F(  80, "smf749rl", u2,  "Length of each response time distribution section", "bytes", "1src"),
    F(  82, "smf749rn", u2,  "Response time distribution sections in this record", "", "1src"),
))

PRODUCT = product("smf74_9_product")

FUNCTION = Section("smf74_9_function", "One PCIE function", f"{_SOURCE} PCIE function data section", 170, (
    #  +dec  name       kind         meaning
    F(   0, "r749pfid", u4,         "PCIE function id, read as hex digits"),
    F(   4, "r749pffl", flags2,     "In the interval: bit 0 allocated, 1 being deallocated, 2 in error"),
    F(   6, "r749pff1", flags2,     "At the end: bit 0 deallocated, 1 allocated again"),
    F(   8, "r749errt", u4,         "Time without valid data", "ms"),
    F(  12, "r749devt", u4,         "Device type, read as hex digits"),
    F(  16, "r749devn", text(24),   "Device name"),
    F(  40, "r749jobn", text(8),    "Job that allocated the function"),
    F(  48, "r749asid", u2,         "Address space that allocated the function"),
    F(  50, "r749pcid", u2,         "Physical or virtual channel id"),
    F(  52, "r749atst", tod,        "When it was last allocated"),
    F(  60, "r749allt", u4,         "Time allocated or being deallocated", "ms"),
    # +64: 4 bytes not described
    F(  68, "r749scnt", u4,         "Sequence number of the last update of the counters"),
    F(  72, "r749loop", u8,         "PCI load operations"),
    F(  80, "r749stop", u8,         "PCI store operations"),
    F(  88, "r749sbop", u8,         "PCI store block operations"),
    F(  96, "r749rfop", u8,         "PCI refresh translation operations"),
    F( 104, "r749dmao", u2,         "Function type sections to skip before the first of this function"),
    F( 106, "r749dman", u2,         "Function type sections of this function"),
    F( 108, "r749fpfo", u2,         "Accelerator sections to skip before the first of this function"),
    F( 110, "r749fpfn", u2,         "Accelerator sections of this function"),
    F( 112, "r749fp1o", u2,         "Compression sections to skip before the first of this function"),
    F( 114, "r749fp1n", u2,         "Compression sections of this function"),
    F( 116, "r749flag", flags1,     "Flags: bit 0 network ids valid, 1 r749pft valid, 2 rates of operations not valid, 3 global reporting on"),
    # +117: 1 byte not described
    F( 118, "r749port", u1,         "Physical port; 0 none or several"),
    F( 119, "r749pft",  u1,         "Function type: 0 DMA, 1 network, 2 work units, 3 bytes sent, 4 synchronous I/O"),
    F( 120, "r749net1", text(16),   "Network id of the first port"),
    F( 136, "r749net2", text(16),   "Network id of the second port"),
    F( 152, "r749wwnn", opaque(8),  "World-wide node name of the storage controller"),
    F( 160, "r749sioo", u2,         "Synchronous I/O link sections to skip before the first of this function"),
    F( 162, "r749sion", u2,         "Synchronous I/O link sections of this function"),
    F( 164, "r749rtdo", u2,         "Distribution sections to skip before the first of this function"),
    F( 166, "r749rtdn", u2,         "Distribution sections of this function"),
    F( 168, "r749lkid", u2,         "Link id at the control unit"),
), "1src")

FUNCTION_TYPE = Section("smf74_9_function_type", "Transfers of one PCIE function, by its type", f"{_SOURCE} PCIE function type data section", 104, (
    #  +dec  name       kind  meaning
    F(   0, "r749srbf", u8,  "Bytes read by the function (types 0 and 4) or received (1); work units processed (2)"),
    F(   8, "r749swbf", u8,  "Bytes written by the function (types 0 and 4) or sent (1 and 3); work units possible in a second (2)"),
    F(  16, "r749dfmt", u1,  "Format of this section"),
    # +17: 7 bytes not described
    F(  24, "r749ssrf", u8,  "Requests that succeeded (type 4); packets received (1)"),
    F(  32, "r749slrf", u8,  "Requests rejected here (type 4); packets sent (1)"),
    F(  40, "r749srrf", u8,  "Requests rejected at the other side (type 4)", "requests"),
    F(  48, "r749stpf", u8,  "Processing time (type 4)", "us"),
    F(  56, "r749srbc", u8,  "Whole machine: bytes read on the link (type 4)", "bytes"),
    F(  64, "r749swbc", u8,  "Whole machine: bytes written on the link (type 4)", "bytes"),
    F(  72, "r749ssrc", u8,  "Whole machine: requests that succeeded (type 4)", "requests"),
    F(  80, "r749slrc", u8,  "Whole machine: requests rejected here (type 4)", "requests"),
    F(  88, "r749srrc", u8,  "Whole machine: requests rejected at the other side (type 4)", "requests"),
    F(  96, "r749stpc", u8,  "Whole machine: processing time (type 4)", "us"),
), "1src")

ACCELERATOR = Section("smf74_9_accelerator", "One application of a hardware accelerator", f"{_SOURCE} hardware accelerator data section", 112, (
    #  +dec  name       kind          meaning
    F(   0, "r749ftyp", u4,          "Application type"),
    F(   4, "r749fdsc", text(32),    "What the application is"),
    F(  36, "r749frqc", u4,          "Requests completed", "requests"),
    F(  40, "r749frqe", u4,          "Requests that ended in error", "requests"),
    F(  44, "r749fqfl", u4,          "Times the queue was full"),
    F(  48, "r749ftet", u8,          "Execution time", "us"),
    F(  56, "r749fsqe", u16,         "Execution time, sum of squares in us squared"),
    F(  72, "r749ftqt", u8,          "Time queued", "us"),
    F(  80, "r749fsqq", u16,         "Time queued, sum of squares in us squared"),
    F(  96, "r749fdrd", u8,          "DMA reads", "256 bytes"),
    F( 104, "r749fdwr", u8,          "DMA writes", "256 bytes"),
), "1src")

COMPRESSION = Section("smf74_9_compression", "Compression by a hardware accelerator", f"{_SOURCE} hardware accelerator compression data section", 124, (
    #  +dec  name       kind          meaning
    F(   0, "r7491dib", u8,          "Compression: data in", "bytes"),
    F(   8, "r7491dis", u16,         "Compression: data in, sum of squares"),
    F(  24, "r7491dob", u8,          "Compression: data out", "bytes"),
    F(  32, "r7491dos", u16,         "Compression: data out, sum of squares"),
    F(  48, "r7491dct", u4,          "Compression: requests", "requests"),
    # +52: 4 bytes not described
    F(  56, "r7491iib", u8,          "Expansion: data in", "bytes"),
    F(  64, "r7491iis", u16,         "Expansion: data in, sum of squares"),
    F(  80, "r7491iob", u8,          "Expansion: data out", "bytes"),
    F(  88, "r7491ios", u16,         "Expansion: data out, sum of squares"),
    F( 104, "r7491ict", u4,          "Expansion: requests", "requests"),
    # +108: 4 bytes not described
    F( 112, "r7491bps", u4,          "Size of the buffer pool", "MB"),
    F( 116, "r7491bpc", u8,          "Buffers in use", "MB"),
), "1src")

SYNC_LINK = Section("smf74_9_sync_link", "The storage controller at a synchronous I/O link", f"{_SOURCE} synchronous I/O link data section", 26, (
    #  +dec  name       kind        meaning
    F(   0, "r749sndt", text(6),   "Storage controller: type"),
    F(   6, "r749sndm", text(3),   "Storage controller: model"),
    F(   9, "r749sndn", text(3),   "Storage controller: maker"),
    F(  12, "r749sndp", text(2),   "Storage controller: plant"),
    F(  14, "r749snds", text(12),  "Storage controller: serial number"),
), "1src")

DISTRIBUTION = Section("smf74_9_distribution", "One bucket of response times of synchronous I/O", f"{_SOURCE} synchronous I/O response time distribution section", 12, (
    #  +dec  name       kind      meaning
    F(   0, "r749rflg", flags1,  "Flags: bit 0 reads, 1 writes"),
    # +1: 3 bytes not described
    F(   4, "r749rtrv", u4,      "Upper bound of the bucket", "us"),
    F(   8, "r749rtsc", u4,      "Requests in the bucket", "requests"),
), "1src")

PCIE_FUNCTIONS = Record(
    74, 9, "PCIE activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, FUNCTION),
        triplet(44, FUNCTION_TYPE),
        triplet(52, ACCELERATOR),
        triplet(60, COMPRESSION),
        triplet(68, SYNC_LINK),
        triplet(76, DISTRIBUTION),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    indexes=(
        Index(FUNCTION, FUNCTION_TYPE, first="r749dmao", number="r749dman", base=0),
        Index(FUNCTION, ACCELERATOR, first="r749fpfo", number="r749fpfn", base=0),
        Index(FUNCTION, COMPRESSION, first="r749fp1o", number="r749fp1n", base=0),
        Index(FUNCTION, SYNC_LINK, first="r749sioo", number="r749sion", base=0),
        Index(FUNCTION, DISTRIBUTION, first="r749rtdo", number="r749rtdn", base=0),
    ),
    evidence=(*rmf_evidence(PRODUCT), *in_use(FUNCTION)),
)

RECORDS = (PCIE_FUNCTIONS,)
