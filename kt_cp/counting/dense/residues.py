"""Counts that 64 bits and 128 do not hold: the same modulo primes, and the Chinese remainder.

Sums of an array are of 64 bits, those of a join of 128, and what may be larger is never summed: it
is known beforehand (see ``sweep`` and ``meet``).  Then the board is swept once for each of several
primes below 2³², whose product is larger than the count can be.

Every edge of the board has an end on a dark square.  So a tour is told by the edges of its dark
squares: two of its d edges for each of them, or one at an end.  The product of d(d - 1)/2 over the
dark squares (and of d more for open tours) is a bound, and the same holds for light ones.  It is
generous: twice as many primes as need be.  Cost: a sweep a prime, some longer than an exact one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

LIMIT = 1 << 32
"""Primes are below: a product of two residues has 64 bits, and so has a sum of fifteen."""


def descending_primes() -> Iterator[int]:
    """The primes below the limit, the largest first.

    Examples
    --------
    >>> from itertools import islice
    >>> [LIMIT - prime for prime in islice(primes(), 3)]
    [5, 17, 65]
    """
    yield from (number for number in range(LIMIT - 1, 1 << 31, -2) if _is_prime(number))


def _is_prime(number: int) -> bool:
    """Whether an odd number is prime: these bases suffice below 4,759,123,141 (Jaeschke, 1993)."""
    twos = (number - 1 & 1 - number).bit_length() - 1
    for base in (2, 7, 61):
        power = pow(base, number >> twos, number)
        if power not in (1, number - 1) and number - 1 not in (
            pow(power, 1 << times, number) for times in range(1, twos)
        ):
            return False
    return True


def tour_bound(degrees: Iterable[tuple[bool, int]], *, closed: bool) -> int:
    """A number that there are fewer tours than, from the colour and the degree of each square.

    Examples
    --------
    >>> bound([(False, 2), (False, 2), (True, 2), (True, 2)], closed=True)
    2
    """
    by_colour: dict[bool, list[int]] = {False: [], True: []}
    for colour, degree in degrees:
        by_colour[colour].append(degree * (degree - 1) // 2 + (0 if closed else degree))
    return 1 + min(prod(choices) for choices in by_colour.values())


def chinese_remainder(residues: Iterable[tuple[int, int]]) -> int:
    """The least number with residues modulo coprime numbers, each a pair of both.

    Examples
    --------
    >>> remainder([(2, 3), (3, 5), (2, 7)])
    23
    """
    number, modulus = 0, 1
    for residue, prime in residues:
        number += (residue - number) * pow(modulus, -1, prime) % prime * modulus
        modulus *= prime
    return number
