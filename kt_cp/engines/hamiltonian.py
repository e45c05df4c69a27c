"""Hamiltonian cycles and paths of networkx graphs, by functions in the style of networkx.

These functions take a networkx graph and return a list of nodes.  For evidence, statistics and
conditions on the tour use :func:`kt_cp.solve`, which they call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kt_cp.engines import solve
from kt_cp.model.errors import Undecided
from kt_cp.model.outcome import Verdict
from kt_cp.model.problem import Problem
from kt_cp.model.simple_graph import as_graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import networkx as nx


def hamiltonian_cycle(
    G: nx.Graph | Iterable[Any],  # noqa: N803 - networkx's own name for it
    *,
    time_limit: float | None = None,
    seed: int = 0,
    engine: str = "auto",
) -> list[Any] | None:
    """Return a cycle that visits each node of a graph once, or None if there is none.

    Parameters
    ----------
    G : NetworkX graph
        A graph of any kind; in a directed graph the cycle follows the arcs.  Edges as pairs, an
        adjacency as a mapping, and a NumPy or SciPy matrix make an undirected graph.
    time_limit : float, optional
        Seconds of search; ``math.inf`` means no limit.
    seed : int
        The same seed gives the same cycle.
    engine : str
        One of :func:`kt_cp.engine_names`.

    Returns
    -------
    list of nodes or None
        The nodes in order; the first node is not repeated at the end.

    Raises
    ------
    Undecided
        If the time was over, or the engine gave up.
    ProblemError
        If `G` is not a graph.

    See Also
    --------
    hamiltonian_path
    kt_cp.solve : the same question with conditions, evidence and statistics

    Notes
    -----
    Deciding whether a cycle exists is NP-complete (R. M. Karp, "Reducibility among combinatorial
    problems", 1972), so no useful bound on the time is known.  A graph with fewer than three nodes
    has no cycle, but a directed graph of two nodes has one if there is an arc each way.
    Self-loops, parallel edges and weights are ignored.  Every cycle is checked against the graph,
    edge by edge.

    Examples
    --------
    >>> import networkx as nx
    >>> hamiltonian_cycle(nx.cycle_graph(4))
    [0, 3, 2, 1]
    >>> hamiltonian_cycle(nx.complete_bipartite_graph(3, 4)) is None
    True
    >>> hamiltonian_cycle(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")]))
    ['a', 'b', 'c']
    """
    G = as_graph(G)  # noqa: N806
    if not len(G):
        return None
    return _answer(Problem(graph=G, closed=True), time_limit, seed, engine)


def hamiltonian_path(
    G: nx.Graph | Iterable[Any],  # noqa: N803
    source: Hashable | None = None,
    target: Hashable | None = None,
    *,
    time_limit: float | None = None,
    seed: int = 0,
    engine: str = "auto",
) -> list[Any] | None:
    """Return a path that visits each node of a graph once, or None if there is none.

    Parameters
    ----------
    G : NetworkX graph
        A graph of any kind, or data that make one, as for :func:`hamiltonian_cycle`; in a directed
        graph the path follows the arcs.
    source, target : node, optional
        The first and the last node of the path; any node by default.
    time_limit, seed, engine
        As for :func:`hamiltonian_cycle`.

    Returns
    -------
    list of nodes or None
        The nodes in order.  An empty graph has an empty path, and a single node is a path.  The
        result is also None if `source` and `target` are the same node of a larger graph.

    Raises
    ------
    NodeNotFound
        If `source` or `target` is not in `G`.
    Undecided
        If the time was over, or the engine gave up.
    ProblemError
        If `G` is not a graph.

    See Also
    --------
    hamiltonian_cycle
    networkx.algorithms.tournament.hamiltonian_path

    Examples
    --------
    >>> import networkx as nx
    >>> hamiltonian_path(nx.path_graph(4), source=3)
    [3, 2, 1, 0]
    >>> hamiltonian_path(nx.star_graph(3)) is None
    True
    >>> path = hamiltonian_path(nx.petersen_graph(), source=0, target=7)
    >>> path[0], path[-1], len(path)
    (0, 7, 10)
    """
    G = as_graph(G)  # noqa: N806
    nodes = len(G)
    for node, what in ((source, "source"), (target, "target")):
        if node is not None and node not in G:
            import networkx as nx

            raise nx.NodeNotFound(f"{what} node {node!r} not in graph")
    if not nodes:
        return []
    if source is not None and source == target and nodes > 1:
        return None
    return _answer(Problem(graph=G, start=source, end=target), time_limit, seed, engine)


def _answer(problem: Problem, time_limit: float | None, seed: int, engine: str) -> list[Any] | None:
    outcome = solve(problem, engine, time_limit=time_limit, seed=seed)
    if outcome.verdict is Verdict.UNKNOWN:
        raise Undecided(f"{problem.label}: {outcome.reason}")
    return None if outcome.tour is None else list(outcome.tour)
