"""Find a certificate for a problem: try one kind of evidence after the other, simplest first.

People can read counting arguments and cases, and if they exist they are found soon.  The refutation
comes last and gets the remaining time; it decides every small board.

Each kind but the last is bounded.  Up to ``CLOCKED_SQUARES`` the bounds are on work, so that a
problem without a time limit gets the same argument every time, on a busy machine as well.  Above,
a single step may take long, so each kind has a time limit too.

Refutations of narrow graphs eliminate vertices (:func:`elimination_order`).  If few vertices
separate the parts of a large graph, as in a flower snark, there are exponentially many ways to
choose edges, and cuts refute them one by one.  But the effect of a part on the rest can be stated
in edges between those few vertices, for which :mod:`kt_cp.trust.check.formula` has variables.  With
d neighbours of a vertex when it is eliminated, these are Σ d (d - 1) variables and at most twice as
many clauses, so the vertex of least degree is next.  This loses on boards, where d soon exceeds
twice the shorter side; cuts are better there.

Source of the elimination: N.-F. Zhou, CP 2024, as in :mod:`kt_cp.encodings.elimination`.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kt_cp.model.conditions import EDGES
from kt_cp.model.directed import directed_tour, undirected
from kt_cp.model.errors import InputError, suggestion
from kt_cp.model.gc_pause import gc_paused
from kt_cp.model.outcome import Certificate, Outcome, Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.model.tour import Tour
from kt_cp.model.versions import versions_of
from kt_cp.proofs.certificate import as_certificate, rename_nodes
from kt_cp.proofs.forced import forced
from kt_cp.proofs.obstructions import QUICK
from kt_cp.proofs.potentials import MOST_CASES, potentials
from kt_cp.proofs.removal import removal
from kt_cp.proofs.separators import cut_vertex, tight, tight_sets
from kt_cp.proofs.sweep import sweep
from kt_cp.trust.check.certificate import REFUTING, UNDIRECTED
from kt_cp.trust.check.formula import LEFT
from kt_cp.trust.check.frame import MOST_SQUARES, frame_of
from kt_cp.trust.check.split import KINDS as AT_THE_END
from kt_cp.trust.crosscheck import contradiction

LOGGER = logging.getLogger(__name__)

KINDS = tuple(kind for kind in REFUTING if kind != UNDIRECTED)
"""Kinds of evidence that are certificates, in the order in which they are tried."""

AT_ENDS = tuple(kind for kind in KINDS if kind in AT_THE_END)
"""Kinds of evidence for a part of a graph."""

CLOCKED_SQUARES = 400
"""Most squares for which searches have no time limit but the user's; their work is bounded."""

SECONDS = 5.0
"""Most seconds for each kind on larger problems; under a time limit a quarter of the rest."""

SOLVER_UNITS = 0.45
"""Deterministic time of CP-SAT for a removal, about as many seconds.  It is rarely needed, but if
there is no such set all of it is used (``benchmarks/MEASURED.md``)."""

ONLY_EFFORT = 10.0
"""Factor of the budget of a kind if it is the only one requested."""

SMALL_EFFORT = 0.2
"""Factor with given steps or a symmetry, which these kinds do not use, and on graphs for which a
refutation is found soon."""

CUTS_SECONDS = 1.5
"""Seconds for a refutation by cuts alone, if one by elimination is likely to be shorter."""

REFUTATION_SQUARES = 10_000
"""Most squares for a refutation; with more, building the formula alone takes seconds."""


@dataclass(frozen=True)
class Finding:
    """A certificate, or a tour that the refutation found; neither if the time was over.

    The note has further facts about the evidence, beyond what it proves.
    """

    certificate: Certificate | None = None
    tour: Tour | None = None
    note: str = ""


WIDEST = 12
"""Most neighbours of an eliminated vertex for which elimination is tried."""


def elimination_order(problem: Problem) -> list[int]:
    """Return the numbers of squares in the order of their elimination, or [] if it is too wide.

    Examples
    --------
    >>> import networkx as nx
    >>> elimination_order(Problem(graph=nx.cycle_graph(6), closed=True))
    [0, 1, 2]
    >>> elimination_order(Problem("8x8", closed=True))
    []
    """
    from kt_cp.encodings.chordal_completion import minimum_degree

    frame = frame_of(problem)
    adjacent = {vertex: set(row) for vertex, row in enumerate(frame.neighbours)}
    order: list[int] = []
    for vertex, others in minimum_degree(adjacent):
        if len(adjacent) <= LEFT or vertex >= frame.squares:
            break
        if len(others) > WIDEST:
            return []
        order.append(vertex)
    return order


