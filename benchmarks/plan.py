"""What a run of the benchmarks is to measure, and a small plan that shows that it runs."""

from __future__ import annotations

from dataclasses import dataclass

from kt_cp.encodings import ENCODING_NAMES

PLAIN, CLINGO, LKH = YARDSTICKS = ("plain", "clingo", "lkh")
"""What others have: the plain AddCircuit script, reachability by clingo, round trips by LKH."""

SAT = "sat:lazy"
CANDIDATES = (*YARDSTICKS, "cpsat", "propagator", SAT, "sat:lazy:cadical195", "sat:lazy::patch")
"""What is compared on closed boards: the yardsticks, then engines by name; the last joins cycles by
exchanging edges, which is no longer the encoding's own doing."""

ONE_SHOT = tuple(name for name in ENCODING_NAMES if name != "lazy")
"""The encodings that state everything at once."""

PARTS = (
    "search", "oneshot", "door", "commands", "walks", "enumeration", "proofs", "refutations",
    "construction", "puzzles", "clues", "graphs", "counting",
)  # fmt: skip
"""What is measured, in order: closed tours, how far one-shot formulas come, the front door, whole
processes, Warnsdorff's rule, every tour, evidence that there is none, refutations by encoding,
tours that are constructed, puzzles, puzzles by every engine that takes given steps, Hamiltonian
cycles by families of graphs, and how many closed tours there are."""


@dataclass(frozen=True)
class Sizes:
    """What the part ``construction`` runs.

    Attributes
    ----------
    sides : tuple of int
        Square boards, on each of which every kind of tour is measured, smallest first.
    shapes : tuple of str
        Other boards.
    whole : str
        The board that is compared with NumPy's own work, closed.
    peaks : tuple of str
        Boards whose array's memory is measured.
    stream : tuple of int
        Sides of the closed boards that are written to a file.
    pause : float
        Seconds before a file is written.
    """

    sides: tuple[int, ...] = (100, 300, 1000, 3000, 10_000, 20_000)
    shapes: tuple[str, ...] = (
        "7x1000000", "1000000x7", "12x1000000", "1000x100000", "100000x1000",
        "3x1000000", "1000000x3", "4x1000000", "5x1000000",
    )  # fmt: skip
    whole: str = "10000x10000"
    peaks: tuple[str, ...] = ("10000x10000", "12x8000000", "8000000x12")
    stream: tuple[int, ...] = (20_000,)
    pause: float = 5.0


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes
    ----------
    parts : tuple of str
        Of :data:`PARTS`.
    candidates : tuple of str
        Of the search on closed boards: of the yardsticks, and engines by name.
    sides, seeds : tuple of int
        Of the closed boards; each pair once with each candidate.
    time_limit : float
        Seconds for one process, unless its part has a limit of its own.
    search_limit, climb_limit, refute_limit, proof_limit : float
        Seconds for one process of the search on closed boards, of a one-shot formula, of a
        refutation by an encoding, and of any other evidence.
    jobs : int
        Searches and refutations at a time.
    oneshot, refuting : tuple of str
        Encodings that are to climb, and to refute.
    most : int
        Side at which the climb of one-shot formulas ends.
    within : tuple of (int, int)
        Every board within one of these that has no tour is refuted.
    door_sides : tuple of int
        Closed boards on which the front door is taken apart.
    repeats, few_repeats, proof_repeats : int
        Of each command; of each enumeration and construction; of each kind of evidence.
    walks : (int, int)
        Shortest and longest side for Warnsdorff's rule.
    sizes : Sizes
        Of constructed tours.
    puzzles : int
        Of each kind.
    graphs : int
        How many of the graphs with a cycle, spread over families and sizes; all if 0.
    graph_limit : float
        Seconds for one graph.
    quick : bool
        Whether enumerations and evidence are those that take no time.
    kept : str
        Name of the file in which runs are kept; empty if they are not.
    plots : str
        Name of the directory that the report's pictures are in; empty if there are none.
    """

    parts: tuple[str, ...] = PARTS
    candidates: tuple[str, ...] = CANDIDATES
    sides: tuple[int, ...] = (8, 20, 30, 40, 50, 60, 100, 200, 500, 1000)
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    time_limit: float = 180.0
    search_limit: float = 600.0
    climb_limit: float = 60.0
    refute_limit: float = 20.0
    proof_limit: float = 20.0
    jobs: int = 1
    oneshot: tuple[str, ...] = ONE_SHOT
    refuting: tuple[str, ...] = ENCODING_NAMES
    most: int = 140
    within: tuple[tuple[int, int], ...] = ((5, 5), (4, 12))
    door_sides: tuple[int, ...] = (60, 100, 200)
    repeats: int = 10
    few_repeats: int = 5
    proof_repeats: int = 3
    walks: tuple[int, int] = (5, 100)
    sizes: Sizes = Sizes()
    puzzles: int = 1000
    graphs: int = 0
    graph_limit: float = 60.0
    quick: bool = False
    kept: str = ""
    plots: str = ""


QUICK = Plan(
    sides=(6,),
    seeds=(1,),
    oneshot=("remainder-short", "hybrid"),
    refuting=("lazy", "hybrid"),
    most=6,
    within=((3, 3),),
    door_sides=(8,),
    repeats=1,
    few_repeats=1,
    proof_repeats=1,
    walks=(5, 12),
    sizes=Sizes(
        sides=(100,),
        shapes=("7x1000",),
        whole="300x300",
        peaks=("300x300",),
        stream=(300,),
        pause=0.0,
    ),
    puzzles=2,
    graph_limit=1.0,
    quick=True,
)
"""Everything once, in a few seconds: shows that the benchmarks run, and measures nothing."""
