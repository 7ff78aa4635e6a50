"""Writing blocks of bits into rows of float32 or of bytes.

The compiler makes two functions of each of these, one for each kind of row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hearts_env.kernel.bits import ONE
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask

Row = Any
"""A pointer to the first element of a row, float32 or a byte."""


@intrinsic
def row_of(typingctx: Any, array: Any, index: Any) -> Any:
    """A pointer to the first element of `array[index]`, for a contiguous array; of a single row, with index 0.

    Unlike a slice it holds no reference: counting references is atomic, and for a row of numbers that takes as long as
    writing it.
    """
    if array.layout != "C":
        return None
    pointer = types.CPointer(array.dtype)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = context.make_array(signature.args[0])(context, builder, args[0])
        place = args[1]
        for axis in range(1, array.ndim):
            place = builder.mul(place, builder.extract_value(found.shape, axis))
        return builder.gep(found.data, [place])

    return pointer(array, types.int64), codegen


def _put(width: int) -> Any:
    @intrinsic
    def put(typingctx: Any, row: Any, column: Any, mask: Any) -> Any:
        """Write the lowest bits of a mask from a column on, as a vector of 0 and 1."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place, ones = _vectors(builder, width, *args)
            builder.store(ones, place, align=1)
            return context.get_dummy_value()

        return types.void(row, types.int64, types.uint64), codegen

    return put


put_64, put_32, put_16, put_8, put_4, put_2, put_1 = (_put(width) for width in (64, 32, 16, 8, 4, 2, 1))


@intrinsic
def add_64(typingctx: Any, row: Any, column: Any, mask: Any) -> Any:
    """Add the 64 bits of a mask to the columns from one on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, ones = _vectors(builder, 64, *args)
        held = builder.load(place, align=1)
        add = builder.fadd if signature.args[0].dtype == types.float32 else builder.add
        builder.store(add(held, ones), place, align=1)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.uint64), codegen


def _vectors(builder: Any, width: int, row: Any, column: Any, mask: Any) -> tuple[Any, Any]:
    """A pointer to some columns of a row, and the lowest bits of a mask as such columns."""
    element = row.type.pointee
    block = ir.VectorType(element, width)
    lowest = builder.trunc(mask, ir.IntType(width)) if width < 64 else mask
    bits = builder.bitcast(lowest, ir.VectorType(ir.IntType(1), width))
    widened = builder.uitofp(bits, block) if element == ir.FloatType() else builder.zext(bits, block)
    return builder.bitcast(builder.gep(row, [column]), block.as_pointer()), widened


@intrinsic
def put_number(typingctx: Any, row: Any, column: Any, scale: Any, place: Any, value: Any) -> Any:
    """Write an int32: into a row of float32 scaled, at `column`; into a row of bytes as it is, at byte `place`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row, column, scale, place, value = args
        if signature.args[0].dtype == types.float32:
            # Exact: the product of two float32 has no error in float64, and n times 1/m is rounded as n/m is.
            single = builder.sitofp(value, ir.FloatType())
            product = builder.fmul(builder.fpext(single, ir.DoubleType()), scale)
            builder.store(builder.fptrunc(product, ir.FloatType()), builder.gep(row, [column]))
        else:
            builder.store(value, builder.bitcast(builder.gep(row, [place]), value.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.float64, types.int64, types.int32), codegen


@jit
def spread(row: Row, column: int, mask: Mask, end: int) -> None:
    """Write the bits of a mask from a column on, all 64 of them or those before `end`."""
    left = end - column
    if left >= 64:
        put_64(row, column, mask)
        return
    if left & 32:
        put_32(row, column, mask)
        mask >>= np.uint64(32)
        column += 32
    if left & 16:
        put_16(row, column, mask)
        mask >>= np.uint64(16)
        column += 16
    if left & 8:
        put_8(row, column, mask)
        mask >>= np.uint64(8)
        column += 8
    if left & 4:
        put_4(row, column, mask)
        mask >>= np.uint64(4)
        column += 4
    if left & 2:
        put_2(row, column, mask)
        mask >>= np.uint64(2)
        column += 2
    if left & 1:
        put_1(row, column, mask)


@jit
def add_spread(row: Row, column: int, mask: Mask, end: int) -> None:
    """Add the bits of a mask to the columns from one on."""
    if end - column >= 64:
        add_64(row, column, mask)
        return
    for place in range(end - column):
        row[column + place] += mask >> np.uint64(place) & ONE
