"""Whether two runs differ by more than their intervals do by themselves.

A value is a ratio of sums, or a sum of such ratios. Its uncertainty comes from how the intervals of
a run spread around it (the influence of each), widened for neighbours that are alike.

Source: the delta method for ratio estimators (W. G. Cochran, Sampling Techniques, 3rd ed., ch. 6);
effective sample size under autocorrelation (Bayley and Hammersley, JRSS Suppl. 8, 1946), its
correction for the bias of lag-1 estimates (Marriott and Pope, Biometrika 41, 1954); degrees of
freedom (Welch, Biometrika 34, 1947); many rows (Benjamini and Hochberg, JRSS B 57, 1995).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

F8 = npt.NDArray[np.float64]

LEVEL = 0.05
MOST_ALIKE = 0.95  # autocorrelation that is taken at most
FEWEST_INTERVALS, FEWEST_FOR_A_KEY = 8, 12  # the second where the report has a single key
FEWEST_RUNS = 3
_ROUNDING = 1e-7  # of probabilities that are the same
RARE = 50  # events a side, in too few intervals: counts are tested as Poisson


@dataclass(frozen=True)
class Spread:
    """How the units of one side scatter around the value of each key.

    `value`, `variance` (of a single unit's influence), `alike` (lag-1 autocorrelation of
    influences; NaN where nothing varies) and `n` have shape (keys,), `influence` (keys, units).
    """

    value: F8
    variance: F8
    alike: F8
    n: F8
    influence: F8


def _spread_of(value: F8, influence: F8, is_unit: npt.NDArray[np.bool_]) -> Spread:
    """`influence` is overwritten where there is no unit."""
    n, lacks = is_unit.sum(axis=1).astype(np.float64), ~is_unit
    if has_gaps := bool(lacks.any()):
        influence[lacks] = 0.0
    squares = np.einsum("ku,ku->k", influence, influence)
    with np.errstate(invalid="ignore", divide="ignore"):
        # what is left of equal numbers by rounding is no variance
        squares[squares <= (1e-9 * value) ** 2 * n] = 0.0
        together = np.einsum("ku,ku->k", influence[:, 1:], influence[:, :-1])
        alike = np.where(squares > 0, together / squares, np.nan)
        if has_gaps:
            influence[lacks] = np.nan
        return Spread(value, squares / (n - 1), alike, n, influence)


def spread(num: F8, den: F8, scale: float = 1.0) -> Spread:
    """Of ratios with parts of shape (terms, keys, units), in order of time; NaN where a unit has no
    such part. The value is scale * (sum num[0] / sum den[0] + sum num[1] / sum den[1] ..).
    """
    lacks = np.isnan(num + den)
    if lacks.any():
        num, den = np.where(lacks, 0.0, num), np.where(lacks, 0.0, den)
    is_unit = ~lacks.all(axis=0)
    total = den.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = num.sum(axis=2) / total
        mean = total / is_unit.sum(axis=1)
        influence = den * ratio[:, :, None]
        np.subtract(num, influence, out=influence)
        influence /= mean[:, :, None]
        by_unit = influence[0] if len(influence) == 1 else influence.sum(axis=0)
        by_unit *= scale
        return _spread_of(scale * ratio.sum(axis=0), by_unit, is_unit & ~np.isnan(by_unit))


def joined(parts: Iterable[Spread], *, with_influence: bool) -> Spread:
    """The spread of all keys, of parts of them; only `paired` needs their influence."""
    every = tuple(parts)
    value, variance, alike, n = (
        np.concatenate([getattr(part, name) for part in every])
        for name in ("value", "variance", "alike", "n")
    )
    influence = np.zeros((len(n), 0))
    if with_influence:
        influence = np.concatenate([part.influence for part in every])
    return Spread(value, variance, alike, n, influence)


def is_of_one_unit(base: tuple[F8, F8], candidate: tuple[F8, F8]) -> npt.NDArray[np.bool_]:
    """Where less than half of a change (of its logarithm) is left without one unit of a side: the
    unit that makes most of it. Parts as in `spread`; shape (keys,).
    """
    sides = [spread(*parts) for parts in (base, candidate)]
    values = [side.value for side in sides]
    way = np.sign(values[1] - values[0])
    is_single = np.zeros(len(way), np.bool_)
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = way * np.log(values[1] / values[0])
        for place, (parts, sign) in enumerate(((base, -way), (candidate, way))):
            unit = np.nan_to_num(sides[place].influence * sign[:, None]).argmax(axis=1)
            num, den = (part.copy() for part in parts)
            for part in (num, den):
                part[:, np.arange(len(unit)), unit] = np.nan
            without = list(values)
            without[place] = spread(num, den).value
            left = way * np.log(without[1] / without[0])
            left[without[0] == without[1]] = 0.0  # 0 and 0, too
            is_single |= left < whole / 2
    return np.asarray(is_single & (way != 0))


def typical_autocorrelation(*sides: Spread) -> float:
    """The median over all keys of a column and both sides: one key has too few units to tell."""
    alike = np.concatenate([side.alike for side in sides])
    return float(np.median(alike[~np.isnan(alike)])) if (~np.isnan(alike)).any() else 0.0


@dataclass(frozen=True)
class Estimate:
    """A value with the variance of its estimate and the degrees of freedom; shape (keys,)."""

    value: F8
    variance: F8
    freedom: F8
    n_eff: F8


def estimate(side: Spread, autocorrelation: float) -> Estimate:
    """`autocorrelation` is that of neighbouring units as estimated; 0 for units that are runs."""
    n = np.maximum(side.n, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = np.zeros_like(n)
        if autocorrelation:
            rho = np.clip(autocorrelation + (1 + 3 * autocorrelation) / n, 0.0, MOST_ALIKE)
        n_eff = np.maximum(2.0, n * (1 - rho) / (1 + rho))
        wider = (n - 1) / np.maximum(1.0, n - (1 + rho) / (1 - rho))
        return Estimate(side.value, side.variance * wider / n_eff, n_eff - 1, n_eff)


@dataclass(frozen=True)
class Change:
    """From base to candidate, in per cent of the base; NaN where it cannot be told. Shape (keys,).

    `low`, `high`: 95 % interval. `half_log` is half its width, as a logarithm.
    """

    low: F8
    high: F8
    p: F8
    half_log: F8
    n_eff: F8


def change(base: Estimate, candidate: Estimate, delta_pct: F8 | None = None) -> Change:
    """Test the logarithm of the ratio of two values; their difference where one is not above 0.

    `delta_pct`: what is printed as the change, which the interval is around.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        is_log = (base.value > 0) & (candidate.value > 0)
        shift = np.where(is_log, np.log(candidate.value / base.value), candidate.value - base.value)
        if delta_pct is not None:
            told = np.log1p(delta_pct / 100)
            shift = np.where(is_log & np.isfinite(told), told, shift)
        parts = [
            np.where(is_log, side.variance / side.value**2, side.variance)
            for side in (base, candidate)
        ]
        variance = parts[0] + parts[1]
        freedom = variance**2 / (parts[0] ** 2 / base.freedom + parts[1] ** 2 / candidate.freedom)
        error = np.sqrt(variance)
        p, half = _t_test(shift, error, freedom)
        low, high = (
            np.where(is_log, 100 * np.expm1(shift + sign * half), np.nan) for sign in (-1, 1)
        )
    p = np.where(variance > 0, p, np.nan)
    return Change(
        low, high, p, np.where(is_log, half, np.nan), np.minimum(base.n_eff, candidate.n_eff)
    )


