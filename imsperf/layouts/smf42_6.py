"""SMF type 42 subtype 6: the I/O of one job to its data sets.

DFSMS writes it when a data set is closed and at the end of an interval. Times are averages over the I/Os counted,
not sums as in type 74; counts go back to the open or the interval before. One data set may fill several records.

Data set sections are chained: the job section holds the offset of the first, each section that of the next. What
belongs to a data set is found by offsets in its section; the lengths of the I/O and access method sections stand
in the job section. All offsets count from the RDW. The manual prints s42jdstn at 61; 64 is right.
"""

from __future__ import annotations

from imsperf.kinds import centisec, date, flags1, opaque, s4, text, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK
from imsperf.layouts.smf42_common import header, product, product_evidence, synchronous
from imsperf.record import At, Record, chain, in_use, needs, pointer, triplet

_SOURCE = f"{BOOK}: record type 42 subtype 6,"

# fmt: off

HEADER = header("smf42_6_header", "One row per type 42.6 record: I/O of a job to its data sets", (
    #  +dec  name        kind  meaning
    F(  36, "smf42jho",  u4,   "Offset of the job section", "bytes"),
    F(  40, "smf42jhl",  u2,   "Length of the job section", "bytes"),
    F(  42, "smf42jhn",  u2,   "Job sections"),
))

PRODUCT = product("smf42_6_product")

JOB = Section("smf42_6_job", "The job and where its data set sections begin", f"{_SOURCE} job header section (S42JD)", 72, (
    #  +dec  name        kind       meaning
    F(   0, "s42jdjnm",  text(8),   "Job name"),
    F(   8, "s42jdrst",  centisec,  "Local time the reader saw the job card"),
    F(  12, "s42jdrsd",  date,      "Local date the reader saw the job card"),
    F(  16, "s42jduid",  opaque(8), "Identification area of the job that exits may fill"),
    F(  24, "s42jddso",  u4,        "Offset of the first data set section, from the RDW", "bytes"),
    F(  28, "s42jddsl",  u2,        "Length of a data set section", "bytes"),
    F(  30, "s42jdcod",  u1,        "Why the record was written: 0 close, 1 end of an interval"),
    # +31: 1 byte not described
    F(  32, "s42jdpgn",  u2,        "Performance group; no longer used"),
    F(  34, "s42jdiol",  u2,        "Length of an I/O section", "bytes"),
    F(  36, "s42jdaml",  u2,        "Length of an access method section", "bytes"),
    F(  38, "s42jdst1",  u2,        "Step number", "", "1src"),
    F(  40, "s42jdgmo",  s4,        "Local time minus GMT", "1.048576 s"),
    F(  44, "s42jdwsc",  text(8),   "Service class"),
    F(  52, "s42jdwld",  text(8),   "Workload"),
    # +60: 4 bytes not described
    F(  64, "s42jdstn",  text(8),   "Step name", "", "1src"),
))

