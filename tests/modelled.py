"""Problems put to the models of MiniZinc and clingo in models/, and all tours that come back."""

from __future__ import annotations

from kt_cp import Board, Problem
from tests.support.artefacts import MODELS
from tests.support.foreign_solvers import answer_set_tours, minizinc


def published(row):
    problem = Problem(Board(int(row["rows"]), int(row["columns"])), closed=row["kind"] == "closed")
    return problem, int(row["count"]) * (1 if row["unit"] == "directed" else 2)


def asked_of_minizinc(problem):
    """The question as parameters of the MiniZinc models: squares numbered from a1 = 1."""
    board = problem.board

    def number(square):
        return square[0] * board.columns + square[1] + 1

    said = [f"rows={board.rows}", f"columns={board.columns}", f"closed={problem.closed}".lower()]
    said += [f"{key}={number(square)}" for key, square in ends_of(problem).items()]
    gone = ",".join(str(number(square)) for square in board.missing)
    return ";".join([*said, f"missing={{{gone}}}"] if gone else said)


def asked_of_clingo(problem):
    """The same as constants, and facts for the missing squares."""
    board = problem.board
    said = [f"rows={board.rows}", f"columns={board.columns}", f"closed={int(problem.closed)}"]
    said += [f"{key}=({row + 1},{column + 1})" for key, (row, column) in ends_of(problem).items()]
    return said, "".join(f"missing(({row + 1},{column + 1}))." for row, column in board.missing)


def ends_of(problem):
    both = {"start": problem.start, "end": problem.end}
    return {key: square for key, square in both.items() if square is not None}


def by_clingo(problem):
    return answer_set_tours(*asked_of_clingo(problem))


def by_minizinc(model, problem):
    tours, all_of_them = minizinc("-a", MODELS / model, "-D", asked_of_minizinc(problem))
    assert all_of_them
    return tours
