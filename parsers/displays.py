"""Displays and members as text, beside the dumps of a run: commands of IMS and SMS, PROCLIB, JCL.

What is read, and recognised by its words or, where a member has none, by the name of the file:

  dis_tran           /DISPLAY TRAN ALL
  sms_options        D SMS,OPTIONS
  hspstats           D SMS,PDSE1,HSPSTATS
  region_parameters  the procedure of message regions (DFSMPR)
  preload_modules    DFSMPLxx
  preinit_modules    DFSINTxx
  fixed_pools        FPL statements (DFSSPMxx)

Page headers, command echoes and wrapped lines are read past. What cannot be read is refused with
its line and column; what IMS or z/OS would read otherwise than it looks is told as a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from imsperf.errors import DumpError

LARGEST = 1 << 20  # bytes of a text that is looked at
TRAN = ("TRAN", "CLS", "ENQCT", "QCT", "LCT", "PLCT", "CP", "NP", "LP", "SEGSZ", "SEGNO", "PARLM",
        "RC")  # fmt: skip
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # shown as a question mark in a box
MODULE = r"[A-Z@#$][A-Z0-9@#$]{0,7}"
BROWSE = re.compile(r"\s*(BROWSE|VIEW|EDIT|Command ==>|\*{3,}|COMMAND ==>)", re.IGNORECASE)
FURNITURE = re.compile(
    r"\s*$|\s*(\*|DFS\d+[A-Z]|PSBNAME|PAGE\b|/DIS|\d+PAGE)|.*\bPAGE\s*:?\s*\d+$", re.IGNORECASE
)
PAIR = re.compile(r"\s*([A-Za-z][\w ()]*?)\s*=\s*(\S+(?: \S+)*|$)")
SIZES = (  # words of HSPSTATS, and what they are
    (r"HiperSpace Size\s*:\s*(\d+)\s*MB", "size_mb"),
    (r"LRUtime\s*:\s*(\d+)", "lru_s"),
    (r"LRUcycles\s*:\s*(\d+)", "lru_cycles"),
    (r"BMF Time interval\s*:?\s*(\d+)", "bmf_s"),
)
OPTIONS = {"PDSE1_BMFTIME": "bmf_s", "PDSE1_LRUTIME": "lru_s", "PDSE1_LRUCYCLES": "lru_cycles",
           "PDSE1_HSP_SIZE": "hsp_mb"}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One value: line of the text, from 1; row it belongs to, from 1; name."""

    line: int
    row: int
    name: str
    value: str


@dataclass(frozen=True)
class Warned:
    """What is read otherwise than it looks, and where; line and column from 1."""

    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Text:
    """A display or member. `knobs`: knobs of a scenario that it sets, and their values."""

    kind: str
    entries: tuple[Entry, ...]
    warnings: tuple[Warned, ...]
    knobs: tuple[tuple[str, str], ...] = ()


class _Reader:
    """The lines of a text, and what was found in them."""

    def __init__(self, text: str, name: str) -> None:
        lines = text.replace("\r\n", "\n").split("\n")
        self.lines = [
            CONTROL.sub("\ufffd", one.expandtabs().strip("\f\r").rstrip()) for one in lines
        ]
        self.name, self.row = name, 0
        self.entries, self.warnings = list[Entry](), list[Warned]()

    def add(self, line: int, **values: str) -> None:
        """A row of values."""
        self.row += 1
        self.entries += [Entry(line, self.row, name, value) for name, value in values.items()]

    def warn(self, line: int, column: int, text: str) -> None:
        """A warning at a place."""
        self.warnings.append(Warned(line, column, text))

    def refuse(self, line: int, column: int, found: str, expected: str) -> NoReturn:
        """Raise DumpError for a place of the text."""
        raise DumpError(
            f"{self.name}: line {line}, column {column}: found {found}, expected {expected}",
            "mend the text or leave it out; dumps beside it load without it",
        )

    def upper(self, line: int, column: int, word: str) -> str:
        """The word in capitals; the first one that is not is told."""
        if word != word.upper() and not any("lower case" in one.text for one in self.warnings):
            self.warn(line, column, f"found lower case {word!r}, read as {word.upper()}")
        return word.upper()

    def rows_of(self, name: str) -> list[str]:
        """Values of that name."""
        return [entry.value for entry in self.entries if entry.name == name]


