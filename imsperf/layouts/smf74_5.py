"""SMF type 74 subtype 5: cache activity of storage subsystems, one record per subsystem (SSID), written by RMF.

Hits and requests come in pairs: normal, sequential and non-retentive, reads and writes. Return codes in the
control section that are not 0 mean that there are no device data. Extension and rank sections belong to a device
by its number and subchannel set. Data and times of a rank section count 128 KB and 16 ms where bits 5-6 of
r7451inc are 00; sizes of a status section are bytes or KB as r745sft says.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone: no second source confirms them.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp4, text, u1, u2, u3, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 5,"

# fmt: off

HEADER = rmf_header("smf74_5_header", "One row per type 74.5 record: cache activity of one storage subsystem in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf745co", u4,  "Offset of the cache control section", "bytes", "1src"),
    F(  40, "smf745cl", u2,  "Length of the cache control section", "bytes", "1src"),
    F(  42, "smf745cn", u2,  "Cache control sections", "", "1src"),
    F(  44, "smf745do", u4,  "Offset of the first cache device section", "bytes", "1src"),
    F(  48, "smf745dl", u2,  "Length of each cache device section", "bytes", "1src"),
    F(  50, "smf745dn", u2,  "Cache device sections in this record", "", "1src"),
    F(  52, "smf745xo", u4,  "Offset of the first device extension section", "bytes", "1src"),
    F(  56, "smf745xl", u2,  "Length of each device extension section", "bytes", "1src"),
    F(  58, "smf745xn", u2,  "Device extension sections in this record", "", "1src"),
    F(  60, "smf745so", u4,  "Offset of the first cache status section", "bytes", "1src"),
    F(  64, "smf745sl", u2,  "Length of each cache status section", "bytes", "1src"),
    F(  66, "smf745sn", u2,  "Cache status sections in this record", "", "1src"),
    F(  68, "smf7451o", u4,  "Offset of the first RAID rank or extent pool section", "bytes", "1src"),
    F(  72, "smf7451l", u2,  "Length of each RAID rank or extent pool section", "bytes", "1src"),
    F(  74, "smf7451n", u2,  "RAID rank or extent pool sections in this record", "", "1src"),
))

PRODUCT = product("smf74_5_product")

CONTROL = Section("smf74_5_control", "The subsystem and how reading it went, one row per record", f"{_SOURCE} cache control section (R745CNTL)", 48, (
    #  +dec  name          kind        meaning
    F(   0, "r745clvl",    u1,        "Level of the gatherer"),
    F(   1, "r745cmdl",    u1,        "Model of the caching subsystem"),
    F(   2, "r745ccnt",    u1,        "A count; meaning not verified"),
    F(   3, "r745cuid",    u1,        "Control unit id as it really is"),
    F(   4, "r745csc",     u1,        "Status: 0 all well, 4 return code of IOS set, 8 error in IDCSS01"),
    F(   5, "r745cae",     u3,        "Abend code, if there was one"),
    F(   8, "r745crtn",    u2,        "Return code of IDCSS01; not 0 means no device data"),
    F(  10, "r745cioc",    u1,        "Return code of IOS; not 0 means no device data"),
    # +11: 1 byte not described
    F(  12, "r745cint",    u4,        "Time since the subsystem's statistics were last collected", "s"),
    F(  16, "r745c_type",  text(6),   "Node descriptor: machine type; the project's name"),
    F(  22, "r745c_model", text(3),   "Node descriptor: model; the project's name"),
    F(  25, "r745c_mfr",   text(3),   "Node descriptor: maker; the project's name"),
    F(  28, "r745c_plant", text(2),   "Node descriptor: plant; the project's name"),
    F(  30, "r745c_seq",   text(12),  "Node descriptor: serial number; the project's name"),
    F(  42, "r745c_tag",   u2,        "Node descriptor: tag; the project's name"),
    # +44: 1 byte not described
    F(  45, "r745cfdv",    u3,        "Device that failed"),
), "1src")

DEVICE = Section("smf74_5_device", "Cache activity of one device", f"{_SOURCE} cache device data section (R745DEV)", 124, (
    #  +dec  name       kind       meaning
    F(   0, "r745dvol", text(6),  "Volume serial"),
    F(   6, "r745dfl4", flags1,   "Flags; bits not verified"),
    F(   7, "r745dccu", u1,       "Control unit byte; meaning taken from the field name"),
    F(   8, "r745dunt", u3,       "Unit address"),
    # +11: 1 byte not described
    F(  12, "r745devn", u2,       "Device number, read as hex digits"),
    # +14: 2 bytes not described
    F(  16, "r745dflg", flags1,   "Status flags; bits not verified"),
    F(  17, "r745dvid", u1,       "Device id in the subsystem"),
    F(  18, "r745dvs1", flags1,   "Device status; bits not verified"),
    F(  19, "r745dvs2", flags1,   "Device status, second byte; bits not verified"),
    F(  20, "r745drcr", hfp4,     "Normal reads: requests", "requests"),
    F(  24, "r745dcrh", hfp4,     "Normal reads: hits", "requests"),
    F(  28, "r745dwrc", hfp4,     "Normal writes: requests", "requests"),
    F(  32, "r745dwch", hfp4,     "Normal writes: hits", "requests"),
    F(  36, "r745drsr", hfp4,     "Sequential reads: requests", "requests"),
    F(  40, "r745drsh", hfp4,     "Sequential reads: hits", "requests"),
    F(  44, "r745dwsr", hfp4,     "Sequential writes: requests", "requests"),
    F(  48, "r745dwsh", hfp4,     "Sequential writes: hits", "requests"),
    F(  52, "r745drnr", hfp4,     "Non-retentive reads: requests", "requests"),
    F(  56, "r745dnrh", hfp4,     "Non-retentive reads: hits", "requests"),
    F(  60, "r745dwnr", hfp4,     "Non-retentive writes: requests", "requests"),
    F(  64, "r745dwnh", hfp4,     "Non-retentive writes: hits", "requests"),
    F(  68, "r745dicl", hfp4,     "Requests that inhibit loading the cache", "requests"),
    F(  72, "r745dbcr", hfp4,     "Requests that bypass the cache", "requests"),
    F(  76, "r745dtc",  hfp4,     "Transfers disk to cache, sequential"),
    F(  80, "r745dntd", hfp4,     "Transfers disk to cache, normal"),
    F(  84, "r745dctd", hfp4,     "Transfers cache to disk"),
    F(  88, "r745dfwb", hfp4,     "Fast writes held up because non-volatile storage was full", "requests"),
    F(  92, "r745dfwc", hfp4,     "Cache fast writes: requests", "requests"),
    F(  96, "r745dfws", hfp4,     "Sequential fast writes: requests", "requests"),
    F( 100, "r745dcrm", hfp4,     "Record cache: read misses"),
    F( 104, "r745dsg2", flags1,   "Device status, second group; bits not verified"),
    # +105: 1 byte not described
    F( 106, "r745dsid", u2,       "Subsystem id (SSID), read as hex digits"),
    F( 108, "r745dcwp", hfp4,     "Record cache: write promotions"),
    F( 112, "r745dkdw", hfp4,     "CKD writes"),
    F( 116, "r745dkdh", hfp4,     "CKD writes that hit"),
    F( 120, "r745dfwr", hfp4,     "Requests held up because cache storage was full", "requests"),
), "1src")

EXTENDED = Section("smf74_5_extended", "More of one device; join by device number", f"{_SOURCE} cache device extension section (R745XDEV)", 88, (
    #  +dec  name       kind  meaning
    F(   0, "r745xdvn", u2,  "Device number, read as hex digits"),
    F(   2, "r745xscs", u1,  "Subchannel set"),
    # +3: 1 byte not described
    F(   4, "r745xrsv", u4,  "Lower interface I/O activity in ms; the source calls it text, kept as a raw word"),
    F(   8, "r745xctc", u4,  "Counter word without use"),
    F(  12, "r745xctr", u4,  "Counter word without use"),
    F(  16, "r745xvrd", u4,  "Counter word without use"),
    F(  20, "r745xvrh", u4,  "Counter word without use"),
    F(  24, "r745xvwr", u4,  "Counter word without use"),
    F(  28, "r745xvwh", u4,  "Counter word without use"),
    F(  32, "r745xsrr", u4,  "Counter word without use"),
    F(  36, "r745xfrd", u4,  "Counter word without use"),
    F(  40, "r745xwcc", u4,  "Counter word without use"),
    F(  44, "r745xprc", u4,  "Counter word without use"),
    F(  48, "r745xct1", u4,  "Counter word without use"),
    F(  52, "r745xct2", u4,  "Counter word without use"),
    F(  56, "r745xct3", u4,  "Counter word without use"),
    F(  60, "r745xct4", u4,  "Counter word without use"),
    F(  64, "r745xct5", u4,  "Counter word without use"),
    F(  68, "r745xct6", u4,  "Counter word without use"),
    F(  72, "r745xct7", u4,  "Counter word without use"),
    F(  76, "r745xct8", u4,  "Counter word without use"),
    F(  80, "r745xct9", u4,  "Counter word without use"),
    F(  84, "r745xcta", u4,  "Counter word without use"),
), "1src")

STATUS = Section("smf74_5_status", "Status of the subsystem and of one device", f"{_SOURCE} cache status section (R745STAT)", 60, (
    #  +dec  name       kind       meaning
    F(   0, "r745svol", text(6),  "Volume the status was read from"),
    # +6: 2 bytes not described
    F(   8, "r745sunt", u3,       "Unit address the status was read from"),
    # +11: 1 byte not described
    F(  12, "r745sdev", u2,       "Device number, read as hex digits"),
    F(  14, "r745sln",  u2,       "Length of the status data", "bytes"),
    F(  16, "r745sft",  flags1,   "Format of the status data: 0 storage in bytes, 1 and 2 in KB"),
    F(  17, "r745sdid", u1,       "Device id"),
    F(  18, "r745snad", u1,       "Devices attached"),
    F(  19, "r745snss", u1,       "Statistics sets"),
    F(  20, "r745scs",  flags1,   "Caching status; bits not verified"),
    F(  21, "r745svss", flags1,   "Status of non-volatile storage; bits not verified"),
    F(  22, "r745scln", u2,       "Length of the subsystem counts", "bytes"),
    F(  24, "r745scsf", u2,       "State of copy services"),
    F(  26, "r745scnf", u4,       "Cache storage configured; bytes or KB as r745sft says"),
    F(  30, "r745savl", u4,       "Cache storage available; bytes or KB as r745sft says"),
    F(  34, "r745spin", u4,       "Cache storage pinned; bytes or KB as r745sft says"),
    F(  38, "r745soff", u4,       "Cache storage offline; bytes or KB as r745sft says"),
    F(  42, "r745sds1", flags1,   "Device status: bits 0-1 caching, 2-3 fast write, 4 copy pair suspended, 5 duplex pending, 6-7 pair"),
    F(  43, "r745sds2", flags1,   "Device status, continued: bits 6-7 FlashCopy; with r745sft 1 or 2 bits 0-2 Global Mirror, else 0-1 pinned data"),
    F(  44, "r745scnv", u4,       "Non-volatile storage configured; bytes or KB as r745sft says"),
    F(  48, "r745spnd", u4,       "Non-volatile storage pinned; bytes or KB as r745sft says"),
    F(  52, "r745sg2",  flags1,   "Status: bits 0-1 kind of volume, 2 data in failed storage, 3 soft fence, 4 fenced, 5 RAID rebuild, 6-7 pinned"),
    F(  53, "r745sgl",  flags1,   "Global status: X'80' fast write suspended"),
    F(  54, "r745ssid", u2,       "Subsystem id (SSID), read as hex digits"),
    # +56: 4 bytes not described
), "1src")

RANK = Section("smf74_5_rank", "Disk activity of one device: RAID rank or extent pool", f"{_SOURCE} RAID rank and extent pool section (R7451DEV)", 120, (
    #  +dec  name       kind      meaning
    F(   0, "r7451dvn", u2,      "Device number, read as hex digits"),
    F(   2, "r7451inc", flags1,  "Valid and units: bit 3 synchronous I/O, 4 zHPF, 5-6 units (00: 128 KB and 16 ms), 7 transfer statistics"),
    F(   3, "r7451scs", u1,      "Subchannel set"),
    F(   4, "r7451rsv", hfp4,    "Activity of the lower interface", "ms"),
    F(   8, "r7451flg", flags1,  "What the section holds: 0 nothing more, 1 RAID rank, 2 extent pool"),
    F(   9, "r7451aid", u1,      "RAID rank: device adapter"),
    F(  10, "r7452xid", u2,      "Extent pool"),
    F(  12, "r7452xty", u1,      "Extent type: X'04' fixed block of 1 GB, X'84' CKD of 1 GB"),
    F(  13, "r7452xfl", flags1,  "Extent flags: bit 0 allocated dynamically, 1 data shared, 2 migrating"),
    F(  14, "r7451hss", u2,      "RAID rank: disk sector size", "bytes"),
    F(  16, "r7452pro", hfp4,    "Disk reads: operations"),
    F(  20, "r7452pwo", hfp4,    "Disk writes: operations"),
    F(  24, "r7452pbr", hfp4,    "Disk reads: data in units of 128 KB"),
    F(  28, "r7452pbw", hfp4,    "Disk writes: data in units of 128 KB"),
    F(  32, "r7451rmr", hfp4,    "Reads in record mode", "requests"),
    F(  36, "r7451xsf", hfp4,    "XRC: reads of the sidefile"),
    F(  40, "r7451xcw", hfp4,    "XRC: contaminated writes"),
    F(  44, "r7451tsp", hfp4,    "Tracks sent to the secondary volume of a PPRC pair"),
    F(  48, "r7451nvs", hfp4,    "Allocations of non-volatile storage"),
    F(  52, "r7452prt", hfp4,    "Disk reads: response time in units of 16 ms"),
    F(  56, "r7452pwt", hfp4,    "Disk writes: response time in units of 16 ms"),
    F(  60, "r7451ct1", hfp4,    "Reads by hosts: data in units of 128 KB"),
    F(  64, "r7451ct2", hfp4,    "Writes by hosts: data in units of 128 KB"),
    F(  68, "r7451ct3", hfp4,    "Reads by hosts: response time in units of 16 ms"),
    F(  72, "r7451ct4", hfp4,    "Writes by hosts: response time in units of 16 ms"),
    F(  76, "r7451ct5", hfp4,    "zHPF reads", "requests"),
    F(  80, "r7451ct6", hfp4,    "zHPF writes", "requests"),
    # +84: 4 bytes not described
    F(  88, "r7451zhl", hfp4,    "zHPF list prefetches", "requests"),
    F(  92, "r7451zhh", hfp4,    "zHPF list prefetches that needed no disk", "requests"),
    F(  96, "r7451gsf", hfp4,    "Global Mirror: collisions that went to the sidefile"),
    F( 100, "r7451gss", hfp4,    "Global Mirror: collisions sent synchronously"),
    F( 104, "r7451srr", hfp4,    "Synchronous I/O reads: requests", "requests"),
    F( 108, "r7451srh", hfp4,    "Synchronous I/O reads: cache hits", "requests"),
    F( 112, "r7451swr", hfp4,    "Synchronous I/O writes: requests", "requests"),
    F( 116, "r7451swh", hfp4,    "Synchronous I/O writes: cache hits", "requests"),
), "1src")

CACHE_ACTIVITY = Record(
    74, 5, "Cache activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(44, DEVICE),
        triplet(52, EXTENDED),
        triplet(60, STATUS),
        triplet(68, RANK),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    evidence=(*rmf_evidence(PRODUCT), *in_use(DEVICE, EXTENDED, STATUS, RANK)),
)

RECORDS = (CACHE_ACTIVITY,)
