"""The forms a dump file can have, and how well each explains the bytes of one.

A form is recognised by evidence: each is tried on samples of the file, and the one under which
most records make sense is taken. Sources: z/OS DFSMS Using Data Sets (RDW, BDW, segments,
large blocks); RFC 959 (block mode, record structure); z/OSMF REST files, data type `record`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from imsperf.kinds import TOD_EPOCH, TOD_PER_US
from imsperf.parsers.framing import bare, transfer, walk
from imsperf.parsers.framing import resync as proof
from imsperf.parsers.framing.names import FRAMINGS
from imsperf.parsers.framing.record_extent import triplets
from imsperf.parsers.kernels.loads import FIRST, I64, LAST, U8, WHOLE

DumpKind = Literal["smf", "ims"]

_ALL = 1 << 62  # bytes: no limit
_PROBE = 2000  # pieces looked at for each form
_LEAD = 1 << 20  # bytes of a sample that may pass before the first record is found
_LEAST_IMS, MANY = 2, 16  # records with rising sequence numbers that tell an IMS log
CLEAR = 4  # records that leave no doubt
_PROVED = 2  # records without RDWs that prove themselves: enough to read such a file
_TRIES = 16  # places behind damage that are looked at

NO_CLOCKS = np.empty(0, dtype=np.uint64)


@dataclass(frozen=True)
class Form:
    """One way to find records in bytes. `nested`: records hold an RDW inside their wrapping;
    `ending`: the line end behind each of them."""

    name: str
    kind: DumpKind
    nested: bool = False
    ending: bytes = b""

    @property
    def blocked(self) -> bool:
        """Whether records stand in blocks with BDWs."""
        return self.name == "bdw_rdw"

    @property
    def made(self) -> bool:
        """Whether records have no RDW of their own in place, so that one is made."""
        return self.name not in ("rdw", "bdw_rdw")

    @property
    def width(self) -> int:
        """Bytes in front of a record's data."""
        return {"ftp_block": 3, "ftp_record": 0, "no_rdw": 0}.get(self.name, 4)

    @property
    def clocks(self) -> npt.NDArray[np.uint64]:
        """TOD clocks that a log record can hold; none for SMF."""
        return clock_limits() if self.kind == "ims" else NO_CLOCKS

    def label(self, spanned: bool) -> str:
        """The name that the ledger shows."""
        if self.name in ("length_prefix", "ftp_block", "ftp_record", "no_rdw"):
            return self.name
        if self.name == "length_swapped":
            return "length_prefix"
        if self.kind == "ims":
            return "ims_vb" if self.blocked else "ims_rdw"
        base = "bdw_rdw" if self.blocked else "rdw"
        return f"{base}_spanned" if spanned else base

    @property
    def is_marked(self) -> bool:
        """Whether no length says where its records end, only a mark behind them."""
        return self.name == "ftp_record" and not self.nested

    def walk(self, buffer: U8, limit: int, state: I64, arrays: Sequence[Any]) -> None:
        """Note pieces until `limit` bytes, the room in the arrays, or the chain is broken."""
        known = (buffer, self.clocks, limit, state, arrays[0], arrays[1], arrays[2])
        if self.name == "rdw":
            walk.walk_records(*known)
        elif self.name == "bdw_rdw":
            walk.walk_blocks(*known)
        elif self.name == "ftp_record":
            transfer.walk_marked(*known, self.nested)
        elif self.name == "no_rdw":
            bare.walk_bare(*known, *triplets())
        else:
            transfer.walk_wrapped(*known, self._how, self.nested)

    def search(self, buffer: U8, at: int, until: int, past: int = 0) -> tuple[int, int]:
        """The next place where records are proved to stand, or -1; and where its block ends.

        Records that begin before `past` must lead beyond it.
        """
        if not self.made:
            place, end = proof.search(buffer, at, until, past, self.blocked, self.clocks)
            return int(place), int(end)
        if self.name == "ftp_record":
            place = transfer.search_mark(buffer, at, until)
        elif self.name == "no_rdw":
            place = bare.search_bare(buffer, self.clocks, at, until, *triplets())
        else:
            how, nested = self._how, self.nested
            place = transfer.search_wrapped(buffer, self.clocks, at, until, how, nested)
        return int(place), int(place)

    @property
    def _how(self) -> int:
        return transfer.line_end(self.ending) if self.ending else _WRAPPED[self.name]


