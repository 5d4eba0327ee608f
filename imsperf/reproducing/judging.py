"""What a published number says of the model: by whom it follows, and what a guess would say.

An identity follows from other cells of its column by arithmetic; the rest is independent. The
baseline is the answer without a model: the number printed for the nearest column that the model
was given, or the line through two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import mean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from imsperf.synthetic.scenarios.publications import Figure

KINDS = ("predicted", "fitted", "input", "computed", "shape", "stated")
STORAGE_UNITS = ("KB", "MB")
EXTRAPOLATED = 1.0  # how far beyond two columns a line is drawn, in distances between them


@dataclass(frozen=True)
class Cell:
    """One published number beside ours; `ours` is None where no record holds it."""

    id: str
    system: str
    quantity: str
    unit: str
    published: float | None
    ours: float | None
    error_pct: float | None
    tolerance_pct: float | None
    kind: str
    verdict: str
    source: str
    note: str
    identity: str = ""
    baseline_pct: float | None = None

    def row(self) -> dict[str, str | float | None]:
        """The columns that are printed; identity and guess stand in the note."""
        row = {key: getattr(self, key) for key in COLUMNS}
        told = [self.note] if self.note else []
        told += [f"identity: {self.identity}"] if self.identity else []
        if self.baseline_pct is not None:
            told.append(f"a guess from the nearest column: {self.baseline_pct:+.2f} %")
        return row | {"note": "; ".join(told)}


COLUMNS = (
    "id", "system", "quantity", "unit", "published", "ours", "error_pct", "tolerance_pct", "kind",
    "verdict", "source", "note",
)  # fmt: skip


@dataclass(frozen=True)
class Baseline:
    """A guess from printed numbers alone, and the columns it is from."""

    value: float
    columns: tuple[str, ...]


def baseline(figure: Figure) -> Baseline | None:
    """What somebody without a model would say; None where no column before it has the metric.

    Only columns count whose number the model was given as well: inputs and fitted cells.
    """
    from imsperf.synthetic.scenarios.publications import figures

    given = [
        other
        for other in figures(figure.scenario)
        if other.metric == figure.metric and other.kind in ("input", "fitted") and other != figure
    ]
    if not given:
        return None
    place = _settings(figure)
    others = [(_differing(place, _settings(other)), other) for other in given]
    fewest = min(len(keys) for keys, _ in others)
    near = [(keys, other) for keys, other in others if len(keys) == fewest]
    for key in sorted(near[0][0]) if fewest == 1 else ():
        line = _line(figure, key, [other for keys, other in near if keys == {key}])
        if line is not None:
            return line
    nearest = near[-1][1]
    return Baseline(nearest.value, (nearest.source,))


def _line(figure: Figure, key: str, columns: Sequence[Figure]) -> Baseline | None:
    """Through the two nearest columns that differ in one number; the nearest beyond their reach."""
    at = _settings(figure).get(key)
    if not all(_number(value) for value in (at, *(_settings(o).get(key) for o in columns))):
        return None
    assert at is not None
    by_distance = sorted(columns, key=lambda other: abs(_settings(other)[key] - at))
    first, *rest = by_distance
    if not rest:
        return Baseline(first.value, (first.source,))
    second = rest[0]
    low, high = sorted((_settings(first)[key], _settings(second)[key]))
    reach = EXTRAPOLATED * (high - low)
    if not low - reach <= at <= high + reach:
        return Baseline(first.value, (first.source,))
    slope = (second.value - first.value) / (_settings(second)[key] - _settings(first)[key])
    value = first.value + slope * (at - _settings(first)[key])
    return Baseline(value, (first.source, second.source))


HOME = {  # where the values that all workloads share were fitted
    "log.": "logger-mm", "trace.": "trace-tables", "table trace_costs.": "trace-tables",
    "security.": "credential-propagation", "encryption.": "fp-encryption",
}  # fmt: skip


def free_parameters(name: str) -> tuple[int, int]:
    """Fitted numbers of a scenario: its own, and those fitted once for all on another one."""
    from imsperf.synthetic.scenarios.scenario import fitted_values, load

    own = shared = 0
    for key, numbers in fitted_values(load(name)).items():
        home = next((at for prefix, at in HOME.items() if key.startswith(prefix)), name)
        own += numbers * (home == name)
        shared += numbers * (home != name)
    return own, shared


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@cache
def _of_variant(name: str, variant: str) -> Mapping[str, Any]:
    from imsperf.synthetic.scenarios.scenario import load

    own = load(name).variants[variant].settings if variant else {}
    return {key: value for key, value in own.items() if key != "clients"}


def _settings(figure: Figure) -> dict[str, Any]:
    """Settings of the column; a release that is not named is 15."""
    named = {**_of_variant(figure.scenario, figure.variant), **figure.at}
    return {"ims.release": 15, **named}


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


def independent(cells: Iterable[Cell]) -> list[Cell]:
    """Predicted cells with a verdict that follow from no other cell."""
    return [
        cell
        for cell in cells
        if cell.kind == "predicted" and not cell.identity and cell.error_pct is not None
    ]


def distinct(cells: Iterable[Cell]) -> list[Cell]:
    """Numbers once, whichever rows of the list they belong to; open rows have none."""
    numbers = (cell for cell in cells if cell.quantity)
    by_place = {(cell.system, cell.quantity): cell for cell in numbers}
    return list(by_place.values())


def row_verdicts(cells: Iterable[Cell]) -> dict[str, str]:
    """Rows of the list: open, missed if a number of theirs is, met, stated, not_reproducible."""
    verdicts: dict[str, set[str]] = {}
    for cell in cells:
        verdicts.setdefault(cell.id, set()).add(cell.verdict)
    rank = ("open", "missed", "met", "stated", "not_reproducible")
    return {id: next(word for word in rank if word in some) for id, some in verdicts.items()}


def rows_summary(cells: Iterable[Cell]) -> str:
    """How many rows of the list are shown, by group."""
    groups: dict[str, list[str]] = {}
    for id, verdict in sorted(row_verdicts(cells).items()):
        groups.setdefault(id[:1], []).append(verdict)
    told = []
    for group, verdicts in groups.items():
        counts = (f"{verdicts.count(word)} {word}" for word in sorted(set(verdicts)))
        told.append(f"{group} {', '.join(counts)}")
    total = [verdict for verdicts in groups.values() for verdict in verdicts]
    return f"rows: {total.count('met')} of {len(total)} met; {'; '.join(told)}"


def summary(cells: Iterable[Cell]) -> str:
    """Met and missed by kind; independent predictions and their error beside the baseline's."""
    every = distinct(cells)
    rest = sum(cell.verdict == "not_reproducible" for cell in every)
    stated = sum(cell.verdict == "stated" for cell in every)
    parts = [_told(every, verdict) for verdict in ("met", "missed")]
    parts += [f"{stated:,} stated by run notes alone"] if stated else []
    text = f"numbers: {', '.join(parts)}, {rest:,} without a verdict"
    judged = independent(every)
    return f"{text}; {predictions(judged)}" if judged else text


