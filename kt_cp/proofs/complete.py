"""Lists of tours with a proof that there are no others.

The formula of a refutation gets an additional clause for each tour of the list: one of its moves is
not made.  The clause excludes the tour from every start and in both directions, as far as the
problem allows them, because the moves are the same.  A puzzle with a unique solution is the special
case of a list with a single tour.

Source: enumeration by blocking clauses is folklore; the certificate is this project's.  Cost: with
given steps some tenths of a second on 8x8; without, all 9,862 closed tours of 6x6 take half a
minute, mostly for trimming the proof (``benchmarks/MEASURED.md``).  When it loses: with more than
ten thousand tours, and on boards on which no refutation ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kt_cp.model.directed import undirected, undirected_tour
from kt_cp.model.document import node_name
from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import Certificate
from kt_cp.model.problem import Problem, as_problem
from kt_cp.model.request import Progress, Request
from kt_cp.model.terms import terms
from kt_cp.model.tour import Tour
from kt_cp.proofs.certificate import as_certificate, rename_nodes
from kt_cp.proofs.certify import REFUTATION_SQUARES, Finding, certify, to_digraph
from kt_cp.proofs.refutation import find_refutation, try_refute
from kt_cp.trust.check.refutation import MOST_TOURS
from kt_cp.trust.judge import defects

if TYPE_CHECKING:
    from kt_cp.model.problem import ProblemInput


def certify_list(
    problem: ProblemInput,
    tours: Iterable[Tour | Sequence[Any]],
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **keywords: Any,
) -> Certificate | None:
    """Return a certificate that a problem has these tours and no others, or None if time is over.

    Parameters
    ----------
    problem : Problem, or board, its sides or graph
        As for :func:`kt_cp.solve`, with the same further keywords.
    tours : iterable of Tour, or of sequences of squares
        At most 10,000, such as ``Enumeration(problem)``.  Two with the same moves are one tour.
        With an empty list, the certificate proves that no tour exists.
    time_limit, memory_limit : float, optional
        Seconds, and megabytes of resident memory.

    Raises
    ------
    InputError
        If one is no tour of the problem, if there is another tour, or if the problem has a single
        square.
    TooLargeError
        If there are too many tours, or too many squares.
    MemoryError
        If the memory limit was reached.

    Examples
    --------
    >>> from kt_cp import Enumeration, Problem, certify_list
    >>> problem = Problem("3x4", start="a1")
    >>> certify_list(problem, Enumeration(problem)).claim
    'all 2 tours'
    """
    question = as_problem(problem, keywords)
    limits = Limits(time_limit, memory_limit)
    request = Request.begin(question, limits, seed=seed, progress=progress)
    finding = certify_tours(request, tours)
    if finding.tour is not None:
        raise InputError(
            f"expected all tours of {question.label}, got {finding.note}; "
            f"another is {' '.join(finding.tour.names)}"
        )
    return finding.certificate


def certify_tours(request: Request, tours: Iterable[Tour | Sequence[Any]]) -> Finding:
    """Return the certificate, or another tour and the number of listed tours as the note."""
    problem = request.problem
    listed = distinct_tours(problem, tours)
    if not listed:
        return replace(certify(request), note="none")
    words = terms(problem)
    if problem.size < 2:
        raise InputError(f"expected at least 2 {words.square}s to certify a list of tours, got 1")
    if problem.size > REFUTATION_SQUARES:
        raise TooLargeError(
            f"expected at most {REFUTATION_SQUARES:,} {words.square}s to certify a list of tours, "
            f"got {problem.size:,}"
        )
    original, problem = problem, rename_nodes(problem)
    node_of = {} if problem is original else dict(zip(original.graph, problem.graph, strict=True))
    if problem.directed:
        named = [[node_of[node] if node_of else node for node in tour] for tour in listed]
        walks = [undirected_tour(problem, tour) for tour in named]
        return to_digraph(original, certify_tours(request.about(undirected(problem)), walks))
    names = tour_names(original, listed)
    result = try_refute(problem, names) if request.limits == Limits() else None
    if result is None:
        result = find_refutation(request.about(problem), tours=names)
    if result.evidence is not None:
        return Finding(as_certificate(problem, result.evidence, ("python-sat",)))
    if result.tour is None:
        return Finding()
    original_node = {new: old for old, new in node_of.items()} if node_of else None
    other = original.tour([original_node[node] if original_node else node for node in result.tour])
    return Finding(tour=other, note=f"{len(listed):,}")


def tour_names(problem: Problem, tours: Iterable[Sequence[Any]]) -> list[list[str]]:
    """Return tours as a certificate has them: by the names of their squares."""
    named = rename_nodes(problem)
    node = dict(zip(problem.graph, named.graph, strict=True)) if named is not problem else {}
    return [[node_name(named, node.get(square, square)) for square in tour] for tour in tours]


def distinct_tours(problem: Problem, tours: Iterable[Tour | Sequence[Any]]) -> list[list[Any]]:
    """Return the checked tours as squares, without those that differ only in direction.

    Raises
    ------
    InputError
        If one is no tour of the problem.
    TooLargeError
        If there are too many.
    """
    found: dict[frozenset[Any], list[Any]] = {}
    move_key: Callable[[Any], Hashable] = tuple if problem.directed else frozenset
    for number, tour in enumerate(tours, start=1):
        squares = [*problem.tour([*tour]).squares]
        tour_defects = defects(problem, squares)
        if tour_defects:
            raise InputError(
                f"expected tours of {problem.label}, got one ({number}) with {tour_defects[0]}"
            )
        following = [*squares[1:], *squares[: problem.closed]]
        moves = zip(squares, following, strict=False)
        found.setdefault(frozenset(map(move_key, moves)), squares)
        if len(found) > MOST_TOURS:
            raise TooLargeError(f"expected at most {MOST_TOURS:,} tours to certify, got more")
    return [*found.values()]
