"""Statistics of comparisons: formulas against plain arithmetic, and what they promise in the long
run against made-up pairs of runs whose truth is known."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import stats
from significance_table import DOCUMENT, document, tried

from imsperf.reports.comparison import significance as s


def side(num: list[float], den: list[float]) -> s.Spread:
    return s.spread(np.array([[num]]), np.array([[den]]))


def test_a_ratio_is_of_sums_and_an_interval_pulls_it() -> None:
    """r = 60/20 = 3. Influences (num - 3 den)/(mean den = 5): (12-12)/5, (16-18)/5, (20-18)/5,
    (12-12)/5 = 0, -.4, .4, 0: squares .32, variance .32/3, neighbours (-.4*.4)/.32 = -.5."""
    found = side([12, 16, 20, 12], [4, 6, 6, 4])
    assert found.value[0] == 3 and found.n[0] == 4
    assert found.influence[0].tolist() == pytest.approx([0, -0.4, 0.4, 0])
    assert found.variance[0] == pytest.approx(0.32 / 3)
    assert found.alike[0] == pytest.approx(-0.5)


def test_two_ratios_add_and_a_missing_interval_says_nothing() -> None:
    """1000 * (10/4 + 3/6): the third unit lacks the first ratio, and has the second alone."""
    num = np.array([[[6, 4, np.nan]], [[1, 1, 1]]], np.float64)
    den = np.array([[[2, 2, np.nan]], [[2, 2, 2]]], np.float64)
    found = s.spread(num, den, 1000)
    assert found.value[0] == pytest.approx(1000 * (10 / 4 + 3 / 6)) and found.n[0] == 3


def test_equal_numbers_do_not_vary() -> None:
    found = side([0.1 * 3] * 9, [0.3] * 9)
    assert found.variance[0] == 0 and math.isnan(found.alike[0])


def test_neighbours_that_are_alike_count_less() -> None:
    """n = 24, estimated .4: rho = .4 + (1 + 1.2)/24 = .491667; n_eff = 24 * .508333/1.491667;
    the variance of a mean is wider by 23/(24 - 1.491667/.508333)."""
    spread = s.Spread(
        np.array([2.0]), np.array([0.5]), np.array([0.4]), np.array([24.0]), np.zeros((1, 24))
    )
    got = s.estimate(spread, 0.4)
    n_eff = 24 * 0.50833333 / 1.49166667
    assert got.n_eff[0] == pytest.approx(n_eff) and got.freedom[0] == pytest.approx(n_eff - 1)
    wider = 23 / (24 - 1.49166667 / 0.50833333)
    assert got.variance[0] == pytest.approx(0.5 * wider / n_eff)
    assert s.estimate(spread, 0).variance[0] == pytest.approx(0.5 / 24)


def test_without_ratio_and_neighbours_it_is_welch() -> None:
    """den = 1 and runs as units: of logarithms, so for small spreads the t test of scipy."""
    rng = np.random.default_rng(3)
    a, b = 100 + rng.normal(size=12), 100.4 + 2 * rng.normal(size=30)
    sides = [side(list(x), [1.0] * len(x)) for x in (a, b)]
    got = s.change(*(s.estimate(x, 0) for x in sides))
    assert got.p[0] == pytest.approx(stats.ttest_ind(a, b, equal_var=False).pvalue, rel=0.01)
    assert got.low[0] < 100 * (b.mean() / a.mean() - 1) < got.high[0]


def test_where_a_side_is_nothing_the_difference_is_tested() -> None:
    a, b = side([0.0] * 10, [1.0] * 10), side([3.0, 4, 5, 4, 3, 4, 5, 4, 3, 5], [1.0] * 10)
    got = s.change(*(s.estimate(x, 0) for x in (a, b)))
    assert got.p[0] < 1e-6 and math.isnan(got.low[0])


def test_pairs_take_out_what_both_days_have() -> None:
    """Load by the hour is on both sides: unpaired it drowns 2 %, paired it does not."""
    rng = np.random.default_rng(5)
    shape = np.exp(np.sin(np.arange(48) / 8))
    a = shape * np.exp(0.005 * rng.normal(size=48))
    b = 1.02 * shape * np.exp(0.005 * rng.normal(size=48))
    sides = [side(list(x), [1.0] * 48) for x in (a, b)]
    rho = s.typical_autocorrelation(*sides)
    assert s.change(*(s.estimate(x, rho) for x in sides)).p[0] > 0.5
    got = s.paired(*sides)
    assert got.p[0] < 1e-6 and 1.5 < got.low[0] < 2 < got.high[0] < 2.5


def test_pairs_of_a_value_near_nothing_have_no_upper_end() -> None:
    """Gains and losses that nearly cancel: a ratio of e to the power of more than 709."""
    swings = [1e3, -1e3] * 11 + [1e3, 1.0 - 1e3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = s.paired(side([1.0] * 24, [1.0] * 24), side(swings, [1.0] * 24))
    assert got.high[0] == math.inf and got.low[0] == -100


def test_rare_events_and_many_rows() -> None:
    """3 against 12 in equal times: twice the 576 of 32,768 ways to have at most 3 of 15."""
    counts = (np.array([each]) for each in (3.0, 12.0, 600.0, 600.0))
    assert s.poisson_p(*counts) == pytest.approx([2 * 576 / 32768])
    q = s.many(np.array([0.01, np.nan, 0.04, 0.03]))
    assert q[[0, 2, 3]].tolist() == pytest.approx([0.03, 0.04, 0.04]) and math.isnan(q[1])


def test_rare_events_are_tested_as_scipy_does_one_by_one() -> None:
    """Counts from 0 to 49 in times of unlike length: two-sided binomial tests."""
    rng = np.random.default_rng(7)
    counts = rng.integers(0, 50, (2, 400)).astype(np.float64)
    counts[0, :50], counts[1, 50:100] = 0, 1
    counts[:, counts.sum(axis=0) == 0] = 1
    times = rng.choice([600.0, 900.0, 86_400.0], (2, 400))
    known = [
        stats.binomtest(int(b), int(a + b), t / (s_a + t)).pvalue
        for a, b, s_a, t in zip(*counts, *times, strict=True)
    ]
    assert s.poisson_p(*counts, *times) == pytest.approx(known, rel=1e-9, abs=1e-300)


def test_how_many_intervals_would_decide() -> None:
    """Half the interval is .04 with 10 units; the change is .02: four times as many."""
    got = s.deciding([100 * math.expm1(0.02)], [1.0], [0.04], [10])
    assert got.tolist() == [40]


def parts(values: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Parts of a ratio of one key with 1000 events an interval."""
    return 1000 * np.array([[values]]), np.full((1, 1, len(values)), 1000.0)


