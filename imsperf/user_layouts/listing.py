"""Assembler listings, assembler source and ADATA to fields: what a DSECT says of a record.

    source.py       lines of a file -> statements (listing columns, continuation, EBCDIC)
    adata.py        records of an associated data file -> statements
    expressions.py  what an operand is worth
    operands.py     DS and DC operands: type, length, duplication
    dsect.py        statements -> DSECTs with their items, location counter, bit names
    fields.py       items -> fields with kinds; what overlaps another becomes an alias

Rules: IBM High Level Assembler Language Reference, SC26-4940 (statements, DC and DS, attributes),
and Programmer's Guide, SC26-4941 (listing, associated data file).
"""

from __future__ import annotations

from pathlib import Path

from imsperf.errors import LayoutError, near
from imsperf.user_layouts.adata import adata_statements, is_adata
from imsperf.user_layouts.dsect import Dsect, Listing, assemble
from imsperf.user_layouts.source import read_text, statements_of

_MOST_BYTES = 256 << 20


def read_listing(path: Path, codepage: str = "cp1047") -> Listing:
    """The DSECTs of a listing, of assembler source or of an ADATA file.

    Raises LayoutError where the file holds none, or what stands in it cannot be understood.
    """
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise LayoutError(f"{path}: found {size:,} bytes, expected a listing of one mapping macro")
    return listing_of(path.read_bytes(), str(path), codepage)


def listing_of(data: bytes, name: str, codepage: str = "cp1047") -> Listing:
    """The same from bytes; `name` is what messages call them."""
    if is_adata(data):
        listing = assemble(adata_statements(data, name), name)
    else:
        listing = assemble(statements_of(read_text(data, codepage), name), name)
    if not listing.dsects:
        raise LayoutError(
            f"{name}: found no DSECT with fields, expected an assembler listing, source or ADATA",
            "assemble the mapping macro with PRINT GEN and give the listing (SYSPRINT) or SYSADATA",
        )
    return listing


def choose(listing: Listing, wanted: str | None) -> Dsect:
    """The DSECT of that name, or the only one. Raises LayoutError with the names there are."""
    names = {dsect.name: dsect for dsect in listing.dsects}
    known = f"DSECTs: {', '.join(names)}"
    if wanted is not None and wanted.upper() not in names:
        hint = near(wanted.upper().lower(), [name.lower() for name in names], known)
        raise LayoutError(f"{listing.name}: found no DSECT {wanted!r}", hint)
    if wanted is None and len(names) > 1:
        raise LayoutError(
            f"{listing.name}: found {len(names)} DSECTs, expected the name of one",
            f"choose with --dsect; {known}",
        )
    return names[wanted.upper()] if wanted is not None else listing.dsects[0]