def kind_of(text: str, name: str) -> str | None:
    """What a text is, by its words or the name of its file; None: nothing that is known."""
    member = re.search(r"\((DFS\w{5})\)", text[:400]) or re.match(r"(DFS\w{5})(\.|$)", name.upper())
    words = (
        (r"^\s*TRAN\s+CLS\s+ENQCT", "dis_tran"),
        (r"HSPSTATS", "hspstats"),
        (r"D(ISPLAY)? SMS,OPTIONS|^IGD002I", "sms_options"),
        (r"^//\S*\s*PROC\s(.|\n)*\b(PREINIT|PWFI|PRLD|SOUT)=", "region_parameters"),
        (r"^FPL=", "fixed_pools"),
    )
    for pattern, kind in words:
        if re.search(pattern, text, re.IGNORECASE | re.MULTILINE):
            return kind
    for prefix, kind in (("DFSMPL", "preload_modules"), ("DFSINT", "preinit_modules")):
        if member and member[1].upper().startswith(prefix):
            return kind
    return None


def display_text(path: Path) -> str | None:
    """The text of a file that is a display or member; None for any other."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:  # a pipe would be waited for
            return None
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return text if "\0" not in text and kind_of(text, path.name) else None


def read_text(text: str, name: str) -> Text:
    """A display or member. Raises DumpError for one that is malformed, or nothing that is known."""
    kind = kind_of(text, name)
    if kind is None:
        raise DumpError(f"{name}: found a text, expected a display or member that is known")
    reader = _Reader(text, name)
    READERS[kind](reader)
    if not reader.entries:
        reader.refuse(1, 1, "no values", f"rows of {kind}")
    return Text(kind, tuple(reader.entries), tuple(reader.warnings), tuple(_knobs(kind, reader)))


# --- displays -------------------------------------------------------------------------------------


def _dis_tran(reader: _Reader) -> None:
    begun, waiting = False, list[re.Match[str]]()
    start = 0
    for number, line in enumerate(reader.lines, 1):
        words = list(re.finditer(r"\S+", line))
        if words and words[0].group().upper() == "TRAN":
            shown = [word.group().upper() for word in words]
            missing = next((one for one in TRAN if one not in shown), None)
            if missing:
                reader.refuse(number, len(line) + 1, f"no {missing}", " ".join(TRAN))
            begun = True
        elif begun and (len(words) == len(TRAN) or not FURNITURE.match(line)):
            start = start if waiting else number
            waiting += words
            if len(waiting) >= len(TRAN):
                _tran_row(reader, start, waiting)
                waiting = []
    if waiting:
        _short(reader, start, waiting)


def _tran_row(reader: _Reader, line: int, words: Sequence[re.Match[str]]) -> None:
    if len(words) > len(TRAN):
        _short(reader, line, words)
    values = {"TRAN": reader.upper(line, words[0].start() + 1, words[0].group())}
    for name, word in zip(TRAN[1:], words[1:], strict=True):
        if not (word.group().isdecimal() or (name == "PARLM" and word.group().upper() == "NONE")):
            found = repr(word.group())
            reader.refuse(line, word.start() + 1, found, f"a number for {name}")
        values[name] = word.group().upper()
    reader.add(line, **values)


def _short(reader: _Reader, line: int, words: Sequence[re.Match[str]]) -> NoReturn:
    """Of too few values, or too many with those of the next line."""
    own = [word for word in words if word.string == words[0].string]
    found = f"{len(own)} values"
    reader.refuse(line, own[-1].end() + 1, found, f"{len(TRAN)}: {' '.join(TRAN)}")


def _sms_options(reader: _Reader) -> None:
    name = ""
    for number, line in enumerate(reader.lines, 1):
        if not line.strip() or re.match(r"\s*(D SMS|DISPLAY SMS|IGD\d|-)", line, re.IGNORECASE):
            continue
        if name:  # the value stands in a line of its own
            reader.add(number, option=name, value=line.strip())
            name = ""
            continue
        for start, part in _parts(line):
            pair = PAIR.fullmatch(part)
            if pair is None:
                reader.refuse(number, start + 1, repr(part.strip()), "OPTION = VALUE")
            option = reader.upper(number, start + 1, pair[1])
            if "=" in pair[2]:
                at = start + part.index(pair[2])
                reader.refuse(number, at + 1, repr(pair[2]), f"a value of {option}")
            if pair[2]:
                reader.add(number, option=option, value=pair[2])
            else:
                name = option


def _parts(line: str) -> Iterator[tuple[int, str]]:
    """The options of a line: two blanks stand between them, but not beside the sign."""
    at = 0
    for gap in re.finditer(r"(?<![=\s])\s{2,}(?!\s*=)(?=\S)", line.rstrip()):
        if "=" in line[at : gap.start()]:
            yield at + len(line[at:]) - len(line[at:].lstrip()), line[at : gap.start()].lstrip()
            at = gap.end()
    yield at + len(line[at:]) - len(line[at:].lstrip()), line[at:].strip()


def _hspstats(reader: _Reader) -> None:
    sizes, begun, ended, listed = dict[str, str](), False, False, list[tuple[int, list[str]]]()
    for number, line in enumerate(reader.lines, 1):
        for pattern, name in SIZES:
            found = re.search(pattern, line, re.IGNORECASE)
            if found:
                sizes[name] = found[1]
        ended = ended or "end of report" in line.lower()
        if "--" in line:
            begun = True
        elif begun and not ended and line.strip():
            listed.append((number, _data_set(reader, number, line)))
    if not ended:
        last = len(reader.lines)
        reader.warn(last, 1, "found no line 'End of Report': the display may be cut short")
    reader.add(1, **sizes)
    for number, (data_set, eligible, always, do_not) in listed:
        reader.add(number, data_set=data_set, eligible=eligible, always=always, do_not=do_not)


def _data_set(reader: _Reader, number: int, line: str) -> list[str]:
    words = list(re.finditer(r"\S+", line))
    if len(words) != 4:
        expected = "4: data set name, and Y or N three times"
        reader.refuse(number, len(line) + 1, f"{len(words)} values", expected)
    for word in words[1:]:
        if word.group().upper() not in "YN":
            reader.refuse(number, word.start() + 1, repr(word.group()), "Y or N")
    return [reader.upper(number, word.start() + 1, word.group()) for word in words]


# --- members --------------------------------------------------------------------------------------


def _region_parameters(reader: _Reader) -> None:
    begun = False
    for number, line in enumerate(reader.lines, 1):
        head = re.match(r"//(\S*\s+)?PROC\s+", line, re.IGNORECASE)
        if not begun and not head:
            continue
        begun, at = True, head.end() if head else len(line) - len(line[2:].lstrip())
        operands, _, comment = line[at:].partition(" ")
        if operands.endswith(",") and re.match(r"\s*[A-Za-z0-9]+=", comment):
            column = at + len(operands) + 1
            reader.warn(number, column, f"blank after the comma: a comment is {comment.strip()!r}")
        for part in re.finditer(r"[^,']*(?:'[^']*'[^,']*)*(?=,|$)", operands):
            if not part.group():
                continue
            name, sign, value = part.group().partition("=")
            if not sign or not re.fullmatch(r"[A-Z0-9@#$]{1,8}", name.upper()):
                column = at + part.start() + 1
                reader.refuse(number, column, repr(part.group()), "NAME=VALUE")
            name = reader.upper(number, at + part.start() + 1, name)
            reader.add(number, parameter=name, value=value)
        if not operands.endswith(","):
            return


def _modules(reader: _Reader) -> None:
    """Names and commas; a blank before more text ends the list."""
    lost, place = list[str](), (0, 0)
    for number, line in enumerate(reader.lines, 1):
        if BROWSE.match(line) or not line.strip():
            continue
        begin = len(line) - len(line.lstrip())
        known, _, rest = line[begin:].partition(" ")
        if place != (0, 0):
            known, rest = "", line
        elif rest.strip():
            place = number, begin + len(known) + 1
        lost += [name for name in re.split(r"[\s,]+", rest) if name]
        for word in re.finditer(r"[^,]+", known):
            column = begin + word.start() + 1
            if not re.fullmatch(MODULE, word.group().upper()):
                reader.refuse(number, column, repr(word.group()), "the name of a module")
            reader.add(number, module=reader.upper(number, column, word.group()))
    if lost:
        reader.warn(*place, f"a blank ends the list; not read as modules: {', '.join(lost)}")


def _fixed_pools(reader: _Reader) -> None:
    for number, line in enumerate(reader.lines, 1):
        statement = re.match(r"\s*FPL=([A-Z0-9]{4}),", line, re.IGNORECASE)
        if statement is None:
            continue
        pool = reader.upper(number, statement.start(1) + 1, statement[1])
        at = statement.end()
        while at < len(line) and line[at] != " ":
            size = re.compile(r"\((\d+),(\d+),(\d+),([YN])\),?", re.IGNORECASE).match(line, at)
            if size is None:
                expected = "(bytes,primary,secondary,Y|N)"
                reader.refuse(number, at + 1, repr(line[at:]), expected)
            names = ("bytes", "primary", "secondary", "initial")
            values = dict(zip(names, (one.upper() for one in size.groups()), strict=True))
            reader.add(number, pool=pool, **values)
            at = size.end()
        if line[at:].strip():
            reader.warn(
                number, at + 1, f"a blank ends the statement; not read: {line[at:].strip()}"
            )


READERS: dict[str, Callable[[_Reader], None]] = {
    "dis_tran": _dis_tran, "sms_options": _sms_options, "hspstats": _hspstats,
    "region_parameters": _region_parameters, "preload_modules": _modules,
    "preinit_modules": _modules, "fixed_pools": _fixed_pools,
}  # fmt: skip


# --- knobs ----------------------------------------------------------------------------------------


def _knobs(kind: str, reader: _Reader) -> Iterator[tuple[str, str]]:
    """Knobs that the text sets."""
    if kind == "sms_options":
        given = dict(zip(reader.rows_of("option"), reader.rows_of("value"), strict=True))
        for option, knob in OPTIONS.items():
            if option in given:
                yield f"pdse.{knob}", given[option].removesuffix("MB")
    elif kind == "region_parameters":
        given = dict(zip(reader.rows_of("parameter"), reader.rows_of("value"), strict=True))
        if "PREINIT" in given:
            yield "sched.preinit", "on" if given["PREINIT"] else "off"
        if "PWFI" in given:
            yield "sched.wfi", "on" if given["PWFI"].upper() == "Y" else "off"
        if given.get("PRLD"):
            yield "sched.preload", "on"
    elif kind == "fixed_pools":
        names = ("pool", "bytes", "primary", "secondary", "initial")
        columns = [reader.rows_of(name) for name in names]
        sizes = dict[str, list[str]]()
        for pool, *size in zip(*columns, strict=True):
            sizes.setdefault(pool, []).append(f"({','.join(size)})")
        yield from ((f"pools.{pool}", ",".join(some)) for pool, some in sizes.items())
