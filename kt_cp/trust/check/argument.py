"""The arguments that a person can follow, one function for each kind.

A function takes the problem and the evidence of the certificate, counts, and returns the argument
as one sentence.  It refuses evidence that does not prove that there is no tour.  No function
searches: the certificate names what is to be counted.

Removed squares are counted on the bare board.  A tour, cut at k removed squares, falls into at most
k parts if it is closed and k + 1 if it is open.  The number is one less for each end that is
removed itself.  It is also one less if both ends are given and lie in the same piece, since two
parts of the tour then lie there.
"""

from __future__ import annotations

from kt_cp.model.board import describe
from kt_cp.model.terms import counted, terms
from kt_cp.trust.check.frame import Frame, frame_of, pieces_without
from kt_cp.trust.check.instance import Instance
from kt_cp.trust.check.moves import alternates
from kt_cp.trust.check.parsing import keys_of, squares_of, vertices_of
from kt_cp.trust.check.refusal import Reason, Refusal
from kt_cp.trust.check.sentences import (
    describe_node,
    describe_pieces,
    join_names,
    piece_with_article,
)


def size(problem: Instance, evidence: object) -> str:
    """Check that there are too few squares: a closed tour needs three to return by another way."""
    keys_of(evidence, "kind")
    if not problem.closed or problem.size > 2:
        raise Refusal(Reason.WRONG_QUESTION, "only closed tours of 1 or 2 squares are too small")
    there = "there is 1" if problem.size == 1 else "there are 2"
    return f"a closed tour needs at least 3 {terms(problem).square}s, and {there}"


def colours(problem: Instance, evidence: object) -> str:
    """Check that the numbers of colours exclude a tour, on a board on which it alternates."""
    keys_of(evidence, "kind")
    board = problem.board
    if board is None:
        raise Refusal(Reason.WRONG_QUESTION, "only the squares of a board have colours")
    if not alternates(board, problem.piece):
        some = f"not all of {piece_with_article(problem.piece)}'s moves change the colour"
        raise Refusal(Reason.NOT_PROVED, f"{some} on this {board.surface.words}")
    holes = sum((row + column) % 2 == 0 for row, column in board.missing)
    dark = (board.rows * board.columns + 1) // 2 - holes  # a1 is dark
    light = board.size - dark
    counts = f"{counted(dark, 'dark square')} and {light:,} light"
    rule = f"{piece_with_article(problem.piece)} changes colour with every move"
    if dark != light and (problem.closed or abs(dark - light) > 1):
        there = f"but there {'is' if dark == 1 else 'are'} {counts}"
        if problem.closed:
            return f"{rule}, so a closed tour visits as many dark squares as light, {there}"
        return f"{rule}, so a tour visits at most one more of either colour, {there}"
    counts = f"{rule}; with {counts}"
    ends = [end for end in (problem.start, problem.end) if end is not None]
    common = "dark" if dark > light else "light"
    for end in ends if dark != light and not problem.closed else ():
        if (sum(end) % 2 == 0) != (dark > light):
            return f"{counts} both ends of a tour are {common}, but {describe(end)} is not"
    if dark == light and len(ends) == 2 and sum(map(sum, ends)) % 2 == 0:
        both = " and ".join(map(describe, ends))
        return f"{counts} the ends of a tour differ in colour, but {both} do not"
    raise Refusal(Reason.NOT_PROVED, f"{counts} there is room for a tour")


