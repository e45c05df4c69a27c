"""Another tour near a known one: steps of the known tour are given up only where they conflict.

The solver gets the formula of :mod:`kt_cp.enumeration.given_steps` and assumes every step of the
known tour but one; the square of that step is struck.  If there is no model, the solver returns a
core: the assumptions that it needed to say so.  These are given up, the others stay, and the solver
is asked again.  So the region in which the tours may differ grows only where it has to.  A second
tour differs in some dozens of steps, and most of the board is never searched.  When a call has
spent its conflicts, a random third of the assumptions is given up, so that in the end the whole
board is searched.

Source: relaxing the assumptions of an unsatisfiable core is how core-guided MaxSAT begins (Z. Fu
and S. Malik, "On solving the partial MAX-SAT problem", SAT 2006).  Here all assumptions of a core
are given up at once: the other tour has to be near, but need not be the nearest.

Cost: some ten calls that propagate and hardly search; a few hundredths of a second on 20×20.

When it loses: if there is no other tour, or only distant ones, the first calls bring nothing but
learned clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from kt_cp.enumeration.given_steps import Formula

CONFLICTS_A_CALL = 100
"""Of a call; after it less is assumed, and the clock is looked at."""

SHARE = 3
"""What part of the assumptions is given up then."""


class Near(Formula):
    """All tours with given steps, looked for near one of them."""

    @property
    def conflicts(self) -> int:
        """How many there were in all calls so far."""
        return int(self._solver.accum_stats()["conflicts"])

    def near(
        self,
        walk: Sequence[int],
        assumed: Sequence[tuple[int, int]],
        struck: Sequence[tuple[int, int]],
        seed: int = 0,
    ) -> Iterator[tuple[bool | None, list[int]]]:
        """The answers of one call after the other, until one is no longer None.

        Without a step that is struck nothing of the walk is kept.

        Examples
        --------
        >>> from kt_cp import Problem
        >>> formula = Near(Problem("3x4"), [])
        >>> _, walk = formula.ask()
        >>> said, other = list(formula.near(walk, [], [(5, walk[5])]))[-1]
        >>> said, other[5] == walk[5]
        (True, False)
        """
        kept = [at for at in enumerate(walk) if struck and at not in struck]
        lot = Random(seed)
        lot.shuffle(kept)  # what is assumed first decides on what a core is made of
        while True:
            answer, found = self.ask([*assumed, *kept], struck, CONFLICTS_A_CALL)
            if answer is None:
                kept = lot.sample(kept, len(kept) - -(-len(kept) // SHARE))
            elif not answer and kept:
                core = set(self._solver.get_core() or ())
                left = [at for at in kept if int(self._key[at[1], at[0]]) not in core]
                answer = False if left == kept else None
                kept = left
            yield answer, found
            if answer is not None:
                return
