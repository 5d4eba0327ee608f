"""What the records of a file say of its wholeness: gaps, repeats, times that go back, systems.

Looks at headers, suffixes and the ends of records only. Nothing here is damage by itself: extracts,
joined dumps and log streams of several systems are normal, so that nearly all of it is information.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from imsperf.kernels import kernel
from imsperf.layout import IMS_SUFFIX
from imsperf.parsers.census import NO_TIME
from imsperf.parsers.cics_records import compressed_data
from imsperf.parsers.framing.frames import InOrder, Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.hashing import hash_records
from imsperf.parsers.kernels.loads import I64, U8, read_only
from imsperf.parsers.problems import Severity
from imsperf.parsers.smf_headers import kind_of, read_headers, system_of

_SLOTS = 1 << 22  # hashes kept to find repeats: 32 MB; more records may hide some of them
_HEAD, _TAIL = 512, 256  # bytes of a record that are compared
_SECOND = 1_000_000
_STEP, _LATE = 300 * _SECOND, 60 * _SECOND  # a clock was set back; a record was written late
_FEW = 3  # steps back that a clock or a joined dump explains; more are no order at all
_EVENTS, _MOST = 4096, (1 << 63) - 1
_SUFFIX, _LEAST_LOG = 16, 21
_DUMP_TYPES = (2, 3)  # header and trailer, written when the dump was made
_HOUSEKEEPING = "DUMY"  # system id of signature records
_RMF_CPU = (70, 1)  # one record for each RMF interval
_LONG_GAP = 1.5  # intervals between two records that make a gap


@dataclass(frozen=True)
class Note:
    """One finding about the records; `count` are those concerned."""

    cause: str
    severity: Severity
    byte_offset: int
    count: int | None
    detail: str
    advice: str


@kernel
def _repeats(hashes: Any, table: Any, repeated: U8) -> int:
    """Mark hashes that were there before; how many."""
    count = 0
    for i in range(hashes.size):
        slot = hashes[i] & np.uint64(table.size - 1)
        repeated[i] = table[slot] == hashes[i]
        count += repeated[i]
        table[slot] = hashes[i]
    return count


class Repeats:
    """Counts records that are there twice: same length, first and last bytes."""

    def __init__(self) -> None:
        self.count, self.place, self.records = 0, -1, 0
        self._table = np.zeros(_SLOTS, np.uint64)

    def add(self, part: Part) -> None:
        """Look at the next records."""
        head = np.minimum(part.length, _HEAD)
        tail = np.minimum(part.length, _TAIL)
        ends = part.start + part.length - tail
        buffer = read_only(part.buffer)
        hashes = hash_records(buffer, part.start, head).view("<u8")[:, 0].copy()
        long = np.flatnonzero(part.length > _HEAD)
        if len(long):
            hashes[long] ^= hash_records(buffer, ends[long], tail[long], 0).view("<u8")[:, 0]
            hashes[long] += part.length[long].astype(np.uint64)
        repeated = np.zeros(len(hashes), np.uint8)
        hits = _repeats(hashes, self._table, repeated)
        if hits and self.place < 0:
            self.place = int(part.place[np.argmax(repeated)])
        self.count += hits
        self.records += len(hashes)

    def notes(self) -> list[Note]:
        """What was found."""
        if not self.count:
            return []
        least = "at least " if self.records > _SLOTS // 2 else ""
        detail = f"{least}{self.count:,} records are there twice, the same in every byte compared"
        advice = "if a block or a dump was copied twice, make the file again; a load keeps both"
        return [Note("duplicate", "info", self.place, self.count, detail, advice)]


class Clock:
    """Follows the times of one system: steps back."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, int]] = []  # place and microseconds of steps back
        self.late, self.first_late, self._highest = 0, -1, NO_TIME

    def add(self, time: I64, place: I64) -> None:
        """Look at the next records."""
        known = time != NO_TIME
        time, place = time[known], place[known]
        if not len(time):
            return
        before = np.concatenate([[self._highest], time[:-1]])
        before = np.maximum.accumulate(before)
        back = np.where(before == NO_TIME, 0, before - time)
        late = np.flatnonzero(back > _LATE)
        if len(late) and self.first_late < 0:
            self.first_late = int(place[late[0]])
        self.late += len(late)
        last = int(self._last) if self._highest != NO_TIME else int(time[0])
        step = np.concatenate([[last], time[:-1]]) - time
        for row in np.flatnonzero(step > _STEP)[: _FEW + 1].tolist():
            self.steps.append((int(place[row]), int(step[row])))
        self._highest, self._last = int(max(self._highest, time.max())), int(time[-1])

    _last = 0

    def notes(self, system: str) -> list[Note]:
        """Steps back where there are few, else that there is no order."""
        if not self.late:
            return []
        if 0 < len(self.steps) <= _FEW:
            advice = "intervals overlap there: look at them with care, or split the file there"
            return [
                Note("clock_step", "info", place, None,
                     f"{system}: record times go back by {us // _SECOND:,} s", advice)
                for place, us in self.steps
            ]  # fmt: skip
        detail = f"{system}: {self.late:,} records are more than a minute older than one before"
        advice = "normal in a dump of a log stream; nothing needs to be done"
        return [Note("unsorted", "info", self.first_late, self.late, detail, advice)]


