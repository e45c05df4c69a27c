"""All models of small formulas, listed by a solver and held to the tours that an oracle finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from kt_cp.encodings import Cnf, Cuts, Encoding, get_encoding
from kt_cp.encodings.meaning import meaning
from kt_cp.engines.native import flags_of
from kt_cp.model.errors import InputError
from kt_cp.model.problem import Problem
from kt_cp.model.tour import Tour
from kt_cp.trust.judge import defects

Asked = str | Encoding
Edges = frozenset[frozenset[Any]]


def encoding_of(encoding: Asked) -> Encoding:
    """The encoding of a name."""
    return get_encoding(encoding) if isinstance(encoding, str) else encoding


def takes(encoding: Asked, problem: Problem) -> bool:
    """Whether it does; a refusal is an InputError of one line."""
    try:
        encoding_of(encoding).refuse(problem)
    except InputError as error:
        said = str(error)
        assert said and "\n" not in said, f"{problem.label}: refused in one line, not {said!r}"
        return False
    return True


def telling(encoding: Asked, cnf: Cnf) -> list[int]:
    """Variables that say what the tour is; the others are determined or do not matter."""
    said = [variable for variable, _ in (encoding_of(encoding).meaning or meaning)(cnf)]
    return said or list(range(1, cnf.variables + 1))


def models(encoding: Asked, problem: Problem) -> Iterator[tuple[Cnf, list[bool], Tour]]:
    """Every model, as flags and as a tour, one for each assignment of what tells the tour."""
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


def all_tours(encoding: Asked, problem: Problem) -> list[Tour]:
    """The tour of every model."""
    return [tour for _, _, tour in models(encoding, problem)]


def edges_of(tour: Iterable[Any], problem: Problem) -> Edges:
    """A tour without its direction."""
    walk = list(tour)
    around = pairwise([*walk, walk[0]] if problem.closed else walk)
    return frozenset(frozenset(edge) for edge in around)


def held(encoding: Asked, problem: Problem, tours: Iterable[Iterable[Any]]) -> list[Tour] | None:
    """Tours of all models, which are those that an oracle found; None if it is refused."""
    if not takes(encoding, problem):
        return None
    made = all_tours(encoding, problem)
    note = f"{encoding_of(encoding).name}, {problem.label}"
    for tour in made:
        assert defects(problem, list(tour)) == [], f"{note}: a model is read as {list(tour)}"
    told = Counter(edges_of(tour, problem) for tour in made)
    true = {edges_of(tour, problem) for tour in tours}
    assert {*told} == true, f"{note}: {len(told)} tours, and there are {len(true)}"
    most = max(told.values(), default=0)
    assert most <= 2, f"{note}: a tour has {most} models, and it has two directions"
    return made
