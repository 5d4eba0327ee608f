"""The tables of docs/names.md: `python tests names_table` writes them."""

from __future__ import annotations

import re
from itertools import groupby

from places import CHECKOUT

from imsperf.dictionary.other_names import entries

DOCUMENT = CHECKOUT / "docs" / "names.md"
START, END = "<!-- written by `python tests names_table` -->\n", "<!-- end -->\n"
HEAD = "| name | means | SMF fields | here | what differs | shown by |\n|---|---|---|---|---|---|\n"


def table(vocabulary: str) -> str:
    """The names of a vocabulary, a table of ours for each of its tables."""
    some = [entry for entry in entries() if entry["vocabulary"] == vocabulary]
    parts = []
    for name, rows in groupby(some, key=lambda entry: entry["table"]):
        lines = "".join(
            f"| `{row['name']}` | {row['meaning']} | {row['fields']} | `{row['ours']}` "
            f"| {row['differs']} | {row['source']} |\n"
            for row in rows
        )
        parts.append(f"### {name or 'Every dataset'}\n\n{HEAD}{lines}")
    return "\n".join(parts)


def document() -> str:
    """The page with its tables as they are now: one below the heading of each vocabulary."""
    text = DOCUMENT.read_text(encoding="utf-8")
    return re.sub(
        rf"^## ([^\n]+)\n((?:(?!^## ).)*?){START}.*?{END}",
        lambda part: f"## {part[1]}\n{part[2]}{START}{table(part[1])}{END}",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )


def main() -> None:
    """Write the page."""
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