_WRAPPED = {
    "length_prefix": transfer.LENGTH4,
    "ftp_block": transfer.FTP_BLOCK,
    "length_swapped": transfer.LITTLE4,
    "rdw_swapped": transfer.SWAPPED,
}
# What transfers put behind records: CR and LF or NL in ASCII and EBCDIC, both or one of them.
LINE_ENDS = (b"\r\n", b"\r\x25", b"\r\x15", b"\n", b"\x15", b"\x25", b"\r")

_KINDS: tuple[DumpKind, ...] = ("smf", "ims")
USUAL = [Form(name, kind) for kind in _KINDS for name in ("rdw", "bdw_rdw")]
BARE = Form("no_rdw", "smf")
RARE = [
    *(
        Form(name, kind, nested)
        for kind in _KINDS
        for nested in (False, True)
        for name in ("length_prefix", "length_swapped", "ftp_block", "ftp_record")
    ),
    *(Form("rdw_swapped", kind) for kind in _KINDS),
    *(Form("rdw_lines", kind, ending=ending) for kind in _KINDS for ending in LINE_ENDS),
    BARE,
]


@cache
def clock_limits() -> npt.NDArray[np.uint64]:
    """TOD clocks that a log record can hold: from 1985 to a year from now."""
    latest = datetime.now(UTC).replace(tzinfo=None) + timedelta(days=366)
    limits = np.array(["1985-01-01", latest.isoformat()], dtype="datetime64[us]") - TOD_EPOCH
    return limits.astype(np.int64).astype(np.uint64) * np.uint64(TOD_PER_US)


@dataclass(frozen=True)
class Evidence:
    """How well a form explains a file from byte `at` on."""

    form: Form
    at: int = 0
    pieces: int = 0
    begun: int = 0  # pieces that begin a record, of a log those that end one
    sane: int = 0  # records whose header or suffix makes sense
    rising: int = 0  # log records with a sequence number above that of the one before
    end: int = 0
    is_last: bool = False  # the pieces looked at go to the end of the file
    block_end: int = 0  # of the block that `at` stands in: `at` where one begins
    inside: int = 0  # sane records that begin with an RDW of their own, where none is expected

    @property
    def average(self) -> float:
        """Bytes of a piece."""
        return (self.end - self.at) / max(1, self.pieces)

    @property
    def is_clear(self) -> bool:
        """Whether nothing else needs to be tried."""
        return self.is_last or self.sane >= CLEAR

    @property
    def is_weak(self) -> bool:
        """Whether so few records speak for a form that their own proof is asked for."""
        return self.form.made and self.sane < CLEAR

    @property
    def is_orderly(self) -> bool:
        """Whether nearly all records that were looked at make sense."""
        return 10 * self.sane >= 9 * self.begun

    @property
    def is_whole(self) -> bool:
        """Whether all that was looked at makes sense, from the start of the file or, with many
        records that leave no doubt, from a place behind a start that was lost."""
        is_far = self.is_last or self.pieces >= _PROBE
        return (self.at == 0 or self.sane >= MANY) and is_far and self.is_orderly

    @property
    def holds(self) -> bool:
        """Whether it is enough. An SMF header says more than the suffix of a log record, which
        any random bytes may pass for."""
        if self.form.name == "no_rdw":
            return self.pieces >= _PROVED
        if self.form.kind == "smf":
            proved = 2 * self.sane >= self.begun and (self.sane >= 2 or self.is_last)
            return self.sane >= 1 and (not self.form.made or proved)
        orderly = self.rising >= _LEAST_IMS and 2 * self.rising >= self.begun
        is_proved = 2 * self.sane >= self.begun and self.is_last and self.sane > self.form.made
        return orderly or is_proved or self.rising >= MANY

    def __str__(self) -> str:
        what = "headers" if self.form.kind == "smf" else "suffixes"
        return (
            f"{self.pieces:,} pieces lead from one to the next from byte {self.at:,} to "
            f"{self.end:,}, {self.sane:,} with {what} that make sense"
        )