class SmfContent:
    """What SMF headers say."""

    def __init__(self) -> None:
        self._repeats = Repeats()
        self._clocks: dict[int, Clock] = {}
        self._cpu: dict[int, list[I64]] = {}
        self._compressed, self._first = 0, -1
        self._in_order = InOrder()

    def add(self, part: Part) -> None:
        """Look at the next records."""
        headers = read_headers(part)
        kinds = headers.key >> locate.TYPE_BITS & 0x7FFF
        mine = (headers.key != locate.NO_HEADER) & ~np.isin(kinds, _DUMP_TYPES)
        rows = np.flatnonzero(mine)
        if not len(rows):
            return
        part, key, time = part.take(rows), headers.key[rows], headers.time[rows]
        self._repeats.add(part)
        for stretch in self._in_order.add(part.place, key >> locate.SYSTEM_BITS, time):
            self._follow(*stretch)
        for system in np.unique(key).tolist():
            if kind_of(system) == _RMF_CPU:
                self._cpu.setdefault(system, []).append(time[key == system])
            if kind_of(system) == (110, 1):
                self._count_compressed(part.take(np.flatnonzero(key == system)))

    def _follow(self, place: I64, system: I64, time: I64) -> None:
        """Give each system's clock its times."""
        for number in np.unique(system).tolist():
            some = system == number
            self._clocks.setdefault(number, Clock()).add(time[some], place[some])

    def _count_compressed(self, part: Part) -> None:
        hit = compressed_data(part)
        if hit.any() and not self._compressed:
            self._first = int(part.place[np.argmax(hit)])
        self._compressed += int(np.count_nonzero(hit))

    def notes(self) -> list[Note]:
        """What was found."""
        for stretch in self._in_order.rest():
            self._follow(*stretch)
        findings = self._repeats.notes()
        names = {system: _name(system << locate.SYSTEM_BITS) for system in self._clocks}
        if not findings:
            findings += [
                note
                for system, clock in self._clocks.items()
                for note in clock.notes(names[system])
            ]
        real = [name for name in names.values() if name != _HOUSEKEEPING]
        if len(real) > 1:
            detail = f"records of {len(real):,} systems: {', '.join(sorted(real)[:20])}"
            advice = "normal; --system chooses one"
            findings.append(Note("mixed_systems", "info", 0, None, detail, advice))
        for key, times in self._cpu.items():
            findings += _missing_intervals(_name(key), np.concatenate(times))
        if self._compressed:
            detail = f"{self._compressed:,} CICS records (110.1) hold compressed data"
            advice = "normal: a load expands them"
            note = ("compressed_records", "info", self._first, self._compressed, detail, advice)
            findings.append(Note(*note))  # type: ignore[arg-type]
        return findings


