"""SMF type 42 subtype 5: I/O by storage class, and I/O to the VTOC, its index and the VVDS of each volume.

DFSMS writes it once an interval. Times are averages over the I/Os of the interval, not sums. Volume sections are
chained: each holds the offset of the next, and offsets of what belongs to it. All offsets count from the RDW.
"""

from __future__ import annotations

from imsperf.kinds import flags1, text, tod, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK
from imsperf.layouts.smf42_common import header, product, product_evidence, synchronous
from imsperf.record import At, Record, chain, in_use, nested, pointer, triplet

_SOURCE = f"{BOOK}: record type 42 subtype 5,"

# fmt: off

HEADER = header("smf42_5_header", "One row per type 42.5 record: I/O to storage classes, VTOCs and VVDSs", (
    #  +dec  name        kind  meaning
    F(  36, "smf42sro",  u4,   "Offset of the first storage class section", "bytes", "1src"),
    F(  40, "smf42srl",  u2,   "Length of a storage class section", "bytes", "1src"),
    F(  42, "smf42srn",  u2,   "Storage class sections", "", "1src"),
    F(  44, "smf42vho",  u4,   "Offset of the first volume section; each holds the offset of the next", "bytes", "1src"),
    F(  48, "smf42vhl",  u2,   "Length of a volume section", "bytes", "1src"),
    F(  50, "smf42vhn",  u2,   "Volume sections", "", "1src"),
))

PRODUCT = product("smf42_5_product")

STORAGE_CLASS = Section("smf42_5_storage_class", "I/O to the data sets of a storage class", f"{_SOURCE} storage class response time section (S42SC)", 160, (
    #  +dec  name        kind      meaning
    F(   0, "s42scrnl",  u2,       "Length of the storage class name", "bytes"),
    F(   2, "s42scrnn",  text(30), "Storage class"),
    F(  32, "s42scior",  u4,       "Response time, average", "128 us"),
    F(  36, "s42scioc",  u4,       "Connect time, average", "128 us"),
    F(  40, "s42sciop",  u4,       "Pending time, average", "128 us"),
    F(  44, "s42sciod",  u4,       "Disconnect time, average", "128 us"),
    F(  48, "s42scioq",  u4,       "Control unit queue time, average", "128 us"),
    F(  52, "s42scion",  u4,       "I/Os"),
    F(  56, "s42sccnd",  u4,       "I/Os the cache could serve"),
    F(  60, "s42schit",  u4,       "I/Os the cache did serve"),
    F(  64, "s42scwcn",  u4,       "Writes the cache could take"),
    F(  68, "s42scwhi",  u4,       "Writes the cache did take"),
    F(  72, "s42scseq",  u4,       "Sequential I/Os"),
    F(  76, "s42scrlc",  u4,       "I/Os with record-level caching"),
    F(  80, "s42scicl",  u4,       "I/Os with inhibit cache load"),
    F(  84, "s42scda0",  u4,       "Device-active-only time, average", "128 us"),
    F(  88, "s42scrdd",  u4,       "Disconnect time of reads, average", "128 us"),
    F(  92, "s42scrdt",  u4,       "Reads"),
    F(  96, "s42schrd",  u4,       "Reads by zHPF"),
    F( 100, "s42schwr",  u4,       "Writes by zHPF"),
    F( 104, "s42scr1u",  u4,       "Response time, average", "us", "1src"),
    F( 108, "s42scc1u",  u4,       "Connect time, average", "us", "1src"),
    F( 112, "s42scp1u",  u4,       "Pending time, average", "us", "1src"),
    F( 116, "s42scd1u",  u4,       "Disconnect time, average", "us", "1src"),
    F( 120, "s42scq1u",  u4,       "Control unit queue time, average", "us", "1src"),
    F( 124, "s42sca1u",  u4,       "Device-active-only time, average", "us", "1src"),
    F( 128, "s42sct1u",  u4,       "Disconnect time of reads, average", "us", "1src"),
    F( 132, "s42scb1u",  u4,       "Device busy delay, average", "us", "1src"),
    F( 136, "s42scm1u",  u4,       "Command response time, average", "us", "1src"),
    F( 140, "s42scsno",  u4,       "Offset of the synchronous I/O section, from the RDW; 0 if none", "bytes", "1src"),
    F( 144, "s42scsnl",  u2,       "Length of the synchronous I/O section", "bytes", "1src"),
    # +146: 2 bytes not described
    F( 148, "s42sccnt",  u4,       "Consistent reads from the secondary by zHPF", "", "1src"),
    F( 152, "s42sccrp",  u8,       "Response time of consistent reads from the secondary, average", "us", "1src"),
))

