"""Boards with tours: theorems, lemmas, obstructions, ends on low boards."""

from __future__ import annotations

import csv
import random
from itertools import combinations

import networkx as nx
import pytest

from kt_cp import Board, Problem, Verdict, check, engine_names, get_engine, solve
from kt_cp.model.outcome import EvidenceKind
from kt_cp.proofs.obstructions import obstruction
from kt_cp.proofs.theorems import has_no_closed_tour, has_no_open_tour, theorem
from kt_cp.search.backtrack import hamiltonian_cycle
from kt_cp.testing import oracle
from tests.oracles import held_karp
from tests.support.command_line import DATA
from tests.support.exhaustive import exhaustive

TABLE = DATA / "verdicts.csv"
with TABLE.open(encoding="utf-8", newline="") as lines:
    ROWS = list(csv.DictReader(lines))
ENGINES = [*engine_names(), "sat:position", "sat:lazy:glucose4"]
COMPLETE = [name for name in ENGINES if get_engine(name).complete]


def verdict(engine, problem):
    return solve(problem, engine, own_process=False).verdict


def table(row):
    return int(row["rows"]), int(row["columns"]), row["kind"] == "closed", row["exists"] == "1"


def shapes(rows, columns):
    """Return the sides of the board and of its transpose."""
    return sorted({(rows, columns), (columns, rows)})


def test_the_table_is_whole():
    sides = {(m, n) for m in range(1, 7) for n in range(m, 7)} | {(3, n) for n in range(7, 11)}
    found = [(rows, columns, closed) for rows, columns, closed, _ in map(table, ROWS)]
    assert sorted(found) == sorted((*each, closed) for each in sides for closed in (False, True))
    assert all(row["source"] for row in ROWS)


@pytest.mark.parametrize("engine", COMPLETE)
@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row['rows']}x{row['columns']}-{row['kind']}"
)
def test_every_complete_engine_agrees_with_the_table(engine, row):
    rows, columns, closed, exists = table(row)
    # Every other engine gets the transposed board.
    shape = shapes(rows, columns)[-(COMPLETE.index(engine) % 2)]
    outcome = solve(Problem(Board(*shape), closed=closed), engine, own_process=False)
    assert outcome.verdict is (Verdict.FOUND if exists else Verdict.IMPOSSIBLE), shape
    # The reference confirms each claim without a certificate.
    assert outcome.checks.agrees is True or outcome.certificate or rows * columns > 30


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row['rows']}x{row['columns']}-{row['kind']}"
)
def test_theorems_and_obstructions_agree_with_the_table(row):
    rows, columns, closed, exists = table(row)
    impossible = has_no_closed_tour if closed else has_no_open_tour
    assert impossible(rows, columns) is not exists
    for shape in shapes(rows, columns):
        problem = Problem(Board(*shape), closed=closed)
        assert (obstruction(problem) is None) is exists or len(problem) < 3


# Obstructions never contradict a tour


def random_board(rng):
    """Return a board of at most 16 squares, mostly well connected."""
    rows, columns = rng.choice([(3, 4), (3, 5), (4, 4), (4, 5), (5, 4), (3, 6), (5, 5), (2, 9)])
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    left = rng.randint(max(3, min(len(squares), 16) - 5), min(len(squares), 16))
    missing = set()
    while len(squares) - len(missing) > left:  # mostly remove the worst connected first
        graph = oracle.knight_graph(rows, columns, missing)
        least = min(dict(graph.degree).values())
        worst = [square for square in graph if graph.degree[square] == least]
        missing.add(rng.choice(worst if rng.random() < 0.8 else list(graph)))
    return Board(rows, columns, missing)


