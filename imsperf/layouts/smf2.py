"""SMF type 2: where the dump program began its work, and the signature records of a signed dump.

A dump header has the 18-byte header, a signature record (subtype 2) the 24-byte one. The table holds
both; subsystem id and subtype are NULL in the short form.
"""

from __future__ import annotations

from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.record import Record

# fmt: off

HEADER = Section("smf2_header",  "One row per dump header or dump signature record", f"{BOOK}: record type 2", 24, standard_header("smf2"))

RECORDS = (Record(2, None, "Dump header", HEADER),)
