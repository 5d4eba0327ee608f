"""SMF type 116 subtype 2: more queues of a thread than its 116.1 record has room for.

correl of a queue is bytes 8 to 23 of WTAS in the 116.1 record of the thread. No record of this kind was seen: places
are those of the C declarations alone.
"""

from __future__ import annotations

from imsperf.layouts.mq import block_evidence, header, places, qwhs_thread
from imsperf.layouts.mq_thread import wq, wtid
from imsperf.record import Record, triplet

# fmt: off

HEADER = header(
    "smf116_2_header", "One row per type 116.2 record: more queues of a thread",
    places(28, "qwa01ps", "QWHS"),
    places(36, "qwa01r1", "WTID"),
    places(44, "qwa01r2", "WQ"),
)

QWHS = qwhs_thread("smf116_2_qwhs", "1src")
WTID = wtid("smf116_2_wtid", "1src")
WQ = wq("smf116_2_wq", "1src")

MQ_MORE_QUEUES = Record(
    116, 2, "MQ thread, more queues", HEADER,
    parts=(
        triplet(28, QWHS),
        triplet(36, WTID),
        triplet(44, WQ),
    ),
    evidence=block_evidence(QWHS, WTID, WQ),
)

RECORDS = (MQ_MORE_QUEUES,)
