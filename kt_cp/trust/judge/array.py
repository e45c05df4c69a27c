"""The judge of whole boards: arrays of step numbers, up to many hundred million squares.

An array has the shape (rows, columns); ``array[row, column]`` is the step, counted from 1, at which
the tour visits that square, and 0 on missing squares.  Row 0 is rank 1.

**The lemma.**  Let the board have N squares.  If every square holds one of the numbers 1 to N, one
of them holds N, and every square that holds v > 1 has a square a knight's move away that holds
v - 1, then the array is an open tour.  For N stands somewhere, so N - 1 stands a knight's move from
there, and so on down to 1.  All N numbers occur on N squares, hence each of them once, and each is
a knight's move from the one before.  The tour is closed if N is a knight's move from 1, N > 2.

So nothing has to be sorted, inverted or marked: neighbourhoods alone tell a tour.  The board goes
by in blocks that fit into the cache.  Each number is compared with its eight neighbours, and only
the square of 1 and the square of the highest number have to be remembered.  Streams hold four lines
of context, since a knight moves by at most two.

Cost: linear, about twice as long as filling an array with numbers and copying it, and no memory
beyond a block and the context of a stream (``benchmarks/MEASURED.md``).

When it loses: where a list of squares in the order of the tour is at hand, ``squares`` judges it as
it is.  And the array judge cannot say which number is repeated: that shows as a broken link
somewhere else.  So small arrays that are refused are looked at again, exactly.  Of conditions it
remembers the numbers of the squares that they name.

Blocks know the knight on the plane alone.  Arrays of other pieces, of other surfaces and of tours
that have to be symmetric are gathered and judged square by square, up to ``GATHERED_SQUARES``.

A block of step numbers within walls, small enough for the cache, and which are linked.

A number is *linked* if it is 1 or if some square a knight's move away holds the number before it.
The block lies in one flat buffer, line after line, with two lines of its surroundings above and
below, and two walls, which hold 0, at the end of every line.  Then a knight's move is one distance
in the buffer for all squares alike, and a move over an edge ends in a wall: so the eight moves are
eight comparisons of whole vectors, without a word about edges, on narrow blocks as on wide ones.

Numbers are compared as unsigned integers of the array's own width.  The number before v is v - 1,
which overflows only at 0, and a 0 is no step: nothing is asked of it here.  A negative number
becomes one beyond every board, which the highest number shows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kt_cp.model.board import Square
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.piece import KNIGHT
from kt_cp.model.problem import Problem
from kt_cp.model.surface import Surface
from kt_cp.trust.judge.array import Ends, Findings, exact_defects, look, turned
from kt_cp.trust.judge.conditions import concerns_all_moves, named_squares
from kt_cp.trust.judge.rules import Defect, Rule

MOVES = tuple((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b))

Lines = tuple[int, NDArray[Any]]
"""Consecutive lines of the board: the index of the first, and an array of whole lines."""


class Block:
    """Buffers for one block after another; nothing is allocated for each.

    Parameters
    ----------
    dtype : numpy.dtype
        Of the numbers: an integer type.
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
        """Lines and places of one block after another."""
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
        """How many numbers are 0 or 1, the highest here or beside, and whether all are linked."""
        cells = len(self._lines) * self._stride
        own = 2 + 2 * self._stride
        flat = self._flat
        numbers = flat[own : own + cells]
        before, linked, same = self._before[:cells], self._linked[:cells], self._same[:cells]
        np.less_equal(numbers, 1, out=linked)
        if self._margin:  # walls are linked by their 0s, and the surroundings by decree
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
        """Which of them are linked."""
        lines = len(self._lines)
        across = self._linked[: lines * self._stride].reshape(lines, self._stride)
        return across[:, self._margin : self._margin + len(self._places)]


def tail(pieces: list[Lines], start: int) -> Lines:
    """A copy of the lines from one on."""
    return start, np.concatenate([piece[max(0, start - first) :] for first, piece in pieces])


BLOCK_BYTES = 320_000
"""Of the numbers of a block: as large as the cache allows (``benchmarks/MEASURED.md``)."""

WIDEST = 16_384
"""Numbers in a line of a block: low boards like width, others lines, and this suits both."""

EXACT_SQUARES = 1_000_000
"""Arrays up to this size are looked at again if they are refused: some seconds at worst."""

GATHERED_SQUARES = 1 << 21
"""Largest arrays that are judged square by square: half a gigabyte of lists, some seconds."""


