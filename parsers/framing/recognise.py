"""What form a dump file has: how well each form explains its bytes.

Each is tried on samples of the file, and the one under which most records make sense is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from imsperf.parsers.framing import resync, transfer
from imsperf.parsers.framing.forms import BARE, RARE, USUAL, Form
from imsperf.parsers.framing.walk_state import Pieces, walk_from
from imsperf.parsers.kernels.loads import FIRST, LAST, U8, WHOLE

_ALL = 1 << 62  # bytes: no limit
_PROBE = 2000  # pieces looked at for each form
_LEAD = 1 << 20  # bytes of a sample that may pass before the first record is found
_LEAST_IMS, MANY = 2, 16  # records with rising sequence numbers that tell an IMS log
CLEAR = 4  # records that leave no doubt
_PROVED = 2  # records without RDWs that prove themselves: enough to read such a file
_TRIES = 16  # places behind damage that are looked at


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
        return self.form.adds_rdw and self.sane < CLEAR

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
        if self.form.proves_ends:
            return self.pieces >= _PROVED
        if self.form.kind == "smf":
            proved = 2 * self.sane >= self.begun and (self.sane >= 2 or self.is_last)
            return self.sane >= 1 and (not self.form.adds_rdw or proved)
        is_proved = 2 * self.sane >= self.begun and self.is_last and self.sane > self.form.adds_rdw
        return self.is_certain or is_proved

    @property
    def is_certain(self) -> bool:
        """Whether it is SMF or a log whose sequence numbers rise: chance makes suffixes, but no
        numbers that rise."""
        orderly = self.rising >= _LEAST_IMS and 2 * self.rising >= self.begun
        return self.form.kind == "smf" or orderly or self.rising >= MANY

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
    if not form.adds_rdw:
        counts = np.zeros(5, dtype=np.int64)
        block_end = at if block_end is None else block_end
        until = block_end if form.blocked else buffer.size
        resync.probe(buffer, form.blocked, form.clocks, at, until, most, counts)
        pieces, sane, rising, end, begun = counts.tolist()
        is_last = end == buffer.size
        return Evidence(form, at, pieces, begun, sane, rising, end, is_last, block_end)
    state, room = walk_from(at), Pieces.room(most)
    state.last_end = form.order_unknown
    form.walk(buffer, _ALL, state, room)
    count, end = int(state.piece_count), int(state.position)
    noted = room.first(count)
    sane, rising, inside = _good(buffer, form, noted)
    tells = FIRST if form.kind == "smf" else LAST  # the suffix of a log record stands at its end
    code = noted.code & 3
    begun = int(((code == WHOLE) | (code == tells)).sum())
    return Evidence(form, at, count, begun, sane, rising, end, end == buffer.size, at, inside)


def _good(buffer: U8, form: Form, pieces: Pieces) -> list[int]:
    counts = np.zeros(3, np.int64)
    transfer.good(
        buffer, form.clocks, pieces.start, pieces.length, pieces.code, form.nested, counts
    )
    return counts.tolist()


def recognise(buffer: U8) -> Evidence | None:
    """The form of a file: from its start, else from the first place that proves one.

    Forms that few files have are tried, and their kernels compiled, only if need be.
    """
    known = [evidence for evidence in usual(buffer) if evidence.holds]
    if any(evidence.is_clear for evidence in known):
        best = max(known, key=lambda evidence: (*_begins(buffer, evidence), *weighed(evidence)))
        return best if best.is_orderly else _farthest(buffer, best)
    rare = (evidence(buffer, form) for form in RARE)
    proved = [*known, *(evidence for evidence in rare if evidence.holds)]
    if proved:
        best = best_of(buffer, {evidence: weighed(evidence) for evidence in proved})
        return best if best.is_orderly or best.form.adds_rdw else _farthest(buffer, best)
    for begin in _samples(buffer.size):
        weights: dict[Evidence, tuple[int, int, bool]] = {}
        for some in (USUAL, RARE):
            hits = filter(None, (evidence_behind(buffer, form, begin) for form in some))
            weights.update((hit, _reach(buffer, hit)) for hit in hits)
            if weights and max(weights.values())[0] >= CLEAR:
                break
        if weights:
            return best_of(buffer, weights)
    return None


def best_of(buffer: U8, weights: dict[Evidence, tuple[int, int, bool]]) -> Evidence:
    """That of most weight among those that are certain, else of all; but if some of its records
    begin with an RDW, the form that expects one: they do not by chance, and log records make sense
    with an RDW in front of them too."""
    best = max(weights, key=lambda evidence: (evidence.is_certain, weights[evidence]))
    if 4 * best.inside < max(1, best.begun):
        return best
    return evidence(buffer, replace(best.form, nested=True), best.at)


def _farthest(buffer: U8, best: Evidence) -> Evidence:
    """That which goes on farthest of a form and of those of the same records that show later: a
    lost start may make the first records look like those of another form."""
    form = best.form
    same_kind = [other for other in USUAL if other != form and other.kind == form.kind]
    others = [evidence_behind(buffer, other, 0) for other in same_kind]
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


def evidence_behind(
    buffer: U8, form: Form, begin: int, until: int | None = None
) -> Evidence | None:
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
    forms = [
        form
        for form in (*USUAL, *RARE)
        if form.may_be_named and framing in (form.label(False), form.label(True))
    ]
    evidences = [evidence(buffer, form) for form in forms if not form.proves_ends]
    known = [evidence for evidence in evidences if evidence.sane]
    behind = () if known else (evidence_behind(buffer, form, 0) for form in forms)
    weights = {evidence: weighed(evidence) for evidence in [*known, *filter(None, behind)]}
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
