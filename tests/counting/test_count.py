"""The front door of counting: choice of a method, refusals, limits, stores, confirmation."""

from __future__ import annotations

import random
from contextlib import nullcontext
from itertools import pairwise, permutations

import networkx as nx
import pytest

from kt_cp import Board, Enumeration, Problem, count
from kt_cp.counting import plan
from kt_cp.counting.method import Estimate, Method
from kt_cp.counting.plan import ENUMERATE, burnside_terms, transform_problem
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.errors import (
    EndedError,
    EngineNameError,
    InputError,
    NotTakenError,
    StoreError,
    TooLargeError,
    UnsoundEngineError,
)
from kt_cp.model.limits import Limits
from kt_cp.model.request import Request
from kt_cp.processes.executors import WorkerEndedError, open_executor
from tests.support.fakes import Failing, Fake, answer


@pytest.fixture
def known(monkeypatch):
    """Replace the registered methods."""

    def install(*methods):
        monkeypatch.setattr(plan, "methods", lambda: {each.name: each for each in methods})

    return install


def test_methods_keep_the_contract():
    for method in [*plan.methods().values(), Fake()]:
        assert isinstance(method, Method)


@pytest.mark.parametrize("board", ["1x1", "1x2", "2x3", "3x4", "4x4", "4x5", "3x7"])
@pytest.mark.parametrize("closed", [False, True])
def test_counts_are_those_of_the_enumeration(board, closed):
    for directed in (None, False, True):
        everything = Enumeration(board, closed=closed, directed=directed)
        found = count(board, closed=closed, directed=directed)
        assert (found.tours, found.directed) == (everything.count(), everything.directed)
        assert found.counted == everything.counted
    assert int(count(board, closed=closed, unique=True)) == len(
        [*Enumeration(board, closed=closed, unique=True)]
    )


def test_a_graph_has_no_rotations():
    graph = nx.petersen_graph()
    assert count(graph).tours == 240 == 2 * count(graph, unique=True).tours


