"""The state and the setup of a system as the kernels have them: addresses in a table of words.

A kernel that hands 33 arrays to each kernel it calls takes long to compile; here it hands on an
address. An array read from there has no owner: kernels count no references, which would cost half
their time. Whoever calls a kernel keeps the arrays alive, and the table as it is, while it runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models, register_default
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic
from numba.np import arrayobj, numpy_support

from imsperf.synthetic.arrays import I64
from imsperf.synthetic.simulation.state import ARRAYS, Setup, State

Words = I64
ANY = -1  # a length that is known when the kernel runs; others are constants in the kernels
SHAPES = {
    name: tuple(ANY if isinstance(length, str) else length for length in shape.lengths)
    for name, _, shape in ARRAYS
}
TYPES = {name: element for name, element, _ in ARRAYS}
PLACES = {name: 4 * number for number, name in enumerate(State._fields)}  # address, then the shape
STATE_WORDS = 4 * len(PLACES)
CALLS = 3  # of a tuple, the only one in a setup


def _setup_places() -> dict[str, int]:
    places, at = dict[str, int](), STATE_WORDS
    for name in Setup._fields:
        places[name] = at
        at += CALLS if name == "calls" else 1
    return places | {"": at}


SETUP_PLACES = _setup_places()
_KINDS = {"bool": types.boolean, "int": types.int64, "float": types.float64}


def table_of(states: Sequence[State], setups: Sequence[Setup]) -> Words:
    """A row of words for each system. The arrays must be those of SHAPES, row after row."""
    table = np.zeros((len(states), SETUP_PLACES[""]), np.int64)
    for row, state, setup in zip(table, states, setups, strict=True):
        for name, array in state._asdict().items():
            shape = SHAPES[name]
            fits = len(shape) == array.ndim and array.dtype == TYPES[name]
            fits &= all(n in (ANY, m) for n, m in zip(shape, array.shape, strict=False))
            assert fits and array.flags.c_contiguous and array.flags.writeable, name
            row[PLACES[name]] = array.ctypes.data
            row[PLACES[name] + 1 : PLACES[name] + 1 + array.ndim] = array.shape
        for name, value in setup._asdict().items():
            at = SETUP_PLACES[name]
            if isinstance(value, float):
                assert _kind(name) == types.float64, name
                row[at : at + 1].view(np.float64)[0] = value
            else:
                assert name == "calls" or _kind(name) != types.float64, name
                row[at : at + np.size(value)] = value
    return table


class Address(types.Opaque):  # type: ignore[misc]
    """The type of a state, or of a setup, in the kernels."""


def _layout() -> str:
    """A hash of all places and types: part of the type, so of the stamp of kernels."""
    said = (PLACES, SHAPES, TYPES, SETUP_PLACES, Setup.__annotations__)
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


STATE, SETUP = Address(f"imsperf.State.{_layout()}"), Address(f"imsperf.Setup.{_layout()}")
register_default(Address)(models.OpaqueModel)


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc]
    """What the attributes of the two are."""

    key = Address

    def generic_resolve(self, address: Any, name: str) -> Any:
        if address is STATE or address == STATE:
            return types.Array(_element(name), len(SHAPES[name]), "C")
        return types.UniTuple(types.int64, CALLS) if name == "calls" else _kind(name)


def _element(name: str) -> Any:
    return numpy_support.from_dtype(TYPES[name])


def _kind(name: str) -> Any:
    return _KINDS[Setup.__annotations__[name].__forward_arg__]


@lower_getattr_generic(Address)  # type: ignore[untyped-decorator]
def _attribute(context: Any, builder: Any, address: Any, value: Any, name: str) -> Any:
    """Load it. The words do not change while a kernel runs, which the compiler is told."""
    words = builder.bitcast(value, ir.IntType(64).as_pointer())

    def word(at: int) -> Any:
        return _load(builder, builder.gep(words, [ir.Constant(ir.IntType(64), at)]))

    if address == STATE:
        return _array(context, builder, name, word)
    at = SETUP_PLACES[name]
    if name == "calls":
        return cgutils.pack_array(builder, [word(at + n) for n in range(CALLS)])
    kind = _kind(name)
    if kind == types.float64:
        return builder.bitcast(word(at), ir.DoubleType())
    if kind == types.boolean:
        return builder.icmp_signed("!=", word(at), ir.Constant(ir.IntType(64), 0))
    return word(at)


def _load(builder: Any, pointer: Any) -> Any:
    value = builder.load(pointer)
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


def _array(context: Any, builder: Any, name: str, word: Any) -> Any:
    """An array without an owner; lengths that are always the same are constants."""
    kind = types.Array(_element(name), len(SHAPES[name]), "C")
    array = context.make_array(kind)(context, builder)
    long = ir.IntType(64)
    at, item = PLACES[name], TYPES[name].itemsize
    shape = [
        word(at + 1 + axis) if length == ANY else ir.Constant(long, length)
        for axis, length in enumerate(SHAPES[name])
    ]
    strides = [ir.Constant(long, item)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    arrayobj.populate_array(
        array,
        data=builder.inttoptr(word(at), array.data.type),
        shape=shape,
        strides=strides,
        itemsize=ir.Constant(long, item),
        meminfo=None,
    )
    return array._getvalue()


def _at(kind: Any) -> Any:
    """An intrinsic: the address of row `which` of a table of words."""

    def address(typing_context: Any, table: Any, which: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(table)(context, builder, args[0])
            words = ir.Constant(ir.IntType(64), SETUP_PLACES[""])
            row = builder.gep(array.data, [builder.mul(args[1], words)])
            return builder.bitcast(row, ir.IntType(8).as_pointer())

        return kind(table, types.int64), generate

    return intrinsic(address)


state_of: Any = _at(STATE)
setup_of: Any = _at(SETUP)
