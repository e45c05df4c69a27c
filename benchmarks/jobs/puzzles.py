"""Puzzles of one kind: solved and refuted, each by us and then by clingo; seconds are processor's.

``python -m benchmarks.jobs.puzzles 8x8 knight closed 1000`` makes as many as are lacking, by seeds
from 1 on.  They are kept under ``build/``, with the seconds that it took.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.plan import CLINGO
from benchmarks.yardsticks import installed
from kt_cp import Enumeration, Problem, make_puzzle

DIRECTORY = Path(__file__).parents[2] / "build" / "puzzles"
AT_ONCE = 20
"""Puzzles made before the file is written again."""


def puzzles(board: str, piece: str, kind: str, many: str) -> dict[str, Any]:
    """Seconds of each, from its numbers to the end of the search; clues, and seconds to make it."""
    from benchmarks.jobs.clues import counter

    asked = {"piece": piece, "closed": kind == "closed"}
    _refuted(Problem("5x6", closed=True, given={"a1": 1, "f2": 9, "c1": 27}))  # compiles
    told: dict[str, list[float]] = {"times": [], "clingo": [], "clues": [], "making": []}
    count = counter(CLINGO) if installed(CLINGO) else None
    for puzzle in made(board, piece, kind, int(many)):
        given = puzzle["given"]
        asking = time.process_time()
        single = _refuted(Problem(board, given=given, **asked))
        solved = time.process_time()
        told["times"].append(solved - asking)
        told["clues"].append(len(given))
        told["making"].append(puzzle["seconds"])
        if count is not None:
            single &= count(Problem(board, given=given, **asked)) == 1
            told["clingo"].append(time.process_time() - solved)
        if not single:
            return {"status": "WRONG", "seconds": sum(told["times"])}
    return {"status": "FOUND", "seconds": sum(told["times"]), **told}


def _refuted(problem: Problem) -> bool:
    """Whether there is one tour and no other."""
    everything = Enumeration(problem)
    return len(list(everything)) == 1 and everything.complete


def made(board: str, piece: str, kind: str, many: int) -> list[dict[str, Any]]:
    """The puzzles of the first seeds, those that are lacking made now."""
    file = DIRECTORY / f"{board} {piece} {kind}.json"
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    if len(kept) < many:
        make_puzzle("5x5", seed=1)  # compiles
    while len(kept) < many:
        began = time.process_time()
        puzzle = make_puzzle(board, piece=piece, closed=kind == "closed", seed=len(kept) + 1)
        seconds = time.process_time() - began
        given = json.loads(puzzle.to_json())["problem"]["given"]
        kept.append({"given": given, "seconds": round(seconds, 4)})
        if len(kept) % AT_ONCE == 0 or len(kept) == many:
            DIRECTORY.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(".part")
            part.write_text(json.dumps(kept) + "\n", encoding="utf-8")
            part.replace(file)
    return kept[:many]


if __name__ == "__main__":
    made(*sys.argv[1:4], int(sys.argv[4]))
