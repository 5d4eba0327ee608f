"""SMF type 78 subtype 3: I/O queueing of logical control units and I/O processors, written by RMF once an interval.

A configuration control section holds the triplet of its path data, the global section that of the I/O
processors; both offsets are assumed to count from the start of the record. A queueing section names its
HyperPAV sections by index, assumed to start at 1. Times count 128 us. An interval may need several records:
r783tot counts the sections over all of them.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone: no second source confirms them.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp4, hfp8, text, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Index, Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 78 subtype 3,"

# fmt: off

HEADER = rmf_header("smf78_3_header", "One row per type 78.3 record: I/O queueing in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf78dcs", u4,  "Offset of the first configuration control section", "bytes", "1src"),
    F(  40, "smf78dcl", u2,  "Length of each configuration control section", "bytes", "inferred"),
    F(  42, "smf78dcn", u2,  "Configuration control sections in this record", "", "inferred"),
    F(  44, "smf78ass", u4,  "Offset of the first I/O queueing data section", "bytes", "1src"),
    F(  48, "smf78asl", u2,  "Length of each I/O queueing data section", "bytes", "1src"),
    F(  50, "smf78asn", u2,  "I/O queueing data sections in this record", "", "1src"),
    F(  52, "smf78qds", u4,  "Offset of the global section", "bytes", "1src"),
    F(  56, "smf78qdl", u2,  "Length of the global section", "bytes", "1src"),
    F(  58, "smf78qdn", u2,  "Global sections", "", "1src"),
    F(  60, "smf78hps", u4,  "Offset of the first HyperPAV section", "bytes", "1src"),
    F(  64, "smf78hpl", u2,  "Length of each HyperPAV section", "bytes", "1src"),
    F(  66, "smf78hpn", u2,  "HyperPAV sections in this record", "", "1src"),
))

PRODUCT = product("smf78_3_product")

CONTROL = Section("smf78_3_control", "One logical control unit and where its path data are", f"{_SOURCE} I/O queueing configuration control section (R783CS)", 20, (
    #  +dec  name       kind  meaning
    F(   0, "r783id1",  u2,  "Logical control unit, read as hex digits"),
    F(   2, "r783ntr",  u2,  "Triplets in this section, the path data's included", "", "inferred"),
    F(   4, "r783cpds", u4,  "Offset of the first path data entry of this logical control unit", "bytes"),
    F(   8, "r783cpdl", u2,  "Length of a path data entry", "bytes"),
    F(  10, "r783cpdn", u2,  "Path data entries of this logical control unit"),
    # +12: 3 bytes not described
    F(  15, "r783amgc", u1,  "Alias management group of this logical control unit"),
    F(  16, "r783amgs", u4,  "Meaning not verified; the name points to the alias management group"),
), "1src")

PATH = Section("smf78_3_path", "One channel path to a logical control unit", f"{_SOURCE} configuration data section (R783CPD)", 56, (
    #  +dec  name       kind      meaning
    F(   0, "r783cpid", u1,      "Channel path id"),
    F(   1, "r783cpst", flags1,  "Status: bit 0 installed, 1 online, 2 varied, 3 offline, 6 managed dynamically (DCM)"),
    F(   2, "r783cun",  u2,      "Control units on the path"),
    F(   4, "r783cu1",  u2,      "First control unit, read as hex digits"),
    F(   6, "r783cu2",  u2,      "Second control unit, read as hex digits"),
    F(   8, "r783cu3",  u2,      "Third control unit, read as hex digits"),
    F(  10, "r783cu4",  u2,      "Fourth control unit, read as hex digits"),
    F(  12, "r783cub",  u4,      "Times the control unit was busy"),
    F(  16, "r783pt",   u4,      "I/O requests the path took", "requests"),
    # +20: 4 bytes not described
    F(  24, "r783dpb",  u4,      "Times the director port was busy"),
    F(  28, "r783cbt",  u4,      "Control unit busy time", "128 us"),
    F(  32, "r783cmr",  u4,      "Initial command response time", "128 us"),
    F(  36, "r783sbs",  u4,      "Switch busy count, summed over all partitions"),
    # +40: 4 bytes not described
    F(  44, "r783cpxf", flags1,  "Flags: bits 0 and 1 format, 2 transfer rates valid"),
    F(  45, "r783cpat", flags1,  "Path attribute: 0 none, 1 preferred, 2 not preferred"),
    # +46: 2 bytes not described
    F(  48, "r783ctmw", u4,      "Transport-mode writes"),
    F(  52, "r783ctrd", u4,      "Transport-mode writes without first-transfer-ready"),
), "1src")

QUEUE = Section("smf78_3_queue", "I/O queueing of one logical control unit", f"{_SOURCE} I/O queueing data section (R783DS)", 68, (
    #  +dec  name       kind      meaning
    F(   0, "r783id2",  u2,      "Logical control unit, read as hex digits"),
    F(   2, "r783dst",  flags1,  "Status: bit 1 changed, 2 added, 4 DCM, 6 HyperPAV, 7 SuperPAV"),
    F(   3, "r783dstx", flags1,  "More status: bit 0 FICON channels, 1 connect time not valid"),
    F(   4, "r783qsm",  u4,      "Control unit header queue: lengths, summed over the enqueues"),
    F(   8, "r783qct",  u4,      "Control unit header queue: enqueues", "requests"),
    F(  12, "r783mcmn", u2,      "DCM channels in use, fewest"),
    F(  14, "r783mcmx", u2,      "DCM channels in use, most"),
    F(  16, "r783mcdf", u2,      "DCM channels defined"),
    # +18: 2 bytes not described
    F(  20, "r783ptm",  u4,      "DCM channels: requests", "requests"),
    F(  24, "r783dpbm", u4,      "DCM channels: times the director port was busy"),
    F(  28, "r783cubm", u4,      "DCM channels: times the control unit was busy"),
    F(  32, "r783cbtm", u4,      "DCM channels: control unit busy time", "128 us"),
    F(  36, "r783cmrm", u4,      "DCM channels: initial command response time", "128 us"),
    F(  40, "r783sbsm", u4,      "DCM channels: switch busy count"),
    F(  44, "r783dctm", u4,      "Connect time of the devices", "128 us"),
    F(  48, "r783ddtm", u4,      "Disconnect time of the devices", "128 us"),
    F(  52, "r783csst", u4,      "Time requests waited in the channel subsystem", "128 us"),
    F(  56, "r783hcnt", u2,      "HyperPAV sections of this logical control unit"),
    F(  58, "r783hix",  u2,      "First HyperPAV section of this logical control unit, from 1"),
    F(  60, "r783tmwm", u4,      "DCM channels: transport-mode writes"),
    F(  64, "r783trdm", u4,      "DCM channels: transport-mode writes without first-transfer-ready"),
), "1src")

GLOBAL = Section("smf78_3_global", "The I/O configuration as a whole, one row per record", f"{_SOURCE} I/O queueing global section (R783GD)", 106, (
    #  +dec  name       kind        meaning
    F(   0, "r783gflg", flags1,    "Flags; bits not verified"),
    F(   1, "r783gflx", flags1,    "More flags; bits not verified"),
    F(   2, "r783gntr", u2,        "Triplets that follow"),
    F(   4, "r783gids", u4,        "Offset of the first IOP entry", "bytes"),
    F(   8, "r783gidl", u2,        "Length of an IOP entry", "bytes"),
    F(  10, "r783gidn", u2,        "IOP entries"),
    # +12: 4 bytes not described
    F(  16, "r783tsr",  u2,        "SMF records the interval's data were split into", "records"),
    # +18: 2 bytes not described
    F(  20, "r783tot",  u4,        "Data sections of the interval, over all records"),
    F(  24, "r783nxt",  u4,        "Link to the next record; how it counts is not verified"),
    F(  28, "r783cfl",  flags1,    "Configuration change flags; bits not verified"),
    F(  29, "r783css",  u1,        "Channel subsystem"),
    # +30: 2 bytes not described
    F(  32, "r783tnm",  text(44),  "IODF data set name"),
    F(  76, "r783tsf",  text(2),   "IODF name suffix"),
    # +78: 2 bytes not described
    F(  80, "r783tdt",  text(8),   "IODF creation date"),
    F(  88, "r783ttm",  text(8),   "IODF creation time"),
    F(  96, "r783tdy",  text(10),  "IODF creation date with a four-digit year"),
), "1src")

IOP = Section("smf78_3_iop", "One I/O processor", f"{_SOURCE} IOP initiative queue data (R783IQD)", 96, (
    #  +dec  name       kind      meaning
    F(   0, "r783iqid", u2,      "I/O processor"),
    F(   2, "r783iflg", flags1,  "Flags: bit 0 installed"),
    # +3: 1 byte not described
    F(   4, "r783iqsm", u4,      "Initiative queue: lengths, summed over the enqueues"),
    F(   8, "r783iqct", u4,      "Initiative queue: enqueues", "requests"),
    # +12: 4 bytes not described
    F(  16, "r783iipb", hfp8,    "Times the I/O processor was found busy"),
    F(  24, "r783iipi", hfp8,    "Times the I/O processor was found idle"),
    F(  32, "r783iifs", hfp8,    "I/O functions started, retries not counted"),
    F(  40, "r783ipii", hfp8,    "I/O interrupts processed"),
    F(  48, "r783icpb", hfp8,    "Retries: channel path busy"),
    F(  56, "r783idpb", hfp8,    "Retries: director port busy"),
    F(  64, "r783icub", hfp8,    "Retries: control unit busy"),
    F(  72, "r783idvb", hfp8,    "Retries: device busy"),
    F(  80, "r783iscb", hfp8,    "Times it was busy with storage class memory"),
    F(  88, "r783iecb", hfp8,    "Times it was busy compressing or expanding data"),
), "1src")

HYPERPAV = Section("smf78_3_hyperpav", "HyperPAV or SuperPAV aliases of one logical control unit", f"{_SOURCE} HyperPAV data section (R783HPAV)", 88, (
    #  +dec  name       kind    meaning
    F(   0, "r783hlcu", u2,    "Logical control unit, read as hex digits"),
    F(   2, "r783hcu",  u2,    "Physical control unit, read as hex digits"),
    # +4: 4 bytes not described
    F(   8, "r783hnai", hfp4,  "I/Os that could not start because no alias was free"),
    F(  12, "r783htio", hfp4,  "I/O requests of the logical subsystem", "requests"),
    F(  16, "r783haiu", u4,    "Aliases in use, most; borrowed ones not counted"),
    F(  20, "r783hcad", u4,    "Aliases in use for one base device, most"),
    F(  24, "r783hioq", u4,    "I/O requests queued, most", "requests"),
    # +28: 12 bytes not described
    F(  40, "r783xanc", hfp4,  "I/Os that needed an alias"),
    F(  44, "r783xauc", hfp4,  "I/Os that needed an alias and got one"),
    F(  48, "r783xnhc", hfp4,  "I/Os that needed an alias when the home subsystem had none"),
    F(  52, "r783xabc", hfp4,  "Aliases borrowed from a peer"),
    F(  56, "r783xcbc", u4,    "Aliases borrowed at one time"),
    F(  60, "r783xhbc", u4,    "Aliases borrowed at one time, most"),
    F(  64, "r783xalc", hfp4,  "Aliases lent to a peer"),
    F(  68, "r783xclc", u4,    "Aliases lent at one time"),
    F(  72, "r783xhlc", u4,    "Aliases lent at one time, most"),
    F(  76, "r783xnag", hfp4,  "Attempts to borrow that found no alias"),
    F(  80, "r783xcqd", hfp4,  "I/Os queued, summed each time an alias was needed"),
    F(  84, "r783xciu", hfp4,  "Aliases in use, summed each time an alias was needed"),
), "1src")

IO_QUEUEING = Record(
    78, 3, "I/O queueing activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(4, PATH, inside=CONTROL),
        triplet(44, QUEUE),
        triplet(52, GLOBAL),
        triplet(4, IOP, inside=GLOBAL),
        triplet(60, HYPERPAV),
    ),
    interval=Interval(PRODUCT, system="smf78snm", date="smf78dat", start="smf78ist", length="smf78int"),
    indexes=(
        Index(QUEUE, HYPERPAV, first="r783hix", number="r783hcnt"),
    ),
    evidence=(*rmf_evidence(PRODUCT), *in_use(CONTROL, QUEUE, HYPERPAV)),
)

RECORDS = (IO_QUEUEING,)