DATASET = Section("smf42_6_dataset", "A data set on a volume", f"{_SOURCE} data set header section (S42DS)", 120, (
    #  +dec  name        kind      meaning
    F(   0, "s42dsnxt",  u4,       "Offset of the next data set section, from the RDW; 0 in the last one", "bytes"),
    F(   4, "s42dsn",    text(44), "Data set name"),
    F(  48, "s42dstyp",  u1,       "Kind of data set: 1 sequential, 2 PDS, 3 PDSE, 16 and 17 KSDS, 21 linear, 22 ESDS"),
    F(  49, "s42dscod",  u1,       "Bit 0: first record since the data set was opened"),
    F(  50, "s42dsfl1",  flags1,   "Flags: first two bits 11 GSR, 10 LSR, 01 RLS; then extended format, compressed"),
    # +51: 1 byte not described
    F(  52, "s42dsioo",  u4,       "Offset of the I/O section, from the RDW; 0 if none", "bytes"),
    F(  56, "s42dsamo",  u4,       "Offset of the access method section, from the RDW; 0 if none", "bytes"),
    F(  60, "s42dsvol",  text(6),  "Volume serial"),
    F(  66, "s42dsdev",  u2,       "Device number, read as hex digits"),
    F(  68, "s42dssc",   text(8),  "Storage class"),
    F(  76, "s42dsbsz",  u4,       "Block size, or size of a control interval", "bytes"),
    F(  80, "s42dstrp",  u2,       "Stripes"),
    F(  82, "s42dsent",  u2,       "Kind of encryption"),
    F(  84, "s42dscmt",  u1,       "Kind of compression"),
    # +85: 3 bytes not described
    F(  88, "s42dssno",  u4,       "Offset of synchronous I/O section 1, from the RDW; 0 if none", "bytes"),
    F(  92, "s42dssnl",  u2,       "Length of synchronous I/O section 1", "bytes"),
    # +94: 2 bytes not described
    F(  96, "s42dss2o",  u4,       "Offset of synchronous I/O section 2, from the RDW; 0 if none", "bytes"),
    F( 100, "s42dss2l",  u2,       "Length of synchronous I/O section 2", "bytes"),
    F( 102, "s42ds2fl",  flags1,   "Flags of synchronous I/O section 2", "", "1src"),
    # +103: 1 byte not described
    F( 104, "s42dss3o",  u4,       "Offset of section 3, from the RDW; 0 if none", "bytes"),
    F( 108, "s42dss3l",  u2,       "Length of section 3", "bytes"),
    # +110: 2 bytes not described
    F( 112, "s42dss4o",  u4,       "Offset of section 4, from the RDW; 0 if none", "bytes", "1src"),
    F( 116, "s42dss4l",  u2,       "Length of section 4", "bytes", "1src"),
    F( 118, "s42dss4n",  u2,       "Entries of section 4", "", "1src"),
), "2src", levels=(("first version", 112),))

IO = Section("smf42_6_io", "I/O to a data set: times, cache use", f"{_SOURCE} data set I/O statistics section", 152, (
    #  +dec  name                 kind  meaning
    F(   0, "s42dsior",           u4,   "Response time, average", "128 us"),
    F(   4, "s42dsioc",           u4,   "Connect time, average", "128 us"),
    F(   8, "s42dsiop",           u4,   "Pending time, average", "128 us"),
    F(  12, "s42dsiod",           u4,   "Disconnect time, average", "128 us"),
    F(  16, "s42dsioq",           u4,   "Control unit queue time, average", "128 us"),
    F(  20, "s42dsion",           u4,   "I/Os"),
    F(  24, "s42dscnd",           u4,   "I/Os the cache could serve"),
    F(  28, "s42dshts",           u4,   "I/Os the cache did serve"),
    F(  32, "s42dswcn",           u4,   "Writes the cache could take"),
    F(  36, "s42dswhi",           u4,   "Writes the cache did take"),
    F(  40, "s42dsseq",           u4,   "Sequential I/Os"),
    F(  44, "s42dsrlc",           u4,   "I/Os with record-level caching"),
    F(  48, "s42dsicl",           u4,   "I/Os with inhibit cache load"),
    F(  52, "s42dsda0",           u4,   "Device-active-only time, average", "128 us"),
    F(  56, "s42dsmxr",           u4,   "Longest response time", "128 us"),
    F(  60, "s42dsmxs",           u4,   "Service time of the I/O with the longest response time", "128 us"),
    F(  64, "s42dsrdd",           u4,   "Disconnect time of reads, average", "128 us"),
    F(  68, "s42dsrdt",           u4,   "Reads"),
    F(  72, "s42dshrd",           u4,   "Reads by zHPF"),
    F(  76, "s42dshwr",           u4,   "Writes by zHPF"),
    F(  80, "s42dsr1u",           u4,   "Response time, average", "us"),
    F(  84, "s42dsc1u",           u4,   "Connect time, average", "us"),
    F(  88, "s42dsp1u",           u4,   "Pending time, average", "us"),
    F(  92, "s42dsd1u",           u4,   "Disconnect time, average", "us"),
    F(  96, "s42dsq1u",           u4,   "Control unit queue time, average", "us"),
    F( 100, "s42dsa1u",           u4,   "Device-active-only time, average", "us"),
    F( 104, "s42dst1u",           u4,   "Disconnect time of reads, average", "us"),
    F( 108, "s42dsb1u",           u4,   "Device busy delay, average", "us"),
    F( 112, "s42dsm1u",           u4,   "Initial command response time, average", "us"),
    F( 116, "s42dsios",           u4,   "Writes zHyperWrite sent to the Metro Mirror secondary"),
    F( 120, "s42dscnt",           u4,   "Consistent reads from the secondary by zHPF", "", "1src"),
    F( 124, "s42dsrru",           u4,   "Response time of random reads that hit the cache, average; the unit is inferred", "us"),
    F( 128, "s42dsrsu",           u4,   "Service time of random reads that hit the cache, average; the unit is inferred", "us"),
    F( 132, "s42snavgardelay",    u4,   "Delay until the application went on, average; the sources name no unit"),
    F( 136, "s42snardelaycount",  u4,   "Delays behind that average"),
    F( 140, "s42dsmxi",           u2,   "Storage subsystem of the device with the longest response time", "", "1src"),
    # +142: 2 bytes not described
    F( 144, "s42dscrp",           u8,   "Response time of consistent reads from the secondary, average", "us", "1src"),
))