def degrees(problem: Instance, evidence: object) -> str:
    """Check squares with too few moves."""
    squares = sorted(squares_of(problem, keys_of(evidence, "kind", "squares")["squares"]))
    moves = problem.count_moves(squares)
    words = terms(problem)
    names = join_names([describe_node(square) for square in squares], words.square)
    if problem.size < 2:
        raise Refusal(Reason.WRONG_QUESTION, "a single square is a tour")
    if len(squares) == 1 and moves[0] == 0:
        return f"{names} has no {words.move}s at all"
    if not squares or max(moves) > 1:
        raise Refusal(Reason.NOT_PROVED, "expected squares with one move at most")
    if problem.closed:
        has = "has" if len(squares) == 1 else "have"
        return (
            f"a closed tour needs two {words.move}s at every {words.square}, "
            f"and {names} {has} at most one"
        )
    given = {problem.start, problem.end} - {None}
    if len(squares) <= 2 - len(given) or given & set(squares):
        raise Refusal(Reason.NOT_PROVED, f"{names} can be ends of a tour")
    if len(given) == 2:
        has = "has" if len(squares) == 1 else "have"
        return (
            f"{names} {has} at most one {words.move}, so a tour would end there, not where it must"
        )
    only = f"a {words.square} with at most one {words.move} can only be an end of a tour"
    if given:
        return f"{only}, and beside the end that is given there is room for one: not for {names}"
    return f"{only}, and there are two ends: {names} are too many"


def connectivity(problem: Instance, evidence: object) -> str:
    """Check two squares without a way between them."""
    frame = frame_of(problem)
    vertices = sorted(vertices_of(frame, keys_of(evidence, "kind", "squares")["squares"]))
    if len(vertices) != 2:
        raise Refusal(Reason.WRONG_SHAPE, f"expected two squares, got {len(vertices)}")
    one, other = (describe_node(frame.names[vertex]) for vertex in vertices)
    pieces = squares_without(frame, set())
    if any(set(vertices) <= set(piece) for piece in pieces):
        raise Refusal(Reason.NOT_PROVED, f"a way leads from {one} to {other}")
    parts_text = describe_pieces(frame, set(), len(pieces))
    return f"{parts_text}, and no way leads from {one} to {other}"


def removal(problem: Instance, evidence: object) -> str:
    """Check that the removal of some squares leaves more pieces than a tour can visit."""
    frame = frame_of(problem)
    removed = vertices_of(frame, keys_of(evidence, "kind", "squares")["squares"])
    if not removed:
        raise Refusal(Reason.EMPTY_SET, "no square is removed")
    if len(removed) == frame.squares:
        raise Refusal(Reason.WHOLE_SET, "every square is removed")
    pieces = squares_without(frame, removed)
    most = most_pieces(frame, removed, pieces)
    square, many = terms(problem).square, len(removed)
    those = f"that {square} once" if many == 1 else f"those {many:,} {square}s once each"
    what = (
        f"{describe_pieces(frame, removed, len(pieces))}; "
        f"{'a closed' if problem.closed else 'an open'} tour{_between(problem)} goes through "
        f"{those}, so it can visit at most {most:,} of them"
    )
    if len(pieces) <= most:
        raise Refusal(Reason.NOT_PROVED, what)
    return what


def cut(problem: Instance, evidence: object) -> str:
    """Check the removal of a single square."""
    names = keys_of(evidence, "kind", "squares")["squares"]
    if not isinstance(names, list) or len(names) != 1:
        raise Refusal(Reason.WRONG_SHAPE, "expected a list of one square")
    return removal(problem, evidence)


def squares_without(frame: Frame, removed: set[int]) -> list[list[int]]:
    """Return the connected pieces that remain without some squares; ends play no part."""
    return pieces_without(frame.neighbours, removed.union(frame.ends))


def most_pieces(frame: Frame, removed: set[int], pieces: list[list[int]]) -> int:
    """Return how many pieces a tour can visit by way of the removed squares, at least one."""
    problem = frame.problem
    if problem.closed:
        return len(removed)
    ends = {frame.number[end] for end in (problem.start, problem.end) if end is not None}
    most = len(removed) + 1 - len(ends & removed)
    if len(ends) == 2 and any(ends <= set(piece) for piece in pieces):
        most -= 1
    return most


def _between(problem: Instance) -> str:
    ends = {"from": problem.start, "to": problem.end}
    if problem.closed:
        return ""
    return "".join(f" {word} {describe_node(end)}" for word, end in ends.items() if end is not None)
