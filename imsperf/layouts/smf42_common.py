"""What the records of SMF type 42 share: header, product section, synchronous I/O.

DFSMS writes type 42. Times of I/Os are averages, already divided by the I/Os, in two units: 128 us, and 1 us in
the fields whose names end in 1u. The clocks of the product section are TOD clocks.
"""

from __future__ import annotations

from imsperf.kinds import text, tod, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.record import Evidence, never_zero, once

# fmt: off


def header(table: str, doc: str, triplets: tuple[F, ...]) -> Section:
    """Header of a type 42 record: 24 bytes as everywhere, the product triplet, then the subtype's own triplets."""
    return Section(table, doc, f"{BOOK}: record type 42 header and self-defining section", triplets[-1].end, (
        *standard_header("smf42"),
        #  +dec  name        kind  meaning
        F(  24, "smf42nt",   u2,   "Triplets in this record, the product section's included"),
        # +26: 2 bytes not described
        F(  28, "smf42ops",  u4,   "Offset of the product section, from the RDW", "bytes"),
        F(  32, "smf42lps",  u2,   "Length of the product section", "bytes"),
        F(  34, "smf42nps",  u2,   "Product sections, 1"),
        *triplets,
    ))


def product(table: str) -> Section:
    """The section that says which level of DFSMS wrote the record, for which interval."""
    return Section(table, "Level of DFSMS and the interval", f"{BOOK}: record type 42 product section", 36, (
        #  +dec  name        kind      meaning
        F(   0, "smf42pdl",  text(8),  "Level of DFSMS"),
        F(   8, "smf42pdn",  text(10), "Product name"),
        F(  18, "smf42psv",  u1,       "Version of the product's part that wrote the record"),
        # +19: 1 byte not described
        F(  20, "smf42pts",  tod,      "Start of the interval; UTC is assumed"),
        F(  28, "smf42pte",  tod,      "End of the interval; UTC is assumed"),
    ))


def product_evidence(section: Section) -> tuple[Evidence, ...]:
    """What every record of type 42 has: one product section, with the level of DFSMS."""
    return once(section), *never_zero(section, "smf42pdl", "smf42pdn")


def synchronous(table: str, doc: str, source: str, concurrent: str) -> Section:
    """Synchronous I/O (zHyperLink) of a storage class or a data set; `concurrent` names one field, as sources differ."""
    return Section(table, doc, source, 84, (
        #  +dec  name        kind  meaning
        F(   0, "s42snerd",  u4,   "Reads that could have been synchronous and were not tried so"),
        F(   4, "s42snerh",  u4,   "Of these, reads that hit the cache"),
        F(   8, "s42snewr",  u4,   "Writes that could have been synchronous and were not tried so"),
        F(  12, "s42snrdt",  u4,   "Synchronous reads tried"),
        F(  16, "s42snros",  u4,   "Synchronous reads that succeeded"),
        F(  20, "s42snwdt",  u4,   "Synchronous writes tried"),
        F(  24, "s42snwos",  u4,   "Synchronous writes that succeeded"),
        F(  28, "s42snseq",  u4,   "Synchronous sequential I/Os"),
        F(  32, "s42sncnd",  u4,   "I/Os the cache could serve"),
        F(  36, "s42snhts",  u4,   "I/Os the cache did serve"),
        F(  40, "s42snwcn",  u4,   "Writes the cache could take"),
        F(  44, "s42snwhi",  u4,   "Writes the cache did take"),
        F(  48, "s42snrms",  u4,   "Reads that missed the cache"),
        F(  52, "s42snwms",  u4,   "Writes that missed the cache"),
        F(  56, "s42snmxr",  u4,   "Longest response time of a read from the cache; subtype 6 only", "us"),
        F(  60, "s42snmxw",  u4,   "Longest response time of a write to the cache; subtype 6 only", "us"),
        F(  64, "s42snrdu",  u4,   "Response time of reads from the cache, average", "us"),
        F(  68, "s42snwtu",  u4,   "Response time of writes to the cache, average", "us"),
        F(  72, concurrent,  u4,   "I/Os done at the same time"),
        F(  76, "s42snctr",  u4,   "Consistent reads from the secondary tried"),
        F(  80, "s42sncok",  u4,   "Consistent reads from the secondary that succeeded"),
    ), "1src", levels=(("first version", 80),))
