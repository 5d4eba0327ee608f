"""SMF types 2 and 3: where the dump program began and ended its work.

A dump header or trailer has the 18-byte header. Type 2 subtype 2 (signature records of a signed dump) has
the 24-byte one. The tables hold both; subsystem id and subtype are NULL in the short form.
"""

from __future__ import annotations

from imsperf.layout import Record, Section
from imsperf.layouts.smf import BOOK, standard_header

# fmt: off

DUMP_HEADER = Section("smf2_header",  "One row per dump header or dump signature record", f"{BOOK}: record type 2", 24, standard_header("smf2"))
DUMP_TRAILER = Section("smf3_header", "One row per dump trailer record", f"{BOOK}: record type 3", 24, standard_header("smf3"))

RECORDS = (
    Record(2, None, "Dump header", DUMP_HEADER),
    Record(3, None, "Dump trailer", DUMP_TRAILER),
)
