"""A third-party package: a correct engine and encoding, and many faulty ones.

The engine is backtracking by another name.  The encoding is position's, with a key that only this
encoding can read.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kt_cp.encodings import Cnf, position, reach
from kt_cp.engines import backtrack
from kt_cp.engines.engine import Engine, found, impossible, unknown
from kt_cp.model.board import square_name
from kt_cp.model.conditions import ENDS, Given
from kt_cp.model.cycle import as_tour
from kt_cp.model.limits import Limits
from kt_cp.model.outcome import EvidenceKind


def solve(problem, *, limits, seed, progress, work=1, listens=True, steady=True):
    seed = seed if steady else random.randrange(10**6)
    limits = limits if listens else Limits()
    outcome = backtrack.ENGINE.solve(problem, limits=limits, seed=seed, progress=progress)
    return replace(outcome, engine="mine", statistics={"work": work})


ENGINE = Engine("mine", "a third party's search", complete=True, solve=solve)


# Engines that each break one promise


def says_no(problem, *, limits, seed, progress):
    return impossible("mine", problem, EvidenceKind.CLAIMED, "claimed by mine", {}, seed)


def wrong_tour(problem, *, limits, seed, progress):
    return found("mine", problem, as_tour(problem, list(range(problem.size))), {}, seed)


def gives_up(problem, *, limits, seed, progress):
    return unknown("mine", problem, "tired", {}, seed)


def engine(answer, **more):
    return Engine("mine", "a third party's lie", complete=True, solve=answer, **more)


LIARS = {
    "says there is none": (engine(says_no), "tiny boards"),
    "a wrong tour": (engine(wrong_tour), "tiny boards"),
    "is complete and gives up": (engine(gives_up), "tiny graphs"),
    "never finds any": (replace(engine(gives_up), complete=False), "boards with a tour"),
    "ignores the time limit": (engine(partial(solve, listens=False)), "time limits"),
    "another tour every time": (engine(partial(solve, steady=False)), "same seed"),
    "negative statistics": (engine(partial(solve, work=-1)), "tiny boards"),
    "statistics that are no number": (engine(partial(solve, work=float("nan"))), "tiny boards"),
    "ignores a condition": (engine(solve, takes=ENDS | {Given}), "other conditions"),
    "two lines": (replace(engine(solve), summary="one\ntwo"), "registered"),
}


# Encodings


@dataclass(frozen=True)
class Steps:
    """A key that is unknown to this package."""

    number: np.ndarray


def encode(problem, change=lambda clauses: clauses):
    cnf = position.encode(problem)
    return Cnf(problem, cnf.variables, change(cnf.clauses), Steps(cnf.key))


def decode(cnf, true):
    return position.decode(replace(cnf, key=cnf.key.number), true)


def meaning(cnf):
    for square, row in zip(cnf.problem.indexed.nodes, cnf.key.number.tolist(), strict=True):
        name = square_name(square) if cnf.problem.board is not None else str(square)
        for step, number in enumerate(row, start=1):
            if number:
                yield number, f"{name} is number {step}"


ENCODING = replace(
    position.ENCODING, name="mine", summary="a third party's formula",
    encode=encode, decode=decode, meaning=meaning,
)  # fmt: skip


def all_but_one(problem):
    """Drop the 17th clause from the end; most clauses are redundant on some small graphs."""
    cnf = reach.encode(problem)
    clauses = list(cnf.clauses)
    return replace(cnf, clauses=[*clauses[:-17], *clauses[-16:]])


def one_tour(cnf, true):
    """Return the same tour for every model."""
    decode(cnf, true)
    return backtrack.ENGINE.solve(cnf.problem, limits=Limits(), seed=0, progress=None).tour


def reversed_pairs(cnf, true):
    squares = list(decode(cnf, true))
    return cnf.problem.tour([*squares[1::-1], *squares[2:]])


def never_refuses(cnf, true):
    """Return a tour by the first step of each vertex, even for invalid flags."""
    number = cnf.key.number
    flags = np.where(number > 0, np.asarray(true)[number], False)
    return cnf.problem.tour([cnf.problem.indexed.nodes[v] for v in flags.argmax(axis=0)])


def any_of_two(problem):
    """Add two variables without a meaning, although the list of meanings includes them."""
    cnf = encode(problem)
    return replace(cnf, variables=cnf.variables + 2)


def meaning_with_extra_lines(cnf):
    return [*meaning(cnf), (cnf.variables, "either"), (cnf.variables - 1, "or")]


ENCODING_LIARS = {
    "a clause is missing": (
        replace(reach.ENCODING, encode=all_but_one), "random graphs"
    ),
    "a clause too many": (
        replace(ENCODING, encode=partial(encode, change=lambda c: [*c, [-1]])), "known counts"
    ),
    "a tour of its own": (replace(ENCODING, decode=one_tour), "known counts"),
    "two squares changed over": (replace(ENCODING, decode=reversed_pairs), "questions"),
    "damage is read": (replace(ENCODING, decode=never_refuses), "damage"),
    "four models a tour": (
        replace(ENCODING, encode=any_of_two, meaning=meaning_with_extra_lines), "random graphs"
    ),
    "an estimate too low": (replace(ENCODING, clauses_of=lambda problem: 7), "estimates"),
    "literals beyond": (
        replace(ENCODING, encode=partial(encode, change=lambda c: [*c, [-1, 10**6]])), "clauses"
    ),
    "a solver of nobody": (replace(ENCODING, solver="minisat"), "registered"),
}  # fmt: skip


# Faulty entry points

NEITHER = 3


def engine_factory(size="small"):
    return ENGINE if size == "small" else size
