"""What moving pictures and strips have in common: the steps of a search, and the knight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kt_cp.board import Square

KNIGHT = (
    "M-.25 .27C-.25 .13-.16 .05-.07-.02C-.03-.05-.02-.08-.03-.11C-.09-.05-.16-.05-.21-.01"
    "C-.24 .02-.27 .06-.31 .04C-.36 .01-.37-.05-.34-.1C-.29-.19-.25-.27-.17-.32L-.17-.42"
    "L-.07-.34C.13-.33 .27-.18 .26 .08C.26 .16 .24 .22 .24 .27ZM-.29 .31H.28V.39H-.29Z"
)
"""Outline of a knight, looking left, about the middle of a square."""


@dataclass(frozen=True, slots=True)
class Step:
    """A square placed or taken back, and a few words on it."""

    placed: bool
    square: Square
    caption: str


@dataclass
class Scene:
    """A square on the walk, from the step that places it to the one that takes it back.

    Steps are counted from 0; ``left`` is where the knight came from, ``end`` None where the
    square stays.
    """

    square: Square
    left: Square | None
    move: int
    begin: int
    end: int | None = None


def scenes(
    steps: Sequence[Step], before: Sequence[Square] = ()
) -> tuple[list[Scene], list[Square | None]]:
    """What is on the walk from when to when, and where the knight is after each step.

    Examples
    --------
    >>> there, knight_at = scenes([Step(True, (1, 2), ""), Step(False, (1, 2), "")], [(0, 0)])
    >>> [(scene.square, scene.begin, scene.end) for scene in there], knight_at
    ([((0, 0), 0, None), ((1, 2), 0, 1)], [(1, 2), (0, 0)])
    """
    walk: list[Scene] = []
    everything: list[Scene] = []
    knight_at: list[Square | None] = []

    def place(square: Square, begin: int) -> None:
        walk.append(Scene(square, walk[-1].square if walk else None, len(walk) + 1, begin))
        everything.append(walk[-1])

    for square in before:
        place(square, 0)
    for number, step in enumerate(steps):
        if step.placed:
            place(step.square, number)
        else:
            walk.pop().end = number
        knight_at.append(walk[-1].square if walk else None)
    return [scene for scene in everything if scene.begin != scene.end], knight_at


def tour_steps(squares: Iterable[Square]) -> Iterator[Step]:
    """The steps of a finished tour, as many as it has squares."""
    return (Step(True, square, f"move {move}") for move, square in enumerate(squares, start=1))


def knight(ink: str, ground: str) -> str:
    """The knight about the origin, on a disc of its own, so that nothing shines through."""
    return (
        f'<circle r=".42" fill="{ground}" stroke="{ink}" stroke-width=".03"/>'
        f'<path d="{KNIGHT}" transform="translate(.03 .01) scale(.78)" fill="{ink}"/>'
        f'<circle cx="-.1" cy="-.15" r=".028" fill="{ground}"/>'
    )
