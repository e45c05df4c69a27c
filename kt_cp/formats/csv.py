"""Tours as comma-separated values: one row a step."""

from __future__ import annotations

import csv
import io
from itertools import repeat

from kt_cp.tour import Tour


def tour_csv(tour: Tour) -> str:
    """Rows of step (from 1), name, row and column (from 0).

    Examples
    --------
    >>> from kt_cp.board import Board
    >>> print(tour_csv(Tour([(0, 0), (1, 2)], board=Board(3, 4))), end="")
    step,square,row,column
    1,a1,0,0
    2,c2,1,2
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["step", "square", "row", "column"])
    places = tour if tour.board is not None else repeat(("", ""), tour.size)
    named = enumerate(zip(tour.names, places, strict=True), start=1)
    writer.writerows((step, name, *place) for step, (name, place) in named)
    return text.getvalue()
