"""Record hashes: MurmurHash3, x64, 128 bits, seed 0 (Austin Appleby, public domain)."""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.parsers.kernels.loads import I32, I64, U8, little64, read_only

_C1, _C2 = np.uint64(0x87C37B91114253D5), np.uint64(0x4CF5AD432745937F)
_M1, _M2 = np.uint64(0x52DCE729), np.uint64(0x38495AB5)
_F1, _F2 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_FIVE = np.uint64(5)


@inner
def _turn(value: Any, by: int) -> Any:
    """Rotate left."""
    return (value << np.uint64(by)) | (value >> np.uint64(64 - by))


@inner
def _mix(value: Any) -> Any:
    value = (value ^ (value >> np.uint64(33))) * _F1
    value = (value ^ (value >> np.uint64(33))) * _F2
    return value ^ (value >> np.uint64(33))


@inner
def _hash(buffer: U8, at: int, length: int) -> Any:
    """The two halves of the hash of `length` bytes."""
    h1, h2 = np.uint64(0), np.uint64(0)
    end = at + length // 16 * 16
    while at < end:
        h1 ^= _turn(little64(buffer, at) * _C1, 31) * _C2
        h1 = (_turn(h1, 27) + h2) * _FIVE + _M1
        h2 ^= _turn(little64(buffer, at + 8) * _C2, 33) * _C1
        h2 = (_turn(h2, 31) + h1) * _FIVE + _M2
        at += 16
    k1, k2 = np.uint64(0), np.uint64(0)
    for i in range(length % 16):
        byte = np.uint64(buffer[at + i])
        if i < 8:
            k1 |= byte << np.uint64(8 * i)
        else:
            k2 |= byte << np.uint64(8 * i - 64)
    h2 ^= _turn(k2 * _C2, 33) * _C1
    h1 ^= _turn(k1 * _C1, 31) * _C2
    h1, h2 = h1 ^ np.uint64(length), h2 ^ np.uint64(length)
    h1 += h2
    h2 += h1
    h1, h2 = _mix(h1), _mix(h2)
    h1 += h2
    return h1, h2 + h1


@kernel
def _hash_all(buffer: U8, starts: I64, lengths: I32, skip: int, out: Any) -> None:
    for i in range(starts.size):
        left = max(lengths[i] - skip, 0)
        out[i, 0], out[i, 1] = _hash(buffer, starts[i] + skip, left)


def hash_records(buffer: U8, starts: I64, lengths: I32, skip: int = 4) -> U8:
    """128-bit hashes, shape (n, 16), of records without their first `skip` bytes, the RDW."""
    out = np.empty((len(starts), 2), dtype="<u8")
    _hash_all(read_only(buffer), starts, lengths, skip, out)
    return out.view(np.uint8)


_BLOCK, _BLOCKS = 4096, 64  # sampled of a file


def sample(buffer: U8) -> str:
    """Hash of the size and of 64 blocks of 4 KB spread over the bytes, the last one too, in hex."""
    places = np.linspace(0, max(0, buffer.size - _BLOCK), _BLOCKS).astype(np.int64)
    taken = [np.frombuffer(buffer.size.to_bytes(8, "little"), np.uint8)]
    taken += [buffer[at : at + _BLOCK] for at in np.unique(places).tolist()]
    data = read_only(np.concatenate(taken))
    start, length = np.zeros(1, np.int64), np.array([data.size], np.int32)
    return hash_records(data, start, length, 0).tobytes().hex()