def _name(key: int) -> str:
    return (system_of(key, "cp1047") or "").strip() or "(no name)"


def _missing_intervals(system: str, times: I64) -> list[Note]:
    """RMF intervals that are not there, by the times at which type 70 was written."""
    moments = np.unique(times[times != NO_TIME] // _SECOND)
    step = np.diff(moments)
    if len(step) < 4:
        return []
    usual = float(np.median(step))
    wide = np.flatnonzero(step > _LONG_GAP * usual)
    if not len(wide):
        return []
    count = int(sum(round(wide_step / usual) - 1 for wide_step in step[wide].tolist()))
    begin, end = moments[wide[0] : wide[0] + 2].astype("datetime64[s]")
    detail = (
        f"{system}: about {count:,} RMF intervals of {usual:,.0f} s are missing; the first between "
        f"{begin} and {end}".replace("T", " ")
    )
    advice = "dump these intervals as well, unless RMF was stopped"
    return [Note("gap", "info", 0, count, detail, advice)]


class LogContent:
    """What the suffixes of log records say."""

    def __init__(self) -> None:
        self._suffix, self._clock, self._in_order = Decoder(IMS_SUFFIX.fields), Clock(), InOrder()
        self._order = np.zeros(locate.ORDER_WIDTH, dtype=np.uint64)
        self._gaps: list[tuple[int, int, int]] = []
        self._more = self._records = self._missing = self._repeats = 0
        self._first_repeat = -1

    def add(self, part: Part) -> None:
        """Look at the next records."""
        rows = np.flatnonzero(part.length >= _LEAST_LOG)
        part = part.take(rows)
        if not len(rows):
            return
        at = part.start + part.length - _SUFFIX
        suffix = self._suffix.decode(part.buffer, at, np.full(len(rows), _SUFFIX)).batch
        time = suffix.column(0).cast(pa.int64()).fill_null(NO_TIME).to_numpy()
        for gap in self._in_order.add(part.place, time, suffix.column(1).to_numpy()):
            self._follow(*gap)

    def _follow(self, place: I64, time: I64, lsn: Any) -> None:
        """Look at the times and the sequence numbers of records in the order of the file."""
        self._clock.add(time, place)
        events = np.zeros((_EVENTS, 4), dtype=np.uint64)
        count = locate.follow_lsn(lsn, self._order, events)
        self._more += max(0, count - _EVENTS)
        for row, first, last, kind in events[: min(count, _EVENTS)].tolist():
            if kind == locate.GAP:
                self._gaps.append((int(place[row]), first, last))
            elif self._first_repeat < 0:
                self._first_repeat = int(place[row])
        high = np.maximum.accumulate(lsn)
        self._repeats += int(np.count_nonzero(lsn[1:] <= high[:-1]))
        self._records += len(lsn)

    def notes(self) -> list[Note]:
        """What was found."""
        for held in self._in_order.rest():
            self._follow(*held)
        findings = list[Note]()
        missing = min(sum(last - first + 1 for _, first, last in self._gaps), _MOST)
        is_extract = self._more or len(self._gaps) > 20 or missing > self._records
        if is_extract:
            detail = (
                f"{missing:,} log sequence numbers are missing in {len(self._gaps) + self._more:,} "
                "places: the file is an extract"
            )
            advice = "normal for selected records; else name the whole log"
            findings.append(Note("gap", "info", self._gaps[0][0], missing, detail, advice))
        else:
            advice = "records are lost, unless they were left out on purpose: compare with the log"
            findings += [
                Note("gap", "data_loss", place, last - first + 1,
                     f"log sequence numbers {first:,} to {last:,} are missing", advice)
                for place, first, last in self._gaps
            ]  # fmt: skip
        if self._first_repeat >= 0:
            count = max(1, self._repeats)
            detail = f"{count:,} log records whose sequence number is not above one before"
            advice = "both copies of a dual log, or an OLDS and its SLDS, or a block copied twice"
            findings.append(Note("duplicate", "info", self._first_repeat, count, detail, advice))
        return findings if self._first_repeat >= 0 else findings + self._clock.notes("log")
