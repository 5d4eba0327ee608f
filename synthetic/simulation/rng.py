"""Random streams for the compiled simulation: xoshiro256++ seeded through splitmix64.

One stream per purpose, so that another number of paths leaves the arrivals' draws as they were.
Generators: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021).
Exponential: ziggurat of Marsaglia and Tsang (2000), 256 layers, 53 bits. Gamma: the same (2000).
"""

from __future__ import annotations

import math

import numpy as np

from imsperf.kernels import kernel
from imsperf.synthetic.arrays import F64, U64

Streams = U64

_WORD = 0xFFFFFFFFFFFFFFFF
_ZIGGURAT_R = 7.69711747013104972
_ZIGGURAT_V = 0.0039496598225815571993


def splitmix64(state: int) -> tuple[int, int]:
    """The next state and the value drawn from it."""
    state = (state + 0x9E3779B97F4A7C15) & _WORD
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return state, z ^ (z >> 31)


def seeded_streams(seed: int, count: int) -> Streams:
    """`count` generator states, shape [count, 4]; stream k depends on seed and k only."""
    states = np.zeros((count, 4), np.uint64)
    _, mixed = splitmix64(seed & _WORD)
    for k in range(count):
        _, state = splitmix64(mixed ^ (k * 0xD1342543DE82EF95 & _WORD))
        for word in range(4):
            state, states[k, word] = splitmix64(state)
    return states


def _ziggurat() -> tuple[U64, F64, F64]:
    """Acceptance bounds, layer widths and density at the layers' edges."""
    accept = np.zeros(256, np.uint64)
    width = np.zeros(256)
    density = np.zeros(256)
    edge = previous = _ZIGGURAT_R
    base = _ZIGGURAT_V / math.exp(-edge)
    accept[0] = int(edge / base * 2.0**53)
    width[0], width[255] = base / 2.0**53, edge / 2.0**53
    density[0], density[255] = 1.0, math.exp(-edge)
    for layer in range(254, 0, -1):
        edge = -math.log(_ZIGGURAT_V / edge + math.exp(-edge))
        accept[layer + 1] = int(edge / previous * 2.0**53)
        width[layer], density[layer] = edge / 2.0**53, math.exp(-edge)
        previous = edge
    return accept, width, density


_ACCEPT, _WIDTH, _DENSITY = _ziggurat()
_3, _8, _11, _17, _23 = (np.uint64(n) for n in (3, 8, 11, 17, 23))
_41, _45, _19, _255 = np.uint64(41), np.uint64(45), np.uint64(19), np.uint64(255)


@kernel
def bits(streams: Streams, k: int) -> np.uint64:
    """64 random bits of stream k."""
    s0, s1, s2, s3 = streams[k, 0], streams[k, 1], streams[k, 2], streams[k, 3]
    total = s0 + s3
    result = ((total << _23) | (total >> _41)) + s0
    shifted = s1 << _17
    s2 ^= s0
    s3 ^= s1
    streams[k, 1] = s1 ^ s2
    streams[k, 0] = s0 ^ s3
    streams[k, 2] = s2 ^ shifted
    streams[k, 3] = (s3 << _45) | (s3 >> _19)
    return result  # type: ignore[no-any-return]


@kernel
def uniform(streams: Streams, k: int) -> float:
    """Uniform on [0, 1)."""
    return float((bits(streams, k) >> _11) * 2.0**-53)


@kernel
def exponential(streams: Streams, k: int) -> float:
    """Exponential with mean 1."""
    while True:
        word = bits(streams, k) >> _3
        layer = np.int64(word & _255)
        word >>= _8
        x = word * _WIDTH[layer]
        if word < _ACCEPT[layer]:
            return x  # type: ignore[no-any-return]
        if layer == 0:
            return _ZIGGURAT_R - math.log1p(-uniform(streams, k))
        step = _DENSITY[layer - 1] - _DENSITY[layer]
        if step * uniform(streams, k) + _DENSITY[layer] < math.exp(-x):
            return x  # type: ignore[no-any-return]


@kernel
def gamma(streams: Streams, k: int, shape: float) -> float:
    """Gamma with mean 1 and coefficient of variation shape**-0.5; shape 0 is the constant 1."""
    if shape <= 0.0:
        return 1.0
    boost = 1.0 if shape >= 1.0 else (1.0 - uniform(streams, k)) ** (1.0 / shape)
    d = (shape if shape >= 1.0 else shape + 1.0) - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        radius = math.sqrt(-2.0 * math.log(1.0 - uniform(streams, k)))
        normal = radius * math.cos(2.0 * math.pi * uniform(streams, k))
        v = (1.0 + c * normal) ** 3
        if v > 0.0:
            u = 1.0 - uniform(streams, k)
            if math.log(u) < 0.5 * normal * normal + d - d * v + d * math.log(v):
                return boost * d * v / shape


@kernel
def whole(streams: Streams, k: int, mean: float) -> int:
    """A whole number with this mean: its floor, or one more."""
    low = int(mean)
    if mean > low and uniform(streams, k) < mean - low:
        low += 1
    return low
