"""What a file is that is no dump, or no longer one, and which transfer would have kept it.

Every cause is proved: by a magic number, or because records show once the damage is taken back.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from imsperf.errors import DumpError
from imsperf.parsers.containers.source import Source
from imsperf.parsers.diagnosis import signs
from imsperf.parsers.framing.forms import AGAIN, LINE_ENDS, clock_limits
from imsperf.parsers.framing.recognise import Evidence, usual
from imsperf.parsers.kernels.loads import (
    FIRST,
    I64,
    LAST,
    MIDDLE,
    SMF_HEADER,
    SUFFIX,
    U8,
    read_only,
)

_NAME_A_DUMP = "name an SMF dump or an IMS log, plain or packed with gzip"

_MAGIC = (
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip file"),
    (b"Rar!\x1a\x07", "a RAR archive, which is not unpacked here"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive, which is not unpacked here"),
    (b"\x04\x22\x4d\x18", "an lz4 file, which is not unpacked here"),
    (b"\x1f\x9d", "a file of compress (.Z), which is not unpacked here"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xfd7zXZ", "an xz file"),
    (b"BZh", "a bzip2 file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
)
_DUCKDB = b"DUCK"  # at byte 8
_PACKED = "is not unpacked here"

SAMPLE = 1 << 18
_MARK = np.frombuffer(b"\xef\xbf\xbd", np.uint8)  # U+FFFD in UTF-8
_MANGLED = 0.001  # share of a file that these marks take at least; other data have none
_PRINTABLE, _CERTAIN_LF = 0.95, 6
_NOISE = 7.9  # bits a byte
_SUFFIXES = 3  # of log records that are no chance
_VALUES, _ZEROS = 100, 0.02  # byte values, and share of zeros, of data that are no text
_RECORDER = 1440  # LRECL of HWSRCDR, the recorder data set of IMS Connect


@dataclass(frozen=True)
class Diagnosis:
    """Why a file cannot be loaded: the cause in one word, what was found, what to do."""

    cause: str
    found: str
    advice: str
    framing: str = "unknown"


def refusal(source: Source, why: Diagnosis) -> DumpError:
    """The error that says so."""
    return DumpError(
        f"{source.name}: found {why.found}, expected an SMF dump or an IMS log",
        why.advice,
        path=source.path,
        cause=why.cause,
        first=source.buffer[:8].tobytes(),
    )


def changed(buffer: U8, evidence: Evidence | None) -> Diagnosis | None:
    """What a transfer did to the whole file, so that no record in it can be trusted.

    `evidence` is of the form that explains it best as it is.
    """
    for at in dict.fromkeys((0, buffer.size // 2)):
        sample = read_only(buffer[at : at + SAMPLE])
        for test in _CHANGES:
            if why := test(sample, evidence if at == 0 else None):
                return why
        if any(count_signs(sample)):
            break  # records show as they are
    return None


def is_doubtful(buffer: U8, evidence: Evidence) -> bool:
    """Whether a chain of records that holds may stand in bytes that a transfer changed: lengths
    without a high bit and those turned with all the rest lead from record to record too. Marks
    behind records lead on whatever was put between them."""
    if evidence.form.is_marked:
        return signs.has_cr_lf(buffer[:SAMPLE])
    return evidence.form.may_be_swapped or _seven_bits(buffer[:SAMPLE], evidence) is not None


def unknown(buffer: U8) -> Diagnosis:
    """What a file is in which no records were recognised."""
    first = read_only(buffer[:SAMPLE])
    for test in (_magic, _zeroed, _text, _swapped, _no_rdw, _noise, _recorder):
        if why := test(first, buffer):
            return why
    return Diagnosis("not_a_dump", f"no records; it begins with X'{_hex(buffer)}'", AGAIN)


def _hex(buffer: U8) -> str:
    return buffer[:8].tobytes().hex().upper()


# --- changed on the way -------------------------------------------------------------------------


def count_signs(data: U8) -> tuple[int, int]:
    """Headers of SMF records and suffixes of log records."""
    return len(signs.headers(data)), len(signs.suffixes(data, clock_limits()))


def has_bare(buffer: U8) -> bool:
    """Whether most SMF headers stand behind something that is no RDW."""
    sample = read_only(buffer[:SAMPLE])
    at = signs.headers(sample)
    at = at[at >= 4]
    length = sample[at - 4].astype(np.int64) << 8 | sample[at - 3]
    end = at - 4 + length
    leads = np.isin(end + 4, at) | np.isin(end + 8, at) | (end == sample.size)
    leads |= (sample[at - 2] == FIRST) | (sample[at - 2] == LAST)
    is_rdw = leads & (sample[at - 1] == 0) & (sample[at - 2] <= MIDDLE) & (length >= SMF_HEADER)
    starts_bare = len(signs.headers(sample[:14])) > 0
    return (starts_bare and len(at) > 0) or 2 * int(np.count_nonzero(is_rdw)) < len(at) > 1


def _utf8_mangled(sample: U8, evidence: Evidence | None) -> Diagnosis | None:
    marks = _marks(sample)
    if marks < 3 or 3 * marks < _MANGLED * sample.size:
        return None
    what = (
        f"X'EFBFBD', what a program writes for bytes that are no UTF-8, {marks:,} times in "
        f"{sample.size:,} bytes: the file was read and written as text"
    )
    advice = f"the bytes cannot be had back: {AGAIN}; open it in no editor on the way"
    return Diagnosis("utf8_mangled", what, advice)


def _marks(sample: U8) -> int:
    return sample.tobytes().count(_MARK.tobytes())


def _translated(sample: U8, evidence: Evidence | None) -> Diagnosis | None:
    """Signs of records show once the bytes are translated back, or letters of UTF-8 made bytes."""
    now, text = sum(count_signs(sample)), signs.out_of_utf8(sample)
    if text is not None and text.size < sample.size - 8 and (shown := _shown(text, now)):
        what = f"{shown} only when each letter is one byte again: bytes above X'7F' became two each"
        return Diagnosis("utf8_mangled", f"{what}, as for text in UTF-8", AGAIN)
    for data, word in ((sample, ""), (text, ", written as UTF-8")):
        if data is None:
            continue
        for page in signs.PAGES:
            if shown := _shown(signs.translated_back(data, page), 4 * now):
                what = (
                    f"{shown} only when it is translated back from ISO8859-1 to {page}{word}: "
                    "it was sent as text, from EBCDIC to ASCII"
                )
                return Diagnosis("ascii_translated", what, f"the lengths are lost: {AGAIN}")
    return None


def _shown(data: U8, least: int) -> str:
    """What records show in changed bytes, if more than `least`."""
    headers, suffixes = count_signs(data)
    if suffixes >= _SUFFIXES and suffixes > max(headers, least):
        return f"{suffixes:,} log record suffixes"
    return f"{headers:,} SMF headers" if headers > least else ""


def _turned(sample: U8, evidence: Evidence | None) -> Diagnosis | None:
    if not (shown := _shown(signs.pairs_turned(sample), 4 * sum(count_signs(sample)))):
        return None
    what = f"{shown} only when the two bytes of each pair change places: they were swapped"
    return Diagnosis("byte_swapped", what, f"no dd conv=swab on the way; {AGAIN}")


def _seven_bits(sample: U8, evidence: Evidence | None) -> Diagnosis | None:
    """No byte above X'7F', though numbers stand there and no letters in place of lost ones."""
    if (sample >= 0x80).any():
        return None
    share = np.bincount(sample, minlength=256) / max(1, sample.size)
    if np.count_nonzero(share) < _VALUES or share[0] < _ZEROS:
        return None
    if share[0x3F] + share[0x1A] > share[0x01:0x80].sum() / 16:  # what text has for such bytes
        return None
    what = f"no byte above X'7F' in {sample.size:,} bytes: the high bit of each byte was taken away"
    return Diagnosis("other", what, f"no transfer in 7 bits: {AGAIN}")


def _crlf_inserted(sample: U8, evidence: Evidence | None) -> Diagnosis | None:
    """Every LF has a CR in front of it, which data do not do by chance."""
    lines, ends = int(np.count_nonzero(sample == 0x0A)), sample.tobytes().count(b"\r\n")
    if not ends or ends != lines or (evidence and evidence.form.ending):
        return None
    if not any(count_signs(sample)):
        return None
    without_cr = signs.without_cr(sample)
    if _after_line_ends(sample, ends):
        return None
    if lines < _CERTAIN_LF and _explained(without_cr) + 64 < max(
        _explained(sample) + 128, without_cr.size
    ):
        return None
    what = f"X'0D0A' wherever a byte X'0A' was ({ends:,} times in {sample.size:,} bytes)"
    what += ": a CR was put in front of it, as for text on Windows, so that lengths are wrong"
    return Diagnosis("crlf_inserted", what, AGAIN)


def _after_line_ends(sample: U8, ends: int) -> bool:
    """Whether line ends stand behind records rather than in them."""
    return 2 * _with_end(sample, signs.headers(sample), b"\r\n") >= ends


def _with_end(sample: U8, at: I64, end: bytes) -> int:
    """Places with these bytes in front of them."""
    at = at[at >= len(end)]
    return int(
        np.count_nonzero([sample[place - len(end) : place].tobytes() == end for place in at])
    )


def _explained(data: U8) -> int:
    """Bytes from the start that a chain of records explains."""
    return max((evidence.end for evidence in usual(data) if evidence.holds), default=0)


def _run_packed(sample: U8, evidence: Evidence | None) -> Diagnosis | None:
    """Records show once the runs of FTP mode C are written out."""
    records = signs.out_of_runs(sample)
    good = sum(signs.is_record(record, clock_limits()) for record in records)
    if not records or 2 * good < len(records):
        return None
    what = f"records in FTP mode C, which packs runs of one byte ({good:,} of them)"
    return Diagnosis("other", what, f"have it written as stream: {AGAIN}; no mode c")


_CHANGES = (_utf8_mangled, _seven_bits, _turned, _translated, _crlf_inserted, _run_packed)


# --- something else -----------------------------------------------------------------------------


def other_format(buffer: U8) -> Diagnosis | None:
    """A file of another kind, where four bytes or more of its start say so: a database, a PDF."""
    return _magic(buffer[:16], buffer, least=4)


def _magic(first: U8, buffer: U8, least: int = 2) -> Diagnosis | None:
    start = first[:16].tobytes()
    names = [name for magic, name in _MAGIC if len(magic) >= least and start.startswith(magic)]
    if start[8:12] == _DUCKDB:
        advice = "ask it with --db, or name the files that were loaded into it"
        return Diagnosis("not_a_dump", "a DuckDB database", advice)
    if not names:
        return None
    advice = "unpack it and name what was in it" if _PACKED in names[0] else _NAME_A_DUMP
    return Diagnosis("not_a_dump", names[0], advice)


def _zeroed(first: U8, buffer: U8) -> Diagnosis | None:
    if any(buffer[at : at + (1 << 24)].any() for at in range(0, buffer.size, 1 << 24)):
        return None
    what = f"no records: all {buffer.size:,} bytes are zero"
    return Diagnosis("zeroed_page", what, f"the copy kept the size, not the data: {AGAIN}")


def _text(first: U8, buffer: U8) -> Diagnosis | None:
    data = first[:4096]
    for code, is_text in (("", _IS_ASCII), ("EBCDIC ", _IS_EBCDIC)):
        if is_text[data].mean() > _PRINTABLE:
            lines = data.tobytes().decode("cp037" if code else "ascii", "replace").split("\n")
            shown = "".join(line if line.isprintable() else " " for line in lines[0][:40]).strip()
            what = f"{code}text, a listing or a log that people read; it begins with {shown!r}"
            return Diagnosis("not_a_dump", what, _NAME_A_DUMP, "text")
    if data[1::2].size > 8 and max(np.mean(data[k::2] == 0) for k in (0, 1)) > _PRINTABLE:
        return Diagnosis("not_a_dump", "text in UTF-16", _NAME_A_DUMP, "text")
    return None


_IS_ASCII = np.isin(np.arange(256), [9, 10, 12, 13, *range(32, 127)])
_IS_EBCDIC = np.array([bytes([n]).decode("cp037").isascii() and n >= 0x40 for n in range(256)])
_IS_EBCDIC[[0x05, 0x0C, 0x0D, 0x15, 0x25]] = True


def _swapped(first: U8, buffer: U8) -> Diagnosis | None:
    """4-byte lengths with their low byte first that lead from one record to the next."""
    at, places = 0, []
    while at + 4 <= first.size:
        length = int(first[at : at + 4].view("<u4")[0])
        if length < SMF_HEADER - 4 or at + 4 + length > buffer.size:
            break
        places.append(at + 4)
        at += 4 + length
    if not places or (at < buffer.size and len(places) < 4) or not any(count_signs(first)):
        return None
    what = f"{len(places):,} 4-byte lengths, low byte first, that lead from record to record"
    advice = f"the program that wrote them must write the high byte first; or {AGAIN}"
    return Diagnosis("byte_swapped", what, advice)


def _no_rdw(first: U8, buffer: U8) -> Diagnosis | None:
    headers, suffixes = signs.headers(first), signs.suffixes(first, clock_limits())
    is_log = len(suffixes) > len(headers)
    if len(suffixes) < _SUFFIXES if is_log else not len(headers):
        return None
    at = suffixes + SUFFIX if is_log else headers
    signs_seen = (
        f"{len(at):,} log record suffixes" if is_log else f"headers of {len(at):,} SMF records"
    )
    what = f"{signs_seen} without RDWs that lead from one to the next"
    for end in LINE_ENDS:
        if 2 * _with_end(first, at + len(end) * is_log, end) > len(at):
            what += f"; a line end X'{end.hex().upper()}' stands behind each record"
            break
    advice = f"where records end cannot be proved: {AGAIN}; no cp -B, which drops their boundaries"
    return Diagnosis("no_rdw", what, advice)


def _noise(first: U8, buffer: U8) -> Diagnosis | None:
    share = np.bincount(first, minlength=256) / max(1, first.size)
    bits = -float(np.sum(share[share > 0] * np.log2(share[share > 0])))
    if first.size < 4096 or bits < _NOISE:
        return None
    what = f"no records: its bytes look random ({bits:.2f} of 8 bits), so it is encrypted or packed"
    return Diagnosis("high_entropy", what, "decrypt or unpack it and name what was in it")


def _recorder(first: U8, buffer: U8) -> Diagnosis | None:
    """Rows of one length that are alike in some columns: a data set of fixed-length records."""
    rows = first.size // _RECORDER
    if buffer.size % _RECORDER or rows < 2:
        return None
    table = first[: rows * _RECORDER].reshape(rows, _RECORDER)
    alike = (table == table[0]).all(axis=0) & (table[0] != 0) & (table[0] != 0x40)
    if np.count_nonzero(alike) < 4:
        return None
    what = (
        f"no records but rows of {_RECORDER:,} bytes: it may be HWSRCDR, the recorder data set of "
        "IMS Connect"
    )
    return Diagnosis("not_a_dump", what, "it is no IMS log; IMS Connect has tools to print it")