def paired(base: Spread, candidate: Spread) -> Change:
    """The same where units belong together, slot by slot: influences of slots that only one side
    has say nothing."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        slots = candidate.influence / candidate.value[:, None] - (
            base.influence / base.value[:, None]
        )
        shift = np.log(candidate.value / base.value)
        both = _spread_of(np.ones_like(shift), slots, ~np.isnan(slots))
        single = estimate(both, typical_autocorrelation(both))
        error = np.sqrt(single.variance)
        p, half = _t_test(shift, error, single.freedom)
        p = np.where(error > 0, p, np.nan)
        low, high = (100 * np.expm1(shift + sign * half) for sign in (-1, 1))
    return Change(low, high, p, half, single.n_eff)


def _t_test(shift: F8, error: F8, freedom: F8) -> tuple[F8, F8]:
    """Two-sided p by Student's t, and half the width of the interval around the shift."""
    from scipy import special  # reports import this module: only comparisons pay for scipy

    p = 2 * special.stdtr(freedom, -np.abs(shift) / error)
    return p, special.stdtrit(freedom, 1 - LEVEL / 2) * error


def poisson_p(base: F8, candidate: F8, base_s: F8, candidate_s: F8) -> F8:
    """Of counts of rare events, at least one on a side, in times of two lengths: exact two-sided
    binomial tests, as `scipy.stats.binomtest` makes them one by one. Shape (keys,)."""
    if not len(base):
        return np.zeros(0)
    from scipy import special

    cases = np.stack([candidate, base + candidate, candidate_s / (base_s + candidate_s)], axis=1)
    different, which = np.unique(cases, axis=0, return_inverse=True)
    seen, events, share = (column[:, None] for column in different.T)
    of = np.arange(events.max() + 1)[None, :]
    ways = special.gammaln(events + 1) - special.gammaln(of + 1)
    with np.errstate(invalid="ignore"):
        ways -= special.gammaln(np.maximum(events - of, 0) + 1)
        chance = np.exp(ways + special.xlogy(of, share) + special.xlog1py(events - of, -share))
    chance = np.where(of <= events, chance, 0.0)
    own = np.take_along_axis(chance, seen.astype(np.int64), axis=1)
    # what is no more probable than what was seen, but for rounding
    p = np.where(chance <= own * (1 + _ROUNDING), chance, 0.0).sum(axis=1)
    return np.asarray(np.minimum(p, 1.0)[which.ravel()])


def more_often_p(base: F8, candidate: F8, base_of: F8, candidate_of: F8) -> F8:
    """One-sided p of at least so many units of the candidate being something, of all of both sides
    that are, where its share is that of its units (binomial). At least one is; shape (keys,)."""
    from scipy import special

    share = candidate_of / np.maximum(1.0, base_of + candidate_of)
    return np.asarray(special.betainc(np.maximum(1.0, candidate), base + 1.0, share))


def many(p: F8) -> F8:
    """p values, NaN where a row was not tested, for their number (Benjamini and Hochberg)."""
    q = np.full(p.shape, np.nan)
    wanted = np.flatnonzero(np.isfinite(p))
    largest_first = wanted[np.argsort(-p[wanted], kind="stable")]
    rank = np.arange(len(wanted), 0, -1)
    q[largest_first] = np.minimum.accumulate(p[largest_first] * len(wanted) / rank)
    return q


def deciding(change_pct: Any, margin_pct: Any, half_log: Any, n: Any) -> F8:
    """How many units of each side would decide, if things stay as they are."""
    with np.errstate(invalid="ignore", divide="ignore"):
        shift = np.abs(np.log1p(np.asarray(change_pct) / 100))
        margin = np.log1p(np.asarray(margin_pct) / 100)
        room = np.where(shift > margin, shift, margin - shift)
        return np.asarray(np.ceil(np.asarray(n) * (half_log / room) ** 2), np.float64)