DIGRAPHS = {
    "triangle": nx.DiGraph([(1, 2), (2, 3), (3, 1)]),
    "both ways": nx.complete_graph(4, nx.DiGraph),
    "two nodes": nx.complete_graph(2, nx.DiGraph),
    "one way": nx.DiGraph([(1, 2), (2, 3), (1, 3)]),
    "one node": nx.empty_graph([1], nx.DiGraph),
    "mixed": nx.DiGraph([(1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (2, 1), (3, 2), (4, 3), (5, 3)]),
}


@pytest.mark.parametrize("graph", DIGRAPHS.values(), ids=DIGRAPHS)
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("ends", [{}, {"start": 1}, {"given": {1: 1}}], ids=["", "start", "given"])
def test_each_tour_of_a_digraph_is_one_whatever_makes_two_tours_one(graph, closed, ends):
    tours = {
        walk
        for walk in permutations(graph)
        if all(graph.has_edge(*arc) for arc in pairwise(walk))
        and (walk[0] == 1 or not (ends or closed))
        and (not closed or graph.has_edge(walk[-1], walk[0]))
    }
    problem = Problem(graph=graph, closed=closed, **ends)
    for options in ({}, {"directed": False}, {"directed": True}, {"unique": True}):
        everything = Enumeration(problem, **options)
        assert (everything.count(), everything.directed) == (len(tours), True)
        for name, method in [("auto", None), *plan.methods().items()]:
            if method is None or method.refuses(problem) is None:
                found = count(problem, name, **options)
                assert (found.tours, found.directed) == (len(tours), True), (name, options)
                assert found.counted == everything.counted
    if "given" not in ends:  # otherwise only one method applies
        assert count(problem, directed=True, confirm=True).tours == len(tours)


def questions(seed, number):
    rng = random.Random(seed)
    for _ in range(number):
        rows, columns = rng.choice([(3, 4), (4, 4), (4, 5), (5, 5), (3, 7)])
        squares = [(row, column) for row in range(rows) for column in range(columns)]
        missing = set(rng.sample(squares, rng.choice([0, 1, 2, 4])))
        if rng.random() < 0.6:
            missing |= {(rows - 1 - row, columns - 1 - column) for row, column in missing}
        elif rows == columns:
            missing |= {(columns - 1 - column, rows - 1 - row) for row, column in missing}
        left = [each for each in squares if each not in missing]
        start, end = rng.sample(left, 2)
        closed = rng.random() < 0.3
        conditions = {"start": start if rng.random() < 0.4 else None}
        conditions["end"] = end if not closed and rng.random() < 0.6 else None
        yield Problem(Board(rows, columns, missing), closed=closed, **conditions)


@pytest.mark.parametrize("number", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_classes_are_those_that_are_listed(number):
    seed = random.randrange(10**6)
    print(f"{seed=}")
    for problem in questions(seed, number):
        listed = Enumeration(problem, unique=True).count()
        assert count(problem, unique=True).tours == listed, problem.label


def test_classes_that_are_listed_are_confirmed_as_classes():
    """With one end given, enumeration lists classes; other methods count tours, which are more."""
    problem = Problem("3x3", piece="king", end="b1")
    found = count(problem, unique=True, confirm=True)
    assert found.tours == Enumeration(problem, unique=True).count() < count(problem).tours
    assert found.confirmed == ("enumerate, on the board laid on its side",)


def test_symmetric_tours_of_both_diagonals_are_counted():
    one = Problem(Board(3, 3, {(2, 0)}), piece="king")
    terms, group = burnside_terms(one)
    parts = [(part, each.label) for each, part in terms.items()]
    mirrored = "3x3 without c3, king, open, symmetric under the diagonal"
    assert (group, parts) == (2, [(1, "3x3 without a3, king, open"), (1, mirrored)])
    assert count(one, unique=True).tours == Enumeration(one, unique=True).count()


@pytest.mark.parametrize("motion", MOTIONS)
def test_a_board_laid_another_way_has_as_many_tours(motion):
    problem = Problem("5x5", start="a1", require=["a1-c2"], forbid=["d1-b2"])
    laid = transform_problem(problem, motion)
    assert laid != problem
    found = ENUMERATE.count(problem)
    assert found == ENUMERATE.count(laid) > 0
    for mirror in ("left-right", "top-bottom"):
        with_mirror = Problem("3x4", symmetry=mirror)
        assert ENUMERATE.count(with_mirror) == ENUMERATE.count(
            transform_problem(with_mirror, motion)
        )


def chosen(problem, name="auto", megabytes=None):
    return plan.choose(Request.begin(problem, Limits(None, megabytes)), name)


def test_the_soonest_that_has_room_is_chosen(known):
    small, fast, doubted = Fake("small"), Fake("fast"), Fake("enumerate")
    small.estimate = lambda _: Estimate(10, 1000, 50.0)
    fast.estimate = lambda _: Estimate(10**9, 10**10, 5.0)
    doubted.estimate = lambda _: Estimate(10, 10, 4.0)
    known(small, fast, doubted)
    problem = Problem("5x5")
    assert chosen(problem, megabytes=20_000).method is fast
    assert chosen(problem, megabytes=100).method is doubted
    small.estimate = lambda _: Estimate(10, 1000, 39.0)
    assert chosen(problem, megabytes=100).method is small
    with pytest.raises(TooLargeError, match=r"fast would take 10,000 MB, and 100 MB are available"):
        chosen(problem, "fast", 100)
    with pytest.raises(TooLargeError, match=r"small needs 0\.0 MB of memory \(0\.0 MB are avail"):
        chosen(problem, megabytes=1e-6)
    with pytest.raises(NotTakenError, match=r"fast does not take .*: graphs"):
        chosen(Problem(graph=nx.path_graph(3)), "fast")
    with pytest.raises(EngineNameError, match="expected a method of counting"):
        chosen(problem, "fats")


def test_what_would_never_end_is_refused_but_for_a_limit(known):
    method = Fake()
    method.estimate = lambda _: Estimate(10, 10, 1e10)
    known(method)
    for limit in (None, 100):
        with pytest.raises(TooLargeError, match="no method can count this: fake needs about 317 y"):
            count("5x5", time_limit=limit)
    with pytest.raises(TooLargeError, match="--method fake --time-limit SECONDS counts for so"):
        count("5x5", "fake")
    assert count("5x5", "fake", time_limit=100, directed=False).tours == answer()


def test_time_is_over_after_a_step(known, tmp_path):
    method = Fake()
    known(method)
    events = []
    expected = r"stopped after 1e-09 s, at step 1 of 4; the finished steps are in /"
    with pytest.raises(EndedError, match=expected):
        count("5x5", time_limit=1e-9, store=tmp_path / "run", progress=events.append)
    assert events == [{"step": 1, "steps": 4}]
    made = len(method.work)
    assert count("5x5", store=tmp_path / "run").tours == 2 * answer()
    assert len(method.work) == 4 * made


def test_a_finished_store_answers_at_once_and_keeps_its_method(known, tmp_path):
    method, other = Fake(), Fake("other")
    other.estimate = lambda _: Estimate(1, 1, 0.1)
    known(method)
    assert count("5x5", directed=False, store=tmp_path).tours == answer()
    assert {each.name for each in tmp_path.iterdir()} == {
        "manifest.json", "answer.kept", "progress.json"
    }  # fmt: skip
    known(other, method)
    done = len(method.work)
    found = count("5x5", store=tmp_path)
    assert (found.tours, found.method) == (2 * answer(), "fake")
    assert len(method.work) == done
    assert not other.work
    with pytest.raises(StoreError, match="its kind is fake, and not other"):
        count("5x5", "other", store=tmp_path)
    with pytest.raises(NotTakenError, match="a store does not hold listed tours"):
        count("5x5", start="a1", unique=True, store=tmp_path)


def test_a_second_way_confirms_or_denies(known):
    known(ENUMERATE)
    assert count("3x4", confirm=True).confirmed == ("enumerate, on the board laid on its side",)
    honest, liar = Fake(), Fake("liar", lie=1)
    known(honest, Fake("second"))
    assert count("5x5", confirm=True).confirmed == ("second",)
    known(honest, liar)
    with pytest.raises(UnsoundEngineError, match=f"fake counts {answer()} tours, and liar"):
        count("5x5", confirm=True)
    variant = Fake("fake, cut elsewhere")
    known(honest)
    honest.others = lambda: [variant]
    assert count("5x5", confirm=True).confirmed == ("fake, cut elsewhere",)
    known(ENUMERATE)
    with pytest.raises(NotTakenError, match="expected a second way"):
        count(nx.cycle_graph(5), confirm=True)
    for lie in (0, 1):
        variant.modulus, variant.lie = 11, lie - answer() + answer() % 11
        known(honest)
        with pytest.raises(UnsoundEngineError) if lie else nullcontext():
            assert count("5x5", confirm=True).confirmed == ("fake, cut elsewhere",)
    variant.modulus, variant.lie = 0, 0
    slow = Fake("slow")
    slow.estimate = lambda _: Estimate(10, 10, 400.0)
    known(honest, slow)  # the first has a faster second way of its own
    assert count("5x5", confirm=True).confirmed == ("fake, cut elsewhere",)


def test_classes_that_are_not_whole_are_a_bug(known):
    liar = Fake(lie=1 - answer() % 4)
    liar.refuses = lambda problem: "symmetry" if problem.conditions else None
    known(liar, ENUMERATE)
    with pytest.raises(UnsoundEngineError, match="do not make whole classes"):
        count("3x8", "fake", unique=True)


def test_directed_classes_are_refused():
    with pytest.raises(InputError, match="directed classes"):
        count("3x4", unique=True, directed=True)


def test_whole_counts_are_pieces_of_an_executor(known, tmp_path):
    known(Fake(), Fake("second"))
    deaths = [WorkerEndedError("killed"), None]
    executor = Failing(lambda *_: deaths.pop() if deaths else None)
    found = count("5x5", confirm=True, executor=executor)
    assert (found.tours, found.confirmed) == (2 * answer(), ("second",))
    assert executor.sent == 3
    executor = Failing()  # a count with a store runs in this process
    again = count("5x5", confirm=True, executor=executor, store=tmp_path / "run")
    assert (again.tours, executor.sent) == (found.tours, 1)
    known(Fake(), Fake("liar", lie=1))
    with pytest.raises(UnsoundEngineError, match="and liar"):
        count("5x5", confirm=True, executor=Failing())


def test_a_limit_ends_whole_counts(known):
    known(Fake())
    with pytest.raises(EndedError, match="stopped after 1e-09 s"):
        count("5x5", executor=Failing(), time_limit=1e-9)


@pytest.mark.slow
def test_methods_go_to_other_processes():
    with open_executor("processes", 1) as pool:
        found = count("5x6", "frontier", closed=True, confirm=True, executor=pool)
    assert (found.tours, found.method, len(found.confirmed)) == (8, "frontier", 1)