def evidence(
    buffer: U8, form: Form, at: int = 0, block_end: int | None = None, most: int = _PROBE
) -> Evidence:
    """What speaks for a form from byte `at` on, in a block that ends at `block_end`.

    `most` pieces are looked at.
    """
    if not form.made:
        counts = np.zeros(5, dtype=np.int64)
        block_end = at if block_end is None else block_end
        until = block_end if form.blocked else buffer.size
        proof.probe(buffer, form.blocked, form.clocks, at, until, most, counts)
        pieces, sane, rising, end, begun = counts.tolist()
        is_last = end == buffer.size
        return Evidence(form, at, pieces, begun, sane, rising, end, is_last, block_end)
    state = np.zeros(walk.STATE_WIDTH, dtype=np.int64)
    state[walk.POSITION], state[walk.OPEN] = at, -1
    state[walk.LAST_END] = -1 if form.name == "ftp_record" else 0
    arrays = room(most)
    form.walk(buffer, _ALL, state, arrays)
    count, end = int(state[walk.COUNT]), int(state[walk.POSITION])
    start, length, code = (array[:count] for array in arrays)
    sane, rising, inside = _good(buffer, form, start, length, code)
    tells = FIRST if form.kind == "smf" else LAST  # the suffix of a log record stands at its end
    begun = int(np.isin(code & 3, (WHOLE, tells)).sum())
    return Evidence(form, at, count, begun, sane, rising, end, end == buffer.size, at, inside)


def room(pieces: int) -> list[Any]:
    """Arrays for the starts, lengths and codes of pieces."""
    return [np.empty(pieces, kind) for kind in (np.int64, np.int32, np.uint8)]


def _good(buffer: U8, form: Form, start: I64, length: Any, code: U8) -> list[int]:
    counts = np.zeros(3, np.int64)
    transfer.good(buffer, form.clocks, start, length, code, form.nested, counts)
    return counts.tolist()


def recognise(buffer: U8) -> Evidence | None:
    """The form of a file: from its start, else from the first place that proves one.

    Forms that few files have are tried, and their kernels compiled, only if need be.
    """
    known = [evidence for evidence in usual(buffer) if evidence.holds]
    if any(evidence.is_clear for evidence in known):
        best = max(known, key=lambda one: (*_begins(buffer, one), *weighed(one)))
        return best if best.is_orderly else _farthest(buffer, best)
    proved = [*known, *(one for form in RARE if (one := evidence(buffer, form)).holds)]
    if proved:
        best = best_of(buffer, {evidence: weighed(evidence) for evidence in proved})
        return best if best.is_orderly or best.form.made else _farthest(buffer, best)
    for begin in _samples(buffer.size):
        weights: dict[Evidence, tuple[int, int, bool]] = {}
        for some in (USUAL, RARE):
            hits = filter(None, (found_later(buffer, form, begin) for form in some))
            weights.update((hit, _reach(buffer, hit)) for hit in hits)
            if weights and max(weights.values())[0] >= CLEAR:
                break
        if weights:
            return best_of(buffer, weights)
    return None


