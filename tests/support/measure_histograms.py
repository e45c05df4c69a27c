"""The number of tours for each value of each measure, on all boards with sides from 3 to 6.

``python -m tests.support.measure_histograms`` writes ``data/measure_histograms.csv``, in a minute
or so.  Boards without tours are left out.

A tour and its reverse are one.  Two measures of a closed tour, ``magic-ranks`` and ``magic-files``,
depend on the square where it begins: the table has one entry for each tour and first square.  Both
directions give the same values: they replace each step k of N squares by N + 1 - k, for another
first square.

Open tours are enumerated by classes, and each counts as often as its class has tours.  All tours of
a class have the same values, except that half of the images on a square board are transposed.

The values come from tables: of the angles between any two moves, and of the moves that cross.  No
code of ``kt_cp.model.measures`` plays a part.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from math import atan2, degrees

import numpy as np

from kt_cp import Enumeration, Problem
from kt_cp.model.measures import MEASURES
from tests.support.command_line import DATA

TABLE = DATA / "measure_histograms.csv"
SIDES = [(rows, columns) for rows in range(3, 7) for columns in range(rows, 7)]
KINDS = ("open", "closed")

STEPS = sorted((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b))
"""The steps of a knight; the last four, in reverse order, are those of the first four backwards."""

BATCH = 20_000

Key = tuple[int, int, str]
"""Rows, columns and kind."""

Histograms = dict[Key, dict[str, dict[int, int]]]
"""By board and measure: the number of tours for each value."""


def crosses(a, b, c, d):
    """Return whether the segments from a to b and from c to d share a point inside both."""
    (px, py), (qx, qy) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    (rx, ry), area = (c[0] - a[0], c[1] - a[1]), px * qy - py * qx
    if area:
        s, t = (rx * qy - ry * qx) / area, (rx * py - ry * px) / area
        return 1e-9 < s < 1 - 1e-9 and 1e-9 < t < 1 - 1e-9
    if rx * py != ry * px:
        return False
    length = px * px + py * py
    ends = sorted(((x - a[0]) * px + (y - a[1]) * py) / length for x, y in (c, d))
    return max(0, ends[0]) < min(1, ends[1]) - 1e-9


def angle_table() -> np.ndarray:
    """Return the angle in degrees at a square between each two steps, 180 for straight on."""
    headings = [degrees(atan2(*step)) for step in STEPS]
    turned = np.subtract.outer(headings, headings) % 360
    return np.round(180 - np.minimum(turned, 360 - turned), 6)


@cache
def crossing_table(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each move by its two squares, and a matrix of moves that cross."""
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    steps = {*STEPS}
    moves = [
        (u, v) for v in squares for u in squares if u < v and (v[0] - u[0], v[1] - u[1]) in steps
    ]
    number = np.full((len(squares), len(squares)), -1)
    for place, (u, v) in enumerate(moves):
        u, v = u[0] * columns + u[1], v[0] * columns + v[1]
        number[u, v] = number[v, u] = place
    matrix = np.array(
        [[one != other and crosses(*one, *other) for other in moves] for one in moves]
    )
    return number, matrix.astype(np.float32)