VOLUME = Section("smf42_5_volume", "A volume and where the sections about it are", f"{_SOURCE} volume header section", 72, (
    #  +dec  name        kind     meaning
    F(   0, "s42vtnxt",  u4,      "Offset of the next volume section, from the RDW; 0 in the last one", "bytes"),
    F(   4, "s42vtser",  text(6), "Volume serial"),
    F(  10, "s42vtadr",  u2,      "Device number, read as hex digits"),
    F(  12, "s42vtfl1",  flags1,  "Flags: bit 0 online, 1 managed by SMS, 2 thin provisioned (if s42vtmcl is above 72)"),
    # +13: 7 bytes not described
    F(  20, "s42vtunc",  u4,      "I/Os that neither subtype 5 nor 6 reports"),
    F(  24, "s42vtvdo",  u4,      "Offset of the VTOC data section, from the RDW; 0 if none", "bytes"),
    F(  28, "s42vtvdl",  u2,      "Length of the VTOC data section", "bytes"),
    # +30: 2 bytes not described
    F(  32, "s42vtvxo",  u4,      "Offset of the VTOC index section, from the RDW; 0 if none", "bytes"),
    F(  36, "s42vtvxl",  u2,      "Length of the VTOC index section", "bytes"),
    # +38: 2 bytes not described
    F(  40, "s42vtvvo",  u4,      "Offset of the VVDS section, from the RDW; 0 if none", "bytes"),
    F(  44, "s42vtvvl",  u2,      "Length of the VVDS section", "bytes"),
    # +46: 2 bytes not described
    F(  48, "s42vtmco",  u4,      "Offset of the volume metrics section, from the RDW; 0 if none", "bytes"),
    F(  52, "s42vtmcl",  u2,      "Length of the volume metrics section", "bytes", "2src"),
    F(  54, "s42vtmcn",  u2,      "Volume metrics sections", "", "2src"),
    F(  56, "s42vtsyo",  u4,      "Offset of the system I/O section, from the RDW; 0 if none", "bytes", "2src"),
    F(  60, "s42vtsyl",  u2,      "Length of the system I/O section", "bytes", "2src"),
    F(  62, "s42vtsyn",  u2,      "System I/O sections", "", "2src"),
    F(  64, "s42vtbgo",  u4,      "Offset of the background activity section, from the RDW; 0 if none", "bytes", "2src"),
    F(  68, "s42vtbgl",  u2,      "Length of the background activity section", "bytes", "2src"),
    F(  70, "s42vtbgn",  u2,      "Background activity sections", "", "2src"),
), "1src")


def _component(table: str, doc: str, title: str, p: str, late: str = "") -> Section:
    """I/O to one of the three kinds of data that describe a volume; `p` is what its field names begin with.

    The last four names of the VVDS section were not seen; they are those of the others.
    """
    return Section(table, doc, f"{_SOURCE} volume header section, {title} I/O statistics", 112, (
        #  +dec  name       kind  meaning
        F(   0, f"{p}ior",  u4,   "Response time, average", "128 us"),
        F(   4, f"{p}ioc",  u4,   "Connect time, average", "128 us"),
        F(   8, f"{p}iop",  u4,   "Pending time, average", "128 us"),
        F(  12, f"{p}iod",  u4,   "Disconnect time, average", "128 us"),
        F(  16, f"{p}ioq",  u4,   "Control unit queue time, average", "128 us"),
        F(  20, f"{p}ion",  u4,   "I/Os"),
        F(  24, f"{p}cnd",  u4,   "I/Os the cache could serve"),
        F(  28, f"{p}hit",  u4,   "I/Os the cache did serve"),
        F(  32, f"{p}wcn",  u4,   "Writes the cache could take"),
        F(  36, f"{p}whi",  u4,   "Writes the cache did take"),
        F(  40, f"{p}seq",  u4,   "Sequential I/Os"),
        F(  44, f"{p}rlc",  u4,   "I/Os with record-level caching"),
        F(  48, f"{p}icl",  u4,   "I/Os with inhibit cache load"),
        F(  52, f"{p}da0",  u4,   "Device-active-only time, average", "128 us"),
        F(  56, f"{p}rdd",  u4,   "Disconnect time of reads, average", "128 us"),
        F(  60, f"{p}rdt",  u4,   "Reads"),
        F(  64, f"{p}hrd",  u4,   "Reads by zHPF"),
        F(  68, f"{p}hwr",  u4,   "Writes by zHPF"),
        F(  72, f"{p}r1u",  u4,   "Response time, average", "us"),
        F(  76, f"{p}c1u",  u4,   "Connect time, average", "us"),
        F(  80, f"{p}p1u",  u4,   "Pending time, average", "us"),
        F(  84, f"{p}d1u",  u4,   "Disconnect time, average", "us"),
        F(  88, f"{p}q1u",  u4,   "Control unit queue time, average", "us"),
        F(  92, f"{p}a1u",  u4,   "Device-active-only time, average", "us", late),
        F(  96, f"{p}t1u",  u4,   "Disconnect time of reads, average", "us", late),
        F( 100, f"{p}b1u",  u4,   "Device busy delay, average", "us", late),
        F( 104, f"{p}m1u",  u4,   "Initial command response time, average", "us", late),
        # +108: reserved bytes, 4 or 20 as the manual has it
    ), "1src")


