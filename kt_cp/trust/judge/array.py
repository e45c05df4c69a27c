"""The judge of whole boards: arrays of step numbers, up to many hundred million squares.

An array has the shape (rows, columns); ``array[row, column]`` is the step, counted from 1, at which
the tour visits that square, and 0 on missing squares.  Row 0 is rank 1.

**The lemma.**  Let the board have N squares.  If every square holds one of the numbers 1 to N, one
of them holds N, and every square that holds v > 1 has a square a knight's move away that holds
v - 1, then the array is an open tour.  Some square holds N, so a square a knight's move away holds
N - 1, and so on down to 1.  All N numbers occur on N squares, hence each of them once, and each is
a knight's move from the one before.  The tour is closed if N is a knight's move from 1, N > 2.

So nothing must be sorted, inverted or marked: neighbourhoods alone prove a tour.  A number is
*linked* if it is 1 or if some square a knight's move away holds the number before it.  The board is
read in blocks that fit into the cache.  A block lies in one flat buffer, line after line, with two
lines of its surroundings above and below, and two walls, which hold 0, at the end of every line.
Then a knight's move is one distance in the buffer for all squares, and a move over an edge ends in
a wall.  So the eight moves are eight comparisons of whole vectors, without a special case at edges.
Only the squares of 1 and of the highest number are remembered, and the numbers of squares that
conditions name.  Streams hold four lines of context, since a knight moves by at most two.

Numbers are compared as unsigned integers of the array's own width.  The number before v is v - 1,
which overflows only at 0, and a 0 is no step, so its link does not matter.  A negative number
becomes one beyond every board, which the highest number shows.

Cost: linear, about twice as long as filling an array with numbers and copying it, and no memory
beyond a block and the context of a stream (``benchmarks/MEASURED.md``).

When it loses: a list of squares in the order of the tour is better judged by ``squares``.  The
array judge cannot say which number is repeated: that shows as a broken link somewhere else.  Of a
bad array it remembers the first few defects of each kind.  So small arrays that are refused are
judged again, exactly: if every step has just one square, the array is a walk for ``squares``;
otherwise sorting finds the repeated steps.

Blocks know the knight on the plane alone.  Arrays of other pieces, of other surfaces and of tours
that must be symmetric are gathered and judged square by square, up to ``GATHERED_SQUARES``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.board import Square, describe, square_name
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.piece import KNIGHT
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface
from kt_cp.trust.judge.conditions import TourView, concerns_all_moves, named_squares
from kt_cp.trust.judge.rules import FEW, Defect, Rule, is_move, more
from kt_cp.trust.judge.squares import defects

LOCAL = (Rule.MISSING, Rule.UNVISITED, Rule.ILLEGAL_MOVE)
"""Rules that a square and its neighbours can show to be broken."""


class Findings:
    """Squares that break a rule, each with its number, which should be from 1 to ``steps``.

    Examples
    --------
    >>> findings = Findings(64)
    >>> findings.add(Rule.ILLEGAL_MOVE, 7, [((4, 2), 17)])
    >>> for defect in findings.defects():
    ...     print(defect)
    illegal move to c5 at step 17: no square a knight's move away holds 16
    6 more of this kind: illegal move
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.many = dict.fromkeys(LOCAL, 0)
        self._named: dict[Rule, list[tuple[Square, int]]] = {rule: [] for rule in LOCAL}

    def free_slots(self, rule: Rule) -> int:
        """Return how many more squares that break a rule will be named."""
        return FEW - len(self._named[rule])

    def add(self, rule: Rule, many: int, named: list[tuple[Square, int]]) -> None:
        """Count some squares, and name as many of them as the limit allows."""
        self.many[rule] += many
        self._named[rule] += named[: self.free_slots(rule)]

    def defects(self) -> list[Defect]:
        """Return the findings as defects."""
        found = []
        for rule, named in self._named.items():
            found += [self._describe(rule, square, number) for square, number in named]
            found += more(rule, self.many[rule] - len(named))
        return found

    def _describe(self, rule: Rule, square: Square, number: int) -> Defect:
        name = square_name(square)
        if rule is Rule.MISSING:
            return Defect(rule, number, f"missing square {name} used at step {number}")
        if rule is Rule.UNVISITED:
            expected = f"its number is {number}, expected 1 to {self.steps}"
            return Defect(rule, None, f"{name} unvisited: {expected}")
        where = f"no square a knight's move away holds {number - 1}"
        return Defect(rule, number, f"illegal move to {name} at step {number}: {where}")