def best_of(buffer: U8, weights: dict[Evidence, tuple[int, int, bool]]) -> Evidence:
    """That of most weight; but if some of its records begin with an RDW, the form that expects one:
    they do not by chance, and log records make sense with an RDW in front of them too."""
    best = max(weights, key=lambda one: weights[one])
    if 4 * best.inside < max(1, best.begun):
        return best
    return evidence(buffer, replace(best.form, nested=True), best.at)


def _farthest(buffer: U8, best: Evidence) -> Evidence:
    """That which goes on farthest of a form and of those of the same records that show later: a
    lost start may make the first records look like those of another form."""
    form = best.form
    others = [found_later(buffer, o, 0) for o in USUAL if o != form and o.kind == form.kind]
    return max([best, *filter(None, others)], key=lambda evidence: _reach(buffer, evidence))


def usual(buffer: U8) -> list[Evidence]:
    """What speaks for each of the usual forms, from the start on."""
    return [evidence(buffer, form) for form in USUAL]


def _begins(buffer: U8, known: Evidence) -> tuple[int, bool]:
    """Whether the first record makes sense: another dump may be glued behind those of the form.

    And whether an SMF header says so: the end of an SMF record may pass for the suffix of a log
    record, as the clock and the length of an interval do at the end of those of MQ.
    """
    first = evidence(buffer, known.form, known.at, known.block_end, most=1)
    return first.sane, bool(first.sane) and known.form.kind == "smf"


def weighed(evidence: Evidence) -> tuple[int, int, bool]:
    """How much of a file a form explains: to choose among them."""
    return evidence.sane, evidence.end - evidence.at, evidence.form.nested


def _samples(size: int) -> Iterator[int]:
    """Where to look when the start says nothing."""
    yield 0
    yield from (part for part in (size // 4, size // 2, 3 * size // 4) if part > _LEAD)


def found_later(buffer: U8, form: Form, begin: int, until: int | None = None) -> Evidence | None:
    """The form if records stand behind a damaged start."""
    until = min(until or begin + _LEAD, buffer.size)
    for _ in range(_TRIES):
        at, end = form.search(buffer, begin, until)
        if at < 0:
            return None
        evidence_there = evidence(buffer, form, at, end)
        if evidence_there.holds:
            return evidence_there
        begin = max(evidence_there.end, at + 1)
    return None


def _reach(buffer: U8, reached: Evidence) -> tuple[int, int, bool]:
    """How well a form goes on, damage or not: records that make sense, less the breaks between."""
    form, sane, end = reached.form, reached.sane, reached.end
    for _ in range(_TRIES):
        at, block_end = form.search(buffer, end, min(end + _LEAD, buffer.size))
        if at < 0 or end == buffer.size or sane > _PROBE:
            break
        more = evidence(buffer, form, at, block_end)
        sane, end = sane + more.sane - 1, max(more.end, at + 1)
    return sane, end - reached.at, form.nested


def as_named(buffer: U8, framing: str) -> Evidence | None:
    """The form that a user says a file has, from the first place that shows it."""
    name, kinds = FRAMINGS[framing]
    names = (name, "length_swapped") if name == "length_prefix" else (name,)
    forms = [form for form in (*USUAL, *RARE) if form.name in names and form.kind in kinds]
    evidences = [evidence(buffer, form) for form in forms if form is not BARE]
    good = [evidence for evidence in evidences if evidence.sane]
    later = () if good else (found_later(buffer, form, 0) for form in forms)
    weights = {evidence: weighed(evidence) for evidence in [*good, *filter(None, later)]}
    return best_of(buffer, weights) if weights else None


def without_rdws(buffer: U8) -> Evidence | None:
    """Records without RDWs that prove their own ends: two of them, wherever they stand."""
    begin, first, proved = 0, None, 0
    while proved < _PROVED:
        at = BARE.search(buffer, begin, buffer.size)[0]
        if at < 0:
            return None
        bare = evidence(buffer, BARE, at)
        first, begin, proved = first or bare, max(bare.end, at + 1), proved + bare.pieces
    return first
