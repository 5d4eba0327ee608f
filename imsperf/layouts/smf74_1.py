"""SMF type 74 subtype 1: activity of devices, written by RMF once an interval.

One record holds devices of one class (smf74sub), as many as fit; smf74tot counts them over all records of
the class. Times of the channel subsystem count 128 us; sampled counts divide by smf74sam.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp4, hfp8, text, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 1,"

# fmt: off

HEADER = rmf_header("smf74_1_header", "One row per type 74.1 record: devices of one class in an interval", (
    #  +dec  name        kind  meaning
    F(  36, "smf74dcs",  u4,   "Offset of the device control section", "bytes"),
    F(  40, "smf74dcl",  u2,   "Length of the device control section", "bytes"),
    F(  42, "smf74dcn",  u2,   "Device control sections"),
    F(  44, "smf74dds",  u4,   "Offset of the first device data section", "bytes"),
    F(  48, "smf74ddl",  u2,   "Length of a device data section", "bytes"),
    F(  50, "smf74ddn",  u2,   "Device data sections in this record"),
))

PRODUCT = product("smf74_1_product")

CONTROL = Section("smf74_1_control", "The device class and how it was measured, one row per record", f"{_SOURCE} device control section (SMF74A)", 110, (
    #  +dec  name        kind      meaning
    F(   0, "smf74nxt",  u2,       "Link to the next record of the class; how it counts is not verified"),
    F(   2, "smf74tot",  u2,       "Devices of the class in the interval, over all records"),
    F(   4, "smf74gen",  u2,       "Devices of all classes the installation defined"),
    F(   6, "smf74sub",  u2,       "Device class: X'80' tape, 40 communication, 20 DASD, 10 graphics, 08 unit record"),
    F(   8, "smf74dcf",  flags1,   "DASD only: bit 0 both parts of the report, 1 sorted by storage group"),
    F(   9, "smf74dms",  flags1,   "Messages: bit 0 SMS not available, 1 error from the SMS interface"),
    F(  10, "smf74enf",  flags1,   "What is valid: bit 0 extended measurement blocks, 2 smf74cmr, 3 smf74idt", "", "1src"),
    F(  11, "smf74smf",  flags1,   "Bit 0: more records of this class follow"),
    F(  12, "smf74s15",  u4,       "Register 15 from the SMS interface"),
    F(  16, "smf74src",  u4,       "Return code of the SMS interface"),
    F(  20, "smf74srs",  u4,       "Reason code of the SMS interface"),
    F(  24, "smf74tsr",  u2,       "SMF records the interval's data were split into"),
    F(  26, "smf74cfl",  flags1,   "Configuration change flags"),
    F(  27, "smf74lsn",  flags1,   "Sequence byte of the last record; meaning not verified"),
    # +28: 2 bytes not described
    F(  30, "smf74tnm",  text(44), "IODF data set name"),
    F(  74, "smf74tsf",  text(2),  "IODF name suffix"),
    # +76: 2 bytes not described
    F(  78, "smf74tdt",  text(8),  "IODF creation date"),
    F(  86, "smf74ttm",  text(8),  "IODF creation time"),
    # +94: 2 bytes not described
    F(  96, "smf74mct",  u4,       "Tape only: most devices allocated at once"),
    F( 100, "smf74tdy",  text(10), "IODF creation date with a four-digit year", "", "1src"),
))

DEVICE = Section("smf74_1_device", "One device in one interval", f"{_SOURCE} device data section (SMF74B)", 300, (
    #  +dec  name        kind      meaning
    F(   0, "smf74num",  u2,       "Device number, read as hex digits"),
    F(   2, "smf74lcu",  u2,       "Logical control unit number, read as hex digits"),
    # +4: 1 reserved byte
    F(   5, "smf74cnf",  flags1,   "Flags: bit 0 IOS queue not valid, 2 measurement block not valid, 3 deleted, 6 varied, 7 online"),
    F(   6, "smf74ser",  text(6),  "Volume serial"),
    F(  12, "smf74typ",  u4,       "Device type word of the UCB"),
    F(  16, "smf74nux",  u4,       "Exposures of a PAV base; aliases of a HyperPAV base, accumulated"),
    F(  20, "smf74ssc",  u4,       "I/Os: Start Subchannel instructions"),
    F(  24, "smf74mec",  u4,       "Measured events behind the times; divide by these"),
    F(  28, "smf74cnn",  u4,       "Connect time", "128 us"),
    F(  32, "smf74pen",  u4,       "Pending time", "128 us"),
    F(  36, "smf74atv",  u4,       "Active time", "128 us"),
    F(  40, "smf74dis",  u4,       "Disconnect time", "128 us"),
    F(  44, "smf74que",  u4,       "Requests found in the IOS queue, sum over the samples", "samples"),
    F(  48, "smf74utl",  u4,       "Samples with the device reserved and no I/O active", "samples"),
    F(  52, "smf74rsv",  u4,       "Samples with the device reserved", "samples"),
    # +56: 4 reserved bytes
    F(  60, "smf74alc",  u4,       "Samples with the device allocated", "samples"),
    F(  64, "smf74mtp",  u4,       "Samples with a mount pending", "samples", "1src"),
    F(  68, "smf74nrd",  u4,       "Samples with the device not ready", "samples", "1src"),
    F(  72, "smf74cof",  u2,       "Requests whose connect timer overflowed", "", "1src"),
    # +74: 2 bytes not described
    F(  76, "smf74dvb",  u4,       "Device busy delay", "128 us", "1src"),
    # +80: 4 bytes not described
    F(  84, "smf74clf",  flags1,   "Report options: bit 0 by number, 1 by storage group, 2 group changed", "", "1src"),
    # +85: 3 bytes not described
    F(  88, "smf74sgn",  text(8),  "Storage group", "", "1src"),
    F(  96, "smf74nda",  u4,       "Allocations in effect, sum over the samples", "samples", "1src"),
    F( 100, "smf74dev",  text(8),  "Device model: 33909", "", "1src"),
    F( 108, "smf74cu",   text(8),  "Control unit model: 2107", "", "1src"),
    # +116: 4 bytes not described
    F( 120, "smf74cnx",  flags1,   "Flags: bit 1 disconnect not valid, 2 PAV base, 5 connect not valid, 6 HyperPAV, 7 FICON", "", "1src"),
    F( 121, "smf74cn2",  flags1,   "Flags: bit 0 HyperWrite, 1 SuperPAV, 2 synchronous reads, 3 synchronous writes", "", "1src"),
    F( 122, "smf74mtc",  u2,       "Tape mounts", "", "1src"),
    F( 124, "smf74dts",  flags1,   "Token status: bit 0 self-describing, 3 sharing known, 4 shared", "", "1src"),
    F( 125, "smf74ndn",  text(28), "Node descriptor: type, model, maker, plant, serial number", "", "1src"),
    F( 153, "smf74hpc",  u1,       "HyperPAV aliases configured for the logical subsystem", "", "1src"),
    F( 154, "smf74nss",  u2,       "Samples left out because a counter jumped", "samples", "1src"),
    F( 156, "smf74psm",  u4,       "PAV samples that succeeded; smf74nux divides by these", "samples", "1src"),
    F( 160, "smf74pct",  u4,       "PAV samples that failed", "samples", "1src"),
    F( 164, "smf74cmr",  u4,       "Initial command response time", "128 us", "1src"),
    F( 168, "smf74cap",  u4,       "Volume capacity", "cylinders", "1src"),
    F( 172, "smf74idt",  u4,       "Interrupt delay time", "128 us", "1src"),
    F( 176, "smf74cuq",  u4,       "Time queued in the control unit; the unit is inferred", "128 us", "1src"),
    # +180: 1 byte not described
    F( 181, "smf74scs",  u1,       "Subchannel set", "", "1src"),
    F( 182, "smf74nm2",  u2,       "Device number in the subchannel set, read as hex digits", "", "1src"),
    F( 184, "smf74atd",  u4,       "I/Os held back by alias throttling", "", "1src"),
    # +188: 3 bytes not described
    F( 191, "smf74agc",  u1,       "Alias management group, the controller's number", "", "1src"),
    F( 192, "smf74ags",  u4,       "Alias management group, the system's number", "", "1src"),
    # +196: 4 bytes not described
    F( 200, "smf74sbr",  hfp8,     "Synchronous I/O: bytes read", "bytes", "1src"),
    F( 208, "smf74sbw",  hfp8,     "Synchronous I/O: bytes written", "bytes", "1src"),
    F( 216, "smf74sqr",  hfp8,     "Synchronous I/O: read requests", "", "1src"),
    F( 224, "smf74sqw",  hfp8,     "Synchronous I/O: write requests", "", "1src"),
    F( 232, "smf74spr",  hfp8,     "Synchronous I/O: time of reads", "0.5 us", "1src"),
    F( 240, "smf74spw",  hfp8,     "Synchronous I/O: time of writes", "0.5 us", "1src"),
    F( 248, "smf74sftr", hfp8,     "Synchronous I/O: time of failed reads", "0.5 us", "1src"),
    F( 256, "smf74sftw", hfp8,     "Synchronous I/O: time of failed writes", "0.5 us", "1src"),
    F( 264, "smf74slbr", hfp4,     "Synchronous I/O: reads that met a busy link", "", "1src"),
    F( 268, "smf74slbw", hfp4,     "Synchronous I/O: writes that met a busy link", "", "1src"),
    F( 272, "smf74scmr", hfp4,     "Synchronous I/O: reads that missed the cache", "", "1src"),
    F( 276, "smf74snis", hfp4,     "Synchronous I/O: writes that could not be stored at once", "", "1src"),
    F( 280, "smf74stor", hfp4,     "Synchronous I/O: reads that timed out", "", "1src"),
    F( 284, "smf74stow", hfp4,     "Synchronous I/O: writes that timed out", "", "1src"),
    F( 288, "smf74sor",  hfp4,     "Synchronous I/O: reads refused for other reasons", "", "1src"),
    F( 292, "smf74sow",  hfp4,     "Synchronous I/O: writes refused for other reasons", "", "1src"),
    F( 296, "smf74ios",  hfp4,     "Time in the IOS queue", "us", "1src"),
))

DEVICE_ACTIVITY = Record(
    74, 1, "Device activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(44, DEVICE),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    evidence=(*rmf_evidence(PRODUCT), *in_use(DEVICE)),
)

RECORDS = (DEVICE_ACTIVITY,)
