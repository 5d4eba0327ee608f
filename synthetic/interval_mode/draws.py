"""Random numbers with an address: (seed, interval, entity, which one), each by itself.

A number is a hash of its address (splitmix64, twice mixed), not the next of a stream: an interval
drawn alone, or with others before it, has the same numbers. Whole numbers are drawn with the mean,
variance and skewness of what they count; their sums are exact where `split` says so.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from imsperf.synthetic.arrays import F64, I64, U64

FEW, MOST_OF_FEW = 10.0, 60  # a Poisson number of mean 10 is above 60 once in 10^25

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_STEP = np.uint64(0xD1342543DE82EF95)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = (np.uint64(n) for n in (30, 27, 31, 11))
_WORD = 0xFFFFFFFFFFFFFFFF


def _mixed(state: U64) -> U64:
    """The output function of splitmix64 (Steele, Lea, Flood 2014)."""
    z = (state ^ (state >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return np.asarray(z ^ (z >> _31))


@dataclass(frozen=True)
class Draws:
    """Numbers for n intervals; `interval`: their places in the run, from 0."""

    seed: int
    interval: I64

    def uniform(self, entity: str, *shape: int) -> F64:
        """Uniform between 0 and 1, neither reached; shape (n, *shape)."""
        name = int.from_bytes(hashlib.blake2b(entity.encode(), digest_size=8).digest(), "big")
        key = _mixed(np.array([self.seed & _WORD], np.uint64) + _GOLDEN) ^ np.uint64(name)
        rows = _mixed(key + (self.interval.astype(np.uint64) + np.uint64(1)) * _GOLDEN)
        each = (np.arange(int(np.prod(shape)), dtype=np.uint64) + np.uint64(1)) * _STEP
        bits = _mixed(rows[:, None] + each)
        uniforms: F64 = ((bits >> _11).astype(np.float64) + 0.5) * 2.0**-53
        return uniforms.reshape(len(self.interval), *shape)

    def normal(self, entity: str, *shape: int) -> F64:
        """Standard normal, (n, *shape)."""
        normals: F64 = ndtri(self.uniform(entity, *shape))
        return normals

    def count(self, entity: str, mean: Any, dispersion: Any = 1.0) -> I64:
        """Whole numbers of this mean, (n,) or (n, k); variance `dispersion` times the mean.

        From a mean of 10 on by the Cornish-Fisher expansion of the Poisson distribution; below, by
        its distribution itself, whatever the dispersion.
        """
        mean = np.maximum(np.asarray(mean, np.float64), 0.0)
        u = self.uniform(entity, *mean.shape[1:])
        z = ndtri(u)
        drawn = mean + np.sqrt(mean * dispersion) * z + dispersion * (z * z - 1) / 6
        counts: I64 = np.rint(drawn).astype(np.int64)
        few = mean < FEW
        counts[few] = _poisson(u[few], mean[few])
        return counts

    def total(self, entity: str, count: I64, mean: Any, deviation: Any) -> I64:
        """Sums of `count` independent amounts of this mean and standard deviation, whole, >= 0."""
        count = np.asarray(count, np.float64)
        z = self.normal(entity, *count.shape[1:])
        amount = count * mean + np.sqrt(count) * deviation * z
        whole: I64 = np.maximum(np.rint(amount), 0).astype(np.int64)
        return whole

    def split(self, entity: str, total: I64, chances: Any) -> I64:
        """Whole numbers (n, k) that add up to `total` (n,), multinomial with chances (n, k)."""
        chances = np.asarray(chances, np.float64)
        chances = np.broadcast_to(chances, (len(total), chances.shape[-1]))
        chances = chances / np.maximum(chances.sum(axis=1, keepdims=True), 1e-300)
        noise = np.sqrt(chances) * self.normal(entity, chances.shape[1])
        noise -= chances * noise.sum(axis=1, keepdims=True)
        number = total[:, None].astype(np.float64)
        parts = np.maximum(number * chances + np.sqrt(number) * noise, 0.0)
        return integer_split(total, parts)


def _poisson(u: F64, mean: F64) -> I64:
    """The Poisson number whose distribution passes `u`, for small means."""
    counts = np.zeros(u.shape, np.int64)
    chance = np.exp(-mean)
    below = chance.copy()
    for number in range(1, MOST_OF_FEW if u.size else 1):
        counts += u > below
        chance = chance * mean / number
        below += chance
    return counts


def integer_split(total: I64, parts: F64) -> I64:
    """Whole numbers (n, k) in proportion to `parts` that add up to `total` (n,); 0 stays 0."""
    edges = np.cumsum(parts, axis=1)
    scale = total / np.maximum(edges[:, -1], 1e-300)
    edges = np.rint(edges * scale[:, None]).astype(np.int64)
    edges[:, -1] = total
    return np.diff(np.minimum(edges, total[:, None]), axis=1, prepend=0)


def topped_up(parts: I64, total: I64, most: I64) -> I64:
    """What rounding or a full part left out of `total` (n,) goes to the first parts, (n, k), that
    have less than `most` (n,)."""
    left = total - parts.sum(axis=1)
    filled = np.minimum(np.cumsum(most[:, None] - parts, axis=1), left[:, None])
    filled_parts: I64 = parts + np.diff(filled, axis=1, prepend=0)
    return filled_parts
