"""SMF type 75 subtype 1: activity of one page data set, written by RMF once an interval for each of them.

Where bit 4 of smf75fl2 is on, the record is about storage class memory: name, device and volume say nothing then.
Sampled counts divide by smf75sam. The device type stands at an odd offset.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp8, text, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 75 subtype 1,"

# fmt: off

HEADER = rmf_header("smf75_1_header", "One row per type 75.1 record: one page data set in an interval", (
    #  +dec  name        kind meaning
    F(  36, "smf75pss",  u4,  "Offset of the page data set section", "bytes"),
    F(  40, "smf75psl",  u2,  "Length of the page data set section", "bytes"),
    F(  42, "smf75psn",  u2,  "Page data set sections"),
))

PRODUCT = product("smf75_1_product")

PAGE = Section("smf75_1_page", "One page data set, or the storage class memory, in one interval", f"{_SOURCE} page data set section", 124, (
    #  +dec  name        kind      meaning
    F(   0, "smf75dsn",  text(44), "Page data set"),
    F(  44, "smf75pst",  flags1,   "Flags: bit 0 PLPA, 1 common, 3 local, 5 bad, 6 varied online, 7 varied offline"),
    F(  45, "smf75fl2",  flags1,   "Flags: bit 0 takes VIO pages, 2 alternate control unit, 3 smf75dev valid, 4 storage class memory"),
    # +46: 1 byte not described
    F(  47, "smf75typ",  u4,       "Device type"),
    F(  51, "smf75cha",  u2,       "Device number, read as hex digits"),
    F(  53, "smf75vol",  text(6),  "Volume serial"),
    F(  59, "smf75scs",  text(1),  "Subchannel set, as a character", "", "1src"),
    # +60: 4 bytes not described
    F(  64, "smf75sla",  u4,       "Slots"),
    F(  68, "smf75mxu",  u4,       "Slots in use, most"),
    F(  72, "smf75mnu",  u4,       "Slots in use, least"),
    F(  76, "smf75avu",  u4,       "Slots in use, mean"),
    F(  80, "smf75bds",  u4,       "Slots that cannot be used"),
    F(  84, "smf75use",  u4,       "Samples that found the data set busy", "samples"),
    F(  88, "smf75req",  u4,       "Requests found by the samples, the same as smf75use", "samples"),
    F(  92, "smf75sio",  u4,       "I/Os started", "requests"),
    F(  96, "smf75pgx",  u4,       "Pages moved in or out", "pages"),
    F( 100, "smf75dev",  text(8),  "Device model"),
    F( 108, "smf75cu",   text(8),  "Control unit model"),
    F( 116, "smf75lvu",  hfp8,     "Slots in use, mean; wider than smf75avu"),
))

PAGE_DATA_SET_ACTIVITY = Record(
    75, 1, "Page data set activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, PAGE),
    ),
    interval=Interval(PRODUCT, system="smf75snm", date="smf75dat", start="smf75ist", length="smf75int"),
    evidence=(*rmf_evidence(PRODUCT), *in_use(PAGE)),
)

RECORDS = (PAGE_DATA_SET_ACTIVITY,)
