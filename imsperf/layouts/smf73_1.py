"""SMF type 73 subtype 1: activity of channel paths, written by RMF once an interval.

What a path reports depends on its measurement group (smf73cmg): 48 bytes of its section, which start at +24 (that
is inferred), are laid out by group and become one table each. Rates and percentages divide by smf73pti, the time
measured; without the measurement facility a path is busy smf73bsy / smf73smp of the time. FICON and zHPF operations
stand in sections of their own, found by smf73eix.

Of groups 4 and 5 only the five words that smf73fg5 speaks of are known; seven counters that follow are not placed.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp4, text, u1, u2, u3, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Index, Interval, Record, in_use, nested, triplet

_SOURCE = f"{BOOK}: record type 73 subtype 1,"

# fmt: off

HEADER = rmf_header("smf73_1_header", "One row per type 73.1 record: channel paths in an interval", (
    #  +dec  name        kind meaning
    F(  36, "smf73his",  u4,  "Offset of the channel path control section", "bytes"),
    F(  40, "smf73hil",  u2,  "Length of the channel path control section", "bytes"),
    F(  42, "smf73hin",  u2,  "Channel path control sections"),
    F(  44, "smf73hps",  u4,  "Offset of the first channel path data section", "bytes"),
    F(  48, "smf73hpl",  u2,  "Length of a channel path data section", "bytes"),
    F(  50, "smf73hpn",  u2,  "Channel path data sections"),
    F(  52, "smf73hes",  u4,  "Offset of the first extended channel path section", "bytes", "1src"),
    F(  56, "smf73hel",  u2,  "Length of an extended channel path section", "bytes", "1src"),
    F(  58, "smf73hen",  u2,  "Extended channel path sections", "", "1src"),
))

PRODUCT = product("smf73_1_product")

CONTROL = Section("smf73_1_control", "How channel paths were measured, one row per record", f"{_SOURCE} channel path control section (SMF73CTL)", 92, (
    #  +dec  name        kind      meaning
    F(   0, "smf73smp",  u4,       "Samples of channel path busy", "samples"),
    F(   4, "smf73cfl",  flags1,   "Configuration flags: bit 5 channel path measurement facility there"),
    F(   5, "smf73sfl",  flags1,   "Flags: bit 0 hardware can manage channels dynamically, 1 such channels exist, 2 several channel subsystems, 3 extended measurement"),
    # +6: 2 bytes not described
    F(   8, "smf73tnm",  text(44), "IODF data set name"),
    F(  52, "smf73tsf",  text(2),  "IODF name suffix"),
    # +54: 2 bytes not described
    F(  56, "smf73tdt",  text(8),  "IODF creation date"),
    F(  64, "smf73ttm",  text(8),  "IODF creation time"),
    F(  72, "smf73crc",  u4,       "Restarts of the channel path measurement facility"),
    F(  76, "smf73csc",  u4,       "Samples of the channel measurement", "samples"),
    F(  80, "smf73tdy",  text(10), "IODF creation date with a four-digit year"),
    F(  90, "smf73cmi",  u1,       "Channel measurement: 0 off, 1 compatibility, 2 extended"),
    F(  91, "smf73css",  u1,       "Channel subsystem of this image"),
), "1src")

CHANNEL = Section("smf73_1_channel", "One channel path in one interval", f"{_SOURCE} channel path data section (SMF73CHA)", 112, (
    #  +dec  name        kind      meaning
    F(   0, "smf73pid",  u1,       "Channel path id, read as hex digits"),
    F(   1, "smf73fg2",  flags1,   "Flags: bit 2 block multiplexor, 3 byte multiplexor, 6 varied or not valid, 7 online"),
    F(   2, "smf73fg3",  flags1,   "Flags: bit 3 modified, 4 deleted, 5 added, 6 path valid, 7 shared by partitions"),
    F(   3, "smf73fg4",  flags1,   "Flags: bit 0 measurement block not valid, 4 managed dynamically, 6 extended data valid, 7 network ids valid"),
    F(   4, "smf73bsy",  u4,       "Samples with the path busy", "samples"),
    F(   8, "smf73pby",  u4,       "Time this partition kept the path busy", "1024 us"),
    F(  12, "smf73pti",  u4,       "Time the path was measured; rates and percentages divide by it", "1024 us"),
    F(  16, "smf73cpd",  u1,       "Path description code, which gives smf73acr"),
    F(  17, "smf73acr",  text(5),  "Path type: FC_S"),
    F(  22, "smf73cmg",  u1,       "Channel measurement group: which of the cmg tables holds the rest"),
    F(  23, "smf73fg5",  flags1,   "Which of the five measurement words of the group are valid, one bit each"),
    # +24: 48 bytes, the area of the measurement group: the cmg tables
    F(  72, "smf73cpp",  u1,       "Channel path parameter"),
    F(  73, "smf73gen",  u1,       "Generation of the channel type"),
    F(  74, "smf73eix",  u2,       "Extended section of this path where bit 6 of smf73fg4 is on; that it counts from 1 is assumed"),
    F(  76, "smf73spd",  u2,       "Speed of the path at the end: in 100 Mb/s where the power in smf73msc is 0, else times 10 to that power in b/s"),
    F(  78, "smf73msc",  u1,       "Bits 4 to 7: power of the speed"),
    # +79: 1 byte not described
    F(  80, "smf73nt1",  text(16), "First physical network id"),
    F(  96, "smf73nt2",  text(16), "Second physical network id"),
), "1src")

CMG1 = Section("smf73_1_cmg1", "One channel path of measurement group 1", f"{_SOURCE} channel path data section (SMF73CHA), measurement group 1", 8, (
    #  +dec  name        kind  meaning
    F(   0, "smf73tut",  hfp4, "Time the path was busy for all partitions", "128 us"),
    F(   4, "smf73put",  hfp4, "Time the path was busy for this partition", "128 us"),
), "1src")

CMG2 = Section("smf73_1_cmg2", "One channel path of measurement group 2: FICON and others that count work units", f"{_SOURCE} channel path data section (SMF73CHA), measurement group 2", 48, (
    #  +dec  name        kind  meaning
    F(   0, "smf73mbc",  hfp4, "Bus cycles a second, at most"),
    F(   4, "smf73mcu",  hfp4, "Work units a second, at most"),
    F(   8, "smf73mwu",  hfp4, "Data units written a second, at most"),
    F(  12, "smf73mru",  hfp4, "Data units read a second, at most"),
    F(  16, "smf73us",   hfp4, "Size of a data unit", "bytes"),
    F(  20, "smf73tbc",  hfp4, "Bus cycles of all partitions"),
    F(  24, "smf73tuc",  hfp4, "Work units of all partitions"),
    F(  28, "smf73puc",  hfp4, "Work units of this partition"),
    F(  32, "smf73twu",  hfp4, "Data units all partitions wrote"),
    F(  36, "smf73pwu",  hfp4, "Data units this partition wrote"),
    F(  40, "smf73tru",  hfp4, "Data units all partitions read"),
    F(  44, "smf73pru",  hfp4, "Data units this partition read"),
), "1src")

CMG3 = Section("smf73_1_cmg3", "One channel path of measurement group 3: HiperSockets", f"{_SOURCE} channel path data section (SMF73CHA), measurement group 3", 48, (
    #  +dec  name        kind  meaning
    F(   0, "smf73pdu",  hfp4, "Size of a data unit of this partition", "bytes"),
    F(   4, "smf73tdu",  hfp4, "Size of a data unit of all partitions", "bytes"),
    F(   8, "smf73pum",  hfp4, "Size of a message unit of this partition", "bytes"),
    F(  12, "smf73tum",  hfp4, "Size of a message unit of all partitions", "bytes"),
    # +16: 4 bytes not used
    F(  20, "smf73pms",  hfp4, "Message units this partition sent"),
    F(  24, "smf73tms",  hfp4, "Message units all partitions sent"),
    F(  28, "smf73pus",  hfp4, "Sends of this partition that failed"),
    F(  32, "smf73pub",  hfp4, "Receives of this partition that failed for lack of a buffer"),
    F(  36, "smf73tub",  hfp4, "Receives of all partitions that failed for lack of a buffer"),
    F(  40, "smf73pds",  hfp4, "Data units this partition sent"),
    F(  44, "smf73tds",  hfp4, "Data units all partitions sent"),
), "1src")

CMG4 = Section("smf73_1_cmg4", "One channel path of measurement group 4, new with IBM z17", f"{_SOURCE} channel path data section (SMF73CHA), measurement group 4; words named in franfcwong/smf2db, src/smf2db/db_models/smf73_base.py", 20, (
    #  +dec  name           kind  meaning
    F(   0, "smf73g4mbc",   hfp4, "Bus cycles a second, at most"),
    F(   4, "smf73g4mcu",   hfp4, "Work units a second, at most"),
    F(   8, "smf73g4mwu",   hfp4, "Data units written a second, at most"),
    F(  12, "smf73g4mru",   hfp4, "Data units read a second, at most"),
    F(  16, "smf73g4ioec",  u1,   "Cores of I/O engines"),
    F(  17, "smf73g4us",    u3,   "Size of a data unit", "bytes"),
    # +20: seven counters, not placed by any source
), "1src")

CMG5 = Section("smf73_1_cmg5", "One channel path of measurement group 5, new with IBM z17", f"{_SOURCE} channel path data section (SMF73CHA), measurement group 5; words named in franfcwong/smf2db, src/smf2db/db_models/smf73_base.py", 20, (
    #  +dec  name           kind  meaning
    F(   0, "smf73g5mbc",   hfp4, "Bus cycles a second, at most"),
    F(   4, "smf73g5mcu",   hfp4, "Work units a second, at most"),
    F(   8, "smf73g5mwu",   hfp4, "Data units written a second, at most"),
    F(  12, "smf73g5mru",   hfp4, "Data units read a second, at most"),
    F(  16, "smf73g5ioec",  u1,   "Cores of I/O engines"),
    F(  17, "smf73g5us",    u3,   "Size of a data unit", "bytes"),
    # +20: seven counters, not placed by any source
), "1src")

EXTENDED = Section("smf73_1_extended", "FICON and zHPF operations of one channel path", f"{_SOURCE} extended channel path data section (SMF73ECD)", 36, (
    #  +dec  name        kind meaning
    F(   0, "smf73ecp",  u1,  "Channel path id, read as hex digits", "", "1src"),
    # +1: 3 bytes not described
    F(   4, "smf73eoc",  u4,  "FICON operations in command mode", "requests"),
    F(   8, "smf73eod",  u4,  "FICON operations that could not start at once", "requests"),
    F(  12, "smf73eos",  u8,  "FICON operations active at a time, summed; divide by smf73eoc"),
    F(  20, "smf73etc",  u4,  "zHPF operations in transport mode", "requests"),
    F(  24, "smf73etd",  u4,  "zHPF operations that could not start at once", "requests"),
    F(  28, "smf73ets",  u8,  "zHPF operations active at a time, summed; divide by smf73etc"),
), "inferred")

CHANNEL_PATH_ACTIVITY = Record(
    73, 1, "Channel path activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(44, CHANNEL),
        nested(24, CMG1, inside=CHANNEL, when=(22, (1,))),
        nested(24, CMG2, inside=CHANNEL, when=(22, (2,))),
        nested(24, CMG3, inside=CHANNEL, when=(22, (3,))),
        nested(24, CMG4, inside=CHANNEL, when=(22, (4,))),
        nested(24, CMG5, inside=CHANNEL, when=(22, (5,))),
        triplet(52, EXTENDED),
    ),
    interval=Interval(PRODUCT, system="smf73snm", date="smf73dat", start="smf73ist", length="smf73int"),
    indexes=(Index(CHANNEL, EXTENDED, first="smf73eix"),),
    evidence=(*rmf_evidence(PRODUCT), *in_use(CHANNEL)),
)

RECORDS = (CHANNEL_PATH_ACTIVITY,)
