"""Exported formulas and answers to them, for the tests of ``kt-cp export`` and ``decode``."""

from __future__ import annotations

from pysat.formula import CNF
from pysat.solvers import Solver

# Problems with a tour for all encodings and solvers.
CASES = [
    "3x4",
    "5x6 --closed",
    "6x6 --closed --start c3",
    "5x5 --start a1",
    "4x5 --end a1",
    "5x6 --start a1 --end f1",
    "5x5 --start c3 --end a1",
    "5x6 --missing a1 --start b1",
    "4x5 --closed --surface torus --piece 1,3 --require a1-d2",
    "5x5 --surface moebius --piece zebra --start a1 --forbid a1-c4",
    "4x5 --surface klein --piece king --require a1-e4,b2-b3 --start a1 --end a4",
    "3x5 --surface cylinder --closed --require a1-c2,b1-d2 --forbid a1-b3",
    "5x6 --closed --require a1-c2 --forbid c3-e4,c3-a4",
    "4x5 --end a1 --forbid a1-c2",
]
IMPOSSIBLE = ["3x8 --closed", "4x4", "3x3 --closed", "5x5 --start c3 --end b4"]
IMPOSSIBLE += ["5x6 --closed --forbid a1-c2", "4x4 --piece ferz"]
IMPOSSIBLE += ["4x5 --surface klein --piece king --start a1 --end a4 --require a1-a4"]


def solved(cnf, solver="cadical195"):
    """Return a model of a DIMACS file or None; PySAT reads it, not the package."""
    with Solver(name=solver, bootstrap_with=CNF(from_file=str(cnf))) as native:
        return native.get_model() if native.solve() else None


def competition(model):
    """Return a model in the format of the SAT competitions, some literals per line."""
    if model is None:
        return "c by a test\ns UNSATISFIABLE\n"
    words = [*map(str, model), "0"]
    lines = [f"v {' '.join(words[i : i + 10])}" for i in range(0, len(words), 10)]
    return "\n".join(["c by a test", "s SATISFIABLE", *lines, ""])


def fields(path):
    """Return the fields ``c kt_cp KEY VALUE`` of an exported formula."""
    lines = path.read_text("utf-8").splitlines()
    return dict(line[8:].split(" ", 1) for line in lines if line.startswith("c kt_cp "))


def looped(kt_cp, cnf, answer, most=200):
    """Solve, decode and add cuts until a tour or a claim; return the last run and the rounds."""
    for rounds in range(1, most):
        answer.write_text(competition(solved(cnf)))
        result = kt_cp("decode", cnf, answer, "--cuts", cnf, "--force", "--format", "names")
        if result.code != 3:
            return result, rounds
    raise AssertionError(f"no end after {most} rounds")
