"""What came of each seed, kept in a store: another run with the same folder makes none of it again.

A seed is a piece of an executor.  On a large board a seed takes minutes, and for a rare grade most
seeds give no puzzle.  So both are kept: puzzles, and seeds that gave none.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.counting.store import Pieces, pieces_in
from kt_cp.model.conditions import Given
from kt_cp.model.problem import changed
from kt_cp.processes.pieces import Done
from kt_cp.puzzles.grades import Grade
from kt_cp.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from kt_cp.counting.method import Content
    from kt_cp.model.problem import Problem


def _packed(done: Done) -> Content:
    """What came of a seed: its puzzle, if there is one, and how many clues were needed."""
    made, needed = done.value
    squares = [] if made is None else [*made.tour]
    place = {square: at for at, square in enumerate(squares)}
    index = {} if made is None else made.problem.indexed.index
    conditions = () if made is None else made.problem.conditions
    clues = [each.step - 1 for each in conditions if isinstance(each, Given)]
    several = {
        "tour": [index[square] for square in squares],
        "clues": clues,
        "needless": [] if made is None else [place[square] for square in made.needless],
    }
    content = {name: np.array(each, dtype=np.int32) for name, each in several.items()}
    grade = 0 if made is None else [*Grade].index(made.grade)
    return {**content, "grade": grade, "needed": int(needed)}


def _unpacked(content: dict[str, Any], piece: tuple[Any, ...]) -> Done:
    problem, seed, *_ = piece
    nodes = problem.indexed.nodes
    squares = [nodes[vertex] for vertex in content["tour"].tolist()]
    given = {squares[at]: at + 1 for at in content["clues"].tolist()}
    made = None
    if squares:
        asked = changed(problem, given=given)
        needless = tuple(squares[at] for at in content["needless"].tolist())
        grade = [*Grade][content["grade"]]
        made = Puzzle(asked, asked.tour(squares), grade, seed, needless)
    return Done((made, content["needed"]))


def kept(
    path: Path | None, problem: Problem, seed: int, **asked: Any
) -> AbstractContextManager[Pieces | None]:
    """A store of the puzzles that are asked for, seeds counted up from one; None for no path.

    Raises
    ------
    StoreError
        As :class:`kt_cp.counting.store.Folder` has it.
    """
    if path is None:
        return nullcontext()
    told = [f"{name} {value}" for name, value in asked.items() if value is not None]
    name = ", ".join([f"puzzles from seed {seed}", *told])
    return pieces_in(path, problem, name, _packed, _unpacked)
