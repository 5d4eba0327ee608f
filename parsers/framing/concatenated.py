"""Dumps glued together: whether another one begins where the chain of records breaks.

The usual forms are looked for at each break. Those that few files have are looked for only where
much is lost or nothing more is found, as each of them takes a search of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from imsperf.parsers.framing.forms import RARE, USUAL, Form
from imsperf.parsers.framing.recognise import (
    CLEAR,
    MANY,
    Evidence,
    best_of,
    evidence,
    evidence_behind,
    weighed,
)
from imsperf.parsers.kernels.loads import U8
from imsperf.parsers.problems import Problem

EVERY = tuple(form for form in (*USUAL, *RARE) if not form.proves_ends)

_MORE_THAN_A_BLOCK = 1 << 19
_PADDING = 1 << 20  # bytes of zeros looked through for another dump behind them
_NEAR = 1 << 20  # bytes of a loss in which a rare form is looked for
_MUCH = 1 << 16  # bytes lost in which another dump may have begun
_LENGTH, _ZEROS = 3, 8  # zeros that a length may begin with; so many are padding, up to a
_BDW = 4
_SECTOR = 512  # multiple of this, or of more than that many bytes


def going_on(
    buffer: U8, at: int, but: Form, in_block: bool = False, forms: Sequence[Form] = USUAL
) -> Form | None:
    """Another form that begins at `at`: glued dumps. In a block, of other records only."""
    known: dict[Evidence, tuple[int, int, bool]] = {}
    for form in forms:
        if form == but or (in_block and form.kind == but.kind):
            continue
        if not form.cuts_records and not evidence(buffer, form, at, most=1).sane:
            continue
        if not form.may_begin(buffer, at):
            continue
        if form.blocked and form.search(buffer, at, at + 1)[0] != at:
            continue
        is_in_block = but.blocked and not form.blocked and at >= _BDW
        if is_in_block and evidence(buffer, but, at - _BDW, most=1).sane:
            continue  # the chain stands in the next block, whose BDW a record swallowed
        next_evidence = evidence(buffer, form, at)
        if _is_another(next_evidence, but):
            if not form.adds_rdw:
                return form
            known[next_evidence] = weighed(next_evidence)
    return best_of(buffer, known).form if known else None


def glued_in(
    buffer: U8, begin: int, end: int, broken: Sequence[int], but: Form
) -> tuple[Form, int] | None:
    """Another form that begins in the bytes lost from `begin` to `end`, and where: at one of the
    places where the chain broke, or anywhere in them."""
    if end - begin <= _MUCH and end < buffer.size:
        return None
    for place in (zero for at in broken for zero in _behind_zeros(buffer, at, _LENGTH)):
        if form := going_on(buffer, place, but, forms=EVERY):
            return form, place
    known: dict[Evidence, tuple[int, int, bool]] = {}
    for form in EVERY:
        if form.kind == but.kind and (form == but or not (form.adds_rdw or but.adds_rdw)):
            continue
        next_evidence = evidence_behind(
            buffer, form, begin, min(end, begin + _NEAR) if form.adds_rdw else end
        )
        if next_evidence and next_evidence.at > begin and _is_another(next_evidence, but):
            if not form.adds_rdw:
                return form, next_evidence.at
            known[next_evidence] = weighed(next_evidence)
    if not known:
        return None
    best = best_of(buffer, known)
    return best.form, best.at


def _is_another(evidence: Evidence, but: Form) -> bool:
    """Whether it is more than a block of the same dump, and no chance."""
    far = evidence.is_last or evidence.end - evidence.at > _MORE_THAN_A_BLOCK
    orderly = 10 * evidence.sane >= 9 * evidence.begun
    if evidence.form.kind == but.kind:
        # no dump of RDWs has a block that records fill; behind a lost BDW there is a chain of RDWs
        is_block = evidence.form.blocked and not (but.blocked or but.adds_rdw)
        far |= is_block or ((evidence.form.adds_rdw or but.adds_rdw) and evidence.sane >= MANY)
        return evidence.holds and orderly and far and (evidence.sane >= CLEAR or is_block)
    return (
        evidence.holds
        and orderly
        and (evidence.sane >= CLEAR or (evidence.is_last and evidence.sane > 1))
    )


def beginnings(buffer: U8, at: int, form: Form) -> list[int]:
    """Where another dump may begin if the chain breaks at `at`: behind the end of a file that its
    form marks; behind zero bytes; else at `at`."""
    end = form.file_ends(buffer, at)
    if end is not None:
        return [*_behind_zeros(buffer, end, _LENGTH), at]
    return _behind_zeros(buffer, at, 1)


def _behind_zeros(buffer: U8, at: int, most: int) -> list[int]:
    """`at`, or places behind the zeros there: a length may begin with as many as `most`."""
    not_zero = np.flatnonzero(buffer[at : at + _PADDING])
    if not len(not_zero) or not_zero[0] < _ZEROS:
        return [at]
    begin = at + int(not_zero[0])
    places = [begin - before for before in range(most, -1, -1)]
    is_padded = begin - at >= _SECTOR or any(place % _SECTOR == 0 for place in places)
    return places if is_padded else [at]


def seam(at: int, begin: int, form: Form, other: Form) -> Problem:
    """What is said of two dumps, the second of which begins at `begin`."""
    padding = f" behind {begin - at:,} zero bytes" if begin > at else ""
    detail = f"found another dump{padding}: {other.label(False)} after {form.label(False)}"
    return Problem(None, at, begin - at, None, None, "info", "glued", detail)
