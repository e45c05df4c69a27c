"""Puzzles: given steps that exactly one tour has, with their generator, grades and hints.

Code that makes or grades puzzles belongs here, above the engines and the enumeration.  Code that
draws and writes them is in ``render/`` and ``formats/``, which use only boards and numbers.
"""

from kt_cp.puzzles.generator import make_puzzle
from kt_cp.puzzles.grades import Grade, grade_of
from kt_cp.puzzles.hints import Hint, hint
from kt_cp.puzzles.puzzle import NoPuzzleError, Puzzle

__all__ = ["Grade", "Hint", "NoPuzzleError", "Puzzle", "grade_of", "hint", "make_puzzle"]
