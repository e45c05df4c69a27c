"""SAT through PySAT: ``sat[:ENCODING[:SOLVER[:patch]]]``.

Any encoding of :mod:`kt_cp.encodings` can be combined with any of PySAT's solvers.  A model is
decoded.  If the encoding returns cuts (sub-tours of the lazy encoding), they are added and the same
solver continues: first near its last model (:mod:`kt_cp.encodings.neighbourhood`), then anywhere.
A solver's "unsatisfiable" is reported as a claim.

With ``patch`` the cycles of a model are first joined by exchanging edges; cuts are added for the
cycles that remain.  It is off by default, so that comparisons concern encodings and solvers only.
Let ab be an edge of one cycle and cd an edge of another.  If the graph has the edges ac and bd,
replacing ab and cd by them joins the cycles.  A round examines every edge ac between two cycles and
the chosen edges on either side, all at once with NumPy.  It selects one exchange for each pair of
cycles and applies these in turn.  It skips an exchange if an earlier one used one of its edges or
already joined its two cycles (union-find).  Rounds are repeated until one joins nothing.  Required
edges are never removed, and only edges of the graph are added.

From ``BY_BANDS`` squares on, Gluecard and Minicard get the formula band by band
(:mod:`kt_cp.engines.band_sweep`), and the cycles are patched.  If that gives no tour, the whole
formula is solved as above, on at most ``MOST_WHOLE`` squares.  A symmetry needs the whole formula.

Gluecard and Minicard support "at most two of these" natively.  For them the lazy encoding has a
second form without clauses and auxiliary variables.  It is loaded from arrays in chunks, to avoid
millions of lists.  The solver then tries every edge true first.

PySAT's solvers have no time limit, and after Ctrl-C they may crash the interpreter, so the engine
runs in its own process.  A seed other than 0 is passed to CaDiCaL 1.9.5, and shuffles the clauses
for the other solvers; it also chooses the windows in which a model may change.

Source: A. Ignatiev, A. Morgado and J. Marques-Silva, "PySAT: A Python toolkit for prototyping with
SAT oracles", SAT 2018.  Patching: R. M. Karp, "A patching algorithm for the nonsymmetric
traveling-salesman problem", SIAM J. Comput. 8 (1979), there for directed cycles and by cost; here
edges are undirected, and any exchange will do.

Cost: That of the formula, which the file of each encoding states.  A round of patching sorts the
edges between cycles and makes four times as many binary searches (``benchmarks/MEASURED.md``).

When it loses: If a "no" needs counting over the whole board, it runs until the time limit.
Patching often finds no exchange if squares have few moves.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kt_cp.encodings import ENCODING_NAMES, Encoding, encoding_for, get_encoding
from kt_cp.encodings.cnf import CHUNK, MOST_ROWS, MOST_WHOLE, Cnf, Cuts
from kt_cp.encodings.lazy import forced_edges
from kt_cp.encodings.neighbourhood import TRIES, Neighbourhood, cycle_labels, walk_cycle
from kt_cp.engines.band_sweep import find_two_factor
from kt_cp.engines.engine import Engine, found, impossible, out_of_time, unknown
from kt_cp.model.board import shorten
from kt_cp.model.conditions import KINDS, Symmetry
from kt_cp.model.cycle import cycle_form
from kt_cp.model.errors import EngineFailedError, EngineNameError
from kt_cp.model.gc_pause import gc_paused
from kt_cp.model.graph import IndexedGraph
from kt_cp.model.limits import Clock, Limits
from kt_cp.model.outcome import EvidenceKind, Outcome
from kt_cp.model.plugins import unknown_name_error
from kt_cp.model.problem import Problem
from kt_cp.model.request import Progress, report_step, show_edges
from kt_cp.model.tour import Tour

SOLVERS = (
    "cadical103", "cadical153", "cadical195", "cadical300", "gluecard3", "gluecard4", "glucose3",
    "glucose4", "glucose42", "lingeling", "maplechrono", "maplecm", "maplesat", "mergesat3",
    "minicard", "minisat-gh", "minisat22",
)  # fmt: skip
"""PySAT's names of solvers; a test compares them with the installed PySAT."""

CARDINALITY = ("gluecard3", "gluecard4", "minicard")
"""Solvers with native cardinality constraints."""

BY_BANDS = 200_000
"""Least squares for which the formula is stated band by band."""

PATCH = "patch"
USAGE = f"sat[:ENCODING[:SOLVER[:{PATCH}]]]"