def certify(request: Request, kinds: tuple[str, ...] = KINDS) -> Finding:
    """Return a certificate of one of the kinds, the first that works.

    Without a time limit the refutation runs to its end; the memory limit applies to it only.

    Raises
    ------
    MemoryError
        If the memory limit was reached.

    Examples
    --------
    >>> certify(Request.begin(Problem("4x10", closed=True))).certificate.kind
    'removal'
    """
    original, named = request.problem, rename_nodes(request.problem)
    if named.size == 1 and not named.closed:
        return Finding()  # a tour: there is nothing to prove
    undirected_request = request.about(undirected(named) if named.directed else named)
    argument = _find_argument(undirected_request, kinds)
    certificate = None
    if argument.evidence is not None:
        certificate = as_certificate(named, argument.evidence, argument.packages)
    if argument.tour is None:
        return Finding(certificate, note=argument.note)
    tour = undirected_request.problem.tour(argument.tour)
    if named.directed:
        return Finding(tour=directed_tour(original, tour, named.graph))
    original_node = dict(zip(named.graph, original.graph, strict=True))
    return Finding(tour=original.tour([original_node[node] for node in tour.squares]))


@dataclass(frozen=True)
class _Argument:
    """Evidence before it is checked, and the packages that found it; or the nodes of a tour."""

    evidence: dict[str, Any] | None = None
    packages: tuple[str, ...] = ()
    tour: list[Any] | None = None
    note: str = ""


def _find_argument(request: Request, kinds: tuple[str, ...]) -> _Argument:
    """Look for evidence about an undirected problem, one kind after the other."""
    problem = request.problem
    for finder in QUICK:
        evidence = finder(problem)
        if evidence is not None and evidence["kind"] in kinds:
            return _Argument(evidence)
    if problem.size > MOST_SQUARES or problem.size < (3 if problem.closed else 2):
        return _Argument()
    edges_alone = {*map(type, problem.conditions)} <= EDGES
    is_graph = edges_alone and problem.board is None
    order = elimination_order(problem) if is_graph and "refutation" in kinds else []
    effort = SMALL_EFFORT if not edges_alone or order else 1.0
    effort = ONLY_EFFORT if len(kinds) == 1 else effort
    clocked = problem.size > CLOCKED_SQUARES
    for kind, find in _STRUCTURAL.items():
        if kind in kinds and not request.expired():
            request.announce(f"looking for evidence of kind {kind}")
            step = request.within(effort * SECONDS if clocked else None, 1 / 4)
            started = request.clock.elapsed
            evidence = find(step, effort)
            no, seconds = "no " * (evidence is None), request.clock.elapsed - started
            LOGGER.debug("%s: %sevidence of kind %s in %.3f s", problem.label, no, kind, seconds)
            if evidence is not None:
                packages = ("ortools",) if kind in ("removal", "potentials") else ()
                return _Argument(evidence, packages)
    if kinds == ("split",):  # otherwise the engines have already looked for parts
        from kt_cp.proofs.split import split

        return _Argument(split(request, evidence_of_part), ("python-sat",))
    if "refutation" not in kinds or problem.size > REFUTATION_SQUARES or request.expired():
        return _Argument()
    # Imported here, because loading takes as long as a small proof does.
    from kt_cp.proofs.refutation import Result, find_refutation

    if edges_alone and not is_graph:
        order = elimination_order(problem)
    # If it is the only kind, it refutes the plain formula, which other checkers can read.
    step = request.within(SECONDS if clocked else None, 1 / 4)
    sets = tight_sets(problem, step.expired) if len(kinds) > 1 else []
    result = Result()
    for taken, most in [([], CUTS_SECONDS), (order, None)] if order else [([], None)]:
        LOGGER.debug("%s: refutation, %d vertices eliminated", problem.label, len(taken))
        result = find_refutation(request.within(most), sets=sets, order=taken)
        if result.evidence is not None or result.tour is not None:
            break
    return _Argument(result.evidence, ("python-sat",), result.tour, result.note)


CLUE_CONFLICTS = 2_000
"""Conflicts of a SAT solver for a refutation of given steps: some tenths of a second on 9x9."""