ACCESS_METHOD = Section("smf42_6_access_method", "I/O to a data set as the access method saw it", f"{_SOURCE} access method statistics section (S42AM)", 88, (
    #  +dec  name        kind  meaning
    F(   0, "s42amsrb",  u4,   "Blocks read sequentially", "blocks"),
    F(   4, "s42amsrr",  u4,   "I/O delay of sequential reads", "128 us"),
    F(   8, "s42amswb",  u4,   "Blocks written sequentially", "blocks"),
    F(  12, "s42amswr",  u4,   "I/O delay of sequential writes", "128 us"),
    F(  16, "s42amdrb",  u4,   "Blocks read directly", "blocks"),
    F(  20, "s42amdrr",  u4,   "I/O delay of direct reads, in all", "128 us"),
    F(  24, "s42amdwb",  u4,   "Blocks written directly", "blocks"),
    F(  28, "s42amdwr",  u4,   "I/O delay of direct writes, in all", "128 us"),
    F(  32, "s42amzrb",  u4,   "Directory reads; always 0"),
    F(  36, "s42amzrr",  u4,   "I/O delay of directory reads"),
    F(  40, "s42amzwb",  u4,   "Directory writes; always 0"),
    F(  44, "s42amzwr",  u4,   "I/O delay of directory writes"),
    F(  48, "s42amrib",  u8,   "Bytes read", "bytes"),
    F(  56, "s42amwib",  u8,   "Bytes written", "bytes"),
    F(  64, "s42amrbd",  u8,   "Bytes read that were decrypted or could have been", "bytes"),
    F(  72, "s42amwbe",  u8,   "Bytes written that were encrypted or could have been", "bytes"),
    F(  80, "s42amrci",  u4,   "Control intervals read; physical blocks if not VSAM", "blocks"),
    F(  84, "s42amwci",  u4,   "Control intervals written; physical blocks if not VSAM", "blocks"),
))

SYNC_IO1 = synchronous("smf42_6_sync_io1", "Synchronous I/O to a data set", f"{_SOURCE} synchronous I/O section 1", "s42snonc")

