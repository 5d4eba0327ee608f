"""Assembler listings, source and ADATA to fields: the same DSECT in every form it comes in.

every.csv was worked out by hand from the statements of every.lst, before any of it was read.
"""

from __future__ import annotations

import csv
import os
import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import test_other_layout as other
from places import TESTS

from imsperf.errors import LayoutError
from imsperf.user_layouts.dsect import Dsect
from imsperf.user_layouts.expressions import Scope, Symbol, Value
from imsperf.user_layouts.fields import Choices, fields_of
from imsperf.user_layouts.importing import Wanted, import_layout
from imsperf.user_layouts.kind_names import by_name
from imsperf.user_layouts.listed import field_rows, sections_named
from imsperf.user_layouts.listing import choose, listing_of, read_listing
from imsperf.user_layouts.operands import parse_operand

LISTINGS = TESTS / "listings"
EVERY, THEIRS = LISTINGS / "every.lst", LISTINGS / "theirs.lst"
EVERY_RECORD = Wanted(
    type=200, subtype=1, header="W200", dsect="W200A", triplet=24, sections={"W200B": 32}
)


def expected() -> list[dict[str, str]]:
    with (LISTINGS / "every.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rows(data: bytes, folder: Path, wanted: Wanted = EVERY_RECORD) -> list[dict[str, str]]:
    """The fields of a layout file that is made from a listing, as the table of `layout show`."""
    file = folder / "every.toml"
    imported = import_layout(listing_of(data, "every.lst"), wanted)
    file.write_text(imported.text, encoding="utf-8")
    names = list(expected()[0])
    return [{n: str(row[n]) for n in names} for row in field_rows(sections_named(str(file)))]


def source(data: bytes = b"") -> list[str]:
    """The source of every.lst, without what the assembler puts around it."""
    lines = (data.decode() or EVERY.read_text(encoding="utf-8")).splitlines()
    return [line[49:] for line in lines if line[48:49] in (" ", "+") and _is_source(line)]


def _is_source(line: str) -> bool:
    return line[41:48].strip().isdigit() or (not line[:64].strip() and "XL4" in line)


# --- one listing in every form -------------------------------------------------------------------


def test_every_construct(tmp_path: Path) -> None:
    """LIST(133), with page headings, continuation, macro lines, an ESD and cross-references."""
    assert rows(EVERY.read_bytes(), tmp_path) == expected()


def test_listing_with_control_characters(tmp_path: Path) -> None:
    lines = EVERY.read_text(encoding="utf-8").splitlines()
    text = "\r\n".join(("1" if "Page" in line else " ") + line for line in lines)
    assert rows(text.encode(), tmp_path) == expected()


@pytest.mark.parametrize("codepage", ["cp037", "cp500"])
def test_listing_in_ebcdic(tmp_path: Path, codepage: str) -> None:
    """As a binary transfer brings it: records of 133 bytes without line ends."""
    lines = EVERY.read_text(encoding="utf-8").splitlines()
    data = "".join((" " + line).ljust(133)[:133] for line in lines).encode(codepage)
    assert rows(data, tmp_path) == expected()


def test_plain_source(tmp_path: Path) -> None:
    """What the assembler was given; our location counter is the only witness."""
    listing = source()
    assert len(listing) > 60
    assert rows("\n".join(listing).encode(), tmp_path) == expected()


def header(kind: int, data: bytes) -> bytes:
    return struct.pack(">BHBBB4xH", 16, kind, 3, 0, 1, len(data)) + data


def adata(lines: list[str], rdw: bool = False, base: int = 12) -> bytes:
    """SYSADATA of the lines of a listing, written from the record layouts of the manual."""
    records = [header(0x01, bytes(20)), header(0x02, bytes(8))]
    extents: dict[str, int] = {}
    number = 0
    for line in lines:
        if not _is_source(line):
            continue
        text, number = line[49:].rstrip(), number + 1
        words = text.split()
        loc = int(line[:8], 16) if line[:8].strip() else 0
        if words[1:2] == ["DSECT"]:
            extents[words[0]] = int(line[33:41], 16)
        if not line[41:48].strip():  # a continuation line is part of the record before
            before = records.pop()
            text = before[12 + 124 :].decode("cp037").ljust(80) + text
            loc = struct.unpack(">I", before[12 + 24 : 12 + 28])[0]
        fixed = struct.pack(">24xI80xII8x", loc, base + 124, len(text))
        records.append(header(0x30, fixed + text.encode("cp037")))
    for name, length in extents.items():
        body = struct.pack(">B19xI12xII8x", 0xFF, length, base + 52, len(name))
        records.append(header(0x20, body + name.encode("cp037")))
    symbol = struct.pack(">8xI14xI12xII", 12, 1, base + 50, 8) + "W200AMAX".encode("cp037")
    records.append(header(0x42, symbol))
    return b"".join(struct.pack(">HH", len(x) + 4, 0) * rdw + x for x in records)


@pytest.mark.parametrize(("rdw", "base"), [(False, 12), (True, 12), (False, 0)])
def test_adata(tmp_path: Path, rdw: bool, base: int) -> None:
    lines = EVERY.read_text(encoding="utf-8").splitlines()
    assert rows(adata(lines, rdw, base), tmp_path) == expected()


def test_adata_cut_in_the_middle_is_told() -> None:
    data = adata(EVERY.read_text(encoding="utf-8").splitlines())
    with pytest.raises(LayoutError, match="ADATA record 2 at byte 32: found no header"):
        listing_of(data[:32] + b"\0\1\2", "x")
    listing = listing_of(data[:2000], "x.adata")
    assert any("ends before its last record" in note for note in listing.notes)


def test_narrow_listing_of_their_log() -> None:
    """LIST(121) with ASA: the sections of tests/layouts/test_other_layout.py, place by place."""
    listing = read_listing(THEIRS)
    assert not listing.notes
    for section in (other.STH, other.LGR, other.LATE, other.FPLE, other.MSGI, other.SYN):
        name = section.table
        places = {x.name: (x.offset, x.kind.width) for x in fields_of(choose(listing, name)).fields}
        wanted = {name + x.name: (x.offset, x.kind.width) for x in section.fields}
        assert wanted.items() <= places.items()


# --- what stands in a listing --------------------------------------------------------------------


def dsect(text: str) -> Dsect:
    return listing_of(text.encode(), "x.asm").dsects[0]


def fields(*statements: str, **chosen: Any) -> dict[str, tuple[int, str]]:
    """Fields of a DSECT by name: offset and kind."""
    lines = ["D        DSECT", *statements]
    listed = fields_of(dsect("\n".join(lines)), Choices(**chosen)).fields
    return {field.name: (field.offset, field.kind.name) for field in listed}


@pytest.mark.parametrize(
    ("operand", "kind"),
    [
        ("A", "u4"), ("AL3", "u3"), ("AD", "u8"), ("B", "u1"), ("BL2", "u2"), ("C", "text(1)"),
        ("CE", "text(1)"), ("CL8", "text(8)"), ("44C", "text(44)"), ("CU", "opaque(2)"),
        ("D", "hfp8"), ("DB", "opaque(8)"), ("E", "hfp4"), ("EH", "hfp4"), ("F", "s4"),
        ("FL3", "s3"), ("FD", "s8"), ("FL8", "s8"), ("4H", "s2[4]"), ("G", "opaque(2)"),
        ("LD", "opaque(16)"), ("LL4", "opaque(4)"), ("PL5", "packed(5)"), ("P", "packed(1)"),
        ("PL16", "opaque(16)"), ("S", "u2"), ("SY", "u3"), ("V", "u4"), ("VD", "u8"), ("X", "u1"),
        ("2X", "u2"), ("XL9", "opaque(9)"), ("3XL2", "u2[3]"), ("2XL9", "opaque(18)"), ("Y", "u2"),
        ("ZL4", "text(4)"), ("XL(4*2)", "u8"), ("(1+1)F", "s4[2]"), ("RD", "u8"), ("J", "u4"),
        ("CAL4", "opaque(4)"), ("FS4", "s4"), ("2D", "hfp8[2]"),
    ],
)  # fmt: skip
def test_types(operand: str, kind: str) -> None:
    assert fields(f"N        DS    {operand}") == {"n": (0, kind)}
    assert by_name(kind).name == kind


@pytest.mark.parametrize(
    ("operand", "length"),
    [
        ("C'ABC'", 3), ("C'A''B&&'", 4), ("X'123'", 2), ("P'-123'", 2), ("P'12345'", 3),
        ("B'101'", 1), ("B'101010101'", 2), ("F'1,2,3'", 12), ("A(X,Y+4)", 8), ("CU'AB'", 4),
        ("3CL2'A'", 6), ("Z'12'", 2), ("H'7'", 2), ("E'1.5E3'", 4), ("XL4'FF'", 4),
    ],
)  # fmt: skip
def test_constants(operand: str, length: int) -> None:
    """DC gives the length where no modifier does."""
    assert parse_operand(operand, Scope()).width == length


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("*-D", 6), ("L'N", 8), ("L'N*2+1", 17), ("(2+3)*4", 20), ("7/2", 3), ("-7/2", -3),
        ("7/0", 0), ("X'FF'", 255), ("B'101'", 5), ("C'A'", 0xC1), ("N+4-N", 4), ("--3", 3),
    ],
)  # fmt: skip
def test_expressions(text: str, value: int) -> None:
    known = {"D": Symbol(Value(0, 1)), "N": Symbol(Value(2, 1), 8)}
    assert Scope(known, Value(6, 1)).absolute(text) == value


