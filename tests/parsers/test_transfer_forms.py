"""Every transfer form and damage of the mangler: is it named right, and is no row wrong?

`pytest -s -m slow tests/parsers/test_transfer_forms.py` prints the whole matrix. A row counts
as wrong when a damaged file loads it and the clean file does not. Rows are compared without
file_id, record_no and byte_offset. Flipped bits inside a record cannot be seen by anybody, nor can
segments that are lost between the first and the last of a record: these are not judged by rows.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import mangler
import numpy as np
import pytest
from dump_files import bodies, log, smf
from evidence_files import header_names, record_bytes, record_names

from imsperf.errors import DumpError
from imsperf.parsers.diagnosis.doctor import examine
from imsperf.parsers.framing.frames import open_dump
from imsperf.parsers.read import read_file

SIZES = {"small": 1, "middle": 4, "large": 24}
SEEDS = (1, 2, 3)
_KEYS = ("file_id", "record_no", "byte_offset")
_SMF = [*header_names(), *record_names("smf")]
_FIRST = 3_780_000  # 1/100 s: 10:30, when the intervals of the records end
_SEGMENTS = ("rdw_spanned", "rdw_tiny_segments")  # which no log has


@cache
def records(kind: str, size: int) -> list[bytes]:
    """Records without RDWs, each unlike the others: the time rises from one to the next."""
    if kind == "ims":
        return [
            log(0x59, 1 + n % 3, 100 + n, bytes([n % 251]) * (20 + 7 * (n * n % 300)))[4:]
            for n in range(120 * size)
        ]
    out = [smf(2, time=_FIRST)]
    rng = np.random.default_rng(size)
    for _ in range(size):
        for name in _SMF:
            record = record_bytes(name)[4:]
            if name in header_names() and record[1] == 115:  # no such record is a header alone
                record = record[:1] + b"\xc9" + record[2:]  # type 201 has no layout
            out.append(timed(record, len(out)))
        for n in range(12):
            fill = rng.bytes(20 + 500 * n)
            out.append(smf(200, n, fill, time=_FIRST + len(out)))
    return [*out, smf(3, time=_FIRST + len(out))]


def timed(record: bytes, number: int) -> bytes:
    """Another time of day: no two records are the same, and each is written when its interval has
    ended."""
    return record[:2] + (_FIRST + number).to_bytes(4, "big") + record[6:]


def made(form: str, size: int) -> bytes:
    """The bytes of a form, undamaged."""
    kind = "ims" if form.startswith("ims") else "smf"
    return mangler.FORMS[form][0](records(kind, size))


Row = tuple[Any, ...]


def rows_of(path: Path) -> dict[str, Counter[Row]]:
    """What a load would keep, by table; nothing where the file is refused."""
    rows: dict[str, Counter[Row]] = defaultdict(Counter)
    try:
        loaded = read_file(path, 1, raw=True)
        for table, batch in loaded.batches:
            names = [name for name in batch.schema.names if name not in _KEYS]
            columns = [batch.column(name).to_pylist() for name in names]
            rows[table].update(map(repr, zip(*columns, strict=True)))  # type: ignore[arg-type]
    except DumpError:
        return {}
    return rows


def wrong(rows_read: dict[str, Counter[Row]], clean: dict[str, Counter[Row]]) -> int:
    """Rows that the clean file does not have; how often one is there does not matter."""
    return sum(len(set(rows) - set(clean.get(table, ()))) for table, rows in rows_read.items())


@dataclass(frozen=True)
class Case:
    """A file, and what the doctor may say of it: framings and causes, any of them."""

    name: str
    data: bytes
    framings: tuple[str, ...]
    causes: tuple[str, ...]
    judged_by_rows: bool = True
    is_loadable: bool = False
    clean: str = "smf"


_FRAMING = {
    "rdw": ("rdw", "rdw_spanned"), "bdw_rdw": ("bdw_rdw", "bdw_rdw_spanned"),
    "ascii": ("unknown",), "none": ("unknown",), "text": ("text",),
}  # fmt: skip
_LOG = {"ims_rdw": ("ims_rdw",), "ims_vb": ("ims_vb",)}
# Forms that cannot be loaded whole: what is to be said of each.
_FORM_CAUSES = {
    "length_prefix_little": (("length_prefix",), ("byte_swapped",)),
    "no_rdw": (("no_rdw", "unknown"), ("no_rdw",)),
    "no_rdw_crlf": (("no_rdw", "unknown"), ("no_rdw", "crlf_inserted")),
    "rdw_crlf": (("rdw", "rdw_spanned"), ("crlf_inserted",)),
    "filedata_text": (("no_rdw", "unknown"), ("no_rdw",)),
    "ftp_ascii": (("unknown",), ("ascii_translated",)),
    "ftp_ascii_rdw": (("unknown",), ("ascii_translated",)),
    "rest_text": (("unknown",), ("ascii_translated",)),
    "text_listing": (("text",), ("not_a_dump",)),
    "text_log": (("text",), ("not_a_dump",)),
    "text_ebcdic": (("text",), ("not_a_dump",)),
}
_CAUSES = {
    "ascii_translated": ("ascii_translated",), "ascii_translated_cdra": ("ascii_translated",),
    "ascii_translated_crlf": ("ascii_translated",), "ebcdic_to_utf8": ("ascii_translated",),
    "crlf_inserted": ("crlf_inserted",), "utf8_mangled": ("utf8_mangled",),
    "lengths_swapped": ("byte_swapped",), "truncated": ("truncated",),
    "zeroed": ("zeroed_page",), "garbage_inserted": ("other",), "byte_lost": ("other",),
    "segment_lost": ("missing_segment",), "block_repeated": ("duplicate",),
    "glued": ("glued", "duplicate"), "glued_padded": ("glued",),
}  # fmt: skip
_LOST_WHOLE = ("unknown",)  # framing of what is refused
_REFUSED = ("ascii_translated", "crlf_inserted", "utf8_mangled")


def forms(size: int) -> Iterator[Case]:
    """Undamaged files of every form."""
    for form, (_, framing, is_loadable) in mangler.FORMS.items():
        framings = _LOG.get(form) or _FRAMING.get(framing, (framing,))
        framings, causes = _FORM_CAUSES.get(form, (framings, ("",)))
        clean = "ims" if form in _LOG else "smf"
        yield Case(form, made(form, size), framings, causes, True, is_loadable, clean)


def damages(size: int, seed: int) -> Iterator[Case]:
    """Every damage to every usual form that it can happen to."""
    for damage, change in mangler.DAMAGES.items():
        for form in ("rdw", "bdw_rdw", "vbs_27998", "ims_rdw", "ims_vb"):
            needs = mangler.NEEDS.get(damage, "")
            fits = {"rdw": ("rdw", "ims_rdw"), "bdw_rdw": ("bdw_rdw", "ims_vb", "vbs_27998")}
            form = "rdw_spanned" if damage == "segment_lost" and form == "rdw" else form
            if needs and form not in (*fits[needs], "rdw_spanned"):
                continue
            if damage == "segment_lost" and form != "rdw_spanned":
                continue
            yield from _damaged(damage, form, size, seed, change)


def _damaged(damage: str, form: str, size: int, seed: int, change: Any) -> Iterator[Case]:
    kind, before = ("ims" if form in _LOG else "smf"), made(form, size)
    data, ranges = change(before, np.random.default_rng(seed))
    if data == before:
        return  # nothing to change in these bytes
    base = "bdw_rdw" if form.startswith(("bdw", "vbs")) else "rdw"
    framings = _LOG.get(form) or _FRAMING[base]
    causes = _CAUSES.get(damage, ("", *_ANY))
    if damage == "block_lost":
        causes = ("gap",) if kind == "ims" and 0 < ranges[0][0] < _last_block(before) else _ANY
    if damage == "truncated" and _is_boundary(form, size, len(data)):
        causes = ("",)
    if causes[0] in _REFUSED:
        framings = _LOST_WHOLE
    if damage == "truncated" and len(data) < 64:
        framings, causes = ("unknown", *framings), _ANY
    name = f"{damage}/{form}"
    yield Case(name, data, framings, causes, not name.startswith(_UNSEEN), False, kind)


_ANY = ("", "other", "truncated", "no_rdw", "not_a_dump", "duplicate", "missing_segment", "gap")
# Nothing shows that a record is not whole: bits flipped in it, segments of two records joined.
_UNSEEN = ("bit_flips/", "segment_lost/", "block_lost/vbs", "block_repeated/vbs")


def _last_block(data: bytes) -> int:
    at = 0
    while True:
        step = int.from_bytes(data[at : at + 2], "big")
        if at + step >= len(data):
            return at
        at += step


def _is_boundary(form: str, size: int, at: int) -> bool:
    """Whether a cut falls between two records: nothing shows it."""
    kind = "ims" if form in _LOG else "smf"
    return any(
        end == at for parts in mangler.extents(form, records(kind, size)) for _, end in parts
    )


def judged(case: Case, folder: Path) -> tuple[bool, str, int]:
    """Whether it is named right, what was said, and the wrong rows."""
    path = folder / "file"
    path.write_bytes(case.data)
    said = examine([path]).to_pylist()
    names = {row["cause"] for row in said}
    is_whole = all(row["verdict"] == "whole" for row in said)
    framing = said[0]["framing"]
    right = framing in case.framings and bool(names & set(case.causes))
    if case.is_loadable:
        right = right and is_whole
    words = f"{framing} {','.join(sorted(names)) or 'whole'}"
    if not case.judged_by_rows:
        return right, words, 0
    return right, words, wrong(rows_of(path), clean_rows(case.clean, folder))


_CLEAN: dict[tuple[str, int], dict[str, Counter[Row]]] = {}
_SIZE = [1]


def clean_rows(kind: str, folder: Path) -> dict[str, Counter[Row]]:
    """The rows of the undamaged dump."""
    key = (kind, _SIZE[0])
    if key not in _CLEAN:
        path = folder / "clean"
        path.write_bytes(made("ims_rdw" if kind == "ims" else "rdw", _SIZE[0]))
        _CLEAN[key] = rows_of(path)
    return _CLEAN[key]


def matrix(cases: Iterator[Case], folder: Path, size: str) -> tuple[int, int, int, list[str]]:
    """Cases, those named right, wrong rows, and what was not right; prints a line for each."""
    count = right = rows = 0
    failed: list[str] = []
    for case in cases:
        good, words, bad = judged(case, folder)
        count, right, rows = count + 1, right + good, rows + bad
        line = f"{size:7} {case.name:34} {len(case.data):9,}  {words:44} wrong rows {bad}"
        print(("   " if good and not bad else "!! ") + line)
        if not good or bad:
            failed.append(f"{line} expected {case.framings} {case.causes}")
    return count, right, rows, failed


def check(folder: Path, sizes: dict[str, int], seeds: tuple[int, ...]) -> None:
    """The matrix over sizes and seeds."""
    count = right = rows = 0
    failed: list[str] = []
    for name, size in sizes.items():
        _SIZE[0] = size
        some: list[Iterator[Case]] = [forms(size), *(damages(size, seed) for seed in seeds)]
        for cases in some:
            more = matrix(cases, folder, name)
            count, right, rows = count + more[0], right + more[1], rows + more[2]
            failed += more[3]
    print(f"{count:,} files, {right:,} named right ({right / count:.1%}), {rows:,} wrong rows")
    assert rows == 0, "\n".join(failed)
    assert right >= 0.98 * count, "\n".join(failed)


@pytest.mark.parametrize("kind", [pytest.param("smf", marks=pytest.mark.slow), "ims"])
def test_loadable_forms_hold_the_same_rows(kind: str, tmp_path: Path) -> None:
    """Whatever form a dump has, its tables are the same."""
    _SIZE[0] = 1
    want, path = clean_rows(kind, tmp_path), tmp_path / "file"
    for form, (make, framing, is_loadable) in mangler.FORMS.items():
        is_read = is_loadable or form == "length_prefix_little"  # the latter is told as well
        if not is_read or (kind == "smf" and form in _LOG):
            continue
        if kind == "ims" and form in _SEGMENTS:
            continue
        path.write_bytes(make(records(kind, 1)))
        assert rows_of(path) == want, (form, framing)


def test_what_is_cut_is_a_prefix_and_what_has_no_rdw_a_part(tmp_path: Path) -> None:
    _SIZE[0] = 1
    want, path = clean_rows("smf", tmp_path), tmp_path / "file"
    data = made("rdw", 1)
    for share in (0.2, 0.5, 0.9):
        path.write_bytes(data[: int(share * len(data))])
        rows_read = rows_of(path)
        assert rows_read and wrong(rows_read, want) == 0
    path.write_bytes(made("no_rdw", 1))
    assert wrong(rows_of(path), want) == 0


PAGE_FORMS = ("rdw", "bdw_rdw", "vbs", "ims_vb", "ims_rdw")


def lost_pages(form: str, size: int, seed: int, folder: Path) -> tuple[int, int, int]:
    """1 % of the pages are zero: records not touched, those of them not loaded, wrong rows.

    Up to one record a damaged range may be missing besides those that were touched.
    """
    _SIZE[0] = size
    kind = "ims" if form in _LOG else "smf"
    wanted = records(kind, size)
    data, ranges = mangler.zeroed(made(form, size), np.random.default_rng(seed), 0.01)
    path = folder / "file"
    path.write_bytes(data)
    hit = set(mangler.touched(mangler.extents(form, wanted), ranges))
    clean = Counter(record for number, record in enumerate(wanted) if number not in hit)
    counter = Counter(bodies(open_dump(path).index()))
    missing = sum((clean - counter).values())
    invented = sum((counter - Counter(wanted)).values())
    bad = wrong(rows_of(path), clean_rows(kind, folder)) + invented
    regions = 1 + sum(span[0] != two[1] for span, two in zip(ranges[1:], ranges, strict=False))
    assert missing <= regions, (form, size, seed, missing, regions)
    return sum(clean.values()), missing, bad


@pytest.mark.parametrize("form", PAGE_FORMS)
def test_lost_pages_cost_the_records_they_touch(form: str, tmp_path: Path) -> None:
    for seed in (1, 2):
        assert lost_pages(form, 4, seed, tmp_path)[2] == 0


@pytest.mark.slow
@pytest.mark.parametrize("form", PAGE_FORMS)
def test_lost_pages_in_larger_dumps(form: str, tmp_path: Path) -> None:
    for seed in range(20):
        assert lost_pages(form, 24, seed, tmp_path)[2] == 0


@pytest.mark.slow
def test_small_files_are_named_right(tmp_path: Path) -> None:
    check(tmp_path, {"small": 1}, (1,))


@pytest.mark.slow
def test_all_files_are_named_right(tmp_path: Path) -> None:
    check(tmp_path, SIZES, SEEDS)


@pytest.mark.skipif(not os.environ.get("IMSPERF_REAL_DUMPS"), reason="no folder of real dumps")
def test_real_dumps_in_every_form(tmp_path: Path) -> None:
    """Their records, written in each loadable form: whole, and the same rows."""
    for file in sorted(Path(os.environ["IMSPERF_REAL_DUMPS"]).glob("*.dat")):
        frames = open_dump(file).index()
        (tmp_path / "clean").write_bytes(mangler.FORMS["rdw"][0](bodies(frames)))
        want = rows_of(tmp_path / "clean")
        for form, (make, _, is_loadable) in mangler.FORMS.items():
            if not is_loadable or form in _LOG:
                continue
            path = tmp_path / "file"
            path.write_bytes(make(bodies(frames)))
            assert examine([path])["verdict"].to_pylist()[0] == "whole", (file.name, form)
            assert rows_of(path) == want, (file.name, form)