SYNC_IO2 = Section("smf42_6_sync_io2", "Synchronous writes to a data set and why they were not", f"{_SOURCE} synchronous I/O section 2", 112, (
    #  +dec  name        kind  meaning
    F(   0, "s42sntwr",  u4,   "Synchronous writes asked for", "requests"),
    F(   4, "s42sntwo",  u4,   "Writes done synchronously"),
    F(   8, "s42sntws",  u4,   "Done asynchronously because the write before was"),
    F(  12, "s42sntwb",  u4,   "Done asynchronously: the link was busy"),
    F(  16, "s42sntwm",  u4,   "Done asynchronously: cache miss"),
    F(  20, "s42sntwp",  u4,   "Done asynchronously: the operation was delayed"),
    F(  24, "s42sntwe",  u4,   "Done asynchronously: no write token"),
    F(  28, "s42sntwi",  u4,   "Done asynchronously: the write token was not valid"),
    F(  32, "s42sntwc",  u4,   "Done asynchronously: the pattern of writes was not consistent"),
    F(  36, "s42sntwd",  u4,   "Done asynchronously: zHyperLink writes were disabled"),
    F(  40, "s42sntwa",  u4,   "Reads made to write again; meaning taken from a short text"),
    F(  44, "s42sntwk",  u4,   "Not tried by zHyperLink; meaning taken from a short text"),
    F(  48, "s42sntwv",  u4,   "Another system had reserved the device", "", "2src"),
    F(  52, "s42sntwl",  u4,   "Disabled: the data set was not opened for synchronous writes", "", "2src"),
    F(  56, "s42sntwt",  u4,   "Disabled: the data set was extended after the open", "", "2src"),
    F(  60, "s42sntwn",  u4,   "Disabled: the data set is not eligible", "", "2src"),
    F(  64, "s42sntwg",  u4,   "Disabled by the storage class or an operator", "", "2src"),
    F(  68, "s42sntwy",  u4,   "Disabled: error in the token array", "", "2src"),
    F(  72, "s42sntwu",  u4,   "Disabled: copy relationship that is not supported", "", "2src"),
    F(  76, "s42sntwf",  u4,   "Disabled: the buffer was not on a page", "", "2src"),
    F(  80, "s42sntwq",  u4,   "Disabled: writes asked for were not valid", "", "2src"),
    F(  84, "s42sntwz",  u4,   "Disabled: zHPF was off", "", "2src"),
    F(  88, "s42sntww",  u4,   "Disabled: internal error", "", "2src"),
    F(  92, "s42sntwx",  u4,   "Disabled for another reason", "", "2src"),
    F(  96, "s42sntwh",  u4,   "Disabled: the other data set of a dual log is"),
    F( 100, "s42sntdr",  u4,   "Writes asked for with dual logging", "requests"),
    F( 104, "s42sntdx",  u4,   "Synchronous here, asynchronous for the other data set of a dual log"),
    F( 108, "s42sntwj",  u4,   "Disabled: the write crosses layers of a multivolume data set"),
), "1src")

SYNC_IO3 = Section("smf42_6_sync_io3", "Synchronous writes to a data set on one device", f"{_SOURCE} synchronous I/O section 3", 64, (
    #  +dec  name        kind  meaning
    # +0: 2 bytes not described
    F(   2, "s42sndwh",  u2,   "Storage subsystem of the device, read as hex digits"),
    # +4: 1 byte not described
    F(   5, "s42sndwj",  u1,   "Subchannel set of the device"),
    F(   6, "s42sndwn",  u2,   "Device number, read as hex digits"),
    F(   8, "s42sndwt",  u4,   "Writes for the device, tried or not"),
    F(  12, "s42sndwo",  u4,   "Writes done synchronously"),
    F(  16, "s42sndws",  u4,   "Done asynchronously because the write before was"),
    F(  20, "s42sndwb",  u4,   "Done asynchronously: the link was busy"),
    F(  24, "s42sndwm",  u4,   "Done asynchronously: cache miss"),
    F(  28, "s42sndwp",  u4,   "Done asynchronously: the operation was delayed"),
    F(  32, "s42sndwe",  u4,   "Done asynchronously: no write token"),
    F(  36, "s42sndwi",  u4,   "Done asynchronously: the write token was not valid"),
    F(  40, "s42sndwc",  u4,   "Done asynchronously: the pattern of writes was not consistent"),
    F(  44, "s42sndwd",  u4,   "Done asynchronously: disabled for the device"),
    F(  48, "s42sndwu",  u4,   "Done asynchronously: copy relationship that is not supported"),
    F(  52, "s42sndwk",  u4,   "Done asynchronously: zHyperLink not tried"),
    F(  56, "s42sndwv",  u4,   "Done asynchronously: the device was reserved", "", "1src"),
    F(  60, "s42sndwx",  u4,   "Done asynchronously for another reason", "", "1src"),
))

