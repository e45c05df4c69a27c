"""The checker ends in time at every limit that FORMAT.md states, on files made to take long.

Each file is as large as one of the limits allows, or the tenth part of that, and what is beside
the point in it is small.  Whether it is valid does not matter.  ``FULL=1`` makes the whole files.
"""

from __future__ import annotations

import json
from itertools import pairwise
from time import process_time

import pytest

from kt_cp.model.board import square_name
from kt_cp.trust.check import FORMAT, Reason, Refusal, check
from kt_cp.trust.check.certificate import MOST_BYTES, MOST_LISTS
from kt_cp.trust.check.forced import MOST_SETS
from kt_cp.trust.check.frame import MOST_SQUARES
from kt_cp.trust.check.instance import BUDGET
from kt_cp.trust.check.refutation import check_lemmas
from kt_cp.trust.check.shape import MOST_CONDITIONS, MOST_EDGES
from kt_cp.trust.check.split import MOST_LOAD
from kt_cp.trust.check.sweep import CHOICES
from kt_cp.trust.check.tours import MOST_TOURS
from tests.examples.certificates import KING, WAZIR, certificate, on_board, on_graph, refutation
from tests.support.exhaustive import more

PART = more(10, 1)
"""Which part of each limit is reached."""

SECONDS = 120 / PART
"""Processor time that a check may take: on an idle machine none takes a third of it."""

NO_DIGESTS = {"formula": "", "proof": ""}


def path_graph(nodes, **conditions):
    names = [f"n{number}" for number in range(nodes)]
    graph = {"nodes": names, "edges": [list(pair) for pair in pairwise(names)]}
    return {**on_graph([], nodes=["a"]), **graph, **conditions}


def side(squares):
    return int(squares**0.5)


def names_of(rows, columns):
    return [square_name((row, column)) for row in range(rows) for column in range(columns)]


