"""Other solvers, run on the files of models/, and the tours in their output.

Tours are parsed without the package, except for the names of squares.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from itertools import pairwise

import clingo
import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.model.board import parse_square, parse_squares
from tests.support.artefacts import MODELS
from tests.support.command_line import PATIENCE, ROOT

KISSAT = str(distribution("passagemath-kissat").locate_file("sage_wheels/bin/kissat"))
SAT_SOLVERS = ("kissat", "cadical")
OUTSIDE = "end"


def program(name, package=None):
    """Return the path of a program; skip the test without it, except under ``CI``."""
    if name == "kissat":
        return KISSAT
    path = shutil.which(name)
    if path is None and os.environ.get("CI"):
        pytest.fail(f"{name} is not installed, and CI is set: .ci/run installs it as root")
    return path or pytest.skip(f"{name} is not installed: try apt-get install {package or name}")


def output(*command, stdin=None):
    result = subprocess.run(
        list(map(str, command)), input=stdin, cwd=ROOT, capture_output=True, text=True,
        timeout=PATIENCE,
    )  # fmt: skip
    assert result.returncode in (0, 10, 20, 30), f"{command}: {result.returncode}\n{result.stderr}"
    return result.stdout


def edges(walk, closed):
    """Return the moves of a tour, independent of its direction and first square."""
    return frozenset(map(frozenset, pairwise([*walk, walk[0]] if closed else walk)))


# --- MiniZinc -------------------------------------------------------------------------------------


def minizinc(*arguments):
    """Return every tour that MiniZinc prints, and whether it reports that these are all."""
    lines = output(program("minizinc"), *arguments).splitlines()
    status = {line for line in lines if line[:2] in ("--", "==")}
    tours = [parse_squares(line) for line in lines if line and line not in status]
    assert status <= {"-" * 10, "=" * 10, "=====UNSATISFIABLE====="}
    assert len(tours) == lines.count("-" * 10)
    return tours, bool(status & {"=" * 10, "=====UNSATISFIABLE====="})


# --- clingo ---------------------------------------------------------------------------------------


def answer_sets(constants=(), files=(), program=""):
    """Return every answer set of a program, as its shown atoms, after an exhaustive search."""
    options = [word for each in constants for word in ("-c", each)]
    control = clingo.Control(["0", *options], logger=lambda *message: pytest.fail(str(message)))
    for path in files:
        control.load(str(path))
    control.add("base", [], program)
    control.ground()
    found = []
    assert control.solve(on_model=lambda m: found.append(m.symbols(shown=True))).exhausted
    return found


def answer_set_tours(constants, program=""):
    """Return every tour of the model in ASP."""
    sets = answer_sets(constants, [MODELS / "knights_tour.lp"], program)
    return [_walk(atoms) for atoms in sets]


def _walk(atoms):
    (first,) = (_square(a.arguments[0]) for a in atoms if a.name == "first")
    moves = [tuple(map(_square, a.arguments)) for a in atoms if a.name == "next"]
    after, walk = dict(moves), [first]
    assert len(after) == len(moves)
    while walk[-1] in after and after[walk[-1]] != first:
        walk.append(after[walk[-1]])
    assert len(moves) - len(walk) in (0, -1)
    return tuple(walk)


def _square(symbol):
    rank, file = symbol.arguments
    return rank.number - 1, file.number - 1


# --- formulas -------------------------------------------------------------------------------------


def meaning_of(text):
    """Return the meaning of each variable from the comments of a formula."""
    pairs = re.findall(r"^c ([0-9]+) (\S+(?: at [0-9]+)?)$", text, re.MULTILINE)
    return {int(number): what for number, what in pairs}


def clasp(text):
    """Return every model of a formula, as the meanings of its true variables.

    clasp reads the DIMACS file unchanged.  Variables without a comment are projected away.
    """
    meaning = meaning_of(text)
    head = re.search(r"^p cnf .*\n", text, re.MULTILINE).end()
    project = " ".join(map(str, meaning))
    options = ["--mode=clasp", "--parse-ext", "--project", "--verbose=1", "0"]
    printed = output(
        sys.executable, "-m", "clingo", *options,
        stdin=f"{text[:head]}c project {project} 0\n{text[head:]}",
    )  # fmt: skip
    assert "\nc Models         : " in printed
    models = [
        {meaning[int(word)] for word in answer.split() if word.isdigit() and int(word) in meaning}
        for answer in re.findall(r"^c Answer: [0-9]+.*\n((?:v .*\n)+)", printed, re.MULTILINE)
    ]
    assert f"\nc Models         : {len(models)}\n" in printed
    assert (not models) == ("\ns UNSATISFIABLE\n" in printed)
    return models


def tours_of(models, closed, squares):
    """Return the tours among models; all other models must consist of several cycles."""
    found = []
    for meanings in models:
        steps = [what.split(" at ") for what in meanings if " at " in what]
        if steps:
            walk = sorted((int(step), parse_square(name)) for name, step in steps)
            assert [step for step, _ in walk] == list(range(1, squares + 1))
            found.append(edges([square for _, square in walk], closed))
            continue
        graph = nx.Graph([re.split("->|-", what) for what in meanings])
        assert len(graph) == graph.number_of_edges() == squares + (not closed)
        assert all(degree == 2 for _, degree in graph.degree)
        if nx.is_connected(graph):
            moves = [move for move in graph.edges if OUTSIDE not in move]
            found.append(frozenset(frozenset(map(parse_square, move)) for move in moves))
    return found


# --- CP-SAT ---------------------------------------------------------------------------------------


def fields(text):
    """Parse a text proto into nested dictionaries of lists, without knowledge of its schema."""
    words = iter(re.findall(r'"[^"]*"|[\w.-]+|[{}\[\]]', re.sub("^#.*", "", text, flags=re.M)))

    def message():
        found = {}
        for name in words:
            if name == "}":
                break
            value = next(words)
            if value == "[":
                found.setdefault(name, []).extend(iter(lambda: next(words), "]"))
            else:
                value = message() if value == "{" else value.strip('"')
                found.setdefault(name, []).append(value)
        return found

    return message()


CARDINALITY = {"bool_or": "1 {} ", "at_most_one": "{} 1", "exactly_one": "{} = 1"}


def as_answer_sets(text):
    """Return the models of a text proto of CP-SAT, as the names of their true variables, by clingo.

    Each constraint becomes a part of an answer set program; the circuit is stated by reachability.
    """
    proto = fields(text)
    names = [name for variable in proto["variables"] for name in variable["name"]]
    assert all(variable["domain"] == ["0", "1"] for variable in proto["variables"])
    stated = [f"{{true(0..{len(names) - 1})}}. #show true/1."]
    for number, constraint in enumerate(proto["constraints"]):
        ((kind, (arguments,)),) = constraint.items()
        literals = [int(literal) for literal in arguments.get("literals", [])]
        if kind != "circuit":
            wanted = "; ".join(f"true({v})" if v >= 0 else f"not true({~v})" for v in literals)
            stated.append(f":- not {CARDINALITY[kind].format(f'{{{wanted}}}')}.")
            continue
        arcs = list(zip(arguments["tails"], arguments["heads"], literals, strict=True))
        stated += [f"arc({number},{u},{v},{literal})." for u, v, literal in arcs]
        assert min(literals) >= 0 and all(u != v for u, v, _ in arcs)
    stated.append("""
        node(C,(U;V)) :- arc(C,U,V,_).
        taken(C,U,V) :- arc(C,U,V,L), true(L).
        :- node(C,U), {taken(C,U,V)} != 1.
        :- node(C,V), {taken(C,U,V)} != 1.
        reached(C,U) :- U = #min{V : node(C,V)}, node(C,_).
        reached(C,V) :- reached(C,U), taken(C,U,V).
        :- node(C,U), not reached(C,U).
    """)
    sets = answer_sets(program="\n".join(stated))
    return [{names[atom.arguments[0].number] for atom in atoms} for atoms in sets]


def published(row):
    problem = Problem(Board(int(row["rows"]), int(row["columns"])), closed=row["kind"] == "closed")
    return problem, int(row["count"]) * (1 if row["unit"] == "directed" else 2)


def minizinc_data(problem):
    """Return the parameters of the MiniZinc models, with squares numbered from a1 = 1."""
    board = problem.board

    def number(square):
        return square[0] * board.columns + square[1] + 1

    parameters = [
        f"rows={board.rows}",
        f"columns={board.columns}",
        f"closed={problem.closed}".lower(),
    ]
    parameters += [f"{key}={number(square)}" for key, square in ends_of(problem).items()]
    gone = ",".join(str(number(square)) for square in board.missing)
    return ";".join([*parameters, f"missing={{{gone}}}"] if gone else parameters)


def clingo_facts(problem):
    """Return the constants for clingo, and facts for the missing squares."""
    board = problem.board
    constants = [f"rows={board.rows}", f"columns={board.columns}", f"closed={int(problem.closed)}"]
    constants += [
        f"{key}=({row + 1},{column + 1})" for key, (row, column) in ends_of(problem).items()
    ]
    return constants, "".join(
        f"missing(({row + 1},{column + 1}))." for row, column in board.missing
    )


def ends_of(problem):
    both = {"start": problem.start, "end": problem.end}
    return {key: square for key, square in both.items() if square is not None}


def by_clingo(problem):
    return answer_set_tours(*clingo_facts(problem))


def by_minizinc(model, problem):
    tours, all_of_them = minizinc("-a", MODELS / model, "-D", minizinc_data(problem))
    assert all_of_them
    return tours