def certify_clues(problem: Problem) -> Certificate | None:
    """Return a refutation of all given steps together, or None if it is not found soon.

    Examples
    --------
    >>> certify_clues(Problem("3x4", given={"a1": 1, "c2": 2, "d3": 10, "b2": 9})).kind
    'refutation'
    >>> certify_clues(Problem("3x4", given={"a1": 1}))
    """
    from kt_cp.proofs.refutation import try_refute

    named = rename_nodes(problem)
    with gc_paused():  # a collection would visit all clauses
        result = try_refute(named, conflicts=CLUE_CONFLICTS)
        if result is None or result.evidence is None:
            return None
        return as_certificate(named, result.evidence, ("python-sat",))


def quick_kinds(problem: Problem) -> list[str]:
    """Return the kinds of evidence for a problem that are found without a search.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> quick_kinds(Problem(Board(3, 3), closed=True))
    ['colours', 'degrees', 'connectivity']
    """
    plain = undirected(problem) if problem.directed else problem
    found = (finder(rename_nodes(plain)) for finder in QUICK)
    return [evidence["kind"] for evidence in found if evidence is not None]


def to_digraph(problem: Problem, finding: Finding) -> Finding:
    """Return a finding about the undirected problem of a directed one as one about the latter."""
    named, tour, proof = rename_nodes(problem), finding.tour, finding.certificate
    if proof is not None and not proof.problem.directed:
        packages = tuple(name for name in proof.document["made_by"] if name not in versions_of())
        proof = as_certificate(named, proof.document["evidence"], packages)
    tour = None if tour is None else directed_tour(problem, tour, named.graph)
    return replace(finding, certificate=proof, tour=tour)


PART_CHOICES_SECONDS = 0.01
"""Seconds for a sweep of a part before other kinds are tried: about 15,000 choices."""


def evidence_of_part(request: Request) -> dict[str, Any] | None:
    """Return evidence for the end of a ``split``, or None if none is found in time.

    The checker has not accepted it yet; it checks the whole ``split``.
    """
    evidence = sweep(request.problem, PART_CHOICES_SECONDS)
    return evidence or _find_argument(request, AT_ENDS).evidence


_STRUCTURAL: dict[str, Callable[[Request, float], dict[str, Any] | None]] = {
    "cut": lambda request, _: cut_vertex(request.problem, request.expired),
    "removal": lambda request, effort: removal(
        request.problem, request.expired, effort * SOLVER_UNITS
    ),
    "tight": lambda request, _: tight(request.problem, request.expired),
    "forced": lambda request, effort: forced(
        request.problem, request.expired, effort=min(effort, 1.0)
    ),
    "potentials": lambda request, effort: potentials(
        request.problem,
        request.expired,
        1 if request.problem.board is not None and effort < ONLY_EFFORT else MOST_CASES,
    ),
    "sweep": lambda request, effort: sweep(
        request.problem, min(effort * SECONDS, request.clock.work_left or math.inf)
    ),
}


def check_kind(kind: str) -> str:
    """Return the kind, or raise InputError if no kind has this name."""
    if kind not in (*KINDS, "exhausted"):
        hint = suggestion(kind, (*KINDS, "exhausted"))
        raise InputError(
            f"expected evidence, one of {', '.join(KINDS)} or exhausted; got {kind!r:.60}{hint}"
        )
    return kind


def add_certificate(outcome: Outcome, request: Request, *, quick: bool = False) -> Outcome:
    """Return the outcome; add a certificate to a "no" without one if one is found.

    With ``quick`` only a refutation of the given steps is tried, in this process.

    Raises
    ------
    UnsoundEngineError
        If the search for a certificate finds a tour.
    """
    if outcome.verdict is not Verdict.IMPOSSIBLE or outcome.certificate is not None:
        return outcome
    request = replace(request, problem=outcome.problem, seed=outcome.seed)
    try:
        finding = Finding(certify_clues(request.problem)) if quick else certify(request)
    except MemoryError:  # the answer remains valid without a certificate
        return outcome
    if finding.tour is not None:
        raise contradiction(outcome, f"a tour was found: {' '.join(finding.tour.names)}")
    if (proof := finding.certificate) is None:
        return outcome
    reason = add_note(proof.argument, finding.note)
    return replace(outcome, reason=reason, evidence=proof.evidence)


def add_note(argument: str, note: str) -> str:
    """Return a reason: the argument, and the note if there is one."""
    return f"{argument}; {note}" if note else argument
