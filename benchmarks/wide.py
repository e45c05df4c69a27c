"""The cost of a count of closed tours on wide boards, in the array of `kt_cp/counting/dense`.

`python -m benchmarks.wide` prints the tables of docs/explanation/closed-10x10.md: sizes are
formulas, exact for any width.  `python -m benchmarks.wide --measure 6x6` sweeps half of that board
and counts the live states after each row, their largest number, and the processor time for each
addition of a full array: a second for width 6, a minute and 3 GB for width 8.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from kt_cp.counting.dense.cluster_bill import (
    BYTES,
    additions,
    additions_of_key,
    cluster_bill,
    edges,
    entries,
    largest_key,
    patterns,
    shuffles,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kt_cp.counting.dense.matchings import Layout
    from kt_cp.counting.dense.on_disk import Phase
    from kt_cp.counting.dense.state_array import StateArray


def sizes(widths: range) -> list[str]:
    """Return a table of sizes, with one line per width."""
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


def bills(boards: list[tuple[int, int]]) -> list[str]:
    """Return a table of the cost of counting closed tours, with one line per board."""
    lines = [
        "| rows × columns | steps | core hours | shuffles | TB shuffled |",
        "|---|---:|---:|---:|---:|",
    ]
    for rows, width in boards:
        bill = cluster_bill(rows, width, 1)
        moved = bill.shuffled_bytes / 1e12
        lines.append(
            f"| {rows} × {width} | {edges(width, rows)} | {bill.core_hours:,.3g} "
            f"| {shuffles(rows)} | {moved:,.3g} |"
        )
    return lines


BOARDS = [(8, 8), (10, 9), (12, 9), (18, 9), (10, 10), (12, 10), (20, 10), (12, 11), (12, 12)]


def measure(rows: int, width: int) -> None:
    """Sweep half of a board, and print how many states are live after each row."""
    list(sweep_half(4, 4))  # load compiled code
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
    """Yield the array after each row of the first half, and finally at the middle."""
    from kt_cp.counting.dense.half_sweep import HalfSweep, Threads
    from kt_cp.counting.dense.matchings import MatchingTables
    from kt_cp.counting.dense.on_disk import whole_half

    threads = Threads()
    sweep = HalfSweep(whole_half(rows, width), (0, 0), 0, threads, MatchingTables(width))
    for _ in sweep.rows():
        yield sweep.states[0, 0]


def measure_keys(
    rows: int, width: int, ends: int, keys: int, modulus: int = 2**32 - 5
) -> dict[str, float]:
    """Process a group of keys, each with ``ends`` ends of paths, in one phase and one thread.

    Numbers are residues, unless the modulus is 0.  All states are live at first, more than in a
    count.  Returns the entries, the processor time for the steps and for copies out of the array
    and into it, the megabytes of the blocks, and the nanoseconds for each addition.
    """
    from kt_cp.counting.dense.halves import Edge, End
    from kt_cp.counting.dense.matchings import MATCHINGS, MatchingTables
    from kt_cp.counting.dense.on_disk import phases, whole_half
    from kt_cp.counting.dense.state_array import (
        StateArray,
        Threads,
        block_slices,
        pairs_of,
        put,
        take_blocks,
    )

    phase = phases(whole_half(rows, width))[-3]
    at, living, entries = lay_out_keys(phase, ends, keys)
    threads = Threads(1)
    states = StateArray(at, entries, modulus)
    tables = MatchingTables(min(width, len(MATCHINGS) - 1))
    states.values[:] = bool(modulus)  # sums without a modulus must not grow
    states.live[living] = 1
    states.largest[pairs_of(states, living)] = 1
    began = time.process_time()
    for step in phase.steps:
        assert not isinstance(step, End)
        states.step(step, tables, threads)
    stepped = time.process_time()
    left = np.flatnonzero(states.live)
    blocks = take_blocks(states, left, left)
    put(states, block_slices(blocks))
    ended = time.process_time()
    many = keys * sum(isinstance(step, Edge) for step in phase.steps)
    done = many * additions_of_key(len(phase.touched), at.total, ends)
    return {
        "entries": entries,
        "solve_seconds": stepped - began,
        "copy_seconds": ended - stepped,
        "MB": sum(each.nbytes for each in blocks.values()) / 1e6,
        "nanoseconds": (stepped - began) / done * 1e9,
    }


def lay_out_keys(phase: Phase, ends: int, keys: int) -> tuple[Layout, NDArray[np.int64], int]:
    """Return the layout of some keys, their patterns, and the number of entries."""
    from kt_cp.counting.dense.matchings import MATCHINGS, Digits, Layout, digits

    left = phase.total - ends - 2 * ((len(phase.key) - ends) // 2)
    low = digits(phase.touched)
    chosen = np.flatnonzero(low.sums == left)
    sizes = MATCHINGS[(low.counts[chosen] + ends) // 2]
    within = np.zeros((left + 1, ends + 1, len(low.sums)), dtype=np.int32)
    within[left, ends, chosen] = np.cumsum(sizes) - sizes
    some = [sum(1 << slot for slot in each) for each in combinations(phase.key, ends)][:keys]
    high = Digits(*(np.array(each, dtype=np.int32) for each in (some, [ends] * keys, [0] * keys)))
    weights = np.zeros(len(phase.touched) + len(phase.key), dtype=np.int64)
    weights[[*phase.touched]] = 3 ** np.arange(len(phase.touched))
    size, number = int(sizes.sum()), np.arange(keys)
    patterns = (number[:, None] * len(low.sums) + chosen).ravel()
    return Layout(number * size, within, low, high, left, 0, weights), patterns, keys * size


def living(states: StateArray) -> tuple[int, int]:
    """Return how many entries of live patterns are not 0, and the largest entry."""
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