def solve(
    problem: Problem,
    *,
    limits: Limits,
    seed: int,
    progress: Progress | None,
    name: str,
    encoding: Encoding,
    solver: str,
    patching: bool,
) -> Outcome:
    """Encode, solve and decode; add cuts and solve again while the model is no tour."""
    from pysat.solvers import Solver

    clock = limits.clock()
    in_rows = encoding.native if solver in CARDINALITY else None
    if encoding.two_factors and in_rows and problem.size >= BY_BANDS:
        reason = "a symmetry needs the whole formula, which"
        if not any(isinstance(each, Symmetry) for each in problem.conditions):
            reason = "no tour was found band by band, and the whole formula"
            tour, counters = _solve_by_bands(problem, clock, seed, progress, solver)
            if tour is not None:
                return found(name, problem, tour, counters, seed)
            if clock.expired():
                return out_of_time(name, problem, limits, counters, seed)
        if problem.size > MOST_WHOLE:
            reason = f"{reason} is for at most {MOST_WHOLE:,} squares"
            return unknown(name, problem, reason, {"solve_seconds": clock.elapsed}, seed)
    report_step(progress, f"building the formula {encoding.name}")
    with gc_paused():  # collections would visit all clauses
        cnf = (in_rows or encoding.encode)(problem)
    rng = np.random.default_rng(seed)
    rounds = cuts = calls = patched = 0
    with Solver(name=solver) as native:
        load(native, solver, cnf, seed)
        build_seconds = clock.elapsed

        def statistics() -> dict[str, float]:
            return {
                "build_seconds": build_seconds,
                "solve_seconds": clock.elapsed - build_seconds,
                "variables": cnf.variables,
                "clauses": len(cnf.clauses) + sum(map(len, cnf.exactly_two)) + cuts,
                "rounds": rounds,
                "calls": calls,
                "cuts": cuts,
                **({"patched": patched} if patching else {}),
                **solver_counters(native),
            }

        if progress is not None:
            progress({name: statistics()[name] for name in ("variables", "clauses")})
        near: Neighbourhood | None = None
        while not clock.expired():
            rounds += 1
            satisfiable, tries = _solve_next(native, near, rng)
            calls += tries
            if satisfiable is None:
                raise EngineFailedError(f"engine {name}: {solver} answered neither yes nor no")
            if not satisfiable:
                text = f"claimed by {solver} on the {encoding.name} encoding" + (
                    f" with {cuts:,} cuts" if cuts else ""
                )
                return impossible(name, problem, EvidenceKind.CLAIMED, text, statistics(), seed)
            decoded = encoding.decode(cnf, flags_of(native.get_model(), cnf.variables))
            if patching and isinstance(decoded, Cuts):
                decoded, joined = _patch_model(encoding, cnf, decoded)
                patched += joined
            if not isinstance(decoded, Cuts):
                return found(name, problem, decoded, statistics(), seed)
            cuts += add_cuts(native, decoded, in_rows is not None)
            near = decoded.neighbourhood
            if progress is not None:
                progress({"rounds": rounds, "cuts": cuts})
            if near is not None:
                show_edges(progress, near.edges)
        return out_of_time(name, problem, limits, statistics(), seed)


def _solve_by_bands(
    problem: Problem, clock: Clock, seed: int, progress: Progress | None, solver: str
) -> tuple[Tour | None, dict[str, float]]:
    """Return a tour patched from a two-factor found band by band, or None; and counters."""
    report_step(progress, "stating the formula band by band")
    with gc_paused():
        form = cycle_form(problem)
        graph, forced = form.graph, forced_edges(form)
        build_seconds = clock.elapsed
        edges, work = find_two_factor(form, forced, solver, seed=seed, should_stop=clock.expired)
        joined, tour = 0, None
        if edges is not None:
            label = cycle_labels(graph.tails[edges], graph.heads[edges])
            edges, joined = patch(graph, edges, label, forced)
            if joined == label.max():
                tour = form.tour(walk_cycle(graph.tails[edges], graph.heads[edges]))
    return tour, {
        "build_seconds": build_seconds,
        "solve_seconds": clock.elapsed - build_seconds,
        "variables": len(graph.tails),
        "clauses": work.constraints,
        "calls": work.calls,
        "patched": joined,
        "conflicts": work.conflicts,
        "decisions": work.decisions,
    }


