"""A listing to a layout file: what the listing does not say, the user does.

A DSECT says what stands at which offset. It does not say which record it is of, nor where in the
record its bytes begin: type and triplet of SMF, code of the IMS log, place of the entries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from imsperf.errors import LayoutError, near
from imsperf.user_layouts.dsect import Dsect, Listing
from imsperf.user_layouts.fields import Choices, Made, Mapped, fields_of
from imsperf.user_layouts.layout_file import KEY_NAMES, check_text
from imsperf.user_layouts.listing import choose
from imsperf.user_layouts.toml_text import SectionText, layout_text


@dataclass(frozen=True)
class Wanted:
    """What the user says of the record. `sections` and `entries` name further DSECTs."""

    type: int | None = None
    subtype: int | None = None
    code: str | None = None
    subcode: str | None = None
    dsect: str | None = None
    table: str | None = None
    title: str | None = None
    triplet: int | None = None
    header: str | None = None
    sections: Mapping[str, int] = field(default_factory=dict)  # DSECT -> place of its triplet
    entries: tuple[str, int, int, int] | None = None  # DSECT, start, count at, length at
    replaces: bool = False
    choices: Choices = field(default_factory=Choices)


@dataclass(frozen=True)
class Imported:
    """The text of a layout file, a name for it, and what is worth saying."""

    text: str
    name: str
    notes: tuple[str, ...]


def import_layout(listing: Listing, wanted: Wanted) -> Imported:
    """The layout file for a record. Raises LayoutError where something is missing or wrong."""
    if (wanted.type is None) == (wanted.code is None):
        raise LayoutError(
            f"{listing.name}: a DSECT does not say which record it is of",
            "say it: --type 200 --subtype 1 --triplet 36 for SMF, --code 45 --subcode 07 for a log",
        )
    chosen = _Sections(listing, wanted)
    if wanted.code is not None:
        record, sections, header = _log(chosen, wanted), chosen.texts, None
    else:
        record, sections, header = _smf(chosen, wanted)
    chosen.check_choices()
    title = wanted.title or f"{sections[0].table if sections else 'header'}, from {_file(listing)}"
    record["title"] = title
    if wanted.replaces:
        record["replaces"] = True
    comment = [
        f"Written by imsperf layout import from {_file(listing)}.",
        "Mend names, kinds, units and meanings here; `imsperf layout check` reads it.",
    ]
    text = layout_text(comment, record, sections, header)
    check_text(text, Path(listing.name))
    first = sections[0] if sections else header
    name = first.table if first else "layout"
    return Imported(text, f"{name}.toml", (*listing.notes, *chosen.notes))


def _log(sections: _Sections, wanted: Wanted) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": "ims", "code": wanted.code}
    if wanted.subcode is not None:
        record["subcode"] = wanted.subcode
    used = [wanted.entries[0]] if wanted.entries else []
    sections.add(wanted.dsect or sections.only_other(used), {}, wanted.table)
    if wanted.entries:
        name, start, count, length = wanted.entries
        place = {"start": start, "count_at": count, "length_at": length}
        sections.add(name, {"entries": place})
    return record


def _smf(
    sections: _Sections, wanted: Wanted
) -> tuple[dict[str, Any], list[SectionText], SectionText | None]:
    record: dict[str, Any] = {"kind": "smf", "type": wanted.type}
    if wanted.subtype is not None:
        record["subtype"] = wanted.subtype
    number = "" if wanted.subtype is None else f"_{wanted.subtype}"
    name = f"smf{wanted.type}{number}_header"
    header = sections.text(wanted.header, {}, name) if wanted.header else None
    if wanted.triplet is not None:
        used = [*wanted.sections, *([wanted.header] if wanted.header else [])]
        place = {"triplet": wanted.triplet}
        sections.add(wanted.dsect or sections.only_other(used), place, wanted.table)
    for name, at in wanted.sections.items():
        sections.add(name, {"triplet": at})
    if not sections.texts and header is None:
        raise LayoutError(
            f"{sections.listing.name}: a DSECT does not say where its section stands in the record",
            "--triplet N: the header has its offset, length and number at +N; "
            "--section DSECT=N for another one; --header DSECT: it is the header itself",
        )
    return record, sections.texts, header


class _Sections:
    """The sections of a record, made from DSECTs one by one."""

    def __init__(self, listing: Listing, wanted: Wanted) -> None:
        self.listing, self.wanted = listing, wanted
        self.texts: list[SectionText] = []
        self.notes: list[str] = []
        self._names: set[str] = set()

    def only_other(self, used: Sequence[str]) -> str | None:
        """The DSECT that is left when others are named; None leaves the choice to the listing."""
        upper = {name.upper() for name in used}
        left = [dsect.name for dsect in self.listing.dsects if dsect.name not in upper]
        return left[0] if used and len(left) == 1 else None

    def add(self, name: str | None, place: Mapping[str, Any], table: str | None = None) -> None:
        """A section of the record."""
        self.texts.append(self.text(name, place, table))

    def text(
        self, name: str | None, place: Mapping[str, Any], table: str | None = None
    ) -> SectionText:
        """A DSECT as a section."""
        dsect = choose(self.listing, name)
        fields = self._renamed(dsect, self._mapped(dsect))
        source = (
            f"{_file(self.listing)}: DSECT {dsect.name}, lines {dsect.line} to {dsect.last_line}"
        )
        doc = self.wanted.title or f"DSECT {dsect.name}"
        return SectionText(
            table or _table_name(dsect.name), doc, source, fields.length, fields.fields,
            fields.aliases, place,
        )  # fmt: skip

    def _mapped(self, dsect: Dsect) -> Mapped:
        try:
            fields = fields_of(dsect, self.wanted.choices)
        except LayoutError as error:
            where = f"{self.listing.name}: DSECT {dsect.name}"
            raise LayoutError(f"{where}: {error.message}", error.hint) from error
        self._names |= {field.name for field in (*fields.fields, *fields.aliases)}
        self.notes += [f"{self.listing.name}: DSECT {dsect.name}: {note}" for note in fields.notes]
        return fields

    def _renamed(self, dsect: Dsect, mapped: Mapped) -> Mapped:
        """Names of key columns get an underscore."""

        def other(field: Made) -> Made:
            if field.name not in KEY_NAMES:
                return field
            self.notes.append(f"DSECT {dsect.name}: {field.name} is called {field.name}_")
            return replace(field, name=f"{field.name}_")

        fields, aliases = (tuple(map(other, some)) for some in (mapped.fields, mapped.aliases))
        return replace(mapped, fields=fields, aliases=aliases)

    def check_choices(self) -> None:
        """Refuse a choice for a field that is in none of the DSECTs."""
        chosen = self.wanted.choices
        for name in (*(chosen.kinds or {}), *chosen.prefer):
            if name.lower() not in self._names:
                hint = near(name, self._names)
                raise LayoutError(f"{self.listing.name}: found no field {name!r}", hint)


def _file(listing: Listing) -> str:
    return Path(listing.name).name


def _table_name(dsect: str) -> str:
    name = re.sub(r"[^a-z0-9_]", "_", dsect.lower())
    return name if name[:1].isalpha() else f"t{name}"
