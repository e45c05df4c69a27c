"""The options that state a problem, the same in every command that takes one.

A command takes ``question`` and is decorated with :func:`with_problem_options`, which replaces it
by the fields of :class:`ProblemOptions` as arguments and options of the command line.  A field
that is added here, with a line in :meth:`ProblemOptions.arguments` and in ``OPTIONS``, becomes an
option of every command.

Options name squares and moves of a board, or nodes and edges of a graph.  Squares have names of one
form.  Nodes may have any name, so a text is split wherever both parts are nodes.

The board argument gives the sides of a board, or a file with a drawing, a problem, a graph or
several graphs.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from kt_cp.cli.options import complete_from
from kt_cp.cli.output import read_bytes, remark, shorten_path
from kt_cp.formats.drawing import Drawing, read_drawing
from kt_cp.model.board import Board, number_of, parse_square, parse_squares, shorten
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.errors import InputError, suggestion
from kt_cp.model.piece import NAMED, Piece
from kt_cp.model.problem import Problem, changed
from kt_cp.model.surface import Surface
from kt_cp.model.terms import FILE

if TYPE_CHECKING:
    from kt_cp.formats.graphs.parsed_graph import ParsedGraph


T = TypeVar("T")

_PLACE = r"(?:[A-Za-z]+[0-9]+|[0-9]+\s*,\s*[0-9]+)"
_MOVES = re.compile(rf"(?:[\s,;]*{_PLACE}\s*-\s*{_PLACE})*[\s,;]*")
_STEPS = re.compile(rf"[\s,;]*({_PLACE})\s*=\s*([0-9]+)(?=[\s,;]|$)[\s,;]*")
_STEP = re.compile(r"(.*\S)\s*=\s*([0-9]+)\s*")


class BoardParser:
    """A parser of squares such as c5 or 5,3, moves such as a1-c2, and steps such as e4=17."""

    def square(self, text: str) -> Any:
        return parse_square(text)

    def moves(self, text: str) -> list[tuple[Any, Any]]:
        if not _MOVES.fullmatch(text):
            raise InputError(f"expected moves such as a1-c2,b1-d2; got {shorten(text)!r}")
        squares = parse_squares(text.replace("-", " "))
        return list(zip(squares[::2], squares[1::2], strict=True))

    def steps(self, text: str) -> list[tuple[Any, int]]:
        found = []
        place = 0
        while place < len(text):
            match = _STEPS.match(text, place)
            if match is None:
                raise InputError(f"expected steps such as e4=17,c3=2; got {shorten(text)!r}")
            found.append((parse_square(match[1]), number_of(match[2]) or 0))
            place = match.end()
        return found


class GraphParser:
    """A parser of nodes by their names, and of edges as two names with a dash between them.

    Examples
    --------
    >>> GraphParser(["x", "y-1", "y"]).moves("x-y-1,x-y")
    [('x', 'y-1'), ('x', 'y')]
    """

    def __init__(self, nodes: Iterable[Any]) -> None:
        self._given = nodes

    @cached_property
    def _nodes(self) -> dict[str, Any]:
        return {str(node): node for node in self._given}

    def square(self, text: str) -> Any:
        name = text.strip()
        if name not in self._nodes:
            hint = suggestion(name, self._nodes)
            raise InputError(
                f"expected a node, such as {self._some()}; got {shorten(name)!r}{hint}"
            )
        return self._nodes[name]

    def moves(self, text: str) -> list[tuple[Any, Any]]:
        whole = self._edges(text)
        return whole or [self._edge(part) for part in text.split(",") if part.strip()]

    def steps(self, text: str) -> list[tuple[Any, int]]:
        found = []
        for part in text.split(","):
            match = _STEP.fullmatch(part)
            if match is None:
                raise InputError(f"expected steps such as {self._some(1)}=3; got {shorten(text)!r}")
            found.append((self.square(match[1]), number_of(match[2]) or 0))
        return found

    def _some(self, many: int = 3) -> str:
        return ", ".join(shorten(name) for name in islice(self._nodes, many))

    def _edges(self, text: str) -> list[tuple[Any, Any]]:
        """Return each way to read a text as one edge."""
        dashes = (place for place, letter in enumerate(text) if letter == "-")
        ways = (
            (text[:place].strip(), text[place + 1 :].removeprefix(">").strip()) for place in dashes
        )
        known = self._nodes
        return [(known[u], known[v]) for u, v in ways if u in known and v in known]

    def _edge(self, text: str) -> tuple[Any, Any]:
        ways = self._edges(text)
        if len(ways) != 1:
            which = "one that can be read in one way" if ways else "between nodes"
            two = [*islice(self._nodes, 2)]
            raise InputError(
                f"expected an edge {which}, such as {'-'.join(map(shorten, two))}; "
                f"got {shorten(text.strip())!r}"
            )
        return ways[0]


def parse_option(parse: Callable[[str], T], text: str | None, what: str) -> T | None:
    """Parse the text of an option; the message of an error begins with its name."""
    if text is None:
        return None
    try:
        return parse(text)
    except InputError as error:
        raise InputError(f"--{what}: {error}") from None


def parse_options(
    parse: Callable[[str], list[T]], texts: list[str] | None, what: str
) -> list[T] | None:
    """Return the values of an option that may be repeated; None if it is not given."""
    if not texts:
        return None
    return [each for text in texts for each in parse_option(parse, text, what) or []]


LONGEST = 1 << 26
"""Most bytes of a line that is a graph."""


@dataclass(frozen=True)
class GraphLines:
    """Graphs of a file, or of stdin without data, one a line."""

    data: bytes | None

    def lines(self) -> Iterator[bytes]:
        """Yield the lines, those of stdin as they arrive."""
        if self.data is not None:
            yield from self.data.splitlines()
        elif sys.stdin is None:
            raise InputError("cannot read -: it is closed")
        else:
            yield from iter(lambda: sys.stdin.buffer.readline(LONGEST), b"")


def read_board_argument(
    name: str | None,
    kind: str | None,
    *,
    directed: bool = False,
    arcs: bool = False,
    weights: bool = False,
) -> Drawing | Problem | ParsedGraph | GraphLines | None:
    """Return the content of a file, or of stdin for ``-``; None if there is no such file.

    ``kind`` is the format, as the ending of a name.  With ``directed`` or ``arcs``, edges are arcs
    if the file leaves that open; ``directed`` requires that it does.  With ``weights``, there is no
    remark that weights play no part in a tour.

    Raises
    ------
    InputError
        If the content is not in the format of its name or kind.
    """
    from kt_cp.formats.graphs.parsed_graph import WEIGHTS_REMARK, ParsedGraph

    found = _read_argument(name, kind, directed or arcs)
    path = Path(name or "")
    if directed and not (isinstance(found, ParsedGraph) and not found.states_direction):
        graph = None if isinstance(found, Drawing) else getattr(found, "graph", None)
        what = (
            "a board"
            if graph is None
            else f"{'a ' if graph.is_directed() else 'an un'}directed graph"
        )
        what = "graphs of a format that states it" if isinstance(found, GraphLines) else what
        raise direction_error(f"{what} in {shorten_path(path)}" if found else "none")
    if isinstance(found, ParsedGraph | Drawing):
        for what in found.remarks:
            if weights and what == WEIGHTS_REMARK:
                continue
            remark(f"kt-cp: {shorten_path(path)}: {what}")
    if isinstance(found, ParsedGraph):
        return _named(found, shorten(path.name) if name != "-" else "graph")
    return found


def direction_error(actual: str) -> InputError:
    """Return the error for ``--directed`` on input to which it does not apply."""
    return InputError(
        "--directed: expected a file that leaves open whether edges are directed, such as an edge "
        f"list; got {actual}"
    )


def _read_argument(
    name: str | None, kind: str | None, directed: bool
) -> Drawing | Problem | ParsedGraph | GraphLines | None:
    """Return the content, with its remarks."""
    from kt_cp.formats import graphs

    if kind is not None and kind not in graphs.READERS:
        known = ", ".join(graphs.READERS)
        hint = suggestion(kind, graphs.READERS)
        raise InputError(f"--format-in: expected one of {known}; got {shorten(kind)!r}{hint}")
    path = Path(name or "")
    kind = kind or (graphs.kind_of_name(name) if name else None)
    if name == "-" and kind in graphs.LINES:
        return GraphLines(None)
    if not name:
        return None
    is_named_file = path.suffix[1:2].isalpha()  # which 3.5x4 is not
    if name != "-" and kind is None and not is_named_file and not path.exists():
        raise InputError(
            "expected a board as ROWSxCOLUMNS, such as 8x10, or a file with a drawn one; "
            f"got {shorten_path(path)!r}, and there is no such file"
        )
    data = read_bytes(path, "a graph" if kind else "a drawing of a board")
    try:
        kind = kind or graphs.kind_of(data)
        if kind is None:
            drawing = read_drawing(data)
            for step, times in Counter(drawing.given.values()).items():
                if times > 1:  # perhaps an edge list
                    raise InputError(f"expected one square at step {step}, got {times}")
            return drawing
        if kind in graphs.LINES:
            from kt_cp.formats.graphs.networkx_formats import has_several_lines

            if has_several_lines(data):
                return GraphLines(data)
        from kt_cp.formats.read import read_problem

        if kind == "json" and (problem := read_problem(data)) is not None:
            return problem
        return graphs.parse_graph(data, kind, directed=directed)
    except InputError as error:
        hint = "" if kind else "; a graph needs a suffix such as .edges, or --format-in"
        raise InputError(f"{shorten_path(path)}: {error}{hint}") from None


def apply_options(
    problem: Problem, options: Mapping[str, Any], defaults: Mapping[str, Any]
) -> Problem:
    """Return the problem of a file, changed by options; given steps and moves are added."""
    replaced = {*options, *(["end"] if options.get("closed") else [])}
    conditions = [each for each in problem.conditions if each.many or each.key not in replaced]
    new = {name: value for name, value in defaults.items() if getattr(problem, name) is None}
    return changed(problem, **{**new, **options, "conditions": conditions})


def _named(found: ParsedGraph, name: str) -> ParsedGraph:
    """Return the graph, with the name of its file."""
    found.graph.graph[FILE] = name
    return found


_SIDES = re.compile(r"\s*[0-9]*\s*[xX×*]\s*[0-9]*\s*")


@dataclass(frozen=True)
class ProblemOptions:
    """The options of a problem on the command line; None or empty if they are not given."""

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
    weights: bool = False
    """Whether the command uses weights, so that there is no remark about them."""

    @cached_property
    def file_content(self) -> Drawing | Problem | ParsedGraph | GraphLines | None:
        """The content of the file that the board argument names; None if it gives sides."""
        if self.board is None or _SIDES.fullmatch(self.board):
            if self.format_in is not None:
                raise InputError(f"--format-in is for files: expected one, got {self.board}")
            if self.directed:
                raise direction_error(self.board or "none")
            return None
        return read_board_argument(
            self.board,
            self.format_in,
            directed=bool(self.directed),
            arcs=self.arcs,
            weights=self.weights,
        )

    @property
    def file_problem(self) -> Problem | None:
        """The problem of a file with a puzzle or an outcome, or None."""
        return self.file_content if isinstance(self.file_content, Problem) else None

    @property
    def graph(self) -> ParsedGraph | Problem | None:
        """The graph of a file, or a problem on one, or None."""
        found = self.file_content
        if isinstance(found, Drawing | GraphLines) or getattr(found, "board", None) is not None:
            return None
        return found

    @property
    def lines(self) -> Iterator[tuple[int, bytes]] | None:
        """The numbered lines of a file with a graph on each of them; None for anything else."""
        found = self.file_content
        return enumerate(found.lines(), start=1) if isinstance(found, GraphLines) else None

    def problems(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[Problem]:
        """Yield the problems of numbered lines, without remarks on ignored parts of a graph."""
        from kt_cp.formats.graphs.networkx_formats import read_graphs6
        from kt_cp.formats.graphs.parsed_graph import simplify

        try:
            for number, found in read_graphs6(lines):
                yield self._about(_named(simplify(found), f"line {number}"), {})
        except InputError as error:
            raise InputError(f"{shorten_path(Path(self.board or ''))}: {error}") from None

    def arguments(self, nodes: Iterable[Any] | None = None) -> dict[str, Any]:
        """Return the options as arguments of ``Problem``, without the board.

        With ``nodes``, squares are read as names of these nodes.
        """
        if nodes is None and self.graph is not None:
            nodes = self.graph.graph
        parts = BoardParser() if nodes is None else GraphParser(nodes)
        if nodes is not None and (self.missing or self.surface):
            option = "missing" if self.missing else "surface"
            raise InputError(f"--{option} is for boards: expected none with a graph")
        found = self.file_content if nodes is None else None
        drawing = found if isinstance(found, Drawing) else None
        drawn = {} if drawing is None else drawing.options
        steps = [] if drawing is None else [*drawing.given.items()]
        steps += parse_options(parts.steps, self.given, "given") or []
        values: dict[str, Any] = {
            "closed": self.closed,
            "start": parse_option(parts.square, self.start, "start"),
            "end": parse_option(parts.square, self.end, "end"),
            "piece": parse_option(Piece.parse, self.piece, "piece"),
            "require": parse_options(parts.moves, self.require, "require"),
            "forbid": parse_options(parts.moves, self.forbid, "forbid"),
            "given": list(dict.fromkeys(steps)) or None,
            "symmetry": self.symmetry,
        }
        values = {name: value for name, value in values.items() if value is not None}
        for name in ("require", "forbid"):
            if name in drawn and name in values:
                values[name] = [*drawn[name], *values[name]]
        return {**drawn, **values}

    def board_on(self, known: Board | None = None) -> Board:
        """Return the board of the options, completed from the known board."""
        found = self.file_content
        its = getattr(found, "board", None)
        if found is not None and its is None:
            raise InputError(f"expected a board, got a graph in {shorten_path(self.board or '')}")
        known = getattr(found, "board", known)
        surface = parse_option(Surface.of, self.surface, "surface")
        surface = surface or (Surface.PLANE if known is None else known.surface)
        missing = frozenset(parse_squares(",".join(self.missing or ())))
        if its is not None:
            return Board(its.rows, its.columns, its.missing | missing, surface)
        if self.board is not None:
            return Board.parse(self.board, ",".join(self.missing or ()), surface)
        if known is None:
            raise InputError("expected a board, got none")
        return Board(known.rows, known.columns, missing or known.missing, surface)

    def problem(self, board: Board | None = None, **defaults: Any) -> Problem:
        """Return the problem; ``defaults`` replace options that are not given."""
        if self.graph is not None:
            return self._about(self.graph, defaults)
        if isinstance(self.file_content, GraphLines):
            raise InputError(
                f"expected a single graph, got one per line in {shorten_path(self.board or '')}"
            )
        return self.problem_on_board(board, **defaults)

    def problem_on_board(self, board: Board | None = None, **defaults: Any) -> Problem:
        """Return the same for a command that takes only boards."""
        if self.file_problem is not None:
            return apply_options(
                self.file_problem, {**self.arguments(), "board": self.board_on()}, defaults
            )
        return Problem(self.board_on(board), **{**defaults, **self.arguments()})

    def _about(self, found: ParsedGraph | Problem, defaults: Mapping[str, Any]) -> Problem:
        """Return the problem of a graph, with the statements of its file."""
        if isinstance(found, Problem):
            return apply_options(found, self.arguments(), defaults)
        arguments = self.arguments(found.graph)
        if found.closed is not None:
            defaults = {**defaults, "closed": found.closed}
        if found.require:
            arguments["require"] = [*found.require, *arguments.get("require", ())]
        return Problem(graph=found.graph, **{**defaults, **arguments})

    @property
    def is_stated(self) -> bool:
        """Whether any option of the question is given."""
        names = [each.name for each in fields(self) if each.name not in ("arcs", "weights")]
        return any(getattr(self, name) not in (None, []) for name in names)

    def stated_for(self, problem: Problem) -> Problem:
        """Return the problem that the options state; without a board, on that of ``problem``.

        An option that is not given means its default, whatever ``problem`` says.
        """
        if self.board is not None:
            return self.problem()
        if problem.board is None:
            return Problem(graph=problem.graph, **self.arguments(problem.graph))
        return Problem(self.board_on(problem.board), **self.arguments())

    def modify(self, problem: Problem) -> Problem:
        """Return ``problem``, changed by the options; with a board, only what they state.

        The end of a problem is dropped if the options close it.
        """
        if self.board is not None:
            return self.problem()
        arguments = self.arguments(problem.graph if problem.board is None else None)
        if problem.board is not None:
            arguments["board"] = self.board_on(problem.board)
        return changed(problem, **{**({"end": None} if self.closed else {}), **arguments})


OPTIONS = {
    "board": typer.Argument(
        metavar="BOARD",
        help="ROWSxCOLUMNS, such as 8x10, or a file: a drawn board, a puzzle, a graph; - for stdin",
        show_default=False,
    ),
    "closed": typer.Option(
        "--closed/--open", help="Whether a tour must return to its start", show_default="open"
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
        autocompletion=complete_from(lambda: NAMED),
    ),
    "surface": typer.Option(
        metavar="NAME",
        help=f"How the edges of the board are joined: {', '.join(Surface)}",
        show_default="plane",
        autocompletion=complete_from(lambda: list(Surface)),
    ),
    "require": typer.Option(metavar="MOVES", help="Moves that the tour makes, such as a1-c2,b1-d2"),
    "forbid": typer.Option(metavar="MOVES", help="Moves that it does not make, such as a1-b3"),
    "given": typer.Option(metavar="STEPS", help="Steps of squares, such as e4=17,c3=2"),
    "symmetry": typer.Option(
        metavar="MOTION",
        help=f"Symmetry that the tour has: {', '.join(MOTIONS)}",
        autocompletion=complete_from(lambda: MOTIONS),
    ),
    "format_in": typer.Option(
        metavar="NAME",
        help="Format of a graph file, such as hcp, g6, edges or graphml",
        show_default="the suffix of its name",
    ),
    "directed": typer.Option(
        "--directed",
        help="Read edges as arcs, in a file that does not state it, such as an edge list",
        show_default="undirected",
    ),
}
"""The argument or option of the command line for each field."""


def with_problem_options(
    *names: str, but: str = "", **otherwise: Any
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Replace the parameter ``question`` of a command by the options that state a problem.

    Parameters
    ----------
    *names : str
        Fields that the command takes, by default all.
    but : str
        A field that it does not take.
    **otherwise : option
        The command's own declaration of a field, which is then optional.
    """
    declared = {
        each.name: each.replace(
            kind=inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[each.annotation, {**OPTIONS, **otherwise}[each.name]],
            default=None if each.name in otherwise else each.default,
        )
        for each in inspect.signature(ProblemOptions, eval_str=True).parameters.values()
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
            stated = {name: given.pop(name) for name in declared if name in given}
            return command(question=ProblemOptions(**{"board": None, **stated}), **given)

        asking.__doc__ = command.__doc__
        asking.__annotations__ = {each.name: each.annotation for each in parameters}
        asking.__dict__["__signature__"] = inspect.Signature(parameters)
        return asking

    return decorate