def _solve_next(
    native: Any, near: Neighbourhood | None, rng: np.random.Generator
) -> tuple[bool | None, int]:
    """Return the solver's next answer and its calls: near the last model, then anywhere."""
    for attempt in range(0 if near is None else TRIES):
        assert near is not None
        satisfiable: bool | None = native.solve(assumptions=near.assumptions(attempt, rng))
        if satisfiable is not False:
            return satisfiable, attempt + 1
    satisfiable = native.solve()
    return satisfiable, 1 if near is None else TRIES + 1


def _patch_model(encoding: Encoding, cnf: Cnf, cuts: Cuts) -> tuple[Tour | Cuts, int]:
    """Join the cycles of a model; return the tour or cuts, and the number of cycles joined.

    No edge of the model leaves the cycles that remain, so their cuts exclude the model.
    """
    model = cuts.neighbourhood
    assert model is not None
    edges, joined = patch(model.graph, model.chosen, model.label, model.forced)
    if not joined:
        return cuts, 0
    true = np.zeros(cnf.variables + 1, dtype=bool)
    true[edges + model.first_edge] = True
    return encoding.decode(cnf, true.tolist()), joined


def _default_engine() -> Engine:
    """Return the engine of the bare name: it uses the first encoding that takes the conditions."""

    def solve(problem: Problem, **keywords: Any) -> Outcome:
        return engine(encoding_for(problem)).solve(problem, **keywords)

    def refuse(problem: Problem) -> None:
        chosen = get_encoding(encoding_for(problem))
        (chosen.refuse_native if chosen.native else chosen.refuse)(problem)

    default = engine(ENCODING_NAMES[0])
    return replace(default, name="sat", takes=frozenset(KINDS), solve=solve, refuse=refuse)


def engine(
    encoding: str | None = None, solver: str = "", option: str | None = None, *more: str
) -> Engine:
    """Return the engine of an encoding and a solver; the registry's factory.

    An empty solver, as in ``sat:lazy::patch``, means the encoding's default.  No other part may be
    empty.
    """
    if encoding is None:
        return _default_engine()
    chosen = get_encoding(encoding)
    solver = solver or chosen.solver
    unknown = more if option in (None, PATCH) else (option, *more)
    if unknown:
        raise EngineNameError(f"expected {USAGE}, got more: {shorten(unknown[0])!r}")
    if solver not in SOLVERS:
        raise unknown_name_error("a solver", SOLVERS, solver)
    if option and not chosen.two_factors:
        raise EngineNameError(
            f"expected an encoding whose models are cycles to patch: lazy; got {chosen.name!r}"
        )
    name = ":".join(["sat", chosen.name, solver, *([option] if option else [])])
    native = chosen.native is not None and solver in CARDINALITY
    return Engine(
        name,
        "a formula for a SAT solver of PySAT",
        complete=True,
        takes=chosen.takes - {Symmetry} if option else chosen.takes,  # patches break symmetry
        solve=partial(solve, name=name, encoding=chosen, solver=solver, patching=bool(option)),
        interruptible=False,
        refuse=chosen.refuse_native if native else chosen.refuse,
        capacity=f"{MOST_ROWS:,} squares" if native else f"{chosen.most:,} clauses",
        packages=("python-sat",),
        usage=USAGE,
    )


def load(native: Any, solver: str, cnf: Cnf, seed: int) -> None:
    """Load a formula into a solver; with cardinality constraints, edges are first tried true."""
    clauses = cnf.clauses
    if seed and solver == "cadical195":
        native.configure({"seed": seed})
    elif seed:
        clauses = random.Random(seed).sample([*clauses], len(clauses))
    native.append_formula(clauses)
    for rows in cnf.exactly_two:
        width = rows.shape[1]
        for first in range(0, len(rows), CHUNK):
            part = rows[first : first + CHUNK]
            if width > 2:
                for row in part.tolist():
                    native.add_atmost(row, 2)
            for row in (-part).tolist():
                native.add_atmost(row, width - 2)
    if cnf.exactly_two:
        native.set_phases(list(range(1, cnf.variables + 1)))


def add_cuts(native: Any, cuts: Cuts, in_rows: bool = False) -> int:
    """Add cuts to a solver, as cardinality constraints if it takes them; return their number."""
    for clause in cuts.clauses:
        if cuts.two and in_rows and len(clause) > 1:
            native.add_atmost([-literal for literal in clause], len(clause) - 2)
            continue
        # Too few ways out: two contradicting clauses, because PySAT takes no empty clause.
        for part in [clause] if len(clause) > cuts.two else ([1], [-1]):
            native.add_clause(part)
    return len(cuts.clauses)


