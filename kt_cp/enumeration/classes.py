"""Class sizes as compiled code; a readable twin is among the tests.  Importing this loads Numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def class_sizes(
    walks: NDArray[np.int32],
    images: NDArray[np.int32],
    backwards: NDArray[np.bool_],
    heads: NDArray[np.int32],
    closed: bool,
    keep_start: bool,
    keep_end: bool,
) -> NDArray[np.int64]:
    """For each row of ``walks``, how many walks the symmetries make of it; 0 if one is earlier.

    ``images[g, v]`` is where symmetry g takes vertex v, ``backwards[g]`` whether it reverses;
    ``heads`` has the neighbours of each vertex in the order in which they are tried.  Walks that
    are ``closed`` are cycles, written from their first square.  With ``keep_start`` or ``keep_end``
    only those with the same start, or end, are listed.
    """
    many, total = walks.shape
    sizes = np.zeros(many, dtype=np.int64)
    for k in range(many):
        walk = walks[k]
        same = listed = 0
        for g in range(len(images)):
            step = -1 if backwards[g] else 1
            at = total - 1 if backwards[g] else 0
            if closed:
                while images[g, walk[at]] != walk[0]:
                    at += step
            if keep_start and images[g, walk[at]] != walk[0]:
                continue
            if keep_end and images[g, walk[total - 1 - at]] != walk[total - 1]:
                continue
            listed += 1
            fork = 0
            moved = images[g, walk[at]]
            while moved == walk[fork]:
                fork += 1
                if fork == total:
                    break
                at += step
                if at < 0:
                    at = total - 1
                elif at == total:
                    at = 0
                moved = images[g, walk[at]]
            if fork == total:
                same += 1
            elif fork == 0:
                if moved < walk[0]:
                    same = 0
                    break
            else:
                row = heads[walk[fork - 1]]
                i = 0
                while row[i] != moved and row[i] != walk[fork]:
                    i += 1
                if row[i] == moved:
                    same = 0
                    break
        if same > 0:
            sizes[k] = listed // same
    return sizes
