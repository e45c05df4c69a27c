"""The model of engine cpsat as a text proto, for whoever would run CP-SAT otherwise.

Every variable is an arc and carries its name, ``a1->b3``, which is also how a solution is read: the
arcs that are true make one circuit.  An open tour passes one more vertex, ``end``, between its last
square and its first.
"""

from __future__ import annotations

from collections.abc import Iterator

from kt_cp.encodings.meaning import OUTSIDE
from kt_cp.engines import cpsat
from kt_cp.formats.sizes import check_encodable
from kt_cp.model.document import node_name
from kt_cp.model.outcome import versions_of
from kt_cp.model.problem import Problem
from kt_cp.proofs.certificate import nameable


def model_pieces(problem: Problem) -> Iterator[str]:
    """Text of the model, comments first.

    Raises
    ------
    ProblemError, TooLargeError
        If the problem is too small or too large for it.

    Examples
    --------
    >>> from kt_cp.model.board import Board
    >>> "".join(model_pieces(Problem(Board(3, 4), closed=True))).count("variables {")
    28
    """
    check_encodable(problem)
    refuse = cpsat.engine().refuse
    assert refuse is not None
    refuse(problem)
    problem = nameable(problem)
    model, arcs, literals = cpsat.circuit_model(problem)
    names = [*(node_name(problem, node) for node in problem.indexed.nodes), OUTSIDE]
    for (u, v), literal in zip(arcs, literals, strict=True):
        model.proto.variables[literal.index].name = f"{names[u]}->{names[v]}"
    comments = "".join(f"# {line}\n" for line in _comments(problem))
    return iter([comments, f"{str(model.proto).rstrip()}\n"])


def _comments(problem: Problem) -> Iterator[str]:
    tour = f"{problem.piece}'s tour".capitalize()
    yield f"{tour}: {problem.label}; the circuit model of kt_cp {versions_of()['kt_cp']}."
    yield "A variable that is true, a1->b3, says that the tour goes from a1 to b3."
    if not problem.closed:
        yield f"'{OUTSIDE}' stands between the last square and the first."
