"""What others have for closed tours, by name: a function of side and seed each.

It returns a word of status, seconds from the board to the tour, and the squares of the tour in
order, which is empty where none was found.  Of clingo and LKH not even the package has to be there.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from benchmarks.plan import CLINGO, LKH, PLAIN, YARDSTICKS

Squares = list[tuple[int, int]]

_WHERE = {
    PLAIN: ("ortools", "benchmarks.plain_addcircuit"),
    CLINGO: ("clingo", "benchmarks.reachability"),
    LKH: ("elkai", "benchmarks.zero_cost"),
}
assert tuple(_WHERE) == YARDSTICKS


def yardstick(name: str) -> Callable[[int, int], tuple[str, float, Squares]]:
    """The function of a name; its solver is loaded here, before any clock starts."""
    package, module = _WHERE[name]
    import_module(package)
    found: Callable[[int, int], tuple[str, float, Squares]] = import_module(module).closed_tour
    return found


def installed(name: str) -> bool:
    """Whether what it needs is there; an engine's name is."""
    return name not in _WHERE or find_spec(_WHERE[name][0]) is not None
