"""The plan of a load: where its dumps stand, what the run has of them, their ranges in tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from imsperf.database.store import Store
from imsperf.loading.load import Job
from imsperf.loading.loaded_file import LoadedFile
from imsperf.loading.notes import file_row, lost_row
from imsperf.loading.repeats import loaded_before, repeated
from imsperf.loading.tasks import Opened, Place, Plan, Planned
from imsperf.parsers.containers.source import STDIN, Source, fingerprint, storable
from imsperf.parsers.problems import raise_on_damage
from imsperf.parsers.ranges import RANGE_BYTES, pass_along, taken_parts
from imsperf.parsers.read import Loaded, dumps_in
from imsperf.parsers.rows import hash_batch
from imsperf.parsers.selection import Keep


def plan_dumps(
    ledger: Store, paths: Sequence[Path], job: Job, range_bytes: int = RANGE_BYTES
) -> Plan:
    """Go along the dumps in files: what a load of them is to read.

    `ledger` has the tables of the ledger, which know what is there already; what is planned is
    entered into them. Raises DumpError for a file that is no dump.
    """
    planner = _Planner(ledger, job, range_bytes)
    for path in paths:
        for source in dumps_in(path, job.options.passed_over, job.options.framing, lost=True):
            planner.add(source)
    return Plan(job, range_bytes, planner.dumps)


class _Planner:
    """Goes along dumps in the order of a load."""

    def __init__(self, ledger: Store, job: Job, range_bytes: int) -> None:
        self._ledger, self._job, self._range_bytes = ledger, job, range_bytes
        self._selection = job.options.selection
        self.dumps: list[Planned] = []
        self._entered = set[int]()  # numbers of dumps whose rows are in the ledger
        self._hashed = set[int]()

    def add(self, source: Source) -> None:
        """Plan the next dump, or a member of which nothing could be unpacked."""
        run = self._job.run or storable(source.path.resolve().parent.name)
        place = _place(source)
        if not source.buffer.size:
            self._add_lost(source, place, run)
            return
        is_cut = not source.container
        passed = pass_along(source, self._job.options, self._range_bytes, is_cut)
        loaded = passed.loaded
        result = LoadedFile(loaded.path, loaded.name, run, 0, loaded.bytes)
        dump = Planned(place, run, result, passed)
        for number in self._like(loaded.kind, run):
            other = self.dumps[number]
            if other.passed and not self._selection and other.passed.loaded.sample == loaded.sample:
                self._hash_file(number)
        if earlier := loaded_before(self._ledger, loaded, run, self._selection):
            result.skipped = f"the same bytes are in run {run!r} already, from {earlier}"
            dump.passed = None
        else:
            self._enter_those_before(loaded, run)
            dump.there = repeated(self._ledger, run, loaded, loaded)
        loaded.release()
        self.dumps.append(dump)

    def _add_lost(self, source: Source, place: Place, run: str) -> None:
        if self._job.strict:
            raise_on_damage(source.name, source.problems, "nothing was loaded")
        result = LoadedFile(source.path, source.name, run, 0, 0, problems=source.problems)
        there = "SELECT count(*) FROM load_file WHERE run = ? AND path = ? AND records = 0"
        row = lost_row(source, 0, run)
        if self._ledger.scalar(there, [run, row["path"]]):
            result.skipped = "nothing could be unpacked then, as now"
        else:
            self._ledger.append_rows("load_file", [row])
        self.dumps.append(Planned(place, run, result, lost=source))

    def _like(self, kind: str, run: str) -> list[int]:
        """Numbers of the dumps of the same run and kind that are to be read."""
        return [
            number
            for number, dump in enumerate(self.dumps)
            if dump.passed and dump.run == run and dump.passed.loaded.kind == kind
        ]

    def _enter_those_before(self, loaded: Loaded, run: str) -> None:
        """Let the ledger know the dumps before this one, and their records where they may be the
        same."""
        for number in self._like(loaded.kind, run):
            dump = self.dumps[number]
            assert dump.passed is not None
            other = dump.passed.loaded
            if bool(self._selection) or loaded.untimed or other.untimed or _overlap(other, loaded):
                self._hash_records(number)
            self._enter(number)

    def _enter(self, number: int) -> None:
        if number in self._entered:
            return
        self._entered.add(number)
        dump = self.dumps[number]
        assert dump.passed is not None
        dump.result.file_id = -1 - number  # that no file of a lake has
        dump.result.kept = dump.passed.loaded.records  # at most
        row = file_row(dump.passed.loaded, dump.result, self._selection, False)
        self._ledger.append_rows("load_file", [row])

    def _hash_file(self, number: int) -> None:
        """Let the ledger know the SHA-256 of a dump before: another one looks like it."""
        dump = self.dumps[number]
        assert dump.passed is not None
        dump.passed.loaded.is_hashed_as(fingerprint(Opened().source(dump.place)))
        self._enter(number)
        self._ledger.con.execute(
            "UPDATE planned.load_file SET sha256 = ? WHERE file_id = ?",
            [dump.passed.loaded.sha256, -1 - number],
        )

    def _hash_records(self, number: int) -> None:
        """Let the ledger know the records that are taken of a dump before."""
        if number in self._hashed:
            return
        self._hashed.add(number)
        dump = self.dumps[number]
        assert dump.passed is not None
        source = Opened().source(dump.place)
        keep = Keep(self._selection, dump.there, True)
        for part in taken_parts(source, self._job.options, keep):
            rows = pa.Table.from_batches([hash_batch(-1 - number, part)[1]])
            self._ledger.append("load_record", rows)


def _overlap(loaded: Loaded, other: Loaded) -> bool:
    """Whether both have records of a time."""
    if loaded.first is None or loaded.last is None or other.first is None or other.last is None:
        return True
    return loaded.first <= other.last and loaded.last >= other.first


def _place(source: Source) -> Place:
    path = source.path
    if path == STDIN:
        return Place(str(path), 0, 0, source.number, source.start)
    known = source.watch.known if source.watch else path.stat()
    return Place(
        str(path.absolute()), known.st_size, known.st_mtime_ns, source.number, source.start
    )
