"""SMF type 74 subtype 7: ports of a FICON director, one record per switch, written by RMF once an interval.

A port with several attachments names its connector sections by index, assumed to start at 1. r747pcu and r747ccu hold a
control unit number, or a channel path id in the second byte: r747ptfl and r747ctfl tell which.
Offsets and lengths come from IBM's SMF Data REST description (z/OS 3.1) alone.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp8, opaque, text, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Index, Interval, Record, triplet

_SOURCE = f"{BOOK}: record type 74 subtype 7,"

# fmt: off

HEADER = rmf_header("smf74_7_header", "One row per type 74.7 record: one FICON director in an interval", (
    #  +dec  name       kind  meaning
    F(  36, "smf747go", u4,  "Offset of the global section", "bytes", "1src"),
    F(  40, "smf747gl", u2,  "Length of the global section", "bytes", "1src"),
    F(  42, "smf747gn", u2,  "Global sections", "", "1src"),
    F(  44, "smf747so", u4,  "Offset of the switch section", "bytes", "1src"),
    F(  48, "smf747sl", u2,  "Length of the switch section", "bytes", "1src"),
    F(  50, "smf747sn", u2,  "Switch sections", "", "1src"),
    F(  52, "smf747po", u4,  "Offset of the first port section", "bytes", "1src"),
    F(  56, "smf747pl", u2,  "Length of each port section", "bytes", "1src"),
    F(  58, "smf747pn", u2,  "Port sections in this record", "", "1src"),
    F(  60, "smf747co", u4,  "Offset of the first connector section", "bytes", "1src"),
    F(  64, "smf747cl", u2,  "Length of each connector section", "bytes", "1src"),
    F(  66, "smf747cn", u2,  "Connector sections in this record", "", "1src"),
))

PRODUCT = product("smf74_7_product")

GLOBAL = Section("smf74_7_global", "The I/O configuration as a whole, one row per record", f"{_SOURCE} FICON director global section", 68, (
    #  +dec  name       kind        meaning
    F(   0, "r747gcfl", flags1,    "Flags: bit 0 changed in the interval, 1 changed since IPL, 2 IPL with this IODF, 3 token valid"),
    # +1: 1 byte not described
    F(   2, "r747gnfd", u2,        "FICON directors installed"),
    F(   4, "r747ginm", text(44),  "IODF data set name"),
    F(  48, "r747gisf", text(2),   "IODF name suffix"),
    F(  50, "r747gicd", text(10),  "IODF creation date with a four-digit year"),
    F(  60, "r747gict", text(8),   "IODF creation time"),
), "1src")

SWITCH = Section("smf74_7_switch", "The switch, one row per record", f"{_SOURCE} FICON director switch section", 40, (
    #  +dec  name       kind          meaning
    F(   0, "r747sdev", u2,          "Device number of the switch, read as hex digits"),
    F(   2, "r747slsn", u1,          "Logical switch number, read as hex digits"),
    F(   3, "r747spfl", flags1,      "Flags: bit 0 status changed, 1 ports changed, 2 offline, 3 online now, 4 cascaded"),
    F(   4, "r747snd",  opaque(32),  "Node descriptor of the switch"),
    F(  36, "r747snsp", u2,          "Ports it can have"),
    F(  38, "r747snip", u2,          "Ports it has"),
), "1src")

PORT = Section("smf74_7_port", "One port", f"{_SOURCE} FICON director port section", 104, (
    #  +dec  name       kind          meaning
    F(   0, "r747pnum", u1,          "Port number"),
    F(   1, "r747padr", u1,          "Port address, read as hex digits"),
    F(   2, "r747ptfl", flags1,      "What is attached: bit 0 one control unit, 1 several, 2 channel path, 3 switch"),
    F(   3, "r747psfl", flags1,      "Flags: bit 0 kind and 1 id not unique, 2 this system, 3 installed, 4 changed, 5 removed, 6 activated, 7 no data"),
    F(   4, "r747pcu",  u2,          "Control unit attached, read as hex digits; the second byte is the id where a channel path is"),
    F(   6, "r747pcun", u1,          "Control units attached"),
    F(   7, "r747pnpc", u1,          "Connector sections of this port"),
    F(   8, "r747pxpc", u2,          "First connector section of this port, from 1; that it counts from 1 is assumed"),
    F(  10, "r747ppfl", flags1,      "Flags: bit 0 information returned, 1 not installed, 2 link failure, 3 offline, 4 statistics returned"),
    # +11: 5 bytes not described
    F(  16, "r747pfpt", hfp8,        "Time frames were held back, in units of 2.5 us"),
    F(  24, "r747pnwr", hfp8,        "Words received"),
    F(  32, "r747pnwt", hfp8,        "Words sent"),
    F(  40, "r747pnfr", hfp8,        "Frames received"),
    F(  48, "r747pnft", hfp8,        "Frames sent"),
    F(  56, "r747pner", hfp8,        "Errors"),
    # +64: 8 bytes not described
    # +72: 3 bytes not described; the node descriptor of what is attached fills +72 to +103: as in 74.4
    F(  75, "r747pand_part",  u1,       "Node descriptor: partition number; the project's name", "", "inferred"),
    F(  76, "r747pand_type",  text(6),  "Node descriptor: machine type; the project's name", "", "inferred"),
    F(  82, "r747pand_model", text(3),  "Node descriptor: machine model; the project's name", "", "inferred"),
    F(  85, "r747pand_mfr",   text(3),  "Node descriptor: maker; the project's name", "", "inferred"),
    F(  88, "r747pand_plant", text(2),  "Node descriptor: plant; the project's name", "", "inferred"),
    F(  90, "r747pand_seq",   text(12), "Node descriptor: serial number; the project's name", "", "inferred"),
    F( 102, "r747pand_tag",   u2,       "Node descriptor: tag; the project's name", "", "inferred"),
), "1src")

CONNECTOR = Section("smf74_7_connector", "One attachment of a port that has several", f"{_SOURCE} FICON director connector section", 7, (
    #  +dec  name       kind      meaning
    F(   0, "r747cnum", u1,      "Port number"),
    F(   1, "r747cadr", u1,      "Port address, read as hex digits"),
    F(   2, "r747ctfl", flags1,  "What is attached: bit 0 one control unit, 1 several, 2 channel path, 3 switch"),
    F(   3, "r747csfl", flags1,  "Flags as in r747psfl"),
    F(   4, "r747ccu",  u2,      "Control unit attached, read as hex digits; the second byte is the id where a channel path is"),
    F(   6, "r747ccun", u1,      "Control units attached"),
), "1src")

FICON_DIRECTOR = Record(
    74, 7, "FICON director activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, GLOBAL),
        triplet(44, SWITCH),
        triplet(52, PORT),
        triplet(60, CONNECTOR),
    ),
    interval=Interval(PRODUCT, system="smf74snm", date="smf74dat", start="smf74ist", length="smf74int"),
    indexes=(
        Index(PORT, CONNECTOR, first="r747pxpc", number="r747pnpc"),
    ),
    evidence=rmf_evidence(PRODUCT),
)

RECORDS = (FICON_DIRECTOR,)