SYNC_IO4 = Section("smf42_6_sync_io4", "Write access for synchronous writes: got or not and why", f"{_SOURCE} synchronous I/O section 4", 72, (
    #  +dec  name        kind  meaning
    F(   0, "s42dss5o",  u4,   "Offset of the first synchronous I/O section 5, from the RDW; 0 if none", "bytes"),
    F(   4, "s42dss5l",  u2,   "Length of a synchronous I/O section 5", "bytes"),
    F(   6, "s42dss5n",  u2,   "Synchronous I/O sections 5"),
    F(   8, "s42sntea",  u4,   "Times write access was asked for"),
    F(  12, "s42snteo",  u4,   "Times write access was got"),
    F(  16, "s42sntec",  u4,   "Not got: resources of the control unit"),
    F(  20, "s42sntee",  u4,   "Not got: the extent overlaps that of another group"),
    F(  24, "s42sntes",  u4,   "Not got: the software id is not unique"),
    F(  28, "s42sntet",  u4,   "Not got: too many tasks with write access"),
    F(  32, "s42sntei",  u4,   "Not got: no access to the device"),
    F(  36, "s42snteq",  u4,   "Not got: the device was quiesced"),
    F(  40, "s42sntel",  u4,   "Not got: the device was in long busy"),
    F(  44, "s42sntep",  u4,   "Not got: concurrent copy or XRC session"),
    F(  48, "s42snteg",  u4,   "Not got: Global Copy secondary"),
    F(  52, "s42sntem",  u4,   "Not got: Global Mirror primary"),
    F(  56, "s42snter",  u4,   "Not got: Metro Mirror, not full duplex"),
    F(  60, "s42sntef",  u4,   "Not got: soft fence"),
    F(  64, "s42sntew",  u4,   "Not got: the worldwide node name is all zeros"),
    F(  68, "s42sntmc",  u4,   "Not got for another reason"),
), "1src")

SYNC_IO5 = Section("smf42_6_sync_io5", "Write access for synchronous writes on one device", f"{_SOURCE} synchronous I/O section 5", 72, (
    #  +dec  name        kind  meaning
    # +0: 2 bytes not described
    F(   2, "s42sndss",  u2,   "Storage subsystem of the device, read as hex digits"),
    # +4: 1 byte not described
    F(   5, "s42sndsi",  u1,   "Subchannel set of the device"),
    F(   6, "s42snded",  u2,   "Device number, read as hex digits"),
    F(   8, "s42sndea",  u4,   "Times write access was asked for"),
    F(  12, "s42sndeo",  u4,   "Times write access was got"),
    F(  16, "s42sndec",  u4,   "Not got: resources of the control unit"),
    F(  20, "s42sndee",  u4,   "Not got: the extent overlaps that of another group"),
    F(  24, "s42sndes",  u4,   "Not got: the software id is not unique"),
    F(  28, "s42sndet",  u4,   "Not got: too many tasks with write access"),
    F(  32, "s42sndei",  u4,   "Not got: no access to the device"),
    F(  36, "s42sndeq",  u4,   "Not got: the device was quiesced"),
    F(  40, "s42sndel",  u4,   "Not got: the device was in long busy"),
    F(  44, "s42sndep",  u4,   "Not got: concurrent copy or XRC session"),
    F(  48, "s42sndeg",  u4,   "Not got: Global Copy secondary"),
    F(  52, "s42sndem",  u4,   "Not got: Global Mirror primary"),
    F(  56, "s42snder",  u4,   "Not got: Metro Mirror, not full duplex"),
    F(  60, "s42sndef",  u4,   "Not got: soft fence"),
    F(  64, "s42sndew",  u4,   "Not got: the worldwide node name is all zeros"),
    F(  68, "s42sndmc",  u4,   "Not got for another reason"),
), "1src")

DATASET_IO = Record(
    42, 6, "I/O to data sets", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, JOB),
        chain(24, At(28), DATASET, next_at=0, inside=JOB),
        pointer(52, At(34, of=JOB), IO, inside=DATASET),
        pointer(56, At(36, of=JOB), ACCESS_METHOD, inside=DATASET),
        pointer(88, At(92), SYNC_IO1, inside=DATASET),
        pointer(96, At(100), SYNC_IO2, inside=DATASET),
        pointer(104, At(108), SYNC_IO3, inside=DATASET),
        triplet(112, SYNC_IO4, inside=DATASET),
        triplet(0, SYNC_IO5, inside=SYNC_IO4),
    ),
    evidence=(
        *product_evidence(PRODUCT),
        *in_use(DATASET),
        *needs(IO, "s42dsion", "s42dsrdt", "s42dsr1u", "s42dsm1u"),
        *needs(IO, "s42dsr1u", "s42dsior"),
    ),
)

RECORDS = (DATASET_IO,)
