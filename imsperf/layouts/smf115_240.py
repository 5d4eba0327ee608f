"""SMF type 115 subtype 240: internal data of an IBM MQ queue manager.

In the records seen only QWHS is there. What the other triplets are for is not known.
"""

from __future__ import annotations

from imsperf.layouts.mq import block_evidence, header, interval_of, places, qwhs
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf115_240_header", "One row per type 115.240 record: internal data of a queue manager",
    places(28, "qws00ps", "QWHS"),
    places(36, "qws00r1", "internal block"),
    places(44, "qws00r2", "internal block"),
    places(52, "qws00r3", "internal block"),
)

QWHS = qwhs("smf115_240_qwhs")

MQ_INTERNAL = Record(
    115, 240, "MQ internal data", HEADER,
    parts=(triplet(28, QWHS),),
    interval=interval_of(QWHS),
    evidence=block_evidence(QWHS),
)

RECORDS = (MQ_INTERNAL,)
