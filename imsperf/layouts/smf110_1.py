"""SMF type 110 subtype 1: CICS monitoring.

A CICS region writes it when its buffer of monitoring data is full. The class (smfmncl) says what the data are:
1 a dictionary, 3 performance records, 4 an exception. Dictionary and exception have fixed layouts.

Performance records have none: the dictionary of the region's run names all fields, the connectors of a record
(smfmndcn numbers of 2 bytes at smfmndca) tell which of them its performance records hold and in which order. They
are used, and are no table: a record has hundreds of them. A field's key is group, type and number (cmodname,
cmodtype, cmodidnt); nicknames occur more than once. Offsets in the product section count from the RDW.

From CICS TS 3.2 on the data section is compressed (z/OS service CSRCESRV) unless the region is told not to; the
product section then describes it as it is when expanded.
"""

from __future__ import annotations

from imsperf.kinds import flags2, opaque, packed, text, tod, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.layouts.smf110_1_performance import PERFORMANCE
from imsperf.record import At, Record, SectionPlace, once, triplet

_SOURCE = "CICS Customization Guide, SC33-1683: monitoring records,"

# fmt: off

HEADER = Section("smf110_1_header", "One row per type 110.1 record: CICS monitoring", f"{BOOK}: record type 110 header and self-defining section", 44, (
    *standard_header("smf110"),
    #  +dec  name         kind  meaning
    F(  24, "smf110trn",  u2,   "Triplets in this record, the product section's included"),
    # +26: 2 bytes not described
    F(  28, "smf110aps",  u4,   "Offset of the CICS product section, from the RDW", "bytes"),
    F(  32, "smf110lps",  u2,   "Length of the CICS product section", "bytes"),
    F(  34, "smf110nps",  u2,   "CICS product sections, 1"),
    F(  36, "smf110ass",  u4,   "Offset of the CICS data section", "bytes"),
    F(  40, "smf110asl",  u2,   "Length of the CICS data section", "bytes"),
    F(  42, "smf110asn",  u2,   "CICS data sections"),
))

PRODUCT = Section("smf110_1_product", "CICS region and what the data section holds", f"{_SOURCE} product section", 106, (
    #  +dec  name        kind       meaning
    F(   0, "smfmnrvn",  u2,        "Version of the record layout"),
    F(   2, "smfmnprn",  text(8),   "Generic APPLID of the region"),
    F(  10, "smfmnspn",  text(8),   "Specific APPLID of the region"),
    F(  18, "smfmnmfl",  flags2,    "Maintenance indicator of the record"),
    # +20: 2 bytes not described
    F(  22, "smfmncl",   u2,        "What the data are: 1 dictionary, 3 performance, 4 exception"),
    F(  24, "smfmndca",  u4,        "Offset of the first field connector, from the RDW; 0 if none", "bytes"),
    F(  28, "smfmndcl",  u2,        "Length of a field connector", "bytes"),
    F(  30, "smfmndcn",  u2,        "Field connectors"),
    F(  32, "smfmndra",  u4,        "Offset of the first data record, from the RDW", "bytes"),
    F(  36, "smfmndrl",  u2,        "Length of a data record", "bytes"),
    F(  38, "smfmndrn",  u2,        "Data records"),
    # +40: 20 bytes not described
    F(  60, "smfmntad",  u4,        "Local time minus GMT; how it is written is not verified"),
    F(  64, "smfmnlso",  opaque(8), "Leap seconds; how they are written is not verified"),
    F(  72, "smfmndto",  opaque(8), "Offset of date and time; how it is written is not verified"),
    # +80: 2 bytes not described
    F(  82, "smfmnjbn",  text(8),   "Job name of the region"),
    F(  90, "smfmnrsd",  u4,        "Date the reader saw the job card; how it is written is not verified"),
    F(  94, "smfmnrst",  u4,        "Time the reader saw the job card; how it is written is not verified"),
    F(  98, "smfmnuif",  text(8),   "Identification that exits may fill"),
), "1src")

