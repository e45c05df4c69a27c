"""A tour as the names of its squares."""

from __future__ import annotations

from kt_cp.tour import Tour


def tour_names(tour: Tour) -> str:
    """Names in order, separated by blanks, ten a line.

    Examples
    --------
    >>> print(tour_names(Tour([(0, 0), (1, 2)])))
    (0, 0) (1, 2)
    """
    names = tour.names
    return "\n".join(" ".join(names[i : i + 10]) for i in range(0, len(names), 10))