def crossings_of_all_tours(problem: Problem) -> list[int]:
    """Return the number of crossings of each tour of a problem on a board on the plane."""
    moves = list(problem.graph.edges)
    matrix = np.array(
        [[one != other and crosses(*one, *other) for other in moves] for one in moves]
    )
    number = {frozenset(move): place for place, move in enumerate(moves)}
    found = []
    for tour in Enumeration(problem).tours():
        pairs = zip(tour, tour[1:] + tour[:1] * problem.closed, strict=False)
        used = [number[frozenset(pair)] for pair in pairs]
        found.append(int(matrix[np.ix_(used, used)].sum()) // 2)
    return found


def batch_measures(tours: np.ndarray, columns: int, *, closed: bool) -> dict[str, np.ndarray]:
    """Return all measures of tours except the sums; tours are rows of numbers of squares."""
    size = tours.shape[1]
    path = np.hstack([tours, tours[:, :1]]) if closed else tours
    up, right = np.diff(path // columns), np.diff(path % columns)
    step = np.full((5, 5), -1)
    for place, (a, b) in enumerate(STEPS):
        step[a, b] = place  # negative indices count from the end
    steps = step[up, right]
    following = np.roll(steps, -1, axis=1) if closed else steps[:, 1:]
    angles = angle_table()[steps[:, : following.shape[1]], following]
    lines = np.minimum(steps, 7 - steps)

    run = best = np.ones(len(tours), dtype=int)
    around = np.hstack([steps, steps]) if closed else steps
    for place in range(1, around.shape[1]):
        run = np.where(around[:, place] == around[:, place - 1], run + 1, 1)
        best = np.maximum(best, run)

    number, crossing = crossing_table(size // columns, columns)
    used = np.zeros((len(tours), len(crossing)), dtype=np.float32)
    np.put_along_axis(used, number[path[:, :-1], path[:, 1:]], 1, axis=1)
    crossed = (used @ crossing)[used == 1].reshape(len(tours), -1).round().astype(int)
    return {
        "turns": (angles != 180).sum(axis=1),
        "straight": (angles == 180).sum(axis=1),
        "right-angles": (angles == 90).sum(axis=1),
        "acute-angles": (angles < 90).sum(axis=1),
        "obtuse-angles": ((angles > 90) & (angles < 180)).sum(axis=1),
        "direction": np.max([(lines == line).sum(axis=1) for line in range(4)], axis=0),
        "steep": (abs(up) == 2).sum(axis=1),
        "run": best,
        "crossings": crossed.sum(axis=1) // 2,
        "uncrossed-moves": (crossed == 0).sum(axis=1),
    }


def batch_sums(tours: np.ndarray, columns: int) -> dict[str, np.ndarray]:
    """Return the measures of tours that are sums of ranks and files."""
    count, size = tours.shape
    steps = np.empty_like(tours)
    np.put_along_axis(steps, tours, np.arange(1, size + 1)[None], axis=1)
    grid = steps.reshape(count, size // columns, columns)
    total = size * (size + 1) // 2
    return {
        "magic-ranks": (grid.sum(axis=2) * (size // columns) == total).sum(axis=1),
        "magic-files": (grid.sum(axis=1) * columns == total).sum(axis=1),
    }


def batches(rows: int, columns: int, kind: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield tours as rows of numbers of squares, and how many tours each row represents."""
    closed = kind == "closed"
    tours = Enumeration((rows, columns), closed=closed, unique=not closed).tours()
    while batch := list(islice(tours, BATCH)):
        squares = np.array([tour.squares for tour in batch])
        sizes = np.array([tour.class_size or 1 for tour in batch])
        yield squares[..., 0] * columns + squares[..., 1], sizes


def histograms_of(rows: int, columns: int, kind: str) -> dict[str, dict[int, int]]:
    """Return the number of tours for each value, by measure; nothing if there is no tour."""
    found: dict[str, Counter[int]] = {name: Counter() for name in MEASURES}
    for tours, sizes in batches(rows, columns, kind):
        size = tours.shape[1]
        starts = range(size) if kind == "closed" else (0,)
        values = [batch_measures(tours, columns, closed=kind == "closed")]
        values += [batch_sums(np.roll(tours, start, axis=1), columns) for start in starts]
        if kind == "open" and rows == columns:
            transposed = tours % columns * columns + tours // columns
            values += [
                batch_measures(transposed, columns, closed=False), batch_sums(transposed, columns)
            ]  # fmt: skip
            assert not (sizes % 2).any()
            sizes = sizes // 2
        for each in values:
            for name, row in each.items():
                numbers = np.bincount(row, weights=sizes)
                found[name].update({k: int(number) for k, number in enumerate(numbers) if number})
    return {name: dict(sorted(counts.items())) for name, counts in found.items() if counts}


@cache
def read_histograms() -> Histograms:
    """Read the table."""
    found: Histograms = {}
    with TABLE.open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            pairs = (pair.split(":") for pair in line["tours_by_value"].split())
            counts = {int(value): int(tours) for value, tours in pairs}
            key = int(line["rows"]), int(line["columns"]), line["kind"]
            found.setdefault(key, {})[line["measure"]] = counts
    return found


def write_histograms() -> None:
    """Compute and write the table."""
    with TABLE.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["rows", "columns", "kind", "measure", "tours_by_value"])
        for rows, columns in SIDES:
            for kind in KINDS:
                for name, counts in histograms_of(rows, columns, kind).items():
                    pairs = (f"{value}:{tours}" for value, tours in counts.items())
                    writer.writerow([rows, columns, kind, name, " ".join(pairs)])


if __name__ == "__main__":
    write_histograms()