def flags_of(model: list[int], variables: int) -> list[bool]:
    """Return the truth of each variable, from index 1; solvers omit unused variables."""
    literals = np.array(model, dtype=np.int64)
    true = np.zeros(variables + 1, dtype=bool)
    true[literals[(literals > 0) & (literals <= variables)]] = True
    flags: list[bool] = true.tolist()
    return flags


def solver_counters(native: Any) -> dict[str, float]:
    """Return the solver's own counters."""
    statistics = native.accum_stats()
    return {name: statistics[name] for name in ("conflicts", "decisions")}


Numbers = NDArray[np.int64]

PORTION = 1 << 18
"""Edges between cycles that :func:`patch` examines at a time.  The first batch joins most cycles,
and all edges at once would take about 400 bytes a square."""


def patch(
    graph: IndexedGraph, chosen: Numbers, label: Numbers, fixed: Numbers
) -> tuple[Numbers, int]:
    """Join cycles of a two-factor; return its edges, ascending, and the number of joins.

    ``chosen`` are the edges, ``label`` the cycle of each vertex, ``fixed`` the required edges.

    Two triangles with two edges between them:

    >>> edges = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [3, 4], [3, 5], [4, 5]])
    >>> graph = IndexedGraph(range(6), *edges.T)
    >>> triangles, label = np.array([0, 1, 3, 5, 6, 7]), np.array([0, 0, 0, 1, 1, 1])
    >>> joined, fewer = patch(graph, triangles, label, np.array([], dtype=np.int64))
    >>> joined.tolist(), fewer
    ([1, 2, 3, 4, 6, 7], 1)
    """
    present = np.zeros(len(graph.tails), dtype=bool)
    present[chosen] = True
    free = np.ones(len(graph.tails), dtype=bool)
    free[fixed] = False
    keys = graph.tails * len(graph) + graph.heads
    first = count = int(label.max()) + 1
    while count > 1:
        chosen = np.flatnonzero(present)
        ends = np.concatenate([graph.tails[chosen], graph.heads[chosen]])
        at = np.tile(chosen, 2)[np.argsort(ends, kind="stable")].reshape(-1, 2)
        between = np.flatnonzero(label[graph.tails] != label[graph.heads])
        root = list(range(first))
        joined = 0
        for begin in range(0, len(between), PORTION):
            if joined == count - 1:
                break
            part = between[begin : begin + PORTION]
            for one, other, *edges in _exchanges(graph, keys, at, part, label, free).tolist():
                one, other = _find_root(root, one), _find_root(root, other)
                removed, added = edges[:2], edges[2:]
                if one != other and present[removed].all():
                    root[one] = other
                    present[removed] = False
                    present[added] = True
                    joined += 1
        if not joined:
            break
        label = np.array([_find_root(root, each) for each in range(first)], dtype=np.int64)[label]
        count -= joined
    return np.flatnonzero(present), first - count


def _exchanges(
    graph: IndexedGraph,
    keys: Numbers,
    at: Numbers,
    between: Numbers,
    label: Numbers,
    free: NDArray[np.bool_],
) -> Numbers:
    """Return one possible exchange for each pair of cycles: the cycles, then ab, cd, ac, bd.

    ``keys`` are the ends of each edge as one number, ``at`` the two chosen edges at each vertex,
    and ``between`` the edges ac.
    """
    size = len(graph)
    a, c = graph.tails[between], graph.heads[between]
    sides = np.sort(np.stack([label[a], label[c]]), axis=0)
    found = []
    for ab in at[a].T:
        for cd in at[c].T:
            b = graph.tails[ab] + graph.heads[ab] - a
            d = graph.tails[cd] + graph.heads[cd] - c
            target = np.minimum(b, d) * size + np.maximum(b, d)
            bd = np.minimum(np.searchsorted(keys, target), len(keys) - 1)
            fits = (keys[bd] == target) & free[ab] & free[cd]
            found.append(np.stack([*sides, ab, cd, between, bd], axis=1)[fits])
    exchanges = np.concatenate(found)
    pair = exchanges[:, 0] * size + exchanges[:, 1]
    return exchanges[np.unique(pair, return_index=True)[1]]


def _find_root(root: list[int], cycle: int) -> int:
    while root[cycle] != cycle:
        root[cycle] = cycle = root[root[cycle]]
    return cycle
