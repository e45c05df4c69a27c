"""Weights of edges as whole numbers.

Certificates consist of whole numbers.  So decimals are multiplied by a power of ten, and a bound of
the products gives a bound of the weights.  Weights with more digits than LP solvers can handle,
such as floating-point distances, are rounded; value and bound then refer to the rounded weights.

A directed graph has its undirected form (:mod:`kt_cp.model.directed`).  There every arc is an edge
with its weight, and the other edges weigh nothing.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from kt_cp.model.board import shorten
from kt_cp.model.errors import InputError
from kt_cp.trust.check.bound import Weights

if TYPE_CHECKING:
    from kt_cp.model.problem import Problem
    from kt_cp.trust.check.frame import Frame

DIGITS = 7
"""Significant digits of the largest weight; LP solvers are accurate to about nine."""

MOST = 10**12
"""The largest weight."""


def read_weights(frame: Frame, problem: Problem, name: str) -> tuple[Weights, bool]:
    """Return the attribute of all edges as weights of the frame, and whether they are rounded.

    Raise InputError if an edge does not have the attribute, or its value is not a finite number.
    """
    directed = problem._of
    nodes = problem.graph if directed is None else directed.graph
    index = [*problem.graph]
    arcs = {frozenset((f"out {u}", f"in {v}")): (u, v) for u, v in nodes.edges} if directed else {}
    values = []
    for u, v in frame.edges():
        if v >= frame.squares:
            continue
        pair = index[u], index[v]
        edge = pair if directed is None else arcs.get(frozenset(pair))
        if edge is None:  # within the path of a node, or at an end
            values.append(Decimal(0))
            continue
        value = nodes.edges[edge].get(name)
        if value is None:
            known = sorted({key for _, _, data in nodes.edges(data=True) for key in data})
            hint = f"; edges have {shorten(', '.join(known))}" if known else ""
            raise InputError(f"{_label(edge)}: expected a number as its {shorten(name)!r}{hint}")
        if not abs(value) <= MOST:  # NaN does not compare
            raise InputError(f"{_label(edge)}: expected a finite {name} to 10^12, got {value}")
        values.append(Decimal(str(value)))
    largest = max((abs(value) for value in values), default=Decimal(0))
    least = min(_exponent(value) for value in values) if values else 0
    exponent = max(least, largest.adjusted() - DIGITS + 1) if least < 0 else 0
    unit = Decimal(1).scaleb(exponent)
    whole = tuple(int((value / unit).to_integral_value()) for value in values)
    is_rounded = any(number * unit != value for number, value in zip(whole, values, strict=True))
    return Weights(10 ** max(0, -exponent), whole), is_rounded


def _exponent(value: Decimal) -> int:
    exponent = value.normalize().as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _label(edge: tuple[object, object]) -> str:
    return "-".join(shorten(str(node)) for node in edge)
