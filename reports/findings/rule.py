"""A rule: one SQL file of sql/findings that says which rows of a report stand out, and why.

The file begins with a TOML header in a comment; the rest is one SELECT from `report`, the rows of
the report that the header names, with the columns `value` and `threshold`. Where the header
names a column `usual`, `report` has a column `usual` beside it: the median of the same row at the
same hour of the run's days where there are three days or more, else over the whole run (a list of
columns counts by their sum); `load`
names the load that it goes with: only intervals with as much of it, or more, say what is usual. A
column named by `across_days` gives `day_median`, `day_mad` and `days`: median and median absolute
deviation of the same row at the same hour of the other days of the run, and how many they are.
`beside` names a second report, whose rows the SELECT may join: they stand in `beside_rows`.

A rule that holds columns, as they stand, against one of its limits names them in the header:
`value`, the columns, of which the greatest counts, and `threshold`, the limit. `report` then has
both beside it, and charts of these columns draw the limit. With `usual` the threshold is the limit
`times` of what is usual, the named one at least, and NULL where nothing is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from imsperf.errors import ReportError, near

SEVERITIES = ("high", "medium", "low")
_HEADER = re.compile(r"/\* imsperf finding\n(?P<toml>.*?)\*/\n(?P<sql>.*)", re.DOTALL)


@dataclass(frozen=True)
class Rule:
    """`limits` are parameters of the SQL. `overruled`: what would show that there is no problem.

    `key`: columns that say what a row is about, by itself those of the report. `draws`: columns in
    which a chart shows the finding, where its value is none. `ignore`: keys, as they are
    printed, of which the site does not want to hear.
    """

    id: str
    title: str
    report: str
    severity: str
    unit: str
    reason: str
    source: str
    overruled: str
    sql: str
    limits: Mapping[str, float]
    key: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
    load: str = ""
    across_days: str = ""
    beside: str = ""
    value: tuple[str, ...] = ()
    threshold: str = ""
    ignore: tuple[str, ...] = field(default=())

    def fixed_limits(self) -> dict[str, float]:
        """Columns that the rule holds, as they stand, against a limit of all rows."""
        if not self.value or self.usual:
            return {}
        return dict.fromkeys(self.value, self.limits[self.threshold])

    @property
    def drawn(self) -> tuple[str, ...]:
        """Columns in which the finding is seen: its value, if nothing else is said."""
        return self.draws or self.value or self.usual or tuple(filter(None, (self.across_days,)))


@cache
def shipped() -> tuple[Rule, ...]:
    """The rules of sql/findings, by name. Raises ReportError for a bad file."""
    folder = files("imsperf.sql") / "findings"
    names = sorted(path.name for path in folder.iterdir() if path.name.endswith(".sql"))
    return tuple(
        parsed(name.removesuffix(".sql"), (folder / name).read_text(encoding="utf-8"))
        for name in names
    )


def parsed(name: str, text: str) -> Rule:
    """The rule in the text of a file. Raises ReportError where the header is not right."""
    match = _HEADER.fullmatch(text)
    if not match:
        raise ReportError(f"{name}: found no header, expected /* imsperf finding ... */")
    try:
        header = tomllib.loads(match["toml"])
        if isinstance(usual := header.get("usual"), str):
            header["usual"] = [usual]
        lists = ("key", "value", "draws", "usual")
        header |= {member: tuple(header.get(member, ())) for member in lists}
        rule = Rule(name, sql=match["sql"], **header)
    except (TypeError, tomllib.TOMLDecodeError) as error:
        raise ReportError(
            f"{name}: {error}",
            "members: title, report, severity, unit, limits, reason, source, overruled, key, "
            "draws, usual, load, across_days, beside, value, threshold",
        ) from error
    if (rule.value or rule.threshold) and not (rule.value and rule.threshold in rule.limits):
        raise ReportError(
            f"{name}: found value = {list(rule.value)}, threshold = {rule.threshold!r}, expected "
            f"columns and a limit ({', '.join(rule.limits)}), or neither"
        )
    if rule.value and rule.usual and "times" not in rule.limits:
        raise ReportError(f"{name}: found usual and threshold, expected a limit `times` with them")
    _check_severity(name, rule.severity)
    return rule


def overridden(rules: tuple[Rule, ...], text: str) -> tuple[Rule, ...]:
    """The rules as a site wants them: TOML with a table for each rule it changes.

    Members of a table: any limit of the rule, `severity`, `ignore` (a list of keys), `off`.

    Raises ReportError for an unknown rule or member, or a value of the wrong type.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        hint = "a table for each rule, as docs/findings.md shows: [device_slow], then ms = 5"
        raise ReportError(f"rules of the site: found no TOML: {error}", hint) from error
    names = [rule.id for rule in rules]
    for name, said in tables.items():
        if name not in names:
            hint = near(name, names, "`imsperf findings --all --format csv` names rules")
            raise ReportError(f"rules of the site: no rule {name!r}", hint)
        if not isinstance(said, dict):
            raise ReportError(f"rules of the site: {name} = {said!r}, expected a table [{name}]")
    changed = (_changed(rule, dict(tables.get(rule.id, {}))) for rule in rules)
    return tuple(rule for rule in changed if rule is not None)


def _changed(rule: Rule, said: dict[str, Any]) -> Rule | None:
    """The rule with what its table says; None where it is off."""
    off = said.pop("off", False)
    severity = said.pop("severity", rule.severity)
    ignore = said.pop("ignore", [])
    _check_severity(rule.id, severity)
    if not isinstance(off, bool) or not isinstance(ignore, list):
        raise ReportError(
            f"rules of the site: {rule.id}: found off = {off!r}, ignore = {ignore!r}, "
            "expected off = true or false, ignore = a list of keys"
        )
    for name, value in said.items():
        if name not in rule.limits:
            known = [*rule.limits, "severity", "ignore", "off"]
            raise ReportError(
                f"rules of the site: {rule.id} has no limit {name!r}",
                near(name, known, f"it has {', '.join(known)}"),
            )
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ReportError(f"rules of the site: {rule.id}: {name} = {value!r} is no number")
    if off:
        return None
    limits = {**rule.limits, **said}
    return replace(rule, limits=limits, severity=severity, ignore=tuple(map(str, ignore)))


def _check_severity(name: str, severity: str) -> None:
    if severity not in SEVERITIES:
        raise ReportError(f"{name}: severity {severity!r}, expected {', '.join(SEVERITIES)}")
