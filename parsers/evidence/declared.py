"""The evidence that layouts declare (`imsperf.record.Evidence`), held against records.

Each rule is also weighed by the file itself: where most sections break it, this level of the record
is another one than the source describes, and the rule says nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from imsperf.kernels import inner, kernel
from imsperf.kinds import Op
from imsperf.layout import Section
from imsperf.parsers.census import NO_TIME
from imsperf.parsers.evidence.verdict import NOT_ADMITTED, SUSPECT, Verdict, grade_of
from imsperf.parsers.framing.frames import Part
from imsperf.parsers.kernels.loads import I32, I64, U8, is_zero, prefetch, word16, word32
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import Runs
from imsperf.record import Evidence, LogRecord, Record, Rule

_RULE, _AT, _WIDTH, _FIRST, _LAST, _COLUMNS = range(6)  # columns of the rules of a section
_LENGTH, _SET, _REPEATS, _NEEDS = (
    int(rule) for rule in (Rule.LENGTH, Rule.SET, Rule.REPEATS, Rule.NEEDS)
)
_OFTEN_SO = (Rule.SET, Rule.NEEDS)  # what breaks these is suspect at most

IN_NUMBER, IN_TEXT = 1, 2  # what a byte is inside of
_AHEAD = 24  # sections: those that come next are on their way from memory while one is looked at
_LATE = 2 * 3600 * 10**6  # us that a record may differ from its interval: clocks are put forward
_REASON = "contradiction"


@inner
def _number(buffer: U8, at: Any, width: Any) -> Any:
    """A field of up to 8 bytes; of a longer one the last 8."""
    if width == 4:
        return word32(buffer, at)
    if width == 2:
        return word16(buffer, at)
    value = np.int64(0)
    for place in range(at, at + width):
        value = value << 8 | np.int64(buffer[place])
    return value


@kernel
def test_rules(
    buffer: U8, records: I64, record: I64, starts: I64, lengths: I32, rules: I64, values: I64,
    broken: I32, section: I64, counts: I64,
) -> None:  # fmt: skip
    """Hold the rules of a table against its sections: note in `broken` the first rule that a record
    breaks (-1 before), in `section` where that section begins, and count what breaks and keeps each
    rule. `records`: where each record begins; `record`: that of each section.
    A field past the end of a section says nothing.
    """
    low, high = rules[0, _AT], rules[rules.shape[0] - 1, _AT]
    for i in range(starts.size):
        if i + _AHEAD < starts.size:
            prefetch(buffer, starts[i + _AHEAD] + low)
            prefetch(buffer, starts[i + _AHEAD] + high)
        at, end = starts[i], starts[i] + lengths[i]
        for k in range(rules.shape[0]):
            place, width = at + rules[k, _AT], rules[k, _WIDTH]
            if place + width > end:
                continue
            if rules[k, _RULE] == _SET:
                is_kept = not is_zero(buffer, place, place + width)
            elif rules[k, _RULE] == _LENGTH:
                is_kept = _number(buffer, place, width) == lengths[i]
            elif rules[k, _RULE] == _NEEDS:
                there, size = at + rules[k, _FIRST], rules[k, _LAST]
                is_kept = there + size > end or _number(buffer, place, width) == 0
                is_kept = is_kept or _number(buffer, there, size) != 0
            elif rules[k, _RULE] == _REPEATS:
                there = records[record[i]] + rules[k, _FIRST]
                is_kept = _number(buffer, place, width) == _number(buffer, there, width)
            else:
                found, is_kept = _number(buffer, place, width), False
                for j in range(rules[k, _FIRST], rules[k, _LAST]):
                    is_kept |= found == values[j]
            counts[k, np.int64(is_kept)] += 1  # broken, kept
            if not is_kept and broken[record[i]] < 0:
                broken[record[i]], section[record[i]] = k, at


@kernel
def compare_times(time: I64, begin: I64, end: I64, is_odd: Any, counts: I64) -> None:
    """Mark the records whose times are far from their intervals, and count these and the others."""
    for i in range(time.size):
        is_odd[i] = False
        if time[i] != NO_TIME and begin[i] != NO_TIME:
            last = time[i] if end[i] == NO_TIME else end[i]
            is_odd[i] = time[i] < begin[i] - _LATE or abs(time[i] - last) > _LATE
            counts[0 if is_odd[i] else 1] += 1


class _Rules:
    """The rules of one section. `counts`: how often each was broken and kept."""

    def __init__(self, section: Section, rules: list[Evidence], counts: I64) -> None:
        self.rules, self.section, self.counts = rules, section, counts
        self.table = np.zeros((len(rules), _COLUMNS), np.int64)
        values = list[int]()
        for row, rule in zip(self.table, rules, strict=True):
            where = section.named(rule.field)
            row[:_LAST] = rule.rule, where.offset, where.kind.width, len(values)
            values += [int.from_bytes(value) for value in rule.bytes]
            row[_LAST] = len(values)
            if rule.rule is Rule.REPEATS:
                row[_FIRST] = rule.header_at
            if rule.rule is Rule.NEEDS:
                other = section.named(rule.other)
                row[_FIRST], row[_LAST] = other.offset, other.kind.width
        self.values = np.array(values or [0], np.uint64).view(np.int64)

    @property
    def most(self) -> list[int]:
        """The worst grade that each rule gives."""
        return [SUSPECT if rule.rule in _OFTEN_SO else NOT_ADMITTED for rule in self.rules]


@dataclass
class Tallied:
    """How often records were at odds with each rule, and others: columns of `tally`, a row for each
    rule. `course`: the tally after each part that had records at odds, which gave them their grade.
    """

    tally: I64
    course: list[I64]


class Declared:
    """What the layout of a record declares, held against its records; counts go on from part to
    part."""

    def __init__(self, record: Record | LogRecord) -> None:
        by_section = dict[str, list[Evidence]]()
        self._once, self.in_use = list[str](), set[str]()  # tables
        for one in record.evidence:
            if one.rule is Rule.ONCE:
                self._once.append(one.section.table)
            elif one.rule is Rule.IN_USE:
                self.in_use.add(one.section.table)
            else:
                by_section.setdefault(one.section.table, []).append(one)
        sections = {section.table: section for section in record.sections}
        number = sum(map(len, by_section.values())) + len(self._once) + 1
        self.state = Tallied(np.zeros((number, 2), np.int64), [])
        at, self._rules = 0, dict[str, _Rules]()
        for table, some in by_section.items():
            counts = self.state.tally[at : at + len(some)]
            self._rules[table], at = _Rules(sections[table], some, counts), at + len(some)
        self._counts = dict(zip(self._once, self.state.tally[at:-1], strict=True))
        self._late = self.state.tally[-1]
        self._sections, self._insides = sections, dict[str, U8]()

    def __bool__(self) -> bool:
        return bool(self._rules or self._once)

    @property
    def at_odds(self) -> int:
        """How often records were at odds with any rule."""
        return int(self.state.tally[:, 0].sum())

    def note(self) -> None:
        """Note how the tally stands when a part was weighed; nothing where all was in order."""
        tally, course = self.state.tally, self.state.course
        if self.at_odds > (course[-1][:, 0].sum() if course else 0):
            course.append(tally.copy())

    def absorb(self, more: Tallied) -> bool:
        """Add the tally of a later range of the file. False where records in it would have another
        grade if the ranges before had been read with them."""
        before, last, is_sure = self.state.tally.copy(), np.zeros_like(self.state.tally), True
        for now in more.course:
            for row in np.flatnonzero(now[:, 0] > last[:, 0]).tolist():
                (odd, exact), (odd_before, exact_before) = now[row].tolist(), before[row].tolist()
                most = self._most[row]
                together = grade_of(odd_before + odd, exact_before + exact, most)
                is_sure &= grade_of(odd, exact, most) == together
            last = now
        self.state.tally += more.tally
        return is_sure

    @property
    def _most(self) -> list[int]:
        """The worst grade that each row of the tally gives."""
        of_rules = [most for rules in self._rules.values() for most in rules.most]
        return [*of_rules, *[NOT_ADMITTED] * len(self._once), SUSPECT]

    def insides(self, table: str) -> U8:
        """For each byte of its sections: in a number and not its first byte (`IN_NUMBER`), in a
        text and not its first character (`IN_TEXT`), or 0."""
        if table not in self._insides:
            section = self._sections[table]
            inside = self._insides[table] = np.zeros(section.length, np.uint8)
            for field in section.fields:
                if field.kind.op is not Op.OPAQUE:
                    what = IN_TEXT if field.kind.op is Op.TEXT else IN_NUMBER
                    items = np.arange(field.kind.width) % field.kind.item_width
                    inside[field.offset : field.end] = np.where(items, what, 0)
        return self._insides[table]

    def weigh(self, part: Part, runs: Mapping[str, Runs]) -> Iterator[Verdict | None]:
        """What rules say of the records of a part. `runs`: where the sections stand, by table."""
        rows = len(part.start)
        for table in self._once:
            is_odd = runs[table].number != 1
            yield self._of_count(table, is_odd, runs[table].number)
        for table, rules in self._rules.items():
            run = runs[table]
            broken, section = np.full(rows, -1, np.int32), np.zeros(rows, np.int64)
            test_rules(
                part.buffer, part.start, run.record, run.start, run.length,
                rules.table, rules.values, broken, section, rules.counts,
            )  # fmt: skip
            if (broken >= 0).any():
                yield _of_rules(part, rules, broken, section - part.start)

    def _of_count(self, table: str, is_odd: npt.NDArray[np.bool_], number: I64) -> Verdict | None:
        counts = self._counts[table]
        counts += int(is_odd.sum()), len(is_odd) - int(is_odd.sum())
        grade = grade_of(*counts.tolist())
        if not is_odd.any() or not grade:
            return None

        def detail(row: int) -> str:
            return f"found {number[row]:,} sections of {table}, expected 1, as every record has"

        return Verdict(_REASON, is_odd * np.uint8(grade), detail)

    def weigh_times(self, time: I64, begin: I64, end: I64) -> Verdict | None:
        """What the times of records say: each is written when its interval has ended.

        `time`, `begin`, `end`: microseconds of local time, or NO_TIME. Clocks are put forward and
        back by an hour, and a record may wait some minutes to be written.
        """
        is_odd, before = np.empty(len(time), np.bool_), int(self._late[0])
        compare_times(time, begin, end, is_odd, self._late)
        odd, exact = self._late.tolist()
        grade = grade_of(odd, exact, SUSPECT)
        if odd == before or not grade:
            return None

        def detail(row: int) -> str:
            last = time[row] if end[row] == NO_TIME else end[row]
            times = np.array([time[row], begin[row], last]).astype("M8[us]").astype("M8[s]")
            return (
                f"found a record of {times[0]} for an interval from {times[1]} to {times[2]}, "
                "expected one that was written when its interval ended"
            )

        return Verdict(_REASON, is_odd * np.uint8(grade), detail)

    def finish(self, about: tuple[str | None, str | None]) -> Iterator[Problem]:
        """What the whole file says of the rules themselves: those that most sections break."""
        told = [
            (f"{table}.{rule.field}", *counts.tolist())
            for table, rules in self._rules.items()
            for rule, counts in zip(rules.rules, rules.counts, strict=True)
        ]
        told += [(table, *counts.tolist()) for table, counts in self._counts.items()]
        for name, odd, exact in told:
            if odd and not grade_of(odd, exact):
                detail = (
                    f"{name}: {odd:,} of {odd + exact:,} sections are not as the layout declares; "
                    "it is not taken as evidence in this file"
                )
                yield Problem(None, 0, 0, *about, "info", "other_level", detail)


def _of_rules(part: Part, rules: _Rules, broken: I32, at: I64) -> Verdict | None:
    """The verdict on records that break a rule; `at`: where the section that does begins."""
    grades = [
        grade_of(odd, exact, most)
        for most, (odd, exact) in zip(rules.most, rules.counts.tolist(), strict=True)
    ]
    grade = np.array([*grades, 0], np.uint8)[broken]  # the last one is that of rule -1
    if not grade.any():
        return None

    def detail(row: int) -> str:
        one = rules.rules[broken[row]]
        field = rules.section.named(one.field)
        begin = int(part.start[row] + at[row]) + field.offset
        found = part.buffer[begin : begin + field.kind.width].tobytes().hex().upper()
        expected = {
            Rule.READS: f"expected {' or '.join(map(str, one.values))}",
            Rule.LENGTH: "expected the length of its section",
            Rule.REPEATS: f"expected what the header of the record says at +{one.header_at}",
            Rule.SET: "expected a value: it is never zero",
            Rule.NEEDS: f"expected {one.other} to have a value, too",
        }[one.rule]
        where = f"{rules.section.table}.{one.field} at +{at[row] + field.offset:,}"
        return f"{where}: found X'{found}', {expected}"

    return Verdict(_REASON, grade, detail)
