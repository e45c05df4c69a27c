"""The checker's rules are theorems: they never refute a problem with a tour."""

from __future__ import annotations

import json
import random
from collections import Counter
from copy import deepcopy
from itertools import combinations, permutations, product
from random import Random

import networkx as nx
import pytest

from kt_cp import Board, Problem
from kt_cp.enumeration.quotient import quotient_of
from kt_cp.enumeration.walks import Walker
from kt_cp.model.board import square_name
from kt_cp.model.conditions import MOTIONS
from kt_cp.model.document import problem_document
from kt_cp.model.limits import Limits
from kt_cp.model.move_order import move_table
from kt_cp.model.piece import NAMED, Piece
from kt_cp.model.request import Request
from kt_cp.model.surface import Surface
from kt_cp.proofs.certificate import build_certificate
from kt_cp.proofs.certify import KINDS, certify, elimination_order
from kt_cp.proofs.obstructions import obstruction, symmetry
from kt_cp.proofs.refutation import refute
from kt_cp.testing import oracle
from kt_cp.trust.check import Reason, Refusal, check
from kt_cp.trust.check.argument import most_pieces, squares_without
from kt_cp.trust.check.certificate import RULES
from kt_cp.trust.check.formula import formula_of
from kt_cp.trust.check.frame import END, MOST_SQUARES, frame_of
from kt_cp.trust.check.instance import as_instance
from kt_cp.trust.check.moves import alternates
from kt_cp.trust.check.parsing import problem_of
from kt_cp.trust.check.state import Contradiction, State, remove
from kt_cp.trust.judge import defects
from tests.enumeration.test_quotient import oracle_tours, random_question
from tests.examples import random_problems
from tests.examples.certificates import (
    CAMEL,
    DABBABA,
    FERZ,
    KING,
    KNIGHT,
    WAZIR,
    accepts,
    certificate,
    examples_2,
    on_board,
    on_graph,
    reason,
    reason_of,
    signed,
)
from tests.oracles import held_karp, naive
from tests.support.exhaustive import exhaustive, more


def proves(problem, evidence):
    try:
        RULES[evidence["kind"]](as_instance(problem), evidence)
    except Refusal:
        return False
    return True


def questions(graph):
    """Every problem on a graph, and whether it has a tour."""
    table = held_karp.pairs(graph)
    nodes = list(graph)
    conditions = [{"closed": True}, {}]
    conditions += [{"start": node} for node in nodes] + [{"end": node} for node in nodes]
    conditions += [{"start": one, "end": other} for one, other in permutations(nodes, 2)]
    for condition in conditions:
        closed = condition.get("closed", False)
        ends = condition.get("start"), condition.get("end")
        if len(graph) > 1 or closed:
            yield condition, held_karp.exists(graph, closed, *ends, table)


def subsets(nodes):
    return [list(chosen) for size in range(len(nodes) + 1) for chosen in combinations(nodes, size)]


def evidences(problem, names, edges, rng):
    """Every kind with every set of squares, and some trees at random."""
    yield {"kind": "size"}
    yield {"kind": "colours"}
    yield {"kind": "forced", "tree": {}}
    yield {"kind": "sweep", "order": rng.sample(names, len(names))}
    sets = subsets(names) if len(names) <= 6 else [sample(names, rng) for _ in range(30)]
    for squares in sets:
        for kind in ("degrees", "connectivity", "cut", "removal"):
            yield {"kind": kind, "squares": squares}
        yield {"kind": "tight", "sets": [squares]}
        yield {"kind": "forced", "tree": {"remove": squares}}
        yield {"kind": "forced", "tree": {"remove": squares, "then": {}}}
    for _ in range(6):
        numbers = [rng.randint(-2, 2) for _ in edges]
        cuts = [{"weight": rng.randint(1, 2), "squares": sample(names, rng)} for _ in range(2)]
        yield {"kind": "potentials", "tree": {"scale": 1, "potentials": numbers, "cuts": cuts}}
        yield {"kind": "tight", "sets": [sample(names, rng) for _ in range(3)]}
        if edges:
            yield {"kind": "forced", "tree": _tree(problem, names, edges, rng)}


def sample(names, rng):
    return rng.sample(names, rng.randint(1, len(names)))