def carried(base: list[float], candidate: list[float]) -> bool:
    return bool(s.is_of_one_unit(parts(base), parts(candidate))[0])


def test_a_change_may_be_that_of_a_single_interval() -> None:
    """23 intervals at 1 and one at 6401 are 267.7 times as much, and without that one as much as
    before; so is an interval of the base. Of two such intervals one leaves half the logarithm and
    more: ln 279 of ln 534. 3 % more throughout is no change of one interval, though one has 9 %;
    without it .03 - .06/23 is left. Of nothing and then one interval, nothing is left."""
    still = [1.0] * 24
    assert carried(still, [1.0] * 23 + [6401.0])
    assert carried([1.0] * 23 + [6401.0], still)
    assert not carried(still, [1.0] * 22 + [6401.0, 6401.0])
    assert not carried(still, [1.03] * 23 + [1.09])
    assert carried([0.0] * 24, [0.0] * 23 + [3.0])
    assert not carried([0.0] * 24, [0.0] * 20 + [3.0] * 4)
    assert not carried(still, still)
    assert not carried([float("nan")] * 24, still)


# --- in the long run -----------------------------------------------------------------------------


def test_equal_runs_raise_few_alarms() -> None:
    alarms, low, covered, _ = tried(40, 24, 0.3, 1.0)
    assert alarms <= 5 and 0.02 <= low <= 0.07 and 0.93 <= covered <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize("alike", [0.0, 0.3, 0.6])
@pytest.mark.parametrize("n", [8, 12, 24, 96])
def test_the_level_holds(n: int, alike: float) -> None:
    """200 pairs of equal truth: at most 20 with any alarm, 2 to 7 % of p below .05; intervals of
    known ratios cover 93 to 98 %."""
    alarms, low, _, _ = tried(200, n, alike, 1.0)
    assert alarms <= 20 and 0.02 <= low <= 0.07
    for ratio in (1.01, 1.03, 1.10):
        assert 0.93 <= tried(200, n, alike, ratio)[2] <= 0.98


@pytest.mark.slow
def test_the_table_is_that_of_the_program() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()
