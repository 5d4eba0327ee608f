"""SMF type 3: where the dump program ended its work; often missing, which is no damage."""

from __future__ import annotations

from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.record import Record

# fmt: off

HEADER = Section("smf3_header", "One row per dump trailer record", f"{BOOK}: record type 3", 24, standard_header("smf3"))

RECORDS = (Record(3, None, "Dump trailer", HEADER),)
