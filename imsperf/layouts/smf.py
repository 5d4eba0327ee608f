"""What SMF records share: the record header in its three forms, and the start of every RMF record.

Offsets of a header count from the start of the record, with the 4-byte RDW it begins with. The flag byte
tells the form: X'40' on means subsystem id and subtype are there (24 bytes), X'40' and X'20' with type byte
126 mean the extended header (56 bytes), else the header ends after the system id (18 bytes).

`source` names the manual that describes a section. Offsets and lengths: IBM's SMF Data REST description
(z/OS 3.1) and, where the confidence is 2src, the C mappings of ERBSMF70 (z/OS 2.4) or the manual's pages.
"""

from __future__ import annotations

from imsperf.kinds import (
    centisec,
    clock,
    date,
    flags1,
    flags2,
    length,
    opaque,
    packed,
    text,
    tod,
    tod_offset,
    u1,
    u2,
    u4,
)
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.record import Evidence, never_zero, once, reads

BOOK = "z/OS MVS System Management Facilities (SMF), SA38-0667"
SHORT_HEADER = 18  # bytes of a header without subsystem id and subtype
SUBTYPES_USED, EXTENDED = 0x40, 0x20  # bits of the flag byte
EXTENDED_TYPE = 126  # type byte of a record with the extended header

# fmt: off


def short_header(prefix: str) -> tuple[F, ...]:
    """The 18 bytes every SMF record starts with; `prefix` is what the manual puts before the field names."""
    return (
        #  +dec  name            kind        meaning
        F(   0, f"{prefix}len",  u2,         "Record length, with the 4-byte RDW it begins with", "bytes"),
        F(   2, f"{prefix}seg",  u2,         "Segment descriptor: spanning code and a zero byte"),
        F(   4, f"{prefix}flg",  flags1,     "System indicator flags: 80 subsystem id, 40 subtypes, 20 extended header"),
        F(   5, f"{prefix}rty",  u1,         "Record type; 126 says that an extended header holds it"),
        F(   6, f"{prefix}tme",  centisec,   "Local time the record reached the SMF buffer"),
        F(  10, f"{prefix}dte",  date,       "Local date the record reached the SMF buffer"),
        F(  14, f"{prefix}sid",  text(4),    "SMF system id"),
    )


def standard_header(prefix: str) -> tuple[F, ...]:
    """The 24 bytes of a record that has subtypes."""
    return (
        *short_header(prefix),
        F(  18, f"{prefix}ssi",  text(4),    "Subsystem id, who wrote the record"),
        F(  22, f"{prefix}sty",  u2,         "Record subtype"),
    )


_STANDARD = f"{BOOK}: standard SMF record header"

HEADER_18 = Section("smf_header_18", "Header of a record without subtypes", _STANDARD, 18, short_header("smfx"))
HEADER_24 = Section("smf_header_24", "Header of a record with subtypes", _STANDARD, 24, standard_header("smfx"))
HEADER_56 = Section("smf_header_56", "Header of a record of type 256 and up", f"{BOOK}: extended SMF record header", 56, (
    *standard_header("smfx"),
    F(  24, "smfxhdl",  u2,  "Length of the extended part, 32", "bytes", "1src"),
    F(  26, "smfxhdv",  u1,  "Version of the extended part, 1; that it is one byte long is assumed", "", "1src"),
    # +27: 25 bytes not described
    F(  52, "smfxtyp",  u2,  "The real record type, 0 to 2047", "", "1src"),
    # +54: 2 bytes not described
))


def rmf_header(table: str, doc: str, triplets: tuple[F, ...]) -> Section:
    """Header of an RMF record: 24 bytes as everywhere, the product triplet, then the record's own triplets."""
    prefix = table.split("_")[0]
    return Section(table, doc, f"{BOOK}: {_type(prefix)} header and self-defining section", triplets[-1].end, (
        *standard_header(prefix),
        F(  24, f"{prefix}trn",  u2,  "Triplets in this record, the product section's included"),
        # +26: 2 reserved bytes
        F(  28, f"{prefix}prs",  u4,  "Offset of the product section, from the RDW", "bytes"),
        F(  32, f"{prefix}prl",  u2,  "Length of the product section", "bytes"),
        F(  34, f"{prefix}prn",  u2,  "Product sections, 1"),
        *triplets,
    ))