@pytest.mark.parametrize(
    ("operand", "message"),
    [
        ("W", "expected a type such as F"), ("CL(8", "closing parenthesis"),
        ("XLX", "a length modifier without a length"), ("FL(N)", "found no symbol N"),
        ("9999999F", "at most 1,048,576 bytes"), ("CL(*)", "expected a number"), ("F;", "behind"),
    ],
)  # fmt: skip
def test_wrong_operand_is_told_with_its_place(operand: str, message: str) -> None:
    with pytest.raises(LayoutError, match=message) as raised:
        fields(f"F1       DS    {operand}")
    assert "x.asm: line 2: F1 DS" in raised.value.message


def test_source_of_a_macro_is_refused() -> None:
    with pytest.raises(LayoutError, match="line 2") as raised:
        fields("&P.NAME  DS    CL&LEN")
    assert "assemble it" in (raised.value.hint or "")


def test_overlays() -> None:
    """A part wins over the stretch it is part of, else the first; nothing is lost."""
    lines = ["D        DSECT", "A        DS    F", "B        DS    F", "         ORG   A"]
    lines += ["WIDE     DS    CL8", "         ORG   B", "B1       DS    H"]
    listed = fields_of(dsect("\n".join(lines)))
    assert [(x.name, x.offset) for x in listed.fields] == [("a", 0), ("b1", 4)]
    assert [(x.name, x.kind.name) for x in listed.aliases] == [("wide", "text(8)"), ("b", "s4")]
    assert any("b at +4: 2 of its bytes" in note for note in listed.notes)
    preferred = fields_of(dsect("\n".join(lines)), Choices(prefer=("WIDE",)))
    assert [x.name for x in preferred.fields] == ["wide"]


