"""SMF type 74 subtype 8: links, extent pools, ranks and arrays of a storage controller (ESS), written by RMF.

Data count 128 KB and times on a link milliseconds, response times of a rank 16 ms; bits 0 and 1 of a link's flags
say that a unit is not known. An array names its rank (r748arid) and a rank its pool (r748rpnm) by id.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1); those of the control, rank and array
sections agree with the manual of z/OS 2.1.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp4, hfp8, text, u1, u2, u3, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Index, Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 8,"

# fmt: off

HEADER = rmf_header("smf74_8_header", "One row per type 74.8 record: links, pools and ranks of one storage controller in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf748co", u4,  "Offset of the control section", "bytes", "1src"),
    F(  40, "smf748cl", u2,  "Length of the control section", "bytes", "1src"),
    F(  42, "smf748cn", u2,  "Control sections", "", "1src"),
    F(  44, "smf748lo", u4,  "Offset of the first link statistics section", "bytes", "1src"),
    F(  48, "smf748ll", u2,  "Length of each link statistics section", "bytes", "1src"),
    F(  50, "smf748ln", u2,  "Link statistics sections in this record", "", "1src"),
    F(  52, "smf748xo", u4,  "Offset of the first extent pool section", "bytes", "1src"),
    F(  56, "smf748xl", u2,  "Length of each extent pool section", "bytes", "1src"),
    F(  58, "smf748xn", u2,  "Extent pool sections in this record", "", "1src"),
    F(  60, "smf748ro", u4,  "Offset of the first rank statistics section", "bytes", "1src"),
    F(  64, "smf748rl", u2,  "Length of each rank statistics section", "bytes", "1src"),
    F(  66, "smf748rn", u2,  "Rank statistics sections in this record", "", "1src"),
    F(  68, "smf748ao", u4,  "Offset of the first rank array section", "bytes", "1src"),
    F(  72, "smf748al", u2,  "Length of each rank array section", "bytes", "1src"),
    F(  74, "smf748an", u2,  "Rank array sections in this record", "", "1src"),
    F(  76, "smf748so", u4,  "Offset of the first synchronous I/O link section", "bytes", "1src"),
    F(  80, "smf748sl", u2,  "Length of each synchronous I/O link section", "bytes", "1src"),
    F(  82, "smf748sn", u2,  "Synchronous I/O link sections in this record", "", "1src"),
))

PRODUCT = product("smf74_8_product")

CONTROL = Section("smf74_8_control", "The controller and how reading it went, one row per record", f"{_SOURCE} ESS control section (R748CNTL)", 57, (
    #  +dec  name       kind        meaning
    F(   0, "r748clvl", u1,        "Level of the gatherer"),
    F(   1, "r748ctyp", text(6),   "Control unit type"),
    F(   7, "r748cmdl", text(3),   "Control unit model"),
    F(  10, "r748cser", text(10),  "Serial number of the primary control unit"),
    F(  20, "r748cvsn", u1,        "Version of the link statistics: 0 first, 1 extended, 2 second format"),
    F(  21, "r748cae",  u3,        "Abend code: 12 bits system, 12 bits user"),
    F(  24, "r748crtn", u2,        "Return code of the read"),
    F(  26, "r748csc",  u1,        "Status: 0 all well, 4 code of IOS, 8 return code, 98 abend"),
    F(  27, "r748cioc", u1,        "Return code of IOS; not 0 means no link statistics"),
    F(  28, "r748cfdv", u2,        "Device that failed, read as hex digits"),
    F(  30, "r748cvol", text(6),   "Volume the statistics were read from"),
    F(  36, "r748cdev", u2,        "Device the statistics were read from, read as hex digits"),
    F(  38, "r748cflg", flags1,    "Flags: bit 0 extent pool statistics valid"),
    F(  39, "r748cscs", u1,        "Subchannel set of the device the statistics were read from", "", "1src"),
    F(  40, "r748cint", u4,        "Time since the statistics were last collected", "s"),
    F(  44, "r748cftm", u4,        "Reserved for the time of the first record"),
    F(  48, "r748cfdt", u4,        "Reserved for the date of the first record"),
    F(  52, "r748cfci", u4,        "Reserved for the interval of the first record"),
    F(  56, "r748cfsc", u1,        "Subchannel set of the device that failed", "", "1src"),
), "2src")

LINK = Section("smf74_8_link", "One port of the controller", f"{_SOURCE} ESS link statistics section (R748LSS)", 212, (
    #  +dec  name       kind      meaning
    F(   0, "r748laid", u2,      "Adapter port, read as hex digits"),
    F(   2, "r748ltyp", u1,      "Link type: 1 ESCON, 2 to 6 Fibre Channel of 1, 2, 4, 8, 16 Gb/s, 10 Ethernet of 10 Gb/s"),
    F(   3, "r748lflg", flags1,  "Flags: bit 0 unit of the data unknown, 1 unit of the times unknown"),
    # +4: 4 bytes not described
    F(   8, "r748lerb", hfp8,    "ECKD reads: data in units of 128 KB"),
    F(  16, "r748lewb", hfp8,    "ECKD writes: data in units of 128 KB"),
    F(  24, "r748lero", hfp8,    "ECKD reads: operations"),
    F(  32, "r748lewo", hfp8,    "ECKD writes: operations"),
    F(  40, "r748lert", hfp8,    "ECKD reads: time on the channel", "ms"),
    F(  48, "r748lewt", hfp8,    "ECKD writes: time on the channel", "ms"),
    F(  56, "r748lpsb", hfp8,    "PPRC sent: data in units of 128 KB"),
    F(  64, "r748lprb", hfp8,    "PPRC received: data in units of 128 KB"),
    F(  72, "r748lpso", hfp8,    "PPRC sent: operations"),
    F(  80, "r748lpro", hfp8,    "PPRC received: operations"),
    F(  88, "r748lpst", hfp8,    "PPRC sent: time", "ms"),
    F(  96, "r748lprt", hfp8,    "PPRC received: time", "ms"),
    F( 104, "r748lsrb", hfp8,    "SCSI reads: data in units of 128 KB"),
    F( 112, "r748lswb", hfp8,    "SCSI writes: data in units of 128 KB"),
    F( 120, "r748lsro", hfp8,    "SCSI reads: operations"),
    F( 128, "r748lswo", hfp8,    "SCSI writes: operations"),
    F( 136, "r748lsrt", hfp8,    "SCSI reads: time on the channel", "ms"),
    F( 144, "r748lswt", hfp8,    "SCSI writes: time on the channel", "ms"),
    F( 152, "r748lflf", hfp4,    "Fibre Channel: link failures"),
    F( 156, "r748lfly", hfp4,    "Fibre Channel: losses of synchronisation"),
    F( 160, "r748lfls", hfp4,    "Fibre Channel: losses of signal"),
    F( 164, "r748lfpq", hfp4,    "Fibre Channel: primitive sequence errors"),
    F( 168, "r748lfit", hfp4,    "Fibre Channel: transmission words not valid"),
    F( 172, "r748lfcr", hfp4,    "Fibre Channel: CRC errors"),
    F( 176, "r748lfr1", hfp4,    "Fibre Channel: link recoveries sent"),
    F( 180, "r748lfr2", hfp4,    "Fibre Channel: link recoveries received"),
    F( 184, "r748lfif", hfp4,    "Fibre Channel: illegal frames"),
    F( 188, "r748lfod", hfp4,    "Fibre Channel: data out of order"),
    F( 192, "r748lfoa", hfp4,    "Fibre Channel: acknowledgements out of order"),
    F( 196, "r748lfdf", hfp4,    "Fibre Channel: duplicate frames"),
    F( 200, "r748lfio", hfp4,    "Fibre Channel: relative offsets not valid"),
    F( 204, "r748lftc", hfp4,    "Fibre Channel: sequences that timed out"),
    F( 208, "r748lfbc", u4,      "Fibre Channel: bit error rate"),
), "1src")

POOL = Section("smf74_8_pool", "One extent pool; from r748xrsc on valid only with bit 0 of r748cflg", f"{_SOURCE} ESS extent pool section", 40, (
    #  +dec  name       kind      meaning
    F(   0, "r748xpid", u2,      "Extent pool"),
    F(   2, "r748xplt", u1,      "Pool type: 4 fixed block of 1 GB, 132 CKD of 1 GB"),
    F(   3, "r748xptq", flags1,  "Flags: bit 0 encrypted"),
    F(   4, "r748xrcp", u4,      "Real capacity in GB"),
    F(   8, "r748xrns", u4,      "Real extents of the pool"),
    F(  12, "r748xrna", u4,      "Real extents in use"),
    F(  16, "r748xrsc", u4,      "Real extents converted"),
    F(  20, "r748xvcp", u4,      "Virtual capacity in GB"),
    F(  24, "r748xvns", u4,      "Virtual extents of the pool"),
    F(  28, "r748xvsc", u4,      "Virtual extents converted"),
    F(  32, "r748xsdy", u4,      "Extents that dynamic relocation took away"),
    F(  36, "r748xtdy", u4,      "Extents that dynamic relocation brought"),
), "1src")

RANK = Section("smf74_8_rank", "One rank", f"{_SOURCE} ESS rank statistics section", 60, (
    #  +dec  name       kind      meaning
    F(   0, "r748rrid", u2,      "Rank"),
    F(   2, "r748rpnm", u2,      "Extent pool it is in; r748xpid of the pool"),
    F(   4, "r748rcnt", u2,      "Arrays of the rank"),
    F(   6, "r748raix", u2,      "First array section of the rank; taken to count from 1, which is not stated"),
    F(   8, "r748rbyr", hfp8,    "Reads: data in units of 128 KB"),
    F(  16, "r748rbyw", hfp8,    "Writes: data in units of 128 KB"),
    F(  24, "r748rrop", hfp8,    "Reads: operations"),
    F(  32, "r748rwop", hfp8,    "Writes: operations"),
    F(  40, "r748rkrt", hfp8,    "Reads: response time in units of 16 ms"),
    F(  48, "r748rkwt", hfp8,    "Writes: response time in units of 16 ms"),
    F(  56, "r748rtq",  flags1,  "Flags: bit 0 encrypted, 7 r748rai valid"),
    # +57: 1 byte not described
    F(  58, "r748rai",  u2,      "Adapter pair of the rank", "", "1src"),
), "2src")

ARRAY = Section("smf74_8_array", "One array of a rank", f"{_SOURCE} ESS rank array section", 29, (
    #  +dec  name       kind        meaning
    F(   0, "r748aaid", u2,        "Array"),
    F(   2, "r748arid", u2,        "Rank it belongs to; r748rrid of the rank"),
    F(   4, "r748aebc", text(16),  "Array type as text: RAID-10"),
    F(  20, "r748atyp", u1,        "Array type as a number: 1 RAID-5, 2 RAID-10, 3 RAID-6"),
    F(  21, "r748aasp", u1,        "Disk speed in 1000 rpm"),
    F(  22, "r748aawd", u2,        "Width of the array"),
    F(  24, "r748aacp", u4,        "Capacity in GB"),
    F(  28, "r748aast", flags1,    "Bits 0-1 device class (enterprise, near-line, SATA, solid state), 2 degraded, 3 throttled, 4 speed exception"),
), "2src")

SYNC_LINK = Section("smf74_8_sync_link", "One link for synchronous I/O (zHyperLink)", f"{_SOURCE} ESS synchronous I/O link section", 104, (
    #  +dec  name       kind      meaning
    F(   0, "r748siid", u2,      "Interface of the link, read as hex digits"),
    F(   2, "r748styp", u1,      "Link type: 1 PCIe on fibre"),
    F(   3, "r748sspd", u1,      "PCIe generation, 1 to 4"),
    F(   4, "r748swdh", u1,      "Lanes"),
    F(   5, "r748sste", u1,      "Link state: 1 not trained, 2 handshake not complete, 3 at work, 4 in service"),
    F(   6, "r748sflg", flags1,  "Flags: bit 0 unit of the data unknown, 1 unit of the times unknown"),
    # +7: 1 byte not described
    F(   8, "r748scbr", hfp8,    "Cache reads: data in units of 128 KB"),
    F(  16, "r748scro", hfp8,    "Cache reads: operations"),
    F(  24, "r748scrs", hfp8,    "Cache reads: operations that succeeded"),
    F(  32, "r748scrt", hfp8,    "Cache reads: time", "ms"),
    F(  40, "r748scbw", hfp8,    "Cache writes: data in units of 128 KB"),
    F(  48, "r748scwo", hfp8,    "Cache writes: operations"),
    F(  56, "r748scws", hfp8,    "Cache writes: operations that succeeded"),
    F(  64, "r748scwt", hfp8,    "Cache writes: time", "ms"),
    F(  72, "r748snbw", hfp8,    "Non-volatile storage writes: data in units of 128 KB"),
    F(  80, "r748snwo", hfp8,    "Non-volatile storage writes: operations"),
    F(  88, "r748snws", hfp8,    "Non-volatile storage writes: operations that succeeded"),
    F(  96, "r748snwt", hfp8,    "Non-volatile storage writes: time", "ms"),
), "1src")

STORAGE_CONTROLLER = Record(
    74, 8, "Storage controller links, pools and ranks", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(44, LINK),
        triplet(52, POOL),
        triplet(60, RANK),
        triplet(68, ARRAY),
        triplet(76, SYNC_LINK),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    indexes=(Index(RANK, ARRAY, first="r748raix", number="r748rcnt"),),
    evidence=(*rmf_evidence(PRODUCT), *in_use(LINK, POOL, RANK, ARRAY)),
)

RECORDS = (STORAGE_CONTROLLER,)
