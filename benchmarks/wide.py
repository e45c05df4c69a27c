"""What a count of closed tours on wide boards would take, in the array of `kt_cp/counting/dense`.

`python -m benchmarks.wide` prints the tables of docs/explanation/wide-boards.md: sizes are
formulas, exact for any width. `python -m benchmarks.wide --measure 6x6` sweeps half of that board
and counts the states that live after each row, their largest number, and the seconds of the
processor for each addition of a full array: a second for width 6, a minute and 3 GB for width 8.

A pattern of two rows of w squares has 2k ends of paths among its 2w slots; of the other slots half
have all their edges and half none, by the balance of colours.  Its ends are matched in (2k - 1)!!
ways.  So there are C(2w, 2k) C(2w - 2k, w - k) patterns with k pairs, and as many blocks.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import comb, prod
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

if TYPE_CHECKING:
    from kt_cp.counting.dense.state_array import StateArray

BYTES = 4
"""Of an entry: of widths to 10 the largest are below 2**32, or else they are residues."""


def matchings(pairs: int) -> int:
    """(2k - 1)!!"""
    return prod(range(1, 2 * pairs, 2))


def patterns(width: int) -> Iterator[tuple[int, int]]:
    """Numbers of pairs, and how many patterns have so many."""
    for pairs in range(width + 1):
        yield pairs, comb(2 * width, 2 * pairs) * comb(2 * width - 2 * pairs, width - pairs)


def entries(width: int) -> int:
    """Of the whole array: patterns times matchings."""
    return sum(many * matchings(pairs) for pairs, many in patterns(width))


def additions(width: int) -> int:
    """Of one edge, in the whole array.

    The other slots have the digits that are left: both ends of the edge become ends of paths or
    stop being ones (2), or an end moves on (1 and 3, the sum of their two digits).
    """
    others, found = 2 * width - 2, 0
    for taken in (1, 2, 3):
        for ones in range(others + 1):
            twos, odd = divmod(2 * width - taken - ones, 2)
            if odd or not 0 <= twos <= others - ones:
                continue
            many = comb(others, ones) * comb(others - ones, twos)
            # Joining gathers 2k entries for each matching of k pairs; a new path is one more.
            each = (ones + 1) * matchings(ones // 2) if taken == 2 else matchings((ones + 1) // 2)
            found += many * each
    return found


def edges(width: int, rows: int) -> int:
    """Steps with an edge until two halves of so many rows meet."""
    return (3 * (width - 2) + width % 2) * (rows // 2 - 1) + width - 2


def meeting(width: int) -> int:
    """Multiplications and additions where two halves meet: k * k for each entry of k pairs."""
    return sum(many * matchings(pairs) * pairs**2 for pairs, many in patterns(width))


def largest_key(width: int) -> int:
    """Most entries with the same digits in one of the two rows."""
    most = 0
    for ones in range(width + 1):
        for twos in range(width - ones + 1):
            left = 2 * width - ones - 2 * twos
            size = 0
            for others in range(ones % 2, width + 1, 2):
                rest, odd = divmod(left - others, 2)
                if not odd and 0 <= rest <= width - others:
                    many = comb(width, others) * comb(width - others, rest)
                    size += many * matchings((ones + others) // 2)
            most = max(most, size)
    return most


def sizes(widths: range) -> list[str]:
    """A table: a line a width."""
    lines = [
        "| width | patterns | entries | GB | keys | most of a key, MB | additions an edge |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for width in widths:
        many = sum(each for _, each in patterns(width))
        lines.append(
            f"| {width} | {many:,} | {entries(width):,} | {entries(width) * BYTES / 1e9:,.2f} "
            f"| {3**width:,} | {largest_key(width) * BYTES / 1e6:,.1f} | {additions(width):.3g} |"
        )
    return lines


NANOSECONDS = 1.0
"""For an addition of a full array: the edges of 8x8 take 14 s, and the meeting 5."""

LIVE = 0.27
"""Part of the entries that live where the halves of 8x8 meet."""


def bills(boards: list[tuple[int, int]]) -> list[str]:
    """A table: what counting a board's closed tours would take, a line a board."""
    lines = [
        "| rows × columns | steps | core hours | shuffles | TB shuffled |",
        "|---|---:|---:|---:|---:|",
    ]
    for rows, width in boards:
        steps = edges(width, rows)
        hours = (steps * additions(width) + meeting(width)) * NANOSECONDS / 3.6e12
        shuffles = 2 * (rows // 2)
        moved = shuffles * entries(width) * BYTES / 1e12
        lines.append(f"| {rows} × {width} | {steps} | {hours:,.3g} | {shuffles} | {moved:,.3g} |")
    return lines


BOARDS = [(8, 8), (10, 9), (12, 9), (18, 9), (10, 10), (12, 10), (20, 10), (12, 11), (12, 12)]


def measure(rows: int, width: int) -> None:
    """Sweep half of a board, and print how many states live after each row."""
    list(sweep_half(4, 4))  # compiled code is loaded
    began = time.process_time()
    for row, states in enumerate(sweep_half(rows, width), start=1):
        spent = time.process_time() - began
        alive, largest = living(states)
        print(
            f"{rows}x{width}, row {row}: {alive:,} of {states.entries:,} live, "
            f"{alive / states.entries:.2%}; largest {largest:,}; {spent:.1f} s",
            flush=True,
        )
    each = spent / edges(width, rows) / additions(width) * 1e9
    print(f"{each:.3g} ns for each of {edges(width, rows)} x {additions(width):,} additions")


def sweep_half(rows: int, width: int) -> Iterator[StateArray]:
    """The array after each row of the first half, and at last where the halves meet."""
    from kt_cp.counting.dense.half_sweep import HalfSweep, Threads
    from kt_cp.counting.dense.matchings import MatchingTables
    from kt_cp.counting.dense.on_disk import whole_half

    threads = Threads()
    sweep = HalfSweep(whole_half(rows, width), (0, 0), 0, threads, MatchingTables(width, threads))
    for _ in sweep.rows():
        yield sweep.states[0, 0]


def living(states: StateArray) -> tuple[int, int]:
    """How many entries are not 0, and the largest; blocks of dead patterns hold anything."""
    from kt_cp.counting.dense.matchings import MATCHINGS

    at, many, largest = states.at, 0, 0
    high, low = np.divmod(np.flatnonzero(states.live), len(at.low.sums))
    ones = at.high.counts[high] + at.low.counts[low]
    starts = at.starts[high] + at.within[at.total - at.high.sums[high], at.high.counts[high], low]
    for pairs in np.unique(ones // 2).tolist():
        size = int(MATCHINGS[pairs])
        blocks = starts[ones // 2 == pairs]
        at_once = max(1, 1_000_000 // size)
        for first in range(0, len(blocks), at_once):
            chosen = states.values[blocks[first : first + at_once, None] + np.arange(size)]
            many += int(np.count_nonzero(chosen))
            largest = max(largest, int(chosen.max()))
    return many, largest


def main(
    measured: Annotated[str | None, typer.Option("--measure", metavar="ROWSxWIDTH")] = None,
) -> None:
    """Print the tables, or measure half of a board."""
    if measured is not None:
        rows, width = map(int, measured.split("x"))
        measure(rows, width)
        return
    print("\n".join([*sizes(range(6, 13)), "", *bills(BOARDS)]))


if __name__ == "__main__":
    typer.run(main)