def _tree(problem, names, edges, rng):
    def leaf():
        squares = sample(names, rng)
        return rng.choice([{}, {}, {"remove": squares}, {"remove": squares, "then": {}}])

    move = list(rng.choice(edges))
    if not problem.closed and rng.random() < 0.3:
        move = [rng.choice(names), END]
    return {"move": move, "used": leaf(), "unused": leaf()}


def atlas(nodes):
    graphs = (graph for graph in nx.graph_atlas_g() if len(graph) == nodes)
    return [nx.relabel_nodes(graph, {node: str(node) for node in graph}) for graph in graphs]


def hold(graph, problem_of, name_of, seed):
    """Return the number of accepted refutations, all of problems without a tour."""
    rng = Random(seed)
    names = [name_of(node) for node in graph]
    edges = [(name_of(u), name_of(v)) for u, v in graph.edges()]
    accepted = 0
    for condition, has_tour in questions(graph):
        problem = problem_of(condition)
        for evidence in evidences(problem, names, edges, rng):
            if proves(problem, evidence):
                assert not has_tour, (seed, names, edges, condition, evidence)
                accepted += 1
    return accepted


def accepted_on(nodes, numbers):
    """Return the number of accepted cases on these graphs of the atlas with ``nodes`` nodes."""
    graphs = atlas(nodes)
    return sum(
        hold(
            graphs[seed],
            lambda conditions, seed=seed: Problem(graph=graphs[seed], **conditions),
            str,
            seed,
        )
        for seed in numbers
    )


# With every set of nodes, every pair of ends.


@pytest.mark.parametrize(
    ("nodes", "least"), [(1, 1), (2, 50), (3, 400), pytest.param(4, 3_000, marks=pytest.mark.slow)]
)
def test_all_small_graphs(nodes, least):
    assert accepted_on(nodes, range(len(atlas(nodes)))) >= least


@exhaustive("no tour is refuted on graphs of five nodes", range(34), sample=1, batches=1)
def test_all_graphs_of_five_nodes(cases):
    assert accepted_on(5, cases) >= 20_000 or len(cases) < 34


@pytest.mark.slow
@exhaustive("no tour is refuted on graphs of six nodes", range(156), sample=1, batches=12)
def test_all_graphs_of_six_nodes(cases):
    assert accepted_on(6, cases) >= 10_000 or len(cases) < 13


def random_board(rng, most):
    """Return a board with at most ``most`` squares."""
    rows, columns = rng.randint(1, 4), rng.randint(2, 6)
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    remain = rng.randint(1, min(most, len(squares)))
    missing = frozenset(rng.sample(squares, len(squares) - remain))
    return Board(rows, columns, missing), oracle.knight_graph(rows, columns, missing)


def accepted_with_holes(seed):
    board, graph = random_board(Random(seed), 13)
    return hold(graph, lambda condition: Problem(board, **condition), square_name, seed)


@exhaustive("no tour is refuted on random boards with holes", range(80), sample=1)
def test_random_boards_with_holes(cases):
    accepted = sum(accepted_with_holes(seed) for seed in cases)
    assert accepted > (100 * len(cases) if len(cases) >= 10 else 0)


# ---------------------------------------------------------------- what is forced and banned


def cycles(frame):
    """Every Hamiltonian cycle of the frame that uses the edges that must be used, as edges."""
    graph = nx.Graph([(u, v) for u, v in frame.edges()])
    graph.add_nodes_from(range(len(frame)))
    found = set()
    if len(frame) < 3:
        return found
    for order in _cycles(graph, [0]):
        edges = frozenset(
            (min(u, v), max(u, v)) for u, v in zip(order, [*order[1:], 0], strict=True)
        )
        if edges.issuperset(frame.must):
            found.add(edges)
    return found


def _cycles(graph, path):
    if len(path) == len(graph):
        if graph.has_edge(path[-1], path[0]):
            yield path
        return
    for other in graph[path[-1]]:
        if other not in path:
            yield from _cycles(graph, [*path, other])


def agree(state, every):
    """Cycles that use what is forced and nothing that is banned."""
    edges = [(u, v) for u in range(len(state.forced)) for v in state.forced[u] if u < v]
    return {
        cycle
        for cycle in every
        if cycle.issuperset(edges) and all(v in state.open_[u] for u, v in cycle)
    }


