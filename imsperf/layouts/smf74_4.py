"""SMF type 74 subtype 4: coupling facility activity, one record per facility, written by RMF once an interval.

A request section stands for one structure as one system used it; it names its cache, storage class memory
and asynchronous duplexing sections by index, a remote facility its channel paths; indexes are assumed to
start at 1. Times count microseconds, sizes blocks of 4 KB; many counts are hexadecimal floating point that
is not aligned.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1), and but for two fields of a
remote facility from it alone.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp8, opaque, s4, text, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.layouts.smf74_4_request import REQUEST
from imsperf.record import Index, Interval, Record, in_use, never_zero, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 4,"

# fmt: off

HEADER = rmf_header("smf74_4_header", "One row per type 74.4 record: one coupling facility in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf744fo", u4,  "Offset of the local coupling facility section", "bytes", "1src"),
    F(  40, "smf744fl", u2,  "Length of the local coupling facility section", "bytes", "1src"),
    F(  42, "smf744fn", u2,  "Local coupling facility sections", "", "1src"),
    F(  44, "smf744xo", u4,  "Offset of the first connectivity section", "bytes", "1src"),
    F(  48, "smf744xl", u2,  "Length of each connectivity section", "bytes", "1src"),
    F(  50, "smf744xn", u2,  "Connectivity sections in this record", "", "1src"),
    F(  52, "smf744go", u4,  "Offset of the storage section", "bytes", "1src"),
    F(  56, "smf744gl", u2,  "Length of the storage section", "bytes", "1src"),
    F(  58, "smf744gn", u2,  "Storage sections", "", "1src"),
    F(  60, "smf744qo", u4,  "Offset of the first structure section", "bytes", "1src"),
    F(  64, "smf744ql", u2,  "Length of each structure section", "bytes", "1src"),
    F(  66, "smf744qn", u2,  "Structure sections in this record", "", "1src"),
    F(  68, "smf744so", u4,  "Offset of the first request section", "bytes", "1src"),
    F(  72, "smf744sl", u2,  "Length of each request section", "bytes", "1src"),
    F(  74, "smf744sn", u2,  "Request sections in this record", "", "1src"),
    F(  76, "smf744po", u4,  "Offset of the first processor section", "bytes", "1src"),
    F(  80, "smf744pl", u2,  "Length of each processor section", "bytes", "1src"),
    F(  82, "smf744pn", u2,  "Processor sections in this record", "", "1src"),
    F(  84, "smf744co", u4,  "Offset of the first cache section", "bytes", "1src"),
    F(  88, "smf744cl", u2,  "Length of each cache section", "bytes", "1src"),
    F(  90, "smf744cn", u2,  "Cache sections in this record", "", "1src"),
    F(  92, "smf744ro", u4,  "Offset of the first remote facility section", "bytes", "1src"),
    F(  96, "smf744rl", u2,  "Length of each remote facility section", "bytes", "1src"),
    F(  98, "smf744rn", u2,  "Remote facility sections in this record", "", "1src"),
    F( 100, "smf744ho", u4,  "Offset of the first channel path section", "bytes", "1src"),
    F( 104, "smf744hl", u2,  "Length of each channel path section", "bytes", "1src"),
    F( 106, "smf744hn", u2,  "Channel path sections in this record", "", "1src"),
    F( 108, "smf744mo", u4,  "Offset of the first storage class memory section", "bytes", "1src"),
    F( 112, "smf744ml", u2,  "Length of each storage class memory section", "bytes", "1src"),
    F( 114, "smf744mn", u2,  "Storage class memory sections in this record", "", "1src"),
    F( 116, "smf744ao", u4,  "Offset of the first asynchronous duplexing section", "bytes", "1src"),
    F( 120, "smf744al", u2,  "Length of each asynchronous duplexing section", "bytes", "1src"),
    F( 122, "smf744an", u2,  "Asynchronous duplexing sections in this record", "", "1src"),
))

PRODUCT = product("smf74_4_product")

FACILITY = Section("smf74_4_facility", "The coupling facility as this system uses it, one row per record", f"{_SOURCE} local coupling facility data section (R744FLCF)", 188, (
    #  +dec  name       kind        meaning
    F(   0, "r744fnam", text(8),   "Coupling facility"),
    F(   8, "r744fsys", text(8),   "System that gathered the data"),
    F(  16, "r744fflg", flags1,    "Flags: bit 0 connected, 1 became active, 3 dynamic dispatching, 4 thin interrupts"),
    F(  17, "r744fflc", flags1,    "Flags for information; bits not verified"),
    # +18: 1 byte not described
    F(  19, "r744famv", u1,        "Version of the measurement area"),
    F(  20, "r744fpam", s4,        "Paths that lead to the facility"),
    F(  24, "r744fpbc", hfp8,      "Requests held up by a busy path", "requests"),
    F(  32, "r744fscg", u4,        "Subchannels defined"),
    F(  36, "r744fscu", u4,        "Subchannels used"),
    F(  40, "r744fscl", u4,        "Subchannels that may be used"),
    F(  44, "r744fscc", hfp8,      "Times every subchannel was busy"),
    F(  52, "r744ftor", hfp8,      "Requests of this system, all", "requests"),
    F(  60, "r744fail", hfp8,      "Requests of this system that failed", "requests"),
    F(  68, "r744ftim", u8,        "Service time of failed requests", "us"),
    F(  76, "r744fsqu", u8,        "Service time of failed requests, sum of squares in us squared"),
    F(  84, "r744fctm", u8,        "Time spent waiting for a subchannel", "us"),
    F(  92, "r744fcsq", u8,        "Time spent waiting for a subchannel, sum of squares in us squared"),
    F( 100, "r744fmod", text(6),   "Machine type of the facility, right-aligned"),
    F( 106, "r744fver", text(3),   "Machine model of the facility"),
    F( 109, "r744fmpc", text(2),   "Plant that made the machine"),
    F( 111, "r744flpn", u1,        "Partition number of the facility"),
    F( 112, "r744flvl", s4,        "Level of the facility (CFLEVEL)"),
    F( 116, "r744fpas", u1,        "Path mask; meaning taken from the field name"),
    F( 117, "r744fpis", u1,        "Path mask; meaning taken from the field name"),
    F( 118, "r744fpcm", u1,        "Path mask; meaning taken from the field name"),
    # +119: 41 bytes not described
    F( 160, "r744fseq", text(12),  "Serial number of the machine"),
    F( 172, "r744fpsn", u2,        "Shared processors of the facility", "processors"),
    F( 174, "r744fpdn", u2,        "Dedicated processors of the facility", "processors"),
    # +176: 8 bytes not described
    F( 184, "r744fcpi", u2,        "First channel path section of this facility, from 1"),
    F( 186, "r744fcpn", u2,        "Channel path sections of this facility"),
), "1src")

CONNECTION = Section("smf74_4_connection", "One system connected to the facility", f"{_SOURCE} connectivity section", 8, (
    #  +dec  name       kind       meaning
    F(   0, "r744xsys", text(8),  "System that is connected"),
), "1src")

STORAGE = Section("smf74_4_storage", "Storage of the facility, one row per record", f"{_SOURCE} storage data section (R744GSRG)", 50, (
    #  +dec  name       kind  meaning
    F(   0, "r744gcsd", u4,  "Control storage defined", "4 KB"),
    F(   4, "r744gcsf", u4,  "Control storage free", "4 KB"),
    F(   8, "r744gtsd", u4,  "Storage defined, control and data", "4 KB"),
    F(  12, "r744gtsf", u4,  "Storage free, control and data", "4 KB"),
    F(  16, "r744gdsa", u4,  "Dump space allocated", "4 KB"),
    F(  20, "r744gdsf", u4,  "Dump space free", "4 KB"),
    F(  24, "r744gdsr", u4,  "Dump space, most ever asked for", "4 KB"),
    # +28: 4 bytes not described
    F(  32, "r744gtsc", u8,  "Storage class memory that may be assigned", "4 KB"),
    F(  40, "r744gfsc", u8,  "Storage class memory free", "4 KB"),
    F(  48, "r744gisc", u2,  "Step in which storage class memory is assigned", "4 KB"),
), "1src")

STRUCTURE = Section("smf74_4_structure", "One structure in the facility", f"{_SOURCE} structure data section (R744QSDS)", 30, (
    #  +dec  name       kind         meaning
    F(   0, "r744qstr", text(16),   "Structure"),
    F(  16, "r744qsiz", u4,         "Size asked for", "4 KB"),
    F(  20, "r744qver", opaque(8),  "Structure version"),
    F(  28, "r744qflg", flags1,     "Flags: bit 0 active, 1 new and 2 old side of a rebuild, 4 held, 7 duplexed"),
    F(  29, "r744qfl1", flags1,     "Flags: bit 0 duplexed asynchronously"),
), "1src")

PROCESSOR = Section("smf74_4_processor", "One processor of the facility", f"{_SOURCE} processor utilisation section (R744PROC)", 44, (
    #  +dec  name       kind          meaning
    F(   0, "r744pnum", u4,          "Processor number"),
    F(   4, "r744pbsy", u4,          "Busy time", "us"),
    F(   8, "r744pwai", u4,          "Wait time", "us"),
    F(  12, "r744ptyp", flags1,      "Flags: bit 0 dedicated (CFLEVEL 15 and up)"),
    # +13: 1 byte not described
    F(  14, "r744pwgt", u2,          "Weight of a shared processor"),
    F(  16, "r744pbsg", u1,          "Buffer summary group it serves (CFLEVEL 25 and up)"),
    # +17: 7 bytes not described
    F(  24, "r744pcct", u4,          "Commands it executed (CFLEVEL 25 and up)"),
    F(  28, "r744ptle", opaque(16),  "Topology list entry as STSI 15.1.2 gives it"),
), "1src")

CACHE = Section("smf74_4_cache", "Hits, misses and cross-invalidations of one cache storage class", f"{_SOURCE} cache data section (R744CACH)", 200, (
    #  +dec  name       kind    meaning
    F(   0, "r744crhc", hfp8,  "Read hits"),
    F(   8, "r744crmd", hfp8,  "Read misses: directory entry found, no data"),
    F(  16, "r744crma", hfp8,  "Read misses: assignment suppressed"),
    F(  24, "r744crmn", hfp8,  "Read misses: name assigned"),
    F(  32, "r744crmt", hfp8,  "Read misses: target storage class full"),
    F(  40, "r744cwh0", hfp8,  "Write hits on unchanged data"),
    F(  48, "r744cwh1", hfp8,  "Write hits on changed data"),
    F(  56, "r744cwmn", hfp8,  "Write misses: not registered"),
    F(  64, "r744cwmi", hfp8,  "Write misses: state not valid"),
    F(  72, "r744cwmt", hfp8,  "Write misses: target storage class full"),
    F(  80, "r744cder", hfp8,  "Directory entries reclaimed"),
    F(  88, "r744cdtr", hfp8,  "Data entries reclaimed"),
    F(  96, "r744cxdr", hfp8,  "Cross-invalidations: directory entry reclaimed"),
    F( 104, "r744cxfw", hfp8,  "Cross-invalidations: data written"),
    F( 112, "r744cxni", hfp8,  "Cross-invalidations: name invalidated"),
    F( 120, "r744cxci", hfp8,  "Cross-invalidations: complement invalidated"),
    F( 128, "r744ccoc", hfp8,  "Castouts"),
    F( 136, "r744crsm", hfp8,  "Reference signals that missed"),
    F( 144, "r744ctsf", hfp8,  "Times the target storage class was full"),
    F( 152, "r744cdec", u4,    "Directory entries at the interval's end"),
    F( 156, "r744cdac", u4,    "Data elements at the interval's end"),
    F( 160, "r744ctcc", u4,    "Changed entries"),
    F( 164, "r744cdta", u4,    "Data areas"),
    F( 168, "r744crlc", hfp8,  "Reference lists processed to the end"),
    F( 176, "r744cprl", hfp8,  "Reference lists processed in part"),
    F( 184, "r744cxrl", hfp8,  "Cross-invalidations: local vector index replaced"),
    F( 192, "r744cwuc", hfp8,  "Writes of unchanged data"),
), "1src")

REMOTE = Section("smf74_4_remote", "Another facility this one is connected to", f"{_SOURCE} remote facility section (R744CFRF)", 248, (
    #  +dec  name          kind         meaning
    # +0: 1 byte not described; the node descriptor fills +0 to +31
    F(   1, "r744r_byte1", flags1,     "Node descriptor: byte 1, bits 0-3 side, 5 physically partitioned; the project's name"),
    # +2: 1 byte not described
    F(   3, "r744r_part",  u1,         "Node descriptor: partition number; the project's name"),
    F(   4, "r744r_type",  text(6),    "Node descriptor: machine type; the project's name"),
    F(  10, "r744r_model", text(3),    "Node descriptor: machine model; the project's name"),
    F(  13, "r744r_mfr",   text(3),    "Node descriptor: maker; the project's name"),
    F(  16, "r744r_plant", text(2),    "Node descriptor: plant; the project's name"),
    F(  18, "r744r_seq",   text(12),   "Node descriptor: serial number; the project's name"),
    F(  30, "r744r_tag",   u2,         "Node descriptor: tag, the second byte is the machine's id; the project's name"),
    F(  32, "r744rsys",    opaque(8),  "System id of the remote facility"),
    F(  40, "r744rnam",    text(8),    "Remote facility"),
    F(  48, "r744rpgs",    u1,         "Paths in the receiving group", "", "2src"),
    F(  49, "r744rflg",    flags1,     "Flags: bit 0 connected at the interval's end, 1 became active"),
    # +50: 2 bytes not described
    F(  52, "r744rres",    u4,         "Signals sent: ready to execute"),
    F(  56, "r744rrcs",    u4,         "Signals sent: ready to complete"),
    F(  60, "r744rhes",    u4,         "Signals sent: halt execution"),
    F(  64, "r744rrss",    u4,         "Signals sent: request for suppression"),
    F(  68, "r744rrsa",    u4,         "Requests for suppression that were accepted"),
    F(  72, "r744rsst",    u4,         "No longer used; r744rsse holds the sum", "", "2src"),
    F(  76, "r744rsss",    u8,         "Service time of signals, sum of squares in us squared"),
    F(  84, "r744rdsc",    u4,         "Signals held up"),
    F(  88, "r744rsdt",    u4,         "Delay of the signals held up", "us"),
    F(  92, "r744rssd",    u8,         "Delay of the signals held up, sum of squares in us squared"),
    F( 100, "r744rsrs",    u4,         "Signals sent again"),
    F( 104, "r744rtap",    text(40),   "Path types of the receiving paths: eight times five letters, the first r744rpgs valid"),
    F( 144, "r744rsse",    u8,         "Service time of signals", "us"),
    F( 152, "r744ridp",    opaque(8),  "Channel path ids of the receiving paths, one byte each"),
    F( 160, "r744rcpi",    u2,         "First channel path section of this facility, from 1"),
    F( 162, "r744rcpn",    u2,         "Channel path sections of this facility"),
    F( 164, "r744rsgs",    u1,         "Paths in the sending group"),
    # +165: 51 bytes not described; sender path types and ids stand there, places not verified
    F( 216, "r744rsc",     u4,         "Subchannels"),
    F( 220, "r744ramc",    u4,         "Asynchronous messages"),
    F( 224, "r744ramst",   u8,         "Asynchronous messages: service time", "us"),
    F( 232, "r744ramsq",   u8,         "Asynchronous messages: service time, sum of squares in us squared"),
    F( 240, "r744rampb",   u4,         "Asynchronous messages: times the path was busy"),
    F( 244, "r744ramns",   u4,         "Asynchronous messages: times no subchannel was free"),
), "1src")

CHANNEL_PATH = Section("smf74_4_channel_path", "One channel path to a facility", f"{_SOURCE} channel path data section (R744CHPA)", 25, (
    #  +dec  name       kind       meaning
    F(   0, "r744hcpi", u1,       "Channel path id"),
    F(   1, "r744htap", text(5),  "Type of the channel path: CS5"),
    F(   6, "r744hfl1", flags1,   "Which fields are valid: bit 1 r744hopm, 2 r744hlat, 3 bit 0 of r744hchf (smf2db alone names the bits)"),
    F(   7, "r744hfl2", flags1,   "Flags: which fields are valid, continued; bits not verified"),
    # +8: 2 bytes not described
    F(  10, "r744hopm", u1,       "Operation mode of the link"),
    F(  11, "r744hchf", flags1,   "Channel flags: bit 0 degraded, or not working at the interval's end, 1 a sending path (smf2db alone names the bits)"),
    F(  12, "r744hlat", u4,       "Round trip on the link", "us"),
    F(  16, "r744hpcp", u2,       "Physical channel id (PCHID)"),
    F(  18, "r744haid", u2,       "Adapter id"),
    F(  20, "r744hapn", u1,       "Port of the adapter"),
    # +21: 3 bytes not described
    F(  24, "r744hsap", u1,       "System assist processor; meaning taken from the field name"),
), "1src")

SCM = Section("smf74_4_scm", "Storage class memory of one structure", f"{_SOURCE} storage class memory section (R744MSCM)", 172, (
    #  +dec  name       kind  meaning
    F(   0, "r744msma", u8,  "Most storage class memory the structure may use", "4 KB"),
    F(   8, "r744malg", u1,  "Algorithm that moves data to storage class memory"),
    # +9: 3 bytes not described
    F(  12, "r744mfau", u4,  "Augmented space, fixed part", "4 KB"),
    # +16: 4 bytes not described
    F(  20, "r744miua", u4,  "Augmented space in use; the unit is assumed", "4 KB"),
    F(  24, "r744mius", u8,  "Storage class memory in use", "4 KB"),
    # +32: 4 bytes not described
    F(  36, "r744mema", u4,  "Augmented space, most expected", "4 KB"),
    F(  40, "r744meml", u8,  "List entries in storage class memory, most expected"),
    F(  48, "r744meme", u8,  "List elements in storage class memory, most expected"),
    F(  56, "r744menl", u8,  "List entries that are in storage class memory"),
    F(  64, "r744mene", u8,  "List elements that are in storage class memory"),
    F(  72, "r744mslt", u1,  "Migration threshold, lower", "%"),
    F(  73, "r744msut", u1,  "Migration threshold, upper", "%"),
    F(  74, "r744mslr", u1,  "Regulator of the lower threshold", "%"),
    F(  75, "r744msur", u1,  "Regulator of the upper threshold", "%"),
    F(  76, "r744mswc", u4,  "Writes to storage class memory"),
    F(  80, "r744mrfc", u4,  "Reads from storage class memory because data were referenced"),
    F(  84, "r744mrpc", u4,  "Reads from storage class memory ahead of need"),
    F(  88, "r744mrst", u8,  "Service time of the reads", "us"),
    F(  96, "r744mrsq", u8,  "Service time of the reads, sum of squares in us squared"),
    F( 104, "r744mwst", u8,  "Service time of the writes", "us"),
    F( 112, "r744mwsq", u8,  "Service time of the writes, sum of squares in us squared"),
    F( 120, "r744mrbt", u8,  "Data read", "4 KB"),
    F( 128, "r744mwbt", u8,  "Data written", "4 KB"),
    F( 136, "r744maec", u4,  "Commands that took auxiliary frames"),
    F( 140, "r744msrl", u4,  "References: to find a list object"),
    F( 144, "r744msrr", u4,  "References: to resolve key hashing"),
    F( 148, "r744msrm", u4,  "References: to make room by migration"),
    F( 152, "r744mmbl", u4,  "List entries in one buffer, most"),
    F( 156, "r744mmbe", u4,  "List elements in one buffer, most"),
    F( 160, "r744mnel", u4,  "List elements left after an allocation, fewest"),
    F( 164, "r744mnec", u4,  "List entries left after an allocation, fewest"),
    F( 168, "r744msrk", u4,  "References: to set up a key range"),
), "1src")

DUPLEX = Section("smf74_4_duplex", "Asynchronous duplexing of one structure", f"{_SOURCE} asynchronous CF duplexing section", 248, (
    #  +dec  name         kind  meaning
    F(   0, "r744afo",    u8,  "Newest operation that failed, its number"),
    F(   8, "r744aheo",   u8,  "Highest operation the secondary may execute, its number"),
    F(  16, "r744alaoh",  u8,  "Highest operation executed in the primary, its number"),
    F(  24, "r744alaosh", u8,  "Highest operation of the primary that the secondary knows, its number"),
    F(  32, "r744alcoh",  u8,  "Highest operation completed in the secondary, its number"),
    F(  40, "r744alcoph", u8,  "Highest operation of the secondary that the primary knows, its number"),
    F(  48, "r744alao",   u8,  "Operations the primary executed"),
    F(  56, "r744alaos",  u8,  "Operations of the primary that the secondary knows"),
    F(  64, "r744alco",   u8,  "Operations the secondary completed"),
    F(  72, "r744alcop",  u8,  "Operations completed in both that the primary knows"),
    F(  80, "r744atpoct", u8,  "Operations sent to the secondary, counted on over intervals"),
    F(  88, "r744atpoc",  u8,  "Operations sent to the secondary"),
    F(  96, "r744arcpot", u8,  "Operations reported complete to the primary, counted on over intervals"),
    F( 104, "r744arcpo",  u8,  "Operations reported complete to the primary"),
    F( 112, "r744acqsc",  u8,  "Times the secondary's queue stalled"),
    F( 120, "r744apdt",   u8,  "Primary: delay", "us"),
    F( 128, "r744apdq",   u8,  "Primary: delay, sum of squares in us squared"),
    F( 136, "r744amdt",   u8,  "Messages: delay", "us"),
    F( 144, "r744amdq",   u8,  "Messages: delay, sum of squares in us squared"),
    F( 152, "r744aqdt",   u8,  "Secondary's queue: delay", "us"),
    F( 160, "r744aqdq",   u8,  "Secondary's queue: delay, sum of squares in us squared"),
    F( 168, "r744aqst",   u8,  "Secondary's queue: time stalled", "us"),
    F( 176, "r744aqsq",   u8,  "Secondary's queue: time stalled, sum of squares in us squared"),
    F( 184, "r744acdt",   u8,  "Completion report: delay", "us"),
    F( 192, "r744acdq",   u8,  "Completion report: delay, sum of squares in us squared"),
    F( 200, "r744ardt",   u8,  "Response: delay", "us"),
    F( 208, "r744ardq",   u8,  "Response: delay, sum of squares in us squared"),
    F( 216, "r744aott",   u8,  "Way to the secondary: time", "us"),
    F( 224, "r744aotq",   u8,  "Way to the secondary: time, sum of squares in us squared"),
    F( 232, "r744astt",   u8,  "Transfer and completion: time", "us"),
    F( 240, "r744astq",   u8,  "Transfer and completion: time, sum of squares in us squared"),
), "1src")

CF_ACTIVITY = Record(
    74, 4, "Coupling facility activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, FACILITY),
        triplet(44, CONNECTION),
        triplet(52, STORAGE),
        triplet(60, STRUCTURE),
        triplet(68, REQUEST),
        triplet(76, PROCESSOR),
        triplet(84, CACHE),
        triplet(92, REMOTE),
        triplet(100, CHANNEL_PATH),
        triplet(108, SCM),
        triplet(116, DUPLEX),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    indexes=(
        Index(REQUEST, CACHE, first="r744cdsi", number="r744cdne"),
        Index(REQUEST, SCM, first="r744sisc", number="r744snsc"),
        Index(REQUEST, DUPLEX, first="r744siad", number="r744sadn"),
        Index(FACILITY, CHANNEL_PATH, first="r744fcpi", number="r744fcpn"),
        Index(REMOTE, CHANNEL_PATH, first="r744rcpi", number="r744rcpn"),
    ),
    evidence=(*rmf_evidence(PRODUCT), *in_use(CONNECTION, STRUCTURE, CHANNEL_PATH), *never_zero(FACILITY, "r744fnam", "r744fsys")),
)

RECORDS = (CF_ACTIVITY,)