def test_choices() -> None:
    text = ("T        DS    XL8", "N        DS    F")
    assert fields(*text, unsigned=True) == {"t": (0, "u8"), "n": (8, "u4")}
    assert fields(*text, kinds={"t": "tod"})["t"] == (0, "tod")
    with pytest.raises(LayoutError, match="kind u4 of 4 bytes, the listing says 8"):
        fields(*text, kinds={"t": "u4"})


def test_clock_is_told_by_its_remark_only() -> None:
    text = ("A        DS    D            TIME, STCK", "B        DS    D            A FLOAT")
    text += ("C        DS    XL16         WHEN (STCKE)", "E        DS    XL8   TOD UNITS ELAPSED")
    kinds = [kind for _, kind in fields(*text).values()]
    assert kinds == ["tod", "hfp8", "stcke", "u8"]


def test_listing_is_the_second_witness() -> None:
    """Where the assembler saw more than we do, its place is kept and the difference told."""
    text = EVERY.read_text(encoding="utf-8")
    hidden = "\n".join(x for x in text.splitlines() if "W200AGEN" not in x and "AADR" not in x)
    listing = listing_of(hidden.encode(), "every.lst")
    section = choose(listing, "W200A")
    places = {item.name: item.offset for item in section.items}
    assert (places["W200AFD"], places["W200ALST"]) == (0x90, 0x9C)
    assert any("W200ALST: computed +152, the listing says +156" in x for x in listing.notes)


def test_length_that_no_symbol_gives_comes_from_the_next_place() -> None:
    text = EVERY.read_text(encoding="utf-8").replace("CL(W200AMAX-4)", "CL(ELSEWHERE) ")
    listing = listing_of(text.encode(), "every.lst")
    assert any("found no symbol ELSEWHERE; its length is taken" in note for note in listing.notes)
    (item,) = [item for item in choose(listing, "W200A").items if item.name == "W200AU2"]
    assert (item.offset, item.width) == (0x40, 8)


