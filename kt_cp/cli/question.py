"""The options that state a problem: declared once here, in every command that asks for one.

A command takes a ``question`` and is decorated with :func:`asks`, which puts the fields of
:class:`Question` in its place, as arguments and options of the command line.  So a field that is
added here, with a line in :meth:`Question.told` and in ``OPTIONS``, is an option of every command.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kt_cp.cli.brought import Drawing, Graphs, brought, said_of, undirectable
from kt_cp.cli.files import shown
from kt_cp.cli.parts import OnBoard, OnGraph, Parts, read, read_all
from kt_cp.cli.words import completed
from kt_cp.model.board import Board, parse_squares
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.errors import InputError
from kt_cp.model.piece import NAMED, Piece
from kt_cp.model.problem import Problem, changed
from kt_cp.model.surface import Surface

if TYPE_CHECKING:
    from kt_cp.formats.graphs.parsed_graph import ParsedGraph

_SIDES = re.compile(r"\s*[0-9]*\s*[xX×*]\s*[0-9]*\s*")


@dataclass(frozen=True)
class Question:
    """What was said of a problem on the command line; None or nothing where it was not."""

    board: str | None
    closed: bool | None = None
    start: str | None = None
    end: str | None = None
    missing: list[str] | None = None
    piece: str | None = None
    surface: str | None = None
    require: list[str] | None = None
    forbid: list[str] | None = None
    given: list[str] | None = None
    symmetry: str | None = None
    format_in: str | None = None
    directed: bool | None = None
    arcs: bool = False
    """Whether edges of a file are arcs if it leaves that open.  ``directed`` requires such a file;
    this does not: it is for commands in which ``--directed`` has a further meaning."""

    @cached_property
    def brought(self) -> Drawing | Problem | ParsedGraph | Graphs | None:
        """What a file holds that was named in place of sides, or None."""
        if self.board is None or _SIDES.fullmatch(self.board):
            if self.format_in is not None:
                raise InputError(f"--format-in is for files: expected one, got {self.board}")
            if self.directed:
                raise undirectable(self.board or "none")
            return None
        return brought(self.board, self.format_in, directed=bool(self.directed), arcs=self.arcs)

    @property
    def asked(self) -> Problem | None:
        """The problem of a puzzle or an outcome, if one was named."""
        return self.brought if isinstance(self.brought, Problem) else None

    @property
    def graph(self) -> ParsedGraph | Problem | None:
        """The graph of a file, or a problem on one, if one was named."""
        found = self.brought
        if isinstance(found, tuple | Graphs) or getattr(found, "board", None) is not None:
            return None
        return found

    def each(self) -> Iterator[Problem] | None:
        """The problems of a file with a graph a line, one by one; None for any other question."""
        if not isinstance(self.brought, Graphs):
            return None
        return (self._about(found, {}) for found in self.brought.each())

    def told(self, nodes: Iterable[Any] | None = None) -> dict[str, Any]:
        """What was said, as arguments of a problem, but for its board; of a graph, by its nodes."""
        if nodes is None and self.graph is not None:
            nodes = self.graph.graph
        parts: Parts = OnBoard() if nodes is None else OnGraph(nodes)
        if nodes is not None and (self.missing or self.surface):
            option = "missing" if self.missing else "surface"
            raise InputError(f"--{option} is for boards: expected none with a graph")
        drawn = list(self.brought[1].items()) if isinstance(self.brought, tuple) else []
        steps = [*drawn, *(read_all(parts.steps, self.given, "given") or [])]
        said = {
            "closed": self.closed,
            "start": read(parts.square, self.start, "start"),
            "end": read(parts.square, self.end, "end"),
            "piece": read(Piece.parse, self.piece, "piece"),
            "require": read_all(parts.moves, self.require, "require"),
            "forbid": read_all(parts.moves, self.forbid, "forbid"),
            "given": list(dict.fromkeys(steps)) or None,
            "symmetry": self.symmetry,
        }
        return {name: value for name, value in said.items() if value is not None}

    def on(self, known: Board | None = None) -> Board:
        """The board: as it was said, and what was not said as on a known one."""
        found = self.brought
        its = found[0] if isinstance(found, tuple) else getattr(found, "board", None)
        if found is not None and its is None:
            raise InputError(f"expected a board, got a graph in {shown(self.board or '')}")
        known = getattr(found, "board", known)
        surface = read(Surface.of, self.surface, "surface")
        surface = surface or (Surface.PLANE if known is None else known.surface)
        missing = frozenset(parse_squares(",".join(self.missing or ())))
        if its is not None:
            return Board(its.rows, its.columns, its.missing | missing, surface)
        if self.board is not None:
            return Board.parse(self.board, ",".join(self.missing or ()), surface)
        if known is None:
            raise InputError("expected a board, got none")
        return Board(known.rows, known.columns, missing or known.missing, surface)

    def problem(self, board: Board | None = None, **usual: Any) -> Problem:
        """The problem, and what was not said as is usual."""
        if self.graph is not None:
            return self._about(self.graph, usual)
        if isinstance(self.brought, Graphs):
            raise InputError(f"expected one graph, got a graph a line in {shown(self.board or '')}")
        return self.problem_on_board(board, **usual)

    def problem_on_board(self, board: Board | None = None, **usual: Any) -> Problem:
        """The same, for what is about boards alone."""
        if self.asked is not None:
            return said_of(self.asked, {**self.told(), "board": self.on()}, usual)
        return Problem(self.on(board), **{**usual, **self.told()})

    def _about(self, found: ParsedGraph | Problem, usual: Mapping[str, Any]) -> Problem:
        """The problem of a graph, with what its file says of it."""
        if isinstance(found, Problem):
            return said_of(found, self.told(), usual)
        said = self.told(found.graph)
        if found.closed is not None:
            usual = {**usual, "closed": found.closed}
        if found.require:
            said["require"] = [*found.require, *said.get("require", ())]
        return Problem(graph=found.graph, **{**usual, **said})

    @property
    def is_stated(self) -> bool:
        """Whether any option of the question is given."""
        names = [each.name for each in fields(self) if each.name != "arcs"]
        return any(getattr(self, name) not in (None, []) for name in names)

    def beside(self, problem: Problem) -> Problem:
        """Return the problem that the options state; without a board, on that of ``problem``.

        An option that is not given means its default, whatever ``problem`` says.
        """
        if self.board is not None:
            return self.problem()
        if problem.board is None:
            return Problem(graph=problem.graph, **self.told(problem.graph))
        return Problem(self.on(problem.board), **self.told())

    def over(self, problem: Problem) -> Problem:
        """Return ``problem`` with what the options change; with a board, what they state alone.

        The end of a problem is dropped where the options close it.
        """
        if self.board is not None:
            return self.problem()
        told = self.told(problem.graph if problem.board is None else None)
        if problem.board is not None:
            told["board"] = self.on(problem.board)
        return changed(problem, **{**({"end": None} if self.closed else {}), **told})


OPTIONS = {
    "board": typer.Argument(
        metavar="BOARD",
        help="ROWSxCOLUMNS, such as 8x10, or a file: a drawn board, a puzzle, a graph; - for stdin",
        show_default=False,
    ),
    "closed": typer.Option(
        "--closed/--open", help="Whether a tour must come back to its start", show_default="open"
    ),
    "start": typer.Option(metavar="SQUARE", help="First square, such as a1 or 1,1"),
    "end": typer.Option(metavar="SQUARE", help="Last square of an open tour"),
    "missing": typer.Option(
        metavar="SQUARES", help="Squares cut out, such as c3,d4", show_default=False
    ),
    "piece": typer.Option(
        metavar="NAME|STEPS",
        help=f"What moves: {', '.join(NAMED)}, or steps such as 1,4 or 0,1+1,1",
        show_default="knight",
        autocompletion=completed(lambda: NAMED),
    ),
    "surface": typer.Option(
        metavar="NAME",
        help=f"What the board lies on: {', '.join(Surface)}",
        show_default="plane",
        autocompletion=completed(lambda: list(Surface)),
    ),
    "require": typer.Option(metavar="MOVES", help="Moves that the tour makes, such as a1-c2,b1-d2"),
    "forbid": typer.Option(metavar="MOVES", help="Moves that it does not make, such as a1-b3"),
    "given": typer.Option(metavar="STEPS", help="Steps of squares, such as e4=17,c3=2"),
    "symmetry": typer.Option(
        metavar="MOTION",
        help=f"What carries the tour to itself: {', '.join(MOTIONS)}",
        autocompletion=completed(lambda: MOTIONS),
    ),
    "format_in": typer.Option(
        metavar="NAME",
        help="Format of a file with graphs, as its name would end: hcp, g6, edges, graphml, …",
        show_default="as it does",
    ),
    "directed": typer.Option(
        "--directed",
        help="Read edges of a file that leaves it open, such as an edge list, as arcs",
        show_default="undirected",
    ),
}
"""How the command line asks for each field of a question."""


def asks(
    *names: str, but: str = "", **otherwise: Any
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options that state a problem, in place of its ``question``.

    Parameters
    ----------
    *names : str
        Which of them, where it does not take all.
    but : str
        One that it does not take.
    **otherwise : option
        How the command declares one of them itself; it may then be left out.
    """
    declared = {
        each.name: each.replace(
            kind=inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[each.annotation, {**OPTIONS, **otherwise}[each.name]],
            default=None if each.name in otherwise else each.default,
        )
        for each in inspect.signature(Question, eval_str=True).parameters.values()
        if each.name in OPTIONS and (not names or each.name in names) and each.name != but
    }

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        parameters: list[inspect.Parameter] = []
        for each in inspect.signature(command, eval_str=True).parameters.values():
            if each.name == "question":
                parameters += declared.values()
            else:
                parameters.append(each.replace(kind=inspect.Parameter.KEYWORD_ONLY))

        def asking(**given: Any) -> int:
            said = {name: given.pop(name) for name in declared if name in given}
            return command(question=Question(**{"board": None, **said}), **given)

        asking.__doc__ = command.__doc__
        asking.__annotations__ = {each.name: each.annotation for each in parameters}
        asking.__dict__["__signature__"] = inspect.Signature(parameters)
        return asking

    return decorate