class Ends:
    """Squares of step 1 and of the highest step, and numbers of squares that conditions name.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> ends = Ends(Problem(Board(3, 4)))
    >>> ends.add_starts(1, [(0, 0)])
    >>> ends.highest, ends.last = 12, (1, 2)
    >>> ends.first, ends.has_closing_move
    ((0, 0), True)
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.highest = 0
        self.last: Square | None = None
        self.numbers: dict[Square, int] = {}
        self._firsts: list[Square] = []
        self._many = 0

    @property
    def first(self) -> Square | None:
        """The square of step 1, the first of them if there are several."""
        return self._firsts[0] if self._firsts else None

    @property
    def has_closing_move(self) -> bool:
        """Whether a move that is not used yet leads from the last square back to the first."""
        if self.first is None or self.last is None or self.highest < 3:
            return False
        return is_move(self._problem, self.last, self.first)

    @property
    def free_slots(self) -> int:
        """Return how many more squares of step 1 will be named."""
        return FEW - len(self._firsts)

    def add_starts(self, many: int, named: list[Square]) -> None:
        """Count some squares of step 1, and name as many of them as the limit allows."""
        self._many += many
        self._firsts += named

    def defects(self) -> list[Defect]:
        """Return the defects at the ends of the tour, and those of unsatisfied conditions."""
        found = []
        if self._many > 1:
            found.append(repeated_defect(1, self._firsts, self._many))

        def steps(square: Square) -> list[int]:
            number = self.numbers.get(square, 0)
            return [number] if number > 0 else []

        lasts = [] if self.last is None else [self.last]
        found += TourView(self._problem, self.highest, self._firsts, lasts, steps, tuple).defects()
        if self._problem.closed and not self.has_closing_move:
            walk = self.first is not None and self.last is not None
            where = f"{describe(self.last)} to {describe(self.first)}" if walk else "an empty walk"
            text = f"not closed: no way back from {where} by a move not used yet"
            found.append(Defect(Rule.NOT_CLOSED, self.highest, text))
        return found


def exact_defects(problem: Problem, array: NDArray[Any], found: list[Defect]) -> list[Defect]:
    """Return the exact defects of an array that the neighbourhoods have shown to be wrong.

    Time and memory are those of sorting the array, and of a list of its squares.
    """
    places = np.argwhere(array != 0)
    numbers = array[array != 0]
    order = np.argsort(numbers, kind="stable")
    numbers, places = numbers[order], places[order]
    if np.array_equal(numbers, np.arange(1, len(numbers) + 1)):
        walk = [(int(row), int(column)) for row, column in places]
        return defects(problem, walk) or found  # the other judge must refuse it as well
    again = np.flatnonzero((numbers[1:] == numbers[:-1]) & (numbers[1:] > 0))
    steps = np.unique(numbers[again])
    exact = [defect for defect in found if defect.rule is not Rule.REPEATED]
    for step in steps[:FEW]:
        first, end = np.searchsorted(numbers, step), np.searchsorted(numbers, step, side="right")
        squares = [(int(row), int(column)) for row, column in places[first : min(end, first + FEW)]]
        exact.append(repeated_defect(int(step), squares, int(end - first)))
    return exact + more(Rule.REPEATED, len(steps) - FEW)


def repeated_defect(step: int, squares: list[Square], many: int) -> Defect:
    """Return the defect of a step that several squares hold; it names some of them."""
    listed = ", ".join(square_name(square) for square in squares)
    listed += ", …" * (many > len(squares))
    return Defect(Rule.REPEATED, step, f"step {step} repeated: {listed}")


def judge_block(
    findings: Findings,
    ends: Ends,
    by_columns: bool,
    numbers: NDArray[Any],
    linked: NDArray[np.bool_] | None,
    missing: NDArray[Any],
    corner: tuple[int, int],
) -> None:
    """Examine a block: record the ends of the tour in it, and all its defects."""
    largest = min(findings.steps, np.iinfo(numbers.dtype).max)
    there = np.ones(numbers.shape, np.bool_)
    there[tuple(missing.T)] = False
    steps = there & (numbers >= 1) & (numbers <= largest)

    def named(mask: NDArray[np.bool_], most: int) -> list[tuple[Square, int]]:
        found = []
        for at in np.flatnonzero(mask)[:most] if most else ():
            line, place = divmod(int(at), mask.shape[1])
            where = transpose((corner[0] + line, corner[1] + place), by_columns)
            found.append((where, int(numbers[line, place])))
        return found

    broken = [(Rule.MISSING, ~there & (numbers != 0)), (Rule.UNVISITED, there & ~steps)]
    if linked is not None:
        broken.append((Rule.ILLEGAL_MOVE, steps & ~linked))
    for rule, where in broken:
        if many := int(np.count_nonzero(where)):
            findings.add(rule, many, named(where, findings.free_slots(rule)))
    firsts = steps & (numbers == 1)
    if many := int(np.count_nonzero(firsts)):
        ends.add_starts(many, [square for square, _ in named(firsts, ends.free_slots)])
    top = int(np.max(np.where(steps, numbers, 0)))
    if top > ends.highest:
        [(ends.last, ends.highest)] = named(steps & (numbers == top), 1)


def transpose(pair: tuple[int, int], by_columns: bool) -> tuple[int, int]:
    """Return the square of a line and a place, or the line and place of a square."""
    return (pair[1], pair[0]) if by_columns else pair


MOVES = tuple((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b))

Lines = tuple[int, NDArray[Any]]
"""Consecutive lines of the board: the index of the first, and an array of whole lines."""


class Block:
    """Buffers that all blocks share, one after the other.

    Parameters
    ----------
    dtype : numpy.dtype
        Integer type of the numbers.
    shape : (int, int)
        Lines of the board and places in a line.
    most_bytes, widest : int
        How large a block may be, and how wide.  Blocks narrower than a line also hold two places
        on either side.
    """

    def __init__(
        self, dtype: np.dtype[Any], shape: tuple[int, int], most_bytes: int, widest: int
    ) -> None:
        self.dtype = dtype
        self._shape = shape
        # Equal blocks, since a narrower one takes as long as the others.
        self._width = -(-shape[1] // -(-shape[1] // widest))
        self._margin = 2 if self._width < shape[1] else 0
        self._stride = self._width + 2 * self._margin + 2
        self._height = min(shape[0], max(1, most_bytes // dtype.itemsize // self._stride))
        cells = self._height * self._stride
        numbers = np.zeros(cells + 4 * self._stride + 4, dtype)
        self._flat: NDArray[Any] = numbers.view(np.dtype(f"u{dtype.itemsize}"))
        self._grid = numbers[2:-2].reshape(self._height + 4, self._stride)
        self._before = np.empty(cells, self._flat.dtype)
        self._linked = np.empty(cells, np.bool_)
        self._same = np.empty(cells, np.bool_)
        self._lines = self._places = range(0)

    def parts(self, lines: range) -> Iterator[tuple[range, range]]:
        """Yield the lines and places of each block."""
        for top in range(lines.start, lines.stop, self._height):
            for left in range(0, self._shape[1], self._width):
                yield (
                    range(top, min(top + self._height, lines.stop)),
                    range(left, min(left + self._width, self._shape[1])),
                )

    def load(self, pieces: Iterable[Lines], lines: range, places: range) -> None:
        """Copy the numbers of a part of the board, and of its surroundings, into the buffer."""
        self._lines, self._places = lines, places
        top, left = lines.start - 2, places.start - self._margin
        low, high = max(0, top), min(self._shape[0], lines.stop + 2)
        near, far = max(0, left), min(self._shape[1], places.stop + self._margin)
        grid = self._grid[: len(lines) + 4]
        if (high - low, far - near) != (len(grid), self._stride - 2):
            grid.fill(0)
        for first, piece in pieces:
            start, stop = max(low, first), min(high, first + len(piece))
            if start < stop:
                part = piece[start - first : stop - first, near:far]
                grid[start - top : stop - top, near - left : far - left] = part

    def link(self) -> tuple[int, int, bool]:
        """Return how many numbers are 0 or 1, the highest here or beside, and if all are linked."""
        cells = len(self._lines) * self._stride
        own = 2 + 2 * self._stride
        flat = self._flat
        numbers = flat[own : own + cells]
        before, linked, same = self._before[:cells], self._linked[:cells], self._same[:cells]
        np.less_equal(numbers, 1, out=linked)
        if self._margin:  # walls hold 0 and so are linked; the surroundings are set to be
            across = linked.reshape(-1, self._stride)
            across[:, : self._margin] = True
            across[:, self._margin + len(self._places) :] = True
        beside = cells - len(self._lines) * len(self._places)
        ends = int(np.count_nonzero(linked)) - beside
        np.subtract(numbers, 1, out=before)
        for lines, places in MOVES:
            there = own + lines * self._stride + places
            np.equal(flat[there : there + cells], before, out=same)
            np.logical_or(linked, same, out=linked)
        return ends, int(numbers.max()), bool(linked.all())

    @property
    def numbers(self) -> NDArray[Any]:
        """The numbers of the block itself, in two dimensions."""
        across = slice(self._margin, self._margin + len(self._places))
        return self._grid[2 : 2 + len(self._lines), across]

    @property
    def linked(self) -> NDArray[np.bool_]:
        """Whether each number of the block is linked."""
        lines = len(self._lines)
        across = self._linked[: lines * self._stride].reshape(lines, self._stride)
        return across[:, self._margin : self._margin + len(self._places)]


def lines_from(pieces: list[Lines], start: int) -> Lines:
    """Return a copy of the lines from the given one on."""
    return start, np.concatenate([piece[max(0, start - first) :] for first, piece in pieces])


BLOCK_BYTES = 320_000
"""Bytes of the numbers of a block: as many as the cache allows (``benchmarks/MEASURED.md``)."""

WIDEST = 16_384
"""Numbers in a line of a block: a compromise between low boards, for which wide blocks are
faster, and others, for which high blocks are."""

EXACT_SQUARES = 1_000_000
"""Refused arrays up to this size are judged again, exactly: a few seconds at worst."""

GATHERED_SQUARES = 1 << 21
"""Largest arrays that are judged square by square: half a gigabyte of lists, a few seconds."""


class ArrayJudge:
    """Judge of an array in bands of consecutive whole rows, from row 0.

    A band may have any number of rows, and its memory may be used again once it is added.

    Parameters
    ----------
    problem : Problem
        On a board.
    by_columns : bool
        Whether the bands are of whole columns instead, each of shape (columns of the band, rows):
        the array transposed, as it lies in memory in Fortran order.

    Raises
    ------
    InputError
        If the problem is about a graph; by ``add`` if a band is not one of this board; by
        ``defects`` if the array is not complete.
    TooLargeError
        If the array must be judged square by square, and is too large for that.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> array = np.array([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]])
    >>> judge = ArrayJudge(Problem(Board(3, 4), closed=True))
    >>> judge.add(array[:2])
    >>> judge.add(array[2:])
    >>> [str(defect) for defect in judge.defects()]
    ['not closed: no way back from a2 to a1 by a move not used yet']
    """

    def __init__(self, problem: Problem, *, by_columns: bool = False) -> None:
        if problem.board is None:
            raise InputError(f"expected a problem on a board, got {problem.label}")
        self._problem, self._board, self._by_columns = problem, problem.board, by_columns
        self._lines = "columns" if by_columns else "rows"
        self._shape = transpose((self._board.rows, self._board.columns), by_columns)
        missing = sorted(transpose(square, by_columns) for square in self._board.missing)
        self._missing = np.array(missing, dtype=np.int64).reshape(-1, 2)
        self._block: Block | None = None
        self._added = self._judged = 0
        self._context: Lines | None = None
        self._findings = Findings(self._board.size)
        self._ends = Ends(problem)
        self._look = partial(judge_block, self._findings, self._ends, by_columns)
        self._named = sorted(transpose(square, by_columns) for square in named_squares(problem))
        knight = problem.piece == KNIGHT and self._board.surface is Surface.PLANE
        self._in_blocks = knight and not concerns_all_moves(problem)
        self._gathered: NDArray[Any] | None = None
        if not self._in_blocks and self._shape[0] * self._shape[1] > GATHERED_SQUARES:
            most = f"at most {GATHERED_SQUARES:,} squares to judge square by square"
            raise TooLargeError(f"expected {most}, got {problem.label}")

    @property
    def first(self) -> Square | None:
        """The square of step 1, if a band has held it."""
        return self._ends.first

    @property
    def last(self) -> Square | None:
        """The square of the highest step so far."""
        return self._ends.last

    @property
    def closes(self) -> bool:
        """Whether a move that is not used yet leads from the last square back to the first."""
        return self._ends.has_closing_move

    def add(self, band: NDArray[Any]) -> None:
        """Add the next rows."""
        dtype = self._expected(band)
        if not self._in_blocks:
            self._gather(band, dtype)
            return
        self._remember(band)
        pieces = [(self._added, np.asarray(band))]
        if self._context is not None:
            pieces.insert(0, self._context)
        if self._block is None:
            self._block = Block(dtype, self._shape, BLOCK_BYTES, WIDEST)
        self._added += len(band)
        complete = self._added == self._shape[0]
        # A line is judged after the two lines that follow it have been added.
        ready = self._added if complete else max(self._judged, self._added - 2)
        for lines, places in self._block.parts(range(self._judged, ready)):
            self._block.load(pieces, lines, places)
            self._judge(self._block, lines, places)
        self._judged = ready
        self._context = None if complete else lines_from(pieces, max(0, ready - 2))

    def defects(self) -> list[Defect]:
        """Return every rule that the array breaks, with a few squares each; empty for a tour."""
        if self._added < self._shape[0]:
            raise InputError(f"expected {self._shape[0]} {self._lines} in all, got {self._added}")
        found = self._findings.defects()
        if self._gathered is not None:
            whole = self._gathered.T if self._by_columns else self._gathered
            return exact_defects(self._problem, whole, found)
        size = self._board.size
        if self._ends.highest < size and not self._findings.many[Rule.UNVISITED]:
            text = f"some step repeated: {size} squares, and no step {size}"
            found.append(Defect(Rule.REPEATED, None, text))
        return found + self._ends.defects()

    def _expected(self, band: Any) -> np.dtype[Any]:
        """Return the type of a band's numbers, in native byte order, if the band fits."""
        lines, length = self._shape
        if not isinstance(band, np.ndarray):
            raise InputError(f"expected a NumPy array, got {type(band).__name__}")
        if band.dtype.kind not in "iu":
            raise InputError(f"expected an array of whole numbers, got dtype {band.dtype}")
        if band.ndim != 2 or band.shape[1] != length:
            raise InputError(f"expected {self._lines} of {length} squares, got shape {band.shape}")
        if (many := self._added + len(band)) > lines:
            raise InputError(f"expected {lines} {self._lines} in all, got at least {many}")
        dtype: np.dtype[Any] = band.dtype.newbyteorder("=")
        before = self._block if self._gathered is None else self._gathered
        if before is not None and before.dtype != dtype:
            raise InputError(f"expected dtype {before.dtype} as before, got {dtype}")
        return dtype

    def _gather(self, band: NDArray[Any], dtype: np.dtype[Any]) -> None:
        """Gather rows to be judged square by square; record the ends of the tour at once."""
        if self._gathered is None:
            self._gathered = np.empty(self._shape, dtype)
        self._gathered[self._added : self._added + len(band)] = band
        self._added += len(band)
        if self._added == self._shape[0] and len(band):
            self._look(self._gathered, None, self._missing, (0, 0))

    def _remember(self, band: NDArray[Any]) -> None:
        """Record the numbers of the squares that conditions name."""
        first = bisect_left(self._named, (self._added, 0))
        end = bisect_left(self._named, (self._added + len(band), 0))
        for line, place in self._named[first:end]:
            square = transpose((line, place), self._by_columns)
            self._ends.numbers[square] = int(band[line - self._added, place])

    def _judge(self, block: Block, lines: range, places: range) -> None:
        """Link the numbers of a block, and examine it if it has an end or a defect."""
        ends, highest, linked = block.link()
        missing = self._missing_squares(lines, places)
        strays = len(missing) and block.numbers[tuple(missing.T)].any()
        most = min(self._board.size, np.iinfo(block.dtype).max)
        if ends != len(missing) or strays or highest > most or not linked:
            self._look(block.numbers, block.linked, missing, (lines.start, places.start))
        elif highest > self._ends.highest:  # as in every block in which the tour goes upwards
            line, place = divmod(int(np.argmax(block.numbers)), len(places))
            if (step := int(block.numbers[line, place])) > self._ends.highest:
                where = (lines.start + line, places.start + place)
                self._ends.highest, self._ends.last = step, transpose(where, self._by_columns)

    def _missing_squares(self, lines: range, places: range) -> NDArray[Any]:
        """Return the missing squares of a block, as pairs counted from its corner."""
        first, end = np.searchsorted(self._missing[:, 0], (lines.start, lines.stop))
        found = self._missing[first:end] - (lines.start, places.start)
        inside = (found[:, 1] >= 0) & (found[:, 1] < len(places))
        return np.asarray(found[inside])


def array_defects(problem: Problem, array: NDArray[Any]) -> list[Defect]:
    """Return every rule that an array of step numbers breaks; an empty list means a tour.

    The array is not copied, and may be mapped from a file or lie in memory in any order.  Up to
    ``EXACT_SQUARES`` squares the list is exact; on larger boards it names a few squares of each
    kind.
    """
    board = problem.board
    by_columns = False
    if isinstance(array, np.ndarray) and board is not None:
        if array.shape != (shape := (board.rows, board.columns)):
            raise InputError(f"expected an array of shape {shape}, got {array.shape}")
        # Blocks are read line by line, so a line should be contiguous in memory.
        by_columns = abs(array.strides[0]) < abs(array.strides[1])
    judge = ArrayJudge(problem, by_columns=by_columns)
    judge.add(array.T if by_columns else array)
    found = judge.defects()
    small = array.size <= EXACT_SQUARES
    return exact_defects(problem, array, found) if found and small else found