def test_listing_cut_in_the_middle() -> None:
    """What stands before is kept, and the end is named."""
    text = EVERY.read_text(encoding="utf-8")
    for cut in ("W200AHLF", "W200ASCI"):
        listing = listing_of(text[: text.index(cut) + 3].encode(), "every.lst")
        assert listing.dsects[0].name == "W200"
        assert any("ends without the END statement" in note for note in listing.notes)
        assert any("W200A: found fields up to" in note for note in listing.notes)


def test_what_is_no_listing() -> None:
    for data in (b"", b"\n\n", b"just some words\nof text\n", b"\x00\x01\x02" * 50):
        with pytest.raises(LayoutError):
            listing_of(data, "x")


def test_wrong_name_gets_the_near_one() -> None:
    listing = read_listing(EVERY)
    with pytest.raises(LayoutError, match="no DSECT 'W20OA'") as raised:
        choose(listing, "W20OA")
    assert "w200a" in (raised.value.hint or "")
    with pytest.raises(LayoutError, match="found 3 DSECTs") as raised:
        choose(listing, None)
    assert "--dsect" in (raised.value.hint or "")
    with pytest.raises(LayoutError, match="no field 'w200atid'") as raised:
        import_layout(
            listing, Wanted(code="45", dsect="W200A", choices=Choices({"w200atid": "u8"}))
        )
    assert "w200atod" in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        (Wanted(dsect="W200A"), "--type 200 --subtype 1 --triplet 36"),
        (Wanted(type=200, dsect="W200A"), "--triplet N"),
    ],
)
def test_what_a_listing_does_not_say_is_asked_for(wanted: Wanted, hint: str) -> None:
    with pytest.raises(LayoutError) as raised:
        import_layout(read_listing(EVERY), wanted)
    assert hint in (raised.value.hint or "")


# --- listings that others published ---------------------------------------------------------------


@pytest.mark.parametrize("places", sorted(LISTINGS.glob("published/*.csv")), ids=lambda p: p.stem)
def test_published_listing(places: Path) -> None:
    """A listing that an assembler made: the places it prints are those we compute."""
    file = Path(os.environ.get("IMSPERF_LISTINGS", "")) / f"{places.stem}.lst"
    if not file.is_file():
        pytest.skip("IMSPERF_LISTINGS names no folder that holds it")
    listing = read_listing(file)
    assert not [note for note in listing.notes if "computed" in note]
    kinds_seen = set()
    for dsect in listing.dsects:
        mapped = fields_of(dsect)
        for x in (*mapped.fields, *mapped.aliases):
            kinds_seen.add((dsect.name, str(x.offset), str(x.kind.width), x.name))
    with places.open(encoding="utf-8") as rows:
        wanted = {tuple(row.values()) for row in csv.DictReader(rows)}
    assert wanted and wanted <= kinds_seen


# --- any text ------------------------------------------------------------------------------------


def mutations(seed: int, number: int) -> Iterator[bytes]:
    """Texts made of pieces of listings, and bytes that are none."""
    rng = random.Random(seed)
    lines = EVERY.read_bytes().splitlines() + THEIRS.read_bytes().splitlines()
    lines += [line.encode() for line in source()]
    pieces = [
        b"'",
        b"(",
        b")",
        b"L'",
        b"X'",
        b"*",
        b",",
        b" ORG ",
        b" DS ",
        b"9" * 40,
        b"\xff",
        b"\0",
    ]
    pieces += [b"EQU", b"DSECT", b"0F", b".3", b"&", b"X" * 80, b"((" * 90, "²".encode(), b"\x10"]
    for _ in range(number):
        some = rng.sample(lines, rng.randint(1, 40))
        data = bytearray(b"\n".join(some))
        for _ in range(rng.randint(0, 12)):
            at, piece = rng.randrange(len(data) + 1), rng.choice(pieces)
            data[at : at + rng.choice((0, len(piece)))] = piece
        yield bytes(data)


@pytest.mark.parametrize("seed", range(4))
def test_any_text_gives_a_layout_or_an_error_of_ours(seed: int) -> None:
    tried = 0
    adata_file = adata(EVERY.read_text(encoding="utf-8").splitlines())
    rng = random.Random(seed)
    for number, data in enumerate(mutations(seed, 250)):
        if number % 5 == 0:  # ADATA with some bytes changed
            changed = bytearray(adata_file)
            for _ in range(8):
                changed[rng.randrange(len(changed))] = rng.randrange(256)
            data = bytes(changed)
        try:
            listing = listing_of(data, "x")
            for dsect in listing.dsects:
                import_layout(listing, Wanted(code="45", dsect=dsect.name))
                tried += 1
        except LayoutError:
            continue
    assert tried > 20
