"""Given steps and symmetries: as many models as the oracle has tours, in every encoding."""

from __future__ import annotations

import pytest

from kt_cp.encodings import ENCODING_NAMES, FOR_PROOFS, get_encoding
from kt_cp.model.conditions import Given, Symmetry
from kt_cp.testing.encoding import all_tours, edges_of
from kt_cp.testing.problems import with_clues
from tests.encodings.test_common import STEPS
from tests.support.exhaustive import more


def fits(name, problem):
    return {type(each) for each in problem.conditions} <= get_encoding(name).takes


def wanted(name, asked, tours):
    """How many models the tours make; where both directions fit, most encodings have one of them.

    position and channel write an open tour without clues and ends from colour 0 where the order is
    even and the graph is bipartite, so there is one direction of these as well.
    """
    problem = asked.problem()
    walks = {tuple(tour) for tour in tours}
    if problem.closed and problem.start is None and not asked.given:
        walks = {walk for walk in walks if walk[0] == min(walks)[0]}
    one_each = len({frozenset(edges_of(walk, problem)) for walk in walks})
    if name in STEPS:
        free = not (asked.given or asked.start or asked.end or asked.closed)
        colours = problem.indexed.colours
        return one_each if free and colours is not None and problem.size % 2 == 0 else len(walks)
    return one_each


def hold(name, seed):
    asked = with_clues(seed, 10)
    problem = asked.problem()
    if not fits(name, problem):
        return False
    tours = list(asked.tours())
    made = all_tours(name, problem)
    note = f"{name}, seed {seed}: {problem.label}"
    assert {edges_of(tour, problem) for tour in made} == {edges_of(t, problem) for t in tours}, note
    assert len(made) == wanted(name, asked, tours), note
    if asked.given:
        assert {*map(tuple, made)} <= {*map(tuple, tours)}, note
    return bool(tours)


@pytest.mark.parametrize("name", (*ENCODING_NAMES, FOR_PROOFS))
def test_as_many_models_as_tours(name):
    seen = [hold(name, seed) for seed in range(more(24, 400))]
    assert sum(seen) >= 3


def test_who_takes_what():
    steps = {name for name in ENCODING_NAMES if Given in get_encoding(name).takes}
    assert steps == {"position", "channel", "adder", "lfsr", "remainder"}
    turned = {name for name in ENCODING_NAMES if Symmetry in get_encoding(name).takes}
    assert turned == {*ENCODING_NAMES} - {"position"}