def file_of_lists():
    return {"format": FORMAT, "evidence": [[]] * (MOST_LISTS // PART - 9)}


def long_file():
    return {"format": FORMAT, "evidence": "x" * (MOST_BYTES // PART - 99)}


def long_list():
    n = side(MOST_SQUARES // PART)
    half = [name for place, name in enumerate(names_of(n, n)) if place % 2]
    return certificate(on_board(n, n), {"kind": "removal", "squares": half})


def large_graph():
    names = [f"n{number}" for number in range(MOST_SQUARES // PART)]
    edges = [*pairwise(names), *zip(names, names[2:], strict=False)]
    graph = {**on_graph([], nodes=names), "edges": [*map(list, edges[: MOST_EDGES // PART])]}
    return certificate(graph, {"kind": "connectivity", "squares": [names[0], names[-1]]})


def star():
    """All conditions at one node with nearly all edges."""
    names = [f"n{number}" for number in range(MOST_SQUARES // PART)]
    edges = [[names[0], other] for other in names[1:]]
    graph = {**on_graph([], nodes=["a"]), "nodes": names, "edges": edges, "forbid": edges[9:]}
    return certificate(graph, {"kind": "degrees", "squares": names[9:]})


def required_moves():
    graph = path_graph(MOST_CONDITIONS // PART, closed=True)
    graph["require"] = graph["edges"]
    return certificate(graph, {"kind": "forced", "tree": {}})


def clues_that_clash():
    graph = path_graph(MOST_CONDITIONS // PART)
    graph["given"] = [[name, step] for step, name in enumerate(graph["nodes"], start=1)]
    return certificate(graph, {"kind": "clash", "clues": graph["given"][-2:]})


def clues_of_a_refutation(squares=57_600 // PART):
    n = side(squares)
    snake = snakes(n, [0] * n)
    given = [[name, step] for step, name in enumerate(snake, start=1)]
    evidence = {"kind": "refutation", "tight": [], "cuts": [], "clues": given, "proof": []}
    problem = on_board(n, n, piece=WAZIR, given=given)
    return certificate(problem, {**evidence, "digests": NO_DIGESTS})


def snakes(n, zigzags):
    """A king's open tour, two ranks at a time: to and fro, or in a zigzag."""
    squares, columns = [], [*range(n)]
    for row, zigzag in zip(range(0, n - 1, 2), zigzags, strict=False):
        if zigzag:
            squares += [(up, column) for column in columns for up in (row, row + 1)]
            columns.reverse()
        else:
            squares += [(row, column) for column in columns]
            squares += [(row + 1, column) for column in columns[::-1]]
    return [*map(square_name, squares)]


def windows_of_many_edges():
    """Walks to and fro between a hub and one free node, past all clues."""
    names = [f"n{number}" for number in range(MOST_SQUARES // PART)]
    half = len(names) // 2
    edges = [[names[0], other] for other in names[1:half]]
    given = [[name, step] for step, name in enumerate(names[2:half], start=2)]
    graph = {**on_graph([], nodes=["a"]), "nodes": names, "edges": edges, "given": given}
    evidence = {"kind": "refutation", "tight": [], "cuts": [], "clues": given, "proof": []}
    return certificate(graph, {**evidence, "digests": NO_DIGESTS})


def tight_sets():
    sets = [["a1"]] * (MOST_SETS // PART)
    return certificate(on_board(9, 9), {"kind": "tight", "sets": sets})


def tree_of_cases():
    """One set after the other on a board as large as so many allow."""
    depth = 300
    n = side(BUDGET["loads of the frame"] // PART // depth // 2)
    tree = {"remove": ["a1"], "then": {}}
    for _ in range(depth - 2):
        tree = {"remove": ["a1"], "then": tree}
    return certificate(on_board(n, n), {"kind": "forced", "tree": tree})


def steps_of_a_split():
    steps = ["plain"] * (MOST_LOAD // PART // 64)
    evidence = {"kind": "split", "steps": steps, "then": {"kind": "forced", "tree": {}}}
    return certificate(on_board(8, 8, piece=KING), evidence)


def choices_of_a_sweep():
    files = [square_name((row, column)) for column in range(41) for row in range(5)]
    return certificate(on_board(5, 41, closed=True), {"kind": "sweep", "order": files})


def long_formula():
    n = side(BUDGET["literals"] // 260 // PART)
    evidence = {"kind": "refutation", "tight": [], "cuts": [], "proof": [], "digests": NO_DIGESTS}
    return certificate(on_board(n, n), evidence)


def list_of_tours():
    n = side(BUDGET["literals"] // MOST_TOURS) // 2 * 2
    tours = [snakes(n, map(int, f"{number:0{n // 2}b}")) for number in range(MOST_TOURS // PART)]
    evidence = {"kind": "list", "tight": [], "cuts": [], "tours": tours, "proof": []}
    return certificate(on_board(n, n, piece=KING), {**evidence, "digests": NO_DIGESTS})


def symmetric_board():
    n = side(MOST_SQUARES // PART)
    problem = on_board(n, n, closed=True, symmetry="half-turn")
    return certificate(problem, {"kind": "symmetry", "squares": []})


def long_proof():
    problem = on_board(3, 4, closed=True)
    return certificate(problem, refutation(problem, ["1 0 1 0"] * ((1 << 26) // PART // 8)))


FILES = [
    file_of_lists, long_file, long_list, large_graph, star, required_moves, clues_that_clash,
    clues_of_a_refutation, windows_of_many_edges, tight_sets, tree_of_cases, steps_of_a_split,
    choices_of_a_sweep, long_formula, list_of_tours, symmetric_board, long_proof,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("make", FILES, ids=lambda make: make.__name__)
def test_the_checker_ends_in_time(make, monkeypatch):
    text = json.dumps(make())
    monkeypatch.setitem(BUDGET, CHOICES, BUDGET[CHOICES] // PART)
    started = process_time()
    try:
        said = check(text).kind
    except Refusal as refusal:
        said = str(refusal)
    spent = process_time() - started
    print(f"{spent:.2f} s of the processor: {said}")
    assert spent < SECONDS


def test_time_grows_with_the_number_of_clues():
    """Eight times as many clues take about eight times as long, and 64 times if compared."""

    def seconds(squares):
        text = json.dumps(clues_of_a_refutation(squares))
        started = process_time()
        with pytest.raises(Refusal):
            check(text)
        return process_time() - started

    few, many = (min(seconds(squares) for _ in range(3)) for squares in (1_600, 12_800))
    print(f"{few:.2f} s and {many:.2f} s of the processor")
    assert many < 24 * few


@pytest.mark.slow
def test_a_proof_is_read_in_time():
    """Long clauses, each of which makes one more literal true."""
    width = 2_000
    clauses = [[*range(1, width + 1), width + 1 + number] for number in range(width)]
    clauses.append([-number for number in range(width + 1, 2 * width + 1)])
    lemma = " ".join(map(str, [*range(1, width + 1), 0, *range(1, width + 2), 0]))
    lines = [lemma] * (BUDGET["literals looked at"] // width**2 // PART // 4)
    started = process_time()
    with pytest.raises(Refusal) as refused:
        check_lemmas(2 * width, clauses, lines)
    assert refused.value.reason is Reason.NO_EMPTY_CLAUSE
    spent = process_time() - started
    print(f"{spent:.2f} s of the processor")
    assert spent < SECONDS
