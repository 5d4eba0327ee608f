"""Damaged files, and what the reading half promises of each.

`python tests fuzzing SEED FILES [COPIES [FORM...]]` counts.

A file gives records or a DumpError with a hint, never another exception. What is checked of each:

* records are numbered from 1 and every one is counted, hashed and in one table of its own
* every byte is in a record, in the words that frame records, or in a problem, and in one only
* a record that the whole file does not have holds a damaged byte, in it or in its wrapping
* all problems have places inside the file
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import mangler
import numpy as np
import pyarrow.compute as pc
from dump_files import log, smf
from evidence_files import header_names, record_bytes
from test_ims import WHOLE_RECORDS, signature
from test_xmit import data as xmit_data
from test_xmit import transmission

from imsperf import api
from imsperf.errors import DumpError
from imsperf.extracting import ExtractedFile
from imsperf.parsers.containers.source import Source, open_sources
from imsperf.parsers.diagnosis.browse import Browser
from imsperf.parsers.diagnosis.coverage import coverage
from imsperf.parsers.diagnosis.doctor import examine
from imsperf.parsers.framing.frames import Diagnosis, Dump, dump_of, what_is
from imsperf.parsers.framing.recognise import Evidence
from imsperf.parsers.framing.walker import Walker, whole_records
from imsperf.parsers.kernels.hashing import hash_records
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.problems import Problem
from imsperf.parsers.read import read_source
from imsperf.parsers.selection import Keep

Rng = np.random.Generator
# What a seed stands for hangs on this list and its order: new records go to the end.
_SEEDED = (
    *("115_1", "115_2", "115_231", "116_1", "116_10", "123_1", "123", "30", "42_5", "42_6", "70_1"),
    *("71_1", "72_3", "73_1", "74_1", "74_2", "74_4", "78_3", "88_1"),
)
SMF = [*header_names(), *(f"smf{seeded} record" for seeded in _SEEDED)]
PARTS = (1, 200, 5000, 1 << 20)  # bytes of records taken at a time
SECTOR = 512  # bytes


# --- small whole files ---------------------------------------------------------------------------


@cache
def _smf(name: str) -> bytes:
    return record_bytes(name)[4:]


def smf_records(rng: Rng, most: int = 5) -> list[bytes]:
    """A few records of any kinds between those that begin and end a dump."""
    names = rng.choice(SMF, int(rng.integers(1, most)))
    plain = [smf(200, 1, bytes(rng.integers(0, 256, int(rng.integers(0, 90)), np.uint8)))]
    return [smf(2), *map(_smf, names.tolist()), *plain, smf(3)]


def log_records(rng: Rng) -> list[bytes]:
    """A few log records without their LL ZZ, the sequence numbers rising."""
    names = rng.choice(WHOLE_RECORDS, int(rng.integers(1, 5))).tolist()
    some = [signature(), *(record_bytes(name) for name in names), log(0x59, 3, 9, b"x" * 30)]
    return [record[4:-16] + log(0, 0, 100 + number)[-16:] for number, record in enumerate(some)]


FORMS: dict[str, str] = {
    **dict.fromkeys(("ims_rdw", "ims_vb"), "ims"),
    **{name: "smf" for name in mangler.FORMS if not name.startswith(("ims", "text"))},
}
WRAPPED = [name for name in FORMS if name.startswith(("length", "ftp_block", "ftp_record", "vbs"))]
FORMS |= {f"log_{name}": "ims" for name in WRAPPED}
CONTAINERS = tuple(mangler.CONTAINERS)


def tersed(records: list[bytes]) -> bytes:
    """A packed variable data set in which no learned string is used: 12 bits a byte."""
    codes = [code for record in records for code in (*(byte + 1 for byte in record), 257)]
    codes += [0] * (2 - len(codes) % 2)
    pairs = zip(codes[::2], codes[1::2], strict=True)
    packed = b"".join((first << 12 | second).to_bytes(3) for first, second in pairs)
    return bytes((2, 1, 0x7F, 0xF4, 4, 0, 0x80, 0, 0, 0, 0, 0)) + packed


def whole(form: str, rng: Rng) -> bytes:
    """A whole file of a form, a few KB."""
    if form == "terse":
        return tersed(smf_records(rng, 3))
    if form == "xmit":
        return transmission("5002", xmit_data(*smf_records(rng, 3)))
    if form in CONTAINERS:
        return mangler.CONTAINERS[form](whole("rdw_spanned", rng))
    records = smf_records(rng) if FORMS[form] == "smf" else log_records(rng)
    return mangler.FORMS[form.removeprefix("log_")][0](records)


ALL_FORMS = (*FORMS, *CONTAINERS, "terse", "xmit")


# --- damage --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Damage:
    """The bytes of a file that was damaged, and the ranges of it that are not as they were."""

    data: bytes
    ranges: list[tuple[int, int]]


Damaging = Callable[[bytes, Rng], Damage]


def flipped(data: bytes, rng: Rng) -> Damage:
    """One to three bytes with one bit turned over, or any other value."""
    out, ranges = bytearray(data), []
    for at in rng.integers(0, len(data), int(rng.integers(1, 4))).tolist():
        out[at] ^= 1 << int(rng.integers(8)) if rng.random() < 0.5 else int(rng.integers(1, 256))
        ranges.append((at, at + 1))
    return Damage(bytes(out), ranges)


def lengths_changed(data: bytes, rng: Rng) -> Damage:
    """A word of two or four bytes, anywhere, becomes a number at a limit."""
    some = (0, 1, 3, 4, 0x7FF0, 0x7FF8, 0x7FFF, 0x8000, 0xFFFF)
    wide = bool(rng.random() < 0.3)
    limits = (0, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFF0000) if wide else some
    new = int(rng.choice(limits)).to_bytes(4 if wide else 2)
    at = int(rng.integers(0, max(1, len(data) - len(new))))
    return Damage(data[:at] + new + data[at + len(new) :], [(at, at + len(new))])


def cut(data: bytes, rng: Rng) -> Damage:
    """A transfer that broke off."""
    at = int(rng.integers(0, len(data)))
    return Damage(data[:at], [(at, at)])


def spliced(data: bytes, rng: Rng) -> Damage:
    """Bytes lost, put in, or in the place of others: random, zero, or a piece of the same file."""
    at, lost = int(rng.integers(len(data))), int(rng.choice((0, 1, 2, 4, 80, 500)))
    size = int(rng.choice((0, 1, 2, 4, 60, 300)))
    other = int(rng.integers(len(data)))
    kind = int(rng.integers(3))
    new = (rng.bytes(size), bytes(size), data[other : other + size])[kind]
    return Damage(data[:at] + new + data[at + lost :], [(at, at + len(new))])


def zeroed(data: bytes, rng: Rng) -> Damage:
    """A run of zeros or of X'FF'."""
    at = int(rng.integers(len(data)))
    end = min(len(data), at + int(rng.choice((4, 24, 200, 2000))))
    fill = b"\0\xff"[int(rng.random() < 0.3) :][:1] * (end - at)
    return Damage(data[:at] + fill + data[end:], [(at, end)])


def shuffled(data: bytes, rng: Rng) -> Damage:
    """Nothing but random bytes, or the file cut in pieces and put together in another order."""
    if rng.random() < 0.3:
        return Damage(rng.bytes(len(data)), [(0, len(data))])
    cuts = np.sort(rng.integers(0, len(data), 4)).tolist()
    parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    order = rng.permutation(len(parts)).tolist()
    return Damage(b"".join(parts[record] for record in order), [(0, len(data))])


DAMAGES = (flipped, flipped, lengths_changed, lengths_changed, cut, spliced, zeroed, shuffled)


def sector_lost(data: bytes, rng: Rng) -> Damage:
    """A sector of a disk, or pages of up to 8 of them, that read as zeros."""
    at = int(rng.integers(-(-len(data) // SECTOR))) * SECTOR
    end = min(len(data), at + SECTOR * int(rng.choice((1, 2, 4, 8))))
    return Damage(data[:at] + bytes(end - at) + data[end:], [(at, end)])


def block_of(data: bytes, rng: Rng) -> tuple[int, int, int]:
    """Where a block begins, and the two ends of it and of the next one: by the BDWs if these lead
    through the file, else blocks of a disk."""
    ends = [0]
    while ends[-1] + 8 <= len(data) and (size := int.from_bytes(data[ends[-1] :][:2])) > 8:
        ends.append(ends[-1] + size)
    if ends[-1] != len(data) or len(ends) < 3:
        ends = [*range(0, len(data), SECTOR), len(data)]
    at = int(rng.integers(len(ends) - 1))
    return ends[at], ends[at + 1], ends[min(at + 2, len(ends) - 1)]


def block_lost(data: bytes, rng: Rng) -> Damage:
    begin, end, _ = block_of(data, rng)
    return Damage(data[:begin] + data[end:], [(begin, begin)])


def block_twice(data: bytes, rng: Rng) -> Damage:
    begin, end, _ = block_of(data, rng)
    return Damage(data[:end] + data[begin:], [(end, 2 * end - begin)])


def blocks_swapped(data: bytes, rng: Rng) -> Damage:
    begin, end, last = block_of(data, rng)
    return Damage(data[:begin] + data[end:last] + data[begin:end] + data[last:], [(begin, last)])


# What disks and copies do: not among the damages that a seed of before stands for.
OF_BLOCKS = (sector_lost, sector_lost, block_lost, block_twice, blocks_swapped)
ALL_DAMAGES = (*DAMAGES, *OF_BLOCKS)


# --- what is promised ----------------------------------------------------------------------------


class Broken(AssertionError):
    """A promise that was not kept."""


def must(holds: bool, words: str) -> None:
    if not holds:
        raise Broken(words)


@dataclass
class Seen:
    """What a file gave: `whole`, `problems` or `refused`; its records by hash."""

    outcome: str
    records: int = 0
    problems: int = 0
    hashes: set[bytes] = field(default_factory=set)
    places: list[tuple[int, int, bytes]] = field(default_factory=list)
    lead: int = 0  # bytes in front of a record's place that say where it ends


def look(path: Path, part_bytes: int | None = None) -> Seen:
    """Read a file to its end and check all that is promised of it."""
    try:
        sources = list(open_sources(path))
    except DumpError as error:
        must(bool(error.hint) and bool(error.message), "an error without a hint")
        return Seen("refused")
    seen = Seen("refused")
    for source in sources:
        _check_problems(source.problems, 1 << 62)
        if source.buffer.size:
            _look_at(source, part_bytes, seen)
        seen.problems += len(source.problems)
    return seen


def _look_at(source: Source, part_bytes: int | None, seen: Seen) -> None:
    form = what_is(source)
    if isinstance(form, Diagnosis):
        must(bool(form.cause and form.found and form.advice), "a diagnosis without words")
        return
    loaded = read_source(
        source, 7, ReadOptions(raw=True, part_bytes=part_bytes), keep=Keep(hashes=True)
    )
    numbers, hashed, tables = list[int](), 0, Counter[str]()
    for table, batch in loaded.batches:
        batch.validate(full=True)
        tables[table] += batch.num_rows
        hashed += batch.num_rows if table == "load_record" else 0
        if _is_main(table):
            numbers += batch.column("record_no").to_pylist()
    must(sorted(numbers) == list(range(1, loaded.records + 1)), f"records {sorted(numbers)}")
    must(hashed == loaded.records == loaded.kept, "hashes")
    must(sum(count["records"] for count in loaded.counts) == loaded.records, "counts")
    packed = {id(problem) for problem in source.problems}  # their places are those of the container
    _check_problems([p for p in loaded.problems if id(p) not in packed], source.buffer.size)
    account(source, form)
    in_marks = form.form.sees_any_form  # each record stands behind FF 01 or FF 03
    seen.lead = 2 if in_marks else form.form.width if form.form.adds_rdw else 0
    seen.records += loaded.records
    seen.problems += len([problem for problem in loaded.problems if problem.severity != "info"])
    seen.outcome = "problems" if seen.problems else "whole"
    seen.places += _places(source, form, part_bytes)
    must(_places(source, form) == seen.places[-loaded.records or 1 << 60 :], "parts differ")
    seen.hashes |= {digest for _, _, digest in seen.places}


def _places(
    source: Source, form: Evidence, part_bytes: int | None = None
) -> list[tuple[int, int, bytes]]:
    """Place, length and hash of the records, whatever the size of the parts."""
    rows = []
    for part in Dump(source, form).parts(part_bytes):
        hashes = hash_records(part.buffer, part.start, part.length)
        some = (part.number.tolist(), part.place.tolist(), part.length.tolist(), map(bytes, hashes))
        rows += zip(*some, strict=True)
    return [place[1:] for place in sorted(rows)]


def _is_main(table: str) -> bool:
    """Whether each record has one row there, in this table or in another one of them."""
    if table.startswith("ims_"):
        return table == "ims_raw" or (table.count("_") == 1 and not table.endswith("_raw"))
    return table.endswith(("_raw", "_header"))


def _check_problems(problems: list[Problem], size: int) -> None:
    for problem in problems:
        must(0 <= problem.byte_offset <= size, f"a problem past the end: {problem}")
        must(0 <= problem.bytes <= size, f"a problem of more bytes than there are: {problem}")
        must(bool(problem.detail and problem.reason), f"a problem without words: {problem}")
        must(
            problem.severity in ("error", "data_loss", "suspect", "info"), f"severity of {problem}"
        )


def account(source: Source, evidence: Evidence) -> None:
    """Every byte is in one piece of a record, in one problem, or in a word that frames pieces."""
    buffer = source.buffer
    walker = Walker(buffer, evidence, int(1e9))
    ranges, lost = list[tuple[int, int]](), 0
    blocked, made_up = False, evidence.form.adds_rdw
    for form, pieces in walker.pieces():
        blocked, made_up = blocked or form.blocked, made_up or form.adds_rdw
        skip = 4 if form.adds_rdw else 0  # an RDW that is not there
        begin = (pieces.start + skip).tolist()
        end = (pieces.start + pieces.length).tolist()
        ranges += zip(begin, end, strict=True)
        places, problems = whole_records(buffer, form, pieces)
        lost = sum(problem.bytes for problem in problems)
        whole_bytes = int(places.length.sum(dtype=np.int64))
        many = int(pieces.length.sum(dtype=np.int64))
        joined = whole_bytes + lost
        must(joined <= many and (many - joined) % 4 == 0, "joined records have other bytes")
        must(many - joined <= 4 * len(pieces.start), "joined records lost bytes")
    ranges += [
        (problem.byte_offset, problem.byte_offset + problem.bytes) for problem in walker.problems
    ]
    at = 0
    for begin_at, end_at in sorted(span for span in ranges if span[0] != span[1]):
        must(begin_at >= at, f"bytes {begin_at} to {at} are accounted for twice")
        between = begin_at - at
        allowed = between == 0 or made_up or (blocked and between == 4)
        must(allowed, f"{between} bytes at {at} are not accounted for")
        at = end_at
    rest = (buffer.size if walker.rest is None else walker.rest) - at
    must(rest == 0 or made_up, f"{rest} bytes at the end are not accounted for")


def ask_the_doctor(path: Path, seen: Seen) -> None:
    """The doctor says something of each file, and refuses what a load refuses."""
    rows = examine([path]).to_pylist()
    must(bool(rows) and all(row["detail"] for row in rows), "the doctor says nothing")
    loads = any(row["verdict"] != "not_loadable" for row in rows)
    must(loads == (seen.outcome != "refused"), "the doctor says otherwise than a load")
    advised = all(row["advice"] or row["severity"] == "info" for row in rows)
    must(advised, "the doctor gives no advice")


def use_otherwise(path: Path, seen: Seen) -> None:
    """Coverage, extract and the pages of records take the same files; of archives the first one."""
    if len(list(open_sources(path))) > 1:
        return
    covered = coverage(path)
    must(covered.record_bytes <= covered.bytes + 4 * covered.records, "more bytes than there are")
    sums = [pc.sum(covered.rows[name]).as_py() or 0 for name in ("decoded", "reserved", "unknown")]
    must(sum(sums) == covered.record_bytes, "coverage does not add up")
    browser = Browser(path)
    for number in {1, 1 + len(browser.frames.start) // 2, len(browser.frames.start)}:
        must(browser.read(number).number == number, "another record")
    out = path.with_name("extracted.bin")
    done = api.extract([path], out, force=True)
    must(done[0].records == len(browser.frames.start), "extract finds other records")
    _check_copy(next(open_sources(path)), done[0], out)


def _check_copy(source: Source, done: ExtractedFile, out: Path) -> None:
    """An extract has every record, but for those it names as refused.

    It has no blocks: a record that only its block proved may be told as lost bytes of the copy.
    """
    rows, dump = [], dump_of(source)
    for part in dump.parts():
        lines = zip(part.number.tolist(), part.start.tolist(), part.length.tolist(), strict=True)
        rows += [(number, part.buffer[at : at + size].tobytes()) for number, at, size in lines]
    named = {problem.record_no for problem in done.problems if problem.severity == "error"}
    if done.kind == "ims":  # without blocks, a record whose suffix makes no sense proves nothing
        there = out.read_bytes()
        refused = [(number, data) for number, data in rows if data not in there]
        must(
            len(there) == sum(len(data) for _, data in rows) - sum(len(d) for _, d in refused),
            "copy",
        )
    else:
        copy, places, there = look(out), _places(source, dump.evidence), out.read_bytes()
        hashes = copy.hashes
        refused = [
            pair
            for pair, place in zip(sorted(rows), places, strict=True)
            if place[2] not in hashes and not (copy.problems and pair[1] in there)
        ]
        must(hashes <= {digest for _, _, digest in places}, "copy")
    must({number for number, _ in refused} <= named, "a record is left out without a word")
    must(len(refused) <= done.refused, "more records are left out than it says")


def check_against(clean: Seen, damaged: Seen, ranges: list[tuple[int, int]]) -> None:
    """A record that the whole file does not have holds a damaged byte, or the word in front of it
    that says its length does."""
    ends = sorted(place for place, _, _ in damaged.places)
    for place, length, digest in damaged.places:
        if digest in clean.hashes:
            continue
        later = [at for at in ends if at > place]
        end = max(place + length, later[0] if later else 1 << 62)
        hit = any(begin <= end and place - damaged.lead <= stop for begin, stop in ranges)
        must(hit, f"a record at {place} to {end} that was never there")


# --- a run ---------------------------------------------------------------------------------------

TURNS = 20  # damaged copies of one whole file


@dataclass
class Run:
    """Damaged files one after the other; a seed and the number of a copy tell each of them."""

    folder: Path
    counts: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def seed(
        self,
        seed: int,
        turns: int = TURNS,
        forms: tuple[str, ...] = ALL_FORMS,
        damages: tuple[Damaging, ...] = ALL_DAMAGES,
    ) -> None:
        """A whole file of a few KB, and damaged copies of it."""
        rng = np.random.default_rng(seed)
        form = forms[int(rng.integers(len(forms)))]
        data = whole(form, rng)
        clean = self.seen(f"seed {seed}: {form}, whole", data)
        for turn in range(turns):
            rng = np.random.default_rng([seed, turn])
            damage = damages[int(rng.integers(len(damages)))]
            name = f"seed {seed}, {turn}: {form}, {damage.__name__}"
            seen = self.copy(name, form, clean, damage(data, rng), rng)
            if clean and seen and seen.outcome == "whole" and seen.hashes - clean.hashes:
                self.counts[f"another record, nothing told: {damage.__name__}"] += 1

    def copy(self, name: str, form: str, clean: Seen | None, copy: Damage, rng: Rng) -> Seen | None:
        """What a damaged copy gave."""
        before = clean if form in FORMS else None
        seen = self.seen(name, copy.data, PARTS[int(rng.integers(len(PARTS)))], before, copy)
        if seen is not None:
            self.counts["files"] += 1
            self.counts[seen.outcome] += 1
            self.counts["records"] += seen.records
            self.counts["problem rows"] += seen.problems
        return seen

    def seen(
        self, name: str, data: bytes, part_bytes: int | None = None, clean: Seen | None = None,
        copy: Damage | None = None,
    ) -> Seen | None:  # fmt: skip
        """What a file gave, None where a promise was not kept."""
        path = self.folder / "dump"
        path.write_bytes(data)
        try:
            seen = look(path, part_bytes)
            if copy and clean and clean.outcome == "whole":
                check_against(clean, seen, copy.ranges)
            if len(data) % 5 == 0:
                ask_the_doctor(path, seen)
            if len(data) % 7 == 0 and seen.records:
                use_otherwise(path, seen)
        except Exception as error:
            self.broken.append(f"{name}: {type(error).__name__}: {error}")
            self.counts["broken"] += 1
            return None
        return seen


def main(first: int, count: int, turns: int = TURNS, forms: tuple[str, ...] = ALL_FORMS) -> None:
    """Check damaged copies of `count` whole files from seed `first` on; print counts."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder))
        for seed in range(first, first + count):
            run.seed(seed, turns, forms)
    run.counts["seconds"] = round(time.monotonic() - began)
    print(json.dumps(run.counts))
    for line in run.broken:
        print(line)
    sys.exit(bool(run.broken))


if __name__ == "__main__":
    numbers = (*map(int, sys.argv[1:4]), TURNS)[:3]
    main(*numbers, tuple(sys.argv[4:]) or ALL_FORMS)
