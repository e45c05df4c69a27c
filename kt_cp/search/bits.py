"""One machine instruction each, for which Numba has no name.

Importing this loads Numba.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _lowest(_context: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _ones(_context: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


lowest_bit: Any = intrinsic(_lowest)
"""Position of the lowest bit of a word that is not 0."""

bit_count: Any = intrinsic(_ones)
"""How many bits of a word are 1."""
