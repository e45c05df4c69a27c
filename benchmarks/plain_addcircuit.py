"""The plainest possible CP-SAT knight's tour: ``python plain_addcircuit.py SIDE SEED``.

One Boolean per arc, one ``AddCircuit``, default parameters apart from the seed: what the engines
are measured against.  It needs nothing but ortools.

A known trap: a node without arcs is skipped by ``AddCircuit``.  On 3x3 the centre has no moves,
and this script reports a "tour" of the other eight squares as optimal.
"""

import sys
import time

from ortools.sat.python import cp_model

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def closed_tour(side: int, seed: int) -> tuple[str, float, list[tuple[int, int]]]:
    """Status, seconds to build and solve, and the squares of a closed tour in order."""
    began = time.perf_counter()
    squares = [(row, column) for row in range(side) for column in range(side)]
    index = {square: number for number, square in enumerate(squares)}
    arcs = []
    for row, column in squares:
        for up, right in MOVES:
            if (row + up, column + right) in index:
                arcs.append((index[row, column], index[row + up, column + right]))
    status, _, walk = cycle(len(squares), arcs, seed)
    return status, time.perf_counter() - began, [squares[number] for number in walk]


def cycle(nodes: int, arcs: list[tuple[int, int]], seed: int) -> tuple[str, float, list[int]]:
    """The same of any graph, each edge an arc in either direction."""
    began = time.perf_counter()
    model = cp_model.CpModel()
    chosen = [(here, there, model.new_bool_var("")) for here, there in arcs]
    model.add_circuit(chosen)
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    status = solver.solve(model)
    seconds = time.perf_counter() - began
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return solver.status_name(status), seconds, []
    following = {here: there for here, there, arc in chosen if solver.boolean_value(arc)}
    walk = [0]
    while len(walk) <= nodes and following[walk[-1]] != 0:
        walk.append(following[walk[-1]])
    return solver.status_name(status), seconds, walk


if __name__ == "__main__":
    side = int(sys.argv[1])
    status, seconds, _ = closed_tour(side, int(sys.argv[2]))
    print(side, status, f"{seconds:.3f}")