VTOC_DATA = _component("smf42_5_vtoc_data", "I/O to the VTOC of a volume", "VTOC data component", "s42vd")
VTOC_INDEX = _component("smf42_5_vtoc_index", "I/O to the VTOC index of a volume", "VTOC index component", "s42vx")
VVDS = _component("smf42_5_vvds", "I/O to the VVDS of a volume", "VVDS component", "s42vv", "inferred")

SYNC_IO = synchronous("smf42_5_sync_io", "Synchronous I/O to the data sets of a storage class", f"{_SOURCE} synchronous I/O section 1", "s42snconc")

METRIC = Section("smf42_5_metric", "Interrupt delays, reserves and erases of a volume", f"{_SOURCE} volume metrics section", 96, (
    #  +dec  name        kind    meaning
    F(   0, "s42vrid1",  u4,     "I/Os with an interrupt delay of 1 to 10 us"),
    F(   4, "s42vrid2",  u4,     "I/Os with an interrupt delay of 10 to 100 us"),
    F(   8, "s42vrid3",  u4,     "I/Os with an interrupt delay of 100 us to 1 ms"),
    F(  12, "s42vrid4",  u4,     "I/Os with an interrupt delay of 1 to 10 ms"),
    F(  16, "s42vrid5",  u4,     "I/Os with an interrupt delay of 10 to 100 ms"),
    F(  20, "s42vrid6",  u4,     "I/Os with an interrupt delay above 100 ms"),
    # +24: 4 bytes not described
    F(  28, "s42vridm",  u4,     "Longest interrupt delay; the unit is inferred", "us"),
    F(  32, "s42vridt",  tod,    "When the longest interrupt delay was"),
    F(  40, "s42vrida",  u4,     "Interrupt delay, average; the unit is inferred", "us"),
    F(  44, "s42vrbsy",  u2,     "Time the volume was in long busy", "s", "1src"),
    # +46: 2 bytes not described
    F(  48, "s42vrrsp",  u4,     "HyperPAV alias I/Os held back because another system had reserved the volume"),
    F(  52, "s42vrrsn",  u4,     "I/Os with a reserve"),
    F(  56, "s42vrres",  u4,     "Time the volume was reserved; the unit is inferred", "us"),
    F(  60, "s42vrrex",  u4,     "Longest time the volume was reserved; the unit is inferred", "us"),
    F(  64, "s42vrrsr",  u4,     "Response time of I/Os with a reserve, average; the unit is inferred", "us"),
    F(  68, "s42vrer1",  u4,     "Data sets deleted or partly released", "", "1src"),
    F(  72, "s42vrer2",  u4,     "Requests to erase on scratch", "requests", "1src"),
    F(  76, "s42vrer3",  u4,     "Erases tried by writing over the data", "", "1src"),
    F(  80, "s42vrer4",  u4,     "Erases tried by DADSM unmap", "", "1src"),
    F(  84, "s42vrer5",  u4,     "Unmaps by DADSM that succeeded", "", "1src"),
    F(  88, "s42vrer6",  flags1, "Bit 0: a FACILITY profile asks for unmap", "", "1src"),
    # +89: 7 bytes not described
), "2src", levels=(("first version", 72),))

SYSTEM_IO = Section("smf42_5_system_io", "Where the sections about system I/O to a volume are", f"{_SOURCE} system I/O section", 16, (
    #  +dec  name        kind  meaning
    F(   0, "s42vsyo1",  u4,   "Offset of the system I/O statistics, from the RDW; 0 if none", "bytes"),
    F(   4, "s42vsyl1",  u2,   "Length of the system I/O statistics", "bytes"),
    F(   6, "s42vsyn1",  u2,   "System I/O statistics sections"),
    F(   8, "s42vsyo2",  u4,   "Offset of the section of slowest jobs, from the RDW; 0 if none", "bytes"),
    F(  12, "s42vsyl2",  u2,   "Length of the section of slowest jobs", "bytes"),
    F(  14, "s42vsyn2",  u2,   "Sections of slowest jobs"),
))

