"""How the engine sees its memory: tables as arrays. And what makes a Python function a part of the engine.

These functions, like all in this folder, are compiled when the engine is built, by numba (`tools/engine/build.py`).
Numbers are int64 throughout; only what lies in a table is smaller. (numba compiled mixtures of types five times over.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from ..layout import LACKING, WIDTH

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:  # to a type checker all numbers are plain ints

    class Array:
        """An array of numpy's, as the engine uses it."""

        def __getitem__(self, index: Any) -> Any: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...

    def int32(x: Any, /) -> int: ...
    def int64(x: Any, /) -> int: ...
    def uint8(x: Any, /) -> int: ...
    def uint64(x: Any, /) -> int: ...
else:
    Array = np.ndarray
    int32, int64, uint8, uint64 = np.int32, np.int64, np.uint8, np.uint64

Memory = Array  # int64 [MEMORY]: see `layout.py`


def part(function: F) -> F:
    """Compiled as a part of the engine, without anything of Python."""
    compiled: Any = numba.njit  # type: ignore[attr-defined]
    return compiled(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)(function)


def _array(kind: Any, width: int, address: Any, count: Any, context: Any, builder: Any) -> Any:
    """An array of `count` rows of `width` numbers at an address, as LLVM sees it. Nothing owns it."""
    made_of = _array_type(kind, width)
    made = make_array(made_of)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(kind))
    item, row, across = (context.get_constant(types.intp, n) for n in (size, size * width, width))
    populate_array(
        made,
        data=builder.inttoptr(address, made.data.type),
        shape=[count] if width == 1 else [count, across],
        strides=[item] if width == 1 else [row, item],
        itemsize=item,
        meminfo=None,
    )
    return made._getvalue()


def _array_type(kind: Any, width: int) -> Any:
    return types.Array(kind, 1 if width == 1 else 2, "C")


def _view(kind: Any, width: int = 1) -> Callable[[Memory, int], Any]:
    """A function from a memory and a table to the table as an array."""

    @intrinsic
    def view(context: Any, m: Any, table: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            memory = make_array(signature.args[0])(context, builder, args[0]).data

            def cell(offset: int) -> Any:
                place = builder.add(args[1], context.get_constant(types.int64, offset))
                return builder.load(builder.gep(memory, [place]))

            return _array(kind, width, cell(0), cell(2), context, builder)

        return _array_type(kind, width)(m, types.int64), generate

    return cast(Any, view)


def _view_at(kind: Any) -> Callable[[int, int], Any]:
    """A function from an address and a number of items to the array that lies there."""

    @intrinsic
    def view_at(context: Any, address: Any, count: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _array(kind, 1, args[0], args[1], context, builder)

        return _array_type(kind, 1)(types.int64, types.int64), generate

    return cast(Any, view_at)


# What tables are: records, int64 [room, 8]; numbers, int64; shorts, int32; octets, uint8 [room]; rows, int32, and
# classes, uint8 [room, 256].
records, numbers, shorts, octets = _view(types.int64, WIDTH), _view(types.int64), _view(types.int32), _view(types.uint8)
rows_of, classes_of = _view(types.int32, 256), _view(types.uint8, 256)
int64s_at, int32s_at = _view_at(types.int64), _view_at(types.int32)
int16s_at, octets_at = _view_at(types.int16), _view_at(types.uint8)


@intrinsic
def _first_one(context: Any, bits: Any) -> Any:
    return types.int64(types.int64), lambda c, builder, _, args: builder.cttz(args[0], c.get_constant(types.boolean, 1))


#: The place of the lowest bit of a number, not 0, that is set.
first_one = cast(Callable[[int], int], _first_one)


@part
def lacks(m: Memory, table: int, count: int) -> bool:
    """Whether there is no room for so many records more; then the memory says so."""
    if m[table + 1] + count <= m[table + 2]:
        return False
    m[LACKING] = table
    return True
