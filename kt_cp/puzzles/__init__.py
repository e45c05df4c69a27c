"""Puzzles: given steps that one tour alone has, how hard they are, and how they are made.

Whatever makes or grades a puzzle lives here, above the engines and the enumeration that it asks.
How a puzzle is drawn and written is in ``render/`` and ``formats/``, which know boards and numbers
and nothing of puzzles.
"""

from kt_cp.puzzles.generator import make_puzzle
from kt_cp.puzzles.grades import Grade, grade_of
from kt_cp.puzzles.hints import Hint, hint
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle

__all__ = ["Grade", "Hint", "NoPuzzleError", "Puzzle", "grade_of", "hint", "make_puzzle"]
