"""What to say of a comparison: a sentence, then the rows that changed, those of one cause together.

The sentence and the table fit one screen. The full table is `Comparison.table`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from imsperf.reports.catalog import catalog
from imsperf.reports.comparison.causes import DIRECTED, Group, causes_of
from imsperf.reports.comparison.compare import PER_SECOND, Comparison
from imsperf.reports.comparison.pairs import PLACES, is_by_second, key_parts
from imsperf.reports.numbers import beside_others, visible
from imsperf.reports.text import cell_texts, is_number, lay_out

TOP = 20
_VALUES = ("base", "candidate", "delta")
_CHANGES = ("delta_pct", "ci_low_pct", "ci_high_pct")
_PER_CENT = "1"
_EXCURSIONS = 3  # lines of them
_IN_A_GROUP = 5  # rows shown of it
_FIRST = 3  # groups among which the sentence looks for what got worse or better
_KINDS = ("kind", "type")  # their values are words that say what the rest of a key is
_ABBREVIATED = (
    *("api", "asid", "cf", "cpu", "ims", "iop", "lcu", "olds", "psb", "pst", "ssid", "tcb", "uow"),
)
_DIGITS, _MOST_DECIMALS = 3, 6


def summary(comparison: Comparison, top: int = TOP) -> str:
    """The sentence, and at most `top` rows; the first of a group to the left, the others behind."""
    groups = causes_of(comparison.table)
    lines = lines_of(groups)[:top]
    text = "\n".join([sentence(comparison, groups), *excursion_lines(comparison)]) + "\n"
    if lines:
        text += "\n" + _table(comparison, lines)
    left = sum(len(group.rows) for group in groups) - sum(1 + more for _, more, _ in lines)
    if left:
        rows = "row" if left == 1 else "rows"
        text += f"... and {left:,} more {rows} that changed; --all prints every row\n"
    return text


def some_differences(differences: pa.Table, most: int) -> pa.Table:
    """At most so many of what else differs, of each topic as many as of the others: of all options
    of a configuration the first, and that intervals are longer."""
    seen, turns = dict[Any, int](), list[int]()
    for topic in differences["topic"].to_pylist():
        seen[topic] = seen.get(topic, 0) + 1
        turns.append(seen[topic])
    places = np.sort(np.argsort(turns, kind="stable")[:most])
    return differences.take(pa.array(places, pa.int64()))


def lines_of(groups: Sequence[Group]) -> list[tuple[dict[str, Any], int, bool]]:
    """What is shown of groups: a row, how many more it stands for, and whether it follows."""
    return [
        (row, more, place > 0)
        for group in groups
        for place, (row, more) in enumerate(group.lines()[:_IN_A_GROUP])
    ]


def sentence(comparison: Comparison, groups: Sequence[Group]) -> str:
    """The answer: what changed most, what follows from it, and how much is the same or open."""
    table = comparison.table
    if comparison.same_run:
        return "Both sides are the same records: there is no difference to tell."
    if not table.num_rows:
        return "Nothing to compare: the reports that were asked have no number on either side."
    counts = {
        entry["values"]: entry["counts"] for entry in pc.value_counts(table["verdict"]).to_pylist()
    }
    rest = ", ".join(
        f"{counts[verdict]:,} {words}"
        for verdict, words in (
            ("same", "rows same"), ("unclear", "unclear"), ("new", "new"), ("gone", "gone")
        )
        if counts.get(verdict)
    )  # fmt: skip
    if not groups:
        tested = table.num_rows - table["p_value"].null_count
        lead = "No change beyond noise" if tested else "Too few intervals to test anything"
        few = pc.sum(pc.starts_with(table["note"], "too few")).as_py() or 0
        single = pc.sum(pc.starts_with(table["note"], "one value a run")).as_py() or 0
        if single and not few and not tested:
            lead = (
                "Nothing to test: rows have one value a run, or are on one side only; --all prints "
            )
            lead += "them"
        if few > tested > 0:
            lead = f"Too few intervals to test {few:,} of {table.num_rows:,} rows; no other changed"
        if counts.keys() <= {"new", "gone"}:
            lead = "Nothing in common to compare, each row is on one side"
        if comparison.excursions.num_rows:
            lead = "No change of the whole run beyond noise"
        return f"{lead}: {rest}."
    first = groups[0].rows[0]
    group, opening = _lead(groups)
    words = f"{opening['verdict'].capitalize()}: {_told(comparison, opening)}"
    likes = group.likes if opening is group.rows[0] else 0
    others = len(group.rows) - 1 - likes - (opening is not group.rows[0])
    if likes:
        words += f"; {likes:,} more {'row' if likes == 1 else 'rows'} like it"
    part = group.part if opening is group.rows[0] else None
    if part:
        words += f"; with it {_subject(comparison, part)}, {_from_and_to(part)}"
        words += f", {_percent(part['delta_pct'])}".rstrip(", ")
        others -= 1
    if others and opening is group.rows[0] and not part:
        words += f"; {others:,} more {'row follows' if others == 1 else 'rows follow'} from it"
    elif others:
        words += f"; {others:,} more {'row' if others == 1 else 'rows'} of the same cause"
    if groups[1:]:
        number = len(groups) - 1
        words += f"; {number:,} other {'thing' if number == 1 else 'things'} changed"
    if opening is not first:
        words += f". Changed most, neither better nor worse: {_told(comparison, first)}"
    return f"{words}. {rest[0].upper()}{rest[1:]}." if rest else f"{words}."


def _lead(groups: Sequence[Group]) -> tuple[Group, dict[str, Any]]:
    """The row that opens the sentence, and its group: the first one, or where that is neither
    better nor worse, the first of the first groups that is."""
    for group in groups[:_FIRST]:
        for row, _ in group.lines():
            if row["verdict"] in DIRECTED:
                return group, row
    return groups[0], groups[0].rows[0]


def _told(comparison: Comparison, row: dict[str, Any]) -> str:
    """A row that changed, in words."""
    words = f"{_subject(comparison, row)}, {_from_and_to(row)}"
    if row["delta_pct"] is not None:
        words += f", {_percent(row['delta_pct'])} {_interval(row)}".rstrip()
    return words + _from_to(comparison, row)


def _subject(comparison: Comparison, row: dict[str, Any]) -> str:
    return f"{row['column']} of {what(comparison, row)} ({row['report']})"


def _from_and_to(row: dict[str, Any]) -> str:
    base, candidate = _values(row)
    return f"{base} -> {candidate} {row['unit']}".rstrip()


def excursion_lines(comparison: Comparison) -> list[str]:
    """What is far worse in some intervals of the candidate only: a line for each time."""
    heads = list[dict[str, Any]]()
    for row in comparison.excursions.to_pylist():  # the largest first
        head = next((head for head in heads if _overlap(head, row)), None)
        if head is None:
            heads.append(row | {"others": 0})
        else:
            head["others"] += 1
    lines = []
    for row in heads[:_EXCURSIONS]:
        many = "interval" if row["intervals"] == 1 else "intervals"
        line = (
            f"Worse in {row['intervals']:,} {many}: {_subject(comparison, row)}, "
            f"{_from_and_to(row)}"
        )
        line += _times(np.datetime64(row["first"]), np.datetime64(row["last"]))
        if row["others"]:
            line += f"; so {'is' if row['others'] == 1 else 'are'} {row['others']:,} more"
            line += f" row{'' if row['others'] == 1 else 's'} in that time"
        lines.append(f"{line}.")
    if heads[_EXCURSIONS:]:
        lines.append(f"... and at {len(heads) - _EXCURSIONS:,} more times")
    return lines


def _overlap(head: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether two excursions share some of their time; those without a time do."""
    if head["first"] is None or row["first"] is None:
        return head["first"] is row["first"]
    return bool(head["first"] < row["last"] and row["first"] < head["last"])


