"""The forms a dump file can have: one class each, which declares all that differs between them.

Nothing else compares their names; it asks the class. Sources: z/OS DFSMS Using Data Sets (RDW, BDW,
segments, large blocks); RFC 959 (block mode, record structure); z/OSMF REST files, data type
`record`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from imsperf.kinds import TOD_EPOCH, TOD_PER_US
from imsperf.parsers.framing import bare, resync, transfer, walk
from imsperf.parsers.framing.record_extent import triplets
from imsperf.parsers.framing.walk_state import Pieces, Records, WalkState
from imsperf.parsers.kernels.loads import AFTER_GAP, FIRST, I64, MIDDLE, U8, read_only

DumpKind = Literal["smf", "ims"]
Mask = npt.NDArray[np.bool_]

# How to transfer a file so that its records can be told apart.
FTP = "FTP: binary, then quote site rdw"
AGAIN = (
    f"transfer it again in binary and keep the RDWs ({FTP}; Zowe or z/OSMF: data type record); "
    "copy VBS to VB with DFSORT first"
)

NO_CLOCKS = np.empty(0, dtype=np.uint64)
# What transfers put behind records: CR and LF or NL in ASCII and EBCDIC, both or one of them.
LINE_ENDS = (b"\r\n", b"\r\x25", b"\r\x15", b"\n", b"\x15", b"\x25", b"\r")
_RDW = 4
_PADDING = 1 << 20  # bytes of zeros behind a file that are looked through
_FILE_END = re.compile(rb"(?<!\xff)(?:\xff\xff)*\xff\x02")  # of FTP structure R


class Flaw(NamedTuple):
    """What the doctor says of a form that only a damaged file has: cause, words, what to do."""

    cause: str
    detail: str
    advice: str


@dataclass(frozen=True)
class Form(ABC):
    """One way to find records in bytes. `nested`: records hold an RDW inside their wrapping;
    `ending`: the line end behind each of them."""

    kind: DumpKind
    nested: bool = False
    ending: bytes = b""

    name: ClassVar[str] = ""  # as the ledger shows it, of forms that have one name
    width: ClassVar[int] = _RDW  # bytes in front of a record's data
    blocked: ClassVar[bool] = False  # records stand in blocks with BDWs
    adds_rdw: ClassVar[bool] = True  # records have no RDW of their own in place: one is added
    may_be_named: ClassVar[bool] = True  # a user may say that a file has it
    may_be_swapped: ClassVar[bool] = False  # all bytes of the file may be, not lengths alone
    proves_ends: ClassVar[bool] = False  # each record proves its own end
    cuts_records: ClassVar[bool] = False  # a record may stand in several pieces, the first short
    sees_any_form: ClassVar[bool] = False  # any form may begin where its chain breaks
    least_step: ClassVar[int] = 1  # bytes behind a broken place where a search begins
    order_unknown: ClassVar[int] = 0  # `last_end` of a walk from any place
    file_end: ClassVar[str] = ""  # what says that the file ends here
    expected: ClassVar[str] = "expected an RDW that leads to the next record"
    lost_reason: ClassVar[str] = "bad_rdw"  # reason of the problem where its chain breaks

    @abstractmethod
    def label(self, spanned: bool) -> str:
        """The name that the ledger shows."""

    @abstractmethod
    def walk(self, buffer: U8, limit: int, state: WalkState, pieces: Pieces) -> None:
        """Note pieces until `limit` bytes, the room for them, or the chain is broken."""

    @abstractmethod
    def search(self, buffer: U8, at: int, until: int, past: int = 0) -> tuple[int, int]:
        """The next place where records are proved to stand, or -1; and where its block ends.

        Records that begin before `past` must lead beyond it.
        """

    @property
    def clocks(self) -> npt.NDArray[np.uint64]:
        """TOD clocks that a log record can hold; none for SMF."""
        return clock_limits() if self.kind == "ims" else NO_CLOCKS

    @property
    def shift(self) -> int:
        """Bytes from where a piece is noted, as if an RDW stood there, to where it begins."""
        return _RDW - self.width - _RDW * self.nested

    @property
    def is_marked(self) -> bool:
        """Whether no length says where its records end, only a mark behind them."""
        return False

    @property
    def flaw(self) -> Flaw | None:
        """What is wrong with a file of this form, though all its records may be there."""
        return None

    def has_segments(self, spanned: bool) -> bool:
        """Whether a record may be made of segments: some of the file are `spanned`."""
        return False

    def may_begin(self, buffer: U8, at: int) -> bool:
        """Whether another dump of this form may begin with the byte at `at`."""
        return True

    def order_from(self, at: int) -> int:
        """`last_end` of a walk that begins behind lost bytes."""
        return self.order_unknown

    def lose_order(self, state: WalkState) -> None:
        """Bytes were lost: the next log record need not follow the last one."""
        state.last_lsn = state.last_end = 0

    def is_ended(self, buffer: U8, state: WalkState) -> bool:
        """Whether the form says that the file ends, at the end of a walk."""
        return True

    def file_ends(self, buffer: U8, at: int) -> int | None:
        """Behind the last place before a break at `at` where the form says that a file ends."""
        return None

    def misjoined(self, buffer: U8, pieces: Pieces, record: I64, records: Records) -> Mask | None:
        """Which of the records are none, or several; None if the form lets none be so.

        `record`: that of each piece, or -1.
        """
        return None


# --- RDWs ----------------------------------------------------------------------------------------


class _WithRdws(Form):
    """Records that begin with an RDW; one may be made of segments."""

    def label(self, spanned: bool) -> str:
        if self.kind == "ims":
            return "ims_vb" if self.blocked else "ims_rdw"
        base = "bdw_rdw" if self.blocked else "rdw"
        return f"{base}_spanned" if spanned else base

    def has_segments(self, spanned: bool) -> bool:
        return spanned and self.kind == "smf"


class _InPlace(_WithRdws):
    """RDWs as z/OS writes them, which stand in front of the records where these are read."""

    adds_rdw = False

    def search(self, buffer: U8, at: int, until: int, past: int = 0) -> tuple[int, int]:
        place, end = resync.search(buffer, at, until, past, self.blocked, self.clocks)
        return int(place), int(end)

    def misjoined(self, buffer: U8, pieces: Pieces, record: I64, records: Records) -> Mask | None:
        """Those whose first segment was found behind a gap, too short to show a header, and whose
        header makes no sense now that it is there: it was no segment."""
        if self.kind == "ims" or len(records.start) == len(pieces.start):
            return None
        begins = (pieces.code & (AFTER_GAP | MIDDLE) == AFTER_GAP | FIRST) & (record >= 0)
        if not begins.any():
            return None
        bad, data = np.zeros(len(records.start), np.bool_), read_only(records.joined_buffer)
        for row in record[begins].tolist():
            bad[row] = not resync.is_header(data, int(records.start[row]))
        return bad


class Rdw(_InPlace):
    """RDWs only."""

    def walk(self, buffer: U8, limit: int, state: WalkState, pieces: Pieces) -> None:
        walk.walk_records(
            buffer, self.clocks, limit, state, pieces.start, pieces.length, pieces.code
        )


class BdwRdw(_InPlace):
    """Blocks with BDWs, and RDWs in them."""

    blocked = True

    def walk(self, buffer: U8, limit: int, state: WalkState, pieces: Pieces) -> None:
        walk.walk_blocks(
            buffer, self.clocks, limit, state, pieces.start, pieces.length, pieces.code
        )


# --- wrapped records -----------------------------------------------------------------------------


class _Wrapped(Form):
    """Records behind a length or a header that a transfer put there."""

    how: ClassVar[int]  # as transfer.py says it

    def label(self, spanned: bool) -> str:
        return self.name

    def walk(self, buffer: U8, limit: int, state: WalkState, pieces: Pieces) -> None:
        transfer.walk_wrapped(
            buffer, self.clocks, limit, state, pieces.start, pieces.length, pieces.code,
            self._how(), self.nested,
        )  # fmt: skip

    def search(self, buffer: U8, at: int, until: int, past: int = 0) -> tuple[int, int]:
        place = int(
            transfer.search_wrapped(buffer, self.clocks, at, until, self._how(), self.nested)
        )
        return place, place

    def _how(self) -> int:
        return self.how


class LengthPrefix(_Wrapped):
    """A length of 4 bytes before each record."""

    name = "length_prefix"
    how = transfer.LENGTH4
    expected = "expected a 4-byte length that leads to the next record"


class LengthSwapped(_Wrapped):
    """The same, low byte first."""

    name = "length_prefix"
    how = transfer.LITTLE4
    expected = "expected a 4-byte length, low byte first, that leads to the next record"

    @property
    def flaw(self) -> Flaw:
        return Flaw(
            "byte_swapped", "the 4-byte lengths have their low byte first",
            "the program that wrote it should write lengths high byte first",
        )  # fmt: skip


class FtpBlock(_Wrapped):
    """FTP block mode: a descriptor and a length before each piece of a record."""

    name = "ftp_block"
    how = transfer.FTP_BLOCK
    width = 3
    cuts_records = True
    file_end = "an FTP block with X'40'"
    expected = "expected an FTP block header that leads to the next record"

    def is_ended(self, buffer: U8, state: WalkState) -> bool:
        return bool(state.file_ends)

    def misjoined(self, buffer: U8, pieces: Pieces, record: I64, records: Records) -> Mask | None:
        """Those that are several, or whose own RDW says another length."""
        if len(records.start) == len(pieces.start):
            return None
        bad = np.zeros(len(records.start), np.bool_)
        transfer.several(buffer, pieces.start, pieces.length, record, self.nested, self.clocks, bad)
        if self.nested:
            many = np.bincount(record[record >= 0], minlength=len(bad)) > 1
            place = records.byte_offset[many] - _RDW
            said = buffer[place].astype(int) << 8 | buffer[place + 1]
            bad[many] |= said != records.length[many]
        return bad


class RdwSwapped(_WithRdws, _Wrapped):
    """RDWs with their low byte first."""

    how = transfer.SWAPPED
    may_be_named = False
    may_be_swapped = True

    @property
    def flaw(self) -> Flaw:
        return Flaw(
            "byte_swapped", "the lengths of all RDWs have their low byte first",
            "the program that wrote it should write RDWs high byte first",
        )  # fmt: skip


class RdwLines(_WithRdws, _Wrapped):
    """RDWs, and a line end behind each record."""

    may_be_named = False

    def _how(self) -> int:
        return transfer.line_end(self.ending)

    @property
    def flaw(self) -> Flaw:
        end = self.ending.hex().upper()
        return Flaw(
            "crlf_inserted", f"a line end X'{end}' stands behind each record",
            f"it is read without them; no line ends: {FTP}",
        )  # fmt: skip


# --- records that nothing wraps ------------------------------------------------------------------


class FtpRecord(Form):
    """FTP record structure: marks behind the records and behind the file."""

    name = "ftp_record"
    width = 0
    sees_any_form = True
    least_step = 0
    order_unknown = -1
    file_end = "X'FF02' or X'FF03'"
    expected = "expected a whole record that X'FF01' or X'FF02' ends, X'FFFF' for X'FF' in it"

    @property
    def is_marked(self) -> bool:
        return not self.nested

    def label(self, spanned: bool) -> str:
        return self.name

    def walk(self, buffer: U8, limit: int, state: WalkState, pieces: Pieces) -> None:
        transfer.walk_marked(
            buffer, self.clocks, limit, state, pieces.start, pieces.length, pieces.code,
            self.nested,
        )  # fmt: skip

    def search(self, buffer: U8, at: int, until: int, past: int = 0) -> tuple[int, int]:
        place = int(transfer.search_mark(buffer, at, until))
        return place, place

    def may_begin(self, buffer: U8, at: int) -> bool:
        """No record begins with a zero, and without RDWs nothing else tells where one begins."""
        return self.nested or bool(buffer[at])

    def order_from(self, at: int) -> int:
        return at - 2  # it stands behind a mark

    def lose_order(self, state: WalkState) -> None:
        """A mark stands at the end of the last record all the same."""

    def is_ended(self, buffer: U8, state: WalkState) -> bool:
        tail = buffer[-_PADDING:].tobytes().rstrip(b"\0")  # zeros behind it are padding
        return tail.endswith((b"\xff\x02", b"\xff\x03"))

    def file_ends(self, buffer: U8, at: int) -> int | None:
        first = max(0, at - _PADDING)
        marks = [match.end() for match in _FILE_END.finditer(buffer[first : at + 1].tobytes())]
        return first + marks[-1] if marks else None

    def misjoined(self, buffer: U8, pieces: Pieces, record: I64, records: Records) -> Mask | None:
        """Those whose own RDW says another length, or that make no sense at all."""
        bad = np.empty(len(records.start), np.bool_)
        transfer.misfits(
            buffer, records.byte_offset - _RDW, read_only(records.joined_buffer), records.start,
            records.length, self.nested, self.clocks, bad,
        )  # fmt: skip
        return bad


class NoRdw(Form):
    """SMF records back to back, of which those are read that prove their own ends."""

    name = "no_rdw"
    width = 0
    proves_ends = True
    expected = "expected a record that ends by its own triplets where another begins"
    lost_reason = "not_proved"

    def label(self, spanned: bool) -> str:
        return self.name

    def walk(self, buffer: U8, limit: int, state: WalkState, pieces: Pieces) -> None:
        bare.walk_bare(
            buffer, self.clocks, limit, state, pieces.start, pieces.length, pieces.code,
            *triplets(),
        )  # fmt: skip

    def search(self, buffer: U8, at: int, until: int, past: int = 0) -> tuple[int, int]:
        place = int(bare.search_bare(buffer, self.clocks, at, until, *triplets()))
        return place, place

    @property
    def flaw(self) -> Flaw:
        return Flaw(
            "no_rdw", "records have no RDWs; only those are read that prove their own end",
            f"{AGAIN}; no cp -B, which drops record boundaries",
        )  # fmt: skip


_KINDS: tuple[DumpKind, ...] = ("smf", "ims")
USUAL: tuple[Form, ...] = tuple(form(kind) for kind in _KINDS for form in (Rdw, BdwRdw))
BARE = NoRdw("smf")
_TRANSFERRED = (LengthPrefix, LengthSwapped, FtpBlock, FtpRecord)
RARE: tuple[Form, ...] = (
    *(
        form(kind, nested)
        for kind in _KINDS
        for nested in (False, True)
        for form in _TRANSFERRED
    ),
    *(RdwSwapped(kind) for kind in _KINDS),
    *(RdwLines(kind, ending=ending) for kind in _KINDS for ending in LINE_ENDS),
    BARE,
)  # fmt: skip


@cache
def clock_limits() -> npt.NDArray[np.uint64]:
    """TOD clocks that a log record can hold: from 1985 to a year from now."""
    latest = datetime.now(UTC).replace(tzinfo=None) + timedelta(days=366)
    limits = np.array(["1985-01-01", latest.isoformat()], dtype="datetime64[us]") - TOD_EPOCH
    return limits.astype(np.int64).astype(np.uint64) * np.uint64(TOD_PER_US)
