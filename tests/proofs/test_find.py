"""Finders of evidence: the checker accepts their evidence, and they give up in time."""

from __future__ import annotations

import random
import time
from itertools import chain, product

import networkx as nx
import pytest

from kt_cp import check, solve
from kt_cp.engines.directed_adapter import component_evidence
from kt_cp.engines.run import run
from kt_cp.model.board import Board
from kt_cp.model.directed import undirected
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.proofs.certificate import build_certificate
from kt_cp.proofs.forced import CaseTree, few_cases, forced, replay, tree_document, trim_tree
from kt_cp.proofs.obstructions import obstruction
from kt_cp.proofs.removal import find_smallest_set, removal, try_all_sets
from kt_cp.proofs.separators import cut_vertex, tight
from kt_cp.testing import oracle
from kt_cp.trust import reference
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.state import Contradiction, State
from kt_cp.trust.reference import decide
from tests.support.exhaustive import exhaustive, more

FINDERS = {"cut": cut_vertex, "removal": removal, "tight": tight, "forced": forced}


def never():
    return False


def cases(tree):
    """Return the number of leaves of a tree."""
    while "then" in tree:
        tree = tree["then"]
    return cases(tree["used"]) + cases(tree["unused"]) if "move" in tree else 1


def contradicts_itself(problem):
    try:
        State(frame_of(problem))
    except Contradiction:
        return True
    return False


def random_problem(rng, rows, columns, holes):
    board = Board(rows, columns)
    missing = frozenset(rng.sample(list(board), holes))
    left = [square for square in board if square not in missing]
    closed = rng.random() < 0.4
    ends = rng.sample(left, 2) if not closed else [None, None]
    end_count = rng.randrange(3)
    return Problem(
        Board(rows, columns, missing=missing),
        closed=closed,
        start=ends[0] if end_count else None,
        end=ends[1] if end_count == 2 else None,
    )


@pytest.mark.parametrize(
    ("board", "closed", "most"),
    [
        (Board(3, 4), True, 2),
        (Board(3, 6), True, 2),
        (Board(3, 5), False, 5),
        (Board(3, 6), False, 6),
        (Board(4, 4), False, 4),
        (Board(4, 6), True, 6),
    ],
)
def test_the_smallest_sets_to_remove(board, closed, most):
    problem = Problem(board, closed=closed)
    evidence = removal(problem, never)
    assert len(evidence["squares"]) == most
    assert build_certificate(problem, evidence).kind == "removal"


def test_nothing_to_remove_is_soon_given_up():
    for problem in (Problem(Board(3, 8), closed=True), Problem(Board(10, 10))):
        began = time.monotonic()
        assert removal(problem, never, 0.1) is None
        assert time.monotonic() - began < 5  # generous: a tenth of it on an idle machine


@pytest.mark.slow
def test_large_boards():
    # Four dark squares in the corner are left with four neighbours; elsewhere as many dark go.
    missing = [(0, 3), (3, 0), (1, 0), (1, 4), (0, 1), (0, 5), (2, 5), (3, 4)]
    missing += [(40, 2 * column) for column in range(8, 16)]
    problem = Problem(Board(60, 60, missing=frozenset(missing)), closed=True)
    evidence = removal(problem, never)
    assert build_certificate(problem, evidence).kind == "removal"
    assert len(evidence["squares"]) <= 4
    full_board = Problem(Board(60, 60), closed=True)
    assert (
        cut_vertex(full_board, never)
        is removal(full_board, never)
        is tight(full_board, never)
        is None
    )


def test_a_cut_square():
    graph = nx.compose(nx.complete_graph(range(4)), nx.complete_graph(range(3, 7)))
    assert cut_vertex(Problem(graph=graph, closed=True), never) == {"kind": "cut", "squares": ["3"]}
    assert cut_vertex(Problem(graph=graph), never) is None
    assert cut_vertex(Problem(graph=graph, start=0, end=5), never) is None
    for ends in ((3, 5), (0, 2)):
        problem = Problem(graph=graph, start=ends[0], end=ends[1])
        assert build_certificate(problem, cut_vertex(problem, never)).kind == "cut"


def test_long_chains_do_not_overflow():
    path = nx.path_graph(2500)
    middle = Problem(graph=path, start=1250)
    assert build_certificate(middle, cut_vertex(middle, never)).kind == "cut"
    for ends, possible in (((0, 2499), True), ((1, 2499), False)):
        problem = Problem(graph=path, start=ends[0], end=ends[1])
        evidence = cut_vertex(problem, never)
        assert (evidence is None) == possible
    assert tight(Problem(graph=path), never) is None


