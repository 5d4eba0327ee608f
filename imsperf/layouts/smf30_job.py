"""Type 30: which job and step, how it ended, its I/O.

Times of day and dates of the identification section are local, those of the interval (smf30iss, smf30iet) are
TOD clocks. Connect, disconnect and pending times count 128 us.
"""

from __future__ import annotations

from imsperf.kinds import centisec, date, flags1, flags2, flags4, opaque, text, tod, u1, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK

_SOURCE = f"{BOOK}: record type 30,"

# fmt: off

SUBSYSTEM = Section("smf30_subsystem", "Which system and which release wrote the record", f"{_SOURCE} subsystem section (SMF30PSS)", 38, (
    #  +dec  name           kind     meaning
    F(   0, "smf30typ",     u2,      "Subtype once more: 1 job start, 2 and 3 interval, 4 step end, 5 job end, 6 system address space"),
    # +2: 1 byte not described
    F(   3, "smf30pflags",  flags1,  "Flags: crypto counters are on, NNPI counters are on", "", "1src"),
    F(   4, "smf30rvn",     text(2), "Version of the record layout, as 05"),
    F(   6, "smf30pnm",     text(8), "Product that wrote the record, SMF"),
    F(  14, "smf30osl",     text(8), "Level of the operating system"),
    F(  22, "smf30syn",     text(8), "System name"),
    F(  30, "smf30syp",     text(8), "Sysplex name"),
))

IDENTIFICATION = Section("smf30_identification", "Which job and step the record is about", f"{_SOURCE} identification section", 278, (
    #  +dec  name              kind       meaning
    F(   0, "smf30jbn",        text(8),   "Job name, or that of the session"),
    F(   8, "smf30pgm",        text(8),   "Program the step runs"),
    F(  16, "smf30stm",        text(8),   "Step name"),
    F(  24, "smf30uif",        opaque(8), "Identification the installation's exits put there"),
    F(  32, "smf30jnm",        text(8),   "JES job id"),
    F(  40, "smf30stn",        u2,        "Step number"),
    F(  42, "smf30cls",        text(1),   "Job class, one letter"),
    F(  43, "smf30jf1",        flags1,    "Job flags"),
    F(  44, "smf30pgn",        u2,        "Performance group; no longer used"),
    F(  46, "smf30jpt",        u2,        "JES input priority"),
    F(  48, "smf30ast",        centisec,  "Local time device allocation started"),
    F(  52, "smf30pps",        centisec,  "Local time the problem program started"),
    F(  56, "smf30sit",        centisec,  "Local time the initiator chose the step"),
    F(  60, "smf30std",        date,      "Local date the initiator chose the step"),
    F(  64, "smf30rst",        centisec,  "Local time the reader saw the job card"),
    F(  68, "smf30rsd",        date,      "Local date the reader saw the job card"),
    F(  72, "smf30ret",        centisec,  "Local time the reader saw the end of the job"),
    F(  76, "smf30red",        date,      "Local date the reader saw the end of the job"),
    F(  80, "smf30usr",        text(20),  "Programmer's name"),
    F( 100, "smf30grp",        text(8),   "RACF group"),
    F( 108, "smf30rud",        text(8),   "RACF user"),
    F( 116, "smf30tid",        text(8),   "RACF terminal; blank unless a terminal user"),
    F( 124, "smf30tsn",        text(8),   "Symbolic name of the terminal"),
    F( 132, "smf30psn",        text(8),   "Step that called the procedure"),
    F( 140, "smf30cl8",        text(8),   "Job class, eight letters"),
    F( 148, "smf30iss",        tod,       "Start of the interval, only in subtypes 2, 3 and 6; that it is UTC is assumed"),
    F( 156, "smf30iet",        tod,       "End of the interval, only in subtypes 2, 3 and 6; that it is UTC is assumed"),
    F( 164, "smf30ssn",        u4,        "Substep number: z/OS UNIX programs started by exec within the step"),
    F( 168, "smf30exn",        text(16),  "Program that z/OS UNIX exec started"),
    F( 184, "smf30asi",        u2,        "Address space id"),
    F( 186, "smf30cor",        text(64),  "Job correlator"),
    F( 250, "smf30jclid1",     text(4),   "First part of the JCL id", "", "1src"),
    F( 254, "smf30jclid2",     text(4),   "Second part of the JCL id", "", "1src"),
    F( 258, "smf30jobtoken",   opaque(8), "Token of the job", "", "1src"),
    F( 266, "smf30holduntil",  opaque(6), "Date and time the job is held until; how it is written is not verified", "", "1src"),
    F( 272, "smf30deadline",   opaque(6), "Date and time the job is to be done by; how it is written is not verified", "", "1src"),
))