def product(table: str) -> Section:
    """The section that says who wrote an RMF record, for which interval and from how many samples."""
    p = table.split("_")[0]
    return Section(table, "RMF product section: who measured, which interval, how many samples", f"{BOOK}: {_type(p)} RMF product section", 104, (
        #  +dec  name       kind        meaning
        F(   0, f"{p}mfv",  packed(2),  "RMF version code; not the z/OS level"),
        F(   2, f"{p}prd",  text(8),    "Product name, RMF"),
        F(  10, f"{p}ist",  clock,      "Local time the interval started"),
        F(  14, f"{p}dat",  date,       "Local date the interval started"),
        F(  18, f"{p}int",  length,     "Interval length"),
        F(  22, f"{p}mfl",  opaque(2),  "Reserved"),
        F(  24, f"{p}sam",  u4,         "Samples taken in the interval", "samples"),
        F(  28, f"{p}rv2",  opaque(2),  "Reserved"),
        F(  30, f"{p}fla",  flags2,     "Flags: bit 1 samples skipped, 2 written by Monitor III, 3 synchronised with SMF, 9 and 10 boosts"),
        F(  32, f"{p}rls",  text(4),    "Release field of the operating system; reserved at some levels"),
        F(  36, f"{p}cyc",  packed(4),  "Time from one sample to the next", "ms"),
        F(  40, f"{p}mvs",  text(8),    "Level of the operating system, zV020400 for z/OS 2.4"),
        F(  48, f"{p}iml",  u1,         "Processor family; 3 for all since zSeries"),
        F(  49, f"{p}prf",  flags1,     "Processor flags: bit 3 z/Architecture, 4 zAAP, 5 zIIP, 6 and 7 enhanced DAT"),
        F(  50, f"{p}ptn",  u1,         "PR/SM partition number of the system that wrote the record"),
        F(  51, f"{p}srl",  u1,         "Level of the record layout"),
        F(  52, f"{p}iet",  tod,        "Token of the interval: when it expired"),
        F(  60, f"{p}lgo",  tod_offset, "Local time minus GMT"),
        F(  68, f"{p}rao",  u4,         "Offset of the reassembly area, from the product section", "bytes"),
        F(  72, f"{p}ral",  u2,         "Length of the reassembly area", "bytes"),
        F(  74, f"{p}ran",  u2,         "Reassembly areas: 1 means this is one part of a broken record"),
        F(  76, f"{p}oil",  u2,         "Interval length as asked for", "s"),
        F(  78, f"{p}syn",  u2,         "Synchronisation value", "s"),
        F(  80, f"{p}gie",  tod,        "Planned end of the interval, GMT"),
        F(  88, f"{p}xnm",  text(8),    "Sysplex name"),
        F(  96, f"{p}snm",  text(8),    "System name"),
    ))


def rmf_evidence(section: Section) -> tuple[Evidence, ...]:
    """What every RMF record has: one product section, which says who wrote it, and when.

    CMF of BMC writes records of the same layout under its own name.
    """
    p = section.table.split("_")[0]
    return (
        once(section),
        reads(section, f"{p}prd", "RMF", "CMF"),
        *never_zero(section, f"{p}ist", f"{p}dat", f"{p}int", f"{p}sam"),
    )


def _type(prefix: str) -> str:
    return f"record type {prefix.removeprefix('smf')},"


REASSEMBLY = Section("rmf_reassembly", "Which piece of a broken RMF record this is", f"{BOOK}: RMF reassembly header", 16, (
    F(   0, "smfxrbr",  u2,  "Pieces the original record was written in"),
    F(   2, "smfxrsq",  u2,  "Which of the pieces this is, from 1"),
    F(   4, "smfxrio",  u4,  "Offset of the information blocks; from this header's start, which is assumed", "bytes"),
    F(   8, "smfxril",  u2,  "Length of an information block", "bytes"),
    F(  10, "smfxrin",  u2,  "Information blocks, one for each kind of section"),
    # +12: 4 reserved bytes
), "1src")

REASSEMBLY_BLOCK = Section("rmf_reassembly_block", "How sections of one kind are spread over the pieces", f"{BOOK}: RMF reassembly information block", 4, (
    F(   0, "smfxrnn",  u2,  "Sections of this kind in the original record"),
    F(   2, "smfxrpp",  u2,  "Position in the original of the first one here"),
), "1src")
