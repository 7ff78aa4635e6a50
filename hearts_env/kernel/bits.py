"""Bit tricks on uint64 masks, as single machine instructions; memory on the stack; the random number generator."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Array, Mask
from hearts_env.ruleset.limits import CARDS

ONE = np.uint64(1)
INT64: Any = np.int64
"""Makes a signed integer; to mypy anything, since NumPy's stubs know nothing of Numba's integers.

Arguments are brought to it where they would be a byte, a literal or the int32 that counts up to a byte: Numba compiles
a function again for every kind of integer.
"""


@intrinsic
def popcount(typingctx: Any, mask: Any) -> Any:
    """Number of cards in a mask."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest(typingctx: Any, mask: Any) -> Any:
    """Id of the lowest card of a mask; 64 if it is empty."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@intrinsic
def highest(typingctx: Any, mask: Any) -> Any:
    """Id of the highest card of a mask; -1 if it is empty."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.uint64), codegen


@intrinsic
def copy_on_stack(typingctx: Any, record: Any) -> Any:
    """A copy of a record in the caller's stack frame, to try things out on: it lives until the caller returns."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = ir.Constant(ir.IntType(64), record.size)
        cells = cgutils.alloca_once(builder, ir.IntType(8), size=size)
        cells.align = 16
        copy = builder.bitcast(cells, args[0].type)
        cgutils.raw_memcpy(builder, copy, args[0], size, 1)
        return copy

    return record(record), codegen


@intrinsic
def clear_bytes(typingctx: Any, record: Any) -> Any:
    """Set every byte of a record to 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = ir.Constant(ir.IntType(64), record.size)
        cgutils.memset(builder, args[0], size, 0)
        return context.get_dummy_value()

    return types.void(record), codegen


@intrinsic
def bytes_of(typingctx: Any, record: Any) -> Any:
    """A pointer to the bytes of a record."""
    pointer = types.CPointer(types.uint8)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(8).as_pointer())

    return pointer(record), codegen


@intrinsic
def prefetch(typingctx: Any, record: Any) -> Any:
    """Begin to load a record that will be written to soon: memory is slow, and a loop over records knows the next."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, word, word, word])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        cells = builder.bitcast(args[0], pointer)
        for line in range(0, record.size, 64):
            builder.call(function, [builder.gep(cells, [word(line)]), word(1), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(record), codegen


@intrinsic
def card_buffer(typingctx: Any) -> Any:
    """Uninitialised room for `CARDS` kinds in the caller's stack frame, as a pointer to bytes."""
    pointer = types.CPointer(types.uint8)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.alloca_once(builder, ir.IntType(8), size=ir.Constant(ir.IntType(64), CARDS))

    return pointer(), codegen


@jit
def bit(kind: int) -> Mask:
    """The mask of one kind."""
    return ONE << np.uint64(kind)


@jit
def nth(mask: Mask, index: int) -> int:
    """Id of the card with `index` lower cards in the mask, by halving: no branch that depends on the cards."""
    kind = 0
    for width in (32, 16, 8, 4, 2, 1):
        low = mask & ((ONE << np.uint64(width)) - ONE)
        below_half = popcount(low)
        above = index >= below_half
        index = index - below_half if above else index
        kind = kind + width if above else kind
        mask = mask >> np.uint64(width) if above else low
    return kind


@jit
def compress(mask: Mask, kept: Mask, moves: Array) -> Mask:
    """The bits of a mask that are in `kept`, moved together to the lowest bits (Warren, Hacker's Delight, 7-4).

    `moves` has six masks: which bits move down by 1, 2, 4 ... 32, each after the moves before.
    """
    mask &= kept
    for power in range(6):
        moving = mask & moves[power]
        mask = (mask ^ moving) | (moving >> (ONE << np.uint64(power)))
    return mask


@jit
def mix(seed: Mask) -> Mask:
    """SplitMix64's output function (Steele, Lea & Flood 2014): a bijection that scatters nearby seeds."""
    z = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@jit
def advance(rng: Mask) -> Mask:
    """The next state of a SplitMix64 generator; `mix` of a state is its random word."""
    return np.uint64(rng) + np.uint64(0x9E3779B97F4A7C15)


@jit
def below(word: Mask, bound: int) -> int:
    """A random word's upper half scaled to 0..bound-1 (Lemire 2019, bias under bound / 2**32)."""
    # int() would keep it unsigned
    scaled: int = INT64(((word >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))
    return scaled
