"""Each invalid argument of a Python function raises a clear error before any search."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import kt_cp
from kt_cp.compare import compare
from kt_cp.model.limits import Limits

GRAPH = nx.cycle_graph(4)


@pytest.mark.parametrize(
    ("function", "keywords", "message"),
    [
        (kt_cp.solve, {"closed": "no"}, "expected closed to be True or False, got 'no'"),
        (kt_cp.solve, {"closed": 2}, "expected closed to be True or False, got 2"),
        (kt_cp.solve, {"engine": None}, "expected an engine, one of .*; got None"),
        (kt_cp.solve, {"engine": 3}, "expected an engine, one of .*; got 3"),
        (kt_cp.solve, {"time_limit": "5"}, "expected a time limit as a number, got '5'"),
        (kt_cp.solve, {"time_limit": True}, "expected a time limit as a number, got True"),
        (kt_cp.solve, {"memory_limit": "1 GB"}, "expected a memory limit as a number"),
        (kt_cp.solve, {"workers": "2"}, "expected at least 1 worker, got '2'"),
        (kt_cp.solve, {"workers": 1.5}, "expected at least 1 worker, got 1.5"),
        (kt_cp.solve, {"seed": -1}, "expected a seed, a whole number of 0 or more, got -1"),
        (kt_cp.solve, {"seed": 1.5}, "expected a seed, a whole number of 0 or more, got 1.5"),
        (kt_cp.solve, {"seed": None}, "expected a seed, a whole number of 0 or more, got None"),
        (kt_cp.solve, {"missing": 5}, "expected missing squares such as 'c3,d4', got 5"),
        (kt_cp.prove, {"seed": "a"}, "expected a seed"),
        (kt_cp.prove, {"time_limit": "x"}, "expected a time limit as a number"),
        (kt_cp.count, {"method": None}, "expected a method of counting, one of .*; got None"),
        (kt_cp.count, {"directed": "no"}, "expected directed to be True or False, got 'no'"),
        (kt_cp.count, {"unique": "no"}, "expected unique to be True or False, got 'no'"),
        (kt_cp.count, {"confirm": "no"}, "expected confirm to be True or False, got 'no'"),
        (kt_cp.Enumeration, {"directed": "no"}, "expected directed to be True or False"),
        (kt_cp.Enumeration, {"unique": 7}, "expected unique to be True or False, got 7"),
        (kt_cp.sample, {"k": 1.5}, "expected to draw 0 tours or more, got 1.5"),
        (kt_cp.sample, {"k": 1, "seed": -1}, "expected a seed"),
        (kt_cp.make_puzzle, {"seed": -1}, "expected a seed"),
    ],
)
def test_values_that_make_no_sense(function, keywords, message) -> None:
    with pytest.raises(kt_cp.InputError, match=message):
        function("3x4", **keywords)


@pytest.mark.parametrize("function", [kt_cp.solve, kt_cp.prove, kt_cp.count, kt_cp.make_puzzle])
def test_unknown_keywords_suggest_known_ones(function) -> None:
    with pytest.raises(TypeError, match=r"'close' \(did you mean closed\?\)"):
        function("3x4", close=True)
    with pytest.raises(TypeError, match=r"'timelimit' \(did you mean time_limit\?\)"):
        function("3x4", timelimit=True)


def test_keywords_of_boards_belong_to_sides() -> None:
    for place in (GRAPH, kt_cp.Board(3, 4)):
        with pytest.raises(kt_cp.ProblemError, match="expected missing with the sides of a board"):
            kt_cp.solve(place, missing="a1")


@pytest.mark.parametrize("value", [5, None, ["a1", "b3"], [1]])
def test_only_certificates_are_checked(value) -> None:
    with pytest.raises(kt_cp.Refusal, match="expected a certificate as text, bytes or its docum"):
        kt_cp.check(value)


def test_functions_for_graphs() -> None:
    for keywords in ({"time_limit": "x"}, {"engine": None}, {"seed": -1}):
        with pytest.raises(kt_cp.InputError):
            kt_cp.hamiltonian_cycle(GRAPH, **keywords)
    assert kt_cp.hamiltonian_path(GRAPH, 0, 0) is None
    assert kt_cp.hamiltonian_path(nx.path_graph(1), 0, 0) == [0]


def test_engines_that_are_compared() -> None:
    with pytest.raises(kt_cp.EngineNameError, match="got 'cpsta'"):
        compare([kt_cp.Problem("3x3")], ["cpsta"], limits=Limits(1))


def test_numbers_of_numpy_are_numbers() -> None:
    outcome = kt_cp.solve(
        "3x4",
        closed=np.bool_(False),
        seed=np.int64(1),
        time_limit=np.float64(60),
        workers=np.int8(1),
    )
    assert outcome and outcome.seed == 1