@pytest.mark.parametrize("columns", [*range(4, 20), 30, 45, 60])
def test_four_ranks_closed(columns):
    problem = Problem(Board(4, columns), closed=True)
    evidence = tight(problem, never)
    if evidence is None:  # the plain rules suffice
        assert contradicts_itself(problem)
        evidence = forced(problem, never)
    else:
        inner = {f"{name}" for name in frame_of(problem).names if name[-1] in "23"}
        assert [set(squares) for squares in evidence["sets"]] == [inner]
    build_certificate(problem, evidence)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [8, 13, *more([], [30])])
def test_four_ranks_from_an_inner_square(columns):
    rng = random.Random(columns)
    sets = 0
    for row in (1, 2):
        for column in range(columns):
            others = [s for s in Board(4, columns) if sum(s) % 2 != (row + column) % 2]
            for end in (None, rng.choice(others)):
                problem = Problem(Board(4, columns), start=(row, column), end=end)
                evidence = tight(problem, never)
                if evidence is None:
                    assert contradicts_itself(problem), problem.label
                else:
                    sets += 1
                    assert build_certificate(problem, evidence).kind == "tight"
                    assert len(evidence["sets"]) == 1, problem.label
    assert sets > columns


@pytest.mark.parametrize(
    ("board", "start", "end"),
    [
        (Board(5, 8), (2, 1), (3, 7)),
        (Board(5, 30), (2, 1), (0, 29)),
        (Board(3, 9), (0, 2), (2, 2)),
        (Board(3, 10), (2, 2), (1, 3)),
        (Board(3, 30), (1, 2), (1, 3)),
    ],
)
def test_lemmas_by_forced_moves_alone(board, start, end):
    problem = Problem(board, start=start, end=end)
    evidence = forced(problem, never)
    assert evidence == {"kind": "forced", "tree": {}}
    build_certificate(problem, evidence)


def test_three_by_eight_takes_one_split():
    problem = Problem(Board(3, 8), closed=True)
    evidence = forced(problem, never)
    assert cases(evidence["tree"]) == 2
    assert build_certificate(problem, evidence).kind == "forced"


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_it_stops_on_request(find):
    problem = Problem(Board(3, 8), closed=True)
    assert find(problem, lambda: True) is None


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_stopped_in_the_middle(find):
    polls = []

    def soon():
        polls.append(time.process_time())
        return len(polls) > 3

    find(Problem(Board(12, 12), closed=True), soon)
    ended = time.process_time()
    if len(polls) > 3:
        assert ended - polls[3] < 2  # generous: about 50 ms


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_the_same_twice(find):
    rng = random.Random(3)
    for _ in range(8):
        problem = random_problem(rng, 4, 5, rng.randrange(5))
        again = Problem(problem.board, closed=problem.closed, start=problem.start, end=problem.end)
        assert find(problem, never) == find(again, never), problem.label


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_small_and_odd_problems(find):
    for size in (1, 2, 3):
        for closed in (True, False):
            problem = Problem(graph=nx.path_graph(size), closed=closed)
            evidence = find(problem, never)
            if evidence is not None:
                build_certificate(problem, evidence)
    assert find(Problem(Board(10**9, 10**9)), never) is None


def test_few_cases_are_allowed():
    problem = Problem(Board(3, 8), closed=True)
    assert forced(problem, never, 1) is None
    assert cases(forced(problem, never, 2)["tree"]) == 2


def test_a_tree_is_cut_down_to_what_it_needs():
    problem = Problem(Board(3, 8), closed=True)
    frame = frame_of(problem)
    state = State(frame)
    one, other = (
        (frame.number[a], frame.number[b]) for a, b in (((0, 3), (2, 4)), ((0, 4), (2, 3)))
    )
    small = CaseTree([], one, CaseTree(), CaseTree())
    assert replay(state.copy(), small) == small
    # A split and a set that have no effect.
    large = CaseTree([{frame.number[0, 0]}], other, small, small)
    adapted = replay(state.copy(), large)
    assert adapted is not None
    assert trim_tree(state.copy(), adapted, never).weight == (2, 0)
    assert trim_tree(state.copy(), adapted, lambda: True) == adapted
    tree = tree_document(frame, trim_tree(state.copy(), adapted, never))
    build_certificate(problem, {"kind": "forced", "tree": tree})


