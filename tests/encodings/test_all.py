"""All encodings on one question: boards that have no tour, and the largest graphs of the oracle."""

from __future__ import annotations

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, get_engine
from kt_cp.encodings import ENCODING_NAMES, get_encoding
from kt_cp.model.limits import Limits
from kt_cp.proofs.theorems import theorem
from kt_cp.testing import oracle
from tests.encodings.test_common import hold

WITHIN = [(5, 5), (3, 8), (4, 8)]
NONE = [
    problem
    for rows, columns in sorted(
        {
            (r, c)
            for most, longest in WITHIN
            for r in range(1, most + 1)
            for c in range(r, longest + 1)
        }
    )
    for closed in (False, True)
    if rows * columns > 2
    and theorem(problem := Problem(Board(rows, columns), closed=closed)) is not None
]
"""Every board within those sizes that has no tour, open or closed, as the theorems say."""


def test_there_are_such_boards():
    labels = {problem.label for problem in NONE}
    assert {"3x3, open", "4x4, open", "3x5, open", "3x8, closed", "4x8, closed"} <= labels
    assert "3x4, open" not in labels


@pytest.mark.parametrize("name", ENCODING_NAMES)
@pytest.mark.parametrize("problem", NONE, ids=lambda problem: problem.label)
def test_all_encodings_agree_that_there_is_no_tour(problem, name):
    engine = get_engine(f"sat:{name}")
    outcome = engine.solve(problem, limits=Limits(), seed=0, progress=None)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert get_encoding(name).solver in outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_graphs_of_eight_vertices(seed):
    graph = nx.gnp_random_graph(8, (0.35, 0.5, 0.6)[seed % 3], seed=seed)
    conditions = ({}, {"closed": True}, {"start": 0, "end": 5})[seed // 2]
    problem = Problem(graph=graph, **conditions)
    first = 0 if problem.closed else problem.start
    tours = list(oracle.tours(graph, problem.closed, first, problem.end))
    for name in ENCODING_NAMES:
        hold(name, problem, tours)
