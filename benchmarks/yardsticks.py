"""What others have for closed tours, by name: a function of side and seed each.

It returns a word of status, seconds from the board to the tour, and the squares of the tour in
order, which is empty where none was found.  Of clingo and LKH not even the package has to be there.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.plan import CLINGO, LKH, PLAIN, YARDSTICKS

_WHERE = {
    PLAIN: ("ortools", "benchmarks.plain_addcircuit"),
    CLINGO: ("clingo", "benchmarks.reachability"),
    LKH: ("elkai", "benchmarks.zero_cost"),
}
assert tuple(_WHERE) == YARDSTICKS

GRAPHILLION = "Graphillion"
"""What others have for counting: all cycles of any graph, in a decision diagram."""


def yardstick(name: str, what: str = "closed_tour") -> Callable[..., tuple[str, float, Any]]:
    """The function of a name; its solver is loaded here, before any clock starts.

    That of ``cycle`` takes the number of nodes, the arcs, and a seed, and returns nodes.
    """
    package, module = _WHERE[name]
    import_module(package)
    found: Callable[..., tuple[str, float, Any]] = getattr(import_module(module), what)
    return found


def installed(name: str) -> bool:
    """Whether what it needs is there; an engine's name is."""
    package = "graphillion" if name == GRAPHILLION else _WHERE.get(name, ("kt_cp",))[0]
    return find_spec(package) is not None