IO = Section("smf30_io", "I/O of the address space, all data sets together", f"{_SOURCE} I/O activity section", 76, (
    #  +dec  name        kind    meaning
    F(   0, "smf30inp",  u4,     "Card images read from DD * and DD DATA", "records"),
    F(   4, "smf30tep",  u4,     "Blocks transferred over all data sets; wraps, see smf30tex", "blocks"),
    F(   8, "smf30tpt",  u4,     "TSO: lines written by TPUT"),
    F(  12, "smf30tgt",  u4,     "TSO: lines read by TGET"),
    F(  16, "smf30rdr",  u1,     "Device class of the reader"),
    F(  17, "smf30rdt",  u1,     "Device type of the reader"),
    F(  18, "smf30tcn",  u4,     "Connect time over all devices", "128 us"),
    F(  22, "smf30dcf",  flags4, "Flags that go with the connect time"),
    # +26: 2 bytes not described
    F(  28, "smf30trr",  u4,     "Blocks read once more"),
    F(  32, "smf30aic",  u4,     "DASD connect time of the address space and its dependent enclaves", "128 us"),
    F(  36, "smf30aid",  u4,     "DASD disconnect time of the address space and its dependent enclaves", "128 us"),
    F(  40, "smf30aiw",  u4,     "DASD pending and control unit queue time of the address space and its dependent enclaves", "128 us"),
    F(  44, "smf30ais",  u4,     "DASD I/Os of the address space and its dependent enclaves: Start Subchannel instructions"),
    F(  48, "smf30eic",  u4,     "DASD connect time of independent enclaves", "128 us"),
    F(  52, "smf30eid",  u4,     "DASD disconnect time of independent enclaves", "128 us"),
    F(  56, "smf30eiw",  u4,     "DASD pending and control unit queue time of independent enclaves", "128 us"),
    F(  60, "smf30eis",  u4,     "DASD I/Os of independent enclaves: Start Subchannel instructions"),
    F(  64, "smf30tex",  u8,     "Blocks transferred over all data sets, 64 bits", "blocks"),
    F(  72, "smf30das",  u4,     "DD accounting left out; meaning taken from the name"),
))

COMPLETION = Section("smf30_completion", "How the step or job ended", f"{_SOURCE} completion section", 8, (
    #  +dec  name        kind    meaning
    F(   0, "smf30scc",  u2,     "Completion code of the step or job: return code, or X'0xxx' system and X'8xxx' user abend"),
    F(   2, "smf30sti",  flags2, "How it ended: bit 6 abend, 7 step flushed"),
    F(   4, "smf30arc",  u4,     "Reason code of the abend"),
))

OPERATOR = Section("smf30_operator", "Mounts the operators made for the step", f"{_SOURCE} operator section", 24, (
    #  +dec  name        kind  meaning
    F(   0, "smf30pdm",  u4,   "DASD mounts without a volume asked for"),
    F(   4, "smf30prd",  u4,   "DASD mounts of a volume asked for"),
    F(   8, "smf30ptm",  u4,   "Tape mounts without a volume asked for"),
    F(  12, "smf30tpr",  u4,   "Tape mounts of a volume asked for"),
    F(  16, "smf30mtm",  u4,   "Mass storage mounts without a volume asked for"),
    F(  20, "smf30msr",  u4,   "Mass storage mounts of a volume asked for"),
), "1src")

EXCP = Section("smf30_excp", "I/O of one DD statement on one device", f"{_SOURCE} EXCP section", 30, (
    #  +dec  name        kind     meaning
    F(   0, "smf30dev",  u1,      "Device class"),
    F(   1, "smf30utp",  u1,      "Unit type"),
    F(   2, "smf30cua",  u2,      "Device number, read as hex digits"),
    F(   4, "smf30ddn",  text(8), "DD name"),
    F(  12, "smf30blk",  u4,      "Blocks transferred", "blocks"),
    F(  16, "smf30bsz",  u2,      "Largest block size; see smf30xbs", "bytes"),
    F(  18, "smf30dct",  u4,      "Device connect time", "128 us"),
    F(  22, "smf30xbs",  u8,      "Block size, 64 bits", "bytes"),
), "1src")
