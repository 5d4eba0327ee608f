"""IMS log records to tables: group by code and subcode, decode by profile, keep the rest raw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.errors import LayoutError
from imsperf.layout import IMS_SUFFIX, Section
from imsperf.layouts import HEADER_ONLY, log_profile
from imsperf.layouts.ims_a0 import SIGNATURE
from imsperf.layouts.profile import Profile
from imsperf.parsers import census
from imsperf.parsers.containers.source import BEFORE
from imsperf.parsers.entries import SUFFIX, EntryReader
from imsperf.parsers.evidence import lengths, zeros
from imsperf.parsers.evidence.declared import Declared
from imsperf.parsers.evidence.verdict import LOADED, Fate, Mask, settle
from imsperf.parsers.fill import SectionReader, Subject
from imsperf.parsers.framing.frames import PART_BYTES, Dump, Frames, Gathered, InOrder, Part
from imsperf.parsers.kernels import locate
from imsperf.parsers.kernels.decode import Decoder
from imsperf.parsers.kernels.loads import I64, read_only
from imsperf.parsers.merging import RangeState, RecordState
from imsperf.parsers.problems import Problem
from imsperf.parsers.rows import (
    Batch,
    Columns,
    InvalidValues,
    Runs,
    hash_batch,
    raw_batch,
    short_records,
)
from imsperf.parsers.selection import EVERY_RECORD, Keep
from imsperf.record import LogRecord

_LEAST = 4 + 1 + SUFFIX  # LL ZZ, code, suffix
_EYE, _SIGNATURE_CODE = "IMSPERF1", 0xA0
_LOOK_FOR_SIGNATURE = 10_000  # records; the signature is the first unless the start is damaged
_DESCRIPTORS = 8  # bytes in front of the first record of a whole log: BDW, lengths, block header
_MOST_EVENTS = 1000  # gaps and repeats named one by one; more are counted in one problem

# Codes whose second byte is a subcode (IMS Diagnosis, list of log records); in others it is data.
CODES_WITH_SUBCODE = frozenset(
    (0x09, 0x0A, 0x37, 0x38, 0x40, 0x45, 0x4C, 0x4E, 0x50, 0x56, 0x59, 0x67, 0x99)
)
_HEX = pa.array([f"{value:02X}" for value in range(256)])


@dataclass(frozen=True)
class Signature:
    """What the signature record of a synthetic log says."""

    profile: str
    imsid: str


def find_signature(parts: Iterable[Part]) -> Signature | None:
    """The signature among the first records; a real log has none."""
    looked = 0
    for part in parts:
        for _, signature in _signatures(part):
            return signature
        looked += len(part.start)
        if looked >= _LOOK_FOR_SIGNATURE:
            break
    return None


def _lost_signature(dump: Frames | Dump) -> tuple[bool, Signature | None]:
    """Whether bytes in front of the first record are lost, and the signature that is in them."""
    first = next(iter(dump.parts()), None)
    if first is None:
        return False, None
    source = dump.source if isinstance(dump, Dump) else None
    ahead = dump.buffer if isinstance(dump, Frames) else dump.source.buffer
    ahead = ahead[: int(first.place.min())][-BEFORE:]
    is_damaged = ahead.size > _DESCRIPTORS
    if source is not None and source.before.size:
        ahead = np.concatenate([source.before, ahead])
    data, eye = ahead.tobytes(), _EYE.encode("cp037")
    at = data.find(eye) - SIGNATURE.named("eye").offset
    end = at + SIGNATURE.length + SUFFIX
    if at < 0 or end > len(data) or data[at + 4] != _SIGNATURE_CODE:
        return is_damaged, None
    length = np.array([end - at], np.int32)
    first_row = np.array([0], np.int64)
    part = Part(
        read_only(np.frombuffer(data[at:end], np.uint8)), first_row, length, first_row, first_row
    )
    return True, next((signature for _, signature in _signatures(part)), None)


def _signatures(part: Part) -> Iterator[tuple[int, Signature]]:
    """The rows of a part that are signatures, and what they say."""
    names = [SIGNATURE.named(name) for name in ("eye", "profile", "imsid")]
    rows = np.flatnonzero(part.length >= SIGNATURE.length + SUFFIX)
    rows = rows[part.buffer[part.start[rows] + 4] == _SIGNATURE_CODE]
    decoded = Decoder(names).decode(part.buffer, part.start[rows], part.length[rows]).batch
    for row, values in zip(rows.tolist(), decoded.to_pylist(), strict=True):
        if values["eye"] == _EYE:
            yield row, Signature(values["profile"], values["imsid"])


def labels(key: int, profile: Profile) -> tuple[str | None, str | None]:
    """Code and subcode of a key as the ledger shows them: upper-case hex."""
    if key == locate.NO_HEADER:
        return None, None
    code, second = key >> 8, key & 0xFF
    is_subcode = code in CODES_WITH_SUBCODE or (code, second) in profile.records
    return f"{code:02X}", f"{second:02X}" if is_subcode else None


class LogReader:
    """Reads the records of one layout into the tables of ours that its sections fill."""

    def __init__(
        self,
        record: LogRecord,
        profile: Profile,
        file_id: int,
        code_page: str,
        columns: Columns | None = None,
    ) -> None:
        self.record, inner, self.declared = record, record.entries, Declared(record)
        about = profile, file_id, code_page, columns
        self._main = SectionReader(record.section, *about)
        self._suffix = Decoder(IMS_SUFFIX.fields, code_page)
        self._entries = EntryReader(record, inner, *about) if inner else None
        self.tables = [target.name for target in self._main.targets]
        if self._entries:
            self.tables += self._entries.tables

    def faults(self, part: Part) -> tuple[Any, list[Problem]]:
        """Mask of the records whose entries do not fit in them, and a problem for each."""
        if self._entries is None:
            return np.zeros(len(part.start), np.bool_), []
        return self._entries.faults(part)

    def read(self, part: Part, invalid: InvalidValues) -> Iterator[Batch]:
        """Batches of the tables that the record fills, and of those that its entries fill."""
        body, rows = part.length - SUFFIX, len(part.start)
        suffix = self._suffix.decode(part.buffer, part.start + body, np.full(rows, SUFFIX)).batch
        about = Subject(part.number, part.place, suffix.columns)
        yield from self._main.read(part.buffer, part.start, body, about, invalid)
        if self._entries:
            yield from self._entries.read(part, suffix, invalid)

    def place(self, part: Part) -> Iterator[tuple[Section, Runs]]:
        """Where the sections of sound records stand: the record's own, its entries, variants."""
        rows = len(part.start)
        ones, body = np.ones(rows, np.int64), part.length - SUFFIX
        first = ones.astype(np.int32)
        yield self.record.section, Runs(ones, np.arange(rows), part.start, body, first)
        if self._entries:
            yield from self._entries.place(part)

    def tables_of(self, part: Part) -> Iterator[tuple[str, Runs]]:
        """The same by the names of tables."""
        return ((section.table, runs) for section, runs in self.place(part))

    @property
    def at_odds(self) -> int:
        """How often records were at odds with what is declared."""
        return self.declared.at_odds

    @property
    def state(self) -> RecordState:
        """What the records of a range leave for the whole file."""
        entries = self._entries.state if self._entries else (Counter[int](), 0)
        return RecordState(self.declared.state, None, None, None, *entries)

    def absorb(self, more: RecordState) -> bool:
        """Take in what a later range left; whether the range was read as the whole file is."""
        is_sure = self.declared.absorb(more.declared)
        if self._entries:
            is_sure &= self._entries.absorb(more.unknown_entries, more.faulty_entries)
        return is_sure

    def finish(self) -> Iterator[Problem]:
        """What is known of the entries when the whole file has been read."""
        if self._entries:
            yield from self._entries.finish()