def searched(seed, boards, rows, columns, most_holes):
    """Yield boards that the plain rules do not decide."""
    rng = random.Random(seed)
    while boards:
        size = rng.randint(*rows), rng.randint(*columns)
        problem = random_problem(rng, *size, rng.randrange(most_holes + 1))
        if obstruction(problem) is None and not contradicts_itself(problem):
            boards -= 1
            yield problem, (seed, problem.label, sorted(problem.board.missing))


def small_trees(problems):
    """Return how many boards have no tour, and how many of these need a split."""
    none = split = 0
    for problem, context in problems:
        truth = solve(problem, "backtrack", time_limit=10).verdict
        evidence = forced(problem, never)
        if evidence is None:
            assert truth is not Verdict.IMPOSSIBLE, context
        else:
            build_certificate(problem, evidence)
            assert truth is not Verdict.FOUND, context
            none += 1
            split += cases(evidence["tree"]) > 1
            assert cases(evidence["tree"]) <= 20, context
    return none, split


def given_ends(rows, columns, pairs, seed):
    rng = random.Random(seed)
    squares = list(Board(rows, columns))
    while pairs:
        start, end = rng.sample(squares, 2)
        problem = Problem(Board(rows, columns), start=start, end=end)
        if obstruction(problem) is None:
            pairs -= 1
            yield problem, (seed, problem.label)


def numbered(seed):
    """Yield a random board of one of several kinds that the plain rules do not decide."""
    if seed % 2:
        return searched(seed, 1, *random.Random(seed).choice(HOLED))
    return given_ends(*random.Random(seed).choice(WHOLE), 1, seed)


HOLED = [((3, 5), (5, 6), 5), ((4, 6), (5, 6), 6)]
WHOLE = [(3, 7), (3, 8), (3, 10), (5, 6), (5, 8)]


