"""Clues, symmetry and lists in certificates: models are tours, and each lie has its own reason."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import pairwise

import pytest
from pysat.solvers import Solver

from kt_cp.testing.problems import problems_with_clues
from kt_cp.trust.check import Reason, Refusal, check, formula, steps, tours
from kt_cp.trust.check.formula import formula_of
from kt_cp.trust.check.frame import frame_of
from kt_cp.trust.check.shape import problem_of
from kt_cp.trust.check.steps import clues_of, windows_of
from tests.examples.certificates import (
    KING,
    KNIGHT,
    SQUARE,
    SYMMETRIC,
    WAZIR,
    accepts,
    certificate,
    examples_4,
    on_board,
    on_graph,
    reason,
    reason_of,
    refutation,
    refuted,
    signed,
)
from tests.support.exhaustive import exhaustive


@pytest.mark.parametrize(("problem", "evidence"), examples_4())
def test_clues_and_lists_are_accepted_by_both_checkers(problem, evidence):
    document = signed(certificate(problem, evidence))
    checked = check(document)
    assert checked.kind == evidence["kind"]
    assert len(checked.tours) == len(evidence.get("tours", ()))
    assert accepts(document)
    for version in (1, 2, 3):  # which know nothing of all that
        older = {**certificate(problem, evidence), "schema_version": version}
        assert isinstance(reason_of(older), Reason)
        assert not accepts(older)


def edges_of(asked_, walk):
    """The moves of a walk."""
    return frozenset(map(frozenset, pairwise([*walk, *walk[: bool(asked_.closed)]])))


def models(problem):
    """The tours that the formula of a problem has, as sets of moves."""
    frame = frame_of(problem)
    squares, edges = list(frame.number), frame.edges()
    clues = [(frame.number[square], step) for square, step in clues_of(problem)]
    given = any(each.key == "given" for each in problem.conditions)
    _, clauses = formula_of(frame, None, [], clues if given else [])
    found = Counter()
    if [] in clauses:
        return found
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        while solver.solve():
            chosen = [x for x in solver.get_model() if 0 < x <= len(edges)]
            solver.add_clause([-x for x in chosen])
            if given or one_cycle(len(frame), [edges[x - 1] for x in chosen]):
                moves = (edges[x - 1] for x in chosen)
                pairs = ((u, v) for u, v in moves if v < frame.squares)
                found[frozenset(frozenset((squares[u], squares[v])) for u, v in pairs)] += 1
    return found


def one_cycle(size, edges):
    beside = {vertex: [] for vertex in range(size)}
    for u, v in edges:
        beside[u].append(v)
        beside[v].append(u)
    last, walk = None, [0]
    while len(walk) == 1 or walk[-1]:
        here = walk[-1]
        following = next(other for other in beside[here] if other != last)
        last = here
        walk.append(following)
    return len(walk) == size + 1


def hold_models(seeds):
    counted = Counter()
    for seed, question, problem in problems_with_clues(seeds, most=9):
        tours_ = {edges_of(question, walk) for walk in question.tours()}
        found = models(problem)
        assert set(found) == tours_, (seed, problem.label)
        assert set(found.values()) <= {1}, (seed, problem.label)
        counted[bool(tours_), bool(question.given), bool(question.symmetry)] += 1
    return counted


def test_models_are_the_tours_with_given_steps_and_symmetry():
    counted = hold_models(range(60))
    assert len(counted) >= 5 and counted[True, True, False] > 3


@pytest.mark.slow
@exhaustive("models with clues are the tours", range(60, 1500), sample=5)
def test_models_are_the_tours_many_times(cases):
    counted = hold_models(cases)
    assert len(counted) == 6 or len(cases) < 100


def test_windows():
    problem = problem_of(on_board(3, 4, given=[["a1", 1], ["b1", 4]], end="d3"))
    frame = frame_of(problem)
    clues = [(frame.number[square], step) for square, step in clues_of(problem)]
    named = [" ".join(frame.names[v] for v in window) for window in windows_of(frame, clues)]
    assert named[:6] == ["a1", "c2 b3", "d2 a3", "b1", "d2 c3", "d1 a2 b3"]
    assert named[-1] == "d3"
    # Two squares at one step, one square at two: nothing fits.
    for bad in ([(0, 1), (1, 1)], [(0, 1), (0, 5)]):
        assert [] in windows_of(frame, bad)


def test_too_large_is_told_before_anything_is_made(monkeypatch):
    monkeypatch.setattr(steps, "MOST_PAIRS", 20)
    problem = on_board(5, 5, given=[["a1", 1]])
    with pytest.raises(Refusal) as refused:
        windows_of(frame_of(problem_of(problem)), [(0, 1)])
    assert refused.value.reason is Reason.TOO_LARGE
    monkeypatch.undo()
    made = []
    monkeypatch.setattr(steps.Steps, "clauses", lambda *_: made.append(1))
    monkeypatch.setattr(formula, "MOST_LITERALS", 20_000)
    large = problem_of(on_board(6, 6, given=[["a1", 1]]))
    with pytest.raises(Refusal) as refused:
        formula_of(frame_of(large), None, [], [(0, 1)])
    assert refused.value.reason is Reason.TOO_LARGE and not made


# --- clashes --------------------------------------------------------------------------------------

FAR = on_board(8, 8, closed=True, start="a1", given=[["h8", 5], ["e4", 17], ["b3", 64]])


def clash(*clues):
    return {"kind": "clash", "clues": [list(clue) for clue in clues]}


CLASHES = [
    (FAR, clash(("a1", 1), ("h8", 5)), None),
    (FAR, clash(("a1", 1), ("e4", 17)), None),  # parity
    (FAR, clash(("a1", 1), ("b3", 64)), Reason.NOT_PROVED),  # next to each other in the round
    (FAR, clash(("h8", 5), ("e4", 17)), None),
    (FAR, clash(("a1", 1), ("h8", 6)), Reason.NOT_A_CLUE),
    (FAR, clash(("a1", 1), ("h8", 17)), Reason.NOT_A_CLUE),
    (FAR, clash(("a1", 1), ("a1", 1)), Reason.NOT_A_CLUE),
    (FAR, clash(), Reason.WRONG_SHAPE),
    (FAR, clash(("a1", 1)), Reason.NOT_PROVED),
    (FAR, clash(("a1", 1), ("h8", 5), ("e4", 17)), Reason.WRONG_SHAPE),
    (FAR, clash(("a1", 1), ("h8", 5, 6)), Reason.WRONG_SHAPE),
    (FAR, clash(("a1", 1), ("h8", "5")), Reason.WRONG_SHAPE),
    (FAR, clash(("a1", 1), ("h9", 5)), Reason.BAD_SQUARE),
    (FAR, clash(("a1", 1), ("h8", 65)), Reason.OUT_OF_RANGE),
    (FAR, {"kind": "clash", "clues": {"a1": 1}}, Reason.WRONG_SHAPE),
    (FAR, {"kind": "clash"}, Reason.WRONG_SHAPE),
    # The start of a closed tour is a clue only if there is one; so is an end.
    ({**FAR, "start": None}, clash(("a1", 1), ("h8", 5)), Reason.NOT_A_CLUE),
    (on_board(3, 4, start="a1", end="b1"), clash(("a1", 1), ("b1", 12)), Reason.NOT_PROVED),
    (on_board(3, 4, start="a1", end="c1"), clash(("a1", 1), ("c1", 12)), None),
    # A wazir can go to and fro, a king has both parities, and forbidden moves are none.
    (on_board(3, 4, piece=WAZIR, given=[["a1", 1], ["b1", 4]]), clash(("a1", 1), ("b1", 4)),
     Reason.NOT_PROVED),
    (on_board(3, 4, piece=KING, given=[["a1", 1], ["b1", 3]]), clash(("a1", 1), ("b1", 3)),
     Reason.NOT_PROVED),
    (on_board(2, 2, piece=WAZIR, given=[["a1", 1], ["b1", 2]]), clash(("a1", 1), ("b1", 2)),
     Reason.NOT_PROVED),
    (on_board(2, 2, piece=WAZIR, given=[["a1", 1], ["b1", 2]], forbid="a1-b1"),
     clash(("a1", 1), ("b1", 2)), None),
    # A clue alone: light squares of 5x5 have even steps, and a king has both parities.
    (on_board(5, 5, given=[["b1", 9]]), clash(("b1", 9)), None),
    (on_board(5, 5, given=[["b1", 8]]), clash(("b1", 8)), Reason.NOT_PROVED),
    (on_board(5, 5, given=[["a1", 8]]), clash(("a1", 8)), None),
    (on_board(5, 5, given=[["a1", 9]]), clash(("a1", 9)), Reason.NOT_PROVED),
    (on_board(5, 5, given=[["b1", 9]]), clash(("b1", 7)), Reason.NOT_A_CLUE),
    (on_board(5, 5, piece=KING, given=[["b1", 9]]), clash(("b1", 9)), Reason.NOT_PROVED),
    (on_board(4, 5, "a1", given=[["b1", 2]]), clash(("b1", 2)), None),  # 10 light, 9 dark
    (on_board(4, 5, given=[["a1", 8]]), clash(("a1", 8)), Reason.NOT_PROVED),
    (on_board(3, 3, surface="torus", given=[["b1", 2]]), clash(("b1", 2)), Reason.NOT_PROVED),
    (on_graph(["ab", "bc", "bd", "de"], given=[["b", 3]]), clash(("b", 3)), None),
    (on_graph(["ab", "bc", "cd", "de"], given=[["b", 5]]), clash(("b", 5)), None),
    (on_graph(["ab", "bc", "cd", "de"], given=[["b", 2]]), clash(("b", 2)), Reason.NOT_PROVED),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "evidence", "expected"), CLASHES)
def test_clashes(problem, evidence, expected):
    assert reason(problem, evidence) is expected
    assert accepts(certificate(problem, evidence)) == (expected is None)


def test_a_clue_alone_counts_from_version_5():
    document = certificate(on_board(5, 5, given=[["b1", 9]]), clash(("b1", 9)))
    older = {**document, "schema_version": 4}
    assert accepts(document) and not accepts(older)
    check(document)
    with pytest.raises(Refusal) as refused:
        check(older)
    assert refused.value.reason is Reason.WRONG_SHAPE


SENTENCES = {
    "a1 is at step 1 and h8 at step 5, 4 moves later, but a knight needs 6 moves from a1 to h8":
        (FAR, clash(("a1", 1), ("h8", 5))),
    "a1 is at step 1 and e4 at step 17, 16 moves later, but every way from a1 to e4 has an odd "
    "number of moves": (FAR, clash(("a1", 1), ("e4", 17))),
    "d1 is at step 10 and a1 at step 1 of the next round, 1 move later, but a wazir needs 3 moves "
    "from d1 to a1": examples_4()[2],
    "c2 and a2 cannot both be at step 6": examples_4()[4],
    "a cannot be both at step 1 and at step 3": examples_4()[5],
    "b1 is at step 5 and a wazir changes colour with every move, so the odd steps need 5 squares "
    "of b1's colour, but moves from there reach 4": examples_4()[6],
    "a1 is at step 8 and a knight changes colour with every move, so the odd steps need 13 squares "
    "of the other colour, but moves from there reach 12":
        (on_board(5, 5, given=[["a1", 8]]), clash(("a1", 8))),
    "b is at step 3, so the odd steps need 3 nodes that an even number of edges leads to, but":
        examples_4()[7],
    "no way": (on_board(2, 4, given=[["a1", 1], ["b1", 3]]), clash(("a1", 1), ("b1", 3))),
    "a way from a to c of an odd number of edges has 5 at least": (
        on_graph(["ab", "bc", "bd", "de", "be"], given=[["a", 1], ["c", 4]]),
        clash(("a", 1), ("c", 4)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences(sentence):
    argument = check(certificate(*SENTENCES[sentence])).argument
    assert sentence.replace("from d1 to a1", "") in argument.replace("from a1 to d1", "")


# --- clues of refutations -------------------------------------------------------------------------

COLOURS = on_board(2, 3, piece=WAZIR, given=[["a1", 1], ["c1", 6], ["b2", 3]])
FEW = [["a1", 1], ["c1", 6]]


def test_fewer_clues_prove_as_much_and_others_nothing():
    evidence = refuted(COLOURS, pack=False, clues=FEW)
    assert reason(COLOURS, evidence) is None
    told = check(certificate(COLOURS, evidence)).argument
    assert told.startswith("with a1 at step 1 and c1 at step 6, the formula of ")
    for given in ([["a1", 1], ["b2", 3]], [["c1", 6]], [["a1", 1], ["c1", 5]]):
        assert reason({**COLOURS, "given": given}, evidence) is Reason.NOT_A_CLUE
    for clues, expected in (
        ([], Reason.WRONG_DIGEST),
        ([["a1", 1]], Reason.WRONG_DIGEST),
        ([*FEW, ["b2", 3]], Reason.WRONG_DIGEST),
        ([*FEW, FEW[0]], Reason.NOT_A_CLUE),
        ([["a1", 1], ["c1", 5]], Reason.NOT_A_CLUE),
        ([["a1", 1], ["c1"]], Reason.WRONG_SHAPE),
        ("a1", Reason.WRONG_SHAPE),
        (None, Reason.WRONG_SHAPE),
    ):
        assert reason(COLOURS, {**evidence, "clues": clues}) is expected, clues
    less = {key: value for key, value in evidence.items() if key != "clues"}
    assert reason(COLOURS, less) is Reason.WRONG_SHAPE
    assert reason({**COLOURS, "given": []}, less) is Reason.WRONG_DIGEST
    assert reason({**COLOURS, "given": []}, evidence) is Reason.WRONG_SHAPE
    # A proof that is made to fit another formula does not follow.
    fitted = refutation(COLOURS, evidence["proof"], clues=[["a1", 1]], pack=False)
    assert reason(COLOURS, fitted) in (Reason.BAD_LEMMA, Reason.OUT_OF_RANGE)


def test_the_start_of_a_closed_tour_counts_if_it_is_named():
    problem = on_board(2, 3, piece=WAZIR, closed=True, start="a1", given=[["c2", 3]])
    both = [["a1", 1], ["c2", 3]]
    assert reason(problem, refuted(problem, pack=False, clues=both)) is None
    alone = refuted(
        {**problem, "given": []}, pack=False, tours=[["a1", "b1", "c1", "c2", "b2", "a2"]]
    )
    assert reason({**problem, "given": []}, alone) is None
    assert reason({**problem, "start": None}, refutation(problem, ["0 1 0"], clues=both)) is (
        Reason.NOT_A_CLUE
    )


# --- lists ----------------------------------------------------------------------------------------

HALF = on_board(3, 4, symmetry="half-turn")
ONE = on_board(2, 3, piece=WAZIR, given=[["a1", 1], ["b1", 4]])
WALK = ["a1", "a2", "b2", "b1", "c1", "c2"]
PROOF = refuted(ONE, pack=False, tours=[WALK])


def relisted(problem, tours_, evidence=None):
    """A list of other tours under the same proof, digests made to fit."""
    evidence = evidence or PROOF
    try:
        return refutation(
            problem, evidence["proof"], evidence["cuts"], clues=evidence.get("clues", ()),
            tours=tours_, pack=False,
        )  # fmt: skip
    except (KeyError, IndexError):  # no moves
        return {**evidence, "tours": tours_}


LISTS = [
    ([], Reason.EMPTY_SET),
    (None, Reason.WRONG_SHAPE),
    ("a1", Reason.WRONG_SHAPE),
    ([None], Reason.WRONG_SHAPE),
    (["a1 a2 b2 b1 c1 c2"], Reason.WRONG_SHAPE),
    ([WALK, WALK], Reason.TWICE),
    ([WALK[:5]], Reason.NOT_A_TOUR),
    ([[*WALK, "a1"]], Reason.BAD_SQUARE),  # twice in one list
    ([[*WALK[:5], "c3"]], Reason.BAD_SQUARE),
    ([WALK[::-1]], Reason.NOT_A_TOUR),  # the clues tell the direction
    ([["a1", "b1", "b2", "a2", "c1", "c2"]], Reason.NOT_A_TOUR),
    ([["a1", "a2", "b2", "c2", "c1", "b1"]], Reason.NOT_A_TOUR),  # a tour, but b1 at 6
    ([WALK, ["a1", "a2", "b2", "c2", "c1", "b1"]], Reason.NOT_A_TOUR),
    ([[]], Reason.NOT_A_TOUR),
]


@pytest.mark.parametrize(("tours_", "expected"), LISTS)
def test_lists_that_are_wrong(tours_, expected):
    assert reason(ONE, PROOF) is None
    evidence = {**PROOF, "tours": tours_}
    assert reason(ONE, evidence) is expected
    assert not accepts(certificate(ONE, evidence))


def test_a_tour_left_out_is_missed():
    whole = refuted(HALF, pack=False, tours=SYMMETRIC)
    assert reason(HALF, whole) is None
    for place in range(4):
        fewer = SYMMETRIC[:place] + SYMMETRIC[place + 1 :]
        assert reason(HALF, {**whole, "tours": fewer}) is Reason.WRONG_DIGEST
        assert reason(HALF, relisted(HALF, fewer, whole)) in (
            Reason.BAD_LEMMA,
            Reason.OUT_OF_RANGE,
        )
    reverse = [*SYMMETRIC[:3], SYMMETRIC[3][::-1]]
    assert reason(HALF, {**whole, "tours": reverse}) is None  # of an open tour, either direction
    assert reason(HALF, {**whole, "tours": [*SYMMETRIC, SYMMETRIC[2][::-1]]}) is Reason.TWICE
    crooked = ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "d3", "b2", "d1", "c3", "a2"]
    assert reason(HALF, {**whole, "tours": [crooked]}) is Reason.NOT_A_TOUR
    free = {**HALF, "symmetry": None}
    assert reason(free, relisted(free, SYMMETRIC, whole)) in (
        Reason.BAD_LEMMA,
        Reason.OUT_OF_RANGE,
    )


def test_a_closed_tour_is_one_wherever_it_begins():
    ring, proof = [*"abcd"], refuted(SQUARE, pack=False, tours=[[*"abcd"]])
    for shift in range(4):
        turned = ring[shift:] + ring[:shift]
        for same in (turned, turned[::-1]):
            assert reason(SQUARE, {**proof, "tours": [same]}) is None
            assert reason(SQUARE, {**proof, "tours": [ring, same]}) is Reason.TWICE
    # With a start it begins there.
    placed = {**SQUARE, "start": "b"}
    assert reason(placed, {**proof, "tours": [[*"bcda"]]}) is None
    assert reason(placed, {**proof, "tours": [ring]}) is Reason.NOT_A_TOUR


def test_a_list_needs_its_conditions():
    problem = examples_4()[-1][0]
    evidence = deepcopy(examples_4()[-1][1])
    assert reason(problem, evidence) is None
    assert problem["piece"] != KNIGHT
    other = [["a1", "a2", "b1", "c2", "c1", "b2"]]
    assert reason(problem, {**evidence, "tours": other}) is Reason.NOT_A_TOUR  # not a1-b2
    assert reason({**problem, "start": "c1"}, evidence) is Reason.NOT_A_TOUR
    assert reason({**problem, "forbid": [["b1", "c2"]]}, evidence) is Reason.NOT_A_TOUR


def test_too_many_tours(monkeypatch):
    monkeypatch.setattr(tours, "MOST_TOURS", 3)
    assert reason(HALF, examples_4()[-2][1]) is Reason.TOO_LARGE
