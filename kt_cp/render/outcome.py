"""What an answer shows: its tour, or its argument, on a board; a graph's tour on a circle."""

from __future__ import annotations

from dataclasses import replace

from kt_cp.model.errors import InputError, TooLargeError
from kt_cp.model.outcome import Outcome, Verdict
from kt_cp.model.places import PLACES
from kt_cp.model.tour import Tour
from kt_cp.model.views import Picture
from kt_cp.render.certificate import argument_picture, check_picture, no_tour_svg

MOST_SQUARES = 4_000_000
"""Of a tour that is drawn: some hundred megabytes."""


def outcome_picture(outcome: Outcome) -> Picture:
    """SVG of the answer.

    Raises
    ------
    InputError
        If there is nothing to draw: no answer, or a graph without a tour.
    TooLargeError
        If the board, or the graph, is too large to be drawn.

    Examples
    --------
    >>> from kt_cp import solve
    >>> "b2 has no moves at all" in outcome_picture(solve("3x3"))
    True
    """
    problem = outcome.problem
    if outcome.tour is not None:
        return tour_picture(outcome.tour, outcome)
    if problem.board is None or outcome.verdict is not Verdict.IMPOSSIBLE:
        raise InputError(f"expected a tour, or a board without one, to draw; got {outcome}")
    if outcome.certificate is not None:
        return Picture(argument_picture(outcome.certificate))
    check_picture(problem)
    return Picture(no_tour_svg(problem, str(outcome.reason)))


def tour_picture(tour: Tour, outcome: Outcome | None = None) -> Picture:
    """SVG of a tour; of an outcome's, with what its problem says of moves."""
    from kt_cp.render.graph import check_nodes, graph_svg
    from kt_cp.render.svg import tour_svg

    problem = None if outcome is None else outcome.problem
    if tour.board is None:
        check_nodes(tour.size)
        edges = () if problem is None else problem.graph.edges()
        places = None if problem is None else problem.graph.graph.get(PLACES)
        return Picture(graph_svg(tour.squares, edges, closed=tour.closed, places=places))
    return Picture(
        tour_svg(
            tour.board,
            _held(tour).squares,
            piece=tour.piece,
            closed=tour.closed,
            require=() if problem is None else problem.require,
            forbid=() if problem is None else problem.forbid,
        )
    )


def tour_animation(tour: Tour, speed: float | None = None) -> Picture:
    """SVG in which the piece runs along its tour.

    Raises
    ------
    InputError
        If the tour is not one of a board, or the speed makes no sense.
    TooLargeError
        If it has too many steps.
    """
    from kt_cp.render.animation import FASTEST, MOST_STEPS, animation_svg
    from kt_cp.render.board import titled
    from kt_cp.render.steps import tour_steps

    if tour.board is None:
        raise InputError("expected a tour on a board, got one on a graph")
    if tour.size > MOST_STEPS:
        raise TooLargeError(
            f"expected at most {MOST_STEPS:,} squares for an animation, got {tour.size:,}"
        )
    if speed is not None and not 0 < speed <= FASTEST:
        raise InputError(f"expected a speed above 0, at most {FASTEST:g} moves a second: {speed!r}")
    kind = "closed" if tour.closed else "open"
    return Picture(
        animation_svg(
            tour.board,
            list(tour_steps(_held(tour).squares)),
            piece=tour.piece,
            closed=tour.closed,
            speed=speed,
            title=f"{titled('tour', tour.board, tour.piece)}, {kind}, step by step",
        )
    )


def _held(tour: Tour) -> Tour:
    """The tour with squares that are held: computed ones are taken from an array."""
    if tour.size > MOST_SQUARES:
        raise TooLargeError(f"expected at most {MOST_SQUARES:,} squares to draw, got {tour.size:,}")
    if not tour.computed:
        return tour
    from kt_cp.model.arrays import squares_in

    return replace(tour, squares=squares_in(tour.to_array()))
