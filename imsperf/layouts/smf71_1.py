"""SMF type 71 subtype 1: paging activity, written by RMF once an interval.

The record tells frames of the common area in use, not how large the area is: type 78 subtype 2 has the sizes. The
header still places swap placement sections, but manuals list none since z/OS 2.3 at the latest: expect number 0. No
source for their layout was found.
"""

from __future__ import annotations

from imsperf.kinds import u2, u4
from imsperf.layout import Field as F
from imsperf.layouts.smf import product, rmf_evidence, rmf_header
from imsperf.layouts.smf71_1_paging import PAGING
from imsperf.record import Interval, Record, never_zero, triplet

# fmt: off

HEADER = rmf_header("smf71_1_header", "One row per type 71.1 record: paging in an interval", (
    #  +dec  name        kind meaning
    F(  36, "smf71pds",  u4,  "Offset of the paging section", "bytes", "1src"),
    F(  40, "smf71pdl",  u2,  "Length of the paging section", "bytes", "1src"),
    F(  42, "smf71pdn",  u2,  "Paging sections", "", "1src"),
    F(  44, "smf71sws",  u4,  "Offset of the first swap placement section", "bytes", "1src"),
    F(  48, "smf71swl",  u2,  "Length of a swap placement section", "bytes", "1src"),
    F(  50, "smf71swn",  u2,  "Swap placement sections", "", "1src"),
))

PRODUCT = product("smf71_1_product")

PAGING_ACTIVITY = Record(
    71, 1, "Paging activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, PAGING),
    ),
    interval=Interval(PRODUCT, system="smf71snm", date="smf71dat", start="smf71ist", length="smf71int"),
    evidence=(*rmf_evidence(PRODUCT), *never_zero(PAGING, "smf71tfc", "smf71mxt", "smf71opt", "smf71cax")),
)

RECORDS = (PAGING_ACTIVITY,)
