"""SMF type 77 subtype 1: contention for ENQ resources, written by RMF once an interval.

One section is one resource somebody waited for. Owners and waiters are named, two of each, where detail was asked
for (bit 4 of smf77fg1).
"""

from __future__ import annotations

from imsperf.kinds import flags1, text, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, in_use, triplet

_SOURCE = f"{BOOK}: record type 77 subtype 1,"

# fmt: off

HEADER = rmf_header("smf77_1_header", "One row per type 77.1 record: contention for resources in an interval", (
    #  +dec  name        kind meaning
    F(  36, "smf77eqs",  u4,  "Offset of the enqueue control section", "bytes", "1src"),
    F(  40, "smf77eql",  u2,  "Length of the enqueue control section", "bytes", "1src"),
    F(  42, "smf77eqn",  u2,  "Enqueue control sections", "", "1src"),
    F(  44, "smf77eds",  u4,  "Offset of the first enqueue data section", "bytes", "1src"),
    F(  48, "smf77edl",  u2,  "Length of an enqueue data section", "bytes", "1src"),
    F(  50, "smf77edn",  u2,  "Enqueue data sections", "", "1src"),
))

PRODUCT = product("smf77_1_product")

CONTROL = Section("smf77_1_control", "How enqueues were measured, one row per record", f"{_SOURCE} enqueue control section", 2, (
    #  +dec  name        kind    meaning
    F(   0, "smf77fg1",  flags1, "Flags: bit 1 no contention, 2 bad clock, 3 abend, 4 detail asked for, 5 no GRS, 6 GRS star, else ring, 7 bits 5 and 6 valid"),
    F(   1, "smf77rf2",  flags1, "Flags: bit 0 trouble in the GRS system, 1 in its interface"),
), "1src")

ENQUEUE = Section("smf77_1_enqueue", "One resource that jobs waited for", f"{_SOURCE} enqueue data section", 168, (
    #  +dec  name        kind      meaning
    F(   0, "smf77qnm",  text(8),  "Major name"),
    F(   8, "smf77rnm",  text(44), "Minor name; smf77rln bytes of it count"),
    F(  52, "smf77wtm",  u4,       "Time waited, least", "1024 us"),
    F(  56, "smf77wtx",  u4,       "Time waited, most", "1024 us"),
    F(  60, "smf77wtt",  u4,       "Time waited, all waiters", "1024 us"),
    # +64: 2 bytes not described
    F(  66, "smf77ql1",  u2,       "Times the queue was 1 long"),
    F(  68, "smf77ql2",  u2,       "Times the queue was 2 long"),
    F(  70, "smf77ql3",  u2,       "Times the queue was 3 long"),
    F(  72, "smf77ql4",  u2,       "Times the queue was 4 or more long"),
    # +74: 2 bytes not described
    F(  76, "smf77exm",  u2,       "Exclusive requests at a time, least", "requests"),
    F(  78, "smf77exx",  u2,       "Exclusive requests at a time, most", "requests"),
    F(  80, "smf77shm",  u2,       "Shared requests at a time, least", "requests"),
    F(  82, "smf77shx",  u2,       "Shared requests at a time, most", "requests"),
    F(  84, "smf77evt",  u2,       "Times contention arose"),
    F(  86, "smf77rln",  u1,       "Length of the minor name", "bytes"),
    F(  87, "smf77dfg",  flags1,   "Flags: bit 0 still in contention, 1 scope SYSTEMS, 2 owner exclusive, 3 and 4 first and second waiter exclusive, 5 global"),
    F(  88, "smf77dow",  u2,       "Owners now"),
    F(  90, "smf77dwr",  u2,       "Jobs that wait now"),
    F(  92, "smf77do1",  text(8),  "First owner"),
    F( 100, "smf77do2",  text(8),  "Second owner"),
    F( 108, "smf77dw1",  text(8),  "First waiter"),
    F( 116, "smf77dw2",  text(8),  "Second waiter"),
    F( 124, "smf77sy1",  text(8),  "System of the first owner"),
    F( 132, "smf77sy2",  text(8),  "System of the second owner"),
    F( 140, "smf77sy3",  text(8),  "System of the first waiter"),
    F( 148, "smf77sy4",  text(8),  "System of the second waiter"),
    F( 156, "smf77aql",  u4,       "Queue lengths, accumulated"),
    F( 160, "smf77csc",  u4,       "Changes of the contention"),
    F( 164, "smf77nod",  u4,       "Changes that came without detail"),
), "1src")

ENQUEUE_ACTIVITY = Record(
    77, 1, "Enqueue activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CONTROL),
        triplet(44, ENQUEUE),
    ),
    interval=Interval(PRODUCT, system="smf77snm", date="smf77dat", start="smf77ist", length="smf77int"),
    evidence=(*rmf_evidence(PRODUCT), *in_use(ENQUEUE)),
)

RECORDS = (ENQUEUE_ACTIVITY,)