def _from_to(comparison: Comparison, row: dict[str, Any]) -> str:
    """When in the run, local time, where the change is of a part of it."""
    times = comparison.times.get((row["report"], row["key"], row["column"]))
    return "" if times is None else _times(*times)


def _times(*times: np.datetime64) -> str:
    if np.isnat(times[0]):
        return ""
    first, last = (str(np.datetime_as_string(time, "m")).replace("T", " ") for time in times)
    return f", from {first} to {last if last[:10] != first[:10] else last[11:]}"


def what(comparison: Comparison, row: dict[str, Any], more: int = 0, widest: int = 0) -> str:
    """What a row is about: the parts of its key with what they are, and the name people know it by;
    without what they are where that is too wide. `more` rows are like it."""
    pairs = [(name, value) for name, value in key_parts(row["key"]) if value]
    own = comparison.names.get((row["report"], row["key"]), "")
    if own and own not in (value for _, value in pairs):
        pairs.insert(0, (catalog().get(row["report"]).named_by, own))
    things = [pair for pair in pairs if pair[0] not in PLACES] or pairs[:1]
    places = [pair for pair in pairs if pair[0] in comparison.places and pair not in things]
    name = ", ".join([_with_nouns(things, bool(own)), *map(_with_noun, places)])
    if widest and len(name) > widest:
        name = " ".join(dict.fromkeys(value for _, value in [*things, *places]))[:widest]
    return visible(name) + (f" ({more:,} more)" if more else "")


