"""The house: a module imports only from floors below its own, and files stay short."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.certificates import certificate, examples

HOUSE = Path(__file__).parents[1] / "kt_cp"

# From the ground up; modules of one floor may import each other.  A package stands for all in it,
# but for parts of it that have a floor of their own.
FLOORS = [
    ["errors", "versions"],
    ["board"],
    ["graph"],
    ["problem"],
    ["render"],  # pictures of squares: they know the board alone, so a tour can show itself
    ["tour", "arrays", "limits"],
    ["outcome"],
    ["verify", "proofs.check"],
    ["proofs.certificate"],
    ["reference"],
    ["obstructions", "theorems", "cycle"],
    ["enumeration"],
    ["crosscheck"],
    ["encodings", "search"],
    ["construction"],
    ["isolate", "stoppable", "worker"],
    ["proofs"],
    ["engines"],
    ["proofs.prove"],
    ["sources"],
    ["formats"],
    ["exchange"],  # formulas and models go out as text, and answers come back
    ["compare"],
    ["cli"],
    ["__init__", "__main__"],
]
FLOOR = {name: height for height, names in enumerate(FLOORS) for name in names}
FILES = sorted(HOUSE.rglob("*.py"))


def room(dotted):
    """The name under which a module stands in the list above."""
    parts = dotted.split(".")[1:] or ["__init__"]
    two = ".".join(parts[:2])
    return two if two in FLOOR else parts[0]


def room_of(path):
    return room(".".join(["kt_cp", *path.relative_to(HOUSE).with_suffix("").parts]))


def imports(path):
    """Modules of the package that a file imports anywhere but for its types."""
    pending = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "kt_cp")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            if node.module == "kt_cp":
                yield from (f"kt_cp.{alias.name}" for alias in node.names)
            elif node.module.split(".")[0] == "kt_cp":
                yield node.module
        pending += ast.iter_child_nodes(node)


def foreign_imports(path):
    """Packages of others that a file imports anywhere."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
    return {name.split(".")[0] for name in names} - {"kt_cp"} - set(sys.stdlib_module_names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HOUSE).as_posix())
def test_imports_go_downwards(path):
    own = room_of(path)
    for imported in imports(path):
        other = room(imported)
        assert other == own or FLOOR[other] <= FLOOR[own], f"{own} imports {imported}, from above"


def test_every_room_has_a_floor():
    assert {room_of(path) for path in FILES} == set(FLOOR)


# What may know what, beyond the order: the walls that trust stands on.
ONLY = {
    "render": {"board", "render"},
    "verify": {"errors", "board", "problem", "tour", "verify"},
    "tour": {"arrays", "board", "errors", "render"},
    "arrays": {"board", "errors", "tour"},
    "reference": {"errors", "outcome", "problem", "reference"},
    "enumeration": {
        "board",
        "enumeration",
        "errors",
        "obstructions",
        "outcome",
        "problem",
        "reference",
    },
    "encodings": {"board", "cycle", "encodings", "errors", "graph", "limits", "problem", "tour"},
    "search": {"graph", "search"},
    "construction": {"board", "construction", "graph", "problem", "search", "theorems", "tour"},
    "formats": {
        "arrays",
        "board",
        "errors",
        "formats",
        "outcome",
        "problem",
        "reference",
        "render",
        "tour",
        "proofs.certificate",  # how a problem is written
    },
    "exchange": {
        "board",
        "crosscheck",
        "cycle",
        "encodings",
        "engines",
        "errors",
        "exchange",
        "formats",
        "limits",
        "outcome",
        "problem",
        "proofs.certificate",  # how a problem is written
        "proofs.check",  # and how one is read that nobody vouches for
        "versions",
    },
}


@pytest.mark.parametrize("own", ONLY)
def test_the_walls(own):
    files = [path for path in FILES if room_of(path) == own]
    assert {room(imported) for path in files for imported in imports(path)} <= ONLY[own]


