"""Sections that many records have in common and that are no tables of their own.

The SMF headers and the RMF reassembly area stand in `smf`, the suffix of IMS log records in `imsperf.layout`.
"""

from __future__ import annotations

from imsperf.kinds import opaque, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, standard_header

# fmt: off

LOG_HEADER = Section("ims_header", "What every IMS log record begins with", "IMS 15.1 Diagnosis, log record prefix area format", 6, (
    #  +dec  name       kind  meaning
    F(   0, "ll",       u2,   "Record length, with these 4 bytes and the 16-byte suffix; the RDW of the record", "bytes"),
    F(   2, "zz",       u2,   "Zero, second half of the RDW"),
    F(   4, "code",     u1,   "Log record code"),
    F(   5, "subcode",  u1,   "Subcode, of the codes that have one; in other records flags or data"),
))

UTC_STAMP = Section("ims_utc12", "Packed time stamp of IMS, to the microsecond", "IMS 15.1 DBRC API, time stamp format", 12, (
    F(   0, "date",     opaque(4),  "Year, day of the year and a sign: yyyydddF"),
    F(   4, "time",     opaque(6),  "UTC, two digits a byte and no sign: hhmmssthmiju"),
    F(  10, "offset",   opaque(2),  "Flag digit, two digits of quarter hours from UTC to local time, sign"),
), "1src")

RMF_HEADER = Section("rmf_header", "What every RMF record begins with", f"{BOOK}: RMF header and self-defining section", 36, (
    *standard_header("smfx"),
    F(  24, "smfxtrn",  u2,   "Triplets in this record, the product section's included"),
    # +26: 2 reserved bytes
    F(  28, "smfxprs",  u4,   "Offset of the product section, from the RDW", "bytes"),
    F(  32, "smfxprl",  u2,   "Length of the product section", "bytes"),
    F(  34, "smfxprn",  u2,   "Product sections, 1"),
))

_PRODUCT = product("smfx_product")
RMF_PRODUCT = Section("rmf_product", _PRODUCT.doc, f"{BOOK}: RMF product section", _PRODUCT.length, _PRODUCT.fields)
