"""All tours of a small problem in a certificate's JSON, by a search apart from the package.

Moves are those of :mod:`tests.naive`, conditions those of :mod:`tests.questions`.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise

import networkx as nx

from kt_cp.testing.questions import Question
from tests import naive


@cache
def tours_of(text):
    """All tours of a problem, given as JSON, as sets of moves."""
    told = json.loads(text)
    if "nodes" in told:
        graph = nx.Graph(map(tuple, told["edges"]))
        graph.add_nodes_from(told["nodes"])
        square = str
    else:
        square = place
        missing = {place(name) for name in told["missing"]}
        leaps = [tuple(leap) for leap in told["piece"]]
        beside = naive.neighbours(told["rows"], told["columns"], missing, told["surface"], leaps)
        graph = nx.Graph(beside)
    conditions = {
        key: tuple(tuple(map(square, move)) for move in told[key]) for key in ("require", "forbid")
    }
    conditions["given"] = tuple((square(name), step) for name, step in told["given"])
    for key in ("start", "end"):
        conditions[key] = None if told[key] is None else square(told[key])
    sides = told.get("rows", 1), told.get("columns", 1)
    question = Question(
        *sides, frozenset(), "", "", told["closed"], graph, symmetry=told["symmetry"], **conditions
    )
    return frozenset(moves_of(walk, told["closed"]) for walk in question.tours()), square


def place(name):
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def moves_of(walk, closed):
    walk = [*walk]
    return frozenset(map(frozenset, pairwise([*walk, *walk[: bool(closed)]])))


def is_true(document):
    """Whether the tours that a certificate lists, or none, are all tours of its problem."""
    problem = document["problem"]
    tours, square = tours_of(json.dumps(problem, sort_keys=True))
    listed = document["evidence"].get("tours", [])
    claimed = {moves_of(map(square, walk), problem["closed"]) for walk in listed}
    return claimed == tours and len(claimed) == len(listed)
