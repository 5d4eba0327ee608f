"""The grades of records, and how what several witnesses say becomes one problem for each record.

Three grades: sound, suspect (taken as it stands, and told), and not admitted (left aside, and
told). What that means for the one who reads is its `Fate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from imsperf.parsers.framing.frames import Part
from imsperf.parsers.problems import Problem

Mask = npt.NDArray[np.bool_]
Grades = npt.NDArray[np.uint8]
About = tuple[str | None, str | None]  # type and subtype, or code and subcode, as printed

SOUND, SUSPECT, NOT_ADMITTED = range(3)

FEW, RARE = 4, 16  # records at odds that say nothing of a level; others for each of them that do


@dataclass(frozen=True)
class Fate:
    """What becomes of suspect records, and in which words problems say what becomes of each grade.

    `drop_suspect`: they are treated as those that are not admitted.
    """

    drop_suspect: bool = False
    taken: str = "it is loaded as it stands"
    refused: str = "the record is kept raw"


LOADED = Fate()


@dataclass(frozen=True)
class Verdict:
    """What one witness says of the records of a part: `grade` of each, `detail` of those that are
    not sound, by row."""

    reason: str
    grade: Grades
    detail: Callable[[int], str]


def grade_of(odd: int, exact: int, most: int = NOT_ADMITTED) -> int:
    """The grade of records at odds with a rule, by how many there are of them and of others.

    Others nearly all keep the rule: not admitted, or `most`. Too few to know: suspect. Most of them
    break it: that is how this level of the record is.
    """
    if odd > max(exact, FEW):
        return SOUND
    is_rare = RARE * odd <= exact or (odd == 1 and exact > 1)
    return min(most, NOT_ADMITTED) if is_rare else SUSPECT


def settle(
    verdicts: Iterable[Verdict | None], part: Part, about: About, fate: Fate
) -> tuple[Mask, list[Problem]]:
    """Mask of the records that are not taken, and a problem for each record that is not sound: that
    of the witness whose grade is worst, the first of several."""
    worst = np.zeros(len(part.start), np.uint8)
    told = dict[int, Verdict]()
    for verdict in verdicts:
        if verdict is not None:
            told |= dict.fromkeys(np.flatnonzero(verdict.grade > worst).tolist(), verdict)
            np.maximum(worst, verdict.grade, out=worst)
    problems = list[Problem]()
    for row in sorted(told):
        is_suspect = worst[row] == SUSPECT and not fate.drop_suspect
        detail = f"{told[row].detail(row)}; {fate.taken if is_suspect else fate.refused}"
        number, place, length = (int(x[row]) for x in (part.number, part.place, part.length))
        severity = "suspect" if is_suspect else "error"
        problems.append(
            Problem(number, place, length, *about, severity, told[row].reason, detail)  # type: ignore[arg-type]
        )
    return worst >= (SUSPECT if fate.drop_suspect else NOT_ADMITTED), problems
