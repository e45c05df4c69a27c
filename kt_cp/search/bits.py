"""Machine instructions for which Numba has no name; importing this module loads Numba."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _lowest(_context: Any, _operand: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _highest(_context: Any, _operand: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.uint64(types.uint64), generate


def _ones(_context: Any, _operand: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


lowest_bit: Any = intrinsic(_lowest)
"""The position of the lowest set bit of a nonzero word."""

highest_bit: Any = intrinsic(_highest)
"""The position of the highest set bit of a nonzero word."""

bit_count: Any = intrinsic(_ones)
"""The number of set bits of a word."""


def _wide(_context: Any, _one: Any, _other: Any) -> Any:
    word = types.uint64
    pair: Any = types.UniTuple

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        double = ir.IntType(128)
        one, other = (builder.zext(each, double) for each in arguments)
        product = builder.mul(one, other)
        high = builder.lshr(product, ir.Constant(double, 64))
        parts = [builder.trunc(each, ir.IntType(64)) for each in (high, product)]
        return context.make_tuple(builder, signature.return_type, parts)

    return pair(word, 2)(word, word), generate


product: Any = intrinsic(_wide)
"""The product of two words, as its high word and its low one."""
