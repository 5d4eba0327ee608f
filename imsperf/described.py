"""What our SQL files say of their views and columns, beside them.

-- rmf_device: one row per system, interval and device.        the view: its first sentence
CREATE OR REPLACE VIEW rmf_device AS
SELECT
    smf74ssc::DOUBLE    AS io_count, -- Start subchannels
    pend_us             AS pend_us, -- Pending [us]            a column, with its unit
    i.* EXCLUDE (samples) -- as rmf_interval                   columns of a view above in the file;
                                                               EXCLUDE may be missing
FROM measured;
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

_VIEW = re.compile(
    r"^-- (?P<name>\w+): (?P<words>(?:.*\n)(?:--.*\n)*)CREATE OR REPLACE VIEW (?P=name) AS\n"
    r"(?=(?P<sql>(?:(?!CREATE ).*\n)*))",
    re.MULTILINE,
)
_OUTER = re.compile(r"^SELECT\b(?P<list>.*?)(?=^(?:FROM|UNION|WHERE)\b|\Z)", re.M | re.S)
_COLUMN = re.compile(r'^.*?\b(?P<name>\w+)"?,?\s+-- (?P<words>.+)$')
_STAR = re.compile(r"^\s*\w+\.\*(?: EXCLUDE \((?P<excluded>[^)]*)\))?,?\s+-- as (?P<view>\w+)$")
_UNIT = re.compile(r" \[([^\]]+)\]")


class Described(NamedTuple):
    """A column (or a view, `column` is empty) and what is said of it, its unit in brackets."""

    view: str
    column: str
    words: str


def columns_described(
    sql: str, views: Mapping[str, Mapping[str, str]] = MappingProxyType({})
) -> dict[str, str]:
    """What stands beside each column of the outer SELECT (the one that is not indented).

    `views` has what is said of the columns of other views, for stars.
    """
    outer, words = _OUTER.search(sql), dict[str, str]()
    for line in outer["list"].splitlines() if outer else ():
        if star := _STAR.match(line):
            excluded = re.findall(r"\w+", star["excluded"] or "")
            view = views[star["view"]]
            words |= {column: view[column] for column in view if column not in excluded}
        elif column := _COLUMN.match(line):
            words[column["name"]] = column["words"]
    return words


def views_described(text: str) -> Iterator[Described]:
    """Every view of a file and every column that has a description."""
    views: dict[str, dict[str, str]] = {}
    for view in _VIEW.finditer(text):
        words = " ".join(view["words"].replace("\n--", " ").split())
        sentence = re.split(r"\.(?:\s|$)", words, maxsplit=1)[0]
        yield Described(view["name"], "", sentence[:1].upper() + sentence[1:])
        views[view["name"]] = columns_described(view["sql"], views)
        for column, said in views[view["name"]].items():
            yield Described(view["name"], column, said)


def comment_statements(text: str) -> str:
    """COMMENT ON for every view of a file and its columns."""
    return "\n".join(map(_comment, views_described(text)))


def _comment(described: Described) -> str:
    of = (
        f'COLUMN {described.view}."{described.column}"'
        if described.column
        else f"VIEW {described.view}"
    )
    words = described.words.replace("'", "''")
    return f"COMMENT ON {of} IS '{words}';"


def without_unit(words: str) -> tuple[str, str]:
    """The description and its unit, which is empty where none stands in brackets."""
    unit = _UNIT.search(words)
    return _UNIT.sub("", words, count=1), unit[1] if unit else ""