def problems(rng):
    """Random small problems on graphs and boards."""
    if rng.random() < 0.5:
        graph = nx.gnp_random_graph(rng.randint(3, 8), 0.7, seed=rng.randint(0, 9999))
        if rng.random() < 0.7:  # one half of the nodes are apart, so that the other half is tight
            graph.remove_edges_from([*combinations(range(len(graph) // 2), 2)])
        where, nodes = {"graph": nx.relabel_nodes(graph, str)}, [str(node) for node in graph]
    else:
        board = Board(*rng.choice([(3, 3), (3, 4), (2, 5), (4, 3), (5, 3)]))
        missing = frozenset(rng.sample(list(board), rng.randint(0, 3)))
        where = {"board": Board(board.rows, board.columns, missing)}
        nodes = list(where["board"])
    ends = [*rng.sample(nodes, 2), None, None]
    which = rng.choice([{"closed": True}, {}, dict(zip(("start", "end"), ends, strict=False))])
    which = which or {"start": rng.choice(ends), "end": None}
    return Problem(**where, **which)


def likely(state, rng):
    """A set of squares that may be tight: all to which some squares can move that cannot meet."""
    squares, apart, around = state.frame.squares, set(), set()
    for vertex in rng.sample(range(squares), squares):
        if vertex not in around and rng.random() < 0.8:
            apart.add(vertex)
            around |= state.open_[vertex]
    return {vertex for vertex in around if vertex < squares and rng.random() < 0.97} - apart


@exhaustive("what is forced and banned holds for every tour", range(6000), sample=150)
def test_consequences_hold_for_every_cycle(cases):
    contradicted = drawn = 0
    for seed in cases:
        rng = Random(seed)
        frame = frame_of(problems(rng))
        every = cycles(frame)
        possible = every
        try:
            state = State(frame)
            assert agree(state, every) == every, seed
            for _ in range(6):
                squares = likely(state, rng)
                before = sum(map(len, state.forced)) - sum(map(len, state.open_))
                remove(state, squares)
                drawn += sum(map(len, state.forced)) - sum(map(len, state.open_)) > before
                assert agree(state, every) == possible, seed
                # Suppose something, as a split does; then only the cycles that agree count.
                undecided = [
                    (u, v) for u, v in frame.edges() if v in state.open_[u] - state.forced[u]
                ]
                if undecided:
                    u, v = rng.choice(undecided)
                    use = rng.random() < 0.5
                    possible = {cycle for cycle in possible if ((u, v) in cycle) == use}
                    (state.force if use else state.ban)([(u, v)])
                    assert agree(state, every) == possible, seed
        except Contradiction:
            assert not possible, seed
            contradicted += 1
    assert contradicted > len(cases) // 10
    assert drawn > (len(cases) // 40 if len(cases) >= 750 else 0)


@exhaustive("every tour is a model of the checker's formula", range(1500), sample=40)
def test_every_cycle_is_a_model_of_the_formula(cases):
    # With tight sets and all cuts; and where there are all cuts, every model is a cycle.
    from pysat.solvers import Solver

    with_cycles = 0
    for seed in cases:
        rng = Random(seed)
        frame = frame_of(problems(rng))
        every = cycles(frame)
        with_cycles += bool(every)
        try:
            known = State(frame)
            for _ in range(3):
                remove(known, {rng.randrange(frame.squares) for _ in range(5)})
        except Contradiction:
            known = None
        cuts = [set(each) for each in subsets(range(frame.squares))[1:-1]]
        variables, clauses = formula_of(frame, known, cuts if frame.squares < 10 else cuts[:500])
        edges = frame.edges()
        with Solver(name="cadical153", bootstrap_with=clauses) as solver:
            for cycle in every:
                chosen = [
                    number if edge in cycle else -number
                    for number, edge in enumerate(edges, start=1)
                ]
                assert solver.solve(assumptions=chosen), seed
            if frame.squares < 10:
                assert solver.solve() == bool(every), seed
        assert variables >= len(edges)
    assert with_cycles > len(cases) // 10


def test_removal_counts_what_networkx_counts():
    for seed in range(300):
        rng = Random(seed)
        problem = problems(rng)
        frame = frame_of(problem)
        removed = set(rng.sample(range(frame.squares), rng.randint(1, frame.squares - 1)))
        graph = nx.Graph(frame.edges())
        graph.add_nodes_from(range(frame.squares))
        graph.remove_nodes_from([*removed, *frame.ends])
        pieces = squares_without(frame, removed)
        assert {frozenset(piece) for piece in pieces} == set(
            map(frozenset, nx.connected_components(graph))
        )
        assert most_pieces(frame, removed, pieces) <= len(removed) + (not problem.closed)


MOST = 11
"""Squares of a random question; a required move or an open tour costs the oracle one node more."""


@pytest.fixture
def here(monkeypatch):
    """Refutations in this process: to start another one for each takes longer than they do.

    Half of them take vertices out of the cycle, though cuts would be quick enough.
    """

    def refutation(request, *, sets=(), order=()):
        problem, left = request.problem, request.clock.left
        taken = elimination_order(problem) if problem.size % 2 else order
        return refute(problem, 0, sets, left, (), taken, emit=lambda _work: None)

    monkeypatch.setattr("kt_cp.proofs.refutation.find_refutation", refutation)


def kinds_tried(rng):
    """All, as anybody asks, or one that would not be reached otherwise."""
    return rng.choice([KINDS, KINDS, ("removal",), ("tight",), ("forced",), ("refutation",)])


@exhaustive("whole questions are answered truly", range(3_000), sample=75)
def test_a_question_has_a_tour_or_a_certificate(cases, here):
    counted = Counter()
    for seed in cases:
        rng = Random(seed)
        problem, kinds = random_problems.random_problem(rng, MOST), kinds_tried(rng)
        found = certify(Request.begin(problem, Limits(30)), kinds)
        context = seed, problem.label, kinds
        if held_karp.of_problem(problem):
            assert found.certificate is None, context
            if "refutation" in kinds and problem.size > 1:
                assert not defects(problem, found.tour.squares), context
            counted["tour"] += 1
        elif found.certificate is None:
            assert kinds != KINDS and found.tour is None, context
        else:
            document = json.loads(found.certificate.to_json())
            assert check(document).problem == problem, context
            assert accepts(document), context
            counted[found.certificate.kind] += 1
    print(counted)
    assert counted["tour"] > len(cases) // 10
    assert counted["degrees"] and counted["forced"] and counted["refutation"]


SQUARES = [f"{file}{rank}" for file in "abcd" for rank in "1234"]


def altered(document, rng):
    """Another problem under the same evidence: one key of it says something else."""
    problem = document["problem"]
    key = rng.choice(["piece", "surface", "require", "forbid", "closed", "start", "end", "rows"])
    if key == "piece":
        problem[key] = rng.choice([KNIGHT, CAMEL, KING, WAZIR, FERZ, DABBABA, [[0, 1], [1, 2]]])
    elif key == "surface":
        problem[key] = rng.choice(sorted(naive.JOINED))
    elif key == "rows":
        problem["rows"], problem["columns"] = rng.randint(1, 3), rng.randint(1, 4)
    elif key in ("start", "end"):
        problem[key] = rng.choice([None, *SQUARES])
    elif key == "closed":
        problem[key] = not problem[key]
    elif problem[key] and rng.random() < 0.5:
        problem[key].pop(rng.randrange(len(problem[key])))
    elif problem["require"] and rng.random() < 0.3:
        problem["forbid"].append(problem["require"].pop())
    else:
        problem[key].append(rng.sample(SQUARES, 2))
    return document


@exhaustive("altered questions are not proved falsely", range(30_000), sample=400)
def test_altered_certificates(cases):
    boards = [
        certificate(p, e) for p, e in examples_2() if "rows" in p and p["rows"] * p["columns"] < 13
    ]
    counted = Counter()
    for seed in cases:
        rng = Random(seed)
        document = deepcopy(rng.choice(boards))
        for _ in range(rng.choice([1, 1, 2, 3])):
            document = altered(document, rng)
        why, second = reason_of(signed(document)), accepts(document)
        counted[why] += 1
        assert second == (why is None), (seed, why, document)
        if why is None:
            problem = problem_of(document["problem"])
            assert not held_karp.of_problem(problem), (seed, document)
    print(counted)
    assert counted[None] > len(cases) // 20
    for each in (Reason.NOT_PROVED, Reason.WRONG_PROBLEM, Reason.BAD_SQUARE, Reason.WRONG_DIGEST):
        assert counted[each] > len(cases) // 100, each


COLOURS = {"kind": "colours"}


def refused(problem, evidence):
    """Why it is refused, by both checkers."""
    assert not accepts(certificate(problem, evidence))
    return reason(problem, evidence)


# Boards on which the colours would prove it, if every move changed them: 5 dark squares, 4 light
# and so on.
LIES = [
    on_board(3, 3, piece=CAMEL, surface="torus", closed=True),
    on_board(3, 5, piece=CAMEL, closed=True),
    on_board(3, 3, piece=KING, closed=True),
    on_board(3, 3, piece=DABBABA, surface="torus", closed=True),
    on_board(3, 3, piece=FERZ, closed=True),
    on_board(3, 3, piece=[[0, 1], [0, 2]], closed=True),
    on_board(5, 5, surface="torus", closed=True),
    on_board(3, 4, "a1", surface="torus", closed=True),  # an odd number of ranks
    on_board(4, 3, "a1", surface="torus", closed=True),  # of files
    on_board(4, 3, "a1", surface="cylinder", closed=True),
    on_board(3, 3, surface="cylinder", closed=True),
    on_board(3, 3, surface="moebius", closed=True),
    on_board(4, 4, "a1", surface="moebius", closed=True),
    on_board(4, 4, "a1", surface="klein", closed=True),
    on_board(3, 4, "a1", surface="klein", closed=True),  # C + R - 1 is even, but R is odd
    on_board(5, 5, surface="klein", closed=True),
    on_board(2, 2, piece=KING, start="a1", end="b2"),
    on_board(3, 3, piece=KING, start="b1"),
]


@pytest.mark.parametrize("problem", LIES, ids=str)
def test_colours_that_moves_keep_prove_nothing(problem):
    """Some of these have tours, so that a checker that accepted them would accept a lie."""
    assert refused(problem, COLOURS) is Reason.NOT_PROVED


def test_some_of_these_lies_are_about_boards_with_a_tour():
    small = [problem_of(problem) for problem in LIES if problem["rows"] * problem["columns"] < 13]
    assert sum(map(held_karp.of_problem, small)) > 5


def test_colours_of_a_graph_and_of_boards_on_which_they_do_hold():
    assert refused(on_graph(["ab", "bc"], closed=True), COLOURS) is Reason.WRONG_QUESTION
    for surface, rows, columns in (
        ("plane", 3, 3), ("cylinder", 3, 4), ("torus", 4, 4), ("moebius", 3, 4), ("moebius", 4, 3),
        ("klein", 4, 3),
    ):  # fmt: skip
        missing = ["a1"] if rows * columns % 2 == 0 else []
        for piece in ([[1, 2]], WAZIR, [[0, 1], [2, 3]]):
            problem = on_board(rows, columns, *missing, piece=piece, surface=surface, closed=True)
            assert reason(problem, COLOURS) is None
            assert accepts(certificate(problem, COLOURS))


@pytest.mark.parametrize("surface", Surface)
def test_where_a_board_alternates_every_move_changes_the_colour(surface):
    rng = random.Random(surface)
    claimed = 0
    for rows, columns in product(range(1, 7), repeat=2):
        for piece in (*map(Piece, NAMED.values()), random_problems.random_piece(rng, most=9)):
            board = Board(rows, columns, surface=surface)
            if alternates(board, piece):
                claimed += 1
                for here, there in naive.beside(Problem(board, piece=piece)).items():
                    assert all((sum(here) + sum(each)) % 2 for each in there)
    assert claimed > 30


@pytest.mark.parametrize("surface", Surface)
def test_a_frame_has_the_moves_of_an_oracle(surface):
    rng = random.Random(surface)
    for rows, columns in product(range(1, 6), repeat=2):
        squares = [(row, column) for row in range(rows) for column in range(columns)]
        missing = frozenset(rng.sample(squares, len(squares) // 5))
        piece = random_problems.random_piece(rng, most=7)
        problem = Problem(Board(rows, columns, missing, surface), piece=piece)
        if problem.size < 2:
            continue
        frame, moves = frame_of(problem), naive.beside(problem)
        for square, vertex in frame.number.items():
            row = {other for other in frame.neighbours[vertex] if other < frame.squares}
            assert row == {frame.number[other] for other in moves[square]}, (problem.label, square)


# --- ends -----------------------------------------------------------------------------------------


def has_cycle(frame):
    """Return whether the frame has a cycle through all vertices that uses what must be used."""
    graph = nx.Graph(frame.edges())
    must = {frozenset(edge) for edge in frame.must}

    def longer(walk):
        if len(walk) == len(frame):
            made = {frozenset(pair) for pair in zip(walk, [*walk[1:], 0], strict=True)}
            return 0 in graph[walk[-1]] and must <= made
        return any(longer([*walk, other]) for other in graph[walk[-1]] if other not in walk)

    return len(graph) == len(frame) and longer([0])


@pytest.mark.slow
@pytest.mark.parametrize("surface", Surface)
def test_no_end_of_an_open_tour_is_left_out(surface):
    """A wazir, king or ferz has open tours between such ends; so the frame must have a cycle."""
    pairs = 0
    for rows, columns in ((1, 5), (2, 3), *more([], [(3, 2), (2, 4)]), (5, 1)):
        for name in ("wazir", "king", "ferz", "knight"):
            board = Board(rows, columns, surface=surface)
            tours = naive.tours(Problem(board, piece=name), 200_000) or []
            for start, end in sorted({(tour[0], tour[-1]) for tour in tours}):
                pairs += 1
                for ends in ({}, {"start": start}, {"end": end}, {"start": start, "end": end}):
                    assert has_cycle(frame_of(Problem(board, piece=name, **ends)))
    assert pairs > 20


def test_ends_are_split_by_colour_only_where_moves_change_it():
    # A king on 2x2 goes a1, a2, b1, b2: both ends have one colour, and a split would refute it.
    king = Problem(Board(2, 2), piece="king", start=(0, 0), end=(1, 1))
    frame = frame_of(king)
    assert len(frame.ends) == 1 and has_cycle(frame)
    assert refused(
        on_board(2, 2, piece=KING, start="a1", end="b2"), {"kind": "forced", "tree": {}}
    ) in (Reason.NOT_PROVED, Reason.WRONG_SHAPE)
    for board, piece, ends in (
        (Board(2, 4), "knight", 2),
        (Board(3, 3), "knight", 1),
        (Board(2, 4, surface="torus"), "wazir", 2),
        (Board(2, 3, surface="torus"), "wazir", 1),
        (Board(2, 4), "camel", 1),
        (Board(2, 3, surface="moebius"), "knight", 2),
        (Board(2, 4, surface="moebius"), "knight", 1),
    ):
        assert len(frame_of(Problem(board, piece=piece)).ends) == ends, (board, piece)


def says(problem):
    """The squares of the evidence and the sentence, as the checker accepts them; or None."""
    evidence = symmetry(problem)
    return evidence and (evidence["squares"], build_certificate(problem, evidence).argument)


PLACES = (
    "nor does it turn one round, for that takes two places, each a square that stays where it is "
    "or a move whose two squares change places, and there is "
)
ARGUMENTS = [
    (
        Problem("8x8", closed=True, symmetry="quarter-turn"),
        [],
        "a quarter turn can only move a closed tour of 64 squares on by 16 or 48 moves, an even "
        "number, so to a square of the same colour, but it carries a1 to a8, which is of the other",
    ),
    (
        Problem("7x7", closed=True, symmetry="quarter-turn", forbid=["a1-b3"]),
        ["d4"],
        "with the forbidden moves left out, a quarter turn can only move a closed tour on, so no "
        "square stays where it is, but d4 does",
    ),
    (
        Problem("6x8", closed=True, symmetry="left-right"),
        [],
        "a reflection from left to right can move a closed tour of 48 squares on by 24 moves "
        "alone, an even number, so to a square of the same colour, but it carries a1 to h1, which "
        f"is of the other; {PLACES}none",
    ),
    (
        Problem("6x6", closed=True, symmetry="diagonal"),
        ["a1", "b2", "c3"],
        "a reflection in the diagonal moves a closed tour on by half of it, so no square stays "
        "where it is, or turns it round, so two stay at most; but a1, b2 and c3 do",
    ),
    (
        Problem("3x3", piece="king", closed=True, symmetry="half-turn"),
        ["b2"],
        f"a half turn does not move a closed tour on, as b2 stays where it is; {PLACES}only one",
    ),
    (
        Problem(Board(4, 4, {(0, 0), (3, 3)}), closed=True, symmetry="diagonal"),
        ["b2", "c3"],
        "a reflection in the diagonal does not move a closed tour on, as b2 and c3 stay where they "
        "are; nor does it turn one round, for then 7 moves lead from b2 to c3, an odd number, so "
        "to a square of the other colour, but it is of the same",
    ),
    (
        Problem("5x5", symmetry="quarter-turn"),
        ["a1"],
        "a motion that carries an open tour to itself leaves it as it is or turns it round, so "
        "done twice it leaves every square where it is; but a quarter turn done twice carries a1 "
        "to e5",
    ),
    (
        Problem("3x4", symmetry="quarter-turn"),
        ["d1"],
        "a quarter turn carries d1 off the board",
    ),
    (
        Problem(Board(5, 5, {(0, 0)}), closed=True, symmetry="half-turn"),
        ["e5"],
        "a half turn carries e5 to a1, which is missing",
    ),
    (
        Problem("4x5", symmetry="left-right"),
        ["c1", "c2"],
        "a reflection from left to right turns an open tour round, so no square but its middle "
        "stays where it is, and c1 and c2 do",
    ),
    (
        Problem("4x6", symmetry="half-turn"),
        [],
        "a half turn turns an open tour round, so its middle is a square that stays where it is or "
        "a move whose two squares change places, and there is none",
    ),
    (
        Problem("5x5", symmetry="half-turn", start="c3"),
        ["c3"],
        "a half turn turns an open tour round, so its ends change places, but c3 stays where it is",
    ),
    (
        Problem("5x5", symmetry="half-turn", start="a1", end="a5"),
        ["a1", "a5"],
        "a half turn turns an open tour round, so its ends change places, but a1 is carried to e5, "
        "not to a5",
    ),
]


@pytest.mark.parametrize(
    ("problem", "squares", "text"), ARGUMENTS, ids=[problem.label for problem, *_ in ARGUMENTS]
)
def test_the_argument(problem, squares, text):
    assert says(problem) == (squares, text)
    assert certify(Request.begin(problem), ("symmetry",)).certificate.argument == text
    soonest = obstruction(problem)  # what an engine says of it, which may be something simpler
    assert soonest.text == text or soonest.certificate.kind in ("colours", "degrees")
    assert accepts(build_certificate(problem, symmetry(problem)).document)


@pytest.mark.parametrize("closed", [True, False])
def test_knights_on_rectangles(closed):
    """Known results: which boards have tours with which symmetry (Jelliss, Knight's Tour Notes).

    Of closed tours.  Quarter turns: squares of side 4n + 2.  Mirrors: one side odd, and the other,
    across which it reflects, of the form 4n + 2.  Half turns: all boards of even size.
    """
    for rows, columns, motion in product(range(3, 13), range(3, 13), MOTIONS):
        problem = Problem(Board(rows, columns), closed=closed, symmetry=motion)
        may = {
            "quarter-turn": closed and rows == columns and rows % 4 == 2,
            "left-right": closed and rows % 2 == 1 and columns % 4 == 2,
            "top-bottom": closed and columns % 2 == 1 and rows % 4 == 2,
            "diagonal": False,
            "half-turn": rows * columns % 2 == 0 if closed else rows % 2 + columns % 2 > 0,
        }[motion]
        assert (says(problem) is None) == may, problem.label


@pytest.mark.slow
@exhaustive("no symmetric tour is argued away", range(3060), sample=30)
def test_what_is_proved_is_true(cases):
    proved = 0
    for seed in cases:
        problem = random_question(seed)
        if symmetry(problem) is not None:
            proved += 1
            tours = oracle_tours(problem)
            assert not tours, f"seed {seed}, {problem.label}"
    assert proved > len(cases) // 4 or len(cases) < 100, proved


def has_tour(problem):
    """By the walks through orbits; None where these do not answer."""
    quotient = quotient_of(problem, move_table(problem), directed=False)
    if quotient is None:
        return None
    for job in quotient.jobs():
        walker = Walker(quotient.graph, job)
        while not walker.exhausted:
            if quotient.many(job, walker.next(capacity=64, steps=10**6)):
                return True
    return False


@pytest.mark.slow
@exhaustive("no lie about symmetry is believed", range(1240), sample=20)
def test_no_lie_is_believed_and_both_checkers_agree(cases):
    believed = 0
    for seed in cases:
        rng, problem = random.Random(seed), random_question(seed)
        squares = sorted(problem.board)
        truth = has_tour(problem)
        for _ in range(6):
            names = [
                square_name(s)
                for s in rng.sample(squares, min(len(squares), rng.choice([0, 1, 1, 2, 2, 3])))
            ]
            document = {
                "format": "kt_cp certificate",
                "schema_version": 4,
                "problem": problem_document(problem),
                "evidence": {"kind": "symmetry", "squares": names},
            }
            try:
                check(document)
                accepted = True
            except Refusal:
                accepted = False
            note = f"seed {seed}, {problem.label}, {names}"
            assert accepts(document) == accepted, note
            assert not (accepted and truth), note
            believed += accepted
    assert believed > len(cases) // 4 or len(cases) < 100


@pytest.mark.parametrize(
    ("problem", "names", "reason"),
    [
        (Problem("6x6", closed=True, symmetry="quarter-turn"), [], Reason.NOT_PROVED),
        (Problem("6x6", closed=True, symmetry="quarter-turn"), ["a1"], Reason.NOT_PROVED),
        (Problem("6x6", closed=True), [], Reason.WRONG_QUESTION),
        (Problem("1x2", closed=True, symmetry="half-turn"), [], Reason.WRONG_QUESTION),
        (Problem("8x8", closed=True, symmetry="half-turn"), [], Reason.NOT_PROVED),
        (Problem("7x7", closed=True, symmetry="quarter-turn"), [], Reason.NOT_PROVED),
        (Problem("7x7", closed=True, symmetry="quarter-turn"), ["a1"], Reason.NOT_PROVED),
        (Problem("6x8", closed=True, symmetry="left-right"), ["a1"], Reason.NOT_PROVED),
        (Problem("6x6", closed=True, symmetry="diagonal"), ["a1", "b2"], Reason.NOT_PROVED),
        (Problem("6x6", closed=True, symmetry="diagonal"), ["a1", "b2", "a2"], Reason.NOT_PROVED),
        (Problem("3x4", symmetry="quarter-turn"), [], Reason.NOT_PROVED),
        (Problem("3x4", symmetry="quarter-turn"), ["a1"], Reason.NOT_PROVED),
        (Problem("1x5", piece="wazir", symmetry="top-bottom"), ["a1", "b1"], Reason.NOT_PROVED),
        (Problem("5x5", symmetry="half-turn", start="a1"), ["a1"], Reason.NOT_PROVED),
        (Problem("5x5", symmetry="half-turn", start="a1", end="e5"), ["a1", "e5"],
         Reason.NOT_PROVED),
        (Problem("5x5", symmetry="half-turn"), ["a1", "a1"], Reason.BAD_SQUARE),
        (Problem("5x5", symmetry="half-turn"), ["a6"], Reason.BAD_SQUARE),
        (Problem("501x501", closed=True, symmetry="half-turn"), [], Reason.TOO_LARGE),
    ],
)  # fmt: skip
def test_what_is_refused(problem, names, reason):
    with pytest.raises(Refusal) as refused:
        build_certificate(problem, {"kind": "symmetry", "squares": names})
    assert refused.value.reason is reason


def test_one_square_says_enough_of_any_board():
    assert MOST_SQUARES < 501 * 501
    long = Problem(Board(10**9, 10**9 + 1), closed=True, symmetry="quarter-turn")
    far = f"{square_name((0, 10**9))}"
    assert build_certificate(long, {"kind": "symmetry", "squares": [far]}).kind == "symmetry"


def test_older_versions_do_not_know_it():
    made = build_certificate(
        Problem("8x8", closed=True, symmetry="quarter-turn"), {"kind": "symmetry", "squares": []}
    )
    with pytest.raises(Refusal) as refused:
        check(signed({**made.document, "schema_version": 3}))
    assert refused.value.reason is Reason.UNKNOWN_KIND