@exhaustive("obstructions never refute a tour", range(60), sample=3, batches=2)
def test_obstructions_against_dynamic_programming(cases):
    for seed in cases:
        rng = random.Random(seed)
        board = random_board(rng)
        graph = oracle.knight_graph(board.rows, board.columns, board.missing)
        ends = held_karp.pairs(graph)
        squares = list(graph)
        condition_sets = [{}, {"closed": True}, *({"start": square} for square in squares)]
        condition_sets += [{"end": square} for square in squares]
        condition_sets += [{"start": u, "end": v} for u in squares for v in squares if u != v]
        for conditions in condition_sets:
            problem = Problem(board, **conditions)
            exists = held_karp.exists(graph, **{"closed": False, **conditions}, table=ends)
            why = obstruction(problem)
            assert why is None or not exists, f"seed {seed}, {problem.label}: {why}"


def test_those_boards_try_both_answers():
    counts = {True: 0, False: 0}
    for seed in range(60):
        board = random_board(random.Random(seed))
        graph = oracle.knight_graph(board.rows, board.columns, board.missing)
        exists = held_karp.exists(graph, closed=False)
        counts[exists] += 1
        problem = Problem(board)
        assert verdict("backtrack", problem) is (Verdict.FOUND if exists else Verdict.IMPOSSIBLE)
    assert min(counts.values()) >= 15, counts


@pytest.mark.parametrize("seed", range(150))
def test_obstructions_on_graphs_against_the_naive_oracle(seed):
    rng = random.Random(seed)
    graph = nx.gnp_random_graph(rng.randint(3, 6), rng.choice([0.3, 0.5, 0.7]), seed=seed)
    if seed % 3 == 0:  # make it bipartite
        graph.remove_edges_from([edge for edge in graph.edges if sum(edge) % 2 == 0])
    start, end = rng.sample(list(graph), 2)
    for conditions in ({}, {"closed": True}, {"start": start}, {"start": start, "end": end}):
        problem = Problem(graph=graph, **conditions)
        why = obstruction(problem)
        exists = oracle.exists(graph, problem.closed, problem.start, problem.end)
        assert why is None or not exists, f"seed {seed}, {problem.label}: {why}"


@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_two_oracles_agree(size):
    for seed in range(10):
        graph = nx.gnp_random_graph(size, 0.5, seed=seed)
        ends = held_karp.pairs(graph)
        for start in graph:
            theirs = {order[-1] for order in oracle.tours(graph, closed=False, start=start)}
            assert ends[start] == theirs
        assert held_karp.exists(graph, closed=True) is oracle.exists(graph, closed=True)


# In words

# Two 3x3 rings without their centres, beyond a knight's move from each other.
TWO_RINGS = Board.parse("3x8", "b2 g2 d1 d2 d3 e1 e2 e3")


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem(Board(3, 3)), "b2 has no moves at all"),
        (Problem(Board(7, 7), closed=True), "25 dark"),
        (Problem(Board(8, 8, missing={(0, 0)}), closed=True), "31 dark"),
        (Problem(Board(8, 8, missing={(0, 1), (1, 0)})), "32 dark"),
        (Problem(Board(8, 8), start=(0, 0), end=(7, 7)), "a1 and h8 do"),
        (Problem(Board(5, 5), start=(0, 1)), "both ends of a tour are dark, but b1 is not"),
        (Problem(Board(2, 3)), "no moves"),
        (Problem(Board(8, 8, missing={(1, 2), (7, 7)}), closed=True), "a1 has at most one"),
        (
            Problem(TWO_RINGS, closed=True),
            "the board falls into 2 pieces, and no way leads from a1 to f1",
        ),
        (Problem(graph=nx.star_graph(4)), "1, 2 and 3 are too many"),
        (
            Problem(graph=nx.path_graph(4), start=1),
            "beside the end that is given there is room for one: not for 0 and 3",
        ),
        (Problem(graph=nx.path_graph(4), closed=True), "0 has at most one"),
        (
            Problem(graph=nx.complete_bipartite_graph(3, 5)),
            "without 0, 1 and 2 the graph falls into 5 components",
        ),
        (
            Problem(graph=nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), closed=True),
            "2 components, and no way leads from 0 to 3",
        ),
    ],
    ids=lambda value: value.label if isinstance(value, Problem) else "",
)
def test_every_reason_is_named(problem, words):
    outcome = solve(problem, "auto", own_process=False)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert words in outcome.reason
    assert outcome.evidence.kind is EvidenceKind.ARGUMENT
    assert check(outcome.certificate.to_json()).argument == outcome.reason
    assert outcome.reason == outcome.evidence.text
    # A heuristic checks this first, and its reason has these words.
    assert outcome.reason in solve(problem, "warnsdorff", own_process=False).reason


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem(Board(3, 4), closed=True), "Schwenk's theorem (1991)"),
        (Problem(Board(4, 10), closed=True), "Schwenk's theorem (1991)"),
        (Problem(Board(4, 4)), "Cull and De Curtins 1978, Chia and Ong 2005"),
    ],
    ids=lambda value: value.label if isinstance(value, Problem) else "",
)
def test_a_theorem_is_cited_where_nothing_is_proved(problem, words):
    assert words in solve(problem, "warnsdorff", own_process=False).reason
    outcome = solve(problem, "auto", own_process=False)
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert words not in outcome.reason
    assert check(outcome.certificate.to_json()).argument == outcome.reason


