"""Small questions as whole processes, compared with clingo where it can answer them.

Each process starts Python, reads its files, and ends.  clingo gets the program of
:mod:`benchmarks.yardsticks` with its facts in a file.  If the environment variable
``KT_CP_PREVIOUS_PYTHON`` names a Python with another release of kt_cp, that release has a column.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import networkx as nx

from benchmarks.commands import run_command
from benchmarks.non_hamiltonian import flower_snark, horton, meredith
from benchmarks.puzzles import make_minimal
from benchmarks.runner import Measurement, Row, Table, figure, seconds
from benchmarks.search import board
from benchmarks.yardsticks import CLUES, CONFIGURATION, CYCLE, clue_facts, cycle_facts, installed
from kt_cp import Problem, solve
from kt_cp.compare import Task
from kt_cp.formats.drawing import draw_problem

PUZZLE, GRAPH, DIGRAPH = "puzzle.txt", "graph.g6", "graph.graphml"
CERTIFICATE, PROGRAM = "certificate.json", "program.lp"


@dataclass(frozen=True)
class Question:
    """A command, and a function for its problem.

    Attributes
    ----------
    words : str
        The arguments of ``kt-cp``.
    problem : callable
        Makes the problem; a question without one gets a board of its own as its key.
    program : callable, optional
        Writes the answer set program of a problem.
    most : float
        Limit of the median, in seconds.
    """

    words: str
    problem: Callable[[], Problem]
    program: Callable[[Problem], str] | None
    most: float


def cycle_program(problem: Problem) -> str:
    """Return the program for a Hamiltonian cycle."""
    return CYCLE + cycle_facts(problem)


def clue_program(problem: Problem) -> str:
    """Return the program for a puzzle."""
    return CLUES.read_text(encoding="utf-8") + clue_facts(problem)


def cycles(make: Callable[[], nx.Graph]) -> Callable[[], Problem]:
    """Return a function that makes the problem of a graph's cycles."""
    return lambda: Problem(graph=make(), closed=True)


def torus(rows: int, columns: int) -> nx.DiGraph:
    """Return a directed torus; without a cycle if the sides have no common divisor and exceed 1.

    Source: W. T. Trotter and P. Erdős, "When the Cartesian product of directed cycles is
    Hamiltonian", J. Graph Theory 2 (1978).
    """
    sides = [nx.cycle_graph(side, create_using=nx.DiGraph) for side in (rows, columns)]
    return nx.convert_node_labels_to_integers(nx.cartesian_product(*sides))


QUESTIONS = {
    "tour of 8x8": Question("solve 8x8 --closed", board("8x8"), cycle_program, 0.2),
    "Numbrix 9x9": Question(
        f"solve {PUZZLE} --piece wazir", partial(make_minimal, "9x9", "wazir", False, 1),
        clue_program, 0.3,
    ),
    "snark, 76 nodes": Question(
        f"solve {GRAPH} --closed", cycles(partial(flower_snark, 19)), cycle_program, 0.4
    ),
    "Horton": Question(f"solve {GRAPH} --closed", cycles(horton), cycle_program, 0.6),
    "Meredith": Question(f"solve {GRAPH} --closed", cycles(meredith), cycle_program, 0.6),
    "directed torus 10x9": Question(
        f"solve {DIGRAPH} --closed", cycles(partial(torus, 10, 9)), cycle_program, 0.4
    ),
    "count of 6x6": Question("count 6x6 --closed", board("6x6"), None, 0.2),
    "proof for 4x4": Question("prove 4x4", board("4x4", closed=False), None, 0.3),
    "version": Question("--version", board("1x1"), None, 0.1),
    "help": Question("--help", board("1x2"), None, 0.15),
    "check": Question(f"check {CERTIFICATE}", board("3x3"), None, 0.3),
}  # fmt: skip

MOST_SECONDS = 30.0
ANSWERS = (0, 1, 10, 20)
"""Exit codes of kt-cp and clingo with and without a tour."""


def ask(
    by_clingo: bool,
    problem: Problem,
    seed: int,
    most: float = MOST_SECONDS - 1,
    python: tuple[str, ...] = (sys.executable,),
) -> Mapping[str, float]:
    """Write the files of a question, and run its process."""
    question = next(each for each in QUESTIONS.values() if each.problem().label == problem.label)
    with tempfile.TemporaryDirectory(prefix="kt_cp-") as folder:
        words = question.words.split()
        for place, word in enumerate(words):
            if word in (PUZZLE, GRAPH, DIGRAPH, CERTIFICATE):
                path = Path(folder) / word
                write_file(problem, path)
                words[place] = str(path)
        if by_clingo:
            assert question.program is not None
            path = Path(folder) / PROGRAM
            path.write_text(question.program(problem), encoding="utf-8")
            options = [f"--configuration={CONFIGURATION}", f"--seed={seed}", "--quiet"]
            words = ["-m", "clingo", *options, str(path)]
        else:
            words = ["-m", "kt_cp", *words]
        return run_command(tuple(words), problem, seed, ANSWERS, most, python)


def write_file(problem: Problem, path: Path) -> None:
    """Write the file that a command reads."""
    if path.name == GRAPH:
        path.write_bytes(nx.to_graph6_bytes(problem.graph))
    elif path.name == DIGRAPH:
        nx.write_graphml(problem.graph, path)
    elif path.name == CERTIFICATE:
        certificate = solve(problem).certificate
        assert certificate is not None
        certificate.save(path)
    else:
        path.write_text(draw_problem(problem, problem.given), encoding="utf-8")


COLUMNS = {"kt-cp": Task("kt-cp", partial(ask, False))}
if previous := os.environ.get("KT_CP_PREVIOUS_PYTHON"):
    subprocess.run([previous, "-I", "-c", "import kt_cp"], check=True)
    COLUMNS["previous"] = Task("previous", partial(ask, False, python=(previous, "-I")))
if installed("clingo"):
    COLUMNS["clingo"] = Task("clingo", partial(ask, True))

SMALL = Measurement(
    lambda: [Row(name, question.problem) for name, question in QUESTIONS.items()],
    COLUMNS,
    (
        Table("Small questions, whole processes: seconds", {"seconds": seconds}),
        Table(
            "Small questions, whole processes: processor seconds",
            {"seconds": figure("processor_seconds", ".2f")},
        ),
    ),
    seeds=5,
    seconds=MOST_SECONDS,
    last={"clingo": "directed torus 10x9"} if installed("clingo") else {},
    most={(name, "kt-cp"): question.most for name, question in QUESTIONS.items()},
    note="clingo only answers the first six; it writes no evidence.",
)
