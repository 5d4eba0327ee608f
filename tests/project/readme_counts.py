"""The lines of README.md that count: which records are decoded, how many reports there are.

`imsperf dev readme --write` writes them, `python tests readme_counts --write` too.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable

from places import CHECKOUT

from imsperf.layouts import shipped_records
from imsperf.reports.catalog import catalog

README = CHECKOUT / "README.md"
_WIDTH = 130


def spans(numbers: Iterable[int]) -> str:
    """`2, 3, 70 to 75, 77`: three and more in a row are a span."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [
        [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(number) for number in run]
        for run in runs
    ]
    return ", ".join(word for some in words for word in some)


def _subtypes(some: list[int | None]) -> str:
    return "" if None in some else f" ({spans(record for record in some if record is not None)})"


def counted(text: str) -> str:
    """The README with its counts brought up to date."""
    subtypes: dict[int, list[int | None]] = {}
    for record in shipped_records():
        subtypes.setdefault(record.type, []).append(record.subtype)
    decoded = ", ".join(f"{type}{_subtypes(some)}" for type, some in subtypes.items())
    sentence = f"Decoded now: SMF {decoded}, and the IMS log of synthetic runs."
    wrapped = textwrap.fill(sentence, _WIDTH)
    text, lines = re.subn(r"(?m)^Decoded now: SMF [^.]*\.$", wrapped, text)
    reports = f"There are {len(catalog().reports)} reports."
    text, more = re.subn(r"^There are \d+ reports\.", reports, text, flags=re.MULTILINE)
    if (lines, more) != (1, 1):
        raise ValueError(
            "README.md: expected one line `Decoded now` and one line `There are N reports`"
        )
    return text


def main(words: list[str]) -> int:
    """Print what differs, or write it; 0 where the README is as it should be."""
    before = README.read_text(encoding="utf-8")
    after = counted(before)
    if "--write" in words:
        README.write_text(after, encoding="utf-8", newline="\n")
    elif after != before:
        new = (line for line in after.splitlines() if line not in before.splitlines())
        print("README.md is out of date; `imsperf dev readme --write` writes:", *new, sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
