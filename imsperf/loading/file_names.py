"""File names for what has names of its own: members of archives, dumps."""

from __future__ import annotations

import re

_LONGEST = 150  # letters of a file name
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # on Windows


def safe_name(name: str) -> str:
    """A plain file name for whatever stood in an archive: no folder, nothing a system minds."""
    base = re.split(r"[/\\]", name.rstrip("/\\"))[-1]
    plain = re.sub(r'[<>:"|?*]', "_", "".join(x if x.isprintable() else "_" for x in base))
    plain = plain.lstrip(".-~ ").rstrip(". ")[:_LONGEST] or "member"
    while len(plain.encode()) > _LONGEST:
        plain = plain[:-1]
    return f"_{plain}" if _RESERVED.fullmatch(plain) else plain


def unique(name: str, taken: set[str]) -> str:
    """The name, with a number behind it if it is taken, whatever the case of its letters."""
    unique_name, number = name, 1
    while unique_name.casefold() in taken:
        number += 1
        unique_name = f"{name}.{number}"
    taken.add(unique_name.casefold())
    return unique_name
