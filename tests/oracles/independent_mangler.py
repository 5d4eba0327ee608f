"""Damages dumps as transfers, discs and tapes do: a file for each class of damage and seed.

Written from issue reports and the public descriptions of the forms (see `independent_forms`), by
somebody who had not seen our readers. The same class, seed and records give the same bytes.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from independent_forms import FORMS, LOG_FORMS, Dump, archive, ftp_block, ftp_compressed, ftp_record

Pools = Mapping[str, Sequence[bytes]]  # records behind their RDWs by what they are: smf, mq, log
Cut = tuple[bytes, str]  # the damaged bytes, and what was done

PAGE = 4_096
SECTORS = (512, 1_024, 2_048, 4_096)
UNREADABLE = ("bare", "ftp_compressed", "ftp_compressed_rdw")  # forms that need not give every row
SMF_FORMS = tuple(form for form in FORMS if form not in UNREADABLE)


@dataclass(frozen=True)
class Damaged:
    """A damaged file beside the clean one, and in words what was done to it."""

    name: str
    seed: int
    source: str
    form: str
    clean: bytes
    data: bytes
    what: str


def _zeros(dump: Dump, rng: random.Random, size: int, step: int) -> Cut:
    """A range of zeros at a multiple of `step`, where the bytes are not zero already."""
    data = dump.data
    for _ in range(100):
        at = rng.randrange(0, max(1, len(data) - size // 2) // step + 1) * step
        if any(data[at : at + size]):
            end = min(at + size, len(data))
            return data[:at] + bytes(end - at) + data[end:], f"zeros {at}..{end}"
    raise ValueError("found zeros only")


def zero_pages(number: int) -> Callable[[Dump, random.Random], Cut]:
    return lambda dump, rng: _zeros(dump, rng, number * PAGE, PAGE)


def zero_sectors(size: int, *, aligned: bool) -> Callable[[Dump, random.Random], Cut]:
    return lambda dump, rng: _zeros(dump, rng, size, size if aligned else 1)


def _block(dump: Dump, rng: random.Random, number: int = 1) -> int:
    return rng.randrange(0, len(dump.blocks) - number + 1)


def block_twice(dump: Dump, rng: random.Random) -> Cut:
    index = _block(dump, rng)
    begin, end = dump.blocks[index]
    return dump.data[:end] + dump.data[begin:], f"block {index} ({begin}..{end}) twice"


def block_lost(dump: Dump, rng: random.Random) -> Cut:
    index = _block(dump, rng)
    begin, end = dump.blocks[index]
    return dump.data[:begin] + dump.data[end:], f"block {index} ({begin}..{end}) lost"


def blocks_swapped(dump: Dump, rng: random.Random) -> Cut:
    index = _block(dump, rng, 2)
    (begin, middle), (_, end) = dump.blocks[index : index + 2]
    data = dump.data
    swapped = data[:begin] + data[middle:end] + data[begin:middle] + data[end:]
    return swapped, f"blocks {index} and {index + 1} ({begin}..{middle}..{end}) swapped"


def lost(number: int) -> Callable[[Dump, random.Random], Cut]:
    """Bytes lost inside a block, behind its descriptor word."""

    def mangle(dump: Dump, rng: random.Random) -> Cut:
        begin, end = dump.blocks[_block(dump, rng)]
        at = rng.randrange(begin + 4, max(begin + 5, end - number + 1))
        return dump.data[:at] + dump.data[at + number :], f"{number} bytes lost at {at}"

    return mangle


def _noise(rng: random.Random, number: int) -> bytes:
    """Zeros, blanks or anything."""
    kind = rng.randrange(3)
    if kind == 2:
        return rng.randbytes(number)
    return (b"\0" if kind == 0 else b"\x40") * number


def inserted(number: int) -> Callable[[Dump, random.Random], Cut]:
    """Bytes too many inside a block."""

    def mangle(dump: Dump, rng: random.Random) -> Cut:
        begin, end = dump.blocks[_block(dump, rng)]
        at = rng.randrange(begin + 4, end)
        more = _noise(rng, number)
        words = f"{number} bytes X'{more[:4].hex()}' inserted at {at}"
        return dump.data[:at] + more + dump.data[at:], words

    return mangle


def _insert_between(dump: Dump, rng: random.Random, begin: int, end: int) -> Cut:
    number = rng.randint(1, 80)
    at = rng.randrange(begin, end)
    more = _noise(rng, number)
    words = f"{number} bytes X'{more[:4].hex()}' inserted at {at} of {len(dump.data)}"
    return dump.data[:at] + more + dump.data[at:], words


def insert_in_last(dump: Dump, rng: random.Random) -> Cut:
    begin, end = dump.records[-1]
    return _insert_between(dump, rng, begin + 4, end + 1)


def insert_in_middle(dump: Dump, rng: random.Random) -> Cut:
    return _insert_between(dump, rng, dump.records[0][0] + 4, dump.records[-1][0])


def head_missing(number: int) -> Callable[[Dump, random.Random], Cut]:
    return lambda dump, rng: (dump.data[number:], f"first {number} bytes missing")


def cut_at_end(dump: Dump, rng: random.Random) -> Cut:
    at = rng.randrange(1, len(dump.data))
    return dump.data[:at], f"cut at {at} of {len(dump.data)}"


def cut_out(dump: Dump, rng: random.Random) -> Cut:
    """A range lost: whole cards or sectors of it, or any number of bytes."""
    size = rng.choice((80, 160, 800, 512, 4_096, rng.randint(1, 5_000)))
    step = 80 if size % 80 == 0 else 512 if size % 512 == 0 else 1
    at = rng.randrange(0, max(1, len(dump.data) - size)) // step * step
    return dump.data[:at] + dump.data[at + size :], f"{at}..{at + size} cut out"


def repeated(dump: Dump, rng: random.Random) -> Cut:
    """A range that comes twice: whole cards or sectors of it, or any number of bytes."""
    size = rng.choice((80, 160, 800, 512, 4_096, rng.randint(1, 5_000)))
    step = 80 if size % 80 == 0 else 512 if size % 512 == 0 else 1
    at = rng.randrange(0, max(1, len(dump.data) - size)) // step * step
    return dump.data[: at + size] + dump.data[at:], f"{at}..{at + size} twice"


def _flip(data: bytes, at: int, rng: random.Random) -> Cut:
    bit = 1 << rng.randrange(8)
    flipped = data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
    return flipped, f"bit X'{bit:02x}' of byte {at} flipped"


def bit_in_word(dump: Dump, rng: random.Random) -> Cut:
    """In a length or a segment code, not in the byte behind them that is reserved."""
    return _flip(dump.data, rng.choice(dump.words) + rng.randrange(3), rng)


def bit_anywhere(dump: Dump, rng: random.Random) -> Cut:
    return _flip(dump.data, rng.randrange(len(dump.data)), rng)


def bit_in_data(dump: Dump, rng: random.Random) -> Cut:
    """In a record, behind its descriptor word and outside of those of its segments."""
    words = dump.words
    for _ in range(1_000):
        begin, end = rng.choice(dump.records)
        at = rng.randrange(begin + 4, end)
        if at >= words[bisect_right(words, at) - 1] + 4:
            return _flip(dump.data, at, rng)
    raise ValueError("found no byte of data")


@dataclass(frozen=True)
class Damage:
    """A class of damage, and which forms and sources it strikes."""

    mangle: Callable[[Dump, random.Random], Cut]
    forms: tuple[str, ...]
    sources: tuple[str, ...] = ("smf", "mq", "log")


_ZEROED = ("rdw", "vb", "vbs4096", "vbs27998", "xmit", "ftp_block", "ftp_record")
_CHAINED = ("vbs4096", "vbs8192", "vbs27998", "vbs32760")
_PLAIN = ("rdw", "vb", "vbs4096", "vbs27998", "ftp_block_rdw", "ftp_record_rdw", "length_prefix")
_HEADED = tuple(form for form in SMF_FORMS if not form.startswith(("tar", "xmit", "terse")))
_SMF = ("smf", "mq")

CLASSES: dict[str, Damage] = {
    "zero page": Damage(zero_pages(1), _ZEROED),
    "zero 2 pages": Damage(zero_pages(2), _ZEROED),
    **{
        f"zero sector {size}": Damage(zero_sectors(size, aligned=True), _ZEROED) for size in SECTORS
    },
    **{
        f"zero {size} anywhere": Damage(zero_sectors(size, aligned=False), _ZEROED)
        for size in SECTORS
    },
    "zero page of tar": Damage(zero_pages(1), ("tar", "tar_vbs")),
    "vbs block twice": Damage(block_twice, _CHAINED, _SMF),
    "vbs blocks swapped": Damage(blocks_swapped, _CHAINED, _SMF),
    "vbs block lost": Damage(block_lost, _CHAINED, _SMF),
    "vb block twice": Damage(block_twice, ("vb",)),
    "vb blocks swapped": Damage(blocks_swapped, ("vb",)),
    "vb block lost": Damage(block_lost, ("vb",)),
    "4 lost in block": Damage(lost(4), ("vb", *_CHAINED)),
    "8 inserted in block": Damage(inserted(8), ("vb", *_CHAINED)),
    "inserted in last": Damage(insert_in_last, _PLAIN),
    "inserted in middle": Damage(insert_in_middle, _PLAIN),
    "head 4 missing": Damage(head_missing(4), _HEADED),
    "head 8 missing": Damage(head_missing(8), _HEADED),
    "xmit cut at end": Damage(cut_at_end, ("xmit", "xmit_vb")),
    "xmit cut out": Damage(cut_out, ("xmit", "xmit_vb")),
    "xmit repeat": Damage(repeated, ("xmit", "xmit_vb")),
    "terse cut at end": Damage(cut_at_end, ("terse",)),
    "terse cut out": Damage(cut_out, ("terse",)),
    "terse repeat": Damage(repeated, ("terse",)),
    "terse bit": Damage(bit_anywhere, ("terse",)),
    "terse sector": Damage(zero_sectors(512, aligned=True), ("terse",)),
    "terse page": Damage(zero_pages(1), ("terse",)),
    "cut at end": Damage(cut_at_end, _PLAIN),
    "cut out": Damage(cut_out, _PLAIN),
    "repeat": Damage(repeated, _PLAIN),
    "bit in word": Damage(bit_in_word, _PLAIN),
    "data": Damage(bit_in_data, _PLAIN),
}


def damaged(name: str, seed: int, pools: Pools) -> Damaged:
    """The file of that class and seed, from some of the records of a pool."""
    rng = random.Random(f"{name} {seed}")
    if name in SPECIAL:
        return SPECIAL[name](name, seed, rng, pools)
    damage = CLASSES[name]
    while True:
        source = rng.choice([source for source in damage.sources if source in pools])
        forms = [form for form in damage.forms if source != "log" or form in LOG_FORMS]
        if not forms:
            continue
        form = rng.choice(forms)
        dump = FORMS[form](chosen(source, pools, rng))
        if len(dump.blocks) < 2:
            continue
        data, what = damage.mangle(dump, rng)
        if data != dump.data:
            return Damaged(name, seed, source, form, dump.data, data, what)


def chosen(source: str, pools: Pools, rng: random.Random) -> Sequence[bytes]:
    """Some records of a pool, in their order; of a log those that follow each other."""
    pool = pools[source]
    if source == "log":
        number = min(len(pool), 150)
        begin = rng.randrange(0, len(pool) - number + 1)
        return pool[begin : begin + number]
    if source == "smf":
        return pool
    repeats = rng.randint(4, 12)
    return [later(record, turn) for turn in range(repeats) for record in pool]


def later(record: bytes, minutes: int) -> bytes:
    """The SMF record written so many minutes later: its header says when, in 0.01 s."""
    time = int.from_bytes(record[2:6], "big") + minutes * 6_000
    return record[:2] + (time % 8_640_000).to_bytes(4, "big") + record[6:]


def no_eof(writer: Callable[..., Dump]) -> Callable[[str, int, random.Random, Pools], Damaged]:
    """A transfer that broke between two records: nothing says that the file ends."""

    def make(name: str, seed: int, rng: random.Random, pools: Pools) -> Damaged:
        source = rng.choice(sorted(pools))
        records = list(chosen(source, pools, rng))
        with_rdw = rng.random() < 0.5
        clean = writer(records, with_rdw=with_rdw)
        number = rng.randint(max(1, len(records) // 2), len(records))
        data = writer(records[:number], with_rdw=with_rdw, end=False).data
        what = f"{number} of {len(records)} records, no EOF, RDWs: {with_rdw}"
        return Damaged(name, seed, source, clean.form, clean.data, data, what)

    return make


def compressed(name: str, seed: int, rng: random.Random, pools: Pools) -> Damaged:
    """FTP mode C as it went over the line."""
    source = rng.choice(sorted(pools))
    records = chosen(source, pools, rng)
    with_rdw = rng.random() < 0.5
    data = ftp_compressed(records, with_rdw=with_rdw).data
    clean = FORMS["rdw"](records).data
    return Damaged(name, seed, source, "ftp_compressed", clean, data, f"mode C, RDWs: {with_rdw}")


# Whole dumps of these forms may stand behind one another (docs/dumps.md names those that may not).
GLUED = ("rdw", "rdw_spanned", "vb", "vbs4096", "vbs27998")


def glued(name: str, seed: int, rng: random.Random, pools: Pools) -> Damaged:
    """Healthy: two to four dumps of different forms behind one another."""
    source = rng.choice([pool for pool in sorted(pools) if pool != "log"])
    pool = list(chosen(source, pools, rng))
    forms = rng.sample(GLUED, rng.randint(2, 4))
    places = sorted(rng.sample(range(1, len(pool)), len(forms) - 1))
    parts = [pool[a:b] for a, b in zip([0, *places], [*places, len(pool)], strict=True)]
    data = b"".join(FORMS[form](part).data for form, part in zip(forms, parts, strict=True))
    clean = FORMS["rdw"](pool).data
    return Damaged(name, seed, source, "+".join(forms), clean, data, f"records up to {places}")


def log_behind(name: str, seed: int, rng: random.Random, pools: Pools) -> Damaged:
    """Healthy: an SMF dump, then an IMS log."""
    source = rng.choice([pool for pool in sorted(pools) if pool != "log"])
    smf, log = chosen(source, pools, rng), chosen("log", pools, rng)
    forms = rng.choice(GLUED), rng.choice(("rdw", "vb"))
    data = FORMS[forms[0]](smf).data + FORMS[forms[1]](log).data
    clean = archive([FORMS["rdw"](smf).data, FORMS["rdw"](log).data])
    return Damaged(name, seed, source, "+".join(forms), clean, data, f"{len(smf)} SMF records")


def healthy(name: str, seed: int, rng: random.Random, pools: Pools) -> Damaged:
    """Every form without damage."""
    source = rng.choice(sorted(pools))
    form = rng.choice(LOG_FORMS if source == "log" else SMF_FORMS)
    records = chosen(source, pools, rng)
    data = FORMS[form](records).data
    return Damaged(name, seed, source, form, FORMS["rdw"](records).data, data, "nothing")


SPECIAL: dict[str, Callable[[str, int, random.Random, Pools], Damaged]] = {
    "ftp block, no EOF": no_eof(ftp_block),
    "ftp record, no EOF": no_eof(ftp_record),
    "ftp mode C": compressed,
    "healthy, glued": glued,
    "healthy, log behind": log_behind,
    "healthy": healthy,
}
NAMES = (*CLASSES, *SPECIAL)