def test_beyond_what_can_be_laid_out_a_theorem_has_to_do():
    outcome = solve(Problem(Board(4, 1_000_000), closed=True), "auto")
    assert outcome.evidence.kind is EvidenceKind.THEOREM
    assert outcome.certificate is None


@pytest.mark.parametrize("engine", [name for name in COMPLETE if name != "auto"])
def test_every_no_says_what_backs_it(engine):
    outcome = solve(Problem(Board(4, 4)), engine, own_process=False)
    searched = engine in ("backtrack", "reference", "windows")
    assert outcome.evidence.kind is (EvidenceKind.EXHAUSTED if searched else EvidenceKind.CLAIMED)
    assert ("tried everything" if searched else "claimed by") in outcome.reason


# Elementary lemmas


def test_four_rows_have_no_tour_from_an_inner_square():
    for columns in (5, 6):
        for column in range((columns + 1) // 2):  # the others are mirror images
            problem = Problem(Board(4, columns), start=(1, column))
            assert verdict("backtrack", problem) is Verdict.IMPOSSIBLE, problem.label


@pytest.mark.parametrize("engine", COMPLETE)
def test_four_by_five_from_inner_squares_by_everyone(engine):
    for square in [(1, 0), (2, 2)]:
        for board, start in ((Board(4, 5), square), (Board(5, 4), square[::-1])):
            assert verdict(engine, Problem(board, start=start)) is Verdict.IMPOSSIBLE
            assert verdict(engine, Problem(board, end=start)) is Verdict.IMPOSSIBLE


@pytest.mark.parametrize("engine", COMPLETE)
def test_five_by_five_from_a_square_of_the_rarer_colour(engine):
    assert verdict(engine, Problem(Board(5, 5), start=(0, 1))) is Verdict.IMPOSSIBLE
    assert verdict(engine, Problem(Board(5, 5), end=(0, 1))) is Verdict.IMPOSSIBLE


def test_five_rows_from_b3_end_in_a_corner():
    board = Board(5, 6)
    for end in board:
        if end in ((2, 1), (0, 0), (4, 0)):
            continue
        problem = Problem(board, start=(2, 1), end=end)
        assert verdict("backtrack", problem) is Verdict.IMPOSSIBLE, problem.label
    for corner in ((0, 0), (4, 0)):
        problem = Problem(board, start=(2, 1), end=corner)
        assert verdict("backtrack", problem) is Verdict.FOUND, problem.label


def test_six_by_six_joins_compatible_ends():
    # tests/construction constructs all of them; search finds some here.
    board = Board(6, 6)
    pairs = [(u, v) for u in board for v in board if u < v and sum(u) % 2 != sum(v) % 2]
    for start, end in random.Random(6).sample(pairs, 27):
        assert verdict("sat", Problem(board, start=start, end=end)) is Verdict.FOUND


def test_closed_seven_by_seven_falls_to_its_colours():
    outcome = solve(Problem(Board(7, 7), closed=True))
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert outcome.engine == "auto"
    assert "changes colour with every move" in outcome.reason


def test_large_boards_fall_to_the_theorems():
    for board in (Board(4, 10**6), Board(10**6, 4), Board(999, 1001)):
        assert verdict("auto", Problem(board, closed=True)) is Verdict.IMPOSSIBLE
    assert verdict("auto", Problem(Board(2, 10**9))) is Verdict.IMPOSSIBLE


SHAPES = [
    (3, 4), (3, 7), (3, 8), (3, 9), (3, 10), (4, 5), (4, 6), (4, 7), (5, 5), (5, 6), (5, 7),
    (7, 3), (8, 3), (6, 4), (6, 5),
]  # fmt: skip


def exists(board, one, two):
    """Return whether a tour leads from one square to another, by exhaustive search."""
    problem = Problem(board)
    index = problem.indexed.index
    neighbours = [list(near) for near in problem.indexed.neighbours]
    here, there = index[one], index[two]
    if there not in neighbours[here]:
        neighbours[here].append(there)
        neighbours[there].append(here)
    cycle, exhausted, _ = hamiltonian_cycle(
        neighbours, [(here, there)], seed=0, should_stop=lambda: False
    )
    assert exhausted
    return cycle is not None


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_it_says_no_only_where_search_does(rows, columns):
    board = Board(rows, columns)
    known = 0
    for one, two in combinations(board, 2):
        why = theorem(Problem(board, start=one, end=two))
        assert (why is None) == (theorem(Problem(board, start=two, end=one)) is None)
        if why is not None:
            assert why.kind is EvidenceKind.THEOREM
            assert not exists(board, one, two), (rows, columns, one, two, why.text)
            known += 1
    assert known > 0


@pytest.mark.parametrize(
    ("board", "start", "end", "text"),
    [
        ("4x1000000", "c2", None, "no tour of four rows begins or ends on an inner one, as c2 is"),
        ("4x1000000", None, "a3", "no tour of four rows begins or ends on an inner one, as a3 is"),
        ("3x1000000", "c2", "b2", "c2 is the neighbour that two corners share"),
        ("1000000x3", "b2", "b3", "b3 is the neighbour that two corners share"),
        ("5x1000000", "a3", "b3", "b3 is the neighbour that two corners share"),
        ("3x1000001", "c1", "c3", "between c1 and c3 lies a square with no other neighbours"),
        ("3x1000001", "d2", "c3", "between d2 and c3 all moves are forced"),
    ],
)
def test_enormous_boards_get_their_reason(kt_cp, board, start, end, text):
    ends = [part for name, end in (("start", start), ("end", end)) if end
            for part in (f"--{name}", end)]  # fmt: skip
    result = kt_cp("solve", board, *ends)
    assert result.code == 1 and text in result.out and "backed by: theorem" in result.err


@pytest.mark.parametrize(("rows", "columns"), [(3, 14), (4, 10), (5, 8), (3, 15)])
def test_the_shared_neighbour_serves_its_corners(rows, columns):
    # Other pairs of ends have a tour, for example c2 to a1 on an even board.
    board = Board(rows, columns)
    pairs = [((1, 2), (0, 0)), ((2, 1), (4, 0)), ((0, 0), (0, columns - 1))]
    for one, two in pairs:
        if one in board and two in board:
            problem = Problem(board, start=one, end=two)
            outcome = solve(problem)
            assert (outcome.verdict is Verdict.FOUND) == exists(board, one, two), problem.label
