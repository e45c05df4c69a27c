"""Adapter for directed problems to engines that support undirected ones only.

Only :mod:`kt_cp.engines.run` uses this adapter.  The engine receives the undirected problem of
:mod:`kt_cp.model.directed`.  Its tour is translated back, and the evidence of its "no" is checked
again, as a certificate about the digraph.  The judge and the reference receive the digraph and the
tour that follows its arcs.

Strong components refute some digraphs without an engine.  A closed tour leads from each node to
every other.  So if no arc leaves a set of nodes, either the set holds all nodes or there is no
closed tour.  In the undirected form this is a removal: without the *in* of k such nodes, each of
their *outs* is a component with its own path, and with the rest of the graph these are k + 1
components.

An open tour leads from one of any two nodes to the other.  So the strong components follow each
other in one order, and an arc leads from each to the next.  The start is in the first one, the end
in the last.

If every arc has its reverse, and none is required or forbidden, the tours are those of the graph
with one edge for each pair of arcs.  It has one vertex for each node instead of three.  ``auto``
solves that graph, and a certificate of the kind ``undirected`` contains the evidence about it.

Source: strong components by R. Tarjan, "Depth-first search and linear graph algorithms", 1972, in
the implementation of networkx.  Cost: linear.  The closed case is hard for solvers, because it
needs counting, like the pigeonhole principle.

When it loses: a strongly connected graph may have no tour for other reasons.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from kt_cp.engines.engine import proved
from kt_cp.model.board import describe
from kt_cp.model.directed import undirected
from kt_cp.model.outcome import Evidence, EvidenceKind, Outcome
from kt_cp.model.problem import Problem
from kt_cp.model.request import Request
from kt_cp.model.versions import versions_of

BACKED_SECONDS = 5.0
"""Most seconds for a certificate once it is known that there is no tour."""


def refute_by_strong_components(request: Request) -> Outcome | None:
    """Return the "no" to a directed problem that strong components refute, else None."""
    evidence = component_evidence(request.problem)
    if evidence is None:
        return None
    from kt_cp.proofs.certify import add_certificate

    answer = proved(
        "auto", request.problem, evidence, {"solve_seconds": request.clock.elapsed}, request.seed
    )
    if request.expired():
        return answer
    return add_certificate(answer, request.within(BACKED_SECONDS))


def two_way_form(problem: Problem) -> Problem | None:
    """Return the problem on the undirected graph, if every arc has its reverse.

    Required and forbidden arcs have a direction, so there is no such form with them.  Two nodes
    have a closed directed tour, and no undirected one.

    >>> import networkx as nx
    >>> two_way_form(Problem(graph=nx.DiGraph([(1, 2), (2, 1), (2, 3), (3, 2)]))).label
    'graph with 3 nodes and 2 edges, open'
    >>> two_way_form(Problem(graph=nx.DiGraph([(1, 2)]))) is None
    True
    """
    import networkx as nx

    graph = problem.graph
    is_free = len(graph) > 2 and not problem.require and not problem.forbid
    if not is_free or any((v, u) not in graph.edges for u, v in graph.edges):
        return None
    undirected_graph = nx.Graph()
    undirected_graph.add_nodes_from(graph)
    undirected_graph.add_edges_from(graph.edges)
    return Problem(graph=undirected_graph, closed=problem.closed, conditions=problem.conditions)


def from_two_way_form(request: Request, answer: Outcome) -> Outcome:
    """Return the answer about the undirected graph as one about the digraph of the request."""
    from kt_cp.proofs.certificate import as_certificate, rename_nodes

    answer = replace(answer, problem=request.problem)
    if answer.tour is not None:
        return replace(answer, tour=request.problem.tour(answer.tour.squares))
    if answer.evidence is None:
        return answer
    text = f"each arc has its reverse, and in the undirected graph: {answer.evidence.text}"
    if answer.certificate is None:
        return replace(answer, reason=text, evidence=Evidence(EvidenceKind.ARGUMENT, text))
    document = answer.certificate.document
    evidence = {"kind": "undirected", "then": document["evidence"]}
    packages = tuple(name for name in document["made_by"] if name not in versions_of())
    certificate = as_certificate(rename_nodes(request.problem), evidence, packages)
    assert certificate is not None and answer.reason is not None
    reason = answer.reason.replace(answer.evidence.text, certificate.argument)
    return replace(answer, reason=reason, evidence=certificate.evidence)


def to_undirected(problem: Problem) -> Problem:
    """Return the undirected problem for an engine."""
    from kt_cp.proofs.certificate import rename_nodes

    return undirected(rename_nodes(problem))


def to_directed(problem: Problem, answer: Outcome) -> Outcome:
    """Return an engine's answer to the undirected problem as one to the directed problem."""
    from kt_cp.proofs.certify import Finding, to_digraph

    finding = to_digraph(problem, Finding(answer.certificate, answer.tour))
    answer = replace(answer, problem=problem, tour=finding.tour)
    if finding.certificate is None:
        return answer
    certificate, undirected_evidence = finding.certificate, answer.evidence
    assert undirected_evidence is not None and answer.reason is not None
    reason = answer.reason.replace(undirected_evidence.text, certificate.argument)
    return replace(answer, evidence=certificate.evidence, reason=reason)


def component_evidence(problem: Problem) -> Evidence | None:
    """Return why strong components rule out a directed tour; None if they do not.

    >>> import networkx as nx
    >>> arcs = nx.DiGraph([(1, 2), (2, 1), (2, 3), (3, 4), (4, 3)])
    >>> component_evidence(Problem(graph=arcs, closed=True)).certificate.kind
    'removal'
    >>> component_evidence(Problem(graph=arcs, start=3)).text
    'no way leads from 3 to 1'
    >>> component_evidence(Problem(graph=arcs, start=1)) is None
    True
    """
    import networkx as nx

    graph = problem.graph
    if problem.forbid:
        graph = nx.DiGraph(graph)
        graph.remove_edges_from(problem.forbid)
    parts = list(nx.strongly_connected_components(graph))  # each after those that it leads to
    if problem.closed:
        return None if len(parts) == 1 else _removal_evidence(problem, parts[0])
    place = {node: number for number, part in enumerate(reversed(parts)) for node in part}
    following = [min(part, key=problem.place) for part in reversed(parts)]
    for here, there in ((problem.start, following[0]), (following[-1], problem.end)):
        if here is not None and there is not None and place[here] != place[there]:
            return Evidence(EvidenceKind.ARGUMENT, f"no way leads {_describe_way(here, there)}")
    linked = {(place[u], place[v]) for u, v in graph.edges()}
    for number, (here, there) in enumerate(pairwise(following)):
        if (number, number + 1) not in linked:
            text = f"no way leads {_describe_way(here, there)}, nor back"
            return Evidence(EvidenceKind.ARGUMENT, text)
    return None


def _describe_way(here: Any, there: Any) -> str:
    return f"from {describe(here)} to {describe(there)}"


def _removal_evidence(problem: Problem, part: set[Any]) -> Evidence | None:
    from kt_cp.proofs.certificate import as_certificate, rename_nodes

    named = rename_nodes(problem)
    names = dict(zip(problem.graph, map(str, named.graph), strict=True))
    squares = [f"in {names[node]}" for node in problem.graph if node in part]
    certificate = as_certificate(named, {"kind": "removal", "squares": squares})
    if certificate is not None:
        return certificate.evidence
    return Evidence(EvidenceKind.ARGUMENT, f"no arc leads away from some {len(part):,} nodes")