class LogOrder:
    """Follows the log sequence numbers of a file: what is missing, what is there twice."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._order = np.zeros(locate.ORDER_WIDTH, dtype=np.uint64)
        self._in_order, self._more = InOrder(), 0

    def add(self, part: Part, lsn: Any) -> None:
        """Take the next records."""
        for gap in self._in_order.add(part.place, part.number, lsn):
            self._follow(*gap)

    def _follow(self, place: I64, number: I64, lsn: Any) -> None:
        events = np.zeros((_MOST_EVENTS, 4), dtype=np.uint64)
        count = locate.follow_lsn(lsn, self._order, events)
        room = max(0, _MOST_EVENTS - len(self.problems))
        for row, *what in events[: min(count, room)].tolist():
            self.problems.append(_event(int(number[row]), int(place[row]), *what))
        self._more += max(0, count - room)

    def finish(self) -> None:
        """Look at what is left; say how many more there were."""
        for gap in self._in_order.rest():
            self._follow(*gap)
        if self._more:
            detail = f"found {self._more:,} more gaps and repeats of log sequence numbers"
            self.problems.append(Problem(None, 0, 0, None, None, "info", "lsn_order", detail))


def _event(number: int, place: int, first: int, last: int, kind: int) -> Problem:
    detail = f"found {last - first + 1:,} log sequence numbers missing, {first:,} to {last:,}"
    if kind == locate.REPEAT:
        detail = f"found log sequence number {first:,} after {last:,}, expected a higher one"
    reason = "lsn_gap" if kind == locate.GAP else "lsn_repeat"
    return Problem(number, place, 0, None, None, "info", reason, detail)


class LogFileReader:
    """Reads all records of a log; the census and the problems grow as the batches are taken."""

    kind = "ims"

    def __init__(
        self,
        dump: Frames | Dump,
        file_id: int,
        code_page: str,
        body: bool,
        profile: str | Profile | None,
        keep: Keep = EVERY_RECORD,
        fate: Fate = LOADED,
        signature: Signature | None = None,
        is_range: bool = False,
    ) -> None:
        """`is_range`: the headers of all records were looked at by another reader, which found the
        `signature`."""
        self.file_id, self.code_page, self.body, self._is_range = file_id, code_page, body, is_range
        self.is_sure = True  # nothing that was absorbed would be read otherwise in the whole file
        self._fate = fate
        self._keep, self.kept, self.repeated = keep, 0, 0  # records added, and there already
        self.census, self.problems = census.Census(), list[Problem]()
        if not is_range:
            signature = find_signature(dump.parts())
            if signature is None:
                signature = self._from_lost_bytes(dump, profile is not None)
        self.signature = signature
        self.imsid = signature.imsid if signature else None
        self._profile = self._chosen(profile, signature)
        self._suffix = Decoder(IMS_SUFFIX.fields)
        self._few = Gathered(PART_BYTES["ims"] // 2)
        self._readers: dict[int, LogReader | None] = {}
        self._by_layout: dict[int, LogReader] = {}  # by id: keys may share a layout
        self._invalid, self._order = InvalidValues(), LogOrder()

    def _from_lost_bytes(self, dump: Frames | Dump, has_profile: bool) -> Signature | None:
        """The signature of a log whose start is damaged; that it may be lost is a problem."""
        is_damaged, signature = _lost_signature(dump)
        detail = ""
        if signature and not has_profile:
            detail = (
                f"the signature was found in damaged bytes: profile {signature.profile} is taken"
            )
        elif is_damaged and not has_profile:
            detail = (
                "found no signature record, and bytes in front of the first record are lost: the "
                "log may have named its profile there; the records are kept undecoded; name the "
                "profile, --profile imsperf-1 for a log that imsperf generated"
            )
        if detail:
            about = (None, 0, 0, "A0", None, "info", "unknown_profile", detail)
            self.problems.append(Problem(*about))  # type: ignore[arg-type]
        return signature

    @property
    def profile(self) -> Profile:
        """The layouts that hold for this log."""
        return self._profile

    def look(self, part: Part) -> tuple[I64, pa.RecordBatch, census.Groups]:
        """Count the records of a part: their keys, suffixes and groups."""
        key, suffix = self._keys(part), self._suffixes(part)
        clock = suffix.column(0).cast(pa.int64())
        groups = census.group(key)
        self.census.add(groups, part.length, pc.fill_null(clock, census.NO_TIME).to_numpy())
        if not self._is_range:
            self._follow(part, key, suffix)
        return key, suffix, groups

    def survey(self, part: Part) -> None:
        """Count the records of a part; whose log it is says `imsid`."""
        self.look(part)

    def chosen(self, part: Part) -> tuple[Any, Any]:
        """Masks of the records that are wanted, and of those that say how others are read."""
        _, suffix, groups = self.look(part)
        context = np.zeros(len(part.start), np.bool_)
        context[[row for row, _ in _signatures(part)]] = True
        return self._wanted(part, suffix, groups)[0], context

    def _wanted(self, part: Part, suffix: pa.RecordBatch, groups: census.Groups) -> tuple[Any, int]:
        """What Keep.mask gives."""
        time = pc.fill_null(suffix.column(0).cast(pa.int64()), census.NO_TIME).to_numpy()
        return self._keep.mask(self.kind, part.number, groups, time, self._named)

    def read(self, part: Part) -> Iterator[Batch]:
        """Batches of the records of a part that are wanted."""
        key, suffix, groups = self.look(part)
        if self._keep:
            is_wanted, repeated = self._wanted(part, suffix, groups)
            self.repeated += repeated
            for some in self._few.add(part.take(is_wanted)):
                yield from self._read_again(some)
        else:
            yield from self._rows(part, key, suffix, groups)

    def rest(self) -> Iterator[Batch]:
        """Batches of records that wait; after the last part."""
        yield from self.gathered()

    @property
    def state(self) -> RangeState:
        """What is left for the whole file when a range of it was read, gathered records too."""
        loaded = {key: tally.loaded for key, tally in self.census.tallies.items() if tally.loaded}
        told = set[int]()
        records = dict[int, RecordState | None]()
        for key, reader in self._readers.items():  # of several keys of a layout the first has all
            is_first = reader is not None and id(reader) not in told
            records[key] = reader.state if reader and is_first else None
            told.add(id(reader))
        at_odds_any = any(reader.at_odds for reader in self._by_layout.values())
        return RangeState(
            self.kept, self.repeated, loaded, self.problems, self._invalid, None, records, False,
            bool(self._keep) and (at_odds_any or self._few.may_depend),
        )  # fmt: skip

    def absorb(self, more: RangeState) -> Iterator[Batch]:
        """Take in what the next range left, after `look` at all records; no batches."""
        self.kept += more.kept
        self.repeated += more.repeated
        for key, count in more.loaded.items():
            self.census.tallies[key].loaded += count
        self.problems += more.problems
        for key, state in more.records.items():
            reader = self._reader(key)
            if reader and state:
                self.is_sure &= reader.absorb(state)
        self._invalid.absorb(more.invalid)
        yield from ()

    def gathered(self) -> Iterator[Batch]:
        """Batches of records that wait to be read with others."""
        for part in self._few.rest():
            yield from self._read_again(part)

    def _read_again(self, part: Part) -> Iterator[Batch]:
        key = self._keys(part)
        yield from self._rows(part, key, self._suffixes(part), census.group(key))

    def _rows(
        self, part: Part, key: I64, suffix: pa.RecordBatch, groups: census.Groups
    ) -> Iterator[Batch]:
        self.kept += len(part.start)
        if self._keep.hashes and len(part.start):
            yield hash_batch(self.file_id, part)
        raw, is_cut = [], self._weigh_first(part)
        for number, group in enumerate(groups.keys):
            rows, reader = groups.rows(number), self._reader(group)
            is_counted = self._keep.counts or "ims_raw" in self._keep
            if reader is not None and not reader.tables and not is_counted:
                continue
            if reader is None:
                raw.append(rows)
                if len(part.zeros.runs):
                    self._refused(group, part.take(rows))
                continue
            bad = self._refused(group, part.take(rows)) | is_cut[rows]
            raw.append(rows[bad])
            rows = rows[~bad]
            if len(rows):
                self.census.tallies[group].loaded += len(rows)
                yield from reader.read(part.take(rows), self._invalid)
        if "ims_raw" in self._keep and raw and len(rows := np.sort(np.concatenate(raw))):
            yield self._kept(part.take(rows), key[rows], suffix.take(pa.array(rows)))

    def refused(self, part: Part) -> Mask:
        """Mask of records that are not to be passed on: what a load would not decode because
        something in them or about them speaks against it. Each one is a problem."""
        groups = census.group(self._keys(part))
        refused = self._weigh_first(part)
        for number, group in enumerate(groups.keys):
            rows = groups.rows(number)
            refused[rows] |= self._refused(group, part.take(rows))
        return refused

    def _weigh_first(self, part: Part) -> Mask:
        """Mask of the first record of the log, where its start is lost and it is not taken."""
        verdicts = [lengths.weigh_first(part)] if part.is_marked else []
        refused, problems = settle(verdicts, part, (None, None), self._fate)
        self.problems += problems
        return refused

    def _refused(self, group: int, part: Part) -> Mask:
        """The same for records of one key."""
        reader, about = self._reader(group), labels(group, self._profile)
        if reader is None:
            bad, problems = zeros.of_free_records(part, about, self._fate)
        else:
            bad, problems = reader.faults(part)
            if len(part.zeros.runs) or reader.declared:
                bad |= self._weigh(reader, part, bad, about)
        self.problems += problems
        return bad

    def _weigh(
        self, reader: LogReader, part: Part, bad: Mask, about: tuple[str | None, str | None]
    ) -> Mask:
        """Mask of the records that are not admitted: their zeros or their fields speak against
        them."""
        good = np.flatnonzero(~bad)
        sound = part.take(good)
        verdicts = [zeros.weigh(sound, lambda: reader.tables_of(sound), reader.declared)]
        if reader.declared and len(good):
            verdicts += reader.declared.weigh(sound, dict(reader.tables_of(sound)))
            reader.declared.note()
        refused = np.zeros(len(bad), np.bool_)
        refused[good], problems = settle(verdicts, sound, about, self._fate)
        self.problems += problems
        return refused

    def finish(self) -> None:
        """Add the problems that only the whole file can show."""
        readers = {key: reader for key, reader in self._readers.items() if reader}
        tables = {
            name: labels(key, self._profile)
            for key, reader in readers.items()
            for name in reader.tables
        }
        self._order.finish()
        self.problems += [*self._invalid.problems(tables), *self._order.problems]
        layout_readers = self._by_layout.values()
        self.problems += [problem for reader in layout_readers for problem in reader.finish()]
        unused = [name for reader in layout_readers for name in self._profile.unused(reader.record)]
        if unused:
            detail = (
                f"profile {self._profile.name}: found {len(unused):,} fields that no column of "
                f"ours takes; they are not kept: {', '.join(unused)}"
            )
            self.problems.append(Problem(None, 0, 0, None, None, "info", "unmapped_field", detail))

    def counts(self) -> Iterator[tuple[str | None, str | None, str | None, census.Tally]]:
        """IMS id where known, code and subcode, and their tally."""
        merged: dict[tuple[str | None, str | None], census.Tally] = {}
        for key, tally in self.census.tallies.items():
            merged.setdefault(labels(key, self._profile), census.Tally()).add(tally)
        for (code, subcode), tally in merged.items():
            yield self.imsid, code, subcode, tally

    def _chosen(self, given: str | Profile | None, signature: Signature | None) -> Profile:
        """The profile asked for, else that of the signature, else none: a real log stays raw."""
        if given is not None:
            return given if isinstance(given, Profile) else log_profile(given)
        if signature is None:
            return log_profile(HEADER_ONLY)
        try:
            return log_profile(signature.profile)
        except LayoutError as error:
            detail = f"signature: {error.message}; the records are kept undecoded"
            if not self._is_range:
                self.problems.append(
                    Problem(None, 0, 0, "A0", None, "error", "unknown_profile", detail)
                )
            return log_profile(HEADER_ONLY)

    def _named(self, key: int) -> tuple[str | None, tuple[str | None, str | None]]:
        return self.imsid, labels(key, self._profile)

    def _reader(self, key: int) -> LogReader | None:
        if key not in self._readers:
            record = None if key == locate.NO_HEADER else self._profile.record(key >> 8, key & 0xFF)
            self._readers[key] = self._made(record) if record else None
        return self._readers[key]

    def _made(self, record: LogRecord) -> LogReader:
        """The reader of a layout, made once: many keys have it where the second byte is data."""
        if id(record) not in self._by_layout:
            columns = self._keep.columns
            reader = LogReader(record, self._profile, self.file_id, self.code_page, columns)
            self._by_layout[id(record)] = reader
        return self._by_layout[id(record)]

    def _keys(self, part: Part) -> I64:
        key = np.empty(len(part.start), np.int64)
        locate.log_keys(part.buffer, part.start, part.length, _LEAST, key)
        return key

    def _suffixes(self, part: Part) -> pa.RecordBatch:
        """STCK and sequence number of each record, NULL where it is too short to have them."""
        short = part.length < _LEAST
        start = part.start + np.where(short, 0, part.length - SUFFIX)
        return self._suffix.decode(part.buffer, start, np.where(short, 0, SUFFIX)).batch

    def _follow(self, part: Part, key: I64, suffix: pa.RecordBatch) -> None:
        good = key != locate.NO_HEADER
        some = part if good.all() else part.take(good)
        self._order.add(some, suffix.column(1).drop_null().to_numpy())
        self.problems += short_records(part, ~good, _LEAST)

    def _kept(self, part: Part, key: I64, suffix: pa.RecordBatch) -> Batch:
        """Rows of ims_raw: records without a layout, or whose entries do not fit in them."""
        none = key == locate.NO_HEADER
        columns = {
            "code": _HEX.take(pa.array(key >> 8 & 0xFF, mask=none)),
            "subcode": _HEX.take(pa.array(key & 0xFF, mask=none)),
            "log_stck": suffix.column(0),
            "log_lsn": suffix.column(1),
        }
        return raw_batch("ims_raw", self.file_id, part, columns, self.body)