class ArrayJudge:
    """Judge of an array that comes in bands of consecutive whole rows, from row 0.

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
        If the array is too large to be judged square by square, and has to be.

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
        self._shape = turned((self._board.rows, self._board.columns), by_columns)
        missing = sorted(turned(square, by_columns) for square in self._board.missing)
        self._missing = np.array(missing, dtype=np.int64).reshape(-1, 2)
        self._block: Block | None = None
        self._added = self._judged = 0
        self._context: Lines | None = None
        self._findings = Findings(self._board.size)
        self._ends = Ends(problem)
        self._look = partial(look, self._findings, self._ends, by_columns)
        self._named = sorted(turned(square, by_columns) for square in named_squares(problem))
        knight = problem.piece == KNIGHT and self._board.surface is Surface.PLANE
        self._in_blocks = knight and not concerns_all_moves(problem)
        self._gathered: NDArray[Any] | None = None
        if not self._in_blocks and self._shape[0] * self._shape[1] > GATHERED_SQUARES:
            most = f"at most {GATHERED_SQUARES:,} squares to judge square by square"
            raise TooLargeError(f"expected {most}, got {problem.label}")

    @property
    def first(self) -> Square | None:
        """The square of step 1, if it has come."""
        return self._ends.first

    @property
    def last(self) -> Square | None:
        """The square of the highest step that has come."""
        return self._ends.last

    @property
    def closes(self) -> bool:
        """Whether a move leads from the last square back to the first, and a new one."""
        return self._ends.close

    def add(self, band: NDArray[Any]) -> None:
        """Take the next rows."""
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
        # A line is judged once the two lines after it are there.
        ready = self._added if complete else max(self._judged, self._added - 2)
        for lines, places in self._block.parts(range(self._judged, ready)):
            self._block.load(pieces, lines, places)
            self._judge(self._block, lines, places)
        self._judged = ready
        self._context = None if complete else tail(pieces, max(0, ready - 2))

    def defects(self) -> list[Defect]:
        """Every rule that the array breaks, told by a few squares each; empty for a tour."""
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
        """The type of a band's numbers, in this machine's order of bytes, if the band fits."""
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
        """Keep the next rows, to be judged square by square; the ends of the tour at once."""
        if self._gathered is None:
            self._gathered = np.empty(self._shape, dtype)
        self._gathered[self._added : self._added + len(band)] = band
        self._added += len(band)
        if self._added == self._shape[0] and len(band):
            self._look(self._gathered, None, self._missing, (0, 0))

    def _remember(self, band: NDArray[Any]) -> None:
        """The numbers of those squares that conditions name."""
        first = bisect_left(self._named, (self._added, 0))
        end = bisect_left(self._named, (self._added + len(band), 0))
        for line, place in self._named[first:end]:
            square = turned((line, place), self._by_columns)
            self._ends.numbers[square] = int(band[line - self._added, place])

    def _judge(self, block: Block, lines: range, places: range) -> None:
        """Link the numbers of a block, and look closer where anything is worth it."""
        ends, highest, linked = block.link()
        missing = self._missing_in(lines, places)
        strays = len(missing) and block.numbers[tuple(missing.T)].any()
        most = min(self._board.size, np.iinfo(block.dtype).max)
        if ends != len(missing) or strays or highest > most or not linked:
            self._look(block.numbers, block.linked, missing, (lines.start, places.start))
        elif highest > self._ends.highest:  # as in every block, where the tour goes upwards
            line, place = divmod(int(np.argmax(block.numbers)), len(places))
            if (step := int(block.numbers[line, place])) > self._ends.highest:
                where = (lines.start + line, places.start + place)
                self._ends.highest, self._ends.last = step, turned(where, self._by_columns)

    def _missing_in(self, lines: range, places: range) -> NDArray[Any]:
        """Missing squares of a block, as pairs counted from its corner."""
        first, end = np.searchsorted(self._missing[:, 0], (lines.start, lines.stop))
        found = self._missing[first:end] - (lines.start, places.start)
        inside = (found[:, 1] >= 0) & (found[:, 1] < len(places))
        return np.asarray(found[inside])


def array_defects(problem: Problem, array: NDArray[Any]) -> list[Defect]:
    """Every rule of a problem that an array of step numbers breaks; an empty list means a tour.

    The array is not copied, and may be mapped from a file or lie in memory in any order.  Up to
    ``EXACT_SQUARES`` squares the list is exact; on larger boards it names a few squares of each
    kind.

    Raises
    ------
    InputError
        If the array is not one of whole numbers in the shape of the problem's board.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> array = np.array([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]])
    >>> array_defects(Problem(Board(3, 4)), array)
    []
    >>> array[0, 0] = 12
    >>> [str(defect) for defect in array_defects(Problem(Board(3, 4)), array)][-1]
    'step 12 repeated: a1, a2'
    """
    board = problem.board
    by_columns = False
    if isinstance(array, np.ndarray) and board is not None:
        if array.shape != (shape := (board.rows, board.columns)):
            raise InputError(f"expected an array of shape {shape}, got {array.shape}")
        # Blocks are read line by line, so a line should be what lies together in memory.
        by_columns = abs(array.strides[0]) < abs(array.strides[1])
    judge = ArrayJudge(problem, by_columns=by_columns)
    judge.add(array.T if by_columns else array)
    found = judge.defects()
    small = array.size <= EXACT_SQUARES
    return exact_defects(problem, array, found) if found and small else found
