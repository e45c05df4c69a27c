"""The promises of every encoding, one function each; ``encoding`` is a name or an Encoding.

A formula is right if its models are the tours: each model decodes to a tour, and every tour that an
oracle finds has one model, or two if both directions are models.  So a solver lists all models of
small problems, and the tours are compared.  Two models differ if variables that determine the tour
do: those with a stated meaning, or all if none has one.

Decoding is tested on more than models.  With one variable flipped, the flags may still be a tour;
anything else must be refused or cut off.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any

from kt_cp.encodings import Cnf, Cuts, Encoding, get_encoding
from kt_cp.encodings.cnf import MOST_CLAUSES
from kt_cp.encodings.meaning import meaning
from kt_cp.engines.sat import SOLVERS, flags_of
from kt_cp.model.board import Board
from kt_cp.model.errors import EngineFailedError, InputError, NotTakenError
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.testing import oracle
from kt_cp.testing.engine import is_tour
from kt_cp.testing.problems import ENDS, OTHERS, Question, ends, question
from kt_cp.trust.judge import defects

EncodingLike = str | Encoding
Edges = frozenset[frozenset[Any]]


def encoding_of(encoding: EncodingLike) -> Encoding:
    """Return the encoding of a name."""
    return get_encoding(encoding) if isinstance(encoding, str) else encoding


def takes(encoding: EncodingLike, problem: Problem) -> bool:
    """Return whether it takes a problem; a refusal is an InputError of one line."""
    try:
        encoding_of(encoding).refuse(problem)
    except InputError as error:
        text = str(error)
        assert text and "\n" not in text, f"{problem.label}: refused in one line, not {text!r}"
        return False
    return True


def telling(encoding: EncodingLike, cnf: Cnf) -> list[int]:
    """Return the variables that determine the tour; the others follow or do not matter."""
    text = [variable for variable, _ in (encoding_of(encoding).meaning or meaning)(cnf)]
    return text or list(range(1, cnf.variables + 1))


def models(encoding: EncodingLike, problem: Problem) -> Iterator[tuple[Cnf, list[bool], Tour]]:
    """Yield the models, as flags and tours, one for each assignment of the tour's variables."""
    from pysat.solvers import Solver

    made = encoding_of(encoding)
    cnf = made.encode(problem)
    own = telling(made, cnf)
    if [] in cnf.clauses:
        return
    with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
        while solver.solve():
            true = flags_of(solver.get_model(), cnf.variables)
            decoded = made.decode(cnf, true)
            if isinstance(decoded, Cuts):
                assert decoded.clauses, f"{made.name}, {problem.label}: neither tour nor cut"
                for cut in decoded.clauses:
                    note = f"{made.name}, {problem.label}: the model satisfies its cut {cut}"
                    assert not any(true[abs(each)] == (each > 0) for each in cut), note
                    if not cut:
                        return
                    solver.add_clause(cut)
            else:
                yield cnf, true, decoded
                solver.add_clause([-each if true[each] else each for each in own])


def all_tours(encoding: EncodingLike, problem: Problem) -> list[Tour]:
    """Return the tour of every model."""
    return [tour for _, _, tour in models(encoding, problem)]


def edges_of(tour: Iterable[Any], problem: Problem) -> Edges:
    """Return a tour without its direction."""
    walk = list(tour)
    around = pairwise([*walk, walk[0]] if problem.closed else walk)
    return frozenset(frozenset(edge) for edge in around)


def held(
    encoding: EncodingLike, problem: Problem, tours: Iterable[Iterable[Any]]
) -> list[Tour] | None:
    """Compare the tours of all models with those of an oracle; None if the problem is refused."""
    if not takes(encoding, problem):
        return None
    made = all_tours(encoding, problem)
    note = f"{encoding_of(encoding).name}, {problem.label}"
    for tour in made:
        assert defects(problem, list(tour)) == [], f"{note}: a model is read as {list(tour)}"
    edge_counts = Counter(edges_of(tour, problem) for tour in made)
    true = {edges_of(tour, problem) for tour in tours}
    assert {*edge_counts} == true, f"{note}: {len(edge_counts)} tours, and there are {len(true)}"
    most = max(edge_counts.values(), default=0)
    assert most <= 2, f"{note}: a tour has {most} models, and it has two directions"
    return made


KNOWN: tuple[tuple[int, int, bool, int], ...] = (
    (3, 4, False, 8), (4, 4, False, 0), (3, 7, False, 52), (4, 5, False, 82),
    (3, 8, True, 0), (5, 6, True, 8), (3, 10, True, 16),
)  # fmt: skip
"""Rows, columns, closed and number of undirected tours: OEIS A169696, A079137, A070030, A175855."""

SIZED = ((3, 4), (4, 5), (5, 5), (5, 6), (6, 6), (3, 20), (8, 8), (9, 9))
"""Boards on which the estimate of clauses is compared with their number."""


def registered(encoding: EncodingLike) -> None:
    """Check that its texts are one line each, and its solver is known."""
    made = encoding_of(encoding)
    for text in (made.name, made.summary):
        assert text and "\n" not in text, f"{made.name}: a line each, not {text!r}"
    assert made.solver in SOLVERS, f"{made.name}: {made.solver!r} is none of PySAT's"


def known_counts(encoding: EncodingLike) -> list[list[Tour] | None]:
    """Check the number of models on boards of up to thirty squares with known numbers of tours."""
    every = []
    for rows, columns, closed, undirected in KNOWN:
        problem = Problem(Board(rows, columns), closed=closed)
        tours = all_tours(encoding, problem) if takes(encoding, problem) else None
        for tour in tours or []:
            is_tour(problem, oracle.knight_graph(rows, columns), tour, problem.label)
        count = None if tours is None else len({edges_of(tour, problem) for tour in tours})
        note = f"{problem.label}: {count} tours, and there are {undirected}"
        assert count in (None, undirected), note
        every.append(tours)
    assert any(every), "it takes none of the boards that have a tour"
    return every


