"""SMF type 115 subtype 215: buffer pools of an IBM MQ queue manager, written once an interval from MQ 8.0 on.

One block for each buffer pool; counts are of the interval.
"""

from __future__ import annotations

from imsperf.layouts.mq import block_evidence, header, interval_of, places, qpst, qwhs
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf115_215_header", "One row per type 115.215 record: buffer pools of a queue manager in an interval",
    places(28, "qws80ps", "QWHS"),
    places(36, "qws80r1", "QPST"),
)

QWHS = qwhs("smf115_215_qwhs")

QPST = qpst("smf115_215_qpst")

MQ_BUFFER_POOLS = Record(
    115, 215, "MQ buffer pools", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, QPST),
    ),
    interval=interval_of(QWHS),
    evidence=block_evidence(QWHS, QPST),
)

RECORDS = (MQ_BUFFER_POOLS,)