DICTIONARY = Section("smf110_1_dictionary", "One field that performance records may hold", "CICS Customization Guide, SC33-1683 and SC34-6814: dictionary data section (DSECT)", 26, (
    #  +dec  name        kind     meaning
    F(   0, "cmodname",  text(8), "Who owns the field: a group as DFHTASK, or a user's event point"),
    F(   8, "cmodtype",  text(1), "Type of the field: A count, C text, P packed, S clock, T time stamp"),
    F(   9, "cmodidnt",  text(3), "Number of the field in its group, three digits"),
    F(  12, "cmodleng",  u2,      "Length of the field", "bytes"),
    F(  14, "cmodconn",  u2,      "Connector of the field"),
    F(  16, "cmodofst",  u2,      "Offset of the field in a performance record; 65535 if it is left out", "bytes"),
    F(  18, "cmodhead",  text(8), "Nickname of the field; not unique"),
))

EXCEPTION = Section("smf110_1_exception", "One time a transaction had to wait for a resource", "CICS Customization Guide, SC33-1683 and SC34-6814: exception data section (DSECT)", 444, (
    #  +dec  name        kind         meaning
    F(   0, "excmntrn",  text(4),     "Transaction id"),
    F(   4, "excmnter",  text(4),     "Terminal id"),
    F(   8, "excmnusr",  text(8),     "User id"),
    F(  16, "excmntst",  text(4),     "How the transaction was started"),
    F(  20, "excmnsta",  tod,         "When the exception began"),
    F(  28, "excmnsto",  tod,         "When the exception ended"),
    F(  36, "excmntno",  packed(4),   "Transaction number"),
    F(  40, "excmntpr",  u4,          "Priority of the transaction, in the last byte"),
    # +44: 4 bytes not described
    F(  48, "excmnlun",  text(8),     "Logical unit"),
    # +56: 4 bytes not described
    F(  60, "excmnexn",  u4,          "Number of the exception in its task"),
    F(  64, "excmnrty",  text(8),     "Type of the resource"),
    F(  72, "excmnrid",  text(8),     "Resource"),
    F(  80, "excmntyp",  u2,          "Kind of exception: 1 wait, 2 wait for a buffer, 3 wait for a string"),
    # +82: 2 bytes not described
    F(  84, "excmntcn",  text(8),     "Transaction class"),
    F(  92, "excmnsrv",  text(8),     "WLM service class"),
    F( 100, "excmnrpt",  text(8),     "WLM report class"),
    F( 108, "excmnnpx",  opaque(20),  "Unit of work, its network part"),
    F( 128, "excmnnsx",  opaque(8),   "Unit of work, its number"),
    F( 136, "excmntrf",  opaque(8),   "Transaction flags"),
    F( 144, "excmnfcn",  text(4),     "Transaction facility"),
    F( 148, "excmncpn",  text(8),     "Program that ran"),
    F( 156, "excmnbtr",  text(4),     "Transaction id of the bridge"),
    F( 160, "excmnuri",  opaque(16),  "RRS unit of recovery"),
    F( 176, "excmnril",  u4,          "Length of the long resource name", "bytes"),
    F( 180, "excmnrix",  opaque(256), "Long resource name"),
    F( 436, "excmnnid",  text(8),     "Network id", "", "1src"),
))

_CLASS = 23  # the low byte of smfmncl

MONITORING = Record(
    110, 1, "CICS monitoring", HEADER,
    parts=(
        triplet(28, PRODUCT),
        SectionPlace(DICTIONARY, At(32, 4), At(36), At(38), inside=PRODUCT, when=(_CLASS, (1,))),
        SectionPlace(PERFORMANCE, At(32, 4), At(36), At(38), inside=PRODUCT, when=(_CLASS, (3,))),
        SectionPlace(EXCEPTION, At(32, 4), At(36), At(38), inside=PRODUCT, when=(_CLASS, (4,))),
    ),
    evidence=(once(PRODUCT),),
)

RECORDS = (MONITORING,)