def predictions(judged: Sequence[Cell]) -> str:
    """How good independent predictions are, and how good a guess would have been."""
    errors = [abs(cell.error_pct or 0) for cell in judged]
    text = f"independent predictions: {len(judged):,}, mean error {mean(errors):.1f} %"
    guessed = [cell for cell in judged if cell.baseline_pct is not None]
    if not guessed:
        return text
    ours = mean(abs(cell.error_pct or 0) for cell in guessed)
    theirs = mean(abs(cell.baseline_pct or 0) for cell in guessed)
    better = sum(not better_than_baseline(cell) for cell in guessed)
    return (
        f"{text}; a guess from the nearest column: {len(guessed):,}, mean error "
        f"{theirs:.1f} % against our {ours:.1f} %, as good or better in {better:,}"
    )


def better_than_baseline(cell: Cell) -> bool:
    """Whether the model is nearer to the printed number than the guess."""
    return abs(cell.error_pct or 0) < abs(cell.baseline_pct or 0)


def beyond_a_guess(cell: Cell) -> bool:
    """Whether the guess is outside the bar of the cell: there a model is worth something."""
    return cell.baseline_pct is None or abs(cell.baseline_pct) > (cell.tolerance_pct or 0)


def _told(every: Sequence[Cell], verdict: str) -> str:
    mine = [cell for cell in every if cell.verdict == verdict]
    counts = []
    for kind in KINDS:
        of_kind = [cell for cell in mine if cell.kind == kind]
        storage = sum(cell.unit in STORAGE_UNITS for cell in of_kind)
        follows = sum(bool(cell.identity) for cell in of_kind)
        notes = [f"{follows:,} by identity"] if follows else []
        notes += [f"{storage:,} storage constants"] if storage else []
        if of_kind:
            counts.append(f"{len(of_kind):,} {kind}" + (f" of which {notes[0]}" if notes else ""))
    return f"{len(mine):,} {verdict}" + (f" ({', '.join(counts)})" if counts else "")
