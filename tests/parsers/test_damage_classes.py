"""Damage by class: is a record shown that the clean file lacks, and is it told?

Each class is what one kind of accident does to a file: pages and sectors that read as zeros, blocks
that are lost, repeated or change places, bytes that are lost or put in, a start that is missing.
A record is wrong if it is loaded and the clean file does not have it; it is told if it is suspect.
`pytest -s -m slow tests/parsers/test_damage_classes.py` prints the table of all classes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import mangler
import numpy as np
import pytest
from test_transfer_forms import records, timed
from test_xmit import data as xmit_data
from test_xmit import transmission

from imsperf.errors import DumpError
from imsperf.parsers.options import ReadOptions
from imsperf.parsers.read import dumps_in, read_source
from imsperf.parsers.selection import Keep

Rng = np.random.Generator
Change = Callable[[bytes, Rng], bytes]
PAGE, SECTOR = 4096, 512


# --- forms ---------------------------------------------------------------------------------------


def vbs(records: list[bytes], size: int = 4096) -> bytes:
    """Blocks that segments fill."""
    return b"".join(data for _, data in mangler.v_blocks(records, size, fill=True))


FORMS: dict[str, Callable[[list[bytes]], bytes]] = {
    "rdw": mangler.FORMS["rdw"][0],
    "bdw_rdw": mangler.FORMS["bdw_rdw"][0],
    "vb_4096": lambda records: b"".join(d for _, d in mangler.v_blocks(records, 4096)),
    "vbs_4096": vbs,
    "vbs_27998": mangler.FORMS["vbs_27998"][0],
    "ims_rdw": mangler.FORMS["ims_rdw"][0],
    "ims_vb": mangler.FORMS["ims_vb"][0],
}


# --- damages -------------------------------------------------------------------------------------


def zeros(data: bytes, at: int, size: int) -> bytes:
    return data[:at] + bytes(len(data[at : at + size])) + data[at + size :]


def zeroed(data: bytes, rng: Rng, size: int = PAGE, step: int = PAGE, count: int = 1) -> bytes:
    """`count` ranges of zeros that begin at multiples of `step`."""
    for _ in range(count):
        data = zeros(data, int(rng.integers(-(-len(data) // step))) * step, size)
    return data


def blocks(data: bytes) -> list[bytes]:
    places = []
    while data:
        size = int.from_bytes(data[:2]) if data[0] < 0x80 else int.from_bytes(data[:4]) & 0x7FFFFFFF
        places.append(data[:size])
        data = data[size:]
    return places


def block_lost(data: bytes, rng: Rng) -> bytes:
    some = blocks(data)
    del some[int(rng.integers(len(some)))]
    return b"".join(some)


def block_twice(data: bytes, rng: Rng) -> bytes:
    some = blocks(data)
    at = int(rng.integers(len(some)))
    return b"".join([*some[: at + 1], *some[at:]])


def blocks_swapped(data: bytes, rng: Rng) -> bytes:
    some = blocks(data)
    at = int(rng.integers(len(some) - 1))
    some[at : at + 2] = some[at + 1], some[at]
    return b"".join(some)


def lost(data: bytes, rng: Rng, size: int) -> bytes:
    at = int(rng.integers(len(data) - size))
    return data[:at] + data[at + size :]


def inserted(data: bytes, rng: Rng, size: int) -> bytes:
    at = int(rng.integers(1, len(data)))
    return data[:at] + rng.bytes(size) + data[at:]


def copied(data: bytes, rng: Rng, size: int) -> bytes:
    """Some bytes twice."""
    at = int(rng.integers(1, len(data) - size))
    return data[: at + size] + data[at:]


def inserted_in_last(data: bytes, rng: Rng, size: int = 0, fill: bool = False) -> bytes:
    """1 to 80 bytes, or so many, put into the last record of records with RDWs."""
    at = last = 0
    while at < len(data):
        last, at = at, at + int.from_bytes(data[at : at + 2])
    size = size or int(rng.integers(1, 81))
    place = int(rng.integers(last + 4, len(data)))
    return data[:place] + (bytes(size) if fill else rng.bytes(size)) + data[place:]


def without_start(data: bytes, rng: Rng, size: int) -> bytes:
    return data[size:]


def cut_out(data: bytes, rng: Rng) -> bytes:
    """Some bytes of a transmission, in whole 80-byte lines or not."""
    size = int(rng.choice((1, 4, 80, 160, 800)))
    return lost(data, rng, size)


def said_twice(data: bytes, rng: Rng) -> bytes:
    return copied(data, rng, int(rng.choice((1, 4, 80, 160, 800))))


SMF = ("rdw", "vb_4096", "vbs_4096", "vbs_27998")
LOG = ("ims_rdw", "ims_vb")
BOTH = (*SMF, *LOG)
CLASSES: dict[str, tuple[Change, tuple[str, ...]]] = {
    "page": (zeroed, BOTH),
    "two pages": (partial(zeroed, count=2), BOTH),
    "page at a sector": (partial(zeroed, step=SECTOR), BOTH),
    "sector 512": (partial(zeroed, size=512, step=512), BOTH),
    "sectors 1024": (partial(zeroed, size=1024, step=512), BOTH),
    "sectors 2048": (partial(zeroed, size=2048, step=512), BOTH),
    "4096 anywhere": (partial(zeroed, step=1), BOTH),
    "block lost": (block_lost, ("vb_4096", "vbs_4096", "ims_vb")),
    "block twice": (block_twice, ("vb_4096", "vbs_4096", "ims_vb")),
    "blocks swapped": (blocks_swapped, ("vb_4096", "vbs_4096", "ims_vb")),
    "4 lost": (partial(lost, size=4), BOTH),
    "8 put in": (partial(inserted, size=8), BOTH),
    "put into last": (inserted_in_last, ("rdw", "ims_rdw")),
    "zeros put into last": (partial(inserted_in_last, fill=True), ("rdw", "ims_rdw")),
    "2 put into last": (partial(inserted_in_last, size=2), ("rdw", "ims_rdw")),
    "first 4 missing": (partial(without_start, size=4), BOTH),
    "first 8 missing": (partial(without_start, size=8), BOTH),
    "xmit cut": (cut_out, ("xmit",)),
    "xmit twice": (said_twice, ("xmit",)),
}


# --- measuring -----------------------------------------------------------------------------------


@dataclass
class Seen:
    """Hashes of the records of a file by number; those that are suspect, those that are kept raw
    with an error; those without a layout; and what was said."""

    hashes: list[tuple[int, bytes]]
    suspect: set[int]
    refused: set[int]
    raw: set[int]
    reasons: set[str]


def seen(path: Path) -> Seen | None:
    """What a load keeps; None where the file is refused."""
    view = Seen([], set(), set(), set(), set())
    try:
        for source in dumps_in(path, lambda digest, why: None):
            loaded = read_source(source, 1, ReadOptions(raw=True), keep=Keep(hashes=True))
            for table, batch in loaded.batches:
                if table.endswith("_raw"):
                    view.raw.update(batch.column("record_no").to_pylist())
                if table == "load_record":
                    numbers = batch.column("record_no").to_pylist()
                    names = ("hash_high", "hash_low")
                    hashes = zip(*(batch.column(name).to_pylist() for name in names), strict=True)
                    view.hashes += zip(numbers, map(repr, hashes), strict=True)  # type: ignore[arg-type]
            for problem in loaded.problems:
                if problem.record_no is not None and problem.severity == "suspect":
                    view.suspect.add(problem.record_no)
                elif problem.record_no is not None and problem.severity != "info":
                    view.refused.add(problem.record_no)
                view.reasons.add(problem.reason)
    except DumpError:
        return None
    return view


@dataclass
class Tally:
    """Files tried, refused; records wrong, wrong and untold; files with them; those of them that
    have no layout and are not decoded; records missing, and accused though they are right."""

    files: int = 0
    refused: int = 0
    wrong: int = 0
    untold: int = 0
    untold_files: int = 0
    raw: int = 0
    missing: int = 0
    accused: int = 0

    def add(self, clean: set[bytes], seen: Seen | None) -> bool:
        self.files += 1
        if seen is None:
            self.refused += 1
            return False
        wrong = [n for n, digest in seen.hashes if digest not in clean and n not in seen.refused]
        untold = [number for number in wrong if number not in seen.suspect]
        told = seen.suspect | seen.refused
        self.accused += sum(digest in clean for number, digest in seen.hashes if number in told)
        self.raw += len(seen.raw & set(untold))
        self.wrong, self.untold = self.wrong + len(wrong), self.untold + len(untold)
        self.untold_files += bool(untold)
        self.missing += len(clean - {digest for _, digest in seen.hashes})
        return bool(untold)


def clean_file(form: str, some: list[bytes]) -> bytes:
    if form == "xmit":
        return transmission("5002", xmit_data(*some))
    return FORMS[form](some)


def measure(
    name: str, form: str, some: list[bytes], folder: Path, turns: int, seed: int = 1
) -> Tally:
    """Damaged copies of one file; prints those with a wrong record that is not told."""
    change, tally, path = CLASSES[name][0], Tally(), folder / "dump"
    data = clean_file(form, some)
    path.write_bytes(data)
    clean_view = seen(path)
    assert clean_view is not None and not clean_view.suspect | clean_view.refused, (
        form,
        clean_view and clean_view.reasons,
    )
    clean = {digest for _, digest in clean_view.hashes}
    for turn in range(turns):
        damaged = change(data, np.random.default_rng([seed, turn]))
        path.write_bytes(damaged)
        if tally.add(clean, seen(path)) and os.environ.get("IMSPERF_SHOW"):
            print("   untold:", name, form, turn)
    return tally


def all_but_some_slow(names: Iterable[str], quick: set[str]) -> list[Any]:
    """All names; those that are not quick under the marker slow."""
    slow = pytest.mark.slow
    return [name if name in quick else pytest.param(name, marks=slow) for name in names]


PROVED = ("4 lost", "8 put in", "put into last", "zeros put into last", "2 put into last")


@pytest.mark.parametrize("name", all_but_some_slow(PROVED, {"put into last"}))
def test_lengths_and_chains_prove_what_is_shown(name: str, tmp_path: Path) -> None:
    for form in CLASSES[name][1]:
        kind = "ims" if form.startswith("ims") else "smf"
        tally = measure(name, form, records(kind, 1), tmp_path, 4)
        assert (tally.refused, tally.wrong) == (0, 0), (form, tally)


def with_peers(size: int = 1) -> list[bytes]:
    """Records of which each kind is there several times: neighbours can tell what is lost."""
    some = [
        record for record in records("smf", size) if record[1] in (30, 70, 72, 74, 88, 115, 116)
    ]
    return [
        timed(record, 1000 * turn + number)
        for turn in range(1, 5)
        for number, record in enumerate(some)
    ]


ZEROS = ("page", "page at a sector", "sector 512", "sectors 2048", "4096 anywhere")
BLOCKS = ("block lost", "block twice", "blocks swapped")


@pytest.mark.parametrize("name", all_but_some_slow([*ZEROS, *BLOCKS], {"blocks swapped"}))
def test_neighbours_tell_what_is_wrong(name: str, tmp_path: Path) -> None:
    """No record is decoded that was never there, unless it is called suspect. The subtype itself
    may be that of another record, and have no layout."""
    for form in ("rdw", "vbs_4096"):
        if form in CLASSES[name][1]:
            tally = measure(name, form, with_peers(), tmp_path, 4)
            assert (tally.refused, tally.untold - tally.raw) == (0, 0), (form, tally)


@pytest.mark.parametrize("name", ["first 4 missing", "first 8 missing"])
@pytest.mark.parametrize("form", SMF)
def test_a_lost_start_costs_a_record(name: str, form: str, tmp_path: Path) -> None:
    tally = measure(name, form, records("smf", 1), tmp_path, 1)
    assert (tally.refused, tally.wrong) == (0, 0)
    assert tally.missing <= 1


@pytest.mark.parametrize("forms", [("rdw", "vbs_4096", "rdw"), ("vbs_4096", "rdw", "vb_4096")])
def test_three_dumps_of_different_forms(forms: tuple[str, ...], tmp_path: Path) -> None:
    some, path = records("smf", 1), tmp_path / "dump"
    third = len(some) // 3
    parts = (some[:third], some[third : 2 * third], some[2 * third :])
    path.write_bytes(b"".join(FORMS[form](part) for form, part in zip(forms, parts, strict=True)))
    view = seen(path)
    assert view is not None and len(view.hashes) == len(some)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
def test_all_classes(name: str, tmp_path: Path) -> None:
    """Prints the table: wrong and untold are to be 0 but for what docs/robustness.md names."""
    for form in CLASSES[name][1]:
        is_log = form.startswith("ims") or form == "xmit"
        tally = measure(name, form, records("ims", 2) if is_log else with_peers(), tmp_path, 30)
        print(f"{name:20} {form:10} {tally}")
        assert tally.untold - tally.raw <= 1, tally