def random_graphs(encoding: EncodingLike, seeds: Iterable[int] = range(12)) -> None:
    """Compare the tours of graphs of up to seven nodes, with ends of every kind."""
    for seed in seeds:
        for problem, tours in graph_problems(seed):
            held(encoding, problem, tours)


@cache  # every encoding gets the same questions
def graph_problems(seed: int) -> list[tuple[Problem, list[tuple[Any, ...]]]]:
    """Return the problems of a graph with ends of every kind, and their directed tours."""
    import networkx as nx

    rng = random.Random(seed)
    graph = nx.gnp_random_graph(rng.randint(3, 7), rng.choice([0.4, 0.6, 0.8]), seed=seed)
    if seed % 4 == 0:
        graph.remove_edges_from([edge for edge in graph.edges if sum(edge) % 2 == 0])
    first, last = rng.sample(list(graph), 2)
    problems = [Problem(graph=graph, **ends(kind, first, last)) for kind in ENDS]
    return [
        (each, list(oracle.tours(graph, each.closed, _first(each), each.end))) for each in problems
    ]


def _first(problem: Problem) -> Any:
    """Return the first square of a closed tour, which is one cycle from any square."""
    return next(iter(problem.graph)) if problem.closed and problem.start is None else problem.start


def questions(encoding: EncodingLike, seeds: Iterable[int] = range(24)) -> None:
    """Compare tours with surfaces, missing squares, required and forbidden moves."""
    for seed in seeds:
        case = question(seed, most=10)
        held(encoding, case.problem(), _tours(case))


@cache
def _tours(case: Question) -> list[tuple[Any, ...]]:
    return list(case.tours())


def other_conditions(encoding: EncodingLike) -> None:
    """Check that conditions that it does not take are refused before a formula is built."""
    for rows, columns, piece, more in OTHERS:
        problem = Problem(Board(rows, columns), piece=piece, **more)
        if {type(condition) for condition in problem.conditions} <= encoding_of(encoding).takes:
            continue
        try:
            encoding_of(encoding).refuse(problem)
        except NotTakenError:
            continue
        raise AssertionError(f"{problem.label}: it does not take this, and does not say so")


def clauses(encoding: EncodingLike) -> None:
    """Check that literals have variables, and that a problem has the same formula twice."""
    import networkx as nx

    made = encoding_of(encoding)
    for problem in (
        Problem(Board(5, 6), closed=True), Problem(Board(5, 5)),
        Problem(graph=nx.star_graph(20)),
    ):  # fmt: skip
        if takes(made, problem):
            cnf = made.encode(problem)
            literals = {each for clause in cnf.clauses for each in clause}
            wrong = [x for x in literals if type(x) is not int or not 0 < abs(x) <= cnf.variables]
            assert not wrong, f"{problem.label}: literals {wrong[:5]} of {cnf.variables} variables"
            assert made.encode(problem).clauses == cnf.clauses, f"{problem.label}: another formula"


def damage(encoding: EncodingLike) -> None:
    """Check that flags that are not a model are refused or cut off, or else a tour."""
    made = encoding_of(encoding)
    problems = [Problem(Board(3, 4)), Problem(Board(5, 6), closed=True)]
    for problem in (each for each in problems if takes(made, each)):
        cnf = made.encode(problem)
        _refused(made, cnf, [False] * (cnf.variables + 1), f"{problem.label}: nothing is true")
        cnf, true, _ = next(models(made, problem))
        for variable in telling(made, cnf):
            turned = [flag != (each == variable) for each, flag in enumerate(true)]
            note = f"{problem.label}: a model with {variable} turned over"
            try:
                decoded = made.decode(cnf, turned)
            except EngineFailedError:
                continue
            if isinstance(decoded, Cuts):
                cut = not any(turned[abs(x)] == (x > 0) for each in decoded.clauses for x in each)
                assert cut, f"{note} satisfies its cut"
            else:
                assert defects(problem, list(decoded)) == [], f"{note} is read as no tour"


def _refused(made: Encoding, cnf: Cnf, true: list[bool], note: str) -> None:
    try:
        made.decode(cnf, true)
    except EngineFailedError:
        return
    raise AssertionError(f"{note}, and that is read as a model")


def estimates(
    encoding: EncodingLike, problems: Iterable[Problem] | None = None, least: float = 0.9
) -> None:
    """Check that the estimate of the clauses is hardly less than their number."""
    made = encoding_of(encoding)
    kinds: tuple[dict[str, Any], ...] = (
        {}, {"closed": True}, {"start": (0, 0)}, {"start": (0, 0), "end": (2, 1)},
    )  # fmt: skip
    if problems is None:
        problems = (Problem(Board(*sides), **more) for sides, more in product(SIZED, kinds))
    for problem in problems:
        estimate = made.clauses_of(problem)
        if estimate <= MOST_CLAUSES:
            true = len(made.encode(problem).clauses)
            note = f"{made.name}, {problem.label}: {estimate:,} estimated, and {true:,} made"
            assert estimate >= least * true, note


PROMISES: dict[str, Callable[[EncodingLike], Any]] = {
    "registered": registered,
    "known counts": known_counts,
    "random graphs": random_graphs,
    "questions": questions,
    "other conditions": other_conditions,
    "clauses": clauses,
    "damage": damage,
    "estimates": estimates,
}