@exhaustive("random boards without tours have small trees", range(500), sample=1, batches=5)
def test_random_boards_without_tours(cases):
    none, split = small_trees(chain.from_iterable(map(numbered, cases)))
    # A full batch has boards of both kinds: odd and even seeds.
    assert len(cases) < 100 or (none > len(cases) // 15 and split > 0)


def test_graphs_that_are_not_bipartite():
    petersen = Problem(graph=nx.petersen_graph(), closed=True)
    evidence = forced(petersen, never)
    assert build_certificate(petersen, evidence).kind == "forced"
    assert cases(evidence["tree"]) <= 6
    assert forced(Problem(graph=nx.petersen_graph()), never) is None


@pytest.mark.parametrize("find", [cut_vertex, removal, tight], ids=lambda find: find.__name__)
def test_random_boards_by_counting(find):
    rng = random.Random(find.__name__)
    found = 0
    for number in range(40 if find is removal else 150):
        problem = random_problem(rng, rng.randint(3, 5), rng.randint(4, 6), rng.randrange(7))
        evidence = find(problem, never)
        if evidence is not None:
            found += 1
            build_certificate(problem, evidence)
            truth = decide(problem, budget=30_000).verdict
            assert truth is not Verdict.FOUND, (number, problem.label)
    assert found > 2


@pytest.mark.parametrize("find", FINDERS.values(), ids=FINDERS)
def test_random_graphs(find):
    rng = random.Random(find.__name__)
    found = 0
    for number in range(60):
        size = rng.randint(1, 7)
        graph = nx.gnm_random_graph(size, rng.randint(0, 2 * size), seed=number)
        closed = rng.random() < 0.5
        ends = rng.sample(range(size), 2) if size > 1 and not closed else [None, None]
        end_count = rng.randrange(3)
        start, end = ends[0] if end_count else None, ends[1] if end_count == 2 else None
        problem = Problem(graph=graph, closed=closed, start=start, end=end)
        evidence = find(problem, never)
        if evidence is not None:
            found += 1
            build_certificate(problem, evidence)
            assert not oracle.exists(graph, closed, start, end), number
        elif find is forced and size > 2:
            assert oracle.exists(graph, closed, start, end), number
    assert found > 3 or find is tight


def test_never_where_there_is_a_tour():
    rng, unreached = random.Random(7), 0
    for _ in range(250):
        size = rng.randint(1, 6)
        graph = nx.gnp_random_graph(size, 0.35, rng.randrange(10**6), directed=True)
        arcs = rng.sample([*graph.edges()], min(2, graph.number_of_edges()))
        ends = [{"closed": True}, {}, {"start": 0}, {"end": 0}, {"start": 0, "end": size - 1}]
        more = rng.choice(ends[: 5 if size > 1 else 4])
        problem = Problem(graph=graph, **more, forbid=arcs if rng.random() < 0.3 else [])
        found, why = reference.decide(problem).squares, component_evidence(problem)
        assert found is None or why is None, (problem.label, [*graph.edges()])
        unreached += why is not None
        graph.remove_edges_from(problem.forbid)
        if problem.closed:
            assert (why is None) == nx.is_strongly_connected(graph)
            assert why is None or check(why.certificate.to_json()).kind == "removal"
    assert unreached > 80


def halves(size, *bridges):
    """Return two strongly connected, dense parts, and arcs between them."""
    one = nx.gnp_random_graph(size, 0.5, seed=1, directed=True)
    nx.add_cycle(one, range(size))
    graph = nx.disjoint_union(one, one)
    graph.add_edges_from(bridges)
    return nx.relabel_nodes(graph, {0: "first"})


def test_large_ones_are_seen_at_once():
    one_way = halves(60, *((node, 60 + node) for node in range(60)))
    assert component_evidence(Problem(graph=one_way, closed=True)).certificate.kind == "removal"
    assert component_evidence(Problem(graph=one_way, start="first")) is None
    assert component_evidence(Problem(graph=one_way, start=70)).text.startswith(
        "no way leads from 70 to "
    )
    assert component_evidence(Problem(graph=halves(60))).text.endswith(", nor back")


@pytest.mark.slow
@pytest.mark.parametrize("conditions", [{"closed": True}, {}, {"start": 20}])
def test_auto_asks_first(conditions):
    # Skip the cross-check: for a second opinion the reference would place 200,000 nodes.
    outcome = run("auto", Request.begin(Problem(graph=halves(20), **conditions), Limits(60)))
    assert outcome.verdict is Verdict.IMPOSSIBLE and outcome.engine == "auto"
    assert outcome.certificate is not None or "no way leads" in outcome.reason


@pytest.mark.parametrize("seed", range(6))
def test_trying_all_sets_agrees_with_the_solver(seed):
    rng = random.Random(seed)
    for _ in range(6):
        graph = nx.gnp_random_graph(rng.randrange(4, 11), 0.3, seed=rng.randrange(1000))
        options = rng.choice([{"closed": True}, {}, {"start": 0}, {"start": 0, "end": 1}])
        frame = frame_of(Problem(graph=graph, **options))
        found, is_smallest = try_all_sets(frame, lambda: False)
        wanted = find_smallest_set(frame, lambda: False, 5.0)
        assert is_smallest and (found is None) == (wanted is None)
        assert found is None or len(found) == len(wanted)


def test_larger_boards_are_for_the_solver():
    board = frame_of(Problem("10x10"))
    assert try_all_sets(board, lambda: False) == (None, False)


def test_few_cases_decide_directed_tori():
    refuted = []
    for rows, columns in product(range(2, 6), repeat=2):
        sides = [nx.cycle_graph(side, create_using=nx.DiGraph) for side in (rows, columns)]
        torus = nx.convert_node_labels_to_integers(nx.cartesian_product(*sides))
        problem = undirected(Problem(graph=torus, closed=True))
        evidence = few_cases(problem)
        if evidence is not None:
            assert decide(problem).verdict is Verdict.IMPOSSIBLE
            assert (
                build_certificate(problem, evidence).kind == "forced"
                and cases(evidence["tree"]) <= 8
            )
            refuted.append((rows, columns))
    # If the sides are coprime, one choice at one node decides all others.
    coprime = [(2, 3), (2, 5), (3, 2), (3, 4), (3, 5), (4, 3), (4, 5), (5, 2), (5, 3), (5, 4)]
    assert refuted == coprime


def test_few_cases_are_given_up_at_once(monkeypatch):
    suppositions = []
    real = State.copy
    monkeypatch.setattr(State, "copy", lambda state: suppositions.append(state) or real(state))
    assert few_cases(Problem(graph=nx.petersen_graph(), closed=True)) is None
    assert len(suppositions) == 1