def _with_nouns(pairs: Sequence[tuple[str, str]], has_own: bool) -> str:
    """`path 52 of LCU 0081`, `service class ONLINE, period 1`, `volume IMS001, device 09001`."""
    kinds = [value for name, value in pairs if name in _KINDS]
    parts = [_with_noun(pair) for pair in pairs if pair[0] not in _KINDS]
    if len(parts) == 2 and not kinds and not has_own:
        return f"{parts[1]} of {parts[0]}"
    return " ".join([*kinds, ", ".join(parts)]).strip()


def _with_noun(pair: tuple[str, str]) -> str:
    name, value = pair
    noun = name.upper() if name in _ABBREVIATED else name.replace("_", " ")
    return f"{noun} {value}".strip()


def _values(row: dict[str, Any]) -> list[str]:
    return _texts(_form(row["report"], row["column"]), [row["base"], row["candidate"]])


def _texts(form: str, values: Sequence[float | None]) -> list[str]:
    """Values as the report prints them; where the largest has less than three digits so, and is no
    whole number, all of them with decimals enough for three."""
    write, largest = beside_others(form), max((abs(v) for v in values if v is not None), default=0)
    texts = ["-" if value is None else write(value) for value in values]
    digits = re.sub(r"\D", "", write(largest)).lstrip("0")
    if len(digits) >= _DIGITS or largest == round(largest) or not math.isfinite(largest):
        return texts
    decimals = min(_DIGITS - 1 - math.floor(math.log10(largest)), _MOST_DECIMALS)
    return ["-" if value is None else f"{value:.{decimals}f}" for value in values]


def _percent(value: float | None) -> str:
    """With its sign; a factor where it is large."""
    if value is None:
        return ""
    return f"{value:+,.1f} %" if value < 1000 else f"{1 + value / 100:,.0f} times"


def _interval(row: dict[str, Any]) -> str:
    low, high = row["ci_low_pct"], row["ci_high_pct"]
    return "" if low is None else f"({_percent(low)} to {_percent(high)})"


def _table(comparison: Comparison, lines: Sequence[tuple[dict[str, Any], int, bool]]) -> str:
    heads = ["verdict", "what", "column", "report", "base", "candidate", "unit", "change", "95 %"]
    cells = [
        [
            ("  " if follows else "") + row["verdict"],
            what(comparison, row, more, _WIDEST),
            row["column"], row["report"],
            *_values(row), row["unit"],
            _percent(row["delta_pct"]), _interval(row).strip("()"),
        ]
        for row, more, follows in lines
    ]  # fmt: skip
    right = [name in ("base", "candidate", "change") for name in heads]
    return lay_out(heads, list(zip(*cells, strict=True)), right)


_WIDEST = 34


# --- every row -----------------------------------------------------------------------------------


def comparison_text(table: pa.Table) -> str:
    """Rows of `compare`, without columns that are empty throughout.

    The table needs `report` and `column`: they say how a number is printed.
    """
    names = [name for name in table.column_names if table[name].null_count < table.num_rows]
    cells = {name: cell_texts(table[name]) for name in names}
    shown = [name for name in _VALUES if name in table.column_names]
    values = zip(*(table[name].to_pylist() for name in shown), strict=True)
    rows = [_texts(form, row) for form, row in zip(_forms(table), values, strict=True)]
    cells |= dict(zip(shown, map(list, zip(*rows, strict=True)), strict=False))
    write = beside_others(_PER_CENT)
    for name in set(_CHANGES).intersection(names):
        cells[name] = ["-" if value is None else write(value) for value in table[name].to_pylist()]
    is_right = [is_number(table[name].type) for name in names]
    return lay_out(names, [cells[name] for name in names], is_right)


def _forms(table: pa.Table) -> list[str]:
    """The form of the numbers of each row."""
    pairs = list(zip(table["report"].to_pylist(), table["column"].to_pylist(), strict=True))
    known = {pair: _form(*pair) for pair in set(pairs)}
    return [known[pair] for pair in pairs]


def _form(report_id: str, name: str) -> str:
    report = catalog().get(report_id)
    column = report.column(name)
    return PER_SECOND if is_by_second(report, column) else column.format
