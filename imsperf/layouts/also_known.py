"""Names that are no column: how a manual spells one that is, and bytes that a log record has and no table keeps."""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.layouts.ims import OURS

# The manual's spelling, the table and the column it is there.
SPELLINGS: tuple[tuple[str, str, str], ...] = (
    ("r723mtv#", "smf72_3_control", "r723mtv"),
    ("r723scs#", "smf72_3_served", "r723scs"),
    ("r742pusg_time#", "smf74_2_path", "r742pusg_time"),
    ("r742pnib_time#", "smf74_2_path", "r742pnib_time"),
    *(
        (f"x{name}", "smf78_2_common_area", name)
        for name in (
            "bmin",
            "bntme",
            "bmax",
            "bxtme",
            "btotl",
            "amin",
            "antme",
            "amax",
            "axtme",
            "atotl",
        )
    ),
    *(
        (f"smfx{name}", "smf110_1_header", f"smf110{name}")
        for name in (
            "aps",
            "lps",
            "nps",
            "ass",
            "asl",
            "asn",
        )
    ),
)


@dataclass(frozen=True)
class Bytes:
    """Bytes of a log record at a known place; `record` is code and subcode."""

    record: str
    field: str
    offset: int
    length: int
    meaning: str
    source: str
    confidence: str = "1src"


_PREFIX = "IBM IMS 15.1 Diagnosis, log record prefix area format"
_SUBRECORD = "IBM IMS 15.2 Diagnosis, log subrecord and data area"
_QUEUE = "IBM IMS 15.2 Diagnosis, queue manager trace"
_CAPTURE = "IBM IMS 15.3, data capture log record prefix"
_BMC = "BMC MainView for IMS Offline 5.2, transaction log record X'FA'"
_OURS = "project-defined"

# fmt: off

NOT_KEPT: tuple[Bytes, ...] = (
    Bytes("99",    "logcode",  4,   1,  "Log code, X'99'", _CAPTURE, "2src"),
    Bytes("67",    "rsvd02",   2,   2,  "Reserved", _PREFIX),
    Bytes("67",    "rsvd06",   6,   2,  "Reserved", _PREFIX),
    Bytes("67",    "rsvd0e",   14,  2,  "Reserved, in records that are not 67FA", _PREFIX),
    Bytes("67",    "rsvd18",   24,  4,  "Reserved, in records that are not 67FA", _PREFIX),
    Bytes("67",    "rsvd08",   8,   2,  "Reserved; counted from the start of the subrecord", _SUBRECORD),
    Bytes("67 FA", "rsvd06",   6,   2,  "Reserved", _PREFIX),
    Bytes("67 FA", "rsvd14",   20,  12, "Rest of the prefix, nothing published", _PREFIX, "inferred"),
    Bytes("67 FA", "entry",    32,  32, "First trace entry of 8 words; entries follow each other up to the suffix", _PREFIX, "inferred"),
    Bytes("67 FA", "entry[n]", 32,  32, "Trace entry n at +32 + 32 n", _PREFIX, "inferred"),
    Bytes("67 FA", "4e",       0,   1,  "Function code of a queue manager trace entry, X'4E'; from the start of the entry", _QUEUE),
    Bytes("FA",    "trnll",    0,   2,  "Record length, in a record that another vendor's product writes", _BMC),
    Bytes("FA",    "trnzz",    2,   2,  "Zero", _BMC),
    Bytes("FA",    "trnrecid", 4,   1,  "Log code, X'FA'", _BMC),
    Bytes("A0",    "rsvd",     31,  1,  "Reserved", OURS, _OURS),
    Bytes("40 01", "rsvd",     27,  1,  "Reserved; 40 98 the same", OURS, _OURS),
    Bytes("42",    "rsvd0a",   10,  6,  "Reserved; 43 the same", OURS, _OURS),
    Bytes("42",    "rsvd",     65,  3,  "Reserved; 43 the same", OURS, _OURS),
    Bytes("45 00", "filler",   64,  132, "Brings the field after it to the place that IBM documents", OURS, _OURS),
    Bytes("45 08", "rsvd",     40,  2,  "Reserved; from the start of a subpool entry", OURS, _OURS),
    Bytes("45 0A", "rsvd",     40,  2,  "Reserved; from the start of a latch entry", OURS, _OURS),
    Bytes("45 0E", "rsvd",     83,  3,  "Reserved; from the start of a buffer size entry", OURS, _OURS),
    Bytes("45 0F", "rsvd",     37,  1,  "Reserved; from the start of a TCB entry", OURS, _OURS),
    Bytes("59 37", "rsvd",     125, 1,  "Reserved; 59 38 the same", OURS, _OURS),
    Bytes("48",    "pad",      6,   0,  "Zeros up to the end of the block", OURS, _OURS),
)
