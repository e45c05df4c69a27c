"""Puzzles of one kind: made, then each solved and refuted; the seconds are the processor's."""

from __future__ import annotations

import time
from typing import Any

from kt_cp import Enumeration, Problem, make_puzzle
from kt_cp.model.conditions import Given


def puzzles(board: str, piece: str, kind: str, many: str, seed: str) -> dict[str, Any]:
    """Seconds of each, from its numbers to the end of the search; clues, and seconds to make it."""
    asked = {"piece": piece, "closed": kind == "closed"}
    list(Enumeration(make_puzzle("5x5", seed=1).problem))  # compiles
    times, clues, making = [], [], []
    for number in range(int(many)):
        began = time.process_time()
        puzzle = make_puzzle(board, seed=int(seed) + number, **asked)
        made = time.process_time()
        given = {each.square: each.step for each in puzzle.problem.conditions
                 if isinstance(each, Given)}  # fmt: skip
        asking = time.process_time()
        everything = Enumeration(Problem(board, given=given, **asked))
        found = [tour.squares for tour in everything]
        times.append(time.process_time() - asking)
        making.append(made - began)
        clues.append(len(given))
        if found != [puzzle.tour.squares] or not everything.complete:
            return {"status": "WRONG", "seconds": sum(times)}
    told = {"times": times, "clues": clues, "making": making}
    return {"status": "FOUND", "seconds": sum(times), **told}
