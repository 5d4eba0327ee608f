"""SMF type 88 subtype 1: what the system logger did for one log stream, written when the SMF interval ends.

A record holds one log stream and its interim storage, a coupling facility structure or staging data sets; values
of several systems add up to the sysplex. Subtype 11 records, one per structure, have the same header and the alter
section. smf88ltd, GMT, is when the interval ended; the record does not hold its start. Byte counts are hexadecimal
floating point that is not aligned; rebuild counts run on over intervals.
Not described: the product section, what follows type-1 completions in the structure section and what follows
+35 in the events section. Where the
triplets of the structure, events and alter sections stand is inferred from their order.
"""

from __future__ import annotations

from imsperf.kinds import flags1, flags2, hfp8, opaque, text, tod, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, standard_header
from imsperf.record import Record, never_zero, once, triplet

_SOURCE = f"{BOOK}: record type 88 subtype 1,"

# fmt: off

HEADER = Section("smf88_1_header", "One row per type 88 record: one log stream or structure in an interval", f"{BOOK}: record type 88, header and self-defining section", 68, (
    *standard_header("smf88"),
    #  +dec  name       kind  meaning
    F(  24, "smf88sdl", u4,  "Length of the self-defining section", "bytes"),
    F(  28, "smf88pof", u4,  "Offset of the product section, from the RDW", "bytes"),
    F(  32, "smf88pln", u2,  "Length of the product section", "bytes"),
    F(  34, "smf88pon", u2,  "Product sections"),
    F(  36, "smf88lof", u4,  "Offset of the log stream section", "bytes"),
    F(  40, "smf88lln", u2,  "Length of the log stream section", "bytes"),
    F(  42, "smf88lon", u2,  "Log stream sections"),
    F(  44, "smf88sof", u4,  "Offset of the structure section", "bytes", "inferred"),
    F(  48, "smf88sln", u2,  "Length of the structure section", "bytes", "inferred"),
    F(  50, "smf88son", u2,  "Structure sections", "", "inferred"),
    F(  52, "smf88eof", u4,  "Offset of the events section; place by order, name by analogy", "bytes", "inferred"),
    F(  56, "smf88eln", u2,  "Length of the events section", "bytes", "inferred"),
    F(  58, "smf88eon", u2,  "Events sections", "", "inferred"),
    F(  60, "smf88aof", u4,  "Offset of the structure alter section; place by order", "bytes", "inferred"),
    F(  64, "smf88aln", u2,  "Length of the structure alter section", "bytes", "inferred"),
    F(  66, "smf88aon", u2,  "Structure alter sections", "", "inferred"),
))

LOG_STREAM = Section("smf88_1_log_stream", "Writes to one log stream", f"{_SOURCE} log stream section", 76, (
    #  +dec  name       kind         meaning
    F(   0, "smf88lit", opaque(8),  "Token of the connection; ties its records together"),
    F(   8, "smf88lsn", text(26),   "Log stream"),
    F(  34, "smf88lfl", flags2,     "Flags: bit 1 staging data sets, 2 written at disconnect, 3 zAware"),
    F(  36, "smf88ltd", tod,        "When the SMF interval ended"),
    F(  44, "smf88lwi", u4,         "IXGWRITE calls"),
    F(  48, "smf88lib", u4,         "Shortest block written", "bytes"),
    F(  52, "smf88lab", u4,         "Longest block written", "bytes"),
    F(  56, "smf88lwb", hfp8,       "Bytes users wrote", "bytes"),
    F(  64, "smf88ldb", hfp8,       "Bytes written to disk", "bytes"),
    F(  72, "smf88lio", u4,         "A count of I/Os; meaning not verified"),
), "2src")

STRUCTURE = Section("smf88_1_structure", "Interim storage of one log stream; the leading part", f"{_SOURCE} structure (interim storage) section", 56, (
    #  +dec  name       kind        meaning
    F(   0, "smf88stn", text(16),  "Structure; *DASDONLY where there is none"),
    F(  16, "smf88swb", hfp8,      "Bytes put into interim storage", "bytes"),
    F(  24, "smf88sib", hfp8,      "Bytes deleted before they were moved to disk", "bytes"),
    F(  32, "smf88sab", hfp8,      "Bytes deleted after they were moved to disk", "bytes"),
    # +40: 4 bytes not described
    F(  44, "smf88sii", u4,        "Deletions of data not yet moved to disk"),
    F(  48, "smf88sai", u4,        "Deletions of data moved to disk before"),
    F(  52, "smf88sc1", u4,        "Writes that completed as type 1"),
), "2src")

EVENTS = Section("smf88_1_events", "What happened to one log stream; the leading part", f"{_SOURCE} events section", 36, (
    #  +dec  name       kind  meaning
    F(   0, "smf88eds", u4,  "Switches to a new disk data set of the log stream"),
    F(   4, "smf88eri", u4,  "Structure rebuilds started, counted up over intervals"),
    F(   8, "smf88erc", u4,  "Structure rebuilds completed, counted up over intervals"),
    F(  12, "smf88esf", u4,  "Times the structure was full"),
    F(  16, "smf88ett", u4,  "Times a staging data set passed its threshold"),
    F(  20, "smf88etf", u4,  "Times a staging data set was full"),
    F(  24, "smf88eo",  u4,  "Offloads that moved some data"),
    F(  28, "smf88efs", u4,  "Offloads forced because 90 % of the structure's entries were in use"),
    F(  32, "smf88edo", u4,  "An event count; meaning not verified"),
), "1src")

ALTER = Section("smf88_1_alter", "The entry to element ratio of one structure", f"{_SOURCE} structure alter section", 65, (
    #  +dec  name       kind         meaning
    F(   0, "smf88anm", text(16),   "Structure"),
    F(  16, "smf88atk", tod,        "When the element to entry ratio was last altered"),
    F(  24, "smf88ait", opaque(8),  "Token of the connection to the structure; ties its records together"),
    F(  32, "smf88awb", u8,         "Bytes this system wrote to the structure", "bytes"),
    F(  40, "smf88ao",  u4,         "Offloads on this system"),
    F(  44, "smf88acb", u4,         "Average block size that the ratio is made from", "bytes"),
    F(  48, "smf88atb", u4,         "Average block size that was aimed at", "bytes"),
    F(  52, "smf88asz", u4,         "Size of the structure", "4 KB"),
    F(  56, "smf88atw", u4,         "Writes of log blocks to the structure"),
    F(  60, "smf88als", u4,         "Log streams of this system in the structure"),
    F(  64, "smf88afg", flags1,     "Flags: bit 0 written because the block size changed, 1 because the last log stream left"),
), "1src")

SYSTEM_LOGGER = Record(
    88, 1, "System logger", HEADER,
    parts=(
        triplet(36, LOG_STREAM),
        triplet(44, STRUCTURE),
        triplet(52, EVENTS),
        triplet(60, ALTER),
    ),
    evidence=(once(LOG_STREAM), *never_zero(LOG_STREAM, "smf88lsn")),
)

RECORDS = (SYSTEM_LOGGER,)