SYSTEM_STATISTICS = Section("smf42_5_system_statistics", "I/O of the system itself to a volume", f"{_SOURCE} system I/O statistics section", 40, (
    #  +dec  name        kind  meaning
    F(   0, "s42vsion",  u4,   "I/Os: Start Subchannel instructions"),
    F(   4, "s42vsior",  u4,   "Response time, average; the sources name no unit"),
    F(   8, "s42vsioc",  u4,   "Connect time, average; the sources name no unit"),
    F(  12, "s42vsiop",  u4,   "Pending time, average; the sources name no unit"),
    F(  16, "s42vsiod",  u4,   "Disconnect time, average; the sources name no unit"),
    F(  20, "s42vsioq",  u4,   "Control unit queue time, average; the sources name no unit"),
    F(  24, "s42vsdao",  u4,   "Device-active-only time, average; the sources name no unit"),
    F(  28, "s42vsdbt",  u4,   "Device busy delay, average; the sources name no unit"),
    F(  32, "s42vsicr",  u4,   "Initial command response time, average; the sources name no unit"),
    # +36: 4 bytes not described
))

SYSTEM_HIGH = Section("smf42_5_system_high", "How many of the slowest jobs follow", f"{_SOURCE} system I/O high response time section", 4, (
    #  +dec  name        kind  meaning
    F(   0, "s42vsxnj",  u2,   "Jobs that follow"),
    # +2: 2 bytes not described
), "1src")

SYSTEM_HIGH_JOB = Section("smf42_5_system_high_job", "The slowest system I/O of one job to a volume", f"{_SOURCE} system I/O high response time array", 32, (
    #  +dec  name        kind     meaning
    F(   0, "s42vsxjn",  text(8), "Job that asked for the I/O"),
    F(   8, "s42vsxrt",  u4,      "Response time; the sources name no unit"),
    F(  12, "s42vsxst",  u4,      "Service time; the sources name no unit"),
    F(  16, "s42vsxid",  u4,      "Interrupt delay; the sources name no unit"),
    F(  20, "s42vsxdv",  u1,      "I/O driver id"),
    F(  21, "s42vsxop",  u1,      "Operation code of the first command of the channel program"),
    # +22: 2 bytes not described
    F(  24, "s42vsxtm",  tod,     "When the I/O was complete"),
), "1src")

BACKGROUND = Section("smf42_5_background", "Where the section about cloud activity of a volume is", f"{_SOURCE} volume background activity section", 8, (
    #  +dec  name        kind  meaning
    F(   0, "s42vbgo1",  u4,   "Offset of the cloud section, from the RDW; 0 if none", "bytes"),
    F(   4, "s42vbgl1",  u2,   "Length of the cloud section", "bytes"),
    F(   6, "s42vbgn1",  u2,   "Cloud sections"),
), "1src")

CLOUD = Section("smf42_5_cloud", "Data moved between a volume and the cloud", f"{_SOURCE} volume cloud activity section", 24, (
    #  +dec  name        kind  meaning
    F(   0, "s42vbcrn",  u4,   "Requests to fetch data from the cloud", "requests"),
    F(   4, "s42vbcwn",  u4,   "Requests to store data in the cloud", "requests"),
    F(   8, "s42vbcrt",  u4,   "Tracks fetched from the cloud"),
    F(  12, "s42vbcwt",  u4,   "Tracks stored in the cloud"),
    F(  16, "s42vbcre",  u4,   "Time it took to fetch", "ms"),
    F(  20, "s42vbcwe",  u4,   "Time it took to store", "ms"),
), "1src")

STORAGE_CLASS_IO = Record(
    42, 5, "I/O to storage classes, VTOCs and VVDSs", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, STORAGE_CLASS),
        pointer(140, At(144), SYNC_IO, inside=STORAGE_CLASS),
        chain(44, At(48), VOLUME, next_at=0),
        pointer(24, At(28), VTOC_DATA, inside=VOLUME),
        pointer(32, At(36), VTOC_INDEX, inside=VOLUME),
        pointer(40, At(44), VVDS, inside=VOLUME),
        triplet(48, METRIC, inside=VOLUME),
        triplet(56, SYSTEM_IO, inside=VOLUME),
        triplet(0, SYSTEM_STATISTICS, inside=SYSTEM_IO),
        triplet(8, SYSTEM_HIGH, inside=SYSTEM_IO),
        nested(4, SYSTEM_HIGH_JOB, inside=SYSTEM_HIGH, number=At(0)),
        triplet(64, BACKGROUND, inside=VOLUME),
        triplet(0, CLOUD, inside=BACKGROUND),
    ),
    evidence=(*product_evidence(PRODUCT), *in_use(VOLUME)),
)

RECORDS = (STORAGE_CLASS_IO,)
