"""Writing blocks of bits into rows: of float32, of bytes, or sparse.

The compiler makes a function of each of these for every kind of row. A sparse row is of uint64: the number of its
entries, then the entries, each a column (the lower half) and the float32 there (the upper half), for columns that are
not 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hearts_env.kernel.bits import INT64, ONE, lowest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask

Row = Any
"""A pointer to the first element of a row: float32, a byte, or a uint64 of a sparse row."""
COLUMN = np.uint64(0xFFFFFFFF)
"""The bits of an entry that are its column."""


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


@intrinsic
def is_sparse(typingctx: Any, row: Any) -> Any:
    """True for a sparse row: a constant to the compiler."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_constant(types.boolean, signature.args[0].dtype == types.uint64)

    return types.boolean(row), codegen


@intrinsic
def append(typingctx: Any, row: Any, column: Any, value: Any) -> Any:
    """Append a column to a sparse row, unless its value is 0; other rows are left as they are."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if signature.args[0].dtype == types.uint64:
            _append(builder, *args)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.float32), codegen


def _append(builder: Any, row: Any, column: Any, value: Any) -> None:
    size = builder.load(row)
    builder.store(_entry(builder, column, value), builder.gep(row, [builder.add(size, size.type(1))]))
    written = builder.fcmp_unordered("!=", value, value.type(0))
    builder.store(builder.add(size, builder.zext(written, size.type)), row)


@intrinsic
def append_bits(typingctx: Any, row: Any, column: Any, mask: Any) -> Any:
    """Append a 1 to a sparse row for each bit of a mask, from a column on; other rows are left as they are."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row, column, mask = args
        if signature.args[0].dtype == types.uint64:
            size, number = builder.load(row), builder.ctpop(mask)
            first, one = builder.add(size, size.type(1)), ir.Constant(ir.FloatType(), 1)
            left = cgutils.alloca_once_value(builder, mask)
            with cgutils.for_range(builder, number) as loop:
                bits = builder.load(left)
                place = builder.add(column, builder.cttz(bits, ir.IntType(1)(1)))
                builder.store(_entry(builder, place, one), builder.gep(row, [builder.add(first, loop.index)]))
                builder.store(builder.and_(bits, builder.sub(bits, bits.type(1))), left)
            builder.store(builder.add(size, number), row)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.uint64), codegen


@intrinsic
def entry_of(typingctx: Any, column: Any, value: Any) -> Any:
    """An entry of a sparse row."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _entry(builder, *args)

    return types.uint64(types.int64, types.float32), codegen


def _entry(builder: Any, column: Any, value: Any) -> Any:
    bits = builder.zext(builder.bitcast(value, ir.IntType(32)), ir.IntType(64))
    return builder.or_(builder.shl(bits, bits.type(32)), column)


@intrinsic
def value_of(typingctx: Any, entry: Any) -> Any:
    """The value of an entry of a sparse row."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        upper = builder.trunc(builder.lshr(args[0], args[0].type(32)), ir.IntType(32))
        return builder.bitcast(upper, ir.FloatType())

    return types.float32(types.uint64), codegen


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
    """Write an int32: into a row of bytes as it is, at byte `place`; into others scaled, at `column`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row, column, scale, place, value = args
        if signature.args[0].dtype == types.uint8:
            builder.store(value, builder.bitcast(builder.gep(row, [place]), value.type.as_pointer()), align=1)
            return context.get_dummy_value()
        # Exact: the product of two float32 has no error in float64, and n times 1/m is rounded as n/m is.
        single = builder.sitofp(value, ir.FloatType())
        product = builder.fptrunc(builder.fmul(builder.fpext(single, ir.DoubleType()), scale), ir.FloatType())
        if signature.args[0].dtype == types.float32:
            builder.store(product, builder.gep(row, [column]))
        else:
            _append(builder, row, column, product)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.float64, types.int64, types.int32), codegen


@jit
def spread(row: Row, column: int, mask: Mask, end: int) -> None:
    """Write the bits of a mask from a column on, all 64 of them or those before `end`."""
    if is_sparse(row):
        append_bits(row, column, mask)
        return
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
def add_spread(row: Row, column: int, mask: Mask, end: int, first: int) -> None:
    """Add the bits of a mask to the columns from one on, in a block that begins at column `first`."""
    if is_sparse(row):
        while mask:
            add_one(row, column + lowest(mask), first)
            mask &= mask - ONE
    elif end - column >= 64:
        add_64(row, column, mask)
    else:
        for place in range(end - column):
            row[column + place] += mask >> np.uint64(place) & ONE


@jit
def add_one(row: Row, column: int, first: int) -> None:
    """Add 1 to a column of the last block of a row, which begins at column `first`."""
    if not is_sparse(row):
        row[column] += 1
        return
    place = INT64(row[0])
    while place > 0 and INT64(np.uint64(row[place]) & COLUMN) >= first:
        entry = np.uint64(row[place])
        if INT64(entry & COLUMN) == column:
            row[place] = entry_of(column, value_of(entry) + np.float32(1))
            return
        place -= 1
    append(row, column, np.float32(1))


@jit
def put(row: Row, column: int, value: Any) -> None:
    """Write a value that is the same in all kinds of rows."""
    if is_sparse(row):
        append(row, column, np.float32(value))
    else:
        row[column] = value
