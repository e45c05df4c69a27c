"""``kt-cp export``: a problem as a file for programs of others."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer

from kt_cp.board import Board
from kt_cp.cli.options import (
    BoardArgument,
    End,
    Force,
    Missing,
    Output,
    Start,
    file_of,
    square_of,
)
from kt_cp.cli.output import destination
from kt_cp.errors import InputError
from kt_cp.problem import Problem


class Shape(StrEnum):
    """What is written."""

    DIMACS = "dimacs"
    CPSAT = "cpsat"
    GRAPH6 = "graph6"
    TSPLIB = "tsplib"


_BY_SUFFIX = {
    ".cnf": Shape.DIMACS,
    ".dimacs": Shape.DIMACS,
    ".pbtxt": Shape.CPSAT,
    ".textproto": Shape.CPSAT,
    ".g6": Shape.GRAPH6,
    ".hcp": Shape.TSPLIB,
    ".tsp": Shape.TSPLIB,
}


def command(
    board: BoardArgument,
    *,
    closed: Annotated[
        bool, typer.Option("--closed/--open", help="Whether a tour must come back to its start")
    ] = False,
    start: Start = None,
    end: End = None,
    missing: Missing = "",
    encoding: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of dimacs: see kt-cp encodings", show_default="lazy"),
    ] = None,
    format: Annotated[
        Shape | None,
        typer.Option(help="Default: dimacs, or what FILE's name ends with", show_default=False),
    ] = None,
    output: Output = None,
    force: Force = False,
) -> int:
    """Write a problem as a formula, a model or a graph, for programs of others.

    dimacs: a formula for any SAT solver, whose answer kt-cp decode reads. cpsat: the model of
    engine cpsat, as a text proto. graph6: the knight graph, squares in reading order from a1.
    tsplib: a Hamiltonian cycle problem (HCP), its vertices in the same order, from 1.
    """
    output = file_of(output)
    suffix = "" if output is None else output.suffix.lower()
    shape = format or _BY_SUFFIX.get(suffix, Shape.DIMACS)
    if encoding is not None and shape is not Shape.DIMACS:
        raise InputError(f"--encoding is for dimacs: expected none with {shape.value}")
    if shape is Shape.GRAPH6 and not start is end is None:
        raise InputError("graph6 holds the graph alone: expected no --start and no --end with it")
    problem = Problem(
        Board.parse(board, missing),
        closed=closed,
        start=square_of(start, "start"),
        end=square_of(end, "end"),
    )
    with destination(output, force=force) as place:
        for piece in _pieces(problem, shape, encoding):
            if not place.add(piece):
                break
        place.finish()
    return 0


def _pieces(problem: Problem, shape: Shape, encoding: str | None) -> Iterator[str]:
    """The text; refusals come before its first piece."""
    if shape is Shape.DIMACS:
        from kt_cp.encodings import ENCODING_NAMES
        from kt_cp.exchange.formula import formula_pieces, stated

        return formula_pieces(stated(problem, encoding or ENCODING_NAMES[0]))
    if shape is Shape.CPSAT:
        from kt_cp.exchange.model import model_pieces

        return model_pieces(problem)
    if shape is Shape.GRAPH6:
        from kt_cp.exchange.graph import graph6_pieces

        return graph6_pieces(problem)
    from kt_cp.exchange.graph import tsplib_pieces

    return tsplib_pieces(problem)
