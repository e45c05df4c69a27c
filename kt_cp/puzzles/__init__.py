"""Puzzles: given steps that one tour alone has, their grades, hints, and how they are made.

Everything that makes or grades a puzzle lives here, above the engines and the enumeration.  How a
puzzle is drawn and written is in ``render/`` and ``formats/``, which know boards and numbers only.
"""

from kt_cp.puzzles.generator import make_puzzle
from kt_cp.puzzles.grades import Grade, grade_of
from kt_cp.puzzles.hints import Hint, hint
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle

__all__ = ["Grade", "Hint", "NoPuzzleError", "Puzzle", "grade_of", "hint", "make_puzzle"]
