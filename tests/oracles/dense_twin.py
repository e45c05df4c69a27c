"""The readable twin of the dense sweep: states in a dictionary, one step at a time.

A state is a pair of tuples.  The first has the digit of each slot.  The second has, for each slot
of degree 1, the other end of its path, a slot or the depot; it has -1 for all other slots.  The
number of the depot is the number of slots.
"""

from __future__ import annotations

from collections import Counter

from kt_cp.counting.dense import halves
from kt_cp.counting.dense.matchings import MATCHINGS, place


def unrank(number, pairs):
    """Return the matching with a number, as the partner of each point."""
    left, mate = list(range(2 * pairs)), {}
    for base in range(2 * pairs - 1, 0, -2):
        digit, number = divmod(number, int(MATCHINGS[base // 2]))
        top = left.pop()
        partner = left.pop(digit)
        mate[top], mate[partner] = partner, top
    return [mate[point] for point in range(2 * pairs)]


def live_states(states):
    """Return every state of an array whose entry is not 0, with the entry."""
    found = {}
    for pattern in states.live.nonzero()[0].tolist():
        digits = tuple(pattern // 3**slot % 3 for slot in range(states.slots))
        points = [slot for slot, digit in enumerate(digits) if digit == 1]
        points += [states.slots] * states.at.depot
        begin, pairs = place(states.at, pattern)
        assert len(points) == 2 * pairs
        for number in range(int(MATCHINGS[pairs])):
            if value := int(states.values[begin + number]):
                mates = [-1] * states.slots
                for point, mate in zip(points, unrank(number, pairs), strict=True):
                    if point < states.slots:
                        mates[point] = points[mate]
                found[digits, tuple(mates)] = value
    return found


def joined(mates, one, other):
    """Return the paths after an edge between two slots, or None if it closes a cycle."""
    mates = list(mates)
    if mates[one] == other:
        return None
    far = [one if mates[one] < 0 else mates[one], other if mates[other] < 0 else mates[other]]
    for slot in (one, other):
        mates[slot] = -1
    for end, beyond in (far, far[::-1]):
        if end < len(mates):
            mates[end] = beyond
    return tuple(mates)


def ended(mates, slot, before):
    """Return the paths after an edge from a slot to the depot, which may have had one before."""
    depot, mates = len(mates), list(mates)
    mine = slot if mates[slot] < 0 else mates[slot]
    theirs = mates.index(depot) if before else depot
    if mine == depot:
        return None
    mates[slot] = -1
    for end, beyond in ((mine, theirs), (theirs, mine)):
        if end < depot:
            mates[end] = beyond
    return tuple(mates)


class Twin:
    """A half board during its sweep: ``states[dark, light]`` is a counter of states."""

    def __init__(self, half, ends):
        digits = tuple(halves.first_digits(half))
        self.ends = ends
        self.states = {(0, 0): Counter({(digits, (-1,) * len(digits)): 1})}

    def take(self, step):
        if isinstance(step, halves.End):
            self.end(step)
            return
        take = self.edge if isinstance(step, halves.Edge) else self.turn
        for key, states in self.states.items():
            self.states[key] = take(states, step)

    @staticmethod
    def edge(states, step):
        after = Counter(states) if step.optional else Counter()
        for (digits, mates), count in states.items():
            if digits[step.u] == 2 or digits[step.v] == 0:
                continue  # one of them has two edges
            paths = joined(mates, step.u, step.v)
            if paths is not None:
                more = list(digits)
                more[step.u] += 1
                more[step.v] -= 1
                after[tuple(more), paths] += count
        return after

    @staticmethod
    def turn(states, step):
        after = Counter()
        for (digits, mates), count in states.items():
            if digits[step.slot] in step.stay:
                changed = list(digits)
                if step.change:
                    changed[step.slot] = step.change[1]
                after[tuple(changed), mates] += count
        return after

    def end(self, step):
        for key in sorted(self.states, reverse=True):
            old = self.states[key]
            new_key = (key[0] + (not step.light), key[1] + step.light)
            if all(many <= most for many, most in zip(new_key, self.ends, strict=True)):
                new = self.states.setdefault(new_key, Counter())
                if step.must:
                    new.clear()
                for (digits, mates), count in old.items():
                    if digits[step.slot] == (0 if step.light else 2):
                        continue
                    paths = ended(mates, step.slot, sum(key) % 2)
                    if paths is not None:
                        more = list(digits)
                        more[step.slot] += -1 if step.light else 1
                        new[tuple(more), paths] += count
            if step.must:
                old.clear()


def count_joins(upper, lower, partners):
    """Return how many pairs of states of two halves, as counters, form one cycle."""
    return sum(
        count * other
        for (digits, mates), count in upper.items()
        for (below, others), other in lower.items()
        if all(below[-1 - slot] == partners[slot][digit] for slot, digit in enumerate(digits))
        and one_cycle(mates, others)
    )


def one_cycle(mates, others):
    """Return whether the paths of two halves, with slots in opposite order, form one cycle."""
    slots = len(mates)
    begin = next((slot for slot, mate in enumerate(mates) if mate >= 0), None)
    if begin is None:
        return False
    visited, here = 0, begin
    while True:
        there = mates.index(slots) if here == slots else mates[here]
        visited += 2
        if there == slots:
            here = slots - 1 - others.index(slots)
        else:
            beyond = others[slots - 1 - there]
            here = slots if beyond == slots else slots - 1 - beyond
        if here == begin:
            return visited == sum(mate >= 0 for mate in mates) + (slots in mates)