def test_the_checker_of_certificates_imports_nothing_that_searches():
    checker = [path for path in FILES if path.parent == HOUSE / "proofs" / "check"]
    assert len(checker) > 5
    allowed = {"kt_cp.board", "kt_cp.errors", "kt_cp.problem"}
    for path in checker:
        others = {each for each in imports(path) if not each.startswith("kt_cp.proofs.check")}
        assert others <= allowed, path.name
        # networkx: what a graph of a certificate is held in
        assert foreign_imports(path) <= {"networkx"}, path.name


def test_solvers_are_imported_where_they_are_used():
    for path in FILES:
        top = ast.parse(path.read_text(encoding="utf-8")).body
        named = {alias.name for node in top if isinstance(node, ast.Import) for alias in node.names}
        named |= {node.module for node in top if isinstance(node, ast.ImportFrom)}
        roots = {name.split(".")[0] for name in named}
        assert not roots & {"ortools", "pysat", "networkx"}, path.name


def python(code, stdin=""):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], input=stdin, capture_output=True, text=True
    )


JUDGE = """
import sys
for name in ("kt_cp.graph", "networkx", "ortools", "pysat", "numpy"):
    sys.modules[name] = None  # importing it raises ImportError
from kt_cp.board import Board, parse_squares
from kt_cp.problem import Problem
from kt_cp.verify import defects
problem = Problem(Board(3, 4), start=(0, 0))
tour = parse_squares("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
assert defects(problem, tour) == [], [str(defect) for defect in defects(problem, tour)]
rules = {defect.rule.name for defect in defects(problem, [*tour[:5], (0, 0), (9, 9)])}
assert rules == {"REPEATED", "ILLEGAL_MOVE", "OFF_BOARD", "UNVISITED"}, rules
assert defects(Problem(Board(3, 4), closed=True), tour)
loaded = {name.split(".")[1] for name, module in sys.modules.items()
          if name.startswith("kt_cp.") and module is not None}
assert loaded == {"errors", "board", "problem", "verify"}, loaded
"""


def test_the_judge_stands_alone():
    ended = python(JUDGE)
    assert ended.returncode == 0, ended.stderr


def test_the_judge_of_arrays_needs_numpy_and_nothing_else():
    judge = [path for path in FILES if path.parent == HOUSE / "verify"]
    assert {room(imported) for path in judge for imported in imports(path)} == {
        "board", "errors", "problem", "verify",
    }  # fmt: skip
    foreign = {root for path in judge for root in foreign_imports(path)}
    assert foreign == {"numpy"}
    assert not foreign_imports(HOUSE / "verify" / "squares.py")


CHECKER = """
import json, sys
HIDDEN = ["networkx", "ortools", "pysat", "numpy", "numba", "llvmlite"]
HIDDEN += [f"kt_cp.{name}" for name in ("graph", "cycle", "reference", "search", "encodings",
           "engines", "enumeration", "obstructions", "proofs.find", "proofs.trim", "verify")]
for name in HIDDEN:
    sys.modules[name] = None  # importing it raises ImportError
from kt_cp.proofs.check import check
for text in json.load(sys.stdin):
    check(text)
loaded = {name for name, module in sys.modules.items()
          if name.startswith("kt_cp.") and module is not None}
loaded = {name for name in loaded if not name.startswith("kt_cp.proofs.check")}
assert loaded == {"kt_cp.board", "kt_cp.errors", "kt_cp.problem", "kt_cp.proofs"}, loaded
"""


def test_the_checker_of_certificates_stands_alone():
    # Of every kind; only graphs without a board need networkx.
    documents = [certificate(*each) for each in examples() if "rows" in each[0]]
    assert {document["evidence"]["kind"] for document in documents} > {"refutation", "forced"}
    ended = python(CHECKER, json.dumps([json.dumps(document) for document in documents]))
    assert ended.returncode == 0, ended.stderr


def test_importing_the_package_loads_no_solver():
    ended = python(
        "import sys, kt_cp, kt_cp.cli\n"
        "assert not {'ortools', 'pysat', 'networkx', 'numpy'} & set(sys.modules)"
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HOUSE).as_posix())
def test_files_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 260
